"""Commands in notebooks: a copy of this file runs when a notebook starts.

By default, ``!command`` runs in a pseudo-terminal, whose output arrives in pieces and with the
escape codes of styles, and a command that fails does not stop the notebook.
"""

from __future__ import annotations

import subprocess

from IPython import get_ipython


def system(command: str) -> None:
    """Run a command, print its output, and raise an error if it fails."""
    done = subprocess.run(  # noqa: S602 - a line of our own notebook
        command,
        shell=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    print(done.stdout, end="")  # noqa: T201 - the purpose
    if done.returncode:
        msg = f"{command} ended with exit code {done.returncode}"
        raise RuntimeError(msg)


get_ipython().system = system
