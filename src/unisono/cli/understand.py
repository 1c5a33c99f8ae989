"""The command that makes one annotation of many: ``unisono consensus``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import (
    OUTPUT,
    Csv,
    Json,
    Paths,
    Rows,
    Searching,
    Weights,
    WrittenFormat,
    check_rows,
    written_format_named,
)
from unisono.cli.progress import Watch
from unisono.cli.terminal import consensus as consensus_text
from unisono.errors import DataError, SettingError, worded
from unisono.formats.write import check_writable, write
from unisono.model.corpus import read_from
from unisono.model.labels import label_text
from unisono.results.wording import count
from unisono.studies import consensus as consensus_finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from unisono.model.corpus import Corpus
    from unisono.studies.consensus_result import Consensus


CONSENSUS_EXAMPLES = """\
Examples:

  unisono consensus turns.csv --csv gold.csv
  unisono consensus brat-project/ -o gold/ --to brat --atom 1
  unisono consensus talk.eaf -o gold.TextGrid
  unisono consensus interviews/ --support 0.6 --undecided to-decide.csv
  unisono consensus entities.csv --atom 1"""
CONSENSUS = Group("Consensus", sort_key=5)
_HEADINGS = (
    *("document", "annotator", "start", "end", "label", "group", "n_annotators"),
    *("support", "label_support", "start_spread", "end_spread"),
)
_UNDECIDED_HEADINGS = ("document", "annotator", "start", "end", "label", "group", "why", "reason")
_FOUND_IN = "--csv or --json has all"


def consensus(
    *paths: Paths,
    support: Annotated[float, Parameter(metavar="SHARE", group=CONSENSUS)] = 0.5,
    atom: Annotated[float | None, Parameter(metavar="LENGTH", group=CONSENSUS)] = None,
    weights: Weights = Weights(),  # noqa: B008 - frozen
    searching: Searching = Searching(),  # noqa: B008 - frozen
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
    target: Annotated[
        str | None, Parameter(name=["--output", "-o"], metavar="TARGET", group=OUTPUT)
    ] = None,
    to: Annotated[WrittenFormat, Parameter(group=OUTPUT)] = "auto",
    undecided: Annotated[str | None, Parameter(metavar="FILE", group=OUTPUT)] = None,
    rows: Rows = 40,
) -> None:
    """Make one annotation of what most annotators share.

    Parameters
    ----------
    paths
        Files or folders of tables: annotator, start, end, label.
    support
        Share of the annotators who must have a unit in a group; two at least.
    atom
        What places are whole numbers of, such as 1 for characters; medians are then rounded.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a unit of the consensus, with its support, to a file or else to stdout.
    target
        File or folder for the consensus in a format that annotation tools read.
    to
        That format; told by the suffix if not said.
    undecided
        A file for the units of groups that are left to decide, one row a unit.
    rows
        Units and groups to show in the tables.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["consensus", "talk.csv", "--support", "half"])
    2
    """
    output.check_target(as_csv, inputs=paths, as_json=as_json)
    output.check_target(undecided, inputs=paths, as_json=False, option="--undecided")
    if undecided == output.STDOUT or (undecided is not None and undecided == as_csv):
        msg = "--undecided needs the name of a file of its own"
        raise SettingError(msg)
    check_rows(rows)
    _check_written(target, to, as_csv, undecided, inputs=paths)
    with Watch() as watch:
        corpus = reading.corpus(paths, watch)
        found = consensus_finding.consensus(
            corpus,
            support=support,
            atom=atom,
            dissimilarity=weights.dissimilarity(),
            progress=watch.counting("aligning"),
            **searching.given(),
        )
        if target is not None:
            watch.phase("writing")
            made = read_from(found.corpus, paths)
            _write(made, target, to, has_atoms=atom is not None)
    if as_csv is not None:
        output.write_units(as_csv, _HEADINGS, found.rows())
    if undecided is not None:
        output.write_csv(undecided, _UNDECIDED_HEADINGS, undecided_rows(found), of_data=True)
    if as_json:
        output.print_json(found.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(*_tables(found, rows=rows))
        if target is not None:
            written = count(len(found.units), "unit")
            output.print_done(f"{written} written to {target}")


def undecided_rows(found: Consensus) -> Iterator[list[Any]]:
    """Give a row for each unit that is left to decide, with its group and why.

    Parameters
    ----------
    found
        What ``consensus`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.cli.understand import undecided_rows
    >>> talk = un.Continuum.from_units([("ann", 0, 2, "A"), ("bob", 0, 2, "B")])
    >>> next(undecided_rows(un.consensus(talk)))
    ['', 'ann', 0.0, 2.0, 'A', 1, 'labels', 'the labels A, B have 1 vote each']
    """
    for group in found.undecided:
        for unit in group.units:
            place = [group.document, unit.annotator, unit.start, unit.end, label_text(unit.label)]
            yield [*place, group.group, group.why, group.reason]


def _check_written(target: str | None, to: str, *others: str | None, inputs: Sequence[str]) -> None:
    """Refuse a target that cannot be written, before anything is computed."""
    if target is None:
        if to != "auto":
            msg = f"--to {to} is the format of --output; say where to write as well"
            raise SettingError(msg)
        return
    if target == output.STDOUT:
        msg = "--output needs the name of a file or a folder; --csv writes to stdout"
        raise SettingError(msg)
    for other in others:
        output.check_apart(target, other, options="--output and another option")
    if not Path(target).is_dir():
        output.check_target(target, inputs=inputs, as_json=False, option="--output")
    with worded(written_format_named):
        check_writable(target, format=to)


def _write(made: Corpus, target: str, to: str, *, has_atoms: bool) -> None:
    try:
        write(made, target, format=to, overwrite_input=output.may_overwrite_input())
    except DataError as error:
        units = (unit for continuum in made.values() for unit in continuum)
        if has_atoms or all(unit.start % 1 == unit.end % 1 == 0 for unit in units):
            raise
        msg = f"{error}. --atom 1 rounds medians to whole places"
        raise DataError(msg) from None


def _tables(found: Consensus, *, rows: int) -> list[RenderableType]:
    only = len(found.documents) == 1 and not found.left_out_documents
    title = next(iter(found.documents)) if only else count(len(found.documents), "document")
    shown: list[RenderableType] = []
    if not found.units:
        shown.append(consensus_text.nothing_decided())
    shown.append(
        consensus_text.consensus_table(
            found, title=title, limit=rows, rest=_FOUND_IN, by_document=not only
        )
    )
    if found.undecided:
        shown.append(
            consensus_text.undecided_table(
                found, limit=rows, rest="--undecided FILE or --json has all", by_document=not only
            )
        )
    return shown
