"""Checkpoints: storing chunks, resuming with the same settings only, and errors."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

import unisono as un
from dying_workers import DEADLY, failing_cost
from sample_texts import CORPUS, TEXT
from unisono.errors import DataError, SettingError
from unisono.measures.gamma.documents import DocumentsTask, SharedTask
from work_samples import FEW, document, documents

if TYPE_CHECKING:
    from pathlib import Path

SOME = documents(150)


@pytest.fixture
def done(monkeypatch, short_chunks):
    """Numbers of the tasks that are run; chunks are short, so that there are several."""
    begun: list[Any] = []
    for kind in (DocumentsTask, SharedTask):
        monkeypatch.setattr(kind, "run", _counted(begun, kind.run))
    return begun


def _counted(begun, done):
    def counted(task):
        begun.append(task)
        return done(task)

    return counted


@pytest.fixture
def stops(monkeypatch):
    """Interrupt the work after a number of tasks, as Ctrl-C would."""
    left = [10**6]
    done = DocumentsTask.run

    def stopping(task):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return done(task)

    def after(tasks: int) -> None:
        left[0] = tasks

    monkeypatch.setattr(DocumentsTask, "run", stopping)
    return after


@pytest.mark.parametrize("chance", ["shift", "corpus"])
@pytest.mark.parametrize("settings", [{"draws": 12}, {"precision": 0.02}])
def test_a_second_run_computes_nothing_and_gives_the_same(tmp_path, done, chance, settings):
    plain = un.gamma(CORPUS, chance=chance, rng=5, **settings)
    first = un.gamma(CORPUS, chance=chance, rng=5, checkpoint=tmp_path, **settings)
    computed = len(done)
    second = un.gamma(CORPUS, chance=chance, rng=5, checkpoint=tmp_path, **settings)

    assert computed
    assert len(done) == computed
    assert plain.to_json() == first.to_json() == second.to_json()
    assert first.documents["one"].alignment is not None
    assert (
        first.documents["one"].alignment.to_dict() == second.documents["one"].alignment.to_dict()  # type: ignore[union-attr]
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_work_resumes_where_it_stopped(tmp_path, done, stops, workers):
    whole = un.gamma(SOME, workers=1, **FEW)
    chunks = len(done)
    stops(2)
    with pytest.raises(KeyboardInterrupt):
        un.gamma(SOME, workers=1, checkpoint=tmp_path, **FEW)
    done.clear()
    stops(10**6)
    resumed = un.gamma(SOME, workers=workers, checkpoint=tmp_path, **FEW)

    assert len(done) == chunks - 2
    assert resumed.to_json() == whole.to_json()


def test_the_draws_of_one_large_document_resume(tmp_path, done, stops):
    whole = un.gamma(TEXT, draws=2000, rng=1, workers=1)
    chunks = len(done)
    stops(3)
    with pytest.raises(KeyboardInterrupt):
        un.gamma(TEXT, draws=2000, rng=1, workers=1, checkpoint=tmp_path)
    done.clear()
    stops(10**6)
    resumed = un.gamma(TEXT, draws=2000, rng=1, checkpoint=tmp_path)

    assert chunks > 4
    assert len(done) == chunks - 3
    assert resumed.to_json() == whole.to_json()


def test_without_a_seed_the_one_of_the_checkpoint_is_taken(tmp_path):
    first = un.gamma(TEXT, draws=30, checkpoint=tmp_path)
    assert un.gamma(TEXT, draws=30, checkpoint=tmp_path).to_json() == first.to_json()


def test_a_calibration_resumes(tmp_path, done):
    settings: dict[str, Any] = {"errors": "position", "magnitudes": (0.2, 0.5), "repeats": 5}
    settings |= {"draws": 5, "rng": 3}
    first = un.calibrate(TEXT, checkpoint=tmp_path, **settings)
    computed = len(done)
    again = un.calibrate(TEXT, checkpoint=tmp_path, **settings)

    assert len(done) == computed
    assert first.to_json() == again.to_json() == un.calibrate(TEXT, **settings).to_json()
    with pytest.raises(SettingError, match=r"another computation \(repeats 5, not 6\)"):
        un.calibrate(TEXT, checkpoint=tmp_path, **settings | {"repeats": 6})
    with pytest.raises(SettingError, match="computation calibration, not gamma"):
        un.gamma(TEXT, checkpoint=tmp_path)


def test_a_failure_that_was_reported_is_raised_when_requested(tmp_path):
    crowd = un.Continuum.from_units([(f"annotator {i}", 0, 5) for i in range(151)])
    corpus = un.Corpus.from_continua({"good": document(1), "bad": crowd})
    told = un.gamma(corpus, on_error="report", checkpoint=tmp_path, **FEW)
    again = un.gamma(corpus, on_error="report", checkpoint=tmp_path, **FEW)

    assert list(told.failed_documents) == ["bad"]
    assert again.to_json() == told.to_json()
    with pytest.raises(DataError, match="document 'bad'"):
        un.gamma(corpus, checkpoint=tmp_path, **FEW)


def _change(folder: Path, statement: str, *values: object) -> None:
    base = sqlite3.connect(folder / "checkpoint.sqlite")
    with base:
        base.execute(statement, values)
    base.close()


def _cut_off(folder: Path) -> None:
    _change(folder, "UPDATE chunk SET content = substr(content, 1, 99) WHERE number = 0")


def _one_bit_changed(folder: Path) -> None:
    """Damage the file in the middle of the content of a chunk."""
    path = folder / "checkpoint.sqlite"
    base = sqlite3.connect(path)
    (inside,) = base.execute("SELECT substr(content, -16) FROM chunk WHERE number = 0").fetchone()
    base.close()
    content = bytearray(path.read_bytes())
    content[content.index(inside) + 8] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [_cut_off, _one_bit_changed])
def test_a_chunk_that_is_not_whole_is_done_again(tmp_path, done, damage):
    first = un.gamma(SOME, checkpoint=tmp_path, **FEW)
    computed = len(done)
    damage(tmp_path)
    done.clear()
    again = un.gamma(SOME, checkpoint=tmp_path, **FEW)
    assert (len(done), again.to_json()) == (1, first.to_json())
    done.clear()
    un.gamma(SOME, checkpoint=tmp_path, **FEW)

    assert computed > 1
    assert not done


def test_a_calibration_whose_chunks_are_gone_is_done_again(tmp_path, done):
    settings: dict[str, Any] = {"errors": "position", "magnitudes": (0.2, 0.5), "repeats": 5}
    settings |= {"draws": 5, "rng": 3}
    first = un.calibrate(TEXT, checkpoint=tmp_path, **settings)
    _change(tmp_path, "DELETE FROM chunk")
    done.clear()

    assert un.calibrate(TEXT, checkpoint=tmp_path, **settings).to_json() == first.to_json()
    assert done


# Errors


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"rng": 6}, "seed 5, not 6"),
        ({"draws": 13}, "draws 12, not 13"),
        ({"soft": True}, "alignment not recorded, not soft:yes"),
        ({"chance": "gamma-software"}, "chance shift, not gamma-software"),
        ({"chance_from": ("ann",)}, "from everyone, not ann"),
        ({"confidence": 0.9}, "confidence 0.95, not 0.9"),
        (
            {"dissimilarity": un.CombinedDissimilarity(position=3.0)},
            (
                "dissim combined[pos=1,label=1,empty=1,distance=nominal], "
                "not combined[pos=3,label=1,empty=1,distance=nominal]"
            ),
        ),
    ],
)
def test_a_checkpoint_of_other_settings_is_refused(tmp_path, other, said):
    un.gamma(documents(3), checkpoint=tmp_path, **FEW)
    with pytest.raises(SettingError, match="the checkpoint of another computation") as refused:
        un.gamma(documents(3), checkpoint=tmp_path, **FEW | other)

    assert said in str(refused.value)
    assert str(refused.value).endswith("use the same data and settings, or another folder")


def test_a_checkpoint_of_other_data_or_distances_is_refused(tmp_path):
    un.gamma(documents(3), checkpoint=tmp_path / "a", **FEW)
    with pytest.raises(SettingError, match=r"\(data …?[0-9a-f]{12}…, not …?[0-9a-f]{12}…\)"):
        un.gamma(documents(4), checkpoint=tmp_path / "a", **FEW)
    near, far = (
        un.CombinedDissimilarity(
            distance=un.DistanceMatrix(("A", "B"), [[0.0, apart], [apart, 0.0]])
        )
        for apart in (0.5, 0.25)
    )
    un.gamma(documents(3), dissimilarity=near, checkpoint=tmp_path / "b", **FEW)
    with pytest.raises(SettingError, match="distances"):
        un.gamma(documents(3), dissimilarity=far, checkpoint=tmp_path / "b", **FEW)


def test_a_checkpoint_of_another_version_is_refused(tmp_path, monkeypatch):
    un.gamma(TEXT, checkpoint=tmp_path, **FEW)
    monkeypatch.setattr("unisono.measures.gamma.gamma.__version__", "99.0")
    with pytest.raises(SettingError, match=r"\(v .*, not 99\.0\)"):
        un.gamma(TEXT, checkpoint=tmp_path, **FEW)


def test_an_own_dissimilarity_is_not_kept(tmp_path):
    own = un.CustomDissimilarity(cost=failing_cost, name="own")
    with pytest.raises(SettingError, match="checkpoint= cannot be combined with a custom"):
        un.gamma(TEXT, dissimilarity=own, checkpoint=tmp_path, **FEW)
    with pytest.raises(SettingError, match="cannot be combined with a custom dissimilarity"):
        un.calibrate(TEXT, dissimilarity=own, checkpoint=tmp_path)
    assert DEADLY not in TEXT.labels
