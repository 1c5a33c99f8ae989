"""γ, γcat and γk from end to end: of a continuum, and where there are none."""

from __future__ import annotations

import math

import numpy as np
import pytest

import oracle
import unisono as un
from sample_texts import CORPUS, DRAWS, TEXT, made, reason_of, scores_of, text
from unisono.measures.gamma import documents
from unisono.measures.gamma import gamma as measuring
from unisono.measures.gamma.evidence import CorpusEvidence

# One continuum


def test_gamma_follows_from_the_alignment_and_the_draws():
    result = un.gamma(TEXT, draws=DRAWS, rng=7)
    assert result.alignment == un.best_alignment(TEXT)
    assert result.observed == un.best_alignment(TEXT).disorder
    assert result.draw_disorders.tolist() == scores_of(TEXT, 7).disorders.tolist()
    assert result.value == 1 - result.observed / result.draw_disorders.mean()


def test_good_agreement_is_unlikely_by_chance():
    one = made("spread", 1, 12, 5)
    nearly = [
        (name, u.start, u.end + late, u.label) for name, late in (("a", 0), ("b", 0.1)) for u in one
    ]
    result = un.gamma(text(*nearly), draws=99, rng=7)
    assert result.observed < result.draw_disorders.min()
    assert result.n_as_orderly == 0
    assert result.chance_bounds is not None
    assert result.chance_bounds.high < result.value


def test_agreement_by_chance_is_likely_by_chance():
    strangers = made("spread", 2, 20, 9, labels=1)
    result = un.gamma(strangers, draws=50, rng=1)
    below = int((result.draw_disorders <= result.observed).sum())
    assert result.n_as_orderly == below > 0
    assert result.chance_bounds is not None
    assert result.chance_bounds.low < result.value < result.chance_bounds.high


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_monte_carlo_interval_holds_the_value(confidence):
    result = un.gamma(TEXT, draws=DRAWS, rng=7, confidence=confidence)
    for each in (result, result.gamma_cat, *result.gamma_k.values()):
        assert each.monte_carlo is not None
        assert each.monte_carlo.low <= each.value <= each.monte_carlo.high
        assert each.monte_carlo.confidence == confidence
        assert each.monte_carlo.method == "monte carlo"


def test_more_confidence_widens_the_interval_and_moves_no_value():
    some, sure = (un.gamma(TEXT, draws=DRAWS, rng=7, confidence=c) for c in (0.8, 0.99))
    assert some.value == sure.value
    assert some.monte_carlo is not None
    assert sure.monte_carlo is not None
    assert sure.monte_carlo.low < some.monte_carlo.low < some.monte_carlo.high
    assert some.monte_carlo.high < sure.monte_carlo.high


def test_what_counts_is_reported():
    declared = text(("ann", 0, 5, "A"), ("bob", 0, 5, "A"), annotators=["ann", "bob", "eve"])
    result = un.gamma(declared, draws=40, rng=1)
    assert (result.n_annotators, result.n_units) == (3, 2)
    assert result.annotators_from == result.signature["annotators"] == "declared"
    assert result.redrawn > 0
    assert result.skipped == 0
    assert result.signature["data"] == declared.digest[:8]


def test_a_lowered_spacing_is_reported():
    tight = text(("ann", 0, 10, "A"), ("bob", 2, 9, "A"))
    result = un.gamma(tight, draws=5, rng=1)
    assert result.spacing == 2.5
    assert any("2.5 apart" in note for note in result.notes)
    wide = un.gamma(text(("ann", 0, 1), ("bob", 9, 10)), draws=5, rng=1)
    assert wide.spacing == 1.0
    assert not any("apart" in note for note in wide.notes)


def test_the_empty_cost_scales_disorders_and_moves_no_value():
    one, twice = (
        un.gamma(TEXT, dissimilarity=un.CombinedDissimilarity(empty=empty), draws=DRAWS, rng=7)
        for empty in (1, 2)
    )
    for here, there in (
        (one, twice),
        (one.gamma_cat, twice.gamma_cat),
        (one.gamma_k["A"], twice.gamma_k["A"]),
    ):
        assert there.observed == pytest.approx(2 * here.observed, rel=1e-14)
        assert there.expected == pytest.approx(2 * here.expected, rel=1e-14)
        assert there.value == pytest.approx(here.value, rel=1e-12)


def test_labels_of_any_kind_are_keys():
    mixed = text(
        ("ann", 0, 5, 1), ("ann", 6, 9, "A"), ("bob", 0, 5, {"A", "B"}), ("bob", 6, 9, None)
    )
    result = un.gamma(mixed, draws=5, rng=1)
    assert list(result.gamma_k) == [None, 1, "A", frozenset({"A", "B"})]


# How many draws


