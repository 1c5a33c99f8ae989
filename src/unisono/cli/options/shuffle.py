"""Options for simulated annotators: the reference, and the errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Group, Parameter

from unisono.cli.options.settings import option
from unisono.cli.options.shared import (
    OPTIONS,
    SWITCHED_OFF,
    option_text,
    parse_distance,
    split_list,
)
from unisono.errors import DataError, SettingError, did_you_mean
from unisono.model.columns import written_number
from unisono.results.wording import some
from unisono.simulation.shuffling.errors import DEFAULT_ERRORS, check_errors
from unisono.simulation.shuffling.shuffle import generate_reference

if TYPE_CHECKING:
    from unisono.cli.options.input import FileOptions
    from unisono.cli.output import ProgressDisplay
    from unisono.model.continuum import Continuum
    from unisono.simulation.shuffling.errors import ErrorType


_OFF = {**SWITCHED_OFF, "overlap": "--no-overlap"}
_REFERENCE = Group("Reference", sort_key=5)
_MOST_DOCUMENTS = 10_000
ERROR_GROUP = Group("Errors", sort_key=10)


def shuffle_option_text(name: str, /, *value: object) -> str:
    """Return a setting of the shuffling tool as typed on the command line."""
    return option_text(OPTIONS, _OFF, name, *value)


def parse_errors(text: str | None) -> tuple[ErrorType, ...]:
    """Return the types of errors of a comma-separated list; the default without a list."""
    if text is None:
        return DEFAULT_ERRORS
    names: Any = (name.replace("-", "_") for name in split_list("--errors", text))
    return check_errors(names)


def parse_magnitudes(text: str) -> list[float]:
    """Return the magnitudes of a comma-separated list."""
    try:
        return [written_number(number) for number in split_list("--magnitudes", text)]
    except ValueError:
        msg = (
            "--magnitudes must be comma-separated numbers from 0 to 1, such as 0.1,0.2,0.5; "
            f"got {text!r}"
        )
        raise SettingError(msg) from None


def parse_habits(text: str) -> dict[str, dict[str, Any]]:
    """Return habits by annotator, from text such as ``sim1:late=0.5;sim2:split=2,A>B``."""
    found: dict[str, dict[str, Any]] = {}
    for part in text.split(";"):
        name, colon, rest = part.strip().partition(":")
        habits = found.setdefault(name.strip(), {})
        for each in rest.split(",") if colon else [part]:
            label, is_label, other = each.partition(">")
            kind, _, amount = (side.strip() for side in each.partition("="))
            if is_label:
                habits.setdefault("labels", {})[label.strip()] = other.strip()
                continue
            try:
                number = written_number(amount)
            except ValueError:
                kind = ""
            if kind not in ("late", "split"):
                msg = (
                    "--habits must be habits by annotator, such as sim1:late=0.5;sim2:split=2,A>B; "
                    f"got {each!r}"
                )
                raise SettingError(msg)
            habits[kind] = int(number) if kind == "split" and number.is_integer() else number
    return found


@Parameter(name="*", group=_REFERENCE)
@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceOptions:
    """Options for the reference: an annotator of the data, or generated.

    Parameters
    ----------
    reference
        The annotator to use as reference, if the data have several.
    units
        Generate a random reference with this number of units instead of reading one.
    labels
        Labels of a generated reference, such as A,B, or A:3,B:1 with prevalences (A,B,C,D); without
        --units, labels of the files to keep.
    lengths
        Length of its units, such as 10, 5..15, or A:5,D:10..20 by label (5..15).
    gap_lengths
        Length of the gaps before its units and after the last one, such as 5 or 0..10 (0..10).
    nested
        Let its units overlap and nest.
    text_length
        Length of the text; gaps are scaled to fit.
    documents
        Generate this number of documents; without --units, documents of the files to keep, as names
        or patterns.
    """

    reference: Annotated[str | None, Parameter(metavar="NAME")] = None
    units: Annotated[int | None, Parameter(metavar="N")] = None
    labels: Annotated[str | None, Parameter(metavar="LIST")] = None
    lengths: Annotated[str | None, Parameter(metavar="LOW..HIGH")] = None
    gap_lengths: Annotated[str | None, Parameter(metavar="LOW..HIGH")] = None
    nested: Annotated[bool, Parameter(negative="", show_default=False)] = False
    text_length: Annotated[float | None, Parameter(metavar="LENGTH")] = None
    documents: Annotated[str | None, Parameter(metavar="N|NAMES")] = None

    def of_files(
        self,
        paths: tuple[str, ...],
        reading: FileOptions,
        seed: int,
        *,
        only: str | None = None,
        display: ProgressDisplay | None = None,
    ) -> dict[str, Continuum]:
        """Return the reference of each document, or of one document."""
        if self.units is not None:
            if paths or self.reference is not None or only is not None:
                msg = (
                    "--units generates a reference; it cannot be combined with files, --reference "
                    "or --document; omit --units or the others"
                )
                raise SettingError(msg)
            return self.generate(seed)
        # Labels and documents select among those of files.
        model = self._model() | (
            {} if paths else {"--labels": self.labels, "--documents": self.documents}
        )
        typed = [name for name, value in model.items() if value is not None and value is not False]
        if typed:
            msg = f"{typed[0]} applies to a generated reference only; add --units N"
            raise SettingError(msg)
        if not paths:
            msg = "no reference; name a file with the reference, or generate one with --units N"
            raise SettingError(msg)
        corpus = reading.corpus(paths, display, documents=self.documents, labels=self.labels)
        if only is not None and only not in corpus:
            hint = did_you_mean(only, corpus)
            msg = f"unknown document {only!r}; choose one of {some(list(corpus))}"
            raise SettingError(msg + hint)
        names = list(corpus) if only is None else [only]
        return {name: self._of(name, corpus[name]) for name in names}

    def _model(self) -> dict[str, object]:
        """Return the settings of a generated reference only, by option."""
        return {
            "--lengths": self.lengths,
            "--gap-lengths": self.gap_lengths,
            "--nested": self.nested,
            "--text-length": self.text_length,
        }

    def generate(self, seed: int) -> dict[str, Continuum]:
        """Return generated references, each with its own seed."""
        text = self.documents or "1"
        number = int(text) if text.isascii() and text.isdecimal() else 0
        if not 1 <= number <= _MOST_DOCUMENTS:
            msg = (
                f"with --units, --documents must be a number from 1 to {_MOST_DOCUMENTS:,}; "
                f"got {text}"
            )
            raise SettingError(msg)
        shares: dict[str, float] = {}
        for part in (self.labels or "A,B,C,D").split(","):
            label, colon, share = part.strip().rpartition(":")
            try:
                shares[label if colon else share] = written_number(share) if colon else 1.0
            except ValueError:
                msg = f"--labels must be a list such as A,B or A:3,B:1; got {part!r}"
                raise SettingError(msg) from None
        settings: dict[str, Any] = {"labels": shares, "overlap": self.nested}
        if self.lengths is not None:
            settings["lengths"] = _lengths(self.lengths)
        if self.gap_lengths is not None:
            settings["gaps"] = _range("--gap-lengths", self.gap_lengths)
        if self.text_length is not None:
            settings["extent"] = self.text_length
        units = 30 if self.units is None else self.units
        width = len(str(number))
        return {
            f"reference{at:0{width}}" if number > 1 else "reference": generate_reference(
                units, rng=seed + at - 1, **settings
            )
            for at in range(1, number + 1)
        }

    def _of(self, name: str, continuum: Continuum) -> Continuum:
        if self.reference is not None:
            if self.reference not in continuum.annotators:
                msg = (
                    f"document {name!r} has no annotator {self.reference!r}; choose --reference "
                    f"from {some(continuum.annotators)}"
                    f"{did_you_mean(self.reference, continuum.annotators)}"
                )
                raise DataError(msg)
            return continuum.only(annotators=(self.reference,))
        if len(continuum.annotators) > 1:
            msg = (
                f"document {name!r} has {len(continuum.annotators)} annotators; "
                f"select the reference with --reference NAME: {some(continuum.annotators)}"
            )
            raise SettingError(msg)
        return continuum


def _range(name: str, text: str) -> tuple[float, float]:
    """Return a range such as 5..15, or one number twice."""
    low, _, high = text.partition("..")
    try:
        return written_number(low), written_number(high or low)
    except ValueError:
        msg = f"{name} must be a number or a range, such as 10 or 5..15; got {text!r}"
        raise SettingError(msg) from None


def _lengths(text: str) -> tuple[float, float] | dict[str, tuple[float, float]]:
    if ":" not in text:
        return _range("--lengths", text)
    parts = (part.rpartition(":") for part in text.split(","))
    return {label.strip(): _range("--lengths", bounds) for label, _, bounds in parts}


@Parameter(name="*", group=ERROR_GROUP)
@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorOptions:
    """Options for the errors of simulated annotators."""

    overlap: Annotated[bool, option("overlap", of="shuffle")] = True
    position_factor: Annotated[float, option("position_factor")] = 2.0
    false_positive_factor: Annotated[float, option("false_positive_factor")] = 1.0
    split_cap: Annotated[float, option("split_cap")] = 5.0
    prevalence: Annotated[Literal["reference", "uniform"], option("prevalence")] = "reference"
    closeness: Annotated[str | None, option("closeness")] = None
    certain: Annotated[str | None, option("certain")] = None
    habits: Annotated[str | None, option("habits")] = None

    def keywords(self) -> dict[str, Any]:
        """Return the settings as keywords of `shuffle`."""
        return {
            "overlap": self.overlap,
            "position_factor": self.position_factor,
            "false_positive_factor": self.false_positive_factor,
            "split_cap": self.split_cap,
            "prevalence": self.prevalence,
            "closeness": None if self.closeness is None else parse_distance(self.closeness),
            "certain": () if self.certain is None else split_list("--certain", self.certain),
            "habits": None if self.habits is None else parse_habits(self.habits),
        }
