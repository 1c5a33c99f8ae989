"""Ratings in delimited text and Parquet."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, ReadError, SettingError, setting
from unisono.formats.contents import labels_from_text
from unisono.formats.parquet import check_mark, parquet_table, unused_texts
from unisono.formats.rating_signals import (
    RatedCells,
    header_question,
    questions_of,
    warnings_of,
)
from unisono.formats.roles import NUMBER, RATING_ROLES, layout_of
from unisono.formats.table_record import weak_name
from unisono.formats.tables import Table, Texts
from unisono.model.codes import Coded, renumbered
from unisono.model.columns import listed
from unisono.model.interpretation import (
    Ignored,
    Interpretation,
    Origin,
    Remark,
    absolute_paths,
)
from unisono.model.labels import label_order, label_text
from unisono.model.lazy_frames import from_rating_frame
from unisono.model.rating_tables import collated, repeat_problem
from unisono.model.ratings import ratings_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from unisono.formats.roles import ColumnRoles, Layout
    from unisono.formats.tables import Columns
    from unisono.model.arrays import Booleans, Codes, Integers
    from unisono.model.interpretation import Question, Role
    from unisono.model.labels import Label
    from unisono.model.rating_tables import Duplicates
    from unisono.model.ratings import Ratings


SUFFIXES = (".parquet", ".pq")


def parquet_ratings(
    path: Path,
    roles: ColumnRoles,
    *,
    annotators: Sequence[str] | None,
    duplicates: Duplicates,
    separator: str | None,
) -> Ratings:
    """Read a long table of ratings from a Parquet file."""
    if roles.is_wide or roles.header is not None:
        name = setting("header") if roles.header is not None else setting("wide", True)
        msg = f"ratings in Parquet must be a long table with named columns; remove {name}"
        raise SettingError(msg)
    check_mark(path)
    table = parquet_table(path)
    columns = table.collect_schema().names()
    named = replace(roles, header=True, wide=False)
    layout = layout_of(columns, named, path=path, line=None)
    places = layout.places
    found = from_rating_frame(
        table,  # type: ignore[arg-type]
        {role: columns[place] for role, place in places.items()},
        annotators=annotators,
        duplicates=duplicates,
        separator=separator,
    )
    names: dict[str, Sequence[object]] = {
        "annotator": found.annotators or (),
        "item": [*(found.items or ())],  # unknown if an engine only counted equal rows
        "label": [label_text(label) for label in found.labels],
    }
    unused = unused_texts(table, columns, places.values())
    interpretation = Interpretation(
        absolute_paths([path]),
        {"parquet": 1},
        origins=tuple(_origin(layout, role, names[role]) for role in _IN_ORDER),
        ignored=tuple(
            Ignored("column", columns[place], *_count(texts, 0)) for place, texts in unused.items()
        ),
    )
    return ratings_of(found, interpretation)


_EXPECTED = (
    "one row per rating (annotator, item, label), or one row per item and one column per annotator"
)
_TAB_SUFFIXES = (".tsv", ".tab")
_LOOKS_MISSING = frozenset(
    ("NA", "N/A", "n/a", "#N/A", "<NA>", "nan", "NaN", "NAN", "None", "null", "NULL")
)
# Mean count per label from which a first row with other values is taken for a header.
_MIN_MEAN_COUNT = 4
# A column of distinct values is taken for items in a table with at least so many columns, and
# with more than so many rows plus two per label.
_MIN_COLUMNS, _MIN_ROWS = 3, 10
_LABELS, _ITEMS = 0, 1  # codebooks of a wide table
_MOST_EXAMPLES = 5
_IN_ORDER: tuple[Role, ...] = ("item", "annotator", "label")


def table_ratings(
    path: Path,
    roles: ColumnRoles,
    *,
    delimiter: str | None,
    separator: str | None,
    missing: frozenset[str],
    duplicates: Duplicates,
) -> Ratings:
    """Read a text table of ratings with the settings of `read_ratings`."""
    candidates = "\t" if path.suffix.lower() in _TAB_SUFFIXES else ",;\t|"
    table = Table(path, _EXPECTED, delimiter=delimiter, candidates=candidates, roles=roles)
    layout = layout_of(table.first, roles, path=path, line=table.line)
    reading = _Reading(table, roles, separator, missing, duplicates)
    if layout.annotators is None:
        return reading.long(layout, roles.annotators)
    return reading.wide(layout, layout.annotators, is_chosen=roles.annotators is not None)


def table_clusters(
    path: Path, column: str | int, roles: ColumnRoles, *, delimiter: str | None
) -> dict[str | int, str]:
    """Return the cluster of each item in a text table of ratings."""
    candidates = "\t" if path.suffix.lower() in _TAB_SUFFIXES else ",;\t|"
    table = Table(path, _EXPECTED, delimiter=delimiter, candidates=candidates, roles=roles)
    layout = layout_of(table.first, roles, path=path, line=table.line)
    cells = list(layout.cells)
    name = setting("clusters", column)
    place = column - 1 if isinstance(column, int) else -1
    if isinstance(column, str) and layout.header is not False and cells.count(column) == 1:
        place = cells.index(column)
    if not 0 <= place < len(cells):
        problem = f"{name} is not a column of this table; it has {listed(cells)}"
        raise ReadError(problem, path=path, line=table.line)
    if place in (layout.annotators or ()) or place in layout.places.values():
        problem = (
            f"{name} is the column of an annotator, of items or of labels; choose another, or "
            f"set the columns of annotators with {setting('annotator_columns', ...)}"
        )
        raise ReadError(problem, path=path, line=table.line)
    item = layout.places.get("item")
    has_names = bool(layout.header) or isinstance(column, str)
    books = {place: 1} if item is None else {place: 1, item: 0}
    is_wide = layout.annotators is not None
    columns = table.columns(header=has_names, texts=books, keeps_blank=is_wide)
    clusters = _coded(columns.texts[place])
    things = None if item is None else _coded(columns.texts[item])
    found: dict[str | int, str] = {}
    for row, code in enumerate(clusters.codes.tolist()):
        thing: str | int = row + 1
        if things is not None:
            if things.codes[row] < 0:
                continue
            thing = things.values[things.codes[row]]
        cluster = clusters.values[code] if code >= 0 else ""
        if not cluster or found.setdefault(thing, cluster) != cluster:
            what = f"belongs to {found[thing]!r} and to {cluster!r}" if cluster else "has none"
            problem = f"{name} must have one cluster for each item; the item {thing!r} {what}"
            raise ReadError(problem, path=path, line=table.line_of(row))
    return found


class _Reading:
    """State of reading a table of ratings."""

    def __init__(
        self,
        table: Table,
        roles: ColumnRoles,
        separator: str | None,
        missing: frozenset[str],
        duplicates: Duplicates,
    ) -> None:
        self.table = table
        chosen = {"annotator_columns": roles.annotators, "header": roles.header}
        self.asked = frozenset(name for name, value in chosen.items() if value is not None)
        self.asked |= roles.columns.keys()
        self.separator = separator
        self.missing = missing
        self.duplicates = duplicates
        self.warnings: tuple[Remark, ...] = ()
        self.questions: tuple[Question, ...] = ()
        self.origins: tuple[Origin, ...] = ()
        self.ignored: tuple[Ignored, ...] = ()

    def long(self, layout: Layout, annotators: Sequence[str | int] | None) -> Ratings:
        """Read a table with one row per rating."""
        places = [layout.places[role] for role in RATING_ROLES]
        places += layout.item_parts
        columns = self.table.columns(
            header=bool(layout.header),
            texts={place: book for book, place in enumerate(places)},
            unused=True,
        )
        annotator_codes, item_codes, texts, *parts = (
            _coded(columns.texts.pop(place)) for place in places
        )
        for part in parts:
            item_codes = _joined(item_codes, part)
        rows = np.arange(len(texts.codes))
        nameless = (annotator_codes.codes < 0) | (item_codes.codes < 0)
        if nameless.any():
            blank = (annotator_codes.codes < 0) & (item_codes.codes < 0) & (texts.codes < 0)
            self._refuse_nameless("annotator", (annotator_codes.codes < 0) & ~blank)
            self._refuse_nameless("item", (item_codes.codes < 0) & ~blank)
            rows = np.flatnonzero(~blank)
            annotator_codes, item_codes, texts = (
                Coded(each.values, each.codes[rows])
                for each in (annotator_codes, item_codes, texts)
            )
        labels = self._labels(texts)
        self._record(layout, columns, annotator_codes, item_codes, labels)
        unused = {
            _column_name(layout, place): Texts(texts.values, texts.codes[rows])
            for place, texts in columns.unused.items()
            if texts is not None
        }
        item = _column_name(layout, layout.places["item"])
        cells = RatedCells(
            *(*annotator_codes, *item_codes, *labels),
            item_column=item,
            unused=unused,
            asked=self.asked,
        )
        self._judge(cells)
        return self._collated(annotator_codes, item_codes, labels, rows, annotators)

    def wide(self, layout: Layout, annotators: Sequence[int], *, is_chosen: bool) -> Ratings:
        """Read a table with one row per item and one column per annotator."""
        item = layout.places.get("item")
        books = dict.fromkeys(annotators, _LABELS)
        if item is not None:
            books[item] = _ITEMS
        columns = self.table.columns(header=False, texts=books, keeps_blank=True, unused=True)
        texts = columns.texts[annotators[0]].values
        cells = np.stack([columns.texts.pop(place).codes for place in annotators])
        if item is None and not is_chosen:
            self._refuse_names_of_items(cells, layout, annotators)
        header = layout.header
        if header is False and "header" not in self.asked and item is None:
            question = header_question([layout.cells[place] for place in annotators])
            self.questions += () if question is None else (question,)
        if header is None:
            header = self._first_row_is_header(cells, texts, layout, annotators)
        rows = np.arange(int(header), cells.shape[1])
        labels = self._labels(Coded(texts, cells[:, rows].ravel().astype(np.int64)))
        annotator_codes = self._annotators(layout, annotators, header=header)
        owners = Coded(annotator_codes.values, np.repeat(annotator_codes.codes, len(rows)))
        item_codes = self._items(columns, item, rows, labels, len(annotators))
        items = Coded(item_codes.values, np.tile(item_codes.codes, len(annotators)))
        self._record(layout, columns, annotator_codes, item_codes, labels, n_header=int(header))
        # Signals take the columns in the order of the table, and not the codes of annotators.
        in_order = [annotator_codes.values[code] for code in annotator_codes.codes.tolist()]
        rated = RatedCells(
            *(in_order, owners.codes, *items, *labels),
            n_rows=len(rows),
            item_column="" if item is None else _column_name(layout, item),
            asked=self.asked,
        )
        self._judge(rated)
        return self._collated(owners, items, labels, np.tile(rows, len(annotators)), None)

    def _judge(self, cells: RatedCells) -> None:
        """Add the questions and warnings that the ratings raise."""
        self.questions += tuple(questions_of(cells))
        self.warnings += tuple(warnings_of(cells))

    def _record(
        self,
        layout: Layout,
        columns: Columns,
        annotators: Coded[str],
        items: Coded[Any],
        labels: Coded[Label],
        *,
        n_header: int = 0,
    ) -> None:
        """Record where the roles came from, and which columns were not used."""
        values: dict[str, Sequence[object]] = {
            "annotator": annotators.values,
            "item": items.values,
            "label": [label_text(label) for label in labels.values],
        }
        self.origins = tuple(_origin(layout, role, values[role]) for role in _IN_ORDER)
        self.ignored = tuple(
            Ignored("column", _column_name(layout, place), *_count(texts, n_header))
            for place, texts in columns.unused.items()
        )
        if lines := self.table.title_rows:
            where_ = f"{self.table.path}:{lines[0]}"
            title = Ignored("row", "above the header", len(lines), "no names of columns", where_)
            self.ignored += (title,)
        for role in layout.weak:
            name = _column_name(layout, layout.places[role])
            self.warnings += (weak_name(role, name, str(self.table.path)),)

    def _labels(self, texts: Coded[str]) -> Coded[Label]:
        """Convert texts to coded labels; missing labels have the code `MISSING`."""
        counts = np.bincount(texts.codes + 1, minlength=len(texts.values) + 1)[1:].tolist()
        # Texts that occur only in the header are excluded, so that numbers remain numbers.
        present = [
            text if count and text not in self.missing else ""
            for text, count in zip(texts.values, counts, strict=True)
        ]
        self._warn_of_missing(present, counts)
        if self.separator is None:
            return renumbered(texts.codes, self._typed(present), label_order)
        parts = [[part.strip() for part in text.split(self.separator)] for text in present]
        members = sorted({part for each in parts for part in each if part})
        label_of = dict(zip(members, self._typed(members), strict=True))
        sets: list[Label | None] = [
            frozenset(label_of[part] for part in each if part) if text else None  # type: ignore[misc]
            for text, each in zip(present, parts, strict=True)
        ]
        return renumbered(texts.codes, sets, label_order)

    def _typed(self, texts: Sequence[str]) -> list[Label | None]:
        return labels_from_text(texts, decimal_comma=self.table.delimiter != ",")

    def _warn_of_missing(self, labels: Sequence[str], counts: Sequence[int]) -> None:
        path = self.table.path
        doubtful = sorted(_LOOKS_MISSING.intersection(labels))
        if doubtful:
            msg = (
                f"{path.name} has the label {listed(doubtful)}; if it means that a label "
                f"is missing, set {setting('na_values', *_only(doubtful))}"
            )
            warnings.warn(msg, stacklevel=2)
        self.warnings += tuple(
            Remark(
                f"the label {text!r}, which may mean a missing label",
                counts[labels.index(text)],
                str(path),
            )
            for text in doubtful
        )

    def _annotators(self, layout: Layout, places: Sequence[int], *, header: bool) -> Coded[str]:
        names = [layout.cells[place] if header else str(place + 1) for place in places]
        for place, name in zip(places, names, strict=True):
            if not name or names.count(name) > 1:
                what = "has no name" if not name else f"has the same name as another, {name!r}"
                remedy = f"choose annotators by number with {setting('annotator_columns', ...)}"
                problem = f"column {place + 1} {what}; rename it, or {remedy}"
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
        item_codes = _coded(columns.texts[item])
        rated = np.zeros(len(item_codes.codes), dtype=bool)
        rated[rows] = (labels.codes >= 0).reshape(n_annotators, len(rows)).any(axis=0)
        self._refuse_nameless("item", rated & (item_codes.codes < 0))
        return Coded(item_codes.values, item_codes.codes[rows])

    def _first_row_is_header(
        self, cells: Codes, texts: Sequence[str], layout: Layout, annotators: Sequence[int]
    ) -> bool:
        """Return whether the first row is a header.

        It is if all labels below are numbers, or if the labels below are repeated often and its
        cells are not among them. Raise if this cannot be decided.
        """
        counts = np.bincount(cells[:, 1:].ravel() + 1, minlength=len(texts) + 1)[1:].tolist()
        labels = {text: n for text, n in zip(texts, counts, strict=True) if n}
        later = labels.keys() - self.missing
        if later and all(map(NUMBER.fullmatch, later)):
            return True
        first = [layout.cells[place] for place in annotators]
        if later.issuperset(first):
            return False
        is_repeated = sum(labels[text] for text in later) >= _MIN_MEAN_COUNT * len(later) > 0
        if is_repeated and later.isdisjoint(first) and len(set(first)) == len(first):
            return True
        problem = (
            f"the first row is {listed(first)}; set {setting('header', True)} if these are names "
            f"of annotators, {setting('header', False)} if they are labels"
        )
        raise ReadError(problem, path=self.table.path, line=self.table.line)

    def _refuse_names_of_items(
        self, cells: Codes, layout: Layout, annotators: Sequence[int]
    ) -> None:
        """Raise if one column has a distinct value in each row, so that it names the items."""
        below = cells[:, 1:]
        n_rows = below.shape[1]
        own = [np.unique(column) for column in below]
        distinct = [at for at, found in enumerate(own) if len(found) == n_rows]
        if len(distinct) != 1 or len(own) < _MIN_COLUMNS:
            return
        others = np.unique(np.delete(below, distinct[0], axis=0))
        if n_rows <= _MIN_ROWS + 2 * len(others):
            return
        place = annotators[distinct[0]]
        name = layout.cells[place]
        column = place + 1 if not name or NUMBER.fullmatch(name) else name
        problem = (
            f"column {column!r} has a distinct value in every row and probably names the items; "
            f"set {setting('item', column)}, or choose the columns of annotators with "
            f"{setting('annotator_columns', ...)}"
        )
        raise ReadError(problem, path=self.table.path, line=self.table.line)

    def _collated(
        self,
        annotator_codes: Coded[str],
        item_codes: Coded[Any],
        labels: Coded[Label],
        rows: Integers,
        annotators: Sequence[str | int] | None,
    ) -> Ratings:
        path = self.table.path

        def repeated(first: int, second: int) -> DataError:
            lines = self.table.line_of(int(rows[first])), self.table.line_of(int(rows[second]))
            problem = repeat_problem(
                annotator_codes, item_codes, labels, (first, second), "line", lines
            )
            return ReadError(problem, path=path, line=lines[1])

        declared = None if annotators is None else [str(name) for name in annotators]
        found = collated(annotator_codes, item_codes, labels, declared, self.duplicates, repeated)
        if not len(found.times):
            problem = f"no ratings found; expected {_EXPECTED}"
            raise ReadError(problem, path=path)
        interpretation = Interpretation(
            absolute_paths([path]),
            {"table": 1},
            warnings=self.warnings,
            origins=self.origins,
            ignored=self.ignored,
            questions=self.questions,
        )
        return ratings_of(found, interpretation)

    def _refuse_nameless(self, role: str, is_nameless: Booleans) -> None:
        if is_nameless.any():
            problem = f"the {role} is empty; every rating needs one"
            line = self.table.line_of(int(np.argmax(is_nameless)))
            raise ReadError(problem, path=self.table.path, line=line)


def _origin(layout: Layout, role: Role, values: Sequence[object]) -> Origin:
    """Return where a role of ratings came from."""
    shown = tuple(map(str, values[:_MOST_EXAMPLES]))
    if role in layout.places:
        places = [layout.places[role], *(layout.item_parts if role == "item" else ())]
        name = ", ".join(_column_name(layout, place) for place in places)
        reason = layout.reasons.get(role, "name")
        return Origin(role, "column", name, reason, len(values), shown)
    if role == "item":
        return Origin(role, "none", "", "format", len(values), shown)
    # Annotators and labels of a wide table: the names and the cells of columns.
    reason = layout.reasons.get("annotator", "only choice")
    return Origin(role, "column", "", reason, len(values), shown)


def _column_name(layout: Layout, place: int) -> str:
    name = "" if layout.header is False else layout.cells[place]
    return name or str(place + 1)


def _count(texts: Texts | None, first: int) -> tuple[int, str]:
    """Return the number of values of a column from a row on, and why the column was not used."""
    if texts is None:
        return 0, "no role; a different value in most rows"
    codes = texts.codes[first:]
    return len(np.unique(codes[codes >= 0])), "no role"


def _joined(left: Coded[str], right: Coded[str]) -> Coded[str]:
    """Return the pairs of two columns as one, such as ``text1 5``; missing if one is missing."""
    width = max(len(right.values), 1)
    pairs = left.codes * width + right.codes
    pairs[(left.codes < 0) | (right.codes < 0)] = -1
    found, codes = np.unique(pairs, return_inverse=True)
    names = [
        f"{left.values[pair // width]} {right.values[pair % width]}"
        for pair in found[found >= 0].tolist()
    ]
    return Coded(names, codes - int((found < 0).any()))


def _coded(texts: Texts) -> Coded[str]:
    return Coded(texts.values, texts.codes.astype(np.int64))


def _only(texts: Sequence[str]) -> tuple[object]:
    """Return the only text, or an ellipsis if there are several."""
    return (texts[0] if len(texts) == 1 else ...,)
