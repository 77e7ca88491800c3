"""Starting forces: points, limits, the ready-made choice, and what comes for nothing."""

from collections import Counter
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch01_setup.forces import forces_steps, judge_force, price_of
from rules_engine.rulebooks.cutler.ch01_setup.planets import placement_steps
from rules_engine.rulebooks.cutler.records.setup import Limit
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch01_setup.ring import opened, ring_files, said, table
from tests.rulebooks.cutler.ch01_setup.test_planets_and_space import settled
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, sees

EXAMPLE = {
    "dreadnought": 1, "battlecruiser": 1, "command_cruiser": 1, "heavy_cruiser": 3, "war_cruiser": 3,
    "light_cruiser": 3, "destroyer": 3, "frigate": 3,
}  # fmt: skip


@pytest.mark.rule("cutler", "1.1.3", "1.0")
def test_a_ship_costs_the_higher_of_its_two_values() -> None:
    assert price_of(kind_of("CA", bpv_economic=120, bpv_combat=128)) == 128
    assert price_of(kind_of("SC", bpv_economic=85, bpv_combat=50)) == 85


@pytest.mark.rule("cutler", "1.0", "1.1.3")
def test_the_books_example_fleet_keeps_to_the_limits() -> None:
    """1 DN, 1 BCH, 1 CC, 3 CA, 3 CW, 3 CL, 3 DD, 3 FF.

    At the invented prices: 180 + 165 + 150 + 384 + 330 + 300 + 252 + 186 = 1947."""
    _, setup = opened(2)
    assert (judge_force(setup, {"all": EXAMPLE}), setup.rules.points) == ([], 2000)
    assert sum(price_of(setup.classes[key]) * count for key, count in EXAMPLE.items()) == 1947


@cases("force, said", "")
def test_each_limit_is_kept(force: dict[str, int], said: str) -> None:
    _, setup = opened(2)
    (refusal,) = judge_force(setup, {"all": force})
    assert refusal.problem.startswith(said)
    assert refusal.legal


@pytest.mark.rule("cutler", "1.1.3")
def test_points_are_counted_to_the_last_and_over_all_planets(kept: Kept) -> None:
    _, setup = opened(2)
    setup.rules = setup.rules.with_values(points=124, each_class=9)
    assert judge_force(setup, {"a": {"frigate": 1}, "b": {"frigate": 1}}) == []
    assert [one.legal for one in judge_force(setup, {"a": {"frigate": 1}, "b": {"frigate": 1, "scout": 1}})] == kept()


@pytest.mark.rule("cutler", "1.1.3")
def test_at_most_a_quarter_of_the_points_are_freighters() -> None:
    _, setup = opened(2)
    setup.classes["ore"] = kind_of("FF", class_id="ore", kind="freighter", bpv_economic=100, bpv_combat=10)
    setup.rules = setup.rules.with_values(each_class=9, points=1600)
    assert judge_force(setup, {"all": {"ore": 4}}) == []
    (refusal,) = judge_force(setup, {"all": {"ore": 5}})
    assert (refusal.problem, refusal.legal) == ("freighters for 500 points", "at most 400")


def bought(**lines: str) -> Any:
    """Both races buy; the first race's lines by the ending of a planet's key."""
    state, setup, turn = settled()
    Run(turn, placement_steps(turn, setup))
    turn = table(state)
    given = {f"seat-1-{name}": {"ships": ships} for name, ships in lines.items()}
    answers = {("forces", "seat-1"): given} if given else {}
    return state, turn, Run(turn, forces_steps(turn, setup), answers)


