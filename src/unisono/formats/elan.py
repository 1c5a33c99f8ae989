"""ELAN annotation files: reader and writer."""

from __future__ import annotations

import re
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from unisono.errors import DataError, ReadError
from unisono.formats.contents import Contents, check_roles
from unisono.formats.layers import (
    KEPT_IN_TIERS,
    TierRole,
    TierRoles,
    check_text,
    continued_tier,
    lanes,
    layers_of,
    written_label,
)
from unisono.formats.output import targets, warn_of_losses
from unisono.formats.safe_xml import escaped, tree_of
from unisono.model.columns import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.contents import ReadOptions
    from unisono.formats.safe_xml import Element
    from unisono.formats.source import Source
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.model.interpretation import Reason


_ALIGNED, _REFERRING = "ALIGNABLE_ANNOTATION", "REF_ANNOTATION"
_FROM, _TO = "TIME_SLOT_REF1", "TIME_SLOT_REF2"
_ATTRIBUTES = ("ANNOTATOR", "PARTICIPANT")
EXTENT = "unisono extent"
"""Name of the header property in which `write` stores the extent of a document."""
_NUMBER = r"(-?[0-9]{1,20}(?:\.[0-9]{1,30})?(?:e[-+]?[0-9]{1,2})?)"
_EXTENT = re.compile(f"{_NUMBER} {_NUMBER}")
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}")


class Aligned(NamedTuple):
    """An annotation with its start and end in seconds."""

    start: float
    end: float
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class EafTier:
    """A tier: its name, its attributes and its annotations."""

    name: str
    annotator: str
    participant: str
    kind: str  # its linguistic type
    parent: str = ""  # the tier that it depends on
    annotations: list[Aligned] = field(default_factory=list)


def read_eaf(source: Source, options: ReadOptions) -> Contents:
    """Read an ELAN file: a tier is an annotator, and its linguistic type the layer.

    A tier that depends on another is a layer of the annotator of that tier. If all tiers with
    annotations have an ANNOTATOR attribute, that is the annotator. If an annotator then has several
    tiers of one type, the tiers are the layers.
    """
    words = ("layer", *_ATTRIBUTES)
    check_roles(options, annotator=words, label=("text",), pattern="{layer}")
    tree = tree_of(source.content(), source.path, "ANNOTATION_DOCUMENT")
    document = _Document(tree, source.path)
    tiers = document.tiers()
    extent = document.extent(tiers)
    contents = Contents(source, options)
    contents.label_from("text", options)
    contents.author = tree.attributes.get("AUTHOR", "").strip()
    contents.media = document.media()
    if extent is not None:
        contents.extent(source.document, *extent)
    for tier, role in zip(tiers, _roles(tiers, source, options, contents), strict=True):
        if role is None:
            continue
        if options.wants_layer(role.layer):
            contents.seen(source.document, role.annotator)
        for start, end, text, line in tier.annotations:
            label = "" if options.label is False else text
            contents.add(
                source.document, role.annotator, start, end, label, line=line, layer=role.layer
            )
    return contents


def _roles(
    tiers: Sequence[EafTier], source: Source, options: ReadOptions, contents: Contents
) -> list[TierRole | None]:
    attribute = options.annotator if options.annotator in _ATTRIBUTES else None
    if options.annotator is None and source.annotator is None:
        named = [tier.annotator for tier in tiers if tier.annotations]
        attribute = "ANNOTATOR" if named and all(named) else None
    if attribute is None:
        if options.annotator is None and source.annotator is None:
            contents.speakers |= {tier.participant for tier in tiers} - {""}
        return _tier_roles(tiers, source, options, contents)
    reason: Reason = "asked" if options.annotator is not None else "content"
    contents.from_place("annotator", "attribute", attribute, reason)
    owners = [tier.annotator if attribute == "ANNOTATOR" else tier.participant for tier in tiers]
    known = {tier.name for tier in tiers}
    names = [continued_tier(tier.name, known) or tier.name for tier in tiers]
    # The types are the layers, if each annotator has at most one tier of each type.
    is_typed = len(set(zip(owners, names, strict=True))) == len(
        {(owner, tier.kind) for owner, tier in zip(owners, tiers, strict=True)}
    )
    if is_typed:
        contents.from_place("layer", "attribute", "type")
    else:
        contents.from_place("layer", "tier")
    roles: list[TierRole | None] = []
    for tier, owner, name in zip(tiers, owners, names, strict=True):
        roles.append(TierRole(owner, tier.kind if is_typed else name) if owner else None)
        if tier.annotations and not owner:
            contents.object(f"the tier {tier.name!r} has no {attribute} attribute")
    return roles


