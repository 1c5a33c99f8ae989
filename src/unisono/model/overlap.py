"""Treatment of overlapping and discontinuous units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, overload

import numpy as np

from unisono.errors import DataError, setting
from unisono.model.codes import Coded, renumbered, with_unlabelled
from unisono.model.columns import Detail, UnitColumns, details_of
from unisono.model.continuum import Continuum, continuum_of, ordered
from unisono.model.corpus import Corpus, check_continuum_or_corpus
from unisono.model.labels import label_order, ranked, slack_of
from unisono.registry import check_setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.continuum import Unit
    from unisono.model.labels import Label

__all__ = ["Overlap", "check_overlap", "overlapping_units", "split_fragments", "without_overlap"]


@overload
def split_fragments(data: Continuum) -> Continuum: ...


@overload
def split_fragments(data: Corpus) -> Corpus: ...


def split_fragments(data: Continuum | Corpus) -> Continuum | Corpus:
    """Split discontinuous units into one unit per fragment.

    A unit such as *looked … up* extends from the start of its first fragment to the end of its
    last, and measures compare this whole. After the split, they compare the fragments, each with
    the label of the whole: gaps count then, but a unit of three fragments counts three times.

    Parameters
    ----------
    data
        A continuum or a corpus.

    Returns
    -------
    Continuum or Corpus
        Of the same type; unchanged if no unit has fragments. Fragments have an attribute
        ``"fragment"``, counted from 1.

    Raises
    ------
    TypeError
        `data` is neither a continuum nor a corpus.

    Examples
    --------
    >>> import unisono as un
    >>> verb = un.Unit("ann", 2, 9, "verb", fragments=((2, 4), (7, 9)))
    >>> text = un.Continuum.from_units([verb, ("bob", 2, 4, "verb")])
    >>> for unit in un.split_fragments(text):
    ...     print(unit)
    Unit(annotator='ann', start=2.0, end=4.0, label='verb')
    Unit(annotator='ann', start=7.0, end=9.0, label='verb')
    Unit(annotator='bob', start=2.0, end=4.0, label='verb')
    """
    check_continuum_or_corpus("split_fragments", data)
    if isinstance(data, Corpus):
        split = {name: split_fragments(continuum) for name, continuum in data.items()}
        return data.with_continua(split)
    details = data.details
    if details is None or not any(detail.fragments for detail in details.values):
        return data
    by_row = dict(zip(details.rows.tolist(), details.values, strict=True))
    rows: list[int] = []
    bounds: list[tuple[float, float]] = []
    new_details: dict[int, Detail] = {}
    hulls = zip(data.starts.tolist(), data.ends.tolist(), strict=True)
    for row, hull in enumerate(hulls):
        detail = by_row.get(row)
        for number, fragment in enumerate((detail and detail.fragments) or (hull,), start=1):
            if detail is not None:
                attribute = {"fragment": number} if detail.fragments else {}
                new_details[len(rows)] = Detail((), {**detail.attributes, **attribute})
            rows.append(row)
            bounds.append(fragment)
    place = np.array(rows, dtype=np.int64)
    owners = np.repeat(np.arange(len(data.annotators)), data.counts)[place]
    columns = UnitColumns(
        data.annotators,
        owners,
        np.array([low for low, _ in bounds]),
        np.array([high for _, high in bounds]),
        data.labels,
        data.label_codes[place],
        details_of(new_details),
    )
    return continuum_of(
        ordered(columns, data.annotators, data.extent, data.annotators_from, data.text)
    )


Overlap: TypeAlias = Literal["raise", "merge", "split", "keep"]
"""What to do with units of one annotator that overlap."""


def check_overlap(overlap: object) -> None:
    """Raise if `overlap` is not a valid setting."""
    check_setting("overlap", overlap)


def without_overlap(
    continuum: Continuum, overlap: Overlap = "raise", *, within_labels: bool = False
) -> Continuum:
    """Return a continuum without overlapping units of one annotator; raise if there are any."""
    if overlap == "merge":
        continuum = _merged(continuum)
    rows = _overlapping_rows(continuum, within_labels=within_labels)
    if rows is not None and overlap == "split":
        continuum = _split(continuum, within_labels=within_labels)
        rows = None
    if rows is not None:
        one, other = (continuum.unit(row) for row in rows)
        raise DataError(_problem(one, other, overlap))
    return _without_rounding(continuum)


def overlapping_units(continuum: Continuum) -> tuple[Unit, Unit] | None:
    """Return two overlapping units of one annotator, or `None`.

    Units of length 0 do not overlap others.
    """
    rows = _overlapping_rows(continuum, within_labels=False)
    return None if rows is None else (continuum.unit(rows[0]), continuum.unit(rows[1]))


def _problem(one: Unit, other: Unit, overlap: Overlap) -> str:
    units = " and ".join(map(_quoted, (one, other)))
    found = f"{one.annotator!r} has units that overlap: {units}"
    split = f"{setting('overlap', 'split')} cuts them into pieces"
    if overlap == "merge":
        return (
            f"{found}; {setting('overlap', 'merge')} merges units of the same label only, {split}"
        )
    return (
        f"{found}; this measure does not accept overlapping units of one annotator. {split}, "
        f"{setting('overlap', 'merge')} merges those of the same label"
    )


def _quoted(unit: Unit) -> str:
    label = "" if unit.label is None else f" {unit.label!r}"
    return f"[{unit.start:.10g}, {unit.end:.10g}]{label}"


def _owners(continuum: Continuum) -> Integers:
    return np.repeat(np.arange(len(continuum.annotators)), continuum.counts)


def _overlapping_rows(continuum: Continuum, *, within_labels: bool) -> tuple[int, int] | None:
    """Return the rows of two units of one annotator that overlap by more than rounding."""
    rows = np.flatnonzero(continuum.ends > continuum.starts)
    groups = _owners(continuum)[rows]
    if within_labels:
        groups = groups * max(len(continuum.labels), 1) + continuum.label_codes[rows]
        order = np.lexsort((continuum.starts[rows], groups))
        rows, groups = rows[order], groups[order]
    starts, ends = continuum.starts[rows], continuum.ends[rows]
    # Sorted by start: if any two units of a group overlap, two neighbours do.
    over = (ends[:-1] - starts[1:] > slack_of(ends[:-1], starts[1:])) & (groups[1:] == groups[:-1])
    found = np.flatnonzero(over)
    if not len(found):
        return None
    # The first in the order of rows, whatever the labels.
    first = found[np.argmin(rows[found + 1])]
    return int(rows[first]), int(rows[first + 1])


def _without_rounding(continuum: Continuum) -> Continuum:
    """Move starts to the end of the unit before if they overlap by rounding only."""
    starts, ends = continuum.starts, continuum.ends
    owners = _owners(continuum)
    over = (ends[:-1] > starts[1:]) & (owners[1:] == owners[:-1])
    over &= ends[:-1] - starts[1:] <= slack_of(ends[:-1], starts[1:])
    over &= ends[:-1] < ends[1:]
    if not over.any():
        return continuum
    starts = starts.copy()
    starts[1:][over] = ends[:-1][over]
    return _rebuilt(continuum, owners, starts, ends, continuum.label_codes, continuum.labels)


def _merged(continuum: Continuum) -> Continuum:
    if not len(continuum):
        return continuum
    owners = _owners(continuum)
    n_labels = len(continuum.labels)
    groups = owners * n_labels + continuum.label_codes
    order = np.lexsort((continuum.ends, continuum.starts, groups))
    groups, starts, ends = groups[order], continuum.starts[order], continuum.ends[order]
    # The running maximum end of each group, as ranks that increase from group to group.
    values, ranks = np.unique(ends, return_inverse=True)
    reached = np.maximum.accumulate(groups * len(values) + ranks) % len(values)
    far = values[reached]
    new = np.ones(len(groups), dtype=np.bool_)
    new[1:] = (groups[1:] != groups[:-1]) | (starts[1:] - far[:-1] > slack_of(far[:-1], starts[1:]))
    if new.all():
        return continuum
    firsts = np.flatnonzero(new)
    codes = (groups[firsts] % n_labels).astype(np.int32)
    return _rebuilt(
        continuum,
        groups[firsts] // n_labels,
        starts[firsts],
        np.maximum.reduceat(ends, firsts),
        codes,
        continuum.labels,
    )


def _split(continuum: Continuum, *, within_labels: bool) -> Continuum:
    """Cut units at all bounds of units of the same annotator (and label, if `within_labels`)."""
    owners = _owners(continuum)
    long = np.flatnonzero(continuum.ends > continuum.starts)
    apart = max(len(continuum.labels), 1) if within_labels else 1
    groups = owners * apart + (continuum.label_codes if within_labels else 0)
    ranks = ranked(groups[long], continuum.starts[long], continuum.ends[long])
    sizes = ranks.ends - ranks.starts
    pieces = np.arange(int(sizes.sum())) + np.repeat(
        ranks.starts - (np.cumsum(sizes) - sizes), sizes
    )
    codes = np.repeat(continuum.label_codes[long].astype(np.int64), sizes)
    n_labels = len(continuum.labels)
    # The distinct labels of each piece, sorted.
    cells = np.unique(pieces * n_labels + codes)
    pieces, codes = np.divmod(cells, n_labels)
    pieces, firsts, depths = np.unique(pieces, return_index=True, return_counts=True)
    combined, labels = _combined(continuum.labels, codes, firsts, depths)
    points = np.flatnonzero(continuum.ends == continuum.starts)
    return _rebuilt(
        continuum,
        np.concatenate((ranks.groups[pieces] // apart, owners[points])),
        np.concatenate((ranks.places[pieces], continuum.starts[points])),
        np.concatenate((ranks.places[pieces + 1], continuum.ends[points])),
        np.concatenate((combined, continuum.label_codes[points].astype(np.int64))),
        labels,
    )


def _combined(
    labels: Sequence[Label | None], codes: Integers, firsts: Integers, depths: Integers
) -> tuple[Integers, list[Label | None]]:
    """Return the code of the union of labels of each piece, and the labels."""
    combined = codes[firsts]
    members = [(code,) for code in range(len(labels))]
    known = [*labels]
    for depth in range(1, int(depths.max(initial=1))):
        deep = np.flatnonzero(depths > depth)
        pairs = combined[deep] * len(labels) + codes[firsts[deep] + depth]
        found, places = np.unique(pairs, return_inverse=True)
        combined[deep] = len(known) + places
        for pair in found.tolist():
            before, last = divmod(pair, len(labels))
            members.append((*members[before], last))
            known.append(_union([labels[code] for code in members[-1]]))
    return combined, known


def _union(labels: Sequence[Label | None]) -> Label | None:
    present = [label for label in labels if label is not None]
    if len(present) == 1:
        return present[0]
    sets = (label if isinstance(label, frozenset) else frozenset((label,)) for label in present)
    return frozenset().union(*sets)


def _rebuilt(
    continuum: Continuum,
    owners: Integers,
    starts: Floats,
    ends: Floats,
    codes: Integers | Codes,
    labels: Sequence[Label | None],
) -> Continuum:
    """Build a continuum of other units of the same annotators."""
    coded: Coded[Label] = renumbered(codes, labels, label_order)
    all_labels, label_codes = with_unlabelled(coded)
    with_units, owners = np.unique(owners, return_inverse=True)
    columns = UnitColumns(
        tuple(continuum.annotators[code] for code in with_units.tolist()),
        owners,
        starts,
        ends,
        all_labels,
        label_codes,
    )
    unchanged = (continuum.annotators, continuum.extent, continuum.annotators_from, continuum.text)
    return continuum_of(ordered(columns, *unchanged))
