"""Chapter 9: surveying, after all sheets are in. Every result is public but who is lost to a monster, which would tell
what a counter stands for. 9.5, CU-R121, CU-N26"""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch09_surveying.results import (
    Finding,
    finding,
    is_lost_to_monster,
)
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.conditions.docking import lose_docked
from rules_engine.rulebooks.cutler.records.conditions.officers import has_officer
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.open_space import TERRAIN_WORDS, open_space
from rules_engine.rulebooks.cutler.records.shipping.convoys import FULL_SHIPS
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet
from rules_engine.rulebooks.cutler.records.tables import PlanetKind


@rule("9.0", "9.1", "9.2", "9.6")
def surveying_phase(turn: CutlerTurn) -> None:
    """Survey every hex that somebody chose, once each, however many survey ships are there. The turn's income was made
    before, so that of a planet found now begins with the next turn. 9.0, 9.1, 9.2, 9.6, CU-R122"""
    state = turn.state
    chosen = {race: state.empires[race].surveys for race in state.races()}
    for hex_id in sorted({hex_id for hexes in chosen.values() for hex_id in hexes}):
        here = turn.at("survey", hex_id)
        _survey(here, _surveyor(here, hex_id, [race for race in chosen if hex_id in chosen[race]]), hex_id)
    for empire in state.empires.values():
        empire.surveys = []
    tidy_fleets(state)
    tacintel.fade(turn)


@rule("9.3")
def _surveyor(turn: CutlerTurn, hex_id: HexId, races: list[Side]) -> Side:
    """Who surveys a hex: of several races the one with the highest die, equal ones rolled again. A legendary science
    officer aboard a survey ship adds 1, which all see with the dice. 9.3"""
    guides = {race: 1 for race in races if _is_guided(turn.state, race, hex_id)}
    order, rolls = roll_order(turn, races, "survey order", plus=guides)
    if rolls:
        names = " and ".join(map(turn.name_of, races))
        text = f"{names} would survey {hex_id}: the {turn.name_of(order[0])} does."
        inputs = {turn.name_of(race): "+1 for a legendary science officer" for race in guides}
        turn.tell_all(text, kind="survey", why=because("9.3", inputs, rolls))
    return order[0]


@rule("9.2", "9.3")
def _is_guided(state: CutlerState, race: Side, hex_id: HexId) -> bool:
    """Whether a legendary science officer is aboard a survey ship of the race in the hex. 9.2, 9.3"""
    units = [unit for unit in state.units_in(hex_id, race) if unit.record.is_survey_ship and not unit.cloaked]
    return has_officer(units, "science")


@rule("9.2", "9.5")
def _survey(turn: CutlerTurn, race: Side, hex_id: HexId) -> None:
    """Roll for a hex, and carry out what is found. 9.2, 9.5"""
    die = turn.roll("survey", faces=6, count=3)
    found = finding(die.total)
    what, more = _find(turn, race, hex_id, found)
    text = f"{turn.name_of(race)} survey of {hex_id}: {what}."
    turn.tell_all(text, kind="survey", why=because("9.2, 9.5", {"total": die.total}, [die, *more]))
    alert = {"delay": f"the survey of {hex_id} is held up", "monster": f"a monster is in {hex_id}"}.get(found)
    turn.state.empires[race].alerts.append(alert or f"{hex_id} was surveyed")
    if found == "delay":
        _hold(turn, race, hex_id)
    elif found == "monster":
        _meet_monster(turn, race, hex_id)
    else:
        _settle(turn, race, hex_id)


def _find(turn: CutlerTurn, race: Side, hex_id: HexId, found: Finding) -> tuple[str, list[Roll]]:
    """Put what is found on the map: in words, and the dice for it."""
    match found:
        case "major" | "minor":
            return _discover(turn, race, hex_id, found), []
        case "open":
            return _open_space(turn, hex_id)
        case "delay":
            return "delayed, so its ships there stay for this turn and roll again in the next", []
        case "monster":
            return "a monster! The hex is not surveyed", []


@rule("9.4", "9.7")
def _settle(turn: CutlerTurn, race: Side, hex_id: HexId) -> None:
    """The hex is surveyed for all races, and its surveyor its owner where an owner is the defender. 9.4, 9.7"""
    turn.state.unsurveyed = [one for one in turn.state.unsurveyed if one != hex_id]
    turn.state.last_through[hex_id] = race


@rule("9.2", "9.6")
def _discover(turn: CutlerTurn, race: Side, hex_id: HexId, kind: PlanetKind) -> str:
    """A new planet, which is the surveyor's and makes three quarters of what a home planet makes.

    9.2, 9.6, 4.1.4.1, CU-R122
    """
    key, name = f"found_{hex_id}", f"Discovery {hex_id}"
    turn.state.planets[key] = Planet(key=key, name=name, kind=kind, hex=hex_id, race=race, owner=race, discovered=True)
    return f"a {kind} planet, {name}"


@rule("9.2", "1.1.2.5.1")
def _open_space(turn: CutlerTurn, hex_id: HexId) -> tuple[str, list[Roll]]:
    """The terrain of a hex without a planet. 9.2, 1.1.2.5.1"""
    terrain, rolls = open_space(turn, hex_id)
    if terrain is None:
        return "open space", rolls
    turn.state.terrain = {**turn.state.terrain, hex_id: terrain}
    return TERRAIN_WORDS[terrain], rolls


@rule("9.2")
def _hold(turn: CutlerTurn, race: Side, hex_id: HexId) -> None:
    """All its ships in the hex must stay there for this turn. 9.2, CU-R121, CU-N25"""
    units = [unit for unit in turn.state.units_in(hex_id, race) if unit.is_mobile]
    for unit in units:
        unit.held_turn = turn.state.turn
    names = ", ".join(unit.name for unit in units)
    text = f"Kept in {hex_id} by its survey for this turn: {names}."
    turn.tell([race], text, kind="survey", why=because("9.2, CU-R121"))


@rule("9.2", "10.0")
def _meet_monster(turn: CutlerTurn, race: Side, hex_id: HexId) -> None:
    """Each ship of the surveyor's in the hex rolls for itself; its owner alone sees how many there were, and which are
    lost. 9.2, 10.0, CU-R121, CU-R125, CU-N26"""
    ships = [unit for unit in turn.state.units_in(hex_id, race) if unit.kind in FULL_SHIPS]
    dice = [turn.at(number).roll("monster", faces=6, seen_by=[race]) for number, _ in enumerate(ships, 1)]
    guided = _is_guided(turn.state, race, hex_id)
    lost = [ship for ship, die in zip(ships, dice, strict=True) if is_lost_to_monster(die.total, guided=guided)]
    for ship in lost:
        ship.perish(turn.state.turn)
    fate = f"Lost to the monster in {hex_id}: {', '.join(ship.title for ship in lost)}."
    text = fate if lost else f"The monster in {hex_id} destroyed nothing of yours."
    inputs = {
        "ships": ", ".join(ship.name for ship in ships),
        "lost at": "6, for a science officer" if guided else "5-6",
    }
    why = because("9.2, CU-R121", inputs, dice)
    turn.tell([race], text, kind="survey", why=why)
    for ship in lost:
        lose_docked(turn, ship)
