"""Draw frontier.svg: six units of the interview and the states of the frontier program.

Run ``python docs/pictures/frontier.py``. The script needs only the standard library, contains its
own solver, and its output is reproducible byte by byte.
"""

# ruff: noqa: INP001 (a script outside a package)
from __future__ import annotations

from itertools import chain, combinations, product
from pathlib import Path

LANES = ("ines", "jonas", "mika")
# From examples/interview.csv: annotator, start, end, label. mika missed the question, and jonas
# split the answer into two units.
ROWS = (
    ("ines", 66.1, 74.9, "question"),
    ("ines", 75.5, 151.2, "answer"),
    ("jonas", 66.0, 75.2, "question"),
    ("jonas", 75.2, 118.0, "answer"),
    ("jonas", 121.5, 151.0, "answer"),
    ("mika", 76.0, 150.3, "answer"),
)
UNITS = tuple(sorted(ROWS, key=lambda row: (row[1] + row[2], row[1], row[0])))
N = len(LANES)
PAIRS = N * (N - 1) // 2

WIDTH, LEFT, TOP, LANE = 860, 70, 46, 46
STATES_TOP, COLUMN, BOX, STEP = 262, 122, 78, 44

Group = tuple[int, ...]
State = tuple[int, ...]

STYLE = """
  text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #1f2430; }
  .paper { fill: #ffffff; } .faint { fill: #5c6473; font-size: 12px; }
  .lane { stroke: #c9ced8; } .tie { stroke: #2f6fb7; stroke-width: 3; opacity: .55; }
  .question { fill: #cfe3f7; stroke: #2f6fb7; } .answer { fill: #fbe3c0; stroke: #b0761a; }
  .state { fill: #f3f5f9; stroke: #8a93a5; } .best { fill: #cfe3f7; stroke: #2f6fb7; }
  .arc { stroke: #a9b0bf; fill: none; } .path { stroke: #2f6fb7; stroke-width: 3; fill: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9f0; } .paper { fill: #14171d; } .faint { fill: #a2abbd; }
    .lane { stroke: #3b4250; } .tie, .path { stroke: #7db4ee; }
    .question { fill: #1d3a5a; stroke: #7db4ee; } .answer { fill: #4d3813; stroke: #e0aa55; }
    .state { fill: #222732; stroke: #7f899c; } .best { fill: #1d3a5a; stroke: #7db4ee; }
    .arc { stroke: #565f70; }
  }
"""


def saving(u: int, v: int) -> float:
    """Return 1 − d(u, v), the saving of two units in the same group."""
    (_, start_u, end_u, label_u), (_, start_v, end_v, label_v) = UNITS[u], UNITS[v]
    apart = abs(start_u - start_v) + abs(end_u - end_v)
    return 1 - (apart / (end_u - start_u + end_v - start_v)) ** 2 - (label_u != label_v)


def saved(group: Group) -> float:
    """Return the sum of the savings of all pairs of a group."""
    return sum(saving(u, v) for u, v in combinations(group, 2))


def cost(group: Group) -> float:
    """Return the disorder of a group multiplied by the number of pairs of annotators."""
    return PAIRS - saved(group)


def holds_together(group: Group) -> bool:
    """Return whether every split of the group into two costs more (the strict split rule)."""
    parts = chain.from_iterable(combinations(group, k) for k in range(1, len(group)))
    return all(
        sum(saving(u, v) for u, v in product(part, set(group) - set(part))) > -PAIRS
        for part in parts
    )


def groups_by_anchor() -> list[list[Group]]:
    """Return the groups of each anchor (their first unit), larger ones first."""
    found: list[list[Group]] = [[] for _ in UNITS]
    for size in range(N, 1, -1):
        for group in combinations(range(len(UNITS)), size):
            if len({UNITS[u][0] for u in group}) == size and holds_together(group):
                found[group[0]].append(group)
    return found


def most_saved(u: int) -> float:
    """Return an upper bound of the savings of a unit in any group."""
    others = {lane: 0.0 for lane in LANES if lane != UNITS[u][0]}
    for v, unit in enumerate(UNITS):
        if unit[0] in others:
            others[unit[0]] = max(others[unit[0]], saving(u, v))
    return sum(others.values())


def is_dead(state: State, value: float, best: State, least: float) -> bool:
    """Return whether the best state of the layer dominates a state, whatever follows."""
    taken_out = sum(most_saved(u) for u in set(best) - set(state))
    return value > least + taken_out + PAIRS * len(set(state) - set(best))


class Program:
    """The layers of the frontier program, and the best path through them."""

    def __init__(self) -> None:
        self.layers: list[dict[State, float]] = [{(): 0.0}]
        self.dead: list[set[State]] = [set()]
        self.arcs: list[dict[tuple[State, State], Group]] = []
        for i, groups in enumerate(groups_by_anchor()):
            self._expand(i, groups)
        self.path: list[State] = [()]
        self.chosen: list[Group] = []
        for i in range(len(UNITS) - 1, -1, -1):
            self._step_back(i)

    def _expand(self, i: int, groups: list[Group]) -> None:
        reached: dict[State, float] = {}
        arcs: dict[tuple[State, State], Group] = {}
        for state, value in self.layers[i].items():
            if state in self.dead[i]:
                continue
            choices = [()] if i in state else [g for g in groups if not {*g} & {*state}] + [(i,)]
            for group in choices:
                target = tuple(sorted(({*state} | {*group}) - {i}))
                total = value + (cost(group) if group else 0.0)
                if total < reached.get(target, float("inf")):
                    reached[target] = total
                arcs[state, target] = group
        best = min(reached, key=lambda state: reached[state])
        self.layers.append(reached)
        self.arcs.append(arcs)
        self.dead.append({s for s, v in reached.items() if is_dead(s, v, best, reached[best])})

    def _step_back(self, i: int) -> None:
        target = self.path[0]
        for (state, reached), group in self.arcs[i].items():
            paid = self.layers[i][state] + (cost(group) if group else 0.0)
            if reached == target and abs(paid - self.layers[i + 1][target]) < 1e-9:
                self.path.insert(0, state)
                if group:
                    self.chosen.insert(0, group)
                return


