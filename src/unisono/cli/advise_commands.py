"""The command that says what to do about disagreement: ``unisono advise``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.options.chance import Drawing
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import (
    ChanceModel,
    Csv,
    Json,
    Paths,
    Rows,
    Searching,
    Weights,
    check_rows,
)
from unisono.cli.options.work import Sending
from unisono.cli.progress import Watch
from unisono.cli.terminal import advice as advice_text
from unisono.model.labels import label_text
from unisono.results.record import plain_number
from unisono.results.wording import documents_told
from unisono.studies import advice as advising
from unisono.studies import diagnosis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.studies.advice_result import Advice, Gain


ADVISE_EXAMPLES = """\
Examples:

  unisono advise turns.csv
  unisono advise interviews/ --annotators corpus --csv to-decide.csv
  unisono advise turns.csv --merges 20 --json | jq .merges"""
_TRIED = Group("What is tried", sort_key=5)
_HEADINGS = (
    *("advice", "name", "document", "start", "end", "share", "loss", "value", "gain"),
    *("low", "high", "certain"),
)


def advise(
    *paths: Paths,
    merges: Annotated[int, Parameter(metavar="N", group=_TRIED)] = 5,
    leave_out: Annotated[int, Parameter(metavar="N", group=_TRIED)] = 20,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Sending = Sending(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 10,
) -> None:
    """Say what to decide first, and what changes would gain.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    merges
        Pairs of confused labels to try, the costliest first; γ is computed again for each.
    leave_out
        Annotators to leave out, one at a time, those with the most disorder first.
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a place, document, merge and annotator, to a file or else to stdout.
    rows
        Lines of each table to show.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["advise", "talk.csv", "--csv", "--json"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_rows(rows)
    settings = drawing.given()
    dissimilarity = weights.dissimilarity(chance)
    with Watch() as watch, work.opened(drawing.workers) as sent:
        corpus = reading.corpus(paths, watch)
        progress = watch if watch.somebody_watches else None
        watch.phase("aligning")
        diagnosed = diagnosis.diagnose(
            corpus,
            dissimilarity=dissimilarity,
            chance=chance,
            progress=progress,
            **searching.given(),
            **settings,
            **sent,
        )
        watch.phase("comparing")
        found = advising.advise(
            corpus,
            dissimilarity=dissimilarity,
            diagnosis=diagnosed,
            most_groups=max(rows, 1000) if as_json or as_csv else rows,
            most_merges=merges,
            most_annotators=leave_out,
            workers=settings.get("workers"),
            executor=sent.get("executor"),
            progress=progress,
        )
    if as_csv is not None:
        output.write_csv(as_csv, _HEADINGS, advice_rows(found))
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        only = documents_told(corpus)
        output.print_table(
            *advice_text.advice_tables(
                found, title=only, limit=rows, rest="--csv or --json has more"
            )
        )


def advice_rows(found: Advice) -> Iterator[list[Any]]:
    """Give a row for each place to decide, document, pair of labels and annotator.

    Parameters
    ----------
    found
        What ``advise`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.cli.advise_commands import advice_rows
    >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> [row[:6] for row in advice_rows(un.advise(talk, draws=30, rng=1))][0]
    ['decide', '1', '', 0.0, 2.0, 1.0]
    """
    for group in found.adjudicate:
        place = [group.document, group.start, group.end, group.share, plain_number(group.loss)]
        yield ["decide", str(group.group), *place, *[None] * 5]
    for each in found.documents:
        shares = [each.share, plain_number(each.loss), plain_number(each.value)]
        yield ["document", each.document, each.document, None, None, *shares, *[None] * 4]
    for merge in found.merges:
        names = " – ".join(label_text(label) or "(no label)" for label in merge.labels)
        yield ["merge", names, *[None] * 5, *_gained(merge.gain)]
    for left in found.annotators:
        yield ["leave out", left.annotator, *[None] * 5, *_gained(left.gain)]


def _gained(gain: Gain) -> list[Any]:
    ends = (None, None) if gain.interval is None else (gain.interval.low, gain.interval.high)
    numbers = [plain_number(each) for each in (gain.value, gain.gain, *ends)]
    return [*numbers, "yes" if gain.certain else "no"]
