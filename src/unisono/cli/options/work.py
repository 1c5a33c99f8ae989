"""Options of long commands: who does the work, where it is kept, what happens when it fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.exit_codes import ExitCode
from unisono.parallel.executors import executor_at
from unisono.results.agreement import Agreement, uncertainty
from unisono.results.wording import count, some

WORK = Group("Work", sort_key=25)


@Parameter(name="*", group=WORK)
@dataclass(frozen=True, slots=True, kw_only=True)
class Sending:
    """Who does the work.

    Parameters
    ----------
    cluster
        Dask scheduler to send the work to; or local, to start one here; or processes.
    """

    cluster: Annotated[str | None, Parameter(metavar="ADDRESS|local|processes")] = None

    @contextmanager
    def opened(self, workers: int | None) -> Iterator[dict[str, Any]]:
        """Give the settings for a long computation, whose executor is open meanwhile."""
        with ExitStack() as stack:
            settings = self.kept()
            if self.cluster is not None:
                executor = executor_at(self.cluster, workers=workers)
                settings["executor"] = stack.enter_context(executor)
            yield settings

    def kept(self) -> dict[str, Any]:
        """Give the settings that need nothing to be opened."""
        return {}


@Parameter(name="*", group=WORK)
@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping(Sending):
    """Who does the work, and where it is kept.

    Parameters
    ----------
    cluster
        Dask scheduler to send the work to; or local, to start one here; or processes.
    checkpoint
        Folder to keep what is done in; the same command goes on there.
    """

    checkpoint: Annotated[str | None, Parameter(metavar="DIR")] = None

    def kept(self) -> dict[str, Any]:
        """Give the settings that need nothing to be opened."""
        return {} if self.checkpoint is None else {"checkpoint": self.checkpoint}


@Parameter(name="*", group=WORK)
@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing(Keeping):
    """Who does the work, where it is kept, and what happens when a document fails.

    Parameters
    ----------
    cluster
        Dask scheduler to send the work to; or local, to start one here; or processes.
    checkpoint
        Folder to keep what is done in; the same command goes on there.
    keep_going
        Name documents that cannot be measured, and measure the others.
    """

    keep_going: Annotated[bool, Parameter(negative="", show_default=False)] = False

    def kept(self) -> dict[str, Any]:
        """Give the settings that need nothing to be opened."""
        folder = {} if self.checkpoint is None else {"checkpoint": self.checkpoint}
        return folder | ({"on_error": "report"} if self.keep_going else {})


def code_for(result: Agreement) -> ExitCode:
    """Return the exit code of a result that was printed; name the documents that failed."""
    failed: Mapping[str, str] = getattr(result, "failed_documents", {})
    if failed:
        n_failed = count(len(failed), "document")
        output.print_problem(f"{n_failed} failed: {some(list(failed))}")
    is_complete = not failed and uncertainty(result) is None
    return ExitCode.GOOD if is_complete else ExitCode.INCOMPLETE
