"""What may be seen. Every board is built field by field from nothing; see NOTES.md for what is public."""

from collections.abc import Iterator

from rules_engine.core.basics.base import Side, When
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.core.knowledge.views import (
    STANDING_ORDERS,
    Board,
    Contact,
    Counter,
    Course,
    Knowledge,
    Panel,
    contact_counters,
    contact_trails,
)
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import say_cloak, say_lurking
from rules_engine.rulebooks.cutler.ch02_movement.convoys.escorts import say_escort
from rules_engine.rulebooks.cutler.ch02_movement.convoys.shown import (
    convoy_counters,
    convoy_keys,
    convoy_panel,
)
from rules_engine.rulebooks.cutler.ch02_movement.coordination import coordination_rows
from rules_engine.rulebooks.cutler.ch02_movement.movement import fleet_speed
from rules_engine.rulebooks.cutler.ch02_movement.planet_plots import say_planets
from rules_engine.rulebooks.cutler.ch02_movement.towing import say_docked, say_tow
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import chart_panel
from rules_engine.rulebooks.cutler.ch04_accessories.shown import aboard_panel, lay_rows
from rules_engine.rulebooks.cutler.ch04_economics.income import cpv_rate, income_of, public_rate
from rules_engine.rulebooks.cutler.ch04_economics.shown import dock_panel, store_rows
from rules_engine.rulebooks.cutler.ch04_economics.standing.budget import budget_rows
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import FILE
from rules_engine.rulebooks.cutler.ch06_espionage.findings import findings_in, spied_on
from rules_engine.rulebooks.cutler.ch07_maintenance.words import maintenance_panel
from rules_engine.rulebooks.cutler.ch08_scanning.sensors import stations
from rules_engine.rulebooks.cutler.records import ground, tacintel
from rules_engine.rulebooks.cutler.records.conditions.towing import towables, towed_among
from rules_engine.rulebooks.cutler.records.parts.empires import Asking, Cards
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_on, ground_units
from rules_engine.rulebooks.cutler.records.parts.moons import is_held
from rules_engine.rulebooks.cutler.records.parts.seen import counters_for
from rules_engine.rulebooks.cutler.records.parts.troops import squads_in_words
from rules_engine.rulebooks.cutler.records.planetary import GARRISON, base_rate, in_words, number, say_with
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Planet
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP
from rules_engine.rulebooks.cutler.shown.hex_notes import hex_notes, with_findings
from rules_engine.rulebooks.cutler.shown.map_header import map_header
from rules_engine.rulebooks.cutler.shown.map_news import battle_counters, map_news, news_since
from rules_engine.rulebooks.cutler.shown.map_pieces import (
    courses_of,
    fixed_counters,
    fleet_counters,
    generic_counters,
    present,
    ship_row,
)
from rules_engine.rulebooks.cutler.shown.map_ranges import map_ranges
from rules_engine.rulebooks.cutler.standing.patrols import loop_of, orders_of_fleet, stops_of, write_stops
from rules_engine.rulebooks.cutler.standing.precedence import orders_of
from rules_engine.rulebooks.cutler.standing.words import say_orders

TITLE = "Cutler's campaign rules"

MEETINGS: dict[Cards, str] = {
    "ask": "Meeting others in a hex: you are asked for a card each time.",
    "bypass": "Meeting others in a hex: your card is always bypass.",
    "combat": "Meeting others in a hex: your card is always combat.",
}
ASKINGS: dict[Asking, str] = {
    "contact": "Plots: you are asked when something is near or befell your ships; else stored courses go on.",
    "each": "Plots: you are asked in every impulse.",
}


