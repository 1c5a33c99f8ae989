"""Files that come with a request, and the examples that are shipped."""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import time
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from unisono.results.wording import count
from unisono.web.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

    from unisono.web.problems import Limits

__all__ = [
    "EXAMPLES",
    "FIELD",
    "Data",
    "DataStore",
    "example_source",
    "is_example",
    "receive_files",
]

_DEEPEST = 20
_BLOCK = 4096  # bytes
_LONGEST_PART = 150  # bytes; file systems take 255
_DRIVE = re.compile(r"^[A-Za-z]:$")
_NOT_ON_WINDOWS = re.compile(r'[<>:"|?*]')


@dataclass(slots=True)
class Data:
    """An upload: where it is kept, what it holds, and until when."""

    id: str
    folder: Path
    files: dict[str, int]
    bytes: int
    expires: float

    @property
    def entries(self) -> list[str]:
        """What lies at the top: what one would name on the command line."""
        return sorted({name.partition("/")[0] for name in self.files})


def safe_name(name: str) -> str:
    r"""Keep what a client's file name tells and nothing that could lead out of a folder.

    Folders are kept, because they tell whose annotations a file has, and of which document.
    """
    parts = [_safe_part(part) for part in name.replace("\\", "/").split("/")]
    kept = [part for part in parts if part]
    if not kept or name.endswith(("/", "\\")):
        raise ProblemError("usage", "every file needs a name, such as turns.csv")
    if len(kept) > _DEEPEST:
        detail = f"folders are at most {_DEEPEST} deep, and {'/'.join(kept[:3])}/… has {len(kept)}"
        raise ProblemError("usage", detail)
    return "/".join(kept)


