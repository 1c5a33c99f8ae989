"""Colours that most eyes can tell apart, the same for a label in every chart of the same data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from unisono.model.labels import label_order
from unisono.results.record import label_keys

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from unisono.model.labels import Label

__all__ = [
    "AGREE",
    "CALM",
    "INK",
    "WARM",
    "Palette",
    "between",
    "ink_on",
    "listed",
    "palette",
    "same_colours",
    "shown",
]

INK = "#1f2328"
"""Text and lines; a page in dark colours takes another."""
CALM, WARM, AGREE = "#8fa3b3", "#d55e00", "#0072b2"
"""Little and much disorder, and agreement."""
# Okabe & Ito (2008), Color universal design. Their black is grey here, to be seen on a dark page.
_OKABE_ITO = (
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#6b6b6b"),
)
_SHADES = (("#000000", 0.0), ("#000000", 0.38), ("#ffffff", 0.5))
# The last two ranges turn round the text that follows: "evil" would be drawn as "live".
_UNSHOWN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
_NO_LABEL = "(no label)"


class Palette(NamedTuple):
    """How the labels of some data are written and coloured.

    Examples
    --------
    >>> from unisono.charts.style import palette
    >>> found = palette(["VP", "NP", None])
    >>> found.names["NP"], found.colours[found.names["NP"]]
    ('NP', '#e69f00')
    """

    names: dict[Label | None, str]
    """A text of its own for each label."""
    colours: dict[str, str]
    """The colour for each text."""


def palette(labels: Iterable[Label | None]) -> Palette:
    """Give every label a text and a colour, by its place among the sorted labels.

    Parameters
    ----------
    labels
        All labels of the data, in any order.

    Returns
    -------
    Palette
        The first 8 labels have the colours of Okabe and Ito, which people who see some colours
        alike can tell apart; the next 16 have darker and lighter shades of them. After 24 labels
        colours come again, and the texts tell them apart.

    Examples
    --------
    >>> from unisono.charts.style import palette
    >>> len(set(palette(range(24)).colours.values())), len(set(palette(range(99)).colours.values()))
    (24, 24)
    """
    ordered = sorted(set(labels), key=label_order)
    names: dict[Label | None, str] = {}
    taken: set[str] = set()
    for label, key in label_keys(ordered).items():
        name = _NO_LABEL if label is None else shown(key)
        while name in taken:
            name += " (2)"
        taken.add(name)
        names[label] = name
    return Palette(names, {name: _colour(at) for at, name in enumerate(names.values())})


def same_colours(labels: Sequence[Label | None]) -> Sequence[Label | None] | None:
    """Give the labels of a corpus, to colour all its documents alike, unless they are too many.

    Where colours come again, two labels of one document would look the same without need.

    Examples
    --------
    >>> from unisono.charts.style import same_colours
    >>> same_colours(("NP", "VP")), same_colours(range(25))
    (('NP', 'VP'), None)
    """
    return labels if len(labels) <= len(_OKABE_ITO) * len(_SHADES) else None


def shown(text: str) -> str:
    r"""Write a text so that a picture can hold it: as it is, with control characters as escapes.

    Parameters
    ----------
    text
        Any text. Emoji and right-to-left text stay; what would turn other text round, such as
        U+202E, becomes an escape too.

    Examples
    --------
    >>> from unisono.charts.style import shown
    >>> shown("<b>a.b[0]</b>"), shown("two\nlines")
    ('<b>a.b[0]</b>', 'two\\nlines')
    """
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def listed(names: Sequence[str], shown_names: int = 5) -> str:
    """Write the first of some names, which are `shown` already, and how many more there are.

    Examples
    --------
    >>> from unisono.charts.style import listed
    >>> listed(["A", "B", "C"], 2)
    'A, B and 1 more'
    """
    more = len(names) - shown_names
    told = ", ".join(names[:shown_names])
    return f"{told} and {more:,} more" if more > 0 else told


def between(low: str, high: str, share: float) -> str:
    """Mix two colours.

    Parameters
    ----------
    low, high
        As ``#rrggbb``.
    share
        How much of `high`, from 0 to 1.

    Examples
    --------
    >>> from unisono.charts.style import between
    >>> between("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(_parts(low), _parts(high), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def ink_on(colour: str) -> str:
    """Give black or white, whichever is read better on a colour (WCAG 2 contrast).

    Parameters
    ----------
    colour
        As ``#rrggbb``.

    Examples
    --------
    >>> from unisono.charts.style import ink_on
    >>> ink_on("#f0e442"), ink_on("#00405f")
    ('#000000', '#ffffff')
    """
    # Where both contrasts are equal: (L + 0.05)² = 1.05 · 0.05.
    return "#000000" if luminance(colour) > 0.1791 else "#ffffff"


def luminance(colour: str) -> float:
    """Give the relative luminance of a colour, as WCAG 2 defines it.

    Examples
    --------
    >>> from unisono.charts.style import luminance
    >>> round(luminance("#ffffff"), 6), luminance("#000000")
    (1.0, 0.0)
    """
    channels = [part / 255.0 for part in _parts(colour)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in channels]
    return sum(weight * x for weight, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _colour(at: int) -> str:
    toward, share = _SHADES[at // len(_OKABE_ITO) % len(_SHADES)]
    return between(_OKABE_ITO[at % len(_OKABE_ITO)], toward, share)


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
