"""`read_chains`: from files with coreference, or with content units of pyramids, to chains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from unisono.errors import DataError, ReadError, SettingError, renamed, setting
from unisono.formats.files import find_sources
from unisono.formats.layers import COREFERENCE
from unisono.formats.read import read
from unisono.formats.registry import FORMATS
from unisono.formats.roles import NUMBER, UNITS, normalize_name
from unisono.formats.tables import Table
from unisono.model.chains import Chains
from unisono.model.columns import listed

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from unisono.formats.source import Source
    from unisono.model.corpus import Corpus, SeenBy

__all__ = ["read_chains"]

_NAMES = (
    *("chain", "chains", "chainid", "coreference", "coreferenceid", "corefid", "coref"),
    *("entity", "entityid", "cluster", "clusterid", "scu", "scuid", "group"),
)


def read_chains(
    *paths: str | os.PathLike[str],
    format: str = "auto",  # noqa: A002 (the word users know)
    document: str | int | Literal[False] | None = None,
    annotator: str | int | None = None,
    start: str | int | None = None,
    end: str | int | None = None,
    chain: str | int | None = None,
    layer: str | Iterable[str] | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    seen_by: SeenBy | str | os.PathLike[str] = "auto",
    on_error: Literal["raise", "skip"] = "raise",
    accept: str | Iterable[str] = (),
    annotators: str | Iterable[str] | None = None,
    documents: str | Iterable[str] | None = None,
) -> Chains:
    r"""Read chains of mentions, such as coreference, from files and folders.

    Formats are recognised as `read` does: CoNLL-2012, CoNLL-U with ``Entity=`` (CorefUD), brat
    (equivalences ``*`` and relations whose type has "coref" in its name), UIMA CAS and WebAnno TSV
    with chains, INCEpTION projects, and tables with the columns annotator, document, start, end and
    chain. Files of one annotator each, or a folder for each annotator, are recognised as `read`
    does.

    Parameters
    ----------
    *paths
        Files, and folders that are searched for them.
    format
        The format, or ``"auto"``.
    document, annotator, start, end
        Columns of a table, by name or by number from 1, or what `read` takes for them.
    chain
        The column of a table that names the chain, by name or number; by default the one called
        chain, entity, cluster, coreference, scu or group. A name of a chain counts within a
        document and an annotator only. An empty cell is a chain of one mention.
    layer
        The layers to read, where there are several.
    header, delimiter
        Of a table, as in `read`.
    seen_by
        Who saw a document, as in `read`.
    on_error
        ``"raise"``, or ``"skip"`` to leave out rows that cannot be read, and of a mention in two
        chains of an annotator the second; both are counted in `Chains.notes`.
    accept, annotators, documents
        As in `read`.

    Returns
    -------
    Chains
        The chains; a mention is named by its place, such as ``"0-4"``.

    Raises
    ------
    ReadError
        A file cannot be read, has no chains, or has a mention in two chains; the message has the
        file and, where known, the line.
    SettingError
        A setting is unknown or does not apply.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import unisono as un
    >>> table = "annotator,start,end,chain\nann,0,1,e1\nann,4,5,e1\nbob,0,1,x\nbob,4,5,y\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "talk.csv").write_text(table)
    ...     chains = un.read_chains(folder)
    >>> chains["talk"]["ann"], chains["talk"]["bob"]
    ((('0-1', '4-5'),), (('0-1',), ('4-5',)))
    """
    # In `read`, the label names the chain.
    with renamed(label="chain"):
        sources = find_sources(paths, format, FORMATS, annotator=annotator, document=document)
        names = dict.fromkeys(source.format for source in sources)
        is_table = {FORMATS[name].is_table for name in names}
        if len(is_table) > 1:
            problem = f"tables and files of other formats ({listed(names)}); read them one by one"
            raise ReadError(problem, path=paths[0])
        columns = {"start": start, "end": end, "header": header, "delimiter": delimiter}
        if is_table == {True}:
            label: Any = _chain_column(sources[0].path, chain, header=header, delimiter=delimiter)
        else:
            _check_formats(sources)
            label = COREFERENCE
            asked = [*columns.items(), ("label", chain)]
            if of_table := [name for name, value in asked if value is not None]:
                msg = f"{setting(of_table[0])} is for tables; these files are {listed(names)}"
                raise SettingError(msg)
        corpus = read(
            *paths,
            format=format,
            document=document,
            annotator=annotator,
            label=label,
            layer=layer,
            seen_by=seen_by,
            on_error=on_error,
            accept=accept,
            annotators=annotators,
            documents=documents,
            **columns,  # type: ignore[arg-type]
        )
        return _chains_of(corpus, sources, keep="first" if on_error == "skip" else "raise")


def _check_formats(sources: Iterable[Source]) -> None:
    for source in sources:
        form = FORMATS[source.format]
        if not form.has_chains:
            known = [each.title for each in FORMATS.values() if each.has_chains]
            problem = (
                f"a file in the format {form.title!r} has no chains; expected {', '.join(known)}, "
                "or a table with the columns annotator, document, start, end and chain"
            )
            if not source.path.stat().st_size:
                problem = "the file is empty; expected chains of mentions"
            raise ReadError(problem, path=source.path)


def _chain_column(
    path: Path, chain: str | int | None, *, header: bool | None, delimiter: str | None
) -> str | int | None:
    """Return the column of chains of a table: the one asked for, or the one with a usual name."""
    if chain is not None or header is False or path.suffix.lower() in {".parquet", ".pq"}:
        return "chain" if chain is None and header is not False else chain
    first = Table(path, "a mention in each row", delimiter=delimiter).first
    usual = [cell.strip() for cell in first if normalize_name(cell) in _NAMES]
    exact = [cell for cell in usual if normalize_name(cell) == "chain"]
    found = exact or usual
    if len(found) > 1:
        problem = (
            f"the chain can be any of the columns {listed(found)}; set {setting('label', ...)}"
        )
        raise ReadError(problem, path=path, line=1)
    if not found and header is None and any(map(NUMBER.fullmatch, map(str.strip, first))):
        return None  # no header: `read` says which columns it expects
    if not found and not UNITS.matches("label", first):
        problem = (
            f"no column for chain; the columns are {listed(first)}; set {setting('label', ...)}"
        )
        raise ReadError(problem, path=path, line=1)
    return found[0] if found else None


def _chains_of(
    corpus: Corpus, sources: Sequence[Source], *, keep: Literal["raise", "first"]
) -> Chains:
    if not corpus.n_units:
        problem = "no mention in these files; expected chains of mentions"
        raise ReadError(problem, path=sources[0].path)
    try:
        return Chains.from_corpus(corpus, repeated=keep)
    except DataError as error:
        problem = f"{error}, or set {setting('on_error', 'skip')} to keep it in the first"
        raise ReadError(problem, path=_path_of_repeated(corpus, sources)) from None


def _path_of_repeated(corpus: Corpus, sources: Sequence[Source]) -> Path:
    """Return the file of the first mention that is in two chains."""
    for document, continuum in corpus.items():
        for annotator in continuum.annotators:
            try:
                Chains.from_corpus(continuum.only(annotators=[annotator]))
            except DataError:
                own = [each for each in sources if each.annotator in (None, annotator)]
                return next((each for each in own if each.document == document), own[0]).path
    return sources[0].path
