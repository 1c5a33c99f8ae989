"""Ratings in delimited text and Parquet."""

from __future__ import annotations

import csv
import warnings
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from unisono.errors import DataError, ReadError, SettingError, setting
from unisono.formats.characters import text_of
from unisono.formats.contents import labels_from_text
from unisono.formats.roles import (
    NUMBER,
    RATING_ROLES,
    Asked,
    RatingsAsked,
    WideLayout,
    named_places,
    rating_layout,
)
from unisono.formats.tables import (
    better_delimiter,
    check_mark,
    csv_reader,
    delimiter_name,
    guessed_delimiter,
    parquet_table,
    quote_problem,
    row_text,
)
from unisono.model.codes import Coded, item_order, renumbered
from unisono.model.columns import Codebook, counted, listed
from unisono.model.labels import label_order
from unisono.model.lazy_frames import from_rating_frame
from unisono.model.rating_tables import collated, repeat_problem
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from unisono.formats.roles import LongLayout
    from unisono.model.arrays import Integers
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Duplicates
    from unisono.model.ratings import Ratings


# Small enough for the caches: ten times as many rows take half as long again.
_BLOCK_ROWS = 4_000


class TextTable:
    """A text table whose rows are read twice: all at once, and again where one is to be named.

    Rows are counted from 0, empty lines left out.
    """

    def __init__(self, path: Path, text: str, delimiter: str) -> None:
        self.path = path
        self.text = text
        self.delimiter = delimiter
        self.line, self.first = self._first_row()
        self.width = len(self.first)
        if self.width == 1:
            self._refuse_one_column()

    def coded(self, books: Mapping[int, Codebook]) -> dict[int, Integers]:
        """Give numbers to the cells of some columns, each by its codebook."""
        blocks: dict[int, list[Integers]] = {place: [] for place in books}
        done = 0
        for rows in self._blocks():
            if set(map(len, rows)) - {self.width}:
                self._refuse_width(rows, done)
            columns = list(zip(*rows, strict=True))
            for place, book in books.items():
                blocks[place].append(book.codes(columns[place]))
            done += len(rows)
        return {place: np.concatenate(parts) for place, parts in blocks.items()}

    def line_of(self, row: int) -> int:
        """Find the line where a row begins."""
        reader = csv_reader(self.text, self.delimiter)
        start = line = 1
        seen = -1
        try:
            while seen < row:
                cells = next(reader)
                start, line = line, reader.line_num + 1
                seen += bool(any(map(str.strip, cells)) or (cells and seen >= 0))
        except csv.Error:
            return line  # the row is the broken one
        return start

    def _first_row(self) -> tuple[int, list[str]]:
        reader = csv_reader(self.text, self.delimiter)
        line = 1
        try:
            for row in reader:
                if any(map(str.strip, row)):
                    return line, row
                line = reader.line_num + 1
        except csv.Error as error:
            raise ReadError(quote_problem(error), path=self.path, line=line) from None
        problem = "no row but empty ones; expected ratings"
        raise ReadError(problem, path=self.path)

    def _blocks(self) -> Iterator[list[list[str]]]:
        reader = csv_reader(self.text, self.delimiter)
        # The first row that holds something begins the table.
        rows = [next(row for row in reader if any(map(str.strip, row)))]
        filled = filter(None, reader)
        done = 0
        while rows:
            yield rows
            done += len(rows)
            rows = []
            try:
                # What was read before an error stays in the list.
                rows.extend(islice(filled, _BLOCK_ROWS))
            except csv.Error as error:
                line = self.line_of(done + len(rows))
                raise ReadError(quote_problem(error), path=self.path, line=line) from None

    def _refuse_width(self, rows: list[list[str]], done: int) -> NoReturn:
        at, row = next((at, row) for at, row in enumerate(rows) if len(row) != self.width)
        problem = (
            f"expected {counted(self.width, 'column')} as in the first row, got {len(row)}; "
            f"the row is {row_text(row, self.delimiter)!r}"
        )
        raise ReadError(problem, path=self.path, line=self.line_of(done + at))

    def _refuse_one_column(self) -> NoReturn:
        name = delimiter_name(self.delimiter)
        problem = f"only one column, when columns are separated by {name}"
        if better := better_delimiter(self.text, self.delimiter):
            cure = setting("delimiter", better)
            problem += f"; with {delimiter_name(better)} there are more: say {cure}"
        raise ReadError(problem, path=self.path, line=self.line)


