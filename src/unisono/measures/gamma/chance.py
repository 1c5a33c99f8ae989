"""Chance models: random continua, and the disorders of their draws.

Each model is a class with one method, `drawn`, that returns units and how draws are composed of
them. ``documents`` aligns the draws. If units are only shifted and their costs are not custom, the
kernel makes and aligns the draws in one call.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from unisono._core import roll_shifts
from unisono.errors import DataError, check_choice
from unisono.measures.gamma.alignment import Columns
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
    "NO_DRAWS",
    "SHIFT_STREAM",
    "Chance",
    "ChanceModel",
    "ChanceRules",
    "CorpusChance",
    "DrawScores",
    "Recipe",
    "ShiftChance",
    "StatisticalChance",
    "Tracks",
    "chance_rules",
    "draw_scores",
    "shift_spacing",
]


class DrawScores(NamedTuple):
    """The sums over the best alignments of draws, one entry per draw."""

    disorders: Floats
    lower_bounds: Floats
    proven: NDArray[np.bool_]
    label_disorder: Floats
    label_weight: Floats
    label_disorder_of: Floats
    label_weight_of: Floats
    redrawn: int
    work: int
    """The work of the kernel for these draws; independent of the machine."""

    @classmethod
    def joined(cls, parts: Iterable[DrawScores]) -> DrawScores:
        """Join the scores of successive draws."""
        *columns, redrawn, work = (list(column) for column in zip(*parts, strict=True))
        joined: list[Any] = [np.concatenate(column) for column in columns]
        return cls._make([*joined, sum(redrawn), sum(work)])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all fields as arrays by name."""
        totals = {"redrawn": np.array([self.redrawn]), "work": np.array([self.work])}
        return self._asdict() | totals

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> DrawScores:
        """Restore scores from the arrays returned by `arrays`."""
        scores = cls._make(arrays[name] for name in cls._fields)
        redrawn, work = (int(arrays[name][0]) for name in ("redrawn", "work"))
        return scores._replace(redrawn=redrawn, work=work)


_NOTHING = np.empty(0)
NO_DRAWS = DrawScores(
    _NOTHING, _NOTHING, np.empty(0, np.bool_), _NOTHING, _NOTHING, _NOTHING, _NOTHING, 0, 0
)


class Tracks(NamedTuple):
    """The units of tracks; a track is one annotator of one document.

    `origin` and `extent` are the start and the length of the document of each track.
    """

    columns: Columns
    origin: Floats
    extent: Floats

    @property
    def counts(self) -> NDArray[np.int64]:
        """The number of units of each track."""
        return np.diff(self.columns.offsets)

    def only(self, chosen: NDArray[np.int64]) -> Tracks:
        """Return the chosen tracks, in the given order."""
        counts = self.counts[chosen]
        offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        # Rows keep their distance from the first row of their track.
        rows = np.repeat(self.columns.offsets[chosen] - offsets[:-1], counts)
        rows += np.arange(len(rows))
        starts, ends, codes, _ = self.columns
        columns = Columns(starts[rows], ends[rows], codes[rows], offsets)
        return Tracks(columns, self.origin[chosen], self.extent[chosen])


def tracks_of(continua: Sequence[Continuum], fitted: Fitted) -> Tracks:
    """Return the annotators of continua as tracks, with the codes of the fitted labels."""
    place = {label: code for code, label in enumerate(fitted.labels)}
    codes = [
        np.array([place[label] for label in continuum.labels], np.int32)[continuum.label_codes]
        for continuum in continua
    ]
    counts = np.concatenate([continuum.counts for continuum in continua])
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    annotators = [len(continuum.annotators) for continuum in continua]
    lows, highs = zip(*(continuum.extent for continuum in continua), strict=True)
    return Tracks(
        Columns(
            np.concatenate([continuum.starts for continuum in continua]),
            np.concatenate([continuum.ends for continuum in continua]),
            np.concatenate(codes).astype(np.int32),
            offsets,
        ),
        np.repeat(np.array(lows, np.float64), annotators),
        np.repeat(np.array(highs, np.float64) - np.array(lows, np.float64), annotators),
    )


Chance: TypeAlias = Literal["shift", "corpus", "statistical", "gamma-software", "gamma-2017"]
# The first word of the random stream of a draw, so that models do not share random numbers.
SHIFT_STREAM, _CORPUS_STREAM, _FITTED_STREAM = 1, 2, 11
_LARGEST_DRAW = 50_000_000
_MOST_EMPTY_DRAWS = 10_000
# Relative to the extent: with n·spacing = extent, the shifts are fixed relative to each other.
_LEAST_FREEDOM = 1e-9


