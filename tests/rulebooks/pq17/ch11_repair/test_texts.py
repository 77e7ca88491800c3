"""Chapter 11: texts of repairs and refusals, written down whole."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Form, Line
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch11_repair import costs, damage_shown, operational, self_repair
from rules_engine.rulebooks.pq17.ch11_repair.boxes import destroy
from rules_engine.rulebooks.pq17.ch11_repair.plan import repair_refusals
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import logistics_steps
from rules_engine.rulebooks.pq17.records.damage import BoxInHand, RefitInHand
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.shown.boards import side_board
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.written_scenes import answered, sheet, spell_reports
from tests.rulebooks.pq17.worlds.notation import asks_of, table
from tests.rulebooks.pq17.worlds.repair import Fight, docked, order, unit, yard
from tests.rulebooks.written_texts import compare

# --- scenes of repairs ------------------------------------------------------------------------------------------------
# repairs written down whole: the sheet's lines, what is read back and warned of, what is done at the end of a turn.
# Costs as in yards.COSTS, times five: 50 points a warp box, 5 a hull box, 125 a self-repair.
Request = pytest.FixtureRequest
PLUS = Refit(
    name="plus", year=165, bpv=Fraction(8), boxes_added={"battery": 2}, boxes_changed={"2 phaser-2": "phaser-1"}
)
RELOADS = Refit(name="reloads", year=160, bpv=Fraction(2), boxes_changed={"drone-a": "drone-a"})
LATE = Refit(name="late", year=170, bpv=Fraction(4), shields_changed=(1, 2))


def repairs_of(state: State, *orders: dict[str, Any]) -> Iterator[str]:
    """The repair lines of the Alliance's logistics sheet, and how it is read back as filled in and with ``orders``."""
    (ask,) = asks_of(logistics_steps(table(state)))
    yield from sheet(Form(lines=tuple(line for line in ask.form.lines if line.key.startswith("repair-"))))
    yield from answered(ask, ask.default)
    yield from (row for one in orders for row in ordered(ask, one))


def ordered(ask: AnyAsk, given: dict[str, Any]) -> Iterator[str]:
    yield f"> {given}"
    yield from list(answered(ask, ask.answer_from(given)))[1:]


def done(state: State) -> Iterator[str]:
    """What the end of a turn brings, with the reasons; the next turn begins."""
    at = table(state)
    yield f"-- turn {state.turn}"
    operational.carry_out_repairs(at, "alliance")
    yield from spell_reports(at.shared.reports)
    state.turn += 1


def refitting(text: str) -> State:
    state = yard(text)
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": (PLUS, LATE, RELOADS)})
    return state


# --- the sheet --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "SOP.2.a.iv.3", "11.4.9", "11.4.9.3", "11.4.9.5", "11.4.9.6", "11.3.4", "11.2.6", "11.2.5.3")
def test_a_repair_ship_with_a_crippled_cruiser(request: Request) -> None:
    """Thirty repair boxes. The cruiser lacks ten warp boxes, three of hull, one of excess damage and two self-repairs;
    three points went into its hull last turn. Then the repair ship has nothing to repair with."""
    state = yard("A1 0405 CA[warp=20]+RS logistics speed 0")
    ship = unit(state, "A1.CA", self_repairs_left=6, crippled=True)
    for box in ("hull", "hull", "hull", "excess"):
        destroy(state, ship, box)
    ship.repairs = ship.repairs.with_values(in_hand=BoxInHand(box="hull", points=3, turn=0))
    orders: list[dict[str, Any]] = [
        {"repair-A1.CA": {"boxes": "hull 3, excess, warp"}},
        {"repair-A1.CA": {"boxes": "warp"}},
        {"repair-A1.CA": {"boxes": "self-repair"}},
    ]
    found = [*repairs_of(state, *orders)]
    unit(state, "A1.RS", rp_repair=0, rp_cargo=0, supply=0)
    compare(request, [*found, *repairs_of(state, {"repair-A1.CA": {"boxes": "self-repair 2"}})])


@pytest.mark.rule("pq17", "11.4.9.2.1", "11.4.9.9", "11.5.2", "11.5.3", "11.5.4", "11.5.5", "11.4.9.2.2")
def test_a_dock_that_repairs_and_refits(request: Request) -> None:
    """Twenty repair boxes on two units; 167 is before the year of the refit for its shields. A cruiser is at its
    refit already."""
    state = refitting("A9 0303 FRD base Dock known\nA1 0303 CA#2+DD[warp=14] logistics speed 0 port A9")
    one = unit(state, "A1.CA2")
    one.repairs = one.repairs.with_values(refit=RefitInHand(name="plus", points=130, turn=0))
    both = {"dock-A9.FRD": {"ships": ["A1.CA", "A1.CA2"]}, "repair-A1.DD": {"by": None, "boxes": None}}
    refit = both | {"repair-A1.CA": {"by": "A9.FRD", "refit": "plus", "most": 1}}
    share = {
        "dock-A9.FRD": {"ships": ["A1.CA2", "A1.DD"]},
        "repair-A1.CA2": {"by": "A9.FRD", "refit": "plus", "most": 12},
    }
    compare(request, list(repairs_of(state, refit, share)))


