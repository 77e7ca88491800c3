"""Chapter 4: every word of a turn's sheet about docks, bases and accessories, and of what is told then."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties
from rules_engine.rulebooks.cutler.ch04_accessories.mine_orders import features
from rules_engine.rulebooks.cutler.ch04_accessories.mines_in_battle import battle_charts
from rules_engine.rulebooks.cutler.ch04_economics.shown import dock_panel
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain, TerrainFeature
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.armed import mooned
from tests.rulebooks.cutler.worlds import kind_of, offered, refusal_words, set_fields, table_of, texts, world
from tests.rulebooks.cutler.yards import HOME, YARD, refused_in_words, turn, yard

CA, FF, AUX = "hydran-F1-CA", "hydran-F1-FF", "hydran-F2-AUX"


def choices(ask: AnyAsk, line: str, field: str) -> list[str]:
    """What a field offers, with its hints."""
    (found,) = (one for one in ask.form.by_key[line].fields if one.key == field)
    return [f"{one.label} ({one.hint})" if one.hint else one.label for one in found.choices]


def works(**lines: Any) -> CutlerState:
    """A yard with three bays; a ship there is damaged and has a poor crew, and a planet has no police ship."""
    state = yard(
        HOME + "hydran F1 0205 CA+FF[warp=9,crew=poor]\nhydran F2 0205 AUX\nhydran police 0307 Watch\n",
        bays=(30, 20, 90),
    )
    state.empires["hydran"].base_pool = 300
    state.classes["ff"] = kind_of("FF", crew_units=20, refits={"sc": 30, "dd": 4})
    state.units[FF].record = state.classes["ff"]
    set_fields(state.units[CA], lines)
    return state


@pytest.mark.rule("cutler", "4.2.1", "4.2.3", "4.2.4.8", "4.3", "2.8")
def test_what_a_bay_offers_by_its_words(kept: Kept) -> None:
    ask = turn_ask(works(), "hydran")
    said = choices(ask, "D3", "work")
    assert [one for one in said if not one.startswith("Build") or one.split()[1] in ("CA", "Police", "FRD")] == kept()
    assert [repr(one) for one in offered(ask.form.by_key["D3"]) if one[0] in ("Begin", "Name")][1:] == kept("#1")
    state = works()
    turn(state, D1={"work": "build ff", "cpv": 10}, D3={"work": "build ca", "cpv": 80, "name": "Swell"})
    ask = turn_ask(state, "hydran")
    assert (ask.form.by_key["D1"].label, ask.form.by_key["D1"].note) == kept("#2")
    assert [repr(one) for one in offered(ask.form.by_key["D1"])] == kept("#3")
    assert choices(ask, "D1", "work") == kept("choices(ask, D1, work)")
    assert choices(ask, "base", "type") == kept("choices(ask, base, type)")


@pytest.mark.rule("cutler", "4.2.1", "4.2.3", "4.2.3.3", "4.3", "4.4.1", "4.4.5", "4.1.7")
def test_what_docks_and_bases_read_back_warn_of_and_tell(kept: Kept) -> None:
    state = works(cargo_cpv=0)
    state.classes["bs"] = kind_of("base", class_id="bs", name="BS", base_type="BS", bpv_economic=101, cargo=10)
    state.units["hydran-base-0307"] = state.units[YARD].copied()
    other = state.units["hydran-base-0307"]
    other.id, other.name, other.hex, other.record = "hydran-base-0307", "Post", "0307", state.classes["bs"]
    other.cargo_cpv = 3
    state.units[AUX].unload = True
    first: dict[str, Any] = {
        "H0205": {"cargo": 5, "repair": 90},
        "D1": {"work": "build ff", "cpv": 10},
        "D2": {"work": f"repair {FF}", "cpv": 14},
        "D3": {"work": "build ff", "then": "sc", "cpv": 60, "name": "Swell"},
        "L1": {"carry": 2, "unload": False},
        "scrap": {"base": "hydran-base-0307", "sure": True},
    }
    ask = turn_ask(state, "hydran")
    assert refusal_words(ask, first) == []
    assert ask.read_back(ask.answer_from(first)) == kept("#1")
    assert ask.warn(ask.answer_from(first)) == kept("ask.warn(ask.answer_from(first))")
    assert texts(turn(state, **first).table) == kept("texts(run)")
    assert state.empires["hydran"].alerts == kept("state.empires(hydran).alerts")
    second: dict[str, Any] = {
        "D1": {"work": "give up"}, "D3": {"work": f"refit {CA} into cc"}, "L1": {"unload": True},
        "H0205": {"repair": 50},
    }  # fmt: skip
    ask = turn_ask(state, "hydran")
    assert refusal_words(ask, second) == []
    assert ask.read_back(ask.answer_from(second)) == kept("#4")
    assert texts(turn(state, **second).table) == kept("texts(turn(state, **second))")
    assert [f"{one.item}, {one.cpv}" for one in state.spent] == kept("#6")


def odd_works() -> CutlerState:
    """The same yard with classes that no dock builds, each for a reason of its own."""
    state = works()
    odd: dict[str, dict[str, Any]] = {
        "rock": {"kind": "ground_base", "base_type": None, "cargo": 0}, "spot": {"base_type": "BS", "bpv_economic": 0},
        "free": {"bpv_economic": 0}, "other": {"empire": "lyran"}, "mule": {"hybrid": True},
    }  # fmt: skip
    for key, figures in odd.items():
        code = "base" if "base_type" in figures else "FF"
        state.classes[key] = kind_of(code, class_id=key, name=key.title(), **figures)
    return state


@cases("start, sheet, words")
def test_what_docks_refuse_and_why(start: str, sheet: dict[str, Any], words: list[str]) -> None:
    state = evaluated(start, globals())
    state.empires["hydran"].base_pool = 300
    assert refused_in_words(state, **sheet) == words


@pytest.mark.rule("cutler", "4.2.3", "4.1.8")
def test_cpv_without_a_box_after_a_refit_are_told_and_sites_without_a_builder_shown(kept: Kept) -> None:
    state = works(cargo_cpv=60)
    state.units[CA].record = kind_of("CA", cargo=60, refits={"cc": 20})
    state.classes["cc"] = kind_of("CC", cargo=5)
    state.sites["hydran/S1"] = BaseSite(
        key="S1", race="hydran", hex="0404", into=state.classes["bs"], named="Rock", cost=60, set_aside=12
    )
    state.sites["hydran/S2"] = BaseSite(
        key="S2", race="hydran", hex="0205", into=state.classes["bs"], named="Reef", cost=60, set_aside=60, builder=AUX
    )
    assert list(dock_panel(state, "hydran").rows)[-2:] == kept("#1")
    assert [one for one in texts(turn(state, D3={"work": f"refit {CA} into cc"}).table) if "Ca" in one] == kept("#2")


def forts() -> CutlerState:
    """A yard beside a planet with moons, and two classes of ground bases."""
    state = mooned(yard(HOME), "0205")
    for key, cost in (("fort", 9), ("keep", 12)):
        figures = {"kind": "ground_base", "base_type": None, "cargo": 0, "bpv_economic": cost}
        state.classes[key] = kind_of("base", class_id=key, name=key.title(), **figures)
    return state


@cases("line, words")
def test_ground_bases_that_cannot_be_are_refused(line: dict[str, Any], words: list[str]) -> None:
    assert refused_in_words(forts(), G1=line) == words



@pytest.mark.rule("cutler", "4.4.9", "1.1.2.4")
def test_what_is_asked_refused_and_told_of_ground_bases_on_planets_and_moons(kept: Kept) -> None:
    state = forts()
    (ours,) = (planet for planet in state.planets.values() if planet.hex == "0205")
    moon = next(one for one in state.moons.values())
    ask = turn_ask(state, "hydran")
    (line,) = (one for one in ask.form.lines if one.label == f"Ground bases on {ours.name}")
    assert [line.label, line.note, *map(repr, offered(line))] == kept("#1")
    state.moons[moon.key].owner = "lyran"
    assert refused_in_words(state, **{line.key: {"on_moons": 1, "moons": [moon.key]}}) == kept("#3")
    state.moons[moon.key].owner = "hydran"
    sheet: dict[str, Any] = {line.key: {"build": 2, "sides": ["A", "C"], "on_moons": 1, "type": "keep"}}
    assert [one for one in ask.read_back(ask.answer_from(sheet)) if "will have" in one] == kept("#4")
    assert [one for one in texts(turn(state, **sheet).table) if "builds" in one] == kept("#5")


def sellers() -> CutlerState:
    """A yard with a cruiser that has people and craft aboard, and two frigates."""
    state = yard(HOME + "hydran F1 0205 CA[fighters=3,officers=captain]+FF\nhydran F2 0303 FF\n")
    state.units[CA].record = kind_of("CA", drones=20, shuttles=4, fighters=3, cargo=9, crew_units=5, boarding_parties=4)
    state.units[CA].crew_units = 5
    state.units[CA].holds |= {key: Lot(item=STANDARD[key], count=n) for key, n in (("drone_1_slow", 9), ("shuttle", 4))}
    state.units[CA].passengers["ace"] = Lot(item=STANDARD["ace"], count=1)
    return state


@pytest.mark.rule("cutler", "4.2.4", "4.2.4.1.1", "4.2.4.8", "4.2.4.7")
def test_what_orders_for_accessories_offer_and_do(kept: Kept) -> None:
    ask = turn_ask(state := sellers(), "hydran")
    assert choices(ask, "A1", "item") == kept("choices(ask, A1, item)")
    assert choices(ask, "A1", "to") == kept("choices(ask, A1, to)")
    mines, drones = {"item": "mines", "count": 5, "to": f"{YARD} cargo"}, {"item": "drone_1_fast", "count": 4, "to": CA}
    ace = {"item": "ace", "to": f"{FF} hull", "origin": f"{CA} hull"}
    bought = turn(state, A1=mines, A2={**drones, "turned_in": 2}, A3=ace)
    assert [one for one in texts(bought.table) if one.startswith(("Made", "Moved"))] == kept("#4")
    assert [f"{one.item}, {one.cpv}" for one in state.spent] == kept("#1")


@cases("order, said")
def test_an_order_for_accessories_is_refused_or_read_back(order: dict[str, Any], said: list[str]) -> None:
    ask = turn_ask(sellers(), "hydran")
    refused = refusal_words(ask, {"A1": order})
    assert (refused or [one for one in ask.read_back(ask.answer_from({"A1": order})) if "A1" in one]) == said


@pytest.mark.rule("cutler", "4.2.4.5.2", "2.9.6.2")
def test_what_is_said_of_mines_at_features_and_of_an_ace_that_survives(kept: Kept) -> None:
    state = mooned(
        world("planet capital 0404 hydran rock\nhydran base 0505 Post\nhydran F1 0303 CA\nlyran F1 0404 CC"), "0404"
    )
    assert [f"{key}: {one.name}, {one.hex}" for key, one in features(state, "hydran").items()] == kept("#1")
    state.minefields["hydran/rock"] = MinesLaid(
        race="hydran", around="rock", hex="0404", places={"A5": 3, "B8": 2}, fought=True
    )
    place = TerrainFeature(key="planet", name="the planet Rock", kind="point")
    state.fights["0404"] = Fight(ground=HexTerrain(features=[place]))
    assert [[panel.title, *panel.rows] for panel in battle_charts(state, "hydran", "0404", "planet")] == kept("#2")
    told: list[list[str]] = []
    for count in (1, 2):
        state = world("turn 1 impulse 3\nhydran F1 0303 CA\nlyran F1 0404 CC")
        holds = {"fighter_ace": Lot(item=STANDARD["fighter_ace"], count=count)}
        state.sorties = [Sortie(key="1", race="hydran", origin="0303", target="0404", holds=holds)]
        return_sorties(table := table_of(state))
        told.append(texts(table))
    assert told == kept("told")


@pytest.mark.rule("cutler", "4.4.5", "4.2.1", "4.2.3.1")
def test_how_upgrades_and_works_that_go_on_read(kept: Kept) -> None:
    state = works()
    state.empires["hydran"].base_pool = 300
    state.units["hydran-base-0307"] = state.units[YARD].copied()
    post = state.units["hydran-base-0307"]
    post.id, post.name, post.hex, post.record = "hydran-base-0307", "Post", "0307", state.classes["bs"]
    ask = turn_ask(state, "hydran")
    assert [one for one in choices(ask, "base", "type") if one.startswith("Upgrade")] == kept("#3")
    sheet: dict[str, Any] = {
        "base": {"type": "upgrade hydran-base-0307 into bats"},
        "D1": {"work": "build ff", "cpv": 10},
    }
    assert refusal_words(ask, sheet) == []
    assert ask.read_back(ask.answer_from(sheet))[:4] == kept("#1")
    twice = {"base": {"type": "upgrade hydran-base-0307 into bats", "name": "Fort"}}
    assert refusal_words(ask, twice) == kept("refusal_words(ask, twice)")
    assert texts(turn(state, **sheet).table) == kept("texts(turn(state, **sheet))")
    assert list(dock_panel(state, "hydran").rows) == kept("#2")
    ask = turn_ask(state, "hydran")
    goes_on: dict[str, Any] = {"D1": {"cpv": 20}, "D2": {"work": f"refit {AUX} into ca"}}
    assert ask.read_back(ask.answer_from({"D1": {"cpv": 20}}))[1:3] == kept("#4")
    assert refusal_words(ask, goes_on) == kept("refusal_words(ask, goes_on)")
    (free,) = (one for one in ask.form.by_key["D2"].fields if one.key == "work")
    assert (free.label, free.help) == ("Begin", "blank: nothing")
