"""Chapter 2: the words of a sheet of plots: towing, escorts, cloaks, coordination and standing orders."""

from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import cloaked_meetings_steps
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import convoy_moves, set_out
from rules_engine.rulebooks.cutler.ch02_movement.coordination import coordination_rows
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask, plotting_steps
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import armed, rearmed, valued
from tests.rulebooks.cutler.worlds import Run, kind_of, offered, on_sheet, refusal_words, table_of, world

TEXT = """
turn 1 impulse 1
planet capital 0205 hydran
hydran F1 0404 CA[tractors=1]+FF[warp=0,imp=0]
hydran F2 0503 DD[cloak=up]
hydran V1 0404 FL+FL+QL course 0405 0406
lyran F1 0606 CA
"""


@pytest.mark.rule("cutler", "2.2", "2.4.1.5", "2.6.2.1", "2.7.5", "2.10")
def test_what_a_sheet_of_plots_asks(kept: Kept) -> None:
    assert on_sheet(plot_ask(world(TEXT), "hydran")) == kept()


@pytest.mark.rule("cutler", "2.2")
def test_stored_courses_are_read_back(kept: Kept) -> None:
    ask = plot_ask(world(TEXT), "hydran")
    assert ask.read_back(ask.answer_from({})) == kept()


CONVOYS = """
turn 1 impulse 1
planet capital 0205 hydran throne
planet minor 0207 hydran tide
dust 0206
hydran waits 0205 FL+FL+FS+QL
hydran base 0409 Post
hydran V1 0404 FL+FL+FL+FL+QL+QL course 0405 0406
"""
SAILS = {"E0205": {"to": "0207", "ships": ["hydran-waits-FL", "hydran-waits-FS"]}, "V1": {"back": ["hydran-V1-QL2"]}}


@pytest.mark.rule("cutler", "2.7", "2.7.2", "2.7.3")
def test_what_a_sheet_asks_of_convoys(kept: Kept) -> None:
    lines = plot_ask(world(CONVOYS), "hydran").form.by_key
    assert [
        one for key in ("E0205", "V1") for one in (lines[key].label, lines[key].note, *map(repr, offered(lines[key])))
    ] == kept()


@pytest.mark.rule("cutler", "2.7", "2.7.2", "2.7.3")
def test_orders_to_convoys_are_read_back(kept: Kept) -> None:
    ask = plot_ask(world(CONVOYS), "hydran")
    assert ask.read_back(ask.answer_from(SAILS))[:2] == kept()


@pytest.mark.rule("cutler", "2.7.1", "2.4.1.9")
def test_a_convoy_is_warned_of_dust_and_of_a_slow_ship(kept: Kept) -> None:
    state = world(CONVOYS)
    state.units["hydran-waits-FS"].warp_ok = 4
    ask = plot_ask(state, "hydran")
    assert ask.warn(ask.answer_from(SAILS)) == kept()


@pytest.mark.rule("cutler", "2.2", "2.7.2")
def test_the_examples_of_the_help_texts_are_accepted_and_mean_what_they_say() -> None:
    state = world("turn 1 impulse 1\nhydran F1 0403 CA\nplanet minor 0505 hydran\nhydran waits 0403 FL")
    ask = plot_ask(state, "hydran")
    assert offered(ask.form.by_key["F1"])[1][3].startswith("Hex numbers in order, e.g. 0404 0505, or to 0505;")
    assert offered(ask.form.by_key["E0403"])[2][3].startswith("Hexes on the way, as 0404 0505;")
    for key, course in (("F1", "0404 0505"), ("F1", "to 0505"), ("E0403", "0404 0505")):
        (plotted,) = ask.courses(ask.answer_from({key: {"course": course}}))
        assert (plotted.counter, plotted.hexes) == (key, ("0403", "0404", "0505"))


def texts(turn: TurnContext[CutlerState], side: str) -> list[str]:
    """What a side was told, in order."""
    return [one.text for one in turn.shared.reports if one.is_for(side)]


