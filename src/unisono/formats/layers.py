"""Layers, features, tiers and coreference chains: selection when reading, lanes when writing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import AmbiguousInputError, DataError, ReadError, SettingError, setting
from unisono.model.columns import listed
from unisono.model.interpretation import Ignored
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

    from unisono.formats.contents import Contents, ReadOptions
    from unisono.formats.source import Source
    from unisono.model.continuum import Continuum, Unit
    from unisono.model.corpus import Corpus


COREFERENCE = "coreference"
"""Value of `label` for which the coreference chain is the label."""


def chain_name(mentions: Iterable[tuple[float, float]]) -> str:
    """Return the name of a chain: the offsets of its first mention.

    Annotators whose chains begin with the same mention get the same name; the chain numbers of
    annotation tools are not comparable between annotators.
    """
    start, end = min(mentions)
    return f"{start:.10g}-{end:.10g}"


def representatives(
    members: Iterable[Hashable], links: Iterable[Iterable[Hashable]]
) -> dict[Hashable, Hashable]:
    """Return a representative of each member's connected component (union-find)."""
    parents: dict[Hashable, Hashable] = {member: member for member in members}

    def root(member: Hashable) -> Hashable:
        while parents[member] != member:
            parents[member] = parents[parents[member]]
            member = parents[member]
        return member

    for link in links:
        first: Hashable | None = None
        for member in link:
            if member not in parents:
                continue
            if first is None:
                first = member
            else:
                parents[root(member)] = root(first)
    return {member: root(member) for member in parents}


def named_chains(
    chain_of: Mapping[Hashable, Hashable], places: Mapping[Hashable, tuple[float, float]]
) -> dict[Hashable, str]:
    """Return the name of the chain of each mention."""
    mentions: dict[Hashable, list[tuple[float, float]]] = {}
    for member, chain in chain_of.items():
        mentions.setdefault(chain, []).append(places[member])
    names = {chain: chain_name(places_) for chain, places_ in mentions.items()}
    return {member: names[chain] for member, chain in chain_of.items()}


# Names of the label feature in the built-in layers of WebAnno and INCEpTION.
_USUAL = ("value", "label", "PosValue", "category", "type")


def label_features(
    layers: Mapping[str, Sequence[str]], options: ReadOptions, path: Path
) -> dict[str, str | None]:
    """Return the feature of each layer that is its label.

    This is the feature named by `options.label`; by default ``value`` or another usual name, or
    the only feature of the layer.
    """
    if options.label is False:
        return dict.fromkeys(layers)
    selected = {name: features for name, features in layers.items() if options.wants_layer(name)}
    if options.label is not None:
        known = list(dict.fromkeys(name for own in selected.values() for name in own))
        if selected and options.label not in known:
            problem = (
                f"unknown feature {options.label!r} for {setting('label')}; "
                f"the features are {listed(known) or 'none'}"
            )
            raise ReadError(problem, path=path)
        return {name: str(options.label) for name in layers}
    chosen: dict[str, str | None] = {}
    for name, features in layers.items():
        usual = [each for each in _USUAL if each in features]
        chosen[name] = next(iter([*usual, *features]), None)
        # If several layers are selected, the caller asks the user to choose a layer first.
        if not usual and len(features) > 1 and list(selected) == [name]:
            problem = (
                f"the layer {name!r} has the features {listed(features)}; "
                f"choose the label with {setting('label')}"
            )
            raise AmbiguousInputError(problem, path=path)
    return chosen


def used_features(
    layers: Mapping[str, Sequence[str]], options: ReadOptions, path: Path
) -> dict[str, str | None]:
    """Return the label feature of each layer if the declared features are not known.

    Other files may use further features of the same layer, so only a usual name is chosen by
    default.
    """
    if options.label is not None:
        feature = None if options.label is False else str(options.label)
        return dict.fromkeys(layers, feature)
    for name, features in layers.items():
        unusual = features and not any(each in features for each in _USUAL)
        if unusual and [each for each in layers if options.wants_layer(each)] == [name]:
            problem = (
                f"the layer {name!r} has the features {listed(features)}; "
                f"choose the label with {setting('label')}"
            )
            raise AmbiguousInputError(problem, path=path)
    return {
        name: next((each for each in _USUAL if each in features), None)
        for name, features in layers.items()
    }


