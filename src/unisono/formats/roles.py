"""Which column or part of a path holds the document, the annotator, the item and the label."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, NoReturn

from unisono.errors import AmbiguousInputError, ReadError, SettingError, did_you_mean, setting
from unisono.model.columns import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
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
    """Return whether the value of annotator= or document= is about folders and files."""
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
    """Return the annotator and the document of each of several files of one format."""
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
    """Return the error for a file whose annotator is not known."""
    ways = listed(("folder", "file", "{document}_{annotator}"))
    problem = (
        "it is not known who annotated this file; put the files of each annotator in a folder "
        f"of that name, or say {setting('annotator')} with one of {ways}"
    )
    return ReadError(problem, path=path)


RATING_ROLES = ("annotator", "item", "label")
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


class Wanted(NamedTuple):
    """The columns that one kind of table has."""

    aliases: Mapping[str, tuple[str, ...]]  # of each role, in the order in which roles are found
    needed: tuple[str, ...]
    headerless: tuple[str, ...]  # the order of the columns if there is no header
    deniable: tuple[str, ...] = ()  # roles that the caller may declare absent
    may_be_wide: bool = False

    def matches(self, role: str, names: Sequence[str]) -> list[int]:
        """Return the columns that bear the name of a role; if there are none, its other names."""
        plain = [bare(name) for name in names]
        exact = [place for place, name in enumerate(plain) if name == role]
        usual = self.aliases[role]
        return exact or [place for place, name in enumerate(plain) if name in usual]

    def only_match(self, role: str, names: Sequence[str]) -> int | None:
        """Return the column that bears the name of a role, or `None` unless there is just one."""
        found = self.matches(role, names)
        return found[0] if len(found) == 1 else None


UNITS = Wanted(
    ALIASES,
    needed=("annotator", "start", "end"),
    headerless=("annotator", "label", "start", "end"),  # what the existing tools write
    deniable=("document", "label"),
)
RATINGS = Wanted(_RATING_ALIASES, needed=RATING_ROLES, headerless=RATING_ROLES, may_be_wide=True)
WHO_SAW_WHAT = Wanted(
    {role: ALIASES[role] for role in ("document", "annotator")},
    needed=("document", "annotator"),
    headerless=("document", "annotator"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller says of the columns of a table.

    `columns` has, for a role, the name of a column, its number from 1, or False if there is
    none; other roles are to be found.
    """

    wanted: Wanted
    columns: Mapping[str, str | int | Literal[False]] = field(default_factory=dict)
    header: bool | None = None
    by_path: bool = False  # whether the path of a file tells the annotator
    wide: bool | None = None
    # The columns of a wide table; in a long one, everyone who was to rate.
    annotators: tuple[str | int, ...] | None = None

    def __post_init__(self) -> None:
        for name, value in (("header", self.header), ("wide", self.wide)):
            if value not in (None, True, False):
                msg = f"{name}= is True, False or None; got {value!r}"
                raise TypeError(msg)
        used: dict[str | int, str] = {}
        for role, column in self._chosen():
            self._check_column(role, column)
            if column in used:
                both = f"{setting(used[column])} and {setting(role)}"
                if used[column] == role:
                    both = f"{setting(role)} names a column twice: they"
                msg = f"{both} both mean the column {column!r}; choose one"
                raise SettingError(msg)
            used[column] = role
        for role in ("annotator", "label") if self.is_wide else ():
            if role in self.columns:
                msg = (
                    "a wide table has a column for each annotator, and none of annotators or "
                    f"labels; leave {setting(role)} out, or say {setting('wide', False)}"
                )
                raise SettingError(msg)

    @property
    def is_wide(self) -> bool | None:
        """Whether the table is wide, if the caller says so or lets it be known."""
        if self.wide is not None or not self.wanted.may_be_wide:
            return self.wide
        if self.annotators is not None:
            return True
        return False if {"annotator", "label"} & self.columns.keys() else None

    @property
    def names(self) -> set[str]:
        """The names of columns the caller gave."""
        return {column for _, column in self._chosen() if isinstance(column, str)}

    def in_table(self, first: Sequence[str], *, has_owner: bool) -> Asked:
        """Return what is asked of the columns of one table, of which the path may tell the owner.

        A word for paths means no column, unless a column is called so.
        """
        cells = set(map(bare, first))
        columns = {
            role: column
            for role, column in self.columns.items()
            if not is_about_paths(column) or bare(str(column)) in cells
        }
        by_path = has_owner and "annotator" not in columns
        if by_path:
            columns["annotator"] = False
        return replace(self, columns=columns, by_path=by_path)

    def _chosen(self) -> list[tuple[str, str | int]]:
        """Return the columns that the caller chose, with the setting that chose each."""
        chosen = [
            (role, column)
            for role, column in self.columns.items()
            if not (is_about_paths(column) or self._is_denied(role, column))
        ]
        if self.is_wide and self.annotators is not None:
            chosen += [("annotators", column) for column in self.annotators]
        return chosen

    def _is_denied(self, role: str, column: object) -> bool:
        may_be = role in self.wanted.deniable or (self.by_path and role == "annotator")
        return column is False and may_be

    def _check_column(self, role: str, column: object) -> None:
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


