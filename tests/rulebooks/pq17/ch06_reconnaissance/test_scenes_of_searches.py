"""Reconnaissance steps written down whole: sheets, read-backs, what each side is told and why, and what is refused."""

from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.command_points import account_of
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import reorganise
from rules_engine.rulebooks.pq17.ch06_reconnaissance import declarations, following, step
from rules_engine.rulebooks.pq17.ch06_reconnaissance import shadowing as ch07
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.special_conditions import Spy
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import all_heard, refused, refused_as_written, scene
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import asks_of, situation, table, world
from tests.rulebooks.pq17.worlds.repair import mined
from tests.rulebooks.written_texts import compare

# --- scenes of shadowing ----------------------------------------------------------------------------------------------
Request = pytest.FixtureRequest
BOUND = "BATRON-N"


@pytest.mark.rule("pq17", "7.2.2", "7.2.2.1")
def test_shadowing_begins_or_not(request: Request) -> None:
    """A1 matches speed 1; A2, a light cruiser, cannot reach 3; A3 would close a circle, which fails (ruling SHD-6)."""
    text = "A1 0405 CA speed 3 U\nC1 0405 CA speed 1 U\nA2 0606 CL speed 2 U\nC2 0606 CA speed 3 U\n"
    at = table(world(text + "A3 0707 CA speed 1 U\nC3 0707 CA speed 1 shadows A3 U"))
    forces = at.state.task_forces
    for number in (1, 2, 3):
        ch07.try_to_shadow(at, forces[f"A{number}"], forces[f"C{number}"])
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "7.4.3", "7.4.4", "7.3.2")
def test_shadowing_ends_in_plot_movement(request: Request) -> None:
    """A1 has no fuel for a hex at speed 3; A2's target is gone to another hex; A3 cannot go at speed 3; A4 ceases at
    its owner's order and keeps its speed; A5's target is destroyed."""
    text = "A1 0405 CA[fuel=1] speed 1 shadows C1 U / C1 0405 CA speed 3 U / A2 0303 CA speed 2 shadows C2 U"
    text += " / C2 0304 CA speed 2 U / A3 0606 CL speed 1 shadows C3 U / C3 0606 CA speed 3 U"
    text += " / A4 0707 CA speed 3 shadows C4 U / C4 0707 CA speed 1 U / A5 0808 CA speed 1 shadows C9 U"
    state = world(f"{text} / turn 2 impulse 1 half A initiative alliance")
    at = table(state)
    ch07.cease(at, state.task_forces["A4"], keep_speed=True)
    ch07.end_shadowing(at)
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "7.5", "7.5.2", "7.5.4", "7.5.5", "7.5.6", "7.5.7", "7.3.6", "SOP.2.a.vi.3")
def test_a_target_splits_between_turns(request: Request) -> None:
    """A1 follows one part, A2 is told to end; A3, a light cruiser, cannot keep up with its target's new speed."""
    text = "A1 0405 CA+DD speed 3 shadows C1 U\nC1 0405 CA+DD speed 2 U\n"
    text += "A3 0606 CL speed 1 shadows C3 U\nC3 0606 CA speed 3 U"
    at = table(world(text + "\nturn 3 initiative alliance"))
    ch07.remember_links(at.state)
    reorganise(at.state, "coalition", {"C1": ["C1.CA"], "C2": ["C1.DD"], "C3": ["C3.CA"]})
    reorganise(at.state, "alliance", {"A1": ["A1.CA"], "A2": ["A1.DD"], "A3": ["A3.CL"]})
    compare(request, scene(at, ch07.continue_shadowing_steps(at), {"shadow alliance": [{"A2": {"target": None}}]}))


@pytest.mark.rule("pq17", "7.5.4")
def test_assignments_that_are_refused(request: Request) -> None:
    at = table(world("A1 0405 CA speed 3 shadows C1 U\nC1 0405 CA+DD speed 2 U\nturn 3"))
    ch07.remember_links(at.state)
    reorganise(at.state, "coalition", {"C1": ["C1.CA"], "C2": ["C1.DD"]})
    (ask,) = asks_of(ch07.continue_shadowing_steps(at))
    refused_as_written(request, ask)


