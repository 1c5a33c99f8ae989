"""What ``side_by_side`` returns: many measures of the same units in one table."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from unisono.measures.gamma.gamma_result import GammaResult
from unisono.results.agreement import Agreement
from unisono.results.markdown import markdown_code, markdown_table, markdown_text
from unisono.results.record import label_keys, plain_number
from unisono.results.records import Record
from unisono.results.rows import (
    WHO_COUNTS,
    certain_range,
    columns,
    outcome,
    padded,
    proof,
    reasons,
    uncertainty,
)
from unisono.results.wording import count, position, printable, some
from unisono.results.written import InMarkdown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from unisono.model.labels import Label
    from unisono.results.rows import Row


UNIT_MEASURES: Mapping[str, str] = {
    "gamma": "γ",
    "gamma_cat": "γcat",
    "u_alpha": "uα",
    "u_alpha_binary": "|uα",
    "u_alpha_coding": "cuα",
    "kappa_d": "κ_d",
    "slot_error_agreement": "1 − SER",
}
"""Measures of units, and how people write them."""
SEGMENT_MEASURES: Mapping[str, str] = {
    "boundary_similarity": "B",
    "boundary_similarity_pi": "π of B",
    "segmentation_similarity": "S",
    "pk": "Pk",
    "window_diff": "WindowDiff",
    "generalized_hamming": "Hamming",
}
"""Measures of segmentations, and how people write them."""
LABEL_MEASURES: Mapping[str, str] = {"gamma_k": "γk", "u_alpha_k": "(k)uα"}
"""Measures of each label, and how people write them."""
# Their settings stand in the signatures of γ, uα and B.
_SIGNED_BY_OTHERS = ("gamma_cat", "u_alpha_binary", "boundary_similarity_pi")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SideBySide(Record, InMarkdown):
    """Many measures of the same units, each with its value or with the reason why it has none.

    Parameters
    ----------
    measures
        ``gamma`` (γ, with all that `un.gamma` returns), ``gamma_cat``, ``u_alpha``,
        ``u_alpha_binary``, ``u_alpha_coding``, ``kappa_d``, ``slot_error_agreement``, and the
        measures of segmentations: ``boundary_similarity``, ``boundary_similarity_pi``,
        ``segmentation_similarity``, ``pk``, ``window_diff``, ``generalized_hamming``. The last
        three are errors, where 0 is perfect.
    by_label
        ``gamma_k`` and ``u_alpha_k`` of each label, where there are any.
    atom
        How long an atom of κ_d is.
    n_documents, n_annotators, n_units
        How many there are.
    annotators_from
        How the annotators were known, as in a `GammaResult`.
    skipped
        Rows the reader could not use and was told to skip.
    left_out_documents
        Documents with fewer than two annotators, which add nothing.
    notes
        Sentences a reader of the values should know.

    Examples
    --------
    >>> import unisono as un
    >>> text = un.Continuum.from_units(
    ...     [("ann", 0, 9, "NP"), ("ann", 12, 20, "VP"), ("bob", 0, 8, "NP"), ("bob", 12, 20, "NP")]
    ... )
    >>> table = un.side_by_side(text, rng=1)
    >>> table["kappa_d"].value == table.measures["kappa_d"].value
    True
    >>> table.by_label["VP"]["u_alpha_k"].value
    0.0
    """

    measures: Mapping[str, Agreement]
    by_label: Mapping[Label | None, Mapping[str, Agreement]]
    atom: float
    n_documents: int
    n_annotators: int
    n_units: int
    annotators_from: str
    skipped: int = 0
    left_out_documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        by_label = {label: MappingProxyType(dict(of)) for label, of in self.by_label.items()}
        object.__setattr__(self, "measures", MappingProxyType(dict(self.measures)))
        object.__setattr__(self, "by_label", MappingProxyType(by_label))
        object.__setattr__(self, "left_out_documents", tuple(self.left_out_documents))
        object.__setattr__(self, "notes", tuple(self.notes))

    def __getitem__(self, name: str) -> Agreement:
        return self.measures[name]

    def __repr__(self) -> str:
        told = [f"{UNIT_MEASURES[name]} {outcome(self.measures[name])}" for name in UNIT_MEASURES]
        told += [count(self.n_annotators, "annotator"), count(self.n_units, "unit")]
        return f"SideBySide({', '.join(told)})"

    def __str__(self) -> str:
        rows = side_by_side_rows(self)
        lines = ["  ".join(line).rstrip() for line in padded(*columns(rows))]
        lead = uncertainty(self.measures["gamma"])
        return "\n".join([*([] if lead is None else [lead]), *lines, *reasons(rows)])

    def __hash__(self) -> int:
        return hash((type(self), self.measures["gamma"].signature))

    def to_dict(self) -> dict[str, Any]:
        """Give the values with their observed and expected disagreements as plain data.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 0, 9, "NP")])
        >>> record = un.side_by_side(text, rng=1).to_dict()
        >>> record["measures"]["slot_error_agreement"]["value"], record["n_units"]
        (1.0, 2)
        """
        keys = label_keys(self.by_label)
        return {
            "measures": {name: _record(of) for name, of in self.measures.items()},
            "by_label": {
                keys[label]: {name: _record(of) for name, of in measures.items()}
                for label, measures in self.by_label.items()
            },
            "atom": plain_number(self.atom),
            "n_documents": self.n_documents,
            "n_annotators": self.n_annotators,
            "n_units": self.n_units,
            "annotators_from": self.annotators_from,
            "skipped": self.skipped,
            "left_out_documents": list(self.left_out_documents),
            "notes": list(self.notes),
        }

    def to_markdown(self) -> str:
        r"""Give the table as Markdown, then reasons, facts and signatures.

        Examples
        --------
        >>> import unisono as un
        >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
        >>> print(un.side_by_side(text, rng=1).to_markdown())
        | measure  |     value | observed | expected | Monte Carlo 95 % |
        | :------- | --------: | -------: | -------: | ---------------: |
        | γ        |    0.9433 | ...
        """
        rows = side_by_side_rows(self)
        listed = [
            *map(markdown_text, reasons(rows)),
            *(f"{name}: {markdown_text(fact)}" for name, fact in side_by_side_facts(self)),
        ]
        lead = uncertainty(self.measures["gamma"])
        parts = [] if lead is None else [markdown_text(lead)]
        parts += [markdown_table(*columns(rows)), "\n".join(f"- {line}" for line in listed)]
        parts += map(markdown_code, signatures(self))
        return "\n\n".join(parts)


def side_by_side_rows(result: SideBySide, *, most_labels: int | None = None) -> list[Row]:
    """Give the measures with their names: those of units, of segmentations, then of each label.

    Parameters
    ----------
    result
        What ``side_by_side`` returned.
    most_labels
        How many labels to give, those with the most weight in γk; all if not said.

    Notes
    -----
    Measures of segmentations are left out where none of them has a value.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.studies.measure_table import side_by_side_rows
    >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
    >>> [name for name, _ in side_by_side_rows(un.side_by_side(text, rng=1))]
    ['γ', 'γcat', 'uα', '|uα', 'cuα', 'κ_d', '1 − SER', 'γk NP', '(k)uα NP']
    """
    names = dict(UNIT_MEASURES)
    if why_no_segments(result) is None:
        names.update(SEGMENT_MEASURES)
    rows: list[Row] = [(written, result.measures[name]) for name, written in names.items()]
    keys = label_keys(result.by_label)
    labels = list(result.by_label)
    if most_labels is not None:
        heaviest = sorted(labels, key=lambda label: -_weight(result.by_label[label]))[:most_labels]
        labels = [label for label in labels if label in heaviest]
    for label in labels:
        key = keys[label] or "(no label)"
        rows += [
            (f"{LABEL_MEASURES[name]} {key}", of) for name, of in result.by_label[label].items()
        ]
    return rows


def side_by_side_facts(result: SideBySide) -> list[tuple[str, str]]:
    """Give what a reader must know beside the numbers, as names and sentences.

    Parameters
    ----------
    result
        What ``side_by_side`` returned.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.studies.measure_table import side_by_side_facts
    >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
    >>> for name, fact in side_by_side_facts(un.side_by_side(text, draws=30, rng=1))[:4]:
    ...     print(f"{name}: {fact}")
    annotators: 2 (counted: those with units in the document)
    units: 2
    draws: 30
    alignment: proven optimal
    """
    who = WHO_COUNTS.get(result.annotators_from, result.annotators_from)
    found = [
        ("annotators", f"{result.n_annotators:,} (counted: {who})"),
        ("units", f"{result.n_units:,}"),
    ]
    if result.n_documents > 1:
        found.insert(0, ("documents", f"{result.n_documents:,}"))
    gamma = result.measures["gamma"]
    if isinstance(gamma, GammaResult) and gamma.draws:
        found.append(("draws", f"{gamma.draws:,}"))
        found.append(("alignment", proof(proven=gamma.proven, gap=gamma.gap)))
        if gamma.certified and not gamma.proven:
            found.append(("certified", f"γ is {certain_range(gamma.certified)}, for these draws"))
    if not result.measures["kappa_d"].undefined:
        found.append(("atoms", f"of length {position(result.atom)}, for κ_d"))
    if result.skipped:
        found.append(("skipped", f"{count(result.skipped, 'row')} that could not be read"))
    if result.left_out_documents and not any("left out" in note for note in result.notes):
        number = count(len(result.left_out_documents), "document")
        names = some(result.left_out_documents)
        found.append(("left out", f"{number} with fewer than two annotators: {names}"))
    why = why_no_segments(result)
    if why is None:
        found.append(("errors", "of Pk, WindowDiff and Hamming 0 is perfect"))
    else:
        found.append(("segments", printable(f"no measures of segmentations: {why}")))
    found.extend(("note", printable(note)) for note in result.notes)
    return found


def why_no_segments(result: SideBySide) -> str | None:
    """Say why no measure of segmentations has a value; ``None`` where one has.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.studies.measure_table import why_no_segments
    >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
    >>> why_no_segments(un.side_by_side(text, draws=30, rng=1))
    "segments cover the whole document, here from 0 to 9; 'bob' has nothing from 0 to 2"
    """
    found = [result.measures[name].undefined for name in SEGMENT_MEASURES]
    return found[0] if all(found) else None


def signatures(result: SideBySide) -> list[str]:
    """Give the signatures of γ and of what has a value, those that say the same once.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.studies.measure_table import signatures
    >>> text = un.Continuum.from_units([("ann", 0, 9, "NP"), ("bob", 2, 9, "NP")])
    >>> for signature in signatures(un.side_by_side(text, draws=30, rng=1)):
    ...     print(signature.partition("|")[0])
    gamma
    u-alpha
    kappa-d
    slot_error_agreement
    """
    shown = [
        of
        for name, of in result.measures.items()
        if name not in _SIGNED_BY_OTHERS and (name == "gamma" or not of.undefined)
    ]
    return [printable(str(of.signature)) for of in shown]


def _record(result: Agreement) -> dict[str, Any]:
    # Not all that a measure returns, such as each draw of γ: its own command has that.
    record = Agreement.to_dict(result)
    if isinstance(result, GammaResult) and result.certified and not result.proven:
        record["certified"] = result.certified.to_dict()
    interval = getattr(result, "monte_carlo", None)
    return record if interval is None else record | {"monte_carlo": interval.to_dict()}


def _weight(measures: Mapping[str, Agreement]) -> float:
    # A piece that units were split into has no γk.
    weight = getattr(measures.get("gamma_k"), "weight", None)
    return -1.0 if weight is None else float(weight)
