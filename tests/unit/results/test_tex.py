"""The LaTeX of all results is valid: special characters are escaped."""

from __future__ import annotations

import re

import pytest

import unisono as un
from every_result import FEW, RESULTS, results_of
from unisono.registry import MEASURES
from unisono.results.render import latex
from unisono.results.sheet import KINDS, MeasureName, Sheet, Table, column, columns
from unisono.results.tex import tex_row, tex_text

HOSTILE = ["[2mm]", "*", "a & b", "50 % {x}_1", "#~^$", "<b>|", '"β ± 2 × 3 ≤ 4"', "\\input{x}"]
# Everything between dollars is mathematics.
MATHS = re.compile(r"\$[^$]*\$")
KNOWN = re.compile(
    r"\\(?:[{}$&#%_]|text\w+(?:\{\})?|(?:top|mid|bottom)rule|(?:begin|end)\{tabular\}|\\)"
)


def bare(text: str) -> str:
    """Return the text without comments, mathematics and allowed commands."""
    lines = [line for line in text.splitlines() if not line.startswith("% ")]
    assert "\n".join(lines).replace(r"\$", "").count("$") % 2 == 0
    lines = [line.replace(r"\phantom{0}", "") for line in lines]
    return KNOWN.sub("", MATHS.sub("", "\n".join(lines).replace(r"\$", "")))


def rows_of(text: str) -> list[tuple[int, list[str]]]:
    """Return the number of columns and the rows of each table."""
    tables = re.findall(
        r"\\begin\{tabular\}\{([lr]+)\}\n\\toprule\n(.*?)\\bottomrule\n\\end\{tabular\}",
        text,
        re.DOTALL,
    )
    return [
        (len(shape), [line for line in body.splitlines() if line != r"\midrule"])
        for shape, body in tables
    ]


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_can_be_typeset(name):
    for result in results_of(name):
        sheet = result.sheet(title="a title\nof two lines")
        text = latex(sheet)
        tables = rows_of(text)

        assert not re.search(r'[\\#$&%_^~<>|"]', bare(text).replace("&", "")), bare(text)
        assert len(tables) == sum(table.people for table in sheet.tables)
        for width, rows in tables:
            for row in rows:
                assert row.startswith("{}")
                assert row.endswith(r" \\")
                assert len(re.findall(r"(?<!\\)&", row)) == width - 1


def test_rows_cannot_become_arguments_of_the_row_before():
    table = Table(name="label", columns=columns("label value"), rows=[(h, 0.5) for h in HOSTILE])
    text = latex(Sheet(name="x", tables=(table,)))
    ((_, (_, *rows)),) = rows_of(text)

    assert [row[:2] for row in rows] == ["{}"] * len(HOSTILE)
    assert r"{}[2mm] & 0.5000 \\" in rows
    assert tex_row(["*", "1"]) == r"{}* & 1 \\"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('<a> | "b"', r"\textless{}a\textgreater{} \textbar{} \textquotedbl{}b\textquotedbl{}"),
        ("β ± 2 × 3 ≤ 4", r"$\beta$ $\pm$ 2 $\times$ 3 $\leq$ 4"),
        ("γ, γcat, γk", r"$\gamma$, $\gamma_{cat}$, $\gamma_k$"),
        ("uα |uα cuα (k)uα", r"$_u\alpha$ $_{|u}\alpha$ $_{cu}\alpha$ $_{(k)u}\alpha$"),
        ("κ_d of S", r"$\kappa_d$ of S"),
        ("a–b\\", r"a--b\textbackslash{}"),
    ],
)
def test_characters_and_symbols_are_written_for_latex(text, written):
    assert tex_text(text) == written


@pytest.mark.parametrize("measure", MEASURES.values(), ids=lambda measure: measure.name)
def test_names_of_measures_are_those_of_the_registry(measure):
    symbols, titles = column("measure", kind=KINDS["symbol"]), column("measure")
    for shape, name in ((symbols, MeasureName(measure.name)), (titles, measure.name)):
        text = latex(Sheet(name="x", tables=(Table(name="m", columns=(shape,), rows=[(name,)]),)))
        ((_, (_, row)),) = rows_of(text)

        is_symbol = shape is symbols or measure.title == measure.symbol
        assert row == f"{{}}{measure.latex if is_symbol else tex_text(measure.title)} \\\\"
    low = measure.subscript
    assert not low or f"_{low}" in measure.latex or f"_{{{low}}}" in measure.latex


def test_headings_that_are_symbols_are_those_of_the_registry():
    text = un.Segmentation.from_masses([2, 3, 6])
    table = un.measure_segments({"a": {"x": text, "y": text}, "b": {"x": text, "y": text}})
    heading = next(line for line in latex(table.sheet()).splitlines() if "document &" in line)

    assert {"$B$", "$S$", "$P_k$", "WindowDiff", "Hamming"} <= set(
        heading.removesuffix(" \\\\").split(" & ")
    )


def test_numbers_have_minus_signs():
    units = [("ann", 0, 5, "A"), ("ann", 6, 9, "B"), ("bob", 0, 5, "B"), ("bob", 6, 9, "A")]
    result = un.gamma(un.Continuum.from_units(units), **FEW)
    text = latex(result.sheet())

    assert result.gamma_cat.value < 0
    assert f"$\\gamma_{{cat}}$ & $-${abs(result.gamma_cat.value):.1f}" in text
