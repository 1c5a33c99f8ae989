"""The commands `items` and `missing-policies`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from unisono.cli.command import Run, command
from unisono.cli.options.items import (
    COEFFICIENTS,
    UNCERTAINTY,
    LabelOptions,
    RatingReadingOptions,
    measure_option_text,
)
from unisono.cli.options.settings import measure_option, option
from unisono.cli.options.shared import SEED, SeedNumber, parse_seed, split_list
from unisono.errors import SettingError
from unisono.measures.items.coefficients import MissingPolicy
from unisono.measures.items.resampling import Method, Resampling
from unisono.measures.items.result import ItemsTable
from unisono.measures.items.table import (
    chosen_measures,
    item_measure,
    measure_items,
    settings_by_measure,
)
from unisono.measures.sampling import seed_of
from unisono.model.columns import written_number
from unisono.parallel.dispatch import Report
from unisono.registry import check_setting
from unisono.studies.missing_values import compare_policies

if TYPE_CHECKING:
    from unisono.studies.missing_values import PolicyComparison


ITEMS_EXAMPLES = """\
Examples:

  unisono items ratings.csv
  unisono items ratings.csv --measure alpha --distance ordinal
  unisono items ratings.csv --resamples 2000 --seed 1
  unisono items antecedents.txt --annotator-columns 2,3 --measure kappa
  unisono items topics.csv --separator '|' --measure alpha --distance masi
  unisono items ratings.csv --json | jq .measures.krippendorff_alpha.value"""
MISSING_POLICIES_EXAMPLES = """\
Examples:

  unisono missing-policies ratings.csv --seed 1
  unisono missing-policies ratings.csv --measure alpha --shares 0.1,0.3 --csv"""
FilePath = Annotated[str, Parameter(name="FILE", show_default=False)]
Distance = Annotated[str | None, option("distance", group=COEFFICIENTS)]
Policy = Annotated[MissingPolicy | None, option("missing", group=COEFFICIENTS)]
Confidence = Annotated[float, option("confidence", group=UNCERTAINTY)]
Seed = Annotated[SeedNumber, SEED, Parameter(group=UNCERTAINTY)]


@command(measure_option_text)
def items(
    run: Run,
    path: FilePath,
    /,
    *,
    measure: Annotated[str | None, measure_option("items", group=COEFFICIENTS)] = None,
    distance: Distance = None,
    comparing: LabelOptions = LabelOptions(),  # noqa: B008 - frozen
    missing: Policy = None,
    clusters: Annotated[str | None, option("clusters", group=UNCERTAINTY)] = None,
    resamples: Annotated[int | None, option("resamples", group=UNCERTAINTY)] = None,
    method: Annotated[Method | None, option("method", group=UNCERTAINTY)] = None,
    confidence: Confidence = 0.95,
    permutations: Annotated[int | None, option("permutations", group=UNCERTAINTY)] = None,
    seed: Seed = 0,
    reading: RatingReadingOptions = RatingReadingOptions(),  # noqa: B008 - frozen
) -> ItemsTable:
    """Measure agreement on labelled items: α, κ and related measures.

    Parameters
    ----------
    path
        A table of ratings (columns annotator, item, label; or one row per item and one column per
        annotator), or JSON of Label Studio, Prodigy or doccano.
    """
    if resamples is None and method is not None:
        msg = "--method needs an interval; set the number of resamples with --resamples N"
        raise SettingError(msg)
    typed = None if measure is None else split_list("--measure", measure)
    names = [each.name for each in chosen_measures(typed)]
    order = distance or comparing.weights or comparing.order
    ratings = reading.ratings(path, run.display, distance=order)
    run.title = Path(path).name
    run.display.phase("measuring")
    keywords = comparing.keywords(ratings.labels, distance)
    if missing is not None:
        keywords["missing"] = missing
    settings = settings_by_measure(names, keywords)
    if clusters is not None:
        if resamples is not None:
            msg = (
                "--clusters cannot be combined with --resamples, which resamples single items; "
                "omit one of them"
            )
            raise SettingError(msg)
        keywords["clusters"] = reading.clusters(path, clusters)
    table = measure_items(ratings, measures=names, confidence=confidence, **keywords)
    if resamples is None and permutations is None:
        return table
    resampling = Resampling(resamples, method or "percentile", confidence, permutations)
    report = Report(run.display.start_count("resampling"), len(table))
    return resampling.of(table, ratings, settings, seed_of(parse_seed(seed)), report)


@command(measure_option_text)
def missing_policies(
    run: Run,
    path: FilePath,
    /,
    *,
    measure: Annotated[str, option("measure", group=COEFFICIENTS)] = "percent_agreement",
    distance: Distance = None,
    comparing: LabelOptions = LabelOptions(),  # noqa: B008 - frozen
    shares: Annotated[str, option("shares", group=UNCERTAINTY)] = "0.04,0.125,0.25",
    repeats: Annotated[int, option("repeats", of="compare_policies", group=UNCERTAINTY)] = 1000,
    seed: Seed = 0,
    reading: RatingReadingOptions = RatingReadingOptions(),  # noqa: B008 - frozen
) -> PolicyComparison:
    """Compare policies for missing values by deleting values.

    Parameters
    ----------
    path
        A table of ratings (columns annotator, item, label; or one row per item and one column per
        annotator), or JSON of Label Studio, Prodigy or doccano.
    """
    all_shares = [_share(text) for text in split_list("--shares", shares)]
    name = item_measure(measure).name
    order = distance or comparing.weights or comparing.order
    ratings = reading.ratings(path, run.display, distance=order)
    run.title = Path(path).name
    keywords = comparing.keywords(ratings.labels, distance)
    return compare_policies(
        ratings,
        shares=all_shares,
        measure=name,
        repeats=repeats,
        rng=parse_seed(seed),
        progress=run.display.start_count("deleting"),
        **settings_by_measure([name], keywords)[name],
    )


def _share(text: str) -> float:
    try:
        share = written_number(text)
    except ValueError:
        msg = f"--shares must be comma-separated numbers between 0 and 1; got {text!r}"
        raise SettingError(msg) from None
    check_setting("shares", share)
    return share
