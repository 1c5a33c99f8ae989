"""A corpus read document by document is the corpus that is read at once."""

import gc
import pickle
import re

import numpy as np
import pytest

import unisono as un
from tool_samples import SAMPLES
from unisono.errors import DataError, ReadError, SettingError
from unisono.formats import contents
from unisono.formats.contents import ColumnFiles
from unisono.measures.gamma.dissimilarity import label_counts
from unisono.measures.sampling import Dice


def rows_of(number, names=("ann", "bob", "eve")):
    dice = Dice(number)
    for i in range(2 + number % 5):
        for name in names[: 2 + number % 2]:
            start, length, label = dice.roll(3).tolist()
            yield (
                name,
                f"{10 * i + start:.3f}",
                f"{10 * i + start + 5 * length:.3f}",
                int(3 * label),
            )


@pytest.fixture
def folder(tmp_path):
    for number in range(12):
        lines = [",".join(map(str, row)) for row in rows_of(number)]
        text = "\n".join(["annotator,start,end,label", *lines, ""])
        (tmp_path / f"text{number:02}.csv").write_text(text)
    return tmp_path


@pytest.fixture
def mixed_table(tmp_path):
    """A table in which the rows of documents stand mixed."""
    rows = [f"text{n},{','.join(map(str, row))}" for n in range(9) for row in rows_of(n)]
    rows = [rows[i] for i in np.argsort(Dice(3).roll(len(rows)), kind="stable")]
    path = tmp_path / "all.csv"
    path.write_text("\n".join(["document,annotator,start,end,label", *rows, ""]))
    return path


@pytest.fixture
def spilling(monkeypatch):
    monkeypatch.setattr(contents, "_MOST_WAITING", 7)


@pytest.mark.usefixtures("spilling")
@pytest.mark.parametrize("annotators", ["auto", "units", "corpus"])
@pytest.mark.parametrize("kind", ["folder", "mixed_table"])
def test_it_is_equal_to_what_read_gives(kind, annotators, request):
    path = request.getfixturevalue(kind)
    lazy = un.scan_corpus(path, annotators=annotators)
    whole = un.read(path, annotators=annotators)

    assert lazy == whole
    assert isinstance(lazy, un.Corpus)
    for name in ("annotators", "labels", "n_units", "annotators_from", "digest", "notes"):
        assert getattr(lazy, name) == getattr(whole, name)
    assert list(lazy) == list(whole)
    for name, continuum in whole.items():
        assert lazy[name] == continuum
        assert lazy[name].annotators_from == continuum.annotators_from
        assert lazy[name].starts.flags.writeable is False
        assert type(lazy[name].starts) is np.ndarray
    assert label_counts(lazy) == label_counts(whole)


@pytest.mark.usefixtures("spilling")
def test_gamma_is_the_same_in_all_its_parts(folder):
    lazy = un.gamma(un.scan_corpus(folder), draws=30, rng=1)
    whole = un.gamma(un.read(folder), draws=30, rng=1)

    assert lazy.to_json() == whole.to_json()
    assert lazy == whole


@pytest.mark.usefixtures("spilling")
def test_other_measures_take_it_too(folder):
    lazy, whole = un.scan_corpus(folder), un.read(folder)

    assert un.slot_error_agreement(lazy).to_json() == un.slot_error_agreement(whole).to_json()
    assert lazy.only(documents=("text03",)) == whole.only(documents=("text03",))
    assert lazy.rename(annotators={"ann": "zoe"}) == whole.rename(annotators={"ann": "zoe"})


@pytest.mark.parametrize("kind", ["folder", "mixed_table"])
def test_few_units_never_leave_memory(kind, request, monkeypatch):
    monkeypatch.setattr(contents, "ColumnFiles", None)

    assert len(un.scan_corpus(request.getfixturevalue(kind))) in {9, 12}


def test_documents_are_made_anew_each_time_and_not_kept(folder):
    def kept():
        gc.collect()
        return sum(isinstance(each, un.Continuum) for each in gc.get_objects())

    before = kept()
    lazy = un.scan_corpus(folder)

    assert lazy["text00"] is not lazy["text00"]
    assert lazy["text00"] == lazy["text00"]
    assert kept() == before


def test_names_are_known_without_making_documents(folder, monkeypatch):
    lazy = un.scan_corpus(folder)
    monkeypatch.setattr("unisono.model.corpus.continuum_of", None)

    assert "text03" in lazy
    assert "text99" not in lazy
    assert (len(lazy), repr(lazy)) == (
        12,
        "LazyCorpus(12 documents, 3 annotators, 113 units, 3 labels)",
    )
    with pytest.raises(KeyError):
        lazy["text99"]


def test_a_table_of_who_saw_what_adds_documents_without_units(folder):
    seen = {f"text{n:02}": ("ann", "bob", "eve") for n in range(12)} | {"empty": ("ann", "bob")}
    lazy = un.scan_corpus(folder, annotators=seen)

    assert lazy == un.read(folder, annotators=seen)
    assert len(lazy["empty"]) == 0
    with pytest.raises(DataError, match=r"document 'text00': .* table"):
        un.scan_corpus(folder, annotators={"text01": ("ann", "bob", "eve")})


