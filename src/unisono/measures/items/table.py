"""All coefficients on items in one table, and their names and settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono.errors import DataError, SettingError, setting
from unisono.measures.data import of_ratings
from unisono.measures.items.engine import Work, inapplicable, measured
from unisono.measures.items.metrics import follows_order
from unisono.measures.items.result import ItemsTable
from unisono.registry import MEASURES, Measure, check_setting, measure_named, measures_of
from unisono.registry import settings_by_measure as own_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from unisono.measures.distance_matrix import DistanceMatrix
    from unisono.measures.items.coefficients import Formula, MissingPolicy
    from unisono.measures.items.interval import Clusters
    from unisono.measures.items.result import ItemsAgreement
    from unisono.model.labels import Label
    from unisono.model.ratings import Ratings

__all__ = [
    "chosen_measures",
    "coefficient_of",
    "item_measure",
    "measure_items",
    "settings_by_measure",
    "value_alone",
]

ITEM_MEASURES = measures_of("items")
_DETAILS = ("by_label", "by_pair", "clusters", "confidence")


def item_measure(measure: str | Callable[..., ItemsAgreement]) -> Measure:
    """Return the entry of a coefficient, by any of its names or by its public function."""
    if isinstance(measure, str):
        return measure_named(measure, ITEM_MEASURES)
    for each in ITEM_MEASURES:
        if measure is each.load():
            return each
    return measure_named(getattr(measure, "__name__", "?"), ITEM_MEASURES)


def coefficient_of(
    measure: str | Callable[..., ItemsAgreement], settings: Mapping[str, Any]
) -> Formula:
    """Return a coefficient from its name or its public function and its settings."""
    entry = item_measure(measure)
    for key in settings:
        if key not in (*entry.settings, *_DETAILS):
            msg = f"{entry.name} has no setting {key!r}; it has {', '.join(entry.settings)}"
            raise TypeError(msg)
    chosen = {key: value for key, value in settings.items() if key not in _DETAILS}
    made: Formula = entry.load_formula()(**chosen)
    return made


def value_alone(
    measure: str | Callable[..., ItemsAgreement], ratings: Ratings, settings: Mapping[str, Any]
) -> ItemsAgreement:
    """Return the result of a coefficient without an interval."""
    if "clusters" in settings:
        msg = (
            f"{setting('clusters')} cannot be combined with the bootstrap, which resamples single "
            "items; omit it"
        )
        raise SettingError(msg)
    details = {key: settings.get(key) for key in ("by_label", "by_pair")}
    return measured(coefficient_of(measure, settings), Work(ratings), **details)


@of_ratings
def measure_items(
    ratings: Ratings,
    *,
    measures: Iterable[str | Callable[..., ItemsAgreement]] | None = None,
    distance: str | DistanceMatrix | Callable[[Label, Label], float] = "nominal",
    weights: str | DistanceMatrix | Callable[[Label, Label], float] | None = None,
    categories: int | None = None,
    missing: MissingPolicy = "values",
    order: Sequence[Label] | None = None,
    by_label: bool | None = None,
    by_pair: bool | None = None,
    clusters: Clusters | None = None,
    confidence: float = 0.95,
) -> ItemsTable:
    """Compute all coefficients on items that apply, with a reason for each that does not.

    Parameters
    ----------
    ratings
        The ratings.
    measures
        The coefficients, by name (including aliases from the literature, such as ``"light"`` or
        ``"randolph"``) or as functions; by default all.
    distance
        The label distance of `krippendorff_alpha`.
    weights
        The weights of `cohen_kappa`, `conger_kappa`, `bennett_s` and `gwet_ac`.
    categories
        The number of categories for `bennett_s` and `gwet_ac`.
    missing
        The policy for missing values.
    order
        All labels from low to high, if they are not numbers.
    by_label, by_pair
        As for each coefficient.
    clusters
        The cluster of each item, such as the text that a sentence is from: a mapping from items to
        clusters, or a sequence with one cluster per item, in the order of `Ratings.items`. The
        jackknife then leaves out clusters instead of items.
    confidence
        The confidence level of `interval`.

    Returns
    -------
    ItemsTable
        The results by the names of their functions.

    Raises
    ------
    SettingError
        If a measure is unknown, or a setting is invalid for all data.

    Notes
    -----
    Equal items are counted once for all coefficients. A coefficient that does not apply to the
    labels (such as ordinal distances of labels without an order) is undefined in the table, with
    the reason.

    Examples
    --------
    >>> import unisono as un
    >>> ratings = un.Ratings.from_counts([[3, 0], [1, 2], [0, 3]], labels=("yes", "no"))
    >>> print(un.measure_items(ratings, measures=["percent", "alpha", "scott", "conger", "gwet"]))
    measure                value  observed  expected  standard error
    percent agreement     0.7778    0.2222         –          0.2222
    Krippendorff's α      0.6000    0.2222    0.5556          0.4649
    Scott's π          undefined         –         –               –
    Conger's κ         undefined         –         –               –
    Gwet's AC             0.5610    0.2222    0.5062          0.4319
    Scott's π is undefined: Scott's π is for two annotators, and here are 3 annotators; ...
    Conger's κ is undefined: the ratings come from counts, ...
    """
    names = [measure.name for measure in chosen_measures(measures)]
    given = {
        "distance": distance,
        "weights": weights,
        "categories": categories,
        "missing": missing,
        "order": order,
    }
    # Check all settings before the first computation.
    coefficients = {name: coefficient_of(name, settings_of(name, given)) for name in names}
    check_setting("confidence", confidence)
    work = Work(ratings, clusters)
    results = {}
    for name, coefficient in coefficients.items():
        try:
            results[name] = measured(
                coefficient, work, by_label=by_label, by_pair=by_pair, confidence=confidence
            )
        except DataError as error:
            results[name] = inapplicable(coefficient, str(error), work)
    return ItemsTable(results)


def settings_of(name: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the given settings that a coefficient has."""
    has = MEASURES[name].settings
    by_rank = follows_order(given.get("distance" if "distance" in has else "weights"))
    # An order also lists the categories of S and AC.
    keeps_order = by_rank or "categories" in has
    return {key: given[key] for key in has if key in given and (key != "order" or keeps_order)}


def settings_by_measure(
    names: Sequence[str], given: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return the settings of each coefficient; raise an error for a setting that none has."""
    found = {name: settings_of(name, given) for name in names}
    used = {key for own in found.values() for key in own}
    chosen = [MEASURES[name] for name in names]
    if "order" in given and "order" not in used and any("order" in one.settings for one in chosen):
        msg = (
            f"{setting('order')} applies to {setting('distance')} ordinal, to the "
            f"{setting('weights')} linear, quadratic and ordinal, and to the categories of "
            "bennett_s and gwet_ac"
        )
        raise SettingError(msg)
    own_settings(chosen, given)
    return found


def chosen_measures(
    measures: Iterable[str | Callable[..., ItemsAgreement]] | None,
) -> list[Measure]:
    """Return the selected coefficients, each once; all of them by default."""
    if measures is None:
        return list(ITEM_MEASURES)
    given = [measures] if isinstance(measures, str) else list(measures)
    return list({measure.name: measure for measure in map(item_measure, given)}.values())
