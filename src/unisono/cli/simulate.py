"""The command that plans: ``unisono plan``."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.items import Confidence, Policy, Seed
from unisono.cli.options.input import Reading
from unisono.cli.options.items import (
    COEFFICIENTS,
    UNCERTAINTY,
    Comparing,
    RatingReading,
    measure_option_named,
    settings_by_measure,
)
from unisono.cli.options.shared import CHANCE, READING, Csv, Json, Paths, Weights, rng_of
from unisono.cli.progress import Watch
from unisono.cli.terminal import items as items_text
from unisono.errors import DataError, SettingError, worded
from unisono.formats.headings import ALIASES, bare
from unisono.measures.gamma.chance import Chance
from unisono.measures.items.names import name_of_measure
from unisono.measures.settings import check_count, check_number, check_share
from unisono.studies.planning import plan_documents, plan_items
from unisono.studies.plans import Trial

if TYPE_CHECKING:
    from unisono.studies.plans import Plan


PLAN_EXAMPLES = """\
Examples:

  unisono plan pilot.csv --width 0.1 --seed 1
  unisono plan pilot.csv --width 0.1 --measure kappa --weights quadratic
  unisono plan interviews/ --width 0.1 --annotators corpus"""
Kind = Literal["items", "documents"]
_PEEKED = 65_536  # bytes of a file that show its first row
_BETWEEN_CELLS = re.compile(r"[,;\t|]")
# For one kind of pilot only.
_OF_DOCUMENTS = ("column_document", "column_start", "column_end", "no_labels", "extent", "on_error")
_OF_ITEMS = ("wide", "column_item", "separator", "missing_text", "duplicates")


@Parameter(name="*", group=READING)
@dataclass(frozen=True, slots=True, kw_only=True)
class PilotReading:
    """How the pilot is read: a table of ratings, or tables of units.

    Parameters
    ----------
    annotators
        Columns that are annotators, of a table with a row an item; of units who counts: units,
        corpus, or a table of document and annotator.
    column_annotator
        Column with the annotator.
    column_label
        Column with the label. Each column is a name, or a number from 1.
    column_item
        Column with the item.
    wide
        Whether a row is an item with a column for each annotator, or else a single rating.
    separator
        What separates the members of a label that is a set.
    missing_text
        Texts that mean that a label is missing, such as NA,?; an empty cell always does.
    duplicates
        Stop when an annotator rated an item twice, or keep the first.
    column_document
        Column with the document; without one each file is a document.
    column_start
        Column with the start of the unit.
    column_end
        Column with the end of the unit.
    no_labels
        Units have no labels, whatever other columns there are.
    extent
        Where every document begins and ends; by default with its first and last unit.
    on_error
        Stop at a row with a unit that cannot be read, or skip and count it.
    header
        Whether the first row names the columns; found out if not said.
    delimiter
        What separates cells, such as ; or tab; found out if not said.

    Examples
    --------
    >>> from unisono.cli.simulate import PilotReading
    >>> PilotReading(column_start="from").kind(["pilot.csv"])
    'documents'
    """

    annotators: Annotated[str | None, Parameter(metavar="COLUMNS|units|corpus|FILE")] = None
    column_annotator: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_label: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_item: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    wide: Annotated[bool | None, Parameter(negative="--long")] = None
    separator: Annotated[str | None, Parameter(metavar="CHARACTER")] = None
    missing_text: Annotated[str | None, Parameter(metavar="TEXTS")] = None
    duplicates: Literal["raise", "first"] | None = None
    column_document: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_start: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    column_end: Annotated[str | None, Parameter(metavar="COLUMN")] = None
    no_labels: Annotated[bool | None, Parameter(negative="", show_default=False)] = None
    extent: Annotated[tuple[float, float] | None, Parameter(metavar="LOW HIGH", negative="")] = None
    on_error: Literal["raise", "skip"] | None = None
    header: bool | None = None
    delimiter: Annotated[str | None, Parameter(metavar="CHARACTER")] = None

    def kind(self, paths: list[str]) -> Kind:
        """Find out what the pilot is: options tell it, folders, or the columns of the file.

        Examples
        --------
        >>> from unisono.cli.simulate import PilotReading
        >>> PilotReading(separator="|").kind(["pilot.csv"])
        'items'
        """
        if any(getattr(self, name) is not None for name in _OF_ITEMS):
            return "items"
        several = len(paths) != 1 or Path(paths[0]).is_dir()
        if several or any(getattr(self, name) is not None for name in _OF_DOCUMENTS):
            return "documents"
        return "documents" if _has_units(Path(paths[0])) else "items"

    def given(self, names: tuple[str, ...] | None = None) -> dict[str, Any]:
        """Give the options that were said, of these names or of all."""
        chosen = names or tuple(field.name for field in fields(self))
        said = {name: getattr(self, name) for name in chosen}
        return {name: value for name, value in said.items() if value is not None}


def plan(
    *paths: Paths,
    width: Annotated[float, Parameter(metavar="NUMBER", group=UNCERTAINTY)],
    of: Annotated[Kind | None, Parameter(group=READING)] = None,
    measure: Annotated[str | None, Parameter(metavar="NAME", group=COEFFICIENTS)] = None,
    comparing: Comparing = Comparing(),  # noqa: B008 - frozen
    missing: Policy = None,
    weighting: Weights = Weights(),  # noqa: B008 - frozen
    chance: Annotated[Chance | None, Parameter(metavar="MODEL", group=CHANCE)] = None,
    draws: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    confidence: Confidence = 0.95,
    resamples: Annotated[int, Parameter(metavar="N", group=UNCERTAINTY)] = 1000,
    seed: Seed = 0,
    reading: PilotReading = PilotReading(),
    as_json: Json = False,
    as_csv: Csv = None,
) -> None:
    """Say how many items or documents a wished interval takes.

    Parameters
    ----------
    paths
        The pilot: a table of ratings, or tables of units (annotator, start, end, label).
    width
        Wished distance between the ends of the interval, such as 0.1.
    of
        What to count, where the columns do not tell.
    measure
        For items, the coefficient, by any of its names (krippendorff_alpha).
    missing
        For items, what weighs the same where values are missing (values).
    chance
        For documents, the chance model of γ (shift).
    draws
        For documents, a fixed number of draws.
    confidence
        Confidence of the interval.
    resamples
        Resamples at each size.
    seed
        A seed; the same one gives the same number, random draws a new one.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a size that was tried, to a file or else to stdout.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["plan", "pilot.csv"])
    2
    """
    if not paths:
        msg = "name at least one file or folder to read"
        raise SettingError(msg)
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_number("--width", width, may_be_zero=False)
    check_share("--confidence", confidence, "0.95 for 95 %")
    check_count("--resamples", resamples)
    settings: dict[str, Any] = {"width": width, "level": confidence, "n": resamples}
    settings["rng"] = rng_of(seed)
    kind = of or reading.kind(list(paths))
    said: dict[str, object] = {"measure": measure, "missing": missing, **_said(comparing)}
    own = {"chance": chance, "draws": draws, **_said(weighting)}
    with Watch() as watch:
        if kind == "items":
            # Both kinds of labels have distances.
            distance = own.pop("distance", None)
            _refuse_others(kind, own | reading.given(_OF_DOCUMENTS))
            planned = _planned_items(watch, paths, reading, settings, distance, said, comparing)
        else:
            _refuse_others(kind, said | reading.given(_OF_ITEMS))
            planned = _planned_documents(watch, paths, reading, settings, own, weighting)
    if as_csv is not None:
        output.write_csv(as_csv, Trial._fields, planned.trials)
    if as_json:
        output.print_json(planned.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(items_text.plan(planned, title=_title(paths)))
    if planned.needed is None:
        msg = f"there is no number of {planned.of}: {planned.undefined}"
        raise DataError(msg)


def _planned_items(
    watch: Watch,
    paths: tuple[str, ...],
    reading: PilotReading,
    settings: dict[str, Any],
    distance: Any,  # noqa: ANN401 - as typed
    said: dict[str, Any],
    comparing: Comparing,
) -> Plan:
    if len(paths) > 1:
        msg = f"ratings of items come from one file; got {len(paths)}"
        raise SettingError(msg)
    ratings = RatingReading(**reading.given()).ratings(paths[0], watch)
    watch.phase("resampling")
    with worded(measure_option_named):
        name = name_of_measure(said["measure"] or "krippendorff_alpha")
        given = comparing.given(ratings.labels, distance)
        if said["missing"] is not None:
            given["missing"] = said["missing"]
        own = settings_by_measure([name], given)[name]
        return plan_items(ratings, measure=name, **settings, **own)


def _planned_documents(
    watch: Watch,
    paths: tuple[str, ...],
    reading: PilotReading,
    settings: dict[str, Any],
    own: dict[str, Any],
    weighting: Weights,
) -> Plan:
    chance = own["chance"] or "shift"
    dissimilarity = weighting.dissimilarity(chance)
    corpus = Reading(**reading.given()).corpus(paths, watch)
    watch.phase("aligning")
    if own["draws"] is not None:
        settings["draws"] = own["draws"]
    if watch.somebody_watches:
        settings["progress"] = watch
    return plan_documents(corpus, dissimilarity=dissimilarity, chance=chance, **settings)


def _said(options: Comparing | Weights) -> dict[str, object]:
    return {field.name: getattr(options, field.name) for field in fields(options)}


def _refuse_others(kind: Kind, given: dict[str, Any]) -> None:
    unsaid = (None, False)
    said = [name.replace("_", "-") for name, value in given.items() if value not in unsaid]
    if said:
        other = "documents" if kind == "items" else "items"
        options = ", ".join(f"--{name}" for name in said)
        msg = f"{options} cannot be used when planning {kind}; leave it out, or say --of {other}"
        raise SettingError(msg)


def _has_units(path: Path) -> bool:
    """Look whether the first row has a column of starts and one of ends."""
    if not path.is_file():
        return False  # what is read of a pipe is gone
    try:
        with path.open("rb") as file:
            first = file.read(_PEEKED).decode("utf-8", errors="replace").partition("\n")[0]
    except OSError:
        return False  # the reader says what is wrong
    cells = {bare(cell.strip(' "')) for cell in _BETWEEN_CELLS.split(first)}
    return all(not cells.isdisjoint(ALIASES[role]) for role in ("start", "end"))


def _title(paths: tuple[str, ...]) -> str:
    return Path(paths[0]).name or paths[0] if len(paths) == 1 else f"{len(paths)} paths"
