"""What is written comes back, any bytes are read or refused, and order does not matter."""

import json
import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import unisono as un
from unisono.errors import ReadError
from unisono.formats.characters import character_offset, from_utf16
from unisono.formats.conll import units_of
from unisono.formats.registry import FORMATS

WORDS = st.text(st.characters(categories=("L", "Nd", "So")), min_size=1, max_size=5)
NAMES = WORDS.map(lambda word: "n" + word)
NO_HALVES = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(NO_HALVES, max_size=30)
LABELS = {
    "jsonl": st.none()
    | st.text(NO_HALVES, min_size=1, max_size=4)
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.frozensets(WORDS, max_size=3),
    "csv": st.none() | NAMES,
    "tsv": st.none() | NAMES,
    "brat": NAMES,
    "labelstudio": st.none() | NAMES | st.frozensets(WORDS, min_size=2, max_size=3),
}
OUTPUTS = {"csv": "out.csv", "tsv": "out.tsv", "jsonl": "out.jsonl", "labelstudio": "out.json"}
FINITE = st.floats(-1e9, 1e9)


@st.composite
def corpora(draw, format_):
    """Draw documents a format can hold: with texts and whole numbers, or with any numbers."""
    in_text = format_ in ("brat", "labelstudio")
    documents = {}
    for number in range(draw(st.integers(1, 3))):
        people = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
        text = draw(TEXTS)
        places = st.integers(0, len(text)) if in_text else FINITE
        units = []
        for _ in range(draw(st.integers(0, 5))):
            start, end = sorted((draw(places), draw(places)))
            pieces: tuple = ()
            if format_ in ("jsonl", "brat") and draw(st.booleans()):
                low, high = sorted(draw(st.tuples(places, places)))
                if start <= low <= high <= end:
                    pieces = ((start, low), (high, end))
            label = draw(LABELS[format_])
            units.append(un.Unit(draw(st.sampled_from(people)), start, end, label, pieces))
        if format_ in ("csv", "tsv"):
            if units:
                documents[f"d{number}"] = un.Continuum.from_units(units)
            continue
        extent = (0, len(text)) if in_text else (-1e9, 1e9)
        continuum = un.Continuum.from_units(units, annotators=people, extent=extent)
        object.__setattr__(continuum, "text", text if in_text else None)
        documents[f"d{number}"] = continuum
    return un.Corpus.from_continua(documents)


@pytest.mark.parametrize("format_", LABELS)
@given(data=st.data())
@settings(max_examples=40)
def test_what_is_written_is_restored(format_, data):
    corpus = data.draw(corpora(format_))
    if not corpus.n_units and format_ in ("csv", "tsv"):
        return
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, OUTPUTS.get(format_, "out"))
        un.write(corpus, path, format=format_)
        back = un.read(path)
    assert back == corpus
    assert [text.text for text in back.values()] == [text.text for text in corpus.values()]


SAMPLES = {
    "csv": b"annotator,start,end,label\nann,0,5,a\n",
    "tsv": b"annotator\tstart\tend\tlabel\nann\t0\t5\ta\n",
    "jsonl": b'{"annotator": "ann", "start": 0, "end": 5, "label": "a", '
    b'"fragments": [[0,1],[2,5]]}\n',
    "brat": b"T1\tPER 0 3;5 6\tAnn\nA1\tSure T1 very\n*\tEquiv T1 T2\nR1\tCoref Arg1:T1 Arg2:T2\n",
    "labelstudio": json.dumps(
        [
            {
                "id": 1,
                "data": {"text": "Ann 😀"},
                "annotations": [
                    {
                        "completed_by": 1,
                        "result": [
                            {
                                "id": "a",
                                "from_name": "x",
                                "type": "labels",
                                "value": {"start": 0, "end": 3, "text": "Ann", "labels": ["A"]},
                            }
                        ],
                    }
                ],
            }
        ]
    ).encode(),
    "prodigy": b'{"text": "Ann", "_input_hash": 1, "_session_id": "a", "spans": '
    b'[{"start": 0, "end": 3, "label": "A"}], "answer": "accept"}\n',
    "doccano": b'{"id": 1, "text": "Ann", "label": [[0, 3, "A"]]}\n',
    "segeval": b'{"items": {"d": {"ann": [2, 3], "bob": [5]}}}',
    "conll2012": b"#begin document (d); part 000\na (1\nb 1)|(2)\n",
    "conll": b"a B-X\nb I-X\n\nc O\n",
}


def read_or_refuse(content, format_, suffix, **options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"talk{suffix}")
        path.write_bytes(content)
        found: object
        try:
            found = un.read(path, format=format_, **options)
        except ReadError as error:
            found = error.path
        assert isinstance(found, un.Corpus) or str(found).startswith(folder)


@pytest.mark.parametrize("format_", [*SAMPLES, "parquet"])
@given(content=st.binary(max_size=200))
@settings(max_examples=25)
def test_any_bytes_are_read_or_refused(format_, content):
    read_or_refuse(content, format_, FORMATS[format_].suffixes[0])


@pytest.mark.parametrize("format_", SAMPLES)
@given(data=st.data())
@settings(max_examples=40)
def test_a_sample_with_changed_bytes_is_read_or_refused(format_, data):
    content = bytearray(SAMPLES[format_])
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content)))
        piece = data.draw(
            st.binary(max_size=3)
            | st.sampled_from([b'"', b"\n", b"-1", b"[", b"{", b"null", b"1e999", b"\xff", b"\t"])
        )
        content[at : at + data.draw(st.integers(0, 3))] = piece
    skip = data.draw(st.sampled_from(["raise", "skip"]))
    read_or_refuse(bytes(content), format_, FORMATS[format_].suffixes[0], on_error=skip)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *(
                        "start",
                        "end",
                        "label",
                        "annotator",
                        "document",
                        "text",
                        "spans",
                        "data",
                        "id",
                    ),
                    *("annotations", "result", "value", "labels", "type", "from_name", "items"),
                    *(
                        "entities",
                        "fragments",
                        "attributes",
                        "extent",
                        "annotators",
                        "completed_by",
                    ),
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@pytest.mark.parametrize("format_", ["jsonl", "labelstudio", "prodigy", "doccano", "segeval"])
@given(value=JSON)
@example(value={"document": "a", "extent": [5, 1]})
@example(value={"document": "a", "text": "x", "start": 0, "end": 1, "annotator": " "})
@settings(max_examples=40)
def test_any_json_is_read_or_refused(format_, value):
    content = json.dumps(value).encode()
    read_or_refuse(content, format_, FORMATS[format_].suffixes[0])
    read_or_refuse(content, format_, FORMATS[format_].suffixes[0], on_error="skip")


@given(
    st.lists(st.sampled_from(["O", "B-A", "I-A", "E-A", "S-A", "L-A", "U-A", "I-B"]), max_size=9)
)
@pytest.mark.parametrize("scheme", ["iob1", "iob2", "iobes", "bilou"])
def test_units_of_tags_cover_every_tag_but_o_once(scheme, tags):
    units = list(units_of(tags, scheme))
    covered = [place for unit in units for place in range(unit.start, unit.end)]
    assert covered == sorted(set(covered))
    assert covered == [place for place, tag in enumerate(tags) if tag != "O"]


@given(st.text(max_size=20))
def test_positions_in_other_units_lead_to_the_same_characters(text):
    table = from_utf16(text)
    for place in range(len(text) + 1):
        before = len(text[:place].encode("utf-16-le", "surrogatepass")) // 2
        assert character_offset(before, table) == place
