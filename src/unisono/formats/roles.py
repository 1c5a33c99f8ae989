"""Which column or part of a path holds the document, the annotator, the item and the label."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

from unisono.errors import AmbiguousInputError, ReadError, SettingError, did_you_mean, setting
from unisono.model.columns import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


ByPath = str
"""How a format has its annotators in paths.

``"folder"``
    The folder is the annotator.
``"file"``
    The file is the annotator, because documents are named inside.
``"either"``
    The folder, where file names are the same in several folders; otherwise not known.
``"tiers"``
    The same; otherwise the tiers in the file are annotators.
``"inside"``
    The file itself tells.
"""
WORDS = frozenset({"folder", "file"})


class Roles(NamedTuple):
    """What the path of a file tells."""

    document: str
    annotator: str | None


def is_about_paths(asked: object) -> bool:
    """Tell whether a caller's word for annotator or document speaks of folders and files."""
    return isinstance(asked, str) and (asked in WORDS or _has_field(asked))


def roles_of(
    paths: Sequence[Path],
    base: Path,
    by_path: ByPath,
    *,
    annotator: object = None,
    document: object = None,
    document_inside: bool = False,
) -> list[Roles]:
    """Tell annotator and document of files of one format."""
    relative = [path.relative_to(base).with_suffix("") for path in paths]
    patterns = [each for each in (annotator, document) if _has_field(each)]
    if patterns:
        return [
            _matched(path, rest, str(patterns[0]))
            for path, rest in zip(paths, relative, strict=True)
        ]
    level = _annotator_level(relative)
    repeats = level is not None
    if annotator == "folder" or (annotator not in WORDS and by_path == "folder"):
        whose, rests = _by_folder(relative, base, level or 0)
    elif annotator == "file" or (by_path == "file" and not repeats):
        whose = [rest.name for rest in relative]
        rests = relative if document_inside or document == "file" else [r.parent for r in relative]
    elif by_path in ("either", "tiers", "file") and repeats:
        whose, rests = _by_folder(relative, base, level or 0)
    else:
        alone = len(paths) == 1 and by_path == "either"
        whose = [rest.name if alone else None for rest in relative]
        rests = relative
    if document == "folder":
        rests = [rest.parent for rest in relative]
    names = _short_names(rests, base)
    return [Roles(name, who) for name, who in zip(names, whose, strict=True)]


def _has_field(asked: object) -> bool:
    # With {layer} it is a pattern of the names of tiers, which the readers of tiers compare.
    is_pattern = isinstance(asked, str) and "{layer}" not in asked
    return is_pattern and ("{annotator}" in str(asked) or "{document}" in str(asked))


def _matched(path: Path, relative: Path, pattern: str) -> Roles:
    parts = re.split(r"(\{annotator\}|\{document\}|\*)", pattern)
    if any(parts.count(name) > 1 for name in ("{annotator}", "{document}")):
        msg = f"a pattern has {{annotator}} and {{document}} once each; got {pattern!r}"
        raise SettingError(msg)
    fields = {
        "{annotator}": "(?P<annotator>[^/]+)",
        "{document}": "(?P<document>[^/]+)",
        "*": "[^/]*",
    }
    regex = "".join(fields.get(part, re.escape(part)) for part in parts)
    found = re.search(f"(?:^|/){regex}$", relative.as_posix())
    if found is None:
        problem = (
            f"the name {relative.as_posix()!r} does not fit {setting('annotator', pattern)}; "
            "a pattern is compared with the end of the path, without the suffix"
        )
        raise ReadError(problem, path=path)
    fitted = found.groupdict()
    return Roles(fitted.get("document") or relative.name, fitted.get("annotator"))


def _annotator_level(relative: Sequence[Path]) -> int | None:
    """Find the folders that can be taken out of the paths so that most files coincide."""
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
    whose: list[str | None] = []
    rests: list[Path] = []
    for path in relative:
        folders = path.parts[:-1]
        whose.append(folders[min(level, len(folders) - 1)] if folders else base.name or None)
        rests.append(type(path)(*_without(path, level)))
    return whose, rests


def _short_names(rests: Sequence[Path], base: Path) -> list[str]:
    """Name documents by their last part, or by more where that is not enough."""
    shown = {rest: rest.name for rest in rests}
    count = Counter(shown.values())
    return [
        (shown[rest] if count[shown[rest]] == 1 else rest.as_posix()) or base.name or "document"
        for rest in rests
    ]


