"""What a format cannot hold of a corpus, said before it is lost."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from unisono.formats.gathering import labels_from_text
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Container

    from unisono.model.corpus import Corpus


_FROM_THE_READER = frozenset({"layer", "type", "id"})


def warn_of_losses(corpus: Corpus, title: str, keeps: Container[str]) -> None:
    """Warn of what a file will not hold.

    Parameters
    ----------
    corpus
        What is to be written.
    title
        What the format is called.
    keeps
        What it can hold, among "annotators without units", "pieces", "attributes", "layers",
        "extents", "numbers" (as labels), "texts" (as labels, whatever they look like).
    """
    lost = []
    for thing, number in _counts(corpus).items():
        if number and thing not in keeps:
            lost.append(f"{thing} ({number:,})")
    if lost:
        msg = f"{title} cannot hold {', '.join(lost)}; JSON Lines (.jsonl) can"
        warnings.warn(msg, stacklevel=4)


def _counts(corpus: Corpus) -> dict[str, int]:
    counts = dict.fromkeys(
        (
            "annotators without units",
            "units in pieces",
            "attributes",
            "layers",
            "extents of documents",
            "labels that are numbers",
            "labels that look like numbers",
        ),
        0,
    )
    layers = set()
    for continuum in corpus.values():
        counts["annotators without units"] += int((continuum.counts == 0).sum())
        if len(continuum) == 0 or continuum.extent != (
            float(continuum.starts.min()),
            float(continuum.ends.max()),
        ):
            counts["extents of documents"] += 1
        for detail in continuum.details.values if continuum.details is not None else ():
            counts["units in pieces"] += bool(detail.fragments)
            counts["attributes"] += bool(detail.attributes.keys() - _FROM_THE_READER)
            layers.add(detail.attributes.get("layer"))
    counts["layers"] = len(layers - {None})
    texts = [label for label in corpus.labels if isinstance(label, str)]
    numbers = [label for label in corpus.labels if isinstance(label, int | float)]
    counts["labels that are numbers"] = len(numbers)
    together = labels_from_text([label_text(label) for label in (*texts, *numbers)])
    if texts and any(not isinstance(label, str) for label in together):
        counts["labels that look like numbers"] = len(texts)
    return counts
