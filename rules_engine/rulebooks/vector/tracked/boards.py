"""What may be seen of a tracked battle: all that is there, and of its own units what a side alone knows. VM-R38,
VM-N63"""

from collections.abc import Iterable

from rules_engine.core.basics.base import Party, Side, SideLabel
from rules_engine.core.knowledge.tactical_scene import TacticalScene, TacticalUnit
from rules_engine.core.knowledge.views import Board, Panel
from rules_engine.core.tactics.battles import TacticalBattle, TacticalGroundPiece, TacticalShip
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import by_code
from rules_engine.rulebooks.vector.shown.boards import board_of
from rules_engine.rulebooks.vector.shown.scenes import approaches, scene_for
from rules_engine.rulebooks.vector.shown.units import say_energy, say_unit
from rules_engine.rulebooks.vector.tracked.beginning import MARKS
from rules_engine.rulebooks.vector.tracked.moments import now
from rules_engine.rulebooks.vector.tracked.state import TrackedState


def side_board(state: TrackedState, battle: TacticalBattle, side: Side) -> Board:
    """What a party may see: all that is there, energy and invented figures of its own, and its own units that are still
    to come. VM-R38"""
    own = [one for one in _units(state) if one.side == side]
    rows = [*(f"{say_unit(one)}; energy left: {say_energy(one)}" for one in own), *_to_come(state, battle, {side})]
    return _board(state, battle, side, panels=[Panel(title="Your units", rows=tuple(rows))])


def common_board(state: TrackedState, battle: TacticalBattle) -> Board:
    """What all parties may see."""
    rows = tuple(map(say_unit, _units(state)))
    return _board(state, battle, None, panels=[Panel(title="Units", rows=rows)] if rows else [])


def omniscient_board(state: TrackedState, battle: TacticalBattle) -> Board:
    """All of it."""
    rows = [f"{say_unit(one)}; energy left: {say_energy(one)}" for one in _units(state)]
    rows += _to_come(state, battle, {*battle.sides})
    return _board(state, battle, None, panels=[Panel(title="All units", rows=tuple(rows))], knows_all=True)


def _units(state: TrackedState) -> list[VectorShip]:
    return sorted(state.battle.present(), key=lambda one: (state.battle.sides.index(one.side), by_code(one.id)))


def _to_come(state: TrackedState, battle: TacticalBattle, sides: set[Side]) -> list[str]:
    """Units of these sides that are not placed yet."""
    return [
        f"{one.code} {one.name} {f'arrives on turn {one.arrives}' if one.arrives else 'is to be set up'}"
        for one in battle.ships
        if one.side in sides and one.code not in state.battle.units
    ]


def _board(
    state: TrackedState, battle: TacticalBattle, side: Side | None, *, panels: list[Panel], knows_all: bool = False
) -> Board:
    units, moment = _units(state), now(state)
    labels = tuple(state.labels) or tuple(SideLabel(key=one, name=one, emblem=one[:1].upper()) for one in battle.sides)
    parties = tuple(Party(label=label, seat=seat) for seat, label in enumerate(labels))
    scene = scene_for(
        state.battle,
        units,
        parties,
        reader=side,
        title=battle.title,
        under=_filled(battle),
        knows_all=knows_all,
        news=tuple(approaches(state.battle, units, side, knows_all=knows_all)),
    )
    rows = tuple(battle.notes) + tuple(map(_say_ground, _unmarked(battle)))
    notes = [Panel(title="Of this battle", rows=rows)] if rows else []
    return board_of(
        state.battle,
        units,
        _with_remarks(state, battle, scene, side, knows_all=knows_all),
        title=battle.title,
        sides=labels,
        when=moment,
        heading=f"{battle.title}: {moment.label[:1].lower()}{moment.label[1:]}",
        turn=f"Turn {max(1, state.battle.turn)}",
        is_set_up=bool(state.battle.turn) and not state.begun,
        panels=(*panels, *notes),
    )


def _unmarked(battle: TacticalBattle) -> list[TacticalGroundPiece]:
    """Ground that no sign on the map stands for: what fills the whole sheet, and what is of another kind."""
    return [one for one in battle.ground if not one.hexes or one.kind not in MARKS]


def _filled(battle: TacticalBattle) -> str:
    return ", ".join(dict.fromkeys(one.name or one.kind for one in _unmarked(battle)))


def _say_ground(piece: TacticalGroundPiece) -> str:
    name = piece.name or piece.kind.capitalize()
    return f"{name} in {', '.join(piece.hexes)}" if piece.hexes else f"{name} fills the sheet"


def _with_remarks(
    state: TrackedState, battle: TacticalBattle, scene: TacticalScene, side: Side | None, *, knows_all: bool
) -> TacticalScene:
    """A scene with what the book says of its units: weapons and damage to all, invented figures to their own side."""
    units: list[TacticalUnit] = []
    for one in scene.units:
        ship, invented = battle.ship(one.code), state.invented.get(one.code, [])
        is_own = knows_all or one.side == side
        more = [
            *_remarks(ship, fixed=one.code in state.battle.fixed),
            *([f"invented: {', '.join(invented)}"] if invented and is_own else []),
        ]
        units.append(one.with_values(whole=ship.left, remarks=(*one.remarks, *more)))
    return scene.with_values(units=tuple(units))


def _remarks(ship: TacticalShip, *, fixed: bool) -> Iterable[str]:
    if ship.weapon_status is not None:
        yield f"WS {ship.weapon_status}"
    if fixed:
        yield "stays where it is"
