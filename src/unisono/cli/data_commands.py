"""The commands on data: ``unisono describe`` and ``unisono convert``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.options import OUTPUT, WrittenFormat
from unisono.cli.progress import Watch
from unisono.cli.reading_options import Reading
from unisono.errors import SettingError
from unisono.formats import write
from unisono.result.words import count
from unisono.show.description_text import description

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
    *paths: Annotated[str, Parameter(name="PATH", show_default=False)],
    reading: Reading = Reading(),  # noqa: B008 - frozen
    as_json: Annotated[
        bool, Parameter(name="--json", negative="", show_default=False, group=OUTPUT)
    ] = False,
    rows: Annotated[int, Parameter(metavar="N", group=OUTPUT)] = 10,
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

    Examples
    --------
    >>> from unisono.cli import main
    >>> main(["describe", "--rows", "many", "talk.csv"])
    2
    """
    if rows < 1:
        msg = f"--rows is a whole number from 1, got {rows}"
        raise SettingError(msg)
    with Watch() as watch:
        watch.phase("reading")
        found = reading.description(paths)
    if as_json:
        output.print_json(found.to_dict())
    else:
        output.print_table(description(found, title=", ".join(paths), limit=rows))


def convert(
    *paths: Annotated[str, Parameter(name="PATH", show_default=False)],
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

    Examples
    --------
    >>> from unisono.cli import main
    >>> main(["convert", "talk.csv"])
    2
    """
    if len(paths) < 2:
        msg = "convert needs what to read, and where to write, as in: talk.eaf units.csv"
        raise SettingError(msg)
    *inputs, target = paths
    path = Path(target)
    if not path.is_dir():
        output.check_target(target, inputs=inputs, as_json=False, option="the target")
    with Watch() as watch:
        watch.phase("reading")
        corpus = reading.corpus(inputs)
        watch.phase("writing")
        write(corpus, path, format=to)
    skipped = f", {count(corpus.skipped, 'row')} skipped" if corpus.skipped else ""
    output.print_table(
        f"{count(corpus.n_units, 'unit')} of {count(len(corpus), 'document')} "
        f"written to {target}{skipped}"
    )
