"""Signals over the units of a corpus: questions and warnings about how the files were read.

Signals are computed over the whole corpus; those that match units, from a sample of whole
documents. A question is asked only if units, texts or recordings support another reading, in which
other annotators are compared; everything else is a warning.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from unisono.model.columns import counted, listed
from unisono.model.interpretation import Question, Reading, Remark
from unisono.model.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from unisono.model.arrays import Booleans, Codes, Floats, Integers
    from unisono.model.labels import Label

__all__ = ["Files", "Units", "signals_of"]

_MOST_UNITS = 200_000  # in signals that sort units
_MOST_MATCHED = 20_000  # in signals that match units
_MOST_STEMS = 60
_MOST_PARTIES = 60


@dataclass(frozen=True, slots=True)
class Units:
    """Units of a corpus in columns; names and labels are coded."""

    documents: Sequence[str]
    annotators: Sequence[str]
    labels: Sequence[Label | None]
    document_codes: Codes | Integers
    annotator_codes: Codes | Integers
    starts: Floats
    ends: Floats
    label_codes: Codes | Integers
    file_codes: Codes | Integers  # number of the file

    def __len__(self) -> int:
        return len(self.starts)

    def only(self, kept: Booleans | Integers) -> Units:
        """Return some of the units, with the same names and labels."""
        return Units(
            self.documents,
            self.annotators,
            self.labels,
            self.document_codes[kept],
            self.annotator_codes[kept],
            self.starts[kept],
            self.ends[kept],
            self.label_codes[kept],
            self.file_codes[kept],
        )

    def sample(self, most: int) -> Units:
        """Return at most about `most` units: those of evenly spaced documents."""
        if len(self) <= most:
            return self
        order = sorted(range(len(self.documents)), key=self.documents.__getitem__)
        is_taken = np.zeros(len(order), dtype=bool)
        is_taken[order[:: -(-len(self) // most)]] = True
        units = self.only(is_taken[self.document_codes])
        if len(units) > 2 * most:
            units = units.only(units.starts <= np.partition(units.starts, most)[most])
        return units


@dataclass(slots=True)
class Files:
    """What is known about the files of a corpus besides their units."""

    whole: Mapping[str, Path] = field(default_factory=dict)  # documents that are a whole file
    texts: Mapping[str, str] = field(default_factory=dict)
    media: Mapping[str, str] = field(default_factory=dict)  # recording that a document names
    lengths: Mapping[str, float] = field(default_factory=dict)  # of recordings
    authors: Mapping[str, str] = field(default_factory=dict)  # of files, by document
    has_tiers: bool = False  # tiers are annotators
    asked: frozenset[str] = frozenset()  # roles and other settings that the caller chose
    has_layers: bool = False  # several, of which none was chosen yet
    has_inclusive_ends: bool = False
    has_chains: bool = False  # labels are chains, which have no meaning of their own


def signals_of(units: Units, files: Files) -> tuple[list[Question], list[Remark]]:
    """Return the questions and the warnings that the units and names of a corpus raise."""
    if not len(units):
        return [], []
    sample = units.sample(_MOST_UNITS)
    few = sample.sample(_MOST_MATCHED)
    asked = []
    if not files.asked & {"document", "annotator"}:
        asked = [_file_question(units, few, files), _joined_question(units)]
    if "annotators" not in files.asked and not files.has_layers:
        asked.append(_annotator_question(sample, files))
    warned = [
        _similar_documents(sample),
        _similar_names(units.annotators, "annotators", "similar-annotators"),
        None if files.has_chains else _similar_labels(units),
        _reference(units.annotators),
    ]
    if not files.has_layers:
        warned += [
            _copies(sample, len(units)),
            _scale(sample),
            _shift(few),
            None if files.has_inclusive_ends else _inclusive_ends(sample, files),
            _no_match(few),
        ]
    return [each for each in asked if each], [each for each in warned if each]


# Matching of units.

_OVERLAP = 0.3  # two units match if their intersection is this share of their union


def matched(
    groups: Codes | Integers, parties: Codes | Integers, starts: Floats, ends: Floats
) -> Booleans:
    """Return which units overlap enough with a unit of another party in their group.

    Units are compared with the next few of their group in order of their start: four for each
    party, and at most 32.
    """
    order = np.lexsort((ends, starts, groups))
    group, party, start, end = groups[order], parties[order], starts[order], ends[order]
    found = np.zeros(len(order), dtype=bool)
    for distance in _distances(parties):
        near = group[:-distance] == group[distance:]
        shared = np.minimum(end[:-distance], end[distance:]) - start[distance:]
        near &= shared >= 0
        if not near.any():
            break
        union = np.maximum(end[:-distance], end[distance:]) - start[:-distance]
        near &= (shared >= _OVERLAP * union) & (party[:-distance] != party[distance:])
        found[:-distance] |= near
        found[distance:] |= near
    result = np.empty_like(found)
    result[order] = found
    return result


def _distances(parties: Codes | Integers) -> range:
    """Return how far apart, in order of their start, units are compared."""
    n_parties = int(parties.max(initial=0)) + 1
    return range(1, min(4 * n_parties, _MOST_NEIGHBOURS, len(parties) - 1) + 1)


_MOST_NEIGHBOURS = 32


class _Evidence(NamedTuple):
    """Shares of units that match in files of one stem, and by chance."""

    within: float
    chance: float

    @property
    def support(self) -> float:
        """The excess of matches over those by chance, at most 1."""
        return (self.within - self.chance) / (1 - self.chance) if self.chance < 1 else 0.0

    def __str__(self) -> str:
        return (
            f"{_percent(self.within)} of the units match; by chance {_percent(self.chance)} would"
        )


def _evidence(units: Units, stems: Codes | Integers, parties: Codes | Integers) -> _Evidence | None:
    """Return how often units of a stem match; −1 marks units left out.

    Matches by chance are those with files of other stems, and those in the same files after the
    units of each party were moved by another part of the extent, whichever are more: units that
    tile a document match often by chance, and files of other stems may have other positions.
    """
    kept = np.flatnonzero(_few_parties(stems, parties))
    names, stem = np.unique(stems[kept], return_inverse=True)
    sizes = np.bincount(stem)
    step = max(-(-len(names) // _MOST_STEMS), -(-len(kept) // _MOST_MATCHED))
    if step > 1:
        chosen = (stem % step == 0) & (sizes[stem] <= _MOST_MATCHED)
        kept, stem = kept[chosen], stem[chosen] // step
    if not len(kept):
        return None
    party, starts, ends = parties[kept], units.starts[kept], units.ends[kept]
    within = matched(stem, party, starts, ends).mean()
    n_stems = int(stem.max()) + 1
    low, high = np.full(n_stems, np.inf), np.full(n_stems, -np.inf)
    np.minimum.at(low, stem, starts)
    np.maximum.at(high, stem, ends)
    first, length = low[stem], np.maximum(high - low, 1e-9)[stem]
    places = np.unique(party, return_inverse=True)[1]
    part = places / (places.max() + 1.0)
    chances = []
    for share in (1.0, 0.6):
        moved = first + (starts - first + share * part * length) % length
        chances.append(matched(stem, party, moved, moved + (ends - starts)).mean())
    chance = sum(chances) / len(chances)
    # Each party is moved by another number of stems, so that each group has different stems.
    rows = np.flatnonzero(party < n_stems)
    if n_stems > 1 and len(rows):
        others = (stem[rows] + party[rows]) % n_stems
        across = matched(others, party[rows], starts[rows], ends[rows]).mean()
        chance = max(chance, across)
    return _Evidence(float(within), float(chance))


def _few_parties(stems: Codes | Integers, parties: Codes | Integers) -> Booleans:
    """Return which units belong to at most a few parties of each stem.

    Among many parties, each unit matches one by chance.
    """
    n_parties = int(parties.max()) + 1
    pairs = stems.astype(np.int64) * n_parties + parties
    distinct = np.unique(pairs[stems >= 0])
    _, first, sizes = np.unique(distinct // n_parties, return_index=True, return_counts=True)
    place = np.arange(len(distinct)) - np.repeat(first, sizes)
    # Evenly spaced, as neighbours in the order of names may be alike.
    step = np.maximum(np.repeat(sizes, sizes) / _PARTIES, 1)
    chosen = distinct[np.floor((place + 1) / step) > np.floor(place / step)]
    found = np.searchsorted(chosen, pairs)
    found[found == len(chosen)] = 0
    return (stems >= 0) & (chosen[found] == pairs) if len(chosen) else stems >= 0


_PARTIES = 4


# One file per annotator, and rounds.

_ENOUGH_SUPPORT = 0.3
_MUCH_SUPPORT = 0.4  # needed if there is only one document
_LITTLE_SUPPORT = 0.05  # enough if the files themselves say that they belong together


class _Cut(NamedTuple):
    """A division of the names of documents into a stem and the name of an annotator."""

    pattern: str
    stems: tuple[str, ...]
    coders: tuple[str, ...]
    is_last: bool

    @property
    def n_pairs(self) -> int:
        """Number of stems with two names or more."""
        return sum(number > 1 for number in Counter(self.stems).values())


def _cuts(names: Sequence[str]) -> Iterator[_Cut]:
    for separator in "_-. @":
        if not all(separator in name for name in names):
            continue
        for is_last in (True, False):
            split = str.rpartition if is_last else str.partition
            parts = [split(name, separator) for name in names]
            heads, tails = [part[0] for part in parts], [part[2] for part in parts]
            if not all(heads) or not all(tails):
                continue
            stems, coders = (heads, tails) if is_last else (tails, heads)
            fields = ("document", "annotator") if is_last else ("annotator", "document")
            pattern = separator.join(f"{{{each}}}" for each in fields)
            yield _Cut(pattern, tuple(stems), tuple(coders), is_last)


def _file_question(units: Units, few: Units, files: Files) -> Question | None:
    """Return a question if files of one recording seem to belong to one annotator each."""
    names = [name for name in units.documents if name in files.whole]
    if len(names) < 2 or len(names) < len(units.documents):
        return None
    folders = [name.rpartition("/") for name in names]
    lasts = [last for _, _, last in folders]
    if len(set(lasts)) == len(lasts):
        cuts = [*_cuts(lasts)]
    else:
        cuts = [_Cut("", tuple(lasts), tuple(folder for folder, _, _ in folders), is_last=True)]
    best: tuple[tuple[bool, float, int], _Cut, _Evidence, str] | None = None
    for cut in cuts:
        n_stems, n_coders = len(set(cut.stems)), len(set(cut.coders))
        if not n_coders >= 2 or (n_stems > 1 and 2 * n_coders > len(names)):
            continue
        if 2 * cut.n_pairs < n_stems:
            continue
        evidence = _cut_evidence(units, names, cut)
        reason = _together(names, cut, files)
        if evidence is None or reason is None:
            continue
        enough = _LITTLE_SUPPORT if reason else _ENOUGH_SUPPORT
        if reason == _SAME_TEXT:
            enough = 0.0
        elif n_stems == 1 and not reason:
            enough = _MUCH_SUPPORT
        # A division into one document only counts if there is no other.
        rank = (n_stems > 1, round(evidence.support, 2), -len("".join(cut.coders)))
        if evidence.support >= enough and (best is None or rank > best[0]):
            best = rank, cut, evidence, reason
    if best is None:
        return None
    _, cut, evidence, reason = best
    return _asked(units.annotators, few, files, cut, evidence, reason)


def _cut_evidence(units: Units, names: Sequence[str], cut: _Cut) -> _Evidence | None:
    number = Counter(cut.stems)
    stems = {stem: at for at, stem in enumerate(sorted(number)) if number[stem] > 1}
    coders = {coder: at for at, coder in enumerate(sorted(set(cut.coders)))}
    stem_of = {name: stems.get(stem, -1) for name, stem in zip(names, cut.stems, strict=True)}
    coder_of = {name: coders[coder] for name, coder in zip(names, cut.coders, strict=True)}
    by_document = np.array([stem_of[name] for name in units.documents])
    parties = np.array([coder_of[name] for name in units.documents])
    return _evidence(units, by_document[units.document_codes], parties[units.document_codes])


_SAME_TEXT = "Files of one document have the same text"


def _together(names: Sequence[str], cut: _Cut, files: Files) -> str | None:
    """Return what the files themselves say for a cut, empty if nothing; `None` if against it."""
    pairs = Counter(cut.stems)
    within = [
        (name, stem, coder)
        for name, stem, coder in zip(names, cut.stems, cut.coders, strict=True)
        if pairs[stem] > 1
    ]
    for facts, reason in (
        (files.texts, _SAME_TEXT),
        (files.media, "Files of one document name the same recording"),
    ):
        if all(name in facts for name, _, _ in within):
            share, distinct = _constant((stem, facts[name]) for name, stem, _ in within)
            if share < 0.5:
                return None
            if share >= 0.9 and distinct >= 0.9:
                return reason
    if len(set(cut.stems)) > 1 and all(name in files.lengths for name, _, _ in within):
        share, distinct = _constant((stem, files.lengths[name]) for name, stem, _ in within)
        if share >= 0.9 and distinct >= 0.9:
            return "Files of one document are equally long"
    if all(files.authors.get(name) for name, _, _ in within):
        share, distinct = _constant((coder, files.authors[name]) for name, _, coder in within)
        if share == distinct == 1:
            return "Each of these names goes with one author"
    return ""


def _constant(facts: Iterable[tuple[str, Hashable]]) -> tuple[float, float]:
    """Return the share of keys with one value, and the number of values per such key."""
    values: dict[str, set[Hashable]] = {}
    for key, value in facts:
        values.setdefault(key, set()).add(value)
    single = [each for each in values.values() if len(each) == 1]
    distinct = len({value for each in single for value in each})
    return len(single) / max(len(values), 1), distinct / max(len(single), 1)


def _asked(
    annotators: Sequence[str],
    few: Units,
    files: Files,
    cut: _Cut,
    evidence: _Evidence,
    reason: str,
) -> Question | None:
    coders = sorted(set(cut.coders))
    n_files, n_stems = len(cut.stems), len(set(cut.stems))
    counts = {"documents": n_files, "annotators": len(annotators)}
    says = f"{reason}." if reason else f"In files of one document, {evidence}."
    inside = matched(few.document_codes, few.annotator_codes, few.starts, few.ends)
    are_rounds = len(annotators) > 1 and inside.mean() >= max(0.25, evidence.within / 2)
    if are_rounds and cut.pattern:
        return None
    if not cut.pattern:
        text = (
            f"The folders {_some(coders)} have files of the same names, with units of the same "
            f"annotators. {says}"
        )
        first = Reading("each file is a document of its own", counts)
        rounds = {"documents": n_stems, "annotators": len(annotators)}
        other = Reading(
            "they are rounds, versions or layers of the same documents, to be read one at a time",
            rounds,
        )
        return Question("rounds", text, (first, other))
    where = "end in" if cut.is_last else "begin with"
    text = (
        f"The {n_files:,} files look like one file per annotator: their names {where} "
        f"{_some(coders)}. {says}"
    )
    tiers = files.has_tiers
    if tiers:
        first = Reading(
            f"the tiers ({_some(annotators)}) are the annotators",
            counts,
            {"annotator": "layer"},
        )
    else:
        first = Reading("each file is a document of its own", counts)
    other = Reading(
        "each file belongs to one annotator",
        {"documents": n_stems, "annotators": len(coders)},
        {"annotator": cut.pattern},
    )
    return Question("file-per-coder", text, (first, other))


def _joined_question(units: Units) -> Question | None:
    """Return a question if several files have units of the same annotators and documents."""
    if len(units) == 0 or units.file_codes[0] == units.file_codes[-1]:
        return None
    n_people, n_files = len(units.annotators), int(units.file_codes.max()) + 1
    pairs = units.document_codes.astype(np.int64) * n_people + units.annotator_codes
    in_files = np.unique(pairs * n_files + units.file_codes)
    keys, numbers = np.unique(in_files // n_files, return_counts=True)
    repeated = keys[numbers > 1]
    if 2 * len(repeated) < len(keys):
        return None
    place = np.searchsorted(repeated, pairs)
    place[place == len(repeated)] = 0
    stems = np.where(repeated[place] == pairs, place, -1)
    evidence = _evidence(units, stems, units.file_codes)
    if evidence is None or evidence.support < _ENOUGH_SUPPORT:
        return None
    text = (
        f"Several files have units of the same annotators in the same documents, at the same "
        f"places: between files, {evidence}."
    )
    documents = len(np.unique(units.document_codes))
    counts = {"documents": documents, "annotators": n_people, "units": len(units)}
    share = {"documents": documents, "annotators": n_people, "units": len(units) // 2}
    return Question(
        "rounds",
        text,
        (
            Reading("all files count together", counts),
            Reading("they are rounds, versions or layers, to be read one at a time", share),
        ),
    )


# Tiers and columns that are not annotators.


def _annotator_question(units: Units, files: Files) -> Question | None:
    """Return a question if the units of an annotator are of another kind than all others."""
    reasons: dict[str, str] = {}
    if not files.has_chains:
        reasons |= _disjoint_labels(units)
    if files.has_tiers:
        reasons |= _point_tiers(units)
    if not reasons:
        return None
    names = sorted(reasons)
    what = "is no annotator" if len(names) == 1 else "are no annotators"
    left = {"annotators": len(units.annotators) - len(names)}
    return Question(
        "not-an-annotator",
        " ".join(reasons[name] for name in names),
        (
            Reading(
                f"{_some(names)} counts as an annotator"
                if len(names) == 1
                else f"{_some(names)} count as annotators",
                {"annotators": len(units.annotators)},
            ),
            Reading(f"{_some(names)} {what}", left, {"annotators": f"all but {','.join(names)}"}),
        ),
    )


_FEWEST_POINTS = 3
_FEWEST_LABELLED = 10


def _point_tiers(units: Units) -> dict[str, str]:
    number = np.bincount(units.annotator_codes, minlength=len(units.annotators))
    is_point = units.starts == units.ends
    points = np.bincount(units.annotator_codes[is_point], minlength=len(number))
    of_points = np.flatnonzero((points == number) & (number >= _FEWEST_POINTS)).tolist()
    others = int(((number > 0) & (points == 0)).sum())
    mixed = int(((points > 0) & (points < number)).sum())
    if not others or mixed or len(of_points) >= others + 1:
        return {}
    return {
        units.annotators[at]: f"{units.annotators[at]} has points only, "
        f"{'the other tiers have' if others > 1 else 'the other tier has'} intervals."
        for at in of_points
    }


def _disjoint_labels(units: Units) -> dict[str, str]:
    n_labels = len(units.labels)
    is_labelled = np.array([label is not None for label in units.labels], dtype=bool)
    kept = is_labelled[units.label_codes]
    people, labels = units.annotator_codes[kept], units.label_codes[kept]
    if len(units.annotators) < 3 or not len(labels):
        return {}
    pairs, numbers = np.unique(people.astype(np.int64) * n_labels + labels, return_counts=True)
    person, label = pairs // n_labels, pairs % n_labels
    users = np.bincount(label, minlength=n_labels)
    total = np.bincount(person, weights=numbers, minlength=len(units.annotators))
    shared = np.bincount(
        person, weights=np.where(users[label] > 1, numbers, 0), minlength=len(total)
    )
    alone = (shared == 0) & (total >= _FEWEST_LABELLED)
    others = ~alone & (total > 0)
    if not alone.any() or others.sum() < 2 or alone.sum() >= others.sum():
        return {}
    # The others share their labels: where all labels are free text, none is an exception.
    if shared[others].sum() < 0.5 * total[others].sum():
        return {}
    found = {}
    texts = [label_text(each) for each in units.labels]
    for at in np.flatnonzero(alone).tolist():
        folded = {_folded(texts[code]) for code in label[person != at].tolist()}
        is_other = not any(_folded(texts[code]) in folded for code in label[person == at].tolist())
        if not is_other or not _has_company(units, at):
            continue
        name = units.annotators[at]
        own = [texts[code] for code in label[person == at].tolist()]
        number = int(others.sum())
        found[name] = (
            f"None of the labels of {name} ({_some(own)}) is used by the {number:,} others."
        )
    return found


def _has_company(units: Units, annotator: int) -> bool:
    """Return whether others have units in at least half of the documents of an annotator."""
    own = np.unique(units.document_codes[units.annotator_codes == annotator])
    of_others = np.unique(units.document_codes[units.annotator_codes != annotator])
    return 2 * int(np.isin(own, of_others).sum()) >= len(own)


def _no_match(units: Units) -> Remark | None:
    """Return a warning about annotators whose units match almost no unit of the others."""
    if not 3 <= len(units.annotators) <= _MOST_PARTIES:
        return None
    is_matched = matched(units.document_codes, units.annotator_codes, units.starts, units.ends)
    number = np.bincount(units.annotator_codes, minlength=len(units.annotators))
    hits = np.bincount(units.annotator_codes[is_matched], minlength=len(number))
    shares = hits / np.maximum(number, 1)
    enough = number >= _FEWEST_LABELLED
    poor = np.flatnonzero(enough & (shares < 0.1))
    rest = np.flatnonzero(enough & (shares >= 0.1))
    if not len(poor) or len(rest) < 2 or float(np.median(shares[rest])) < 0.3:
        return None
    names = [units.annotators[at] for at in poor.tolist()]
    low, usual = float(shares[poor].max()), float(np.median(shares[rest]))
    subject = f"{_some(names)} {'matches' if len(names) == 1 else 'match'}"
    text = (
        f"{subject} almost no unit of the others ({_percent(low)} of the units match; others "
        f"{_percent(usual)}). Does the name stand for an annotator?"
    )
    return Remark(text, len(names), code="no-match")


# Names that are almost equal.

_MEDIA = frozenset(
    {
        *("wav", "mp3", "mp4", "m4a", "flac", "ogg", "aif", "aiff", "avi", "mov", "mpg", "mpeg"),
        *("mkv", "webm", "wmv", "txt", "eaf", "textgrid", "json", "csv", "tsv", "ann", "xml"),
        *("xmi", "pdf", "docx", "html"),
    }
)
_PART = re.compile(r"[^\W\d_]+|[0-9]+")


def _folded(name: str) -> str:
    """Return a name without differences of case, white space and Unicode form."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _without_suffix(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and suffix.casefold() in _MEDIA else name


