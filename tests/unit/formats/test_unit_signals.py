"""Questions and warnings that the units of a corpus raise, and good data that raise none."""

import random
from pathlib import Path

import pytest

import unisono as un
from unisono.errors import AmbiguousInputError, SettingError
from unisono.formats.read import read_all_layers
from unisono.model.interpretation import Interpretation

LABELS = ("block", "prolongation", "repetition")


def recordings(seed=3, documents=4, annotators=("ann", "ben"), size=15, scale=1.0, digits=3):
    """Return units of several annotators who agree well, by document and annotator."""
    draw = random.Random(seed)
    made = {}
    for number in range(1, documents + 1):
        truth, at = [], 0.0
        for _ in range(size):
            at += draw.uniform(1, 8)
            length = draw.uniform(0.5, 3)
            truth.append((at, at + length, draw.choice(LABELS)))
            at += length
        made[f"rec{number}"] = {
            name: [
                (
                    round(scale * (start + draw.uniform(-0.2, 0.2)), digits),
                    round(scale * (end + draw.uniform(-0.2, 0.2)), digits),
                    label if draw.random() < 0.9 else draw.choice(LABELS),
                )
                for start, end, label in truth
                if draw.random() < 0.9
            ]
            for name in annotators
        }
    return made


def rows_of(made):
    return [
        (document, annotator, *unit)
        for document, by_annotator in made.items()
        for annotator, units in by_annotator.items()
        for unit in units
    ]


def table(rows, name="units.csv", columns=("document", "annotator", "start", "end", "label")):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def eaf(tiers, media="", author="", **attributes):
    """Return an ELAN file; `tiers` maps names to units, attributes are of each tier."""
    times = sorted({time for units in tiers.values() for unit in units for time in unit[:2]})
    slot = {time: f"ts{number}" for number, time in enumerate(times, start=1)}
    slots = "".join(
        f'<TIME_SLOT TIME_SLOT_ID="{name}" TIME_VALUE="{round(1000 * time)}"/>'
        for time, name in slot.items()
    )
    text = ""
    for place, (name, units) in enumerate(tiers.items()):
        more = "".join(f' {key}="{values[place]}"' for key, values in attributes.items())
        text += f'<TIER TIER_ID="{name}" LINGUISTIC_TYPE_REF="default-lt"{more}>'
        for number, (start, end, label) in enumerate(units):
            text += (
                f'<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="a{place}-{number}" '
                f'TIME_SLOT_REF1="{slot[start]}" TIME_SLOT_REF2="{slot[end]}">'
                f"<ANNOTATION_VALUE>{label}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"
            )
        text += "</TIER>"
    link = f'<MEDIA_DESCRIPTOR MEDIA_URL="file:///C:/{media}" MIME_TYPE="audio/x-wav"/>'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<ANNOTATION_DOCUMENT AUTHOR="{author}">'
        f'<HEADER MEDIA_FILE="" TIME_UNITS="milliseconds">{link if media else ""}</HEADER>'
        f"<TIME_ORDER>{slots}</TIME_ORDER>{text}</ANNOTATION_DOCUMENT>"
    )


def put(text, name):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def grid(tiers, end):
    """Return a TextGrid; a tier of pairs is one of points."""
    lines = ['"ooTextFile"', '"TextGrid"', "0", str(end), "<exists>", str(len(tiers))]
    for name, units in tiers.items():
        points = bool(units) and len(units[0]) == 2
        rows, at = [], 0.0
        for unit in units:
            if not points and unit[0] > at:
                rows.append((at, unit[0], '""'))
            rows.append((*unit[:-1], f'"{unit[-1]}"'))
            at = unit[-2]
        if not points:
            rows.append((at, end, '""'))
        lines += [f'"{"TextTier" if points else "IntervalTier"}"', f'"{name}"', "0", str(end)]
        lines += [str(len(rows)), *(" ".join(map(str, row)) for row in rows)]
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def record(*paths, **settings):
    found = un.read(*paths, questions="keep", **settings).interpretation
    assert found is not None
    return found


def read_as(path, reading, **settings):
    """Read with the settings of a reading of a question."""
    return un.read(path, **reading.settings, **settings)


def questions(*paths, **settings):
    return [each.code for each in record(*paths, **settings).questions]


def warnings(*paths, **settings):
    return {each.code: each for each in record(*paths, **settings).warnings if each.code}


