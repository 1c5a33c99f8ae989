"""What annotators would do by chance: shifted, statistical and corpus models, and their draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from unisono._core import make_draw, roll_shifts, score_draws
from unisono.errors import DataError, SettingError
from unisono.measures.gamma.alignment import EFFORT_DRAW, USUAL_SEARCH, Columns, Search, aligned
from unisono.measures.sampling import Dice, different, fingerprint, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from unisono.measures.gamma.dissimilarity import Fitted
    from unisono.model.arrays import Codes, Floats, Integers
    from unisono.model.continuum import Continuum
    from unisono.model.corpus import Corpus

    Numbers: TypeAlias = NDArray[np.integer[Any]] | Floats

__all__ = [
    "SHIFT_STREAM",
    "Chance",
    "ChanceRules",
    "CorpusChance",
    "DrawScores",
    "DrawSource",
    "Recipe",
    "ShiftChance",
    "StatisticalChance",
    "Voices",
    "chance_rules",
    "has_no_room",
    "scored",
    "shift_spacing",
]


class DrawScores(NamedTuple):
    """What the draws came to, one entry a draw, in the user's units."""

    disorders: Floats
    lower_bounds: Floats
    proven: NDArray[np.bool_]
    label_disorder: Floats
    label_weight: Floats
    label_disorder_of: Floats
    label_weight_of: Floats
    redrawn: int

    @classmethod
    def joined(cls, parts: Iterable[DrawScores]) -> DrawScores:
        """Put the scores of successive draws together."""
        *columns, redrawn = (list(column) for column in zip(*parts, strict=True))
        joined: list[Any] = [np.concatenate(column) for column in columns]
        return cls._make([*joined, sum(redrawn)])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Give everything as arrays by name."""
        return self._asdict() | {"redrawn": np.array([self.redrawn])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> DrawScores:
        """Take arrays by name, as `arrays` gave them."""
        scores = cls._make(arrays[name] for name in cls._fields)
        return scores._replace(redrawn=int(arrays["redrawn"][0]))


class Voices(NamedTuple):
    """The columns of all voices, and where the continuum of each begins and how long it is."""

    columns: Columns
    origin: Floats
    extent: Floats

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many units each voice has."""
        return np.diff(self.columns.offsets)

    def only(self, chosen: NDArray[np.int64]) -> Voices:
        """Keep some voices, in the given order."""
        counts = self.counts[chosen]
        offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        # Row r of a voice stands as far from its first row here as there.
        rows = np.repeat(self.columns.offsets[chosen] - offsets[:-1], counts)
        rows += np.arange(len(rows))
        starts, ends, codes, _ = self.columns
        columns = Columns(starts[rows], ends[rows], codes[rows], offsets)
        return Voices(columns, self.origin[chosen], self.extent[chosen])


def voices_of(continua: Sequence[Continuum], fitted: Fitted) -> Voices:
    """Take the annotators of continua as voices; codes are those of the fitted labels."""
    place = {label: code for code, label in enumerate(fitted.labels)}
    codes = [
        np.array([place[label] for label in continuum.labels], np.int32)[continuum.label_codes]
        for continuum in continua
    ]
    counts = np.concatenate([continuum.counts for continuum in continua])
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    annotators = [len(continuum.annotators) for continuum in continua]
    lows, highs = zip(*(continuum.extent for continuum in continua), strict=True)
    return Voices(
        Columns(
            np.concatenate([continuum.starts for continuum in continua]),
            np.concatenate([continuum.ends for continuum in continua]),
            np.concatenate(codes).astype(np.int32),
            offsets,
        ),
        np.repeat(np.array(lows, np.float64), annotators),
        np.repeat(np.array(highs, np.float64) - np.array(lows, np.float64), annotators),
    )


Chance: TypeAlias = Literal["shift", "corpus", "statistical", "gamma-software"]
# First part of a draw's stream, so that no two models share random numbers.
SHIFT_STREAM, _CORPUS_STREAM = 1, 2
_LARGEST_DRAW = 50_000_000
# Shifts n·spacing apart around the circle leave no freedom at n·spacing = extent.
_LEAST_FREEDOM = 1e-9