class DataStore:
    """All uploads of one service."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self.limits = limits
        self._data: dict[str, Data] = {}
        self._arriving: set[Incoming] = set()

    def __iter__(self) -> Iterator[Data]:
        return iter(list(self._data.values()))

    @property
    def bytes(self) -> int:
        """What all uploads take on disk, also those that still arrive."""
        each: list[Incoming | Data] = [*self._arriving, *self._data.values()]
        # An empty file takes room, too.
        return sum(one.bytes + _BLOCK * len(one.files) for one in each)

    def incoming(self) -> Incoming:
        """Begin an upload; what is not kept in the end is deleted."""
        name = f"d_{secrets.token_urlsafe(18)}"
        return Incoming(name, self._folder / name, self)

    def begin(self, incoming: Incoming) -> None:
        """Count what arrives."""
        self._arriving.add(incoming)

    def end(self, incoming: Incoming) -> None:
        """Count it no longer, or as an upload that is kept."""
        self._arriving.discard(incoming)

    def check(self, incoming: Incoming) -> None:
        """Refuse more than is taken on."""
        if incoming.bytes > self.limits.upload_bytes:
            raise too_large(self.limits)
        if self.bytes > self.limits.storage_bytes:
            detail = "the service has no room for more files; try again later"
            raise ProblemError("limit", detail, status=507)

    def keep(self, incoming: Incoming) -> Data:
        """Take over a finished upload."""
        if not incoming.files:
            raise ProblemError("usage", 'send at least one file, as a part called "files"')
        until = self._until()
        data = Data(incoming.id, incoming.folder, incoming.files, incoming.bytes, until)
        self._data[data.id] = data
        incoming.kept = True
        return data

    def known(self, name: str) -> Data:
        """Give an upload and keep it longer."""
        data = self._data.get(name)
        if data is None or data.expires < time.time():
            detail = "there are no such data, or no longer; send the files again"
            raise ProblemError("not-found", detail)
        data.expires = self._until()
        return data

    def forget(self, name: str) -> None:
        """Delete an upload."""
        data = self._data.pop(name, None)
        if data is not None:
            shutil.rmtree(data.folder, ignore_errors=True)

    def _until(self) -> float:
        return time.time() + self.limits.expiry_seconds


class Incoming:
    """An upload while it arrives."""

    def __init__(self, id: str, folder: Path, store: DataStore) -> None:  # noqa: A002
        self.id = id
        self.folder = folder
        self.files: dict[str, int] = {}
        self.bytes = 0
        self.kept = False
        self._store = store
        self._name = ""

    def __enter__(self) -> Self:
        self.folder.mkdir(mode=0o700)
        self._store.begin(self)
        return self

    def __exit__(self, *error: object) -> None:
        self._store.end(self)
        if not self.kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    def file(self, name: str) -> BinaryIO:
        """Open a new file under the safe part of its name."""
        most = self._store.limits.files
        if len(self.files) == most:
            detail = f"an upload has at most {count(most, 'file')}"
            raise ProblemError("limit", detail)
        kept = safe_name(name)
        if kept in self.files:
            raise ProblemError("usage", f"two files are called {kept}")
        path = self.folder.joinpath(*kept.split("/"))
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
        except OSError:
            # On some systems A.csv and a.csv are one file.
            raise ProblemError("usage", f"{kept} is in the way of another file") from None
        self._name, self.files[kept] = kept, 0
        return os.fdopen(descriptor, "wb")

    def write(self, file: BinaryIO, content: bytes) -> None:
        """Add to the file that was opened last."""
        self.bytes += len(content)
        self._store.check(self)
        file.write(content)
        self.files[self._name] += len(content)


def too_large(limits: Limits) -> ProblemError:
    """Say how large an upload may be."""
    return ProblemError("limit", f"an upload has at most {limits.upload_bytes / 1e6:.1f} MB")


def _safe_part(part: str) -> str:
    text = part.encode("utf-8", "replace").decode("utf-8")
    text = "".join(mark for mark in text if unicodedata.category(mark) not in {"Cc", "Cs"})
    if os.name == "nt":
        text = _NOT_ON_WINDOWS.sub("_", text)
    text = text.strip()
    if text in {"", ".", ".."} or _DRIVE.match(text):
        return ""
    content = text.encode()
    if len(content) <= _LONGEST_PART:
        return text
    # The suffix tells the format, so it is the middle that goes.
    stem, dot, suffix = text.rpartition(".")
    if not dot or len(suffix) > 20:
        stem, suffix = text, ""
    room = _LONGEST_PART - len(suffix.encode()) - 1
    return stem.encode()[:room].decode("utf-8", "ignore") + dot * bool(suffix) + suffix


FIELD: Final = "files"
# Its warnings quote what was sent.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)
_LONGEST_BOUNDARY = 70  # as RFC 2046 has it
_MOST_HEADER_BYTES = 8192
_ROOM_FOR_HEADERS = 1024  # bytes of the request for each file besides its content


async def receive_files(request: Request, store: DataStore) -> Data:
    """Keep the files of a request."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        detail = 'send files as multipart/form-data, each as a part called "files"'
        raise ProblemError("usage", detail, status=415)
    if len(boundary) > _LONGEST_BOUNDARY:
        detail = (
            f"the boundary of multipart/form-data has {_LONGEST_BOUNDARY} characters at most, "
            f"got {len(boundary)}"
        )
        raise ProblemError("usage", detail)
    limits = store.limits
    length = request.headers.get("content-length", "")
    most = limits.upload_bytes + limits.files * _ROOM_FOR_HEADERS
    if length.isascii() and length.isdigit() and int(length) > most:
        raise too_large(limits)
    with store.incoming() as incoming, _Parts(incoming) as parts:
        received = 0
        try:
            parser = MultipartParser(
                boundary,
                callbacks={
                    "on_part_begin": parts.begin,
                    "on_header_field": parts.header_name,
                    "on_header_value": parts.header_value,
                    "on_header_end": parts.header_end,
                    "on_headers_finished": parts.headers_finished,
                    "on_part_data": parts.data,
                    "on_part_end": parts.end,
                    "on_end": parts.all_there,
                },
            )
            async for content in request.stream():
                received += len(content)
                if received > most:
                    raise too_large(limits)
                parser.write(content)
            parser.finalize()
        except FormParserError:
            raise ProblemError("usage", "this is no well-formed multipart/form-data") from None
        if not parts.complete:
            raise ProblemError("usage", "the form ends before its last part does")
        return store.keep(incoming)


