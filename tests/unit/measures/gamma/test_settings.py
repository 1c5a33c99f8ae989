"""Settings and data that γ cannot be computed with: refused at once, with a sentence."""

from __future__ import annotations

import math

import pytest

import unisono as un
from sample_texts import TEXT
from unisono.measures.gamma import documents


@pytest.mark.parametrize("name", ["precision", "confidence"])
@pytest.mark.parametrize("value", [0, 1, -0.1, 2, math.nan, math.inf])
def test_a_share_lies_between_0_and_1(name, value):
    with pytest.raises(un.SettingError, match=f"{name} must lie between 0 and 1, .*got {value}"):
        un.gamma(TEXT, **{name: value})


@pytest.mark.parametrize("name", ["precision", "confidence"])
@pytest.mark.parametrize("value", ["0.5", None, True])
def test_a_share_is_a_number(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a number"):
        un.gamma(TEXT, **{name: value})


@pytest.mark.parametrize("name", ["draws", "workers"])
@pytest.mark.parametrize("value", [0, -3])
def test_a_count_is_1_or_more(name, value):
    with pytest.raises(un.SettingError, match=f"{name} must be 1 or more, got {value}"):
        un.gamma(TEXT, **{name: value})


@pytest.mark.parametrize("name", ["draws", "workers"])
@pytest.mark.parametrize("value", [1.5, "3", True])
def test_a_count_is_a_whole_number(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a whole number, got {value!r}"):
        un.gamma(TEXT, **{name: value})


@pytest.mark.parametrize(
    ("settings", "error", "problem"),
    [
        ({"chance": "random"}, un.SettingError, "unknown chance='random'"),
        ({"chance": None}, un.SettingError, "unknown chance=None"),
        ({"rng": -1}, un.SettingError, "a seed is a whole number of 0 or more, got -1"),
        ({"rng": "42"}, TypeError, "rng is a whole number, a numpy Generator or None"),
        ({"dissimilarity": "combined"}, TypeError, "got 'combined' of type str"),
        ({"dissimilarity": un.Combined}, TypeError, "dissimilarity is a Combined"),
        ({"dissimilarity": 0}, TypeError, "dissimilarity is a Combined"),
        ({"magnitude": 1}, TypeError, "magnitude"),
    ],
)
def test_a_wrong_setting_is_refused(settings, error, problem):
    with pytest.raises(error, match=problem):
        un.gamma(TEXT, **settings)


@pytest.mark.parametrize("data", [None, [("ann", 0, 1, "A")], {"one": TEXT}, "talks.csv"])
def test_data_of_another_type_are_refused(data):
    with pytest.raises(TypeError, match=f"a Continuum or a Corpus, got {type(data).__name__}"):
        un.gamma(data)


def test_settings_are_checked_before_any_work(monkeypatch):
    def never(*_: object) -> None:
        pytest.fail("an alignment was made")

    monkeypatch.setattr(documents, "measure_documents", never)
    for settings in ({"workers": 0}, {"rng": -1}, {"draws": 0}, {"chance": "?"}):
        with pytest.raises(un.SettingError):
            un.gamma(TEXT, **settings)


def test_a_label_without_a_distance_is_named():
    matrix = un.DistanceMatrix(["A", "B"], [[0, 1], [1, 0]])
    with pytest.raises(un.DataError, match="does not have the label 'C'"):
        un.gamma(TEXT, dissimilarity=un.Combined(distance=matrix))


def test_a_confidence_next_to_one_is_refused():
    with pytest.raises(un.SettingError, match="confidence must lie between 0 and 1"):
        un.gamma(TEXT, confidence=0.9999999999999999, draws=3, rng=1)


@pytest.mark.parametrize("precision", [1e-8, 1e-160])
def test_a_precision_that_no_number_of_draws_reaches_is_refused(precision):
    with pytest.raises(un.SettingError, match="would take more than 10,000,000 draws"):
        un.gamma(TEXT, precision=precision, rng=1)


def test_more_workers_than_can_be_used_are_no_error():
    few, many = (un.gamma(TEXT, draws=3, rng=1, workers=workers) for workers in (1, 2**40))
    assert few == many


def test_points_far_apart_are_trusted_where_position_does_not_count():
    points = un.Continuum.from_units([("a", 0, 0, "A"), ("b", 5, 5, "A"), ("b", 6, 6, "B")])
    result = un.gamma(
        points, dissimilarity=un.Categorial(), chance="gamma-software", draws=30, rng=1
    )
    assert result.gamma_cat.weight == 1.0


def test_gamma_2017_gives_the_printed_numbers_of_the_paper():
    """Mathet (2017), Figure 16, on a layout that fits its §5.2: γ = .29, γcat = .36, γk(C) NA."""
    text = un.Continuum.from_units(
        [
            *[("1", 2, 11, "A"), ("1", 15, 18, "B"), ("2", 2, 11, "B"), ("2", 14, 19, "B")],
            *[("3", 3, 13, "A"), ("3", 17, 25, "C")],
        ],
        extent=(0, 25),
    )
    found = un.gamma(text, chance="gamma-2017", draws=2000, rng=1)
    assert found.value == pytest.approx(0.29, abs=0.01)
    assert 0.34 < found.gamma_cat.value < 0.37
    assert found.gamma_k["C"].undefined
    assert (found.dissimilarity.position, found.dissimilarity.label) == (3.0, 2.0)
    given = un.gamma(text, chance="gamma-2017", dissimilarity=un.Combined(), draws=5, rng=1)
    assert (given.dissimilarity.position, given.dissimilarity.label) == (1.0, 1.0)
