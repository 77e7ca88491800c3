"""Every invariant is broken once, and says so; a sound world has no defect."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rules_engine.rulebooks.pq17.records.forces import IdLevel, TowGroup
from rules_engine.rulebooks.pq17.records.progress import Arrival, Away
from rules_engine.rulebooks.pq17.records.state import State, VpLine
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from tests.rulebooks.pq17.worlds.notation import world

WORLD = """
    A1 0405 CA+DD speed 2 ID1
    A2 0405 DD
    A3 0303 FF port A9
    A9 0303 BATS base Haven known LC1
    C1 0405 CA speed 2 U shadows A1
    C2 0406 FF
    turn 1 impulse 1
"""


def line(amount: str, turn: int = 1, *, public: bool = True) -> VpLine:
    return VpLine(line="T5.1", amount=Fraction(amount), turn=turn, impulse=1, text="", public=public)


def arrival(*units: str) -> Arrival:
    return Arrival(key="r1", kind="reinforcement", nation="", name="", units=list(units), entry=["0101"])


BROKEN: list[tuple[str, Callable[[State], object], str]] = [
    ("a unit in two places", lambda s: s.task_forces["A2"].units.append("A1.CA"), "A1.CA is in 2 task forces"),
    ("a unit nowhere", lambda s: s.task_forces["A1"].units.remove("A1.CA"), "A1.CA is in 0 task forces"),
    (
        "a unit off the map and on it",
        lambda s: s.progress.away.update({"A1.CA": Away(state="left")}),
        "A1.CA is in 1 task forces instead of 0",
    ),
    ("a unit that arrives and does not wait", lambda s: s.progress.arrivals.append(arrival("A1.CA")), "does not wait"),
    (
        "a unit that waits twice",
        lambda s: s.progress.arrivals.extend([arrival("A1.CA"), arrival("A1.CA")]),
        "waits in 2 places",
    ),
    ("an empty task force", lambda s: s.task_forces["A2"].units.clear(), "A2 has no units"),
    ("off the map", lambda s: setattr(s.task_forces["A2"], "hex", "9999"), "A2 is off the map"),
    ("too much fuel", lambda s: setattr(s.units["A1.CA"], "fuel", Fraction(35)), "35 fuel in 34 boxes"),
    ("too much cargo", lambda s: setattr(s.units["A1.CA"], "supply", 1), "carries more than its cargo boxes hold"),
    ("no such port", lambda s: setattr(s.task_forces["A2"], "in_port", "A9"), "in a port that is not there"),
    ("a stranger aboard", lambda s: setattr(s.units["A1.CA"], "side", "coalition"), "of the other side"),
    ("ships with bases", lambda s: s.task_forces["A1"].units.append("A9.BATS"), "A1 mixes ships and bases"),
    ("a known base unknown", lambda s: setattr(s.task_forces["A9"], "id_level", IdLevel.U), "known at U only"),
    ("shadows its own", lambda s: setattr(s.task_forces["C2"], "shadowing", "C1"), "shadows what is no enemy"),
    ("shadows from port", lambda s: setattr(s.task_forces["A3"], "shadowing", "C1"), "or in port"),
    ("shadows what it cannot see", lambda s: setattr(s.task_forces["A1"], "shadowing", "C2"), "does not hold"),
    ("shadows in a circle", lambda s: setattr(s.task_forces["A1"], "shadowing", "C1"), "in a circle"),
    ("carried from elsewhere", lambda s: setattr(s.units["A1.DD"], "carried_by", "A2.DD"), "carried by A2.DD, which"),
    (
        "tows what it does not have",
        lambda s: s.task_forces["A1"].tows.append(TowGroup(tower="A1.CA", towed=["A2.DD"])),
        "A1 tows ships that it does not have",
    ),
    (
        "two enemies under one number",
        lambda s: s.tracks["coalition"].current.update(A2=s.tracks["coalition"].current["A1"]),
        "holds 2 enemies as E1",
    ),
    ("a number not given out", lambda s: s.tracks["coalition"].current.update(A1="E9"), "has given out"),
    ("holds its own", lambda s: s.tracks["alliance"].current.update(A2="E1"), "alliance holds its own A2"),
    ("holds what is gone", lambda s: s.tracks["alliance"].current.update(C7="E1"), "C7, which is no more"),
    ("holds what it does not see", lambda s: s.tracks["alliance"].current.update(C2="E1"), "C2, which is Unid"),
    ("sees without a number", lambda s: s.tracks["coalition"].current.pop("A1"), "no number for A1, which is at ID1"),
    (
        "scored yesterday after today",
        lambda s: (setattr(s, "turn", 3), s.ledger.extend((line("1", 3), line("1", 2)))),
        "line 2 of the ledger is of turn 2",
    ),
    ("a quarter point", lambda s: s.ledger.append(line("1/4")), "line 1 of the ledger is 1/4 points"),
    ("nothing scored", lambda s: s.ledger.append(line("0")), "line 1 of the ledger is 0 points"),
    ("scored tomorrow", lambda s: s.ledger.append(line("1", 2)), "line 1 of the ledger is of turn 2"),
    ("seen by nobody", lambda s: s.ledger.append(line("1", public=False)), "line 1 of the ledger is seen by nobody"),
]


def test_a_sound_world_has_no_defect():
    assert defects(world(WORLD)) == []


def test_reorganisations_may_close_a_circle_until_shadowing_is_continued():
    state = world(WORLD)
    state.task_forces["A1"].shadowing = "C1"
    state.impulse = 0
    assert defects(state) == []


@pytest.mark.parametrize(
    ("change", "said"), [(change, said) for _, change, said in BROKEN], ids=[one[0] for one in BROKEN]
)
def test_what_is_impossible_is_named(change: Callable[[State], object], said: str):
    state = world(WORLD)
    change(state)
    assert any(said in defect for defect in defects(state)), defects(state)
