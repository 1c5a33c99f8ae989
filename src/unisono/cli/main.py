"""The command line: parses, calls, prints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    try:
        # Here, so that whoever imports unisono does not load the libraries of the command line.
        from unisono.cli.app import run  # noqa: PLC0415

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            # A terminal shows ^C where the line begins; the sentence is written over it.
            start = "\r" if sys.stderr.isatty() else ""
            print(f"{start}unisono: interrupted", file=sys.stderr)
        from unisono.cli.exit_codes import ExitCode  # noqa: PLC0415

        return int(ExitCode.INTERRUPTED)
