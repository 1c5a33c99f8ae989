"""CoNLL-U: reader of the mentions and chains of CorefUD and Universal Anaphora (``Entity=``)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unisono.errors import ReadError, setting
from unisono.formats.contents import Contents
from unisono.formats.layers import COREFERENCE, chain_name
from unisono.model.columns import listed

if TYPE_CHECKING:
    from unisono.formats.contents import ReadOptions
    from unisono.formats.source import Source

__all__ = ["read_conllu"]

_NEW_DOCUMENT = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*\S))?\s*")
_FIELDS = re.compile(r"#\s*global\.Entity\s*=\s*(\S+)\s*")
_USUAL_FIELDS = ("eid", "etype", "head", "other")
# The field that names the chain, and its older name.
_IDS = ("eid", "GRP")
_BRACKET = re.compile(r"\([^()]+\)?|[^()]+\)")
_PART = re.compile(r"(.+)\[(\d{1,6})/(\d{1,6})\]")
_WORD = re.compile(r"(\d+)(?:([-.])\d+)?")
_N_COLUMNS = 10


@dataclass(slots=True)
class _Mention:
    """A mention: its pieces from word to before word, and the brackets that are still open."""

    chain: str
    line: int
    n_pieces: int
    fields: dict[str, str]
    pieces: list[tuple[int, int]] = field(default_factory=list)


def read_conllu(source: Source, options: ReadOptions) -> Contents:
    """Read mentions as units, with words as positions; the label is the chain.

    A chain is named by its first mention. With ``label="coreference"`` or ``label="eid"`` the
    label is the entity's name in the file; ``label="etype"`` or another field of ``global.Entity``
    is the label in its place; with ``label=False`` there is none. Empty nodes, such as dropped
    pronouns, are words too. A line ``# newdoc`` starts a document.
    """
    contents = Contents(source, options)
    contents.label_from("chain", options)
    document = _Document(contents, source.document)
    n_documents = 0
    for number, line in source.lines():
        if line.startswith("#"):
            if found := _NEW_DOCUMENT.fullmatch(line):
                document.finish(options)
                n_documents += 1
                contents.from_place("document", "attribute", "newdoc")
                name = found[1] or (
                    source.document if n_documents == 1 else f"{source.document}-{n_documents}"
                )
                document = _Document(contents, name, document.fields)
            elif found := _FIELDS.fullmatch(line):
                document.fields = tuple(found[1].split("-"))
                _check_fields(document.fields, source, number)
        elif line.strip():
            document.add_line(line, number)
    document.finish(options)
    if not contents.seen_pairs:
        problem = "no line has the ten columns of CoNLL-U, separated by tabs"
        raise ReadError(problem, path=source.path)
    return contents


def _check_fields(fields: tuple[str, ...], source: Source, line: int) -> None:
    if not any(name in fields for name in _IDS):
        there = f"the fields are {listed(fields)}"
        problem = f"global.Entity has no field eid, which names the chain; {there}"
        raise ReadError(problem, path=source.path, line=line)


class _Document:
    """Mentions of one document, collected word by word."""

    def __init__(
        self, contents: Contents, name: str, fields: tuple[str, ...] = _USUAL_FIELDS
    ) -> None:
        self.contents = contents
        self.name = name
        self.fields = fields
        self.n_words = 0
        self.open: dict[str, list[tuple[_Mention, int]]] = {}
        self.found: list[_Mention] = []

    def add_line(self, line: str, number: int) -> None:
        """Read the line of a word."""
        cells = line.split("\t")
        word = _WORD.fullmatch(cells[0])
        if len(cells) != _N_COLUMNS or word is None:
            got = f"got {len(cells)} and the id {cells[0][:20]!r}"
            self.contents.object(f"expected the ten columns of CoNLL-U; {got}", number)
            return
        entity = next(
            (each[len("Entity=") :] for each in cells[9].split("|") if each.startswith("Entity=")),
            "",
        )
        if word[2] == "-":  # several words in one token, which follow
            if entity:
                self.contents.object("Entity= must be on words, not on a range of words", number)
            return
        at, self.n_words = self.n_words, self.n_words + 1
        for bracket in self._brackets(entity, number):
            self._add_bracket(bracket, at, number)

    def _brackets(self, entity: str, line: int) -> list[str]:
        brackets = _BRACKET.findall(entity)
        if "".join(brackets) != entity:
            expected = "expected (e1-person-1-, e1) or (e1)"
            self.contents.object(f"{entity[:60]!r} is not a value of Entity=; {expected}", line)
            return []
        return list(brackets)

    def _add_bracket(self, bracket: str, at: int, line: int) -> None:
        if not bracket.startswith("("):
            self._close(bracket[:-1], at, line)
            return
        values = bracket.strip("()").split("-")
        fields = dict(zip(self.fields, values, strict=False))
        own = next((fields[name] for name in _IDS if fields.get(name)), "")
        if not own:
            self.contents.object(f"{bracket[:60]!r} names no entity", line)
            return
        mention = self._mention(own, fields, line)
        if mention is None:
            return
        if bracket.endswith(")"):
            mention.pieces.append((at, at + 1))
        else:
            self.open.setdefault(own, []).append((mention, at))

    def _mention(self, own: str, fields: dict[str, str], line: int) -> _Mention | None:
        """Return a new mention, or for a later piece the one that it continues."""
        part = _PART.fullmatch(own)
        if part is None or part[2] == "1":
            chain, n_pieces = (own, 1) if part is None else (part[1], int(part[3]))
            self.found.append(_Mention(chain, line, n_pieces, fields))
            return self.found[-1]
        for mention in reversed(self.found):
            is_next = len(mention.pieces) == int(part[2]) - 1
            if mention.chain == part[1] and mention.n_pieces == int(part[3]) and is_next:
                return mention
        self.contents.object(f"{own[:60]!r} continues a mention that was not begun", line)
        return None

    def _close(self, own: str, at: int, line: int) -> None:
        waiting = self.open.get(own)
        if not waiting:
            self.contents.object(f"{own[:60] + ')'!r} closes a mention that was not opened", line)
            return
        # Close the mention opened last: brackets of one chain may be nested.
        mention, start = waiting.pop()
        mention.pieces.append((start, at + 1))

    def finish(self, options: ReadOptions) -> None:
        """Add all mentions to the contents."""
        if not self.n_words:
            return
        annotator = self.contents.source.owner()
        self.contents.seen(self.name, annotator)
        self.contents.extent(self.name, 0, self.n_words)
        complete = []
        for mention in self.found:
            if len(mention.pieces) == mention.n_pieces:
                complete.append(mention)
            else:
                problem = f"a mention of the chain {mention.chain!r} is never closed"
                self.contents.object(problem, mention.line)
        first: dict[str, tuple[int, int]] = {}
        for mention in complete:
            place = mention.pieces[0][0], mention.pieces[-1][1]
            first[mention.chain] = min(first.get(mention.chain, place), place)
        for mention in complete:
            label: Any = self._label(mention, options, chain_name([first[mention.chain]]))
            pieces = tuple(mention.pieces) if len(mention.pieces) > 1 else ()
            start, end = mention.pieces[0][0], mention.pieces[-1][1]
            self.contents.add(
                *(self.name, annotator, start, end, label), line=mention.line, fragments=pieces
            )

    def _label(self, mention: _Mention, options: ReadOptions, name: str) -> str | None:
        asked = options.label
        if asked is False:
            return None
        if asked is None:
            return name
        if asked in (COREFERENCE, *_IDS):
            return mention.chain
        if asked not in self.fields:
            problem = (
                f"no field {asked!r} for {setting('label')}; the fields of global.Entity are "
                f"{listed(self.fields)}"
            )
            raise ReadError(problem, path=self.contents.source.path)
        return mention.fields.get(str(asked)) or None
