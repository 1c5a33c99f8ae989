import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.errors import ReadError, SettingError, UnisonoError
from unisono.formats.read import read_ratings
from unisono.model.ratings import Ratings

TABLE = Ratings.from_columns(
    ["ann", "bob", "ann", "bob"], ["s1", "s1", "s2", "s2"], ["pos", "neg", "pos", "pos"]
)


@pytest.fixture
def write(tmp_path):
    def written(name, *records, whole=False):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        text = json.dumps(list(records)) if whole else "\n".join(map(json.dumps, records))
        path.write_text(text, encoding="utf-8")
        return path

    return written


def same(found, other):
    return found == other and tuple(map(str, found.items)) == tuple(map(str, other.items))


def task(number, *answers, **more):
    return {"id": number, "data": {"text": "a text"}, "annotations": list(answers), **more}


def answer(by, *values, **more):
    return {"completed_by": by, "result": list(values), **more}


def choice(*choices, name="tone"):
    return {"from_name": name, "type": "choices", "value": {"choices": list(choices)}}


def test_json_lines_hold_one_rating_each(write):
    rows = [
        {"annotator": a, "item": i, "label": label}
        for a, i, label in (
            ("ann", "s1", "pos"),
            ("bob", "s1", "neg"),
            ("ann", "s2", "pos"),
            ("bob", "s2", "pos"),
        )
    ]
    assert same(read_ratings(write("ratings.jsonl", *rows)), TABLE)
    assert same(read_ratings(write("ratings.json", *rows, whole=True)), TABLE)


def test_keys_have_their_usual_names_or_those_given(write):
    path = write("r.jsonl", {"rater": "ann", "question": 7, "score": 3, "mood": 1})
    assert read_ratings(path).labels == (3,)
    assert read_ratings(path, label="mood").labels == (1,)


def test_a_file_is_the_annotator_where_no_key_is(write):
    write("people/ann.jsonl", {"item": "s1", "label": "pos"}, {"item": "s2", "label": "pos"})
    path = write("people/bob.jsonl", {"item": "s1", "label": "neg"}, {"item": "s2", "label": "pos"})
    assert same(read_ratings(path.parent), TABLE)


def test_json_knows_texts_from_numbers_and_what_is_missing(write):
    path = write(
        "r.jsonl",
        {"annotator": "ann", "item": 1, "label": "1"},
        {"annotator": "bob", "item": 1, "label": 1},
        {"annotator": "cy", "item": 1, "label": None},
        {"annotator": "dee", "item": 1, "label": "NA"},
    )
    ratings = read_ratings(path, na_values="NA")
    assert ratings.labels == (1, "1")
    assert ratings.annotators == ("ann", "bob", "cy", "dee")
    assert ratings.n_ratings == 2


def test_a_list_is_a_set_of_labels(write):
    path = write(
        "r.jsonl",
        {"annotator": "ann", "item": 1, "label": ["a", "b"]},
        {"annotator": "bob", "item": 1, "label": ["b"]},
    )
    assert set(read_ratings(path).labels) == {frozenset("ab"), frozenset("b")}


def test_label_studio_choices_of_tasks_are_ratings(write):
    path = write(
        "export.json",
        task("s1", answer({"email": "ann"}, choice("pos")), answer("bob", choice("neg"))),
        task("s2", answer("ann", choice("pos")), answer("bob", choice("pos"))),
        whole=True,
    )
    assert same(read_ratings(path), TABLE)


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ({"rating": 4}, 4),
        ({"number": 2.5}, 2.5),
        ({"taxonomy": [["animal", "cat"]]}, "animal/cat"),
        ({"choices": ["a", "b"]}, frozenset("ab")),
        ({"selected": "left"}, "left"),
    ],
)
def test_label_studio_has_several_kinds_of_answers(write, value, label):
    kind = next(iter(value))
    part = {"from_name": "q", "type": "pairwise" if kind == "selected" else kind, "value": value}
    path = write("export.json", task(1, answer("ann", part), answer("bob", part)), whole=True)
    assert read_ratings(path).labels == (label,)


