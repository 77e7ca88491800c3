"""Tests' assertions are rewritten once for all workers of a run, where ``__pycache__`` has nothing of them yet.

Every worker collects every file, side by side with the others. So in a fresh clone each would rewrite all of them,
which takes longer than all else that collecting does. Here each worker rewrites a share of the files beforehand.
"""

import contextlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from _pytest.assertion import rewrite


def rewrite_share(config: pytest.Config) -> None:
    """Rewrite this worker's share of the files that are about to be collected. Nothing happens but in a worker."""
    worker: dict[str, object] = getattr(config, "workerinput", {})
    if not worker or sys.dont_write_bytecode or config.getoption("assertmode") != "rewrite":
        return
    number = int(str(worker["workerid"]).removeprefix("gw"))
    share = files_of_tests(config.args)[number :: int(str(worker["workercount"]))]
    for file in share:
        if not compiled(file).exists():
            rewrite_file(file, config)


def files_of_tests(places: Iterable[str]) -> Sequence[Path]:
    """List the files of tests in these folders. Files and tests that are named themselves are too few to share."""
    folders = [Path(place).absolute() for place in places]
    return sorted({file for folder in folders if folder.is_dir() for file in folder.rglob("test_*.py")})


def compiled(file: Path) -> Path:
    """Where pytest looks for a file whose assertions were rewritten."""
    return rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)


def rewrite_file(file: Path, config: pytest.Config) -> None:
    """Do for a file what its import by pytest would do, without running it. A defect of it is told when it is imported.

    Pytest has no public names for this. Where a version lacks one of these, every worker rewrites for itself.
    """
    with contextlib.suppress(Exception):
        source_hash, code = rewrite._rewrite_test(file, config)
        rewrite.try_makedirs(compiled(file).parent)
        rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source_hash, compiled(file))
