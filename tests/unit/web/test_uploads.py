"""Uploads: names, limits and expiry."""

from __future__ import annotations

import time

import pytest

from unisono.web.problems import Limits, ProblemError
from unisono.web.uploads import DataStore, is_example, safe_name, too_large


@pytest.fixture
def store(tmp_path):
    """A store for uploads of up to 100 bytes and 3 files, and 10 blocks in total."""
    return DataStore(tmp_path, Limits(upload_bytes=100, files=3, storage_bytes=10 * 4096))


def sent(store, **files):
    """Store files and return the upload."""
    with store.incoming() as incoming:
        for name, size in files.items():
            with incoming.file(f"{name}.csv") as file:
                incoming.write(file, b"x" * size)
        return store.keep(incoming)


def problem(call, *arguments):
    """Return the kind, the status and the message of a problem."""
    with pytest.raises(ProblemError) as refused:
        call(*arguments)
    return refused.value.record["kind"], refused.value.status, str(refused.value)


def test_upload_keeps_folders_and_lists_top_level_entries(store, tmp_path):
    with store.incoming() as incoming:
        for name, content in (("ann/talk.csv", b"annotator,start,end"), ("a.csv", b"")):
            with incoming.file(name) as file:
                incoming.write(file, content)
        data = store.keep(incoming)

    assert data.files == {"ann/talk.csv": 19, "a.csv": 0}
    assert (data.entries, data.bytes) == (["a.csv", "ann"], 19)
    assert (tmp_path / data.id / "ann" / "talk.csv").read_bytes() == b"annotator,start,end"
    assert list(store) == [data]
    assert store.known(data.id) is data


def test_uploads_that_are_not_kept_are_deleted(store, tmp_path):
    with store.incoming() as incoming:
        with incoming.file("a.csv") as file:
            incoming.write(file, b"x")
        assert store.bytes == 1 + 4096

    assert store.bytes == 0
    assert list(tmp_path.iterdir()) == []


def test_upload_without_files_is_rejected(store):
    assert problem(sent, store) == (
        *("usage", 422),
        'send at least one file, as a part named "files"',
    )


def test_upload_size_and_number_of_files_are_limited(store, tmp_path):
    assert problem(lambda: sent(store, a=60, b=41)) == ("limit", 413, str(too_large(store.limits)))
    assert problem(lambda: sent(store, a=1, b=1, c=1, d=1)) == (
        *("limit", 413),
        "an upload may contain at most 3 files",
    )
    assert sent(store, a=60, b=40).bytes == 100
    assert len(list(tmp_path.iterdir())) == 1


def test_size_limit_is_given_in_megabytes():
    assert str(too_large(Limits())) == "an upload may have at most 104.9 MB"


def test_total_size_of_uploads_is_limited(store):
    kept = [sent(store, a=0, b=0, c=1) for _ in range(3)]

    assert problem(lambda: sent(store, a=0, b=1)) == (
        *("limit", 507),
        "the storage of the service is full; try again later",
    )
    store.forget(kept[0].id)
    assert sent(store, a=0, b=1).files == {"a.csv": 0, "b.csv": 1}


def test_duplicate_file_names_are_rejected(store):
    with store.incoming() as incoming:
        incoming.file("C:\\data\\a.csv").close()
        assert problem(incoming.file, "../data/a.csv") == (
            *("usage", 422),
            "two files are named data/a.csv",
        )
        assert problem(incoming.file, "data/a.csv/b.csv") == (
            *("usage", 422),
            "the name data/a.csv/b.csv conflicts with another file",
        )


def test_using_an_upload_postpones_its_expiry(store):
    data = sent(store, a=1)
    data.expires = time.time() + 1

    assert store.known(data.id).expires > time.time() + store.limits.expiry_seconds - 60


def test_expired_and_unknown_uploads_are_not_found(store):
    data = sent(store, a=1)
    data.expires = time.time() - 1
    gone = ("not-found", 404, "the data do not exist or have expired; send the files again")

    assert problem(store.known, data.id) == gone
    assert problem(store.known, "d_none") == gone


def test_uploads_can_be_deleted_twice(store, tmp_path):
    data, other = sent(store, a=1), sent(store, a=1)
    for _ in range(2):
        store.forget(data.id)

    assert list(store) == [other]
    assert [path.name for path in tmp_path.iterdir()] == [other.id]


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ("ann/doc1.csv", "ann/doc1.csv"),
        ("../../etc/passwd", "etc/passwd"),
        ("C:\\data\\a.csv", "data/a.csv"),
        ("/a//./b.csv", "a/b.csv"),
        (" a\n.csv ", "a.csv"),
        ("ü\ud800.csv", "ü?.csv"),
    ],
)
def test_file_names_are_made_safe(values, kept):
    assert safe_name(values) == kept


def test_examples_are_recognized_by_prefix():
    assert is_example("example:interview")
    assert not is_example("d_example:interview")
