"""Roles of columns and of parts of paths: document, annotator, item, label and others."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

from unisono.errors import AmbiguousInputError, ReadError, SettingError, did_you_mean, setting
from unisono.model.columns import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from unisono.model.interpretation import Reason, SourceKind


ByPath = str
"""How the annotator of a file follows from its path.

``"folder"``
    The folder is the annotator.
``"file"``
    The file is the annotator; documents are named in the file.
``"either"``
    The folder, if file names are repeated in several folders; otherwise unknown.
``"tiers"``
    The folder, if file names are repeated in several folders; otherwise tiers are annotators.
``"inside"``
    The path has no annotator; the file names its annotators.
"""
PATH_CHOICES = frozenset({"folder", "file"})


class Place(NamedTuple):
    """Where the values of a role came from, as in `unisono.results.Origin`."""

    source: SourceKind
    name: str
    reason: Reason


FILE_NAME = Place("file name", "", "format")
"""The usual place of documents."""


class PathRoles(NamedTuple):
    """The document and the annotator that the path of a file names."""

    document: str
    annotator: str | None
    document_place: Place = FILE_NAME
    annotator_place: Place = FILE_NAME


def refers_to_path(value: object) -> bool:
    """Return whether the value of annotator= or document= refers to folders and files."""
    return isinstance(value, str) and (value in PATH_CHOICES or _has_field(value))


def roles_of(
    paths: Sequence[Path],
    base: Path,
    by_path: ByPath,
    *,
    annotator: object = None,
    document: object = None,
    document_inside: bool = False,
) -> list[PathRoles]:
    """Return the document and the annotator of each file, all files being of one format."""
    relative = [path.relative_to(base).with_suffix("") for path in paths]
    patterns = [each for each in (annotator, document) if _has_field(each)]
    if patterns:
        return [
            _match(path, rest, str(patterns[0])) for path, rest in zip(paths, relative, strict=True)
        ]
    level = _annotator_level(relative)
    repeats = level is not None
    place = Place("file name", "", "asked" if annotator == "file" else "format")
    if annotator == "folder" or (annotator not in PATH_CHOICES and by_path == "folder"):
        annotators, rests = _by_folder(relative, base, level or 0)
        place = Place("folder", "", "asked" if annotator == "folder" else "format")
    elif annotator == "file" or (by_path == "file" and not repeats):
        annotators = [rest.name for rest in relative]
        rests = relative if document_inside or document == "file" else [r.parent for r in relative]
    elif by_path in ("either", "tiers", "file") and repeats:
        annotators, rests = _by_folder(relative, base, level or 0)
        place = Place("folder", "", "content")
    else:
        is_only_file = len(paths) == 1 and by_path == "either"
        annotators = [rest.name if is_only_file else None for rest in relative]
        rests = relative
    document_place = FILE_NAME
    if document == "folder":
        rests = [rest.parent for rest in relative]
        document_place = Place("folder", "", "asked")
    names = _short_names(rests, base)
    return [
        PathRoles(*roles, document_place, place) for roles in zip(names, annotators, strict=True)
    ]


def _has_field(value: object) -> bool:
    # A pattern with {layer} is matched with the names of tiers, by the readers of tiers.
    is_pattern = isinstance(value, str) and "{layer}" not in value
    return is_pattern and ("{annotator}" in str(value) or "{document}" in str(value))


def _match(path: Path, relative: Path, pattern: str) -> PathRoles:
    parts = re.split(r"(\{annotator\}|\{document\}|\*)", pattern)
    if any(parts.count(name) > 1 for name in ("{annotator}", "{document}")):
        msg = f"a pattern can have {{annotator}} and {{document}} only once each; got {pattern!r}"
        raise SettingError(msg)
    regexes = {
        # The shortest possible: documents more often have the separator in their name.
        "{annotator}": "(?P<annotator>[^/]+?)",
        "{document}": "(?P<document>[^/]+)",
        "*": "[^/]*",
    }
    regex = "".join(regexes.get(part, re.escape(part)) for part in parts)
    found = re.search(f"(?:^|/){regex}$", relative.as_posix())
    if found is None:
        problem = (
            f"the path {relative.as_posix()!r} does not match {setting('annotator', pattern)}; "
            "a pattern must match the end of the path without the suffix"
        )
        raise ReadError(problem, path=path)
    fields = found.groupdict()
    place = Place("file name", pattern, "asked")
    document = fields.get("document")
    return PathRoles(
        document or relative.name, fields.get("annotator"), place if document else FILE_NAME, place
    )


def _annotator_level(relative: Sequence[Path]) -> int | None:
    """Return the depth of the folder that most likely names the annotator.

    This is the folder whose removal from the paths makes most of them equal.
    """
    depth = max((len(path.parts) - 1 for path in relative), default=0)
    best, merged = None, 0
    for level in range(depth):
        rests = Counter(_without(path, level) for path in relative)
        number = len(relative) - len(rests)
        if number and number >= merged:
            best, merged = level, number
    return best


def _without(path: Path, level: int) -> tuple[str, ...]:
    inner = min(level, len(path.parts) - 1)
    if inner == len(path.parts) - 1:
        return path.parts
    return path.parts[:inner] + path.parts[inner + 1 :]


def _by_folder(
    relative: Sequence[Path], base: Path, level: int
) -> tuple[list[str | None], list[Path]]:
    annotators: list[str | None] = []
    rests: list[Path] = []
    for path in relative:
        folders = path.parts[:-1]
        annotators.append(folders[min(level, len(folders) - 1)] if folders else base.name or None)
        rests.append(type(path)(*_without(path, level)))
    return annotators, rests


def _short_names(rests: Sequence[Path], base: Path) -> list[str]:
    """Return document names: the last part of each path, or the path if that is not unique."""
    # Files of several annotators of one document have equal paths here, which are one name.
    count = Counter(rest.name for rest in set(rests))
    return [
        (rest.name if count[rest.name] == 1 else rest.as_posix()) or base.name or "document"
        for rest in rests
    ]


def owner_problem(path: Path) -> ReadError:
    """Return the error for a file whose annotator is unknown."""
    ways = listed(("folder", "file", "{document}_{annotator}"))
    problem = (
        "the annotator of this file is unknown; put the files of each annotator in a folder "
        f"of that name, or set {setting('annotator')} to one of {ways}"
    )
    return ReadError(problem, path=path)


RATING_ROLES = ("annotator", "item", "label")
# Compared without case, accents and punctuation; the name of the role itself takes precedence.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "document": (
        *("document", "documents", "documentid", "documentname", "doc", "docid", "docname"),
        *("file", "fileid", "filename", "textid", "recording", "recordingid", "recordingfilename"),
        *("audio", "audiofile", "video", "videofile", "song", "clip", "dialogue", "dialog"),
    ),
    "annotator": (
        *("annotator", "annotators", "annotatorid", "annotatorname", "coder", "coderid"),
        *("rater", "raterid", "labeler", "labeller", "judge", "scorer", "observer", "expert"),
        *("worker", "workerid", "username"),
    ),
    "start": (
        *("start", "starts", "starttime", "startoffset", "startchar", "startindex", "startpos"),
        *("begin", "begins", "begintime", "beginoffset", "onset", "segmentonset"),
        *("from", "tmin", "xmin", "startsec", "startseconds", "startms"),
    ),
    "end": (
        *("end", "ends", "endtime", "endoffset", "endchar", "endindex", "endpos"),
        *("stop", "stoptime", "finish", "segmentoffset"),
        *("to", "tmax", "xmax", "endsec", "endseconds", "endms"),
    ),
    "duration": ("duration", "durationtime", "dur", "length", "segmentduration"),
    "label": (
        *("label", "labels", "labelname", "category", "categories", "cat", "type", "unittype"),
        *("annotationtype", "entitytype", "tag", "class", "code"),
    ),
    "layer": ("layer", "layers", "layername", "tier", "tiername"),
}
# Names that are used if a table has no column with a common name.
_RARE_ALIASES: Mapping[str, tuple[str, ...]] = {
    "document": (
        *("mediafile", "videofile", "mediafilename", "record", "observationid", "commentid"),
        *("datei", "aufnahme", "dokument", "fichier", "enregistrement", "archivo", "documento"),
        *("grabacion", "文件"),
    ),
    "annotator": (
        *("physicianid", "kodierer", "beurteiler", "annotateur", "codeur", "juge"),
        *("anotador", "codificador", "juez", "标注者"),
    ),
    "item": (
        *("vignette", "epoch", "epochnumber", "epochnum", "hitid", "target", "stimulus"),
        *("stimulusid", "trial", "trialid", "segment", "segmentid"),
        *("frage", "satz", "enonce", "pregunta", "题目"),
    ),
    "start": ("beginn", "anfang", "debut", "tempsdedepart", "inicio", "开始"),
    "end": ("ende", "fin", "tempsdefin", "final", "结束"),
    "duration": ("dauer", "duree", "duracion"),
    "label": (
        *("behavior", "behaviour", "annotation", "annotationvalue", "decision", "value", "rating"),
        *("kategorie", "wert", "bewertung", "etiquette", "categorie", "etiqueta", "categoria"),
        "标签",
    ),
}
# Names that often mean something else: they are used if there is no other, with a warning.
_WEAK_ALIASES: Mapping[str, tuple[str, ...]] = {
    "document": ("session", "path", "subjectid"),
    "annotator": ("user", "userid", "author", "authorid"),
    "end": ("offset",),
}
# The end of a unit, if the start has such a name; otherwise it may be a duration or a shift.
_OFFSET = "offset"
_ONSET = "onset"
# Units of measurement in headings such as "Start (s)"; preferred in this order if a role has
# several columns.
POSITION_UNITS: Mapping[str, tuple[str, ...]] = {
    "seconds": ("s", "sec", "secs", "second", "seconds", "ss.msec", "s.ms"),
    "milliseconds": ("ms", "msec", "msecs", "millisecond", "milliseconds"),
    "minutes": ("min", "mins", "minute", "minutes"),
    "frames": ("frame", "frames"),
    "characters": ("char", "chars", "character", "characters"),
    "tokens": ("token", "tokens", "word", "words"),
    "clock times": ("hh:mm:ss.ms", "hh:mm:ss.msec", "hh:mm:ss,ms", "hh:mm:ss", "mm:ss.ms", "mm:ss"),
}
_UNIT_OF = {text: unit for unit, texts in POSITION_UNITS.items() for text in texts}
_BRACKETS = re.compile(r"(.*\S)\s*[(\[]\s*([^()\[\]]*?)\s*[)\]]")
_DASH = re.compile(r"(.*\S)\s+-\s+(\S+)")
_SUFFIX = re.compile(r"(.*\S)[_ .](\S+)")
_RATING_ALIASES: Mapping[str, tuple[str, ...]] = {
    "annotator": ALIASES["annotator"],
    "item": (
        *("item", "items", "itemid", "itemname", "itemno", "unit", "unitid", "subject"),
        *("subjectid", "object", "objectid", "question", "questionid", "sentence", "sentenceid"),
        *("instance", "instanceid", "example", "exampleid", "task", "taskid", "token", "tokenid"),
    ),
    "label": (
        *ALIASES["label"],
        *("rating", "ratings", "score", "value", "answer", "response", "judgment", "judgement"),
    ),
}
NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?")
CLOCK_TIME = re.compile(r"[0-9]{1,9}(:[0-5][0-9]){1,2}([.,][0-9]*)?")


_POSITIONS = ("start", "end", "duration")


class Heading(NamedTuple):
    """The heading of a column: its normalized name and, if it has one, its unit of measurement."""

    name: str
    unit: str


@cache
def _tiers(role: str, aliases: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    """Return the names of columns of a role, those preferred first."""
    rare, weak = _RARE_ALIASES.get(role, ()), _WEAK_ALIASES.get(role, ())
    return tuple(map(frozenset, ((role,), aliases, rare, weak)))


@lru_cache(maxsize=4096)
def heading_of(text: str) -> Heading:
    """Split a heading such as ``Start (s)`` or ``Begin Time - ss.msec``."""
    text = text.strip()
    if found := _BRACKETS.fullmatch(text):
        return Heading(normalize_name(found[1]), _UNIT_OF.get(found[2].lower(), ""))
    found = _DASH.fullmatch(text) or _SUFFIX.fullmatch(text)
    name = normalize_name(found[1]) if found else ""
    unit = _UNIT_OF.get(found[2].lower(), "") if found else ""
    if unit and any(name in names for role in _POSITIONS for names in _tiers(role, ALIASES[role])):
        return Heading(name, unit)
    return Heading(normalize_name(text), "")


def _in_best_unit(places: list[int], headings: Sequence[Heading]) -> list[int]:
    """Return the columns in the preferred unit, of columns with the same position."""
    order = [*POSITION_UNITS, ""]
    units = [order.index(headings[place].unit) for place in places]
    if "" in (headings[place].unit for place in places):
        return places
    return [place for place, unit in zip(places, units, strict=True) if unit == min(units)]


def is_number(cell: str) -> bool:
    """Return whether a cell is a number or a clock time."""
    return bool(NUMBER.fullmatch(cell) or CLOCK_TIME.fullmatch(cell))


class TableKind(NamedTuple):
    """The columns of a kind of table."""

    aliases: Mapping[str, tuple[str, ...]]  # by role, in the order in which roles are assigned
    required: tuple[str, ...]
    headerless: tuple[str, ...]  # the order of the columns if there is no header
    optional: tuple[str, ...] = ()  # roles that can be set to False
    may_be_wide: bool = False

    def matches(self, role: str, names: Sequence[str]) -> list[int]:
        """Return the columns with the name of a role or, if there are none, with an alias of it.

        Names with a unit of measurement are compared with and without it.
        """
        whole = [normalize_name(name) for name in names]
        headings = [heading_of(name) for name in names]
        for known in _tiers(role, self.aliases[role]):
            for plain in (whole, [heading.name for heading in headings]):
                found = [place for place, name in enumerate(plain) if name in known]
                if len(found) > 1 and role in _POSITIONS:
                    return _in_best_unit(found, headings)
                if found:
                    return found
        return []

    def roles_in(self, names: Sequence[str]) -> int:
        """Return the number of roles for which there is a column."""
        plain = {normalize_name(name) for name in names}
        plain.update(heading_of(name).name for name in names)
        return sum(
            any(not plain.isdisjoint(known) for known in _tiers(role, aliases))
            for role, aliases in self.aliases.items()
        )

    def only_match(self, role: str, names: Sequence[str]) -> int | None:
        """Return the column with the name of a role, or `None` unless there is exactly one."""
        found = self.matches(role, names)
        return found[0] if len(found) == 1 else None


UNITS = TableKind(
    ALIASES,
    required=("annotator", "start", "end"),
    headerless=("annotator", "label", "start", "end"),  # the order of existing tools
    optional=("document", "label"),
)
RATINGS = TableKind(
    _RATING_ALIASES, required=RATING_ROLES, headerless=RATING_ROLES, may_be_wide=True
)
SEEN_BY = TableKind(
    {role: ALIASES[role] for role in ("document", "annotator")},
    required=("document", "annotator"),
    headerless=("document", "annotator"),
)


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Roles that the caller assigned to columns of a table.

    `columns` maps a role to the name of a column, to its number from 1, or to False if the table
    has no such column; the columns of other roles are detected.
    """

    kind: TableKind
    columns: Mapping[str, str | int | Literal[False]] = field(default_factory=dict)
    header: bool | None = None
    by_path: bool = False  # whether the annotator follows from the path
    wide: bool | None = None
    # The columns of annotators in a wide table; in a long one, the names of all annotators.
    annotators: tuple[str | int, ...] | None = None

    def __post_init__(self) -> None:
        for name, value in (("header", self.header), ("wide", self.wide)):
            if value not in (None, True, False):
                msg = f"{name}= must be True, False or None; got {value!r}"
                raise TypeError(msg)
        if {"end", "duration"} <= self.columns.keys():
            msg = f"{setting('end')} and {setting('duration')} exclude each other; set one of them"
            raise SettingError(msg)
        used: dict[str | int, str] = {}
        for role, column in self._chosen():
            self._check_column(role, column)
            if column in used:
                both = f"{setting(used[column])} and {setting(role)} both name"
                if used[column] == role:
                    both = f"{setting(role)} repeats"
                msg = f"{both} the column {column!r}; name each column once"
                raise SettingError(msg)
            used[column] = role
        for role in ("annotator", "label") if self.is_wide else ():
            if role in self.columns:
                msg = (
                    "a wide table has one column per annotator, not a column of annotators or "
                    f"labels; remove {setting(role)}, or set {setting('wide', False)}"
                )
                raise SettingError(msg)

    @property
    def is_wide(self) -> bool | None:
        """Whether the table is wide, as set or implied by the caller; `None` if unknown."""
        if self.wide is not None or not self.kind.may_be_wide:
            return self.wide
        if self.annotators is not None:
            return True
        return False if {"annotator", "label"} & self.columns.keys() else None

    @property
    def names(self) -> set[str]:
        """The column names set by the caller."""
        return {column for _, column in self._chosen() if isinstance(column, str)}

    def in_table(self, first: Sequence[str], *, has_owner: bool) -> ColumnRoles:
        """Return the roles for one table, whose annotator may follow from its path.

        A value that refers to paths is not a column, unless a column has that name.
        """
        cells = set(map(normalize_name, first))
        columns = {
            role: column
            for role, column in self.columns.items()
            if not refers_to_path(column) or normalize_name(str(column)) in cells
        }
        by_path = has_owner and "annotator" not in columns
        if by_path:
            columns["annotator"] = False
        return replace(self, columns=columns, by_path=by_path)

    def _chosen(self) -> list[tuple[str, str | int]]:
        """Return pairs of a setting and the column that the caller assigned with it."""
        chosen = [
            (role, column)
            for role, column in self.columns.items()
            if not (refers_to_path(column) or self._is_absent(role, column))
        ]
        if self.is_wide and self.annotators is not None:
            chosen += [("annotator_columns", column) for column in self.annotators]
        return chosen

    def _is_absent(self, role: str, column: object) -> bool:
        is_optional = role in self.kind.optional or (self.by_path and role == "annotator")
        return column is False and is_optional

    def _check_column(self, role: str, column: object) -> None:
        if isinstance(column, bool) or not isinstance(column, str | int):
            msg = f"{role}= must be the name or the number of a column; got {column!r}"
            raise TypeError(msg)
        if isinstance(column, int) and column < 1:
            msg = f"columns are counted from 1; got {setting(role, column)}"
            raise SettingError(msg)
        if isinstance(column, str) and self.header is False:
            msg = f"a table without a header has no column names; got {setting(role, column)}; "
            msg += "use a column number from 1"
            raise SettingError(msg)


