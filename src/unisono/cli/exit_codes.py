"""The exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from unisono.result.rows import uncertainty

if TYPE_CHECKING:
    from unisono.result.agreement import Agreement

__all__ = ["ExitCode", "code_of"]


class ExitCode(IntEnum):
    """What the exit code of a command says; a command returns one, or None for `GOOD`."""

    GOOD = 0
    # Data, files or the run itself failed; nothing could be measured; all documents failed.
    ERROR = 1
    # The command line is wrong, or a question about the input must be answered first.
    USAGE = 2
    # Numbers were printed, but a certified interval is wider than 0.05, or some documents failed.
    INCOMPLETE = 3
    # 128 + SIGINT, as shells count.
    INTERRUPTED = 130
    # 128 + SIGPIPE, as shells count.
    BROKEN_PIPE = 141


def code_of(result: Agreement) -> ExitCode | None:
    """Return the code for a printed result: `INCOMPLETE` if its certified interval is too wide."""
    return None if uncertainty(result) is None else ExitCode.INCOMPLETE
