"""The commands on data: ``unisono describe`` and ``unisono convert``."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.config import FILE_NAME, saved_reading, with_reading
from unisono.cli.options.input import ReadingOptions
from unisono.cli.options.items import (
    RatingReadingOptions,
    RatingTableOptions,
    lacks_bounds,
    require_single_file,
    shared_options,
)
from unisono.cli.options.shared import (
    OUTPUT,
    READING,
    Paths,
    WrittenFormat,
    written_format_text,
)
from unisono.cli.output import ProgressDisplay
from unisono.errors import AmbiguousInputError, ReadError, SettingError, UnisonoError, worded
from unisono.formats.write import check_writable, write
from unisono.registry import PROPERTIES
from unisono.results.wording import count
from unisono.studies import description as studies
from unisono.studies.task_profile import parsed_answers

if TYPE_CHECKING:
    from unisono.studies.description import Description, RatingsDescription

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
  unisono describe ratings.csv --save
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
    of: Annotated[Literal["units", "ratings"] | None, Parameter(group=READING)] = None,
    task: Annotated[str | None, Parameter(help=_TASK, metavar="LIST", group=TASK)] = None,
    save: Annotated[bool, Parameter(negative="", show_default=False, group=OUTPUT)] = False,
    reading: ReadingOptions = ReadingOptions(),  # noqa: B008 - frozen
    table: RatingTableOptions = RatingTableOptions(),  # noqa: B008 - frozen
) -> Description | RatingsDescription:
    """Show the contents of files and the measures that fit them.

    Parameters
    ----------
    paths
        Files or folders in any format, with units or ratings.
    of
        What the files contain; by default detected.
    save
        Write how the files were read to the table [reading] of unisono.toml in this folder.
    """
    run.title = ", ".join(paths)
    answers = {} if task is None else parsed_answers(task)
    found = _description(paths, of, answers, reading, table, run.display)
    if save:
        saved = saved_reading(found.interpretation)
        output.write_text(FILE_NAME, with_reading(Path(FILE_NAME), saved))
        run.message = f"how the files are read was written to {FILE_NAME}"
    return found


def _description(
    paths: tuple[str, ...],
    of: str | None,
    answers: dict[str, bool],
    reading: ReadingOptions,
    table: RatingTableOptions,
    display: ProgressDisplay,
) -> Description | RatingsDescription:
    """Describe units or, if the only file has none, ratings."""
    own = {field.name: getattr(table, field.name) for field in fields(RatingTableOptions)}
    ratings = RatingReadingOptions(**shared_options(reading), **own)

    def of_ratings() -> RatingsDescription:
        return studies.describe(ratings.ratings(paths[0], display, questions="keep"))

    if of == "ratings" or (of is None and table != RatingTableOptions()):
        require_single_file(paths)
        return of_ratings()
    try:
        return reading.description(paths, display, task=answers)
    except AmbiguousInputError:
        raise
    except ReadError as error:
        if of == "units" or len(paths) != 1 or answers:
            raise
        try:
            return of_ratings()
        except UnisonoError as other:
            # A table without starts and ends is one of ratings.
            raise (other if lacks_bounds(error) else error) from None


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
