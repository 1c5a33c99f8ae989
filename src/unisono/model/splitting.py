"""From the columns of a whole corpus to one continuum a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from unisono.errors import DataError
from unisono.model.assembling import assembled, unit_order
from unisono.model.continuum import Continuum, continuum_of
from unisono.model.naming import declared_annotators, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unisono.model.arrays import Integers
    from unisono.model.assembling import AnnotatorsFrom
    from unisono.model.columns import UnitColumns


def split(
    documents: tuple[str, ...],
    document_codes: Integers,
    units: UnitColumns,
    *,
    seen: Literal["units", "corpus"] | Mapping[str, tuple[str, ...]],
    extents: Mapping[str, tuple[float, float]],
    texts: Mapping[str, str] | None = None,
) -> dict[str, Continuum]:
    """Sort all units once, then cut where a document ends.

    Parameters
    ----------
    documents
        Names, sorted; some may have no units.
    document_codes
        Position in `documents` of each unit.
    units
        The units of all documents.
    seen
        Who saw which document.
    extents
        Extents of some documents.
    texts
        Texts of some documents.
    """
    n_annotators = max(len(units.annotators), 1)
    owners = document_codes * n_annotators + units.annotator_codes
    order = unit_order(units, owners)
    details = None if units.details is None else units.details.taken(order, len(order))
    starts, ends, codes = units.starts[order], units.ends[order], units.label_codes[order]
    # A run is what one annotator has in one document.
    owners = owners[order]
    firsts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1])[: len(owners)])
    runs, bounds = owners[firsts], np.append(firsts, len(order))
    cuts = np.searchsorted(runs // n_annotators, np.arange(len(documents) + 1))
    continua = {}
    for number, document in enumerate(documents):
        low, high = int(cuts[number]), int(cuts[number + 1])
        rows = slice(int(bounds[low]), int(bounds[high]))
        with_units = [units.annotators[run % n_annotators] for run in runs[low:high].tolist()]
        try:
            annotators, known_from = annotators_of(document, with_units, units.annotators, seen)
            counts = dict(zip(with_units, np.diff(bounds[low : high + 1]).tolist(), strict=True))
            finished = assembled(
                annotators=annotators,
                counts=np.array([counts.get(name, 0) for name in annotators], dtype=np.int64),
                starts=starts[rows],
                ends=ends[rows],
                label_codes=codes[rows],
                labels=units.labels,
                extent=extents.get(document),
                annotators_from=known_from,
                details=None if details is None else details.between(rows.start, rows.stop),
                text=(texts or {}).get(document),
            )
        except DataError as error:
            msg = f"document {document!r}: {error}"
            raise DataError(msg) from None
        continua[document] = continuum_of(finished)
    return continua


def annotators_of(
    document: str,
    with_units: Sequence[str],
    everyone: tuple[str, ...],
    seen: Literal["units", "corpus"] | Mapping[str, tuple[str, ...]],
) -> tuple[tuple[str, ...], AnnotatorsFrom]:
    """Say who saw a document, and how that is known.

    Raises
    ------
    DataError
        A table does not have the document, or not all who have units in it.
    """
    if seen == "units":
        return tuple(with_units), "units"
    if seen == "corpus":
        return everyone, "corpus"
    if document not in seen:
        msg = (
            "it has units, but the table of who saw what does not have it; "
            f"the table has {listed(seen)}"
        )
        raise DataError(msg)
    return declared_annotators(seen[document], with_units), "declared"
