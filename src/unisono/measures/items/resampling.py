"""Uncertainty that comes from the items: what other items like these would have given."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, get_args

import numpy as np

from unisono.errors import SettingError
from unisono.measures.dice import seed_of
from unisono.measures.intervals import acceleration, bca_interval, percentile_interval
from unisono.measures.item_draws import ItemDraws, blocks
from unisono.measures.items.alpha import KrippendorffAlpha, observed_pairs
from unisono.measures.items.alpha_bootstrap import krippendorff_resamples
from unisono.measures.items.names import coefficient_of, function_of
from unisono.measures.settings import check_count, check_share
from unisono.model.ratings import Ratings
from unisono.parallel.calls import called
from unisono.parallel.cores import available_cores
from unisono.parallel.dispatch import check_executor, workers_of
from unisono.parallel.progress import Report
from unisono.results.signing import signed

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from unisono.measures.items.items_result import ItemsAgreement
    from unisono.measures.items.measuring import Measurable
    from unisono.measures.items.parts import Influence, Parts
    from unisono.model.arrays import Floats
    from unisono.results.agreement import Interval

__all__ = ["Method", "Weighable", "bootstrap", "resampled_values"]

Method: TypeAlias = Literal["percentile", "bca", "krippendorff"]
_FEW_DEFINED = 2
_SECONDS_A_BLOCK = 0.1
_ITEMS, _PAIRS = 1, 2  # streams of dice
_ANY_LEVEL = 0.95


def bootstrap(
    measure: str | Callable[..., ItemsAgreement],
    ratings: Ratings,
    *,
    n: int = 1000,
    rng: int | np.random.Generator | None = 0,
    level: float = 0.95,
    method: Method = "percentile",
    executor: Executor | None = None,
    **settings: Any,  # noqa: ANN401 - the settings of any measure
) -> ItemsAgreement:
    """Say how far a coefficient could lie from its value because the items are a sample.

    Parameters
    ----------
    measure
        One of the coefficients on items, or its name, such as ``un.krippendorff_alpha`` or
        ``"fleiss"``.
    ratings
        The ratings.
    n
        How many resamples.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It is
        shown in the signature.
    level
        The confidence of the interval.
    method
        ``"percentile"`` and ``"bca"`` draw items again: the first takes the middle of what comes
        out, the second corrects it for bias and skewness. ``"krippendorff"`` is his own bootstrap
        of α, which draws pairs of values.
    executor
        Where to send the work of ``"percentile"`` and ``"bca"``, as in `gamma`; threads by
        default. It never moves a value.
    **settings
        The settings of the measure, such as ``distance="ordinal"``.

    Returns
    -------
    ItemsAgreement
        What the measure gives, with its `interval`. Resamples without a value are left out and
        counted in `notes`; `interval` is `None`, with the reason in `notes`, where there is none.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If the measure cannot be used on these ratings.

    Notes
    -----
    As many items as there are are drawn with replacement; an item keeps all its ratings, because
    annotators are the same and the ratings of one item depend on each other [1]_. Labels that no
    resample holds still count where a coefficient counts labels (Bennett's S, Gwet's AC). What is
    drawn depends on the seed and on the content of the ratings only, not on their order.

    Krippendorff's bootstrap takes the pairs of values of an item for independent and chance for
    known. Its intervals are too narrow: in simulations those of 95 % held the true value in far
    fewer cases [2]_. When items differ in their number of values, it is also not centred on α. It
    is here to compare with what others report.

    References
    ----------
    .. [1] Efron, B., & Tibshirani, R. J. (1993). An introduction to the bootstrap. Chapman & Hall.
    .. [2] Zapf, A., Castell, S., Morawietz, L., & Karch, A. (2016). Measuring inter-rater
       reliability for nominal data – which coefficients and confidence intervals are appropriate?
       BMC Medical Research Methodology 16, 93.

    Examples
    --------
    >>> import unisono as un
    >>> table = {"ann": "aabbcabcba", "bob": "aabbcabcbb", "eve": "abbbcabaca"}
    >>> ratings = un.Ratings.from_matrix({name: list(row) for name, row in table.items()})
    >>> result = un.bootstrap(un.krippendorff_alpha, ratings, n=2000, rng=1)
    >>> f"{result:.3f}", f"{result.interval.low:.3f}", f"{result.interval.high:.3f}"
    ('0.596', '0.228', '0.890')
    """
    _check(ratings, n, level, method)
    if executor is not None:
        check_executor(executor)
    coefficient = coefficient_of(measure, settings)
    own = _own_alpha(coefficient, method)
    seed = seed_of(rng)
    # In an order that depends on the content only.
    merged = ratings.merged()
    result = function_of(measure)(ratings, **settings)
    told = signed(result, bootstrap=method, level=f"{level:g}", resamples=str(n), seed=str(seed))
    if result.undefined:
        return told
    prepared = coefficient.prepare(merged)
    values = _resamples(prepared, own, merged, result.expected, n, seed, executor)
    interval, notes = _interval(values, result.value, prepared, merged, level, method)
    return replace(told, interval=interval, notes=(*result.notes, *notes))


def bootstrap_values(
    measure: str | Callable[..., ItemsAgreement],
    ratings: Ratings,
    *,
    n: int = 1000,
    rng: int | np.random.Generator | None = 0,
    method: Method = "percentile",
    **settings: Any,  # noqa: ANN401 - the settings of any measure
) -> NDArray[np.float64]:
    """Give the values of the resamples that `bootstrap` makes its interval of.

    Parameters
    ----------
    measure, ratings, n, rng, method, **settings
        As in `bootstrap`.

    Returns
    -------
    ndarray
        A value a resample, NaN where it has none; no value at all where the coefficient itself
        has none.

    Examples
    --------
    >>> import numpy as np
    >>> import unisono as un
    >>> from unisono.measures.items.resampling import bootstrap_values
    >>> ratings = un.Ratings.from_matrix([list("aabbcabcba"), list("aabbcabcbb")])
    >>> values = bootstrap_values("scott", ratings, n=200, rng=1)
    >>> low = un.bootstrap("scott", ratings, n=200, rng=1).interval.low
    >>> len(values), bool(np.isclose(np.nanquantile(values, 0.025), low, atol=0.05))
    (200, True)
    """
    _check(ratings, n, _ANY_LEVEL, method)
    coefficient = coefficient_of(measure, settings)
    own = _own_alpha(coefficient, method)
    merged = ratings.merged()
    result = function_of(measure)(ratings, **settings)
    if result.undefined:
        return np.empty(0)
    prepared = coefficient.prepare(merged)
    return _resamples(prepared, own, merged, result.expected, n, seed_of(rng))


def _own_alpha(coefficient: Measurable, method: Method) -> KrippendorffAlpha | None:
    """Give the α that Krippendorff's own bootstrap is of, if it was asked for."""
    if method != "krippendorff":
        return None
    if isinstance(coefficient, KrippendorffAlpha):
        return coefficient
    msg = (
        f"method 'krippendorff' is a bootstrap of krippendorff_alpha, not of "
        f"{coefficient.name}; choose 'percentile' or 'bca'"
    )
    raise SettingError(msg)


