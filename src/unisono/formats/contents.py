"""Contents of files: collected per file, merged into a corpus, with remarks on what was read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from unisono.errors import ReadError, SettingError, setting, shortened
from unisono.formats.roles import Place
from unisono.formats.table_record import TableRecord
from unisono.formats.unit_signals import Files, Units, signals_of
from unisono.model.codes import Codebook, Coded, renumbered, with_unlabelled
from unisono.model.columns import (
    FARTHEST,
    NO_ATTRIBUTES,
    Detail,
    UnitColumns,
    are_units,
    details_of,
    listed,
    unit_problem,
)
from unisono.model.corpus import Corpus, annotators_who_saw, corpus_of
from unisono.model.interpretation import (
    Ignored,
    Interpretation,
    Origin,
    Question,
    Reading,
    Remarks,
    absolute_paths,
)
from unisono.model.labels import Label, as_label, label_order, label_text

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from unisono.formats.roles import ByPath, ColumnRoles
    from unisono.formats.source import Source
    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.columns import Fragments
    from unisono.model.corpus import SeenBy
    from unisono.model.interpretation import Reason, Remark, Role, SourceKind

    Reader: TypeAlias = "Callable[[Source, ReadOptions], Contents | Iterable[Contents]]"

    Writer: TypeAlias = Callable[[Corpus, Path], dict[Path, str]]

__all__ = [
    "Block",
    "Contents",
    "Format",
    "Gathered",
    "ReadOptions",
    "check_roles",
    "labels_from_text",
]

# Small enough that pending rows need little memory, large enough for fast NumPy operations.
_BLOCK_ROWS = 32_768


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Settings of the caller for readers; `None` selects the default of the format.

    Values of `annotator` and `document` that refer to folders and files have been resolved before
    a reader is called.
    """

    column_roles: ColumnRoles
    delimiter: str | None = None
    on_error: Literal["raise", "skip"] = "raise"
    annotator: str | int | None = None
    document: str | int | Literal[False] | None = None
    layer: frozenset[str] | None = None
    label: str | int | Literal[False] | None = None
    tags: str = "auto"

    def wants_layer(self, name: str) -> bool:
        """Return whether units of a layer are kept; readers can skip the others."""
        return self.layer is None or name in self.layer


@dataclass(frozen=True, slots=True)
class UnitBlock:
    """Units of a file in columns; texts are coded by the codebooks of the contents."""

    documents: Integers
    annotators: Integers
    starts: Floats
    ends: Floats
    labels: Integers
    layers: Integers
    first: int  # number of the first unit in the file, the key of its details
    kept: Integers | None = None  # valid rows, counted from `first`; None: all