def test_labels_are_numbers_only_if_all_labels_of_the_corpus_are(folder):
    assert (
        un.scan_corpus(folder)["text00"].labels
        == (0, 1, 2)[: len(un.read(folder)["text00"].labels)]
    )
    (folder / "words.csv").write_text("annotator,start,end,label\nann,0,1,two\nbob,0,1,two\n")

    assert un.scan_corpus(folder) == un.read(folder)
    assert all(isinstance(label, str) for label in un.scan_corpus(folder)["text00"].labels)


def test_an_extent_and_bad_rows_are_treated_as_by_read(folder):
    (folder / "text00.csv").write_text(
        "annotator,start,end,label\nann,0,1,a\nbob,9,1,a\nbob,0,1,a\n"
    )
    lazy = un.scan_corpus(folder, on_error="skip", extent=(0, 200))
    whole = un.read(folder, on_error="skip", extent=(0, 200))

    assert (lazy, lazy.skipped) == (whole, 1)
    assert lazy["text01"].extent == (0.0, 200.0)
    with pytest.raises(ReadError, match=r"text00.csv:3: .*cannot end before"):
        un.scan_corpus(folder)
    with pytest.raises(DataError, match=r"document 'text0\d': all units lie within the extent"):
        un.scan_corpus(folder, on_error="skip", extent=(0, 3))
    with pytest.raises(SettingError, match="unknown fragments"):
        un.scan_corpus(folder, fragments="none")  # type: ignore[arg-type]


@pytest.mark.usefixtures("spilling")
@pytest.mark.parametrize("fragments", ["whole", "split"])
def test_units_in_pieces_stay_in_pieces_or_are_split(tmp_path, fragments):
    for name in ("ann", "bob"):
        place = tmp_path / name
        place.mkdir()
        for number in range(3):
            (place / f"t{number}.txt").write_text("We looked it up and went away. " * 3)
            (place / f"t{number}.ann").write_text(
                "T1\tverb 3 9;13 15\tlooked up\nT2\tverb 20 24\twent\n"
                + "".join(f"T{i}\tnoun {20 + i} {25 + i}\tx\n" for i in range(3, 9))
            )
    lazy = un.scan_corpus(tmp_path, fragments=fragments)
    whole = un.read(tmp_path, fragments=fragments)

    assert lazy == whole
    assert whole["t1"].text is not None
    assert lazy["t1"].text is None
    assert [unit.fragments for unit in lazy["t1"]] == [unit.fragments for unit in whole["t1"]]


def test_texts_that_differ_between_files_are_noted_all_the_same(tmp_path):
    for name, text in (("ann", "one way"), ("bob", "or another")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.txt").write_text(text)
        (tmp_path / name / "t.ann").write_text("T1\tnoun 0 3\tone\n")

    notes = un.scan_corpus(tmp_path).notes
    assert notes == un.read(tmp_path).notes
    assert "texts of a document that differ" in notes[0]


def test_a_document_without_units_is_there_if_it_is_known_who_saw_it(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("annotator,start,end,label\n")
    lazy = un.scan_corpus(path, annotators={"a": ("ann", "bob")})

    assert (len(lazy), lazy.n_units, lazy["a"].annotators) == (1, 0, ("ann", "bob"))


@pytest.mark.usefixtures("spilling")
def test_a_pickle_holds_the_documents_themselves(folder):
    lazy = un.scan_corpus(folder)
    again = pickle.loads(pickle.dumps(lazy))  # noqa: S301 - our own

    assert again == lazy
    assert type(again) is un.Corpus


def test_no_room_for_the_units_is_told_in_a_sentence(monkeypatch):
    class FullDisk:
        def write(self, _):
            raise OSError(28, "No space left on device")

        def close(self):
            pass

    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: FullDisk())
    files = ColumnFiles([np.int32])
    with pytest.raises(ReadError, match=re.escape("No space left on device; the environment")):
        files.append([np.arange(3, dtype=np.int32)])


def test_no_place_for_files_is_told_in_a_sentence(monkeypatch):
    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(ReadError, match="Permission denied; the environment variable TMPDIR"):
        ColumnFiles([np.int32])


def test_columns_without_rows_are_empty():
    assert [len(column) for column in ColumnFiles([np.int32, np.float64]).columns()] == [0, 0]


@pytest.mark.usefixtures("spilling")
@pytest.mark.parametrize(("format_", "name", "content"), SAMPLES)
def test_every_format_is_read_the_same(tmp_path, format_, name, content):
    for annotator in ("ann", "bob"):
        (tmp_path / annotator).mkdir()
        (tmp_path / annotator / name).write_text(content, encoding="utf-8")
    try:
        whole = un.read(tmp_path, format=format_, annotator="folder")
    except un.UnisonoError as error:
        # Some samples have several layers, or name annotators inside.
        with pytest.raises(type(error), match=re.escape(str(error))):
            un.scan_corpus(tmp_path, format=format_, annotator="folder")
        return
    lazy = un.scan_corpus(tmp_path, format=format_, annotator="folder")

    assert lazy == whole
    assert (lazy.notes, lazy.skipped) == (whole.notes, whole.skipped)


def test_texts_that_were_not_kept_are_not_lost_in_silence(tmp_path):
    lazy = un.scan_corpus("examples/corpus")

    with pytest.warns(UserWarning, match="keeps no texts and attributes.*; read keeps them"):
        un.write(lazy, tmp_path / "units.jsonl")
    assert un.read(tmp_path / "units.jsonl") == lazy
