"""What else is in the hex of a planet that a survey found: its moons, gas giant and asteroid field. 1.1.2.4, 9.2"""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.cutler.ch01_setup.systems import (
    Found,
    SystemLine,
    SystemSheet,
    roll_system,
    say_found,
    say_system,
    system_ask,
    system_of,
)
from rules_engine.rulebooks.cutler.records.parts.moons import moons_of
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet

TITLE = "Survey: moons and gas giants"


def newly_found(state: CutlerState) -> list[Planet]:
    """The discovered planets of which nobody knows yet what else is in their hex, by key."""
    planets = [state.planets[key] for key in sorted(state.planets)]
    return [planet for planet in planets if planet.discovered and planet.hex not in state.systems]


@rule("9.2", "9.5", "1.1.2.4", "1.1.2.4.1", "1.1.2.4.2", "1.1.2.4.3")
def discoveries_steps(turn: CutlerTurn) -> Steps[None]:
    """Roll for the hexes of planets that were found, and let who found them choose sizes and distances; all of it is
    public, as every result of a survey is. 9.2, 9.5, 1.1.2.4, CU-R122, CU-N111"""
    state = turn.state
    planets = newly_found(state)
    found: dict[str, Found] = {}
    for planet in planets:
        found[planet.key], rolls = roll_system(turn, planet)
        text = f"{planet.name} in {planet.hex}: {say_found(found[planet.key])}."
        turn.tell_all(text, kind="survey", why=because("1.1.2.4, CU-R122, CU-R06", dice=rolls))
    owned = {
        side: mine
        for side in turn.in_play
        if (mine := [one for one in planets if one.owner == side and found[one.key].leaves_choice])
    }
    asks = [system_ask(state.gas_giants, side, mine, found, TITLE) for side, mine in owned.items()]
    sheets: dict[Side, SystemSheet] = {}
    if asks:
        sheets = dict(zip(owned, (yield from turn.ask_all_steps(asks)), strict=True))
    for planet in planets:
        line = sheets.get(planet.owner, SystemSheet({})).root.get(planet.key, SystemLine())
        system = state.systems[planet.hex] = system_of(state.gas_giants, found[planet.key], line)
        state.moons |= moons_of(planet, system)
        if found[planet.key].leaves_choice:
            text = f"About {planet.name} in {planet.hex}: {say_system(system)}."
            turn.tell_all(text, kind="survey", why=because("1.1.2.4, CU-R05"))
