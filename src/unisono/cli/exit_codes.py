"""The exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum
from typing import Self

__all__ = ["ExitCode"]


class ExitCode(IntEnum):
    """Exit codes; a command returns one of them, or `None` for `GOOD`."""

    meaning: str

    def __new__(cls, value: int, meaning: str) -> Self:
        """Store the meaning with the number, for the documentation."""
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code

    GOOD = 0, "success; a coefficient may be undefined, in which case the result has the reason"
    ERROR = 1, "invalid data or files, a failed run, no data to measure, or all documents failed"
    USAGE = 2, "the command line is invalid, or the data need a choice, such as of a layer"
    INCOMPLETE = (
        3,
        (
            "results were printed, but a certified interval is wider than 0.05, or some documents "
            "failed and were reported (`--keep-going`)"
        ),
    )
    # 128 + the number of the signal, as shells count.
    INTERRUPTED = 130, "interrupted with Ctrl-C, even if partial results were printed"
    BROKEN_PIPE = 141, "the program that read the output, such as `head`, closed the pipe"
