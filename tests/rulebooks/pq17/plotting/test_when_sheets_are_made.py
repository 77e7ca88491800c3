"""When a planning sheet is worked out: its values as it is opened, its looks at the first look, each draft once."""

from typing import Any

import pytest

from rules_engine.core.running.replay import replay
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanSheet
from rules_engine.rulebooks.pq17.plotting import planning_drafts, planning_sheet
from rules_engine.rulebooks.pq17.plotting.planning_drafts import SideDrafts
from rules_engine.rulebooks.pq17.plotting.planning_sheet import carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.records.forces import TowGroup
from tests.rulebooks.pq17.playing.chooser import AT, SEED
from tests.rulebooks.pq17.plotting.test_running_on import Game
from tests.rulebooks.pq17.worlds.notation import table, world

FLEET = "A1 0405 CA+DD\nA2 0405 FF+FF\nA3 0505 CL\nC1 0607 CA"


@pytest.fixture
def shaped(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the task forces that are drafted, as often as they are."""
    ids: list[str] = []
    shape = planning_drafts._shape

    def counted(state: Any, force: Any, line: Any, orders: Any) -> Any:
        ids.append(force.id)
        return shape(state, force, line, orders)

    monkeypatch.setattr(planning_drafts, "_shape", counted)
    return ids


def test_a_form_that_nobody_looks_at_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, silent = Game(turns=3), Game(turns=3)
    looked.plan("alliance", side={"ask": "always"})

    def forbid(*_: object) -> None:
        raise AssertionError("nobody looks")

    monkeypatch.setattr(planning_sheet, "planning_form", forbid)
    again = replay(RULEBOOK, [step.entry for step in looked.steps], SEED)
    assert again.digest() == looked.adjudicator.digest()
    silent.close()
    assert {"T1/planning/planning/alliance", "T1/planning/planning/coalition"} <= set(silent.steps[-1].closed)


def test_what_is_filled_in_is_what_a_silent_side_gets() -> None:
    ask = planning_ask(table(world(FLEET)), "alliance")
    assert ask.default == PlanSheet.model_validate(ask.form.prefilled())
    assert list(ask.default.root) == [line.key for line in ask.form.lines]
    for line in ask.form.lines:
        assert ask.default.root[line.key].model_fields_set == line.filled_in().keys()


def test_a_correction_changes_what_is_shown_and_not_what_a_silent_side_gets() -> None:
    """Nor does it matter whether anybody had looked: a replay, in which nobody does, comes out the same."""
    ends: set[str] = set()
    for has_looked in (True, False):
        game = Game(turns=3)
        (ask,) = [one for one in game.adjudicator.asks_for("alliance") if one.kind == "planning"]
        unit_id = next(unit for tf in game.state.all_task_forces("alliance") if not tf.is_base for unit in tf.units)
        tf = game.state.tf_of(unit_id)
        before = ask.default
        if has_looked:
            assert "Least fuel of a ship: 1/2" not in ask.form.by_key[tf.id].note
        game.steps.append(game.adjudicator.edit(f"units.{unit_id}.fuel", "1/2", by="ref", reason="x", at=AT))
        assert "Least fuel of a ship: 1/2" in ask.form.by_key[tf.id].note
        assert ask.default is before
        assert ask.form.prefilled().keys() == before.root.keys()
        game.close()
        assert replay(RULEBOOK, [step.entry for step in game.steps], SEED).digest() == game.adjudicator.digest()
        ends.add(game.adjudicator.digest())
    assert len(ends) == 1


def test_a_changed_line_drafts_its_own_task_force_alone(shaped: list[str]) -> None:
    ask = planning_ask(table(world(FLEET)), "alliance")
    assert sorted(shaped) == ["A1", "A2", "A3"]
    ask.answer_from({})
    shaped.clear()
    for _ in range(2):
        answer = ask.answer_from({"A2": {"speed": "1", "route": "0406"}})
        assert (len(ask.read_back(answer)), len(ask.courses(answer))) == (3, 1)
    assert shaped == ["A2"]
    shaped.clear()
    ask.answer_from({"A1.DD": {"task_force": "A2"}})
    assert shaped == ["A1", "A2"], "ships change two task forces"
    ask.forget()
    shaped.clear()
    ask.answer_from({})
    assert sorted(shaped) == ["A1", "A2", "A3"], "the state was changed"


def test_a_sheet_sent_back_as_it_is_shown_drafts_nothing_again(shaped: list[str]) -> None:
    ask = planning_ask(table(world(FLEET)), "alliance")
    shaped.clear()
    for sheet in ({}, ask.form.prefilled(), {"A2": ask.form.filled_in("A2")}):
        answer = ask.answer_from(sheet)
        assert (len(ask.read_back(answer)), ask.courses(answer)) == (3, [])
    assert shaped == []


def test_only_what_reading_judges_anew_is_drafted_when_a_sheet_is_sent_back(shaped: list[str]) -> None:
    """A patrol may have been drawn off, and towing and shadowing may no longer go on."""
    state = world(f"{FLEET}\nA4 0507 CA\nA5 0707 CA+DD\nA6 0607 CL\nA7 0407 CA")
    state.task_forces["A4"].route = state.task_forces["A4"].loop = ["0407", "0507"]
    state.task_forces["A5"].tows = [TowGroup(tower="A5.CA", towed=["A5.DD"])]
    state.set_target(state.task_forces["A6"], "C1")
    state.task_forces["A7"].route = ["0408"]
    ask = planning_ask(table(state), "alliance")
    shaped.clear()
    for sheet in ({}, ask.form.prefilled()):
        ask.answer_from(sheet)
    assert sorted(shaped) == ["A4", "A5", "A6"]


def test_plans_are_carried_out_as_they_were_judged(shaped: list[str]) -> None:
    state = world(FLEET)
    at, drafts = table(state), SideDrafts(state, "alliance")
    ask = planning_ask(at, "alliance", drafts)
    answer = ask.answer_from({"A2": {"speed": "1", "route": "0406"}})
    shaped.clear()
    carry_out_plans(at, {"alliance": answer}, {"alliance": drafts})
    assert (shaped, state.task_forces["A2"].route) == ([], ["0406"])


def test_figures_that_come_into_force_are_drafted_with(shaped: list[str]) -> None:
    state = world(FLEET)
    at, drafts = table(state), SideDrafts(state, "alliance")
    ask = planning_ask(at, "alliance", drafts)
    answer = ask.answer_from({"A3.CL": {"practical_speed": 1}})
    shaped.clear()
    carry_out_plans(at, {"alliance": answer}, {"alliance": drafts})
    assert (sorted(shaped), state.units["A3.CL"].practical_speed) == (["A1", "A2", "A3"], 1)


def test_only_so_many_wordings_are_kept(monkeypatch: pytest.MonkeyPatch, shaped: list[str]) -> None:
    monkeypatch.setattr(planning_drafts, "MOST_WORDINGS", 3)
    ask = planning_ask(table(world(FLEET)), "alliance")
    for number in range(10):
        ask.answer_from({"A1": {"name": f"Wing {number}"}})
    shaped.clear()
    ask.answer_from({"A1": {"name": "Wing 9"}})
    assert shaped == []
    ask.answer_from({"A1": {"name": "Wing 0"}})
    assert shaped == ["A1"]
