"""RTTM: one turn a line, as diarization systems and their scorers exchange it.

The fields are type, file, channel, onset, duration, orthography, subtype, name, confidence and
lookahead. A line of a type that has times is a unit of that layer, its name the label.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from unisono.formats.characters import lines_of
from unisono.formats.contents import Contents
from unisono.formats.own_words import check_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.formats.contents import ReadOptions
    from unisono.formats.sources import Source


_FIELDS = (
    *("type", "file", "channel", "onset", "duration"),
    *("orthography", "subtype", "name", "confidence", "lookahead"),
)
_LABELS = ("type", "channel", "orthography", "subtype", "name", "confidence", "lookahead")
_NOTHING = "<NA>"
# What says something of a file or of a moment has no duration; everything else lasts.
_WITHOUT_TIMES = frozenset({"SPKR-INFO", "IP", "CB"})
# Decimals are added as they are written: 0.1 + 0.2 ends where 0.3 does.
_DECIMAL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")


def read_rttm(source: Source, options: ReadOptions) -> Contents:
    """Read an RTTM file; lines of types without a duration, such as SPKR-INFO, are left out."""
    check_words(options, label=_LABELS)
    contents = Contents(source, options)
    whose = source.owner()
    label = _label_field(options.label)
    n_units = 0
    for number, line in enumerate(_lines(source), start=1):
        if not line or line.startswith(";;"):
            continue
        fields = line.split()
        if len(fields) < 5:
            contents.object(
                f"expected {', '.join(_FIELDS[:5])} and more, got {len(fields)} fields", number
            )
        elif _NOTHING in fields[3:5] and fields[0] in _WITHOUT_TIMES:
            contents.left_out(f"{fields[0]} lines, which have no times", number)
        elif (times := _times(fields, contents, number)) is not None:
            document = source.document if options.document is False else fields[1]
            text = fields[label] if label is not None and label < len(fields) else ""
            contents.seen(document, whose)
            contents.add(
                document,
                whose,
                *times,
                "" if text == _NOTHING else text,
                line=number,
                layer=fields[0],
                attributes=None if fields[2] in {_NOTHING, "1"} else {"channel": fields[2]},
            )
            n_units += 1
    if not n_units:
        contents.seen(source.document, whose)
    return contents


def _lines(source: Source) -> Sequence[str]:
    if not source.content().strip():
        return ()  # nobody spoke
    return [line.strip() for line in lines_of(source.text("turns"))]


def _label_field(asked: object) -> int | None:
    return None if asked is False else _FIELDS.index("name" if asked is None else str(asked))


def _times(fields: Sequence[str], contents: Contents, line: int) -> tuple[float, float] | None:
    for name, written in zip(("onset", "duration"), fields[3:5], strict=True):
        if len(written) > 100 or not _DECIMAL.fullmatch(written):
            problem = (
                f"the {name} {written[:40]!r} is not a number of seconds; "
                f"the fields are {', '.join(_FIELDS)}"
            )
            contents.object(problem, line)
            return None
    onset, duration = Decimal(fields[3]), Decimal(fields[4])
    return float(onset), float(onset + duration)