FLEETS = """
turn 2 impulse 1
planet capital 0205 hydran throne
planet minor 0606 lyran cub
hydran F1 0404 CA+FF
hydran F2 0404 DD[cloak=up]
hydran F3 0503 CW
hydran V1 0404 FL course 0405 0406
hydran waits 0205 FL
hydran F4 0205 CC
hydran F5 0707 SC
"""
CA, FF, DD, CW = "hydran-F1-CA", "hydran-F1-FF", "hydran-F2-DD", "hydran-F3-CW"


TIDE = FLEETS + "planet minor 0207 hydran tide"
TOWERS = "turn 1 impulse 1\nhydran F1 0404 CA[tractors=1]+FF\nhydran F2 0404 DD[tractors=1]\nhydran base 0404 Post"
DERELICTS = FLEETS.replace("CA+FF", "CA+FF[warp=0,imp=0]").replace("waits 0205 FL", "waits 0205 FL[warp=0,imp=0]")
FAR = " ".join(["to 1109 to 0101"] * 18)
THERE_AND_BACK = " ".join(["0206", "0205"] * 20)


@cases("proves, text, sheet, words", made="text, sheet")
def test_what_a_sheet_of_plots_refuses(text: str, sheet: dict[str, Any], words: list[str]) -> None:
    assert refusal_words(plot_ask(world(text), "hydran"), sheet) == words


@cases("sheet, words", made="sheet")
def test_what_a_sheet_of_plots_refuses_of_plots_that_are_lodged(sheet: dict[str, Any], words: list[str]) -> None:
    state = world(FLEETS)
    state.empires["hydran"].lodged = {CA: "0405", FF: "0405", CW: ""}
    assert refusal_words(plot_ask(state, "hydran"), sheet) == words


@pytest.mark.rule("cutler", "2.2", "2.7.5", "2.6.2.1")
def test_plots_read_back_in_all_their_words(kept: Kept) -> None:
    sheet = {
        "F1": {"escort": "V1"}, "F2": {"cloak": "open", "course": "0505"}, "F3": {},
        "new": {"ships": [CW], "course": "0502"}, "F4": {"escort": "sent"}, "standing": {"lurking": "stay"},
    }  # fmt: skip
    ask = plot_ask(world(FLEETS + "planet minor 0303 hydran tide"), "hydran")
    sheet["E0205"] = {"to": "0303", "unload": False}
    assert ask.read_back(ask.answer_from(sheet)) == kept()
    (escort,) = (one for one in ask.form.by_key["F4"].fields if one.key == "escort")
    assert [one.label for one in escort.choices] == kept("#1")


@pytest.mark.rule("cutler", "2.4.1.5")
def test_tows_are_read_back_and_refused_in_words(kept: Kept) -> None:
    text = "turn 1 impulse 1\nhydran F1 0404 CA[tractors=1]+FF+DD\nhydran base 0409 Post"
    ask = plot_ask(world(text), "hydran")
    assert ask.read_back(ask.answer_from({"F1": {"tow": [FF]}}))[0] == kept("#1")
    state = world(text)
    for key in (CA, FF, "hydran-F1-DD"):
        state.units[key].retreat_hex = "0405"
    assert refusal_words(plot_ask(state, "hydran"), {"F1": {"tow": [FF]}}) == kept("#2")
    assert on_sheet(plot_ask(state, "hydran"))[3] == kept("#3")


