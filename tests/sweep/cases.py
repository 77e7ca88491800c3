"""Which tests a sweep runs, in which groups, and in which order: breadth first over books and kinds."""

import hashlib
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, zip_longest
from typing import NamedTuple

import pytest

from rules_engine import rulebooks
from tests.sweep.arguments import SEEDS
from tests.sweep.corpus import SEED
from tests.sweep.seeding import is_drawn_by_hypothesis, machine_of, taken_seeds, without_seed

STANDINS = (SEEDS + 1, SEEDS + 2)
"""Tests are collected with these in place of drawn seeds, which never are so high: so it shows which tests take one.
Some take every other drawn seed alone."""
NO_BOOK = "every book"
ROOMS = ("crash", "secrecy", "random_worlds")
"""Folders whose tests are a kind of their own."""


class Group(NamedTuple):
    """Tests that take turns among themselves."""

    book: str
    """A rulebook, or the room of the tests that are of none."""
    kind: str

    def __str__(self) -> str:
        return f"{self.book}, {self.kind}"


@dataclass(frozen=True)
class Case:
    """A test that a sweep runs."""

    item: pytest.Function = field(compare=False)
    test: str
    """Its id, with :data:`SEED` where its seed stands."""
    group: Group
    takes: str
    """Where a seed goes: ``parameter``, ``hypothesis``, or nowhere."""
    standin: int = 0
    """The seed that it was collected with."""

    @property
    def function(self) -> str:
        """The id of its function."""
        return self.test.partition("[")[0]

    def with_seed(self, seed: int) -> str:
        """Its id with a seed."""
        return self.test.replace(SEED, str(seed)) if self.takes == "parameter" else self.test


class Turn(NamedTuple):
    """A case that is due."""

    round: int
    seed: int
    case: Case


def keyed(seed: int, *words: object) -> int:
    """A number that follows from the seed and these words alone."""
    text = "\0".join(map(str, (seed, *words)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def cases_among(items: Iterable[pytest.Item]) -> list[Case]:
    """The tests that take a drawn seed, those of Hypothesis's, and those that are left out of everyday runs."""
    found: dict[str, Case] = {}
    fixed: list[Case] = []
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("failed_once") is None:
            case = _case(item)
            if case.takes:
                found.setdefault(case.test, case)
            elif item.get_closest_marker("thorough") or item.get_closest_marker("slow"):
                fixed.append(case)
    drawn = {case.function for case in found.values()}  # their fixed seeds have had their turn every day
    return [*found.values(), *(case for case in fixed if case.function not in drawn)]


def _case(item: pytest.Function) -> Case:
    standin = next((value for value in taken_seeds(item).values() if value in STANDINS), 0)
    if standin:
        return Case(item, without_seed(item.nodeid, standin, SEED), group_of(item), "parameter", standin)
    return Case(item, item.nodeid, group_of(item), "hypothesis" if is_drawn_by_hypothesis(item) else "")


def fits(only: str, test: str) -> bool:
    """Whether a test's name has this in it; a star stands for anything."""
    return re.search(".*".join(map(re.escape, only.split("*"))), test) is not None


def group_of(item: pytest.Function) -> Group:
    """The book that a test is of, by its file or else by what it is given; its kind, by its room and what it takes."""
    file = item.nodeid.partition("::")[0]
    given = item.callspec.params.values() if hasattr(item, "callspec") else ()
    words = [file, *(value for value in given if isinstance(value, str))]
    book = next(filter(None, map(_book_in, words)), "")
    folders = file.removeprefix("tests/").split("/")[:-1]
    room = folders[0] if folders and folders[0] != "rulebooks" else NO_BOOK
    kind = next((name.replace("_", " ") for name in ROOMS if name in folders), "")
    if not kind and machine_of(item) is not None:
        kind = "machine"
    if not kind and is_drawn_by_hypothesis(item):
        kind = "any values"
    if not kind:
        kind = "play" if taken_seeds(item) else "thorough"
    return Group(book or (NO_BOOK if room in ROOMS else room), kind)


def _book_in(text: str) -> str:
    """The rulebook that a path or a name speaks of."""
    found = _books().search(text)
    return found[1] if found else ""


@cache
def _books() -> re.Pattern[str]:
    names = "|".join(map(re.escape, sorted(rulebooks.installed(), key=len, reverse=True)))
    return re.compile(rf"(?<![a-z])({names})(?![a-z])")


class Drawing:
    """The order of a sweep. In each round a new seed is drawn, and each group has one turn with it."""

    def __init__(self, cases: Iterable[Case], seed: int) -> None:
        self._seed = seed
        groups: dict[Group, list[Case]] = {}
        for case in cases:
            groups.setdefault(case.group, []).append(case)
        self._waiting = {group: deque(self._mixed(some)) for group, some in sorted(groups.items())}
        self.size = {group: len(some) for group, some in self._waiting.items()}
        """How many cases each group has."""

    def _mixed(self, cases: list[Case]) -> Iterator[Case]:
        """One case of each function, then another of each; first those that take a seed."""
        functions: dict[str, list[Case]] = {}
        for case in sorted(cases, key=lambda case: (not case.takes, keyed(self._seed, case.test), case.test)):
            functions.setdefault(case.function, []).append(case)
        for row in zip_longest(*functions.values()):
            yield from filter(None, row)

    def turns(self) -> Iterator[Turn]:
        """Who is due, without end while anything takes a seed; what takes none comes up once."""
        for number in range(1, 2**63):
            seed = seed_of_round(self._seed, number)
            groups = [group for group, some in self._waiting.items() if some]
            if not groups:
                return
            for group in sorted(groups, key=lambda group: self._rank(number, group)):
                if self._waiting[group]:  # it may have been left out meanwhile
                    case = self._waiting[group].popleft()
                    if case.takes:
                        self._waiting[group].append(case)
                    yield Turn(number, seed, case)

    def _rank(self, number: int, group: Group) -> tuple[bool, int, Group]:
        """Its place in a round: what takes a seed finds something new, and comes before what does not."""
        return not self._waiting[group][0].takes, keyed(self._seed, number, *group), group

    def leave_out(self, *cases: Case) -> None:
        """These have no further turns."""
        for case in cases:
            some = self._waiting[case.group]
            self._waiting[case.group] = deque(one for one in some if one.test != case.test)

    def all_of(self, function: str) -> list[Case]:
        """The cases of a function that have turns yet."""
        return [case for case in chain.from_iterable(self._waiting.values()) if case.function == function]


def seed_of_round(seed: int, number: int) -> int:
    """The seed that a round draws."""
    return keyed(seed, "round", number) % SEEDS
