"""Tables of units: the record of their columns, and questions and warnings about them."""

import random
from pathlib import Path

import pytest

import unisono as un
from unisono.errors import AmbiguousInputError, ReadError, SettingError
from unisono.formats.read import read
from unisono.model.interpretation import Ignored, Origin
from unit_samples import GOOD, TALK

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def write(write_here):
    return lambda content, name="talk.csv": write_here(content, name)


def interpretation(path, **settings):
    found = read(path, questions="keep", **settings).interpretation
    assert found is not None
    return found


def codes(path, **settings):
    found = interpretation(path, **settings)
    return [each.code for each in (*found.questions, *found.warnings) if each.code]


def recordings(*, column="zug", n_documents=5, order="file", seed=4):
    """Rows of recordings in which two annotators mark nearly the same units."""
    rng = random.Random(seed)
    rows = []
    for document in range(n_documents):
        at = 0.0
        for _ in range(12):
            at += rng.uniform(1, 4)
            label, length = rng.choice("AB"), rng.uniform(2, 3)
            for who in ("ann", "ben"):
                start = at + rng.uniform(-0.3, 0.3)
                rows.append((who, round(start, 2), round(start + length, 2), label, document))
            at += length
    rows.sort(key=lambda row: {"file": row[4], "start": row[1]}[order])
    lines = [f"{who},{start},{end},{label},rec{doc}" for who, start, end, label, doc in rows]
    return f"annotator,start,end,label,{column}\n" + "\n".join(lines) + "\n"


# The record


def test_the_record_has_the_origin_of_each_role_and_the_columns_not_used(write):
    path = write("who,start,end,label,file,note\nann,0,5,NP,a,x\nbob,0.5,4,VP,a,\nbob,5,6,,b,y\n")
    found = interpretation(path, annotator="who")
    assert found.origins == (
        Origin("document", "column", "file", "name", 2, ("a", "b")),
        Origin("annotator", "column", "who", "asked", 2, ("ann", "bob")),
        Origin("start", "column", "start", "name", 0, ("0", "0.5", "5")),
        Origin("end", "column", "end", "name", 0, ("5", "4", "6")),
        Origin("label", "column", "label", "name", 2, ("NP", "VP")),
    )
    assert found.ignored == (Ignored("column", "note", 2, "no role"),)


def test_a_table_without_header_has_roles_by_order(write):
    found = interpretation(write("ann,NP,0,5\nbob,VP,0.5,4\n"))
    assert found.origin("annotator") == Origin(
        "annotator", "column", "1", "format", 2, ("ann", "bob")
    )
    assert found.origin("document") == Origin("document", "file name", "", "format", 1, ("talk",))


def test_values_of_several_tables_are_counted_together(write):
    write("annotator,start,end,label,note\nann,0,5,NP,x\n", "in/a.csv")
    write("annotator,start,end,label,note\nbob,0,5,NP,x\nbob,6,7,NP,z\n", "in/b.csv")
    found = interpretation("in")
    assert found.origin("annotator") == Origin(
        "annotator", "column", "annotator", "name", 2, ("ann", "bob")
    )
    assert found.ignored == (Ignored("column", "note", 2, "no role"),)


def test_values_in_skipped_rows_are_not_counted(write):
    path = write("annotator,start,end,label,note\nann,0,5,NP,x\nbob,5,0,NP,y\n")
    found = interpretation(path, on_error="skip")
    assert found.ignored == (Ignored("column", "note", 1, "no role"),)


def test_a_column_with_a_value_per_row_is_not_counted_to_its_end(write):
    rows = "".join(f"ann,{at},{at + 1},NP,text {at}\n" for at in range(3000))
    found = interpretation(write("annotator,start,end,label,remark\n" + rows))
    assert found.ignored == (
        Ignored("column", "remark", 0, "no role; a different value in most rows"),
    )


# Headers and delimiters


@pytest.mark.parametrize(
    "content",
    [
        "Export of today,,,\n" + GOOD,
        "Export of today\n\nby Ann\n" + GOOD,
        "Project;x\n\n" + GOOD.replace(",", ";"),
    ],
)
def test_rows_above_the_header_are_skipped_and_listed(write, content):
    corpus = read(write(content))
    assert corpus["talk"] == TALK
    assert corpus.interpretation is not None
    (rows,) = corpus.interpretation.ignored
    assert (rows.kind, rows.where) == ("row", "talk.csv:1")


