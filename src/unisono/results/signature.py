"""How a number was made, as one line that can be printed, stored and read back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unisono.errors import DataError, SettingError

if TYPE_CHECKING:
    from collections.abc import Iterator


# Newlines are escaped too, so that a signature is always one line.
_ESCAPES = {"\\": "\\\\", "|": "\\|", "\n": "\\n", "\r": "\\r"}
_ORIGINALS = {escaped: original for original, escaped in _ESCAPES.items()}
_ESCAPE_TABLE = str.maketrans(_ESCAPES)
_PIECES = re.compile(r"\\.|[^\\]", re.DOTALL)
_NAME = re.compile(r"[^:|\\\n\r]+")


@dataclass(frozen=True, slots=True)
class Signature:
    r"""Everything that can move a value, in a fixed order and in one line.

    Two results with the same signature are the same number. Print it beside the value
    and anybody can compute the value again.

    Parameters
    ----------
    measure
        The name of the measure, such as ``gamma``.
    settings
        Pairs of a name and a value, in the order they are printed; by custom the seed, the
        digest of the data and the version come last.

    Raises
    ------
    SettingError
        If the measure or a name is empty, occurs twice or holds ``:``, ``|``, ``\`` or a
        line break. Values may hold anything.

    Examples
    --------
    >>> from unisono.results.signature import Signature
    >>> signature = Signature("gamma", (("chance", "shift"), ("n", "112"), ("seed", "42")))
    >>> print(signature)
    gamma|chance:shift|n:112|seed:42
    >>> signature["seed"]
    '42'
    >>> Signature.parse("gamma|chance:shift|n:112|seed:42") == signature
    True
    """

    measure: str
    settings: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        try:
            pairs = tuple((name, value) for name, value in self.settings)
        except ValueError:
            msg = f"the settings of a signature are pairs of name and value, got {self.settings!r}"
            raise TypeError(msg) from None
        object.__setattr__(self, "settings", pairs)
        _check_name(self.measure, what="the measure of a signature")
        seen = set()
        for name, value in self.settings:
            _check_name(name, what="the name of a setting in a signature")
            _check_text(value, what="the value of a setting in a signature")
            if name in seen:
                msg = f"a signature names each setting once; {name!r} occurs twice"
                raise SettingError(msg)
            seen.add(name)

    @classmethod
    def parse(cls, text: str) -> Signature:
        r"""Read a signature back from its line.

        Parameters
        ----------
        text
            A line as ``str(signature)`` gives it.

        Raises
        ------
        DataError
            If the text is no signature.

        Examples
        --------
        >>> from unisono.results.signature import Signature
        >>> Signature.parse(r"gamma|dissim:own[a\|b]|seed:42")["dissim"]
        'own[a|b]'
        """
        measure, *pairs = _split(text)
        settings = []
        for pair in pairs:
            name, colon, value = pair.partition(":")
            if not colon:
                msg = f"a signature is measure|name:value|…; {pair!r} in {text!r} has no colon"
                raise DataError(msg)
            settings.append((name, value))
        try:
            return cls(measure, tuple(settings))
        except SettingError as error:
            msg = f"no signature: {text!r}; {error}"
            raise DataError(msg) from None

    def __str__(self) -> str:
        pairs = (f"{name}:{value.translate(_ESCAPE_TABLE)}" for name, value in self.settings)
        return "|".join((self.measure, *pairs))

    def __getitem__(self, name: str) -> str:
        for known, value in self.settings:
            if known == name:
                return value
        msg = f"no setting {name!r} in this signature; it has {', '.join(self) or 'none'}"
        raise KeyError(msg)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.settings)

    def __contains__(self, name: object) -> bool:
        return any(known == name for known, _ in self.settings)


def _check_text(text: object, *, what: str) -> None:
    if not isinstance(text, str):
        msg = f"{what} must be a str, got {text!r}"
        raise TypeError(msg)


def _check_name(name: str, *, what: str) -> None:
    _check_text(name, what=what)
    if _NAME.fullmatch(name) is None:
        msg = f"{what} must be a word without ':', '|', '\\' and line breaks, got {name!r}"
        raise SettingError(msg)


def _split(text: str) -> list[str]:
    fields = [""]
    end = 0
    for piece in _PIECES.finditer(text):
        end = piece.end()
        character = piece.group()
        if character == "|":
            fields.append("")
        elif len(character) == 1:
            fields[-1] += character
        elif character in _ORIGINALS:
            fields[-1] += _ORIGINALS[character]
        else:
            break
    else:
        if end == len(text):
            return fields
    known = ", ".join(_ORIGINALS)
    msg = f"a backslash in a signature begins one of {known}; {text!r} has another"
    raise DataError(msg)
