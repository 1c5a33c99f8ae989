"""The results in a report, computed once: measures, diagnosis, consensus and advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from unisono.errors import DataError, SettingError
from unisono.measures.gamma.chance import chance_rules
from unisono.measures.gamma.dissimilarity import CombinedDissimilarity
from unisono.model.corpus import Corpus, documents_of
from unisono.studies.advice import advise, settings_of
from unisono.studies.annotator_pairs import pairwise_agreement
from unisono.studies.consensus import consensus
from unisono.studies.diagnosis import diagnose
from unisono.studies.measure_table import family_fits, measure_units, properties_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor

    import numpy as np

    from unisono.measures.distances import Distance
    from unisono.measures.gamma.chance import Chance
    from unisono.measures.gamma.dissimilarity import Dissimilarity
    from unisono.measures.gamma.result import GammaAgreement
    from unisono.model.continuum import Continuum
    from unisono.model.overlap import Overlap
    from unisono.studies.advice import Advice
    from unisono.studies.annotator_pairs import PairwiseTable
    from unisono.studies.consensus import Consensus
    from unisono.studies.diagnosis import Diagnosis
    from unisono.studies.measure_table import DataProperties, Fit, UnitsTable

__all__ = ["Findings", "find"]

_FEW_GROUPS = 20
_MOST_IN_PAIRS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The results of a report; `missing` has the reasons for those that are None."""

    data: Continuum | Corpus
    gamma: GammaAgreement
    measures: UnitsTable
    diagnosis: Diagnosis | None
    consensus: Consensus | None
    advice: Advice | None
    pairwise: PairwiseTable | None
    properties: DataProperties
    fits: tuple[Fit, ...]
    missing: Mapping[str, str]

    @property
    def documents(self) -> Mapping[str, Continuum]:
        """The documents by name; the name of a single continuum is empty."""
        return documents_of(self.data)

    @property
    def several(self) -> bool:
        """Whether there is more than one document."""
        return len(self.documents) > 1

    def continuum(self, name: str) -> Continuum:
        """Return a document by its name; the name of the only document may be empty."""
        return self.documents[name] if name else next(iter(self.documents.values()))


def find(
    data: Continuum | Corpus,
    *,
    distance: Distance = "nominal",
    dissimilarity: Dissimilarity | None = None,
    chance: Chance = "shift",
    precision: float | None = None,
    draws: int | None = None,
    rng: int | np.random.Generator | None = 0,
    atom: float | None = None,
    overlap: Overlap = "raise",
    gains: bool = True,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Findings:
    """Compute the results of a report."""
    if dissimilarity is None:
        dissimilarity = CombinedDissimilarity(
            position=chance_rules(chance).position, distance=distance
        )
    measures = measure_units(
        data,
        distance=distance,
        dissimilarity=dissimilarity,
        overlap=overlap,
        atom=atom,
        chance=chance,
        precision=precision,
        draws=draws,
        rng=rng,
        workers=workers,
        executor=executor,
        progress=progress,
    )
    gamma = cast("GammaAgreement", measures.measures["gamma"])
    missing: dict[str, str] = {}

    def attempt(name: str, study: Callable[..., Any], *data: object, **settings: object) -> Any:  # noqa: ANN401 - the result of the study
        try:
            return study(*data, **settings)
        except (DataError, SettingError) as error:
            missing[name] = str(error)
            return None

    diagnosis = attempt("diagnosis", diagnose, data, dissimilarity=dissimilarity, result=gamma)
    advice = None
    if diagnosis is None:
        missing["advice"] = missing["diagnosis"]
    else:
        limits = {} if gains else {"most_merges": 0, "most_annotators": 0}
        advice = attempt(
            "advice",
            advise,
            data,
            dissimilarity=dissimilarity,
            diagnosis=diagnosis,
            most_groups=_FEW_GROUPS,
            workers=workers,
            executor=executor,
            progress=progress,
            **limits,
        )
    pairs = None
    if gains and not gamma.undefined and 2 < len(data.annotators) <= _MOST_IN_PAIRS:
        settings = settings_of(gamma) | {"workers": workers, "executor": executor}
        pairs = attempt("pairs", pairwise_agreement, data, dissimilarity=dissimilarity, **settings)
    corpus = data if isinstance(data, Corpus) else Corpus.from_continua({"continuum": data})
    properties = properties_of(corpus)
    return Findings(
        data=data,
        gamma=gamma,
        measures=measures,
        diagnosis=diagnosis,
        consensus=attempt("consensus", consensus, gamma),
        advice=advice,
        pairwise=pairs,
        properties=properties,
        fits=tuple(family_fits(properties)),
        missing=missing,
    )
