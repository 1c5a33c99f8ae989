"""The command on segmentations: ``unisono segments``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.options.input import Reading
from unisono.cli.options.items import several
from unisono.cli.options.shared import (
    OPTIONS,
    SWITCHED_OFF,
    Csv,
    Json,
    Paths,
    Rows,
    check_rows,
    named_option,
)
from unisono.cli.progress import Watch
from unisono.cli.terminal import segments as segments_text
from unisono.errors import DataError, SettingError, did_you_mean, worded
from unisono.measures.segmentation.boundary_edits import (
    boundary_similarity,
    segmentation_similarity,
)
from unisono.measures.segmentation.hamming import generalized_hamming
from unisono.measures.segmentation.window_measures import pk, window_diff
from unisono.model.segmentation import segmentations
from unisono.results.record import plain_number
from unisono.results.wording import count

if TYPE_CHECKING:
    from unisono.measures.segmentation.segmentation_result import SegmentationAgreement
    from unisono.measures.segmentation.texts import Cut
    from unisono.model.corpus import Corpus
    from unisono.results.agreement import Agreement


SEGMENTS_EXAMPLES = """\
Examples:

  unisono segments chapters.csv
  unisono segments songs/ --atom 0.5 --gaps segments
  unisono segments chapters.csv --measure b --near 3
  unisono segments chapters.csv --json | jq .boundary_similarity.pi.value"""
SEGMENT_OPTIONS: Mapping[str, str] = {
    "atom": "--atom",
    "gaps": "--gaps",
    "window": "--window",
    "convention": "--convention",
}
"""What measures of segmentations call a setting that a message may name, and the option for it."""
_SEGMENTS = Group("Segments", sort_key=10)
_MEASURING = Group("Measures", sort_key=20)
_FOUND_IN = "--csv or --json has all"
_MEASURES: Mapping[str, tuple[Callable[..., SegmentationAgreement], tuple[str, ...]]] = {
    "pk": (pk, ("window", "convention")),
    "window_diff": (window_diff, ("window", "convention")),
    "generalized_hamming": (generalized_hamming, ("insertion", "deletion", "shift")),
    "boundary_similarity": (boundary_similarity, ("near",)),
    "segmentation_similarity": (segmentation_similarity, ("near",)),
}
_OTHER_NAMES = {
    "windowdiff": "window_diff",
    "wd": "window_diff",
    "ghd": "generalized_hamming",
    "hamming": "generalized_hamming",
    "b": "boundary_similarity",
    "s": "segmentation_similarity",
}
_HEADINGS = (
    *("scope", "measure", "document", "annotator_a", "annotator_b"),
    *("value", "observed", "expected", "undefined", "signature"),
)


def segment_option_named(name: str, /, *value: object) -> str:
    """Name a setting of a measure of segmentations as the command line calls it.

    Examples
    --------
    >>> from unisono.cli.segments_commands import segment_option_named
    >>> segment_option_named("gaps", "segments"), segment_option_named("atom", ...)
    ('--gaps segments', '--atom LENGTH')
    """
    if name == "atom" and ... in value:
        return "--atom LENGTH"
    return named_option({**OPTIONS, **SEGMENT_OPTIONS}, SWITCHED_OFF, name, *value)


@Parameter(name="*", group=_MEASURING)
@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """Settings of the measures; what is not given is as the measure has it.

    Parameters
    ----------
    window
        Window of Pk and WindowDiff, in atoms (half the mean segment of the reference).
    convention
        Windows within the text, or one more as NLTK has (papers).
    near
        Places that a near miss of B and S may span; 2 is one place off (2).
    insertion
        Hamming cost of a boundary that is lacking (2).
    deletion
        Hamming cost of a boundary too much (2).
    shift
        Hamming cost of moving a boundary by one place (1).

    Examples
    --------
    >>> from unisono.cli.segments_commands import Measuring
    >>> Measuring(near=3).given()
    {'near': 3}
    """

    window: Annotated[int | None, Parameter(metavar="ATOMS")] = None
    convention: Literal["papers", "nltk"] | None = None
    near: Annotated[int | None, Parameter(metavar="PLACES")] = None
    insertion: Annotated[float | None, Parameter(metavar="COST")] = None
    deletion: Annotated[float | None, Parameter(metavar="COST")] = None
    shift: Annotated[float | None, Parameter(metavar="COST")] = None

    def given(self) -> dict[str, Any]:
        """Give the settings that were asked for.

        Examples
        --------
        >>> from unisono.cli.segments_commands import Measuring
        >>> Measuring().given()
        {}
        """
        names = ("window", "convention", "near", "insertion", "deletion", "shift")
        asked = {name: getattr(self, name) for name in names}
        return {name: value for name, value in asked.items() if value is not None}


def segments(
    *paths: Paths,
    measure: Annotated[
        str | None, Parameter(name=["--measure", "--measures"], metavar="NAMES", group=_MEASURING)
    ] = None,
    measuring: Measuring = Measuring(),
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_SEGMENTS)] = None,
    gaps: Annotated[Literal["raise", "segments"], Parameter(group=_SEGMENTS)] = "raise",
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 10,
) -> None:
    """Measure agreement on where texts are cut: Pk, WindowDiff, B, S.

    Parameters
    ----------
    paths
        Files or folders of tables whose units cover the whole texts: annotator, start, end.
    measure
        Measures, parted by commas: pk, window_diff (wd), generalized_hamming (ghd),
        boundary_similarity (b), segmentation_similarity (s); without it all.
    atom
        How long an atom is, such as 0.5 seconds; boundaries are rounded to atoms. Without it
        boundaries are whole numbers.
    gaps
        Refuse stretches that no unit covers, or take them for segments.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a measure, pair of annotators and document, to a file or else to stdout.
    rows
        Pairs of annotators and documents to show in the table.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["segments", "--near", "many", "talk.csv"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_rows(rows)
    with Watch() as watch, worded(segment_option_named):
        names = list(_MEASURES) if measure is None else named_measures(measure)
        settings = _settings_by_measure(names, measuring.given())
        corpus = reading.corpus(paths, watch)
        by_document = segmentations(corpus, atom=atom, gaps=gaps)
        texts: Cut = next(iter(by_document.values())) if len(by_document) == 1 else by_document
        watch.phase("measuring")
        found = {name: _MEASURES[name][0](texts, **settings[name]) for name in names}
    found = _with_skipped(found, corpus)
    if as_csv is not None:
        output.write_csv(as_csv, _HEADINGS, segment_rows(found))
    if as_json:
        output.print_json({name: result.to_dict() for name, result in found.items()})
    elif as_csv != output.STDOUT:
        output.print_table(
            segments_text.measures(found, title=_title(corpus), limit=rows, rest=_FOUND_IN)
        )
    _refuse_nothing(found)


def named_measures(text: str) -> list[str]:
    """Find the measures that were asked for by any of their names.

    Parameters
    ----------
    text
        Names, parted by commas.

    Examples
    --------
    >>> from unisono.cli.segments_commands import named_measures
    >>> named_measures("B,pk")
    ['boundary_similarity', 'pk']
    """
    found = []
    for typed in several("--measure", text):
        name = typed.lower().replace("-", "_")
        name = _OTHER_NAMES.get(name, name)
        if name not in _MEASURES:
            choices = ", ".join((*_MEASURES, *_OTHER_NAMES))
            meant = did_you_mean(name, (*_MEASURES, *_OTHER_NAMES))
            msg = f"unknown measure {typed!r}; choose from {choices}{meant}"
            raise SettingError(msg)
        found.append(name)
    return list(dict.fromkeys(found))


def segment_rows(found: Mapping[str, SegmentationAgreement]) -> Iterator[list[Any]]:
    """Give a row for each measure, and below it those of chance, pairs and documents.

    Parameters
    ----------
    found
        Results by the names of their functions.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.cli.segments_commands import segment_rows
    >>> texts = {name: un.Segmentation.from_masses([2, 3]) for name in ("ann", "bob")}
    >>> [row[:2] for row in segment_rows({"pk": un.pk(texts)})][0]
    ['all', 'pk']
    """
    for name, result in found.items():
        yield from _rows_of("all", name, None, result)
        for document, of in result.documents.items():
            yield from _rows_of("document", name, document, of)


def _rows_of(
    scope: str, name: str, document: str | None, result: SegmentationAgreement
) -> Iterator[list[Any]]:
    yield _row([scope, name, document, None, None], result)
    for kind, corrected in (("pi", result.pi), ("kappa", result.kappa)):
        if corrected is not None:
            yield _row([scope, f"{name}.{kind}", document, None, None], corrected)
    for pair, of in result.by_pair.items():
        inside = "pair" if document is None else "document pair"
        yield _row([inside, name, document, *pair], of)


def _row(lead: list[Any], result: Agreement) -> list[Any]:
    numbers = (result.value, result.observed, result.expected)
    return [*lead, *map(plain_number, numbers), result.undefined, str(result.signature)]


def _settings_by_measure(names: list[str], given: dict[str, Any]) -> dict[str, dict[str, Any]]:
    for setting in given:
        users = [name for name, (_, settings) in _MEASURES.items() if setting in settings]
        if not set(users) & set(names):
            msg = f"--{setting} is not for {', '.join(names)}; it is for {', '.join(users)}"
            raise SettingError(msg)
    return {
        name: {setting: given[setting] for setting in _MEASURES[name][1] if setting in given}
        for name in names
    }


def _with_skipped(
    found: dict[str, SegmentationAgreement], corpus: Corpus
) -> dict[str, SegmentationAgreement]:
    if not corpus.skipped:
        return found
    note = f"skipped {count(corpus.skipped, 'row')} that could not be read"
    return {name: replace(one, notes=(*one.notes, note)) for name, one in found.items()}


def _title(corpus: Corpus) -> str:
    if len(corpus) == 1:
        return next(iter(corpus))
    return f"{count(len(corpus), 'document')}, pooled"


def _refuse_nothing(found: Mapping[str, SegmentationAgreement]) -> None:
    """Let a script notice that the data have nothing to measure."""
    if all(result.undefined for result in found.values()):
        why = dict.fromkeys(str(result.undefined) for result in found.values())
        verb = "is" if len(found) == 1 else "are"
        msg = f"{', '.join(found)} {verb} undefined: {'; '.join(why)}"
        raise DataError(msg)
