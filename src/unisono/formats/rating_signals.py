"""Signals over the ratings of a table: questions and warnings about how the table was read.

A question is asked only if the ratings support another choice of annotators or items; everything
else is a warning. The thresholds were chosen on sets of real ratings with added columns.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import setting
from unisono.formats.roles import normalize_name
from unisono.model.columns import counted, listed
from unisono.model.interpretation import Question, Reading, Remark
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.formats.tables import Texts
    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label

__all__ = ["RatedCells", "header_question", "questions_of", "warnings_of"]

_MOST_SHOWN = 5
_MOST_ITEMS, _MOST_COLUMNS, _MOST_LABELS = 2_000, 40, 100
# Columns that are rarely annotators.
_OTHER_COLUMNS = frozenset(
    {
        *("class", "group", "confidence", "conf", "mean", "average", "median", "gold", "split"),
        *("task", "country", "comment", "comments", "note", "notes", "total", "sum", "id", "age"),
        *("sex", "gender", "date", "site", "session", "majority", "majorityvote", "consensus"),
        *("adjudicated", "goldstandard", "goldlabel", "groundtruth", "truth", "reference", "count"),
    }
)
_TOTALS = frozenset(
    {
        *("total", "totals", "sum", "mean", "average", "σ", "summe", "gesamt", "mittelwert"),
        *("moyenne", "somme", "media", "promedio", "suma", "totale", "count", "n"),
    }
)
_REFERENCES = frozenset(
    {
        *("gold", "goldstandard", "goldlabel", "groundtruth", "truth", "consensus", "adjudicated"),
        *("majority", "majorityvote", "reference"),
    }
)
_PERSON = re.compile(
    r"(r|rater|a|ann|annotator|c|coder|j|judge|expert|worker|user|p)[ _.-]?\d+", re.IGNORECASE
)
_PARTS = re.compile(r"(.+?)[ _.\-:](.+)")


@dataclass(frozen=True, slots=True)
class RatedCells:
    """The ratings of a table, one row per cell; the code of a missing label is `MISSING`."""

    annotators: Sequence[str]
    annotator_codes: Integers
    items: Sequence[object]
    item_codes: Integers
    labels: Sequence[Label]
    label_codes: Integers
    n_rows: int = 0  # of a wide table, whose cells are sorted by column; 0: a long table
    item_column: str = ""
    unused: Mapping[str, Texts] = field(default_factory=dict)  # of a long table
    asked: frozenset[str] = frozenset()  # settings of the caller

    @property
    def grid(self) -> Integers:
        """The labels of a wide table by annotator and row."""
        grid: Integers = self.label_codes.reshape(len(self.annotators), self.n_rows)
        return grid

    @property
    def has_item_names(self) -> bool:
        """Whether items have names, and few enough to compare them; others are numbered."""
        return 0 < len(self.items) <= _MOST_NAMES and isinstance(self.items[0], str)

    def counts(self) -> Integers:
        """Return how often each label occurs."""
        codes = self.label_codes
        rated = codes if codes.min(initial=0) >= 0 else codes[codes >= 0]
        found: Integers = np.bincount(rated, minlength=len(self.labels))
        return found


def questions_of(cells: RatedCells) -> list[Question]:
    """Return the questions that a table of ratings raises."""
    if any(isinstance(label, frozenset) for label in cells.labels):
        return []
    found: list[Question | None] = []
    if cells.n_rows and "annotator_columns" not in cells.asked:
        found = [_aspects_question(cells)]
        if found == [None]:
            found = [_columns_question(cells)]
    elif not cells.n_rows and "item" not in cells.asked:
        found = [_items_question(cells)]
    return [each for each in found if each is not None]


def warnings_of(cells: RatedCells) -> list[Remark]:
    """Return the warnings about the names, labels and columns of a table of ratings."""
    counts = cells.counts().tolist()
    number = dict(zip(cells.labels, counts, strict=True))
    found = [
        _similar(cells.annotators, "annotators", "similar-annotators"),
        _similar(cells.items if cells.has_item_names else (), "items", "similar-items"),
        _similar_labels(number),
        _reference(cells),
        _code(number),
        _ordered(cells),
        _total(cells),
    ]
    if cells.n_rows and "annotator_columns" not in cells.asked:
        found += _column_warnings(cells)
    return [each for each in found if each is not None]


def header_question(first: Sequence[str]) -> Question | None:
    """Return the question whether a first row of the numbers from 0 or 1 has names."""
    numbers = [str(number) for number in range(len(first) + 1)]
    if len(first) < 3 or list(first) not in (numbers[:-1], numbers[1:]):
        return None
    shown = f"{', '.join(first[:3])}{', …' * (len(first) > 3)}"
    return Question(
        "header-numbers",
        f"The first row is {shown}: these may be ratings, or numbers of the annotators.",
        (
            Reading("the first row is an item", {}, {"header": False}),
            Reading("the first row has the names of the annotators", {}, {"header": True}),
        ),
    )


# Columns of a wide table that may not be annotators.


@dataclass(slots=True)
class _Grid:
    """Measures of the columns of a wide table."""

    names: Sequence[str]
    grid: Integers  # labels by column and item
    used: Integers  # how often a column has a label
    known: Floats  # share of the ratings of a column with a label that another column has

    @classmethod
    def of(cls, cells: RatedCells) -> _Grid:
        step = -(-cells.n_rows // _MOST_ITEMS)
        grid = cells.grid[:, ::step]
        width = len(cells.labels) + 1
        used = np.stack([np.bincount(row + 1, minlength=width)[1:] for row in grid])
        shared = (used > 0).sum(axis=0) > 1
        totals = used.sum(axis=1)
        known = (used * shared).sum(axis=1) / np.maximum(totals, 1)
        return cls(cells.annotators, grid, used, np.where(totals > 0, known, 1.0))

    def agreement(self) -> Floats:
        """Return the mean of Cohen's κ of each column with the others."""
        grid = self.grid
        n_columns, n_labels = len(grid), self.used.shape[1]
        table = np.full((n_columns, n_columns), np.nan)
        for left, right in itertools.combinations(range(n_columns), 2):
            both = (grid[left] >= 0) & (grid[right] >= 0)
            one, other = grid[left][both], grid[right][both]
            if len(one) < _FEWEST_ITEMS:
                continue
            shares = (np.bincount(each, minlength=n_labels) / len(one) for each in (one, other))
            expected = float(np.prod([*shares], axis=0).sum())
            observed = float((one == other).mean())
            if expected < 1:
                table[left, right] = table[right, left] = (observed - expected) / (1 - expected)
        rated = (~np.isnan(table)).sum(axis=1)
        sums: Floats = np.nansum(table, axis=1) / np.maximum(rated, 1)
        return np.where(rated > 0, sums, np.nan)


