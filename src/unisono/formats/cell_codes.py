"""Numbers for the names and labels in the cells of a table, many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.formats.plain_rows import LONGEST_AFTER, PlainColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.formats.plain_rows import Words
    from unisono.model.arrays import Codes, Integers
    from unisono.model.columns import Codebook


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

    Parameters
    ----------
    book
        The codebook, which others may use as well.

    Examples
    --------
    >>> from unisono.model.columns import Codebook
    >>> names = CellBook(Codebook())
    >>> names.codes(names.sought(["ann", "bob", "ann"])).tolist()
    [0, 1, 0]
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
