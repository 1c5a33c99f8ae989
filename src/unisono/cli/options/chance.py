"""Options for drawing at random, which all commands that compute γ share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from unisono.cli.options.shared import CHANCE, SEED, SeedNumber, rng_of
from unisono.errors import SettingError


@Parameter(name="*", group=CHANCE)
@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """How many draws estimate what chance gives, from which seed, and who computes them.

    Parameters
    ----------
    precision
        Wished relative error of the expected disorder of γ (0.02).
    draws
        A fixed number of draws instead of a precision.
    seed
        A seed; the same one gives the same values, random draws a new one.
    workers
        Threads; never moves a value.
    """

    precision: Annotated[float | None, Parameter(metavar="SHARE")] = None
    draws: Annotated[int | None, Parameter(metavar="N")] = None
    seed: Annotated[SeedNumber, SEED] = 0
    workers: Annotated[int | None, Parameter(metavar="N")] = None

    def given(self) -> dict[str, Any]:
        """Give the settings that were asked for, as `gamma` takes them.

        Returns
        -------
        dict
            Keyword arguments, the seed always among them.
        """
        if self.draws is not None and self.precision is not None:
            msg = (
                "give --draws or --precision, not both: a fixed number of draws has its own "
                "precision"
            )
            raise SettingError(msg)
        asked = {
            "precision": self.precision,
            "draws": self.draws,
            "workers": self.workers,
        }
        given = {name: value for name, value in asked.items() if value is not None}
        return {"rng": rng_of(self.seed), **given}
