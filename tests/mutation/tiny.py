"""A project of a few lines with rules and tests, in which changes can be tried."""

import shutil
import subprocess
from pathlib import Path

from tests.checkout import ROOT
from tests.reached.data import Recorded, Test

RULES, TESTS = (
    (Path(__file__).parent / f"scenes/{name}.txt").read_text(encoding="utf-8") for name in ("tiny_moves", "tiny_tests")
)
PATH = "rules_engine/rulebooks/tiny/moves.py"
FAR, WAIT = "tests/rulebooks/tiny/test_moves.py::test_far", "tests/rulebooks/tiny/test_moves.py::test_wait"
FILES = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n'
    'addopts = "--import-mode=importlib"\nmarkers = ["rule(book, *ids): proved"]\n',
    "rules_engine/__init__.py": "",
    "rules_engine/rulebooks/__init__.py": "",
    "rules_engine/rulebooks/tiny/__init__.py": "",
    PATH: RULES,
    "tests/rulebooks/tiny/test_moves.py": TESTS,
    "config/scenarios/tiny/data.toml": "a = 1\n",
}
TOOLS = (
    "tests/checkout.py",
    "tests/expected",
    "tests/mutation/__init__.py",
    "tests/mutation/server.py",
    "tests/reached",
)


def project(root: Path) -> Path:
    """The project, under git, with what the processes in it import."""
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    for path in TOOLS:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / path).is_dir():
            shutil.copytree(ROOT / path, root / path, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
        else:
            shutil.copy(ROOT / path, root / path)
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    return root


def recorded() -> Recorded:
    """What its tests reach."""
    return Recorded(
        tests=(Test(FAR, 0.01, ("tiny 1.1",)), Test(WAIT, 0.01, ())),
        lines={FAR: {PATH: {5, 6, 7}}, WAIT: {PATH: {11, 12, 13}}},
        at_import={PATH: {1, 4, 10, 16}},
        opened={},
        about={"digest": "x"},
    )
