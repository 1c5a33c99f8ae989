"""Record of how files were read: the source of each role, ignored contents, open questions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from unisono.errors import setting

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Ignored",
    "Interpretation",
    "Origin",
    "Question",
    "Reading",
    "Remark",
    "Remarks",
    "absolute_paths",
]

Role: TypeAlias = Literal[
    "document",
    "annotator",
    "item",
    "label",
    "start",
    "end",
    "duration",
    "layer",
    "text",
    "cluster",
]
"""A role that a part of a file can have."""
SourceKind: TypeAlias = Literal[
    "column", "tier", "attribute", "folder", "file name", "format", "none"
]
"""A kind of place from which a role came."""
Reason: TypeAlias = Literal["asked", "name", "only choice", "content", "format"]
"""Why a role came from a place."""


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
        The first occurrence: a file, or a file and a line; empty if it concerns all files.
    code
        The stable name of a warning, such as ``"copies"``; empty for other remarks.
    settings
        Settings of `read` or `read_ratings` that act on the cause of a warning.

    Examples
    --------
    >>> from unisono.results import Remark
    >>> print(Remark("the end is missing", 2, "turns.csv:12"))
    the end is missing (2, first at turns.csv:12)
    """

    text: str
    count: int
    where: str = ""
    code: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        if self.code:
            return self.text
        return f"{self.text} ({self.count:,}, first at {self.where})"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the values of one role came from.

    Attributes
    ----------
    role
        The role, such as ``"document"`` or ``"label"``.
    source
        The kind of place: ``"column"``, ``"tier"``, ``"attribute"``, ``"folder"``,
        ``"file name"``, ``"format"`` or ``"none"``.
    name
        The name of the place, such as the name of the column.
    reason
        Why it was chosen: the user asked for it (``"asked"``), its name, it was the only choice,
        its content, or the definition of the format.
    n_values
        Number of distinct values.
    examples
        At most five of the values.

    Examples
    --------
    >>> from unisono.results import Origin
    >>> print(Origin("document", "column", "clip", "asked", 42, ("a01", "a02")))
    document from column "clip" (asked, 42 values)
    """

    role: Role
    source: SourceKind
    name: str
    reason: Reason
    n_values: int = 0
    examples: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The kind of place and its name, such as ``column "clip"``."""
        return f'{self.source} "{self.name}"' if self.name else self.source

    def __str__(self) -> str:
        values = f", {self.n_values:,} value{'s' * (self.n_values != 1)}" if self.n_values else ""
        return f"{self.role} from {self.place} ({self.reason}{values})"


@dataclass(frozen=True, slots=True)
class Ignored:
    """A part of the files that was not used.

    Attributes
    ----------
    kind
        ``"column"``, ``"tier"``, ``"attribute"``, ``"file"`` or ``"row"``.
    name
        The name of the column or tier, the path of the file, or what the rows are.
    count
        Number of distinct values of a column, of units of a tier, or of rows.
    reason
        Why it was not used.
    where
        The first file and line; empty if it concerns all files.

    Examples
    --------
    >>> from unisono.results import Ignored
    >>> print(Ignored("column", "comment", 118, "no role"))
    column comment (118 values; no role)
    """

    kind: Literal["column", "tier", "attribute", "file", "row"]
    name: str
    count: int
    reason: str
    where: str = ""

    def __str__(self) -> str:
        noun = {"column": "value", "attribute": "value", "tier": "unit"}.get(self.kind, self.kind)
        number = f"{self.count:,} {noun}{'s' * (self.count != 1)}"
        return f"{self.kind} {self.name} ({number}; {self.reason})"


@dataclass(frozen=True, slots=True)
class Reading:
    """One of the ways in which the same files can be read.

    Attributes
    ----------
    text
        The reading, such as ``"each file belongs to one annotator"``.
    counts
        The consequence, such as ``{"documents": 42, "annotators": 3}``.
    settings
        Settings of `read` or `read_ratings` that select this reading. Without settings, the first
        reading is selected by accepting the question; `text` says how to select another.

    Examples
    --------
    >>> from unisono.results import Reading
    >>> one = Reading("clip names the documents", {"documents": 42}, {"document": "clip"})
    >>> one.consequence
    '42 documents'
    """

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)

    @property
    def consequence(self) -> str:
        """The counts as text; a count of one is named in the singular."""
        return ", ".join(
            f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"
            for noun, number in self.counts.items()
        )


