"""What may be seen: own stacks, and of others' Team and hex alone, as long as they stand open on the map. BP-R57"""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId, Outsider, Owner, Side, SideLabel, When
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import Figure, Header, Tally
from rules_engine.core.knowledge.views import (
    STANDING_ORDERS,
    Board,
    Counter,
    Course,
    HexNote,
    Knowledge,
    Panel,
    contact_counters,
)
from rules_engine.rulebooks.border_patrol.plotting.standing_words import say_orders
from rules_engine.rulebooks.border_patrol.records.places import MapProvince
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import NEUTRALS, Unit
from rules_engine.rulebooks.border_patrol.shown.news import map_news
from rules_engine.rulebooks.border_patrol.shown.units import say_stack, say_unit
from rules_engine.rulebooks.border_patrol.stacks import is_seen, seen_as

TITLE = "Border Patrol"
MONSTERS = Outsider(key="monsters", name="Monsters", emblem="M")
ALIENS = Outsider(key="aliens", name="Alien ships", emblem="A")
FOUND = 1
"""The level of what is seen of others on the map: that they are there."""
GHOST_TURNS = 3


def labels(state: BorderState) -> tuple[SideLabel, ...]:
    """The Teams."""
    return tuple(SideLabel(key=team.id, name=team.name, emblem=team.emblem) for team in state.teams.values())


def side_board(state: BorderState, side: Side, knowledge: Knowledge) -> Board:
    """What one Team may see."""
    own = [*stack_counters(state, side), *base_counters(state, side)]
    others = open_counters(state, but=side)
    ghosts = contact_counters(knowledge, now(state), grade_of=lambda level: level, ghost_turns=GHOST_TURNS)
    return _board(
        state,
        side,
        knowledge=knowledge,
        counters=(*own, *others, *ghosts, *battle_counters(state)),
        courses=tuple(_courses(state, side)),
        panels=(
            Panel(title="Stacks", rows=tuple(say_stack(state, stack) for stack in state.stacks_of(side))),
            Panel(title="Bases", rows=tuple(say_unit(unit) for unit in bases_of(state, side))),
            Panel(title=STANDING_ORDERS, rows=tuple(_standing(state, side))),
            *_posts(state, side),
            *_pods(state, side),
            score_panel(state),
        ),
        figures=(Figure(value=str(state.teams[side].treasury), said="economic points"),),
    )


def public_board(state: BorderState) -> Board:
    """What anybody may see: what stands open on the map."""
    counters = (*open_counters(state), *battle_counters(state))
    return _board(state, counters=counters, panels=(score_panel(state), *_invented(state)))


def omniscient_board(state: BorderState) -> Board:
    """Everything."""
    counters = [one for team in state.teams for one in (*stack_counters(state, team), *base_counters(state, team))]
    counters += [*neutral_counters(state), *battle_counters(state)]
    panels = [
        Panel(title=f"Stacks of {team.name}", rows=tuple(say_stack(state, one) for one in state.stacks_of(team.id)))
        for team in state.teams.values()
    ]
    panels += [one for team in state.teams for one in (*_posts(state, team), *_pods(state, team))]
    courses = tuple(one for team in state.teams for one in _courses(state, team))
    panels += [score_panel(state), *_invented(state)]
    return _board(state, counters=tuple(counters), courses=courses, panels=tuple(panels))


def now(state: BorderState) -> When:
    """The moment, as it is shown."""
    step = 0 if state.phase is None else 10 * state.phase.phase
    in_phase = "" if state.phase is None else f", phase {state.phase.phase}"
    return When(turn=max(1, state.turn), step=step, label=f"Turn {state.turn} of {state.turns}{in_phase}")


def _board(
    state: BorderState,
    side: Side | None = None,
    *,
    knowledge: Knowledge | None = None,
    counters: tuple[Counter, ...],
    courses: tuple[Course, ...] = (),
    panels: tuple[Panel, ...] = (),
    figures: tuple[Figure, ...] = (),
) -> Board:
    kinds = {unit.kind for unit in state.units.values()}
    outsiders = [one for one, kind in ((MONSTERS, "monster"), (ALIENS, "alien ship")) if kind in kinds]
    when, sides, notes = now(state), labels(state), tuple(hex_notes(state))
    news = map_news(state, side, counters=counters, notes=notes, knowledge=knowledge, owners=sides)
    return Board(
        campaign=state.title,
        rulebook=TITLE,
        heading=when.label,
        when=when,
        sides=sides,
        outsiders=tuple(outsiders),
        grid=state.grid,
        hexes=notes,
        counters=counters,
        courses=courses,
        panels=panels,
        header=Header(
            scenario=state.title,
            turn=when.label,
            tallies=tuple(Tally(owner=team.id, count=team.score) for team in state.teams.values()),
            tallied="points",
            figures=figures,
        ),
        news=news,
    )


# --- counters --------------------------------------------------------------------------------------------------------


def stack_counters(state: BorderState, team: Side) -> Iterable[Counter]:
    """A Team's own stacks."""
    for stack in state.stacks_of(team):
        units = state.members(stack)
        yield Counter(
            id=stack.id,
            hex=stack.hex,
            owner=team,
            form="force" if state.convoy_of(stack.id) is None else "convoy",
            label=stack.id,
            sub="cloaked" if any(unit.cloaked for unit in units) else "",
            details=tuple(say_unit(unit) for unit in units),
            ships=len(units),
        )


def base_counters(state: BorderState, team: Side) -> Iterable[Counter]:
    """A Team's own bases."""
    for unit in bases_of(state, team):
        details = (say_unit(unit),)
        yield Counter(id=unit.id, hex=unit.hex, owner=team, form="base", label=unit.name, details=details)