def side_board(state: CutlerState, side: Side, knowledge: Knowledge) -> Board:
    """What one race may see: its own units, what it was told, and what is public."""
    held = {(contact.owner, contact.latest.hex) for contact in knowledge.held() if contact.form == "force"}
    own = [*fleet_counters(state, side), *fixed_counters(state, side), *convoy_counters(state, side, ship_row)]
    others = [
        counter
        for counter in generic_counters(state, counters_for(state, side))
        if counter.owner != side and (counter.owner, counter.hex) not in held
    ]
    now = _now(state)
    contacts = contact_counters(
        knowledge,
        now,
        grade_of=lambda _: tacintel.GRADE,
        changed_since=news_since(state),
        ships_in=lambda seen: tacintel.number_told(seen.headline),
    )
    return _board(
        state,
        side,
        knowledge=knowledge,
        counters=(*own, *others, *contacts, *battle_counters(state, side)),
        courses=(*courses_of(state, side), *contact_trails(knowledge, now)),
        panels=(
            _treasury(state, side, knowledge),
            _fleets(state, side),
            *convoy_panel(state, side, ship_row),
            *_planets(state, side),
            maintenance_panel(state, side),
            dock_panel(state, side),
            *aboard_panel(state, side),
            *chart_panel(state, side),
            _standing_orders_panel(state, side),
            Panel(title=FILE, rows=tuple(knowledge.logs.get(FILE, ()))),
            _contacts(knowledge, now),
            _rates(state),
        ),
    )


@rule("1.1.2.3", "1.1.2.5.2", "2.6.2")
def public_board(state: CutlerState) -> Board:
    """What anybody may see: terrain, planets, and the generic counters. 1.1.2.3, 1.1.2.5.2, 2.6.2"""
    return _board(state, counters=tuple(generic_counters(state, state.counters())), panels=(_rates(state),))


def omniscient_board(state: CutlerState) -> Board:
    """Everything."""
    races = state.races()
    counters = [
        counter.model_copy(update={"id": f"{race}/{counter.id}"})
        for race in races
        for counter in (
            *fleet_counters(state, race),
            *fixed_counters(state, race),
            *convoy_counters(state, race, ship_row),
        )
    ]
    courses = [
        course.model_copy(update={"counter": f"{race}/{course.counter}"})
        for race in races
        for course in courses_of(state, race)
    ]
    treasuries = [Panel(title=f"Treasury, {state.name_of(race)}", rows=_money(state, race)) for race in races]
    fleets = [Panel(title=f"Fleets, {state.name_of(race)}", rows=_fleets(state, race).rows) for race in races]
    planets = [
        Panel(title=f"{panel.title}, {state.name_of(race)}", rows=panel.rows)
        for race in races
        for panel in _planets(state, race)
    ]
    planets += [
        panel for race in races for panel in convoy_panel(state, race, ship_row, f"Convoys, {state.name_of(race)}")
    ]
    docks = [dock_panel(state, race, f"Docks, {state.name_of(race)}") for race in races]
    held = [one for race in races for one in aboard_panel(state, race, f"Accessories, {state.name_of(race)}")]
    held += [one for race in races for one in chart_panel(state, race, title=f"Minefields, {state.name_of(race)}")]
    panels = (*treasuries, *fleets, *planets, *docks, *held, _rates(state, true=True))
    counters += battle_counters(state, None, everything=True)
    return _board(state, everything=True, counters=tuple(counters), courses=tuple(courses), panels=panels)


def _board(
    state: CutlerState,
    side: Side | None = None,
    *,
    knowledge: Knowledge | None = None,
    everything: bool = False,
    counters: tuple[Counter, ...],
    courses: tuple[Course, ...] = (),
    panels: tuple[Panel, ...] = (),
) -> Board:
    known = hex_notes(state, side, everything=everything)
    file = () if knowledge is None else knowledge.logs.get(FILE, ())
    found = findings_in(file, state.sides, known)
    notes = tuple(with_findings(known, spied_on(found, state.turn)))
    return Board(
        campaign=state.title,
        rulebook=TITLE,
        heading=_now(state).label,
        when=_now(state),
        sides=state.sides,
        grid=state.grid,
        hexes=notes,
        counters=counters,
        courses=courses,
        panels=panels,
        header=map_header(state, side),
        news=map_news(
            state, side, counters=counters, notes=notes, knowledge=knowledge, everything=everything, found=found
        ),
        ranges=() if side is None else map_ranges(state, side),
    )