class Contents:
    """Contents of one file, added by a reader unit by unit."""

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        *,
        typed: bool = False,
        nonnegative: bool = True,
    ) -> None:
        self.source = source
        self.typed = typed
        self.documents = Codebook()
        self.annotators = Codebook()
        self.labels = Codebook()
        self.layers = Codebook()
        self.blocks: list[UnitBlock] = []
        self.fragments: dict[int, Fragments] = {}
        self.attributes: dict[int, Mapping[str, Any]] = {}
        self.seen_pairs: dict[tuple[str, str], None] = {}
        self.texts: dict[str, str] = {}
        self.extents: dict[str, tuple[float, float]] = {}
        self.n_parts: dict[str, int] = {}  # of files with several documents
        self.places: dict[Role, Place] = {"document": source.document_place}
        if source.annotator is not None:
            self.places["annotator"] = source.annotator_place
        self.media = ""  # the recording that the file names
        self.author = ""  # the author of the file
        self.speakers: set[str] = set()  # who speaks in tiers read as annotators
        self.ignored: list[Ignored] = []
        self.notes = Remarks()
        self.skips = Remarks()
        self.others = Remarks()
        self.is_raising = options.on_error == "raise"
        self._nonnegative = nonnegative
        self._rows: list[tuple[str, str, float, float, Hashable, str, int | None]] = []
        self._n_before = 0

    def add(
        self,
        document: str,
        annotator: str,
        start: float,
        end: float,
        label: Hashable = None,
        *,
        line: int | None = None,
        layer: str = "",
        fragments: Fragments = (),
        attributes: Mapping[str, Any] | None = None,
    ) -> None:
        """Add a unit; its bounds are checked later, block by block."""
        rows = self._rows
        if fragments or attributes:
            number = self._n_before + len(rows)
            if fragments:
                self.fragments[number] = fragments
            if attributes:
                self.attributes[number] = attributes
        rows.append((document, annotator, start, end, label, layer, line))
        if len(rows) >= _BLOCK_ROWS:
            self.flush()

    def seen(self, document: str, annotator: str) -> None:
        """Record that an annotator saw a document, with or without marking units."""
        self.seen_pairs[document, annotator] = None

    def text(self, document: str, text: str) -> None:
        """Set the text of a document, which also defines its extent."""
        self.texts[document] = text
        self.extents[document] = (0.0, float(len(text)))

    def extent(self, document: str, low: float, high: float, line: int | None = None) -> None:
        """Set the extent of a document, or report an invalid one."""
        # Compared before conversion to float, because integers in JSON can be of any size.
        if -FARTHEST <= low <= high <= FARTHEST:
            self.extents[document] = (float(low), float(high))
        else:
            got = shortened(f"[{low}, {high}]")
            expected = f"two numbers within ±{FARTHEST:,}, the first not above the second"
            self.object(f"an extent must be {expected}; got {got}", line)

    def object(self, problem: str, line: int | None = None) -> None:
        """Raise for an invalid row or element, or count it as skipped, depending on on_error=."""
        if self.is_raising:
            raise ReadError(problem, path=self.source.path, line=line)
        self.skips.add(shortened(problem.partition(";")[0]), self._place(line))

    def note(self, phrase: str, line: int | None = None) -> None:
        """Add a warning about a unit that is kept."""
        self.notes.add(phrase, self._place(line))

    def from_place(
        self,
        role: Role,
        source: SourceKind,
        name: str = "",
        reason: Reason = "format",
    ) -> None:
        """Record where the values of a role came from."""
        self.places[role] = Place(source, name, reason)

    def key_from(self, role: Role, chosen: str | int | None, usual: str) -> None:
        """Record that the values of a role have a key in the file, chosen by the caller or not."""
        if chosen is False:
            return
        reason: Reason = "format" if chosen is None else "asked"
        self.from_place(role, "attribute", usual if chosen is None else str(chosen), reason)

    def label_from(self, name: str, options: ReadOptions) -> None:
        """Record that labels are the values of an attribute, unless the caller chose another."""
        if options.label is False:
            self.from_place("label", "none", "", "asked")
        elif options.label is not None:
            self.from_place("label", "attribute", str(options.label), "asked")
        else:
            self.from_place("label", "attribute", name)

    def left_out(self, phrase: str, line: int | None = None, *, number: int = 1) -> None:
        """Count contents of the file that are not among the annotations to read."""
        self.others.add(phrase, self._place(line), number)

    def add_columns(
        self,
        documents: Sequence[str],
        annotators: Sequence[str],
        starts: Sequence[float],
        ends: Sequence[float],
        labels: Sequence[Hashable],
        lines: Sequence[int],
    ) -> None:
        """Add many units without fragments, attributes and layers."""
        self.flush()
        self._take((documents, annotators, starts, ends, labels, ("",) * len(starts), lines))

    def flush(self) -> None:
        """Check the pending rows and convert them to columns."""
        if self._rows:
            columns = tuple(zip(*self._rows, strict=True))
            self._rows.clear()
            self._take(columns)

    def _take(self, columns: tuple[Sequence[Any], ...]) -> None:
        documents, annotators, starting, ending, labels, layers, lines = columns
        first, self._n_before = self._n_before, self._n_before + len(documents)
        starts, ends = _floats(starting), _floats(ending)
        good = are_units(starts, ends)
        if self._nonnegative:
            good &= starts >= 0
        good &= self._within(documents, starts, ends)
        if not all(map(str.strip, {*documents, *annotators})):
            good &= [bool(each.strip()) for each in annotators]
            good &= [bool(each.strip()) for each in documents]
        kept = None
        if not good.all():
            for row in np.flatnonzero(~good).tolist():
                self.object(self._problem(*(each[row] for each in columns[:4])), lines[row])
            kept = np.flatnonzero(good)
            starts, ends = starts[kept], ends[kept]
            rows = kept.tolist()
            documents, annotators, labels, layers = (
                tuple(map(column.__getitem__, rows))
                for column in (documents, annotators, labels, layers)
            )
        self.blocks.append(
            UnitBlock(
                self.documents.codes(documents),
                self.annotators.codes(annotators),
                starts,
                ends,
                self.labels.codes(labels),
                self.layers.codes(layers),
                first,
                kept,
            )
        )

    def label_keys(self) -> list[Hashable]:
        """Return the labels as keys: texts as they are, labels of known type in 1-tuples."""
        if self.typed:
            return [(as_label(value),) for value in self.labels.values]
        return [
            value if isinstance(value, str) else (as_label(value),) for value in self.labels.values
        ]

    def _within(self, documents: Sequence[str], starts: Floats, ends: Floats) -> Any:  # noqa: ANN401 (True or an array)
        if not self.extents:
            return True
        everywhere = (-np.inf, np.inf)
        if len(self.extents) == 1 and len(set(documents)) == 1:
            low, high = self.extents.get(documents[0], everywhere)
            return (starts >= low) & (ends <= high)
        bounds = np.array([self.extents.get(each, everywhere) for each in documents])
        return (starts >= bounds[:, 0]) & (ends <= bounds[:, 1])

    def _problem(self, document: str, annotator: str, start: float, end: float) -> str:
        for what, name in (("annotator", annotator), ("document", document)):
            if not name.strip():
                return f"the {what} is empty; every unit needs one"
        first, last = _floats([start])[0], _floats([end])[0]
        if problem := unit_problem(annotator, float(first), float(last)):
            return problem
        if self._nonnegative and start < 0:
            name = shortened(repr(annotator))
            return f"a position cannot be negative; {name} has [{start}, {end}]"
        low, high = self.extents[document]
        whole = "text" if document in self.texts else "document"
        return (
            f"a unit lies outside the {whole}, which extends from {low:g} to {high:g}; "
            f"got [{start}, {end}]"
        )

    def _place(self, line: int | None) -> str:
        return str(self.source.path) if line is None else f"{self.source.path}:{line}"


