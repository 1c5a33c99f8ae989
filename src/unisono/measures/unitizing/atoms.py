"""κ_d: Cohen's κ of units, with the atoms of a continuum as items."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import setting
from unisono.measures.data import of_units
from unisono.measures.items.table import value_alone
from unisono.model.corpus import check_continuum_or_corpus, documents_of
from unisono.model.ratings import Ratings
from unisono.model.segmentation import atom_length
from unisono.results.values import Signature
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection

    from unisono.measures.items.result import ItemsAgreement
    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.model.overlap import Overlap

__all__ = ["kappa_d"]


@of_units
def kappa_d(
    data: Continuum | Corpus, *, overlap: Overlap = "raise", atom: float | None = None
) -> ItemsAgreement:
    """Compute κ_d: Cohen's κ on the atoms of a continuum, such as characters or seconds.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus`, whose atoms are taken together.
    overlap
        How to treat overlapping units of one annotator: ``"raise"``, ``"merge"`` or ``"split"``,
        as in `unitizing_alpha`.
    atom
        The length of an atom. By default 1 if all positions are whole numbers, otherwise the
        largest of 0.1, 0.01, … that divides all positions, so that seconds and milliseconds give
        the same value; a note states it.

    Returns
    -------
    ItemsAgreement
        The items are atoms. There is no standard error, because atoms are not a sample.

    Raises
    ------
    DataError
        If units of one annotator overlap, or there are too many atoms.
    SettingError
        If the length of an atom is not positive, or the treatment of overlap is unknown.

    Notes
    -----
    κ_d is `cohen_kappa` of the result of `Ratings.from_continuum`, with gaps as another label. For
    three or more annotators it is the mean over pairs.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479, section 6.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 40, "NP"),
    ...         ("ann", 60, 90, "VP"),
    ...         ("bob", 0, 30, "NP"),
    ...         ("bob", 60, 90, "VP"),
    ...     ]
    ... )
    >>> un.kappa_d(text)
    ItemsAgreement(0.8333, 2 annotators, 90 items)
    """
    check_continuum_or_corpus("kappa_d", data)
    documents = documents_of(data).values()
    size = _fitting_atom(documents) if atom is None else atom_length(atom)
    labels = {label for continuum in documents for label in continuum.labels}
    blank = "gap"
    while blank in labels:
        blank += "'"
    atoms = Ratings.from_continuum(data, atom=size, blank=blank, overlap=overlap)
    # Atoms of the same unit are not independent, so an interval over atoms would be too narrow.
    found = value_alone("cohen_kappa", atoms, {"by_label": False, "by_pair": False})
    notes = found.notes
    if not found.undefined and atom is None and size != 1.0:
        option = setting("atom", ...)
        why = "positions are not whole numbers"
        notes += (f"atoms of length {size:.12g}, because {why}; {option} sets another length",)
    treatment = () if overlap == "raise" else (("overlap", overlap),)
    signature = Signature(
        "kappa_d",
        (
            ("atom", f"{size:.12g}"),
            *treatment,
            ("annotators", data.annotators_from),
            ("data", data.digest[:8]),
            ("v", __version__),
        ),
    )
    return replace(found, standard_error=None, notes=notes, signature=signature)


def _fitting_atom(documents: Collection[Continuum]) -> float:
    """Return 1, or the largest of 0.1, 0.01, … of which all positions are multiples.

    If there is none above 1e-6, return a power of ten of at most a thousandth of the median unit.
    """
    positions = np.unique(np.concatenate([[0.0], *(_positions(each) for each in documents)]))
    for digits in range(_MOST_DIGITS + 1):
        scaled = positions * 10.0**digits
        slack = np.maximum(_ROUNDING, 4.0 * np.spacing(scaled))
        if np.all(np.abs(scaled - np.rint(scaled)) <= slack):
            return 1.0 / 10.0**digits
    lengths = np.concatenate([np.empty(0), *(each.ends - each.starts for each in documents)])
    median = float(np.median(lengths[lengths > 0.0])) if (lengths > 0.0).any() else 1.0
    return float(f"1e{math.floor(math.log10(median)) - 3}")


def _positions(continuum: Continuum) -> Floats:
    """Return starts and ends of units, and the end of the document, from its start."""
    low, high = continuum.extent
    return np.concatenate((continuum.starts, continuum.ends, [high])) - low


_MOST_DIGITS = 6
# The largest fraction of an atom that is attributed to rounding.
_ROUNDING = 1e-6