@pytest.mark.rule("cutler", "8.3.2", "2.5", "2.4.1.9", "2.4.1.10", "9.3", "4.4.2")
def test_what_plots_are_warned_of(kept: Kept) -> None:
    state = world(
        "turn 1 impulse 1\nhydran F1 0404 CA+FF\nhydran F2 0505 FF+FF+FF+FF\nhydran F3 0202 FF+FF+FF+FF+FF\n"
        "hydran F4 0707 SC\nnebula 0405\ndust 0406\nunsurveyed 0407"
    )
    state.units[FF].warp_ok = 6
    ask = plot_ask(state, "hydran")
    sheet = {
        "F1": {"course": "0405 0406 0407"}, "F2": {"course": "0504"}, "F3": {"course": "0303 0403 0504"},
        "F4": {"scan": "0101"}, "new": {"course": "0101"},
    }  # fmt: skip
    assert ask.warn(ask.answer_from(sheet)) == kept()


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_what_is_asked_and_refused_of_landings(kept: Kept) -> None:
    state = armed("turn 2 impulse 1\nplanet minor 0404 hydran tide\nplanet minor 0606 lyran cub\nhydran F1 0404 CA+DD")
    for unit in state.units.values():
        if unit.is_mobile:
            rearmed(unit, boarding_parties=10, shuttles=3, crew_units=4)
            unit.crew_units = 4
    valued(state, state.planets["tide"], ground={"A": 1})
    state.empires["hydran"].alerts = ["Tide is attacked", "there was a battle in 0404"]
    ask = plot_ask(state, "hydran")
    assert [repr(one) for one in offered(ask.form.by_key["F1"])[3:]] == kept("#1")
    assert ask.text == kept("ask.text")
    sheets: tuple[dict[str, Any], ...] = (
        {"F1": {"land": "tide", "crews": 9}}, {"F1": {"land": "cub", "crews": 1}},
        {"F1": {"land": "tide", "parties": 30}}, {"F1": {"land": "tide", "shuttles": 9}},
        {"F1": {"land": "tide", "shuttles": 2}}, {"F1": {"raze": "moon"}}, {"F1": {"land": "moon"}},
    )  # fmt: skip
    assert [said for sheet in sheets for said in refusal_words(ask, sheet)] == kept("#2")
    sheet = {"F1": {"land": "tide", "crews": 1, "parties": 3, "shuttles": 1}}
    assert ask.read_back(ask.answer_from(sheet))[0] == kept("#3")


@pytest.mark.rule("cutler", "2.10")
def test_what_is_told_of_forces_as_they_are_offered_made_and_ended(kept: Kept) -> None:
    """The Hydran offers, all three agree, the Lyran leaves; then the Hydran leaves the Klingon, and offers to it."""
    state = world("turn 1 impulse 1\nhydran F1 0404 CA\nlyran F1 0606 CA\nklingon F1 0808 CA")
    for empire in state.empires.values():
        empire.asking = "each"
    turn = table_of(state)
    rounds: tuple[dict[str, list[str]], ...] = (
        {"hydran": ["lyran", "klingon"]},
        {"hydran": ["lyran"]},
        {"hydran": ["lyran", "klingon"], "lyran": ["hydran", "klingon"], "klingon": ["hydran", "lyran"]},
        {"lyran": []},
        {"hydran": []},
        {"hydran": ["klingon"]},
    )
    rows: list[list[str]] = []
    for number, wishes in enumerate(rounds):
        answers = {("plot", race): {"coordination": {"partners": named}} for race, named in wishes.items()}
        Run(turn, plotting_steps(turn.at(f"plot{number}")), answers)
        rows.append([f"{race}: {row}" for race in state.races() for row in coordination_rows(state, race)])
    assert rows == kept("rows")
    assert texts(turn, "hydran") == kept("texts(turn, hydran)")
    assert texts(turn, "lyran") == kept("texts(turn, lyran)")
    assert texts(turn, "klingon") == kept("texts(turn, klingon)")
    ask = plot_ask(state, "hydran")
    lines = ({"partners": []}, {"partners": ["lyran"], "colour": "lyran"}, {"partners": ["lyran", "klingon"]})
    said = [ask.read_back(ask.answer_from({"coordination": line})) for line in lines]
    assert [[one for one in told if "oordinat" in one or "force" in one] for told in said] == kept("#3")
    assert [state.empires[race].alerts for race in state.races()] == kept("#1")


