"""Emergency reinforcements: destroyers at a victory point a hull, chosen with the period's purchases.

PQ-17 C.emergency-reinforcements, C.vp.16, rulings SCN-26, GEN-4.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import catalogue_of, in_service, variant_refusals
from rules_engine.rulebooks.pq17.nations.homes import period_of
from rules_engine.rulebooks.pq17.nations.victory_points import score, sign_for
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.schedule import Emergency, fits
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.unit_types import unit_type

MOST_HULLS = 20


class EmergencyLine(Frozen):
    """The number of hulls taken of a class."""

    hulls: Annotated[int, Bounded(ge=0, le=MOST_HULLS)] | None = None


class EmergencySheet(RootModel[dict[str, EmergencyLine]]):
    """The hulls that a side takes as emergency reinforcements."""


def offers(state: State, side: Side) -> list[Emergency]:
    """What a side's nations may add this period."""
    mine = {nation.key for nation in state.settings.campaign.nations_of(side)}
    return [one for one in state.settings.schedule.emergency if one.nation in mine]


@rule("C.purchase.1e")
def classes_of(state: State, offer: Emergency) -> list[ShipClass]:
    """The warships that the points may be spent on: of the category or a smaller one. PQ-17 C.purchase.1e."""
    nation = state.settings.campaign.nation_of(offer.nation)
    return [
        kind
        for kind in catalogue_of(state, nation)
        if unit_type(kind) == "warship"
        if in_service(state.settings.campaign, kind) and offer.category != "CIV" and fits(offer.category, kind.category)
    ]


@rule("C.emergency-reinforcements")
def emergency_ask(turn: TurnContext[State], side: Side) -> Ask[EmergencySheet] | None:
    """The sheet of one side, or None where the schedule offers nothing. PQ-17 C.emergency-reinforcements."""
    state = turn.state
    found = offers(state, side)
    if not found:
        return None
    lines = [line for offer in found for line in _lines(state, offer)]
    form = Form(lines=tuple(lines))
    points = ", ".join(f"{show_fraction(offer.points)} {offer.category} points" for offer in found)
    return Ask(
        kind="emergency",
        parties=(side,),
        title=f"Emergency reinforcements, period {period_of(state.turn)}",
        text=f"Up to {points} on top of the schedule. Every hull costs a victory point; what is left over lapses.",
        question=Question(
            "Emergency reinforcements?", f"Up to {points} on top of the schedule, each hull for a victory point."
        ),
        model=EmergencySheet,
        form=form,
        rule="PQ-17 C.emergency-reinforcements",
        default=EmergencySheet({}),
        default_says="None are taken.",
        check=lambda sheet: [*misplaced(form, sheet.root), *judge(state, side, sheet)],
        read_back=lambda sheet: (
            [f"{count} {state.classes[key].name}." for key, count in _taken(sheet).items()] or ["None are taken."]
        ),
        warn=lambda sheet: list(_say_price(sheet)),
    )


def _say_price(sheet: EmergencySheet) -> Iterable[str]:
    hulls = sum(_taken(sheet).values())
    if hulls:
        yield f"This costs {counted(hulls, 'victory point')}."


def _lines(state: State, offer: Emergency) -> list[Line]:
    return [
        Line(
            key=kind.class_id,
            label=f"{kind.name} at {show_fraction(kind.bpv_economic)}",
            fields=(Field(key="hulls", label="Hulls", kind="number", least=0, most=MOST_HULLS, value=0),),
        )
        for kind in classes_of(state, offer)
        if kind.bpv_economic <= offer.points
    ]


def _taken(sheet: EmergencySheet) -> dict[str, int]:
    return {key: line.hulls for key, line in sorted(sheet.root.items()) if line.hulls}


@rule("C.emergency-reinforcements", "C.variants.command", "C.variants.specialized")
def judge(state: State, side: Side, sheet: EmergencySheet) -> list[Refusal]:
    """No more than the points, and no more variants than the hulls allow.

    PQ-17 C.emergency-reinforcements, C.variants.command, C.variants.specialized."""
    refusals: list[Refusal] = []
    for offer in offers(state, side):
        taken = _of_offer(state, offer, _taken(sheet))
        price = sum((state.classes[key].bpv_economic * count for key, count in taken.items()), Fraction(0))
        nation = state.settings.campaign.nation_of(offer.nation)
        if price > offer.points:
            problem = f"{nation.name}: {show_fraction(price)} points of emergency reinforcements"
            legal = f"at most {show_fraction(offer.points)}"
            path = min(taken)
            refusals.append(illegal(problem, "PQ-17 C.emergency-reinforcements", f"{path}.hulls", legal=legal))
        refusals += variant_refusals(state, nation, {key: [state.classes[key]] * count for key, count in taken.items()})
    return refusals


def _of_offer(state: State, offer: Emergency, taken: Mapping[str, int]) -> dict[str, int]:
    able = {kind.class_id for kind in classes_of(state, offer)}
    return {key: count for key, count in taken.items() if key in able}


@rule("C.emergency-reinforcements", "C.vp.16")
def take_emergency(turn: TurnContext[State], side: Side, sheet: EmergencySheet) -> dict[str, list[Unit]]:
    """Make the hulls and score them, secretly until the next period's end; returns them by nation.

    PQ-17 C.emergency-reinforcements, C.vp.16, rulings SCN-26, FOG-1."""
    state = turn.state
    made: dict[str, list[Unit]] = {}
    for offer in offers(state, side):
        taken = _of_offer(state, offer, _taken(sheet))
        hulls = sum(taken.values())
        for class_id, count in taken.items():
            made.setdefault(offer.nation, []).extend(new_units(state, offer.nation, class_id, count))
        if hulls:
            text = f"{counted(hulls, 'emergency reinforcement')} taken."
            why = because("PQ-17 C.vp.16", {"hulls": hulls})
            amount = Fraction(-sign_for(side) * hulls)
            score(turn.at(offer.nation), "C.vp.16", amount, why, text=text, seen_by=[side])
    return made
