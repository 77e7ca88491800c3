"""The part of a side's map that it hands on: what it knows of some hexes, and around them what is public anyway."""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.hearsay.items import is_of_others
from rules_engine.core.knowledge.views import Board, Counter, HexNote, PublicView, SideView

AROUND = 2
"""Hexes around each that is named that belong to the area."""
GROUND = 3
"""Hexes around the area whose public ground is drawn, too."""


def area_around(board: Board, hexes: Iterable[HexId]) -> tuple[HexId, ...]:
    """The hexes of an area: those that are named, and those around each. Raises UnknownPlace of one off the map."""
    return tuple(sorted({one for name in hexes for one in board.places.within(name, AROUND)}))


def cutout(view: SideView, public: PublicView, area: Iterable[HexId], *, with_own: bool) -> SideView:
    """A side's view of these hexes, built from nothing: what it knows of the ground and of others there; and
    (``with_own``) where it has forces of its own, under their names and nothing more."""
    board, common = view.board, public.public
    inside = frozenset(area)
    near = {one for name in inside for one in board.places.within(name, GROUND)} - inside
    ground = {note.hex: note for note in common.hexes if note.hex in near}
    ground |= {note.hex: note for note in board.hexes if note.hex in inside}
    there = [one for one in board.counters if one.hex in inside]
    shown = [_others(one) for one in there if is_of_others(one, view.side)]
    shown += [_own(one) for one in there if with_own and one.owner == view.side and one.form != "battle"]
    return SideView(
        side=view.side,
        board=Board(
            campaign=common.campaign,
            rulebook=common.rulebook,
            heading=common.heading,
            when=common.when,
            sides=common.sides,
            outsiders=common.outsiders,
            grid=board.places.part(inside, common.places),
            tactical=common.tactical,
            hexes=_sorted(ground),
            counters=tuple(one.model_copy(update={"id": f"handed-{at}"}) for at, one in enumerate(shown, start=1)),
        ),
    )


def counters_handed(view: SideView, hexes: Iterable[HexId]) -> tuple[Counter, ...]:
    """What a side has found of others in these hexes, as it stands on its own board."""
    inside = frozenset(hexes)
    return tuple(one for one in view.board.counters if one.hex in inside and is_of_others(one, view.side))


def _others(one: Counter) -> Counter:
    return one.model_copy(update={"changed": False})


def _own(one: Counter) -> Counter:
    return Counter(id="", hex=one.hex, owner=one.owner, form=one.form, label=one.label)


def _sorted(ground: dict[HexId, HexNote]) -> tuple[HexNote, ...]:
    return tuple(ground[name] for name in sorted(ground))
