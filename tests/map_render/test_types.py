"""The type checker refuses the wrong view: the fence between what a side knows and everything."""

import json
import subprocess
import sys
from pathlib import Path

WRONG = """
from map_render import render_omniscient, render_public, render_side, render_battle
from rules_engine.core.knowledge.views import OmniscientView, PublicView, SideView


def right(side: SideView, public: PublicView, everything: OmniscientView) -> None:
    render_side(side)
    render_public(public)
    render_omniscient(everything)


def wrong(side: SideView, public: PublicView, everything: OmniscientView) -> None:
    render_side(everything)
    render_side(public)
    render_public(everything)
    render_public(side)
    render_omniscient(side)
"""


def test_pyright_refuses_the_wrong_view(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    settings = {"include": ["wrong.py"], "extraPaths": [str(root)], "pythonVersion": "3.11"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    found = json.loads(done.stdout)["generalDiagnostics"]
    first = WRONG.splitlines().index("    render_side(everything)")
    errors = [(one["rule"], one["range"]["start"]["line"]) for one in found if one["severity"] == "error"]
    assert errors == [("reportArgumentType", first + place) for place in range(5)]