SUFFIXES = (".parquet", ".pq")


def parquet_ratings(
    path: Path,
    asked: RatingsAsked,
    *,
    annotators: Sequence[str] | None,
    duplicates: Duplicates,
    separator: str | None,
) -> Ratings:
    """Read a long table of ratings from a Parquet file."""
    if asked.is_wide or asked.header is not None:
        given = setting("header") if asked.header is not None else setting("wide", True)
        msg = f"a Parquet file is a long table whose columns have names; leave {given} out"
        raise SettingError(msg)
    check_mark(path)
    table = parquet_table(path)
    columns = table.collect_schema().names()
    places = named_places(columns, replace(asked, header=True, wide=False), path=path)
    names = {role: columns[place] for role, place in places.items()}
    found = from_rating_frame(
        table,  # type: ignore[arg-type]
        names,
        annotators=annotators,
        duplicates=duplicates,
        separator=separator,
    )
    return ratings_of(found)


_EXPECTED = "one row a rating (annotator, item, label), or one row an item, a column an annotator"
_TAB_SUFFIXES = (".tsv", ".tab")
_LOOKS_MISSING = frozenset(
    ("NA", "N/A", "n/a", "#N/A", "<NA>", "nan", "NaN", "NAN", "None", "null", "NULL")
)
# How often a label is given, on average, when what is never given above is a name.
_OFTEN = 4
# A column of names beside a label or two; so many rows, and two for each label, tell it.
_FEW_COLUMNS, _MANY_NAMES = 3, 10


def table_ratings(
    path: Path,
    asked: RatingsAsked,
    *,
    delimiter: str | None,
    separator: str | None,
    missing: frozenset[str],
    duplicates: Duplicates,
) -> Ratings:
    """Read a text table of ratings; the settings are those of `read_ratings`."""
    text = text_of(path, _EXPECTED)
    table = TextTable(path, text, delimiter or _guessed(path, text, asked))
    layout = rating_layout(table.first, asked, path=path, line=table.line)
    reading = _Reading(table, separator, missing, duplicates)
    if isinstance(layout, WideLayout):
        return reading.wide(layout)
    return reading.long(layout, asked.annotators)


def _guessed(path: Path, text: str, asked: RatingsAsked) -> str:
    candidates = "\t" if path.suffix.lower() in _TAB_SUFFIXES else ",;\t|"
    names = {str(number): name for number, name in enumerate(asked.names)}
    return guessed_delimiter(text, candidates, Asked(names))