def test_a_fixed_number_of_draws_is_kept():
    result = un.gamma(TEXT, draws=7, rng=7)
    assert (result.draws, len(result.draw_disorders), result.gamma_cat.draws) == (7, 7, 7)
    assert result.signature["draws"] == "7"


def test_one_draw_gives_a_value_without_uncertainty():
    result = un.gamma(TEXT, draws=1, rng=7)
    assert result.undefined is None
    assert result.monte_carlo is None


@pytest.mark.parametrize(
    ("precision", "confidence", "z"), [(0.03, 0.95, 1.959964), (0.05, 0.99, 2.575829)]
)
def test_a_precision_is_the_rule_of_the_paper_for_gamma(precision, confidence, z):
    first = scores_of(TEXT, 7, 30)
    needed = oracle.sample_size(first.disorders.tolist(), precision, z)
    result = un.gamma(TEXT, precision=precision, confidence=confidence, rng=7)
    assert result.draws == math.ceil(needed) > 30


def test_thirty_draws_are_made_at_least():
    assert un.gamma(TEXT, precision=0.9, rng=7).draws == 30


def test_a_rule_that_cannot_look_at_labels_looks_at_gamma():
    far = text(("ann", 0, 1, "A"), ("bob", 0, 1, "A"), extent=(0.0, 1e6))
    result = un.gamma(far, rng=1)
    assert result.draws == 200
    assert result.value == 1.0
    assert result.gamma_cat.n_left_out == 200


def test_draws_do_not_depend_on_how_many_are_made_at_once():
    result = un.gamma(TEXT, precision=0.03, rng=7)
    assert un.gamma(TEXT, draws=result.draws, rng=7) == result


# Seeds and workers


def test_the_seed_of_the_signature_gives_the_value_again():
    result = un.gamma(TEXT, precision=0.05)
    seed, draws = (int(result.signature[key]) for key in ("seed", "draws"))
    assert un.gamma(TEXT, draws=draws, rng=seed) == result


def test_with_seeds_from_the_system_two_runs_differ():
    seeds = {un.gamma(TEXT, draws=1, rng=None).signature["seed"] for _ in range(3)}
    assert len(seeds) > 1


def test_a_generator_gives_its_next_number_as_the_seed():
    rng, same = np.random.default_rng(3), np.random.default_rng(3)
    results = [un.gamma(TEXT, draws=DRAWS, rng=rng) for _ in range(2)]
    seeds = [int(same.integers(2**63)) for _ in range(2)]
    assert [result.signature["seed"] for result in results] == [str(seed) for seed in seeds]
    assert results[1] == un.gamma(TEXT, draws=DRAWS, rng=seeds[1])


def test_another_seed_gives_other_draws():
    one, other = (un.gamma(TEXT, draws=DRAWS, rng=seed) for seed in (7, 8))
    assert one.observed == other.observed
    assert (one.draw_disorders != other.draw_disorders).all()


@pytest.mark.parametrize("model", ["shift", "corpus", "gamma-software"])
@pytest.mark.parametrize("workers", [2, 5])
def test_workers_do_not_move_the_value(model, workers):
    one = un.gamma(CORPUS, chance=model, draws=DRAWS, rng=7, workers=1)
    assert un.gamma(CORPUS, chance=model, draws=DRAWS, rng=7, workers=workers) == one


def test_values_are_golden():
    # A published value must be reproducible by every later version.
    golden = text(
        ("ann", 0, 10, "A"), ("ann", 15, 20, "B"), ("ann", 30, 45, "A"),
        ("bob", 0, 11, "A"), ("bob", 15, 20, "B"), ("bob", 32, 45, "B"),
    )  # fmt: skip
    result = un.gamma(golden, draws=DRAWS, rng=42)
    assert result.value == pytest.approx(0.6648839843013018, rel=1e-12)
    assert result.gamma_cat.value == pytest.approx(0.40118704072982014, rel=1e-12)
    assert result.gamma_k["A"].value == pytest.approx(0.222773792857468, rel=1e-12)


# Progress


def told(data: un.Continuum | un.Corpus, **settings) -> list[tuple[int, int]]:
    calls: list[tuple[int, int]] = []
    un.gamma(data, rng=7, progress=lambda *call: calls.append(call), **settings)
    return calls


@pytest.mark.parametrize(
    ("data", "model", "total"),
    [(TEXT, "shift", DRAWS), (CORPUS, "shift", 3 * DRAWS), (CORPUS, "corpus", 2 * DRAWS)],
)
def test_progress_counts_the_draws_of_all_documents(data, model, total):
    calls = told(data, chance=model, draws=DRAWS, workers=2)
    assert {known for _, known in calls} == {total}
    assert calls[-1] == (total, total)
    done = [so_far for so_far, _ in calls]
    assert done == sorted(set(done))


