"""Reliability in use: relate agreement to an independent outcome, case by case."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from unisono.errors import DataError, SettingError, setting
from unisono.measures.sampling import Dice, seed_of
from unisono.model.labels import label_bytes, label_text
from unisono.registry import check_settings
from unisono.results.record import Record, record
from unisono.results.render import Sheeted
from unisono.results.sheet import KINDS, Column, Fact, Sheet, Table, column, figure
from unisono.results.values import Interval, Signature
from unisono.results.wording import count
from unisono.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.model.arrays import Floats, Integers

__all__ = ["ReliabilityStudy", "reliability_study"]

Relation = Literal["rank", "linear"]
Scope = Literal["between", "within"]
_FEWEST = 5
_CHUNK = 2_000_000  # numbers at a time
_ROUNDING = 1e-12


@record
class ReliabilityStudy(Record, Sheeted):
    """The relation of agreement to an outcome, with an interval and a permutation test.

    Parameters
    ----------
    effect
        Spearman's rank correlation, or the slope of a line: the change of the outcome per unit of
        agreement. NaN if undefined.
    interval
        Bootstrap interval of the effect, over cases or over clusters.
    p_value
        The share of permutations with an effect at least as far from 0; NaN if undefined.
    undefined
        Why there is no effect; ``None`` if there is one.
    relation
        ``"rank"`` or ``"linear"``.
    scope
        ``"between"`` or ``"within"`` clusters; ``None`` without clusters.
    agreement_values, outcome_values
        The values that were related: of cases, of means of clusters, or of deviations from them.
    n_cases, n_clusters
        Number of cases with both values, and of clusters.
    n_left_out
        Number of cases without one of the values.
    notes
        Remarks on the result.
    signature
        Every setting that can change a value.

    Examples
    --------
    >>> import unisono as un
    >>> study = un.reliability_study([0.2, 0.4, 0.5, 0.7, 0.8, 0.9], [1, 3, 2, 4, 6, 5], rng=1)
    >>> f"{study.effect:.3f}", study.n_cases
    ('0.886', 6)
    """

    effect: float
    interval: Interval | None
    p_value: float
    undefined: str | None = None
    relation: str
    scope: str | None
    agreement_values: Floats
    outcome_values: Floats
    n_cases: int
    n_clusters: int
    n_left_out: int = 0
    notes: tuple[str, ...] = ()
    signature: Signature

    summary = ("effect", "n_cases", "n_clusters")

    def problems(self) -> list[str]:
        """Return a sentence if there is no effect, so that scripts can detect it.

        Examples
        --------
        >>> import unisono as un
        >>> un.reliability_study([1, 1, 1, 1, 1], [1, 2, 3, 4, 5]).problems()
        ['the effect is undefined: all values of agreement are the same']
        """
        return [f"the effect is undefined: {self.undefined}"] if self.undefined else []

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the study, from which all outputs are rendered.

        Examples
        --------
        >>> import unisono as un
        >>> sheet = un.reliability_study([1, 2, 3, 4, 5], [1, 2, 3, 5, 4], rng=1).sheet()
        >>> [table.name for table in sheet.tables]
        ['effect']
        """
        headings = {"rank": "rank correlation", "linear": "slope"}
        row = (headings[self.relation], self.effect, self.interval, self.p_value, self.undefined)
        clusters = [Fact(_count("n_clusters", "clusters"), self.n_clusters, _SCOPES[self.scope])]
        return Sheet(
            name="reliability",
            title=title,
            tables=(
                Table(
                    name="effect",
                    columns=(
                        Column(
                            name="relation", heading="agreement and outcome", kind=KINDS["text"]
                        ),
                        column("effect"),
                        column("interval"),
                        column("p_value"),
                        column("undefined", show="never"),
                    ),
                    rows=[row],
                    reasons=[(row[0], self.undefined)] if self.undefined else [],
                ),
            ),
            facts=(
                Fact(
                    _count("n_cases", "cases"),
                    self.n_cases,
                    f"and {self.n_left_out:,} without both values" if self.n_left_out else "",
                ),
                *(clusters if self.scope else ()),
            ),
            notes=self.notes,
            figures=(figure("reliability", self),) if not self.undefined else (),
            signatures=(self.signature,),
        )


