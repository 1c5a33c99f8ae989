"""Two sides of a comparison: which documents meet, as columns with labels they share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.model.columns import as_name, as_names
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_order
from unisono.model.naming import known_names, listed
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unisono.model.arrays import Floats, Integers
    from unisono.model.labels import Label

__all__ = [
    "Documents",
    "Meeting",
    "Side",
    "Sides",
    "documents_that_meet",
    "one_reference",
    "refuse_nobody",
    "sides_of",
    "sides_of_meetings",
]


class Documents(NamedTuple):
    """Documents as the reference and as the hypothesis has them."""

    references: dict[str, Continuum]
    hypotheses: dict[str, Continuum]
    """The same names; each continuum has one annotator."""
    one_continuum: bool
    """Whether a continuum was given and no corpus."""
    notes: tuple[str, ...] = ()
    skipped: int = 0

    @property
    def digests(self) -> tuple[str, str]:
        """What stands for the data of each side in a signature."""
        if self.one_continuum:
            ((reference, hypothesis),) = zip(
                self.references.values(), self.hypotheses.values(), strict=True
            )
            return reference.digest[:8], hypothesis.digest[:8]
        both = (Corpus.from_continua(side) for side in (self.references, self.hypotheses))
        reference_digest, hypothesis_digest = (corpus.digest[:8] for corpus in both)
        return reference_digest, hypothesis_digest


class Meeting(NamedTuple):
    """One document, as one annotator of the reference and as the hypothesis has it."""

    document: str
    reference: Continuum
    hypothesis: Continuum


class Side(NamedTuple):
    """The units of one side in all meetings, meeting after meeting."""

    starts: Floats
    ends: Floats
    labels: Integers
    """Codes of the labels that both sides share."""
    meetings: Integers
    """The number of each unit's meeting."""
    offsets: Integers
    """Where each meeting begins."""


class Sides(NamedTuple):
    """Both sides with the labels that either uses."""

    meetings: tuple[Meeting, ...]
    labels: tuple[Label | None, ...]
    reference: Side
    hypothesis: Side


def documents_that_meet(
    reference: Continuum | Corpus | str | Iterable[str],
    hypothesis: Continuum | Corpus | str,
    within: Continuum | Corpus | None,
) -> Documents:
    """Find out what is compared with what.

    Parameters
    ----------
    reference, hypothesis
        Data of two kinds alike, or names of annotators `within` other data.
    within
        Where these annotators are.

    Returns
    -------
    Documents
        A hypothesis without a document of the reference marked nothing there; one that the
        reference does not have is left out. Both are told in the notes.

    Raises
    ------
    DataError
        The sides have no document in common, or somebody is not there.
    """
    if within is not None:
        return _named(reference, hypothesis, within)
    sides = []
    for role, data in (("reference", reference), ("hypothesis", hypothesis)):
        if not isinstance(data, Continuum | Corpus):
            hint = "; the name of an annotator needs within=…" if isinstance(data, str) else ""
            msg = f"the {role} is a Continuum or a Corpus, got {type(data).__name__}{hint}"
            raise TypeError(msg)
        sides.append({"": data} if isinstance(data, Continuum) else dict(data))
    references, hypotheses = sides
    one_continuum = isinstance(reference, Continuum) and isinstance(hypothesis, Continuum)
    skipped = sum(data.skipped for data in (reference, hypothesis) if isinstance(data, Corpus))
    if len(references) == len(hypotheses) == 1:
        # Two files with a document each: their names need not be the same.
        ((name, first),) = references.items()
        ((other, second),) = hypotheses.items()
        document = name or other
        met = Documents({document: first}, {document: second}, one_continuum, skipped=skipped)
    else:
        met = _by_name(references, hypotheses)._replace(skipped=skipped)
    for document, continuum in met.hypotheses.items():
        _refuse_several(document, continuum, "hypothesis")
    return met


def sides_of(documents: Documents) -> Sides:
    """Set the columns of all documents side by side; every annotator of a reference has a turn."""
    return sides_of_meetings(
        Meeting(document, alone, documents.hypotheses[document])
        for document, continuum in documents.references.items()
        for alone in _each_annotator(continuum)
    )


def sides_of_meetings(meetings: Iterable[Meeting]) -> Sides:
    """Set the columns of all meetings side by side."""
    meetings = tuple(meetings)
    references = [meeting.reference for meeting in meetings]
    hypotheses = [meeting.hypothesis for meeting in meetings]
    used = {label for continuum in (*references, *hypotheses) for label in continuum.labels}
    labels = tuple(sorted(used, key=label_order))
    place = {label: code for code, label in enumerate(labels)}
    return Sides(meetings, labels, _side(references, place), _side(hypotheses, place))


