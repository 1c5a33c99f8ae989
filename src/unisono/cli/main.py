"""The entry point of the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        # Imported here, so that `import unisono` does not load the command line libraries.
        from unisono.cli.app import run  # noqa: PLC0415

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            # The terminal echoes ^C at the start of the line; the message overwrites it.
            start = "\r" if sys.stderr.isatty() else ""
            print(f"{start}unisono: interrupted", file=sys.stderr)
        from unisono.cli.exit_codes import ExitCode  # noqa: PLC0415

        return int(ExitCode.INTERRUPTED)
