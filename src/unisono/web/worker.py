"""The process that measures: takes one task after another from the service that started it.

It is told what to do in lines of JSON on its standard input, and tells how it goes on its standard
output. It ends when the service does; an interrupt ends the task it is at.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import queue
import signal
import sys
import threading
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.errors import worded
from unisono.web.measuring_others import measure_comparison, measure_items
from unisono.web.measuring_units import (
    measure_all,
    measure_calibration,
    measure_consensus,
    measure_description,
    measure_gamma,
    measure_segments,
    measure_unitizing,
)
from unisono.web.pictures import measure_chart
from unisono.web.problems import problem_of
from unisono.web.reporting import measure_report
from unisono.web.task import Task, setting_in_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


MEASURES: Mapping[str, Callable[[Task], None]] = {
    "describe": measure_description,
    "gamma": measure_gamma,
    "unitizing": measure_unitizing,
    "segments": measure_segments,
    "items": measure_items,
    "compare": measure_comparison,
    "consensus": measure_consensus,
    "calibrate": measure_calibration,
    "all": measure_all,
    "report": measure_report,
    "chart": measure_chart,
}
"""Measure to what computes it and writes its files."""


def performed(request: Mapping[str, Any], say: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Do one task and tell how it ended.

    Parameters
    ----------
    request
        The fields of a `Task`, as plain data.
    say
        Called with each event on the way.

    Returns
    -------
    dict
        The last event.

    Examples
    --------
    >>> import os, tempfile
    >>> from unisono.web.worker import performed
    >>> here = os.getcwd()
    >>> source = {"folder": os.path.join(here, "examples"), "entries": ["interview.csv"]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     request = {"measure": "gamma", "sources": {"data": source}, "target": folder}
    ...     request |= {"settings": {"draws": 30}, "units": 100, "draws": 1000, "threads": 1}
    ...     last = performed(request, lambda event: None)
    >>> os.chdir(here)
    >>> last["event"], [file["name"] for file in last["files"]]
    ('done', ['result.json', 'documents.csv', 'groups.csv', 'units.csv'])
    """

    def tell(phase: str, done: int, total: int) -> None:
        say({"event": "progress", "phase": phase, "done": done, "total": total})

    task = Task(
        measure=request["measure"],
        sources=request["sources"],
        settings=request["settings"],
        target=Path(request["target"]),
        units=request["units"],
        draws=request["draws"],
        threads=request["threads"],
        tell=tell,
    )
    try:
        with warnings.catch_warnings(record=True) as heard, worded(setting_in_json):
            warnings.simplefilter("always", UserWarning)
            MEASURES[task.measure](task)
    except KeyboardInterrupt:
        return {"event": "cancelled"}
    except Exception as error:
        if os.environ.get("UNISONO_TRACEBACK"):
            raise
        return {"event": "failed", "problem": problem_of(error).record}
    said = [str(one.message) for one in heard if issubclass(one.category, UserWarning)]
    return {"event": "done", "files": task.files, "warnings": [*task.warnings, *said]}


class _Loop:
    """Takes tasks until there are none to come."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._requests: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._busy = False

    def run(self) -> None:
        signal.signal(signal.SIGINT, self._interrupt)
        threading.Thread(target=self._listen, daemon=True).start()
        self._say({"event": "ready", "bytes": memory_in_use()})
        while True:
            request = self._requests.get()
            last: dict[str, Any] = {"event": "cancelled"}
            try:
                self._busy = True
                last = performed(request, self._say)
                self._busy = False
            except KeyboardInterrupt:
                self._busy = False
            os.chdir("/")
            gc.collect()
            self._say(last | {"bytes": memory_in_use()})

    def _interrupt(self, *_: object) -> None:
        if self._busy:
            raise KeyboardInterrupt

    def _listen(self) -> None:
        for line in sys.stdin.buffer:
            self._requests.put(json.loads(line))
        # The service is gone; whatever is being computed, nobody wants it.
        os._exit(0)

    def _say(self, event: dict[str, Any]) -> None:
        content = memoryview(json.dumps(event).encode() + b"\n")
        while content:
            content = content[os.write(self._output, content) :]


def memory_in_use() -> int:
    """Give the bytes of memory this process holds, or 0 where the system does not tell.

    Examples
    --------
    >>> from unisono.web.worker import memory_in_use
    >>> memory_in_use() >= 0
    True
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _limit_memory(limit: int) -> None:
    if importlib.util.find_spec("resource") is None:
        return  # not on every platform
    import resource  # noqa: PLC0415

    for what, most in (
        # Not the address space, of which what draws charts reserves much and uses little.
        (resource.RLIMIT_DATA, limit),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (bound, hard))


def main() -> None:
    """Serve the process that started this one."""
    # Tasks go to folders with files of strangers: no module may come from there.
    sys.path[:] = [place for place in sys.path if Path(place).is_absolute()]
    output = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.chdir("/")
    _limit_memory(int(sys.argv[1]))
    _Loop(output).run()


if __name__ == "__main__":
    main()
