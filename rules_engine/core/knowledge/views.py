"""What may be seen: a side's knowledge, and the views that are made from it.

Views are built field by field from nothing. The three view types share a :class:`Board` but no ancestry, so that
the type checker refuses an omniscient view where a side's is wanted.
"""

from collections.abc import Callable, Iterable
from dataclasses import field
from itertools import groupby
from typing import Self

from pydantic import ConfigDict, Field, model_validator

from rules_engine.core.basics.base import Frozen, HexId, Outsider, Owner, Side, SideLabel, When
from rules_engine.core.basics.record import Record
from rules_engine.core.grids.charts import Chart
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.knowledge.glance import MOST_NEWS, Header, LaneTransit, News, Range, Stage
from rules_engine.core.knowledge.reports import Lost, MapNote, Removed, Report, Sighted
from rules_engine.core.knowledge.tactical_scene import TacticalPlot, TacticalScene

STANDING_ORDERS = "Standing orders"
"""The title of the panel that shows a side's standing orders, in rulebooks that have them."""


class Glimpse(Frozen):
    """One sighting kept in a contact's history."""

    when: When
    hex: HexId
    level: int
    level_name: str
    headline: str
    details: tuple[str, ...] = ()

    def is_like(self, other: "Glimpse") -> bool:
        """Whether the other says the same, whenever it was made."""
        said, told = (self.hex, self.level, self.headline), (other.hex, other.level, other.headline)
        return said == told and self.details == other.details and self.level_name == other.level_name


class Contact(Record):
    """What a side knows of something that is not its own, under its own track number.

    ``history`` holds the sightings before the latest. Of several in a row that say the same only the first and the last
    are kept, so that watching a base for a year does not store every day.
    """

    track: str
    owner: Owner = ""
    form: str = "force"
    first_seen: When
    latest: Glimpse
    live: bool = True
    history: list[Glimpse] = field(default_factory=list[Glimpse])


class Knowledge(Record):
    """A side's knowledge: a fold over the reports that were addressed to it, and nothing else."""

    contacts: dict[str, Contact] = field(default_factory=dict[str, Contact])
    logs: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    def learn(self, report: Report) -> None:
        """Add what one report tells."""
        for fact in report.facts:
            match fact:
                case Sighted():
                    self._sight(fact, report.when)
                case Lost(track=track):
                    if track in self.contacts:
                        self.contacts[track].live = False
                case Removed(track=track):
                    self.contacts.pop(track, None)
                case MapNote(topic=topic, text=text):
                    self.logs.setdefault(topic, []).append(text)

    def _sight(self, fact: Sighted, when: When) -> None:
        glimpse = Glimpse(
            when=when,
            hex=fact.hex,
            level=fact.level,
            level_name=fact.level_name,
            headline=fact.headline,
            details=fact.details,
        )
        known = self.contacts.get(fact.track)
        if known is None:
            self.contacts[fact.track] = Contact(
                track=fact.track, owner=fact.owner, form=fact.form, first_seen=when, latest=glimpse
            )
            return
        goes_on = known.live and known.latest.is_like(glimpse) and known.history[-1:] != []
        if not (goes_on and known.history[-1].is_like(glimpse)):
            known.history.append(known.latest)
        known.latest = glimpse
        known.live = True
        known.form = fact.form
        known.owner = fact.owner or known.owner

    def held(self) -> list[Contact]:
        """The contacts that are held now, sorted by track number."""
        return [self.contacts[track] for track in sorted(self.contacts) if self.contacts[track].live]


class TrackBook(Record):
    """The neutral numbers under which one side knows other sides' counters.

    The next number depends only on what this side itself detected, so it tells nothing of the owner's order of
    battle. ``prefix`` makes the number readable (``"E1"``).
    """

    prefix: str = "E"
    issued: int = 0
    current: dict[str, str] = field(default_factory=dict[str, str])

    def track_of(self, subject: str) -> str | None:
        """The number under which ``subject`` is held now."""
        return self.current.get(subject)

    def issue(self, subject: str) -> str:
        """The number for ``subject``, a fresh one if it is not held."""
        if subject not in self.current:
            self.issued += 1
            self.current[subject] = f"{self.prefix}{self.issued}"
        return self.current[subject]

    def drop(self, subject: str) -> str | None:
        """Forget which subject a number stood for; returns the number."""
        return self.current.pop(subject, None)

    def subject_of(self, track: str) -> str | None:
        """What a number stands for; for the engine only."""
        return next((subject for subject, held in self.current.items() if held == track), None)


