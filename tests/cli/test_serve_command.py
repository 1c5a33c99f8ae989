"""Checks of `unisono serve` before it starts."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
from contextlib import ExitStack

import pytest

from unisono.cli.program import _publish_link


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--port", "70000"], "--port must be a number from 0 to 65535, got 70000"),
        (["--host", "no.such.host.invalid"], "cannot listen on no.such.host.invalid:8000"),
        (["--token", "short"], "a token needs at least 16 characters without spaces, got 5"),
        (["--token", " " * 32], "a token needs at least 16 characters without spaces, got 0"),
        (["--token", ""], "a token needs at least 16 characters without spaces, got 0"),
        (["--max-files", "0"], "the limit files must be at least 1, got 0"),
        (["--max-memory", "10", "--processes", "1"], "1 worker processes need at least 256 MB"),
    ],
)
def test_invalid_options_are_reported(run, options, message):
    outcome = run("serve", *options)

    assert outcome.code == 2
    assert message in outcome.err


@pytest.mark.parametrize("token", ["", " " * 32])
def test_blank_token_in_the_environment_is_rejected(run, monkeypatch, token):
    monkeypatch.setenv("UNISONO_TOKEN", token)

    assert "without spaces, got 0" in run("serve").err


def test_generated_token_is_printed_on_a_terminal_only(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with ExitStack() as stack:
        _publish_link("http://lab:1/#token=secret", stack)
        (path,) = tmp_path.iterdir()
        assert path.read_text() == "http://lab:1/#token=secret\n"
        assert "secret" not in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with ExitStack() as stack:
        _publish_link("http://lab:1/#token=secret", stack)
        assert list(tmp_path.iterdir()) == []
    assert "http://lab:1/#token=secret" in capsys.readouterr().err


def test_port_in_use_is_reported(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        outcome = run("serve", "--port", port)

    assert outcome.code == 2
    assert f"port {port} is in use; choose another with --port, or 0" in outcome.err


def test_missing_packages_are_reported(run, monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "unisono.cli.program.importlib.util.find_spec",
        lambda name, *rest: None if name == "fastapi" else found(name, *rest),
    )
    outcome = run("serve")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == (
        "unisono: the web interface needs additional packages: pip install 'unisono[web]'\n"
    )


@pytest.mark.parametrize("module", ["unisono", "unisono.cli.app"])
def test_other_modules_do_not_import_the_web_packages(module):
    heavy = "{'fastapi', 'uvicorn', 'starlette', 'pydantic', 'altair', 'vl_convert'}"
    code = f"import sys, {module}; print(sorted({heavy} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert found.stdout == "[]\n"
