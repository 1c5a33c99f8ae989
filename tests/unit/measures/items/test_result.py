"""What a coefficient on items returns can be read, stored and shown."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import replace

import pytest

from unisono.measures.items.alpha import krippendorff_alpha
from unisono.measures.items.kappas import cohen_kappa, percent_agreement
from unisono.measures.items.result import ItemsAgreement, ItemsTable
from unisono.measures.items.table import measure_items
from unisono.model.ratings import Ratings
from unisono.results.values import Interval, Signature

RATINGS = Ratings.from_matrix({"ann": ["a", "b", "b", "a"], "bob": ["a", "b", "a", None]})
UNDEFINED = Ratings.from_matrix([["a", "a"], ["a", "a"]])


def made(**fields: object) -> ItemsAgreement:
    given = {"value": 0.5, "observed": 0.2, "expected": 0.4, "signature": Signature("alpha")}
    return ItemsAgreement(**(given | {"n_items": 3, "n_annotators": 2, "n_ratings": 6} | fields))  # type: ignore[arg-type]


def test_agreements_are_what_disagreements_leave():
    result = made()
    assert (result.observed_agreement, result.expected_agreement) == (0.8, 0.6)


def test_a_result_tells_itself_in_a_line():
    assert repr(krippendorff_alpha(RATINGS)) == "ItemsAgreement(0.4444, 2 annotators, 3 items)"
    assert repr(krippendorff_alpha(UNDEFINED)).startswith("ItemsAgreement(undefined: all values")
    assert f"{krippendorff_alpha(RATINGS):.2f}" == "0.44"


def test_details_cannot_be_changed():
    result = krippendorff_alpha(RATINGS)
    with pytest.raises(TypeError):
        result.by_label["a"] = result  # type: ignore[index]
    with pytest.raises(TypeError):
        result.by_pair["ann", "bob"] = result  # type: ignore[index]


def test_results_are_equal_field_by_field_and_survive_a_pickle():
    result = krippendorff_alpha(RATINGS)
    assert result == krippendorff_alpha(RATINGS) == pickle.loads(pickle.dumps(result))  # noqa: S301
    assert result != krippendorff_alpha(RATINGS, by_label=False)
    assert hash(result) == hash(krippendorff_alpha(RATINGS))


def test_an_interval_can_be_put_beside_a_value():
    interval = Interval(0.1, 0.9, confidence=0.95, method="percentile")
    result = replace(krippendorff_alpha(RATINGS), interval=interval, p_value=0.25)
    assert result.interval == interval
    assert result.p_value == 0.25
    assert result.by_label == krippendorff_alpha(RATINGS).by_label


def test_plain_data_have_the_names_of_the_fields():
    record = krippendorff_alpha(RATINGS).to_dict()
    assert record["value"] == pytest.approx(4 / 9)
    assert record["observed_agreement"] == pytest.approx(2 / 3)
    assert (record["n_items"], record["n_left_out"], record["n_ratings"]) == (3, 1, 6)
    assert list(record["by_label"]) == ["a", "b"]
    assert record["by_pair"][0]["annotators"] == ["ann", "bob"]
    assert list(record)[-1] == "signature"


def test_json_has_no_nan():
    record = json.loads(krippendorff_alpha(UNDEFINED).to_json())
    assert record["value"] is None
    assert "chance never disagrees" in record["undefined"]
    assert json.loads(percent_agreement(RATINGS).to_json())["expected"] is None


def test_labels_that_read_alike_have_keys_of_their_own():
    mixed = Ratings.from_matrix([[1, "1", "b"], [1, "1", 1]])
    assert list(krippendorff_alpha(mixed).to_dict()["by_label"]) == ["1", "1 (text)", "b"]


def test_markdown_has_labels_pairs_and_facts():
    text = cohen_kappa(RATINGS).to_markdown()
    assert "| Cohen's κ | 0.4000 |" in text
    assert "| ann – bob" in text
    assert "- items: 3 (and 1 without two values to compare)" in text
    assert text.splitlines()[-1].startswith("`cohen_kappa|weights:none|missing:values|data:")


def test_facts_state_what_is_known():
    facts = [(fact.column.heading, fact.text) for fact in made().sheet().facts]
    assert facts == [("annotators", "2"), ("items", "3"), ("values", "6")]
    text = made(standard_error=0.25, p_value=0.01, notes=["two\nlines"]).to_markdown()
    rows = [line.strip("| ").split(" | ") for line in text.splitlines()]
    assert [cell.strip() for cell in rows[0][-2:]] == ["standard error", "p-value"]
    assert [cell.strip() for cell in rows[2][-2:]] == ["0.2500", "0.0100"]
    assert "- note: two\\\\nlines" in text


def test_an_interval_takes_the_place_of_the_standard_error():
    interval = Interval(0.1, 0.9, confidence=0.95, method="percentile")
    shown = made(interval=interval, standard_error=0.25).sheet().tables[0].view()
    assert shown.headings == ["measure", "value", "observed", "expected", "interval 95 %"]


def test_intervals_of_several_levels_each_state_theirs():
    levels = {"a": 0.9, "b": 0.95}
    each = {
        name: made(interval=Interval(0.1, 0.9, confidence=level, method="percentile"))
        for name, level in levels.items()
    }
    shown = ItemsTable(each).sheet().tables[0].view()
    assert shown.headings[-1] == "interval"
    assert [line[-1] for line in shown.cells] == [
        "0.1000 to 0.9000 (90 %)",
        "0.1000 to 0.9000 (95 %)",
    ]


def test_labels_stay_in_their_order_and_pairs_come_with_the_least_agreement_first():
    ratings = Ratings.from_matrix([[1, 2, 3, 1, 2], [1, 2, 3, 2, 2], [1, 3, 1, 1, 2]])
    result = krippendorff_alpha(ratings)
    sheet = result.sheet()
    labels, pairs = (
        next(one for one in sheet.tables if one.name == name) for name in ("label", "pair")
    )
    worst = {
        str(name)
        for name in sorted(result.by_label, key=lambda name: result.by_label[name].value)[:2]
    }
    assert [line[0] for line in labels.view().cells] == ["1", "2", "3"]
    assert [line[0] for line in labels.view(2).cells] == sorted(worst)
    assert labels.view(2).more("…") == "and 1 more label; …"
    assert [row[1] for row in pairs.view(2).rows] == sorted(
        of.value for of in result.by_pair.values()
    )[:2]


def test_at_most_as_many_reasons_as_rows_are_shown():
    alone = Ratings.from_matrix([["a", "b", *map(str, range(9))], ["a", "c", *[None] * 9]])
    table = next(one for one in krippendorff_alpha(alone).sheet().tables if one.name == "label")
    assert len(table.view().sentences) == 9
    assert table.view(3).sentences[2:] == [
        "label 2 is undefined: chance never disagrees on whether a value is '2'",
        "and 6 more reasons",
    ]


def test_names_that_read_alike_when_joined_are_two_pairs():
    pairs = {("a – b", "c"): made(value=0.1), ("a", "b – c"): made(value=0.2)}
    tables = {one.name: one for one in made(by_pair=pairs).sheet().tables if one.people}
    assert [line[1] for line in tables["pair"].view().cells] == ["0.1000", "0.2000"]


def test_a_script_sees_that_a_value_is_missing():
    assert krippendorff_alpha(RATINGS).problems() == []
    assert measure_items(UNDEFINED).problems() == []
    (problem,) = measure_items(UNDEFINED, measures=["alpha", "kappa"]).problems()
    assert problem.startswith("krippendorff_alpha, cohen_kappa are undefined: ")
    assert krippendorff_alpha(UNDEFINED).problems()[0].startswith("krippendorff_alpha is undefined")


# The table


def test_a_table_is_a_mapping_of_results():
    table = measure_items(RATINGS, measures=["alpha", "kappa"])
    assert list(table) == ["krippendorff_alpha", "cohen_kappa"]
    assert len(table) == 2
    assert table["cohen_kappa"] == cohen_kappa(RATINGS)
    assert repr(table) == "ItemsTable(krippendorff_alpha, cohen_kappa)"
    assert table == pickle.loads(pickle.dumps(table))  # noqa: S301


def test_a_table_is_printed_with_reasons():
    lines = str(measure_items(UNDEFINED, measures=["percent", "alpha"])).splitlines()
    assert lines[0].split() == ["measure", "value", "observed", "expected", "standard", "error"]
    assert lines[1].split() == ["percent", "agreement", "1.0000", "0.0000", "–", "0.0000"]
    assert lines[2].split() == ["Krippendorff's", "α", "undefined", "0.0000", "0.0000", "–"]
    assert lines[3].startswith("Krippendorff's α is undefined: all values")


def test_a_table_without_coefficients_has_headings_alone():
    table = measure_items(RATINGS, measures=[])
    assert str(table).split() == ["measure", "value", "observed", "expected"]
    assert table.problems() == []
    assert [fact.column.heading for fact in table.sheet().facts] == ["compared"]
    assert table.to_csv().startswith("scope,measure,label,annotator_a,")


def test_a_table_shows_intervals():
    interval = Interval(0.1, 0.9, confidence=0.95, method="percentile")
    table = ItemsTable({"krippendorff_alpha": replace(made(), interval=interval)})
    assert "interval 95 %" in str(table)
    assert "0.1000 to 0.9000" in str(table)


def test_a_table_as_json_and_markdown():
    table = measure_items(RATINGS, measures=["alpha", "percent"])
    assert json.loads(table.to_json(indent=1)) == {"schema": 1} | table.to_dict()
    assert math.isclose(table.to_dict()["measures"]["krippendorff_alpha"]["value"], 4 / 9)
    text = table.to_markdown()
    assert text == table._repr_markdown_()
    assert "| Krippendorff's α  |" in text
    assert text.count("`") == 4


def test_markdown_of_a_table_lists_reasons_and_each_note_once():
    unequal = Ratings.from_matrix({"a": [1, 2, 1], "b": [1, 1, 2], "c": [1, None, None]})
    text = measure_items(unequal, measures=["gwet", "scott"]).to_markdown()
    assert "- Scott's π is undefined: Scott's π is for two annotators" in text
    assert text.count("Gwet's own AC takes") == 1
    assert "- note: Gwet's AC: items differ" in text
