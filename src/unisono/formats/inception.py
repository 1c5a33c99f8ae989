"""Project exports of INCEpTION and WebAnno: an archive with a file for each document and user.

The annotations of a user lie in ``annotation/<document>/<user>.zip``, or unpacked in the same
place, as XMI, JSON or WebAnno TSV; ``exportedproject.json`` tells who worked on what.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from unisono.errors import ReadError
from unisono.formats.archives import members
from unisono.formats.contents import Contents
from unisono.formats.json_reading import json_of
from unisono.formats.own_words import check_words
from unisono.formats.sources import Source
from unisono.formats.uima import read_cas
from unisono.formats.webanno import read_webanno

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.formats.contents import ReadOptions


_PROJECT = "exportedproject.json"
_FOLDER = "annotation"
_NAMES = (b"exportedproject", b"annotation/", b"annotation_ser/", b"curation/", b"source/")
_SUFFIXES = (".xmi", ".json", ".tsv")
# The text as it was before anybody worked on it, and what was made of all; no annotators.
_NOBODY = {"INITIAL_CAS": "texts without annotations", "CURATION_USER": "curated documents"}
# Of all inner archives together; each one has a limit of its own too.
_MOST_BYTES = 4 * 2**30
_UNTOUCHED = frozenset({"NEW", "IGNORE", "LOCKED"})


def read_inception(source: Source, options: ReadOptions) -> list[Contents]:
    """Read a project: each document with the annotations of each user.

    Users who opened a document and marked nothing are annotators of it; those who did not open
    it are not.
    """
    check_words(options)
    project = Contents(source, options)
    states: dict[tuple[str, str], str] = {}
    found: dict[tuple[str, str], Contents] = {}
    left = _MOST_BYTES
    for name, content in members(source.path, source.content()):
        place = PurePosixPath(name)
        if name == _PROJECT:
            states = _states(Source(source.path / name, "json", "", None, content))
        elif len(place.parts) >= 3 and place.parts[0] == _FOLDER:
            user, document = place.stem, place.parts[1]
            if user in _NOBODY:
                project.left_out(_NOBODY[user])
                continue
            held = _UserFile(source.path / name, content, left)
            left -= held.size
            read = held.read(document, options)
            if read is None:
                suffixes = ", ".join(_SUFFIXES)
                problem = f"{name!r} holds no annotations that can be read; expected {suffixes}"
                project.object(problem)
            elif (document, user) in found:
                project.object(f"{name!r} is a second file of this user and document")
            else:
                found[document, user] = read
        elif place.parts[0] == "curation" and len(place.parts) >= 3:
            project.left_out(_NOBODY["CURATION_USER"])
    if not found:
        problem = (
            "no annotations of users that can be read; export the project with the format "
            "UIMA CAS XMI, UIMA CAS JSON or WebAnno TSV v3"
        )
        raise ReadError(problem, path=source.path)
    _compare(project, states, found)
    return [project, *found.values()]


def _compare(
    project: Contents,
    states: dict[tuple[str, str], str],
    found: dict[tuple[str, str], Contents],
) -> None:
    """Compare the files with how far each user got."""
    for pair in found.keys() & states.keys():
        if states[pair] in _UNTOUCHED:
            project.left_out("documents a user did not open")
            del found[pair]
    for (document, user), state in states.items():
        if state not in _UNTOUCHED and user not in _NOBODY:
            project.seen(document, user)
            if (document, user) not in found:
                project.note("documents a user worked on that have no file here, taken for empty")


def looks_like_inception(head: bytes) -> bool:
    """Tell a project by the names of the first files in the archive."""
    return head.startswith(b"PK\x03\x04") and any(name in head for name in _NAMES)


class _UserFile:
    """What one user did in one document: a file, or an archive of it and its type system."""

    def __init__(self, path: Path, content: bytes, left: int) -> None:
        self.path, self.user = path, path.stem
        self.content: bytes | None = content
        self.types: bytes | None = None
        self.size = 0
        if path.suffix.lower() == ".zip":
            self._unpack(content, left)

    def _unpack(self, content: bytes, left: int) -> None:
        archive = self.path
        self.content = None
        for name, inner in members(archive, content):
            self.size += len(inner)
            if self.size > left:
                problem = f"the archives in it have more than {_MOST_BYTES:,} bytes when unpacked"
                raise ReadError(problem, path=archive)
            if PurePosixPath(name).name.lower() == "typesystem.xml":
                self.types = inner
            elif PurePosixPath(name).suffix.lower() in _SUFFIXES:
                if self.content is not None:
                    problem = "expected one file of annotations, got several"
                    raise ReadError(problem, path=archive)
                self.content, self.path = inner, archive / name

    def read(self, document: str, options: ReadOptions) -> Contents | None:
        suffix = self.path.suffix.lower()
        if self.content is None or suffix not in _SUFFIXES:
            return None
        source = Source(self.path, "uima", document, self.user, self.content)
        if suffix == ".tsv":
            return read_webanno(source, options)
        return read_cas(source, options, self.types)


def _states(source: Source) -> dict[tuple[str, str], str]:
    """Give how far each user got in each document, as the project notes it."""
    return {(document, user): state for document, user, state in _noted(json_of(source))}


def _noted(project: object) -> Iterator[tuple[str, str, str]]:
    noted = project.get("annotation_documents") if isinstance(project, dict) else None
    for each in noted if isinstance(noted, list) else ():
        if isinstance(each, dict):
            told = each.get("name"), each.get("user"), each.get("state")
            if all(isinstance(one, str) and one for one in told):
                yield str(told[0]), str(told[1]), str(told[2])