def _tier_roles(
    tiers: Sequence[EafTier], source: Source, options: ReadOptions, contents: Contents
) -> list[TierRole | None]:
    """Return the roles of tiers by their names; dependent tiers belong to their parents."""
    is_free = source.annotator is None and "{layer}" not in str(options.annotator)
    parents = {tier.name: tier.parent for tier in tiers}
    roots = [_root(tier.name, parents) if is_free else tier.name for tier in tiers]
    own = [at for at, tier in enumerate(tiers) if roots[at] == tier.name]
    names, kinds = ([getattr(tiers[at], each) for at in own] for each in ("name", "kind"))
    sizes = [len(tiers[at].annotations) for at in own]
    assigned = TierRoles(source, options, names, kinds).assign(contents, sizes)
    roles = dict(zip(own, assigned, strict=True))
    used = Counter((root, tier.kind) for root, tier in zip(roots, tiers, strict=True))
    for at, tier in enumerate(tiers):
        if at not in roles:
            is_only = tier.kind and used[roots[at], tier.kind] == 1
            roles[at] = TierRole(roots[at].strip(), tier.kind if is_only else tier.name)
    return [roles[at] for at in range(len(tiers))]


def _root(name: str, parents: Mapping[str, str]) -> str:
    """Return the tier on which a tier depends, directly or through others; itself if none."""
    visited: set[str] = set()
    while parents.get(name) in parents and name not in visited:
        visited.add(name)
        name = parents[name]
    return name


