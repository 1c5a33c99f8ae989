"""Output of commands: text, JSON, CSV, charts and progress."""

from __future__ import annotations

import io
import select
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from unisono.errors import SettingError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer
    from rich.console import RenderableType

    from unisono.charts.style import Chart


STDOUT = "-"
_LEAST_WIDTH = 80
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


@dataclass(frozen=True, slots=True)
class _WritePermissions:
    """Permissions to write, and the inputs that must not be overwritten."""

    overwrite_input: bool = False
    raw_csv: bool = False
    inputs: list[str] = field(default_factory=list)


_writing: ContextVar[_WritePermissions | None] = ContextVar("writing", default=None)


@contextmanager
def quiet_output(quiet: bool) -> Iterator[None]:
    """Suppress notes, progress and messages on written files in the context."""
    token = _quiet.set(quiet)
    try:
        yield
    finally:
        _quiet.reset(token)


def is_quiet() -> bool:
    """Return whether only results and errors are printed."""
    return _quiet.get()


class _CompleteFile(io.FileIO):
    """A file that writes all content, waiting for a slow reader, or raises an error."""

    def __init__(self, descriptor: int, title: str) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._title = title
        self.is_abandoned = False

    def write(self, content: Buffer, /) -> int:
        left = memoryview(content).cast("B")
        total = left.nbytes
        while left and not self.is_abandoned:
            try:
                written = super().write(left)
            except BrokenPipeError:
                raise
            except OSError as error:
                raise OSError(error.errno, error.strerror, self._title) from None
            if written is None:  # the pipe is full
                select.select([], [self], [])
            else:
                left = left[written:]
        return total


@contextmanager
def complete_streams() -> Iterator[None]:
    """Make stdout and stderr write all content or raise an error, in the context.

    Otherwise, with unbuffered output, Python silently loses content that does not fit on a disk or
    into a pipe.
    """
    with ExitStack() as stack:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if _is_file_stream(stream):
                stack.enter_context(_complete_stream(name, stream))
        yield


def _is_file_stream(stream: object) -> bool:
    # Other streams, such as in notebooks and Windows consoles, have their own write methods.
    if not isinstance(stream, io.TextIOWrapper) or stream.closed:
        return False
    return isinstance(getattr(stream.buffer, "raw", stream.buffer), io.FileIO)


@contextmanager
def _complete_stream(name: str, stream: io.TextIOWrapper) -> Iterator[None]:
    with suppress(OSError):
        stream.flush()
    raw = _CompleteFile(stream.fileno(), name)
    whole = io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=stream.line_buffering or stream.write_through,
    )
    setattr(sys, name, whole)
    try:
        yield
    finally:
        setattr(sys, name, stream)
        # Errors were already raised when the command ended.
        try:
            with suppress(OSError):
                whole.flush()
        finally:
            # After an interrupt, do not wait for the reader again.
            raw.is_abandoned = True


@contextmanager
def write_permissions(*, overwrite_input: bool = False, raw_csv: bool = False) -> Iterator[None]:
    """Set the write permissions of a command in the context; see `register_inputs`."""
    token = _writing.set(_WritePermissions(overwrite_input, raw_csv))
    try:
        yield
    finally:
        _writing.reset(token)


def register_inputs(*paths: str) -> None:
    """Register the inputs of the command, so that it does not overwrite them."""
    if (current := _writing.get()) is not None:
        current.inputs.extend(map(str, paths))


def may_overwrite_input() -> bool:
    """Return whether the command may overwrite its inputs."""
    current = _writing.get()
    return current is not None and current.overwrite_input


def print_note(note: str, *, quiet: bool = False) -> None:
    """Print a note on stderr."""
    if not (quiet or is_quiet()):
        print_problem(f"note: {note}")


def print_problem(message: str) -> None:
    """Print a message on stderr, after the name of the program."""
    print_lines([message])


def print_lines(lines: Sequence[str]) -> None:
    """Print lines on stderr, the first after the name of the program."""
    if sys.stderr is not None:
        shown = (_printable(" ".join(line.split())) for line in lines)
        print(f"unisono: {f'{chr(10)}  '.join(shown)}", file=sys.stderr)


def print_message(text: str) -> None:
    """Print a message on written files, unless the output is quiet."""
    if not is_quiet() and sys.stdout is not None:
        sys.stdout.write(f"{_printable(text)}\n")