_FEWEST_ITEMS = 10
_MOST_NAMES = 20_000
_MIN_COMMON = 0.8  # median share of ratings with labels of other columns, if labels are shared
_MOST_COMMON = 0.5
_POOR, _GOOD = 0.1, 0.3


def _columns_question(cells: RatedCells) -> Question | None:
    """Return the question whether some columns of a wide table are annotators."""
    if len(cells.annotators) < 3:
        return None
    grid = _Grid.of(cells)
    seen = _foreign(cells, grid)
    seen |= {at: text for at, text in _computed(cells, grid, seen).items() if at not in seen}
    named = [at for at, name in enumerate(cells.annotators) if _is_other(name) and at not in seen]
    if named and _can_compare(cells):
        agreement = grid.agreement()
        for at in named:
            if text := _supported(cells, grid, at, agreement):
                seen[at] = text
    rest = [name for at, name in enumerate(cells.annotators) if at not in seen]
    if not seen or len(rest) < 2:
        return None
    return Question(
        "not-an-annotator",
        " ".join(seen[at] for at in sorted(seen)),
        (
            Reading("each column is an annotator", {"annotators": len(cells.annotators)}),
            Reading(
                f"leave out {listed(cells.annotators[at] for at in sorted(seen))}",
                {"annotators": len(rest)},
                {"annotator_columns": tuple(rest)},
            ),
        ),
    )


