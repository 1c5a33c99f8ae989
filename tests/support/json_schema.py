"""The JSON Schema of all results, made from the declared fields of their classes.

``python tests/support/json_schema.py`` writes `src/unisono/results/schema.json`, which is shipped.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import unisono
from unisono.reports.page import ReportPage
from unisono.results.data import OfData
from unisono.results.record import SCHEMA, Record
from unisono.results.render import Sheeted

FILE = Path(__file__).resolve().parents[2] / "src" / "unisono" / "results" / "schema.json"
# What `to_dict` of these adds to the fields.
ADDED = {
    "GammaGain": ("certain",),
    "DisorderParts": ("total",),
    "MatchScore": ("precision", "recall", "f1", "reasons"),
    "SlotCounts": ("n_reference", "n_hypothesis"),
}
# What `to_dict` of these writes instead of the fields.
OWN: dict[str, dict[str, str]] = {
    "AgreementReport": {
        "title": "str",
        "headline": "str",
        "summary": "list[str]",
        "cautions": "list[str]",
        "gamma": "GammaAgreement",
        "measures": "UnitsTable",
        "diagnosis": "Diagnosis | None",
        "advice": "Advice | None",
        "pairwise": "PairwiseTable | None",
        "consensus": "Consensus | None",
        "missing": "Mapping[str, str]",
        "data": "DataSummary | None",
        "interpretation": "Interpretation | None",
        "methods": "str",
        "bibtex": "str",
        "version": "str",
    },
    "RatingReport": {
        "title": "str",
        "headline": "str",
        "summary": "list[str]",
        "cautions": "list[str]",
        "measures": "Mapping[str, ItemsAgreement]",
        "diagnosis": "RatingDiagnosis | None",
        "consensus": "RatingConsensus | None",
        "missing": "Mapping[str, str]",
        "data": "DataSummary | None",
        "interpretation": "Interpretation | None",
        "methods": "str",
        "bibtex": "str",
        "version": "str",
    },
    "Alignment": {
        "document": "str | None",
        "n_groups": "int",
        "disorder": "float",
        "lower_bound": "float",
        "gap": "float",
        "proven": "bool",
        "groups": "list[AlignmentGroup]",
        "n_annotators": "int",
        "n_units": "int",
        "annotators_from": "str",
        "skipped": "int",
        "dissimilarity": "DissimilarityParameters",
        "data": "DataSummary | None",
        "interpretation": "Interpretation | None",
        "signature": "Signature",
    },
    "DataSummary": {
        "text": "str",
        "annotators": "list[str]",
        "n_annotators": "int",
        "n_documents": "int | None",
        "n_items": "int | None",
        "label_source": "str",
    },
    "Fit": {
        "name": "str",
        "command": "str",
        "measure_names": "list[str]",
        "takes": "list[str]",
        "fits": "bool",
        "why": "str",
    },
}
# Results of data have these fields, parts of other results do not.
OF_DATA = {"data": "DataSummary | None", "interpretation": "Interpretation | None"}
# Parts of those that are no class.
SHAPES: dict[str, dict[str, str]] = {
    "AlignmentGroup": {"disorder": "float", "units": "list[Unit | None]"},
    "Unit": {"annotator": "str", "start": "float", "end": "float", "label": "Label"},
}
NUMBER = {"type": ["number", "null"]}
LABEL = {
    "anyOf": [
        {"type": ["string", "number", "null"]},
        {"type": "array", "items": {"type": ["string", "number"]}},
    ]
}
PLAIN: dict[str, Any] = {
    "float": NUMBER,
    "int": {"type": "integer"},
    "bool": {"type": "boolean"},
    "str": {"type": "string"},
    "None": {"type": "null"},
    "Any": {},
    "object": {},
    "Label": LABEL,
    "Hashable": {"type": ["string", "number", "array"]},  # the name of an item
    "PlainLabel": LABEL,
    "Signature": {"type": "string", "description": "every setting that can move the value"},
    "Floats": {"type": "array"},
    "Integers": {"type": "array"},
    "Booleans": {"type": "array"},
}


def loaded() -> None:
    """Import all modules, so that their classes are known."""
    for module in pkgutil.walk_packages(unisono.__path__, "unisono."):
        if not module.name.startswith(("unisono.web", "unisono.cli", "unisono._core")):
            importlib.import_module(module.name)


def record_classes(kind: type = Record) -> list[type]:
    """Return all classes of results."""
    below: list[type] = kind.__subclasses__()
    found = [each for one in below for each in record_classes(one)]
    # A class with slots is made anew from the one that was written, which stays a subclass.
    is_whole = getattr(sys.modules[kind.__module__], kind.__name__, None) is kind
    return ([kind] if is_whole and kind not in (Record, OfData, ReportPage) else []) + found


class Definitions:
    """The definitions of classes, made when they are first referred to."""

    def __init__(self) -> None:
        self.made: dict[str, Any] = {}

    def of(self, annotation: str, home: str) -> Any:
        """Return the schema of a declared type in a module."""
        return self._of(ast.parse(annotation, mode="eval").body, home)

    def _of(self, node: ast.expr, home: str) -> Any:
        if isinstance(node, ast.BinOp):
            return _any_of([self._of(node.left, home), self._of(node.right, home)])
        if isinstance(node, ast.Constant):
            if node.value is None:
                return PLAIN["None"]
            return self.of(str(node.value), home)
        if isinstance(node, ast.Subscript):
            return self._generic(node, home)
        name = ast.unparse(node).split(".")[-1]
        return PLAIN[name] if name in PLAIN else self.named(name, home)

    def _generic(self, node: ast.Subscript, home: str) -> Any:
        name = ast.unparse(node.value).split(".")[-1]
        within = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name == "Literal":
            return {"enum": [ast.literal_eval(each) for each in within]}
        if name in ("Mapping", "dict"):
            return {"type": "object", "additionalProperties": self._of(within[-1], home)}
        if name in ("tuple", "list", "Sequence"):
            return {"type": "array", "items": self._of(within[0], home)}
        raise TypeError(ast.unparse(node))

    def named(self, name: str, home: str) -> Any:
        """Return a reference to the definition of a class."""
        if name in SHAPES:
            self.made[name] = self._object(SHAPES[name], home)
            return {"$ref": f"#/$defs/{name}", "unevaluatedProperties": False}
        found = _sought(name, home)
        if isinstance(found, type):
            if name not in self.made:
                self.made[name] = {}  # it may refer to itself
                self.made[name] = self.definition(found)
            return {"$ref": f"#/$defs/{name}", "unevaluatedProperties": False}
        # An alias of literals.
        return {"enum": list(found.__args__)}

    def _object(self, properties: dict[str, str], home: str) -> Any:
        made = {name: self.of(annotation, home) for name, annotation in properties.items()}
        required = [name for name in made if name not in OF_DATA]
        return {"type": "object", "properties": made, "required": required}

    def definition(self, kind: type) -> Any:
        """Return the definition of a class."""
        if kind.__name__ in OWN:
            return self._object(OWN[kind.__name__], kind.__module__)
        about = (inspect.getdoc(kind) or "").split("\n\n")[0].replace("\n", " ")
        told = _documented(kind)
        properties: dict[str, Any] = {}
        required = []
        for name, annotation, metadata, home in _declared(kind):
            if metadata.get("in_documents", True):
                required.append(name)
            properties[name] = self._field(annotation, metadata, home)
            if name in told:
                properties[name] = properties[name] | {"description": told[name]}
        return {
            "type": "object",
            "description": about,
            "properties": properties,
            "required": required,
        }

    def _field(self, annotation: str, metadata: Any, home: str) -> Any:
        own = metadata.get("json")
        if own is not None:
            return self.of(own.__annotations__["return"], own.__module__)
        if not annotation.startswith("Mapping[tuple["):
            return self.of(annotation, home)
        node = ast.parse(annotation, mode="eval").body
        assert isinstance(node, ast.Subscript)
        assert isinstance(node.slice, ast.Tuple)
        pair, value = node.slice.elts
        assert isinstance(pair, ast.Subscript)
        each = self._of(pair.slice.elts[0], home)  # type: ignore[attr-defined]
        first, second = metadata.get("keys", ("annotators", ""))
        lead = (
            {first: each, second: each}
            if second
            else {first: {"type": "array", "items": each, "minItems": 2, "maxItems": 2}}
        )
        entry = self._of(value, home)
        if "$ref" not in entry:
            lead, entry = lead | {"count": entry}, {"additionalProperties": False}
        return {
            "type": "array",
            "items": entry | {"properties": lead, "required": list(lead)},
        }


def _any_of(choices: list[Any]) -> Any:
    flat = [one for each in choices for one in each.get("anyOf", [each])]
    if all(set(each) == {"type"} for each in flat):
        types = dict.fromkeys(
            name
            for each in flat
            for name in ([each["type"]] if isinstance(each["type"], str) else each["type"])
        )
        return {"type": list(types)}
    return {"anyOf": flat}


def _sought(name: str, home: str) -> Any:
    """Return what a name stands for, which may be imported for type checking only."""
    places = [sys.modules[home], *(m for n, m in sys.modules.items() if n.startswith("unisono."))]
    for module in places:
        found = vars(module).get(name)
        if found is not None and getattr(found, "__module__", "unisono").startswith(
            ("unisono", "typing")
        ):
            return found
    raise NameError(name)


def _declared(kind: type) -> list[tuple[str, str, Any, str]]:
    """Return the parts of the JSON of a class: name, type, metadata, and where it is declared."""
    if not hasattr(kind, "__dataclass_fields__"):
        found: list[tuple[str, str, Any, str]] = [
            (name, _text(of), {}, kind.__module__) for name, of in kind.__annotations__.items()
        ]
        return found + [_property(kind, name) for name in ADDED.get(kind.__name__, ())]
    excluded = getattr(kind, "excluded", ())
    whole: list[tuple[str, str, Any, str]] = [
        (each.name, str(each.type), each.metadata, _home(kind, each.name))
        for each in fields(kind)
        if each.name not in excluded
    ]
    return whole + [_property(kind, name) for name in getattr(kind, "computed", ())]


def _text(annotation: Any) -> str:
    # A NamedTuple keeps references to the texts of its annotations.
    return annotation if isinstance(annotation, str) else annotation.__forward_arg__


def _home(kind: type, name: str) -> str:
    return next(
        each.__module__ for each in kind.__mro__ if name in vars(each).get("__annotations__", {})
    )


def _property(kind: type, name: str) -> tuple[str, str, Any, str]:
    getter = getattr(kind, name).fget
    return name, getter.__annotations__["return"], {}, getter.__module__


def _documented(kind: type) -> dict[str, str]:
    """Return what docstrings say of fields, also of those above."""
    told: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        text = inspect.cleandoc(vars(each).get("__doc__") or "")
        names: list[str] = []
        for line in text.partition("----------\n")[2].splitlines():
            if line.startswith(("---", "Examples", "Raises")):
                break
            if line and not line.startswith(" "):
                names = [name.strip() for name in line.split(",")]
                told.update(dict.fromkeys(names, ""))
            elif line.strip():
                for name in names:
                    told[name] = f"{told[name]} {line.strip()}".strip()
    return {name: text for name, text in told.items() if text}


def schema() -> dict[str, Any]:
    """Return the whole schema."""
    loaded()
    definitions = Definitions()
    results = sorted(
        (kind for kind in record_classes() if issubclass(kind, Sheeted)),
        key=lambda kind: kind.__name__,
    )
    version = {"properties": {"schema": {"const": SCHEMA}}, "required": ["schema"]}
    choices = [definitions.named(kind.__name__, kind.__module__) | version for kind in results]
    measured = [definitions.named(name, "unisono.results.agreement") for name in _TABLES]
    table = {
        "type": "object",
        "description": "Results of several measures on the same data, by the name of the measure.",
        "properties": {
            "measures": {"type": "object", "additionalProperties": {"anyOf": measured}},
            **{name: definitions.of(of, "unisono.results.data") for name, of in OF_DATA.items()},
        },
        "required": ["measures"],
    }
    definitions.made["MeasureTable"] = table
    choices.append({"$ref": "#/$defs/MeasureTable", "unevaluatedProperties": False} | version)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Results of unisono",
        "description": (
            "What --json, to_json() and the service write. The key schema is the version of this "
            "file; null stands for a number that is undefined or unknown."
        ),
        "anyOf": choices,
        "$defs": dict(sorted(definitions.made.items())),
    }


_TABLES = ("ItemsAgreement", "SegmentationAgreement", "ChainAgreement")


if __name__ == "__main__":
    FILE.write_text(json.dumps(schema(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
