"""`unisono serve` says what it needs, and starts nothing it should not."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], "--port is a number from 0 to 65535, got 70000"),
        (["--host", "no.such.host.invalid"], "there is no address no.such.host.invalid port 8000"),
        (["--token", "short"], "a token has 16 characters or more, got 5"),
        (["--max-files", "0"], "the limit files is a number of 1 or more, got 0"),
        (["--max-memory", "10", "--processes", "1"], "1 worker processes need 256 MB at least"),
    ],
)
def test_what_cannot_be_used_is_told(run, options, said):
    outcome = run("serve", *options)

    assert outcome.code == 2
    assert said in outcome.err


def test_a_port_that_is_in_use_is_told(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = run("serve", "--port", port)

    assert outcome.code == 2
    assert f"port {port} is in use; choose another with --port, or 0" in outcome.err


def test_without_the_extra_it_says_how_to_install_it(run, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "unisono.cli.serve_commands.importlib.util.find_spec",
        lambda name, *rest: None if name == "fastapi" else found(name, *rest),
    )
    outcome = run("serve")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == (
        "unisono: the web page needs more packages: pip install 'unisono[web]'\n"
    )


@pytest.mark.parametrize("module", ["unisono", "unisono.cli.app", "unisono.web.client"])
def test_nothing_else_loads_the_web(module):
    heavy = "{'fastapi', 'uvicorn', 'starlette', 'pydantic', 'altair', 'vl_convert'}"
    code = f"import sys, {module}; print(sorted({heavy} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert found.stdout == "[]\n"
