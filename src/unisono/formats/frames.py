"""Units and ratings of dataframes, whose columns get the same roles as those of files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from unisono.errors import AmbiguousInputError, DataError, ReadError
from unisono.formats.roles import RATINGS, UNITS, ColumnRoles, layout_of
from unisono.model.corpus import Corpus
from unisono.model.dataframes import column_names
from unisono.model.interpretation import Ignored, Interpretation, Origin
from unisono.model.ratings import Ratings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unisono.formats.roles import TableKind

__all__ = ["data_of_frame", "ratings_of_frame", "units_of_frame"]

_MOST_EXAMPLES = 5


def units_of_frame(frame: object, caller: str) -> object:
    """Return the corpus of a dataframe with one row per unit; other data unchanged."""
    names = column_names(frame)
    if names is None:
        return frame
    constructor = "Corpus.from_frame(frame, annotator='…', start='…', end='…', label='…')"
    roles = _roles(names, UNITS, caller, constructor)
    columns: dict[str, Any] = {role: names[at] for role, at in roles.items()}
    given: Any = frame
    if "document" not in columns:
        given = _with_constant(frame, columns)
    corpus = Corpus.from_frame(given, **{"label": None} | columns)
    values = {
        "document": tuple(corpus) if "document" in roles else (),
        "annotator": corpus.annotators,
        "label": tuple(map(str, filter(None, corpus.labels))),
    }
    return Corpus.from_continua(corpus, interpretation=_interpretation(names, roles, values, UNITS))


def ratings_of_frame(frame: object, caller: str) -> object:
    """Return the ratings of a dataframe with one row per rating; other data unchanged."""
    names = column_names(frame)
    if names is None:
        return frame
    constructor = (
        "Ratings.from_frame(frame, annotator='…', item='…', label='…') or, with one column per "
        "annotator, Ratings.from_matrix(frame, items='…')"
    )
    roles = _roles(names, RATINGS, caller, constructor)
    given: Any = frame
    columns: dict[str, Any] = {role: names[at] for role, at in roles.items()}
    ratings = Ratings.from_frame(given, **columns)
    values = {"annotator": ratings.annotators, "label": tuple(map(str, ratings.labels))}
    return ratings.with_interpretation(_interpretation(names, roles, values, RATINGS))


def data_of_frame(frame: object, caller: str) -> object:
    """Return the units of a dataframe with starts and ends, the ratings of another."""
    names = column_names(frame) or []
    has_units = all(UNITS.matches(role, names) for role in ("start", "end"))
    return (units_of_frame if has_units else ratings_of_frame)(frame, caller)


def _roles(names: Sequence[str], kind: TableKind, caller: str, constructor: str) -> dict[str, int]:
    try:
        places = layout_of(
            names, ColumnRoles(kind, header=True), path=Path("dataframe"), line=None
        ).places
    except (AmbiguousInputError, ReadError) as error:
        columns = ", ".join(map(repr, names)) or "none"
        msg = (
            f"{caller}: the columns of the dataframe do not show what is what; they are {columns}. "
            f"Name them with {constructor}"
        )
        raise DataError(msg) from error
    return {role: at for role, at in places.items() if role != "layer"}


def _with_constant(frame: Any, columns: dict[str, Any]) -> Any:  # noqa: ANN401 - any dataframe
    """Add a column of documents to a dataframe, which is then one document."""
    import narwhals as nw  # noqa: PLC0415 - slow to import

    name = "document"
    while name in columns.values():
        name += "_"
    columns["document"] = name
    return nw.from_native(frame).with_columns(nw.lit("document").alias(name)).to_native()


def _interpretation(
    names: Sequence[str],
    roles: Mapping[str, int],
    values: Mapping[str, Sequence[str]],
    kind: TableKind,
) -> Interpretation:
    origins = [
        Origin(
            role,  # type: ignore[arg-type]
            "column",
            names[at],
            "name",
            len(values.get(role, ())),
            tuple(values.get(role, ())[:_MOST_EXAMPLES]),
        )
        for role, at in roles.items()
    ]
    if kind is UNITS and "label" not in roles:
        origins.append(Origin("label", "none", "", "only choice"))
    used = set(roles.values())
    return Interpretation(
        origins=tuple(origins),
        ignored=tuple(
            Ignored("column", name, 0, "no role") for at, name in enumerate(names) if at not in used
        ),
    )
