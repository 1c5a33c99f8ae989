"""Results as Markdown, for notebooks and documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.results.rows import columns, padded, reasons, uncertainty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.results.rows import Row
    from unisono.results.signature import Signature


_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_<[|"})


def markdown_table(headings: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    r"""Write a Markdown table, aligned for those who read it as it stands.

    Parameters
    ----------
    headings
        One for each column.
    cells
        The lines below.

    Examples
    --------
    >>> from unisono.results.markdown import markdown_table
    >>> print(markdown_table(["measure", "value"], [["a|b", "0.5000"]]))
    | measure |  value |
    | :------ | -----: |
    | a\|b    | 0.5000 |
    """
    lines = padded(headings, [[markdown_text(cell) for cell in line] for line in cells])
    rule = [
        f":{'-' * (len(cell) - 1)}" if i == 0 else f"{'-' * (len(cell) - 1)}:"
        for i, cell in enumerate(lines[0])
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in (lines[0], rule, *lines[1:]))


def markdown_report(
    rows: Sequence[Row], *, signature: Signature, facts: Sequence[tuple[str, str]] = ()
) -> str:
    """Write results as Markdown: what is uncertain, table, reasons, facts, signature.

    Parameters
    ----------
    rows
        Results and their names.
    signature
        The one that stands for all of them.
    facts
        Names and sentences, printed as a list.

    Examples
    --------
    >>> from unisono.results.agreement import Agreement
    >>> from unisono.results.signature import Signature
    >>> from unisono.results.markdown import markdown_report
    >>> alpha = Agreement(value=0.5, observed=1, expected=2, signature=Signature("alpha"))
    >>> print(markdown_report([(None, alpha)], signature=alpha.signature).splitlines()[-1])
    `alpha`
    """
    uncertain = [markdown_text(told) for _, of in rows if (told := uncertainty(of)) is not None]
    parts = [*uncertain, markdown_table(*columns(rows))]
    listed = [
        *(markdown_text(reason) for reason in reasons(rows)),
        *(f"{name}: {markdown_text(fact)}" for name, fact in facts),
    ]
    if listed:
        parts.append("\n".join(f"- {line}" for line in listed))
    parts.append(markdown_code(str(signature)))
    return "\n\n".join(parts)


def markdown_text(text: str) -> str:
    r"""Write a text so that none of it is taken for a mark of Markdown.

    Parameters
    ----------
    text
        Any text on one line.

    Returns
    -------
    str
        The text, escaped.

    Examples
    --------
    >>> from unisono.results.markdown import markdown_text
    >>> print(markdown_text("B_PER"))
    B\_PER
    """
    return text.translate(_MARKS)


def markdown_code(text: str) -> str:
    """Write a text as it stands, between backticks.

    Parameters
    ----------
    text
        Any text on one line.

    Returns
    -------
    str
        The text between as many backticks as it needs.

    Examples
    --------
    >>> from unisono.results.markdown import markdown_code
    >>> markdown_code("gamma|n:112")
    '`gamma|n:112`'
    """
    fence = "`"
    while fence in text:
        fence += "`"
    # Markdown strips one space beside a fence, and needs it beside a backtick.
    space = " " if len(fence) > 1 else ""
    return f"{fence}{space}{text}{space}{fence}"
