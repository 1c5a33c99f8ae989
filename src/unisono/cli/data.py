"""The commands on data: ``unisono describe`` and ``unisono convert``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.input import ReadingOptions
from unisono.cli.options.shared import OUTPUT, Paths, WrittenFormat, written_format_text
from unisono.cli.output import ProgressDisplay
from unisono.errors import SettingError, worded
from unisono.formats.write import check_writable, write
from unisono.registry import PROPERTIES
from unisono.results.wording import count
from unisono.studies.task_profile import parsed_answers

if TYPE_CHECKING:
    from unisono.studies.description import Description

TASK = Group("Task", sort_key=1)
_TASK = (
    "Properties of the task that data cannot show, comma-separated: "
    f"{', '.join(PROPERTIES)}; no- before a name denies it."
)
DESCRIBE_EXAMPLES = """\
Examples:

  unisono describe annotations/
  unisono describe talk.eaf --layer turns
  unisono describe talk.eaf --task ordered,no-overlap
  unisono describe export.json --json | jq .families"""
CONVERT_EXAMPLES = """\
Examples:

  unisono convert brat-project/ units.csv
  unisono convert export.json out/ --to textgrid
  unisono convert talk.eaf units.jsonl --layer turns"""


@command()
def describe(
    run: Run,
    *paths: Paths,
    task: Annotated[str | None, Parameter(help=_TASK, metavar="LIST", group=TASK)] = None,
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> Description:
    """Show the contents of files and the measures that fit them.

    Parameters
    ----------
    paths
        Files or folders in any format.
    """
    run.title = ", ".join(paths)
    answers = {} if task is None else parsed_answers(task)
    return reading.description(paths, run.display, task=answers)


def convert(
    *paths: Paths,
    to: Annotated[WrittenFormat, Parameter(group=OUTPUT)] = "auto",
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
) -> None:
    """Convert files to another format.

    Parameters
    ----------
    paths
        Files or folders in any format, followed by the file or folder to write.
    to
        The format to write; by default that of the suffix.
    """
    if len(paths) < 2:
        msg = "convert needs an input and an output, such as: unisono convert talk.eaf units.csv"
        raise SettingError(msg)
    *inputs, target = paths
    path = Path(target)
    if not path.is_dir():
        output.check_target(target, inputs=inputs, as_json=False, option="")
    with worded(written_format_text):
        check_writable(target, format=to)
    with ProgressDisplay() as display:
        corpus = reading.corpus(inputs, display)
        display.phase("writing")
        write(corpus, path, format=to, overwrite_input=output.may_overwrite_input())
    skipped = f", {count(corpus.skipped, 'row')} skipped" if corpus.skipped else ""
    output.print_message(
        f"{count(corpus.n_units, 'unit')} of {count(len(corpus), 'document')} "
        f"written to {target}{skipped}"
    )
