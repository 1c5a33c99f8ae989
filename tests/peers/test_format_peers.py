"""Our readers and writers beside the libraries of others, where these are installed."""

from collections import Counter
from pathlib import Path

import pytest

from unisono.formats.read import read
from unisono.formats.write import write
from unisono.model.continuum import Continuum

pytestmark = pytest.mark.peer

TALK = Continuum.from_units(
    [
        *(("ann", 0, 5, 'he "said"\nso'), ("ann", 3, 8, "b"), ("ann", 3, 3, "p")),
        *(("bob", 1.25, 2.5, "é😊"), ("eve", 0.001, 9.999, "<&>")),
    ],
    extent=(0, 10),
)
UNITS = Counter((unit.start, unit.end, unit.label) for unit in TALK)


@pytest.fixture
def textgrid():
    return pytest.importorskip("praatio.textgrid")


@pytest.fixture
def cassis():
    return pytest.importorskip("cassis")


def entries(grid):
    found: Counter[tuple[float, float, str]] = Counter()
    for name in grid.tierNames:
        for entry in grid.getTier(name).entries:
            bounds = (entry.time, entry.time) if hasattr(entry, "time") else entry[:2]
            found[(*bounds, entry.label)] += 1
    return found


def test_praatio_reads_what_we_write_and_we_what_it_writes(textgrid, tmp_path):
    write(TALK, tmp_path / "talk.TextGrid")
    path = str(tmp_path / "talk.TextGrid")
    assert entries(textgrid.openTextgrid(path, includeEmptyIntervals=False)) == UNITS
    whole = textgrid.openTextgrid(path, includeEmptyIntervals=True)
    for form in ("long_textgrid", "short_textgrid"):
        whole.save(path, form, includeBlankSpaces=True)
        assert read(path)["talk"] == TALK


def test_pympi_reads_what_we_write_and_we_what_it_writes(tmp_path):
    pympi = pytest.importorskip("pympi")
    write(TALK, tmp_path / "talk.eaf")
    theirs = pympi.Elan.Eaf(str(tmp_path / "talk.eaf"))
    found = Counter(
        (start / 1000, end / 1000, text)
        for tier in theirs.tiers
        for start, end, text in theirs.get_annotation_data_for_tier(tier)
    )
    assert found == UNITS
    made = pympi.Elan.Eaf()
    made.remove_tier("default")
    made.add_linguistic_type("mood", "Symbolic_Association", timealignable=False)
    made.add_tier("ann")
    made.add_tier("mood@ann", ling="mood", parent="ann")
    made.add_annotation("ann", 100, 2350, "hello")
    made.add_ref_annotation("mood@ann", "ann", 100, "glad")
    made.to_file(str(tmp_path / "made.eaf"))
    (unit,) = read(tmp_path / "made.eaf", layer="mood")["made"]
    assert (unit.start, unit.end, unit.label) == (0.1, 2.35, "glad")


@pytest.mark.parametrize("suffix", [".xmi", ".json"])
def test_a_cas_of_cassis_is_read(cassis, tmp_path, suffix):
    types = cassis.TypeSystem()
    span = types.create_type("webanno.custom.Span")
    types.create_feature(span, "mood", "uima.cas.String")
    cas = cassis.Cas(types)
    cas.sofa_string = "😊 you 😊 me\nx"
    spans = [(0, 1, "a"), (2, 5, "b"), (6, 7, "c"), (8, 12, "d & <e>")]
    for start, end, mood in spans:
        cas.add(span(begin=start, end=end, mood=mood))
    path = Path(tmp_path, f"ann{suffix}")
    types.to_xml(tmp_path / "TypeSystem.xml")
    (cas.to_xmi if suffix == ".xmi" else cas.to_json)(path)
    found = read(path)["ann"]
    assert found.text == cas.sofa_string
    assert [(unit.start, unit.end, unit.label) for unit in found] == spans
