"""Whom and what a caller names, checked against what is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from unisono.errors import DataError, did_you_mean, shortened
from unisono.model.columns import as_name, as_names, is_several
from unisono.model.labels import Label, as_label

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


_MOST_LISTED = 20


def counted(number: int, thing: str) -> str:
    """Write "1 unit", "2 units", "41,094 units"."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def listed(values: Iterable[object]) -> str:
    """Write values for a message, not too many."""
    texts = [shortened(repr(value)) for value in values]
    if len(texts) > _MOST_LISTED:
        texts = [*texts[:_MOST_LISTED], f"… ({len(texts):,} in all)"]
    return ", ".join(texts) if texts else "none"


def declared_annotators(declared: Iterable[str], with_units: Iterable[str]) -> tuple[str, ...]:
    """Check that everyone who has units was declared."""
    names = as_names(declared, "annotator")
    for name in with_units:
        if name not in names:
            msg = (
                f"{name!r} has units but is not among the declared annotators "
                f"{listed(names)}; add the name"
            )
            raise DataError(msg)
    return names


def known_names(names: Iterable[str], there: Collection[str], what: str) -> set[str]:
    """Check that every named annotator or document is there."""
    wanted = as_names(names, what)
    present = set(there)
    for name in wanted:
        if name not in present:
            meant = did_you_mean(name, there)
            msg = f"no {what} {name!r}; there are {listed(there)}{meant}"
            raise DataError(msg)
    return set(wanted)


def known_labels(
    labels: Iterable[Label | None], there: Collection[Label | None]
) -> set[Label | None]:
    """Check that every named label is there."""
    if isinstance(labels, str) or not is_several(labels):
        msg = f"labels are given as several labels, such as ({labels!r},); got {labels!r}"
        raise TypeError(msg)
    wanted = [as_label(label) for label in labels]
    present = set(there)
    for label in wanted:
        if label not in present:
            msg = f"no label {label!r}; there are {listed(there)}"
            raise DataError(msg)
    return set(wanted)


def renamed_names(names: Sequence[str], renames: Mapping[str, str], what: str) -> list[str]:
    """Rename annotators or documents, of which no two may become one."""
    check_renames(renames, what)
    known_names(renames, names, what)
    new_name = {as_name(old, what): as_name(new, what) for old, new in renames.items()}
    old_name: dict[str, str] = {}
    for old in names:
        new = new_name.get(old, old)
        if new in old_name:
            msg = f"two {what}s cannot share a name; {old_name[new]!r} and {old!r} would be {new!r}"
            raise DataError(msg)
        old_name[new] = old
    return list(old_name)


def check_renames(renames: object, what: str) -> None:
    """Refuse what does not say, for each old name, the new one."""
    if not isinstance(renames, Mapping):
        msg = f"{what}s are renamed by a mapping, old to new; got {renames!r}"
        raise TypeError(msg)