# A row with names of so many roles is a header.
_MIN_ROLES = 2


class Layout(NamedTuple):
    """The columns of a table by role, counted from 0."""

    cells: tuple[str, ...]  # of the first row
    header: bool | None  # None: cannot be detected from the first row alone
    places: Mapping[str, int]  # by role
    annotators: tuple[int, ...] | None = None  # the columns of a wide table
    reasons: Mapping[str, Reason] = MappingProxyType({})  # by role
    item_parts: tuple[int, ...] = ()  # further columns that name an item
    weak: tuple[str, ...] = ()  # roles whose column has a name that often means something else
    unit: str = ""  # of positions, from the headings


def recognised(first_rows: Iterable[Sequence[str]], roles: ColumnRoles) -> list[int]:
    """Return the number of cells in each first row that are known column names."""
    known = {
        name
        for role, aliases in roles.kind.aliases.items()
        for names in _tiers(role, aliases)
        for name in names
    }
    known.update(map(normalize_name, roles.names))
    return [
        sum(not known.isdisjoint((normalize_name(cell), heading_of(cell).name)) for cell in cells)
        for cells in first_rows
    ]


def title_rows(rows: Sequence[Sequence[str]], roles: ColumnRoles) -> int:
    """Return the number of rows above the header, such as a title; 0 if no header is found.

    The header is the first row with names of two or more roles, or of columns that the caller
    named, if all rows above have fewer cells.
    """
    if roles.header is not None:
        return 0
    asked = set(map(normalize_name, roles.names))
    filled = [[cell for cell in row if cell] for row in rows]
    # The first row is a header unless a later one has more cells.
    if max(map(len, filled), default=0) == len(filled[0] if filled else ()):
        return 0
    widest = -1
    for number, cells in enumerate(filled):
        if len(cells) > widest and _names_columns(cells, roles, asked):
            return number
        widest = max(widest, len(cells))
    return 0


