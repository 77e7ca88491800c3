"""Every invariant is broken once, and says so; both scenarios, and whatever is drawn to be broken of them."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.rulebooks import border_patrol
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import order_cloak, turn_up
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import aim_at, begin_reaction, came_by_reaction
from rules_engine.rulebooks.border_patrol.invariants import LEAST, defects
from rules_engine.rulebooks.border_patrol.records.others import Habits
from rules_engine.rulebooks.border_patrol.records.standing import Cloak
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import PodCarried
from tests.rulebooks.border_patrol.worlds import opened

WORLD = opened()

BROKEN: list[tuple[str, Callable[[BorderState], object], str]] = [
    ("in two stacks", lambda s: s.stacks["F2"].units.append("lance"), "lance is in 2 stacks instead of 1"),
    ("in no stack", lambda s: s.stacks["F1"].units.remove("lance"), "lance is in 0 stacks instead of 1"),
    ("a base in a stack", lambda s: s.stacks["F1"].units.append("bastion"), "bastion is in 1 stacks instead of 0"),
    ("nobody in a stack", lambda s: s.stacks["F1"].units.append("ghost"), "ghost is in 1 stacks instead of 0"),
    ("an empty stack", lambda s: s.stacks["F5"].units.clear(), "F5 has no units"),
    ("a stack under another id", lambda s: setattr(s.stacks["F1"], "id", "F8"), "F1 is filed as F8"),
    ("no captain", lambda s: setattr(s.stacks["F1"], "captain", ""), "F1 is commanded by nobody of its Team"),
    (
        "an enemy's captain",
        lambda s: setattr(s.stacks["F1"], "captain", "east-one"),
        "F1 is commanded by nobody of its Team",
    ),
    ("a stranger", lambda s: setattr(s.units["lance"], "team", "east"), "lance is in F1, which is of another Team"),
    ("apart", lambda s: setattr(s.units["lance"], "hex", "0101"), "lance is in 0101 and its stack F1 in 0602"),
    ("a unit under another id", lambda s: setattr(s.units["lance"], "id", "x"), "lance is filed as x"),
    ("off the map", lambda s: setattr(s.units["bastion"], "hex", "9999"), "bastion is off the map"),
    ("a Team's monster", lambda s: setattr(s.units["dragon"], "team", "west"), "dragon is a monster of a Team"),
    ("nobody's base", lambda s: setattr(s.units["bastion"], "team", ""), "bastion is of no Team"),
    ("too many engines", lambda s: setattr(s.units["lance"], "warp_ok", 16), "lance has warp_ok of 16 and 15 at most"),
    ("too good a rating", lambda s: setattr(s.units["lance"], "dcr", 3), "lance has dcr of 3 and 2 at most"),
    ("carried too much", lambda s: setattr(s.units["lance"], "carried", 3), "lance has carried of 3 and 2 at most"),
    ("a base that leads", lambda s: setattr(s.units["bastion"], "flagship", True), "bastion is a base and a flagship"),
    ("two flagships", lambda s: setattr(s.units["lance"], "flagship", True), "west-one has 2 flagships"),
    ("moved too far", lambda s: s.units["lance"].moved_in.update({1: 1}), "lance has moved 1 hexes by 0 points"),
    ("followed for nothing", lambda s: s.teams["west"].tracks.issue("R1"), "west follows R1, which is not turned up"),
    ("a high number", lambda s: setattr(s.teams["west"], "stacks_made", 0), "west has a stack with a number above 0"),
    (
        "a cloak for later",
        lambda s: setattr(s.units["lance"], "cloak", Cloak(order="all turn", worn=False)),
        "lance is cloaked without a cloaking device",
    ),
    (
        "towed by a ghost",
        lambda s: setattr(s.units["lance"], "towed_by", "ghost"),
        "lance is in tow of ghost, which does not tow it",
    ),
    (
        "a convoy at the end of its way",
        lambda s: setattr(s.convoys["grain"], "gone", len(s.convoys["grain"].route)),
        "grain is in 0203, and not where its way has led it",
    ),
    ("a convoy without ships", lambda s: setattr(s.convoys["grain"], "stack", "F99"), "grain is no stack of its Team"),
    (
        "an own stack that is followed",
        lambda s: [order_cloak(s.units["lance"], "all turn"), s.teams["west"].tracks.issue("F1")],
        "west follows F1, which is not turned up",
    ),
    (
        "a stack that is gone and followed",
        lambda s: s.teams["west"].tracks.issue("R99"),
        "west follows R99, which is not turned up",
    ),
    ("no cloak", lambda s: order_cloak(s.units["lance"], "all turn"), "lance is cloaked without a cloaking device"),
    ("a cloak of some", lambda s: order_cloak(s.units["lance"], "all turn"), "F1 is under cloak in part"),
    (
        "a cloak of a crippled one",
        lambda s: [order_cloak(s.units["lance"], "all turn"), setattr(s.units["lance"], "crippled", True)],
        "lance is under cloak: Lance is crippled, and cannot move cloaked",
    ),
    (
        "a crippled reactor",
        lambda s: [begin_reaction(s.units["lance"]), setattr(s.units["lance"], "crippled", True)],
        "lance reacts: Lance is crippled",
    ),
    (
        "a reactor without engines",
        lambda s: [begin_reaction(s.units["lance"]), setattr(s.units["lance"], "warp_ok", 0)],
        "lance reacts: Lance does not travel by its own warp engines",
    ),
    (
        "points for two reactions",
        lambda s: [begin_reaction(s.units["lance"]), setattr(s.units["lance"], "carried", 1)],
        "lance reacts and has 1 points for another reaction",
    ),
    (
        "after who is not there",
        lambda s: [begin_reaction(s.units["lance"]), aim_at(s.units["lance"], "nobody")],
        "lance is after nobody, which is not there",
    ),
    (
        "a station that was not left",
        lambda s: [begin_reaction(s.units["lance"]), came_by_reaction(s.units["lance"], "0101")],
        "lance lies in wait at 0602, and is in 0602",
    ),
    (
        "emergency and reaction",
        lambda s: [begin_reaction(s.units["lance"]), setattr(s.units["lance"], "emergency", True)],
        "lance reacts: Lance uses Emergency Movement",
    ),
    (
        "too many pods",
        lambda s: s.units["porter"].pods.append(PodCarried(name="x", weight=3)),
        "porter: 4 pod weights on Porter",
    ),
    ("pods on a ship", lambda s: s.units["lance"].pods.append(PodCarried(name="x")), "lance: Lance is no tug"),
    (
        "too large a tow",
        lambda s: setattr(s.units["relic"], "size_class", 1),
        "ox: Relic is of Size Class 1, and Ox of 3",
    ),
    (
        "a tow without beams",
        lambda s: setattr(s.units["ox"], "tractors_ok", 0),
        "ox: Ox has 0 working tractor beams, and would tow 1",
    ),
    ("a tow of nothing", lambda s: s.units["ox"].towing.append("ghost"), "ox tows what is not there"),
    ("towed unawares", lambda s: setattr(s.units["relic"], "towed_by", ""), "ox tows relic, which does not know it"),
    ("towed by nobody", lambda s: s.units["ox"].towing.clear(), "relic is in tow of ox, which does not tow it"),
    ("fighters alone", lambda s: setattr(s.units["plenty"], "kind", "fighter"), "plenty is aboard nothing"),
    ("a hex in two provinces", lambda s: setattr(s.provinces["birch"], "hexes", ("0101",)), "0101 is in 2 provinces"),
    (
        "a province off the map",
        lambda s: setattr(s.provinces["birch"], "hexes", ("9999",)),
        "birch has 9999, which is off the map",
    ),
    (
        "a province of nobody",
        lambda s: setattr(s.provinces["birch"], "owner", "north"),
        "birch is owned by north, who is no Team",
    ),
    (
        "a system of nobody",
        lambda s: setattr(s.systems["corvus"], "owner", "north"),
        "corvus is owned by north, who is no Team",
    ),
    (
        "a post of nobody",
        lambda s: setattr(s.posts["ears-west"], "team", "north"),
        "ears-west is owned by north, who is no Team",
    ),
    ("a storm off the map", lambda s: setattr(s.storms["squall"], "hex", "0000"), "squall is off the map"),
    ("no convoy", lambda s: setattr(s.convoys["grain"], "stack", "R5"), "grain is no stack of its Team"),
    (
        "a convoy astray",
        lambda s: setattr(s.convoys["grain"], "gone", 1),
        "grain is in 0203, and not where its way has led it",
    ),
    ("gone and waiting", lambda s: setattr(s.convoys["grain"], "gone", 1), "grain has gone 1 hexes and waits"),
    (
        "a convoy beyond its way",
        lambda s: setattr(s.convoys["grain"], "gone", 99),
        "grain is in 0203, and not where its way has led it",
    ),
    ("no habits", lambda s: s.habits.clear(), "dragon has no habits"),
    ("habits of a ship", lambda s: s.habits.update(lance=Habits(unit="lance")), "lance has habits and is no monster"),
    ("a debt", lambda s: setattr(s.teams["west"], "treasury", -1), "west has a treasury of -1"),
    ("a score below nothing", lambda s: setattr(s.teams["east"], "score", -2), "east has a score of -2"),
]


@pytest.mark.parametrize(("change", "says"), [one[1:] for one in BROKEN], ids=[one[0] for one in BROKEN])
def test_what_is_impossible_is_told(change: Callable[[BorderState], object], says: str):
    state = WORLD.copied()
    change(state)
    assert says in defects(state)


@pytest.mark.parametrize("name", LEAST)
def test_no_unit_has_less_than_nothing(name: str):
    state = WORLD.copied()
    setattr(state.units["lance"], name, -1)
    assert f"lance has {name} of -1" in defects(state)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_unit_that_is_moved_alone_is_always_missed(data: st.DataObject):
    """Whatever unit of a stack is put into another hex, or into another stack, or taken away."""
    state = WORLD.copied()
    stack = state.stacks[data.draw(st.sampled_from(sorted(WORLD.stacks)))]
    unit = data.draw(st.sampled_from(stack.units))
    fault = data.draw(st.sampled_from(["hex", "stack", "taken away", "gone"]))
    if fault == "hex":
        state.units[unit].hex = data.draw(st.sampled_from([one for one in state.grid.hexes() if one != stack.hex]))
    elif fault == "stack":
        other = data.draw(st.sampled_from([key for key in sorted(state.stacks) if key != stack.id]))
        state.stacks[other].units.append(unit)
    elif fault == "taken away":
        stack.units.remove(unit)
    else:
        del state.units[unit]
    assert any(unit in one for one in defects(state))


def test_what_is_possible_though_it_looks_odd():
    """Two held points beside those of the table, of a reactor that was crippled on the way; a stack that is followed
    as long as it is turned up; a convoy that is in."""
    state = WORLD.copied()
    lance = state.units["lance"]
    lance.allowed_in, lance.moved_in, lance.left_station = {6: 5}, {6: 2}, True
    for unit in state.members(state.stacks["R1"]):
        unit.cloak_cost = 1
        order_cloak(unit, "all turn")
    turn_up(state.members(state.stacks["R1"]), "caught")
    state.teams["west"].tracks.issue("R1")
    state.convoys["grain"].fate, state.convoys["grain"].gone = "in", 99
    assert defects(state) == []
    lance.moved_in = {6: 3}
    assert defects(state) == ["lance has moved 3 hexes by 0 points"]


SOURCE = Path(border_patrol.__file__).parent
WRITERS = {
    "reaction": {"ch60_reaction/waiting.py"},
    "cloak": {"ch50_cloaks/wearing.py"},
    "towing": {"ch30_towing/tows.py"},
    "towed_by": {"ch30_towing/tows.py", "scenario/new_units.py"},
}
"""What lasts through a turn, and the files that may change it: its chapter's, and what makes units of a scenario's."""
CHANGING = ("append", "remove", "clear", "extend", "pop", "insert")


def written(source: ast.AST) -> set[str]:
    """The fields that some source sets, or whose lists it changes."""
    found: set[str] = set()
    for node in ast.walk(source):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            found.add(node.attr)
        if isinstance(node, ast.Attribute) and node.attr in CHANGING and isinstance(node.value, ast.Attribute):
            found.add(node.value.attr)
    return found


@pytest.mark.rule("border_patrol", "V8.31", "V8.51", "V8.61")
def test_reactions_cloaks_and_tows_are_written_by_their_chapters_alone():
    found: dict[str, set[str]] = {name: set() for name in WRITERS}
    for path in sorted(SOURCE.rglob("*.py")):
        for name in written(ast.parse(path.read_text(encoding="utf-8"))) & WRITERS.keys():
            found[name].add(path.relative_to(SOURCE).as_posix())
    assert found == WRITERS
