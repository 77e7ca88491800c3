"""Between pieces: what is reported, who is asked and in which words, what is taken unasked, how objections settle."""

from typing import Any

import pytest

from rules_engine.core.forms.order_text import read_sheet
from rules_engine.rulebooks.vector.accounts.carrying import carry_out_loss
from rules_engine.rulebooks.vector.accounts.confirming import OpenReport, confirm_ask, dispute_ask
from rules_engine.rulebooks.vector.accounts.judging import reports_of
from rules_engine.rulebooks.vector.accounts.reading import read_reports, write_report
from rules_engine.rulebooks.vector.accounts.saying import say_report
from rules_engine.rulebooks.vector.ch5_other.landing import land
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.reports import UnitReport
from rules_engine.rulebooks.vector.records.sheets import PlotLine, PlotSheet
from rules_engine.rulebooks.vector.records.tactical import Tactical, TowLink, TractorLink
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duel import HUNTERS, RACERS, ship, three
from tests.rulebooks.vector.tracker.pieces import PieceSettled

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


def test_dispute_that_nobody_settles_did_not_happen() -> None:
    ask = dispute_ask(three(), OpenReport("H1-1", (HUNTERS,), GONE), (RACERS,), NAMES)
    assert ask.ends is not None
    assert ask.ends.says == "What is disputed did not happen."
    ended = ask.answer_from(ask.ends.account())
    assert [*ask.read_back(ended)] == ["H1-1: H1 Kestrel is destroyed: it is not so"]


@pytest.mark.parametrize(("letters", "shown"), [(80, 80), (81, 80), (90, 80)])
def test_a_report_has_eighty_letters_on_a_card(letters: int, shown: int) -> None:
    battle = called(letters)
    label = confirm_ask(battle, RACERS, {"H1-1": OpenReport("H1-1", (HUNTERS,), GONE)}, NAMES).form.lines[0].label
    assert len(label) == shown
    assert (label == say_report(battle, GONE)) is (letters <= 80)


@pytest.mark.parametrize(("letters", "shown"), [(88, 100), (89, 100), (95, 100)])
def test_a_title_has_a_hundred_letters(letters: int, shown: int) -> None:
    """``Not agreed: `` has twelve of them."""
    title = dispute_ask(called(letters), OpenReport("H1-1", (HUNTERS,), GONE), (RACERS,), NAMES).title
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


# --- disputes --------------------------------------------------------------------------------------------------------
def test_all_who_report_it_settle_it_with_all_who_object() -> None:
    battle = three()
    battle.sides.append("watchers")
    battle.units["W1"] = ship("W1", "2020", side="watchers")
    texts = {HUNTERS: "H1: report R1 destroyed", RACERS: "R1: report destroyed"}
    settled = PieceSettled(battle, texts, {"watchers": {"H1-1"}}, {"H1-1": "yes"})
    assert settled.asked()[1:] == [("dispute", (HUNTERS, RACERS, "watchers"), ("H1-1",))]
    assert battle.units["R1"].out == "destroyed"


@cases("side, text, told")
def test_a_release_names_both_units_whoever_reports_it(side: str, text: str, told: str) -> None:
    link = TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 1}, controller="H1")
    settled = PieceSettled(three(tractors=[link]), {side: text})
    assert settled.asks[0].form.lines[0].label.endswith(told.rstrip("."))
    assert settled.told(HUNTERS) == settled.told(RACERS) == [told]


def test_what_others_are_asked_is_said_in_full(kept: Kept) -> None:
    asks = PieceSettled(three(), {HUNTERS: "H2: report disengaged"}, {RACERS: {"H2-1"}}, {"H2-1": "no"}).asks
    assert [(one.title, one.text) for one in asks] == kept()
    assert [(one.asks_for.heading, one.asks_for.situation) for one in asks] == kept("#2")
    assert asks[0].answer_from({**asks[0].asks_for.offers[0].values}).root["H2-1"].so == "yes"
    assert {choice.value: choice.label for choice in asks[0].form.lines[0].fields[0].choices} == kept("#3")