_SCOPES = {
    "between": "whose means are related",
    "within": "within which cases are related",
    None: "",
}


def _count(name: str, heading: str) -> Column:
    return Column(name=name, heading=heading, kind=KINDS["count"])


class _Cases(NamedTuple):
    """Cases with both values, sorted by cluster and value."""

    agreement: Floats
    outcome: Floats
    clusters: Integers
    n_left_out: int
    note: str


def reliability_study(
    agreement: Iterable[object],
    outcome: Iterable[object],
    *,
    clusters: Iterable[object] | None = None,
    relation: Relation = "rank",
    scope: Scope = "between",
    permutations: int = 9999,
    resamples: int = 2000,
    confidence: float = 0.95,
    rng: int | np.random.Generator | None = 0,
) -> ReliabilityStudy:
    """Relate agreement to an independent outcome, to judge whether it suffices for a use.

    Parameters
    ----------
    agreement
        The agreement of each case: of an item, a document or an annotator, such as γ of each
        document, 1 − its disorder, or an annotator's mean κ.
    outcome
        What was observed of the same cases independently of the agreement: the score of a program
        that was trained or tested on them, the result of an experiment, or one of two labels. NaN
        or None leaves a case out.
    clusters
        For each case the document (or annotator) it belongs to, where these repeat. Cases of a
        cluster are not independent, so the test permutes, and the interval resamples, by clusters.
    relation
        ``"rank"``: Spearman's correlation of ranks; ``"linear"``: the slope of a line.
    scope
        With clusters: ``"between"`` relates the means of clusters; ``"within"`` relates cases to
        other cases of their cluster, so that differences between documents do not count.
    permutations, resamples
        The number of permutations for the p-value, and of bootstrap resamples for the interval; 0
        resamples for none.
    confidence
        The level of the interval.
    rng
        The seed.

    Returns
    -------
    ReliabilityStudy
        The effect with interval and p-value.

    Raises
    ------
    DataError
        The arguments have different lengths, or an outcome is neither a number nor one of two
        labels.
    SettingError
        A setting is invalid, or ``scope="within"`` without clusters.

    Notes
    -----
    Passonneau (2006) calls a study that relates reliability to an independent assessment of the
    same data paradigmatic: agreement is sufficient only relative to a use [1]_. The p-value is the
    share of (1 + permutations) arrangements of the outcome whose effect is at least as far from 0,
    two-sided. It is exact for independent cases and, by cluster, for exchangeable clusters
    (between) or cases within them (within). No effect found is no evidence of none: read the
    interval. An effect is no cause: hard documents may lower both.

    References
    ----------
    .. [1] Passonneau, R. (2006). Measuring agreement on set-valued items (MASI) for semantic and
       pragmatic annotation. LREC 2006.

    Examples
    --------
    >>> import unisono as un
    >>> gammas = [0.31, 0.45, 0.52, 0.58, 0.66, 0.71, 0.78, 0.83]
    >>> scores = [0.52, 0.60, 0.55, 0.63, 0.64, 0.61, 0.72, 0.70]
    >>> study = un.reliability_study(gammas, scores, rng=1)
    >>> f"{study.effect:.3f}", study.p_value < 0.05
    ('0.881', True)
    """
    check_settings(
        {
            "relation": relation,
            "scope": scope,
            "permutations": permutations,
            "resamples": resamples,
            "confidence": confidence,
        },
        of="reliability_study",
    )
    if scope == "within" and clusters is None:
        rule = f"{setting('scope', scope)} relates cases within clusters"
        msg = f"{rule}; set {setting('clusters', ...)}"
        raise SettingError(msg)
    cases = _cases(agreement, outcome, clusters)
    has_clusters = clusters is not None
    seed = seed_of(rng)
    n_clusters = len(np.unique(cases.clusters)) if has_clusters else len(cases.agreement)
    within = has_clusters and scope == "within"
    if has_clusters and not within:
        related = _means(cases)
    else:
        related = cases if within else cases._replace(clusters=np.arange(len(cases.agreement)))
    noun = "cluster" if has_clusters and not within else "case"
    undefined = _why_undefined(related, noun, within=within, n_clusters=n_clusters)
    effect, p_value, interval = math.nan, math.nan, None
    notes = [cases.note] if cases.note else []
    if undefined is None:
        effect = _effect(related, relation, within=within)
        p_value = _p_value(related, relation, permutations, seed, within=within)
        if resamples:
            interval = _interval(related, relation, resamples, confidence, seed, within=within)
        if n_clusters < 20:
            resampled = count(n_clusters, "cluster" if has_clusters else "case")
            notes.append(f"only {resampled}: the interval is wide, and may be too narrow")
    shown = _centred(related) if within and undefined is None else related
    return ReliabilityStudy(
        effect=effect,
        interval=interval,
        p_value=p_value,
        undefined=undefined,
        relation=relation,
        scope=scope if has_clusters else None,
        agreement_values=shown.agreement,
        outcome_values=shown.outcome,
        n_cases=len(cases.agreement),
        n_clusters=n_clusters if has_clusters else 0,
        n_left_out=cases.n_left_out,
        notes=tuple(notes),
        signature=Signature(
            "reliability",
            (
                ("relation", relation),
                *([("scope", scope)] if has_clusters else []),
                ("permutations", str(permutations)),
                ("resamples", str(resamples)),
                ("confidence", f"{confidence:g}"),
                ("seed", str(seed)),
                ("data", _digest(cases)),
                ("v", __version__),
            ),
        ),
    )


