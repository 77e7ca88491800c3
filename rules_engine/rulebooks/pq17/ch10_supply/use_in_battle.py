"""Chapter 10 in battle: consumables used up, as both sides report them, and goods lost with their boxes.

PQ-17 10.1.1, 10.2.2.2, 9.8.
"""

from fractions import Fraction
from typing import Annotated

from pydantic import Field as Bounded

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.stores import held, holdings, lose_excess, say_goods, take
from rules_engine.rulebooks.pq17.ch10_supply.transfer_words import read_amounts, write_amounts
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import Goods

MOST_TEXT = 200


class UsedFields(Frozen):
    """What a unit used up of its consumables; probes have a count of their own."""

    used: Annotated[str, Bounded(max_length=MOST_TEXT)] | None = None


def carried(unit: Unit) -> list[tuple[Goods, Fraction]]:
    """The consumables aboard that may be used up in battle."""
    return [(goods, amount) for goods, amount in holdings(unit) if goods is not Goods.PROBES]


@rule("10.1.1")
def used_fields(unit: Unit) -> list[Field]:
    """A field for what was used up, if there is anything to use. PQ-17 10.1.1."""
    aboard = carried(unit)
    if not aboard:
        return []
    help_text = f"Of {say_goods(aboard)}"
    return [Field(key="used", label="Stores used up", kind="text", most=MOST_TEXT, optional=True, help=help_text)]


@rule("10.1.1", "10.2.6.3")
def check_used(unit: Unit, name: str, line: UsedFields) -> list[Refusal]:
    """Defects of a line: more used than was aboard, or fractions of consumables. PQ-17 10.1.1, 10.2.6.3."""
    path = f"{name}.used"
    amounts, wrong = read_amounts(line.used or "", path)
    for goods, amount in _summed(amounts).items():
        if not goods.is_specific or goods is Goods.PROBES:
            problem = f"{goods.value} {'is' if goods.value in ('fuel', 'supply') else 'are'} not reported here"
            wrong.append(illegal(problem, "PQ-17 10.1.1", path, legal="consumables such as 12 drones, 1 shuttle"))
        elif amount > held(unit, goods) or amount.denominator != 1:
            has = say_goods([(goods, held(unit, goods))]) if held(unit, goods) else f"no {goods.value}"
            problem = f"it had {has}" if amount.denominator == 1 else f"only whole ones are used up, of {has}"
            legal = f"at most {has}" if held(unit, goods) else has
            wrong.append(illegal(problem, "PQ-17 10.1.1", path, legal=legal))
    return wrong


def comparable_used(line: UsedFields) -> str:
    """A line in one standard spelling, so that accounts that mean the same compare equal."""
    amounts = _summed(read_amounts(line.used or "", "")[0])
    return write_amounts((goods, amounts[goods]) for goods in Goods if goods in amounts) or "nothing"


def _summed(amounts: list[tuple[Goods, Fraction]]) -> dict[Goods, Fraction]:
    found: dict[Goods, Fraction] = {}
    for goods, amount in amounts:
        found[goods] = found.get(goods, Fraction(0)) + amount
    return found


@rule("10.1.1", "10.2.6.3")
def take_used(unit: Unit, line: UsedFields) -> None:
    """Remove what was used up. PQ-17 10.1.1, 10.2.6.3."""
    for goods, amount in read_amounts(line.used or "", "")[0]:
        take(unit, goods, amount)


@rule("9.8", "10.2.2.2", "11.2.4.5", "11.2.5.5")
def lose_goods(turn: TurnContext[State], unit: Unit, *, tell: bool = True) -> None:
    """Cut a damaged unit's stores to its undestroyed boxes at once; its owner is told what was lost.

    PQ-17 9.8, 10.2.2.2, 11.2.4.5, 11.2.5.5."""
    lost = lose_excess(unit)
    if lost and tell:
        said = ", ".join(f"{show_fraction(amount)} {words}" for words, amount in lost.items())
        inputs = {"power boxes": unit.power_boxes, "cargo boxes": unit.cargo, "repair boxes": unit.repair}
        text = f"{unit.name} lost with its boxes: {said}."
        turn.tell([unit.side], text, kind="supply", why=because("PQ-17 9.8, 10.2.2.2", inputs))