@pytest.mark.parametrize("line", ["sep=;\n", "SEP=;\r\n", '"sep=;"\n', "\ufeffsep=;\n"])
def test_a_line_with_the_delimiter_is_not_data(write, line):
    corpus = read(write(line + GOOD.replace(",", ";")))
    assert corpus["talk"] == TALK
    assert corpus.interpretation is not None
    assert corpus.interpretation.ignored == ()


def test_a_declared_delimiter_need_not_be_a_usual_one(write):
    assert read(write("sep=#\n" + GOOD.replace(",", "#")))["talk"] == TALK


def test_a_header_may_have_a_number_among_names_of_positions(write):
    path = write("annotator,start,end,label,2024\nann,0,5,NP,x\nbob,0.5,4,VP,\n")
    assert read(path)["talk"] == TALK


def test_a_row_of_role_names_that_is_data_is_no_header(write):
    path = write("ann,begin,0,5\nbob,end,0.5,4\n")
    assert read(path)["talk"].labels == ("begin", "end")


@pytest.mark.parametrize("first", ["0,1,2,3", "1,2,3,4"])
def test_a_first_row_of_consecutive_numbers_is_questioned(write, first):
    path = write(first + "\nann,NP,0,5\nann,NP,6,7\nbob,VP,0.5,4\n")
    with pytest.raises(AmbiguousInputError, match=r"(?s)The first row is .*header=True"):
        read(path)
    settings = interpretation(path).questions[0].readings[1].settings
    assert len(read(path, **settings)["talk"].units) == 3
    assert read(path, header=False).n_units == 4


def test_a_first_row_of_numbers_with_a_known_annotator_is_data(write):
    assert codes(write("1,2,3,4\n1,2,5,6\n2,2,3,4\n")) == []


# Names of columns


@pytest.mark.parametrize(
    "header",
    [
        "coder,Start (s),Stop (s),Behavior",
        "physician_id,Begin Time - ss.msec,End Time - ss.msec,annotation",
        "Kodierer,Anfang,Ende,Kategorie",
        "annotateur,début,fin,étiquette",
        "anotador,inicio,fin,categoría",
        "标注者,开始,结束,标签",
        "annotator,onset_seconds,end_time,value",
    ],
)
def test_names_of_other_tools_and_languages_are_known(write, header):
    assert read(write(f"{header}\nann,0,5,NP\nbob,0.5,4,VP\n"))["talk"] == TALK


def test_a_column_of_speakers_is_no_annotator(write):
    with pytest.raises(ReadError, match=r"no column for annotator; .* 'speaker'"):
        read(write(GOOD.replace("annotator", "speaker")))


@pytest.mark.parametrize("name", ["author", "user"])
def test_a_weak_name_is_used_with_a_warning(write, name):
    corpus = read(write(GOOD.replace("annotator", name)))
    assert corpus["talk"] == TALK
    assert corpus.interpretation is not None
    (warning,) = corpus.interpretation.warnings
    assert (warning.code, name in warning.text) == ("weak-name", True)
    assert codes("talk.csv", annotator=name) == []


def test_a_weak_name_does_not_compete_with_a_strong_one(write):
    path = write("user,coder,start,end,label\nx,ann,0,5,NP\ny,bob,0.5,4,VP\n")
    assert read(path)["talk"] == TALK
    assert codes(path) == []


def test_of_two_forms_of_a_time_the_number_is_read(write):
    path = write(
        "annotator,Begin Time - hh:mm:ss.ms,Begin Time - ss.msec,End Time - hh:mm:ss.ms,"
        "End Time - ss.msec,label\nann,00:00:00.000,0,00:00:05.000,5,NP\n"
        "bob,00:00:00.500,0.5,00:00:04.000,4,VP\n"
    )
    assert read(path)["talk"] == TALK
    assert [each.name for each in interpretation(path).ignored] == [
        "Begin Time - hh:mm:ss.ms",
        "End Time - hh:mm:ss.ms",
    ]


def test_positions_in_two_units_of_measurement_are_refused(write):
    with pytest.raises(ReadError, match="start is in milliseconds, end is in seconds"):
        read(write("annotator,start (ms),end (s),label\nann,0,5,NP\n"))


# Durations and clock times