@pytest.mark.rule("vector", "CJD1.55")
def test_a_release_that_both_report_is_asked_of_nobody() -> None:
    battle = three(tractors=[TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 1}, controller="H1")])
    settled = PieceSettled(battle, {HUNTERS: "H1: report released R1", RACERS: "R1: report released H1"})
    assert (settled.asks, battle.tractors) == ([], [])
    assert settled.told(RACERS) == ["H1 Kestrel and R1 Courier are in a tractor no more."]
    one, other = three(), three()
    both = PieceSettled(one, {HUNTERS: "H1: report weasel launched", RACERS: "R1: report weasel launched"})
    assert len(both.asks) == 2
    same = PieceSettled(other, {HUNTERS: "H1: report tractor R1 3 to 3; report H2 destroyed", RACERS: "R1: coast"})
    assert same.asked() == [("reports", (RACERS,), ("H1-1", "H1-2"))]


# --- reports ---------------------------------------------------------------------------------------------------------
@cases("said, written, words")
def test_what_is_reported_is_written_and_read_again(said: str, written: str, words: str) -> None:
    battle = three()
    names = BattleNames(battle, HUNTERS)
    found, refusals = read_reports(names, "H1", said)
    assert refusals == []
    assert [(write_report(one), say_report(battle, one)) for one in found] == [(written, words)]
    assert read_reports(names, "H1", written) == (found, [])


@cases("said, told")
def test_what_cannot_be_so_is_refused(said: str, told: str) -> None:
    _, refusals = reports_of(known_to(three(), HUNTERS), HUNTERS, PlotSheet({"H1": PlotLine(report=said)}))
    assert any(told in str(one) for one in refusals), [*map(str, refusals)]


def test_all_that_is_left_may_be_lost_and_each_unit_has_its_own_fate() -> None:
    for said in ("lost 30 warp", "destroyed; R1 disengaged", "shield 3 lost 22"):
        found, refusals = reports_of(known_to(three(), HUNTERS), HUNTERS, PlotSheet({"H1": PlotLine(report=said)}))
        assert (len(found), refusals) == (len(said.split(";")), [])


@pytest.mark.rule("vector", "CJD1.55")
def test_a_unit_in_a_tractor_is_caught_by_no_other_and_let_go_by_name() -> None:
    battle = three(tractors=[TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 1}, controller="H1")])

    def told(unit: str, said: str) -> list[str]:
        _, refusals = reports_of(known_to(battle, HUNTERS), HUNTERS, PlotSheet({unit: PlotLine(report=said)}))
        return [str(one) for one in refusals]

    assert "R1 is in a tractor already (CJD1.55)" in told("H2", "tractor R1 2 to 1")[0]
    assert told("H1", "released H2")[0].startswith(
        "H1.report: H1 is in a tractor with R1. Legal: released R1. Did you "
    )
    assert told("H1", "released R1") == told("H1", "released") == []


@pytest.mark.rule("vector", "CJD1.51")
def test_a_weasel_flies_once() -> None:
    battle = three()
    battle.units["H1"].weasel = "out"

    def told(said: str) -> list[str]:
        _, refusals = reports_of(known_to(battle, HUNTERS), HUNTERS, PlotSheet({"H1": PlotLine(report=said)}))
        return [str(one) for one in refusals]

    assert told("weasel launched") == ["H1.report: H1 has a wild weasel out (CJD1.51). Legal: weasel voided."]
    assert told("weasel voided") == []