@pytest.mark.rule("pq17", "11.4.9.9", "11.4.9.2.3")
def test_a_repair_ship_repairs_itself(request: Request) -> None:
    state = yard("A1 0405 RS[warp=7]+CB logistics speed 0")
    found = [*repairs_of(state)]
    order(state, "A1.RS", "A1.RS", "warp")
    found += done(state)
    state.task_forces["A1"].posture = state.task_forces["A1"].posture.with_values(logistics=False)
    compare(request, [*found, *done(state)])


# --- the end of a turn ------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "11.4.9.5", "11.4.9.6", "11.4.9.7", "11.4.10", "11.4.9.1", "SOP.2.c.i")
def test_a_cruiser_is_repaired_turn_by_turn(request: Request) -> None:
    """30 points a turn for hull at 5 and warp at 50, with two repair points: interrupted on impulse 2 a quarter is
    left, 7; on impulse 1 nothing. At last the cruiser leaves the task force."""
    state = yard("A1 0405 CA[warp=20]+RS logistics speed 0\nC1 0405 CA ID0")
    ship = state.units["A1.CA"]
    destroy(state, ship, "hull", 8)
    unit(state, "A1.RS", rp_repair=6, rp_cargo=0, supply=0)
    plan = docked(state, "A1.RS>A1.CA")
    order(state, "A1.CA", "A1.RS", *["hull"] * 4, *["warp"] * 6)
    found = [*done(state)]
    found += done(state)
    plan.interrupted = {"A1.CA": 2, "A1.RS": 2}
    found += done(state)
    plan.interrupted = {}
    plan.repairs = []
    order(state, "A1.CA", "A1.RS", "hull", "hull", "hull", "warp")
    found += done(state)
    found += done(state)
    plan.interrupted = {"A1.CA": 1, "A1.RS": 1}
    found += done(state)
    plan.interrupted = {}
    ship.repairs = ship.repairs.with_values(in_hand=BoxInHand(box="warp", points=1, turn=state.turn - 1))
    plan.repairs.clear()
    found += done(state)
    order(state, "A1.CA", "A1.RS", "warp")
    state.task_forces["A1"].posture = state.task_forces["A1"].posture.with_values(logistics=False)
    compare(request, [*found, *done(state)])


@pytest.mark.rule("pq17", "11.5.1", "11.5.4", "11.4.10", "11.4.9.6", "11.5.5.1", "11.5.5.2")
def test_a_refit_turn_by_turn(request: Request) -> None:
    """750 points for two batteries at 125 each and two phasers at 250: 20 a turn. After 120 points another 20 finish
    the first battery; 15 over. Interrupted on impulse 3, ten count, and what is begun is lost; so it is when the work
    does not go on."""
    state = refitting("A9 0303 FRD base Dock known\nA1 0303 CA logistics speed 0 port A9\nC1 0303 CA ID0")
    ship = state.units["A1.CA"]
    plan = docked(state, "A9.FRD>A1.CA", port="A9")
    order(state, "A1.CA", "A9.FRD", refit="plus")
    found = [*done(state)]
    ship.repairs = ship.repairs.with_values(refit=RefitInHand(name="plus", points=120, turn=1))
    found += done(state)
    plan.interrupted = {"A1.CA": 3, "A9.FRD": 3}
    found += done(state)
    plan.interrupted = {}
    found += done(state)
    plan.repairs = []
    found += done(state)
    found += done(state)
    order(state, "A1.CA", "A9.FRD", refit="plus")
    ship.repairs = ship.repairs.with_values(refit=RefitInHand(name="plus", points=735, turn=state.turn - 1))
    found += done(state)
    compare(request, [*found, *done(state)])


# --- the board --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "11.3.4", "11.4.9.6", "11.5.4", "1.8.12.8")
def test_what_a_side_sees_of_its_damage(request: Request) -> None:
    """A damaged cruiser with work in hand, one at its refit, a base that is not active yet, and a ship in order, of
    which nothing is said."""
    state = refitting("A9 0303 BATS base Haven known\nA1 0405 CA#2[warp=28]+DD logistics speed 0")
    first = unit(state, "A1.CA", self_repairs_left=3)
    first.repairs = first.repairs.with_values(in_hand=BoxInHand(box="warp", points=10, turn=0))
    for box in ("damcon", "het", "shield-2", "shield-2"):
        destroy(state, state.units["A1.CA"], box)
    second = unit(state, "A1.CA2", warp=30)
    second.repairs = second.repairs.with_values(refit=RefitInHand(name="plus", points=1, turn=0))
    state.units["A9.BATS"].repairs = state.units["A9.BATS"].repairs.with_values(inactive=True)
    panels = side_board(state, "alliance", Knowledge()).panels
    compare(request, [row for one in panels if "Cost" in " ".join(one.rows) for row in (one.title, *one.rows)])


