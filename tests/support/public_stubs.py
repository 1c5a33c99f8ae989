"""The stubs of the public homes, made from the lists: ``python tests/support/public_stubs.py``."""

from __future__ import annotations

from pathlib import Path

from unisono.public import PUBLIC, public_names

SOURCES = Path(__file__).resolve().parents[2] / "src"
_WIDEST = 100


def stub_of(home: str) -> Path:
    """Return the file of the stub of a public home."""
    return SOURCES.joinpath(*home.split("."), "__init__.pyi")


def stub(home: str) -> str:
    """Return what it holds."""
    module_of = public_names(home)
    homes = sorted(name.partition(".")[2] for name in PUBLIC if name.startswith(f"{home}."))
    lines = [_imported(home, name) for name in homes]
    by_module = sorted(module_of, key=lambda name: (module_of[name], not name[0].isupper(), name))
    lines += [_imported(module_of[name], name) for name in by_module]
    listed = ", ".join(f'"{name}"' for name in module_of)
    whole = f"__all__ = [{listed}]"
    if len(whole) > _WIDEST:
        whole = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in module_of) + "]"
    return "\n".join([*lines, "", whole]) + "\n"


def _imported(module: str, name: str) -> str:
    line = f"from {module} import {name} as {name}"
    if len(line) <= _WIDEST:
        return line
    return f"from {module} import (\n    {name} as {name},\n)"


if __name__ == "__main__":
    for each in PUBLIC:
        stub_of(each).write_text(stub(each), encoding="utf-8")
