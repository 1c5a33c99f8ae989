"""JSON Lines: units, documents, and invalid records."""

import json

import pytest

import unisono as un
from unisono.errors import ReadError, SettingError

UNIT = {"document": "talk", "annotator": "ann", "start": 0, "end": 5, "label": "NP"}


@pytest.fixture
def write(tmp_path):
    def written(*records, name="units.jsonl"):
        lines = [each if isinstance(each, str) else json.dumps(each) for each in records]
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return written


def test_each_line_is_a_unit(write):
    corpus = un.read(write(UNIT, {**UNIT, "annotator": "bob", "label": None}))
    assert [unit.label for unit in corpus["talk"]] == ["NP", None]


def test_keys_may_have_the_names_columns_have(write):
    path = write({"file": "talk", "coder": "ann", "onset": 0, "offset": 5, "category": "NP"})
    assert un.read(path) == un.read(write(UNIT, name="other.jsonl"))


def test_keys_may_be_named(write):
    record = {"doc": "talk", "who": "ann", "t0": 0, "t1": 5, "what": "NP"}
    path = write(record)
    corpus = un.read(path, format="jsonl", annotator="who", start="t0", end="t1", label="what")
    assert corpus["talk"].labels == ("NP",)


def test_a_string_stays_a_string_and_a_number_a_number(write):
    corpus = un.read(write({**UNIT, "label": "1"}, {**UNIT, "label": 2}))
    assert set(corpus.labels) == {"1", 2}


def test_a_list_is_a_set_of_labels(write):
    assert un.read(write({**UNIT, "label": ["VP", "NP"]})).labels == (frozenset({"NP", "VP"}),)


def test_a_line_may_have_the_annotators_and_the_text_of_a_document(write):
    about = {"document": "talk", "annotators": ["ann", "bob"], "text": "a 😀 text"}
    talk = un.read(write(about, UNIT))["talk"]
    assert (talk.annotators, talk.extent, talk.text) == (("ann", "bob"), (0, 8), "a 😀 text")


def test_pieces_and_attributes_are_kept(write):
    more = {"fragments": [[0, 2], [4, 5]], "attributes": {"sure": True}, "layer": "syntax"}
    unit = un.read(write({**UNIT, **more}))["talk"].units[0]
    assert unit.fragments == ((0, 2), (4, 5))
    assert dict(unit.attributes) == {"layer": "syntax", "sure": True}


def test_a_file_without_annotators_is_the_annotator(write):
    bare = {key: UNIT[key] for key in ("document", "start", "end", "label")}
    assert un.read(write(bare, name="eve.jsonl"))["talk"].annotators == ("eve",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"start": 1', r"units.jsonl:2: not valid JSON"),
        ("[1, 2]", r"units.jsonl:2: expected one JSON object per line; got \[1, 2\]"),
        ({**UNIT, "start": "0"}, r'units.jsonl:2: start must be a number; got "0"'),
        ({**UNIT, "start": True}, r"units.jsonl:2: start must be a number; got true"),
        ({**UNIT, "end": -1}, r"units.jsonl:2: a unit cannot end before it starts"),
        ({**UNIT, "annotator": ""}, r"units.jsonl:2: the annotator is empty"),
        ({**UNIT, "annotator": None}, r"units.jsonl:2: the annotator is empty"),
        (
            {**UNIT, "label": {"a": 1}},
            r"units.jsonl:2: a label must be a text, a finite number",
        ),
        ({**UNIT, "fragments": [[0, 1]]}, r"units.jsonl:2: a discontinuous unit must have two"),
        ({**UNIT, "attributes": 3}, r"units.jsonl:2: attributes must be an object"),
        ('{"start": NaN, "end": 1, "annotator": "a"}', r"units.jsonl:2: the start .* finite"),
        ('{"annotator": "a", "end": 1e999, "start": 1}', r"units.jsonl:2: the end .* finite"),
        ('{"start": 1%s, "end": 2}' % ("0" * 5000), r"units.jsonl:2: not valid JSON: a number"),
        ("[" * 100_000, r"units.jsonl:2: not valid JSON: nested too deeply"),
        ({"a": 1}, r"units.jsonl:2: expected one unit per line"),
    ],
)
def test_a_bad_line_is_refused_with_its_number_or_skipped(write, line, message):
    path = write(UNIT, line)
    with pytest.raises(ReadError, match=message):
        un.read(path, format="jsonl")
    corpus = un.read(path, format="jsonl", on_error="skip")
    assert (corpus.n_units, corpus.skipped) == (1, 1)


def test_a_whole_number_beyond_all_floats_is_not_finite(write):
    with pytest.raises(
        ReadError, match=r"units.jsonl:1: the end of a unit must be a finite number"
    ):
        un.read(write({**UNIT, "end": 10**400}))


def test_columns_have_no_numbers_here(write):
    with pytest.raises(SettingError, match=r"a key of a JSON object must be a name; got start=2"):
        un.read(write(UNIT), start=2)


def test_a_json_array_of_units_is_read_too(write):
    path = write(json.dumps([UNIT, UNIT], indent=1), name="units.jsonl")
    assert un.read(path, format="jsonl").n_units == 2


def test_lines_that_are_alike_and_lines_that_are_not_give_the_same(write):
    records = [{**UNIT, "start": start} for start in range(5)]
    mixed = [
        dict(reversed(list(record.items()))) if i % 2 else record
        for i, record in enumerate(records)
    ]
    assert un.read(write(*records)) == un.read(write(*mixed, name="mixed.jsonl"))


def test_blank_lines_and_a_byte_order_mark_do_not_matter(tmp_path):
    path = tmp_path / "units.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(UNIT).encode() + b"\r\n" * 5000)
    assert un.read(path).n_units == 1


def test_a_line_that_is_not_a_text_is_refused(tmp_path):
    path = tmp_path / "units.jsonl"
    path.write_bytes(json.dumps(UNIT).encode() + b"\n\xff\n")
    with pytest.raises(ReadError, match=r"units.jsonl:\d: not valid UTF-8: byte 0xff"):
        un.read(path)
