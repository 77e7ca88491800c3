"""What captains are asked in mid-turn and told of their stacks, in the words that they read."""

from typing import Any

from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import Played, play, world

NEAR = "blue B1 0505 CA\nblue base 0505 BATS\nred R1 0508 FF"
"""Red's frigate comes to 0507 in phase 6, two hexes from Blue, whose base widens its zone to as many."""


def test_whether_to_react(kept: Kept):
    game = play(world(NEAR), {"B1": {"react": "ask"}}, {"R1": {"route": "P6 0507"}})
    (ask,) = game.asked("blue", "reaction")
    assert (ask.title, ask.text, ask.default_says) == ("B1 may react", "Phase 6: the Red Team in 0507.", "Stay.")
    assert ask.asks_for.hexes == ("0507", "0505")
    (line,) = ask.form.lines
    answer, way = line.fields
    assert (line.label, answer.label, answer.value) == ("B1 at 0505: B1-CA", "Answer", "stay")
    assert [choice.label for choice in answer.choices] == ["Stay", "React"]
    assert (way.label, way.help, way.most) == ("First hex", "One of 0506; blank takes the first", 20)
    refused = [
        str(one)
        for sheet in ({"B2": {"answer": "react"}, "B1": {"answer": "run"}}, {"B1": {"answer": "react", "way": "0504"}})
        for one in ask.check(ask.model.model_validate(sheet))
    ]
    assert refused == kept()
    assert list(ask.check(ask.model.model_validate({"B1": {"answer": "stay", "way": "0504"}}))) == []
    assert list(ask.read_back(ask.answer_from({"B1": {"answer": "react", "way": "0506"}}))) == ["B1: react by 0506"]
    assert list(ask.read_back(ask.answer_from({}))) == ["B1: stay"]


def test_who_stands_beside_what_it_reacts_to_is_asked_for_no_way():
    """A cloaked intruder in its own hex: there is no hex to go to."""
    red = {"R1": {"cloak": "all turn", "route": "0506 0505"}}
    game = play(world("blue B1 0505 CA\nred R1 0507 CA[cloak_cost=10]"), {"B1": {"react": "ask"}}, red)
    (ask,) = game.asked("blue", "reaction")
    assert [field.key for field in ask.form.lines[0].fields] == ["answer"]


def test_whether_to_let_others_go_and_whether_to_go_on():
    game = play(
        world("blue B1 0505 CA\nred R1 0505 CA\nred R2 0505 DD"),
        {"B1": {"route": "0506", "held": "withdraw"}},
        {"R1": {"let_go": "ask"}, "R2": {"let_go": "ask"}},
    )
    (ask,) = game.asked("red", "withdrawal")
    assert [line.label for line in ask.form.lines] == ["R1 at 0505: R1-CA", "R2 at 0505: R2-DD"]
    assert [(one.label, one.values) for one in ask.asks_for.offers] == [
        ("Let them go", {"R1": {"answer": "let go"}, "R2": {"answer": "let go"}})
    ]
    assert (ask.rule, ask.asks_for.hexes) == ("V8.25", ("0505",))
    meets = {"B1": {"route": "0506 0507", "onward": "ask"}}
    (onward,) = play(world("blue B1 0505 CA\nred R1 0507 CA"), meets).asked("blue", "onward")
    assert (onward.default_says, onward.asks_for.hexes) == ("Stop.", ("0507", "0506"))
    assert [one.label for one in onward.asks_for.offers] == ["Go on", "Turn back"]


def held(game: Played, side: str = "blue") -> list[tuple[str, str]]:
    return [(one.text, one.why.rule if one.why else "") for one in game.told(side, "held")]


@cases("lines, line, red, told")
def test_how_a_stack_leaves(lines: str, line: dict[str, Any], red: Any, told: list[tuple[str, str]]):
    assert held(play(world(lines), {"B1": {"route": "0506", **line}}, red)) == told


def test_why_a_stack_is_held():
    game = play(world("blue B1 0505 CA\nred R1 0505 CA"), {"B1": {"route": "0506", "held": "withdraw"}})
    stays = (
        "as much strength stays as the others have; or, of a pinned Team, at most the lead of its highest Command "
        "Rating leave, whoever has that among them, once a phase, and one stays"
    )
    is_held = f"B1 is held in 0505: 1 unit would leave, and a strength of 0 stays against others there. Legal: {stays}."
    asked = "The Blue Team asked to leave 0505: it may not leave before combat."
    assert held(game) == [(asked, "V8.25"), (is_held, "V8.23, V8.24")], "told once, though it would leave in two phases"
    assert held(game, "red") == [(asked, "V8.25")]


def test_engineers_and_sensors():
    lines = "blue B1 0505 DD[emergency_used=2 chief_engineer=7]\nblue B2 0808 CA[sensors_damaged=yes]"
    sheet = {"B1": {"emergency": ["B1-DD"]}, "B2": {"react": "any"}}
    game = play(world(lines), sheet, dice={"engineer": [4, 4], "sensors": [1, 1]})
    (told,) = game.told("blue", "engines")
    assert told.text == "B1-DD fails to use Emergency Movement, loses 1 warp engine box, and is barred."
    assert told.why is not None
    assert [roll.purpose for roll in told.why.dice] == ["chief engineer of B1-DD"]
    assert told.why.inputs == (("skill", "7"),)
    (waits,) = game.told("blue", "reaction")
    assert waits.text == "B2 does not lie in wait: B2-CA has damaged sensors or scanners."
    assert waits.why is not None
    assert [roll.purpose for roll in waits.why.dice] == ["sensors of B2-CA"]


def test_initiative_and_time():
    game = play(world("blue B1 0505 CA"), {"B1": {"route": "0506"}})
    told, own = game.told("blue", "movement")
    assert own.text == "Own stacks: B1 0505 → 0506."
    assert game.texts("red", "movement") == ["Blue Team 0505 → 0506."]
    assert told.why is not None
    assert [roll.purpose for roll in told.why.dice] == ["initiative of the Blue Team", "initiative of the Red Team"]
    assert (told.why.rule, told.when.label, told.when.step) == ("V8.15, BP-R57", "Turn 1, phase 2", 20)
    labels = {report.when.label: report.when.step for report in game.told("blue")}
    assert (labels["Turn 1"], labels["Turn 1, end"]) == (0, 90)
