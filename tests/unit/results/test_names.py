"""Each JSON key has the same type in all results, and columns have a matching kind."""

from __future__ import annotations

from collections import defaultdict

import pytest

from every_result import RESULTS, results_of
from unisono.results.record import json_schema
from unisono.results.sheet import VOCABULARY

DEFINITIONS = json_schema()["$defs"]
NUMBERS = {"count", "value", "coefficient", "probability", "share", "position", "change"}
NUMBERS |= {"drawn", "plus_minus"}
FITTING = {
    "number": NUMBERS,
    "boolean": {"flag"},
    "string": {"name", "text", "measure", "signature"},
    # A column of a result shows its value.
    "object": {"value", "coefficient", "change", "interval", "monte_carlo"},
    "array": {"units"},
    "label": {"label", "name"},
}
# A label is a text, a number or a set.
LABEL = {"string", "number", "array"}
# These have keys with a meaning of their own: the parts of a disorder, a list with one number per
# magnitude, the arguments of a dissimilarity, and lists of remarks on files.
APART = {"DisorderParts", "ErrorCurve", "DissimilarityParameters", "Interpretation"}


def shape(declared):
    """Return the types of the values of a schema, without null."""
    if "$ref" in declared:
        return shape(DEFINITIONS[declared["$ref"].rpartition("/")[2]])
    if "anyOf" in declared:
        found = set().union(*map(shape, declared["anyOf"]))
        return {"label"} if found == LABEL else found
    if "enum" in declared:
        return {"string"}
    kinds = declared.get("type", [])
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    return {"number" if kind == "integer" else kind for kind in kinds - {"null"}}


def shapes():
    """Return the types of each key, with the classes that have it."""
    found: dict[str, dict[frozenset[str], set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, definition in DEFINITIONS.items():
        for key, declared in definition.get("properties", {}).items():
            if name not in APART:
                found[key][frozenset(shape(declared))].add(name)
    return found


def test_a_key_has_one_shape_in_all_results():
    several = {key: dict(each) for key, each in shapes().items() if len(each) > 1}

    assert several == {}


@pytest.mark.parametrize("kind", RESULTS)
def test_columns_for_programs_fit_the_keys_of_their_names(kind):
    known = shapes()
    for result in results_of(kind):
        for table in result.sheet().tables:
            for column in table.columns if table.programs else ():
                for shape_of in known.get(column.name, ()):
                    fitting = set().union(*(FITTING[each] for each in shape_of))
                    assert column.kind.name in fitting, (table.name, column.name)


def test_a_column_for_programs_has_one_type_in_all_results():
    types: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for kind in RESULTS:
        for result in results_of(kind):
            for table in result.sheet().tables:
                for column in table.columns if table.programs else ():
                    types[column.name][column.kind.dtype].add(f"{kind} {table.name}")

    assert {name: dict(each) for name, each in types.items() if len(each) > 1} == {}


def test_the_vocabulary_fits_the_keys_of_results():
    """Columns of text may describe numbers; all other columns match their keys."""
    known = shapes()
    for name, column in VOCABULARY.items():
        for shape_of in known.get(name, ()) if column.kind.name not in ("text", "amount") else ():
            fitting = set().union(*(FITTING[each] for each in shape_of))
            assert column.kind.name in fitting or shape_of == {"array"}, name
