"""Scripted campaigns: battles, searches, shadowing and speed."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.scripted import Order, ScriptedCampaign, Sheet, line_of, scenario, won

pytestmark = pytest.mark.headless

F = Fraction
FOUND = range(1, 39)
"""Table 6a, a force in good conditions: 01-38 succeeds against any target."""
STEP = "T1/I1/A"
BATTLE = f"{STEP}/combat/0405/battle 1"
FORCES = """
A9 0402 MBS Haven
C9 0508 OBS Grimhold
A1 0405 MCA
A2 0405 MCA
A3 0405 MCA
A5 0405 MDD
C1 0405 OCA+ODD+OFF
"""


def withdraw(_: ScriptedCampaign, ask: AnyAsk) -> Sheet:
    """The cruiser goes alone and passive, the others each for themselves."""
    return {
        "c1-odd": {"force": 2}, "c1-off": {"force": 3}, line_of(ask, "C1"): {"speed": "2", "posture": ["passive"]},
        "force 2": {"speed": "2"}, "force 3": {"speed": "3"},
    }  # fmt: skip


def pursue(play: ScriptedCampaign, ask: AnyAsk) -> Sheet:
    """A1 wants to fight the cruiser again, A2 to shadow the destroyer; A3 lets the frigate go."""
    return {
        line_of(ask, "A1"): {"speed": "2", "pursue": play.track("C1"), "then": "battle"},
        line_of(ask, "A2"): {"speed": "2", "pursue": play.track("C2"), "then": "shadow"},
        line_of(ask, "A3"): {"speed": "3", "posture": ["passive"]},
    }


def chased() -> ScriptedCampaign:
    """Three cruisers attack a force that a destroyer shadows from outside the battle. After four battle turns its ships
    have disengaged, the destroyer in the first. The cruiser is brought to battle, and outruns its pursuer then."""
    planned: dict[str, dict[str, object]] = {one: {"speed": "2"} for one in ("A1", "A2", "A3", "A5")}
    orders: dict[str, list[Order]] = {
        "T1/planning planning alliance": [{"side": {"bid": 6}, **planned}],  # pyright: ignore[reportAssignmentType]
        "T1/planning planning coalition": [{"C1": {"speed": "1"}}],
        f"{STEP}/recon search alliance": [{"A1": {"target": "E1"}, "A5": {"target": "E1", "shadow": True}}],
        f"{STEP}/combat attack alliance": [{one: {"target": "E1"} for one in ("A1", "A2", "A3")}],
        f"{BATTLE} battle alliance+coalition": [won("alliance", 4, AT1="ok", AT2="ok", AT3="ok", DF1=4, DF2=1, DF3=4)],
        f"{BATTLE}/withdrawal reform coalition": [withdraw],
        f"{BATTLE}/withdrawal/shadowing shadow alliance": [lambda play, _: {"A5": {"target": play.track("C1")}}],
        f"{BATTLE}/pursuit reform alliance": [pursue],
        f"{BATTLE}/pursuit ? battle alliance+coalition": [won("alliance", 4, AT1="ok", DF1=1)],
        f"{BATTLE}/pursuit ?/withdrawal reform coalition": [lambda _, ask: {line_of(ask, "C1"): {"speed": "3"}}],
        f"{BATTLE}/pursuit ?/pursuit reform alliance": [
            lambda play, ask: {line_of(ask, "A1"): {"speed": "2", "pursue": play.track("C1")}}
        ],
        f"{BATTLE}/post-combat reform alliance": [lambda _, ask: {line_of(ask, "A1"): {"posture": ["passive"]}}],
    }
    dice = {f"{STEP}/recon/0405/search/{one}>E1/main roll": FOUND for one in ("A1", "A5")}
    dice |= {f"{STEP}/combat/0405/attack/{one}>E1/main roll": FOUND for one in ("A1", "A2", "A3")}
    # A1's quarry is passive: the second column, where rows to 3 go to 50. A2's counts at ID2: rows to 2 go to 50.
    luck = {
        f"{BATTLE}/pursuit {number}/0405/pursuit roll 1/{one}>E{number}/main roll": range(1, 51)
        for number in (1, 2, 3)
        for one in ("A1", "A2")
    }
    return ScriptedCampaign(scenario(FORCES), orders, dice, luck)


@pytest.mark.rule("pq17", "8.5.6.1", "8.5.6.2", "8.5.6.3", "8.5.6.5", "8.5.6.5.1", "8.5.6.5.2", "8.5.6.7", "8.5.6.8")
@pytest.mark.rule("pq17", "8.5.6.6", "8.5.6.6.1", "8.5.6.6.2", "8.5.6.8.1", "8.5.6.8.2", "8.5.6.8.2.1", "8.5.6.9")
@pytest.mark.rule("pq17", "8.5.6.9.1", "8.5.6.9.2", "8.5.6.9.3", "8.5.6.9.4", "8.5.6.9.5", "8.5.7.2.2", "8.5.7.2.3")
@pytest.mark.rule("pq17", "8.5.7.2.5", "8.5.7.2.6", "1.6.6.1", "SOP.2.b.vi.6.g.i", "SOP.2.b.vi.6.g.ii")
@pytest.mark.rule("pq17", "SOP.2.b.vi.6.g.iii", "SOP.2.b.vi.6.g.iv", "SOP.2.b.vi.6.g.v", "SOP.2.b.vi.6.h.i")
def test_a_beaten_force_scatters_and_its_pursuers_fight_follow_or_let_go() -> None:
    play = chased()
    sheet = play.play(f"{BATTLE}/post-combat/")
    state, heard = play.state, play.heard("alliance")
    cruiser, destroyer, frigate = (play.track(one) for one in ("C1", "C2", "C3"))
    # the cruiser left in the last of four turns, the destroyer three turns before the end
    assert f"A1 pursues {cruiser}, counted at ID3 and as shadowed." in heard
    assert any(text.startswith(f"A2 pursues {destroyer}, counted at ID2") for text in heard)
    assert f"{frigate} withdraws from the battle in 0405." in heard
    assert f"A2 shadows {destroyer} from now on." in heard
    assert state.task_forces["A2"].shadowing == "C2"
    assert state.task_forces["C2"].id_level is IdLevel.ID3
    # the second battle: nobody pays combat fuel again, so nobody is asked for power
    assert sum(" battle " in key for key in play.asked) == 2
    assert [key for key in play.asked if " power " in key] == [f"{BATTLE} power coalition"]
    assert f"A1 is too slow to pursue {cruiser}." in heard
    assert f"{cruiser} withdraws from the battle in 0405." in heard
    # 34 points: combat 4, from speed 1 to 2 the difference of 3/4, from 2 to 3 another point
    assert state.units["c1-oca"].fuel == 34 - 4 - F(3, 4) - 1
    # A3 pursued nobody and A1 in vain: each may regroup by itself, and A2 shadows
    found = {line.label.rpartition(": ")[2] for line in sheet.form.lines if line.key.startswith("force ")}
    assert found == {"A1", "A3"}
    (mixed,) = play.refusals("alliance", sheet, {"a1-mca": {"force": 1}, "a3-mca": {"force": 1}})
    assert "were not together" in mixed.problem
    play.play(f"{STEP.replace('A', 'B')}/")
    forces = play.state.task_forces
    shown = [(one, forces[one].units) for one in ("C1", "C2", "C3")]
    assert shown == [("C1", ["c1-oca"]), ("C2", ["c1-odd"]), ("C3", ["c1-off"])]
    # postures hold at once, speeds from the next impulse on
    shown = {one: forces[one].posture.active for one in ("A1", "A3", "C1", "C3")}
    assert shown == {"A1": False, "A3": False, "C1": False, "C3": True}
    shown = {one: forces[one].speed.value for one in ("A1", "A3", "C1", "C3")}
    assert shown == {"A1": "2", "A3": "2", "C1": "1", "C3": "1"}
    play.play("T1/I2/")
    forces = play.state.task_forces
    shown = {one: forces[one].speed.value for one in ("A1", "A3", "C1", "C2", "C3")}
    assert shown == {"A1": "2", "A3": "3", "C1": "3", "C2": "2", "C3": "3"}
    play.check()


# --- scripted campaigns about searches --------------------------------------------------------------------------------
SEARCH = "T1/I1/A/recon/0405/search/A1>E1"
SEARCHERS = "A9 0402 MBS Haven\nC9 0508 OBS Grimhold\nA1 0405 MCA\nC1 0405 VWR"


@cases("cloak, found", made="cloak")
def test_a_cloak_may_hold_against_a_search_that_would_have_found_the_ship(cloak: range, found: bool) -> None:
    """A cloaked force is passive: the second column, where 01-25 finds it. The cloak holds on 01-20."""
    orders: dict[str, list[Order]] = {
        "T1/planning planning alliance": [{"side": {"bid": 6}}],
        "T1/planning planning coalition": [{"C1": {"posture": ["cloak", "passive"]}}],
        "T1/I1/A/recon search alliance": [{"A1": {"target": "E1"}}],
    }
    dice = {f"{SEARCH}/main roll": range(1, 26), f"{SEARCH}/cloak/E1": cloak}
    play = ScriptedCampaign(scenario(SEARCHERS), orders, dice)
    play.play("T1/I1/B/")
    ending = "success" if found else "failed, the cloak held"
    assert f"A1 searched E1 in 0405: {ending}." in play.heard("alliance")
    assert f"E1 searched your C1 in 0405: {'success' if found else 'failed'}." in play.heard("coalition")
    assert (play.state.task_forces["C1"].id_level.label == "U") is not found
    play.check()


# --- scripted campaigns about speed: shadowing that ends, and towing that runs out of fuel ----------------------------
FIRST = {"side": {"bid": 6}}
"""Six points are enough to win any roll for the initiative."""
TANK = {"XC": ("1", 28), "XL": ("1", 20), "XT": ("2/3", 22), "XS": ("2/3", 14)}
"""Movement cost and warp boxes: the cruiser and the tug reach speed 3, the light cruiser and the slow ship 2."""
FAR = "A9 0402 MBS Haven\nC9 0508 OBS Grimhold\n"


def search(turn: int, impulse: int) -> str:
    """Where A1's search of an impulse is asked; the Alliance has the initiative and moves first."""
    return f"T{turn}/I{impulse}/A/recon search alliance"


