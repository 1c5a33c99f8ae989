"""Long tables of ratings, one row per rating, in various layouts."""

import codecs

import pytest

from unisono.errors import DataError, ReadError, SettingError, setting, worded
from unisono.formats import characters
from unisono.formats.read import read_ratings
from written_ratings import LONG, TABLE, same


@pytest.fixture
def write(write_here):
    return lambda content, name="ratings.csv": write_here(content, name)


# Long tables


@pytest.mark.parametrize(
    "content",
    [
        LONG,
        "Coder;Subject;Category\nann;s1;NP\nbob;s1;VP\nann;s2;NP",
        "label\titem\trater\tnotes\nNP\ts1\tann\t\nVP\ts1\tbob\twhy\nNP\ts2\tann\t\n",
        "user_id|question|answer\nann|s1|NP\nbob|s1|VP\nann|s2|NP\n",
        "item,sentence,annotator,label\ns1,x,ann,NP\ns1,x,bob,VP\ns2,y,ann,NP\n",
        "\n ,,\n" + LONG.replace("\n", "\n\n"),
        LONG + ",,\n , ,\n",
        LONG.replace(",", " , "),
        LONG.replace("\n", "\r\n"),
        codecs.BOM_UTF8 + LONG.encode(),
        LONG.encode("utf-16"),
        'annotator,item,label\n"ann","s1","NP"\n"bob",s1,VP\nann,"s2",NP\n',
    ],
)
def test_a_long_table_is_read_however_it_is_laid_out(write, content):
    assert same(read_ratings(write(content)), TABLE)


def test_tsv_is_separated_by_tabs(write):
    path = write("annotator\titem\tlabel\nann\ts1\ta,b\n", "ratings.tsv")
    assert read_ratings(path).labels == ("a,b",)


def test_columns_are_named_or_numbered_by_the_caller(write):
    path = write("who,what,how,why\nann,s1,NP,x\nbob,s1,VP,y\nann,s2,NP,z\n")
    assert same(read_ratings(path, annotator="who", item="WHAT", label=3), TABLE)
    with pytest.raises(ReadError, match=r"ratings.csv:1: no column 'whom' for annotator=; the col"):
        read_ratings(path, annotator="whom", item="what", label="how")
    with pytest.raises(ReadError, match=r"ratings.csv:1: no column 9 for item=; the table has 4"):
        read_ratings(path, annotator="who", item=9, label="how")


def test_a_table_without_header_is_read_by_numbers(write):
    path = write("ann,s1,NP\nbob,s1,VP\nann,s2,NP\n")

    def numbered(header=None):
        return read_ratings("ratings.csv", annotator=1, item=2, label=3, header=header)

    assert same(numbered(header=False), TABLE)
    assert same(read_ratings(path, header=False, wide=False), TABLE)
    with pytest.raises(ReadError, match=r"the first row is 'ann', 's1', 'NP'; .* header=False"):
        numbered()
    assert numbered(header=True).n_ratings == 2
    write("1,5723,ORF\n2,5723,ORF\n")
    assert numbered().items == ("5723",)


def test_an_ambiguous_input_is_an_error(write):
    path = write("ann,bob\nNP,VP\n")
    with pytest.raises(ReadError) as caught:
        read_ratings(path)
    assert str(caught.value) == (
        "ratings.csv:1: no column for annotator, item, label; the columns are 'ann', 'bob'; set "
        "annotator=…, item=…, label=…; or, if each annotator has a column, wide=True or "
        "annotator_columns=…. If there is no header, set header=False"
    )
    with pytest.raises(
        ReadError, match=r"no column for annotator, item, label; .* annotator_columns=…$"
    ):
        read_ratings(write("1,2,2\n1,2,3\n"))
    with pytest.raises(ReadError, match=r"no column for annotator, item; .* item=…$"):
        read_ratings(write("one,two\nNP,VP\n"), label="one")
    path = write("annotator,item,sentence,label,tag\nann,s1,x,NP,y\n")
    assert read_ratings(path).labels == ("NP",)
    path = write("annotator,sentence,question,label\nann,s1,x,NP\n")
    with pytest.raises(ReadError, match=r"can be the item: .* choose one with item=…"):
        read_ratings(path)


