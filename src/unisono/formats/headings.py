"""Which column of a table plays which role."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NoReturn

from unisono.errors import AmbiguousInputError, ReadError, SettingError, did_you_mean, setting
from unisono.formats.path_roles import is_about_paths
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


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
    """Lay out a table by its first row.

    Parameters
    ----------
    first
        The cells of the first row.
    asked
        What the caller says.
    path, line
        Where the row stands.

    Raises
    ------
    ReadError
        A column cannot be found, or is not the only one that could be meant.
    """
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
