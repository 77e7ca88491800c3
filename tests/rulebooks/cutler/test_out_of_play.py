"""An empire without units and planets is out: it is asked nothing more, may watch, and its seat is not waited for."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Transition
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.sequence import close_turn, decide_who_is_out, end_impulse, turn_steps
from tests.chance import NONCE
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.cutler.armed import crowded
from tests.rulebooks.cutler.test_secrecy import mission
from tests.rulebooks.cutler.worlds import Run, alike, refusal_words, refusals, set_fields, table_of, world

AT = "2026-01-01T00:00:00.000+00:00"
OTHERS = """
turn 0
planet capital 0205 hydran throne
planet capital 0902 lyran den
hydran F1 0404 CA+DD
lyran F1 0902 CC
reserve hydran 100
reserve lyran 100
reserve klingon 100
"""
BESET = OTHERS + "klingon F1 0404 CW\n"
"""The Klingon has one ship, and a Hydran force stands in its hex."""
GONE = "The Klingon is out of play: it has neither units nor planets."
WATCH = "Your side is out of play: nothing more is asked of you. You may watch."


def lost(fate: str, key: str = "K1") -> dict[Any, Any]:
    """Answers with which the Hydran fights, and a Klingon unit comes out like that."""
    result = {"H1": {"fate": "intact"}, "H2": {"fate": "intact"}, key: {"fate": fate}}
    return {("card", "hydran"): {"force": {"card": "combat"}}, ("battle", ""): result}


def turn(text: str, answers: dict[Any, Any] | None = None) -> Run:
    return Run(table := table_of(world(text)), turn_steps(table), answers)


def next_turn(run: Run, answers: dict[Any, Any] | None = None, *, patient: bool = False) -> Run:
    """The turn after it, alone."""
    run.table.shared.reports.clear()
    run.table.shared.patient = patient
    return Run(run.table, turn_steps(run.table), answers)


def out(text: str = BESET) -> Run:
    """A turn at whose end the Klingon is out of play."""
    run = turn(text, lost("destroyed"))
    assert run.table.state.out == ["klingon"]
    return run


# --- when a race is out ----------------------------------------------------------------------------------------------
@cases("fate")
def test_a_race_without_planets_is_out_when_its_last_ship_is_lost_in_battle_or_captured(fate: str) -> None:
    run = turn(BESET, lost(fate))
    assert run.table.state.out == ["klingon"]
    for side in ("hydran", "lyran", "klingon"):
        assert run.texts(side).count(GONE) == 1
    assert run.texts("klingon").endswith(WATCH)
    assert WATCH not in run.texts("hydran")


def test_a_race_that_has_lost_no_more_than_a_fight_is_in_play() -> None:
    assert turn(BESET, lost("damaged")).table.state.out == []
    run = turn(BESET + "klingon F2 0908 FF\n", lost("destroyed"))
    assert run.table.state.out == []
    assert "out of play" not in run.texts("hydran")


@pytest.mark.parametrize("what", ["base", "police"])
def test_a_race_is_out_when_its_last_base_or_police_ship_is_destroyed(what: str) -> None:
    assert turn(OTHERS + f"klingon {what} 0404 Hearth\n", lost("destroyed")).table.state.out == ["klingon"]


def test_a_planet_that_is_held_keeps_a_race_in_play_and_the_last_one_lost_puts_it_out() -> None:
    run = turn(BESET + "planet minor 0908 klingon hearth\n", lost("destroyed"))
    assert run.table.state.out == []
    run = next_turn(run)
    assert [ask.kind for ask in run.asked("klingon")] == ["turn"]
    assert run.table.state.out == []
    run.table.state.planets["hearth"].owner = "hydran"
    assert next_turn(run).table.state.out == ["klingon"]


def test_a_planet_taken_from_a_race_that_has_ships_leaves_it_in_play() -> None:
    run = turn(OTHERS + "planet minor 0908 klingon hearth\nklingon F1 0606 CW\n")
    run.table.state.planets["hearth"].owner = "hydran"
    assert next_turn(run).table.state.out == []


@pytest.mark.parametrize("hidden", ["base 0908 Hearth", "police 0708"])
def test_a_hidden_unit_keeps_a_race_in_play_and_nobody_else_learns_what_and_where(hidden: str) -> None:
    other = "police 0303" if hidden.startswith("base") else "base 0303 Lair"
    runs = [turn(f"{BESET}klingon {one}\n", lost("destroyed")) for one in (hidden, other)]
    for run in runs:
        assert run.table.state.out == []
    alike(*runs, "hydran", "lyran")
    later = [next_turn(run) for run in runs]
    assert [ask.kind for ask in later[0].asked("klingon")] == ["turn"]
    alike(*later, "hydran", "lyran")


def test_all_are_told_at_the_end_of_the_turn_and_not_in_which_impulse_the_last_unit_was_lost() -> None:
    """The Klingon's hidden base stands in the Hydran's way in the second impulse, or in the fifth."""
    told: list[str] = []
    for base, way in (("0405", ["0405"]), ("0305", ["0405", "0305"])):
        state = world(OTHERS + f"klingon base {base} Hearth\n")
        state.fleet("hydran", "F1").course = way
        run = Run(table := table_of(state), turn_steps(table), lost("destroyed"))
        assert state.out == ["klingon"]
        (report,) = [one for one in run.told("lyran") if one.text == GONE]
        told.append(report.model_copy(update={"number": 0}).model_dump_json())
        assert run.told("lyran")[-1] == report
    assert told[0] == told[1]


def test_a_race_that_has_something_again_is_in_play_again() -> None:
    run = out(BESET + "planet minor 0908 lyran hearth\n")
    run.table.state.planets["hearth"].owner = "klingon"
    run = next_turn(run)
    assert (run.asked("klingon"), run.table.state.out) == ([], [])
    assert "The Klingon is in play again." in run.texts("lyran")
    assert [ask.kind for ask in next_turn(run).asked("klingon")] == ["turn"]


@cases("before, has, told")
def test_a_race_is_told_of_only_when_it_goes_out_or_comes_back(before: bool, has: bool, told: list[str]) -> None:
    table = table_of(world(OTHERS + ("klingon F1 0708 FF\n" if has else "")))
    table.state.out = ["klingon"] if before else []
    decide_who_is_out(table)
    assert [one.text for one in table.shared.reports] == told
    assert table.state.out == ([] if has else ["klingon"])


@pytest.mark.rule("cutler", "6.3", "3.3.7.4", "3.4.5.3")
def test_what_counts_for_one_impulse_or_one_turn_ends_with_it() -> None:
    table = table_of(world(OTHERS))
    state = table.state
    one, other = state.units["hydran-F1-CA"], state.units["hydran-F1-DD"]
    for values in ({"escaped_from": ["lyran"]}, {"disengaged_from": ["lyran"]}, {"escaped_to": "moon1"}):
        set_fields(one, values)
        other.hexes_moved, other.was_cloaked = 3, True
        end_impulse(table)
        assert (one.escaped_from, one.disengaged_from, one.escaped_to) == ([], [], "")
        assert (other.hexes_moved, other.was_cloaked) == (3, True)
    for reserve, left in ((299, 299), (300, 300), (301, 300)):
        state.empires["hydran"].reserve, state.empires["hydran"].notices, state.insurrections = (
            reserve,
            2,
            {"throne": 1},
        )
        close_turn(table)
        assert (state.empires["hydran"].reserve, state.empires["hydran"].notices, state.insurrections) == (left, 0, {})
    assert (other.hexes_moved, other.was_cloaked) == (0, False)


# --- what it is asked, and what others may do to it ------------------------------------------------------------------
@pytest.mark.parametrize("patient", [False, True])
def test_a_race_that_is_out_is_asked_nothing_not_even_where_windows_are_fixed(patient: bool) -> None:
    run = out()
    run.table.state.empires["klingon"].asking = "each"
    run = next_turn(run, patient=patient)
    assert run.asked("klingon") == []
    assert [ask.kind for ask in run.asked("lyran")] == ["turn", *(["waiting"] * 7 if patient else [])]
    assert GONE not in run.texts("hydran"), "it is told once"


@pytest.mark.rule("cutler", "6.5.1")
def test_a_race_that_is_out_has_no_place_in_the_espionage_order() -> None:
    run = next_turn(out())
    (order,) = [one.text for one in run.told("lyran") if one.text.startswith("Espionage order")]
    assert sorted(order.rstrip(".").split(": ")[1].split(", ")) == ["Hydran", "Lyran"]
    assert not any("Klingon" in roll.purpose for roll in run.table.shared.rolls[-2:])


@pytest.mark.rule("cutler", "6.4")
def test_a_race_that_is_out_cannot_be_spied_upon(kept: Kept) -> None:
    state = out().table.state
    state.empires["hydran"].known_ships = {"klingon-F1-CW": "klingon", "lyran-F1-CC": "lyran"}
    ask = turn_ask(state, "hydran")
    assert "klingon" not in form_text(ask.form).casefold()
    assert "Lyran F1 Cc" in form_text(ask.form)
    assert refusal_words(ask, {"M1": mission("base", None, "klingon")}) == kept()
    with pytest.raises(Refused, match="the Klingon is out of play, so there is nothing to spy upon"):
        ask.answer_from({"M1": mission("base", None, "klingon")})
    assert refusals(ask, {"M1": mission("base", None, "lyran")}) == []


def test_until_the_turn_ends_a_race_that_has_lost_all_may_be_spied_upon() -> None:
    """Nobody may tell by a refusal that its last hidden unit is gone."""
    assert refusals(turn_ask(world(OTHERS), "hydran"), {"M1": mission("base", None, "klingon")}) == []


# --- what it sees ----------------------------------------------------------------------------------------------------
def test_a_race_that_is_out_sees_what_is_public_and_nothing_of_what_others_keep_secret() -> None:
    spied = next_turn(out(), {("turn", "hydran"): {"M1": mission("location", "0902")}})
    assert "Lyran units" not in spied.texts("klingon")
    assert {one.is_public() for one in spied.told("klingon")} == {True}
    others = [out() for _ in range(2)]
    others[1].table.state.empires["lyran"].reserve = 7
    others[1].table.state.units["lyran-F1-CC"].name = "Secret"
    alike(*[next_turn(one) for one in others], "klingon")


def test_a_race_that_is_out_keeps_what_it_was_told() -> None:
    run = out()
    board = RULEBOOK.side_board(run.table.state, "klingon", run.table.knowledge("klingon"))
    assert board.panel("Contacts").rows
    assert "Lyran CU 0902→0903" in next_turn(run, {("turn", "lyran"): {"F1": {"course": "0903"}}}).texts("klingon")
    board = RULEBOOK.side_board(run.table.state, "klingon", run.table.knowledge("klingon"))
    assert board.panel("Contacts").rows
    assert [counter.hex for counter in board.counters if counter.id == "lyran@0903"] == ["0903"]


def test_everybody_sees_who_is_out() -> None:
    rows = RULEBOOK.public_board(out().table.state).panel("CPV rates").rows
    assert rows == ("Hydran: 100 CPV a turn", "Lyran: 100 CPV a turn", "Klingon: out of play")


# --- the end ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "12.0")
def test_who_alone_is_left_in_play_wins_at_once(kept: Kept) -> None:
    state = out().table.state
    state.turn = 1
    assert RULEBOOK.ending(state) is None
    state.out = ["lyran", "klingon"]
    end = RULEBOOK.ending(state)
    assert end is not None
    assert (end.winners, end.text, end.rule) == kept()
    assert end.scores["lyran"] == "100 CPV a turn"


@pytest.mark.rule("cutler", "12.0")
def test_who_is_out_does_not_win_where_nobody_has_a_rate(kept: Kept) -> None:
    state = world("turn 3\nhydran F1 0404 CA\nlyran F1 0902 CC")
    state.out = ["klingon"]
    end = RULEBOOK.ending(state)
    assert end is not None
    assert end.winners == ("hydran", "lyran")
    assert (end.text, end.rule) == kept("(end.text, end.rule)")
    state = world("turn 3\nplanet minor 0205 hydran\nplanet capital 0902 lyran")
    end = RULEBOOK.ending(state)
    assert end is not None
    assert (end.winners, end.text, end.rule) == kept("(end.winners, end.text, end.rule)")
    state.turn = 2
    assert RULEBOOK.ending(state) is None
    state.turn = 4
    assert RULEBOOK.ending(state) == end


@cases("planets, tie_break, winners, text, scores")
def test_the_highest_rate_wins_after_the_last_turn(planets, tie_break, winners, text, scores):
    state = world(f"turn 3\n{planets}\nhydran F1 0404 CA\nlyran F1 0902 CC\nlyran F2 0902 CA\nklingon F1 0909 CW")
    state.units["lyran-F2-CA"].destroyed = True
    state.tie_break = tie_break
    end = RULEBOOK.ending(state)
    assert end is not None
    assert (end.winners, end.text, end.scores, end.rule) == (winners, text, scores, "12.0, CU-R125")
    state.turn = 2
    assert RULEBOOK.ending(state) is None


@pytest.mark.rule("cutler", "12.0")
def test_where_nobody_is_left_it_is_a_draw() -> None:
    state = world("turn 1")
    state.out = ["hydran", "lyran", "klingon"]
    end = RULEBOOK.ending(state)
    assert end is not None
    assert (end.winners, end.text) == ((), "Nobody is left in play.")


# --- a whole campaign ------------------------------------------------------------------------------------------------
class Campaign:
    """Some empires, of which Ash has nothing but its capital, which a referee gives to Birch."""

    def __init__(self, empires: int = 3) -> None:
        scenario: Any = crowded(empires, turns=4)
        scenario["units"] = {key: unit for key, unit in scenario["units"].items() if unit["race"] != "ash"}
        self.one, step = Adjudicator.open(RULEBOOK, title="Out", scenario=scenario, seed=bytes(32), at=AT, nonce=NONCE)
        self.steps: list[Transition] = [step]

    def edit(self, path: str, value: Any) -> None:
        self.steps.append(self.one.edit(path, value, by="referee", reason="taken by storm", at=AT))

    def play_turn(self) -> None:
        begun = self.one.turn
        while self.one.turn == begun and self.one.ending is None:
            strand = self.one.strands()[0]
            self.steps.append(self.one.close("deadline", by="clock", at=AT, strand=strand, patient=True, nonce=NONCE))

    @property
    def entries(self) -> list[JournalEntry]:
        return [JournalEntry.model_validate_json(step.line) for step in self.steps]


def test_a_campaign_goes_on_without_a_race_that_is_out_and_replays() -> None:
    game = Campaign()
    game.edit("planets.ash_home.owner", "birch")
    assert not game.one.is_out("ash"), "the turn is not over"
    game.play_turn()
    assert [label.key for label in game.one.sides if game.one.is_out(label.key)] == ["ash"]
    assert game.one.asks_for("ash") == ()
    assert game.one.is_done("ash")
    boundary = game.steps[-1]
    assert boundary.snapshot is not None
    begun = len(game.steps)
    game.play_turn()
    assert not any("ash" in ask.parties for step in game.steps[begun:] for ask in step.opened)
    assert any("ash" in step.maps_for and step.public_map for step in game.steps[begun - 1 :])
    for snapshot in (None, boundary.snapshot):
        again = replay(RULEBOOK, game.entries, bytes(32), snapshot)
        assert again.checkpoint() == game.one.checkpoint()
        assert again.view("ash") == game.one.view("ash")
        assert again.is_out("ash")


def test_a_campaign_in_which_one_race_is_left_in_play_ends_with_that_turn() -> None:
    game = Campaign(2)
    game.edit("planets.ash_home.owner", "birch")
    game.play_turn()
    end = game.one.ending
    assert end is not None
    assert (game.one.turn, end.winners) == (1, ("birch",))
    assert game.one.open_asks() == ()
    texts = [report.text for report in game.steps[-1].reports if report.is_public()]
    assert texts[-1] == "The Ash is out of play: it has neither units nor planets."


def test_the_state_cannot_hold_that_a_race_is_out_and_has_something() -> None:
    game = Campaign()
    for value, defect in ((["ash"], "ash is out of play and has units or planets"), (["gorn"], "gorn is out of play")):
        with pytest.raises(Refused, match=defect):
            game.edit("out", value)
    game.edit("planets.ash_home.owner", "birch")
    game.play_turn()
    with pytest.raises(Refused, match="ash is out of play and has units or planets"):
        game.edit("planets.ash_home.owner", "ash")
    game.edit("out", [])
    game.edit("planets.ash_home.owner", "ash")
    assert not game.one.is_out("ash")
    game.play_turn()
    assert {ask.kind for ask in game.one.asks_for("ash")} == {"turn"}
