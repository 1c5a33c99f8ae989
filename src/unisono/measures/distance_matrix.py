"""Distances between labels that somebody wrote down: a table, checked once."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from unisono.errors import DataError, ReadError, shortened
from unisono.model.columns import as_list, written_number
from unisono.model.labels import Label, as_label, label_text, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class DistanceMatrix:
    """Distances between labels, written down by hand.

    Parameters
    ----------
    labels
        The labels, all different. None (no label) cannot be among them.
    values
        A square table, rows and columns in the order of `labels`: symmetric, 0 on the diagonal,
        everything within [0, 1].

    Raises
    ------
    DataError
        If the table is not square or does not fit the labels, or a cell is out of its place; the
        message names the cell and its value.

    Notes
    -----
    The table may have more labels than the data. A label of the data is looked up as it is, and
    if that fails by its text: a table read from a file knows ``"1"`` where the data may know 1.

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
        r"""Read a matrix from a table of text whose first row and first column are the labels.

        Parameters
        ----------
        path
            A CSV file, or a TSV file if its name ends in ``.tsv``. The first cell of the first
            row is not read; rows and columns have the same labels in the same order.

        Returns
        -------
        DistanceMatrix
            The matrix; its labels are texts.

        Raises
        ------
        ReadError
            If the file cannot be read or is no distance matrix, with the line where it is known.

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

    # Rebuilt by its constructor, because an unpickled array would be writable.
    def __reduce__(
        self,
    ) -> tuple[type[DistanceMatrix], tuple[tuple[Label, ...], NDArray[np.float64]]]:
        return DistanceMatrix, (self.labels, self.values)

    def row(self, label: Label) -> int:
        """Find the row, which is also the column, of a label.

        Parameters
        ----------
        label
            A label of the data.

        Returns
        -------
        int
            Its place in `labels`.

        Raises
        ------
        DataError
            If the matrix does not have it; the message lists the labels it has.

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
    for number, given in enumerate(as_list(labels, "labels"), start=1):
        label = as_label(given)
        if label is None:
            msg = f"a distance matrix needs a label for each row; label {number} is {given!r}"
            raise DataError(msg)
        if label in known:
            msg = f"the labels of a distance matrix must differ; {shown(label)} stands there twice"
            raise DataError(msg)
        known[label] = None
    return tuple(known)


def _checked_values(labels: tuple[Label, ...], values: ArrayLike) -> NDArray[np.float64]:
    if np.ma.is_masked(values):
        msg = "a distance matrix is a square table of numbers; some of its cells are masked"
        raise DataError(msg)
    try:
        with np.errstate(over="ignore"):  # infinite is refused
            table = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        msg = f"a distance matrix is a square table of numbers; {error}"
        raise DataError(msg) from None
    n = len(labels)
    if table.shape != (n, n):
        shape = " × ".join(map(str, table.shape)) or "a single number"
        msg = f"a distance matrix of {n} labels must be {n} × {n}; it is {shape}"
        raise DataError(msg)
    # A comparison with NaN is false: this also finds what is not a number.
    outside = _first(~((table >= 0.0) & (table <= 1.0)))
    if outside:
        i, j = outside
        msg = (
            f"a distance must lie within [0, 1], but {shown(labels[i])} to {shown(labels[j])} "
            f"is {float(table[i, j])!r}"
        )
        raise DataError(msg)
    off_zero = _first(np.diag(np.diag(table) != 0.0))
    if off_zero:
        i, _ = off_zero
        value = float(table[i, i])
        msg = f"a label is at distance 0 from itself, but {shown(labels[i])} is at {value!r}"
        raise DataError(msg)
    lopsided = _first(table != table.T)
    if lopsided:
        i, j = lopsided
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


def _table_of_file(path: Path) -> tuple[list[str], list[list[float]]]:
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        problem = f"the distance matrix cannot be read: {error.strerror or error}"
        raise ReadError(problem, path=path) from None
    except UnicodeDecodeError:
        problem = "a distance matrix is a table in UTF-8 text, and this is not UTF-8 text"
        raise ReadError(problem, path=path) from None
    labels: list[str] = []
    values: list[list[float]] = []
    for line, cells in _rows_of_text(text, delimiter, path):
        if not labels:
            labels = cells[1:]
        else:
            values.append(_numbers_of_row(cells, labels, len(values), path, line))
    if not labels:
        problem = "a distance matrix needs a first row with the labels"
        raise ReadError(problem, path=path)
    if len(values) < len(labels):
        problem = f"the row of the label {labels[len(values)]!r} is missing"
        raise ReadError(problem, path=path)
    return labels, values


def _rows_of_text(text: str, delimiter: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells):
                yield reader.line_num, cells
    except csv.Error as error:
        problem = f"a distance matrix is a table of text; {error}"
        raise ReadError(problem, path=path, line=reader.line_num) from None


def _numbers_of_row(
    cells: list[str], labels: list[str], n_before: int, path: Path, line: int
) -> list[float]:
    if n_before == len(labels):
        problem = f"more rows than the {len(labels)} labels of the first row: {cells}"
        raise ReadError(problem, path=path, line=line)
    if cells[0] != labels[n_before]:
        problem = (
            f"rows and columns must have the same labels in the same order; "
            f"this row is {cells[0]!r} and its column is {labels[n_before]!r}"
        )
        raise ReadError(problem, path=path, line=line)
    if len(cells) != len(labels) + 1:
        problem = f"expected a label and {len(labels)} distances, got {len(cells) - 1}: {cells}"
        raise ReadError(problem, path=path, line=line)
    numbers = []
    for label, cell in zip(labels, cells[1:], strict=True):
        try:
            numbers.append(written_number(cell))
        except ValueError:
            pair = f"{shortened(repr(cells[0]))} to {shortened(repr(label))}"
            problem = f"the distance of {pair} must be a number, not {shortened(repr(cell))}"
            raise ReadError(problem, path=path, line=line) from None
    return numbers
