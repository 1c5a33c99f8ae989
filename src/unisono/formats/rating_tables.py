"""Ratings in delimited text and Parquet."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, ReadError, SettingError, setting
from unisono.formats.contents import labels_from_text
from unisono.formats.parquet import check_mark, parquet_table
from unisono.formats.roles import NUMBER, RATING_ROLES, layout_of
from unisono.formats.tables import Table
from unisono.model.codes import Coded, renumbered
from unisono.model.columns import listed
from unisono.model.interpretation import Interpretation, Remark, absolute_paths
from unisono.model.labels import label_order
from unisono.model.lazy_frames import from_rating_frame
from unisono.model.rating_tables import collated, repeat_problem
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from unisono.formats.roles import Asked, Layout
    from unisono.formats.tables import Columns, Texts
    from unisono.model.arrays import Booleans, Codes, Integers
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Duplicates
    from unisono.model.ratings import Ratings


SUFFIXES = (".parquet", ".pq")


def parquet_ratings(
    path: Path,
    asked: Asked,
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
    named = replace(asked, header=True, wide=False)
    places = layout_of(columns, named, path=path, line=None).places
    found = from_rating_frame(
        table,  # type: ignore[arg-type]
        {role: columns[place] for role, place in places.items()},
        annotators=annotators,
        duplicates=duplicates,
        separator=separator,
    )
    return ratings_of(found, Interpretation(absolute_paths([path]), {"parquet": 1}))


_EXPECTED = (
    "one row per rating (annotator, item, label), or one row per item, one column per annotator"
)
_TAB_SUFFIXES = (".tsv", ".tab")
_LOOKS_MISSING = frozenset(
    ("NA", "N/A", "n/a", "#N/A", "<NA>", "nan", "NaN", "NAN", "None", "null", "NULL")
)
# How often a label is given, on average, when what is never given above is a name.
_OFTEN = 4
# A column of names beside a label or two; so many rows, and two for each label, tell it.
_FEW_COLUMNS, _MANY_NAMES = 3, 10
_LABELS, _ITEMS = 0, 1  # codebooks of a wide table


def table_ratings(
    path: Path,
    asked: Asked,
    *,
    delimiter: str | None,
    separator: str | None,
    missing: frozenset[str],
    duplicates: Duplicates,
) -> Ratings:
    """Read a text table of ratings; the settings are those of `read_ratings`."""
    candidates = "\t" if path.suffix.lower() in _TAB_SUFFIXES else ",;\t|"
    table = Table(path, _EXPECTED, delimiter=delimiter, candidates=candidates, asked=asked)
    layout = layout_of(table.first, asked, path=path, line=table.line)
    reading = _Reading(table, separator, missing, duplicates)
    if layout.annotators is None:
        return reading.long(layout, asked.annotators)
    return reading.wide(layout, layout.annotators, is_chosen=asked.annotators is not None)


class _Reading:
    """A table of ratings being read."""

    def __init__(
        self,
        table: Table,
        separator: str | None,
        missing: frozenset[str],
        duplicates: Duplicates,
    ) -> None:
        self.table = table
        self.separator = separator
        self.missing = missing
        self.duplicates = duplicates
        self.doubts: tuple[Remark, ...] = ()

    def long(self, layout: Layout, annotators: Sequence[str | int] | None) -> Ratings:
        """Read one row per rating."""
        places = [layout.places[role] for role in RATING_ROLES]
        columns = self.table.columns(
            header=bool(layout.header),
            texts={place: book for book, place in enumerate(places)},
        )
        people, things, texts = (_coded(columns.texts.pop(place)) for place in places)
        rows = np.arange(len(texts.codes))
        nameless = (people.codes < 0) | (things.codes < 0)
        if nameless.any():
            blank = (people.codes < 0) & (things.codes < 0) & (texts.codes < 0)
            self._refuse_nameless("annotator", (people.codes < 0) & ~blank)
            self._refuse_nameless("item", (things.codes < 0) & ~blank)
            rows = np.flatnonzero(~blank)
            people, things, texts = (
                Coded(each.values, each.codes[rows]) for each in (people, things, texts)
            )
        return self._collated(people, things, self._labels(texts), rows, annotators)

    def wide(self, layout: Layout, annotators: Sequence[int], *, is_chosen: bool) -> Ratings:
        """Read one row per item."""
        item = layout.places.get("item")
        books = dict.fromkeys(annotators, _LABELS)
        if item is not None:
            books[item] = _ITEMS
        columns = self.table.columns(header=False, texts=books, keeps_blank=True)
        texts = columns.texts[annotators[0]].values
        cells = np.stack([columns.texts.pop(place).codes for place in annotators])
        if item is None and not is_chosen:
            self._refuse_names_of_items(cells, layout, annotators)
        header = layout.header
        if header is None:
            header = self._first_row_is_header(cells, texts, layout, annotators)
        rows = np.arange(int(header), cells.shape[1])
        labels = self._labels(Coded(texts, cells[:, rows].ravel().astype(np.int64)))
        people = self._annotators(layout, annotators, header=header)
        owners = Coded(people.values, np.repeat(people.codes, len(rows)))
        things = self._items(columns, item, rows, labels, len(annotators))
        items = Coded(things.values, np.tile(things.codes, len(annotators)))
        return self._collated(owners, items, labels, np.tile(rows, len(annotators)), None)

    def _labels(self, texts: Coded[str]) -> Coded[Label]:
        """Return the labels that texts stand for; those that mean missing are `MISSING`."""
        counts = np.bincount(texts.codes + 1, minlength=len(texts.values) + 1)[1:].tolist()
        # Without texts that only the header has: among numbers they would make texts of all.
        given = [
            text if count and text not in self.missing else ""
            for text, count in zip(texts.values, counts, strict=True)
        ]
        self._warn_of_missing(given, counts)
        if self.separator is None:
            return renumbered(texts.codes, self._typed(given), label_order)
        parts = [[part.strip() for part in text.split(self.separator)] for text in given]
        members = sorted({part for each in parts for part in each if part})
        label_of = dict(zip(members, self._typed(members), strict=True))
        sets: list[Label | None] = [
            frozenset(label_of[part] for part in each if part) if text else None  # type: ignore[misc]
            for text, each in zip(given, parts, strict=True)
        ]
        return renumbered(texts.codes, sets, label_order)

    def _typed(self, texts: Sequence[str]) -> list[Label | None]:
        return labels_from_text(texts, decimal_comma=self.table.delimiter != ",")

    def _warn_of_missing(self, labels: Sequence[str], counts: Sequence[int]) -> None:
        path = self.table.path
        doubtful = sorted(_LOOKS_MISSING.intersection(labels))
        if doubtful:
            msg = (
                f"{path.name} has the label {listed(doubtful)}; if that means that a "
                f"label is missing, say {setting('na_values', *_only(doubtful))}"
            )
            warnings.warn(msg, stacklevel=2)
        self.doubts = tuple(
            Remark(
                f"the label {text!r}, which may mean that a label is missing",
                counts[labels.index(text)],
                str(path),
            )
            for text in doubtful
        )

    def _annotators(self, layout: Layout, places: Sequence[int], *, header: bool) -> Coded[str]:
        names = [layout.cells[place] if header else str(place + 1) for place in places]
        for place, name in zip(places, names, strict=True):
            if not name or names.count(name) > 1:
                what = "has no name" if not name else f"is not the only one called {name!r}"
                cure = f"choose the annotators by number, {setting('annotator_columns', ...)}"
                problem = f"the column {place + 1} {what}; name it, or {cure}"
                raise ReadError(problem, path=self.table.path, line=self.table.line)
        return renumbered(np.arange(len(names)), names, str)

    def _items(
        self,
        columns: Columns,
        item: int | None,
        rows: Integers,
        labels: Coded[Label],
        n_annotators: int,
    ) -> Coded[Any]:
        if item is None:
            return Coded(tuple(range(1, len(rows) + 1)), np.arange(len(rows)))
        things = _coded(columns.texts[item])
        rated = np.zeros(len(things.codes), dtype=bool)
        rated[rows] = (labels.codes >= 0).reshape(n_annotators, len(rows)).any(axis=0)
        self._refuse_nameless("item", rated & (things.codes < 0))
        return Coded(things.values, things.codes[rows])

    def _first_row_is_header(
        self, cells: Codes, texts: Sequence[str], layout: Layout, annotators: Sequence[int]
    ) -> bool:
        """Return whether the first row has names: above numbers, or where labels come again."""
        counts = np.bincount(cells[:, 1:].ravel() + 1, minlength=len(texts) + 1)[1:].tolist()
        labels = {text: n for text, n in zip(texts, counts, strict=True) if n}
        later = labels.keys() - self.missing
        if later and all(map(NUMBER.fullmatch, later)):
            return True
        first = [layout.cells[place] for place in annotators]
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

    def _refuse_names_of_items(
        self, cells: Codes, layout: Layout, annotators: Sequence[int]
    ) -> None:
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
        place = annotators[alone[0]]
        name = layout.cells[place]
        called = place + 1 if not name or NUMBER.fullmatch(name) else name
        problem = (
            f"the column {called!r} has another value in every row, as names of items have: say "
            f"{setting('item', called)}, or choose the annotators, "
            f"{setting('annotator_columns', ...)}"
        )
        raise ReadError(problem, path=self.table.path, line=self.table.line)

    def _collated(
        self,
        people: Coded[str],
        things: Coded[Any],
        labels: Coded[Label],
        rows: Integers,
        annotators: Sequence[str | int] | None,
    ) -> Ratings:
        path = self.table.path

        def repeated(first: int, second: int) -> DataError:
            lines = self.table.line_of(int(rows[first])), self.table.line_of(int(rows[second]))
            problem = repeat_problem(people, things, labels, (first, second), "line", lines)
            return ReadError(problem, path=path, line=lines[1])

        declared = None if annotators is None else [str(name) for name in annotators]
        found = collated(people, things, labels, declared, self.duplicates, repeated)
        if not len(found.times):
            problem = f"no ratings in this file; expected {_EXPECTED}"
            raise ReadError(problem, path=path)
        interpretation = Interpretation(absolute_paths([path]), {"table": 1}, doubts=self.doubts)
        return ratings_of(found, interpretation)

    def _refuse_nameless(self, role: str, is_nameless: Booleans) -> None:
        if is_nameless.any():
            problem = f"the {role} is empty; every rating has one"
            line = self.table.line_of(int(np.argmax(is_nameless)))
            raise ReadError(problem, path=self.table.path, line=line)


def _coded(texts: Texts) -> Coded[str]:
    return Coded(texts.values, texts.codes.astype(np.int64))


def _only(texts: Sequence[str]) -> tuple[object]:
    return (texts[0] if len(texts) == 1 else ...,)
