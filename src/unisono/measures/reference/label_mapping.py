"""Which label of a hypothesis stands for which label of the reference, where names do not tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import SettingError
from unisono.measures.gamma.aligning import Columns, cheapest_pairs
from unisono.measures.reference.candidates import candidate_pairs
from unisono.measures.reference.matching import sides_of
from unisono.model.labels import as_label, label_order, label_text
from unisono.model.naming import known_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.measures.reference.matching import Documents, Sides
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label

    Pairs: TypeAlias = dict[Label | None, Label | None]

__all__ = ["LabelMapping", "MappedDocuments", "check_mapping", "mapped", "mapping_told"]

LabelMapping: TypeAlias = (
    "Literal['best', 'by-document'] | Mapping[Label | None, Label | None] | None"
)
"""How labels of the hypothesis are taken for labels of the reference."""
# A pair may save the cost of two units alone, 2, counted in 2⁻⁴⁰; the last bit is for the name.
_STEPS = 2.0**39


class MappedDocuments(NamedTuple):
    """Documents whose hypothesis speaks the reference's language."""

    documents: Documents
    used: dict[str, Pairs]
    """For each document the labels that were taken for others."""
    unmapped: tuple[Label | None, ...] = ()
    """Labels of the hypothesis that stand for none."""


def check_mapping(mapping: object) -> None:
    """Refuse what is no mapping of labels."""
    if mapping is None or isinstance(mapping, Mapping):
        return
    if not isinstance(mapping, str):
        msg = f"mapping is 'best', 'by-document', a table of labels or None, got {mapping!r}"
        raise TypeError(msg)
    if mapping not in ("best", "by-document"):
        msg = (
            f"unknown mapping {mapping!r}; choose 'best', 'by-document', or give a table: label of "
            "the hypothesis to label of the reference"
        )
        raise SettingError(msg)


def mapping_told(mapping: LabelMapping) -> str:
    """Write a mapping for a signature."""
    if mapping is None or isinstance(mapping, str):
        return mapping or "none"
    pairs = sorted(
        ((as_label(old), as_label(new)) for old, new in mapping.items()),
        key=lambda pair: label_order(pair[0]),
    )
    return ",".join(f"{label_text(old)}>{label_text(new)}" for old, new in pairs)


def mapped(documents: Documents, mapping: LabelMapping) -> MappedDocuments:
    """Rename the labels of the hypothesis.

    Parameters
    ----------
    documents
        Both sides.
    mapping
        ``"best"`` pairs labels one to one so that units of paired labels overlap the longest, over
        all documents; ``"by-document"`` does so in each; a table is taken as it is.

    Returns
    -------
    MappedDocuments
        A label without a counterpart keeps its name, unless that is the name of a label of the
        reference, which it does not mean.
    """
    names = list(documents.references)
    if mapping is None:
        return MappedDocuments(documents, {name: {} for name in names})
    if isinstance(mapping, Mapping):
        known_labels(mapping, _labels(documents.hypotheses.values()))
        table = {as_label(old): as_label(new) for old, new in mapping.items()}
        tables = dict.fromkeys(names, table)
        return MappedDocuments(_renamed(documents, tables), tables)
    sides = sides_of(documents)
    scopes = [[name] for name in names] if mapping == "by-document" else [names]
    used: dict[str, Pairs] = {}
    renames: dict[str, Pairs] = {}
    unmapped: set[Label | None] = set()
    for scope, weights in zip(scopes, _overlap(sides, scopes), strict=True):
        table = _best_pairs(weights, sides.labels)
        reference = _labels(documents.references[name] for name in scope)
        hypothesis = _labels(documents.hypotheses[name] for name in scope)
        alone = hypothesis.difference(table)
        new_names = table | _freed(alone & reference, reference | hypothesis)
        unmapped |= alone
        used |= dict.fromkeys(scope, table)
        renames |= dict.fromkeys(scope, new_names)
    in_order = tuple(sorted(unmapped, key=label_order))
    return MappedDocuments(_renamed(documents, renames), used, in_order)


def _labels(continua: Iterable[Continuum]) -> set[Label | None]:
    return {label for continuum in continua for label in continuum.labels}


def _renamed(documents: Documents, tables: Mapping[str, Pairs]) -> Documents:
    return documents._replace(
        hypotheses={
            name: continuum.rename(
                labels={old: tables[name][old] for old in continuum.labels if old in tables[name]}
            )
            for name, continuum in documents.hypotheses.items()
        }
    )


def _overlap(sides: Sides, scopes: Sequence[Sequence[str]]) -> Floats:
    """Sum for each scope how long units of a label overlap units of another label."""
    pairs = candidate_pairs(sides.reference, sides.hypothesis)
    scope_of = {name: number for number, scope in enumerate(scopes) for name in scope}
    in_scope = np.array([scope_of[meeting.document] for meeting in sides.meetings], np.int64)
    size = len(sides.labels)
    codes = sides.reference.labels[pairs.left] * size + sides.hypothesis.labels[pairs.right]
    # Points overlap for no time at all: what has points only is counted.
    weights = pairs.common if pairs.common.any() else np.ones(len(codes))
    keys = in_scope[sides.reference.meetings[pairs.left]] * size**2 + codes
    summed = np.bincount(keys, weights, minlength=len(scopes) * size**2).astype(np.float64)
    return summed.reshape(len(scopes), size, size)


def _best_pairs(weights: Floats, labels: Sequence[Label | None]) -> Pairs:
    """Pair labels one to one so that the weights of the pairs sum to the most."""
    left, right = map(np.ascontiguousarray, np.nonzero(weights))
    if not len(left):
        return {}
    size = len(labels)
    at = np.tile(np.arange(size, dtype=np.float64), 2)
    columns = Columns(at, at, np.zeros(2 * size, np.int32), np.array([0, size, 2 * size]))
    shares = np.rint(weights[left, right] / weights.max() * (_STEPS - 1.0))
    # Of two equally good partners the one of the same name.
    worth = 2.0 * shares + (left == right)
    chosen = cheapest_pairs(columns, (left, right + size, 2.0 - worth / _STEPS))
    return {labels[new - size]: labels[old] for old, new in chosen.tolist()}


def _freed(
    colliding: Iterable[Label | None], taken: Iterable[Label | None]
) -> dict[Label | None, Label | None]:
    """Give other names to labels that are called like one they do not mean."""
    names = set(taken)
    freed: Pairs = {}
    for label in sorted(colliding, key=label_order):
        name = f"{label_text(label)} (unmatched)"
        while name in names:
            name += "'"
        names.add(name)
        freed[label] = name
    return freed
