from unisono import charts as charts
from unisono import parallel as parallel
from unisono import results as results
from unisono.errors import DataError as DataError
from unisono.errors import ReadError as ReadError
from unisono.errors import SettingError as SettingError
from unisono.errors import UnisonoError as UnisonoError
from unisono.errors import WorkError as WorkError
from unisono.formats.chains import read_chains as read_chains
from unisono.formats.pyramids import read_pyramids as read_pyramids
from unisono.formats.read import read as read
from unisono.formats.read import read_ratings as read_ratings
from unisono.formats.write import write as write
from unisono.measures.chains.chance import antecedent_kappa as antecedent_kappa
from unisono.measures.chains.chance import chain_alpha as chain_alpha
from unisono.measures.chains.pyramids import measure_pyramids as measure_pyramids
from unisono.measures.chains.scores import b_cubed as b_cubed
from unisono.measures.chains.scores import blanc as blanc
from unisono.measures.chains.scores import ceaf_entities as ceaf_entities
from unisono.measures.chains.scores import ceaf_mentions as ceaf_mentions
from unisono.measures.chains.scores import lea as lea
from unisono.measures.chains.scores import muc as muc
from unisono.measures.chains.table import measure_chains as measure_chains
from unisono.measures.distance_matrix import DistanceMatrix as DistanceMatrix
from unisono.measures.distances import dice_distance as dice_distance
from unisono.measures.distances import distance_matrix as distance_matrix
from unisono.measures.distances import distance_signature as distance_signature
from unisono.measures.distances import jaccard_distance as jaccard_distance
from unisono.measures.distances import masi_distance as masi_distance
from unisono.measures.gamma.alignment import best_alignment as best_alignment
from unisono.measures.gamma.dissimilarity import (
    CategoricalDissimilarity as CategoricalDissimilarity,
)
from unisono.measures.gamma.dissimilarity import CombinedDissimilarity as CombinedDissimilarity
from unisono.measures.gamma.dissimilarity import CustomDissimilarity as CustomDissimilarity
from unisono.measures.gamma.dissimilarity import PositionalDissimilarity as PositionalDissimilarity
from unisono.measures.gamma.dissimilarity import UnitColumns as UnitColumns
from unisono.measures.gamma.gamma import gamma as gamma
from unisono.measures.gamma.gamma import gamma_by_label as gamma_by_label
from unisono.measures.items.alpha import krippendorff_alpha as krippendorff_alpha
from unisono.measures.items.kappas import bennett_s as bennett_s
from unisono.measures.items.kappas import cohen_kappa as cohen_kappa
from unisono.measures.items.kappas import conger_kappa as conger_kappa
from unisono.measures.items.kappas import fleiss_kappa as fleiss_kappa
from unisono.measures.items.kappas import gwet_ac as gwet_ac
from unisono.measures.items.kappas import percent_agreement as percent_agreement
from unisono.measures.items.kappas import scott_pi as scott_pi
from unisono.measures.items.resampling import bootstrap as bootstrap
from unisono.measures.items.resampling import bootstrap_values as bootstrap_values
from unisono.measures.items.resampling import permutation_test as permutation_test
from unisono.measures.items.table import measure_items as measure_items
from unisono.measures.reference.compare import compare as compare
from unisono.measures.reference.pairwise_f1 import pairwise_f1 as pairwise_f1
from unisono.measures.reference.slot_errors import slot_error_agreement as slot_error_agreement
from unisono.measures.reference.slot_errors import slot_error_rate as slot_error_rate
from unisono.measures.segmentation.boundary_edits import boundary_similarity as boundary_similarity
from unisono.measures.segmentation.boundary_edits import (
    segmentation_similarity as segmentation_similarity,
)
from unisono.measures.segmentation.hamming import generalized_hamming as generalized_hamming
from unisono.measures.segmentation.table import measure_segments as measure_segments
from unisono.measures.segmentation.windows import pk as pk
from unisono.measures.segmentation.windows import window_diff as window_diff
from unisono.measures.unitizing.alphas import unitizing_alpha as unitizing_alpha
from unisono.measures.unitizing.atoms import kappa_d as kappa_d
from unisono.model.chains import Chains as Chains
from unisono.model.continuum import Continuum as Continuum
from unisono.model.continuum import Unit as Unit
from unisono.model.corpus import Corpus as Corpus
from unisono.model.overlap import split_fragments as split_fragments
from unisono.model.ratings import Ratings as Ratings
from unisono.model.segmentation import Segmentation as Segmentation
from unisono.model.segmentation import segmentations as segmentations
from unisono.reports.report import report as report
from unisono.simulation.calibration.calibrate import calibrate as calibrate
from unisono.simulation.error_curves import error_curves as error_curves
from unisono.simulation.reproduction.reproduce import reproduce as reproduce
from unisono.simulation.shuffling.shuffle import generate_reference as generate_reference
from unisono.simulation.shuffling.shuffle import shuffle as shuffle
from unisono.studies.advice import advise as advise
from unisono.studies.annotator_pairs import pairwise_agreement as pairwise_agreement
from unisono.studies.consensus import consensus as consensus
from unisono.studies.description import describe as describe
from unisono.studies.diagnosis import diagnose as diagnose
from unisono.studies.label_confusions import label_confusions as label_confusions
from unisono.studies.measure_table import measure_units as measure_units
from unisono.studies.missing_values import compare_policies as compare_policies
from unisono.studies.planning import plan_documents as plan_documents
from unisono.studies.planning import plan_items as plan_items
from unisono.studies.reliability import reliability_study as reliability_study
from unisono.version import __version__ as __version__

__all__ = [
    "CategoricalDissimilarity",
    "Chains",
    "CombinedDissimilarity",
    "Continuum",
    "Corpus",
    "CustomDissimilarity",
    "DataError",
    "DistanceMatrix",
    "PositionalDissimilarity",
    "Ratings",
    "ReadError",
    "Segmentation",
    "SettingError",
    "UnisonoError",
    "Unit",
    "UnitColumns",
    "WorkError",
    "__version__",
    "advise",
    "antecedent_kappa",
    "b_cubed",
    "bennett_s",
    "best_alignment",
    "blanc",
    "bootstrap",
    "bootstrap_values",
    "boundary_similarity",
    "calibrate",
    "ceaf_entities",
    "ceaf_mentions",
    "chain_alpha",
    "cohen_kappa",
    "compare",
    "compare_policies",
    "conger_kappa",
    "consensus",
    "describe",
    "diagnose",
    "dice_distance",
    "distance_matrix",
    "distance_signature",
    "error_curves",
    "fleiss_kappa",
    "gamma",
    "gamma_by_label",
    "generalized_hamming",
    "generate_reference",
    "gwet_ac",
    "jaccard_distance",
    "kappa_d",
    "krippendorff_alpha",
    "label_confusions",
    "lea",
    "masi_distance",
    "measure_chains",
    "measure_items",
    "measure_pyramids",
    "measure_segments",
    "measure_units",
    "muc",
    "pairwise_agreement",
    "pairwise_f1",
    "percent_agreement",
    "permutation_test",
    "pk",
    "plan_documents",
    "plan_items",
    "read",
    "read_chains",
    "read_pyramids",
    "read_ratings",
    "reliability_study",
    "report",
    "reproduce",
    "scott_pi",
    "segmentation_similarity",
    "segmentations",
    "shuffle",
    "slot_error_agreement",
    "slot_error_rate",
    "split_fragments",
    "unitizing_alpha",
    "window_diff",
    "write",
]
