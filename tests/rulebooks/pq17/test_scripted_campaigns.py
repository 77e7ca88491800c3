"""Campaigns by written orders in which what seldom happens does: repairs by every kind of repair boxes, a refit, laying
and sweeping. Expected values are worked out by hand from the rules.
"""

from typing import Any

import pytest

from rules_engine.rulebooks.pq17.records.damage import BoxInHand
from rules_engine.rulebooks.pq17.records.forces import Unit
from tests.expected.kept import Kept
from tests.rulebooks.pq17.playing.one_hex import HERE, Force, files, won
from tests.rulebooks.pq17.playing.ordered import BOTH, Order, OrderedPlay

# --- repairs and a refit ----------------------------------------------------------------------------------------------

YARD = files(
    Force("A9", {"dock": "FRD"}, base="Dock"),
    Force(
        "A1",
        dict.fromkeys(("five", "four", "one", "three", "two"), "CA")
        | {"helper": "RS", "pod-a": "RP", "pod-b": "RP", "tug": "TG"},
        port="A9",
    ),
    Force("C1", {"raider": "CA"}),
    turns=6,
)
DAMAGE = won(
    "alliance",
    AT1={"fate": "destroyed"},
    DF2={"damage": "hull 3"},  # five
    DF3={"damage": "hull 2"},  # four
    DF8={"warp": 29, "damage": "hull 2"},  # three
    DF10={"warp": 26, "damage": "hull 3, phaser-1 1", "cdr": 2},  # two
)
NAMES = ("five", "four", "three", "two")
NOTHING = {"dock": {"give": None}, "helper": {"give": None}}


def docked(**orders: dict[str, Any]) -> dict[str, Any]:
    """A logistics sheet: who is docked to what, repairs by unit, and no supplies."""
    groups = {"dock-dock": ["one", "two"], "dock-helper": ["three"], "dock-tug": ["four", "five"]}
    repairs = {f"repair-{name}": {"boxes": None, "by": None, "refit": None} for name in (*NAMES, "one")}
    repairs |= {f"repair-{name}": order for name, order in orders.items()}
    return {**{key: {"ships": ships} for key, ships in groups.items()}, **repairs, **NOTHING}


REFIT = {"by": "dock", "refit": "mix", "most": 200}
WORK = (
    docked(
        one=REFIT,
        two={"by": "dock", "boxes": "hull 3, phaser-1, warp 2, self-repair 2", "most": 100},
        three={"by": "helper", "boxes": "hull 2, warp"},
        four={"by": "tug", "boxes": "hull 2"},
        five={"by": "tug", "boxes": "hull 3"},
    ),
    docked(
        one=REFIT,
        two={"by": "dock", "boxes": "warp 2, self-repair 2", "most": 100},
        three={"by": "helper", "boxes": "warp"},
        five={"by": "tug", "boxes": "hull"},
    ),
    docked(one=REFIT, two={"by": "dock", "boxes": "self-repair 2", "most": 100}),
    docked(one=REFIT),
    docked(one=REFIT),
)
"""The sheets of turns 2 to 6."""


Turns = dict[int, dict[str, Unit]]
"""The units as they are at the end of each turn, by id."""


@pytest.fixture(scope="module")
def worked() -> Turns:
    """The campaign in which a dock with everything in port is attacked, and five turns of work follow."""
    game = OrderedPlay(
        YARD,
        Order(1, "coalition", "attack", {"C1": {"target": "Dock"}}),
        Order(1, BOTH, "battle", DAMAGE),
        Order(1, "alliance", "reform", {f"repair {name}": {"boxes": None} for name in NAMES}),
        Order(2, "alliance", "planning", {"A1": {"posture": ["logistics"]}, "stores": {"sheet": "always"}}),
        *(Order(turn, "alliance", "logistics", sheet) for turn, sheet in enumerate(WORK, start=2)),
    )
    return {turn: {key: unit.copied() for key, unit in game.play(turn).state.units.items()} for turn in range(1, 7)}


@pytest.mark.headless
@pytest.mark.rule("pq17", "11.4.9.2.3", "11.4.9.2.4", "11.4.9.2.5", "11.4.9.1", "11.4.9.2.8")
def test_a_dock_works_on_two_units_a_repair_ship_on_one_and_a_tug_on_one_for_each_pod(worked: Turns) -> None:
    """Two hull boxes at 5 points use up the 10 points of the tug's pod; the other pod's 10 leave one of three. The
    repair ship's 30 points are two hull boxes and 20 towards a warp box of 50."""
    ships = worked[2]
    assert (ships["four"].repairs.damage, ships["five"].repairs.damage) == ({}, {"hull": 1})
    assert (ships["three"].repairs.damage, ships["three"].warp) == ({}, 29)
    assert ships["three"].repairs.in_hand == BoxInHand(box="warp", points=20, turn=2)
    assert ships["one"].repairs.refit is not None
    assert ships["two"].repairs.damage == {}


