"""A copy of the checkout in which a file can be changed, and the process that runs tests in it."""

import json
import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

from tests.mutation.server import NODES, PIPES, Answer, Job, waits

STARTING = 300.0
"""Seconds in which a process must have imported and collected everything."""


class CouldNotStart(Exception):
    """What is wrong shows when the tests are imported."""


def copy_tree(root: Path, to: Path) -> None:
    """Every file of the checkout as it lies there, whether it is committed yet or not, and nothing that git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        source, target = root / name, to / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


@contextmanager
def changed(root: Path, path: str, text: str) -> Iterator[None]:
    """The file holds ``text`` meanwhile. Compiled code of it is removed: it may be as long and as old."""
    file = root / path
    kept, times = file.read_bytes(), file.stat()
    _forget_compiled(file)
    file.write_text(text, encoding="utf-8")
    try:
        yield
    finally:
        file.write_bytes(kept)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        _forget_compiled(file)


def _forget_compiled(file: Path) -> None:
    for one in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        one.unlink()


class Process:
    """A process of `tests.mutation.server` in a copy. Raises CouldNotStart."""

    def __init__(self, root: Path, nodes: Iterable[str], *, as_it_is: bool, log: Path) -> None:
        wanted = list(nodes)
        listed = root.parent / f"{root.name}-nodes"
        listed.write_text("\n".join(wanted), encoding="utf-8")
        jobs, self._jobs = os.pipe()
        self._answers, answers = os.pipe()
        self._rest = b""
        environment = {**os.environ, PIPES: f"{jobs} {answers}", NODES: str(listed)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                _command(root, dict.fromkeys(node.partition("::")[0] for node in wanted), compiles=as_it_is),
                cwd=root,
                env=environment,
                pass_fds=(jobs, answers),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        os.close(jobs)
        os.close(answers)
        try:
            begun = self._heard(STARTING)
            if begun is None or begun["wrong"]:
                raise CouldNotStart(f"see {log}")
            if begun["engine"] != str(root.resolve()):
                raise RuntimeError(f"the rules were imported from {begun['engine'] or 'nowhere'}, not from {root}")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End it."""
        os.close(self._jobs)
        os.close(self._answers)
        self._process.kill()
        self._process.wait()

    def tried(self, job: Job) -> Answer:
        """What came of it."""
        os.write(self._jobs, json.dumps(asdict(job)).encode() + b"\n")
        said = self._heard(waits(job.seconds) + STARTING)
        if said is None:
            raise RuntimeError("the process that runs the tests has gone")
        return Answer(**said)

    def _heard(self, seconds: float) -> dict[str, Any] | None:
        while b"\n" not in self._rest:
            if not select.select([self._answers], [], [], seconds)[0]:
                return None
            some = os.read(self._answers, 65536)
            if not some:
                return None
            self._rest += some
        line, _, self._rest = self._rest.partition(b"\n")
        return json.loads(line)


def _command(root: Path, files: Iterable[str], *, compiles: bool) -> list[str]:
    """Run these tests. ``-B`` keeps a changed file's compiled code out of the copy, whatever the environment says."""
    return [
        *(sys.executable, *(() if compiles else ("-B",)), "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"),
        *("-p", "tests.mutation.server", f"--basetemp={root.parent / f'{root.name}-tmp'}", *files),
    ]
