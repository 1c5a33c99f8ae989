"""Pictures that commands write beside their numbers, and where they may go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from unisono.cli import output
from unisono.errors import SettingError

SUFFIXES = (".svg", ".png", ".pdf", ".html", ".json")
"""How the name of a picture may end."""


def check_chart(
    chart: str | None, as_csv: str | None, *, inputs: Sequence[str], option: str = "--chart"
) -> None:
    """Refuse a place for a picture that is none of its own, before anything is computed.

    Parameters
    ----------
    chart
        A file, or ``None``.
    as_csv
        Where CSV goes.
    inputs
        The files that are read, which must not be overwritten.
    option
        The option that names the picture.

    Examples
    --------
    >>> from unisono.cli.chart_files import check_chart
    >>> check_chart("curves.gif", None, inputs=["turns.csv"])
    Traceback (most recent call last):
    unisono.errors.SettingError: --chart writes .svg, .png, .pdf, .html or .json, not 'curves.gif'
    """
    if chart is None:
        return
    if Path(chart).suffix.lower() not in SUFFIXES:
        listed = f"{', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        msg = f"{option} writes {listed}, not {chart!r}"
        raise SettingError(msg)
    output.check_apart(chart, as_csv, options=f"{option} and --csv")
    output.check_target(chart, inputs=inputs, as_json=False, option=option)


def write_chart(target: str, found: object, *, plain: Callable[[], str]) -> None:
    """Write a picture as what its name says; SVG needs no drawing library.

    Parameters
    ----------
    target
        The file.
    found
        The result that is drawn.
    plain
        Gives its picture as SVG.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from unisono.cli.chart_files import write_chart
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_chart(f"{folder}/a.svg", None, plain=lambda: "<svg/>")
    ...     print(Path(folder, "a.svg").read_text().strip())
    <svg/>
    """
    suffix = Path(target).suffix
    if suffix.lower() == ".svg":
        output.write_text(target, plain())
        return
    # Here, because most commands draw nothing.
    from unisono.charts.chart import chart_of  # noqa: PLC0415
    from unisono.charts.save import chart_file  # noqa: PLC0415

    output.write_bytes(target, chart_file(chart_of(found), suffix))
