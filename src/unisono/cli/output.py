"""What a command prints and writes: text, JSON, CSV, chart files and progress."""

from __future__ import annotations

import io
import select
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
class _Writing:
    """What may be written, and what is read and must stay as it is."""

    overwrite_input: bool = False
    raw_csv: bool = False
    inputs: list[str] = field(default_factory=list)


_writing: ContextVar[_Writing | None] = ContextVar("writing", default=None)


@contextmanager
def quietly(quiet: bool) -> Iterator[None]:
    """Leave out notes, progress and what was written, as long as the context lasts."""
    token = _quiet.set(quiet)
    try:
        yield
    finally:
        _quiet.reset(token)


def is_quiet() -> bool:
    """Say whether only results and errors are wished for."""
    return _quiet.get()


class _Whole(io.FileIO):
    """A stream that takes all that is written, waiting for a slow reader, or raises."""

    def __init__(self, descriptor: int, title: str) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self._title = title
        self.is_given_up = False

    def write(self, content: Buffer, /) -> int:
        left = memoryview(content).cast("B")
        total = left.nbytes
        while left and not self.is_given_up:
            try:
                written = super().write(left)
            except BrokenPipeError:
                raise
            except OSError as error:
                raise OSError(error.errno, error.strerror, self._title) from None
            if written is None:  # nothing fits in at the moment
                select.select([], [self], [])
            else:
                left = left[written:]
        return total


@contextmanager
def whole_streams() -> Iterator[None]:
    """Let stdout and stderr take all that is written or raise, as long as the context lasts.

    Without it, what does not fit on a disk or into a pipe at once is lost without an error when
    Python's output is unbuffered.
    """
    with ExitStack() as stack:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if _is_of_a_file(stream):
                stack.enter_context(_whole_stream(name, stream))
        yield


def _is_of_a_file(stream: object) -> bool:
    # Others, such as those of notebooks and consoles of Windows, write in ways of their own.
    if not isinstance(stream, io.TextIOWrapper) or stream.closed:
        return False
    return isinstance(getattr(stream.buffer, "raw", stream.buffer), io.FileIO)


@contextmanager
def _whole_stream(name: str, stream: io.TextIOWrapper) -> Iterator[None]:
    with suppress(OSError):
        stream.flush()
    raw = _Whole(stream.fileno(), name)
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
        # An error was raised before, when the command ended.
        try:
            with suppress(OSError):
                whole.flush()
        finally:
            # A user who interrupts the wait for a reader does not have to wait again.
            raw.is_given_up = True


@contextmanager
def writing(*, overwrite_input: bool = False, raw_csv: bool = False) -> Iterator[None]:
    """Let one command write, as long as the context lasts; see `reads`."""
    token = _writing.set(_Writing(overwrite_input, raw_csv))
    try:
        yield
    finally:
        _writing.reset(token)


def reads(*paths: str) -> None:
    """Note files and folders that the command reads, so that it does not write over them."""
    if (current := _writing.get()) is not None:
        current.inputs.extend(map(str, paths))


def may_overwrite_input() -> bool:
    """Say whether the command may write over what it reads."""
    current = _writing.get()
    return current is not None and current.overwrite_input


def print_note(note: str, *, quiet: bool = False) -> None:
    """Print a sentence that a reader should know on stderr."""
    if not (quiet or is_quiet()):
        print_problem(f"note: {note}")


def print_problem(message: str) -> None:
    """Print a sentence on stderr, with the name of the program before it."""
    if sys.stderr is not None:
        print(f"unisono: {_fit_for_a_terminal(' '.join(message.split()))}", file=sys.stderr)


def print_done(text: str) -> None:
    """Print what was written where, unless only results are wished for."""
    if not is_quiet() and sys.stdout is not None:
        sys.stdout.write(f"{_fit_for_a_terminal(text)}\n")