class HexNote(Frozen):
    """What is known to stand in a hex. ``marks`` are names defined by the theme: ``settled``, ``base``, ``planet`` …;
    ``figure`` is a number beside its name (``+25``), ``territory`` whose space the hex is."""

    hex: HexId
    terrain: str = "space"
    marks: tuple[str, ...] = ()
    owner: Owner = ""
    name: str = ""
    invented: bool = False
    figure: str = ""
    territory: Owner = ""


class Counter(Frozen):
    """Something drawn on a map: an own task force, a contact, a base.

    ``form`` is a word of the theme (``force``, ``base``, ``minefield``, ``convoy``, ``battle``); ``level`` is how
    well it is identified, in the rulebook's own numbers and words, and ``grade`` the same as maps draw it: 0 not at
    all, 1 found, 2 and 3 in part, from 4 in full (both None for own counters); ``age`` counts turns since it was last
    seen, and ``live`` says whether it is held now; ``changed`` rings what is new since the last turn. ``ships`` is how
    many are known to be in it (None: not known), ``whole`` the percent of it that damage has left (None: not known),
    and ``docked`` whether it is in port.
    """

    id: str
    hex: HexId
    owner: Owner
    form: str = "force"
    label: str
    sub: str = ""
    level: int | None = None
    level_name: str = ""
    grade: int | None = None
    age: int = 0
    live: bool = True
    changed: bool = False
    details: tuple[str, ...] = ()
    ships: int | None = Field(default=None, ge=0)
    whole: int | None = Field(default=None, ge=0, le=100)
    docked: bool = False


class Course(Frozen):
    """A path on the map, from hex to hex. ``kind``: ``plotted`` (ordered), ``moved`` (just flown), ``route`` (to be
    flown later), ``seen`` (the sightings of a contact, not always neighbours). ``stages`` are the ends of its turns.
    ``waits`` says that it is not begun now, and why. ``plot`` says of a unit that flies by vectors what it does on the
    way, and how it ends."""

    counter: str
    kind: str
    hexes: tuple[HexId, ...]
    stages: tuple[Stage, ...] = ()
    waits: str = Field(default="", exclude_if=lambda waits: not waits)
    plot: TacticalPlot | None = Field(default=None, exclude_if=lambda plot: plot is None)


class Panel(Frozen):
    """A titled list for text: forces, points, intelligence."""

    title: str
    rows: tuple[str, ...] = ()


class Board(Frozen):
    """The map and the panels that every kind of view contains.

    Its places are hexes or systems; either way what stands in one has it as its ``hex``. Whoever owns something on it
    is one of its ``sides`` or of its ``outsiders``, or nobody known. What is on an unbounded sheet of hexes is said by
    the ``tactical`` scene, which only such a board has; its counters are the same units, for whatever else is told of
    counters.
    """

    model_config = ConfigDict(serialize_by_alias=True)

    campaign: str
    rulebook: str
    heading: str
    when: When
    sides: tuple[SideLabel, ...]
    outsiders: tuple[Outsider, ...] = Field(default=(), exclude_if=lambda outsiders: not outsiders)
    places: Grid | Chart | Space = Field(alias="grid")
    hexes: tuple[HexNote, ...] = ()
    counters: tuple[Counter, ...] = ()
    courses: tuple[Course, ...] = ()
    transits: tuple[LaneTransit, ...] = Field(default=(), exclude_if=lambda transits: not transits)
    panels: tuple[Panel, ...] = ()
    header: Header = Header()
    news: tuple[News, ...] = Field(default=(), max_length=MOST_NEWS)
    ranges: tuple[Range, ...] = ()
    tactical: TacticalScene | None = Field(default=None, exclude_if=lambda scene: scene is None)

    @model_validator(mode="after")
    def _has_what_its_map_shows(self) -> Self:
        """Refuse an unbounded sheet without a scene, and a scene on any other map."""
        if isinstance(self.places, Space) != (self.tactical is not None):
            raise ValueError("a board has a tactical scene if and only if its map is unbounded")
        return self

    @model_validator(mode="after")
    def _owners_are_told_apart(self) -> Self:
        """Refuse outsiders with the key of a side or with each other's key or emblem."""
        if self.outsiders:
            keys = [one.key for one in (*self.sides, *self.outsiders)]
            emblems = [one.emblem for one in self.outsiders]
            twice = {*(key for key in keys if keys.count(key) > 1), *(one for one in emblems if emblems.count(one) > 1)}
            if twice:
                raise ValueError(f"two owners are called {', '.join(sorted(twice))}")
        return self

    @property
    def grid(self) -> Grid:
        """The sheet of hexes, for what is there on no other map.

        Raises:
            TypeError: on a board of lanes, and on an unbounded one.
        """
        if not isinstance(self.places, Grid):
            raise TypeError("this board has no sheet of hexes with an edge")
        return self.places

    @property
    def chart(self) -> Chart | None:
        """The map of lanes; None on a board of hexes."""
        return self.places if isinstance(self.places, Chart) else None

    def name_of(self, owner: Owner) -> str:
        """The printed name of a side or an outsider; a key that the board does not name stands for itself."""
        return next((one.name for one in (*self.sides, *self.outsiders) if one.key == owner), owner)

    def panel(self, title: str) -> Panel | None:
        """The panel of that title."""
        return next((panel for panel in self.panels if panel.title == title), None)


