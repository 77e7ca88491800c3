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
from tests.rulebooks.cutler.ch02_movement.test_docked_pfs import DOCKED, docked
from tests.rulebooks.cutler.worlds import Run, kind_of, refusals, table_of, world

TENDER, PF, PF2 = "hydran-F1-PFT", "hydran-F1-PF2", "hydran-F1-PF3"
FIGHT = {"force": {"card": "combat"}}


# --- escapes, battles, losses ----------------------------------------------------------------------------------------


def fought(text: str, answers: dict[Any, Any], dice: dict[str, list[int]] | None = None) -> Run:
    """A combat phase in which the Lyran show combat."""
    state = world(f"turn 1 impulse 3\n{text}\n")
    table = table_of(state, dice)
    run = Run(table, combat_phase_steps(table.at("combat")), {("card", "lyran"): FIGHT, **answers})
    assert defects(state) == []
    return run


def lines_of(run: Run) -> list[list[str]]:
    """Who is on the sheet of each battle."""
    return [[line.label for line in ask.form.lines] for ask in run.asks if ask.kind == "battle"]


def account(**lines: dict[str, Any]) -> Any:
    """An account in which units have these lines, and others are intact."""
    return lambda ask: {line.key: lines.get(line.key, {"fate": "intact"}) for line in ask.form.lines}


def wave(*ships: str, **more: Any) -> dict[str, Any]:
    return {"wave": {"ships": [f"hydran-F1-{ship}" for ship in ships], **more}}


THREE = "hydran F1 0404 PFT+PF[dock=PFT]+PF[dock=PFT]+PF[dock=PFT]\nlyran F1 0404 CC+DW"


@pytest.mark.rule("cutler", "3.3.3", "3.3.7", "3.3.7.1", "2.6.1")
def test_a_tender_runs_with_docked_pfs_which_the_pursuer_does_not_see_and_others_stay_for_the_main_battle():
    """The example of 3.3.7: no modifier, for docked PFs do not count; the pursuer sees one unit."""
    answers = {
        ("wave", "hydran"): [wave("PFT", launch=[PF])],
        ("pursuit", "lyran"): {"lyran-F1-DW": {"group": 1}},
        ("battle", ""): account(),
    }
    run = fought(THREE, answers, {"escape from": [3]})
    assert "Escape wave 1 in 0404: 1 Hydran unit (size 4: DD)." in run.texts("lyran")
    assert "gets away from group 1" in run.texts("lyran")
    assert lines_of(run) == [["H1: Hydran Hydran F1 Pf2 (PF)", "L1: Lyran Lyran F1 Cc (CC)"]]
    state = run.table.state
    assert docked(state) == {PF2: TENDER, "hydran-F1-PF4": TENDER}
    assert [state.units[key].escaped_from for key in (TENDER, PF2, PF)] == [["lyran"], ["lyran"], []]


@cases("more, there", made="more")
def test_pfs_leave_their_docks_as_an_escape_battle_is_set_up_if_they_are_to(more, there):
    """A die of 4 catches one ship; PFs that run by themselves are seen, and are no full ships."""
    answers = {
        ("wave", "hydran"): [{"wave": {"ships": [TENDER], **more}}],
        ("pursuit", "lyran"): {"lyran-F1-DW": {"group": 1}},
        ("battle", ""): account(),
    }
    run = fought(THREE, answers, {"escape from": [4]})
    first = next(ask for ask in run.asks if ask.kind == "battle")
    assert sorted(line.label.split()[4] for line in first.form.lines if line.key.startswith("H")) == there
    seen = 2 if "ships" in more else 1
    assert f"Escape wave 1 in 0404: {seen} Hydran unit" in run.texts("lyran")