def _floats(numbers: Sequence[float]) -> Floats:
    try:
        return np.fromiter(map(float, numbers), dtype=np.float64, count=len(numbers))
    except OverflowError:  # integers in JSON can be of any size
        return np.array([_float(number) for number in numbers])


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return np.inf


_ORDER = ("document", "annotator", "item", "label", "start", "end", "layer", "text", "cluster")
_MOST_EXAMPLES = 5
_MOST_VALUES = 1000  # of an attribute that is not used, which are counted
# Attributes that readers add, and values of label= for which the labels are chains.
_INTERNAL = frozenset({"id", "note", "type", "layer"})
_CHAINS = frozenset({"coreference", "chain"})
_KINDS = (np.int32, np.int32, np.float64, np.float64, np.int32)
_NUMBER = {mark: re.compile(rf"-?(0|[1-9][0-9]*)({re.escape(mark)}[0-9]+)?") for mark in ".,"}


@dataclass(frozen=True, slots=True)
class Block:
    """Units in columns; texts are coded by the codebooks of `Gathered`."""

    documents: Integers | Codes
    annotators: Integers | Codes
    starts: Floats
    ends: Floats
    labels: Integers | Codes
    layers: Coded[str] | None = None


@dataclass(slots=True)
class Gathered:
    """Contents of all files read so far; names and labels are stored as written in the files."""

    documents: Codebook = field(default_factory=Codebook)
    annotators: Codebook = field(default_factory=Codebook)
    # Texts are converted to numbers if all look like numbers; labels in tuples are kept.
    labels: Codebook = field(default_factory=Codebook)
    blocks: list[Block] = field(default_factory=list)
    n_units: int = 0
    # Paths of documents that are a whole file; their keys in the codebook are tuples.
    whole_files: dict[str, Path] = field(default_factory=dict)
    files_without_units: dict[str, ReadError] = field(default_factory=dict)
    formats: Counter[str] = field(default_factory=Counter)
    layers: Counter[str] = field(default_factory=Counter)
    chosen_layers: tuple[str, ...] = ()
    details: dict[int, Detail] = field(default_factory=dict)
    seen_pairs: dict[tuple[str, str], None] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    extents: dict[str, tuple[float, float]] = field(default_factory=dict)
    n_parts: dict[str, int] = field(default_factory=dict)
    notes: Remarks = field(default_factory=Remarks)
    skips: Remarks = field(default_factory=Remarks)
    others: Remarks = field(default_factory=Remarks)
    origins: list[Origin] = field(default_factory=list)
    ignored: list[Ignored] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    warnings: list[Remark] = field(default_factory=list)
    tables: TableRecord = field(default_factory=TableRecord)
    accepted: tuple[str, ...] = ()
    # Settings that the caller chose, which silence the questions about them.
    asked: frozenset[str] = frozenset()
    paths: list[Path] = field(default_factory=list)  # the files, in the order of reading
    file_codes: list[int] = field(default_factory=list)  # of the blocks
    places: dict[tuple[Role, Place], set[str]] = field(default_factory=dict)
    fields: dict[str, set[Any]] = field(default_factory=dict)  # values of attributes of units
    media: dict[str, str] = field(default_factory=dict)  # by document
    authors: dict[str, str] = field(default_factory=dict)  # of files, by document
    speakers: set[str] = field(default_factory=set)
    has_inclusive_ends: bool = False

    def code_of_file(self, document: str, path: Path) -> int:
        """Return the code of a document that is a whole file."""
        self.whole_files[document] = path
        return int(self.documents.codes([(document,)])[0])

    def add_block(self, block: Block, layers: frozenset[str] | None = None) -> None:
        """Add units of a table, of all layers or of those given."""
        if block.layers is not None:
            names, codes = block.layers
            counts = np.bincount(codes, minlength=len(names)).tolist()
            self.layers.update({name: n for name, n in zip(names, counts, strict=True) if n})
            if layers is not None:
                kept = np.array([name in layers for name in names], dtype=bool)[codes]
                columns = (block.documents, block.annotators, block.starts, block.ends)
                taken = [column[kept] for column in (*columns, block.labels)]
                block = Block(*taken)
        self._append(block)

    def _append(self, block: Block) -> None:
        self.n_units += len(block.starts)
        self.blocks.append(_small(block))
        self.file_codes.append(max(len(self.paths) - 1, 0))

    def take(self, contents: Contents, layers: frozenset[str] | None = None) -> None:
        """Add the contents of a file, of all layers or of those given."""
        contents.flush()
        own = contents.source.document
        documents = self.documents.codes(
            [(name,) if name == own else name for name in contents.documents.values]
        )
        if own in contents.documents.values:
            self.whole_files[own] = contents.source.path
        self._take_record(contents)
        annotators = self.annotators.codes(contents.annotators.values)
        labels = self.labels.codes(contents.label_keys())
        names = [str(name) for name in contents.layers.values]
        is_selected = np.array([layers is None or name in layers for name in names], dtype=bool)
        for block in contents.blocks:
            counts = np.bincount(block.layers, minlength=len(names)).tolist()
            self.layers.update(dict(zip(names, counts, strict=True)))
            kept = is_selected[block.layers]
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
            if self.texts.setdefault(document, text) != text:
                self.notes.add(
                    "texts of a document that differ between files", str(contents.source.path)
                )
        for document, (low, high) in contents.extents.items():
            first, last = self.extents.get(document, (low, high))
            self.extents[document] = (min(low, first), max(high, last))
        for name, number in contents.n_parts.items():
            if self.n_parts.setdefault(name, number) != number:
                self.notes.add(
                    "files of the same name with different numbers of -DOCSTART- documents",
                    str(contents.source.path),
                )
        for mine, its in zip(
            (self.notes, self.skips, self.others),
            (contents.notes, contents.skips, contents.others),
            strict=True,
        ):
            mine.update(its)

    def _take_record(self, contents: Contents) -> None:
        """Add what the contents of a file say about where names and labels came from."""
        values: Mapping[str, Iterable[Hashable]] = {
            "document": contents.documents.values or [contents.source.document],
            "annotator": contents.annotators.values or [pair[1] for pair in contents.seen_pairs],
            "label": contents.labels.values,
            "layer": contents.layers.values,
        }
        for role, place in contents.places.items():
            names = self.places.setdefault((role, place), set())
            names.update(label_text(as_label(each)) for each in values.get(role, ()) if each != "")
        if contents.media:
            self.media[contents.source.document] = contents.media
        if contents.author:
            self.authors[contents.source.document] = contents.author
        self.speakers |= contents.speakers
        self.ignored += contents.ignored
        for attributes in contents.attributes.values():
            for name, value in attributes.items():
                found = self.fields.setdefault(name, set())
                if isinstance(value, str | int | float) and len(found) < _MOST_VALUES:
                    found.add(value)

    def _take_details(
        self,
        contents: Contents,
        block: UnitBlock,
        kept: NDArray[np.bool_],
        names: Sequence[str],
    ) -> None:
        has_layers = any(names)
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
        self,
        annotators: SeenBy | Literal["auto"],
        extent: tuple[float, float] | None = None,
        sources: Iterable[str | os.PathLike[str]] = (),
    ) -> Corpus:
        """Return the corpus; `extent`, if any, is the extent of every document."""
        sizes = [len(block.starts) for block in self.blocks]
        documents, people, (documents_of, people_of, starts, ends, labels_of) = self._columns()
        if self.has_inclusive_ends:
            ends = self._exclusive(starts, ends)
        seen = self._seen_by(documents, documents_of, people, people_of, annotators)
        self._check_without_units(seen)
        label_values = _labels(self.labels.values)
        names, people_of = renumbered(people_of, people, str)
        coded: Coded[Label] = renumbered(labels_of, label_values, label_order)
        labels, labels_of = with_unlabelled(coded)
        details = details_of(self.details)
        codes = np.repeat(np.array(self.file_codes, dtype=np.int32), sizes)
        columns = (documents_of, people_of, starts, ends, labels_of, codes)
        self._judge(Units(documents, names, labels, *columns))
        units = UnitColumns(tuple(names), people_of, starts, ends, labels, labels_of, details)
        return corpus_of(
            documents,
            documents_of,
            units,
            annotators=seen,
            extents=self._all_extents(documents, documents_of, starts, ends, seen, extent),
            texts=self.texts,
            interpretation=self.interpretation(sources),
        )

    def _exclusive(self, starts: Floats, ends: Floats) -> Floats:
        """Return ends after the last position of each unit, where they were that position."""
        if (starts % 1).any() or (ends % 1).any():
            msg = (
                f"{setting('ends', 'inclusive')} is for whole numbers, such as those of tokens; "
                "some positions of these files have a fraction"
            )
            raise SettingError(msg)
        for row, (fragments, attributes) in self.details.items():
            pieces = tuple((low, high + 1) for low, high in fragments)
            self.details[row] = Detail(pieces, attributes)
        for document, (low, high) in self.extents.items():
            if document not in self.texts:
                self.extents[document] = (low, high + 1)
        return ends + 1

    def _judge(self, units: Units) -> None:
        """Add the questions and warnings that the units raise."""
        has_tiers = any(
            role == "annotator" and place.source == "tier" for role, place in self.places
        )
        files = Files(
            whole=self.whole_files,
            texts=self.texts,
            media=self.media,
            lengths={
                name: high - low
                for name, (low, high) in self.extents.items()
                if name not in self.texts
            },
            authors=self.authors,
            has_tiers=has_tiers,
            asked=self.asked,
            has_layers=len(self.layers) > 1 and not self.chosen_layers,
            has_inclusive_ends=self.has_inclusive_ends,
            has_chains=any(
                role == "label" and place.name in _CHAINS for role, place in self.places
            ),
        )
        questions, warnings = signals_of(units, files)
        if len(self.speakers) > 1 and not {"file-per-coder"} & {each.code for each in questions}:
            self.questions.append(self._speaker_question(len(units.annotators)))
        self.questions += questions
        self.warnings += warnings

    def _speaker_question(self, n_annotators: int) -> Question:
        names = sorted(self.speakers)
        shown = ", ".join(names[:5]) + ", …" * (len(names) > 5)
        text = (
            f"The tiers {shown} seem to be named after the people who speak, not after those who "
            "annotated."
        )
        counts = {"documents": len(self.whole_files), "annotators": n_annotators}
        return Question(
            "speakers",
            text,
            (
                Reading("the tiers are the annotators", counts, {"annotator": "layer"}),
                Reading(
                    "each file belongs to one annotator, and its tiers are layers",
                    {"annotators": len(self.paths)},
                    {"annotator": "file"},
                ),
            ),
        )

    def interpretation(self, sources: Iterable[str | os.PathLike[str]]) -> Interpretation:
        """Return a record of how the files were read."""
        layers = {name: number for name, number in sorted(self.layers.items()) if name and number}
        return Interpretation(
            sources=absolute_paths(sources),
            formats=dict(self.formats),
            layers=layers,
            chosen_layers=self.chosen_layers,
            skipped=self.skips.listed(),
            warnings=(*self.notes.listed(), *self.warnings),
            left_out=self.others.listed(),
            origins=(*self.origins, *self._origins()),
            ignored=(*self.ignored, *self._unused_attributes()),
            questions=tuple(self.questions),
            accepted=self.accepted,
        )

    def _origins(self) -> list[Origin]:
        """Return where the roles came from in files other than tables."""
        found = []
        for (role, place), names in self.places.items():
            examples = tuple(nsmallest(_MOST_EXAMPLES, names))
            found.append(Origin(role, place.source, place.name, place.reason, len(names), examples))
        return sorted(found, key=lambda each: _ORDER.index(each.role))

    def _unused_attributes(self) -> list[Ignored]:
        """Return the attributes of units that have no role."""
        used = {place.name for _, place in self.places} | _INTERNAL
        return [
            Ignored("attribute", name, len(values), "not used as label")
            for name, values in sorted(self.fields.items())
            if values and name not in used
        ]

    def _columns(self) -> tuple[list[str], list[str], tuple[Any, ...]]:
        """Return the names of documents and annotators, and the columns of all units."""
        in_files, owners = self.documents.values, self.annotators.values
        documents = [_document_name(value) for value in in_files]
        self._check_names(in_files)
        people = [str(value).strip() for value in owners]
        names = ("documents", "annotators", "starts", "ends", "labels")
        parts = {name: [getattr(block, name) for block in self.blocks] for name in names}
        self.blocks.clear()
        columns: list[NDArray[Any]] = []
        for name, kind in zip(names, _KINDS, strict=True):
            # `pop` releases the memory of each part once it is joined.
            columns.append(np.concatenate([np.empty(0, kind), *parts.pop(name)]))
        return documents, people, tuple(columns)

    def _all_extents(
        self,
        documents: Sequence[str],
        codes: Codes,
        starts: Floats,
        ends: Floats,
        seen: SeenBy,
        extent: tuple[float, float] | None,
    ) -> dict[str, tuple[float, float]]:
        """Return the known extents of the documents."""
        declared = seen if isinstance(seen, Mapping) else ()
        everything = {*documents, *declared}
        if extent is not None:
            return dict.fromkeys(everything, extent)
        known = self._extents(documents, codes, starts, ends)
        return {name: each for name, each in known.items() if name in everything}

    def _seen_by(
        self,
        documents: Sequence[str],
        codes: Codes,
        people: Sequence[str],
        people_codes: Codes,
        annotators: SeenBy | Literal["auto"],
    ) -> SeenBy:
        """Return the annotators of each document, including those without units in the files."""
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
        """Return the extents declared in the files, extended to units of other files."""
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
                    self.notes.add("units beyond the extent declared in another file", name)
                extents[name] = (min(first, start), max(last, end))
        return extents

    def _check_names(self, documents: Sequence[Hashable]) -> None:
        in_cells = {_document_name(value) for value in documents if type(value) is str}
        for name, path in self.whole_files.items():
            if name in in_cells:
                problem = (
                    f"the document {name!r}, named after this file, is also in the document column "
                    "of another file; add a document column to this file, or rename it"
                )
                raise ReadError(problem, path=path)

    def _check_without_units(self, annotators: SeenBy) -> None:
        if not self.files_without_units:
            return
        seen = annotators_who_saw(annotators)
        for name, error in self.files_without_units.items():
            if seen == "units" or (isinstance(seen, dict) and name not in seen):
                raise error


