"""Battles of this book in the tracker itself: set up by JL-N17, flown, and told to their account."""

import pytest

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, ship, squadron
from tests.rulebooks.jump_lanes.plays import begin, fates
from tests.rulebooks.set_ups import hex_off
from tests.rulebooks.vector.battles.tracked import Tracked

LABELS = [SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in (TERRAN, CENTAURI, ARGO)]


def contact(*, empires: int = 2) -> LanesState:
    """Each empire's squadron of two ships, at Barnard; nobody has a treaty."""
    state = frontier(empires=empires)
    for key in (TERRAN, CENTAURI, ARGO)[:empires]:
        squadron(state, key[0].upper(), "barnard", ship(f"{key} one", key, siz=4), ship(f"{key} two", key, siz=1))
    return state


def battle_ask(state: LanesState) -> AnyAsk:
    play = begin(state)
    play.run(movement_steps(play.turn, ()), fates())
    (ask,) = [one for one in play.asked if one.kind == "battle"]
    return ask


def flown(ask: AnyAsk, **sheets: str) -> Tracked:
    assert ask.tactics is not None
    typed = {(empire, "set-up"): [text] for empire, text in sheets.items()}
    labels = [one for one in LABELS if one.key in ask.parties]
    return Tracked(ask.tactics.battle, typed, options={"pieces": 1}, labels=labels)


def test_a_set_up_is_refused_for_one_hex():
    game = flown(battle_ask(contact()), terran=f"TU1: at {MIDDLE}\nTU2: at {hex_off(-10)}")
    (first,) = game.asked_now()
    assert first.parties == (TERRAN,)
    for apart, rules in ((10, set[str]()), (11, {"JL-N17"})):
        sheet: Sheet = {"TU1": {"at": MIDDLE}, "TU2": {"at": hex_off(apart)}}
        assert {one.rule for one in first.refusals_of(sheet)} == rules
    game.play(1)
    (second,) = game.asked_now()
    well = [
        far
        for far in (24, 25, 35, 36)
        if not second.refusals_of({"CU1": {"at": hex_off(far)}, "CU2": {"at": hex_off(far)}})
    ]
    assert well == [25, 35]


def test_three_empires_that_oppose_each_other_are_placed_one_after_the_other():
    game = flown(battle_ask(contact(empires=3))).play(3)
    assert [ask.parties for ask in game.asks] == [(TERRAN,), (CENTAURI,), (ARGO,)]
    assert [ask.refusals_of({}) for ask in game.asks] == [(), (), ()]
    pairs = {(one.one, one.other) for one in TRACKER.tally(game.until(1).state).ranges}
    assert len(pairs) == 3


def test_what_the_tracker_counts_is_an_account_that_the_form_knows():
    ask = battle_ask(contact())
    assert ask.tactics is not None
    tally = TRACKER.tally(flown(ask).until(1).state)
    assert {one.code for one in tally.ships} == {line.key for line in ask.form.lines}
    assert ask.tactics.account(tally) == {}


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_what_is_in_tow_is_moved_to_safety_by_its_tug():
    """The tug flies the base away and reports that it left the map: by the account the squadron withdrew as a whole."""
    state = contact()
    base = ship("Base", kind="starbase", siz=1, ftl=0)
    squadron(state, "T9", "barnard", ship("Tug", towing=4, siz=2), base)
    state.units["Tug"].tows = base.towed = True
    ask = battle_ask(state)
    assert ask.tactics is not None
    codes = {one.name: one.code for one in ask.tactics.battle.ships}
    typed = {(TERRAN, "plot"): ["", f"{codes['Tug']}: report left the map"]}
    game = Tracked(ask.tactics.battle, typed, options={"pieces": 1}, labels=[one for one in LABELS if one.key != ARGO])
    tug, towed = (game.until(1).state.battle.units[codes[name]] for name in ("Tug", "Base"))
    assert tug.vector == towed.vector
    assert tug.strained
    tally = TRACKER.tally(game.until(2).state)
    assert ask.tactics.account(tally) == {codes[name]: {"fate": "withdrew"} for name in ("Tug", "Base")}
