"""Which measure fits a task: the registry, `describe` and the page agree."""

from __future__ import annotations

import pytest

import unisono as un
from choose_page import PAGE, page, tables
from unisono.registry import CONSTRAINTS, FAMILIES, MEASURES, PAPER_ROWS, PROPERTIES, TASKS
from unisono.studies.task_profile import parsed_answers

GIVEN = [(who, at, at + 1, label) for who in ("ann", "bob") for at, label in enumerate("abca")]
FREE = [("ann", 0, 4, "a"), ("ann", 6, 9, "b"), ("bob", 0, 5, "a"), ("cat", 1, 4, "c")]
NESTED = [*FREE, ("ann", 7, 8, "a"), ("bob", 3, 7, "b")]


def fits(rows, **task):
    found = un.describe(un.Continuum.from_units(rows), task=task)
    return {fit.measure for fit in found.measure_fits if fit.fits}


def test_given_units_are_measured_as_items():
    assert {"krippendorff_alpha", "cohen_kappa"} <= fits(GIVEN)
    assert "gamma" not in fits(GIVEN)
    assert "gamma" in fits(GIVEN, units=True)


def test_units_that_annotators_found_are_measured_with_their_places():
    assert "gamma" in fits(FREE)
    assert not {"krippendorff_alpha", "cohen_kappa"} & fits(FREE)


def test_overlap_leaves_gamma():
    assert "u_alpha_coding" not in fits(NESTED)
    assert "gamma" in fits(NESTED)
    found = un.describe(un.Continuum.from_units(NESTED))
    why = {fit.measure: fit.why for fit in found.measure_fits}
    assert "does not support overlap" in why["u_alpha"]


def test_answers_win_over_data_and_questions_are_asked_only_where_open():
    found = un.describe(un.Continuum.from_units(FREE), task={"overlap": True, "reference": True})
    answers = {each.name: each for each in found.task}

    assert (answers["overlap"].holds, answers["overlap"].source) == (True, "answer")
    assert (answers["units"].holds, answers["units"].source) == (True, "data")
    assert answers["nested"].source == "assumed"
    assert answers["nested"].question == PROPERTIES["nested"].question
    assert {each.name for each in found.task if each.question} == {"nested", "ordered", "chains"}
    assert "f1" in {fit.measure for fit in found.measure_fits if fit.fits}


def test_similar_tasks_are_those_of_the_paper():
    assert un.describe(un.Continuum.from_units(FREE)).similar_tasks == (
        "named entity",
        "discourse framing",
        "communicative behavior",
        "dialog act",
    )
    assert "part of speech" in un.describe(un.Continuum.from_units(GIVEN)).similar_tasks


def test_unknown_answers_are_refused():
    text = un.Continuum.from_units(FREE)
    with pytest.raises(un.SettingError, match="unknown property 'orderd'; choose from units"):
        un.describe(text, task={"orderd": True})
    with pytest.raises(TypeError, match="the answer to 'ordered' must be True or False; got 1"):
        un.describe(text, task={"ordered": 1})  # type: ignore[dict-item]
    assert parsed_answers("ordered, no-overlap") == {"ordered": True, "overlap": False}


def test_properties_of_measures_follow_from_families_and_settings():
    for measure in MEASURES.values():
        assert measure.handles <= set(PROPERTIES)
        assert ("overlap" in measure.handles) == ("overlap" in FAMILIES[measure.family].takes)
        assert ("many" in measure.handles) == (not measure.for_more)
    named = {each.takes for each in PROPERTIES.values()} - {""}
    assert {take for each in FAMILIES.values() for take in each.takes} - {"chance"} == named


def test_tasks_use_known_properties():
    assert len(TASKS) == 12
    for task in TASKS:
        assert task.has | task.may_have <= set(PROPERTIES)
        assert not task.has & task.may_have


def test_the_page_has_the_tables_of_the_registry():
    """``python tests/support/choose_page.py`` writes them."""
    text = PAGE.read_text(encoding="utf-8")

    assert all(table in text for table in tables().values())
    assert page(text) == text


@pytest.mark.parametrize("row", PAPER_ROWS, ids=lambda row: row.name)
def test_the_registry_agrees_with_what_the_paper_states(row):
    for name in row.measures:
        handled = MEASURES[name].handles
        for statements, expected in ((row.has, True), (row.lacks, False)):
            for constraint in set(statements) - set(row.differs):
                for each in CONSTRAINTS[constraint]:
                    assert (each in handled) == expected, (name, constraint)
        for constraint in row.differs:
            assert [each for each in CONSTRAINTS[constraint] if each in handled]
    assert not set(row.has) & set(row.lacks)
    assert set(row.has) | set(row.lacks) <= set(CONSTRAINTS)


def test_a_fit_has_the_row_of_the_paper():
    found = un.describe(un.Continuum.from_units(NESTED))
    papers = {fit.measure: fit.paper for fit in found.measure_fits}

    assert papers["gamma"].startswith("γ: categorizing, unitizing, overlap, chance correction")
    assert "not overlap (§3.4.3, p. 447, and §6.1.8, p. 465)" in papers["u_alpha"]
    assert papers["boundary_similarity"] == ""


def test_a_label_distance_serves_gamma_but_not_the_alpha_of_positions():
    """The dissimilarity of γ and cuα have one; uα compares labels as equal or not."""
    fitting = fits(FREE, ordered=True)

    assert "gamma" in fitting
    assert "u_alpha_coding" in fitting
    assert "u_alpha" not in fitting
    assert "labels" not in MEASURES["u_alpha_binary"].handles
