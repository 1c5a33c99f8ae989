"""Futures of a Dask cluster that end in any case.

Dask's own executor forgets a future whose result was there, was lost with its worker before it
could be fetched, and then could not be computed again: whoever waits for it waits for ever.
"""

from __future__ import annotations

from concurrent.futures import CancelledError, Executor, Future
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Followed", "client_of"]

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def client_of(executor: object) -> Any:  # noqa: ANN401 - a Client of Dask, which may be missing
    """Give the client behind an executor of Dask, or nothing.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> client_of(ThreadPoolExecutor(1))
    """
    # No public name leads from the one to the other.
    client = getattr(executor, "_client", None)
    return client if hasattr(client, "get_executor") else None


class Followed(Executor):
    """Does the work of an executor of Dask; its futures have a result, an error or are cancelled.

    Parameters
    ----------
    executor
        What a client of Dask gives: ``client.get_executor()``.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor: Any = executor
        self._client = client_of(executor)

    def submit(  # noqa: D102 - as every executor
        self, fn: Callable[_Given, _Result], /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Future[_Result]:
        if self._executor._shutdown:  # noqa: SLF001 - as in `client_of`
            msg = "no new work after shutdown"
            raise RuntimeError(msg)
        there = self._client.submit(fn, *args, **kwargs, **self._executor._kwargs)  # noqa: SLF001
        # Whoever shuts the executor down waits for this one, or cancels it.
        self._executor._futures.add(there)  # noqa: SLF001
        here: Future[_Result] = Future()

        def take_back(ended: Future[_Result]) -> None:
            if ended.cancelled() and not there.cancelled():
                there.cancel()

        here.add_done_callback(take_back)
        self._client.loop.add_callback(_follow, there, here)
        return here


async def _follow(there: Any, here: Future[Any]) -> None:  # noqa: ANN401 - a Future of Dask
    """Wait for the end of a future of Dask, and tell it."""
    import asyncio  # noqa: PLC0415 - slow, and where Dask is it is loaded

    result, error = None, None
    try:
        result = await there
    except (CancelledError, asyncio.CancelledError):
        here.cancel()
    except BaseException as why:  # noqa: BLE001 - whatever it is, somebody waits for it
        error = why
    # Not if it was taken back meanwhile.
    if not here.set_running_or_notify_cancel():
        return
    if error is None:
        here.set_result(result)
    else:
        here.set_exception(error)
