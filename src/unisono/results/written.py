"""Results in the words of others: JSON for programs, Markdown for notebooks."""

from __future__ import annotations

from typing import Any, Protocol

from unisono.results.wording import json_text

__all__ = ["InJson", "InMarkdown"]


class _Plain(Protocol):
    def to_dict(self) -> dict[str, Any]: ...


class _Told(Protocol):
    def to_markdown(self) -> str: ...


class InJson:
    """A result whose ``to_dict`` gives plain data.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units([("ann", 0, 5, "A"), ("bob", 0, 5, "A")])
    >>> un.gamma(text, draws=30, rng=1).to_json()[:13]
    '{"value": 1.0'
    """

    __slots__ = ()

    def to_json(self: _Plain, *, indent: int | None = None) -> str:
        """Return ``to_dict()`` as JSON text, control characters escaped.

        Parameters
        ----------
        indent
            Spaces for each level; ``None`` puts all on one line.

        Examples
        --------
        >>> import json
        >>> from unisono.results.agreement import Agreement
        >>> from unisono.results.signature import Signature
        >>> agreement = Agreement(
        ...     value=0.5, observed=1.0, expected=2.0, signature=Signature("alpha")
        ... )
        >>> json.loads(agreement.to_json())["expected"]
        2.0
        """
        return json_text(self.to_dict(), indent=indent)


class InMarkdown(InJson):
    """A result that notebooks show as its ``to_markdown`` tells it.

    Examples
    --------
    >>> from unisono.results.agreement import Agreement
    >>> from unisono.results.signature import Signature
    >>> agreement = Agreement(value=0.5, observed=1, expected=2, signature=Signature("alpha"))
    >>> agreement._repr_markdown_() == agreement.to_markdown()
    True
    """

    __slots__ = ()

    def _repr_markdown_(self: _Told) -> str:
        return self.to_markdown()
