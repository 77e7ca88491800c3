"""Chapter 4.2.4.5: orders to lay mines, plotted with movement; they wait until their unit ends an impulse at the
feature. CU-R15, CU-N66"""

from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line, text_field
from rules_engine.rulebooks.cutler.records.accessories.holds import layable
from rules_engine.rulebooks.cutler.records.accessories.lines import LayLine
from rules_engine.rulebooks.cutler.records.accessories.mines import MOST_MINES, MinesToLay, first_of, read_chart
from rules_engine.rulebooks.cutler.records.combat.terrain import APART, GIANT, PLANET, giant_moon_key, moon_key
from rules_engine.rulebooks.cutler.records.open_space import TERRAIN_WORDS
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import Terrain

NOTHING = "none"
WHOLE_HEX: frozenset[Terrain] = frozenset({"heat", "dust", "nebula"})
"""Terrain that takes up a hex, in which mines have no effect. 3.5.2, 4.2.4.5.2, CU-R09"""
STARS: frozenset[Terrain] = frozenset({"black_hole", "neutron_star", "white_dwarf", "pulsar"})
"""Terrain points that are no planet's and no base's. 3.5.2, CU-N96"""
MOST_OFFERED = 20
"""Features that a line offers, the nearest ones; others may be named."""
CHART_HELP = "e.g. A5=2 C12+3=3; A5 is 5 hexes in direction A, C12+3 12 in C and 3 to its right; blank: a ring"
SILENT = LayLine()


class Feature(NamedTuple):
    """What a minefield may surround: a terrain point, or a base. ``place`` is its key among the features of its hex in
    battle; "" for a base, whose place its orbit tells. 4.2.4.5.2, CU-R64"""

    key: str
    name: str
    hex: HexId
    place: str = ""

    @property
    def title(self) -> str:
        """Its name and hex."""
        return f"{self.name}, {self.hex}"


@rule("4.2.4.5.2", "3.5.2")
def features(state: CutlerState, race: Side) -> dict[str, Feature]:
    """What a race may lay mines around: planets, their moons and gas giants, and stars, which are public, and its own
    bases: one that orbits a body is one feature with it. Nothing in a hex that is all terrain, nor in a location.

    4.2.4.5.2, 3.5.2, CU-R64, CU-N66
    """
    found: list[Feature] = []
    for key in sorted(state.planets):
        found += _bodies(state, key)
    taken = {feature.hex for feature in found}
    found += [
        Feature(f"star {hex_id}", f"the {TERRAIN_WORDS[terrain].split(' ', 1)[1]}", hex_id, terrain)
        for hex_id, terrain in sorted(state.terrain.items())
        if terrain in STARS
    ]
    found += [
        Feature(unit.id, unit.name, unit.hex)
        for unit in state.alive(race)
        if unit.kind == "base" and (unit.hex not in taken or unit.orbit == APART)
    ]
    return {feature.key: feature for feature in found if state.terrain.get(feature.hex) not in WHOLE_HEX}


def _bodies(state: CutlerState, key: str) -> list[Feature]:
    """A planet, its gas giant, and the moons of both."""
    planet = state.planets[key]
    found = [Feature(key, planet.name, planet.hex, PLANET)]
    if system := state.systems.get(planet.hex):
        giant = Feature(f"giant {planet.hex}", f"the gas giant of {planet.name}", planet.hex, GIANT)
        found += [giant][: system.gas_giant]
        found += [
            Feature(f"moon {planet.hex}/{n}", f"moon {n} of {planet.name}", planet.hex, moon_key(n))
            for n in range(1, len(system.moons) + 1)
        ]
        found += [
            Feature(
                f"giant moon {planet.hex}/{n}", f"gas giant moon {n} of {planet.name}", planet.hex, giant_moon_key(n)
            )
            for n in range(1, len(system.giant_moons) + 1)
        ]
    return found


def layers_of(state: CutlerState, race: Side) -> dict[str, Unit]:
    """A race's units that may lay mines, by the keys of their lines."""
    units = [unit for unit in state.alive(race) if layable(unit)]
    return {f"K{number}": unit for number, unit in enumerate(units, 1)}


def laid_around(state: CutlerState, race: Side, around: str) -> int:
    """The CPV worth of mines that a race has around a feature."""
    field = state.minefields.get(f"{race}/{around}")
    return field.cpv if field else 0


# --- the form --------------------------------------------------------------------------------------------------------


