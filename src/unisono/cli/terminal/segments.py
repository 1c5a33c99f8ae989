"""Results on segmentations as text: the measures side by side, pairs of annotators, documents."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from unisono.cli.terminal.blocks import and_more, grid, numbers, sentence, signature_line
from unisono.measures.segmentation.comparison import segmentation_facts
from unisono.registry import MEASURES
from unisono.results.agreement import outcome, reasons
from unisono.results.wording import decimals, printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from unisono.measures.segmentation.comparison import SegmentationAgreement
    from unisono.results.agreement import Agreement, Row


# Which measure says what is worst: the ones that were made to mend others come first.
_ORDER = ("boundary_similarity", "window_diff", "generalized_hamming", "pk")


def measures(
    results: Mapping[str, SegmentationAgreement],
    *,
    title: str | None = None,
    limit: int = 10,
    rest: str = "result.by_pair and result.documents have all",
) -> Group:
    """Set measures of the same segmentations side by side, then pairs and documents."""
    rows = _rows(results)
    parts: list[RenderableType] = [] if title is None else [Text(printable(title), style="bold")]
    headings = ["measure", "value", "observed", "expected", "perfect"]
    parts.append(numbers(headings, [_cells(name, of, perfect) for name, of, perfect in rows]))
    named: list[Row] = [(name, of) for name, of, _ in rows]
    parts.extend(sentence(reason) for reason in reasons(named))
    parts += [Text(), grid(_facts(results)), Text()]
    parts.extend(signature_line(result.signature) for result in results.values())
    first = next(iter(results.values()))
    if len(_pairs(first)) > 1:
        tables = {name: _pairs(result) for name, result in results.items()}
        parts += [Text(), *_breakdown("annotators", results, tables, limit, rest)]
    if len(first.documents) > 1:
        of_documents = {
            name: {document: (of.value, of.observed) for document, of in result.documents.items()}
            for name, result in results.items()
        }
        parts += [Text(), *_breakdown("document", results, of_documents, limit, rest)]
    return Group(*parts)


def _rows(results: Mapping[str, SegmentationAgreement]) -> list[tuple[str, Agreement, int]]:
    rows: list[tuple[str, Agreement, int]] = []
    for name, result in results.items():
        rows.append((name, result, result.perfect))
        for letter, corrected in (("π", result.pi), ("κ", result.kappa)):
            if corrected is not None:
                rows.append((f"{letter} of {MEASURES[name].symbol}", corrected, 1))
    return rows


def _cells(name: str, result: Agreement, perfect: int) -> list[str]:
    return [
        name,
        outcome(result),
        decimals(result.observed),
        decimals(result.expected),
        str(perfect),
    ]


def _facts(results: Mapping[str, SegmentationAgreement]) -> list[tuple[str, str]]:
    """Give what is true of all measures once, and the notes with whom they are about."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, result in results.items():
        for fact in segmentation_facts(result):
            if fact[0] != "reading":
                found.setdefault(fact, []).append(name)
    # Notes last, whoever made them.
    in_order = sorted(found, key=lambda fact: fact[0] == "note")
    return [
        (kind, f"{', '.join(found[kind, fact])}: {fact}")
        if kind == "note" and len(found[kind, fact]) < len(results)
        else (kind, fact)
        for kind, fact in in_order
    ]


def _pairs(result: SegmentationAgreement) -> dict[str, tuple[float, float]]:
    """Give value and disagreement of each two annotators, the mean of both orders."""
    found = {}
    for (one, other), of in result.by_pair.items():
        if one < other:
            back = result.by_pair.get((other, one), of)
            value, observed = ((of.value + back.value) / 2, (of.observed + back.observed) / 2)
            found[f"{one} – {other}"] = (value, observed)
    return found


def _breakdown(
    what: str,
    results: Mapping[str, SegmentationAgreement],
    tables: Mapping[str, Mapping[str, tuple[float, float]]],
    limit: int,
    rest: str,
) -> Sequence[RenderableType]:
    by = next((name for name in _ORDER if name in results), next(iter(results)))

    def agreement(name: str) -> tuple[float, str]:
        observed = tables[by][name][1]
        return (math.inf if math.isnan(observed) else -observed, name)

    names = sorted(tables[by], key=agreement)
    cells = [
        [printable(name), *(decimals(tables[measure][name][0]) for measure in results)]
        for name in names[:limit]
    ]
    shown: list[RenderableType] = [
        numbers([what, *(MEASURES[name].symbol for name in results)], cells)
    ]
    kind = "pair" if what == "annotators" else what
    return [*shown, *and_more(len(names) - limit, rest, kind)]
