"""The odds of a search or attack, and a side's economy, worked out by hand."""

import re
from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.economy.holdings import Economy, QueuedWork
from rules_engine.core.knowledge.odds import percent
from rules_engine.core.knowledge.reports import Report, Sighted
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch10_supply.implicit_supply import receive
from rules_engine.rulebooks.pq17.ch11_repair.losses import losses, supply_without_room
from rules_engine.rulebooks.pq17.contacts.identification import sighting
from rules_engine.rulebooks.pq17.records import calendar, construction, damage
from rules_engine.rulebooks.pq17.records.logistics import LogisticsPlan, SupplyRoutine
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import world
from tests.rulebooks.pq17.worlds.repair import yard
from tests.rulebooks.pq17.worlds.supply import depot, unit
from tests.rulebooks.written_texts import compare

HELD = """
turn 2 impulse 1 half A
A1 0405 CA speed 2
C1 0405 CA speed 1 ID1
"""


def known_to(state: State, side: str, *, reported: bool = False) -> Knowledge:
    """What ``side`` holds: the enemy task forces that have a number, where they are, and if ``reported`` what their
    level reveals of them."""
    knowledge = Knowledge()
    for tf in state.all_task_forces(state.enemy_of(side)):
        track = state.tracks[side].track_of(tf.id)
        if track is None:
            continue
        fact = Sighted(
            track=track, hex=tf.hex, level=int(tf.id_level), level_name=tf.id_level.label,
            form="base" if tf.is_base else "force", owner=tf.side,
        )  # fmt: skip
        if reported:
            fact = sighting(state, side, tf)
        when = calendar.moment(state)
        knowledge.learn(Report(number=1, place="x", kind="contact", when=when, to=(side,), text="", facts=(fact,)))
    return knowledge


def lines(state: State, own: str = "A1", target: str = "E1", side: str = "alliance") -> str:
    return "\n".join(RULEBOOK.odds(state, side, known_to(state, side), own, target).lines)


def chance(said: str, posture: str) -> str:
    """The figure in bold behind a posture."""
    found = re.search(rf"if it is {posture}: \*\*(.+?)\*\*", said)
    assert found, said
    return found[1]


@pytest.mark.rule("pq17", "6.3.4.8", "6.3.4.3", "6.3.3")
def test_a_force_at_full_speed_in_good_conditions() -> None:
    """FORCE rows, column 1 + 0: U 01-38, 0 39-43, 1 44-45 succeed against ID1. That is 45 in the hundred."""
    state = world(HELD)
    state.conditions["0405"] = 1
    said = lines(state)
    assert "Local conditions there: Good (1)" in said
    assert chance(said, "active, warp on") == "45 %"


@pytest.mark.rule("pq17", "6.3.4.4", "6.3.4.6", "6.3.4.9", "6.3.4.10")
def test_what_the_target_may_be_doing_has_a_line_each() -> None:
    """In Terrible each shift is a flag roll: column 4, FORCE, ID1 succeeds on 01-25. One flag 25 x 0.85 = 21.25, two
    18.06; cloaked and passive 25 x 0.8 x 0.85 = 17."""
    state = world(HELD)
    state.conditions["0405"] = 4
    said = lines(state)
    assert chance(said, "active, warp on") == "25 %"
    assert chance(said, "passive") == "21 %"
    assert chance(said, "active, warp off") == "21 %"
    assert chance(said, "passive, warp off") == "18 %"
    assert chance(said, "cloaked") == "17 %"


@pytest.mark.rule("pq17", "6.3.3")
def test_conditions_that_are_not_rolled_yet_are_weighed() -> None:
    """11, 48, 19 and 22 in the hundred, with 45, 35, 30 and 25: (495 + 1680 + 570 + 550) / 100 = 32.95."""
    said = lines(world(HELD))
    assert "Good 11 %, Moderate 48 %, Poor 19 %, Terrible 22 %" in said
    assert chance(said, "active, warp on") == "33 %"
    assert "Good 45 %, Moderate 35 %, Poor 30 %, Terrible 25 %" in said