@pytest.mark.rule("vector", "CJD1.21")
def test_losses_are_taken_from_figures_and_from_points_not_used() -> None:
    """30 warp at a move cost of 1 are 30 points; 12 used, 18 left: of 10 engines lost, 8 points are left."""
    battle = three()
    ship = battle.units["H1"]
    ship.warp_left, ship.warp_used = 18, 12

    def lose(system: str, amount: int, number: int = 0) -> None:
        fields = {"by": "H1", "unit": "H1", "what": "lost", "system": system, "amount": amount, "number": number}
        carry_out_loss(battle, UnitReport.model_validate(fields))

    lose("warp", 10)
    assert (ship.figures.warp, ship.figures.total_power, ship.warp_left, ship.warp_used) == (20, 26, 8, 12)
    lose("warp", 20)
    assert (ship.figures.warp, ship.figures.total_power, ship.warp_left) == (0, 6, 0)
    lose("impulse", 3)
    assert (ship.figures.impulse, ship.figures.total_power, ship.impulse_left) == (1, 3, 1)
    lose("impulse", 1)
    assert (ship.figures.impulse, ship.figures.total_power, ship.impulse_left) == (0, 2, 0)
    lose("power", 2)
    assert ship.figures.total_power == 0
    ship.figures = ship.figures.with_values(warp=5)
    lose("warp", 2)
    assert (ship.figures.warp, ship.figures.total_power) == (3, 0)
    lose("reserve", 3)
    assert (ship.figures.reserve, ship.reserve_left) == (1, 1)
    lose("shield", 8, 2)
    assert ship.figures.shields == (30, 16, 22, 20, 22, 24)


def test_others_reports_are_of_units_that_their_captains_see() -> None:
    battle = three()
    battle.units["H2"].waits_for = 4
    _, refusals = reports_of(known_to(battle, RACERS), RACERS, PlotSheet({"R1": PlotLine(report="destroyed H2")}))
    assert str(refusals[0]).startswith("R1.report: “destroyed H2”: there is no unit “H2”.")


# --- settling --------------------------------------------------------------------------------------------------------
WATCHERS = "watchers"


def with_watchers(**values: Any) -> Tactical:
    """The duel with a third captain."""
    battle = three(**values)
    battle.sides.append(WATCHERS)
    battle.units["W1"] = ship("W1", "2020", side=WATCHERS)
    return battle


def test_nobody_is_asked_where_nothing_is_reported() -> None:
    settled = PieceSettled(three(), {HUNTERS: "H1: accelerate 6 on 1", RACERS: "R1: coast"})
    assert (settled.asks, settled.shared.reports, settled.happened) == ([], [], [])


@pytest.mark.rule("vector", "CJD1.21")
def test_what_was_lost_is_taken_as_it_is_said_and_shows_to_nobody() -> None:
    battle = with_watchers()
    settled = PieceSettled(battle, {HUNTERS: "H1: coast; report lost 6 warp; report shield 1 lost 5"})
    assert settled.asks == []
    assert settled.told(HUNTERS) == ["H1 Kestrel loses 6 points of warp power.", "H1 Kestrel loses 5 of shield 1."]
    assert settled.told(RACERS) == settled.told(WATCHERS) == []
    assert (battle.units["H1"].figures.warp, battle.units["H1"].figures.shields[0]) == (24, 25)


def test_what_shows_is_put_to_all_others_and_told_to_all() -> None:
    battle = with_watchers()
    settled = PieceSettled(battle, {HUNTERS: "H1: report destroyed"})
    assert settled.asked() == [("reports", (RACERS,), ("H1-1",)), ("reports", (WATCHERS,), ("H1-1",))]
    assert settled.asks[0].form.lines[0].label == "H1 Kestrel is destroyed"
    assert settled.asks[0].form.lines[0].note == "Hunters: H1 Kestrel is destroyed"
    assert settled.told(HUNTERS) == settled.told(RACERS) == settled.told(WATCHERS) == ["H1 Kestrel is destroyed."]
    why = settled.reports(RACERS)[0].why
    assert why is not None
    assert dict(why.inputs) == {"settled": "nobody objected"}
    assert (battle.units["H1"].out, battle.units["D1"].out, battle.units["H2"].out) == ("destroyed", "destroyed", "")