@pytest.mark.rule("pq17", "7.5.2", "SOP.2.a.vi.1")
@pytest.mark.parametrize("initiative", ["alliance", "coalition"])
def test_reorganisations_that_close_a_circle(request: Request, initiative: str) -> None:
    """A1 shadows C1 and C2 shadows A2; both pairs combine. The side without the initiative assigns first, and what
    would close the circle then fails (SHD-6); who lost it goes at the speed it has plotted."""
    ours, theirs = "A1 0405 CA speed 1 U shadows C1 / A2 0405 CA speed 2 U", "C1 0405 CA speed 1 U"
    at = table(world(f"{ours} / {theirs} / C2 0405 CA speed 2 U shadows A2 / turn 3 initiative {initiative}"))
    ch07.remember_links(at.state)
    reorganise(at.state, "alliance", {"A1": ["A1.CA", "A2.CA"]})
    reorganise(at.state, "coalition", {"C2": ["C1.CA", "C2.CA"]})
    lines = scene(at, ch07.continue_shadowing_steps(at))
    compare(request, [*lines, situation(at.state)], f"a_circle_where_the_{initiative}_has_the_initiative")


@pytest.mark.rule("pq17", "4.2.3", "C.cp.kzinti", "7.3.1", "7.3.2")
def test_shadowers_that_may_not_follow(request: Request) -> None:
    """The Kzinti A1 has no command point for 0808, which its target goes to; A2 has come to its leader in this impulse
    and has no fuel for the hex that it must pay for now."""
    state = campaign()
    account_of(state, "kzinti").bank = 0
    fields: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.EFFICIENT, "id_level": IdLevel.ID0}
    put(state, "A1", "0807", "KZI-FF", shadowing="C1", **fields)
    put(state, "A2", "1010", "FED-FF", shadowing="C2", **fields)
    put(state, "C1", "0807", "KLI-DD", plot="0808", **fields)
    put(state, "C2", "1010", "KLI-DD", plot="1011", **fields)
    state.turn, state.impulse, state.half, state.initiative = 1, 1, "A", "coalition"
    state.units["A2.FED-FF"].fuel *= 0
    state.set_mark(state.task_forces["A2"], "declared_shadowing")
    at = table(state)
    following.follow(at, "coalition")
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "4.2.3", "7.3.2", "7.4.4")
def test_a_shadower_that_must_go_home(request: Request) -> None:
    state = campaign()
    account = account_of(state, "kzinti")
    account.bank, account.spent = 0, 0
    fields: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.EFFICIENT, "id_level": IdLevel.ID0}
    put(state, "A1", "0808", "KZI-FF", shadowing="C1", **fields)
    put(state, "C1", "0808", "KLI-DD", **fields)
    state.turn, state.impulse = 1, 1
    at = table(state)
    ch07.end_shadowing(at)
    compare(request, all_heard(at))


@pytest.mark.rule("pq17", "C.oob.klingon.restriction", "7.3.2")
def test_the_bound_squadron_is_not_led_away(request: Request) -> None:
    """Nor may it plot so: no Federation warship has been identified away from its bases."""
    state = campaign()
    fields: dict[str, Any] = {"speed": Speed.CRUISE, "plotted": Speed.CRUISE, "id_level": IdLevel.ID0}
    put(state, "A1", "1715", "FED-DD", plot="1614", **fields)
    put(state, "C1", "1715", "KLI-DN", shadowing="A1", tags=[BOUND], **fields)
    put(state, "C2", "1715", "KLI-DN", tags=[BOUND], **fields)
    state.turn, state.impulse, state.half, state.initiative = 1, 1, "A", "alliance"
    at = table(state)
    following.follow(at, "alliance")
    wrong = refused(planning_ask(table(state), "coalition"), [{"C2": {"speed": "2", "route": "1614"}}])
    compare(request, [*all_heard(at), *wrong])


NOW = "\nturn 2 impulse 1 half A initiative alliance"


def searching(
    state: State, request: Request, sheets: dict[str, list[Any]] | None = None, name: str = "", **dice: int
) -> None:
    """Compare the reconnaissance step of the Alliance's half; ``dice`` by the roll's name, ``_`` for a blank."""
    rolls = {"local conditions": 5, "flag": 99} | {name.replace("_", " "): value for name, value in dice.items()}
    at: TurnContext[State] = table(state, by_label=rolls)
    announce_detections(at)
    compare(request, scene(at, step.reconnaissance_steps(at, "alliance"), sheets), name)


