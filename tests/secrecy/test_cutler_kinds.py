"""Cutler: for every kind of report and ask that the book has, worlds that must look alike to a side do.

Kinds that chapters' own tests compare are marked there; here are the others, and the count.
"""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch01_setup import draft, planets, steps, systems
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import cases
from tests.expected.sections import section
from tests.rulebooks.cutler.ch01_setup.ring import opened, table
from tests.rulebooks.cutler.ch01_setup.test_planets_and_space import settled
from tests.rulebooks.cutler.worlds import Run, sees, table_of, world
from tests.secrecy.kinds import kinds_compared, kinds_of

BOOK = "cutler"
CORE = {"referee", "waiting"}
"""Kinds of the core's own commands, which every rulebook shares; PQ-17's cases compare them."""


def test_every_kind_of_report_and_ask_has_a_case_of_two_worlds() -> None:
    made, compared = kinds_of(BOOK), kinds_compared(BOOK)
    assert len(made.reports) > 10
    assert len(made.asks) > 14
    for ones, others in ((made.reports, compared.reports), (made.asks, compared.asks)):
        assert {kind: ones[kind] for kind in ones.keys() - CORE if kind not in others} == {}
        assert set(others) <= set(ones)


def unseen_by(side: str, *runs: Run) -> None:
    """Every run looks the same to this side, and something in them does differ."""
    first, *others = runs
    for other in others:
        assert sees(first.table, first.asks, side) == sees(other.table, other.asks, side)
        assert first.table.state != other.table.state, "the worlds do not differ"


# --- the set-up -------------------------------------------------------------------------------------------------------
ORDER = {"player order, Seat 1": [2, 3], "player order, Seat 2": [6, 6], "player order, Seat 3": [4, 4]}


@pytest.mark.unseen("cutler", reports=("setup",), asks=("race",))
def test_wishes_that_were_not_needed_are_unseen() -> None:
    def drafted(second: str) -> Run:
        state, setup = opened(3)
        turn = table(state, ORDER)
        wishes = {("race", "seat-2"): {"race": {"first": "Gorn", "second": second}}}
        return Run(turn, draft.races_steps(turn, setup), wishes)

    one, other = drafted("Lyran"), drafted("ISC")
    assert one.asks[1].form == other.asks[1].form
    for side in ("seat-1", "seat-3"):
        assert sees(one.table, one.asks, side) == sees(other.table, other.asks, side)


@pytest.mark.unseen("cutler", reports=("setup",), asks=("empire", "intercede"))
def test_a_choice_that_another_came_before_is_unseen() -> None:
    def chosen(first: str) -> Run:
        state, setup = opened(3)
        steps.draw_map(table(state, {}), setup)
        setup.order = ["seat-2", "seat-3", "seat-1"]
        turn = table(state, {})
        answers = {
            ("empire", "seat-2"): [{"empire": {"empire": first}}, {"empire": {"empire": "2"}}],
            ("intercede", "seat-1"): [{"empire": {"empire": "1"}}],
        }
        return Run(turn, draft.empires_steps(turn, setup), answers)

    one, other = chosen("1"), chosen("3")
    for side in ("seat-1", "seat-3"):
        assert sees(one.table, one.asks, side) == sees(other.table, other.asks, side)
    assert "intercedes and takes empire 1" in sees(one.table, one.asks, "seat-3")


@pytest.mark.unseen("cutler", asks=("planets", "systems"))
@cases("kind, lines", "")
def test_what_others_fill_in_at_the_set_up_is_unseen_while_sheets_are_open(kind: str, lines: dict[str, Any]) -> None:
    def filled_in(sheet: dict[str, Any]) -> str:
        state, setup, turn = settled({"gas giant": [1, 1] * 14})
        seen: list[str] = []

        def mine(ask: Any) -> Any:
            seen.append(sees(turn, [ask], "seat-2"))

        answers = {(kind, "seat-1"): sheet, (kind, "seat-2"): mine}
        Run(turn, planets.placement_steps(turn, setup), answers)
        Run(turn, systems.systems_steps(turn, setup), answers)
        assert all(label in str(state) for label in ("seat-1", "seat-2"))
        return seen[-1]

    assert filled_in({}) == filled_in(lines)


# --- play -------------------------------------------------------------------------------------------------------------
BASE = section("base")


@pytest.mark.unseen("cutler", reports=("turn", "movement"), asks=("plot", "turn"))
@pytest.mark.parametrize("ships", ["DN+FF", "CW[crew=poor]", "SC"])
def test_who_plots_in_every_impulse_reads_nothing_of_the_others_ships(ships: str) -> None:
    def plotted(theirs: str) -> Run:
        turn = table_of(world(BASE.replace("lyran F2 0504 CW", f"lyran F2 0504 {theirs} course 0604 0603")))
        return Run(turn, turn_steps(turn), {("turn", "hydran"): {"standing": {"impulses": "each"}}})

    unseen_by("hydran", plotted("CW"), plotted(ships))


THREE = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 CW\n"
FIGHT = {"force": {"card": "combat"}}


