"""Tracked battles: for every kind of report and ask, worlds that must look alike to a party do, over time."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rules_engine.core.basics.base import Side
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.running.moments import flown_battle
from rules_engine.core.tactics.battles import FlightRecord, TacticalBattle
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.core import small_rulebook
from tests.core.small_rulebook import BLUE, RED, SEED, Picks
from tests.core.tracking.test_tracked_battles import AT, Table, begun
from tests.rulebooks.vector.battles.tracked import CRUISER, NORTH, SOUTH, Tracked, approach, ship

Sheets = dict[tuple[str, str], Sequence[str]]
Change = Callable[[TacticalBattle], TacticalBattle]


def unseen_by(side: str, *games: Tracked) -> None:
    """Every battle looks the same to this party, and something in them does differ."""
    first, *others = games
    for game in others:
        assert first.seen_by(side) == game.seen_by(side)
        other = SOUTH if side == NORTH else NORTH
        assert first.seen_by(other) != game.seen_by(other) or first.rests != game.rests


def played(turns: int, sheets: Sheets | None = None, **values: Any) -> Tracked:
    """So many turns of the two forces."""
    return Tracked(approach(**values), sheets).until(turns)


def with_ship(code: str, **values: Any) -> dict[str, Any]:
    """The battle with other values of one ship, and a flank to come."""
    ships = approach(flank=5).ships
    return {"flank": 5, "ships": tuple(one.with_values(**values) if one.code == code else one for one in ships)}


@pytest.mark.unseen("vector", reports=("set-up", "turn", "flight"), asks=("set-up", "plot"))
def test_a_flank_does_not_exist_before_it_arrives() -> None:
    """Over time, in texts, boards, counts and forms: with a flank on turn 5, on turn 9, another one, and with none."""
    games = played(4), played(4, flank=5), played(4, flank=9), played(4, **with_ship("S9", name="Another"))
    unseen_by(NORTH, *games)
    for game in games:
        assert "S9" not in game.seen_by(NORTH)
        assert TRACKER.tally(game.state).ship("S9") is None
    assert "S9" in games[1].seen_by(SOUTH)


def test_nobody_can_name_a_flank_before_it_arrives() -> None:
    """What is typed about a unit that is to come is refused as what is typed about none."""
    refused: list[list[str]] = []
    for flank in (0, 5):
        plot = next(ask for ask in played(1, flank=flank).asked_now() if ask.parties == (NORTH,))
        sheets: tuple[Sheet, ...] = (
            {"N1": {"plot": "when S9 within 3: turn towards"}},
            {"N1": {"plot": "turn towards S9 on 1"}},
            {"N1": {"report": "tractor S9"}},
            {"N1": {"report": "S9 destroyed"}},
            {"S9": {"plot": "accelerate 1 on 1"}},
        )
        refused.append([str(one) for sheet in sheets for one in plot.refusals_of(sheet)])
    assert len(refused[0]) == 5
    assert refused[0] == refused[1]


@pytest.mark.unseen("vector", reports=("arrival",), asks=("set-up",))
def test_of_who_arrives_what_shows_is_told_and_no_more() -> None:
    weaker = CRUISER.with_values(warp=20, reserve=3, total_power=25, turn_mode="F")
    games = played(5, **with_ship("S9")), played(5, **with_ship("S9", flight=weaker))
    assert games[0].told(NORTH, "arrival")
    unseen_by(NORTH, *games)


@pytest.mark.unseen("vector", asks=("set-up",))
def test_a_set_up_is_unseen_until_the_step_is_in() -> None:
    """Also what a side had typed, and what its conditions are for units that are to come."""
    one, other = (
        Tracked(approach(), {(NORTH, "set-up"): [f"N1: at {at}; facing A\nN2: at 5151"]}) for at in ("5050", "5252")
    )
    for game in (one, other):
        game.rest()
    assert one.looks[SOUTH][0] == other.looks[SOUTH][0]
    assert one.looks[SOUTH][-1] != other.looks[SOUTH][-1]
    assert "N1" not in one.looks[SOUTH][0]


@pytest.mark.unseen("vector", reports=("flight", "own flight"), asks=("plot",))
def test_plots_of_others_are_unseen_and_their_figures_too() -> None:
    invented = FlightRecord(size_class=3)
    games = (
        played(2),
        played(2, {(SOUTH, "plot"): ["S1: plot energy 8+0", "S1: plot when nearest enemy within 1: turn left"]}),
        played(2, {(SOUTH, "plot"): ["S1: plot stop on 3"]}),
        played(2, ships=tuple(one if one.side == NORTH else ship_like(one.code, invented) for one in approach().ships)),
    )
    unseen_by(NORTH, *games)


def ship_like(code: str, flight: FlightRecord) -> Any:
    """A ship of the battle with other figures."""
    return ship(code, flight=flight, least_speed=8, most_speed=8)


@pytest.mark.unseen("vector", reports=("battle over",), asks=("battle over",))
def test_who_is_to_come_shows_in_no_question_whether_it_is_over() -> None:
    """The South has lost all that is there: whether a flank of its own is to come, nobody else can tell."""

    def ended(*, flank: int, goes_on: bool) -> Tracked:
        game = played(1, flank=flank)
        game.sheets[SOUTH, "plot"] = ["S1: report destroyed\nS2: report destroyed"]
        game.sheets[SOUTH, "battle over"] = ["battle: goes_on yes"] if goes_on else []
        return game.play(3)

    for goes_on in (False, True):
        one, other = ended(flank=0, goes_on=goes_on), ended(flank=5, goes_on=goes_on)
        assert one.count["battle over"] == 2
        assert one.told(NORTH, "battle over")
        unseen_by(NORTH, one, other)
        assert "S9 Ship S9 arrives on turn 5." in other.seen_by(SOUTH)


@pytest.mark.unseen("vector", reports=("positions",), asks=("positions", "positions seen"))
def test_typed_positions_are_unseen_until_all_are_in_and_who_is_to_come_stays_so() -> None:
    north, south = "battle: turn 4\nN1: at 5050\nN2: at 5051", "battle: turn 4\nS1: at 5010\nS2: at 5011"

    def taken_up(*, at: str = "5010", flank: int = 0, late: str = "") -> Tracked:
        sheets: Sheets = {
            (NORTH, "positions"): [late, north] if late == "" else [north],
            (SOUTH, "positions"): [south.replace("5010", at)],
        }
        return Tracked(approach(flank=flank), sheets, late=True)

    one, other = taken_up().play(1), taken_up(at="5012").play(1)
    unseen_by(NORTH, one, other)
    unseen_by(NORTH, taken_up(late="said").play(4), taken_up(late="said", flank=7).play(4))
    assert "S1" in taken_up(late="said").play(4).seen_by(NORTH)


@pytest.mark.unseen("vector", reports=("battle",), asks=("reports", "dispute"))
def test_what_is_reported_and_disputed_says_nothing_of_who_is_to_come() -> None:
    def disputed(flank: int) -> Tracked:
        sheets: Sheets = {
            (SOUTH, "plot"): ["S1: report destroyed"],
            (NORTH, "reports"): ["S1-1: so no"],
            (SOUTH, "dispute"): ["S1-1: so yes"],
        }
        return played(1, sheets, flank=flank)

    one, other = disputed(0), disputed(5)
    assert one.told(NORTH, "battle")
    unseen_by(NORTH, one, other)


# --- its film ---------------------------------------------------------------------------------------------------------
def filmed(
    monkeypatch: pytest.MonkeyPatch, rests: int, plots: dict[Side, str] | None = None, **values: Any
) -> tuple[TacticalScene, ...]:
    """What all parties may have of a battle when it has ended after so many rests, with these last plots saved and not
    flown any more."""
    text = approach(**values).model_dump_json().replace(f'"{NORTH}"', f'"{RED}"').replace(f'"{SOUTH}"', f'"{BLUE}"')
    monkeypatch.setattr(small_rulebook, "BATTLE", TacticalBattle.model_validate_json(text))
    table = Table(TRACKER)
    table.meet()
    battle = begun(table).battle
    for _ in range(rests):
        table.close(table.strand)
    for side, typed in (plots or {}).items():
        ask = next(ask for ask in table.campaign.asks_for(side) if ask.beside)
        table.note(table.campaign.answer(side, ask.id, read_sheet(ask.form, typed, ask.refusals_of), by=side, at=AT))
    table.accounts()
    found = flown_battle(Picks(), table.entries, SEED, battle, tracker=TRACKER)
    assert found is not None
    return found.scenes


def test_a_film_shows_nobody_who_has_not_arrived(monkeypatch: pytest.MonkeyPatch) -> None:
    """After two steps of set-up and two pieces a turn: with a flank of turn 5, of turn 9, another one, and none."""
    whole = filmed(monkeypatch, 12, flank=5)
    assert ["S9" in str(scene) for scene in whole] == [False] * (len(whole) - 2) + [True] * 2
    worlds = [{}, {"flank": 5}, {"flank": 9}, with_ship("S9", name="Another")]
    one, *others = [filmed(monkeypatch, 9, **values) for values in worlds]
    assert len(one) > 8
    assert all(other == one for other in others)


def test_a_film_shows_no_plot_that_was_not_flown_and_no_figures_of_one_side(monkeypatch: pytest.MonkeyPatch) -> None:
    invented = FlightRecord(size_class=3)
    figures = tuple(one if one.side == NORTH else ship_like(one.code, invented) for one in approach().ships)
    one, *others = (
        filmed(monkeypatch, 4),
        filmed(monkeypatch, 4, {BLUE: "S1: plot accelerate 3 on 9"}),
        filmed(monkeypatch, 4, {RED: "N1: plot turn left on 4", BLUE: "S1: report destroyed"}),
        filmed(monkeypatch, 4, ships=figures),
    )
    assert one
    assert all(other == one for other in others)
    assert not any(scene.plots for scene in one)
