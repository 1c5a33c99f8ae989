"""The page docs/measures.md, made from the registry: ``python tests/support/measure_page.py``."""

from __future__ import annotations

from pathlib import Path

from unisono.registry import FAMILIES, MEASURES, SETTINGS, Measure
from unisono.reports.methods import PAPERS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"
DATA = {
    "units": "units of a continuum or a corpus",
    "items": "ratings of given items",
    "segments": "segmentations of texts",
    "reference": "units of a reference and of a hypothesis",
}
TITLES = {
    "gamma": "γ, γcat and γk",
    "unitizing": "Alphas for unitizing",
    "atoms": "Discretised κ",
    "segmentation": "Segmentation",
    "items": "Given items",
    "reference": "Against a reference",
}
INTRODUCTION = """\
# All measures

One table for each family. The *name* is the same everywhere: in signatures, JSON, CSV, options and
Python. Aliases are understood wherever a name is. *Perfect* is the value of annotators who agree on
everything, *chance* the value that chance has on average; a dash means that it depends on the data.
This page is made from the table of measures in the program.
"""


def page() -> str:
    """Return the whole page."""
    parts = [INTRODUCTION]
    for family in FAMILIES.values():
        members = [measure for measure in MEASURES.values() if measure.family == family.name]
        kinds = dict.fromkeys(DATA[measure.data] for measure in members)
        known = ", ".join(sorted(family.takes))
        parts.append(f"## {TITLES[family.name]}\n")
        parts.append(
            f"Command `unisono {family.command}`. Takes {' or '.join(kinds)}; knows {known}.\n"
        )
        parts.append(
            "| name | | what it compares | perfect | chance | settings | aliases | source |"
        )
        parts.append("| :--- | :--- | :--- | ---: | ---: | :--- | :--- | :--- |")
        parts += [row(measure) for measure in members]
        parts.append("")
    parts.append("## Settings\n")
    parts.append("| setting | what it does | choices |")
    parts.append("| :--- | :--- | :--- |")
    for setting in SETTINGS.values():
        what = setting.help.replace("|", "\\|")
        parts.append(f"| `{setting.name}` | {what} | {', '.join(setting.choices) or '–'} |")
    return "\n".join(parts) + "\n"


def row(measure: Measure) -> str:
    """Return the row of a measure."""
    chance = "–" if measure.by_chance is None else f"{measure.by_chance:g}"
    cells = (
        f"`{measure.name}`",
        measure.symbol.replace("|", "\\|"),
        measure.meaning,
        f"{measure.perfect:g}",
        chance,
        ", ".join(f"`{name}`" for name in measure.settings) or "–",
        ", ".join(f"`{alias}`" for alias in measure.aliases) or "–",
        "; ".join(PAPERS[key].short for key in measure.references) or "–",
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
