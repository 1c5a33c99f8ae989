"""The commands `items` and `missing`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.command import Run, command
from unisono.cli.options.items import (
    COEFFICIENTS,
    UNCERTAINTY,
    Comparing,
    RatingReading,
    measure_option_named,
    several,
)
from unisono.cli.options.shared import SEED, Csv, Json, SeedNumber, rng_of
from unisono.cli.output import Watch
from unisono.cli.terminal import items as items_text
from unisono.errors import DataError, SettingError, worded
from unisono.measures.items.resampling import Method, bootstrap, permutation_test
from unisono.measures.items.result import ItemsAgreement, ItemsTable
from unisono.measures.items.table import chosen_measures, item_measure, settings_by_measure
from unisono.measures.items.table import items as measure_items
from unisono.measures.sampling import seed_of
from unisono.measures.settings import check_count, check_share
from unisono.model.columns import written_number
from unisono.parallel.dispatch import Report
from unisono.results.agreement import signed
from unisono.results.record import plain_number
from unisono.studies.missing_values import Spread, compare_policies

if TYPE_CHECKING:
    from unisono.model.ratings import Ratings


class Resampling:
    """What is asked about the uncertainty of coefficients."""

    def __init__(
        self, n_bootstrap: int | None, method: Method, level: float, permutations: int | None
    ) -> None:
        self.n_bootstrap = n_bootstrap
        self.method = method
        self.level = level
        self.permutations = permutations

    def of(
        self,
        table: ItemsTable,
        ratings: Ratings,
        settings: Mapping[str, Mapping[str, Any]],
        seed: int,
        report: Report | None = None,
    ) -> ItemsTable:
        """Give the same coefficients with intervals and p-values, where they have a value."""
        found = {}
        for name, result in table.items():
            found[name] = result
            if not result.undefined:
                found[name] = self._one(name, result, ratings, settings[name], seed)
            if report is not None:
                report.add(1)
        return ItemsTable(found)

    def _one(
        self,
        name: str,
        result: ItemsAgreement,
        ratings: Ratings,
        settings: Mapping[str, Any],
        seed: int,
    ) -> ItemsAgreement:
        if self.n_bootstrap is not None:
            result = bootstrap(
                name,
                ratings,
                n=self.n_bootstrap,
                rng=seed,
                level=self.level,
                method=self.method,
                **settings,
            )
        if self.permutations is None:
            return result
        tested = permutation_test(name, ratings, n=self.permutations, rng=seed, **settings)
        if self.n_bootstrap is None:
            return tested
        notes = tuple(dict.fromkeys((*result.notes, *tested.notes)))
        both = replace(result, p_value=tested.p_value, notes=notes)
        return signed(both, permutations=str(self.permutations))


ITEMS_EXAMPLES = """\
Examples:

  unisono items ratings.csv
  unisono items ratings.csv --measure alpha --distance ordinal
  unisono items ratings.csv --bootstrap 2000 --seed 1
  unisono items antecedents.txt --annotators 2,3 --measure kappa
  unisono items topics.csv --separator '|' --measure alpha --distance masi
  unisono items ratings.csv --json | jq .krippendorff_alpha.value"""
MISSING_EXAMPLES = """\
Examples:

  unisono missing ratings.csv --seed 1
  unisono missing ratings.csv --measure alpha --shares 0.1,0.3 --csv"""
FilePath = Annotated[str, Parameter(name="FILE", show_default=False)]
Distance = Annotated[str | None, Parameter(metavar="NAME|FILE.csv", group=COEFFICIENTS)]
Policy = Annotated[
    Literal["values", "items", "pairs", "remove"] | None,
    Parameter(metavar="POLICY", group=COEFFICIENTS),
]
Confidence = Annotated[float, Parameter(metavar="SHARE", group=UNCERTAINTY)]
Seed = Annotated[SeedNumber, SEED, Parameter(group=UNCERTAINTY)]


@command(measure_option_named)
def items(
    run: Run,
    path: FilePath,
    /,
    *,
    measure: Annotated[
        str | None, Parameter(name=["--measure", "--measures"], metavar="NAMES", group=COEFFICIENTS)
    ] = None,
    distance: Distance = None,
    comparing: Comparing = Comparing(),  # noqa: B008 - frozen
    missing: Policy = None,
    n_bootstrap: Annotated[
        int | None, Parameter(name="--bootstrap", metavar="N", group=UNCERTAINTY)
    ] = None,
    method: Annotated[Method | None, Parameter(group=UNCERTAINTY)] = None,
    confidence: Confidence = 0.95,
    permutations: Annotated[int | None, Parameter(metavar="N", group=UNCERTAINTY)] = None,
    seed: Seed = 0,
    reading: RatingReading = RatingReading(),  # noqa: B008 - frozen
) -> ItemsTable:
    """Measure agreement on given items: α, κ and their relatives.

    Parameters
    ----------
    path
        A table of ratings (annotator, item, label; or a row an item, a column an annotator), or
        JSON of Label Studio, Prodigy or doccano.
    measure
        Coefficients, parted by commas, by any of their names; without it all that apply.
    distance
        Distance of α: nominal (1 or 0), ordinal, interval, ratio, circular, bipolar, edit,
        jaccard, dice, masi, or a matrix.
    missing
        What weighs the same where values are missing: values (the default), items, pairs; or
        remove all items that somebody did not rate.
    n_bootstrap
        Resample the items so often, for intervals.
    method
        How the interval comes from the resamples (percentile).
    confidence
        Confidence of the intervals.
    permutations
        Shuffle the labels so often, for p-values.
    seed
        A seed; the same one gives the same intervals, random draws a new one.
    """
    _check(n_bootstrap=n_bootstrap, permutations=permutations, confidence=confidence)
    if n_bootstrap is None and method is not None:
        msg = "--method is for intervals; say with --bootstrap how often to resample"
        raise SettingError(msg)
    asked = None if measure is None else several("--measure", measure)
    names = [each.name for each in chosen_measures(asked)]
    ratings = reading.ratings(path, run.watch)
    run.title = Path(path).name
    run.watch.phase("measuring")
    given = comparing.given(ratings.labels, distance)
    if missing is not None:
        given["missing"] = missing
    settings = settings_by_measure(names, given)
    table = measure_items(ratings, measures=names, **given)
    if n_bootstrap is None and permutations is None:
        return table
    how = Resampling(n_bootstrap, method or "percentile", confidence, permutations)
    report = Report(run.watch.counting("resampling"), len(table))
    return how.of(table, ratings, settings, seed_of(rng_of(seed)), report)


def missing(
    path: FilePath,
    /,
    *,
    measure: Annotated[str, Parameter(metavar="NAME", group=COEFFICIENTS)] = "percent_agreement",
    distance: Distance = None,
    comparing: Comparing = Comparing(),  # noqa: B008 - frozen
    shares: Annotated[str, Parameter(metavar="SHARES", group=UNCERTAINTY)] = "0.04,0.125,0.25",
    deletions: Annotated[int, Parameter(metavar="N", group=UNCERTAINTY)] = 1000,
    seed: Seed = 0,
    reading: RatingReading = RatingReading(),  # noqa: B008 - frozen
    as_json: Json = False,
    as_csv: Csv = None,
) -> None:
    """Delete values at random to compare policies for missing values.

    Parameters
    ----------
    path
        A table of ratings (annotator, item, label; or a row an item, a column an annotator), or
        JSON of Label Studio, Prodigy or doccano.
    measure
        A coefficient, by any of its names.
    distance
        Distance of α: nominal (1 or 0), ordinal, interval, ratio, circular, bipolar, edit,
        jaccard, dice, masi, or a matrix.
    shares
        Which parts of the values to delete, parted by commas.
    deletions
        How often to delete values.
    seed
        A seed; the same one gives the same numbers, random draws a new one.
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a share and policy, to a file or else to stdout.
    """
    output.check_target(as_csv, inputs=[path], as_json=as_json)
    check_count("--deletions", deletions)
    wanted = [_share(text) for text in several("--shares", shares)]
    name = item_measure(measure).name
    with Watch() as watch:
        ratings = reading.ratings(path, watch)
        report = watch.counting("deleting")
        with worded(measure_option_named):
            given = comparing.given(ratings.labels, distance)
            settings = settings_by_measure([name], given)[name]
            comparison = compare_policies(
                ratings,
                shares=wanted,
                measure=name,
                n=deletions,
                rng=rng_of(seed),
                progress=report,
                **settings,
            )
    if as_csv is not None:
        table = ([_plain(value) for value in spread] for spread in comparison.spreads)
        output.write_csv(as_csv, Spread._fields, table)
    if as_json:
        output.print_json(comparison.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(items_text.policies(comparison, title=Path(path).name))
    if all(spread.undefined == comparison.n for spread in comparison.spreads):
        msg = f"{name} has no value on these data under any policy; unisono items says why"
        raise DataError(msg)


def _plain(value: object) -> object:
    return plain_number(value) if isinstance(value, float) else value


def _share(text: str) -> float:
    try:
        share = written_number(text)
    except ValueError:
        msg = f"--shares are numbers between 0 and 1, parted by commas; got {text!r}"
        raise SettingError(msg) from None
    check_share("a share", share, "0.1 for 10 %")
    return share


def _check(*, n_bootstrap: int | None, permutations: int | None, confidence: float) -> None:
    for option, number in (("--bootstrap", n_bootstrap), ("--permutations", permutations)):
        if number is not None:
            check_count(option, number)
    check_share("--confidence", confidence, "0.95 for 95 %")
