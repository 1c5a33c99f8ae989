"""Damages valid files of every format and reads them, for some seconds or some files.

``python file_fuzz.py --seconds 60 --seed 1 --keep FOLDER`` looks for files that break the law: any
bytes give a corpus, or an error of ours that names the file, is short, and comes in bounded time
and memory. What it finds is made small and kept, and tests replay it.
"""

import argparse
import faulthandler
import gc
import hashlib
import io
import json
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import unisono as un
from file_samples import FILES, OTHER_TABLES, Sample, zipped
from unisono.formats.read import checked_seen_by

MOST_MEMORY = 3 * 2**30
MOST_SECONDS = 20
LONGEST_MESSAGE = 2_100  # beside the path
NUMBER = re.compile(rb"[-+]?[0-9]+(?:\.[0-9]+)?")
TEXT = re.compile(rb"\"[^\"]*\"|\w+")
TOKENS = (
    *(b"NaN", b"Infinity", b"-0", b"1e400", b"-1e-400", b"9" * 400, b"9" * 5000, b"-1", b"1_0"),
    *(b"9007199254740993", b"0x10", b"1e17", b"\xd9\xa3", b"null", b"true", b"{}", b"[]", b'""'),
    *(b"\x00", b"\x1e", b"\x0c", b"\x85", b"\xe2\x80\xa8", b"\xed\xa0\x80", b"\xff\xfe", b"\xf0"),
    *(b"\xf0\x9f\x98\x8a", b"\xc2\xa0", b"\\u0000", b"\\ud800", b"\xef\xbb\xbf", b"\r", b"\n"),
    *(b'"', b"'", b",", b";", b"\t", b"|", b"[", b"{", b"}", b"<", b">", b"&", b"&#0;", b"-->"),
    *(b"&#x110000;", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"<![CDATA[", b"<NA>", b"=1+1", b"!"),
    *(b"[" * 2000, b"{" * 50 + b"}" * 50, b"<a>" * 200, b"x" * 200_000, b"-DOCSTART- O\n"),
)
JSON_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 2, 0.5, -0.0, 1e300, 2**53 + 1, 10**400, float("nan"), float("inf")),
    *("", " ", "x", "3", "\ud800", "\x00", "x" * 100_000, [], {}, [[]], [None], {"": None}),
    *([[1, 2]], [0, 5, "A"], [float("nan")], {"start": 0, "end": 5}, ["a"] * 50, "\u202e"),
)
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


class Broken(NamedTuple):
    """How a file breaks the law: a short name, the same for the same cause, and the details."""

    cause: str
    details: str


class TooSlowError(Exception):
    """Reading takes too long."""


def _stop(_signal: int, _frame: object) -> None:
    raise TooSlowError


def broken(reader: str, format_: str, path: Path, on_error: Any = "raise") -> Broken | None:
    """Return how a file breaks the law when it is read, or `None` if it does not."""
    try:
        signal.alarm(MOST_SECONDS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _read(reader, format_, path, on_error)
    except un.UnisonoError as error:
        return _wrong_message(error, path)
    except MemoryError as error:
        return Broken("memory", f"{error!r} at {_place(error)}")
    except Exception as error:  # noqa: BLE001 (exactly these are looked for)
        cause = f"{type(error).__name__} at {_place(error)}"
        return Broken(cause, f"{cause}: {str(error)[:300]}")
    finally:
        signal.alarm(0)
    return None


def _read(reader: str, format_: str, path: Path, on_error: Any) -> None:
    if reader == "units":
        corpus = un.read(path, format=format_, on_error=on_error, label=None)
        str(corpus)
        for continuum in corpus.values():
            len(continuum.digest)
    elif reader == "distances":
        str(un.DistanceMatrix.from_file(path))
    elif reader == "annotators":
        checked_seen_by(str(path))
    else:
        wide = True if path.name.startswith("wide") else None
        name: Any = format_
        str(un.read_ratings(path, format=name, wide=wide))


def _wrong_message(error: un.UnisonoError, path: Path) -> Broken | None:
    message = str(error)
    if path.name not in message:
        return Broken(f"no file in {type(error).__name__} at {_place(error)}", message[:300])
    if len(message) > LONGEST_MESSAGE + len(str(path)):
        return Broken(f"long message at {_place(error)}", f"{len(message):,}: {message[:300]}")
    if isinstance(error.__cause__, MemoryError):
        return Broken("memory", message[:300])
    return None


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if "unisono" in each.filename] or frames
    return f"{Path(own[-1].filename).name}:{own[-1].name}" if own else "nowhere"


