"""`read_cases`: columns, labels, and what is refused with file, line and remedy."""

from __future__ import annotations

import pytest

import unisono as un
from unisono.formats.cases import read_cases


def cases(tmp_path, text, **columns):
    path = tmp_path / "cases.csv"
    path.write_text(text, encoding="utf-8")
    return read_cases(path, **columns)


def test_columns_are_names_or_numbers(tmp_path):
    text = "text,kappa,f1\na,0.5,1\nb,,2\na,0.7,nan\n"
    by_name = cases(tmp_path, text, agreement="kappa", outcome="f1", clusters="text")
    by_number = cases(tmp_path, text, agreement=2, outcome=3, clusters=1)

    assert by_name == by_number == ([0.5, None, 0.7], [1.0, 2.0, None], ["a", "b", "a"])


def test_columns_with_the_usual_names_are_found_and_labels_kept(tmp_path):
    assert cases(tmp_path, "agreement;outcome\n0,5;yes\n1;no\n") == (
        [0.5, 1.0],
        ["yes", "no"],
        None,
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("agreement,f1\n1,2\n", 1, "no column is called 'outcome'; set outcome=…; the columns"),
        ("agreement,outcome,outcome\n1,2,3\n", 1, "2 columns are called 'outcome'; set outcome=…"),
        ("agreement,outcome\n", None, "a header but no rows; expected a case in each row"),
        ("agreement,outcome\n1,2\nhigh,2\n", 3, "'agreement' has 'high', which is not a number"),
        ("agreement,outcome\n1,2\ninf,2\n", 3, "'agreement' has 'inf', which is not finite"),
        ("agreement,outcome\n1,a\n2,b\n3,c\n", None, "has 3 labels: 'a', 'b', 'c'"),
        ("agreement,outcome\n1,2\n2,b\n3,4\n", 3, "column 'outcome' has 'b', which is not"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path, text, line, message):
    with pytest.raises(un.ReadError, match=message) as raised:
        cases(tmp_path, text)
    assert raised.value.line == line


def test_agreement_and_outcome_are_different_columns(tmp_path):
    with pytest.raises(un.ReadError, match="must be different columns"):
        cases(tmp_path, "a,b\n1,2\n", agreement="a", outcome="a")
