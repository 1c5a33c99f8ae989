"""Checkpoint files: round trips, and errors if damaged, locked or full."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import numpy as np
import pytest

import unisono as un
from sample_texts import TEXT
from unisono.errors import ReadError, SettingError, WorkError
from unisono.parallel.checkpoint import Checkpoint
from work_samples import FEW, documents

if TYPE_CHECKING:
    from pathlib import Path


def database(folder: Path) -> Path:
    return folder / "checkpoint.sqlite"


def test_a_file_that_is_not_a_checkpoint_is_refused(tmp_path):
    database(tmp_path).write_bytes(b"no database at all, but long enough to be looked at" * 40)
    with pytest.raises(ReadError, match=r"checkpoint\.sqlite: not a checkpoint, or a damaged"):
        un.gamma(TEXT, checkpoint=tmp_path, **FEW)


def test_a_database_of_another_program_is_refused(tmp_path):
    base = sqlite3.connect(database(tmp_path))
    base.execute("CREATE TABLE mine (number INTEGER)")
    base.close()
    with pytest.raises(ReadError, match="sqlite: this SQLite database is not a checkpoint"):
        un.gamma(TEXT, checkpoint=tmp_path, **FEW)


def test_a_checkpoint_of_another_layout_is_refused(tmp_path):
    Checkpoint(tmp_path).close()
    base = sqlite3.connect(database(tmp_path))
    base.execute("PRAGMA user_version = 9")
    base.close()
    with pytest.raises(ReadError, match="sqlite: written by another version of unisono"):
        un.gamma(TEXT, checkpoint=tmp_path, **FEW)


def test_two_runs_cannot_share_a_checkpoint(tmp_path):
    with (
        Checkpoint(tmp_path),
        pytest.raises(WorkError, match="is in use: another run stores its checkpoint there"),
    ):
        un.gamma(TEXT, checkpoint=tmp_path, **FEW)
    assert un.gamma(TEXT, checkpoint=tmp_path, **FEW).draws == 12


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").write_text("a file")
    with pytest.raises(WorkError, match="cannot create the checkpoint folder"):
        un.gamma(TEXT, checkpoint=tmp_path / "file" / "folder", **FEW)


def test_a_folder_where_nothing_can_be_opened_is_reported(tmp_path):
    database(tmp_path).mkdir()
    with pytest.raises(WorkError, match="the checkpoint cannot be written here"):
        un.gamma(TEXT, checkpoint=tmp_path, **FEW)


def test_a_read_only_database_is_reported(tmp_path, monkeypatch):
    Checkpoint(tmp_path).close()
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda path, **how: connect(f"file:{path}?mode=ro", uri=True, **how)
    )
    with pytest.raises(WorkError, match="the checkpoint cannot be written here"):
        un.gamma(TEXT, checkpoint=tmp_path, **FEW)


def test_a_full_disk_is_reported_and_nothing_half_is_kept(tmp_path):
    with Checkpoint(tmp_path) as checkpoint:
        checkpoint.open_for({"computation": "test"})
        part = checkpoint.part("some")
        part.store({0: {"numbers": np.arange(10.0)}})
        (pages,) = checkpoint._base.execute("PRAGMA page_count").fetchone()
        checkpoint._base.execute(f"PRAGMA max_page_count = {pages}")
        many = {number: {"numbers": np.arange(1.0)} for number in range(1, 200)}
        with pytest.raises(WorkError, match="the disk is full; the checkpoint"):
            part.store(many | {200: {"numbers": np.arange(1e5)}})
    with Checkpoint(tmp_path) as checkpoint:
        part = checkpoint.part("some")
        assert part.numbers == {0}
        part.store({1: {"numbers": np.arange(3.0)}})
        for number, size in ((0, 10.0), (1, 3.0)):
            np.testing.assert_array_equal(part.taken(number)["numbers"], np.arange(size))  # type: ignore[index]


def test_arrays_are_restored_as_they_were(tmp_path):
    arrays = {
        "floats": np.array([[0.1, np.nan], [np.inf, -0.0]]),
        "none": np.empty((0, 3)),
        "flags": np.array([True, False]),
        "codes": np.arange(6, dtype=np.int32)[::2],
        "bytes": np.frombuffer("γ\n".encode(), np.uint8),
    }
    with Checkpoint(tmp_path) as checkpoint:
        checkpoint.open_for({"computation": "test"})
        checkpoint.part("some").store({7: arrays})
        back = checkpoint.part("some").taken(7) or {}
        assert checkpoint.part("some").taken(8) is None

    for name, array in arrays.items():
        assert (back[name].dtype, back[name].shape) == (array.dtype, array.shape)
        assert back[name].tobytes() == np.ascontiguousarray(array).tobytes()


def test_the_difference_of_long_settings_is_stated(tmp_path):
    with Checkpoint(tmp_path) as folder:
        folder.open_for({"dissim": "combined" * 9 + "one way or another"})
        with pytest.raises(SettingError, match=r"\(dissim …one way or a…, not …two ways of …\)"):
            folder.open_for({"dissim": "combined" * 9 + "two ways of it all"})


@pytest.mark.parametrize("key", [b"{", b"[1]", b'{"seed": 1}', b'{"seed": "x"}', b"\xff\xfe{}"])
def test_a_checkpoint_without_a_record_of_its_computation_is_damaged(tmp_path, key):
    un.gamma(documents(3), checkpoint=tmp_path, **FEW)
    base = sqlite3.connect(tmp_path / "checkpoint.sqlite")
    base.execute("UPDATE about SET key = cast(? AS TEXT)", (key,))
    base.commit()
    base.close()

    with pytest.raises(ReadError, match="not a checkpoint, or a damaged one"):
        un.gamma(documents(3), checkpoint=tmp_path, draws=12)


def test_a_checkpoint_without_its_chunks_is_damaged(tmp_path):
    un.gamma(documents(3), checkpoint=tmp_path, **FEW)
    base = sqlite3.connect(tmp_path / "checkpoint.sqlite")
    base.execute("DROP TABLE chunk")
    base.commit()
    base.close()

    with pytest.raises(ReadError, match="no such table"):
        un.gamma(documents(3), checkpoint=tmp_path, **FEW)


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_a_checkpoint_has_a_name(name):
    with pytest.raises(SettingError, match="a checkpoint needs the path of a folder"):
        un.gamma(documents(3), checkpoint=name, **FEW)
