"""Chapter 3.9: what is moved and done among the ships of a hex between battles, and after all combat."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.transfers import (
    TransferSheet,
    has_time,
    judge_transfers,
    movable,
    transfer_steps,
)
from rules_engine.rulebooks.cutler.ch03_combat.work import work_before
from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.combat.soundness import work_defects
from rules_engine.rulebooks.cutler.records.combat.work import LastBattle, RepairsDue, WorkOfImpulse
from rules_engine.rulebooks.cutler.records.economy import RepairPoints
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Moment
from rules_engine.rulebooks.cutler.sequence import end_impulse
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.worlds import Run, kind_of, on_sheet, refusal_words, refusals, sees, table_of, world

FIGHT = {"force": {"card": "combat"}}
TWO = (
    "turn 1 impulse 3\nhydran base 0404 Yard\nhydran F1 0404 MS+CA\nhydran F2 0405 MS\nlyran F1 0404 CC\n"
    "klingon F1 0708 CC\n"
)
YARD, MS, CA, DD, CC = "hydran-base-0404", "hydran-F1-MS", "hydran-F1-CA", "hydran-F1-DD", "lyran-F1-CC"


def stocked(text: str = TWO) -> CutlerState:
    """A base with mines in its cargo boxes, and ships beside it that fight."""
    state = world(text)
    state.units[YARD].stowed["mines"] = Lot(item=STANDARD["mines"], count=50)
    state.units[MS].holds["mines"] = Lot(item=STANDARD["mines"], count=5)
    state.presence["0404"] = {"hydran": Moment(turn=1, impulse=0), "lyran": Moment(turn=1, impulse=3)}
    return state


def combat(state: CutlerState, **more: Any) -> Run:
    turn = table_of(state)
    answers = {("card", "lyran"): FIGHT} | {tuple(key.split("_")): value for key, value in more.items()}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    assert defects(state) == []
    return run


def mines(count: int = 20, origin: str = f"{YARD} cargo", to: str = MS, item: str = "mines") -> dict[str, Any]:
    return {"A1": {"item": item, "count": count, "origin": origin, "to": to}}


@pytest.mark.rule("cutler", "3.9")
def test_after_all_combat_ships_are_given_what_lies_in_cargo_boxes():
    state = stocked()
    run = combat(state, transfer_hydran=mines())
    assert [(ask.kind, ask.parties) for ask in run.asks][-1] == ("transfer", ("hydran",))
    assert (state.units[MS].holds["mines"].count, state.units[YARD].stowed["mines"].count) == (25, 30)
    assert "Moved in 0404: 20 CPV of mines from the cargo boxes of Yard into Hydran F1 Ms in 0404." in run.texts(
        "hydran"
    )


@cases("sheet, expected")
def test_what_may_be_moved_after_combat(sheet, expected):
    assert refusal_words(combat(stocked()).asked("hydran", "transfer")[0], sheet) == expected


@cases("stage, origin, to, path")
def test_hull_boxes_give_and_take_nothing_then(stage, origin, to, path):
    state = stocked()
    sheet = TransferSheet.model_validate(mines(1, origin, to))
    found = [one.path for one in judge_transfers(state, "hydran", "0404", sheet, stage).refusals if one.rule == "3.9"]
    assert path in found


@pytest.mark.rule("cutler", "3.9")
def test_nobody_is_asked_who_did_not_fight_or_has_nothing_in_cargo_boxes():
    assert combat(stocked(), card_lyran={}).asked("hydran", "transfer") == []
    empty = stocked()
    empty.units[YARD].stowed = {}
    assert combat(empty).asked("hydran", "transfer") == []


@pytest.mark.rule("cutler", "3.9")
@pytest.mark.parametrize(("lost", "stage", "mine"), [(False, "after", 1), (True, "after", 0), (False, "between", 0)])
def test_there_is_nothing_to_move_where_no_ship_could_take_it(lost: bool, stage: Any, mine: int):
    """A base takes nothing: between battles ships give to ships."""
    state = stocked(TWO.replace("MS+CA", "MS"))
    state.units[MS].destroyed, state.units[MS].boarding_parties = lost, 5
    assert list(movable(state, "hydran", "0404", stage)) == ["mines"] * mine


@pytest.mark.unseen("cutler", reports=("stores",), asks=("transfer",))
@pytest.mark.rule("cutler", "3.9")
def test_what_is_moved_is_seen_by_its_owner_alone():
    seen = []
    for sheet in ({}, mines()):
        run = combat(stocked(), transfer_hydran=sheet)
        seen.append(sees(run.table, run.asks, "lyran") + sees(run.table, run.asks, "klingon"))
    assert seen[0] == seen[1]


@pytest.mark.rule("cutler", "3.9")
def test_there_is_time_for_it_between_battles_with_two_races_alone():
    state = world("turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC\nklingon F1 0404 CW\n")
    state.fights = {"0404": Fight()}
    assert not has_time(state, "hydran", "0404", ["lyran"])
    state.fights["0404"].work.last[CA] = LastBattle(kind="sortie", against=("lyran",))
    assert not has_time(state, "hydran", "0404", ["lyran"])
    assert has_time(state, "hydran", "0404", ["klingon"])
    assert not has_time(state, "klingon", "0404", ["hydran"])


@pytest.mark.rule("cutler", "3.9")
def test_between_battles_with_two_races_people_and_craft_go_from_ship_to_ship(kept: Kept):
    state = world("turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC\nklingon F1 0404 CW\n")
    for key, code in ((CA, "CA"), (DD, "DD")):
        state.units[key].record = kind_of(code, shuttles=4, boarding_parties=10, cargo=5)
        state.units[key].boarding_parties = 8
        state.units[key].holds["shuttle"] = Lot(item=STANDARD["shuttle"], count=2)
    state.units[CA].holds["drone_1_slow"] = Lot(item=STANDARD["drone_1_slow"], count=1)
    # Who has a shuttle keeps one; twelve boarding parties fit where ten belong.
    tried = [(1, CA, "shuttle"), (2, CA, "shuttle"), (1, CA, "drone_1_slow"), (1, f"{CA} cargo", "shuttle")]
    sheets = [mines(count, origin, DD, item) for count, origin, item in [*tried, (5, CA, "boarding_party")]]
    found: list[Any] = []

    def moved(ask: Any) -> Any:
        found.extend(refusals(ask, sheet) for sheet in [*sheets, mines(4, CA, DD, "boarding_party")])
        return mines(4, CA, DD, "boarding_party")

    order = {"acting player, Hydran": [1, 1], "acting player, Lyran": [6, 1], "acting player, Klingon": [2, 6]}
    challenges = {("challenge", race): [{"challenge": {"race": "hydran"}}] for race in ("lyran", "klingon")}
    answers = {("card", "lyran"): FIGHT, ("transfer", "hydran"): [moved], **challenges}
    run = Run(turn := table_of(state, order), combat_phase_steps(turn.at("combat")), answers)
    assert [ask.kind for ask in run.asks if ask.kind in ("battle", "transfer")][:3] == ["battle", "transfer", "battle"]
    assert found == kept()
    assert [state.units[key].boarding_parties for key in (CA, DD)] == [4, 12]
    # Neither the Lyran nor the Klingon has come from a battle with somebody else to this one.
    assert run.asked("lyran", "transfer") == run.asked("klingon", "transfer") == []


# --- word for word ---------------------------------------------------------------------------------------------------
CW = "hydran-F2-CW"
SHIPS = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nhydran base 0404 Yard\nhydran F2 0405 CW\nlyran F1 0404 CC\n"
INERT = (
    "between battles nothing inert comes out of cargo boxes, and ships give to ships (3.9). Legal: a ship's own boxes."
)
TO_SHIPS = "A1.to: what is moved goes to ships, for use (3.9). Legal: a ship's own boxes."
STAYS = "goes to no other ship between battles (3.9). Legal: boarding parties, crew units, shuttles, fighters and "
STAYS += "their packs."
LADEN = "A1.origin: after combat, ships are given what lies in cargo boxes (3.9). Legal: {} cargo."
FOREIGN = "Hydran F2 Cw is not in 0404 (3.9). Legal: a unit of yours in 0404."


def laden() -> CutlerState:
    """Ships with people and craft, and mines in the cargo boxes of one of them and of the base beside them."""
    state = world(SHIPS)
    for key in (CA, DD, CW):
        unit = state.units[key]
        unit.record = kind_of(unit.record.name, shuttles=4, boarding_parties=10, cargo=5, drones=2)
        unit.boarding_parties = 8
        unit.holds["shuttle"] = Lot(item=STANDARD["shuttle"], count=2)
    state.units[CA].holds["drone_1_slow"] = Lot(item=STANDARD["drone_1_slow"], count=1)
    for key, count in ((CA, 3), (YARD, 30)):
        state.units[key].stowed["mines"] = Lot(item=STANDARD["mines"], count=count)
    state.fights = {"0404": Fight(in_battle=["hydran"])}
    return state


def transfer(state: CutlerState, stage: Any, sheet: Any = None) -> Run:
    turn = table_of(state)
    return Run(
        turn, transfer_steps(turn.at("transfer"), "0404", ["hydran", "lyran"], stage), {("transfer", "hydran"): sheet}
    )


@pytest.mark.rule("cutler", "3.9")
def test_each_of_the_two_sheets_offers_what_may_be_moved_then(kept: Kept) -> None:
    (between,) = transfer(laden(), "between").asks
    assert on_sheet(between)[:8] == kept("on_sheet(between)(:8)")
    (after,) = transfer(laden(), "after").asks
    assert on_sheet(after)[:8] == kept("on_sheet(after)(:8)")
    assert [line.key for line in after.form.lines] == [f"A{number}" for number in range(1, 21)]
    assert [line.label for line in after.form.lines] == [f"Transfer {number}" for number in range(1, 21)]


@cases("sheet, between, after")
def test_what_is_said_of_a_transfer_at_either_time(sheet: Any, between: list[str], after: list[str]) -> None:
    for stage, expected in (("between", between), ("after", after)):
        (ask,) = transfer(laden(), stage).asks
        assert (refusal_words(ask, sheet) or ask.read_back(ask.answer_from(sheet))) == expected


@pytest.mark.rule("cutler", "3.9")
def test_what_was_moved_is_told_once_and_nothing_is_told_of_nothing() -> None:
    state = laden()
    run = transfer(state, "between", mines(1, CA, DD, "shuttle") | {"A2": mines(2, DD, CA, "boarding_party")["A1"]})
    moved = "Moved in 0404: 1 x Shuttle from Hydran F1 Ca into Hydran F1 Dd in 0404; "
    moved += "2 x Boarding Party from Hydran F1 Dd into Hydran F1 Ca in 0404."
    assert [(one.text, one.to) for one in run.told("hydran")] == [(moved, ("hydran",))]
    assert [state.units[key].boarding_parties for key in (CA, DD)] == [10, 6]
    assert transfer(laden(), "between").told("hydran") == []


@cases("away, race, hex_id, stage, things")
def test_what_a_race_may_move_between_battles_and_after_them(away, race, hex_id, stage, things) -> None:
    """Between battles two ships are needed, and no base; ships that are ``away`` are in 0405."""
    state = laden()
    for key in away.split():
        state.units[f"hydran-F1-{key}"].hex = "0405"
    assert list(movable(state, race, hex_id, stage)) == things


@cases("last, enemies, is_time", "")
def test_time_is_there_if_any_ship_has_fought_somebody_else(last, enemies, is_time) -> None:
    state = laden()
    fought = {key: LastBattle(kind="main", against=tuple(against)) for key, against in last.items()}
    state.fights["0404"].work.last.update(fought)
    assert has_time(state, "hydran", "0404", enemies) is is_time


def test_names_of_ships_are_offered_as_far_as_there_is_room() -> None:
    state = laden()
    state.units[DD].name = "N" * 90
    state.units[DD].stowed["mines"] = Lot(item=STANDARD["mines"], count=1)
    (ask,) = transfer(state, "after").asks
    fields = {field.key: [choice.label for choice in field.choices] for field in ask.form.lines[0].fields}
    assert (fields["to"], fields["origin"][1]) == (["Hydran F1 Ca (CA)", "N" * 80], f"Cargo boxes of {'N' * 65}")


# --- work ------------------------------------------------------------------------------------------------------------
ONE_TURN = (
    "one turn of emergency damage repair, or one of damage control on shields; one turn of reloading drone racks. No "
    "special shuttle is prepared."
)
OTHER_RACE = (
    "emergency damage repair as you like; shields at full power if two points go to damage control; ten turns of "
    "damage control on destroyed systems, within its limits; spare shuttles and fighters are broken out, drone racks "
    "reloaded, and pilots gain experience. Nothing inert comes out of cargo boxes."
)
NOTHING = "nothing changes between these battles."
THREE = "turn 1 impulse 3\nhydran F1 0404 CA[warp=20]\nlyran F1 0404 CC+FF\nklingon F1 0708 CC\n"


def fought(state: CutlerState, answers: dict[Any, Any]) -> Run:
    """A combat phase, and what is told after it."""
    turn = table_of(state)
    return Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT, **answers})


def result(**lines: dict[str, Any]) -> Any:
    """A result in which units have these lines, and others are intact."""
    return lambda ask: {line.key: lines.get(line.key, {"fate": "intact"}) for line in ask.form.lines}


def panel(ask: Any, side: str) -> tuple[str, ...]:
    """What a side reads of its work before a battle."""
    return next((one.rows for one in ask.setup.secret[side] if one.title == "Your work before this battle (3.9)"), ())


@cases("points, repaired")
def test_d94_repairs_come_after_all_combat_and_are_told_to_the_owner_alone(points, repaired):
    hurt = {"fate": "damaged", "warp_lost": 10, "impulse_lost": 2, "repair_points": points}
    state = world(THREE)
    state.repair_points = RepairPoints(warp=10, impulse=5, cargo=1, source="invented")
    run = fought(state, {("battle", ""): result(H1=hurt)})
    unit, (warp, impulse, said) = state.units[CA], repaired
    # Ten boxes are lost in all that combat still brings; ten had been lost before.
    assert (unit.warp_ok, unit.impulse_ok) == (10, 2)
    assert (f"boxes, {points} points of D9.4" in run.texts("lyran")) == bool(points)
    after = Run(turn := table_of(state), after_combat_steps(turn.at("after")))
    assert (unit.warp_ok, unit.impulse_ok) == (warp, impulse)
    assert after.texts("hydran") == (f"Hydran F1 Ca in 0404 repairs {said} after combat." if said else "")
    assert after.texts("lyran") + after.texts("klingon") == ""
    end_impulse(turn)
    assert state.work == WorkOfImpulse()


@pytest.mark.rule("cutler", "2.4.1.6", "3.9")
@pytest.mark.parametrize(("said", "warp"), [("full", 2), ("emergency", 0), ("none", 0), ("", 2)])
def test_an_account_says_what_life_support_a_derelict_has_and_d94_needs_it_full(said, warp):
    """All 30 warp and 4 impulse boxes are lost; 20 points repair two warp boxes."""
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF\n")
    state.repair_points = RepairPoints(warp=10, impulse=5, cargo=1, source="invented")
    hurt: dict[str, Any] = {"fate": "damaged", "warp_lost": 30, "impulse_lost": 4, "repair_points": 20}
    hurt |= {"life_support": said} if said else {}
    run = fought(state, {("battle", ""): result(H1=hurt, L2={"fate": "damaged", "life_support": "none"})})
    unit = state.units[CA]
    assert (unit.is_derelict, unit.life_support) == (True, said or "full")
    assert state.units["lyran-F1-FF"].life_support == "full"  # it is no derelict
    # What is usual is not said of it; the other line says "none".
    told = [f"life support: {one}" in run.texts("hydran").partition("L2")[0] for one in ("full", "emergency", "none")]
    assert told == [False, said == "emergency", said == "none"]
    turn = table_of(state)
    Run(turn, after_combat_steps(turn.at("after")))
    assert (unit.warp_ok, unit.life_support) == (warp, said if said and not warp else "full")


@pytest.mark.rule("cutler", "2.4.1.6")
def test_a_sheet_asks_for_life_support_alike_whether_or_not_a_unit_is_a_derelict_and_of_none_that_never_is():
    """Earlier damage is its owner's secret, so the sheet is the same for a whole ship."""
    forms = []
    for ship in ("CA", "CA[warp=0,imp=0]"):
        run = fought(
            world(f"turn 1 impulse 3\nhydran F1 0404 {ship}\nlyran F1 0404 CC+FF\n"), {("battle", ""): result()}
        )
        forms.append([ask.form for ask in run.asks if ask.kind == "battle"])
    assert forms[0] == forms[1]
    state = world("turn 1 impulse 3\nplanet minor 0404 hydran rock\nhydran base 0404 Fort\nlyran F1 0404 CC\n")
    run = fought(state, {("allocate", "lyran"): {"lyran-F1-CC": {"place": "planet"}}, ("battle", ""): result()})
    (ask,) = [ask for ask in run.asks if ask.kind == "battle"]
    keys = {line.key: [field.key for field in line.fields] for line in ask.form.lines}
    assert "life_support" in keys["L1"]
    assert "life_support" not in keys["H1"]
    assert refusals(ask, {"H1": {"life_support": "none"}, "L1": {}}) == [("H1.life_support", "2.4.1.6, CU-R22")]