def check_target(
    target: str | None, *, inputs: Sequence[str], as_json: bool, option: str = "--csv"
) -> None:
    """Refuse a place for CSV that cannot be written, before anything is computed."""
    reads(*inputs)
    if target is None:
        return
    if target == STDOUT:
        if as_json:
            msg = "stdout can hold CSV or JSON, not both; give --csv a file"
            raise SettingError(msg)
        return
    path = Path(target)
    _check_inputs(path, inputs, option=option)
    if path.is_dir():
        problem = f"this is a folder; {option} needs the name of a file"
        raise IsADirectoryError(None, problem, target)
    if not path.parent.is_dir():
        raise FileNotFoundError(None, "there is no such folder to write to", str(path.parent))


def check_apart(first: str | None, second: str | None, *, options: str) -> None:
    """Refuse one place for two things."""
    if first is not None and first == second:
        msg = f"{options} cannot both write {first}"
        raise SettingError(msg)


def print_table(*parts: RenderableType) -> None:
    """Print tables for people: in colour on a terminal that has it, plain everywhere else."""
    if sys.stdout is None:
        return
    console = Console(file=sys.stdout, highlight=False)
    console.width = max(console.width, _LEAST_WIDTH)
    # Through one write of our own: rich ends the program when a pipe breaks.
    with console.capture() as capture:
        for i, part in enumerate(parts):
            if i:
                console.print()
            # Softly: a signature stays on its line, to be copied, however narrow the terminal.
            console.print(part, soft_wrap=True)
    sys.stdout.write(capture.get())


def print_parts(parts: Iterable[RenderableType]) -> None:
    """Print parts that fit the terminal, one below the other."""
    if sys.stdout is None:
        return
    console = Console(file=sys.stdout, highlight=False)
    with console.capture() as capture:
        for part in parts:
            console.print(part, soft_wrap=True)
    sys.stdout.write(capture.get())


def print_json(record: Mapping[str, Any]) -> None:
    """Print JSON and nothing else: indented on a terminal, on one line everywhere else."""
    if sys.stdout is None:
        return
    # Here, because the room of results loads numpy, which help does without.
    from unisono.results.wording import json_text  # noqa: PLC0415

    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf8")
    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.write(json_text(record, indent=indent, ascii_only=not is_utf8) + "\n")