def _now(state: CutlerState) -> When:
    if state.setup is not None:
        return When(turn=1, step=0, label="Set-up")
    impulse = f", impulse {state.impulse}" if state.impulse else ""
    return When(turn=state.turn, step=10 * state.impulse, label=f"Turn {state.turn} of {state.turns}{impulse}")


# --- panels ----------------------------------------------------------------------------------------------------------


def _money(state: CutlerState, side: Side) -> tuple[str, ...]:
    empire = state.empires[side]
    return (
        f"Last income: {empire.last_income} CPV",
        f"Intelligence Reserve: {empire.reserve} of {RESERVE_CAP} IP",
        f"Counter-intelligence set aside: {empire.counter_pool}",
        f"Base Pool: {empire.base_pool} CPV",
        *store_rows(state, side),
    )


def _treasury(state: CutlerState, side: Side, knowledge: Knowledge) -> Panel:
    return Panel(title="Treasury", rows=(*_money(state, side), *knowledge.logs.get("Treasury", ())[-3:]))


@rule("1.1.2.3", "4.1.4")
def _rates(state: CutlerState, *, true: bool = False) -> Panel:
    """Planets are public, and so is what they would make unrazed (1.1.2.3, 4.1.4, CU-R97a), and who is out of play
    (CU-N15); the ``true`` rates are nobody else's business."""
    rate = cpv_rate if true else public_rate
    rows = tuple(
        f"{state.name_of(race)}: {'out of play' if race in state.out else f'{rate(state, race)} CPV a turn'}"
        for race in state.races()
    )
    return Panel(title="CPV rates", rows=rows)


def _fleets(state: CutlerState, side: Side) -> Panel:
    fleets = present(state, side)
    in_fleets = {key for fleet in fleets for key in fleet.units} | {*convoy_keys(state, side)}
    rows = [_fleet_row(state, fleet) for fleet in fleets]
    others = [unit for unit in state.alive(side) if unit.id not in in_fleets and unit.kind != "ground_base"]
    rows += [f"{unit.hex} {ship_row(unit)}" for unit in others]
    return Panel(title="Fleets", rows=tuple(rows))


def _planets(state: CutlerState, side: Side) -> list[Panel]:
    """The panel of a race's planets and moons with what is on them, if it has any or fights for some."""
    rows = [_held(state, planet) for planet in state.planets_of(side)]
    moons = [moon for _, moon in sorted(state.moons.items()) if moon.owner == side]
    moons = [moon for moon in moons if is_held(moon) or ground_units(state, moon)]
    rows += [f"{moon.name}, {moon.hex}: {_on_it(state, moon)}" for moon in moons]
    rows += [
        f"Ground bases of {body.name}: {'; '.join(map(ship_row, units))}"
        for body in state.bodies_in_order()
        if body.owner == side and (units := ground_units(state, body))
    ]
    rows += [
        f"{body.name}, {body.hex}: {in_words(troops)}{say_with(body, side)} landed"
        for body in state.bodies_in_order()
        if (troops := body.landed.get(side))
    ]
    return [Panel(title="Planets", rows=tuple(rows))] if rows else []


def _held(state: CutlerState, planet: Planet) -> str:
    makes = f"makes {income_of(planet, state.turn + 1)} of {number(base_rate(planet))} CPV"
    razed = f", razed {number(planet.razed)}" if planet.razed else ""
    taken = f"; captured in turn {planet.captured_turn}" if planet.captured_turn is not None else ""
    taken += f", garrison {GARRISON[planet.kind]} needed" if taken else ""
    return f"{planet.name}, {planet.hex}: {makes}{razed}; {_on_it(state, planet)}{taken}"


def _on_it(state: CutlerState, body: Planet) -> str:
    """Troops and ground bases of a planet's or a moon's holder."""
    troops = f"{in_words(body.boarding_parties)}{squads_in_words(body.squads)}"
    troops += f", {body.gcv} GCV, {body.crew_units} crew units"
    shuttles = f", {counted(body.shuttles, 'shuttle')}" if body.shuttles else ""
    return troops + shuttles + (f", {ground.in_words(standing)}" if (standing := ground_on(state, body)) else "")