@pytest.mark.rule("cutler", "3.9")
@pytest.mark.parametrize("key", ["H1", "L1"])
@pytest.mark.parametrize(("points", "legal"), [(320, True), (321, False)])
def test_points_of_d94_are_bounded_by_the_class_and_not_by_what_is_left(key: str, points: int, legal: bool):
    """30 * 10 + 4 * 5 is the most, of a CC, and of a damaged CA as well."""
    state = world(THREE)
    state.repair_points = RepairPoints(warp=10, impulse=5, cargo=1, source="invented")
    found: list[Any] = []

    def judged(ask: Any) -> Any:
        whole = ask.form.prefilled()
        found.extend(refusals(ask, {**whole, key: {"fate": "damaged", "repair_points": points}}))
        return whole

    fought(state, {("battle", ""): judged})
    assert found == ([] if legal else [(f"{key}.repair_points", "3.9, CU-R76, CU-N12")])


@pytest.mark.rule("cutler", "3.9")
def test_nothing_is_repaired_of_what_was_captured_or_destroyed():
    state = world(THREE)
    hurt = {"warp_lost": 3, "repair_points": 30}
    lines = {"H1": {"fate": "intact"}, "L1": {"fate": "captured", **hurt}, "L2": {"fate": "destroyed", **hurt}}
    fought(state, {("battle", ""): result(**lines)})
    assert (state.units[CC].race, state.units[CC].warp_ok) == ("hydran", 27)
    after = Run(turn := table_of(state), after_combat_steps(turn.at("after")))
    assert state.units[CC].warp_ok == 27
    assert "repairs" not in after.texts("hydran") + after.texts("lyran")


