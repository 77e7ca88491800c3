"""Chapter 3.3: escape waves, pursuit, and the escape rolls."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.rulebooks.cutler.ch02_movement.groups import group_form, judge_groups, read_groups
from rules_engine.rulebooks.cutler.ch02_movement.movement import is_derelict, is_sublight, top_speed
from rules_engine.rulebooks.cutler.ch03_combat.battle import escape_battle_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.flights import fighters_aboard, launch
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.combat.battles import Wave
from rules_engine.rulebooks.cutler.records.combat.terrain import WaysOut
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.conditions.towing import let_go
from rules_engine.rulebooks.cutler.records.orders import AWAY, GroupSheet, WaveLine, WaveSheet
from rules_engine.rulebooks.cutler.records.shipping.convoys import FULL_SHIPS
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit
from rules_engine.rulebooks.cutler.records.tables import CLOAKED_ESCAPE, ESCAPE_LIMIT, ESCAPE_TERRAIN

Forces = dict[Side, list[Unit]]


@rule("3.3.2")
def may_run(unit: Unit) -> bool:
    """Whether a unit may escape or pursue: it needs working warp engines. 3.3.2, CU-R53, CU-R54"""
    return unit.is_mobile and not is_sublight(unit) and not is_derelict(unit)


@rule("3.3.2")
def may_escape(unit: Unit) -> bool:
    """Whether a unit may escape; fighters outside their carrier may not. 3.3.2, CU-R53"""
    return may_run(unit) and unit.kind != "fighters"


@rule("3.3.7", "3.3.7.1")
def escape_modifiers(state: CutlerState, hex_id: HexId, wave: list[Unit], group: list[Unit]) -> dict[str, int]:
    """What is added to the escape die, by cause. A legendary navigator shows by it. 3.3.7, 3.3.7.1, CU-R55 to R57"""
    terrain = state.terrain.get(hex_id, "")
    ships = sum(unit.kind in FULL_SHIPS for unit in wave) // 2
    mods = {
        "legendary navigator escaping": -has_navigator(wave),
        "legendary navigator pursuing": +has_navigator(group),
        f"{2 * ships} ships escaping": ships,
        terrain: ESCAPE_TERRAIN.get(terrain, 0),
        "all escaping ships cloaked": CLOAKED_ESCAPE * all(unit.cloaked for unit in wave),
        "slow escapers": 6 - min(map(top_speed, wave)),
        "slow pursuers": min(map(top_speed, group)) - 6,
    }
    return {cause: value for cause, value in mods.items() if value}


# --- waves -----------------------------------------------------------------------------------------------------------


@rule("3.3.1", "3.3.2", "3.3.3", "3.3.4", "3.3.5", "3.3.6")
def escape_steps(
    turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], forces: Forces, ways: WaysOut | None = None
) -> Steps[list[Wave]]:
    """All waves and pursuits are named first, then resolved in order. ``forces`` is left with the units for the main
    battle. ``ways`` say who may escape where; None: both sides, and to avoid all combat. The waves there were.

    3.3.1, 3.3.2, 3.3.3, 3.3.4, 3.3.5, 3.3.6
    """
    here = turn.state.fights[hex_id]
    here.waves = []
    ways = ways or WaysOut(runners=pair)
    staying: list[Side] = []
    number = 1
    while True:
        place = turn.at("wave", number)
        running = [race for race in pair if race in ways.runners and race not in staying]
        asked = [race for race in running if any(map(may_escape, forces[race]))]
        sheets = yield from place.ask_all_steps(
            [_wave_ask(here, race, hex_id, number, forces[race], ways=ways) for race in asked]
        )
        fresh: list[Wave] = []
        for race in pair:
            sheet = sheets[asked.index(race)] if race in asked else WaveSheet({})
            ships = sheet.ships
            if ships:
                _set_sail(turn.state, ships)
                fresh.append(Wave(race=race, number=number, units=sorted(ships), to=sheet.to))
                left = [_leave_fighters(turn.state, hex_id, ship, ways.at) for ship in sorted(sheet.line.left)]
                forces[race] = [unit for unit in forces[race] if unit.id not in ships] + left
            else:
                staying.append(race)
        if not fresh:
            break
        for wave in fresh:
            _reveal(place, hex_id, wave, pair, at=ways.at)
        yield from _pursuit_steps(place, hex_id, pair, fresh, forces)
        here.waves += fresh
        number += 1
    for wave in list(here.waves):
        yield from _resolve_steps(turn.at("run", wave.number, wave.race), hex_id, wave, _other(pair, wave.race))
    waves, here.waves = here.waves, []
    return waves


@rule("3.5.8")
def _leave_fighters(state: CutlerState, hex_id: HexId, carrier: str, place: str) -> Unit:
    """What an escaping carrier leaves behind. 3.5.8, CU-R75"""
    here = state.fights[hex_id]
    return launch(here, state.units[carrier], fighters_aboard(here, state.units[carrier]), place)


def _set_sail(state: CutlerState, ships: Sequence[str]) -> None:
    """Ships that run or pursue lie at no dock any more, and let go of tows."""
    sailing = [ship for ship in ships if ship in state.units]  # fighters apart from their carrier are none
    let_go(state, sailing)
    for ship in sailing:
        state.units[ship].sailed = True


def _other(pair: tuple[Side, Side], race: Side) -> Side:
    return pair[1] if race == pair[0] else pair[0]


def _reveal(turn: CutlerTurn, hex_id: HexId, wave: Wave, pair: tuple[Side, Side], *, at: str) -> None:
    state, ground = turn.state, turn.state.fights[hex_id].ground
    units = [state.units[key] for key in wave.units]
    words = tacintel.in_words(state.name_of(wave.race), units)
    start = f" from {ground.named(at).name}" if at else ""
    goal = f" Towards {ground.named(wave.to).name}." if wave.to else ""
    text = f"Escape wave {wave.number} in {hex_id}{start}: {words}.{goal}"
    turn.tell([_other(pair, wave.race)], text, kind="combat", why=because("3.3.3, CU-R49"))


def _wave_ask(
    here: Fight, race: Side, hex_id: HexId, number: int, force: list[Unit], *, ways: WaysOut
) -> Ask[WaveSheet]:
    able = [unit for unit in force if may_escape(unit)]
    ships = tuple(Choice(value=unit.id, label=unit.title) for unit in able)
    fields = [Field(key="ships", label="Ships that run", kind="many", choices=ships, value=[], optional=True)]
    goals = {one.key: one.name for one in ways.goals_of(race)}
    if goals:
        to = (Choice(AWAY, "To avoid all combat"), *(Choice(key, f"To {name}") for key, name in goals.items()))
        fields.append(Field(key="to", label="Where to", kind="one", choices=to, value=AWAY))
    carriers = [unit for unit in able if ways.at and fighters_aboard(here, unit)]
    if carriers:
        left = tuple(Choice(unit.id, unit.title, f"{fighters_aboard(here, unit)} fighters") for unit in carriers)
        fields.append(Field("left", "Carriers that leave their fighters here", "many", left, value=[], optional=True))
    names = {unit.id: unit.title for unit in able}

    def read(sheet: WaveSheet) -> list[str]:
        if not sheet.ships:
            return ["Nobody runs."]
        goal = f" to {goals[sheet.to]}" if sheet.to else ""
        said = [f"Runs{goal}: {', '.join(names[ship] for ship in sheet.ships)}."]
        return said + [f"{names[ship]} leaves its fighters behind." for ship in sheet.line.left]

    text = "Which ships try to get away? An empty wave is your last; the rest stand for the main battle."
    if goals:
        text += " A wave that tries to reach a terrain feature fights there; this cannot be taken back (3.5.5)."
    return Ask(
        kind="wave",
        parties=(race,),
        title=f"{hex_id}: escape wave {number}" + (f" from {here.ground.named(ways.at).name}" if ways.at else ""),
        text=text,
        model=WaveSheet,
        form=Form(lines=(Line(key="wave", label=f"Wave {number}", fields=tuple(fields)),)),
        rule="3.3.2, 3.3.3",
        default=WaveSheet({"wave": WaveLine()}),
        default_says="Nobody runs.",
        pace="decision",
        check=lambda sheet: [
            *_judge_wave(sheet, list(names), goals, [unit.id for unit in carriers], why_not=ways.why_not),
            *_judge_goal(here, sheet),
        ],
        read_back=read,
    )


@rule("3.3.2", "3.5.5", "3.5.5.2")
def _judge_wave(
    sheet: WaveSheet, known: Sequence[str], goals: Mapping[str, str], carriers: Sequence[str], *, why_not: str
) -> list[Refusal]:
    """Refusals of ships that cannot escape, of goals that they have not, and of fighters that there are not.

    3.3.2, 3.5.5, 3.5.5.2
    """
    refusals = [
        illegal("this unit cannot escape now", "3.3.2, CU-R53", "wave.ships", nearest=nearest(ship, known))
        for ship in sheet.ships
        if ship not in known
    ]
    if len(set(sheet.ships)) < len(sheet.ships):
        refusals.append(malformed("a ship is named twice", "wave.ships"))
    if sheet.to and sheet.to not in goals:
        legal = ", ".join([AWAY, *goals])
        text = "there is no such feature here" if goals else "these ships may escape to avoid all combat only"
        refusals.append(illegal(text, "3.5.5" if goals else why_not, "wave.to", legal=legal))
    if len(set(sheet.line.left)) < len(sheet.line.left):
        refusals.append(malformed("a ship is named twice", "wave.left"))
    for ship in sheet.line.left:
        if ship not in carriers or ship not in sheet.ships:
            text = "only a carrier that runs from a terrain feature leaves fighters there"
            refusals.append(illegal(text, "3.5.8, CU-R75", "wave.left", nearest=nearest(ship, carriers)))
    return refusals


@rule("3.5.6")
def _judge_goal(here: Fight, sheet: WaveSheet) -> list[Refusal]:
    """Refusals of ships that have fought at another feature in this impulse. 3.5.6"""
    fought = here.ground.fought_at
    return [
        illegal("this ship has fought at another feature in this impulse", "3.5.6", "wave.ships", legal=fought[ship])
        for ship in sheet.ships
        if sheet.to and fought.get(ship, sheet.to) != sheet.to
    ]


# --- pursuit ---------------------------------------------------------------------------------------------------------


@rule("3.3.4", "3.3.6", "3.3.7.3", "3.3.7.7", "3.3.7.10")
def _pursuit_steps(
    turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], fresh: list[Wave], forces: Forces
) -> Steps[None]:
    """Ask for groups to pursue the waves just revealed; an empty wave is not pursued. Pursuers are taken from those
    who fight otherwise, and are not called back. 3.3.4, 3.3.6, 3.3.7.3, 3.3.7.7, 3.3.7.10, CU-R54"""
    state = turn.state
    hunts = [wave for wave in fresh if any(map(may_run, forces[_other(pair, wave.race)]))]
    asks = [_pursuit_ask(state, hex_id, wave, _other(pair, wave.race), forces) for wave in hunts]
    sheets = yield from turn.at("pursuit").ask_all_steps(asks)
    for wave, sheet in zip(hunts, sheets, strict=True):
        hunter = _other(pair, wave.race)
        for group, ship in sorted((group, ship) for ship, group in sheet.groups().items()):
            wave.pursuit.setdefault(str(group), []).append(ship)
        chasing = {ship for ships in wave.pursuit.values() for ship in ships}
        _set_sail(state, sorted(chasing))
        forces[hunter] = [unit for unit in forces[hunter] if unit.id not in chasing]
        for group, ships in wave.in_order():
            chasers = [state.fighting(hex_id, ship) for ship in ships]
            words = tacintel.in_words(state.name_of(hunter), chasers)
            text = f"Pursuit of wave {wave.number} in {hex_id}, group {group}: {words}."
            turn.tell([wave.race], text, kind="combat", why=because("3.3.4, CU-R49"))


def _pursuit_ask(state: CutlerState, hex_id: HexId, wave: Wave, hunter: Side, forces: Forces) -> Ask[GroupSheet]:
    able = [unit for unit in forces[hunter] if may_run(unit)]
    words = tacintel.in_words(state.name_of(wave.race), [state.units[key] for key in wave.units])
    goal = f"reach {state.fights[hex_id].ground.named(wave.to).name}" if wave.to else "get away"
    run = f"{words} {'tries' if len(wave.units) == 1 else 'try'} to {goal}"
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


@rule("3.3.7.1", "3.3.7.2", "3.3.7.6", "3.3.7.8", "3.3.7.9", "3.5.5.1")
def _resolve_steps(turn: CutlerTurn, hex_id: HexId, wave: Wave, hunter: Side) -> Steps[None]:
    """Each group in turn: escape at 3 or less, or an escape battle at once. Units that escape are safe this impulse, or
    are at the feature that they tried to reach.

    3.3.7.1, 3.3.7.2, 3.3.7.6, 3.3.7.8, 3.3.7.9, 3.5.5.1, CU-R59
    """
    state = turn.state
    pair = (wave.race, hunter)
    for group, ships in wave.in_order():
        running = _still_running(state, wave, hunter)
        chasing = [state.fighting(hex_id, ship) for ship in ships]
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
        if wave.to:
            unit.escaped_to = wave.to
            state.fights[hex_id].ground.places[unit.id] = wave.to
        else:
            unit.escaped_from = [*unit.escaped_from, hunter]


def _still_running(state: CutlerState, wave: Wave, hunter: Side) -> list[Unit]:
    return [
        unit
        for key in wave.units
        if not (unit := state.units[key]).destroyed and unit.race == wave.race and hunter not in unit.disengaged_from
    ]
