"""What can go wrong, as a tree of exceptions, and how a message names a setting.

::

    UnisonoError
    ├── DataError        (also a ValueError)  the data cannot be what they claim to be
    │   └── ReadError                         a file, and the line, that cannot be read
    │       └── AmbiguousInputError           a choice that the reader leaves to the user
    ├── SettingError     (also a ValueError)  a setting no data could be measured with
    └── WorkError        (also a RuntimeError)  workers, cluster or checkpoint failed, not the data

A value of the wrong type raises Python's own `TypeError`.

A message that tells the reader to change a setting names it with `setting`: in Python that is a
keyword, on the command line an option. Each door brings its own words with `worded`.
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

_MOST_COMPARED = 5_000  # more would take longer than a reader waits for an error
_LONGEST_MESSAGE = 2_000
_LONGEST_VALUE = 80


class UnisonoError(Exception):
    """Anything that unisono itself has to object to.

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
        # Values of a file are quoted here and there: no message is longer than can be read.
        super().__init__(shortened(str(message), _LONGEST_MESSAGE))


class DataError(UnisonoError, ValueError):
    """The data are not what they have to be.

    Examples
    --------
    >>> import unisono as un
    >>> un.Continuum.from_units([("ann", 0, float("inf"))])
    Traceback (most recent call last):
    unisono.errors.DataError: row 0: the end of a unit is a finite number; 'ann' has inf
    """


class SettingError(UnisonoError, ValueError):
    """A setting that cannot be used, whatever the data.

    Examples
    --------
    >>> import unisono as un
    >>> un.read("talks.csv", on_error="ignore")
    Traceback (most recent call last):
    unisono.errors.SettingError: unknown on_error 'ignore'; choose one of 'raise', 'skip'
    """


class WorkError(UnisonoError, RuntimeError):
    """The data are good, but those who do the work, or keep what is done, failed.

    Examples
    --------
    >>> import unisono as un
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> text = un.Continuum.from_units([("ann", 0, 5), ("bob", 0, 4), ("bob", 6, 9)])
    >>> executor = ThreadPoolExecutor(1)
    >>> executor.shutdown()
    >>> un.gamma(text, rng=1, executor=executor)
    Traceback (most recent call last):
    unisono.errors.WorkError: the executor was shut down before the work was done; give one that...
    """


class ReadError(DataError):
    """A file, and where known the line, that cannot be read.

    Parameters
    ----------
    problem
        What is wrong, the value, and what would be right.
    path
        The file or folder.
    line
        The line, counted from 1; none when the whole file is meant.

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
        # Not through UnisonoError: a path is never shortened.
        Exception.__init__(self, f"{where}: {self.problem}")

    def __reduce__(self) -> tuple[Callable[[str], ReadError], tuple[str], dict[str, Any]]:
        # The default would call the class with the finished message and without its path.
        again = partial(type(self), path=os.fspath(self.path), line=self.line)
        return again, (self.problem,), self.__dict__.copy()


class AmbiguousInputError(ReadError):
    """A file that can be read in several ways, so that the user must choose one."""


def shortened(text: str, most: int = _LONGEST_VALUE) -> str:
    """Return a text for a message, its middle replaced by an ellipsis where it is too long."""
    if len(text) <= most:
        return text
    # The end of a message says what to do.
    last = most // 3
    return f"{text[: most - last - 1]}…{text[len(text) - last :]}"


class Wording(Protocol):
    """How a door calls a setting: by name, and where one is given, with a value."""

    def __call__(self, name: str, /, *value: object) -> str: ...


def _keyword(name: str, /, *value: object) -> str:
    return f"{name}=" + "".join("…" if each is ... else repr(each) for each in value)


# One for each thread and task, so that doors that are open at once keep their own words.
_wording: ContextVar[Wording] = ContextVar("wording", default=_keyword)


def setting(name: str, /, *value: object) -> str:
    """Name a setting for a message, in the words of the door through which the user came."""
    return _wording.get()(name, *value)


def did_you_mean(given: str, choices: Iterable[str]) -> str:
    """Suggest the name that was probably meant, to put behind a message."""
    there = sorted(choices, reverse=True)
    # What is no text is no slip of the pen.
    if len(there) > _MOST_COMPARED or not isinstance(given, str):
        return ""
    # Case is what people get wrong most, and says nothing.
    by_bare = {choice.casefold(): choice for choice in there}
    near = difflib.get_close_matches(given.casefold(), by_bare, n=1)
    return f". Did you mean {by_bare[near[0]]!r}?" if near else ""


@contextmanager
def worded(wording: Wording) -> Iterator[None]:
    """Let messages name settings in other words, as long as the context lasts."""
    token = _wording.set(wording)
    try:
        yield
    finally:
        _wording.reset(token)
