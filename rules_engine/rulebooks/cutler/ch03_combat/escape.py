"""Chapter 3.3: escape waves, pursuit, and the escape rolls."""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.rulebooks.cutler.ch02_movement.groups import group_form, judge_groups, read_groups
from rules_engine.rulebooks.cutler.ch02_movement.movement import is_derelict, is_sublight, top_speed
from rules_engine.rulebooks.cutler.ch03_combat.battle import escape_battle_steps
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.orders import GroupSheet, WaveLine, WaveSheet
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD, ready_fighters, take_off
from rules_engine.rulebooks.cutler.records.parts.seen import owners_of
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit, Wave
from rules_engine.rulebooks.cutler.records.tables import ESCAPE_LIMIT, ESCAPE_TERRAIN, STACKED

Forces = dict[Side, list[Unit]]


@rule("3.3.2")
def may_run(unit: Unit) -> bool:
    """Whether a unit may escape or pursue: it needs working warp engines. 3.3.2, CU-R53, CU-R54"""
    return unit.is_mobile and not is_sublight(unit) and not is_derelict(unit)


@rule("3.3.2")
def hunters(own: list[Unit]) -> list[Unit]:
    """What may be sent after a wave: units that can run, fighters outside a carrier that all have boosters, and those
    aboard that have. 3.3.2, CU-R53"""
    able = [unit for unit in own if may_run(unit) or (unit.kind == "fighters" and unit.booster_sets >= unit.fighters)]
    return able + ready_fighters(own)


@rule("3.3.7.1")
def escape_modifiers(state: CutlerState, hex_id: HexId, wave: list[Unit], group: list[Unit]) -> dict[str, int]:
    """What is added to the escape die, by cause. 3.3.7.1, CU-R55, CU-R56, CU-R57"""
    terrain = state.terrain.get(hex_id, "")
    ships = sum(unit.kind in STACKED for unit in wave) // 2
    mods = {
        f"{2 * ships} ships escaping": ships,
        terrain: ESCAPE_TERRAIN.get(terrain, 0),
        "slow escapers": 6 - min(map(top_speed, wave)),
        "slow pursuers": min(map(top_speed, group)) - 6,
    }
    return {cause: value for cause, value in mods.items() if value}


# --- waves -----------------------------------------------------------------------------------------------------------


@rule("3.3.1", "3.3.2", "3.3.3", "3.3.4", "3.3.5", "3.3.6", "2.10")
def escape_steps(
    turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces, *, sortie: bool = False
) -> Steps[None]:
    """All waves and pursuits are named first, then resolved in order. ``forces`` is left with the units for the main
    battle. The races of a coordinated force name their own units, for a wave of all. Who escapes from a ``sortie`` may
    still be fought by other units of its race.

    3.3.1, 3.3.2, 3.3.3, 3.3.4, 3.3.5, 3.3.6, 2.10, CU-N90
    """
    here = turn.state.fights[hex_id]
    here.waves = []
    staying: list[Side] = []
    number = 1
    while True:
        place = turn.at("wave", number)
        asked = {
            race: own
            for side in pair
            for race in here.force_of(side)
            if side not in staying and any(map(may_run, own := [unit for unit in forces[side] if unit.race == race]))
        }
        sheets = yield from place.ask_all_steps([_wave_ask(race, hex_id, number, own) for race, own in asked.items()])
        answers = dict(zip(asked, sheets, strict=True))
        fresh: list[Wave] = []
        for race in pair:
            ships = [ship for one in here.force_of(race) if one in answers for ship in answers[one].ships]
            if ships:
                _set_sail(turn.state, ships)
                fresh.append(Wave(race=race, number=number, units=sorted(ships)))
                forces[race] = [unit for unit in forces[race] if unit.id not in ships]
            else:
                staying.append(race)
        if not fresh:
            break
        for wave in fresh:
            _reveal(place, hex_id, wave, pair)
        yield from _pursuit_steps(place, hex_id, pair, fresh, forces, aboard=not sortie)
        here.waves += fresh
        number += 1
    for wave in list(here.waves):
        place, hunter = turn.at("run", wave.number, wave.race), _other(pair, wave.race)
        yield from _resolve_steps(place, hex_id, wave, hunter, sortie=sortie)
    here.waves = []


