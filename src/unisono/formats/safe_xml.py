"""Safe XML parser that returns a small tree with line numbers.

External resources are not fetched and entities are not expanded: files that declare entities or
default values of attributes are rejected, and so are files that are too large or nested too
deeply. Only the standard library is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from unisono.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from unisono.formats.source import Source


# A tree takes about twenty times the memory of its file, up to 4 GB.
_LARGEST_FILE = 256 * 2**20
_MOST_ELEMENTS = 5_000_000
_MOST_ATTRIBUTES = 20_000_000
_DEEPEST = 100
_SIGNS = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        # Unescaped, a parser would turn these into spaces or line feeds.
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)


@dataclass(slots=True, eq=False, repr=False)
class Element:
    """XML element: name, attributes, children, text before the first child, and line number."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    tail: str = ""  # the text between its end tag and the next tag

    def named(self, *names: str) -> Iterator[Element]:
        """Yield the children with one of these names."""
        return (child for child in self.children if child.name in names)

    def first(self, *path: str) -> Element | None:
        """Return the element reached by following the first child of each name; `None` if none."""
        element: Element | None = self
        for name in path:
            element = next(element.named(name), None) if element is not None else None
        return element

    def everything(self) -> Iterator[Element]:
        """Yield the element and all its descendants in document order."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))


def xml_of(source: Source, *root: str) -> Element:
    """Parse an XML file; `root` lists the names allowed for its root element."""
    return tree_of(source.content(), source.path, *root)


def tree_of(content: bytes, path: Path, *root: str) -> Element:
    """Parse XML; `root` lists the names allowed for its root element."""
    # Imported on use: few files are XML.
    from xml.parsers import expat  # noqa: PLC0415

    if len(content) > _LARGEST_FILE:
        problem = f"the file is larger than {_LARGEST_FILE // 2**20} MiB; split it"
        raise ReadError(problem, path=path)
    if not content.strip():
        problem = "the file is empty; expected XML"
        raise ReadError(problem, path=path)
    builder = _Builder(path)
    try:
        builder.parser.Parse(content, True)  # noqa: FBT003 (expat takes it by position)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "unknown")
        problem = f"not well-formed XML: {reason}, at column {error.offset + 1}"
        raise ReadError(problem, path=path, line=error.lineno) from None
    except ReadError:
        raise
    except (LookupError, ValueError) as error:
        problem = f"its encoding is not supported ({error}); save the file as UTF-8"
        raise ReadError(problem, path=path, line=1) from None
    tree = builder.open[0].children[0]
    if root and tree.name not in root:
        problem = f"expected the root element <{root[0]}>, got <{_short(tree.name)}>"
        raise ReadError(problem, path=path, line=tree.line)
    return tree


def escaped(text: str) -> str:
    """Escape a text for an XML attribute or element so that parsing returns the same text."""
    return text.translate(_SIGNS)


class _Builder:
    """Builds the tree from the events of an expat parser."""

    def __init__(self, path: Path) -> None:
        from xml.parsers import expat  # noqa: PLC0415

        self.path = path
        self.parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.buffer_size = 2**16
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.AttlistDeclHandler = self.attribute
        parser.EntityDeclHandler = self.entity
        parser.ExternalEntityRefHandler = self.entity
        parser.SkippedEntityHandler = self.entity
        self.open = [Element("", {}, 0)]
        self.pieces: list[str] = []
        self.elements_left = _MOST_ELEMENTS
        self.attributes_left = _MOST_ATTRIBUTES

    def start(self, name: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        if len(self.open) > _DEEPEST:
            problem = f"elements are nested more than {_DEEPEST} levels deep; that is not supported"
            raise ReadError(problem, path=self.path, line=line)
        self.elements_left -= 1
        self.attributes_left -= len(attributes)
        if min(self.elements_left, self.attributes_left) < 0:
            problem = (
                f"more than {_MOST_ELEMENTS:,} elements or {_MOST_ATTRIBUTES:,} attributes; "
                "split the file"
            )
            raise ReadError(problem, path=self.path, line=line)
        self.flush_text()
        element = Element(name, attributes, line)
        self.open[-1].children.append(element)
        self.open.append(element)

    def end(self, _name: str) -> None:
        self.flush_text()
        self.open.pop()

    def characters(self, text: str) -> None:
        self.pieces.append(text)

    def flush_text(self) -> None:
        """Assign the collected text to the element that it belongs to."""
        if not self.pieces:
            return
        text = "".join(self.pieces)
        self.pieces.clear()
        element = self.open[-1]
        if element.children:
            element.children[-1].tail = text
        else:
            element.text = text

    def attribute(
        self, _element: str, name: str, _type: str, default: str | None, _required: int
    ) -> None:
        """Raise for a declared default value, which would apply to every element of that name."""
        if default is not None:
            problem = (
                f"the file declares a default for the attribute {name[:40]!r}, which is rejected "
                "for safety; write the attribute out on each element"
            )
            raise ReadError(problem, path=self.path, line=self.parser.CurrentLineNumber)

    def entity(self, *_arguments: object) -> NoReturn:
        problem = (
            "the file declares or uses custom entities, which are rejected for safety; "
            "replace them by their text"
        )
        raise ReadError(problem, path=self.path, line=self.parser.CurrentLineNumber)


def _short(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"