class SideView(Frozen):
    """What one side knows: its own assets, what it was told, and public facts. Nothing else."""

    side: Side
    board: Board


class PartiesView(Frozen):
    """What all parties of a battle know of it, and nobody else."""

    parties: tuple[Side, ...]
    board: Board


class PublicView(Frozen):
    """What anybody may know."""

    public: Board


class OmniscientView(Frozen):
    """Everything. Only for a referee who plays no side, or for anybody once the campaign has ended."""

    omniscient: Board


def is_faded(contact: Contact, now: When, ghost_turns: int | None) -> bool:
    """Whether a contact is too old to show: a force (which moves) that was lost and last seen more than
    ``ghost_turns`` turns ago (None: never). What stays where it is, a base or a minefield, never fades."""
    is_ghost = not contact.live and contact.form == "force"
    return is_ghost and ghost_turns is not None and now.turns_since(contact.latest.when) > ghost_turns


def contact_counters(
    knowledge: Knowledge,
    now: When,
    *,
    grade_of: Callable[[int], int],
    changed_since: When | None = None,
    ghost_turns: int | None = None,
    ships_in: Callable[[Glimpse], int | None] = lambda _: None,
) -> Iterable[Counter]:
    """The usual counters of a side's contacts: held ones, and last-seen ghosts that age until they fade.

    ``grade_of`` gives the grade that maps draw for a level of the rulebook; ``ships_in`` reads from what was seen how
    many ships it were (None: it does not tell).
    """
    for track in sorted(knowledge.contacts, key=track_order):
        contact = knowledge.contacts[track]
        if is_faded(contact, now, ghost_turns):
            continue
        seen = contact.latest
        age = now.turns_since(seen.when)
        yield Counter(
            id=track,
            hex=seen.hex,
            owner=contact.owner,
            form=contact.form,
            label=track,
            level=seen.level,
            level_name=seen.level_name,
            grade=grade_of(seen.level),
            age=age,
            live=contact.live,
            changed=changed_since is not None
            and (seen.when.turn, seen.when.step) >= (changed_since.turn, changed_since.step),
            details=(seen.headline, *seen.details) if seen.headline else seen.details,
            ships=ships_in(seen),
        )


TRAIL_TURNS = 3
TRAIL_HEXES = 4


def contact_trails(knowledge: Knowledge, now: When) -> Iterable[Course]:
    """The tracks of held contacts on the map: their last few sightings in different hexes, oldest first.

    Only sightings of the last ``TRAIL_TURNS`` turns count, and at most ``TRAIL_HEXES`` hexes, the present one
    included.
    """
    for track in sorted(knowledge.contacts, key=track_order):
        contact = knowledge.contacts[track]
        if not contact.live:
            continue
        recent = [seen.hex for seen in contact.history if now.turns_since(seen.when) <= TRAIL_TURNS]
        way = [hex_id for hex_id, _ in groupby([*recent, contact.latest.hex])][-TRAIL_HEXES:]
        if len(way) > 1:
            yield Course(counter=track, kind="seen", hexes=tuple(way))


def track_order(track: str) -> tuple[str, int]:
    """Sorts track numbers as people count: E2 before E10."""
    digits = "".join(char for char in track if char.isdigit())
    return track.rstrip("0123456789"), int(digits or 0)
