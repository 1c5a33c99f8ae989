"""Line formats with times: RTTM, Audacity, WebVTT, SubRip."""

from pathlib import Path
from typing import Any

import pytest

from unisono.errors import ReadError, SettingError
from unisono.formats.read import read
from unisono.model.continuum import Unit


@pytest.fixture
def put(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def written(text, name):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text.encode())
        return name

    return written


# RTTM

TURNS = """;; made by hand
SPEAKER rec1 1 0.1 0.2 <NA> <NA> CHI 0.9 <NA>
SPEAKER rec1 1 1982.193 0.299 <NA> <NA> FEM <NA> <NA>
SPKR-INFO rec1 1 <NA> <NA> <NA> unknown CHI <NA> <NA>

SPEAKER rec2 2 5 1 <NA> <NA> <NA> <NA>
"""


def test_a_turn_ends_where_its_decimals_add_up(put):
    corpus = read(put(TURNS, "ann.rttm"))
    assert list(corpus) == ["rec1", "rec2"]
    assert list(corpus["rec1"]) == [
        Unit("ann", 0.1, 0.3, "CHI"),
        Unit("ann", 1982.193, 1982.492, "FEM"),
    ]
    (turn,) = corpus["rec2"]
    assert (turn.label, turn.attributes["channel"]) == (None, "2")


def test_a_file_is_an_annotator_and_a_silent_one_is_not_lost(put):
    put(TURNS, "turns/ann.rttm")
    put(TURNS, "turns/bob.rttm")
    assert read("turns")["rec1"].annotators == ("ann", "bob")
    put("", "silent/rec1.rttm")
    assert read("silent", annotator="folder")["rec1"].annotators == ("silent",)


def test_another_field_can_be_the_label(put):
    path = put(TURNS, "ann.rttm")
    assert read(path, label="confidence").labels == (None, 0.9)
    assert read(path, label=False).labels == (None,)
    with pytest.raises(
        SettingError, match=r"label='speaker' is not supported .*; choose one of 'type'"
    ):
        read(path, label="speaker")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SPEAKER rec 1 0.1\n", "ann.rttm:1: expected type, file, channel, onset, duration"),
        ("SPEAKER rec 1 0,1 2 a b c\n", "ann.rttm:1: the onset '0,1' is not a number"),
        ("SPEAKER rec 1 nan 2 a b c\n", "ann.rttm:1: the onset 'nan' is not a number"),
        ("SPEAKER rec 1 1 1e999 a b c\n", "ann.rttm:1: the end of a unit must be a finite number"),
        ("SPEAKER rec 1 1 -2 a b c\n", "ann.rttm:1: a unit cannot end before it starts"),
        ("SPEAKER rec 1 -1 2 a b c\n", "ann.rttm:1: a position cannot be negative"),
    ],
)
def test_a_bad_turn_is_refused_or_skipped(put, text, problem):
    path = put("SPEAKER rec 1 0 1 a b c\n" + text, "ann.rttm")
    with pytest.raises(ReadError, match=problem.replace(":1:", ":2:")):
        read(path)
    assert read(path, on_error="skip").skipped == 1


# Audacity

LABELS = "0.000000\t2.500000\tspeech\n\\\t100.0\t2000.5\n3,25\t3,25\t\n\n4.0\t5.0\ta\tb\n"


def test_labels_have_start_end_and_text(put):
    corpus = read(put(LABELS, "ann.txt"))
    first, point, last = corpus["ann"]
    assert first == Unit("ann", 0, 2.5, "speech")
    assert first.attributes == {"lowest_frequency": 100.0, "highest_frequency": 2000.5}
    assert point == Unit("ann", 3.25, 3.25)
    assert last.label == "a b"
    assert read("ann.txt", label=False).labels == (None,)


def test_a_folder_of_tracks_for_each_annotator(put):
    put(LABELS, "ann/talk.txt")
    put("", "bob/talk.txt")
    talk = read(".", format="audacity")["talk"]
    assert talk.annotators == ("ann", "bob")
    assert talk.counts.tolist() == [3, 0]


def test_whose_track_it_is_must_be_known(put):
    put(LABELS, "one.txt")
    put(LABELS, "two.txt")
    with pytest.raises(ReadError, match=r"one.txt: the annotator of this file is unknown"):
        read(".")


@pytest.mark.parametrize("line", ["a\tb\tc", "1.0 2.0 x", "1.0", "1e5\t2e5\tx", "0x1\t2\tx"])
def test_a_line_that_is_not_a_label_is_refused(put, line):
    path = put(f"0.0\t1.0\ta\n{line}\n", "ann.txt")
    with pytest.raises(ReadError, match=r"ann.txt:2: expected start, end and label"):
        read(path)