def check_used(
    used: Mapping[str, Collection[str]], options: ReadOptions, contents: Contents
) -> None:
    """Report a label feature that no unit has: it is probably misspelt."""
    selected = [features for layer, features in used.items() if options.wants_layer(layer)]
    if not selected or not isinstance(options.label, str):
        return
    names = dict.fromkeys(name for features in selected for name in features)
    if options.label not in names:
        known = f"the features are {listed(names)}" if names else "no unit has a feature"
        contents.object(
            f"no unit has the feature {options.label!r}; {known}. "
            f"To read them as units without label, set {setting('on_error', 'skip')}"
        )


# Codes of people who speak, in the conventions of CHAT and ACLEW for recordings of children.
_SPEAKER = re.compile(r"(CHI|MOT|FAT|BRO|SIS|GRM|GRF|INV|SPK[0-9]*|EE[0-9]|[FMU][ACU][0-9])")


# A tier cannot hold overlapping units, so `write` continues "ann" in "ann [2]", "ann [3]" …
_CONTINUED = re.compile(r"(?P<name>.*\S) \[(?P<number>[2-9]|[1-9][0-9]+)\]", re.DOTALL)


class TierRole(NamedTuple):
    """The annotator and the layer of a tier."""

    annotator: str
    layer: str


class TierRoles:
    """Assigns an annotator and a layer to each tier of a file.

    If the annotator is known from the path, a tier is a layer. Otherwise it is an annotator,
    unless there is a pattern such as ``"{layer}@{annotator}"``, which the tier's name must match.
    """

    def __init__(
        self,
        source: Source,
        options: ReadOptions,
        names: Sequence[str],
        layers: Sequence[str] | None = None,
    ) -> None:
        self._owner = None if options.annotator == "layer" else source.annotator
        role = options.annotator
        self._is_asked = role is not None
        self._template = role if isinstance(role, str) else ""
        self._pattern = _pattern(self._template) if "{layer}" in self._template else None
        self._names = [name.strip() for name in names]
        self._layers = layers or [""] * len(names)

    def assign(self, contents: Contents, sizes: Sequence[int]) -> list[TierRole | None]:
        """Return the role of each tier, `None` for those left out; `sizes` are their units."""
        self._record(contents)
        first: dict[str, int] = {}
        roles: list[TierRole | None] = []
        for place, (name, layer) in enumerate(zip(self._names, self._layers, strict=True)):
            role = None
            if name in first:
                contents.object(f"two tiers have the same name {name!r}; rename one of them")
            elif not name and self._owner is None:
                contents.object(
                    f"tier {place + 1} has no name, so its annotator is unknown; name the tier"
                )
            else:
                role = self._role(continued_tier(name, first) or name, layer)
                if role is None:
                    contents.ignored.append(
                        Ignored("tier", name, sizes[place], "does not match the pattern")
                    )
            first.setdefault(name, place)
            roles.append(role)
        if self._pattern is not None and roles and not any(roles):
            contents.object(f"no tier matches the pattern; the tiers are {listed(self._names)}")
        return roles

    def _record(self, contents: Contents) -> None:
        """Record where annotators and layers came from, and tiers named after speakers."""
        if self._pattern is not None:
            contents.from_place("annotator", "tier", self._template, "asked")
            contents.from_place("layer", "tier", self._template, "asked")
        elif self._owner is not None:
            contents.from_place("layer", "tier")
        else:
            contents.from_place("annotator", "tier", "", "asked" if self._is_asked else "format")
            contents.from_place("layer", "attribute", "type") if any(self._layers) else None
            if not self._is_asked:
                names = (name.strip(" *:") for name in self._names)
                contents.speakers |= {name for name in names if _SPEAKER.fullmatch(name)}

    def _role(self, name: str, layer: str) -> TierRole | None:
        if self._pattern is not None:
            found = self._pattern.fullmatch(name)
            return None if found is None else TierRole(found["annotator"], found["layer"])
        if self._owner is not None:
            return TierRole(self._owner, name)
        return TierRole(name, layer)


def continued_tier(name: str, among: Container[str] | None = None) -> str | None:
    """Return the name of the tier that a tier such as ``ann [2]`` continues, or `None`."""
    found = _CONTINUED.fullmatch(name)
    if found is None or (among is not None and found["name"] not in among):
        return None
    return found["name"]


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"(\{annotator\}|\{layer\}|\*)", template)
    if parts.count("{annotator}") != 1 or parts.count("{layer}") != 1:
        msg = (
            "a pattern for tiers must have {annotator} and {layer} once each; "
            f"got {setting('annotator', template)}"
        )
        raise SettingError(msg)
    fields = {"{annotator}": "(?P<annotator>.+)", "{layer}": "(?P<layer>.+)", "*": ".*"}
    return re.compile("".join(fields.get(part, re.escape(part)) for part in parts), re.DOTALL)