@pytest.mark.headless
@pytest.mark.rule("pq17", "11.2.4.3", "11.4.9.3", "11.4.9.3.1", "11.4.9.4", "11.4.9.5", "11.4.9.7", "11.4.9.8")
def test_boxes_are_finished_in_order_and_each_takes_a_repair_point_of_the_repairing_unit(worked: Turns) -> None:
    """100 points a turn: three hull boxes are 15, a phaser that the table does not list is 50, 35 are left for a warp
    box of 50. In the next turn 15 finish it, 50 the other one, and 35 are over. The dock's 300 points fall by four and
    two, the pods' 20 by four and one; the ships' own in their DAMCON tracks stay."""
    damaged, second, third = (worked[turn]["two"] for turn in (1, 2, 3))
    assert (damaged.warp, damaged.repairs.damage) == (26, {"hull": 3, "phaser-1": 1})
    assert (second.warp, second.repairs.damage) == (26, {})
    assert second.repairs.in_hand == BoxInHand(box="warp", points=35, turn=2)
    assert third.warp == 28
    assert third.repairs.in_hand == BoxInHand(box="self-repair", points=35, turn=3)
    assert [worked[turn]["dock"].rp_repair for turn in (1, 2, 3)] == [300, 296, 294]
    assert [worked[turn]["helper"].rp_repair for turn in (1, 2, 3)] == [30, 28, 27]
    assert [sum(worked[turn][pod].rp_repair for pod in ("pod-a", "pod-b")) for turn in (1, 2, 3)] == [20, 16, 15]
    assert [worked[turn]["two"].rp_damcon for turn in (1, 2, 3)] == [2, 2, 2]


@pytest.mark.headless
@pytest.mark.rule("pq17", "11.3.4", "11.3.5", "11.4.9.3.2", "11.4.9.6")
def test_one_of_two_lost_self_repairs_comes_back_and_takes_no_repair_point(worked: Turns) -> None:
    """Two of four were used in the battle. 35 points and 100 more make one at 125, and 10 over are lost with the next
    turn, in which nobody goes on with it."""
    assert [worked[turn]["two"].self_repairs_left for turn in (1, 3, 4, 5)] == [2, 2, 3, 3]
    assert worked[4]["two"].repairs.in_hand == BoxInHand(box="self-repair", points=10, turn=4)
    assert worked[5]["two"].repairs.in_hand is None
    assert worked[4]["dock"].rp_repair == 294


@pytest.mark.headless
@pytest.mark.rule("pq17", "11.5.1", "11.5.4", "11.5.5", "11.5.5.1", "11.5.5.2", "11.5.5.3", "11.5.5.4", "C.purchase.3b")
def test_a_refit_is_worked_in_by_a_dock_and_counts_when_all_of_it_is_done(worked: Turns) -> None:
    """A battery added is 125, a phaser exchanged 250, a drone rack altered 250, a shield altered 250: 875. At 200 a
    turn it is 800 after four turns, and done with 75 in the fifth."""
    begun = [worked[turn]["one"].repairs.refit for turn in (2, 3, 4, 5)]
    assert [one.points if one is not None else 0 for one in begun] == [200, 400, 600, 800]
    assert [worked[turn]["one"].battery for turn in (2, 5, 6)] == [2, 2, 3]
    assert (worked[6]["one"].repairs.refit, worked[6]["one"].repairs.refits) == (None, ["mix"])


# --- minefields -------------------------------------------------------------------------------------------------------

MINED = files(
    Force("A1", {"layer": "ML"}, mines=600),
    Force("C1", {f"sweeper-{number}": "MS" for number in range(5)}),
    Force("C9", {"rock": "FRD"}, base="Rock"),
    turns=3,
    more=f'minefield_hexes = ["{HERE}"]',
)
"""A hex without planet or settlement, whose base is destroyed first: the scenario says that mines may lie there."""
CRUISE = "2"


@pytest.mark.headless
@pytest.mark.rule("pq17", "12.1.3", "12.2.2", "12.4.5", "12.5.3", "12.5.3.10", "12.6.3", "12.6.3.1", "12.6.3.2")
def test_a_minefield_is_laid_swept_laid_again_and_strengthened_before_the_enemys_eyes(kept: Kept) -> None:
    """After its attack on the base the minelayer is held at ID3. Each point expended lowers that by one, and a new
    minefield is known as well as its layer: ID2 in the first impulse; swept in the second; ID1 in the third. Another
    point of strength in the next turn makes it unknown but for its presence. 200 mines go into each point."""
    game = OrderedPlay(
        MINED,
        Order(1, "alliance", "attack", {"A1": {"target": "Rock"}}),
        Order(1, BOTH, "battle", won("alliance", DF1={"fate": "destroyed"})),
        Order(2, "alliance", "planning", {"A1": {"speed": CRUISE, "route": "lay lay"}}),
        Order(2, "coalition", "attack", {"C1": {"target": "E2"}}, place="I2/A"),
        Order(3, "alliance", "planning", {"A1": {"speed": CRUISE, "route": "lay"}}),
        seed=b"1" * 32,  # the sweep's second attempt succeeds, which a minesweeper allows
    ).play(3)
    laid = f"A1 laid 200 mines in {HERE}: your minefield there has strength"
    used_up = f"Your minefield in {HERE} is used up and removed."
    assert game.told("alliance", "mines") == [f"{laid} 1.", used_up, f"{laid} 1.", f"{laid} 2."]
    seen = [text for text in game.told("coalition", "contact") if "inefield" in text]
    assert list(dict.fromkeys(seen)) == kept()
    swept = [text for text in game.told("coalition", "attempt") if "swept" in text]
    assert [text.rpartition(": ")[2] for text in swept] == ["failed, nothing found.", "success."]
    assert [(one.hex, one.strength, one.level) for one in game.state.mines.fields.values()] == [(HERE, 2, -1)]
    assert game.state.units["layer"].stores == {}
    assert {unit.fuel for key, unit in game.state.units.items() if key.startswith("sweeper")} == {14}  # 15 - 2 x 1/2
