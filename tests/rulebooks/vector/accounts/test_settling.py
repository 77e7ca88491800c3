"""Between pieces: who is asked about reports, what is taken without asking, and how objections are settled."""

from typing import Any

import pytest

from rules_engine.core.forms.order_text import read_sheet
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.records.tactical import Tactical, TractorLink
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.expected.kept import Kept
from tests.rulebooks.vector.accounts.pieces import PieceSettled
from tests.rulebooks.vector.duel import HUNTERS, RACERS, ship, three

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
def test_a_tractor_catches_once_it_is_confirmed() -> None:
    """6A and 8A at equal move costs come to 14A for both, 7A each; 6 points of power control against 4."""
    battle = three()
    settled = PieceSettled(battle, {HUNTERS: "H1: report tractor R1 6 to 4"})
    link = battle.tractors[0]
    assert (link.one, link.other, link.power, link.controller) == ("H1", "R1", {"H1": 6, "R1": 4}, "H1")
    assert battle.units["H1"].vector == battle.units["R1"].vector == Vector(says="7A")
    assert [(one.what, one.unit, one.other) for one in settled.happened] == [
        ("caught", "R1", "H1"),
        ("controls", "H1", "R1"),
    ]


@pytest.mark.rule("vector", "CJD1.55")
def test_tractors_end_by_report_and_with_who_is_gone() -> None:
    def held() -> Tactical:
        return three(tractors=[TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 1}, controller="H1")])

    let_go, gone = held(), held()
    settled = PieceSettled(let_go, {RACERS: "R1: report released H1"})
    assert settled.told(HUNTERS) == ["R1 Courier and H1 Kestrel are in a tractor no more."]
    assert (let_go.tractors, [one.what for one in settled.happened]) == ([], ["released"])
    assert PieceSettled(gone, {HUNTERS: "H1: report destroyed"}).happened[0].what == "released"
    assert gone.tractors == []


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


def test_of_two_reports_that_cannot_both_be_so_the_first_counts(kept: Kept) -> None:
    battle = three()
    settled = PieceSettled(battle, {HUNTERS: "H1: report destroyed R1", RACERS: "R1: report disengaged"})
    assert settled.asked() == [("reports", (HUNTERS,), ("R1-1",)), ("reports", (RACERS,), ("H1-1",))]
    assert battle.units["R1"].out == "destroyed"
    assert settled.told(RACERS) == kept()


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
    settled = PieceSettled(three(), {HUNTERS: "H1: report lost 6 warp"})
    (report,) = settled.reports(HUNTERS)
    assert report.why is not None
    assert report.why.rule == "VM-N40"


def test_sentences_about_reports_begin_with_a_capital() -> None:
    battle = three()
    battle.units["H1"].weasel = "out"
    assert PieceSettled(battle, {HUNTERS: "H1: report weasel voided"}).told(RACERS) == [
        "The wild weasel of H1 Kestrel is void."
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
