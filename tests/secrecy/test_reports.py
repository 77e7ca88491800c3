"""What the rules tell in many random games: no report speaks of the others by their own names and ids.

Battle sheets show the other side's ships to both parties (PQ-17 6.2.7, Cutler 3.5, Border Patrol BP-R57); what stood
on one may be named to those parties from then on. A Cutler race may also name the ships that its missions found
(``known_ships``). In a duel of vectors all that is on the map has names that everybody reads (VM-R38).
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.tables.special_conditions import TITLES
from tests.form_documents import form_text
from tests.rulebooks.players import Match
from tests.rulebooks.test_every_rulebook import LIGHT, SCENARIOS, match
from tests.seeds import lesser_seeds

ROUNDS = 15
SITE_BEGUN = re.compile(r"\d+ CPV are set aside for (?P<name>.+?) \(")
"""What tells the owner of a site how it is called, and nobody else."""
TURN_OF_A_PLACE = re.compile(r"^T\d+(?=/)")
"""A turn, as the ids of asks begin with it; units may be called so, too."""
HEADINGS = ("Supply",)
"""Headings of notes that a force of some scenario is called by, too."""


def private_words(state: Any) -> dict[str, set[str]]:
    """By side, the names and ids that are its own business."""
    if hasattr(state, "task_forces"):
        words: dict[str, set[str]] = {label.key: set() for label in state.sides}
        public = scenario_words(state)
        for tf in state.task_forces.values():
            known = tf.base is not None and tf.base.known
            units = [state.units[one] for one in tf.units]
            names = {tf.name} | {word for unit in units for word in (unit.id, unit.name) if not known}
            words[tf.side] |= {tf.id} | {name for name in names if not is_named_in(name, public)}
        return words
    if hasattr(state, "stacks"):
        places = " ".join(
            word for one in (*state.provinces.values(), *state.systems.values()) for word in (one.id, one.name)
        )
        words = {team: {stack.id for stack in state.stacks_of(team)} for team in state.teams}
        for unit in state.units.values():
            if unit.team:
                words[unit.team] |= {word for word in (unit.id, unit.name) if not is_named_in(word, places)}
        return words
    if hasattr(state, "battle"):
        words = {captain: set() for captain in state.captains}
        for unit in state.battle.units.values():
            if not is_seen_by_all(state, unit):
                words[unit.side] |= {unit.id, unit.name}
        return words
    words = {empire: set() for empire in state.empires}
    for unit in state.units.values():
        owner = unit.empire if hasattr(unit, "empire") else unit.race
        if owner:
            words[owner] |= {unit.id, unit.name}
    return words


def is_seen_by_all(state: Any, unit: Any) -> bool:
    """Whether a unit of a duel is or was on everybody's map: not before the set-up is revealed, nor while it is still
    to come or aboard another."""
    return state.revealed and not unit.aboard and unit.waits_for <= state.battle.turn


def scenario_words(state: Any) -> str:
    """What everybody has read: the names of places, bases, forces and convoys in the scenario, but not those that its
    ships are given; the special conditions, which forces are named after; and the book's own headings."""
    scenario = state.settings.model_dump_json(exclude={"campaign": {"nation": {"__all__": {"ship_names"}}}})
    return "\n".join([scenario, *TITLES.values(), *HEADINGS])


def own_words(state: Any) -> dict[str, set[str]]:
    """By side, what all its units are called, those that are not on the map or are being built included: both may have
    an F-L 3, or a Base Station 1."""
    found: dict[str, set[str]] = defaultdict(set)
    if hasattr(state, "task_forces"):
        for unit in state.units.values():
            found[unit.side] |= {unit.id, unit.name}
    for work in [*getattr(state, "works", {}).values(), *getattr(state, "sites", {}).values()]:
        found[work.race] |= {work.named}
    return found


def is_named_in(word: str, text: str) -> bool:
    """Whether the word stands in the text as a word of its own."""
    return bool(word) and word in text and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None


def told_words(asks: Iterable[AnyAsk]) -> list[tuple[tuple[str, ...], str]]:
    """The words of open battle sheets, with their parties."""
    found: list[tuple[tuple[str, ...], str]] = []
    for ask in asks:
        if ask.setup is not None:
            rows = [row for panel in ask.setup.panels for row in panel.rows]
            labels = [f"{line.key} {line.label} {line.note}" for line in ask.form.lines]
            found.append((ask.parties, "\n".join([ask.setup.title, ask.setup.where, *rows, *labels])))
    return found


