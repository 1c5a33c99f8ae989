"""The data of a result: who was compared, and how the files were read."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from unisono.model.chains import Chains
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.ratings import Ratings
from unisono.model.segmentation import Segmentation
from unisono.results.record import Record, part, record
from unisono.results.render import Sheeted
from unisono.results.sheet import KINDS, Column, Fact, Table, column
from unisono.results.wording import count, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unisono.model.interpretation import Interpretation
    from unisono.results.sheet import Sheet

__all__ = ["DataSummary", "OfData", "data_of", "open_question_notes", "reading_tables", "with_data"]


@dataclass(frozen=True, slots=True)
class DataSummary:
    """Who was compared, and on what.

    Attributes
    ----------
    annotators
        The names of the annotators, sorted; empty if they are unknown.
    n_annotators
        Number of annotators.
    n_documents
        Number of documents; `None` for ratings.
    n_items
        Number of items; `None` for units.
    label_source
        Where the labels came from, such as ``column "type"``; empty if this is not known.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 4, "A"), ("bob", 6, 9)])
    >>> print(un.gamma(text, rng=1).data)
    2 annotators (ann, bob), 1 document
    """

    annotators: tuple[str, ...]
    n_annotators: int
    n_documents: int | None = None
    n_items: int | None = None
    label_source: str = ""

    def __str__(self) -> str:
        names = f" ({some(self.annotators)})" if self.annotators else ""
        parts = [f"{count(self.n_annotators, 'annotator')}{names}"]
        if self.n_documents is not None:
            parts.append(count(self.n_documents, "document"))
        if self.n_items is not None:
            parts.append(count(self.n_items, "item"))
        if self.label_source:
            none = self.label_source == "none"
            parts.append("no labels" if none else f"label from {self.label_source}")
        return ", ".join(parts)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary as plain data, with its text.

        Examples
        --------
        >>> import unisono as un
        >>> un.krippendorff_alpha(un.Ratings.from_matrix([[1, 2], [1, 1]])).data.to_dict()["text"]
        '2 annotators (1, 2), 2 items'
        """
        return {
            "text": str(self),
            "annotators": list(self.annotators),
            "n_annotators": self.n_annotators,
            "n_documents": self.n_documents,
            "n_items": self.n_items,
            "label_source": self.label_source,
        }


@record
class OfData(Record, Sheeted):
    """Base class of results of data, which state who was compared.

    Attributes
    ----------
    data
        Who was compared; ``None`` for the results of single documents.
    interpretation
        How the files of the data were read; ``None`` for data that were not read from files.
    """

    data: DataSummary | None = field(default=None, compare=False, metadata=part(in_documents=False))
    interpretation: Interpretation | None = field(
        default=None, compare=False, metadata=part(in_documents=False)
    )

    def __init_subclass__(cls) -> None:
        describe_sheets(cls)


def describe_sheets(kind: type[Any]) -> None:
    """Let the sheets of a class of results state who was compared, and open questions."""
    own = vars(kind).get("sheet")
    # A dataclass with slots is created twice, so the method may have been replaced already.
    if own is None or hasattr(own, "__wrapped__"):
        return

    @functools.wraps(own)
    def sheet(self: Any, **options: Any) -> Sheet:  # noqa: ANN401 - as the method
        return _described(own(self, **options), self)

    kind.sheet = sheet


def _described(sheet: Sheet, result: Any) -> Sheet:  # noqa: ANN401 - any result of data
    if result.data is None:
        return sheet
    facts = tuple(fact for fact in sheet.facts if fact.column.name != "data")
    notes = (*sheet.notes, *open_question_notes(result.interpretation))
    return replace(
        sheet,
        facts=(Fact(column("data"), str(result.data)), *facts),
        notes=tuple(dict.fromkeys(notes)),
    )


def open_question_notes(interpretation: Interpretation | None) -> tuple[str, ...]:
    """Return a note on each question about the files that the user has not answered."""
    questions = () if interpretation is None else interpretation.open_questions
    return tuple(
        f"the question {each.code} about the files is open; the first reading was used: "
        f"{each.readings[0].text}"
        for each in questions
    )