def _foreign(cells: RatedCells, grid: _Grid) -> dict[int, str]:
    """Return the columns with labels that no other column has, if the others share theirs."""
    found = [at for at, share in enumerate(grid.known.tolist()) if share < _MOST_COMMON]
    rest = [share for at, share in enumerate(grid.known.tolist()) if at not in found]
    if len(rest) < 2 or float(np.median(rest)) < _MIN_COMMON:
        return {}
    texts = {}
    for at in found:
        own = np.flatnonzero(grid.used[at])
        shown = ", ".join(label_text(cells.labels[code]) for code in own[:_MOST_SHOWN].tolist())
        shown += ", …" * (len(own) > _MOST_SHOWN)
        others = counted(len(rest), "other column")
        what = f"none of its values ({shown}) is used by the {others}"
        if grid.known[at] > 0:
            what = f"{1 - grid.known[at]:.0%} of its values are used by none of the {others}"
        texts[at] = f"{cells.annotators[at]} does not look like an annotator: {what}."
    return texts


def _computed(cells: RatedCells, grid: _Grid, seen: Mapping[int, str]) -> dict[int, str]:
    """Return the columns that are the mean or the sum of the others."""
    if not all(isinstance(label, int | float) for label in cells.labels):
        return {}
    values: Floats = np.array([*map(float, cells.labels), np.nan])  # type: ignore[arg-type]
    table = values[grid.grid]
    names = cells.annotators
    rest = [at for at in range(len(names)) if at not in seen and not _is_other(names[at])]
    found = {}
    for at, name in enumerate(names):
        others = table[[place for place in rest if place != at]]
        whole = ~np.isnan(others).any(axis=0) & ~np.isnan(table[at]) & (np.ptp(others, axis=0) > 0)
        if len(others) < 2 or whole.sum() < _FEWEST_ITEMS // 2:
            continue
        own, others = table[at][whole], others[:, whole]
        is_sum = np.isclose(own, others.sum(axis=0)).mean()
        # A mean may be rounded, but not to whole numbers, which may be ratings.
        digits = max(_decimals(value) for value in np.unique(own).tolist())
        is_near = np.abs(own - others.mean(axis=0)) <= 0.5000001 * 10.0**-digits
        if is_sum >= _ALMOST_ALL or (digits > 0 and is_near.mean() >= _ALMOST_ALL):
            what = "sum" if is_sum >= _ALMOST_ALL else "mean"
            found[at] = (
                f"{name} does not look like an annotator: it is the {what} of the other columns."
            )
    return found


_ALMOST_ALL = 0.95


def _decimals(value: float) -> int:
    return len(f"{value:.6f}".rstrip("0").partition(".")[2])


def _is_other(name: str) -> bool:
    """Return whether a column has a name that annotators rarely have."""
    parts = {normalize_name(part) for part in re.split(r"[\W_]+", name)}
    return normalize_name(name) in _OTHER_COLUMNS or bool(parts & (_REFERENCES | {"id"}))


def _can_compare(cells: RatedCells) -> bool:
    return 3 <= len(cells.annotators) <= _MOST_COLUMNS and len(cells.labels) <= _MOST_LABELS


def _is_poor(agreement: Floats, at: int) -> bool:
    others = np.delete(agreement, at)
    others = others[~np.isnan(others)]
    return len(others) > 1 and agreement[at] < _POOR and float(np.median(others)) > _GOOD


def _supported(cells: RatedCells, grid: _Grid, at: int, agreement: Floats) -> str:
    """Return what the ratings say about a column with a suspicious name, or an empty text."""
    name = cells.annotators[at]
    if _is_poor(agreement, at):
        return f"{name} does not look like an annotator: it agrees with no other column."
    others = np.delete(grid.grid, at, axis=0)
    if len(others) < 3:
        return ""
    n_labels = grid.used.shape[1]
    votes = np.stack([(others == label).sum(axis=0) for label in range(n_labels)])
    is_clear = (np.sort(votes, axis=0)[-1] > np.sort(votes, axis=0)[-2]) if n_labels > 1 else None
    if is_clear is None:
        return ""
    # Where all others agree, an annotator would choose the same label.
    is_split = (votes > 0).sum(axis=0) > 1
    rows = is_clear & is_split & (grid.grid[at] >= 0)
    if rows.sum() < _FEWEST_ITEMS // 2 or (votes.argmax(axis=0) != grid.grid[at])[rows].any():
        return ""
    return f"{name} does not look like an annotator: it is always the majority of the others."


