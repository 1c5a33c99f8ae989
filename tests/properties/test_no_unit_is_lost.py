"""A file with one unreadable number is refused, or nothing of it is lost."""

import re
import tempfile
import warnings
from pathlib import Path

import pytest

import unisono as un
from file_samples import FILES

NUMBER = re.compile(rb"(?<![\w.])[-+]?[0-9]+(?:\.[0-9]+)?")
WRONG = (b"x", b"4x", b"-7", b"1_0", b"2.5.5", b'"3"', b"9" * 20, b"", b"null", b"\xd9\xa3", b"[]")
TEXTS = [sample for sample in FILES if sample.is_text]


def size(sample, content, folder):
    """Return how many units or ratings a file has, or `None` if it is refused by name."""
    path = folder / sample.name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    for name, beside in sample.beside:
        (folder / name).write_bytes(beside)
    try:
        if sample.reader == "units":
            return un.read(path, format=sample.format).n_units
        wide = True if sample.name.startswith("wide") else None
        return un.read_ratings(path, format=sample.format, wide=wide).n_ratings
    except un.errors.ReadError as error:
        return None if str(path) in str(error) else -1


@pytest.mark.parametrize("sample", TEXTS, ids=lambda sample: f"{sample.reader}-{sample.name}")
def test_a_number_that_cannot_be_read_loses_no_unit(sample):
    refused = 0
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = Path(name)
        whole = size(sample, sample.content, folder)
        assert whole
        for found in NUMBER.finditer(sample.content):
            before, after = sample.content[: found.start()], sample.content[found.end() :]
            for wrong in WRONG:
                # An empty cell is a rating that is missing.
                if not wrong and sample.reader == "ratings":
                    continue
                left = size(sample, before + wrong + after, folder)
                shown = before[-60:] + b"<" + wrong + b">" + after[:60]
                assert left is None or left >= whole, shown
                refused += left is None
    # Tags of tokens and names of choices are no numbers.
    assert refused or sample.format in {"conll", "doccano", "prodigy"} or sample.reader == "ratings"