def data_of(*data: object) -> tuple[DataSummary | None, Interpretation | None]:
    """Return who is compared in data, and how their files were read.

    Data are units, ratings, chains, segmentations by annotator (and document) or a result of them.
    Texts among them are the names of annotators, if not all were compared.
    """
    for each in data:
        if isinstance(getattr(each, "data", None), DataSummary):
            return each.data, each.interpretation  # type: ignore[attr-defined]
        if _is_segmented(each):
            return _segmented(each), None
    known = [each for each in data if isinstance(each, Continuum | Corpus | Ratings | Chains)]
    if not known:
        return None, None
    interpretation = next(
        (found for each in known if (found := getattr(each, "interpretation", None)) is not None),
        None,
    )
    source = "" if interpretation is None else interpretation.label_source
    if isinstance(known[0], Ratings):
        ratings = known[0]
        names = () if ratings.anonymous else ratings.annotators
        return DataSummary(
            names, ratings.n_annotators, n_items=ratings.n_items, label_source=source
        ), interpretation
    chosen = [name for each in data for name in _names(each)]
    names = tuple(dict.fromkeys(chosen or (name for each in known for name in each.annotators)))
    n_documents = max(1 if isinstance(each, Continuum) else len(each) for each in known)
    return DataSummary(names, len(names), n_documents, label_source=source), interpretation


def _names(each: object) -> tuple[str, ...]:
    if isinstance(each, str):
        return (each,)
    return tuple(each) if isinstance(each, tuple | list) else ()


def _is_segmented(data: object) -> bool:
    if not isinstance(data, Mapping) or isinstance(data, Corpus) or not data:
        return False
    first = next(iter(data.values()))
    return isinstance(first, Segmentation) or _is_segmented(first)


def _segmented(data: Any) -> DataSummary:  # noqa: ANN401 - see _is_segmented
    documents = [data] if isinstance(next(iter(data.values())), Segmentation) else data.values()
    names = tuple(sorted({str(name) for each in documents for name in each}))
    return DataSummary(names, len(names), len(documents))


def with_data(result: Any, *data: object, answered: tuple[str, ...] = ()) -> Any:  # noqa: ANN401 - the same result
    """Set the data of a newly computed result, and of the results that it consists of.

    Warnings about the files with one of the codes in `answered` do not apply to the result.
    """
    if not hasattr(result, "interpretation"):
        return result
    summary, interpretation = data_of(*data)
    if interpretation is not None and answered:
        kept = tuple(each for each in interpretation.warnings if each.code not in answered)
        interpretation = replace(interpretation, warnings=kept)
    if summary is not None:
        for each in (result, *_parts(result)):
            object.__setattr__(each, "data", summary)
            object.__setattr__(each, "interpretation", interpretation)
    return result


def _parts(result: Any) -> Iterable[Any]:  # noqa: ANN401 - any result
    by_measure: Mapping[str, Any] = getattr(result, "by_measure", {})
    return (each for each in by_measure.values() if isinstance(each, OfData))


def reading_tables(interpretation: Interpretation | None) -> Iterator[Table]:
    """Yield the tables of a record of how files were read: roles, questions, what was not used."""
    if interpretation is None:
        return
    roles: list[tuple[Any, ...]] = [
        (each.role, each.place, each.reason, each.n_values or None, some(each.examples))
        for each in interpretation.origins
    ]
    roles += [
        (name, "selection", ", ".join(texts), None, "")
        for name, texts in interpretation.selected.items()
    ]
    if roles:
        yield Table(
            name="reading",
            title="How the files were read",
            columns=(
                _text("role", "what"),
                _text("source", "from"),
                _text("reason", "why"),
                replace(column("size"), name="n_values", heading="values"),
                replace(_text("values", "such as"), show="room"),
            ),
            rows=roles,
        )
    questions = [
        (
            each.code,
            "open" if each in interpretation.open_questions else "answered",
            each.text,
            "; ".join(f"{number}) {reading}" for number, reading in enumerate(each.lines(), 1)),
        )
        for each in interpretation.questions
    ]
    if questions:
        yield Table(
            name="question",
            title="Questions about the files",
            columns=(
                _text("code", "question"),
                _text("state", "state"),
                _text("text", "seen"),
                _text("readings", "readings"),
            ),
            rows=questions,
        )
    if interpretation.warnings:
        yield Table(
            name="warning",
            title="Warnings",
            columns=(_text("warning", "warning"), replace(_text("code", "code"), show="never")),
            rows=[(str(each), each.code) for each in interpretation.warnings],
            limited=True,
        )
    if interpretation.ignored:
        yield Table(
            name="ignored",
            title="Not used",
            columns=(
                _text("kind", "kind"),
                _text("name", "name"),
                replace(column("size"), name="count", heading="count"),
                _text("reason", "why"),
            ),
            rows=[
                (each.kind, each.name, each.count, each.reason) for each in interpretation.ignored
            ],
            limited=True,
        )


def _text(name: str, heading: str) -> Column:
    return Column(name=name, heading=heading, kind=KINDS["text"])
