"""Uploaded files, and the examples that are shipped with unisono."""

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
    """An upload: its folder, its files and its expiry."""

    id: str
    folder: Path
    files: dict[str, int]
    bytes: int
    expires: float

    @property
    def entries(self) -> list[str]:
        """The files and folders at the top level, as they would be named on the command line."""
        return sorted({name.partition("/")[0] for name in self.files})


def safe_name(name: str) -> str:
    r"""Return a client's file name without anything that could point outside the upload folder.

    Folders are kept, because their names may be those of annotators and documents.
    """
    parts = [_safe_part(part) for part in name.replace("\\", "/").split("/")]
    kept = [part for part in parts if part]
    if not kept or name.endswith(("/", "\\")):
        raise ProblemError(
            "usage", f"invalid file name {name[:100]!r}; use a name such as turns.csv"
        )
    if len(kept) > _DEEPEST:
        detail = (
            f"a path may have at most {_DEEPEST} parts, but {'/'.join(kept[:3])}/… has {len(kept)}"
        )
        raise ProblemError("usage", detail)
    return "/".join(kept)


class DataStore:
    """The uploads of one service."""

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self.limits = limits
        self._data: dict[str, Data] = {}
        self._arriving: set[Incoming] = set()

    def __iter__(self) -> Iterator[Data]:
        return iter(list(self._data.values()))

    @property
    def bytes(self) -> int:
        """The disk space of all uploads, including those in progress."""
        uploads: list[Incoming | Data] = [*self._arriving, *self._data.values()]
        # Empty files need disk space, too.
        return sum(one.bytes + _BLOCK * len(one.files) for one in uploads)

    def incoming(self) -> Incoming:
        """Return a new upload, which is deleted unless `keep` is called."""
        name = f"d_{secrets.token_urlsafe(18)}"
        return Incoming(name, self._folder / name, self)

    def begin(self, incoming: Incoming) -> None:
        """Count an upload in progress."""
        self._arriving.add(incoming)

    def end(self, incoming: Incoming) -> None:
        """Stop counting an upload in progress."""
        self._arriving.discard(incoming)

    def check(self, incoming: Incoming) -> None:
        """Raise a ProblemError if an upload, or all of them, exceed the limits."""
        if incoming.bytes > self.limits.upload_bytes:
            raise too_large(self.limits)
        if self.bytes > self.limits.storage_bytes:
            detail = "the storage of the service is full; try again later"
            raise ProblemError("limit", detail, status=507)

    def keep(self, incoming: Incoming) -> Data:
        """Store a finished upload."""
        if not incoming.files:
            raise ProblemError("usage", 'send at least one file, as a part named "files"')
        expires = self._expiry()
        data = Data(incoming.id, incoming.folder, incoming.files, incoming.bytes, expires)
        self._data[data.id] = data
        incoming.is_kept = True
        return data

    def known(self, name: str) -> Data:
        """Return an upload, and postpone its expiry."""
        data = self._data.get(name)
        if data is None or data.expires < time.time():
            detail = "the data do not exist or have expired; send the files again"
            raise ProblemError("not-found", detail)
        data.expires = self._expiry()
        return data

    def forget(self, name: str) -> None:
        """Delete an upload."""
        data = self._data.pop(name, None)
        if data is not None:
            shutil.rmtree(data.folder, ignore_errors=True)

    def _expiry(self) -> float:
        return time.time() + self.limits.expiry_seconds


class Incoming:
    """An upload in progress."""

    def __init__(self, id: str, folder: Path, store: DataStore) -> None:  # noqa: A002
        self.id = id
        self.folder = folder
        self.files: dict[str, int] = {}
        self.bytes = 0
        self.is_kept = False
        self._store = store
        self._name = ""

    def __enter__(self) -> Self:
        self.folder.mkdir(mode=0o700)
        self._store.begin(self)
        return self

    def __exit__(self, *error: object) -> None:
        self._store.end(self)
        if not self.is_kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    def file(self, name: str) -> BinaryIO:
        """Open a new file with a safe name."""
        most = self._store.limits.files
        if len(self.files) == most:
            detail = f"an upload may contain at most {count(most, 'file')}"
            raise ProblemError("limit", detail)
        safe = safe_name(name)
        if safe in self.files:
            raise ProblemError("usage", f"two files are named {safe}")
        path = self.folder.joinpath(*safe.split("/"))
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
            descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0), 0o600)
        except OSError:
            # Some file systems do not distinguish A.csv and a.csv.
            raise ProblemError("usage", f"the name {safe} conflicts with another file") from None
        self._name, self.files[safe] = safe, 0
        return os.fdopen(descriptor, "wb")

    def write(self, file: BinaryIO, content: bytes) -> None:
        """Append to the file that was opened last."""
        self.bytes += len(content)
        self._store.check(self)
        file.write(content)
        self.files[self._name] += len(content)


def too_large(limits: Limits) -> ProblemError:
    """Return the problem of an upload that is too large."""
    return ProblemError("limit", f"an upload may have at most {limits.upload_bytes / 1e6:.1f} MB")


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
    # The format is determined by the suffix, so the end of the stem is removed.
    stem, dot, suffix = text.rpartition(".")
    if not dot or len(suffix) > 20:
        stem, suffix = text, ""
    room = _LONGEST_PART - len(suffix.encode()) - 1
    return stem.encode()[:room].decode("utf-8", "ignore") + dot * bool(suffix) + suffix