class _Document:
    """XML tree of a file, with the times of its annotations."""

    def __init__(self, tree: Element, path: Path) -> None:
        self.tree = tree
        self.path = path
        self.times: dict[str, tuple[float, float]] = {}
        header, order = tree.first("HEADER"), tree.first("TIME_ORDER")
        if header is not None:
            unit = header.attributes.get("TIME_UNITS", "milliseconds")
            if unit != "milliseconds":
                self.fail(f"unsupported TIME_UNITS {unit[:40]!r}; expected 'milliseconds'", header)
        self.slots: dict[str, float | None] = {}
        for slot in [] if order is None else order.named("TIME_SLOT"):
            name = self.value(slot, "TIME_SLOT_ID")
            if name in self.slots:
                self.fail(f"duplicate time slot {name[:40]!r}", slot)
            self.slots[name] = self.time(slot)

    def tiers(self) -> list[EafTier]:
        """Return the tiers in file order, with the times of all annotations.

        Time slots without a time are interpolated between their neighbours in the tier. An
        annotation that refers to another one has its times; several annotations of a tier that
        refer to the same one divide its time into equal parts.
        """
        elements = list(self.tree.named("TIER"))
        bodies = [[self.body(each) for each in tier.named("ANNOTATION")] for tier in elements]
        taken = {id(body) for tier in bodies for body in tier}
        for each in self.tree.everything():
            if each.name in (_ALIGNED, _REFERRING) and id(each) not in taken:
                self.fail(
                    f"<{each.name}> must be the only annotation of an <ANNOTATION> in a <TIER>",
                    each,
                )
        for tier in bodies:
            self.align([body for body in tier if body.name == _ALIGNED])
        self.refer(bodies)
        return [self.tier(*each) for each in zip(elements, bodies, strict=True)]

    def extent(self, tiers: Sequence[EafTier]) -> tuple[float, float] | None:
        """Return the extent that `write` stored in the header, widened to hold all annotations."""
        header = self.tree.first("HEADER")
        for entry in () if header is None else header.named("PROPERTY"):
            if entry.attributes.get("NAME") == EXTENT:
                found = _EXTENT.fullmatch(entry.text)
                if found is None:
                    self.fail(f"the extent must be two numbers; got {entry.text[:40]!r}", entry)
                low, high = sorted(map(float, found.groups()))
                times = [time for tier in tiers for each in tier.annotations for time in each[:2]]
                return min([low, *times]), max([high, *times])
        return None

    def media(self) -> str:
        """Return the file names of the recordings, without their folders."""
        header = self.tree.first("HEADER")
        found = [] if header is None else list(header.named("MEDIA_DESCRIPTOR"))
        paths = [each.attributes.get("MEDIA_URL", "").replace("\\", "/") for each in found]
        return " ".join(sorted({path.rpartition("/")[2].casefold() for path in paths} - {""}))

    def tier(self, element: Element, bodies: Sequence[Element]) -> EafTier:
        names = ("ANNOTATOR", "PARTICIPANT", "LINGUISTIC_TYPE_REF", "PARENT_REF")
        annotator, participant, kind, parent = (
            element.attributes.get(name, "").strip() for name in names
        )
        name = self.value(element, "TIER_ID")
        tier = EafTier(name, annotator, participant, kind, parent=parent)
        for body in bodies:
            times = self.times.get(self.value(body, "ANNOTATION_ID"))
            if times is None:
                self.fail("the annotation refers to an annotation that does not exist", body)
            value = body.first("ANNOTATION_VALUE")
            text = "" if value is None else value.text
            tier.annotations.append(Aligned(*times, text, body.line))
        return tier

    def body(self, annotation: Element) -> Element:
        body = next(annotation.named(_ALIGNED, _REFERRING), None)
        if body is None:
            self.fail(f"expected an <{_ALIGNED}> or a <{_REFERRING}> in <ANNOTATION>", annotation)
        return body

    def align(self, bodies: Sequence[Element]) -> None:
        """Set the times of the aligned annotations of a tier."""
        ends = {self.value(body, _FROM): self.value(body, _TO) for body in bodies}
        times: dict[str, float | None] = {}
        for body in bodies:
            for slot in (body.attributes[_FROM], self.value(body, _TO)):
                if slot not in self.slots:
                    self.fail(f"the time slot {slot[:40]!r} does not exist", body)
                times[slot] = self.slots[slot]
        if None in times.values():
            times |= _interpolate(ends, times)
        for body in bodies:
            start, end = times[body.attributes[_FROM]], times[body.attributes[_TO]]
            if start is None or end is None:
                self.fail("a time slot has no time, and no neighbours to interpolate it from", body)
            self.set_times(body, start / 1000, end / 1000)

    def refer(self, tiers: Sequence[Sequence[Element]]) -> None:
        """Set the times of annotations that refer to others, from parents to children."""
        families: defaultdict[str, list[list[Element]]] = defaultdict(list)
        for bodies in tiers:
            siblings: defaultdict[str, list[Element]] = defaultdict(list)
            for body in bodies:
                if body.name == _REFERRING:
                    siblings[self.value(body, "ANNOTATION_REF")].append(body)
            for parent, children in siblings.items():
                families[parent].append(children)
        waiting = list(self.times)
        while waiting:
            parent = waiting.pop()
            for children in families.get(parent, ()):
                start, end = self.times[parent]
                share = (end - start) / len(children)
                bounds = [start + share * place for place in range(len(children))] + [end]
                for body, times in zip(_in_order(children), pairwise(bounds), strict=True):
                    self.set_times(body, *times)
                    waiting.append(body.attributes["ANNOTATION_ID"])

    def set_times(self, body: Element, start: float, end: float) -> None:
        name = self.value(body, "ANNOTATION_ID")
        if name in self.times:
            self.fail(f"duplicate annotation {name[:40]!r}", body)
        self.times[name] = start, end

    def time(self, slot: Element) -> float | None:
        value = slot.attributes.get("TIME_VALUE")
        if value is None:
            return None
        if not _WHOLE.fullmatch(value.strip()):
            self.fail(f"a time must be a whole number of milliseconds; got {value[:40]!r}", slot)
        return float(value)

    def value(self, element: Element, attribute: str) -> str:
        try:
            return element.attributes[attribute]
        except KeyError:
            self.fail(f"<{element.name}> has no {attribute} attribute", element)

    def fail(self, problem: str, element: Element) -> NoReturn:
        raise ReadError(problem, path=self.path, line=element.line)


def _interpolate(
    ends: Mapping[str, str], times: Mapping[str, float | None]
) -> dict[str, float | None]:
    """Return times for slots without one, at even distances between neighbours in their tier."""
    interpolated: dict[str, float | None] = {}
    for first, time in times.items():
        if time is None:
            continue
        chain = []
        slot = ends.get(first)
        while slot is not None and times[slot] is None and slot not in interpolated:
            chain.append(slot)
            interpolated[slot] = None
            slot = ends.get(slot)
        last = None if slot is None else times[slot]
        if last is not None:
            share = (last - time) / (len(chain) + 1)
            interpolated |= {
                slot: time + share * place for place, slot in enumerate(chain, start=1)
            }
    return interpolated


