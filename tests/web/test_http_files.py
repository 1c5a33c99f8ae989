"""Reports, charts and files for other tools equal those of the library."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import unisono as un
from unisono.results.record import without_data

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_report_equals_the_library_in_all_formats(client):
    pytest.importorskip("vl_convert")
    settings: dict[str, Any] = {"draws": 30, "gains": False, "title": "Asides"}
    job = client.submit("report", "example:interview", settings={**settings, "seed": 3}, wait=60)
    job = client.job(job, wait=60)
    assert (job.state, job.problem) == ("done", None)
    names = ["result.json", "report.html", "report.md", "report.tex"]
    assert list(job.files) == names

    corpus = un.read(EXAMPLES / "interview.csv")
    expected = un.report(corpus, charts=False, rng=3, **settings)
    assert client.result(job)["gamma"] == json.loads(
        json.dumps(without_data(expected.gamma.to_dict()))
    )
    for name in ("report.md", "report.tex"):
        assert f"{expected.gamma.value:.2f}" in client.file(job, name).decode()
    page = client.file(job, "report.html").decode()
    assert f"{expected.gamma.value:.2f}" in page
    # The plotting library reserves much memory and must not exceed the limit.
    assert page.count("<svg") > 3


@pytest.mark.parametrize(
    "kind", ["continuum", "alignment", "labels", "draws", "annotators", "parts", "confusion"]
)
def test_charts_are_plain_data(client, kind):
    pytest.importorskip("altair")
    settings: dict[str, Any] = {"kind": kind, "theme": "dark", "draws": 30, "seed": 1}
    spec = client.measure("chart", "example:interview", settings=settings)

    assert "vega-lite" in spec["$schema"]
    assert '"url"' not in json.dumps(spec)


def test_corpus_and_its_notes_equal_the_library(client):
    settings: dict[str, Any] = {"draws": 30, "seed": 1}
    found = client.measure("gamma", "example:corpus", settings=settings)
    expected = un.gamma(un.read(EXAMPLES / "corpus"), draws=30, rng=1)

    assert expected.notes
    assert (found["interval"], found["notes"]) == (None, list(expected.notes))


def test_consensus_in_formats_of_tools(client, tmp_path):
    job = client.submit("consensus", "example:interview", wait=60)
    names = list(job.files)
    assert names[3:] == [f"consensus.{each}" for each in ("jsonl", "json", "TextGrid", "eaf")]
    expected = un.consensus(un.read(EXAMPLES / "interview.csv")).corpus["interview"]
    path = tmp_path / "consensus.jsonl"
    path.write_bytes(client.file(job, path.name))

    assert un.read(path)["interview"] == expected


def test_consensus_of_several_documents_is_archived(client):
    job = client.submit("consensus", "example:corpus", wait=60)
    names = list(job.files)
    assert "consensus-brat.zip" in names
    archive = zipfile.ZipFile(io.BytesIO(client.file(job, "consensus-brat.zip")))

    assert sum(name.endswith(".ann") for name in archive.namelist()) == 4


def test_exports_of_ratings_are_read(client):
    def task(number: int, *labels: str) -> dict[str, Any]:
        created = [
            {
                "completed_by": who,
                "result": [
                    {"from_name": name, "type": "choices", "value": {"choices": [label]}}
                    for name in ("tone", "topic")
                ],
            }
            for who, label in enumerate(labels)
        ]
        return {"id": number, "data": {"text": "…"}, "annotations": created}

    tasks = [task(1, "a", "a"), task(2, "a", "b"), task(3, "b", "b")]
    data = client.upload_contents({"export.json": json.dumps(tasks).encode()})
    reading = {"format": "labelstudio", "layer": "tone"}
    settings = {"reading": reading, "measures": ["percent_agreement"]}
    found = client.measure("items", data, settings=settings)

    assert found["measures"]["percent_agreement"]["value"] == pytest.approx(2 / 3)


def test_clusters_of_items(client, tmp_path):
    rows = ["annotator,item,label,text"]
    for number in range(48):
        label = "ab"[number % 2]
        other = "ab"[(number + (number % 7 == 0)) % 2]
        rows += [f"ann,i{number},{label},t{number // 4}", f"bob,i{number},{other},t{number // 4}"]
    content = "\n".join(rows).encode()
    data = client.upload_contents({"clustered.csv": content})
    settings = {"measures": ["alpha"], "clusters": "text", "confidence": 0.9}
    found = client.measure("items", data, settings=settings)
    (tmp_path / "clustered.csv").write_bytes(content)
    clusters = {f"i{number}": f"t{number // 4}" for number in range(48)}
    expected = un.krippendorff_alpha(
        un.read_ratings(tmp_path / "clustered.csv"), clusters=clusters, confidence=0.9
    )

    assert expected.interval is not None
    assert found["measures"]["krippendorff_alpha"] == without_data(expected.to_dict())
