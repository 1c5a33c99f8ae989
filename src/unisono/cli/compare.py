"""The command ``unisono compare``: a hypothesis against a reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.exit_codes import ExitCode
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import (
    CHANCE,
    OPTIONS,
    OUTPUT,
    READING,
    SWITCHED_OFF,
    ChanceModel,
    Csv,
    Json,
    Paths,
    Rows,
    Weights,
    check_rows,
    named_option,
)
from unisono.cli.options.work import Sending, code_for
from unisono.cli.output import Watch
from unisono.cli.terminal import comparison as comparison_text
from unisono.errors import DataError, SettingError, worded
from unisono.measures.reference.compare import compare as compare_corpora
from unisono.model.corpus import Corpus
from unisono.model.labels import as_label, label_text
from unisono.results.record import label_keys, plain_number
from unisono.results.wording import some

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.measures.reference.compare import Comparison


COMPARE_EXAMPLES = """\
Examples:

  unisono compare gold.csv system.csv
  unisono compare gold/ system/ --tolerance 0.25 --mapping by-document
  unisono compare turns.csv --reference ann,bob --hypothesis system
  unisono compare gold.csv system.csv --matched slots.csv --no-gamma"""
MATCHING = Group("Matching", sort_key=5)
COMPARE_OPTIONS: Mapping[str, str] = {"tolerance": "--tolerance", "mapping": "--mapping"}
"""What `compare` calls a setting, and the option for it."""
_FOUND_IN = "--csv or --json has all"
_ERROR_HEADINGS = (
    *("document", "kind", "reference_start", "reference_end", "reference_label"),
    *("hypothesis_start", "hypothesis_end", "hypothesis_label"),
)
_Level = Literal["exact", "tolerant", "overlap"]


def compare(
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
    as_json: Json = False,
    as_csv: Csv = None,
    matched: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
    rows: Rows = 10,
) -> ExitCode | None:
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
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a document, rule and label, to a file or else to stdout.
    matched
        CSV file of what was matched with what, one row a slot: the errors, and what is right.
    rows
        Documents to show in the table.
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    output.check_target(matched, inputs=paths, as_json=False, option="--matched")
    chosen = _Chosen(paths, reference, hypothesis)
    chosen.check()
    check_rows(rows)
    if matched is not None and matched in (output.STDOUT, as_csv):
        msg = "--matched needs a file of its own"
        raise SettingError(msg)
    settings = drawing.given()
    if "precision" in settings:
        settings["chance_precision"] = settings.pop("precision")
    with Watch() as watch, worded(compare_option_named):
        data = chosen.read(reading, watch)
        watch.phase("matching")
        with work.opened(drawing.workers) as sent:
            result = compare_corpora(
                **data,
                tolerance=tolerance,
                mapping=_mapping(mapping, data),  # type: ignore[arg-type]
                with_gamma=not no_gamma,
                dissimilarity=weights.dissimilarity(chance),
                chance=chance,
                progress=watch if watch.somebody_watches else None,
                **settings,
                **sent,
            )
    if matched is not None:
        output.write_csv(matched, _ERROR_HEADINGS, error_rows(result))
    if as_csv is not None:
        output.write_csv(as_csv, *score_rows(result))
    if as_json:
        output.print_json(result.to_dict())
    elif as_csv != output.STDOUT:
        shown = level or ("tolerant" if tolerance else "exact")
        output.print_table(*_tables(result, title=chosen.title(), level=shown, rows=rows))
    if not any(result.exact.overall[1:]):
        # The data have nothing to measure, which a script must notice.
        msg = "there is nothing to compare: neither side has units"
        raise DataError(msg)
    return None if result.gamma is None else code_for(result.gamma)


def compare_option_named(name: str, /, *value: object) -> str:
    """Name a setting of `compare` or of `read` as the command line calls it."""
    return named_option({**OPTIONS, **COMPARE_OPTIONS}, SWITCHED_OFF, name, *value)


def score_rows(result: Comparison) -> tuple[list[str], Iterator[list[Any]]]:
    """Give a result as a table: the whole first, then each document; by rule and label."""
    headings = ["scope", "document", "matching", "labels", "label"]
    headings += ["precision", "recall", "f1", "found", "reference", "hypothesis"]
    headings += ["slot_error_rate", "gamma", "signature"]

    def of_one(scope: str, name: str, one: Comparison) -> Iterator[list[Any]]:
        whole = [
            plain_number(one.slots.value),
            None if one.gamma is None else plain_number(one.gamma.value),
        ]
        for rule, of in one.levels.items():
            keys = label_keys(of.by_label)
            scores = [("all", "", of.overall), ("any", "", of.any_label)]
            scores += [("label", keys[label], score) for label, score in of.by_label.items()]
            for kind, label, score in scores:
                values = map(plain_number, (score.precision, score.recall, score.f1))
                of_whole = whole if kind == "all" else [None, None]
                yield [
                    *(scope, name, rule, kind, label, *values, *score),
                    *of_whole,
                    str(one.signature),
                ]

    def every_row() -> Iterator[list[Any]]:
        yield from of_one("all", "", result)
        for name, document in result.documents.items():
            yield from of_one("document", name, document)

    return headings, every_row()


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


def _tables(result: Comparison, *, title: str, level: str, rows: int) -> list[RenderableType]:
    shown: list[RenderableType] = [
        comparison_text.comparison(result, title=title, level=level, rest=_FOUND_IN)
    ]
    if len(result.documents) > 1:
        shown.append(comparison_text.documents(result, level=level, limit=rows, rest=_FOUND_IN))
    return shown


def _text(label: object) -> str | None:
    return None if label is None else label_text(as_label(label))
