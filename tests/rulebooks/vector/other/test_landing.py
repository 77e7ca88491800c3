"""Landing. CJD1.531"""

import pytest

from rules_engine.rulebooks.vector.tracker.foreseen import foresee
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
