"""Layers of rich formats: tiers, features, chains and typed spans, and which of them is meant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import AmbiguousInputError, DataError, ReadError, SettingError, setting
from unisono.model.columns import listed
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import (
        Collection,
        Container,
        Hashable,
        Iterable,
        Iterator,
        Mapping,
        Sequence,
    )
    from pathlib import Path

    from unisono.formats.contents import Contents, ReadOptions, Source
    from unisono.model.continuum import Continuum, Unit
    from unisono.model.corpus import Corpus


def chain_name(mentions: Iterable[tuple[float, float]]) -> str:
    """Name a chain by its first mention, the same for everyone who marked that mention first.

    Numbers that tools give to chains mean nothing to other annotators; this does.
    """
    start, end = min(mentions)
    return f"{start:.10g}-{end:.10g}"


def joined(
    members: Iterable[Hashable], links: Iterable[Iterable[Hashable]]
) -> dict[Hashable, Hashable]:
    """Give each member one representative of all it is linked with, however indirectly."""
    above: dict[Hashable, Hashable] = {member: member for member in members}

    def top(member: Hashable) -> Hashable:
        while above[member] != member:
            above[member] = above[above[member]]
            member = above[member]
        return member

    for link in links:
        first: Hashable | None = None
        for member in link:
            if member not in above:
                continue
            if first is None:
                first = member
            else:
                above[top(member)] = top(first)
    return {member: top(member) for member in above}


def named_chains(
    chain_of: Mapping[Hashable, Hashable], places: Mapping[Hashable, tuple[float, float]]
) -> dict[Hashable, str]:
    """Give each mention the name of its chain."""
    mentions: dict[Hashable, list[tuple[float, float]]] = {}
    for member, chain in chain_of.items():
        mentions.setdefault(chain, []).append(places[member])
    names = {chain: chain_name(places_) for chain, places_ in mentions.items()}
    return {member: names[chain] for member, chain in chain_of.items()}


# What the layers that come with WebAnno and INCEpTION call their label.
_USUAL = ("value", "label", "PosValue", "category", "type")


def label_features(
    layers: Mapping[str, Sequence[str]], options: ReadOptions, path: Path
) -> dict[str, str | None]:
    """Choose the feature of each layer that is its label.

    It is the one the caller names; otherwise ``value`` or another usual name, or the only one.
    """
    if options.label is False:
        return dict.fromkeys(layers)
    wanted = {name: features for name, features in layers.items() if options.wants_layer(name)}
    if options.label is not None:
        everything = list(dict.fromkeys(name for own in wanted.values() for name in own))
        if wanted and options.label not in everything:
            problem = f"no feature {options.label!r}; there are {listed(everything) or 'none'}"
            raise ReadError(problem, path=path)
        return {name: str(options.label) for name in layers}
    chosen: dict[str, str | None] = {}
    for name, features in layers.items():
        usual = [each for each in _USUAL if each in features]
        chosen[name] = next(iter([*usual, *features]), None)
        # Of several layers one has to be chosen first, and that is asked for elsewhere.
        if not usual and len(features) > 1 and list(wanted) == [name]:
            problem = (
                f"the layer {name!r} has the features {listed(features)}; "
                f"say which is the label with {setting('label')}"
            )
            raise AmbiguousInputError(problem, path=path)
    return chosen


def used_features(
    layers: Mapping[str, Sequence[str]], options: ReadOptions, path: Path
) -> dict[str, str | None]:
    """Choose the label where only the features in use are known, not all there are.

    Another file of the same layer may use others, so nothing but a usual name is taken without
    being asked for.
    """
    if options.label is not None:
        asked = None if options.label is False else str(options.label)
        return dict.fromkeys(layers, asked)
    for name, features in layers.items():
        unusual = features and not any(each in features for each in _USUAL)
        if unusual and [each for each in layers if options.wants_layer(each)] == [name]:
            problem = (
                f"the layer {name!r} has the features {listed(features)}; "
                f"say which is the label with {setting('label')}"
            )
            raise AmbiguousInputError(problem, path=path)
    return {
        name: next((each for each in _USUAL if each in features), None)
        for name, features in layers.items()
    }


def check_used(
    used: Mapping[str, Collection[str]], options: ReadOptions, contents: Contents
) -> None:
    """Object to a label that no unit has: it is more likely misspelt than never used."""
    wanted = [features for layer, features in used.items() if options.wants_layer(layer)]
    if not wanted or not isinstance(options.label, str):
        return
    names = dict.fromkeys(name for features in wanted for name in features)
    if options.label not in names:
        told = f"there are {listed(names)}" if names else "they have none"
        contents.object(
            f"no unit has the feature {options.label!r}; {told}. To take them as units without "
            f"label, say {setting('on_error', 'skip')}"
        )


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
    """Give the name of the tier that a tier of this name continues, if it continues one."""
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


# What XML 1.0 cannot say at all, and TextGrid only in ways that nobody reads.
_UNSAYABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
KEPT_IN_TIERS = frozenset(
    {
        *("annotators without units", "units in pieces", "extents of documents"),
        "labels that are numbers",
    }
)
"""What tiers can hold; units in pieces are refused."""


class Lane(NamedTuple):
    """Units of one annotator that do not overlap, in their order; all points or none."""

    name: str
    annotator: str
    of_points: bool
    units: Sequence[Unit]


def lanes(continuum: Continuum, document: str, format_: str) -> Iterator[Lane]:
    """Put the units of each annotator in as few lanes as will do, one or more.

    The first is called as the annotator, others ``ann [2]``, ``ann [3]`` and so on.
    """
    for annotator in continuum.annotators:
        checked_text(annotator, "the annotator", document, format_)
        if (whole := continued(annotator)) in continuum.annotators:
            msg = f"{document}: {annotator!r} would be read as a part of {whole!r}; rename it first"
            raise DataError(msg)
    for annotator, units in _by_annotator(continuum):
        kept = [each for each in (False, True) if any(_is_point(u) is each for u in units)]
        split = [
            (of_points, lane)
            for of_points in kept
            for lane in _apart([u for u in units if _is_point(u) is of_points])
        ]
        for number, (of_points, lane) in enumerate(split or [(False, [])], start=1):
            name = annotator if number == 1 else f"{annotator} [{number}]"
            yield Lane(name, annotator, of_points, lane)


def layers_of(corpus: Corpus) -> list[str]:
    """Give the layers that units are of, as their attributes tell."""
    told = {
        detail.attributes.get("layer")
        for continuum in corpus.values()
        for detail in ([] if continuum.details is None else continuum.details.values)
    }
    return sorted(str(layer) for layer in told - {None})


def written_label(unit: Unit, document: str, format_: str) -> str:
    """Give the text of a unit's label, empty if it has none."""
    where = f"{document}: {unit.annotator!r} at [{unit.start:g}, {unit.end:g}]"
    if unit.fragments:
        msg = f"{where} is in pieces, which {format_} cannot hold; use split_fragments first"
        raise DataError(msg)
    if isinstance(unit.label, frozenset):
        msg = (
            f"{where} has the set {label_text(unit.label)}, and {format_} holds one text a unit; "
            "rename the label first"
        )
        raise DataError(msg)
    if unit.start < 0:
        msg = f"{where} begins below 0, which {format_} cannot say"
        raise DataError(msg)
    return checked_text(label_text(unit.label), "a label", document, format_)


