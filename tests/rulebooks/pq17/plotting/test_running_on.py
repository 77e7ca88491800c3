"""Running on: turns go by on stored plans until something needs a side; patrols, and what the other side learns."""

from typing import Any

import pytest

from rules_engine.core.basics import base, refusals
from rules_engine.core.forms.routes import PlottedRoute
from rules_engine.core.knowledge.views import STANDING_ORDERS
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import OpenAsk, Transition
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanSheet
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting import planning_sheet, running_on
from rules_engine.rulebooks.pq17.plotting.planning_sheet import carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.plotting.routes import say_route, stored_route
from rules_engine.rulebooks.pq17.records.forces import PORT
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import Kept, cases
from tests.form_documents import form_document
from tests.rulebooks.pq17.playing.officers import AT, SEED, intro
from tests.rulebooks.pq17.worlds.notation import table, told, world


class Game:
    """A campaign of the introductory scenario, of any length, with all its steps."""

    def __init__(self, turns: int = 40) -> None:
        document = intro()
        file = document["file"]
        assert isinstance(file, dict)
        scenario: dict[str, base.Json] = {**document, "file": {**file, "turns": turns}}
        self.adjudicator, step = Adjudicator.open(RULEBOOK, title="Run", scenario=scenario, seed=SEED, at=AT)
        self.steps: list[Transition] = [step]

    @property
    def state(self) -> State:
        return self.adjudicator._state

    def plan(self, side: str, /, **lines: dict[str, Any]) -> None:
        (ask,) = [one for one in self.adjudicator.asks_for(side) if one.kind == "planning"]
        sheet = ask.form.prefilled()
        for key, line in lines.items():
            sheet.setdefault(key, {}).update(line)
        self.steps.append(self.adjudicator.answer(side, ask.id, sheet, by=side, at=AT))

    def close(self) -> Transition:
        step = self.adjudicator.close("referee", by="test", at=AT)
        self.steps.append(step)
        return step

    def awaited(self) -> list[str]:
        return [f"{ask.kind}/{'+'.join(ask.parties)}" for ask in self.adjudicator.open_asks() if ask.awaited]

    def news(self, side: str, step: Transition, kind: str = "run") -> list[str]:
        return [report.text for report in step.reports if report.is_for(side) and report.kind == kind]


def test_turns_go_by_while_nobody_needs_anything() -> None:
    game = Game()
    for side in ("alliance", "coalition"):
        game.plan(side, side={"run": "on"})
    step = game.close()
    assert game.adjudicator.turn == 31  # the end of the period stops everybody
    assert game.awaited() == ["planning/alliance", "planning/coalition"]
    assert game.news("alliance", step) == ["You no longer run on: a new operational period begins."]
    assert step.snapshot.turn == 31
    assert game.adjudicator.defects() == []


def test_a_run_replays_to_the_same_state() -> None:
    game = Game()
    game.plan("alliance", side={"run": "5"}, A1={"speed": "1", "route": "loop 0404 0403"})
    game.plan("coalition", side={"run": "on"})
    game.close()
    entries = [step.entry for step in game.steps]
    assert replay(RULEBOOK, entries, SEED).digest() == game.adjudicator.digest()
    assert replay(RULEBOOK, entries, SEED, game.steps[-1].snapshot).digest() == game.adjudicator.digest()


def test_a_number_of_turns_is_kept() -> None:
    game = Game()
    game.plan("alliance", side={"run": "3"})
    game.plan("coalition", side={"run": "on"})
    step = game.close()
    assert game.adjudicator.turn == 4  # turns 1 to 3 went by
    assert game.awaited() == ["planning/alliance"]
    assert game.news("alliance", step) == ["You no longer run on: turn 4 has come."]
    assert game.news("coalition", step) == []


def test_who_runs_on_is_not_awaited_and_may_take_over_at_any_rest() -> None:
    game = Game()
    game.plan("alliance", side={"run": "2"})
    game.plan("coalition", side={"run": "on"})
    game.close()
    adjudicator = game.adjudicator
    assert [ask.kind for ask in adjudicator.asks_for("coalition")] == ["planning"]  # open, but nobody is called
    assert adjudicator.is_done("coalition")
    assert not adjudicator.is_done("alliance")
    game.plan("coalition", side={"run": "ask"})
    assert not adjudicator.is_done("coalition")  # who begins to answer is waited for
    adjudicator.ready("coalition", is_ready=True, by="coalition", at=AT)
    assert adjudicator.is_done("coalition")
    game.close()
    assert game.awaited() == ["planning/alliance", "planning/coalition"]


