"""The commands of simulated annotators: ``unisono shuffle`` and ``unisono scan``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.items_options import several
from unisono.cli.options import (
    CHANCE,
    OPTIONS,
    OUTPUT,
    READING,
    SWITCHED_OFF,
    Weights,
    distance_of,
    named_option,
)
from unisono.cli.progress import Watch
from unisono.cli.reading_options import Reading
from unisono.errors import DataError, SettingError, worded
from unisono.measures.dice import seed_of
from unisono.model.labels import label_text
from unisono.result.words import some
from unisono.show import line_charts, shuffling_text
from unisono.study import scanning
from unisono.study.shuffling import ERRORS, Shuffler, check_magnitude, generate_reference

if TYPE_CHECKING:
    from unisono.model.continuum import Continuum

SHUFFLE_EXAMPLES = """\
Examples:

  unisono shuffle gold.csv --magnitude 0.3 --csv worse.csv
  unisono shuffle talk.csv --reference ann --magnitude 0.5 --errors position,category
  unisono shuffle --units 30 --magnitude 0.2 --seed 1"""

SCAN_EXAMPLES = """\
Examples:

  unisono scan gold.csv --errors position --no-overlap --chart curves.svg
  unisono scan --units 30 --errors category --measures gamma,gamma_cat,cu_alpha
  unisono scan gold.csv --errors split --csv curves.csv --seed 1"""

SHUFFLE_OPTIONS: Mapping[str, str] = {"overlap": "--overlap", "atom": "--atom"}
"""What the study calls a setting that a message may name, and the option for it."""
_OFF = {**SWITCHED_OFF, "overlap": "--no-overlap"}

_REFERENCE = Group("Reference", sort_key=5)
_ERRORS = Group("Errors", sort_key=10)
_MEASURES = Group("Measures", sort_key=15)

_Paths = Annotated[str, Parameter(name="PATH", show_default=False)]
_Json = Annotated[bool, Parameter(name="--json", negative="", show_default=False, group=OUTPUT)]
_Csv = Annotated[str | None, Parameter(name="--csv", metavar="[FILE]", group=OUTPUT)]
_Seed = Annotated[int | None, Parameter(metavar="N", group=_ERRORS)]
_Simulate = Annotated[int, Parameter(metavar="N", group=_ERRORS)]
_Errors = Annotated[str | None, Parameter(metavar="LIST", group=_ERRORS)]


def shuffle_option_named(name: str, /, *value: object) -> str:
    """Name a setting of the shuffling tool as the command line calls it.

    Examples
    --------
    >>> from unisono.cli.shuffle_commands import shuffle_option_named
    >>> shuffle_option_named("overlap", True), shuffle_option_named("overlap", False)
    ('--overlap', '--no-overlap')
    """
    if name == "atom" and ... in value:
        return "--atom LENGTH"
    return named_option({**OPTIONS, **SHUFFLE_OPTIONS}, _OFF, name, *value)


@Parameter(name="*", group=_REFERENCE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is right: an annotator of the data, or made up.

    Parameters
    ----------
    reference
        The annotator who is right, where the data have several.
    units
        Make up a reference of so many units instead of reading one.
    labels
        Labels of a reference made up, such as A,B or A:3,B:1 with prevalences (A,B,C,D).

    Examples
    --------
    >>> from unisono.cli.shuffle_commands import Chosen
    >>> Chosen(units=20, labels="A:3,B:1").made_up(seed=1)
    Continuum(1 annotator, 20 units, 2 labels, 0–317.2007154)
    """

    reference: Annotated[str | None, Parameter(metavar="NAME")] = None
    units: Annotated[int | None, Parameter(metavar="N")] = None
    labels: Annotated[str | None, Parameter(metavar="LIST")] = None

    def documents(
        self, paths: tuple[str, ...], reading: Reading, seed: int, *, only: str | None = None
    ) -> dict[str, Continuum]:
        """Give the reference of each document, or of one."""
        if self.units is not None:
            if paths or self.reference is not None or only is not None:
                msg = "--units makes a reference up; leave out what to read, or --units"
                raise SettingError(msg)
            return {"reference": self.made_up(seed)}
        if self.labels is not None:
            msg = "--labels are those of a reference made up; say --units N as well"
            raise SettingError(msg)
        if not paths:
            msg = "name a file with the reference, or make one up with --units N"
            raise SettingError(msg)
        corpus = reading.corpus(paths)
        if only is not None and only not in corpus:
            msg = f"there is no document {only!r}; choose one of {some(list(corpus))}"
            raise SettingError(msg)
        names = list(corpus) if only is None else [only]
        return {name: self._of(name, corpus[name]) for name in names}

    def made_up(self, seed: int) -> Continuum:
        """Make a reference up."""
        shares: dict[str, float] = {}
        for part in (self.labels or "A,B,C,D").split(","):
            label, colon, share = part.strip().rpartition(":")
            try:
                shares[label if colon else share] = float(share) if colon else 1.0
            except ValueError:
                msg = f"--labels is a list such as A,B or A:3,B:1; got {part!r}"
                raise SettingError(msg) from None
        return generate_reference(30 if self.units is None else self.units, labels=shares, rng=seed)

    def _of(self, name: str, continuum: Continuum) -> Continuum:
        if self.reference is not None:
            if self.reference not in continuum.annotators:
                msg = (
                    f"document {name!r}: no annotator {self.reference!r} for --reference; "
                    f"there are {some(continuum.annotators)}"
                )
                raise DataError(msg)
            return continuum.only(annotators=(self.reference,))
        if len(continuum.annotators) > 1:
            msg = (
                f"document {name!r} has {len(continuum.annotators)} annotators; "
                f"say with --reference NAME who is right: {some(continuum.annotators)}"
            )
            raise SettingError(msg)
        return continuum


