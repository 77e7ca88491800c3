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


@cases("proves, text, conditions, chances, words", "", made="text")
def test_the_odds_of_a_search_or_attack(
    text: str, conditions: int | None, chances: dict[str, str], words: list[str]
) -> None:
    """``conditions`` have been rolled there; ``chances`` by what the target may be doing; ``words`` are said, too."""
    state = world(text, flag_empires=("Kzinti",))
    if conditions is not None:
        state.conditions["0405"] = conditions
    said = lines(state)
    assert {posture: chance(said, posture) for posture in chances} == chances
    assert [one for one in words if one not in said] == []


def test_only_what_is_ones_own_and_what_is_held_may_be_asked_of() -> None:
    state = world(HELD + "C2 0707 CA")
    menu = RULEBOOK.odds_menu(state, "alliance", known_to(state, "alliance"))
    assert ([one.value for one in menu.own], [one.value for one in menu.targets]) == (["A1"], ["E1"])


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


@cases("proves, name, text, conditions, target, reported", "", made="text")
def test_odds_written_down_whole(
    request: Request, name: str, text: str, conditions: int | None, target: str, *, reported: bool
) -> None:
    """Each in a file of that name; a known base is held by its own."""
    state = world(text, flag_empires=("Kzinti",))
    if conditions is not None:
        state.conditions["0405"] = conditions
    if target != "E1":
        state.tracks["alliance"].current["C9"] = target
    compare(request, odds(state, target, reported=reported), name)


@cases("chance, said")
def test_a_chance_is_said_in_the_hundred_and_is_0_or_100_only_if_it_is_certain(chance: int | str, said: str) -> None:
    assert percent(Fraction(chance)) == said


@cases("own, target, refusal")
def test_what_is_not_on_the_menu_is_refused(own: str, target: str, refusal: str) -> None:
    state = world(HELD + "A2 0303 CA\nC2 0707 CA")
    with pytest.raises(Refused) as refused:
        RULEBOOK.odds(state, "alliance", known_to(state, "alliance"), own, target)
    assert " ".join(map(str, refused.value.refusals)) == refusal


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
