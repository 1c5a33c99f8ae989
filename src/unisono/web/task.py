"""The task of a worker process: data to read, settings, and files to write."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.errors import DataError, SettingError, setting
from unisono.formats.cases import Cases, read_cases
from unisono.formats.chains import read_chains
from unisono.formats.pyramids import read_pyramids
from unisono.formats.read import read, read_clusters, read_ratings
from unisono.formats.tables import csv_text
from unisono.measures.distance_matrix import DistanceMatrix
from unisono.measures.distances import check_distance
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import CombinedDissimilarity
from unisono.model.labels import label_text
from unisono.registry import SETTINGS
from unisono.results.record import json_pieces
from unisono.results.wording import count, printable, without_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from unisono.model.chains import Chains
    from unisono.model.corpus import Corpus
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = ["Task", "data_label", "label_rows", "setting_in_json", "with_label_order"]

_PRECISIONS = ("precision", "chance_precision")
_BETWEEN_REPORTS = 0.1  # seconds


def setting_in_json(name: str, /, *value: object) -> str:
    """Return the key of a setting, with its value if there is one, as in the JSON of a request."""
    key = SETTINGS[name].key if name in SETTINGS else name
    values = ["…" if each is ... else json.dumps(each, ensure_ascii=False) for each in value]
    return ": ".join([f'"{key}"', *values])


@dataclass(slots=True, kw_only=True)
class Task:
    """A measurement: its data, its settings, and the folder for its files."""

    measure: str
    sources: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, Any]
    target: Path
    units: int
    draws: int
    threads: int
    notify: Callable[[str, int, int], None]
    files: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _last_notified: float = 0.0

    def paths(self, role: str = "data") -> list[str]:
        """Change to the folder of the data, and return the relative paths to read."""
        source = self.sources[role]
        # With relative paths, messages name files as the client does, and hide the real folder.
        os.chdir(source["folder"])
        return list(source["entries"])

    def reading(self) -> dict[str, Any]:
        """Return the keyword arguments of `unisono.read`."""
        keywords = dict(self.settings.get("reading") or {})
        if "extent" in keywords:
            keywords["extent"] = tuple(keywords["extent"])
        return keywords

    def corpus(self, role: str = "data") -> Corpus:
        """Return the corpus; raise a DataError if it exceeds the limit of the service."""
        self.notify("reading", 0, 0)
        corpus = read(*self.paths(role), **self.reading())
        self.check_size(corpus.n_units, "unit")
        self.warnings += [printable(note) for note in corpus.notes]
        self.notify("measuring", 0, 0)
        return corpus

    def ratings(self) -> Ratings:
        """Return the ratings; raise a DataError if they exceed the limit of the service."""
        self.notify("reading", 0, 0)
        ratings = read_ratings(self.only_file("ratings"), **self.reading())
        self.check_size(len(ratings.label_codes), "rating")
        record = ratings.interpretation
        has_order = any(self.settings.get(name) for name in ("distance", "weights", "order"))
        for each in record.warnings if record else ():
            if each.code != "ordered-labels" or not has_order:
                self.warnings.append(printable(str(each)))
        self.notify("measuring", 0, 0)
        return ratings

    def chains(self) -> Chains:
        """Return the chains; raise a DataError if they exceed the limit of the service."""
        self.notify("reading", 0, 0)
        chains = read_chains(*self.paths(), **self.reading())
        return self._checked_chains(chains, "mention")

    def pyramids(self) -> Chains:
        """Return the pyramids; raise a DataError if they exceed the limit of the service."""
        self.notify("reading", 0, 0)
        return self._checked_chains(read_pyramids(*self.paths(), **self.reading()), "word")

    def _checked_chains(self, chains: Chains, noun: str) -> Chains:
        self.check_size(chains.n_mentions, noun)
        self.notify("measuring", 0, 0)
        return chains

    def cases(self, columns: Mapping[str, Any]) -> Cases:
        """Return the cases of a table; raise a DataError if they exceed the limit."""
        self.notify("reading", 0, 0)
        cases = read_cases(self.only_file("cases"), **columns, **self.reading())
        self.check_size(len(cases.agreement), "case")
        self.notify("measuring", 0, 0)
        return cases

    def only_file(self, what: str) -> Path:
        """Return the path of the data; raise a DataError unless they are a single file."""
        paths = self.paths()
        if len(paths) != 1 or not Path(paths[0]).is_file():
            msg = f"{what} must be in a single file; upload one table of {what}"
            raise DataError(msg)
        return Path(paths[0])

    def clusters(self, column: str | int) -> dict[str | int, str]:
        """Return the cluster of each item of the ratings."""
        return read_clusters(self.paths()[0], column, **self.reading())

    def check_size(self, number: int, noun: str) -> None:
        """Raise a DataError if the data exceed the limit of the service."""
        if number > self.units:
            msg = (
                f"the data contain {count(number, noun)}, but this service accepts at most "
                f"{self.units}; install unisono to measure larger data"
            )
            raise DataError(msg)

    def keywords(self, *names: str) -> dict[str, Any]:
        """Return those of the named settings that are in the request, as keyword arguments."""
        keys = {name: SETTINGS[name].key if name in SETTINGS else name for name in names}
        found = {name: self.settings[key] for name, key in keys.items() if key in self.settings}
        for name in ("distance", "weights"):
            if name in found:
                found[name] = _distance(found[name])
        if found.get("rng") == "random":
            found["rng"] = None
        for name in ("draws", "resamples", "permutations"):
            if found.get(name, 0) > self.draws:
                msg = (
                    f"{setting(name, found[name])} is more than this service allows; the maximum "
                    f"is {self.draws}"
                )
                raise SettingError(msg)
        return found

    def dissimilarity(self, chance: str = "shift") -> CombinedDissimilarity | None:
        """Return the requested dissimilarity, or ``None`` for the default."""
        keywords = dict(self.settings.get("dissimilarity") or {})
        if not keywords:
            return None
        if "distance" in keywords:
            keywords["distance"] = _distance(keywords["distance"])
            check_distance(keywords["distance"])
        return CombinedDissimilarity(**chance_rules(chance).weights | keywords)

    def progress(self, done: int, total: int) -> None:
        """Report progress, but not too often; raise a SettingError if too many draws are needed.

        Without a precision, the draws of γ have a budget of their own.
        """
        if total > self.draws and not self.settings.keys().isdisjoint(_PRECISIONS):
            msg = (
                f"this precision needs about {total} draws, but this service allows at most "
                f"{self.draws}; choose a larger relative error, or install unisono"
            )
            raise SettingError(msg)
        now = time.monotonic()
        if now - self._last_notified >= _BETWEEN_REPORTS or done >= total:
            self._last_notified = now
            self.notify("measuring", done, total)

    def write(self, name: str, title: str, content: str, kind: str = "text/plain") -> None:
        """Write a file that the client can download."""
        # A label may contain a lone surrogate, which UTF-8 cannot encode.
        encoded = content.encode("utf-8", "backslashreplace")
        (self.target / name).write_bytes(encoded)
        self.files.append({"name": name, "type": kind, "bytes": len(encoded), "title": title})

    def add_file(self, path: Path, title: str, kind: str) -> None:
        """Move an existing file to the files that the client can download."""
        size = path.stat().st_size
        path.replace(self.target / path.name)
        self.files.append({"name": path.name, "type": kind, "bytes": size, "title": title})

    def write_json(self, result: Any) -> None:  # noqa: ANN401 - any result
        """Write the file with the complete result, document by document."""
        path = self.target / "result.json"
        with path.open("wb") as file:
            file.writelines(piece.encode() for piece in json_pieces(result))
            size = file.tell()
        title = "the complete result, as JSON"
        record = {"name": path.name, "type": "application/json", "bytes": size, "title": title}
        self.files.append(record)

    def write_csv(
        self,
        name: str,
        title: str,
        headings: Iterable[str],
        rows: Iterable[Sequence[object]],
        *,
        of_data: bool = False,
    ) -> None:
        """Write a table as CSV.

        Texts that look like formulas are escaped, except in tables `of_data`, which must be
        readable as data.
        """
        table = chain([headings], rows if of_data else (map(without_formula, row) for row in rows))
        content = csv_text(table).encode("utf-8", errors="backslashreplace")
        size = (self.target / name).write_bytes(content)
        self.files.append({"name": name, "type": "text/csv", "bytes": size, "title": title})

    def write_part(self, name: str, record: object) -> None:
        """Write a file that the service returns at a separate address."""
        path = self.target / name
        path.parent.mkdir(exist_ok=True)
        text = json.dumps(record, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        path.write_bytes(text.encode("utf-8", "backslashreplace"))


def data_label(labels: Iterable[Label | None], value: object) -> Any:  # noqa: ANN401 - a label
    """Return the label in the data with the same text as a label in a request."""
    known = {label_text(label): label for label in labels if label is not None}
    return known.get(label_text(value) if isinstance(value, float | int) else str(value), value)


def with_label_order(found: dict[str, Any], labels: Iterable[Label | None]) -> dict[str, Any]:
    """Return the settings with the order, if there is one, converted to labels in the data."""
    if "order" in found:
        known = list(labels)
        found["order"] = tuple(data_label(known, label) for label in found["order"])
    return found


def label_rows(rows: Iterable[Sequence[Any]], place: int) -> Iterator[list[Any]]:
    """Yield rows with the label at one index as text."""
    for row in rows:
        yield [*row[:place], label_text(row[place]), *row[place + 1 :]]


def _distance(value: str | Mapping[str, Any]) -> str | DistanceMatrix:
    if isinstance(value, str):
        return value
    return DistanceMatrix(value["labels"], value["values"])