def test_one_of_several_questions_is_chosen_by_layer(write):
    parts = [choice("pos"), choice("yes", name="spam")]
    path = write("export.json", task(1, answer("ann", *parts), answer("bob", *parts)), whole=True)
    with pytest.raises(ReadError, match=r"2 questions: 'spam' \(2 ratings\), 'tone' \(2 ratings\)"):
        read_ratings(path)
    assert read_ratings(path, layer="spam").labels == ("yes",)
    with pytest.raises(ReadError, match="no ratings for layer='mood'"):
        read_ratings(path, layer="mood")


def test_what_is_left_out_is_reported(write):
    region = {"from_name": "ner", "type": "labels", "value": {"start": 0, "end": 1, "labels": []}}
    path = write(
        "export.json",
        task(1, answer("ann", choice("pos"), region), answer("bob", was_cancelled=True)),
        whole=True,
    )
    with pytest.warns(UserWarning, match="left out") as told:
        read_ratings(path)
    messages = sorted(str(each.message) for each in told)
    assert [message.partition(" (")[0] for message in messages] == [
        "left out: cancelled annotations",
        "left out: regions, and answers about them",
    ]


def test_the_shorter_form_needs_to_know_which_key_is_the_answer(write):
    path = write(
        "min.json",
        *(
            {"id": item, "text": "a text", "annotator": who, "annotation_id": n, "tone": tone}
            for n, (item, who, tone) in enumerate(
                [
                    ("s1", "ann", {"choices": ["pos"]}),
                    ("s1", "bob", "neg"),
                    ("s2", "ann", "pos"),
                    ("s2", "bob", "pos"),
                ]
            )
        ),
        whole=True,
    )
    assert same(read_ratings(path, label="tone"), TABLE)
    with pytest.raises(ReadError, match="choose the label with label="):
        read_ratings(path)


def test_doccano_has_a_file_for_each_annotator(write):
    write("users/ann.jsonl", *({"id": i, "text": "t", "label": ["pos"]} for i in ("s1", "s2")))
    path = write(
        "users/bob.jsonl",
        {"id": "s1", "text": "t", "label": ["neg"]},
        {"id": "s2", "text": "t", "label": ["pos"]},
    )
    assert same(read_ratings(path.parent), TABLE)


def test_labels_are_sets_if_any_answer_has_two(write):
    write("users/ann.jsonl", {"id": 1, "text": "t", "label": ["a"]})
    path = write("users/bob.jsonl", {"id": 1, "text": "t", "label": ["a", "b"]})
    assert set(read_ratings(path.parent).labels) == {frozenset("a"), frozenset("ab")}


def test_prodigy_options_are_labels_and_ignored_is_missing(write):
    path = write(
        "prodigy.jsonl",
        {"_input_hash": 1, "_annotator_id": "ann", "options": [], "accept": ["pos"]},
        {"_input_hash": 1, "_annotator_id": "bob", "options": [], "accept": ["neg"]},
        {"_input_hash": 2, "_annotator_id": "ann", "accept": ["pos"], "answer": "ignore"},
    )
    ratings = read_ratings(path)
    assert ratings.labels == ("neg", "pos")
    assert ratings.n_ratings == 2


def test_who_accepts_no_option_among_several_chose_the_empty_set(write):
    rows = [("ann", ["a", "b"]), ("bob", []), ("cy", ["a"])]
    several = write(
        "p.jsonl", *({"_input_hash": 1, "_annotator_id": w, "accept": a} for w, a in rows)
    )
    assert set(read_ratings(several).labels) == {frozenset("ab"), frozenset(), frozenset("a")}
    single = write(
        "q.jsonl", *({"_input_hash": 1, "_annotator_id": w, "accept": a[:1]} for w, a in rows)
    )
    assert read_ratings(single).n_ratings == 2


def test_prodigy_suggestions_are_accepted_or_rejected(write):
    path = write(
        "prodigy.jsonl",
        {"_input_hash": 1, "_session_id": "ann", "label": "SPAM", "answer": "accept"},
        {"_input_hash": 1, "_session_id": "bob", "label": "SPAM", "answer": "reject"},
    )
    assert read_ratings(path).labels == ("accept", "reject")