class ChanceRules(NamedTuple):
    """The properties in which chance models differ."""

    name: Chance
    of_one_document: bool = True
    """Whether the draws of a document are made of its own units only."""
    by_shifting: bool = True
    spacing_in_mean_lengths: float = 1.0
    whole_shifts: bool = False
    floors_mean_units: bool = False
    trusts_by_weighted_position: bool = False
    position: float = 1.0
    label: float = 1.0
    """The weights of position and label in the default dissimilarity."""

    @property
    def weights(self) -> dict[str, Any]:
        """The weights of a `CombinedDissimilarity` when the user gives no dissimilarity."""
        return {"position": self.position, "label": self.label}

    def mean_units(self, units: float, annotators: int) -> float:
        """Return x̄, the mean number of units per annotator (2015, §4.5)."""
        mean = units / annotators
        return float(max(1, int(mean))) if self.floors_mean_units else mean

    def mean_units_of(self, units: Numbers, annotators: Numbers) -> Floats:
        """Return x̄ of each of several continua."""
        mean: Floats = units / annotators
        return np.maximum(1.0, np.floor(mean)) if self.floors_mean_units else mean

    def confidence_factor(self, fitted: Fitted) -> float:
        """Return the factor of d_pos in the weight of a pair in γcat."""
        return fitted.position if self.trusts_by_weighted_position else 1.0


_RULES: dict[str, ChanceRules] = {
    "shift": ChanceRules("shift"),
    "corpus": ChanceRules("corpus", of_one_document=False, by_shifting=False),
    "statistical": ChanceRules("statistical", by_shifting=False),
    "gamma-software": ChanceRules(
        "gamma-software",
        spacing_in_mean_lengths=0.5,
        whole_shifts=True,
        floors_mean_units=True,
        trusts_by_weighted_position=True,
        position=3.0,
    ),
    # The settings that give γ = .29 and γcat = .36 (2017, §6) and .74 < γcat < .76 (§5.1).
    "gamma-2017": ChanceRules("gamma-2017", whole_shifts=True, position=3.0, label=2.0),
}


def chance_rules(chance: str) -> ChanceRules:
    """Return the rules of a chance model."""
    check_choice("chance", chance, _RULES)
    return _RULES[chance]


class Recipe(NamedTuple):
    """The composition of draws: the track of each annotator, and its shift."""

    picks: NDArray[np.int32]
    shifts: Floats
    tiled_to: Floats
    """The length to which the tracks of each draw are repeated; empty if tracks are shifted."""
    redrawn: int
    """The number of draws that were repeated because they had no units."""


class ChanceModel(Protocol):
    """A source of draws; each draw depends on its number only, not on the other draws."""

    def drawn(self, first: int, count: int) -> tuple[Tracks, Recipe]:
        """Return units, and how draws are composed of them."""


class ShiftChance:
    """Circular shifts of the annotators of one continuum (2015, §5.2.1)."""

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
        self._rules = rules
        self._seed = seed
        drawn = continuum if source is None else source
        self._stream = (SHIFT_STREAM, fingerprint(drawn.counts, drawn.label_codes, name=name))
        self._places = len(continuum.annotators)
        low, high = continuum.extent
        self._extent = high - low
        self._tracks = tracks_of([drawn], fitted)
        mean_length = float((drawn.ends - drawn.starts).mean())
        extents, places = np.array([[low, high]]), np.array([self._places])
        spacing, too_short = shift_spacing(extents, places, np.array([mean_length]), rules)
        self.spacing = float(spacing[0])
        self.spacing_was_lowered = bool(too_short[0])

    def drawn(self, first: int, count: int) -> tuple[Tracks, Recipe]:
        """Return the units of the continuum, and the shifts of draws."""
        picks, shifts, redrawn = roll_shifts(
            words_of(self._seed),
            np.array(self._stream, np.uint32),
            self._tracks.counts,
            first=first,
            count=count,
            places=self._places,
            extent=self._extent,
            spacing=self.spacing,
            whole_shifts=self._rules.whole_shifts,
        )
        return self._tracks, Recipe(picks, shifts, np.empty(0), redrawn)


