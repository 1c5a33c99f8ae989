"""Items, and a hypothesis against a reference, as a worker process computes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unisono.cli.items import coefficient_rows
from unisono.cli.items_resampling import Resampling
from unisono.cli.units import error_rows, score_rows
from unisono.errors import SettingError
from unisono.measures.dice import seed_of
from unisono.measures.items.names import FUNCTIONS, SETTINGS, name_of_measure
from unisono.measures.items.table import items as items_table
from unisono.measures.items.table import settings_of
from unisono.measures.reference.compare import compare as compare_corpora
from unisono.parallel.progress import Report
from unisono.results.wording import some
from unisono.web.drawing import matching_drawing, write_drawings
from unisono.web.task import as_in, in_order
from unisono.web.wording import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unisono.model.corpus import Corpus
    from unisono.web.task import Task


_ITEM_HEADINGS = (
    *("scope", "measure", "label", "annotator_a", "annotator_b", "value", "observed", "expected"),
    *("standard_error", "interval_low", "interval_high", "level", "p_value", "undefined"),
    *("n_items", "n_annotators", "n_ratings", "left_out", "signature"),
)
_ERROR_HEADINGS = (
    *("document", "kind", "reference_start", "reference_end", "reference_label"),
    *("hypothesis_start", "hypothesis_end", "hypothesis_label"),
)


def measure_items(task: Task) -> None:
    """Compute α, κ and their relatives."""
    asked = task.settings.get("measures")
    names = list(FUNCTIONS) if asked is None else list(dict.fromkeys(map(name_of_measure, asked)))
    given = task.given("distance", "weights", "categories", "missing", "order")
    counts = task.given("bootstrap", "permutations")
    if "bootstrap" not in counts and "method" in task.settings:
        msg = "method is for intervals; say with bootstrap how often to resample"
        raise SettingError(msg)
    ratings = task.ratings()
    given = in_order(given, ratings.labels)
    settings = _by_measure(names, given)
    table = items_table(ratings, measures=names, **given)
    if counts:
        how = Resampling(
            counts.get("bootstrap"),
            task.settings.get("method", "percentile"),
            task.settings.get("confidence", 0.95),
            counts.get("permutations"),
        )
        report = Report(task.progress, len(table))
        seed = seed_of(task.given("rng").get("rng", 0))
        table = how.of(table, ratings, settings, seed, report)
    task.write_json(table.to_dict())
    task.write_aside("shown.json", shown("items", table, title=task.paths()[0]))
    rows = coefficient_rows(table)
    task.write_csv("result.csv", "one row a coefficient, label and pair", _ITEM_HEADINGS, rows)


def measure_comparison(task: Task) -> None:
    """Score a hypothesis against a reference."""
    data, title = _sides(task)
    given = task.given("tolerance", "with_gamma", "chance", "chance_precision", "draws", "rng")
    result = compare_corpora(
        **data,
        mapping=_mapping(task.settings.get("mapping"), data),
        dissimilarity=task.dissimilarity(given.get("chance", "shift")),
        workers=task.threads,
        progress=task.progress,
        **given,
    )
    task.write_json(result.to_dict())
    task.write_aside("shown.json", shown("compare", result, title=title))
    task.write_csv("result.csv", "one row a document, rule and label", *score_rows(result))
    documents = result.documents or {"": result}
    matchings = {name: one.slots.matching for name, one in documents.items()}
    known = {name: each for name, each in matchings.items() if each is not None}
    if len(known) == len(matchings):
        rows = error_rows(result)
        task.write_csv("errors.csv", "what was taken for what", _ERROR_HEADINGS, rows)
    write_drawings(task, {name: matching_drawing(name, each) for name, each in known.items()})


def _by_measure(names: Sequence[str], given: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Give each coefficient those settings that it has, and refuse what none of them has."""
    found = {name: settings_of(name, given) for name in names}
    for setting in given:
        if any(setting in own for own in found.values()):
            continue
        if setting == "order" and any("order" in SETTINGS[name] for name in names):
            msg = (
                "order is for the distance ordinal, for the weights linear, quadratic and "
                "ordinal, and for the categories of bennett_s and gwet_ac"
            )
            raise SettingError(msg)
        others = ", ".join(name for name, settings in SETTINGS.items() if setting in settings)
        msg = f"{setting} is not for {', '.join(names)}; it is for {others}"
        raise SettingError(msg)
    return found


def _sides(task: Task) -> tuple[dict[str, Any], str]:
    """Read the data, as `compare` takes them, and say what is compared."""
    who, whom = task.settings.get("reference"), task.settings.get("hypothesis")
    if "within" in task.sources:
        within = task.corpus("within")
        title = f"{whom} against {', '.join(who or ())}"
        return {"reference": who, "hypothesis": whom, "within": within}, title
    reference, hypothesis = task.corpus("reference"), task.corpus("hypothesis")
    if who is not None:
        reference = reference.only(annotators=who)
    if whom is not None:
        hypothesis = hypothesis.only(annotators=(whom,))
    elif any(len(continuum.annotators) > 1 for continuum in hypothesis.values()):
        msg = (
            f"the hypothesis has several annotators, {some(hypothesis.annotators)}; "
            'choose one with "hypothesis"'
        )
        raise SettingError(msg)
    entries = {role: task.sources[role]["entries"] for role in ("reference", "hypothesis")}
    title = " against ".join(some(entries[role]) for role in ("hypothesis", "reference"))
    return {"reference": reference, "hypothesis": hypothesis}, title


def _mapping(given: str | Mapping[str, str] | None, data: Mapping[str, Any]) -> Any:  # noqa: ANN401
    if given is None or isinstance(given, str):
        return given
    corpora: list[Corpus] = [side for side in data.values() if hasattr(side, "labels")]
    labels = [label for corpus in corpora for label in corpus.labels]
    return {as_in(labels, old): as_in(labels, new) for old, new in given.items()}
