"""Wide tables of ratings, one row per item and one column per annotator."""

import pytest

from unisono.errors import ReadError
from unisono.formats.read import read_ratings
from unisono.model.ratings import Ratings
from written_ratings import TABLE, same

# Komen (2009), example (9): antecedents of ten noun phrases according to John and Mary.
JOHN = [0, 13, 23, 0, 0, 13, 0, 62, 0, 0]
MARY = [0, 13, 0, 0, 0, 0, 0, 0, 13, 0]
KOMEN = "".join(f"np{i};{a};{b};-\n" for i, (a, b) in enumerate(zip(JOHN, MARY, strict=True)))


@pytest.fixture
def write(write_here):
    return lambda content, name="ratings.csv": write_here(content, name)


def test_komens_columns_are_chosen_by_number(write):
    table = read_ratings(write(KOMEN, "komen.txt"), annotator_columns=(2, 3))
    expected = Ratings.from_matrix({"2": JOHN, "3": MARY})
    assert same(table, expected)
    named = read_ratings("komen.txt", annotator_columns=(2, 3), item=1)
    assert named == expected
    assert named.items == tuple(f"np{i}" for i in range(10))


@pytest.mark.parametrize("name", ["ratings.csv", "ratings.tsv"])
def test_wide_columns_are_chosen_by_name(write, name):
    delimiter = "\t" if name.endswith("tsv") else ";"
    rows = ("item,text,ann,bob", "s1,hello,NP,VP", "s2,x,NP,")
    path = write("\n".join(rows).replace(",", delimiter), name)
    table = read_ratings(path, annotator_columns=("bob", "Ann"))
    assert same(table, TABLE)
    assert read_ratings(path, wide=True).annotators == ("ann", "bob", "text")


def test_every_column_but_the_items_is_an_annotator_if_the_caller_states_it(write):
    assert same(read_ratings(write("item,bob,ann\ns1,VP,NP\ns2,,NP\n"), wide=True), TABLE)
    path = write("ann,bob\nNP,VP\nNP,\n")
    table = read_ratings(path, wide=True, header=True)
    assert (table, table.items) == (TABLE, (1, 2))
    path = write("id,ann,bob\ns1,NP,VP\ns2,NP,\n")
    assert same(read_ratings(path, wide=True, item="id"), TABLE)


@pytest.mark.parametrize(
    ("content", "annotators", "items"),
    [
        ("1,2\n3,1\n", ("1", "2"), (1, 2)),  # numbers are not names
        ("x,\ny,x\n", ("1", "2"), (1, 2)),  # neither is an empty cell
        ("ann,bob\n1,2\n2,NA\n", ("ann", "bob"), (1, 2)),  # names above numbers
        ("x,y\ny,x\nx,z\n", ("1", "2"), (1, 2, 3)),  # repeated labels
        ("item,7\n1,2\n2,3\n", ("7",), ("1", "2")),  # a common name of the item column
        ("id,ann\n1,x\n2,y\n", ("ann",), ("1", "2")),  # another common name
        ("ann,bob\nx,y\ny,x\nx,x\nNA,x\n,x\n", ("ann", "bob"), (1, 2, 3, 4, 5)),  # never labels
    ],
)
def test_the_first_row_of_a_wide_table_is_recognised_by_the_others(
    write, content, annotators, items
):
    table = read_ratings(write(content), wide=True, na_values="NA")
    assert (table.annotators, table.items) == (annotators, items)


@pytest.mark.parametrize(
    "content", ["ann,bob\nx,y\ny,x\n", "ann,bob\n", "ann,bob\n" + "x,bob\n" * 9]
)
def test_an_ambiguous_first_row_is_an_error(write, content):
    with pytest.raises(ReadError) as caught:
        read_ratings(write(content), annotator_columns=(1, 2))
    assert str(caught.value) == (
        "ratings.csv:1: the first row is 'ann', 'bob'; set header=True if these are names of "
        "annotators, header=False if they are labels"
    )


NAMED_ITEMS = "".join(f"s{i},{'xy'[i % 2]},{'xyz'[i % 3]}\n" for i in range(20))


