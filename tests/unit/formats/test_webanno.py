from pathlib import Path

import pytest

from unisono.errors import ReadError
from unisono.formats.read import read
from unisono.model.continuum import Unit

HEAD = "#FORMAT=WebAnno TSV 3.3\n"
SPANS = (
    HEAD
    + "#T_SP=webanno.custom.Span|value\n\n\n"
    + "#Text=aaaaaa bbbbbb cccccc\n"
    + "1-1\t0-6\taaaaaa\t2a[1]|2b[2]|7a[3]\t\n"
    + "1-1.1\t3-6\taaa\t9a[7]\t\n"
    + "1-2\t7-13\tbbbbbb\t2a[1]|2b[2]|9a[7]\t\n"
    + "1-2.1\t7-10\tbbb\t7a[3]\t\n"
    + "1-2.2\t7-7\t\tpoint\t\n"
    + "1-3\t14-20\tcccccc\tone|other\t\n"
    + "1-3.1\t14-17\tccc\t9a[7]\t\n"
)


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name="ann.tsv"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8", newline="")
        return name

    return written


def rows(*cells, features="value", layer="Span"):
    """Return a file with the text "I like it" and these cells in its three lines."""
    tokens = ("1-1\t0-1\tI", "1-2\t2-6\tlike", "1-3\t7-9\tit")
    lines = "".join(f"{token}\t{cell}\t\n" for token, cell in zip(tokens, cells, strict=True))
    return f"{HEAD}#T_SP=webanno.custom.{layer}|{features}\n\n\n#Text=I like it\n{lines}"


def marked(continuum):
    return {(unit.start, unit.end, unit.label) for unit in continuum}


def test_stacked_and_partial_spans_are_put_together_by_their_numbers(put):
    found = read(put(SPANS))["ann"]
    assert found.text == "aaaaaa bbbbbb cccccc"
    assert marked(found) == {
        (0, 13, "2a"),
        (0, 13, "2b"),
        (0, 10, "7a"),
        (3, 17, "9a"),
        (7, 7, "point"),
        (14, 20, "one"),
        (14, 20, "other"),
    }


def test_without_a_number_each_token_is_a_span(put):
    assert marked(read(put(rows("X", "X", "_")))["ann"]) == {(0, 1, "X"), (2, 6, "X")}


@pytest.mark.parametrize(
    ("cell", "label"),
    [("*", None), (r"\_", "_"), (r"a\[0\]", "a[0]"), (r"a\|b", "a|b"), (r"a\\", "a\\")],
)
def test_values_are_unescaped(put, cell, label):
    assert marked(read(put(rows("_", cell, "_")))["ann"]) == {(2, 6, label)}


def test_offsets_in_utf16_become_characters(put):
    text = HEAD + "#T_SP=webanno.custom.Span|value\n\n\n#Text=I 😊 it\n"
    text += "1-1\t0-1\tI\t_\t\n1-2\t2-4\t😊\tX\t\n1-3\t5-7\tit\tY\t\n"
    found = read(put(text))["ann"]
    assert found.text == "I 😊 it"
    assert marked(found) == {(2, 3, "X"), (4, 6, "Y")}
    counted = text.replace("2-4", "2-3").replace("5-7", "4-6")
    assert read(put(counted, "bob.tsv"))["bob"].units[0] == Unit("bob", 2, 3, "X")


def test_text_that_differs_from_its_offsets_is_noted_and_counted(put):
    found = read(put(rows("X", "X", "_").replace("2-6\tlike", "2-6\tlove")))
    assert found.n_units == 2
    assert any("tokens that differ from the text at their offsets" in note for note in found.notes)
    far = rows("X", "_", "_").replace("0-1\tI", "900000-900001\tI")
    assert "the text is unknown" in str(read(put(far, "far.tsv")).notes)


