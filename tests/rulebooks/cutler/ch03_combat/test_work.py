"""Chapter 3.9: work between the battles of an impulse, and repairs after them."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.work import work_before
from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.combat.soundness import work_defects
from rules_engine.rulebooks.cutler.records.combat.work import LastBattle, RepairsDue, WorkOfImpulse
from rules_engine.rulebooks.cutler.records.economy import RepairPoints
from rules_engine.rulebooks.cutler.records.state import CutlerState, Moment
from rules_engine.rulebooks.cutler.sequence import end_impulse
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, refusals, sees, table_of, world

FIGHT = {"force": {"card": "combat"}}
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
TWO = "turn 1 impulse 3\nhydran F1 0404 CA[warp=20]\nlyran F1 0404 CC+FF\nklingon F1 0708 CC\n"
CA, CC = "hydran-F1-CA", "lyran-F1-CC"


def combat(state: CutlerState, answers: dict[Any, Any]) -> Run:
    """A combat phase, and what is told after it."""
    turn = table_of(state)
    return Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT, **answers})


def result(**lines: dict[str, Any]) -> Any:
    """A result in which units have these lines, and others are intact."""
    return lambda ask: {line.key: lines.get(line.key, {"fate": "intact"}) for line in ask.form.lines}


def panel(ask: Any, side: str) -> tuple[str, ...]:
    """What a side reads of its work before a battle."""
    return next((one.rows for one in ask.setup.secret[side] if one.title == "Your work before this battle (3.9)"), ())


@pytest.mark.rule("cutler", "3.9", "4.3")
@cases("points, repaired")
def test_d94_repairs_come_after_all_combat_and_are_told_to_the_owner_alone(points, repaired):
    hurt = {"fate": "damaged", "warp_lost": 10, "impulse_lost": 2, "repair_points": points}
    state = world(TWO)
    state.repair_points = RepairPoints(warp=10, impulse=5, cargo=1, source="invented")
    run = combat(state, {("battle", ""): result(H1=hurt)})
    unit, (warp, impulse, said) = state.units[CA], repaired
    # Ten boxes are lost in all that combat still brings; ten had been lost before.
    assert (unit.warp_ok, unit.impulse_ok) == (10, 2)
    assert (f"boxes, {points} points of D9.4" in run.texts("lyran")) == bool(points)
    turn = table_of(state)
    after = Run(turn, after_combat_steps(turn.at("after")))
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
    run = combat(state, {("battle", ""): result(H1=hurt, L2={"fate": "damaged", "life_support": "none"})})
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
        run = combat(
            world(f"turn 1 impulse 3\nhydran F1 0404 {ship}\nlyran F1 0404 CC+FF\n"), {("battle", ""): result()}
        )
        forms.append([ask.form for ask in run.asks if ask.kind == "battle"])
    assert forms[0] == forms[1]
    state = world("turn 1 impulse 3\nplanet minor 0404 hydran rock\nhydran base 0404 Fort\nlyran F1 0404 CC\n")
    run = combat(state, {("allocate", "lyran"): {"lyran-F1-CC": {"place": "planet"}}, ("battle", ""): result()})
    (ask,) = [ask for ask in run.asks if ask.kind == "battle"]
    keys = {line.key: [field.key for field in line.fields] for line in ask.form.lines}
    assert "life_support" in keys["L1"]
    assert "life_support" not in keys["H1"]
    assert refusals(ask, {"H1": {"life_support": "none"}, "L1": {}}) == [("H1.life_support", "2.4.1.6, CU-R22")]


@pytest.mark.rule("cutler", "3.9")
def test_points_of_d94_are_bounded_by_the_class_and_not_by_what_is_left():
    state = world(TWO)
    state.repair_points = RepairPoints(warp=10, impulse=5, cargo=1, source="invented")
    found: list[Any] = []

    def judged(ask: Any) -> Any:
        whole = ask.form.prefilled()
        most = 30 * 10 + 4 * 5  # a CC's, and a damaged CA's as well
        tried = [(key, points) for key in ("H1", "L1") for points in (most, most + 1)]
        found.extend(refusals(ask, {**whole, key: {"fate": "damaged", "repair_points": n}}) for key, n in tried)
        return whole

    combat(state, {("battle", ""): judged})
    law = "3.9, CU-R76, CU-N12"
    assert found == [[], [("H1.repair_points", law)], [], [("L1.repair_points", law)]]


@pytest.mark.rule("cutler", "3.9")
def test_nothing_is_repaired_of_what_was_captured_or_destroyed():
    state = world(TWO)
    hurt = {"warp_lost": 3, "repair_points": 30}
    lines = {"H1": {"fate": "intact"}, "L1": {"fate": "captured", **hurt}, "L2": {"fate": "destroyed", **hurt}}
    combat(state, {("battle", ""): result(**lines)})
    assert (state.units[CC].race, state.units[CC].warp_ok) == ("hydran", 27)
    turn = table_of(state)
    after = Run(turn, after_combat_steps(turn.at("after")))
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


@pytest.mark.rule("cutler", "3.9")
@cases("kind, last, against, expected")
def test_what_may_be_done_between_two_battles(kind, last, against, expected):
    battle = Battle(key="b", kind=kind, hex="0404", sides=("hydran", "lyran"), lines={})
    assert work_before(battle, ("lyran",), LastBattle(kind=last, against=(against,))) == expected


@pytest.mark.rule("cutler", "3.9")
def test_between_the_approach_and_a_feature_there_is_one_turn_of_work_of_which_its_owner_reads():
    state = world("planet minor 0404 hydran rock\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+CW\n")
    state.presence["0404"] = {"hydran": Moment(turn=1, impulse=0), "lyran": Moment(turn=1, impulse=3)}
    run = combat(state, {("allocate", "hydran"): {CA: {"place": "planet"}}})
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
    turn = table_of(state, order)
    run = Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT, **challenges})
    first, second = [ask for ask in run.asks if ask.kind == "battle"][:2]
    assert [ask.parties for ask in (first, second)] == [("lyran", "hydran"), ("klingon", "hydran")]
    assert panel(first, "hydran") == panel(second, "klingon") == ()
    assert panel(second, "hydran") == (f"H1: {OTHER_RACE}",)


def test_what_cannot_be_of_the_work_of_an_impulse(kept: Kept):
    state = world(TWO)
    state.fought_at = {CA: "planet"}
    state.work.will_repair(CA, 5, {"warp": 1})
    assert work_defects(state) == []
    state.fought_at["nobody"] = "planet"
    state.work.repairs[CA].boxes["phaser"] = 1
    assert work_defects(state) == kept()
