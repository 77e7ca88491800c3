"""The secret allocation of defenders to features and to the approach battle, and that of attackers. 3.5.4.2, 3.5.5.3"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, number_field
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question, first_sentence
from rules_engine.rulebooks.cutler.ch02_movement.movement import is_derelict
from rules_engine.rulebooks.cutler.ch03_combat.terrain.flights import launch
from rules_engine.rulebooks.cutler.ch03_combat.terrain.sheets import PostLine, PostSheet
from rules_engine.rulebooks.cutler.ch04_accessories.mines_in_battle import mines_in_words
from rules_engine.rulebooks.cutler.records.combat.terrain import APPROACH
from rules_engine.rulebooks.cutler.records.conditions.cloaks import faced
from rules_engine.rulebooks.cutler.records.conditions.docking import AT_DOCK, undock
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Unit
from rules_engine.rulebooks.cutler.standing.decisions import ask_details_steps


class UnitPosts(NamedTuple):
    """A unit on the sheet: where it may be sent, the first of these if nothing is said, and its fighters."""

    unit: Unit
    places: tuple[str, ...]
    fighters: int


class Posting(NamedTuple):
    """All that a side may say where its units go: the ``names`` of places, and its ``posts``; ``rule`` says by what.
    ``docked`` are ships that are worked on, and the feature of their dock."""

    names: dict[str, str]
    posts: dict[str, UnitPosts]
    rule: str
    docked: Mapping[str, str] = MappingProxyType({})


# --- who may be sent where -------------------------------------------------------------------------------------------


@rule("2.5", "3.5.4.2", "3.5.6", "3.5.8")
def defenders_posting(here: Fight, defenders: list[Unit], docked: Mapping[str, str]) -> Posting:
    """Where the defender may send its units: to any feature or to the approach battle; bases are at their own feature,
    and who fought at a feature in this impulse goes to no other. What is not allocated is in the approach battle, but
    who is ``docked`` stays in its dock. 2.5, 3.5.4.2, 3.5.6, 3.5.8, CU-R67, CU-R129
    """
    ground = here.ground
    names = {APPROACH: "the approach battle", **{one.key: one.name for one in ground.features}}
    posts: dict[str, UnitPosts] = {}
    for unit in defenders:
        places = _places_of(here, unit, tuple(names))
        if (dock := docked.get(unit.id, "")) in places:
            places = (dock, *(place for place in places if place != dock))
        posts[unit.id] = UnitPosts(unit, places, unit.fighters)
    return Posting(names, posts, "3.5.4.2", docked)


@rule("3.5.8")
def with_docked(here: Fight, posting: Posting, pfs: Sequence[Unit]) -> Posting:
    """The same with PFs that are docked on these units: each stays docked, if nothing is said, or is sent to a place
    of its own. 3.5.8, CU-R23"""
    posts = {
        pf.id: UnitPosts(pf, (AT_DOCK, *_places_of(here, pf, tuple(posting.names))), 0)
        for pf in pfs
        if pf.docked_at in posting.posts
    }
    return posting._replace(posts=posting.posts | posts)


def _places_of(here: Fight, unit: Unit, places: tuple[str, ...]) -> tuple[str, ...]:
    if unit.id in here.ground.bases:
        return (here.ground.bases[unit.id],)
    if fought := here.ground.where_fought(unit.id):
        return tuple(place for place in places if place in (APPROACH, fought))
    return places


@rule("3.5.5.3", "3.5.6")
def attackers_posting(here: Fight, attackers: list[Unit]) -> Posting:
    """Where the attacker may send what it has left: to the features, and nowhere else. Who has fought at one that is
    no more goes to none. 3.5.5.3, 3.5.6"""
    names = {one.key: one.name for one in here.ground.features}
    posts = {
        unit.id: UnitPosts(unit, places, 0)
        for unit in attackers
        if not unit.is_station
        and (unit.kind == "fighters" or not is_derelict(unit))
        and (places := _places_of(here, unit, tuple(names)))
    }
    return Posting(names, posts, "3.5.5.3")


# --- asking ----------------------------------------------------------------------------------------------------------


@rule("3.5.4.2", "3.5.8", "2.10")
def allocate_steps(
    turn: CutlerTurn, hex_id: HexId, postings: Mapping[Side, Posting], *, title: str, text: str
) -> Steps[list[Unit]]:
    """Ask a side where its units go, in secret, and send them there; of a coordinated force each race for its own.
    Fighters apart are units of their own, which are returned with the PFs that have left their docks. 3.5.4.2, 3.5.8,
    2.10, CU-R23, CU-N90"""
    here = turn.state.fights[hex_id]
    asked = {race: posting for race, posting in postings.items() if posting.posts}
    mines = {race: mines_in_words(turn.state, race, hex_id) for race in asked}
    asks = [
        _allocate_ask(hex_id, race, posting, title=title, text=text + mines[race]) for race, posting in asked.items()
    ]
    sheets = yield from ask_details_steps(turn, asks)
    flights: list[Unit] = []
    for posting, sheet in zip(asked.values(), sheets, strict=True):
        for key, post in posting.posts.items():
            line = sheet.root.get(key, PostLine())
            place = line.place or post.places[0]
            if place == AT_DOCK:
                continue
            flights += undock(turn.state, [key])
            here.ground.places[key] = place
            if line.fighters and line.fighters_to:
                flights.append(launch(here, post.unit, line.fighters, line.fighters_to))
    return flights


def _allocate_ask(hex_id: HexId, race: Side, posting: Posting, *, title: str, text: str) -> Ask[PostSheet]:
    posts = [post for post in posting.posts.values() if not post.unit.docked_at]
    said = "; ".join(f"{post.unit.name} to {posting.names[post.places[0]]}" for post in posts)
    return Ask(
        kind="allocate",
        parties=(race,),
        title=f"{hex_id}: {title}",
        text=text,
        question=Question(f"Posts in {hex_id}", first_sentence(text), (hex_id,), noun="unit"),
        model=PostSheet,
        form=_form(posting),
        rule=posting.rule,
        default=PostSheet({}),
        default_says=f"{said}.",
        pace="decision",
        check=lambda sheet: judge_posts(posting, sheet),
        read_back=lambda sheet: list(_read(posting, sheet)),
        warn=lambda sheet: list(_warn(posting, sheet)),
    )


def _form(posting: Posting) -> Form:
    return Form(tuple(line for post in posting.posts.values() if (line := _line(posting, post)).fields))


def _line(posting: Posting, post: UnitPosts) -> Line:
    fields: list[Field] = []
    ways = tuple(Choice(place, name[:1].upper() + name[1:]) for place, name in posting.names.items())
    if len(post.places) > 1:
        docked = (Choice(AT_DOCK, "Stays docked"),) if post.places[0] == AT_DOCK else ()
        own = (*docked, *(one for one in ways if one.value in post.places))
        fields.append(Field("place", "Goes to", "one", choices=own, value=post.places[0]))
    if post.fighters:
        fields.append(number_field("fighters", "Of its fighters", range(post.fighters + 1), 0))
        fields.append(Field("fighters_to", "go apart to", "one", choices=ways, optional=True))
    return Line(post.unit.id, post.unit.title, tuple(fields))


@rule("3.5.4.2", "3.5.5.3", "3.5.6", "3.5.8")
def judge_posts(posting: Posting, sheet: PostSheet) -> list[Refusal]:
    """Refusals of units that are not there to be sent, of places that they cannot go to, and of fighters that they have
    not. 3.5.4.2, 3.5.5.3, 3.5.6, 3.5.8"""
    refusals: list[Refusal] = []
    for key, line in sheet.root.items():
        post = posting.posts.get(key)
        if post is None:
            near = nearest(key, posting.posts)
            refusals.append(malformed("no such unit can be sent", key, legal=", ".join(posting.posts), nearest=near))
            continue
        if line.place is not None and line.place not in post.places:
            refusals.append(_not_there(posting, post, line.place, key))
        if line.fighters > post.fighters:
            text = f"{post.unit.name} has {counted(post.fighters, 'fighter')} aboard"
            refusals.append(illegal(text, "3.5.8", f"{key}.fighters", legal=f"0 to {post.fighters}"))
        if line.fighters and line.fighters_to is None:
            refusals.append(malformed("say where the fighters go", f"{key}.fighters_to", legal=_all(posting.names)))
        if line.fighters_to is not None and line.fighters_to not in posting.names:
            text = "there is no such feature here"
            refusals.append(illegal(text, posting.rule, f"{key}.fighters_to", legal=_all(posting.names)))
    return refusals


def _not_there(posting: Posting, post: UnitPosts, place: str, key: str) -> Refusal:
    legal = ", ".join(post.places)
    if place not in posting.names:
        return illegal("there is no such feature here", posting.rule, f"{key}.place", legal=legal)
    if post.unit.is_station and len(post.places) == 1:  # a dock under way, which may come here from a fight, is not
        return illegal("a base is at its own feature", "3.5, CU-R67", f"{key}.place", legal=legal)
    text = f"{post.unit.name} has fought elsewhere in this impulse"
    return illegal(text, "3.5.6", f"{key}.place", legal=legal)


def _all(names: Mapping[str, str]) -> str:
    return ", ".join(names)


def _warn(posting: Posting, sheet: PostSheet) -> Iterator[str]:
    for key, dock in posting.docked.items():
        if key in posting.posts and (sheet.root.get(key, PostLine()).place or posting.posts[key].places[0]) != dock:
            yield f"{posting.posts[key].unit.name} leaves its dock, so that its refit is lost (CU-N47)."


def _read(posting: Posting, sheet: PostSheet) -> Iterator[str]:
    for key, post in posting.posts.items():
        line = sheet.root.get(key, PostLine())
        place = line.place or post.places[0]
        yield f"{post.unit.title}: {'docked' if place == AT_DOCK else posting.names[place]}."
        if line.fighters and line.fighters_to:
            yield f"{counted(line.fighters, 'fighter')} of {post.unit.name}: {posting.names[line.fighters_to]}."


# --- where nobody could be sent -------------------------------------------------------------------------------------


@rule("3.1", "3.5.4.2", "3.5.5.3")
def is_idle(state: CutlerState, hex_id: HexId, races: Sequence[Side]) -> bool:
    """Whether none of the races that meet there could fight another, whatever cards they show. 3.1, CU-N182"""
    pairs = [
        (one, other)
        for number, one in enumerate(races)
        for other in races[number + 1 :]
        if other not in state.coordination.force_of(one)
    ]
    return bool(pairs) and all(
        cannot_fight(faced(state, hex_id, one, other), faced(state, hex_id, other, one)) for one, other in pairs
    )


@rule("3.5", "3.5.4.2", "3.5.5.3")
def cannot_fight(units: Sequence[Unit], others: Sequence[Unit]) -> bool:
    """Whether neither of two sides could come to the other: one has bases alone, which are at their own features, and
    the other has bases or derelicts alone. 3.5, 3.5.4.2, 3.5.5.3, CU-N182"""

    def can_come(units: Sequence[Unit]) -> bool:
        return any(not unit.is_station and not is_derelict(unit) for unit in units)

    def only_bases(units: Sequence[Unit]) -> bool:
        return all(unit.is_station for unit in units)

    return (only_bases(units) and not can_come(others)) or (only_bases(others) and not can_come(units))
