"""The exceptions that unisono raises, and the names of settings in their messages.

::

    UnisonoError
    ├── DataError        (also a ValueError)  the data are invalid
    │   └── ReadError                         a file cannot be read; names the line where known
    │       └── AmbiguousInputError           a file can be read in several ways
    ├── SettingError     (also a ValueError)  a setting is invalid, whatever the data
    └── WorkError        (also a RuntimeError)  the workers, the cluster or the checkpoint failed

A value of the wrong type raises Python's own `TypeError`.

A message that asks for a change of a setting names it with `setting`: as a keyword in Python, as an
option on the command line, as a JSON key over HTTP. Each of these interfaces sets its own names
with `worded`.
"""

from __future__ import annotations

import difflib
import os
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = [
    "AmbiguousInputError",
    "DataError",
    "ReadError",
    "SettingError",
    "UnisonoError",
    "WorkError",
    "did_you_mean",
    "setting",
    "shortened",
    "worded",
]

_MOST_COMPARED = 5_000  # comparing more names would delay the error message noticeably
_LONGEST_MESSAGE = 2_000
_LONGEST_VALUE = 80


class UnisonoError(Exception):
    """Base class of all exceptions that unisono raises on purpose.

    Examples
    --------
    >>> import unisono as un
    >>> try:
    ...     un.Unit("ann", 9, 2)
    ... except un.errors.UnisonoError as error:
    ...     print(error)
    a unit cannot end before it starts; 'ann' has [9.0, 2.0]
    """

    def __init__(self, message: str = "") -> None:
        # Messages quote values from files, which can be of any length.
        super().__init__(shortened(str(message), _LONGEST_MESSAGE))


class DataError(UnisonoError, ValueError):
    """The data are invalid.

    Examples
    --------
    >>> import unisono as un
    >>> un.Continuum.from_units([("ann", 0, float("inf"))])
    Traceback (most recent call last):
    unisono.errors.DataError: row 0: the end of a unit must be a finite number; 'ann' has inf
    """

    def __init__(self, problem: str = "", *, remedy: str = "") -> None:
        self.problem, self.remedy = str(problem), remedy
        super().__init__(f"{problem}. {remedy}" if remedy else problem)


class SettingError(UnisonoError, ValueError):
    """A setting is invalid, whatever the data.

    Examples
    --------
    >>> import unisono as un
    >>> un.read("talks.csv", on_error="ignore")
    Traceback (most recent call last):
    unisono.errors.SettingError: unknown on_error='ignore'; choose one of 'raise', 'skip'
    """


class WorkError(UnisonoError, RuntimeError):
    """The data are valid, but the workers or the checkpoint failed.

    Examples
    --------
    >>> import unisono as un
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> text = un.Continuum.from_units([("ann", 0, 5), ("bob", 0, 4), ("bob", 6, 9)])
    >>> executor = ThreadPoolExecutor(1)
    >>> executor.shutdown()
    >>> un.gamma(text, rng=1, executor=executor)
    Traceback (most recent call last):
    unisono.errors.WorkError: the executor was shut down before the work was done; pass one that...
    """


class ReadError(DataError):
    """A file cannot be read; the message names the file and, where known, the line.

    Parameters
    ----------
    problem
        What is wrong, the offending value, and what would be right.
    path
        The file or folder.
    line
        The line number, counted from 1; ``None`` if the problem concerns the whole file.

    Examples
    --------
    >>> import unisono as un
    >>> error = un.errors.ReadError("start 'x' is not a number", path="turns.csv", line=2)
    >>> print(error)
    turns.csv:2: start 'x' is not a number
    >>> error.line
    2
    """

    def __init__(
        self, problem: str, *, path: str | os.PathLike[str], line: int | None = None
    ) -> None:
        self.problem = shortened(problem, _LONGEST_MESSAGE)
        self.path = Path(path)
        self.line = line
        where = os.fspath(path) if line is None else f"{os.fspath(path)}:{line}"
        # UnisonoError.__init__ would shorten the path, which must stay usable.
        Exception.__init__(self, f"{where}: {self.problem}")

    def __reduce__(self) -> tuple[Callable[[str], ReadError], tuple[str], dict[str, Any]]:
        # The default would call the class with the formatted message and without a path.
        again = partial(type(self), path=os.fspath(self.path), line=self.line)
        return again, (self.problem,), self.__dict__.copy()


class AmbiguousInputError(ReadError):
    """A file can be read in several ways, and the user must choose one.

    Parameters
    ----------
    problem, path, line
        As for a `ReadError`.
    interpretation
        The `unisono.results.Interpretation` of the files, with the open questions; ``None`` if
        reading stopped before.
    """

    def __init__(
        self,
        problem: str,
        *,
        path: str | os.PathLike[str],
        line: int | None = None,
        interpretation: object = None,
    ) -> None:
        super().__init__(problem, path=path, line=line)
        self.interpretation = interpretation


def shortened(text: str, most: int = _LONGEST_VALUE) -> str:
    """Return the text with its middle replaced by an ellipsis if it is longer than `most`."""
    if len(text) <= most:
        return text
    # The end is kept because it names the remedy.
    last = most // 3
    return f"{text[: most - last - 1]}…{text[len(text) - last :]}"


def check_choice(name: str, value: object, choices: Iterable[str], otherwise: str = "") -> None:
    """Raise a SettingError unless the value is one of the choices.

    `otherwise` is appended as an alternative to the choices, such as ``"pass a table"``.
    """
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        suggestion = did_you_mean(str(value), known)
        listed = ", ".join(map(repr, known)) + (otherwise and f", or {otherwise}")
        msg = f"unknown {setting(name, value)}; choose one of {listed}{suggestion}"
        raise SettingError(msg)


class Wording(Protocol):
    """Function that formats a setting, with its value if there is one, for one interface."""

    def __call__(self, name: str, /, *value: object) -> str: ...


def _keyword(name: str, /, *value: object) -> str:
    return f"{name}=" + "".join("…" if each is ... else repr(each) for each in value)


# A context variable, so that interfaces that run at the same time keep their own names.
_wording: ContextVar[Wording] = ContextVar("wording", default=_keyword)


def setting(name: str, /, *value: object) -> str:
    """Return the name of a setting, and its value if any, as the current interface writes it."""
    return _wording.get()(name, *value)


def did_you_mean(name: str, choices: Iterable[str]) -> str:
    """Return a suggestion of the closest choice, to be appended to a message, or ``""``."""
    candidates = sorted(choices, reverse=True)
    # A value that is not a string is not a misspelling.
    if len(candidates) > _MOST_COMPARED or not isinstance(name, str):
        return ""
    # A difference in case is the most common mistake and must not count as a difference.
    by_folded = {choice.casefold(): choice for choice in candidates}
    near = difflib.get_close_matches(name.casefold(), by_folded, n=1)
    return f". Did you mean {by_folded[near[0]]!r}?" if near else ""


@contextmanager
def worded(wording: Wording) -> Iterator[None]:
    """Format settings in messages with `wording` while the context lasts."""
    token = _wording.set(wording)
    try:
        yield
    finally:
        _wording.reset(token)


@contextmanager
def renamed(**names: str) -> Iterator[None]:
    """Format settings in messages under other names while the context lasts.

    For a function that passes a setting to another one, which has it under another name.
    """
    outer = _wording.get()

    def inner(name: str, /, *value: object) -> str:
        return outer(names.get(name, name), *value)

    token = _wording.set(inner)
    try:
        yield
    finally:
        _wording.reset(token)
