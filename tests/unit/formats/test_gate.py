from pathlib import Path

import pytest

from unisono.errors import ReadError
from unisono.formats.read import read
from unisono.model.continuum import Unit

TEXT = '<Node id="0"/>😊<Node id="2"/> you &amp; <Node id="9"/>me<Node id="11"/>'


def annotation(kind, start, end, **features):
    inside = "".join(
        f'<Feature><Name className="java.lang.String">{name}</Name>'
        f'<Value className="java.lang.String">{value}</Value></Feature>\n'
        for name, value in features.items()
    )
    return (
        f'<Annotation Id="1" Type="{kind}" StartNode="{start}" EndNode="{end}">{inside}'
        "</Annotation>\n"
    )


def annotations(name, *inside):
    named = f' Name="{name}"' if name else ""
    return f"<AnnotationSet{named}>\n{''.join(inside)}</AnnotationSet>\n"


def document(*sets):
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<GateDocument version="3">\n'
        f"<GateDocumentFeatures/>\n<TextWithNodes>{TEXT}</TextWithNodes>\n{''.join(sets)}"
        "</GateDocument>"
    )


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name="talk.xml"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
        return name

    return written


BOTH = document(
    annotations("", annotation("Token", 0, 2)),
    annotations("ann", annotation("Person", 2, 9, gender="f"), annotation("Place", 9, 11)),
    annotations("bob"),
    annotations("Original markups", annotation("p", 0, 11)),
)


def test_a_set_is_an_annotator_and_nodes_are_counted_in_characters(put):
    talk = read(put(BOTH))["talk"]
    assert talk.text == "😊 you & me"
    assert talk.annotators == ("ann", "bob")
    person, place = talk
    assert person == Unit("ann", 1, 8, "Person")
    assert person.attributes == {"gender": "f"}
    assert place == Unit("ann", 8, 10, "Place")


def test_a_feature_can_be_the_label(put):
    assert read(put(BOTH), label="gender", layer="Person").labels == ("f",)
    with pytest.raises(ReadError, match="no unit has the feature 'sex'"):
        read("talk.xml", label="sex", layer="Person")


def test_the_set_without_a_name_belongs_to_the_folder(put):
    put(document(annotations("", annotation("Person", 0, 2))), "ann/talk.xml")
    put(document(annotations("")), "bob/talk.xml")
    assert read(".", annotator="folder")["talk"].counts.tolist() == [1, 0]
    with pytest.raises(ReadError, match="the annotator of this file is unknown"):
        read("ann/talk.xml")


def test_a_document_without_text_has_no_nodes(put):
    path = put("<GateDocument>" + annotations("ann", annotation("X", 0, 2)) + "</GateDocument>")
    with pytest.raises(ReadError, match="the text has no node '0'"):
        read(path)


def test_an_annotation_without_its_node_is_refused_or_skipped(put):
    path = put(document(annotations("ann", annotation("X", 0, 2), annotation("X", 0, 5))))
    with pytest.raises(ReadError, match=r"talk.xml:7: the text has no node '5'"):
        read(path)
    assert read(path, on_error="skip").skipped == 1
