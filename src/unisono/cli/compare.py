"""The command ``unisono compare``: a hypothesis against a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import (
    CHANCE,
    OPTIONS,
    OUTPUT,
    READING,
    SWITCHED_OFF,
    ChanceModel,
    Paths,
    Weights,
    named_option,
)
from unisono.cli.options.work import Sending, code_for
from unisono.cli.output import Watch
from unisono.errors import SettingError
from unisono.measures.reference.compare import compare as compare_corpora
from unisono.model.corpus import Corpus
from unisono.model.labels import as_label, label_text
from unisono.results.wording import some

if TYPE_CHECKING:
    from unisono.measures.reference.compare import Comparison
    from unisono.results.sheet import Sheet


COMPARE_EXAMPLES = """\
Examples:

  unisono compare gold.csv system.csv
  unisono compare gold/ system/ --tolerance 0.25 --mapping by-document
  unisono compare turns.csv --reference ann,bob --hypothesis system
  unisono compare gold.csv system.csv --matched slots.csv --no-gamma"""
MATCHING = Group("Matching", sort_key=5)
COMPARE_OPTIONS: Mapping[str, str] = {"tolerance": "--tolerance", "mapping": "--mapping"}
"""What `compare` calls a setting, and the option for it."""
_ERROR_HEADINGS = (
    *("document", "kind", "reference_start", "reference_end", "reference_label"),
    *("hypothesis_start", "hypothesis_end", "hypothesis_label"),
)
_Level = Literal["exact", "tolerant", "overlap"]


def compare_option_named(name: str, /, *value: object) -> str:
    """Name a setting of `compare` or of `read` as the command line calls it."""
    return named_option({**OPTIONS, **COMPARE_OPTIONS}, SWITCHED_OFF, name, *value)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A comparison whose labels and documents are shown under one rule."""

    result: Comparison
    level: _Level | None

    def sheet(self, *, title: str = "") -> Sheet:
        return self.result.sheet(title=title, level=self.level)

    def to_dict(self) -> Mapping[str, Any]:
        return self.result.to_dict()

    def problems(self) -> list[str]:
        return self.result.problems()


@command(compare_option_named)
def compare(
    run: Run,
    *paths: Paths,
    tolerance: Annotated[float, Parameter(metavar="COLLAR", group=MATCHING)] = 0.0,
    mapping: Annotated[
        str | None, Parameter(metavar="best|by-document|A=B,…", group=MATCHING)
    ] = None,
    level: Annotated[_Level | None, Parameter(group=MATCHING)] = None,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    no_gamma: Annotated[bool, Parameter(negative="", show_default=False, group=CHANCE)] = False,
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Sending = Sending(),  # noqa: B008 - frozen
    reference: Annotated[str | None, Parameter(metavar="NAMES", group=READING)] = None,
    hypothesis: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    reading: Reading = Reading(),  # noqa: B008 - frozen
    matched: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
) -> _Shown:
    """Score a hypothesis against a reference: F1, slot errors and γ.

    Parameters
    ----------
    paths
        The reference and the hypothesis, files or folders; or one with both.
    tolerance
        A collar: by how much bounds may differ.
    mapping
        Find which labels mean the same, in all or by document; or say it, as in s1=ann.
    level
        What counts as found in the tables of labels and documents.
    no_gamma
        Leave γ out, which takes the longest.
    chance
        Shift the reference, mix documents, draw from a fitted model, or as the authors' program.
    reference
        Annotators of the reference, parted by commas, where the file has others too.
    hypothesis
        The annotator to score, where the file has others too.
    matched
        CSV file of what was matched with what, one row a slot: the errors, and what is right.
    """
    output.check_target(matched, inputs=paths, as_json=False, option="--matched")
    chosen = _Chosen(paths, reference, hypothesis)
    chosen.check()
    if matched is not None and matched in (output.STDOUT, *run.targets):
        msg = "--matched needs a file of its own"
        raise SettingError(msg)
    settings = drawing.given()
    if "precision" in settings:
        settings["chance_precision"] = settings.pop("precision")
    data = chosen.read(reading, run.watch)
    run.watch.phase("matching")
    with work.opened(drawing.workers) as sent:
        result = compare_corpora(
            **data,
            tolerance=tolerance,
            mapping=_mapping(mapping, data),  # type: ignore[arg-type]
            with_gamma=not no_gamma,
            dissimilarity=weights.dissimilarity(chance),
            chance=chance,
            progress=run.progress,
            **settings,
            **sent,
        )
    if matched is not None:
        output.write_csv(matched, _ERROR_HEADINGS, error_rows(result))
    run.title = chosen.title()
    if result.gamma is not None:
        run.code = code_for(result.gamma)
    return _Shown(result, level)


