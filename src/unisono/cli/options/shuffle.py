"""Options of the commands with simulated annotators: what is right, and which errors are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli.options.items import several
from unisono.cli.options.shared import OPTIONS, SWITCHED_OFF, distance_of, named_option
from unisono.errors import DataError, SettingError, did_you_mean
from unisono.model.columns import written_number
from unisono.results.wording import some
from unisono.simulation.shuffling.errors import ERRORS, check_errors
from unisono.simulation.shuffling.shuffle import generate_reference

if TYPE_CHECKING:
    from unisono.cli.options.input import Reading
    from unisono.cli.output import Watch
    from unisono.model.continuum import Continuum
    from unisono.simulation.shuffling.errors import ErrorType


SHUFFLE_OPTIONS: Mapping[str, str] = {"overlap": "--overlap", "atom": "--atom"}
"""What the study calls a setting that a message may name, and the option for it."""
_OFF = {**SWITCHED_OFF, "overlap": "--no-overlap"}
_REFERENCE = Group("Reference", sort_key=5)
ERROR_GROUP = Group("Errors", sort_key=10)


def shuffle_option_named(name: str, /, *value: object) -> str:
    """Name a setting of the shuffling tool as the command line calls it."""
    if name == "atom" and ... in value:
        return "--atom LENGTH"
    return named_option({**OPTIONS, **SHUFFLE_OPTIONS}, _OFF, name, *value)


def errors_named(text: str | None) -> tuple[ErrorType, ...]:
    """Give the errors of a list, all without one."""
    if text is None:
        return ERRORS
    names: Any = (name.replace("-", "_") for name in several("--errors", text))
    return check_errors(names)


def magnitudes_named(text: str) -> list[float]:
    """Give the magnitudes of a list."""
    try:
        return [written_number(number) for number in several("--magnitudes", text)]
    except ValueError:
        msg = f"--magnitudes are numbers from 0 to 1, such as 0.1,0.2,0.5; got {text!r}"
        raise SettingError(msg) from None


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
    """

    reference: Annotated[str | None, Parameter(metavar="NAME")] = None
    units: Annotated[int | None, Parameter(metavar="N")] = None
    labels: Annotated[str | None, Parameter(metavar="LIST")] = None

    def documents(
        self,
        paths: tuple[str, ...],
        reading: Reading,
        seed: int,
        *,
        only: str | None = None,
        watch: Watch | None = None,
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
        corpus = reading.corpus(paths, watch)
        if only is not None and only not in corpus:
            meant = did_you_mean(only, corpus)
            msg = f"there is no document {only!r}; choose one of {some(list(corpus))}"
            raise SettingError(msg + meant)
        names = list(corpus) if only is None else [only]
        return {name: self._of(name, corpus[name]) for name in names}

    def made_up(self, seed: int) -> Continuum:
        """Make a reference up."""
        shares: dict[str, float] = {}
        for part in (self.labels or "A,B,C,D").split(","):
            label, colon, share = part.strip().rpartition(":")
            try:
                shares[label if colon else share] = written_number(share) if colon else 1.0
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


@Parameter(name="*", group=ERROR_GROUP)
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