def test_good_data_raise_nothing():
    path = table(rows_of(recordings()))
    assert (questions(path), warnings(path)) == ([], {})


# One file per annotator.


def test_files_of_one_annotator_each_are_asked_about():
    for document, by_annotator in recordings(11).items():
        for annotator, units in by_annotator.items():
            rows = [("me", *unit) for unit in units]
            name = f"in/{document}_{annotator}.csv"
            table(rows, name, ("annotator", "start", "end", "label"))
    with pytest.raises(AmbiguousInputError) as caught:
        un.read("in")
    assert isinstance(caught.value.interpretation, Interpretation)
    (question,) = caught.value.interpretation.questions
    assert question.code == "file-per-coder"
    assert "names end in ann, ben" in question.text
    first, second = question.readings
    assert first.counts == {"documents": 8, "annotators": 1}
    assert second.counts == {"documents": 4, "annotators": 2}
    assert read_as("in", second).annotators == ("ann", "ben")
    assert un.read("in", accept="file-per-coder").annotators == ("me",)
    assert un.read("in", document="file").annotators == ("me",)


def test_names_that_begin_with_the_annotator_are_taken_apart_at_the_first_separator():
    for document, by_annotator in recordings(12).items():
        for annotator, units in by_annotator.items():
            rows = [("me", *unit) for unit in units]
            name = f"in/{annotator}_{document}_new.csv"
            table(rows, name, ("annotator", "start", "end", "label"))
    (question,) = record("in").questions
    assert question.readings[1].settings == {"annotator": "{annotator}_{document}"}
    corpus = read_as("in", question.readings[1])
    assert corpus.annotators == ("ann", "ben")
    assert [*corpus] == [f"rec{number}_new" for number in range(1, 5)]


@pytest.mark.parametrize("parts", [2, 3])
def test_parts_of_a_recording_are_documents_without_a_question(parts):
    for document, by_annotator in recordings(13).items():
        end = max(unit[1] for units in by_annotator.values() for unit in units)
        for part in range(parts):
            rows = [
                (annotator, *unit)
                for annotator, units in by_annotator.items()
                for unit in units
                if int(parts * unit[0] / (end + 1)) == part
            ]
            name = f"in/{document}_part{part + 1}.csv"
            table(rows, name, ("annotator", "start", "end", "label"))
    assert questions("in") == []


def stuttering(seed, **facts):
    """Write one ELAN file per recording and annotator, with the tiers moments and Doubts."""
    for document, by_annotator in recordings(seed).items():
        for annotator, units in by_annotator.items():
            doubts = [(start, end, "?") for start, end, _ in units[::6]]
            given = {key: value.format(document, annotator) for key, value in facts.items()}
            tiers = {"moments": units, "Doubts": doubts}
            put(eaf(tiers, **given), f"in/{document}_{annotator}.eaf")


def test_elan_files_of_one_annotator_each_are_asked_about():
    stuttering(14)
    with pytest.raises(AmbiguousInputError, match="Doubts, moments"):
        un.read("in")
    (question,) = record("in").questions
    assert [reading.counts["annotators"] for reading in question.readings] == [2, 2]
    assert [reading.counts["documents"] for reading in question.readings] == [8, 4]
    first, second = question.readings
    assert read_as("in", first).annotators == ("Doubts", "moments")
    assert read_as("in", second, layer="moments").annotators == ("ann", "ben")


def poor(seed):
    """Return units of annotators of whom each marks many places that the other does not."""
    made = recordings(seed, size=5)
    for number, by_annotator in enumerate(made.values()):
        for place, (annotator, units) in enumerate(by_annotator.items()):
            others = recordings(100 * seed + 10 * number + place, 1, ("x",), size=16)["rec1"]["x"]
            alone = [
                other
                for other in others
                if all(other[1] < unit[0] or unit[1] < other[0] for unit in units)
            ]
            by_annotator[annotator] = [unit for unit in sorted(units + alone) if unit[1] < 99]
    return made


def test_authors_and_equal_lengths_support_one_file_per_annotator():
    for number, (document, by_annotator) in enumerate(poor(40).items()):
        for annotator, units in by_annotator.items():
            name = f"{document}_{annotator}"
            doubts = {"moments": units, "Doubts": []}
            put(eaf(doubts, author=annotator), f"authors/{name}.eaf")
            put(eaf(doubts, author="lab"), f"lab/{name}.eaf")
            put(grid(doubts, 100 + number), f"lengths/{name}.TextGrid")
            put(grid(doubts, 100), f"equal/{name}.TextGrid")
    assert "goes with one author" in record("authors").questions[0].text
    assert "equally long" in record("lengths").questions[0].text
    assert questions("lab") == questions("equal") == []


