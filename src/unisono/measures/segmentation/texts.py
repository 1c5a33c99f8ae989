"""What is compared: the texts, and of each the segmentations of its annotators."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from unisono.errors import DataError
from unisono.model.columns import as_name
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.labels import label_bytes
from unisono.model.naming import counted, listed
from unisono.model.segmentation import Segmentation, segmentations

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Cut", "Text", "Texts", "texts_of"]

Cut: TypeAlias = (
    "Segmentation | Mapping[str, Segmentation] | Mapping[str, Mapping[str, Segmentation]] "
    "| Continuum | Corpus"
)
"""What measures of segmentations take."""
_REFERENCE, _HYPOTHESIS = "reference", "hypothesis"


@dataclass(frozen=True, slots=True)
class Text:
    """One text: who cut it how, by name and in the order of names."""

    cuts: dict[str, Segmentation]

    @property
    def length(self) -> int:
        """The number of atoms."""
        return next(iter(self.cuts.values())).length

    @property
    def digest(self) -> str:
        """SHA-256 of names and segmentations, in hexadecimal."""
        content = hashlib.sha256(b"unisono segmentations 1\n")
        for name, cut in self.cuts.items():
            content.update(label_bytes(name) + cut.digest.encode())
        return content.hexdigest()


@dataclass(frozen=True, slots=True)
class Texts:
    """All texts by name; one without a name is no corpus."""

    documents: dict[str | None, Text]
    directed: bool
    """Whether one segmentation is the reference and the other is not."""

    @property
    def digest(self) -> str:
        """SHA-256 of the documents of a corpus, in hexadecimal."""
        content = hashlib.sha256(b"unisono segmented corpus 1\n")
        for name, text in self.documents.items():
            content.update(label_bytes(str(name)) + text.digest.encode())
        return content.hexdigest()

    def pairs(self, text: Text, *, symmetric: bool) -> Iterator[tuple[str, str]]:
        """Give which two are to be compared, the reference first where it matters."""
        if self.directed:
            yield _REFERENCE, _HYPOTHESIS
            return
        names = list(text.cuts)
        for i, one in enumerate(names):
            for j, other in enumerate(names):
                if i < j or (i > j and not symmetric):
                    yield one, other


def texts_of(first: Cut, second: Segmentation | None) -> Texts:
    """Take what a measure was given for texts, and check it."""
    if second is not None:
        if not (isinstance(first, Segmentation) and isinstance(second, Segmentation)):
            kinds = f"{type(first).__name__} and {type(second).__name__}"
            msg = f"two segmentations are compared, or one table of them; got {kinds}"
            raise TypeError(msg)
        text = _text({_REFERENCE: first, _HYPOTHESIS: second}, None)
        return Texts({None: text}, directed=True)
    if isinstance(first, Segmentation):
        msg = "a segmentation is compared with another one; only one is given"
        raise TypeError(msg)
    table: object = first
    if isinstance(first, Continuum | Corpus):
        try:
            table = segmentations(first)
        except DataError as error:
            msg = f"{error} (such settings are those of segmentations(), whose result is taken too)"
            raise DataError(msg) from None
    if not isinstance(table, Mapping):
        msg = (
            "segmentations are given two by two, by annotator, by document and annotator, or as a "
            f"Continuum or a Corpus; got {type(first).__name__}"
        )
        raise TypeError(msg)
    if table and all(isinstance(inside, Mapping) for inside in table.values()):
        named = _named(table, "document")
        return Texts({name: _text(named[name], name) for name in sorted(named)}, directed=False)
    return Texts({None: _text(table, None)}, directed=False)


def _text(cuts: Mapping[str, object], document: str | None) -> Text:
    where = "" if document is None else f"document {document!r}: "
    named = _named(cuts, "annotator")
    in_order: dict[str, Segmentation] = {}
    for name in sorted(named):
        cut = named[name]
        if not isinstance(cut, Segmentation):
            msg = f"{where}{name!r} has no Segmentation but {type(cut).__name__}"
            raise TypeError(msg)
        in_order[name] = cut
    names = list(in_order)
    for name in names[1:]:
        if in_order[name].length != in_order[names[0]].length:
            lengths = " and ".join(
                f"{each!r} {counted(in_order[each].length, 'atom')}" for each in (names[0], name)
            )
            msg = f"{where}segmentations of one text are equally long; {lengths}"
            raise DataError(msg)
    return Text(in_order)


def _named(table: Mapping[Any, Any], what: str) -> dict[str, Any]:
    """Check the names; the number 1 and the text "1" are the same one."""
    article = "an" if what == "annotator" else "a"
    named = {as_name(name, f"{article} {what}"): inside for name, inside in table.items()}
    if len(named) < len(table):
        msg = f"two {what}s cannot share a name; got {listed(table)}"
        raise DataError(msg)
    return named
