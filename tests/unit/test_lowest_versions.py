"""The lowest versions that the metadata allow are those that are tested."""

from __future__ import annotations

import re
import tomllib

import pytest

from lowest_versions import PROJECT, lowest_versions


def test_every_requirement_of_the_project_has_a_lowest_version():
    lowest = lowest_versions()
    assert {"numpy", "rich", "altair", "fastapi", "distributed", "pandas"} <= set(lowest)
    assert all(re.fullmatch(r"\d+(\.\d+)+", version) for version in lowest.values())


def test_the_tools_of_tests_need_no_higher_version_than_users_get():
    groups = tomllib.loads(PROJECT.read_text("utf-8"))["dependency-groups"]
    asked = [line.split(",")[0].split(">=") for line in groups["test"] if isinstance(line, str)]
    lowest = lowest_versions()
    shared = {name: version for name, version in asked if name in lowest}
    assert {"fastapi", "uvicorn", "altair", "distributed"} <= set(shared)
    assert shared == {name: lowest[name] for name in shared}


@pytest.mark.parametrize("requirement", ["numpy", "numpy~=1.26", "numpy<2", "numpy>1.26"])
def test_a_requirement_without_a_lowest_version_is_refused(tmp_path, requirement):
    project = tmp_path / "pyproject.toml"
    project.write_text(
        f'[project]\nname = "x"\ndependencies = ["{requirement}"]\n'
        "[project.optional-dependencies]\n[dependency-groups]\nframes = []\n"
    )
    with pytest.raises(ValueError, match="does not state its lowest version as name>=version"):
        lowest_versions(project)
