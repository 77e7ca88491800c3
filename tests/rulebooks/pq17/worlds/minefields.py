"""Worlds for chapter 12: minelayers with mines, minesweepers, ships whose shields are known, and minefields.

A line ``mines 0405 alliance 4 ID1`` puts a minefield on the map; without a level no enemy has met it.
"""

from typing import Any

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.identification import held_track, track_for
from rules_engine.rulebooks.pq17.contacts.minefields import as_force
from rules_engine.rulebooks.pq17.records.minefields import Minefield, field_key
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.minefields import load_mines
from tests.rulebooks.pq17.worlds.notation import CLASSES, LEVELS, ship_class, table, world

SHIELDS = (30, 24, 20, 20, 20, 24)

MINERS: dict[str, Any] = dict(CLASSES) | {
    one.class_id: one
    for one in (
        ship_class("ML", "1/2", warp=15, awr=1, is_minelayer=True, mine_capacity=600),
        ship_class("RW", "1/2", warp=15, mine_deploy_large=4, mine_capacity=8),  # deploys large mines, no minelayer
        ship_class("CL", "2/3", warp=16, cargo=100),  # may carry mines and not lay them
        ship_class("MS", "1/3", warp=10, is_minesweeper=True),
        ship_class("SH", "1", warp=30, awr=4, hull=12, battery=3, shields=SHIELDS),
        ship_class("ND", "1", warp=30, shields=SHIELDS, battery=3, damcon_track=()),  # no damage control
        ship_class("CS", "1", warp=30, shields=SHIELDS, cloak=True, wps_cloaked=12),
    )
}

NOW = "\nturn 2 impulse 1 half A initiative alliance"


def mined(text: str, *, mines: dict[str, int] | None = None, **settings: Any) -> State:
    """A world with minefields; ``mines`` are large mines aboard, by unit."""
    lines = (text + ("" if "\nturn" in text else NOW)).splitlines()
    state = world("\n".join(one for one in lines if not one.startswith("mines")), classes=MINERS, **settings)
    for line in lines:
        if line.startswith("mines"):
            _, hex_id, side, strength, *level = line.split()
            place(state, side, hex_id, int(strength), level[0] if level else "N")
    for unit_id, count in (mines or {}).items():
        unit = state.units[unit_id]
        load_mines(state.class_of(unit), unit, count)
    return state


def place(state: State, side: str, hex_id: str, strength: int, level: str = "N") -> Minefield:
    """Put a minefield on the map, known to the enemy at a level; from ID0 on with its strength."""
    known = strength if LEVELS[level] >= 0 else None
    field = Minefield(side=side, hex=hex_id, strength=strength, level=int(LEVELS[level]), known_strength=known)
    state.mines.fields[field_key(side, hex_id)] = field
    if field.level > -2:
        state.tracks[state.enemy_of(side)].issue(field_key(side, hex_id))
    return field


def field_of(state: State, side: str, hex_id: str) -> Minefield:
    """The minefield there; the test fails if there is none."""
    return state.mines.fields[field_key(side, hex_id)]


def track_of(state: State, side: str, hex_id: str) -> str | None:
    """The enemy's number for the minefield of ``side`` there."""
    return held_track(state, state.enemy_of(side), as_force(field_of(state, side, hex_id)))


def number_of(state: State, tf_id: str) -> str:
    """The enemy's number for a task force."""
    tf = state.task_forces[tf_id]
    return track_for(state, state.enemy_of(tf.side), tf)


def at_mines(text: str, *rolls: int, mines: dict[str, int] | None = None, **settings: Any) -> TurnContext[State]:
    """A turn context over :func:`mined`, with loaded dice."""
    return table(mined(text, mines=mines, **settings), *rolls)
