"""Laws of uncertainty that hold for every table of ratings."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono as un
from rating_changes import with_times
from unisono.measures.items.table import ITEM_MEASURES, coefficient_of, item_measure
from unisono.measures.sampling import ItemDraws

labels = st.one_of(st.none(), st.integers(1, 4))


@st.composite
def tables(draw):
    n_annotators = draw(st.integers(2, 4))
    n_items = draw(st.integers(1, 8))
    row = st.lists(labels, min_size=n_items, max_size=n_items)
    return draw(st.lists(row, min_size=n_annotators, max_size=n_annotators))


measures = st.sampled_from(
    [
        ("percent_agreement", {}),
        ("krippendorff_alpha", {}),
        ("krippendorff_alpha", {"distance": "ordinal"}),
        ("krippendorff_alpha", {"distance": "ratio", "missing": "pairs"}),
        ("cohen_kappa", {}),
        ("scott_pi", {}),
        ("fleiss_kappa", {"missing": "items"}),
        ("conger_kappa", {"weights": "linear"}),
        ("bennett_s", {"missing": "remove"}),
        ("gwet_ac", {"weights": "quadratic"}),
    ]
)
methods = st.sampled_from(["percentile", "bca"])


def same(left, right):
    return (
        left.value == right.value or (math.isnan(left.value) and math.isnan(right.value))
    ) and left.interval == right.interval


@settings(deadline=None, max_examples=60)
@given(tables(), measures, methods, st.integers(0, 99), st.randoms(use_true_random=False))
def test_the_order_of_items_moves_no_interval(table, measure, method, seed, random):
    name, chosen = measure
    order = list(range(len(table[0])))
    random.shuffle(order)
    shuffled = [[row[i] for i in order] for row in table]
    first = un.bootstrap(
        un.Ratings.from_matrix(table), name, resamples=40, rng=seed, method=method, **chosen
    )
    ratings = un.Ratings.from_matrix(shuffled)
    for variant in (ratings, ratings.merged()):
        again = un.bootstrap(variant, name, resamples=40, rng=seed, method=method, **chosen)
        assert same(first, again)
        assert again.notes == first.notes


@settings(deadline=None, max_examples=60)
@given(tables(), measures, st.integers(0, 99))
def test_resamples_are_tables_in_their_own_right(table, measure, seed):
    name, chosen = measure
    merged = un.Ratings.from_matrix(table).merged()
    if item_measure(name).load()(merged, **chosen).undefined:
        return
    coefficient = coefficient_of(name, chosen)
    drawn = ItemDraws(merged.times, seed, 1).counts(0, 6)
    values = coefficient.prepare(merged).parts(drawn).value
    # Where labels are counted, those of the whole table count, also when a resample has lost some.
    for times, value in zip(drawn, values, strict=True):
        again = coefficient.prepare(merged).parts(times).value
        assert math.isclose(value, again, rel_tol=1e-9, abs_tol=1e-12) or (
            math.isnan(value) and math.isnan(again)
        )
        if name not in ("bennett_s", "gwet_ac", "conger_kappa"):
            counted = with_times(merged, times.astype(int))
            whole = coefficient.prepare(counted).parts(counted.times.astype(float)).value
            assert math.isclose(value, whole, rel_tol=1e-9, abs_tol=1e-12) or (
                math.isnan(value) and math.isnan(whole)
            )


@settings(deadline=None, max_examples=60)
@given(tables(), st.sampled_from(sorted(measure.name for measure in ITEM_MEASURES)))
def test_standard_errors_are_numbers_of_zero_or_more_or_not_there(table, name):
    result = un.measure_items(un.Ratings.from_matrix(table), measures=[name])[name]
    error = result.standard_error
    assert error is None or (math.isfinite(error) and error >= 0.0)
    if result.undefined:
        assert error is None


@settings(deadline=None, max_examples=40)
@given(tables(), measures, st.integers(0, 99))
def test_p_values_are_shares_that_count_the_data_themselves(table, measure, seed):
    name, chosen = measure
    result = un.permutation_test(
        un.Ratings.from_matrix(table), name, permutations=19, rng=seed, **chosen
    )
    if result.undefined:
        assert result.p_value is None
    else:
        assert result.p_value is not None
        assert 0.0 < result.p_value <= 1.0


@settings(deadline=None, max_examples=60)
@given(tables(), measures, st.floats(0.05, 0.95), st.integers(0, 99))
def test_deleting_values_never_fails(table, measure, share, seed):
    ratings = un.Ratings.from_matrix(table)
    name, chosen = measure
    chosen = {key: value for key, value in chosen.items() if key != "missing"}
    if not ratings.n_ratings:
        return
    result = un.compare_policies(ratings, measure=name, shares=share, repeats=5, rng=seed, **chosen)
    for spread in result.spreads:
        assert 0 <= spread.n_undefined <= 5
        assert math.isnan(spread.mean) == (spread.n_undefined == 5)


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 200), min_size=1, max_size=12), st.integers(1, 5000))
def test_resamples_have_the_requested_size_and_existing_rows(times, size):
    times = np.array(times, dtype=np.int64)
    if not times.sum():
        return
    drawn = ItemDraws(times, 3, size=size).counts(0, 4)
    assert (drawn.sum(axis=1) == size).all()
    assert (drawn[:, times == 0] == 0).all()
    assert (drawn >= 0).all()


@settings(deadline=None, max_examples=60)
@given(tables(), measures, st.floats(0.05, 0.5), st.integers(0, 99))
def test_a_plan_has_a_number_within_its_interval_or_a_reason(table, measure, width, seed):
    name, chosen = measure
    ratings = un.Ratings.from_matrix(table)
    plan = un.plan_items(ratings, width=width, measure=name, resamples=40, rng=seed, **chosen)
    if plan.undefined:
        assert plan.needed is None
    else:
        assert plan.interval is not None
        assert plan.needed is not None
        assert plan.interval.low <= plan.needed <= plan.interval.high + 1
