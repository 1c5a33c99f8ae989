"""Laws of a consensus and of a diagnosis, on continua of every kind."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import unisono as un
from strategies import continua, corpora, rows
from unisono.model.continuum import Continuum

SHARES = st.sampled_from((0.0, 0.4, 0.5, 0.67, 1.0))


@given(rows(min_annotators=1, max_annotators=1, max_units=5), st.integers(2, 4), SHARES)
def test_annotators_who_mark_the_same_agree_on_it(drawn, n, support):
    _, units = drawn
    names = [f"a{i}" for i in range(n)]
    same = Continuum.from_units([(name, *unit[1:]) for name in names for unit in units],
                                annotators=names)  # fmt: skip
    found = un.consensus(same, support=support)

    assert found.undecided == ()
    assert found.continuum is not None
    assert [(u.start, u.end, u.label) for u in found.continuum] == [
        (u.start, u.end, u.label) for u in same.only(annotators=["a0"])
    ]


@given(continua(max_units_total=10), SHARES)
def test_every_unit_is_in_a_group_that_is_decided_or_listed(continuum, support):
    alignment = un.best_alignment(continuum)
    found = un.consensus(alignment, support=support)
    decided = [unit.group for unit in found.units]
    listed = [group.group for group in found.undecided]

    assert sorted(decided + listed) == list(range(1, len(alignment) + 1))
    for unit in found.units:
        group = [each for each in alignment.groups[unit.group - 1] if each is not None]
        assert min(each.start for each in group) <= unit.start <= max(u.start for u in group)
        assert min(each.end for each in group) <= unit.end <= max(each.end for each in group)
        assert unit.start <= unit.end
        assert unit.n_annotators == len(group) >= 2
        assert unit.label in {each.label for each in group}


@given(continua(max_units_total=10), SHARES, SHARES)
def test_more_support_requested_never_gives_more_units(continuum, one, other):
    few, many = (un.consensus(continuum, support=s) for s in sorted((one, other), reverse=True))

    assert set(few.units) <= set(many.units)


@given(continua(max_units_total=8))
def test_a_consensus_moves_and_grows_with_the_text(continuum):
    moved = Continuum.from_units(
        [(u.annotator, 2 * u.start + 8, 2 * u.end + 8, u.label) for u in continuum],
        annotators=continuum.annotators,
    )
    found, same = un.consensus(continuum), un.consensus(moved)

    assert [u.label for u in found.units] == [u.label for u in same.units]
    assert [2 * u.start + 8 for u in found.units] == pytest.approx([u.start for u in same.units])
    assert [2 * u.end + 8 for u in found.units] == pytest.approx([u.end for u in same.units])


@settings(deadline=None)
@given(continua(max_units_total=10, min_units_total=1))
def test_the_parts_of_any_continuum_add_up_in_every_view(continuum):
    found = un.diagnose(continuum, draws=2, rng=1)
    alignment = found.gamma.alignment

    assert alignment is not None
    assert found.parts.total == pytest.approx(alignment.disorder, rel=1e-12, abs=1e-12)
    assert np.allclose(found.group_parts.sum(axis=1), alignment.group_disorders, atol=1e-12)
    for view in (found.by_label, found.by_annotator):
        for part in range(3):
            total = math.fsum(each.parts[part] for each in view.values())
            assert total == pytest.approx(found.parts[part], rel=1e-9, abs=1e-12)
    assert sum(each.n_units for each in found.by_label.values()) == len(continuum)
    assert all(part >= 0.0 for part in found.parts)


@settings(deadline=None)
@given(corpora(min_documents=1))
def test_the_documents_of_any_corpus_add_up(corpus):
    if not any(len(each.annotators) > 1 and len(each) for each in corpus.values()):
        return
    found = un.diagnose(corpus, draws=2, rng=1)
    weighed = [each.weight * each.parts.total for each in found.documents.values()]

    assert math.fsum(weighed) == pytest.approx(found.gamma.observed, rel=1e-9, abs=1e-12)
    assert found.parts.total == pytest.approx(found.gamma.observed, rel=1e-12, abs=1e-12)


@settings(deadline=None)
@given(continua(max_units_total=8, min_units_total=1))
def test_a_diagnosis_knows_no_order_of_annotators(continuum):
    # Reversed in the alphabet; ties between best alignments may fall otherwise, sums do not.
    names = dict(zip(continuum.annotators, reversed(continuum.annotators), strict=True))
    renamed = continuum.rename(annotators=names)
    found, other = (un.diagnose(each, draws=2, rng=1) for each in (continuum, renamed))

    assert found.parts.total == pytest.approx(other.parts.total, rel=1e-9, abs=1e-12)