def test_messages_name_settings_as_the_interface_does(write):
    path = write("ann,bob\nNP,VP\n")
    with (
        worded(lambda name, *_: f"--{name}"),
        pytest.raises(ReadError, match=r"set --annotator, --item, --label; or, .* --wide or"),
    ):
        read_ratings(path)
    assert setting("wide", True) == "wide=True"


def test_labels_are_numbers_if_all_of_them_are(write):
    head = "annotator,item,label\n"
    assert read_ratings(write(head + "a,1,1\nb,1,2.0\nc,1,\n")).labels == (1, 2)
    assert read_ratings(write(head + "a,1,1\nb,1,x\n")).labels == ("1", "x")
    assert read_ratings(write("label,item,annotator\n10,1,a\n9,1,b\n")).labels == (9, 10)
    assert read_ratings(write(head + "a,1,1\nb,1,2\n")).items == ("1",)


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (("0,5", "1", "-2,25"), (-2.25, 0.5, 1)),
        (("1", "2"), (1, 2)),
        (("0,5", "0.5"), ("0,5", "0.5")),
        (("0,5", "x"), ("0,5", "x")),
        (("1,1", "1,10"), ("1,1", "1,10")),
        ((",5", "1"), (",5", "1")),
    ],
)
def test_labels_with_a_decimal_comma_are_numbers(write, cells, labels):
    rows = "".join(f"ann;s{at};{cell}\n" for at, cell in enumerate(cells))
    path = write("annotator;item;label\n" + rows)
    assert read_ratings(path).labels == labels
    rows = "".join(f"s{at};{cell};{cell}\n" for at, cell in enumerate(cells))
    assert read_ratings(write("item;ann;bob\n" + rows), wide=True).labels == labels
    # If a comma separates columns, the decimal mark is a point.
    rows = "".join(f'ann,s{at},"{cell}"\n' for at, cell in enumerate(cells))
    plain = read_ratings(write("annotator,item,label\n" + rows)).labels
    assert plain == (labels if "," not in "".join(cells) else tuple(sorted(cells)))


def test_members_of_sets_can_have_a_decimal_comma(write):
    path = write("annotator;item;label\nann;s1;0,5|1\nbob;s1;1\n")
    assert read_ratings(path, separator="|", delimiter=";").labels == (
        frozenset({0.5, 1}),
        frozenset({1}),
    )


def test_texts_that_mean_missing_are_missing(write):
    path = write("annotator,item,label\na,1,1\nb,1,NA\nc,1, ? \nd,1,\n")
    table = read_ratings(path, na_values=("NA", "?"))
    assert (table.labels, table.n_ratings, table.n_annotators) == ((1,), 1, 4)
    assert read_ratings(path, na_values="NA").labels == ("1", "?")
    with pytest.raises(TypeError, match=r"na_values must be texts .* got 5"):
        read_ratings(path, na_values=5)  # type: ignore[arg-type]


def test_cells_with_a_separator_are_sets(write):
    path = write("annotator,item,label\na,1,x|y\nb,1,y | x|\nc,1,|\nd,1,\n")
    table = read_ratings(path, separator="|", delimiter=",")
    assert table.labels == (frozenset(), frozenset({"x", "y"}))
    assert table.n_ratings == 3
    path = write("annotator,item,label\na,1,1 2\nb,1,2\n")
    assert read_ratings(path, separator=" ").labels == (frozenset({1, 2}), frozenset({2}))


def test_declared_annotators_of_a_long_table(write):
    table = read_ratings(write(LONG), wide=False, annotator_columns=("ann", "bob", "eve"))
    assert table.annotators == ("ann", "bob", "eve")
    with pytest.raises(DataError, match="'bob' has ratings but is not among the declared"):
        read_ratings("ratings.csv", wide=False, annotator_columns=("ann",))