def _cases(agreement: Any, outcome: Any, clusters: Iterable[object] | None) -> _Cases:  # noqa: ANN401 - as given
    values = _numbers("agreement", list(agreement))
    raw = list(outcome)
    results, note = _outcomes(raw)
    names = [0] * len(values) if clusters is None else list(clusters)
    for what, each in (("outcome", raw), ("clusters", names)):
        if len(each) != len(values):
            msg = f"{what} must have a value for each of the {len(values)} cases; got {len(each)}"
            raise DataError(msg)
    # Sorted, so that random orders do not depend on the order of the cases.
    distinct = sorted(dict.fromkeys(names), key=lambda name: (type(name).__name__, str(name)))
    known = {name: code for code, name in enumerate(distinct)}
    codes = np.array([known[name] for name in names], dtype=np.int64)
    kept = np.isfinite(values) & np.isfinite(results)
    if clusters is not None:
        kept &= np.array([name is not None and name == name for name in names], dtype=bool)  # noqa: PLR0124 - NaN
    order = np.lexsort((results[kept], values[kept], codes[kept]))
    return _Cases(
        values[kept][order],
        results[kept][order],
        codes[kept][order],
        int((~kept).sum()),
        note,
    )


def _numbers(what: str, values: Sequence[object]) -> Floats:
    found = []
    for number, value in enumerate(values):
        try:
            found.append(math.nan if value is None else float(value))  # type: ignore[arg-type]
        except (TypeError, ValueError):
            found.append(math.inf)
        if math.isinf(found[-1]):
            wanted = f"{what} must be finite numbers, or NaN if missing"
            msg = f"{wanted}; case {number + 1} has {value!r}"
            raise DataError(msg)
    return np.array(found)


def _outcomes(values: Sequence[object]) -> tuple[Floats, str]:
    """Return outcomes as numbers; of two labels, the second in order is 1."""
    if not any(isinstance(value, str) for value in values):
        return _numbers("outcome", values), ""
    labels = sorted({str(value) for value in values if value is not None})
    if len(labels) != 2:
        names = ", ".join(map(repr, labels[:5]))
        msg = f"outcome must be numbers or two labels; got {len(labels)} labels: {names}"
        raise DataError(msg)
    found = np.array([math.nan if v is None else float(str(v) == labels[1]) for v in values])
    return found, f"outcome: {label_text(labels[1])} is 1, {label_text(labels[0])} is 0"


def _means(cases: _Cases) -> _Cases:
    names, codes = np.unique(cases.clusters, return_inverse=True)
    sizes = np.bincount(codes, minlength=len(names))
    means = [
        np.bincount(codes, each, minlength=len(names)) / np.maximum(sizes, 1)
        for each in (cases.agreement, cases.outcome)
    ]
    return cases._replace(agreement=means[0], outcome=means[1], clusters=np.arange(len(names)))


