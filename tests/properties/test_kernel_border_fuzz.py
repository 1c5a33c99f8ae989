"""Whatever arrays cross the border to the kernel: a whole answer or a plain error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import event, given
from hypothesis import strategies as st

from unisono._core import align, edit_distances, edit_rows, make_draws, measure_documents

REFUSALS = (TypeError, ValueError)
CLOSE = 1e-9
LABELS = 3

# A few round numbers make ties and twins; the rest is what must never get in, or hardly fits.
positions = st.one_of(
    st.integers(-4, 24).map(lambda half: half / 2),
    st.floats(-50, 50),
    st.sampled_from([-1e12, 1e-300, 1e15]),
)
broken = st.sampled_from([math.nan, math.inf, -math.inf, -1.0, 1e308, -1e308])
weights = st.one_of(st.sampled_from([0.0, 1e-9, 1.0, 3.0, 1e9]), st.floats(0, 10))
powers = st.sampled_from([0.25, 1.0, 2.0, 3.0, 40.0])
# Small ones send the same arrays through every limit of work.
efforts = st.sampled_from([1e-9, 1e-6, 1e-3, 1.0])
wrong_numbers = st.one_of(broken, st.sampled_from([0.0, "1", None]))
dtypes = st.sampled_from([np.float64, np.float32, np.int64, np.int32, np.uint8, object])


@st.composite
def unit_columns(draw: st.DrawFn, least_parts: int) -> dict[str, Any]:
    """Columns of units that the kernel takes, cut into parts."""
    counts = draw(st.lists(st.integers(0, 4), min_size=least_parts, max_size=6))
    bounds = draw(
        st.lists(st.tuples(positions, positions), min_size=sum(counts), max_size=sum(counts))
    )
    codes = st.lists(st.integers(0, LABELS - 1), min_size=len(bounds), max_size=len(bounds))
    return {
        "starts": np.array([min(pair) for pair in bounds], np.float64),
        "ends": np.array([max(pair) for pair in bounds], np.float64),
        "labels": np.array(draw(codes), np.int32),
        "offsets": np.cumsum([0, *counts], dtype=np.int64),
    }


@st.composite
def scoring(draw: st.DrawFn) -> dict[str, Any]:
    """How to score, with a symmetric table of distances or without."""
    table = np.empty((0, 0))
    if draw(st.booleans()):
        distances = st.sampled_from([0.0, 0.25, 1.0, 7.0, math.inf])
        drawn = draw(st.lists(distances, min_size=LABELS**2, max_size=LABELS**2))
        half = np.triu(np.array(drawn).reshape(LABELS, LABELS), 1)
        table = np.maximum(half, half.T)
    return {
        "distances": table,
        "label_count": LABELS,
        "position": draw(weights),
        "label": draw(weights),
        "power": draw(powers),
        "confidence_factor": draw(weights),
        "effort": draw(efforts),
        "soft": draw(st.booleans()),
        "gap_tolerance": draw(st.sampled_from([0.0, 0.01, 0.5])),
        "time_limit": draw(st.sampled_from([0.0, math.inf])),
    }


@st.composite
def plans(draw: st.DrawFn) -> dict[str, Any]:
    """Voices and the draws made of them."""
    columns = draw(unit_columns(1))
    offsets = columns.pop("offsets")
    voices = len(offsets) - 1
    shape = draw(st.tuples(st.integers(0, 3), st.integers(2, 4)))
    size = shape[0] * shape[1]
    picks = draw(st.lists(st.integers(0, voices - 1), min_size=size, max_size=size))
    shifts = draw(st.lists(st.floats(0, 60), min_size=size, max_size=size))
    extents = st.sampled_from([0.0, 0.5, 12.0, 1e6])
    lengths = st.lists(st.floats(-1, 30), min_size=shape[0], max_size=shape[0])
    return {
        **columns,
        "voice_offsets": offsets,
        "voice_origin": np.array(draw(st.lists(positions, min_size=voices, max_size=voices))),
        "voice_extent": np.array(draw(st.lists(extents, min_size=voices, max_size=voices))),
        "picks": np.array(picks, np.int32).reshape(shape),
        "shifts": np.array(shifts, np.float64).reshape(shape),
        "tiled_to": np.array(draw(lengths) if draw(st.booleans()) else [], np.float64),
    }


@st.composite
def pair_columns(draw: st.DrawFn, n_units: int) -> tuple[np.ndarray, ...]:
    """Pairs by their rows, some of them of one annotator, given twice or of nobody."""
    rows = st.integers(-1, n_units) if draw(st.booleans()) else st.integers(0, max(0, n_units - 1))
    costs = st.one_of(st.sampled_from([0.0, 0.5, 1e9, math.inf]), broken)
    drawn = draw(st.lists(st.tuples(rows, rows, costs), max_size=5))
    first, second, cost = ([pair[at] for pair in drawn] for at in range(3))
    return np.array(first, np.int64), np.array(second, np.int64), np.array(cost, np.float64)


def _damaged_array(draw: st.DrawFn, array: np.ndarray) -> Any:
    kind = draw(st.sampled_from(["value", "value", "value", "size", "order", "shape", "dtype"]))
    if kind == "value" and array.size:
        copy = array.copy()
        wrong = broken if array.dtype == np.float64 else st.integers(-3, 9)
        copy.flat[draw(st.integers(0, array.size - 1))] = draw(wrong)
        return copy
    if kind == "size":
        return draw(st.sampled_from([array[:0], array[:-1], np.concatenate([array, array])])).copy()
    if kind == "order":
        return array[::-1].copy()
    if kind == "shape":
        return draw(st.sampled_from([array[None], array.ravel(), array.T, array[::-1], None]))
    with np.errstate(all="ignore"):
        return array.astype(draw(dtypes))


@st.composite
def damaged(draw: st.DrawFn, arguments: dict[str, Any]) -> dict[str, Any]:
    """The same arguments, with none, one or two of them spoilt."""
    names = st.lists(st.sampled_from(sorted(arguments)), max_size=2, unique=True)
    spoilt = dict(arguments)
    for name in draw(names):
        value = spoilt[name]
        if isinstance(value, np.ndarray):
            spoilt[name] = _damaged_array(draw, value)
        elif isinstance(value, float):
            spoilt[name] = draw(wrong_numbers)
        else:
            spoilt[name] = draw(st.sampled_from([-1, 0, 2, LABELS + 1, 1.5, None]))
    return spoilt


def check_groups(groups: np.ndarray, offsets: np.ndarray, *, soft: bool) -> None:
    """Every row is in one group (soft: or more), in its annotator's column; none is empty."""
    assert groups.shape[1] == len(offsets) - 1
    assert (groups >= 0).any(axis=1).all()
    for place in range(len(offsets) - 1):
        rows = groups[:, place]
        expected = range(int(offsets[place]), int(offsets[place + 1]))
        taken = rows[rows >= 0].tolist()
        assert sorted(set(taken) if soft else taken) == list(expected)


