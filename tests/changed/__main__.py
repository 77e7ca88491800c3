"""``python -m tests.changed [--since REVISION]``: run the tests that touch what changed."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.changed.choosing import Plan, choose, data_in
from tests.changed.difference import Base, Change, NoSuchRevisionError, base, changes
from tests.changed.picking import PLAN
from tests.checkout import ROOT
from tests.reached.belonging import books
from tests.sweep.arguments import OneLine
from tests.sweep.arguments import budget as length_of_time

LEFT_OUT = "not slow and not package and not bench"
NO_TESTS = 5
"""Pytest's exit code for a run without any."""


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Give the exit code: pytest's, 0 if nothing changed; end with 2 if an option cannot be understood."""
    parser = OneLine(prog="python -m tests.changed", description="Run the tests that touch what changed.")
    parser.add_argument("--since", help="a commit, branch or tag; without one, where this branch left main")
    parser.add_argument("--budget", default="60s", help="processor time that the tests may take: 90s or 2m (60s)")
    parser.add_argument("--list", action="store_true", help="say what would be run, and run nothing")
    given = parser.parse_args(arguments)
    budget = parser.read("BUDGET", given.budget, length_of_time)
    try:
        since = base(root, given.since)
    except NoSuchRevisionError as error:
        parser.error(str(error))
    found = changes(root, since)
    if not found:
        print(f"Nothing changed since {since.commit[:8]} ({since.says}). Another start: SINCE=HEAD~1.")
        return 0
    data = data_in(root)
    plan = choose(root, found, data, budget)
    for reached in data.values():
        reached.close()
    print(*said(since, found, plan, budget), sep="\n", flush=True)
    if given.list:
        print(*plan.wants, sep="\n")
    if given.list or not plan.wants:
        return 0
    return run(plan, budget, root)


def said(since: Base, found: list[Change], plan: Plan, budget: float) -> list[str]:
    """Say in two lines what changed and what is run, and in a third what would choose better."""
    seconds = sum(test.seconds for test in plan.reaching)
    reaching = f"{len(plan.reaching)} of {_count(len(plan.reaching) + plan.left, 'test')} that reach changed lines"
    kinds = {
        f"{_count(len(plan.changed), 'test or test file', 'tests or test files')} that changed": plan.changed,
        f"{reaching} ({seconds:.0f} s as recorded, BUDGET={budget:g}s)": plan.reaching,
        _some(plan.near): plan.near,
        ", ".join(plan.checks): plan.checks,
        f"what is everyday in {_some(plan.around)}": plan.around,
        f"{_count(len(plan.naming), 'test file')} elsewhere that {_verb(plan.naming)} what changed": plan.naming,
    }
    chosen = "; ".join(kind for kind, tests in kinds.items() if tests) or "nothing"
    without = f" No test belongs to {_some(plan.without)}." if plan.without else ""
    paths = [change.path for change in found]
    lines = [
        f"Since {since.commit[:8]} ({since.says}) {_count(len(paths), 'file')} changed: {_some(paths)}.",
        f"Selected: {chosen}.{without}",
    ]
    for what, some in (("Nothing is recorded of", plan.unrecorded), ("What is recorded is older:", plan.older)):
        if some:
            lines.append(
                f"{what} {', '.join(some)}. `python -m tests.reached {some[0]}` records which test reaches which line, "
                f"in some minutes; with --everyday sooner."
            )
    return lines


def run(plan: Plan, budget: float, root: Path) -> int:
    """Run what is wanted, and give pytest's exit code."""
    files = {name.partition("::")[0].removesuffix("**") for name in plan.wants}
    paths = sorted(path for path in files if (root / path).exists())
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "plan.json"
        given = {"wants": plan.wants, "changed": len(plan.changed), "only": plan.only}
        wanted.write_text(json.dumps({**given, "known": books(root), "budget": budget}), encoding="utf-8")
        options = ("-q", "-n", "0", "-p", "tests.changed.picking", "-m", LEFT_OUT)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", *options, *paths],
                cwd=root,
                env={**os.environ, PLAN: str(wanted)},
                check=False,
            )
        except KeyboardInterrupt:
            return 130
    if done.returncode == NO_TESTS:
        print("None of these tests runs every day.")
        return 0
    return done.returncode


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _verb(names: list[str]) -> str:
    return "imports or names" if len(names) == 1 else "import or name"


def _some(names: list[str]) -> str:
    return f"{', '.join(names[:3])}{f' and {len(names) - 3} more' if len(names) > 3 else ''}"


if __name__ == "__main__":
    sys.exit(main())
