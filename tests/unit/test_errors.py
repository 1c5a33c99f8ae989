import pickle
from pathlib import Path

import pytest

from unisono.errors import DataError, ReadError, SettingError, UnisonoError, did_you_mean


def test_a_read_error_tells_file_line_and_problem():
    error = ReadError("start 'x' is not a number", path="turns.csv", line=2)
    assert str(error) == "turns.csv:2: start 'x' is not a number"
    assert (error.problem, error.path, error.line) == (
        "start 'x' is not a number",
        Path("turns.csv"),
        2,
    )


def test_a_read_error_without_line_tells_the_file():
    assert str(ReadError("the file is empty", path=Path("turns.csv"))) == (
        "turns.csv: the file is empty"
    )


@pytest.mark.parametrize("kind", [DataError, SettingError])
def test_errors_are_value_errors_too(kind):
    assert issubclass(kind, UnisonoError)
    assert issubclass(kind, ValueError)
    assert issubclass(ReadError, DataError)


@pytest.mark.parametrize(
    "error",
    [
        UnisonoError("no"),
        DataError("no"),
        SettingError("no"),
        ReadError("no", path="a.csv"),
        ReadError("no", path="a.csv", line=7),
    ],
)
def test_errors_survive_pickling(error):
    error.add_note("said on the way")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 (pickled by this test)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert again.__dict__ == error.__dict__


def test_a_name_that_is_close_is_suggested_whatever_its_case():
    assert did_you_mean("STRAT", ["start", "end"]) == ". Did you mean 'start'?"
    assert did_you_mean("onset", ["start", "end"]) == ""
    assert did_you_mean("a", []) == ""


def test_the_suggestion_does_not_depend_on_the_order_of_the_choices():
    names = ["tier1", "tier2", "Tier2", "tier3"]
    assert len({did_you_mean("tier", names[at:] + names[:at]) for at in range(4)}) == 1


def test_nothing_is_suggested_from_very_many_names():
    assert did_you_mean("talk1", [f"talk{number}" for number in range(6_000)]) == ""
