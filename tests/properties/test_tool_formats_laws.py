"""Files of annotation tools: what is written comes back, and any bytes are read or refused."""

import io
import tempfile
import warnings
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tool_samples import SAMPLES, XMI
from unisono.errors import ReadError
from unisono.formats.read import read
from unisono.formats.write import write
from unisono.model.continuum import Continuum
from unisono.model.corpus import Corpus

# Labels that are text in every format: not a number, no space around, nothing XML cannot store.
LABELS = st.none() | st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn"), include_characters="\n\t"), max_size=8
).map(lambda text: "x" + text.strip())
NAMES = st.text(st.characters(categories=("L", "Nd", "Zs", "P", "So")), min_size=1, max_size=6).map(
    lambda text: "n" + text.strip()
)
IDS = [name for _, name, _ in SAMPLES]
STARTS = st.integers(0, 10**6)


@st.composite
def corpora(draw, per_second=1000):
    """Draw documents with times that are whole milliseconds, or whole numbers."""
    documents = {}
    for number in range(draw(st.integers(1, 2))):
        names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
        rows = []
        for _ in range(draw(st.integers(0, 6))):
            start, length = draw(STARTS), draw(st.integers(0, 5000))
            bounds = start / per_second, (start + length) / per_second
            rows.append((draw(st.sampled_from(names)), *bounds, draw(LABELS)))
        extent = None if draw(st.booleans()) else (0, 2 * 10**6)
        documents[f"d{number}"] = Continuum.from_units(rows, annotators=names, extent=extent)
    return Corpus.from_continua(documents)


def again(corpus, format_):
    with tempfile.TemporaryDirectory() as folder:
        write(corpus, Path(folder, "out"), format=format_)
        return read(Path(folder, "out"))


@given(corpora())
@pytest.mark.parametrize("format_", ["textgrid", "eaf"])
def test_tiers_are_restored_as_they_were(format_, corpus):
    assert again(corpus, format_) == corpus


@given(corpora(per_second=1))
def test_glozz_is_restored_as_it_was_but_for_those_without_units(corpus):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = again(corpus, "glozz")
    for name, continuum in corpus.items():
        assert list(found.get(name, ())) == list(continuum)


def read_or_refuse(name, content, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        try:
            found: object = read(path, **options)
        except ReadError as error:
            found = error.path
        assert isinstance(found, Corpus) or str(found).startswith(folder)


@pytest.mark.parametrize(("format_", "name", "text"), SAMPLES, ids=IDS)
def test_the_samples_are_good(format_, name, text, tmp_path):
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read(tmp_path / name).n_units >= 1
    assert read(tmp_path / name, format=format_).n_units >= 1


@settings(max_examples=30)
@given(content=st.binary(max_size=300))
@pytest.mark.parametrize(("format_", "name", "text"), SAMPLES, ids=IDS)
def test_any_bytes_are_read_or_refused(format_, name, text, content):
    read_or_refuse(name, content, format=format_)


# What breaks numbers, structure and texts.
BITS = st.sampled_from(
    [
        *(b"", b"-", b"0", b"9" * 5000, b"1e999", b"nan", b".", b",", b"\0", b"\xff", b"\t", b"\n"),
        *(b'"', b"<", b">", b"&x;", b"{", b"]", b"\\", b"|", b"_", b"-->", b"ts1", b"a1", b"!"),
        *("😊".encode(), b"<NA>", b"<exists>", b"\\ud800", b"&#" + b"9" * 5000),
    ]
)


@st.composite
def broken(draw, text):
    """Draw a file with some of its bytes taken out or replaced."""
    content = text.encode()
    for _ in range(draw(st.integers(1, 3))):
        first = draw(st.integers(0, len(content)))
        last = min(len(content), first + draw(st.sampled_from([0, 1, 2, 5, 40, 10**6])))
        content = content[:first] + draw(BITS) + content[last:]
    return content


@settings(max_examples=60)
@given(data=st.data(), on_error=st.sampled_from(["raise", "skip"]))
@pytest.mark.parametrize(("format_", "name", "text"), SAMPLES, ids=IDS)
def test_any_broken_file_is_read_or_refused(format_, name, text, data, on_error):
    read_or_refuse(name, data.draw(broken(text)), format=format_, on_error=on_error)


def zipped(files):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


@settings(max_examples=100)
@given(data=st.data())
def test_any_broken_archive_is_read_or_refused(data):
    inner = zipped({"user.xmi": data.draw(broken(XMI))})
    whole = zipped({"annotation/talk/ann.zip": inner, "exportedproject.json": "{}"})
    for _ in range(data.draw(st.integers(0, 2))):
        place = data.draw(st.integers(0, len(whole)))
        whole = whole[:place] + data.draw(BITS)[:9] + whole[place + 4 :]
    read_or_refuse("export.zip", whole, format="inception")
