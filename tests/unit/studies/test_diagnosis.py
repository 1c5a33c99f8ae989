"""Diagnosis: parts of the disorder, their sums, and their division by label and annotator."""

import json
import math
import pickle
from itertools import combinations

import numpy as np
import pytest

import unisono as un
from sample_texts import CORPUS, TEXT, made, text
from unisono.errors import DataError, SettingError
from unisono.measures.products import parts_of_sum

SIMPLE = text(
    *[("ann", 0, 10, "A"), ("ann", 20, 30, "B"), ("ann", 40, 50, "A")],
    *[("bob", 0, 8, "A"), ("bob", 20, 30, "A")],
    *[("cy", 0, 10, "A"), ("cy", 80, 90, "B")],
)


def diagnose(data, **settings):
    return un.diagnose(data, **{"draws": 5, "rng": 1} | settings)


def by_hand(alignment, *, position=1.0, label=1.0, empty=1.0):
    """Return the parts by annotator and label, computed pair by pair."""
    people = alignment.continuum.annotators
    n = len(people)
    unit_cost = empty / math.comb(n, 2) / (len(alignment.continuum) / n)
    total = [0.0, 0.0, 0.0]
    of_person = {name: [0.0, 0.0, 0.0] for name in people}
    of_label = {name: [0.0, 0.0, 0.0] for name in alignment.continuum.labels}

    def give(part, cost, persons, labels):
        total[part] += cost
        for name in persons:
            of_person[name][part] += cost / len(persons)
        for name in labels:
            of_label[name][part] += cost / len(labels)

    for group in alignment.groups:
        there = [unit for unit in group if unit is not None]
        for a, b in combinations(range(n), 2):
            u, v = group[a], group[b]
            pair = [people[a], people[b]]
            if u and v:
                apart = abs(u.start - v.start) + abs(u.end - v.end)
                both = u.end - u.start + v.end - v.start
                d_pos = (apart / both) ** 2 if apart else 0.0
                labels = [u.label, v.label]
                give(0, position * d_pos * unit_cost, pair, labels)
                give(1, label * (u.label != v.label) * unit_cost, pair, labels)
            elif u or v:
                give(2, unit_cost, pair, [(u or v).label])
            else:
                give(2, unit_cost, [w.annotator for w in there], [w.label for w in there])
    return total, of_person, of_label


@pytest.mark.parametrize("family", ["jittered", "spread", "overlapping", "nested"])
@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("weights", [{}, {"position": 3.0, "label": 0.5, "empty": 2.0}])
def test_every_part_is_what_pairs_cost_by_hand(family, n, weights):
    data = made(family, n, 5, 2)
    found = diagnose(data, dissimilarity=un.CombinedDissimilarity(**weights))
    total, of_person, of_label = by_hand(found.gamma.alignment, **weights)

    assert found.parts == pytest.approx(total, abs=1e-12)
    for name, each in found.by_annotator.items():
        assert each.parts == pytest.approx(of_person[name], abs=1e-12)
    for label, of in found.by_label.items():
        assert of.parts == pytest.approx(of_label[label], abs=1e-12)


