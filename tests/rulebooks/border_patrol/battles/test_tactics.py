"""Battles in the tracker: what it gets of a battle hex and must not tell, set up by BP-N32 and flown."""

from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE, TacticalBattle
from rules_engine.core.tactics.judging import SetUpSpot as Placed
from rules_engine.core.tactics.placing import legal_placement
from rules_engine.core.tactics.tallies import Fate, ShipTally, TacticalTally
from rules_engine.rulebooks.border_patrol.battles.tactics import flight_of
from rules_engine.rulebooks.border_patrol.records.places import Terrain
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.rulebooks.border_patrol.plays import TEAMS, play, world
from tests.rulebooks.set_ups import broken, hex_off
from tests.rulebooks.vector.battles.tracked import Tracked

LINES = "blue B1 0505 CA+DD\nred R1 0507 CA"
MEET = {"R1": {"route": "0506 0505"}}
DEAD: dict[str, Any] = {"sublight": True, "warp_original": 0, "warp_ok": 0}


def battle_ask(lines: str = LINES, *, red: Any = MEET, ground: Terrain | None = None, **fields: Any) -> AnyAsk:
    """The battle to which Red comes in phase 4; ``fields`` are set of units, by id."""
    state = world(lines)
    if ground:
        state.terrain["0505"] = ground
    for key, values in fields.items():
        for name, value in values.items():
            setattr(state.units[key.replace("_", "-")], name, value)
    game = play(state, None, red)
    return (game.asked("blue", "battle") or game.asked("red", "battle"))[0]


def tracked(lines: str = LINES, **more: Any) -> TacticalBattle:
    tactics = battle_ask(lines, **more).tactics
    assert tactics is not None
    return tactics.battle


class TestShips:
    def test_units_are_those_of_the_sheet_under_the_same_codes(self):
        ask = battle_ask()
        assert ask.tactics is not None
        battle = ask.tactics.battle
        assert [ship.code for ship in battle.ships] == [line.key for line in ask.form.lines] == ["BU1", "BU2", "RU1"]
        assert battle.forces == (("blue",), ("red",))
        ship = battle.ship("BU2")
        assert (ship.side, ship.name, ship.kind, ship.arrives) == ("blue", "B1-DD", "DD", 0)

    def test_engines_are_as_damage_has_left_them(self):
        battle = tracked(
            LINES.replace("0507", "0506"), red={"R1": {"route": "0505"}}, B1_CA={"warp_ok": 12}, R1_CA={"warp_ok": 8}
        )
        blue, red = battle.ship("BU1"), battle.ship("RU1")
        assert (blue.flight.warp, blue.flight.move_cost, blue.flight.size_class) == (12, 1, 3)
        assert (blue.most_speed, red.most_speed) == (13, 9)
        assert (blue.flight.impulse, blue.flight.total_power, blue.flight.turn_mode) == (None, None, None)
        assert tracked().ship("RU1").most_speed == 31
        assert tracked(B1_CA={"warp_dropped": True}).ship("BU1").flight.warp == 0
        assert tracked(B1_CA={"warp_dropped": True}).ship("BU1").most_speed == 1

        assert tracked(B1_CA={"sublight": True}).ship("BU1").flight.warp == 0

    def test_fighters_and_patrol_ships_are_of_their_own_form(self):
        unit = world(LINES).units["B1-DD"]
        forms = [flight_of(unit.changed(kind=kind)).form for kind in ("fighter", "PF", "ship", "freighter")]
        assert forms == ["shuttle", "PF", "ship", "ship"]

    def test_a_base_stays(self):
        base = tracked("blue base 0505 BATS\nred R1 0507 CA").ship("BU1")
        assert (base.flight.stays, base.least_speed, base.most_speed) == (True, 0, 0)

    @pytest.mark.rule("border_patrol", "V8.65")
    def test_weapon_status_and_what_is_left_are_said_of_nobody(self):
        """Each Team alone reads them on its sheet. BP-R57"""
        assert {(ship.weapon_status, ship.left) for ship in tracked(B1_CA={"warp_ok": 12}).ships} == {(None, None)}

    def test_who_is_under_cloak_is_not_in_it(self):
        hidden = tracked(f"{LINES}\nred R2 0505 DD[cloak_cost=5]", red=MEET | {"R2": {"cloak": "all turn"}})
        assert hidden == tracked()

    def test_what_the_other_team_keeps_to_itself_shows_in_movement_figures_alone(self):
        """Two worlds: Red's damage, its crew and what it has in store differ."""
        one, two = tracked(), tracked(R1_CA={"warp_ok": 20, "dcr": 1, "tractors_ok": 0, "chief_engineer": 9})
        drop: Any = {"ships": {2: {"flight": {"warp"}, "most_speed": True}}}
        assert one != two
        assert one.model_dump(exclude=drop) == two.model_dump(exclude=drop)


