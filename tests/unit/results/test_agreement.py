import json
import math
import pickle
from typing import Any

import pytest

from sample_results import chance_agreement, undefined_chance_agreement
from unisono.errors import DataError
from unisono.results.agreement import Agreement
from unisono.results.values import Interval, Signature


def agreement(**changes):
    fields: dict[str, Any] = {
        "value": 0.725,
        "observed": 0.55,
        "expected": 2.0,
        "signature": Signature("alpha"),
    }
    return Agreement(**fields | changes)


def undefined(**changes):
    nothing = {"value": math.nan, "expected": 0.0, "undefined": "chance never disagrees"}
    return agreement(**nothing | changes)


def test_it_is_a_number_where_a_number_is_wanted():
    assert float(agreement()) == 0.725
    assert f"{agreement():.2f}" == "0.72"
    assert f"{agreement():.1%}" == "72.5%"


def test_it_prints_its_signature_and_value():
    assert str(agreement()) == "alpha = 0.725"
    assert f"{agreement()}" == "alpha = 0.725"


def test_an_undefined_value_has_its_reason():
    assert str(undefined()) == "alpha = undefined (chance never disagrees)"
    assert repr(undefined()).startswith("Agreement(undefined: chance never disagrees")
    assert math.isnan(float(undefined()))


def test_no_value_without_a_reason():
    with pytest.raises(DataError, match="pass the reason"):
        agreement(value=math.nan)


def test_no_reason_beside_a_value():
    with pytest.raises(DataError, match=r"NaN, got 0\.725"):
        agreement(undefined="because")


def test_a_value_that_rounds_to_zero_has_no_sign():
    assert str(agreement(value=-1e-9)) == "alpha = 0.000"


def test_it_is_frozen():
    with pytest.raises(AttributeError):
        agreement().value = 1.0


def test_numbers_of_other_kinds_become_floats():
    assert type(agreement(value=1).value) is float


def test_plain_data_have_the_names_of_the_fields():
    record = agreement(interval=Interval(0.7, 0.75, confidence=0.9, method="bootstrap")).to_dict()

    assert record == {
        "value": 0.725,
        "observed": 0.55,
        "expected": 2.0,
        "undefined": None,
        "interval": {"low": 0.7, "high": 0.75, "confidence": 0.9, "method": "bootstrap"},
        "signature": "alpha",
    }


def test_json_has_null_for_nan():
    record = json.loads(undefined(observed=math.inf).to_json())

    assert (record["value"], record["observed"]) == (None, None)
    assert record["undefined"] == "chance never disagrees"


def test_json_may_be_indented():
    assert agreement().to_json(indent=2).startswith('{\n  "schema": 1,\n  "value": 0.725')


def test_markdown_is_a_table_with_the_signature_below():
    lines = agreement(signature=Signature("alpha", (("v", "1"),))).to_markdown().splitlines()

    assert lines[0] == "| measure |  value | observed | expected |"
    assert lines[2] == "| alpha   | 0.7250 |   0.5500 |   2.0000 |"
    assert lines[-1] == "`alpha|v:1`"
    assert agreement()._repr_markdown_() == agreement().to_markdown()


def test_markdown_contains_the_reason_of_an_undefined_value():
    assert "- alpha is undefined: chance never disagrees" in undefined().to_markdown()


def test_markdown_survives_backticks_in_a_signature():
    text = agreement(signature=Signature("alpha", (("own", "`x`"),))).to_markdown()

    assert text.splitlines()[-1] == "`` alpha|own:`x` ``"


def test_equal_means_equal_fields_also_without_a_value():
    assert agreement() == agreement()
    assert undefined() == undefined()
    assert agreement() != agreement(value=0.7)
    assert agreement() != chance_agreement()
    assert agreement() != 0.725
    assert hash(undefined()) == hash(undefined())


@pytest.mark.parametrize("result", [agreement(), undefined(), chance_agreement()])
def test_it_survives_pickling(result):
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301 - our own bytes


def test_chance_agreement_adds_what_the_draws_tell():
    record = chance_agreement(n_left_out=1).to_dict()

    assert record["monte_carlo"]["method"] == "monte carlo"
    assert (record["draws"], record["n_left_out"], record["weight"]) == (4, 1, 2.5)
    assert list(record)[-1] == "signature"
    assert undefined_chance_agreement().to_dict()["monte_carlo"] is None


def test_the_two_uncertainties_have_separate_columns():
    interval = Interval(0.5, 0.9, confidence=0.9, method="bootstrap")
    heading, _, line, *_ = (
        chance_agreement(interval=interval, expected_se=0.01).to_markdown().splitlines()
    )

    assert "interval 90 % |" in heading
    assert "± draws |" in heading
    assert "0.5000 to 0.9000 |" in line


def test_an_interval_shows_itself_in_full():
    interval = Interval(0.711, 0.739, confidence=0.95, method="monte carlo")

    assert repr(interval) == "Interval(0.711, 0.739, confidence=0.95, method='monte carlo')"


@pytest.mark.parametrize(("low", "high"), [(1.0, 0.0), (math.nan, 1.0)])
def test_an_interval_runs_from_low_to_high(low, high):
    with pytest.raises(DataError, match="needs low <= high"):
        Interval(low, high, confidence=0.95, method="x")


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0, math.nan])
def test_the_level_of_an_interval_is_a_share(level):
    with pytest.raises(DataError, match="between 0 and 1"):
        Interval(0.0, 1.0, confidence=level, method="x")


def test_an_infinite_end_is_null_in_plain_data():
    assert Interval(-math.inf, 1.0, confidence=0.95, method="x").to_dict()["low"] is None