def test_a_sheet_left_alone_changes_nothing_of_a_run() -> None:
    game = Game()
    game.plan("alliance", side={"run": "ask"})
    game.plan("coalition", side={"run": "10", "stop": "contact id2; points"})
    game.close()
    before = game.state.doctrine["coalition"].run.copied()
    for _ in range(3):
        game.close()
    after = game.state.doctrine["coalition"].run
    assert (after.on, after.until, after.stops) == (before.on, before.until, before.stops) == (True, 11, before.stops)


def stopped(text: str, stop: str, **changes: Any) -> list[str]:
    """Run on from ``text`` with a stop condition, change the world, and see what stops the Alliance."""
    state = world(text)
    at = table(state)
    answers = {side: planning_ask(at, side).answer_from({}) for side in ("alliance", "coalition")}
    sheet = {"side": {"run": "on", "stop": stop}}
    answers["alliance"] = planning_ask(at, "alliance").answer_from(sheet)
    carry_out_plans(at, answers)
    state.turn += 1
    if "hex" in changes:
        state.set_hex(state.task_forces["A1"], changes["hex"])
    if "fuel" in changes:
        state.units["A1.CA"].fuel = changes["fuel"]
    if "level" in changes:
        state.task_forces["C1"].id_level = type(state.task_forces["C1"].id_level)(changes["level"])
        state.tracks["alliance"].issue("C1")
    if "route" in changes:
        state.task_forces["A1"].route = changes["route"]
    fresh = table(state)
    asked = running_on.sides_to_ask(fresh)
    said = told(fresh, "alliance")
    assert ("alliance" in asked) == bool(said)
    assert told(fresh, "coalition") == []
    return said


PAIR = "A1 0405 CA speed 2 route 0406,0407\nC1 0506 DD"


@cases("stop, changes, reason", "")
def test_stop_conditions(stop: str, changes: dict[str, Any], reason: str) -> None:
    assert stopped(PAIR, stop, **changes) == ([f"You no longer run on: {reason}."] if reason else [])


def test_a_contact_that_is_held_already_stops_nobody() -> None:
    held = "A1 0405 CA speed 2 route 0406,0407\nC1 0405 DD ID1"
    assert stopped(held, "contact") == []
    assert stopped(held, "contact id2", level=2) == ["You no longer run on: contact E1 is held at ID2."]


def test_a_contact_stops_the_run_and_asks_in_its_turn() -> None:
    """A cruiser's patrol meets an enemy that keeps station: asked on contact in the turn, for a plan in the next."""
    game = Game()
    state = game.state
    enemy = next(tf for tf in state.all_task_forces("coalition") if not tf.is_base)
    mine = state.task_forces["A1"]
    beside = sorted(state.grid.neighbours(enemy.hex))[0]
    way = f"to {beside} to {enemy.hex}"
    game.plan("alliance", side={"run": "on", "doctrine": "ask on contact"}, A1={"speed": "2", "route": way})
    game.plan("coalition", side={"run": "on", "doctrine": "ask on contact"})
    far = state.grid.distance(mine.hex, enemy.hex)
    game.close()
    assert game.state.task_forces["A1"].hex == enemy.hex
    assert game.adjudicator.turn == (far + 1) // 2  # two hexes a turn
    assert game.awaited() == ["contact/alliance", "contact/coalition"]
    step = game.close()
    while "planning/alliance" not in game.awaited():
        step = game.close()
    assert any("contact E" in text for text in game.news("alliance", step))


# --- patrols ----------------------------------------------------------------------------------------------------------
def planned(text: str, /, **lines: dict[str, Any]) -> tuple[State, AnyAsk]:
    state = world(text)
    at = table(state)
    answers = {one: planning_ask(at, one).answer_from({}) for one in ("alliance", "coalition")}
    answers["alliance"] = planning_ask(at, "alliance").answer_from(lines)
    carry_out_plans(at, answers)
    return state, planning_ask(at, "alliance")


