"""Supply convoys that cloaked units came upon and fight: on the map for that battle alone. T8.730, BP-N30"""

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import hide_again, turn_up
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.others import BorderConvoy
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.stacks import lose

MET = "met-"
"""What the ids of such convoys begin with; the stack's that came upon one follows."""


@rule("T8.730")
def set_upon(state: BorderState, stack: UnitStack) -> None:
    """Bring the convoy that a stack came upon into its hex, and make that a battle hex: who was under cloak shows
    itself for it. T8.730, BP-N30"""
    owner = state.other(stack.team)
    team = state.teams[owner]
    team.stacks_made += 1
    made = UnitStack(id=f"{team.emblem}{team.stacks_made}", team=owner, hex=stack.hex)
    made.captain = next(key for key, one in sorted(state.captains.items()) if one.team == owner)
    for number, ship in enumerate(state.supply_convoys[owner].ships, 1):
        key = f"{made.id.lower()}-{number}"
        state.units[key] = ship.changed(id=key, hex=stack.hex)
        made.units.append(key)
    state.stacks[made.id] = made
    key = f"{MET}{stack.id}"
    state.convoys[key] = BorderConvoy(
        id=key, team=owner, stack=made.id, sets_out=state.turn, route=[stack.hex], fate="under way"
    )
    turn_up(state.members(stack), "convoy")
    state.now.entered.append(stack.hex)


@rule("T8.730")
def sail_on(turn: BorderTurn, hex_id: HexId) -> None:
    """Let what is left of convoys that were met in a hex sail on, off the map, and hide again who came upon them: the
    way that they go is not told. T8.730, BP-N30"""
    state = turn.state
    for key, convoy in sorted(state.convoys.items()):
        if not key.startswith(MET) or convoy.route != [hex_id]:
            continue
        if convoy.fate == "under way":
            left = state.stacks[convoy.stack]
            names = ", ".join(unit.name for unit in state.members(left))
            lose(state, list(left.units))
            text = f"What is left of the convoy sails on from {hex_id}: {names}."
            turn.tell([convoy.team], text, kind="convoy", why=because("T8.730, BP-N30"))
        del state.convoys[key]
        hide_again(unit for unit in state.units_in(hex_id) if unit.turned_up == "convoy")
