import subprocess
import sys
from pathlib import Path

import pytest

from unisono.errors import DataError, ReadError
from unisono.formats.read import read
from unisono.formats.write import write
from unisono.model.continuum import Continuum, Unit
from unisono.model.corpus import Corpus


def slots(*times):
    return "".join(
        f'<TIME_SLOT TIME_SLOT_ID="ts{number}"'
        + ("" if time is None else f' TIME_VALUE="{time}"')
        + "/>\n"
        for number, time in enumerate(times, start=1)
    )


def aligned(name, first, last, text=""):
    return (
        f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="{name}" TIME_SLOT_REF1="ts{first}" '
        f'TIME_SLOT_REF2="ts{last}"><ANNOTATION_VALUE>{text}</ANNOTATION_VALUE>'
        "</ALIGNABLE_ANNOTATION></ANNOTATION>\n"
    )


def referring(name, parent, text="", previous=None):
    before = f' PREVIOUS_ANNOTATION="{previous}"' if previous else ""
    return (
        f'<ANNOTATION><REF_ANNOTATION ANNOTATION_ID="{name}" ANNOTATION_REF="{parent}"{before}>'
        f"<ANNOTATION_VALUE>{text}</ANNOTATION_VALUE></REF_ANNOTATION></ANNOTATION>\n"
    )


def tier(name, *annotations, kind="turn", **attributes):
    more = "".join(f' {key}="{value}"' for key, value in attributes.items())
    inside = "".join(annotations)
    return f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="{kind}"{more}>\n{inside}</TIER>\n'


def eaf(times, *tiers):
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT>\n'
        '<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds"/>\n'
        f"<TIME_ORDER>\n{slots(*times)}</TIME_ORDER>\n{''.join(tiers)}</ANNOTATION_DOCUMENT>"
    )


TWO = eaf(
    (100, 1100, 2350),
    tier("ann", aligned("a1", 1, 2, "x"), aligned("a2", 2, 3, " y &amp; z ")),
    tier("bob"),
)


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name="talk.eaf"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, encoding="utf-8")
        return name

    return written


def test_a_tier_is_an_annotator_and_times_are_seconds(put):
    talk = read(put(TWO))["talk"]
    assert talk.annotators == ("ann", "bob")
    assert list(talk) == [Unit("ann", 0.1, 1.1, "x"), Unit("ann", 1.1, 2.35, "y & z")]


def test_an_annotation_without_text_is_a_unit_without_label(put):
    assert read(put(eaf((0, 5), tier("ann", aligned("a1", 1, 2)))))["talk"].labels == (None,)


def test_slots_without_a_time_lie_evenly_between_their_neighbours(put):
    chain = [aligned(f"a{i}", i, i + 1, f"x{i}") for i in range(1, 5)]
    talk = read(put(eaf((1000, None, None, None, 3000), tier("ann", *chain))))["talk"]
    assert talk.starts.tolist() == [1, 1.5, 2, 2.5]
    assert talk.ends.tolist() == [1.5, 2, 2.5, 3]


def test_the_type_of_a_tier_is_its_layer_and_references_have_the_times_of_their_parents(put):
    path = put(
        eaf(
            (0, 4000),
            tier("ann", aligned("a1", 1, 2, "hello you")),
            tier("ann-mood", referring("a2", "a1", "glad"), kind="mood", PARENT_REF="ann"),
            tier("ann-sure", referring("a3", "a2", "yes"), kind="sure", PARENT_REF="ann-mood"),
        )
    )
    with pytest.raises(ReadError, match=r"'mood' .*'sure' .*'turn'"):
        read(path)
    for layer, label in (("mood", "glad"), ("sure", "yes")):
        assert list(read(path, layer=layer)["talk"]) == [Unit("ann", 0, 4, label)]


def test_dependent_tiers_of_one_type_are_layers_of_their_own(put):
    path = put(
        eaf(
            (0, 4000),
            tier("ann", aligned("a1", 1, 2, "hello you")),
            tier("mood@ann", referring("a2", "a1", "glad"), kind="note", PARENT_REF="ann"),
            tier("sure@ann", referring("a3", "a1", "yes"), kind="note", PARENT_REF="ann"),
        )
    )
    for layer, label in (("mood@ann", "glad"), ("sure@ann", "yes")):
        assert list(read(path, layer=layer)["talk"]) == [Unit("ann", 0, 4, label)]


@pytest.mark.parametrize("reverse", [False, True])
def test_several_that_refer_to_one_share_its_time_in_their_order(put, reverse):
    words = [
        referring("b1", "a1", "one"),
        referring("b2", "a1", "two", "b1"),
        referring("b3", "a1", "three", "b2"),
        referring("b4", "a1", "four", "b3"),
    ]
    words = words[::-1] if reverse else words
    path = put(eaf((0, 2000), tier("ann", aligned("a1", 1, 2)), tier("words", *words, kind="word")))
    talk = read(path, layer="word")["talk"]
    assert [unit.label for unit in talk] == ["one", "two", "three", "four"]
    assert talk.starts.tolist() == [0, 0.5, 1, 1.5]


def test_where_tiers_name_their_annotators_these_count(put):
    path = put(
        eaf(
            (0, 5, 9),
            tier("t1", aligned("a1", 1, 2, "x"), ANNOTATOR="ann", PARTICIPANT="CHI"),
            tier("t2", aligned("a2", 2, 3, "y"), ANNOTATOR="bob", PARTICIPANT="MOT"),
            tier("t3"),
        )
    )
    assert read(path)["talk"].annotators == ("ann", "bob")
    assert read(path, annotator="layer")["talk"].annotators == ("t1", "t2", "t3")
    assert read(path, annotator="PARTICIPANT")["talk"].annotators == ("CHI", "MOT")


