"""Settings of the functions that read files, from which options, requests and forms are derived."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unisono.formats.rating_exports import RATING_FORMATS
from unisono.formats.registry import FORMATS
from unisono.formats.tables import delimiter_name
from unisono.registry import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "CASE_SETTINGS",
    "CHAIN_SETTINGS",
    "PYRAMID_SETTINGS",
    "RATING_SETTINGS",
    "READ_SETTINGS",
]

_DETECTED = {"auto": "detected"}
_COLUMN = "COLUMN"
_HEADER = Setting(
    "header",
    "flag",
    "Whether the first row has column names; detected by default.",
    title="Column names in the first row",
)
_DELIMITER = Setting(
    "delimiter",
    "character",
    "Separator of cells, such as ; or tab; detected by default.",
    metavar="CHARACTER",
    meanings={each: delimiter_name(each) for each in ",;\t| "},
)
_ACCEPT = Setting(
    "accept",
    "names",
    "Codes of questions about the files whose first reading is right.",
    metavar="CODES",
    title="Accepted readings",
)

_PATTERNS = "names or patterns such as A*, comma-separated; all but NAMES keeps the others."


def _selection(name: str) -> Setting:
    return Setting(
        name,
        "names",
        f"{name.capitalize()} to keep: {_PATTERNS}",
        metavar="NAMES",
        title=name.capitalize(),
    )


READ_SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for one in (
        Setting(
            "document",
            "column",
            "Column with the document, or one of: file, folder, a path pattern such as "
            '"{document}_{annotator}", a field of the format. By default each file is a document.',
            metavar=_COLUMN,
            option="--column-document",
            choices=("file", "folder"),
            off="each file",
        ),
        Setting(
            "annotator",
            "column",
            "Column with the annotator, or one of: file, folder, a path pattern, a field of the "
            "format; layer for files with tiers.",
            metavar=_COLUMN,
            option="--column-annotator",
            choices=("file", "folder", "layer"),
        ),
        Setting(
            "start",
            "column",
            "Column with the start of the unit.",
            metavar=_COLUMN,
            option="--column-start",
        ),
        Setting(
            "end",
            "column",
            "Column with the end of the unit.",
            metavar=_COLUMN,
            option="--column-end",
        ),
        Setting(
            "duration",
            "column",
            "Column with the duration of the unit, instead of its end.",
            metavar=_COLUMN,
            option="--column-duration",
        ),
        Setting(
            "label",
            "column",
            "Column or attribute with the label. Columns are names, or numbers from 1.",
            metavar=_COLUMN,
            option="--column-label",
            off="no labels",
        ),
        Setting("layer", "names", "Layer or tier to read, or several (all).", metavar="NAME"),
        Setting(
            "format",
            "choice",
            "File format: csv, tsv, jsonl, brat, conll, labelstudio, textgrid, eaf and so on; "
            "detected by default.",
            metavar="NAME",
            default="auto",
            meanings=_DETECTED | {one.name: one.title for one in FORMATS.values()},
        ),
        _DELIMITER,
        _HEADER,
        Setting(
            "seen_by",
            "choice",
            "Annotators of each document: those declared in the files, or else those with units "
            "(auto); those with units; all of the corpus; or a table of document and annotator.",
            metavar="auto|units|corpus|FILE",
            title="Annotators of a document",
            default="auto",
            meanings={
                "auto": "declared in the files, or else with units",
                "units": "those with units",
                "corpus": "all of the corpus",
            },
        ),
        Setting(
            "on_error",
            "choice",
            "At an invalid row, stop, or skip and count it.",
            title="Invalid rows",
            default="raise",
            meanings={"raise": "stop with an error", "skip": "skip and count them"},
        ),
        Setting(
            "tags",
            "choice",
            "Tagging scheme of tokens, such as B-PER; detected by default.",
            choices=("auto", "iob1", "iob2", "iobes", "bilou"),
            title="Tagging scheme",
            default="auto",
        ),
        Setting(
            "fragments",
            "choice",
            "Discontinuous units: one unit from the first start to the last end, or one per "
            "fragment.",
            title="Discontinuous units",
            default="whole",
            meanings={"whole": "one unit", "split": "one unit per fragment"},
        ),
        Setting(
            "ends",
            "choice",
            "Whether the end of a unit is the position after it, or its last position.",
            title="Ends of units",
            default="exclusive",
            meanings={"exclusive": "position after the unit", "inclusive": "last position"},
        ),
        Setting(
            "extent",
            "range",
            "Start and end of every document; by default those of its first and last unit.",
            metavar="LOW HIGH",
            title="Extent of documents",
        ),
        _ACCEPT,
        *map(_selection, ("documents", "annotators", "labels")),
    )
}
"""Settings of `read` by name."""

RATING_SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for one in (
        Setting(
            "wide",
            "flag",
            "Whether the table has one row per item and one column per annotator, or one row per "
            "rating.",
            title="One row per item",
        ),
        Setting(
            "annotator_columns",
            "columns",
            "Columns of annotators in a wide table; names or numbers, such as 2,3.",
            metavar="COLUMNS",
            title="Columns of annotators",
        ),
        Setting(
            "annotator",
            "column",
            "Column with the annotator.",
            metavar=_COLUMN,
            option="--column-annotator",
        ),
        Setting(
            "item",
            "column",
            "Column with the item.",
            metavar=_COLUMN,
            option="--column-item",
        ),
        Setting(
            "label",
            "column",
            "Column with the label. Columns are names, or numbers from 1.",
            metavar=_COLUMN,
            option="--column-label",
        ),
        Setting(
            "layer",
            "name",
            "The question or task, if the export of a tool has several.",
            metavar="NAME",
        ),
        Setting(
            "format",
            "choice",
            "File format, if it is not detected.",
            metavar="NAME",
            default="auto",
            meanings=_DETECTED
            | {"table": "CSV, TSV or Parquet"}
            | {one.name: one.title for one in RATING_FORMATS.values()},
        ),
        _DELIMITER,
        _HEADER,
        Setting(
            "separator",
            "character",
            "Text between the members of a label that is a set, such as |.",
            metavar="CHARACTER",
            title="Separator of sets",
        ),
        Setting(
            "na_values",
            "names",
            "Values that mean a missing label, such as NA,?; in addition to empty cells.",
            metavar="TEXTS",
            title="Texts for a missing label",
        ),
        Setting(
            "duplicates",
            "choice",
            "If an annotator rated an item twice, stop or keep the first rating.",
            title="Repeated ratings",
            default="raise",
            meanings={"raise": "stop with an error", "first": "keep the first rating"},
        ),
        _ACCEPT,
        *map(_selection, ("annotators", "items", "labels")),
    )
}
"""Settings of `read_ratings` by name."""

CHAIN_SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for one in (
        *(READ_SETTINGS[name] for name in ("document", "annotator", "start", "end")),
        Setting(
            "chain",
            "column",
            "Column with the chain of a mention; by default chain, entity, cluster, scu or group.",
            metavar=_COLUMN,
            option="--column-chain",
        ),
        READ_SETTINGS["layer"],
        replace(
            READ_SETTINGS["format"],
            help="File format: csv, tsv, parquet, conll2012, conllu, brat, uima, webanno or "
            "inception; detected by default.",
            choices=(),
            meanings=_DETECTED
            | {one.name: one.title for one in FORMATS.values() if one.is_table or one.has_chains},
        ),
        *(READ_SETTINGS[name] for name in ("delimiter", "header", "seen_by", "on_error")),
        *(READ_SETTINGS[name] for name in ("accept", "annotators", "documents")),
    )
}
"""Settings of `read_chains` by name."""

_PLACE = "Of pyramid files: file, folder, or a path pattern such as {document}_{annotator}."
PYRAMID_SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for one in (
        *(
            Setting(
                name,
                "name",
                _PLACE,
                metavar="WHAT",
                option=f"--{name}-from",
                title=f"Where the {name} is named",
                choices=("file", "folder"),
            )
            for name in ("document", "annotator")
        ),
        Setting(
            "format",
            "choice",
            "Format of the files; detected by default.",
            metavar="NAME",
            default="auto",
            meanings=_DETECTED
            | {name: FORMATS[name].title for name in ("csv", "tsv")}
            | {"pyramid": "DUC pyramid XML"},
        ),
    )
}
"""Settings of `read_pyramids` by name."""

CASE_SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for one in (
        Setting(
            "agreement",
            "column",
            "Column with the agreement of each case.",
            metavar=_COLUMN,
            title="Column of agreement",
        ),
        Setting(
            "outcome",
            "column",
            "Column with the outcome: numbers, or one of two labels.",
            metavar=_COLUMN,
            title="Column of the outcome",
        ),
        Setting(
            "clusters",
            "column",
            "Column with the document of each case, if documents repeat.",
            metavar=_COLUMN,
            title="Column of clusters",
        ),
        _DELIMITER,
    )
}
"""Settings of `read_cases` by name."""
