"""Signs in texts: which there are, and how a text holds one until it leaves.

A sign is a small picture of the counters' own forms, which Discord keeps as an emoji of the application. It is never
alone: the words beside it say the same, for it may be unknown, and not everybody sees it.

Until a text leaves it holds a sign as a mark between two characters that no text of people's may hold (see
:mod:`rules_engine.core.basics.plain_text`), so that nobody can write one. A mark is as long as the longest that can
become of it: whatever counts the characters of a text counts right.
"""

import re
from dataclasses import dataclass
from typing import Literal

from rules_engine.core.basics.base import Owner, SideLabel
from rules_engine.core.knowledge.views import Board

DRAWN = 1
"""The version of the signs' drawing; whoever changes how they look raises it, and they are uploaded anew."""

_FIRST, _FILL, _LAST = "\ufff9", ".", "\ufffb"
_MARK = re.compile(rf"{_FIRST}([a-z0-9_]{{2,32}})\.{{0,64}}{_LAST}( ?)")
_TORN = re.compile(rf"{_FIRST}[a-z0-9_]{{0,32}}\.{{0,64}}|\.{{0,64}}{_LAST}")
_SHOWN = re.compile(r"<a?:([A-Za-z0-9_]{2,32}):([0-9]{1,20})>( ?)")
_WRITTEN = re.compile(r"\(([a-z0-9_]{2,28}_pr[0-9]{1,3})()\)( ?)")
_MADE = re.compile(r"([a-z0-9_]{2,28})_pr([0-9]{1,3})")

_LONGEST_ID = 20
_NEUTRALS = ("neutral", "neutrals")

COLOURS = ("blue", "orange", "pink", "red", "violet", "green", "sand")
"""The sides' colours in the order of their seats, in words."""

SHAPES = ("diamond", "triangle", "pentagon", "cross", "hexagon", "shield")
"""The shapes of others' forces: the first other side's, the second's, and so on."""

Shape = Literal["diamond", "triangle", "pentagon", "cross", "hexagon", "shield", "horned", "clover"]
Known = Literal["full", "part", "unknown"]
_GRADES: dict[Known, int | None] = {"full": None, "part": 3, "unknown": 1}


@dataclass(frozen=True, slots=True)
class TextSign:
    """What a sign shows, by the ``name`` that texts and buttons give it; ``instead`` stands for it while it is unknown.

    ``form`` and the rest are what is drawn: of the side of that ``seat``, a pin's ``number``, a contact's ``shape``
    filled to its ``grade``.
    """

    name: str
    form: Literal["pin", "plate", "contact", "battle", "warning", "anchor", "ready"]
    seat: int | None = None
    number: int = 0
    shape: Shape = "clover"
    grade: int | None = None
    instead: str = ""

    @property
    def made_name(self) -> str:
        """The name of its emoji, which holds the version of the drawing."""
        return f"{self.name}_pr{DRAWN}"


def _contact_name(seat: int, shape: str, known: Known) -> str:
    return f"{COLOURS[seat]}_{shape}{'' if known == 'full' else f'_{known}'}"


def _all() -> list[TextSign]:
    pins = [TextSign(f"pin_{n}", "pin", number=n, instead="❶❷❸"[n - 1]) for n in (1, 2, 3)]
    plates = [TextSign(f"{colour}_force", "plate", seat) for seat, colour in enumerate(COLOURS)]
    shapes = [
        TextSign(_contact_name(seat, shape, known), "contact", seat, shape=shape, grade=grade)  # type: ignore[arg-type]
        for seat in range(len(COLOURS))
        for turn, shape in enumerate(SHAPES)
        if turn in (seat - 1, seat)  # the sides before it in the order of seats are all others, or all but one
        for known, grade in _GRADES.items()
    ]
    rest = [
        TextSign("outsider", "contact", shape="horned"),
        TextSign("unidentified", "contact", shape="clover", grade=1),
        TextSign("battle", "battle"),
        TextSign("warning", "warning", instead="⚠"),
        TextSign("anchor", "anchor"),
        TextSign("ready", "ready", instead="✓"),
    ]
    return [*pins, *plates, *shapes, *rest]