def test_progress_learns_how_many_draws_are_needed():
    calls = told(TEXT, precision=0.03, workers=2)
    needed = un.gamma(TEXT, precision=0.03, rng=7).draws
    totals = [total for _, total in calls]
    assert (30, 30) in calls
    assert sorted(set(totals)) == [30, needed]
    assert totals == sorted(totals)
    assert calls[-1] == (needed, needed)


@pytest.mark.parametrize("model", ["shift", "corpus"])
def test_progress_of_long_work_is_reported_in_many_steps(model, short_chunks):
    calls = told(CORPUS, chance=model, draws=4000, workers=2)
    assert len(calls) > 8
    assert calls[-1][0] == calls[-1][1]


def test_reporting_progress_does_not_affect_the_value():
    watched = un.gamma(CORPUS, draws=DRAWS, rng=7, workers=1, progress=lambda *_: None)
    assert watched == un.gamma(CORPUS, draws=DRAWS, rng=7)


# The authors' program


def test_the_software_weighs_position_three_times():
    result = un.gamma(TEXT, chance="gamma-software", draws=5, rng=1)
    assert result.signature["dissim"].startswith("combined[pos=3,label=1,empty=1")
    assert (
        result.observed
        == un.best_alignment(TEXT, dissimilarity=un.CombinedDissimilarity(position=3)).disorder
    )
    given = un.gamma(
        TEXT, dissimilarity=un.CombinedDissimilarity(), chance="gamma-software", draws=5, rng=1
    )
    assert given.observed == un.best_alignment(TEXT).disorder


def test_the_software_rounds_down_and_trusts_less():
    # Five units of two annotators: x̄ is 2. The pair is (2/10)² apart.
    late = [("b", start, start + 1, "A") for start in (20, 30, 40)]
    uneven = text(("a", 0, 5, "A"), ("b", 1, 6, "B"), *late)
    result = un.gamma(uneven, chance="gamma-software", draws=5, rng=1)
    assert result.observed == pytest.approx((3 * 0.04 + 1 + 3) / 2, rel=1e-12)
    assert result.gamma_cat.weight == pytest.approx(1 - 3 * 0.04, rel=1e-12)
    assert result.spacing == pytest.approx((5 + 5 + 3) / 5 / 2, rel=1e-12)
    plain = un.gamma(uneven, dissimilarity=un.CombinedDissimilarity(position=3), draws=5, rng=1)
    assert plain.observed == pytest.approx((3 * 0.04 + 1 + 3) / 2.5, rel=1e-12)
    assert plain.gamma_cat.weight == pytest.approx(1 - 0.04, rel=1e-12)


# Undefined


@pytest.mark.parametrize(
    ("continuum", "reason"),
    [
        (text(), "two annotators or more; here there is none"),
        (text(("ann", 0, 5, "A")), "two annotators or more; here there is only 'ann'"),
        (text(annotators=["ann", "bob"]), "there are no units"),
    ],
)
def test_nothing_to_measure_is_undefined(continuum, reason):
    result = un.gamma(continuum, rng=1)
    assert reason in reason_of(result)
    assert reason_of(result.gamma_cat) == reason_of(result)
    assert math.isnan(result.observed)
    assert (result.draws, result.alignment, dict(result.gamma_k)) == (0, None, {})
    assert result.signature["seed"] == "1"


def test_chance_that_never_disagrees_is_undefined():
    points = text(("ann", 7, 7, "A"), ("bob", 7, 7, "A"))
    result = un.gamma(points, rng=1)
    assert "chance never disagrees" in reason_of(result)
    assert "chance never disagrees" in reason_of(result.gamma_cat)
    assert (result.observed, result.expected, result.monte_carlo) == (0.0, 0.0, None)
    assert (result.p_value, result.p_value_note) == (None, result.undefined)


def test_one_label_leaves_nothing_to_agree_on():
    result = un.gamma(made("jittered", 2, 6, 1, labels=1), draws=DRAWS, rng=1)
    assert result.undefined is None
    assert "chance never disagrees" in reason_of(result.gamma_cat)


def test_units_without_labels_have_gamma_and_no_gamma_cat():
    bare = text(*((unit.annotator, unit.start, unit.end) for unit in TEXT))
    result = un.gamma(bare, draws=DRAWS, rng=1)
    assert result.undefined is None
    assert reason_of(result.gamma_cat) == "no unit has a label"
    assert dict(result.gamma_k) == {}


def test_a_label_that_stands_alone_has_no_gamma_k():
    lonely = text(("ann", 0, 5, "A"), ("bob", 0, 5, "A"), ("bob", 90, 95, "B"))
    found = un.gamma(lonely, draws=DRAWS, rng=1).gamma_k["B"]
    assert "no two aligned units lie close enough" in reason_of(found)
    assert found.weight == 0.0


