"""Chapter 3: every word of a combat: what is asked, refused, read back and told, in battles from end to end."""

import functools
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch02_sorties.phase import sorties_steps
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import features_of
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.armed import rearmed
from tests.rulebooks.cutler.ch03_combat import test_hydraxx, test_surround
from tests.rulebooks.cutler.ch03_combat.terrain import test_terrain
from tests.rulebooks.cutler.ch03_combat.test_fighters import FIGHT as HYDRAN_FIGHTS
from tests.rulebooks.cutler.shown import battles_of, panels
from tests.rulebooks.cutler.worlds import Run, kind_of, on_sheet, refusal_words, table_of, world
from tests.rulebooks.cutler.yards import yard

LOCATION = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
PLACE = {("allocate", "hydran"): test_terrain.at(CA="asteroids")}
DEEP = {("depth", "hydran"): {"battle": {"depth": "deep"}}}


def texts(run: Run, side: str) -> list[str]:
    """What a side was told, in order."""
    return [one.text for one in run.told(side)]


def fought(state: CutlerState | str, answers: dict[Any, Any] | None = None, **dice: list[int]) -> Run:
    """A combat phase in which the Hydran show combat."""
    turn = table_of(world(state) if isinstance(state, str) else state, dice)
    return Run(turn, combat_phase_steps(turn.at("combat")), {**HYDRAN_FIGHTS, **(answers or {})})


@pytest.mark.rule("cutler", "3.8")
def test_all_that_the_hydran_is_asked_and_told_at_hydraxx(kept: Kept) -> None:
    run = test_hydraxx.played()
    assert texts(run, "hydran") == kept("texts(run, hydran)")
    first = {ask.kind: ask for ask in reversed(run.asks) if "hydran" in ask.parties}
    said = {kind: on_sheet(first[kind])[:14] for kind in ("allocate", "wave", "pursuit", "surround", "flank")}
    assert said == kept("#2")
    assert panels(battles_of(run)[0], "hydran") == kept("panels(battles_of(run)(0), hydran)")
    assert panels(battles_of(run)[1], "hydran") == kept("panels(battles_of(run)(1), hydran)")
    assert panels(battles_of(run)[2], "hydran") == kept("panels(battles_of(run)(2), hydran)")


@pytest.mark.rule("cutler", "3.8")
def test_all_that_the_klingon_is_asked_and_told_at_hydraxx(kept: Kept) -> None:
    run = test_hydraxx.played()
    assert texts(run, "klingon") == kept("texts(run, klingon)")
    first = {ask.kind: ask for ask in reversed(run.asks) if "klingon" in ask.parties}
    assert {kind: on_sheet(ask)[:12] for kind, ask in first.items() if kind != "battle"} == kept("#2")
    assert panels(battles_of(run)[3], "klingon") == kept("panels(battles_of(run)(3), klingon)")
    assert [ask.setup.scene.when for ask in battles_of(run)] == kept("#1")  # type: ignore[union-attr]
    assert [ask.setup.scene.remark for ask in battles_of(run)] == kept("#3")  # type: ignore[union-attr]


played = functools.cache(test_hydraxx.played)


@cases("asked, sheet, said")
def test_what_is_refused_of_waves_and_groups_and_how_they_read(asked: str, sheet: Any, said: list[str]) -> None:
    """``asked`` is a side, a kind and a part of the title."""
    side, kind, *title = asked.split(maxsplit=2)
    ask = next(ask for ask in played().asked(side, kind) if "".join(title) in ask.title)
    assert (refusal_words(ask, sheet) or ask.read_back(ask.answer_from(sheet))) == said


@pytest.mark.rule("cutler", "3.5.8")
def test_who_leaves_a_planet_is_asked_what_it_leaves_there(kept: Kept) -> None:
    assert on_sheet(next(ask for ask in played().asked("hydran", "wave") if "from the planet" in ask.title)) == kept()


