"""``python -m tests.sweep --budget 10m``: the command."""

import os
import secrets
import sys
from pathlib import Path

import pytest

from tests.sweep import arguments, report
from tests.sweep.cases import STANDINS
from tests.sweep.sweeping import Plan, Sweep

LEFT_OUT = "not package and not bench"
"""What has a command of its own, for other tests would disturb it."""

QUIETLY = ("-q", "-s", "-p", "no:cacheprovider", "-W", "ignore:Module already imported")
"""No report but ours. Hypothesis is imported here before pytest could rewrite its assertions, which nobody needs."""


def main(words: list[str] | None = None) -> int:
    """Gives the exit code: 1 if a test failed, 2 if there was nothing that could be swept."""
    parser = arguments.OneLine(prog="python -m tests.sweep", description="Run what is drawn by seed, with new seeds.")
    parser.add_argument("--budget", default="10m", help="how long: 90s, 10m, 2h or 1h30m (10m), collecting included")
    parser.add_argument("--seed", help="which seeds and which order; without one, others each time")
    parser.add_argument("--only", default="", help="a part of the tests' names, with * for anything")
    parser.add_argument("--workers", default=str(os.cpu_count() or 2), help="how many tests run at a time")
    parser.add_argument("--rounds", help="stop after so many rounds; without it, when the budget is used")
    parser.add_argument("--longest", default="10m", help="a test that takes longer fails (10m)")
    parser.add_argument("--grace", default="1m", help="how long tests may go on when the budget is used (1m)")
    parser.add_argument("--out", type=Path, default=Path("build/sweep"), help="for what failing tests print")
    parser.add_argument("tests", nargs="*", default=[], help="folders and files; all without any")
    given = parser.parse_args(words)
    plan = Plan(
        seed=secrets.randbelow(arguments.SEEDS) if not given.seed else parser.read("SEED", given.seed, arguments.seed),
        seconds=parser.read("BUDGET", given.budget, arguments.budget),
        workers=parser.read("WORKERS", given.workers, arguments.workers),
        rounds=parser.read("--rounds", given.rounds, arguments.rounds) if given.rounds else None,
        longest=parser.read("--longest", given.longest, arguments.budget),
        grace=parser.read("--grace", given.grace, arguments.budget),
        only=given.only,
        out=given.out,
    )
    missing = [path for path in given.tests if not Path(path.partition("::")[0]).exists()]
    if missing:
        parser.error(f"tests are folders and files: there is no {missing[0]}")
    if not hasattr(os, "fork"):
        parser.error("tests are swept in forked processes, which this system does not have")
    plan.out.mkdir(parents=True, exist_ok=True)
    for old in plan.out.glob("*.txt"):
        old.unlink()
    with (plan.out / "log.txt").open("w", encoding="utf-8") as log:

        def say(line: str) -> None:
            print(line, flush=True)
            print(line, file=log, flush=True)

        say(f"a sweep with SEED={plan.seed}, {report.clock(plan.seconds)} long, {plan.workers} at a time")
        os.environ[report.VARIABLE] = ",".join(map(str, STANDINS))
        os.environ.pop("PLOTROOM_SWEEP", None)
        sweep = Sweep(plan, say)
        code = pytest.main([*QUIETLY, "-m", LEFT_OUT, *given.tests], plugins=[sweep])
        return int(code) and 2 if sweep.code is None else sweep.code


if __name__ == "__main__":
    sys.exit(main())
