"""Measures of chains: κ of antecedents, α of sets, policies, documents, and the table."""

from __future__ import annotations

import math
from itertools import permutations

import pytest

import unisono as un
from unisono.measures.chains import scores
from unisono.measures.distances import NAMED_DISTANCES
from unisono.model.chains import POLICIES

GROUPS = {"ann": ["abc", "de", "f"], "bob": ["ab", "cde"], "cat": ["abcg", "d", "e"]}
CHAINS = un.Chains.from_groups({name: list(map(list, each)) for name, each in GROUPS.items()})
# Figure 1 of Passonneau (2006), with spans as units.
FIGURE_1 = un.Chains.from_groups({"A1": [[1, 2, 3, 4], [5, 7], [6]], "A2": [[1, 2, 3, 4, 5, 6, 7]]})
# Figure 3.
FIGURE_3 = un.Chains.from_groups({"A3": [["x", "y"], ["z"]], "A4": [["x"], ["y", "z"]]})


def test_kappa_of_antecedents_of_komen():
    """Table (9): the same antecedents, as chains would name them, give κ of 1/6."""
    john = [0, 13, 23, 0, 0, 13, 0, 62, 0, 0]
    mary = [0, 13, 0, 0, 0, 0, 0, 0, 13, 0]
    ratings = un.Ratings.from_matrix({"john": john, "mary": mary})

    assert float(un.cohen_kappa(ratings)) == pytest.approx((0.6 - 0.52) / (1 - 0.52))


def test_kappa_by_hand():
    """Antecedents of a…f: ann −ab−d−, bob −a−cd·; with f alone for bob too."""
    pair = CHAINS.only(["ann", "bob"])
    kappa = un.antecedent_kappa(pair, unshared="singletons")
    ann = ["-", "a", "b", "-", "d", "-"]
    bob = ["-", "a", "-", "c", "d", "-"]
    by_hand = un.cohen_kappa(un.Ratings.from_matrix([ann, bob]))

    assert float(kappa) == float(by_hand)
    assert kappa.observed == pytest.approx(2 / 6)


@pytest.mark.parametrize("distance", ["nominal", "jaccard", "dice", "masi"])
def test_alpha_is_that_of_partitions(distance):
    alpha = un.chain_alpha(FIGURE_1, distance=distance)
    ratings = un.Ratings.from_partitions({name: list(FIGURE_1[""][name]) for name in ("A1", "A2")})
    expected = un.krippendorff_alpha(ratings, distance=distance)

    assert (alpha.value, alpha.observed, alpha.expected) == (
        expected.value,
        expected.observed,
        expected.expected,
    )


def test_the_masi_of_figure_3_is_7_of_27():
    """The paper prints 6/27, an arithmetic slip: its sets give 7/27."""
    assert 1 - un.chain_alpha(FIGURE_3, distance="masi").observed == pytest.approx(7 / 27)


def naive(name, key, response):
    """Return recall and precision by definition, over all pairs and all assignments."""

    def links(chains):
        return {
            frozenset(pair) for chain in chains for pair in permutations(chain, 2) if len(chain) > 1
        }

    def half(one, other):
        mentions = {each for chain in one for each in chain}
        of = {each: set(chain) for chain in other for each in chain}
        if name == "muc":
            parts = sum(
                len({tuple(sorted(of.get(each, {each}))) for each in chain}) for chain in one
            )
            return (len(mentions) - parts) / (len(mentions) - len(one))
        if name == "b_cubed":
            at = {each: set(chain) for chain in one for each in chain}
            return sum(len(at[m] & of.get(m, set())) / len(at[m]) for m in mentions) / len(mentions)
        if name == "lea":
            total = 0.0
            for chain in map(set, one):
                if len(chain) == 1:
                    total += any(set(each) == chain for each in other)
                else:
                    own = links([chain])
                    total += len(chain) * len(own & links(other)) / len(own)
            return total / len(mentions)
        entity = name == "ceaf_entities"
        short, long = sorted((list(map(set, one)), list(map(set, other))), key=len)

        def phi(a, b):
            return 2 * len(a & b) / (len(a) + len(b)) if entity else len(a & b)

        best = max(
            sum(phi(a, b) for a, b in zip(short, chosen, strict=True))
            for chosen in permutations(long, len(short))
        )
        return best / (len(one) if entity else len(mentions))

    return half(key, response), half(response, key)


@pytest.mark.parametrize("name", ["muc", "b_cubed", "lea", "ceaf_mentions", "ceaf_entities"])
def test_scores_are_those_by_definition(name):
    found = getattr(un, name)(CHAINS).by_pair

    for (one, other), score in found.items():
        recall, precision = naive(name, CHAINS[""][one], CHAINS[""][other])
        assert (score.recall, score.precision) == pytest.approx((recall, precision))


def test_the_value_is_the_mean_of_the_pairs():
    result = un.b_cubed(CHAINS)

    assert len(result.by_pair) == 3
    assert float(result) == pytest.approx(sum(each.value for each in result.by_pair.values()) / 3)
    assert result.observed == 1 - result.value
    assert math.isnan(result.expected)


