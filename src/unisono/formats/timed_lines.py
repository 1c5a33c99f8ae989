"""Line formats with times: Audacity labels, RTTM and subtitles."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.errors import ReadError
from unisono.formats.characters import lines_of
from unisono.formats.contents import Contents, check_roles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unisono.formats.contents import ReadOptions
    from unisono.formats.source import Source


class _Label(NamedTuple):
    line: int
    start: float
    end: float
    text: str
    attributes: dict[str, Any]


# Older versions of Audacity use the decimal mark of the system's locale.
_SECONDS = re.compile(r"[-+]?[0-9]+([.,][0-9]*)?")


def read_audacity(source: Source, options: ReadOptions) -> Contents:
    """Read a label track; the file, or its folder, is the annotator.

    A line that begins with a backslash has the frequency range of the label before it.
    """
    check_roles(options, label=("text",))
    contents = Contents(source, options)
    annotator = source.owner()
    contents.seen(source.document, annotator)
    contents.label_from("text", options)
    for number, start, end, text, attributes in _labels(source, contents):
        label = "" if options.label is False else text
        contents.add(
            source.document, annotator, start, end, label, line=number, attributes=attributes
        )
    return contents


def looks_like_audacity(head: bytes) -> bool:
    """Return whether the first line has two numbers separated by a tab, as in a label track."""
    return (
        re.match(rb"(\xef\xbb\xbf)?\s*[0-9]+[.,][0-9]+\t[0-9]+[.,][0-9]+(\t|\r|\n|$)", head)
        is not None
    )


def _labels(source: Source, contents: Contents) -> list[_Label]:
    labels: list[_Label] = []
    for number, line in enumerate(_label_lines(source), start=1):
        if not line.strip():
            continue
        cells = [*line.split("\t"), "", ""]
        if line.startswith("\\"):
            low, high = _label_seconds(cells[1]), _label_seconds(cells[2])
            if not labels or low is None or high is None:
                problem = f"expected two frequencies after a label; got {line[:60]!r}"
                contents.object(problem, number)
            else:
                labels[-1].attributes.update(lowest_frequency=low, highest_frequency=high)
            continue
        start, end = _label_seconds(cells[0]), _label_seconds(cells[1])
        if start is None or end is None:
            problem = f"expected start, end and label, separated by tabs; got {line[:60]!r}"
            contents.object(problem, number)
        else:
            labels.append(_Label(number, start, end, " ".join(cells[2:]).strip(), {}))
    return labels


def _label_lines(source: Source) -> list[str]:
    if not source.content().strip():
        return []  # a track without labels
    return lines_of(source.text("labels"))


def _label_seconds(written: str) -> float | None:
    number = written.strip(" \t")
    if len(number) > 300 or not _SECONDS.fullmatch(number):
        return None
    return float(number.replace(",", "."))


_FIELDS = (
    *("type", "file", "channel", "onset", "duration"),
    *("orthography", "subtype", "name", "confidence", "lookahead"),
)
_LABELS = ("type", "channel", "orthography", "subtype", "name", "confidence", "lookahead")
_NOTHING = "<NA>"
# Types of lines that describe a file or a point in time and have no duration.
_WITHOUT_TIMES = frozenset({"SPKR-INFO", "IP", "CB"})
# Decimal arithmetic, so that onset 0.1 plus duration 0.2 equals 0.3.
_DECIMAL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")


def read_rttm(source: Source, options: ReadOptions) -> Contents:
    """Read an RTTM file; lines of types without a duration, such as SPKR-INFO, are left out."""
    check_roles(options, label=_LABELS)
    contents = Contents(source, options)
    annotator = source.owner()
    label = _label_field(options.label)
    contents.label_from("name", options)
    contents.from_place("layer", "attribute", "type")
    if options.document is not False:
        contents.from_place("document", "attribute", "file")
    n_units = 0
    for number, line in enumerate(_turn_lines(source), start=1):
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
            contents.seen(document, annotator)
            contents.add(
                document,
                annotator,
                *times,
                "" if text == _NOTHING else text,
                line=number,
                layer=fields[0],
                attributes=None if fields[2] in {_NOTHING, "1"} else {"channel": fields[2]},
            )
            n_units += 1
    if not n_units:
        contents.seen(source.document, annotator)
    return contents


def _turn_lines(source: Source) -> Sequence[str]:
    if not source.content().strip():
        return ()  # a file without turns
    return [line.strip() for line in lines_of(source.text("turns"))]


def _label_field(label: object) -> int | None:
    return None if label is False else _FIELDS.index("name" if label is None else str(label))


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


_ARROW = "-->"
_TIME = re.compile(r"(?:([0-9]{1,9}):)?([0-9]{1,2}):([0-9]{1,2})(?:[.,]([0-9]{1,9}))?")
_TAG = re.compile(r"<[^<>]*>")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^\s<>][^<>]*)>")
_SIGN = "WEBVTT"
# The start of a line with times; matches such a line even if its arrow is missing.
_LIKE_TIMES = re.compile(r"\s*(?:[0-9]+:)?[0-9]{1,2}:[0-9]{2}[.,][0-9]{3}(?![0-9])")
# A full match is required, because names of captions may begin alike: "NOTEBOOK", "REGION 9".
_NOT_CAPTION = re.compile(r"NOTE(?:[ \t].*)?|(?:STYLE|REGION)[ \t]*", re.DOTALL)


@dataclass(slots=True)
class _Cue:
    """A caption: its line of times, the number of that line, and its text."""

    times: str
    line: int
    text: list[str] = field(default_factory=list)


def read_webvtt(source: Source, options: ReadOptions) -> Contents:
    """Read WebVTT; the label is the text or, with ``label="voice"``, the speaker."""
    return _read(source, options, is_webvtt=True)


def read_srt(source: Source, options: ReadOptions) -> Contents:
    """Read SubRip; the label is the text."""
    return _read(source, options, is_webvtt=False)


def _read(source: Source, options: ReadOptions, *, is_webvtt: bool) -> Contents:
    check_roles(options, label=("text", "voice") if is_webvtt else ("text",))
    contents = Contents(source, options)
    annotator = source.owner()
    contents.seen(source.document, annotator)
    contents.label_from("text", options)
    for cue in _cues(source, is_webvtt=is_webvtt):
        # Settings may follow the times: "align:start", or "X1:40 …" in SRT.
        first, _, rest = cue.times.partition(_ARROW)
        start, end = _cue_seconds(first.strip()), _cue_seconds((rest.split() or [""])[0])
        if start is None or end is None:
            times = cue.times.strip()[:60]
            problem = f"expected times such as 00:00:01.500 --> 00:00:04; got {times!r}"
            contents.object(problem, cue.line)
            continue
        written = "\n".join(cue.text)
        voice = _VOICE.search(written) if is_webvtt else None
        text = _plain(written)
        speaker = "" if voice is None else _plain(voice[1])
        label = {False: "", "voice": speaker}.get(options.label, text)
        attributes = {"voice": speaker} if speaker and options.label != "voice" else None
        contents.add(
            source.document, annotator, start, end, label, line=cue.line, attributes=attributes
        )
    return contents


def _cues(source: Source, *, is_webvtt: bool) -> Iterator[_Cue]:
    if not source.content().strip():
        if is_webvtt:
            problem = f"the file is empty; a WebVTT file must begin with {_SIGN}"
            raise ReadError(problem, path=source.path)
        return
    lines = lines_of(source.text("captions"))
    if is_webvtt and not lines[0].startswith(_SIGN):
        problem = f"a WebVTT file must begin with {_SIGN}; got {lines[0][:40]!r}"
        raise ReadError(problem, path=source.path, line=1)
    if not is_webvtt and not any(_ARROW in line for line in lines):
        times = f"00:00:01,500 {_ARROW} 00:00:04,000"
        problem = f"no captions found; expected lines with times such as {times}"
        raise ReadError(problem, path=source.path)
    yield from _webvtt_cues(lines) if is_webvtt else _srt_cues(lines)


def _webvtt_cues(lines: Sequence[str]) -> Iterator[_Cue]:
    """Yield the captions of blocks separated by empty lines; notes and styles are skipped."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, ""], start=1):
        if line.strip():
            block.append((number, line))
        elif block:
            yield from _cues_of_block(block)
            block = []