@pytest.mark.rule("cutler", "1.1.3", "2.8")
def test_ships_stand_at_their_planets_and_bases_and_police_come_for_nothing() -> None:
    none = {f"{kind}{n}": "" for kind, most in (("major", 2), ("minor", 4)) for n in range(1, most + 1)}
    state, turn, _ = bought(capital="2 frigate, Destroyer", **{**none, "minor4": "1 x scout"})
    mine = [unit for unit in state.units.values() if unit.race == "seat-1"]
    where = {planet.key: planet.hex for planet in state.planets_of("seat-1")}
    at_capital = Counter(unit.record.class_id for unit in mine if unit.hex == where["seat-1-capital"])
    assert at_capital == {"frigate": 2, "destroyer": 1, "starbase": 1, "police_cutter": 1}
    at_minor = Counter(unit.record.class_id for unit in mine if unit.hex == where["seat-1-minor4"])
    assert at_minor == {"scout": 1, "base_station": 1, "police_cutter": 1}
    assert Counter(unit.record.base_type for unit in mine if unit.kind == "base") == {"SB": 1, "BATS": 2, "BS": 4}
    assert len(state.fleets_of("seat-1")) == 2
    assert len({unit.name for unit in mine}) == len(mine)
    # 2 frigates at 62, a destroyer at 84, a scout at 85: its economic value is the higher.
    assert said(turn, "seat-1") == ["You begin with 4 ships for 293 of 2000 points."]


@pytest.mark.rule("cutler", "1.1.3")
def test_who_does_not_choose_has_the_ready_made_force() -> None:
    state, turn, run = bought()
    ships = Counter(unit.record.class_id for unit in state.units.values() if unit.race == "seat-2" and unit.is_mobile)
    del ships["police_cutter"]
    assert ships == {**EXAMPLE, "frigate": 2, "scout": 1}
    assert said(turn, "seat-2") == ["You begin with 18 ships for 1970 of 2000 points."]
    assert RULEBOOK.defects(state) == []
    assert len(run.asked("seat-1", "forces")[0].text) <= 800


@pytest.mark.rule("cutler", "1.1.3")
def test_the_ready_made_force_is_shared_out_over_the_first_three_planets(kept: Kept) -> None:
    """The largest first, then the dearest, one by one: capital, major, major and again. 18 ships are six each, and a
    class of which there is one is written without a number."""
    _, _, run = bought()
    (ask,) = run.asked("seat-1", "forces")
    filled = [line.fields[0].value for line in ask.form.lines]
    assert filled == kept()
    assert ask.read_back(ask.answer_from({"seat-1-capital": {"ships": "2 scout, frigate"}}))[0].endswith(
        ": 1 Frigate, 2 Scouts."
    )
    assert {(one.most, one.help) for line in ask.form.lines for one in line.fields} == {(400, WRITTEN)}


@pytest.mark.rule("cutler", "1.1.3")
def test_the_prices_of_a_long_catalogue_are_cut_off_at_what_a_sheet_shows() -> None:
    state, setup, turn = settled()
    Run(turn, placement_steps(turn, setup))
    setup.classes |= {f"x{n}": kind_of("CA", class_id=f"x{n}", name=f"Extraordinary {n}") for n in range(60)}
    assert [len(ask.text) for ask in Run(table(state), forces_steps(table(state), setup)).asks] == [800, 800]


SHIPS, WRITTEN = "seat-1-capital.ships", "classes and numbers, as 2 frigate, destroyer"
NEAR = "Did you mean frigate or small freighter or large freighter?"


@cases("line, expected")
def test_what_cannot_be_bought_is_refused(line: str, expected: Any) -> None:
    state, _, run = bought()
    ask = run.asked("seat-1", "forces")[0]
    none = {planet.key: {"ships": ""} for planet in state.planets_of("seat-1")}
    assert refusal_words(ask, {**none, "seat-1-capital": {"ships": line}}) == expected


@pytest.mark.unseen("cutler", asks=("forces",))
@pytest.mark.rule("cutler", "1.1.3")
def test_others_learn_nothing_of_what_is_bought() -> None:
    one, other = bought(), bought(capital="2 scout", major1="monitor", major2="frigate")
    texts = [sees(turn, run.asks, "seat-2") for _, turn, run in (one, other)]
    assert texts[0] == texts[1]


@cases("old, new, said", "")
def test_defects_of_an_open_scenario_are_named(old: str, new: str, said: str | None) -> None:
    files = ring_files()
    files["scenario.toml"] = files["scenario.toml"].replace(old, new)
    if said is None:
        RULEBOOK.read_scenario(files)
        return
    with pytest.raises(Refused, match=said):
        RULEBOOK.read_scenario(files)