def test_a_label_that_no_draw_compares_has_no_gamma_k():
    far = text(("ann", 0, 1, "A"), ("bob", 0, 1, "A"), extent=(0.0, 1e6))
    found = un.gamma(far, draws=DRAWS, rng=1).gamma_k["A"]
    assert "no draw has two aligned units close enough" in reason_of(found)
    assert (found.observed, found.n_left_out) == (0.0, DRAWS)


def test_labels_that_must_never_be_aligned_may_still_meet():
    meet = text(("ann", 0, 5, "A"), ("bob", 0, 5, "B"))
    result = un.gamma(meet, dissimilarity=un.CombinedDissimilarity(label=0, steep=True), rng=1)
    assert result.observed == 0.0
    assert "their disorder is infinite" in reason_of(result.gamma_cat)


# Limits of work


def hurry(monkeypatch, first, again):
    monkeypatch.setattr(measuring, "EFFORT_FIRST_DRAW", first)
    monkeypatch.setattr(measuring, "EFFORT_DRAW", again)


def test_unproven_draws_are_reported(monkeypatch):
    hurry(monkeypatch, 1e-9, 1e-9)
    crowd = made("overlapping", 4, 8, 1)
    exact = un.best_alignment(crowd).disorder
    with pytest.warns(UserWarning, match="γ is only known to be between"):
        result = un.gamma(crowd, draws=4, rng=1)
    assert result.alignment is not None
    assert result.alignment.proven
    assert not result.proven
    assert result.observed == exact
    assert result.certified is not None
    assert result.certified.low < result.certified.high == result.value
    assert sum("4 alignments of draws reached a limit" in note for note in result.notes) == 1


def test_a_note_stands_there_once(monkeypatch):
    hurry(monkeypatch, 1e-9, 1e-9)
    corpus = un.Corpus.from_continua({"one": made("overlapping", 4, 8, 1)})
    with pytest.warns(UserWarning, match="γ is only known to be between"):
        notes = un.gamma(corpus, draws=4, rng=1).notes
    assert len(notes) == len(set(notes)) > 0


def test_an_unproven_alignment_is_reported(monkeypatch):
    monkeypatch.setattr(documents, "EFFORT_OBSERVED", 1e-9)
    with pytest.warns(UserWarning, match="γ is only known to be between"):
        result = un.gamma(made("overlapping", 4, 8, 1), draws=4, rng=1)
    assert result.alignment is not None
    assert not result.alignment.proven
    assert result.certified is not None
    assert result.certified.low == result.value < result.certified.high
    assert not result.proven
    assert result.gap > 0.0


def test_draws_that_are_not_proven_at_first_are_aligned_again(monkeypatch):
    crowd = un.Corpus.from_continua(
        {f"text {seed}": made("overlapping", 4, 8, seed) for seed in range(3)}
    )
    usual = un.gamma(crowd, draws=4, rng=1)
    hurry(monkeypatch, 1e-9, 1.0)
    monkeypatch.setattr(measuring, "_OF_MONTE_CARLO_ERROR", 0.0)
    again = un.gamma(crowd, draws=4, rng=1, workers=2)
    assert again.proven
    assert again == usual


def test_the_draws_that_matter_most_are_aligned_again(monkeypatch):
    corpus = un.Corpus.from_continua(
        {"long": made("overlapping", 4, 8, 1), "short": made("overlapping", 4, 3, 2)}
    )
    hurry(monkeypatch, 1e-9, 1.0)
    kept = []
    open_draws = CorpusEvidence.open_draws

    def choose(evidence, tolerance, most):
        gaps: dict[tuple[str, int], float] = {}
        for name in corpus:
            draws = evidence.draws_of(name)
            weight = len(corpus[name]) / 4
            gap = weight * (draws.disorders - draws.lower_bounds)
            gaps |= {(name, draw): each for draw, each in enumerate(gap.tolist())}
        whole = sum(len(each) / 4 for each in corpus.values())
        for part in (0.0, 0.2, 0.5, 1.0, 2.0):
            allowed = part * sum(gaps.values()) / whole / 6
            chosen = open_draws(evidence, tolerance, allowed)
            left = [gap for key, gap in gaps.items() if key not in chosen]
            assert sum(left) / whole / 6 <= allowed + 1e-12
            assert all(gaps[key] >= max(left, default=0.0) - 1e-12 for key in chosen)
            kept.append(len(chosen))
        return open_draws(evidence, tolerance, most)

    monkeypatch.setattr(CorpusEvidence, "open_draws", choose)
    assert un.gamma(corpus, draws=6, rng=1).proven
    assert kept[0] == 12
    assert kept[-1] == 0
    assert kept == sorted(kept, reverse=True)
    assert len(set(kept)) > 3
