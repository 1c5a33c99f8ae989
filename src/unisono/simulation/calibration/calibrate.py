"""Calibration of γ and γcat: the amount of simulated errors that gives the observed values."""

from __future__ import annotations

import math
from contextlib import ExitStack
from dataclasses import field
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.data import of_units
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import (
    CombinedDissimilarity,
    check_dissimilarity,
    label_counts,
    refuse_checkpoint,
)
from unisono.measures.gamma.gamma import gamma
from unisono.measures.intervals import needed_draws
from unisono.measures.sampling import Dice, fingerprint, seed_of
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus, check_continuum_or_corpus
from unisono.parallel.checkpoint import Checkpoint, digest_of
from unisono.parallel.dispatch import check_executor, workers_of
from unisono.parallel.executors import available_cores
from unisono.registry import check_setting, check_settings
from unisono.results.agreement import approximate, certain_value
from unisono.results.data import OfData
from unisono.results.record import part, record, without_documents
from unisono.results.sheet import (
    KINDS,
    Amount,
    Fact,
    Headline,
    Sheet,
    Table,
    column,
    columns,
    figure,
)
from unisono.results.values import Signature
from unisono.results.wording import count, decimals, some
from unisono.simulation.calibration.curves import (
    CurvePoint,
    CurveReading,
    Simulations,
    curve_points,
)
from unisono.simulation.shuffling.errors import DEFAULT_ERRORS, check_errors
from unisono.studies.consensus import CONSENSUS, consensus
from unisono.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Executor

    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label
    from unisono.results.agreement import Agreement, ChanceAgreement
    from unisono.simulation.calibration.curves import ErrorEquivalent, JointFit
    from unisono.simulation.shuffling.errors import ErrorType
    from unisono.studies.consensus import Consensus

__all__ = ["ERROR_WORDS", "Calibration", "calibrate", "effect_text", "equivalents_text"]

ERROR_WORDS: Mapping[ErrorType, str] = {
    "position": "moved boundaries",
    "category": "confused labels",
    "false_negative": "missed units",
    "false_positive": "added units",
    "split": "units cut in two",
    "missing_boundary": "missed boundaries",
}
"""Each type of error as a noun."""
_PHRASES: Mapping[ErrorType, str] = {
    "position": "move boundaries by {} of a unit's length",
    "category": "confuse {} of labels",
    "false_negative": "miss {} of units",
    "false_positive": "mark {} more units than there are",
    "split": "make {} in 100 units",
    "missing_boundary": "join {} of units to the one before",
}


def effect_text(error: ErrorType, effect: float, low: float | None, high: float | None) -> str:
    """Return the amount of an error and its interval as a phrase."""
    amount = _amount(error, effect)
    text = amount.text
    if low is not None and high is not None:
        ends = "–".join(_amount(error, each).number for each in (low, high))
        is_share = amount.unit == "%"
        text = f"{text} ({ends} %)" if is_share else f"{amount.number} ({ends}) {amount.unit}"
    return _PHRASES[error].format(text)


def _amount(error: ErrorType, effect: float) -> Amount:
    return Amount(effect, "cuts" if error == "split" else "%")


def equivalents_text(
    name: str, observed: Agreement, found: Mapping[ErrorType, ErrorEquivalent]
) -> str:
    """Return sentences on the amount of each type of error that gives the observed value."""
    if observed.undefined:
        return f"{name} is undefined: {observed.undefined}."
    if observed.value == 1.0:
        return f"{name} = 1: the annotators agree perfectly, so there are no errors to estimate."
    number = decimals(observed.value, 2)
    phrases = [
        effect_text(error, each.effect, each.effect_low, each.effect_high)
        for error, each in found.items()
        if not each.undefined
    ]
    insufficient = _join_words(
        [ERROR_WORDS[error] for error, each in found.items() if each.undefined]
    )
    sentences = []
    if phrases:
        sentences.append(
            f"{name} = {number} corresponds to annotators who {', or '.join(phrases)}."
        )
    if insufficient:
        low = "so low" if phrases else f"to {number}"
        capitalized = f"{insufficient[0].upper()}{insufficient[1:]}"
        sentences.append(f"{capitalized} alone cannot lower {name} {low}.")
    return " ".join(sentences)


