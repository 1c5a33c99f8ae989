"""Values of a result as plain data: what JSON can carry."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias

from unisono.model.labels import label_order, label_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unisono.model.labels import Label


PlainLabel: TypeAlias = str | int | float | list[str | int | float] | None


def as_number(value: object, name: str) -> float:
    """Give a number as a float.

    Parameters
    ----------
    value
        What was given.
    name
        What it is called.

    Raises
    ------
    TypeError
        It is no number.

    Examples
    --------
    >>> from unisono.results.record import as_number
    >>> as_number(1, "low")
    1.0
    """
    if isinstance(value, str | bytes):
        msg = f"{name} is a number, got {value!r}"
        raise TypeError(msg)
    return float(value)  # type: ignore[arg-type]


def plain_number(value: float | None) -> float | None:
    """Give the number itself, or ``None`` for what JSON has no word for.

    Parameters
    ----------
    value
        Any number; NaN and infinities become ``None``.

    Examples
    --------
    >>> from unisono.results.record import plain_number
    >>> plain_number(0.5), plain_number(float("nan"))
    (0.5, None)
    """
    return None if value is None or not math.isfinite(value) else value


def plain_label(label: Label | None) -> PlainLabel:
    """Give a label as JSON writes it: a set becomes a sorted list.

    Parameters
    ----------
    label
        A label of the model, or ``None`` for no label.

    Examples
    --------
    >>> from unisono.results.record import plain_label
    >>> plain_label(frozenset({"b", "a"})), plain_label("NP")
    (['a', 'b'], 'NP')
    """
    if isinstance(label, frozenset):
        return sorted(label, key=label_order)
    return label


def label_keys(labels: Iterable[Label | None]) -> dict[Label | None, str]:
    """Give each label a text of its own, to be a key in JSON or the name of a column.

    Parameters
    ----------
    labels
        Distinct labels. The number 1 and the text "1" read alike; the later of two such labels
        is told apart by its kind.

    Examples
    --------
    >>> from unisono.results.record import label_keys
    >>> label_keys([1, "1", "NP"])
    {1: '1', '1': '1 (text)', 'NP': 'NP'}
    """
    keys: dict[Label | None, str] = {}
    taken = set()
    for label in labels:
        key = label_text(label)
        while key in taken:
            key = f"{key} ({_kind(label)})"
        keys[label] = key
        taken.add(key)
    return keys


def _kind(label: Label | None) -> str:
    if label is None:
        return "no label"
    if isinstance(label, str):
        return "text"
    return "set" if isinstance(label, frozenset) else "number"