@pytest.mark.rule("pq17", "6.3.4.7")
def test_weak_sensors_need_a_lock_on() -> None:
    """Rating 4: four faces of six. 45 x 4/6 = 30."""
    state = world("turn 2 impulse 1 half A\nA1 0405 LD speed 2\nC1 0405 CA speed 1 ID1")
    state.conditions["0405"] = 1
    said = lines(state)
    assert "lock-on needs 4 or less" in said
    assert chance(said, "active, warp on") == "30 %"


@pytest.mark.rule("pq17", "6.3.4.10.1", "C.flag.kzinti")
def test_the_flag_rule_costs_a_roll() -> None:
    """45 x 0.85 = 38.25."""
    state = world("turn 2 impulse 1 half A\nA1 0405 KF speed 2\nC1 0405 CA speed 1 ID1", flag_empires=("Kzinti",))
    state.conditions["0405"] = 1
    assert chance(lines(state), "active, warp on") == "38 %"


@pytest.mark.rule("pq17", "6.3.4.11", "6.3.4.2")
def test_a_scout_and_what_it_finds_out() -> None:
    """SCOUT rows, column 1: 01-75 against ID1. Then +1 on 01-44, +2 on 45-84, +3 on 85-100; ID3 is the most."""
    state = world("turn 2 impulse 1 half A\nA1 0405 SC speed 2\nC1 0405 CA speed 1 ID1")
    state.conditions["0405"] = 1
    said = lines(state)
    assert chance(said, "active, warp on") == "75 %"
    assert "After a success: ID2 44 %, ID3 56 %." in said


@pytest.mark.rule("pq17", "7.3.5", "7.3.4")
def test_who_shadows_may_try_an_attack_twice_and_counts_row_s() -> None:
    """Row S 61-80 counts too: 45 + 20 = 65 in the hundred; twice, 1 - 0.35 x 0.35 = 0.8775."""
    state = world("turn 2 impulse 1 half A\nA1 0405 CA speed 2 shadows C1\nC1 0405 CA speed 1 ID1")
    state.conditions["0405"] = 1
    said = lines(state)
    assert chance(said, "active, warp on") == "65 %"
    assert "tried twice" in said
    assert "**88 %**" in said


@pytest.mark.rule("pq17", "8.4.2", "6.2.3")
def test_a_mere_presence_cannot_be_attacked() -> None:
    assert "needs ID0" in lines(world("turn 2 impulse 1 half A\nA1 0405 CA\nC1 0405 CA U"))


@pytest.mark.rule("pq17", "1.8.2.3", "1.8.11")
def test_a_known_base_is_attacked_without_a_roll_and_has_its_own_conditions() -> None:
    said = lines(world("turn 2 impulse 1 half A\nA1 0303 CA speed 2\nC9 0303 BATS base Grim known LC2 ID3"))
    assert "Local conditions there: Moderate (2)" in said
    assert "known base needs no roll" in said


def test_the_nebula_is_always_terrible() -> None:
    assert "Terrible (4)" in lines(world(HELD + "nebula 0405"))


def test_only_what_is_ones_own_and_what_is_held_may_be_asked_of() -> None:
    state = world(HELD + "C2 0707 CA")
    knowledge = known_to(state, "alliance")
    menu = RULEBOOK.odds_menu(state, "alliance", knowledge)
    assert ([one.value for one in menu.own], [one.value for one in menu.targets]) == (["A1"], ["E1"])
    for own, target in (("C1", "E1"), ("A1", "C1"), ("A1", "E2"), ("A7", "E7")):
        with pytest.raises(Refused):
            RULEBOOK.odds(state, "alliance", knowledge, own, target)


@cases("other", "")
@pytest.mark.unseen("pq17")
def test_two_worlds_that_the_side_cannot_tell_apart_have_the_same_odds(other: str) -> None:
    one = world(HELD)
    two = world("turn 2 impulse 1 half A\nA1 0405 CA speed 2\n" + other + "\nC2 0405 CA")
    known = known_to(one, "alliance")
    assert RULEBOOK.odds(one, "alliance", known, "A1", "E1") == RULEBOOK.odds(two, "alliance", known, "A1", "E1")