@pytest.mark.rule("cutler", "3.3.7")
def test_orders_to_docked_pfs_in_a_wave_are_refused_where_they_cannot_be(kept: Kept):
    def ask_of(text: str) -> Any:
        return fought(text, {}).asked("hydran", "wave")[0]

    ask = ask_of(THREE)
    assert [field.key for field in ask.form.lines[0].fields] == ["ships", "launch", "caught"]
    law = "2.4.1.7, CU-R23"
    assert refusals(ask, wave("PFT", launch=["hydran-F1-PFT"])) == [("wave.launch", law)]
    assert refusals(ask, wave("PFT", caught=["x"])) == [("wave.caught", law)]
    assert refusals(ask, wave("PFT", launch=[PF, PF])) == [("wave.launch", "")]
    assert refusals(ask, wave("PFT", "PF2", launch=[PF])) == [("wave.launch", "")]
    assert refusals(ask, wave("PFT", launch=[PF], caught=[PF])) == [("wave.launch", "")]
    assert refusals(ask, wave(caught=[PF])) == [("wave.caught", "3.3.7, CU-R23")]
    said = ask.read_back(ask.answer_from(wave("PFT", launch=[PF], caught=[PF2])))
    assert said == kept()
    plain = ask_of("hydran F1 0404 PFT+PF\nlyran F1 0404 CC")
    assert [field.key for field in plain.form.lines[0].fields] == ["ships"]


@pytest.mark.rule("cutler", "3.3.4", "2.4.1.7")
def test_docked_pfs_may_be_sent_after_a_wave_and_else_go_nowhere():
    text = "hydran F1 0404 PFT+PF[dock=PFT]+PF[dock=PFT]+CA\nlyran F1 0404 CC+FF"
    said: list[str] = []

    def send(ask: Any) -> Any:
        said.extend(ask.read_back(ask.answer_from({PF: {"group": 1}})))
        return {PF: {"group": 1}}

    answers = {
        ("card", "hydran"): FIGHT,
        ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}],
        ("pursuit", "hydran"): send,
        ("battle", ""): account(),
    }
    run = fought(text, answers, {"escape from": [6]})
    (ask,) = run.asked("hydran", "pursuit")
    assert [line.label for line in ask.form.lines][-2:] == ["Hydran F1 Pf2 (PF), docked", "Hydran F1 Pf3 (PF), docked"]
    assert said == ["Hydran F1 Pf2 (PF) pursues in group 1.", "Hydran F1 Pf2 (PF) leaves its dock."]
    assert lines_of(run)[0] == ["L1: Lyran Lyran F1 Ff (FF)", "H1: Hydran Hydran F1 Pf2 (PF)"]
    assert docked(run.table.state) == {PF2: TENDER}


@pytest.mark.rule("cutler", "3.7.1", "3.4.4")
def test_docked_pfs_flank_or_stand_with_the_main_force_once_they_leave_their_docks(kept: Kept):
    answers = {("flank", "hydran"): {PF: {"group": 1}, PF2: {"leaves": True}}, ("battle", ""): account()}
    run = fought(THREE, answers, {"flank": [3]})
    (ask,) = run.asked("hydran", "flank")
    assert refusals(ask, {TENDER: {"leaves": True}}) == [(f"{TENDER}.leaves", "2.4.1.7, CU-R23")]
    assert lines_of(run) == kept()
    (battle,) = [one for one in run.asks if one.kind == "battle"]
    secret = {panel.title: panel.rows for panel in battle.setup.secret["hydran"]}
    assert secret["Your docked PFs, which share its fate (2.4.1.7)"] == ("H1 Hydran F1 Pft: Hydran F1 Pf4 (PF)",)
    assert secret["Your flanking groups"][0] == "Arrives on turn 4: Hydran F1 Pf2"
    assert docked(run.table.state) == {"hydran-F1-PF4": TENDER}
    assert run.table.state.empires["lyran"].known_ships.keys() == {TENDER, PF, PF2}


@cases("line, alive, still, told", "", made="alive")
def test_docked_pfs_share_their_tenders_fate_unless_the_account_says_otherwise(line, alive, still, told):
    run = fought(THREE, {("battle", ""): account(H1=line)})
    state = run.table.state
    assert [unit.id for unit in state.alive("hydran") if unit.kind == "pf"] == alive
    assert len(docked(state)) == still
    docks = [one for one in run.table.shared.reports if "docks of" in one.text or "Got away" in one.text]
    assert all(list(one.to) == ["hydran"] for one in docks)
    assert told in run.texts("hydran")
    assert bool(told) == bool(docks)
    retreats = {unit.retreat_hex for unit in state.alive("hydran") if unit.docked_at or unit.id == TENDER}
    assert len(retreats) <= 1
    assert all(bool(goal) == (line["fate"] == "disengaged") for goal in retreats)