class ChanceRules(NamedTuple):
    """What a chance model does beyond drawing at random."""

    by_shifting: bool = True
    by_fitting: bool = False
    spacing_in_mean_lengths: float = 1.0
    whole_shifts: bool = False
    floors_mean_units: bool = False
    trusts_by_weighted_position: bool = False
    position: float = 1.0
    """The weight of position when the user gives no dissimilarity."""

    @property
    def of_one_document(self) -> bool:
        """Whether the draws of a document come from that document alone."""
        return self.by_shifting or self.by_fitting

    def mean_units(self, units: float, annotators: int) -> float:
        """Give x̄, the mean number of units of an annotator."""
        mean = units / annotators
        return float(max(1, int(mean))) if self.floors_mean_units else mean

    def mean_units_of(self, units: Numbers, annotators: Numbers) -> Floats:
        """Give x̄ of many continua at once."""
        mean: Floats = units / annotators
        return np.maximum(1.0, np.floor(mean)) if self.floors_mean_units else mean

    def confidence_factor(self, fitted: Fitted) -> float:
        """Give the factor of d_pos in the weight of a pair in γcat."""
        return fitted.position if self.trusts_by_weighted_position else 1.0


_RULES: dict[str, ChanceRules] = {
    "shift": ChanceRules(),
    "corpus": ChanceRules(by_shifting=False),
    "statistical": ChanceRules(by_shifting=False, by_fitting=True),
    "gamma-software": ChanceRules(
        spacing_in_mean_lengths=0.5,
        whole_shifts=True,
        floors_mean_units=True,
        trusts_by_weighted_position=True,
        position=3.0,
    ),
}


def chance_rules(chance: str) -> ChanceRules:
    """Look a chance model up by its name."""
    try:
        return _RULES[chance]
    except (KeyError, TypeError):
        msg = f"unknown chance model {chance!r}; choose one of {', '.join(_RULES)}"
        raise SettingError(msg) from None


class Recipe(NamedTuple):
    """The dice of some draws: which voice at each place, moved by how much."""

    picks: NDArray[np.int32]
    shifts: Floats
    tiled_to: Floats
    """The length that each draw is tiled to; empty when voices are shifted."""
    redrawn: int
    """How many draws had no units and were drawn again."""


class DrawSource(Protocol):
    """Where draws come from: the same number of a draw always gives the same draw."""

    fitted: Fitted

    def score(
        self, first: int, count: int, *, workers: int, search: Search = USUAL_SEARCH
    ) -> DrawScores:
        """Make, align and score draws ``first`` to ``first + count``."""


class ShiftChance:
    """Draws from one continuum, by circular shifts."""

    def __init__(
        self,
        continuum: Continuum,
        fitted: Fitted,
        rules: ChanceRules,
        seed: int,
        source: Continuum | None = None,
        *,
        name: str = "",
    ) -> None:
        self.fitted = fitted
        self._rules = rules
        self._seed = seed
        drawn = continuum if source is None else source
        self._stream = (SHIFT_STREAM, fingerprint(drawn.counts, drawn.label_codes, name=name))
        self._places = len(continuum.annotators)
        low, high = continuum.extent
        self._extent = high - low
        self._voices = voices_of([drawn], fitted)
        mean_length = float((drawn.ends - drawn.starts).mean())
        extents, places = np.array([self._extent]), np.array([self._places])
        spacing, too_much = shift_spacing(extents, places, np.array([mean_length]), rules)
        self.spacing = float(spacing[0])
        self.spacing_was_lowered = bool(too_much[0])
        if has_no_room(extents, places, rules)[0]:
            msg = (
                "this chance model shifts by whole numbers, and the extent "
                f"{low:.6g}–{high:.6g} has no room for {self._places} different ones; "
                "measure positions in smaller steps, such as milliseconds, or choose 'shift'"
            )
            raise DataError(msg)

    def recipe(self, first: int, count: int) -> Recipe:
        """Roll the dice of some draws."""
        picks, shifts, redrawn = roll_shifts(
            words_of(self._seed),
            np.array(self._stream, np.uint32),
            self._voices.counts,
            first=first,
            count=count,
            places=self._places,
            extent=self._extent,
            spacing=self.spacing,
            whole_shifts=self._rules.whole_shifts,
        )
        return Recipe(picks, shifts, np.empty(0), redrawn)

    def score(
        self, first: int, count: int, *, workers: int, search: Search = USUAL_SEARCH
    ) -> DrawScores:
        """Make, align and score some draws."""
        recipe = self.recipe(first, count)
        return scored(self._voices, recipe, self.fitted, self._rules, search, workers)


