"""Pods: taken up and set down by a sheet, what they cost, and what may not be carried."""

from typing import Any

import pytest

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from tests.rulebooks.border_patrol.plays import Played, play, refused, where_and_rule, world

LINES = """
blue B1 0505 TUG+CA
blue pod 0505 Cargo 1
blue pod 0505 Troops 2
blue pod 0505 Cargo 1
blue pod 0506 Hospital 1
red R1 1010 CA
"""


def loads(*pods: str, lines: str = LINES, route: str | None = None, **more: Any) -> Played:
    sheet = {"B1": {"route": route}, "B1-ships": {"pods": [f"B1-TUG>{pod}" for pod in pods]}}
    return play(world(lines), sheet, **more)


def carried(state: BorderState) -> list[str]:
    return [pod.name for pod in state.units["B1-TUG"].pods]


def lying(state: BorderState) -> list[tuple[str, str]]:
    return [(one.name, one.hex) for _, one in sorted(state.pods_lying.items())]


@pytest.mark.rule("border_patrol", "V8.83")
class TestTakenUpAndSetDown:
    def test_what_lies_there_is_offered_to_each_tug_by_a_word_of_its_own(self):
        line = plot_ask(world(LINES), "blue").form.by_key["B1-ships"]
        field = next(one for one in line.fields if one.key == "pods")
        assert [(one.value, one.label) for one in field.choices] == [
            ("B1-TUG>cargo", "B1-TUG carries Cargo"),
            ("B1-TUG>troops", "B1-TUG carries Troops"),
            ("B1-TUG>cargo-2", "B1-TUG carries Cargo"),
        ]
        assert field.value == []

    def test_each_of_three_that_are_called_alike_has_a_number(self):
        line = plot_ask(world(f"{LINES}\nblue pod 0505 Cargo 2"), "blue").form.by_key["B1-ships"]
        field = next(one for one in line.fields if one.key == "pods")
        words = [one.value.partition(">")[2] for one in field.choices]
        assert words == ["cargo", "troops", "cargo-2", "cargo-3"]

    def test_taken_up_they_lie_there_no_longer(self):
        game = loads("cargo", "troops")
        assert carried(game.state) == ["Cargo", "Troops"]
        assert lying(game.state) == [("Cargo", "0505"), ("Hospital", "0506")]
        assert (game.texts("blue", "pods"), game.texts("red", "pods")) == (["B1 takes up Cargo, Troops in 0505."], [])

    def test_they_are_carried_on_until_they_are_set_down(self):
        game = loads("cargo", route="0506")
        assert carried(game.state) == ["Cargo"]
        again = play(game.state, {"B1-ships": {"pods": ["B1-TUG>hospital"]}})
        assert carried(again.state) == ["Hospital"]
        assert ("Cargo", "0506") in lying(again.state)
        assert again.texts("blue", "pods") == ["B1 takes up Hospital in 0506.", "B1 sets down Cargo in 0506."]
        play(again.state, {"B1": {"route": "0507"}})
        assert carried(again.state) == ["Hospital"], "nothing said, nothing changed"

    @pytest.mark.rule("border_patrol", "V8.86")
    def test_a_burden_slows_the_tug_in_the_same_turn(self):
        """30 boxes at a cost of 1 with a factor of 0.25 go 4 hexes, with 0.5 for three weights 3."""
        ask = plot_ask(world(LINES), "blue")
        far = {"B1": {"route": "0506 0507 0508 0509 0510"}}
        assert refused(world(LINES), far) == []
        (one,) = refused(world(LINES), {**far, "B1-ships": {"pods": ["B1-TUG>cargo"]}})
        assert (one.path, one.legal) == ("B1.route", "4: its allowance")
        answer = ask.answer_from({"B1-ships": {"pods": ["B1-TUG>cargo"]}})
        assert ask.read_back(answer) == ["B1: holds at 0505, could go 4 hexes; B1-TUG carries Cargo"]

    def test_it_is_read_back_what_is_set_down(self):
        ask = plot_ask(loads("cargo").state, "blue")
        assert ask.form.prefilled()["B1-ships"]["pods"] == ["B1-TUG>cargo"]
        answer = ask.answer_from({"B1-ships": {"pods": []}})
        assert ask.read_back(answer) == ["B1: holds at 0505, could go 5 hexes; sets down Cargo"]

    @pytest.mark.rule("border_patrol", "V8.82")
    def test_a_crippled_tugs_pods_lie_where_it_was_crippled(self):
        lines = LINES.replace("red R1 1010", "red R1 0508")
        game = loads("cargo", lines=lines, red={"R1": {"route": "0507 0506 0505"}}, battle={"BU2": {"crippled": True}})
        assert game.state.units["B1-TUG"].crippled
        assert (carried(game.state), lying(game.state).count(("Cargo", "0505"))) == ([], 2)

    def test_a_destroyed_tugs_pods_are_lost(self):
        lines = LINES.replace("red R1 1010", "red R1 0508")
        game = loads(
            "cargo", lines=lines, red={"R1": {"route": "0507 0506 0505"}}, battle={"BU2": {"fate": "destroyed"}}
        )
        assert lying(game.state).count(("Cargo", "0505")) == 1

    @pytest.mark.rule("border_patrol", "V8.82")
    def test_a_tug_that_was_crippled_and_captured_let_its_pods_go_first(self):
        lines = LINES.replace("red R1 1010", "red R1 0508")
        taken = {"BU2": {"fate": "captured", "crippled": True}}
        game = loads("cargo", lines=lines, red={"R1": {"route": "0507 0506 0505"}}, battle=taken)
        tug = game.state.units["B1-TUG"]
        assert (tug.team, tug.crippled, tug.pods) == ("red", True, [])
        own = [one.name for one in game.state.pods_at("blue", "0505")]
        assert (own.count("Cargo"), game.state.pods_at("red", "0505")) == (2, [])
        assert game.texts("blue", "engines") == ["B1-TUG lets go of Cargo."]
        assert "Cargo" not in game.seen_by("red"), "what a pod held is its own Team's to know"

    def test_a_sound_tug_is_captured_with_its_pods(self):
        lines = LINES.replace("red R1 1010", "red R1 0508")
        game = loads(
            "cargo", lines=lines, red={"R1": {"route": "0507 0506 0505"}}, battle={"BU2": {"fate": "captured"}}
        )
        assert (game.state.units["B1-TUG"].team, carried(game.state)) == ("red", ["Cargo"])
        assert lying(game.state).count(("Cargo", "0505")) == 1

    def test_its_own_team_alone_sees_where_pods_lie(self):
        state = loads("cargo").state
        own = RULEBOOK.side_board(state, "blue", Knowledge()).panel("Pods set down, Blue Team")
        assert own is not None
        assert own.rows == ("0505: Troops, 2 pod weights", "0505: Cargo, 1 pod weight", "0506: Hospital, 1 pod weight")
        assert "Hospital" not in RULEBOOK.side_board(state, "red", Knowledge()).model_dump_json()
        assert "Hospital" not in RULEBOOK.public_board(state).model_dump_json()


