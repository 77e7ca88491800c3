"""Everything that play tells and asks is English: numbers agree with their nouns, no name stands twice, and no reader
meets a field's name or an id. All recorded campaigns, and short random play of every book."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from bot.verification.export_file import read_export
from rules_engine import rulebooks
from rules_engine.core.records.journal import Genesis, Revealed, effective
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.transitions import Transition
from tests.journals.record import RECORDED, path_of
from tests.rulebooks.test_every_rulebook import EACH, SHELF, match
from tests.rulebooks.told_texts import ToldText, faults_of, ids_without_meaning, texts_of
from tests.seeds import IS_THOROUGH

ROUNDS = 60 if IS_THOROUGH else 12

EXCEPTIONS = re.compile("“1 census”")
"""What looks wrong and is right, as a pattern that fits the whole fault: a census is one of the cargoes."""


def recorded(key: str) -> Iterator[tuple[Adjudicator[Any], Transition]]:
    """A recorded campaign, step by step as it was played; what was taken back is left out."""
    entries = read_export(path_of(key))
    genesis = entries[0].body
    assert isinstance(genesis, Genesis)
    seed = next(bytes.fromhex(one.body.seed) for one in entries if isinstance(one.body, Revealed))
    adjudicator = Adjudicator(rulebooks.rulebook(genesis.rulebook), genesis, seed)
    for entry in effective(entries):
        if entry.body.kind == "rewound":
            adjudicator.branch_off(entry.body.branch)
            adjudicator.head = entry
        else:
            yield adjudicator, adjudicator.repeat(entry)


def played(key: str, seed: int) -> Iterator[tuple[Adjudicator[Any], Transition]]:
    """A campaign played at random for a while."""
    game = match(key, seed)
    taken = 0
    for _ in range(ROUNDS):
        for step in game.steps[taken:]:
            yield game.adjudicator, step
        taken = len(game.steps)
        if game.adjudicator.ending is not None:
            break
        game.round()


def faults_in(steps: Iterable[tuple[Adjudicator[Any], Transition]]) -> list[str]:
    """Every text in which something is wrong, with what, once."""
    found: dict[str, None] = {}
    for adjudicator, step in steps:
        ids = ids_without_meaning(adjudicator)
        for told in texts_of(step):
            for fault in faults_of(told, ids):
                if not EXCEPTIONS.fullmatch(fault):
                    found[f"{told.where}: {fault} in: {told.text}"] = None
    return list(found)


@pytest.mark.parametrize("key", RECORDED)
def test_nothing_is_wrong_with_what_a_recorded_campaign_tells(key: str) -> None:
    found = faults_in(recorded(key))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("key", EACH)
def test_nothing_is_wrong_with_what_random_play_tells(key: str) -> None:
    found = faults_in(played(key, 3))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("The fleet meets 1 rebels.", ["“1 rebels”"]),
        ("After 1 turns nobody won.", ["“1 turns”"]),
        ("The fleet meets 1 rebel; turn 1 is over, and 1 has gone.", []),
        ("It takes 3 box.", ["“3 box”"]),
        ("It takes 3 box repairs to 3 boxes.", []),
        ("F-L 5 3 fuel.", ["“5 3”"]),
        ("F-L 5: 3 fuel, by 0405 0406, for 1 1/2 points.", []),
        ("Kiel Kiel is attacked.", ["“Kiel Kiel”"]),
        ("It goes by Kiel. then home.", ["begins with “then”"]),
        ("reports come.", ["begins with “reports”"]),
        ("Resolve dcr 0, boxes_on 3.", ["“dcr”", "“boxes_on”"]),
        ("The romulan fleet is None.", ["“is None”", "the id romulan"]),
    ],
)
def test_what_is_wrong_with_a_text_is_found(text: str, faults: list[str]) -> None:
    assert list(faults_of(ToldText("report", text, True), {"romulan"})) == faults


def test_no_two_things_of_a_shipped_scenario_bear_one_name() -> None:
    """A reader could not tell them apart."""
    twice: list[str] = []
    for ref in SHELF.all():
        _, document = SHELF.read(ref.key)
        names: dict[str, set[str]] = {}
        _collect(document, "", names)
        twice += [f"{ref.key}: {name} in {sorted(where)}" for name, where in names.items() if len(where) > 1]
    assert twice == []


NAMED = ("province", "system", "planet", "settled", "unit")
"""The lists of a scenario whose entries stand beside each other on maps and in reports."""


def _collect(value: Any, where: str, names: dict[str, set[str]]) -> None:
    """The names that entries of a document bear, by the list that the entry stands in."""
    if isinstance(value, dict):
        if isinstance(value.get("name"), str) and where in NAMED:
            names.setdefault(value["name"], set()).add(where)
        for key, part in value.items():
            _collect(part, key if isinstance(part, list) else where, names)
    elif isinstance(value, list):
        for part in value:
            _collect(part, where, names)
