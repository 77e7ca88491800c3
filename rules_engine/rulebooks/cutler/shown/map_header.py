"""What stands above a map: the turn, the planets that each race holds, and to a race its own money."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import Figure, Header, Tally
from rules_engine.rulebooks.cutler.ch04_economics.income import cpv_rate
from rules_engine.rulebooks.cutler.records.state import CutlerState


@rule("1.1.2.3", "2.1", "4.1.4")
def map_header(state: CutlerState, side: Side | None) -> Header:
    """The header of a race's map; None for a map of nobody in particular. Planets and their holders are public.
    1.1.2.3, 2.1, 4.1.4"""
    if state.setup is not None:
        return Header(scenario=state.title, turn="Set-up")
    return Header(
        scenario=state.title,
        tallies=tuple(_tallies(state, side)),
        tallied="planets held",
        figures=() if side is None else (_money(state, side),),
        turn=f"Turn {state.turn}",
        day=f"of {state.turns}" + (f", impulse {state.impulse}" if state.impulse else ""),
    )


@rule("1.1.2.3")
def _tallies(state: CutlerState, side: Side | None) -> list[Tally]:
    """The planets of each race in play, the reader's first, then in the scenario's order. 1.1.2.3, CU-N15"""
    held = dict.fromkeys(sorted(state.races(), key=lambda race: race != side), 0)
    for planet in state.planets.values():
        if planet.owner in held:
            held[planet.owner] += 1
    return [Tally(owner=race, count=count) for race, count in held.items() if race not in state.out]


@rule("4.1.4")
def _money(state: CutlerState, side: Side) -> Figure:
    """A race's own money: what is in its Base Pool, and what its planets will make. 4.1.4"""
    return Figure(value=str(state.empires[side].base_pool), said=f"CPV, +{cpv_rate(state, side)} a turn")