def _set_sail(state: CutlerState, ships: Sequence[str]) -> None:
    """Ships that run or pursue lie at no dock any more."""
    for ship in ships:
        if ship in state.units:
            state.units[ship].sailed = True


def _other(pair: tuple[Side, Side], race: Side) -> Side:
    return pair[1] if race == pair[0] else pair[0]


def _reveal(turn: CutlerTurn, hex_id: HexId, wave: Wave, pair: tuple[Side, Side]) -> None:
    state = turn.state
    units = [state.units[key] for key in wave.units]
    words = tacintel.in_words(owners_of(state, units), units)
    text = f"Escape wave {wave.number} in {hex_id}: {words}."
    turn.tell(state.fights[hex_id].force_of(_other(pair, wave.race)), text, kind="combat", why=because("3.3.3, CU-R49"))


def _wave_ask(race: Side, hex_id: HexId, number: int, force: list[Unit]) -> Ask[WaveSheet]:
    able = [unit for unit in force if may_run(unit)]
    ships = tuple(Choice(value=unit.id, label=unit.title) for unit in able)
    field = Field(key="ships", label="Ships that run", kind="many", choices=ships, value=[], optional=True)

    def judge(sheet: WaveSheet) -> list[Refusal]:
        known = [unit.id for unit in able]
        return [
            illegal("this unit cannot escape now", "3.3.2, CU-R53", "wave.ships", nearest=nearest(ship, known))
            for ship in sheet.ships
            if ship not in known
        ] + ([malformed("a ship is named twice", "wave.ships")] if len(set(sheet.ships)) < len(sheet.ships) else [])

    names = {unit.id: unit.title for unit in able}
    return Ask(
        kind="wave",
        parties=(race,),
        title=f"{hex_id}: escape wave {number}",
        text="Which ships try to get away? An empty wave is your last; the rest stand for the main battle.",
        model=WaveSheet,
        form=Form(lines=(Line(key="wave", label=f"Wave {number}", fields=(field,)),)),
        rule="3.3.2, 3.3.3",
        default=WaveSheet({"wave": WaveLine()}),
        default_says="Nobody runs.",
        pace="decision",
        check=judge,
        read_back=lambda sheet: [
            f"Runs: {', '.join(names[ship] for ship in sheet.ships)}." if sheet.ships else "Nobody runs."
        ],
    )


# --- pursuit ---------------------------------------------------------------------------------------------------------


@rule("3.3.4", "3.3.6", "3.3.7.10")
def _pursuit_steps(
    turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], fresh: list[Wave], forces: Forces, *, aboard: bool
) -> Steps[None]:
    """Ask for groups to pursue the waves just revealed; an empty wave is not pursued. 3.3.4, 3.3.6, 3.3.7.10, CU-R54"""
    state, here = turn.state, turn.state.fights[hex_id]
    hunts = [
        (wave, race, able)
        for wave in fresh
        for race in here.force_of(_other(pair, wave.race))
        if (able := hunters([unit for unit in forces[_other(pair, wave.race)] if unit.race == race]))
    ]
    asks = [_pursuit_ask(state, hex_id, wave, race, able) for wave, race, able in hunts]
    sheets = yield from turn.at("pursuit").ask_all_steps(asks)
    for (wave, _, able), sheet in zip(hunts, sheets, strict=True):
        ready = {unit.id: unit for unit in able}
        for ship, group in sorted(sheet.groups().items()):
            wave.pursuit.setdefault(str(group), []).append(ship)
            if ship.endswith(ABOARD) and ship not in here.craft:
                here.craft[ship] = ready[ship]
                take_off(state.units[ship.removesuffix(ABOARD)], ready[ship].fighters)
    for wave in fresh:
        hunter = _other(pair, wave.race)
        chasing = {ship for ships in wave.pursuit.values() for ship in ships}
        _set_sail(state, sorted(chasing))
        forces[hunter] = [unit for unit in forces[hunter] if unit.id not in chasing]
        for group, ships in sorted(wave.pursuit.items()):
            units = [state.unit_in(hex_id, ship) for ship in ships]
            words = tacintel.in_words(owners_of(state, units), units)
            text = f"Pursuit of wave {wave.number} in {hex_id}, group {group}: {words}."
            turn.tell(here.force_of(wave.race), text, kind="combat", why=because("3.3.4, CU-R49"))


