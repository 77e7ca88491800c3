"""Signs: small pictures of the counters' own forms, which Discord keeps as emojis of the application.

A sign is never alone: the words beside it say the same, for it may be unknown, and not everybody sees it.
"""

from dataclasses import dataclass
from typing import Literal

from rules_engine.core.basics.base import Owner, SideLabel
from rules_engine.core.knowledge.views import Board

DRAWN = 1
"""The version of the signs' drawing; whoever changes how they look raises it, and they are uploaded anew."""

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