def check_target(
    target: str | None, *, inputs: Sequence[str], as_json: bool, option: str = "--csv"
) -> None:
    """Raise an error for an output that cannot be written, before the computation."""
    register_inputs(*inputs)
    if target is None:
        return
    if target == STDOUT:
        if as_json:
            msg = "--csv and --json cannot both write to stdout; add a file name to --csv"
            raise SettingError(msg)
        return
    path = Path(target)
    _check_inputs(path, inputs, option=option)
    if path.is_dir():
        problem = f"is a folder, but {option} needs a file name"
        raise IsADirectoryError(None, problem, target)
    if not path.parent.is_dir():
        raise FileNotFoundError(None, "no such folder", str(path.parent))


def check_apart(first: str | None, second: str | None, *, options: str) -> None:
    """Raise an error if two outputs have the same target."""
    if first is not None and first == second:
        msg = f"{options} cannot both write {first}"
        raise SettingError(msg)


def print_table(*parts: RenderableType) -> None:
    """Print tables for people: in colour on a terminal that supports it, otherwise plain."""
    if sys.stdout is None:
        return
    console = Console(file=sys.stdout, highlight=False)
    console.width = max(console.width, _LEAST_WIDTH)
    # One write of our own, because rich ends the program if a pipe is closed.
    with console.capture() as capture:
        for i, part in enumerate(parts):
            if i:
                console.print()
            # With soft_wrap a signature remains one line for copying.
            console.print(part, soft_wrap=True)
    sys.stdout.write(capture.get())


def print_parts(parts: Iterable[RenderableType]) -> None:
    """Print the parts of a sheet, one below the other."""
    if sys.stdout is None:
        return
    console = Console(file=sys.stdout, highlight=False)
    with console.capture() as capture:
        for part in parts:
            console.print(part, soft_wrap=True)
    sys.stdout.write(capture.get())


def print_json(result: Any) -> None:  # noqa: ANN401 - any result
    """Print only JSON: indented on a terminal, otherwise on one line."""
    if sys.stdout is None:
        return
    # Imported here, because `unisono.results` imports numpy, which help does not need.
    from unisono.results.record import json_pieces  # noqa: PLC0415

    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")
    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.writelines(json_pieces(result, indent=indent, ascii_only=not is_utf8))
    sys.stdout.write("\n")


