"""Chapter 2.9: the words of the sheets of a sortie."""

import pytest

from rules_engine.rulebooks.cutler.ch02_sorties.launching import sortie_ask
from rules_engine.rulebooks.cutler.ch02_sorties.phase import sorties_steps
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties
from tests.expected.kept import Kept
from tests.rulebooks.cutler.ch02_sorties import test_sorties
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, table_of, world


def flown() -> Run:
    """Three races with six fighters each over one hex."""
    fly = {("sortie", race): {f"{race}-F2-CV": test_sorties.fly()} for race in ("hydran", "klingon", "lyran")}
    return test_sorties.phase(test_sorties.THREE, fly, {"order": [6]})


@pytest.mark.rule("cutler", "2.9", "2.9.2", "2.9.6")
def test_which_fighters_fly_whither_is_asked(kept: Kept) -> None:
    assert on_sheet(flown().asked("hydran", "sortie")[0]) == kept()


@pytest.mark.rule("cutler", "2.9.7", "2.9.7.1")
def test_whom_a_sortie_intercepts_is_asked(kept: Kept) -> None:
    assert on_sheet(flown().asked("hydran", "intercept")[0]) == kept()


@pytest.mark.rule("cutler", "2.9.7.2", "2.9.8")
def test_whom_a_sortie_attacks_is_asked(kept: Kept) -> None:
    assert on_sheet(flown().asked("hydran", "attack")[0]) == kept()


@pytest.mark.rule("cutler", "2.9.5", "2.9.8", "2.9.9", "2.10", "2.4.1.5", "2.6.2.1")
def test_what_is_refused_of_sorties_and_how_they_read(kept: Kept) -> None:
    text = (
        "turn 1 impulse 3\nhydran F1 0403 CV[fighters=12,tractors=1,tows=CV2]+CV[fighters=6]+PF+CA\n"
        "hydran F2 0504 CV[fighters=6,cloak=up]\nlyran F1 0404 CC\ntogether hydran lyran\n"
    )
    ask = sortie_ask(world(text), "hydran")
    lines = {f"hydran-{key}": {"target": "0404"} for key in ("F1-CV2", "F1-PF", "F1-CA", "F2-CV")}
    assert [said for key, line in lines.items() for said in refusal_words(ask, {key: line})] == kept("#1")
    (line,) = (one for one in ask.form.lines if one.key == "coordination")
    assert (line.label, line.fields[0].label) == ("Coordinated force", "Stay one force with the Lyran")
    sheets = (
        {"hydran-F1-CV": {"target": "0404", "fighters": 1}},
        {"hydran-F1-CV": {"target": "0404", "then": "land"}, "coordination": {"stay": False}},
        {},
    )
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == kept("#2")
    alone = sortie_ask(world(text.replace("together hydran lyran\n", "")), "hydran")
    assert refusal_words(alone, {"coordination": {"stay": False}}) == kept("#3")


@pytest.mark.rule("cutler", "2.9.7", "2.9.7.1", "2.9.7.2", "2.9.7.3", "2.9.8")
def test_how_interceptions_and_attacks_read_and_are_refused(kept: Kept) -> None:
    run = flown()
    ask = run.asked("hydran", "intercept")[0]
    sheets = ({}, {"sortie": {"against": "lyran"}}, {"sortie": {"against": "klingon", "fighters": 2}})
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == kept("#1")
    wrong = ({"sortie": {"against": "gorn"}}, {"sortie": {"against": "lyran", "fighters": 7}})
    assert [said for one in wrong for said in refusal_words(ask, one)] == kept("#2")
    ask = run.asked("hydran", "attack")[0]
    attacks = (
        {"lyran": {"fighters": 2}, "klingon": {"fighters": 3, "force": False}},
        {},
        {"gorn": {"fighters": 1}},
        {"lyran": {"fighters": 4}, "klingon": {"fighters": 3}},
    )
    assert [refusal_words(ask, one) or ask.read_back(ask.answer_from(one)) for one in attacks] == kept("#3")


@pytest.mark.rule("cutler", "2.9.6", "2.9.8", "3.3.7.5")
def test_what_is_told_of_sorties_that_find_nobody_and_of_their_return(kept: Kept) -> None:
    """A ship that disengaged from the Hydran, one that flees from its fighters, and carriers with too few boxes."""
    told: list[list[str]] = []
    for change in ("gone", "flees", "full"):
        state = world(test_sorties.PLAIN)
        if change == "gone":
            for key in ("klingon-F1-CW", "klingon-F1-FF"):
                state.units[key].disengaged_from = ["hydran"]
        turn = table_of(state, {"escape": [6] * 9, "pursuit": [1] * 9})
        away = {"wave": {"ships": ["klingon-F1-CW", "klingon-F1-FF"]}}
        answers = {
            ("sortie", "hydran"): {"hydran-F1-CV": {"target": "0404"}},
            ("attack", "hydran"): {"klingon": {"fighters": 12}},
            ("battle", ""): test_sorties.losing("H", test_sorties.LEFT),
        }
        answers |= {("wave", "klingon"): [away]} if change == "flees" else {}
        Run(turn, sorties_steps(turn.at("sortie")), answers)
        if change == "full":
            state.units["hydran-F1-CV"].record = state.units["hydran-F1-CV"].record.model_copy(update={"fighters": 5})
        return_sorties(turn.at("return"))
        told.append([one.text for one in turn.shared.reports if one.is_for("hydran")])
    assert told == kept()
