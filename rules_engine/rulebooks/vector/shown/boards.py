"""What may be seen of a duel: own ships, and all that is there once the set-up is revealed. VM-R38"""

from rules_engine.core.basics.base import Party, Side, SideLabel, When
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.knowledge.glance import LONGEST_FACT, Header, News
from rules_engine.core.knowledge.tactical_scene import TacticalNews, TacticalScene
from rules_engine.core.knowledge.views import Board, Counter, HexNote, Panel
from rules_engine.rulebooks.vector.campaign.victory import say_score
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.shown.news import map_news
from rules_engine.rulebooks.vector.shown.scenes import scene_for
from rules_engine.rulebooks.vector.shown.units import all_units, say_energy, say_unit, seen_units

TITLE = "Inertial vectors"


def labels(state: VectorState) -> tuple[SideLabel, ...]:
    """The captains."""
    return tuple(SideLabel(key=one.id, name=one.name, emblem=one.emblem) for one in state.captains.values())


def side_board(state: VectorState, side: Side) -> Board:
    """What one captain may see. VM-R38"""
    own = [one for one in seen_units(state, side) if one.side == side]
    rows = tuple(f"{say_unit(one)}; energy left: {say_energy(one)}" for one in own)
    return _board(state, seen_units(state, side), side, panels=(Panel(title="Your ships", rows=rows),))


def public_board(state: VectorState) -> Board:
    """What anybody may see. VM-R38"""
    units = seen_units(state, None)
    invented = (", ".join(state.invented),) if state.invented else ()
    panels = (*_panel("Invented figures", invented), *_panel("Ships", tuple(map(say_unit, units))))
    return _board(state, units, panels=panels)


def omniscient_board(state: VectorState) -> Board:
    """Everything."""
    rows = tuple(f"{say_unit(one)}; energy left: {say_energy(one)}" for one in all_units(state))
    return _board(state, all_units(state), knows_all=True, panels=(Panel(title="All ships", rows=rows),))


def now(state: VectorState) -> When:
    """The moment."""
    battle = state.battle
    step = 0 if not state.revealed else 1 + battle.impulse
    return When(turn=max(1, battle.turn), step=step, label=say_now(state))


def say_now(state: VectorState) -> str:
    """The moment in words."""
    battle = state.battle
    if not state.revealed or not battle.turn:
        return f"Turn 1 of {state.turns}, set-up"
    if battle.impulse == IMPULSES:
        return f"Turn {battle.turn} of {state.turns}, end"
    where = f"after impulse {battle.impulse}" if battle.impulse else "before impulse 1"
    return f"Turn {battle.turn} of {state.turns}, {where}"


def scene_of(
    state: VectorState, units: list[VectorShip], side: Side | None = None, *, knows_all: bool = False
) -> TacticalScene:
    """A duel's scene of these units."""
    parties = tuple(Party(label=label, seat=seat) for seat, label in enumerate(labels(state)))
    return scene_for(
        state.battle,
        units,
        parties,
        reader=side,
        title=state.title,
        under=state.under,
        turns=state.turns,
        knows_all=knows_all,
        news=map_news(state, units, side, knows_all=knows_all),
    )


def _board(
    state: VectorState,
    units: list[VectorShip],
    side: Side | None = None,
    *,
    panels: tuple[Panel, ...] = (),
    knows_all: bool = False,
) -> Board:
    scores = tuple(f"{one.name}: {say_score(state, one)}" for one in state.captains.values())
    return board_of(
        state.battle,
        units,
        scene_of(state, units, side, knows_all=knows_all),
        title=state.title,
        sides=labels(state),
        when=now(state),
        turn=f"Turn {max(1, state.battle.turn)} of {state.turns}",
        is_set_up=state.revealed,
        panels=(*panels, Panel(title="Score", rows=scores)),
    )


def board_of(
    battle: Tactical,
    units: list[VectorShip],
    scene: TacticalScene,
    *,
    title: str,
    sides: tuple[SideLabel, ...],
    when: When,
    turn: str,
    is_set_up: bool,
    panels: tuple[Panel, ...],
    heading: str = "",
) -> Board:
    """The board of a battle with these units, whoever it belongs to. ``turn`` names it in words, ``heading`` the moment
    where that is not ``when``'s label."""
    named = [one for one in battle.terrain if one.name]
    places = dict.fromkeys([*(one.at for one in units), *(one.hexes[0] for one in battle.terrain)])
    return Board(
        campaign=title,
        rulebook=TITLE,
        heading=heading or when.label,
        when=when,
        sides=sides,
        grid=Space(hexes=tuple(places)),
        hexes=tuple(HexNote(hex=one.hexes[0], terrain=one.kind, name=one.name) for one in named),
        counters=tuple(_counter(one) for one in units),
        panels=panels,
        header=Header(
            scenario=title,
            steps=tuple(_pieces(battle)),
            step=_step(battle) if is_set_up else None,
            turn=turn,
            day=when.label.partition(", ")[2],
        ),
        news=tuple(_news(one, units) for one in scene.news),
        tactical=scene,
    )


def _panel(title: str, rows: tuple[str, ...]) -> tuple[Panel, ...]:
    return (Panel(title=title, rows=rows),) if rows else ()


def _counter(ship: VectorShip) -> Counter:
    motion = ship.vector.says if ship.vector.speed else "at rest"
    return Counter(
        id=ship.id,
        hex=ship.at,
        owner=ship.side,
        form=ship.figures.form,
        label=ship.id,
        sub=f"{motion}, faces {ship.facing}",
        details=(f"{ship.name}, {ship.class_id}",),
        ships=1,
    )


def _news(said: TacticalNews, units: list[VectorShip]) -> News:
    """A numbered sentence of a scene as one of its board."""
    first = next(one for one in units if one.id == said.codes[0])
    return News(hexes=(first.at,), title=f"{first.id} in {first.at}", fact=said.says[:LONGEST_FACT])


def _pieces(battle: Tactical) -> list[str]:
    """The pieces of a turn by their impulses."""
    ends = battle.options.ends
    starts = (1, *(end + 1 for end in ends))
    return [f"{start}-{end}" for start, end in zip(starts, ends, strict=False)]


def _step(battle: Tactical) -> int | None:
    """Which piece is plotted now; none at a turn's end."""
    if battle.impulse == IMPULSES:
        return None
    return next(place for place, end in enumerate(battle.options.ends) if end > battle.impulse)