def test_a_rating_given_twice_is_named_with_both_lines(write):
    path = write('annotator,item,label\n\nann,s1,"a\nb"\nbob,s1,VP\nann,s1,c\n')
    with pytest.raises(ReadError) as caught:
        read_ratings(path)
    assert str(caught.value) == (
        r"ratings.csv:6: 'ann' rated the item 's1' twice, 'a\nb' in line 3 and 'c' in line 6; "
        "keep one, or use duplicates='first'"
    )
    assert read_ratings(path, duplicates="first").labels == ("VP", "a\nb")
    with pytest.raises(SettingError, match="unknown duplicates='last'"):
        read_ratings(path, duplicates="last")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("ann,s1,NP\n,s2,NP\n", "ratings.csv:3: the annotator is empty; every rating needs one"),
        ("ann,s1,NP\nann, ,NP\n", "ratings.csv:3: the item is empty; every rating needs one"),
        (
            "ann,s1,NP\n\nann,s2\n",
            "ratings.csv:4: expected 3 columns .* got 2; the row is 'ann,s2'",
        ),
        (
            'ann,s1,"NP\nbob,s1,NP\n',
            r"ratings.csv:2: a quotation mark opened in column 3 \('label'\) of this row",
        ),
        (
            'ann,s1,NP\nbob,s1,"N"P\n',
            r"ratings.csv:3: text after a closing quotation mark in column 3 \('label'\)",
        ),
        ("ann,s1,\n", "ratings.csv: no ratings found; expected one row per rating"),
        ("", "ratings.csv: no ratings found"),
    ],
)
@pytest.mark.parametrize("block", [1, 4000])
def test_bad_rows_are_refused_with_file_and_line(write, rows, message, block, monkeypatch):
    monkeypatch.setattr(characters, "_BLOCK", block)
    with pytest.raises(ReadError, match=message):
        read_ratings(write("annotator,item,label\n" + rows), delimiter=",")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "ratings.csv: the file is empty; expected one row per rating"),
        (b" \n", "ratings.csv: the file is empty"),
        (b",,\n,,\n", "ratings.csv: no data in 2 rows"),
        (b"PK\x03\x04", "ratings.csv: a spreadsheet or zip archive"),
        (b"annotator,item,label\nann,s1,\xff\n", "ratings.csv:2: not valid UTF-8"),
        (b"annotator item label\nann s1 NP\n", r"ratings.csv:1: only one column .* delimiter=' '"),
        (b"one\ntwo\n", "ratings.csv:1: only one column with comma as the delimiter"),
        (b'"x,y\n', "ratings.csv:1: a quotation mark opened in"),
    ],
)
def test_files_that_are_no_tables_are_refused(write, content, message):
    with pytest.raises(ReadError, match=message):
        read_ratings(write(content))


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ReadError, match=r"no.csv: the file cannot be opened: No such file"):
        read_ratings(tmp_path / "no.csv")
    with pytest.raises(ReadError, match=r"no readable file in this folder; looked for '\.json'"):
        read_ratings(tmp_path)
    with pytest.raises(TypeError, match=r"requires the path of one file; got \['a.csv'\]"):
        read_ratings(["a.csv"])  # type: ignore[arg-type]


# Settings


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"annotator": 0}, SettingError, "columns are counted from 1; got annotator=0"),
        ({"annotator_columns": (0,)}, SettingError, "counted from 1; got annotator_columns=0"),
        ({"annotator": True}, TypeError, "annotator= must be the name or the number of a column"),
        ({"annotator_columns": "ann"}, TypeError, r"must be a list of columns, such as \(2, 3\)"),
        ({"annotator_columns": 2}, TypeError, "annotator_columns= must be a list of columns"),
        ({"annotator_columns": (2, 2)}, SettingError, "annotator_columns= repeats the column 2"),
        ({"annotator": 2, "item": 2}, SettingError, "annotator= and item= both name the column 2"),
        ({"annotator": "x", "header": False}, SettingError, "without a header has no column names"),
        ({"annotator_columns": (1,), "label": 2}, SettingError, "remove label=, or set wide=False"),
        ({"wide": True, "annotator": 2}, SettingError, "a wide table has one column per ann"),
        ({"wide": "yes"}, TypeError, "wide= must be True, False or None; got 'yes'"),
        ({"header": "yes"}, TypeError, "header= must be True, False or None; got 'yes'"),
        ({"delimiter": ";;"}, SettingError, "a delimiter must be a single character"),
        ({"separator": ""}, SettingError, "separator must be the text between"),
    ],
)
def test_settings_that_make_no_sense_are_refused_before_reading(settings, error, message):
    with pytest.raises(error, match=message):
        read_ratings("not there.csv", **settings)
