"""Options of long commands: cluster, checkpoint and handling of failures."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from typing import Any

import pytest

from dask_cluster import dask_executor

CROWD = "annotator,label,start,end\n" + "".join(f"a{i},NP,0,5\n" for i in range(151))


@pytest.fixture
def with_a_crowd(talks):
    (talks / "crowd.csv").write_text(CROWD, encoding="utf-8")
    return talks


@pytest.mark.parametrize("place", ["processes", "an address"])
def test_cluster_gives_the_same_output(run, talks, place):
    here = run("gamma", talks, "--seed", "1", "--draws", "12", "--json")
    with ExitStack() as stack:
        if place != "processes":
            executor: Any = stack.enter_context(dask_executor(1))
            place = executor._client.scheduler.address
        there = run("gamma", talks, "--seed", "1", "--draws", "12", "--json", "--cluster", place)

    assert there == here
    assert here.code == 0


@pytest.mark.parametrize(
    "command",
    [
        "diagnose {} --draws 12 --seed 1",
        "units {} --draws 12 --seed 1",
        "advise {} --draws 12 --seed 1",
        "report {} --draws 12 --seed 1 --to json",
        "curves --units 8 --magnitudes 2 --repeats 2 --seed 1 --measures gamma,cu_alpha",
        "calibrate {} --errors position --magnitudes 0.2,0.5 --repeats 5 --seed 1",
    ],
)
def test_other_commands_accept_a_cluster(run, talk, command):
    words = command.format(talk).split()
    assert run(*words, "--cluster", "processes", "--workers", "1") == run(*words)


def test_checkpoint_resumes_with_the_same_output(run, talks, tmp_path):
    words = ("gamma", talks, "--draws", "12", "--checkpoint", tmp_path / "kept")
    first = run(*words)
    assert (tmp_path / "kept").is_dir()
    # The checkpoint contains the seed.
    assert run(*words) == first
    other = run(*words, "--seed", "1")
    assert other.code == 2
    assert "is the checkpoint of another computation (seed" in other.err


def test_invalid_checkpoint_folder_is_reported(run, talk, tmp_path):
    (tmp_path / "file").write_text("a file")
    outcome = run("gamma", talk, "--checkpoint", tmp_path / "file")

    assert outcome.code == 1
    assert "cannot create the checkpoint folder" in outcome.err


def test_failed_document_is_an_error(run, with_a_crowd):
    outcome = run("gamma", with_a_crowd, "--draws", "12")

    assert (outcome.code, outcome.out) == (1, "")
    assert "document 'crowd': a document can have up to 150 annotators, got" in outcome.err


def test_keep_going_measures_other_documents(run, with_a_crowd):
    outcome = run("gamma", with_a_crowd, "--draws", "12", "--seed", "1", "--keep-going")

    assert outcome.code == 3
    assert "unisono: 1 document failed: crowd" in outcome.err
    assert "alike" in outcome.out
    assert "1 of 4 documents failed and is left out: crowd" in " ".join(outcome.out.split())
    record = run("gamma", with_a_crowd, "--draws", "12", "--keep-going", "--json").record
    assert list(record["failed_documents"]) == ["crowd"]


@pytest.mark.parametrize("place", ["moon", "local", "tcp//here"])
def test_unknown_cluster_is_a_usage_error(run, talk, place):
    outcome = run("gamma", talk, "--cluster", place)

    assert outcome.code == 2
    assert f"unknown executor '{place}'" in outcome.err


def test_unreachable_cluster_is_reported(run, talk, monkeypatch):
    monkeypatch.setattr("unisono.parallel.executors._SCHEDULER_TIMEOUT", 1)
    outcome = run("gamma", talk, "--cluster", "tcp://127.0.0.1:9")

    assert outcome.code == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in outcome.err


def test_unresponsive_cluster_times_out(run, talk, monkeypatch):
    monkeypatch.setattr("unisono.parallel.executors._SCHEDULER_TIMEOUT", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        outcome = run("gamma", talk, "--cluster", address)

    assert outcome.code == 1
    assert outcome.err.startswith(f"unisono: no Dask scheduler answers at {address}")
    assert outcome.out == ""
