"""Battles flown by the tactical rules: ships, accounts, and play in the tracker."""

from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import MIDDLE
from rules_engine.core.tactics.tallies import Fate, ShipTally, TacticalTally
from rules_engine.rulebooks.pq17.records.damage import RefitInHand
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.battles import NOW, at_battle, battle_asks
from tests.rulebooks.pq17.worlds.notation import CLASSES, SIDES, ship_class, world
from tests.rulebooks.set_ups import hex_off
from tests.rulebooks.vector.battles.tracked import Tracked

ATTACK: dict[str, list[Any]] = {"attack alliance": [{"A1": {"target": "E1"}}]}
PORT: dict[str, list[Any]] = {"attack coalition": [{"C1": {"target": "Haven"}}]}


def battle_ask(text: str, sheets: dict[str, list[Any]] = ATTACK, *, state: State | None = None, **at: Any) -> AnyAsk:
    phasing = next(iter(sheets)).split()[1]
    return next(battle_asks(at_battle(state or world(text + NOW), **at), sheets, phasing))


def speeds(text: str, *args: Any, **more: Any) -> dict[str, int]:
    tactics = battle_ask(text, *args, **more).tactics
    assert all(ship.least_speed == 0 for ship in tactics.battle.ships)
    return {ship.code: ship.most_speed for ship in tactics.battle.ships}


# --- ships ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.5.5.3.2", "8.5.4")
def test_movement_figures_are_those_of_the_record_with_its_damage() -> None:
    classes = {**CLASSES, "CA": ship_class("CA", "1", warp=30, awr=4, size_class=3, turn_mode="d")}
    state = world("A1 0505 CA speed 2 U\nC1 0505 FF[warp=8,impulse=1,battery=0]+TUG speed 3 ID0" + NOW, classes=classes)
    battle = battle_ask("", state=state).tactics.battle
    assert battle.forces == (("coalition",), ("alliance",))
    hurt = battle.ship("DF1")
    assert (hurt.side, hurt.name, hurt.kind, hurt.left, hurt.arrives) == ("coalition", "Test FF", "FF", 80, 0)
    flight = hurt.flight.model_dump()
    assert {key: str(flight[key]) for key in ("move_cost", "warp", "impulse", "total_power", "reserve")} == {
        "move_cost": "1/3", "warp": "8", "impulse": "1", "total_power": "9", "reserve": "0",
    }  # fmt: skip
    assert (hurt.flight.turn_mode, hurt.flight.size_class, hurt.flight.source) == (None, 4, "invented")
    whole = battle.ship("AT1")
    assert (whole.left, whole.flight.turn_mode, whole.flight.total_power) == (100, "D", 36)


@pytest.mark.rule("pq17", "8.5.3.2", "8.5.3.3", "8.5.5.2")
def test_only_an_original_defender_that_is_surprised_has_weapon_status_1() -> None:
    def status(surprise: int) -> list[int | None]:
        tactics = battle_ask("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0", surprise=surprise).tactics
        return [ship.weapon_status for ship in tactics.battle.ships]

    assert status(10) == [1, 3]
    assert status(1) == [3, 3]


@cases("case, proves, forces, power, fastest")
def test_how_fast_a_ship_may_be_before_turn_1(forces: str, power: dict[str, Any], fastest: dict[str, int]) -> None:
    assert speeds(forces, ATTACK | ({"power coalition": [power]} if power else {})) == fastest


def test_a_tug_moves_with_its_pods_and_a_pod_alone_stays() -> None:
    state = world("A1 0405 CA speed 1 U\nC1 0405 TUG+POD#2 speed 2 ID0" + NOW)
    state.units["C1.POD"].carried_by = "C1.TUG"
    tactics = battle_ask("", state=state).tactics
    tug = next(ship for ship in tactics.battle.ships if ship.kind == "TUG")
    pod = next(ship for ship in tactics.battle.ships if ship.kind == "POD")
    assert (str(tug.flight.move_cost), tug.most_speed, tug.flight.stays) == ("5/4", 25, False)
    assert (pod.flight.stays, pod.most_speed, len(tactics.battle.ships)) == (True, 0, 3)


