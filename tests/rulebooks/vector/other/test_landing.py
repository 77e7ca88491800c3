"""Landing. CJD1.531"""

import pytest

from rules_engine.rulebooks.vector.records.tactical import Tactical, TractorLink
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from rules_engine.rulebooks.vector.tracker.towing import release
from tests.rulebooks.vector.skies import fly, judged, plot, sky, what

HOST = "H1 h 2020 A 6A"


def shuttle(at: str, facing: str, vector: str, **more: object) -> str:
    """A shuttle's line."""
    rest = " ".join(f"{name}={value}" for name, value in more.items())
    return f"S1 h {at} {facing} {vector} form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle {rest}"


@pytest.mark.rule("vector", "CJD1.531")
def test_in_the_same_hex_with_the_same_vector():
    battle = sky(f"{HOST}\n{shuttle('2020', 'D', '6A')}")
    assert judged(battle, "S1", "land H1 on 1") == []
    happened = fly(battle, {"S1": plot("land H1 on 1")}, 32)
    assert what(happened) == [(1, "S1", "landed")]
    assert battle.units["S1"].out == "landed"
    assert [one.id for one in battle.present()] == ["H1"]
    assert judged(battle, "S1", "turn left on 32") == [(None, "CJD1.0", 0)]


@pytest.mark.rule("vector", "CJD1.531")
@pytest.mark.parametrize(
    ("at", "facing", "flies", "refused"),
    [
        ("2020", "A", "4A", []),  # 2 more ahead
        ("2020", "D", "7A", []),  # 1 off, the way it faces
        ("2020", "A", "7A", []),  # 1 in reverse takes 2 of its half
        ("2020", "A", "8A", ["CJD1.53"]),  # 2 in reverse take 4, and it has 3
        ("2020", "A", "2A", ["CJD1.53"]),  # 4 ahead
        ("2020", "B", "4A", ["CJD1.531"]),  # it does not face that way
        ("2020", "A", "6A+1B", ["CJD1.531"]),
        ("2021", "A", "6A", ["CJD1.531"]),
    ],
)
def test_or_one_acceleration_away_in_the_segment_of_landing(at: str, facing: str, flies: str, refused: list[str]):
    battle = sky(f"{HOST}\n{shuttle(at, facing, flies)}")
    found = foresee(battle, "S1", plot("land H1 on 1"), 32)
    assert [one.refusal.rule for one in found.defects] == refused
    happened = fly(battle, {"S1": plot("land H1 on 1")}, 1)
    assert bool(battle.units["S1"].out) is not bool(refused)
    if not refused:
        assert what(happened) == [(1, "S1", "accelerated"), (1, "S1", "landed")]
        assert battle.units["S1"].vector.says == "6A"


@pytest.mark.rule("vector", "CJD1.531")
def test_the_last_acceleration_waits_for_no_interval():
    battle = sky(f"{HOST}\n{shuttle('2020', 'A', '4A', accelerated_on=1)}")
    assert judged(battle, "S1", "accelerate 2 on 2", "land H1 on 2") == [(0, "CJD1.32", 9)]
    assert judged(battle, "S1", "land H1 on 2") == []


@pytest.mark.rule("vector", "CJD1.531")
def test_what_lands_and_where():
    lines = f"{HOST}\nH2 h 2020 A 6A\nC1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"
    assert judged(sky(lines), "H2", "land H1 on 1") == [(0, "CJD1.531", 0)]
    for host in ("C1", "S1", "X1"):
        assert judged(sky(lines), "S1", f"land {host} on 1") == [(0, "CJD1.531", 0)]
    allied = sky(lines)
    allied.allies = [["h", "c"]]
    assert judged(allied, "S1", "land C1 on 1") == []
    tumbling = sky(f"{HOST}\n{shuttle('2020', 'A', '4A', tumbling=True, tumbles_until=10)}")
    assert judged(tumbling, "S1", "land H1 on 1") == [(0, "CJD1.431", 10)]


@pytest.mark.rule("vector", "CJD1.531")
def test_later_landings_are_in_doubt_for_the_host_may_do_otherwise():
    battle = sky(f"{HOST}\n{shuttle('2018', 'A', '6A')}")
    found = foresee(battle, "S1", plot("land H1 on 20"), 32)
    assert found.defects == ()
    assert found.doubts[0].startswith("impulse 20: if H1 coasts, it does not land (H1 is in 2017")
    assert judged(battle, "S1", "when H1 within 0: land H1") == []
    assert judged(battle, "S1", "when H1 within 0: land X1") == [(0, "CJD1.531", 0)]
    happened = fly(battle, {"S1": plot("land H1 on 20")})
    assert [(one.what, one.rule, one.to) for one in happened if one.what != "moved"] == [
        ("refused", "CJD1.531", ("h",))
    ]


