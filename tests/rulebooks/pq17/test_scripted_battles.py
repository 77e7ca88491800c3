"""Scripted campaigns about battles: who withdraws, who pursues whom, and what holds from when on."""

from fractions import Fraction

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.rulebooks.pq17.playing.scripted import Order, ScriptedCampaign, Sheet, line_of, scenario, won

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
        "c1-odd": {"force": 2},
        "c1-off": {"force": 3},
        line_of(ask, "C1"): {"speed": "2", "posture": ["passive"]},
        "force 2": {"speed": "2"},
        "force 3": {"speed": "3"},
    }


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


@pytest.mark.headless
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
    assert {line.label.rpartition(": ")[2] for line in sheet.form.lines if line.key.startswith("force ")} == {
        "A1",
        "A3",
    }
    (mixed,) = play.refusals("alliance", sheet, {"a1-mca": {"force": 1}, "a3-mca": {"force": 1}})
    assert "were not together" in mixed.problem
    play.play(f"{STEP.replace('A', 'B')}/")
    forces = play.state.task_forces
    assert [(one, forces[one].units) for one in ("C1", "C2", "C3")] == [
        ("C1", ["c1-oca"]),
        ("C2", ["c1-odd"]),
        ("C3", ["c1-off"]),
    ]
    # postures hold at once, speeds from the next impulse on
    assert {one: forces[one].posture.active for one in ("A1", "A3", "C1", "C3")} == {
        "A1": False,
        "A3": False,
        "C1": False,
        "C3": True,
    }
    assert {one: forces[one].speed.value for one in ("A1", "A3", "C1", "C3")} == {
        "A1": "2",
        "A3": "2",
        "C1": "1",
        "C3": "1",
    }
    play.play("T1/I2/")
    forces = play.state.task_forces
    assert {one: forces[one].speed.value for one in ("A1", "A3", "C1", "C2", "C3")} == {
        "A1": "2",
        "A3": "3",
        "C1": "3",
        "C2": "2",
        "C3": "3",
    }
    play.check()
