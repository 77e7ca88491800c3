"""A budget that stands for later turns: what is carried out of it without a word, and what no longer fits. CU-N150

The Hydran make 100 CPV in 0205, where they have a yard with bays of 30 and 20 repair boxes, and 25 in 0307. A frigate
costs 60 CPV.
"""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch04_economics.standing.budget import budget_now, budget_rows
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.parts.empires import Empire
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept
from tests.rulebooks.cutler.worlds import Run, refusals, table_of
from tests.rulebooks.cutler.yards import HOME, YARD, turn, yard

BUDGET: dict[str, Any] = {
    "economy": {"reserve": 20, "stands": "yes"},
    "H0205": {"cargo": 10},
    "D1": {"work": "build ff", "cpv": 25, "name": "Sprite"},
}
KEPT = {"economy": {"reserve": 20}, "H0205": {"cargo": 10}, f"D {YARD}/1": {"work": "build ff", "cpv": 25}}
LEFT_OUT = "No longer in your standing budget, for it does not fit: "


def begun(text: str = HOME, **more: Any) -> CutlerState:
    """A world in which the first turn's budget stands."""
    state = yard(text)
    turn(state, **{**BUDGET, **more})
    return state


def silent(state: CutlerState, **answers: Any) -> Run:
    """The next turn's sheets, on which the Hydran say nothing; of others the answers by race."""
    state.turn += 1
    table = table_of(state)
    run = Run(table, turn_sheets_steps(table), {("turn", race): answer for race, answer in answers.items()})
    assert defects(state) == []
    return run


def left_out(run: Run, side: str = "hydran") -> list[str]:
    """What a side was told that no longer fits."""
    return [one.text for one in run.told(side, "economy") if one.text.startswith(LEFT_OUT)]


def money(state: CutlerState) -> tuple[int, int, int, list[tuple[str, int]]]:
    """The Hydran's reserve, pool and store in 0205, and what is under way with what was paid."""
    empire = state.empires["hydran"]
    works = [(work.named, work.paid) for work in state.works.values()]
    return empire.reserve, empire.base_pool, state.units[YARD].cargo_cpv, works


@pytest.mark.rule("cutler", "4.1.6.1", "4.2.1.3", "4.2.1")
def test_it_is_carried_out_turn_after_turn_without_a_word() -> None:
    state = begun()
    # 125 made: 20 to the Reserve, 10 stored, 25 into the bay; the pool takes the other 70.
    assert (money(state), state.empires["hydran"].budget) == ((20, 70, 10, [("Sprite", 25)]), KEPT)
    assert left_out(silent(state)) == []
    # The bay takes the 10 that were stored, and 15 new ones; 10 new ones are stored: 125 - 20 - 15 - 10 = 80.
    assert money(state) == (40, 150, 10, [("Sprite", 50)])
    silent(state)
    # 10 CPV are left to pay, so no more go in, all out of the store: 125 - 20 - 10 = 95.
    assert money(state) == (60, 245, 10, [])
    silent(state)
    # The bay is free, and the next frigate is begun; it cannot be called Sprite.
    assert (money(state), state.empires["hydran"].budget) == ((80, 325, 10, [("FF 1", 25)]), KEPT)


@pytest.mark.rule("cutler", "4.1.6.1")
def test_it_is_filled_in_on_the_sheet_and_is_what_stands_if_nothing_is_sent(kept: Kept) -> None:
    state = begun()
    state.turn += 1
    ask = turn_ask(state, "hydran")
    filled = ask.form.prefilled()
    assert (filled["economy"], filled["H0205"]) == ({"reserve": 20, "stands": "yes"}, {"cargo": 10})
    assert filled["D1"] == {"cpv": 25}  # the bay is taken; what is to be built next waits
    assert ask.default_says.startswith("Your standing budget is carried out. ")
    assert ask.read_back(ask.default)[:2] == kept("ask.read_back(ask.default)(:2)")
    assert "This budget stands for later turns." in ask.read_back(ask.answer_from(filled))
    # Nothing of it reaches those who have none.
    assert not turn_ask(state, "lyran").default_says.startswith("Your standing")
    assert budget_rows(state, "lyran") == []
    assert budget_rows(state, "hydran") == kept("budget_rows(state, hydran)")


@pytest.mark.rule("cutler", "4.1.6.1")
def test_who_sends_the_sheet_as_it_is_filled_in_keeps_what_waits_for_a_free_bay() -> None:
    state = begun()
    state.turn += 1
    turn(state, **turn_ask(state, "hydran").form.prefilled())
    assert state.empires["hydran"].budget == KEPT
    state.turn += 1
    sheet = turn_ask(state, "hydran").form.prefilled()
    assert sheet["D1"] == {"cpv": 10}  # all that is left to pay
    turn(state, **sheet | {"D1": {"cpv": 5}})
    assert state.empires["hydran"].budget[f"D {YARD}/1"] == {"work": "build ff", "cpv": 5}


