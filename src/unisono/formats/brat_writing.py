"""Corpora as brat standoff: a folder for each annotator."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from unisono.errors import DataError
from unisono.formats.brat import on_one_line
from unisono.formats.losses import warn_of_losses
from unisono.formats.output import file_name
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from unisono.model.corpus import Corpus
    from unisono.model.unit import Unit


_KEEPS = frozenset(
    {"annotators without units", "units in pieces", "attributes", "labels that are numbers"}
)
_WORD = re.compile(r"[^\s;]+")


def write_brat(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return ``annotator/document.ann``, and the text beside it where it is known."""
    lost = (
        {"extents of documents"} if all(each.text is not None for each in corpus.values()) else ()
    )
    warn_of_losses(corpus, "brat standoff", _KEEPS.union(lost))
    files = {}
    for name, continuum in corpus.items():
        for number, annotator in enumerate(continuum.annotators):
            target = path / file_name(annotator) / f"{file_name(name)}.ann"
            low, high = continuum.offsets[number : number + 2].tolist()
            units = continuum.units[low:high]
            files[target] = "".join(_lines(units, continuum.text, name))
            if continuum.text is not None:
                files[target.with_name(f"{name}.txt")] = continuum.text
    return files


def _lines(units: object, text: str | None, document: str) -> Iterator[str]:
    attributes = 0
    for number, unit in enumerate(units, start=1):  # type: ignore[var-annotated,arg-type]
        pieces = [
            _offsets(piece, document) for piece in unit.fragments or ((unit.start, unit.end),)
        ]
        places = ";".join(f"{low} {high}" for low, high in pieces)
        marked = "" if text is None else " ".join(text[low:high] for low, high in pieces)
        yield f"T{number}\t{_type(unit, document)} {places}\t{on_one_line(marked)}\n"
        for name, value in unit.attributes.items():
            if name == "note":
                attributes += 1
                yield f"#{attributes}\tAnnotatorNotes T{number}\t{on_one_line(str(value))}\n"
            elif value is True or (isinstance(value, str) and name not in {"id", "type", "layer"}):
                if not _WORD.fullmatch(name):
                    continue
                attributes += 1
                said = "" if value is True else f" {on_one_line(str(value))}"
                yield f"A{attributes}\t{name} T{number}{said}\n"


def _offsets(piece: tuple[float, float], document: str) -> tuple[int, int]:
    low, high = piece
    if not (low.is_integer() and high.is_integer()) or low < 0:
        msg = f"brat counts whole characters; {document!r} has a unit at [{low}, {high}]"
        raise DataError(msg)
    return int(low), int(high)


def _type(unit: Unit, document: str) -> str:
    text = label_text(unit.label)
    if isinstance(unit.label, frozenset) or not _WORD.fullmatch(text):
        msg = (
            f"a label is one word in brat; {document!r} has {text!r}. Rename it first, "
            "with Corpus.rename"
        )
        raise DataError(msg)
    return text
