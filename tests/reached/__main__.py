"""``python -m tests.reached [book]``: make the data where it is older than the sources, and say what it holds."""

import argparse
import sys

from rich.console import Console

from tests.checkout import ROOT
from tests.reached.belonging import BOOKS, books
from tests.reached.making import EVERYDAY_TESTS, TestsFailed, fresh, kept


def main() -> int:
    """Gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.reached", description=__doc__)
    parser.add_argument("book", nargs="?", default="pq17", choices=books())
    parser.add_argument("--again", action="store_true", help="make it even if nothing has changed")
    parser.add_argument("--everyday", action="store_true", help="record the tests that run every day alone: quicker")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    try:
        data = fresh(given.book, workers=given.workers, again=given.again, everyday=given.everyday)
    except TestsFailed as error:
        print(error, file=sys.stderr)
        return 1
    paths = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / BOOKS / given.book).rglob("*.py"))
    console = Console(soft_wrap=True)
    took = data.about["seconds"]
    holds = data.about["holds"]
    place = kept(given.book, everyday=holds == EVERYDAY_TESTS)
    console.print(f"{place}: {len(data.tests)} {holds}, recorded in {took} s", highlight=False)
    console.print(f"{sum(len(data.only_at_import(path)) for path in paths)} lines run at import only", highlight=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
