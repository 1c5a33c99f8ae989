"""Which errors, and how many, would give the same γ and γcat: `calibrate` and its result."""

from __future__ import annotations

import math
from contextlib import ExitStack
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from unisono.errors import DataError, SettingError
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import Combined, check_dissimilarity, label_counts
from unisono.measures.gamma.gamma import gamma
from unisono.measures.intervals import needed_draws
from unisono.measures.sampling import Dice, fingerprint, seed_of
from unisono.measures.settings import check_count, check_share
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.parallel.checkpoint import Checkpoint, digest_of
from unisono.parallel.dispatch import check_executor, workers_of
from unisono.parallel.executors import available_cores
from unisono.results.agreement import Signature
from unisono.results.blocks import markdown_code, markdown_table, markdown_text
from unisono.results.record import InMarkdown, Pictured, Record, plain_number
from unisono.results.wording import count, decimals, some
from unisono.simulation.calibration.curves import CurveReading, Simulations, curve_points
from unisono.simulation.shuffling.errors import ERRORS, check_errors, check_magnitude
from unisono.studies.consensus import CONSENSUS, consensus
from unisono.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Executor

    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.result import GammaResult
    from unisono.model.arrays import Floats
    from unisono.model.labels import Label
    from unisono.results.agreement import Agreement
    from unisono.simulation.calibration.curves import CurvePoint, Equivalent, JointFit
    from unisono.simulation.shuffling.errors import ErrorType
    from unisono.studies.consensus import Consensus

__all__ = ["ERROR_WORDS", "HEADINGS", "Calibration", "calibrate", "effect_text"]

ERROR_WORDS: Mapping[ErrorType, str] = {
    "position": "moved boundaries",
    "category": "confused labels",
    "false_negative": "missed units",
    "false_positive": "added units",
    "split": "units cut in two",
}
"""Each type of error as a thing."""
_PHRASES: Mapping[ErrorType, str] = {
    "position": "move boundaries by {} of a unit's length",
    "category": "confuse {} of labels",
    "false_negative": "miss {} of units",
    "false_positive": "mark {} more units than there are",
    "split": "make {} in 100 units",
}


def effect_text(error: ErrorType, effect: float, low: float | None, high: float | None) -> str:
    """Say how much of an error is made, and between which amounts that may be."""
    amount = amount_text(error, effect)
    if low is not None and high is not None:
        between = "–".join(_number(100.0 * each) for each in (low, high))
        between = f" ({between})" if error == "split" else f" ({between} %)"
        number, _, word = amount.partition(" ")
        amount = f"{number}{between} {word}" if error == "split" else f"{amount}{between}"
    return _PHRASES[error].format(amount)


def amount_text(error: ErrorType, effect: float) -> str:
    """Write how much of an error is made."""
    number = _number(100.0 * effect)
    return f"{number} cuts" if error == "split" else f"{number} %"


def equivalents_told(name: str, observed: Agreement, found: Mapping[ErrorType, Equivalent]) -> str:
    """Say how many errors of each type give an observed value."""
    if observed.undefined:
        return f"{name} is undefined: {observed.undefined}."
    if observed.value == 1.0:
        return f"{name} = 1: there are no errors to explain."
    number = decimals(observed.value, 2)
    phrases = [
        effect_text(error, each.effect, each.effect_low, each.effect_high)
        for error, each in found.items()
        if not each.undefined
    ]
    never = _listed([ERROR_WORDS[error] for error, each in found.items() if each.undefined])
    told = []
    if phrases:
        told.append(f"{name} = {number} is what annotators would get who {', or '.join(phrases)}.")
    if never:
        low = "so low" if phrases else f"down to {number}"
        told.append(f"{never[0].upper()}{never[1:]} alone cannot bring {name} {low}.")
    return " ".join(told)