# Captions

WEBVTT = """WEBVTT - a talk
Kind: captions

STYLE
::cue { color: red }

NOTE not a caption
00:00:00.000 --> 00:00:09.000

intro
00:00:01.100 --> 00:00:04.000 align:start position:10%
<v.loud Ann Lee>Hello &amp; <b>welcome</b>
to this

01:00:00.5 --> 100:00:00
bye
"""


def test_webvtt_captions_are_units(put):
    talk = read(put(WEBVTT, "ann.vtt"))["ann"]
    hello, bye = talk
    assert hello == Unit("ann", 1.1, 4, "Hello & welcome\nto this")
    assert hello.attributes == {"voice": "Ann Lee"}
    assert bye == Unit("ann", 3600.5, 360000, "bye")
    assert read("ann.vtt", label="voice").labels == (None, "Ann Lee")
    assert read("ann.vtt", label=False).labels == (None,)


def test_an_entity_with_too_many_digits_stays_as_it_is(put):
    text = "WEBVTT\n\n00:01.0 --> 00:02.0\n&#" + "9" * 5000 + ";"
    assert str(read(put(text, "ann.vtt")).labels[0]).startswith("&#999")


SRT = """1
00:00:01,100 --> 00:00:04,000 X1:1 X2:2
<i>Hello</i>

there

2
00:00:05,000 --> 00:00:06,000
7
"""


def test_srt_captions_are_units(put):
    assert list(read(put(SRT, "ann.srt"))["ann"]) == [
        Unit("ann", 1.1, 4, "Hello\n\nthere"),
        Unit("ann", 5, 6, "7"),
    ]
    put("\ufeff" + SRT.replace("\n", "\r\n"), "bob.srt")
    assert read("bob.srt").n_units == 2


def test_an_annotator_without_captions_is_not_lost(put):
    put("", "ann/talk.srt")
    put(SRT, "bob/talk.srt")
    assert read(".")["talk"].counts.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        ("", "ann.vtt", "ann.vtt: the file is empty; a WebVTT file must begin with WEBVTT"),
        ("hello", "ann.vtt", "ann.vtt:1: a WebVTT file must begin with WEBVTT; got 'hello'"),
        ("WEBVTT\n\n1.5 --> 2\nx", "ann.vtt", "ann.vtt:3: expected times such as"),
        ("hello", "ann.srt", "ann.srt: no captions found; expected lines with times"),
        ("1\n00:00:02,0 -->\nx", "ann.srt", "ann.srt:2: expected times such as"),
        ("1\n00:00:02,0 --> 00:00:01,0\nx", "ann.srt", "ann.srt:2: a unit cannot end before"),
    ],
)
def test_broken_captions_are_refused(put, text, name, problem):
    with pytest.raises(ReadError, match=problem):
        read(put(text, name))


def test_a_label_that_captions_have_not_is_refused(put):
    with pytest.raises(
        SettingError, match=r"label='voice' is not supported .*; choose one of 'text', False"
    ):
        read(put(SRT, "ann.srt"), label="voice")


@pytest.mark.parametrize("name", ["ann.srt", "ann.rttm", "ann.txt"])
@pytest.mark.parametrize("word", ["annotator", "document", "label"])
def test_words_that_would_change_nothing_are_refused(put, name, word):
    options: dict[str, Any] = {word: "nobody"}
    text = {"ann.srt": SRT, "ann.rttm": TURNS, "ann.txt": LABELS}[name]
    with pytest.raises(SettingError, match=f"{word}='nobody' is not supported by this format"):
        read(put(text, name), **options)


def test_captions_may_be_called_like_notes(tmp_path):
    cues = "WEBVTT\n\nNOTE a\nb\n\nNOTEBOOK\n00:01.000 --> 00:02.000\nHi\n\n"
    cues += "STYLE\n::cue {}\n\nREGION 9\n00:03.000 --> 00:04.000\nHo\n"
    path = tmp_path / "ann.vtt"
    path.write_text(cues)
    assert [unit.label for unit in read(path)["ann"]] == ["Hi", "Ho"]


def test_an_empty_track_in_a_folder_is_an_annotator_without_units(tmp_path):
    for name, lines in {"ann": "1.5\t2.5\tdog\n", "bob": ""}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "walk.txt").write_text(lines)
    (tmp_path / "notes.txt").write_text("see you")
    assert read(tmp_path)["walk"].annotators == ("ann", "bob")
