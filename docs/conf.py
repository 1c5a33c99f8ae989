"""Settings of the documentation site: ``make docs``."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS))


project = "unisono"
author = "The unisono authors"
copyright = author  # noqa: A001 - the name that Sphinx reads

extensions = [
    "sphinx.ext.autodoc",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "extension.api",
    "extension.commands",
    "extension.mathml",
    "extension.offline",
]
exclude_patterns = ["extension", "theme"]

# Names in single backticks are public names; `extension.api` finds them without their module.
default_role = "py:obj"
nitpicky = True
add_module_names = False
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"
autodoc_inherit_docstrings = False
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

myst_enable_extensions = ["colon_fence", "deflist"]
# ```math, as on code hosts.
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4
# `labels` is a field of several classes; a link to one of them would be wrong.
suppress_warnings = ["ref.python"]

# Every notebook runs at every build, in the folder of its data.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
nb_execution_show_tb = True
nb_merge_streams = True

html_theme = "pydata_sphinx_theme"
html_theme_options = {
    "header_links_before_dropdown": 7,
    "navigation_with_keys": False,
    "show_prev_next": True,
}
html_sidebars = {"gallery": [], "index": []}
html_math_renderer = "mathml"
html_title = "unisono"
html_static_path = ["theme"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False


# Pages link to these files so that the links also work in the repository.
_ELSEWHERE = {"../CHANGELOG.md": "changelog.md", "../CONTRIBUTING.md": "contributing.md"}


def _link_within(_app: Sphinx, _name: str, source: list[str]) -> None:
    """Let links to files outside the documentation lead to their pages, or to nowhere."""
    for path, page in _ELSEWHERE.items():
        source[0] = source[0].replace(f"]({path})", f"]({page})")
    # The empty line that ends a doctest would be shown.
    source[0] = re.sub(
        r"^(```pycon\n.*?)\n+```$", r"\1\n```", source[0], flags=re.MULTILINE | re.DOTALL
    )
    source[0] = re.sub(r"\[([^]]*)\]\(\.\./(?:examples|tests)[^)]*\)", r"`\1`", source[0])


def _set_environment() -> None:
    """Set how notebooks start, instead of the settings of the user who builds the site."""
    profile = DOCS.parent / "build" / "ipython" / "profile_default"
    (profile / "startup").mkdir(parents=True, exist_ok=True)
    shutil.copy(DOCS / "extension" / "notebook_commands.py", profile / "startup")
    (profile / "ipython_kernel_config.py").write_text(
        "c.IPKernelApp.log_level = 'ERROR'\n", encoding="utf-8"
    )
    os.environ |= {
        "COLUMNS": "88",
        "IPYTHONDIR": str(profile.parent),
        "NO_COLOR": "1",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }


def setup(app: Sphinx) -> None:
    """Prepare notebooks, and rewrite links of pages when they are read."""
    _set_environment()
    app.connect("source-read", _link_within)