def _why_undefined(cases: _Cases, noun: str, *, within: bool, n_clusters: int) -> str | None:
    if len(cases.agreement) < _FEWEST:
        return f"fewer than {_FEWEST} {noun}s ({count(len(cases.agreement), noun)})"
    if within and n_clusters < 2:
        return "a single cluster; leave clusters out"
    where = " of each cluster" if within else ""
    chosen = _centred(cases) if within else cases
    for what, values in (("agreement", chosen.agreement), ("outcome", chosen.outcome)):
        if np.ptp(values) <= _ROUNDING * max(1.0, float(np.abs(values).max())):
            return f"all values of {what}{where} are the same"
    return None


def _centred(cases: _Cases) -> _Cases:
    """Return deviations from the means of clusters."""
    _, codes = np.unique(cases.clusters, return_inverse=True)
    sizes = np.bincount(codes)
    return cases._replace(
        **{
            name: (values := getattr(cases, name)) - (np.bincount(codes, values) / sizes)[codes]
            for name in ("agreement", "outcome")
        }
    )


def _ranks(values: Floats) -> Floats:
    """Return ranks from 1, the mean rank for equal values."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    found: Floats = (np.cumsum(counts) - (counts - 1) / 2.0)[codes]
    return found


def _prepared(cases: _Cases, relation: str, *, within: bool) -> tuple[Floats, Floats]:
    """Return both variables, ranked if ranks are related, as deviations from their means."""
    if relation == "rank":
        cases = cases._replace(agreement=_ranks(cases.agreement), outcome=_ranks(cases.outcome))
    if within:
        cases = _centred(cases)
    return cases.agreement - cases.agreement.mean(), cases.outcome - cases.outcome.mean()


def _effect(cases: _Cases, relation: str, *, within: bool) -> float:
    x, y = _prepared(cases, relation, within=within)
    spread = float(x @ x)
    if relation == "linear":
        return float(x @ y) / spread if spread else math.nan
    both = math.sqrt(spread * float(y @ y))
    return float(x @ y) / both if both else math.nan


def _p_value(cases: _Cases, relation: str, permutations: int, seed: int, *, within: bool) -> float:
    # The spread of both variables stays, so the sum of products decides.
    x, y = _prepared(cases, relation, within=within)
    observed = abs(float(x @ y))
    slack = _ROUNDING * max(observed, math.sqrt(float(x @ x) * float(y @ y)))
    dice = Dice(seed, 1)
    n, done, extreme = len(x), 0, 0
    groups = cases.clusters.astype(np.float64) if within else np.zeros(n)
    while done < permutations:
        size = min(permutations - done, max(1, _CHUNK // n))
        # Cases are sorted by cluster, so that this order exchanges them within clusters only.
        order = np.argsort(dice.roll(size * n).reshape(size, n) + groups, axis=1)
        extreme += int((np.abs(y[order] @ x) >= observed - slack).sum())
        done += size
    return (1 + extreme) / (1 + permutations)


def _interval(
    cases: _Cases, relation: str, resamples: int, confidence: float, seed: int, *, within: bool
) -> Interval | None:
    """Return the percentile interval over resampled cases, or resampled clusters."""
    dice = Dice(seed, 2)
    names = np.unique(cases.clusters)
    rows = [np.flatnonzero(cases.clusters == name) for name in names]
    values = []
    for _ in range(resamples):
        drawn = (dice.roll(len(names)) * len(names)).astype(np.int64)
        chosen = np.concatenate([rows[at] for at in drawn])
        codes = np.repeat(np.arange(len(drawn)), [len(rows[at]) for at in drawn])
        resample = cases._replace(
            agreement=cases.agreement[chosen], outcome=cases.outcome[chosen], clusters=codes
        )
        values.append(_effect(resample, relation, within=within))
    known = np.array([value for value in values if not math.isnan(value)])
    if len(known) < 2:
        return None
    low, high = np.quantile(known, [(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0])
    return Interval(float(low), float(high), confidence=confidence, method="bootstrap")


def _digest(cases: _Cases) -> str:
    digest = hashlib.sha256()
    for values in (cases.agreement, cases.outcome, cases.clusters.astype(np.float64)):
        digest.update(b"".join(label_bytes(float(value)) for value in values))
    return digest.hexdigest()[:8]
