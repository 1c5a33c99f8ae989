"""What a scan came to: one curve for each measure, over magnitudes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError
from unisono.results.picturing import Pictured
from unisono.results.record import plain_number
from unisono.results.wording import decimals
from unisono.results.written import InJson
from unisono.simulation.named_measures import shown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from unisono.model.arrays import Floats
    from unisono.results.signature import Signature
    from unisono.simulation.shuffling.error_types import ErrorType

__all__ = ["Curve", "Scan"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """How one measure falls while errors grow.

    Attributes
    ----------
    measure
        Its name.
    magnitudes
        Where it was computed.
    values
        Magnitudes × annotation sets; NaN where it is undefined.
    level
        The share of annotation sets that lie between `low` and `high`.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(10, rng=1)
    >>> found = un.scan(reference, measures="gamma", magnitudes=(0, 0.5), repeats=5, rng=1)
    >>> curve = found.curve("gamma")
    >>> float(curve.mean[0]), bool(curve.low[1] < curve.mean[1] < curve.high[1])
    (1.0, True)
    """

    measure: str
    magnitudes: Floats
    values: Floats
    level: float = 0.95

    @property
    def mean(self) -> Floats:
        """The mean over annotation sets, where it is defined for one at least."""
        defined = ~np.isnan(self.values)
        counts = defined.sum(axis=1)
        sums = np.where(defined, self.values, 0.0).sum(axis=1)
        mean = np.full(len(counts), np.nan)
        np.divide(sums, counts, out=mean, where=counts > 0)
        return mean

    @property
    def low(self) -> Floats:
        """The lower end of the band in which annotation sets lie."""
        return self._quantile((1.0 - self.level) / 2.0)

    @property
    def high(self) -> Floats:
        """The upper end of the band."""
        return self._quantile((1.0 + self.level) / 2.0)

    @property
    def undefined(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """For how many annotation sets it has no value."""
        return np.asarray(np.isnan(self.values).sum(axis=1), dtype=np.int64)

    def _quantile(self, share: float) -> Floats:
        found = np.full(len(self.values), np.nan)
        for at, row in enumerate(self.values):
            defined = row[~np.isnan(row)]
            if len(defined):
                found[at] = np.quantile(defined, share)
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scan(InJson, Pictured):
    """Curves of several measures on the same simulated annotators.

    Attributes
    ----------
    curves
        One for each measure that could be computed.
    left_out
        Why the others could not.
    errors, magnitudes, repeats
        What annotators did, how much of it, and how many annotation sets there are at each
        magnitude.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(10, rng=1)
    >>> found = un.scan(
    ...     reference, measures=("gamma", "cu_alpha"), errors=("position", "category"),
    ...     magnitudes=(0, 0.5, 1), repeats=5, overlap=False, rng=1,
    ... )  # fmt: skip
    >>> print(found)
    magnitude      γ     cuα
         0.00  1.000   1.000
         0.50  0.266   0.394
         1.00  0.046  -0.048
    """

    curves: tuple[Curve, ...]
    left_out: Mapping[str, str]
    errors: tuple[ErrorType, ...]
    magnitudes: Floats
    repeats: int
    signature: Signature

    def curve(self, measure: str) -> Curve:
        """Give the curve of one measure.

        Parameters
        ----------
        measure
            Its name, such as ``"gamma"``, or ``"gamma_k:NP"`` for one label.

        Raises
        ------
        DataError
            If it was not computed.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.scan(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> found.curve("kappa_d")
        Traceback (most recent call last):
        unisono.errors.DataError: there is no curve of 'kappa_d'; there are gamma
        """
        for curve in self.curves:
            if curve.measure == measure:
                return curve
        if measure in self.left_out:
            msg = f"there is no curve of {measure!r}: {self.left_out[measure]}"
            raise DataError(msg)
        there = ", ".join(curve.measure for curve in self.curves) or "none"
        msg = f"there is no curve of {measure!r}; there are {there}"
        raise DataError(msg)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give the curves as rows, one for each measure and magnitude.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.scan(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> next(found.rows())["mean"]
        1.0
        """
        for curve in self.curves:
            columns = (curve.magnitudes, curve.mean, curve.low, curve.high, curve.undefined)
            for magnitude, mean, low, high, undefined in zip(*columns, strict=True):
                yield {
                    "measure": curve.measure,
                    "magnitude": float(magnitude),
                    "mean": plain_number(float(mean)),
                    "low": plain_number(float(low)),
                    "high": plain_number(float(high)),
                    "undefined": int(undefined),
                }

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.scan(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> found.to_dict()["curves"]["gamma"]["mean"]
        [1.0]
        """
        return {
            "errors": list(self.errors),
            "magnitudes": self.magnitudes.tolist(),
            "repeats": self.repeats,
            "curves": {
                curve.measure: {
                    "mean": [plain_number(number) for number in curve.mean.tolist()],
                    "low": [plain_number(number) for number in curve.low.tolist()],
                    "high": [plain_number(number) for number in curve.high.tolist()],
                    "undefined": curve.undefined.tolist(),
                }
                for curve in self.curves
            },
            "left_out": dict(self.left_out),
            "signature": str(self.signature),
        }

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Give headings and cells: magnitudes down, means of the measures across.

        Examples
        --------
        >>> import unisono as un
        >>> reference = un.generate_reference(10, rng=1)
        >>> found = un.scan(reference, measures="gamma", magnitudes=(0,), repeats=2, rng=1)
        >>> found.table()
        (['magnitude', 'γ'], [['0.00', '1.000']])
        """
        headings = ["magnitude", *(shown_name(curve.measure) for curve in self.curves)]
        means = [curve.mean for curve in self.curves]
        cells = [
            [f"{magnitude:.2f}", *(_cell(float(mean[at])) for mean in means)]
            for at, magnitude in enumerate(self.magnitudes.tolist())
        ]
        return headings, cells

    def __str__(self) -> str:
        headings, cells = self.table()
        lines = [headings, *cells]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True))
            for line in lines
        )

    def _repr_markdown_(self) -> str:
        headings, cells = self.table()
        lines = [headings, ["---:"] * len(headings), *cells]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: float) -> str:
    return "–" if math.isnan(value) else decimals(value, 3)
