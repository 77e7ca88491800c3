"""Standing orders that decide a whole sheet: it is judged where they do something, and left alone where they do not."""

from collections.abc import Sequence

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.standing.answers import Decision
from rules_engine.rulebooks.pq17.ch08_combat.declarations import AttackSheet
from rules_engine.rulebooks.pq17.orders.standing_answers import by_orders_alone
from tests.rulebooks.pq17.worlds.notation import table, world

ATTACKS = {"A1": Decision({"target": "E1"}, said="A1 attacks.", clause="attack at id1", whose="A1")}


def decided(decisions: dict[str, Decision | None], *refusals: Refusal) -> tuple[AttackSheet | None, int, int]:
    """The sheet, how often it was judged, and how much was told."""
    at = table(world("A1 0405 CA\nC1 0405 CA ID1"))
    judged: list[AttackSheet] = []

    def check(sheet: AttackSheet) -> Sequence[Refusal]:
        judged.append(sheet)
        return refusals

    sheet = by_orders_alone(at, "alliance", "PQ-17 8.4.2", AttackSheet({}), decisions, check=check)
    return sheet, len(judged), len(at.shared.reports)


def test_what_orders_do_is_judged_first_and_told() -> None:
    sheet, judged, told = decided(dict(ATTACKS))
    assert (sheet.root["A1"].target, judged, told) == ("E1", 1, 1)


def test_what_cannot_be_carried_out_is_left_to_the_owner_and_not_told() -> None:
    assert decided(dict(ATTACKS), illegal("no fuel", "PQ-17 9.6")) == (None, 1, 0)


def test_where_orders_do_nothing_there_is_nothing_to_judge() -> None:
    assert decided({}) == (AttackSheet({}), 0, 0)


def test_what_orders_leave_open_is_not_judged() -> None:
    assert decided({**ATTACKS, "A2": None}) == (None, 0, 0)
