"""`read_pyramids`: tables and DUC pyramid files, and what it refuses."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

import unisono as un

ROOT = Path(__file__).resolve().parents[3]
# Made up; the structure is that of the DUC 2006 and 2007 pyramid files.
LINES = [
    "#2",
    "",
    "-----",
    " D1-A",
    "-----",
    "",
    "the storm hit",
    "-----",
    " D1-B",
    "-----",
    "a storm came",
]
TEXT = "\n".join(LINES)
TABLE = """annotator,summary,scu,contributor,words
A1,A,1,storm hit,2-3
A1,B,1,storm came,2-3
A1,A,,the,1
A1,B,,a,1
A2,A,x,the storm,1-2
A2,B,x,a storm,1-2
A2,A,y,hit,3
A2,B,y,came,3
"""
UNITS = {"A1": [["storm hit", "storm came"]], "A2": [["the storm", "a storm"], ["hit", "came"]]}


def pyr(units, *, lines=LINES):
    text = "\n".join(lines)
    parts = []
    for number, unit in enumerate(units):
        inside = "".join(
            f'<contributor label="{part}"><part label="{part}" start="{text.index(part)}" '
            f'end="{text.index(part) + len(part)}"/></contributor>'
            for part in unit
        )
        parts.append(f'<scu uid="{number}" label="x">{inside}</scu>\n')
    body = "".join(f"<line>{escape(line)}</line>" for line in lines)
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE pyramid [<!ELEMENT pyramid (text,scu*)>\n'
        "<!ATTLIST scu uid CDATA #REQUIRED>]>\n"
        f"<pyramid>\n<text>{body}</text>\n{''.join(parts)}</pyramid>\n"
    )


def write(tmp_path, name, text):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_a_table_and_pyramid_files_give_the_same_words(tmp_path):
    table = un.read_pyramids(write(tmp_path, "d.csv", TABLE))["d"]
    for who, units in UNITS.items():
        write(tmp_path, f"{who}/d.pyr", pyr(units))
    found = un.read_pyramids(tmp_path / "A1", tmp_path / "A2")["d"]

    assert found["A1"] == ((2, 3, 5, 6), (1,), (4,))
    assert found["A2"] == ((1, 2, 4, 5), (3, 6))
    number = {f"A:{k}": k for k in (1, 2, 3)} | {f"B:{k}": k + 3 for k in (1, 2, 3)}
    for who, chains in table.items():
        assert {frozenset(number[str(w)] for w in chain) for chain in chains} == set(
            map(frozenset, found[who])
        )


def test_a_word_in_two_units_has_their_union(tmp_path):
    rows = "annotator,scu,words\nA1,1,1-2\nA1,2,2-3\nA2,1,1-3\n"
    chains = un.read_pyramids(write(tmp_path, "d.csv", rows))

    assert chains.repeated == ("d", "A1", 2)
    ratings = chains.ratings()
    row = dict(zip(ratings.items or (), ratings.matrix().tolist(), strict=True))[2]
    assert [ratings.labels[code] for code in row] == [frozenset({1, 2, 3})] * 2
    with pytest.raises(un.DataError, match="muc needs each mention in one chain of an annotator"):
        un.muc(chains)
    with pytest.raises(un.DataError, match="antecedent_kappa needs each mention in one chain"):
        un.antecedent_kappa(chains)


def test_measures_are_alpha_of_each_document():
    chains = un.read_pyramids(ROOT / "examples" / "pyramids.csv")
    found = un.measure_pyramids(chains)

    assert set(found.sizes) == {"storm", "vote"}
    for document in found.sizes:
        own = un.Chains.from_groups(
            {name: list(map(list, groups)) for name, groups in chains[document].items()}
        )
        for name, values in found.alpha.items():
            alpha = un.chain_alpha(own, distance=name, unshared="singletons")
            assert values[document] == float(alpha)


def test_figure_1_of_the_paper_by_spans():
    """Table 1 prints 0, −.44 and .14; −.44 is α with the nominal distance (docs/pyramids.md)."""
    chains = un.Chains.from_groups(
        {"A1": [[1, 2, 3, 4], [5, 7], [6]], "A2": [[1, 2, 3, 4, 5, 6, 7]]}
    )
    found = un.measure_pyramids(chains)
    alpha = {name: values[""] for name, values in found.alpha.items()}

    assert alpha["nominal"] == pytest.approx(-4 / 9)
    assert alpha["jaccard"] == pytest.approx(-5 / 21)
    assert alpha["masi"] == pytest.approx(-16 / 49)
    assert found.sizes[""] == (2, 7, 1.5)


def test_no_shared_document_is_undefined():
    found = un.measure_pyramids(un.Chains.from_groups({"A1": {"d": [[1]]}}))

    assert found.problems() == ["no document has a value: no document has two annotators"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("words", "tokens", 1, "no column words; the columns are .*: a pyramid needs annotator"),
        ("2-3\nA1,B", "3-2\nA1,B", 2, "a range of words is from a lower to a higher"),
        ("2-3\nA1,B", "0-3\nA1,B", 2, "words are counted from 1; got word 0"),
        ("2-3\nA1,B", "2-9999999\nA1,B", 2, "a summary has at most 1,000,000 words"),
        ("2-3\nA1,B", "two\nA1,B", 2, "words must be numbers such as 12-15 18; got 'two'"),
        ("A1,A,,the,1", ",A,,the,1", 4, "the annotator is empty"),
        ("contributor", "unit", None, None),
        ("summary,scu,contributor", "summary,scuid,unit", 1, "the scu can be any of the columns"),
    ],
)
def test_damaged_tables_are_refused_with_the_line(tmp_path, old, new, line, message):
    path = write(tmp_path, "d.csv", TABLE.replace(old, new, 1))
    if message is None:
        assert len(un.read_pyramids(path)) == 1
        return
    with pytest.raises(un.ReadError, match=message) as raised:
        un.read_pyramids(path)
    assert (raised.value.path, raised.value.line) == (path, line)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</pyramid>", "", "not well-formed XML"),
        ('start="', 'start="x', "the start and the end of a part are numbers of characters"),
        ('end="', 'end="9', "the part from .* is outside the text of"),
        ("<text>", "<texts>", "not well-formed XML|no <pyramid> with a <text>"),
        ("CDATA #REQUIRED", "CDATA 'x'", "the file declares a default for the attribute"),
    ],
)
def test_damaged_pyramid_files_are_refused(tmp_path, old, new, message):
    path = write(tmp_path, "A1/d.pyr", pyr(UNITS["A1"]).replace(old, new, 1))

    with pytest.raises(un.ReadError, match=message) as raised:
        un.read_pyramids(path)
    assert raised.value.path == path


def test_other_summaries_are_refused(tmp_path):
    write(tmp_path, "A1/d.pyr", pyr(UNITS["A1"]))
    write(tmp_path, "A2/d.pyr", pyr(UNITS["A2"], lines=[*LINES, "more"]))

    with pytest.raises(un.ReadError, match="its summaries differ from those of"):
        un.read_pyramids(tmp_path)


def test_labels_that_are_not_the_text_are_noted(tmp_path):
    text = pyr(UNITS["A1"]).replace('<part label="storm hit"', '<part label="storm hits"')
    chains = un.read_pyramids(write(tmp_path, "A1/d.pyr", text))

    assert chains.notes[0].endswith("d.pyr: 1 part whose label is not the text at its offsets")