# Not allowed in XML 1.0, and not supported by programs that read TextGrids.
_INVALID_CHARACTER = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
KEPT_IN_TIERS = frozenset(
    {
        *("annotators without units", "units in pieces", "extents of documents"),
        "labels that are numbers",
    }
)
"""Properties for which `write` needs no warning; units in pieces are an error."""


class Lane(NamedTuple):
    """Units of one annotator in order and without overlap, either all points or all intervals."""

    name: str
    annotator: str
    of_points: bool
    units: Sequence[Unit]


def lanes(continuum: Continuum, document: str, format_: str) -> Iterator[Lane]:
    """Yield the units of each annotator in as few lanes as possible, at least one.

    The first lane is named after the annotator, the others ``ann [2]``, ``ann [3]`` and so on.
    """
    for annotator in continuum.annotators:
        check_text(annotator, "the annotator", document, format_)
        if (whole := continued_tier(annotator)) in continuum.annotators:
            msg = (
                f"{document}: the annotator {annotator!r} would be read as a continuation of "
                f"{whole!r}; rename it first"
            )
            raise DataError(msg)
    for annotator, units in _by_annotator(continuum):
        kept = [each for each in (False, True) if any(_is_point(u) is each for u in units)]
        split = [
            (of_points, lane)
            for of_points in kept
            for lane in _split_overlaps([u for u in units if _is_point(u) is of_points])
        ]
        for number, (of_points, lane) in enumerate(split or [(False, [])], start=1):
            name = annotator if number == 1 else f"{annotator} [{number}]"
            yield Lane(name, annotator, of_points, lane)


def layers_of(corpus: Corpus) -> list[str]:
    """Return the layers in the attributes of the units, sorted."""
    layers = {
        detail.attributes.get("layer")
        for continuum in corpus.values()
        for detail in ([] if continuum.details is None else continuum.details.values)
    }
    return sorted(str(layer) for layer in layers - {None})


def written_label(unit: Unit, document: str, format_: str) -> str:
    """Return the text of a unit's label, empty if it has none; raise if it cannot be written."""
    where = f"{document}: {unit.annotator!r} at [{unit.start:g}, {unit.end:g}]"
    if unit.fragments:
        msg = f"{where} is in pieces, which {format_} cannot store; use split_fragments first"
        raise DataError(msg)
    if isinstance(unit.label, frozenset):
        msg = (
            f"{where} has the label set {label_text(unit.label)}, but {format_} stores one text "
            "per unit; rename the label first"
        )
        raise DataError(msg)
    if unit.start < 0:
        msg = f"{where} starts before 0, which {format_} does not support"
        raise DataError(msg)
    return check_text(label_text(unit.label), "a label", document, format_)


def check_text(text: str, what: str, document: str, format_: str) -> str:
    """Return a text; raise if it has a character that the format cannot store."""
    if found := _INVALID_CHARACTER.search(text):
        msg = f"{document}: {what} {text!r} has {found[0]!r}, which {format_} cannot store"
        raise DataError(msg)
    return text


def _by_annotator(continuum: Continuum) -> Iterator[tuple[str, Sequence[Unit]]]:
    for number, annotator in enumerate(continuum.annotators):
        first, last = continuum.offsets[number : number + 2]
        yield annotator, continuum.units[int(first) : int(last)]


def _is_point(unit: Unit) -> bool:
    return unit.start == unit.end


def _split_overlaps(units: Sequence[Unit]) -> list[list[Unit]]:
    """Return lanes without overlaps; each unit is in the first free lane, equal points apart."""
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


class LayerAndLabel(NamedTuple):
    """The layer and the label of a unit."""

    layer: str
    label: str


def layer_and_label(kind: str, features: Mapping[str, str], options: ReadOptions) -> LayerAndLabel:
    """Return the layer and the label of a unit from its type and its features."""
    feature = options.label
    if isinstance(feature, int) and feature is not False:
        msg = f"the label must be the name of a feature; got {setting('label', feature)}"
        raise SettingError(msg)
    layer = "" if options.layer is None and feature is None else kind
    if feature is False:
        return LayerAndLabel("" if options.layer is None else kind, "")
    if feature is None or feature == "type":
        return LayerAndLabel(layer, kind)
    return LayerAndLabel(layer, features.get(feature, ""))