def test_patrol_ships_and_shuttles_are_of_their_own_form() -> None:
    """A shuttle has no warp boxes and is not held to them."""
    small = {
        "PF": ship_class("PF", "1/5", warp=6, table8_category="PF", size_class=5),
        "SH": ship_class("SH", "1/10", unit_kind="shuttle", warp=0, impulse=0, size_class=6),
    }
    state = world("A1 0405 CA speed 1 U\nC1 0405 CA+PF+SH speed 2 ID0" + NOW, classes={**CLASSES, **small})
    tactics = battle_ask("", state=state).tactics
    found = {
        ship.name: (ship.flight.form, ship.most_speed) for ship in tactics.battle.ships if ship.side == "coalition"
    }
    assert found == {"Test CA": ("ship", 31), "Test PF": ("PF", 31), "Test SH": ("shuttle", 31)}


@pytest.mark.rule("pq17", "11.5.4", "1.8.2")
def test_bases_and_who_is_inactive_do_not_move() -> None:
    state = world("A9 0303 BATS base Haven known LC2\nA1 0303 CA speed 1 port A9\nC1 0303 CA speed 2 U" + NOW)
    refit = RefitInHand(name="plus", points=0, turn=1)
    state.units["A1.CA"].repairs = state.units["A1.CA"].repairs.with_values(refit=refit)
    assert speeds("", PORT, state=state, surprise=10) == {"DF1": 0, "DF2": 0, "AT1": 31}


@pytest.mark.rule("pq17", "8.5.5.1")
def test_a_nebula_fills_the_map_and_the_notes_are_the_sheets() -> None:
    ask = battle_ask("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0\nnebula 0405")
    battle = ask.tactics.battle
    assert [(one.id, one.kind, one.hexes) for one in battle.ground] == [
        ("middle", "buoy", ("5050",)), ("nebula", "nebula", ()),
    ]  # fmt: skip
    assert "DF1: speed at most 9 before turn 1 (T3b)" in battle.notes
    assert len(battle.notes) == sum(len(some.notes) for some in ask.setup.scene.notes)


@pytest.mark.rule("pq17", "1.6.4.1", "8.5.4")
def test_no_ships_own_name_and_no_designation_is_in_it() -> None:
    """And nothing of who is in the hex, and not in the battle."""
    text = "A1 0405 CA+DD speed 2 U\nA2 0405 SC speed 2 U\nC1 0405 CA+FF speed 1 ID0" + NOW
    state = world(text)
    for number, unit in enumerate(state.units.values()):
        unit.name = f"Secret{number}"
    tactics = battle_ask("", state=state).tactics
    told = tactics.battle.model_dump_json()
    assert not [word for word in ("Secret", '"A1', '"C1', "A1.CA", "C1.CA", "A2") if word in told]
    assert [ship.code for ship in tactics.battle.ships] == ["DF1", "DF2", "AT1", "AT2"]


@pytest.mark.rule("pq17", "1.6.4.1")
def test_what_the_other_side_keeps_to_itself_changes_nothing_of_it() -> None:
    """Two worlds: stores, names, standing orders and forces that stay out differ."""
    one = world("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0" + NOW)
    two = world("A1 0405 CA speed 2 U\nA5 0405 SC speed 2 U\nC1 0405 CA speed 1 ID0\nC7 0406 CA speed 2 U" + NOW)
    two.units["C1.CA"].name = "Raven"
    two.units["C1.CA"].options = "bought for a reason"
    two.task_forces["C1"].route = ["0406"]
    found = [battle_ask("", state=state).tactics for state in (one, two)]
    assert found[0].battle == found[1].battle


# --- the account ------------------------------------------------------------------------------------------------------
SHIPS = "A1 0405 CA+DD speed 2 U\nC1 0405 CA+FF speed 1 ID0"


def counted(code: str, fate: Fate = "", turn: int = 0) -> ShipTally:
    return ShipTally(code=code, side="alliance" if code.startswith("A") else "coalition", fate=fate, turn=turn)


def account(ask: AnyAsk, turns: int, *ships: ShipTally) -> dict[str, dict[str, Json]]:
    return ask.tactics.account(TacticalTally(turns=turns, ships=ships))


def accepted(ask: AnyAsk, sheet: dict[str, dict[str, Json]]) -> bool:
    """Whether the form as it is filled in by an account is taken."""
    filled = {key: {**line, **sheet.get(key, {})} for key, line in ask.form.prefilled().items()}
    return not ask.check(ask.model.model_validate(filled))


@cases("case, proves, turns, ships, sheet", made="ships")
def test_the_account_of_a_battle(turns: int, ships: list[ShipTally], sheet: dict[str, dict[str, Any]]) -> None:
    """A form that is filled in by an account with a winner is taken."""
    ask = battle_ask(SHIPS)
    assert account(ask, turns, *ships) == sheet
    assert set(sheet) <= {line.key for line in ask.form.lines}
    assert accepted(ask, sheet) or "winner" not in sheet["battle"]


