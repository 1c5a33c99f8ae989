"""Label Studio, doccano, Prodigy and segeval exports."""

import json

import pytest

import unisono as un
from unisono.errors import ReadError

TEXT = "Ann 😀 met Bob."


@pytest.fixture
def write(tmp_path):
    def written(value, name="export.json"):
        path = tmp_path / name
        lines = value if name.endswith("jsonl") else [value]
        path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return path

    return written


def region(start, end, *labels, text=None, **more):
    value = {"start": start, "end": end, "labels": list(labels)}
    if text is not None:
        value["text"] = text
    return {"id": "r1", "from_name": "ner", "type": "labels", "value": value, **more}


def task(*annotations, **more):
    return {"id": 7, "data": {"text": TEXT}, "annotations": list(annotations), **more}


ANN = {"completed_by": {"id": 1, "email": "ann@x"}, "result": [region(0, 3, "PER", text="Ann")]}
BOB = {"completed_by": 2, "result": []}


def test_a_task_is_a_document_and_who_completed_it_an_annotator(write):
    corpus = un.read(write([task(ANN, BOB)]))
    assert corpus["7"].annotators == ("2", "ann@x")
    assert corpus["7"].units[0] == un.Unit("ann@x", 0, 3, "PER")
    assert (corpus["7"].text, corpus["7"].extent) == (TEXT, (0, 14))


def test_cancelled_annotations_are_left_out_and_counted(write):
    path = write([task(ANN, {**BOB, "was_cancelled": True})])
    assert un.read(path)["7"].annotators == ("ann@x",)
    assert un.describe(un.read(path)).left_out_contents[0].startswith("cancelled annotations (1, ")


def test_several_labels_are_a_set(write):
    path = write([task({**BOB, "result": [region(0, 3, "PER", "ORG")]})])
    assert un.read(path).labels == (frozenset({"ORG", "PER"}),)


def test_positions_in_utf16_units_are_detected_from_quoted_texts(write):
    later = region(11, 14, "PER", text="Bob")
    corpus = un.read(write([task({**BOB, "result": [later]})]))
    unit = corpus["7"].units[0]
    assert (unit.start, TEXT[int(unit.start) : int(unit.end)], corpus.notes) == (10, "Bob", ())


def test_positions_in_characters_stay(write):
    corpus = un.read(write([task({**BOB, "result": [region(10, 13, "PER", text="Bob")]})]))
    assert corpus["7"].units[0].start == 10


def test_text_that_is_not_there_is_reported(write):
    corpus = un.read(write([task({**BOB, "result": [region(0, 3, "PER", text="Eve")]})]))
    assert len(corpus.notes) == 1


def test_answers_on_a_region_are_attributes_and_may_be_the_label(write):
    value = {"choices": ["calm"], "start": 0, "end": 3}
    answer = {"id": "r1", "from_name": "mood", "type": "choices", "value": value}
    path = write([task({**BOB, "result": [region(0, 3, "PER"), answer]})])
    assert un.read(path)["7"].units[0].attributes["mood"] == ["calm"]
    assert un.read(path, label="mood").labels == ("calm",)


def test_controls_are_layers_and_one_has_to_be_chosen(write):
    other = {**region(4, 5, "X"), "from_name": "events", "id": "r2"}
    path = write([task({**BOB, "result": [region(0, 3, "PER"), other]})])
    with pytest.raises(ReadError, match=r"2 layers: 'events' \(1 unit\), 'ner' \(1 unit\)"):
        un.read(path)
    assert un.read(path, layer="ner").labels == ("PER",)
    assert un.read(path, layer=["ner", "events"]).n_units == 2
    with pytest.raises(ReadError, match=r"unknown layer 'nerr' for layer="):
        un.read(path, layer="nerr")


def test_the_short_form_is_read(write):
    short = {"id": 7, "text": TEXT, "annotator": 3, "annotation_id": 1, "ner": []}
    short["ner"] = [{"start": 0, "end": 3, "text": "Ann", "labels": ["PER"]}]
    assert un.read(write([short]))["7"].units[0] == un.Unit("3", 0, 3, "PER")


def test_a_document_may_be_named_by_a_field_of_the_data(write):
    named = {**task(ANN), "data": {"text": TEXT, "source": "talk"}}
    assert list(un.read(write([named]), document="source")) == ["talk"]
    with pytest.raises(ReadError, match=r"task 1 has no field 'name' in its data"):
        un.read(write([named]), document="name")


def test_offsets_outside_the_text_are_refused(write):
    with pytest.raises(ReadError, match=r"outside the text, which extends from 0 to 14"):
        un.read(write([task({**BOB, "result": [region(0, 99, "PER")]})]))


