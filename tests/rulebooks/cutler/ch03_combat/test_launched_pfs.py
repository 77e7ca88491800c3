"""PFs that leave their docks in battles, and what befalls those that stay there. 2.4.1.7, 3.3.7, 3.5.8, CU-R23"""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch07_maintenance.maintenance import miss_maintenance
from rules_engine.rulebooks.cutler.ch09_surveying.survey import surveying_phase
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.conditions.docking import dock
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.ch02_movement.test_docked_pfs import DOCKED, docked
from tests.rulebooks.cutler.shown import battles_of
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, table_of, world

TENDER, PF, PF2 = "hydran-F1-PFT", "hydran-F1-PF2", "hydran-F1-PF3"
SIEGE = """planet minor 0404 hydran rock
hydran base 0404 Fort
hydran F1 0404 PFT+PF[dock=PFT]+PF[dock=PFT]
lyran F1 0404 CC[from=0505]"""
THREE = "hydran F1 0404 PFT+PF[dock=PFT]+PF[dock=PFT]+PF[dock=PFT]\nlyran F1 0404 CC+DW"
FIGHT = {"force": {"card": "combat"}}


# --- escapes, battles, losses ----------------------------------------------------------------------------------------


def fought(text: str, answers: dict[Any, Any], dice: dict[str, list[int]] | None = None) -> Run:
    """A combat phase in which the Lyran show combat."""
    state = world(f"turn 1 impulse 3\n{text}\n")
    table = table_of(state, dice)
    run = Run(table, combat_phase_steps(table.at("combat")), {("card", "lyran"): FIGHT, **answers})
    assert defects(state) == []
    return run


def wave(*ships: str, **more: Any) -> dict[str, Any]:
    return {"wave": {"ships": [f"hydran-F1-{ship}" for ship in ships], **more}}


CHASED = {("pursuit", "lyran"): {"lyran-F1-DW": {"group": 1}}}
SENT = {TENDER: {"place": "planet"}, PF: {"place": "approach"}}
AFTER = {("card", "hydran"): FIGHT, ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}]}
HUNTERS = "hydran F1 0404 PFT+PF[dock=PFT]+PF[dock=PFT]+CA\nlyran F1 0404 CC+FF"
FLANK = {("flank", "hydran"): {PF: {"group": 1}, PF2: {"leaves": True}}}


@cases("case, proves, text, answers, dice", "", made="text, answers")
def test_the_whole_account_of_docked_pfs_in_combat(text, answers, dice, kept: Kept):
    assert combats.account(fought(text, answers, dice)) == kept()


@cases("text, answers, asked, sheet, words", made="text, answers, sheet")
def test_what_may_not_be_ordered_of_docked_pfs(text, answers, asked, sheet, words):
    said: list[list[str]] = []
    fought(text, answers | {tuple(asked.split("/")): lambda ask: said.append(refusal_words(ask, sheet))})
    assert said[0] == words


@pytest.mark.rule("cutler", "3.3.7", "3.3.4", "3.5.8")
def test_orders_to_docked_pfs_are_read_back_where_some_are_docked(kept: Kept):
    wave_ask = fought(THREE, {}).asked("hydran", "wave")[0]
    (hunt,) = fought(HUNTERS, AFTER).asked("hydran", "pursuit")
    (posts,) = fought(SIEGE, {}).asked("hydran", "allocate")
    sheets = [(wave_ask, wave("PFT", launch=[PF], caught=[PF2])), (hunt, {PF: {"group": 1}}), (posts, SENT)]
    assert [ask.read_back(ask.answer_from(sheet)) for ask, sheet in sheets] == kept()
    assert [line.label for line in hunt.form.lines] == kept("labels")
    assert posts.form.filled_in(PF) == {"place": "docked"}
    plain = fought("hydran F1 0404 PFT+PF\nlyran F1 0404 CC", {}).asked("hydran", "wave")[0]
    assert [[field.key for field in ask.form.lines[0].fields] for ask in (wave_ask, plain)] == kept("fields")


