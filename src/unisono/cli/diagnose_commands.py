"""The command that says why annotators disagree: ``unisono diagnose``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono.cli import output
from unisono.cli.exit_codes import ExitCode
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
from unisono.cli.options.work import Bearing, code_for
from unisono.cli.progress import Watch
from unisono.cli.terminal import diagnosis as diagnosis_text
from unisono.results.record import label_keys, plain_number
from unisono.results.wording import documents_told
from unisono.studies import diagnosis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unisono.studies.diagnosis_result import Diagnosis, Parts


DIAGNOSE_EXAMPLES = """\
Examples:

  unisono diagnose turns.csv
  unisono diagnose interviews/ --annotators corpus --csv parts.csv
  unisono diagnose turns.csv --json | jq .parts"""
_HEADINGS = (
    *("scope", "name", "position", "label", "missing", "total", "loss"),
    *("n_units", "missed", "alone", "pairs"),
)


def diagnose(
    *paths: Paths,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    chance: ChanceModel = "shift",
    drawing: Drawing = Drawing(),  # noqa: B008 - frozen
    work: Bearing = Bearing(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 10,
) -> ExitCode:
    """Split disagreement into position, labels and missing units.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    chance
        Shift units, mix documents, draw from a fitted model, or do as the authors' program does.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a part of the data, to a file or else to stdout.
    rows
        Lines of each table to show.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["diagnose", "talk.csv", "--csv", "--json"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    check_rows(rows)
    settings = drawing.given()
    dissimilarity = weights.dissimilarity(chance)
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        watch.phase("aligning")
        with work.opened(drawing.workers) as sent:
            found = diagnosis.diagnose(
                corpus,
                dissimilarity=dissimilarity,
                chance=chance,
                progress=watch if watch.somebody_watches else None,
                **searching.given(),
                **settings,
                **sent,
            )
    if as_csv is not None:
        output.write_csv(as_csv, _HEADINGS, part_rows(found))
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        only = documents_told(corpus)
        output.print_table(
            *diagnosis_text.diagnosis_tables(
                found, title=only, limit=rows, rest="--csv or --json has all"
            )
        )
    return code_for(found.gamma)


def part_rows(found: Diagnosis) -> Iterator[list[Any]]:
    """Give a row for all, and for each label, annotator, confusion and document.

    Those of labels, of annotators and of documents each add up to that of all. The loss is what
    they take away from γ.

    Parameters
    ----------
    found
        What ``diagnose`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.cli.diagnose_commands import part_rows
    >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> [row[:4] for row in part_rows(un.diagnose(talk, draws=30, rng=1))][:2]
    [['all', '', 0.0, 1.0], ['label', 'A', 0.0, 0.5]]
    """
    expected = found.gamma.expected

    def row(scope: str, name: str, parts: Parts, *more: int | None) -> list[Any]:
        total = parts.total
        loss = total / expected if expected > 0.0 else None
        told = [plain_number(each) for each in (*parts, total, loss)]
        return [scope, name, *told, *more, *[None] * (4 - len(more))]

    yield row("all", "", found.parts, found.gamma.n_units)
    keys = label_keys(found.by_label)
    for label, of_label in found.by_label.items():
        yield row("label", keys[label], of_label.parts, of_label.n_units)
    for name, of_annotator in found.by_annotator.items():
        yield row("annotator", name, *of_annotator)
    for confusion in found.confusions:
        names = " – ".join(keys[label] for label in confusion.labels)
        parts = type(found.parts)(0.0, confusion.disorder, 0.0)
        yield row("confusion", names, parts, None, None, None, confusion.pairs)
    for name, document in found.documents.items():
        weighed = type(found.parts)(*(document.weight * part for part in document.parts))
        yield row("document", name, weighed, document.gamma.n_units)
