"""What to do first: shares that add up, gains that are what gamma gives, errors that are honest."""

import json
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest

import unisono as un
from sample_texts import CORPUS, TEXT, text
from unisono.errors import DataError, SettingError
from unisono.measures.gamma.gamma import gamma_with_draws_of
from unisono.studies.advice import LeaveOneOut

CONFUSED = text(
    *[("ann", 0, 9, "A"), ("ann", 20, 29, "B"), ("ann", 40, 49, "C"), ("ann", 60, 69, "C")],
    *[("bob", 0, 9, "A"), ("bob", 20, 29, "A"), ("bob", 40, 49, "C"), ("bob", 60, 69, "B")],
    *[("cy", 0, 9, "B"), ("cy", 20, 29, "A"), ("cy", 41, 50, "C")],
)


def advise(data, **settings):
    return un.advise(data, **{"draws": 12, "rng": 1} | settings)


def test_a_merge_is_gamma_of_the_renamed_data_with_the_draws_of_the_original():
    found = advise(CONFUSED)
    now = un.gamma(CONFUSED, draws=12, rng=1).value
    for merge in found.merges:
        keep, lose = sorted(merge.labels, key=lambda each: (-("AACAACABBCB".count(each)), each))
        merged = CONFUSED.rename(labels={lose: keep})
        then = gamma_with_draws_of(CONFUSED, merged, draws=12, rng=1).value
        assert merge.gain.value == pytest.approx(then, abs=1e-12)
        assert merge.gain.change == pytest.approx(then - now, abs=1e-12)


def test_the_draws_of_a_merge_are_those_of_the_original_with_other_labels():
    merged = CORPUS.rename(labels={"B": "A"})
    now = un.gamma(CORPUS, draws=200, rng=1).draw_disorders
    with_them = gamma_with_draws_of(CORPUS, merged, draws=200, rng=1).draw_disorders
    with_others = un.gamma(merged, draws=200, rng=1).draw_disorders

    assert np.corrcoef(now, with_them)[0, 1] > 0.7 > np.corrcoef(now, with_others)[0, 1]
    same = gamma_with_draws_of(CORPUS, CORPUS, draws=20, rng=1)
    assert same.draw_disorders.tolist() == now[:20].tolist()


def test_leaving_out_is_gamma_of_the_others_with_draws_of_its_own():
    found = advise(CORPUS)
    now = un.gamma(CORPUS, draws=12, rng=1).value
    assert {each.annotator for each in found.annotator_gains} == set(CORPUS.annotators)
    for each in found.annotator_gains:
        others = CORPUS.only(annotators=set(CORPUS.annotators) - {each.annotator})
        then = un.gamma(others, draws=12, rng=1)
        if then.undefined:
            assert (math.isnan(each.gain.change), each.gain.undefined) == (True, then.undefined)
        else:
            assert (each.gain.value, each.gain.change) == (then.value, then.value - now)
            assert each.n_documents == len(then.documents) - len(then.left_out_documents)


def test_gains_come_largest_first_and_what_is_undefined_last():
    for found in (advise(CONFUSED), advise(CORPUS)):
        for changes in (found.merges, found.annotator_gains):
            gains = [each.gain.change for each in changes]
            known = [gain for gain in gains if not math.isnan(gain)]
            assert gains[: len(known)] == sorted(known, reverse=True)


def test_the_interval_of_a_gain_is_what_other_seeds_give():
    # Fixed seeds: the spread of 40 gains is near the error that each of them claims.
    found = [advise(CONFUSED, draws=30, rng=seed) for seed in range(40)]

    def checked(gains):
        spread = np.std([gain.change for gain in gains], ddof=1)
        claimed = np.mean([(gain.interval.high - gain.interval.low) / 2 / 1.96 for gain in gains])
        assert 0.7 * claimed < spread < 1.4 * claimed

    checked([next(e.gain for e in each.merges if e.labels == ("A", "B")) for each in found])
    checked([next(e.gain for e in each.annotator_gains if e.annotator == "ann") for each in found])


