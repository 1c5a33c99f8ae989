"""One annotation out of many: the middle and the majority of what annotators share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.gamma.aligning import annotators_told
from unisono.measures.gamma.alignment import Alignment
from unisono.measures.gamma.gamma_result import GammaResult
from unisono.measures.gamma.searching import Search
from unisono.measures.settings import check_number
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_text
from unisono.results.signature import Signature
from unisono.results.wording import count, printable, some
from unisono.studies.consensus_decisions import decide
from unisono.studies.consensus_result import (
    CONSENSUS,
    Consensus,
    ConsensusUnit,
    UndecidedGroup,
    most_voted,
)
from unisono.studies.document_alignments import document_alignments
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.studies.consensus_decisions import Decisions

__all__ = ["consensus"]

Alignable: TypeAlias = Continuum | Corpus | Alignment | GammaResult
_OF_ALIGNMENTS = ("dissim", "soft", "gap", "time")


def consensus(
    data: Alignable,
    *,
    support: float = 0.5,
    atom: float | None = None,
    dissimilarity: Dissimilarity | None = None,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    time_limit: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Consensus:
    """Make one annotation of what enough annotators share, and list what is left to decide.

    From each group of the best alignment with enough support comes one unit: its bounds are the
    medians of the group's bounds, its label is the one with the most votes. Groups with too little
    support, or with a tie of labels, stay undecided.

    Parameters
    ----------
    data
        A `Continuum` or a `Corpus`, which is aligned first; or an `Alignment`, or what `gamma`
        gave, whose alignments are used.
    support
        The share of the annotators who saw the document that must have a unit in the group: half
        of them by default. Two are needed at least, whatever the share.
    atom
        What places are whole numbers of, such as 1 for characters: medians are then rounded, halves
        outwards. By default they stay as they are, and may lie between two characters.
    dissimilarity, soft, gap_tolerance, time_limit
        How to align, as in `best_alignment`; not for what is aligned already.
    progress
        Told after each document that is aligned how many units are done, of how many.

    Returns
    -------
    Consensus
        The units with their support and spread, the undecided groups, and a continuum.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If fewer than two annotators saw the document, or each of the documents.

    Notes
    -----
    Mathet, Widlöcher & Métivier [1]_ name the gold standard as a use of the alignment; what it is
    made of is our choice. The median of starts is never after the median of ends. Of an even number
    of bounds it is the middle of the two in the middle. All units of a group count for its bounds,
    also those with another label.

    References
    ----------
    .. [1] Mathet, Y., Widlöcher, A., & Métivier, J.-P. (2015). The unified and holistic method
       gamma (γ) for inter-annotator agreement measure and alignment. Computational Linguistics
       41(3), 437–479.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [
    ...         ("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"),
    ...         ("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"),
    ...         ("cy", 1, 11, "A"), ("cy", 31, 45, "A"),
    ...     ]
    ... )  # fmt: skip
    >>> for unit in un.consensus(text).continuum:
    ...     print(unit.start, unit.end, unit.label)
    0.0 11.0 A
    15.0 20.0 B
    31.0 45.0 A
    >>> un.consensus(text, support=1).undecided[0].reason
    '2 of 3 annotators'
    """
    _check(support, atom)
    settings: dict[str, Any] = {"soft": soft, "gap_tolerance": gap_tolerance}
    settings["time_limit"] = time_limit
    if isinstance(data, Alignment | GammaResult):
        _refuse_settings(dissimilarity, settings)
    if isinstance(data, Alignment):
        return _of_one(data, "", support, atom)
    if isinstance(data, GammaResult):
        if data.documents or data.alignment is None:
            found = {name: each.alignment for name, each in data.documents.items()}
            known = {name: each for name, each in found.items() if each is not None}
            # Seen by two or more, but without units: nothing to decide, and nothing left out.
            return _of_documents(known, tuple(data.left_out_documents), data, support, atom)
        return _of_one(data.alignment, "", support, atom)
    if not isinstance(data, Continuum | Corpus):
        msg = (
            "consensus takes a Continuum, a Corpus, an Alignment or a GammaResult, "
            f"got {type(data).__name__}"
        )
        raise TypeError(msg)
    alignments = document_alignments(
        data, dissimilarity=dissimilarity, search=Search(**settings), progress=progress
    )
    if isinstance(data, Continuum):
        if not alignments:
            msg = f"a consensus needs two annotators or more; here {annotators_told(data)}"
            raise DataError(msg)
        return _of_one(next(iter(alignments.values())), "", support, atom)
    left_out = tuple(name for name in data if name not in alignments)
    return _of_documents(alignments, left_out, data, support, atom)


def _check(support: float, atom: float | None) -> None:
    if isinstance(support, bool) or not isinstance(support, int | float | np.number):
        msg = f"support must be a number, got {support!r} of type {type(support).__name__}"
        raise TypeError(msg)
    if not 0.0 <= support <= 1.0:
        msg = (
            "support is a share of the annotators from 0 to 1, such as 0.5 for half of them; "
            f"got {support}"
        )
        raise SettingError(msg)
    if atom is not None:
        check_number("atom", atom, may_be_zero=False)


def _refuse_settings(dissimilarity: Dissimilarity | None, settings: Mapping[str, Any]) -> None:
    given = [name for name, value in settings.items() if value]
    given += ["dissimilarity"] if dissimilarity is not None else []
    if given:
        msg = (
            f"{', '.join(given)} would be too late: the units are aligned already; "
            "give the continuum or the corpus instead"
        )
        raise SettingError(msg)


def _of_one(alignment: Alignment, name: str, support: float, atom: float | None) -> Consensus:
    found = decide(alignment, support=support, atom=atom)
    continuum = alignment.continuum
    notes = []
    if not alignment.proven:
        notes.append("the alignment is not proven to be the best")
    return Consensus(
        continuum=_continuum(alignment, found),
        units=_units(alignment, found, name),
        undecided=_undecided(alignment, found, name),
        n_groups=len(alignment),
        n_annotators=len(continuum.annotators),
        support=float(support),
        alignment=alignment,
        notes=tuple(notes),
        signature=_signature(alignment.signature, support, atom),
    )


def _of_documents(
    alignments: Mapping[str, Alignment],
    left_out: tuple[str, ...],
    data: Corpus | GammaResult,
    support: float,
    atom: float | None,
) -> Consensus:
    if not alignments:
        msg = "a consensus needs documents with units that two annotators or more saw; here is none"
        raise DataError(msg)
    found = {name: _of_one(each, name, support, atom) for name, each in alignments.items()}
    notes: list[str] = []
    unproven = [name for name, each in alignments.items() if not each.proven]
    if unproven:
        told = some(unproven, 3)
        notes.append(f"{count(len(unproven), 'alignment')} not proven to be the best: {told}")
    known: str = data.annotators_from
    if isinstance(data, Corpus):
        digest, annotators = data.digest, len(data.annotators)
    else:
        digest, annotators = data.signature["data"], data.n_annotators
    # Settings of the alignment are the same for all; those of the data are the corpus's own.
    of_alignment = next(iter(alignments.values())).signature
    last = (("annotators", known), ("data", digest[:8]), ("v", __version__))
    settings = tuple(pair for pair in of_alignment.settings if pair[0] in _OF_ALIGNMENTS)
    return Consensus(
        continuum=None,
        units=tuple(unit for each in found.values() for unit in each.units),
        undecided=tuple(group for each in found.values() for group in each.undecided),
        n_groups=sum(each.n_groups for each in found.values()),
        n_annotators=annotators,
        support=float(support),
        documents=found,
        left_out_documents=left_out,
        skipped=data.skipped,
        notes=tuple(notes),
        signature=_signature(Signature("alignment", settings + last), support, atom),
    )


def _signature(of: Signature, support: float, atom: float | None) -> Signature:
    rounding = () if atom is None else (("atom", f"{atom:.12g}"),)
    return Signature(CONSENSUS, (("support", f"{support:.12g}"), *rounding, *of.settings))


def _continuum(alignment: Alignment, found: Decisions) -> Continuum:
    original = alignment.continuum
    kept = found.is_decided
    starts, ends = found.starts[kept], found.ends[kept]
    # Rounding may lead out of the document by less than an atom.
    low = min(original.extent[0], starts.min(initial=original.extent[0]))
    high = max(original.extent[1], ends.max(initial=original.extent[1]))
    return Continuum.from_columns(
        [CONSENSUS] * int(kept.sum()),
        starts,
        ends,
        [original.labels[code] for code in found.label_codes[kept].tolist()],
        annotators=(CONSENSUS,),
        extent=(float(low), float(high)),
        text=original.text,
    )


def _units(alignment: Alignment, found: Decisions, name: str) -> tuple[ConsensusUnit, ...]:
    kept = np.flatnonzero(found.is_decided)
    labels = [alignment.continuum.labels[code] for code in found.label_codes[kept].tolist()]
    annotators = found.annotators[kept]
    columns = (
        (kept + 1).tolist(),
        found.starts[kept].tolist(),
        found.ends[kept].tolist(),
        labels,
        annotators.tolist(),
        (annotators / max(1, len(alignment.continuum.annotators))).tolist(),
        (found.votes[kept] / annotators).tolist(),
        found.start_spreads[kept].tolist(),
        found.end_spreads[kept].tolist(),
    )
    return tuple(ConsensusUnit(name, *row) for row in zip(*columns, strict=True))


def _undecided(alignment: Alignment, found: Decisions, name: str) -> tuple[UndecidedGroup, ...]:
    n = len(alignment.continuum.annotators)
    listed = []
    for place in np.flatnonzero(~found.is_decided).tolist():
        units = tuple(unit for unit in alignment.groups[place] if unit is not None)
        supported = bool(found.is_supported[place])
        if supported:
            tied = (printable(label_text(label)) or "(no label)" for label in most_voted(units))
            votes = count(int(found.votes[place]), "vote")
            reason = f"the labels {', '.join(tied)} have {votes} each"
        else:
            reason = f"{len(units)} of {count(n, 'annotator')}"
        listed.append(
            UndecidedGroup(
                document=name,
                group=place + 1,
                start=float(found.starts[place]),
                end=float(found.ends[place]),
                why="labels" if supported else "support",
                reason=reason,
                annotators=len(units),
                units=units,
            )
        )
    return tuple(listed)