def error_rows(result: Comparison) -> Iterator[list[Any]]:
    """Give what was matched with what, one row a slot, document after document."""
    for name, one in (result.documents or {"": result}).items():
        if one.slots.matching is None:
            msg = "--matched needs a reference of one annotator; choose one with --reference NAME"
            raise SettingError(msg)
        for row in one.slots.matching.rows():
            yield [name, *row[:3], _text(row[3]), *row[4:6], _text(row[6])]


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Which files, and whom in them."""

    paths: tuple[str, ...]
    reference: str | None
    hypothesis: str | None

    def check(self) -> None:
        """Refuse what does not say what is compared with what."""
        if len(self.paths) not in (1, 2):
            msg = (
                "name the reference and the hypothesis, a file or a folder each; "
                f"got {len(self.paths)} paths"
            )
            raise SettingError(msg)
        if len(self.paths) == 1 and (self.reference is None or self.hypothesis is None):
            msg = "in one file, say who is who: --reference NAMES --hypothesis NAME"
            raise SettingError(msg)

    def read(self, reading: Reading, watch: Watch) -> dict[str, Any]:
        """Read the data, as `compare` takes them."""
        if len(self.paths) == 1:
            within = reading.corpus(self.paths, watch)
            return {
                "reference": _names(self.reference),
                "hypothesis": self.hypothesis,
                "within": within,
            }
        reference, hypothesis = (reading.corpus([path], watch) for path in self.paths)
        if self.reference is not None:
            reference = reference.only(annotators=_names(self.reference))
        if self.hypothesis is not None:
            hypothesis = hypothesis.only(annotators=(self.hypothesis,))
        elif any(len(continuum.annotators) > 1 for continuum in hypothesis.values()):
            msg = (
                f"{self.paths[1]} has several annotators, {some(hypothesis.annotators)}; "
                "choose one with --hypothesis NAME"
            )
            raise SettingError(msg)
        return {"reference": reference, "hypothesis": hypothesis}

    def title(self) -> str:
        """Say what is compared, for the line above."""
        if len(self.paths) == 1:
            return f"{_short(self.paths[0])}: {self.hypothesis} against {self.reference}"
        reference, hypothesis = map(_short, self.paths)
        return f"{hypothesis} against {reference}"


def _short(path: str) -> str:
    return Path(path).name or path


def _names(text: str | None) -> list[str]:
    names = [name.strip() for name in (text or "").split(",")]
    if not all(names):
        msg = f"names of annotators are parted by commas; got {text!r}"
        raise SettingError(msg)
    return names


def _mapping(text: str | None, data: Mapping[str, Any]) -> str | dict[Any, Any] | None:
    if text is None or "=" not in text:
        return text
    pairs = [part.split("=") for part in text.split(",")]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        msg = (
            "a mapping has a label of the hypothesis, = and a label of the reference, parted by "
            f"commas, such as s1=ann,s2=bob; got {text!r}"
        )
        raise SettingError(msg)
    # What reads as a number may be one: take the labels that are written so.
    corpora = [side for side in data.values() if isinstance(side, Corpus)]
    written = {label_text(label): label for corpus in corpora for label in corpus.labels}
    names = [(old.strip(), new.strip()) for old, new in pairs]
    return {written.get(old, old): written.get(new, new) for old, new in names}


def _text(label: object) -> str | None:
    return None if label is None else label_text(as_label(label))
