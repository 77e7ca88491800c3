"""What standing orders decide of an ask, from what its race itself knows.

None stands for an ask about which nothing is ordered; a line that is None is left to its owner.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from rules_engine.core.basics.base import HexId, Json, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.standing import answers
from rules_engine.core.standing.answers import Decision, Decisions
from rules_engine.rulebooks.cutler.records.conditions.cloaks import faced
from rules_engine.rulebooks.cutler.records.conditions.docking import in_own_flight
from rules_engine.rulebooks.cutler.records.parts.craft import ABOARD
from rules_engine.rulebooks.cutler.records.parts.standing import Act, CounterOrder
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet, Unit
from rules_engine.rulebooks.cutler.standing.precedence import (
    Given,
    fleets_by_unit,
    order_in,
    order_of,
    orders_of_units,
)

A = TypeVar("A", bound=BaseModel)


def ask_or_obey_steps(
    turn: CutlerTurn, asks: Sequence[Ask[A]], decisions: Sequence[Decisions | None]
) -> Steps[list[A]]:
    """Ask several things at once, but for those that standing orders answer; their races are told."""

    def tell(race: Side, rule: str, decided: Iterable[Decision]) -> None:
        answers.tell_decisions(turn, race, rule, decided, [])

    return (yield from answers.ask_or_obey_steps(turn, asks, decisions, tell))


def decided(given: Given, values: Mapping[str, Json], said: str) -> Decision:
    """A decision by an order, with what is told of it."""
    return Decision(values, said if given.told else "", given.clause, given.whose)


def is_outnumbering(more: int, less: int, act: Act) -> bool:
    """Whether so many units are enough against so many others for what is done from a ratio on."""
    return act.ratio is None or more >= act.ratio * less


# --- meeting in a hex -------------------------------------------------------------------------------------------------


def card_decision(state: CutlerState, race: Side, hex_id: HexId) -> Decisions | None:
    """The card that a race's orders show in a hex. For a ratio the units count that there are on its own side, as far
    as it sees them, and those of all others there that it sees."""
    given = order_in(state, race, hex_id, "cards")
    if given is None or not isinstance(given.value, Act):
        return None
    force = state.fights[hex_id].force_of(race)
    seen = {other: len(faced(state, hex_id, other, race)) for other in state.races_in(hex_id) if other != race}
    ours = len(in_own_flight(state.units_in(hex_id, race)))
    ours += sum(count for other, count in seen.items() if other in force)
    theirs = sum(count for other, count in seen.items() if other not in force)
    fights = given.value.what == "do" and is_outnumbering(ours, theirs, given.value)
    card = "combat" if fights else "bypass"
    counted = f": {ours} against {theirs}" if given.value.ratio is not None else ""
    return {"force": decided(given, {"card": card}, f"Your card in {hex_id} is {card}{counted}.")}


def challenge_decision(state: CutlerState, race: Side, hex_id: HexId) -> Decisions | None:
    """Nobody is challenged, where all races of a force have ordered so."""
    said = f"You challenge nobody in {hex_id}."
    return _letting_go(state, state.fights[hex_id].force_of(race), "challenge", ["challenge"], said)


def meeting_decisions(state: CutlerState, race: Side, fleets: Sequence[Fleet]) -> Decisions | None:
    """Whether cloaked fleets with others show themselves."""
    words = {"stay": "stays under cloak", "show": "shows itself"}
    found: dict[str, Decision | None] = {}
    for fleet in fleets:
        given = order_of(state, race, fleet, "cloak")
        does = "" if given is None else str(given.value)
        found[fleet.key] = None if given is None else decided(given, {"does": does}, f"{fleet.key} {words[does]}.")
    return _any(found)


# --- escape, pursuit, flanks ------------------------------------------------------------------------------------------


def wave_decision(
    state: CutlerState, race: Side, hex_id: HexId, able: Sequence[Unit], *, ours: int, theirs: int
) -> Decisions | None:
    """Which of the ships that can break away do: all whose orders say so. If one of them is to be asked about, all
    are."""
    found = orders_of_units(state, race, able, "run")
    if not able or any(given is None for given in found.values()):
        return None
    runs = {key: given for key, given in found.items() if given is not None and _does(given, theirs, ours)}
    given = next(iter(runs.values()), None) or next(given for given in found.values() if given is not None)
    names = ", ".join(unit.title for unit in able if unit.id in runs)
    said = f"In {hex_id} run: {names}." if runs else f"In {hex_id} nobody runs."
    return {"wave": decided(given, {"ships": [*runs]}, said)}


def _does(given: Given, more: int, less: int) -> bool:
    act = given.value
    return isinstance(act, Act) and act.what == "do" and is_outnumbering(more, less, act)


def pursuit_decisions(
    state: CutlerState, race: Side, hex_id: HexId, able: Sequence[Unit], *, wave: int, runners: int
) -> Decisions | None:
    """Which units go after a wave, all in one group; fighters and docked PFs stay aboard. For a ratio all others count
    that could."""
    found = orders_of_units(state, race, able, "pursue")
    aboard = _aboard(able)
    ready = sum(unit.id not in aboard for unit in able)
    going = {
        key for key, given in found.items() if given is not None and key not in aboard and _does(given, ready, runners)
    }
    names = ", ".join(unit.title for unit in able if unit.id in going)
    said = f"Wave {wave} in {hex_id} is pursued by: {names}." if going else f"Nobody pursues wave {wave} in {hex_id}."
    return _grouped(found, dict.fromkeys(going, 1), said)


def _aboard(able: Sequence[Unit]) -> set[str]:
    """Those, by id, that go with a carrier or a tender unless they are sent."""
    return {unit.id for unit in able if unit.docked_at or unit.id.endswith(ABOARD)}


def flank_decisions(state: CutlerState, race: Side, hex_id: HexId, able: Sequence[Unit]) -> Decisions | None:
    """Which units flank: those whose orders say so, each fleet in a group of its own; fighters and docked PFs stay
    aboard."""
    aboard = _aboard(able)
    found = orders_of_units(state, race, able, "flank")
    fleets = fleets_by_unit(state, race)
    group: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for key, given in found.items():
        if given is not None and given.value == "flank" and key not in aboard:
            fleet = fleets[key].key if key in fleets else ""
            group[key] = numbers.setdefault(fleet, len(numbers) + 1)
    names = ", ".join(unit.title for unit in able if unit.id in group)
    return _grouped(found, group, f"In {hex_id} flank: {names}." if group else f"In {hex_id} nobody flanks.")


def _grouped(found: Mapping[str, Given | None], group: Mapping[str, int], said: str) -> Decisions | None:
    """Decisions for sheets with a line for each unit; what they come to is said once, by the order behind it."""
    speaking = next(iter(group), next((key for key, given in found.items() if given is not None), ""))
    return _any(
        {
            key: None
            if given is None
            else decided(given, {"group": str(group.get(key, 0))}, said if key == speaking else "")
            for key, given in found.items()
        }
    )


def _any(decisions: Decisions) -> Decisions | None:
    return decisions if any(one is not None for one in decisions.values()) else None


# --- spies, and what may be let go by ---------------------------------------------------------------------------------


def counter_decisions(
    state: CutlerState, race: Side, to_lodge: Mapping[str, tuple[Fleet, HexId]], stay: str
) -> Decisions | None:
    """Points against a mission, and what fleets lodge: ``to_lodge`` has where the stored course of each leads."""
    pool = state.empires[race].counter_pool
    found: dict[str, Decision | None] = {}
    if pool:
        given = order_of(state, race, None, "counter")
        order = given.value if given is not None else None
        found["counter"] = None
        if given is not None and isinstance(order, CounterOrder):
            points = 0 if order.what == "never" else min(pool, order.points or pool)
            used = f"{points} of your {pool} points are used against this mission."
            found["counter"] = decided(given, {"points": points}, used)
    for key, (fleet, goal) in to_lodge.items():
        given = order_of(state, race, fleet, "lodge")
        does = f"goes to {goal}" if goal else "stays"
        found[key] = None if given is None else decided(given, {"to": goal or stay}, f"{key} {does} in impulse 1.")
    return _any(found)


def letting_go_by(state: CutlerState, race: Side, clause: str, ask: Ask[Any], said: str) -> Decisions | None:
    """Nothing is done of what a sheet offers, where a race has ordered not to be asked about it."""
    return _letting_go(state, (race,), clause, [line.key for line in ask.form.lines], said)


def detail_decisions(state: CutlerState, ask: Ask[Any]) -> Decisions | None:
    """A choice within a battle is left as it is filled in, where all races that are asked as one have ordered so."""
    lines = [line.key for line in ask.form.lines]
    return _letting_go(state, ask.parties, "details", lines, f"{ask.title}: {ask.default_says}")


@rule("2.10")
def _letting_go(
    state: CutlerState, force: Sequence[Side], clause: str, lines: Sequence[str], said: str
) -> Decisions | None:
    """Nothing is done of what some lines offer, where each race of a force has ordered not to be asked about it. The
    book gives a force no commander, and any of its races may answer for it: so the orders of some do not take the
    choice from the others. Each is told of its own order. 2.10, CU-N152"""
    given = {race: order_of(state, race, None, clause) for race in force}
    orders = {race: one for race, one in given.items() if one is not None}
    if len(orders) < len(given):
        return None
    found: dict[str, Decision] = {}
    for number, key in enumerate(lines):
        first, *partners = ((race, decided(one, {}, "" if number else said)) for race, one in orders.items())
        found[key] = replace(first[1], partners=dict(partners))
    return found


def ask_details_steps(turn: CutlerTurn, asks: Sequence[Ask[A]]) -> Steps[list[A]]:
    """Ask for choices within battles, but of races that leave them as they are filled in."""
    return (yield from ask_or_obey_steps(turn, asks, [detail_decisions(turn.state, ask) for ask in asks]))
