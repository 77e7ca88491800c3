"""S1-S5 of tactical intelligence: what one glance at a force tells, and the contacts made from it.

S1 presence, S2 number, S3 size classes, S4 race, S5 hull families. Nothing else: no names, missions, refits, damage.
3.1.3, CU-R48, CU-R49
"""

from collections import Counter

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Fact, Lost, Sighted, Why
from rules_engine.rulebooks.cutler.records.parts.seen import counters_for, owners_of
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit

LEVEL = 5
LEVEL_NAME = "S1-S5"
GRADE = 2
"""How far maps draw it as identified: classes and losses show, what a ship carries does not."""
KIND_WORDS = {
    "pf": "PF",
    "interceptor": "PF",
    "monitor": "monitor",
    "freighter": "freighter",
    "q_ship": "freighter",
    "police": "police",
    "base": "base",
    "fighters": "fighters",
}


def hull_family(unit: Unit) -> str:
    """What S5 shows of a unit. CU-R48"""
    return KIND_WORDS.get(unit.kind, unit.record.hull_type)


def glance(units: list[Unit]) -> tuple[str, ...]:
    """S3 and S5 of a force, biggest first: ``("size 3: CA", "size 4: DD ×2")``."""
    seen = Counter[tuple[int, str]]()
    for unit in units:
        seen[unit.record.size_class, hull_family(unit)] += count_of([unit])
    return tuple(
        f"size {size}: {family}" + (f" ×{count}" if count > 1 else "") for (size, family), count in sorted(seen.items())
    )


def count_of(units: list[Unit]) -> int:
    """S2 of a force: fighters outside their carriers count singly."""
    return sum(unit.fighters if unit.kind == "fighters" else 1 for unit in units)


def in_words(race_name: str, units: list[Unit]) -> str:
    """One line: ``3 Lyran units (size 3: CA; size 4: DD ×2)``."""
    number = f"{count_of(units)} {race_name} unit{'s' if count_of(units) != 1 else ''}"
    return f"{number} ({'; '.join(glance(units))})"


class Subject(Frozen):
    """The subject of a contact: a race's ships in a hex, or its fixed units there."""

    race: Side
    hex: HexId
    fixed: bool

    def key(self) -> str:
        """Its key in a track book."""
        return f"{self.race}@{self.hex}{'/fixed' if self.fixed else ''}"


@rule("3.1.3")
def show(turn: CutlerTurn, viewer: Side, race: Side, hex_id: HexId, units: list[Unit], *, text: str, why: Why) -> None:
    """Tell ``viewer`` S1-S5 of these units of ``race``, and keep them as contacts. 3.1.3"""
    facts = sightings(turn.state, viewer, race, hex_id, units)
    turn.tell([viewer], text, kind="contact", why=why, facts=facts)


def sightings(state: CutlerState, viewer: Side, race: Side, hex_id: HexId, units: list[Unit]) -> list[Fact]:
    """The contacts, at most two, that ``viewer`` has of these units of ``race``: mobile units, and fixed ones."""
    tracks = state.empires[viewer].tracks
    facts: list[Fact] = []
    for fixed in (False, True):
        part = [unit for unit in units if unit.is_cu != fixed]
        subject = Subject(race=race, hex=hex_id, fixed=fixed)
        if part:
            facts.append(
                Sighted(
                    track=tracks.issue(subject.key()),
                    hex=hex_id,
                    form="base" if fixed else "force",
                    level=LEVEL,
                    level_name=LEVEL_NAME,
                    headline=f"{len(part)} {owners_of(state, part)} unit{'s' if len(part) != 1 else ''}",
                    details=glance(part),
                    owner=race,
                )
            )
    return facts


@rule("2.6.2")
def fade(turn: CutlerTurn) -> None:
    """Lose contacts whose counter has left their hex, which everybody sees. 2.6.2"""
    state = turn.state
    for viewer in state.races():
        placed = {f"{race}@{hex_id}" for race, hex_id in counters_for(state, viewer)}
        tracks = state.empires[viewer].tracks
        gone = [key for key in sorted(tracks.current) if not key.endswith("/fixed") and key not in placed]
        facts = [Lost(track=track) for key in gone if (track := tracks.drop(key)) is not None]
        if facts:
            lost = ", ".join(fact.track for fact in facts)
            turn.tell([viewer], f"Gone from where it was seen: {lost}.", kind="contact", facts=facts)


def same_as_known(turn: CutlerTurn, viewer: Side, race: Side, hex_id: HexId, units: list[Unit]) -> bool:
    """Whether the viewer was told exactly this of that hex already this turn."""
    tracks, known = turn.state.empires[viewer].tracks, turn.knowledge(viewer).contacts
    for fixed in (False, True):
        part = [unit for unit in units if unit.is_cu != fixed]
        track = tracks.track_of(Subject(race=race, hex=hex_id, fixed=fixed).key())
        contact = known.get(track) if track else None
        if not part and (contact is None or not contact.live):
            continue
        if not part or contact is None or not contact.live or contact.latest.details != glance(part):
            return False
        if contact.latest.when.turn != turn.now.turn:
            return False
    return True