def check_bound(bound: float, disorder: float) -> None:
    assert math.isfinite(bound)
    assert math.isfinite(disorder)
    assert 0.0 <= bound <= disorder + CLOSE * max(1.0, disorder)


@given(st.data())
def test_align_answers_in_full_or_refuses(data):
    arguments = data.draw(damaged({**data.draw(unit_columns(2)), **data.draw(scoring())}))
    try:
        found = align(**arguments)
    except REFUSALS as refusal:
        event(type(refusal).__name__)
        return
    event("proven" if found["proven"] else "not proven")
    check_groups(found["groups"], arguments["offsets"], soft=bool(arguments["soft"]))
    assert found["disorders"].shape == (len(found["groups"]),)
    assert np.isfinite(found["disorders"]).all()
    check_bound(found["lower_bound"], float(found["disorders"].sum()))
    assert found["label_disorder_of"].shape == (arguments["label_count"],)
    assert not np.isnan(found["label_weight_of"]).any()


@given(st.data())
def test_align_takes_any_pairs_or_refuses(data):
    columns = data.draw(unit_columns(2))
    settings = data.draw(scoring())
    given_pairs: Any = data.draw(pair_columns(len(columns["starts"])))
    try:
        found = align(**columns, **settings, pairs=given_pairs)
    except REFUSALS as refusal:
        event(type(refusal).__name__)
        return
    # The disorders are those of the formula, which these pairs need not follow.
    check_groups(found["groups"], columns["offsets"], soft=settings["soft"])
    assert math.isfinite(found["lower_bound"])
    assert found["lower_bound"] <= len(columns["starts"]) + CLOSE


