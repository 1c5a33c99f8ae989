"""The fast path for plain CSV: numbers and codes of a whole block of rows at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from unisono.model.columns import written_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TextIO

    from numpy.typing import NDArray

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.columns import Codebook

    Bytes: TypeAlias = NDArray[np.uint8]

    Words: TypeAlias = NDArray[np.uint64]


LONGEST_CELL = 2**24
"""The most characters that a cell of a table may have."""
# Small enough for the caches, and so many that what a block costs by itself does not matter.
_BLOCK_CHARACTERS = 1 << 18
_NEWLINE = ord("\n")
# Room around the bytes of a block, so that words may reach beyond its first and last cell.
_BEFORE, _AFTER = 16, 64
# Cells of fewer rows are quicker looked at one by one.
_MANY_ROWS = 1_000
# If one in so many cells is needed as text, it is quicker to cut the whole block.
_MANY_OF = 8
LONGEST_BEFORE = _BEFORE
"""So many bytes before the end of a cell can be looked at."""
LONGEST_AFTER = _AFTER
"""So many bytes after the start of a cell can be looked at."""


class PlainRows:
    """Rows that have all their cells, one line each."""

    __slots__ = ("_body", "_cells", "_delimiter", "_edges", "_letters", "_width")

    def __init__(
        self, body: str, delimiter: str, width: int, letters: Bytes, cuts: Integers
    ) -> None:
        self._body = body
        self._delimiter = delimiter
        self._width = width
        self._letters = letters
        self._edges = np.concatenate(([_BEFORE - 1], cuts, [len(letters) - _AFTER]))
        self._cells: list[str] | None = None

    def __len__(self) -> int:
        return (len(self._edges) - 1) // self._width

    def columns(self) -> Sequence[PlainColumn | Sequence[str]]:
        """Give the cells column by column; those of a few rows as text."""
        if len(self) < _MANY_ROWS:
            return [self.texts(place) for place in range(self._width)]
        return [PlainColumn(self, place) for place in range(self._width)]

    def rows(self) -> list[list[str]]:
        """Give the cells row by row."""
        cells, width = self._texts(), self._width
        return [cells[at : at + width] for at in range(0, len(cells), width)]

    def texts(self, place: int) -> list[str]:
        """Give the cells of one column as text."""
        return self._texts()[place :: self._width]

    def edges(self, place: int) -> tuple[Integers, Integers]:
        """Give the places where the cells of one column begin and where they end."""
        starts = self._edges[place : -1 : self._width] + 1
        return starts, self._edges[place + 1 :: self._width].copy()

    @property
    def letters(self) -> Bytes:
        """The bytes of the cells and of what is between and around them."""
        return self._letters

    def _texts(self) -> list[str]:
        if self._cells is None:
            self._cells = self._body.replace("\n", self._delimiter).split(self._delimiter)
        return self._cells


class PlainColumn:
    """The cells of one column of plain rows, as bytes."""

    __slots__ = ("_letters", "_place", "_rows", "_words", "ends", "starts")

    def __init__(self, rows: PlainRows, place: int) -> None:
        self._rows = rows
        self._place = place
        self._letters = rows.letters
        # A word of eight bytes at every place, on every machine the first byte as the lowest.
        self._words: Words = np.ndarray(
            (len(rows.letters) - 7,), dtype="<u8", buffer=rows.letters, strides=(1,)
        )
        self.starts, self.ends = rows.edges(place)

    def __len__(self) -> int:
        return len(self.starts)

    def letters(self, places: Integers) -> Bytes:
        """Give the bytes at some places."""
        return self._letters[places]

    def words(self, places: Integers) -> Words:
        """Give the eight bytes from each place on, as numbers."""
        return self._words[places]

    def texts(self) -> list[str]:
        """Give all cells as text."""
        return self._rows.texts(self._place)

    def texts_of(self, rows: Integers) -> list[str]:
        """Give the cells of some rows as text."""
        if _MANY_OF * len(rows) > len(self):
            texts = self.texts()
            return [texts[row] for row in rows.tolist()]
        letters = self._letters.data
        return [
            str(letters[start:end], "utf-8", "surrogatepass")
            for start, end in zip(self.starts[rows].tolist(), self.ends[rows].tolist(), strict=True)
        ]


def plain_blocks(
    file: TextIO, delimiter: str, width: int
) -> Iterator[tuple[str, PlainRows | None]]:
    """Give blocks of rows; where one is not plain, its text, and nothing after it.

    A block is plain if it has no quotation marks and every line has as many cells as the first
    row of the table.
    """
    while True:
        text = file.read(_BLOCK_CHARACTERS)
        if not text:
            return
        if not text.endswith("\n"):
            text += file.readline()
        if "\r" in text:
            text = text.replace("\r\n", "\n")
        rows = None
        if '"' not in text and "\r" not in text and delimiter.isascii():
            rows = _plain_rows(text.removesuffix("\n"), delimiter, width)
        yield text, rows
        if rows is None:
            return


def _plain_rows(body: str, delimiter: str, width: int) -> PlainRows | None:
    """Cut lines into cells, if every line has so many and none is too long for a cell of CSV."""
    encoded = body.encode("utf-8", "surrogatepass")
    letters = np.frombuffer(b"".join((bytes(_BEFORE), encoded, bytes(_AFTER))), dtype=np.uint8)
    # In UTF-8 no part of another character looks like these two; nor does the room around.
    newline = letters == _NEWLINE
    cuts = np.flatnonzero(newline | (letters == ord(delimiter)))
    if (len(cuts) + 1) % width:
        return None
    ends = cuts[width - 1 :: width]
    if len(ends) != np.count_nonzero(newline) or not newline[ends].all():
        return None
    edges = np.concatenate(([_BEFORE - 1], ends, [_BEFORE + len(encoded)]))
    if np.diff(edges).max() > LONGEST_CELL:
        return None
    return PlainRows(body, delimiter, width, letters, cuts)


_SLOT_BITS = 14
_TO_SLOT = np.uint64(64 - _SLOT_BITS)
# Eight bytes are one number here, the first as the lowest: the first n of them, for n from 0 to 8.
_FIRST = np.array([2 ** (8 * n) - 1 for n in range(9)], dtype=np.uint64)
# Powers of an odd number without a pattern, so that cells of many words are spread as well.
_SPREAD = [np.uint64(pow(0x9E3779B97F4A7C15, n, 2**64)) for n in range(1, LONGEST_AFTER // 8 + 1)]


class Sought(NamedTuple):
    """What is known of the cells of a column, and what the others are."""

    codes: Codes | Integers  # of cells that are known
    rows: Integers  # of the others
    text_of_row: Integers
    texts: Sequence[str]  # of the others, most of them once
    slots: Integers  # where texts can be remembered; below 0 where they are too long
    words: Sequence[Words] = ()


class CellBook:
    """A codebook that remembers cells by their bytes, so that most never become text.

    The codebook alone decides. What is remembered of it is a table of fixed size: a cell that
    finds its place taken by another is looked up as text, each time.
    """

    def __init__(self, book: Codebook) -> None:
        self._book = book
        # Made when there is something to remember: of many small files each has a book.
        self._codes: Codes = np.empty(0, dtype=np.int32)
        self._words: list[Words] = []

    def sought(self, cells: Sequence[str] | PlainColumn) -> Sought:
        """Look cells up, and add none."""
        if isinstance(cells, PlainColumn):
            return self._sought_by_bytes(cells)
        known = self._book.known_codes(cells)
        nothing = np.empty(0, dtype=np.int64)
        if known is not None:
            return Sought(known, nothing, nothing, (), nothing)
        rows = np.arange(len(cells))
        return Sought(rows.copy(), rows, rows, cells, nothing)

    def codes(self, sought: Sought) -> Codes | Integers:
        """Give the numbers of cells that were looked up, new ones to those not known."""
        if len(sought.rows):
            numbers = self._book.codes(sought.texts).astype(np.int32)
            sought.codes[sought.rows] = numbers[sought.text_of_row]
            if len(sought.slots):
                self._remember(sought, numbers)
        return sought.codes

    def _sought_by_bytes(self, cells: PlainColumn) -> Sought:
        words, slots = _words_and_slots(cells)
        if not self._words:
            self._codes = np.full(1 << _SLOT_BITS, -1, dtype=np.int32)
        while len(self._words) < len(words):
            self._words.append(np.zeros(1 << _SLOT_BITS, dtype=np.uint64))
        codes = self._codes[slots]
        is_other = codes < 0
        for place, remembered in enumerate(self._words):
            # A cell has no zero among its words, so zero is where it has no more.
            is_other |= remembered[slots] != (words[place] if place < len(words) else 0)
        # What is longer than its words may differ from what looks the same.
        is_long = cells.ends - cells.starts > LONGEST_AFTER
        rows = np.flatnonzero(is_other | is_long)
        if not len(rows):
            return Sought(codes, rows, rows, (), rows)
        words, slots, is_long = [each[rows] for each in words], slots[rows], is_long[rows]
        # Each looks for the first that has its slot: mostly that is the same cell.
        places = np.arange(len(rows))
        first_in_slot = np.empty(1 << _SLOT_BITS, dtype=np.int64)
        first_in_slot[slots[::-1]] = places[::-1]
        first = first_in_slot[slots]
        is_same = ~(is_long | is_long[first])
        for each in words:
            is_same &= each == each[first]
        first[~is_same] = places[~is_same]
        is_first = first == places
        return Sought(
            codes,
            rows,
            (np.cumsum(is_first) - 1)[first],
            cells.texts_of(rows[is_first]),
            np.where(is_long, -1, slots)[is_first],
            [each[is_first] for each in words],
        )

    def _remember(self, sought: Sought, numbers: Codes) -> None:
        slots = sought.slots
        is_free = (slots >= 0) & (self._codes[slots] < 0)
        slots, firsts = np.unique(slots[is_free], return_index=True)
        texts = np.flatnonzero(is_free)[firsts]
        self._codes[slots] = numbers[texts]
        for remembered, words in zip(self._words, sought.words, strict=False):
            remembered[slots] = words[texts]


def _words_and_slots(cells: PlainColumn) -> tuple[list[Words], Integers]:
    """Write the beginning of each cell in numbers, and say where it is remembered."""
    lengths = cells.ends - cells.starts
    longest = min(int(lengths.max(initial=1)), LONGEST_AFTER)
    words = []
    mixed = np.zeros(len(cells), dtype=np.uint64)
    for place, factor in zip(range(0, longest, 8), _SPREAD, strict=False):
        # No byte of UTF-8 is 255, so that after this no byte of a cell is zero.
        word = ~cells.words(cells.starts + place) & _FIRST.take(lengths - place, mode="clip")
        mixed += word * factor
        words.append(word)
    return words, (mixed >> _TO_SLOT).view(np.int64)


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
    """Read digits with at most one point, minus and space before; every number as float() does."""
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
        """Give the numbers of cells."""
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