def test_files_that_name_the_same_recording_are_asked_about_even_for_one_recording():
    made = recordings(15, documents=1)["rec1"]
    for annotator, units in made.items():
        put(eaf({"moments": units, "Doubts": []}, media="rec1.wav"), f"in/rec1_{annotator}.eaf")
    (question,) = record("in").questions
    assert (question.code, "the same recording" in question.text) == ("file-per-coder", True)


def test_parts_of_one_recording_in_several_files_are_no_question():
    units = recordings(16, documents=1)["rec1"]
    for part in range(2):
        chosen = {
            name: [unit for unit in own if (unit[0] > 40) == bool(part)]
            for name, own in units.items()
        }
        put(eaf(chosen, media="rec1.wav"), f"in/rec1_{part + 1}.eaf")
    assert questions("in") == []


def test_brat_files_with_one_text_are_asked_about():
    for document in ("a", "b"):
        for name in ("lisa", "max"):
            put(f"The text of {document}, which is long enough.", f"in/{document}_{name}.txt")
            put("T1\tNoun 4 8\ttext\n", f"in/{document}_{name}.ann")
    (question,) = record("in").questions
    assert (question.code, "the same text" in question.text) == ("file-per-coder", True)
    assert read_as("in", question.readings[1]).annotators == ("lisa", "max")


def test_brat_files_with_different_texts_are_documents():
    for document in ("a", "b"):
        for part in ("1", "2"):
            put(f"Part {part} of the text of {document}, the end.", f"in/ann/{document}_{part}.txt")
            put("T1\tNoun 0 4\tPart\n", f"in/ann/{document}_{part}.ann")
    assert questions("in") == []


# Rounds.


def test_folders_with_the_same_annotators_and_documents_are_asked_about():
    for number in (1, 2):
        made = recordings(17)
        if number == 2:  # the second round moves a few bounds
            made = {
                document: {
                    name: [(start, end + 0.1, label) for start, end, label in units]
                    for name, units in by_annotator.items()
                }
                for document, by_annotator in made.items()
            }
        table(rows_of(made), f"columns/round{number}/units.csv")
        for document, rows in made.items():
            own = [(name, *unit) for name, units in rows.items() for unit in units]
            name = f"files/round{number}/{document}.csv"
            table(own, name, ("annotator", "start", "end", "label"))
    assert questions("columns") == ["rounds"]
    assert questions("files") == ["rounds"]
    assert questions("columns/round1") == questions("files/round1") == []
    message = str(record("files").questions[0])
    assert "1) each file is a document of its own: 8 documents" in message
    assert "Set" not in message.splitlines()[-1]


def test_files_with_other_documents_of_the_same_annotators_are_no_rounds():
    for number in (1, 2):
        table(rows_of(recordings(18 + number)), f"files/chapter{number}/units.csv")
        for document, rows in recordings(20 + number).items():
            own = [(name, *unit) for name, units in rows.items() for unit in units]
            name = f"parts/chapter{number}/{document}.csv"
            table(own, name, ("annotator", "start", "end", "label"))
    assert questions("files") == questions("parts") == []


# Speakers and dependent tiers.


def test_tiers_of_participants_are_asked_about_unless_annotators_are_named():
    made = recordings(23, documents=1)["rec1"]
    put(eaf(made, PARTICIPANT=("Maria", "Jo")), "in/talk.eaf")
    assert questions("in") == ["speakers"]
    assert questions("in", annotator="layer") == []
    assert questions("in", annotator="file", layer="ann") == []
    put(eaf(made, PARTICIPANT=("Maria", "Jo"), ANNOTATOR=("A", "B")), "named/talk.eaf")
    put(eaf(made, PARTICIPANT=("Maria", "Maria")), "one/talk.eaf")
    assert questions("named") == questions("one") == []


def test_tiers_with_codes_of_speakers_are_asked_about():
    ann, ben = recordings(24, documents=1)["rec1"].values()
    put(grid({"CHI*": ann, "MOT*": ben}, 200), "in/talk.TextGrid")
    put(grid({"A1": ann, "A2": ben}, 200), "other/talk.TextGrid")
    assert questions("in") == ["speakers"]
    assert questions("other") == []


