"""Chapter 5 as far as it is plotted with movement: which fleets raze a planet, or land troops on it. 5.2.2, CU-N30"""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, number_field
from rules_engine.rulebooks.cutler.records.orders import FleetLine
from rules_engine.rulebooks.cutler.records.parts.moons import is_gas_giant
from rules_engine.rulebooks.cutler.records.parts.surface_shuttles import boxes_for_shuttles, spare_shuttles
from rules_engine.rulebooks.cutler.records.planetary import can_land, in_words, razing_potential
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Planet, Unit

NOTHING = "none"
"""What is chosen where no planet is meant."""
MOST_OFFERED = 23
"""How many planets and moons a line offers to land on, where there are not more planets."""
PARTIES_HELP = "Of the whole fleet; blank lands all"
CREWS_HELP = "On a planet of yours; blank lands none"


def planet_fields(state: CutlerState, race: Side, units: Sequence[Unit], fleet: Fleet | None) -> list[Field]:
    """What a fleet's line asks about planets: nothing where its ships can neither raze nor land anybody."""
    fields: list[Field] = []
    planets = [state.planets[key] for key in sorted(state.planets)]
    enemy = [planet for planet in planets if planet.owner != race]
    if enemy and any(map(razing_potential, units)):
        value = fleet.raze if fleet and fleet.raze in {planet.key for planet in enemy} else NOTHING
        fields.append(_planet_field("raze", "Raze", enemy, value, "In each impulse that it ends there, after combat"))
    parties, crews, spare = _parties(units), spare_crew(units), _spare(state, race, units)
    if planets and (parties or crews or spare or _vehicles(units)) and can_land(list(units)):
        value = fleet.land if fleet and fleet.land else NOTHING
        grounds = [*planets, *_moons_offered(state, units, fleet)]
        fields.append(_planet_field("land", "Land troops on", grounds, value, "Once it ends an impulse there"))
    if planets and parties and can_land(list(units)):
        most = fleet.parties if fleet and fleet.parties is not None and fleet.parties <= parties else None
        label = "Boarding parties to land"
        fields.append(number_field("parties", label, range(1, parties + 1), most, PARTIES_HELP, optional=True))
    if planets and crews and can_land(list(units)):
        most = fleet.crews if fleet and fleet.crews is not None and fleet.crews <= crews else None
        label = "Crew units to land"
        fields.append(number_field("crews", label, range(1, crews + 1), most, CREWS_HELP, optional=True))
    if spare:
        stored = min(fleet.shuttles, spare, _room(state, race, fleet.land)) if fleet else 0
        label, text = "Shuttles to leave there", "In ground bases of yours, where they count for the garrison"
        fields.append(number_field("shuttles", label, range(spare + 1), stored, text, optional=True))
    return fields


def _spare(state: CutlerState, race: Side, units: Sequence[Unit]) -> int:
    """The shuttles that ships can leave on the surface; none where their race has no ground bases."""
    grounds = any(unit.kind == "ground_base" for unit in state.alive(race))
    return sum(map(spare_shuttles, units)) if grounds else 0


def _room(state: CutlerState, race: Side, land: str) -> int:
    """Boxes that a race has left for shuttles on a body. 4.2.4.8, CU-N115"""
    body = state.bodies().get(land)
    return boxes_for_shuttles(state, body) - body.shuttles if body is not None and body.owner == race else 0


def _moons_offered(state: CutlerState, units: Sequence[Unit], fleet: Fleet | None) -> list[Planet]:
    """The moons that a fleet's line offers to land on: the nearest for which there is room; any other may be typed by
    its key."""
    at, room = units[0].hex, max(0, MOST_OFFERED - len(state.planets))
    near = sorted(state.moons.values(), key=lambda moon: (state.grid.distance(at, moon.hex), moon.key))[:room]
    stored = state.moons.get(fleet.land) if fleet else None
    return near if stored is None or stored in near else [*near, stored]