@cases("case, proves, name, forces, raids, dice, sheets", "")
def test_reconnaissance_steps(
    request: Request, *, name: str, forces: str, raids: str, dice: dict[str, int], sheets: dict[str, list[Any]]
) -> None:
    settings: dict[str, Any] = {"flag_empires": ("Kzinti",), "raid_table": raids}
    state = mined(forces, **settings) if "mines" in forces else world(forces + NOW, **settings)
    searching(state, request, sheets, name=name, **dice)


@pytest.mark.rule("pq17", "1.7.4", "C.special.agent-cobweb")
def test_a_spy_watches_a_base(request: Request) -> None:
    """Ruling SPC-14: it searches Alliance forces at its base for the Coalition, as a settled hex does."""
    state = world("A9 0303 BATS base Haven known LC1\nA1 0303 CA speed 1\nC1 0405 CA speed 1\nA2 0405 CA speed 1" + NOW)
    state.special.spies = [Spy(hex="0303")]
    searching(state, request, {"search coalition": [{"settled 0303": {"target": "all"}}]}, main_roll=10, ID_roll=60)


@pytest.mark.rule("pq17", "6.3.2", "8.6.2.1")
def test_searches_by_standing_orders(request: Request) -> None:
    """One searches with a probe and to shadow, one keeps its fuel, one never searches; a raider searches its prize."""
    text = "settled 0202 alliance Ixchel\nA1 0405 CA speed 3\nA2 0405 CA[fuel=5] speed 1\nA3 0405 CA speed 1\n"
    state = world(text + "C1 0405 FF speed 1\nC2 0202 CA speed 2" + NOW, raid_table="pq17")
    said = {"A1": "search; probes 1; shadow", "A2": "search fuel>4", "A3": "search never", "C1": "search never"}
    for tf_id, words in (said | {"C2": "search; raid"}).items():
        state.task_forces[tf_id].doctrine = read_orders(words, tf_id)[0]
    searching(state, request, main_roll=10, ID_roll=3)


# --- refusals ---------------------------------------------------------------------------------------------------------
CROWD = "A1 0405 CA speed 2 / A2 0405 CA shadows C1 / A3 0405 CA logistics / A4 0405 CA[fuel=1] / A5 0405 CA"
CROWD += " / A6 0606 CA / A7 0303 DD port A9 / A8 0808 CA / A9 0303 BATS base Haven known LC1 / C1 0405 CA speed 1 U"
CROWD += " / C2 0405 CA speed 1 U / C3 0303 CA speed 1 U / C8 0808 BATS base Lair known / C9 0202 FF U"
CROWD += " / settled 0202 alliance Ixchel"


@pytest.mark.rule("pq17", "6.3.2", "6.3.2.1", "6.3.2.3", "6.3.4.11", "7.3.8", "1.7.6", "1.8.7", "5.5.8", "5.2.3.4")
@pytest.mark.rule("pq17", "1.8.10.1")
def test_searches_that_are_refused(request: Request) -> None:
    state = world(CROWD + NOW)
    state.set_mark(state.task_forces["A5"], "searched")
    state.task_forces["C8"].id_level = IdLevel.ID3
    ask = declarations.search_ask(table(state), "alliance", declarations.searchers(state, "alliance"), phasing=True)
    refused_as_written(request, ask)


@pytest.mark.rule("pq17", "1.8.2.1", "12.3.5")
def test_what_cannot_be_shadowed(request: Request) -> None:
    """A minefield, and a base that is known; a force in port with it could be."""
    state = mined(
        "mines 0405 coalition 4 U\nA1 0405 CL speed 2\nA2 0606 CL speed 2\n"
        "C9 0606 BATS base Lair known\nC1 0606 CL port C9 U"
    )
    state.task_forces["C9"].id_level = IdLevel.U
    ask = declarations.search_ask(table(state), "alliance", declarations.searchers(state, "alliance"), phasing=True)
    offered = {
        line.key: [choice.value for choice in line.fields[0].choices] for line in ask.form.lines if line.key != "order"
    }
    wrong = [{key: {"target": track, "shadow": True}} for key, tracks in offered.items() for track in tracks[-1:]]
    compare(request, [*refused(ask, wrong)])
