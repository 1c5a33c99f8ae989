"""Charts as files: images, self-contained HTML pages, Vega-Lite specifications."""

from __future__ import annotations

import hashlib
import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unisono.charts.style import INK, library
from unisono.errors import SettingError
from unisono.formats.output import write_file
from unisono.registry import check_setting

if TYPE_CHECKING:
    import os

    from unisono.charts.style import Chart

__all__ = ["Theme", "chart_file", "chart_spec", "chart_svg", "save_chart"]

Theme: TypeAlias = Literal["light", "dark"]
SUFFIXES = (".png", ".svg", ".pdf", ".html", ".json")
"""The suffixes of the files that a chart can be written to."""
_DARK = {"ink": "#e6e6e6", "paper": "#1b1d21"}
_INKED = re.compile(rf'\b(fill|stroke)="{INK}"')
_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="[^"]*"/>', re.ASCII)
_IDS = re.compile(r'(\bid="|url\(#)((?:clip|gradient)[\w-]*)')
_PNG_SCALE = 2.0


def chart_spec(chart: Chart, *, theme: Theme = "light") -> dict[str, Any]:
    """Return a chart as a Vega-Lite specification that includes its data.

    Parameters
    ----------
    chart
        An altair chart.
    theme
        ``"dark"`` has light text on a dark background.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import chart_spec
    >>> from unisono.charts import continuum_chart
    >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> chart_spec(continuum_chart(text))["datasets"]["units"][1]["annotator"]
    'bob'
    """
    check_setting("theme", theme)
    # altair would traverse every row, which takes longer than the drawing.
    data = chart.datasets
    has_data = isinstance(data, dict)
    light = chart.copy(deep=False) if has_data else chart
    if has_data:
        light.datasets = {}
    spec: dict[str, Any] = light.to_dict(validate=False)
    if has_data:
        spec["datasets"] = data
    if theme == "light":
        return spec
    tables = spec.pop("datasets", {})
    dark: dict[str, Any] = _with_dark_colours(spec)
    dark["background"] = _DARK["paper"]
    # The column ``ink`` has the colour of the text of a row.
    dark["datasets"] = {
        name: [{**row, "ink": _DARK["ink"]} if row.get("ink") == INK else row for row in rows]
        for name, rows in tables.items()
    }
    return dark


def chart_svg(chart: Chart, *, theme: Theme | None = None) -> str:
    """Return a chart as an SVG element for a web page.

    Parameters
    ----------
    chart
        An altair chart.
    theme
        By default text and lines have the colour of the surrounding text (``currentColor``) and
        the background is transparent, for light and dark pages; ``"light"`` and ``"dark"`` have an
        opaque background.

    Returns
    -------
    str
        An ``<svg>`` element with a description for screen readers. It loads no external resources,
        and a page can contain several of them.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import chart_svg
    >>> from unisono.charts import continuum_chart
    >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> picture = chart_svg(continuum_chart(text))
    >>> picture[:4], "currentColor" in picture
    ('<svg', True)
    """
    spec = chart_spec(chart, theme=theme or "light")
    drawn = library("vl_convert").vegalite_to_svg(_without_params(spec))
    drawn = _with_unique_ids(drawn)
    if theme is None:
        drawn = _PAPER.sub("", _INKED.sub(r'\1="currentColor"', drawn), count=1)
    description = escape(str(spec.get("description", "")))
    # With visible overflow, text in a font that is wider than the measured one is not cut off.
    head = f'<svg role="img" aria-label="{description}" style="overflow: visible" '
    return drawn.replace("<svg ", head, 1)


def _with_unique_ids(drawn: str) -> str:
    """Return the SVG with ids derived from its content, to be unique in a page.

    Vega numbers clips and gradients across all charts of a process, so the same chart would have
    different ids each time.
    """
    places: dict[str, int] = {}
    drawn = _IDS.sub(
        lambda found: f"{found[1]}part{places.setdefault(found[2], len(places))}", drawn
    )
    mark = hashlib.sha256(drawn.encode("utf-8", "replace")).hexdigest()[:8]
    return re.sub(r'(\bid="|url\(#)part(?=\d)', rf"\g<1>c{mark}-", drawn)


