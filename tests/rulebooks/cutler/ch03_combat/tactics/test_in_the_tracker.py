"""Battles of this book in the tracker itself: set up, refused for one hex, joined by flanks, and told to their book."""

import pytest

from rules_engine.core.grids.space import hexes_between
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.rulebooks.cutler.ch03_combat import test_hydraxx
from tests.rulebooks.cutler.ch03_combat.tactics.fields import at, battle_asks, field_of, fought, tactics_in
from tests.rulebooks.cutler.worlds import RACES, refusals
from tests.rulebooks.vector.battles.tracked import Tracked

MEETING = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\n"
DICE = {"set-up, Hydran": [6], "set-up, Lyran": [1]}
FLANK = {"flank_lyran": {"lyran-F1-FF": {"group": 1}}}
HYDRAN, LYRAN = ("hydran", "set-up"), ("lyran", "set-up")


def begun(turn: int, pieces: int = 1) -> Tracked:
    """The Hydran in the middle, a Lyran ship 40 hexes off, and the other one to come on this turn."""
    run = fought(MEETING, DICE | {"flank 1, lyran": [min(6, turn - 1)]}, **FLANK)
    sheets = {HYDRAN: [f"H1: at {at('A', 0)}\nH2: at {at('B', 10)}"], LYRAN: [f"L1: at {at('D', 40)}"]}
    return Tracked(field_of(run), sheets, options={"pieces": pieces}, labels=RACES[:2])


@pytest.mark.rule("cutler", "3.4.3")
def test_a_set_up_is_refused_for_one_hex():
    game = begun(2)
    (ask,) = game.asked_now()
    assert ask.parties == ("hydran",)
    for apart, rules in ((10, []), (11, ["3.4.3"])):
        sheet = {"H1": {"at": at("A", 0)}, "H2": {"at": at("B", apart)}}
        assert [rule for _, rule in refusals(ask, sheet)] == rules
    game.play(1)
    (ask,) = game.asked_now()
    assert ask.parties == ("lyran",)
    assert {rule for _, rule in refusals(ask, {"L1": {"at": at("D", 39)}})} == {"3.4.3"}
    assert refusals(ask, {"L1": {"at": at("D", 40)}}) == []


@pytest.mark.rule("cutler", "3.7.2", "3.7.6")
def test_a_flank_comes_on_its_turn_30_hexes_off_at_its_own_speed():
    game = begun(2).until(1)
    assert "L2" not in game.state.battle.units
    (ask,) = game.asked_now()
    assert (ask.kind, ask.parties) == ("set-up", ("lyran",))
    near = at("A", 29, game.state.battle.units["H1"].at)
    assert "3.7.2" in {rule for _, rule in refusals(ask, {"L2": {"at": near}})}
    game.play(1)
    units = game.state.battle.units
    assert min(hexes_between(units["L2"].at, units[code].at) for code in ("H1", "H2")) >= 30
    assert units["L2"].vector.says == f"13{units['L2'].facing}", "12 by warp and 1 by impulse, straight ahead"


@pytest.mark.rule("cutler", "3.7.8")
def test_nothing_reaches_the_others_of_a_flank_that_has_not_come():
    soon, late = begun(3).until(2), begun(7).until(2)
    assert soon.seen_by("hydran") == late.seen_by("hydran")
    assert [kind in soon.seen_by("lyran") for kind in ("on turn 3", "on turn 7")] == [True, False], "its owner's alone"
    assert soon.play(1).seen_by("hydran") != late.play(1).seen_by("hydran")


@pytest.mark.rule("cutler", "3.4.5.1")
def test_ranges_that_do_not_shrink_are_counted_and_said():
    # At full speed they fly at each other, pass in the first turn, and only draw apart from then on.
    game, tactics = begun(7), tactics_in(fought(MEETING, DICE))
    assert list(tactics.remarks(TRACKER.tally(game.until(1).state))) == []
    for turn, quiet in ((2, "1 turn"), (3, "2 turns")):
        (said,) = tactics.remarks(TRACKER.tally(game.until(turn).state))
        assert said == f"Hydran and Lyran: no range has shrunk for {quiet}; separation needs 20 (3.4.5.1)."


@pytest.mark.rule("cutler", "3.5.9", "3.6", "3.6.1")
def test_every_battle_of_the_books_example_is_set_up_in_the_tracker():
    run = test_hydraxx.played()
    for number in range(len(battle_asks(run))):
        battle = field_of(run, number)
        game = Tracked(battle, labels=[one for one in RACES if one.key in battle.sides])
        game.play(sum(not battle.ship(step.units[0]).arrives for step in battle.steps))
        assert {*game.state.battle.units} == {one.code for one in battle.ships if not one.arrives}
        # Nothing is asked but the set-up, and each default is legal.
        assert {ask.kind for ask in game.asks} == {"set-up"}
        assert [refusals(ask, {}) for ask in game.asks] == [[]] * len(game.asks)
