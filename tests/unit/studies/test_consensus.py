"""Consensus: medians, majorities, support and undecided groups."""

import json
import math
import pickle
import statistics
from collections import Counter

import numpy as np
import pytest

import unisono as un
from sample_texts import CORPUS, TEXT, made, text
from unisono.errors import DataError, SettingError

THREE = text(
    *[("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"), ("ann", 60, 70, "A")],
    *[("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"), ("bob", 60, 70, "B")],
    *[("cy", 1, 12, "A"), ("cy", 31, 44, "A"), ("cy", 61, 70, "C"), ("cy", 90, 99, "C")],
)


def by_hand(alignment, support):
    """Return the consensus computed group by group, without arrays."""
    n = len(alignment.continuum.annotators)
    units, undecided = [], []
    for number, group in enumerate(alignment.groups, start=1):
        real = [unit for unit in group if unit is not None]
        votes = Counter(unit.label for unit in real).most_common()
        enough = len(real) >= 2 and len(real) >= support * n - 1e-9
        tied = len(votes) > 1 and votes[0][1] == votes[1][1]
        if enough and not tied:
            start = statistics.median(unit.start for unit in real)
            end = statistics.median(unit.end for unit in real)
            units.append((number, start, end, votes[0][0], len(real)))
        else:
            undecided.append((number, "labels" if enough else "support"))
    return units, undecided


@pytest.mark.parametrize("support", [0, 0.34, 0.5, 0.75, 1])
@pytest.mark.parametrize("family", ["jittered", "spread", "overlapping"])
@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_every_rule_holds_group_by_group(family, n, support):
    alignment = un.best_alignment(made(family, n, 6, 3))
    found = un.consensus(alignment, support=support)
    units, undecided = by_hand(alignment, support)

    mine = [
        (unit.group, unit.start, unit.end, unit.label, unit.n_annotators) for unit in found.units
    ]
    assert [unit[:1] + unit[3:] for unit in mine] == [unit[:1] + unit[3:] for unit in units]
    assert [unit[1:3] for unit in mine] == [pytest.approx(unit[1:3], abs=1e-12) for unit in units]
    assert [(group.group, group.why) for group in found.undecided] == undecided
    assert found.n_groups == len(alignment) == len(units) + len(undecided)


def test_a_unit_has_the_median_bounds_and_the_majority_label_of_its_group():
    found = un.consensus(THREE)

    assert [(u.start, u.end, u.label) for u in found.units] == [
        (0, 11, "A"),
        (15, 20, "B"),
        (31, 45, "A"),
    ]
    assert [u.n_annotators for u in found.units] == [3, 2, 3]
    assert [u.support for u in found.units] == pytest.approx([1, 2 / 3, 1])
    assert [u.label_support for u in found.units] == pytest.approx([1, 1, 2 / 3])
    assert [(u.start_spread, u.end_spread) for u in found.units] == [(1, 2), (0, 0), (2, 1)]


def test_ties_of_labels_and_lone_units_are_left_to_decide():
    tie, alone = un.consensus(THREE).undecided

    assert (tie.why, tie.reason) == ("labels", "the labels A, B, C have 1 vote each")
    assert [unit.label for unit in tie.units] == ["A", "B", "C"]
    assert (tie.start, tie.end) == (60, 70)
    assert (alone.why, alone.reason) == ("support", "1 of 3 annotators")
    assert alone.units == (un.Unit("cy", 90, 99, "C"),)


def test_half_of_four_annotators_are_enough_and_one_of_two_is_not():
    rows = [("ann", 0, 5, "A"), ("bob", 0, 5, "A")]

    assert len(un.consensus(text(*rows, annotators=["ann", "bob", "cy", "dan"]))) == 1
    assert len(un.consensus(text(rows[0], annotators=["ann", "bob"]))) == 0
    assert len(un.consensus(text(rows[0], annotators=["ann", "bob"]), support=0)) == 0