def _column_warnings(cells: RatedCells) -> list[Remark | None]:
    """Return warnings about columns that agree with no other, and about names of columns."""
    found: list[Remark | None] = []
    if _can_compare(cells) and cells.n_rows >= 2 * _FEWEST_ITEMS:
        agreement = _Grid.of(cells).agreement()
        for at, name in enumerate(cells.annotators):
            if _is_poor(agreement, at):
                others = float(np.nanmedian(np.delete(agreement, at)))
                text = (
                    f"{name} agrees with no other column (mean κ {agreement[at]:.2f}; the others "
                    f"{others:.2f}). Is it an annotator?"
                )
                found.append(Remark(text, 1, code="poor-column"))
    names = [name for name in cells.annotators if _is_other(name)]
    if names and len(cells.annotators) > 2:
        text = (
            f"{listed(names)} {'is' if len(names) == 1 else 'are'} read as annotators; if they are "
            f"not, choose the columns with {setting('annotator_columns', ...)}"
        ).replace("is read as annotators; if they are", "is read as an annotator; if it is")
        found.append(Remark(text, len(names), code="column-names"))
    return found


# Columns of a wide table that are the answers to several questions.

_MIN_GAIN = 0.1


def _aspects_question(cells: RatedCells) -> Question | None:
    """Return the question whether columns are named by annotator and aspect."""
    names = list(cells.annotators)
    for by_person in _pairs(names):
        aspects = [*dict.fromkeys(aspect for _, aspect in by_person)]
        people = [*dict.fromkeys(person for person, _ in by_person)]
        if len(aspects) < 2 or len(people) < 2 or len(names) != len(aspects) * len(people):
            continue
        if len(set(by_person)) != len(names) or not _differ(cells, by_person):
            continue
        shown = [aspect or "the rating" for aspect in aspects]
        text = f"The columns are pairs: {', '.join(people)} with {', '.join(shown)}."
        readings = [Reading("each column is an annotator", {"annotators": len(names)})]
        for aspect, title in zip(aspects[:_MOST_SHOWN], shown, strict=False):
            own = [name for name, pair in zip(names, by_person, strict=True) if pair[1] == aspect]
            readings.append(
                Reading(
                    f"the columns of {title}",
                    {"annotators": len(own)},
                    {"annotator_columns": tuple(own)},
                )
            )
        return Question("two-aspects", text, tuple(readings))
    return None


def _pairs(names: Sequence[str]) -> Iterable[list[tuple[str, str]]]:
    """Yield the names of columns as pairs of a person and an aspect, in each possible way."""
    bases = set(names)
    first = []
    for name in names:
        found = next(
            (
                (base, name[len(base) :].strip(" _.-:"))
                for base in sorted(bases, key=len, reverse=True)
                if name != base and name.startswith(base) and not name[len(base)].isalnum()
            ),
            (name, ""),
        )
        first.append(found)
    yield first
    split = [_PARTS.fullmatch(name) for name in names]
    if all(split):
        parts = [(found[1], found[2]) for found in split if found]
        yield parts
        if all(_PERSON.fullmatch(right) for _, right in parts):
            yield [(right, left) for left, right in parts]


def _differ(cells: RatedCells, by_person: Sequence[tuple[str, str]]) -> bool:
    """Return whether columns of one aspect agree more than columns of different aspects."""
    grid = cells.grid
    within: list[float] = []
    across: list[float] = []
    for left, right in itertools.combinations(range(len(grid)), 2):
        both = (grid[left] >= 0) & (grid[right] >= 0)
        if by_person[left][0] == by_person[right][0] or both.sum() < 3:
            continue
        same = float((grid[left] == grid[right])[both].mean())
        (within if by_person[left][1] == by_person[right][1] else across).append(same)
    if not within or not across:
        return False
    return float(np.mean(within)) >= float(np.mean(across)) + _MIN_GAIN


# Items of a long table that restart.

_FEWEST_PAIRS = 20
_MIN_WITHIN, _MOST_ACROSS = 0.15, 0.25


