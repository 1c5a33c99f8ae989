"""Inter-annotator agreement: how much, where not, and is it more than chance.

Every name a user needs stands in `unisono.front_door`, which is loaded when the first of them is
asked for: the command line does without, and is quick to start.
"""

import importlib as _importlib
import typing as _typing

from unisono.version import __version__ as __version__

if _typing.TYPE_CHECKING:
    from unisono.front_door import *  # noqa: F403 - all of them, for who reads the types
    from unisono.front_door import __all__ as __all__
else:  # so that types know which names there are, and which are not

    def __getattr__(name: str) -> object:
        if name != "__all__" and name.startswith("__"):
            msg = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(msg)
        door = _importlib.import_module("unisono.front_door")
        if name == "__all__" or name in door.__all__:
            value = getattr(door, name)
            globals()[name] = value
            return value
        try:
            return globals()[name]  # a room that was loaded with the door
        except KeyError:
            msg = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(msg, name=name, obj=_importlib.import_module(__name__)) from None

    def __dir__() -> list[str]:
        return sorted({*globals(), *_importlib.import_module("unisono.front_door").__all__})
