"""Audacity labels: one a line, its start, end and text separated by tabs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.formats.characters import lines_of
from unisono.formats.contents import Contents
from unisono.formats.own_words import check_words

if TYPE_CHECKING:
    from unisono.formats.contents import ReadOptions
    from unisono.formats.sources import Source


class _Label(NamedTuple):
    line: int
    start: float
    end: float
    text: str
    attributes: dict[str, Any]


# Where the computer writes numbers with a comma, older versions did so too.
_SECONDS = re.compile(r"[-+]?[0-9]+([.,][0-9]*)?")


def read_audacity(source: Source, options: ReadOptions) -> Contents:
    """Read a label track; the file, or its folder, is the annotator.

    A line with a backslash says between which frequencies the label before it lies.
    """
    check_words(options, label=("text",))
    contents = Contents(source, options)
    whose = source.owner()
    contents.seen(source.document, whose)
    for number, start, end, text, attributes in _labels(source, contents):
        label = "" if options.label is False else text
        contents.add(source.document, whose, start, end, label, line=number, attributes=attributes)
    return contents


def looks_like_audacity(head: bytes) -> bool:
    """Tell label tracks by their first line, two numbers and a tab between them."""
    return (
        re.match(rb"(\xef\xbb\xbf)?\s*[0-9]+[.,][0-9]+\t[0-9]+[.,][0-9]+(\t|\r|\n|$)", head)
        is not None
    )


def _labels(source: Source, contents: Contents) -> list[_Label]:
    labels: list[_Label] = []
    for number, line in enumerate(_lines(source), start=1):
        if not line.strip():
            continue
        cells = [*line.split("\t"), "", ""]
        if line.startswith("\\"):
            low, high = _seconds(cells[1]), _seconds(cells[2])
            if not labels or low is None or high is None:
                problem = f"expected two frequencies of the label before; got {line[:60]!r}"
                contents.object(problem, number)
            else:
                labels[-1].attributes.update(lowest_frequency=low, highest_frequency=high)
            continue
        start, end = _seconds(cells[0]), _seconds(cells[1])
        if start is None or end is None:
            problem = f"expected start, end and label, separated by tabs; got {line[:60]!r}"
            contents.object(problem, number)
        else:
            labels.append(_Label(number, start, end, " ".join(cells[2:]).strip(), {}))
    return labels


def _lines(source: Source) -> list[str]:
    if not source.content().strip():
        return []  # a track without labels
    return lines_of(source.text("labels"))


def _seconds(written: str) -> float | None:
    bare = written.strip(" \t")
    if len(bare) > 300 or not _SECONDS.fullmatch(bare):
        return None
    return float(bare.replace(",", "."))
