"""Numbers in the cells of a table, many at once where they are written plainly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.formats.plain_rows import LONGEST_BEFORE, PlainColumn
from unisono.model.columns import written_number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from unisono.formats.plain_rows import Words
    from unisono.model.arrays import Floats, Integers


_COMMA_NUMBER = re.compile(r"\s*[+-]?([0-9]+(,[0-9]*)?|,[0-9]+)([eE][+-]?[0-9]+)?\s*")
# Eight bytes are one number here, the first as the lowest: the last n of them, for n from 0 to 8.
_LAST = np.array([(2**64 - 1) ^ (2 ** (64 - 8 * n) - 1) for n in range(9)], dtype=np.uint64)
_EACH = np.uint64(0x0101010101010101)
_ZEROS = _EACH * np.uint64(ord("0"))
_SEVEN_BITS = _EACH * np.uint64(0x7F)
_HIGH_BITS = _EACH * np.uint64(0x80)
_FROM_TEN_ON = _EACH * np.uint64(0x80 - 10)  # added to a byte, sets its high bit
_BYTES_AFTER = np.uint64(0x0706050403020100)
_TO_NEXT_BYTE = np.uint64(0x100 - 1)
_PAIRS = np.uint64(0x000000FF000000FF)
_ODD_PAIRS = np.uint64(100 + (10**6 << 32))
_EVEN_PAIRS = np.uint64(1 + (10**4 << 32))
_TEN, _EIGHT_DIGITS = np.uint64(10), np.uint64(10**8)
_SEVEN, _EIGHT, _SIXTEEN, _HALF, _LAST_BYTE = (np.uint64(n) for n in (7, 8, 16, 32, 56))
# Whole numbers up to here are doubles, and so are powers of ten up to 10²²: divided, they give
# the double nearest to the decimal, as float() does.
_EXACT = np.uint64(2**53)
_POWERS = np.array([float(10**n) for n in range(LONGEST_BEFORE + 1)])


class PlainNumbers(NamedTuple):
    """Cells as numbers, as far as they are written plainly."""

    values: Floats
    others: Integers  # rows of cells that are written otherwise, or no numbers
    has_point: bool


def plain_numbers(cells: PlainColumn, point: str = ".") -> PlainNumbers:
    """Read digits with at most one point, minus and space before; every number as float() does.

    Parameters
    ----------
    cells
        The cells. What has more digits than a double holds is left to others, too.
    point
        What stands before the decimals.

    Examples
    --------
    >>> import io
    >>> from unisono.formats.plain_rows import PlainColumn, plain_blocks
    >>> _, rows = next(plain_blocks(io.StringIO("1.50,-2,1e3"), ",", 3))
    >>> [plain_numbers(PlainColumn(rows, place)).values.tolist() for place in (0, 1)]
    [[1.5], [-2.0]]
    >>> plain_numbers(PlainColumn(rows, 2)).others.tolist()
    [0]
    """
    # Many put a space after each comma.
    starts = cells.starts + (cells.letters(cells.starts) == ord(" "))
    is_negative = cells.letters(starts) == ord("-")
    lengths = cells.ends - starts - is_negative
    mark = np.uint64(ord(point) ^ ord("0"))
    last = _part(cells, 8, lengths, mark)
    whole, places, has_point, is_odd = _value(last.digits), last.places, last.has_point, last.is_odd
    if lengths.max(initial=0) > 8:
        first = _part(cells, 16, lengths - 8, mark)
        # What moves up into the gap of the point comes from the word before.
        moved = (first.digits >> _LAST_BYTE) * has_point
        above = first.digits << (_EIGHT * has_point)
        whole = _value(above) * _EIGHT_DIGITS + _value(last.digits | moved)
        places = places + (first.places + _EIGHT) * first.has_point
        is_odd = is_odd | first.is_odd | (has_point & first.has_point)
        has_point = has_point | first.has_point
    is_odd = is_odd | (lengths <= has_point) | (lengths > LONGEST_BEFORE) | (whole > _EXACT)
    # Where there are two points, places is any number.
    values = whole.astype(np.float64) / _POWERS.take(places.view(np.int64), mode="clip")
    np.negative(values, out=values, where=is_negative)
    return PlainNumbers(values, np.flatnonzero(is_odd), bool(has_point.any()))


class _Part(NamedTuple):
    """Eight bytes of each cell: digits from 0 to 9, the point taken out."""

    digits: Words
    places: Words  # decimals after the point
    has_point: NDArray[np.bool_]
    is_odd: NDArray[np.bool_]  # there is something besides, or a second point


def _part(cells: PlainColumn, before: int, lengths: Integers, mark: np.uint64) -> _Part:
    """Look at eight bytes that begin so many before the end of a cell."""
    digits = cells.words(cells.ends - before) ^ _ZEROS
    digits &= _LAST.take(lengths, mode="clip")
    # Adding seven bits sets the high bit of every byte but zero; so the point has a one here.
    differs = digits ^ (_EACH * mark)
    at = (~(((differs & _SEVEN_BITS) + _SEVEN_BITS) | differs) & _HIGH_BITS) >> _SEVEN
    has_point = at != 0
    below = at - has_point
    places = (at * _BYTES_AFTER) >> _LAST_BYTE
    digits = (digits ^ (at * mark)) + (digits & below) * _TO_NEXT_BYTE
    not_digits = ((digits + _FROM_TEN_ON) | digits) & _HIGH_BITS
    return _Part(digits, places, has_point, (not_digits | (at & below)) != 0)


def _value(digits: Words) -> Words:
    """Add up eight digits: first two by two, then all pairs at once."""
    pairs = digits * _TEN + (digits >> _EIGHT)
    even = ((pairs >> _SIXTEEN) & _PAIRS) * _EVEN_PAIRS
    return ((pairs & _PAIRS) * _ODD_PAIRS + even) >> _HALF


class Decimals:
    """Numbers of one table: with a decimal point, or all with a decimal comma."""

    def __init__(self, delimiter: str) -> None:
        self._may_be_comma = delimiter != ","
        self._has_comma = False
        self._has_point = False

    def floats(self, cells: Sequence[str] | PlainColumn) -> Floats:
        """Give the numbers of cells.

        Raises
        ------
        ValueError
            A cell is no number, or some decimals have a point and others a comma.
        """
        if not self._has_comma:
            try:
                numbers, has_point = _numbers(cells, ".", written_number)
            except ValueError:
                if not self._may_be_comma or self._has_point:
                    raise
            else:
                self._has_point = self._has_point or has_point
                return numbers
        numbers, _ = _numbers(cells, ",", _with_comma)
        self._has_comma = True
        return numbers

    def hint(self, cell: str) -> str:
        """Say what is wrong with the decimals of a cell, if that is what is wrong."""
        if self._has_comma and "." in cell:
            return "; decimals of this table have a comma"
        return "; write decimals with a point" if "," in cell else ""


def _numbers(
    cells: Sequence[str] | PlainColumn, point: str, number: Callable[[str], float]
) -> tuple[Floats, bool]:
    """Give the numbers of cells, and whether any has a point."""
    if not isinstance(cells, PlainColumn):
        together = "".join(cells)
        if number is written_number and "_" not in together and together.isascii():
            number = float  # says the same here, and is quicker
        values = np.fromiter(map(number, cells), dtype=np.float64, count=len(cells))
        return values, point in together
    values, others, has_point = plain_numbers(cells, point)
    if len(others):
        texts = cells.texts_of(others)
        values[others] = list(map(number, texts))
        has_point = has_point or any(point in text for text in texts)
    return values, has_point


def _with_comma(cell: str) -> float:
    if not _COMMA_NUMBER.fullmatch(cell):
        msg = f"no number with a decimal comma: {cell!r}"
        raise ValueError(msg)
    return written_number(cell.replace(",", "."))
