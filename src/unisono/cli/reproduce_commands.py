"""The command that repeats the papers: ``unisono reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.options.shared import CHANCE, OUTPUT, SEED, Json, SeedNumber, rng_of
from unisono.cli.progress import Watch
from unisono.reports import reproduction as reproduction_page
from unisono.simulation.reproduction.reproduce import reproduce as reproduce_papers

REPRODUCE_EXAMPLES = """\
Examples:

  unisono reproduce -o papers
  unisono reproduce 2017 -o papers --quick
  unisono reproduce komen --json"""
_PAGE = "index.html"


def reproduce(
    paper: Annotated[
        Literal["2015", "2017", "komen", "passonneau", "all"],
        Parameter(name="PAPER", show_default=False),
    ] = "all",
    /,
    *,
    folder: Annotated[
        str | None, Parameter(name=["--output", "-o"], metavar="DIR", group=OUTPUT)
    ] = None,
    quick: Annotated[bool, Parameter(negative="", show_default=False, group=CHANCE)] = False,
    seed: Annotated[SeedNumber, SEED, Parameter(group=CHANCE)] = 0,
    workers: Annotated[int | None, Parameter(metavar="N", group=CHANCE)] = None,
    as_json: Json = False,
) -> None:
    """Compute again what the papers print and draw.

    Parameters
    ----------
    paper
        2015 (γ), 2017 (γcat and γk), komen (κ), passonneau (MASI), or all of them.
    folder
        Folder for one HTML page with all claims, verdicts and pictures; made if it is not there.
    quick
        Few annotation sets, in under a minute.
    seed
        A seed; the same one gives the same curves, random draws a new one.
    workers
        Threads; never moves a value.
    as_json
        JSON on stdout, with everything.

    Examples
    --------
    >>> from unisono.cli.main import main
    >>> main(["reproduce", "2016"])
    2
    """
    target = None if folder is None else _target(folder)
    with Watch() as watch:
        report = watch.counting("simulating")
        found = reproduce_papers(
            paper, quick=quick, rng=rng_of(seed), workers=workers, progress=report
        )
    if target is not None:
        output.write_text(str(target), reproduction_page.page(found))
    if as_json:
        output.print_json(found.to_dict())
        return
    parts = [reproduction_page.summary(found)]
    if target is not None:
        output.print_table(*parts)
        output.print_done(f"written to {target}")
        return
    output.print_table(*parts)


def _target(folder: str) -> Path:
    """Make the folder before anything is computed."""
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(None, "this is a file; --output needs a folder", folder)
    path.mkdir(parents=True, exist_ok=True)
    return path / _PAGE
