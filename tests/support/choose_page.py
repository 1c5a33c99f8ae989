"""The tables of docs/choose-a-measure.md: ``python tests/support/choose_page.py``."""

from __future__ import annotations

from pathlib import Path

from measure_page import line
from unisono.registry import CONSTRAINTS, MEASURES, PAPER_ROWS, PROPERTIES, TASKS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "choose-a-measure.md"
_OF_TASKS = ("labels", "units", "nested", "overlap", "sporadic")


def tables() -> dict[str, str]:
    """Return the tables by name."""
    properties = [line(("name", "what holds", "in the paper", "question"))]
    properties.append("| :--- | :--- | :--- | :--- |")
    properties += [
        line((f"`{each.name}`", each.title, each.paper or "–", each.question or "from the data"))
        for each in PROPERTIES.values()
    ]
    shown = [each for each in PROPERTIES if each != "documents"]
    measures = [line(("measure", *(f"`{name}`" for name in shown)))]
    measures.append(f"| :--- |{' :-: |' * len(shown)}")
    for measure in MEASURES.values():
        if not measure.by_label:
            marks = ("✓" if name in measure.handles else "" for name in shown)
            measures.append(line((measure.title, *marks)))
    tasks = [line(("task", *(PROPERTIES[name].paper for name in _OF_TASKS)))]
    tasks.append(f"| :--- |{' :-: |' * len(_OF_TASKS)}")
    for task in TASKS:
        marks = (
            "✓" if name in task.has else "possible" if name in task.may_have else ""
            for name in _OF_TASKS
        )
        tasks.append(line((task.name, *marks)))
    papers = [line(("row of Table 2", "here", "has", "has not"))]
    papers.append("| :--- | :--- | :--- | :--- |")
    for row in PAPER_ROWS:
        here = ", ".join(MEASURES[name].title for name in row.measures)
        statements = (
            "; ".join(f"{name} ({places[name]})" for name in CONSTRAINTS if name in places) or "–"
            for places in (row.has, row.lacks)
        )
        changes = "".join(f" ({name}: {how})" for name, how in row.differs.items())
        papers.append(line((row.name, here + changes, *statements)))
    made = {"properties": properties, "measures": measures, "tasks": tasks, "papers": papers}
    return {name: "\n".join(lines) for name, lines in made.items()}


def page(text: str) -> str:
    """Return the page with its tables made anew, each between two comments."""
    for name, table in tables().items():
        head, mark, rest = text.partition(f"<!-- {name} -->\n")
        text = f"{head}{mark}{table}\n<!-- end -->{rest.partition('<!-- end -->')[2]}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
