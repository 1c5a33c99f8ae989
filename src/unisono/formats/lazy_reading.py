"""`scan_corpus`: files to a corpus whose documents are made one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from unisono.formats.assigning import assigned
from unisono.formats.read import FRAGMENTS, check_choice, check_extent, gathered_from, read_paths
from unisono.model.corpus import read_from
from unisono.model.fragmenting import split_fragments

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from unisono.model.corpus import SeenBy
    from unisono.model.lazy_corpus import LazyCorpus

__all__ = ["scan_corpus"]


def scan_corpus(
    *paths: str | os.PathLike[str],
    format: str = "auto",  # noqa: A002 (the word users know)
    document: str | int | Literal[False] | None = None,
    annotator: str | int | None = None,
    start: str | int | None = None,
    end: str | int | None = None,
    label: str | int | Literal[False] | None = None,
    layer: str | Iterable[str] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    tags: Literal["auto", "iob1", "iob2", "iobes", "bilou"] = "auto",
    fragments: Literal["whole", "split"] = "whole",
    annotators: SeenBy | str | os.PathLike[str] = "auto",
    extent: tuple[float, float] | None = None,
    on_error: Literal["raise", "skip"] = "raise",
) -> LazyCorpus:
    """Read many documents, more than memory can hold, as `read` does.

    Every file is read once, and what cannot be read is told at once. Units beyond the first
    million wait in files; a document is made of them when it is asked for. What `gamma` gives is
    the same, to the last digit.

    Parameters
    ----------
    *paths
        Files and folders.
    format, document, annotator, start, end, label, layer, header, delimiter, tags, fragments, \
    annotators, extent, on_error
        As in `read`.

    Returns
    -------
    LazyCorpus
        The documents, equal to what `read` gives.

    Raises
    ------
    ReadError
        A file cannot be read, or there is no room for the units.
    DataError
        As in `read`.
    SettingError
        A setting is unknown or makes no sense.

    Notes
    -----
    Memory is needed for the names of documents, for who saw what where files tell it, for 12 bytes
    a unit where the rows of documents are mixed, and for the document at hand. The files take 28
    bytes a unit in the folder for temporary files; nobody sees them, and they go with the corpus.

    Examples
    --------
    >>> import unisono as un
    >>> corpus = un.scan_corpus("examples/corpus", annotators="corpus")
    >>> corpus["weather"]
    Continuum(3 annotators, 5 units, 2 labels, 21–141)
    >>> un.gamma(corpus, draws=30, rng=1).value == un.gamma(
    ...     un.read("examples/corpus", annotators="corpus"), draws=30, rng=1
    ... ).value
    True
    """
    check_choice("fragments", fragments, FRAGMENTS)
    check_extent(extent)
    seen = assigned(annotators)
    gathered = gathered_from(
        paths,
        {"document": document, "annotator": annotator, "start": start, "end": end, "label": label},
        format_=format,
        layer=layer,
        header=header,
        delimiter=delimiter,
        tags=tags,
        on_error=on_error,
        one_layer=True,
        lean=True,
    )
    corpus = gathered.lazy_corpus(seen, extent, split_fragments if fragments == "split" else None)
    return read_from(corpus, read_paths(paths, annotators))
