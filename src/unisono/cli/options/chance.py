"""Options for the draws by chance, shared by all commands that compute γ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from unisono.cli.options.settings import Settings, option
from unisono.cli.options.shared import CHANCE, SEED, SeedNumber, parse_seed
from unisono.errors import SettingError


@Parameter(name="*", group=CHANCE)
@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOptions(Settings):
    """Options for the number of draws, the seed and the threads."""

    precision: Annotated[float | None, option("precision")] = None
    draws: Annotated[int | None, option("draws")] = None
    seed: Annotated[SeedNumber, SEED] = 0
    workers: Annotated[int | None, option("workers")] = None

    def keywords(self) -> dict[str, Any]:
        """Return the settings that were typed, and always the seed, as keywords of `gamma`."""
        if self.draws is not None and self.precision is not None:
            msg = (
                "--draws and --precision exclude each other, because the precision determines the "
                "number of draws; use one of them"
            )
            raise SettingError(msg)
        # super() fails here, because slots=True replaces the class.
        keywords = Settings.keywords(self)
        return {"rng": parse_seed(keywords.pop("seed")), **keywords}
