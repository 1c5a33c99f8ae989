import json
import math
import pickle

import numpy as np
import pytest

from sample_results import (
    alignment,
    chance_agreement,
    corpus_result,
    gamma_result,
    undefined_gamma_result,
)


def test_it_is_a_number_with_a_signature():
    assert float(gamma_result()) == 0.725
    assert str(gamma_result()).endswith("|seed:42|data:9f1c2ab0|v:0.1.0 = 0.725")


def test_it_shows_itself_in_one_line():
    assert repr(gamma_result()) == "GammaAgreement(0.7250, 2 annotators, 3 units, 4 draws)"
    assert "3 documents" in repr(corpus_result())
    assert "fewer than 2 annotators" in repr(undefined_gamma_result())


def test_labels_are_the_keys():
    by_label = {1: chance_agreement(), frozenset({"a"}): chance_agreement(value=0.5)}

    assert gamma_result(gamma_k=by_label).gamma_k[frozenset({"a"})].value == 0.5


def test_arrays_are_read_only():
    result = gamma_result()

    with pytest.raises(TypeError):
        result.gamma_k["A"] = result.gamma_cat  # type: ignore[index]
    with pytest.raises(TypeError):
        result.documents["x"] = result  # type: ignore[index]
    with pytest.raises(ValueError, match="read-only"):
        result.draw_disorders[0] = 0.0


def test_plain_data_have_the_names_of_the_fields():
    assert list(gamma_result().to_dict()) == [
        "value",
        "observed",
        "expected",
        "undefined",
        "interval",
        "monte_carlo",
        "draws",
        "expected_se",
        "n_left_out",
        "weight",
        "p_value",
        "p_value_note",
        "gamma_cat",
        "gamma_k",
        "alignment",
        "draw_disorders",
        "proven",
        "certified",
        "redrawn",
        "spacing",
        "n_annotators",
        "n_units",
        "units_by_label",
        "annotators_from",
        "skipped",
        "left_out_documents",
        "failed_documents",
        "dissimilarity",
        "notes",
        "monte_carlo_se",
        "gap",
        "chance_bounds",
        "n_as_orderly",
        "signature",
        "documents",
    ]


def test_json_has_all_fields():
    result = gamma_result()
    record = json.loads(result.to_json())

    assert result.alignment is not None
    assert record["gamma_cat"]["value"] == 0.8
    assert record["gamma_k"]["B"]["undefined"] == "no pair of units to compare"
    assert record["draw_disorders"] == [1.9, 2.1, 1.8, 2.2]
    assert record["alignment"]["n_groups"] == len(result.alignment)
    assert record["alignment"]["proven"] is True


def test_documents_come_without_their_draws():
    record = json.loads(corpus_result().to_json())

    assert len(record["draw_disorders"]) == 4
    assert "draw_disorders" not in record["documents"]["talk0"]
    assert record["documents"]["talk0"]["alignment"]["proven"] is True
    assert record["alignment"] is None


def test_labels_that_read_alike_keep_keys_of_their_own():
    values = {"": 0.0, None: 0.1, 1: 0.2, "1": 0.3, "{a}": 0.4, frozenset({"a"}): 0.5}
    by_label = {label: chance_agreement(value=value) for label, value in values.items()}
    record = gamma_result(gamma_k=by_label).to_dict()

    assert {key: of["value"] for key, of in record["gamma_k"].items()} == {
        "": 0.0,
        " (no label)": 0.1,
        "1": 0.2,
        "1 (text)": 0.3,
        "{a}": 0.4,
        "{a} (set)": 0.5,
    }


def test_undefined_is_null_in_json():
    record = json.loads(undefined_gamma_result().to_json())

    assert (record["value"], record["p_value"]) == (None, None)
    assert record["undefined"] == "there are fewer than 2 annotators"


@pytest.mark.parametrize(
    "result", [gamma_result(), undefined_gamma_result(), corpus_result()], ids=repr
)
def test_pickling_keeps_it_equal_and_read_only(result):
    again = pickle.loads(pickle.dumps(result))  # noqa: S301 - our own bytes

    assert again == result
    assert not again.draw_disorders.flags.writeable
    with pytest.raises(TypeError):
        again.documents["x"] = again


def test_other_draws_are_another_result():
    assert gamma_result() != gamma_result(draw_disorders=np.zeros(4))
    assert gamma_result() != gamma_result(gamma_k={})


def test_the_gap_is_that_of_the_alignment():
    unproven = alignment(lower_bound=0.5, proven=False)

    assert gamma_result().gap == 0.0
    assert gamma_result(alignment=unproven, proven=False).gap == pytest.approx(1 / 6)


def test_the_gap_of_a_corpus_is_weighted_by_units():
    unproven = gamma_result(
        alignment=alignment(lower_bound=0.5, proven=False), proven=False, n_units=9
    )
    nothing = undefined_gamma_result(n_units=0)
    documents = {"a": unproven, "b": gamma_result(n_units=3), "c": nothing}

    assert corpus_result(documents=documents, proven=False).gap == pytest.approx(0.75 / 6)
    assert corpus_result(documents=documents, proven=True).gap == 0.0


def test_the_gap_may_be_unknown():
    assert math.isnan(gamma_result(alignment=None, proven=False).gap)


def test_markdown_has_the_family_and_the_facts():
    text = gamma_result(skipped=2, notes=["think again"], redrawn=1, spacing=2.5).to_markdown()

    assert "| γ       |    0.7250 |" in text
    assert "| γk B    | undefined |" in text
    assert "- γk B is undefined: no pair of units to compare" in text
    assert "- annotators: 2 (counted: those with units in the document)" in text
    assert "- draws: 4 (1 without units redrawn)" in text
    assert "- skipped: 2 rows that could not be read" in text
    assert "- spacing: 2.5 (the least distance between two shifts)" in text
    assert "- note: think again" in text
    assert text.endswith("`" + str(gamma_result().signature) + "`")


def test_markdown_escapes_labels():
    text = gamma_result(gamma_k={"a|b_*": chance_agreement()}).to_markdown()

    assert r"γk a\|b\_\*" in text
