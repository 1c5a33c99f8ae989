"""Who annotated a tier, and of which layer it is: told by its name, or by the file it is in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import SettingError, setting
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from unisono.formats.contents import Contents, ReadOptions
    from unisono.formats.sources import Source


# A tier cannot hold units that overlap, so `write` continues "ann" in "ann [2]", "ann [3]" …
_CONTINUED = re.compile(r"(?P<name>.*\S) \[(?P<number>[2-9]|[1-9][0-9]+)\]", re.DOTALL)


class TierRole(NamedTuple):
    """What a tier is."""

    annotator: str
    layer: str


class TierRoles:
    """The roles of the tiers of one file.

    If the path tells the annotator, a tier is a layer. Otherwise it is an annotator, unless
    the caller gave a pattern such as ``"{layer}@{annotator}"``, which its name must fit.

    Parameters
    ----------
    source, options
        The file and what the caller says.
    names
        Names of the tiers.
    layers
        Their layers, where tiers are annotators; none have one if not given.
    """

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        names: Sequence[str],
        layers: Sequence[str] | None = None,
    ) -> None:
        self._owner = None if options.annotator == "layer" else source.annotator
        asked = options.annotator
        self._pattern = _pattern(asked) if isinstance(asked, str) and "{layer}" in asked else None
        self._names = [name.strip() for name in names]
        self._layers = layers or [""] * len(names)

    def told(self, contents: Contents) -> list[TierRole | None]:
        """Give the role of each tier; none to a tier that is left out, which is noted."""
        first: dict[str, int] = {}
        roles: list[TierRole | None] = []
        for place, (name, layer) in enumerate(zip(self._names, self._layers, strict=True)):
            role = None
            if name in first:
                contents.object(
                    f"two tiers have the same name {name!r}; give them names of their own"
                )
            elif not name and self._owner is None:
                contents.object(
                    f"tier {place + 1} has no name, so it is not known who annotated it"
                )
            else:
                role = self._role(continued(name, first) or name, layer)
                if role is None:
                    contents.left_out("tiers that do not fit the pattern")
            first.setdefault(name, place)
            roles.append(role)
        if self._pattern is not None and roles and not any(roles):
            contents.object(f"no tier fits the pattern; there are {listed(self._names)}")
        return roles

    def _role(self, name: str, layer: str) -> TierRole | None:
        if self._pattern is not None:
            found = self._pattern.fullmatch(name)
            return None if found is None else TierRole(found["annotator"], found["layer"])
        if self._owner is not None:
            return TierRole(self._owner, name)
        return TierRole(name, layer)


def continued(name: str, among: Container[str] | None = None) -> str | None:
    """Give the name of the tier that a tier of this name continues, if it continues one.

    Parameters
    ----------
    name
        The tier.
    among
        Tiers it may continue; any if not given.
    """
    found = _CONTINUED.fullmatch(name)
    if found is None or (among is not None and found["name"] not in among):
        return None
    return found["name"]


def _pattern(asked: str) -> re.Pattern[str]:
    parts = re.split(r"(\{annotator\}|\{layer\}|\*)", asked)
    if parts.count("{annotator}") != 1 or parts.count("{layer}") != 1:
        msg = (
            "a pattern for tiers has {annotator} and {layer} once each; "
            f"got {setting('annotator', asked)}"
        )
        raise SettingError(msg)
    fields = {"{annotator}": "(?P<annotator>.+)", "{layer}": "(?P<layer>.+)", "*": ".*"}
    return re.compile("".join(fields.get(part, re.escape(part)) for part in parts), re.DOTALL)
