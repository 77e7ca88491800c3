"""What each side is told of contacts, written down whole: detected, faded, lost, searched in minefields."""

from typing import Literal

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import lose_modules
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections, lower_id_of_movers, start_impulse
from rules_engine.rulebooks.pq17.contacts.identification import contact_details
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.minefields import field_key
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.ch01_forces.test_construction import site
from tests.rulebooks.pq17.playing.written_scenes import heard
from tests.rulebooks.pq17.worlds.minefields import mined
from tests.rulebooks.pq17.worlds.notation import table, world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


def reports(at: TurnContext[State]) -> list[str]:
    return [line for report in at.shared.reports for line in heard(at, report)]


@pytest.mark.rule("pq17", "6.1.1", "6.2.2", "6.4.1", "6.4.2", "1.7.2")
def test_contacts_are_made_fade_and_are_lost(request: Request) -> None:
    """E1 is met in a hex and E2 in a settled one, as is the side's own base; both move on, one of them in its place."""
    text = "settled 0202 alliance Ixchel\nA9 0303 BATS base Haven\nA1 0405 CA\n"
    text += "C1 0405 CW cloak ID2\nC2 0202 SC ID1\nC3 0303 CA"
    at = table(world(text))
    announce_detections(at)
    forces = at.state.task_forces
    at.state.set_hex(forces["C1"], "0406")
    lower_id_of_movers(at, [forces["C1"], forces["C2"]])
    start_impulse(at)
    compare(request, reports(at))


@pytest.mark.rule("pq17", "6.2.2", "12.2.2", "12.4.1", "12.3.6")
def test_minefields_are_met_and_missed(request: Request) -> None:
    """The Alliance meets one minefield, and comes back where another was; its own gives it a contact."""
    fields = "mines 0405 coalition 4\nmines 0606 coalition 2 ID1\nmines 0707 alliance 2\n"
    at = table(mined(fields + "A1 0405 CL\nA2 0606 CL\nC1 0707 CL"))
    announce_detections(at)
    del at.state.mines.fields[field_key("coalition", "0606")]
    announce_detections(at)
    compare(request, reports(at))


@pytest.mark.rule("pq17", "6.2.2", "6.2.3", "6.2.4", "6.2.5", "6.2.6", "6.2.7")
def test_what_each_level_reveals(request: Request) -> None:
    """A force of three ships, one without fuel and one a scout; and a base that nobody knows."""
    state = world("C1 0405 CA+DD[fuel=0]+SC+FF#2 speed IC\nC9 0303 BATS base Lair LC1")
    found: list[str] = []
    for tf_id in ("C1", "C9"):
        for level in (IdLevel.U, IdLevel.ID0, IdLevel.ID1, IdLevel.ID2, IdLevel.ID3, IdLevel.ID4):
            found += [f"{tf_id} at {level.label}:", *contact_details(state, state.task_forces[tf_id], level)]
    compare(request, found)


@pytest.mark.rule("pq17", "6.2.7")
def test_a_damaged_unit_at_id4(request: Request) -> None:
    """A crippled cruiser with destroyed boxes of which no count is kept."""
    state = world("C1 0405 CA[crippled=yes,warp=10,probes=1]")
    state.units["C1.CA"].repairs = state.units["C1.CA"].repairs.with_values(damage={"hull": 3, "shield": 2})
    compare(request, [*contact_details(state, state.task_forces["C1"], IdLevel.ID4)])


@pytest.mark.rule("pq17", "1.8.12.5")
def test_modules_are_lost_with_the_boxes_they_fill(request: Request) -> None:
    """Two modules of twelve boxes each, and room for one of them left."""
    state = site("A1 0405 TG+MP#2+CB+PM#2 logistics speed 0")
    for one in ("A1.PM", "A1.PM2"):
        state.units[one].carried_by = "A1.CB"
    state.units["A1.CB"].module_boxes = 12
    at = table(state)
    lose_modules(at, state.units["A1.CB"])
    compare(request, reports(at))


@pytest.mark.rule("pq17", "1.8.12.5", "10.2.2.2")
@pytest.mark.parametrize(
    ("fate", "boxes", "left"), [("in play", 2, 2), ("in play", 1, 1), ("in play", 0, 0), ("destroyed", 2, 0)]
)
def test_as_many_modules_stay_as_their_boxes_hold_and_none_of_a_destroyed_ship(
    fate: Literal["in play", "destroyed"], boxes: int, left: int
) -> None:
    """The smallest module there can be takes one box."""
    state = site("A1 0405 TG+MP#2+CB+PM#2 logistics speed 0")
    state.classes["PM"] = state.classes["PM"].model_copy(update={"cargo_size": 1})
    carrier, modules = state.units["A1.CB"], [state.units[one] for one in ("A1.PM", "A1.PM2")]
    for module in modules:
        module.carried_by = carrier.id
    carrier.fate, carrier.module_boxes = fate, boxes
    lose_modules(table(state), carrier)
    assert sum(module.fate == "in play" for module in modules) == left