def write_units(target: str, headings: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV table of units, which can be read again."""
    # Here, because the room of the model loads numpy, which help does without.
    from unisono.model.labels import label_text  # noqa: PLC0415

    place = headings.index("label")
    written = []
    sets: set[str] = set()
    odd: set[str] = set()
    for row in rows:
        label = row[place]
        text = label_text(label)  # type: ignore[arg-type]
        if isinstance(label, frozenset):
            sets.add(text)
        elif text != text.strip() or "\0" in text:
            odd.add(text)
        written.append([*row[:place], text, *row[place + 1 :]])
    if sets:
        print_note(f"{target}: labels that are sets, such as {min(sets)}, are read back as texts")
    if odd:
        print_note(f"{target}: spaces around a label, as in {min(odd)!r}, are not read back")
    write_csv(target, headings, written, of_data=True)


def write_csv(
    target: str, headings: Sequence[str], rows: Iterable[Sequence[object]], *, of_data: bool = False
) -> None:
    """Write a CSV table to stdout or to a file, which is there whole or not at all."""
    current = _writing.get()
    is_raw = of_data or (current is not None and current.raw_csv)
    # Here, because the room of formats loads numpy, which help does without.
    from unisono.formats.tables import csv_text  # noqa: PLC0415
    from unisono.results.wording import without_formula  # noqa: PLC0415

    table = chain([headings], rows if is_raw else (map(without_formula, row) for row in rows))
    text = csv_text(table)
    if target != STDOUT:
        # What is read again keeps half a character, as the reader takes it.
        errors = "surrogatepass" if of_data else "backslashreplace"
        write_bytes(target, text.encode("utf-8", errors=errors))
    elif sys.stdout is not None:
        sys.stdout.write(_on_screen(text))


def write_text(target: str, text: str) -> None:
    """Write a text to a file, which is there whole or not at all; or to stdout."""
    if target != STDOUT:
        write_bytes(target, (text + "\n").encode("utf-8", errors="backslashreplace"))
    elif sys.stdout is not None:
        sys.stdout.write(_on_screen(text) + "\n")


def _on_screen(text: str) -> str:
    """Return what stdout gets: as it is, unless a terminal shows it."""
    if sys.stdout is None or not sys.stdout.isatty():
        return text
    # Here, because the room of results loads numpy, which help does without.
    from unisono.results.wording import printable_lines  # noqa: PLC0415

    return printable_lines(text)


def _fit_for_a_terminal(text: str) -> str:
    # Here, because the room of results loads numpy, which help does without.
    from unisono.results.wording import printable  # noqa: PLC0415

    return printable(text)


def write_bytes(target: str, content: bytes) -> None:
    """Write a file, which is there whole or not at all."""
    # Here, because the room of formats loads numpy, which help does without.
    from unisono.formats.output import write_file  # noqa: PLC0415

    path = Path(target)
    _check_inputs(path)
    write_file(path, content)


def _check_inputs(path: Path, inputs: Sequence[str] = (), *, option: str = "") -> None:
    """Refuse to write over anything that the command reads, unless that is allowed."""
    current = _writing.get() or _Writing()
    read = [*inputs, *current.inputs]
    if current.overwrite_input or not read or not path.exists():
        return
    # Here, because the room of formats loads numpy, which help does without.
    from unisono.formats.write import check_inputs  # noqa: PLC0415

    check_inputs([path], read, option=option)


SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")
"""How the name of a picture may end."""


def check_chart(
    chart: str | None, as_csv: str | None, *, inputs: Sequence[str], option: str = "--chart"
) -> None:
    """Refuse a picture that could not be drawn or written, before anything is computed."""
    if chart is None:
        return
    if Path(chart).suffix.lower() not in SUFFIXES:
        listed = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        msg = f"{option} writes {listed}, not {chart!r}"
        raise SettingError(msg)
    check_apart(chart, as_csv, options=f"{option} and --csv")
    check_target(chart, inputs=inputs, as_json=False, option=option)
    # Here, because most commands draw nothing.
    from unisono.charts.style import check_drawing  # noqa: PLC0415

    check_drawing()


def write_chart(target: str, drawn: Chart) -> None:
    """Write a picture as what its name says."""
    # Here, because most commands draw nothing.
    from unisono.charts.save import chart_file  # noqa: PLC0415

    write_bytes(target, chart_file(drawn, Path(target).suffix))


class _TimeColumn(ProgressColumn):
    """The time left where it can be told, the time that has passed where it cannot."""

    # Told again as often as the bar moves; rich's own waits half a second.
    max_refresh = 0.2

    def __init__(self) -> None:
        self._left = TimeRemainingColumn()
        self._passed = TimeElapsedColumn()
        super().__init__()

    def render(self, task: Task) -> Text:
        """Write the time."""
        if task.total is None or task.time_remaining is None:
            return self._passed.render(task) + Text(" so far", style="dim")
        return self._left.render(task) + Text(" left", style="dim")


class Watch:
    """Show progress on stderr once a person has waited for a second; nobody else sees it."""

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
    def somebody_watches(self) -> bool:
        """Whether stderr is a terminal and nobody asked for quiet, so that reports may be seen."""
        return self._timer is not None

    def phase(self, name: str) -> None:
        """Say what is being done now."""
        with self._lock:
            self._phase, self._done, self._total = name, 0, 0
            if self._progress is not None:
                self._progress.reset(self._progress.task_ids[0])
            self._update()

    def __call__(self, done: int, total: int) -> None:
        """Say how many draws of how many are done."""
        self._count("drawing", done, total)

    def counting(self, name: str) -> Callable[[int, int], None] | None:
        """Begin something that is counted, and give what takes the numbers."""
        self.phase(name)
        if not self.somebody_watches:
            return None
        return lambda done, total: self._count(name, done, total)

    def _count(self, name: str, done: int, total: int) -> None:
        with self._lock:
            # A new count begins at no speed.
            again = name != self._phase or done < self._done
            self._phase, self._done, self._total = name, done, total
            if again and self._progress is not None:
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
