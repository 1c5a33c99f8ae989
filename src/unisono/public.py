"""Registry of the public names and of the modules that define them.

The public packages `unisono`, `unisono.results`, `unisono.charts` and `unisono.parallel` look their
names up here. A module is imported when one of its names is first used, so that importing a package
does not load its modules. The stubs of these packages, written by ``make tables``, list the same
names for editors and type checkers.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PUBLIC", "lazy_names", "public_names"]

# Names by package and module; the functions of measures are added from the registry.
PUBLIC: dict[str, dict[str, tuple[str, ...]]] = {
    "unisono": {
        "unisono.errors": (
            "DataError",
            "ReadError",
            "SettingError",
            "UnisonoError",
            "WorkError",
        ),
        "unisono.formats.chains": ("read_chains",),
        "unisono.formats.pyramids": ("read_pyramids",),
        "unisono.formats.read": (
            "read",
            "read_ratings",
        ),
        "unisono.formats.write": ("write",),
        "unisono.measures.chains.pyramids": ("measure_pyramids",),
        "unisono.measures.chains.table": ("measure_chains",),
        "unisono.measures.distance_matrix": ("DistanceMatrix",),
        "unisono.measures.distances": (
            "dice_distance",
            "distance_matrix",
            "distance_signature",
            "jaccard_distance",
            "masi_distance",
        ),
        "unisono.measures.gamma.alignment": ("best_alignment",),
        "unisono.measures.gamma.dissimilarity": (
            "CategoricalDissimilarity",
            "CombinedDissimilarity",
            "CustomDissimilarity",
            "PositionalDissimilarity",
            "UnitColumns",
        ),
        "unisono.measures.items.resampling": (
            "bootstrap",
            "bootstrap_values",
            "permutation_test",
        ),
        "unisono.measures.items.table": ("measure_items",),
        "unisono.measures.segmentation.table": ("measure_segments",),
        "unisono.model.chains": ("Chains",),
        "unisono.model.continuum": (
            "Continuum",
            "Unit",
        ),
        "unisono.model.corpus": ("Corpus",),
        "unisono.model.overlap": ("split_fragments",),
        "unisono.model.ratings": ("Ratings",),
        "unisono.model.segmentation": (
            "Segmentation",
            "segmentations",
        ),
        "unisono.reports.report": ("report",),
        "unisono.simulation.calibration.calibrate": ("calibrate",),
        "unisono.simulation.error_curves": ("error_curves",),
        "unisono.simulation.reproduction.reproduce": ("reproduce",),
        "unisono.simulation.shuffling.shuffle": (
            "generate_reference",
            "shuffle",
        ),
        "unisono.studies.advice": ("advise",),
        "unisono.studies.annotator_pairs": ("pairwise_agreement",),
        "unisono.studies.consensus": ("consensus",),
        "unisono.studies.description": ("describe",),
        "unisono.studies.diagnosis": ("diagnose",),
        "unisono.studies.label_confusions": ("label_confusions",),
        "unisono.studies.measure_table": ("measure_units",),
        "unisono.studies.missing_values": ("compare_policies",),
        "unisono.studies.planning": (
            "plan_documents",
            "plan_items",
        ),
        "unisono.studies.reliability": ("reliability_study",),
        "unisono.version": ("__version__",),
    },
    "unisono.results": {
        "unisono.measures.chains.pyramids": (
            "PyramidAgreement",
            "PyramidSize",
        ),
        "unisono.measures.chains.result": (
            "ChainAgreement",
            "ChainCounts",
            "ChainsTable",
            "PairScore",
        ),
        "unisono.measures.gamma.alignment": ("Alignment",),
        "unisono.measures.gamma.result": ("GammaAgreement", "GammaByLabelTable"),
        "unisono.measures.items.result": (
            "ItemsAgreement",
            "ItemsTable",
        ),
        "unisono.measures.reference.compare": (
            "Comparison",
            "MatchScore",
            "MatchScores",
        ),
        "unisono.measures.reference.pairwise_f1": ("PairwiseF1Agreement",),
        "unisono.measures.reference.slot_errors": (
            "Slot",
            "SlotCounts",
            "SlotErrorAgreement",
            "SlotErrorRate",
            "SlotMatching",
        ),
        "unisono.measures.segmentation.comparison": (
            "BoundaryEdits",
            "SegmentationAgreement",
        ),
        "unisono.measures.segmentation.table": ("SegmentationTable",),
        "unisono.measures.unitizing.alphas": ("UnitizingTable",),
        "unisono.model.interpretation": (
            "Ignored",
            "Interpretation",
            "Origin",
            "Question",
            "Reading",
            "Remark",
        ),
        "unisono.reports.rating_report": ("RatingReport",),
        "unisono.reports.report": ("AgreementReport",),
        "unisono.results.agreement": (
            "Agreement",
            "ChanceAgreement",
        ),
        "unisono.results.data": ("DataSummary",),
        "unisono.results.record": ("json_schema",),
        "unisono.results.values": (
            "Bounds",
            "Interval",
            "Signature",
        ),
        "unisono.simulation.calibration.calibrate": ("Calibration",),
        "unisono.simulation.calibration.curves": (
            "CurvePoint",
            "ErrorEquivalent",
            "JointFit",
        ),
        "unisono.simulation.error_curves": (
            "ErrorCurve",
            "ErrorCurves",
        ),
        "unisono.simulation.reproduction.claims": (
            "Claim",
            "Reproduction",
        ),
        "unisono.simulation.shuffling.shuffle": ("ShuffledContinuum",),
        "unisono.studies.advice": (
            "Advice",
            "DocumentShare",
            "GammaGain",
            "GroupShare",
            "LabelMerge",
            "LeaveOneOut",
        ),
        "unisono.studies.annotator_pairs": ("PairwiseTable",),
        "unisono.studies.consensus": (
            "Consensus",
            "ConsensusUnit",
            "UndecidedGroup",
        ),
        "unisono.studies.description": (
            "Description",
            "RatingsDescription",
        ),
        "unisono.studies.diagnosis": (
            "AnnotatorParts",
            "Confusion",
            "Diagnosis",
            "DisorderParts",
            "LabelParts",
        ),
        "unisono.studies.label_confusions": ("LabelConfusions",),
        "unisono.studies.rating_consensus": (
            "ItemConsensus",
            "RatingConsensus",
            "UndecidedItem",
        ),
        "unisono.studies.rating_diagnosis": (
            "AnnotatorDisagreement",
            "ItemDisagreement",
            "LabelDisagreement",
            "LabelUse",
            "RatingConfusion",
            "RatingDiagnosis",
        ),
        "unisono.studies.measure_table": ("UnitsTable",),
        "unisono.studies.task_profile": (
            "MeasureFit",
            "TaskAnswer",
        ),
        "unisono.studies.missing_values": (
            "PolicyComparison",
            "PolicySpread",
        ),
        "unisono.studies.planning": (
            "Plan",
            "PlanTrial",
        ),
        "unisono.studies.reliability": ("ReliabilityStudy",),
    },
    "unisono.charts": {
        "unisono.charts.alignment": (
            "alignment_chart",
            "consensus_chart",
            "continuum_chart",
        ),
        "unisono.charts.chart": ("chart_of",),
        "unisono.charts.curves": (
            "calibration_chart",
            "shuffling_chart",
        ),
        "unisono.charts.disorder": (
            "annotator_chart",
            "confusion_chart",
            "parts_chart",
        ),
        "unisono.charts.reliability": ("reliability_chart",),
        "unisono.charts.save": (
            "chart_file",
            "chart_spec",
            "chart_svg",
            "save_chart",
        ),
        "unisono.charts.style": (
            "Chart",
            "can_draw",
        ),
        "unisono.charts.values": (
            "bootstrap_chart",
            "draws_chart",
            "label_chart",
        ),
    },
    "unisono.parallel": {
        "unisono.parallel.dispatch": ("Report",),
        "unisono.parallel.executors": (
            "Processes",
            "available_cores",
            "executor_at",
        ),
    },
}


def public_names(package: str) -> dict[str, str]:
    """Return the public names of a package, each with the module that defines it."""
    found = {name: module for module, names in PUBLIC[package].items() for name in names}
    if package == "unisono":
        # Imported here, because importing unisono must not load other modules.
        from unisono.registry import MEASURES  # noqa: PLC0415

        functions = (measure.function.partition(":") for measure in MEASURES.values())
        found |= {name: module for module, _, name in functions}
    return dict(sorted(found.items()))


def lazy_names(package: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__``, which also provides ``__all__``, and ``__dir__`` (PEP 562)."""
    module = sys.modules[package]

    def get(name: str) -> object:
        value: object
        if f"{package}.{name}" in PUBLIC:
            value = import_module(f"{package}.{name}")
        elif name == "__all__":
            value = list(public_names(package))
        elif name in (module_of := public_names(package)):
            value = getattr(import_module(module_of[name]), name)
        else:
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg, name=name, obj=module)
        vars(module)[name] = value
        return value

    def names() -> list[str]:
        return sorted({*vars(module), *public_names(package)})

    return get, names