@pytest.mark.parametrize("data", [CONFUSED, TEXT, CORPUS])
@pytest.mark.parametrize("chance", ["shift", "statistical", "gamma-software"])
def test_shares_of_groups_and_documents_add_up(data, chance):
    found = advise(data, chance=chance, most_groups=1000, most_merges=0, most_annotators=0)
    diagnosis = un.diagnose(data, chance=chance, draws=12, rng=1)

    assert math.fsum(each.share for each in found.adjudicate) == pytest.approx(1.0)
    assert math.fsum(each.loss for each in found.adjudicate) == pytest.approx(
        diagnosis.losses.total
    )
    for part in range(3):
        parts = math.fsum(each.parts[part] for each in found.adjudicate)
        assert parts == pytest.approx(diagnosis.parts[part], abs=1e-12)
    if diagnosis.documents:
        assert math.fsum(each.share for each in found.document_shares) == pytest.approx(1.0)
        for each in found.document_shares:
            own = [g.share for g in found.adjudicate if g.document == each.document]
            assert math.fsum(own) == pytest.approx(each.share, abs=1e-12)


def test_the_costliest_groups_come_first_with_everyone_who_saw_them():
    found = advise(CORPUS, most_merges=0, most_annotators=0)
    shares = [each.share for each in found.adjudicate]

    assert shares == sorted(shares, reverse=True)
    assert len(found.adjudicate) == found.n_disagreeing <= found.n_groups
    for group in found.adjudicate:
        assert group.annotators == CORPUS[group.document].annotators
        there = [unit for unit in group.units if unit is not None]
        assert (group.start, group.end) == (
            min(unit.start for unit in there),
            max(unit.end for unit in there),
        )


def test_a_group_is_found_again_in_the_alignment():
    alignment = un.gamma(CONFUSED, draws=12, rng=1).alignment
    group = advise(CONFUSED, most_groups=1).adjudicate[0]

    assert alignment is not None
    assert alignment.groups[group.group - 1] == group.units
    disorders = alignment.group_disorders
    assert disorders.max() == pytest.approx(disorders[group.group - 1])


def test_two_annotators_give_no_gains_of_annotators_and_no_labels_give_no_merges():
    two = text(("ann", 0, 5), ("bob", 1, 5), ("bob", 8, 9))
    found = advise(two)

    assert (found.merges, found.annotator_gains) == ((), ())
    assert [group.units.count(None) for group in found.adjudicate] == [1, 0]


def test_perfect_agreement_asks_for_nothing():
    found = advise(text(("ann", 0, 5, "A"), ("bob", 0, 5, "A"), ("cy", 0, 5, "A")))

    assert (found.adjudicate, found.n_disagreeing, found.n_groups) == ((), 0, 1)
    assert all(each.gain.change == 0.0 and not each.gain.certain for each in found.annotator_gains)


def test_a_diagnosis_that_is_there_is_used_and_its_settings_with_it():
    diagnosis = un.diagnose(CONFUSED, chance="statistical", draws=12, rng=5, soft=True)
    found = un.advise(CONFUSED, diagnosis=diagnosis)

    assert found == un.advise(CONFUSED, chance="statistical", draws=12, rng=5, soft=True)
    assert found.signature["soft"] == "yes"
    with pytest.raises(SettingError, match="draws cannot be combined with diagnosis="):
        un.advise(CONFUSED, diagnosis=diagnosis, draws=3)
    with pytest.raises(DataError, match="diagnosis= belongs to data"):
        un.advise(TEXT, diagnosis=diagnosis)
    with pytest.raises(SettingError, match="most_groups"):
        advise(TEXT, most_groups=-1)
    with pytest.raises(TypeError, match="takes a Continuum or a Corpus"):
        advise([1, 2])
    with pytest.raises(SettingError, match="from some annotators only"):
        advise(TEXT, chance_from=[TEXT.annotators[0]])


