"""A consensus in the formats that annotation tools read, as a worker process writes it."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from unisono.errors import UnisonoError
from unisono.formats.write import write

if TYPE_CHECKING:
    from unisono.studies.consensus_result import Consensus
    from unisono.web.task import Task

__all__ = ["write_for_tools"]

_FORMATS = {
    "jsonl": ("jsonl", "JSON Lines", "application/x-ndjson"),
    "labelstudio": ("json", "Label Studio", "application/json"),
    "textgrid": ("TextGrid", "Praat", "text/plain"),
    "eaf": ("eaf", "ELAN", "application/xml"),
    "brat": ("ann", "brat", "text/plain"),
}


def write_for_tools(task: Task, found: Consensus) -> None:
    """Make a file for each tool that can hold this consensus.

    Parameters
    ----------
    task
        Where the files go.
    found
        The consensus.
    """
    if not len(found):
        return
    for name, (suffix, tool, kind) in _FORMATS.items():
        with tempfile.TemporaryDirectory(dir=task.target) as folder:
            # A folder of this name in the archive, where a tool wants a file for each document.
            made = Path(folder, f"consensus.{suffix}")
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    write(found.corpus, made, format=name)
            except UnisonoError:
                continue  # such as places between characters, which brat does not know
            if made.is_file() and len(list(Path(folder).iterdir())) == 1:
                task.take(made, f"the consensus, for {tool}", kind)
            else:
                base = str(task.target / f"consensus-{name}")
                archive = Path(shutil.make_archive(base, "zip", folder))
                task.take(archive, f"the consensus, for {tool}", "application/zip")
