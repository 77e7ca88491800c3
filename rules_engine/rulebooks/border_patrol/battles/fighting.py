"""Step 4A4: which hexes are battle hexes, their sheets, and the accounts of both Teams."""

from rules_engine.core.basics.base import HexId, Party, Side, SideLabel
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.battle_scene import (
    BattleFigure,
    BattleForce,
    BattleScene,
    BattleStart,
    BattleUnit,
)
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.accounts import HOW_IT_ENDED
from rules_engine.core.protocol.asks import SETTLED_BY, Ask, BattleSetup, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.tactics.describing import described
from rules_engine.rulebooks.border_patrol.battles.monsters import (
    code_of_monster,
    fought_by_hand,
    side_of,
    who_plays,
)
from rules_engine.rulebooks.border_patrol.battles.outcome import carry_out
from rules_engine.rulebooks.border_patrol.battles.results import (
    BattleResult,
    agree,
    battle_guide,
    judge_account,
    line_text,
    result_form,
    unit_of,
)
from rules_engine.rulebooks.border_patrol.battles.tactics import tactics_of
from rules_engine.rulebooks.border_patrol.battles.unsettled import stated_end
from rules_engine.rulebooks.border_patrol.ch40_emergency.overhauls import break_off
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import STATUS_BONUS, weapon_status
from rules_engine.rulebooks.border_patrol.records.battles import Battle
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.stacks import is_seen


def battle_hexes(state: BorderState) -> list[HexId]:
    """Hexes that somebody entered in this phase, and where units of both Teams stand open on the map, or of one with a
    monster that is fought by hand. BP-N26, BP-N31"""
    found: list[HexId] = []
    for hex_id in sorted({*state.now.entered}):
        teams = {unit.team for unit in present(state, hex_id)}
        if len(teams) == len(state.teams) or (teams and fought_by_hand(state, hex_id)):
            found.append(hex_id)
    return found


def present(state: BorderState, hex_id: HexId) -> list[Unit]:
    """The units of Teams that fight in a hex: all that stand open on the map. BP-N26"""
    return [unit for unit in state.units_in(hex_id) if unit.team and is_seen(unit)]


def battles_steps(turn: BorderTurn) -> Steps[None]:
    """Fight in all battle hexes side by side; what comes of each is carried out when all are settled."""
    state = turn.state
    hexes = battle_hexes(state)
    for hex_id in hexes:
        _open(turn, hex_id)
    settled = yield from turn.parting_steps(dict.fromkeys(hexes, turn.sides), _fight_steps)
    for hex_id, (result, how) in settled.items():
        carry_out(turn.at("outcome", hex_id), state.battles.pop(hex_id), result, how)
    if hexes:
        turn.show_maps()


@rule("V8.65", "V8.45")
def _open(turn: BorderTurn, hex_id: HexId) -> None:
    """Name the units of a battle by neutral codes, the largest first, and roll the Weapon Status of each: four more for
    those that lie in wait, none for those under overhaul. V8.65, V8.45, BP-R37, BP-R55"""
    state = turn.state
    battle = Battle(hex=hex_id)
    for team in state.teams.values():
        own = [unit for unit in present(state, hex_id) if unit.team == team.id]
        ranked = sorted(own, key=lambda unit: (unit.size_class, unit.name, unit.id))
        for number, unit in enumerate(ranked, 1):
            code = f"{team.emblem}U{number}"
            battle.lines[code] = unit.id
            if unit.overhaul_at:
                battle.status[code] = 0
                continue
            place = turn.at("status", hex_id)
            roll = place.roll(f"Weapon Status of {unit.name}", faces=6, key=code, seen_by=[team.id])
            battle.status[code] = weapon_status(roll.total, by_reaction=unit.reacting)
            battle.rolled[code] = f"1D6: {roll.total}" + (f" + {STATUS_BONUS} in wait" if unit.reacting else "")
    monsters = fought_by_hand(state, hex_id)
    if monsters:
        battle.played_by = who_plays(state, sorted({unit.team for unit in present(state, hex_id)}))
        battle.lines |= {code_of_monster(state, number): unit.id for number, unit in enumerate(monsters, 1)}
    state.battles[hex_id] = battle
    for unit in state.units_in(hex_id):
        break_off(unit)
    turn.tell_all(f"A battle hex: {hex_id}.", kind="battle", why=because("BP-N26"))


def _fight_steps(turn: BorderTurn, hex_id: str) -> Steps[tuple[BattleResult, str]]:
    """Ask both Teams for the account of a battle: what they agree on, and how it was settled."""
    state = turn.state
    battle = state.battles[hex_id]
    form = result_form(state, battle)
    tactics = described(lambda: tactics_of(state, battle, terrain_of(state, hex_id)))
    ask: Ask[BattleResult] = Ask(
        kind="battle",
        parties=turn.sides,
        title=f"Result of the battle in {hex_id}",
        text="Fight it out by the sheet. Then both Teams report every unit; the reports must agree line by line.",
        model=BattleResult,
        form=form,
        rule="G-6",
        pace="battle",
        check=lambda result: judge_account(state, battle, result),
        read_back=lambda result: [line_text(state, battle, code, line) for code, line in result.root.items()],
        agree=lambda accounts: agree(state, battle, accounts),
        setup=_setup(turn, battle),
        guide=battle_guide(state, battle, form),
        ends=stated_end(state, battle, form),
        tactics=tactics.tactics,
        untracked=tactics.untracked,
        question=Question(f"Battle in {hex_id}", HOW_IT_ENDED, hexes=(hex_id,)),
        set_up_from=frozenset({f"battles.{hex_id}", *(f"units.{key}" for key in battle.lines.values())}),
    )
    result = yield from turn.ask_steps(ask)
    return result, SETTLED_BY[turn.settlement("battle", turn.sides)]


