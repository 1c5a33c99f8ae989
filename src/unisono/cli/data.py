"""The commands on data: ``unisono describe`` and ``unisono convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import (
    OUTPUT,
    Json,
    Paths,
    Rows,
    WrittenFormat,
    check_rows,
    written_format_named,
)
from unisono.cli.output import Watch
from unisono.cli.terminal.description import description
from unisono.errors import SettingError, worded
from unisono.formats.write import check_writable, write
from unisono.results.wording import count

DESCRIBE_EXAMPLES = """\
Examples:

  unisono describe annotations/
  unisono describe talk.eaf --layer turns
  unisono describe export.json --json | jq .measures"""
CONVERT_EXAMPLES = """\
Examples:

  unisono convert brat-project/ units.csv
  unisono convert export.json out/ --to textgrid
  unisono convert talk.eaf units.jsonl --layer turns"""


def describe(
    *paths: Paths,
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Json = False,
    rows: Rows = 10,
) -> None:
    """Say what files hold and which measures fit, before any number.

    Parameters
    ----------
    paths
        Files or folders in any format.
    as_json
        JSON on stdout, with everything.
    rows
        Annotators, labels and remarks to show.
    """
    check_rows(rows)
    with Watch() as watch:
        found = reading.description(paths, watch)
    if as_json:
        output.print_json(found.to_dict())
    else:
        output.print_table(description(found, title=", ".join(paths), limit=rows))


def convert(
    *paths: Paths,
    to: Annotated[WrittenFormat, Parameter(group=OUTPUT)] = "auto",
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Write what files hold in another format.

    Parameters
    ----------
    paths
        Files or folders in any format, then a file or folder to write.
    to
        The format to write; told by the suffix if not said.
    """
    if len(paths) < 2:
        msg = "convert needs what to read, and where to write, as in: talk.eaf units.csv"
        raise SettingError(msg)
    *inputs, target = paths
    path = Path(target)
    if not path.is_dir():
        output.check_target(target, inputs=inputs, as_json=False, option="")
    with worded(written_format_named):
        check_writable(target, format=to)
    with Watch() as watch:
        corpus = reading.corpus(inputs, watch)
        watch.phase("writing")
        write(corpus, path, format=to, overwrite_input=output.may_overwrite_input())
    skipped = f", {count(corpus.skipped, 'row')} skipped" if corpus.skipped else ""
    output.print_done(
        f"{count(corpus.n_units, 'unit')} of {count(len(corpus), 'document')} "
        f"written to {target}{skipped}"
    )