def test_it_is_changed_for_one_turn_or_ended() -> None:
    state = begun()
    state.turn += 1
    once = turn(state, economy={"reserve": 5, "stands": "once"})
    assert "Your standing budget stays as it was." in _read(state, economy={"reserve": 5, "stands": "once"})
    assert (state.empires["hydran"].reserve, state.empires["hydran"].budget) == (25, KEPT)
    del once
    state.turn += 1
    turn(state, economy={"reserve": 5, "stands": "no"})
    assert state.empires["hydran"].budget == {}
    assert [one.value for one in _field(state).choices] == ["yes", "no"]


def _read(state: CutlerState, **lines: Any) -> list[str]:
    ask = turn_ask(state, "hydran")
    return list(ask.read_back(ask.answer_from(lines)))


def _field(state: CutlerState) -> Any:
    line = turn_ask(state, "hydran").form.line("economy")
    assert line is not None
    return next(one for one in line.fields if one.key == "stands")


@pytest.mark.rule("cutler", "4.1.5", "4.1.6.1")
def test_what_no_longer_fits_is_left_out_for_good_and_told_once_and_the_rest_stands(kept: Kept) -> None:
    state = begun()
    state.planets["p0205"].owner = "lyran"
    told = left_out(silent(state))
    # Nothing is made in 0205 any more, and 10 CPV lie there: neither can 10 new ones be stored, nor 25 be spent.
    assert told == kept()
    # 20 of the 25 CPV of 0307 go to the Reserve, as ever; the bay goes on with what there is.
    assert money(state) == (40, 75, 0, [("Sprite", 35)])
    assert (state.empires["hydran"].budget, left_out(silent(state))) == ({"economy": {"reserve": 20}}, [])
    assert money(state)[:2] == (60, 80)


@pytest.mark.rule("cutler", "4.1.6.1")
def test_an_income_that_falls_short_takes_the_line_that_asks_too_much_and_no_other(kept: Kept) -> None:
    state = begun(economy={"reserve": 60, "pool": 30, "stands": "yes"})
    state.planets["p0307"].owner = "lyran"
    # 60 + 30 + 15 + 10 = 115 of 100. (Out of the store come 10 of the bay's 25.)
    assert left_out(silent(state)) == kept()
    assert state.empires["hydran"].budget == {"economy": {}, **{key: KEPT[key] for key in list(KEPT)[1:]}}
    assert money(state) == (60, 30 + 75, 10, [("Sprite", 50)])


@pytest.mark.rule("cutler", "4.2.1.1")
def test_a_bay_that_is_lost_is_the_owners_no_longer() -> None:
    state = begun()
    state.units[YARD].race = "lyran"
    state.works.clear()
    told = left_out(silent(state))
    assert len(told) == 1
    assert "bay 1 of Yard: it is yours no longer" in told[0]
    assert "you have" not in told[0]
    assert state.empires["hydran"].budget == {"economy": {"reserve": 20}}


def test_a_bay_is_known_by_its_base_though_lines_are_numbered_anew() -> None:
    state = begun(HOME + "hydran base 0103 Old\n", D2={}, D1={}, D3={"work": "build ff", "cpv": 25})
    assert f"D {YARD}/1" in state.empires["hydran"].budget  # D1 and D2 are those of the other base
    state.units["hydran-base-0103"].destroyed = True
    now = budget_now(state, "hydran")
    assert now.misfits == {}
    assert now.sheet["D1"] == {"cpv": 25}  # which was D3


@pytest.mark.rule("cutler", "4.1.6.1")
def test_a_correction_after_the_sheet_was_filled_in_takes_what_is_illegal_from_it() -> None:
    """The default is settled when the race is asked; a planet that a referee gives away after that pays nobody."""
    state = begun(economy={"reserve": 60, "pool": 30, "stands": "yes"})

    def give_away(ask: Any) -> dict[str, Any]:
        del ask
        state.planets["p0307"].owner = "lyran"
        return {}

    silent(state, lyran=give_away)
    # 100 are made: no more than that is spent, stored and put away.
    reserve, pool, stored, works = money(state)
    assert (reserve, pool, stored, works) == (60, 30 + 75, 10, [("Sprite", 50)])


def test_refits_names_and_moved_goods_do_not_stand() -> None:
    state = yard(HOME + "hydran F1 0205 CA\n")
    turn(
        state, economy={"stands": "yes"}, D1={"work": "refit hydran-F1-CA into cc"},
        D2={"work": "build ff", "name": "Elf"},
    )  # fmt: skip
    assert state.empires["hydran"].budget == {"economy": {}, f"D {YARD}/2": {"work": "build ff"}}


def test_only_known_words_say_whether_it_stands() -> None:
    assert refusals(turn_ask(yard(), "hydran"), {"economy": {"stands": "maybe"}}) == [("economy.stands", "")]


def test_a_race_without_one_is_written_down_as_before() -> None:
    """Journals of before play back: what a state had no field for is not spelt while it is empty."""
    assert "budget" not in Empire(race="hydran").to_json()
    assert Empire(race="hydran", budget={"economy": {}}).to_json()["budget"] == {"economy": {}}
    assert "stands" not in turn_ask(yard(), "hydran").answer_from({}).model_dump(mode="json")["economy"]
