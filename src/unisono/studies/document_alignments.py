"""The best alignment of every document, with label distances that are those of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.measures.gamma.aligning import aligned, alignment_of, columns_of
from unisono.measures.gamma.dissimilarity import Combined, check_dissimilarity
from unisono.measures.gamma.fitted import label_counts
from unisono.measures.gamma.searching import USUAL_SEARCH, Search
from unisono.model.corpus import Corpus
from unisono.parallel.progress import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.measures.gamma.alignment import Alignment
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.model.continuum import Continuum

__all__ = ["document_alignments", "documents_of"]

_ONLY = "continuum"


def documents_of(data: Continuum | Corpus) -> Mapping[str, Continuum]:
    """Give the documents by name; one continuum is a document without a name of its own.

    Examples
    --------
    >>> import unisono as un
    >>> list(documents_of(un.Continuum.from_units([("ann", 0, 2)])))
    ['continuum']
    """
    return data if isinstance(data, Corpus) else {_ONLY: data}


def document_alignments(
    data: Continuum | Corpus,
    *,
    dissimilarity: Dissimilarity | None = None,
    search: Search = USUAL_SEARCH,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Alignment]:
    """Align every document that two annotators or more saw, as `gamma` does.

    Parameters
    ----------
    data
        A continuum or a corpus. Label distances that depend on the data, such as ordinal ones,
        are fixed for all of it.
    dissimilarity
        What it costs to align two units; `Combined()` by default.
    search
        What counts as an alignment, and when to stop looking.
    progress
        Told after each document how many units are done, of how many.

    Examples
    --------
    >>> import unisono as un
    >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "A")])
    >>> document_alignments(un.Corpus.from_continua({"talk": talk}))
    {'talk': Alignment(1 group, disorder 0.0000, proven)}
    """
    chosen = Combined() if dissimilarity is None else dissimilarity
    check_dissimilarity(chosen)
    fitted = chosen.fitted(data.labels, label_counts(data))
    found: dict[str, Alignment] = {}
    documents = documents_of(data)
    report = Report(progress, sum(map(len, documents.values())))
    for name, continuum in documents.items():
        n = len(continuum.annotators)
        if n >= 2:
            own = fitted.for_labels(continuum.labels)
            groups = aligned(columns_of(continuum), own, search=search)
            found[name] = alignment_of(continuum, groups, own, len(continuum) / n, search)
        report.add(len(continuum))
    return found