@pytest.mark.parametrize("name", ["muc", "b_cubed", "ceaf_entities", "antecedent_kappa"])
def test_all_policies_are_known_and_one_is_the_value(name):
    measure = getattr(un, name)
    first = measure(CHAINS)
    assert tuple(first.by_policy) == POLICIES
    for policy in POLICIES:
        result = measure(CHAINS, unshared=policy)
        assert result.by_policy == first.by_policy
        assert float(result) == first.by_policy[policy]
        assert result.signature["unshared"] == policy


def test_of_a_score_a_policy_concerns_the_two_annotators_of_a_pair():
    """g, which only cat marked, does not become a chain of ann against bob."""
    both = un.b_cubed(CHAINS, unshared="singletons").by_pair["ann", "bob"]

    assert (
        both == un.b_cubed(CHAINS.only(["ann", "bob"]), unshared="singletons").by_pair["ann", "bob"]
    )


def test_documents_are_pooled_and_not_averaged():
    groups = {
        "ann": {"one": [["a", "b"]], "two": [["a", "b", "c", "d"]]},
        "bob": {"one": [["a", "b"]], "two": [["a", "b"], ["c", "d"]]},
    }
    score = un.muc(un.Chains.from_groups(groups)).by_pair["ann", "bob"]

    assert (score.recall, score.precision) == (3 / 4, 1.0)


def test_only_documents_that_both_saw_count():
    groups = {"ann": {"one": [["a", "b"]], "two": [["x", "y"]]}, "bob": {"one": [["a", "b"]]}}

    assert float(un.muc(un.Chains.from_groups(groups))) == 1.0
    assert (
        float(un.chain_alpha(un.Chains.from_groups({**groups, "cat": {"one": [["a"], ["b"]]}}))) < 1
    )


def test_who_did_not_see_a_document_gets_no_singletons():
    groups = {"ann": {"one": [["a", "b"]], "two": [["x"]]}, "bob": {"one": [["a"], ["b"]]}}
    chains = un.Chains.from_groups(groups)

    assert "bob" not in chains.under("singletons")["two"]
    assert chains.ratings(unshared="singletons").n_ratings == 5


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        ({"ann": [["a", "b"]]}, "no document has two annotators"),
        ({"ann": {"one": [["a"]]}, "bob": {"two": [["a"]]}}, "no document has two annotators"),
        ({"ann": [["a"]], "bob": [["a"]]}, "no chain has two mentions"),
    ],
)
def test_muc_without_links_is_undefined(groups, why):
    result = un.muc(un.Chains.from_groups(groups))

    assert math.isnan(result)
    assert str(result.undefined).startswith(why)
    assert result.problems()[0].startswith("muc is undefined: ")


def test_the_table_has_alpha_with_each_distance_of_sets():
    table = un.measure_chains(CHAINS)
    distances = [key.partition(":")[2] for key in table if ":" in key]

    assert distances[:3] == ["nominal", "jaccard", "dice"]
    assert set(distances[3:]) == {"masi", "masi-product"} & set(NAMED_DISTANCES)
    assert float(table["chain_alpha:dice"]) == float(un.chain_alpha(CHAINS, distance="dice"))


def test_aliases_and_unknown_measures():
    assert list(un.measure_chains(CHAINS, measures=["b3", "CEAF-E"])) == [
        "b_cubed",
        "ceaf_entities",
    ]
    with pytest.raises(un.SettingError, match="unknown measure 'bcubed'; choose one of "):
        un.measure_chains(CHAINS, measures=["bcubed"])
    with pytest.raises(un.SettingError, match="unknown unshared='dropped'; choose one of "):
        un.measure_chains(CHAINS, unshared="dropped")  # type: ignore[arg-type]


def test_something_else_is_refused():
    with pytest.raises(TypeError, match="muc takes Chains, which read_chains reads"):
        un.muc(un.Continuum.from_units([("ann", 0, 1, "a")]))  # type: ignore[arg-type]


def test_a_large_assignment_is_exact():
    """200 chains of 5, of which each annotator moves one mention on: the map is the identity."""
    one = [[5 * at + k for k in range(5)] for at in range(200)]
    other = [[(5 * at + k + 1) % 1000 for k in range(5)] for at in range(200)]
    result = un.ceaf_mentions(un.Chains.from_groups({"ann": one, "bob": other}))

    assert float(result) == pytest.approx(4 / 5)
    assert scores.overlap_of(one, other).reverse.reverse == scores.overlap_of(one, other)


def test_no_note_is_on_an_interval_that_is_not_there():
    chains = un.Chains.from_groups(
        {name: [list(range(k, 40, 3 + n)) for k in range(3 + n)] for n, name in enumerate("ab")}
    )

    assert un.chain_alpha(chains).interval is None
    assert un.antecedent_kappa(chains).notes == un.chain_alpha(chains).notes == ()
