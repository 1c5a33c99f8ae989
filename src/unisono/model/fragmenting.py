"""Units in several pieces, cut into units of their own."""

from __future__ import annotations

from typing import overload

import numpy as np

from unisono.model.assembling import ordered
from unisono.model.columns import UnitColumns
from unisono.model.continuum import Continuum, continuum_of
from unisono.model.corpus import Corpus
from unisono.model.details import Detail, details_of

__all__ = ["split_fragments"]


@overload
def split_fragments(data: Continuum) -> Continuum: ...


@overload
def split_fragments(data: Corpus) -> Corpus: ...


def split_fragments(data: Continuum | Corpus) -> Continuum | Corpus:
    """Make every piece of a unit that is in pieces a unit of its own.

    A unit such as *looked … up* is one unit from the start of its first piece to the end of
    its last, and that is what measures compare. After this, they compare the pieces, each
    with the label of the whole: gaps count then, but a unit of three pieces counts three times.

    Parameters
    ----------
    data
        A continuum or a corpus.

    Returns
    -------
    Continuum or Corpus
        Of the same kind; the same where no unit is in pieces. Pieces have an attribute
        ``"fragment"``, counted from 1.

    Raises
    ------
    TypeError
        It is neither.

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
    if isinstance(data, Corpus):
        split = {name: split_fragments(continuum) for name, continuum in data.items()}
        return data.with_continua(split)
    if not isinstance(data, Continuum):
        msg = f"split_fragments takes a Continuum or a Corpus; got {type(data).__name__}"
        raise TypeError(msg)
    details = data.details
    if details is None or not any(detail.fragments for detail in details.values):
        return data
    by_row = dict(zip(details.rows.tolist(), details.values, strict=True))
    rows: list[int] = []
    bounds: list[tuple[float, float]] = []
    more: dict[int, Detail] = {}
    whole = zip(data.starts.tolist(), data.ends.tolist(), strict=True)
    for row, hull in enumerate(whole):
        detail = by_row.get(row)
        for number, piece in enumerate((detail and detail.fragments) or (hull,), start=1):
            if detail is not None:
                named = {"fragment": number} if detail.fragments else {}
                more[len(rows)] = Detail((), {**detail.attributes, **named})
            rows.append(row)
            bounds.append(piece)
    place = np.array(rows, dtype=np.int64)
    owners = np.repeat(np.arange(len(data.annotators)), data.counts)[place]
    columns = UnitColumns(
        data.annotators,
        owners,
        np.array([low for low, _ in bounds]),
        np.array([high for _, high in bounds]),
        data.labels,
        data.label_codes[place],
        details_of(more),
    )
    return continuum_of(
        ordered(columns, data.annotators, data.extent, data.annotators_from, data.text)
    )