@dataclass(frozen=True, slots=True)
class Question:
    """Two or more readings of the same files, between which the data do not decide.

    Attributes
    ----------
    code
        The stable name of the question, such as ``"file-per-coder"``, for ``accept=``.
    text
        What was found in the files.
    readings
        The readings; the first one is the default, which accepting the question selects.

    Examples
    --------
    >>> from unisono.results import Question, Reading
    >>> question = Question(
    ...     "document-column",
    ...     "The column clip was not used.",
    ...     (
    ...         Reading("the file is one document", {"documents": 1}),
    ...         Reading("clip names the documents", {"documents": 42}, {"document": "clip"}),
    ...     ),
    ... )
    >>> print(question)
    The column clip was not used.
      1) the file is one document: 1 document. Set accept='document-column'
      2) clip names the documents: 42 documents. Set document='clip'
    """

    code: str
    text: str
    readings: tuple[Reading, ...]

    def lines(self) -> list[str]:
        """Return a line for each reading: its text, its counts and the settings that select it.

        Examples
        --------
        >>> from unisono.results import Question, Reading
        >>> Question("rounds", "Two folders.", (Reading("they are rounds"),)).lines()
        ["they are rounds. Set accept='rounds'"]
        """
        lines = []
        for at, reading in enumerate(self.readings):
            remedy = " ".join(setting(*chosen) for chosen in self.settings_of(at).items())
            counts = f": {reading.consequence}" if reading.counts else ""
            lines.append(f"{reading.text}{counts}{f'. Set {remedy}' if remedy else ''}")
        return lines

    def settings_of(self, number: int) -> Mapping[str, object]:
        """Return the settings that select a reading, counted from 0; empty if there are none.

        Examples
        --------
        >>> from unisono.results import Question, Reading
        >>> Question("rounds", "Two folders.", (Reading("they are rounds"),)).settings_of(0)
        {'accept': 'rounds'}
        """
        chosen = self.readings[number].settings
        return chosen or ({"accept": self.code} if number == 0 else {})

    def __str__(self) -> str:
        readings = (f"  {number}) {line}" for number, line in enumerate(self.lines(), start=1))
        return "\n".join([self.text, *readings])


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
    warnings
        Warnings about rows and contents that were kept.
    left_out
        Files that were not read, and contents of files that are not annotations.
    origins
        Where document, annotator, label and the other roles came from.
    ignored
        Columns, tiers and rows that were not used.
    questions
        Questions about how to read the files, whether accepted or open.
    accepted
        Codes of the questions whose first reading the user accepted.
    selected
        The documents, annotators, items or labels that were selected, as names or patterns.

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
    warnings: tuple[Remark, ...] = ()
    left_out: tuple[Remark, ...] = ()
    origins: tuple[Origin, ...] = ()
    ignored: tuple[Ignored, ...] = ()
    questions: tuple[Question, ...] = ()
    accepted: tuple[str, ...] = ()
    selected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    excluded: ClassVar[tuple[str, ...]] = ("sources",)

    @property
    def layers_read(self) -> dict[str, int]:
        """Number of units, or ratings, per layer that was read."""
        chosen = self.chosen_layers or self.layers
        return {name: number for name, number in self.layers.items() if name in chosen}

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """The questions that the user has not answered."""
        return tuple(each for each in self.questions if each.code not in self.accepted)

    def origin(self, role: Role) -> Origin | None:
        """Return where a role came from, or `None` if this is not known.

        Examples
        --------
        >>> from unisono.results import Interpretation, Origin
        >>> read = Interpretation(origins=(Origin("label", "column", "type", "name"),))
        >>> print(read.origin("label"))
        label from column "type" (name)
        """
        return next((each for each in self.origins if each.role == role), None)

    @property
    def label_source(self) -> str:
        """Where the labels came from, such as ``column "type"``; empty if the format defines it."""
        origin = self.origin("label")
        if origin is None or (origin.reason == "format" and origin.source != "none"):
            return ""
        return origin.place

    def __str__(self) -> str:
        lines = [str(each) for each in self.origins]
        lines += [f"only {name} {', '.join(texts)}" for name, texts in self.selected.items()]
        lines += [f"not used: {each}" for each in self.ignored]
        lines += [f"warning: {each}" for each in self.warnings]
        lines += [f"question: {each}" for each in self.open_questions]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain data, without the paths of the files.

        Examples
        --------
        >>> import unisono as un
        >>> un.read("examples/corpus").interpretation.to_dict()["formats"]
        {'csv': 4}
        """
        found = {name: of for name, of in asdict(self).items() if name not in self.excluded}
        plain: dict[str, Any] = _with_lists(found)
        return plain


def _with_lists(value: Any) -> Any:  # noqa: ANN401 - any plain value
    """Return plain data with lists instead of tuples and sets."""
    if isinstance(value, Mapping):
        return {str(name): _with_lists(of) for name, of in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    return [_with_lists(of) for of in value] if isinstance(value, tuple | list) else value
