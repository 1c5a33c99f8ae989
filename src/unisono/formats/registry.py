"""Registry of the formats of units: suffixes, detection, reader and writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.formats.brat import read_brat, write_brat
from unisono.formats.conll import looks_like_conll_coreference, read_conll, read_conll_coreference
from unisono.formats.conllu import read_conllu
from unisono.formats.contents import Format
from unisono.formats.elan import read_eaf, write_eaf
from unisono.formats.gate import looks_like_gate, read_gate
from unisono.formats.glozz import read_glozz, write_glozz
from unisono.formats.jsonl import looks_like_jsonl, read_jsonl, write_jsonl
from unisono.formats.label_studio import (
    looks_like_label_studio,
    read_label_studio,
    write_label_studio,
)
from unisono.formats.praat import read_textgrid, write_textgrid
from unisono.formats.text_spans import (
    looks_like_doccano,
    looks_like_prodigy,
    looks_like_segeval,
    read_doccano,
    read_prodigy,
    read_segeval,
)
from unisono.formats.timed_lines import (
    looks_like_audacity,
    read_audacity,
    read_rttm,
    read_srt,
    read_webvtt,
)
from unisono.formats.uima import (
    looks_like_cas_json,
    looks_like_inception,
    looks_like_webanno,
    looks_like_xmi,
    read_inception,
    read_uima,
    read_webanno,
)
from unisono.formats.unit_tables import write_csv, write_tsv

if TYPE_CHECKING:
    from collections.abc import Mapping


FORMATS: Mapping[str, Format] = {
    each.name: each
    for each in (
        Format("csv", "CSV table", (".csv",), writer=write_csv, is_table=True),
        Format("tsv", "TSV table", (".tsv", ".tab"), writer=write_tsv, is_table=True),
        Format("parquet", "Parquet table", (".parquet", ".pq"), is_table=True),
        Format(
            "jsonl",
            "JSON Lines, one unit per line",
            (".jsonl", ".ndjson"),
            read_jsonl,
            write_jsonl,
            looks_like=looks_like_jsonl,
            inside=("annotator", "document"),
            by_path="file",
        ),
        Format(
            "brat",
            "brat standoff",
            (".ann",),
            read_brat,
            write_brat,
            by_path="folder",
            companions=(".txt",),
            has_chains=True,
        ),
        Format(
            "labelstudio",
            "Label Studio JSON",
            (".json",),
            read_label_studio,
            write_label_studio,
            looks_like=looks_like_label_studio,
            inside=("annotator", "document"),
        ),
        Format(
            "prodigy",
            "Prodigy JSON Lines",
            (".jsonl",),
            read_prodigy,
            looks_like=looks_like_prodigy,
            inside=("annotator", "document"),
            by_path="file",
        ),
        Format(
            "doccano",
            "doccano JSON Lines",
            (".jsonl", ".json"),
            read_doccano,
            looks_like=looks_like_doccano,
            inside=("document",),
            by_path="file",
        ),
        Format(
            "segeval",
            "segeval JSON",
            (".json",),
            read_segeval,
            looks_like=looks_like_segeval,
            inside=("annotator", "document"),
        ),
        Format(
            "conll2012",
            "CoNLL-2012 coreference",
            (".conll", ".v4_gold_conll", ".v4_auto_conll", ".gold_conll"),
            read_conll_coreference,
            looks_like=looks_like_conll_coreference,
            inside=("document",),
            by_path="file",
            has_chains=True,
        ),
        Format(
            "conllu",
            "CoNLL-U with Entity (CorefUD)",
            (".conllu",),
            read_conllu,
            inside=("document",),
            by_path="file",
            has_chains=True,
        ),
        Format(
            "conll",
            "CoNLL columns with IOB tags",
            (".conll", ".iob", ".iob2", ".bio", ".bioes", ".bilou"),
            read_conll,
            by_path="either",
        ),
        # Tiers, and other time-based formats.
        Format(
            "textgrid",
            "Praat TextGrid",
            (".textgrid",),
            read_textgrid,
            write_textgrid,
            by_path="tiers",
        ),
        Format("eaf", "ELAN", (".eaf",), read_eaf, write_eaf, by_path="tiers"),
        Format("rttm", "RTTM", (".rttm",), read_rttm, inside=("document",), by_path="file"),
        Format(
            "audacity",
            "Audacity labels",
            (".txt",),
            read_audacity,
            looks_like=looks_like_audacity,
            may_be_empty=True,
            by_path="either",
        ),
        Format("webvtt", "WebVTT captions", (".vtt",), read_webvtt, by_path="either"),
        Format("srt", "SubRip captions", (".srt",), read_srt, by_path="either"),
        # Formats with offsets into a text.
        Format(
            "glozz",
            "Glozz",
            (".aa",),
            read_glozz,
            write_glozz,
            inside=("annotator",),
            companions=(".ac",),
        ),
        Format(
            "webanno",
            "WebAnno TSV 3",
            (".tsv",),
            read_webanno,
            looks_like=looks_like_webanno,
            by_path="either",
            has_chains=True,
        ),
        Format(
            "uima",
            "UIMA CAS, XMI or JSON",
            (".xmi", ".json", ".xml"),
            read_uima,
            looks_like=lambda head: looks_like_xmi(head) or looks_like_cas_json(head),
            by_path="either",
            has_chains=True,
        ),
        Format(
            "inception",
            "INCEpTION project",
            (".zip",),
            read_inception,
            looks_like=looks_like_inception,
            inside=("annotator", "document"),
            has_chains=True,
        ),
        Format(
            "gate",
            "GATE XML",
            (".xml",),
            read_gate,
            looks_like=looks_like_gate,
            inside=("annotator",),
        ),
    )
}
"""Formats by name; if several have the same suffix, the first that recognises the file is used."""