def _items_question(cells: RatedCells) -> Question | None:
    """Return the question whether an unused column is needed to tell items apart."""
    if not any(len(texts.values) > 1 for texts in cells.unused.values()):
        return None
    rated = cells.label_codes >= 0
    items, labels = cells.item_codes[rated], cells.label_codes[rated]
    if len(items) < _FEWEST_PAIRS:
        return None
    shares = np.bincount(labels) / len(labels)
    chance = float((shares**2).sum())
    pairs, same = _same(items, labels)
    best: tuple[float, str, int, float] | None = None
    for name, texts in cells.unused.items():
        codes = texts.codes[rated].astype(np.int64)
        n_values = len(texts.values)
        if not 1 < n_values <= len(items) // 2 or (codes < 0).any():
            continue
        parts = items * n_values + codes
        if len(np.unique(parts)) == len(np.unique(items)):
            continue
        own_pairs, own_same = _same(parts, labels)
        other_pairs = pairs - own_pairs
        if own_pairs < _FEWEST_PAIRS or other_pairs < _FEWEST_PAIRS:
            continue
        within = own_same / own_pairs - chance
        across = (same - own_same) / other_pairs - chance
        is_better = best is None or within > best[0]
        if within >= _MIN_WITHIN and across <= _MOST_ACROSS * within and is_better:
            best = within, name, len(np.unique(parts)), across
    if best is None:
        return None
    within, name, n_items, across = best
    text = (
        f"Items of the same name may be different items in each {name}: two ratings of an item "
        f"agree in {within + chance:.0%} of the cases within one value of {name}, in "
        f"{across + chance:.0%} across values, and in {chance:.0%} by chance."
    )
    return Question(
        "items-restart",
        text,
        (
            Reading("items of the same name are the same", {"items": len(np.unique(items))}),
            Reading(
                f"items have different names in each {name}",
                {"items": n_items},
                {"item": f"{name},{cells.item_column}"},
            ),
        ),
    )