def _planet_field(key: str, label: str, planets: Sequence[Planet], value: str, text: str) -> Field:
    ways = (
        Choice(value=NOTHING, label="No planet"),
        *(Choice(value=planet.key, label=f"{planet.name}, {planet.hex}") for planet in planets),
    )
    return Field(key=key, label=label, kind="one", choices=ways, value=value, help=text)


def _parties(units: Sequence[Unit]) -> int:
    return sum(unit.boarding_parties for unit in units)


def _vehicles(units: Sequence[Unit]) -> int:
    lots = [lot for unit in units for lot in (*unit.holds.values(), *unit.stowed.values())]
    return sum(lot.count for lot in lots if lot.item.kind == "vehicle")


@rule("4.2.4.8")
def spare_crew(units: Sequence[Unit]) -> int:
    """The crew units that ships may land: each keeps one. 4.2.4.8, CU-N125"""
    return sum(max(0, unit.crew_units - 1) for unit in units)


def stored_orders(fleet: Fleet | None, line: FleetLine) -> tuple[str, str, int | None, int | None]:
    """The planets that a fleet will raze and land on, and the boarding parties and crew units to be landed, by its
    line; what the line leaves out stays as it was."""
    raze = line.raze if line.raze is not None else fleet.raze if fleet else ""
    land = line.land if line.land is not None else fleet.land if fleet else ""
    parties = line.parties if line.land is not None or line.parties is not None else fleet.parties if fleet else None
    crews = line.crews if line.land is not None or line.crews is not None else fleet.crews if fleet else None
    raze, land = ("" if one == NOTHING else one for one in (raze, land))
    return raze, land, parties if land else None, crews if land else None


def stored_shuttles(fleet: Fleet | None, line: FleetLine) -> int:
    """The shuttles that a fleet will leave where it lands, by its line; what the line leaves out stays as it was."""
    if not stored_orders(fleet, line)[1]:
        return 0
    if line.shuttles is not None or line.land is not None:
        return line.shuttles or 0
    return fleet.shuttles if fleet else 0


@rule("4.2.4.8", "4.2.4.2.1")
def _judge_shuttles(
    state: CutlerState, race: Side, key: str, units: Sequence[Unit], *, line: FleetLine, land: str
) -> list[Refusal]:
    """Refusals of shuttles to be left: on ground of others, of more than there is room for, and of more than ships can
    spare. 4.2.4.8, 4.2.4.2.1, CU-N115"""
    body, path = state.bodies().get(land), f"{key}.shuttles"
    if not line.shuttles or body is None:
        return []
    spare = sum(map(spare_shuttles, units))
    room = _room(state, race, land)
    if line.shuttles > room:
        text = f"ground bases of yours on {body.name} have boxes for {counted(room, 'more shuttle')}"
        return [illegal(text, "4.2.4.8, CU-N115", path, legal=f"0 to {min(room, spare)}")]
    if line.shuttles > spare:
        text = f"these ships can leave {counted(spare, 'shuttle')}, for each keeps one"
        return [illegal(text, "4.2.4.2.1, CU-N115", path, legal=f"0 to {spare}")]
    return []


