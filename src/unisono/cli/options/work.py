"""Options of long computations: executor, checkpoint, and handling of failures."""

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
class ExecutorOptions:
    """Options for the executor.

    Parameters
    ----------
    cluster
        Address of a Dask scheduler that runs the work, or processes for local worker processes.
    """

    cluster: Annotated[str | None, Parameter(metavar="ADDRESS|processes")] = None

    @contextmanager
    def opened(self, workers: int | None) -> Iterator[dict[str, Any]]:
        """Yield the keywords for a computation, with the executor open in the context."""
        with ExitStack() as stack:
            settings = self.keywords()
            if self.cluster is not None:
                executor = executor_at(self.cluster, workers=workers)
                settings["executor"] = stack.enter_context(executor)
            yield settings

    def keywords(self) -> dict[str, Any]:
        """Return the keywords for a computation, without the executor."""
        return {}


@Parameter(name="*", group=WORK)
@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointOptions(ExecutorOptions):
    """Options for the executor and the checkpoint.

    Parameters
    ----------
    cluster
        Address of a Dask scheduler that runs the work, or processes for local worker processes.
    checkpoint
        Folder for intermediate results; the same command resumes from it.
    """

    checkpoint: Annotated[str | None, Parameter(metavar="DIR")] = None

    def keywords(self) -> dict[str, Any]:
        """Return the keywords for a computation, without the executor."""
        return {} if self.checkpoint is None else {"checkpoint": self.checkpoint}


@Parameter(name="*", group=WORK)
@dataclass(frozen=True, slots=True, kw_only=True)
class FailureOptions(CheckpointOptions):
    """Options for the executor, the checkpoint and failed documents.

    Parameters
    ----------
    cluster
        Address of a Dask scheduler that runs the work, or processes for local worker processes.
    checkpoint
        Folder for intermediate results; the same command resumes from it.
    keep_going
        Report documents that fail, and measure the others.
    """

    keep_going: Annotated[bool, Parameter(negative="", show_default=False)] = False

    def keywords(self) -> dict[str, Any]:
        """Return the keywords for a computation, without the executor."""
        folder = {} if self.checkpoint is None else {"checkpoint": self.checkpoint}
        return folder | ({"on_error": "report"} if self.keep_going else {})


def exit_code_of(result: Agreement) -> ExitCode:
    """Return the exit code of a printed result; print the names of documents that failed."""
    failed: Mapping[str, str] = getattr(result, "failed_documents", {})
    if failed:
        n_failed = count(len(failed), "document")
        output.print_problem(f"{n_failed} failed: {some(list(failed))}")
    is_complete = not failed and uncertainty(result) is None
    return ExitCode.GOOD if is_complete else ExitCode.INCOMPLETE
