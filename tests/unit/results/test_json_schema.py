"""The JSON Schema matches the classes, and the JSON of results is valid."""

from __future__ import annotations

import json

import jsonschema
import pytest

import unisono as un
from every_result import RATINGS, RESULTS, results_of
from json_schema import FILE, schema
from unisono.results import json_schema


@pytest.fixture(scope="module")
def known():
    return json_schema()


def test_the_shipped_schema_is_that_of_the_classes():
    """``make tables`` writes it."""
    assert json.loads(FILE.read_text(encoding="utf-8")) == schema()


def test_the_schema_is_one(known):
    jsonschema.Draft202012Validator.check_schema(known)


@pytest.mark.parametrize("name", RESULTS)
def test_what_is_written_fits(known, name):
    one = {each["$ref"].rpartition("/")[2]: each for each in known["anyOf"]}[name]
    validator = jsonschema.Draft202012Validator({**known, "anyOf": [one]})
    for result in results_of(name):
        validator.validate(json.loads(result.to_json()))


def test_every_class_is_tried(known):
    named = {each["$ref"].rpartition("/")[2] for each in known["anyOf"]}

    assert named - set(RESULTS) == {"Agreement", "ChanceAgreement"}  # parts of others


def test_another_key_or_kind_does_not_fit(known):
    validator = jsonschema.Draft202012Validator(known)
    record = json.loads(un.cohen_kappa(RATINGS).to_json())

    assert not validator.is_valid(record | {"valeu": 1.0})
    assert not validator.is_valid(record | {"n_items": "8"})
    assert not validator.is_valid(record | {"schema": 2})
