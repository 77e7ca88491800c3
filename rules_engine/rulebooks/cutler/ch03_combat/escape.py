"""Chapter 3.3: escape waves, pursuit, and the escape rolls."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch02_movement.groups import group_form, judge_groups, most_groups, read_groups
from rules_engine.rulebooks.cutler.ch02_movement.movement import is_derelict, is_sublight, top_speed
from rules_engine.rulebooks.cutler.ch03_combat.battle import escape_battle_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.flights import launch
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.combat.battles import Wave
from rules_engine.rulebooks.cutler.records.combat.terrain import ASTEROIDS, WaysOut
from rules_engine.rulebooks.cutler.records.conditions.docking import docked_on, judge_docked_in_wave, undock
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.conditions.towing import let_go
from rules_engine.rulebooks.cutler.records.orders import AWAY, GroupSheet, WaveLine, WaveSheet
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD, all_have_boosters, ready_fighters, take_off
from rules_engine.rulebooks.cutler.records.parts.seen import owners_of
from rules_engine.rulebooks.cutler.records.shipping.convoys import FULL_SHIPS
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit
from rules_engine.rulebooks.cutler.records.tables import CLOAKED_ESCAPE, ESCAPE_LIMIT, ESCAPE_TERRAIN
from rules_engine.rulebooks.cutler.standing.decisions import ask_or_obey_steps, pursuit_decisions, wave_decision

Forces = dict[Side, list[Unit]]


@rule("3.3.2")
def may_run(unit: Unit) -> bool:
    """Whether a unit may escape or pursue: it needs working warp engines, and is no base. 3.3.2, CU-R53, CU-R54,
    CU-N144"""
    return unit.is_mobile and not unit.is_station and not is_sublight(unit) and not is_derelict(unit)


@rule("3.3.2")
def may_escape(unit: Unit) -> bool:
    """Whether a unit may escape; fighters outside their carrier may not. 3.3.2, CU-R53"""
    return may_run(unit) and unit.kind != "fighters"


@rule("3.3.2")
def hunters(own: list[Unit]) -> list[Unit]:
    """What may be sent after a wave: units that can run, fighters outside a carrier that all have boosters, and those
    aboard that have. 3.3.2, CU-R53"""
    able = [unit for unit in own if (all_have_boosters(unit) if unit.kind == "fighters" else may_run(unit))]
    return able + ready_fighters(own)


@rule("3.3.7", "3.3.7.1")
def escape_modifiers(
    state: CutlerState, hex_id: HexId, wave: list[Unit], group: list[Unit], *, at: str = ""
) -> dict[str, int]:
    """What is added to the escape die, by cause. A legendary navigator shows by it. ``at`` is the feature from which
    they break away: from the asteroid field in a planet's hex it is as from an asteroid belt. 3.3.7, 3.3.7.1, CU-R08,
    CU-R55 to R57"""
    terrain = ASTEROIDS if at == ASTEROIDS else state.terrain.get(hex_id, "")
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


@rule("3.3.1", "3.3.2", "3.3.3", "3.3.4", "3.3.5", "3.3.6", "2.10")
def escape_steps(
    turn: CutlerTurn,
    hex_id: HexId,
    pair: tuple[Side, Side],
    forces: Forces,
    ways: WaysOut | None = None,
    *,
    sortie: bool = False,
) -> Steps[list[Wave]]:
    """All waves and pursuits are named first, then resolved in order. ``forces`` is left with the units for the main
    battle. ``ways`` say who may escape where; None: both sides, and to avoid all combat. The races of a coordinated
    force name their own units, for a wave of all that have one goal. Who escapes from a ``sortie`` may still be fought
    by other units of its race. The waves there were.

    3.3.1, 3.3.2, 3.3.3, 3.3.4, 3.3.5, 3.3.6, 2.10, CU-N90
    """
    here = turn.state.fights[hex_id]
    here.waves = []
    ways = ways or WaysOut(runners=pair)
    staying: list[Side] = []
    waved = dict.fromkeys(pair, 0)
    number = 1
    while True:
        place = turn.at("wave", number)
        asked = {
            race: side
            for side in pair
            for race in here.force_of(side)
            if side in ways.runners and side not in staying and any(map(may_escape, _of(forces[side], race)))
        }
        asks = [
            _wave_ask(turn.state, race, hex_id, waved[side] + 1, _of(forces[side], race), ways=ways, side=side)
            for race, side in asked.items()
        ]
        ordered = [
            wave_decision(
                turn.state,
                race,
                hex_id,
                list(filter(may_escape, _of(forces[side], race))),
                ours=len(forces[side]),
                theirs=len(forces[_other(pair, side)]),
            )
            for race, side in asked.items()
        ]
        sheets = dict(zip(asked, (yield from ask_or_obey_steps(place, asks, ordered)), strict=True))
        fresh: list[Wave] = []
        for side in pair:
            for sheet in [sheets[race] for race in here.force_of(side) if race in sheets]:
                staying_pfs = undock(turn.state, sheet.line.launch)
                here.ground.places |= {pf.id: ways.at for pf in staying_pfs if ways.at}
                forces[side] = [*forces[side], *staying_pfs]
            own = [sheets[race] for race in here.force_of(side) if race in sheets and sheets[race].ships]
            for goal in sorted({sheet.to for sheet in own}):
                ships = [ship for sheet in own if sheet.to == goal for ship in sheet.ships]
                undock(turn.state, ships)
                _set_sail(turn.state, ships)
                waved[side] += 1
                caught = sorted(ship for sheet in own if sheet.to == goal for ship in sheet.line.caught)
                fresh.append(Wave(race=side, number=waved[side], units=sorted(ships), to=goal, caught=caught))
                carriers = sorted(ship for sheet in own if sheet.to == goal for ship in sheet.line.left)
                left = [_leave_fighters(turn.state, hex_id, ship, ways.at) for ship in carriers]
                forces[side] = [unit for unit in forces[side] if unit.id not in ships] + left
            if not own:
                staying.append(side)
        if not fresh:
            break
        for wave in fresh:
            _reveal(place, hex_id, wave, pair, at=ways.at)
        yield from _pursuit_steps(place, hex_id, pair, fresh, forces)
        here.waves += fresh
        number += 1
    for wave in list(here.waves):
        place, hunter = turn.at("run", wave.number, wave.race), _other(pair, wave.race)
        yield from _resolve_steps(place, hex_id, wave, hunter, at=ways.at, sortie=sortie)
    waves, here.waves = here.waves, []
    return waves


def _of(units: list[Unit], race: Side) -> list[Unit]:
    return [unit for unit in units if unit.race == race]


@rule("3.5.8")
def _leave_fighters(state: CutlerState, hex_id: HexId, carrier: str, place: str) -> Unit:
    """What an escaping carrier leaves behind. 3.5.8, CU-R75"""
    return launch(state.fights[hex_id], state.units[carrier], state.units[carrier].fighters, place)


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
    words = tacintel.in_words(owners_of(state, units), units)
    start = f" from {ground.named(at).name}" if at else ""
    goal = f" Towards {ground.named(wave.to).name}." if wave.to else ""
    text = f"Escape wave {wave.number} in {hex_id}{start}: {words}.{goal}"
    turn.tell(state.fights[hex_id].force_of(_other(pair, wave.race)), text, kind="combat", why=because("3.3.3, CU-R49"))


def _wave_ask(
    state: CutlerState, race: Side, hex_id: HexId, number: int, force: list[Unit], *, ways: WaysOut, side: Side
) -> Ask[WaveSheet]:
    here = state.fights[hex_id]
    docked = docked_on(state, force)
    able = [unit for unit in [*force, *docked] if may_escape(unit)]
    ships = tuple(
        Choice(value=unit.id, label=f"{unit.title}, docked" if unit.docked_at else unit.title) for unit in able
    )
    fields = [Field(key="ships", label="Ships that run", kind="many", choices=ships, value=[], optional=True)]
    goals = {one.key: one.name for one in ways.goals_of(side)}
    if goals:
        to = (Choice(AWAY, "To avoid all combat"), *(Choice(key, f"To {name}") for key, name in goals.items()))
        fields.append(Field(key="to", label="Where to", kind="one", choices=to, value=AWAY))
    carriers = [unit for unit in able if ways.at and unit.fighters]
    if carriers:
        left = tuple(Choice(unit.id, unit.title, f"{unit.fighters} fighters") for unit in carriers)
        fields.append(Field("left", "Carriers that leave their fighters here", "many", left, value=[], optional=True))
    pfs = {unit.id: unit for unit in docked}
    if pfs:
        of = tuple(Choice(unit.id, unit.title) for unit in docked)
        fields.append(Field("launch", "PFs that leave their docks and stay", "many", of, value=[], optional=True))
        fields.append(Field("caught", "PFs that do so if the wave is caught", "many", of, value=[], optional=True))
    names = {unit.id: unit.title for unit in able} | {unit.id: unit.title for unit in docked}

    def read(sheet: WaveSheet) -> list[str]:
        stay = [f"{names[ship]} leaves its dock and stays." for ship in sheet.line.launch]
        if not sheet.ships:
            return ["Nobody runs.", *stay]
        goal = f" to {goals[sheet.to]}" if sheet.to else ""
        said = [f"Runs{goal}: {', '.join(names[ship] for ship in sheet.ships)}."]
        said += [f"{names[ship]} leaves its fighters behind." for ship in sheet.line.left]
        return said + stay + [f"{names[ship]} leaves its dock if they are caught." for ship in sheet.line.caught]

    text = "Which ships try to get away? An empty wave is your last; the rest stand for the main battle."
    if goals:
        text += " A wave that tries to reach a terrain feature fights there; this cannot be taken back (3.5.5)."
    return Ask(
        kind="wave",
        parties=(race,),
        title=f"{hex_id}: escape wave {number}" + (f" from {here.ground.named(ways.at).name}" if ways.at else ""),
        text=text,
        question=Question(f"Who runs in {hex_id}?", "Ships that do not run stand for the main battle.", (hex_id,)),
        model=WaveSheet,
        form=Form(lines=(Line(key="wave", label=f"Wave {number}", fields=tuple(fields)),)),
        rule="3.3.2, 3.3.3",
        default=WaveSheet({"wave": WaveLine()}),
        default_says="Nobody runs.",
        pace="decision",
        check=lambda sheet: [
            *_judge_wave(sheet, [unit.id for unit in able], goals, [one.id for one in carriers], why_not=ways.why_not),
            *judge_docked_in_wave(sheet.line, pfs),
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
    fought = [here.ground.where_fought(ship) for ship in sheet.ships]
    return [
        illegal("this ship has fought at another feature in this impulse", "3.5.6", "wave.ships", legal=place)
        for place in fought
        if sheet.to and place not in ("", sheet.to)
    ]


# --- pursuit ---------------------------------------------------------------------------------------------------------


@rule("3.3.4", "3.3.6", "3.3.7.3", "3.3.7.7", "3.3.7.10")
def _pursuit_steps(
    turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side], fresh: list[Wave], forces: Forces
) -> Steps[None]:
    """Ask for groups to pursue the waves just revealed; an empty wave is not pursued. Pursuers are taken from those
    who fight otherwise, and are not called back: of several waves of one side each is asked about by itself.

    3.3.4, 3.3.6, 3.3.7.3, 3.3.7.7, 3.3.7.10, CU-R54
    """
    state, here = turn.state, turn.state.fights[hex_id]
    for number, waves in enumerate(_one_of_each_side(fresh), 1):
        hunts = [
            (wave, race, able)
            for wave in waves
            for race in here.force_of(_other(pair, wave.race))
            if (able := hunters(_of(forces[_other(pair, wave.race)], race)))
        ]
        # Docked PFs are sent as fighters are that are aboard. Who has nobody else to send is not asked for their sake.
        hunts = [
            (wave, race, [*able, *filter(may_run, docked_on(state, _of(forces[_other(pair, wave.race)], race)))])
            for wave, race, able in hunts
        ]
        asks = [_pursuit_ask(state, hex_id, wave, race, able) for wave, race, able in hunts]
        place = turn.at("pursuit") if number == 1 else turn.at("pursuit", number)
        ordered = [
            pursuit_decisions(state, race, hex_id, able, wave=wave.number, runners=len(wave.units))
            for wave, race, able in hunts
        ]
        sheets = yield from ask_or_obey_steps(place, asks, ordered)
        for (wave, _, able), sheet in zip(hunts, sheets, strict=True):
            _send_after(state, here, wave, able, sheet)
        for wave in waves:
            hunter = _other(pair, wave.race)
            chasing = {ship for ships in wave.pursuit.values() for ship in ships}
            _set_sail(state, sorted(chasing))
            forces[hunter] = [unit for unit in forces[hunter] if unit.id not in chasing]
    for wave in fresh:
        for group, ships in wave.in_order():
            chasers = [state.fighting(hex_id, ship) for ship in ships]
            words = tacintel.in_words(owners_of(state, chasers), chasers)
            text = f"Pursuit of wave {wave.number} in {hex_id}, group {group}: {words}."
            turn.tell(here.force_of(wave.race), text, kind="combat", why=because("3.3.4, CU-R49"))


def _one_of_each_side(fresh: Sequence[Wave]) -> list[list[Wave]]:
    """The first wave of each side, then the second: a force whose races run to different goals has several."""
    rounds: list[list[Wave]] = []
    for wave in fresh:
        free = next((waves for waves in rounds if all(one.race != wave.race for one in waves)), None)
        if free is None:
            rounds.append([wave])
        else:
            free.append(wave)
    return rounds


def _send_after(state: CutlerState, here: Fight, wave: Wave, able: list[Unit], sheet: GroupSheet) -> None:
    """Put what one race sends after a wave into its groups; fighters aboard take off."""
    ready = {unit.id: unit for unit in able}
    undock(state, sheet.groups())
    for group, ship in sorted((group, ship) for ship, group in sheet.groups().items()):
        wave.pursuit.setdefault(str(group), []).append(ship)
        if ship.endswith(ABOARD) and ship not in here.flights:
            here.flights[ship] = ready[ship]
            here.ground.carriers[ship] = ship.removesuffix(ABOARD)
            take_off(state.units[ship.removesuffix(ABOARD)], ready[ship].fighters)


def _pursuit_ask(state: CutlerState, hex_id: HexId, wave: Wave, hunter: Side, able: list[Unit]) -> Ask[GroupSheet]:
    most = most_groups(state, hex_id, hunter, able)
    units = [state.units[key] for key in wave.units]
    words = tacintel.in_words(owners_of(state, units), units)
    goal = f"reach {state.fights[hex_id].ground.named(wave.to).name}" if wave.to else "get away"
    run = f"{words} {'tries' if len(wave.units) == 1 else 'try'} to {goal}"
    return Ask(
        kind="pursuit",
        parties=(hunter,),
        title=f"{hex_id}: pursuit of wave {wave.number}",
        text=f"{run}. Ships sent after them fight nobody else of that race; it cannot be called off.",
        question=Question(f"Pursuit in {hex_id}?", f"{run}.", (hex_id,), noun="unit"),
        model=GroupSheet,
        form=group_form(able, "Pursuit", "Stays", most=most),
        rule="3.3.4, 3.3.7.7",
        default=GroupSheet({}),
        default_says="Nobody pursues.",
        pace="decision",
        check=lambda sheet: judge_groups(able, sheet, "3.3.4, CU-R54", fighters="3.3.2, CU-R53", most=most),
        read_back=lambda sheet: read_groups(able, sheet, "pursues", "Nobody pursues."),
    )


# --- escape rolls ----------------------------------------------------------------------------------------------------


@rule("3.3.7.1", "3.3.7.2", "3.3.7.5", "3.3.7.6", "3.3.7.8", "3.3.7.9", "3.5.5.1")
def _resolve_steps(turn: CutlerTurn, hex_id: HexId, wave: Wave, hunter: Side, *, at: str, sortie: bool) -> Steps[None]:
    """Each group in turn: escape at 3 or less, or an escape battle at once. Units that escape are safe this impulse,
    from a sortie only until combat, or are at the feature that they tried to reach.

    3.3.7.1, 3.3.7.2, 3.3.7.5, 3.3.7.6, 3.3.7.8, 3.3.7.9, 3.5.5.1, CU-R59
    """
    state, here = turn.state, turn.state.fights[hex_id]
    pair = (wave.race, hunter)
    seen_by = here.races_of(*pair)
    name = state.names_of(here.force_of(wave.race))
    for group, ships in wave.in_order():
        running = _still_running(state, here, wave, hunter)
        chasing = [state.fighting(hex_id, ship) for ship in ships]
        if not running:
            break
        mods = escape_modifiers(state, hex_id, running, chasing, at=at)
        die = turn.roll(f"escape from group {group}", faces=6, seen_by=seen_by)
        total = die.total + sum(mods.values())
        away = total <= ESCAPE_LIMIT
        inputs = {**{cause: f"{value:+d}" for cause, value in mods.items()}, "result": total, "escapes at": "3 or less"}
        text = f"Wave {wave.number} of the {name} in {hex_id} " + (
            f"gets away from group {group}." if away else f"is caught by group {group}."
        )
        turn.tell(seen_by, text, kind="combat", why=because("3.3.7.1, CU-R55", inputs, [die]))
        if not away:
            pfs = undock(state, [pf for pf in wave.caught if state.units[pf].docked_at in wave.units])
            wave.units += [pf.id for pf in pfs]
            running += pfs
            yield from escape_battle_steps(
                turn.at("battle", group), hex_id, pair, {wave.race: running, hunter: chasing}
            )
    for unit in [] if sortie else _still_running(state, here, wave, hunter):
        if wave.to:
            unit.escaped_to = wave.to
            here.ground.places[unit.id] = wave.to
        else:
            unit.escaped_from = [*unit.escaped_from, *here.force_of(hunter)]


def _still_running(state: CutlerState, here: Fight, wave: Wave, hunter: Side) -> list[Unit]:
    return [
        unit
        for key in wave.units
        if not (unit := state.units[key]).destroyed
        and unit.race in here.force_of(wave.race)
        and hunter not in unit.disengaged_from
    ]