@pytest.mark.parametrize("name", ["duration", "Dauer", "Duration (s)", "offset,length"])
def test_a_start_and_a_duration_give_the_end(write, name):
    extra = "9," * name.count(",")
    path = write(f"annotator,start,{name},label\nann,0.1,{extra}0.2,NP\nbob,0.3,{extra}0.4,VP\n")
    assert [(unit.start, unit.end) for unit in read(path)["talk"]] == [(0.1, 0.3), (0.3, 0.7)]


def test_an_end_takes_precedence_over_a_duration(write):
    path = write("annotator,start,end,duration,label\nann,0,5,99,NP\nbob,0.5,4,99,VP\n")
    assert read(path)["talk"] == TALK


def test_a_duration_is_chosen_by_the_caller(write):
    path = write("annotator,start,how long,label\nann,0,5,NP\nbob,0.5,3.5,VP\n")
    assert read(path, duration="how long")["talk"] == TALK
    with pytest.raises(SettingError, match="exclude each other"):
        read(path, duration="how long", end="label")


def test_a_negative_duration_is_refused_with_its_line(write):
    path = write("annotator,start,duration,label\nann,0,5,NP\nbob,3,-1,VP\n")
    with pytest.raises(ReadError, match=r"talk.csv:3: the duration -1 is negative"):
        read(path)
    assert read(path, on_error="skip").n_units == 1


def test_an_offset_is_an_end_beside_an_onset_only(write):
    assert read(write("coder,onset,offset,label\nann,0,5,NP\nbob,0.5,4,VP\n"))["talk"] == TALK
    with pytest.raises(AmbiguousInputError, match=r"'offset' may be the end .*duration='offset'"):
        read(write("coder,start,offset,label\nann,0,5,NP\nbob,0.5,4,VP\n"))


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (("0:00:00", "0:00:05", "0:00:00.5", "0:00:04"), TALK),
        (("00:00", "00:05", "00:00,5", "00:04,0"), TALK),
        (("00:00:00.000", "00:00:05.000", "00:00:00.500", "00:00:04.000"), TALK),
    ],
)
def test_clock_times_are_read_as_seconds(write, times, expected):
    first, second, third, fourth = times
    path = write(f"annotator;start;end;label\nann;{first};{second};NP\nbob;{third};{fourth};VP\n")
    assert read(path)["talk"] == expected


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("1:02:03.25", 3723.25), ("100:00", 6000.0), ("0:00:00.1", 0.1), ("27:46:39.999", 99999.999)],
)
def test_a_clock_time_is_the_nearest_number(write, text, seconds):
    path = write(f"annotator,start,end,label\nann,0:00,{text},NP\n")
    assert read(path)["talk"].units[0].end == seconds


@pytest.mark.parametrize("text", ["1:60", "1:2", "1:02:3", ":30", "1:2:3:4", "1:-2", "1:02:03:04"])
def test_other_texts_with_colons_are_refused(write, text):
    with pytest.raises(ReadError, match=r"talk.csv:2: end .* is not a number"):
        read(write(f"annotator,start,end,label\nann,0:00,{text},NP\n"))


def test_numbers_and_clock_times_are_not_mixed(write):
    path = write("annotator,start,end,label\nann,0:01,0:05,NP\nbob,1.5,4,VP\n")
    with pytest.raises(ReadError, match=r"talk\.csv:3: '1\.5' in column 2 is written differently"):
        read(path)
    path = write("annotator,start,end,label\nann,0:01,5,NP\nbob,0:02,4,VP\n")
    with pytest.raises(ReadError, match="the start is a clock time and the end a number"):
        read(path)


# Quotation marks


def test_a_stray_quotation_mark_is_refused_with_its_line(write):
    path = write('document,annotator,start,end,label\nr1,ann,0,5,NP\nr1",bob,0.5,4,VP\n')
    with pytest.raises(ReadError, match=r"talk.csv:3: a single quotation mark in column 1"):
        read(path)
    corpus = read(path, on_error="skip")
    assert (list(corpus), corpus.n_units) == (["r1"], 1)


@pytest.mark.parametrize(
    ("cell", "label"),
    [('"5"" disk"', '5" disk'), ('say "no"', 'say "no"'), ("don't", "don't")],
)
def test_other_quotation_marks_are_kept(write, cell, label):
    path = write(f"annotator,start,end,label\nann,0,5,{cell}\nbob,0.5,4,VP\n")
    assert label in read(path)["talk"].labels


