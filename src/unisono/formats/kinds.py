"""What there is to know of a format: how it is recognised, read and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from unisono.formats.contents import Contents, ReadOptions
    from unisono.formats.path_roles import ByPath
    from unisono.formats.sources import Source
    from unisono.model.corpus import Corpus

    Reader: TypeAlias = Callable[[Source, ReadOptions], Contents | Iterable[Contents]]

    Writer: TypeAlias = Callable[[Corpus, Path], dict[Path, str]]


class Format(NamedTuple):
    """How one format is recognised, read and written."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    reader: Reader | None = None  # None: a table, or no reader yet
    writer: Writer | None = None
    looks_like: Callable[[bytes], bool] | None = None
    inside: tuple[str, ...] = ()
    by_path: ByPath = "inside"
    companions: tuple[str, ...] = ()
    is_table: bool = False
    may_be_empty: bool = False  # an empty file is a document in which nothing was marked


# an empty file is a document in which nothing was marked
