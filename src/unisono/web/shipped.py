"""Examples that come with unisono, for a first look without data of one's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unisono.web.problems import ProblemError

__all__ = ["EXAMPLES", "example_source", "is_example"]

_FOLDER = Path(__file__).parent / "examples"
_PREFIX = "example:"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedExample:
    """One of the examples.

    Parameters
    ----------
    name
        What it is called.
    title
        A few words.
    about
        One sentence.
    measures
        What can be measured, the best to begin with first.
    request
        What to ask for.
    """

    name: str
    title: str
    about: str
    measures: tuple[str, ...]
    request: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data."""
        own = f"{_PREFIX}{self.name}"
        compares = "reference" in self.request
        return {
            "name": self.name,
            "data": None if compares else own,
            "title": self.title,
            "about": self.about,
            "measures": list(self.measures),
            "request": self.request if compares else {"data": own, "settings": {}} | self.request,
        }


_OF_UNITS = ("gamma", "unitizing", "consensus", "calibrate", "all", "report")
EXAMPLES: tuple[ShippedExample, ...] = (
    ShippedExample(
        name="interview",
        title="An interview",
        about="Three annotators marked questions, answers and asides in an interview.",
        measures=_OF_UNITS,
    ),
    ShippedExample(
        name="parts_of_speech",
        title="Parts of speech",
        about="Three annotators marked 124 words each, made up to differ a little.",
        measures=_OF_UNITS,
    ),
    ShippedExample(
        name="corpus",
        title="Four documents",
        about="Four short documents that were annotated by different people.",
        measures=_OF_UNITS,
    ),
    ShippedExample(
        name="politeness",
        title="Politeness of replies",
        about="Four people rated how polite 24 replies are, from 1 to 5; some left some out.",
        measures=("items",),
        request={"settings": {"distance": "ordinal"}},
    ),
    ShippedExample(
        name="topics",
        title="Topics of letters",
        about="Three people gave each letter one topic or several.",
        measures=("items",),
        request={"settings": {"reading": {"wide": True, "separator": "|"}, "distance": "masi"}},
    ),
    ShippedExample(
        name="paragraphs",
        title="Where paragraphs begin",
        about="Annotators cut the same text into paragraphs.",
        measures=("segments", "gamma"),
    ),
    ShippedExample(
        name="meeting",
        title="Who speaks in a meeting",
        about="A system's turns against a reference that calls the speakers otherwise.",
        measures=("compare",),
        request={
            "reference": f"{_PREFIX}meeting_gold",
            "hypothesis": f"{_PREFIX}meeting_system",
            "settings": {"mapping": "best", "tolerance": 0.25},
        },
    ),
)
"""All of them, in the order they are shown."""


def example_source(data: str) -> dict[str, Any]:
    """Find the files of an example, as a worker reads them.

    Parameters
    ----------
    data
        ``example:`` and a name.

    Raises
    ------
    ProblemError
        There is none of this name.

    Examples
    --------
    >>> from unisono.web.shipped import example_source
    >>> example_source("example:interview")["entries"]
    ['interview.csv']
    """
    name = data.removeprefix(_PREFIX)
    # Looked up, never joined: a name is no path.
    for entry in sorted(_FOLDER.iterdir()):
        if entry.stem == name:
            return {"folder": str(_FOLDER), "entries": [entry.name]}
    known = ", ".join(example.name for example in EXAMPLES)
    raise ProblemError("not-found", f"there is no example {name!r}; there are {known}")


def is_example(data: str) -> bool:
    """Say whether data are an example, and no upload.

    Examples
    --------
    >>> from unisono.web.shipped import is_example
    >>> is_example("example:interview"), is_example("d_abc")
    (True, False)
    """
    return data.startswith(_PREFIX)