def checked_text(text: str, what: str, document: str, format_: str) -> str:
    """Give a text that can be written."""
    if found := _UNSAYABLE.search(text):
        msg = f"{document}: {what} {text!r} has {found[0]!r}, which {format_} cannot say"
        raise DataError(msg)
    return text


def _by_annotator(continuum: Continuum) -> Iterator[tuple[str, Sequence[Unit]]]:
    for number, annotator in enumerate(continuum.annotators):
        first, last = continuum.offsets[number : number + 2]
        yield annotator, continuum.units[int(first) : int(last)]


def _is_point(unit: Unit) -> bool:
    return unit.start == unit.end


def _apart(units: Sequence[Unit]) -> list[list[Unit]]:
    """Give each unit to the first lane that is free; equal points are never in one lane."""
    found: list[list[Unit]] = []
    for unit in units:
        for lane in found:
            last = lane[-1]
            if last.end <= unit.start and not (_is_point(unit) and last.end == unit.start):
                lane.append(unit)
                break
        else:
            found.append([unit])
    return found


class Named(NamedTuple):
    """The layer and the label of a unit."""

    layer: str
    label: str


def named(kind: str, features: Mapping[str, str], options: ReadOptions) -> Named:
    """Tell the layer and the label of a unit by its type and its features."""
    asked = options.label
    if isinstance(asked, int) and asked is not False:
        msg = f"a label is a feature, by name; got {setting('label', asked)}"
        raise SettingError(msg)
    layer = "" if options.layer is None and asked is None else kind
    if asked is False:
        return Named("" if options.layer is None else kind, "")
    if asked is None or asked == "type":
        return Named(layer, kind)
    return Named(layer, features.get(asked, ""))
