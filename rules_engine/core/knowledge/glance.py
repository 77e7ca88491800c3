"""What a map tells at a glance: its numbered places, its header, its ranges.

Each is made from one view's own facts and stands in its :class:`~rules_engine.core.knowledge.views.Board`, so that the
map, its crops, the bulletin, the cards and the words for the blind all number the same places alike.
"""

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Owner

MOST_NEWS = 3
"""The most places that are numbered."""

LONGEST_FACT = 48
"""The most letters of a sentence about a numbered place."""

LONGEST_ASIDE = 16
"""The most letters of a word about such a sentence."""


class News(Frozen):
    """A numbered place: what is new there, in one sentence. Its number is its rank in ``Board.news``.

    ``hexes`` begins with the hex that the pin stands on; the others are near enough to share its crop. ``aside`` is a
    word about the sentence (``new``, ``was ID1``, ``thread is open``), ``note`` a small line of the callout, ``choice``
    what the reader may do about it, ``idle`` that the reader can do nothing now.
    """

    hexes: tuple[HexId, ...] = Field(min_length=1)
    title: str
    fact: str = Field(max_length=LONGEST_FACT)
    aside: str = Field(default="", max_length=LONGEST_ASIDE)
    note: str = Field(default="", max_length=LONGEST_FACT)
    choice: str = Field(default="", max_length=LONGEST_FACT)
    idle: bool = Field(default=False, exclude_if=lambda idle: not idle)


class Track(Frozen):
    """A victory track: ``least`` to ``most`` with zero between them, the present ``value`` and the mark to reach (None:
    there is none), and the same in words (``wins at +5``). ``number`` is the value as it is written (``+2½``; empty:
    as it stands)."""

    label: str
    least: int
    most: int
    value: int
    aim: int | None = None
    said: str = ""
    number: str = ""


class Tally(Frozen):
    """How many of what the header counts an owner has, as known to the reader."""

    owner: Owner
    count: int


class Figure(Frozen):
    """A number of the reader's own, large, with what it is, small (``225``; ``CPV, +200 a turn``)."""

    value: str
    said: str


class Closing(Frozen):
    """What a board says in place of its heading, and with the last step of its header lit, to whoever is asked
    something in one of these ``places`` of the turn's sequence: the state alone does not tell that they are reached."""

    places: tuple[str, ...]
    heading: str


class Header(Frozen):
    """What stands above a map: the turn's ``steps`` and which of them (its place, None for none) is now, a track or
    tallies or figures, and ``turn`` and ``day`` in words. ``score`` is the one of the figures by which the reader
    stands, in words (``21 points``); "" where that are the track or the tallies."""

    scenario: str = ""
    steps: tuple[str, ...] = ()
    step: int | None = None
    track: Track | None = None
    tallies: tuple[Tally, ...] = ()
    tallied: str = ""
    figures: tuple[Figure, ...] = ()
    score: str = ""
    turn: str = ""
    day: str = ""
    closing: Closing | None = Field(default=None, exclude=True)


DETECTION, SUPPLY = "detection", "supply"
"""The usual kinds of ranges."""


class Range(Frozen):
    """The hexes that something of the reader's own reaches; drawn only when asked for. ``kind`` is a word that the
    reader may ask for (``detection``, ``supply``)."""

    kind: str
    hexes: tuple[HexId, ...]


class LaneTransit(Frozen):
    """A counter that is under way in a lane for more than a turn: from where, to where, how much of the way lies
    behind it in percent (None: that is not known), and when it arrives: ``T12``."""

    counter: str
    start: HexId
    end: HexId
    done: int | None = Field(default=None, ge=0, le=100)
    arrives: str = ""


class Stage(Frozen):
    """Where a turn ends on a course: after that many hexes of it (0 is where it begins), and in words: ``T30``, where
    turn 30 begins. The first of a course that is yet to be made is the end of the present turn."""

    after: int = Field(ge=0)
    said: str
