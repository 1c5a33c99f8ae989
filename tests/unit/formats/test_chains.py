"""`read_chains`: the same chains from every format, and what it refuses."""

from __future__ import annotations

import json
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import unisono as un
from file_samples import CONLL_U

ROOT = Path(__file__).resolve().parents[3]
# Two annotators and a text of six words of two letters: "ab cd ef gh ij kl".
TEXT = "ab cd ef gh ij kl"
CHAINS = {"ann": [[0, 2, 5], [3]], "bob": [[0, 2], [3, 5]]}


def spans(word, *, characters):
    return (3 * word, 3 * word + 2) if characters else (word, word + 1)


def table(_who=None):
    rows = ["annotator,document,start,end,chain"]
    for name, chains in CHAINS.items():
        for number, chain in enumerate(chains):
            rows += [f"{name},d,{word},{word + 1},{name}{number}" for word in chain]
    return "\n".join(rows) + "\n"


def cells(who):
    return {word: number for number, chain in enumerate(CHAINS[who]) for word in chain}


def conll2012(who):
    own = cells(who)
    lines = [
        f"d 0 {at} {word} {f'({own[at]})' if at in own else '-'}"
        for at, word in enumerate(TEXT.split())
    ]
    return "\n".join(["#begin document (d);", *lines, "#end document"]) + "\n"


def conllu(who):
    own = cells(who)
    lines = []
    for at, word in enumerate(TEXT.split()):
        misc = f"Entity=(e{own[at]}-x-1-)" if at in own else "_"
        lines.append("\t".join([str(at + 1), word, *"_" * 7, misc]))
    return "\n".join(["# newdoc id = d", "# global.Entity = eid-etype-head-other", *lines, "", ""])


def brat(who, *, relations=False):
    lines: list[str] = []
    number: dict[int, str] = {}
    for chain in CHAINS[who]:
        for word in chain:
            number[word] = f"T{len(number) + 1}"
            start, end = spans(word, characters=True)
            lines.append(f"{number[word]}\tM {start} {end}\t{TEXT[start:end]}")
    for chain in CHAINS[who]:
        names = [number[word] for word in chain]
        if relations:
            pairs = pairwise(names)
            lines += [f"R{a}{b}\tCoreference Arg1:{b} Arg2:{a}" for a, b in pairs]
        elif len(names) > 1:
            lines.append(f"*\tEquiv {' '.join(names)}")
    return "\n".join(lines) + "\n"


def links(who):
    number = 10
    for chain in CHAINS[who]:
        for place, word in enumerate(chain):
            after = number + 1 if place + 1 < len(chain) else None
            yield number, *spans(word, characters=True), after, place == 0
            number += 1


def xmi(who):
    parts = [
        '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"',
        ' xmlns:type="http:///de/coref.ecore">',
        f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" sofaString="{TEXT}"/>',
        '<type:Token xmi:id="2" sofa="1" begin="0" end="2"/>',
        '<type:NamedEntity xmi:id="3" sofa="1" begin="0" end="2" value="PER"/>',
    ]
    for number, start, end, after, is_first in links(who):
        points = f' next="{after}"' if after else ""
        parts.append(
            f'<type:CoreferenceLink xmi:id="{number}" sofa="1" begin="{start}" end="{end}"{points} '
            'referenceType="x"/>'
        )
        if is_first:
            parts.append(f'<type:CoreferenceChain xmi:id="1{number}" sofa="1" first="{number}"/>')
    return "".join([*parts, "</xmi:XMI>"])


def cas_json(who):
    structures = [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": TEXT}
    ]
    for number, start, end, after, is_first in links(who):
        structures.append(
            {"%ID": number, "%TYPE": "de.CoreferenceLink", "@sofa": 1, "begin": start, "end": end}
            | ({"@next": after} if after else {})
        )
        if is_first:
            structures.append(
                {"%ID": 100 + number, "%TYPE": "de.CoreferenceChain", "@first": number}
            )
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures})


def webanno(who):
    own = {
        word: (n + 1, at + 1)
        for n, chain in enumerate(CHAINS[who])
        for at, word in enumerate(chain)
    }
    lines = [
        "#FORMAT=WebAnno TSV 3.3",
        "#T_CH=de.CoreferenceLink|referenceRelation|referenceType",
        "",
        "",
        f"#Text={TEXT}",
    ]
    for at, word in enumerate(TEXT.split()):
        start, end = spans(at, characters=True)
        number, link = own.get(at, (None, None))
        cell = f"*->{number}-{link}\t*" if number else "_\t_"
        lines.append(f"1-{at + 1}\t{start}-{end}\t{word}\t{cell}\t")
    return "\n".join(lines) + "\n"


