"""What was annotated: frozen values that know no files and do no measuring."""

from unisono.model.assembling import AnnotatorsFrom
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus
from unisono.model.discretizing import discretize
from unisono.model.fragmenting import split_fragments
from unisono.model.labels import Label, as_label, label_order, label_text
from unisono.model.lazy_corpus import LazyCorpus
from unisono.model.partitions import ratings_from_partitions
from unisono.model.ratings import Ratings
from unisono.model.segmentation import Segmentation, segmentations
from unisono.model.unit import Unit

__all__ = [
    "AnnotatorsFrom",
    "Continuum",
    "Corpus",
    "Label",
    "LazyCorpus",
    "Ratings",
    "Segmentation",
    "Unit",
    "as_label",
    "discretize",
    "label_order",
    "label_text",
    "ratings_from_partitions",
    "segmentations",
    "split_fragments",
]
