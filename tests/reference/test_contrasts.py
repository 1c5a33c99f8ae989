"""The texts of docs/contrasts.md: what every measure has on them, and what the page claims."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import unisono as un
import unitizing_oracle as oracle

PAGE = Path(__file__).resolve().parents[2] / "docs" / "contrasts.md"
MEASURES = (
    *("gamma", "gamma_cat", "u_alpha", "u_alpha_binary", "u_alpha_coding", "kappa_d"),
    "slot_error_agreement",
)
SHORT = ("AA.BB.CC.AA.BB.CC.AA.BB.", ".CC.AA.BB.CC.AA.BB.CC.AA")
TOUCHING = "AAAAAAAABBBBBBBB....AAAAAAAABBBBBBBB"
APART = "AAAAAAAA....BBBBBBBB....AAAAAAAA"
SIX = "AA.BBBBBBBBBBBB.CC.AA.BB.CC"
TWO = "AAAAAAAAAAAA....BBBBBBBB...."
LATE = ("..AAAAAAAA....BBBBBBBB....", "....AAAAAAAA....BBBBBBBB..")
LONG = "." * 20 + "A" * 80 + "." * 40 + "B" * 80
FOUR = "AAAAA.....AAAAA.....AAAAA.....AAAAA"

# One text for each row of the page: what ann and bob marked, and how long a mark is.
TEXTS = {
    "alike": ("AAAAAAAA".join(SHORT), "AAAAAAAA".join(SHORT), 1),
    "one confused": ("AAAAAAAA".join(SHORT), "BBBBBBBB".join(SHORT), 1),
    "late, touching": (f"{TOUCHING}..", f"..{TOUCHING}", 1),
    "late, apart": (f"{APART}..", f"..{APART}", 1),
    "the long one": (SIX, SIX.replace("BBBBBBBBBBBB", "CCCCCCCCCCCC"), 1),
    "a short one": (SIX, "AA.BBBBBBBBBBBB.BB.AA.BB.CC", 1),
    "in two": (TWO, "AAAAAA|AAAAAA....BBBBBBBB....", 1),
    "in four": (TWO, "AAA|AAA|AAA|AAA....BBBBBBBB....", 1),
    "late by 2": (*LATE, 1),
    "times ten": (*LATE, 10),
    "long units": (LONG + "." * 40, ".." + LONG + "." * 38, 1),
    "also late": (f"{FOUR}.", f".{FOUR.replace('A', 'B')}", 20),
    "in place": (f"{FOUR}.", f"{FOUR.replace('A', 'B')}.", 20),
}
# In the order of the page: γ, γcat, uα, |uα, cuα, κ_d, 1 − SER, and uα of 2013.
PINNED = {
    "alike": (1, 1, 1, 1, 1, 1, 1, 1),
    "one confused": (0.9374, 0.8974, 0.8120, 1, 0.7069, 0.8102, 1 - 0.5 / 17, -0.1289),
    "late, touching": (0.9044, 1, 0.5372, 0.2802, 0.7507, 0.4911, 0.5, 0.7861),
    "late, apart": (0.9291, 1, 0.4941, 0.2243, 1, 0.4457, 0.5, 0.7421),
    "the long one": (0.8667, 0.5445, 0.4534, 1, 0.2787, 0.4564, 1 - 0.5 / 6, -1.8268),
    "a short one": (0.8665, 0.5430, 0.8948, 1, 0.8438, 0.8816, 1 - 0.5 / 6, 0.8510),
    "in two": (0.6117, 1, 1, 1, 1, 1, 1 - (1.5 / 2 + 1.5 / 3) / 2, 1),
    "in four": (0.2505, 1, 1, 1, 1, 1, 1 - (3.5 / 2 + 3.5 / 5) / 2, 1),
    "late by 2": (0.9461, 1, 0.5831, 0.4163, 1, 0.5357, 0.5, 0.7814),
    "times ten": (0.9461, 1, 0.5800, 0.4120, 1, 0.5357, 0.5, 0.7789),
    "long units": (0.9995, 1, 0.9580, 0.9412, 1, 0.9536, 0.5, 0.9978),
    "also late": (-0.1479, -0.9960, 0.0114, 0.5675, -0.75, 0.1692, 0, 0.1066),
    "in place": (-0.1054, -0.9960, 0.1762, 1, -0.75, 0.3077, 0.5, -0.2409),
    "split": (0.6353, 1, 0.4895, 1, 0.1929, 0.451, 0.375, 0.5072),
}
LONGS = "AAAAAAAAAAAA....AAAAAAAAAAAA"
NESTED = {
    "ann": (LONGS, "...BBB.............BBB......"),
    "bob": (LONGS, "....BBB...............BBB..."),
}


def units_of(text, each):
    found, end = [], 0
    for stretch in re.findall(r"\.+|A+|B+|C+", text):
        start, end = end, end + len(stretch)
        if stretch[0] != ".":
            found.append((each * start, each * end, stretch[0]))
    return found, each * end


def text_of(name):
    ann, bob, each = TEXTS[name]
    drawn = {"ann": units_of(ann, each), "bob": units_of(bob, each)}
    units = [(who, *unit) for who, (found, _) in drawn.items() for unit in found]
    return un.Continuum.from_units(units, extent=(0, drawn["ann"][1]))


def values_of(text, **settings):
    table = un.measure_units(text, draws=1000, rng=1, **settings)
    old = un.unitizing_alpha(text, generation="2013", **settings).u_alpha
    return (*(table[name].value for name in MEASURES), old.value)


def nested():
    units = [
        (who, *unit)
        for who, layers in NESTED.items()
        for layer in layers
        for unit in units_of(layer, 1)[0]
    ]
    return un.Continuum.from_units(units, extent=(0, 28))


def rows_of_the_page():
    row = re.compile(r"^(\w[\w, ]{14}) ((?: *(?:-?\d\.\d\d|–)){8})$", re.MULTILINE)
    return {
        name.strip(): tuple(math.nan if cell == "–" else float(cell) for cell in cells.split())
        for name, cells in row.findall(PAGE.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_has_its_pinned_values(name):
    assert values_of(text_of(name)) == pytest.approx(PINNED[name], abs=6e-5)


def test_nested_units_have_values_only_where_they_are_split():
    table = un.measure_units(nested(), draws=1000, rng=1)
    told = [name for name in MEASURES if not table[name].undefined]

    assert told == ["gamma", "gamma_cat", "slot_error_agreement"]
    why = table["kappa_d"].undefined or ""
    assert why.startswith("'ann' has units that overlap: [0, 12] 'A' and")
    assert values_of(nested(), overlap="split") == pytest.approx(PINNED["split"], abs=6e-5)


def test_split_units_are_measured_as_the_pieces_they_are_split_into():
    pieces = {"ann": "AAACCCAAAAAA....AAACCCAAAAAA", "bob": "AAAACCCAAAAA....AAAAAACCCAAA"}
    units = [(who, *unit) for who, text in pieces.items() for unit in units_of(text, 1)[0]]
    by_hand = values_of(un.Continuum.from_units(units, extent=(0, 28)))
    split = values_of(nested(), overlap="split")

    assert split[2:6] == pytest.approx(by_hand[2:6], abs=1e-12)
    assert split[7] == pytest.approx(by_hand[7], abs=1e-12)


def test_the_page_shows_the_pinned_values():
    shown = rows_of_the_page()

    assert set(shown) == {*PINNED, "nested"}
    for name, values in PINNED.items():
        assert shown[name] == pytest.approx(values, abs=5.1e-3), name


@pytest.mark.parametrize("name", TEXTS)
def test_the_alphas_are_those_of_the_oracle(name):
    ann, bob, each = TEXTS[name]
    found, length = zip(*(units_of(text, each) for text in (ann, bob)), strict=True)
    document = [(0, length[0], list(found))]
    measured = dict(zip((*MEASURES, "2013"), values_of(text_of(name)), strict=True))
    asked = {
        "u_alpha": oracle.u_2016,
        "u_alpha_binary": oracle.binary_2016,
        "u_alpha_coding": oracle.coding,
        "2013": oracle.u_2013,
    }

    for measure, formula in asked.items():
        observed, expected = formula(document)
        assert measured[measure] == pytest.approx(1 - observed / expected, abs=1e-12), measure


@pytest.mark.parametrize("name", TEXTS)
def test_kappa_is_that_of_the_marks(name):
    ann, bob = (text.replace("|", "") for text in TEXTS[name][:2])
    agreed = sum(one == other for one, other in zip(ann, bob, strict=True)) / len(ann)
    by_chance = sum(ann.count(mark) * bob.count(mark) for mark in "ABC.") / len(ann) ** 2

    kappa = un.measure_units(text_of(name), atom=TEXTS[name][2], draws=30, rng=1)["kappa_d"]
    assert kappa.value == pytest.approx((agreed - by_chance) / (1 - by_chance), abs=1e-12)


def test_the_page_is_correct():
    value = {
        name: dict(zip((*MEASURES, "2013"), values, strict=True)) for name, values in PINNED.items()
    }
    confused, late, apart = (
        value[name] for name in ("one confused", "late, touching", "late, apart")
    )
    longer, shorter = value["the long one"], value["a short one"]
    worse, better = value["also late"], value["in place"]
    once, tenfold = value["late by 2"], value["times ten"]

    assert confused["2013"] < 0 < confused["u_alpha"] < confused["gamma_cat"]
    assert late["u_alpha_coding"] < apart["u_alpha_coding"] == 1 == late["gamma_cat"]
    assert longer["gamma"] == pytest.approx(shorter["gamma"], abs=0.005)
    assert longer["u_alpha_coding"] < shorter["u_alpha_coding"] - 0.5
    assert once["gamma"] == tenfold["gamma"]
    assert once["u_alpha_binary"] != tenfold["u_alpha_binary"]
    assert better["2013"] < 0 < worse["2013"]
    rising = ("gamma", "u_alpha", "kappa_d", "slot_error_agreement")
    assert all(better[name] > worse[name] for name in rising)
