"""Simulated annotators of the user's own documents: what γ and γcat become as errors grow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from unisono.measures.dice import fingerprint
from unisono.measures.gamma.gamma import gamma_values
from unisono.measures.gamma.gamma_planning import Costs
from unisono.model.corpus import Corpus
from unisono.parallel.calls import rows_called
from unisono.parallel.progress import Report
from unisono.simulation.shuffling.shuffle import Shuffler

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor

    from unisono.model.arrays import Floats
    from unisono.model.continuum import Continuum
    from unisono.model.labels import Label
    from unisono.parallel.checkpoint import Part
    from unisono.simulation.shuffling.error_types import ErrorType
    from unisono.simulation.shuffling.shuffled import Shuffled

__all__ = ["Simulation", "Simulations"]

_STREAM = 9
# Seconds to simulate the annotators of a document, measured.
_A_DOCUMENT = 5e-4


class Simulation(NamedTuple):
    """What one set of simulated annotators came to."""

    gamma: float
    cat: float
    effect: float
    """How much of the error was made, in the words of `EFFECTS`."""
    proven: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulations:
    """Sets of annotators who share a reference and make one type of error.

    Parameters
    ----------
    references
        The reference of each document; none is empty.
    annotators
        How many annotators each document has.
    prevalence
        How often each label occurs in all references.
    seed
        What the dice are made from.
    settings
        The settings of `gamma_values`.
    """

    references: Mapping[str, Continuum]
    annotators: Mapping[str, int]
    prevalence: Mapping[Label | None, int]
    seed: int
    settings: Mapping[str, Any]

    def values(
        self,
        errors: tuple[ErrorType, ...],
        magnitudes: Floats,
        repeats: int,
        *,
        workers: int,
        progress: Callable[[int, int], None] | None,
        executor: Executor | None = None,
        kept: Part | None = None,
    ) -> dict[ErrorType, list[list[Simulation]]]:
        """Simulate every error at every magnitude: for each a list of repeats a magnitude."""
        tasks = [
            (error, place, magnitude, repeat)
            for error in errors
            for place, magnitude in enumerate(magnitudes.tolist())
            # Without errors all annotators mark the reference, however often.
            for repeat in range(repeats if magnitude > 0.0 else 1)
        ]
        rows = rows_called(
            _simulated,
            (self, {error: self._shufflers(error) for error in errors}),
            tasks,
            seconds=self._seconds(),
            executor=executor,
            workers=workers,
            report=Report(progress, len(tasks)),
            kept=kept,
        )
        found: dict[ErrorType, list[list[Simulation]]] = {
            error: [[] for _ in magnitudes] for error in errors
        }
        for (error, place, _, _), row in zip(tasks, rows.tolist(), strict=True):
            gamma, cat, effect, proven = row
            found[error][place].append(Simulation(gamma, cat, effect, bool(proven)))
        return found

    def _seconds(self) -> float:
        """Estimate how long one simulation takes."""
        costs = Costs(own=False)
        return sum(
            _A_DOCUMENT
            + costs.seconds(
                len(reference) * self.annotators[name],
                self.annotators[name],
                1 + self.settings["draws"],
            )
            for name, reference in self.references.items()
        )

    def _shufflers(self, error: ErrorType) -> dict[str, Shuffler]:
        return {
            name: Shuffler(
                reference,
                errors=error,
                annotators=self.annotators[name],
                prevalence=dict(self.prevalence),
            )
            for name, reference in self.references.items()
        }

    def simulation(
        self, shufflers: Mapping[str, Shuffler], magnitude: float, place: int, repeat: int
    ) -> Simulation:
        """Simulate one set of annotators, and measure it."""
        made = self._made(shufflers, magnitude, repeat)
        child = np.random.SeedSequence(self.seed, spawn_key=(_STREAM, place, repeat))
        values = gamma_values(
            Corpus.from_continua({name: each.continuum for name, each in made.items()}),
            rng=int(child.generate_state(1)[0]),
            **self.settings,
        )
        error = next(iter(shufflers.values())).errors[0]
        pairs = [_effect(error, each) for each in made.values()]
        done, of = (float(sum(column)) for column in zip(*pairs, strict=True))
        return Simulation(values.gamma, values.cat, done / of if of else 0.0, values.proven)

    def _made(
        self, shufflers: Mapping[str, Shuffler], magnitude: float, repeat: int
    ) -> dict[str, Shuffled]:
        # The same dice at every magnitude of a repeat: its curve is then smoother.
        return {
            name: shuffler.shuffled(float(magnitude), self.seed, fingerprint(name=name), repeat)
            for name, shuffler in shufflers.items()
        }


def _simulated(
    shared: tuple[Simulations, Mapping[ErrorType, Mapping[str, Shuffler]]],
    task: tuple[ErrorType, int, float, int],
) -> tuple[float, ...]:
    simulations, shufflers = shared
    error, place, magnitude, repeat = task
    return tuple(map(float, simulations.simulation(shufflers[error], magnitude, place, repeat)))


def _effect(error: ErrorType, shuffled: Shuffled) -> tuple[float, float]:
    """Count what was done, and of how much."""
    reference, continuum = shuffled.reference, shuffled.continuum
    n_units = len(reference) * len(continuum.annotators)
    if error != "position":
        return float(shuffled.counts[error]), float(n_units)
    origin = shuffled.origins
    lengths = (reference.ends - reference.starts)[origin]
    apart = np.abs(continuum.starts - reference.starts[origin])
    apart += np.abs(continuum.ends - reference.ends[origin])
    long = lengths > 0.0
    return float((apart[long] / lengths[long]).sum()) / 2.0, float(long.sum())
