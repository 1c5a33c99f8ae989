"""Atomic writing of files and folders, symbolic links, and flushing to the disk."""

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from unisono.formats.output import write_file, write_files

# Writes a folder repeatedly; each run is killed one file operation later.
KILLED = """
import json, os, shutil, signal, sys
from pathlib import Path
from unisono.formats.output import write_files

base, there = Path(sys.argv[1]), sys.argv[2] == "there"
target = base / "out"
new = {target / who / f"{name}.ann": b"new" for who in ("ann", "bob") for name in "xyz"}

def files():
    return {str(each.relative_to(target)): each.read_text() for each in target.rglob("*.ann")}

found = []
for last in range(1000):
    shutil.rmtree(base)
    base.mkdir()
    if there:
        (target / "ann").mkdir(parents=True)
        (target / "ann/x.ann").write_text("old")
        (target / "ann/kept.ann").write_text("old")
    child = os.fork()
    if child == 0:
        seen = 0
        def hook(event, _):
            global seen
            if event in {"open", "os.mkdir", "os.rename", "os.link", "os.remove"}:
                seen += 1
                if seen > last:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(hook)
        write_files(new, folder=target)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, -signal.SIGKILL), code
    found.append((code, files() if target.exists() else None))
    if code == 0:
        break
print(json.dumps(found))
"""


def after_kills(tmp_path, there):
    base = tmp_path / "base"
    base.mkdir()
    command = [sys.executable, "-c", KILLED, str(base), there]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    return [contents for _, contents in json.loads(done.stdout)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_new_folder_is_there_with_everything_or_not_at_all_whenever_the_process_is_killed(
    tmp_path,
):
    found = after_kills(tmp_path, "new")
    whole = {f"{who}/{name}.ann": "new" for who in ("ann", "bob") for name in "xyz"}
    assert len(found) > 10
    assert all(contents in (None, whole) for contents in found)
    assert found[0] is None
    assert found[-1] == whole


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_in_a_folder_that_is_there_a_kill_leaves_only_whole_files_and_loses_none(tmp_path):
    found = after_kills(tmp_path, "there")
    for contents in found:
        assert contents["ann/kept.ann"] == "old"
        assert contents["ann/x.ann"] in ("old", "new")
        assert set(contents.values()) <= {"old", "new"}
    # All new files are flushed before the first of them is renamed.
    untouched = [each for each in found if each == found[0]]
    assert len(untouched) > len(found) / 3
    assert found[-1]["ann/x.ann"] == found[-1]["bob/z.ann"] == "new"


def contents(folder):
    files = [each for each in Path(folder).rglob("*") if each.is_file()]
    return {str(each.relative_to(folder)): each.read_bytes() for each in files}


@pytest.mark.parametrize("failing", range(4))
def test_an_error_while_files_take_their_places_puts_back_what_was_there(
    tmp_path, monkeypatch, failing
):
    (tmp_path / "a.txt").write_bytes(b"old a")
    (tmp_path / "b.txt").write_bytes(b"old b")
    before = contents(tmp_path)
    replace, calls = Path.replace, []

    def fails(self, target):
        calls.append(target)
        if len(calls) == failing + 1:
            raise OSError(errno.EIO, "Input/output error", str(self))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fails)
    names = ["a.txt", "new/c.txt", "b.txt", "new/d.txt"]
    with pytest.raises(OSError, match="Input/output error") as caught:
        write_files({tmp_path / name: b"new" for name in names}, folder=tmp_path)
    assert caught.value.filename == str(tmp_path / names[failing])
    assert contents(tmp_path) == before
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("there", [False, True])
def test_an_error_while_a_file_is_written_names_it_and_leaves_nothing_behind(
    tmp_path, monkeypatch, there
):
    folder = tmp_path / "out"
    if there:
        folder.mkdir()
        (folder / "a.txt").write_bytes(b"old")
    before = contents(tmp_path)
    calls = []

    def full(_):
        calls.append(1)
        if len(calls) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_files({folder / "a.txt": b"new", folder / "b.txt": b"new"}, folder=folder)
    assert caught.value.filename == str(folder / "b.txt")
    assert contents(tmp_path) == before
    assert folder.exists() == there


def test_everything_is_settled_on_the_disk_before_it_takes_its_name(tmp_path, monkeypatch):
    fsync, replace, order = os.fsync, Path.replace, []

    def synced(descriptor):
        is_folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        order.append("folder" if is_folder else "file")
        fsync(descriptor)

    def replaced(self, target):
        order.append("name")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    write_file(tmp_path / "a.txt", b"new")
    assert order == ["file", "name", "folder"]


def test_permissions_of_a_file_that_was_there_stay(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_file(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "usual.txt").write_bytes(b"")
    write_file(tmp_path / "a.txt", b"new")
    write_files({tmp_path / "out/a.txt": b"new"}, folder=tmp_path / "out")
    (tmp_path / "usual").mkdir()
    modes = [path.stat().st_mode for path in (tmp_path / "usual.txt", tmp_path / "a.txt")]
    folders = [path.stat().st_mode for path in (tmp_path / "usual", tmp_path / "out")]
    assert len({*modes, (tmp_path / "out/a.txt").stat().st_mode}) == 1
    assert len(set(folders)) == 1


def test_a_link_stays_and_the_file_it_leads_to_is_written(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far/real.txt").write_bytes(b"old")
    (tmp_path / "near.txt").symlink_to("far/next.txt")
    (tmp_path / "far/next.txt").symlink_to("real.txt")
    write_file(tmp_path / "near.txt", b"new")
    assert (tmp_path / "near.txt").is_symlink()
    assert (tmp_path / "far/next.txt").is_symlink()
    assert (tmp_path / "far/real.txt").read_bytes() == b"new"


def test_a_link_to_a_folder_stays(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to("real")
    write_files({tmp_path / "out/ann/a.txt": b"new"}, folder=tmp_path / "out")
    assert (tmp_path / "out").is_symlink()
    assert contents(tmp_path / "real") == {"ann/a.txt": b"new"}


@pytest.mark.parametrize("as_folder", [False, True])
def test_a_link_that_leads_nowhere_is_refused_and_stays(tmp_path, as_folder):
    link = tmp_path / "out"
    link.symlink_to("gone")
    files = {link / "a.txt" if as_folder else link: b"new"}
    with pytest.raises(FileNotFoundError, match="a broken symbolic link"):
        write_files(files, folder=link if as_folder else None)
    assert link.is_symlink()
    assert list(tmp_path.iterdir()) == [link]


def test_a_link_that_leads_back_to_itself_is_refused(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(OSError, match="a symbolic link that refers to itself"):
        write_file(tmp_path / "a", b"new")


def test_a_folder_in_the_place_of_a_file_is_refused_before_any_file_is_touched(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"old")
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(IsADirectoryError, match="the path is a folder"):
        write_files({tmp_path / "a.txt": b"new", tmp_path / "b.txt": b"new"})
    assert contents(tmp_path) == {"a.txt": b"old"}


def test_a_folder_that_is_missing_is_not_made_for_a_single_file(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        write_file(tmp_path / "typo/a.txt", b"new")
    assert caught.value.filename == str(tmp_path / "typo/a.txt")


def test_a_device_is_written_to_and_stays(tmp_path):
    (tmp_path / "null").symlink_to(os.devnull)
    write_file(tmp_path / "null", b"gone")
    assert not Path(os.devnull).is_file()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_named():
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_file(Path("/dev/full"), b"new")
    assert caught.value.filename == "/dev/full"
