"""segeval JSON: for each document and coder the masses, that is the lengths, of segments."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import ReadError
from unisono.formats.contents import Contents
from unisono.formats.json_reading import first_record, json_of, shown

if TYPE_CHECKING:
    from unisono.formats.contents import ReadOptions
    from unisono.formats.sources import Source


_EXPECTED = "document to coder to a list of segment lengths"
_LONGEST = 2**53


def looks_like_segeval(head: bytes) -> bool:
    """Tell segeval by its items, or by lists of lengths."""
    record = first_record(head)
    if record is None:
        return False
    return "segmentation_type" in record or "items" in record or _is_masses(record)


def read_segeval(source: Source, options: ReadOptions) -> Contents:
    """Read segments as units without labels, one after the other from 0."""
    contents = Contents(source, options)
    whole = json_of(source)
    items = whole.get("items", whole) if isinstance(whole, dict) else None
    if not isinstance(items, dict) or not items:
        problem = f"expected {_EXPECTED}; got {shown(whole)}"
        raise ReadError(problem, path=source.path)
    written = whole.get("boundary_format", "mass") if items is not whole else "mass"
    if written != "mass":
        problem = f"segments are told by their lengths, as masses; these are {shown(written)}"
        raise ReadError(problem, path=source.path)
    if _is_masses(items):
        items = {source.document: items}
    for document, coders in items.items():
        if not document.strip() or not isinstance(coders, dict) or not _is_masses(coders):
            problem = f"{document!r}: expected {_EXPECTED}; got {shown(coders)}"
            contents.object(problem)
            continue
        if len({sum(masses) for masses in coders.values()}) > 1:
            contents.note("documents whose coders do not have segments of the same length in all")
        for coder, masses in coders.items():
            contents.seen(document, coder) if coder.strip() else contents.object(
                "a coder has no name"
            )
            bounds = [0, *np.cumsum(np.array(masses, dtype=object)).tolist()]
            for start, end in pairwise(bounds):
                contents.add(document, coder, start, end)
    return contents


def _is_masses(coders: object) -> bool:
    return isinstance(coders, dict) and all(
        isinstance(masses, list)
        and all(type(mass) is int and 0 < mass < _LONGEST for mass in masses)
        for masses in coders.values() or [None]
    )
