"""`python -m tests.everyday FOLDER`: write the list of dear tests anew from recorded durations."""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

from tests.everyday.listed import DAILY, DEAR, NIGHTLY, ROOMS, SHARED, Lists, function_of, rows

QUICK = 0.15
"""Seconds of processor time up to which a case is run every day whatever it is."""
ONE_EACH = 0.3
"""Of a test whose cases all take longer, the quickest runs every day if it takes no more than this."""
RULES = "tests/rulebooks/"
FOR_RULES = 0.05
"""Tests of the rules may take so much more: what they miss, nothing else finds."""
LEFT = 0.5
"""Of a dear test with several cases, those beyond the quickest that take longer than this are left to sweeps."""
A_FILE = 3.0
"""Of a file's dear tests the quickest run at each landing, as many as take no more than this together, but for one."""
NIGHTLY_HEAD = """\
# Cases that continuous integration leaves to its sweeps, with their seconds of processor time as recorded: of a dear
# test with several cases those beyond the quickest, and of a file's dear tests all but the quickest.
# Written by `make durations`.
"""
HEAD = """\
# Tests that `make test` leaves to continuous integration, with their seconds of processor time as recorded.
# Written by `make durations`. A name without a case in brackets means all cases. What is listed stays listed, since it
# may have found a shared map or campaign ready when it was measured: take its line out to have it measured anew.
"""


def dear(seconds: dict[str, float]) -> dict[str, float]:
    """Choose the dear cases among recorded ones; where all cases of a test are dear, the test stands for them."""
    functions: dict[str, list[str]] = defaultdict(list)
    for node in seconds:
        functions[function_of(node)].append(node)
    found: dict[str, float] = {}
    for function, nodes in functions.items():
        if function.startswith(ROOMS):
            continue
        nodes.sort(key=lambda node: (seconds[node], node))
        first = nodes[0]
        more = FOR_RULES if function.startswith(RULES) else 0
        left = [node for node in nodes if seconds[node] > (ONE_EACH if node == first else QUICK) + more]
        if len(left) == len(nodes):
            found[function] = sum(seconds[node] for node in nodes)
        else:
            found |= {node: seconds[node] for node in left}
    return found


def nightly(seconds: dict[str, float], listed: Lists) -> dict[str, float]:
    """Choose, of each dear test, the cases beyond the quickest that take long; and of each file what is beyond its
    share of a landing."""
    dear = [node for node in seconds if listed.is_dear(node) and not listed.is_daily(node)]
    dear.sort(key=lambda node: (seconds[node], node))
    tests: set[str] = set()
    files: dict[str, float] = {}
    found: dict[str, float] = {}
    for node in dear:
        test, file, took = function_of(node), node.partition("::")[0], seconds[node]
        if (test in tests and took > LEFT) or (file in files and files[file] + took > A_FILE):
            found[node] = took
        else:
            files[file] = files.get(file, 0) + took
        tests.add(test)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Give the exit code: 2 if there are no durations."""
    parser = argparse.ArgumentParser(prog="python -m tests.everyday", description=__doc__)
    parser.add_argument("folder", type=Path, help="what `pytest -p tests.everyday.recording` has written")
    given = parser.parse_args(arguments)
    seconds: dict[str, float] = {}
    for path in sorted(given.folder.glob("*.json")):
        seconds |= json.loads(path.read_text(encoding="utf-8"))
    if not seconds:
        print(f"{given.folder} holds no durations: run `make durations`", file=sys.stderr)
        return 2
    found = dear(seconds)
    names = {*seconds, *map(function_of, seconds)}
    for word, node in rows(DEAR) if DEAR.exists() else ():
        if node in names and function_of(node) not in found:
            found[node] = max(float(word), found.get(node, 0))
    found = {node: took for node, took in found.items() if function_of(node) == node or function_of(node) not in found}
    _write(DEAR, HEAD, found)
    daily, shared = {node: kind for kind, node in rows(DAILY)}, frozenset(node for _, node in rows(SHARED))
    listed = Lists(found, daily, shared)
    before = {node: float(word) for word, node in rows(NIGHTLY)} if NIGHTLY.exists() else {}
    left = {node: took for node, took in before.items() if node not in seconds} | nightly(seconds, listed)
    _write(NIGHTLY, NIGHTLY_HEAD, left)
    everyday = [took for node, took in seconds.items() if listed.is_everyday(node)]
    print(f"{len(everyday)} of {len(seconds)} cases every day, {sum(everyday):.0f} of {sum(seconds.values()):.0f} s")
    return 0


def _write(path: Path, head: str, found: dict[str, float]) -> None:
    lines = (f"{took:.1f}  {node}\n" for node, took in sorted(found.items()))
    path.write_text(head + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