def test_the_parts_of_a_small_text_are_known():
    found = diagnose(SIMPLE)
    mean_units = 7 / 3

    # 0–10 against 0–8, twice: (2/18)²; an A for a B; then the empty places of four groups.
    assert found.parts.position == pytest.approx(2 * (2 / 18) ** 2 / 3 / mean_units)
    assert found.parts.label == pytest.approx(1 / 3 / mean_units)
    assert found.parts.missing == pytest.approx((2 + 3 + 3) / 3 / mean_units)
    assert [found.by_annotator[name].missed for name in ("ann", "bob", "cy")] == [0, 0, 1]
    assert [found.by_annotator[name].alone for name in ("ann", "bob", "cy")] == [1, 0, 1]
    assert found.confusions == (
        un.results.Confusion(("A", "B"), 1, pytest.approx(1 / 3 / mean_units)),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("data", [TEXT, CORPUS, SIMPLE])
def test_parts_add_up_to_the_observed_disorder_to_the_last_bit(data):
    found = diagnose(data)

    assert found.parts.total == found.gamma.observed
    assert found.losses.total == pytest.approx(1 - found.gamma.value, abs=1e-12)


@pytest.mark.parametrize("chance", ["shift", "gamma-software"])
def test_every_view_adds_up_to_the_whole(chance):
    found = diagnose(CORPUS, chance=chance)
    views = (
        [each.parts for each in found.by_label.values()],
        [each.parts for each in found.by_annotator.values()],
        [
            un.results.DisorderParts(*(each.weight * part for part in each.parts))
            for each in found.documents.values()
        ],
    )

    for view in views:
        for part in range(3):
            assert math.fsum(each[part] for each in view) == pytest.approx(
                found.parts[part], abs=1e-12
            )
    labels = math.fsum(each.disorder for each in found.confusions)
    assert labels == pytest.approx(found.parts.label, abs=1e-12)
    assert math.fsum(each.weight for each in found.documents.values()) == pytest.approx(1)


def test_groups_have_their_parts_too():
    found = diagnose(TEXT)
    alignment = found.gamma.alignment

    assert alignment is not None
    assert found.group_parts.sum(axis=1) == pytest.approx(alignment.group_disorders, abs=1e-12)
    assert found.group_parts.flags.writeable is False


def test_documents_with_one_annotator_have_no_diagnosis():
    assert set(diagnose(CORPUS).documents) == {"many", "one", "two"}


def test_a_weight_of_zero_leaves_a_part_out():
    assert diagnose(TEXT, dissimilarity=un.PositionalDissimilarity()).parts.label == 0.0
    by_label = un.CategoricalDissimilarity(distance="nominal")
    assert diagnose(made("jittered", 2, 3, 1), dissimilarity=by_label).parts.position == 0.0


def test_label_distances_of_the_corpus_are_used():
    numbers = text(("a", 0, 5, 1), ("b", 0, 5, 2), ("a", 9, 12, 4), ("b", 9, 12, 4))
    far = text(("a", 0, 5, 1), ("b", 0, 5, 9))
    corpus = un.Corpus.from_continua({"numbers": numbers, "far": far})
    found = diagnose(corpus, dissimilarity=un.CombinedDissimilarity(distance="interval"))

    assert found.parts.total == found.gamma.observed
    assert found.documents["numbers"].parts.label == pytest.approx((1 / 64) / 2)


def test_a_result_that_is_there_is_used():
    result = un.gamma(CORPUS, draws=5, rng=1)

    assert un.diagnose(CORPUS, result=result) == diagnose(CORPUS)
    with pytest.raises(DataError, match="result= belongs to data"):
        un.diagnose(TEXT, result=result)
    with pytest.raises(SettingError, match="pass the same dissimilarity="):
        un.diagnose(CORPUS, result=result, dissimilarity=un.CombinedDissimilarity(position=3))
    with pytest.raises(SettingError, match="draws cannot be combined with result="):
        un.diagnose(CORPUS, result=result, draws=9)


def test_soft_alignments_add_up_too():
    found = diagnose(TEXT, soft=True)

    assert found.parts.total == found.gamma.observed


def test_a_function_has_no_parts():
    own = un.CustomDissimilarity(cost=lambda u, v: abs(u.starts - v.starts), name="own")

    with pytest.raises(SettingError, match="label part, not a function; use Combined"):
        diagnose(TEXT, dissimilarity=own)


def test_data_that_cannot_be_diagnosed_are_refused():
    with pytest.raises(DataError, match="no disorder to diagnose: there are no units"):
        diagnose(text(annotators=["a", "b"], extent=(0.0, 9.0)))
    with pytest.raises(TypeError, match="a Continuum or a Corpus, got str"):
        diagnose("talk.csv")


def test_parts_are_there_where_gamma_is_undefined():
    same = text(("a", 0, 5, "A"), ("b", 0, 5, "A"), extent=(0, 5))
    found = diagnose(same, dissimilarity=un.CategoricalDissimilarity())

    assert found.gamma.undefined
    assert found.parts == (0.0, 0.0, 0.0)
    assert all(math.isnan(each) for each in found.losses)
    assert "–" in str(found)


def test_a_diagnosis_can_be_stored_and_sent():
    found = diagnose(CORPUS)
    record = json.loads(found.to_json())

    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own
    assert record["parts"]["total"] == found.gamma.observed
    assert set(record["documents"]) == {"many", "one", "two"}
    assert record["signature"].startswith("diagnosis|dissim:")
    assert found != diagnose(TEXT)
    assert (found == 1) is False
    assert hash(found) == hash(diagnose(CORPUS))
    assert record["by_label"]["A"]["parts"]["position"] == found.by_label["A"].parts.position
    assert record["gamma"]["observed"] == found.gamma.observed
    assert not {"documents", "draw_disorders"} & set(record["gamma"])
    assert repr(found).startswith("Diagnosis(position 0.")


def rows_of(found, name):
    (table,) = (one for one in found.sheet().tables if one.name == name)
    return [
        dict(zip((column.name for column in table.columns), row, strict=True))
        for row in table.view(100).rows
    ]


def test_the_sheet_has_all_views_the_most_disorder_first():
    found = diagnose(CORPUS)
    names = {"label": "label", "annotator": "annotator", "document": "document"}

    for name, key in names.items():
        rows = rows_of(found, name)
        totals = [row["parts_total"] for row in rows]
        assert totals == sorted(totals, reverse=True)
        assert math.fsum(totals) == pytest.approx(found.parts.total)
        assert math.fsum(row["share"] for row in rows) == pytest.approx(1)
        assert len({row[key] for row in rows}) == len(rows)
    whole, *_ = rows_of(found, "all")
    assert whole["loss"] == pytest.approx(1 - found.gamma.value)
    assert (whole["gamma"], whole["n_units"]) == (found.gamma.value, found.gamma.n_units)
    assert [row["n_pairs"] for row in rows_of(found, "confusion")] == [
        each.n_pairs for each in found.confusions
    ]


def test_facts_and_findings_are_those_of_gamma():
    found = diagnose(TEXT)
    facts = found.sheet().facts

    assert (facts[1].column.heading, facts[1].value.value) == ("γ", found.gamma.value)
    assert (facts[0], *facts[2:]) == found.gamma.sheet().facts
    assert "document" not in [table.name for table in found.sheet().tables if table.people]


@pytest.mark.parametrize(
    ("parts", "observed"),
    [
        # Sums halfway between two floats, and parts with too little precision.
        ((1.0, 0.5, 2.0**-53), 1.5 + 2.0**-52),
        ((1.25, 1e-3, 0.3), math.nextafter(1.25 + 1e-3 + 0.3, 2.0)),
        ((0.5253, 0.0, 0.5252374426291891), math.nextafter(1.0505374426291891, 2.0)),
        ((0.7, 0.0, 0.0), math.nextafter(0.7, 1.0)),
    ],
)
def test_parts_add_up_to_the_last_bit(parts, observed):
    found = un.results.DisorderParts(*parts_of_sum(np.array(parts), observed))
    assert found.total == observed
    assert found == pytest.approx(parts, rel=1e-12, abs=1e-15)
    assert [part == 0.0 for part in found] == [part == 0.0 for part in parts]
