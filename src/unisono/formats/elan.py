"""ELAN annotation files: reader and writer."""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from unisono.errors import DataError, ReadError
from unisono.formats.contents import Contents, check_words
from unisono.formats.layers import (
    KEPT_IN_TIERS,
    TierRole,
    TierRoles,
    checked_text,
    continued,
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

    from unisono.formats.contents import ReadOptions, Source
    from unisono.formats.safe_xml import Element
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus


_ALIGNED, _REFERRING = "ALIGNABLE_ANNOTATION", "REF_ANNOTATION"
_FROM, _TO = "TIME_SLOT_REF1", "TIME_SLOT_REF2"
_ATTRIBUTES = ("ANNOTATOR", "PARTICIPANT")
EXTENT = "unisono extent"
"""The property in which `write` notes where a document begins and ends."""
_NUMBER = r"(-?[0-9]{1,20}(?:\.[0-9]{1,30})?(?:e[-+]?[0-9]{1,2})?)"
_EXTENT = re.compile(f"{_NUMBER} {_NUMBER}")
_WHOLE = re.compile(r"[-+]?[0-9]{1,15}")


class Aligned(NamedTuple):
    """An annotation with its times, in seconds."""

    start: float
    end: float
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class EafTier:
    """A tier: its name, what ELAN knows of it, and its annotations."""

    name: str
    annotator: str
    participant: str
    kind: str  # its linguistic type
    annotations: list[Aligned] = field(default_factory=list)


def read_eaf(source: Source, options: ReadOptions) -> Contents:
    """Read an ELAN file: a tier is an annotator, and its linguistic type the layer.

    Where every tier with annotations names its annotator, that is who annotated it; if some
    annotator then has several tiers of one type, the tiers are the layers.
    """
    words = ("layer", *_ATTRIBUTES)
    check_words(options, annotator=words, label=("text",), pattern="{layer}")
    tiers, extent = eaf_tiers(source.content(), source.path)
    contents = Contents(source, options)
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
        if source.annotator is None and len({tier.participant for tier in tiers} - {""}) > 1:
            contents.note("tiers taken for annotators name participants, so they may be speakers")
        names, kinds = [tier.name for tier in tiers], [tier.kind for tier in tiers]
        return TierRoles(source, options, names, kinds).told(contents)
    whose = [tier.annotator if attribute == "ANNOTATOR" else tier.participant for tier in tiers]
    known = {tier.name for tier in tiers}
    names = [continued(tier.name, known) or tier.name for tier in tiers]
    # The types are the layers, if they tell the tiers of each annotator apart.
    tell = len(set(zip(whose, names, strict=True))) == len(
        {(who, tier.kind) for who, tier in zip(whose, tiers, strict=True)}
    )
    roles: list[TierRole | None] = []
    for tier, who, name in zip(tiers, whose, names, strict=True):
        roles.append(TierRole(who, tier.kind if tell else name) if who else None)
        if tier.annotations and not who:
            contents.object(f"the tier {tier.name!r} has no {attribute}")
    return roles


def eaf_tiers(content: bytes, path: Path) -> tuple[list[EafTier], tuple[float, float] | None]:
    """Read the tiers of an ELAN file, in their order, and its extent if `write` noted one.

    A time slot without a time lies between its neighbours in the tier, at even distances. An
    annotation that refers to another one has its times; where several of a tier refer to the
    same one, they share its time evenly, in their order.
    """
    tree = tree_of(content, path, "ANNOTATION_DOCUMENT")
    document = _Document(tree, path)
    tiers = document.tiers()
    return tiers, document.extent(tiers)


class _Document:
    """The tree of a file, and the times of the annotations found so far."""

    def __init__(self, tree: Element, path: Path) -> None:
        self.tree = tree
        self.path = path
        self.times: dict[str, tuple[float, float]] = {}
        header, order = tree.first("HEADER"), tree.first("TIME_ORDER")
        if header is not None:
            unit = header.attributes.get("TIME_UNITS", "milliseconds")
            if unit != "milliseconds":
                self.refuse(f"times are in milliseconds; these are in {unit[:40]!r}", header)
        self.slots: dict[str, float | None] = {}
        for slot in [] if order is None else order.named("TIME_SLOT"):
            name = self.value(slot, "TIME_SLOT_ID")
            if name in self.slots:
                self.refuse(f"there are two time slots {name[:40]!r}", slot)
            self.slots[name] = self.time(slot)

    def tiers(self) -> list[EafTier]:
        """Find all times, then give the tiers."""
        elements = list(self.tree.named("TIER"))
        bodies = [[self.body(each) for each in tier.named("ANNOTATION")] for tier in elements]
        taken = {id(body) for tier in bodies for body in tier}
        for each in self.tree.everything():
            if each.name in (_ALIGNED, _REFERRING) and id(each) not in taken:
                self.refuse("an annotation stands alone in an <ANNOTATION> of a <TIER>", each)
        for tier in bodies:
            self.align([body for body in tier if body.name == _ALIGNED])
        self.refer(bodies)
        return [self.tier(*each) for each in zip(elements, bodies, strict=True)]

    def extent(self, tiers: Sequence[EafTier]) -> tuple[float, float] | None:
        """Give the extent that is noted in the header, wide enough for all annotations."""
        header = self.tree.first("HEADER")
        for noted in () if header is None else header.named("PROPERTY"):
            if noted.attributes.get("NAME") == EXTENT:
                found = _EXTENT.fullmatch(noted.text)
                if found is None:
                    self.refuse(f"the extent is two numbers; got {noted.text[:40]!r}", noted)
                low, high = sorted(map(float, found.groups()))
                times = [time for tier in tiers for each in tier.annotations for time in each[:2]]
                return min([low, *times]), max([high, *times])
        return None

    def tier(self, element: Element, bodies: Sequence[Element]) -> EafTier:
        names = ("ANNOTATOR", "PARTICIPANT", "LINGUISTIC_TYPE_REF")
        annotator, participant, kind = (element.attributes.get(name, "").strip() for name in names)
        tier = EafTier(self.value(element, "TIER_ID"), annotator, participant, kind)
        for body in bodies:
            times = self.times.get(self.value(body, "ANNOTATION_ID"))
            if times is None:
                self.refuse("the annotation refers to one that is not there", body)
            value = body.first("ANNOTATION_VALUE")
            text = "" if value is None else value.text
            tier.annotations.append(Aligned(*times, text, body.line))
        return tier

    def body(self, annotation: Element) -> Element:
        body = next(annotation.named(_ALIGNED, _REFERRING), None)
        if body is None:
            problem = "an annotation is aligned or refers to another; this one is neither"
            self.refuse(problem, annotation)
        return body

    def align(self, bodies: Sequence[Element]) -> None:
        """Give the aligned annotations of a tier their times."""
        ends = {self.value(body, _FROM): self.value(body, _TO) for body in bodies}
        times: dict[str, float | None] = {}
        for body in bodies:
            for slot in (body.attributes[_FROM], self.value(body, _TO)):
                if slot not in self.slots:
                    self.refuse(f"there is no time slot {slot[:40]!r}", body)
                times[slot] = self.slots[slot]
        if None in times.values():
            times |= _spread(ends, times)
        for body in bodies:
            start, end = times[body.attributes[_FROM]], times[body.attributes[_TO]]
            if start is None or end is None:
                self.refuse(
                    "a time slot has no time, and no neighbours between which it lies", body
                )
            self.keep(body, start / 1000, end / 1000)

    def refer(self, tiers: Sequence[Sequence[Element]]) -> None:
        """Give annotations that refer to others their times, from parents to children."""
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
                    self.keep(body, *times)
                    waiting.append(body.attributes["ANNOTATION_ID"])

    def keep(self, body: Element, start: float, end: float) -> None:
        name = self.value(body, "ANNOTATION_ID")
        if name in self.times:
            self.refuse(f"there are two annotations {name[:40]!r}", body)
        self.times[name] = start, end

    def time(self, slot: Element) -> float | None:
        written = slot.attributes.get("TIME_VALUE")
        if written is None:
            return None
        if not _WHOLE.fullmatch(written.strip()):
            self.refuse(f"a time is a whole number of milliseconds; got {written[:40]!r}", slot)
        return float(written)

    def value(self, element: Element, attribute: str) -> str:
        try:
            return element.attributes[attribute]
        except KeyError:
            self.refuse(f"<{element.name}> has no {attribute}", element)

    def refuse(self, problem: str, element: Element) -> NoReturn:
        raise ReadError(problem, path=self.path, line=element.line)


def _spread(ends: Mapping[str, str], times: Mapping[str, float | None]) -> dict[str, float | None]:
    """Put slots without a time at even distances between those of their tier that have one."""
    spread: dict[str, float | None] = {}
    for first, time in times.items():
        if time is None:
            continue
        chain = []
        slot = ends.get(first)
        while slot is not None and times[slot] is None and slot not in spread:
            chain.append(slot)
            spread[slot] = None
            slot = ends.get(slot)
        last = None if slot is None else times[slot]
        if last is not None:
            share = (last - time) / (len(chain) + 1)
            spread |= {slot: time + share * place for place, slot in enumerate(chain, start=1)}
    return spread


def _in_order(siblings: Sequence[Element]) -> Sequence[Element]:
    """Follow each annotation to the one after it; where that fails, keep the file's order."""
    after = {body.attributes.get("PREVIOUS_ANNOTATION"): body for body in siblings}
    chain: list[Element] = []
    body = after.get(None)
    while body is not None and len(chain) < len(siblings):
        chain.append(body)
        body = after.get(body.attributes.get("ANNOTATION_ID"))
    return chain if len(chain) == len(siblings) else siblings


_FORMAT = "ELAN"
_KIND = "unit"
_LATEST = 1e12  # seconds; every millisecond up to there is a whole number of its own
_HEADER = """<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT AUTHOR="" DATE="1970-01-01T00:00:00+00:00" FORMAT="3.0" VERSION="3.0" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:noNamespaceSchemaLocation="http://www.mpi.nl/tools/elan/EAFv3.0.xsd">
    <HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">"""


def write_eaf(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return one ELAN file a document, with a tier for each annotator.

    Positions are seconds, rounded to milliseconds, with a warning where that moves one. Units
    that overlap others of the same annotator get a further tier, ``ann [2]``.
    """
    layers = layers_of(corpus)
    one_layer = {"layers"} if len(layers) < 2 else ()
    warn_of_losses(corpus, _FORMAT, KEPT_IN_TIERS.union(one_layer))
    kind = layers[0] if len(layers) == 1 else _KIND
    checked_text(kind, "the layer", "corpus", _FORMAT)
    texts = {name: "\n".join(_lines(name, each, kind)) for name, each in corpus.items()}
    moved = [name for name, continuum in corpus.items() if _moves(continuum)]
    if moved:
        where = counted(len(moved), "document")
        msg = f"ELAN counts whole milliseconds: positions in {where} were rounded"
        warnings.warn(msg, stacklevel=3)
    return {file: texts[name] + "\n" for name, file in targets(corpus, path, ".eaf").items()}


def _lines(document: str, continuum: Continuum, layer: str) -> Iterator[str]:
    kind = escaped(layer)
    low, high = continuum.extent
    if high > _LATEST:
        msg = f"{document}: {high:g} seconds is more than {_FORMAT} can say"
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
        who, name = escaped(lane.annotator), escaped(lane.name)
        yield f'    <TIER ANNOTATOR="{who}" LINGUISTIC_TYPE_REF="{kind}" TIER_ID="{name}">'
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


def _moves(continuum: Continuum) -> bool:
    bounds = {*continuum.starts.tolist(), *continuum.ends.tolist()}
    return any(_milliseconds(bound) / 1000 != bound for bound in bounds)
