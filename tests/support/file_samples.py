"""A small valid file of every format, units and ratings, for tests that damage them."""

import io
import json
import zipfile
from typing import NamedTuple

import polars as pl

from tool_samples import SAMPLES as TOOL_SAMPLES
from tool_samples import WEBANNO, XMI

CSV = "document,annotator,start,end,label\nd1,ann,0,5,NP\nd1,bob,0.5,4,VP\nd2,ann,1e1,12,NP\n"
QUOTED = 'annotator;start;end;label\nann;0;5,5;"a ""b"""\nbob;0,5;4;"c\nd"\n'
TSV = "annotator\tstart\tend\tlabel\nann\t0\t5\t1\nbob\t1\t4\t2\n"
JSONL = """{"document": "d", "annotators": ["ann", "bob", "eve"], "text": "0123456789", \
"extent": [0, 10]}
{"document": "d", "annotator": "ann", "start": 0, "end": 5, "label": "A"}
{"document": "d", "annotator": "bob", "start": 1, "end": 9, "label": ["A", "B"], \
"fragments": [[1, 3], [5, 9]], "attributes": {"note": "x"}}
"""
BRAT = """T1\tPER 0 5\thello
T2\tLOC 6 8;9 11\two ld
A1\tSure T1 yes
R1\tCoref Arg1:T1 Arg2:T2
*\tEquiv T1 T2
#1\tAnnotatorNotes T1\ta note
"""
LABEL_STUDIO = json.dumps(
    [
        {
            "id": 7,
            "data": {"text": "hello world"},
            "annotations": [
                {
                    "completed_by": 3,
                    "result": [
                        {
                            "id": "r1",
                            "from_name": "ner",
                            "type": "labels",
                            "value": {"start": 0, "end": 5, "text": "hello", "labels": ["A"]},
                        },
                        {
                            "id": "r2",
                            "from_name": "ner",
                            "type": "hypertextlabels",
                            "value": {
                                "start": "/p[1]/text()[1]",
                                "end": "/p[1]/text()[1]",
                                "startOffset": 6,
                                "endOffset": 11,
                                "globalOffsets": {"start": 6, "end": 11},
                                "hypertextlabels": ["B"],
                            },
                        },
                        {
                            "id": "r3",
                            "from_name": "ner",
                            "type": "timelinelabels",
                            "value": {
                                "ranges": [{"start": 1, "end": 3}],
                                "timelinelabels": ["C"],
                            },
                        },
                    ],
                }
            ],
        }
    ]
)
LABEL_STUDIO_SHORT = json.dumps(
    [
        {
            "text": "hello world",
            "id": 7,
            "ner": [{"start": 0, "end": 5, "text": "hello", "labels": ["A"]}],
            "annotator": 3,
            "annotation_id": 5,
        }
    ]
)
PRODIGY = """{"text": "hello world", "_input_hash": 11, "_session_id": "ann", "answer": "accept", \
"spans": [{"start": 0, "end": 5, "label": "A"}]}
{"text": "hello world", "_input_hash": 11, "_session_id": "bob", "answer": "accept", \
"audio_spans": [{"start": 6.5, "end": 11, "label": "B"}]}
"""
DOCCANO = """{"id": 1, "text": "hello world", "label": [[0, 5, "A"], [6, 11, "B"]]}
{"id": 2, "text": "again", "entities": [{"start_offset": 0, "end_offset": 5, "label": "A"}]}
"""
SEGEVAL = '{"items": {"d": {"ann": [2, 3, 4], "bob": [5, 4]}}, "segmentation_type": "linear"}'
CONLL = "-DOCSTART- O\n\nJohn B-PER\nSmith I-PER\nran O\n\n# a comment\nParis B-LOC\n"
CONLL_2012 = """#begin document (nw/1); part 000
nw/1 0 0 John (3
nw/1 0 1 Smith 3)
nw/1 0 2 ran -

nw/1 0 0 he (3)|(4)
#end document
"""
CONLL_U = """# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = 1
1-2\tLe\t_\t_\t_\t_\t_\t_\t_\t_
1\tEve\t_\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1-person-1-)
2\ttook\t_\tVERB\t_\t_\t1\tdep\t_\t_
2.1\t_\t_\tPRON\t_\t_\t_\t_\t1:dep\tEntity=(e1--1)
3\ther\t_\tPRON\t_\t_\t1\tdep\t_\tEntity=(e2-thing-2-(e1)
4\tboat\t_\tNOUN\t_\t_\t1\tdep\t_\tEntity=e2)(e3[1/2])|SpaceAfter=No
5\tout\t_\tADV\t_\t_\t1\tdep\t_\tEntity=(e3[2/2])

"""
SHORT_TEXTGRID = """File type = "ooTextFile"
Object class = "TextGrid"

0
9.5
<exists>
2
"TextTier"
"bob"
0
9.5
1
2.5
"p"
"IntervalTier"
"ann"
0
9.5
2
0
4
"a"
4
9.5
"b"
"""
CHRONOLOGICAL = """"Praat chronological TextGrid text file"
0 9.5 ! Time domain.
2 ! Number of tiers.
"IntervalTier" "ann" 0 9.5
"TextTier" "bob" 0 9.5
1 0 4
"a"
2 2.5
"p"
1 4 9.5
"b"
"""
LONG_RATINGS = "annotator,item,label\nann,s1,1\nbob,s1,2.5\nann,s2,1\n"
WIDE_RATINGS = "item,ann,bob,eve\ns1,1,2,1\ns2,2,2,\ns3,1,1,1\n"
RATINGS_JSONL = """{"annotator": "ann", "item": 1, "label": "A"}
{"annotator": "bob", "item": 1, "label": ["A", "B"]}
"""
LABEL_STUDIO_RATINGS = json.dumps(
    [
        {
            "id": 7,
            "data": {"text": "hello"},
            "annotations": [
                {
                    "completed_by": who,
                    "result": [
                        {"from_name": "mood", "type": "choices", "value": {"choices": ["good"]}}
                    ],
                }
                for who in (1, 2)
            ],
        }
    ]
)
PRODIGY_RATINGS = """{"text": "a", "_input_hash": 11, "_session_id": "ann", "answer": "accept", \
"options": [{"id": "x"}], "accept": ["x"]}
{"text": "a", "_input_hash": 11, "_session_id": "bob", "answer": "ignore", \
"options": [{"id": "x"}], "accept": []}
"""
DOCCANO_RATINGS = """{"id": 1, "text": "a", "label": ["good"]}
{"id": 2, "text": "b", "label": ["bad"]}
"""


