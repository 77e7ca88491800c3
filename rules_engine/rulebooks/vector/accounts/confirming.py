"""Asking others whether what was reported is so, and settling what somebody objects to."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.numbered import short_name
from rules_engine.core.protocol.accounts import StatedEnd, field_difference
from rules_engine.core.protocol.asks import Agreement, Ask, Pace
from rules_engine.core.protocol.question import Question, UsualAnswer
from rules_engine.rulebooks.vector.accounts.saying import say_report
from rules_engine.rulebooks.vector.records.reports import UnitReport
from rules_engine.rulebooks.vector.records.tactical import Tactical

RULE = "VM-N40"
LONGEST_LABEL, LONGEST_TITLE = 80, 100
_ANSWERS = (Choice("yes", "It is so"), Choice("no", "It is not so"))
_WORDS = {"yes": "it is so", "no": "it is not so"}


class OpenReport(NamedTuple):
    """A report that others must confirm: under which key, and whose captains report it."""

    key: str
    sides: tuple[Side, ...]
    report: UnitReport


class ReportAnswer(Frozen):
    """Whether one report is so."""

    so: Literal["yes", "no"] = "yes"


class ReportAnswers(RootModel[dict[str, ReportAnswer]]):
    """A side's answers, by report; those that are left out are so."""

    def objects(self, key: str) -> bool:
        """Whether it says that a report is not so."""
        return self.root.get(key, ReportAnswer()).so == "no"


def confirm_ask(
    battle: Tactical,
    side: Side,
    reports: Mapping[str, OpenReport],
    names: Mapping[Side, str],
    *,
    pace: Pace = "decision",
) -> Ask[ReportAnswers]:
    """The question to one of the others whether these reports are so; silence says that they are."""
    form = _form(battle, reports, names)
    return Ask(
        kind="reports",
        parties=(side,),
        title="Reports of the others",
        text="Others report what the tracker cannot know. Say if something is not so; then it is settled between you.",
        question=Question(
            "Is this so?",
            _situation(form),
            others="are taken as so",
            noun="report",
            offers=(UsualAnswer("All so", {key: {"so": "yes"} for key in reports}),),
        ),
        model=ReportAnswers,
        form=form,
        rule=RULE,
        pace=pace,
        default=ReportAnswers({}),
        default_says="What the others report is so.",
        check=lambda answers: _strange_lines(form, answers),
        read_back=lambda answers: [_said(battle, one, answers) for one in reports.values()],
    )


def dispute_ask(
    battle: Tactical, one: OpenReport, objectors: tuple[Side, ...], names: Mapping[Side, str]
) -> Ask[ReportAnswers]:
    """The question to a captain who reports and those who object: they agree, or the referee decides."""
    form = _form(battle, {one.key: one}, names)
    return Ask(
        kind="dispute",
        key=one.key,
        parties=(*one.sides, *objectors),
        title=short_name(f"Not agreed: {say_report(battle, one.report)}", LONGEST_TITLE),
        text="Settle it between you, then say the same. If you cannot, the referee decides.",
        question=Question("Did it happen?", f"{say_report(battle, one.report)}: that is disputed.", noun="report"),
        model=ReportAnswers,
        form=form,
        rule=RULE,
        pace="battle",
        check=lambda answers: _strange_lines(form, answers),
        read_back=lambda answers: [_said(battle, one, answers)],
        agree=lambda accounts: _agree(battle, one, form, names, accounts),
        ends=StatedEnd("What is disputed did not happen.", lambda: {one.key: {"so": "no"}}),
    )


def _situation(form: Form) -> str:
    """What is reported, where that is one thing: of a sheet with one choice a card shows the buttons alone."""
    alone = form.lines[0].note if len(form.lines) == 1 else ""
    return f"{alone}." if alone else "Others report what happened by the weapons."


def _form(battle: Tactical, reports: Mapping[str, OpenReport], names: Mapping[Side, str]) -> Form:
    return Form(
        lines=tuple(
            Line(
                key=one.key,
                label=short_name(say_report(battle, one.report), LONGEST_LABEL),
                note=f"{' and '.join(names.get(side, side) for side in one.sides)}: {say_report(battle, one.report)}",
                fields=(Field("so", "Is it so?", "one", choices=_ANSWERS, value="yes"),),
            )
            for one in reports.values()
        )
    )


def _strange_lines(form: Form, answers: ReportAnswers) -> list[Refusal]:
    legal = ", ".join(form.by_key)
    return [malformed("there is no such report", key, legal=legal) for key in answers.root if form.line(key) is None]


def _said(battle: Tactical, one: OpenReport, answers: ReportAnswers) -> str:
    so = "no" if answers.objects(one.key) else "yes"
    return f"{one.key}: {say_report(battle, one.report)}: {_WORDS[so]}"


def _agree(
    battle: Tactical, one: OpenReport, form: Form, names: Mapping[Side, str], accounts: Mapping[Side, ReportAnswers]
) -> Agreement[ReportAnswers]:
    """Whether all say the same of a report."""
    said = {side: "no" if answers.objects(one.key) else "yes" for side, answers in accounts.items()}
    if len({*said.values()}) == 1:
        return Agreement(next(iter(accounts.values())))
    what = say_report(battle, one.report)
    each = "; ".join(f"{names.get(side, side)} says {_WORDS[so]}" for side, so in said.items())
    field = form.lines[0].fields[0]
    return Agreement(None, (f"{what}: {each}",), (field_difference(one.key, field, what, {**said}),))