def shift_spacing(
    extents: Floats, places: Numbers, mean_lengths: Floats, rules: ChanceRules
) -> tuple[Floats, NDArray[np.bool_]]:
    """Say how far apart the shifts of documents lie at least, and whether it had to be lowered."""
    wanted = mean_lengths * rules.spacing_in_mean_lengths
    freedom = extents - places * wanted
    too_much = (wanted > 0.0) & (freedom <= _LEAST_FREEDOM * extents)
    # At extent/n the shifts would all but be fixed and the draws no longer random.
    return np.where(too_much, extents / (2 * places), wanted), too_much


def has_no_room(extents: Floats, places: Numbers, rules: ChanceRules) -> NDArray[np.bool_]:
    """Say where shifts are to be whole numbers and there are not as many different ones."""
    return (extents < places) & rules.whole_shifts


class CorpusChance:
    """Draws from several continua, one annotator of each, for documents of n annotators."""

    def __init__(
        self, corpus: Corpus, places: int, fitted: Fitted, rules: ChanceRules, seed: int
    ) -> None:
        self.fitted = fitted
        self._rules = rules
        self._seed = seed
        self._places = places
        continua = [continuum for continuum in corpus.values() if continuum.annotators]
        if len(continua) < places:
            msg = (
                f"the chance model 'corpus' draws {places} different documents for {places} "
                f"annotators, but there {_are(len(continua))}; choose 'shift' instead"
            )
            raise DataError(msg)
        self._annotators = np.array([len(continuum.annotators) for continuum in continua])
        self._first_voice = np.concatenate(([0], np.cumsum(self._annotators)))
        self._lengths = np.array([high - low for low, high in (c.extent for c in continua)])
        self._voices = voices_of(continua, fitted)

    @property
    def mean_voice(self) -> float:
        """The mean number of units of an annotator of a document."""
        return float(self._voices.counts.mean())

    def recipe(self, first: int, count: int) -> Recipe:
        """Roll the dice of some draws."""
        n = self._places
        counts = self._voices.counts
        picks = np.empty((count, n), np.int32)
        tiled_to = np.empty(count)
        redrawn = 0
        for at in range(count):
            dice = Dice(self._seed, _CORPUS_STREAM, n, first + at)
            while True:
                rolled = dice.roll(2 * n)
                chosen = different(rolled[:n], len(self._annotators))
                annotator = (rolled[n:] * self._annotators[chosen]).astype(np.int64)
                voices = self._first_voice[chosen] + annotator
                if counts[voices].any():
                    break
                redrawn += 1
            picks[at] = voices
            tiled_to[at] = self._lengths[chosen].max()
        self._refuse_enormous(picks, tiled_to)
        return Recipe(picks, np.zeros((count, n)), tiled_to, redrawn)

    def picked(self, first: int, count: int) -> tuple[Voices, Recipe]:
        """Roll the dice of some draws, and give the voices that they pick and no other."""
        recipe = self.recipe(first, count)
        chosen, places = np.unique(recipe.picks, return_inverse=True)
        picks = places.reshape(recipe.picks.shape).astype(np.int32)
        return self._voices.only(chosen.astype(np.int64)), recipe._replace(picks=picks)

    def score(
        self, first: int, count: int, *, workers: int, search: Search = USUAL_SEARCH
    ) -> DrawScores:
        """Make, align and score some draws."""
        recipe = self.recipe(first, count)
        return scored(self._voices, recipe, self.fitted, self._rules, search, workers)

    def _refuse_enormous(self, picks: NDArray[np.int32], tiled_to: Floats) -> None:
        extent = np.where(self._voices.extent > 0.0, self._voices.extent, np.inf)
        tiles = np.ceil(tiled_to[:, None] / extent[picks]).clip(min=1.0)
        units = (tiles * self._voices.counts[picks]).sum(axis=1)
        if units.max(initial=0.0) > _LARGEST_DRAW:
            msg = (
                "the chance model 'corpus' repeats short documents up to the length of long ones, "
                f"and these differ so much that one draw would have {units.max():.0f} units; "
                "choose 'shift', or leave out the shortest documents"
            )
            raise DataError(msg)


