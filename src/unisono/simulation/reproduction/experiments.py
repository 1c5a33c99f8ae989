"""The experiments of the papers with simulated annotators, as data and as commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.model.corpus import Corpus
from unisono.simulation.error_curves import scan
from unisono.simulation.shuffling.shuffle import generate_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.model.continuum import Continuum
    from unisono.simulation.error_curves import Scan
    from unisono.simulation.shuffling.errors import ErrorType

__all__ = ["EXPERIMENTS", "Experiment", "Size", "run"]


class Size(NamedTuple):
    """The magnitudes and the number of annotation sets per magnitude."""

    magnitudes: int
    repeats: int

    @classmethod
    def of(cls, *, quick: bool) -> Size:
        """Return the size of the papers, 40 sets at steps of 0.05, or a smaller one."""
        return cls(21, 6) if quick else cls(21, 40)


class Experiment(NamedTuple):
    """The simulation behind one figure of a paper."""

    paper: str
    title: str
    errors: tuple[ErrorType, ...]
    measures: tuple[str, ...]
    reference: Mapping[str, Any] = {}
    """Settings of `generate_reference`."""
    settings: Mapping[str, Any] = {}
    """Settings of the errors and of the measures."""
    documents: int = 1
    """Number of references, which chance from a corpus needs."""

    def size(self, size: Size) -> Size:
        """Return the size; of a corpus each annotation set has all documents."""
        if self.documents == 1:
            return size
        return size._replace(repeats=-(-size.repeats // self.documents))

    def data(self, seed: int) -> Continuum | Corpus:
        """Return the reference, or the corpus of references, as the command line makes them."""
        made = [
            generate_reference(_UNITS, rng=seed + at, **self.reference)
            for at in range(self.documents)
        ]
        if self.documents == 1:
            return made[0]
        width = len(str(self.documents))
        return Corpus.from_continua(
            {f"reference{at:0{width}}": each for at, each in enumerate(made, 1)}
        )

    def command(self, size: Size, seed: int) -> str:
        """Return the command that draws the curves."""
        size = self.size(size)
        options = {
            "units": _UNITS,
            "documents": None if self.documents == 1 else self.documents,
            **{_OPTIONS.get(name, name): _text(each) for name, each in self.reference.items()},
            "errors": ",".join(self.errors),
            "measure": ",".join(self.measures),
            "magnitudes": size.magnitudes,
            "repeats": size.repeats,
            "seed": seed,
            **self.settings,
        }
        words = ["unisono scan"]
        for name, value in options.items():
            option = f"--{name.replace('_', '-')}"
            if value is True:
                words.append(option)
            elif value is False:
                words.append(option.replace("--", "--no-"))
            elif value is not None:
                words += [option, _text(value)]
        return " ".join(words)


def _text(value: object) -> str:
    """Return a setting as the command line takes it."""
    if isinstance(value, dict):
        return ",".join(f"{key}:{_text(each)}" for key, each in value.items())
    if isinstance(value, tuple) and all(isinstance(each, float) for each in value):
        low, high = value
        return f"{low:g}" if low == high else f"{low:g}..{high:g}"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def run(
    experiment: Experiment,
    size: Size,
    seed: int,
    *,
    workers: int | None,
    progress: Callable[[int, int], None] | None,
) -> Scan:
    """Run one experiment."""
    size = experiment.size(size)
    return scan(
        experiment.data(seed),
        errors=experiment.errors,
        measures=experiment.measures,
        magnitudes=size.magnitudes,
        repeats=size.repeats,
        rng=seed,
        workers=workers,
        progress=progress,
        **experiment.settings,
    )


_UNITS = 30
_OPTIONS = {"gaps": "gap_lengths"}
_2015 = ("gamma", "u_alpha", "u_alpha_coding", "kappa_d", "slot_error_agreement")
_WITH_OVERLAP = ("gamma", "u_alpha_coding", "slot_error_agreement")
_2017 = ("gamma", "gamma_cat", "u_alpha_coding")
_SEGMENTS = {"labels": ("segment",), "gaps": (0.0, 0.0)}
_APART = {"overlap": False}
_OLD = {"overlap": False, "generation": "2013"}
# Figure 25: units of one size at fixed places. The prevalences are not printed.
_PLACES = {"labels": {"A": 4.0, "B": 3.0, "C": 2.0, "D": 1.0}, "lengths": (10.0, 10.0)}
_CORPUS = {"chance": "corpus", "generation": "2013", "overlap": False}
_EQUAL = {"lengths": (10.0, 10.0)}


def _four(length: float) -> dict[str, Any]:
    """Return the reference of Figures 14 and 15 (2017): D has its own length."""
    own = dict.fromkeys("ABC", (5.0, 5.0)) | {"D": (length, length)}
    return {"lengths": own, "gaps": (3.0, 3.0)}


EXPERIMENTS: Mapping[str, Experiment] = {
    "Figure 24a": Experiment(
        "2015",
        "segmentation, missed boundaries",
        ("missing_boundary",),
        ("gamma", "window_diff", "generalized_hamming"),
        _SEGMENTS,
        _APART,
    ),
    "Figure 24b": Experiment(
        "2015",
        "segmentation, moved boundaries",
        ("position",),
        ("gamma", "window_diff", "generalized_hamming"),
        _SEGMENTS,
        _APART,
    ),
    "Figure 25": Experiment(
        "2015",
        "categories only, fixed places, chance from the corpus",
        ("category",),
        _2015,
        {**_PLACES, "gaps": (5.0, 5.0)},
        _CORPUS,
        documents=24,
    ),
    "Figure 25, gaps of 20": Experiment(
        "2015",
        "categories only, gaps of 20",
        ("category",),
        ("u_alpha", "kappa_d"),
        {**_PLACES, "gaps": (20.0, 20.0)},
        _OLD,
    ),
    "Figure 25, no gaps": Experiment(
        "2015",
        "categories only, no gaps",
        ("category",),
        ("u_alpha", "kappa_d"),
        {**_PLACES, "gaps": (0.0, 0.0)},
        _OLD,
    ),
    "Figure 26a": Experiment("2015", "positions", ("position",), _2015, {}, _OLD),
    "Figure 26b": Experiment(
        "2015", "positions and categories", ("position", "category"), _2015, {}, _OLD
    ),
    "Figure 27": Experiment("2015", "splits", ("split",), _2015, {}, _OLD),
    "Figure 28a": Experiment(
        "2015",
        "false positives",
        ("false_positive",),
        _WITH_OVERLAP,
        {},
        {"intersections": True},
    ),
    "Figure 28a, five times as many": Experiment(
        "2015",
        "false positives, five times as many",
        ("false_positive",),
        _WITH_OVERLAP,
        {},
        {"intersections": True, "false_positive_factor": 5.0},
    ),
    "Figure 28b": Experiment("2015", "false negatives", ("false_negative",), _2015, {}, _OLD),
    "Figure 30": Experiment(
        "2015",
        "positions and false positives, with overlap",
        ("position", "false_positive"),
        ("gamma", "u_alpha_coding"),
        {},
        {"intersections": True},
    ),
    "Figure 30, without overlap": Experiment(
        "2015",
        "positions and false positives, without overlap",
        ("position", "false_positive"),
        ("gamma", "u_alpha_coding"),
        {},
        _APART,
    ),
    "Figure 11": Experiment("2017", "positions", ("position",), _2017, {}, _APART),
    "§5.4": Experiment("2017", "false negatives", ("false_negative",), _2017, {}, _APART),
    "Figure 12": Experiment("2017", "categories", ("category",), _2017, _EQUAL, _APART),
    "Figure 13": Experiment(
        "2017", "categories and positions", ("position", "category"), _2017, _EQUAL, _APART
    ),
    "Figure 14, all units short": Experiment(
        "2017",
        "categories, D never mistaken and as short as others",
        ("category",),
        ("gamma_cat", "gamma_k", "u_alpha_coding"),
        _four(5.0),
        {"overlap": False, "certain": ("D",)},
    ),
    "Figure 14, D long": Experiment(
        "2017",
        "categories, D never mistaken and four times as long",
        ("category",),
        ("gamma_cat", "gamma_k", "u_alpha_coding"),
        _four(20.0),
        {"overlap": False, "certain": ("D",)},
    ),
}
"""The experiments by name: a figure or section, with a variant after a comma."""
