"""Hearsay on a side's map: drawn as old, hollow sightings beside what the side knows itself, which always wins.

The engine's state knows nothing of it: it is laid over a view that was made without it.
"""

from collections.abc import Iterable

from rules_engine.core.basics.counted import counted
from rules_engine.core.grids.places import MapPlaces
from rules_engine.core.knowledge.hearsay.items import Hearsay
from rules_engine.core.knowledge.views import Counter, Panel, SideView

OLDEST = 8
"""Turns since the giver saw it, after which hearsay is not drawn any more."""

PANEL = "Hearsay"
"""The title of the panel that lists it."""


def with_hearsay(view: SideView, items: Iterable[Hearsay]) -> SideView:
    """The view with what its side was told by others, itself if there is nothing to add.

    Left out is what is the side's own, what lies outside the map, what is older than :data:`OLDEST` turns, what was
    told in a turn that play has gone back from, and what the side knows as newly or better by itself: a contact of the
    same owner and form in that hex, or any of that owner there that is as new. Of one giver's one thing the newest
    word alone counts.
    """
    board = view.board
    names = {label.key: label.name for label in board.sides}
    turn = board.when.turn
    told = newest(items, turn)
    fresh = [one for one in told if _counts(view, one) and not _is_known(board.counters, one, turn)]
    if not fresh:
        return view
    counters = tuple(_counter(one, board.when.turn, names.get(one.source, one.source)) for one in fresh)
    panel = Panel(title=PANEL, rows=tuple(row_of(one, board.when.turn, names, board.places) for one in fresh))
    added = {"counters": (*board.counters, *counters), "panels": (*board.panels, panel)}
    return view.model_copy(update={"board": board.model_copy(update=added)})


def newest(items: Iterable[Hearsay], turn: int) -> list[Hearsay]:
    """Of each giver's each thing the word that tells of the latest moment, in the order of givers and things. Words of
    later turns than this, from which play has gone back, count for nothing and hide none that do."""
    kept: dict[tuple[str, str], Hearsay] = {}
    for one in (one for one in items if one.turn <= turn):
        before = kept.get((one.source, one.about))
        if before is None or (one.seen, one.turn) >= (before.seen, before.turn):
            kept[one.source, one.about] = one
    return [kept[key] for key in sorted(kept)]


def row_of(one: Hearsay, turn: int, names: dict[str, str], places: MapPlaces | None = None) -> str:
    """One thing in a line, with who said it when, and how old it is."""
    owner = names.get(one.owner, one.owner)
    how = ", ".join(filter(None, (owner, one.confidence)))
    age = one.age_at(turn)
    seen = f"as of {counted(age, 'turn')} ago" if age else "as of this turn"
    says = names.get(one.source, one.source)
    where = one.place or (one.hex if places is None else places.called(one.hex))
    told = f"{one.about}{f' ({how})' if how else ''} at {where}, {seen}; {says} said so in turn {one.turn}"
    return ". ".join((told, *one.words))


def _counts(view: SideView, one: Hearsay) -> bool:
    now = view.board.when.turn
    is_of_others = view.side not in (one.source, one.owner)
    return is_of_others and one.hex in view.board.places and one.age_at(now) <= OLDEST


def _is_known(counters: Iterable[Counter], one: Hearsay, turn: int) -> bool:
    """Whether the side's own knowledge of that hex says as much of it."""
    age = one.age_at(turn)
    return any(
        own.hex == one.hex and own.owner == one.owner and own.form == one.form and own.age <= age for own in counters
    )


def _counter(one: Hearsay, turn: int, source: str) -> Counter:
    """It is held by nobody here, however lately its giver saw it; and not identified further than its giver had it."""
    return Counter(
        id=f"hearsay:{one.source}:{one.about}",
        hex=one.hex,
        owner=one.owner,
        form=one.form,
        label=f"{one.about}?",
        sub="hearsay",
        level=one.level or 0,
        level_name=one.confidence,
        grade=min(one.grade or 0, 1),
        age=one.age_at(turn),
        live=False,
        details=(f"Hearsay: {source} said so in turn {one.turn}", *one.words),
    )
