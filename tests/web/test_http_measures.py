"""Responses of the service equal the results of the library."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import unisono as un
from unisono.errors import worded
from unisono.results.record import without_data
from unisono.web import uploads
from unisono.web.problems import ProblemError
from unisono.web.task import setting_in_json

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHIPPED = Path(uploads.__file__).parent / "examples"


def as_json(result):
    """Return a result after a round trip through JSON."""
    return json.loads(result.to_json())


def as_keywords(settings):
    """Return settings of a request as keywords of Python."""
    return {"rng" if key == "seed" else key: value for key, value in settings.items()}


def test_gamma_equals_the_library(client):
    data = client.upload(EXAMPLES / "interview.csv")
    settings: dict[str, Any] = {"seed": 7, "dissimilarity": {"position": 3.0}, "precision": 0.05}
    found = client.measure("gamma", data, settings=settings)
    corpus = un.read(EXAMPLES / "interview.csv")
    expected = un.gamma(
        corpus, rng=7, dissimilarity=un.CombinedDissimilarity(position=3), precision=0.05
    )

    assert found == as_json(expected)


@pytest.mark.parametrize("settings", [{}, {"seed": None}, {"seed": 0}])
def test_default_seed_is_0(client, settings):
    found = client.measure("gamma", "example:interview", settings={"draws": 30, **settings})

    assert found == as_json(un.gamma(un.read(EXAMPLES / "interview.csv"), draws=30, rng=0))


def test_random_seed_is_reproducible(client):
    first, second = (
        client.measure("gamma", "example:interview", settings={"draws": 30, "seed": "random"})
        for _ in range(2)
    )
    seeds = [int(un.results.Signature.parse(each["signature"])["seed"]) for each in (first, second)]
    again = client.measure("gamma", "example:interview", settings={"draws": 30, "seed": seeds[0]})

    assert seeds[0] != seeds[1]
    assert again == first


def test_seed_of_resamples(client):
    request = {"measures": ["fleiss_kappa"], "resamples": 50}
    found = [
        client.measure("items", "example:politeness", settings={**request, **seed})["measures"][
            "fleiss_kappa"
        ]
        for seed in ({}, {"seed": 0}, {"seed": "random"})
    ]

    assert found[0] == found[1]
    assert "|seed:0|" in found[0]["signature"]
    assert "|seed:0|" not in found[2]["signature"]


def test_invalid_seeds_are_rejected(client):
    with pytest.raises(un.UnisonoError, match="random"):
        client.measure("gamma", "example:interview", settings={"seed": "often"})


def test_example_of_the_benchmark(client):
    found = client.measure("gamma", "example:parts_of_speech", settings={"seed": 1})

    assert (found["n_annotators"], found["n_units"]) == (3, 372)
    assert found == as_json(un.gamma(un.read(SHIPPED / "parts_of_speech.csv"), rng=1))


def test_items_equal_the_library(client):
    settings: dict[str, Any] = {
        "distance": "ordinal",
        "resamples": 200,
        "seed": 3,
        "measures": ["alpha"],
    }
    found = client.measure("items", "example:politeness", settings=settings)
    ratings = un.read_ratings(EXAMPLES / "politeness.csv")
    expected = un.bootstrap(ratings, "krippendorff_alpha", resamples=200, rng=3, distance="ordinal")

    assert found["measures"]["krippendorff_alpha"] == without_data(expected.to_dict())


def test_unitizing_equals_the_library(client):
    settings: dict[str, Any] = {"overlap": "split"}
    found = client.measure("unitizing", "example:interview", settings=settings)
    corpus = un.read(EXAMPLES / "interview.csv")
    expected = un.unitizing_alpha(corpus, overlap="split", by_label=True, by_document=True)

    assert found == as_json(expected)


def test_segments_equal_the_library(client):
    found = client.measure("segments", "example:paragraphs", settings={"near": 3})
    corpus = un.read(EXAMPLES / "paragraphs.csv")

    expected = un.measure_segments(corpus, measures=["boundary_similarity", "pk"], near=3)
    for name, each in expected.items():
        assert found["measures"][name] == without_data(each.to_dict())


def test_units_equal_the_library(client):
    settings: dict[str, Any] = {"overlap": "split", "seed": 2, "draws": 50}
    found = client.measure("units", "example:interview", settings=settings)
    corpus = un.read(EXAMPLES / "interview.csv")
    with worded(setting_in_json):
        expected = un.measure_units(corpus, **as_keywords(settings))

    assert found == as_json(expected)


def test_comparison_equals_the_library(client):
    sides = {"reference": "example:meeting_gold", "hypothesis": "example:meeting_system"}
    settings: dict[str, Any] = {"mapping": {"s1": "ada"}, "tolerance": 0.25, "seed": 1, "draws": 40}
    found = client.measure("compare", **sides, settings=settings)
    gold, system = (un.read(EXAMPLES / f"meeting_{name}.csv") for name in ("gold", "system"))

    assert found == as_json(un.compare(gold, system, **as_keywords(settings)))


def test_comparison_within_one_file_equals_the_library(client):
    settings: dict[str, Any] = {
        "reference": ["ines", "mika"],
        "hypothesis": "jonas",
        "with_gamma": False,
    }
    found = client.measure("compare", within="example:interview", settings=settings)
    corpus = un.read(EXAMPLES / "interview.csv")
    expected = un.compare(["ines", "mika"], "jonas", within=corpus, with_gamma=False)

    assert found == as_json(expected)


def test_chains_equal_the_library(client):
    settings: dict[str, Any] = {"measures": ["muc", "alpha"], "unshared": "singletons"}
    found = client.measure("chains", "example:coreference", settings=settings)
    expected = un.measure_chains(un.read_chains(EXAMPLES / "coreference"), **settings)

    assert found == as_json(expected)
    assert found["measures"]["muc"]["by_policy"]["left-out"] > found["measures"]["muc"]["value"]


def test_chains_of_a_table_are_read_with_its_columns(client):
    rows = b"who,doc,from,to,person\nann,d,0,1,x\nann,d,2,3,x\nbob,d,0,1,1\nbob,d,2,3,1\n"
    reading = {"annotator": "who", "document": "doc", "start": "from", "end": "to"}
    settings: dict[str, Any] = {"measures": ["lea"], "reading": {**reading, "chain": "person"}}
    data = client.upload_contents({"people.csv": rows})

    assert client.measure("chains", data, settings=settings)["measures"]["lea"]["value"] == 1.0
    job = client.submit("chains", data, settings={"reading": reading}, wait=30)
    assert 'set "chain": …' in job.problem.record["detail"]


def test_pyramids_equal_the_library(client):
    pyramids = un.read_pyramids(EXAMPLES / "pyramids.csv")

    found = client.measure("pyramids", "example:pyramids")
    assert found == as_json(un.measure_pyramids(pyramids))
    found = client.measure("pyramids", "example:pyramids", settings={"unshared": "left-out"})
    assert found == as_json(un.measure_pyramids(pyramids, unshared="left-out"))


def test_reliability_equals_the_library_and_has_a_picture(client):
    settings: dict[str, Any] = {"permutations": 99, "resamples": 50, "seed": 3}
    columns = {"agreement": "gamma", "outcome": "f1"}
    job = client.submit("reliability", "example:reliability", settings=columns | settings, wait=30)
    with (EXAMPLES / "reliability.csv").open(encoding="utf-8") as file:
        cases = [(float(row["gamma"]), float(row["f1"])) for row in csv.DictReader(file)]
    expected = un.reliability_study(*zip(*cases, strict=True), **as_keywords(settings))

    assert client.result(job) == as_json(expected)
    assert client.file(job, "reliability.svg").startswith(b"<svg")


def test_reliability_names_the_columns_that_it_needs(client):
    job = client.submit("reliability", "example:reliability", wait=30)

    assert job.problem.record["detail"] == (
        "reliability.csv:1: no column is called 'agreement'; set \"agreement\": …; the columns are "
        "'document', 'topic', 'gamma', 'f1'"
    )


def test_consensus_equals_the_library(client, tmp_path):
    job = client.submit("consensus", "example:interview", settings={"support": 0.6}, wait=30)
    expected = un.consensus(un.read(EXAMPLES / "interview.csv"), support=0.6)
    again = tmp_path / "consensus.csv"
    again.write_bytes(client.file(job, "consensus.csv"))

    assert client.result(job) == as_json(expected)
    assert un.read(again)["interview"].starts.tolist() == [unit.start for unit in expected.units]


def test_calibration_equals_the_library(client):
    settings: dict[str, Any] = {"errors": ["false_negative"], "repeats": 5, "seed": 1, "draws": 5}
    found = client.measure("calibrate", "example:interview", settings=settings)
    corpus = un.read(EXAMPLES / "interview.csv")

    assert found == as_json(un.calibrate(corpus, **as_keywords(settings)))


def test_description_equals_the_library(client):
    found = client.measure("describe", "example:corpus")

    assert found == as_json(un.describe(un.read(EXAMPLES / "corpus")))


@pytest.mark.parametrize("example", uploads.EXAMPLES, ids=lambda example: example.name)
def test_examples_run_with_their_measures(client, example):
    record = example.to_dict()
    job = client.submit(example.measures[0], **record["request"], wait=30)

    assert (job.state, job.problem) == ("done", None)
    assert client.shown(job)["tables"]


@pytest.mark.parametrize(
    "path",
    sorted(path for pattern in ("*.csv", "*.conll") for path in EXAMPLES.rglob(pattern)),
    ids=lambda path: path.name,
)
def test_shipped_examples_equal_those_of_the_documentation(path):
    assert (SHIPPED / path.relative_to(EXAMPLES)).read_bytes() == path.read_bytes()


def test_folders_name_annotators(client):
    rows = "start,end,label\n0,5,A\n"
    files = {f"project/{who}/talk.csv": rows.encode() for who in ("ann", "bob")}
    data = client.upload_contents(files)
    settings: dict[str, Any] = {"reading": {"annotator": "folder"}}
    found = client.measure("describe", data, settings=settings)

    assert sorted(found["by_annotator"]) == ["ann", "bob"]
    assert found["n_units"] == 2


def test_invalid_rows_are_reported_as_on_the_command_line(client, tmp_path):
    path = tmp_path / "turns.csv"
    path.write_bytes(b"annotator,start,end\nann,x,5\n")
    job = client.submit("gamma", client.upload(path), wait=30)
    with pytest.raises(un.ReadError) as error:
        un.read(path)

    assert job.state == "failed"
    assert job.problem.record["detail"] == f"turns.csv:2: {error.value.problem}"
    assert (job.problem.record["file"], job.problem.record["line"]) == ("turns.csv", 2)
    with pytest.raises(ProblemError, match=r"turns\.csv:2"):
        client.result(job)


def test_messages_name_settings_as_in_json(client):
    data = client.upload_contents({"turns.csv": b"who,begin,finish,what\na,0,1,b\n"})
    job = client.submit("gamma", data, wait=30)

    assert 'set "annotator": …' in job.problem.record["detail"]


def test_drawing_has_groups_sorted_by_disorder(client):
    job = client.submit("gamma", "example:interview", settings={"seed": 1}, wait=30)
    (listed,) = client.documents(job)
    drawing = client.document(job, 0)
    alignment = un.best_alignment(un.read(EXAMPLES / "interview.csv")["interview"])

    assert (listed["name"], listed["n_units"], listed["n_groups"]) == ("interview", 44, 16)
    assert [group["disorder"] for group in drawing["groups"]] == alignment.group_disorders.tolist()
    assert drawing["worst"][0] == alignment.group_disorders.argmax()
    units = drawing["units"]
    for group, shown in zip(alignment.groups, drawing["groups"], strict=True):
        for unit, row in zip(group, shown["units"], strict=True):
            if unit is None:
                assert row is None
                continue
            who = drawing["annotators"][units["annotator"][row]]
            label = drawing["labels"][units["label"][row]]
            expected = (unit.annotator, unit.start, unit.end, unit.label)
            assert (who, units["start"][row], units["end"][row], label) == expected


def test_drawing_has_the_text_of_units(client):
    annotations = b"T1\tName 0 3\tAda\nT2\tName 10 13\tBen\n"
    files = {}
    for who in ("ann", "bob"):
        files[f"{who}/talk.ann"] = annotations
        files[f"{who}/talk.txt"] = b"Ada asked Ben.\n"
    job = client.submit("gamma", client.upload_contents(files), settings={"seed": 1}, wait=30)

    assert client.document(job, 0)["texts"] == ["Ada", "Ben", "Ada", "Ben"]


def test_drawing_of_a_comparison_has_slots(client):
    sides = {"reference": "example:meeting_gold", "hypothesis": "example:meeting_system"}
    job = client.submit("compare", **sides, settings={"with_gamma": False}, wait=30)
    drawing = client.document(job, 0)
    result = client.result(job)
    kinds = [slot["kind"] for slot in drawing["slots"]]

    assert kinds.count("both") == result["slots"]["counts"]["both"]
    assert drawing["annotators"] == ["gold", "system"]
    for slot in drawing["slots"]:
        if slot["reference"] is not None:
            assert drawing["units"]["annotator"][slot["reference"]] == 0
        if slot["hypothesis"] is not None:
            assert drawing["units"]["annotator"][slot["hypothesis"]] == 1


def test_downloads_equal_the_files_of_the_command_line(client, tmp_path):
    job = client.submit("gamma", "example:interview", settings={"seed": 1}, wait=30)
    rows = list(csv.DictReader(io.StringIO(client.file(job, "documents.csv").decode())))
    units = tmp_path / "units.csv"
    units.write_bytes(client.file(job, "units.csv"))

    assert float(rows[0]["value"]) == client.result(job)["value"]
    (read,) = un.read(units).values()
    assert read == un.read(EXAMPLES / "interview.csv")["interview"]


def test_numbers_are_formatted_as_on_the_command_line(client):
    job = client.submit("gamma", "example:interview", settings={"seed": 1}, wait=30)
    view = client.shown(job)
    value = client.result(job)["value"]

    assert view["tables"][0]["cells"][0][:2] == ["γ", f"{value:.3f}"]
    assert view["tables"][0]["values"][0][1] == value
    assert (view["headline"][0]["value"], view["headline"][0]["text"]) == (value, f"{value:.3f}")
