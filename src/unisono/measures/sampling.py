"""Random numbers: seeds, streams, and samples of items."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unisono.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    """Return the seed that `rng` stands for, a whole number that can be written down."""
    if rng is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if isinstance(rng, np.random.Generator):
        # 32 bits would repeat within some 80,000 calls.
        return int(rng.integers(2**63))
    if isinstance(rng, bool) or not isinstance(rng, int | np.integer):
        msg = f"rng is a whole number, a numpy Generator or None, got {type(rng).__name__}"
        raise TypeError(msg)
    if rng < 0:
        msg = f"a seed is a whole number of 0 or more, got {rng}"
        raise SettingError(msg)
    return int(rng)


class Dice:
    """Uniform numbers of one draw, the same on every platform and with every numpy.

    Only the seeding and the raw bits of PCG64 are promised never to change, so the uniforms are
    made here.
    """

    def __init__(self, seed: int, *stream: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=stream))

    def bits(self, count: int) -> NDArray[np.uint64]:
        """Give the next whole numbers, all 64 bits of them random."""
        return self._bits.random_raw(count)

    def roll(self, count: int) -> Floats:
        """Give the next numbers, from 0 up to but not 1."""
        raw = self._bits.random_raw(count)
        return (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def below(self, limit: int, count: int) -> NDArray[np.int64]:
        """Give the next whole numbers from 0 up to but not `limit`, which is 2²⁴ at most."""
        raw = self._bits.random_raw(count)
        # 40 random bits times 24: some numbers are likelier than others by a part in 2¹⁶ at most.
        raw >>= np.uint64(24)
        raw *= np.uint64(limit)
        raw >>= np.uint64(40)
        return raw.view(np.int64)


def words_of(number: int) -> NDArray[np.uint32]:
    """Give a number as words of 32 bits, the lowest first, as seeds are mixed."""
    n_bytes = 4 * max(1, -(-number.bit_length() // 32))
    return np.frombuffer(number.to_bytes(n_bytes, "little"), "<u4").astype(np.uint32)


def fingerprint(*columns: NDArray[np.integer[Any]], name: str = "") -> int:
    """Return one word for columns of whole numbers and a name, the same on every platform."""
    little_endian = (column.astype("<i8").tobytes() for column in columns)
    digest = hashlib.sha256(b"".join((*little_endian, name_bytes(name)))).digest()
    return int.from_bytes(digest[:4], "little")


def name_bytes(name: str) -> bytes:
    """Return the bytes by which the name of a document enters its `fingerprint`."""
    return name.encode("utf-8", "surrogatepass")


def different(uniforms: Floats, count: int) -> NDArray[np.int64]:
    """Choose as many different numbers below `count` as there are uniforms, in random order."""
    chosen: list[int] = []
    for already, uniform in enumerate(uniforms.tolist()):
        number = int(uniform * (count - already))
        for taken in sorted(chosen):
            number += number >= taken
        chosen.append(number)
    return np.array(chosen)


_Counts: TypeAlias = NDArray[np.int64]
# Below this mean the gaps between successes are drawn, above it the number itself by rejection:
# Hörmann's bounds hold from 10 on.
_FEW = 10.0
_HALF_LOG_OF_TWO_PI = 0.5 * math.log(2.0 * math.pi)


def binomials(trials: _Counts, share: Floats, dice: Sequence[Dice]) -> _Counts:
    """Draw how many of `trials` succeed, exactly, one row of trials for each of the dice.

    Notes
    -----
    Few successes are counted by their gaps, which are geometric [1]_; many are drawn by
    the transformed rejection of [2]_ (algorithm BTRS). Made here and not by numpy's generators,
    whose numbers may change from one version to the next.

    References
    ----------
    .. [1] Devroye, L. (1986). Non-uniform random variate generation. Springer.
    .. [2] Hörmann, W. (1993). The generation of binomial random variates. Journal of Statistical
       Computation and Simulation 46(1–2).
    """
    # The rarer of success and failure is what is drawn.
    rarer = np.broadcast_to(np.minimum(share, 1.0 - share), trials.shape)
    mean = trials * rarer
    drawn = np.zeros(trials.shape, dtype=np.int64)
    few = (mean > 0.0) & (mean < _FEW)
    if few.any():
        drawn[few] = _by_gaps(trials[few], rarer[few], _Rolls(dice, few))
    many = mean >= _FEW
    if many.any():
        drawn[many] = _by_rejection(trials[many], rarer[many], _Rolls(dice, many))
    return np.where(share > 0.5, trials - drawn, drawn)


class _Rolls:
    """Uniform numbers for the cells of a mask that still need some, from each row's own dice."""

    def __init__(self, dice: Sequence[Dice], mask: NDArray[np.bool_]) -> None:
        self._dice = dice
        self._rows = np.nonzero(mask)[0]

    def __call__(self, cells: NDArray[np.int64], times: int = 1) -> Floats:
        needed = np.bincount(self._rows[cells], minlength=len(self._dice)) * times
        rolled = [dice.roll(int(n)) for dice, n in zip(self._dice, needed, strict=True) if n]
        return np.concatenate(rolled).reshape(len(cells), times)


