"""Random numbers are identical on all platforms; seeds follow one rule."""

from __future__ import annotations

import hashlib
import itertools
import struct
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.errors import SettingError
from unisono.measures.sampling import Dice, different, fingerprint, seed_of

# The first raw numbers of PCG64 seeded by SeedSequence(42, spawn_key=(1, 7)).
RAW = (16382755290857984220, 8583210489701733372, 14834049485761180786)


def middles(count: int) -> list[float]:
    """Return the midpoints of `count` equal parts of [0, 1)."""
    return [(i + 0.5) / count for i in range(count)]


# Streams


def test_a_stream_is_golden():
    golden = ["0x1.c6b67a46637bap-1", "0x1.dc76c1dbbc504p-2", "0x1.9bba42d386b8ep-1"]
    assert [uniform.hex() for uniform in Dice(42, 1, 7).roll(3).tolist()] == golden


def test_uniforms_are_the_upper_53_bits_of_the_raw_numbers():
    assert Dice(42, 1, 7).roll(3).tolist() == [(raw >> 11) / 2**53 for raw in RAW]


def test_dice_continue_their_stream():
    dice = Dice(42, 1, 7)
    rolled = [*dice.roll(1), *dice.roll(2)]
    assert rolled == Dice(42, 1, 7).roll(3).tolist()


@pytest.mark.parametrize("other", [Dice(43, 1, 7), Dice(42, 2, 7), Dice(42, 1, 8), Dice(42, 1)])
def test_every_number_of_a_stream_counts(other):
    assert other.roll(3).tolist() != Dice(42, 1, 7).roll(3).tolist()


@pytest.mark.parametrize(("raw", "uniform"), [(0, 0.0), (2**64 - 1, 1.0 - 2.0**-53)])
def test_uniforms_begin_at_0_and_stay_below_1(monkeypatch, raw, uniform):
    dice = Dice(0)
    bits = SimpleNamespace(random_raw=lambda count: np.full(count, raw, np.uint64))
    monkeypatch.setattr(dice, "_bits", bits)
    assert dice.roll(1).tolist() == [uniform]


# Distinct numbers


@pytest.mark.parametrize(("count", "chosen"), [(1, 1), (4, 1), (4, 2), (5, 3), (4, 4)])
def test_every_order_of_different_numbers_comes_from_an_equal_share_of_the_dice(count, chosen):
    uniforms = itertools.product(*(middles(count - already) for already in range(chosen)))
    found = sorted(tuple(different(np.array(rolled), count).tolist()) for rolled in uniforms)
    assert found == list(itertools.permutations(range(count), chosen))


@given(st.lists(st.floats(0.0, 1.0, exclude_max=True), max_size=20), st.integers(0, 50))
def test_chosen_numbers_are_different_and_below_the_count(uniforms, more):
    count = len(uniforms) + more
    chosen = different(np.array(uniforms), count).tolist()
    assert len(set(chosen)) == len(uniforms)
    assert set(chosen) <= set(range(count))


# Fingerprints


def test_a_fingerprint_is_of_little_endian_whole_numbers():
    packed = struct.pack("<5q", 1, 2, 0, 1, 0)
    expected = int.from_bytes(hashlib.sha256(packed).digest()[:4], "little")
    assert fingerprint(np.array([1, 2]), np.array([0, 1, 0])) == expected == 4108657927


@pytest.mark.parametrize("dtype", ["<i4", ">i4", ">i8", "u1"])
def test_a_fingerprint_does_not_depend_on_how_numbers_are_stored(dtype):
    assert fingerprint(np.array([1, 2], dtype)) == fingerprint(np.array([1, 2], "<i8"))


def test_a_fingerprint_depends_on_the_numbers_and_their_order():
    found = {fingerprint(np.array(numbers)) for numbers in ([1, 2], [2, 1], [1, 3], [1, 2, 0])}
    assert len(found) == 4


def test_a_name_joins_a_fingerprint():
    packed = struct.pack("<2q", 1, 0) + "é".encode()
    expected = int.from_bytes(hashlib.sha256(packed).digest()[:4], "little")
    columns = np.array([1]), np.array([0])

    assert fingerprint(*columns, name="é") == expected
    assert fingerprint(*columns, name="") == fingerprint(*columns) != expected
    assert fingerprint(*columns, name="a\ud800") != fingerprint(*columns, name="a")


# Seeds


@pytest.mark.parametrize("rng", [0, 42, 2**80, np.int64(42), np.uint8(3)])
def test_a_whole_number_is_its_own_seed(rng):
    assert seed_of(rng) == int(rng)
    assert type(seed_of(rng)) is int


def test_a_generator_gives_one_number_and_moves_on():
    rng, same = np.random.default_rng(5), np.random.default_rng(5)
    expected = [int(same.integers(2**63)) for _ in range(2)]
    assert [seed_of(rng), seed_of(rng)] == expected
    assert expected[0] != expected[1]


def test_none_takes_a_seed_from_the_system():
    seeds = {seed_of(None) for _ in range(20)}
    assert len(seeds) > 1
    assert all(0 <= seed < 2**32 for seed in seeds)


@pytest.mark.parametrize("rng", [True, 1.0, "42", np.float64(2), np.random.RandomState(1)])
def test_a_seed_of_another_type_is_a_type_error(rng):
    with pytest.raises(TypeError, match="rng must be an integer, a numpy Generator or None, got"):
        seed_of(rng)


@pytest.mark.parametrize("rng", [-1, np.int32(-7)])
def test_a_negative_seed_is_refused(rng):
    with pytest.raises(SettingError, match=f"0 or more, got {rng}"):
        seed_of(rng)
