"""Chapter 2.8: police ships that are built anew, and how they get to their planets."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet, Unit
from rules_engine.rulebooks.cutler.records.tables import TOP_SPEED


@rule("2.8")
def police_speed(unit: Unit) -> int:
    """Hexes a turn of a police ship on its way: those of a ship, less what its damage takes. 2.8, 2.4.1.6, CU-R19"""
    most = TOP_SPEED["ship"]
    if unit.warp_ok == 0:
        return 1 if unit.impulse_ok > 0 else 0
    return most - most * (unit.record.warp - unit.warp_ok) // unit.record.warp


@rule("2.8")
def unpoliced(state: CutlerState, race: Side) -> list[Planet]:
    """Its planets for which a police ship may be built: those that have none, none under way, and none being built.
    2.8, CU-N85"""
    trips = [one for one in state.convoys.values() if one.kind == "police" and one.race == race]
    sailing = {key for trip in trips for key in trip.units}
    posted = {unit.hex for unit in state.alive(race) if unit.kind == "police" and unit.id not in sailing}
    posted |= {trip.course[-1] for trip in trips if trip.course}
    building = {work.post for work in state.works.values() if work.race == race}
    return [planet for planet in state.planets_of(race) if planet.hex not in posted and planet.key not in building]


@rule("2.8")
def nearest_posts(state: CutlerState, race: Side, here: HexId) -> list[Planet]:
    """The planets for which a police ship may be built, those nearest to a hex first. 2.8, CU-N85"""
    return sorted(unpoliced(state, race), key=lambda planet: (state.grid.distance(here, planet.hex), planet.hex))


@rule("2.8")
def send_to_post(state: CutlerState, unit: Unit, post: str) -> None:
    """Send a police ship that was completed elsewhere to its planet: by a shortest path, as close to the straight line
    as hexes allow. 2.8, CU-R43"""
    planet = state.planets.get(post)
    if planet is None or planet.hex == unit.hex:
        return
    empire = state.empires[unit.race]
    empire.convoys_named += 1
    key, here = f"V{empire.convoys_named}", unit.hex
    state.convoys[f"{unit.race}/{key}"] = PlottedConvoy(
        key=key,
        race=unit.race,
        kind="police",
        units=[unit.id],
        at=here,
        embarked=here,
        course=list(state.grid.line(here, planet.hex)[1:]),
    )
