"""Formats whose units have a type and features: which of them is the layer, and which the label.

Glozz and GATE keep all types side by side, so the type is the label, and there are no layers.
Once the caller chooses a feature as label, or some layers, the type is the layer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from unisono.errors import SettingError, setting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.formats.contents import ReadOptions


class Named(NamedTuple):
    """The layer and the label of a unit."""

    layer: str
    label: str


def named(kind: str, features: Mapping[str, str], options: ReadOptions) -> Named:
    """Tell the layer and the label of a unit by its type and its features."""
    asked = options.label
    if isinstance(asked, int) and asked is not False:
        msg = f"a label is a feature, by name; got {setting('label', asked)}"
        raise SettingError(msg)
    layer = "" if options.layer is None and asked is None else kind
    if asked is False:
        return Named("" if options.layer is None else kind, "")
    if asked is None or asked == "type":
        return Named(layer, kind)
    return Named(layer, features.get(asked, ""))