def _by_gaps(trials: _Counts, share: Floats, roll: _Rolls) -> _Counts:
    successes = np.zeros(len(trials), dtype=np.int64)
    left = trials.astype(np.float64)
    log_failure = np.log1p(-share)
    cells = np.arange(len(trials))
    while len(cells):
        # 1 − u, because a roll may be 0 but never 1.
        gap = np.floor(np.log(1.0 - roll(cells)[:, 0]) / log_failure[cells]) + 1.0
        left[cells] -= gap
        cells = cells[left[cells] >= 0.0]
        successes[cells] += 1
    return successes


def _by_rejection(trials: _Counts, share: Floats, roll: _Rolls) -> _Counts:
    # The names are those of Hörmann (1993), algorithm BTRS.
    n, p = trials.astype(np.float64), share
    deviation = np.sqrt(n * p * (1.0 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = n * p + 0.5
    alpha = (2.83 + 5.1 / b) * deviation
    v_r = 0.92 - 4.2 / b
    drawn = np.zeros(len(trials), dtype=np.int64)
    cells = np.arange(len(trials))
    while len(cells):
        rolled = roll(cells, times=2)
        u, v = rolled[:, 0] - 0.5, 1.0 - rolled[:, 1]
        us = np.maximum(0.5 - np.abs(u), 2.0**-54)
        k = np.floor((2.0 * a[cells] / us + b[cells]) * u + c[cells])
        taken = (us >= 0.07) & (v <= v_r[cells])
        # Most are taken at once; for the others the density is needed.
        doubtful = np.nonzero(~taken & (k >= 0.0) & (k <= n[cells]))[0]
        of = cells[doubtful]
        height = v[doubtful] * alpha[of] / (a[of] / us[doubtful] ** 2 + b[of])
        taken[doubtful] = np.log(height) <= _log_density(k[doubtful], n[of], p[of])
        drawn[cells[taken]] = k[taken].astype(np.int64)
        cells = cells[~taken]
    return drawn


def _log_density(k: Floats, n: Floats, p: Floats) -> Floats:
    """Give the logarithm of the probability of k, relative to that of the mode."""
    mode = np.floor((n + 1.0) * p)
    at_mode = _log_factorial(mode) + _log_factorial(n - mode)
    ways = at_mode - _log_factorial(k) - _log_factorial(n - k)
    return ways + (k - mode) * np.log(p / (1.0 - p))


def _log_factorial(k: Floats) -> Floats:
    # Stirling's series, whose next term is below 1e-10 from 10 on; small ones from a table.
    following = k + 1.0
    square = following**2
    tail = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / following
    series = (k + 0.5) * np.log(following) - following + _HALF_LOG_OF_TWO_PI + tail
    table = _SMALL[np.minimum(k, len(_SMALL) - 1).astype(np.int64)]
    return np.where(k < len(_SMALL), table, series)


_SMALL = np.array([math.log(math.factorial(k)) for k in range(16)])
# Numbers that stand in memory at once: 16 MB as floats.
_BLOCK = 2**21
# Up to so many draws of a row it is quicker to draw items one by one.
_ONE_BY_ONE = 32.0
# Up to so many items a list of the row of each is kept; otherwise rows are searched for.
_LISTED = 2**24
# Items that are drawn in one go: few enough that they stay close to the processor.
_AT_ONCE = 2**14


class ItemDraws:
    """Draws of items with replacement, as counts of the rows they look like.

    Resample i uses dice of its own, so it is the same whichever others are made with it. Rows that
    are drawn often get their count from binomial numbers, halving the rows again and again; the
    items of the other rows are drawn one by one.
    """

    def __init__(
        self,
        times: NDArray[np.int64],
        seed: int,
        *stream: int,
        size: int | None = None,
        most_listed: int = _LISTED,
    ) -> None:
        self.rows = len(times)
        self.size = int(times.sum()) if size is None else size
        self._seed, self._stream = seed, stream
        often = times * (self.size / max(int(times.sum()), 1)) >= _ONE_BY_ONE
        self._often = np.nonzero(often)[0]
        self._seldom = np.nonzero(~often & (times > 0))[0]
        self._ends = np.cumsum(times[self._seldom])
        self._items: NDArray[np.int64] | None = None
        items = int(self._ends[-1]) if len(self._ends) else 0
        self._can_be_listed = items <= most_listed
        if self._can_be_listed and items > len(self._seldom):
            self._items = np.repeat(self._seldom, times[self._seldom])
        # A binary tree: the rows drawn often, and one leaf for all the others together.
        leaves = np.append(times[self._often], items)
        width = 1 << (len(leaves) - 1).bit_length()
        level = np.zeros(width)
        level[: len(leaves)] = leaves
        self._shares: list[NDArray[np.float64]] = []
        while len(level) > 1:
            pairs = level.reshape(-1, 2)
            level = pairs.sum(axis=1)
            left = np.divide(pairs[:, 0], level, out=np.zeros(len(level)), where=level > 0)
            self._shares.insert(0, left)

    def counts(self, first: int, count: int) -> NDArray[np.float64]:
        """Give resamples × rows, of the resamples from `first` on."""
        dice = [Dice(self._seed, *self._stream, first + i) for i in range(count)]
        drawn = np.zeros((count, self.rows))
        nodes = np.full((count, 1), self.size, dtype=np.int64)
        for share in self._shares:
            left = binomials(nodes, share, dice)
            nodes = np.stack([left, nodes - left], axis=2).reshape(count, -1)
        often = len(self._often)
        drawn[:, self._often] = nodes[:, :often]
        for i, left in enumerate(nodes[:, often].tolist()):
            for done in range(0, left, _AT_ONCE):
                np.add.at(drawn[i], self._some_rows(dice[i], min(_AT_ONCE, left - done)), 1.0)
        return drawn

    def _some_rows(self, dice: Dice, count: int) -> NDArray[np.int64]:
        items = int(self._ends[-1])
        if not self._can_be_listed:
            places = np.minimum((dice.roll(count) * items).astype(np.int64), items - 1)
            return self._seldom[np.searchsorted(self._ends, places, side="right")]
        places = dice.below(items, count)
        return self._seldom[places] if self._items is None else self._items[places]


def blocks(count: int, rows: int, *, at_once: int | None = None) -> Iterator[tuple[int, int]]:
    """Cut resamples into blocks (first, how many) of at most so many numbers at once."""
    numbers = _BLOCK if at_once is None else at_once
    step = max(1, min(count, numbers // max(rows, 1)))
    for first in range(0, count, step):
        yield first, min(step, count - first)
