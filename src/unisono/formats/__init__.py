"""Files to the model: one format a file, and `read`, which chooses among them."""

from unisono.formats.lazy_reading import scan_corpus
from unisono.formats.objects import from_objects
from unisono.formats.rating_reading import read_ratings
from unisono.formats.reading import read
from unisono.formats.writing import write

__all__ = ["from_objects", "read", "read_ratings", "scan_corpus", "write"]