def _are(count: int) -> str:
    return "is only 1" if count == 1 else f"are only {count}"


def scored(
    voices: Voices,
    recipe: Recipe,
    fitted: Fitted,
    rules: ChanceRules,
    search: Search,
    workers: int,
) -> DrawScores:
    """Align draws that were rolled, and give what they come to."""
    factor = rules.confidence_factor(fitted)
    plan = (*voices.columns, voices.origin, voices.extent, *recipe[:3])
    if fitted.cost is None:
        found = score_draws(
            *plan,
            fitted.distances,
            **fitted.weights,
            confidence_factor=factor,
            effort=EFFORT_DRAW,
            **search.for_kernel,
            workers=workers,
        )
        sums = (found["disorder_sum"], found["lower_bound"], found["proven"].astype(np.bool_))
        units = found["unit_count"]
        label_sums = tuple(
            found[name]
            for name in ("label_disorder", "label_weight", "label_disorder_of", "label_weight_of")
        )
    else:
        # A user's own dissimilarity is asked in Python: the kernel only makes the draws.
        drawn = [Columns(*make_draw(*plan, draw=draw)) for draw in range(len(recipe.picks))]
        each = [
            aligned(columns, fitted, search=search, confidence_factor=factor, effort=EFFORT_DRAW)
            for columns in drawn
        ]
        sums = (
            np.array([one.disorder_sum for one in each]),
            np.array([one.lower_bound for one in each]),
            np.array([one.proven for one in each], np.bool_),
        )
        units = np.array([len(columns.starts) for columns in drawn])
        label_sums = tuple(np.array(column) for column in zip(*(o.sums for o in each), strict=True))
    places = recipe.picks.shape[1]
    mean_units = rules.mean_units_of(units, np.array(places))
    disorder_sums, lower_bounds, proven = sums
    label_disorder, label_weight, label_disorder_of, label_weight_of = label_sums
    return DrawScores(
        disorders=disorder_sums / mean_units * fitted.empty,
        lower_bounds=lower_bounds / mean_units * fitted.empty,
        proven=proven,
        label_disorder=label_disorder * fitted.empty,
        label_weight=label_weight,
        label_disorder_of=label_disorder_of * fitted.empty,
        label_weight_of=label_weight_of,
        redrawn=recipe.redrawn,
    )


# First part of a draw's stream, so that no two models share random numbers.
_STREAM = 11
_MOST_IN_VAIN = 10_000


class Spreads(NamedTuple):
    """What is fitted to a document: means and deviations, and the shares of labels."""

    units: tuple[float, float]
    """Of the number of units of an annotator."""
    gap: tuple[float, float]
    """Of the way from the end of a unit, or of the beginning of the document, to the next unit."""
    length_mean: Floats
    length_deviation: Floats
    """Of the length of units, for each label."""
    shares: Floats
    """How often each label occurs."""


def spreads_of(continuum: Continuum) -> Spreads:
    """Fit the model to a document with one unit at least."""
    starts, ends, codes = continuum.starts, continuum.ends, continuum.label_codes
    before = np.concatenate(([0.0], ends[:-1]))
    has_units = continuum.counts > 0
    before[continuum.offsets[:-1][has_units]] = continuum.extent[0]
    n_labels = len(continuum.labels)
    lengths = [_mean_and_deviation((ends - starts)[codes == code]) for code in range(n_labels)]
    means, deviations = (np.array(column) for column in zip(*lengths, strict=True))
    return Spreads(
        units=_mean_and_deviation(continuum.counts.astype(np.float64)),
        gap=_mean_and_deviation(starts - before),
        length_mean=means,
        length_deviation=deviations,
        shares=np.bincount(codes, minlength=n_labels) / len(codes),
    )


def _mean_and_deviation(values: Floats) -> tuple[float, float]:
    # In one order, so that no name of an annotator can change the last bit of a sum.
    ordered = np.sort(values)
    return float(ordered.mean()), float(ordered.std())