@rule("5.2.2", "5.2.1", "5.3", "4.2.4.8")
def judge_planets(
    state: CutlerState, race: Side, key: str, units: Sequence[Unit], *, line: FleetLine, fleet: Fleet | None
) -> list[Refusal]:
    """Refusals of what a fleet's line says of planets. 5.2.2, 5.2.1, 5.3, 4.2.4.8, CU-N30, CU-N32"""
    refusals: list[Refusal] = []
    names = sorted(state.planets)
    enemies = ", ".join(name for name in names if state.planets[name].owner != race)
    if line.raze and line.raze != NOTHING:
        path = f"{key}.raze"
        planet = state.planets.get(line.raze)
        if planet is None and (line.raze in state.moons or is_gas_giant(line.raze, state.systems)):
            text = "moons and gas giants have no output, and are not razed"
            refusals.append(illegal(text, "5.2.2, CU-N110", path, legal=enemies or NOTHING))
        elif planet is None:
            near = nearest(line.raze, names)
            refusals.append(malformed("there is no such planet", path, legal=enemies, nearest=near))
        elif planet.owner == race:
            refusals.append(illegal(f"{planet.name} is your own", "5.2, CU-N30", path, legal=enemies or NOTHING))
        if not any(map(razing_potential, units)):
            text = "none of these ships has a razing potential"
            refusals.append(illegal(text, "5.2.1, 5.1.2, CU-R96", path, legal=NOTHING, nearest=(NOTHING,)))
    if line.land and line.land != NOTHING:
        path = f"{key}.land"
        if is_gas_giant(line.land, state.systems):
            text = "nobody holds a gas giant: troops land on planets and moons"
            refusals.append(illegal(text, "4.2.4.8, CU-N110", path, legal=", ".join(names)))
        elif line.land not in state.bodies():
            near = nearest(line.land, [*names, *sorted(state.moons)])
            refusals.append(malformed("there is no such planet or moon", path, legal=", ".join(names), nearest=near))
        if not (_parties(units) or _vehicles(units) or spare_crew(units) or line.shuttles):
            text = "none of these ships has anybody to land"
            refusals.append(illegal(text, "5.3, 4.2.4.8", path, legal=NOTHING, nearest=(NOTHING,)))
        elif not can_land(list(units)):
            text = "none of these ships has a shuttle or a working transporter to land with"
            refusals.append(illegal(text, "4.2.4.8, CU-N32", path, legal=NOTHING, nearest=(NOTHING,)))
    lands = stored_orders(fleet, line)[1]
    refusals += _judge_shuttles(state, race, key, units, line=line, land=lands)
    if lands and _parties(units) and line.parties is not None and not 1 <= line.parties <= _parties(units):
        text = f"these ships have {in_words(_parties(units))}"
        refusals.append(illegal(text, "4.2.4.8", f"{key}.parties", legal=f"1 to {_parties(units)}, or blank for all"))
    return refusals + _judge_crews(state, race, key, units, lands=lands, crews=line.crews)


@rule("4.2.4.8")
def _judge_crews(
    state: CutlerState, race: Side, key: str, units: Sequence[Unit], *, lands: str, crews: int | None
) -> list[Refusal]:
    """Crew units that are not aboard, or would land on a planet of others. 4.2.4.8, CU-N125"""
    if not lands or crews is None:
        return []
    planet, spare, path = state.bodies().get(lands), spare_crew(units), f"{key}.crews"
    if planet is not None and planet.owner != race:
        text = f"{planet.name} is not yours"
        return [illegal(text, "4.2.4.8, CU-N125", path, legal="blank, or a planet of yours")]
    if crews > spare:
        text = f"these ships can spare {counted(spare, 'crew unit')}, for each keeps one"
        legal = f"1 to {spare}, or blank for none" if spare else "blank for none"
        return [illegal(text, "4.2.4.8, CU-N125", path, legal=legal)]
    return []


@rule("2.10", "5.3", "5.2")
def warn_of_partners(state: CutlerState, race: Side, called: str, raze: str, land: str) -> list[str]:
    """That a fleet would attack a planet or a moon of a race that is one force with its own. 2.10, 5.3, 5.2, CU-R127"""
    partners = [one for one in state.coordination.force_of(race) if one != race]
    said: list[str] = []
    for does, key in (("lands on", land), ("razes", raze)):
        body = state.bodies().get(key)
        if body is not None and body.owner in partners:
            holder = state.name_of(body.owner)
            said.append(f"{called} {does} {body.name}, which the {holder} holds: an attack on your partner (2.10).")
    return said


def say_planets(
    state: CutlerState, raze: str, land: str, parties: int | None, *, crews: int | None, shuttles: int
) -> str:
    """The orders in plain words, to go on a line: empty where there are none."""
    names = {key: body.name for key, body in state.bodies().items()}
    said = f"; razes {names.get(raze, raze)}" if raze else ""
    if land:
        what = "all boarding parties" if parties is None else in_words(parties)
        what += f" and {counted(crews, 'crew unit')}" if crews else ""
        said += f"; lands {what} on {names.get(land, land)}"
        said += f", and leaves {counted(shuttles, 'shuttle')} there" if shuttles else ""
    return said
