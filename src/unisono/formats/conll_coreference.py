"""CoNLL-2012 coreference: brackets in the last column; positions are tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from unisono.formats.chains import chain_name
from unisono.formats.contents import Contents

if TYPE_CHECKING:
    from unisono.formats.contents import ReadOptions
    from unisono.formats.sources import Source


_BEGIN = re.compile(
    r"#\s*begin document\s+\(?([^);]*)\)?\s*;?\s*(?:part\s+(\S+))?\s*", re.IGNORECASE
)
_BRACKETS = re.compile(r"(\()?([^()|]+)(\))?")
_ID = "id"


def looks_like_conll_coreference(head: bytes) -> bool:
    """Tell the format by its first line."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:15].lower() == b"#begin document"


def read_conll_coreference(source: Source, options: ReadOptions) -> Contents:
    """Read mentions as units; the label is the chain.

    A chain is named by its first mention, because the numbers of chains mean nothing to
    another annotator; ``label="id"`` keeps the numbers, ``label=False`` mentions only.
    """
    contents = Contents(source, options)
    document = _Mentions(contents, source.document)
    for number, line in source.lines():
        if line.startswith("#"):
            if found := _BEGIN.match(line):
                document.finish(options)
                part = found[2] if found[2] and found[2].strip("0") else None
                name = found[1].strip() or source.document
                document = _Mentions(contents, name if part is None else f"{name} part {part}")
        elif line.strip():
            document.token(line.split()[-1], number)
    document.finish(options)
    return contents


class _Mentions:
    """The mentions of one document, while its tokens are read."""

    def __init__(self, contents: Contents, name: str) -> None:
        self.contents = contents
        self.name = name
        self.n_tokens = 0
        self.open: dict[str, list[tuple[int, int]]] = {}
        self.found: list[tuple[int, int, str, int]] = []

    def token(self, cell: str, line: int) -> None:
        """Take the brackets of one token."""
        at, self.n_tokens = self.n_tokens, self.n_tokens + 1
        if cell in {"-", "_", "*"}:
            return
        for part in cell.split("|"):
            fitted = _BRACKETS.fullmatch(part)
            if fitted is None or not (fitted[1] or fitted[3]):
                problem = f"{cell[:40]!r} is no coreference cell such as (3, 3), (3) or -"
                self.contents.object(problem, line)
            elif fitted[1] and fitted[3]:
                self.found.append((at, at + 1, fitted[2], line))
            elif fitted[1]:
                self.open.setdefault(fitted[2], []).append((at, line))
            elif self.open.get(fitted[2]):
                # The last that was opened: brackets of one chain may nest.
                start, began = self.open[fitted[2]].pop()
                self.found.append((start, at + 1, fitted[2], began))
            else:
                self.contents.object(f"{part[:40]!r} closes a mention that was not opened", line)

    def finish(self, options: ReadOptions) -> None:
        """Give all mentions to the contents."""
        if not self.n_tokens:
            return
        annotator = self.contents.source.owner()
        for chain, places in self.open.items():
            for _, line in places:
                self.contents.object(f"a mention of {chain!r} is never closed", line)
        self.contents.seen(self.name, annotator)
        self.contents.extent(self.name, 0, self.n_tokens)
        members: dict[str, list[tuple[int, int]]] = {}
        for start, end, chain, _ in self.found:
            members.setdefault(chain, []).append((start, end))
        names = {chain: chain_name(places) for chain, places in members.items()}
        for start, end, chain, line in self.found:
            label = chain if options.label == _ID else names[chain]
            called = None if options.label is False else label
            self.contents.add(self.name, annotator, start, end, called, line=line)