# Tiers and columns that are not annotators.


def test_a_tier_of_points_among_intervals_is_asked_about():
    for document, made in recordings(25, annotators=("A1", "A2")).items():
        clicks = [(start, "click") for start, _, _ in made["A1"]]
        put(grid({**made, "clicks": clicks}, 200), f"in/{document}.TextGrid")
        put(grid(made, 200), f"good/{document}.TextGrid")
        points = {name: [(unit[0], unit[2]) for unit in units] for name, units in made.items()}
        put(grid(points, 200), f"points/{document}.TextGrid")
    assert questions("in") == ["not-an-annotator"]
    (question,) = record("in").questions
    assert "clicks has points only" in question.text
    assert [reading.counts["annotators"] for reading in question.readings] == [3, 2]
    assert read_as("in", question.readings[1]).annotators == ("A1", "A2")
    assert questions("good") == questions("points") == []


def test_an_annotator_whose_labels_no_other_uses_is_asked_about():
    made = recordings(26, annotators=("ann", "ben", "notes"))
    for by_annotator in made.values():
        by_annotator["notes"] = [(*unit[:2], "checked") for unit in by_annotator["notes"]]
    path = table(rows_of(made))
    assert questions(path) == ["not-an-annotator"]
    assert questions(path, label=False) == []


def test_rare_labels_and_free_text_are_no_other_kind_of_annotation():
    made = recordings(27, annotators=("ann", "ben", "cleo"))
    # An annotator with few units, and texts that nobody shares.
    for number, by_annotator in enumerate(made.values()):
        by_annotator["cleo"] = [(*unit[:2], "other") for unit in by_annotator["cleo"][:2]]
        by_annotator["cleo"] += [(1, 2, LABELS[number % 3])]
    few = table(rows_of(made), "few.csv")
    texts = [(*row[:4], f"{row[1]} said {number}") for number, row in enumerate(rows_of(made))]
    assert questions(few) == questions(table(texts, "texts.csv")) == []


def test_labels_in_another_case_are_the_same_kind_of_annotation():
    made = recordings(39, annotators=("ann", "ben", "cleo"))
    for by_annotator in made.values():
        by_annotator["cleo"] = [(*unit[:2], unit[2].upper()) for unit in by_annotator["cleo"]]
    path = table(rows_of(made))
    assert (questions(path), [*warnings(path)]) == ([], ["similar-labels"])


# Warnings.


def test_an_annotator_who_marks_other_places_is_pointed_out():
    made = recordings(28, annotators=("ann", "ben", "noise"))
    for document, by_annotator in recordings(29, annotators=("noise",), size=12).items():
        moved = [(start + 500, end + 500, label) for start, end, label in by_annotator["noise"]]
        made[document]["noise"] = moved
    assert "noise matches almost no unit" in warnings(table(rows_of(made)))["no-match"].text


def test_documents_with_almost_the_same_names_are_pointed_out():
    rows = rows_of(recordings(30))
    rows = [(f"{row[0]}.wav" if row[1] == "ben" else row[0], *row[1:]) for row in rows]
    assert "rec1, rec1.wav" in warnings(table(rows))["similar-documents"].text
    other = [
        (row[0].replace("rec", "rec_0") if row[1] == "ben" else row[0], *row[1:])
        for row in rows_of(recordings(30))
    ]
    assert "rec1, rec_01" in warnings(table(other, "other.csv"))["similar-documents"].text
    # Numbers with points are different numbers, and complete documents have their own names.
    fine = [(row[0].replace("rec", "1."), *row[1:]) for row in rows_of(recordings(30))]
    fine += [(row[0].replace("rec", "1"), *row[1:]) for row in rows_of(recordings(31))]
    assert warnings(table(fine, "fine.csv")) == {}


def test_annotators_and_labels_with_almost_the_same_names_are_pointed_out():
    rows = rows_of(recordings(32))
    two = [
        (row[0], "Ann" if row[0] == "rec2" and row[1] == "ann" else row[1], *row[2:])
        for row in rows
    ]
    assert "'Ann', 'ann'" in warnings(table(two, "two.csv"))["similar-annotators"].text
    mixed = [(*row[:4], row[4].upper() if row[1] == "ben" else row[4]) for row in rows]
    found = warnings(table(mixed, "mixed.csv"))
    assert "'BLOCK' (" in found["similar-labels"].text
    # Punctuation distinguishes labels.
    primes = [(*row[:4], row[4] + "'" * (number % 3)) for number, row in enumerate(rows)]
    assert warnings(table(primes, "primes.csv")) == {}


