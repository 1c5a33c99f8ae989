"""Lazy tables, aggregated by their own engines, give the same ratings as tables in memory."""

import shutil

import dask.dataframe as dd
import duckdb
import numpy as np
import polars as pl
import pytest

from unisono.errors import DataError, SettingError
from unisono.model import lazy_frames
from unisono.model.ratings import Ratings

NAN = float("nan")


def from_polars(frame):
    return frame.lazy()


# Old versions close an unreferenced connection even if one of its tables is in use.
connections: list[duckdb.DuckDBPyConnection] = []


def from_duckdb(frame):
    connection = duckdb.connect()
    connections.append(connection)
    connection.register("ratings", frame.to_arrow())
    return connection.table("ratings")


def from_dask(frame):
    # Arrow types, because others convert integers to floats if labels are missing.
    return dd.from_pandas(frame.to_pandas(use_pyarrow_extension_array=True), npartitions=3)


engines = pytest.mark.parametrize("lazy", [from_polars, from_duckdb, from_dask])


def long(labels, n_annotators=4):
    """Return ratings of items by alternating annotators."""
    places = np.arange(len(labels))
    return pl.DataFrame(
        {
            "annotator": [f"a{place % n_annotators}" for place in places],
            "item": (places // n_annotators).tolist(),
            "label": labels,
        }
    )


def some(values, n=120):
    rng = np.random.default_rng(7)
    return [values[place] for place in rng.integers(0, len(values), n)]


COLUMNS = {
    "texts": pl.Series(some(["x", "y", "ß", "", None])),
    "integers": pl.Series(some([1, 2, 3])),
    "large integers": pl.Series(some([2**60, 2**60 + 1, None])),
    "floats": pl.Series(some([0.5, 2.0, NAN, None])),
    "truth": pl.Series(some([True, False, None])),
    "decimals": pl.Series(some(["1.5", "2.0", None])).cast(pl.Decimal(10, 2)),
    "small": pl.Series(some([1, 2, None]), dtype=pl.Int8),
    "only missing": pl.Series([None] * 120, dtype=pl.String),
}


@pytest.fixture
def collected(monkeypatch):
    """Record the number of collected rows."""
    rows = []
    collect = lazy_frames.collect

    def recorded(table):
        frame = collect(table)
        rows.append(len(frame))
        return frame

    monkeypatch.setattr(lazy_frames, "collect", recorded)
    return rows


@engines
@pytest.mark.parametrize("kind", COLUMNS)
def test_an_engine_counts_what_memory_would(lazy, kind, collected):
    frame = long(COLUMNS[kind])
    table = Ratings.from_frame(lazy(frame))
    assert table == Ratings.from_frame(frame)
    if (kind, lazy) == ("truth", from_dask):
        assert collected == [120]  # which Dask cannot compare
    else:
        assert table.items is None
        assert len(collected) == 2


@engines
def test_only_distinct_rows_are_restored(lazy, collected):
    rng = np.random.default_rng(5)
    frame = long(rng.choice(["x", "y"], 10_000).tolist())
    table = Ratings.from_frame(lazy(frame))
    assert table == Ratings.from_frame(frame)
    assert (table.n_items, len(table.times)) == (2500, 16)
    assert collected == [4, 16]


@engines
def test_separated_texts_are_split_after_counting(lazy, collected):
    frame = long(some(["a|b", "b|a", "b", " ", "|", None]))
    table = Ratings.from_frame(lazy(frame), separator="|")
    assert table == Ratings.from_frame(frame, separator="|")
    assert set(table.labels) == {frozenset("ab"), frozenset("b"), frozenset()}
    assert len(collected) == 2


@pytest.mark.parametrize("lazy", [from_polars, from_duckdb])
def test_lists_are_taken_into_memory(lazy, collected):
    frame = long(pl.Series(some([["a", "b"], ["b", "a"], [], None])))
    table = Ratings.from_frame(lazy(frame))
    assert table == Ratings.from_frame(frame)
    assert collected == [120]


@engines
def test_very_many_annotators_are_taken_into_memory(lazy, collected):
    frame = long(some(["x", "y"], 130), n_annotators=65)
    table = Ratings.from_frame(lazy(frame))
    assert table == Ratings.from_frame(frame)
    assert collected == [65, 130]
    assert table.items == (0, 1)


@pytest.mark.parametrize("lazy", [from_polars, from_duckdb])
def test_as_many_annotators_as_an_engine_takes_are_counted(lazy, collected):
    frame = long(some(["x", "y"], 640), n_annotators=64)
    assert Ratings.from_frame(lazy(frame)) == Ratings.from_frame(frame)
    assert collected[1] == 10


@engines
def test_columns_may_have_any_names_and_types(lazy):
    frame = pl.DataFrame(
        {
            "annotator 0": [1, 2, 1, 2],
            "ratings": ["s", "s", "t", "t"],
            "times": ["lo", "hi", "lo", "lo"],
        }
    )

    def named(frame):
        return Ratings.from_frame(frame, annotator="annotator 0", item="ratings", label="times")

    table = named(lazy(frame))
    assert table == named(frame)
    assert table.annotators == ("1", "2")


def test_categories_of_polars_are_texts():
    frame = long(some(["lo", "hi", None])).cast(
        {"label": pl.Enum(["lo", "hi"]), "annotator": pl.Categorical}
    )
    assert Ratings.from_frame(frame.lazy()) == Ratings.from_frame(frame)


@engines
def test_truth_may_name_annotators(lazy):
    frame = pl.DataFrame({"annotator": [True, False], "item": [True, True], "label": [1, 2]})
    assert Ratings.from_frame(lazy(frame)).annotators == ("false", "true")
    assert Ratings.from_frame(lazy(frame)) == Ratings.from_frame(frame)


@engines
def test_annotators_who_only_left_gaps_stay(lazy):
    frame = pl.DataFrame({"annotator": ["a", "b"], "item": [1, 1], "label": ["x", None]})
    table = Ratings.from_frame(lazy(frame))
    assert (table.annotators, table.n_ratings) == (("a", "b"), 1)
    declared = Ratings.from_frame(lazy(frame), annotators=("a", "b", "c"))
    assert declared.annotators == ("a", "b", "c")
    with pytest.raises(DataError, match=r"'b' has ratings but is not among .* 'a'; add"):
        Ratings.from_frame(lazy(frame), annotators=("a",))


@engines
def test_a_table_without_rows_is_a_table(lazy):
    table = Ratings.from_frame(lazy(long(["x"])[:0]))
    assert table == Ratings.from_columns([], [], [])


@engines
def test_an_annotator_with_two_ratings_of_an_item_is_named(lazy):
    frame = long(some(["x"]))
    twice = pl.concat([frame, frame[5:6].with_columns(label=pl.lit("y"))])
    with pytest.raises(
        DataError, match=r"'a1' rated the item 1 twice, as 'x' and as 'y'; keep one"
    ):
        Ratings.from_frame(lazy(twice))
    same = pl.concat([frame, frame[5:6]])
    with pytest.raises(DataError, match=r"'a1' rated the item 1 twice, as 'x'; keep one"):
        Ratings.from_frame(lazy(same))


@engines
def test_a_repeat_is_found_where_another_annotator_is_missing(lazy):
    # As many ratings as annotators, but two by one annotator and none by the other.
    frame = pl.DataFrame(
        {"annotator": ["a", "b", "a", "a"], "item": [1, 1, 2, 2], "label": [1, 1, 1, 2]}
    )
    with pytest.raises(DataError, match=r"'a' rated the item 2 twice, as 1 and as 2"):
        Ratings.from_frame(lazy(frame))


def test_huge_and_decimal_numbers_of_duckdb_stay_exact():
    connection = duckdb.connect()
    connection.execute("create table huge(annotator text, item hugeint, label hugeint)")
    # As text, because old versions convert such large parameters to floats.
    rows = [("x", 2**100, 2**101), ("y", 2**100, 2**101 + 1), ("z", 2**100, None)]
    texts = [[each if each is None else str(each) for each in row] for row in rows]
    connection.executemany("insert into huge values (?, ?, ?)", texts)
    assert Ratings.from_frame(connection.table("huge")).labels == (2**101, 2**101 + 1)
    connection.execute("create table twice(annotator decimal, item decimal, label decimal(4, 1))")
    connection.execute("insert into twice values (1, 1, 1.5), (1, 1, 2)")
    with pytest.raises(DataError, match=r"'1' rated the item 1 twice, as 1.5 and as 2;"):
        Ratings.from_frame(connection.table("twice"))


@pytest.mark.parametrize("lazy", [from_polars, from_duckdb])
def test_truth_values_and_numbers_are_quoted_as_given(lazy):
    frame = pl.DataFrame(
        {"annotator": [1, 1], "item": [2**60 + 1] * 2, "label": pl.Series([True, False])}
    )
    told = rf"'1' rated the item {2**60 + 1} twice, as 'false' and as 'true'"
    with pytest.raises(DataError, match=told):
        Ratings.from_frame(lazy(frame))


def test_the_first_is_kept_where_rows_have_an_order():
    frame = pl.DataFrame({"annotator": ["a", "a"], "item": [1, 1], "label": ["z", "b"]})
    table = Ratings.from_frame(frame.lazy(), duplicates="first")
    assert table.labels == ("z",)
    with pytest.raises(DataError, match="or use duplicates='first'"):
        Ratings.from_frame(frame.lazy())


@pytest.mark.parametrize("lazy", [from_duckdb, from_dask])
def test_where_rows_have_no_order_there_is_no_first(lazy):
    frame = pl.DataFrame({"annotator": ["a", "a"], "item": [1, 1], "label": ["z", "b"]})
    with pytest.raises(DataError, match="have no order: collect it first"):
        Ratings.from_frame(lazy(frame), duplicates="first")
    good = frame.with_columns(item=pl.Series([1, 2]))
    assert Ratings.from_frame(lazy(good), duplicates="first") == Ratings.from_frame(good)


@engines
@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("annotator", ["a", None, "b"], "every rating needs an annotator; 1 row has none"),
        ("annotator", ["a", "", "b"], "every rating needs an annotator; 1 row has none"),
        ("annotator", ["a", " ", "b"], "an annotator needs a name; got ' '"),
        ("item", [None, None, 1], "every rating needs an item; 2 rows have none"),
        ("item", ["", "x", "y"], "every rating needs an item; 1 row has none"),
        ("item", [NAN, 1.5, 2.5], "every rating needs an item; 1 row has none"),
        ("label", [1.5, float("inf"), 2.0], "^a numeric label must be finite; got inf"),
    ],
)
def test_bad_rows_are_refused(lazy, column, values, message):
    frame = pl.DataFrame(
        {"annotator": ["a", "b", "c"], "item": [1, 2, 3], "label": ["x", "y", "z"]}
    )
    with pytest.raises(DataError, match=message):
        Ratings.from_frame(lazy(frame.with_columns(pl.Series(column, values))))


