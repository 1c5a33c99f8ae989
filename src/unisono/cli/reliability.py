"""The command `reliability`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.settings import option
from unisono.cli.options.shared import (
    READING,
    SEED,
    SWITCHED_OFF,
    SeedNumber,
    option_text,
    parse_column,
    parse_delimiter,
    parse_seed,
)
from unisono.formats.cases import read_cases
from unisono.formats.settings import CASE_SETTINGS
from unisono.studies.reliability import Relation, Scope, reliability_study

if TYPE_CHECKING:
    from unisono.studies.reliability import ReliabilityStudy

RELIABILITY_EXAMPLES = """\
Examples:

  unisono reliability examples/reliability.csv --agreement gamma --outcome f1
  unisono reliability items.csv --agreement alpha --outcome f1 --clusters text
  unisono reliability pairs.csv --agreement kappa --outcome f1 --json"""
_TEST = Group("Test", sort_key=1)
_COLUMNS = Group("Columns", sort_key=0)
_OPTIONS = {name: one.option for name, one in CASE_SETTINGS.items()}
_column = partial(option, table=CASE_SETTINGS, group=_COLUMNS)
FilePath = Annotated[str, Parameter(name="FILE", show_default=False)]


@command(partial(option_text, _OPTIONS, SWITCHED_OFF))
def reliability(
    run: Run,
    path: FilePath,
    /,
    *,
    agreement: Annotated[str, _column("agreement")],
    outcome: Annotated[str, _column("outcome")],
    clusters: Annotated[str | None, _column("clusters")] = None,
    relation: Annotated[Relation, option("relation", group=_TEST)] = "rank",
    scope: Annotated[Scope, option("scope", group=_TEST)] = "between",
    permutations: Annotated[
        int, option("permutations", of="reliability_study", group=_TEST)
    ] = 9999,
    resamples: Annotated[int, option("resamples", of="reliability_study", group=_TEST)] = 2000,
    confidence: Annotated[float, option("confidence", group=_TEST)] = 0.95,
    seed: Annotated[SeedNumber, SEED, Parameter(group=_TEST)] = 0,
    delimiter: Annotated[
        str | None, option("delimiter", table=CASE_SETTINGS, group=READING)
    ] = None,
) -> ReliabilityStudy:
    """Relate agreement to an outcome, for a test of its use.

    Parameters
    ----------
    path
        A table with a header and one row per case: item, document or annotator.
    """
    output.register_inputs(path)
    run.title = Path(path).name
    cases = read_cases(
        Path(path),
        agreement=parse_column(agreement),
        outcome=parse_column(outcome),
        clusters=parse_column(clusters),
        delimiter=parse_delimiter(delimiter),
    )
    return reliability_study(
        cases.agreement,
        cases.outcome,
        clusters=cases.clusters,
        relation=relation,
        scope=scope,
        permutations=permutations,
        resamples=resamples,
        confidence=confidence,
        rng=parse_seed(seed),
    )
