"""The γ family against values that other programs state; see gamma_peers_fixtures.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import oracle
import unisono as un

FILE: dict[str, Any] = json.loads(
    Path(__file__).with_name("gamma_peers_fixtures.json").read_text(encoding="utf-8")
)


def near(stated: float, within: float = 1e-6) -> Any:
    """They compute with numbers of 32 bits."""
    return pytest.approx(stated, rel=1e-6, abs=within)


def having(part: str) -> pytest.MarkDecorator:
    chosen = [fixture for fixture in FILE["fixtures"] if part in fixture]
    return pytest.mark.parametrize("fixture", chosen, ids=[each["id"] for each in chosen])


def weights_of(fixture: dict[str, Any]) -> dict[str, Any]:
    return {key: float(fixture[key]) for key in ("position", "label", "empty")}


def dissimilarity_of(fixture: dict[str, Any]) -> un.CombinedDissimilarity:
    settings = weights_of(fixture)
    if "labels" in fixture:
        settings["distance"] = un.DistanceMatrix(fixture["labels"], fixture["distances"])
    return un.CombinedDissimilarity(**settings)


def rules_of(fixture: dict[str, Any]) -> oracle.Rules:
    if "labels" not in fixture:
        return oracle.Rules(**weights_of(fixture))
    place = {label: i for i, label in enumerate(fixture["labels"])}
    return oracle.Rules(
        **weights_of(fixture),
        distance=lambda one, other: float(fixture["distances"][place[one]][place[other]]),
    )


def continuum_of(annotators: dict[str, list[list[Any]]]) -> un.Continuum:
    rows = [(name, *unit) for name, units in annotators.items() for unit in units]
    return un.Continuum.from_units(rows)


def sets_of(annotators: dict[str, list[list[Any]]]) -> oracle.Sets:
    return [sorted((s, e, label) for s, e, label in annotators[who]) for who in sorted(annotators)]


@having("pairs")
def test_dissimilarities_of_pairs_are_theirs(fixture):
    together, position = (
        dissimilarity_of(fixture),
        un.PositionalDissimilarity(empty=float(fixture["empty"])),
    )
    for one, i, other, j, of_positions, of_labels, combined in fixture["pairs"]:
        left = un.Unit(one, *fixture["annotators"][one][i])
        right = un.Unit(other, *fixture["annotators"][other][j])
        assert together.of_units(left, right) == near(combined)
        if of_positions is not None:
            assert position.of_units(left, right) == near(of_positions)
        if of_labels is not None:
            labels = un.CategoricalDissimilarity(empty=float(fixture["empty"]))
            assert labels.of_units(left, right) == near(of_labels)


@having("draws")
def test_best_disorders_of_random_continua_are_theirs(fixture):
    dissimilarity = dissimilarity_of(fixture)
    for draw in fixture["draws"]:
        alignment = un.best_alignment(continuum_of(draw["annotators"]), dissimilarity=dissimilarity)
        assert alignment.proven
        assert alignment.disorder == near(draw["printed"])


@having("best")
def test_the_best_disorder_with_other_weights_and_distances_is_theirs(fixture):
    alignment = un.best_alignment(
        continuum_of(fixture["annotators"]), dissimilarity=dissimilarity_of(fixture)
    )
    sets, rules = sets_of(fixture["annotators"]), rules_of(fixture)
    slow = oracle.disorder(oracle.by_integer_program(sets, rules), sets, rules)

    best = fixture["best"]
    assert alignment.disorder == near(best["printed"], best.get("within", 1e-6))
    assert slow == pytest.approx(alignment.disorder, rel=1e-12)
    if "groups" in best:
        # Of several best alignments we return the finest; theirs is another.
        optima = oracle.BruteForce(sets, rules).optima()
        assert {best["groups"], len(alignment.groups)} <= {len(groups) for groups in optima}


@having("given")
def test_the_disorder_of_given_groups_is_theirs(fixture):
    names, sets = sorted(fixture["annotators"]), sets_of(fixture["annotators"])
    rules, before = rules_of(fixture), [sum(map(len, sets[:k])) for k in range(len(sets))]
    groups = []
    for members in fixture["given"]["groups"]:
        group = [oracle.EMPTY] * len(names)
        for who, number in members:
            unit = tuple(fixture["annotators"][who][number])
            at = names.index(who)
            group[at] = before[at] + sets[at].index(unit)
        groups.append(tuple(group))

    found = oracle.disorder(groups, sets, rules)
    assert found == near(fixture["given"]["printed"])


def test_every_value_has_its_source_file_lines_and_licence():
    for source in FILE["sources"].values():
        assert {"repository", "commit", "licence"} <= set(source)
    for fixture in FILE["fixtures"]:
        assert fixture["source"] in FILE["sources"]
        assert ":" in fixture["where"]