@cases("route, steps, loop")
def test_routes_and_patrols_as_they_are_written(route: str, steps: list[str], loop: list[str]) -> None:
    state, ask = planned("A1 0405 CA\nC1 0608 CA", A1={"speed": "2", "route": route})
    force = state.task_forces["A1"]
    assert (force.route, force.loop) == (steps, loop)
    again = ask.answer_from(ask.form.prefilled())  # what stands can be handed in again
    carry_out_plans(table(state), {"alliance": again})
    force = state.task_forces["A1"]
    assert (force.route, force.loop) == (steps, loop)


@cases("route, says", "")
def test_patrols_that_cannot_be_flown_are_refused(route: str, says: str) -> None:
    ask = planning_ask(table(world("A1 0405 CA\nC1 0608 CA")), "alliance")
    (refusal,) = ask.check(ask.model.model_validate({"A1": {"speed": "2", "route": route}}))
    assert says in refusal.problem
    assert refusal.path == "A1.route"


def test_a_patrol_goes_on_turn_after_turn() -> None:
    game = Game()
    start = game.state.task_forces["A1"].hex
    beside = sorted(game.state.grid.neighbours(start))[0]
    game.plan("alliance", side={"run": "5"}, A1={"speed": "2", "route": f"loop {beside} {start}"})
    game.plan("coalition", side={"run": "on"})
    game.close()
    force = game.state.task_forces["A1"]
    assert game.adjudicator.turn == 6
    assert force.hex == start  # there and back in every turn
    assert force.loop == [beside, start]
    spent = [unit.power_boxes - unit.fuel for unit in game.state.units_of(force)]
    costs = [game.state.class_of(unit).move_cost for unit in game.state.units_of(force)]
    assert spent == [10 * cost for cost in costs]  # ten hexes at speed 2


@cases("steps, said")
def test_a_patrol_says_which_step_leads_into_port_and_which_out(steps: list[str], said: str) -> None:
    assert say_route(steps, [PORT, PORT], in_port=steps[0] == PORT) == said


@cases("route, steps")
def test_a_patrol_that_passes_a_hex_twice_goes_on_from_where_it_is(route: str, steps: list[str]) -> None:
    state = world(f"A1 0405 CA speed 2 route {route}")
    (tf,) = state.all_task_forces()
    tf.loop = ["0404", "0405", "0406", "0405", "0406", "0405"]
    assert stored_route(state, tf, Speed.CRUISE) == PlottedRoute(steps, tf.loop)


def test_a_patrol_that_was_drawn_away_goes_back() -> None:
    state, _ = planned("A1 0405 CA\nC1 0608 CA", A1={"speed": "2", "route": "loop 0404 0403 0404 0405"})
    state.set_hex(state.task_forces["A1"], "0402")
    ask = planning_ask(table(state), "alliance")
    for _ in range(2):  # what is remembered of a sheet with all lines does not stand for one without, nor the reverse
        assert [len(course.hexes) for course in ask.courses(PlanSheet({}))] == [4]  # 0402, then three steps back
        assert ask.default is not None
        assert [len(course.hexes) for course in ask.courses(ask.default)] == [8]  # the same and the whole patrol
    carry_out_plans(table(state), {"alliance": PlanSheet({})})  # as for a side that runs on and is not asked
    assert state.task_forces["A1"].route == ["0403", "0404", "0405"]
    assert state.task_forces["A1"].loop == ["0404", "0403", "0404", "0405"]


# --- orders through planning ------------------------------------------------------------------------------------------
def test_standing_orders_are_given_kept_and_taken_back_in_planning() -> None:
    text = "A1 0405 CA+DD\nC1 0608 CA"
    own, sides = "search; attack id2 x1.5", "ask on contact; withdraw"
    state, ask = planned(text, A1={"doctrine": own}, side={"doctrine": sides})
    assert ask.form.prefilled()["A1"]["doctrine"] == "search; attack id2 x1.5"
    assert ask.form.prefilled()["side"]["doctrine"] == "ask on contact; withdraw"
    said = ask.read_back(ask.default)
    assert said[0].startswith("All task forces: When a contact is made you are asked once")
    assert any("Attacks what it holds at ID2 or better" in line for line in said)
    carry_out_plans(table(state), {"alliance": ask.answer_from({"A1.DD": {"task_force": "A2"}})})
    assert state.task_forces["A2"].doctrine == state.task_forces["A1"].doctrine  # a part of it keeps its orders
    ask = planning_ask(table(state), "alliance")
    carry_out_plans(table(state), {"alliance": ask.answer_from({"A2": {"doctrine": "side"}})})
    assert state.task_forces["A2"].doctrine is None
    assert state.task_forces["A1"].doctrine is not None


