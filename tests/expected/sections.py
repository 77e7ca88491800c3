"""What a test is given beside what it expects: a world or the rows of a table, in a section of the same file."""

import sys
from pathlib import Path

from tests.expected.kept import scene_file
from tests.expected.scene_files import SceneFile, path_beside


def section(name: str) -> str:
    """The lines of a section of the file beside the module that asks, without notes and blank lines."""
    return "\n".join([*_file(Path(sys._getframe(1).f_code.co_filename)).expected(name), ""])


def section_rows(name: str) -> list[list[object]]:
    """The same section as a table: its rows, cells between bars, each a Python literal where it begins like one."""
    return _file(Path(sys._getframe(1).f_code.co_filename)).rows(name)


def _file(module: Path) -> SceneFile:
    return scene_file(path_beside(module))