@pytest.mark.rule("cutler", "2.6.2.1")
def test_who_meets_others_under_cloak_is_asked_in_words(kept: Kept) -> None:
    state = world("turn 1 impulse 1\nhydran F1 0404 DD[cloak=up]\nhydran F2 0404 FF[cloak=up]\nlyran F1 0404 CA")
    turn = table_of(state)
    (ask,) = Run(turn, cloaked_meetings_steps(turn.at("cloaks")), {("cloak", "hydran"): {"F1": {"does": "show"}}}).asks
    assert on_sheet(ask) == kept()
    assert ask.read_back(ask.answer_from({"F1": {"does": "show"}})) == kept("#1")
    assert refusal_words(ask, {"F3": {"does": "show"}}) == kept("#2")
    assert texts(turn, "hydran") == kept("texts(turn, hydran)")


@pytest.mark.rule("cutler", "2.5", "2.7.1", "2.7.3", "2.6.2.1")
def test_what_is_told_of_moves_and_noted_for_the_next_plots(kept: Kept) -> None:
    state = world(
        "turn 1 impulse 3\nhydran F1 0404 CA+FF+FF+FF+FF+FF course 0405\nhydran F2 0505 FF+FF+FF+FF+FF+FF course 0405\n"
        "hydran V1 0606 FL+FS[warp=0,imp=0]+QL course 0607 0608\nhydran V2 0808 QL+QL course 0807 0806\n"
        "hydran F3 0101 DD[cloak=up]+FF\nhydran F4 0202 CA+DD"
    )
    state.convoys["hydran/V2"].kind = "convoy"
    state.fleet("hydran", "F3").cloak = True  # type: ignore[union-attr]
    state.units["hydran-F4-DD"].retreat_hex = "0203"
    state.units["hydran-F2-FF"].hex = "0505"
    turn = table_of(state)
    tidy_fleets(state)
    set_out(turn)
    execute_moves(turn, convoy_moves(state))
    assert texts(turn, "hydran") == kept()
    assert state.empires["hydran"].alerts == kept("state.empires(hydran).alerts")


@pytest.mark.rule("cutler", "4.4.2")
def test_a_builder_that_leaves_a_base_behind_is_warned_of(kept: Kept) -> None:
    state = world("turn 1 impulse 1\nhydran F1 0404 CA\nlyran F1 0404 CA")
    site = BaseSite(
        key="S1", race="hydran", hex="0404", into=kind_of("base"), named="Rock", cost=60, set_aside=12, builder=CA
    )
    state.sites["hydran/S1"] = site
    ask = plot_ask(state, "hydran")
    assert ask.warn(ask.answer_from({"F1": {"course": "0405"}})) == kept()
    assert ask.warn(ask.answer_from({})) == []


@pytest.mark.rule("cutler", "2.7.5", "2.4.1.5", "4.4.1")
def test_how_a_course_is_written_of_escorts_and_of_towed_bases(kept: Kept) -> None:
    text = "turn 1 impulse 1\nhydran F1 0404 CA[tractors=1]+DD\nhydran V1 0404 FL course 0405\n"
    state = world(text + "hydran F2 0409 CA[tractors=1]\nhydran base 0409 Post")
    state.fleets["hydran/F1"].escort = "V1"
    state.units["hydran-F2-CA"].towing = ["hydran-base-0409"]
    lines = plot_ask(state, "hydran").form.by_key
    assert [one.help for key in ("F1", "F2") for one in lines[key].fields if one.key == "course"] == kept()


@pytest.mark.rule("cutler", "2.6.2.1")
def test_who_stays_under_cloak_among_others_is_asked_for_plots_because_of_it(kept: Kept) -> None:
    state = world("turn 1 impulse 1\nhydran F1 0404 DD[cloak=up]\nlyran F1 0404 CA\nklingon F1 0404 CC")
    Run(turn := table_of(state), combat_phase_steps(turn.at("combat")))
    assert {race: state.empires[race].alerts for race in state.races()} == kept()
    assert texts(turn, "hydran") == kept("texts(turn, hydran)")
