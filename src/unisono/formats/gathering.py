"""The columns gathered from all files, and the corpus they make."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from unisono.errors import ReadError
from unisono.model.columns import Codebook, UnitColumns, merged
from unisono.model.corpus import Corpus, corpus_of, seen_by
from unisono.model.labels import Label, as_label, label_order

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from unisono.model.columns import Floats, Integers
    from unisono.model.corpus import SeenBy

_Number = TypeVar("_Number", np.int64, np.float64)

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Block:
    """Units read together; what is text is numbered by the codebooks of `Gathered`."""

    documents: Integers
    annotators: Integers
    starts: Floats
    ends: Floats
    labels: Integers


@dataclass(frozen=True, slots=True)
class Gathered:
    """What was read so far. Names and labels are kept as they stand in the cells."""

    documents: Codebook = field(default_factory=Codebook)
    annotators: Codebook = field(default_factory=Codebook)
    labels: Codebook = field(default_factory=Codebook)
    blocks: list[Block] = field(default_factory=list)
    # Documents that are a whole file, and the file; their key in the codebook is a tuple.
    whole_files: dict[str, Path] = field(default_factory=dict)
    files_without_units: dict[str, ReadError] = field(default_factory=dict)

    def code_of_file(self, document: str, path: Path) -> int:
        """Give the number of a document that is a whole file."""
        self.whole_files[document] = path
        return int(self.documents.codes([(document,)])[0])

    def corpus(
        self, annotators: SeenBy, skipped: int, extent: tuple[float, float] | None = None
    ) -> Corpus:
        """Make the corpus of all that was read; an extent is that of every document."""
        documents = [_document_name(value) for value in self.documents.values]
        self._check_names()
        self._check_without_units(annotators)
        people = [str(value).strip() for value in self.annotators.values]
        names, annotator_codes = merged(
            _joined([block.annotators for block in self.blocks], np.int64), people, str
        )
        called = labels_from_text([str(value).strip() for value in self.labels.values])
        labels, label_codes = merged(
            _joined([block.labels for block in self.blocks], np.int64), called, label_order
        )
        units = UnitColumns(
            names,
            annotator_codes,
            _joined([block.starts for block in self.blocks], np.float64),
            _joined([block.ends for block in self.blocks], np.float64),
            labels,
            label_codes.astype(np.int32),
        )
        codes = _joined([block.documents for block in self.blocks], np.int64)
        extents = None
        if extent is not None:
            declared = annotators if isinstance(annotators, Mapping) else ()
            extents = dict.fromkeys([*documents, *declared], extent)
        return corpus_of(
            documents, codes, units, annotators=annotators, extents=extents, skipped=skipped
        )

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


def _joined(blocks: Sequence[NDArray[_Number]], dtype: type[_Number]) -> NDArray[_Number]:
    return np.concatenate([np.empty(0, dtype), *blocks])
