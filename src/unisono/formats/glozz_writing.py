"""Glozz files of a corpus: units in an .aa file, the text, where it is known, in an .ac file."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import DataError
from unisono.formats.glozz import is_layout
from unisono.formats.layers import checked_text, written_label
from unisono.formats.losses import warn_of_losses
from unisono.formats.output import targets
from unisono.formats.safe_xml import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus
    from unisono.model.unit import Unit


_FORMAT = "Glozz"
_KEEPS = frozenset({"units in pieces", "attributes", "layers", "labels that are numbers"})


def write_glozz(corpus: Corpus, path: Path) -> dict[Path, str]:
    """Return one .aa file a document: the annotator is the author, the label the type.

    Attributes that are texts become features, and relations and schemas that were read are
    written again. A warning tells of annotators without units, who have no place in Glozz.
    """
    has_texts = all(continuum.text is not None for continuum in corpus.values())
    warn_of_losses(corpus, _FORMAT, _KEEPS.union({"extents of documents"} if has_texts else ()))
    texts = {name: "\n".join(_lines(name, continuum)) for name, continuum in corpus.items()}
    files = {}
    for name, file in targets(corpus, path, ".aa").items():
        files[file] = texts[name] + "\n"
        text = corpus[name].text
        if text is not None:
            files[file.with_suffix(".ac")] = text
    return files


def _lines(document: str, continuum: Continuum) -> Iterator[str]:
    places = _utf16_places(continuum.text)
    wholes: dict[str, _Whole] = {}

    def said(text: str) -> str:
        return escaped(checked_text(text, "an attribute or a name", document, _FORMAT))

    yield '<?xml version="1.0" encoding="UTF-8" standalone="no"?>'
    yield "<annotations>"
    for number, unit in enumerate(continuum, start=1):
        label = written_label(unit, document, _FORMAT)
        start, end = _whole_numbers(unit, document)
        if is_layout(unit.annotator, label):
            msg = (
                f"{document}: {unit.annotator!r} has a unit {label!r}, which Glozz takes for the "
                "layout of the text; rename the label or the annotator first"
            )
            raise DataError(msg)
        own = str(unit.attributes.get("id", f"{unit.annotator}_{number}"))
        yield f'<unit id="{said(own)}">'
        features = {
            name: value
            for name, value in unit.attributes.items()
            if isinstance(value, str) and name not in {"layer", "id"}
        }
        yield from _head(said, unit.annotator, number, label, features)
        yield f'<positioning><start><singlePosition index="{places[start] if places else start}"/>'
        yield f'</start><end><singlePosition index="{places[end] if places else end}"/></end>'
        yield "</positioning>"
        yield "</unit>"
        wholes |= {whole.name: whole for whole in _wholes(unit)}
    for number, whole in enumerate(wholes.values(), start=1):
        yield f'<{whole.kind} id="{said(whole.name)}">'
        yield from _head(said, whole.author, number, whole.type, whole.features)
        members = [
            (wholes[name].kind if name in wholes else "unit", name) for name in whole.members
        ]
        yield "<positioning>"
        for kind, name in members:
            tag = "term" if whole.kind == "relation" else f"embedded-{kind}"
            yield f'<{tag} id="{said(name)}"/>'
        yield "</positioning>"
        yield f"</{whole.kind}>"
    yield "</annotations>"


def _head(
    said: Callable[[str], str], author: str, number: int, kind: str, features: Mapping[str, str]
) -> Iterator[str]:
    """Write who made a unit, a relation or a schema, and what it is."""
    yield f"<metadata><author>{said(author)}</author><creation-date>{number}</creation-date>"
    yield "<lastModifier>n/a</lastModifier><lastModificationDate>0</lastModificationDate>"
    yield "</metadata>"
    yield f"<characterisation><type>{said(kind)}</type>"
    yield "<featureSet>"
    for name, value in features.items():
        yield f'<feature name="{said(name)}">{said(value)}</feature>'
    yield "</featureSet>"
    yield "</characterisation>"


class _Whole(NamedTuple):
    """A relation or a schema, as the reader keeps it in the attributes of units."""

    kind: str
    name: str
    type: str
    author: str
    features: Mapping[str, str]
    members: Sequence[str]


def _wholes(unit: Unit) -> Iterator[_Whole]:
    for kind in ("relation", "schema"):
        told = unit.attributes.get(f"{kind}s")
        for each in told if isinstance(told, list | tuple) else ():
            if isinstance(each, dict) and {"id", "type", "members"} <= each.keys():
                features = {
                    name: str(value)
                    for name, value in each.items()
                    if name not in {"id", "type", "author", "members"}
                }
                yield _Whole(
                    kind,
                    str(each["id"]),
                    str(each["type"]),
                    str(each.get("author", "")),
                    features,
                    [str(member) for member in each["members"]],
                )


def _whole_numbers(unit: Unit, document: str) -> tuple[int, int]:
    if not (unit.start.is_integer() and unit.end.is_integer()):
        msg = (
            f"{document}: Glozz counts characters, whole numbers; {unit.annotator!r} has "
            f"[{unit.start}, {unit.end}]"
        )
        raise DataError(msg)
    return int(unit.start), int(unit.end)


def _utf16_places(text: str | None) -> Sequence[int] | None:
    """Give where each character begins, counted as Java does; `None` if that is the same."""
    if text is None or text.isascii() or max(text) <= "\uffff":
        return None
    return [0, *accumulate(2 if character > "\uffff" else 1 for character in text)]
