"""Distances between labels as a matrix, defined in Python or read from a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import DataError, ReadError, shortened
from unisono.model.columns import as_list, counted
from unisono.model.labels import Label, as_label, label_text, shown

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

    from unisono.formats.tables import RowBlock
    from unisono.model.arrays import Booleans


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class DistanceMatrix:
    """A matrix of user-defined distances between labels.

    Parameters
    ----------
    labels
        The labels, without duplicates and without ``None``.
    values
        A square matrix with rows and columns in the order of `labels`: symmetric, 0 on the
        diagonal, all values within [0, 1].

    Raises
    ------
    DataError
        If the matrix is not square, does not match the labels, or has an invalid value; the message
        contains the position and the value.

    Notes
    -----
    The matrix may have more labels than the data. A label of the data is looked up first by value,
    then by its text, because labels read from a file are strings: ``"1"`` also matches 1.

    Examples
    --------
    >>> from unisono import DistanceMatrix
    >>> near = DistanceMatrix(["noun", "name", "verb"], [[0, 0.3, 1], [0.3, 0, 1], [1, 1, 0]])
    >>> near
    DistanceMatrix(3 labels: noun, name, verb)
    >>> near["noun", "name"]
    0.3
    >>> DistanceMatrix(["noun", "verb"], [[0, 1], [0.5, 0]])
    Traceback (most recent call last):
        ...
    unisono.errors.DataError: a distance matrix must be symmetric,
        but 'noun' to 'verb' is 1.0 and 'verb' to 'noun' is 0.5
    """

    labels: tuple[Label, ...]
    values: NDArray[np.float64]

    def __init__(self, labels: Sequence[Label], values: ArrayLike) -> None:
        known = _checked_labels(labels)
        table = _checked_values(known, values)
        table.setflags(write=False)
        object.__setattr__(self, "labels", known)
        object.__setattr__(self, "values", table)

    @classmethod
    def from_file(cls, path: str | PathLike[str]) -> DistanceMatrix:
        r"""Read a matrix from a text file whose first row and first column contain the labels.

        Parameters
        ----------
        path
            A table separated by commas, semicolons, tabs or vertical bars, with a decimal point or
            a decimal comma. The first cell of the first row is ignored; rows and columns must have
            the same labels in the same order.

        Returns
        -------
        DistanceMatrix
            The matrix; its labels are strings.

        Raises
        ------
        ReadError
            If the file cannot be read or is not a distance matrix; with the line if possible.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from unisono import DistanceMatrix
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "near.csv")
        ...     _ = path.write_text(",noun,name\nnoun,0,0.3\nname,0.3,0\n")
        ...     DistanceMatrix.from_file(path)
        DistanceMatrix(2 labels: noun, name)
        """
        labels, values = _table_of_file(Path(path))
        try:
            return cls(labels, values)
        except DataError as error:
            raise ReadError(str(error), path=path) from None

    def __getitem__(self, pair: tuple[Label, Label]) -> float:
        left, right = (self.row(label) for label in pair)
        return float(self.values[left, right])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DistanceMatrix):
            return NotImplemented
        return self.labels == other.labels and np.array_equal(self.values, other.values)

    def __hash__(self) -> int:
        return hash((self.labels, self.values.tobytes()))

    def __repr__(self) -> str:
        shown = [label_text(label) for label in self.labels[:5]]
        more = ["…"] if len(self.labels) > len(shown) else []
        return f"DistanceMatrix({len(self.labels)} labels: {', '.join(shown + more)})"

    # Pickled by constructor call, because an unpickled array would be writable.
    def __reduce__(
        self,
    ) -> tuple[type[DistanceMatrix], tuple[tuple[Label, ...], NDArray[np.float64]]]:
        return DistanceMatrix, (self.labels, self.values)

    def row(self, label: Label) -> int:
        """Return the index of the row, which is also the column, of a label.

        Parameters
        ----------
        label
            A label of the data.

        Returns
        -------
        int
            Its index in `labels`.

        Raises
        ------
        DataError
            If the matrix does not have the label; the message lists its labels.

        Examples
        --------
        >>> DistanceMatrix(["1", "2"], [[0, 1], [1, 0]]).row(2)
        1
        """
        if label in self.labels:
            return self.labels.index(label)
        texts = [label_text(known) for known in self.labels]
        if texts.count(label_text(label)) == 1:
            return texts.index(label_text(label))
        msg = (
            f"the distance matrix does not have the label {shown(label)}; "
            f"it has {', '.join(map(shown, self.labels))}"
        )
        raise DataError(msg)


def _checked_labels(labels: Sequence[Label]) -> tuple[Label, ...]:
    known: dict[Label, None] = {}
    for number, value in enumerate(as_list(labels, "labels"), start=1):
        label = as_label(value)
        if label is None:
            msg = f"a distance matrix needs a label for each row; label {number} is {value!r}"
            raise DataError(msg)
        if label in known:
            msg = f"the labels of a distance matrix must be unique; {shown(label)} occurs twice"
            raise DataError(msg)
        known[label] = None
    return tuple(known)


def _checked_values(labels: tuple[Label, ...], values: ArrayLike) -> NDArray[np.float64]:
    if np.ma.is_masked(values):
        msg = "a distance matrix must be a square table of numbers; some of its cells are masked"
        raise DataError(msg)
    try:
        with np.errstate(over="ignore"):  # infinite values are rejected below
            table = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        msg = f"a distance matrix must be a square table of numbers; {error}"
        raise DataError(msg) from None
    n = len(labels)
    if table.shape != (n, n):
        shape = " × ".join(map(str, table.shape)) or "a single number"
        msg = f"the distance matrix of {counted(n, 'label')} must be {n} × {n}, got {shape}"
        raise DataError(msg)
    # Comparisons with NaN are false, so this also finds NaN.
    outside = _first(~((table >= 0.0) & (table <= 1.0)))
    if outside:
        i, j = outside
        msg = (
            f"a distance must be within [0, 1], but {shown(labels[i])} to {shown(labels[j])} "
            f"is {float(table[i, j])!r}"
        )
        raise DataError(msg)
    diagonal = _first(np.diag(np.diag(table) != 0.0))
    if diagonal:
        i, _ = diagonal
        value = float(table[i, i])
        msg = f"a label must have distance 0 to itself, but {shown(labels[i])} has {value!r}"
        raise DataError(msg)
    asymmetric = _first(table != table.T)
    if asymmetric:
        i, j = asymmetric
        left, right = shown(labels[i]), shown(labels[j])
        msg = (
            f"a distance matrix must be symmetric, but {left} to {right} is "
            f"{float(table[i, j])!r} and {right} to {left} is {float(table[j, i])!r}"
        )
        raise DataError(msg)
    return table


def _first(wrong: NDArray[np.bool_]) -> tuple[int, int] | None:
    cells = np.argwhere(wrong)
    return (int(cells[0, 0]), int(cells[0, 1])) if len(cells) else None


def _table_of_file(path: Path) -> tuple[list[str], NDArray[np.float64]]:
    from unisono.formats.tables import Table  # noqa: PLC0415 - measures rarely read a file

    candidates = "\t" if path.suffix.lower() == ".tsv" else ",;\t|"
    table = Table(path, "a first row with the labels", candidates=candidates)
    labels = table.first[1:]
    places = range(1, len(table.first))

    def check(block: RowBlock) -> Booleans:
        for row in block.flawed:
            cells, problem = table.cells_of(row.text), table.problem(row)
            if row.flaw == "width":
                expected = f"a label and {counted(len(labels), 'distance')}"
                problem = f"expected {expected}, got {len(cells) - 1}: {cells}"
            if row.flaw == "number":
                pair = f"{shortened(repr(cells[0]))} to {shortened(repr(labels[row.column - 1]))}"
                cell = cells[row.column]
                problem = f"the distance of {pair} must be a number, not {shortened(repr(cell))}"
                problem += table.decimal_hint(cell)
            raise ReadError(problem, path=path, line=row.line)
        return np.ones(len(block.codes[0]), dtype=bool)

    columns = table.columns(header=True, texts={0: 0}, numbers=places, check=check)
    names, codes = columns.texts[0]
    rows = ["" if code < 0 else names[code] for code in codes.tolist()]
    for at, (row, label) in enumerate(zip(rows, labels, strict=False)):
        if row != label:
            problem = (
                f"rows and columns must have the same labels in the same order; "
                f"this row is {row!r} and its column is {label!r}"
            )
            raise ReadError(problem, path=path, line=table.line_of(at))
    if len(rows) < len(labels):
        problem = f"the row of the label {labels[len(rows)]!r} is missing"
        raise ReadError(problem, path=path)
    if len(rows) > len(labels):
        problem = f"more rows than the {counted(len(labels), 'label')} of the first row"
        raise ReadError(problem, path=path, line=table.line_of(len(labels)))
    return labels, np.column_stack([columns.numbers[place] for place in places])
