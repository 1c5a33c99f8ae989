"""Ratings in Parquet, aggregated by each supported engine."""

import polars as pl
import pytest

from unisono.errors import ReadError, SettingError
from unisono.formats import parquet as parquet_files
from unisono.formats.read import read_ratings
from unisono.model.ratings import Ratings


@pytest.fixture
def parquet(tmp_path):
    path = tmp_path / "ratings.parquet"
    columns = {"rater": ["ann", "bob", "ann"], "item": ["s1", "s1", "s2"], "score": [1, 2, None]}
    pl.DataFrame(columns).write_parquet(path)
    return path


@pytest.mark.parametrize("engine", ["duckdb", "polars", "pyarrow"])
def test_parquet_is_counted_by_whichever_engine_is_there(parquet, engine, monkeypatch):
    monkeypatch.setattr(parquet_files, "find_spec", lambda name: name == engine)
    table = read_ratings(parquet)
    assert table == Ratings.from_columns(["ann", "bob"], ["s1", "s1"], [1, 2])
    declared = read_ratings(parquet, wide=False, annotator_columns=("ann", "bob", "eve"))
    assert declared.annotators == ("ann", "bob", "eve")
    assert read_ratings(parquet, annotator="item", item="rater", label=3).annotators == ("s1", "s2")


def test_parquet_needs_an_engine(parquet, monkeypatch):
    monkeypatch.setattr(parquet_files, "find_spec", lambda _: None)
    with pytest.raises(ReadError, match="requires one of 'duckdb', 'polars', 'pyarrow'"):
        read_ratings(parquet)


@pytest.mark.parametrize(
    "settings",
    [
        {"delimiter": ","},
        {"na_values": "NA"},
        {"header": True},
        {"wide": True},
        {"annotator_columns": (1,)},
    ],
)
def test_parquet_takes_no_settings_of_text_tables(parquet, settings):
    with pytest.raises(SettingError, match=r"Parquet.* remove"):
        read_ratings(parquet, **settings)


@pytest.mark.parametrize("content", [b"", b"x", b"PAR1 and no end", b"annotator,item,label\n"])
def test_a_file_that_is_not_parquet_is_refused(write_here, content):
    with pytest.raises(ReadError, match="not a Parquet file, or truncated"):
        read_ratings(write_here(content, "ratings.parquet"))
    with pytest.raises(ReadError, match="the file cannot be opened"):
        read_ratings("other.parquet")


def test_parquet_without_the_columns_is_refused(tmp_path):
    path = tmp_path / "x.parquet"
    pl.DataFrame({"x": [1]}).write_parquet(path)
    with pytest.raises(
        ReadError, match=r"x.parquet: no column for annotator, item, label; .* label=…$"
    ):
        read_ratings(path)
