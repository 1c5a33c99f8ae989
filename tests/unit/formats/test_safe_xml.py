from pathlib import Path

import pytest

from unisono.errors import ReadError
from unisono.formats import safe_xml
from unisono.formats.safe_xml import escaped, tree_of

PATH = Path("talk.xml")


def tree(text, *root):
    return tree_of(text if isinstance(text, bytes) else text.encode(), PATH, *root)


def test_a_tree_has_names_attributes_texts_and_lines():
    found = tree('<a x="1">one\n<b>two</b>three<b y="&lt;"/></a>', "a")
    assert (found.name, found.attributes, found.text, found.line) == ("a", {"x": "1"}, "one\n", 1)
    first, second = found.named("b")
    assert (first.text, first.tail, first.line) == ("two", "three", 2)
    assert second.attributes == {"y": "<"}
    assert found.first("b") is first
    assert found.first("b", "c") is None
    assert [each.name for each in found.everything()] == ["a", "b", "b"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_the_encoding_is_the_declared_one(encoding):
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    text = f'<?xml version="1.0" encoding="{declared}"?><a>é</a>'
    assert tree(text.encode(encoding)).text == "é"


BILLION_LAUGHS = (
    '<!DOCTYPE a [<!ENTITY b "ha">'
    + "".join(f'<!ENTITY b{i} "{f"&b{i - 1};" * 10 if i else "&b;"}">' for i in range(9))
    + "]>\n<a>&b8;</a>"
)


@pytest.mark.parametrize(
    "text",
    [
        BILLION_LAUGHS,
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>\n<a>&b;</a>',
        '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://localhost/x.dtd"> %b;]>\n<a/>',
        '<!DOCTYPE a [<!ENTITY b "plain">]>\n<a/>',
        '<!DOCTYPE a SYSTEM "x.dtd">\n<a>&b;</a>',
    ],
)
def test_entities_are_refused_and_nothing_is_fetched(text):
    with pytest.raises(ReadError, match=r"talk.xml:[12]: the file declares or uses custom"):
        tree(text)


def test_a_plain_document_type_does_no_harm():
    assert tree('<!DOCTYPE a SYSTEM "http://localhost/x.dtd"><a>&amp;&#65;</a>').text == "&A"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", r"talk.xml: the file is empty"),
        ("<a>\n<b></a>", r"talk.xml:2: not well-formed XML: mismatched tag, at column 6"),
        ("<a>", r"talk.xml:1: not well-formed XML: no element found"),
        ("<a/>\n<b/>", r"talk.xml:2: not well-formed XML"),
        ("a,b\n", r"talk.xml:1: not well-formed XML"),
        ("<a>\x01</a>", r"talk.xml:1: not well-formed XML"),
        ('<?xml version="1.0" encoding="x-none"?><a/>', r"talk.xml:1: "),
        ("<b/>", r"talk.xml:1: expected the root element <a>, got <b>"),
    ],
)
def test_invalid_xml_is_refused_with_its_line(text, problem):
    with pytest.raises(ReadError, match=problem):
        tree(text, "a")


def test_deep_and_big_files_are_refused(monkeypatch):
    with pytest.raises(ReadError, match="nested more than 100 levels"):
        tree("<a>" * 100_000)
    monkeypatch.setattr(safe_xml, "_LARGEST_FILE", 10)
    with pytest.raises(ReadError, match="larger than"):
        tree("<a>0123456789</a>")


def test_long_texts_take_linear_time():
    assert len(tree("<a>" + "x" * 20_000_000 + "</a>").text) == 20_000_000


def test_escaped_text_is_restored_the_same():
    text = "a\t\r\n <&>\"'\u2028😊"
    found = tree(f'<a b="{escaped(text)}">{escaped(text)}</a>')
    assert found.text == found.attributes["b"] == text