def _setup(turn: BorderTurn, battle: Battle) -> BattleSetup:
    """The sheet of a battle: both see all units, each its own Weapon Status and what is left of them."""
    state = turn.state
    units = {code: unit_of(state, battle, code) for code in battle.lines}
    names = " against ".join(_fighters(state, battle, units))
    ground = terrain_of(state, battle.hex)
    panels = [Panel(title="Ground", rows=(ground,))]
    panels += [
        Panel(title=team.name, rows=tuple(_shown(code, unit) for code, unit in units.items() if unit.team == team.id))
        for team in state.teams.values()
    ]
    if monsters := [_shown(code, unit) for code, unit in units.items() if not unit.team]:
        played = f"Nobody's, played by the {state.teams[battle.played_by].name}"
        panels.append(Panel(title=played, rows=tuple(monsters)))
    return BattleSetup(
        key=turn.place,
        title=f"Battle in {battle.hex}: {names}",
        where=f"{battle.hex}, turn {state.turn}, phase {state.now.phase}",
        panels=tuple(panels),
        secret={team: (_own_panel(battle, units, team),) for team in state.teams},
        scene=_scene(state, battle, units, ground),
    )


def _fighters(state: BorderState, battle: Battle, units: dict[str, Unit]) -> list[str]:
    """Who fights whom: Teams that have units there, and monsters by name."""
    teams = [team.name for team in state.teams.values() if any(unit.team == team.id for unit in units.values())]
    return [*teams, *(unit.name for unit in units.values() if not unit.team)]


@rule("T8.730")
def terrain_of(state: BorderState, hex_id: HexId) -> str:
    """What ground a battle in a hex has: an ion storm where one stands, or showed units under cloak; who was turned up
    otherwise tells of none. T8.730, BP-R61"""
    stormy = any(storm.hex == hex_id for storm in state.storms.values())
    shown = any(unit.turned_up == "storm" for unit in state.units_in(hex_id))
    return "ion storm" if stormy or shown else state.terrain.get(hex_id, "open space")


def _shown(code: str, unit: Unit) -> str:
    more = [word for word, true in (("crippled", unit.crippled), ("in tow", bool(unit.towed_by))) if true]
    said = ", ".join([unit.ship_class, f"Size Class {unit.size_class}", f"BPV {unit.bpv}", *more])
    return f"{code} {unit.name}: {said}"


def _own_panel(battle: Battle, units: dict[str, Unit], team: Side) -> Panel:
    rows = [
        f"{code} {unit.name}: Weapon Status {battle.status[code]}{_rolled(battle, code)}, warp {unit.warp_ok} of "
        f"{unit.warp_original}, Damage Control Rating {unit.dcr}, {counted(unit.tractors_ok, 'tractor beam')}"
        for code, unit in units.items()
        if unit.team == team
    ]
    return Panel(title=f"Your units in {battle.hex}", rows=tuple(rows))


def _rolled(battle: Battle, code: str) -> str:
    return f" ({battle.rolled[code]})" if code in battle.rolled else ""


def _does(units: dict[str, Unit], team: Side) -> str:
    """What a Team does in a battle: it fights, or plays a monster alone."""
    if any(unit.team == team for unit in units.values()):
        return "fights"
    return f"plays the {next(unit.name for unit in units.values() if not unit.team)}"


def _scene(state: BorderState, battle: Battle, units: dict[str, Unit], ground: str) -> BattleScene:
    labels = [SideLabel(key=team.id, name=team.name, emblem=team.emblem) for team in state.teams.values()]
    return BattleScene(
        title=f"Battle in {battle.hex}",
        when=f"Turn {state.turn} · phase {state.now.phase}",
        parties=tuple(Party(label=label, seat=seat) for seat, label in enumerate(labels)),
        forces=tuple(BattleForce(sides=(label.key,), does=_does(units, label.key)) for label in labels),
        start=BattleStart(feature="" if ground == "open space" else ground),
        remark="" if ground == "open space" else f"The ground: {ground}",
        columns=("Size Class", "BPV"),
        units=tuple(
            BattleUnit(
                code=code,
                side=side_of(battle, unit),
                kind=f"{unit.name}, {unit.ship_class}" if unit.team else unit.name,
                under="crippled" if unit.crippled else "",
                cells=(BattleFigure(says=str(unit.size_class)), BattleFigure(says=str(unit.bpv))),
            )
            for code, unit in units.items()
        ),
    )
