"""The page docs/measures.md, made from the registry: ``python tests/support/measure_page.py``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from unisono.registry import FAMILIES, MEASURES, SETTINGS, STUDIES, Measure, Setting
from unisono.reports.methods import PAPERS

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"
DATA = {
    "units": "units of a continuum or a corpus",
    "items": "ratings of given items",
    "segments": "segmentations of texts",
    "reference": "units of a reference and of a hypothesis",
    "chains": "chains of mentions",
}
TITLES = {
    "gamma": "γ, γcat and γk",
    "unitizing": "Alphas for unitizing",
    "atoms": "Discretised κ",
    "segmentation": "Segmentation",
    "items": "Given items",
    "reference": "Against a reference",
    "chains": "Chains",
}
INTRODUCTION = """\
# All measures

One table for each family. The *name* is the same everywhere: in signatures, JSON, CSV, options and
Python. Aliases are understood wherever a name is. *Perfect* is the value of annotators who agree on
everything, *chance* the value that chance has on average; a dash means that it depends on the data.
This page is made from the tables of measures and settings in the program (`make tables`).
"""


VALUES = {
    "count": "whole number",
    "cost": "number",
    "share": "number",
    "shares": "numbers",
    "seed": "`random`, or a whole number",
    "flag": "yes or no",
    "distance": "name or matrix",
    "labels": "labels",
    "measures": "names",
    "names": "names",
    "column": "name, or number from 1; in Python a mapping from items, or one for each item; not "
    "taken from a [settings file that was found](project-settings.md#allowed-options)",
    "mapping": "`best`, `by-document` or pairs of labels",
    "dissimilarity": "the settings of `CombinedDissimilarity`",
    "text": "text",
}


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION]
    for family in FAMILIES.values():
        members = [measure for measure in MEASURES.values() if measure.family == family.name]
        kinds = dict.fromkeys(DATA[measure.data] for measure in members)
        known = ", ".join(sorted(family.takes))
        own = f" Settings of the command: {code(family.settings)}." if family.settings else ""
        parts.append(f"## {TITLES[family.name]}\n")
        parts.append(
            f"Command `unisono {family.command}`. Takes {' or '.join(kinds)}; knows {known}.{own}\n"
        )
        headings = ("name", "", "what it compares", "perfect", "chance", "settings", "aliases")
        parts.append(line((*headings, "source")))
        parts.append("| :--- | :--- | :--- | ---: | ---: | :--- | :--- | :--- |")
        parts += [row(measure) for measure in members]
        parts.append("")
    parts.append("## Settings\n")
    parts.append(line(("setting", "option", "what it does", "values")))
    parts.append("| :--- | :--- | :--- | :--- |")
    for one in SETTINGS.values():
        both = (one.option.replace("--no-", "--"), one.option)
        option = code(dict.fromkeys(both)) if one.option.startswith("--") else one.option
        parts.append(line((f"`{one.name}`", option, one.help, values(one))))
    parts.append("\n## Other functions with settings\n")
    parts.append(line(("function", "settings", "what differs")))
    parts.append("| :--- | :--- | :--- |")
    for study in STUDIES.values():
        differs = (f"`{own.name}`: {own.help}" for own in study.own)
        parts.append(line((f"`{study.name}`", code(study.settings), " ".join(differs))))
    return "\n".join(parts) + "\n"


def row(measure: Measure) -> str:
    """Return the row of a measure."""
    chance = "–" if measure.by_chance is None else f"{measure.by_chance:g}"
    cells = (
        f"`{measure.name}`",
        measure.symbol,
        measure.meaning,
        f"{measure.perfect:g}",
        chance,
        code(measure.settings),
        code(measure.aliases),
        "; ".join(PAPERS[key].short for key in measure.references) or "–",
    )
    return line(cells)


def values(setting: Setting) -> str:
    """Return which values a setting takes."""
    if setting.choices:
        return ", ".join(setting.choices)
    value, (least, most, above, below) = VALUES[setting.kind], setting.limits
    if least is not None and most is None and below is None:
        return f"{value}, {least:,} or more"
    if above is not None and below is None:
        return f"{value} above {above:,}"
    if least is None and above is None:
        return value
    low = f"from {least:,} to" if above is None else f"between {above:,} and"
    return f"{value} {low} {'below ' if least is not None and below else ''}{most or below:,}"


def code(names: Iterable[str]) -> str:
    """Return names as code, with commas."""
    return ", ".join(f"`{name}`" for name in names) or "–"


def line(cells: Iterable[str]) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
