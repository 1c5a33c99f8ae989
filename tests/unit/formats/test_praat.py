from pathlib import Path
from typing import Any

import pytest

from unisono.errors import DataError, ReadError, SettingError
from unisono.formats.read import read
from unisono.formats.write import write
from unisono.model.continuum import Continuum, Unit
from unisono.model.corpus import Corpus

LONG = '''File type = "ooTextFile"
Object class = "TextGrid"

xmin = 0
xmax = 10.5
tiers? <exists>
size = 2
item []:
    item [1]:
        class = "IntervalTier"
        name = "ann"
        xmin = 0
        xmax = 10.5
        intervals: size = 3
        intervals [1]:
            xmin = 0
            xmax = 1.5
            text = ""
        intervals [2]:
            xmin = 1.5
            xmax = 4
            text = "he said ""no"""
        intervals [3]:
            xmin = 4
            xmax = 10.5
            text = " "
    item [2]:
        class = "TextTier"
        name = "bob"
        xmin = 0
        xmax = 10.5
        points: size = 1
        points [1]:
            number = 2.25
            mark = "5 <absent> ! x"
'''
SHORT = '''File type = "ooTextFile"
"TextGrid"

0 10.5 <exists> 2
"IntervalTier" "ann" 0 10.5 3
0 1.5 ""
1.5 4 "he said ""no"""
4 10.5 " "
"TextTier" "bob" 0 10.5 1
2.25 "5 <absent> ! x"
'''
CHRONOLOGICAL = '''"Praat chronological TextGrid text file"
0 10.5   ! Time domain.
2   ! Number of tiers.
"IntervalTier" "ann" 0 10.5
"TextTier" "bob" 0 10.5
1 0 1.5
""
1 1.5 4
"he said ""no"""
2 2.25
"5 <absent> ! x"
1 4 10.5
" "
'''
TALK = Continuum.from_units(
    [("ann", 1.5, 4, 'he said "no"'), ("bob", 2.25, 2.25, "5 <absent> ! x")], extent=(0, 10.5)
)


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(content, name="talk.TextGrid"):
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return written


def grid(*tiers):
    shown = "".join(
        f'"IntervalTier" "{name}" 0 9 {len(intervals)}\n'
        + "".join(f'{start} {end} "{text}"\n' for start, end, text in intervals)
        for name, intervals in tiers
    )
    return f'"ooTextFile" "TextGrid" 0 9 <exists> {len(tiers)}\n{shown}'


@pytest.mark.parametrize("text", [LONG, SHORT, CHRONOLOGICAL, LONG.replace("\n", "\r\n")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_form_and_encoding_gives_the_same(put, text, encoding):
    corpus = read(put(text.encode(encoding)))
    assert list(corpus) == ["talk"]
    assert corpus["talk"] == TALK


def test_old_macintosh_line_ends_are_read(put):
    assert read(put(LONG.replace("\n", "\r")))["talk"] == TALK


def test_a_tier_is_an_annotator_and_an_empty_one_is_not_lost(put):
    path = put(grid(("ann", [(0, 9, "a")]), ("eve", [(0, 9, "")]), ("bob", [])))
    assert read(path)["talk"].annotators == ("ann", "bob", "eve")


def test_with_a_folder_for_each_annotator_a_tier_is_a_layer(put):
    for who in ("ann", "bob"):
        put(grid(("turns", [(0, 4, "a")]), ("mood", [(4, 9, "b")])), f"{who}/talk.TextGrid")
    with pytest.raises(ReadError, match=r"'mood' .* 'turns'"):
        read(".")
    talk = read(".", layer="turns")["talk"]
    assert talk.annotators == ("ann", "bob")
    assert talk.labels == ("a",)


def test_names_of_tiers_can_contain_annotator_and_layer(put):
    path = put(
        grid(
            ("turns@ann", [(0, 4, "a")]),
            ("turns@bob", [(0, 9, "")]),
            ("mood@ann", [(4, 9, "b")]),
            ("notes", [(0, 9, "c")]),
        )
    )
    talk = read(path, annotator="{layer}@{annotator}", layer="turns")["talk"]
    assert talk.annotators == ("ann", "bob")
    assert talk.labels == ("a",)
    with pytest.raises(
        ReadError, match="no tier matches the pattern; the tiers are 'turns@ann', 'tu"
    ):
        read(path, annotator="{layer}/{annotator}")
    with pytest.raises(SettingError, match=r"\{annotator\} and \{layer\} once each"):
        read(path, annotator="{layer}@{layer}{annotator}")


def test_labels_can_be_left_out_and_unknown_words_are_refused(put):
    path = put(LONG)
    assert read(path, label=False).labels == (None,)
    for word in ("annotator", "label"):
        options: dict[str, Any] = {word: "mood"}
        with pytest.raises(SettingError, match=f"{word}='mood' is not supported by this format"):
            read(path, **options)


def test_tiers_that_continue_another_belong_to_it(put):
    path = put(grid(("ann", [(0, 4, "a")]), ("ann [2]", [(2, 9, "b")]), ("bob [2]", [])))
    talk = read(path)["talk"]
    assert talk.annotators == ("ann", "bob [2]")
    assert talk.counts.tolist() == [2, 0]


def test_tiers_may_reach_beyond_the_grid(put):
    assert read(put(grid(("ann", [(0, 9.25, "a")]))))["talk"].extent == (0, 9.25)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x", "talk.TextGrid:1: the file ends before the file type"),
        ('"ooTextFile" "Pitch 1"', "talk.TextGrid:1: expected a TextGrid, got 'Pitch 1'"),
        ('"x"', "talk.TextGrid:1: expected a TextGrid, got 'x'"),
        (LONG[:400], "talk.TextGrid:22: the file ends before the text; it is incomplete"),
        (LONG.replace("xmax = 4", 'xmax = "4"'), "talk.TextGrid:21: expected the end"),
        (LONG.replace("size = 3", "size = 4"), "talk.TextGrid:28: expected the start"),
        (LONG.replace("size = 3", "size = 3.5"), "talk.TextGrid:14: .* a whole number; got 3.5"),
        (LONG.replace("size = 2", "size = 9999999999"), "talk.TextGrid:7: .* whole number"),
        (LONG.replace("TextTier", "PitchTier"), "talk.TextGrid:28: a tier must be an IntervalTier"),
        (
            LONG.replace("xmax = 10.5", "xmax = -1", 1),
            "talk.TextGrid:5: a TextGrid cannot end before it starts",
        ),
        (LONG.replace("xmax = 10.5", "xmax = 1e999", 1), "talk.TextGrid:5: expected the end"),
        (LONG.replace("xmin = 1.5", "xmin = 5"), "talk.TextGrid:20: a unit cannot end before"),
        (LONG.replace("xmax = 4", "xmax = " + "4" * 2000), "talk.TextGrid:21: .* 2,000 digits"),
        (
            CHRONOLOGICAL.replace("2 2.25", "3 2.25"),
            "talk.TextGrid:10: no tier 3; expected a number from 1 to 2",
        ),
        (grid(("ann", []), ("ann", [])), "two tiers have the same name 'ann'"),
        (grid((" ", [])), "tier 1 has no name"),
        ("", "talk.TextGrid: the file is empty; expected a TextGrid"),
        (b"ooBinaryFile\x08TextGrid\0\0", "a binary file"),
        (b'"ooTextFile" "TextGrid\xff', "talk.TextGrid:1: not valid UTF-8"),
    ],
)
def test_a_broken_grid_is_refused_with_its_line(put, text, problem):
    with pytest.raises(ReadError, match=problem):
        read(put(text))


