"""Worker threads of our own, which can be stopped in the middle of their work."""

from __future__ import annotations

import ctypes
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

__all__ = ["Threads"]

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


class Threads(ThreadPoolExecutor):
    """Threads that know the words of the door the user came through, and can be stopped.

    Examples
    --------
    >>> with Threads(2) as executor:
    ...     executor.submit(pow, 2, 5).result()
    32
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers, thread_name_prefix="unisono")
        self._busy: set[int] = set()
        self._guard = threading.Lock()

    def submit(  # noqa: D102 - as every executor
        self, fn: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Result]:
        # A context can be entered by one thread at a time, so each task has a copy.
        context = copy_context()

        def worked() -> _Result:
            with self._guard:
                self._busy.add(threading.get_ident())
            try:
                return context.run(fn, *args, **kwargs)
            finally:
                with self._guard:
                    self._busy.discard(threading.get_ident())

        return super().submit(worked)

    def stop(self) -> None:
        """Stop what is being done, also within the kernel, and wait for it."""
        self.shutdown(wait=False, cancel_futures=True)
        with self._guard:
            for ident in self._busy:
                # The kernel asks every tenth of a second whether somebody wants it to stop.
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(ident), ctypes.py_object(KeyboardInterrupt)
                )
        self.shutdown(wait=True)
