"""However the cells of a table are read, many at once or one by one, they say the same."""

import io
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import unisono as un
from unisono.errors import UnisonoError
from unisono.formats import fast_csv
from unisono.formats.fast_csv import CellBook, Decimals, PlainColumn, plain_blocks, plain_numbers
from unisono.model.columns import Codebook

# What a cell may hold without quotation marks.
CELLS = st.text(st.characters(exclude_characters='",;\r\n', exclude_categories=["Cs"]), max_size=12)
DIGITS = st.text("0123456789", max_size=18)
PLAIN = st.builds("{}{}{}{}".format, st.sampled_from(["", "-"]), DIGITS, st.just("."), DIGITS)
ODD = st.sampled_from(
    [
        *("", " ", "-", ".", "-.", "5.", ".5", "1..2", "1.2.3", "12345678.1.2345678", "--1", "- 1"),
        *(
            "1e3",
            "1E-400",
            "+1",
            " 2",
            "  2",
            " -2.5",
            "3 ",
            "1_0",
            "inf",
            "nan",
            "0x1",
            "1\0",
            "\0",
        ),
        *("\u0663", "1\u0663", "\uff11", "9" * 400, "-0", "-0.0", "1,5", ",5", "5,"),
        *("9007199254740992", "9007199254740993", "0.1234567890123456"),
    ]
)
NUMBERS = PLAIN | DIGITS | st.floats().map(repr) | st.floats(-1e6, 1e6).map("{:.3f}".format) | ODD


def column(cells, delimiter=";"):
    """Put cells beside others, so that they begin and end everywhere in a word."""
    rows = (f"{'x' * (row % 9)}{delimiter}{cell}" for row, cell in enumerate(cells))
    _, plain = next(plain_blocks(io.StringIO("\n".join(rows), newline=""), delimiter, 2))
    assert plain is not None
    return PlainColumn(plain, 1)


def bits(numbers):
    return np.asarray(numbers, dtype=np.float64).view(np.int64).tolist()


@given(st.lists(NUMBERS, min_size=1, max_size=30))
@example(["0.1", "9007199254740992", "-0", "-0.0", "00000000.1", "123456789.1234567"])
def test_what_is_written_plainly_is_the_nearest_double(cells):
    found = plain_numbers(column(cells))
    plain = sorted(set(range(len(cells))) - set(found.others.tolist()))
    assert bits(found.values[plain]) == bits([float(cells[row]) for row in plain])


@pytest.mark.parametrize("length", range(1, 18))
def test_numbers_of_few_digits_are_read_many_at_once(length):
    digits = "9012345678765432"[: length - 1]
    for sign in ("", "-"):
        cells = [sign + digits[:at] + "." + digits[at:] for at in range(length)]
        found = plain_numbers(column(cells))
        exact = 2 <= length <= 16 and int(digits) <= 2**53
        assert len(found.others) == (0 if exact else length)
        assert found.has_point


@given(st.lists(st.lists(NUMBERS, min_size=1, max_size=8), min_size=1, max_size=4))
@pytest.mark.parametrize("delimiter", [";", ","])
def test_decimals_are_the_same_from_bytes_and_from_text(delimiter, blocks):
    slow, quick = Decimals(delimiter), Decimals(delimiter)
    for block in blocks:
        cells = [cell for cell in block if delimiter not in cell] or ["1"]
        told = []
        for decimals, given_cells in ((slow, cells), (quick, column(cells, delimiter))):
            try:
                told.append(bits(decimals.floats(given_cells)))
            except ValueError:
                told.append("refused")
        assert told[0] == told[1]
        assert slow.hint("1.5") == quick.hint("1.5")
        assert slow.hint("1,5") == quick.hint("1,5")


LONG = st.builds(
    "{}{}".format, st.sampled_from(["", "é" * 31, "y" * 56, "z" * 64, "z" * 300]), CELLS
)


@given(st.lists(st.lists(CELLS | LONG, min_size=1, max_size=12), min_size=1, max_size=5))
@example([["z" * 65, "z" * 64, "z" * 64, "z" * 65]])
@example([["a", "a\0", "", "\0", "12345678", "123456781", "z" * 64, "z" * 65, "z" * 64 + "y"]] * 2)
@pytest.mark.parametrize("slot_bits", [1, 3, 14])
def test_numbers_of_cells_are_the_same_from_bytes_and_from_text(slot_bits, blocks):
    book, quick_book = Codebook(), Codebook()
    quick = CellBook(quick_book)
    with pytest.MonkeyPatch.context() as patch:
        # Few slots: cells find theirs taken by others.
        patch.setattr(fast_csv, "_SLOT_BITS", slot_bits)
        patch.setattr(fast_csv, "_TO_SLOT", np.uint64(64 - slot_bits))
        for block in blocks:
            found = quick.codes(quick.sought(column(block)))
            assert found.tolist() == book.codes(block).tolist()
    assert quick_book.values == book.values


BOUNDS = st.floats(-100, 100).map("{:.2f}".format) | st.integers(0, 99).map(str)
ROWS = st.tuples(
    st.sampled_from(["ann", "bob", " ann", "ümit", "ann\0"]),
    BOUNDS,
    BOUNDS,
    st.sampled_from(["NP", "VP", "", " ", "1", "標籤", "a label that takes more than one word"]),
).map(lambda row: (row[0], *sorted(row[1:3], key=float), row[3]))
ODD_ROWS = st.tuples(CELLS, NUMBERS, NUMBERS, CELLS)
LINES = st.lists(ROWS, min_size=1, max_size=12)


@given(
    lines=st.one_of(LINES, st.builds(lambda rows, odd: [*rows, odd, *rows], LINES, ODD_ROWS)),
    delimiter=st.sampled_from([",", ";"]),
    line_end=st.sampled_from(["\n", "\r\n", "\r"]),
    last_end=st.booleans(),
    on_error=st.sampled_from(["raise", "skip"]),
    block=st.integers(1, 300),
)
@settings(max_examples=200)
def test_any_table_says_the_same_however_it_is_read(
    lines, delimiter, line_end, last_end, on_error, block
):
    rows = [("annotator", "start", "end", "label"), *lines]
    text = line_end.join(map(delimiter.join, rows)) + line_end * last_end
    # A zero byte among the first tells a binary file.
    content = text.replace("\0", "").encode() if len(lines) % 2 else text.encode()
    told: list[tuple[object, ...]] = []
    for many_rows, characters in ((10**9, 1 << 18), (1, 1 << 18), (1, block)):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setattr(fast_csv, "_MANY_ROWS", many_rows)
            patch.setattr(fast_csv, "_BLOCK_CHARACTERS", characters)
            path = Path(folder, "talk.csv")
            path.write_bytes(content)
            try:
                corpus = un.read(path, on_error=on_error, delimiter=delimiter)
                told.append((corpus.digest, corpus.labels, corpus.skipped, corpus.notes))
            except UnisonoError as error:
                told.append((type(error), str(error).replace(folder, "")))
    assert told[0] == told[1]
    # Where decimals have a comma, the first block decides for those that follow.
    if ";" not in text:
        assert told[1] == told[2]