def test_silence_agrees(kept: Kept) -> None:
    ask = PieceSettled(three(), {HUNTERS: "H1: report destroyed"}).asks[0]
    assert ask.default is not None
    assert (ask.default.objects("H1-1"), ask.pace, ask.default_says) == kept("#1")
    assert [*ask.read_back(ask.default)] == ["H1-1: H1 Kestrel is destroyed: it is so"]
    assert [str(one) for one in ask.check(ask.model.model_validate({"H7-1": {"so": "no"}}))] == kept("#2")


@pytest.mark.parametrize(("said", "out"), [("no", ""), ("yes", "disengaged")])
def test_what_somebody_objects_to_is_settled_between_them(said: str, out: str) -> None:
    battle = with_watchers()
    settled = PieceSettled(battle, {HUNTERS: "H2: report disengaged"}, {RACERS: {"H2-1"}}, {"H2-1": said})
    assert settled.asked()[2:] == [("dispute", (HUNTERS, RACERS), ("H2-1",))]
    assert battle.units["H2"].out == out
    assert settled.told(WATCHERS) == [f"{'' if out else 'This was reported and is not so: '}H2 Falcon has disengaged."]


def test_a_dispute_is_settled_by_words_that_agree() -> None:
    ask = PieceSettled(three(), {HUNTERS: "H2: report disengaged"}, {RACERS: {"H2-1"}}, {"H2-1": "no"}).asks[-1]
    yes, no = (ask.answer_from({"H2-1": {"so": so}}) for so in ("yes", "no"))
    assert ask.agree is not None
    assert ask.agree({HUNTERS: yes, RACERS: yes}).settled == yes
    apart = ask.agree({HUNTERS: yes, RACERS: no})
    assert apart.settled is None
    assert apart.differences == ("H2 Falcon has disengaged: Hunters says it is so; Racers says it is not so",)
    assert [(one.line, one.fields) for one in apart.places] == [("H2-1", ("so",))]
    assert (ask.pace, ask.default) == ("battle", None)


def test_what_two_report_alike_is_one_report_of_both() -> None:
    battle = with_watchers()
    settled = PieceSettled(battle, {HUNTERS: "H1: report R1 destroyed", RACERS: "R1: report destroyed"})
    assert settled.asked() == [("reports", (WATCHERS,), ("H1-1",))]
    assert battle.units["R1"].out == "destroyed"


@pytest.mark.rule("vector", "CJD1.55", "CJD1.551")
def test_a_tractor_catches_once_it_is_confirmed(kept: Kept) -> None:
    """6A and 8A at equal move costs come to 14A for both, 7A each; 6 points of power control against 4."""
    battle = three()
    settled = PieceSettled(battle, {HUNTERS: "H1: report tractor R1 6 to 4"})
    link = battle.tractors[0]
    assert (link.one, link.other, link.power, link.controller) == ("H1", "R1", {"H1": 6, "R1": 4}, "H1")
    assert battle.units["H1"].vector == battle.units["R1"].vector == Vector(says="7A")
    assert [(one.what, one.unit, one.other) for one in settled.happened] == kept()


@pytest.mark.rule("vector", "CJD1.55")
def test_tractors_end_by_report_and_with_who_is_gone() -> None:
    def held() -> Tactical:
        return three(tractors=[TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 1}, controller="H1")])

    let_go, gone = held(), held()
    settled = PieceSettled(let_go, {RACERS: "R1: report released H1"})
    assert settled.told(HUNTERS) == ["R1 Courier and H1 Kestrel are in a tractor no more."]
    assert (let_go.tractors, [one.what for one in settled.happened]) == ([], ["released"])
    assert (PieceSettled(gone, {HUNTERS: "H1: report destroyed"}).happened[0].what, gone.tractors) == ("released", [])