def bases_of(state: BorderState, team: Side) -> list[Unit]:
    """A Team's bases, by id."""
    return [unit for _, unit in sorted(state.units.items()) if unit.kind == "base" and unit.team == team]


@rule("V8.56")
def open_counters(state: BorderState, but: Side = "") -> Iterable[Counter]:
    """What stands open on the map of Teams other than ``but``: for each hex one counter of a Team, whatever is in it,
    and its bases; and monsters and alien ships. V8.56, BP-R57"""
    for team in state.teams.values():
        if team.id == but:
            continue
        stacks = [stack for stack in state.stacks_of(team.id) if any(is_seen(one) for one in state.members(stack))]
        for hex_id in sorted({stack.hex for stack in stacks}):
            yield _generic(seen_as(state, team.id, hex_id), hex_id, team.id, team.emblem)
        for hex_id in sorted({unit.hex for unit in bases_of(state, team.id)}):
            yield _generic(f"{team.emblem}-base-{hex_id}", hex_id, team.id, "base", form="base")
    yield from neutral_counters(state)


def _generic(counter: str, hex_id: HexId, owner: Owner, label: str, form: str = "force") -> Counter:
    return Counter(id=counter, hex=hex_id, owner=owner, form=form, label=label, level=FOUND, level_name="seen", grade=1)


def neutral_counters(state: BorderState) -> Iterable[Counter]:
    """Monsters and alien ships, which all see alike."""
    for key, unit in sorted(state.units.items()):
        if unit.kind in NEUTRALS:
            owner = (MONSTERS if unit.kind == "monster" else ALIENS).key
            yield Counter(
                id=key,
                hex=unit.hex,
                owner=owner,
                form="unit",
                label=unit.name,
                sub=unit.kind,
                level=4,
                level_name="known",
                grade=4,
            )


def battle_counters(state: BorderState) -> Iterable[Counter]:
    """The hexes in which a battle is fought."""
    for hex_id in sorted(state.battles):
        yield Counter(id=f"battle-{hex_id}", hex=hex_id, owner="", form="battle", label="battle")


def _courses(state: BorderState, team: Side) -> Iterable[Course]:
    for stack in state.stacks_of(team):
        if stack.trail:
            yield Course(counter=stack.id, kind="moved", hexes=(*stack.trail, stack.hex))
        if stack.orders.way:
            yield Course(counter=stack.id, kind="plotted", hexes=(stack.hex, *(leg.hex for leg in stack.orders.way)))
    for _, convoy in sorted(state.convoys.items()):
        if convoy.team == team and convoy.stack in state.stacks and convoy.fate in ("waiting", "under way"):
            yield Course(counter=convoy.stack, kind="route", hexes=tuple(convoy.route[convoy.gone :]))


# --- the map ---------------------------------------------------------------------------------------------------------


def hex_notes(state: BorderState) -> list[HexNote]:
    """Terrain, storms, star systems and whose provinces hexes are: all of it is public."""
    systems = {one.hex: one for one in state.systems.values()}
    storms = {one.hex for one in state.storms.values()}
    owners = {hex_id: one.owner for one in state.provinces.values() for hex_id in one.hexes}
    names = {_middle(state, one): one.name for one in state.provinces.values()}
    notes: list[HexNote] = []
    for hex_id in sorted({*state.terrain, *systems, *storms, *owners}):
        system = systems.get(hex_id)
        notes.append(
            HexNote(
                hex=hex_id,
                terrain="ion storm" if hex_id in storms else state.terrain.get(hex_id, "space"),
                marks=("planet",) if system is not None else (),
                owner="" if system is None else system.owner,
                name=system.name if system is not None else names.get(hex_id, ""),
                territory=owners.get(hex_id, ""),
            )
        )
    return notes


def _middle(state: BorderState, province: MapProvince) -> HexId:
    """The hex of a province at which its name stands: that nearest to the middle of all."""
    centers = {hex_id: state.grid.center(hex_id) for hex_id in province.hexes}
    x = sum(center[0] for center in centers.values()) / len(centers)
    y = sum(center[1] for center in centers.values()) / len(centers)
    return min(centers, key=lambda one: ((centers[one][0] - x) ** 2 + (centers[one][1] - y) ** 2, one))


# --- panels ----------------------------------------------------------------------------------------------------------


def score_panel(state: BorderState) -> Panel:
    """Both Teams' points, which are public."""
    return Panel(title="Score", rows=tuple(f"{team.name}: {team.score}" for team in state.teams.values()))


def _posts(state: BorderState, team: Side) -> list[Panel]:
    rows = tuple(f"{one.hex}" for _, one in sorted(state.posts.items()) if one.team == team)
    return [Panel(title=f"Listening posts, {state.teams[team].name}", rows=rows)] if rows else []


def _pods(state: BorderState, team: Side) -> list[Panel]:
    lying = [one for _, one in sorted(state.pods_lying.items()) if one.team == team]
    rows = tuple(f"{one.hex}: {one.name}, {counted(one.weight, 'pod weight')}" for one in lying)
    return [Panel(title=f"Pods set down, {state.teams[team].name}", rows=rows)] if rows else []


def _invented(state: BorderState) -> list[Panel]:
    if not state.invented:
        return []
    return [Panel(title="Invented figures", rows=(", ".join(state.invented),))]


def _standing(state: BorderState, side: Side) -> Iterable[str]:
    for stack in state.stacks_of(side):
        yield f"{stack.id}: {say_orders(stack.orders, state.zones.at_bases)}"
