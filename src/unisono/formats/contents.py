"""What one file holds: its units as columns, who saw what, and what was odd."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from unisono.errors import ReadError, shortened
from unisono.model.columns import FARTHEST, Codebook, are_units, unit_problem
from unisono.model.labels import as_label

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from unisono.formats.headings import Asked
    from unisono.formats.sources import Source
    from unisono.model.arrays import Floats, Integers
    from unisono.model.details import Fragments


# Small enough that waiting rows take little memory, large enough that numpy pays off.
_BLOCK_ROWS = 32_768


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the caller says of files; `None` is "as the format has it".

    `annotator`, `document`, `layer` and `label` are the four questions of every format; the
    names of folders and files were looked at before a reader is called.
    """

    asked: Asked
    delimiter: str | None = None
    on_error: Literal["raise", "skip"] = "raise"
    annotator: str | int | None = None
    document: str | int | Literal[False] | None = None
    layer: frozenset[str] | None = None
    label: str | int | Literal[False] | None = None
    tags: str = "auto"

    def wants_layer(self, name: str) -> bool:
        """Tell whether units of a layer will be kept, to save the work of reading others."""
        return self.layer is None or name in self.layer


@dataclass(frozen=True, slots=True)
class UnitBlock:
    """Some units of a file; what is text is numbered by the codebooks of the contents."""

    documents: Integers
    annotators: Integers
    starts: Floats
    ends: Floats
    labels: Integers
    layers: Integers
    first: int  # the number of the first unit in the file, for its details
    kept: Integers | None = None  # which rows from there on were good; None: all


@dataclass(slots=True)
class Remarks:
    """Things to tell of a file, counted, each with the first place it was met at."""

    counts: Counter[str] = field(default_factory=Counter)
    places: dict[str, str] = field(default_factory=dict)

    def add(self, phrase: str, place: str, number: int = 1) -> None:
        """Count one more."""
        self.counts[phrase] += number
        self.places.setdefault(phrase, place)

    def update(self, other: Remarks) -> None:
        """Count what another file had."""
        self.counts.update(other.counts)
        for phrase, place in other.places.items():
            self.places.setdefault(phrase, place)


class Contents:
    """What a reader found in one file, filled unit by unit.

    Parameters
    ----------
    source
        The file.
    options
        What the caller says.
    typed
        Whether a label that is a string stays one (JSON); otherwise labels are texts, and
        numbers if all labels of the corpus are written as numbers.
    nonnegative
        Whether positions below zero are refused.
    """

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
        self.n_parts: dict[str, int] = {}  # of files that marks inside part into documents
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
        """Add a unit; its bounds are checked later, many at once.

        Parameters
        ----------
        document, annotator
            Where it is, and who marked it.
        start, end
            Its bounds; of a unit in several pieces, those of the whole.
        label
            A text, a number or a frozenset; empty or `None` is no label.
        line
            Where it stands in the file, for messages.
        layer
            The tier or layer, if the format has such.
        fragments
            Start and end of each piece, if there are several.
        attributes
            What else is said of it.
        """
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
        """Say that an annotator looked at a document, with or without marking anything."""
        self.seen_pairs[document, annotator] = None

    def text(self, document: str, text: str) -> None:
        """Say what the text of a document is, and so from where to where it goes."""
        self.texts[document] = text
        self.extents[document] = (0.0, float(len(text)))

    def extent(self, document: str, low: float, high: float, line: int | None = None) -> None:
        """Note from where to where a document goes, or object to what cannot be an extent."""
        # Compared before they are floats: whole numbers of JSON know no limit.
        if -FARTHEST <= low <= high <= FARTHEST:
            self.extents[document] = (float(low), float(high))
        else:
            got = shortened(f"[{low}, {high}]")
            expected = f"two numbers within ±{FARTHEST:,}, the first not above the second"
            self.object(f"an extent is {expected}; got {got}", line)

    def object(self, problem: str, line: int | None = None) -> None:
        """Refuse the file because of one bad row or element, or count it as skipped.

        Raises
        ------
        ReadError
            Bad rows are not to be skipped.
        """
        if self.is_raising:
            raise ReadError(problem, path=self.source.path, line=line)
        self.skips.add(shortened(problem.partition(";")[0]), self._place(line))

    def note(self, phrase: str, line: int | None = None) -> None:
        """Remember something odd about a unit that is kept."""
        self.notes.add(phrase, self._place(line))

    def left_out(self, phrase: str, line: int | None = None, *, number: int = 1) -> None:
        """Remember what is in the file but is no annotation that was asked for."""
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
        """Add many units at once that have nothing but bounds and labels."""
        self.flush()
        self._take((documents, annotators, starts, ends, labels, ("",) * len(starts), lines))

    def flush(self) -> None:
        """Turn the rows that wait into columns, and check them."""
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
        """Give the labels met, texts as texts and others in a tuple of their own."""
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
                return f"the {what} is empty; every unit has one"
        first, last = _floats([start])[0], _floats([end])[0]
        if problem := unit_problem(annotator, float(first), float(last)):
            return problem
        if self._nonnegative and start < 0:
            who = shortened(repr(annotator))
            return f"a position is not below 0; {who} has [{start}, {end}]"
        low, high = self.extents[document]
        whole = "text" if document in self.texts else "document"
        return f"a unit outside the {whole}, which goes from {low:g} to {high:g}: [{start}, {end}]"

    def _place(self, line: int | None) -> str:
        return str(self.source.path) if line is None else f"{self.source.path}:{line}"


def _floats(numbers: Sequence[float]) -> Floats:
    try:
        return np.fromiter(map(float, numbers), dtype=np.float64, count=len(numbers))
    except OverflowError:  # whole numbers of JSON know no limit
        return np.array([_float(number) for number in numbers])


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return np.inf