def _in_order(siblings: Sequence[Element]) -> Sequence[Element]:
    """Return siblings in the order of PREVIOUS_ANNOTATION, or in file order if it is incomplete."""
    after = {body.attributes.get("PREVIOUS_ANNOTATION"): body for body in siblings}
    chain: list[Element] = []
    body = after.get(None)
    while body is not None and len(chain) < len(siblings):
        chain.append(body)
        body = after.get(body.attributes.get("ANNOTATION_ID"))
    return chain if len(chain) == len(siblings) else siblings


_FORMAT = "ELAN"
_KIND = "unit"
_LATEST = 1e12  # seconds; up to there, milliseconds are distinct as floats
_HEADER = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">"""


def write_eaf(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return one ELAN file per document, with a tier for each annotator.

    Positions are seconds, rounded to milliseconds, with a warning if that changes any. Units that
    overlap others of the same annotator are written to a further tier, ``ann [2]``.
    """
    layers = layers_of(corpus)
    one_layer = {"layers"} if len(layers) < 2 else ()
    warn_of_losses(corpus, _FORMAT, KEPT_IN_TIERS.union(one_layer))
    kind = layers[0] if len(layers) == 1 else _KIND
    check_text(kind, "the layer", "corpus", _FORMAT)
    texts = {name: "\n".join(_lines(name, each, kind)) for name, each in corpus.items()}
    inexact = [name for name, continuum in corpus.items() if _needs_rounding(continuum)]
    if inexact:
        where = counted(len(inexact), "document")
        msg = f"ELAN stores whole milliseconds: positions in {where} were rounded"
        warnings.warn(msg, stacklevel=3)
    return {file: texts[name] + "\n" for name, file in targets(corpus, path, ".eaf").items()}


def _lines(document: str, continuum: Continuum, layer: str) -> Iterator[str]:
    kind = escaped(layer)
    low, high = continuum.extent
    if high > _LATEST:
        msg = f"{document}: {high:g} seconds is more than {_FORMAT} can store; at most {_LATEST:g}"
        raise DataError(msg)
    tiers = list(lanes(continuum, document, _FORMAT))
    yield _HEADER
    yield f'        <PROPERTY NAME="{EXTENT}">{low!r} {high!r}</PROPERTY>'
    yield f'        <PROPERTY NAME="lastUsedAnnotationId">{len(continuum)}</PROPERTY>'
    yield "    </HEADER>"
    yield "    <TIME_ORDER>"
    slots = (bound for lane in tiers for unit in lane.units for bound in (unit.start, unit.end))
    for number, bound in enumerate(slots, start=1):
        time = _milliseconds(bound)
        yield f'        <TIME_SLOT TIME_SLOT_ID="ts{number}" TIME_VALUE="{time}"/>'
    yield "    </TIME_ORDER>"
    number = 0
    for lane in tiers:
        annotator, name = escaped(lane.annotator), escaped(lane.name)
        yield f'    <TIER ANNOTATOR="{annotator}" LINGUISTIC_TYPE_REF="{kind}" TIER_ID="{name}">'
        for unit in lane.units:
            number += 1
            slot = f'TIME_SLOT_REF1="ts{2 * number - 1}" TIME_SLOT_REF2="ts{2 * number}"'
            label = escaped(written_label(unit, document, _FORMAT))
            yield "        <ANNOTATION>"
            yield f'            <ALIGNABLE_ANNOTATION ANNOTATION_ID="a{number}" {slot}>'
            yield f"                <ANNOTATION_VALUE>{label}</ANNOTATION_VALUE>"
            yield "            </ALIGNABLE_ANNOTATION>"
            yield "        </ANNOTATION>"
        yield "    </TIER>"
    yield (
        '    <LINGUISTIC_TYPE GRAPHIC_REFERENCES="false" '
        f'LINGUISTIC_TYPE_ID="{kind}" TIME_ALIGNABLE="true"/>'
    )
    yield "</ANNOTATION_DOCUMENT>"


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def _needs_rounding(continuum: Continuum) -> bool:
    bounds = {*continuum.starts.tolist(), *continuum.ends.tolist()}
    return any(_milliseconds(bound) / 1000 != bound for bound in bounds)
