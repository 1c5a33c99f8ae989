"""The commands `items` and `missing`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from unisono.cli import output
from unisono.cli.options.items import (
    COEFFICIENTS,
    UNCERTAINTY,
    Comparing,
    RatingReading,
    measure_option_named,
    several,
)
from unisono.cli.options.shared import SEED, Csv, Json, Rows, SeedNumber, check_rows, rng_of
from unisono.cli.output import Watch
from unisono.cli.terminal import items as items_text
from unisono.errors import DataError, SettingError, worded
from unisono.measures.items.coefficient import ItemsAgreement, ItemsTable
from unisono.measures.items.resampling import Method, bootstrap, permutation_test
from unisono.measures.items.table import chosen_measures, item_measure, settings_by_measure
from unisono.measures.items.table import items as measure_items
from unisono.measures.sampling import seed_of
from unisono.measures.settings import check_count, check_share
from unisono.model.columns import written_number
from unisono.parallel.dispatch import Report
from unisono.results.agreement import signed
from unisono.results.record import label_keys, plain_number
from unisono.studies.missing_values import Spread, compare_policies

if TYPE_CHECKING:
    from rich.console import RenderableType

    from unisono.model.ratings import Ratings
    from unisono.results.agreement import Agreement


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
_FOUND_IN = "--csv or --json has all"
_HEADINGS = (
    *("scope", "measure", "label", "annotator_a", "annotator_b", "value", "observed", "expected"),
    *("standard_error", "interval_low", "interval_high", "level", "p_value", "undefined"),
    *("n_items", "n_annotators", "n_ratings", "left_out", "signature"),
)
FilePath = Annotated[str, Parameter(name="FILE", show_default=False)]
Distance = Annotated[str | None, Parameter(metavar="NAME|FILE.csv", group=COEFFICIENTS)]
Policy = Annotated[
    Literal["values", "items", "pairs", "remove"] | None,
    Parameter(metavar="POLICY", group=COEFFICIENTS),
]
Confidence = Annotated[float, Parameter(metavar="SHARE", group=UNCERTAINTY)]
Seed = Annotated[SeedNumber, SEED, Parameter(group=UNCERTAINTY)]


def items(
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
    as_json: Json = False,
    as_csv: Csv = None,
    rows: Rows = 10,
) -> None:
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
    as_json
        JSON on stdout, with everything.
    as_csv
        One row a coefficient, label and pair of annotators, to a file or else to stdout.
    rows
        Labels and pairs of annotators to show of a single coefficient.
    """
    output.check_target(as_csv, inputs=[path], as_json=as_json)
    _check(rows=rows, n_bootstrap=n_bootstrap, permutations=permutations, confidence=confidence)
    if n_bootstrap is None and method is not None:
        msg = "--method is for intervals; say with --bootstrap how often to resample"
        raise SettingError(msg)
    names = named_measures(measure)
    with Watch() as watch:
        ratings = reading.ratings(path, watch)
        watch.phase("measuring")
        with worded(measure_option_named):
            given = comparing.given(ratings.labels, distance)
            if missing is not None:
                given["missing"] = missing
            settings = settings_by_measure(names, given)
            table = measure_items(ratings, measures=names, **given)
            if n_bootstrap is not None or permutations is not None:
                how = Resampling(n_bootstrap, method or "percentile", confidence, permutations)
                report = Report(watch.counting("resampling"), len(table))
                table = how.of(table, ratings, settings, seed_of(rng_of(seed)), report)
    if as_csv is not None:
        output.write_csv(as_csv, _HEADINGS, coefficient_rows(table))
    if as_json:
        output.print_json(table.to_dict())
    elif as_csv != output.STDOUT:
        output.print_table(_shown(table, title=Path(path).name, rows=rows))
    _refuse_nothing(table)


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


def coefficient_rows(table: ItemsTable) -> Iterator[list[Any]]:
    """Give a row for each coefficient, and below it one for each label and pair of annotators."""
    for name, result in table.items():
        counts = (result.n_items, result.n_annotators, result.n_ratings, result.left_out)
        yield _row(["all", name, None, None, None], result, counts)
        keys = label_keys(result.by_label)
        for label, of in result.by_label.items():
            yield _row(["label", name, keys[label], None, None], of, (None,) * 4)
        for pair, of in result.by_pair.items():
            yield _row(["pair", name, None, *pair], of, (None,) * 4)


def named_measures(text: str | None) -> list[str]:
    """Return the names of the coefficients that were asked for, or of all."""
    asked = None if text is None else several("--measure", text)
    return [measure.name for measure in chosen_measures(asked)]


def _shown(table: ItemsTable, *, title: str, rows: int) -> RenderableType:
    if len(table) == 1:
        (result,) = table.values()
        return items_text.coefficient(result, title=title, limit=rows, rest=_FOUND_IN)
    return items_text.coefficients(table, title=title)


def _refuse_nothing(table: ItemsTable) -> None:
    """Let a script notice that the data have nothing to measure."""
    if all(result.undefined for result in table.values()):
        why = dict.fromkeys(str(result.undefined) for result in table.values())
        names = ", ".join(table)
        msg = f"{names} {'is' if len(table) == 1 else 'are'} undefined: {'; '.join(why)}"
        raise DataError(msg)


def _row(lead: list[Any], result: Agreement, counts: Sequence[int | None]) -> list[Any]:
    interval = result.interval
    return [
        *lead,
        plain_number(result.value),
        plain_number(result.observed),
        plain_number(result.expected),
        plain_number(getattr(result, "standard_error", None)),
        plain_number(interval.low) if interval else None,
        plain_number(interval.high) if interval else None,
        interval.level if interval else None,
        plain_number(getattr(result, "p_value", None)),
        result.undefined,
        *counts,
        str(result.signature),
    ]


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


def _check(
    *, rows: int, n_bootstrap: int | None, permutations: int | None, confidence: float
) -> None:
    check_rows(rows)
    for option, number in (("--bootstrap", n_bootstrap), ("--permutations", permutations)):
        if number is not None:
            check_count(option, number)
    check_share("--confidence", confidence, "0.95 for 95 %")