class TestGround:
    @pytest.mark.parametrize("ground", ["asteroids", "dust", "nebula"])
    def test_what_fills_a_hex_fills_the_map(self, ground: Terrain):
        battle = tracked(ground=ground)
        assert [(one.kind, one.hexes) for one in battle.ground] == [(ground, ())]
        assert battle.notes == ()

    def test_of_other_ground_a_note_tells(self):
        assert tracked(ground="pulsar").ground == ()
        assert "pulsar" in tracked(ground="pulsar").notes[0]
        assert tracked().ground == tracked().notes == ()


class TestSetUp:
    """BP-N32"""

    def test_who_moved_first_is_set_up_first(self):
        """Blue has the lower initiative; Red comes 25 to 35 hexes from the nearest."""
        battle = tracked()
        assert [step.units for step in battle.steps] == [("BU1", "BU2"), ("RU1",)]
        assert [step.says for step in battle.steps] == [
            "The Blue Team: within 10 hexes of each other",
            "The Red Team: within 10 hexes of each other, 25 to 35 hexes from the nearest of the others",
        ]
        first, second = battle.steps
        assert broken(first, {"BU1": (0, 0), "BU2": (10, 0)}) == []
        assert broken(first, {"BU1": (0, 0), "BU2": (11, 0)}) == [
            "All of the Blue Team are within 10 hexes of each other."
        ]
        blue = {"BU1": (0, 0), "BU2": (10, 0)}
        away = ["Each of the Red Team is 25 to 35 hexes from the nearest of the others."]
        for spot, says in [(35, []), (34, away), (45, []), (46, away)]:
            assert broken(second, blue | {"RU1": (spot, 0)}) == says

    def test_who_won_the_initiative_comes_last_whoever_it_is(self):
        dice = {"initiative/blue": [6] * 16, "initiative/red": [1] * 16}
        tactics = play(world(LINES), None, MEET, dice=dice).asked("red", "battle")[0].tactics
        assert tactics is not None
        assert [step.units for step in tactics.battle.steps] == [("RU1",), ("BU1", "BU2")]

    def test_what_is_in_tow_is_beside_its_tower(self):
        red = "red R1 0507 CA[towing=R1-DD]+DD[warp_ok=0]"
        state = world(f"blue B1 0505 CA\n{red}")
        state.units["R1-CA"].towing = ["R1-DD"]
        state.units["R1-DD"].towed_by = "R1-CA"
        tactics = play(state, None, {"R1": {"route": "0506 0505"}}).asked("red", "battle")[0].tactics
        assert tactics is not None
        second = tactics.battle.steps[1]
        there = {"BU1": (0, 0), "RU1": (30, 0)}
        assert broken(second, there | {"RU2": (31, 0)}) == []
        assert broken(second, there | {"RU2": (32, 0)}) == ["RU2 is in tow, beside RU1."]

    @pytest.mark.rule("border_patrol", "V8.22")
    def test_a_monster_comes_first_and_is_flown_by_the_team_that_plays_it(self):
        """Where one Team alone meets it, the other plays it. BP-N31"""
        battle = tracked("blue B1 0303 CA\nmonster dragon 0505 stays by-hand\nred R1 0507 CA")
        assert [step.units for step in battle.steps] == [("MU1",), ("RU1",)]
        monster = battle.ship("MU1")
        assert (monster.side, monster.flight.warp, monster.most_speed) == ("blue", None, 31)
        assert broken(battle.steps[0], {"MU1": (99, 0)}) == []
        assert broken(battle.steps[1], {"MU1": (0, 0), "RU1": (24, 0)}) != []
        assert broken(battle.steps[1], {"MU1": (0, 0), "RU1": (25, 0)}) == []

    def test_a_legal_set_up_is_found_for_who_says_nothing(self):
        battle = tracked("blue B1 0505 CA+DD+DD+FF\nred R1 0507 CA+DD+FF")
        placed: dict[str, Placed] = {}
        for step in battle.steps:
            found = legal_placement(step.units, step.conditions, placed, {})
            assert found is not None
            placed |= {code: Placed((at,)) for code, at in found.items()}


