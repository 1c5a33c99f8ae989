import pickle

import pytest

from unisono.errors import DataError, SettingError
from unisono.results.values import Signature

LINE = "gamma|dissim:combined[pos=1,label=1,empty=1]|chance:shift|n:112|seed:42|v:0.1.0"


def test_a_signature_is_one_line_in_the_given_order():
    signature = Signature("gamma", (("chance", "shift"), ("n", "112"), ("seed", "42")))

    assert str(signature) == "gamma|chance:shift|n:112|seed:42"


def test_parsing_undoes_printing():
    assert str(Signature.parse(LINE)) == LINE


def test_a_setting_is_looked_up_by_name():
    assert Signature.parse(LINE)["seed"] == "42"
    assert "seed" in Signature.parse(LINE)
    assert "sed" not in Signature.parse(LINE)


def test_an_unknown_setting_names_those_there_are():
    with pytest.raises(KeyError, match="dissim, chance, n, seed, v"):
        Signature.parse(LINE)["sed"]


def test_the_settings_are_walked_in_order():
    assert list(Signature.parse(LINE)) == ["dissim", "chance", "n", "seed", "v"]


@pytest.mark.parametrize("value", ["a|b", "a\\b", "a\\|b", "a\nb", "a\r\nb", "a:b", "", "\\n", "γ"])
def test_a_value_may_hold_anything_and_stays_on_one_line(value):
    signature = Signature("gamma", (("own", value), ("seed", "1")))

    assert len(str(signature).splitlines()) == 1
    assert Signature.parse(str(signature)) == signature


@pytest.mark.parametrize("name", ["", "a:b", "a|b", "a\\b", "a\nb"])
def test_a_name_may_not_hold_what_separates(name):
    with pytest.raises(SettingError, match="must not be empty or contain"):
        Signature("gamma", ((name, "1"),))
    with pytest.raises(SettingError, match="must not be empty or contain"):
        Signature(name)


def test_a_setting_is_named_once():
    with pytest.raises(SettingError, match="'n' occurs twice"):
        Signature("gamma", (("n", "1"), ("n", "2")))


def test_values_are_text():
    with pytest.raises(TypeError, match="must be a str, got 112"):
        Signature("gamma", (("n", 112),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("gamma|seed", "has no colon"),
        ("", "not a signature"),
        ("gamma|:1", "not a signature"),
        ("gamma|n:1|n:2", "occurs twice"),
        ("gamma|n:\\q", "backslash"),
        ("gamma|n:1\\", "backslash"),
    ],
)
def test_invalid_signatures_are_refused(text, problem):
    with pytest.raises(DataError, match=problem):
        Signature.parse(text)


def test_a_signature_is_a_value():
    signature = Signature.parse(LINE)

    assert pickle.loads(pickle.dumps(signature)) == signature  # noqa: S301 - our own bytes
    assert hash(Signature.parse(LINE)) == hash(signature)
