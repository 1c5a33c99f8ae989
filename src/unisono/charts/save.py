"""Charts as files and texts: pictures, pages that load nothing, specifications."""

from __future__ import annotations

import hashlib
import json
import re
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from unisono.charts.style import INK, library
from unisono.errors import SettingError
from unisono.formats.output import write_file

if TYPE_CHECKING:
    import os

    from unisono.charts.style import Chart

__all__ = ["Theme", "chart_file", "chart_spec", "chart_svg", "save_chart"]

Theme: TypeAlias = Literal["light", "dark"]
SUFFIXES = (".png", ".svg", ".pdf", ".html", ".json")
"""How the name of a chart's file may end."""
_DARK = {"ink": "#e6e6e6", "paper": "#1b1d21"}
_INKED = re.compile(rf'\b(fill|stroke)="{INK}"')
_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="[^"]*"/>', re.ASCII)
_IDS = re.compile(r'(\bid="|url\(#)((?:clip|gradient)[\w-]*)')
_PNG_SCALE = 2.0


def chart_spec(chart: Chart, *, theme: Theme = "light") -> dict[str, Any]:
    """Give a chart as a specification of Vega-Lite, with its data inside.

    Parameters
    ----------
    chart
        Any chart of altair.
    theme
        ``"dark"`` has light text on a dark ground.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import chart_spec
    >>> from unisono.charts import continuum_chart
    >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> chart_spec(continuum_chart(text))["datasets"]["units"][1]["annotator"]
    'bob'
    """
    if theme not in get_args(Theme):
        msg = f"unknown theme {theme!r}; choose one of {', '.join(map(repr, get_args(Theme)))}"
        raise SettingError(msg)
    # altair looks through every row that it is given, which takes longer than the drawing.
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
    dark: dict[str, Any] = _in_dark(spec)
    dark["background"] = _DARK["paper"]
    # A row says in ``ink`` what its text is written in.
    dark["datasets"] = {
        name: [{**row, "ink": _DARK["ink"]} if row.get("ink") == INK else row for row in rows]
        for name, rows in tables.items()
    }
    return dark


def chart_svg(chart: Chart, *, theme: Theme | None = None) -> str:
    """Give a chart as an SVG element for a page.

    Parameters
    ----------
    chart
        Any chart of altair.
    theme
        By default text and lines have the colour of the text around them (``currentColor``) and
        the ground is transparent, so that the chart suits light and dark pages; ``"light"`` and
        ``"dark"`` have a ground of their own.

    Returns
    -------
    str
        A whole ``<svg>`` element with a description for people who do not see it. It loads
        nothing, and several of them can stand in one page.

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
    drawn = library("vl_convert").vegalite_to_svg(_bare(spec))
    drawn = _own_ids(drawn)
    if theme is None:
        drawn = _PAPER.sub("", _INKED.sub(r'\1="currentColor"', drawn), count=1)
    told = escape(str(spec.get("description", "")))
    # Where another font is wider than the one that was measured, nothing is cut off.
    head = f'<svg role="img" aria-label="{told}" style="overflow: visible" '
    return drawn.replace("<svg ", head, 1)


def _own_ids(drawn: str) -> str:
    """Name clips and gradients by the picture: Vega's names meet others in a page.

    Vega counts them through all pictures of a process, and the same chart is to be the same text.
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
    """Write a chart to a file; the end of its name says what it becomes.

    Parameters
    ----------
    chart
        Any chart of altair.
    path
        ``.png``, ``.svg`` and ``.pdf`` are pictures, ``.html`` a page on which one can point and
        zoom, which loads nothing from elsewhere, ``.json`` the specification of Vega-Lite.
    theme
        ``"light"`` or ``"dark"``.
    scale
        Pixels of a PNG for each pixel of the chart.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    SettingError
        If the name ends otherwise.

    Examples
    --------
    >>> import unisono as un
    >>> from unisono.charts import continuum_chart
    >>> from unisono.charts import save_chart
    >>> text = un.Continuum.from_units([("ann", 0, 5, "NP"), ("bob", 0, 4, "NP")])
    >>> save_chart(continuum_chart(text), "continuum.gif")
    Traceback (most recent call last):
    unisono.errors.SettingError: a chart is written as .png, .svg, .pdf, .html or .json, not '.gif'
    """
    target = Path(path)
    content = chart_file(chart, target.suffix, theme=theme, scale=scale)
    write_file(target, content)
    return target


def chart_file(
    chart: Chart, suffix: str, *, theme: Theme = "light", scale: float = _PNG_SCALE
) -> bytes:
    """Give what a chart is as a file of one kind.

    Parameters
    ----------
    chart, theme, scale
        As in `save_chart`.
    suffix
        One of `SUFFIXES`.

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
        return bytes(convert.vegalite_to_pdf(_bare(spec)))
    return bytes(convert.vegalite_to_png(_bare(spec), scale=scale))


def check_suffix(suffix: str) -> str:
    """Refuse the end of a name that no chart can have."""
    kind = suffix.lower()
    if kind not in SUFFIXES:
        listed = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        msg = f"a chart is written as {listed}, not {suffix!r}"
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
<div id="chart" role="img" aria-label="{told}"></div>
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
    told = str(spec.get("description", "Chart"))
    # What a label holds must not end the script.
    data = json.dumps(spec, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
    return _PAGE.format(
        title=escape(told.partition(". ")[0]),
        told=escape(told),
        paper=spec.get("background", "#ffffff"),
        library=code.replace("</script", "<\\/script"),
        spec=data,
    )


def _bare(spec: dict[str, Any]) -> dict[str, Any]:
    # Pointing and zooming mean nothing in a picture, and their signals would cost time.
    return {name: part for name, part in spec.items() if name != "params"}


_COLOUR_WORDS = ("color", "fill", "stroke")


def _in_dark(part: Any) -> Any:  # noqa: ANN401 - any part of a specification
    if isinstance(part, dict):
        return {
            name: _DARK["ink"]
            if each == INK and name.lower().endswith(_COLOUR_WORDS)
            else _in_dark(each)
            for name, each in part.items()
        }
    return [_in_dark(each) for each in part] if isinstance(part, list) else part
