"""Alphas for unitizing: published values, errors and undefined values."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import unisono as un
from unisono.errors import DataError, SettingError
from unisono.measures.items.metrics import Squares
from unisono.measures.unitizing.coincidences import Coincidences, Layout


def text(*annotators, extent=None):
    """Return a continuum from one list of (start, end, label) per annotator."""
    names = [f"a{i}" for i in range(len(annotators))]
    rows = [(name, *unit) for name, units in zip(names, annotators, strict=True) for unit in units]
    return un.Continuum.from_units(rows, annotators=names, extent=extent)


# Mathet, Widlöcher & Métivier (2015), Figure 14.
FIGURE_14 = text(
    [(2, 17, 1), (22, 37, 1), (58, 68, 2), (70, 75, 4)],
    [(2, 17, 1), (32, 45, 3), (58, 63, 1), (70, 75, 4)],
    extent=(0, 76),
)
# Krippendorff's table of four annotators and twelve items; item i lies at [i, i + 1].
TABLE = ["1 2 3 3 2 1 4 1 2 . . .", "1 2 3 3 2 2 4 1 2 5 . 3"]
TABLE += [". 3 3 3 2 3 4 2 2 5 1 .", "1 2 3 3 2 4 4 1 2 5 1 ."]
ITEMS = text(
    *(
        [(i, i + 1, int(label)) for i, label in enumerate(row.split()) if label != "."]
        for row in TABLE
    ),
    extent=(0, 12),
)
# The example of a public program without printed values; these were computed independently.
THREE = text(
    [(2, 5, 1), (9, 11, 1), (12, 20, 2)],
    [(2, 5, 1), (7, 15, 2)],
    [(2, 5, 1), (10, 15, 2)],
    extent=(0, 20),
)
# Krippendorff (2004), p. 254, from the tests of dkpro-statistics.
PAGE_254 = text(
    [(225, 295, "c"), (370, 400, "c"), (180, 240, "k"), (300, 350, "k")],
    [(220, 300, "c"), (355, 375, "c"), (400, 420, "c"), (180, 240, "k"), (300, 350, "k")],
    extent=(150, 450),
)


def test_figure_14_has_the_published_u_of_2013():
    u = un.unitizing_alpha(FIGURE_14, generation="2013").u_alpha
    assert u.observed == pytest.approx(3.145, abs=5e-4)
    assert u.expected == pytest.approx(5.286, abs=5e-4)
    assert u.value == pytest.approx(0.405, abs=5e-4)


def test_figure_21a_has_the_published_u_of_2013_when_labels_differ():
    one, other = ([(at, at + 100, label) for at in range(low, 700, 200)] for low, label in LANES)
    assert un.unitizing_alpha(text(one, other), generation="2013").u_alpha.value == pytest.approx(
        0.107, abs=5e-4
    )


LANES = ((0, "A"), (20, "B"))


@pytest.mark.parametrize("generation", ["2016", "2013"])
def test_figure_14_has_the_published_coding_with_the_interval_distance(generation):
    coding = un.unitizing_alpha(
        FIGURE_14, distance="interval", generation=generation
    ).u_alpha_coding
    assert coding.observed == pytest.approx(0.833, abs=5e-4)
    # The paper prints 3.145, which is the disagreement observed by uα; 0.744 needs 3.25.
    assert coding.expected == pytest.approx(3.25)
    assert coding.value == pytest.approx(0.744, abs=5e-4)


def test_krippendorffs_table_as_a_continuum_has_the_published_coding():
    coding = un.unitizing_alpha(ITEMS).u_alpha_coding
    assert coding.observed == pytest.approx(0.218, abs=5e-4)
    assert coding.value == pytest.approx(0.7152361942781105, rel=1e-12)


def test_a_layout_with_the_published_totals_of_2017_has_its_coding():
    layout = text(
        [(2, 11, "A"), (15, 18, "B")], [(2, 11, "B"), (14, 19, "B")], [(3, 13, "A"), (17, 25, "C")]
    )
    assert un.unitizing_alpha(layout).u_alpha_coding.value == pytest.approx(0.08, abs=5e-4)


def test_the_family_of_2016_is_the_same_when_computed_again_from_its_formulas():
    result = un.unitizing_alpha(THREE)
    assert result.u_alpha.value == pytest.approx(0.473913043478, abs=1e-12)
    assert result.u_alpha_binary.value == pytest.approx(0.4328125, abs=1e-12)
    assert result.u_alpha_coding.value == pytest.approx(0.778881987578, abs=1e-12)
    assert result.u_alpha_k[1].value == pytest.approx(0.76925170068, abs=1e-11)
    assert result.u_alpha_k[2].value == pytest.approx(0.786971428571, abs=1e-12)


@pytest.mark.parametrize(
    ("length", "units", "value"),
    [
        # Key phrases in the README of a public program, with inclusive ends.
        (56, ([(3, 15), (22, 53)], [(3, 10), (22, 53)], [(22, 46)]), 0.564544865565),
        # Continuum A of Krippendorff (1995).
        (24, ([(2, 10), (14, 20)], [(4, 8), (15, 17)]), 0.358333333333),
    ],
)
def test_with_one_kind_of_unit_u_and_binary_are_the_same(length, units, value):
    result = un.unitizing_alpha(text(*units, extent=(0, length)))
    assert result.u_alpha.value == pytest.approx(value, abs=1e-12)
    assert result.u_alpha_binary.value == result.u_alpha.value
    assert result.u_alpha_coding.undefined == "no unit has a label"
    assert result.u_alpha_k == {}


def test_page_254_has_the_published_alphas_of_each_label():
    result = un.unitizing_alpha(PAGE_254, generation="1995")
    assert result.u_alpha.value == pytest.approx(0.8591, abs=5e-4)
    assert result.u_alpha_k["c"].observed == pytest.approx(0.0144, abs=1e-4)
    assert result.u_alpha_k["c"].expected == pytest.approx(0.0532, abs=1e-4)
    assert result.u_alpha_k["c"].value == pytest.approx(0.7286, abs=1e-4)
    assert result.u_alpha_k["k"].expected == pytest.approx(0.049, abs=1e-4)
    assert result.u_alpha_k["k"].value == 1.0


def test_a_unit_cut_into_pieces_has_the_alpha_that_the_java_library_tests():
    u = un.unitizing_alpha(
        text([(1, 9, "A")], [(2, 3, "A"), (4, 5, "A"), (6, 7, "A")], extent=(0, 10)),
        generation="1995",
    ).u_alpha
    assert (u.observed, u.expected, u.value) == pytest.approx((0.91, 0.5351, -0.7003), abs=1e-4)


# Krippendorff (1995), p. 57: offsets and lengths; four pairs of annotators on a text of 24.
PAGE_57 = {
    "A": ([(2, 8), (14, 6)], [(4, 4), (15, 2)]),
    "B": ([(0, 18)], [(0, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 3), (9, 1)]),
    "C": (
        [(2, 6), (10, 2), (14, 4), (20, 2)],
        [(0, 2), (4, 4), (10, 4), (16, 2), (20, 2)],
    ),
    "D": (
        [(0, 2), (2, 8), (10, 4), (14, 6), (20, 4)],
        [(0, 4), (4, 4), (8, 7), (15, 2), (17, 7)],
    ),
}


@pytest.mark.parametrize(
    ("label", "observed", "expected", "value"),
    [
        ("A", 0.03125, 0.0699, 0.553),
        ("B", 2.26736, 1.17731, -0.926),
        ("C", 0.02777, 0.08642, 0.679),
        ("D", 0.38715, 0.41445, 0.066),
    ],
)
def test_page_57_comes_out_near_what_was_printed(label, observed, expected, value):
    """The formula printed in 1995 has an error; that of 2004 is close to it on a long text."""
    stretch = 50_000
    units = [
        [
            (at * stretch, (at + length) * stretch, name)
            for name, lanes in PAGE_57.items()
            for at, length in lanes[who]
        ]
        for who in (0, 1)
    ]
    found = un.unitizing_alpha(text(*units, extent=(0, 24 * stretch)), generation="1995").u_alpha_k[
        label
    ]
    assert found.observed == pytest.approx(observed, abs=1.1e-5)
    assert found.expected == pytest.approx(expected, abs=5e-3)
    assert found.value == pytest.approx(value, abs=2e-2)


def test_agreement_without_exception_is_exactly_1():
    units = [(0.1, 2.3, "a"), (2.3, 5.7, "b"), (6.1, 9.9, "a")]
    data = text(units, units, units, extent=(0, 12.7))
    result = un.unitizing_alpha(data)
    values = [
        result.u_alpha,
        result.u_alpha_binary,
        result.u_alpha_coding,
        *result.u_alpha_k.values(),
    ]
    assert [agreement.value for agreement in values] == [1.0] * 5
    assert un.unitizing_alpha(data, generation="2013").u_alpha.value == 1.0
    assert un.unitizing_alpha(data, generation="1995").u_alpha.value == 1.0
    for distance in ("masi", lambda left, right: float(left != right)):
        assert un.unitizing_alpha(data, distance=distance).u_alpha_coding.value == 1.0


@pytest.mark.parametrize("generation", ["2016", "2013", "1995"])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (text([(0, 3, "a")]), "needs at least two annotators; there is only 'a0'"),
        (text([], []), "the total length is 0"),
        (text([(3, 3, "a")], [(3, 3, "b")]), "the total length is 0"),
        (text([], [], extent=(0, 9)), "there are no units, so the expected disagreement is 0"),
        (text([(0, 1e-90, "a")], [(0, 2e-90, "a")]), "is too short"),
        (un.Corpus.from_continua({}), "there are no documents"),
        (
            un.Corpus.from_continua({"lone": text([(0, 3, "a")])}),
            "no document has at least two annotators",
        ),
    ],
)
def test_nothing_to_measure_is_undefined_with_its_reason(data, reason, generation):
    result = un.unitizing_alpha(data, generation=generation)
    assert math.isnan(result.u_alpha.value)
    assert reason in str(result.u_alpha.undefined)


def test_one_label_everywhere_is_undefined_and_not_1():
    everywhere = text([(0, 9, "a")], [(0, 4, "a"), (4, 9, "a")])
    result = un.unitizing_alpha(everywhere)
    reason = "all annotators marked everything as 'a', so the expected disagreement is 0"
    assert (result.u_alpha.undefined, result.u_alpha.expected) == (reason, 0.0)
    assert result.u_alpha_coding.undefined == (
        "all overlapping units have the label 'a', so the expected disagreement is 0"
    )
    assert "have this label" in str(result.u_alpha_k["a"].undefined)
    assert un.unitizing_alpha(everywhere, generation="2013").u_alpha.undefined == reason


def test_units_that_do_not_meet_have_no_coding():
    result = un.unitizing_alpha(text([(0, 3, "a")], [(5, 9, "b")]))
    assert result.u_alpha_coding.undefined == "no units of different annotators overlap"
    assert result.u_alpha_k["a"].undefined == (
        "no unit with this label overlaps a unit of another annotator"
    )
    assert result.u_alpha.value < 0.0


def test_too_few_meetings_of_many_annotators_have_no_coding():
    lone = text([(0, 3, "a")], [(0, 3, "b")], [], [], [], extent=(0, 20))
    assert "too few units" in str(un.unitizing_alpha(lone).u_alpha_coding.undefined)


def test_labels_at_distance_0_are_undefined_and_not_1():
    same = text([(0, 3, "1"), (4, 6, "1.0")], [(0, 3, "1.0"), (4, 6, "1")], extent=(0, 9))
    coding = un.unitizing_alpha(same, distance="interval").u_alpha_coding
    assert (
        coding.undefined
        == "all labels of overlapping units have distance 0, so the expected disagreement is 0"
    )


def test_a_text_of_one_place_that_all_mark_is_undefined_in_1995():
    result = un.unitizing_alpha(text([(0, 1, "a")], [(0, 1, "a")]), generation="1995")
    assert "everything with this label" in str(result.u_alpha_k["a"].undefined)
    assert "everything as 'a', so the expected disagreement is 0" in str(result.u_alpha.undefined)


@pytest.mark.parametrize("cells", [1, 2, 3, 100])
def test_places_are_compared_some_at_a_time(cells):
    whole = un.unitizing_alpha(FIGURE_14, distance="interval").u_alpha_coding
    layout, metric = Layout.of([FIGURE_14]), Squares(np.array([1.0, 2.0, 3.0, 4.0]))
    assert layout.labels == (1, 2, 3, 4)
    some = Coincidences(layout, cells_at_a_time=cells).coding(metric)
    assert some == Coincidences(layout).coding(metric) == (whole.observed, whole.expected)


def test_a_text_shorter_than_its_unit_of_length_is_undefined_and_states_it():
    short = text([(0.0, 0.01, "a")], [(0.05, 0.06, "a")], extent=(0, 0.1))
    assert "use a smaller unit of length" in str(un.unitizing_alpha(short).u_alpha.undefined)
    assert "smaller unit" in str(un.unitizing_alpha(short, generation="1995").u_alpha.undefined)


def test_a_value_that_hangs_on_the_unit_of_length_is_noted():
    seconds = text([(0.5, 2, "a"), (4, 6, "b")], [(0.5, 3, "a"), (4, 6, "b")], extent=(0, 8))
    assert "depends on the unit of length" in un.unitizing_alpha(seconds).notes[0]
    milliseconds = text(
        [(500, 2000, "a"), (4000, 6000, "b")],
        [(500, 3000, "a"), (4000, 6000, "b")],
        extent=(0, 8000),
    )
    assert un.unitizing_alpha(milliseconds).notes == ()
    assert un.unitizing_alpha(milliseconds).u_alpha_coding.value == pytest.approx(
        un.unitizing_alpha(seconds).u_alpha_coding.value
    )


def test_what_a_generation_does_not_have_is_undefined():
    old = un.unitizing_alpha(FIGURE_14, generation="2013")
    assert old.u_alpha_binary.undefined == "|uα is defined for the generation 2016 only"
    assert old.u_alpha_k == {}
    oldest = un.unitizing_alpha(FIGURE_14, generation="1995")
    assert (
        oldest.u_alpha_coding.undefined
        == oldest.u_alpha_binary.undefined
        == "the generation 1995 defines αU only"
    )
    names = [row[0].text for row in oldest.sheet().tables[0].rows]
    lengths = [oldest.label_lengths[int(name.removeprefix("αU "))] for name in names[1:]]
    assert names[0] == "αU"
    assert sorted(names[1:]) == ["αU 1", "αU 2", "αU 3", "αU 4"]
    assert lengths == sorted(lengths, reverse=True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"generation": "2004"}, "unknown generation='2004'; choose one of '2016', '2013', '1995'"),
        ({"overlap": "ignore"}, "unknown overlap='ignore'; choose one of 'raise', 'merge'"),
        ({"distance": "numerical"}, "unknown distance='numerical'"),
        ({"distance": "interval", "generation": "1995"}, "distance= applies to cuα"),
        ({"order": [1, 2, 3, 4]}, "order= applies to distance='ordinal' only"),
    ],
)
def test_invalid_combinations_of_settings_are_refused(settings, message):
    with pytest.raises(SettingError) as caught:
        un.unitizing_alpha(FIGURE_14, **settings)
    assert message in str(caught.value)


def test_other_types_than_continua_are_refused():
    with pytest.raises(TypeError, match="a Continuum or a Corpus, got list"):
        un.unitizing_alpha([("a", 0, 1)])  # type: ignore[arg-type]


def test_a_distance_that_cannot_compare_a_label_names_it():
    words = text([(0, 3, "a"), (3, 5, None)], [(0, 3, "b")])
    with pytest.raises(DataError, match="some units have no label"):
        un.unitizing_alpha(words, distance="masi")
    with pytest.raises(DataError, match="'interval' needs numeric labels; 'a' is not a number"):
        un.unitizing_alpha(words.only(labels=["a", "b"]), distance="interval")


def test_words_are_ordinal_in_the_order_given():
    words = text([(0, 3, "low"), (3, 5, "mid")], [(0, 3, "low"), (3, 5, "high")])
    order = ["low", "mid", "high"]
    numbers = words.rename(labels={"low": 1, "mid": 2, "high": 3})
    by_order = un.unitizing_alpha(words, distance="ordinal", order=order).u_alpha_coding
    assert by_order.value == un.unitizing_alpha(numbers, distance="ordinal").u_alpha_coding.value
    assert by_order.signature["distance"] == "ordinal[low<mid<high]"


def test_the_signature_tells_all_that_moves_a_value():
    result = un.unitizing_alpha(FIGURE_14, distance="interval", overlap="split")
    assert list(result.u_alpha.signature) == ["generation", "overlap", "annotators", "data", "v"]
    assert result.u_alpha_coding.signature["distance"] == "interval"
    assert result.u_alpha_coding.signature.measure == "u_alpha_coding"
    assert result.u_alpha_k[3].signature["label"] == "3"
    assert "overlap" not in un.unitizing_alpha(FIGURE_14).u_alpha.signature


def test_a_result_can_be_stored_compared_and_shown():
    result = un.unitizing_alpha(un.Corpus.from_continua({"one": FIGURE_14, "two": FIGURE_14}))
    again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own
    assert again == result
    assert repr(result).endswith("2 documents, 2 annotators, 16 units)")
    assert hash(again) == hash(result)
    assert result.to_dict()["documents"]["one"]["n_units"] == 8
    assert result.to_dict()["label_lengths"] == {"1": 100.0, "2": 20.0, "3": 26.0, "4": 20.0}
    assert "\\|uα" in result._repr_markdown_()
    assert f"{result.u_alpha_coding:.3f}" in str(result)


def test_values_by_label_and_document_are_computed_on_request():
    corpus = un.Corpus.from_continua({"one": FIGURE_14})
    assert un.unitizing_alpha(corpus, by_label=False).u_alpha_k == {}
    assert un.unitizing_alpha(corpus, by_document=False).documents == {}
    assert list(un.unitizing_alpha(corpus).documents) == ["one"]
    assert un.unitizing_alpha(FIGURE_14).documents == {}


def _by_pairs_of_units(units, distance):
    """Return cuα from all intersections of units of different annotators, one by one."""
    annotators = sorted({unit[0] for unit in units})
    labels = sorted({unit[3] for unit in units})
    others = len(annotators) - 1
    found, squares = np.zeros((len(labels),) * 2), np.zeros(len(labels))
    for one in units:
        for annotator in annotators:
            if annotator == one[0]:
                continue
            shared = 0.0
            for other in units:
                if other[0] == annotator:
                    length = max(0.0, min(one[2], other[2]) - max(one[1], other[1]))
                    found[labels.index(one[3]), labels.index(other[3])] += length / others
                    shared += length
            squares[labels.index(one[3])] += shared**2
    apart = np.array([[distance(c, k) for k in labels] for c in labels], float)
    sums, whole = found.sum(axis=1), found.sum()
    expected = np.outer(sums, sums) - np.diag(squares / others)
    expected /= whole - squares.sum() / (whole * others)
    return 1.0 - (found * apart).sum() / (expected * apart).sum()


@pytest.mark.parametrize("seed", range(5))
def test_kept_overlap_counts_all_intersections(seed):
    rng = np.random.default_rng(seed)
    units = [
        (name, float(start), float(start + rng.integers(1, 9)), int(rng.integers(1, 4)))
        for name in "abc"
        for start in rng.integers(0, 30, 8)
    ]
    text = un.Continuum.from_units(units)
    for name, distance in (
        ("nominal", lambda c, k: c != k),
        ("interval", lambda c, k: (c - k) ** 2),
    ):
        found = un.unitizing_alpha(text, overlap="keep", distance=name)
        assert found.u_alpha_coding.value == pytest.approx(_by_pairs_of_units(units, distance))
        assert "overlap and are kept" in (found.u_alpha.undefined or "")


def test_keep_moves_nothing_where_no_units_overlap():
    text = un.generate_reference(20, rng=1)
    text = un.shuffle(text, magnitude=0.5, errors=("position", "category"), overlap=False).continuum
    kept, plain = un.unitizing_alpha(text, overlap="keep"), un.unitizing_alpha(text)
    assert [each.value for each in kept.values()] == [each.value for each in plain.values()]


def test_2013_has_a_note_that_three_annotators_are_undetermined():
    units = [("a", 0, 5, "x"), ("b", 0, 5, "x"), ("c", 1, 6, "y")]
    said = un.unitizing_alpha(un.Continuum.from_units(units), generation="2013").notes
    assert any("its divisor is not published" in note for note in said)
    two = un.Continuum.from_units(units[:2], extent=(0, 9))
    assert not un.unitizing_alpha(two, generation="2013").notes
