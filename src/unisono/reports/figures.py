"""The charts of a report, each with what it shows in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono import charts
from unisono.charts.style import same_colours
from unisono.errors import DataError, SettingError, UnisonoError
from unisono.reports.composing import NO_CHARTS
from unisono.results.sheet import Figure, quoted, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from unisono.charts.altair_door import Chart
    from unisono.measures.gamma.gamma_result import GammaResult
    from unisono.reports.findings import Findings


_FEW_LABELS = 40


def drawn_figures(found: Findings) -> tuple[Mapping[str, Figure], str]:
    """Draw the charts that these data allow.

    Parameters
    ----------
    found
        What was found.

    Returns
    -------
    tuple
        The charts by name, and a sentence that says why there are none, or nothing.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.reports.figures import drawn_figures
    >>> from unisono.reports.findings import find
    >>> figures, why_none = drawn_figures(find(un.read("examples/corpus"), draws=30, rng=1))
    >>> sorted(figures), why_none
    (['alignment', 'annotators', 'confusions', 'consensus', 'draws', 'labels', 'parts'], '')
    """
    if not charts.can_draw():
        return {}, NO_CHARTS
    drawn: dict[str, Figure] = {}
    for name, title, description, chart in _asked(found):
        try:
            picture = charts.chart_svg(chart())
        except (DataError, SettingError):
            # Such a chart does not fit these data; the numbers stand in the tables.
            continue
        except UnisonoError as error:
            return {}, f"There are no charts: {shown(str(error))}."
        drawn[name] = Figure(title, description, picture)
    return drawn, ""


def _asked(found: Findings) -> Iterator[tuple[str, str, str, Callable[[], Chart]]]:
    result, diagnosis = found.gamma, found.diagnosis
    if result.undefined:
        return
    yield (
        "draws",
        "Observed and random disorder.",
        "Each random continuum has a disorder; γ compares their mean with what was observed.",
        lambda: charts.draws_chart(result),
    )
    if 1 < len(result.by_label) <= _FEW_LABELS:
        yield (
            "labels",
            "Agreement on each label.",
            (
                f"γk with its {_intervals(result)}: how well pairs with at least one unit of the "
                "label agree on it."
            ),
            lambda: charts.label_chart(result),
        )
    if diagnosis is not None and diagnosis.parts.total > 0.0:
        yield (
            "parts",
            "What the disorder is made of.",
            "Position, labels and missing units, in all and by label.",
            lambda: charts.parts_chart(diagnosis),
        )
        if any(each.disorder for each in diagnosis.confusions):
            yield (
                "confusions",
                "Which labels are confused.",
                "Pairs of aligned units, weighed as γcat does.",
                lambda: charts.confusion_chart(diagnosis),
            )
    if found.pairs is not None:
        pairs = found.pairs
        yield (
            "annotators",
            "Who agrees with whom.",
            "γ of every two annotators, each measured without the others.",
            lambda: charts.annotator_chart(pairs),
        )
    yield from _lanes(found)


def _lanes(found: Findings) -> Iterator[tuple[str, str, str, Callable[[], Chart]]]:
    result, consensus = found.gamma, found.consensus
    document = ""
    if result.documents:
        ranked = [each.document for each in found.advice.documents] if found.advice else []
        document = next(iter(ranked or result.documents))
        result = result.documents[document]
    if result.alignment is None or not len(result.alignment):
        return
    of = f" Document {quoted(document)}, which has the most disorder." if found.several else ""
    labels = same_colours(found.data.labels)
    yield (
        "alignment",
        "The best alignment.",
        (
            f"A lane for each annotator; lines join the units of a group, and rings mark who has "
            f"none.{of}"
        ),
        lambda: charts.alignment_chart(result, labels=labels),
    )
    if consensus is not None:
        yield (
            "consensus",
            "The consensus beside what annotators marked.",
            f"Faint units have little support, whiskers show how far bounds are spread.{of}",
            lambda: charts.consensus_chart(
                consensus, found.data, document=document or None, labels=labels
            ),
        )


def _intervals(result: GammaResult) -> str:
    if any(each.interval for each in result.by_label.values()):
        return "intervals, over documents (thin) and Monte Carlo (thick)"
    return "Monte Carlo interval"