def normals(rolls: Floats) -> Floats:
    """Turn two rows of uniform numbers into normal ones, by Box and Muller's formula."""
    return np.asarray(np.sqrt(-2.0 * np.log1p(-rolls[0])) * np.cos(2.0 * np.pi * rolls[1]))


class StatisticalChance:
    """Draws from distributions fitted to one continuum."""

    def __init__(
        self,
        continuum: Continuum,
        fitted: Fitted,
        rules: ChanceRules,
        seed: int,
        source: Continuum | None = None,
        *,
        name: str = "",
    ) -> None:
        self.fitted = fitted
        self._rules = rules
        self._seed = seed
        self._places = len(continuum.annotators)
        drawn = continuum if source is None else source
        self._stream = (_STREAM, fingerprint(drawn.counts, drawn.label_codes, name=name))
        self._spreads = spreads_of(drawn)
        place = {label: code for code, label in enumerate(fitted.labels)}
        self._codes = np.array([place[label] for label in drawn.labels], np.int32)

    def drawn(self, first: int, count: int) -> tuple[Voices, Recipe]:
        """Roll the dice of some draws: a voice of its own for each place of each draw."""
        redrawn = 0
        counts: list[Integers] = []
        starts: list[Floats] = []
        ends: list[Floats] = []
        codes: list[Codes] = []
        for at in range(count):
            dice = Dice(self._seed, *self._stream, first + at)
            units = self._numbers_of_units(dice)
            in_vain = 0
            while not units.any():
                in_vain += 1
                if in_vain > _MOST_IN_VAIN:
                    msg = (
                        f"chance as fitted to {self._places} annotators who have "
                        f"{self._spreads.units[0]:.2g} units in the mean hardly ever makes one; "
                        "choose another chance model, such as shift"
                    )
                    raise DataError(msg)
                units = self._numbers_of_units(dice)
            redrawn += in_vain
            columns = self._units(units, dice)
            counts.append(units)
            starts.append(columns[0])
            ends.append(columns[1])
            codes.append(columns[2])
        offsets = np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int64)
        n_voices = count * self._places
        # Each draw begins at its own first unit, and nothing comes to the end of the circle.
        low = np.array([column.min() for column in starts])
        high = np.array([column.max() for column in ends])
        voices = Voices(
            Columns(np.concatenate(starts), np.concatenate(ends), np.concatenate(codes), offsets),
            np.repeat(low, self._places),
            np.repeat(2.0 * (high - low) + 1.0, self._places),
        )
        picks = np.arange(n_voices, dtype=np.int32).reshape(count, self._places)
        return voices, Recipe(picks, np.zeros((count, self._places)), np.empty(0), redrawn)

    def score(
        self, first: int, count: int, *, workers: int, search: Search = USUAL_SEARCH
    ) -> DrawScores:
        """Make, align and score some draws."""
        voices, recipe = self.drawn(first, count)
        return scored(voices, recipe, self.fitted, self._rules, search, workers)

    def _numbers_of_units(self, dice: Dice) -> Integers:
        mean, deviation = self._spreads.units
        wished = mean + deviation * normals(dice.roll(2 * self._places).reshape(2, -1))
        return np.maximum(np.rint(wished), 0.0).astype(np.int64)

    def _units(self, units: Integers, dice: Dice) -> tuple[Floats, Floats, Codes]:
        spreads = self._spreads
        total = int(units.sum())
        rolls = dice.roll(5 * total).reshape(5, -1)
        shares = np.cumsum(spreads.shares)
        labels = np.minimum(np.searchsorted(shares, rolls[0], side="right"), len(shares) - 1)
        mean, deviation = spreads.length_mean[labels], spreads.length_deviation[labels]
        lengths = np.abs(mean + deviation * normals(rolls[1:3]))
        gaps = spreads.gap[0] + spreads.gap[1] * normals(rolls[3:5])
        ends = np.cumsum(gaps + lengths)
        owner = np.repeat(np.arange(len(units)), units)
        so_far = np.concatenate(([0.0], ends))[np.cumsum(units) - units]
        ends -= so_far[owner]
        starts = ends - lengths
        order = np.lexsort((labels, ends, starts, owner))
        return starts[order], ends[order], self._codes[labels[order]]
