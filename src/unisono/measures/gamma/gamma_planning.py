"""How long γ of a document will take, and the pieces that its work is cut into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.measures.gamma.gamma_packing import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unisono.model.continuum import Continuum

__all__ = ["Costs", "pieces_of"]

# Seconds on one core, measured: for an alignment, and for each unit in it by the number of
# annotators. They need not be exact: chunks that cost about the same keep everyone busy.
_AN_ALIGNMENT = 1e-6
_A_UNIT = (2.5e-7, 2.5e-7, 2.5e-7, 8e-7, 3.3e-6, 1.3e-5, 2e-5, 3e-5)
_MANY_ANNOTATORS = 6e-5
# A dissimilarity of the user's own is asked about every pair.
_ASKED, _A_PAIR_ASKED = 5e-4, 1e-7


class Costs:
    """Estimates how long alignments take.

    Parameters
    ----------
    own
        Whether the dissimilarity is a function of the user's.

    Examples
    --------
    >>> from unisono.measures.gamma.gamma_planning import Costs
    >>> f"{Costs(own=False).seconds(units=1000, annotators=3, alignments=31):.3f}"
    '0.025'
    """

    def __init__(self, *, own: bool) -> None:
        self._own = own

    def seconds(self, units: float, annotators: int, alignments: int) -> float:
        """Estimate how long some alignments of so many units take on one core."""
        a_unit = _A_UNIT[annotators] if annotators < len(_A_UNIT) else _MANY_ANNOTATORS
        one = _AN_ALIGNMENT + a_unit * units
        if self._own:
            one += _ASKED + _A_PAIR_ASKED * units * units
        return alignments * one

    def of_all(self, documents: int, units: int, annotators: int, alignments: int) -> float:
        """Estimate how long a corpus takes, from what is known of it as a whole.

        Parameters
        ----------
        documents, units, annotators
            Of the whole corpus.
        alignments
            For each document.
        """
        return documents * self.seconds(units / max(1, documents), annotators, alignments)

    def of_piece(self, piece: Piece) -> float:
        """Estimate how long a piece takes."""
        continuum = piece.continuum
        alignments = piece.draws + piece.aligns
        return self.seconds(len(continuum), len(continuum.annotators), alignments)


def pieces_of(
    documents: Iterable[tuple[str, Continuum]],
    *,
    aligns: bool,
    first: int,
    draws: int,
    costs: Costs,
    most: float,
) -> Iterator[Piece]:
    """Cut the work on documents into pieces; a large document has several.

    Parameters
    ----------
    documents
        Their names and continua.
    aligns
        Whether to align them as they were annotated.
    first, draws
        Which draws to make of each.
    costs
        How long things take.
    most
        How many seconds a piece should take at most.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.measures.gamma.gamma_planning import Costs, pieces_of
    >>> text = un.read("examples/interview.csv")["interview"]
    >>> work = pieces_of(
    ...     [("a", text)], aligns=True, first=0, draws=30, costs=Costs(own=False), most=0.0005
    ... )
    >>> [(piece.aligns, piece.first, piece.draws) for piece in work]
    [(True, 0, 0), (False, 0, 13), (False, 13, 13), (False, 26, 4)]
    """
    for name, continuum in documents:
        one = costs.seconds(len(continuum), len(continuum.annotators), 1)
        at_once = max(1, int(most / one))
        if draws + aligns <= at_once:
            yield Piece(name, continuum, aligns, first, draws)
            continue
        if aligns:
            yield Piece(name, continuum, aligns, first, 0)
        for done in range(0, draws, at_once):
            count = min(at_once, draws - done)
            yield Piece(name, continuum, aligns=False, first=first + done, draws=count)