def damaged(dice: random.Random, sample: Sample) -> bytes:
    """Return what a file holds, damaged at one place or several."""
    content = sample.content
    if sample.name.endswith(".zip") and dice.random() < 0.7:
        return _damaged_archive(dice, content)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 6))):
        content = dice.choice(_DAMAGES)(dice, content)
    return content


def _damaged_archive(dice: random.Random, content: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    name = dice.choice(list(files))
    if name.endswith(".zip") and dice.random() < 0.7:
        files[name] = _damaged_archive(dice, files[name])
    else:
        files[name] = dice.choice(_DAMAGES)(dice, files[name])
    packed = zipped(files, dice.choice(METHODS))
    return packed if dice.random() < 0.7 else _other_bytes(dice, packed)


def _slice(dice: random.Random, content: bytes, most: int = 60) -> slice:
    start = dice.randrange(len(content) + 1)
    return slice(start, min(len(content), start + dice.randrange(1, most)))


def _other_bytes(dice: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(dice.randrange(1, 5)):
        if changed:
            changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed)


def _without(dice: random.Random, content: bytes) -> bytes:
    cut = _slice(dice, content)
    return content[: cut.start] + content[cut.stop :]


def _repeated(dice: random.Random, content: bytes) -> bytes:
    cut = _slice(dice, content, 200)
    return (
        content[: cut.stop] + content[cut] * dice.choice((1, 1, 2, 50, 3000)) + content[cut.stop :]
    )


def _inserted(dice: random.Random, content: bytes) -> bytes:
    at = dice.randrange(len(content) + 1)
    return content[:at] + dice.choice(TOKENS) + content[at:]


def _replaced(dice: random.Random, content: bytes) -> bytes:
    found = list((NUMBER if dice.random() < 0.6 else TEXT).finditer(content))
    if not found:
        return content
    chosen = dice.choice(found)
    return content[: chosen.start()] + dice.choice(TOKENS) + content[chosen.end() :]


def _cut_off(dice: random.Random, content: bytes) -> bytes:
    return content[: dice.randrange(len(content) + 1)]


def _spliced(dice: random.Random, content: bytes) -> bytes:
    other = dice.choice(FILES).content
    at = dice.randrange(len(content) + 1)
    return content[:at] + other[_slice(dice, other, 400)] + content[at:]


def _lines_moved(dice: random.Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    first, second = dice.randrange(len(lines)), dice.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return dice.choice((b"\n", b"\n", b"\r\n", b"\r")).join(lines)


def _encoded(dice: random.Random, content: bytes) -> bytes:
    text = content.decode("utf-8", "replace")
    name = dice.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "utf-7", "cp037"))
    return text.encode(name, "replace")


def _other_values(dice: random.Random, content: bytes) -> bytes:
    """Put other values into JSON, a line or the whole."""
    whole = content if b"\n{" not in content[:-1] else dice.choice(content.splitlines())
    try:
        value = json.loads(whole)
    except (ValueError, RecursionError):
        return _replaced(dice, content)
    holder: Any = {"": value}
    key: Any = ""
    for _ in range(dice.randrange(1, 12)):
        inside = holder[key]
        if not isinstance(inside, dict | list) or not inside:
            break
        holder = inside
        key = dice.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
    holder[key] = dice.choice((*JSON_VALUES, [holder[key]], {"a": holder[key]}, str(holder[key])))
    return content.replace(whole, json.dumps(value if key != "" else holder[""]).encode(), 1)


