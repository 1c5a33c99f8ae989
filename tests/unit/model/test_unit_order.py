"""Canonical order of units, by each way of sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unisono.model import columns as details
from unisono.model import continuum
from unisono.model.columns import Detail, UnitColumns, details_of
from unisono.model.continuum import unit_order

UNITS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from([-1.0, -0.0, 0.0, 0.5, 2.0]),
        st.integers(2, 3),
        st.integers(0, 2),
        st.sampled_from([None, "x", "y"]),
    ),
    max_size=25,
)


def columns_of(units):
    owners, starts, ends, labels, notes = zip(*units, strict=True) if units else ((),) * 5
    kept = {
        row: Detail(attributes={"note": note}) for row, note in enumerate(notes) if note is not None
    }
    owner_codes = np.array(owners, dtype=np.int64)
    columns = UnitColumns(
        ("a", "b", "c", "d"),
        owner_codes,
        np.array(starts, dtype=np.float64),
        np.array(ends, dtype=np.float64),
        ("k", "l", "m"),
        np.array(labels, dtype=np.int32),
        details_of(kept),
    )
    return columns, owner_codes


@pytest.mark.parametrize("short_run", [0, 10**9])
@pytest.mark.parametrize("factor", [1, 100_000])
@given(units=UNITS)
def test_units_stand_by_owner_start_end_label_and_what_they_have_besides(units, short_run, factor):
    columns, owners = columns_of(units)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(continuum, "_SHORT_RUN", short_run)
        order = unit_order(columns, owners * factor)
    found = [units[row] for row in order.tolist()]
    assert found == sorted(units, key=lambda unit: (*unit[:4], unit[4] or ""))
    assert sorted(order.tolist()) == list(range(len(units)))


def test_details_are_compared_only_where_all_else_is_alike(monkeypatch):
    seen = []
    key = details._key

    def counted(value):
        seen.append(value)
        return key(value)

    monkeypatch.setattr(details, "_key", counted)
    units = [(0, float(row), 2000, 0, f"unit {row}") for row in range(1000)]
    columns, owners = columns_of([*units, (0, 5.0, 2000, 0, "a copy")])
    order = unit_order(columns, owners).tolist()
    assert order[4:8] == [4, 1000, 5, 6]
    assert len(seen) == 2
