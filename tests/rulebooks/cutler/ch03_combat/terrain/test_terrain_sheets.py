"""Chapter 3.5: the sheets by which units are sent to features, pursuers go on, and battles are put in order."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.terrain.allocation import attackers_posting
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import features_of
from rules_engine.rulebooks.cutler.ch03_combat.terrain.flights import launch
from rules_engine.rulebooks.cutler.ch04_economics.docks import keep_docks
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.state import Fight, Moment
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.ch03_combat.terrain.test_terrain import SIEGE, at, fought, wave
from tests.rulebooks.cutler.worlds import Run, kind_of, on_sheet, refusal_words, table_of, world

CARRIERS = SIEGE.replace("Fort", "Fort[fighters=6]").replace("CA+DD", "CA[fighters=2]+DD")
EVERYWHERE = "The approach battle, The planet Rock, The sun"
SENT = ("allocate", "lyran")
TWO_FEATURES = {("allocate", "hydran"): at(CA="planet", DD="sun", PF="planet"), SENT: {"lyran-F1-FF": {"place": "sun"}}}
RUN_PAST = {
    ("wave", "lyran"): [wave("lyran-F1-CC", to="planet")],
    ("pursuit", "hydran"): {"hydran-F1-CA": {"group": 1}, "hydran-F1-DD": {"group": 1}, "hydran-F1-PF": {"group": 2}},
}


def answers_to(ask: Any, *sheets: dict[str, Any]) -> list[list[str]]:
    """Of each sheet its refusals, or else what it is read back as."""
    return [refusal_words(ask, sheet) or ask.read_back(ask.answer_from(sheet)) for sheet in sheets]


def in_battles(run: Run) -> list[str]:
    """Who is in each battle, by key and name."""
    labels = [[line.label.split(" (")[0] for line in ask.form.lines] for ask in run.asks if ask.kind == "battle"]
    return [", ".join(label.split(": ")[1].split(" ", 1)[1] for label in names) for names in labels]


# --- where units go --------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "3.5.4.2", "3.5.8")
def test_the_defenders_sheet_has_a_line_for_each_unit_that_has_a_choice(kept: Kept) -> None:
    (ask,) = fought(CARRIERS).asked("hydran", "allocate")
    assert on_sheet(ask)[3:] == kept()
    (alone,) = fought().asked("hydran", "allocate")
    assert [line.key for line in alone.form.lines] == ["hydran-F1-CA", "hydran-F1-DD", "hydran-F1-PF"], "no base"


@cases("text, answers, dice, asked, sheet, said", made="text, answers")
def test_what_is_said_of_sheets_for_features(text, answers, dice, asked, *, sheet, said) -> None:
    kind, side = asked.split()
    (ask,) = fought(text, answers, dice).asked(side, kind)
    assert answers_to(ask, sheet)[0] == said


@cases("case, proves, text, answers, dice", "", made="text, answers")
def test_the_whole_account_of_those_who_go_to_features(text, answers, dice, kept: Kept) -> None:
    assert combats.account(fought(text, answers, dice)) == kept()


@cases("line, apart")
def test_fighters_go_apart_if_there_are_some_to_go(line: dict[str, Any], apart: bool) -> None:
    sheet: dict[str, Any] = at(CA="planet", DD="planet", PF="planet")
    sheet["hydran-F1-CA"] |= line
    run = fought(CARRIERS, {("allocate", "hydran"): sheet})
    attackers = "Lyran F1 Cc, Lyran F1 Cw, Lyran F1 Ff"
    flight = "Hydran F1 Ca's fighters, " if apart else ""
    assert in_battles(run) == [f"Fort, Hydran F1 Ca, Hydran F1 Dd, Hydran F1 Pf, {flight}{attackers}"]


@pytest.mark.rule("cutler", "3.5.8")
def test_a_third_flight_is_the_third_by_key_and_by_name(kept: Kept) -> None:
    here = Fight()
    carrier = world("hydran F1 0404 CA[fighters=6]").units["hydran-F1-CA"]
    flights = [launch(here, carrier, 2, place) for place in ("sun", "planet", "approach")]
    assert [(one.id, one.name, one.fighters) for one in flights] == kept()
    assert list(here.ground.places.values()) == ["sun", "planet", "approach"]
    assert set(here.ground.carriers.values()) == {"hydran-F1-CA"}


@pytest.mark.rule("cutler", "3.5.4.2")
def test_who_leaves_its_dock_is_warned_of_it_and_is_docked_no_more(kept: Kept) -> None:
    state = world(SIEGE.replace("0404 Fort", "0404 Fort[type=SB]") + "hydran base 0101 Far\n")
    works = [("hydran-base-0404", ship) for ship in ("CA", "DD", "PF")] + [("hydran-base-0101", "FF")]
    for number, (base, ship) in enumerate(works, 1):
        work = DockWork(base=base, bay=number, race="hydran", into=kind_of("CC"), named="X", cost=9)
        state.works[str(number)] = work.changed(ship=f"hydran-F1-{ship}")
    state.units["hydran-F1-PF"].sailed = True  # in the same impulse already
    (ask,) = fought(state, {("allocate", "hydran"): at(CA="planet", PF="planet")}).asked("hydran", "allocate")
    gone = at(CA="approach", DD="sun", PF="approach")
    sheets = [{}, at(CA="planet"), at(CA="planet", DD="planet", PF="approach"), gone]
    assert [ask.warn(ask.answer_from(sheet)) for sheet in sheets] == kept()
    assert [state.units[f"hydran-F1-{ship}"].sailed for ship in ("CA", "DD", "PF")] == [False, False, True]


@pytest.mark.rule("cutler", "2.5", "3.5.4.2")
def test_ships_in_docking_bays_begin_docked_and_a_silent_owner_leaves_them_there() -> None:
    state = world(SIEGE.replace("0404 Fort", "0404 Fort[type=SB]"))
    state.units["hydran-base-0404"].record = kind_of("base", repair=9)
    work = DockWork(base="hydran-base-0404", bay=1, race="hydran", into=kind_of("CC"), named="X", cost=9)
    state.works["1"] = work.changed(ship="hydran-F1-CA")
    run = fought(state, {("allocate", "lyran"): {f"lyran-F1-{ship}": {"place": "sun"} for ship in ("CC", "CW", "FF")}})
    (ask,) = run.asked("hydran", "allocate")
    assert "Hydran F1 Ca to the planet Rock" in ask.default_says
    assert "Hydran F1 Dd to the approach battle" in ask.default_says
    assert ask.form.filled_in("hydran-F1-CA")["place"] == "planet"
    assert ask.warn(ask.default) == []
    assert "Hydran F1 Ca" not in in_battles(run)[0]
    ship = state.units["hydran-F1-CA"]
    keep_docks(table_of(state))
    assert (ship.sailed, list(state.works)) == (False, ["1"])


@pytest.mark.rule("cutler", "2.5", "3.5.5.3")
def test_an_attackers_ships_in_docking_bays_stay_there_too() -> None:
    """The Hydran have been in the hex for longer; the Lyran have a base there, and a ship in its dock."""
    state = world(SIEGE.replace("Fort", "Fort\nlyran base 0404 Den[type=SB,orbit=apart]"))
    work = DockWork(base="lyran-base-0404", bay=1, race="lyran", into=kind_of("CC"), named="X", cost=9)
    state.works["1"] = work.changed(ship="lyran-F1-CC")
    run = fought(state)
    asked = [line.key for ask in run.asked("lyran", "allocate") for line in ask.form.lines]
    assert "lyran-F1-CW" in asked
    assert "lyran-F1-CC" not in asked
    assert all("Lyran F1 Cc" not in battle for battle in in_battles(run))
    assert not state.units["lyran-F1-CC"].sailed


@pytest.mark.rule("cutler", "3.5.4.2", "2.10")
def test_each_race_of_a_force_sends_its_own_and_is_not_warned_of_a_partners_docks() -> None:
    state = world(SIEGE.replace("0404 Fort", "0404 Fort[type=SB]") + "klingon F1 0404 CW\ntogether hydran klingon\n")
    work = DockWork(base="hydran-base-0404", bay=1, race="hydran", into=kind_of("CC"), named="X", cost=9)
    state.works["1"] = work.changed(ship="hydran-F1-CA")
    run = fought(state, {("allocate", "klingon"): {"klingon-F1-CW": {"place": "sun"}}})
    asked = {race: run.asked(race, "allocate")[0] for race in ("hydran", "klingon")}
    assert [line.key for line in asked["klingon"].form.lines] == ["klingon-F1-CW"]
    assert "klingon-F1-CW" not in [line.key for line in asked["hydran"].form.lines]
    empty = {race: ask.warn(ask.answer_from({})) for race, ask in asked.items()}
    assert [len(warnings) for warnings in empty.values()] == [0, 0]
    leaving = {"hydran-F1-CA": {"place": "approach"}}
    assert [len(asked["hydran"].warn(asked["hydran"].answer_from(leaving)))] == [1]
    assert asked["hydran"].text.startswith("You defend 0404. ")
    assert "the Lyran learns of neither" in asked["klingon"].text
    assert in_battles(run)[0] == "Hydran F1 Dd, Hydran F1 Pf, Lyran F1 Cc, Lyran F1 Cw, Lyran F1 Ff"


@pytest.mark.rule("cutler", "3.5.5.3", "3.5.6", "3.5.8")
def test_attackers_go_to_features_but_for_bases_derelicts_and_who_has_fought_at_one_that_is_no_more(kept: Kept) -> None:
    state = world("planet minor 0404 hydran rock\nlyran F1 0404 CC+CW[warp=0,imp=0]+DD+FF\nlyran base 0101 Den\n")
    here = Fight()
    here.ground.features = features_of(state, "0404", [])
    here.ground.fought_at = {"lyran-F1-DD": "sun", "lyran-F1-FF": "giant"}
    carrier = world("lyran F2 0404 CV[fighters=6]").units["lyran-F2-CV"]
    posting = attackers_posting(here, [*state.units.values(), launch(here, carrier, 4, "sun"), carrier])
    assert posting.names == {"planet": "the planet Rock", "sun": "the sun"}
    assert {key: (post.places, post.fighters) for key, post in posting.posts.items()} == kept()


@pytest.mark.rule("cutler", "3.5.6")
def test_a_defender_that_has_fought_elsewhere_is_told_where_it_may_go(kept: Kept) -> None:
    state = world(SIEGE)
    state.fought_at = {"hydran-F1-CA": "sun"}
    (ask,) = fought(state).asked("hydran", "allocate")
    assert on_sheet(ask)[3:5] == ["Hydran F1 Ca (CA)", "- Goes to: The approach battle, The sun; 'approach'"]
    assert answers_to(ask, at(CA="planet"), at(DD="planet"))[0] == kept()


@pytest.mark.rule("cutler", "3.5", "3.5.4.2")
def test_a_base_of_the_attackers_fights_at_its_own_feature(kept: Kept) -> None:
    state = world(f"{SIEGE}lyran base 0404 Den[orbit=apart]\n")
    state.presence["0404"] = {"hydran": Moment(turn=2, impulse=1), "lyran": Moment(turn=2, impulse=2)}
    run = fought(state, {("allocate", "hydran"): at(CA="base1", DD="planet", PF="planet")})
    assert in_battles(run) == kept()
    assert "hydran-base-0404" not in run.asked("lyran", "allocate")[0].default_says
    assert "Den" not in run.asked("lyran", "allocate")[0].default_says
    assert state.units["lyran-base-0404"].escaped_to == ""
    state = world(f"{SIEGE}lyran base 0404 Den[orbit=apart]\n")
    state.presence["0404"] = {"hydran": Moment(turn=2, impulse=1), "lyran": Moment(turn=2, impulse=2)}
    attackers = "Lyran F1 Cc, Lyran F1 Cw, Lyran F1 Ff"
    assert in_battles(fought(state)) == [f"Hydran F1 Ca, Hydran F1 Dd, Hydran F1 Pf, {attackers}", f"Fort, {attackers}"]


# --- who goes on after a pursuit -------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.5.5.1", "3.5.8")
def test_pursuers_are_asked_whether_they_go_on(kept: Kept) -> None:
    (ask,) = fought(SIEGE, RUN_PAST, {"escape from": [3]}).asked("hydran", "join")
    assert on_sheet(ask) == kept()


@pytest.mark.rule("cutler", "3.5.5.1", "3.5.6")
def test_pursuers_that_have_fought_at_another_feature_do_not_go_on() -> None:
    state = world(SIEGE)
    state.fought_at = {"hydran-F1-CA": "sun", "hydran-F1-DD": "planet"}
    (ask,) = fought(state, RUN_PAST, {"escape from": [3]}).asked("hydran", "join")
    assert [choice.value for choice in ask.form.lines[0].fields[0].choices] == ["hydran-F1-DD"]


# --- the order of battles --------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.5.7")
def test_the_attacker_of_two_features_orders_their_battles(kept: Kept) -> None:
    (ask,) = fought(SIEGE, TWO_FEATURES).asked("lyran", "order")
    assert on_sheet(ask)[3:] == kept()
