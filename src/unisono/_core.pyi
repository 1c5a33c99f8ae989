from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

class Aligned(TypedDict):
    groups: NDArray[np.int64]
    disorders: NDArray[np.float64]
    lower_bound: float
    proven: bool
    work: int
    label_disorder: float
    label_weight: float
    label_disorder_of: NDArray[np.float64]
    label_weight_of: NDArray[np.float64]

class ScoredDraws(TypedDict):
    disorder_sum: NDArray[np.float64]
    lower_bound: NDArray[np.float64]
    unit_count: NDArray[np.int64]
    work: NDArray[np.int64]
    proven: NDArray[np.uint8]
    label_disorder: NDArray[np.float64]
    label_weight: NDArray[np.float64]
    label_disorder_of: NDArray[np.float64]
    label_weight_of: NDArray[np.float64]

class MeasuredDocuments(TypedDict):
    groups_of: NDArray[np.int64]
    groups: NDArray[np.int32]
    disorders: NDArray[np.float64]
    lower_bound: NDArray[np.float64]
    proven: NDArray[np.uint8]
    label_disorder: NDArray[np.float64]
    label_weight: NDArray[np.float64]
    label_disorder_of: NDArray[np.float64]
    label_weight_of: NDArray[np.float64]
    work: NDArray[np.int64]
    draws: ScoredDraws
    redrawn: NDArray[np.int64]

def align(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    labels: NDArray[np.int32],
    offsets: NDArray[np.int64],
    distances: NDArray[np.float64],
    *,
    label_count: int,
    position: float,
    label: float,
    power: float,
    confidence_factor: float,
    effort: float,
    soft: bool,
    gap_tolerance: float,
    time_limit: float,
    pairs: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]] | None = None,
) -> Aligned: ...
def make_draws(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    labels: NDArray[np.int32],
    voice_offsets: NDArray[np.int64],
    voice_origin: NDArray[np.float64],
    voice_extent: NDArray[np.float64],
    picks: NDArray[np.int32],
    shifts: NDArray[np.float64],
    tiled_to: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]: ...
def roll_shifts(
    seed: NDArray[np.uint32],
    stream: NDArray[np.uint32],
    voice_counts: NDArray[np.int64],
    *,
    first: int,
    count: int,
    places: int,
    extent: float,
    spacing: float,
    whole_shifts: bool,
) -> tuple[NDArray[np.int32], NDArray[np.float64], int]: ...
def measure_documents(
    starts: NDArray[np.float64],
    ends: NDArray[np.float64],
    labels: NDArray[np.int32],
    counts: NDArray[np.int64],
    is_drawn_from: NDArray[np.bool_],
    annotators_of: NDArray[np.int64],
    labels_of: NDArray[np.int64],
    codes: NDArray[np.int32],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    spacing: NDArray[np.float64],
    stream: NDArray[np.uint32],
    aligns: NDArray[np.bool_],
    first: NDArray[np.int64],
    draws: NDArray[np.int64],
    seed: NDArray[np.uint32],
    distances: NDArray[np.float64],
    *,
    label_count: int,
    position: float,
    label: float,
    power: float,
    confidence_factor: float,
    effort: float,
    effort_of_draws: float,
    soft: bool,
    gap_tolerance: float,
    time_limit: float,
    stream_of_shifts: int,
    whole_shifts: bool,
    pairs: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]
    | None = None,
    threads: int = 1,
) -> MeasuredDocuments: ...
def edit_distances(
    characters: NDArray[np.int32],
    offsets: NDArray[np.int64],
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    *,
    alphabet: int,
) -> NDArray[np.float64]: ...
def edit_rows(
    characters: NDArray[np.int32],
    offsets: NDArray[np.int64],
    *,
    alphabet: int,
    first: int,
    last: int,
) -> NDArray[np.float64]: ...
def product(left: NDArray[np.float64], right: NDArray[np.float64]) -> NDArray[np.float64]: ...
def largest_whole_sum(rows: NDArray[np.float64]) -> float: ...
def split_rows(text: bytes, delimiter: bytes) -> list[list[str]]: ...

class TableReader:
    first: list[str] | None
    first_line: int
    lines: int
    rows: int
    has_decimal_comma: bool
    def __init__(self, delimiter: bytes, *, longest_cell: int, longest_row: int) -> None: ...
    def feed(self, block: bytes, *, is_last: bool) -> None: ...
    def choose(
        self,
        columns: NDArray[np.int32],
        *,
        takes_first: bool,
        keeps_blank: bool,
        limited: int = ...,
        most_texts: int = ...,
    ) -> None: ...
    def skip_first(self) -> None: ...
    def size_of(self, book: int) -> int: ...
    def is_clock(self, column: int) -> bool: ...
    def flawed(self) -> list[tuple[int, str, str, int]]: ...
    def numbers(self, column: int) -> NDArray[np.float64]: ...
    def codes(self, column: int) -> NDArray[np.int32]: ...
    def texts(self, book: int) -> tuple[list[str], NDArray[np.int32]]: ...
    def row_text(self, row: int) -> str: ...
    def line_of(self, row: int) -> int: ...
