"""The option --seed: by default 0; random for a random seed."""

from __future__ import annotations

import re

import pytest

FEW = ("--draws", 30)
COMMANDS = {
    "gamma": ("gamma", "{talks}", *FEW),
    "units": ("units", "{talk}", *FEW),
    "diagnose": ("diagnose", "{talks}", *FEW),
    "advise": ("advise", "{talk}", *FEW),
    "report": ("report", "{talk}", *FEW, "--to", "md"),
    "compare": ("compare", "{talk}", "--reference", "Alex", "--hypothesis", "Paul", *FEW),
    "calibrate": (
        *("calibrate", "{talk}", "--errors", "position", "--magnitudes", "0.2,0.4"),
        *("--repeats", 5, "--draws", 5),
    ),
    "shuffle": ("shuffle", "--units", 9, "--magnitude", 0.3),
    "curves": ("curves", "--units", 9, "--magnitudes", 2, "--repeats", 2, "--measure", "gamma"),
    "items": ("items", "{ratings}", "--wide", "--measure", "fleiss", "--resamples", 50),
    "missing-policies": (
        "missing-policies",
        "{ratings}",
        "--wide",
        "--shares",
        "0.2",
        "--repeats",
        20,
    ),
    "plan": ("plan", "{ratings}", "--wide", "--width", 0.5, "--resamples", 50),
}


@pytest.fixture
def words(talk, talks, tmp_path):
    """Return the arguments of a command."""
    ratings = tmp_path / "ratings.csv"
    rows = ["item,ann,bob", *(f"{n},{pair}" for n, pair in enumerate(["a,b", "a,a", "b,b"] * 8))]
    ratings.write_text("\n".join(rows) + "\n")
    places = {"talk": talk, "talks": talks, "ratings": ratings}
    return lambda name: [str(word).format(**places) for word in COMMANDS[name]]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_without_a_seed_prints_the_same_twice(run, words, name):
    first = run(*words(name))

    assert first.code == 0, first.err
    assert run(*words(name)) == first
    assert run(*words(name), "--seed", 0) == first
    assert re.search(r"seed[: ]0\b", first.out)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_random_seed_is_printed_and_gives_the_same_again(run, words, name):
    first, second = (run(*words(name), "--seed", "random") for _ in range(2))
    seeds = [re.findall(r"seed[: ](\d+)", each.out)[0] for each in (first, second)]

    assert seeds[0] != seeds[1]
    assert run(*words(name), "--seed", seeds[0]) == first


@pytest.mark.parametrize("value", ["abc", "-1", "1.5", "Random", "", "٣"])
def test_invalid_seeds_are_rejected(run, talk, value):
    outcome = run("gamma", talk, f"--seed={value}")

    assert outcome.code == 2
    assert f"--seed: must be a whole number of at least 0, or random; got {value!r}" in outcome.err


def test_settings_file_accepts_a_random_seed(run, talk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = tmp_path / "unisono.toml"
    settings.write_text('[default]\nseed = "random"\ndraws = 30\n')
    first, second = run("gamma", talk), run("gamma", talk)

    assert (first.code, second.code) == (0, 0)
    assert first.out != second.out
    settings.write_text('[default]\nseed = "often"\n')
    assert "got 'often' in unisono.toml:2" in run("gamma", talk).err
