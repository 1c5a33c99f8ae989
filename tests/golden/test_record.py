"""The record itself: numbers keep their places, and none moves without a reason."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from golden.cases import Case
from golden.history import CHANGELOG, NAMES, NUMBERS, compared, kept, rewrite
from golden.record import load, moved, names_changed, plain, recorded_anew, save

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ANSWER = {"value": 0.1, "interval": {"low": 0.05, "high": 0.3}, "n": 3, "draws": [0.7, 0.8, 0.1]}


def case(answer: object) -> dict[str, Case]:
    return {"made-up/one": Case("made-up/one", lambda: answer)}


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A repository with a changelog and a committed record of one case."""
    (tmp_path / "tests/golden").mkdir(parents=True)
    changelog = "# Changelog\n\n## 2\n\n### Added\n\n- x\n\n### Numbers\n\n- old reason\n"
    (tmp_path / CHANGELOG).write_text(changelog, encoding="utf-8")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    assert rewrite(tmp_path, case(ANSWER))[0] == 0
    commit(tmp_path)
    return tmp_path


def git(root: Path, *arguments: str) -> None:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True)  # noqa: S607


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "x")


def contents(root: Path) -> tuple[bytes, bytes]:
    return (root / NUMBERS).read_bytes(), (root / NAMES).read_bytes()


def add_line(root: Path, line: str, *, under: str) -> None:
    path = root / CHANGELOG
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f"### {under}\n\n", f"### {under}\n\n{line}\n"), encoding="utf-8")


def test_numbers_and_names_are_the_whole_answer(tmp_path):
    odd = [float("nan"), float("inf"), -0.0, 1e-300]
    answer = ANSWER | {"odd": odd, "text": "a\nb", "no": None}
    save({"x": recorded_anew(None, answer)}, tmp_path / "numbers", tmp_path / "names")
    numbers, names = ((tmp_path / each).read_text() for each in ("numbers", "names"))
    assert not moved("x", load(numbers, names)["x"], answer)
    assert "low" not in numbers
    assert "0x1.999999999999ap-4" in numbers
    assert "0x" not in names


@pytest.mark.parametrize(
    "change",
    [
        lambda a: {"result": a["value"], "ci": a["interval"], "n": 3, "draws": a["draws"]},
        lambda a: dict(reversed(a.items())),
        lambda a: {"value": a["value"], "interval": [0.05, 0.3], "n": 3.0, "draws": [0.7, 0.8]},
    ],
    ids=["renamed", "reordered", "reshaped"],
)
def test_numbers_survive_other_keys_byte_for_byte(house, change: Callable[[Any], Any]):
    before = contents(house)
    assert rewrite(house, case(change(ANSWER)))[0] == 0
    after = contents(house)
    assert after[0] == before[0]
    assert after[1] != before[1]


def test_a_new_field_is_added_behind_the_others(house):
    before = kept(house)["made-up/one"].numbers
    assert rewrite(house, case({"schema": 17} | ANSWER))[0] == 0
    assert kept(house)["made-up/one"].numbers == [*before, 17]


def test_a_number_that_moved_is_refused_and_nothing_is_written(house):
    before = contents(house)
    code, text = rewrite(house, case(ANSWER | {"value": 0.1000000000000001}))
    assert code == 1
    assert "made-up/one  value  0.1 -> 0.1000000000000001" in text
    assert "no new line under Numbers" in text
    assert contents(house) == before


def test_a_number_that_moved_while_its_key_was_renamed_is_refused(house):
    code, text = rewrite(house, case({"ci": {"low": 0.05, "high": 0.31}, "x": [3, 0.1, 0.7, 0.8]}))
    assert code == 1
    assert "interval/high  0.3 -> 0.31  (+0.01)" in text


def test_two_numbers_that_are_exchanged_are_refused(house):
    code, text = rewrite(house, case(ANSWER | {"interval": {"low": 0.3, "high": 0.05}}))
    assert code == 1
    assert "interval/low  0.05 -> 0.3" in text
    assert "interval/high  0.3 -> 0.05" in text


def test_a_case_that_is_gone_is_refused(house):
    code, text = rewrite(house, {"made-up/two": Case("made-up/two", lambda: ANSWER)})
    assert code == 1
    assert "made-up/one  the case is gone" in text


@pytest.mark.parametrize(("under", "code"), [("Numbers", 0), ("Added", 1)])
def test_only_a_new_line_under_numbers_lets_a_number_move(house, under, code):
    add_line(house, "- new reason", under=under)
    assert rewrite(house, case(ANSWER | {"n": 4}))[0] == code
    assert (kept(house)["made-up/one"].numbers[3] == 4) is (code == 0)


def test_a_line_that_was_committed_is_not_a_reason_but_against_an_older_commit(house):
    add_line(house, "- new reason", under="Numbers")
    commit(house)
    assert rewrite(house, case(ANSWER | {"n": 4}))[0] == 1
    assert rewrite(house, case(ANSWER | {"n": 4}), base="HEAD~1")[0] == 0


def test_writing_twice_does_not_hide_a_number(house):
    add_line(house, "- new reason", under="Numbers")
    assert rewrite(house, case(ANSWER | {"n": 4}))[0] == 0
    git(house, "checkout", "--", CHANGELOG)
    code, text = rewrite(house, case(ANSWER | {"n": 4}))
    assert code == 1
    assert "made-up/one  n  3 -> 4" in text


def test_where_there_is_no_commit_the_record_is_not_written(tmp_path):
    git(tmp_path, "init", "--quiet")
    code, text = rewrite(tmp_path, case(ANSWER))
    assert code == 1
    assert "no commit 'HEAD'" in text


def test_within_the_tolerance_the_recorded_bits_stay(house):
    record, near = kept(house)["made-up/one"], ANSWER | {"value": 0.1 + 1e-15}
    assert not moved("x", record, near, tolerance=1e-14)
    assert recorded_anew(record, near, tolerance=1e-14) == record
    assert len(moved("x", record, near)) == 1


def test_a_number_that_moves_keeps_its_place(house):
    record = kept(house)["made-up/one"]
    new = recorded_anew(record, ANSWER | {"interval": {"low": 0.06, "high": 0.3}})
    assert new.names == record.names
    assert [i for i, each in enumerate(new.numbers) if each != record.numbers[i]] == [1]


def test_one_of_two_equal_numbers_that_moves_gets_a_place_of_its_own(house):
    record = kept(house)["made-up/one"]
    answer = ANSWER | {"value": 0.2}
    new = recorded_anew(record, answer)
    assert not moved("x", new, answer)
    assert new.numbers == [*record.numbers, 0.2]


def test_differences_are_readable(house):
    numbers, names = compared(house, case(ANSWER | {"n": 4}))
    assert [str(each) for each in numbers] == ["made-up/one  n  3 -> 4  (+1)"]
    assert not names
    renamed = {"size" if key == "n" else key: each for key, each in ANSWER.items()}
    numbers, names = compared(house, case(renamed))
    assert not numbers
    old, new = names["made-up/one"]
    assert old is not None
    assert '"size"' in names_changed("made-up/one", old, new)


def test_signatures_are_kept_once_and_without_version_and_digest():
    signature = "gamma|seed:1|data:0123abcd|v:1.2.3"
    assert plain({"a": signature, "b": [signature, f"see {signature}"]}) == {
        "a": "gamma|seed:1|data:*|v:*",
        "b": ["gamma|*", "see gamma|seed:1|data:*|v:*"],
    }


def test_a_text_like_a_place_is_refused():
    with pytest.raises(ValueError, match="place of a number"):
        recorded_anew(None, {"text": "@3"})
