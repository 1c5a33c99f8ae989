"""ELAN files of a corpus: a tier for each annotator, times in whole milliseconds."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from unisono.errors import DataError
from unisono.formats.elan import EXTENT
from unisono.formats.layers import KEPT_IN_TIERS, checked_text, lanes, layers_of, written_label
from unisono.formats.losses import warn_of_losses
from unisono.formats.output import targets
from unisono.formats.safe_xml import escaped
from unisono.model.naming import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus


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
