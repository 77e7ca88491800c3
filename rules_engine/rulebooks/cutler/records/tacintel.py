"""S1-S5 of tactical intelligence: what one glance at a force tells, and the contacts made from it.

S1 presence, S2 number, S3 size classes, S4 race, S5 hull families. Nothing else: no names, missions, refits, damage.
3.1.3, CU-R48, CU-R49
"""

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.counted import counted, plural
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Fact, Lost, Sighted, Why
from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.rulebooks.cutler.records.conditions.towing import is_in_tow
from rules_engine.rulebooks.cutler.records.parts.seen import counters_for, owners_of, parties_seen
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
    "ground_base": "ground base",
    "fighters": "fighters",
}


def hull_family(unit: Unit) -> str:
    """What S5 shows of a unit. CU-R48"""
    return KIND_WORDS.get(unit.kind, unit.record.hull_type)


def number_of(units: list[Unit]) -> int:
    """S2: how many they are; fighters apart from their carrier count one by one."""
    return sum(unit.fighters if unit.kind == "fighters" else 1 for unit in units)


def glance(units: list[Unit]) -> tuple[str, ...]:
    """S3 and S5 of a force, biggest first: ``("size 3: CA", "size 4: DD ×2")``."""
    seen = Counter[tuple[int, str]]()
    for unit in units:
        seen[(unit.record.size_class, hull_family(unit))] += number_of([unit])
    return tuple(
        f"size {size}: {family}" + (f" ×{count}" if count > 1 else "") for (size, family), count in sorted(seen.items())
    )


def in_words(race_name: str, units: list[Unit]) -> str:
    """One line: ``3 Lyran units (size 3: CA; size 4: DD ×2)``; also which of them are under cloak."""
    count = number_of(units)
    number = counted(count, f"{race_name} unit")
    cloaked = [unit for unit in units if unit.cloaked]
    under = f"; under cloak: {'; '.join(glance(cloaked))}" if cloaked else ""
    return f"{number} ({'; '.join(glance(units))}{under})"


def headline(state: CutlerState, units: list[Unit]) -> str:
    """S2 and S4: ``2 Hydran and Lyran units``."""
    return counted(len(units), f"{owners_of(state, units)} unit")


def number_told(headline: str) -> int | None:
    """How many units a :func:`headline` tells of; None if it is none."""
    count = headline.partition(" ")[0]
    return int(count) if count.isdecimal() else None


Part = Literal["force", "fixed", "convoy"]
"""What a contact is of: a race's ships under a counter, units that keep to a hex, or what moves without a counter."""
PARTS: tuple[Part, ...] = ("force", "fixed", "convoy")
FORMS: dict[Part, str] = {"force": "force", "fixed": "base", "convoy": "convoy"}
"""How maps draw each of them."""


def part_of(state: CutlerState, unit: Unit) -> Part:
    """The part of its race's units in a hex to which a unit belongs: freighters, Q-ships, police ships on their way and
    bases in tow move without a counter. 2.6.1, 2.7, 2.8, CU-N114"""
    if unit.is_cu:
        return "force"
    sails = unit.is_mobile or any(unit.id in convoy.units for convoy in state.convoys.values())
    sails = sails or (unit.kind == "base" and is_in_tow(state, unit))
    return "convoy" if sails else "fixed"


class Subject(Frozen):
    """The subject of a contact: a part of a race's units in a hex."""

    race: Side
    hex: HexId
    part: Part

    def key(self) -> str:
        """Its key in a track book."""
        return f"{self.race}@{self.hex}{'' if self.part == 'force' else f'/{self.part}'}"


def subject_of(key: str) -> Subject:
    """The subject of that key."""
    race, _, place = key.rpartition("@")
    hex_id, _, said = place.partition("/")
    part: Part = "fixed" if said == "fixed" else "convoy" if said == "convoy" else "force"
    return Subject(race=race, hex=hex_id, part=part)


@rule("3.1.3")
def show(turn: CutlerTurn, viewer: Side, race: Side, hex_id: HexId, units: list[Unit], *, text: str, why: Why) -> None:
    """Tell ``viewer`` S1-S5 of these units of ``race``, and keep them as contacts. 3.1.3"""
    facts = sightings(turn.state, viewer, race, hex_id, units)
    turn.tell([viewer], text, kind="contact", why=why, facts=facts)