def main_roll(turn: int, impulse: int) -> str:
    return f"T{turn}/I{impulse}/A/recon/0405/search/A1>E1/main roll"


# --- shadowing --------------------------------------------------------------------------------------------------------
SPENT = (("1", 3), ("3", 3), ("3", 0))
"""Three turns that leave 3 3/4 of 28 points: 1/4 for a hex and six for searches, six and six, and six for hexes."""


def shadowed(ours: str, theirs: str, order: str, *, spent: Sequence[tuple[str, int]] = ()) -> ScriptedCampaign:
    """A1 finds C1 in the first impulse of a turn and shadows it; ``order`` is what it plots in the second. It goes at
    ``ours`` and C1 at ``theirs``, both staying in their hex. In turns before, ``spent`` says how fast it went, and in
    how many impulses it searched."""
    turn = len(spent) + 1
    orders: dict[str, list[Sheet]] = {}
    for past, (speed, searches) in enumerate(spent, start=1):
        orders[f"T{past}/planning planning alliance"] = [FIRST | {"A1": {"speed": speed}}]
        orders |= {search(past, impulse): [{"A1": {"target": "E1"}}] for impulse in range(1, searches + 1)}
    orders[f"T{turn}/planning planning alliance"] = [FIRST | {"A1": {"speed": ours}}]
    orders[f"T{turn}/planning planning coalition"] = [{"C1": {"speed": theirs}}]
    orders[search(turn, 1)] = [{"A1": {"target": "E1", "shadow": True}}]
    if order:
        orders[f"T{turn}/I2/plot plot alliance"] = [{"A1": {"shadow": order, "move": "stay"}}]
    text = f"{FAR}A1 0405 XC\nC1 0405 OCA"
    play = ScriptedCampaign(scenario(text, classes=TANK), orders, {main_roll(turn, 1): FOUND})
    play.play(f"T{turn}/I2/plot" if order else f"T{turn}/I2/A/")
    return play