def one_reference(documents: Documents) -> Documents:
    """Refuse a reference with several annotators where a measure knows one only."""
    for document, continuum in documents.references.items():
        _refuse_several(document, continuum, "reference")
    return documents


def refuse_nobody(documents: Documents) -> Documents:
    """Refuse a reference that nobody made."""
    for document, continuum in documents.references.items():
        if not continuum.annotators:
            _refuse_several(document, continuum, "reference")
    return documents


def _side(continua: Sequence[Continuum], place: Mapping[Label | None, int]) -> Side:
    codes = [
        np.array([place[label] for label in continuum.labels], np.int64)[continuum.label_codes]
        for continuum in continua
    ]
    sizes = np.array([len(continuum) for continuum in continua], np.int64)
    return Side(
        np.concatenate([np.empty(0), *(continuum.starts for continuum in continua)]),
        np.concatenate([np.empty(0), *(continuum.ends for continuum in continua)]),
        np.concatenate([np.empty(0, np.int64), *codes]),
        np.repeat(np.arange(len(continua)), sizes),
        np.concatenate(([0], np.cumsum(sizes))),
    )


def _each_annotator(continuum: Continuum) -> list[Continuum]:
    if len(continuum.annotators) == 1:
        return [continuum]
    return [continuum.only(annotators=(name,)) for name in continuum.annotators]


def _refuse_several(document: str, continuum: Continuum, role: str) -> None:
    names = continuum.annotators
    if len(names) == 1:
        return
    where = f" of document {document!r}" if document else ""
    if not names:
        msg = f"the {role}{where} has no annotator: nobody saw it"
        raise DataError(msg)
    msg = (
        f"the {role}{where} is to be the work of one annotator, and here are {listed(names)}; "
        "choose one of them"
    )
    raise DataError(msg)


def _by_name(references: Mapping[str, Continuum], hypotheses: Mapping[str, Continuum]) -> Documents:
    shared = [name for name in references if name in hypotheses]
    if not shared:
        msg = (
            "the reference and the hypothesis have no document in common: "
            f"{listed(references)} in the one, {listed(hypotheses)} in the other; "
            "give documents the same names"
        )
        raise DataError(msg)
    missing = [name for name in references if name not in hypotheses]
    extra = [name for name in hypotheses if name not in references]
    notes = []
    if missing:
        notes.append(
            f"{count(len(missing), 'document')} of the reference not in the hypothesis, which "
            f"counts as having marked nothing there: {some(missing, 3)}"
        )
    if extra:
        notes.append(
            f"{count(len(extra), 'document')} of the hypothesis not in the reference, and "
            f"left out: {some(extra, 3)}"
        )
    system = hypotheses[shared[0]].annotators
    nothing = {
        name: Continuum.from_units((), annotators=system, extent=references[name].extent)
        for name in missing
    }
    met = {name: hypotheses[name] if name in hypotheses else nothing[name] for name in references}
    return Documents(dict(references), met, one_continuum=False, notes=tuple(notes))


def _named(reference: object, hypothesis: object, within: Continuum | Corpus) -> Documents:
    if not isinstance(within, Continuum | Corpus):
        msg = f"within is a Continuum or a Corpus, got {type(within).__name__}"
        raise TypeError(msg)
    if isinstance(reference, Continuum | Corpus) or isinstance(hypothesis, Continuum | Corpus):
        msg = "with within=… the reference and the hypothesis are names of annotators"
        raise TypeError(msg)
    given = (reference,) if isinstance(reference, str | int) else reference
    wanted = as_names(given, "annotator")  # type: ignore[arg-type]
    system = as_name(hypothesis, "an annotator")
    known_names((*wanted, system), within.annotators, "annotator")
    if not wanted or system in wanted:
        msg = (
            "a comparison needs two different annotators; got the reference "
            f"{listed(wanted)} and the hypothesis {system!r}"
        )
        raise SettingError(msg)
    documents = {"": within} if isinstance(within, Continuum) else dict(within)
    seen = {
        name: continuum
        for name, continuum in documents.items()
        if system in continuum.annotators and set(wanted).intersection(continuum.annotators)
    }
    if not seen:
        msg = f"no document was seen by {listed(wanted)} and by {system!r}"
        raise DataError(msg)
    left_out = [name for name in documents if name not in seen]
    told = f"{count(len(left_out), 'document')} left out that not both sides saw: "
    notes = (told + some(left_out, 3),) if left_out else ()
    return Documents(
        {
            name: continuum.only(annotators=set(wanted).intersection(continuum.annotators))
            for name, continuum in seen.items()
        },
        {name: continuum.only(annotators=(system,)) for name, continuum in seen.items()},
        isinstance(within, Continuum),
        notes,
        0 if isinstance(within, Continuum) else within.skipped,
    )