def together_told(best: ErrorType, fits: Mapping[ErrorType, JointFit]) -> str:
    """Say which types of errors explain γ and γcat at once, the closest first."""
    told = {
        error: f"{effect_text(error, fit.effect, None, None)} "
        f"(γ = {decimals(fit.gamma, 2)}, γcat = {decimals(fit.cat, 2)})"
        for error, fit in fits.items()
    }
    explaining = sorted(
        (error for error, fit in fits.items() if fit.explains),
        key=lambda error: fits[error].distance,
    )
    if not explaining:
        return (
            "No single type of error explains γ and γcat together. "
            f"Closest are {ERROR_WORDS[best]}: annotators who {told[best]}."
        )
    if len(explaining) == 1:
        return (
            f"Of single types of errors only {ERROR_WORDS[best]} explain γ and γcat together: "
            f"annotators who {told[best]}."
        )
    listed = ", or ".join(told[error] for error in explaining)
    return f"Several types of errors explain γ and γcat together: annotators who {listed}."


def _listed(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def _number(percent: float) -> str:
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Calibration(Record, InMarkdown, Pictured):
    """How many errors annotators make who agree as much as these do.

    Parameters
    ----------
    observed
        γ and γcat of the data.
    reference
        The consensus that simulated annotators start from.
    curves
        For each type of error what γ and γcat are at rising magnitudes.
    gamma, cat
        For each type of error how many of them give the observed γ, and γcat.
    together
        For each type of error how well it explains both; empty where γcat is undefined.
    best
        The type of error that explains both best, though others may explain them too; `None` where
        γcat is undefined.
    left_out
        Types of errors that these data do not allow, and why.
    repeats
        How many annotation sets were simulated at each magnitude.
    draws
        On how many draws each of their γ rests.
    level
        The confidence of the intervals.
    notes
        Sentences a reader should know.
    signature
        Every setting that can move a number.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> found = un.calibrate(text, errors=("position", "false_negative"), repeats=5, rng=1)
    >>> found.best
    'false_negative'
    >>> print(found)
    γ = 0.79 is what annotators would get who move boundaries by ... of units...
    """

    observed: GammaResult
    reference: Consensus
    curves: Mapping[ErrorType, tuple[CurvePoint, ...]]
    gamma: Mapping[ErrorType, Equivalent]
    cat: Mapping[ErrorType, Equivalent]
    together: Mapping[ErrorType, JointFit]
    best: ErrorType | None
    left_out: Mapping[ErrorType, str]
    repeats: int
    draws: int
    level: float
    notes: tuple[str, ...] = ()
    signature: Signature

    def __post_init__(self) -> None:
        for name in _MAPPINGS:
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def sentences(self) -> list[str]:
        """What a person would say: about γ, about γcat, and about both together.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> found.sentences[0]
        'γ = 0.79 is what annotators would get who miss ... % (...) of units.'
        """
        about_gamma = equivalents_told("γ", self.observed, self.gamma)
        about_cat = equivalents_told("γcat", self.observed.cat, self.cat)
        perfect = self.observed.value == 1.0
        told = "" if self.best is None or perfect else together_told(self.best, self.together)
        return [each for each in (about_gamma, about_cat, told) if each]

    def __str__(self) -> str:
        return " ".join(self.sentences)

    def __repr__(self) -> str:
        return f"Calibration({decimals(self.observed.value)}, {', '.join(self.curves)})"

    def cells(self) -> list[list[str]]:
        """Give a line for each type of error: how many of them give γ, γcat, and both.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> found.cells()[0][0]
        'missed units'
        """
        lines = []
        for error in self.curves:
            fit = self.together.get(error)
            both = amount_text(error, fit.effect) if fit else "–"
            lines.append(
                [
                    ERROR_WORDS[error],
                    *_amounts(error, self.gamma[error]),
                    *_amounts(error, self.cat[error]),
                    both,
                    ("yes" if fit.explains else "no") if fit else "–",
                ]
            )
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Give all as plain data; NaN becomes ``None``.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> found.to_dict()["curves"]["false_negative"][0]["gamma"]
        1.0
        """
        return {
            "value": plain_number(self.observed.value),
            "cat": plain_number(self.observed.cat.value),
            "sentences": self.sentences,
            "best": self.best,
            "gamma_equivalents": {name: _plain(each) for name, each in self.gamma.items()},
            "cat_equivalents": {name: _plain(each) for name, each in self.cat.items()},
            "together": {name: _plain(each) for name, each in self.together.items()},
            "curves": {
                error: [_plain(point) for point in points] for error, points in self.curves.items()
            },
            "left_out": dict(self.left_out),
            "repeats": self.repeats,
            "draws": self.draws,
            "level": self.level,
            "reference_units": len(self.reference),
            "notes": list(self.notes),
            "observed_signature": str(self.observed.signature),
            "signature": str(self.signature),
        }

    def to_markdown(self) -> str:
        """Give the sentences and a Markdown table, with the signature below.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.read("examples/interview.csv")["interview"]
        >>> found = un.calibrate(text, errors="false_negative", repeats=5, rng=1)
        >>> print(found.to_markdown().splitlines()[-3].split("|")[1].strip())
        missed units
        """
        table = markdown_table(HEADINGS, self.cells())
        told = [markdown_text(each) for each in self.sentences]
        return "\n\n".join([*told, table, markdown_code(str(self.signature))])


HEADINGS = ("errors", "γ", "interval", "γcat", "interval", "both", "explains")
"""Of the lines that `Calibration.cells` gives."""
_MAPPINGS = ("curves", "gamma", "cat", "together", "left_out")


def _amounts(error: ErrorType, found: Equivalent) -> list[str]:
    if found.undefined:
        return ["–", "–"]
    ends = (amount_text(error, each) for each in (found.effect_low, found.effect_high))
    low, high = (text.partition(" ")[0] for text in ends)
    return [amount_text(error, found.effect), f"{low}–{high}"]


def _plain(record: CurvePoint | Equivalent | JointFit) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, value in record._asdict().items():
        if isinstance(value, float):
            plain[name] = plain_number(value)
        else:
            plain[name] = value.to_dict() if hasattr(value, "to_dict") else value
    return plain


# First part of a stream, so that nothing else has its random numbers.
_STREAM = 14
# Closer together where annotators are good.
_MAGNITUDES = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)
_FEWEST_DRAWS, _MOST_DRAWS = 5, 20
# Many units average out what repeats would.
_FEWEST_TOLD = 5
_FEWEST_REPEATS, _MOST_REPEATS, _UNITS_TO_SIMULATE = 6, 12, 2400


def calibrate(
    data: Continuum | Corpus,
    *,
    errors: ErrorType | Iterable[ErrorType] = ERRORS,
    magnitudes: Iterable[float] = _MAGNITUDES,
    repeats: int | None = None,
    support: float = 0.5,
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float = 0.02,
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
    """Say which errors, and how many, make annotators agree as much as these do.

    The consensus of the annotators is taken for right. Simulated annotators, as many as there are
    in each document, mark it with errors of one type at rising magnitudes, and γ and γcat are
    measured. Where these curves have the observed values is the answer.

    Parameters
    ----------
    data
        One `Continuum`, or a `Corpus` of them.
    errors
        Which types of errors to try, of ``"position"``, ``"category"``, ``"false_negative"``,
        ``"false_positive"`` and ``"split"``, as `shuffle` makes them.
    magnitudes
        At which magnitudes; 0 is always among them.
    repeats
        How many annotation sets to simulate at each; by default 12, and fewer down to 6 where
        the consensus has more than 200 units.
    support
        What share of annotators makes a consensus, as in `consensus`.
    dissimilarity, chance, soft, gap_tolerance
        As in `gamma`, for the data and for simulated annotators alike.
    precision, confidence
        As in `gamma`, for the data. The confidence is also that of the intervals.
    draws
        How many draws each simulated γ rests on; by default as many as the precision needs on the
        data, but 5 to 20: what chance does to one of them averages out over the others.
    rng
        A seed, or a generator from which one is drawn; `None` takes one from the system. It is
        shown in the signature.
    workers
        Threads to use, all cores by default. They never move a value.
    executor, checkpoint
        Where to send the work instead, and a folder to keep what is done in, as in `gamma`.
    progress
        Called with the simulations done and the simulations needed.

    Returns
    -------
    Calibration
        For each type of error how many of them give the observed γ and γcat, with intervals, and
        which type explains both best.

    Raises
    ------
    SettingError
        If a setting cannot be used.
    DataError
        If γ is undefined, or the annotators have no unit in common.

    Notes
    -----
    Curves are means over repeats, made monotone by least squares and interpolated by monotone
    cubics. The `interval` of a magnitude holds all at which the observed value lies within the
    spread of single annotation sets (Student's t); `monte_carlo` holds those at which it lies
    within the error of the curve and of the observed γ alone. A type of error explains γ and γcat
    together if at some magnitude both lie within the spread of single annotation sets, each alone
    and the two together (Hotelling's T², with the covariance over repeats). Of such magnitudes and
    types the one whose values come closest is the best; if there is none, the one of all.

    A calibration is a comparison, no cause: real annotators make several errors at once, and all
    of them not by chance. See also `diagnose`, which takes the observed disorder itself apart.

    Examples
    --------
    >>> import unisono as un
    >>> reference = un.generate_reference(units=40, rng=1)
    >>> careless = un.shuffle(reference, magnitude=0.5, errors="category", rng=2).continuum
    >>> found = un.calibrate(careless, errors=("category", "false_negative"), repeats=6, rng=3)
    >>> found.best
    'category'
    >>> found.gamma["category"].interval.low < 0.5 < found.gamma["category"].interval.high
    True
    """
    if not isinstance(data, Continuum | Corpus):
        msg = f"calibrate takes a Continuum or a Corpus, got {type(data).__name__}"
        raise TypeError(msg)
    wanted = check_errors(errors)
    grid = _grid(magnitudes)
    for name, value in (("repeats", repeats), ("draws", draws), ("workers", workers)):
        if value is not None:
            check_count(name, value)
    check_share("confidence", confidence, "0.95 for 95 %")
    if repeats is not None and repeats < _FEWEST_TOLD:
        msg = f"repeats is {_FEWEST_TOLD} or more, so that their spread is known; got {repeats}"
        raise SettingError(msg)
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
            told = settings | {"errors": wanted, "magnitudes": grid.tolist(), "repeats": repeats}
            told |= {"precision": precision, "draws": draws, "support": support}
            folder.open_for(_key(data, seed, told))
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
            msg = f"there is nothing to calibrate: γ is undefined, {observed.undefined}"
            raise DataError(msg)
        reference = consensus(observed, support=support)
        if not len(reference):
            msg = (
                "there is no consensus to start from: no unit and its label are shared by "
                f"{100.0 * support:g} % of the annotators and by two at least; "
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
                observed.draw_disorders, precision=precision, confidence=confidence
            )
            draws = max(_FEWEST_DRAWS, min(_MOST_DRAWS, needed))
        counts = _label_counts(references)
        left_out = _left_out(wanted, counts)
        tried = tuple(error for error in wanted if error not in left_out)
        simulations = Simulations(
            references=references,
            annotators=_annotators(observed),
            prevalence=counts,
            seed=seed,
            settings=settings | {"draws": draws},
        )
        simulated = simulations.values(
            tried,
            grid,
            repeats,
            workers=workers or available_cores(),
            progress=progress,
            executor=executor,
            kept=None if folder is None else folder.part("simulated"),
        )
    curves = {error: curve_points(grid, simulated[error]) for error in tried}
    reading = CurveReading(observed, float(confidence), repeats)
    together = {
        error: fit for error in tried if (fit := reading.together(curves[error])) is not None
    }
    equivalents = {error: reading.equivalent("gamma", curves[error]) for error in tried}
    unproven = sum(not each.proven for error in tried for some in simulated[error] for each in some)
    return Calibration(
        observed=observed,
        reference=reference,
        curves=curves,
        gamma=equivalents,
        cat={error: reading.equivalent("cat", curves[error]) for error in tried},
        together=together,
        best=_best(together),
        left_out=left_out,
        repeats=repeats,
        draws=draws,
        level=float(confidence),
        notes=_notes(reference, references, equivalents, unproven),
        signature=_signature(observed, tried, grid, repeats, draws, support),
    )


def _key(data: Continuum | Corpus, seed: int, settings: Mapping[str, Any]) -> dict[str, str]:
    """Say all that the values depend on, for a checkpoint."""
    dissimilarity = settings["dissimilarity"]
    rules = chance_rules(settings["chance"])
    chosen = Combined(position=rules.position) if dissimilarity is None else dissimilarity
    check_dissimilarity(chosen)
    fitted = chosen.fitted(data.labels, label_counts(data))
    if fitted.cost is not None:
        msg = (
            "a checkpoint cannot tell whether a dissimilarity of your own is still the same; "
            "do without one of them"
        )
        raise SettingError(msg)
    told = {name: repr(value) for name, value in settings.items() if name != "dissimilarity"}
    return {
        "computation": "calibration",
        "dissim": fitted.text,
        "distances": digest_of(fitted.distances),
        **told,
        "seed": str(seed),
        "data": data.digest,
        "v": __version__,
    }


def _best(together: Mapping[ErrorType, JointFit]) -> ErrorType | None:
    """Give the type whose values come closest, of those that explain them if there are such."""
    if not together:
        return None
    return min(together, key=lambda error: (not together[error].explains, together[error].distance))


def _grid(magnitudes: Iterable[float]) -> Floats:
    given = list(magnitudes)
    for magnitude in given:
        check_magnitude(magnitude)
    grid = np.unique(np.array([0.0, *given], dtype=np.float64))
    if len(grid) < 3:
        msg = f"a curve needs two magnitudes above 0 or more, got {given}"
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
        msg = "labels cannot be confused: all units of the consensus have the same"
        raise DataError(msg)
    return {"category": "all units of the consensus have the same label"}


def _references(reference: Consensus, seed: int) -> dict[str, Continuum]:
    """Give the documents that have units to start from, units with a tie of labels among them.

    Without these there would be gaps where labels were confused most, and the same errors in a
    sparser document do not give the same γ.
    """
    documents = reference.documents or {"continuum": reference}
    found = {}
    for name, each in documents.items():
        continuum = each.continuum
        tied = [group for group in each.undecided if group.why == "labels"]
        if continuum is not None and tied:
            # One of the labels with the most votes, each as likely; often there are only two.
            rolls = Dice(seed, _STREAM, fingerprint(name=name)).roll(len(tied)).tolist()
            rows = [
                (CONSENSUS, group.start, group.end, group.tied[int(roll * len(group.tied))])
                for group, roll in zip(tied, rolls, strict=True)
            ]
            continuum = Continuum.from_units([*continuum, *rows], extent=continuum.extent)
        if continuum is not None and len(continuum):
            found[name] = continuum
    return found


def _annotators(observed: GammaResult) -> dict[str, int]:
    if not observed.documents:
        return {"continuum": observed.n_annotators}
    return {name: each.n_annotators for name, each in observed.documents.items()}


def _notes(
    reference: Consensus,
    references: Mapping[str, Continuum],
    equivalents: Mapping[ErrorType, Equivalent],
    unproven: int,
) -> tuple[str, ...]:
    notes = []
    tied = sum(map(len, references.values())) - len(reference)
    if tied:
        notes.append(f"{count(tied, 'more unit')} with a tie of labels got one of them at random")
    empty = [name for name in reference.documents if name not in references]
    if empty:
        notes.append(f"not simulated, without consensus: {some(empty, 3)}")
    if "split" in equivalents and equivalents["split"].magnitude > 0.0:
        notes.append("cuts are overestimated: what many annotators cut in two, the consensus does")
    if unproven:
        notes.append(
            f"{unproven} simulated γ rest on alignments that are not proven to be the best"
        )
    return tuple(notes)


def _signature(
    observed: GammaResult,
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