@cases("order, speed, left", "speed")
def test_who_stops_shadowing_keeps_the_speed_or_takes_the_plotted_one_at_once(order: str, speed: str, left: int | str):
    play = shadowed("3", "1", order)
    tf = play.state.task_forces["A1"]
    assert (tf.shadowing, tf.speed.value, tf.plotted.value) == ("C1", "1", "3")
    assert "E1 in 0405 announces speed 1: A1 shadows it from now on." in play.heard("alliance")
    play.play("T1/I2/A/")
    tf = play.state.task_forces["A1"]
    assert (tf.shadowing, tf.speed.value) == ("", speed)
    assert play.state.units["a1-xc"].fuel == F(left)
    assert f"A1 no longer shadows E1; its speed is {speed}." in play.heard("alliance")
    assert "E1 no longer shadows your C1." in play.heard("coalition")
    play.check()


@pytest.mark.rule("pq17", "7.4.3.2", "7.4.3.3", "7.4.3.4")
def test_who_stops_shadowing_without_fuel_for_either_speed_takes_the_highest_it_can_keep() -> None:
    """Of 3 3/4 points one goes for the hex at speed 2 and two for the search. C1 at speed 2 has no point in the second
    impulse, so that nothing ends by itself; the third's would cost a point. Speed 1 costs 1/4, in the second."""
    play = shadowed("2", "2", "keep speed", spent=SPENT)
    assert (play.state.units["a1-xc"].fuel, play.state.task_forces["A1"].shadowing) == (F(3, 4), "C1")
    play.play("T4/I2/A/")
    tf = play.state.task_forces["A1"]
    assert (tf.shadowing, tf.speed.value) == ("", "1")
    assert play.state.units["a1-xc"].fuel == F(1, 2)
    play.check()