@pytest.mark.rule("cutler", "2.4.1.7", "5.1")
def test_docked_pfs_are_captured_with_their_tender_and_stay_docked_on_it_in_its_fleet(kept: Kept):
    run = fought(THREE, {("battle", ""): account(H1={"fate": "captured", "pfs_apart": 1})})
    state = run.table.state
    assert [(unit.id, unit.race, unit.docked_at) for unit in state.alive() if unit.kind == "pf"] == kept()
    assert [sorted(fleet.units) for fleet in state.fleets_of("lyran")][-1] == [PF2, "hydran-F1-PF4", TENDER]
    assert "Docked on Hydran F1 Pft, and captured with it: Hydran F1 Pf3, Hydran F1 Pf4." in run.texts("lyran")


@pytest.mark.rule("cutler", "2.4.1.7")
def test_an_account_asks_of_docked_pfs_by_the_docks_of_a_class_and_tells_nothing_of_them():
    forms = []
    for text in ("hydran F1 0404 PFT+CA\nlyran F1 0404 CC", "hydran F1 0404 PFT+PF[dock=PFT]+CA\nlyran F1 0404 CC"):
        (ask,) = [ask for ask in fought(text, {("battle", ""): account()}).asks if ask.kind == "battle"]
        forms.append(ask.form)
    assert forms[0] == forms[1]
    fields = {line.key: {field.key: field.most for field in line.fields} for line in forms[0].lines}
    assert [line.get("pfs_apart") for line in fields.values()] == [None, 6, None]
    too_many = {"H1": {}, "H2": {"fate": "damaged", "pfs_apart": 7}, "L1": {}}
    assert refusals(ask, too_many) == [("H2.pfs_apart", "2.4.1.7, CU-R23")]


SIEGE = """planet minor 0404 hydran rock
hydran base 0404 Fort
hydran F1 0404 PFT+PF[dock=PFT]+PF[dock=PFT]
lyran F1 0404 CC[from=0505]"""


@pytest.mark.rule("cutler", "3.5.8", "3.5.4.2")
def test_docked_pfs_stay_with_their_tender_or_are_sent_to_a_feature_or_an_approach_battle_of_their_own(kept: Kept):
    sent = {TENDER: {"place": "planet"}, PF: {"place": "approach"}}
    run = fought(SIEGE, {("allocate", "hydran"): sent, ("battle", ""): account()})
    (ask,) = run.asked("hydran", "allocate")
    assert ask.form.filled_in(PF) == {"place": "docked"}
    assert ask.read_back(ask.answer_from(sent))[-2:] == kept()
    assert refusals(ask, {TENDER: {"place": "docked"}}) == [(f"{TENDER}.place", "3.5.4.2")]
    assert lines_of(run)[0] == ["H1: Hydran Hydran F1 Pf2 (PF)", "L1: Lyran Lyran F1 Cc (CC)"]
    assert docked(run.table.state) == {PF2: TENDER}
    quiet = fought(SIEGE, {("battle", ""): account()})
    assert docked(quiet.table.state) == {PF: TENDER, PF2: TENDER}


@pytest.mark.rule("cutler", "3.5.8", "3.5.10")
def test_a_tender_that_runs_from_a_feature_may_leave_pfs_there_as_its_defenders():
    """CU-R75."""
    answers = {
        ("allocate", "hydran"): {TENDER: {"place": "sun"}},
        ("allocate", "lyran"): {"lyran-F1-CC": {"place": "sun"}},
        ("wave", "hydran"): [wave("PFT", launch=[PF])],
        ("battle", ""): account(),
    }
    run = fought(SIEGE, answers)
    assert lines_of(run) == [["H1: Hydran Hydran F1 Pf2 (PF)", "L1: Lyran Lyran F1 Cc (CC)"]]
    assert docked(run.table.state) == {PF2: TENDER}


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