def test_an_item_rated_twice_is_refused_with_its_lines(write):
    row = {"annotator": "ann", "item": "s1", "label": "a"}
    path = write("r.jsonl", row, row)
    with pytest.raises(ReadError, match=r"r\.jsonl:2: 'ann' rated the item 's1' twice"):
        read_ratings(path)
    assert read_ratings(path, duplicates="first").n_ratings == 1


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"delimiter": ";"}, "delimiter= applies to tables, not to JSON"),
        ({"wide": True}, "wide=True applies to tables, not to JSON"),
        ({"annotator": 2}, "a key of a JSON object must be a name"),
        ({"format": "xml"}, "unknown format='xml'"),
    ],
)
def test_settings_of_tables_are_refused(write, settings, told):
    path = write("r.jsonl", {"annotator": "ann", "item": 1, "label": 1})
    with pytest.raises(SettingError, match=told):
        read_ratings(path, **settings)


def test_a_table_has_no_layers(tmp_path):
    path = Path(tmp_path, "r.csv")
    path.write_text("annotator,item,label\nann,1,a\n")
    with pytest.raises(SettingError, match="remove layer='x'"):
        read_ratings(path, layer="x")


KEYS = (
    *("annotator", "item", "label", "annotations", "data", "id", "result", "value", "type"),
    *("completed_by", "choices", "accept", "answer", "_input_hash", "text", "options"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.filterwarnings("ignore:left out")
@given(
    records=st.lists(JSON, max_size=4),
    whole=st.booleans(),
    format_=st.sampled_from(["auto", "labelstudio", "prodigy", "jsonl", "doccano"]),
)
def test_any_json_gives_ratings_or_a_sentence(tmp_path_factory, records, whole, format_):
    path = tmp_path_factory.mktemp("any") / "any.json"
    path.write_text(json.dumps(records) if whole else "\n".join(map(json.dumps, records)))
    with suppress(UnisonoError):
        assert isinstance(read_ratings(path, format=format_), Ratings)


def test_the_shorter_form_has_no_key_where_nothing_was_answered(write):
    about = {"annotation_id": 5, "text": "x"}
    good, bad = {**about, "annotator": 1, "tone": "good"}, {**about, "annotator": 2, "tone": "bad"}
    silent = {**about, "annotator": 2, "id": 1}
    path = write("x.json", {**good, "id": 1}, silent, {**bad, "id": 2}, whole=True)
    expected = Ratings.from_columns(["1", "2", "2"], ["1", "1", "2"], ["good", None, "bad"])
    assert same(read_ratings(path, label="tone"), expected)


def test_the_shorter_form_has_stars_in_a_list(write):
    stars = [
        {"id": 1, "annotator": n, "stars": [{"rating": n}], "annotation_id": n} for n in (3, 4)
    ]
    assert read_ratings(write("x.json", *stars, whole=True), label="stars").labels == (3, 4)


def test_older_doccano_names_the_annotator_of_a_label(write):
    given = [{"label": 2, "user": 1}, {"label": 3, "user": 1}, {"label": 3, "user": 2}]
    found = read_ratings(write("x.jsonl", {"id": 1, "text": "x", "annotations": given}))
    assert found.annotators == ("1", "2")
    assert set(found.labels) == {frozenset({2, 3}), frozenset({3})}


def test_a_file_that_is_not_read_is_reported(write):
    for name in ("ann", "bob"):
        write(f"all/{name}.jsonl", {"item": "1", "label": "a"})
    path = write("all/cy.jsonl", {"what": 1})
    with pytest.warns(UserWarning, match=r"left out: files in a folder .*cy\.jsonl"):
        assert read_ratings(path.parent).annotators == ("ann", "bob")


def test_answers_of_a_task_are_counted_from_one(write):
    path = write("x.json", task(1, answer(1, choice("a")), answer(1, choice("b"))), whole=True)
    with pytest.raises(ReadError, match="'a' in rating 1 and 'b' in rating 2"):
        read_ratings(path)