def test_copies_of_units_are_counted():
    rows = rows_of(recordings(33))
    every = warnings(table(rows + rows, "every.csv"))
    assert every["copies"].count == len(rows)
    one = warnings(table(rows + [row for row in rows if row[1] == "ann"], "one.csv"))
    assert "Almost all units of ann occur twice" in one["doubled-annotator"].text
    # The same place with another label is no copy.
    assert warnings(table([*rows, (*rows[0][:4], "other")], "label.csv")) == {}


def test_positions_in_milliseconds_beside_seconds_are_pointed_out():
    made = recordings(34)
    for by_annotator in made.values():
        by_annotator["ben"] = [(1000 * s, 1000 * e, label) for s, e, label in by_annotator["ben"]]
    assert "Positions of ben go up to" in warnings(table(rows_of(made)))["scale"].text
    # One annotator marked only the beginning.
    few = recordings(35)
    for by_annotator in few.values():
        by_annotator["ben"] = by_annotator["ben"][:1]
    assert "scale" not in warnings(table(rows_of(few), "few.csv"))


def test_a_constant_shift_is_pointed_out():
    made = recordings(36, scale=4, digits=0)
    for by_annotator in made.values():
        units = [(int(start), int(end), label) for start, end, label in by_annotator["ann"]]
        by_annotator["ann"] = units
        by_annotator["ben"] = [
            (start + 1, end + 1 + (place % 3 == 0), label)
            for place, (start, end, label) in enumerate(units)
        ]
    found = warnings(table(rows_of(made)))
    assert "Units of ben start and end 1 later than units of ann" in found["shift"].text
    # A regular grid fits itself after every shift, and equal units are not shifted.
    grid_rows = [
        ("talk", name, at, at + 5, LABELS[at % 3]) for at in range(0, 300, 5) for name in "ab"
    ]
    assert warnings(table(grid_rows, "grid.csv")) == {}


def test_inclusive_ends_are_pointed_out_and_read():
    rows = []
    draw = random.Random(37)
    for document in ("a", "b"):
        for name in ("ann", "ben"):
            for at in range(0, 120, 6):
                start = at + draw.choice((0, 0, 1))
                rows.append((document, name, start, start + draw.choice((0, 0, 1, 2)), "NP"))
    path = table(rows)
    found = warnings(path)["inclusive-ends"]
    assert found.settings == {"ends": "inclusive"}
    corpus = un.read(path, ends="inclusive")
    assert warnings(path, ends="inclusive") == {}
    assert [unit.end for unit in corpus["a"]] == [unit.end + 1 for unit in un.read(path)["a"]]
    with pytest.raises(SettingError, match="whole numbers"):
        un.read(table(rows_of(recordings()), "seconds.csv"), ends="inclusive")


def test_inclusive_ends_hold_for_fragments():
    put(
        '{"document":"a","annotator":"x","start":0,"end":5,"label":"N","fragments":[[0,1],[4,5]]}\n',
        "units.jsonl",
    )
    (unit,) = un.read("units.jsonl", ends="inclusive")["a"]
    assert (unit.end, unit.fragments) == (6, ((0, 2), (4, 6)))


def test_a_reference_among_annotators_is_pointed_out():
    made = recordings(38, annotators=("ann", "ben", "gold"))
    assert (
        "gold counts as an annotator" in warnings(table(rows_of(made)))["reference-annotator"].text
    )
    assert warnings(table(rows_of(recordings(38, annotators=("golda", "ben", "cleo"))))) == {}


def test_layers_are_judged_only_after_one_was_chosen():
    rows = [(*row, "first") for row in rows_of(recordings(41))]
    rows += [(*row[:5], "second") for row in rows]
    path = table(rows, columns=("document", "annotator", "start", "end", "label", "layer"))
    every = read_all_layers(path).interpretation
    assert every is not None
    assert every.warnings == ()
    assert warnings(path, layer="first") == {}
    assert [*warnings(path, layer=("first", "second"))] == ["copies"]


def test_questions_do_not_depend_on_the_order_of_rows():
    rows = rows_of(recordings(26, annotators=("ann", "ben", "gold")))
    rows += rows[:20]
    path = table(rows, "a.csv")
    random.Random(1).shuffle(rows)
    assert warnings(path) == warnings(table(rows, "b.csv"))