# --- after a battle ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "11.4.1", "11.4.5", "11.4.5.3", "11.4.6", "11.4.7", "11.4.7.1", "11.4.7.2", "11.3.2")
def test_repairs_in_and_after_a_battle(request: Request) -> None:
    """The cruiser has five self-repairs left, eight repair points in its track and two of supply; its best DAMCON box
    is a 4. The destroyer, whose best is a 2, lost a shield too and has no repair point, and may mend nothing but
    that."""
    state = yard("A1 0405 CA[warp=28]+DD speed 2")
    ship = unit(state, "A1.CA", self_repairs_left=5, supply=2)
    for box, count in {"hull": 2, "excess": 1, "het": 1, "shield-2": 3}.items():
        destroy(state, ship, box, count)
    other = unit(state, "A1.DD", rp_damcon=0)
    found = [*sheet(Form(lines=(Line(key="AT1", label="CA", fields=tuple(self_repair.result_fields(state, ship))),)))]
    found += sheet(Form(lines=(Line(key="AT2", label="DD", fields=tuple(self_repair.result_fields(state, other))),)))
    found += sheet(Form(lines=tuple(self_repair.mend_lines(state, ["A1.CA"]))))
    at = table(state)
    self_repair.mend(at, ship, self_repair.MendFields(boxes="hull 2, excess, het", shields=True))
    self_repair.mend(at, ship, self_repair.MendFields(boxes="warp", shields=False))
    destroy(state, other, "shield-1", 5)
    self_repair.mend(at, other, self_repair.MendFields(boxes="", shields=True))
    self_repair.mend(at, other, self_repair.MendFields())
    found += [*spell_reports(at.shared.reports), self_repair.say_mend(other, self_repair.MendFields())]
    compare(request, found)


# --- refusals of repairs ----------------------------------------------------------------------------------------------
# why a repair is refused, on the logistics sheet, on the form of a battle's result and after a battle: whole
# refusals.
# The cruiser's record: thirty warp boxes, four AWR, twelve of hull, four of excess damage, one HET bonus box, shields
# of twenty, a DAMCON track of 4, 2, 2, 0. Costs as in yards.COSTS, times five.
BATTERIES = Refit(name="plus", year=165, bpv=Fraction(8), boxes_added={"battery": 2})
DUEL = "A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0"
WON: dict[str, Any] = {"battle": {"winner": "alliance", "turns": 4}, "DF1": {"fate": "destroyed"}}


def refusals_of(state: State, sheet: dict[str, Any]) -> list[str]:
    """What the Alliance's logistics sheet is refused for."""
    (ask,) = asks_of(logistics_steps(table(state)))
    with pytest.raises(Refused) as caught:
        ask.answer_from(sheet)
    return [str(one) for one in caught.value.refusals]


# --- the logistics sheet ----------------------------------------------------------------------------------------------
@cases("line, said", "")
def test_repairs_that_are_refused(line: dict[str, Any], said: str) -> None:
    """Lost are two hull boxes, one of excess damage, the bonus, ten warp boxes and two self-repairs."""
    state = yard("A1 0405 CA[warp=20]+RS+CB logistics speed 0")
    ship = unit(state, "A1.CA", self_repairs_left=6)
    for box in ("hull", "hull", "excess", "het"):
        destroy(state, ship, box)
    assert refusals_of(state, {"repair-A1.CA": line}) == [f"repair-A1.CA.{said}"]


@cases("text, groups, orders, said", "")
def test_repair_boxes_that_are_elsewhere(text: str, groups: list[str], orders: list[Any], said: str) -> None:
    state = yard(text)
    if "A1.RP" in state.units:
        state.units["A1.RP"].carried_by = "A1.TG"
    plan = docked(state, *groups, port="A9" if "A9" in text else "")
    for ship, host in orders:
        order(state, ship, host, "warp")
    (found,) = repair_refusals(state, plan)
    assert str(found) == f"repair-A1.CA.by: {said}"


