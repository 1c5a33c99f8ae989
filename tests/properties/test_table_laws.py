"""Tables are read as the csv module, `str.strip` and `float` do, however the text is cut."""

import csv
import io
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import unisono as un
from unisono._core import TableReader, split_rows
from unisono.errors import UnisonoError
from unisono.formats import characters
from unisono.model.columns import written_number

NASTY = '",;\r\n \t"\'ab1.é\u3000\u0085\x1c\x00\U0001f600'
TEXTS = st.text(st.sampled_from(NASTY), max_size=40)
DELIMITERS = st.sampled_from([",", ";", "\t", " ", "a", ".", "é", "\u3000"])
DIGITS = st.text("0123456789", max_size=18)
PLAIN = st.builds("{}{}{}{}".format, st.sampled_from(["", "-", "+"]), DIGITS, st.just("."), DIGITS)
ODD = st.sampled_from(
    [
        *("", " ", "-", ".", "-.", "5.", ".5", "1..2", "1.2.3", "12345678.1.2345678", "--1", "- 1"),
        *("1e3", "1E-400", "1e400", "-1e400", "1e", "e5", "1e+", ".e5", "1e5.5", "1e0000000001"),
        *("+1", " 2", "  2", " -2.5", "3 ", "1_0", "inf", "nan", "0x1", "1\0", "\0", "1 2", "1e 5"),
        *("\u0663", "1\u0663", "\uff11", "9" * 400, "-0", "-0.0", "1,5", ",5", "5,", "1,5.5", "."),
        *("9007199254740992", "9007199254740993", "0.1234567890123456", "5e-324", "2e-324"),
        *("2.2250738585072011e-308", "0." + "0" * 400 + "1", "1" + "0" * 400 + "e-400", "0e999"),
        *("1.7976931348623157e308", "1.7976931348623159e308", "0.30000000000000004", "\u30005"),
    ]
)
NUMBERS = PLAIN | DIGITS | st.floats().map(repr) | st.floats(-1e6, 1e6).map("{:.3f}".format) | ODD


def reader_of(text, delimiter, cuts, columns, *, header=True, keeps_blank=False):
    """Feed a text in pieces that end anywhere, also within a character."""
    content = text.encode()
    places = [0, *sorted(cut % (len(content) + 1) for cut in cuts), len(content)]
    reader = TableReader(delimiter.encode(), longest_cell=2**24, longest_row=2**26)
    blocks, flawed = [], []
    is_chosen = False
    for piece in range(len(places) - 1):
        is_last = piece == len(places) - 2
        reader.feed(content[places[piece] : places[piece + 1]], is_last=is_last)
        if not is_chosen and reader.first is not None:
            chosen = np.array(columns(len(reader.first)), dtype=np.int32)
            # The csv module takes a stray quotation mark as text, as limited codebooks do.
            reader.choose(chosen, takes_first=not header, keeps_blank=keeps_blank, limited=0)
            is_chosen = True
        flawed += reader.flawed()
        if is_chosen:
            numbers = [reader.numbers(at) for at in range(len(chosen))]
            codes = [reader.codes(at) for at in range(len(chosen))]
            blocks.append((numbers, codes))
    return reader, blocks, flawed


