from pathlib import Path

import pytest

from unisono.errors import DataError, ReadError, SettingError
from unisono.formats.read import read
from unisono.formats.write import write
from unisono.model.continuum import Continuum, Unit
from unisono.model.corpus import Corpus


def unit(name, author, kind, start, end, **features):
    inside = "".join(f'<feature name="{key}">{value}</feature>' for key, value in features.items())
    return f"""<unit id="{name}">
<metadata><author>{author}</author><creation-date>1</creation-date></metadata>
<characterisation><type>{kind}</type><featureSet>{inside}</featureSet></characterisation>
<positioning><start><singlePosition index="{start}"/></start>
<end><singlePosition index="{end}"/></end></positioning>
</unit>
"""


RELATION = """<relation id="r1"><metadata><author>ann</author></metadata>
<characterisation><type>Contrast</type><featureSet><feature name="sure">yes</feature></featureSet>
</characterisation><positioning><term id="u1"/><term id="u2"/></positioning></relation>
"""
SCHEMA = """<schema id="s1"><metadata><author>ann</author></metadata>
<characterisation><type>Chain</type><featureSet/></characterisation>
<positioning><embedded-unit id="u2"/><embedded-relation id="r1"/></positioning></schema>
"""
UNITS = (
    unit("p1", "TXT_IMPORTER", "paragraph", 0, 11),
    unit("u1", "ann", "Topic", 0, 5, mood="glad"),
    unit("u2", "ann", "Frame", 6, 11),
    unit("u3", "bob", "Topic", 0, 4, mood="sad"),
)


def aa(*parts):
    inside = "".join(parts)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<annotations>\n{inside}</annotations>\n'


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name="talk.aa"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8", newline="")
        return name

    return written


def test_the_author_is_the_annotator_and_the_type_the_label(put):
    put("hello world", "talk.ac")
    talk = read(put(aa(*UNITS)))["talk"]
    assert talk.text == "hello world"
    assert talk.extent == (0, 11)
    assert list(talk) == [
        Unit("ann", 0, 5, "Topic"),
        Unit("ann", 6, 11, "Frame"),
        Unit("bob", 0, 4, "Topic"),
    ]


def test_the_layout_is_read_when_it_is_requested(put):
    talk = read(put(aa(*UNITS)), layer=["paragraph", "Topic"])["talk"]
    assert talk.annotators == ("TXT_IMPORTER", "ann", "bob")
    assert talk.labels == ("Topic", "paragraph")


def test_a_feature_can_be_the_label(put):
    path = put(aa(*UNITS))
    with pytest.raises(ReadError, match=r"'Frame' .*'Topic'"):
        read(path, label="mood")
    assert read(path, label="mood", layer="Topic").labels == ("glad", "sad")
    assert read(path, label=False).labels == (None,)
    with pytest.raises(
        ReadError, match=r"no unit has the feature 'mod'; the features are .*'mood'"
    ):
        read(path, label="mod", layer="Topic")
    assert read(path, label="mod", layer="Topic", on_error="skip").labels == (None,)


def test_relations_and_schemas_are_attributes_of_their_units(put):
    first, second, _ = read(put(aa(*UNITS, RELATION, SCHEMA)))["talk"]
    relation: dict[str, object] = {"id": "r1", "type": "Contrast", "sure": "yes"}
    relation["author"] = "ann"
    relation["members"] = ["u1", "u2"]
    assert first.attributes == {"mood": "glad", "id": "u1", "relations": [relation]}
    assert second.attributes["schemas"][0]["members"] == ["u2", "r1"]


def test_a_file_can_be_the_annotator(put):
    put(aa(UNITS[1]), "one/talk.aa")
    put(aa(), "two/talk.aa")
    talk = read(".", annotator="folder")["talk"]
    assert talk.annotators == ("one", "two")
    assert talk.counts.tolist() == [1, 0]


def test_a_file_of_the_importer_only_is_noted(put):
    assert "so their annotators are not known" in str(read(put(aa(UNITS[0]))).notes)


def test_a_label_is_a_feature_by_name(put):
    with pytest.raises(SettingError, match="the label must be the name of a feature; got label=2"):
        read(put(aa(*UNITS)), label=2)


def test_positions_count_as_java_does(put):
    put("😊 hello", "talk.ac")
    (found,) = read(put(aa(unit("u1", "ann", "Topic", 3, 8))))["talk"]
    assert (found.start, found.end) == (2, 7)


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        (unit("u1", "ann", "T", 0, 12), r"talk.aa:3: a unit lies outside the text"),
        (unit("u1", "ann", "T", "x", 2), r"talk.aa:3: a unit needs a start and an end"),
        (unit("u1", "ann", "T", -1, 2), r"talk.aa:3: a unit needs a start and an end"),
        (unit("u1", "ann", "T", 3, 2), r"talk.aa:3: a unit cannot end before"),
        (unit("u1", "", "T", 0, 2), r"talk.aa:3: the annotator is empty"),
        ('<unit id="u1"/>', r"talk.aa:3: a unit needs a start and an end"),
    ],
)
def test_a_bad_unit_is_refused_or_skipped(put, part, problem):
    put("hello world", "talk.ac")
    path = put(aa(part, UNITS[1]))
    with pytest.raises(ReadError, match=problem):
        read(path)
    assert read(path, on_error="skip").skipped == 1


def test_what_was_written_is_read_again(tmp_path):
    talk = Continuum.from_units([("ann", 0, 5, "a & b"), ("ann", 2, 5), ("bob", 2, 2, '"<x>"')])
    corpus = Corpus.from_continua({"one": talk, "two": talk})
    write(corpus, tmp_path / "glozz", format="glozz")
    assert read(tmp_path / "glozz") == corpus


def test_text_and_features_are_written_too(put):
    put("😊 hello", "talk.ac")
    corpus = read(put(aa(unit("u1", "ann", "Topic", 3, 8, mood="glad"))))
    write(corpus, "again.aa")
    again = read("again.aa")["again"]
    assert again == corpus["talk"]
    assert again.text == "😊 hello"
    assert again.units[0].attributes == {"mood": "glad"}


def test_relations_and_schemas_are_written_too(put):
    first = read(put(aa(*UNITS, RELATION, SCHEMA)))
    write(first, "again.aa")
    second = read("again.aa")["again"]
    assert second == first["talk"]
    for before, after in zip(first["talk"], second, strict=True):
        assert after.attributes == before.attributes


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("ann", 0.5, 1, "a"), "Glozz stores offsets of characters"),
        (("ann", 0, 1, "Paragraph"), "would be read as layout"),
        (("TXT_IMPORTER", 0, 1, "a"), "would be read as layout"),
    ],
)
def test_what_glozz_cannot_state_is_refused(tmp_path, row, problem):
    with pytest.raises(DataError, match=problem):
        write(Continuum.from_units([row]), tmp_path / "talk.aa")


def test_an_attribute_that_xml_cannot_state_is_refused(tmp_path):
    unit = Unit("ann", 0, 1, "a", attributes={"note": "\x00"})
    with pytest.raises(DataError, match=r"an attribute or a name .* which Glozz cannot store"):
        write(Continuum.from_units([unit]), tmp_path / "talk.aa")
    assert not list(tmp_path.iterdir())


def test_annotators_without_units_are_lost_with_a_warning(tmp_path):
    talk = Continuum.from_units([("ann", 0, 1, "a")], annotators=("ann", "bob"))
    with pytest.warns(UserWarning, match=r"Glozz cannot hold annotators without units \(1\)"):
        write(talk, tmp_path / "talk.aa")
