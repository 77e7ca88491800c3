"""How a campaign begins: two secret sheets a side, then turn 1; and what the other side must not learn of them."""

from collections import Counter
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.form_documents import form_text
from tests.rulebooks.pq17.worlds.campaign_scenario import document

AT = "2026-01-01T00:00:00Z"
SEED = b"a seed for tests, not secret"
ALLIANCE, COALITION = "alliance", "coalition"

Changes = dict[str, dict[str, dict[str, Json]]]
"""Lines to change, by kind of ask and line."""


class Opening:
    """A campaign played through its opening; keeps all that either side was asked and told."""

    def __init__(self, coalition: Changes | None = None, alliance: Changes | None = None) -> None:
        self.adjudicator: Adjudicator[State]
        self.adjudicator, step = Adjudicator.open(RULEBOOK, title="Test", scenario=document(), seed=SEED, at=AT)
        self.changes = {ALLIANCE: alliance or {}, COALITION: coalition or {}}
        self.reports = list(step.reports)
        self.asked: dict[str, list[Any]] = {ALLIANCE: [], COALITION: []}
        self.boards: dict[str, list[str]] = {ALLIANCE: [], COALITION: []}

    def round(self) -> None:
        """Everybody answers what is open with the sheet filled in and the changed lines."""
        for side, kept in self.asked.items():
            self.boards[side].append(self.adjudicator.view(side).model_dump_json())
            for ask in self.adjudicator.asks_for(side):
                sheet = ask.form.prefilled()
                kept.append((ask.id, ask.title, ask.text, form_text(ask.form), ask.read_back(ask.default)))
                for key, line in self.changes[side].get(ask.kind, {}).items():
                    sheet[key] = {**sheet.get(key, {}), **line}
                self.adjudicator.answer(side, ask.id, sheet, by=side, at=AT)
        self.reports += self.adjudicator.close("all ready", by="all", at=AT).reports
        assert self.adjudicator.defects() == []

    def play(self, rounds: int) -> "Opening":
        for _ in range(rounds):
            self.round()
        return self

    def told(self, side: str) -> list[str]:
        return [one.model_dump_json() for one in self.reports if one.is_for(side)]


def kinds(opening: Opening, side: str) -> list[str]:
    return [ask.kind for ask in opening.adjudicator.asks_for(side)]


def test_a_campaign_starts_with_two_sheets_a_side_that_need_only_be_confirmed() -> None:
    opening = Opening()
    assert [kinds(opening, side) for side in (ALLIANCE, COALITION)] == [["purchase"], ["purchase"]]
    opening.round()
    assert [kinds(opening, side) for side in (ALLIANCE, COALITION)] == [["deployment"], ["deployment"]]
    opening.round()
    assert not {"purchase", "deployment"} & {*kinds(opening, ALLIANCE), *kinds(opening, COALITION)}


@pytest.mark.rule("pq17", "C.oob.federation.kzinti-convoy", "C.oob.federation.base-convoy")
@pytest.mark.rule("pq17", "C.oob.kzinti.orion-mercenaries", "C.oob.kzinti.reaction-force", "C.oob.klingon.base-convoy")
def test_what_is_not_deployed_waits_off_the_map(opening_done: Opening) -> None:
    state: State = opening_done.adjudicator._state  # pyright: ignore[reportPrivateUsage]  # what no side may see
    waiting = {one.key: one for one in state.progress.arrivals}
    assert {key: (one.kind, one.opens, len(one.units)) for key, one in waiting.items()} == {
        "kzinti-convoy-1": ("convoy", 1, 22 + 3),  # with its three escorts
        "orion": ("force", 1, 6),
        "kzinti-reaction": ("force", 0, 6),  # until it is called
        "federation-supply-1": ("resupply", 1, 9),
        "kzinti-supply-1": ("resupply", 1, 4),
        "klingon-supply-1": ("resupply", 1, 4),
    }
    convoy = [state.units[unit] for unit in waiting["kzinti-convoy-1"].units]
    assert Counter(unit.class_id for unit in convoy) == {"F-L": 22, "FED-DD": 2, "FED-DDS": 1}
    assert sum(unit.supply for unit in convoy if unit.class_id == "F-L") == 22 * 50
    assert all(one.entry and set(one.entry) <= set(state.grid.hexes()) for one in waiting.values())