def sightings(state: CutlerState, viewer: Side, race: Side, hex_id: HexId, units: list[Unit]) -> list[Fact]:
    """The contacts that ``viewer`` has of these units of ``race``, one of each part that is there."""
    tracks = state.empires[viewer].tracks
    facts: list[Fact] = []
    for kind in PARTS:
        part = [unit for unit in units if part_of(state, unit) == kind]
        subject = Subject(race=race, hex=hex_id, part=kind)
        if part:
            facts.append(
                Sighted(
                    track=tracks.issue(subject.key()),
                    hex=hex_id,
                    form=FORMS[kind],
                    level=LEVEL,
                    level_name=LEVEL_NAME,
                    headline=headline(state, part),
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
        gone = [key for key in sorted(tracks.current) if "/" not in key and key not in placed]
        _lose(turn, viewer, gone, one="is gone", many="are gone")


@rule("2.7")
def fade_convoys(turn: CutlerTurn) -> None:
    """Lose contacts of what moves without a counter, whenever it may have moved: it is held on only by who shares its
    hex. 2.7, CU-R120, CU-N84"""
    state = turn.state
    for viewer in state.races():
        tracks = state.empires[viewer].tracks
        own = {unit.hex for unit in state.alive(viewer)}
        there = {
            Subject(race=race, hex=hex_id, part="convoy").key()
            for hex_id in sorted(own)
            for race, units in parties_seen(state, viewer, hex_id).items()
            if any(part_of(state, unit) == "convoy" for unit in units)
        }
        gone = [key for key in sorted(tracks.current) if key.endswith("/convoy") and key not in there]
        _lose(turn, viewer, gone, one="may have sailed on", many="may have sailed on")


def _lose(turn: CutlerTurn, viewer: Side, keys: Iterable[str], *, one: str, many: str) -> None:
    """Hold some contacts no longer, and tell their race of it: one line for all. ``one`` and ``many`` are what is said
    of one thing, and of several."""
    tracks = turn.state.empires[viewer].tracks
    lost = [(key, track) for key in keys if (track := tracks.drop(key)) is not None]
    if lost:
        known = [contact_in_words(turn, viewer, key, track) for key, track in lost]
        says = one if len(known) == 1 and known[0].number == 1 else many
        facts = [Lost(track=track) for _, track in lost]
        turn.tell([viewer], f"{in_a_row([each.said for each in known])} {says}.", kind="contact", facts=facts)


class ContactInWords(NamedTuple):
    """A contact as its reader knows it, ``C3, the Hydran ships in 0110,``, and how many units that are."""

    said: str
    number: int


@rule("3.1.3")
def contact_in_words(turn: CutlerTurn, viewer: Side, key: str, track: str) -> ContactInWords:
    """A contact by its number, the race and the kind that its reader was told of, and its hex. 3.1.3, CU-R48"""
    subject, contact = subject_of(key), turn.knowledge(viewer).contacts.get(track)
    race, count, families = turn.state.name_of(subject.race), 2, list[str]()
    if contact is not None:
        count, _, rest = contact.latest.headline.partition(" ")
        race = rest.rpartition(" unit")[0]  # of a coordinated force all that are in it
        count = int(count)
        families = list(dict.fromkeys(one.partition(": ")[2].partition(" ×")[0] for one in contact.latest.details))
    if subject.part == "convoy":
        return ContactInWords(f"{track}, the {race} convoy in {subject.hex},", 1)
    what = FIXED_WORDS.get(families[0], families[0]) if subject.part == "fixed" and len(families) == 1 else ""
    what = what or ("unit" if subject.part == "fixed" else "ship")
    return ContactInWords(f"{track}, the {race} {what if count == 1 else plural(what)} in {subject.hex},", count)


FIXED_WORDS = {"police": "police ship"}
"""Families of units that keep to a hex, as people call one of them."""


def same_as_known(turn: CutlerTurn, viewer: Side, race: Side, hex_id: HexId, units: list[Unit]) -> bool:
    """Whether the viewer was told exactly this of that hex already this turn."""
    tracks, known = turn.state.empires[viewer].tracks, turn.knowledge(viewer).contacts
    for kind in PARTS:
        part = [unit for unit in units if part_of(turn.state, unit) == kind]
        track = tracks.track_of(Subject(race=race, hex=hex_id, part=kind).key())
        contact = known.get(track) if track else None
        if not part and (contact is None or not contact.live):
            continue
        if not part or contact is None or not contact.live or contact.latest.details != glance(part):
            return False
        if contact.latest.headline != headline(turn.state, part):  # others of a coordinated force
            return False
        if contact.latest.when.turn != turn.now.turn:
            return False
    return True