def _small(block: Block) -> Block:
    """Return a block with 32-bit codes, to halve their memory."""
    coded = (block.documents, block.annotators, block.labels)
    codes = [each.astype(np.int32, copy=False) for each in coded]
    return Block(codes[0], codes[1], block.starts, block.ends, codes[2])


def _labels(keys: Sequence[Hashable]) -> list[Label | None]:
    texts = [key.strip() for key in keys if isinstance(key, str)]
    from_text = dict(zip(texts, labels_from_text(texts), strict=True))
    return [key[0] if isinstance(key, tuple) else from_text[str(key).strip()] for key in keys]


def labels_from_text(texts: Sequence[str], *, decimal_comma: bool = False) -> list[Label | None]:
    """Convert the texts of cells to labels: all numbers, or all strings.

    Labels are numbers if every text is a plain number (``3``, ``-0.5``) and no two fractions with
    the same value are written differently (``1.1`` and ``1.10`` may be sections of a book).
    ``1`` and ``1.0`` are the same number. The empty text is a missing label. With
    `decimal_comma`, the decimal mark of all numbers may be a comma (``0,5``).
    """
    distinct = set(texts) - {""}
    mark = "," if decimal_comma and any("," in text for text in distinct) else "."
    numbers: dict[str, Label | None] = {}
    for text in distinct:
        if not _NUMBER[mark].fullmatch(text) or len(text) > 300:
            return [text or None for text in texts]
        numbers[text] = as_label(float(text.replace(",", ".")) if mark in text else int(text))
    fractions = [number for number in numbers.values() if not isinstance(number, int)]
    if len(set(fractions)) < len(fractions):
        return [text or None for text in texts]
    return [numbers.get(text) for text in texts]


