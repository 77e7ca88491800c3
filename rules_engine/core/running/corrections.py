"""Corrections before they are made: what stands there, what would, who would see what of it, and which battle it
touches. Only for a referee who may see everything; what sides are told is made from their own views.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.canonical_json import ordered
from rules_engine.core.basics.record import Record, field_names
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.view_changes import changes, shortened_lines, table_changes
from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.protocol.seats import NamesSides, label_defects
from rules_engine.core.running.edit_values import choices_of, read_value
from rules_engine.core.running.edits import assign, paths_in
from rules_engine.core.running.state_paths import (
    NOTHING,
    StatePart,
    entry_kind,
    follow,
    has_fields,
    heading_of,
    holds_parts,
    item_kind,
    kinds_of,
    names_by_key,
    path_of,
    step,
    within,
    written,
)

S = TypeVar("S", bound=Record)
T = TypeVar("T")

OWNED_BY = ("owner", "side", "race", "spy")
"""The fields by which a part of a state says whose it is, the first that names a side."""

MOST_TOLD = 12
LONGEST_LINE = 200
"""How much of what changes in its view a side is told: lines, and characters of each."""

MOST_AT_ONCE = 12
"""Values that one correction sets, all alike: the ships of a fleet, say, which are never in two hexes."""

MOST_VALUE = 300
"""Characters of a value that is shown beside another."""


@dataclass(frozen=True)
class PlannedEdit:
    """A correction as it would be: ``path`` and ``value`` as the journal would keep them, ``before`` and ``after`` in
    words. ``told`` holds what would change in the views of those sides that see a difference, ``reason_to`` the sides
    that would read the reason, ``battles`` the titles of open battles whose units it touches.
    """

    path: str
    value: Json
    remove: bool
    before: str
    after: str
    told: Mapping[Side, tuple[str, ...]] = field(default_factory=dict[Side, tuple[str, ...]])
    reason_to: tuple[Side, ...] = ()
    battles: tuple[str, ...] = ()

    def words_for(self, side: Side, reason: str) -> str:
        """What this side is told of it; empty if no more than everybody."""
        if side not in self.told:
            return ""
        lines = ["The referee's correction changes what your side sees:", *(f"• {one}" for one in self.told[side])]
        if side in self.reason_to:
            lines.append(f"The referee's reason: {reason}")
        return "\n".join(lines)


@dataclass(frozen=True)
class EditOffer:
    """A path, or a value, that a referee may want to type, and what it is."""

    text: str
    shown: str


def copy_of(state: S) -> S:
    """A copy of the state to try something on."""
    return state.copied()


def try_edit(
    rulebook: Rulebook[S], state: S, path: str, value: Json, *, remove: bool = False, as_given: bool = False
) -> S:
    """The state as the edit would leave it; the given one is not touched.

    Raises:
        Refused: when the path or the value does not fit, or the state would become impossible by it.
    """
    trial = copy_of(state)
    assign(trial, path, value, remove=remove, as_given=as_given)
    problems = _unless_it_raises(lambda: [*rulebook.defects(trial), *_wrong_labels(rulebook, state, trial)])
    if problems is None:
        raise Refused([malformed("the state would become impossible: the rules know nothing of the kind", path)])
    if problems:
        known = _unless_it_raises(lambda: rulebook.defects(state)) or ()
        problems = [problem for problem in problems if problem not in known]
    if problems:
        raise Refused([malformed(f"the state would become impossible: {problem}", path) for problem in problems])
    return trial


def _wrong_labels(rulebook: Rulebook[S], state: S, trial: S) -> list[str]:
    """What would be wrong with the names of the sides."""
    if not isinstance(rulebook, NamesSides):
        return []
    return label_defects(rulebook.labels(trial), [label.key for label in rulebook.labels(state)])


def plan_edit(
    rulebook: Rulebook[S],
    state: S,
    path: str,
    typed: Json,
    *,
    remove: bool = False,
    knowledge: Mapping[Side, Knowledge],
    asks: Iterable[AnyAsk] = (),
) -> PlannedEdit:
    """What a correction would do; ``typed`` is read as :func:`read_value` does.

    Raises:
        Refused: as :func:`try_edit`, and when nothing would change.
    """
    ways = [follow(state, one, new=not remove) for one in paths_in(path)]
    if len(ways) > MOST_AT_ONCE or (remove and len(ways) > 1):
        raise Refused([malformed("these are too many at once", path, legal=f"at most {1 if remove else MOST_AT_ONCE}")])
    paths = [path_of(way) for way in ways]
    path = ", ".join(paths)
    value = (
        None if remove else _the_same([_for_record(read_value(way, typed, map_of(state)), path) for way in ways], path)
    )
    trial = try_edit(rulebook, state, path, value, remove=remove)
    before = [way[-1] for way in ways]
    after = [] if remove else [follow(trial, one)[-1] for one in paths]
    if not remove and all(_same(was.value, is_now.value) for was, is_now in zip(before, after, strict=True)):
        raise Refused([malformed("that is what stands there already", path)])
    keys = list(knowledge)
    told = {
        key: lines
        for key in keys
        if (lines := _seen_otherwise(rulebook, state, trial, key, known=knowledge[key], path=path))
    }
    owners = {one for each in paths for which in (state, trial) for one in owners_of(which, each, keys)}
    reason_to = tuple(key for key in keys if key in told and key in owners)
    if not owners and _is_public(rulebook, state, trial, told):
        reason_to = tuple(told)
    return PlannedEdit(
        path=path,
        value=value,
        remove=remove,
        before="; ".join(dict.fromkeys(in_words(one, state) for one in before)),
        after="taken out" if remove else "; ".join(dict.fromkeys(in_words(one, trial) for one in after)),
        told={key: shortened_lines(lines, MOST_TOLD, LONGEST_LINE) for key, lines in told.items()},
        reason_to=reason_to,
        battles=tuple(ask.title for ask in asks if any(_touches(one, ask.set_up_from) for one in paths)),
    )


def _for_record(value: Json, path: str) -> Json:
    """The value as the journal keeps it."""
    try:
        return ordered(value)
    except (TypeError, ValueError) as error:
        legal = 'text, whole numbers, "n/d", true, false, null, lists and objects of these'
        raise Refused([malformed("this cannot stand in the record", path, legal=legal)]) from error


def map_of(state: Record) -> Grid | None:
    """The hex map of a state, if it has one."""
    values = (getattr(state, name) for name in field_names(type(state)))
    return next((value for value in values if isinstance(value, Grid)), None)


def owners_of(state: Record, path: str, sides: Sequence[Side]) -> tuple[Side, ...]:
    """Whose the part of the state is to which a path leads: a side that a step or a part on the way names."""
    spots = [StatePart("", state, type(state))]
    for part in path.split("."):
        found = step(spots[-1], part)
        if found is None:
            break
        spots.append(found)
    for spot in spots[1:]:
        if written(spot.name) in sides:
            return (written(spot.name),)
        if has_fields(spot.value):
            known = kinds_of(type(cast("Record", spot.value)))
            named = [getattr(spot.value, name) for name in OWNED_BY if name in known]
            if owner := next((one for one in named if one in sides), None):
                return (owner,)
    return ()


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _seen_otherwise(
    rulebook: Rulebook[S], before: S, after: S, side: Side, *, known: Knowledge, path: str
) -> tuple[str, ...]:
    """What changes in the view of this side, by what it knows; nothing if there was no making its view before.

    Raises:
        Refused: when there would be no making its view any more.
    """

    def view(state: S) -> tuple[Board, Sequence[SideTable]]:
        return rulebook.side_board(state, side, known), rulebook.side_tables(state, side, known)

    former = _unless_it_raises(lambda: view(before))
    present = _unless_it_raises(lambda: view(after))
    if former is None:
        return ()
    if present is None:
        raise Refused([malformed("the state would become impossible: no view could be made of it", path)])
    return changes(former[0], present[0]) or table_changes(former[1], present[1])


def _unless_it_raises(work: Callable[[], T]) -> T | None:
    """What a rulebook makes of a state that somebody made up; None if that is beyond its rules."""
    try:
        return work()
    except Exception:  # whatever the rules stumble over
        return None


def _the_same(values: Sequence[Json], path: str) -> Json:
    """The one value that all of them are; None of none."""
    if any(one != values[0] for one in values):
        raise Refused([malformed("what was typed means different things in these places", path)])
    return next(iter(values), None)


def _is_public(rulebook: Rulebook[S], before: S, after: S, told: Mapping[Side, Sequence[str]]) -> bool:
    """Whether everybody could see all of what changes."""
    public = _unless_it_raises(lambda: changes(rulebook.public_board(before), rulebook.public_board(after)))
    return bool(public) and all(line in public for lines in told.values() for line in lines)


def _touches(path: str, parts: Iterable[str]) -> bool:
    return any(f"{path}.".startswith(f"{part}.") or f"{part}.".startswith(f"{path}.") for part in parts)


# --- in words ---------------------------------------------------------------------------------------------------------


def in_words(spot: StatePart, state: Record) -> str:
    """A value as a referee reads it, on one line of at most :data:`MOST_VALUE` characters; keys with what their entries
    in the state are called."""
    text = _spelt(spot.value, spot.kind, state)
    return text if len(text) <= MOST_VALUE else f"{text[: MOST_VALUE - 1]}…"


def _spelt(value: Any, kind: Any, state: Record) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case str():
            name = names_by_key(state, kind).get(value)
            return f"{value} ({name})" if name else written(value) or "(empty)"
        case int() | Fraction():
            label = getattr(value, "label", "")
            return f"{written(value)} ({label})" if label else str(value)
        case BaseModel() | Record():
            fields = kinds_of(type(value)).items()
            return ", ".join(f"{name}: {_spelt(getattr(value, name), of, state)}" for name, of in fields)
        case dict():
            table, of = cast("dict[Any, Any]", value), entry_kind(kind)
            return ", ".join(f"{written(key)}: {_spelt(one, of, state)}" for key, one in table.items()) or "(empty)"
        case list() | tuple():
            items = enumerate(cast("Sequence[Any]", value))
            return ", ".join(_spelt(one, item_kind(kind, number), state) for number, one in items) or "(empty)"
        case _:
            return "nothing yet" if value is NOTHING else str(value)


# --- offers -----------------------------------------------------------------------------------------------------------


def offered_paths(state: Record, typed: str, most: int) -> list[EditOffer]:
    """The paths that what was typed so far may lead on to, with what stands there now."""
    first, comma, typed = typed.rpartition(",")
    typed = typed.strip()
    offers = _offered_paths(state, typed, most)
    return [EditOffer(f"{first}{comma} {one.text}", one.shown) for one in offers] if comma else offers


def _offered_paths(state: Record, typed: str, most: int) -> list[EditOffer]:
    parts = typed.split(".")
    holder = [StatePart("", state, type(state))]
    for part in parts[:-1]:
        found = step(holder[-1], part)
        if found is None:
            return _offers(holder, _like(holder[-1], part), most)
        holder.append(found)
    whole = step(holder[-1], parts[-1]) if parts[-1] else None
    if whole is not None and holds_parts(whole.value):
        return [_offer(holder, whole), *_offers([*holder, whole], within(whole), most - 1)][:most]
    offers = _offers(holder, _like(holder[-1], parts[-1]), most)
    if len(parts) == 1 and typed:
        for table in within(holder[-1]):
            offers += _offers([*holder, table], _like(table, typed), most - len(offers))
    return offers[:most]


def offered_values(state: Record, path: str, typed: str, most: int) -> list[EditOffer]:
    """The values that may stand where a path leads: the present one first, then the choices there are."""
    spot = follow(state, paths_in(path)[0], new=True)[-1]
    named = names_by_key(state, spot.kind)
    offers = [EditOffer(one, one) for one in choices_of(spot.kind)]
    offers += [EditOffer(key, f"{key} ({name})") for key, name in named.items()]
    if spot.value is not NOTHING and not holds_parts(spot.value):
        now = "none" if spot.value is None else ("yes" if spot.value else "no") if isinstance(spot.value, bool) else ""
        now = now or written(spot.value)
        called = f"{named[now]}, " if now in named else ""
        offers = [EditOffer(now, f"{now} ({called}stands there now)"), *(one for one in offers if one.text != now)]
    wanted = typed.strip().casefold()
    fitting = (one for one in offers if wanted in one.text.casefold() or wanted in named.get(one.text, "").casefold())
    return [one for one in fitting if one.text][:most]


def _like(holder: StatePart, typed: str) -> list[StatePart]:
    """What of ``holder`` has the typed letters in its name or in what people call it; names that begin so first."""
    wanted = typed.casefold()
    found: list[tuple[bool, int, StatePart]] = []
    for number, spot in enumerate(within(holder)):
        name = written(spot.name).casefold()
        if wanted in name or wanted in heading_of(spot.value).casefold():
            found.append((not name.startswith(wanted), number, spot))
    return [spot for _, _, spot in sorted(found, key=lambda one: one[:2])]


def _offers(holder: Sequence[StatePart], spots: Iterable[StatePart], most: int) -> list[EditOffer]:
    found: list[EditOffer] = []
    for spot in spots:
        if len(found) >= most:
            break
        found.append(_offer(holder, spot))
    return found


def _offer(holder: Sequence[StatePart], spot: StatePart) -> EditOffer:
    path = path_of([*holder, spot])
    if holds_parts(spot.value):
        heading = heading_of(spot.value)
        return EditOffer(path, f"{path} … {heading}".rstrip())
    return EditOffer(path, f"{path} = {_spelt(spot.value, spot.kind, holder[0].value)}")
