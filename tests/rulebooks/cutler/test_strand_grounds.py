"""Who belongs to a strand of Cutler's play, and what boards say of ships while hexes are fought over."""

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch03_combat.battle import force_out
from rules_engine.rulebooks.cutler.ch03_combat.combat import settle_fleets
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.state import Fight
from tests.expected.kept import Kept
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.cutler.worlds import table_of, world
from tests.rulebooks.strand_play import StrandPlay


def test_missions_against_a_race_are_its_own_business_and_not_the_spys() -> None:
    game = StrandPlay(RULEBOOK, crowded(3, turns=1), 1)
    one = game.adjudicator
    spying = {
        "economy": {"reserve": 50},
        "counter": {"points": 10},
        "M1": {"kind": "base", "against": "birch", "ip": 10},
    }
    watching = {"economy": {"reserve": 50}, "counter": {"points": 10}}
    for ask in one.open_asks():
        (side,) = ask.parties
        one.answer(side, ask.id, spying if side == "ash" else watching, by=side, at="x")
    game.close("")
    assert one.strands() == ("T1/espionage/birch",)
    assert one._shared.strands["T1/espionage/birch"].parties == {"birch"}
    assert one.asks_for("ash") == ()


def test_a_race_that_is_moved_into_a_fight_takes_no_part_in_it() -> None:
    game = StrandPlay(RULEBOOK, crowded(7, turns=1, fleets=1, hexes=3), 3)
    one = game.adjudicator
    while not any("/combat/" in strand for strand in one.strands()):
        game.close(one.strands()[0])
    three = next(key for key, strand in one._shared.strands.items() if len(strand.parties) == 3)
    inside, hex_id = one._shared.strands[three].parties, three.rsplit("/", 1)[1]
    stranger = next(side for side in one._state.races() if side not in inside)
    for unit in one._state.units.values():
        if unit.race == stranger:
            unit.hex = hex_id
    for ask in [ask for ask in one.open_asks() if ask.strand == three]:
        one.answer(ask.parties[0], ask.id, {"force": {"card": "combat"}}, by="x", at="x")
    game.close(three)
    assert three in one.strands()
    while three in one.strands():
        assert all(inside.issuperset(ask.parties) for ask in one.open_asks() if ask.strand == three)
        game.finish(three)


def test_a_lost_ship_is_on_no_board_and_a_prize_on_its_captors() -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF\nlyran F2 0404 DD")
    state.fights = {"0404": Fight()}
    state.units["lyran-F2-DD"].destroyed = True
    prize = state.units["lyran-F1-FF"]
    prize.race, prize.captured_from = "hydran", "lyran"

    def fleets(side: str) -> str:
        panel = side_board(state, side, Knowledge()).panel("Fleets")
        assert panel is not None
        return "\n".join(panel.rows)

    assert prize.name in fleets("hydran")
    assert prize.name not in fleets("lyran")
    assert state.units["lyran-F2-DD"].name not in fleets("lyran")


def test_a_prize_that_disengages_rolls_for_itself() -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF")
    own, prize = state.units["lyran-F1-CC"], state.units["lyran-F1-FF"]
    prize.race = "hydran"
    force_out(table_of(state, {"prize 1/retreat": [4], "F1/retreat": [1]}), [prize, own], [prize.id])
    assert (prize.retreat_hex, own.retreat_hex) == ("0405", "0403")


def test_who_has_a_ship_knows_it_as_its_own_again() -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF")
    state.empires["lyran"].known_ships = {"lyran-F1-FF": "hydran"}
    settle_fleets(state, "0404", Fight(prizes=["lyran-F1-FF"]))
    assert state.empires["lyran"].known_ships == {}


def test_fleets_may_hold_what_is_lost_only_while_hexes_are_fought_over(kept: Kept) -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF+DD")
    state.units["lyran-F1-FF"].race = "hydran"
    state.units["lyran-F1-DD"].destroyed = True
    state.fights = {"0404": Fight()}
    assert defects(state) == []
    state.fights = {}
    assert defects(state) == kept()
