"""Chapter 4.2 and the campaign's command points: income, accounts, needs and spending, by nation.

Ships out of port cost points by the period; the Kzintis also pay for every hex they enter far from home. Points
are spent when movement is plotted, and only their owner knows of it before the period ends. PQ-17 4.2.1 to 4.2.3,
C.cp.*, SOP.2.b.i.8, rulings CP-1 to CP-13.
"""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.nations.homes import (
    KZINTI,
    bases_of,
    category_of,
    commander_of,
    is_warship,
    period_of,
    range_from_home,
    under_command,
    way_to,
)
from rules_engine.rulebooks.pq17.nations.ship_values import uses_campaign_table
from rules_engine.rulebooks.pq17.nations.victory_points import score, sign_for
from rules_engine.rulebooks.pq17.records.forces import EXIT, PORT, STAY, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.progress import CommandAccount
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.order_of_battle import Area, Nation

PATROL_WHITE = "patrol-white"
"""The deployment area whose two cruisers need no points while they are in it. PQ-17 C.cp.patrol-white."""
PATROL_SHIPS = 2
FREE_RANGE = 1
"""How many hexes from home the Kzintis go without paying by the hex. PQ-17 C.cp.kzinti."""

Moves = Mapping[str, str]
"""The step each task force is to make with this impulse's movement point."""
NO_MOVES: Moves = {}


@dataclass
class Need:
    """The needs of a nation's ships for points in a period."""

    out: set[str] = field(default_factory=set[str])
    entries: int = 0
    causes: list[str] = field(default_factory=list[str])
    """The task forces that add to the earlier need."""


# --- accounts ---------------------------------------------------------------------------------------------------------


@rule("4.2.1")
def commands(state: State, side: Side | None = None) -> list[Nation]:
    """The nations with command points of their own, of one side or all. PQ-17 4.2.1."""
    nations = state.settings.campaign.nation
    return [one for one in nations if not one.commanded_by and (side is None or one.side == side)]


def account_of(state: State, nation: str) -> CommandAccount:
    """A nation's account, for reading; an empty one if it has none. For changes use :func:`opened_account`."""
    return state.progress.command.get(nation) or CommandAccount()


def opened_account(state: State, nation: str) -> CommandAccount:
    """A nation's account for changing; it is filed if it was missing."""
    return state.progress.command.setdefault(nation, CommandAccount())


@rule(
    "4.2.1", "4.2.2", "C.oob.federation.command-points", "C.oob.kzinti.command-points", "C.oob.klingon.command-points"
)
def credit(state: State) -> None:
    """At a period's start every nation gets its points; what it may not keep is lost.

    PQ-17 4.2.1, 4.2.2, C.oob.federation.command-points, C.oob.kzinti.command-points, C.oob.klingon.command-points,
    ruling CP-7."""
    first = period_of(state.turn) == 1
    for nation in commands(state):
        account = opened_account(state, nation.key)
        kept = account.bank if nation.command_points_most else 0
        kept += nation.command_points_start if first else 0
        bank = kept + nation.command_points
        account.bank = min(bank, nation.command_points_most) if nation.command_points_most else bank
        account.spent, account.entries = 0, 0
        account.out, account.uncovered = [], []


