"""κ_d: Cohen's κ of units, with the atoms of a continuum as items."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import setting
from unisono.measures.items.table import value_alone
from unisono.model.corpus import check_continuum_or_corpus, documents_of
from unisono.model.ratings import Ratings
from unisono.model.segmentation import atom_length
from unisono.results.values import Signature
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unisono.measures.items.result import ItemsAgreement
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.model.overlap import Overlap

__all__ = ["kappa_d"]


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
        The length of an atom; by default 1.

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
    size = atom_length(atom)
    documents = documents_of(data).values()
    labels = {label for continuum in documents for label in continuum.labels}
    blank = "gap"
    while blank in labels:
        blank += "'"
    atoms = Ratings.from_continuum(data, atom=atom, blank=blank, overlap=overlap)
    # Atoms of the same unit are not independent, so an interval over atoms would be too narrow.
    found = value_alone("cohen_kappa", atoms, {"by_label": False, "by_pair": False})
    notes = found.notes
    if not found.undefined and atom is None and not _are_whole(documents):
        option = setting("atom", ...)
        notes += (f"positions are not whole numbers; {option} sets an atom length other than 1",)
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


def _are_whole(documents: Iterable[Continuum]) -> bool:
    positions = [
        np.concatenate((each.starts, each.ends, np.asarray(each.extent))) for each in documents
    ]
    return all(bool((each == np.rint(each)).all()) for each in positions)
