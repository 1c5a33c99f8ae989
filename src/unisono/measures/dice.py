"""Seeds and dice: one stream of random numbers for each draw, the same everywhere."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import SettingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from unisono.model.arrays import Floats

__all__ = ["Dice", "different", "fingerprint", "name_bytes", "seed_of", "words_of"]


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
    """Give a number as words of 32 bits, the lowest first, as seeds are mixed.

    Examples
    --------
    >>> words_of(2**32 + 7)
    array([7, 1], dtype=uint32)
    """
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