def roster(state: CutlerState, side: Side) -> list[OwnShip]:
    """One race's units: those of its fleets by the number of the fleet, then all others, by their lines if they have
    any."""
    fleet_of = {key: fleet.key for fleet in present(state, side) for key in fleet.units}
    units = {unit.id: unit for unit in state.alive(side)}
    ordered = [*(key for key in fleet_of if key in units), *(key for key in units if key not in fleet_of)]
    fleet_of |= {unit.id: key for key, unit in stations(state, side).items()} | convoy_keys(state, side)
    return [OwnShip(key, units[key].title, fleet_of.get(key, "")) for key in ordered]


def _at_planets(state: CutlerState, fleet: Fleet) -> str:
    """What a fleet does at planets and moons."""
    return say_planets(state, fleet.raze, fleet.land, fleet.parties, crews=fleet.crews, shuttles=fleet.shuttles)


def _fleet_row(state: CutlerState, fleet: Fleet) -> str:
    members = state.members(fleet)
    forced = members[0].retreat_hex
    does = f"must leave to {forced}" if forced else f"course {' '.join(fleet.course)}" if fleet.course else "holds"
    scans = f", scans {' '.join(fleet.scans)}" if fleet.scans else ""
    scans += _at_planets(state, fleet)
    scans += say_cloak(members, cloak=fleet.cloak)
    scans += say_tow(members, towed_among(members), towables(state, fleet.race, members[0].hex))
    scans += say_docked(state, members) + say_escort(fleet.escort)
    ships = "; ".join(map(ship_row, members))
    return f"{fleet.key} at {state.place_of(fleet)}, speed {fleet_speed(members)}, {does}{scans}: {ships}"


def _standing_orders_panel(state: CutlerState, side: Side) -> Panel:
    """The panel of what is done for a side without asking it."""
    empire, own = state.empires[side], orders_of(state, side)
    rows = [MEETINGS[empire.cards]] if own.cards is None else []
    rows += [ASKINGS[empire.asking]] if own.near is None or empire.asking == "each" else []
    if own.cloak is None and (said := say_lurking(state, side, empire.lurking)):
        rows.append(f"Meeting others{said.removeprefix(';').replace(' you', ': you', 1)}.")
    rows += coordination_rows(state, side)
    rows += budget_rows(state, side)
    rows += [
        f"{fleet.key} scans {', '.join(fleet.scans)} in every impulse."
        for fleet in state.fleets_of(side)
        if fleet.scans
    ]
    rows += [
        f"{unit.name} scans {', '.join(scans)} in every impulse."
        for unit in stations(state, side).values()
        if (scans := empire.station_scans.get(unit.id))
    ]
    rows += [
        f"{fleet.key}, when it ends an impulse there{said}."
        for fleet in state.fleets_of(side)
        if (said := _at_planets(state, fleet).replace(";", ":", 1))
    ]
    rows += _in_words(state, side)
    return Panel(title=STANDING_ORDERS, rows=(*rows, *lay_rows(state, side)))


def _in_words(state: CutlerState, side: Side) -> Iterator[str]:
    """The orders that stand in words, patrols, and what ends courses."""
    if own := say_orders(orders_of(state, side)):
        yield f"All fleets without orders of their own: {own}"
    for fleet in state.fleets_of(side):
        if own := say_orders(orders_of_fleet(state, fleet)):
            yield f"{fleet.key}: {own}"
        if loop := loop_of(state, fleet):
            yield f"{fleet.key} flies again and again {' → '.join(loop)}."
        if stops := stops_of(state, fleet):
            yield f"The course of {fleet.key} ends at: {write_stops(stops)}."


def _contacts(knowledge: Knowledge, now: When) -> Panel:
    rows = [_contact_row(contact, now) for contact in knowledge.contacts.values()]
    return Panel(title="Contacts", rows=tuple(rows))


def _contact_row(contact: Contact, now: When) -> str:
    seen = contact.latest
    age = now.turns_since(seen.when)
    old = "" if contact.live and not age else f" ({seen.when.label}{'' if contact.live else ', gone since'})"
    return f"{contact.track} {seen.hex}: {seen.headline}; {'; '.join(seen.details)}{old}"