TWO = """
blue B1 0505 TUG[pods=Cargo]+TUG+CA
blue B2 0505 TUG[pods=Troops]+DD
blue pod 0505 Hospital 1
red R1 1010 CA
"""


def on_tugs(sheet: dict[str, Any]) -> dict[str, list[str]]:
    """What lies and what each tug carries after a turn by this sheet; no pod is lost, and none is there twice."""
    state = play(world(TWO), sheet).state
    found = {key: [pod.name for pod in unit.pods] for key, unit in state.units.items() if unit.kind == "tug"}
    found["lying"] = [name for name, _ in lying(state)]
    assert sorted(name for names in found.values() for name in names) == ["Cargo", "Hospital", "Troops"]
    return {key: names for key, names in found.items() if names}


@pytest.mark.rule("border_patrol", "V8.83")
class TestBesidePartingAndJoining:
    @pytest.mark.parametrize("pods", [[], ["B1-TUG>cargo"], None], ids=["none", "as it is filled in", "nothing said"])
    def test_who_stays_behind_keeps_its_pods(self, pods: list[str] | None):
        loaded = on_tugs({"B1-ships": {"detach": ["B1-TUG"], "pods": pods}})
        assert loaded == {"B1-TUG": ["Cargo"], "B2-TUG": ["Troops"], "lying": ["Hospital"]}

    def test_its_pods_are_not_for_the_others(self):
        (one,) = refused(world(TWO), {"B1-ships": {"detach": ["B1-TUG"], "pods": ["B1-TUG2>cargo"]}})
        assert (one.path, one.rule) == ("B1-ships.pods", "V8.83, BP-N29")
        assert one.problem == "Cargo stays behind with the tug that carries it"
        assert one.legal == "a pod that lies there, or goes along"

    def test_who_goes_on_sets_down_its_own_alone(self):
        loaded = on_tugs({"B1-ships": {"detach": ["B1-TUG2"], "pods": []}})
        assert loaded == {"B2-TUG": ["Troops"], "lying": ["Hospital", "Cargo"]}

    def test_who_joins_keeps_its_pods_whatever_the_others_set_down(self):
        loaded = on_tugs({"B2-ships": {"join": "B1", "pods": ["B2-TUG>troops"]}, "B1-ships": {"pods": []}})
        assert loaded == {"B2-TUG": ["Troops"], "lying": ["Hospital", "Cargo"]}

    def test_who_joins_may_take_one_up_more(self):
        loaded = on_tugs({"B2-ships": {"join": "B1"}, "B1-ships": {"pods": ["B1-TUG>cargo", "B2-TUG>hospital"]}})
        assert loaded == {"B1-TUG": ["Cargo"], "B2-TUG": ["Troops", "Hospital"]}

    def test_it_does_not_load_otherwise_in_its_own_line(self):
        (one,) = refused(world(TWO), {"B2-ships": {"join": "B1", "pods": []}})
        assert (one.path, one.rule) == ("B2-ships.pods", "V8.83, BP-N29")
        assert one.problem == "B2 joins B1, and would load otherwise first"
        assert one.legal == "its pods as they are; what B1 takes up is said in its line"