def test_a_stray_quotation_mark_in_an_unused_column_is_kept(write):
    path = write('annotator,start,end,label,note\nann,0,5,NP,5" disk\nbob,0.5,4,VP,\n')
    assert read(path)["talk"] == TALK


# Columns that may name documents


def test_an_unknown_column_of_documents_is_questioned(write):
    path = write(recordings())
    with pytest.raises(AmbiguousInputError) as caught:
        read(path)
    (question,) = interpretation(path).open_questions
    assert str(question) in str(caught.value)
    assert question.code == "document-column"
    assert [dict(reading.settings) for reading in question.readings] == [
        {"document": "file"},
        {"document": "zug"},
    ]
    assert [reading.consequence for reading in question.readings] == ["1 document", "5 documents"]
    assert [len(read(path, **reading.settings)) for reading in question.readings] == [1, 5]
    assert len(read(path, accept="document-column")) == 1


def test_in_the_order_of_time_a_column_of_documents_is_a_warning(write):
    path = write(recordings(order="start"))
    assert codes(path) == ["document-column"]
    assert len(read(path)) == 1


def test_columns_of_well_read_documents_raise_nothing(write):
    lines = recordings(column="document").splitlines()
    rng = random.Random(8)
    people = {"ann": "f", "ben": "m"}
    rows = [lines[0] + ",sex,part,check,first"]
    for number, line in enumerate(lines[1:]):
        cells = line.split(",")
        part = number * 4 // len(lines)
        rows.append(f"{line},{people[cells[0]]},{part},{rng.randrange(3)},{cells[3].lower()}")
    path = write("\n".join(rows))
    assert codes(path) == []
    for document in range(5):
        own = [row for row in rows[1:] if f",rec{document}," in row]
        one = "\n".join([rows[0].replace("document", "zug"), *own])
        assert codes(write(one)) == []


def test_nested_units_of_one_document_raise_nothing(write):
    rows = [
        f"{who},{start},{start + length},{label},{label}{length}"
        for start in range(0, 120, 10)
        for who in ("ann", "ben")
        for label, length in (("NP", 9), ("N", 4))
    ]
    assert codes(write("annotator,start,end,label,kind2\n" + "\n".join(rows))) == []


# Tables without a header


def test_labels_before_annotators_are_questioned(write):
    lines = [line.split(",") for line in recordings(n_documents=1, seed=12).splitlines()[1:]]
    path = write("\n".join(f"{label},{who},{a},{b}" for who, a, b, label, _ in lines))
    with pytest.raises(AmbiguousInputError, match="second column is the annotator"):
        read(path)
    question = interpretation(path).questions[0]
    assert question.code == "column-order"
    assert read(path, **question.readings[1].settings).annotators == ("ann", "ben")
    assert read(path, **question.readings[0].settings).annotators == ("A", "B")


def test_annotators_before_labels_raise_nothing(write):
    lines = [line.split(",") for line in recordings(n_documents=1, seed=13).splitlines()[1:]]
    assert codes(write("\n".join(f"{who},{label},{a},{b}" for who, a, b, label, _ in lines))) == []


def test_the_examples_raise_no_question():
    for path in ("corpus", "interview.csv", "meeting_gold.csv", "paragraphs.csv"):
        record = un.read(f"{EXAMPLES}/{path}").interpretation
        assert record is not None
        assert record.questions == ()


# Parquet


def test_parquet_has_the_same_record_and_the_same_question(write, tmp_path):
    polars = pytest.importorskip("polars")
    path = write(recordings(), "units.csv")
    parquet = tmp_path / "units.parquet"
    polars.read_csv(path).write_parquet(parquet)
    assert codes(parquet) == ["document-column"]
    assert len(read(parquet, document="zug")) == 5
    assert interpretation(parquet).ignored == interpretation(path).ignored


def test_a_duration_in_parquet_gives_the_end(tmp_path):
    polars = pytest.importorskip("polars")
    path = tmp_path / "talk.parquet"
    frame = {"annotator": ["ann", "bob"], "start": [0, 0.5], "duration": [5, 3.5]}
    polars.DataFrame({**frame, "label": ["NP", "VP"]}, strict=False).write_parquet(path)
    assert read(path)["talk"] == TALK
