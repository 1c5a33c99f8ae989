"""Which measure fits a task: its properties, from data and from answers, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import SettingError, did_you_mean
from unisono.registry import MEASURES, PAPER_ROWS, PROPERTIES, TASKS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unisono.registry import Measure
    from unisono.studies.measure_table import DataProperties

__all__ = [
    "MeasureFit",
    "TaskAnswer",
    "answers_of",
    "measure_fits",
    "parsed_answers",
    "similar_tasks",
]


class TaskAnswer(NamedTuple):
    """Whether a task has a property.

    Attributes
    ----------
    name
        The property.
    title
        What holds for a task that has it.
    holds
        Whether the task has it; assumed if `source` is ``"assumed"``.
    source
        ``"data"``, ``"answer"``, or ``"assumed"`` where data do not show it.
    question
        The question to answer, if it is assumed.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.describe(un.read("examples/interview.csv"))
    >>> found.task[0].title, found.task[0].holds, found.task[0].source
    ('annotators decide where units are', True, 'data')
    """

    name: str
    title: str
    holds: bool
    source: str
    question: str = ""


class MeasureFit(NamedTuple):
    """Whether a measure fits a task, and why.

    Attributes
    ----------
    measure
        The name of the measure.
    fits
        Whether it takes all properties of the task into account.
    why
        What it lacks, or the properties it takes into account.
    paper
        What Mathet, Widlöcher & Métivier (2015) say of it, with section and page: the row of their
        Table 2 in words; empty if they say nothing.

    Examples
    --------
    >>> import unisono as un
    >>> found = un.describe(un.read("examples/interview.csv"))
    >>> next(fit.why for fit in found.measure_fits if fit.measure == "u_alpha")
    'does not support units in units; does not support overlap'
    """

    measure: str
    fits: bool
    why: str
    paper: str = ""


def answers_of(
    data: DataProperties, n_annotators: int, n_documents: int, answers: Mapping[str, bool]
) -> tuple[TaskAnswer, ...]:
    """Return for each property whether the task has it, from answers and from the data."""
    _check_answers(answers)
    shown: dict[str, bool] = {
        "labels": data.n_labels > 1,
        "sporadic": bool(data.leaves_gaps),
        "sets": bool(data.several_labels),
        "many": n_annotators > 2,
        "documents": n_documents > 1,
    }
    # That data do not have it does not say that the task does not.
    shown |= {"units": True} if not data.same_places else {}
    shown |= {"nested": True} if data.nested else {}
    shown |= {"overlap": True} if data.overlapping > data.nested else {}
    if data.n_labels < 3:
        shown["ordered"] = False
    found = []
    for name, each in PROPERTIES.items():
        if name in answers:
            found.append(TaskAnswer(name, each.title, answers[name], "answer"))
        elif name in shown:
            found.append(TaskAnswer(name, each.title, shown[name], "data"))
        else:
            found.append(
                TaskAnswer(name, each.title, holds=False, source="assumed", question=each.question)
            )
    return tuple(found)


def _check_answers(answers: Mapping[str, bool]) -> None:
    if not isinstance(answers, Mapping):
        msg = f"task must map properties to True or False; got {type(answers).__name__}"
        raise TypeError(msg)
    for name, value in answers.items():
        if name not in PROPERTIES:
            known = ", ".join(PROPERTIES)
            msg = f"unknown property {name!r}; choose from {known}{did_you_mean(name, PROPERTIES)}"
            raise SettingError(msg)
        if not isinstance(value, bool):
            msg = f"the answer to {name!r} must be True or False; got {value!r}"
            raise TypeError(msg)


def parsed_answers(text: str) -> dict[str, bool]:
    """Return the answers in a list such as ``ordered,no-overlap``."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    found = {name.removeprefix("no-"): not name.startswith("no-") for name in names}
    _check_answers(found)
    return found


def measure_fits(answers: Iterable[TaskAnswer]) -> tuple[MeasureFit, ...]:
    """Return for each measure, but those of single labels, whether it fits a task."""
    needed = [answer.name for answer in answers if answer.holds]
    return tuple(_fit(measure, needed) for measure in MEASURES.values() if not measure.by_label)


def _fit(measure: Measure, needed: list[str]) -> MeasureFit:
    handled = measure.handles
    lacks = [PROPERTIES[name].lack for name in needed if name not in handled]
    lacks += _does_not_apply(measure, needed)
    paper = "; ".join(str(row) for row in PAPER_ROWS if measure.name in row.measures)
    if lacks:
        return MeasureFit(measure.name, fits=False, why="; ".join(lacks), paper=paper)
    taken = [PROPERTIES[name].paper or name for name in needed if name != "documents"]
    return MeasureFit(
        measure.name, fits=True, why=f"takes into account: {', '.join(taken)}", paper=paper
    )


def _does_not_apply(measure: Measure, needed: list[str]) -> Iterator[str]:
    """Yield why a measure does not apply to a task without a property."""
    if measure.data == "reference" and "reference" not in needed:
        yield "needs a reference"
    if measure.data == "chains" and "chains" not in needed:
        yield "compares groups, not labels"
    if "units" in measure.handles and "units" not in needed and "chains" not in needed:
        yield "counts the places of units, which are given, as agreement"


def similar_tasks(answers: Iterable[TaskAnswer]) -> tuple[str, ...]:
    """Return the tasks of Table 1 of Mathet et al. (2015) with the same properties."""
    holding = [answer.name for answer in answers if answer.holds]
    return tuple(task.name for task in TASKS if task.matches(holding))