@pytest.mark.rule("vector", "CJD1.551")
def test_a_tie_of_power_is_decided_by_a_die() -> None:
    battle = three()
    PieceSettled(battle, {HUNTERS: "H1: report tractor R1 4 to 4"})
    assert battle.tractors[0].by_die
    assert battle.tractors[0].controller in ("H1", "R1")


@pytest.mark.rule("vector", "CJD1.51")
def test_weasels_fly_and_are_void_by_report() -> None:
    battle = three()
    PieceSettled(battle, {HUNTERS: "H1: report weasel launched"})
    assert battle.units["H1"].weasel == "out"
    PieceSettled(battle, {HUNTERS: "H1: report weasel voided"})
    assert battle.units["H1"].weasel == ""


def test_of_two_ends_of_one_unit_its_own_captains_word_holds(kept: Kept) -> None:
    """Whoever is first in the order of seats. VM-N45"""
    battle = three()
    settled = PieceSettled(battle, {HUNTERS: "H1: report destroyed R1", RACERS: "R1: report disengaged"})
    assert settled.asked() == [("reports", (HUNTERS,), ("R1-1",)), ("reports", (RACERS,), ("H1-1",))]
    assert battle.units["R1"].out == "disengaged"
    assert settled.told(RACERS) == kept()
    battle = three()
    PieceSettled(battle, {HUNTERS: "H1: report disengaged", RACERS: "R1: report destroyed H1"})
    assert battle.units["H1"].out == "disengaged"


@pytest.mark.parametrize(("one", "other"), [("destroyed", "disengaged"), ("disengaged", "destroyed")])
def test_of_two_ends_that_others_report_the_graver_holds(one: str, other: str) -> None:
    battle = with_watchers()
    PieceSettled(battle, {HUNTERS: f"H1: report R1 {one}", WATCHERS: f"W1: report R1 {other}"})
    assert battle.units["R1"].out == "destroyed"


@pytest.mark.rule("vector", "CJD1.55")
@pytest.mark.parametrize(
    "lines", ["H1: report disengaged\nH2: report released", "H2: report released\nH1: report disengaged"]
)
def test_who_is_let_go_does_not_leave_with_its_tug_whichever_line_says_so_first(lines: str) -> None:
    battle = three(tows=[TowLink(tugs=["H1"], towed=["H2"])])
    battle.units["H2"].vector = battle.units["H1"].vector
    PieceSettled(battle, {HUNTERS: lines})
    assert (battle.units["H1"].out, battle.units["H2"].out) == ("disengaged", "")


@pytest.mark.parametrize("out", ["destroyed", "disengaged"])
def test_what_has_landed_on_a_unit_and_what_that_carries_share_its_end(out: str) -> None:
    """VM-N41: the shuttle has landed on the hunter's ship, and a drone is aboard the shuttle."""
    battle = three()
    battle.units["S1"], battle.units["D9"] = ship("S1", "2020", side=HUNTERS), ship("D9", "2020", side=HUNTERS)
    land(battle.units["S1"], "H1")
    battle.units["D9"].aboard = "S1"
    PieceSettled(battle, {HUNTERS: f"H1: report {out}"})
    assert [battle.units[code].out for code in ("H1", "D1", "S1", "D9", "H2")] == [out, out, out, out, ""]


def test_who_differs_in_engines_alone_cannot_be_told_apart() -> None:
    """Two worlds: what the others are asked and told does not depend on losses that only their captain sees."""
    worlds = [
        PieceSettled(with_watchers(), {HUNTERS: f"H1: report tractor R1 6 to 4{more}"})
        for more in ("", "; report lost 6 warp; report lost 1 reserve")
    ]
    for side in (RACERS, WATCHERS):
        first, second = ([(one.text, one.kind, one.why) for one in world.reports(side)] for world in worlds)
        assert first == second
    first, second = ([(ask.title, ask.form.lines, ask.parties) for ask in world.asks] for world in worlds)
    assert first == second