_DAMAGES = (
    *(_other_bytes, _without, _repeated, _inserted, _inserted, _replaced, _replaced, _replaced),
    *(_cut_off, _spliced, _lines_moved, _encoded, _other_values, _other_values, _other_values),
)


def put(folder: Path, sample: Sample, content: bytes) -> Path:
    """Write a file, and what stands beside it, into a folder."""
    path = folder / sample.name
    path.parent.mkdir(parents=True, exist_ok=True)
    for name, beside in sample.beside:
        (folder / name).write_bytes(beside)
    path.write_bytes(content)
    return path


def smaller(sample: Sample, content: bytes, case: tuple[str, Any], cause: str) -> bytes:
    """Take out of a file what it does not need to break the law in the same way."""
    piece = len(content) // 2
    until = time.monotonic() + MOST_SECONDS
    while piece and time.monotonic() < until:
        at = 0
        while at < len(content) and time.monotonic() < until:
            less = content[:at] + content[at + piece :]
            with tempfile.TemporaryDirectory() as name:
                found = broken(sample.reader, case[0], put(Path(name), sample, less), case[1])
            if found is not None and found.cause == cause:
                content = less
            else:
                at += piece
        piece //= 2
    return content


def find_name(sample: Sample, content: bytes) -> str:
    """Return the name under which a find is kept, which says how to read it."""
    mark = hashlib.sha256(content).hexdigest()[:10]
    return "~".join((mark, sample.reader, sample.format, *sample.name.split("/")))


def find_sample(path: Path) -> Sample:
    """Return the find that a file of such a name is."""
    _, reader, format_, *name = path.name.split("~")
    return Sample(reader, format_, "/".join(name), path.read_bytes())


def run(seed: int, seconds: float, most: int, keep: Path | None) -> dict[str, Any]:
    """Read damaged files until the time is over, or so many are read."""
    dice = random.Random(seed)
    counts: Counter[str] = Counter()
    finds: dict[str, str] = {}
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        while counts["files"] < most and time.monotonic() < until:
            sample = dice.choice((*FILES, *OTHER_TABLES))
            content = damaged(dice, sample)
            case = dice.choice((sample.format, "auto")), dice.choice(("raise", "raise", "skip"))
            path = put(Path(name), sample, content)
            # Where the law is broken so badly that Python cannot tell, the file is left there.
            faulthandler.dump_traceback_later(4 * MOST_SECONDS, exit=True)
            found = broken(sample.reader, case[0], path, case[1])
            faulthandler.cancel_dump_traceback_later()
            counts["files"] += 1
            counts[f"{sample.reader} {sample.format}"] += 1
            if found is None or found.cause in finds:
                continue
            finds[found.cause] = f"seed {seed}, {case}, {sample.name}: {found.details}"
            sys.stderr.write(finds[found.cause] + "\n")
            if keep is not None:
                content = smaller(sample, content, case, found.cause)
                keep.mkdir(exist_ok=True)
                (keep / find_name(sample, content)).write_bytes(content)
            gc.collect()
    return {"seed": seed, **counts, "finds": list(finds.values())}


def limit_memory() -> None:
    """Let this process have so much memory and no more."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    signal.signal(signal.SIGALRM, _stop)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--files", type=int, default=sys.maxsize)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", type=Path, default=None)
    asked = parser.parse_args()
    faulthandler.enable()
    limit_memory()
    seed = time.time_ns() % 2**32 if asked.seed is None else asked.seed
    told = run(seed, asked.seconds, asked.files, asked.keep)
    sys.stdout.write(json.dumps(told) + "\n")
    return 1 if told["finds"] else 0


if __name__ == "__main__":
    sys.exit(main())