@pytest.mark.rule("pq17", "11.4.9.2.6")
def test_a_tender_that_works_on_one_patrol_ship_is_refused_for_another() -> None:
    state = yard("A1 0405 PT+PF#2[warp=1] logistics speed 0")
    for boat in ("A1.PF", "A1.PF2"):
        state.units[boat].carried_by = "A1.PT"
    plan = docked(state, "A1.PT>>A1.PF+A1.PF2")
    for boat in ("A1.PF", "A1.PF2"):
        order(state, boat, "A1.PT", "warp")
    (found,) = repair_refusals(state, plan)
    assert str(found) == "repair-A1.PF2.by: A1.PT works on others already (PQ-17 11.4.9.2.6). Legal: another."


@cases("refits, by, refit, said", "", made="refits")
def test_refits_that_are_refused(refits: tuple[Refit, ...], by: str, refit: str, said: list[str]) -> None:
    """The campaign's year is 167."""
    state = yard("A9 0303 FRD base Dock known\nA1 0303 CA+RS logistics speed 0 port A9")
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": refits})
    plan = docked(state, f"{by}>A1.CA", port="A9")
    order(state, "A1.CA", by, refit=refit)
    assert [str(one) for one in repair_refusals(state, plan)] == [f"repair-A1.CA.{one}" for one in said]


# --- the result of a battle -------------------------------------------------------------------------------------------
@cases("line, said", "")
def test_accounts_of_repairs_that_are_refused(line: dict[str, Any], said: str) -> None:
    """Before the battle ten warp boxes and two hull boxes are destroyed, and three supply points are aboard."""
    state = yard(DUEL)
    destroy(state, unit(state, "A1.CA", warp=20, supply=3), "hull", 2)
    ask = Fight(state).result_ask()
    with pytest.raises(Refused) as caught:
        ask.answer_from(WON | {"AT1": {"fate": "ok", **line}})
    assert [str(one) for one in caught.value.refusals] == [f"AT1{said}"]


@cases("line, said", made="line")
def test_what_changed_is_said_of_damage_and_repairs(line: self_repair.RepairFields, said: list[str]) -> None:
    assert self_repair.say_repairs(line, yard(DUEL).units["A1.CA"]) == said


# --- after a battle ---------------------------------------------------------------------------------------------------
@cases("boxes, said", "")
def test_self_repairs_that_are_refused(boxes: str, said: str) -> None:
    state = yard(DUEL)
    ship = unit(state, "A1.CA", warp=10)
    for box, count in {"hull": 2, "excess": 1, "het": 1, "shield-1": 3}.items():
        destroy(state, ship, box, count)
    found = self_repair.check_mend(state, ship, self_repair.MendFields(boxes=boxes), "repair A1.CA")
    assert [str(one) for one in found] == [f"repair A1.CA.{said}"]


@pytest.mark.rule("pq17", "11.4.7.1", "11.4.7.2")
def test_self_repairs_with_nothing_left_for_them(kept: Kept) -> None:
    """One self-repair and one repair point of its own, with one of supply; the DAMCON box left is a zero. The hull box
    is repaired first, and then nothing but a shield is left."""
    state = yard(DUEL)
    ship = unit(state, "A1.CA", self_repairs_left=1, rp_damcon=1, supply=1, damcon_track=[0])
    state.classes["CA"] = state.classes["CA"].model_copy(update={"damcon_track": (0,)})
    for box in ("hull", "shield-1"):
        destroy(state, ship, box)
    found = self_repair.check_mend(state, ship, self_repair.MendFields(boxes="hull, awr", shields=True), "repair A1.CA")
    assert [str(one) for one in found] == kept()


# --- files and records ------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "11.4.9.3")
def test_tables_of_costs_that_are_refused(kept: Kept) -> None:
    _, wrong = costs.read_repair_table({"repair.toml": "[cost]\nshield-2 = 2\nWarp = 3\nself-repair = 9\nppt = 1"})
    assert [str(one) for one in wrong] == kept()
    _, wrong = costs.read_repair_table({"repair.toml": "[cost"})
    found = [str(one) for one in wrong]
    assert found == [
        "repair.toml: this is not TOML: Expected ']' at the end of a table declaration (at end of document)"
    ]


@pytest.mark.rule("pq17", "9.8", "11.3.2")
def test_records_that_cannot_be(kept: Kept) -> None:
    """Thirty warp boxes, twelve of hull, four DAMCON boxes; a track of five sums up to nine self-repairs."""
    state = yard(DUEL)
    ship = unit(state, "A1.CA", warp=31, self_repairs_left=10, damcon_track=[4, 2, 2, 1, 0])
    ship.repairs = ship.repairs.with_values(damage={"hull": 13})
    assert list(damage_shown.repair_defects(state, ship)) == kept()
    assert ship.repairs.refit is None
    ship.repairs = ship.repairs.with_values(refit=RefitInHand(name="plus", points=1, turn=0))
    assert len(list(damage_shown.repair_defects(state, ship))) == 4
