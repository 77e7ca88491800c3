"""Between two pieces of a turn: what the sheets report is confirmed by the others where it shows, and carried out."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import SETTLED_BY, Pace, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.vector.accounts.carrying import carry_out
from rules_engine.rulebooks.vector.accounts.confirming import OpenReport, confirm_ask, dispute_ask
from rules_engine.rulebooks.vector.accounts.judging import reports_of
from rules_engine.rulebooks.vector.accounts.saying import RULES, say_report
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.reports import FATES, UnitReport
from rules_engine.rulebooks.vector.records.sheets import PlotSheet
from rules_engine.rulebooks.vector.records.tactical import Tactical

Meaning = tuple[str, str, tuple[str, ...]]


class ReportSettled(NamedTuple):
    """Whether something that was reported is so, and how that was settled."""

    is_so: bool
    how: str


def settle_reports_steps(
    turn: TurnContext[Any], battle: Tactical, sheets: Mapping[Side, PlotSheet], *, pace: Pace = "decision"
) -> Steps[list[Happened]]:
    """Carry out what the sheets of a piece report, before it is flown.

    What only its own captain can see is taken as it is said. What shows is put to the others, and nobody is asked where
    nothing is: who is silent agrees. What somebody objects to is settled as accounts of battles are. Returns what
    happened to tractors by it. VM-N40
    """
    happened: list[Happened] = []
    reported = {side: reports_of(known_to(battle, side), side, sheet)[0] for side, sheet in sheets.items()}
    for side in battle.sides:
        for report in reported.get(side, ()):
            if report.is_private and carry_out(battle, report, turn) is not None:
                turn.tell([side], f"{say_report(battle, report)}.", why=because(RULES[report.what]))
    open_reports = _opened(battle, reported)
    how = yield from _confirmed_steps(turn, battle, open_reports, pace)
    for key in _in_their_order(turn, battle, open_reports):
        report, settled = open_reports[key].report, how[key]
        said, why = say_report(battle, report), because(RULES[report.what], {"settled": settled.how})
        done = carry_out(battle, report, turn) if settled.is_so else None
        if not settled.is_so:
            turn.tell_all(f"This was reported and is not so: {said}.", kind="battle", why=why)
        elif done is None:
            turn.tell_all(f"This was reported and changes nothing any more: {said}.", kind="battle", why=why)
        else:
            turn.tell_all(f"{said}.", kind="battle", why=why)
            happened += done
    return happened


def _opened(battle: Tactical, reported: Mapping[Side, list[UnitReport]]) -> dict[str, OpenReport]:
    """What others must confirm, by key; what two sides report alike once, as the first's."""
    found: dict[Meaning, OpenReport] = {}
    for side in battle.sides:
        for report in reported.get(side, ()):
            if report.is_private:
                continue
            before = found.get(_meaning(report))
            if before is None:
                number = sum(one.report.by == report.by for one in found.values()) + 1
                found[_meaning(report)] = OpenReport(f"{report.by}-{number}", (side,), report)
            else:
                found[_meaning(report)] = before._replace(sides=(*before.sides, side))
    return {one.key: one for one in found.values()}


@rule("CJD1.55", "CJD1.551")
def _in_their_order(turn: TurnContext[Any], battle: Tactical, reports: Mapping[str, OpenReport]) -> list[str]:
    """The reports as they are carried out: what lets go, then who is gone, then what catches. Of two tractors that
    reach for one unit the stronger has it, of equal ones one that is drawn. CJD1.55, CJD1.551, VM-R09, VM-N45"""
    catches = [key for key, one in reports.items() if one.report.what == "tractor"]
    place = turn.at("rival", f"{battle.turn}.{battle.impulse}")
    ordered: list[str] = []
    for power in sorted({reports[key].report.power for key in catches}, reverse=True):
        alike = [key for key in catches if reports[key].report.power == power]
        while alike:
            tied = [key for key in alike if any(_clash(reports, key, one) for one in alike)]
            if not tied:
                ordered += alike
                break
            drawn = place.roll("the tractor that has it", faces=len(tied), key=str(len(ordered))).total - 1
            ordered.append(tied[drawn])
            alike.remove(tied[drawn])
    others = [key for key in reports if key not in catches]
    return [*sorted(others, key=lambda key: _before(battle, reports[key])), *ordered]


def _before(battle: Tactical, one: OpenReport) -> tuple[int, bool, int]:
    """What is carried out before what: who lets go before who is gone. Of two ends of one unit its own captain's word
    is first, then the graver. VM-N45"""
    report = one.report
    if report.what not in FATES:
        return (0, False, 0) if report.what == "released" else (1, False, 0)
    return 2, battle.units[report.unit].side not in one.sides, FATES.index(report.what)


def _clash(reports: Mapping[str, OpenReport], one: str, other: str) -> bool:
    """Whether two tractors reach for one unit."""
    mine, theirs = reports[one].report, reports[other].report
    return one != other and bool({mine.unit, mine.other} & {theirs.unit, theirs.other})


def _meaning(report: UnitReport) -> Meaning:
    units = (report.unit, report.other) if report.what in ("tractor", "released") else (report.unit,)
    return report.what, f"{report.power}/{report.resistance}", tuple(sorted(units))


def _confirmed_steps(
    turn: TurnContext[Any], battle: Tactical, reports: Mapping[str, OpenReport], pace: Pace
) -> Steps[dict[str, ReportSettled]]:
    """By report, what was settled about it."""
    names = {side: turn.name_of(side) for side in turn.sides}
    asked: dict[Side, dict[str, OpenReport]] = {}
    for side in turn.in_play:
        others = {key: one for key, one in reports.items() if side not in one.sides}
        if others:
            asked[side] = others
    asks = [confirm_ask(battle, side, others, names, pace=pace) for side, others in asked.items()]
    given = yield from turn.ask_all_steps(asks)
    answers = dict(zip(asked, given, strict=True))
    objectors = {
        key: tuple(side for side, said in answers.items() if key in asked[side] and said.objects(key))
        for key in reports
    }
    settled = dict.fromkeys(reports, ReportSettled(is_so=True, how="nobody objected"))
    disputed = [dispute_ask(battle, reports[key], sides, names) for key, sides in objectors.items() if sides]
    agreed = yield from turn.ask_all_steps(disputed)
    for ask, answer in zip(disputed, agreed, strict=True):
        how = SETTLED_BY[turn.settlement(ask.key, ask.parties)]
        settled[ask.key] = ReportSettled(is_so=not answer.objects(ask.key), how=how)
    return settled
