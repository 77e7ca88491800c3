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
from rules_engine.rulebooks.cutler.records.shipping.convoys import FULL_SHIPS
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit, Wave
from rules_engine.rulebooks.cutler.records.tables import ESCAPE_LIMIT, ESCAPE_TERRAIN

Forces = dict[Side, list[Unit]]


@rule("3.3.2")
def may_run(unit: Unit) -> bool:
    """Whether a unit may escape or pursue: it needs working warp engines. 3.3.2, CU-R53, CU-R54"""
    return unit.is_mobile and not is_sublight(unit) and not is_derelict(unit)


@rule("3.3.7.1")
def escape_modifiers(state: CutlerState, hex_id: HexId, wave: list[Unit], group: list[Unit]) -> dict[str, int]:
    """What is added to the escape die, by cause. 3.3.7.1, CU-R55, CU-R56, CU-R57"""
    terrain = state.terrain.get(hex_id, "")
    ships = sum(unit.kind in FULL_SHIPS for unit in wave) // 2
    mods = {
        f"{2 * ships} ships escaping": ships,
        terrain: ESCAPE_TERRAIN.get(terrain, 0),
        "slow escapers": 6 - min(map(top_speed, wave)),
        "slow pursuers": min(map(top_speed, group)) - 6,
    }
    return {cause: value for cause, value in mods.items() if value}


# --- waves -----------------------------------------------------------------------------------------------------------


@rule("3.3.1", "3.3.2", "3.3.3", "3.3.4", "3.3.5", "3.3.6")
def escape_steps(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces) -> Steps[None]:
    """All waves and pursuits are named first, then resolved in order. ``forces`` is left with the units for the main
    battle.

    3.3.1, 3.3.2, 3.3.3, 3.3.4, 3.3.5, 3.3.6
    """
    here = turn.state.fights[hex_id]
    here.waves = []
    staying: list[Side] = []
    number = 1
    while True:
        place = turn.at("wave", number)
        asked = [race for race in pair if race not in staying and any(map(may_run, forces[race]))]
        sheets = yield from place.ask_all_steps([_wave_ask(race, hex_id, number, forces[race]) for race in asked])
        fresh: list[Wave] = []
        for race in pair:
            ships = sheets[asked.index(race)].ships if race in asked else ()
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
        yield from _pursuit_steps(place, hex_id, pair, fresh, forces)
        here.waves += fresh
        number += 1
    for wave in list(here.waves):
        yield from _resolve_steps(turn.at("run", wave.number, wave.race), hex_id, wave, _other(pair, wave.race))
    here.waves = []


def _set_sail(state: CutlerState, ships: Sequence[str]) -> None:
    """Ships that run or pursue lie at no dock any more."""
    for ship in ships:
        state.units[ship].sailed = True


def _other(pair: tuple[Side, Side], race: Side) -> Side:
    return pair[1] if race == pair[0] else pair[0]


def _reveal(turn: CutlerTurn, hex_id: HexId, wave: Wave, pair: tuple[Side, Side]) -> None:
    state = turn.state
    units = [state.units[key] for key in wave.units]
    words = tacintel.in_words(state.name_of(wave.race), units)
    text = f"Escape wave {wave.number} in {hex_id}: {words}."
    turn.tell([_other(pair, wave.race)], text, kind="combat", why=because("3.3.3, CU-R49"))


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
    turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], fresh: list[Wave], forces: Forces
) -> Steps[None]:
    """Ask for groups to pursue the waves just revealed; an empty wave is not pursued. 3.3.4, 3.3.6, 3.3.7.10, CU-R54"""
    state = turn.state
    hunts = [wave for wave in fresh if any(map(may_run, forces[_other(pair, wave.race)]))]
    asks = [_pursuit_ask(state, hex_id, wave, _other(pair, wave.race), forces) for wave in hunts]
    sheets = yield from turn.at("pursuit").ask_all_steps(asks)
    for wave, sheet in zip(hunts, sheets, strict=True):
        hunter = _other(pair, wave.race)
        for ship, group in sorted(sheet.groups().items()):
            wave.pursuit.setdefault(str(group), []).append(ship)
        chasing = {ship for ships in wave.pursuit.values() for ship in ships}
        _set_sail(state, sorted(chasing))
        forces[hunter] = [unit for unit in forces[hunter] if unit.id not in chasing]
        for group, ships in sorted(wave.pursuit.items()):
            words = tacintel.in_words(state.name_of(hunter), [state.units[ship] for ship in ships])
            text = f"Pursuit of wave {wave.number} in {hex_id}, group {group}: {words}."
            turn.tell([wave.race], text, kind="combat", why=because("3.3.4, CU-R49"))


def _pursuit_ask(state: CutlerState, hex_id: HexId, wave: Wave, hunter: Side, forces: Forces) -> Ask[GroupSheet]:
    able = [unit for unit in forces[hunter] if may_run(unit)]
    words = tacintel.in_words(state.name_of(wave.race), [state.units[key] for key in wave.units])
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
        check=lambda sheet: judge_groups(able, sheet, "3.3.4, CU-R54"),
        read_back=lambda sheet: read_groups(able, sheet, "pursues", "Nobody pursues."),
    )


# --- escape rolls ----------------------------------------------------------------------------------------------------


@rule("3.3.7.1", "3.3.7.2", "3.3.7.6", "3.3.7.8", "3.3.7.9")
def _resolve_steps(turn: CutlerTurn, hex_id: HexId, wave: Wave, hunter: Side) -> Steps[None]:
    """Each group in turn: escape at 3 or less, or an escape battle at once. Units that escape are safe this impulse.

    3.3.7.1, 3.3.7.2, 3.3.7.6, 3.3.7.8, 3.3.7.9, CU-R59
    """
    state = turn.state
    pair = (wave.race, hunter)
    for group, ships in sorted(wave.pursuit.items()):
        running = _still_running(state, wave, hunter)
        chasing = [state.units[ship] for ship in ships]
        if not running:
            break
        mods = escape_modifiers(state, hex_id, running, chasing)
        die = turn.roll(f"escape from group {group}", faces=6, seen_by=pair)
        total = die.total + sum(mods.values())
        away = total <= ESCAPE_LIMIT
        inputs = {**{cause: f"{value:+d}" for cause, value in mods.items()}, "result": total, "escapes at": "3 or less"}
        text = f"Wave {wave.number} of the {turn.name_of(wave.race)} in {hex_id} " + (
            f"gets away from group {group}." if away else f"is caught by group {group}."
        )
        turn.tell(pair, text, kind="combat", why=because("3.3.7.1, CU-R55", inputs, [die]))
        if not away:
            yield from escape_battle_steps(
                turn.at("battle", group), hex_id, pair, {wave.race: running, hunter: chasing}
            )
    for unit in _still_running(state, wave, hunter):
        unit.escaped_from = [*unit.escaped_from, hunter]


def _still_running(state: CutlerState, wave: Wave, hunter: Side) -> list[Unit]:
    return [
        unit
        for key in wave.units
        if not (unit := state.units[key]).destroyed and unit.race == wave.race and hunter not in unit.disengaged_from
    ]