@cases("ours, left", "")
def test_shadowing_ends_by_itself_when_there_is_no_fuel_for_the_next_hex(ours: str, left: int | str) -> None:
    play = shadowed(ours, "3", "", spent=SPENT)
    tf = play.state.task_forces["A1"]
    assert "E1 in 0405 announces speed 3: A1 shadows it from now on." in play.heard("alliance")
    assert (tf.shadowing, tf.speed.value) == ("", "1")
    assert play.state.units["a1-xc"].fuel == F(left)
    assert "A1 no longer shadows E1; its speed is 1." in play.heard("alliance")
    assert "E1 no longer shadows your C1." in play.heard("coalition")
    play.check()


@cases("theirs, follows")
def test_into_the_next_turn_shadowing_goes_on_as_far_as_the_speed_can_be_matched(theirs: str, follows: bool) -> None:
    """The light cruiser reaches speed 2. The sheet says where a force shadows, and that it goes on."""
    orders: dict[str, list[Sheet]] = {
        "T1/planning planning alliance": [FIRST | {"A1": {"speed": "1"}}],
        "T1/planning planning coalition": [{"C1": {"speed": "1"}}],
        search(1, 1): [{"A1": {"target": "E1", "shadow": True}}],
        "T2/planning planning coalition": [{"C1": {"speed": theirs}}],
        "T2/planning planning alliance": [FIRST],
    }
    dice = {main_roll(1, 1): range(1, 26)}  # short of speed 3 by one: the second column, 01-25
    play = ScriptedCampaign(scenario(f"{FAR}A1 0405 XL\nC1 0405 OCA", classes=TANK), orders, dice)
    fields = {
        line.key: [field.key for field in line.fields] for line in play.play("T1/planning/planning/alliance").form.lines
    }
    assert "shadow" not in fields["A1"]
    lines = {line.key: line.fields for line in play.play("T2/planning/planning/alliance").form.lines}
    assert [field.value for field in lines["A1"] if field.key == "shadow"] == [True]
    play.play("T2/I1/")
    tf = play.state.task_forces["A1"]
    assert (tf.shadowing, tf.speed.value) == (("C1", theirs) if follows else ("", "1"))
    said = [text for text in play.heard("coalition") if text.startswith("E1 ") and "shadow" in text]
    assert said[-1] == f"E1 {'goes on shadowing' if follows else 'no longer shadows'} your C1."
    # that it ends is known at once, and not only when the target moves (7.4.4)
    assert play.rule_of("alliance", "A1 no longer shadows E1; its speed is 1.") == ("" if follows else "PQ-17 7.5.7")
    play.check()


# --- fuel that runs short ---------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "5.4.7.3", "5.4.7.3.1", "9.5")
def test_a_tow_that_cannot_pay_its_hex_goes_on_at_a_lower_speed(kept: Kept) -> None:
    """A ship with 22 warp boxes tows one with 14, each of movement cost 2/3: 36 by 4/3 are practical speed 27. A hex at
    speed 3 is 8/3 points, and the towed ship's share 14/36 of it, 28/27; at speed 2 14/27, at speed 1 7/54. A search is
    4/3 for each. Two sprinting turns with a search each, and two impulses with one each, leave of its 14 points
    14 - 8 x 28/27 - 4 x 4/3 = 10/27: enough for speed 1, and not for 2."""
    orders: dict[str, list[Sheet]] = {
        f"T{turn}/planning planning alliance": [FIRST | {"A1": {"speed": "3", "tow": "a1-xt>a1-xs"}}]
        for turn in (1, 2, 3)
    }
    searched = ((1, 1), (2, 1), (3, 1), (3, 2))
    orders |= {search(turn, impulse): [{"A1": {"target": "E1"}}] for turn, impulse in searched}
    orders["T3/I3/plot plot alliance"] = [{"A1": {"speed": "1", "move": "stay"}}]
    play = ScriptedCampaign(scenario(f"{FAR}A1 0405 XT+XS\nC1 0405 OCA", classes=TANK), orders)
    line = play.play("T3/I3/plot/plot/alliance").form.line("A1")
    assert play.state.units["a1-xs"].fuel == F(10, 27)
    (offered,) = [field for field in line.fields if field.key == "speed"]
    assert {choice.value for choice in offered.choices} == {"1", "warp crawl", "impulse crawl", "0"}
    sheet = play.play("T4/planning/planning/alliance")
    tf = play.state.task_forces["A1"]
    assert (tf.speed.value, tf.tows[0].towed) == ("1", ["a1-xs"])
    assert "A1 cannot keep up Military Sprint (3) and goes on at Efficient Cruise (1)." in play.heard("alliance")
    # that pays for a turn's one hex at speed 1, and not for two at speed 2 or three at 3
    refused = {speed: play.refusals("alliance", sheet, {"A1": {"speed": speed}}) for speed in ("1", "2", "3")}
    assert {speed: [one.rule for one in found] for speed, found in refused.items()} == kept()
    assert refused["3"][0].legal.split(", ")[-1] == "Efficient Cruise (1)"
    play.check()