def held(battle: Tactical, *, one: str, other: str, controller: str) -> Tactical:
    """A battle in which a unit holds another in a tractor."""
    battle.tractors.append(TractorLink(one=one, other=other, power={one: 2, other: 1}, controller=controller))
    return battle


@pytest.mark.rule("vector", "CJD1.551", "CJD1.531")
@pytest.mark.parametrize(
    ("one", "other", "controller", "refused"),
    [
        ("R1", "S1", "R1", True),  # held and controlled by an enemy
        ("H1", "S1", "H1", True),  # by its own host
        ("R1", "S1", "S1", True),  # held, though it has more power
        ("S1", "R1", "R1", True),  # it holds another, which controls both
        ("S1", "R1", "S1", False),  # it holds another and decides
    ],
)
def test_shuttle_that_is_held_or_controlled_does_nothing_by_its_own_energy(
    one: str, other: str, controller: str, refused: bool
):
    lines = f"{HOST}\nR1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"
    for orders in ("land H1 on 1", "accelerate 1 on 1", "reverse 1 on 1", "stop on 1"):
        battle = held(sky(lines), one=one, other=other, controller=controller)
        assert bool(judged(battle, "S1", orders)) is refused
        happened = fly(battle, {"S1": plot(orders)}, 1)
        said = [(happening.rule, happening.to) for happening in happened if happening.what == "refused"]
        assert said == ([("CJD1.551", ("h",))] if refused else [])
        if refused:
            ship = battle.units["S1"]
            assert (ship.out, ship.vector.says, ship.half_left, ship.no_thrust_until) == ("", "6A", 3, 0)
            assert battle.link_of("S1") is not None


@pytest.mark.rule("vector", "CJD1.551")
def test_held_shuttle_turns_since_that_takes_no_energy():
    battle = held(sky(f"{HOST}\nR1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"), one="R1", other="S1", controller="R1")
    fly(battle, {"S1": plot("turn left on 1")}, 1)
    assert battle.units["S1"].facing == "F"


@pytest.mark.rule("vector", "CJD1.551", "CJD1.531")
def test_held_shuttle_does_not_land_later_or_on_a_condition_either():
    lines = f"{HOST}\nR1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"
    battle = held(sky(lines), one="R1", other="S1", controller="R1")
    assert judged(battle, "S1", "land H1 on 20") == [(0, "CJD1.551", 0)]
    assert judged(battle, "S1", "when H1 within 0: land H1") == [(0, "CJD1.551", 0)]
    fly(battle, {"S1": plot("when H1 within 0: land H1")})
    assert battle.units["S1"].out == ""


@pytest.mark.rule("vector", "CJD1.551", "CJD1.531")
def test_shuttle_lands_when_it_was_let_go():
    battle = held(sky(f"{HOST}\nR1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"), one="R1", other="S1", controller="R1")
    release(battle, "S1")
    fly(battle, {"S1": plot("land H1 on 1")}, 1)
    assert battle.units["S1"].out == "landed"


@pytest.mark.rule("vector", "CJD1.531")
@pytest.mark.parametrize(("controller", "refused"), [("P1", False), ("R1", True)])
def test_pf_does_not_land_when_another_controls_how_it_moves(controller: str, refused: bool):
    lines = f"{HOST}\nR1 c 2020 A 6A\nP1 h 2020 A 6A form=PF size_class=5 turn_mode=A rated_speed=20"
    battle = held(sky(lines), one="R1", other="P1", controller=controller)
    assert judged(battle, "P1", "land H1 on 1") == ([(0, "CJD1.551", 0)] if refused else [])


@pytest.mark.rule("vector", "CJD1.55", "CJD1.531")
def test_lander_pays_for_what_it_tows_in_its_last_acceleration():
    """Both cost 1, so each hex takes 2: the host flies 1 faster, and of 3 left 1 remains."""
    lines = f"{HOST}\nR1 c 2020 A 5A\n{shuttle('2020', 'A', '5A')}"
    battle = held(sky(lines), one="S1", other="R1", controller="S1")
    fly(battle, {"S1": plot("land H1 on 1")}, 1)
    assert (battle.units["S1"].out, battle.units["S1"].vector.says) == ("landed", "6A")
    assert (battle.units["R1"].vector.says, battle.units["R1"].accelerated_on) == ("6A", 1)
    assert battle.tractors == []
