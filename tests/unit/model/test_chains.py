"""Chains: what is refused, policies, ratings of chains and of antecedents."""

from __future__ import annotations

import pickle

import pytest

import unisono as un

CHAINS = un.Chains.from_groups({"ann": [["a", "b", "c"], ["d"]], "bob": [["a", "b"], ["e"]]})


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ([["a"]], TypeError, "from_groups takes {annotator: [chain, …]}; got list"),
        ({"ann": "ab"}, TypeError, "the chains of 'ann' must be a list of lists of mentions"),
        ({"ann": ["ab"]}, TypeError, "a chain must be a list or a set of mentions; 'ann' has 'ab'"),
        ({"ann": [[]]}, un.DataError, "a chain must contain at least one mention; 'ann' has"),
        ({"ann": [[None]]}, un.DataError, "a mention must be text or a number; 'ann' has None"),
        (
            {"ann": {"one": [["a"], ["a", "b"]]}},
            un.DataError,
            "a mention can be in only one chain of an annotator; 'ann' in document 'one' has 'a'",
        ),
    ],
)
def test_bad_groups_are_refused(groups, error, message):
    with pytest.raises(error) as raised:
        un.Chains.from_groups(groups)
    assert str(raised.value).startswith(message)


def test_names_and_order_of_chains_do_not_count():
    same = un.Chains.from_groups({"bob": [["e"], ["a", "b"]], "ann": [["d"], ["a", "b", "c"]]})

    assert same == CHAINS
    assert hash(same) == hash(CHAINS)
    assert un.Chains.from_groups({"ann": [["a", "b", "c"]], "bob": [["a", "b"], ["e"]]}) != CHAINS
    assert CHAINS != "chains"


def test_it_survives_pickling():
    again = pickle.loads(pickle.dumps(CHAINS))  # noqa: S301 (its own)

    assert again == CHAINS
    assert repr(again) == "Chains(1 document, 2 annotators, 5 mentions, 4 chains)"


def test_it_is_frozen():
    with pytest.raises(TypeError):
        CHAINS.documents["two"] = {}  # type: ignore[index]


def test_policies():
    assert CHAINS.under("as-marked") is CHAINS
    assert CHAINS.under("singletons")[""] == {
        "ann": (("a", "b", "c"), ("d",), ("e",)),
        "bob": (("a", "b"), ("e",), ("c",), ("d",)),
    }
    assert CHAINS.under("left-out")[""] == {"ann": (("a", "b"),), "bob": (("a", "b"),)}
    assert (CHAINS.n_mentions, CHAINS.n_shared) == (5, 2)


def test_ratings_of_antecedents_take_the_mention_before():
    ratings = CHAINS.ratings("antecedent")
    rows = dict(zip(ratings.items or (), ratings.matrix().tolist(), strict=True))
    labels = (*ratings.labels, None)

    assert {item: [labels[code] for code in row] for item, row in rows.items()} == {
        "a": ["(first)", "(first)"],
        "b": ["a", "a"],
        "c": ["b", None],
        "d": ["(first)", None],
        "e": [None, "(first)"],
    }


def test_the_same_mention_in_two_documents_is_two_items():
    chains = un.Chains.from_groups({"ann": {"one": [["a", 1]], "two": [["a", "1"]]}})

    assert chains.ratings().n_items == 4


def test_units_make_chains_within_a_document_and_an_annotator():
    units = [("ann", 0, 1, 7), ("ann", 4, 5, 7), ("ann", 2, 3), ("ann", 6, 7), ("bob", 0, 1, 7)]
    chains = un.Chains.from_corpus(un.Continuum.from_units(units))

    assert chains[""]["ann"] == (("0-1", "4-5"), ("2-3",), ("6-7",))


def test_a_mention_in_two_chains_is_refused_or_kept_once():
    text = un.Continuum.from_units([("ann", 0, 1, "x"), ("ann", 0, 1, "y"), ("ann", 2, 3, "y")])

    with pytest.raises(un.DataError, match="'ann' has '0-1' in two"):
        un.Chains.from_corpus(text)
    kept = un.Chains.from_corpus(text, repeated="first")
    assert kept[""]["ann"] == (("0-1",), ("2-3",))
    assert kept.notes == ("mentions in a second chain, kept in the first only: 1",)


def test_selection_of_annotators():
    assert CHAINS.only("bob").annotators == ("bob",)
    with pytest.raises(un.DataError, match="no annotator 'eve'; the annotators are 'ann', 'bob'"):
        CHAINS.only(["eve"])
