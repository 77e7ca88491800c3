"""Ground units that invade a colony: who may land, the battle on the ground, and who holds the colony. 13.3.2.3"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.jump_lanes.battles.fighting import battles_steps, open_battle
from rules_engine.rulebooks.jump_lanes.battles.outcome import carry_out_account, held_by_others
from rules_engine.rulebooks.jump_lanes.ch3_cargo.invasion import end_invasion, invaders, target_at
from rules_engine.rulebooks.jump_lanes.records.places import Colony
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn, names_of
from rules_engine.rulebooks.jump_lanes.records.units import GROUND_KINDS, Unit

RULE = "13.3.2.3, JL-N15"


class Landing(NamedTuple):
    """Ground units of one empire that invade a colony."""

    empire: Side
    colony: Colony
    units: list[Unit]


@rule("13.3.2.3-ground")
def invasions_steps(turn: LanesTurn) -> Steps[None]:
    """Let squadrons that were ordered to invade land their ground units where no opposing space units are left, and
    fight for the colonies. 13.3.2.3-ground, JL-N15"""
    state = turn.state
    landings = {one.colony.id: one for one in _landings(turn)}
    battles: dict[str, Landing] = {}
    for one in landings.values():
        defenders = _defenders(state, one.colony)
        if defenders:
            battle = open_battle(turn, one.colony.at, [*one.units, *defenders], kind="ground")
            battle.sides.sort(key=lambda side: side != one.empire)
            battles[battle.key] = one
        else:
            _end(turn, one, one.empire)
    settled = yield from battles_steps(turn, [state.battles[key] for key in battles])
    for key, came in settled.items():
        one = battles[key]
        carry_out_account(turn.at("outcome", key), state.battles.pop(key), came)  # nobody withdraws from the ground
        landed = any(unit.id in state.units for unit in one.units)
        _end(turn, one, one.empire if landed and not _defenders(state, one.colony) else one.colony.owner)
    for squadron in state.squadrons.values():
        squadron.orders.invade = False


def _landings(turn: LanesTurn) -> Iterator[Landing]:
    """Who lands where: units of several squadrons of an empire together; of several empires that would land at one
    colony one that is drawn. 13.3.2.3, JL-N15"""
    state = turn.state
    found: dict[str, dict[Side, Landing]] = {}
    for empire in state.empires:
        for squadron in state.squadrons_of(empire):
            colony = target_at(state, squadron, squadron.at) if squadron.orders.invade and squadron.at else None
            units = invaders(state, squadron)
            if colony is None and squadron.orders.invade and squadron.at:
                text = f"{squadron.name} finds no colony to invade at {state.place_name(squadron.at)}."
                turn.tell([empire], text, kind="invasion", why=because(RULE))
            if colony is None or not units:
                continue
            if held_by_others(state, empire, squadron.at):
                text = f"{squadron.name} cannot land at {colony.name}: opposing units are there."
                turn.tell([empire], text, kind="invasion", why=because(RULE))
                continue
            landing = found.setdefault(colony.id, {}).setdefault(empire, Landing(empire, colony, []))
            landing.units.extend(units)
    for key, landings in found.items():
        first = _first_of(turn, key, list(landings.values()))
        for one in landings.values():
            if one is not first:
                text = (
                    f"{turn.name_of(first.empire)} lands at {one.colony.name} first: {names_of(one.units)} stay aboard."
                )
                turn.tell([one.empire], text, kind="invasion", why=because(RULE))
        yield first


def _first_of(turn: LanesTurn, colony: str, landings: Sequence[Landing]) -> Landing:
    """Who lands at a colony: of several empires one that is drawn. JL-N15"""
    if len(landings) == 1:
        return landings[0]
    drawn = turn.roll("who lands first", faces=len(landings), key=f"first/{colony}", seen_by=[])
    return landings[drawn.total - 1]


def _defenders(state: LanesState, colony: Colony) -> list[Unit]:
    return [unit for unit in state.standing(colony.at) if unit.kind in GROUND_KINDS and unit.empire == colony.owner]


def _end(turn: LanesTurn, one: Landing, winner: Side) -> None:
    """Give a colony to whoever holds it, and tell both."""
    state, loser = turn.state, one.colony.owner
    end_invasion(state, one.colony, one.units, winner=winner)
    held = winner == loser
    verb = "holds" if held else "takes"
    text = f"{turn.name_of(winner)} {verb} {one.colony.name}."
    turn.tell(sorted({one.empire, loser}), text, kind="invasion", why=because(RULE))
