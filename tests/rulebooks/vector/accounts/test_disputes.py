"""Who settles what somebody objects to, and how reports of both units of a tractor read."""

import pytest

from rules_engine.rulebooks.vector.records.tactical import TractorLink
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.accounts.pieces import PieceSettled
from tests.rulebooks.vector.duel import HUNTERS, RACERS, ship, three


def test_all_who_report_it_settle_it_with_all_who_object() -> None:
    battle = three()
    battle.sides.append("watchers")
    battle.units["W1"] = ship("W1", "2020", side="watchers")
    texts = {HUNTERS: "H1: report R1 destroyed", RACERS: "R1: report destroyed"}
    settled = PieceSettled(battle, texts, {"watchers": {"H1-1"}}, {"H1-1": "yes"})
    assert settled.asked()[1:] == [("dispute", (HUNTERS, RACERS, "watchers"), ("H1-1",))]
    assert battle.units["R1"].out == "destroyed"


@pytest.mark.rule("vector", "CJD1.55")
@cases("side, text, told")
def test_a_release_names_both_units_whoever_reports_it(side: str, text: str, told: str) -> None:
    link = TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 1}, controller="H1")
    settled = PieceSettled(three(tractors=[link]), {side: text})
    assert settled.asks[0].form.lines[0].label.endswith(told.rstrip("."))
    assert settled.told(HUNTERS) == settled.told(RACERS) == [told]


def test_what_others_are_asked_is_said_in_full(kept: Kept) -> None:
    asks = PieceSettled(three(), {HUNTERS: "H2: report disengaged"}, {RACERS: {"H2-1"}}, {"H2-1": "no"}).asks
    assert [(one.title, one.text) for one in asks] == kept()
    assert [(one.asks_for.heading, one.asks_for.situation) for one in asks] == [
        ("Is this so?", "Hunters: H2 Falcon has disengaged."),
        ("Did it happen?", "H2 Falcon has disengaged: that is disputed."),
    ]
    assert asks[0].answer_from({**asks[0].asks_for.offers[0].values}).root["H2-1"].so == "yes"
    assert {choice.value: choice.label for choice in asks[0].form.lines[0].fields[0].choices} == {
        "yes": "It is so",
        "no": "It is not so",
    }


@pytest.mark.rule("vector", "CJD1.55")
def test_a_release_that_both_report_is_asked_of_nobody() -> None:
    link = TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 1}, controller="H1")
    battle = three(tractors=[link])
    settled = PieceSettled(battle, {HUNTERS: "H1: report released R1", RACERS: "R1: report released H1"})
    assert (settled.asks, battle.tractors) == ([], [])
    assert settled.told(RACERS) == ["H1 Kestrel and R1 Courier are in a tractor no more."]
    one, other = three(), three()
    both = PieceSettled(one, {HUNTERS: "H1: report weasel launched", RACERS: "R1: report weasel launched"})
    assert len(both.asks) == 2
    same = PieceSettled(other, {HUNTERS: "H1: report tractor R1 3 to 3; report H2 destroyed", RACERS: "R1: coast"})
    assert same.asked() == [("reports", (RACERS,), ("H1-1", "H1-2"))]
