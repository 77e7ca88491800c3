"""What is numbered on a map: battles, losses and captures, and what the counters tell by themselves.

Of others nothing is read but what the reader was told, or what is public; of a battle only its parties know.
"""

import re
from collections.abc import Iterator, Sequence

from rules_engine.core.basics.base import HexId, Side, When
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.noticed import Looked, noticed
from rules_engine.core.knowledge.numbered import Happening, Rank, listed, numbered_places, short_name
from rules_engine.core.knowledge.views import Counter, HexNote, Knowledge
from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.rulebooks.cutler.ch06_espionage.findings import Finding
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet, Unit
from rules_engine.rulebooks.cutler.records.tables import MISSION_NAMES

OPEN, LOST, TAKEN, FOUND = 4_000, 3_000, 2_000, 1_500
"""How heavy an open battle, own losses, a planet that changed hands, and what spies have found are."""


def news_since(state: CutlerState) -> When:
    """The beginning of the turn of which the news are told: before its first impulse that of the turn before."""
    return When(turn=state.turn if state.impulse else state.turn - 1, step=1)


def map_news(
    state: CutlerState,
    side: Side | None,
    *,
    counters: Sequence[Counter],
    notes: Sequence[HexNote],
    knowledge: Knowledge | None = None,
    everything: bool = False,
    found: Sequence[Finding] = (),
) -> tuple[News, ...]:
    """The numbered places of a race's map; None for a map of nobody in particular, which shows what is public, or
    ``everything``. ``found`` is what its missions have found."""
    if state.setup is not None:
        return ()
    looked = Looked(
        reader=side or "",
        places=state.grid,
        counters=counters,
        notes=notes,
        since=news_since(state),
        owners={label.key: label.name for label in state.sides},
        knowledge=knowledge or Knowledge(),
        friends=() if side is None else state.coordination.force_of(side),
        may="fight or bypass" if side is not None else "",
        says_levels=False,
    )
    happenings = [*_captures(state, side), *noticed(looked), *open_battles(state, side, everything=everything)]
    if side is not None:
        happenings += [*_losses(state, side), *_findings(state, found)]
    return numbered_places(happenings, state.grid, {note.hex: note.name for note in notes if note.name})


def battles_of(state: CutlerState, side: Side | None, *, everything: bool = False) -> list[Battle]:
    """The battles that are being fought, as far as ``side`` is a party, or of all if ``everything`` is shown."""
    fought = [fight.battle for fight in state.fights.values() if fight.battle is not None]
    return [battle for battle in fought if everything or side in battle.everyone]


@rule("3.3")
def open_battles(state: CutlerState, side: Side | None, *, everything: bool = False) -> Iterator[Happening]:
    """The battles that are being fought. 3.3"""
    for battle in battles_of(state, side, everything=everything):
        others = [short_name(state.name_of(race)) for race in battle.everyone if race != side]
        if side is None:
            said = [f"{in_a_row(others)} in battle", f"{listed(others)} in battle", "battle"]
        else:
            fleets = [one.key for one in state.fleets_of(side) if _fights(state, battle, one.units)]
            enemies = [race for race in battle.everyone if race not in battle.force_of(side)]
            foes = listed([f"the {short_name(state.name_of(race))}" for race in enemies])
            said = [f"{listed(fleets)} in battle with {foes}"] if fleets else []
            said += [f"battle with {foes}", f"battle with {counted(len(enemies), 'race')}", "battle"]
        choice = [] if side is None else ["Fight it out, then enter the result"]
        yield Happening(Rank.BATTLE, battle.hex, said, weight=OPEN, aside="thread is open", choice=choice)


def _fights(state: CutlerState, battle: Battle, units: Sequence[str]) -> bool:
    there = {*battle.lines.values()}
    return any(key in there and not state.units[key].destroyed for key in units)


def battle_counters(state: CutlerState, side: Side | None, *, everything: bool = False) -> Iterator[Counter]:
    """A mark for each hex with a battle that is being fought."""
    for battle in battles_of(state, side, everything=everything):
        yield Counter(id=f"battle {battle.hex}", hex=battle.hex, owner="", form="battle", label="Battle")


@rule("6.4.1")
def _findings(state: CutlerState, found: Sequence[Finding]) -> Iterator[Happening]:
    """The hexes in which missions of the turn have found something. 6.4.1"""
    turn = state.turn if state.impulse else state.turn - 1
    there: dict[HexId, list[Finding]] = {}
    for one in found:
        if one.hex and one.turn >= max(1, turn):
            there.setdefault(one.hex, []).append(one)
    for hex_id, findings in there.items():
        names = dict.fromkeys(MISSION_NAMES[one.kind] for one in findings)
        said = [f"spies report, {listed([*names], 1)}", "spies report"]
        if len(findings) == 1:
            parts = re.split(r"[,;] ", findings[0].found.rstrip("."))
            said = [*(", ".join(parts[:most]) for most in range(len(parts), 0, -1)), *said]
        yield Happening(Rank.ELSE, hex_id, said, weight=FOUND, aside="spies")


@rule("4.1.4.1", "5.2")
def _captures(state: CutlerState, side: Side | None) -> Iterator[Happening]:
    """Planets that changed hands in the turn, which is public. 4.1.4.1, 5.2"""
    turn = news_since(state).turn
    for planet in state.planets.values():
        if turn and planet.changed_turn >= turn:
            yield _capture(state, planet, side)


def _capture(state: CutlerState, planet: Planet, side: Side | None) -> Happening:
    is_taken = side is not None and side == planet.owner
    is_lost = side is not None and side == planet.held_before
    done = "freed" if planet.captured_turn is None else "captured"
    holder = short_name(state.name_of(planet.owner))
    if is_taken:
        said = "yours again" if done == "freed" else "captured by your ships"
    else:
        said = f"the {holder}'s again" if done == "freed" else f"captured by the {holder}"
    return Happening(
        Rank.BATTLE if is_taken or is_lost or side is None else Rank.ELSE,
        planet.hex,
        [said, done],
        weight=LOST if is_lost else TAKEN,
        aside="planet lost" if is_lost else "planet freed" if done == "freed" else "planet taken",
    )


def _losses(state: CutlerState, side: Side) -> Iterator[Happening]:
    """A race's own units that were destroyed in the turn, by hex."""
    turn = news_since(state).turn
    found: dict[HexId, list[Unit]] = {}
    for unit in state.units.values():
        if turn and unit.lost_turn >= turn and unit.race == side:
            found.setdefault(unit.hex, []).append(unit)
    for hex_id, units in found.items():
        names = sorted(short_name(unit.name) for unit in units)
        said = [f"you lost {listed(names)}", f"you lost {counted(len(units), 'unit')}"]
        yield Happening(Rank.BATTLE, hex_id, said, weight=LOST + len(units), aside="lost")