def lay_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each unit that may lay mines."""
    layers = layers_of(state, race)
    if not layers:
        return []
    known = features(state, race)
    return [_lay_line(state, key, unit, known) for key, unit in layers.items()]


def _still_to_lay(state: CutlerState, unit: Unit, known: dict[str, Feature]) -> MinesToLay | None:
    """What a unit would lay by its standing order as things are: its line begins with that, which can be handed in
    again. Mines may have been lost since, or others laid there."""
    order = unit.lays
    if order is None or order.around not in known:
        return None
    most = min(layable(unit), MOST_MINES - laid_around(state, unit.race, order.around))
    if most <= 0:
        return None
    if order.cpv is None or order.cpv <= most:
        return order
    places = first_of(read_chart(order.chart, "")[0], most)
    chart = " ".join(f"{place}={count}" for place, count in places.items())
    return MinesToLay(around=order.around, cpv=most, chart=chart)


def _lay_line(state: CutlerState, key: str, unit: Unit, known: dict[str, Feature]) -> Line:
    near = sorted(known.values(), key=lambda one: (state.grid.distance(unit.hex, one.hex), one.key))[:MOST_OFFERED]
    stored = _still_to_lay(state, unit, known)
    if stored and known[stored.around] not in near:
        near.append(known[stored.around])
    ways = (Choice(NOTHING, "Nothing"), *(Choice(one.key, one.title) for one in near))
    most = layable(unit)
    fields = (
        Field("around", "Lay mines around", "one", ways, value=stored.around if stored else NOTHING),
        Field(
            "cpv",
            "CPV worth of mines",
            "number",
            least=1,
            most=most,
            value=stored.cpv if stored else None,
            optional=True,
            help="blank: all that may lie there",
        ),
        text_field("chart", "Map of them", 300, stored.chart if stored else "", CHART_HELP),
    )
    note = f"at {unit.hex}, {most} CPV of mines; laid once it ends an impulse there, after combat"
    return Line(key, f"{key}: mines of {unit.name}", fields, note)


# --- judging ---------------------------------------------------------------------------------------------------------

Lays = dict[str, MinesToLay | None]
"""The orders of units, by unit; None: to lay nothing."""


@rule("4.2.4.5.1", "4.2.4.5.2", "2.2")
def judge_lays(state: CutlerState, race: Side, sheet: FleetPlots) -> tuple[Lays, list[Refusal]]:
    """What each unit is to lay, and every defect. 4.2.4.5.1, 4.2.4.5.2, 2.2, CU-R15"""
    layers = layers_of(state, race)
    refusals = [
        malformed("you have no unit with mines to lay", key, legal=", ".join(layers) or "none")
        for key in sheet.layers
        if key not in layers
    ]
    found: Lays = {}
    known = features(state, race)
    for key, unit in layers.items():
        found[unit.id], defects = _judge_lay(state, key, unit, sheet.layers.get(key, SILENT), known)
        refusals += defects
    return found, refusals


def _judge_lay(
    state: CutlerState, key: str, unit: Unit, line: LayLine, known: dict[str, Feature]
) -> tuple[MinesToLay | None, list[Refusal]]:
    if line == SILENT:
        return unit.lays, []
    around = line.around or (unit.lays.around if unit.lays else NOTHING)
    if around == NOTHING:
        return None, []
    if around not in known:
        near = nearest(around, known)
        text = "mines have an effect around planets, moons, gas giants, stars and your own bases alone"
        legal = ", ".join(known) or NOTHING
        return None, [illegal(text, "4.2.4.5.2, CU-N66", f"{key}.around", legal=legal, nearest=near)]
    chart = " ".join((line.chart or "").split())
    places, refusals = read_chart(chart, f"{key}.chart")
    cpv = line.cpv if line.cpv is not None else sum(places.values()) or None
    if places and cpv != sum(places.values()):
        text = f"{sum(places.values())} CPV of mines are on the map, {cpv} are to be laid"
        refusals.append(malformed(text, f"{key}.chart", legal=f"{cpv} in all"))
    path = f"{key}.{'chart' if line.cpv is None else 'cpv'}"
    most, room = layable(unit), MOST_MINES - laid_around(state, unit.race, around)
    if cpv is not None and cpv > most:
        text = f"{unit.name} may lay {most} CPV of mines"
        refusals.append(illegal(text, "4.2.4.5.1", path, legal=f"1 to {most}"))
    elif (cpv or 1) > room:
        text = f"{MOST_MINES - room} of {MOST_MINES} CPV of mines lie around {known[around].name}"
        refusals.append(illegal(text, "4.2.4.5.2, CU-N67", path, legal=f"at most {room}" if room else NOTHING))
    return MinesToLay(around=around, cpv=cpv, chart=chart), refusals


@rule("4.2.4.5.1", "2.2")
def store_lays(state: CutlerState, lays: Lays) -> None:
    """Store the orders of a judged sheet with their units. 4.2.4.5.1, 2.2, CU-R15"""
    for key, order in lays.items():
        state.units[key].lays = order


def read_lays(state: CutlerState, race: Side, lays: Lays) -> list[str]:
    """The orders in plain words."""
    known = features(state, race)
    return [
        f"{key} ({unit.name}): {say_lay(order, known)}."
        for key, unit in layers_of(state, race).items()
        if (order := lays.get(unit.id)) and order.around in known
    ]


def say_lay(order: MinesToLay, known: dict[str, Feature]) -> str:
    """One order in plain words."""
    what = "all mines that it can" if order.cpv is None else f"{order.cpv} CPV of mines"
    return f"lays {what} around {known[order.around].title}{f' at {order.chart}' if order.chart else ''}"