@rule("4.2.3", "C.cp.cruisers-and-dreadnoughts", "C.cp.kzinti")
def cost(state: State, nation: str, out: Iterable[str], entries: int = 0) -> int:
    """Command points of a period: one for each dreadnought and each two cruisers, or (by range) one for any ships at
    all and one for every far hex. PQ-17 4.2.3, C.cp.cruisers-and-dreadnoughts, C.cp.kzinti, rulings CP-2, CP-3,
    CP-8."""
    ships = list(out)
    if nation == KZINTI:
        return (1 if ships else 0) + entries
    large = sum(category_of(state, state.units[one]) in ("BB", "DN") for one in ships)
    return large + -((large - len(ships)) // 2)


def cost_of(state: State, nation: str, wanted: Need) -> int:
    """What all of a nation's needs cost together."""
    return cost(state, nation, wanted.out, wanted.entries)


# --- who needs points -------------------------------------------------------------------------------------------------


@rule("C.oob.federation.patrol-white")
def patrol_area(state: State) -> Area | None:
    """The area of Patrol White. PQ-17 C.oob.federation.patrol-white."""
    return next((area for area in state.settings.campaign.area if area.key == PATROL_WHITE), None)


def in_patrol_area(state: State, hex_id: HexId) -> bool:
    """Whether a hex lies in Patrol White's area."""
    area = patrol_area(state)
    return area is not None and area.around is not None and state.grid.distance(area.around, hex_id) <= area.within


@rule("C.cp.cruisers-and-dreadnoughts", "C.cp.kzinti.exemptions")
def needing_points(state: State, nation: str, unit_ids: Iterable[str]) -> list[Unit]:
    """Those of some units that count for the nation when they are out of port: its dreadnoughts and cruisers; for the
    Kzintis, any unit that did not come on as a force in this period.

    PQ-17 C.cp.cruisers-and-dreadnoughts, C.cp.kzinti.exemptions, rulings CP-2, CP-9."""
    if nation != KZINTI:
        large = [one for one in unit_ids if state.classes[state.units[one].class_id].category in ("BB", "DN", "CA")]
        return under_command(state, nation, [one for one in large if is_warship(state, state.units[one])])
    entered, period = state.progress.entered, period_of(state.turn)
    own = [unit for unit in under_command(state, nation, unit_ids) if not unit.carried_by]
    return [unit for unit in own if entered.get(unit.id, 0) != period and not brings_supply(state, unit)]


def brings_supply(state: State, unit: Unit) -> bool:
    """Whether a unit is a freighter of a base convoy, which needs no command points. Own ruling PQ-40."""
    freighter = state.progress.freighters.get(unit.id)
    return freighter is not None and freighter.kind == "resupply"


@rule("C.cp.reinforcements", "C.schedule.note3")
def deviates(state: State, tf: TaskForce, unit: Unit, step: str) -> bool:
    """Whether a step leaves the direct way on which a unit needs no points: it does not come nearer to its goal. No
    step at all, leaving port, and leaving the map are on the way; a point expended in place is not.

    PQ-17 C.cp.reinforcements, C.schedule.note3, ruling CP-12."""
    direct = state.progress.direct[unit.id]
    if step == PORT:
        return not tf.in_port and tf.hex != direct.hex
    if step in ("", EXIT):
        return False
    if step not in state.grid:
        return True
    return state.grid.distance(step, direct.hex) >= state.grid.distance(tf.hex, direct.hex)


@rule("C.cp.patrol-white", "C.cp.reinforcements")
def is_exempt(state: State, tf: TaskForce, unit: Unit, step: str) -> bool:
    """Whether a ship is exempt from points: Patrol White in its area, or a ship going straight to its goal.

    PQ-17 C.cp.patrol-white, C.cp.reinforcements, rulings CP-6, CP-12."""
    progress = state.progress
    if unit.id in progress.direct and not deviates(state, tf, unit, step):
        return True
    if unit.id not in progress.patrol:
        return False
    there = step if step in state.grid else tf.hex
    return in_patrol_area(state, tf.hex) and in_patrol_area(state, there)


@rule("C.cp.cruisers-and-dreadnoughts")
def is_out(state: State, tf: TaskForce, nation: str, step: str) -> bool:
    """Whether a task force is out of port, or leaves it with this step. PQ-17 C.cp.cruisers-and-dreadnoughts, CP-1."""
    if not tf.in_port or step == PORT:
        return True
    port = state.task_forces.get(tf.in_port)
    return port is None or not under_command(state, nation, port.units)


@rule("C.cp.cruisers-and-dreadnoughts", "C.cp.kzinti")
def need(state: State, nation: str, forces: Iterable[TaskForce], moves: Moves = NO_MOVES) -> Need:
    """All a nation's needs for points in this period, if its side's ``forces`` make ``moves``.

    PQ-17 C.cp.cruisers-and-dreadnoughts, C.cp.kzinti, rulings CP-3, CP-8, CP-13."""
    account = account_of(state, nation)
    wanted = Need(set(account.out), account.entries)
    for tf in forces:
        if tf.base is None:
            add_step(state, nation, wanted, tf, moves.get(tf.id, ""))
    return wanted


def add_step(state: State, nation: str, wanted: Need, tf: TaskForce, step: str) -> None:
    """Add to a nation's needs what a task force needs that makes a step, or none if it is empty."""
    ships = newly_out(state, nation, tf, step, wanted.out)
    entries = far_entries(state, nation, tf, step) if step else 0
    if ships or entries:
        wanted.out |= ships
        wanted.entries += entries
        wanted.causes.append(tf.id)


@rule("C.cp.cruisers-and-dreadnoughts", "C.cp.kzinti")
def newly_out(state: State, nation: str, tf: TaskForce, step: str, out: Container[str]) -> set[str]:
    """The ships of a nation that a task force adds, if it makes a step, to those that are ``out`` already.

    PQ-17 C.cp.cruisers-and-dreadnoughts, C.cp.kzinti, ruling CP-3."""
    fresh = [one for one in tf.units if one not in out]
    needing = needing_points(state, nation, fresh) if fresh and is_out(state, tf, nation, step) else ()
    payers = {one.id for one in needing if not is_exempt(state, tf, one, step)}
    return payers.difference(account_of(state, nation).uncovered) if payers else payers


@rule("C.cp.kzinti")
def far_entries(state: State, nation: str, tf: TaskForce, step: str) -> int:
    """How many hexes, 0 or 1, a nation that pays by the hex pays for if its task force makes a step.

    PQ-17 C.cp.kzinti, rulings CP-5, CP-8."""
    if nation != KZINTI or step == tf.hex or step not in state.grid:
        return 0
    units = under_command(state, nation, tf.units)
    if all(brings_supply(state, unit) or is_exempt(state, tf, unit, step) for unit in units):
        return 0
    if range_from_home(state, nation, step) <= FREE_RANGE:
        return 0
    uncovered = account_of(state, nation).uncovered
    sent_home = any(unit.id in uncovered for unit in units) and goes_home(state, tf, step)
    return 0 if sent_home else 1


def budget(state: State, nation: str) -> int:
    """The points that a nation may spend in the whole of this period: those it has spent and those it has left."""
    account = account_of(state, nation)
    return account.bank + account.spent


def left(state: State, nation: str, wanted: Need) -> int:
    """Points that would be left once ``wanted`` is paid; negative if they are too few. PQ-17 ruling CP-4."""
    return budget(state, nation) - cost_of(state, nation, wanted)


def price(state: State, nation: Nation, forces: Iterable[TaskForce], moves: Moves = NO_MOVES) -> int:
    """The points a nation would have spent in this period after its forces' ``moves``."""
    return cost_of(state, nation.key, need(state, nation.key, forces, moves))


def rule_of(nation: Nation) -> str:
    """The rule that makes a nation's ships cost points."""
    return "PQ-17 C.cp.kzinti" if nation.key == KZINTI else "PQ-17 C.cp.cruisers-and-dreadnoughts"


@rule("4.2.3")
def too_few_points(state: State, nation: Nation, short: int, path: str) -> Refusal:
    """The refusal of an order that costs ``short`` points more than the nation has. PQ-17 4.2.3, ruling CP-4."""
    problem = f"this needs {short} more command point{'s' if short > 1 else ''} than the {nation.name} has"
    legal = f"{account_of(state, nation.key).bank} left; orders that need no more"
    return illegal(problem, rule_of(nation), path, legal=legal)


# --- ships without points left for them -------------------------------------------------------------------------------


def must_go_home(state: State, tf: TaskForce) -> bool:
    """Whether a task force has a ship out of port for which no points are left. PQ-17 ruling CP-5."""
    if tf.is_base or not any(account.uncovered for account in state.progress.command.values()):
        return False
    for nation in commands(state, tf.side):
        if set(account_of(state, nation.key).uncovered) & set(tf.units):
            return is_out(state, tf, nation.key, "")
    return False


def ways_home(state: State, tf: TaskForce) -> list[str]:
    """The steps that bring it nearer to a base of its own nation, lowest hex number first; ``port`` once it is
    there; empty if its nation has no base. PQ-17 ruling CP-5."""
    if tf.in_port:
        return [STAY]
    nation = commander_of(state, state.units_of(tf)[0])
    homes = [base.hex for base in bases_of(state, nation) if base.side == tf.side]
    if not homes:
        return []
    if tf.hex in homes:
        return [PORT]
    now = min(state.grid.distance(tf.hex, home) for home in homes)
    around = sorted(state.grid.neighbours(tf.hex))
    return [one for one in around if min(state.grid.distance(one, home) for home in homes) < now]


def goes_home(state: State, tf: TaskForce, step: str) -> bool:
    """Whether a step lies on a shortest way home."""
    return step in ways_home(state, tf)


def send_home(state: State, tf: TaskForce) -> None:
    """Give a task force the shortest way to a base of its nation as its route. PQ-17 ruling CP-5."""
    if tf.in_port:
        return
    nation = commander_of(state, state.units_of(tf)[0])
    homes = [base.hex for base in bases_of(state, nation) if base.side == tf.side]
    if homes:
        goal = min(homes, key=lambda one: (state.grid.distance(tf.hex, one), one))
        tf.route, tf.loop = [*way_to(state.grid, tf.hex, goal), PORT], []


# --- spending ---------------------------------------------------------------------------------------------------------


@rule("SOP.2.b.i.8", "4.2.3")
def expend_command_points(turn: TurnContext[State]) -> None:
    """Pay for ships out of port and for plotted moves; each side is told of its own points only.

    PQ-17 SOP.2.b.i.8, 4.2.3, rulings CP-3, CP-10, CP-11."""
    charge(turn, {tf.id: tf.plot for tf in turn.state.all_task_forces()})


@rule("4.2.3", "C.cp.cruisers-and-dreadnoughts", "C.cp.kzinti", "C.schedule.note3")
def charge(turn: TurnContext[State], moves: Moves = NO_MOVES, made: Moves = NO_MOVES) -> None:
    """Pay what ``moves`` cost that were not paid for yet, and for every ship that is out of port by now, however it
    came out. What cannot be paid leaves ships uncovered. ``made`` are moves whose hexes were paid for when they were
    plotted, but that may lead a ship that has joined since off its direct way.

    PQ-17 4.2.3, C.cp.*, C.schedule.note3, rulings CP-3, CP-5, CP-8, CP-12."""
    state = turn.state
    end_ways(state)
    steps = {**made, **moves}
    for nation in commands(state):
        _forget_those_in_port(state, nation)
        _break_off(turn, nation, steps)
        wanted = need(state, nation.key, state.all_task_forces(nation.side), moves)
        account = opened_account(state, nation.key)
        _leave_uncovered(turn, nation, wanted)
        price = min(cost_of(state, nation.key, wanted) - account.spent, account.bank)
        account.out, account.entries = sorted(wanted.out), wanted.entries
        if price > 0:
            _pay(turn, nation, account, price)


def _forget_those_in_port(state: State, nation: Nation) -> None:
    """Ships sent home for want of points have done so: to leave again they need points like any other. CP-4, CP-5."""
    account = account_of(state, nation.key)
    for unit_id in account.uncovered:
        tf = state.tf_of(unit_id)
        if tf is not None and not is_out(state, tf, nation.key, ""):
            account.uncovered = [one for one in account.uncovered if one != unit_id]


@rule("C.vp.12", "T5.5")
def _pay(turn: TurnContext[State], nation: Nation, account: CommandAccount, price: int) -> None:
    """Expend points, each of which its own side pays for with a victory point. PQ-17 C.vp.12, T5.5."""
    account.bank -= price
    account.spent += price
    amount = Fraction(-sign_for(nation.side) * price)
    text = f"{nation.name}: {price} command point{'s' if price > 1 else ''} expended."
    why = because(rule_of(nation), {"spent this period": account.spent, "left": account.bank})
    line = "C.vp.12" if uses_campaign_table(turn.state) else "T5.5"
    score(turn.at(nation.key), line, amount, why, text=text, seen_by=[nation.side])


@rule("C.schedule.note3")
def _break_off(turn: TurnContext[State], nation: Nation, moves: Moves) -> None:
    """End exemptions of units that leave the direct way to their goal. PQ-17 C.schedule.note3, ruling CP-12."""
    state = turn.state
    ways = state.progress.direct
    places = {one: tf for one in sorted(ways) if (tf := state.tf_of(one)) is not None and tf.side == nation.side}
    for unit in sorted(under_command(state, nation.key, places), key=lambda one: tf_order(places[one.id].id)):
        tf = places[unit.id]
        if deviates(state, tf, unit, moves.get(tf.id, "")):
            goal = ways.pop(unit.id).hex
            if needing_points(state, nation.key, [unit.id]):  # other nations' destroyers need none in any case
                text = f"{unit.name} does not go straight to {goal}: it needs command points from now on."
                turn.tell([nation.side], text, kind="command", why=because("PQ-17 C.cp.reinforcements"))


@rule("C.schedule.note3", "C.cp.reinforcements")
def end_ways(state: State) -> None:
    """End the exemptions of reinforcements that have reached the port they went to: whatever brings them out of it
    again, also in the same half impulse, is no part of their way. PQ-17 C.schedule.note3, C.cp.reinforcements."""
    for unit_id, direct in sorted(state.progress.direct.items()):
        tf = state.tf_of(unit_id)
        if direct.kind == "arrival" and tf is not None and tf.in_port and tf.hex == direct.hex:
            del state.progress.direct[unit_id]


def _leave_uncovered(turn: TurnContext[State], nation: Nation, wanted: Need) -> None:
    """Send home ships that left port without an order and for which no points are left. Ruling CP-5."""
    state = turn.state
    account = account_of(state, nation.key)
    for unit_id in sorted(wanted.out - set(account.out), reverse=True):
        if left(state, nation.key, wanted) >= 0:
            return
        wanted.out.discard(unit_id)
        leave_uncovered(turn, nation, unit_id)


def leave_uncovered(turn: TurnContext[State], nation: Nation, unit_id: str) -> None:
    """Send home the task force of a ship that gets no points, and tell its owner. PQ-17 ruling CP-5."""
    state = turn.state
    account = opened_account(state, nation.key)
    account.uncovered = sorted({*account.uncovered, unit_id})
    tf = state.tf_of(unit_id)
    if tf is None:
        return
    send_home(state, tf)
    name = state.units[unit_id].name
    text = f"No command points are left for {name}: {tf.label} must go to port by the shortest way."
    turn.tell([nation.side], text, kind="command", why=because("PQ-17 4.2.3", {"left": account.bank}))
