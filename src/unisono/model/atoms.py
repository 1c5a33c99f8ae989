"""How long an atom is, the smallest part of a text that is looked at."""

from __future__ import annotations

import math

import numpy as np

from unisono.errors import SettingError

MOST_ATOMS = 2.0**53
"""Beyond, atoms cannot be counted one by one."""


def atom_length(atom: object) -> float:
    """Check what was said about the length of an atom.

    Parameters
    ----------
    atom
        The length; `None` for 1.

    Raises
    ------
    SettingError
        If it is not above 0.
    TypeError
        If it is no number.

    Examples
    --------
    >>> from unisono.model.atoms import atom_length
    >>> atom_length(None), atom_length(0.5)
    (1.0, 0.5)
    """
    if atom is None:
        return 1.0
    if isinstance(atom, bool) or not isinstance(atom, int | float | np.integer | np.floating):
        msg = f"an atom has a length, such as 0.5; got {atom!r} of type {type(atom).__name__}"
        raise TypeError(msg)
    if not (math.isfinite(atom) and atom > 0):
        msg = f"an atom has a length above 0, such as 0.5; got {atom}"
        raise SettingError(msg)
    return float(atom)