# --- one thing at a time ---------------------------------------------------------------------------------------------
def allowed(limit: Limit) -> Any:
    """The set-up with nothing limited but what is told: one of a class, hulls, scouts or carriers."""
    _, setup = opened(2)
    setup.rules = setup.rules.with_values(points=90_000, each_class=99, freighter_share=100, limits=(limit,))
    return setup


@cases("limit, counted")
def test_a_limit_counts_the_ships_that_it_names(limit: dict[str, Any], counted: dict[str, bool]) -> None:
    kinds = {
        "plain": kind_of("CA", class_id="plain"),
        "frigate": kind_of("FF", class_id="frigate"),
        "scout": kind_of("SC", class_id="scout", special_sensors=1),
        "deck": kind_of("CV", class_id="deck", fighters=1),
    }
    one = Limit(says="these", most=1, **limit)
    assert {key: one.counts(kind) for key, kind in kinds.items()} == counted
    setup = allowed(one)
    setup.classes |= kinds
    for key, counts in counted.items():
        assert judge_force(setup, {"all": {key: 1}}) == []
        found = [str(refusal) for refusal in judge_force(setup, {"all": {key: 2}})]
        assert found == (["forces: 2 of these (1.1.3, CU-R11). Legal: at most 1."] if counts else [])


@pytest.mark.rule("cutler", "1.1.3")
def test_sixty_ships_are_the_most_and_q_ships_are_freighters(kept: Kept) -> None:
    setup = allowed(Limit(says="these", most=1))
    assert judge_force(setup, {"all": {"frigate": 40}, "other": {"scout": 20}}) == []
    assert [str(one) for one in judge_force(setup, {"all": {"frigate": 41}, "other": {"scout": 20}})] == kept("#1")
    setup.rules = setup.rules.with_values(points=400, freighter_share=25)
    setup.classes["decoy"] = kind_of("QS", class_id="decoy")
    assert judge_force(setup, {"all": {"decoy": 2}}) == []
    assert [str(one) for one in judge_force(setup, {"all": {"decoy": 3}})] == kept("#2")


@pytest.mark.rule("cutler", "1.1.3")
def test_a_race_buys_its_own_classes_and_those_of_all_but_no_bases_police_ships_or_hybrids() -> None:
    _, setup = opened(2)
    setup.classes = {
        "any": kind_of("CA"),
        "own": kind_of("CA", empire="Gorn"),
        "other": kind_of("CA", empire="Lyran"),
        "base": kind_of("base"),
        "ground": kind_of("AUX", kind="ground_base", warp=0, impulse=0),
        "police": kind_of("police"),
        "mixed": kind_of("CA", hybrid=True),
        "ore": kind_of("FL"),
    }
    found = list(setup.buyable("Gorn"))
    assert [key for key, kind in setup.classes.items() if any(one is kind for one in found)] == ["any", "own", "ore"]


@pytest.mark.rule("cutler", "1.1.3")
def test_what_is_bought_is_read_back_planet_by_planet() -> None:
    state, _, run = bought()
    ask = run.asked("seat-1", "forces")[0]
    none = {planet.key: {"ships": ""} for planet in state.planets_of("seat-1")}
    given = {**none, "seat-1-capital": {"ships": "2 frigate, 1 scout, Frigate"}, "seat-1-minor2": {"ships": "scout"}}
    where = {planet.key: f"{planet.name}, {planet.hex}" for planet in state.planets_of("seat-1")}
    assert ask.read_back(ask.answer_from(given)) == [
        f"{where['seat-1-capital']}: 3 Frigates, 1 Scout.",
        f"{where['seat-1-minor2']}: 1 Scout.",
        "356 of 2000 points.",  # 3 frigates at 62, 2 scouts at 85
    ]
    assert refusal_words(ask, {**none, "seat-2-capital": {"ships": "scout"}}) == [
        f"seat-2-capital: there is no such line. Legal: {', '.join(none)}."
    ]
