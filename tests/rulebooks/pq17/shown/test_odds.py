"""The odds of a search or an attack, worked out by hand from Table 6, and never from what the side cannot know."""

import re
from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.odds import percent
from rules_engine.core.knowledge.reports import Report, Sighted
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.contacts.identification import sighting
from rules_engine.rulebooks.pq17.records.calendar import moment
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import world
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
            track=track,
            hex=tf.hex,
            level=int(tf.id_level),
            level_name=tf.id_level.label,
            form="base" if tf.is_base else "force",
            owner=tf.side,
        )
        if reported:
            fact = sighting(state, side, tf)
        when = moment(state)
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
    state = world(HELD + "nebula 0405")
    assert "Terrible (4)" in lines(state)


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


@pytest.mark.rule("pq17", "6.3.4.4", "6.3.4.9", "6.2.2", "6.2.4", "6.2.5")
@cases("line, left")
def test_what_this_turns_report_rules_out_has_no_line(line: str, left: tuple[str, ...]) -> None:
    state = world("turn 2 impulse 1 half A\nA1 0405 CA speed 2\n" + line)
    known = known_to(state, "alliance", reported=True)
    said = RULEBOOK.odds(state, "alliance", known, "A1", "E1").lines
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


@pytest.mark.rule("pq17", "1.8.10.1", "6.3.4")
@pytest.mark.parametrize(("own", "target"), [("A1", "Haven"), ("a1", "haven")])
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