def x_of(time: float) -> float:
    """Return the x coordinate of a time."""
    return LEFT + (time - 64) / (153 - 64) * (WIDTH - LEFT - 30)


def text(x: float, y: float, words: str, kind: str = "", anchor: str = "middle") -> str:
    """Return a text element."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{words}</text>'


def draw_lanes(chosen: list[Group]) -> list[str]:
    """Return the elements of the lanes, the units, and the lines that connect groups."""
    middle = [TOP + LANES.index(unit[0]) * LANE + 14 for unit in UNITS]
    centre = [x_of((unit[1] + unit[2]) / 2) for unit in UNITS]
    parts = [text(LEFT - 12, TOP + k * LANE + 19, lane, "", "end") for k, lane in enumerate(LANES)]
    parts += [
        f'<path class="lane" d="M{LEFT} {TOP + k * LANE + 14}H{WIDTH - 20}"/>' for k in range(N)
    ]
    for group in chosen:
        members = sorted(group, key=lambda u: middle[u])
        line = "L".join(f"{centre[u]:.1f} {middle[u]}" for u in members)
        parts.append(f'<path class="tie" fill="none" d="M{line}"/>')
    for u, (_, start, end, label) in enumerate(UNITS):
        parts.append(
            f'<rect class="{label}" x="{x_of(start):.1f}" y="{middle[u] - 12}" '
            f'width="{x_of(end) - x_of(start):.1f}" height="24" rx="4"/>'
        )
        parts.append(text(centre[u], middle[u] + 5, str(u + 1)))
    return parts


def draw_states(program: Program) -> list[str]:
    """Return the elements of the live states of each layer, and the transitions between layers."""
    living = [
        [state for state in states if state not in dead]
        for states, dead in zip(program.layers, program.dead, strict=True)
    ]

    def corner(layer: int, state: State) -> tuple[float, float]:
        ordered = sorted(living[layer], key=lambda s: (program.layers[layer][s], s))
        return 22 + layer * COLUMN, STATES_TOP + 26 + ordered.index(state) * STEP

    back, front = [], []
    for layer, states in enumerate(living):
        x = corner(layer, states[0])[0]
        end = "the end" if layer == len(UNITS) else f"before {layer + 1}"
        front.append(text(x + BOX / 2, STATES_TOP + 10, end, "faint"))
        if program.dead[layer]:
            below = STATES_TOP + 26 + len(states) * STEP + 14
            front.append(text(x + BOX / 2, below, f"{len(program.dead[layer])} dead", "faint"))
        for state in states:
            x, y = corner(layer, state)
            kind = "best" if program.path[layer] == state else "state"
            covered = "{" + ", ".join(str(u + 1) for u in state) + "}" if state else "∅"
            front.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{BOX}" height="36" rx="5"/>')
            front.append(text(x + BOX / 2, y + 15, covered))
            front.append(
                text(x + BOX / 2, y + 30, f"{program.layers[layer][state] / PAIRS:.3f}", "faint")
            )
    for layer, arcs in enumerate(program.arcs):
        for state, target in arcs:
            if target in program.dead[layer + 1]:
                continue
            (x, y), (to_x, to_y) = corner(layer, state), corner(layer + 1, target)
            on_path = program.path[layer : layer + 2] == [state, target]
            back.append(
                f'<path class="{"path" if on_path else "arc"}" '
                f'd="M{x + BOX} {y + 18}L{to_x} {to_y + 18}"/>'
            )
    back.sort(key=lambda line: 'class="path"' in line)
    return back + front


def picture() -> str:
    """Return the picture as the text of an SVG file."""
    program = Program()
    rows = max(
        len(states) - len(dead) for states, dead in zip(program.layers, program.dead, strict=True)
    )
    height = STATES_TOP + 26 + rows * STEP + 34
    title = "Six units of three annotators, their best groups, and the frontier program"
    words = [
        text(20, 26, "Units in sweep order, and the groups of the best alignment", "", "start"),
        text(LEFT, TOP + N * LANE + 8, "blue: question · amber: answer", "faint", "start"),
        text(20, STATES_TOP - 26, "States: which later units are covered already", "", "start"),
        text(
            20,
            height - 14,
            "Below each set: the disorder so far. Dead: dropped (dominance). Thick: the best path.",
            "faint",
            "start",
        ),
    ]
    body = "\n".join([*words, *draw_lanes(program.chosen), *draw_states(program)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" aria-label="{title}">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n"
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>\n{body}\n</svg>\n'
    )


if __name__ == "__main__":
    Path(__file__).with_name("frontier.svg").write_text(picture(), encoding="utf-8")