SIGNS = {one.name: one for one in _all()}
"""All signs by name."""


# --- which sign ------------------------------------------------------------------------------------------------------


def pin_sign(place: int) -> str:
    """The pin of a numbered place, counted from 0."""
    return f"pin_{place + 1}"


def side_sign(sides: tuple[SideLabel, ...], side: str) -> str:
    """The plate in a side's colour; "" for no side. ``sides`` are the campaign's in the order of their seats."""
    seats = [one.key for one in sides]
    return f"{COLOURS[seats.index(side) % len(COLOURS)]}_force" if side in seats else ""


def force_sign(board: Board, reader: str, owner: Owner, grade: int | None = None) -> str:
    """The form of somebody's force as maps of the ``reader`` draw it: a plate of one's own, a shape of another's, which
    is filled to the ``grade`` to which it is known (None: wholly). Without a reader, as for everybody, the first side's
    are plates. "" for an owner whom the board does not name."""
    seats = [one.key for one in board.sides]
    if not owner:
        return "unidentified"
    if owner not in seats:
        return "outsider" if owner in {one.key for one in board.outsiders} else ""
    own = reader if reader in seats else seats[0]
    if owner == own:
        return side_sign(board.sides, owner)
    others = [one for one in seats if one != own and one.lower() not in _NEUTRALS]
    if owner not in others:
        return ""
    known: Known = "full" if grade is None or grade > 3 else "unknown" if grade <= 1 else "part"
    turn, seat = others.index(owner) % len(SHAPES), seats.index(owner) % len(COLOURS)
    name = _contact_name(seat, SHAPES[turn], known)
    return name if name in SIGNS else ""


# --- in texts --------------------------------------------------------------------------------------------------------


def sign(name: str) -> str:
    """The mark of a sign, to be put before the words that say the same; "" for "" and for none that there is."""
    found = SIGNS.get(name)
    if found is None:
        return ""
    longest = len("<::>") + len(found.made_name) + _LONGEST_ID
    return f"{_FIRST}{name}{_FILL * (longest - len(name) - 2)}{_LAST}"


def signed(name: str, words: str) -> str:
    """Words with their sign before them."""
    mark = sign(name)
    return f"{mark} {words}" if mark else words


def shown(text: str, ids: dict[str, int]) -> str:
    """A text as it leaves: each mark as its emoji, where its name has an id, else as what stands instead of it, and
    emojis of signs that somebody wrote as their names. Takes time in proportion to the text's length."""
    if ids and "<" in text:
        ours = frozenset(ids.values())
        # In brackets, of which no emoji is made together with what stands around it.
        text = _SHOWN.sub(lambda one: f"({one[1]}){one[3]}" if int(one[2]) in ours else one[0], text)
    if _FIRST not in text and _LAST not in text:
        return text

    def emoji(found: re.Match[str]) -> str:
        known = SIGNS.get(found[1])
        if known is None:
            return ""
        if known.name in ids:
            return f"<:{known.made_name}:{ids[known.name]}>{found[2]}"
        return f"{known.instead}{found[2]}" if known.instead else ""

    return _TORN.sub("", _MARK.sub(emoji, text))


def sign_and_version(made_name: str) -> tuple[str, int] | None:
    """The name and the drawing's version of a sign, from the name of its emoji; None if it is no sign's."""
    found = _MADE.fullmatch(made_name)
    return None if found is None else (found[1], int(found[2]))


def bare(text: str) -> str:
    """A text by which a message is known again, whichever of its signs were known when it left: every sign as what
    stands instead of it, and each space as one."""

    def instead(found: re.Match[str]) -> str:
        made = sign_and_version(found[1])
        known = SIGNS.get(made[0]) if made is not None else None
        if made is None:
            return f"({found[1]}){found[3]}"
        return f"{known.instead} " if known is not None and known.instead else ""

    with_marks = shown(text, {})
    return " ".join(_WRITTEN.sub(instead, _SHOWN.sub(instead, with_marks)).split())