@engines
def test_settings_and_columns_are_checked_before_anything_is_counted(lazy, collected):
    frame = lazy(long(["x"]))
    with pytest.raises(SettingError, match="unknown duplicates='last'"):
        Ratings.from_frame(frame, duplicates="last")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"no column 'what' in the dataframe"):
        Ratings.from_frame(frame, item="what")
    assert collected == []


def test_counts_come_by_whichever_library_is_there(monkeypatch):
    frame = long(some(["x", "y"]))
    for backend in ("pyarrow", "polars", "pandas"):
        monkeypatch.setattr(lazy_frames, "find_spec", lambda name, backend=backend: name == backend)
        assert Ratings.from_frame(from_duckdb(frame)) == Ratings.from_frame(frame)
    monkeypatch.setattr(lazy_frames, "find_spec", lambda _: None)
    with pytest.raises(DataError, match="one of 'pyarrow', 'polars', 'pandas'; install one"):
        Ratings.from_frame(from_duckdb(frame))


@pytest.mark.spark
@pytest.mark.filterwarnings("ignore")
def test_pyspark_counts_what_memory_would():
    if shutil.which("java") is None:
        pytest.skip("PySpark needs Java")
    sql = pytest.importorskip("pyspark.sql")
    builder = sql.SparkSession.builder.master("local[1]")
    settings = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2"}
    session = builder.config(map=settings).getOrCreate()
    try:
        for kind in ("texts", "integers", "floats", "truth"):
            frame = long(COLUMNS[kind])
            lazy = session.createDataFrame(frame.rows(), frame.columns)
            assert Ratings.from_frame(lazy) == Ratings.from_frame(frame)
        twice = session.createDataFrame([("a", 1, "x"), ("a", 1, "y")], frame.columns)
        with pytest.raises(DataError, match="'a' rated the item 1 twice, as 'x' and as 'y'"):
            Ratings.from_frame(twice)
    finally:
        session.stop()
