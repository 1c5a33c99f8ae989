"""Uploads as forms send them, written to disk part by part while they arrive."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, BinaryIO, Final, Self

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from unisono.web.problems import ProblemError
from unisono.web.uploads import too_large

if TYPE_CHECKING:
    from starlette.requests import Request

    from unisono.web.uploads import Data, DataStore, Incoming

__all__ = ["FIELD", "receive_files"]

FIELD: Final = "files"
# Its warnings quote what was sent.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)
_LONGEST_BOUNDARY = 70  # as RFC 2046 has it
_MOST_HEADER_BYTES = 8192
_ROOM_FOR_HEADERS = 1024  # bytes of the request for each file besides its content


async def receive_files(request: Request, store: DataStore) -> Data:
    """Keep the files of a request.

    Parameters
    ----------
    request
        ``multipart/form-data`` with a part called ``files`` for each file.
    store
        Where to keep them.

    Raises
    ------
    ProblemError
        It is no such form, too large, or comes too slowly; nothing of it is kept then.
    """
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
