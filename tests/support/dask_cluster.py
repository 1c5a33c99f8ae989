"""A Dask cluster of processes on this machine, for tests and benchmarks."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from unisono.parallel.executors import executor_at

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

SETTINGS = {
    # A worker that dies is started again, however long ago it was started first.
    "distributed.deploy.lost-worker-timeout": "365 days",
    # Dispatch tries again itself, with less.
    "distributed.scheduler.allowed-failures": 1,
    # Otherwise each part of the cluster wakes up fifty to a hundred times per second.
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
}


@contextmanager
def dask_executor(workers: int) -> Iterator[Executor]:
    """Start a cluster and open an executor at its address."""
    # Here, because Dask is an extra.
    import dask
    import distributed

    settings: dict[str, Any] = {
        "n_workers": workers,
        "threads_per_worker": 1,
        "host": "127.0.0.1",
        "protocol": "tcp://",
        "dashboard_address": "127.0.0.1:0",
        "worker_dashboard_address": "127.0.0.1:0",
        "silence_logs": logging.CRITICAL,
    }
    with (
        dask.config.set(SETTINGS),
        distributed.LocalCluster(**settings) as cluster,  # type: ignore[no-untyped-call]
        executor_at(cluster.scheduler_address) as executor,
    ):
        yield executor