@Parameter(name="*", group=_ERRORS)
@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """How errors are made.

    Parameters
    ----------
    overlap
        Whether moved and added units of an annotator may overlap.
    position_factor
        Longest move at magnitude 1, in lengths of the unit.
    split_cap
        Cuts at magnitude 1, for each unit.
    prevalence
        How often a label is chosen by mistake: as in the reference, or all alike.
    closeness
        A label distance, or a FILE.csv with one: labels near each other are mistaken more often.
    certain
        Labels that are never mistaken, such as A,B.

    Examples
    --------
    >>> from unisono.cli.shuffle_commands import Making
    >>> Making(split_cap=2).given()["split_cap"]
    2
    """

    overlap: bool = True
    position_factor: Annotated[float, Parameter(metavar="NUMBER")] = 2.0
    split_cap: Annotated[float, Parameter(metavar="NUMBER")] = 5.0
    prevalence: Literal["reference", "uniform"] = "reference"
    closeness: Annotated[str | None, Parameter(metavar="DISTANCE|FILE")] = None
    certain: Annotated[str | None, Parameter(metavar="LIST")] = None

    def given(self) -> dict[str, Any]:
        """Give the settings of `shuffle`."""
        return {
            "overlap": self.overlap,
            "position_factor": self.position_factor,
            "split_cap": self.split_cap,
            "prevalence": self.prevalence,
            "closeness": None if self.closeness is None else distance_of(self.closeness),
            "certain": () if self.certain is None else several("--certain", self.certain),
        }