def save_chart(
    chart: Chart, path: str | os.PathLike[str], *, theme: Theme = "light", scale: float = _PNG_SCALE
) -> Path:
    """Write a chart to a file in the format of its suffix.

    Parameters
    ----------
    chart
        An altair chart.
    path
        The file: ``.png``, ``.svg`` and ``.pdf`` are images, ``.html`` is a self-contained page
        with tooltips and zooming, ``.json`` is the Vega-Lite specification.
    theme
        ``"light"`` or ``"dark"``.
    scale
        The number of pixels of a PNG per pixel of the chart.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    SettingError
        If the suffix is unknown.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import continuum_chart
    >>> from unisono.charts import save_chart
    >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> save_chart(continuum_chart(text), "continuum.gif")
    Traceback (most recent call last):
    unisono.errors.SettingError: unknown suffix '.gif'; use .png, .svg, .pdf, .html or .json
    """
    target = Path(path)
    content = chart_file(chart, target.suffix, theme=theme, scale=scale)
    write_file(target, content)
    return target


def chart_file(
    chart: Chart, suffix: str, *, theme: Theme = "light", scale: float = _PNG_SCALE
) -> bytes:
    """Return the content of a file with the chart.

    Parameters
    ----------
    chart, theme, scale
        As in `save_chart`.
    suffix
        One of ``".png"``, ``".svg"``, ``".pdf"``, ``".html"`` and ``".json"``.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import chart_file
    >>> from unisono.charts import continuum_chart
    >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> chart_file(continuum_chart(text), ".png")[1:4]
    b'PNG'
    """
    kind = check_suffix(suffix)
    if kind == ".svg":
        return (chart_svg(chart, theme=theme) + "\n").encode()
    spec = chart_spec(chart, theme=theme)
    if kind == ".json":
        return (json.dumps(spec, ensure_ascii=False, allow_nan=False) + "\n").encode()
    if kind == ".html":
        return _page(spec).encode()
    convert = library("vl_convert")
    if kind == ".pdf":
        return bytes(convert.vegalite_to_pdf(_without_params(spec)))
    return bytes(convert.vegalite_to_png(_without_params(spec), scale=scale))


def check_suffix(suffix: str) -> str:
    """Return a suffix in lower case; raise a SettingError if it is unknown."""
    kind = suffix.lower()
    if kind not in SUFFIXES:
        listed = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        msg = f"unknown suffix {suffix!r}; use {listed}"
        raise SettingError(msg)
    return kind


_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>body {{ margin: 1em; background: {paper}; overflow-x: auto; }}</style>
</head>
<body>
<div id="chart" role="img" aria-label="{description}"></div>
<script type="module">
{library}
const spec = {spec};
const options = {{mode: "vega-lite", ast: true, renderer: "svg", actions: {{export: true, \
source: false, compiled: false, editor: false}}}};
window.vegaEmbed("#chart", spec, options).then(() => {{ document.body.dataset.drawn = "yes"; }});
</script>
</body>
</html>
"""


def _page(spec: dict[str, Any]) -> str:
    code = library("vl_convert").javascript_bundle()
    description = str(spec.get("description", "Chart"))
    title = spec.get("title", description)
    # Escaped, so that a label cannot close the script element.
    data = json.dumps(spec, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
    return _PAGE.format(
        title=escape(str(title["text"] if isinstance(title, dict) else title)),
        description=escape(description),
        paper=spec.get("background", "#ffffff"),
        library=code.replace("</script", "<\\/script"),
        spec=data,
    )


def _without_params(spec: dict[str, Any]) -> dict[str, Any]:
    # Images have no tooltips or zooming, and evaluating the signals for them would take time.
    return {name: part for name, part in spec.items() if name != "params"}


_COLOUR_WORDS = ("color", "fill", "stroke")


def _with_dark_colours(part: Any) -> Any:  # noqa: ANN401 - any part of a specification
    if isinstance(part, dict):
        return {
            name: _DARK["ink"]
            if each == INK and name.lower().endswith(_COLOUR_WORDS)
            else _with_dark_colours(each)
            for name, each in part.items()
        }
    return [_with_dark_colours(each) for each in part] if isinstance(part, list) else part