def _resamples(
    prepared: Weighable,
    own: KrippendorffAlpha | None,
    merged: Ratings,
    expected: float,
    n: int,
    seed: int,
    executor: Executor | None = None,
) -> NDArray[np.float64]:
    if own is not None:
        pairs = observed_pairs(merged, own)
        return krippendorff_resamples(pairs, merged, expected, n=n, seed=seed, stream=_PAIRS)
    return resampled_values(prepared, ItemDraws(merged.times, seed, _ITEMS), n, executor)


class Weighable(Protocol):
    """What has a value for every weighting of its rows."""

    def parts(self, times: Floats) -> Parts:
        """Give the parts when row r stands for ``times[..., r]`` items."""

    def influence(self, times: Floats) -> Influence:
        """Give the influence of each row, for one weighting."""


def resampled_values(
    prepared: Weighable, draws: ItemDraws, n: int, executor: Executor | None = None
) -> NDArray[np.float64]:
    """Give the coefficient of each resample, NaN where it is undefined, in bounded memory."""
    # The last bit of a value may depend on the block that it is computed in: everybody, however
    # many they are, computes the same blocks.
    found = called(
        _values_of_block,
        (prepared, draws),
        list(blocks(n, draws.rows)),
        seconds=_SECONDS_A_BLOCK,
        executor=executor,
        workers=available_cores() if executor is None else workers_of(executor),
        report=Report(None, n),
    )
    return np.concatenate(found)


def _values_of_block(
    shared: tuple[Weighable, ItemDraws], block: tuple[int, int]
) -> NDArray[np.float64]:
    prepared, draws = shared
    values: NDArray[np.float64] = prepared.parts(draws.counts(*block)).value
    return values


def _interval(
    values: NDArray[np.float64],
    value: float,
    prepared: Weighable,
    ratings: Ratings,
    level: float,
    method: Method,
) -> tuple[Interval | None, tuple[str, ...]]:
    defined = values[~np.isnan(values)]
    notes: tuple[str, ...] = ()
    if len(defined) < len(values):
        left_out = len(values) - len(defined)
        notes = (f"{left_out} of {len(values)} resamples have no value and are left out",)
    if len(defined) < _FEW_DEFINED:
        return None, (*notes, "no interval: too few resamples have a value")
    if method != "bca":
        return percentile_interval(defined, level, f"bootstrap {method}"), notes
    influence = prepared.influence(ratings.times.astype(np.float64)).value
    found = bca_interval(defined, value, acceleration(influence, ratings.times), level)
    if found is None:
        reason = (
            "no interval: nearly all resamples lie on one side of the value, which bca cannot "
            "correct; choose the method percentile"
        )
        return None, (*notes, reason)
    return found, notes


def _check(ratings: object, n: int, level: float, method: str) -> None:
    if not isinstance(ratings, Ratings):
        msg = f"bootstrap takes Ratings, got {type(ratings).__name__}"
        raise TypeError(msg)
    check_count("n", n)
    check_share("level", level, "0.95 for 95 %")
    if method not in get_args(Method):
        choices = ", ".join(map(repr, get_args(Method)))
        msg = f"unknown method {method!r}; choose one of {choices}"
        raise SettingError(msg)