@pytest.mark.rule("cutler", "3.7.7", "3.7.1", "3.3.2")
def test_how_groups_and_navigators_read(kept: Kept) -> None:
    run = fought("turn 1 impulse 3\nhydran F1 0404 CA[officers=navigator]+DD\nlyran F1 0404 CC+FF\n")
    flank = run.asked("hydran", "flank")[0]
    assert on_sheet(flank) == kept("on_sheet(flank)")
    groups: tuple[dict[str, Any], ...] = (
        {"hydran-F1-CA": {"group": 1, "early": True}, "hydran-F1-DD": {"group": 1}},
        {"hydran-F1-CA": {"group": 1, "early": False}},
        {"hydran-F1-DD": {"group": 1, "early": True}},
    )
    assert [refusal_words(flank, one) or flank.read_back(flank.answer_from(one)) for one in groups] == kept("#2")
    caught = test_surround.surrounded("", test_surround.NAVIGATOR)
    asks = {ask.kind: ask for ask in caught.asks if "lyran" in ask.parties}
    pursuit = asks["pursuit"]
    hunts = ({"lyran-F1-CC": {"group": 1}}, {"lyran-F1-CC": {"group": 1, "early": True}})
    assert on_sheet(pursuit) == kept("on_sheet(pursuit)")
    assert [refusal_words(pursuit, one) or pursuit.read_back(pursuit.answer_from(one)) for one in hunts] == kept("#4")
    assert on_sheet(asks["surround"]) == kept("on_sheet(asks(surround))")
    assert on_sheet(asks["steer"]) == kept("on_sheet(asks(steer))")
    assert asks["surround"].read_back(asks["surround"].answer_from({"lyran-F1-CW": {"group": 1}})) == kept("#1")
    assert texts(caught, "lyran") == kept("texts(caught, lyran)")


@pytest.mark.rule("cutler", "3.1.1", "3.2", "2.10")
def test_cards_and_challenges_of_forces_in_words(kept: Kept) -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF\nklingon F1 0404 DN+CW\ntogether hydran lyran\n"
    run = fought(text, {("card", "lyran"): {"force": {"card": "bypass", "stay": False}}})
    card = run.asked("hydran", "card")[0]
    assert on_sheet(card) == kept("on_sheet(card)")
    sheets = ({"force": {"card": "combat"}}, {"force": {"card": "bypass", "stay": False}})
    assert [card.read_back(card.answer_from(one)) for one in sheets] == kept("#2")
    assert [(race, texts(run, race)) for race in ("hydran", "lyran", "klingon")] == kept("#3")
    challenge = next(ask for ask in run.asks if ask.kind == "challenge")
    options = [one.value for one in challenge.form.lines[0].fields[0].choices]
    given = [{"challenge": {"race": one}} for one in (options[0], challenge.parties[0])]
    said = [refusal_words(challenge, one) or challenge.read_back(challenge.answer_from(one)) for one in given]
    assert said == kept("#4")
    found = [ask for ask in fought(text, {("card", "lyran"): {"force": {"card": "bypass"}}}).asks if ask.kind == "card"]
    late = fought(text.replace("together hydran lyran\n", ""))
    assert refusal_words(late.asked("hydran", "card")[0], {"force": {"card": "combat", "stay": False}}) == kept("#1")
    assert len(found) == 3
    state = run.table.state
    assert [state.empires[race].alerts for race in state.races()] == kept("#5")


def manned() -> CutlerState:
    """A starbase with docking bays, a carrier, a minesweeper, and a prize; against two races in one force."""
    state = world(
        "turn 1 impulse 3\nhydran base 0404 Fort\nhydran F1 0404 CV[fighters=6]+MS+DD\nlyran F1 0404 CC+PF\n"
        "klingon F1 0404 CW\ntogether lyran klingon\n"
    )
    fort = state.units["hydran-base-0404"]
    fort.record = kind_of("base", repair=30, docking_bays=(20, 10))
    for key in ("hydran-F1-MS", "hydran-F1-DD"):
        rearmed(state.units[key], boarding_parties=4, shuttles=2, crew_units=5, cargo=3)
    state.units["hydran-F1-DD"].captured_from = "lyran"
    return state


def result(ask: AnyAsk, **lines: dict[str, Any]) -> dict[str, Any]:
    """All as before but for these lines."""
    return {line.key: {"fate": "intact", **lines.get(line.key, {})} for line in ask.form.lines}


