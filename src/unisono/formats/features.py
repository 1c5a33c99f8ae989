"""Which feature of a layer is the label, in formats where layers have features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.errors import AmbiguousInputError, ReadError, setting
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from unisono.formats.contents import Contents, ReadOptions


# What the layers that come with WebAnno and INCEpTION call their label.
_USUAL = ("value", "label", "PosValue", "category", "type")


def label_features(
    layers: Mapping[str, Sequence[str]], options: ReadOptions, path: Path
) -> dict[str, str | None]:
    """Choose the feature of each layer that is its label.

    It is the one the caller names; otherwise ``value`` or another usual name, or the only one.

    Parameters
    ----------
    layers
        Layer to its features.
    options
        What the caller says.
    path
        The file, for messages.

    Returns
    -------
    dict
        Layer to feature; `None` where there is no label.

    Raises
    ------
    ReadError
        No layer has the feature the caller names, or nothing tells which one it is.
    """
    if options.label is False:
        return dict.fromkeys(layers)
    wanted = {name: features for name, features in layers.items() if options.wants_layer(name)}
    if options.label is not None:
        everything = list(dict.fromkeys(name for own in wanted.values() for name in own))
        if wanted and options.label not in everything:
            problem = f"no feature {options.label!r}; there are {listed(everything) or 'none'}"
            raise ReadError(problem, path=path)
        return {name: str(options.label) for name in layers}
    chosen: dict[str, str | None] = {}
    for name, features in layers.items():
        usual = [each for each in _USUAL if each in features]
        chosen[name] = next(iter([*usual, *features]), None)
        # Of several layers one has to be chosen first, and that is asked for elsewhere.
        if not usual and len(features) > 1 and list(wanted) == [name]:
            problem = (
                f"the layer {name!r} has the features {listed(features)}; "
                f"say which is the label with {setting('label')}"
            )
            raise AmbiguousInputError(problem, path=path)
    return chosen


def used_features(
    layers: Mapping[str, Sequence[str]], options: ReadOptions, path: Path
) -> dict[str, str | None]:
    """Choose the label where only the features in use are known, not all there are.

    Another file of the same layer may use others, so nothing but a usual name is taken without
    being asked for.

    Raises
    ------
    ReadError
        No feature has a usual name, and the caller names none.
    """
    if options.label is not None:
        asked = None if options.label is False else str(options.label)
        return dict.fromkeys(layers, asked)
    for name, features in layers.items():
        unusual = features and not any(each in features for each in _USUAL)
        if unusual and [each for each in layers if options.wants_layer(each)] == [name]:
            problem = (
                f"the layer {name!r} has the features {listed(features)}; "
                f"say which is the label with {setting('label')}"
            )
            raise AmbiguousInputError(problem, path=path)
    return {
        name: next((each for each in _USUAL if each in features), None)
        for name, features in layers.items()
    }


def check_used(
    used: Mapping[str, Collection[str]], options: ReadOptions, contents: Contents
) -> None:
    """Object to a label that no unit has: it is more likely misspelt than never used.

    Parameters
    ----------
    used
        Layer or type of the units to the features they have; empty if there are no units.
    options, contents
        What the caller says, and where to object.
    """
    wanted = [features for layer, features in used.items() if options.wants_layer(layer)]
    if not wanted or not isinstance(options.label, str):
        return
    names = dict.fromkeys(name for features in wanted for name in features)
    if options.label not in names:
        told = f"there are {listed(names)}" if names else "they have none"
        contents.object(
            f"no unit has the feature {options.label!r}; {told}. To take them as units without "
            f"label, say {setting('on_error', 'skip')}"
        )