def _names_columns(cells: Sequence[str], roles: ColumnRoles, asked: set[str]) -> bool:
    if asked and asked <= set(map(normalize_name, cells)):
        return True
    has_roles = len(cells) >= _MIN_ROLES and roles.kind.roles_in(cells) >= _MIN_ROLES
    return has_roles and not any(map(is_number, cells))


def layout_of(first: Sequence[str], roles: ColumnRoles, *, path: Path, line: int | None) -> Layout:
    """Assign roles to the columns of a table from its first row."""
    search = _Search([cell.strip() for cell in first], roles, path, line)
    return search.wide() if roles.is_wide else search.long()


class _Search:
    def __init__(self, cells: list[str], roles: ColumnRoles, path: Path, line: int | None) -> None:
        self.cells = cells
        self.roles = roles
        self.kind = roles.kind
        self.path = path
        self.line = line
        self.item_parts: tuple[int, ...] = ()
        self.reasons: dict[str, Reason] = dict.fromkeys(roles.columns, "asked")

    def long(self) -> Layout:
        """Return the layout of a table with one row per unit, rating or pair."""
        header = self._has_header()
        places: dict[str, int] = {}
        for role, column in self.roles.columns.items():
            if role == "item" and (names := self._item_columns(column)):
                first, *others = (self._place(role, name, places.values()) for name in names)
                places[role], self.item_parts = first, tuple(others)
            elif column is not False:
                places[role] = self._place(role, column, places.values())
        if header:
            self._add_found(places)
        elif not places:
            self._add_headerless(places)
        self._check_complete(places, header=header)
        unit = self._unit(places) if header else ""
        reasons = {role: self.reasons[role] for role in places}
        weak = tuple(role for role in places if reasons[role] == "name" and self._is_weak(role))
        return Layout(tuple(self.cells), header, places, None, reasons, self.item_parts, weak, unit)

    def _item_columns(self, column: object) -> list[str]:
        """Return the columns of an item named by several, such as ``document,sentence``."""
        if not isinstance(column, str) or column.strip() in self.cells or "," not in column:
            return []
        names = [name.strip() for name in column.split(",")]
        return names if all(name in self.cells for name in names) else []

    def _is_weak(self, role: str) -> bool:
        """Return whether the table has only weak names for a role."""
        found = self.kind.matches(role, self.cells)
        weak = _WEAK_ALIASES.get(role, ())
        return any(heading_of(self.cells[place]).name in weak for place in found)

    def _unit(self, places: Mapping[str, int]) -> str:
        """Return the unit of measurement of positions that the headings name."""
        units = {
            role: heading_of(self.cells[places[role]]).unit for role in _POSITIONS if role in places
        }
        units = {
            role: "seconds" if unit == "clock times" else unit
            for role, unit in units.items()
            if unit
        }
        if len(set(units.values())) > 1:
            named = ", ".join(f"{role} is in {unit}" for role, unit in units.items())
            self._refuse(f"positions must have one unit of measurement; {named}")
        return next(iter(units.values()), "")

    def wide(self) -> Layout:
        """Return the layout of a table with one row per item and one column per annotator."""
        roles = self.roles
        header = True if roles.names else roles.header
        item = None
        if "item" in roles.columns:
            item = self._place("item", roles.columns["item"], ())
        elif header is not False:
            found = self.kind.matches("item", self.cells)
            if not found:
                names = map(normalize_name, self.cells)
                found = [place for place, name in enumerate(names) if name == "id"]
            if len(found) == 1:
                item, header = found[0], True
        annotators: list[int] = []
        if roles.annotators is None:
            annotators += (place for place in range(len(self.cells)) if place != item)
        else:
            for column in roles.annotators:
                taken = annotators if item is None else [*annotators, item]
                annotators.append(self._place("annotator_columns", column, taken))
        if header is None and not all(map(self._may_be_name, annotators)):
            header = False
        places = {} if item is None else {"item": item}
        chosen: Reason = "only choice" if roles.annotators is None else "asked"
        reasons: dict[str, Reason] = {
            "item": "asked" if "item" in roles.columns else "name",
            "annotator": chosen,
        }
        return Layout(tuple(self.cells), header, places, tuple(annotators), reasons)

    def _may_be_name(self, place: int) -> bool:
        return bool(self.cells[place]) and NUMBER.fullmatch(self.cells[place]) is None

    def _has_header(self) -> bool:
        if self.roles.header is not None:
            return self.roles.header
        if self.roles.names:
            return True
        known = any(self.kind.matches(role, self.cells) for role in self.kind.aliases)
        if self.kind is SEEN_BY:
            return known  # names of documents may be numbers
        if any(map(is_number, self.cells)):
            # Names of all roles that are numbers in the rows below, such as start and end.
            if self.kind is not UNITS:
                return False
            texts = [cell for cell in self.cells if not is_number(cell)]
            has_end = any(self.kind.matches(role, texts) for role in ("end", "duration"))
            return has_end and bool(self.kind.matches("start", texts))
        if not known and self.kind is RATINGS and self.roles.columns.keys() >= {*RATING_ROLES}:
            self._refuse(
                f"the first row is {listed(self.cells)}; set {setting('header', True)} if these "
                f"are column names, {setting('header', False)} otherwise"
            )
        return True

    def _place(self, role: str, column: str | int, taken: Collection[int]) -> int:
        if isinstance(column, int):
            if column > len(self.cells):
                self._refuse(
                    f"no column {column} for {setting(role)}; the table has {len(self.cells)}"
                )
            found = [column - 1]
        else:
            exact = [place for place, cell in enumerate(self.cells) if cell == column.strip()]
            name = normalize_name(column)
            matching = [at for at, cell in enumerate(self.cells) if normalize_name(cell) == name]
            found = exact or matching
        if len(found) != 1:
            what = "no column" if not found else f"{len(found)} columns"
            columns = f"the columns are {listed(self.cells)}"
            meant = "" if found else did_you_mean(str(column), self.cells)
            self._refuse(f"{what} {column!r} for {setting(role)}; {columns}{meant}")
        if found[0] in taken:
            number, name = found[0] + 1, self.cells[found[0]]
            if role == "annotator_columns":
                self._refuse(f"column {number} ({name!r}) is used twice; choose a different column")
            self._refuse(f"{setting(role, column)} is a column that already has another role")
        return found[0]

    def _add_found(self, places: dict[str, int]) -> None:
        for role in self.kind.aliases:
            if role in self.roles.columns or role in ("layer", "duration"):
                continue
            if role == "end" and "duration" in self.roles.columns:
                continue
            taken = {*places.values(), *self.item_parts}
            free = [place for place in range(len(self.cells)) if place not in taken]
            names = [self.cells[place] for place in free]
            found = [free[at] for at in self.kind.matches(role, names)]
            if len(found) > 1:
                columns = listed(self.cells[place] for place in found)
                remedy = setting(role, ...)
                problem = f"several columns can be the {role}: {columns}; choose one with {remedy}"
                raise AmbiguousInputError(problem, path=self.path, line=self.line)
            if role == "end" and found and self._is_weak("end"):
                found = self._checked_offset(found[0], places)
            if found:
                places[role] = found[0]
                self.reasons[role] = "name"
        if "start" in places and "end" not in places and "duration" in self.kind.aliases:
            self._add_duration(places)
        if "layer" in self.kind.aliases:
            # Only layer= needs this column, so ambiguous names are not an error.
            layer = self.kind.only_match("layer", self.cells)
            if layer is not None and layer not in places.values():
                places["layer"] = layer
                self.reasons["layer"] = "name"

    def _add_duration(self, places: dict[str, int]) -> None:
        if "duration" in places:
            return
        duration = self.kind.only_match("duration", self.cells)
        if duration is not None and duration not in places.values():
            places["duration"] = duration
            self.reasons["duration"] = "name"

    def _checked_offset(self, place: int, places: Mapping[str, int]) -> list[int]:
        """Return the column named offset if it is the end; raise if it may be something else."""
        start = self.cells[places["start"]] if "start" in places else ""
        if _ONSET in normalize_name(start):
            return [place]
        if self.kind.matches("duration", self.cells):
            return []
        name = self.cells[place]
        problem = (
            f"the column {name!r} may be the end of units, their duration, or a shift; set "
            f"{setting('end', name)} or {setting('duration', name)}"
        )
        raise AmbiguousInputError(problem, path=self.path, line=self.line)

    def _add_headerless(self, places: dict[str, int]) -> None:
        order = self.kind.headerless
        is_known = not self.kind.may_be_wide or self.roles.wide is False
        if len(self.cells) == len(order) and is_known:
            columns = self.roles.columns
            places.update((role, at) for at, role in enumerate(order) if role not in columns)
            self.reasons.update(dict.fromkeys(places, "format"))
        elif self.kind is UNITS:
            required = enumerate(self.kind.required, start=1)
            examples = ", ".join(setting(role, number) for number, role in required)
            self._refuse(
                f"a table without a header must have the {len(order)} columns "
                f"{', '.join(order)}; this one has {len(self.cells)}: {listed(self.cells)}. "
                f"Assign the columns with {examples} and so on, or add a header"
            )

    def _check_complete(self, places: Mapping[str, int], *, header: bool) -> None:
        known = {*places, *self.roles.columns}
        if "duration" in known:
            known.add("end")
        missing = [role for role in self.kind.required if role not in known]
        if missing and self.kind is SEEN_BY:
            names = " and ".join(self.kind.required)
            self._refuse(f"expected the columns {names}; got {listed(self.cells)}")
        if missing:
            columns = f"the columns are {listed(self.cells)}"
            remedy = ", ".join(setting(role, ...) for role in missing)
            hint = self._hint(missing, header=header)
            self._refuse(f"no column for {', '.join(missing)}; {columns}; set {remedy}{hint}")
        spare = [cell for at, cell in enumerate(self.cells) if at not in places.values()]
        if "label" not in known and "label" in self.kind.optional and any(spare):
            problem = (
                f"no column for label; the columns are {listed(self.cells)}; "
                f"set {setting('label', ...)}, "
                f"or {setting('label', False)} if units have no labels"
            )
            raise AmbiguousInputError(problem, path=self.path, line=self.line)

    def _hint(self, missing: Sequence[str], *, header: bool) -> str:
        """Return a further remedy for a table without the required columns."""
        hint = ""
        is_unknown = not recognised([self.cells], self.roles)[0]
        if self.kind.may_be_wide:
            is_unknown = self.roles.header is None and not self.roles.names
            if self.roles.is_wide is None:
                wide, columns = setting("wide", True), setting("annotator_columns", ...)
                hint = f"; or, if each annotator has a column, {wide} or {columns}"
        if header and is_unknown:
            return f"{hint}. If there is no header, set {setting('header', False)}"
        if self.kind is UNITS and missing == ["annotator"]:
            return f"; or, if each file belongs to one annotator, {setting('annotator', 'file')}"
        has_ratings = any(RATINGS.matches(role, self.cells) for role in ("item", "label"))
        if {"start", "end"} <= set(missing) and has_ratings:
            return ". Ratings of items have no start and end: measure them with `items`"
        return hint

    def _refuse(self, problem: str) -> NoReturn:
        raise ReadError(problem, path=self.path, line=self.line)


@lru_cache(maxsize=4096)
def normalize_name(name: str) -> str:
    """Return the name of a column in lower case, without accents, spaces and punctuation."""
    letters = unicodedata.normalize("NFD", name)
    return "".join(filter(str.isalnum, letters)).casefold()