@pytest.mark.rule("cutler", "3.4", "3.4.5", "4.2.1.1", "4.2.4.8", "2.9.8", "4.2.4.5.1", "5.1")
def test_what_the_result_of_a_battle_asks_refuses_and_says(kept: Kept) -> None:
    """The ships fight an approach battle, the starbase the next one."""
    ask, at_fort = battles_of(fought(manned(), {("battle", ""): [lambda ask: result(ask, L1={"fate": "damaged"})]}))
    assert on_sheet(ask)[2:34] == kept("on_sheet(ask)(2:34)")
    by_name = {line.label.split(": ", 1)[1].rsplit(" (", 1)[0]: line.key for line in ask.form.lines}
    carrier, sweeper, prize = (by_name[f"Hydran Hydran F1 {one}"] for one in ("Cv", "Ms", "Dd"))
    cruiser = by_name["Lyran Lyran F1 Cc"]
    wrong = [
        (cruiser, {"module_lost": True, "fate": "damaged"}), (cruiser, {"warp_lost": 31, "fate": "damaged"}),
        (cruiser, {"impulse_lost": 5, "fate": "damaged"}), (sweeper, {"cargo_lost": 4, "fate": "damaged"}),
        (sweeper, {"cargo_lost": 1}), (sweeper, {"repair_points": 999}), (sweeper, {"parties_lost": 9}),
        (sweeper, {"shuttles_lost": 9}), (sweeper, {"crew_lost": 9}), (sweeper, {"mines_dropped": 999}),
        (carrier, {"fighters_lost": 99}), (carrier, {"boosters_lost": 99}),
        (cruiser, {"fate": "captured", "captor": "klingon"}), (cruiser, {"fate": "gone"}),
    ]  # fmt: skip
    assert [refusal_words(ask, result(ask, **{key: line})) for key, line in wrong] == kept("#2")
    strange = {key: line for key, line in result(ask).items() if key != cruiser} | {"X1": {"fate": "intact"}}
    assert refusal_words(ask, strange) == kept("refusal_words(ask, strange)")
    gone = {key: {"fate": "destroyed"} for key in by_name.values() if key[0] == "H"}
    assert refusal_words(ask, result(ask, **gone | {cruiser: {"fate": "captured"}})) == kept("#1")
    lost = {"shuttles_lost": 1, "crew_lost": 1, "mines_dropped": 3, "parties_lost": 1, "cargo_lost": 1}
    lines: dict[str, Any] = {
        carrier: {"fate": "damaged", "fighters_lost": 1, "boosters_lost": 1},
        sweeper: {"fate": "damaged", "warp_lost": 2, "impulse_lost": 1, "repair_points": 1, **lost},
        prize: {"fate": "captured", "captor": "klingon", "warp_lost": 1, "repair_points": 2, "parties_lost": 2}
        | {"shuttles_lost": 2, "crew_lost": 2},
        cruiser: {"fate": "disengaged", "impulse_lost": 1},
    }
    sheet = ask.answer_from(result(ask, **lines))
    assert ask.read_back(sheet) == kept("ask.read_back(sheet)")
    assert ask.warn(sheet) == kept("ask.warn(sheet)")
    assert panels(ask, "hydran")[16:] == kept("panels(ask, hydran)(16:)")
    assert [[panel.title, *panel.rows] for panel in ask.setup.panels if panel.title.endswith("force")] == kept("#5")
    assert on_sheet(at_fort)[2:8] == kept("on_sheet(at_fort)(2:8)")
    assert [
        refusal_words(at_fort, result(at_fort, H1=line)) for line in ({"fate": "disengaged"}, {"module_lost": True})
    ] == kept("#7")
    assert at_fort.read_back(at_fort.answer_from(result(at_fort, H1={"fate": "damaged", "module_lost": True})))[
        0
    ] == kept("#3")
    over = fought(manned(), {("battle", ""): [result(ask, **lines)]})
    assert texts(over, "hydran")[-9:] == kept("texts(over, hydran)(-9:)")
    assert plot_ask(over.table.state, "hydran").text == kept("#4")


