"""Find the tests that a file of expected texts belongs to."""

import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple


class Owner(NamedTuple):
    """A test file, and the name of one of its tests; without a name, all of them."""

    file: str
    test: str = ""


def is_scene(path: str) -> bool:
    """Tell a file of expected texts by its path from the checkout."""
    return path.startswith("tests/") and path.endswith(".txt") and PurePosixPath(path).parent.name == "scenes"


def owners(root: Path, path: str) -> list[Owner]:
    """Give the tests that compare with a file of expected texts, whether or not the file is still there.

    It bears the name of a test file beside its folder, or that of a single test (`written_texts.compare`), or a name
    that such a test gives it.
    """
    stem, folder = PurePosixPath(path).stem, PurePosixPath(path).parent.parent
    if (root / folder / f"{stem}.py").exists():
        return [Owner(f"{folder}/{stem}.py")]
    texts = {
        f"{folder}/{file.name}": file.read_text(encoding="utf-8") for file in sorted((root / folder).glob("test_*.py"))
    }
    by_test = [Owner(file, f"test_{stem}") for file, text in texts.items() if f"def test_{stem}(" in text]
    by_name = [Owner(file) for file, text in texts.items() if re.search(rf"""["']{re.escape(stem)}["']""", text)]
    comparing = [Owner(file) for file, text in texts.items() if "written_texts" in text]
    return by_test or by_name or comparing
