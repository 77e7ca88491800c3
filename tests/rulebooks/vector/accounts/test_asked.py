"""What others are asked about a report, in words, and within the letters that a card has room for."""

import pytest

from rules_engine.rulebooks.vector.accounts.confirming import OpenReport, confirm_ask, dispute_ask
from rules_engine.rulebooks.vector.accounts.saying import say_report
from rules_engine.rulebooks.vector.records.reports import UnitReport
from rules_engine.rulebooks.vector.records.tactical import Tactical, TractorLink
from tests.expected.kept import Kept
from tests.rulebooks.vector.duel import HUNTERS, RACERS, three

NAMES = {HUNTERS: "Hunters", RACERS: "Racers"}
GONE = UnitReport(by="H1", unit="H1", what="destroyed")


def called(letters: int) -> Tactical:
    """A battle in which the sentence of ``GONE`` has so many letters."""
    battle = three()
    battle.units["H1"].name = "K" * (letters - len("H1  is destroyed"))
    assert len(say_report(battle, GONE)) == letters
    return battle


def test_the_others_are_asked_whether_it_is_so(kept: Kept) -> None:
    ask = confirm_ask(three(), RACERS, {"H1-1": OpenReport("H1-1", (HUNTERS, "allies"), GONE)}, NAMES)
    assert ask.title == "Reports of the others"
    assert ask.text == (
        "Others report what the tracker cannot know. Say if something is not so; then it is settled between you."
    )
    assert ask.question is not None
    assert (ask.question.heading, ask.question.situation, ask.question.others, ask.question.noun) == kept()
    (offer,) = ask.question.offers
    assert (offer.label, offer.values) == ("All so", {"H1-1": {"so": "yes"}})
    (line,) = ask.form.lines
    assert (line.label, line.note) == ("H1 Kestrel is destroyed", "Hunters and allies: H1 Kestrel is destroyed")
    (field,) = line.fields
    assert (field.label, field.value) == ("Is it so?", "yes")
    assert ask.default_says == "What the others report is so."
    no = ask.answer_from({"H1-1": {"so": "no"}})
    assert [*ask.read_back(no)] == ["H1-1: H1 Kestrel is destroyed: it is not so"]


def test_of_several_reports_each_has_its_row() -> None:
    reports = {key: OpenReport(key, (HUNTERS,), GONE) for key in ("H1-1", "H1-2")}
    ask = confirm_ask(three(), RACERS, reports, NAMES)
    assert ask.question is not None
    assert ask.question.situation == "Others report what happened by the weapons."
    assert [line.key for line in ask.form.lines] == ["H1-1", "H1-2"]


def test_what_is_disputed_is_asked_of_both(kept: Kept) -> None:
    ask = dispute_ask(three(), OpenReport("H1-1", (HUNTERS,), GONE), (RACERS,), NAMES)
    assert ask.title == "Not agreed: H1 Kestrel is destroyed"
    assert ask.text == "Settle it between you, then say the same. If you cannot, the referee decides."
    assert ask.question is not None
    assert (ask.question.heading, ask.question.situation) == kept()


@pytest.mark.parametrize(("letters", "shown"), [(80, 80), (81, 80), (90, 80)])
def test_a_report_has_eighty_letters_on_a_card(letters: int, shown: int) -> None:
    battle = called(letters)
    ask = confirm_ask(battle, RACERS, {"H1-1": OpenReport("H1-1", (HUNTERS,), GONE)}, NAMES)
    label = ask.form.lines[0].label
    assert len(label) == shown
    assert (label == say_report(battle, GONE)) is (letters <= 80)


@pytest.mark.parametrize(("letters", "shown"), [(88, 100), (89, 100), (95, 100)])
def test_a_title_has_a_hundred_letters(letters: int, shown: int) -> None:
    """``Not agreed: `` has twelve of them."""
    battle = called(letters)
    title = dispute_ask(battle, OpenReport("H1-1", (HUNTERS,), GONE), (RACERS,), NAMES).title
    assert len(title) == shown
    assert title.endswith("…") is (letters > 88)


def test_reports_of_weasels_and_tractors_in_words(kept: Kept) -> None:
    battle = three()
    said = {
        what: say_report(battle, UnitReport.model_validate({"by": "H1", "unit": "H1", "what": what}))
        for what in ("weasel launched", "weasel voided", "released", "disengaged", "destroyed", "left the map")
    }
    assert said == kept()
    battle.tractors.append(TractorLink(one="H2", other="H1", controller="H2"))
    let_go = UnitReport(by="H1", unit="H1", what="released")
    assert say_report(battle, let_go) == "H1 Kestrel and H2 Falcon are in a tractor no more"
    other_way = UnitReport(by="H2", unit="H2", what="released")
    assert say_report(battle, other_way) == "H2 Falcon and H1 Kestrel are in a tractor no more"
    lost = UnitReport(by="H1", unit="H1", what="lost", amount=1)
    assert say_report(battle, lost) == "H1 Kestrel loses 1 point of warp power"
