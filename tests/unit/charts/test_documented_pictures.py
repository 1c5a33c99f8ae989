"""The images of the documentation are complete and reproducible."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

PAGES = [*Path("docs").glob("*.md"), Path("README.md")]
SHOWN = sorted(
    {
        (page, name)
        for page in PAGES
        for name in re.findall(r"\]\((\S*pictures/\S+)\)", page.read_text())
    }
)


@pytest.mark.parametrize(("page", "name"), SHOWN)
def test_documentation_images_exist_and_are_small(page, name):
    path = page.parent / name

    assert 1_000 < path.stat().st_size < 200_000
    if path.suffix == ".svg":
        assert ET.parse(path).getroot().tag.endswith("svg")  # noqa: S314 - our own


@pytest.mark.parametrize("page", PAGES)
def test_documentation_images_have_alt_texts(page):
    for words in re.findall(r"!\[([^]]*)\]\(", page.read_text("utf-8")):
        assert len(words) > 20


def test_documentation_images_are_up_to_date():
    pictures = runpy.run_path("docs/pictures/charts.py")["pictures"]()
    files = {name if "." in name else f"{name}.svg" for name in pictures}

    assert files <= {Path(name).name for page, name in SHOWN if page.name == "charts.md"}
    drawn = ET.fromstring(  # noqa: S314 - our own
        runpy.run_path("docs/pictures/charts.py")["charts"].chart_svg(pictures["confusion"]())
    )
    stored = ET.parse("docs/pictures/confusion.svg").getroot()  # noqa: S314 - our own
    texts = [
        ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
        for root in (drawn, stored)
    ]
    assert texts[0] == texts[1]