def write_units(target: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV table of units in a format that can be read again."""
    # Imported here, because `unisono.model` imports numpy, which help does not need.
    from unisono.model.labels import label_text  # noqa: PLC0415

    place = headings.index("label")
    written = []
    sets: set[str] = set()
    with_spaces: set[str] = set()
    for row in rows:
        label = row[place]
        text = label_text(label)  # type: ignore[arg-type]
        if isinstance(label, frozenset):
            sets.add(text)
        elif text != text.strip() or "\0" in text:
            with_spaces.add(text)
        written.append([*row[:place], text, *row[place + 1 :]])
    if sets:
        print_note(f"{target}: labels that are sets, such as {min(sets)}, are read back as strings")
    if with_spaces:
        print_note(
            f"{target}: spaces around a label, as in {min(with_spaces)!r}, are not read back"
        )
    write_csv(target, headings, written, of_data=True)


def write_csv(
    target: str, headings: Sequence[str], rows: Iterable[Sequence[object]], *, of_data: bool = False
) -> None:
    """Write a CSV table to stdout, or atomically to a file."""
    current = _writing.get()
    is_raw = of_data or (current is not None and current.raw_csv)
    # Imported here, because `unisono.formats` imports numpy, which help does not need.
    from unisono.formats.tables import csv_text  # noqa: PLC0415
    from unisono.results.wording import without_formula  # noqa: PLC0415

    table = chain([headings], rows if is_raw else (map(without_formula, row) for row in rows))
    text = csv_text(table)
    if target != STDOUT:
        # Unpaired surrogates are kept in data, because the reader accepts them.
        errors = "surrogatepass" if of_data else "backslashreplace"
        write_bytes(target, text.encode("utf-8", errors=errors))
    elif sys.stdout is not None:
        sys.stdout.write(_for_terminal(text))


def write_text(target: str, text: str) -> None:
    """Write text to stdout, or atomically to a file."""
    if target != STDOUT:
        write_bytes(target, (text + "\n").encode("utf-8", errors="backslashreplace"))
    elif sys.stdout is not None:
        sys.stdout.write(_for_terminal(text) + "\n")


def _for_terminal(text: str) -> str:
    """Return text for stdout, with control characters escaped if it is a terminal."""
    if sys.stdout is None or not sys.stdout.isatty():
        return text
    # Imported here, because `unisono.results` imports numpy, which help does not need.
    from unisono.results.wording import printable_lines  # noqa: PLC0415

    return printable_lines(text)


def _printable(text: str) -> str:
    # Imported here, because `unisono.results` imports numpy, which help does not need.
    from unisono.results.wording import printable  # noqa: PLC0415

    return printable(text)


def write_bytes(target: str, content: bytes | Iterable[bytes]) -> None:
    """Write a file atomically."""
    # Imported here, because `unisono.formats` imports numpy, which help does not need.
    from unisono.formats.output import write_file  # noqa: PLC0415

    path = Path(target)
    _check_inputs(path)
    write_file(path, content)


def _check_inputs(path: Path, inputs: Sequence[str] = (), *, option: str = "") -> None:
    """Raise an error if a file is an input of the command, unless overwriting is allowed."""
    current = _writing.get() or _WritePermissions()
    read = [*inputs, *current.inputs]
    if current.overwrite_input or not read or not path.exists():
        return
    # Imported here, because `unisono.formats` imports numpy, which help does not need.
    from unisono.formats.write import check_inputs  # noqa: PLC0415

    check_inputs([path], read, option=option)


SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")
"""The suffixes of chart files."""


def is_chart_file(target: str) -> bool:
    """Return whether a suffix is of a chart only, not also of a result."""
    return Path(target).suffix.lower() in (".svg", ".png", ".pdf")


def check_chart(
    chart: str | None, as_csv: str | None, *, inputs: Sequence[str], option: str = "--chart"
) -> None:
    """Raise an error for a chart that cannot be drawn or written, before the computation."""
    if chart is None:
        return
    if Path(chart).suffix.lower() not in SUFFIXES:
        suffixes = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        msg = f"{option} needs a file name that ends in {suffixes}; got {chart!r}"
        raise SettingError(msg)
    check_apart(chart, as_csv, options=f"{option} and --csv")
    check_target(chart, inputs=inputs, as_json=False, option=option)
    # Imported here, because most commands draw no charts.
    from unisono.charts.style import check_drawing  # noqa: PLC0415

    check_drawing()


def write_chart(target: str, drawn: Chart) -> None:
    """Write a chart in the format of the file suffix."""
    # Imported here, because most commands draw no charts.
    from unisono.charts.save import chart_file  # noqa: PLC0415

    write_bytes(target, chart_file(drawn, Path(target).suffix))


class _TimeColumn(ProgressColumn):
    """The remaining time if it can be estimated, otherwise the elapsed time."""

    # Updated as often as the bar; the default of rich is half a second.
    max_refresh = 0.2

    def __init__(self) -> None:
        self._remaining = TimeRemainingColumn()
        self._elapsed = TimeElapsedColumn()
        super().__init__()

    def render(self, task: Task) -> Text:
        """Return the time as text."""
        if task.total is None or task.time_remaining is None:
            return self._elapsed.render(task) + Text(" elapsed", style="dim")
        return self._remaining.render(task) + Text(" left", style="dim")


class ProgressDisplay:
    """Shows progress on stderr after a second if stderr is a terminal."""

    def __init__(self, *, patience: float = 1.0) -> None:
        self._lock = threading.Lock()
        self._progress: Progress | None = None
        self._phase, self._done, self._total = "working", 0, 0
        self._closed = False
        self._timer: threading.Timer | None = None
        if sys.stderr is not None and sys.stderr.isatty() and not is_quiet():
            self._timer = threading.Timer(patience, self._show)
            self._timer.daemon = True

    def __enter__(self) -> Self:
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._closed = True
            if self._progress is not None:
                self._progress.stop()

    @property
    def is_visible(self) -> bool:
        """Whether stderr is a terminal and the output is not quiet."""
        return self._timer is not None

    def phase(self, name: str) -> None:
        """Start a phase without a count."""
        with self._lock:
            self._phase, self._done, self._total = name, 0, 0
            if self._progress is not None:
                self._progress.reset(self._progress.task_ids[0])
            self._update()

    def __call__(self, done: int, total: int) -> None:
        """Report the number of finished draws and their total number."""
        self._count("drawing", done, total)

    def start_count(self, name: str) -> Callable[[int, int], None] | None:
        """Start a phase with a count, and return the function that reports the numbers."""
        self.phase(name)
        if not self.is_visible:
            return None
        return lambda done, total: self._count(name, done, total)

    def _count(self, name: str, done: int, total: int) -> None:
        with self._lock:
            # A new count must not inherit the speed of the last one.
            is_new = name != self._phase or done < self._done
            self._phase, self._done, self._total = name, done, total
            if is_new and self._progress is not None:
                self._progress.reset(self._progress.task_ids[0])
            self._update()

    def _show(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._progress = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TaskProgressColumn(),
                _TimeColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.add_task(self._phase, total=None)
            self._update()
            self._progress.start()

    def _update(self) -> None:
        if self._progress is not None:
            self._progress.update(
                self._progress.task_ids[0],
                description=self._phase,
                completed=self._done,
                total=self._total or None,
            )
