"""Completion, tested in a shell."""

from __future__ import annotations

import shutil
import subprocess

import pytest

BASH = shutil.which("bash")
ASK = """
source "$1"
cd "$2"
shift 2
COMP_WORDS=("$@")
COMP_CWORD=$(( $# - 1 ))
_unisono
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def completed(run, tmp_path):
    """Return the completions of bash for the last of some words."""
    if BASH is None:
        pytest.skip("there is no bash")
    script = tmp_path / "unisono.bash"
    script.write_text(run("completion", "bash").out, encoding="utf-8")
    data = tmp_path / "data"
    data.mkdir()
    (data / "talk.csv").write_text("", encoding="utf-8")

    def completed(*words):
        command = [BASH, "-c", ASK, "bash", str(script), str(data), "unisono", *words]
        return subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()

    return completed


def test_commands_options_choices_and_files_are_completed(completed):
    assert completed("cali") == ["calibrate"]
    assert completed("gamma", "--chan") == ["--chance", "--chance-from"]
    assert completed("gamma", "--chance", "s") == ["shift", "statistical"]
    assert completed("gamma", "t") == ["talk.csv"]
    assert completed("gamma", "talk.csv", "--csv", "t") == ["talk.csv"]
    assert completed("consensus", "talk.csv", "--to", "b") == ["brat"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_each_shell_has_a_script_with_every_command(run, shell):
    outcome = run("completion", shell)

    assert outcome.code == 0
    for command in ("describe", "unitizing", "calibrate", "completion"):
        assert command in outcome.out


def test_the_script_can_be_installed(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    outcome = run("completion", "bash", "--install")
    written = tmp_path / ".local/share/bash-completion/completions/unisono"

    assert outcome.code == 0
    assert f"written to {written}" in outcome.out
    assert written.read_text(encoding="utf-8") == run("completion", "bash").out


def test_unknown_shell_is_rejected(run, monkeypatch):
    from cyclopts.completion import ShellDetectionError

    from unisono.cli import program

    def unknown():
        raise ShellDetectionError

    monkeypatch.setattr(program, "detect_shell", unknown)

    assert run("completion", "tcsh").code == 2
    assert "choose bash, zsh, fish or powershell" in run("completion").err
