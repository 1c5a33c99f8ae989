"""Record of how files were read: formats, layers, skipped rows, warnings, omitted contents."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Interpretation", "Remark", "Remarks", "absolute_paths"]


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark of a reader, such as the reason why rows were skipped.

    Attributes
    ----------
    text
        The remark.
    count
        Number of occurrences.
    where
        The first occurrence: a file, or a file and a line.

    Examples
    --------
    >>> from unisono.results import Remark
    >>> print(Remark("the end is missing", 2, "turns.csv:12"))
    the end is missing (2, first at turns.csv:12)
    """

    text: str
    count: int
    where: str

    def __str__(self) -> str:
        return f"{self.text} ({self.count:,}, first at {self.where})"


class Remarks:
    """Remarks on files as they are read, counted by text."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[str, Remark] = {}

    def add(self, text: str, where: str, count: int = 1) -> None:
        """Add occurrences of a remark."""
        before = self._found.get(text, Remark(text, 0, where))
        self._found[text] = Remark(text, before.count + count, before.where)

    def update(self, other: Remarks) -> None:
        """Add the remarks of another collection."""
        for remark in other._found.values():
            self.add(remark.text, remark.where, remark.count)

    def listed(self) -> tuple[Remark, ...]:
        """Return the remarks, the most frequent first."""
        return tuple(sorted(self._found.values(), key=lambda remark: -remark.count))


def absolute_paths(paths: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Return absolute paths; symbolic links are not resolved."""
    return tuple(os.path.abspath(path) for path in paths)  # noqa: PTH100 (keeps links)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How the files of a `Corpus` or of `Ratings` were read.

    Attributes
    ----------
    sources
        The files and folders, as absolute paths; `unisono.write` does not overwrite them.
    formats
        Number of files per format.
    layers
        Number of units, or ratings, per layer or tier, whether read or not; empty if the files
        have no layers.
    chosen_layers
        The layers that were read; empty if all were.
    skipped
        Invalid rows that were skipped, by reason.
    doubts
        Warnings about rows and contents that were kept.
    left_out
        Files that were not read, and contents of files that are not annotations.

    Examples
    --------
    >>> import unisono as un
    >>> read = un.read("examples/corpus").interpretation
    >>> dict(read.formats), read.layers, read.skipped
    ({'csv': 4}, {}, ())
    """

    sources: tuple[str, ...] = ()
    formats: Mapping[str, int] = field(default_factory=dict)
    layers: Mapping[str, int] = field(default_factory=dict)
    chosen_layers: tuple[str, ...] = ()
    skipped: tuple[Remark, ...] = ()
    doubts: tuple[Remark, ...] = ()
    left_out: tuple[Remark, ...] = ()

    @property
    def layers_read(self) -> dict[str, int]:
        """Number of units, or ratings, per layer that was read."""
        chosen = self.chosen_layers or self.layers
        return {name: number for name, number in self.layers.items() if name in chosen}
