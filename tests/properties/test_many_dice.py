"""The dice of many draws, rolled in columns, are the dice of each draw."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from unisono.measures.dice import Dice
from unisono.measures.many_dice import rolls_of_draws

NUMBERS = st.one_of(st.integers(0, 3), st.integers(2**32 - 2, 2**32 + 2), st.integers(0, 2**140))


@given(
    NUMBERS,
    st.lists(NUMBERS, max_size=4),
    st.integers(0, 2**32 - 6),
    st.integers(1, 5),
    st.integers(1, 40),
)
def test_dice_in_columns_are_those_of_numpy(seed, stream, first, count, each):
    rolled = rolls_of_draws(seed, tuple(stream), first, count, each)

    for row, draw in zip(rolled, range(first, first + count), strict=True):
        np.testing.assert_array_equal(row, Dice(seed, *stream, draw).roll(each))