class Sample(NamedTuple):
    """A file: what reads it, its format and name, and what it holds."""

    reader: str  # "units" or "ratings"; of other tables "distances" or "annotators"
    format: str
    name: str
    content: bytes
    beside: tuple[tuple[str, bytes], ...] = ()

    @property
    def is_text(self) -> bool:
        """Whether it is text that people could edit."""
        return not self.name.endswith((".zip", ".parquet"))


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip archive of some files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return file.getvalue()


def _parquet() -> bytes:
    file = io.BytesIO()
    columns = {"annotator": ["ann", "bob"], "start": [0.0, 1.5], "end": [5.0, 4.0]}
    pl.DataFrame(columns | {"label": ["a", "b"]}).write_parquet(file)
    return file.getvalue()


_PROJECT = {
    "exportedproject.json": json.dumps(
        {"annotation_documents": [{"name": "d.txt", "user": "ann", "state": "FINISHED"}]}
    ).encode(),
    "annotation/d.txt/ann.zip": zipped({"ann.xmi": XMI.encode()}),
    "annotation/d.txt/bob.tsv": WEBANNO.encode(),
}
_UNITS = (
    ("csv", "talk.csv", CSV),
    ("csv", "quoted.csv", QUOTED),
    ("tsv", "talk.tsv", TSV),
    ("jsonl", "units.jsonl", JSONL),
    ("labelstudio", "export.json", LABEL_STUDIO),
    ("labelstudio", "short.json", LABEL_STUDIO_SHORT),
    ("prodigy", "prodigy.jsonl", PRODIGY),
    ("doccano", "ann.jsonl", DOCCANO),
    ("segeval", "segments.json", SEGEVAL),
    ("conll", "ann.conll", CONLL),
    ("conll2012", "ann.gold_conll", CONLL_2012),
    ("conllu", "ann.conllu", CONLL_U),
    ("textgrid", "short.TextGrid", SHORT_TEXTGRID),
    ("textgrid", "times.TextGrid", CHRONOLOGICAL),
    *TOOL_SAMPLES,
)
_RATINGS = (
    ("table", "long.csv", LONG_RATINGS),
    ("table", "wide.csv", WIDE_RATINGS),
    ("jsonl", "ratings.jsonl", RATINGS_JSONL),
    ("labelstudio", "choices.json", LABEL_STUDIO_RATINGS),
    ("prodigy", "choices.jsonl", PRODIGY_RATINGS),
    ("doccano", "ann.jsonl", DOCCANO_RATINGS),
)
FILES = (
    *(Sample("units", format_, name, text.encode()) for format_, name, text in _UNITS),
    Sample("units", "brat", "ann/talk.ann", BRAT.encode(), (("ann/talk.txt", b"hello world"),)),
    Sample("units", "inception", "export.zip", zipped(_PROJECT)),
    Sample("units", "parquet", "talk.parquet", _parquet()),
    *(Sample("ratings", format_, name, text.encode()) for format_, name, text in _RATINGS),
)
OTHER_TABLES = (
    Sample("distances", "auto", "distances.csv", b'label,"A",B\n"A",0,0.5\nB,0.5,0\n'),
    Sample("distances", "auto", "distances.txt", b";1;2;3\n1;0;0,5;1\n2;0,5;0;1\n3;1;1;0\n"),
    Sample("annotators", "auto", "who.csv", b'document,annotator\nd1,ann\nd1,"bob"\nd2,ann\n'),
)
"""Tables beside the annotations: distances of labels, and who saw what."""