def account(ask: AnyAsk, *fates: tuple[str, Fate]) -> dict[str, dict[str, Json]]:
    assert ask.tactics is not None
    ships = tuple(ShipTally(code=code, side="blue", fate=fate, turn=3 if fate else 0) for code, fate in fates)
    return ask.tactics.account(TacticalTally(turns=5, ships=ships))


class TestTheAccount:
    def test_who_was_destroyed_and_who_left_and_nothing_of_others(self):
        ask = battle_ask()
        sheet = account(ask, ("BU1", ""), ("BU2", "disengaged"), ("RU1", "destroyed"))
        assert sheet == {"BU2": {"fate": "disengaged"}, "RU1": {"fate": "destroyed"}}
        filled = {key: {**line, **sheet.get(key, {})} for key, line in ask.form.prefilled().items()}
        assert ask.check(ask.model.model_validate(filled)) == []
        assert (account(ask, ("BU1", "left the map")), account(ask)) == ({"BU1": {"fate": "disengaged"}}, {})

    @pytest.mark.rule("border_patrol", "V8.14")
    def test_nobody_leaves_who_cannot(self):
        assert account(battle_ask("blue base 0505 BATS\nred R1 0507 CA"), ("BU1", "left the map")) == {}
        assert account(battle_ask(B1_CA=DEAD), ("BU1", "disengaged")) == {}
        assert account(battle_ask(B1_CA=DEAD), ("BU1", "destroyed")) != {}

    def test_that_engines_are_gone_is_not_told_by_it(self):
        """Its own Team alone knows; who is said to have left and could not stays. BP-R57, BP-N25"""
        assert account(battle_ask(B1_CA={"warp_ok": 0}), ("BU1", "disengaged")) == {"BU1": {"fate": "disengaged"}}


# --- in the tracker --------------------------------------------------------------------------------------------------
def tracked_ask(lines: str = LINES, **red: Any) -> AnyAsk:
    """The battle to which Red comes; ``red`` is set of its cruiser."""
    state = world(lines)
    for name, value in red.items():
        setattr(state.units["R1-CA"], name, value)
    return play(state, None, MEET).asked("red", "battle")[0]


def flown(ask: AnyAsk, *, pieces: int = 1, **sheets: str) -> Tracked:
    assert ask.tactics is not None
    typed = {(team, "set-up"): [text] for team, text in sheets.items()}
    return Tracked(ask.tactics.battle, typed, options={"pieces": pieces}, labels=TEAMS)


def test_a_set_up_is_refused_for_one_hex():
    game = flown(tracked_ask(), blue=f"BU1: at {MIDDLE}\nBU2: at {hex_off(-10)}")
    (first,) = game.asked_now()
    assert first.parties == ("blue",)
    for apart, rules in ((10, set[str]()), (11, {"BP-N32"})):
        sheet: Sheet = {"BU1": {"at": MIDDLE}, "BU2": {"at": hex_off(apart)}}
        assert {one.rule for one in first.refusals_of(sheet)} == rules
    game.play(1)
    (second,) = game.asked_now()
    assert second.parties == ("red",)
    assert [far for far in (24, 25, 35, 36) if not second.refusals_of({"RU1": {"at": hex_off(far)}})] == [25, 35]


def test_nothing_reaches_the_other_team_of_what_is_left_of_a_unit():
    """Two worlds, over three turns: Red's cruiser has all of its engines, or two thirds of them."""
    whole, hurt = (flown(tracked_ask(warp_ok=boxes)).until(3) for boxes in (30, 20))
    assert whole.seen_by("blue") == hurt.seen_by("blue")
    assert whole.seen_by("red") != hurt.seen_by("red")


def test_a_monster_is_flown_by_the_team_that_plays_it():
    game = flown(tracked_ask("blue B1 0303 CA\nmonster dragon 0505 stays by-hand\nred R1 0507 CA")).play(2)
    assert [ask.parties for ask in game.asks] == [("blue",), ("red",)]
    assert {*game.state.battle.units} == {"MU1", "RU1"}


def test_what_the_tracker_counts_is_an_account_that_the_form_knows():
    ask = tracked_ask()
    assert ask.tactics is not None
    tally = TRACKER.tally(flown(ask).until(1).state)
    assert {one.code for one in tally.ships} == {line.key for line in ask.form.lines}
    assert ask.tactics.account(tally) == {}