@pytest.mark.rule("pq17", "8.5.5.5", "8.5.5.6")
def test_a_base_does_not_disengage_and_loads_go_with_their_ships() -> None:
    state = world("A9 0303 BATS base Haven known LC2\nA1 0303 TUG+POD speed 1 port A9\nC1 0303 CA speed 2 U" + NOW)
    state.units["A1.POD"].carried_by = "A1.TUG"
    ask = battle_ask("", PORT, state=state, surprise=10)
    codes = {line.label.split()[2]: line.key for line in ask.form.lines[1:]}
    assert [ship.code for ship in ask.tactics.battle.ships] == [codes["BATS"], codes["TUG"], "AT1"]
    base, tug = counted(codes["BATS"], "left the map", 2), counted(codes["TUG"], "disengaged", 2)
    sheet = account(ask, 2, base, tug, counted("AT1"))
    assert codes["BATS"] not in sheet
    assert sheet[codes["POD"]] == sheet[codes["TUG"]] == {"fate": "disengaged", "turn": 2}
    lost = account(ask, 2, counted(codes["BATS"]), counted(codes["TUG"], "destroyed", 2), counted("AT1"))
    assert lost[codes["POD"]] == {"fate": "destroyed"}


# --- battles of this book in the tracker itself: set up by 8.5.5.4, flown, and told to their account ------------------
def flown(ask: AnyAsk, *, labels: Any = SIDES, **sheets: str) -> Tracked:
    """The battle in the tracker; ``alliance`` and ``coalition`` are what these type for their set-ups."""
    typed = {(side, "set-up"): [text] for side, text in sheets.items()}
    return Tracked(ask.tactics.battle, typed, options={"pieces": 1}, labels=labels)


def broken(ask: AnyAsk, sheet: dict[str, Any]) -> set[str]:
    return {one.rule for one in ask.refusals_of(sheet)}


@pytest.mark.rule("pq17", "8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3")
@cases("side, spots, rules", made="spots")
def test_set_ups_are_refused_for_one_hex(side: str, spots: dict[str, str], rules: list[str]) -> None:
    """The defenders, a cruiser and a freighter, are placed first: in the middle and three hexes off."""
    ask = battle_ask("A1 0505 CA speed 2 U\nC1 0505 CA+FT speed 1 ID0")
    game = flown(ask, coalition=f"DF1: at {MIDDLE}\nDF2: at {hex_off(3)}")
    if side == "alliance":
        game.play(1)
    (placing,) = game.asked_now()
    assert placing.parties == (side,)
    assert sorted(broken(placing, {code: {"at": spot} for code, spot in spots.items()})) == rules


@pytest.mark.rule("pq17", "8.5.5.3.9", "T3b")
def test_nobody_begins_faster_than_it_may() -> None:
    (ask,) = flown(battle_ask("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0")).asked_now()
    assert ask.refusals_of({"DF1": {"at": MIDDLE, "speed": 9}}) == ()
    assert ask.refusals_of({"DF1": {"at": MIDDLE, "speed": 10}}) != ()


@pytest.mark.rule("pq17", "8.5.5.4.3")
def test_who_says_nothing_is_placed_legally_also_relief() -> None:
    text = "A1 0405 CA+DD speed 2 ID0\nA2 0405 DD speed 2 ID0\nC1 0405 CA+SC speed WC ID0\nC2 0405 FF speed 2 ID0"
    sheets = {
        "attack alliance": [{"A1": {"target": "E1"}, "A2": {"target": "E1"}}],
        "attack coalition": [{"C2": {"target": "E2"}}],
    }
    game = flown(battle_ask(text, sheets, surprise=10)).play(3)
    assert {*game.state.battle.units} == {"DF1", "DF2", "DF3", "AT1", "AT2", "AT3"}
    assert [ask.refusals_of({}) for ask in game.asks] == [(), (), ()]
    assert [ask.parties for ask in game.asks] == [("coalition",), ("alliance",), ("coalition",)]


@pytest.mark.rule("pq17", "8.5.5.5.4")
def test_what_the_tracker_counts_is_an_account_that_the_form_knows() -> None:
    ask = battle_ask("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0")
    tally = TRACKER.tally(flown(ask).until(2).state)
    assert [one.code for one in tally.ships] == ["DF1", "AT1"]
    assert ask.tactics.account(tally) == {"battle": {"turns": 2}}
