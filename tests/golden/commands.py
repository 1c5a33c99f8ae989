"""The cases of the command line: what each command prints as text, as JSON and as CSV.

Numbers come from JSON and from the cells of CSV. Text is a name, with the rounded numbers in it.
A renamed command or option is renamed here, and the identifier of the case stays.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from golden.cases import Case

# The only import from below `unisono`; the program `unisono` is this function.
from unisono.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")

_INTERVIEW = "examples/interview.csv"
_CORPUS = "examples/corpus"
_SEEDED = ("--draws", "20", "--seed", "5")
_PAPER = ("--simulate", "2", "--seed", "5")

# The text of these, and the same as JSON and as CSV.
_IN_EVERY_FORM: dict[str, tuple[str, ...]] = {
    "gamma": ("gamma", _CORPUS, "--seen-by", "corpus", *_SEEDED),
    "unitizing": ("unitizing", "data/places.csv", "--distance", "data/near.csv"),
    "segments": ("segments", "data/chapters.csv", "--measure", "pk,b"),
    "units": ("units", "data/places.csv", *_SEEDED),
    "compare": ("compare", _INTERVIEW, "--reference", "ines", "--hypothesis", "jonas", *_SEEDED),
    "items": (
        "items", "examples/politeness.csv", "--measure", "alpha,cohen,gwet", "--distance",
        "ordinal", "--weights", "linear",
    ),
    "items-sure": (
        "items", "data/grades.csv", "--wide", "--measure", "alpha,fleiss", "--resamples", "100",
        "--permutations", "49", "--seed", "5", "--missing", "pairs",
    ),
    "chains": ("chains", "examples/coreference", "--unshared", "singletons"),
    "pyramids": ("pyramids", "examples/pyramids.csv"),
    "reliability": (
        "reliability", "examples/reliability.csv", "--agreement", "gamma", "--outcome", "f1",
        "--permutations", "99", "--seed", "5",
    ),
    "align": ("align", _INTERVIEW),
    "diagnose": ("diagnose", _INTERVIEW, *_SEEDED),
    "diagnose-ratings": ("diagnose", "examples/politeness.csv", "--distance", "ordinal"),
    "consensus-ratings": ("consensus", "examples/politeness.csv", "--support", "0.6"),
    "advise": ("advise", _INTERVIEW, "--merges", "2", *_SEEDED),
    "consensus": ("consensus", _INTERVIEW),
    "calibrate": (
        "calibrate", _INTERVIEW, "--errors", "category", "--magnitudes", "0,0.5,1",
        "--repeats", "5", "--draws", "5", "--seed", "5",
    ),
    "missing-policies": (
        "missing-policies", "examples/politeness.csv", "--repeats", "20", "--seed", "5",
    ),
    "plan": (
        "plan", "examples/politeness.csv", "--width", "0.2", "--resamples", "100", "--seed", "5",
    ),
    "plan-documents": ("plan", "data/places.csv", "--width", "0.3", *_SEEDED),
    "shuffle": (
        "shuffle", "data/places.csv", "--reference", "eva", "--magnitude", "0.3", *_PAPER
    ),
    "curves": (
        "curves", "--units", "8", "--errors", "category", "--measure", "gamma,cu_alpha,kappa_d",
        "--magnitudes", "3", "--repeats", "2", "--draws", "5", "--seed", "5",
    ),
}  # fmt: skip
# These have no CSV.
_AS_JSON: dict[str, tuple[str, ...]] = {
    "describe": ("describe", _CORPUS),
    "reproduce": ("reproduce", "komen", "--quick"),
}
# Text only.
_AS_TEXT: dict[str, tuple[str, ...]] = {
    "gamma-soft": ("gamma", _INTERVIEW, "--soft", *_SEEDED),
    "gamma-ordinal": ("gamma", "data/talks.csv", "--distance", "ordinal", *_SEEDED),
    "gamma-no-such-file": ("gamma", "nowhere.csv"),
    "gamma-usage": ("gamma", _INTERVIEW, "--chance", "shfit"),
    "segments-all": ("segments", "examples/paragraphs.csv", "--near", "3"),
    "compare-mapped": (
        "compare", "examples/meeting_gold.csv", "examples/meeting_system.csv", "--mapping", "best",
        "--no-gamma",
    ),
    "items-sets": (
        "items", "examples/topics.csv", "--wide", "--separator", "|", "--measure", "alpha",
        "--distance", "masi",
    ),
    "report-markdown": ("report", _INTERVIEW, "--to", "md", *_SEEDED),
    "first-steps": (),
}  # fmt: skip
_CHARTS_OF_UNITS = ("continuum", "alignment", "consensus")
_CHARTS_OF_GAMMA = ("labels", "parts", "confusion", "annotators", "draws")


def command_cases() -> dict[str, Case]:
    """Return the cases of the command line by their identifiers."""
    questions: dict[str, Callable[[], Any]] = {}
    for name, arguments in (_IN_EVERY_FORM | _AS_JSON | _AS_TEXT).items():
        questions[f"{name}/text"] = _asking(_text, arguments)
    for name, arguments in (_IN_EVERY_FORM | _AS_JSON).items():
        questions[f"{name}/json"] = _asking(_json, (*arguments, "--json"))
    for name, arguments in _IN_EVERY_FORM.items():
        questions[f"{name}/csv"] = _asking(_csv, (*arguments, "--csv"))
    for kind in (*_CHARTS_OF_UNITS, *_CHARTS_OF_GAMMA):
        seeded = _SEEDED if kind in _CHARTS_OF_GAMMA else ()
        arguments = ("chart", kind, _INTERVIEW, "-o", "chart.json", *seeded)
        questions[f"chart/{kind}"] = _asking(_chart, arguments)
    questions["convert/brat"] = _asking(
        _files, ("convert", "data/places.csv", "out", "--to", "brat")
    )
    questions["convert/jsonl"] = _asking(_files, ("convert", "data/places.csv", "out.jsonl"))
    return {name: Case(name, question) for name, question in _prefixed(questions).items()}


def _prefixed(questions: dict[str, Callable[[], Any]]) -> dict[str, Callable[[], Any]]:
    return {f"command/{name}": question for name, question in questions.items()}


def _asking(
    show: Callable[[tuple[str, ...]], Any], arguments: tuple[str, ...]
) -> Callable[[], Any]:
    return lambda: show(arguments)


def run(arguments: tuple[str, ...]) -> tuple[int, str, str]:
    """Run the program as if in a pipe and a window of 100 columns."""
    out, err = io.StringIO(), io.StringIO()
    settings = mock.patch.dict(os.environ, {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"})
    with settings, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(arguments))
    return int(code), out.getvalue(), err.getvalue()


def _text(arguments: tuple[str, ...]) -> Any:
    code, out, err = run(arguments)
    return {"code": str(code), "out": out, "err": err}


def _json(arguments: tuple[str, ...]) -> Any:
    code, out, err = run(arguments)
    if not out:
        raise RuntimeError(err)
    return {"code": str(code), "out": json.loads(out), "err": err}


def _csv(arguments: tuple[str, ...]) -> Any:
    code, out, err = run(arguments)
    head, *rows = csv.reader(io.StringIO(out))
    return {
        "code": str(code),
        "head": head,
        "rows": [list(map(_cell, r)) for r in rows],
        "err": err,
    }


def _cell(text: str) -> Any:
    if not _NUMBER.fullmatch(text):
        return text
    return int(text) if text.lstrip("-").isdigit() else float(text)


def _chart(arguments: tuple[str, ...]) -> Any:
    """Return the data of a chart; how it is drawn depends on the version of the drawing library."""
    code, out, err = run(arguments)
    spec = json.loads(Path("chart.json").read_text(encoding="utf-8"))
    return {"code": str(code), "out": out, "err": err, "data": list(_data(spec))}


def _data(spec: Any) -> Any:
    if isinstance(spec, dict):
        yield from spec.get("datasets", {}).values()
        if "values" in spec.get("data", {}):
            yield spec["data"]["values"]
        for key, each in spec.items():
            if key not in {"datasets", "data"}:
                yield from _data(each)
    elif isinstance(spec, list):
        for each in spec:
            yield from _data(each)


def _files(arguments: tuple[str, ...]) -> Any:
    code, out, err = run(arguments)
    target = Path(arguments[2])
    files = sorted(path for path in (target, *target.rglob("*")) if path.is_file())
    texts = {path.as_posix(): path.read_text(encoding="utf-8") for path in files}
    return {"code": str(code), "out": out, "err": err, "files": texts}