@given(st.data())
def test_documents_answer_in_full_or_refuse(data):
    columns, numbers = data.draw(unit_columns(2)), data.draw(scoring())
    offsets, size = columns.pop("offsets"), len(columns["starts"])
    pairs: Any = None
    if data.draw(st.booleans()):
        given_pairs = data.draw(pair_columns(size))
        pairs = (np.array([len(given_pairs[0])]), *given_pairs)
        pairs = tuple(data.draw(damaged(dict(zip("abcd", pairs, strict=True)))).values())
    whole = {
        **columns,
        "counts": np.diff(offsets),
        "is_drawn_from": np.ones(len(offsets) - 1, np.bool_),
        "annotators_of": np.array([len(offsets) - 1]),
        "labels_of": np.array([LABELS]),
        "codes": np.arange(LABELS, dtype=np.int32),
        "low": np.array([data.draw(positions)]),
        "high": np.array([data.draw(positions)]),
        "spacing": np.zeros(1),
        "stream": np.zeros(1, np.uint32),
        "aligns": np.array([True]),
        "first": np.zeros(1, np.int64),
        "draws": np.array([data.draw(st.integers(0, 2))]),
        "seed": np.ones(1, np.uint32),
        **numbers,
        "effort_of_draws": 1.0,
        "stream_of_shifts": 1,
        "whole_shifts": data.draw(st.booleans()),
    }
    try:
        found = measure_documents(**data.draw(damaged(whole)), pairs=pairs)
    except REFUSALS as refusal:
        event(type(refusal).__name__)
        return
    documents, draws = len(found["groups_of"]), found["draws"]
    assert found["proven"].shape == found["work"].shape == (documents,)
    assert len(found["disorders"]) == np.maximum(found["groups_of"], 0).sum()
    assert np.isfinite(found["disorders"]).all() or pairs is not None
    for bound, disorder in zip(draws["lower_bound"], draws["disorder_sum"], strict=True):
        check_bound(float(bound), float(disorder))


@given(st.data())
def test_make_draws_answers_in_full_or_refuses(data):
    arguments = data.draw(damaged(data.draw(plans())))
    try:
        starts, ends, labels, counts = make_draws(**arguments)
    except REFUSALS as refusal:
        event(type(refusal).__name__)
        return
    assert len(starts) == len(ends) == len(labels) == counts.sum()
    assert len(counts) == arguments["picks"].size
    assert (counts >= 0).all()
    assert set(labels.tolist()) <= set(arguments["labels"].tolist())
    assert np.isfinite(starts).all()
    assert np.isfinite(ends).all()
    assert (starts <= ends).all()


@st.composite
def text_columns(draw: st.DrawFn) -> dict[str, Any]:
    """Texts as the kernel takes them."""
    lengths = draw(st.lists(st.sampled_from([0, 1, 3, 64, 65, 130]), min_size=1, max_size=4))
    size = sum(lengths)
    drawn = draw(st.lists(st.integers(0, LABELS - 1), min_size=size, max_size=size))
    return {
        "characters": np.array(drawn, np.int32),
        "offsets": np.cumsum([0, *lengths], dtype=np.int64),
        "alphabet": LABELS,
    }


@given(st.data())
def test_edit_distances_answer_in_full_or_refuse(data):
    texts = data.draw(text_columns())
    numbers = st.integers(-1, len(texts["offsets"]) - 1)
    pairs = np.array(data.draw(st.lists(st.tuples(numbers, numbers), max_size=4)), np.int64)
    pairs = pairs.reshape(-1, 2).T.copy()
    arguments = data.draw(damaged({**texts, "left": pairs[0], "right": pairs[1]}))
    try:
        distances = edit_distances(**arguments)
    except REFUSALS as refusal:
        event(type(refusal).__name__)
        return
    assert distances.shape == arguments["left"].shape
    assert ((distances >= 0.0) & (distances <= 1.0)).all()


@given(st.data())
def test_edit_rows_answer_in_full_or_refuse(data):
    texts = data.draw(text_columns())
    count = len(texts["offsets"]) - 1
    first, last = data.draw(st.integers(-1, count)), data.draw(st.integers(0, count + 1))
    arguments = data.draw(damaged({**texts, "first": first, "last": last}))
    try:
        distances = edit_rows(**arguments)
    except REFUSALS as refusal:
        event(type(refusal).__name__)
        return
    first, count = arguments["first"], len(arguments["offsets"]) - 1
    assert distances.shape == (arguments["last"] - first, count - first)
    assert ((distances >= 0.0) & (distances <= 1.0)).all()
