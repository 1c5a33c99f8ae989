"""Archives: their members one by one, with guards against bombs and wrong ways."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from unisono.errors import ReadError, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


_MOST_MEMBERS = 200_000
_MOST_BYTES = 2 * 2**30
_HIGHEST_RATIO = 200  # texts and XML reach 10 to 50
_FREE_BYTES = 2**20  # so small that no ratio matters
_CHUNK = 2**20
# Of other methods Python unpacks a whole piece at once, however large it becomes.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def members(path: Path, content: bytes | None = None) -> Iterator[tuple[str, bytes]]:
    """Give name and bytes of each file in a zip archive, never more than a limit in all.

    Parameters
    ----------
    path
        The archive, for messages too.
    content
        Its bytes, when it is itself a member of an archive.

    Raises
    ------
    ReadError
        It is broken, encrypted or far too large when unpacked, or a name leads outside.
    """
    try:
        with zipfile.ZipFile(path if content is None else io.BytesIO(content)) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > _MOST_MEMBERS:
                problem = f"{len(infos):,} files in one archive; at most {_MOST_MEMBERS:,} are read"
                raise ReadError(problem, path=path)
            left = _MOST_BYTES
            for info in infos:
                inner = path / info.filename
                _check_name(info, inner)
                if info.compress_type not in _METHODS:
                    problem = "packed in a way that is not read; pack it again with plain zip"
                    raise ReadError(problem, path=inner)
                unpacked = _unpacked(archive, info, inner, left)
                left -= len(unpacked)
                yield info.filename, unpacked
    except OSError as error:
        problem = f"the file cannot be opened: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    except (
        *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError),
        *(RuntimeError, NotImplementedError, ValueError, KeyError, UnicodeDecodeError),
    ) as error:
        if isinstance(error, ReadError):
            raise
        problem = f"a broken, encrypted or unknown kind of archive: {error}"
        raise ReadError(problem, path=path) from None


def _check_name(info: zipfile.ZipInfo, inner: Path) -> None:
    name = PurePosixPath(info.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in info.filename[:2]:
        problem = f"a name that leads out of the archive: {shortened(repr(info.filename))}"
        raise ReadError(problem, path=inner)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, inner: Path, left: int) -> bytes:
    """Unpack a member in pieces: what its header says of its size need not be true."""
    limit = min(left, max(info.compress_size * _HIGHEST_RATIO, _FREE_BYTES))
    pieces: list[bytes] = []
    size = 0
    with archive.open(info) as file:
        while piece := file.read(_CHUNK):
            size += len(piece)
            if size > limit:
                problem = (
                    f"unpacked it is more than {limit / 2**20:,.0f} MiB, far more than packed; "
                    "unpack it yourself if you trust it"
                )
                raise ReadError(problem, path=inner)
            pieces.append(piece)
    return b"".join(pieces)
