"""The requests in docs/http-api.md work as documented."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl")
def test_documented_curl_commands_work(service, tmp_path):
    page = (ROOT / "docs" / "http-api.md").read_text(encoding="utf-8")
    block = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[0]
    commands = [line for line in block.replace("\\\n", " ").splitlines() if line]
    shutil.copy(ROOT / "examples" / "interview.csv", tmp_path / "turns.csv")
    names = {"localhost:8000": f"127.0.0.1:{service.port}"}
    answers = []
    for command in commands:
        for shown, name in names.items():
            command = command.replace(shown, name)  # noqa: PLW2901
        words = shlex.split(command)
        ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
        answers.append(json.loads(ran.stdout))
        names |= {"d_…": answers[0]["data"], "j_…": answers[-1].get("id", "")}

    assert len(answers) == 3
    assert answers[1]["state"] == "done"
    assert "|seed:42|" in answers[2]["signature"]