def test_losses_cite_the_ruling_by_which_they_are_taken() -> None:
    (report,) = PieceSettled(three(), {HUNTERS: "H1: report lost 6 warp"}).reports(HUNTERS)
    assert report.why is not None
    assert report.why.rule == "VM-N40"


def test_sentences_about_reports_begin_with_a_capital(kept: Kept) -> None:
    battle = three()
    battle.units["H1"].weasel = "out"
    assert PieceSettled(battle, {HUNTERS: "H1: report weasel voided"}).told(RACERS) == kept()


def test_releases_are_told_first_and_fates_last_when_one_piece_reports_all() -> None:
    """VM-N45: who lets go before who is gone, whatever is said first."""
    battle = three(tractors=[TractorLink(one="H2", other="R1", power={"H2": 3, "R1": 1}, controller="H2")])
    settled = PieceSettled(battle, {HUNTERS: "H1: report destroyed\nH2: report weasel launched; report released"})
    assert settled.told(RACERS) == [
        "H2 Falcon and R1 Courier are in a tractor no more.",
        "H2 Falcon has a wild weasel out.",
        "H1 Kestrel is destroyed.",
    ]


@pytest.mark.rule("vector", "CJD1.55")
@pytest.mark.parametrize(("holder", "catcher"), [("H1", "H2"), ("H2", "H1")])
def test_unit_that_is_let_go_may_be_caught_at_once_whichever_line_says_so_first(holder: str, catcher: str) -> None:
    """VM-R09, VM-N45"""
    battle = three()
    battle.tractors.append(TractorLink(one=holder, other="R1", power={holder: 2}, controller=holder))
    texts = {HUNTERS: f"{holder}: report released R1\n{catcher}: report tractor R1 6 to 4"}
    ask = plot_ask(battle, HUNTERS)
    assert ask.check(ask.answer_from({**read_sheet(ask.form, texts[HUNTERS])})) == []
    PieceSettled(battle, texts)
    (link,) = battle.tractors
    assert (link.one, link.other) == (catcher, "R1")


@pytest.mark.rule("vector", "CJD1.55")
@pytest.mark.parametrize(("holder", "catcher"), [("H1", "H2"), ("H2", "H1")])
def test_unit_whose_holder_is_destroyed_may_be_caught_at_once(holder: str, catcher: str) -> None:
    """The racers report the end of the holder; the other hunter catches. VM-N45"""
    battle = three()
    battle.tractors.append(TractorLink(one=holder, other="W1", power={holder: 2}, controller=holder))
    battle.sides.append(WATCHERS)
    battle.units["W1"] = ship("W1", "2020", side=WATCHERS)
    PieceSettled(battle, {HUNTERS: f"{catcher}: report tractor R1 6 to 4", RACERS: f"R1: report {holder} destroyed"})
    assert battle.units[holder].out == "destroyed"
    assert [(link.one, link.other) for link in battle.tractors] == [(catcher, "R1")]


@pytest.mark.rule("vector", "CJD1.551")
@pytest.mark.parametrize(("first", "second", "holds"), [(6, 5, "H1"), (5, 6, "H2")])
def test_of_two_tractors_for_one_unit_the_stronger_has_it(first: int, second: int, holds: str) -> None:
    battle = three()
    texts = {HUNTERS: f"H1: report tractor R1 {first} to 1\nH2: report tractor R1 {second} to 1"}
    settled = PieceSettled(battle, texts)
    (link,) = battle.tractors
    assert link.one == holds
    assert any("changes nothing any more" in text for text in settled.told(RACERS))
    assert settled.shared.rolls == []


@pytest.mark.rule("vector", "CJD1.551")
def test_of_two_tractors_of_equal_power_a_die_decides_and_not_the_codes() -> None:
    held: set[str] = set()
    for number in range(12):
        battle = three(turn=1 + number)
        PieceSettled(battle, {HUNTERS: "H1: report tractor R1 6 to 1\nH2: report tractor R1 6 to 1"})
        held.add(battle.tractors[0].one)
    assert held == {"H1", "H2"}
