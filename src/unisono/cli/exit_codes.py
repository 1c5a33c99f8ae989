"""The exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum
from typing import Self

__all__ = ["ExitCode"]


class ExitCode(IntEnum):
    """What the exit code of a command says; a command returns one, or None for `GOOD`."""

    meaning: str

    def __new__(cls, value: int, meaning: str) -> Self:
        """Keep the meaning beside the number; the documentation prints it."""
        code = int.__new__(cls, value)
        code._value_ = value
        code.meaning = meaning
        return code

    GOOD = 0, "done; a coefficient may still be undefined, and the result then says why"
    ERROR = 1, "data, files or the run failed, there is nothing to measure, or all documents failed"
    USAGE = 2, "the command is wrong, or a question about the data must be answered first"
    INCOMPLETE = (
        3,
        (
            "numbers were printed, but a certified interval is wider than 0.05, or some documents "
            "failed and were reported (`--keep-going`)"
        ),
    )
    # 128 + the number of the signal, as shells count.
    INTERRUPTED = 130, "interrupted with Ctrl-C, also if what was reached so far was printed"
    BROKEN_PIPE = 141, "the program that read the output, such as `head`, closed the pipe"