def test_limits_and_workers_and_progress():
    told = []
    found = advise(CONFUSED, most_merges=1, most_annotators=2, most_groups=2, workers=1)

    assert (len(found.merges), len(found.annotator_gains), len(found.adjudicate)) == (1, 2, 2)
    again = advise(CONFUSED, most_merges=1, most_annotators=2, most_groups=2, workers=3)
    assert again == found
    advise(CONFUSED, most_merges=1, most_annotators=2, progress=lambda *x: told.append(x))
    assert told[-1] == (3, 3)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_advice_can_be_kept_and_read():
    found = advise(CORPUS)
    record = json.loads(found.to_json())

    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 - our own bytes
    assert record["annotator_gains"][0]["gain"] == found.annotator_gains[0].gain.to_dict()
    assert record["adjudicate"][0]["share"] == found.adjudicate[0].share
    assert (
        record["adjudicate"][0]["units"][0] is None
        or "label" in (record["adjudicate"][0]["units"][0])
    )
    assert [each["document"] for each in record["document_shares"]] == [
        each.document for each in found.document_shares
    ]
    assert str(found.signature) in found.to_markdown()
    assert found.signature.measure == "advice"


def test_signs_are_shown_and_0_is_not_a_loss():
    assert un.results.GammaGain(0.5, -0.00001, None, None).text == "+0.0000"
    assert un.results.GammaGain(0.5, -0.25, None, None).text == "−0.2500"
    assert un.results.GammaGain(math.nan, math.nan, None, "no units").text == "undefined"


def view(found, name):
    """What people see of a table, by heading."""
    (table,) = (one for one in found.sheet().tables if one.name == name)
    seen = table.view(5)
    return [dict(zip(seen.headings, cells, strict=True)) for cells in seen.cells], seen


def test_a_sheet_states_what_each_change_would_gain_and_which_gains_are_not_certain():
    found = advise(CONFUSED)
    merges, _ = view(found, "merge")
    annotators, _ = view(found, "annotator")

    for shown, each in zip(merges, found.merges, strict=True):
        assert (shown["label"], shown["and label"]) == each.labels
        assert (shown["pairs"], shown["gain"]) == (str(each.n_pairs), each.gain.text)
    assert [shown["without"] for shown in annotators] == [
        e.annotator for e in found.annotator_gains
    ]
    sure = [each.gain.certain for each in found.annotator_gains]
    assert [shown.get("certain", "yes") == "yes" for shown in annotators] == sure
    unsure = not all(each.gain.certain for each in (*found.merges, *found.annotator_gains))
    assert any("does not contain 0" in note for note in found.sheet().notes) == unsure


def test_groups_that_are_not_listed_are_counted():
    found = advise(CORPUS, most_groups=2)
    groups, seen = view(found, "group")

    assert len(groups) == 2
    assert seen.n_more == found.n_disagreeing - 2
    assert groups[0]["document"] == found.adjudicate[0].document
    assert groups[0]["mostly"] in {"position", "labels", "missing"}


def test_what_is_undefined_states_why():
    gain = un.results.GammaGain(math.nan, math.nan, None, "no units")
    found = replace(advise(CONFUSED), annotator_gains=(LeaveOneOut("ann", 0, gain),))
    shown, seen = view(found, "annotator")

    assert shown[0]["gain"] == "undefined"
    assert seen.sentences == ["ann is undefined: no units"]


def test_without_disorder_there_is_one_sentence():
    found = advise(text(("ann", 0, 5, "A"), ("bob", 0, 5, "A")))

    assert str(found) == "the annotators agree everywhere: there is no disorder to adjudicate"
    assert not [table for table in found.sheet().tables if table.people]
    assert found.to_csv().startswith("scope,document,")