FORMATS = {
    "conll2012": ("{who}.conll", conll2012, False),
    "conllu": ("{who}.conllu", conllu, False),
    "brat": ("{who}/d.ann", brat, True),
    "brat relations": ("{who}/d.ann", lambda who: brat(who, relations=True), True),
    "uima xmi": ("{who}/d.xmi", xmi, True),
    "uima json": ("{who}/d.json", cas_json, True),
    "webanno": ("{who}/d.tsv", webanno, True),
}


def expected(*, characters):
    def name(word):
        return "{}-{}".format(*spans(word, characters=characters))

    return {who: tuple(tuple(map(name, one)) for one in chains) for who, chains in CHAINS.items()}


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_gives_the_same_chains(tmp_path, format_):
    name, content, characters = FORMATS[format_]
    for who in CHAINS:
        path = tmp_path / name.format(who=who)
        path.parent.mkdir(exist_ok=True)
        path.write_text(content(who))
    chains = un.read_chains(tmp_path)

    assert dict(chains["d"]) == expected(characters=characters)


def test_a_table_has_them_too(tmp_path):
    path = tmp_path / "all.csv"
    path.write_text(table())

    assert dict(un.read_chains(path)["d"]) == expected(characters=False)


@pytest.mark.parametrize("heading", ["entity", "Cluster ID", "coref", "SCU", "label"])
def test_the_column_of_chains_has_usual_names(tmp_path, heading):
    path = tmp_path / "all.csv"
    path.write_text(table().replace("chain", heading, 1))

    assert dict(un.read_chains(path)["d"]) == expected(characters=False)


def test_the_column_of_chains_can_be_chosen(tmp_path):
    path = tmp_path / "all.csv"
    path.write_text(table().replace("chain", "what it is", 1))

    assert dict(un.read_chains(path, chain="what it is")["d"]) == expected(characters=False)
    assert dict(un.read_chains(path, chain=5)["d"]) == expected(characters=False)
    with pytest.raises(un.ReadError, match=r"all\.csv:1: no column 'such' for chain="):
        un.read_chains(path, chain="such")


def test_a_table_without_header(tmp_path):
    path = tmp_path / "all.csv"
    path.write_text(table().partition("\n")[2])
    roles: dict[str, Any] = {"annotator": 1, "document": 2, "start": 3, "end": 4}

    assert dict(un.read_chains(path, chain=5, **roles)["d"]) == expected(characters=False)


def test_an_inception_project(tmp_path):
    path = tmp_path / "project.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for who in CHAINS:
            inner = tmp_path / "inner.zip"
            with zipfile.ZipFile(inner, "w") as own:
                own.writestr("d.xmi", xmi(who))
            archive.writestr(f"annotation/d.txt/{who}.zip", inner.read_bytes())

    assert dict(un.read_chains(path)["d.txt"]) == expected(characters=True)


def test_the_example():
    chains = un.read_chains(ROOT / "examples" / "coreference")

    assert repr(chains) == "Chains(2 documents, 3 annotators, 18 mentions, 21 chains)"
    assert chains.n_shared == 16


def write(tmp_path, name, text):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def test_pieces_empty_nodes_and_nesting_of_conllu(tmp_path):
    """A mention in two pieces, an empty node as a word, and a mention in another."""
    path = write(tmp_path, "ann.conllu", CONLL_U)

    assert un.read_chains(path)["d"]["ann"] == (("0-1", "2-3", "3-4"), ("3-5",), ("4-5+5-6",))


