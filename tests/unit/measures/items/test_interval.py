"""Intervals over items and clusters, compared with ratings without one of them."""

import math
from typing import Any

import numpy as np
import pytest

import unisono as un
from unisono.errors import DataError
from unisono.measures.intervals import student
from unisono.measures.items.interval import Sample, _without
from unisono.measures.items.rows import Rows
from unisono.measures.items.table import coefficient_of

RNG = np.random.default_rng(4)
LABELS = RNG.integers(0, 4, 40)
TABLE = np.where(RNG.random((3, 40)) < 0.7, LABELS, RNG.integers(0, 4, (3, 40)))
CELLS = [[int(label) if RNG.random() > 0.1 else None for label in row] for row in TABLE]
NAMES = [f"item{number}" for number in range(40)]
TEXTS = [f"text{number // 4}" for number in range(40)]
MEASURES = ["percent", "alpha", "cohen", "fleiss", "conger", "bennett", "gwet"]


def ratings(keep=range(40), cells=CELLS):
    return un.Ratings.from_columns(
        *zip(
            *(
                (f"annotator{number}", NAMES[at], row[at])
                for number, row in enumerate(cells)
                for at in keep
                if row[at] is not None
            ),
            strict=True,
        )
    )


def interval_of(result):
    assert result.interval is not None
    return result.interval


def ends_by_hand(values, sizes, disagreement):
    n = len(values)
    se = math.sqrt((n - 1) / n * ((values - values.mean()) ** 2).sum())
    half = student(0.95, sizes.sum() ** 2 / (sizes**2).sum() - 1) * se / disagreement
    return 1 - disagreement * math.exp(half), 1 - disagreement * max(0, 1 - half / 3) ** 3


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("by_cluster", [False, True])
def test_ends_are_those_of_the_ratings_without_each_item_or_cluster(measure, by_cluster):
    groups = [[at] for at in range(40)]
    if by_cluster:
        groups = [[at for at in range(40) if TEXTS[at] == text] for text in dict.fromkeys(TEXTS)]
    data = ratings()
    settings: dict[str, Any] = {"categories": 4} if measure in {"bennett", "gwet"} else {}
    values, sizes = [], []
    for group in groups:
        others = ratings([at for at in range(40) if at not in group])
        (found,) = un.measure_items(others, measures=[measure], **settings).values()
        counts = [sum(row[at] is not None for row in CELLS) for at in group]
        size = sum(count for count in counts if count >= 2)
        if size:
            values.append(1 - found.value)
            sizes.append(size)
    clusters = dict(zip(NAMES, TEXTS, strict=True)) if by_cluster else None
    (found,) = un.measure_items(data, measures=[measure], clusters=clusters, **settings).values()
    low, high = ends_by_hand(np.array(values), np.array(sizes, float), 1 - found.value)

    assert interval_of(found).low == pytest.approx(low, abs=1e-10)
    assert interval_of(found).high == pytest.approx(high, abs=1e-10)
    assert interval_of(found).method == f"jackknife over {'clusters' if by_cluster else 'items'}"
    assert ("the interval takes items as independent" in found.notes) != by_cluster
    assert ("clusters" in found.signature) == by_cluster


@pytest.mark.parametrize("distance", ["ordinal", "interval", "ratio"])
def test_other_distances_have_intervals_too(distance):
    cells = [[None if each is None else each + 1 for each in row] for row in CELLS]
    found = un.krippendorff_alpha(ratings(cells=cells), distance=distance)

    assert interval_of(found).low < found.value < interval_of(found).high < 1.0


@pytest.mark.parametrize("measure", ["alpha", "cohen", "gwet"])
def test_the_influence_of_an_item_is_nearly_what_leaving_it_out_moves(monkeypatch, measure):
    data = un.Ratings.from_matrix(np.tile(TABLE, 10).tolist())
    exact = un.measure_items(data, measures=[measure])
    monkeypatch.setattr("unisono.measures.items.interval._MOST_ANEW", 0)
    monkeypatch.setattr("unisono.measures.items.interval._MOST_AT_ONCE", 0)
    close = un.measure_items(data, measures=[measure])
    for one, other in zip(exact.values(), close.values(), strict=True):
        assert one.interval != other.interval
        assert interval_of(one).low == pytest.approx(interval_of(other).low, abs=2e-3)
        assert interval_of(one).high == pytest.approx(interval_of(other).high, abs=2e-3)


