"""What may be seen: own groups wherever they are, others where own units are, of the map what is known. JL-R42"""

from collections.abc import Iterator

from rules_engine.core.basics.base import Side, SideLabel, When
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import Figure, Header, LaneTransit, Tally
from rules_engine.core.knowledge.views import (
    STANDING_ORDERS,
    Board,
    Counter,
    Course,
    Glimpse,
    HexNote,
    Knowledge,
    Panel,
    contact_counters,
)
from rules_engine.rulebooks.jump_lanes.records.places import system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.shown.maps import ShownMap, public_map, side_map, whole_map
from rules_engine.rulebooks.jump_lanes.shown.news import map_news
from rules_engine.rulebooks.jump_lanes.shown.pieces import (
    battle_counters,
    colony_rows,
    courses,
    group_counters,
    notes,
    transits,
)
from rules_engine.rulebooks.jump_lanes.shown.units import fights, say_route, say_squadron, say_trade
from rules_engine.rulebooks.jump_lanes.sightings import MET, SEEN, systems_held, units_seen

TITLE = "Jump lanes"
GHOST_TURNS = 4
"""Turns after which a group that was lost from sight is shown no more."""
GRADES = {SEEN: 1, MET: 4}


def labels(state: LanesState) -> tuple[SideLabel, ...]:
    """The empires."""
    return tuple(SideLabel(key=one.id, name=one.name, emblem=one.emblem) for one in state.empires.values())


@rule("13.1.6", "13.2")
def side_board(state: LanesState, side: Side, knowledge: Knowledge) -> Board:
    """What one empire may see. 13.1.6, 13.2, JL-R42"""
    shown = side_map(state, side)
    contacts = _contacts(state, side, knowledge)
    return _board(
        state,
        side,
        shown=shown,
        knowledge=knowledge,
        counters=(*group_counters(state, side, shown), *contacts, *battle_counters(state, shown, side)),
        routes=tuple(courses(state, side)),
        jumps=tuple(transits(state, side, shown)),
        places=tuple(notes(state, shown, side, knowledge)),
        panels=(
            Panel(title="Squadrons", rows=tuple(say_squadron(state, one) for one in state.squadrons_of(side))),
            Panel(title="Colonies", rows=colony_rows(state, side)),
            Panel(title=STANDING_ORDERS, rows=_standing(state, side)),
            Panel(title="Score", rows=(f"{state.empires[side].name}: {counted(state.empires[side].score, 'point')}",)),
        ),
        score=_score(state, side),
    )


def _contacts(state: LanesState, side: Side, knowledge: Knowledge) -> Iterator[Counter]:
    """Others' groups. What is held is in sight now, however long ago it was told; what was lost in a system in which
    own units are is known to be there no more."""
    found = contact_counters(
        knowledge,
        now(state, side),
        grade_of=lambda level: GRADES.get(level, 1),
        changed_since=When(turn=state.turn),
        ghost_turns=GHOST_TURNS,
        ships_in=_ships_in,
    )
    here = systems_held(state, side)
    for one in found:
        if one.live:
            yield one.model_copy(update={"age": 0})
        elif system_of(one.hex) not in here:
            yield one


@rule("13.5.2")
def public_board(state: LanesState) -> Board:
    """What anybody may see: surveys, which all know. 13.5.2, JL-R41"""
    shown = public_map(state)
    places = tuple(HexNote(hex=one.id, name=one.name) for one in shown.chart.systems)
    return _board(state, shown=shown, places=places, panels=_invented(state))


def omniscient_board(state: LanesState) -> Board:
    """Everything."""
    shown = whole_map(state)
    panels = [
        Panel(
            title=f"Squadrons of {one.name}", rows=tuple(say_squadron(state, own) for own in state.squadrons_of(one.id))
        )
        for one in state.empires.values()
    ]
    score = tuple(f"{one.name}: {counted(one.score, 'point')}" for one in state.empires.values())
    return _board(
        state,
        shown=shown,
        counters=(
            *(one for empire in state.empires for one in group_counters(state, empire, shown)),
            *battle_counters(state, shown),
        ),
        routes=tuple(one for empire in state.empires for one in courses(state, empire)),
        jumps=tuple(one for empire in state.empires for one in transits(state, empire, shown)),
        places=tuple(notes(state, shown)),
        panels=(*panels, Panel(title="Score", rows=score), *_invented(state)),
    )


def now(state: LanesState, side: Side | None = None) -> When:
    """The moment, as it is shown to an empire, or to nobody in particular."""
    step = int(side is not None and fights(state, side))
    return When(turn=max(1, state.turn), step=step, label=f"Turn {state.turn} of {state.turns}")


def _board(
    state: LanesState,
    side: Side | None = None,
    *,
    shown: ShownMap,
    knowledge: Knowledge | None = None,
    counters: tuple[Counter, ...] = (),
    routes: tuple[Course, ...] = (),
    jumps: tuple[LaneTransit, ...] = (),
    places: tuple[HexNote, ...] = (),
    panels: tuple[Panel, ...] = (),
    score: str = "",
) -> Board:
    when, sides, chart = now(state, side), labels(state), shown.chart
    news = map_news(state, side, chart, counters=counters, notes=places, jumps=jumps, knowledge=knowledge, owners=sides)
    tallies = [Tally(owner=key, count=_held(places, key)) for key in state.empires]
    known = tuple(one for one in tallies if one.count)
    told = [score, f"{counted(len(chart.uncharted), 'lane')} unexplored"] if side is not None else []
    return Board(
        campaign=state.title,
        rulebook=TITLE,
        heading=when.label,
        when=when,
        sides=sides,
        grid=chart,
        hexes=places,
        counters=counters,
        courses=routes,
        transits=jumps,
        panels=panels,
        header=Header(
            scenario=state.title,
            turn=when.label,
            day="battles" if when.step else "orders",
            tallies=known,
            tallied="systems, as known" if known else "",
            figures=tuple(Figure(value=value, said=said) for value, _, said in (one.partition(" ") for one in told)),
            score=score,
        ),
        news=news,
    )


def _held(places: tuple[HexNote, ...], empire: Side) -> int:
    """How many systems an empire has, as far as these notes tell."""
    return len({one.hex.partition("/")[0] for one in places if one.owner == empire})


def _score(state: LanesState, side: Side) -> str:
    """An empire's points, and how many end the campaign if that was agreed on."""
    aim = f" of {state.scoring.total}" if state.scoring.total else ""
    return f"{counted(state.empires[side].score, 'point')}{aim}"


def _ships_in(seen: Glimpse) -> int | None:
    """How many units were seen: they are counted, or named."""
    return units_seen(seen.headline, seen.level)


def _standing(state: LanesState, side: Side) -> tuple[str, ...]:
    """The routes and trade runs that go on by themselves."""
    rows = ((one.id, [say_route(state, one), *say_trade(state, one)]) for one in state.squadrons_of(side))
    return tuple(f"{key}: {'; '.join(filter(None, said))}" for key, said in rows if any(said))


def _invented(state: LanesState) -> tuple[Panel, ...]:
    return (Panel(title="Invented figures", rows=(", ".join(state.invented),)),) if state.invented else ()