def shuffle(
    *paths: _Paths,
    magnitude: Annotated[float, Parameter(metavar="SHARE", group=_ERRORS)],
    errors: _Errors = None,
    simulate: _Simulate = 3,
    seed: _Seed = None,
    making: Making = Making(),  # noqa: B008 - frozen
    chosen: Chosen = Chosen(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: _Json = False,
    as_csv: _Csv = None,
    record: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
) -> None:
    """Simulate annotators who know the right answer and make errors.

    Parameters
    ----------
    paths
        Files or folders with the right answer: annotator, start, end, label.
    magnitude
        How many errors, from 0 to 1.
    errors
        Which: position, category, false_negative, false_positive, split (all).
    simulate
        Annotators to simulate.
    seed
        Gives the same errors again; without one a seed is drawn and printed.
    as_json
        JSON on stdout, with everything.
    as_csv
        What the annotators marked, one row a unit, to a file or else to stdout.
    record
        CSV file of what was done to each unit, forgotten ones included.

    Examples
    --------
    >>> from unisono.cli import main
    >>> main(["shuffle", "--units", "30", "--magnitude", "2"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    output.check_target(record, inputs=paths, as_json=False, option="--record")
    with worded(shuffle_option_named), Watch() as watch:
        check_magnitude(magnitude)
        known = _errors(errors)
        number = seed_of(seed)
        watch.phase("reading")
        documents = chosen.documents(paths, reading, number)
        watch.phase("shuffling")
        shuffled = {
            name: Shuffler(reference, errors=known, annotators=simulate, **making.given()).shuffled(
                magnitude, number, at
            )
            for at, (name, reference) in enumerate(documents.items())
        }
    if as_csv is not None:
        output.write_csv(
            as_csv,
            ("document", "annotator", "start", "end", "label"),
            (
                (name, unit.annotator, unit.start, unit.end, label_text(unit.label))
                for name, each in shuffled.items()
                for unit in each.continuum
            ),
        )
    if record is not None:
        output.write_csv(
            record,
            ("document", "annotator", "start", "end", "label", "done", "origin"),
            (
                (name, *{**row, "label": label_text(row["label"])}.values())
                for name, each in shuffled.items()
                for row in each.rows()
            ),
        )
    if as_json:
        output.print_json({"documents": {name: each.to_dict() for name, each in shuffled.items()}})
    elif as_csv != output.STDOUT:
        output.print_table(shuffling_text.errors_made(shuffled))


def scan(
    *paths: _Paths,
    errors: _Errors = None,
    measures: Annotated[str | None, Parameter(metavar="LIST", group=_MEASURES)] = None,
    magnitudes: Annotated[int, Parameter(metavar="N", group=_ERRORS)] = 21,
    repeats: Annotated[int, Parameter(metavar="N", group=_ERRORS)] = 40,
    simulate: _Simulate = 3,
    seed: _Seed = None,
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=_MEASURES)] = None,
    draws: Annotated[int, Parameter(metavar="N", group=CHANCE)] = 30,
    workers: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    making: Making = Making(),  # noqa: B008 - frozen
    chosen: Chosen = Chosen(),  # noqa: B008 - frozen
    document: Annotated[str | None, Parameter(metavar="NAME", group=READING)] = None,
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: _Json = False,
    as_csv: _Csv = None,
    chart: Annotated[str | None, Parameter(metavar="FILE.svg", group=OUTPUT)] = None,
) -> None:
    """Show how measures fall while simulated annotators make more errors.

    Parameters
    ----------
    paths
        A file with the right answer: annotator, start, end, label.
    errors
        Which: position, category, false_negative, false_positive, split (all).
    measures
        Which, such as gamma,cu_alpha,kappa_d; by default all that can be used.
    magnitudes
        How many magnitudes from 0 to 1, evenly spaced.
    repeats
        Annotation sets at each magnitude.
    simulate
        Annotators in each annotation set.
    seed
        Gives the same curves again; without one a seed is drawn and printed.
    atom
        Length of an atom, for κ and α on atoms and for segments.
    draws
        Random continua for each γ.
    workers
        Threads; never moves a value.
    document
        The document to take, when there are several.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a measure and magnitude, to a file or else to stdout.
    chart
        SVG file for a picture of the curves.

    Examples
    --------
    >>> from unisono.cli import main
    >>> main(["scan", "--units", "30", "--measures", "kapa"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    output.check_target(chart, inputs=paths, as_json=False, option="--chart")
    with worded(shuffle_option_named), Watch() as watch:
        names = None if measures is None else several("--measures", measures)
        known = _errors(errors)
        number = seed_of(seed)
        watch.phase("reading")
        name, reference = _one(chosen.documents(paths, reading, number, only=document))
        found = scanning.scan(
            reference,
            measures=names,
            errors=known,
            magnitudes=magnitudes,
            repeats=repeats,
            annotators=simulate,
            rng=number,
            dissimilarity=weights.dissimilarity(),
            draws=draws,
            atom=atom,
            workers=workers,
            progress=watch,
            **making.given(),
        )
    if as_csv is not None:
        headings = ("measure", "magnitude", "mean", "low", "high", "undefined")
        output.write_csv(as_csv, headings, (tuple(row.values()) for row in found.rows()))
    if chart is not None:
        output.write_text(chart, line_charts.scan_chart(found, title=_title(name, found)))
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(shuffling_text.curves(found, title=name))


def _errors(text: str | None) -> tuple[Any, ...]:
    if text is None:
        return ERRORS
    return tuple(name.replace("-", "_") for name in several("--errors", text))


def _one(documents: dict[str, Continuum]) -> tuple[str, Continuum]:
    if len(documents) == 1:
        return next(iter(documents.items()))
    msg = (
        f"a scan takes one document, and there are {len(documents)}; "
        f"choose one with --document: {some(list(documents))}"
    )
    raise SettingError(msg)


def _title(name: str, found: scanning.Scan) -> str:
    return f"{Path(name).name}: {', '.join(found.errors)}"
