"""Which column of a table of ratings plays which role: long tables and wide ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from unisono.errors import AmbiguousInputError, ReadError, SettingError, did_you_mean, setting
from unisono.formats.headings import ALIASES, NUMBER, bare
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


ROLES = ("annotator", "item", "label")
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
        given = [(role, getattr(self, role)) for role in ROLES]
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
    """Lay out a table of ratings by its first row.

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
    search = _Search([cell.strip() for cell in first], asked, path, line)
    return search.wide() if asked.is_wide else search.long(header=search.has_header())


def alike(role: str, names: Sequence[str]) -> list[int]:
    """Find the columns that bear the usual names of a role."""
    exact = [place for place, name in enumerate(names) if bare(name) == role]
    usual = _ALIASES.get(role, ALIASES.get(role, ()))
    return exact or [place for place, name in enumerate(names) if bare(name) in usual]


def named_places(names: Sequence[str], asked: RatingsAsked, *, path: Path) -> Mapping[str, int]:
    """Find the columns of a long table that knows the names of its columns."""
    return _Search(list(names), asked, path, None).long(header=True).places


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


class _Search:
    def __init__(self, cells: list[str], asked: RatingsAsked, path: Path, line: int | None) -> None:
        self.cells = cells
        self.asked = asked
        self.path = path
        self.line = line

    def long(self, *, header: bool) -> LongLayout:
        places = {role: self._place(role, column) for role, column in self.asked.columns}
        if header:
            for role in ROLES:
                if role not in places:
                    self._add_found(role, places)
        elif not places and self.asked.wide is False and len(self.cells) == len(ROLES):
            # The order of the triples that the existing tools take.
            places = {role: place for place, role in enumerate(ROLES)}
        missing = [role for role in ROLES if role not in places]
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
        known = any(self._alike(role, range(len(self.cells))) for role in ROLES)
        if not known and all(getattr(asked, role) is not None for role in ROLES):
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
