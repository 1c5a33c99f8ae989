"""The version, read by the build and written into every signature."""

from __future__ import annotations

__version__ = "0.2.0"