FIELD: Final = "files"
# Warnings of this logger would quote uploaded data.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)
_LONGEST_BOUNDARY = 70  # RFC 2046
_MOST_HEADER_BYTES = 8192
_ROOM_FOR_HEADERS = 1024  # bytes of the request per file, in addition to its content


async def receive_files(request: Request, store: DataStore) -> Data:
    """Store the files of a request."""
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        detail = 'send files as multipart/form-data, each as a part named "files"'
        raise ProblemError("usage", detail, status=415)
    if len(boundary) > _LONGEST_BOUNDARY:
        detail = (
            f"the boundary of multipart/form-data may have at most {_LONGEST_BOUNDARY} characters, "
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
                    "on_end": parts.finish,
                },
            )
            async for content in request.stream():
                received += len(content)
                if received > most:
                    raise too_large(limits)
                parser.write(content)
            parser.finalize()
        except FormParserError:
            raise ProblemError("usage", "the body is not valid multipart/form-data") from None
        if not parts.complete:
            raise ProblemError("usage", "the multipart form is incomplete")
        return store.keep(incoming)


class _Parts:
    """The callbacks of the multipart parser, which write the files."""

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
        self._name += self._count_bytes(content[start:end])

    def header_value(self, content: bytes, start: int, end: int) -> None:
        self._value += self._count_bytes(content[start:end])

    def header_end(self) -> None:
        if self._name.lower() == b"content-disposition":
            self._disposition = self._value
        self._name = self._value = b""

    def headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        field = options.get(b"name", b"").decode("utf-8", "replace")
        if field != FIELD or b"filename" not in options:
            detail = f'each part of the form must be a file named "{FIELD}", not {field!r}'
            raise ProblemError("usage", detail)
        name = options[b"filename"].decode("utf-8", "replace")
        # The three characters that browsers escape in file names.
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

    def finish(self) -> None:
        self.complete = True

    def _count_bytes(self, content: bytes) -> bytes:
        self._header_bytes += len(content)
        if self._header_bytes > _MOST_HEADER_BYTES:
            raise ProblemError("usage", "the headers of a part are too long")
        return content


_FOLDER = Path(__file__).parent / "examples"
_PREFIX = "example:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedExample:
    """An example that is shipped with unisono."""

    name: str
    title: str
    about: str
    measures: tuple[str, ...]
    request: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the example as plain data."""
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


_OF_UNITS = ("gamma", "unitizing", "consensus", "calibrate", "units", "report")
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
        about="Three annotators labelled the same 124 words; invented data with few differences.",
        measures=_OF_UNITS,
    ),
    ShippedExample(
        name="corpus",
        title="Four documents",
        about="Four short documents, not all annotated by the same people.",
        measures=_OF_UNITS,
    ),
    ShippedExample(
        name="politeness",
        title="Politeness of replies",
        about="Four people rated the politeness of 24 replies from 1 to 5; some are missing.",
        measures=("items",),
        request={"settings": {"distance": "ordinal"}},
    ),
    ShippedExample(
        name="topics",
        title="Topics of letters",
        about="Three people assigned one or more topics to each letter.",
        measures=("items",),
        request={"settings": {"reading": {"wide": True, "separator": "|"}, "distance": "masi"}},
    ),
    ShippedExample(
        name="paragraphs",
        title="Paragraph boundaries",
        about="Annotators divided the same text into paragraphs.",
        measures=("segments", "gamma"),
    ),
    ShippedExample(
        name="meeting",
        title="Speakers in a meeting",
        about="Turns found by a system and by a reference, which name the speakers differently.",
        measures=("compare",),
        request={
            "reference": f"{_PREFIX}meeting_gold",
            "hypothesis": f"{_PREFIX}meeting_system",
            "settings": {"mapping": "best", "tolerance": 0.25},
        },
    ),
    ShippedExample(
        name="coreference",
        title="Coreference in letters",
        about="Three annotators grouped the mentions of persons and things in two short texts.",
        measures=("chains",),
    ),
    ShippedExample(
        name="pyramids",
        title="Pyramids of summaries",
        about="Two annotators grouped the words of summaries into content units.",
        measures=("pyramids",),
    ),
    ShippedExample(
        name="reliability",
        title="Agreement and a score",
        about="γ of sixteen documents, and the F1 of a program on each of them.",
        measures=("reliability",),
        request={"settings": {"agreement": "gamma", "outcome": "f1"}},
    ),
)
"""The examples, in the order of the list."""


def example_source(data: str) -> dict[str, Any]:
    """Return the folder and the files of an example."""
    name = data.removeprefix(_PREFIX)
    # The name comes from a request, so it is compared and never joined to a path.
    for entry in sorted(_FOLDER.iterdir()):
        if entry.stem == name:
            return {"folder": str(_FOLDER), "entries": [entry.name]}
    known = ", ".join(example.name for example in EXAMPLES)
    raise ProblemError("not-found", f"unknown example {name!r}; choose one of {known}")


def is_example(data: str) -> bool:
    """Return whether an id of data refers to an example, not to an upload."""
    return data.startswith(_PREFIX)
