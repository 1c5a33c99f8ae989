"""UIMA CAS as XMI and JSON, and project exports of INCEpTION."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from unisono.errors import ReadError
from unisono.formats import uima
from unisono.formats.read import read
from unisono.model.continuum import Unit

XMI = """<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:cas="http:///uima/cas.ecore" xmlns:custom="http:///webanno/custom.ecore"
 xmlns:type="http:///de/segmentation/type.ecore" xmlns:xmi="http://www.omg.org/XMI">
<cas:NULL xmi:id="0"/>
<type:Token xmi:id="3" sofa="1" begin="0" end="2" form="5"/>
{}<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text"
 sofaString="😊 you&#10;me"/>
<cas:View sofa="1" members="3 4"/>
</xmi:XMI>"""
SPAN = '<custom:Span xmi:id="4" sofa="1" begin="3" end="6" mood="glad" note="x"/>\n'
ANN = XMI.format(SPAN)
TYPES = """<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types>
<typeDescription><name>webanno.custom.Span</name>
<supertypeName>webanno.custom.Base</supertypeName><features>
<featureDescription><name>mood</name><rangeTypeName>uima.cas.String</rangeTypeName>
</featureDescription><featureDescription><name>head</name>
<rangeTypeName>webanno.custom.Span</rangeTypeName></featureDescription></features>
</typeDescription><typeDescription><name>webanno.custom.Base</name>
<supertypeName>uima.tcas.Annotation</supertypeName>{}</typeDescription></types>
</typeSystemDescription>"""
NOTE = """<features><featureDescription><name>note</name>
<rangeTypeName>uima.cas.String</rangeTypeName></featureDescription></features>"""


def cas_json(*structures, types=None):
    sofa = {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView"}
    sofa["sofaString"] = "😊 you\nme"
    return json.dumps({"%TYPES": types or {}, "%FEATURE_STRUCTURES": [sofa, *structures]})


def span(start, end, **features):
    return {"%ID": 2, "%TYPE": "webanno.custom.Span", "@sofa": 1, "begin": start, "end": end} | (
        features
    )


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(content, name):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return written


def test_xmi_offsets_become_characters_and_tokens_are_left_out(put):
    found = read(put(ANN, "ann.xmi"), label="mood")["ann"]
    assert found.text == "😊 you\nme"
    (unit,) = found
    assert unit == Unit("ann", 2, 5, "glad")
    assert unit.attributes["note"] == "x"
    with pytest.raises(
        ReadError, match="no unit has the feature 'mod'; the features are 'mood', 'note'"
    ):
        read("ann.xmi", label="mod")
    (token,) = read("ann.xmi", layer="Token", label=False)["ann"]
    assert (token.start, token.end) == (0, 1)


def test_the_type_system_tells_which_feature_is_the_label(put):
    put(XMI.format(SPAN.replace(' note="x"', "")), "ann/talk.xmi")
    with pytest.raises(ReadError, match=r"layer 'Span' has the features 'mood'.*label="):
        read("ann/talk.xmi")
    put(TYPES.format(""), "ann/TypeSystem.xml")
    assert read("ann").labels == ("glad",)
    put(TYPES.format(NOTE), "ann/TypeSystem.xml")
    with pytest.raises(ReadError, match="'note', 'mood'"):
        read("ann")


def test_json_has_its_types_inside(put):
    types = {
        "webanno.custom.Span": {
            "%NAME": "webanno.custom.Span",
            "%SUPER_TYPE": "uima.tcas.Annotation",
            "mood": {"%NAME": "mood", "%RANGE": "uima.cas.String"},
            "tags": {"%NAME": "tags", "%RANGE": "uima.cas.String[]"},
            "head": {"%NAME": "head", "%RANGE": "webanno.custom.Span"},
        }
    }
    text = cas_json(span(3, 6, mood="glad", tags=["a", "b"]), span(0, 2), types=types)
    found = read(put(text, "ann.json"), label="mood")["ann"]
    assert list(found) == [Unit("ann", 0, 1), Unit("ann", 2, 5, "glad")]
    assert read("ann.json", label="tags").labels == (None, frozenset("ab"))


def test_relations_and_other_views_are_left_out(put):
    more = '<d:Dependency sofa="1" begin="0" end="2" Governor="3" Dependent="4" value="x"/>\n'
    more += '<custom:Span sofa="7" begin="0" end="2" value="y"/>\n<cas:Sofa xmi:id="7"/>\n'
    text = XMI.format(SPAN.replace("mood", "value") + more)
    text = text.replace("<xmi:XMI", '<xmi:XMI xmlns:d="http:///d.ecore"')
    assert read(put(text, "ann.xmi")).labels == ("glad",)


def test_a_feature_with_several_values_is_a_set(put):
    tags = '<custom:Span sofa="1" begin="0" end="2"><tags>a</tags><tags>b</tags></custom:Span>\n'
    assert read(put(XMI.format(tags), "ann.xmi"), label="tags").labels == (frozenset("ab"),)


def test_a_feature_may_be_an_array_that_stands_apart(put):
    elements = "<elements>a</elements><elements>{}</elements>"
    array = f'<cas:StringArray xmi:id="{{}}">{elements}</cas:StringArray>\n'
    spans = '<custom:Span sofa="1" begin="0" end="2" tags="{}"/>\n'
    text = "".join(map(spans.format, (7, 8))) + array.format(7, "b") + array.format(8, "c")
    corpus = read(put(XMI.format(text), "ann.xmi"), label="tags")
    assert corpus.labels == (frozenset("ab"), frozenset("ac"))


def test_a_text_that_looks_like_the_number_of_an_array_stays(put):
    array = '<cas:StringArray xmi:id="7"><elements>a</elements></cas:StringArray>'
    spans = '<custom:Span sofa="1" begin="0" end="2" mood="{}" />\n'
    text = "".join(map(spans.format, ("7", "x"))) + array
    assert read(put(XMI.format(text), "ann.xmi"), label="mood").labels == ("7", "x")


@pytest.mark.parametrize(
    ("value", "label"), [(True, "true"), (3, 3), (0.5, 0.5), ("x", "x"), (None, None), ("", None)]
)
def test_values_of_json_become_labels(put, value, label):
    assert read(put(cas_json(span(0, 2, value=value)), "ann.json")).labels == (label,)


def test_links_of_a_chain_have_no_label_of_their_own(put):
    links = '<custom:Link sofa="1" begin="0" end="2" next="9"/>\n<custom:Chain first="8"/>\n'
    assert read(put(XMI.format(links), "ann.xmi")).labels == (None,)


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        (ANN.replace('end="6"', 'end="60"'), "ann.xmi", "ann.xmi:6: a unit lies outside the text"),
        (ANN.replace("sofaString", "other"), "ann.xmi", "the CAS has no text"),
        (ANN[:300], "ann.xmi", r"ann.xmi:\d+: not well-formed XML"),
        ('{"%FEATURE_STRUCTURES": 1}', "ann.json", "not a CAS in JSON"),
        ('{"%FEATURE_STRUCTURES": ' + "[" * 99999, "ann.json", "ann.json"),
        (cas_json(span(0, 99, mood="x")), "ann.json", "a unit lies outside the text"),
        (cas_json(span(0, 10**400, mood="x")), "ann.json", "ann.json"),
    ],
)
def test_a_broken_cas_is_refused(put, text, name, problem):
    with pytest.raises(ReadError, match=problem):
        read(put(text, name), label="mood")


# INCEpTION


def zipped(**files):
    return zipped_files(files)


def zipped_files(files):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return held.getvalue()


def user(text=ANN):
    return zipped_files({"user.xmi": text, "TypeSystem.xml": TYPES.format("")})


def project(**states):
    told = [{"name": "talk.txt", "user": name, "state": state} for name, state in states.items()]
    return json.dumps({"name": "project", "annotation_documents": told})


def test_a_project_has_a_file_for_each_document_and_user(put):
    files = {
        "exportedproject.json": project(ann="FINISHED", bob="INPROGRESS", eve="NEW"),
        "source/talk.txt": "😊 you\nme",
        "annotation/talk.txt/ann.zip": user(XMI.format(SPAN.replace(' note="x"', ""))),
        "annotation/talk.txt/bob.zip": user(XMI.format("")),
        "annotation/talk.txt/eve.zip": user(XMI.format("")),
        "annotation/talk.txt/INITIAL_CAS.zip": user(XMI.format("")),
        "annotation_ser/talk.txt/ann.ser": b"\xac\xed",
        "curation/talk.txt/CURATION_USER.zip": user(),
    }
    corpus = read(put(zipped_files(files), "export.zip"))
    assert list(corpus) == ["talk.txt"]
    talk = corpus["talk.txt"]
    assert talk.annotators == ("ann", "bob")
    assert list(talk) == [Unit("ann", 2, 5, "glad")]


def test_a_project_can_hold_json_and_webanno_tsv(put):
    tsv = "#FORMAT=WebAnno TSV 3.3\n#T_SP=x.Span|value\n\n\n#Text=a\n1-1\t0-1\ta\tX\t\n"
    files = {
        "annotation/one/ann.zip": zipped_files({"ann.json": cas_json(span(0, 2, value="X"))}),
        "annotation/one/bob.tsv": tsv.replace("#Text=a", "#Text=😊 you").replace(
            "0-1\ta", "0-2\t😊"
        ),
    }
    corpus = read(put(zipped_files(files), "export.zip"))
    assert [(u.annotator, u.start, u.end) for u in corpus["one"]] == [("ann", 0, 1), ("bob", 0, 1)]


def bomb():
    return zipped_files({"x.xmi": b" " * 50_000_000})


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"source/a.txt": "x"}, "export.zip: the project has no readable annotations of users"),
        ({"a.txt": "x"}, r"none of the formats with the suffix .zip \('inception'\)"),
        ({"annotation_ser/d/ann.ser": "x"}, "export it in the format"),
        ({"source/a": "x", "../evil.xmi": "x"}, "points outside the archive"),
        ({"source/a": "x", "/etc/passwd": "x"}, "points outside the archive"),
        ({"annotation/d/ann.zip": "PK"}, r"export.zip/annotation/d/ann.zip: the archive is broken"),
        ({"annotation/d/ann.zip": zipped_files({"../../x.xmi": "x"})}, "points outside the"),
        ({"annotation/d/ann.zip": user("<a/>")}, r"d/ann.zip/user.xmi:1: expected the root"),
        ({"annotation/d/ann.zip": zipped(a="x")}, "d/ann.zip. has no readable annotations"),
        (
            {"annotation/d/ann.zip": zipped_files({"a.xmi": "x", "b.xmi": "x"})},
            "expected one file of annotations in the archive, got several",
        ),
        ({"annotation/d/ann.zip": bomb()}, "export.zip/annotation/d/ann.zip"),
        ({"exportedproject.json": "["}, "export.zip/exportedproject.json:1: not valid JSON"),
    ],
)
def test_a_hostile_or_broken_archive_is_refused(put, files, problem):
    before = {"export.zip"}
    with pytest.raises(ReadError, match=problem):
        read(put(zipped_files(files), "export.zip"))
    assert {path.name for path in Path().iterdir()} == before


def test_archives_in_archives_share_one_limit(put, monkeypatch):
    monkeypatch.setattr(uima, "_MOST_BYTES", 5_000)
    files = {f"annotation/d/user{number}.zip": user() for number in range(9)}
    with pytest.raises(ReadError, match=r"larger than .* when decompressed"):
        read(put(zipped_files(files), "export.zip"), label="mood")


def test_a_feature_of_json_may_be_an_array_that_stands_apart(put):
    array = {"%ID": 9, "%TYPE": "uima.cas.StringArray", "%ELEMENTS": ["a", "b"]}
    path = put(cas_json(span(0, 2, **{"@tags": 9}), array), "ann.json")
    assert read(path, label="tags").labels == (frozenset("ab"),)


def test_annotations_in_no_view_were_deleted(put):
    spans = [span(0, 2, value="x") | {"%ID": 7}, span(0, 2, value="y") | {"%ID": 8}]
    whole = json.loads(cas_json(*spans)) | {"%VIEWS": {"_InitialView": {"%MEMBERS": [8]}}}
    assert read(put(json.dumps(whole), "ann.json")).labels == ("y",)
    written = (
        '<custom:Span xmi:id="7" sofa="1" begin="0" end="2" value="x"/>\n'
        '<custom:Span xmi:id="8" sofa="1" begin="0" end="2" value="y"/>\n'
        '<cas:View sofa="1" members="8"/>\n'
    )
    assert read(put(XMI.format(written), "ann.xmi")).labels == ("y",)


def test_a_document_without_a_file_of_an_annotator_is_reported(put):
    files = {
        "exportedproject.json": project(ann="FINISHED", bob="FINISHED"),
        "annotation/talk.txt/ann.zip": user(XMI.format(SPAN.replace(' note="x"', ""))),
    }
    corpus = read(put(zipped_files(files), "export.zip"))
    assert corpus["talk.txt"].annotators == ("ann", "bob")
    assert corpus.notes[0].startswith("documents that a user worked on without a file")