def _same(items: Integers, labels: Integers) -> tuple[int, int]:
    """Return the number of pairs of ratings of an item, and of those with the same label."""
    _, per_item = np.unique(items, return_counts=True)
    cells = items.astype(np.int64) * (int(labels.max()) + 1) + labels
    _, per_cell = np.unique(cells, return_counts=True)
    return tuple(int((n * (n - 1) // 2).sum()) for n in (per_item, per_cell))  # type: ignore[return-value]


# Names and labels.


def folded(text: str) -> str:
    """Return a text without differences in case, white space and Unicode form."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _groups(texts: Iterable[str]) -> list[list[str]]:
    names = [*texts]
    # All names at once, which is faster; a name with a line feed is compared by itself.
    joined = "\n".join(names)
    if joined.isascii() and joined == joined.lower() and " " not in joined:
        return []
    keys = unicodedata.normalize("NFKC", joined).casefold().replace(" ", "").split("\n")
    if len(keys) == len(names) == len(set(keys)):
        return []
    groups: dict[str, list[str]] = {}
    for text in names:
        groups.setdefault(folded(text), []).append(text)
    return [group for group in groups.values() if len(group) > 1]


def _similar(names: Sequence[Any], what: str, code: str) -> Remark | None:
    groups = _groups(names)
    if not groups:
        return None
    shown = "; ".join(listed(group) for group in groups[:3])
    text = (
        f"{shown}{'; …' * (len(groups) > 3)} differ only in case, white space or Unicode form, "
        f"and count as different {what}"
    )
    return Remark(text, sum(map(len, groups)), code=code)


def _similar_labels(number: Mapping[Label, int]) -> Remark | None:
    groups = _groups([label for label in number if isinstance(label, str)])
    if not groups:
        return None
    shown = "; ".join(
        " and ".join(f"{label!r} ({number[label]:,})" for label in group) for group in groups[:3]
    )
    text = (
        f"{shown}{'; …' * (len(groups) > 3)} differ only in case, white space or Unicode form, "
        "and count as different labels"
    )
    return Remark(text, len(groups), code="similar-labels")


def _reference(cells: RatedCells) -> Remark | None:
    """Return a warning about annotators of a long table whose name is that of a reference."""
    if cells.n_rows or len(cells.annotators) < 3:
        return None
    names = [name for name in cells.annotators if normalize_name(name) in _REFERENCES]
    if not names:
        return None
    text = (
        f"{listed(names)} counts as an annotator. If the name stands for a reference made from "
        "the others, leave it out"
    )
    return Remark(text, len(names), code="reference-annotator")


_CODES = frozenset(
    sign * code for sign in (1, -1) for code in (77, 88, 98, 99, 777, 888, 998, 999, 7777, 9999)
) | frozenset((-1, -2, -7, -8, -9))
_MOST_WORDS = 3
_MOSTLY = 0.8
_FAR = 3


def _code(number: Mapping[Label, int]) -> Remark | None:
    """Return a warning about a number or a word among numbers that may mean a missing rating."""
    texts = {label: count for label, count in number.items() if isinstance(label, str)}
    if texts:
        return _word(texts, sum(number.values()))
    whole = [label for label in number if isinstance(label, int)]
    if len(whole) < len(number):
        return None
    negative = [label for label in whole if label < 0]
    codes = [label for label in negative if label in _CODES]
    rest = [label for label in whole if label not in codes]
    # Two or more negative values may be a scale from, say, -3 to 3.
    if len(negative) > 2 or len(rest) < 2 or (codes and -min(codes) == max(rest)):
        codes = []
    rest = [label for label in whole if label >= 0 and label not in _CODES]
    if len(rest) > 1:
        codes += [each for each in whole if each in _CODES and each > _FAR * max(*rest, 1)]
    if not codes:
        return None
    shown = " and ".join(f"{each} ({number[each]:,})" for each in codes)
    scale = [label for label in whole if label not in codes]
    remedy = setting("na_values", ",".join(map(str, codes)))
    text = (
        f"The rating {shown} is outside of the others, {min(scale)} to {max(scale)}. If it means "
        f"that a rating is missing, set {remedy}"
    )
    count = sum(number[each] for each in codes)
    return Remark(text, count, code="missing-code", settings={"na_values": tuple(map(str, codes))})


def _word(texts: Mapping[str, int], n_ratings: int) -> Remark | None:
    """Return a warning about words among numbers; all labels are texts then."""
    words = {text: n for text, n in texts.items() if not _looks_numeric(text)}
    n_words = sum(words.values())
    n_numbers = sum(texts.values()) - n_words
    if not 0 < len(words) <= _MOST_WORDS or n_numbers < _MOSTLY * n_ratings:
        return None
    shown = ", ".join(f"{text!r} ({count:,})" for text, count in sorted(words.items()))
    remedy = setting("na_values", ",".join(sorted(words)))
    text = (
        f"Among ratings that are numbers, there are {shown}. If they mean that a rating is "
        f"missing, set {remedy}"
    )
    return Remark(text, n_words, code="missing-word", settings={"na_values": tuple(sorted(words))})


def _looks_numeric(text: str) -> bool:
    return re.fullmatch(r"[+-]?\d+(\.\d+)?", text) is not None


def _ordered(cells: RatedCells) -> Remark | None:
    """Return a warning about labels that may be an ordered scale."""
    whole = sorted(label for label in cells.labels if isinstance(label, int))
    if len(whole) < len(cells.labels) or not 3 <= len(whole) <= 11:
        return None
    if whole[-1] - whole[0] != len(whole) - 1:
        return None
    text = (
        f"The labels are {whole[0]} to {whole[-1]}. If they are ordered, such as scores, set "
        f"{setting('distance', 'ordinal')}; by default, labels are only equal or different"
    )
    return Remark(text, len(whole), code="ordered-labels", settings={"distance": "ordinal"})


def _total(cells: RatedCells) -> Remark | None:
    """Return a warning about a last row with a sum or a mean of the rows above."""
    if not cells.n_rows or cells.n_rows < 3:
        return None
    name = cells.items[int(cells.item_codes[cells.n_rows - 1])]
    if cells.item_column:
        if normalize_name(str(name)) not in _TOTALS and str(name).strip().casefold() not in _TOTALS:
            return None
        what = f"is called {name!r}"
    elif what := _computed_row(cells):
        pass
    else:
        return None
    text = f"The last row {what} and was read as an item. If it is not an item, remove it"
    return Remark(text, 1, code="total-row")


def _computed_row(cells: RatedCells) -> str:
    """Return whether the last row is the sum or the mean of the rows above, as a text."""
    if not all(isinstance(label, int | float) for label in cells.labels):
        return ""
    values: Floats = np.array([*map(float, cells.labels), np.nan])  # type: ignore[arg-type]
    table: NDArray[np.float64] = values[cells.grid]
    above, last = table[:, :-1], table[:, -1]
    if np.isnan(last).any() or len(last) < 2 or not (np.nanmax(np.abs(above), axis=1) > 0).all():
        return ""
    n_values = (~np.isnan(above)).sum(axis=1)
    if np.isclose(np.nansum(above, axis=1), last).all() and (n_values > 2).all():
        return "is the sum of the rows above"
    return ""
