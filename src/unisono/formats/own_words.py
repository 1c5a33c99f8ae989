"""Whether a format knows the words by which the caller asks for annotators, documents, labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unisono.errors import SettingError, setting
from unisono.model.naming import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unisono.formats.contents import ReadOptions


_PATHS = ("folder", "file", "{document}_{annotator}")


def check_words(
    options: ReadOptions,
    *,
    annotator: Sequence[str] | None = (),
    label: Sequence[str] | None = None,
    pattern: str | None = None,
) -> None:
    """Refuse words that a format does not know, which would change nothing.

    Parameters
    ----------
    options
        What the caller says; words about paths have been taken out.
    annotator, label
        The words that the format knows; `None` if they are names that its files choose.
    pattern
        A field that makes a pattern of the annotator, if the format takes patterns of its own.

    Raises
    ------
    SettingError
        A word is unknown.
    """
    asked = options.annotator
    is_pattern = pattern is not None and isinstance(asked, str) and pattern in asked
    if annotator is not None and asked not in (None, *annotator) and not is_pattern:
        _refuse("annotator", asked, (*annotator, *_PATHS))
    if options.document not in (None, False):
        _refuse("document", options.document, _PATHS)
    if label is not None and options.label not in (None, False, *label):
        _refuse("label", options.label, (*label, False))


def _refuse(name: str, asked: object, known: Sequence[object]) -> None:
    msg = f"this format does not know {setting(name, asked)}; choose one of {listed(known)}"
    raise SettingError(msg)
