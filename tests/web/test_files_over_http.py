"""Reports, pictures and files for other tools are those the library makes."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

import unisono as un

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_report_is_the_librarys_in_all_its_forms(client):
    pytest.importorskip("vl_convert")
    settings: dict[str, Any] = {"draws": 30, "gains": False, "title": "Asides"}
    job = client.submit("report", "example:interview", settings={**settings, "seed": 3}, wait=60)
    job = client.job(job, wait=60)
    assert (job.state, job.problem) == ("done", None)
    names = ["result.json", "report.html", "report.md", "report.tex"]
    assert list(job.files) == names

    corpus = un.read(EXAMPLES / "interview.csv")
    wanted = un.report(corpus, charts=False, rng=3, **settings)
    assert client.result(job)["gamma"] == json.loads(json.dumps(wanted.gamma.to_dict()))
    for name in ("report.md", "report.tex"):
        assert f"{wanted.gamma.value:.2f}" in client.file(job, name).decode()
    page = client.file(job, "report.html").decode()
    assert f"{wanted.gamma.value:.2f}" in page
    # What draws them asks for much room and must not die of the limit of memory.
    assert page.count("<svg") > 3


@pytest.mark.parametrize(
    "kind", ["continuum", "alignment", "labels", "draws", "annotators", "parts", "confusion"]
)
def test_every_chart_is_made_of_plain_data(client, kind):
    pytest.importorskip("altair")
    settings: dict[str, Any] = {"kind": kind, "theme": "dark", "draws": 30, "seed": 1}
    spec = client.measure("chart", "example:interview", settings=settings)

    assert "vega-lite" in spec["$schema"]
    assert '"url"' not in json.dumps(spec)


def test_the_interval_over_documents_is_the_librarys(client):
    settings: dict[str, Any] = {"draws": 30, "seed": 1, "resamples": 200}
    found = client.measure("gamma", "example:corpus", settings=settings)
    wanted = un.gamma(un.read(EXAMPLES / "corpus"), draws=30, rng=1, resamples=200)

    assert wanted.interval is not None
    assert found["interval"] == json.loads(json.dumps(wanted.interval.to_dict()))


def test_a_consensus_comes_in_the_formats_of_tools(client, tmp_path):
    job = client.submit("consensus", "example:interview", wait=60)
    names = list(job.files)
    assert names[3:] == [f"consensus.{each}" for each in ("jsonl", "json", "TextGrid", "eaf")]
    wanted = un.consensus(un.read(EXAMPLES / "interview.csv")).corpus["interview"]
    path = tmp_path / "consensus.jsonl"
    path.write_bytes(client.file(job, path.name))

    assert un.read(path)["interview"] == wanted


def test_a_consensus_of_several_documents_comes_as_an_archive_where_a_tool_wants_files(client):
    job = client.submit("consensus", "example:corpus", wait=60)
    names = list(job.files)
    assert "consensus-brat.zip" in names
    archive = zipfile.ZipFile(io.BytesIO(client.file(job, "consensus-brat.zip")))

    assert sum(name.endswith(".ann") for name in archive.namelist()) == 4


def test_ratings_of_tools_are_read(client):
    def task(number: int, *labels: str) -> dict[str, Any]:
        made = [
            {
                "completed_by": who,
                "result": [
                    {"from_name": name, "type": "choices", "value": {"choices": [label]}}
                    for name in ("tone", "topic")
                ],
            }
            for who, label in enumerate(labels)
        ]
        return {"id": number, "data": {"text": "…"}, "annotations": made}

    tasks = [task(1, "a", "a"), task(2, "a", "b"), task(3, "b", "b")]
    data = client.upload_contents({"export.json": json.dumps(tasks).encode()})
    reading = {"format": "labelstudio", "layer": "tone"}
    settings = {"reading": reading, "measures": ["percent_agreement"]}
    found = client.measure("items", data, settings=settings)

    assert found["measures"]["percent_agreement"]["value"] == pytest.approx(2 / 3)