def test_every_tier_with_annotations_must_name_its_participant_when_requested(put):
    tiers = tier("t1", aligned("a1", 1, 2), PARTICIPANT="CHI"), tier("t2", aligned("a2", 1, 2))
    path = put(eaf((0, 5), *tiers))
    with pytest.raises(ReadError, match="the tier 't2' has no PARTICIPANT"):
        read(path, annotator="PARTICIPANT")
    assert read(path, annotator="PARTICIPANT", on_error="skip").skipped == 1


@pytest.mark.parametrize("extent", ["", "1", "0 x", "nan 5", "0 1e999"])
def test_a_broken_extent_is_refused(put, extent):
    noted = (
        f'TIME_UNITS="milliseconds"><PROPERTY NAME="unisono extent">{extent}</PROPERTY></HEADER>'
    )
    text = TWO.replace('TIME_UNITS="milliseconds"/>', noted)
    with pytest.raises(ReadError, match=r"talk.eaf:3: the extent must be two numbers"):
        read(put(text))


def test_with_one_annotator_the_tiers_are_layers(put):
    tiers = (tier(name, aligned(name, 1, 2, name), ANNOTATOR="ann") for name in ("CHI", "MOT"))
    talk = read(put(eaf((0, 5), *tiers)), layer="MOT")["talk"]
    assert list(talk) == [Unit("ann", 0, 0.005, "MOT")]


def test_with_a_file_for_each_annotator_the_tiers_are_layers(put):
    put(TWO, "talk_ann.eaf")
    put(TWO, "talk_bob.eaf")
    talk = read(".", annotator="{document}_{annotator}", layer="ann")["talk"]
    assert talk.annotators == ("ann", "bob")
    assert talk.counts.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<x/>", r"talk.eaf:1: expected the root element <ANNOTATION_DOCUMENT>"),
        (TWO[:300], r"talk.eaf:\d+: not well-formed XML"),
        (TWO.replace('"ts3"/>', '"ts9"/>'), None),
        (
            TWO.replace('REF2="ts3"', 'REF2="ts9"'),
            r"talk.eaf:11: the time slot 'ts9' does not exist",
        ),
        (TWO.replace('"2350"', '"2,350"'), r"talk.eaf:7: a time must be a whole number of mill"),
        (TWO.replace("milliseconds", "PAL-frames"), r"talk.eaf:3: .* 'PAL-frames'"),
        (TWO.replace('"2350"', '"50"'), r"talk.eaf:11: a unit cannot end before it starts"),
        (TWO.replace('"100"', '"-100"'), r"talk.eaf:10: a position cannot be negative"),
        (TWO.replace(' TIME_VALUE="2350"', ""), r"talk.eaf:11: a time slot has no time"),
        (TWO.replace('ID="a2"', 'ID="a1"'), r"talk.eaf:11: duplicate annotation 'a1'"),
        (TWO.replace('ANNOTATION_ID="a2"', ""), r"talk.eaf:11: .* has no ANNOTATION_ID"),
        (
            eaf((), tier("x", referring("a1", "a1"))),
            r"talk.eaf:7: .* refers to an annotation that does not exist",
        ),
        (eaf((), tier("x", "<ANNOTATION/>")), r"talk.eaf:7: expected an <ALIGNABLE_ANNOTATION> or"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(put, text, problem):
    if problem is None:
        assert read(put(text)).n_units == 2
        return
    with pytest.raises(ReadError, match=problem):
        read(put(text))


# Writing


def test_overlaps_and_annotators_without_units_survive(tmp_path):
    talk = Continuum.from_units(
        [("ann", 0, 5, "a"), ("ann", 3, 8.125, 'b "<x>"&\ny'), ("bob", 1.25, 2.001)],
        annotators=("ann", "bob", "eve"),
        extent=(0, 12.5),
    )
    corpus = Corpus.from_continua({"talk": talk})
    write(corpus, tmp_path / "talk.eaf")
    assert read(tmp_path / "talk.eaf") == corpus


def test_one_annotator_with_overlaps_survives(tmp_path):
    talk = Continuum.from_units([("ann", 0, 5, "a"), ("ann", 3, 8, "b")])
    write(talk, tmp_path / "talk.eaf")
    assert read(tmp_path / "talk.eaf")["talk"] == talk


def test_times_are_rounded_to_milliseconds_with_a_warning(tmp_path):
    talk = Continuum.from_units([("ann", 0, 1 / 3, "a")])
    with pytest.warns(UserWarning, match="ELAN stores whole milliseconds"):
        write(talk, tmp_path / "talk.eaf")
    assert read(tmp_path / "talk.eaf")["talk"].ends.tolist() == [0.333]


def test_the_layer_is_the_type_and_other_attributes_are_lost_with_a_warning(tmp_path):
    attributes = {"layer": "mood & more", "sure": "yes"}
    units = [Unit(who, 0, 1, "a", attributes=attributes) for who in ("ann", "bob")]
    with pytest.warns(UserWarning, match=r"ELAN cannot hold attributes \(\d+\); JSON Lines"):
        write(Continuum.from_units(units), tmp_path / "talk.eaf")
    assert read(tmp_path / "talk.eaf", layer="mood & more").n_units == 2


def test_too_late_a_time_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"talk: 1e\+13 seconds"):
        write(Continuum.from_units([("ann", 0, 1e13, "a")]), tmp_path / "talk.eaf")


def test_reading_tables_does_not_load_xml():
    code = "import sys, unisono; sys.exit('xml.parsers.expat' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