def _similar_documents(units: Units) -> Remark | None:
    """Return a warning about names of documents that are probably one document."""
    names = units.documents
    groups = _groups(names, lambda name: _folded(_without_suffix(name)))
    if not groups:
        n_people = np.int64(len(units.annotators))
        pairs = np.unique(units.document_codes * n_people + units.annotator_codes)
        documents, sizes = np.unique(pairs // n_people, return_counts=True)
        alone = [names[at] for at in documents[sizes == 1].tolist()]
        owner = dict(zip((pairs // n_people).tolist(), (pairs % n_people).tolist(), strict=True))
        owners = {names[at]: person for at, person in owner.items()}
        groups = [
            group
            for group in _groups(alone, _parts)
            if len({owners[name] for name in group}) == len(group)
        ]
    if not groups:
        return None
    shown = "; ".join(_some(group) for group in groups[:3]) + ("; …" if len(groups) > 3 else "")
    number = sum(map(len, groups))
    text = f"{counted(number, 'document')} have almost the same names and count as several: {shown}"
    return Remark(text, number, code="similar-documents")


def _parts(name: str) -> Hashable:
    """Return the words and numbers of a name, without punctuation and leading zeros."""
    parts = _PART.findall(_folded(_without_suffix(name)))
    return tuple(part.lstrip("0") if part.isdigit() else part for part in parts) or name


def _groups(names: Iterable[str], key: Callable[[str], Hashable]) -> list[list[str]]:
    """Return the groups of different names with the same key, sorted."""
    found: dict[Hashable, set[str]] = {}
    for name in names:
        found.setdefault(key(name), set()).add(name)
    return sorted(sorted(group) for group in found.values() if len(group) > 1)


def _similar_names(names: Sequence[str], what: str, code: str) -> Remark | None:
    groups = _groups(names, _folded)
    if not groups:
        return None
    shown = "; ".join(listed(group) for group in groups[:3])
    number = sum(map(len, groups))
    text = (
        f"{shown}{'; …' * (len(groups) > 3)} differ only in case, white space or Unicode form, "
        f"and count as different {what}"
    )
    return Remark(text, number, code=code)


def _similar_labels(units: Units) -> Remark | None:
    """Return a warning about labels that differ only in case, white space or Unicode form."""
    texts = {label: at for at, label in enumerate(units.labels) if isinstance(label, str)}
    groups = _groups(texts, _folded)
    if not groups:
        return None
    number = np.bincount(units.label_codes, minlength=len(units.labels))
    shown = "; ".join(
        " and ".join(f"{name!r} ({number[texts[name]]:,})" for name in group)
        for group in groups[:3]
    )
    text = (
        f"{shown}{'; …' * (len(groups) > 3)} differ only in case, white space or Unicode form, "
        "and count as different labels"
    )
    return Remark(text, len(groups), code="similar-labels")


_REFERENCES = frozenset(
    {
        *("gold", "goldstandard", "goldlabel", "groundtruth", "truth", "consensus", "adjudicated"),
        *("adjudication", "adjudicator", "curation", "curationuser", "curated", "majority"),
        *("majorityvote", "reference", "mastercopy"),
    }
)


def _reference(annotators: Sequence[str]) -> Remark | None:
    """Return a warning about annotators whose name is that of a reference."""
    names = [
        name for name in annotators if "".join(filter(str.isalnum, name)).casefold() in _REFERENCES
    ]
    if not names or len(annotators) < 3:
        return None
    text = (
        f"{_some(names)} counts as an annotator. If the name stands for a reference made from "
        "the others, leave it out"
    )
    return Remark(text, len(names), code="reference-annotator")


# Copies and positions.


def _copies(units: Units, n_units: int) -> Remark | None:
    """Return a warning about units that occur twice, and annotators all of whose units do."""
    key = units.document_codes.astype(np.uint64) * np.uint64(len(units.annotators))
    key = (key + units.annotator_codes.astype(np.uint64)) * np.uint64(len(units.labels))
    key += units.label_codes.astype(np.uint64)
    # A sum of products distinguishes almost all units; those that it does not are compared.
    for factor, bounds in zip(_FACTORS, (units.starts, units.ends), strict=True):
        key = key * factor + (bounds + 0.0).view(np.uint64)
    in_order = np.sort(key)
    repeated = in_order[1:][in_order[1:] == in_order[:-1]]
    if not len(repeated):
        return None
    rows = np.flatnonzero(np.isin(key, repeated))
    columns: tuple[Codes | Integers | Floats, ...] = tuple(
        column[rows]
        for column in (
            *(units.label_codes, units.ends, units.starts),
            *(units.annotator_codes, units.document_codes),
        )
    )
    order = np.lexsort(columns)
    same = np.ones(len(order) - 1, dtype=bool)
    for column in columns:
        same &= column[order][1:] == column[order][:-1]
    number = int(same.sum())
    if not number:
        return None
    order = rows[order]
    people = units.annotator_codes[order][1:]
    copies = np.bincount(people[same], minlength=len(units.annotators))
    distinct = np.bincount(units.annotator_codes, minlength=len(copies)) - copies
    doubled = np.flatnonzero((copies >= 0.9 * distinct) & (distinct >= 3)).tolist()
    found = order[1:][same]
    document = min(np.unique(units.document_codes[found]), key=units.documents.__getitem__)
    first = found[np.argmax(units.document_codes[found] == document)]
    place = (
        f"{units.documents[units.document_codes[first]]}: "
        f"{units.annotators[units.annotator_codes[first]]} at "
        f"[{units.starts[first]:g}, {units.ends[first]:g}]"
    )
    if doubled and len(doubled) < int((distinct > 0).sum()):
        names = [units.annotators[at] for at in doubled]
        text = (
            f"Almost all units of {_some(names)} occur twice, those of the others once. "
            "Were two exports joined? Each copy counts as a unit"
        )
        return Remark(text, number, place, code="doubled-annotator")
    among = "" if len(units) == n_units else f" among the {len(units):,} that were compared"
    are = "is an exact copy" if number == 1 else "are exact copies"
    text = (
        f"{counted(number, 'unit')}{among} {are} of another unit (first: {place}). "
        "Each copy counts as a unit"
    )
    return Remark(text, number, place, code="copies")


_FACTORS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F))  # odd


def _scale(units: Units) -> Remark | None:
    """Return a warning about annotators whose positions are about 1000 times those of others."""
    n_people, n_documents = len(units.annotators), len(units.documents)
    if n_people < 2:
        return None
    keys = units.document_codes.astype(np.int64) * n_people + units.annotator_codes
    order = np.argsort(keys, kind="stable")
    places = np.flatnonzero(np.diff(keys[order], prepend=-1))
    pairs = keys[order][places]
    highest = np.maximum.reduceat(units.ends[order], places)
    documents, people = pairs // n_people, pairs % n_people
    sizes = np.bincount(documents, minlength=n_documents)
    kept = (sizes[documents] > 1) & (highest > 0)
    if not kept.any():
        return None
    documents, people, highest = documents[kept], people[kept], np.log10(highest[kept])
    order = np.lexsort((highest, documents))
    _, first, sizes = np.unique(documents[order], return_index=True, return_counts=True)
    usual = np.full(n_documents, np.nan)
    usual[documents[order][first]] = highest[order][first + (sizes - 1) // 2]
    above = highest - usual[documents]
    number = np.bincount(people, minlength=n_people)
    shares = [
        np.bincount(people[np.abs(above - power) < _NEAR_1000], minlength=n_people) / number.clip(1)
        for power in (-3, 3)
    ]
    sides = [np.flatnonzero(share >= 0.8).tolist() for share in shares]
    suspects = sides[0] or sides[1]
    others = [at for at in np.flatnonzero(number).tolist() if at not in suspects]
    is_near = np.abs(above[np.isin(people, others)]) < 1
    if not suspects or not others or is_near.mean() < 0.8:
        return None
    far, near = (others, suspects) if sides[0] else (suspects, others)
    ends = [float(units.ends[np.isin(units.annotator_codes, of)].max()) for of in (far, near)]
    names = [_some(units.annotators[at] for at in each) for each in (far, near)]
    text = (
        f"Positions of {names[0]} go up to {ends[0]:,.10g}, those of {names[1]} up to "
        f"{ends[1]:,.10g}: about 1000 times as far. Are they in milliseconds?"
    )
    return Remark(text, len(suspects), code="scale")


_NEAR_1000 = 0.18  # in powers of ten: a factor of about 1.5


def _shift(units: Units) -> Remark | None:
    """Return a warning about two annotators whose units differ by the same shift."""
    n_people = len(units.annotators)
    if not 2 <= n_people <= _MOST_PARTIES:
        return None
    order = np.lexsort((units.ends, units.starts, units.document_codes))
    document, person = units.document_codes[order], units.annotator_codes[order].astype(np.int64)
    start, end = units.starts[order], units.ends[order]
    pairs: list[Integers] = []
    shifts: list[Floats] = []
    for distance in _distances(units.annotator_codes):
        near = document[:-distance] == document[distance:]
        if not near.any():
            break
        by_start = start[distance:] - start[:-distance]
        by_end = end[distance:] - end[:-distance]
        near &= (np.abs(by_start - by_end) < 1e-6) & (person[:-distance] != person[distance:])
        first, second = person[:-distance][near], person[distance:][near]
        # The shift of the annotator with the higher code.
        sign = np.where(second > first, 1.0, -1.0)
        pairs.append(np.minimum(first, second) * n_people + np.maximum(first, second))
        shifts.append(np.round(sign * by_start[near], 6) + 0.0)
    pair = np.concatenate([np.empty(0, np.int64), *pairs])
    shift = np.concatenate([np.empty(0), *shifts])
    order = np.lexsort((shift, pair))
    pair, shift = pair[order], shift[order]
    new = np.flatnonzero((np.diff(pair, prepend=-1) != 0) | (np.diff(shift, prepend=0) != 0))
    counts = np.diff(new, append=len(pair))
    shift, pair = shift[new], pair[new]
    number = np.bincount(units.annotator_codes, minlength=n_people)
    found = []
    for low, high in _runs(pair):
        one, other = divmod(int(pair[low]), n_people)
        times, values = counts[low:high], shift[low:high]
        best = int(np.argmax(times))
        others = np.delete(times, best)
        if (
            values[best] != 0
            and times[best] >= max(_FEWEST_LABELLED, _MOST_SHIFTED * min(number[[one, other]]))
            and max(others, default=0) <= times[best] / 3
        ):
            share = float(times[best] / min(number[[one, other]]))
            found.append((share, float(values[best]), other, one))
    if not found:
        return None
    share, value, late, early = max(found)
    if value < 0:
        late, early, value = early, late, -value
    text = (
        f"Units of {units.annotators[late]} start and end {value:g} later than units of "
        f"{units.annotators[early]} in "
        f"{_percent(share)} of the cases. Does one of them count from 0 and the other from 1?"
    )
    if value != 1:
        text = text.partition(". Does")[0] + ". Were their files cut at different places?"
    return Remark(text, len(found), code="shift")


_MOST_SHIFTED = 0.3


def _runs(values: Integers) -> Iterator[tuple[int, int]]:
    """Yield the bounds of runs of equal values."""
    bounds = [*np.flatnonzero(np.diff(values, prepend=-1)).tolist(), len(values)]
    yield from pairwise(bounds)


def _inclusive_ends(units: Units, files: Files) -> Remark | None:
    """Return a warning about whole positions of which many have start = end."""
    if files.has_tiers:
        return None
    is_point = units.starts == units.ends
    totals = np.bincount(units.annotator_codes, minlength=len(units.annotators))
    points = np.bincount(units.annotator_codes[is_point], minlength=len(totals))
    # An annotator may mark points only.
    rest = points < totals
    number, total = int(points[rest].sum()), int(totals[rest].sum())
    if 5 * number < total or number < _FEWEST_POINTS:
        return None
    if (units.starts % 1).any() or (units.ends % 1).any():
        return None
    text = (
        f"{number:,} of {total:,} units have start = end. If an end is the last position of "
        "its unit, not the one after it, as in token numbers, the ends are inclusive"
    )
    return Remark(text, number, code="inclusive-ends", settings={"ends": "inclusive"})


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _some(names: Iterable[object], most: int = 5) -> str:
    """Return the first names, separated by commas."""
    texts = [str(name) for name in names]
    return ", ".join([*texts[:most], "…"] if len(texts) > most else texts)
