"""Chains of coreference: which mentions belong together, and what a chain is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping


def chain_name(mentions: Iterable[tuple[float, float]]) -> str:
    """Name a chain by its first mention, the same for everyone who marked that mention first.

    Numbers that tools give to chains mean nothing to other annotators; this does.
    """
    start, end = min(mentions)
    return f"{start:.10g}-{end:.10g}"


def joined(
    members: Iterable[Hashable], links: Iterable[Iterable[Hashable]]
) -> dict[Hashable, Hashable]:
    """Give each member one representative of all it is linked with, however indirectly."""
    above: dict[Hashable, Hashable] = {member: member for member in members}

    def top(member: Hashable) -> Hashable:
        while above[member] != member:
            above[member] = above[above[member]]
            member = above[member]
        return member

    for link in links:
        first: Hashable | None = None
        for member in link:
            if member not in above:
                continue
            if first is None:
                first = member
            else:
                above[top(member)] = top(first)
    return {member: top(member) for member in above}


def named_chains(
    chain_of: Mapping[Hashable, Hashable], places: Mapping[Hashable, tuple[float, float]]
) -> dict[Hashable, str]:
    """Give each mention the name of its chain."""
    mentions: dict[Hashable, list[tuple[float, float]]] = {}
    for member, chain in chain_of.items():
        mentions.setdefault(chain, []).append(places[member])
    names = {chain: chain_name(places_) for chain, places_ in mentions.items()}
    return {member: names[chain] for member, chain in chain_of.items()}