@pytest.mark.unseen("cutler", reports=("combat", "contact"), asks=("challenge", "card"))
@pytest.mark.parametrize(("old", "new"), [("CW", "CW[crew=poor]"), ("CW", "CW[imp=1]"), ("CC", "CC[warp=9]")])
def test_who_may_challenge_reads_nothing_of_whom(old: str, new: str) -> None:
    def met(text: str) -> Run:
        dice = {"acting player, Hydran": [6, 6, 6], "acting player, Lyran": [2], "acting player, Klingon": [3]}
        turn = table_of(world(text), dice)
        return Run(turn, combat_phase_steps(turn.at("combat")), {("card", "hydran"): FIGHT})

    one, other = met(THREE), met(THREE.replace(old, new))
    assert one.asked("hydran", "challenge")
    unseen_by("hydran", one, other)


@pytest.mark.unseen("cutler", reports=("combat", "contact"), asks=("wave", "pursuit"))
@pytest.mark.parametrize("ship", ["FF[crew=poor]", "FF[imp=1]", "FF[maintained=1]"])
def test_who_pursues_reads_nothing_of_the_wave_but_s1_to_s5(ship: str) -> None:
    def pursued(theirs: str) -> Run:
        turn = table_of(world(f"turn 1 impulse 3\nhydran F1 0404 CA+{theirs}\nlyran F1 0404 CC+CW\n"), {"escape": [1]})
        answers = {
            ("card", "lyran"): FIGHT,
            ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-FF"]}}],
            ("pursuit", "lyran"): [{"lyran-F1-CW": {"group": 1}}],
        }
        return Run(turn, combat_phase_steps(turn.at("combat")), answers)

    one = pursued("FF")
    assert one.asked("lyran", "pursuit")
    unseen_by("lyran", one, pursued(ship))


SIEGE = section("siege")


def besieged(answers: dict[Any, Any], text: str = SIEGE) -> Run:
    """A combat phase in which the Lyran fights the Hydran over a planet, and the Klingon is elsewhere."""
    turn = table_of(world(text), {"escape from": [6], "surround, group 1": [1], "direction, group 1": [3]})
    return Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT, **answers})


def to(place: str, *ships: str) -> dict[str, Any]:
    return {ship: {"place": place} for ship in ships}


@pytest.mark.unseen("cutler", reports=("combat", "battle"), asks=("allocate", "order"))
def test_who_is_elsewhere_reads_nothing_of_who_defends_where_and_of_the_order_of_battles() -> None:
    sent = {("allocate", "lyran"): to("planet", "lyran-F1-CC") | to("sun", "lyran-F1-CW", "lyran-F1-FF")}
    there = {("allocate", "hydran"): to("planet", "hydran-F1-CA") | to("sun", "hydran-F1-DD")}
    turned = {("allocate", "hydran"): to("sun", "hydran-F1-CA") | to("planet", "hydran-F1-DD")}
    first = {("order", "lyran"): {"sun": {"place": 1}, "planet": {"place": 2}}}
    one = besieged({**sent, **there})
    assert one.asked("lyran", "order")
    left = {("battle", ""): gone}
    unseen_by("klingon", one, besieged({**sent, **there, **first, **left}), besieged({**sent, **turned, **left}))


def gone(ask: Any) -> Any:
    """A result in which the Lyran disengages."""
    return {line.key: {"fate": "disengaged" if line.key[0] == "L" else "intact"} for line in ask.form.lines}


@pytest.mark.unseen("cutler", reports=("combat", "battle"), asks=("join", "wave", "pursuit"))
def test_who_is_elsewhere_reads_nothing_of_pursuers_that_go_on_to_a_feature() -> None:
    run = {
        ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-CC"], "to": "planet"}}],
        ("pursuit", "hydran"): {"hydran-F1-CA": {"group": 1}},
    }
    one = besieged(run)
    assert one.asked("hydran", "join")
    unseen_by("klingon", one, besieged({**run, ("join", "hydran"): {"join": {"ships": []}}, ("battle", ""): gone}))


@pytest.mark.unseen("cutler", reports=("battle",), asks=("depth",))
def test_who_is_elsewhere_does_not_read_how_deep_a_battle_is() -> None:
    text = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]\nklingon F1 0708 CW\n"
    place = {("allocate", "hydran"): to("asteroids", "hydran-F1-CA")}
    edge = besieged(place, text)
    deep = besieged({**place, ("depth", "hydran"): {"battle": {"depth": "deep"}}, ("battle", ""): gone}, text)
    assert edge.asked("hydran", "depth")
    unseen_by("klingon", edge, deep)


@pytest.mark.unseen("cutler", reports=("combat", "battle"), asks=("surround", "steer"))
@pytest.mark.parametrize("shift", [1, -1])
def test_who_is_elsewhere_reads_nothing_of_those_who_surround(shift: int) -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 FF\nlyran F1 0404 CC[officers=navigator]+CW\nklingon F1 0708 CW\n"
    caught = {
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-FF"]}}],
        ("pursuit", "lyran"): {"lyran-F1-CC": {"group": 1}, "lyran-F1-CW": {"group": 1}},
    }
    around = {("surround", "lyran"): {"lyran-F1-CW": {"group": 1}}, ("steer", "lyran"): {"G1": {"shift": shift}}}
    one, other = besieged(caught, text), besieged({**caught, **around}, text)
    assert other.asked("lyran", "steer")
    assert sees(one.table, one.asks, "klingon") == sees(other.table, other.asks, "klingon")
    assert sees(one.table, one.asks, "hydran") != sees(other.table, other.asks, "hydran")