def test_a_share_of_the_annotators_is_not_spoilt_by_floats():
    rows = [(name, 0, 5, "A") for name in "abc"]

    assert len(un.consensus(text(*rows, annotators=list("abcde")), support=0.6)) == 1


def test_the_continuum_is_that_of_one_annotator_on_the_same_extent():
    found = un.consensus(un.Continuum.from_units(THREE, extent=(0, 120)))

    assert found.continuum is not None
    assert found.continuum.annotators == ("consensus",)
    assert found.continuum.extent == (0, 120)
    assert len(found.continuum) == 3


@pytest.mark.parametrize(
    ("bounds", "rounded"),
    [
        (((3, 8), (4, 9)), (3, 9)),  # ties are rounded outwards
        (((3, 8), (3, 8)), (3, 8)),
        (((-4, -1), (-3, 0)), (-4, 0)),
        (((3.2, 7.9), (3.2, 7.9)), (3, 8)),
    ],
)
def test_medians_are_rounded_to_whole_atoms(bounds, rounded):
    rows = [(name, *span, "A") for name, span in zip("ab", bounds, strict=True)]
    (unit,) = un.consensus(text(*rows), atom=1).units

    assert (unit.start, unit.end) == rounded


def test_rounding_may_lead_out_of_the_extent_which_then_grows():
    rows = [("a", 0.6, 3.2), ("b", 0.6, 3.2)]
    found = un.consensus(text(*rows), atom=2)

    assert found.continuum is not None
    assert found.continuum.extent == (0.0, 4.0)


def test_units_without_labels_have_a_consensus_without_labels():
    found = un.consensus(text(("a", 0, 5), ("b", 1, 5)))

    assert found.units[0].label is None
    assert found.continuum is not None
    assert found.continuum.labels == (None,)


def test_an_alignment_a_result_and_the_data_give_the_same():
    of_data = un.consensus(TEXT)

    assert un.consensus(un.best_alignment(TEXT)) == of_data
    assert un.consensus(un.gamma(TEXT, draws=5, rng=1)).units == of_data.units
    pooled = un.consensus(un.gamma(CORPUS, draws=5, rng=1))
    assert pooled.units == un.consensus(CORPUS).units
    assert pooled.signature == un.consensus(CORPUS).signature


def test_a_corpus_has_a_consensus_for_each_document_that_two_saw():
    found = un.consensus(CORPUS)

    assert set(found.documents) == {"many", "none", "one", "two"}
    assert found.left_out_documents == ("alone",)
    assert found.continuum is None
    assert found.units == tuple(u for each in found.documents.values() for u in each.units)
    assert found.n_groups == sum(each.n_groups for each in found.documents.values())
    assert set(found.corpus) == set(found.documents)
    assert found.corpus.n_units == len(found)
    assert found.documents["many"].continuum == un.consensus(CORPUS["many"]).continuum


def test_distances_that_depend_on_the_data_are_those_of_the_whole_corpus():
    near = text(("a", 0, 10, 1), ("b", 0, 10, 2))
    far = text(("a", 0, 10, 1), ("b", 0, 10, 100))
    corpus = un.Corpus.from_continua({"near": near, "far": far})
    interval = un.CombinedDissimilarity(distance="interval", label=4)

    # In a single document 1 and 2 have the maximum distance; in the corpus they are close.
    assert un.consensus(near, dissimilarity=interval).n_groups == 2
    assert un.consensus(corpus, dissimilarity=interval).documents["near"].n_groups == 1


def test_soft_alignments_have_a_consensus_too():
    split = text(("a", 0, 20, "A"), ("b", 0, 9, "A"), ("b", 11, 20, "A"))

    assert len(un.consensus(split)) == 1
    assert len(un.consensus(split, soft=True)) == 2
    assert "soft:yes" in str(un.consensus(split, soft=True).signature)


