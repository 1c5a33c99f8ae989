"""Positions of Label Studio regions in dialogues, pages and recordings."""

import json

import pytest

import unisono as un
from unisono.errors import ReadError

# In the text "Hi 😀\nOh you", "Hi 😀" starts at 0 and "Oh" at 5.
DIALOGUE = [{"author": "A", "text": "Hi 😀"}, {"author": "B", "text": "Oh you"}]


@pytest.fixture
def put(tmp_path):
    def written(data, *annotations):
        path = tmp_path / "export.json"
        results = [{"completed_by": 1, "result": list(each)} for each in annotations]
        path.write_text(json.dumps([{"id": 7, "data": data, "annotations": results}]))
        return path

    return written


def said(first, low, last, high, text, kind="paragraphlabels", **more):
    value = {"start": first, "end": last, "startOffset": low, "endOffset": high, "text": text}
    value |= {kind: ["X"], **more}
    return {"id": text, "from_name": "says", "type": kind, "value": value}


def heard(start, end, kind="labels", held="X", key=None, **more):
    value = {"start": start, "end": end, key or kind: [held]}
    return {"id": "r", "from_name": kind, "type": kind, "value": value, **more}


def places(path, **settings):
    return [(unit.start, unit.end) for unit in un.read(path, **settings)["7"].units]


@pytest.mark.parametrize("number", [int, str])
def test_offsets_in_a_dialogue_count_from_their_paragraph(put, number):
    regions = (
        said(number(0), 0, number(0), 2, "Hi"),
        said(number(1), 0, number(1), 2, "Oh"),
        said(number(0), 3, number(1), 2, "😀\nOh"),
    )
    path = put({"talk": DIALOGUE}, regions)
    assert places(path) == [(0, 2), (3, 7), (5, 7)]
    talk = un.read(path)["7"]
    assert (talk.text, talk.extent) == ("Hi 😀\nOh you", (0, 11))


def test_offsets_in_a_dialogue_may_be_utf16_units(put):
    assert places(put({"talk": DIALOGUE}, [said("0", 3, "0", 5, "😀")])) == [(3, 4)]
    assert places(put({"talk": DIALOGUE}, [said("0", 3, "0", 4, "😀")])) == [(3, 4)]


def test_a_region_outside_its_dialogue_is_refused(put):
    for region in (said("2", 0, "2", 1, "x"), said("1", 0, "1", 7, "Oh you!")):
        with pytest.raises(ReadError, match="task 1: a region lies outside the paragraphs"):
            un.read(put({"talk": DIALOGUE}, [region]))


@pytest.mark.parametrize(
    ("region", "told"),
    [
        (said("/p[2]/text()[1]", 0, "/p[2]/text()[1]", 2, "Oh", "hypertextlabels"), "element"),
        (said("1", 0, "1", 2, "Oh"), "paragraph"),
    ],
)
def test_offsets_from_an_unknown_place_are_no_positions(put, region, told):
    with pytest.raises(ReadError, match=f"relative to its {told}, .* globalOffsets"):
        un.read(put({"page": "https://x/y"}, [region]))
    region["value"]["globalOffsets"] = {"start": 15, "end": 17}
    assert places(put({"page": "https://x/y"}, [region])) == [(15, 17)]


def test_a_recording_has_the_declared_length(put):
    path = put({"audio": "/x.wav"}, [heard(1.5, 3, original_length=12.5)])
    assert un.read(path)["7"].extent == (0, 12.5)
    beyond = put({"audio": "/x.wav"}, [heard(1.5, 12.501, original_length=12.5)])
    assert un.read(beyond)["7"].extent == (0, 12.501)


def test_answers_on_a_region_are_kept_and_not_reported_as_left_out(put):
    mood = heard(1.5, 3, "choices", "glad")
    words = heard(1.5, 3, "textarea", "hello", key="text")
    path = put({"audio": "/x.wav"}, [heard(1.5, 3), mood, words])
    attributes = un.read(path)["7"].units[0].attributes
    assert (attributes["choices"], attributes["textarea"]) == (["glad"], ["hello"])
    assert un.describe(un.read(path)).left_out_contents == ()


def test_a_task_done_twice_by_one_annotator_is_reported(put):
    path = put({"audio": "/x.wav"}, [heard(1.5, 3)], [heard(1.5, 3)])
    assert un.describe(un.read(path)).odd_rows[0].startswith("tasks annotated more than once")


@pytest.mark.parametrize("first", ["annotations", "data"])
def test_a_task_longer_than_what_is_looked_at_first_is_recognised(tmp_path, first):
    regions = (
        [heard(at, at + 1) for at in range(20_000)] if first == "annotations" else [heard(0, 1)]
    )
    annotations = [{"completed_by": 1, "result": regions}]
    data = {"text": "a " * (600_000 if first == "data" else 20_000)}
    task = {"annotations": annotations, "data": data, "id": 7}
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{first: task.pop(first), **task}]))
    assert len(un.read(path)["7"]) == len(regions)


def test_what_is_written_about_a_recording_is_not_its_text(put):
    about = {"audio": "/x.wav", "title": "a talk", "text": "what was said"}
    extra = {"original_length": 30.0}
    assert un.read(put(about, [heard(2, 20, **extra)]))["7"].extent == (0, 30)
    talk = un.read(put({"audio": "/x.wav", "speaker": "Ann Lee"}, [heard(2, 5)]))["7"]
    assert (talk.text, talk.extent) == (None, (2, 5))


def test_the_text_is_the_field_that_regions_quote(put):
    region = heard(4, 7)
    region["value"]["text"] = "met"
    talk = un.read(put({"body": "Ann met Bob", "text": "no"}, [region]))["7"]
    assert talk.text == "Ann met Bob"


def test_the_name_of_a_document_is_not_its_text(tmp_path):
    continuum = un.Continuum.from_units([un.Unit("ann", 6, 9, "x")])
    corpus = un.Corpus.from_continua({"a talk": continuum})
    un.write(corpus, tmp_path / "x.json", format="labelstudio")
    assert un.read(tmp_path / "x.json") == corpus


@pytest.mark.parametrize("end", [float("inf"), float("nan")])
def test_positions_that_are_no_numbers_are_refused(put, tmp_path, end):
    region = heard(0, end)
    region["value"]["text"] = "a"
    with pytest.raises(ReadError, match="task 1: positions must lie within"):
        un.read(put({"text": "a 😀 b"}, [region]))
    span = {"start": 0, "end": end, "text": "a", "label": "x"}
    (tmp_path / "x.jsonl").write_text(json.dumps({"text": "a", "_input_hash": 1, "spans": [span]}))
    with pytest.raises(ReadError, match="finite number"):
        un.read(tmp_path / "x.jsonl")
