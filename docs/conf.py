"""How `make docs` builds the pages: the Markdown of this project as it lies, and a page for each rulebook.

The folder that is read is the whole checkout, so that links between pages and the notes beside the source are the same
here and where the source is read. A link or an anchor that leads nowhere is a warning, and warnings end the build.
"""

import re
import sys
import tomllib
from pathlib import Path

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.util import logging

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.rules.pages import write_pages  # noqa: E402  found by the line above

project = "Plotroom"
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
html_title = f"Plotroom {release}"
language = "en"

extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_block"]
myst_heading_anchors = 4
nitpicky = True

root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "bot/**.md", "rules_engine/**.md", "tests/**.md"]
exclude_patterns = [".*", "build", "var", "demo-out", "**/node_modules", "*.egg-info", "**/__pycache__"]

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
templates_path = ["_templates"]
html_additional_pages = {"index": "start.html"}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False

log = logging.getLogger(__name__)

_LOADED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=["'](?:https?:)?//[^"']+"""
    r"""|<link\b[^>]*\brel=["'](?:stylesheet|preload|preconnect|icon)["'][^>]*\bhref=["'](?:https?:)?//[^"']+"""
    r"""|@import\s+(?:url\()?["']?(?:https?:)?//[^"')]+|url\(["']?(?:https?:)?//[^"')]+"""
)


def setup(app: Sphinx) -> None:
    """Write the pages of rules before anything is read, and look at what came out."""
    app.add_lexer("jsonc", TextLexer)  # of which a description with “…” in it is no JSON
    app.connect("config-inited", lambda *_: write_pages(ROOT / "docs" / "rules"))
    app.connect("build-finished", load_nothing_from_elsewhere)


def load_nothing_from_elsewhere(app: Sphinx, error: Exception | None) -> None:
    """Warn of what a page or a style would fetch: pages work without a network, and tell nobody that they are read."""
    if error is not None:
        return
    for path in sorted(Path(app.outdir).rglob("*")):
        if path.suffix in {".html", ".css"}:
            for fetched in _LOADED.findall(path.read_text(encoding="utf-8")):
                log.warning("%s is loaded from elsewhere: %s", path.relative_to(app.outdir), fetched)
