import json
import pickle

import pytest

import unisono as un
from unisono.results.values import Signature

TEXTS = {
    "x": {"ann": [2, 3, 6], "bob": [5, 6], "eve": [2, 4, 5]},
    "y": {"ann": [3, 4], "bob": [7]},
}
MEASURES = (un.pk, un.generalized_hamming, un.boundary_similarity)


@pytest.fixture(params=MEASURES, ids=lambda measure: measure.__name__)
def result(request):
    texts = {
        name: {who: un.Segmentation.from_masses(cut) for who, cut in cuts.items()}
        for name, cuts in TEXTS.items()
    }
    return request.param(texts)


def test_json_has_everything_under_its_own_name(result):
    record = json.loads(result.to_json())

    assert record["value"] == result.value
    assert record["expected"] is None
    assert record["documents"]["x"]["n_atoms"] == 11
    assert {tuple(pair["annotators"]) for pair in record["by_pair"]} == set(result.by_pair)
    assert list(record)[-2:] == ["signature", "documents"]


def test_the_signature_can_be_read_back(result):
    assert Signature.parse(str(result.signature)) == result.signature
    assert list(result.signature)[-2:] == ["data", "v"]


def test_a_pickle_is_the_same_result(result):
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301 - our own


def test_markdown_has_the_pairs_and_what_is_perfect(result):
    text = result.to_markdown()

    assert "ann – bob" in text
    headings, _, first = text.splitlines()[:3]
    assert headings.split()[-2] == "perfect"
    assert first.split()[-2] == str(result.perfect)
    assert "documents: 2" in text
    assert result._repr_markdown_() == text


def test_a_result_is_a_number_and_a_line(result):
    assert float(result) == result.value
    assert str(result).startswith(result.signature.measure)
    assert repr(result).startswith(f"SegmentationAgreement({result.value:.4f}, 3 annotators")


def test_what_was_found_cannot_be_changed(result):
    with pytest.raises(TypeError):
        result.by_pair["ann", "bob"] = None
    with pytest.raises(AttributeError):
        result.notes = ()


def test_the_signature_contains_the_settings():
    one, other = un.Segmentation.from_masses([2, 3]), un.Segmentation.from_masses([3, 2])

    assert str(un.pk(one, other).signature).startswith("pk|window:half-mean|convention:papers|")
    assert un.pk(one, other, window=3).signature["window"] == "3"
    assert un.boundary_similarity(one, other, near=3).signature["near"] == "3"
    costs = un.generalized_hamming(one, other, insertion=1, deletion=0.1, shift=2).signature
    assert [costs[name] for name in ("insertion", "deletion", "shift")] == ["1", "0.1", "2"]
    kappa = un.boundary_similarity(one, other).kappa
    assert kappa is not None
    assert str(kappa.signature).startswith("boundary_similarity_kappa|near:2|")


def test_other_data_have_another_signature():
    one, other = un.Segmentation.from_masses([2, 3]), un.Segmentation.from_masses([3, 2])

    assert un.pk(one, other).signature != un.pk(other, one).signature
    named = [un.pk({"ann": one, who: other}).signature for who in ("bob", "eve")]
    assert named[0] != named[1]