@pytest.mark.rule("cutler", "3.7.1", "3.4.4", "5.1")
def test_pfs_that_left_their_docks_are_known_and_captured_ones_are_in_a_fleet_with_their_tender():
    assert fought(THREE, FLANK, {"flank": [3]}).table.state.empires["lyran"].known_ships.keys() == {TENDER, PF, PF2}
    state = fought(THREE, {("battle", ""): combats.fates(H1={"fate": "captured", "pfs_apart": 1})}).table.state
    assert [sorted(fleet.units) for fleet in state.fleets_of("lyran")][-1] == [PF2, "hydran-F1-PF4", TENDER]


@pytest.mark.rule("cutler", "2.4.1.7")
def test_an_account_asks_of_docked_pfs_by_the_docks_of_a_class_and_tells_nothing_of_them():
    docks = ("hydran F1 0404 PFT+CA\nlyran F1 0404 CC", "hydran F1 0404 PFT+PF[dock=PFT]+CA\nlyran F1 0404 CC")
    forms = [battles_of(fought(text, {}))[0].form for text in docks]
    assert forms[0] == forms[1]
    fields = {line.key: {field.key: field.most for field in line.fields} for line in forms[0].lines}
    assert [line.get("pfs_apart") for line in fields.values()] == [None, 6, None]


@pytest.mark.rule("cutler", "2.4.1.6", "7.3", "9.2")
def test_docked_pfs_are_lost_with_a_derelict_tender_and_with_one_that_a_monster_destroys():
    state = world("turn 1 impulse 6\nhydran F1 0404 PFT[warp=0,imp=0]+PF[dock=PFT]\nlyran F1 0909 CC")
    state.units[TENDER].note_life_support("none")
    table = table_of(state)
    miss_maintenance(table)
    assert (state.alive("hydran"), defects(state)) == ([], [])
    assert "Lost in the docks of Hydran F1 Pft: Hydran F1 Pf2." in Run(table, iter(())).texts("hydran")
    state = world("turn 1\nunsurveyed 0404\nhydran F1 0404 SUR+PF\nlyran F1 0909 CC")
    state.units["hydran-F1-SUR"].record = kind_of("SUR", pf_docks=1)
    dock(state.units["hydran-F1-PF"], state.units["hydran-F1-SUR"])
    state.empires["hydran"].surveys = ["0404"]
    table = table_of(state, {"monster": [6], "/survey": [5, 5, 6]})
    surveying_phase(table)
    assert [unit.destroyed for unit in state.units.values() if unit.race == "hydran"] == [True, True]


@pytest.mark.rule("cutler", "2.4.1.7")
def test_pfs_leave_a_host_that_is_given_up_or_has_another_class():
    state = world(f"turn 1\n{DOCKED}\nlyran F1 0909 CC")
    state.units[TENDER].record = kind_of("PFT", pf_docks=1)
    tidy_fleets(state)
    assert docked(state) == {PF: TENDER}
    state.units[TENDER].perish()  # melted down by its owner
    tidy_fleets(state)
    assert (docked(state), len(state.alive("hydran")), defects(state)) == ({}, 2, [])


@pytest.mark.rule("cutler", "2.4.1.7", "2.6.1")
def test_an_impossible_docking_is_a_defect():
    state = world(f"turn 1\n{DOCKED}\nhydran F2 0505 DD\nlyran F1 0909 CC")
    pf = state.units[PF]
    for host in ("hydran-F2-DD", "lyran-F1-CC", "nobody"):
        pf.docked_at = host
        assert f"unit {PF} is docked where it cannot be" in defects(state)
    pf.docked_at = TENDER
    pf.hex = "0505"
    assert f"unit {PF} is docked on what is elsewhere, or no more" in defects(state)
