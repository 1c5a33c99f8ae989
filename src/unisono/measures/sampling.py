"""Random numbers: seeds, streams and samples of items."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.model.arrays import Floats

__all__ = [
    "Dice",
    "ItemDraws",
    "blocks",
    "different",
    "fingerprint",
    "name_bytes",
    "seed_of",
    "words_of",
]


def seed_of(rng: int | np.random.Generator | None) -> int:
    """Return the seed for `rng`, an integer that a signature can contain."""
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(rng, np.random.Generator):
        # Of 32-bit seeds, two of 80,000 would probably be equal.
        return int(rng.integers(2**63))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer):
        msg = f"rng must be an integer, a numpy Generator or None, got {type(rng).__name__}"
        raise TypeError(msg)
    if rng < 0:
        msg = f"a seed must be an integer of 0 or more, got {rng}"
        raise SettingError(msg)
    return int(rng)


class Dice:
    """The uniform random numbers of one draw, identical on all platforms and NumPy versions.

    NumPy guarantees stability only for the seeding and the raw bits of PCG64, so uniform numbers
    are computed from these bits here.
    """

    def __init__(self, seed: int, *stream: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=stream))

    def bits(self, count: int) -> NDArray[np.uint64]:
        """Return the next integers of 64 random bits."""
        return self._bits.random_raw(count)

    def roll(self, count: int) -> Floats:
        """Return the next uniform numbers in [0, 1)."""
        raw = self._bits.random_raw(count)
        return (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def below(self, limit: int, count: int) -> NDArray[np.int64]:
        """Return the next integers in [0, limit), for a limit of at most 2²⁴."""
        raw = self._bits.random_raw(count)
        # With 40 random bits, probabilities are equal up to a relative difference of 2⁻¹⁶.
        raw >>= np.uint64(24)
        raw *= np.uint64(limit)
        raw >>= np.uint64(40)
        return raw.view(np.int64)


def words_of(number: int) -> NDArray[np.uint32]:
    """Return a number as 32-bit words, the lowest first, as `SeedSequence` expects them."""
    n_bytes = 4 * max(1, -(-number.bit_length() // 32))
    return np.frombuffer(number.to_bytes(n_bytes, "little"), "<u4").astype(np.uint32)


def fingerprint(*columns: NDArray[np.integer[Any]], name: str = "") -> int:
    """Return a 32-bit digest of integer columns and a name, identical on all platforms."""
    little_endian = (column.astype("<i8").tobytes() for column in columns)
    digest = hashlib.sha256(b"".join((*little_endian, name_bytes(name)))).digest()
    return int.from_bytes(digest[:4], "little")


def name_bytes(name: str) -> bytes:
    """Return the bytes of a document's name for its `fingerprint`."""
    return name.encode("utf-8", "surrogatepass")


def different(uniforms: Floats, count: int) -> NDArray[np.int64]:
    """Return distinct integers below `count` in random order, one for each uniform number."""
    chosen: list[int] = []
    for already, uniform in enumerate(uniforms.tolist()):
        number = int(uniform * (count - already))
        for taken in sorted(chosen):
            number += number >= taken
        chosen.append(number)
    return np.array(chosen)


# The maximum number of values in memory at a time: 16 MB of floats.
_BLOCK = 2**21
# Rows with fewer items are drawn together, item by item, which is faster than multinomially.
_FEW_ITEMS = 16


class ItemDraws:
    """Bootstrap resamples of items, as counts of the distinct rows.

    Each resample has a stream of its own, so it does not depend on the resamples computed with it.
    NumPy guarantees that the numbers of `RandomState` never change (NEP 19); those of its
    generators may.
    """

    def __init__(
        self, times: NDArray[np.int64], seed: int, *stream: int, size: int | None = None
    ) -> None:
        total = int(times.sum())
        self.rows = len(times)
        self.size = total if size is None else size
        self._seed, self._stream = seed, stream
        self._large = np.flatnonzero(times >= _FEW_ITEMS)
        self._small = np.flatnonzero((times > 0) & (times < _FEW_ITEMS))
        self._small_items = np.repeat(np.arange(len(self._small)), times[self._small])
        # The small rows are drawn as one row, the last.
        of_small = [len(self._small_items)] if len(self._small) else []
        self._shares = np.concatenate((times[self._large], of_small)) / total

    def counts(self, first: int, count: int) -> Floats:
        """Return the counts of `count` resamples from `first` on: resamples × rows."""
        drawn = np.zeros((count, self.rows))
        n_large, n_small = len(self._large), len(self._small)
        for i in range(count):
            seeds = np.random.SeedSequence(self._seed, spawn_key=(*self._stream, first + i))
            state = np.random.RandomState(np.random.PCG64(seeds))
            numbers = state.multinomial(self.size, self._shares)
            drawn[i, self._large] = numbers[:n_large]
            if n_small:
                places = state.randint(0, len(self._small_items), numbers[-1], dtype=np.int64)
                drawn[i, self._small] = np.bincount(self._small_items[places], minlength=n_small)
        return drawn


def blocks(count: int, rows: int, *, at_once: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield blocks of resamples (first, number), each with at most `at_once` values."""
    numbers = _BLOCK if at_once is None else at_once
    step = max(1, min(count, numbers // max(rows, 1)))
    for first in range(0, count, step):
        yield first, min(step, count - first)
