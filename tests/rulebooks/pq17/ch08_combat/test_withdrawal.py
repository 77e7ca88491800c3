"""Chapter 8.5.6 and 8.5.7: withdrawal, pursuit to any depth, and regrouping after combat."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.speeds import unit_max_speed
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import remember_links
from rules_engine.rulebooks.pq17.ch08_combat import withdrawal as ch08
from rules_engine.rulebooks.pq17.ch08_combat.battle import battle_sequence_steps
from rules_engine.rulebooks.pq17.ch11_repair.refits import give_refit
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.battles import account, battle_of, detected
from tests.rulebooks.pq17.worlds.notation import SPEEDS, notation, reports_to, situation, table, told, world

F = Fraction
NOW = "\nturn 2 impulse 1 half A initiative alliance"


def met(text: str, *rolls: int, impulse: int = 1) -> TurnContext[State]:
    now = NOW.replace("impulse 1", f"impulse {impulse}")
    return detected(table(world(text + now), *rolls, by_label={"/surprise": 2}))


def play(at: TurnContext[State], battle: Battle, *answers: Any) -> list[AnyAsk]:
    """Play a whole sequence; ``answers`` answer its asks in order (None: the default), power asks aside."""
    asked: list[AnyAsk] = []
    left = list(answers)
    steps = battle_sequence_steps(at, battle)
    try:
        batch = next(steps)
        while True:
            given: dict[str, Any] = {}
            for ask in batch.asks:
                if ask.kind == "power":
                    given[ask.id] = ask.default
                    continue
                asked.append(ask)
                sheet = left.pop(0) if left else None
                given[ask.id] = ask.default if sheet is None else ask.answer_from(sheet)
            batch = steps.send(given)
    except StopIteration:
        return asked


DUEL = "A1 0405 CA speed 2 U\nC1 0405 CA speed 1 U"


def kinds(asked: list[AnyAsk]) -> list[tuple[str, tuple[str, ...]]]:
    return [(ask.kind, ask.parties) for ask in asked]


# --- no pursuit -------------------------------------------------------------------------------------------------------
def force(**line: Any) -> dict[str, Any]:
    """A sheet with orders for its first force."""
    return {"force 1": line}


def in_words(ask: AnyAsk) -> str:
    """An ask with the lines of its form: ``reform alliance: A1.CA, A1.DD, force 1, force 2``."""
    lines = ", ".join(line.key for line in ask.form.lines)
    return "battle" if ask.kind == "battle" else f"{ask.kind} {ask.parties[0]}: {lines}"


@cases(
    "case, proves, forces, impulse, dice, battle, sheets, asked, says, afterwards",
    "asked, afterwards",
    made="battle, sheets",
)
def test_withdrawals_pursuits_and_regroupings(
    *, forces: str, impulse: int, dice: list[int], battle: dict[str, Any], sheets: list[Any], asked: str,
    says: list[str], afterwards: str,
) -> None:  # fmt: skip
    """Each of ``sheets`` in the order of asking; what is asked, some of what is told, and the forces afterwards."""
    at = met(forces, *dice, impulse=impulse)
    asks = play(at, battle_of(at, **battle), *sheets)
    assert "; ".join(map(in_words, asks)) == asked
    assert len({ask.id for ask in asks}) == len(asks)
    assert at.shared.dice.rolls == []  # type: ignore[attr-defined]
    heard = [f"{side}: {text}" for side in ("alliance", "coalition") for text in told(at, side)]
    assert set(says) <= set(heard)
    lost = [f"{one.id} {one.fate}" for one in at.state.units.values() if one.fate == "destroyed"]
    assert situation(at.state) + "".join(f", {one}" for one in lost) == afterwards
    assert list(defects(at.state)) == []


@cases("case, proves, forces, impulse, battle, sheets, refusals", made="battle, sheets")
def test_regroupings_and_pursuits_that_are_refused(
    forces: str, impulse: int, battle: dict[str, Any], sheets: list[Any], refusals: list[str]
) -> None:
    """Every pursuit fails."""
    at = met(forces, 99, impulse=impulse)
    with pytest.raises(Refused) as refused:
        play(at, battle_of(at, **battle), *sheets)
    assert [str(one) for one in refused.value.refusals] == refusals


@pytest.mark.rule("pq17", "8.5.7.2")
def test_more_task_forces_than_a_sheet_forms_regroup_as_well() -> None:
    """Fourteen forces have a line each, and stay as they are unless somebody says otherwise; there is no fifteenth."""
    ids = [f"A{number}" for number in range(1, 15)]
    at = met("\n".join(f"{one} 0405 DD speed 1 U" for one in ids) + "\nC1 0405 CA U")
    result = account("alliance", 4, DF1="destroyed", **{f"AT{number}": "ok" for number in range(1, 15)})
    (reform,) = [ask for ask in play(at, battle_of(at, " ".join(ids)), result) if ask.kind == "reform"]
    assert reform.default is not None
    assert not reform.check(reform.default)
    found = [line.key for line in reform.form.lines if line.key.startswith("force ")]
    assert found == [f"force {n}" for n in range(1, 15)]
    assert [line.split()[0] for line in notation(at.state).splitlines()] == ids
    with pytest.raises(Refused) as refused:
        reform.answer_from({"A14.DD": {"force": 15}})
    assert [(one.path, one.legal) for one in refused.value.refusals] == [("A14.DD.force", "1 to 14")]


# --- withdrawal -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "6.3.4.3", "6.3.4.3.1", "8.5.6.8", "8.5.6.9.2")
@pytest.mark.parametrize(("fuel", "caught"), [("0", False), ("1", True)])
def test_a_pursuer_counts_as_fast_as_it_could_choose_to_be_after_it_had_paid(fuel: str, caught: bool) -> None:
    """Posture and speed of a pursuit are chosen with the fuel that is left: with a DD that has none A1 is at Impulse
    Crawl, three columns to the right, where 55 misses a target at ID3; in good conditions it hits."""
    at = met(f"A1 0405 CA+DD[fuel={fuel}] speed IC U\nC1 0405 CA speed 0 U", 55)
    pursuit = {"force 1": {"pursue": "E1", "then": "shadow"}}
    play(at, battle_of(at), account("alliance", 1, AT1="ok", AT2="ok", DF1=1), None, pursuit)
    assert at.state.task_forces["A1"].shadowing == ("C1" if caught else "")
    assert at.state.has_mark(at.state.task_forces["A1"], "declared_shadowing") is caught  # it pays if C1 moves yet


@pytest.mark.rule("pq17", "8.5.6.4", "5.1.5", "5.2.3.3")
@cases("sheet, path", "")
def test_illegal_regrouping_is_refused_with_its_place(sheet: dict[str, Any], path: str) -> None:
    at = met("A1 0405 CA speed 2 U\nC1 0405 CA+CL speed 1 U")
    with pytest.raises(Refused) as refused:
        play(at, battle_of(at), account("alliance", 1, AT1="ok", DF1=1, DF2=1), sheet)
    assert path in [one.path for one in refused.value.refusals]


def offered(ask: AnyAsk, line: str, key: str) -> list[str]:
    return [choice.value for field in ask.form.line(line).fields if field.key == key for choice in field.choices]


def withdrawal(text: str, name: str = "", impulse: int = 1) -> AnyAsk:
    """The loser's sheet after a battle in which each of its ships has disengaged."""
    at = met(f"A1 0405 CA speed 2 U\n{text}", impulse=impulse)
    at.state.task_forces["C1"].name = name
    ships = {f"DF{number}": 1 for number in range(1, len(at.state.task_forces["C1"].units) + 1)}
    asked = play(at, battle_of(at), account("alliance", 1, AT1="ok", **ships))
    return next(ask for ask in asked if ask.kind == "reform" and ask.parties == ("coalition",))