class TestWhatIsRefused:
    @pytest.mark.rule("border_patrol", "V8.83")
    def test_more_than_a_tug_may_carry(self):
        pods = ["B1-TUG>cargo", "B1-TUG>troops", "B1-TUG>cargo-2"]
        found = refused(world(LINES), {"B1-ships": {"pods": pods}})
        assert where_and_rule(found) == [("B1-ships.pods", "V8.83"), ("B1-ships.pods", "V8.83")]
        assert [one.legal for one in found] == ["at most 2", "at most 3"]

    @pytest.mark.rule("border_patrol", "V8.83")
    def test_on_what_is_no_tug(self):
        (one,) = refused(world(LINES), {"B1-ships": {"pods": ["B1-CA>cargo"]}})
        assert (one.rule, one.legal) == ("V8.83", "pods on a tug")

    @pytest.mark.rule("border_patrol", "V8.82")
    def test_beside_a_tow_emergency_movement_or_reaction(self):
        pods = {"pods": ["B1-TUG>cargo"]}
        tow = refused(world(LINES), {"B1-ships": {**pods, "tow": ["B1-TUG>B1-CA"]}})
        assert ("B1-ships.tow", "V8.82") in where_and_rule(tow)
        fast = refused(world(LINES), {"B1": {"emergency": ["B1-TUG"]}, "B1-ships": pods})
        assert where_and_rule(fast) == [("B1.emergency", "V8.82")]
        waits = refused(world(LINES), {"B1": {"react": "any"}, "B1-ships": pods})
        assert where_and_rule(waits) == [("B1.react", "V8.82")]

    @pytest.mark.rule("border_patrol", "V8.82")
    def test_on_a_crippled_tug(self):
        found = refused(world(LINES.replace("TUG+", "TUG[crippled=yes]+")), {"B1-ships": {"pods": ["B1-TUG>cargo"]}})
        assert where_and_rule(found) == [("B1-ships.pods", "V8.82")]

    def test_a_pod_that_is_not_there(self):
        (one,) = refused(world(LINES), {"B1-ships": {"pods": ["B1-TUG>cargos"]}})
        assert (one.path, one.legal, one.nearest[0]) == ("B1-ships.pods", "cargo, troops, cargo-2", "cargo")
        (one,) = refused(world(LINES), {"B1-ships": {"pods": ["B1-TUG>hospital"]}})
        assert one.problem == "no such pod is there"

    @pytest.mark.rule("border_patrol", "V8.83")
    def test_a_pod_on_two_tugs_or_for_two_stacks(self):
        lines = LINES.replace("TUG+CA", "TUG+TUG")
        (one,) = refused(world(lines), {"B1-ships": {"pods": ["B1-TUG>cargo", "B1-TUG2>cargo"]}})
        assert one.problem == "Cargo would be on two tugs"
        two = f"{LINES}\nblue B2 0505 TUG"
        sheet = {"B1-ships": {"pods": ["B1-TUG>cargo"]}, "B2-ships": {"pods": ["B2-TUG>cargo"]}}
        (one,) = refused(world(two), sheet)
        assert (one.path, one.rule) == ("B2-ships.pods", "V8.83, BP-N29")

    def test_where_nothing_could_be_carried_it_is_said_why(self):
        absent = {(one.key, one.field): one.problem for one in plot_ask(world("blue B1 0505 CA"), "blue").form.absent}
        assert absent["B1", "pods"] == "B1 has no tug, or no pod is in 0505"
