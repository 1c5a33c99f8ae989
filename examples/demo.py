"""What `make demo` shows: how much three people agree on one interview, and where they do not."""

from __future__ import annotations

from pathlib import Path

import unisono as un

HERE = Path(__file__).parent

NEXT_COMMANDS = """
Try next (after: source .venv/bin/activate)

  unisono gamma examples/interview.csv --seed 1                  the same numbers
  unisono align examples/interview.csv                           every group, in order
  unisono gamma examples/corpus --seen-by corpus --seed 1     four documents, pooled

To see it in your browser

  make serve                                                     the page, and your own files on it
"""


def main() -> None:
    """Read, measure, show."""
    corpus = un.read(HERE / "interview.csv")
    interview = corpus["interview"]
    # As the command does: the name of a document joins its random stream.
    result = un.gamma(corpus, rng=1)
    print("Three people marked the questions, answers and asides of a ten-minute interview.\n")
    print(f"{interview!r}\n\n{result.to_markdown()}")

    alignment = un.best_alignment(interview)
    worst = sorted(range(len(alignment)), key=lambda i: -alignment.group_disorders[i])[:3]
    print("\nWhere they agree least (a unit that nobody shares has the disorder 1):\n")
    for i in worst:
        said = in_words(alignment.groups[i], interview.annotators)
        print(f"- {said} Disorder {alignment.group_disorders[i]:.2f}.")
    print(NEXT_COMMANDS, end="")


def in_words(group: tuple[un.Unit | None, ...], annotators: tuple[str, ...]) -> str:
    """Say who marked what in one group, and who has nothing there."""
    units = [unit for unit in group if unit is not None]
    who_said: dict[str, list[str]] = {}
    for unit in units:
        who_said.setdefault(str(unit.label), []).append(unit.annotator)
    without = [name for name, unit in zip(annotators, group, strict=True) if unit is None]
    where = f"From {min(u.start for u in units):g} to {max(u.end for u in units):g} s"
    said = [f"{' and '.join(names)} marked {label!r}" for label, names in who_said.items()]
    if without:
        has = "has" if len(without) == 1 else "have"
        said.append(f"{' and '.join(without)} {has} nothing to match it")
    return f"{where}, {', '.join(said)}."


if __name__ == "__main__":
    main()
