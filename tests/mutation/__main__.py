"""``python -m tests.mutation --seed 1 --count 25``: the command."""

import argparse
import secrets
import sys
import time
from itertools import islice

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from tests.checkout import ROOT
from tests.everyday.listed import is_everyday
from tests.mutation.changes import KINDS, Mutation
from tests.mutation.draw import book_files, drawn, equals, sites_of
from tests.mutation.selecting import Selection
from tests.mutation.trying import AlwaysFails, Outcome, all_tried
from tests.reached.belonging import books
from tests.reached.making import TestsFailed, fresh


def shown(outcomes: list[Outcome]) -> Table:
    """How many of each kind were noticed."""
    table = Table("kind", "tried", "noticed", "survived")
    for column in table.columns[1:]:
        column.justify = "right"
    rows = [(kind, [one for one in outcomes if one.mutation.site.kind == kind]) for kind in KINDS]
    for name, some in (*rows, ("all", outcomes)):
        survived = sum(one.noticed_by is None for one in some)
        table.add_row(name, str(len(some)), str(len(some) - survived), str(survived))
    return table


def survivor(outcome: Outcome) -> str:
    """Where and what, and how many tests did not notice."""
    site = outcome.mutation.site
    ran = f"{outcome.ran} tests" if outcome.ran == outcome.of else f"{outcome.ran} of {outcome.of} tests"
    return (
        f"{outcome.mutation.where}  {site.kind}: {outcome.mutation.change}\n    {site.text}\n"
        f"    column {site.column}; {ran if outcome.of else outcome.how}"
    )


def share(outcomes: list[Outcome]) -> float:
    """Percent noticed; 100 of nothing."""
    return 100.0 * sum(one.noticed_by is not None for one in outcomes) / len(outcomes) if outcomes else 100.0


def main(arguments: list[str] | None = None) -> int:
    """Gives the exit code: 1 if fewer were noticed than asked, 2 if it could not be found out."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Do the tests notice small changes?")
    parser.add_argument("--seed", type=int, help="which changes; without one, others each time")
    parser.add_argument("--count", type=int, default=25)
    parser.add_argument("--book", default="pq17", choices=books())
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--least", type=float, default=80.0, help="percent that must be noticed")
    parser.add_argument("--longest", type=float, default=120.0, help="seconds of tests for one change, as recorded")
    parser.add_argument("--everyday", action="store_true", help="try tests that run every day alone")
    parser.add_argument("--list", action="store_true", help="say what is drawn, and try nothing")
    given = parser.parse_args(arguments)
    console = Console(soft_wrap=True, highlight=False)
    seed = secrets.randbelow(10**9) if given.seed is None else given.seed
    console.print(f"{given.book}, seed {seed}, {given.count} changes")
    files = book_files(ROOT, given.book)
    mutations = list(islice(drawn(ROOT, sites_of(ROOT, files), seed, equals()), given.count))
    if given.list:
        for one in mutations:
            console.print(f"{one.where}  {one.site.kind}: {one.change}\n    {one.site.text}", markup=False)
        return 0
    try:
        outcomes = _tried(mutations, given, console)
    except (AlwaysFails, TestsFailed) as error:
        console.print(f"{type(error).__name__}: {error}", markup=False)
        return 2
    console.print(shown(outcomes))
    for one in sorted(outcomes, key=lambda one: (one.mutation.path, one.mutation.site.line)):
        if one.noticed_by is None:
            console.print(f"survived: {escape(survivor(one))}")
    found = share(outcomes)
    console.print(f"{found:.0f} % noticed, {given.least:.0f} % asked; again with SEED={seed} COUNT={given.count}")
    return 0 if found >= given.least else 1


def _tried(mutations: list[Mutation], given: argparse.Namespace, console: Console) -> list[Outcome]:
    allowed = is_everyday if given.everyday else lambda node: True
    reached = fresh(given.book, workers=given.workers, everyday=given.everyday)
    selection = Selection(ROOT, reached, given.book, allowed=allowed)
    began = time.monotonic()
    found: list[Outcome] = []
    outcomes = all_tried(
        ROOT,
        filter(allowed, reached.tests),
        mutations,
        selection.tests_for,
        workers=given.workers,
        longest=given.longest,
    )
    for one in track(outcomes, "trying", len(mutations), console=console, transient=True):
        found.append(one)
        how = f"{one.how}: {one.noticed_by}" if one.noticed_by else "SURVIVED"
        what = f"{one.mutation.where} {one.mutation.change}"
        console.print(f"{len(found):>4} {what} — {how} ({one.ran} tests, {one.seconds:.0f} s)", markup=False)
    console.print(f"tried in {time.monotonic() - began:.0f} s")
    return found


if __name__ == "__main__":
    sys.exit(main())
