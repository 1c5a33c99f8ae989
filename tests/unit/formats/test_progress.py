"""Progress of reading, in bytes."""

from __future__ import annotations

import pytest

import unisono as un
from unisono.formats.characters import reported

ROW = "ann,0,5,NP\n"


def test_bytes_are_counted_within_a_large_file(tmp_path):
    table = tmp_path / "talk.csv"
    table.write_text("annotator,start,end,label\n" + ROW * 300_000, encoding="utf-8")
    told = []
    with reported(lambda done, total: told.append((done, total))):
        un.read(table)

    size = table.stat().st_size
    assert len(told) >= 3
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert {total for _, total in told} == {size}
    assert told[-1][0] == size


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_each_file_of_a_folder_counts_with_its_size(tmp_path, suffix):
    talk = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    for name in ("one", "two"):
        un.write(talk, tmp_path / f"{name}.{suffix}")
    told = []
    with reported(lambda done, total: told.append(done / total)):
        un.read(tmp_path)

    assert told == sorted(told)
    assert told[-1] == 1.0


def test_nothing_is_reported_after_the_context(tmp_path):
    table = tmp_path / "talk.csv"
    table.write_text("annotator,start,end,label\n" + ROW, encoding="utf-8")
    told = []
    with reported(lambda *numbers: told.append(numbers)):
        pass
    un.read(table)

    assert told == []


def test_what_is_read_does_not_depend_on_progress_reports(tmp_path):
    table = tmp_path / "talk.csv"
    table.write_text("annotator,start,end,label\n" + ROW + "bob,1,5,NP\n", encoding="utf-8")
    with reported(lambda *_: None):
        told = un.read(table)

    assert told == un.read(table)


def test_a_file_that_is_not_there_is_still_refused(tmp_path):
    with reported(lambda *_: None), pytest.raises(un.ReadError, match="lost"):
        un.read(tmp_path / "lost.csv")