@pytest.mark.rule("cutler", "3.3.5", "3.4", "2.9.5", "2.9.8")
def test_what_is_told_where_nobody_is_left_and_of_contacts_that_are_no_more(kept: Kept) -> None:
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 FF\n"
    away = fought(text, {("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}]}, escape=[1])
    assert texts(away, "lyran") == kept("texts(away, lyran)")
    lost = fought(text, {("battle", ""): {"H1": {"fate": "intact"}, "L1": {"fate": "destroyed"}}})
    assert texts(lost, "hydran") == kept("texts(lost, hydran)")
    gone = fought(text, {("battle", ""): {"H1": {"fate": "disengaged"}, "L1": {"fate": "intact"}}})
    assert texts(gone, "hydran") == kept("texts(gone, hydran)")


@pytest.mark.rule("cutler", "3.5", "3.5.1", "3.5.2", "1.1.2.4")
def test_features_have_names_and_say_what_is_to_know_of_them(kept: Kept) -> None:
    state = world("planet minor 0404 hydran rock\nasteroids 0707\nhydran base 0505 Post\nhydran base 0505")
    state.systems["0404"] = StarSystem(moons=(4,), gas_giant=2, giant_moons=(8,), asteroid_field=True, rings=True)
    names = ("black_hole", "neutron_star", "white_dwarf", "pulsar")
    state.terrain |= {f"060{number}": name for number, name in enumerate(names, 1)}  # type: ignore[misc]
    bases = [state.units["hydran-base-0505"]]
    found = [one for hex_id in ("0404", "0707", *state.terrain) for one in features_of(state, hex_id, [])]
    found += features_of(state, "0505", bases)
    assert [f"{one.key}: {one.name}. {one.says}" for one in found] == kept()
    state.systems["0404"] = StarSystem(gas_giant=3)
    assert [one.says for one in features_of(state, "0404", []) if one.key == "giant"] == kept("#1")


@pytest.mark.rule("cutler", "3.5.10", "3.5.9")
@pytest.mark.parametrize("terrain", ["nebula", "dust", "heat"])
def test_when_and_where_a_battle_is_fought(terrain: Any, kept: Kept) -> None:
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 FF")
    state.terrain["0404"] = terrain
    (ask,) = battles_of(fought(state))
    assert [ask.setup.scene.when, ask.setup.scene.remark, *ask.setup.panels[0].rows] == kept()


@pytest.mark.rule("cutler", "3.5.9", "3.5.4.1", "3.5.4")
def test_how_the_depth_of_a_battle_reads_and_why_who_defends(kept: Kept) -> None:
    ask = test_terrain.fought(LOCATION, PLACE).asked("hydran", "depth")[0]
    sheets = ({"battle": {"depth": "edge"}}, {"battle": {"depth": "deep"}}, {})
    assert [ask.read_back(ask.answer_from(one)) for one in sheets] == kept()
    one, force = "hydran F1 0404 CA", "hydran F1 0404 CA\nklingon F1 0404 CW\ntogether hydran klingon"
    why = {one: "Hydran has the higher die and defends.", force: "Hydran and Klingon have the higher die and defend."}
    for who, said in why.items():
        thrown = fought(f"turn 2 impulse 3\nasteroids 0404\nlyran F1 0404 CC\n{who}\n")
        assert [one for one in texts(thrown, "lyran") if "defend" in one] == [f"In 0404 the {said}"]


@pytest.mark.rule("cutler", "3.5.5.1")
def test_what_pursuers_are_asked_whom_a_wave_led_to_a_feature(kept: Kept) -> None:
    answers = {
        ("allocate", "hydran"): test_terrain.at(CA="approach", DD="approach", PF="planet"),
        ("wave", "lyran"): [test_terrain.wave("lyran-F1-FF", to="planet"), test_terrain.wave()],
        ("pursuit", "hydran"): {"hydran-F1-CA": {"group": 1}, "hydran-F1-DD": {"group": 1}},
    }
    run = test_terrain.fought(answers=answers, dice={"escape from": [1]})
    ask = run.asked("hydran", "join")[0]
    assert on_sheet(ask) == kept("on_sheet(ask)")
    ships = [["hydran-F1-DD"], [], ["hydran-F1-PF", "hydran-F1-CA", "hydran-F1-CA"]]
    sheets: list[dict[str, Any]] = [{}, *({"join": {"ships": named}} for named in ships)]
    assert [refusal_words(ask, one) or ask.read_back(ask.answer_from(one)) for one in sheets] == kept("#2")
    assert texts(run, "hydran") == kept("texts(run, hydran)")


def traders() -> Run:
    """A Hydran between battles with two races, with something to move."""
    state = world(
        "turn 1 impulse 3\nhydran F1 0404 CA+DD+CV[fighters=6]\nlyran F1 0404 CC\nklingon F1 0404 CW\n"
        "hydran base 0404 Yard"
    )
    for key in ("hydran-F1-CA", "hydran-F1-DD"):
        rearmed(state.units[key], boarding_parties=4, shuttles=2, drones=6, crew_units=4, cargo=2)
        state.units[key].boarding_parties = state.units[key].crew_units = 4
    state.units["hydran-base-0404"].stowed["mines"] = Lot(item=STANDARD["mines"], count=5)
    challenges = {("challenge", one): {"challenge": {"race": "hydran"}} for one in ("lyran", "klingon")}
    return fought(state, challenges | {("battle", ""): result})


@pytest.mark.rule("cutler", "3.9")
def test_what_may_be_moved_between_battles_is_said(kept: Kept) -> None:
    assert on_sheet(traders().asked("hydran", "transfer")[0])[:8] == kept()


@cases("line, said")
def test_what_may_be_moved_between_battles(line: dict[str, Any], said: list[str]) -> None:
    ask = traders().asked("hydran", "transfer")[0]
    assert (refusal_words(ask, {"A1": line}) or ask.read_back(ask.answer_from({"A1": line}))) == said


@pytest.mark.rule("cutler", "2.9.5", "2.9.8", "3.8")
def test_what_is_refused_of_fighters_in_a_battle(kept: Kept) -> None:
    """Six fighters of a carrier are sent after a ship that flees, and catch it."""
    lines: tuple[dict[str, Any], ...] = (
        {"fate": "intact", "fighters_lost": 2},
        {"fate": "captured"},
        {"fate": "damaged", "fighters_lost": 6},
    )
    said: list[list[str]] = []

    def judged(ask: AnyAsk) -> dict[str, Any]:
        said.extend(refusal_words(ask, result(ask, H1=line)) for line in lines)
        return result(ask)

    answers = {
        ("wave", "lyran"): [{"wave": {"ships": ["lyran-F1-FF"]}}],
        ("pursuit", "hydran"): {"hydran-F1-CV/fighters": {"group": 1}},
        ("battle", ""): [judged],
    }
    run = fought("turn 1 impulse 3\nhydran F1 0404 CV[fighters=6]\nlyran F1 0404 FF\n", answers, escape=[6])
    (setup,) = (ask.setup for ask in battles_of(run)[:1])
    assert setup is not None
    drawn = [(one.kind, one.under) for one in setup.scene.units if one.code == "H1"]
    assert drawn == [("6 fighters", "warp booster packs for 6")]
    assert [line.label for line in battles_of(run)[0].form.lines] == kept("#1")
    assert said == kept()


@pytest.mark.rule("cutler", "4.2.1.1", "3.5.3")
def test_a_ship_that_leaves_its_dock_for_a_battle_is_warned(kept: Kept) -> None:
    state = yard(
        "turn 2 impulse 3\nplanet capital 0205 hydran rock\nhydran base 0205 Yard\nhydran F1 0205 CA\n"
        "lyran F1 0205 CC[from=0204]\n"
    )
    work = DockWork(
        base="hydran-base-0205", bay=1, race="hydran", into=state.classes["cc"], named="A", cost=60, ship="hydran-F1-CA"
    )
    state.works[work.key] = work
    ask = fought(state).asked("hydran", "allocate")[0]
    sheets = ({}, {"hydran-F1-CA": {"place": "planet"}}, {"hydran-F1-CA": {"place": "approach"}})
    assert [ask.warn(ask.answer_from(one)) for one in sheets] == kept()


@pytest.mark.rule("cutler", "2.9.1", "2.9.5", "2.9.8", "3.5.9")
@pytest.mark.parametrize("at_base", [False, True])
def test_how_a_sortie_against_a_base_of_a_force_is_set_up(at_base: bool, kept: Kept) -> None:
    text = (
        "turn 1 impulse 3\nhydran F1 0403 CV[fighters=12]\nklingon base 0404 Fort\nklingon F1 0404 CW\n"
        "lyran F1 0404 CC\ntogether klingon lyran\n"
    )
    answers: dict[Any, Any] = {
        ("sortie", "hydran"): {"hydran-F1-CV": {"target": "0404"}}, ("attack", "hydran"): {"lyran": {"fighters": 12}},
        ("allocate", "klingon"): {"klingon-F1-CW": {"place": "base1"}}, ("battle", ""): combats.fates(H="disengaged"),
    }  # fmt: skip
    answers |= {("allocate", "lyran"): {"lyran-F1-CC": {"place": "base1"}}} if at_base else {}
    turn = table_of(world(text))
    run = Run(turn, sorties_steps(turn.at("sortie")), answers)
    assert [panels(ask, "hydran")[:14] for ask in battles_of(run)] == kept("panels")
    assert [ask.setup.scene.when for ask in battles_of(run)] == kept("when")
    assert texts(run, "klingon") == kept("told")


@pytest.mark.rule("cutler", "3.5.9")
def test_what_is_remarked_of_a_battle_at_the_edge_of_a_location() -> None:
    edge = battles_of(test_terrain.fought(LOCATION, PLACE))[-1]
    assert edge.setup.scene.remark == "Weapon status 1. Nobody flanks here. Nobody can accelerate away."
