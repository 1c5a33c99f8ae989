"""Tables keep all numbers and words at any terminal width."""

from __future__ import annotations

import io
import re

import pytest
from rich.cells import cell_len
from rich.console import Console

from every_result import RESULTS, results_of
from unisono.cli.terminal.sheet import sheet_parts
from unisono.results.sheet import Sheet, Table, columns

WIDTHS = (50, 60, 80, 100, 120)
LENGTHS = pytest.mark.parametrize("long", [False, True], ids=["short", "long"])


def shown(sheet, width):
    file = io.StringIO()
    console = Console(file=file, width=width, highlight=False, color_system=None)
    for part in sheet_parts(sheet, width=width, limit=10, rest="--csv has all"):
        console.print(part, soft_wrap=True)
    return file.getvalue()


@LENGTHS
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", RESULTS)
def test_tables_are_not_truncated(name, width, long):
    for result in results_of(name, long=long):
        sheet = result.sheet(title="a title")
        text = shown(sheet, width)
        together = re.sub(r"\s+", "", text)

        # Reports shorten long names in sentences.
        assert together.count("…") == "".join(sheet.findings).count("…")
        for table in (each for each in sheet.tables if each.people):
            view = table.view(10)
            for cells in view.cells:
                for column, cell in zip(view.columns, cells, strict=True):
                    numeric = column.kind.align == "right" and column.show == "always"
                    assert not numeric or cell in text or cell.replace(" ", "") in together, cell


@LENGTHS
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", RESULTS)
def test_no_line_is_wider_than_the_terminal(name, width, long):
    for result in results_of(name, long=long):
        sheet = result.sheet(title="a title of many words, " * 5)
        signatures = {str(signature) for signature in sheet.signatures}
        for line in shown(sheet, width).splitlines():
            # A signature is one line, for copying.
            assert cell_len(line) <= width or line in signatures, line


@pytest.mark.parametrize("width", WIDTHS)
def test_titles_and_the_names_of_hidden_columns_are_wrapped(width):
    titled = Table(
        name="document",
        title="a title of many words, " * 6,
        columns=columns("document value standard_error", standard_error="room"),
        rows=[("x" * (width - 12), 0.5, 0.25), ("y", 0.25, 0.125)],
    )
    lines = shown(Sheet(name="x", tables=(titled,)), width).splitlines()
    text = " ".join(" ".join(lines).split())

    assert max(map(cell_len, lines)) <= width
    assert titled.title.strip() in text


def test_optional_columns_are_hidden_only_if_that_suffices():
    shape = columns("document value observed expected n_units", n_units="room")
    rows = [("a" * 20, 0.5, 0.25, 0.5, 1234), ("b", 0.25, 0.125, 0.5, 567)]
    sheet = Sheet(name="x", tables=(Table(name="document", columns=shape, rows=rows),))

    assert "columns not shown: units; --csv has all" in shown(sheet, 52)
    assert "1,234" in shown(sheet, 60)
    stacked = shown(sheet, 30)
    assert "1,234" in stacked
    assert "not shown" not in stacked
