"""Orders to docking bays: everything that may be wrong with one, in all words."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import docked_in, judge_docks, then_choices, work_choices
from rules_engine.rulebooks.cutler.ch04_economics.docks import docks_of, keep_docks
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, sees, table_of
from tests.rulebooks.cutler.yards import HOME, YARD, yard

# --- docking module --------------------------------------------------------------------------------------------------
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


# --- dock orders -----------------------------------------------------------------------------------------------------
FF, CA = "hydran-F1-FF", "hydran-F1-CA"


def docked(ships: str = "CA+FF", bays: tuple[int, ...] = (30, 20), **work: Any) -> CutlerState:
    """A yard with these ships, and what is under way in its first bay if anything is told of it."""
    state = yard(HOME + f"hydran F1 0205 {ships}\n", bays=bays)
    if work:
        told = {
            "base": YARD, "bay": 1, "race": "hydran", "into": state.classes["sc"], "named": "Ox", "cost": 40,
            "paid": 5,
        }  # fmt: skip
        made = DockWork(**told | work)
        state.works[made.key] = made
    return state


def refused(state: CutlerState, **lines: Any) -> list[str]:
    return [str(one) for one in judge_docks(state, "hydran", TurnSheet.model_validate(lines)).refusals]


REFIT = {"ship": FF, "named": "Hydran F1 Ff"}


@cases("ships, work, line, found")
def test_what_goes_on_in_a_bay_and_what_cannot(ships: str, work: Any, line: Any, found: list[str]) -> None:
    assert refused(docked(ships, **work), D1=line) == found


@cases("line, found")
def test_what_is_begun_in_a_bay_and_what_cannot(line: Any, found: list[str]) -> None:
    state = docked("CA+FF", bays=(30, 20, 9))
    for race, named in (("hydran", "Sited"), ("lyran", "Theirs")):
        site = BaseSite(key="B1", race=race, hex="0404", into=state.classes["bs"], named=named, cost=9, set_aside=9)
        state.sites[f"{race}/B1"] = site
    work = DockWork(base=YARD, bay=3, race="hydran", into=kind_of("CA"), named="Docked", cost=99)
    state.works[work.key] = work
    state.works["lyran"] = work.changed(race="lyran", named="Theirs")
    assert refused(state, D1=line) == found


@pytest.mark.rule("cutler", "2.8", "4.2.2", "4.2.1.1")
def test_no_two_bays_build_for_one_planet_take_one_name_or_work_on_one_ship(kept: Kept) -> None:
    def found(one: Any, other: Any, **more: Any) -> list[str]:
        return refused(docked(**more), D1=one, D2=other)

    assert found({"work": "build police"}, {"work": "build police"}) == []
    plans = judge_docks(
        docked(), "hydran", TurnSheet.model_validate({"D1": {"work": "build police"}, "D2": {"work": "build police"}})
    )
    assert [plan.work and (plan.work.named, plan.work.post) for plan in plans.plans] == kept("#1")
    named = docked()
    named.units[CA].name = "ff 1"
    plans = judge_docks(named, "hydran", TurnSheet.model_validate({key: {"work": "build ff"} for key in ("D1", "D2")}))
    assert [plan.work and plan.work.named for plan in plans.plans] == ["FF 2", "FF 3"]
    assert found({"work": "build police for p0307"}, {"work": "build police for p0307"}) == kept()
    twice = "{}.work: Hydran F1 Ff lies in bay {} (4.2.1.1, 4.2.3.3, CU-R82, CU-R86). Legal: its repair or refit in {}."
    assert found({"work": f"refit {FF} into sc"}, {"work": f"refit {FF} into dd"}) == [twice.format("D2", "D1", "D1")]
    assert found({"work": f"refit {FF} into sc"}, {"work": f"refit {CA} into cc"}) == []
    taken = docked("CA+FF[warp=11]", bay=2, **REFIT)
    assert refused(taken, D1={"work": f"repair {FF}"}) == [twice.format("D1", "D2", "D2")], "it lies where it was begun"
    assert refused(taken, D1={"work": f"repair {FF}"}, D2={"work": "give up"}) == []
    assert refused(docked(), D9={}) == ["D9: you have no such docking bay. Legal: D1, D2."]
    assert docked_in(taken, "hydran", TurnSheet()) == {FF}
    assert docked_in(taken, "hydran", TurnSheet.model_validate({"D2": {"work": "give up"}})) == set()
    mending = TurnSheet.model_validate({"D1": {"work": f"repair {FF}"}})
    assert docked_in(docked("CA+FF[warp=11]"), "hydran", mending) == {FF}
    assert docked_in(docked(), "hydran", TurnSheet.model_validate({"D1": {"work": "build ff"}})) == set()


@cases("ships, work, line, found")
def test_what_follows_in_the_same_turn(ships: str, work: Any, line: Any, found: list[str]) -> None:
    """A scout is made into a frigate for the difference, 25 CPV."""
    assert refused(docked(ships, **work), D1=line) == found


@cases("ships, bays, work, classes, offered", made="classes")
def test_what_is_offered_to_follow(ships: str, bays: tuple[int, ...], work: Any, *, classes, offered: list[str]):
    """A refit of ten CPV leaves something of eleven boxes; a scout costs 85."""
    state = docked(ships, bays=bays, **work)
    state.classes |= classes
    choices = then_choices(state, "hydran", docks_of(state, "hydran")["D1"])
    assert [choice.value for choice in choices] == offered


@pytest.mark.rule("cutler", "4.2.1", "4.2.1.1", "4.3", "2.8")
def test_what_a_bay_offers(kept: Kept) -> None:
    def offered(state: CutlerState, start: str) -> list[tuple[str, str, str]]:
        choices = work_choices(state, "hydran", docks_of(state, "hydran")["D1"])
        return [(one.value, one.label, one.hint) for one in choices if one.value.startswith(start)]

    state = docked("CA+FF[warp=11]")
    assert offered(state, "repair") == [(f"repair {FF}", "Repair: Hydran F1 Ff (FF)", "5 CPV for 1 warp box")]
    assert offered(state, "refit") == [(f"refit {CA} into cc", "Refit: Hydran F1 Ca into CC", "20 CPV")]
    assert offered(state, "build p")[2:] == kept()
    assert ("build ca", "Build: CA", "125 CPV") in offered(state, "build")
    assert [one[0] for one in offered(docked("CA+FF[warp=11]", **REFIT), "")] == ["give up", f"repair {FF}"]
    assert [one[0] for one in offered(docked("CA[warp=11]+FF", **REFIT), "")] == ["give up"]
    assert [one[0] for one in offered(docked("CA[warp=11]+FF", named="A"), "")] == ["give up"]


@cases("line, title, cost, most")
def test_what_is_begun_is_planned_at_its_price(line: Any, title: str, cost: int, most: int | None) -> None:
    (plan, _) = judge_docks(docked(), "hydran", TurnSheet.model_validate({"D1": line})).plans
    assert (plan.work.title if plan.work else "", plan.work.cost if plan.work else 0) == (title, cost)
    assert (plan.demand.most if plan.demand else None) == most
    assert plan.cpv == 0
    ship = "" if not line or "build" in line["work"] else FF
    assert plan.occupant == ship
    refits = {"build ff": ["D1.work"], f"refit {FF} into sc": ["D1.work"], f"refit {FF} into dd": ["D1.work"]}
    begun = judge_docks(docked(), "hydran", TurnSheet.model_validate({"D1": line})).begun()
    assert [path for path, _ in begun] == refits.get(line.get("work", ""), [])