class _Parts:
    """Takes what the parser finds."""

    def __init__(self, incoming: Incoming) -> None:
        self.complete = False
        self._incoming = incoming
        self._file: BinaryIO | None = None
        self._name = b""
        self._value = b""
        self._disposition = b""
        self._header_bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def begin(self) -> None:
        self._name = self._value = self._disposition = b""
        self._header_bytes = 0

    def header_name(self, content: bytes, start: int, end: int) -> None:
        self._name += self._counted(content[start:end])

    def header_value(self, content: bytes, start: int, end: int) -> None:
        self._value += self._counted(content[start:end])

    def header_end(self) -> None:
        if self._name.lower() == b"content-disposition":
            self._disposition = self._value
        self._name = self._value = b""

    def headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        field = options.get(b"name", b"").decode("utf-8", "replace")
        if field != FIELD or b"filename" not in options:
            detail = f'a form for data has parts called "{FIELD}" with a file each, not {field!r}'
            raise ProblemError("usage", detail)
        name = options[b"filename"].decode("utf-8", "replace")
        # The three that browsers escape.
        for escaped, mark in (("%22", '"'), ("%0D", "\r"), ("%0A", "\n")):
            name = name.replace(escaped, mark)
        self._file = self._incoming.file(name)

    def data(self, content: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._incoming.write(self._file, content[start:end])

    def end(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def all_there(self) -> None:
        self.complete = True

    def _counted(self, content: bytes) -> bytes:
        self._header_bytes += len(content)
        if self._header_bytes > _MOST_HEADER_BYTES:
            raise ProblemError("usage", "the headers of a part are too long")
        return content


_FOLDER = Path(__file__).parent / "examples"
_PREFIX = "example:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedExample:
    """One of the examples."""

    name: str
    title: str
    about: str
    measures: tuple[str, ...]
    request: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        own = f"{_PREFIX}{self.name}"
        compares = "reference" in self.request
        return {
            "name": self.name,
            "data": None if compares else own,
            "title": self.title,
            "about": self.about,
            "measures": list(self.measures),
            "request": self.request if compares else {"data": own, "settings": {}} | self.request,
        }


_OF_UNITS = ("gamma", "unitizing", "consensus", "calibrate", "all", "report")
EXAMPLES: tuple[ShippedExample, ...] = (
    ShippedExample(
        name="interview",
        title="An interview",
        about="Three annotators marked questions, answers and asides in an interview.",
        measures=_OF_UNITS,
    ),
    ShippedExample(
        name="parts_of_speech",
        title="Parts of speech",
        about="Three annotators marked 124 words each, made up to differ a little.",
        measures=_OF_UNITS,
    ),
    ShippedExample(
        name="corpus",
        title="Four documents",
        about="Four short documents that were annotated by different people.",
        measures=_OF_UNITS,
    ),
    ShippedExample(
        name="politeness",
        title="Politeness of replies",
        about="Four people rated how polite 24 replies are, from 1 to 5; some left some out.",
        measures=("items",),
        request={"settings": {"distance": "ordinal"}},
    ),
    ShippedExample(
        name="topics",
        title="Topics of letters",
        about="Three people gave each letter one topic or several.",
        measures=("items",),
        request={"settings": {"reading": {"wide": True, "separator": "|"}, "distance": "masi"}},
    ),
    ShippedExample(
        name="paragraphs",
        title="Where paragraphs begin",
        about="Annotators cut the same text into paragraphs.",
        measures=("segments", "gamma"),
    ),
    ShippedExample(
        name="meeting",
        title="Who speaks in a meeting",
        about="A system's turns against a reference that calls the speakers otherwise.",
        measures=("compare",),
        request={
            "reference": f"{_PREFIX}meeting_gold",
            "hypothesis": f"{_PREFIX}meeting_system",
            "settings": {"mapping": "best", "tolerance": 0.25},
        },
    ),
)
"""All of them, in the order they are shown."""


def example_source(data: str) -> dict[str, Any]:
    """Find the files of an example, as a worker reads them."""
    name = data.removeprefix(_PREFIX)
    # Looked up, never joined: a name is no path.
    for entry in sorted(_FOLDER.iterdir()):
        if entry.stem == name:
            return {"folder": str(_FOLDER), "entries": [entry.name]}
    known = ", ".join(example.name for example in EXAMPLES)
    raise ProblemError("not-found", f"there is no example {name!r}; there are {known}")


def is_example(data: str) -> bool:
    """Say whether data are an example, and no upload."""
    return data.startswith(_PREFIX)
