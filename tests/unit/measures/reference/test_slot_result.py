import copy
import json
import math
import pickle

import numpy as np
import pytest

import unisono as un

GOLD = un.Continuum.from_units([("g", 0, 5, "A"), ("g", 7, 9, frozenset({"B", "C"}))])
SYSTEM = un.Continuum.from_units([("s", 0, 4, "A"), ("s", 7, 9, "A"), ("s", 20, 21)])
CORPUS = [un.Corpus.from_continua({"x": side, "y": side}) for side in (GOLD, SYSTEM)]


def matching_of(result):
    return result.matching


def results():
    return [
        un.slot_error_rate(GOLD, SYSTEM),
        un.slot_error_rate(*CORPUS, tolerance=0.5),
        un.slot_error_rate(GOLD.only(labels=()), SYSTEM),
        un.slot_error_agreement(un.Continuum.from_units([*GOLD, *SYSTEM])),
        un.compare(GOLD, SYSTEM, draws=5, rng=1),
        un.compare(*CORPUS, draws=5, rng=1, tolerance=1, mapping="best"),
    ]


@pytest.mark.parametrize("result", results())
def test_results_are_values(result):
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301 - our own
    assert copy.deepcopy(result) == result
    assert hash(copy.deepcopy(result)) == hash(result)
    if isinstance(result, un.results.Comparison):
        assert hash(copy.deepcopy(result.exact)) == hash(result.exact)
    assert result != 5


@pytest.mark.parametrize("result", results())
def test_results_become_strict_json_and_markdown(result):
    record = json.loads(result.to_json(), parse_constant=pytest.fail)

    assert record["signature"] == str(result.signature)
    assert un.results.Signature.parse(record["signature"]) == result.signature
    assert str(result.signature) in result._repr_markdown_()
    assert str(result.signature) in str(result)


def test_results_differ_when_data_do():
    assert un.slot_error_rate(GOLD, SYSTEM) != un.slot_error_rate(SYSTEM, GOLD)
    assert un.compare(GOLD, SYSTEM, with_gamma=False) != un.compare(GOLD, GOLD, with_gamma=False)


def test_a_rate_is_a_number_with_a_signature():
    result = un.slot_error_rate(GOLD, SYSTEM)

    assert float(result) == result.value == 1.0
    assert f"{result:.1f}" == "1.0"
    assert f"{result}" == str(result)
    assert str(result).endswith(" = 1.000")
    assert result.signature["reference"] == GOLD.digest[:8]
    assert result.signature["hypothesis"] == SYSTEM.digest[:8]


def test_an_undefined_rate_states_why_everywhere():
    result = un.slot_error_rate(GOLD.only(labels=()), SYSTEM)

    assert "undefined (the reference has no units" in str(result)
    assert "undefined: the reference has no units" in repr(result)
    assert "- the slot error rate is undefined: " in result.to_markdown()
    assert result.to_dict()["value"] is None
    assert "undefined: no document" in repr(
        un.slot_error_agreement(un.Corpus.from_continua({"a": GOLD, "b": SYSTEM}))
    )


def test_a_value_or_a_reason_is_needed():
    for value, reason in ((math.nan, None), (0.5, "why")):
        with pytest.raises(un.DataError, match="a value or a reason"):
            un.results.SlotErrorRate(
                value=value,
                undefined=reason,
                counts=un.results.SlotCounts(),
                signature=un.results.Signature("slot_error_rate"),
            )


def test_a_result_cannot_be_changed():
    result = un.slot_error_rate(GOLD, SYSTEM)

    with pytest.raises(TypeError):
        result.by_label["A"] = un.results.SlotCounts()  # type: ignore[index]
    with pytest.raises(ValueError, match="read-only"):
        matching_of(result).indices[0, 0] = 5


def test_the_matching_runs_along_the_document():
    matching = matching_of(un.slot_error_rate(GOLD, SYSTEM))

    assert [slot.kind for slot in matching.slots] == ["boundary", "type", "insertion"]
    assert list(matching.rows())[2] == ("insertion", None, None, None, 20.0, 21.0, None)
    assert matching.slots[-1].hypothesis == un.Unit("s", 20, 21)
    assert [slot.kind for slot in matching.slots[1:]] == ["type", "insertion"]
    assert repr(matching.slots) == "<3 slots>"
    assert matching.to_dict()["slots"][1]["reference"]["label"] == ["B", "C"]
    assert matching != 5
    assert hash(matching) == hash(copy.deepcopy(matching))


@pytest.mark.parametrize(
    ("indices", "message"),
    [
        ([[0, 0], [1, 1]], "contain every unit exactly once"),
        ([[0, 0], [1, 1], [-1, 1]], "contain every unit exactly once"),
        ([[0, 0, 0]], "need the shape"),
    ],
)
def test_a_matching_has_each_unit_once(indices, message):
    with pytest.raises(un.DataError, match=message):
        un.results.SlotMatching(
            reference=GOLD,
            hypothesis=SYSTEM,
            indices=np.array(indices),
            kinds=np.zeros(len(indices), np.int64),
        )


def test_labels_without_slots_have_no_rate_in_the_table():
    table = un.slot_error_rate(GOLD, SYSTEM).to_markdown()

    assert "| (no label) |" in table
    (line,) = [line for line in table.splitlines() if line.startswith("| (no label)")]
    assert line.split("|")[2].strip() == "–"