def test_an_unknown_bases_conditions_stay_unknown() -> None:
    text = "turn 2 impulse 1 half A\nA1 0303 CA speed 2\nC9 0303 BATS base Grim LC4 ID1"
    assert "are rolled there" in lines(world(text))
    assert lines(world(text)) == lines(world(text.replace("LC4", "LC1")))


EVERY = ("active, warp on", "passive", "active, warp off", "passive, warp off", "cloaked", "cloaked, warp off")


@cases("line, left")
def test_what_this_turns_report_rules_out_has_no_line(line: str, left: tuple[str, ...]) -> None:
    state = world("turn 2 impulse 1 half A\nA1 0405 CA speed 2\n" + line)
    said = RULEBOOK.odds(state, "alliance", known_to(state, "alliance", reported=True), "A1", "E1").lines
    assert tuple(one.split(": ")[0].removeprefix("• if it is ") for one in said if one.startswith("•")) == left
    assert any("rules out" in one for one in said)


def test_a_report_of_an_earlier_turn_rules_nothing_out() -> None:
    state = world(HELD)
    known = known_to(state, "alliance", reported=True)
    state.turn = 3
    said = RULEBOOK.odds(state, "alliance", known, "A1", "E1").lines
    assert sum(one.startswith("•") for one in said) == len(EVERY)
    assert not any("rules out" in one for one in said)


@pytest.mark.unseen("pq17")
def test_a_posture_that_changed_since_the_report_leaves_the_odds_as_they_were() -> None:
    state = world(HELD)
    known = known_to(state, "alliance", reported=True)
    before = RULEBOOK.odds(state, "alliance", known, "A1", "E1")
    state.task_forces["C1"].posture = state.task_forces["C1"].posture.with_values(active=False)
    state.task_forces["C1"].posture = state.task_forces["C1"].posture.with_values(warp=False)
    assert RULEBOOK.odds(state, "alliance", known, "A1", "E1") == before


@cases("own, target", "")
def test_a_known_base_is_asked_about_by_its_name(own: str, target: str) -> None:
    """The menu gives contact numbers in capitals and known bases by their names; either may be typed in any case."""
    state = world("turn 2 impulse 1 half A\nA1 0405 CA speed 2\nC9 0405 BATS base Haven known")
    state.tracks["alliance"].current["C9"] = "Haven"
    known = known_to(state, "alliance", reported=True)
    assert [one.value for one in RULEBOOK.odds_menu(state, "alliance", known).targets] == ["Haven"]
    assert RULEBOOK.odds(state, "alliance", known, own, target).title == "A1 against Haven in 0405, ID3"


@pytest.mark.rule("pq17", "1.8.11", "6.3.3")
def test_who_is_in_port_searches_and_attacks_in_its_bases_conditions() -> None:
    """Of the enemy in the hex; conditions there for others have been rolled."""
    state = world("turn 2 impulse 1 half A\nA9 0405 BATS base Lair known LC3\nA1 0405 CA port A9\nC1 0405 CA ID1")
    state.conditions["0405"] = 1
    assert "Poor" in lines(state)
    assert "Good" not in lines(state)


# --- texts of odds ----------------------------------------------------------------------------------------------------
Request = pytest.FixtureRequest


def odds(state: State, target: str = "E1", *, reported: bool = False) -> list[str]:
    found = RULEBOOK.odds(state, "alliance", known_to(state, "alliance", reported=reported), "A1", target)
    return [f"{found.title} [{found.rule}]", *found.lines]


@pytest.mark.rule("pq17", "6.3.1", "6.3.3", "6.3.4.4", "6.3.4.9", "6.3.4.10", "6.4.1", "8.4.3")
def test_odds_where_conditions_are_not_rolled(request: Request) -> None:
    compare(request, odds(world(HELD.replace("A1 0405", "A1 0406"))))


