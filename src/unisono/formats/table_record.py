"""Columns of tables of units: where roles came from, what was not used, and signals about it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import setting
from unisono.model.codes import MISSING, Codebook
from unisono.model.columns import counted
from unisono.model.interpretation import Ignored, Origin, Question, Reading, Remark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from unisono.formats.roles import Layout
    from unisono.formats.source import Source
    from unisono.formats.tables import Texts
    from unisono.model.arrays import Booleans, Floats, Integers

    Parts = Sequence[tuple[NDArray[np.generic], ...]]

__all__ = ["DOCUMENT_COLUMN", "TableRecord", "weak_name"]

HEADER_NUMBERS, COLUMN_ORDER = "header-numbers", "column-order"
_HEADERLESS = ("annotator", "label", "start", "end")
DOCUMENT_COLUMN = "document-column"
"""The code of the question and of the warning about a column that may name the documents."""
_MOST_EXAMPLES = 5
_ORDER = ("document", "annotator", "start", "end", "duration", "label", "layer")
_POSITIONS = ("start", "end", "duration")
# A column that may name documents: the conditions of the signal, see `_Evidence`.
_FEWEST_UNITS, _MOST_UNITS = 20, 50_000
_MIN_OVERLAP = 0.2
_MOST_REMAINING = 0.5
_MIN_SHARED = 0.3
_MIN_RATIO = 1.5
_MOST_CHANGES = 0.4
_MATCH = 0.3
_SAMPLE, _OTHERS = 600, 3


class _Unused(NamedTuple):
    """The values of a column without a role, in one table."""

    first: int  # number of the first unit of the table
    size: int
    texts: Texts | None


@dataclass(slots=True)
class TableRecord:
    """Record of the columns of all tables of units that were read."""

    # Values by role, source, name and reason.
    _roles: dict[tuple[str, str, str, str], dict[str, None]] = field(default_factory=dict)
    _weak: dict[tuple[str, str], str] = field(default_factory=dict)
    _unused: dict[str, list[_Unused]] = field(default_factory=dict)
    _titles: list[Ignored] = field(default_factory=list)
    _questions: list[Question] = field(default_factory=list)
    units: set[str] = field(default_factory=set)  # units of measurement of positions

    def add_roles(
        self,
        layout: Layout,
        values: Mapping[str, Sequence[str]],
        source: Source,
        asked: Mapping[str, object],
        unit: str,
    ) -> None:
        """Add the columns of a table that have a role."""
        for role, place in layout.places.items():
            name = layout.cells[place] if layout.header else str(place + 1)
            key = (role, "column", name, layout.reasons[role])
            self._roles.setdefault(key, {}).update(dict.fromkeys(values.get(role, ())))
            if role in layout.weak:
                self._weak.setdefault((role, name), str(source.path))
        if "document" not in layout.places:
            reason = "asked" if "document" in asked else "format"
            name = source.path_document or source.document
            self._roles.setdefault(("document", "file name", "", reason), {})[name] = None
        if "annotator" not in layout.places and source.annotator is not None:
            kind = "folder" if source.annotator in source.path.parts[:-1] else "file name"
            reason = "asked" if "annotator" in asked else "format"
            owner = ("annotator", kind, "", reason)
            self._roles.setdefault(owner, {})[source.annotator] = None
        if asked.get("label") is False:
            self._roles.setdefault(("label", "none", "", "asked"), {})
        if unit:
            self.units.add(unit)

    def add_title_rows(self, lines: Sequence[int], path: Path) -> None:
        """Add the rows above the header of a table."""
        if lines:
            reason = "no names of columns"
            where = f"{path}:{lines[0]}"
            self._titles.append(Ignored("row", "above the header", len(lines), reason, where))

    def add_unused(
        self,
        names: Sequence[str],
        columns: Mapping[int, Texts | None],
        first: int,
        kept: Booleans | None,
    ) -> None:
        """Add the columns of a table without a role; `kept` are the rows of chosen layers."""
        for place, column in columns.items():
            name = (names[place] if names else "") or f"number {place + 1}"
            texts = column
            if column is not None and kept is not None:
                texts = column._replace(codes=column.codes[kept])
            size = 0 if texts is None else len(texts.codes)
            self._unused.setdefault(name, []).append(_Unused(first, size, texts))

    def origins(self) -> list[Origin]:
        """Return where each role came from."""
        found = []
        for (role, source, name, reason), values in self._roles.items():
            # Of positions, only the first are known.
            is_position = role in _POSITIONS
            examples = (*values,) if is_position else tuple(sorted(values))
            n_values = 0 if is_position else len(values)
            found.append(
                Origin(role, source, name, reason, n_values, examples[:_MOST_EXAMPLES])  # type: ignore[arg-type]
            )
        return sorted(found, key=lambda origin: _ORDER.index(origin.role))

    def ignored(self) -> list[Ignored]:
        """Return the columns without a role, and the rows above headers."""
        found = []
        for name, parts in self._unused.items():
            values: set[str] = set()
            reason = "no role"
            for part in parts:
                if part.texts is None:
                    reason = "no role; a different value in most rows"
                else:
                    values.update(part.texts.values)
            found.append(Ignored("column", name, len(values), reason))
        return [*found, *self._titles]

    def warnings(self) -> list[Remark]:
        """Return warnings about columns found by names that often mean something else."""
        found = []
        for (role, name), where in self._weak.items():
            found.append(weak_name(role, name, where))
        if len(self.units) > 1:
            units = " and ".join(sorted(self.units))
            text = f"Positions of these tables are in {units}; they are not converted."
            found.append(Remark(text, len(self.units), "", "position-units"))
        return found

    def add_numbered_header(self, first: Sequence[str], annotators: Texts) -> None:
        """Add the question whether a first row of the numbers from 0 or 1 is a header."""
        numbers = [str(number) for number in range(len(first) + 1)]
        is_numbered = list(first) in (numbers[:-1], numbers[1:])
        if not is_numbered or (annotators.codes == annotators.codes[0]).sum() > 1:
            return
        header = {role: at for at, role in enumerate(_HEADERLESS, start=1)}
        readings = (
            Reading("the first row is a unit", {}, {"header": False}),
            Reading("the first row is a header", {}, {"header": True, **header}),
        )
        text = f"The first row is {', '.join(first)}; no other row has the annotator {first[0]!r}."
        self._questions.append(Question(HEADER_NUMBERS, text, readings))

    def findings(self, parts: Parts, *, asked: frozenset[str]) -> list[Question | Remark]:
        """Return questions and warnings about the roles of columns."""
        n_units = sum(len(part[0]) for part in parts)
        found: list[Question | Remark] = [*self._questions]
        if n_units < _FEWEST_UNITS:
            return found
        names = {} if "document" in asked else self._unused
        columns = {name: self._codes(own, n_units) for name, own in names.items()}
        candidates = {name: codes for name, codes in columns.items() if codes is not None}
        # Without a header, columns have roles by their order.
        by_order = all(
            reason == "format" for role, *_, reason in self._roles if role == "annotator"
        )
        by_order = by_order and any(source == "column" for role, source, *_ in self._roles)
        by_order = by_order and not asked & {"annotator", "label"}
        if not candidates and not by_order:
            return found
        evidence = _Evidence(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        if evidence.before < _MIN_OVERLAP:
            return found
        if by_order and evidence.is_swapped():
            found.append(_order_question(evidence))
        return found + self._document_columns(evidence, candidates)

    def _document_columns(
        self, evidence: _Evidence, candidates: Mapping[str, Integers]
    ) -> list[Question | Remark]:
        """Return a question, or a warning, about an unused column that may name the documents."""
        has_column = any(role == "document" and kind == "column" for role, kind, *_ in self._roles)
        found = [_Finding(name, evidence, codes) for name, codes in candidates.items()]
        kept = sorted((each for each in found if each.is_supported), key=_Finding.rank)
        if not kept:
            return []
        best = kept[0]
        if has_column or not best.is_in_order:
            return [best.warning(evidence, has_column=has_column)]
        return [best.question(evidence, [each for each in kept if each.is_in_order])]

    def _codes(self, parts: Iterable[_Unused], n_units: int) -> Integers | None:
        """Return the values of a column as codes, `None` if it is blank or has too many values."""
        codes = np.full(n_units, MISSING, dtype=np.int64)
        book = Codebook()
        for part in parts:
            if part.texts is None:
                return None
            names, own = part.texts
            places = book.codes(names)
            codes[part.first : part.first + part.size] = np.append(places, MISSING)[own]
        is_candidate = 1 < len(book.values) <= n_units // 2 and (codes >= 0).all()
        return codes if is_candidate else None


def weak_name(role: str, name: str, where: str) -> Remark:
    """Return the warning about a column with a name that often means something else."""
    text = (
        f"The {role} is the column {name!r}, whose name may mean something else. If it does, set "
        f"{setting(role, ...)}"
    )
    return Remark(text, 1, where, "weak-name")


class _Evidence:
    """Units without exact copies, sorted by document, annotator and start."""

    def __init__(
        self,
        documents: Integers,
        annotators: Integers,
        starts: Floats,
        ends: Floats,
        labels: Integers,
    ) -> None:
        # Of many units, those that start first: they overlap as the others do.
        early: Integers = np.arange(len(starts))
        if len(starts) > _MOST_UNITS:
            early = np.flatnonzero(starts <= np.partition(starts, _MOST_UNITS)[_MOST_UNITS])
        columns = tuple(column[early] for column in (labels, ends, starts, annotators, documents))
        order = early[np.lexsort(columns)]
        is_new = np.zeros(len(order), dtype=bool)
        is_new[:1] = True
        for column in (documents, annotators, starts, ends, labels):
            is_new[1:] |= column[order[1:]] != column[order[:-1]]
        self.rows = rows = order[is_new]
        self.documents, self.annotators = documents[rows], annotators[rows]
        self.starts, self.ends, self.labels = starts[rows], ends[rows], labels[rows]
        _, groups = np.unique(_paired(self.documents, self.annotators), return_inverse=True)
        self.groups = groups
        self.before = _overlapping(groups, self.starts, self.ends)

    def is_swapped(self) -> bool:
        """Return whether labels separate units like annotators, and annotators do not."""
        groups = _paired(self.documents, self.labels)
        n_labels = len(np.unique(self.labels))
        after = _overlapping(groups, self.starts, self.ends, is_sorted=False)
        return n_labels > 1 and after <= _MOST_REMAINING * self.before


def _order_question(evidence: _Evidence) -> Question:
    """Return the question whether the first column has labels and the second annotators."""
    text = (
        "The table has no header. If its columns are annotator, label, start and end, "
        f"{evidence.before:.0%} of the units overlap another unit of the same annotator; if the "
        "first two columns are label and annotator, fewer than half as many do."
    )
    counts = [
        {"annotators": len(np.unique(column))} for column in (evidence.annotators, evidence.labels)
    ]
    order = {"annotator": 1, "label": 2, "start": 3, "end": 4}
    return Question(
        COLUMN_ORDER,
        text,
        (
            Reading("the first column is the annotator", counts[0], order),
            Reading(
                "the second column is the annotator",
                counts[1],
                order | {"annotator": 2, "label": 1},
            ),
        ),
    )


class _Finding:
    """What the units say about a column: whether its values separate them like documents.

    The conditions were chosen on sets of real annotations and hold for a document column: units of
    an annotator overlap across its values, but hardly within one; several annotators share its
    values; and their units match within a value more than across values.
    """

    def __init__(self, name: str, evidence: _Evidence, codes: Integers) -> None:
        self.name = name
        # The order of the rows in the files.
        self.is_in_order = float(np.mean(codes[1:] != codes[:-1])) <= _MOST_CHANGES
        values = codes[evidence.rows]
        self.n_values = len(np.unique(values))
        self.after = 1.0
        self.is_supported = False
        n_labels = len(np.unique(evidence.labels))
        if n_labels > 1 and len(np.unique(_paired(evidence.labels, values))) == n_labels:
            return  # it follows from the label
        groups = _paired(evidence.groups, values)
        self.after = _overlapping(groups, evidence.starts, evidence.ends, is_sorted=False)
        if self.after > _MOST_REMAINING * evidence.before:
            return
        pairs = np.unique(_paired(values, evidence.annotators))
        _, per_value = np.unique(pairs // (int(evidence.annotators.max()) + 1), return_counts=True)
        if np.mean(per_value > 1) < _MIN_SHARED:
            return
        within, across = _matches(evidence, values)
        self.is_supported = within > 0 and within >= _MIN_RATIO * across

    def rank(self) -> tuple[bool, float, int, str]:
        """Return a key: columns in file order first, then those that explain most overlap."""
        return not self.is_in_order, self.after, self.n_values, self.name

    def _seen(self, before: float) -> str:
        return (
            f"The column {self.name} ({counted(self.n_values, 'value')}) was not used. Without "
            f"it, {before:.0%} of the units overlap another unit of the same annotator; within "
            f"one value of {self.name}, {self.after:.0%} do."
        )

    def question(self, evidence: _Evidence, found: Sequence[_Finding]) -> Question:
        """Return the question whether a column names the documents."""
        n_files = len(np.unique(evidence.documents))
        whole = "each file is a document" if n_files > 1 else "the file is one document"
        readings = [Reading(whole, {"documents": n_files}, {"document": "file"})]
        readings += (
            Reading(
                f"{each.name} names the documents",
                {"documents": each.n_values},
                {"document": each.name},
            )
            for each in found
        )
        text = f"{self._seen(evidence.before)} It probably names the documents."
        return Question(DOCUMENT_COLUMN, text, tuple(readings))

    def warning(self, evidence: _Evidence, *, has_column: bool) -> Remark:
        """Return the warning that a column may name documents or layers."""
        what = "a part of each document, or a layer" if has_column else "the documents"
        remedy = setting("layer" if has_column else "document", self.name)
        text = f"{self._seen(evidence.before)} If it names {what}, set {remedy}."
        if has_column:
            text = f"{self._seen(evidence.before)} It may name {what}."
        settings = {} if has_column else {"document": self.name}
        return Remark(text, self.n_values, "", DOCUMENT_COLUMN, settings)


def _paired(left: Integers, right: Integers) -> Integers:
    """Return one code for each pair of two codes."""
    paired: Integers = left.astype(np.int64) * (int(right.max(initial=0)) + 1) + right
    return paired


def _overlapping(
    groups: Integers, starts: Floats, ends: Floats, *, is_sorted: bool = True
) -> float:
    """Return the share of units that overlap another unit of their group."""
    if not is_sorted:
        _, groups = np.unique(groups, return_inverse=True)
        order = np.lexsort((ends, starts, groups))
        groups, starts, ends = groups[order], starts[order], ends[order]
    # Groups are placed one after the other, so that no two of them overlap.
    low = starts.min()
    offsets = groups * (ends.max() - low + 1.0) - low
    begins, stops = starts + offsets, ends + offsets
    overlaps = np.zeros(len(starts), dtype=bool)
    overlaps[1:] = begins[1:] < np.maximum.accumulate(stops)[:-1]
    overlaps[:-1] |= begins[1:] < stops[:-1]
    return float(overlaps.mean())


def _matches(evidence: _Evidence, values: Integers) -> tuple[float, float]:
    """Return how often units match one of another annotator, within values and across values."""
    order = np.argsort(values, kind="stable")
    distinct, firsts = np.unique(values[order], return_index=True)
    spans = [*zip(firsts.tolist(), [*firsts.tolist()[1:], len(order)], strict=True)]
    places = np.searchsorted(distinct, values)
    starts, ends = evidence.starts[order], evidence.ends[order]
    annotators = evidence.annotators[order]
    rows = np.linspace(0, len(values) - 1, min(_SAMPLE, len(values))).astype(np.int64)
    counts: list[list[bool]] = [[], []]
    for row in rows.tolist():
        start, end = evidence.starts[row], evidence.ends[row]
        for step in range(min(_OTHERS + 1, len(spans))):
            first, last = spans[(int(places[row]) + step) % len(spans)]
            others = annotators[first:last] != evidence.annotators[row]
            if not others.any():
                continue
            shared = np.minimum(ends[first:last], end) - np.maximum(starts[first:last], start)
            union = np.maximum(ends[first:last], end) - np.minimum(starts[first:last], start)
            is_match = bool(((shared >= _MATCH * union) & (shared > 0) & others).any())
            counts[min(step, 1)].append(is_match)
    within, across = (float(np.mean(each)) if each else 0.0 for each in counts)
    return within, across