def test_both_sides_are_told_what_they_have_and_have_kept(opening_done: Opening) -> None:
    texts = [one.text for one in opening_done.reports if one.kind == "purchase"]
    assert "You keep 8 points for CA, " in texts[0]  # 1100 - 7 x 135 - 147
    assert "You keep 4 points for CA, " in texts[1]  # 1100 - 6 x 135 - 148 - 138
    assert [one.to for one in opening_done.reports if one.kind == "purchase"] == [(ALLIANCE,), (COALITION,)]


def test_the_ready_made_orders_of_battle_are_forgotten_once_play_begins(opening_done: Opening) -> None:
    state: State = opening_done.adjudicator._state  # pyright: ignore[reportPrivateUsage]
    assert state.ready_made == {}


@pytest.fixture(scope="module")
def opening_done() -> Opening:
    return Opening().play(2)


WORLDS: dict[str, Changes] = {
    "other ships bought": {"purchase": {"klingon-DD": {"buy": "20 DD, 2 DDL, 1 DDM"}, "lyran-BB": {"buy": "5 FF"}}},
    "other auxiliaries": {"purchase": {"klingon-free-3": {"buy": "3 F-ALT"}}},
    "another convoy": {"purchase": {"klingon-supply": {"buy": "8 F-S"}}},
    "Bastion elsewhere": {"deployment": {"bastion": {"hex": "1609"}}},
    "pickets elsewhere": {"deployment": {"C5": {"hex": "0110"}, "C10": {"hex": "1715", "port": True}}},
    "points kept": {"purchase": {"klingon-CA": {"buy": "4 CA"}, "klingon-FF": {"buy": "1 FF"}}},
}


@pytest.mark.rule("pq17", "C.oob.klingon.bastion", "1.8.10.3")
@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.unseen("pq17", reports=("command", "purchase", "special"), asks=("deployment", "period", "purchase"))
def test_the_alliance_learns_nothing_of_what_the_coalition_buys_and_where_it_begins(
    opening_done: Opening, name: str
) -> None:
    other = Opening(coalition=WORLDS[name]).play(2)
    assert other.boards[ALLIANCE] == opening_done.boards[ALLIANCE]
    assert other.asked[ALLIANCE] == opening_done.asked[ALLIANCE]
    assert other.told(ALLIANCE) == opening_done.told(ALLIANCE)
    assert other.adjudicator.view(ALLIANCE) == opening_done.adjudicator.view(ALLIANCE)
    mine, theirs = opening_done.adjudicator.view(COALITION), other.adjudicator.view(COALITION)
    assert mine != theirs  # else nothing was proved


@cases("changes")
@pytest.mark.unseen("pq17", reports=("command", "purchase", "special"), asks=("deployment", "period", "purchase"))
def test_the_coalition_learns_nothing_of_the_alliances_choices(opening_done: Opening, changes: Changes) -> None:
    """Which modules a base has is no public matter: of a known base only its type is (ruling BAS-10)."""
    other = Opening(alliance=changes).play(2)
    assert other.boards[COALITION] == opening_done.boards[COALITION]
    assert other.asked[COALITION] == opening_done.asked[COALITION]
    assert other.told(COALITION) == opening_done.told(COALITION)
    assert other.adjudicator.view(COALITION) == opening_done.adjudicator.view(COALITION)
    assert other.adjudicator.view(ALLIANCE) != opening_done.adjudicator.view(ALLIANCE)


def test_silence_gives_the_ready_made_order_of_battle(opening_done: Opening) -> None:
    adjudicator, _ = Adjudicator.open(RULEBOOK, title="Test", scenario=document(), seed=SEED, at=AT)
    for _ in range(2):
        adjudicator.close("deadline", by="clock", at=AT)
    for side in (ALLIANCE, COALITION):
        assert adjudicator.view(side) == opening_done.adjudicator.view(side)
