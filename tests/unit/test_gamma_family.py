"""γ, γcat and γk from end to end: of a continuum, of a corpus, and where there are none."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import oracle
import unisono as un
from families import family
from unisono.measures import chance, gamma_family
from unisono.measures.aligning import aligned
from unisono.measures.chance import CorpusChance, ShiftChance, chance_rules
from unisono.measures.fitted import label_counts

if TYPE_CHECKING:
    from unisono.measures.chance import DrawScores

DRAWS = 12


def text(*rows: tuple, **settings) -> un.Continuum:
    return un.Continuum.from_units(rows, **settings)


def made(name: str, n: int, each: int, seed: int, labels: int = 3) -> un.Continuum:
    return family(name, n, each, np.random.default_rng(seed), labels)


TEXT = made("jittered", 3, 6, 1)
CORPUS = un.Corpus.from_continua(
    {
        "alone": text(("a", 0, 5, "A"), ("a", 6, 9, "Z")),
        "many": made("jittered", 3, 4, 4, labels=4),
        "none": text(annotators=["a", "b"], extent=(0.0, 9.0)),
        "one": made("spread", 2, 4, 3),
        "two": made("overlapping", 2, 5, 4, labels=2).rename(labels={"A": "D"}),
    }
)
MEASURED = ("many", "one", "two")


def reason_of(agreement: un.Agreement) -> str:
    assert math.isnan(agreement.value)
    return agreement.undefined or ""


def scores_of(continuum: un.Continuum, seed: int, count: int = DRAWS) -> DrawScores:
    fitted = un.Combined().fitted(continuum.labels, label_counts(continuum))
    return ShiftChance(continuum, fitted, chance_rules("shift"), seed).score(0, count, workers=1)


def column(scores: DrawScores, continuum: un.Continuum, label: Any) -> tuple[np.ndarray, ...]:
    """The sums of draws over the pairs of a label (`...`: over all), 0 where it is unknown."""
    if label is ...:
        return scores.label_disorder, scores.label_weight
    if label not in continuum.labels:
        return np.zeros(DRAWS), np.zeros(DRAWS)
    at = continuum.labels.index(label)
    return scores.label_disorder_of[:, at], scores.label_weight_of[:, at]


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
    assert result.p_value == 1 / 100


def test_agreement_by_chance_is_likely_by_chance():
    strangers = made("spread", 2, 20, 9, labels=1)
    result = un.gamma(strangers, draws=50, rng=1)
    below = int((result.draw_disorders <= result.observed).sum())
    assert result.p_value == (1 + below) / 51
    assert result.p_value > 0.05


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_the_monte_carlo_interval_holds_the_value(confidence):
    result = un.gamma(TEXT, draws=DRAWS, rng=7, confidence=confidence)
    for each in (result, result.cat, *result.by_label.values()):
        assert each.monte_carlo is not None
        assert each.monte_carlo.low <= each.value <= each.monte_carlo.high
        assert each.monte_carlo.level == confidence
        assert each.monte_carlo.method == "monte carlo"


def test_more_confidence_widens_the_interval_and_moves_no_value():
    some, sure = (un.gamma(TEXT, draws=DRAWS, rng=7, confidence=c) for c in (0.8, 0.99))
    assert some.value == sure.value
    assert some.monte_carlo is not None
    assert sure.monte_carlo is not None
    assert sure.monte_carlo.low < some.monte_carlo.low < some.monte_carlo.high
    assert some.monte_carlo.high < sure.monte_carlo.high


def test_what_counts_is_told():
    declared = text(("ann", 0, 5, "A"), ("bob", 0, 5, "A"), annotators=["ann", "bob", "eve"])
    result = un.gamma(declared, draws=40, rng=1)
    assert (result.n_annotators, result.n_units) == (3, 2)
    assert result.annotators_from == result.signature["annotators"] == "declared"
    assert result.redrawn > 0
    assert result.skipped == 0
    assert result.signature["data"] == declared.digest[:8]


def test_a_lowered_spacing_is_told():
    tight = text(("ann", 0, 10, "A"), ("bob", 2, 9, "A"))
    result = un.gamma(tight, draws=5, rng=1)
    assert result.spacing == 2.5
    assert any("2.5 apart" in note for note in result.notes)
    wide = un.gamma(text(("ann", 0, 1), ("bob", 9, 10)), draws=5, rng=1)
    assert (wide.spacing, wide.notes) == (1.0, ())


def test_the_empty_cost_scales_disorders_and_moves_no_value():
    one, twice = (
        un.gamma(TEXT, dissimilarity=un.Combined(empty=empty), draws=DRAWS, rng=7)
        for empty in (1, 2)
    )
    for here, there in (
        (one, twice),
        (one.cat, twice.cat),
        (one.by_label["A"], twice.by_label["A"]),
    ):
        assert there.observed == pytest.approx(2 * here.observed, rel=1e-14)
        assert there.expected == pytest.approx(2 * here.expected, rel=1e-14)
        assert there.value == pytest.approx(here.value, rel=1e-12)


def test_labels_of_any_kind_are_keys():
    mixed = text(
        ("ann", 0, 5, 1), ("ann", 6, 9, "A"), ("bob", 0, 5, {"A", "B"}), ("bob", 6, 9, None)
    )
    result = un.gamma(mixed, draws=5, rng=1)
    assert list(result.by_label) == [None, 1, "A", frozenset({"A", "B"})]


# How many draws


def test_a_fixed_number_of_draws_is_kept():
    result = un.gamma(TEXT, draws=7, rng=7)
    assert (result.draws, len(result.draw_disorders), result.cat.draws) == (7, 7, 7)
    assert result.signature["draws"] == "7"


def test_one_draw_gives_a_value_without_uncertainty():
    result = un.gamma(TEXT, draws=1, rng=7)
    assert result.undefined is None
    assert result.monte_carlo is None


@pytest.mark.parametrize(
    ("precision", "confidence", "z"), [(0.03, 0.95, 1.959964), (0.05, 0.99, 2.575829)]
)
def test_the_rule_of_the_paper_holds_for_gamma_and_gamma_cat(precision, confidence, z):
    first = scores_of(TEXT, 7, 30)
    ratios = (first.label_disorder / first.label_weight).tolist()
    needed = [oracle.sample_size(each, precision, z) for each in (first.disorders.tolist(), ratios)]
    result = un.gamma(TEXT, precision=precision, confidence=confidence, rng=7)
    assert result.draws == math.ceil(max(needed)) > 30


def test_thirty_draws_are_made_at_least():
    assert un.gamma(TEXT, precision=0.9, rng=7).draws == 30


def test_a_rule_that_cannot_look_at_labels_looks_at_gamma():
    far = text(("ann", 0, 1, "A"), ("bob", 0, 1, "A"), extent=(0.0, 1e6))
    result = un.gamma(far, rng=1)
    assert result.draws == 30
    assert result.value == 1.0
    assert result.cat.left_out == 30


def test_draws_come_to_the_same_however_many_are_asked_for_at_once():
    result = un.gamma(TEXT, precision=0.03, rng=7)
    assert un.gamma(TEXT, draws=result.draws, rng=7) == result


# Seeds and workers


def test_the_seed_of_the_signature_gives_the_value_again():
    result = un.gamma(TEXT, precision=0.05)
    seed, draws = (int(result.signature[key]) for key in ("seed", "draws"))
    assert un.gamma(TEXT, draws=draws, rng=seed) == result


def test_without_a_seed_two_runs_differ():
    seeds = {un.gamma(TEXT, draws=1).signature["seed"] for _ in range(3)}
    assert len(seeds) > 1


def test_a_generator_gives_its_next_number_as_the_seed():
    rng, same = np.random.default_rng(3), np.random.default_rng(3)
    results = [un.gamma(TEXT, draws=DRAWS, rng=rng) for _ in range(2)]
    seeds = [int(same.integers(2**32)) for _ in range(2)]
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
    assert result.cat.value == pytest.approx(0.40118704072982014, rel=1e-12)
    assert result.by_label["A"].value == pytest.approx(0.222773792857468, rel=1e-12)


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
    assert len(calls) > 2


def test_progress_learns_how_many_draws_are_needed():
    calls = told(TEXT, precision=0.03, workers=2)
    needed = un.gamma(TEXT, precision=0.03, rng=7).draws
    totals = [total for _, total in calls]
    assert (30, 30) in calls
    assert sorted(set(totals)) == [30, needed]
    assert totals == sorted(totals)
    assert calls[-1] == (needed, needed)


@pytest.mark.parametrize(("seconds", "steps"), [(1e9, [2, 6, 12]), (0.0, [2, 4, 6, 8, 10, 12])])
def test_steps_grow_only_while_they_are_quick(monkeypatch, seconds, steps):
    monkeypatch.setattr(gamma_family, "_SECONDS_BETWEEN_REPORTS", seconds)
    assert [done for done, _ in told(TEXT, draws=12, workers=2)] == steps


def test_telling_progress_does_not_move_the_value():
    watched = un.gamma(CORPUS, draws=DRAWS, rng=7, workers=1, progress=lambda *_: None)
    assert watched == un.gamma(CORPUS, draws=DRAWS, rng=7)


# A corpus


def test_gamma_of_a_corpus_is_pooled_over_its_documents():
    result = un.gamma(CORPUS, draws=DRAWS, rng=7)
    observed, draws = 0.0, np.zeros(DRAWS)
    for name in MEASURED:
        document = CORPUS[name]
        mean_units = len(document) / len(document.annotators)
        observed += mean_units * un.best_alignment(document).disorder
        draws += mean_units * scores_of(document, 7).disorders
    assert result.value == pytest.approx(1 - observed / draws.mean(), rel=1e-12)
    assert result.draw_disorders / draws == pytest.approx(result.observed / observed, rel=1e-12)


@pytest.mark.parametrize("label", [..., "A", "B", "C", "D"])
def test_gamma_cat_and_gamma_k_of_a_corpus_are_ratios_of_sums(label):
    result = un.gamma(CORPUS, draws=DRAWS, rng=7)
    found = result.cat if label is ... else result.by_label[label]
    disorder = weight = 0.0
    draws = np.zeros((2, DRAWS))
    for name in MEASURED:
        document, sets = CORPUS[name], oracle.sets_of(CORPUS[name])
        groups = [tuple(map(int, group)) for group in un.best_alignment(document).indices]
        more, heavier = oracle.categorial_sums(groups, sets, oracle.Rules(), label)
        disorder, weight = disorder + more, weight + heavier
        draws += column(scores_of(document, 7), document, label)
    assert found.weight == pytest.approx(weight, rel=1e-12)
    assert found.observed == pytest.approx(disorder / weight, rel=1e-12)
    comparable = draws[1] > 0.0
    expected = (draws[0][comparable] / draws[1][comparable]).mean()
    assert found.expected == pytest.approx(expected, rel=1e-12)
    assert found.left_out == int((~comparable).sum())


@pytest.mark.parametrize("name", list(CORPUS))
def test_a_document_is_measured_as_it_would_be_alone(name):
    whole = un.gamma(CORPUS, draws=DRAWS, rng=7)
    assert whole.documents[name] == un.gamma(CORPUS[name], draws=DRAWS, rng=7)


def test_a_corpus_has_the_documents_and_no_alignment_of_its_own():
    result = un.gamma(CORPUS, draws=DRAWS, rng=7)
    assert list(result.documents) == list(CORPUS)
    assert result.alignment is None
    assert (result.n_annotators, result.n_units) == (3, CORPUS.n_units)
    assert result.signature["data"] == CORPUS.digest[:8]


def test_documents_without_units_add_nothing():
    kept = CORPUS.only(documents=MEASURED)
    here, there = (un.gamma(data, draws=DRAWS, rng=7) for data in (CORPUS, kept))
    assert here.value == there.value
    assert here.cat.value == there.cat.value
    assert here.documents["none"].undefined == "there are no units"
    assert "none" not in here.left_out_documents


def test_documents_of_one_annotator_are_left_out_and_named():
    result = un.gamma(CORPUS, draws=DRAWS, rng=7)
    assert result.left_out_documents == ("alone",)
    assert any("1 of 5 documents left out" in n and "alone" in n for n in result.notes)
    assert "only 'a'" in reason_of(result.documents["alone"])
    assert "no two aligned units" in reason_of(result.by_label["Z"])


def test_of_many_documents_left_out_some_are_named():
    lone = {f"lone {i}": text(("a", 0, 1, "A")) for i in range(5)}
    result = un.gamma(un.Corpus.from_continua({**lone, "one": CORPUS["one"]}), draws=5, rng=1)
    (note,) = [note for note in result.notes if "left out" in note]
    assert "5 of 6 documents" in note
    assert note.endswith("lone 0, lone 1, lone 2, …")


def test_a_corpus_of_one_document_is_worth_what_the_document_is():
    one = un.Corpus.from_continua({"one": CORPUS["one"]})
    whole, alone = (un.gamma(data, draws=DRAWS, rng=7) for data in (one, CORPUS["one"]))
    assert whole.value == alone.value
    assert whole.cat.value == alone.cat.value
    assert whole.monte_carlo == alone.monte_carlo
    assert whole.draw_disorders.tolist() == alone.draw_disorders.tolist()


def test_skipped_rows_are_told():
    corpus = un.Corpus.from_continua({"one": CORPUS["one"]}, skipped=3)
    assert un.gamma(corpus, draws=5, rng=1).skipped == 3


def test_scales_of_labels_are_those_of_the_corpus():
    low = text(("ann", 0, 5, 1), ("bob", 0, 5, 2))
    high = text(("ann", 0, 5, 1), ("bob", 0, 5, 5))
    interval = un.Combined(distance="interval")
    result = un.gamma(
        un.Corpus.from_continua({"low": low, "high": high}),
        dissimilarity=interval, draws=5, rng=1,
    )  # fmt: skip
    assert result.documents["low"].observed == pytest.approx(1 / 16)
    assert result.documents["high"].observed == 1.0
    assert "interval[1..5]" in result.documents["low"].signature["dissim"]


def test_an_own_formula_sees_the_labels_of_every_document():
    def by_name(u: un.UnitColumns, v: un.UnitColumns) -> np.ndarray:
        def names(units: un.UnitColumns) -> np.ndarray:
            return np.array([str(units.labels[code]) for code in units.label_codes])

        apart = np.abs(u.starts - v.starts) + np.abs(u.ends - v.ends)
        lengths = u.ends - u.starts + v.ends - v.starts
        return (apart / lengths) ** 2 + (names(u) != names(v))

    own = un.OwnDissimilarity(cost=by_name)
    for model in ("shift", "corpus"):
        here, there = (
            un.gamma(CORPUS, dissimilarity=each, chance=model, draws=4, rng=7)
            for each in (own, un.Combined())
        )
        assert here.value == pytest.approx(there.value, rel=1e-12)
        assert here.cat.value == pytest.approx(there.cat.value, rel=1e-12)
        assert here.by_label["B"].value == pytest.approx(there.by_label["B"].value, rel=1e-12)


# Corpus chance


def test_documents_of_as_many_annotators_share_their_expectation():
    result = un.gamma(CORPUS, chance="corpus", draws=DRAWS, rng=7)
    one, two, many = (result.documents[name] for name in ("one", "two", "many"))
    assert one.expected == two.expected != many.expected
    assert one.draw_disorders.tolist() == two.draw_disorders.tolist()
    assert one.spacing is None
    assert one.signature["chance"] == "corpus"


@pytest.mark.parametrize("label", ["A", "B", "D"])
def test_corpus_chance_is_pooled_by_the_labels_of_the_documents(label):
    fitted = un.Combined().fitted(CORPUS.labels, label_counts(CORPUS))
    at = CORPUS.labels.index(label)
    draws = np.zeros((2, DRAWS))
    for name in MEASURED:
        if label in CORPUS[name].labels:
            n = len(CORPUS[name].annotators)
            source = CorpusChance(CORPUS, n, fitted, chance_rules("corpus"), 7)
            scores = source.score(0, DRAWS, workers=1)
            draws += scores.label_disorder_of[:, at], scores.label_weight_of[:, at]
    result = un.gamma(CORPUS, chance="corpus", draws=DRAWS, rng=7)
    comparable = draws[1] > 0.0
    expected = (draws[0][comparable] / draws[1][comparable]).mean()
    assert result.by_label[label].expected == pytest.approx(expected, rel=1e-12)


def test_corpus_chance_needs_as_many_documents_as_annotators():
    with pytest.raises(un.DataError, match=r"draws 3 different documents .* only 2"):
        un.gamma(CORPUS.only(documents=["many", "one"]), chance="corpus", draws=5, rng=1)
    with pytest.raises(un.DataError, match=r"only 1"):
        un.gamma(TEXT, chance="corpus", draws=5, rng=1)


# The authors' program


def test_the_software_weighs_position_three_times():
    result = un.gamma(TEXT, chance="gamma-software", draws=5, rng=1)
    assert result.signature["dissim"].startswith("combined[pos=3,label=1,empty=1")
    assert (
        result.observed == un.best_alignment(TEXT, dissimilarity=un.Combined(position=3)).disorder
    )
    given = un.gamma(TEXT, dissimilarity=un.Combined(), chance="gamma-software", draws=5, rng=1)
    assert given.observed == un.best_alignment(TEXT).disorder


def test_the_software_rounds_down_and_trusts_less():
    # Five units of two annotators: x̄ is 2. The pair is (2/10)² apart.
    late = [("b", start, start + 1, "A") for start in (20, 30, 40)]
    uneven = text(("a", 0, 5, "A"), ("b", 1, 6, "B"), *late)
    result = un.gamma(uneven, chance="gamma-software", draws=5, rng=1)
    assert result.observed == pytest.approx((3 * 0.04 + 1 + 3) / 2, rel=1e-12)
    assert result.cat.weight == pytest.approx(1 - 3 * 0.04, rel=1e-12)
    assert result.spacing == pytest.approx((5 + 5 + 3) / 5 / 2, rel=1e-12)
    plain = un.gamma(uneven, dissimilarity=un.Combined(position=3), draws=5, rng=1)
    assert plain.observed == pytest.approx((3 * 0.04 + 1 + 3) / 2.5, rel=1e-12)
    assert plain.cat.weight == pytest.approx(1 - 0.04, rel=1e-12)


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
    assert reason_of(result.cat) == reason_of(result)
    assert math.isnan(result.observed)
    assert (result.draws, result.alignment, dict(result.by_label)) == (0, None, {})
    assert result.signature["seed"] == "1"


def test_chance_that_never_disagrees_is_undefined():
    points = text(("ann", 7, 7, "A"), ("bob", 7, 7, "A"))
    result = un.gamma(points, rng=1)
    assert "chance never disagrees" in reason_of(result)
    assert "chance never disagrees" in reason_of(result.cat)
    assert (result.observed, result.expected, result.monte_carlo) == (0.0, 0.0, None)
    assert math.isnan(result.p_value)


def test_one_label_leaves_nothing_to_agree_on():
    result = un.gamma(made("jittered", 2, 6, 1, labels=1), draws=DRAWS, rng=1)
    assert result.undefined is None
    assert "chance never disagrees" in reason_of(result.cat)


def test_units_without_labels_have_gamma_and_no_gamma_cat():
    bare = text(*((unit.annotator, unit.start, unit.end) for unit in TEXT))
    result = un.gamma(bare, draws=DRAWS, rng=1)
    assert result.undefined is None
    assert reason_of(result.cat) == "no unit has a label"
    assert dict(result.by_label) == {}


def test_a_label_that_stands_alone_has_no_gamma_k():
    lonely = text(("ann", 0, 5, "A"), ("bob", 0, 5, "A"), ("bob", 90, 95, "B"))
    found = un.gamma(lonely, draws=DRAWS, rng=1).by_label["B"]
    assert "no two aligned units lie close enough" in reason_of(found)
    assert found.weight == 0.0


def test_a_label_that_no_draw_compares_has_no_gamma_k():
    far = text(("ann", 0, 1, "A"), ("bob", 0, 1, "A"), extent=(0.0, 1e6))
    found = un.gamma(far, draws=DRAWS, rng=1).by_label["A"]
    assert "no draw has two aligned units close enough" in reason_of(found)
    assert (found.observed, found.left_out) == (0.0, DRAWS)


def test_labels_that_must_never_be_aligned_may_still_meet():
    meet = text(("ann", 0, 5, "A"), ("bob", 0, 5, "B"))
    result = un.gamma(meet, dissimilarity=un.Combined(label=0, steep=True), rng=1)
    assert result.observed == 0.0
    assert "their disorder is infinite" in reason_of(result.cat)


@pytest.mark.parametrize(
    ("documents", "reason"),
    [
        ({}, "no document has units and was seen by two annotators or more"),
        ({"one": text(("ann", 0, 5, "A"))}, "here there is only 'ann'"),
        (
            {"one": text(("ann", 0, 5, "A")), "two": text(annotators=["ann", "bob"])},
            "no document has units and was seen by two annotators or more",
        ),
    ],
)
def test_a_corpus_with_nothing_to_measure_is_undefined(documents, reason):
    result = un.gamma(un.Corpus.from_continua(documents), rng=1)
    assert reason in reason_of(result)
    assert list(result.documents) == list(documents)
    assert result.draws == 0


# Limits of work


def test_draws_that_are_not_proven_are_told(monkeypatch):
    monkeypatch.setattr(chance, "EFFORT_DRAW", 1e-9)
    crowd = made("overlapping", 4, 8, 1)
    result = un.gamma(crowd, draws=4, rng=1)
    assert result.alignment is not None
    assert result.alignment.proven
    assert not result.proven
    assert sum("4 alignments of draws reached a limit" in note for note in result.notes) == 1


def test_a_note_stands_there_once(monkeypatch):
    monkeypatch.setattr(chance, "EFFORT_DRAW", 1e-9)
    corpus = un.Corpus.from_continua({"one": made("overlapping", 4, 8, 1)})
    notes = un.gamma(corpus, draws=4, rng=1).notes
    assert len(notes) == len(set(notes)) > 0


def test_an_alignment_that_is_not_proven_is_told(monkeypatch):
    monkeypatch.setattr(gamma_family, "aligned", functools.partial(aligned, effort=1e-9))
    result = un.gamma(made("overlapping", 4, 8, 1), draws=4, rng=1)
    assert result.alignment is not None
    assert not result.alignment.proven
    assert not result.proven
    assert result.gap > 0.0


# Settings


@pytest.mark.parametrize("name", ["precision", "confidence"])
@pytest.mark.parametrize("value", [0, 1, -0.1, 2, math.nan, math.inf])
def test_a_share_lies_between_0_and_1(name, value):
    with pytest.raises(un.SettingError, match=f"{name} must lie between 0 and 1, .*got {value}"):
        un.gamma(TEXT, **{name: value})


@pytest.mark.parametrize("name", ["precision", "confidence"])
@pytest.mark.parametrize("value", ["0.5", None, True])
def test_a_share_is_a_number(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a number"):
        un.gamma(TEXT, **{name: value})


@pytest.mark.parametrize("name", ["draws", "workers"])
@pytest.mark.parametrize("value", [0, -3])
def test_a_count_is_1_or_more(name, value):
    with pytest.raises(un.SettingError, match=f"{name} must be 1 or more, got {value}"):
        un.gamma(TEXT, **{name: value})


@pytest.mark.parametrize("name", ["draws", "workers"])
@pytest.mark.parametrize("value", [1.5, "3", True])
def test_a_count_is_a_whole_number(name, value):
    with pytest.raises(TypeError, match=f"{name} must be a whole number, got {value!r}"):
        un.gamma(TEXT, **{name: value})


@pytest.mark.parametrize(
    ("settings", "error", "problem"),
    [
        ({"chance": "random"}, un.SettingError, "unknown chance model 'random'"),
        ({"chance": None}, un.SettingError, "unknown chance model None"),
        ({"rng": -1}, un.SettingError, "a seed is a whole number of 0 or more, got -1"),
        ({"rng": "42"}, TypeError, "rng is a whole number, a numpy Generator or None"),
        ({"dissimilarity": "combined"}, TypeError, "got 'combined' of type str"),
        ({"dissimilarity": un.Combined}, TypeError, "dissimilarity is a Combined"),
        ({"dissimilarity": 0}, TypeError, "dissimilarity is a Combined"),
        ({"magnitude": 1}, TypeError, "magnitude"),
    ],
)
def test_a_wrong_setting_is_refused(settings, error, problem):
    with pytest.raises(error, match=problem):
        un.gamma(TEXT, **settings)


@pytest.mark.parametrize("data", [None, [("ann", 0, 1, "A")], {"one": TEXT}, "talks.csv"])
def test_data_of_another_type_are_refused(data):
    with pytest.raises(TypeError, match=f"a Continuum or a Corpus, got {type(data).__name__}"):
        un.gamma(data)


def test_settings_are_checked_before_any_work(monkeypatch):
    def never(*_: object) -> None:
        pytest.fail("an alignment was made")

    monkeypatch.setattr(gamma_family, "aligned", never)
    for settings in ({"workers": 0}, {"rng": -1}, {"draws": 0}, {"chance": "?"}):
        with pytest.raises(un.SettingError):
            un.gamma(TEXT, **settings)


def test_a_label_without_a_distance_is_named():
    matrix = un.DistanceMatrix(["A", "B"], [[0, 1], [1, 0]])
    with pytest.raises(un.DataError, match="does not have the label 'C'"):
        un.gamma(TEXT, dissimilarity=un.Combined(distance=matrix))
