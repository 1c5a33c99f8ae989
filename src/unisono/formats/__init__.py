"""Files to the model: one format a file, and `read`, which chooses among them."""

from unisono.formats.rating_tables import read_ratings
from unisono.formats.reading import read

__all__ = ["read", "read_ratings"]
