"""What a worker process is to do: data to read, settings, and where results go."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError, SettingError
from unisono.formats.read import read, read_ratings
from unisono.formats.tables import csv_text
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import check_distance
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import Combined
from unisono.model.labels import label_text
from unisono.results.wording import count, printable, without_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = ["Task", "as_in", "in_order", "label_rows", "setting_in_json"]

_BETWEEN_REPORTS = 0.1  # seconds


def setting_in_json(name: str, /, *value: object) -> str:
    """Name a setting as a caller of the service writes it."""
    given = ["…" if each is ... else json.dumps(each, ensure_ascii=False) for each in value]
    return ": ".join([f'"{name}"', *given])


@dataclass(slots=True, kw_only=True)
class Task:
    """One measurement: what it is of, how, and where its files go."""

    measure: str
    sources: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, Any]
    target: Path
    units: int
    draws: int
    threads: int
    tell: Callable[[str, int, int], None]
    files: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _told: float = 0.0

    def paths(self, role: str = "data") -> list[str]:
        """Go where the data are and give the names to read, as one would type them there."""
        source = self.sources[role]
        # Messages then name files as the caller does, and never tell where they are kept.
        os.chdir(source["folder"])
        return list(source["entries"])

    def reading(self) -> dict[str, Any]:
        """Give the settings of `unisono.read`."""
        given = dict(self.settings.get("reading") or {})
        if "extent" in given:
            given["extent"] = tuple(given["extent"])
        return given

    def corpus(self, role: str = "data") -> Corpus:
        """Read units, and refuse more than are allowed."""
        self.tell("reading", 0, 0)
        corpus = read(*self.paths(role), **self.reading())
        self.check_size(corpus.n_units, "unit")
        self.warnings += [f"odd, but kept: {printable(note)}" for note in corpus.notes]
        self.tell("measuring", 0, 0)
        return corpus

    def ratings(self) -> Ratings:
        """Read ratings, and refuse more than are allowed."""
        self.tell("reading", 0, 0)
        given = self.reading()
        paths = self.paths()
        if len(paths) != 1 or not Path(paths[0]).is_file():
            msg = "items are measured in one file, a table of ratings; send that file alone"
            raise DataError(msg)
        ratings = read_ratings(paths[0], **given)
        self.check_size(len(ratings.label_codes), "rating")
        self.tell("measuring", 0, 0)
        return ratings

    def check_size(self, number: int, noun: str) -> None:
        """Refuse data that are larger than the service takes on."""
        if number > self.units:
            msg = (
                f"the data have {count(number, noun)}, and this service measures at most "
                f"{self.units}; install unisono to measure more"
            )
            raise DataError(msg)

    def given(self, *names: str) -> dict[str, Any]:
        """Give those of some settings that were asked for."""
        found = {name: self.settings[name] for name in names if name in self.settings}
        for name in ("distance", "weights"):
            if name in found:
                found[name] = _distance(found[name])
        if found.get("rng") == "random":
            found["rng"] = None
        for name in ("draws", "resamples", "bootstrap", "permutations"):
            if found.get(name, 0) > self.draws:
                msg = f"this service makes at most {self.draws} of them; got {name} {found[name]}"
                raise SettingError(msg)
        return found

    def dissimilarity(self, chance: str = "shift") -> Combined | None:
        """Give the dissimilarity that was asked for, or ``None`` when nothing was."""
        given = dict(self.settings.get("dissimilarity") or {})
        if not given:
            return None
        if "distance" in given:
            given["distance"] = _distance(given["distance"])
            check_distance(given["distance"])
        given.setdefault("position", chance_rules(chance).position)
        return Combined(**given)

    def progress(self, done: int, total: int) -> None:
        """Tell how far the draws are, not too often; stop what needs more than are allowed."""
        if total > self.draws:
            msg = (
                f"this precision needs some {total} draws, and this service makes at most "
                f"{self.draws}; ask for less precision, or install unisono"
            )
            raise SettingError(msg)
        now = time.monotonic()
        if now - self._told >= _BETWEEN_REPORTS or done >= total:
            self._told = now
            self.tell("measuring", done, total)

    def write(self, name: str, title: str, content: str, kind: str = "text/plain") -> None:
        """Make a file that the caller can download."""
        # A lone surrogate, which no label should have, must not stop the writing.
        encoded = content.encode("utf-8", "backslashreplace")
        (self.target / name).write_bytes(encoded)
        self.files.append({"name": name, "type": kind, "bytes": len(encoded), "title": title})

    def take(self, path: Path, title: str, kind: str) -> None:
        """Hand out a file that something else has written."""
        size = path.stat().st_size
        path.replace(self.target / path.name)
        self.files.append({"name": path.name, "type": kind, "bytes": size, "title": title})

    def write_json(self, record: object) -> None:
        """Make the file with everything."""
        text = json.dumps(record, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        self.write("result.json", "everything, as JSON", text, "application/json")

    def write_csv(
        self,
        name: str,
        title: str,
        headings: Iterable[str],
        rows: Iterable[Sequence[object]],
        *,
        of_data: bool = False,
    ) -> None:
        """Write a table; one `of_data` is read again and keeps texts that look like formulas."""
        table = chain([headings], rows if of_data else (map(without_formula, row) for row in rows))
        content = csv_text(table).encode("utf-8", errors="backslashreplace")
        size = (self.target / name).write_bytes(content)
        self.files.append({"name": name, "type": "text/csv", "bytes": size, "title": title})

    def write_aside(self, name: str, record: object) -> None:
        """Keep what the service hands out under an address of its own."""
        path = self.target / name
        path.parent.mkdir(exist_ok=True)
        text = json.dumps(record, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        path.write_bytes(text.encode("utf-8", "backslashreplace"))


def as_in(labels: Iterable[Label | None], given: object) -> Any:  # noqa: ANN401 - a label
    """Take a label that a caller wrote for the one of the data that reads alike."""
    known = {label_text(label): label for label in labels if label is not None}
    return known.get(label_text(given) if isinstance(given, float | int) else str(given), given)


def in_order(found: dict[str, Any], labels: Iterable[Label | None]) -> dict[str, Any]:
    """Write the order of labels, if one was given, with the labels of the data."""
    if "order" in found:
        known = list(labels)
        found["order"] = tuple(as_in(known, given) for given in found["order"])
    return found


def label_rows(rows: Iterable[Sequence[Any]], place: int) -> Iterator[list[Any]]:
    """Write the label at one place of each row as a text."""
    for row in rows:
        yield [*row[:place], label_text(row[place]), *row[place + 1 :]]


def _distance(given: str | Mapping[str, Any]) -> str | DistanceMatrix:
    if isinstance(given, str):
        return given
    return DistanceMatrix(given["labels"], given["values"])
