"""CoNLL columns: four tagging schemes, repairs of tags, and coreference brackets."""

import pytest

import unisono as un
from unisono.errors import ReadError
from unisono.formats.conll import scheme_of, units_of


def decoded(tags, scheme="auto"):
    words = tags.split()
    found = scheme_of([words]) if scheme == "auto" else scheme
    return [(unit.start, unit.end, unit.label) for unit in units_of(words, found)]


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        ("I-A I-A O I-B B-B", "iob1"),
        ("B-A I-A O B-B B-B", "iob2"),
        ("B-A E-A O S-B S-B", "iobes"),
        ("B-A L-A O U-B U-B", "bilou"),
    ],
)
def test_the_same_units_in_four_schemes(tags, scheme):
    assert scheme_of([tags.split()]) == scheme
    assert decoded(tags) == [(0, 2, "A"), (3, 4, "B"), (4, 5, "B")]


@pytest.mark.parametrize(
    ("tags", "scheme", "units"),
    [
        ("O I-A I-A", "iob2", [(1, 3, "A")]),
        ("B-A I-B", "iob2", [(0, 1, "A"), (1, 2, "B")]),
        ("O E-A", "iobes", [(1, 2, "A")]),
        ("B-A O", "iobes", [(0, 1, "A")]),
        ("B-A I-A", "bilou", [(0, 2, "A")]),
        ("B-A U-A L-A", "bilou", [(0, 1, "A"), (1, 2, "A"), (2, 3, "A")]),
    ],
)
def test_broken_tags_are_repaired_by_one_rule_and_said_so(tags, scheme, units):
    found = list(units_of(tags.split(), scheme))
    assert [unit[:3] for unit in found] == units
    assert sum(len(unit.repairs) for unit in found) > 0


def test_good_tags_need_no_repair():
    for tags, scheme in (("B-A I-A O", "iob2"), ("I-A B-A", "iob1"), ("B-A I-A E-A", "iobes")):
        assert not any(unit.repairs for unit in units_of(tags.split(), scheme))


@pytest.fixture
def write(tmp_path):
    def written(text, name="ann/news.conll"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return tmp_path

    return written


NEWS = "Ann NNP B-PER\nslept VBD O\n\nin IN O\nNew NNP B-LOC\nYork NNP I-LOC\n"


def test_positions_are_tokens_and_sentences_end_units(write):
    write(NEWS)
    corpus = un.read(write(NEWS.replace("B-LOC", "O"), "bob/news.conll"))
    assert corpus["news"].extent == (0, 5)
    assert [unit.label for unit in corpus["news"]] == ["PER", "LOC", "PER", "LOC"]
    assert corpus.notes[0].startswith(
        "inside tags without a preceding unit, read as the start of a unit (1, first at "
    )
    assert corpus.notes[0].endswith("news.conll:6)")


def test_a_column_can_be_chosen_or_each_be_an_annotator(write):
    folder = write("a B-X B-Y\nb O I-Y\n")
    assert un.read(folder)["news"].labels == ("Y",)
    assert un.read(folder, label=2)["news"].labels == ("X",)
    corpus = un.read(folder, annotator="columns")
    assert corpus["news"].annotators == ("column 2", "column 3")


def test_docstart_begins_a_document(write):
    corpus = un.read(write("-DOCSTART- O\n\na B-X\n\n-DOCSTART- O\n\nb B-X\nc O\n"))
    assert [(name, text.extent) for name, text in corpus.items()] == [
        ("news-1", (0, 1)),
        ("news-2", (0, 2)),
    ]


def test_files_that_docstart_parts_differently_are_reported(write):
    write("a B-X\n\nb B-X\nc O\n", "bob/news.conll")
    folder = write("-DOCSTART- O\n\na B-X\n\n-DOCSTART- O\n\nb B-X\nc O\n", "eve/news.conll")
    corpus = un.read(folder)
    assert list(corpus) == ["news", "news-1", "news-2"]
    assert [note.partition(" (1, first at ")[0] for note in corpus.notes] == [
        "files of the same name with different numbers of -DOCSTART- documents"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a B-X\nb\n", r"news.conll:2: expected 2 columns as in the first line, got 1"),
        ("a word\n", r"news.conll:1: 'word' is not a tag; expected a tag such as B-PER or O"),
        ("\n\n", r"news.conll: no line has a token and a tag"),
    ],
)
def test_what_is_not_a_table_of_tags_is_refused(write, text, message):
    with pytest.raises(ReadError, match=message):
        un.read(write(text))


COREFERENCE = """#begin document (news); part 000
news 0 0 Ann (1
news 0 1 's (2)|1)
news 0 2 dog -

news 0 0 it (2)
#end document
"""


def test_mentions_nest_and_chains_are_named_by_the_first(write):
    corpus = un.read(write(COREFERENCE, "ann.conll"))
    units = [(unit.start, unit.end, unit.label) for unit in corpus["news"]]
    assert units == [(0, 2, "0-2"), (1, 2, "1-2"), (3, 4, "1-2")]
    assert corpus["news"].annotators == ("ann",)
    ids = un.read(write(COREFERENCE, "ann.conll"), label="id")
    assert set(ids.labels) == {1, 2}


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("3)", "closes a mention that was not opened"),
        ("(3", "is never closed"),
        ("3", "is not a core"),
    ],
)
def test_brackets_that_do_not_match_are_refused(write, cell, message):
    with pytest.raises(ReadError, match=rf"ann.conll:4: .*{message}"):
        un.read(write(COREFERENCE.replace("dog -", f"dog {cell}"), "ann.conll"))


def test_a_tab_at_the_end_of_lines_is_not_a_column_of_tags(write):
    path = write("Ann\tB-PER\t\nmet\tO\t\n")
    assert list(un.read(path, annotator="folder")["news"]) == [un.Unit("ann", 0, 1, "PER")]


def test_a_column_without_units_in_one_document_is_an_annotator_there_too(write):
    lines = "-DOCSTART- O O\n\nAnn B-PER B-PER\n\n-DOCSTART- O O\n\nBob B-PER O\n"
    corpus = un.read(write(lines), annotator="columns")
    assert corpus["news-2"].annotators == ("column 2", "column 3")