def test_a_grid_without_tiers_has_no_annotator(put):
    assert not read(put('"ooTextFile" "TextGrid" 0 9 <absent>')).annotators


def test_a_bad_interval_can_be_skipped(put):
    corpus = read(put(LONG.replace("xmin = 1.5", "xmin = 5")), on_error="skip")
    assert corpus.skipped == 1
    assert corpus.n_units == 1


# Writing


def test_overlaps_points_and_missing_labels_survive(tmp_path):
    talk = Continuum.from_units(
        [
            *(("ann", 0, 5, "a"), ("ann", 3, 8, 'b "x"\ny'), ("ann", 5, 6, None)),
            *(("ann", 3, 3, "p"), ("ann", 3, 3, "p"), ("bob", 1.25, 1 / 3 + 2)),
        ],
        annotators=("ann", "bob", "eve"),
        extent=(0, 12.5),
    )
    corpus = Corpus.from_continua({"talk": talk})
    write(corpus, tmp_path / "talk.TextGrid")
    assert read(tmp_path / "talk.TextGrid") == corpus


def test_several_documents_become_files_in_a_folder(tmp_path):
    corpus = Corpus.from_continua({"one": TALK, "two": TALK})
    write(corpus, tmp_path / "grids", format="textgrid")
    names = sorted(path.name for path in (tmp_path / "grids").iterdir())
    assert names == ["one.TextGrid", "two.TextGrid"]
    assert read(tmp_path / "grids") == corpus


def test_units_in_pieces_are_refused(tmp_path):
    unit = Unit("ann", 0, 9, "a", fragments=((0, 2), (5, 9)))
    with pytest.raises(DataError, match="is in pieces, which TextGrid cannot store"):
        write(Continuum.from_units([unit]), tmp_path / "talk.TextGrid")


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([("ann", 0, 1, frozenset("ab"))], r"the label set \{a, b\}"),
        ([("ann", -1, 1, "a")], "starts before 0"),
        ([("ann", 0, 1, "a\0")], "cannot store"),
        ([("ann", 0, 1, "\ud800")], "cannot store"),
        ([("ann", 0, 1, "a"), ("ann [2]", 0, 1, "a")], "read as a continuation of 'ann'"),
    ],
)
def test_what_a_grid_cannot_state_is_refused_before_anything_is_written(tmp_path, rows, problem):
    corpus = Corpus.from_continua({"good": TALK, "talk": Continuum.from_units(rows)})
    with pytest.raises(DataError, match=problem):
        write(corpus, tmp_path / "grids", format="textgrid")
    assert not list(tmp_path.iterdir())
