"""Options generated from the tables of settings: name, metavar, choices and help."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from cyclopts import Group, Parameter

from unisono.errors import worded
from unisono.registry import SETTINGS, STUDIES, measures_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unisono.registry import Setting

__all__ = ["Settings", "measure_option", "option"]


def option(
    name: str,
    /,
    *,
    of: str = "",
    table: Mapping[str, Setting] = SETTINGS,
    group: Group | None = None,
    **parameters: Any,  # noqa: ANN401 - any type
) -> Parameter:
    """Return the option for a setting, as defined by the study `of` if one is named.

    A number outside the limits of the setting is rejected before the computation. An option that
    begins with ``--no-`` disables a setting that is enabled by default. ``parameters`` are passed
    to `Parameter`.
    """
    setting = STUDIES[of].setting(name) if of else table[name]
    found: dict[str, Any] = {"name": setting.option, "help": setting.help}
    if setting.option.startswith("--no-"):
        found |= {"name": f"--{setting.option.removeprefix('--no-')}", "negative": setting.option}
    elif setting.kind == "flag":
        found |= {"negative": "", "show_default": False}
    if setting.kind in ("count", "cost", "share"):
        found["validator"] = _validator(setting)
    if setting.metavar:
        found["metavar"] = setting.metavar
    if group is not None:
        found["group"] = group
    return Parameter(**(found | parameters))


def _validator(setting: Setting) -> Callable[[Any, Any], None]:
    def validate(kind: Any, value: Any) -> None:  # noqa: ARG001, ANN401 - as cyclopts calls it
        if value is not None:
            with worded(lambda _name, /, *_value: setting.option):
                setting.check(value)

    return validate


def measure_option(family: str, *, group: Group) -> Parameter:
    """Return the option for measures of a family; its help lists names and first aliases."""
    names = ", ".join(
        f"{measure.name} ({measure.aliases[0]})" if measure.aliases else measure.name
        for measure in measures_of(family)
    )
    text = (
        SETTINGS["measures"]
        .help.replace("Names", "Comma-separated names")
        .replace("measures", f"measures: {names}")
    )
    return option("measures", group=group, name=["--measure", "--measures"], help=text)


class Settings:
    """A group of options for settings; the defaults are those of the function."""

    def keywords(self) -> dict[str, Any]:
        """Return the settings that were typed, as keyword arguments."""
        typed = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        return {
            name: value for name, value in typed.items() if value is not None and value is not False
        }