@pytest.mark.parametrize(
    "spans",
    [
        {"label": [[0, 3, "PER"]]},
        {"labels": [[0, 3, "PER"]]},
        {"entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3}]},
    ],
)
def test_doccano_has_one_file_an_annotator(write, spans):
    write([{"id": 7, "text": TEXT, **spans}], "ann.jsonl")
    folder = write([{"id": 7, "text": TEXT, **{key: [] for key in spans}}], "bob.jsonl").parent
    corpus = un.read(folder)
    assert (corpus["7"].annotators, corpus.n_units) == (("ann", "bob"), 1)
    assert corpus["7"].units[0] == un.Unit("ann", 0, 3, "PER")


def test_texts_without_an_id_are_recognised_by_what_they_state(write):
    write([{"text": TEXT, "label": []}, {"text": "other", "label": []}], "ann.jsonl")
    folder = write(
        [{"text": "other", "label": []}, {"text": TEXT, "label": []}], "bob.jsonl"
    ).parent
    assert [text.annotators for text in un.read(folder).values()] == [("ann", "bob")] * 2


def test_prodigy_keeps_what_was_accepted(write):
    spans = [{"start": 0, "end": 3, "label": "PER"}]
    common = {"text": TEXT, "_input_hash": 5, "spans": spans}
    path = write(
        [
            {**common, "_annotator_id": "ner-ann", "answer": "accept"},
            {**common, "_session_id": "ner-bob", "answer": "accept", "spans": []},
            {**common, "_annotator_id": "ner-eve", "answer": "reject"},
        ],
        "ner.jsonl",
    )
    assert un.read(path)["5"].annotators == ("ner-ann", "ner-bob")
    assert un.read(path).n_units == 1
    assert "not accepted (reject)" in un.describe(un.read(path)).left_out_contents[0]


def test_segments_of_segeval_lie_one_after_the_other(write):
    masses = {"items": {"talk": {"ann": [2, 3], "bob": [5]}}, "segmentation_type": "linear"}
    talk = un.read(write(masses))["talk"]
    assert [(unit.start, unit.end) for unit in talk] == [(0, 2), (2, 5), (0, 5)]
    assert un.read(write({"ann": [2, 3], "bob": [5]}))["export"] == talk


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[{", r"export.json:1: not valid JSON"),
        ("[" * 100_000, r"export.json: not valid JSON: nested too deeply"),
        ("[1]", r"export.json: task 1 is not a JSON object"),
    ],
)
def test_broken_exports_are_refused(tmp_path, text, message):
    path = tmp_path / "export.json"
    path.write_text(text)
    with pytest.raises(ReadError, match=message):
        un.read(path, format="labelstudio")


def test_json_of_no_known_kind_names_the_choices(write):
    with pytest.raises(ReadError, match=r"with the suffix .json \('labelstudio', .*Set format="):
        un.read(write({"a": 1}))


def test_doccano_tells_labels_of_texts_from_spans(write):
    span = {"id": 3, "start_offset": 0, "end_offset": 3, "label": "PER"}
    path = write([{"id": 1, "text": TEXT, "label": [], "entities": [span]}], "ann.jsonl")
    assert list(un.read(path)["1"]) == [un.Unit("ann", 0, 3, "PER")]


def test_older_doccano_names_the_annotator_of_a_span(write):
    spans = [{"start_offset": 0, "end_offset": 3, "label": 2, "user": who} for who in (1, 2)]
    texts = [{"id": 1, "text": TEXT, "annotations": spans, "meta": {}}]
    path = write([*texts, {"id": 2, "text": "Bob.", "annotations": [], "meta": {}}], "x.jsonl")
    assert list(un.read(path)["1"]) == [un.Unit("1", 0, 3, 2), un.Unit("2", 0, 3, 2)]
    assert un.describe(un.read(path)).odd_rows[0].startswith("texts without spans whose annotators")


def test_prodigy_marks_recordings_too_and_relations_are_counted(write):
    about = {"_input_hash": 1, "_session_id": "ds-ann", "answer": "accept"}
    heard = {**about, "audio": "x.wav", "audio_spans": [{"start": 0.5, "end": 2, "label": "S"}]}
    assert list(un.read(write([heard], "x.jsonl"))["1"]) == [un.Unit("ds-ann", 0.5, 2, "S")]
    tied = {**about, "text": TEXT, "spans": [], "relations": [{"head": 0, "child": 1}]}
    told = un.describe(un.read(write([tied, tied], "x.jsonl")))
    assert told.left_out_contents[0].startswith("relations (2, ")
    assert told.odd_rows[0].startswith("texts annotated more than once by the same annotator")


def test_segments_with_different_total_lengths_are_reported(write):
    path = write({"items": {"d": {"ann": [2, 3], "bob": [4]}, "e": {"ann": [1], "bob": [1]}}})
    (odd,) = un.describe(un.read(path)).odd_rows
    assert odd.startswith("documents whose coders have segments of different total length (1,")


def test_boundaries_of_segeval_that_are_no_masses_are_refused(write):
    items = {"d": {"ann": [1, 1, 2], "bob": [1, 2, 2]}}
    path = write({"items": items, "segmentation_type": "linear", "boundary_format": "position"})
    with pytest.raises(ReadError, match='unsupported boundary_format "position"'):
        un.read(path)
