"""Settings of the documentation site: `python -m sphinx -W -b html docs build/site`."""

import re
import runpy
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
HOOK = runpy.run_path(str(PROJECT / "hatch_build.py"))
REPOSITORY = HOOK["repository_of"](HOOK["origin"](PROJECT))
OUTSIDE = re.compile(r"(?<!!)\[([^\]]*)\]\((?:\.\./)+((?:examples|[A-Z]+\.md)[^)]*)\)")

project = "pytest-todeval"
author = "The pytest-todeval authors"
version = release = re.findall(
    r'^__version__ = "(.*)"', (PROJECT / "pytest_todeval/__init__.py").read_text("utf-8"), re.M
)[0]
extensions = ["myst_parser", "sphinx_copybutton"]
html_theme = "furo"
html_title = f"{project} {version}"
html_theme_options = (
    {"source_repository": f"https://github.com/{REPOSITORY}/"} if REPOSITORY else {}
)
myst_heading_anchors = 4
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True
highlight_language = "text"
exclude_patterns = ["README.md"]


def lead_outside(app: object, name: str, source: list[str]) -> None:
    """Links to files of the repository lead there; without an address they are plain words."""
    address = rf"[\1](https://github.com/{REPOSITORY}/tree/main/\2)" if REPOSITORY else r"\1"
    source[0] = OUTSIDE.sub(address, source[0])


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", lead_outside)