def shift_spacing(
    extents: Floats, places: Numbers, mean_lengths: Floats, rules: ChanceRules
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the least distance between shifts, and whether documents are too short for it.

    In the paper it is the mean length of units (2015, §5.2.1). In a document that is too short for
    that many shifts, it is half of the largest possible distance. Raises an error if shifts must be
    integers and a document is too short for distinct ones.
    """
    lengths = extents[:, 1] - extents[:, 0]
    if rules.whole_shifts and (short := np.flatnonzero(lengths < places)).size:
        low, high = extents[short[0]]
        msg = (
            "this chance model shifts by whole numbers, and the extent "
            f"{low:.6g}–{high:.6g} is too short for {places[short[0]]} different shifts; "
            "use a smaller unit for positions, such as milliseconds, or choose 'shift'"
        )
        raise DataError(msg)
    spacing = mean_lengths * rules.spacing_in_mean_lengths
    freedom = lengths - places * spacing
    too_short = (spacing > 0.0) & (freedom <= _LEAST_FREEDOM * lengths)
    return np.where(too_short, lengths / (2 * places), spacing), too_short


class CorpusChance:
    """Draws that combine annotators of n different documents (2015, §5.2.2)."""

    def __init__(self, corpus: Corpus, places: int, fitted: Fitted, seed: int) -> None:
        self._seed = seed
        self._places = places
        continua = [continuum for continuum in corpus.values() if continuum.annotators]
        if len(continua) < places:
            msg = (
                f"the chance model 'corpus' needs {places} documents for {places} "
                f"annotators, but there {_are(len(continua))}; choose 'shift' instead"
            )
            raise DataError(msg)
        self._annotators = np.array([len(continuum.annotators) for continuum in continua])
        self._first_track = np.concatenate(([0], np.cumsum(self._annotators)))
        self._lengths = np.array([high - low for low, high in (c.extent for c in continua)])
        self._tracks = tracks_of(continua, fitted)

    @property
    def mean_track(self) -> float:
        """The mean number of units of a track."""
        return float(self._tracks.counts.mean())

    def drawn(self, first: int, count: int) -> tuple[Tracks, Recipe]:
        """Return the tracks of draws, and which draw consists of which tracks."""
        recipe = self.recipe(first, count)
        chosen, places = np.unique(recipe.picks, return_inverse=True)
        picks = places.reshape(recipe.picks.shape).astype(np.int32)
        return self._tracks.only(chosen.astype(np.int64)), recipe._replace(picks=picks)

    def recipe(self, first: int, count: int) -> Recipe:
        """Return which of all tracks each draw consists of, and the lengths of draws."""
        n = self._places
        counts = self._tracks.counts
        picks = np.empty((count, n), np.int32)
        tiled_to = np.empty(count)
        redrawn = 0
        for at in range(count):
            dice = Dice(self._seed, _CORPUS_STREAM, n, first + at)
            while True:
                rolled = dice.roll(2 * n)
                chosen = different(rolled[:n], len(self._annotators))
                annotator = (rolled[n:] * self._annotators[chosen]).astype(np.int64)
                tracks = self._first_track[chosen] + annotator
                if counts[tracks].any():
                    break
                redrawn += 1
            picks[at] = tracks
            tiled_to[at] = self._lengths[chosen].max()
        self._check_size(picks, tiled_to)
        return Recipe(picks, np.zeros((count, n)), tiled_to, redrawn)

    def _check_size(self, picks: NDArray[np.int32], tiled_to: Floats) -> None:
        extent = np.where(self._tracks.extent > 0.0, self._tracks.extent, np.inf)
        tiles = np.ceil(tiled_to[:, None] / extent[picks]).clip(min=1.0)
        units = (tiles * self._tracks.counts[picks]).sum(axis=1)
        if units.max(initial=0.0) > _LARGEST_DRAW:
            msg = (
                "the chance model 'corpus' repeats short documents up to the length of long ones; "
                f"their lengths differ so much that one draw would have {units.max():.0f} units, "
                f"more than {_LARGEST_DRAW}; choose 'shift', or leave out the shortest documents"
            )
            raise DataError(msg)


def _are(count: int) -> str:
    return "is only 1" if count == 1 else f"are only {count}"


class Spreads(NamedTuple):
    """Parameters fitted to a document: means, standard deviations, shares of labels."""

    units: tuple[float, float]
    """Of the number of units per annotator."""
    gap: tuple[float, float]
    """Of the distance from the end of a unit, or the start of the document, to the next unit."""
    length_mean: Floats
    length_deviation: Floats
    """Of the length of the units of each label."""
    shares: Floats
    """The relative frequency of each label."""


def spreads_of(continuum: Continuum) -> Spreads:
    """Estimate the parameters from a document with at least one unit."""
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
    # Sorted, so that the sum does not depend on the order of annotators, not even in the last bit.
    ordered = np.sort(values)
    return float(ordered.mean()), float(ordered.std())


def normals(rolls: Floats) -> Floats:
    """Transform two rows of uniform random numbers into normal ones (Box–Muller)."""
    # By the C library: NumPy has other code for each kind of processor.
    logarithms = np.array([math.log1p(-roll) for roll in rolls[0].tolist()])
    cosines = np.array([math.cos(2.0 * math.pi * roll) for roll in rolls[1].tolist()])
    return np.asarray(np.sqrt(-2.0 * logarithms) * cosines)


class StatisticalChance:
    """Draws of units from distributions fitted to one continuum."""

    def __init__(
        self,
        continuum: Continuum,
        fitted: Fitted,
        seed: int,
        source: Continuum | None = None,
        *,
        name: str = "",
    ) -> None:
        self._seed = seed
        self._places = len(continuum.annotators)
        drawn = continuum if source is None else source
        self._stream = (_FITTED_STREAM, fingerprint(drawn.counts, drawn.label_codes, name=name))
        self._spreads = spreads_of(drawn)
        place = {label: code for code, label in enumerate(fitted.labels)}
        self._codes = np.array([place[label] for label in drawn.labels], np.int32)

    def drawn(self, first: int, count: int) -> tuple[Tracks, Recipe]:
        """Return the units of draws; each draw has its own tracks."""
        redrawn = 0
        counts: list[Integers] = []
        starts: list[Floats] = []
        ends: list[Floats] = []
        codes: list[Codes] = []
        for at in range(count):
            dice = Dice(self._seed, *self._stream, first + at)
            units = self._numbers_of_units(dice)
            empty = 0
            while not units.any():
                empty += 1
                if empty > _MOST_EMPTY_DRAWS:
                    msg = (
                        f"the chance model 'statistical', fitted to {self._places} annotators with "
                        f"{self._spreads.units[0]:.2g} units each on average, yields almost only "
                        "draws without units; choose another chance model, such as 'shift'"
                    )
                    raise DataError(msg)
                units = self._numbers_of_units(dice)
            redrawn += empty
            columns = self._units(units, dice)
            counts.append(units)
            starts.append(columns[0])
            ends.append(columns[1])
            codes.append(columns[2])
        offsets = np.concatenate(([0], np.cumsum(np.concatenate(counts)))).astype(np.int64)
        n_tracks = count * self._places
        # The extent is longer than any draw, so that no unit is wrapped around its end.
        low = np.array([column.min() for column in starts])
        high = np.array([column.max() for column in ends])
        tracks = Tracks(
            Columns(np.concatenate(starts), np.concatenate(ends), np.concatenate(codes), offsets),
            np.repeat(low, self._places),
            np.repeat(2.0 * (high - low) + 1.0, self._places),
        )
        picks = np.arange(n_tracks, dtype=np.int32).reshape(count, self._places)
        return tracks, Recipe(picks, np.zeros((count, self._places)), np.empty(0), redrawn)

    def _numbers_of_units(self, dice: Dice) -> Integers:
        mean, deviation = self._spreads.units
        numbers = mean + deviation * normals(dice.roll(2 * self._places).reshape(2, -1))
        return np.maximum(np.rint(numbers), 0.0).astype(np.int64)

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
        before = np.concatenate(([0.0], ends))[np.cumsum(units) - units]
        ends -= before[owner]
        starts = ends - lengths
        order = np.lexsort((labels, ends, starts, owner))
        return starts[order], ends[order], self._codes[labels[order]]


def draw_scores(
    found: Any,  # noqa: ANN401 - arrays of the kernel by name
    places: Integers,
    fitted: Fitted,
    rules: ChanceRules,
    redrawn: int,
) -> DrawScores:
    """Return the sums over alignments, divided by x̄ and scaled by Δ∅ (2015, eq. 7)."""
    mean_units = rules.mean_units_of(found["unit_count"], places)
    return DrawScores(
        disorders=found["disorder_sum"] / mean_units * fitted.empty,
        lower_bounds=found["lower_bound"] / mean_units * fitted.empty,
        proven=found["proven"].astype(np.bool_),
        label_disorder=found["label_disorder"] * fitted.empty,
        label_weight=found["label_weight"],
        label_disorder_of=found["label_disorder_of"] * fitted.empty,
        label_weight_of=found["label_weight_of"],
        redrawn=redrawn,
        work=int(found["work"].sum()),
    )