def test_clusters_are_a_sequence_or_a_mapping():
    data = ratings()
    by_name = un.krippendorff_alpha(data, clusters=dict(zip(NAMES, TEXTS, strict=True)))
    in_order = un.krippendorff_alpha(
        data, clusters=[TEXTS[NAMES.index(name)] for name in data.items]
    )

    assert by_name == in_order
    assert by_name.value == un.krippendorff_alpha(data).value
    assert interval_of(by_name).high - interval_of(by_name).low > 0


@pytest.mark.parametrize(
    ("clusters", "error", "message"),
    [
        ({"item0": "a"}, DataError, "clusters= has no cluster for 39 of 40 items"),
        (["a", "b"], DataError, "clusters= has 2 clusters for 40 items"),
        ("text", TypeError, "must map items to clusters"),
        (7, TypeError, "must map items to clusters"),
    ],
)
def test_clusters_that_do_not_fit_are_refused(clusters, error, message):
    with pytest.raises(error, match=message):
        un.fleiss_kappa(ratings(), clusters=clusters)


def test_counts_of_equal_items_have_no_clusters():
    with pytest.raises(DataError, match="needs items with names"):
        un.fleiss_kappa(ratings().merged(), clusters=["a"] * 40)


def test_the_bootstrap_takes_no_clusters():
    settings: dict[str, Any] = {"clusters": TEXTS}
    with pytest.raises(un.SettingError, match="omit it"):
        un.bootstrap(ratings(), "alpha", **settings)


def test_few_items_have_a_sentence_and_no_interval():
    few = un.Ratings.from_matrix([["a", "b", "a"], ["a", "b", "b"]])
    found = un.krippendorff_alpha(few)

    assert found.interval is None
    assert found.notes == ("no interval: 3 items have something to compare, and 5 are needed",)


def test_items_without_disagreement_have_a_bound():
    same = un.Ratings.from_matrix([list("ababab" * 4)] * 2)
    found = un.krippendorff_alpha(same)

    # Chance would have made 24·De disagreements, which is fewer than there are items.
    assert interval_of(found).low == pytest.approx(1 + math.log(0.05) / (24 * found.expected))
    assert interval_of(found).high == 1.0
    assert "no disagreement in 24 items: at least 0.76 with" in found.notes[0]


def test_an_interval_ends_where_the_coefficient_does():
    rows = [list("abababababababab"), list("babababababababb")]
    found = un.percent_agreement(un.Ratings.from_matrix(rows))

    assert found.interval is None or interval_of(found).low >= 0.0


def test_the_confidence_is_the_level_and_stands_in_the_signature():
    wide, narrow = (un.gwet_ac(ratings(), confidence=each) for each in (0.99, 0.5))

    assert (
        interval_of(wide).low
        < interval_of(narrow).low
        < interval_of(narrow).high
        < interval_of(wide).high
    )
    assert wide.signature["confidence"] == "0.99"
    assert "confidence" not in un.gwet_ac(ratings()).signature
    with pytest.raises(un.SettingError, match="confidence must"):
        un.measure_items(ratings(), confidence=1.0)


def test_labels_of_unknown_annotators_have_intervals():
    counts = un.Ratings.from_counts([[3, 0], [1, 2], [0, 3], [3, 0], [2, 1], [3, 0]] * 4)
    found = un.fleiss_kappa(counts)

    assert interval_of(found).low < found.value < interval_of(found).high


def test_without_one_item_of_each_kind_is_the_value_without_it():
    merged = ratings().merged()
    sample = Sample(merged, Rows.of(merged))
    coefficient = coefficient_of("alpha", {})
    prepared, times = coefficient.prepare(merged), sample.ratings.times.astype(float)
    rows = np.arange(len(times))
    found = _without(prepared, 0.0, times, rows, rows, by_cluster=False)
    for at in rows:
        left = times.copy()
        left[at] -= 1
        assert found[at] == pytest.approx(float(prepared.parts(left).value), abs=1e-14)
