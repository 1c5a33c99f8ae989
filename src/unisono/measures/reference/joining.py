"""Reference and hypothesis as one continuum or one corpus, for measures of agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus

if TYPE_CHECKING:
    from unisono.measures.reference.matching import Documents
    from unisono.model.labels import Label

__all__ = ["joined"]


class Joined(NamedTuple):
    """Both sides together, and who of the annotators are the reference."""

    data: Continuum | Corpus
    reference: tuple[str, ...]


def joined(documents: Documents) -> Joined:
    """Put both sides of every document into one continuum.

    Parameters
    ----------
    documents
        Both sides. An annotator of the hypothesis who is called like one of the reference gets
        another name.
    """
    people = {name for side in documents.references.values() for name in side.annotators}
    together = {
        document: _together(reference, documents.hypotheses[document], people)
        for document, reference in documents.references.items()
    }
    reference = tuple(sorted(people))
    if documents.one_continuum:
        return Joined(next(iter(together.values())), reference)
    return Joined(Corpus.from_continua(together, skipped=documents.skipped), reference)


def _together(reference: Continuum, hypothesis: Continuum, people: set[str]) -> Continuum:
    (system,) = hypothesis.annotators
    while system in people:
        system += " (hypothesis)"
    names = np.repeat(np.array(reference.annotators, dtype=object), reference.counts).tolist()
    # A side that marked nothing need not know where the document is.
    extents = [side.extent for side in (reference, hypothesis) if len(side) or side.extent[1]]
    return Continuum.from_columns(
        [*names, *[system] * len(hypothesis)],
        np.concatenate((reference.starts, hypothesis.starts)),
        np.concatenate((reference.ends, hypothesis.ends)),
        [*_labels(reference), *_labels(hypothesis)],
        annotators=(*reference.annotators, system),
        extent=(min(low for low, _ in extents), max(high for _, high in extents))
        if extents
        else None,
    )


def _labels(continuum: Continuum) -> list[Label | None]:
    return [continuum.labels[code] for code in continuum.label_codes.tolist()]