@pytest.mark.rule("pq17", "6.3.4.5", "6.3.4.7", "6.3.4.10.1", "8.4.2", "C.flag.kzinti")
def test_odds_of_a_weak_passive_force(request: Request) -> None:
    text = "turn 2 impulse 1 half A\nA1 0405 KF[sensor_track=4] speed 1 passive\nC1 0405 CA speed 1 U"
    state = world(text, flag_empires=("Kzinti",))
    state.conditions["0405"] = 1
    compare(request, odds(state, reported=True))


@pytest.mark.rule("pq17", "6.3.4.8", "7.3.4", "7.3.5")
def test_odds_of_a_shadower(request: Request) -> None:
    state = world("turn 2 impulse 1 half A\nA1 0405 CA speed 2 shadows C1\nC1 0405 CA speed 1 ID1")
    state.conditions["0405"] = 1
    compare(request, odds(state, reported=True))


@pytest.mark.rule("pq17", "1.8.2.3", "1.8.11")
def test_odds_against_a_known_base(request: Request) -> None:
    state = world("turn 2 impulse 1 half A\nA1 0303 SC speed 2\nC9 0303 BATS base Grim known LC2")
    state.tracks["alliance"].current["C9"] = "Grim"
    compare(request, odds(state, "Grim", reported=True))


@cases("chance, said")
def test_a_chance_is_said_in_the_hundred_and_is_0_or_100_only_if_it_is_certain(chance: int | str, said: str) -> None:
    assert percent(Fraction(chance)) == said


@cases("own, target, refusal")
def test_what_is_not_on_the_menu_is_refused(own: str, target: str, refusal: str) -> None:
    state = world(HELD + "A2 0303 CA\nC2 0707 CA")
    with pytest.raises(Refused) as refused:
        RULEBOOK.odds(state, "alliance", known_to(state, "alliance"), own, target)
    assert [str(one) for one in refused.value.refusals] == [refusal]


def test_the_menu_says_where_everything_is() -> None:
    state = world(HELD + "A2 0303 CA\nC2 0707 CA")
    state.task_forces["A2"].name = "Reserve"
    menu = RULEBOOK.odds_menu(state, "alliance", known_to(state, "alliance"))
    assert [one.label for one in menu.own] == ["A1 in 0405", "A2 Reserve in 0303"]
    assert [one.label for one in menu.targets] == ["E1 in 0405, ID1"]


# --- a side's stores and work at a glance, and what it will lose: figures worked out by hand from the rules -----------
HAVEN = "A9 0303 BATS[supply=70] base Haven known"
"""A battle station of 75 cargo boxes and 12 AWR boxes."""


def economy(state: State, side: str = "alliance") -> Economy:
    return RULEBOOK.economy(state, side, Knowledge(), is_ahead=False)


def base(state: State, supply: int) -> None:
    record = state.task_forces["A9"].base
    record.supply = supply


@pytest.mark.rule("pq17", "9.1", "10.1.1", "10.2.7.2")
def test_stores_by_place_and_in_all(kept: Kept) -> None:
    state = depot(f"{HAVEN}\nA1 0405 CA[fuel=20]+FT[supply=3]\nC1 0606 CA")
    base(state, 4)
    found = economy(state)
    assert [(one.hex, one.name) for one in found.places] == [("0303", "Haven (A9)"), ("0405", "A1")]
    haven, force = ({figure.name: figure.value for figure in one.figures} for one in found.places)
    assert haven == kept()
    freighter = unit(state, "A1.FT")
    # The cruiser has 30 warp and 4 AWR boxes, a point of fuel for each; the freighter is full.
    assert (force["Fuel"], force["Supply"]) == (f"{20 + freighter.power_boxes} of {34 + freighter.power_boxes}", "3")
    assert {one.name: one.value for one in found.figures}["Supply received a turn"] == "4"
    assert {one.name: one.value for one in found.figures}["Supply"] == "73"
    assert "Each turn by your orders" not in {one.name for one in found.figures}


