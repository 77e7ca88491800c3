"""What others learn of convoys: what they meet, scan or spy out, no more. Worlds with and without one look alike."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch08_scanning.phase import scanning_phase
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.sequence import impulse_steps, turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, sees, table_of, world

BASE = """
turn 0
planet capital 0902 lyran den
planet minor 0803 lyran post
planet capital 0205 hydran throne
hydran F1 0205 SC
lyran F1 0902 CC
lyran base 0902 Lair
klingon F1 0504 CW
nebula 0903
reserve hydran 100
"""
WAITING = f"{BASE}lyran waits 0902 FL+FL+QL\n"


def whole_turn(text: str, sheet: Mapping[str, Any] | None = None, **answers: Any) -> Run:
    turn = table_of(world(text), {"nebula": [3, 5], "mission": [1] * 9})
    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    return Run(turn, turn_steps(turn), {**scripted, ("turn", "lyran"): sheet or {}})


def alike(one: Run, other: Run, *sides: str) -> None:
    for side in sides:
        assert sees(one.table, one.asks, side) == sees(other.table, other.asks, side)
    # Who is asked what, and when, is the same for everybody; so are the maps that are sent.
    assert [(ask.kind, ask.parties) for ask in one.asks] == [(ask.kind, ask.parties) for ask in other.asks]


@pytest.mark.rule("cutler", "2.7", "2.7.2")
@cases("sheet")
def test_a_convoy_that_nobody_meets_is_seen_by_nobody(sheet: Mapping[str, Any]) -> None:
    sailed = whole_turn(WAITING, sheet)
    assert sailed.table.state.convoys or "Arrived" in sailed.texts("lyran")
    alike(whole_turn(BASE), sailed, "hydran", "klingon")
    assert sees(sailed.table, sailed.asks, "lyran") != sees(*_parts(whole_turn(WAITING)), "lyran")


def _parts(run: Run) -> tuple[Any, Any]:
    return run.table, run.asks


@pytest.mark.rule("cutler", "2.7")
def test_its_arrival_its_q_ships_turning_back_and_a_member_left_behind_are_seen_by_nobody() -> None:
    turn0 = BASE.replace("turn 0", "turn 1")
    runs: list[Run] = []
    for text in (turn0, f"{turn0}lyran V1 0804 FL[warp=0,imp=0]+FL+QL+QS course 0803\n"):
        turn = table_of(world(text))
        runs.append(Run(turn, impulse_steps(turn, 2)))
    assert "Left behind" in runs[1].texts("lyran")
    assert "returns to 0804" in runs[1].texts("lyran")
    assert "Arrived in 0803" in runs[1].texts("lyran")
    alike(runs[0], runs[1], "hydran", "klingon")


@pytest.mark.rule("cutler", "2.7")
@pytest.mark.parametrize("more", ["lyran waits 0902 FL", "lyran V1 0902 FL+FS course 0903 0904"])
def test_freighters_do_not_decide_whether_a_race_is_asked_to_plot(more: str) -> None:
    # A monitor has no move in impulse 2, freighters have; that a race was asked is seen from the time.
    text = BASE.replace("turn 0", "turn 1 impulse 2").replace("lyran F1 0902 CC", "lyran F1 0902 MON")
    runs: list[Run] = []
    for one in (text, f"{text}{more}\n"):
        state = world(one)
        state.empires["lyran"].alerts = ["something befell you"]
        turn = table_of(state)
        runs.append(Run(turn, impulse_steps(turn, 2)))
    assert runs[0].asks == []
    alike(runs[0], runs[1], "hydran", "klingon")


# --- meetings --------------------------------------------------------------------------------------------------------

MEET = "turn 1 impulse 2\nhydran F1 0404 CA\nlyran V1 0404 {ships} course 0405\nklingon F1 0908 CW\n"


def meeting(ships: str, **cards: str) -> Run:
    turn = table_of(world(MEET.format(ships=ships)))
    answers = {("card", race): {"force": {"card": card}} for race, card in cards.items()}
    return Run(turn, combat_phase_steps(turn.at("combat")), answers)


@pytest.mark.rule("cutler", "2.7.1", "3.1.3")
def test_a_convoy_that_meets_others_is_announced_and_met_like_anybody(kept: Kept) -> None:
    run = meeting("FL+FL+QL")
    assert run.texts("hydran").splitlines()[:2] == kept()
    assert [ask.kind for ask in run.asked("lyran")] == ["card"]
    assert run.texts("klingon") == ""
    assert "The battle in 0404" in meeting("FL+FL+QL", hydran="combat").texts("lyran")


@pytest.mark.rule("cutler", "2.7.1")
def test_a_convoy_that_meets_one_race_is_unseen_by_all_others() -> None:
    text = WAITING.replace("klingon F1 0504 CW", "klingon F1 0802 CW")
    away, met = whole_turn(text), whole_turn(text, {"E0902": {"to": "0803", "course": "0802"}})
    assert "announces a convoy in 0802" in met.texts("klingon")
    assert sees(away.table, away.asks, "hydran") == sees(met.table, met.asks, "hydran")


@pytest.mark.rule("cutler", "2.7.1", "3.1.3")
def test_q_ships_look_like_freighters_also_when_they_run() -> None:
    alike(meeting("FL+FL+FL"), meeting("FL+FL+QL"), "hydran", "klingon")
    runs: list[Run] = []
    for ships in ("FL+FL", "FL+QL"):
        turn = table_of(world(MEET.format(ships=ships)))
        away = {"wave": {"ships": [key for key in turn.state.units if key.startswith("lyran")]}}
        answers = {("card", "hydran"): {"force": {"card": "combat"}}, ("wave", "lyran"): away}
        runs.append(Run(turn, combat_phase_steps(turn.at("combat")), answers))
    assert "Escape wave 1 in 0404: 2 Lyran units (size 4: freighter ×2)" in runs[0].texts("hydran")
    alike(runs[0], runs[1], "hydran", "klingon")


@pytest.mark.rule("cutler", "2.7.1")
def test_two_convoys_meet_each_other() -> None:
    turn = table_of(world("turn 1 impulse 2\nhydran V1 0404 FL course 0405\nlyran V1 0404 FL course 0403"))
    run = Run(turn, combat_phase_steps(turn))
    assert [ask.parties for ask in run.asks] == [("hydran",), ("lyran",)]
    assert "The Hydran announces a convoy in 0404." in run.texts("lyran")


# --- scans and missions ----------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.7", "8.9")
@pytest.mark.parametrize("moves", [True, False])
def test_what_was_scanned_is_held_until_the_next_movement_whether_or_not_it_moves(moves: bool) -> None:
    text = "turn 1 impulse 1\nhydran F1 0304 SC\nlyran F1 1109 CC\n"
    text += "lyran V1 0404 FL+QL course 0405 0406" if moves else "lyran waits 0404 FL+QL"
    state = world(text)
    state.fleet("hydran", "F1").scans = ["0404"]
    turn = table_of(state, {"scan of": [2]})
    scanning_phase(turn)
    contact = turn.knowledge("hydran").contacts["C1"]
    assert (contact.form, contact.latest.headline, contact.live) == ("convoy", "2 Lyran units", True)
    state.fleet("hydran", "F1").scans = []
    Run(turn, impulse_steps(turn, 2))
    assert state.units[f"lyran-{'V1' if moves else 'waits'}-FL"].hex == ("0405" if moves else "0404")
    assert turn.shared.reports[-1].text == "May have sailed on from where it was seen: C1."
    assert (contact.live, contact.latest.hex) == (False, "0404")


@pytest.mark.rule("cutler", "2.7")
def test_who_shares_the_hex_of_waiting_freighters_holds_them() -> None:
    turn = table_of(world("turn 1 impulse 1\nhydran F1 0404 CA\nlyran waits 0404 FL\nlyran police 0404"))
    Run(turn, combat_phase_steps(turn))
    tacintel.fade_convoys(turn)
    assert {one.form: one.live for one in turn.knowledge("hydran").contacts.values()} == {"base": True, "convoy": True}


@pytest.mark.rule("cutler", "6.4.1.3", "6.4.1.6", "6.4.1.4")
def test_missions_find_convoys_and_show_no_more_of_their_plot_than_impulse_1() -> None:
    def mission(kind: str) -> dict[str, Any]:
        return {"kind": kind, "against": "lyran", "other": "0902", "ip": 30}

    spy = {"M1": mission("movement"), "M2": mission("location"), "M3": mission("ship")}
    sheet = {"E0902": {"to": "0803"}}
    alone = WAITING.replace("lyran F1 0902 CC\n", "lyran F1 1109 CC\n")
    run = whole_turn(alone, sheet, turn_hydran={**spy, "economy": {"reserve": 0}})
    found = run.texts("hydran")
    # No freighter has a move in impulse 1: the chart gives a speed of 3 the impulses 2, 4 and 6.
    assert "in impulse 1, freighter, freighter, freighter stay." in found
    assert "4 Lyran units (size 1: base; size 4: freighter ×3)." in found
    assert "no ship of theirs in 0902" in found  # a random ship is never a freighter or a base
    assert "0803" not in found.replace("Post, 0803", "")
