"""The command ``unisono compare``: a hypothesis against a reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.chance import DrawOptions
from unisono.cli.options.input import ReadingOptions
from unisono.cli.options.settings import option
from unisono.cli.options.shared import CHANCE, OUTPUT, READING, ChanceModel, Paths, Weights
from unisono.cli.options.work import ExecutorOptions, exit_code_of
from unisono.cli.output import ProgressDisplay
from unisono.errors import SettingError
from unisono.measures.reference.compare import compare as compare_corpora
from unisono.measures.reference.compare import matched_slots
from unisono.model.corpus import Corpus
from unisono.model.labels import label_text
from unisono.results.wording import some

if TYPE_CHECKING:
    from unisono.measures.reference.compare import Comparison

COMPARE_EXAMPLES = """\
Examples:

  unisono compare gold.csv system.csv
  unisono compare gold/ system/ --tolerance 0.25 --mapping by-document
  unisono compare turns.csv --reference ann,bob --hypothesis system
  unisono compare gold.csv system.csv --matched slots.csv --no-gamma"""
MATCHING = Group("Matching", sort_key=5)
_Level = Literal["exact", "tolerant", "overlap"]


@command()
def compare(
    run: Run,
    *paths: Paths,
    tolerance: Annotated[float, option("tolerance", group=MATCHING)] = 0.0,
    mapping: Annotated[str | None, option("mapping", group=MATCHING)] = None,
    level: Annotated[_Level | None, Parameter(group=MATCHING)] = None,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    with_gamma: Annotated[bool, option("with_gamma", group=CHANCE)] = True,
    chance: ChanceModel = "shift",
    drawing: DrawOptions = DrawOptions(),  # noqa: B008 - frozen
    work: ExecutorOptions = ExecutorOptions(),  # noqa: B008 - frozen
    reference: Annotated[str | None, Parameter(metavar="NAMES", group=READING)] = None,
    hypothesis: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
    matched: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
) -> Comparison:
    """Score a hypothesis against a reference: F1, slot errors and γ.

    Parameters
    ----------
    paths
        The reference and the hypothesis, as files or folders; or one that contains both.
    level
        Matching level for the tables of labels and documents.
    reference
        Comma-separated annotators of the reference, if the file has others too.
    hypothesis
        The annotator of the hypothesis, if the file has others too.
    matched
        CSV file for the matches, with one row per slot: correct slots and errors.
    """
    output.check_target(matched, inputs=paths, as_json=False, option="--matched")
    compared = _ComparedFiles(paths, reference, hypothesis)
    compared.check()
    if matched is not None and matched in (output.STDOUT, *run.targets):
        msg = f"--matched cannot write to {matched}, which another output uses; choose another file"
        raise SettingError(msg)
    settings = drawing.keywords()
    if "precision" in settings:
        settings["chance_precision"] = settings.pop("precision")
    data = compared.read(reading, run.display)
    run.display.phase("matching")
    with work.opened(drawing.workers) as work_settings:
        result = compare_corpora(
            **data,
            tolerance=tolerance,
            mapping=_mapping(mapping, data),  # type: ignore[arg-type]
            with_gamma=with_gamma,
            dissimilarity=weights.dissimilarity(chance),
            chance=chance,
            progress=run.progress,
            **settings,
            **work_settings,
        )
    if matched is not None:
        slots = matched_slots(result)
        if slots is None:
            msg = "--matched needs a reference with one annotator; select one with --reference NAME"
            raise SettingError(msg)
        output.write_csv(matched, *slots)
    run.title = compared.title()
    if result.gamma is not None:
        run.code = exit_code_of(result.gamma)
    run.sheet_options = {"level": level}
    return result


@dataclass(frozen=True, slots=True)
class _ComparedFiles:
    """The files and annotators to compare."""

    paths: tuple[str, ...]
    reference: str | None
    hypothesis: str | None

    def check(self) -> None:
        """Raise an error unless both sides of the comparison are given."""
        if len(self.paths) not in (1, 2):
            msg = (
                "compare takes two paths, a reference and a hypothesis; "
                f"got {len(self.paths)} paths"
            )
            raise SettingError(msg)
        if len(self.paths) == 1 and (self.reference is None or self.hypothesis is None):
            msg = (
                "to compare annotators of a single file, pass --reference NAMES and "
                "--hypothesis NAME"
            )
            raise SettingError(msg)

    def read(self, reading: ReadingOptions, display: ProgressDisplay) -> dict[str, Any]:
        """Read the data and return the arguments for `compare`."""
        if len(self.paths) == 1:
            within = reading.corpus(self.paths, display)
            return {
                "reference": _names(self.reference),
                "hypothesis": self.hypothesis,
                "within": within,
            }
        reference, hypothesis = (reading.corpus([path], display) for path in self.paths)
        if self.reference is not None:
            reference = reference.only(annotators=_names(self.reference))
        if self.hypothesis is not None:
            hypothesis = hypothesis.only(annotators=(self.hypothesis,))
        elif any(len(continuum.annotators) > 1 for continuum in hypothesis.values()):
            msg = (
                f"{self.paths[1]} has several annotators, {some(hypothesis.annotators)}; "
                "select one with --hypothesis NAME"
            )
            raise SettingError(msg)
        return {"reference": reference, "hypothesis": hypothesis}

    def title(self) -> str:
        """Return a title that names both sides."""
        if len(self.paths) == 1:
            return f"{_short(self.paths[0])}: {self.hypothesis} against {self.reference}"
        reference, hypothesis = map(_short, self.paths)
        return f"{hypothesis} against {reference}"


def _short(path: str) -> str:
    return Path(path).name or path


def _names(text: str | None) -> list[str]:
    names = [name.strip() for name in (text or "").split(",")]
    if not all(names):
        msg = f"--reference must be a comma-separated list of annotators, got {text!r}"
        raise SettingError(msg)
    return names


def _mapping(text: str | None, data: Mapping[str, Any]) -> str | dict[Any, Any] | None:
    if text is None or "=" not in text:
        return text
    pairs = [part.split("=") for part in text.split(",")]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        msg = (
            "--mapping must be a comma-separated list of HYPOTHESIS_LABEL=REFERENCE_LABEL, such as "
            f"s1=ann,s2=bob; got {text!r}"
        )
        raise SettingError(msg)
    # Labels in the data may be numbers: find them by their text.
    corpora = [side for side in data.values() if isinstance(side, Corpus)]
    by_text = {label_text(label): label for corpus in corpora for label in corpus.labels}
    names = [(old.strip(), new.strip()) for old, new in pairs]
    return {by_text.get(old, old): by_text.get(new, new) for old, new in names}