@pytest.mark.rule("cutler", "3.9")
def test_repairs_of_several_battles_add_up_but_not_of_what_was_captured():
    work = WorkOfImpulse()
    one, other = WorkOfImpulse(), WorkOfImpulse()
    one.will_repair("a", 8, {"warp": 2, "impulse": 0})
    one.will_repair("b", 1, {})
    other.will_repair("a", 3, {"warp": 1, "cargo": 3})
    other.will_repair("c", 0, {"warp": 0})
    work.take_in(one, ())
    work.take_in(other, ["b"])
    assert work.repairs == {"a": RepairsDue(points=11, boxes={"warp": 3, "cargo": 3})}


@cases("kind, last, against, expected")
def test_what_may_be_done_between_two_battles(kind, last, against, expected):
    battle = Battle(key="b", kind=kind, hex="0404", sides=("hydran", "lyran"), lines={})
    assert work_before(battle, ("lyran",), LastBattle(kind=last, against=(against,))) == expected


@pytest.mark.rule("cutler", "3.9")
def test_between_the_approach_and_a_feature_there_is_one_turn_of_work_of_which_its_owner_reads():
    state = world("planet minor 0404 hydran rock\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+CW\n")
    state.presence["0404"] = {"hydran": Moment(turn=1, impulse=0), "lyran": Moment(turn=1, impulse=3)}
    run = fought(state, {("allocate", "hydran"): {CA: {"place": "planet"}}})
    approach, planet = [ask for ask in run.asks if ask.kind == "battle"]
    assert panel(approach, "lyran") == panel(approach, "hydran") == panel(planet, "hydran") == ()
    assert panel(planet, "lyran") == (f"L1, L2: {ONE_TURN}",)
    assert ONE_TURN not in sees(run.table, run.asks, "hydran")


@pytest.mark.rule("cutler", "3.9")
def test_between_battles_with_two_races_much_may_be_done():
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 CW\n")
    challenges = {("challenge", race): [{"challenge": {"race": "hydran"}}] for race in ("lyran", "klingon")}
    order = {f"acting player, {race}": faces for race, faces in (("Hydran", [1, 1]), ("Lyran", [6, 1]))}
    order["acting player, Klingon"] = [2, 6]
    run = combats.met(state, {("card", "lyran"): FIGHT, **challenges}, order)
    first, second = [ask for ask in run.asks if ask.kind == "battle"][:2]
    assert [ask.parties for ask in (first, second)] == [("lyran", "hydran"), ("klingon", "hydran")]
    assert panel(first, "hydran") == panel(second, "klingon") == ()
    assert panel(second, "hydran") == (f"H1: {OTHER_RACE}",)


def test_what_cannot_be_of_the_work_of_an_impulse(kept: Kept):
    state = world(THREE)
    state.fought_at = {CA: "planet"}
    state.work.will_repair(CA, 5, {"warp": 1})
    assert work_defects(state) == []
    state.fought_at["nobody"] = "planet"
    state.work.repairs[CA].boxes["phaser"] = 1
    assert work_defects(state) == kept()