class Layout(NamedTuple):
    """Which column of a table is what, counted from 0."""

    cells: tuple[str, ...]  # of the first row
    header: bool | None  # None: the first row alone does not tell
    places: Mapping[str, int]  # of the roles
    annotators: tuple[int, ...] | None = None  # the columns of a wide table


def recognised(first_rows: Iterable[Sequence[str]], asked: Asked) -> list[int]:
    """Count, for each of several first rows, the cells that can be names of wanted columns."""
    known = {alias for aliases in asked.wanted.aliases.values() for alias in aliases}
    known.update(map(bare, asked.names))
    return [sum(bare(cell) in known for cell in cells) for cells in first_rows]


def layout_of(first: Sequence[str], asked: Asked, *, path: Path, line: int | None) -> Layout:
    """Find the columns of a table by its first row."""
    search = _Search([cell.strip() for cell in first], asked, path, line)
    return search.wide() if asked.is_wide else search.long()


class _Search:
    def __init__(self, cells: list[str], asked: Asked, path: Path, line: int | None) -> None:
        self.cells = cells
        self.asked = asked
        self.wanted = asked.wanted
        self.path = path
        self.line = line

    def long(self) -> Layout:
        """Find the columns of a table with one row per unit, rating or pair."""
        header = self._has_header()
        places: dict[str, int] = {}
        for role, column in self.asked.columns.items():
            if column is not False:
                places[role] = self._place(role, column, places.values())
        if header:
            self._add_found(places)
        elif not places:
            self._add_headerless(places)
        self._check_complete(places, header=header)
        return Layout(tuple(self.cells), header, places)

    def wide(self) -> Layout:
        """Find the columns of a table with one row per item and one column per annotator."""
        asked = self.asked
        header = True if asked.names else asked.header
        item = None
        if "item" in asked.columns:
            item = self._place("item", asked.columns["item"], ())
        elif header is not False:
            found = self.wanted.matches("item", self.cells)
            found = found or [at for at, cell in enumerate(self.cells) if bare(cell) == "id"]
            if len(found) == 1:
                item, header = found[0], True
        annotators: list[int] = []
        if asked.annotators is None:
            annotators += (place for place in range(len(self.cells)) if place != item)
        else:
            for column in asked.annotators:
                taken = annotators if item is None else [*annotators, item]
                annotators.append(self._place("annotator_columns", column, taken))
        if header is None and not all(map(self._may_be_name, annotators)):
            header = False
        places = {} if item is None else {"item": item}
        return Layout(tuple(self.cells), header, places, tuple(annotators))

    def _may_be_name(self, place: int) -> bool:
        return bool(self.cells[place]) and NUMBER.fullmatch(self.cells[place]) is None

    def _has_header(self) -> bool:
        if self.asked.header is not None:
            return self.asked.header
        if self.asked.names:
            return True
        known = any(self.wanted.matches(role, self.cells) for role in self.wanted.aliases)
        if self.wanted is WHO_SAW_WHAT:
            return known  # names of documents may be numbers
        if any(map(NUMBER.fullmatch, self.cells)):
            return False
        if not known and self.wanted is RATINGS and self.asked.columns.keys() >= {*RATING_ROLES}:
            self._refuse(
                f"the first row is {listed(self.cells)}: if these are names of columns, say "
                f"{setting('header', True)}, otherwise {setting('header', False)}"
            )
        return True

    def _place(self, role: str, column: str | int, taken: Collection[int]) -> int:
        if isinstance(column, int):
            if column > len(self.cells):
                self._refuse(f"no column {column} for {setting(role)}; there are {len(self.cells)}")
            found = [column - 1]
        else:
            exact = [place for place, cell in enumerate(self.cells) if cell == column.strip()]
            alike = [place for place, cell in enumerate(self.cells) if bare(cell) == bare(column)]
            found = exact or alike
        if len(found) != 1:
            what = "no column" if not found else f"{len(found)} columns"
            columns = f"the columns are {listed(self.cells)}"
            meant = "" if found else did_you_mean(str(column), self.cells)
            self._refuse(f"{what} {column!r} for {setting(role)}; {columns}{meant}")
        if found[0] in taken:
            number, name = found[0] + 1, self.cells[found[0]]
            if role == "annotator_columns":
                self._refuse(f"the column {number} ({name!r}) is chosen twice; choose others")
            self._refuse(f"{setting(role, column)} is a column that plays another role already")
        return found[0]

    def _add_found(self, places: dict[str, int]) -> None:
        for role in self.wanted.aliases:
            if role in self.asked.columns or role == "layer":
                continue
            free = [place for place in range(len(self.cells)) if place not in places.values()]
            names = [self.cells[place] for place in free]
            found = [free[at] for at in self.wanted.matches(role, names)]
            if len(found) > 1:
                columns = listed(self.cells[place] for place in found)
                cure = setting(role, ...)
                problem = f"the {role} can be any of the columns {columns}; say which: {cure}"
                raise AmbiguousInputError(problem, path=self.path, line=self.line)
            if found:
                places[role] = found[0]
        if "layer" in self.wanted.aliases:
            # A column of layers is of use only to those who choose layers: never a question.
            layer = self.wanted.only_match("layer", self.cells)
            if layer is not None and layer not in places.values():
                places["layer"] = layer

    def _add_headerless(self, places: dict[str, int]) -> None:
        order = self.wanted.headerless
        is_known = not self.wanted.may_be_wide or self.asked.wide is False
        if len(self.cells) == len(order) and is_known:
            columns = self.asked.columns
            places.update((role, at) for at, role in enumerate(order) if role not in columns)
        elif self.wanted is UNITS:
            needed = enumerate(self.wanted.needed, start=1)
            such = ", ".join(setting(role, number) for number, role in needed)
            self._refuse(
                f"a table without header has {len(order)} columns, {', '.join(order)}; "
                f"this one has {len(self.cells)}: {listed(self.cells)}. Say which is which with "
                f"{such} and so on, or add a header"
            )

    def _check_complete(self, places: Mapping[str, int], *, header: bool) -> None:
        known = {*places, *self.asked.columns}
        missing = [role for role in self.wanted.needed if role not in known]
        if missing and self.wanted is WHO_SAW_WHAT:
            names = " and ".join(self.wanted.needed)
            self._refuse(f"expected the columns {names}; got {listed(self.cells)}")
        if missing:
            columns = f"the columns are {listed(self.cells)}"
            cure = ", ".join(setting(role, ...) for role in missing)
            hint = self._hint(missing, header=header)
            self._refuse(f"no column for {', '.join(missing)}; {columns}: say {cure}{hint}")
        spare = [cell for at, cell in enumerate(self.cells) if at not in places.values()]
        if "label" not in known and "label" in self.wanted.deniable and any(spare):
            problem = (
                f"no column for label; the columns are {listed(self.cells)}: "
                f"say {setting('label', ...)}, "
                f"or {setting('label', False)} when units have no labels"
            )
            raise AmbiguousInputError(problem, path=self.path, line=self.line)

    def _hint(self, missing: Sequence[str], *, header: bool) -> str:
        """Return what else may be meant by a table that lacks columns."""
        hint = ""
        is_unknown = not recognised([self.cells], self.asked)[0]
        if self.wanted.may_be_wide:
            is_unknown = self.asked.header is None and not self.asked.names
            if self.asked.is_wide is None:
                wide, some = setting("wide", True), setting("annotator_columns", ...)
                hint = f"; or, when each annotator has a column, {wide} or {some}"
        if header and is_unknown:
            return f"{hint}. If there is no header, say {setting('header', False)}"
        if self.wanted is UNITS and missing == ["annotator"]:
            return f"; or, when each file is one annotator's, {setting('annotator', 'file')}"
        has_ratings = any(RATINGS.matches(role, self.cells) for role in ("item", "label"))
        if {"start", "end"} <= set(missing) and has_ratings:
            return ". Ratings of given items need none: measure them with `items`"
        return hint

    def _refuse(self, problem: str) -> NoReturn:
        raise ReadError(problem, path=self.path, line=self.line)


def bare(name: str) -> str:
    """Write the name of a column without case, spaces and punctuation."""
    return "".join(filter(str.isalnum, name)).casefold()
