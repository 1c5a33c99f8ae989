"""What a release states about itself is the same everywhere, and true."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import unisono as un
from lowest_versions import lowest_versions

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CLASSIFIERS = PROJECT["project"]["classifiers"]


def page(name: str) -> str:
    path = ROOT / name
    if not path.exists():
        pytest.skip(f"there is no {name}: these are not the sources")
    return path.read_text(encoding="utf-8")


def test_the_version_is_the_same_everywhere():
    assert f"\nversion: {un.__version__}\n" in page("CITATION.cff")
    assert page("CHANGELOG.md").split("\n## ", 2)[1].startswith(f"[{un.__version__}]")


def test_the_page_on_support_has_the_lowest_versions():
    rows = re.findall(r"^\| ([\w-]+) \| ([\d.]+) \|", page("docs/support.md"), re.MULTILINE)

    assert dict(rows) == lowest_versions()


def test_the_page_on_support_has_the_pythons_of_the_metadata():
    prefix = "Programming Language :: Python :: 3."
    minors = [each.removeprefix(prefix) for each in CLASSIFIERS if each.startswith(prefix)]
    stated = ", ".join(f"3.{minor}" for minor in minors)

    assert minors
    assert f"\n| Python | {stated} (CPython) | yes |\n" in page("docs/support.md")
    assert PROJECT["project"]["requires-python"] == f">=3.{minors[0]}"


def test_the_metadata_name_only_systems_with_tests():
    systems = [each for each in CLASSIFIERS if each.startswith("Operating System ::")]

    assert systems == ["Operating System :: POSIX :: Linux"]
    assert "\n| system | Linux x86-64 (glibc) | yes |\n" in page("docs/support.md")


def test_wheels_are_built_for_the_pythons_of_the_metadata():
    built = set(PROJECT["tool"]["cibuildwheel"]["build"])
    stable = PROJECT["tool"]["scikit-build"]["wheel"]["py-api"]

    assert {"cp311-*", f"{stable}-*"} <= built


def test_the_container_copies_all_that_the_build_needs():
    allowed = set(re.findall(r"^!(.+)$", page(".dockerignore"), re.MULTILINE))
    metadata = PROJECT["project"]
    needed = {metadata["readme"], *metadata["license-files"]}

    assert {"src", "kernel", "CMakeLists.txt", "pyproject.toml", *needed} == allowed


def test_the_readme_is_short():
    assert len(page("README.md").splitlines()) < 120


@pytest.mark.parametrize("name", ["README.md", "SECURITY.md", "CONTRIBUTING.md"])
def test_links_to_files_exist(name):
    links = re.findall(r"\]\((?!\w+:)([^)#]+)", page(name))

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
