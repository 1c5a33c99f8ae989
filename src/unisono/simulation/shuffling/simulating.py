"""Simulate annotators once: the front door of the shuffling tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.measures.dice import seed_of
from unisono.simulation.shuffling.error_types import ERRORS, check_magnitude
from unisono.simulation.shuffling.shuffle import Shuffler

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np

    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.simulation.shuffling.error_types import ErrorType
    from unisono.simulation.shuffling.errors import Closeness, Prevalence
    from unisono.simulation.shuffling.shuffled import Shuffled

__all__ = ["shuffle"]


def shuffle(
    reference: Continuum,
    *,
    magnitude: float,
    errors: ErrorType | Iterable[ErrorType] = ERRORS,
    annotators: int | Iterable[str] | None = None,
    rng: int | np.random.Generator | None = 0,
    overlap: bool = True,
    position_factor: float = 2.0,
    split_cap: float = 5.0,
    prevalence: Prevalence = "reference",
    closeness: Closeness = None,
    certain: Iterable[Label] = (),
) -> Shuffled:
    """Simulate annotators who know the right answer and make errors of chosen types.

    Parameters
    ----------
    reference
        What is right: the units of one annotator, such as `generate_reference` makes, or
        ``text.only(annotators=("ann",))``. With several annotators each of them gets worse.
    magnitude
        How many errors, from 0 (none) to 1 (as many as there can be).
    errors
        Which: ``"position"``, ``"category"``, ``"false_negative"``, ``"false_positive"``,
        ``"split"``. They are made in this order, whatever the order here.
    annotators
        How many annotators, or their names; by default three, or those of the reference if it has
        several. The reference itself is not among them.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It is
        shown in the signature.
    overlap
        Whether moved and added units of an annotator may overlap.
    position_factor
        The longest move of a boundary at magnitude 1, in lengths of its unit.
    split_cap
        How many cuts an annotator makes at magnitude 1, for each unit of the reference.
    prevalence
        How often a label is chosen by mistake, or for an added unit: as often as in the
        ``"reference"``, all alike (``"uniform"``), or shares you give.
    closeness
        How easily one label is taken for another: a label distance by its name, as a
        `DistanceMatrix` or as a function (labels at distance 1 are never taken for each other), or
        a square table in the order of the labels. By default mistakes go to any label.
    certain
        Labels that annotators never mistake: units keep them, and no unit is given one by mistake.

    Returns
    -------
    Shuffled
        The degraded continuum, and what was done to which unit.

    Raises
    ------
    SettingError
        If the magnitude is not from 0 to 1, an error type is unknown, or a setting is impossible.
    DataError
        If the reference is empty, the closeness does not fit the labels, or units cannot be kept
        from overlapping.

    Notes
    -----
    The Corpus Shuffling Tool of [1]_ (§6.2) and [2]_. With magnitude m:

    - position: each boundary moves by a uniform value within ± m · `position_factor` · length,
      drawn again where boundaries cross or leave the document;
    - category: labels change with the probabilities (1 − m²)·I + m²·P, P the prevalence in each
      row, or with closeness O: (1 − m)·I + m³·P + (m − m³)·O;
    - false negatives: each unit is forgotten with probability m;
    - false positives: m times as many units are added as the reference has;
    - splits: m · `split_cap` · units cuts are made, one after another, each in one of the units
      there are by then.

    The constants of the authors' tool are not public; these are ours.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.
    .. [2] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), 661–681.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(units=20, rng=1)
    >>> worse = un.shuffle(reference, magnitude=0.3, errors=("position", "false_negative"), rng=7)
    >>> worse.continuum
    Continuum(3 annotators, 42 units, 4 labels, 0–317.2007154)
    >>> worse.counts["false_negative"]
    18
    """
    check_magnitude(magnitude)
    shuffler = Shuffler(
        reference,
        errors=errors,
        annotators=annotators,
        overlap=overlap,
        position_factor=position_factor,
        split_cap=split_cap,
        prevalence=prevalence,
        closeness=closeness,
        certain=certain,
    )
    return shuffler.shuffled(float(magnitude), seed_of(rng))
