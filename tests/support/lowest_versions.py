"""Print the lowest versions that the metadata of the project allow, as constraints for pip."""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
# A name, perhaps extras, `>=` and a version, and perhaps an upper bound.
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?>=([0-9.]+)(?:,<[0-9.]+)?")


def lowest_versions(project: Path = PROJECT) -> dict[str, str]:
    """Return the lowest version of each package that unisono, its extras and frames need."""
    whole = tomllib.loads(project.read_text("utf-8"))
    metadata = whole["project"]
    extras = metadata["optional-dependencies"].values()
    needed = [*metadata["dependencies"], *chain(*extras), *whole["dependency-groups"]["frames"]]
    lowest = {}
    for requirement in needed:
        if requirement.startswith(f"{metadata['name']}["):
            continue  # an extra made of others
        match = _REQUIREMENT.fullmatch(requirement)
        if match is None:
            msg = f"{project}: {requirement!r} does not state its lowest version as name>=version"
            raise ValueError(msg)
        lowest[match[1]] = match[2]
    return lowest


if __name__ == "__main__":
    for name, version in lowest_versions().items():
        print(f"{name}=={version}")  # noqa: T201 - what it is for