def test_labels_of_conllu(tmp_path):
    path = write(tmp_path, "ann.conllu", CONLL_U)

    assert un.read(path)["d"].labels == ("0-1", "3-5", "4-6")
    assert un.read(path, label="eid")["d"].labels == ("e1", "e2", "e3")
    assert un.read(path, label="etype")["d"].labels == (None, "person", "thing")
    assert un.read(path, label=False)["d"].labels == (None,)
    with pytest.raises(un.ReadError, match="no field 'type' for label=; the fields of global"):
        un.read(path, label="type")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("Entity=(e1--1)", "Entity=e9)", 7, "'e9\\)' closes a mention that was not opened"),
        (
            "Entity=e2)(e3[1/2])",
            "Entity=(e3[1/2])",
            8,
            "a mention of the chain 'e2' is never closed",
        ),
        ("e3[2/2]", "e3[2/3]", 10, "'e3\\[2/3\\]' continues a mention that was not begun"),
        ("Entity=(e1--1)", "Entity=e1-person", 7, "'e1-person' is not a value of Entity="),
        ("Entity=(e1--1)", "Entity=(-person)", 7, "'\\(-person\\)' names no entity"),
        ("5\tout\t", "5\tout", 10, "expected the ten columns of CoNLL-U; got 9 and the id '5'"),
        ("eid-etype-head-other", "etype-head", 2, "global.Entity has no field eid, which names"),
        (
            "1-2\tLe\t_\t_\t_\t_\t_\t_\t_\t_",
            "1-2\tLe\t_\t_\t_\t_\t_\t_\t_\tEntity=(e1)",
            4,
            "Entity= must be on words",
        ),
    ],
)
def test_damaged_conllu_is_refused_with_the_line(tmp_path, old, new, line, message):
    assert old in CONLL_U
    path = write(tmp_path, "ann.conllu", CONLL_U.replace(old, new))

    with pytest.raises(un.ReadError, match=message) as raised:
        un.read_chains(path)
    assert (raised.value.path, raised.value.line) == (path, line)


def test_documents_of_a_conllu_file_have_names(tmp_path):
    text = CONLL_U.replace("# newdoc id = d", "# newdoc") + CONLL_U.replace("id = d", "id = two")
    path = write(tmp_path, "ann.conllu", text)

    assert list(un.read_chains(path, annotator="file", document="file")) == ["ann", "two"]


def test_a_link_to_nowhere_is_refused(tmp_path):
    path = write(tmp_path, "ann/d.xmi", xmi("ann").replace('next="12"', 'next="99"'))

    with pytest.raises(un.ReadError, match="the next link of a chain is '99', which is not in"):
        un.read_chains(tmp_path)
    skipped = un.read_chains(path, annotator="folder", on_error="skip")
    assert skipped["d"]["ann"] == (("0-2", "6-8"), ("9-11",), ("15-17",))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("talk.TextGrid", "", "the file is empty; expected chains of mentions"),
        (
            "talk.TextGrid",
            'File type = "ooTextFile"',
            "a file in the format 'Praat TextGrid' has no chains; expected brat",
        ),
        (
            "a.csv",
            "annotator,start,end,chain\nann,0,1,x\nann,0,1,y\n",
            "'ann' .*has '0-1' in two. Remove",
        ),
        ("a.csv", "annotator,start,end,chain,entity\nann,0,1,x,y\n", None),
        (
            "a.csv",
            "annotator,start,end,entity,cluster\nann,0,1,x,y\n",
            "the chain can be any of the columns 'entity', 'cluster'",
        ),
        ("a.csv", "annotator,start,chain\nann,0,x\n", "no column for end"),
        ("a.csv", "annotator,start,end,chain\nann,0,b,x\n", "a.csv:2: end 'b' is not a number"),
        (
            "a.csv",
            "annotator,start,end,colour\nann,0,1,x\n",
            "no column for chain; the columns are 'annotator', .*; set chain=…",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_and_remedy(tmp_path, name, text, message):
    path = write(tmp_path, name, text)
    if message is None:
        assert un.read_chains(path)["a"]["ann"] == (("0-1",),)
        return
    with pytest.raises(un.ReadError, match=message) as raised:
        un.read_chains(path)
    assert raised.value.path == path


def test_settings_of_tables_are_refused_elsewhere(tmp_path):
    path = write(tmp_path, "ann.conll", conll2012("ann"))

    with pytest.raises(un.SettingError, match="chain= is for tables; these files are 'conll2012'"):
        un.read_chains(path, chain="x")


def test_tables_beside_other_files_are_refused(tmp_path):
    write(tmp_path, "ann.conll", conll2012("ann"))
    write(tmp_path, "bob.csv", table())

    with pytest.raises(un.ReadError, match="tables and files of other formats"):
        un.read_chains(tmp_path)


def test_no_mention_is_refused(tmp_path):
    path = write(tmp_path, "ann.conll", "#begin document (d);\nd 0 0 a -\n#end document\n")

    with pytest.raises(un.ReadError, match="no mention in these files"):
        un.read_chains(path)
