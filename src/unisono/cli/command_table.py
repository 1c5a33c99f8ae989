"""Which commands there are, in the order and the groups in which help lists them.

A command is loaded when it is run, so that help and the shell's completion come at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import NamedTuple

from cyclopts import Group

from unisono.cli.exit_codes import ExitCode

DATA = Group("Look at data", sort_key=0)
MEASURE = Group("Measure agreement", sort_key=1)
UNDERSTAND = Group("See, understand and decide", sort_key=2)
SIMULATE = Group("Plan and simulate", sort_key=3)
PROGRAM = Group("This program", sort_key=4)


class Entry(NamedTuple):
    """Where a command is, and how help shows it.

    Examples
    --------
    >>> from unisono.cli.command_table import COMMANDS
    >>> COMMANDS["gamma"].module, COMMANDS["gamma"].function
    ('gamma_commands', 'gamma')
    """

    module: str
    """The file in this room; it has the examples of ``--help`` as ``<NAME>_EXAMPLES``."""
    function: str
    """The function of the command."""
    summary: str
    """The first line of its docstring, for the list of commands."""
    group: Group
    """Among which commands it is listed."""
    arguments: str = "PATH..."
    """What follows the options."""

    def loaded(self) -> Callable[..., ExitCode | None]:
        """Import the function of the command.

        Examples
        --------
        >>> from unisono.cli.command_table import COMMANDS
        >>> COMMANDS["gamma"].loaded().__name__
        'gamma'
        """
        command: Callable[..., ExitCode | None] = getattr(self._room(), self.function)
        return command

    def examples(self, name: str) -> str:
        """Give the examples of its help.

        Parameters
        ----------
        name
            What the command is called.

        Examples
        --------
        >>> from unisono.cli.command_table import COMMANDS
        >>> print(COMMANDS["align"].examples("align").splitlines()[2])
          unisono align turns.csv
        """
        return str(getattr(self._room(), f"{name.upper()}_EXAMPLES"))

    def _room(self) -> object:
        return import_module(f"unisono.cli.{self.module}")


COMMANDS: Mapping[str, Entry] = {
    "describe": Entry(
        *("data", "describe"),
        "Say what files hold and which measures fit, before any number.",
        DATA,
    ),
    "convert": Entry(
        *("data", "convert"),
        "Write what files hold in another format.",
        DATA,
        "PATH... TARGET",
    ),
    "gamma": Entry(
        *("gamma_commands", "gamma"),
        "Measure agreement on units and their labels: γ, γcat and γk.",
        MEASURE,
    ),
    "unitizing": Entry(
        *("unitizing_commands", "unitizing"),
        "Measure agreement on units by length: uα, |uα, cuα and (k)uα.",
        MEASURE,
    ),
    "segments": Entry(
        *("segments_commands", "segments"),
        "Measure agreement on where texts are cut: Pk, WindowDiff, B, S.",
        MEASURE,
    ),
    "all": Entry(
        *("all_commands", "all_measures"),
        "Put γ, the alphas, κ_d, slot errors and others side by side.",
        MEASURE,
    ),
    "compare": Entry(
        *("units", "compare"),
        "Score a hypothesis against a reference: F1, slot errors and γ.",
        MEASURE,
        "REFERENCE HYPOTHESIS",
    ),
    "items": Entry(
        *("items", "items"),
        "Measure agreement on given items: α, κ and their relatives.",
        MEASURE,
        "FILE",
    ),
    "report": Entry(
        *("report_commands", "report"),
        "Write one page on agreement: words, numbers, charts, what to do.",
        UNDERSTAND,
    ),
    "chart": Entry(
        *("chart_commands", "chart"),
        "Draw units, alignments, consensus or results as a picture.",
        UNDERSTAND,
        "KIND PATH...",
    ),
    "align": Entry(
        *("gamma_commands", "align"),
        "Show which units belong together: the best alignment.",
        UNDERSTAND,
    ),
    "diagnose": Entry(
        *("diagnose_commands", "diagnose"),
        "Split disagreement into position, labels and missing units.",
        UNDERSTAND,
    ),
    "advise": Entry(
        *("advise_commands", "advise"),
        "Say what to decide first, and what changes would gain.",
        UNDERSTAND,
    ),
    "consensus": Entry(
        *("understand", "consensus"),
        "Make one annotation of what most annotators share.",
        UNDERSTAND,
    ),
    "calibrate": Entry(
        *("calibrate_commands", "calibrate"),
        "Say which errors, and how many, would give the same γ.",
        UNDERSTAND,
    ),
    "missing": Entry(
        *("items", "missing"),
        "Delete values at random to compare policies for missing values.",
        SIMULATE,
        "FILE",
    ),
    "plan": Entry(
        *("simulate", "plan"),
        "Say how many items or documents a wished interval takes.",
        SIMULATE,
    ),
    "shuffle": Entry(
        *("shuffle_commands", "shuffle"),
        "Simulate annotators who know the right answer and make errors.",
        SIMULATE,
        "[PATH...]",
    ),
    "scan": Entry(
        *("shuffle_commands", "scan"),
        "Show how measures fall while simulated errors grow.",
        SIMULATE,
        "[PATH...]",
    ),
    "reproduce": Entry(
        *("reproduce_commands", "reproduce"),
        "Compute again what the papers print and draw.",
        SIMULATE,
        "[PAPER]",
    ),
    "serve": Entry(
        *("program", "serve"),
        "Open the web page and the HTTP interface, on this machine only.",
        PROGRAM,
        "",
    ),
    "completion": Entry(
        *("completion_commands", "completion"),
        "Let a shell complete commands, options and choices.",
        PROGRAM,
        "[SHELL]",
    ),
}
"""All commands by the names that are typed."""
