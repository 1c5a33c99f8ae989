"""Selections of documents, annotators, labels and layers by names and patterns."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

from unisono.errors import SettingError, did_you_mean, setting
from unisono.model.columns import listed
from unisono.model.corpus import Corpus
from unisono.model.labels import label_text
from unisono.model.ratings import Ratings

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping

    from unisono.model.interpretation import Interpretation

__all__ = ["NamePatterns", "check_selected", "selected_part"]

_ALL_BUT = "all but "
Data = TypeVar("Data", Corpus, Ratings)


class NamePatterns(frozenset[str]):
    """A selection of names; it contains each name that matches one of its texts.

    A text is a name, or a pattern in which ``*`` stands for any characters and ``?`` for one.
    ``all but`` before the first text selects the names that match none of them.
    """

    is_negated: bool
    _regex: re.Pattern[str]

    def __new__(cls, texts: Iterable[str], *, is_negated: bool = False) -> Self:
        """Return the selection of the names that match the texts, or that do not."""
        made = super().__new__(cls, texts)
        made.is_negated = is_negated
        made._regex = re.compile("|".join(map(_regex_of, made)) or r"(?!)", re.DOTALL)
        return made

    @classmethod
    def parsed(cls, value: object, name: str, *, may_list: bool = True) -> NamePatterns:
        """Return the selection for the value of a setting: a list of texts, or one text.

        One text may list several, separated by commas, unless `may_list` is false.
        """
        texts = [value] if isinstance(value, str) else value
        is_list = isinstance(texts, Iterable) and not isinstance(texts, bytes)
        parts = list(texts) if is_list else []  # type: ignore[call-overload]
        if not is_list or not all(isinstance(part, str) for part in parts):
            msg = f"{name}= must be names or patterns, such as ('ann', 'b*'); got {value!r}"
            raise TypeError(msg)
        is_negated = bool(parts) and parts[0].startswith(_ALL_BUT)
        if is_negated:
            parts = [parts[0].removeprefix(_ALL_BUT), *parts[1:]]
        if len(parts) == 1 and (is_negated or (isinstance(value, str) and may_list)):
            (parts,) = csv.reader([parts[0].replace("\n", " ") or ","], skipinitialspace=True)
            parts = [part.strip() for part in parts]
        if not parts or not all(parts):
            msg = f"{setting(name)} needs at least one name or pattern; got {value!r}"
            raise SettingError(msg)
        return cls(parts, is_negated=is_negated)

    def __contains__(self, name: object) -> bool:
        return (self._regex.fullmatch(str(name)) is not None) != self.is_negated

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (sorted(self), self.is_negated)

    def unmatched(self, available: Iterable[str]) -> list[str]:
        """Return the texts that match no name, sorted."""
        names = list(available)
        return [
            text
            for text in sorted(self)
            if not any(map(re.compile(_regex_of(text), re.DOTALL).fullmatch, names))
        ]

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts as they can be set again, sorted."""
        first, *others = sorted(self)
        return (f"{_ALL_BUT}{first}" if self.is_negated else first, *others)


def _rebuilt(texts: Iterable[str], is_negated: bool) -> NamePatterns:  # noqa: FBT001 (as pickled)
    return NamePatterns(texts, is_negated=is_negated)


def _regex_of(text: str) -> str:
    parts = re.split(r"([*?])", text)
    return "".join({"*": ".*", "?": "."}.get(part, re.escape(part)) for part in parts)


def check_selected(
    patterns: NamePatterns, available: Collection[str], name: str, what: str
) -> None:
    """Raise for a name or pattern that matches nothing, and for a selection of nothing."""
    for text in patterns.unmatched(available):
        msg = (
            f"no {what} {text!r} for {setting(name)}; the {what}s are {listed(available)}"
            f"{did_you_mean(text, available)}"
        )
        raise SettingError(msg)
    if not any(each in patterns for each in available):
        msg = f"{setting(name)} selects no {what}; the {what}s are {listed(available)}"
        raise SettingError(msg)


def selected_part(data: Data, chosen: Mapping[str, object]) -> Data:
    """Return the selected part of data, which is kept in the record of how they were read.

    `chosen` maps ``"documents"``, ``"annotators"``, ``"items"`` or ``"labels"`` to the value of the
    setting of that name, or to `None` if nothing was chosen. A choice of annotators answers
    questions about who is an annotator.
    """
    patterns = {
        name: NamePatterns.parsed(value, name)
        for name, value in chosen.items()
        if value is not None
    }
    if not patterns:
        return data
    kept: dict[str, list[Hashable]] = {}
    for name, each in patterns.items():
        found_values: Any = data if name == "documents" else getattr(data, name)
        values: Collection[Hashable] | None = found_values
        if values is None:
            msg = f"the items have no names, so {setting(name)} cannot select some; omit it"
            raise SettingError(msg)
        texts = {value: _text(value, name) for value in values}
        check_selected(each, list(texts.values()), name, name.removesuffix("s"))
        kept[name] = [value for value, text in texts.items() if text in each]
    found = data.only(**kept)  # type: ignore[arg-type]
    record = found.interpretation
    if record is None:
        return found
    return found.with_interpretation(_recorded(record, patterns))


def _text(value: Hashable, name: str) -> str:
    return label_text(value) if name == "labels" else str(value)  # type: ignore[arg-type]


def _recorded(record: Interpretation, patterns: Mapping[str, NamePatterns]) -> Interpretation:
    names = {*patterns, *(("annotator_columns",) if "annotators" in patterns else ())}
    answered = (
        question.code
        for question in record.open_questions
        if any(names & reading.settings.keys() for reading in question.readings)
    )
    return replace(
        record,
        selected={**record.selected, **{name: each.texts for name, each in patterns.items()}},
        accepted=tuple(dict.fromkeys((*record.accepted, *answered))),
    )