@cases("line, field, text", "")
def test_orders_that_are_not_understood_are_refused_on_their_line(line: str, field: str, text: str) -> None:
    ask = planning_ask(table(world("A1 0405 CA\nC1 0608 CA")), "alliance")
    (refusal,) = ask.check(ask.model.model_validate({line: {field: text}}))
    assert refusal.path == f"{line}.{field}"


def test_words_that_say_nothing_are_refused_when_they_are_sent_and_played_back_as_they_were_taken() -> None:
    opened = OpenAsk(planning_ask(table(world("A1 0405 CA\nC1 0608 CA")), "alliance"))
    for line in ("A1", "side"):
        sheet = {line: {"doctrine": "attack at once"}}
        with pytest.raises(refusals.Refused) as refused:
            opened.judge_sent(sheet)
        told = f"{line}.doctrine: “at”, “once” say nothing in “attack at once”. Legal: attack id0."
        assert str(refused.value) == told
        assert opened.judge(sheet).root[line].doctrine == "attack at once"
    assert opened.judge_sent({"side": {"doctrine": "attack id0"}}) is not None


def test_a_journal_of_an_earlier_version_with_such_words_plays_back(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(turns=2)
    with monkeypatch.context() as former:
        former.setattr(planning_sheet, "idle_words", lambda *_, **__: [])
        game.plan("alliance", side={"doctrine": "attack at once"})
    with pytest.raises(refusals.Refused):
        game.plan("alliance", side={"doctrine": "withdraw at once"})
    again = replay(RULEBOOK, [step.entry for step in game.steps], SEED)
    (ask,) = [one for one in again.asks_for("alliance") if one.kind == "planning"]
    assert again.saved("alliance", ask.id).root["side"].doctrine == "attack at once"


# --- what the other side learns ---------------------------------------------------------------------------------------
@cases("others")
@pytest.mark.unseen("pq17", reports=("run", "initiative"), asks=("planning",))
def test_how_the_other_side_runs_on_is_seen_by_nothing_but_time(others: dict[str, Any]) -> None:
    def seen(line: dict[str, Any]) -> list[object]:
        game = Game()
        game.plan("alliance", side={"run": "5"})
        game.plan("coalition", side=line)
        game.close()
        while "planning/alliance" not in game.awaited():
            game.close()
        assert game.adjudicator.turn > 1, "no turn went by"
        reports = [
            (report.when.turn, report.kind, report.text)
            for step in game.steps
            for report in step.reports
            if report.is_for("alliance")
        ]
        (ask,) = game.adjudicator.asks_for("alliance")
        board = game.adjudicator.view("alliance").model_dump(mode="json")
        return [reports, ask.id, ask.title, ask.text, form_document(ask.form), board]

    assert seen(others) == seen({"run": "on"})


def test_a_side_reads_its_own_standing_orders_back_and_nobody_elses(kept: Kept) -> None:
    state = world("A1 0405 CA\nC1 0405 DD U")
    state.doctrine["alliance"].orders = read_orders("ask on contact; withdraw", "")[0]
    state.task_forces["A1"].doctrine = read_orders("attack id2", "")[0]
    at = table(state)
    mine = RULEBOOK.side_board(state, "alliance", at.knowledge("alliance")).panel(STANDING_ORDERS)
    theirs = RULEBOOK.side_board(state, "coalition", at.knowledge("coalition")).panel(STANDING_ORDERS)
    assert mine.rows[0].startswith("All task forces: When a contact is made you are asked once, on one sheet. Asks")
    assert mine.rows[1:] == kept()
    assert theirs.rows[0].startswith("All task forces: You are asked at every step")
    assert len(theirs.rows) == 2