def test_what_stands_for_later_turns_is_said() -> None:
    state = depot(f"{HAVEN}\nA1 0303 CA port A9\nC1 0606 CA")
    state.supply_routine["alliance"] = SupplyRoutine(lines={"A9.BATS": "> A1.CA 5 supply", "dock-A9.BATS": ""})
    said = {one.name: one.value for one in economy(state).figures}["Each turn by your orders"]
    assert said == "A9.BATS (BATS) gives: > A1.CA 5 supply; Docked to A9.BATS (BATS): nothing"
    assert "Each turn by your orders" not in {one.name for one in economy(state, "coalition").figures}


@cases("more, lost")
def test_supply_that_a_base_cannot_store_is_lost_and_told_before(more: str, lost: int) -> None:
    """Seven points come, five boxes are empty; ships in port with it take what it cannot."""
    state = depot(HAVEN + more)
    base(state, 7)
    said = "Haven receives 7 supply points in a turn, and 2 find no room and are lost (PQ-17 10.2.7.2)."
    assert losses(state, "alliance") == ([said] if lost else [])
    assert supply_without_room(state, state.task_forces["A9"]) == lost
    before = {key: one.to_json() for key, one in state.units.items()}
    assert receive(state, state.task_forces["A9"], 7) == lost  # as it comes, and was not yet changed by asking
    assert {key: one.to_json() for key, one in state.units.items()} != before


@pytest.mark.rule("pq17", "5.1.4", "9.1")
def test_a_force_without_fuel_for_another_turn_is_told() -> None:
    state = world("A1 0303 CA+DD speed 2\nA2 0405 CA speed 2\nA3 0505 CA")
    assert losses(state, "alliance") == []
    unit(state, "A1.DD").fuel = Fraction(1, 100)
    unit(state, "A3.CA").fuel = Fraction(0)  # which keeps station
    (said,) = losses(state, "alliance")
    assert said == f"A1 has no fuel for another whole turn at {state.task_forces['A1'].speed.label} (PQ-17 5.1.4)."


@pytest.mark.rule("pq17", "11.4.9.5", "11.4.9.6")
def test_repairs_under_way_and_points_that_are_lost_unless_work_goes_on() -> None:
    state = yard("A9 0303 FRD base Haven known\nA1 0303 CA port A9")
    ship = unit(state, "A1.CA")
    ship.repairs = ship.repairs.with_values(damage={"hull": 2}, in_hand=damage.BoxInHand(box="hull", points=3, turn=0))
    (work,) = economy(state).places[1].queue
    assert work.what.startswith("A1.CA, destroyed: 2 hull")
    assert work.done == "nobody is to repair it"
    said = "3 CDR points put into hull of A1.CA are lost unless work on it goes on (PQ-17 11.4.9.6)."
    assert economy(state).losses == (said,)
    plan = LogisticsPlan(repairs=[damage.RepairOrder(unit=ship.id, by="A9.FRD", boxes=["hull"])])
    state.logistics["alliance"] = plan
    (work,) = economy(state).places[1].queue
    assert work.done == "repaired by A9.FRD this turn"
    assert economy(state).losses == ()
    plan.repairs[0].by = ship.id
    assert economy(state).places[1].queue[0].done == "repaired by itself this turn"


@pytest.mark.rule("pq17", "1.8.12.7")
def test_bases_that_are_built_are_told_where_they_are_built() -> None:
    state = depot(f"{HAVEN}\nA1 0405 TG")
    order = construction.BuildOrder(task_force="A1", units=["A1.TG"], what="build", subject="MB")
    state.logistics["alliance"] = LogisticsPlan(builds=[order])
    name = state.classes["MB"].name
    assert economy(state).places[1].queue == (QueuedWork(what=f"Builds {name}", done="this turn"),)
    order.disturbed = 2
    assert economy(state).places[1].queue[0].done == "interrupted"


def test_it_holds_nothing_of_the_other_side() -> None:
    plain = depot(f"{HAVEN}\nC1 0606 CA")
    other = depot(f"{HAVEN}\nC1 0606 CA[fuel=1]+FT[supply=9]\nC9 0707 BATS base Skarn known")
    assert economy(plain) == economy(other)
    assert economy(plain, "coalition") != economy(other, "coalition")
