"""The commands on data: ``unisono describe`` and ``unisono convert``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.input import Reading
from unisono.cli.options.shared import OUTPUT, Paths, WrittenFormat, written_format_named
from unisono.cli.output import Watch
from unisono.errors import SettingError, worded
from unisono.formats.write import check_writable, write
from unisono.results.wording import count

if TYPE_CHECKING:
    from unisono.studies.description import Description

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


@command()
def describe(
    run: Run,
    *paths: Paths,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> Description:
    """Say what files hold and which measures fit, before any number.

    Parameters
    ----------
    paths
        Files or folders in any format.
    """
    run.title = ", ".join(paths)
    return reading.description(paths, run.watch)


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