def rows_of(text, delimiter):
    """Read the rows with the csv module until one is broken: line, cells."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    rows, line = [], 1
    try:
        for row in reader:
            rows.append((line, [cell.strip() for cell in row]))
            line = reader.line_num + 1
    except csv.Error as error:
        return rows, (line, str(error))
    return rows, None


@given(text=TEXTS, delimiter=DELIMITERS, cuts=st.lists(st.integers(0, 99), max_size=4))
@example(text='a,b\r\n"x\r\ny",z\r\r1,2', delimiter=",", cuts=[5, 8, 9])
@example(text='a,b\n"x"y,"\nz\n1,2\n', delimiter=",", cuts=[])
@example(text='""1\r1', delimiter=",", cuts=[5])
@example(text='"x""y" ,b\n ,1\n\n"\u3000", 2 \n"1', delimiter=",", cuts=[2, 3])
@settings(max_examples=1000)
def test_rows_are_those_of_the_csv_module(text, delimiter, cuts):
    rows, broken = rows_of(text, delimiter)
    first = next((at for at, (_, cells) in enumerate(rows) if any(cells)), None)
    reader, blocks, flaws = reader_of(
        text, delimiter, cuts, range, header=False, keeps_blank=delimiter == ";"
    )
    if first is None:
        assert reader.first is None
        assert bool(flaws) == (broken is not None)
        return
    line, cells = rows[first]
    assert (reader.first, reader.first_line) == (cells, line)
    width = len(cells)
    wanted = [
        (line, cells)
        for line, cells in rows[first:]
        if len(cells) == width and (any(cells) or delimiter == ";")
    ]
    ragged = [line for line, cells in rows[first:] if len(cells) != width and any(cells)]
    end = broken[0] if broken else 10**9
    assert [row[0] for row in flaws if row[2] == "width" and row[0] < end] == ragged
    if broken:
        line, message = broken
        kind = "open quote" if "unexpected end" in message else "after quote"
        assert next(row for row in flaws if row[0] == line)[2] == kind
    found = []
    columns = [np.concatenate([block[1][at] for block in blocks]) for at in range(width)]
    texts = [reader.texts(at) for at in range(width)]
    for names, _ in texts:
        assert names == sorted(set(names) - {""})
    for row in range(reader.rows):
        place = reader.line_of(row)
        codes = [int(column[row]) for column in columns]
        named = ["" if c < 0 else texts[at][0][texts[at][1][c]] for at, c in enumerate(codes)]
        if place < end:
            found.append((place, named))
    assert found == wanted


@given(text=TEXTS, delimiter=DELIMITERS)
def test_any_text_can_be_split(text, delimiter):
    rows = split_rows(text.encode(), delimiter.encode())
    wanted, broken = rows_of(text, delimiter)
    plain = [cells for _, cells in wanted]
    assert rows[: len(plain)] == plain
    assert broken or len(rows) == len(plain)


@given(content=st.binary(max_size=60), cuts=st.lists(st.integers(0, 99), max_size=3))
def test_text_that_is_not_utf8_is_noticed(content, cuts):
    reader = TableReader(b",", longest_cell=2**24, longest_row=2**26)
    reader.feed(b"a,b\n", is_last=False)
    reader.choose(np.array([0, 1], np.int32), takes_first=False, keeps_blank=False)
    places = [0, *sorted(cut % (len(content) + 1) for cut in cuts), len(content)]
    found = []
    for low, high in pairwise(places):
        reader.feed(content[low:high], is_last=False)
        found += reader.flawed()
    reader.feed(b"", is_last=True)
    found += reader.flawed()
    try:
        content.decode()
    except UnicodeDecodeError:
        assert any(row[2] == "encoding" for row in found)
    else:
        assert not any(row[2] == "encoding" for row in found)


def numbers_of(cells, delimiter):
    rows = "".join(f"{'x' * (1 + row % 9)}{delimiter}{cell}\n" for row, cell in enumerate(cells))
    reader, blocks, flawed = reader_of(
        f"name{delimiter}n\n{rows}", delimiter, [], lambda _: [-1, -2]
    )
    return reader, np.concatenate([block[0][1] for block in blocks]), flawed


def bits(numbers):
    return np.asarray(numbers, dtype=np.float64).view(np.int64).tolist()


@given(st.lists(NUMBERS, min_size=1, max_size=30))
@example(["0.1", "9007199254740992", "-0", "-0.0", "00000000.1", "123456789.1234567"])
@settings(max_examples=500)
def test_numbers_are_those_of_float(cells):
    cells = [cell for cell in cells if "," not in cell]
    wanted, refused = [], []
    for line, cell in enumerate(cells, start=2):
        try:
            number = written_number(cell)
        except ValueError:
            refused.append(line)
            continue
        if cell.strip().lower().strip("+-") in ("inf", "nan", "infinity"):
            refused.append(line)
        else:
            wanted.append(number)
    _, found, flawed = numbers_of(cells, ";")
    assert bits(found) == bits(wanted)
    assert [row[0] for row in flawed] == refused
    assert {row[2:] for row in flawed} <= {("number", 1)}


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False).map(repr), min_size=1, max_size=30)
)
def test_a_decimal_comma_is_read_as_a_point(cells):
    with_comma = [cell.replace(".", ",") for cell in cells]
    reader, found, flawed = numbers_of(with_comma, ";")
    assert (bits(found), flawed) == (bits(list(map(float, cells))), [])
    assert reader.has_decimal_comma == any("," in cell for cell in with_comma)


@given(st.lists(st.sampled_from(["1", "1.5", "1,5", "x", ".5", ",5"]), max_size=12))
def test_the_first_decimal_of_a_table_tells_how_decimals_are_written(cells):
    reader, found, flawed = numbers_of(cells, ";")
    marks = [mark for cell in cells for mark in ".," if mark in cell]
    own = marks[0] if marks else "."
    other = "," if own == "." else "."
    good = [cell for cell in cells if cell != "x" and other not in cell]
    assert found.tolist() == [float(cell.replace(",", ".")) for cell in good]
    assert len(flawed) == len(cells) - len(good)
    assert reader.has_decimal_comma == (own == "," and bool(marks))


# What a cell may hold without quotation marks.
CELLS = st.text(st.characters(exclude_characters='",;\r\n', exclude_categories=["Cs"]), max_size=12)
BOUNDS = st.floats(-100, 100).map("{:.2f}".format) | st.integers(0, 99).map(str)
ROWS = st.tuples(
    st.sampled_from(["ann", "bob", " ann", "ümit", "ann\0"]),
    BOUNDS,
    BOUNDS,
    st.sampled_from(["NP", "VP", "", " ", "1", "標籤", "a label that takes more than one word"]),
).map(lambda row: (row[0], *sorted(row[1:3], key=float), row[3]))
ODD_ROWS = st.tuples(CELLS, NUMBERS, NUMBERS, CELLS)
LINES = st.lists(ROWS, min_size=1, max_size=12)


def told(path, **options):
    """Return what a table says, or why it does not."""
    try:
        corpus = un.read(path, **options)
    except UnisonoError as error:
        return type(error), str(error).replace(str(path.parent), "")
    return corpus.digest, corpus.labels, corpus.skipped, corpus.notes


@given(
    lines=st.one_of(LINES, st.builds(lambda rows, odd: [*rows, odd, *rows], LINES, ODD_ROWS)),
    delimiter=st.sampled_from([",", ";"]),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    last_end=st.booleans(),
    on_error=st.sampled_from(["raise", "skip"]),
    block=st.integers(1, 300),
)
@settings(max_examples=200)
def test_a_table_gives_the_same_by_every_way_of_reading(
    lines, delimiter, line_end, last_end, on_error, block
):
    rows = [("annotator", "start", "end", "label"), *lines]
    text = line_end.join(map(delimiter.join, rows)) + line_end * last_end
    # A zero byte among the first tells a binary file.
    text = text.replace("\0", "")
    quoted = io.StringIO(newline="")
    writer = csv.writer(quoted, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerows(cells for _, cells in rows_of(text, delimiter)[0] if cells)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "talk.csv")
        path.write_bytes(text.encode())
        whole = told(path, on_error=on_error, delimiter=delimiter)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(characters, "_BLOCK", block)
            assert told(path, on_error=on_error, delimiter=delimiter) == whole
        path.write_bytes(text.encode("utf-16"))
        assert told(path, on_error=on_error, delimiter=delimiter) == whole
        # Messages show the row as it stands in the file.
        if not isinstance(whole[0], type):
            path.write_bytes(quoted.getvalue().encode())
            again = told(path, on_error=on_error, delimiter=delimiter)
            assert again[:3] == whole[:3]