def _document_name(value: Hashable) -> str:
    return value[0] if isinstance(value, tuple) else str(value).strip()


class Format(NamedTuple):
    """A file format: its names and suffixes, reader, writer and detection."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    reader: Reader | None = None  # None: a table
    writer: Writer | None = None
    looks_like: Callable[[bytes], bool] | None = None
    inside: tuple[str, ...] = ()
    by_path: ByPath = "inside"
    companions: tuple[str, ...] = ()
    is_table: bool = False
    may_be_empty: bool = False  # an empty file is a document in which nothing was marked
    has_chains: bool = False


_PATHS = ("folder", "file", "{document}_{annotator}")


def check_roles(
    options: ReadOptions,
    *,
    annotator: Sequence[str] | None = (),
    label: Sequence[str] | None = None,
    pattern: str | None = None,
) -> None:
    """Raise if a format does not support a value of annotator=, document= or label=."""
    value = options.annotator
    is_pattern = pattern is not None and isinstance(value, str) and pattern in value
    if annotator is not None and value not in (None, *annotator) and not is_pattern:
        _refuse("annotator", value, (*annotator, *_PATHS))
    if options.document not in (None, False):
        _refuse("document", options.document, _PATHS)
    if label is not None and options.label not in (None, False, *label):
        _refuse("label", options.label, (*label, False))


def _refuse(name: str, value: object, known: Sequence[object]) -> None:
    msg = f"{setting(name, value)} is not supported by this format; choose one of {listed(known)}"
    raise SettingError(msg)
