"""XML as a small tree with line numbers, read so that no file can harm.

Nothing is fetched and nothing is expanded: a file that declares entities or default values of
attributes is refused, and so is one that is too big or nested too deep. Only the standard library
is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from unisono.errors import ReadError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from unisono.formats.contents import Source


# A tree takes some twenty times the bytes of its file, and up to 4 GB.
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
        # A parser turns these into spaces or line feeds where they stand as they are.
        "\t": "&#9;",
        "\n": "&#10;",
        "\r": "&#13;",
    }
)


@dataclass(slots=True, eq=False, repr=False)
class Element:
    """An element: its name, attributes, text before the first child, and where it begins."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""
    tail: str = ""  # the text between its end and whatever comes next

    def named(self, *names: str) -> Iterator[Element]:
        """Give the children with one of these names."""
        return (child for child in self.children if child.name in names)

    def first(self, *path: str) -> Element | None:
        """Give the first child of a name, its first child of the next name, and so on."""
        element: Element | None = self
        for name in path:
            element = next(element.named(name), None) if element is not None else None
        return element

    def everything(self) -> Iterator[Element]:
        """Give the element and all that is in it, in the order of the file."""
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting.extend(reversed(element.children))


def parsed(source: Source, *root: str) -> Element:
    """Read a file of XML; `root` names what its outermost element may be."""
    return tree_of(source.content(), source.path, *root)


def tree_of(content: bytes, path: Path, *root: str) -> Element:
    """Read XML."""
    # Here, not above: few files are XML.
    from xml.parsers import expat  # noqa: PLC0415

    if len(content) > _LARGEST_FILE:
        problem = f"the file is bigger than {_LARGEST_FILE // 2**20} MB; split it"
        raise ReadError(problem, path=path)
    if not content.strip():
        problem = "the file is empty; expected XML"
        raise ReadError(problem, path=path)
    builder = _Builder(path)
    try:
        builder.parser.Parse(content, True)  # noqa: FBT003 (expat takes it by place)
    except expat.ExpatError as error:
        told = expat.errors.messages.get(error.code, "unknown")
        problem = f"no well-formed XML: {told}, at column {error.offset + 1}"
        raise ReadError(problem, path=path, line=error.lineno) from None
    except ReadError:
        raise
    except (LookupError, ValueError) as error:
        problem = f"its encoding cannot be read ({error}); save the file as UTF-8"
        raise ReadError(problem, path=path, line=1) from None
    tree = builder.open[0].children[0]
    if root and tree.name not in root:
        problem = f"expected XML that begins with <{root[0]}>, got <{_short(tree.name)}>"
        raise ReadError(problem, path=path, line=tree.line)
    return tree


def escaped(text: str) -> str:
    """Write a text so that XML gives the same back, as an attribute or between tags."""
    return text.translate(_SIGNS)


class _Builder:
    """Takes the events of one parser and makes the tree."""

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
            problem = f"elements are nested more than {_DEEPEST} deep; no annotation tool does so"
            raise ReadError(problem, path=self.path, line=line)
        self.elements_left -= 1
        self.attributes_left -= len(attributes)
        if min(self.elements_left, self.attributes_left) < 0:
            problem = (
                f"more than {_MOST_ELEMENTS:,} elements or {_MOST_ATTRIBUTES:,} attributes; "
                "split the file"
            )
            raise ReadError(problem, path=self.path, line=line)
        self.settle()
        element = Element(name, attributes, line)
        self.open[-1].children.append(element)
        self.open.append(element)

    def end(self, _name: str) -> None:
        self.settle()
        self.open.pop()

    def characters(self, text: str) -> None:
        self.pieces.append(text)

    def settle(self) -> None:
        """Give the text that came to the element it belongs to."""
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
        """Refuse a default, which every element of that name would get."""
        if default is not None:
            problem = (
                f"it declares a default for the attribute {name[:40]!r}, which is not read because "
                "it can harm; write the attribute where it is meant"
            )
            raise ReadError(problem, path=self.path, line=self.parser.CurrentLineNumber)

    def entity(self, *_told: object) -> NoReturn:
        problem = (
            "it declares or uses entities of its own, which are not read because they can harm; "
            "write the text out"
        )
        raise ReadError(problem, path=self.path, line=self.parser.CurrentLineNumber)


def _short(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"
