"""How far the numbers of the record depend on the processor: the source of `cases.TOLERANCES`.

The record is computed in processes of its own that pretend to be other processors: OpenBLAS with
the code for older ones, NumPy without its vector code, and the C library without fused
multiplication in exp, log and pow. What this processor cannot run is named and left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from golden.record import numbers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLAS = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "Zen", "SkylakeX")
_PLAIN_LIBM = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"


def settings() -> list[dict[str, str]]:
    """Return the environments that make this processor another."""
    vectors = " ".join(np.show_config(mode="dicts")["SIMD Extensions"].get("found", []))
    kinds = [{"OPENBLAS_CORETYPE": each} for each in _BLAS]
    if vectors:
        kinds.append({"NPY_DISABLE_CPU_FEATURES": vectors})
    kinds.append({"GLIBC_TUNABLES": _PLAIN_LIBM})
    kinds.append({key: value for each in kinds[-2:] for key, value in each.items()})
    kinds[-1]["OPENBLAS_CORETYPE"] = "Prescott"
    return kinds


def measure(cases: Sequence[str]) -> None:
    """Print for each case the largest difference that another processor makes."""
    usual = _answers({}, cases)
    if usual is None:
        msg = "the record cannot be computed here"
        raise RuntimeError(msg)
    worst: dict[str, tuple[float, str]] = {}
    for kind in settings():
        words = " ".join(f"{key}={value!r}" for key, value in kind.items())
        answers = _answers(kind, cases)
        if answers is None:
            print(f"{words}: does not run here")
            continue
        moved = 0
        for name, answer in usual.items():
            difference = _difference(answer, answers[name])
            moved += difference > 0
            worst[name] = max(worst.get(name, (0.0, "")), (difference, words))
        print(f"{words}: {moved} of {len(usual)} cases differ")
    for name, (difference, words) in sorted(worst.items()):
        if difference > 0:
            print(f"{name}  {difference:.2g}  {words}")


def _answers(kind: dict[str, str], cases: Sequence[str]) -> dict[str, Any] | None:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "answers.json")
        command = [sys.executable, "-m", "golden", "answers", *cases, "--output", str(target)]
        done = subprocess.run(command, env=os.environ | kind, check=False, stderr=subprocess.PIPE)
        if done.returncode < 0:  # ended by a signal: an instruction that this processor lacks
            return None
        if done.returncode > 0:
            raise RuntimeError(done.stderr.decode())
        return dict(json.loads(target.read_text(encoding="utf-8")))


def _difference(usual: object, other: object) -> float:
    """Return the largest difference, relative above 1; infinite if something else differs."""
    left, right = numbers_in(usual), numbers_in(other)
    if [path for path, _ in left] != [path for path, _ in right] or _texts(usual) != _texts(other):
        return float("inf")
    pairs = [(a, b) for (_, a), (_, b) in zip(left, right, strict=True)]
    return max((abs(a - b) / max(1.0, abs(a)) for a, b in pairs if a == a), default=0.0)  # noqa: PLR0124


def _texts(answer: object) -> object:
    if isinstance(answer, dict):
        return {key: _texts(each) for key, each in answer.items()}
    if isinstance(answer, list):
        return [_texts(each) for each in answer]
    return answer if isinstance(answer, str | bool) else None
