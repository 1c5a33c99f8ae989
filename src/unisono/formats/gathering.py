"""The columns gathered from all files, and the corpus they make."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from unisono.errors import ReadError
from unisono.formats.contents import Remarks
from unisono.formats.spilling import ColumnFiles
from unisono.model.columns import Codebook, UnitColumns, merged
from unisono.model.corpus import Corpus, corpus_of, seen_by
from unisono.model.details import NO_ATTRIBUTES, Detail, details_of
from unisono.model.labels import Label, as_label, label_order
from unisono.model.lazy_corpus import LazyCorpus, RawColumns, lazy_corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from unisono.formats.contents import Contents, UnitBlock
    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import SeenBy


_T = TypeVar("_T")
_KINDS = (np.int32, np.int32, np.float64, np.float64, np.int32)
# Units that are kept in memory before they go to files: 28 MB.
_MOST_WAITING = 2**20
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Block:
    """Units read together; what is text is numbered by the codebooks of `Gathered`."""

    documents: Integers | Codes
    annotators: Integers | Codes
    starts: Floats
    ends: Floats
    labels: Integers | Codes
    layers: Sequence[str] | None = None


@dataclass(slots=True)
class Gathered:
    """What was read so far. Names and labels are kept as they stand in the cells."""

    documents: Codebook = field(default_factory=Codebook)
    annotators: Codebook = field(default_factory=Codebook)
    # Texts are numbers if all are written as numbers; what is sure stands in a tuple.
    labels: Codebook = field(default_factory=Codebook)
    blocks: list[Block] = field(default_factory=list)
    n_units: int = 0
    # Documents that are a whole file, and the file; their key in the codebook is a tuple.
    whole_files: dict[str, Path] = field(default_factory=dict)
    files_without_units: dict[str, ReadError] = field(default_factory=dict)
    formats: Counter[str] = field(default_factory=Counter)
    layers: Counter[str] = field(default_factory=Counter)
    details: dict[int, Detail] = field(default_factory=dict)
    seen_pairs: dict[tuple[str, str], None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    extents: dict[str, tuple[float, float]] = field(default_factory=dict)
    n_parts: dict[str, int] = field(default_factory=dict)
    notes: Remarks = field(default_factory=Remarks)
    skips: Remarks = field(default_factory=Remarks)
    others: Remarks = field(default_factory=Remarks)
    # Of a corpus that is made document by document: units go to files, texts are not kept.
    is_lean: bool = False
    files: ColumnFiles | None = None
    n_waiting: int = 0

    def code_of_file(self, document: str, path: Path) -> int:
        """Give the number of a document that is a whole file."""
        self.whole_files[document] = path
        return int(self.documents.codes([(document,)])[0])

    def add_block(self, block: Block, layers: frozenset[str] | None = None) -> None:
        """Add units of a table, of some layers or of all."""
        if block.layers is not None:
            self.layers.update(block.layers)
            if layers is not None:
                kept = np.array([layer in layers for layer in block.layers], dtype=bool)
                columns = (block.documents, block.annotators, block.starts, block.ends)
                taken = [column[kept] for column in (*columns, block.labels)]
                block = Block(*taken)
        self._append(block)

    def _append(self, block: Block) -> None:
        self.n_units += len(block.starts)
        self.blocks.append(_small(block))
        if self.is_lean:
            self.n_waiting += len(block.starts)
            if self.n_waiting >= _MOST_WAITING:
                self._spill()

    def _spill(self) -> None:
        """Write the units that wait in memory to files."""
        if self.files is None:
            self.files = ColumnFiles(_KINDS)
        self.files.append(self._joined_columns())
        self.n_waiting = 0

    def take(self, contents: Contents, layers: frozenset[str] | None = None) -> None:
        """Add what a file holds, of some layers or of all."""
        contents.flush()
        own = contents.source.document
        documents = self.documents.codes(
            [(name,) if name == own else name for name in contents.documents.values]
        )
        if own in contents.documents.values:
            self.whole_files[own] = contents.source.path
        annotators = self.annotators.codes(contents.annotators.values)
        labels = self.labels.codes(contents.label_keys())
        names = [str(name) for name in contents.layers.values]
        wanted = np.array([layers is None or name in layers for name in names], dtype=bool)
        for block in contents.blocks:
            counts = np.bincount(block.layers, minlength=len(names)).tolist()
            self.layers.update(dict(zip(names, counts, strict=True)))
            kept = wanted[block.layers]
            self._take_details(contents, block, kept, names)
            taken = Block(
                documents[block.documents[kept]],
                annotators[block.annotators[kept]],
                block.starts[kept],
                block.ends[kept],
                labels[block.labels[kept]],
            )
            self._append(taken)
        self.seen_pairs.update(contents.seen_pairs)
        for document, text in contents.texts.items():
            mark = sha256(text.encode(errors="replace")).hexdigest() if self.is_lean else text
            if self.texts.setdefault(document, mark) != mark:
                self.notes.add(
                    "texts of a document that differ between files", str(contents.source.path)
                )
        for document, (low, high) in contents.extents.items():
            first, last = self.extents.get(document, (low, high))
            self.extents[document] = (min(low, first), max(high, last))
        for name, number in contents.n_parts.items():
            if self.n_parts.setdefault(name, number) != number:
                self.notes.add(
                    "files of one name that -DOCSTART- parts otherwise", str(contents.source.path)
                )
        for mine, its in zip(
            (self.notes, self.skips, self.others),
            (contents.notes, contents.skips, contents.others),
            strict=True,
        ):
            mine.update(its)

    def _take_details(
        self,
        contents: Contents,
        block: UnitBlock,
        kept: NDArray[np.bool_],
        names: Sequence[str],
    ) -> None:
        has_layers = any(names)
        # Attributes matter to nothing but the order of units that are alike but for their pieces.
        if self.is_lean and not contents.fragments:
            return
        if not (contents.fragments or contents.attributes or has_layers):
            return
        numbers = np.arange(len(kept)) if block.kept is None else block.kept
        rows = np.flatnonzero(kept)
        for row, number, layer in zip(
            range(self.n_units, self.n_units + len(rows)),
            (numbers[rows] + block.first).tolist(),
            block.layers[rows].tolist(),
            strict=True,
        ):
            fragments = contents.fragments.get(number, ())
            attributes = contents.attributes.get(number, NO_ATTRIBUTES)
            if names[layer]:
                attributes = {"layer": names[layer], **attributes}
            if fragments or attributes:
                self.details[row] = Detail(fragments, attributes)

    def corpus(
        self, annotators: SeenBy | Literal["auto"], extent: tuple[float, float] | None = None
    ) -> Corpus:
        """Make the corpus of all that was read; an extent is that of every document."""
        documents, people, (documents_of, people_of, starts, ends, labels_of) = self._columns()
        seen = self._known(documents, documents_of, people, people_of, annotators)
        self._check_without_units(seen)
        names, people_of = merged(people_of, people, str)
        labels, labels_of = merged(labels_of, _labels(self.labels.values), label_order)
        details = details_of(self.details)
        labels_of = labels_of.astype(np.int32)
        units = UnitColumns(names, people_of, starts, ends, labels, labels_of, details)
        return corpus_of(
            documents,
            documents_of,
            units,
            annotators=seen,
            extents=self._all_extents(documents, documents_of, starts, ends, seen, extent),
            skipped=self.skips.counts.total(),
            notes=tuple(remark_lines(self.notes)),
            texts=self.texts,
        )

    def lazy_corpus(
        self,
        annotators: SeenBy | Literal["auto"],
        extent: tuple[float, float] | None = None,
        changed: Callable[[Continuum], Continuum] | None = None,
    ) -> LazyCorpus:
        """Make the same corpus, its documents when they are asked for."""
        documents, people, columns = self._columns()
        documents_of, people_of, starts, ends, labels_of = columns
        known = self._known(documents, documents_of, people, people_of, annotators)
        self._check_without_units(known)
        seen = seen_by(known)
        listed = seen if isinstance(seen, dict) else ()
        names, numbers = _places([*documents, *listed], str)
        everyone, annotator_numbers = _places(people, str)
        labels, label_numbers = _places(_labels(self.labels.values), label_order)
        raw = RawColumns(
            documents=documents_of,
            annotators=people_of,
            starts=starts,
            ends=ends,
            label_codes=labels_of,
            names=names,
            number_of_document=numbers,
            people=everyone,
            number_of_annotator=annotator_numbers,
            labels=labels,
            number_of_label=label_numbers,
            details=details_of(self.details),
        )
        return lazy_corpus(
            raw,
            seen=seen,
            extents=self._all_extents(documents, documents_of, starts, ends, known, extent),
            skipped=self.skips.counts.total(),
            notes=tuple(remark_lines(self.notes)),
            changed=changed,
        )

    def _columns(self) -> tuple[list[str], list[str], tuple[Any, ...]]:
        """Give the names of documents and annotators, and the columns of all that was read."""
        documents = [_document_name(value) for value in self.documents.values]
        self._check_names()
        people = [str(value).strip() for value in self.annotators.values]
        if self.files is None:
            return documents, people, self._joined_columns()
        self._spill()
        return documents, people, tuple(self.files.columns())

    def _all_extents(
        self,
        documents: Sequence[str],
        codes: Codes,
        starts: Floats,
        ends: Floats,
        seen: SeenBy,
        extent: tuple[float, float] | None,
    ) -> dict[str, tuple[float, float]]:
        """Give the extents that are known, each of a document there is."""
        declared = seen if isinstance(seen, Mapping) else ()
        everything = {*documents, *declared}
        if extent is not None:
            return dict.fromkeys(everything, extent)
        told = self._extents(documents, codes, starts, ends)
        return {name: each for name, each in told.items() if name in everything}

    def _joined_columns(self) -> tuple[Any, ...]:
        """Join all blocks, each part let go once it is joined."""
        parts: list[list[Any]] = [
            [block.documents for block in self.blocks],
            [block.annotators for block in self.blocks],
            [block.starts for block in self.blocks],
            [block.ends for block in self.blocks],
            [block.labels for block in self.blocks],
        ]
        self.blocks.clear()
        columns: list[NDArray[Any]] = []
        for kind in _KINDS:
            column: list[NDArray[Any]] = [np.empty(0, kind), *parts.pop(0)]
            columns.append(np.concatenate(column))
        return tuple(columns)

    def _known(
        self,
        documents: Sequence[str],
        codes: Codes,
        people: Sequence[str],
        people_codes: Codes,
        annotators: SeenBy | Literal["auto"],
    ) -> SeenBy:
        """Put together who saw what, where files tell of annotators without units."""
        if annotators == "corpus" and self.seen_pairs:
            everyone = {*people, *(annotator for _, annotator in self.seen_pairs)}
            return dict.fromkeys({*documents, *(each for each, _ in self.seen_pairs)}, everyone)
        if annotators != "auto":
            return annotators
        if not self.seen_pairs:
            return "units"
        seen: dict[str, set[str]] = {}
        pairs = np.unique(codes.astype(np.int64) * max(len(people), 1) + people_codes)
        for pair in pairs.tolist():
            document, annotator = divmod(pair, max(len(people), 1))
            seen.setdefault(documents[document], set()).add(people[annotator])
        for name, annotator in self.seen_pairs:
            seen.setdefault(name, set()).add(annotator)
        return seen

    def _extents(
        self, documents: Sequence[str], codes: Codes, starts: Floats, ends: Floats
    ) -> dict[str, tuple[float, float]]:
        """Give the extents that files tell, as wide as units of other files need."""
        if not self.extents:
            return {}
        low, high = np.full(len(documents), np.inf), np.full(len(documents), -np.inf)
        np.minimum.at(low, codes, starts)
        np.maximum.at(high, codes, ends)
        extents = dict(self.extents)
        for name, first, last in zip(documents, low.tolist(), high.tolist(), strict=True):
            if name in extents:
                start, end = extents[name]
                if first < start or last > end:
                    self.notes.add("units of one file beyond the extent another tells", name)
                extents[name] = (min(first, start), max(last, end))
        return extents

    def _check_names(self) -> None:
        in_cells = {_document_name(value) for value in self.documents.values if type(value) is str}
        for name, path in self.whole_files.items():
            if name in in_cells:
                problem = (
                    f"this file would be the document {name!r}, which another file has in its "
                    "document column; give this one a document column too, or another name"
                )
                raise ReadError(problem, path=path)

    def _check_without_units(self, annotators: SeenBy) -> None:
        seen = seen_by(annotators)
        for name, error in self.files_without_units.items():
            if seen == "units" or (isinstance(seen, dict) and name not in seen):
                raise error


def _places(values: Sequence[_T], order: Callable[[_T], object]) -> tuple[tuple[_T, ...], Integers]:
    """Give distinct values in order, and where each of the values stands there."""
    return merged(np.arange(len(values)), values, order)


def _small(block: Block) -> Block:
    """Give a block with its numbers of names and labels in half the memory."""
    coded = (block.documents, block.annotators, block.labels)
    codes = [each.astype(np.int32, copy=False) for each in coded]
    return Block(codes[0], codes[1], block.starts, block.ends, codes[2])


def remark_lines(remarks: Remarks) -> list[str]:
    """Write remarks for people: what, how often, and where first."""
    return [
        f"{phrase} ({number:,}, first at {remarks.places[phrase]})"
        for phrase, number in remarks.counts.most_common()
    ]


def _labels(keys: Sequence[Hashable]) -> list[Label | None]:
    texts = [key.strip() for key in keys if isinstance(key, str)]
    from_text = dict(zip(texts, labels_from_text(texts), strict=True))
    return [key[0] if isinstance(key, tuple) else from_text[str(key).strip()] for key in keys]


def labels_from_text(texts: Sequence[str]) -> list[Label | None]:
    """Give labels to the texts of cells: all numbers, or all strings.

    They are numbers if every one of them is written as a plain number (``3``, ``-0.5``) and
    no two differ in writing only (``1.1`` and ``1.10`` may be two sections of a book).
    ``1`` and ``1.0`` are the same number. The empty text is no label.
    """
    numbers: dict[str, Label | None] = {}
    for text in set(texts) - {""}:
        if not _NUMBER.fullmatch(text) or len(text) > 300:
            return [text or None for text in texts]
        numbers[text] = as_label(float(text) if "." in text else int(text))
    fractions = [number for number in numbers.values() if not isinstance(number, int)]
    if len(set(fractions)) < len(fractions):
        return [text or None for text in texts]
    return [numbers.get(text) for text in texts]


def _document_name(value: Hashable) -> str:
    return value[0] if isinstance(value, tuple) else str(value).strip()