def _pursuit_ask(state: CutlerState, hex_id: HexId, wave: Wave, hunter: Side, able: list[Unit]) -> Ask[GroupSheet]:
    units = [state.units[key] for key in wave.units]
    words = tacintel.in_words(owners_of(state, units), units)
    run = f"{words} {'tries' if len(wave.units) == 1 else 'try'} to get away"
    return Ask(
        kind="pursuit",
        parties=(hunter,),
        title=f"{hex_id}: pursuit of wave {wave.number}",
        text=f"{run}. Ships sent after them fight nobody else of that race; it cannot be called off.",
        model=GroupSheet,
        form=group_form(able, "Pursuit", "Stays"),
        rule="3.3.4, 3.3.7.7",
        default=GroupSheet({}),
        default_says="Nobody pursues.",
        pace="decision",
        check=lambda sheet: judge_groups(able, sheet, "3.3.4, CU-R54", fighters="3.3.2, CU-R53"),
        read_back=lambda sheet: read_groups(able, sheet, "pursues", "Nobody pursues."),
    )


# --- escape rolls ----------------------------------------------------------------------------------------------------


@rule("3.3.7.1", "3.3.7.2", "3.3.7.5", "3.3.7.6", "3.3.7.8", "3.3.7.9")
def _resolve_steps(turn: CutlerTurn, hex_id: HexId, wave: Wave, hunter: Side, *, sortie: bool) -> Steps[None]:
    """Each group in turn: escape at 3 or less, or an escape battle at once. Units that escape are safe this impulse,
    from a sortie only until combat.

    3.3.7.1, 3.3.7.2, 3.3.7.5, 3.3.7.6, 3.3.7.8, 3.3.7.9, CU-R59
    """
    state, here = turn.state, turn.state.fights[hex_id]
    pair = (wave.race, hunter)
    seen_by = here.races_of(*pair)
    name = state.names_of(here.force_of(wave.race))
    for group, ships in sorted(wave.pursuit.items()):
        running = _still_running(state, here, wave, hunter)
        chasing = [state.unit_in(hex_id, ship) for ship in ships]
        if not running:
            break
        mods = escape_modifiers(state, hex_id, running, chasing)
        die = turn.roll(f"escape from group {group}", faces=6, seen_by=seen_by)
        total = die.total + sum(mods.values())
        away = total <= ESCAPE_LIMIT
        inputs = {**{cause: f"{value:+d}" for cause, value in mods.items()}, "result": total, "escapes at": "3 or less"}
        text = f"Wave {wave.number} of the {name} in {hex_id} " + (
            f"gets away from group {group}." if away else f"is caught by group {group}."
        )
        turn.tell(seen_by, text, kind="combat", why=because("3.3.7.1, CU-R55", inputs, [die]))
        if not away:
            yield from escape_battle_steps(
                turn.at("battle", group), hex_id, pair, {wave.race: running, hunter: chasing}
            )
    for unit in [] if sortie else _still_running(state, here, wave, hunter):
        unit.escaped_from = [*unit.escaped_from, *here.force_of(hunter)]


def _still_running(state: CutlerState, here: Fight, wave: Wave, hunter: Side) -> list[Unit]:
    return [
        unit
        for key in wave.units
        if not (unit := state.units[key]).destroyed
        and unit.race in here.force_of(wave.race)
        and hunter not in unit.disengaged_from
    ]