@pytest.mark.rule("pq17", "8.5.6.4", "5.1.5", "5.2.3.1")
@cases("text, speeds, cloaks")
def test_only_what_can_be_is_offered(text: str, speeds: list[str], cloaks: bool) -> None:
    ask = withdrawal(text, impulse=3)
    assert offered(ask, "force 1", "speed") == speeds
    assert offered(ask, "force 1", "posture") == [*(["cloak"] if cloaks else []), "warp off", "passive", "logistics"]


@pytest.mark.rule("pq17", "5.5.5", "8.5.6.2")
def test_who_may_pursue_out_of_port_is_offered_the_sprint() -> None:
    at = met("A9 0405 BATS base Haven known LC1\nA1 0405 CA port A9 U\nC1 0405 CA speed 1 U")
    asked = play(at, battle_of(at), account("alliance", 1, AT1="ok", DF1=1))
    pursuit, after = [ask for ask in asked if ask.kind == "reform" and ask.parties == ("alliance",)]
    assert offered(pursuit, "force 1", "speed")[-1] == "3"
    assert offered(after, "force 1", "speed")[-1] == "2"


@pytest.mark.rule("pq17", "8.5.6.4", "5.1.5", "5.2.3.1", "5.2.3.2", "5.2.3.4")
@cases("line, problem, rule", "problem")
def test_a_speed_that_cannot_be_names_the_ship_or_the_posture(line: dict[str, Any], problem: str, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        withdrawal("C1 0405 CA+CL speed 1 U").answer_from({"force 1": line})
    (found,) = refused.value.refusals
    assert (found.problem, found.rule, found.path) == (problem, f"PQ-17 {rule}", "force 1.speed")


def test_the_owner_reads_its_own_names_of_task_forces(kept: Kept) -> None:
    ask = withdrawal("C1 0405 CA+CL speed 1 U", name="Vanguard")
    assert [line.label for line in ask.form.lines if line.key.startswith("force ")] == kept()
    answer = ask.answer_from({"C1.CL": {"force": 2}, "force 2": {"speed": "2"}})
    assert ask.read_back(answer) == ["C1 Vanguard: C1.CA; speed 1, active.", "C2 (new): C1.CL; speed 2, active."]
    (alone,) = withdrawal("C1 0405 CA speed 1 U", name="Vanguard").form.lines
    assert alone.label == "C1 Vanguard"


# --- the chance of a pursuit ------------------------------------------------------------------------------------------
@cases("case, proves, turns, left, prey, hunter, shadowed, found")
def test_the_chance_of_a_pursuit(
    *, turns: int, left: list[int], prey: str, hunter: str, shadowed: list[str], found: tuple[int, bool, int]
) -> None:
    """Table 6's level of the target, whether it counts as shadowed, and how many rolls there are."""
    at = met(f"A1 0405 CA U\nC1 0405 {'+'.join(['CA'] * len(left))} U\nC5 0303 CA")
    state = at.state
    battle = battle_of(at, turns=turns, shadowed=shadowed)
    battle.reserve = dict(zip(sorted(state.task_forces["C1"].units), left, strict=True))
    state.task_forces["C1"].next_speed = Speed(prey)
    state.task_forces["A1"].next_speed = Speed(hunter)
    chance = ch08.chance_of(state, battle, state.task_forces["C1"], state.task_forces["A1"])
    assert (chance.level, chance.shadowed, chance.tries) == found


# --- pursuit ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "5.2.3.4", "8.5.6.9.2")
@pytest.mark.parametrize(("then", "rules"), [("shadow", ["PQ-17 5.2.3.4"]), ("battle", [])])
def test_nobody_shadows_out_of_a_pursuit_in_logistics_posture(then: str, rules: list[str]) -> None:
    at = met("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 U")
    asked = play(at, battle_of(at), account("alliance", 1, AT1="ok", DF1=1), {"force 1": {"speed": "0"}})
    pursuit = next(ask for ask in asked if ask.title.startswith("Pursuit"))
    sheet = {"force 1": {"posture": ["logistics"], "speed": "0", "pursue": "E1", "then": then}}
    assert [one.rule for one in pursuit.check(pursuit.model.model_validate(sheet))] == rules


@pytest.mark.rule("pq17", "7.3.10")
def test_a_shadower_that_stays_out_chooses_whom_of_a_split_force_it_follows() -> None:
    at = met("A1 0405 CA speed 2 U\nA2 0405 FF shadows C1 U\nC1 0405 CA+DD speed 1 U")
    remember_links(at.state)
    split = {"C1.CA": {"force": 1}, "C1.DD": {"force": 2}}
    asked = play(
        at, battle_of(at, shadowed=["coalition"]), account("alliance", 4, AT1="ok", DF1=4, DF2=4), split,
        {"A2": {"target": "E2"}},
    )  # fmt: skip
    assert [ask.kind for ask in asked] == ["battle", "reform", "shadow", "reform", "reform"]
    assert at.state.task_forces["A2"].shadowing == "C2"


# --- secrets ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.5.6.1", "8.5.6.2")
def test_what_is_announced_holds_no_names_or_ids_of_the_other_side() -> None:
    at = met("A1 0405 CA+DD speed 2 U\nC7 0405 CA+DD speed 1 U", 99, 99)
    play(
        at, battle_of(at, original="C7"), account("alliance", 4, AT1="ok", AT2="ok", DF1=4, DF2=4), None,
        {"force 1": {"pursue": "E1"}},
    )  # fmt: skip
    heard = "".join(
        report.model_dump_json(exclude={"place"}) for report in at.shared.reports if report.is_for("alliance")
    )
    assert "C7" not in heard


@pytest.mark.rule("pq17", "8.5.6.8")
def test_the_quarry_hears_of_a_pursuit_without_its_arithmetic() -> None:
    said: list[object] = []
    for roll in (81, 99):
        at = met(DUEL, roll)
        loser, winner = {"force 1": {"speed": "2"}}, {"force 1": {"pursue": "E1"}}
        play(at, battle_of(at), account("alliance", 4, AT1="ok", DF1=4), loser, winner)
        said.append(reports_to(at, "coalition"))
    assert said[0] == said[1]


# --- tugs and their pods ----------------------------------------------------------------------------------------------
TUG = "A1 0405 CA+TUG+POD[carried_by=A1.TUG] speed 2 U\nC1 0405 CA speed 1 U"
"""In the battle the cruiser is AT1, the pod AT2, the tug AT3."""


@pytest.mark.rule("pq17", "8.5.5.3", "T3a", "8.5.5.4")
def test_the_battle_sheet_gives_a_pod_neither_duties_nor_a_range_of_its_own() -> None:
    at = met(TUG)
    ask, *_ = play(at, battle_of(at), account("alliance", 1, AT1="ok", AT2="ok", AT3="ok", DF1="destroyed"))
    rows = {panel.title: " ".join(panel.rows) for panel in ask.setup.panels}
    assert "AT1: " in rows["Turn zero"]
    assert "AT3: " in rows["Turn zero"]
    assert "AT2" not in rows["Turn zero"]
    assert "AT2" not in rows["Detection ranges"]
    assert "AT2: Test POD" in rows["Attacking force 1 (Alliance)"]  # its boxes are on the sheet all the same


# --- refits -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "T5.1", "C.purchase.3", "8.5.5.6")
@pytest.mark.parametrize(("fate", "points"), [("destroyed", F(5, 2)), ("captured", F(5))])
def test_a_refitted_ship_is_worth_its_refits_as_well(fate: str, points: Fraction) -> None:
    """120 and a refit of 30 make 150: 2 1/2 points destroyed, twice that captured."""
    at = met(DUEL)
    refits = (Refit(name="Y165", year=165, bpv=F(30)), Refit(name="Y170", year=170, bpv=F(60)))
    at.state.classes["CA"] = at.state.classes["CA"].model_copy(update={"refits": refits})
    give_refit(at.state, at.state.units["C1.CA"], "Y165")
    play(at, battle_of(at), account("alliance", 1, AT1="ok", DF1=fate))
    assert [line.amount for line in at.state.ledger] == [points]


@pytest.mark.rule("pq17", "6.2.7", "C.purchase.3")
def test_the_status_sheet_counts_boxes_of_the_record_with_its_refits() -> None:
    at = met(DUEL)
    refit = Refit(name="Y165", year=165, bpv=F(30), boxes_added={"awr": 2})
    at.state.classes["CA"] = at.state.classes["CA"].model_copy(update={"refits": (refit,)})
    give_refit(at.state, at.state.units["C1.CA"], "Y165")
    ask, *_ = play(at, battle_of(at), account("alliance", 1, AT1="ok", DF1="destroyed"))
    assert any("DF1: " in row and "AWR 6/6" in row for panel in ask.setup.panels for row in panel.rows)


# --- figures that only the players know -------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "5.4.8", "5.2.3.3", "6.3.4.2", "8.5.5.6")
def test_the_result_says_how_fast_a_ship_can_go_and_what_it_can_power() -> None:
    at = met("A1 0405 CA+SC speed 2 U\nC1 0405 CA speed 1 U")
    result = account("alliance", 1, AT1="ok", AT2="ok", DF1="destroyed")
    result["AT1"] |= {"practical_speed": 20, "unpowered": ["fire control"]}
    result["AT2"] |= {"unpowered": ["fire control", "special sensors"]}
    play(at, battle_of(at), result)
    ship, scout = at.state.units["A1.CA"], at.state.units["A1.SC"]
    assert (ship.practical_speed, ship.can_power_fire_control, ship.can_power_sensors) == (20, False, True)
    assert (scout.practical_speed, scout.can_power_fire_control, scout.can_power_sensors) == (None, False, False)
    assert not at.state.task_forces["A1"].posture.active
    assert unit_max_speed(at.state, at.state.task_forces["A1"], ship) is Speed.CRUISE


@pytest.mark.rule("pq17", "5.4.8", "8.5.5.6")
@cases("changed, differs")
def test_accounts_differ_over_figures_too_and_what_is_left_out_is_as_it_was(
    changed: dict[str, Any], differs: list[str]
) -> None:
    at = met(DUEL)
    at.state.units["A1.CA"].practical_speed = 25
    plain = account("alliance", 1, AT1="ok", DF1="destroyed")
    ask, *_ = play(at, battle_of(at), plain)
    other = ask.model.model_validate({**plain, "AT1": {"fate": "ok", **changed}})
    assert list(ask.agree({"alliance": ask.model.model_validate(plain), "coalition": other}).differences) == differs


@pytest.mark.rule("pq17", "5.4.8", "5.1.5")
def test_a_ship_that_lost_warp_boxes_goes_no_faster_than_the_rest_give() -> None:
    """The form shows 30 and is left so; with 15 boxes the practical speed is 15, and 30 again with all of them."""
    at = met(DUEL)
    result = account("alliance", 1, AT1="ok", DF1="destroyed")
    result["AT1"] |= {"warp": 15, "practical_speed": 30}
    play(at, battle_of(at), result)
    tf = at.state.task_forces["A1"]
    at.state.units["A1.CA"].warp = 15  # some may have been repaired since
    assert unit_max_speed(at.state, tf, at.state.units["A1.CA"]) is Speed.EFFICIENT
    at.state.units["A1.CA"].warp = 30
    assert unit_max_speed(at.state, tf, at.state.units["A1.CA"]) is Speed.SPRINT


@pytest.mark.rule("pq17", "8.5.6.4", "5.1.5")
@pytest.mark.parametrize(("boxes", "speed"), [("impulse=2", "IC"), ("impulse=0", "WC"), ("impulse=0,warp=0", "0")])
def test_who_crawled_on_impulse_power_that_it_has_lost_crawls_by_warp(boxes: str, speed: str) -> None:
    """Filled in for after the battle: the speed of before, or the nearest that it can keep."""
    at = met(f"A1 0405 CA speed 2 U\nC1 0405 CA[{boxes}] speed IC U")
    asked = play(at, battle_of(at), account("coalition", 3, DF1="ok", AT1="destroyed"))
    (reform,) = [ask for ask in asked if ask.kind == "reform"]
    assert reform.default.root["force 1"].speed is SPEEDS[speed]


@pytest.mark.rule("pq17", "8.5.7.2")
def test_the_sheet_has_a_line_for_each_of_twelve_task_forces() -> None:
    at = met("A1 0405 CA#13 speed 2 U\nC1 0405 CA speed 1 U")
    asked = play(at, battle_of(at), account("alliance", 3, DF1="destroyed", **{f"AT{n}": "ok" for n in range(1, 14)}))
    (reform,) = [ask for ask in asked if ask.kind == "reform"]
    found = [line.key for line in reform.form.lines if line.key.startswith("force ")]
    assert found == [f"force {n}" for n in range(1, 13)]