def joint_fit_text(best: ErrorType, fits: Mapping[ErrorType, JointFit]) -> str:
    """Return a sentence on the types of errors that explain both γ and γcat, the closest first."""
    texts = {
        error: f"{effect_text(error, fit.effect, None, None)} "
        f"(γ = {decimals(fit.gamma_mean, 2)}, γcat = {decimals(fit.gamma_cat_mean, 2)})"
        for error, fit in fits.items()
    }
    explaining = sorted(
        (error for error, fit in fits.items() if fit.explains),
        key=lambda error: fits[error].distance,
    )
    if not explaining:
        return (
            "No single type of error explains γ and γcat together. "
            f"The closest fit is {ERROR_WORDS[best]}: annotators who {texts[best]}."
        )
    if len(explaining) == 1:
        return (
            f"One single type of error explains γ and γcat together, {ERROR_WORDS[best]}: "
            f"annotators who {texts[best]}."
        )
    alternatives = ", or ".join(texts[error] for error in explaining)
    return f"Several types of errors explain γ and γcat together: annotators who {alternatives}."


def _join_words(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


@record
class Calibration(OfData):
    """The amount of simulated errors that gives the observed γ and γcat.

    Parameters
    ----------
    gamma
        γ and γcat of the data.
    consensus
        The consensus that serves as reference for simulated annotators.
    curves
        γ and γcat by magnitude, for each type of error.
    gamma_equivalents, gamma_cat_equivalents
        The amount of errors that gives the observed γ, or γcat, for each type of error.
    together
        How well each type of error explains both values; empty if γcat is undefined.
    best
        The type of error that explains both values best, although others may explain them too;
        `None` if γcat is undefined.
    left_out_errors
        Types of errors that cannot be simulated on these data, with the reasons.
    repeats
        Number of annotation sets simulated per magnitude.
    draws
        Number of draws for γ of each simulated annotation set.
    confidence
        The confidence level of the intervals.
    notes
        Remarks on the reliability of the numbers.
    signature
        All settings that affect a number.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors=("position", "false_negative"), repeats=5, rng=1)
    >>> found
    Calibration(0.7923, 2 curves, 5 repeats)
    >>> found.best
    'false_negative'
    """

    gamma: GammaAgreement = field(metadata=part(json=without_documents))
    consensus: Consensus
    curves: Mapping[ErrorType, tuple[CurvePoint, ...]]
    gamma_equivalents: Mapping[ErrorType, ErrorEquivalent]
    gamma_cat_equivalents: Mapping[ErrorType, ErrorEquivalent]
    together: Mapping[ErrorType, JointFit]
    best: ErrorType | None
    left_out_errors: Mapping[ErrorType, str]
    repeats: int
    draws: int
    confidence: float
    notes: tuple[str, ...] = ()
    signature: Signature

    summary = ("value", "curves", "repeats")
    computed = ("value", "sentences", "n_consensus_units")
    excluded = ("consensus",)

    @property
    def value(self) -> float:
        """The observed γ."""
        return self.gamma.value

    @property
    def n_consensus_units(self) -> int:
        """Number of units in the consensus."""
        return len(self.consensus)

    @property
    def sentences(self) -> tuple[str, ...]:
        """A summary in sentences: of γ, of γcat, and of both together.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> found.sentences[0]
        'γ = 0.79 corresponds to annotators who miss ... % (...) of units.'
        """
        about_gamma = equivalents_text("γ", self.gamma, self.gamma_equivalents)
        about_cat = equivalents_text("γcat", self.gamma.gamma_cat, self.gamma_cat_equivalents)
        perfect = self.gamma.value == 1.0
        about_both = (
            "" if self.best is None or perfect else joint_fit_text(self.best, self.together)
        )
        return tuple(each for each in (about_gamma, about_cat, about_both) if each)

    def sheet(self, *, title: str = "") -> Sheet:
        """Return the `Sheet` of the calibration, from which all outputs are rendered.

        Output for programs contains the curves.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> print(found.to_markdown().splitlines()[-10].split("|")[1].strip())
        missed units
        """
        observed = self.gamma
        return Sheet(
            name="calibration",
            title=title,
            figures=(figure("calibration", self),),
            headline=(
                Headline("gamma", certain_value(observed)),
                Headline("gamma_cat", certain_value(observed.gamma_cat)),
            ),
            findings=self.sentences,
            tables=(self._error_table(), self._curve_table()),
            facts=(
                _value_fact("gamma", observed),
                _value_fact("gamma_cat", observed.gamma_cat),
                Fact(column("consensus"), count(self.n_consensus_units, "unit")),
                Fact(
                    column("simulated"),
                    f"{self.repeats} annotation sets per magnitude, {self.draws} draws each",
                ),
                Fact(
                    column("intervals"), f"{100.0 * self.confidence:g} % of single annotation sets"
                ),
                *(
                    Fact(column("left_out_errors"), f"{ERROR_WORDS[error]}: {reason}")
                    for error, reason in self.left_out_errors.items()
                ),
            ),
            notes=self.notes,
            signatures=(self.signature,),
        )

    def _error_table(self) -> Table:
        """Return the table of the amounts of errors that give γ, γcat, and both."""
        rows = []
        for error in self.curves:
            fit = self.together.get(error)
            rows.append(
                (
                    ERROR_WORDS[error],
                    *_amounts(error, self.gamma_equivalents[error]),
                    *_amounts(error, self.gamma_cat_equivalents[error]),
                    None if fit is None else _amount(error, fit.effect),
                    None if fit is None else fit.explains,
                )
            )
        amount = KINDS["amount"]
        return Table(
            name="error",
            columns=(
                *(column("error"), column("gamma", kind=amount), column("gamma_interval")),
                *(column("gamma_cat", kind=amount), column("gamma_cat_interval")),
                *columns("together explains"),
            ),
            rows=rows,
            programs=False,
        )

    def _curve_table(self) -> Table:
        return Table(
            name="curve",
            columns=(column("error"), *map(column, CurvePoint._fields)),
            rows=[(error, *point) for error, points in self.curves.items() for point in points],
            people=False,
        )


def _amounts(
    error: ErrorType, found: ErrorEquivalent
) -> tuple[Amount | None, tuple[Amount, Amount] | None]:
    if found.undefined:
        return None, None
    ends = _amount(error, found.effect_low), _amount(error, found.effect_high)
    return _amount(error, found.effect), ends


def _value_fact(name: str, agreement: ChanceAgreement) -> Fact:
    found = approximate(agreement)
    return Fact(
        column(name, kind=KINDS["drawn"]),
        certain_value(agreement),
        agreement.undefined or (f"± draws {found.plus_minus}" if found else ""),
    )


# Identifies the random numbers of this module, which no other module uses.
_STREAM = 14
# Denser at low magnitudes, where the agreement of most annotators lies.
_MAGNITUDES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
_FEWEST_DRAWS, _MOST_DRAWS = 5, 20
# With more units, fewer repeats give the same precision.
_FEWEST_REPEATS, _MOST_REPEATS, _UNITS_TO_SIMULATE = 6, 12, 2400


@of_units
def calibrate(
    data: Continuum | Corpus,
    *,
    errors: ErrorType | Iterable[ErrorType] = DEFAULT_ERRORS,
    magnitudes: Iterable[float] = _MAGNITUDES,
    repeats: int | None = None,
    support: float = 0.5,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float | None = None,
    confidence: float = 0.95,
    draws: int | None = None,
    soft: bool = False,
    gap_tolerance: float = 0.0,
    rng: int | np.random.Generator | None = 0,
    workers: int | None = None,
    executor: Executor | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Calibration:
    """Estimate the amount of errors at which simulated annotators agree as much as the real ones.

    The consensus of the annotators serves as reference. Simulated annotators, as many as there are
    in each document, reproduce it with errors of one type at increasing magnitudes, and γ and γcat
    are computed. The magnitudes at which these curves have the observed values are returned.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them.
    errors
        The types of errors to simulate: ``"position"``, ``"category"``, ``"false_negative"``,
        ``"false_positive"`` and ``"split"``, as in `shuffle`.
    magnitudes
        The magnitudes to simulate, from 0 to 1; 0 is always included.
    repeats
        Number of annotation sets per magnitude; by default 12, and down to 6 if the consensus has
        more than 200 units.
    support
        The share of the annotators that a consensus requires, as in `consensus`.
    dissimilarity, chance, soft, gap_tolerance
        As in `gamma`, for the data and for the simulated annotators.
    precision, confidence
        As in `gamma`, for the data. `confidence` is also the level of the intervals.
    draws
        Number of draws for each simulated γ; by default the number that the paper's rule gives for
        the data, limited to 5 to 20, because errors average out over the annotation sets.
    rng
        A seed, or a generator from which a seed is drawn; with `None`, the system provides one.
        The signature contains it.
    workers
        Number of threads, by default one per core. It does not affect any value.
    executor, checkpoint
        An executor that runs the work instead, and a folder for intermediate results, as in
        `gamma`.
    progress
        Called with the number of finished simulations and their total number.

    Returns
    -------
    Calibration
        For each type of error, the amount that gives the observed γ and γcat, with intervals, and
        the type that explains both best.

    Raises
    ------
    SettingError
        If a setting is invalid.
    DataError
        If γ is undefined, or the annotators have no unit in common.

    Notes
    -----
    Curves are means over repeats, made monotone by least squares (isotonic regression) and
    interpolated by monotone cubics. The `interval` of a magnitude contains all magnitudes at which
    the observed value lies within the prediction interval of a single annotation set (Student's t);
    `monte_carlo` contains those at which it lies within the error of the curve and of the observed
    γ alone. A type of error explains γ and γcat together if at some magnitude both values lie
    within the prediction intervals, separately and jointly (Hotelling's T², with the covariance
    over repeats). Among such magnitudes and types, the best one is the closest to the observed
    values; if there are none, the closest one of all.

    A calibration is a comparison, not a causal explanation: real annotators make several types of
    errors at once, and not at random. See also `diagnose`, which splits the observed disorder.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(units=40, rng=1)
    >>> careless = un.shuffle(reference, magnitude=0.5, errors="category", rng=2).continuum
    >>> found = un.calibrate(careless, errors=("category", "false_negative"), repeats=6, rng=3)
    >>> found.best
    'category'
    >>> equivalent = found.gamma_equivalents["category"]
    >>> equivalent.interval.low < 0.5 < equivalent.interval.high
    True
    """
    check_continuum_or_corpus("calibrate", data)
    chosen_errors = check_errors(errors)
    grid = _grid(magnitudes)
    optional = {"repeats": repeats, "draws": draws, "workers": workers}
    check_settings({"confidence": confidence, "support": support}, optional, of="calibrate")
    if executor is not None:
        check_executor(executor)
        workers = workers or workers_of(executor)
    with ExitStack() as stack:
        folder = None if checkpoint is None else stack.enter_context(Checkpoint(checkpoint))
        seed = seed_of(rng)
        if rng is None and folder is not None:
            seed = int(folder.stored_key.get("seed", seed))
        settings: dict[str, Any] = {"dissimilarity": dissimilarity, "chance": chance, "soft": soft}
        settings |= {"gap_tolerance": gap_tolerance, "confidence": confidence}
        if folder is not None:
            keys = settings | {"errors": chosen_errors, "magnitudes": grid.tolist()}
            keys |= {"repeats": repeats, "precision": precision, "draws": draws, "support": support}
            folder.open_for(_key(data, seed, keys))
        observed = gamma(
            data,
            precision=precision,
            rng=seed,
            workers=workers,
            executor=executor,
            checkpoint=None if folder is None else folder.part("observed"),
            **settings,
        )
        if observed.undefined:
            msg = f"calibration needs a value of γ, which is undefined: {observed.undefined}"
            raise DataError(msg)
        reference = consensus(observed, support=support)
        if not len(reference):
            msg = (
                "calibration needs a consensus, but no unit and its label are shared by "
                f"{100.0 * support:g} % of the annotators and by at least two; "
                f"undecided: {count(len(reference.undecided), 'group')}"
            )
            raise DataError(msg)
        references = _references(reference, seed)
        if repeats is None:
            repeats = max(
                _FEWEST_REPEATS, min(_MOST_REPEATS, math.ceil(_UNITS_TO_SIMULATE / len(reference)))
            )
        if draws is None:
            needed = needed_draws(
                observed.draw_disorders, precision=precision or 0.02, confidence=confidence
            )
            draws = max(_FEWEST_DRAWS, min(_MOST_DRAWS, needed))
        counts = _label_counts(references)
        left_out = _left_out(chosen_errors, counts)
        simulated_errors = tuple(error for error in chosen_errors if error not in left_out)
        simulations = Simulations(
            references=references,
            annotators=_annotators(observed),
            prevalence=counts,
            seed=seed,
            settings=settings | {"draws": draws},
        )
        simulated = simulations.values(
            simulated_errors,
            grid,
            repeats,
            workers=workers or available_cores(),
            progress=progress,
            executor=executor,
            kept=None if folder is None else folder.part("simulated"),
        )
    curves = {error: curve_points(grid, simulated[error]) for error in simulated_errors}
    reading = CurveReading(observed, float(confidence), repeats)
    together = {
        error: fit
        for error in simulated_errors
        if (fit := reading.together(curves[error])) is not None
    }
    equivalents = {error: reading.equivalent("gamma", curves[error]) for error in simulated_errors}
    unproven = sum(
        not each.proven
        for error in simulated_errors
        for repeated in simulated[error]
        for each in repeated
    )
    return Calibration(
        gamma=observed,
        consensus=reference,
        curves=curves,
        gamma_equivalents=equivalents,
        gamma_cat_equivalents={
            error: reading.equivalent("gamma_cat", curves[error]) for error in simulated_errors
        },
        together=together,
        best=_best(together),
        left_out_errors=left_out,
        repeats=repeats,
        draws=draws,
        confidence=float(confidence),
        notes=_notes(reference, references, equivalents, unproven),
        signature=_signature(observed, simulated_errors, grid, repeats, draws, support),
    )


def _key(data: Continuum | Corpus, seed: int, settings: Mapping[str, Any]) -> dict[str, str]:
    """Return everything that the values depend on, as the key of a checkpoint."""
    dissimilarity = settings["dissimilarity"]
    rules = chance_rules(settings["chance"])
    chosen = CombinedDissimilarity(**rules.weights) if dissimilarity is None else dissimilarity
    check_dissimilarity(chosen)
    fitted = chosen.fitted(data.labels, label_counts(data))
    refuse_checkpoint(fitted)
    texts = {name: repr(value) for name, value in settings.items() if name != "dissimilarity"}
    return {
        "computation": "calibration",
        "dissim": fitted.text,
        "distances": digest_of(fitted.distances),
        **texts,
        "seed": str(seed),
        "data": data.digest,
        "v": __version__,
    }


def _best(together: Mapping[ErrorType, JointFit]) -> ErrorType | None:
    """Return the closest type of error, preferably one that explains the values."""
    if not together:
        return None
    return min(together, key=lambda error: (not together[error].explains, together[error].distance))


def _grid(magnitudes: Iterable[float]) -> Floats:
    values = list(magnitudes)
    for magnitude in values:
        check_setting("magnitudes", magnitude)
    grid = np.unique(np.array([0.0, *values], dtype=np.float64))
    if len(grid) < 3:
        msg = f"magnitudes must contain at least two values above 0, got {values}"
        raise SettingError(msg)
    return grid


def _label_counts(references: Mapping[str, Continuum]) -> dict[Label | None, int]:
    corpus = Corpus.from_continua(references)
    return dict(zip(corpus.labels, label_counts(corpus), strict=True))


def _left_out(
    errors: tuple[ErrorType, ...], labels: dict[Label | None, int]
) -> dict[ErrorType, str]:
    if "category" not in errors or len(labels) > 1:
        return {}
    if len(errors) == 1:
        msg = "category errors need several labels; all units of the consensus have the same label"
        raise DataError(msg)
    return {"category": "all units of the consensus have the same label"}


def _references(reference: Consensus, seed: int) -> dict[str, Continuum]:
    """Return the consensus of each document that has units, including units with a tie of labels.

    Without tied units there would be gaps where labels are confused most, and the same errors in a
    sparser document give a different γ.
    """
    documents = reference.documents or {"continuum": reference}
    found = {}
    for name, each in documents.items():
        continuum = each.continuum
        tied = [group for group in each.undecided if group.why == "labels"]
        if continuum is not None and tied:
            # One of the most frequent labels, chosen uniformly.
            rolls = Dice(seed, _STREAM, fingerprint(name=name)).roll(len(tied)).tolist()
            rows = [
                (CONSENSUS, group.start, group.end, group.tied[int(roll * len(group.tied))])
                for group, roll in zip(tied, rolls, strict=True)
            ]
            continuum = Continuum.from_units([*continuum, *rows], extent=continuum.extent)
        if continuum is not None and len(continuum):
            found[name] = continuum
    return found


def _annotators(observed: GammaAgreement) -> dict[str, int]:
    if not observed.documents:
        return {"continuum": observed.n_annotators}
    return {name: each.n_annotators for name, each in observed.documents.items()}


def _notes(
    reference: Consensus,
    references: Mapping[str, Continuum],
    equivalents: Mapping[ErrorType, ErrorEquivalent],
    unproven: int,
) -> tuple[str, ...]:
    notes = []
    tied = sum(map(len, references.values())) - len(reference)
    if tied:
        notes.append(f"{count(tied, 'more unit')} with a tie of labels, chosen at random")
    empty = [name for name in reference.documents if name not in references]
    if empty:
        notes.append(f"documents without a consensus, not simulated: {some(empty, 3)}")
    if "split" in equivalents and equivalents["split"].magnitude > 0.0:
        notes.append(
            "the number of cuts is overestimated: units that many annotators cut are also cut "
            "in the consensus"
        )
    if unproven:
        notes.append(f"{unproven} simulated γ computed from alignments that are not proven optimal")
    return tuple(notes)


def _signature(
    observed: GammaAgreement,
    errors: tuple[ErrorType, ...],
    grid: Floats,
    repeats: int,
    draws: int,
    support: float,
) -> Signature:
    own = (
        ("errors", ",".join(errors)),
        ("magnitudes", ",".join(f"{each:.12g}" for each in grid.tolist())),
        ("repeats", str(repeats)),
        ("drawseach", str(draws)),
        ("support", f"{support:.12g}"),
    )
    return Signature("calibration", (*own, *observed.signature.settings))