class _Reading:
    """A table of ratings being read."""

    def __init__(
        self,
        table: TextTable,
        separator: str | None,
        missing: frozenset[str],
        duplicates: Duplicates,
    ) -> None:
        self.table = table
        self.separator = separator
        self.missing = missing
        self.duplicates = duplicates

    def long(self, layout: LongLayout, annotators: Sequence[str | int] | None) -> Ratings:
        """Read one row a rating."""
        books = {role: Codebook() for role in RATING_ROLES}
        columns = self.table.coded({layout.places[role]: books[role] for role in RATING_ROLES})
        rows = np.arange(int(layout.header), len(columns[layout.places["item"]]))
        texts = {role: _stripped(books[role]) for role in RATING_ROLES}
        codes = {role: columns[layout.places[role]][rows] for role in RATING_ROLES}
        blank = np.logical_and.reduce(
            [_is_blank(texts[role], codes[role]) for role in RATING_ROLES]
        )
        if blank.any():
            rows = rows[~blank]
            codes = {role: each[~blank] for role, each in codes.items()}
        for role in ("annotator", "item"):
            self._refuse_nameless(role, rows[_is_blank(texts[role], codes[role])])
        names = _only_used(texts["annotator"], codes["annotator"])
        people: Coded[str] = renumbered(codes["annotator"], names, str)
        items = _only_used(texts["item"], codes["item"])
        things: Coded[Hashable] = renumbered(codes["item"], items, item_order)
        labels = self._labels(codes["label"], texts["label"])
        return self._collated(people, things, labels, rows, annotators)

    def wide(self, layout: WideLayout) -> Ratings:
        """Read one row an item."""
        label_book, item_book = Codebook(), Codebook()
        books = dict.fromkeys(layout.annotators, label_book)
        if layout.item is not None:
            books[layout.item] = item_book
        columns = self.table.coded(books)
        cells = np.stack([columns[place] for place in layout.annotators])
        texts = _stripped(label_book)
        if layout.item is None and not layout.chosen:
            self._refuse_names_of_items(cells, layout)
        header = layout.header
        if header is None:
            header = self._first_row_is_header(cells, texts, layout)
        rows = np.arange(int(header), cells.shape[1])
        labels = self._labels(cells[:, rows].ravel(), texts)
        people = self._annotators(layout, header=header)
        owners = Coded(people.values, np.repeat(people.codes, len(rows)))
        things = self._items(columns, layout, item_book, rows, labels)
        items = Coded(things.values, np.tile(things.codes, len(layout.annotators)))
        return self._collated(owners, items, labels, np.tile(rows, len(layout.annotators)), None)

    def _labels(self, codes: Integers, texts: Sequence[str]) -> Coded[Label]:
        given = [
            "" if text is None or text in self.missing else text
            for text in _only_used(texts, codes)
        ]
        self._warn_of_missing(given)
        if self.separator is None:
            return renumbered(codes, labels_from_text(given), label_order)
        parts = [[part.strip() for part in text.split(self.separator)] for text in given]
        members = sorted({part for each in parts for part in each if part})
        label_of = dict(zip(members, labels_from_text(members), strict=True))
        sets: list[Label | None] = [
            frozenset(label_of[part] for part in each if part) if text else None  # type: ignore[misc]
            for text, each in zip(given, parts, strict=True)
        ]
        return renumbered(codes, sets, label_order)

    def _warn_of_missing(self, labels: Sequence[str]) -> None:
        doubtful = sorted(_LOOKS_MISSING.intersection(labels))
        if doubtful:
            msg = (
                f"{self.table.path.name} has the label {listed(doubtful)}; if that means that a "
                f"label is missing, say {setting('missing', *_only(doubtful))}"
            )
            warnings.warn(msg, stacklevel=2)

    def _annotators(self, layout: WideLayout, *, header: bool) -> Coded[str]:
        names = [layout.cells[place] if header else str(place + 1) for place in layout.annotators]
        for place, name in zip(layout.annotators, names, strict=True):
            if not name or names.count(name) > 1:
                what = "has no name" if not name else f"is not the only one called {name!r}"
                cure = f"choose the annotators by number, {setting('annotators', ...)}"
                problem = f"the column {place + 1} {what}; name it, or {cure}"
                raise ReadError(problem, path=self.table.path, line=self.table.line)
        return renumbered(np.arange(len(names)), names, str)

    def _items(
        self,
        columns: dict[int, Integers],
        layout: WideLayout,
        book: Codebook,
        rows: Integers,
        labels: Coded[Label],
    ) -> Coded[Hashable]:
        if layout.item is None:
            return Coded(tuple(range(1, len(rows) + 1)), np.arange(len(rows)))
        texts, codes = _stripped(book), columns[layout.item][rows]
        rated = (labels.codes >= 0).reshape(len(layout.annotators), len(rows)).any(axis=0)
        self._refuse_nameless("item", rows[rated & _is_blank(texts, codes)])
        return renumbered(codes, _only_used(texts, codes), item_order)

    def _first_row_is_header(
        self, cells: Integers, texts: Sequence[str], layout: WideLayout
    ) -> bool:
        """Tell names from labels: above numbers they are names, and labels come again."""
        counts = np.bincount(cells[:, 1:].ravel(), minlength=len(texts)).tolist()
        labels = {text: n for text, n in zip(texts, counts, strict=True) if n}
        later = labels.keys() - self.missing
        if later and all(map(NUMBER.fullmatch, later)):
            return True
        first = [layout.cells[place] for place in layout.annotators]
        if later.issuperset(first):
            return False
        # Labels come again and again; what stands above and never does is a name.
        often = sum(labels[text] for text in later) >= _OFTEN * len(later) > 0
        if often and later.isdisjoint(first) and len(set(first)) == len(first):
            return True
        problem = (
            f"the first row is {listed(first)}: if these are names of annotators, say "
            f"{setting('header', True)}, if labels, {setting('header', False)}"
        )
        raise ReadError(problem, path=self.table.path, line=self.table.line)

    def _refuse_names_of_items(self, cells: Integers, layout: WideLayout) -> None:
        """Find a column that is no annotator's: others repeat a few labels, it never one."""
        below = cells[:, 1:]
        n_rows = below.shape[1]
        own = [np.unique(column) for column in below]
        alone = [at for at, found in enumerate(own) if len(found) == n_rows]
        if len(alone) != 1 or len(own) < _FEW_COLUMNS:
            return
        others = np.unique(np.delete(below, alone[0], axis=0))
        if n_rows <= _MANY_NAMES + 2 * len(others):
            return
        place = layout.annotators[alone[0]]
        name = layout.cells[place]
        called = place + 1 if not name or NUMBER.fullmatch(name) else name
        problem = (
            f"the column {called!r} has another value in every row, as names of items have: say "
            f"{setting('item', called)}, or choose the annotators, {setting('annotators', ...)}"
        )
        raise ReadError(problem, path=self.table.path, line=self.table.line)

    def _collated(
        self,
        people: Coded[str],
        things: Coded[Hashable],
        labels: Coded[Label],
        rows: Integers,
        annotators: Sequence[str | int] | None,
    ) -> Ratings:
        def repeated(first: int, second: int) -> DataError:
            lines = self.table.line_of(int(rows[first])), self.table.line_of(int(rows[second]))
            problem = repeat_problem(people, things, labels, (first, second), "line", lines)
            return ReadError(problem, path=self.table.path, line=lines[1])

        declared = None if annotators is None else [str(name) for name in annotators]
        table = collated(people, things, labels, declared, self.duplicates, repeated)
        if not len(table.times):
            problem = "no ratings in this file; expected " + _EXPECTED
            raise ReadError(problem, path=self.table.path)
        return ratings_of(table)

    def _refuse_nameless(self, role: str, rows: Integers) -> None:
        if len(rows):
            line = self.table.line_of(int(rows[0]))
            problem = f"the {role} is empty; every rating has one"
            raise ReadError(problem, path=self.table.path, line=line)


def _only(texts: Sequence[str]) -> tuple[object]:
    return (texts[0] if len(texts) == 1 else ...,)


def _stripped(book: Codebook) -> list[str]:
    return [str(value).strip() for value in book.values]


def _only_used(texts: Sequence[str], codes: Integers) -> list[str | None]:
    """Leave out texts that only the header has: among numbers they would make texts of all."""
    used = np.bincount(codes, minlength=len(texts)) > 0
    return [text if is_used else None for text, is_used in zip(texts, used.tolist(), strict=True)]


def _is_blank(texts: Sequence[str], codes: Integers) -> NDArray[np.bool_]:
    blank = np.array([not text for text in texts], dtype=bool)
    return blank[codes]