@pytest.mark.parametrize(
    ("head", "called"), [("text,ann,bob", "'text'"), (",ann,bob", "1"), ("7,ann,bob", "1")]
)
def test_a_column_of_names_is_not_an_annotator(write, head, called):
    path = write(f"{head}\n{NAMED_ITEMS}")
    with pytest.raises(ReadError) as caught:
        read_ratings(path, wide=True)
    assert str(caught.value) == (
        f"ratings.csv:1: column {called} has a distinct value in every row and probably names the "
        f"items; set item={called}, or choose the columns of annotators with annotator_columns=…"
    )
    item = int(called) if called == "1" else called.strip("'")
    assert read_ratings(path, wide=True, item=item).n_annotators == 2
    assert read_ratings(path, annotator_columns=("ann", "bob")).n_items == 20
    assert read_ratings(path, annotator_columns=(1, 2, 3), header=False).n_annotators == 3


@pytest.mark.parametrize(
    "row",
    [
        lambda i: f"{i / 7},{i / 3}",  # two annotators with measurements
        lambda i: f"{i / 7},{i / 3},{i / 9}",  # three
        lambda i: f"{i},{i // 2},{i // 3}",  # slightly fewer distinct labels
        lambda i: f"{i % 5},{i % 3},{i % 4}",  # no column with distinct values
    ],
)
def test_annotators_with_many_labels_are_annotators(write, row):
    path = write("".join(f"{row(i)}\n" for i in range(30)))
    assert read_ratings(path, wide=True, header=False).n_items == 30


@pytest.mark.parametrize(
    ("texts", "message"),
    [(("NA",), "the label 'NA'; .* set na_values='NA'"), (("NaN", "null"), "'NaN', 'null'; .*=…")],
)
def test_a_label_that_looks_missing_is_pointed_out(write, texts, message):
    rows = "".join(f"ann,s{i},{text}\n" for i, text in enumerate(texts))
    path = write(f"annotator,item,label\n{rows}bob,s0,x\n")
    with pytest.warns(UserWarning, match=message):
        assert set(texts) < set(read_ratings(path).labels)
    assert read_ratings(path, na_values=texts).labels == ("x",)


def test_a_header_is_not_a_label(write):
    table = read_ratings(write("ann,bob\n1,2\n"), wide=True, header=True)
    assert table.labels == (1, 2)


def test_an_item_with_two_rows_is_rated_twice(write):
    path = write("item,ann,bob\ns1,a,\ns1,,b\n")
    assert read_ratings(path, wide=True).n_items == 1
    path = write("item,ann,bob\ns1,a,\ns1,c,b\n")
    with pytest.raises(ReadError, match=r"ratings.csv:3: 'ann' rated .* 'a' in line 2 and 'c' in"):
        read_ratings(path, wide=True)


@pytest.mark.parametrize(
    ("content", "settings", "message"),
    [
        ("item,ann,bob\n,a,b\n", {}, "ratings.csv:2: the item is empty; every rating needs one"),
        ("item,ann,ann\ns1,a,b\n", {}, "column 2 has the same name as another, 'ann'; rename it"),
        ("item,ann,\ns1,a,b\n", {}, "column 3 has no name; .* by number with annotator_columns=…"),
        ("item,ann\ns1,a,b\n", {}, "ratings.csv:2: expected 2 columns as in the first row, got 3"),
        ("item,ann\ns1,a\n", {"annotator_columns": ("bob",)}, "no column 'bob' for annotator_col"),
        ("item,ann\ns1,a\n", {"annotator_columns": (3,)}, "no column 3 for .*; the table has 2"),
        ("item,ann\ns1,a\n", {"annotator_columns": ("ann", 2)}, "column 2 .'ann'. is used twice"),
        ("item,ann\ns1,a\n", {"annotator_columns": (1, 2)}, "column 1 .'item'. is used twice"),
        ("item,ann\ns1,\n", {}, "no ratings found"),
    ],
)
def test_bad_wide_tables_are_refused(write, content, settings, message):
    with pytest.raises(ReadError, match=message):
        read_ratings(write(content), wide=True, **settings)


def test_a_blank_row_of_a_wide_table_is_ignored(write):
    table = read_ratings(write("item,ann\ns1,a\n,\n"), wide=True)
    assert table.items == ("s1",)