def owner_problem(path: Path) -> ReadError:
    """Say how to tell whose file it is."""
    ways = listed(("folder", "file", "{document}_{annotator}"))
    problem = (
        "it is not known who annotated this file; put the files of each annotator in a folder "
        f"of that name, or say {setting('annotator')} with one of {ways}"
    )
    return ReadError(problem, path=path)


ROLES = ("document", "annotator", "start", "end", "label")
_NEEDED = ("annotator", "start", "end")
# Compared without case and punctuation; the role's own name wins over the others.
ALIASES: Mapping[str, tuple[str, ...]] = {
    "document": (
        *("document", "documents", "documentid", "documentname", "doc", "docid", "docname"),
        *("file", "fileid", "filename", "textid", "recording", "recordingid", "recordingfilename"),
        *("audio", "audiofile", "video", "videofile", "song", "clip", "dialogue", "dialog"),
    ),
    "annotator": (
        *("annotator", "annotators", "annotatorid", "annotatorname", "coder", "coderid"),
        *("rater", "raterid", "labeler", "labeller", "judge", "scorer", "observer", "expert"),
        *("worker", "workerid", "user", "userid", "username", "author", "speaker"),
    ),
    "start": (
        *("start", "starts", "starttime", "startoffset", "startchar", "startindex", "startpos"),
        *("begin", "begins", "begintime", "beginoffset", "onset", "segmentonset"),
        *("from", "tmin", "xmin", "startsec", "startseconds", "startms"),
    ),
    "end": (
        *("end", "ends", "endtime", "endoffset", "endchar", "endindex", "endpos"),
        *("stop", "stoptime", "finish", "offset", "segmentoffset"),
        *("to", "tmax", "xmax", "endsec", "endseconds", "endms"),
    ),
    "label": (
        *("label", "labels", "labelname", "category", "categories", "cat", "type", "unittype"),
        *("annotationtype", "entitytype", "tag", "class", "code"),
    ),
    "layer": ("layer", "layers", "layername", "tier", "tiername"),
}
_KNOWN = frozenset(alias for aliases in ALIASES.values() for alias in aliases)
# What the existing tools write without a header.
_HEADERLESS = ("annotator", "label", "start", "end")
NUMBER = re.compile(r"[+-]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller says of the columns.

    `columns` holds, for a role, the name of a column, its number from 1, or False for "there
    is none"; roles that are not there are to be found.
    """

    columns: Mapping[str, str | int | Literal[False]]
    header: bool | None = None
    by_path: bool = False  # whether the path of a file tells the annotator

    def __post_init__(self) -> None:
        if self.header not in (None, True, False):
            msg = f"header= is True, False or None; got {self.header!r}"
            raise TypeError(msg)
        used: dict[str | int, str] = {}
        for role, column in self.columns.items():
            if is_about_paths(column):
                continue
            if column is False and (role not in _NEEDED or self._is_told(role)):
                continue
            if isinstance(column, bool) or not isinstance(column, str | int):
                msg = f"{role}= is the name or the number of a column; got {column!r}"
                raise TypeError(msg)
            if isinstance(column, int) and column < 1:
                msg = f"columns are counted from 1; got {setting(role, column)}"
                raise SettingError(msg)
            if isinstance(column, str) and self.header is False:
                given = setting(role, column)
                msg = f"without a header columns have numbers, not names; got {given}"
                raise SettingError(msg)
            if column in used:
                both = f"{setting(used[column])} and {setting(role)}"
                msg = f"{both} both mean the column {column!r}; choose one"
                raise SettingError(msg)
            used[column] = role

    def _is_told(self, role: str) -> bool:
        return self.by_path and role == "annotator"

    @property
    def names(self) -> set[str]:
        """The names of columns the caller gave."""
        return {column for column in self.columns.values() if isinstance(column, str)}


@dataclass(frozen=True, slots=True)
class Layout:
    """How a table is laid out: role to column (from 0), and how many columns there are."""

    places: Mapping[str, int]
    width: int
    header: bool


def recognised(cells: Sequence[str], asked: Asked) -> int:
    """Count the cells that can be names of the columns we look for."""
    asked_names = {bare(name) for name in asked.names}
    return sum(bare(cell) in _KNOWN or bare(cell) in asked_names for cell in cells)


def place_of(role: str, cells: Sequence[str]) -> int | None:
    """Find the one column of a header that can play a role."""
    exact = [place for place, cell in enumerate(cells) if bare(cell) == role]
    alike = [place for place, cell in enumerate(cells) if bare(cell) in ALIASES[role]]
    found = exact or alike
    return found[0] if len(found) == 1 else None


def layout_of(first: Sequence[str], asked: Asked, *, path: Path, line: int) -> Layout:
    """Lay out a table by its first row."""
    return _Search([cell.strip() for cell in first], asked, path, line).layout()


class _Search:
    def __init__(self, cells: list[str], asked: Asked, path: Path, line: int) -> None:
        self.cells = cells
        self.asked = asked
        self.path = path
        self.line = line

    def layout(self) -> Layout:
        header = self._has_header()
        if not header and all(column is False for column in self.asked.columns.values()):
            places = self._headerless()
        else:
            places = self._asked_places()
            if header:
                self._add_found(places)
            self._check_complete(places, header=header)
            layer = place_of("layer", self.cells) if header else None
            if layer is not None and layer not in places.values():
                places["layer"] = layer
        return Layout(places, len(self.cells), header)

    def _has_header(self) -> bool:
        if self.asked.header is not None:
            return self.asked.header
        return bool(self.asked.names) or not any(map(NUMBER.fullmatch, self.cells))

    def _headerless(self) -> dict[str, int]:
        if len(self.cells) != len(_HEADERLESS):
            such = ", ".join(setting(role, number) for number, role in enumerate(_NEEDED, start=1))
            self._refuse(
                f"a table without header has {len(_HEADERLESS)} columns, {', '.join(_HEADERLESS)}; "
                f"this one has {len(self.cells)}: {listed(self.cells)}. Say which is which with "
                f"{such} and so on, or add a header"
            )
        return {
            role: place for place, role in enumerate(_HEADERLESS) if role not in self.asked.columns
        }

    def _asked_places(self) -> dict[str, int]:
        places: dict[str, int] = {}
        for role, column in self.asked.columns.items():
            if column is False:
                continue
            place = self._place(role, column)
            if place in places.values():
                asked = setting(role, column)
                self._refuse(f"{asked} is a column that plays another role already")
            places[role] = place
        return places

    def _place(self, role: str, column: str | int) -> int:
        if isinstance(column, int):
            if column > len(self.cells):
                self._refuse(f"no column {column} for {setting(role)}; there are {len(self.cells)}")
            return column - 1
        exact = [place for place, cell in enumerate(self.cells) if cell == column.strip()]
        alike = [place for place, cell in enumerate(self.cells) if bare(cell) == bare(column)]
        found = exact or alike
        if len(found) != 1:
            what = "no column" if not found else f"{len(found)} columns"
            columns = f"the columns are {listed(self.cells)}"
            meant = "" if found else did_you_mean(column, self.cells)
            self._refuse(f"{what} {column!r} for {setting(role)}; {columns}{meant}")
        return found[0]

    def _add_found(self, places: dict[str, int]) -> None:
        taken = set(places.values())
        for role in ROLES:
            if role in self.asked.columns:
                continue
            free = [place for place in range(len(self.cells)) if place not in taken]
            exact = [place for place in free if bare(self.cells[place]) == role]
            alike = [place for place in free if bare(self.cells[place]) in ALIASES[role]]
            found = exact or alike
            if len(found) > 1:
                names = listed(self.cells[place] for place in found)
                cure = setting(role, ...)
                problem = f"the {role} can be any of the columns {names}; say which: {cure}"
                raise AmbiguousInputError(problem, path=self.path, line=self.line)
            if found:
                places[role] = found[0]

    def _check_complete(self, places: dict[str, int], *, header: bool) -> None:
        asked = self.asked.columns
        missing = [role for role in _NEEDED if role not in places and asked.get(role) is not False]
        columns = f"the columns are {listed(self.cells)}"
        if missing:
            cure = ", ".join(setting(role, ...) for role in missing)
            hint = self._hint(missing, header=header)
            self._refuse(f"no column for {', '.join(missing)}; {columns}: say {cure}{hint}")
        spare = [
            cell for place, cell in enumerate(self.cells) if place not in places.values() and cell
        ]
        if "label" not in places and "label" not in self.asked.columns and spare:
            problem = (
                f"no column for label; {columns}: say {setting('label', ...)}, "
                f"or {setting('label', False)} when units have no labels"
            )
            raise AmbiguousInputError(problem, path=self.path, line=self.line)

    def _hint(self, missing: Sequence[str], *, header: bool) -> str:
        """Say what else may be meant by a table that lacks columns."""
        names = {bare(cell) for cell in self.cells}
        if header and not recognised(self.cells, self.asked):
            return f". If there is no header, say {setting('header', False)}"
        if missing == ["annotator"]:
            return f"; or, when each file is one annotator's, {setting('annotator', 'file')}"
        if {"start", "end"} <= set(missing) and names & {"item", *ALIASES["label"]}:
            return ". Ratings of given items need none: measure them with `items`"
        return ""

    def _refuse(self, problem: str) -> NoReturn:
        raise ReadError(problem, path=self.path, line=self.line)


def bare(name: str) -> str:
    """Write the name of a column without case, spaces and punctuation."""
    return "".join(filter(str.isalnum, name)).casefold()


RATING_ROLES = ("annotator", "item", "label")
# Compared without case and punctuation; the role's own name wins over the others.
_ALIASES: Mapping[str, tuple[str, ...]] = {
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


@dataclass(frozen=True, slots=True)
class RatingsAsked:
    """What the caller says of the columns: names, or numbers from 1."""

    annotator: str | int | None = None
    item: str | int | None = None
    label: str | int | None = None
    annotators: tuple[str | int, ...] | None = None
    wide: bool | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        for name, value in (("header", self.header), ("wide", self.wide)):
            if value not in (None, True, False):
                msg = f"{name}= is True, False or None; got {value!r}"
                raise TypeError(msg)
        seen: dict[str | int, str] = {}
        for role, column in self.columns:
            _check_column(role, column, self.header)
            if column in seen:
                both = f"{setting(seen[column])} and {setting(role)}"
                if seen[column] == role:
                    both = f"{setting(role)} names a column twice: they"
                msg = f"{both} both mean the column {column!r}; choose one"
                raise SettingError(msg)
            seen[column] = role
        if self.is_wide:
            for role in ("annotator", "label"):
                if getattr(self, role) is not None:
                    msg = (
                        "a wide table has a column for each annotator, and none of annotators or "
                        f"labels; leave {setting(role)} out, or say {setting('wide', False)}"
                    )
                    raise SettingError(msg)

    @property
    def is_wide(self) -> bool | None:
        """Whether the table is wide, if the caller says so or lets it be known."""
        if self.wide is not None:
            return self.wide
        if self.annotators is not None:
            return True
        return False if self.annotator is not None or self.label is not None else None

    @property
    def columns(self) -> list[tuple[str, str | int]]:
        """The columns the caller chose, with the setting that chose each."""
        given = [(role, getattr(self, role)) for role in RATING_ROLES]
        chosen = [(role, column) for role, column in given if column is not None]
        if self.is_wide and self.annotators is not None:
            chosen += [("annotators", column) for column in self.annotators]
        return chosen

    @property
    def names(self) -> list[str]:
        """The names of columns the caller gave."""
        return [column for _, column in self.columns if isinstance(column, str)]


@dataclass(frozen=True, slots=True)
class LongLayout:
    """One row a rating: role to column, from 0."""

    places: Mapping[str, int]
    width: int
    header: bool


@dataclass(frozen=True, slots=True)
class WideLayout:
    """One row an item: the columns of the annotators, from 0, and that of the items if any."""

    annotators: tuple[int, ...]
    item: int | None
    cells: tuple[str, ...]  # of the first row
    header: bool | None  # None: the first row alone does not tell
    chosen: bool  # whether the caller chose the annotators


def rating_layout(
    first: Sequence[str], asked: RatingsAsked, *, path: Path, line: int
) -> LongLayout | WideLayout:
    """Lay out a table of ratings by its first row."""
    search = _RatingSearch([cell.strip() for cell in first], asked, path, line)
    return search.wide() if asked.is_wide else search.long(header=search.has_header())


def alike(role: str, names: Sequence[str]) -> list[int]:
    """Find the columns that bear the usual names of a role."""
    exact = [place for place, name in enumerate(names) if bare(name) == role]
    usual = _ALIASES.get(role, ALIASES.get(role, ()))
    return exact or [place for place, name in enumerate(names) if bare(name) in usual]


def named_places(names: Sequence[str], asked: RatingsAsked, *, path: Path) -> Mapping[str, int]:
    """Find the columns of a long table that knows the names of its columns."""
    return _RatingSearch(list(names), asked, path, None).long(header=True).places


def _check_column(role: str, column: object, header: bool | None) -> None:  # noqa: FBT001 (passed on)
    if isinstance(column, bool) or not isinstance(column, str | int):
        msg = f"{role}= is the name or the number of a column; got {column!r}"
        raise TypeError(msg)
    if isinstance(column, int) and column < 1:
        msg = f"columns are counted from 1; got {setting(role, column)}"
        raise SettingError(msg)
    if isinstance(column, str) and header is False:
        given = setting(role, column)
        msg = f"without a header columns have numbers, not names; got {given}"
        raise SettingError(msg)


class _RatingSearch:
    def __init__(self, cells: list[str], asked: RatingsAsked, path: Path, line: int | None) -> None:
        self.cells = cells
        self.asked = asked
        self.path = path
        self.line = line

    def long(self, *, header: bool) -> LongLayout:
        places = {role: self._place(role, column) for role, column in self.asked.columns}
        if header:
            for role in RATING_ROLES:
                if role not in places:
                    self._add_found(role, places)
        elif not places and self.asked.wide is False and len(self.cells) == len(RATING_ROLES):
            # The order of the triples that the existing tools take.
            places = {role: place for place, role in enumerate(RATING_ROLES)}
        missing = [role for role in RATING_ROLES if role not in places]
        if missing:
            self._refuse_long(missing, header=header)
        self._check_apart(list(places.values()))
        return LongLayout(places, len(self.cells), header)

    def wide(self) -> WideLayout:
        asked = self.asked
        item = None if asked.item is None else self._place("item", asked.item)
        header = True if asked.names else asked.header
        if item is None and header is not False:
            found = self._alike("item", range(len(self.cells)))
            found = found or [at for at, cell in enumerate(self.cells) if bare(cell) == "id"]
            if len(found) == 1:
                item, header = found[0], True
        if asked.annotators is None:
            annotators = [place for place in range(len(self.cells)) if place != item]
        else:
            annotators = [self._place("annotators", column) for column in asked.annotators]
        self._check_apart(annotators if item is None else [*annotators, item])
        if header is None and any(self._is_no_name(place) for place in annotators):
            header = False
        chosen = asked.annotators is not None
        return WideLayout(tuple(annotators), item, tuple(self.cells), header, chosen)

    def _is_no_name(self, place: int) -> bool:
        return not self.cells[place] or NUMBER.fullmatch(self.cells[place]) is not None

    def has_header(self) -> bool:
        asked = self.asked
        if asked.header is not None:
            return asked.header
        if asked.names:
            return True
        if any(map(NUMBER.fullmatch, self.cells)):
            return False
        known = any(self._alike(role, range(len(self.cells))) for role in RATING_ROLES)
        if not known and all(getattr(asked, role) is not None for role in RATING_ROLES):
            self._refuse(
                f"the first row is {listed(self.cells)}: if these are names of columns, say "
                f"{setting('header', True)}, otherwise {setting('header', False)}"
            )
        return True

    def _alike(self, role: str, places: Sequence[int]) -> list[int]:
        return [places[at] for at in alike(role, [self.cells[place] for place in places])]

    def _add_found(self, role: str, places: dict[str, int]) -> None:
        free = [place for place in range(len(self.cells)) if place not in places.values()]
        found = self._alike(role, free)
        if len(found) > 1:
            names = listed(self.cells[place] for place in found)
            cure = setting(role, ...)
            problem = f"the {role} can be any of the columns {names}; say which: {cure}"
            raise AmbiguousInputError(problem, path=self.path, line=self.line)
        if found:
            places[role] = found[0]

    def _place(self, role: str, column: str | int) -> int:
        if isinstance(column, int):
            if column > len(self.cells):
                self._refuse(f"no column {column} for {setting(role)}; there are {len(self.cells)}")
            return column - 1
        exact = [place for place, cell in enumerate(self.cells) if cell == column.strip()]
        alike = [place for place, cell in enumerate(self.cells) if bare(cell) == bare(column)]
        found = exact or alike
        if len(found) != 1:
            what = "no column" if not found else f"{len(found)} columns"
            columns = f"the columns are {listed(self.cells)}"
            meant = "" if found else did_you_mean(column, self.cells)
            self._refuse(f"{what} {column!r} for {setting(role)}; {columns}{meant}")
        return found[0]

    def _check_apart(self, places: Sequence[int]) -> None:
        for place in places:
            if places.count(place) > 1:
                name = self.cells[place]
                self._refuse(f"the column {place + 1} ({name!r}) is chosen twice; choose others")

    def _refuse_long(self, missing: Sequence[str], *, header: bool) -> NoReturn:
        cure = ", ".join(setting(role, ...) for role in missing)
        columns = f"the columns are {listed(self.cells)}"
        problem = f"no column for {', '.join(missing)}; {columns}: say {cure}"
        if self.asked.is_wide is None:
            wide, some = setting("wide", True), setting("annotators", ...)
            problem += f"; or, when each annotator has a column, {wide} or {some}"
        if header and self.asked.header is None and not self.asked.names:
            problem += f". If there is no header, say {setting('header', False)}"
        self._refuse(problem)

    def _refuse(self, problem: str) -> NoReturn:
        raise ReadError(problem, path=self.path, line=self.line)