def _cues_of_block(block: Sequence[tuple[int, str]]) -> Iterator[_Cue]:
    first, opening = block[0]
    if first > 1 and _NOT_CAPTION.fullmatch(opening):
        return
    cue: _Cue | None = None
    for number, line in block:
        if _ARROW in line:
            if cue is not None:
                yield cue
            cue = _Cue(line, number)
        elif cue is not None:
            cue.text.append(line)
    if cue is not None:
        yield cue
    elif first > 1:
        yield _Cue(opening, first)  # a caption without times, reported by the caller


def _srt_cues(lines: Sequence[str]) -> Iterator[_Cue]:
    """Yield the captions; a text may have empty lines and ends before the next number."""
    starts = [
        place for place, line in enumerate(lines) if _ARROW in line or _LIKE_TIMES.match(line)
    ]
    for place, following in zip(starts, [*starts[1:], None], strict=True):
        text = lines[place + 1 : following]
        if following is not None and text and text[-1].strip().isdecimal():
            text = text[:-1]
        yield _Cue(lines[place], place + 1, list(text))


def _plain(written: str) -> str:
    """Return a text without tags and with entities replaced."""
    import html  # noqa: PLC0415 (only captions need it)

    text = _TAG.sub("", written).strip()
    try:
        return html.unescape(text)
    except ValueError:  # a character reference with thousands of digits
        return text


def _cue_seconds(written: str) -> float | None:
    found = _TIME.fullmatch(written)
    if found is None:
        return None
    hours, minutes, seconds, fraction = found.groups()
    whole = int(hours or 0) * 3600 + int(minutes) * 60 + int(seconds)
    # Parsed as one decimal number, so that 1.1 s is the double nearest to 1.1.
    return float(f"{whole}.{fraction or 0}")
