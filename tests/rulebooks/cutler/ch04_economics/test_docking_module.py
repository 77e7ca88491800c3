"""4.2.1.1: what is under way in a starbase's docking bays is lost with its docking module."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch04_economics.docks import keep_docks
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.economy import DockWork
from tests.expected.kept import Kept
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of
from tests.rulebooks.cutler.yards import HOME, YARD, yard

SIEGE = "turn 1 impulse 2\n" + HOME + "hydran F1 0205 CA\nlyran F1 0205 CC\nklingon F1 0908 CW\n"
OPEN = {("card", side): {"force": {"card": "combat"}} for side in ("hydran", "lyran")}
AT_THE_BASE = {("allocate", "hydran"): {"hydran-F1-CA": {"place": "planet"}}}
DAMAGED = {"fate": "damaged"}


def fought(line: dict[str, object], *, base_type: str = "SB", works: bool = True) -> Run:
    """A battle at the yard, H1 on its form, where a frigate is built and a cruiser refit."""
    state = yard(SIEGE, base_type=base_type)
    if works:
        ff, cc = state.classes["ff"], state.classes["cc"]
        begun = DockWork(base=YARD, bay=1, race="hydran", into=ff, named="Foam", cost=60, paid=10)
        refit = DockWork(base=YARD, bay=2, race="hydran", into=cc, named="CA", ship="hydran-F1-CA", cost=20, paid=5)
        state.works = {begun.key: begun, refit.key: refit}
    result = {"H1": line, "H2": {"fate": "intact"}, "L1": {"fate": "disengaged"}}
    run = Run(table := table_of(state), combat_phase_steps(table), {**OPEN, **AT_THE_BASE, ("battle", ""): result})
    keep_docks(table)
    assert defects(state) == []
    return run


@pytest.mark.rule("cutler", "4.2.1.1")
def test_what_is_under_way_is_lost_with_the_docking_module_and_not_with_other_damage():
    run = fought(DAMAGED | {"cargo_lost": 50})
    assert sorted(run.table.state.works) == [f"{YARD}/1", f"{YARD}/2"]
    run = fought(DAMAGED | {"module_lost": True})
    state = run.table.state
    assert (state.works, state.units[YARD].destroyed, state.units[YARD].module_lost) == ({}, False, False)
    assert "With the docking module of Yard in 0205 is lost what was in its bay: Foam (FF), 10 of 60" in run.texts(
        "hydran"
    )
    assert state.units["hydran-F1-CA"].record.name == "CA"


@pytest.mark.rule("cutler", "4.2.1.1")
def test_a_docking_module_is_a_starbases_and_its_loss_is_damage(kept: Kept):
    (ask,) = [one for one in fought(DAMAGED).asks if one.kind == "battle"]
    line = {"H2": {"fate": "intact"}, "L1": {"fate": "disengaged"}}
    assert refusal_words(ask, line | {"H1": {"fate": "intact", "module_lost": True}}) == kept()
    fields = {field.key for field in ask.form.line("H1").fields}
    assert "module_lost" in fields
    assert "module_lost" not in {field.key for field in ask.form.line("H2").fields}
    (ask,) = [one for one in fought(DAMAGED, base_type="BATS").asks if one.kind == "battle"]
    assert {field.key for field in ask.form.line("H1").fields} == fields - {"module_lost"}
    expected = [("H1.module_lost", "4.2.1.1, G-6")]
    assert refusals(ask, line | {"H1": DAMAGED | {"module_lost": True}}) == expected


@pytest.mark.rule("cutler", "4.2.1.1")
def test_who_destroys_a_docking_module_does_not_learn_what_was_in_its_bays():
    lost = DAMAGED | {"module_lost": True}
    for side in ("lyran", "klingon"):
        full, empty = (sees(run.table, run.asks, side) for run in (fought(lost), fought(lost, works=False)))
        assert full == empty
    assert "lost its docking module" in fought(lost).texts("lyran")
    assert "lost its docking module" not in fought(lost).texts("klingon")
