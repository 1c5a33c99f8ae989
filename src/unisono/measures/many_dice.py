"""The dice of many draws at once: the numbers of `Dice`, rolled in columns.

A draw has a stream of its own, and starting a stream takes longer than aligning a short document.
So the two algorithms behind `Dice`, whose results numpy promises never to change, are written out
here for all draws together: the mixing of a seed by `numpy.random.SeedSequence`, and the generator
PCG64 of O'Neill (2014), 128 bits of state in two columns of 64.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from unisono.measures.fitted import Floats

    Wide = tuple[NDArray[np.uint64], NDArray[np.uint64]]

__all__ = ["rolls_of_draws"]

_POOL = 4
_WORD = 2**32
_MASK_32 = np.uint64(_WORD - 1)
_SHIFT_16 = np.uint32(16)
_SHIFT_32 = np.uint64(32)
_FACTOR = 0x931E8875
_LEFT, _RIGHT = 0xCA01F9DD, 0x4973F715
_MULTIPLIER = 2549297995355413924 << 64 | 4865540595714422341
_WIDTH = 2**128


def rolls_of_draws(seed: int, stream: tuple[int, ...], first: int, count: int, each: int) -> Floats:
    """Roll the dice of successive draws, whose streams differ in the last number only.

    Parameters
    ----------
    seed
        As for `Dice`.
    stream
        The numbers before that of the draw.
    first, count
        Which draws.
    each
        How many numbers for each.

    Returns
    -------
    ndarray
        A row a draw: what ``Dice(seed, *stream, draw).roll(each)`` gives.

    Examples
    --------
    >>> from unisono.measures.dice import Dice
    >>> rolled = rolls_of_draws(42, (1, 7), first=3, count=5, each=4)
    >>> bool((rolled[2] == Dice(42, 1, 7, 5).roll(4)).all())
    True
    """
    state, increment = _started(_pools(seed, stream, first, count))
    powers, sums = _steps(each)
    high, low = _plus(_times(state, powers), _times(increment, sums))
    # The output of PCG64: both halves mixed, turned by the six highest bits.
    mixed = high ^ low
    turn = high >> np.uint64(58)
    raw = mixed >> turn | mixed << (np.uint64(64) - turn & np.uint64(63))
    rolled: Floats = (raw >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return rolled


def _words(number: int) -> list[int]:
    words = [number % _WORD]
    while number := number // _WORD:
        words.append(number % _WORD)
    return words


def _constants(start: int, factor: int) -> Iterator[tuple[int, int]]:
    """Give what `SeedSequence` hashes with: a constant, and the next one."""
    while True:
        following = start * factor % _WORD
        yield start, following
        start = following


def _hashed(value: int, constants: Iterator[tuple[int, int]]) -> int:
    one, following = next(constants)
    value = (value ^ one) * following % _WORD
    return value ^ value >> 16


def _mixed(x: int, y: int) -> int:
    value = (x * _LEFT - y * _RIGHT) % _WORD
    return value ^ value >> 16


@lru_cache(maxsize=8)
def _mixed_seed(seed: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Mix a seed: the pool, words of the seed that are still to come, and the next constant."""
    entropy = _words(seed)
    entropy += [0] * (_POOL - len(entropy))
    constants = _constants(0x43B0D7E5, _FACTOR)
    pool = [_hashed(word, constants) for word in entropy[:_POOL]]
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                pool[target] = _mixed(pool[target], _hashed(pool[source], constants))
    return tuple(pool), tuple(entropy[_POOL:]), next(constants)[0]


def _pools(seed: int, stream: tuple[int, ...], first: int, count: int) -> NDArray[np.uint32]:
    """Mix a seed and the streams of draws: a column of four words for each draw."""
    mixed_seed, more, constant = _mixed_seed(seed)
    pool = list(mixed_seed)
    constants = _constants(constant, _FACTOR)
    for word in (*more, *(word for number in stream for word in _words(number))):
        for target in range(_POOL):
            pool[target] = _mixed(pool[target], _hashed(word, constants))
    # Up to here all draws are alike; the last word is the number of the draw.
    draws = np.arange(first, first + count).astype(np.uint32)
    hashed = _hashed_columns(draws, list(islice(constants, _POOL)))
    known = np.array(pool, np.uint32)[:, None] * np.uint32(_LEFT)
    mixed = known - hashed * np.uint32(_RIGHT)
    return np.asarray(mixed ^ mixed >> _SHIFT_16, np.uint32)


def _hashed_columns(
    values: NDArray[np.uint32], constants: list[tuple[int, int]]
) -> NDArray[np.uint32]:
    """Hash values, or rows of them, with a constant for each row."""
    one, following = np.array(constants, np.uint32).T[:, :, None]
    hashed = (values ^ one) * following
    return np.asarray(hashed ^ hashed >> _SHIFT_16, np.uint32)


def _started(pool: NDArray[np.uint32]) -> tuple[Wide, Wide]:
    """Give the first state of each generator and its increment, one row a draw."""
    words = _hashed_columns(np.vstack((pool, pool)), _OF_STATES).astype(np.uint64)
    a, b, c, d = (words[::2] | words[1::2] << _SHIFT_32)[:, :, None]
    one = np.uint64(1)
    increment = (c << one | d >> np.uint64(63), d << one | one)
    return _plus(increment, (a, b)), increment


_OF_STATES = list(islice(_constants(0x8B51F9DD, 0x58F38DED), 2 * _POOL))


@lru_cache(maxsize=64)
def _steps(each: int) -> tuple[Wide, Wide]:
    """Give the powers of the multiplier, and their sums, that lead to each of the next states."""
    power, total = _MULTIPLIER, 1
    powers, sums = [], []
    for _ in range(each):
        # The state is set before the first step, and one step is made before any output.
        total = (total * _MULTIPLIER + 1) % _WIDTH
        power = power * _MULTIPLIER % _WIDTH
        powers.append(power)
        sums.append(total)
    return _wide(powers), _wide(sums)


def _wide(numbers: list[int]) -> Wide:
    high = np.array([number >> 64 for number in numbers], np.uint64)
    return high, np.array([number % 2**64 for number in numbers], np.uint64)


def _plus(a: Wide, b: Wide) -> Wide:
    low = a[1] + b[1]
    return a[0] + b[0] + (low < b[1]).astype(np.uint64), low


def _times(a: Wide, b: Wide) -> Wide:
    """Multiply modulo 2¹²⁸, a column by a row."""
    a0, a1 = a[1] & _MASK_32, a[1] >> _SHIFT_32
    b0, b1 = b[1] & _MASK_32, b[1] >> _SHIFT_32
    middle = a1 * b0 + (a0 * b0 >> _SHIFT_32)
    other = a0 * b1 + (middle & _MASK_32)
    carried = a1 * b1 + (middle >> _SHIFT_32) + (other >> _SHIFT_32)
    return carried + a[0] * b[1] + a[1] * b[0], a[1] * b[1]