class Scan:
    """A game, scanned as it goes."""

    def __init__(self, game: Match) -> None:
        self.game = game
        self.sides = [label.key for label in game.adjudicator.sides]
        self.named: dict[str, str] = dict.fromkeys(self.sides, "")
        self.leaks: list[str] = []
        self.reports = 0

    def run(self) -> None:
        seen = 0
        words = private_words(self.game.adjudicator._state)
        for _ in range(ROUNDS):
            if self.game.adjudicator.ending is not None:
                break
            for parties, text in told_words(self.game.adjudicator.open_asks()):
                for side in parties:
                    self.named[side] += text
            before = words
            self.game.round()
            words = private_words(self.game.adjudicator._state)
            for side in words:
                words[side] |= before[side]
            for side, own in own_words(self.game.adjudicator._state).items():
                self.named[side] += "\n".join(["", *own, ""])  # also when it is given up or lost
            for unit in self._seen_by_all():
                for side in self.sides:
                    self.named[side] += f"\n{unit.id}\n{unit.name}\n"
            for side, empire in getattr(self.game.adjudicator._state, "empires", {}).items():
                units = self.game.adjudicator._state.units
                known = getattr(empire, "known_ships", ())
                self.named[side] += "\n".join(units[one].name for one in known if one in units)
            for step in self.game.steps[seen:]:
                for report in step.reports:
                    if begun := SITE_BEGUN.match(report.text):  # it may be lost again before the round is over
                        self.named[report.to[0]] += f"\n{begun['name']}\n"
                    self._report(report, words)
            seen = len(self.game.steps)
            self._asks(words)

    def _seen_by_all(self) -> list[Any]:
        state = self.game.adjudicator._state
        units = state.battle.units.values() if hasattr(state, "battle") else ()
        return [unit for unit in units if is_seen_by_all(state, unit)]

    def _report(self, report: Any, words: dict[str, set[str]]) -> None:
        self.reports += 1
        why = report.why.text() if report.why else ""
        facts = " ".join(fact.model_dump_json() for fact in report.facts)
        for side in self.sides if report.is_public() else report.to:
            self._check(side, f"{report.text}\n{why}\n{facts}", words, f"report {report.kind}")

    def _asks(self, words: dict[str, set[str]]) -> None:
        """Forms and views, too."""
        for side in self.sides:
            view = self.game.adjudicator.view(side).model_dump_json()
            self._check(side, view, words, "view")
            for ask in self.game.adjudicator.asks_for(side):
                if ask.setup is None:
                    here = TURN_OF_A_PLACE.sub("", ask.id)
                    shown = f"{here} {ask.title} {ask.text} {form_text(ask.form)} {ask.default_says}"
                    self._check(side, shown, words, f"ask {ask.kind}")

    def _check(self, side: str, text: str, words: dict[str, set[str]], what: str) -> None:
        own = words[side] | own_words(self.game.adjudicator._state)[side]
        for other in self.sides:
            if other == side:
                continue
            for word in words[other] - own - {""}:
                if is_named_in(word, text) and word not in self.named[side]:
                    self.leaks.append(f"{what} to {side} names {other}'s {word!r}: {text[:200]!r}")


SCANNED = [
    pytest.param(key, seed, marks=() if number < (2 if key in LIGHT else 1) else pytest.mark.thorough)
    for key in SCENARIOS
    for number, seed in enumerate(lesser_seeds())
]
"""Every scenario, each day with a seed or two, and where time matters less with all."""


@pytest.mark.parametrize(("key", "seed"), SCANNED)
def test_nothing_that_is_told_names_the_others_own_names_and_ids(key: str, seed: int) -> None:
    scan = Scan(match(key, seed))
    scan.run()
    assert scan.reports > 5
    assert not scan.leaks, "\n".join(scan.leaks[:10])


@pytest.mark.parametrize("key", SCENARIOS)
def test_the_scan_can_fail(key: str) -> None:
    scan = Scan(match(key, 1))
    first, second = scan.sides[:2]
    while not (words := private_words(scan.game.adjudicator._state))[second] - words[first]:
        scan.game.round()  # players who set up their campaign have no names yet
    name = max(words[second] - words[first])
    scan._check(first, f"they have {name} there", words, "report")
    assert scan.leaks