def test_several_sentences_and_lines_make_one_text(put):
    text = HEAD + "#T_SP=webanno.custom.Span|value\n\n\n#Text=a b\n#Text=c\n1-1\t0-1\ta\tX\t\n"
    text += "1-2\t2-3\tb\t_\t\n1-3\t4-5\tc\t_\t\n\n#Text=d\n2-1\t7-8\td\tY\t\n"
    found = read(put(text))["ann"]
    assert found.text == "a b\nc\n\nd"
    assert marked(found) == {(0, 1, "X"), (7, 8, "Y")}


def test_which_feature_is_the_label(put):
    path = put(rows("Q1[1]\tPER[1]", "Q1[1]\tPER[1]", "_\t_", features="identifier|value"))
    (found,) = read(path)["ann"]
    assert (found.start, found.end, found.label) == (0, 6, "PER")
    assert found.attributes["identifier"] == "Q1"
    assert read(path, label="identifier").labels == ("Q1",)
    with pytest.raises(
        ReadError, match="unknown feature 'kind' for label=; the features are 'identifier', 'value'"
    ):
        read(path, label="kind")
    unclear = put(rows("a\tb", "_\t_", "_\t_", features="one|two"))
    with pytest.raises(ReadError, match=r"layer 'Span' has the features 'one', 'two'.*label="):
        read(unclear)


def test_layers_slots_chains_and_relations(put):
    text = (
        HEAD
        + "#T_SP=webanno.custom.Host|ROLE_webanno.custom.Host:links_webanno.custom.Link|x.Span\n"
        + "#T_CH=de.coref.CoreferenceLink|referenceRelation|referenceType\n"
        + "#T_RL=webanno.custom.Rel|value|BT_webanno.custom.Span\n\n\n#Text=I like it\n"
        + "1-1\t0-1\tI\tp1;p2[9]\t1-2[1];1-3[2]\t*->1-1\tpro[1]\t_\t_\t\n"
        + "1-2\t2-6\tlike\t_\t_\t_\t_\tsubj\t1-1\t\n"
        + "1-3\t7-9\tit\t_\t_\t*->1-2\tpro[2]\t_\t_\t\n"
    )
    path = put(text)
    (host,) = read(path, layer="Host")["ann"]
    assert host.label == "p1;p2"
    assert host.attributes["links targets"] == "1-2[1];1-3[2]"
    found = read(path, layer="CoreferenceLink", label="referenceType")["ann"]
    assert marked(found) == {(0, 1, "pro"), (7, 9, "pro")}
    assert found.units[0].attributes["chain"] == "1"


def test_folders_name_annotators_and_empty_files_are_kept(put):
    put(SPANS, "ann/talk.tsv")
    put(HEAD + "\n#Text=aaaaaa\n1-1\t0-6\taaaaaa\t\n", "bob/talk.tsv")
    assert read(".")["talk"].counts.tolist() == [7, 0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("#FORMAT=WebAnno TSV 2\n", r"ann.tsv:1: expected #FORMAT=WebAnno TSV 3"),
        (SPANS.replace("1-3\t14-20\tcccccc\t", "1-3\t14-20\t"), r"ann.tsv:11: expected 4 columns"),
        (SPANS.replace("1-3\t14-20", "1-3\tx-20"), r"ann.tsv:11: expected a line with a token"),
        (SPANS.replace("14-20", "14-21"), r"ann.tsv:11: a unit lies outside the text"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(put, text, problem):
    with pytest.raises(ReadError, match=problem):
        read(put(text))


def test_characters_that_count_two_need_not_be_in_a_token(put):
    text = "#Text=I 😀 like 😀 it\n1-1\t0-1\tI\t_\t\n1-2\t5-9\tlike\tA\t\n1-3\t13-15\tit\tB\t\n"
    found = read(put(f"{HEAD}#T_SP=webanno.custom.Span|value\n\n\n{text}"))["ann"]
    assert list(found) == [Unit("ann", 4, 8, "A"), Unit("ann", 11, 13, "B")]
    assert found.text == "I 😀 like 😀 it"
