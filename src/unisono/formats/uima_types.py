"""Which features the types of a UIMA type system have, of those that can be a label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from unisono.formats.safe_xml import tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from unisono.formats.safe_xml import Element


_VALUES = frozenset(
    {
        *("String", "StringArray", "StringList", "Boolean", "Byte", "Short", "Integer", "Long"),
        *("Float", "Double"),
    }
)


class _Type(NamedTuple):
    parent: str
    features: list[str]


def xml_features(content: bytes, path: Path) -> dict[str, list[str]]:
    """Read a TypeSystem.xml: type, without its package, to features.

    Raises
    ------
    ReadError
        It is no type system.
    """
    tree = tree_of(content, path, "typeSystemDescription")
    types: dict[str, _Type] = {}
    for each in tree.everything():
        if each.name == "typeDescription":
            features = each.first("features")
            own = [] if features is None else features.named("featureDescription")
            types[_text(each, "name")] = _Type(
                _text(each, "supertypeName"),
                [
                    _text(one, "name")
                    for one in own
                    if _is_value(_text(one, "rangeTypeName"), types)
                ],
            )
    return _short(types)


def json_features(types: object) -> dict[str, list[str]]:
    """Read the ``%TYPES`` of a CAS in JSON: type, without its package, to features."""
    found: dict[str, _Type] = {}
    for name, told in types.items() if isinstance(types, dict) else ():
        if isinstance(told, dict):
            own = [
                feature
                for feature, kind in told.items()
                if isinstance(kind, dict) and _is_value(_range(kind), found)
            ]
            found[name] = _Type(str(told.get("%SUPER_TYPE", "")), own)
    return _short(found)


def _range(kind: Mapping[str, Any]) -> str:
    return str(kind.get("%RANGE", "")).removesuffix("[]")


def _is_value(name: str, types: Mapping[str, _Type]) -> bool:
    """Tell whether a range is a text or number, or a type of texts that is made from them."""
    parent = types[name].parent if name in types else name
    return parent.rpartition(".")[2] in _VALUES and parent.startswith("uima.cas.")


def _text(element: Element, name: str) -> str:
    found = element.first(name)
    return "" if found is None else found.text.strip()


def _short(types: Mapping[str, _Type]) -> dict[str, list[str]]:
    return {
        name.rpartition(".")[2]: [
            feature for each in reversed(list(_line(name, types))) for feature in each.features
        ]
        for name in types
    }


def _line(name: str, types: Mapping[str, _Type]) -> Iterator[_Type]:
    """Give a type and those it inherits from, as far as they are described."""
    passed: set[str] = set()
    while name in types and name not in passed:
        passed.add(name)
        yield types[name]
        name = types[name].parent
