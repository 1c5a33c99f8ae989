"""The front of the unitizing alphas: settings, documents, and what each generation defines."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from unisono.errors import DataError, SettingError, setting
from unisono.measures.distances import check_distance
from unisono.measures.items.scales import checked_order
from unisono.measures.unitizing.measuring import Alphas
from unisono.measures.unitizing.unitizing_result import Generation
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.overlap import check_overlap, without_overlap
from unisono.results.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.unitizing.unitizing_result import UnitizingResult
    from unisono.model.labels import Label
    from unisono.model.overlap import Overlap

__all__ = ["unitizing_alpha"]

_MOST_DOCUMENTS = 1000  # that get a result of their own without being asked for


def unitizing_alpha(
    data: Continuum | Corpus,
    *,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    generation: Generation = "2016",
    overlap: Overlap = "raise",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_document: bool | None = None,
) -> UnitizingResult:
    """Say how much annotators agree on units and their labels, by Krippendorff's alphas.

    What counts is length: how much of the continuum annotators treat alike. uα takes the gaps
    between units for one more label, |uα asks only whether there is a unit, cuα compares labels
    where units of different annotators meet, and (k)uα does so for each label.

    Parameters
    ----------
    data
        A document, or a corpus, whose documents are pooled.
    distance
        How far two labels are apart, for cuα, as in `krippendorff_alpha`: ``"nominal"``,
        ``"ordinal"`` (ranks by length), ``"interval"``, …, a `DistanceMatrix`, or a function. The
        other alphas take labels for equal or not.
    generation
        ``"2016"``: uα, |uα, cuα and (k)uα [1]_. ``"2013"``: the uα that γ was compared with [2]_,
        and cuα. ``"1995"``: αU, over all labels and of each label alone [3]_ [4]_.
    overlap
        What to do with units of one annotator that overlap: ``"raise"`` refuses them, ``"merge"``
        makes one unit of those of the same label that overlap or touch, ``"split"`` cuts them where
        one of them begins or ends, and a piece of several units has the set of their labels. For
        1995 only units of the same label must not overlap.
    order
        All labels from low to high, for ``"ordinal"`` on labels that are no numbers.
    by_label
        Whether to give a value for each label; by default up to 1,000 labels.
    by_document
        Whether to give a result for each document of a corpus; by default up to 1,000 documents.

    Returns
    -------
    UnitizingResult
        `u`, `binary`, `coding` and `by_label`, each with the disagreements observed and expected;
        NaN with a reason where one is undefined, also where a generation does not have it.

    Raises
    ------
    DataError
        If units of one annotator overlap, or the distance cannot compare a label.
    SettingError
        If there is no such generation, distance or treatment of overlap.

    Notes
    -----
    2016: values c and k, labels or gap, coincide on l_ck = Σ_{i≠j} |g∩h|/(m − 1) over the sections
    g of annotator i with value c and h of annotator j with value k; l_c = Σ_k l_ck, and l is the
    sum of all, m times the length. uα = 1 − Σ_{c≠k} l_ck / Σ_{c≠k} e_ck with
    e_ck = l·(l_c·l_k − [c=k]·Q_c)/(l² − ΣQ), Q being Σ length² of units and the length of gaps.
    |uα is the same with all labels taken for one. cuα = 1 − Σ l_ck·δ_ck / Σ e_ck·δ_ck over labels
    alone, with l_c and l summed over labels alone, and
    e_ck = (l_c·l_k − [c=k]·R_c/(m − 1)) / (l − ΣR/(l(m − 1))); R_c is the sum over the units of c,
    and over the other annotators, of the squared length that the annotator's units cover.
    (k)uα = 1 − [(l_k − l_kk)/l_k] / [(e_k − e_kk)/e_k].

    cuα is confirmed by published values: 0.7152 on the table of four annotators and twelve items
    in [5]_, where another reading of R gives 0.7160, and 0.744 with the interval distance on
    Figure 14 of [2]_. uα, |uα and (k)uα follow the formulas of [1]_; no published value was
    at hand, and they were only computed a second time by other code of our own.

    2013: D_o = Σ_{i≠j} Σ [c≠k]·|g∩h|² / (L·m(m − 1)) and D_e = Σ over ordered pairs of sections
    with c ≠ k of S2(a, b)/((mL)² − Σ length²), S2 = a(a − 1)(2a − 1)/3 + (b − a + 1)a² for lengths
    a ≤ b. Reconstructed from Figure 14 of [2]_ (3.145, 5.286 and 0.405); a layout that fits its
    Figure 21a has 0.107, as printed.

    1995: each label is a continuum of its own, all else being gaps. Two units that meet differ by
    (difference of starts)² + (difference of ends)², a unit in a gap by its length squared. The
    expected disagreement is that of [4]_, confirmed by the values of its page 254.

    2013 and 1995 count whole places, such as characters. So does 2016 for gaps: in another unit of
    length its uα and |uα are others, by less the longer the text is; cuα and (k)uα are not.

    A corpus is measured as one long continuum in which nothing meets across documents: lengths,
    coincidences and squares are added up before the ratios are taken, each document with its own m.

    Units of length 0 leave no trace. One sort of all units and a few sweeps; R, 2013 and 1995 take
    one sweep for each annotator, a distance other than nominal the labels at each place.

    References
    ----------
    .. [1] Krippendorff, K., Mathet, Y., Bouvry, S., & Widlöcher, A. (2016). On the reliability of
       unitizing textual continua: further developments. Quality & Quantity 50(6), 2347–2364.
    .. [2] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479, section 6.1.
    .. [3] Krippendorff, K. (1995). On the reliability of unitizing continuous data. Sociological
       Methodology 25, 47–76.
    .. [4] Krippendorff, K. (2004). Content analysis: an introduction to its methodology, 2nd ed.
       Sage, chapter 11.
    .. [5] Mathet, Y. (2017). The agreement measure γcat a complement to γ focused on categorization
       of a continuum. Computational Linguistics 43(3), 661–681, section 5.1.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         *[("ann", 2, 17, 1), ("ann", 22, 37, 1), ("ann", 58, 68, 2), ("ann", 70, 75, 4)],
    ...         *[("bob", 2, 17, 1), ("bob", 32, 45, 3), ("bob", 58, 63, 1), ("bob", 70, 75, 4)],
    ...     ],
    ...     extent=(0, 76),
    ... )
    >>> alphas = un.unitizing_alpha(text, distance="interval")
    >>> f"{alphas.u:.3f} {alphas.binary:.3f} {alphas.coding:.3f}"
    '0.382 0.418 0.744'
    >>> old = un.unitizing_alpha(text, generation="2013")
    >>> f"{old.u:.3f}", f"{old.u.observed:.3f}", f"{old.u.expected:.3f}"
    ('0.405', '3.145', '5.286')
    """
    _check(distance, generation, overlap, order)
    if not isinstance(data, Continuum | Corpus):
        msg = f"unitizing is measured on a Continuum or a Corpus, not {type(data).__name__}"
        raise TypeError(msg)
    alphas = Alphas(
        data=data,
        settled=_settled(data, generation, overlap),
        distance=distance,
        generation=generation,
        overlap=overlap,
        order=checked_order(order),
        with_labels=by_label,
    )
    each = isinstance(data, Corpus) and (
        len(data) <= _MOST_DOCUMENTS if by_document is None else by_document
    )
    return alphas.result(each_document=each)


def _check(distance: object, generation: object, overlap: object, order: object) -> None:
    check_distance(distance)
    check_overlap(overlap)
    if generation not in get_args(Generation):
        choices = ", ".join(map(repr, get_args(Generation)))
        msg = f"unknown {setting('generation', generation)}; choose one of {choices}"
        raise SettingError(msg)
    if generation == "1995" and distance != "nominal":
        msg = (
            f"{setting('distance')} is for cuα, which {setting('generation', '1995')} does not have"
        )
        raise SettingError(msg)
    if order is not None and distance != "ordinal":
        msg = f"{setting('order')} is for {setting('distance', 'ordinal')} only"
        raise SettingError(msg)


def _settled(
    data: Continuum | Corpus, generation: Generation, overlap: Overlap
) -> dict[str, Continuum]:
    """Give the documents without overlap."""
    named = dict(data) if isinstance(data, Corpus) else {"": data}
    within = generation == "1995"
    found = {}
    for name, continuum in named.items():
        try:
            found[name] = without_overlap(continuum, overlap, within_labels=within)
        except DataError as error:
            if not isinstance(data, Corpus) or len(data) == 1:
                raise
            also = sum(_overlaps(each, overlap, within=within) for each in named.values()) - 1
            more = f" (and so do {count(also, 'more document')})" if also else ""
            msg = f"document {name!r}: {error}{more}"
            raise DataError(msg) from None
    return found


def _overlaps(continuum: Continuum, overlap: Overlap, *, within: bool) -> bool:
    try:
        without_overlap(continuum, overlap, within_labels=within)
    except DataError:
        return True
    return False