def test_a_result_can_be_stored_and_sent():
    found = un.consensus(CORPUS, atom=1)
    record = json.loads(found.to_json())

    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own
    assert record["units"][0]["label"] == found.units[0].label
    assert record["undecided"][0]["units"][0]["annotator"]
    assert record["signature"].startswith("consensus|support:0.5|atom:1|dissim:")
    assert hash(found) == hash(un.consensus(CORPUS, atom=1))
    assert found != un.consensus(CORPUS)
    assert (found == 1) is False


def test_a_sheet_has_units_for_programs_and_what_is_left_for_people():
    found = un.consensus(THREE)
    units, undecided, flat = found.sheet().tables

    assert [table.people for table in (units, undecided, flat)] == [True, True, False]
    assert [cells[4:] for cells in units.view().cells[1:2]] == [["2 of 2", "0 / 0"]]
    assert undecided.view().cells[0] == [
        *("60", "70", "the labels A, B, C have 1 vote each"),
        "ann: 60–70 A; bob: 60–70 B; cy: 61–70 C",
    ]
    assert list(map(tuple, flat.rows)) == list(found.rows())
    assert un.consensus(CORPUS).sheet().tables[0].view().headings[0] == "document"
    assert [row[:5] for row in found.undecided_rows()][-1] == ("", "cy", 90.0, 99.0, "C")


def test_a_consensus_of_nothing_has_an_empty_table():
    empty = un.consensus(text(annotators=["a", "b"], extent=(0.0, 9.0)))

    assert [table.name for table in empty.sheet().tables] == ["unit", "unit"]
    assert empty.problems() == ["no consensus: there are no units"]
    assert un.consensus(THREE).problems() == []


def test_documents_have_counts_but_not_their_units_again():
    record = un.consensus(CORPUS).to_dict()

    assert set(record["documents"]) == {"many", "none", "one", "two"}
    assert "units" not in record["documents"]["many"]
    assert sum(each["n_groups"] for each in record["documents"].values()) == record["n_groups"]


def test_a_result_reads_well():
    found = un.consensus(THREE)

    assert " ".join(str(found).splitlines()[2].split()) == "B 15 20 2 of 3 2 of 2 0 / 0"
    assert repr(found) == "Consensus(3 units, 2 groups undecided)"
    assert "| B     |    15 |  20 |" in found.to_markdown()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"support": 1.5},
            "support must be from 0 to 1, such as 0.5 for half of them",
        ),
        ({"support": math.nan}, "be from 0 to 1"),
        ({"atom": 0}, "atom must be a finite number above 0, got 0"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        un.consensus(TEXT, **settings)


def test_wrong_types_are_refused():
    with pytest.raises(TypeError, match="support must be a number, got 'half'"):
        un.consensus(TEXT, support="half")  # type: ignore[call-overload]
    with pytest.raises(
        TypeError, match="a Continuum, a Corpus, Ratings, an Alignment or a GammaAgreement"
    ):
        un.consensus([TEXT])  # type: ignore[call-overload]


def test_what_is_aligned_is_not_aligned_again():
    with pytest.raises(
        SettingError, match="soft, dissimilarity cannot be combined with data that are aligned"
    ):
        un.consensus(un.best_alignment(TEXT), soft=True, dissimilarity=un.PositionalDissimilarity())


def test_a_single_annotator_is_refused():
    with pytest.raises(DataError, match="at least two annotators; there is only 'a'"):
        un.consensus(text(("a", 0, 1)))
    with pytest.raises(DataError, match="at least one document with units"):
        un.consensus(CORPUS.only(documents=["alone"]))


def test_a_document_without_units_has_an_empty_consensus():
    found = un.consensus(text(annotators=["a", "b"], extent=(0.0, 9.0)))

    assert (len(found), found.n_groups, found.undecided) == (0, 0, ())
    assert found.continuum is not None
    assert found.continuum.extent == (0.0, 9.0)


def test_many_units_take_little_time():
    at = np.arange(40_000.0)
    names = np.repeat(["a", "b"], 40_000)
    many = un.Continuum.from_columns(names, np.tile(at, 2), np.tile(at + 1, 2), ["A"] * 80_000)

    assert len(un.consensus(many)) == 40_000
