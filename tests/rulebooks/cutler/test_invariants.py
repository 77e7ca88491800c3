"""What must never be true of a campaign's state is noticed, each fault by itself and in its own words."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid, MinesToLay
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain, TerrainFeature
from rules_engine.rulebooks.cutler.records.combat.work import LastBattle, RepairsDue
from rules_engine.rulebooks.cutler.records.conditions.docking import dock
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination
from rules_engine.rulebooks.cutler.records.parts.moons import moons_of
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Fleet, Moment
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP
from tests.expected.kept import cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.armed import valued
from tests.rulebooks.cutler.one_writer import only_their_own_functions_write
from tests.rulebooks.cutler.worlds import kind_of, set_fields, world

WORLD = "\nhydran F1 0404 CA+DD\nlyran F1 0606 FF\nlyran base 0902 Den\nplanet capital 0205 hydran\nreserve hydran 40\n"
CA, DD, FF = "hydran-F1-CA", "hydran-F1-DD", "lyran-F1-FF"


def _unit(key: str, **values: object) -> Callable[[CutlerState], None]:
    return lambda state: set_fields(state.units[key], values)


def _fleet(state: CutlerState, **values: object) -> None:
    set_fields(state.fleets[next(iter(state.fleets))], values)


def _planet(state: CutlerState, **values: object) -> None:
    valued(state, next(iter(state.planets.values())), **values)


def _ground_base(state: CutlerState, **values: object) -> None:
    """A ground base on the planet, with these values."""
    before = {*state.units}
    _planet(state, ground={"A": 1})
    (key,) = {*state.units} - before
    _unit(key, **values)(state)


def _empire(state: CutlerState, **values: object) -> None:
    set_fields(state.empires["hydran"], values)


def _work(**values: Any) -> Callable[[CutlerState], None]:
    def change(state: CutlerState) -> None:
        state.units["lyran-base-0902"].record = kind_of("base", repair=5)
        begun = {"base": "lyran-base-0902", "bay": 1, "race": "lyran", "into": kind_of("FF"), "named": "A", "cost": 60}
        work = DockWork(**begun | values)
        state.works[work.key] = work

    return change


def _site(**values: Any) -> Callable[[CutlerState], None]:
    begun = {"key": "S1", "race": "lyran", "hex": "0404", "into": kind_of("base"), "named": "A", "cost": 60}
    site = BaseSite(**begun | {"set_aside": 60} | values)
    return lambda state: state.sites.update({"lyran/S1": site})


def _minefield(**values: Any) -> Callable[[CutlerState], None]:
    laid = MinesLaid(**{"race": "lyran", "around": "lyran-base-0902", "hex": "0902", "places": {"A5": 3}} | values)
    return lambda state: state.minefields.update({"lyran/lyran-base-0902": laid})


def _convoy(*units: str, name: str = "hydran/V1", **values: Any) -> Callable[[CutlerState], None]:
    """Freighters of the Hydran wait in 0404, and these sail on."""

    def change(state: CutlerState) -> None:
        state.units |= world("hydran waits 0404 FL+FS").units
        begun = {"key": "V1", "race": "hydran", "units": list(units), "at": "0404", "embarked": "0404"}
        state.convoys[name] = PlottedConvoy(**begun | {"course": ["0405"]} | values)

    return change


def _moon(state: CutlerState, key: str = "", **values: object) -> None:
    """The planet's first moon, with these values and perhaps under another key."""
    state.systems["0205"] = StarSystem(moons=(5,))
    (found,) = moons_of(state.planets["p0205"], state.systems["0205"]).values()
    state.moons[key or found.key] = found
    set_fields(found, values)


def _forces(*forces: list[str], **wishes: list[str]) -> Callable[[CutlerState], None]:
    found = Coordination(wishes=wishes, told={}, forces=list(forces))
    return lambda state: setattr(state, "coordination", found)


def _sortie(fighters: int, boosters: int) -> Callable[[CutlerState], None]:
    holds = {"fighter": Lot(item=STANDARD["fighter"], count=fighters), "wbp": Lot(item=STANDARD["wbp"], count=boosters)}
    holds = {key: lot for key, lot in holds.items() if lot.count}
    one = Sortie(key="S1", race="lyran", origin="0606", target="0607", holds=holds)
    return lambda state: state.sorties.append(one)


def _tows(state: CutlerState) -> None:
    """The cruiser tows the destroyer, which tows it."""
    for tower, towed in ((CA, DD), (DD, CA)):
        _unit(tower, record=kind_of(tower[-2:], tractors=1), towing=[towed])(state)


def _fleet_of_freighters(state: CutlerState) -> None:
    _convoy("hydran-waits-FL")(state)
    _fleet(state, units=[CA, DD, "hydran-waits-FL"])


def _second_fleet(state: CutlerState) -> None:
    state.fleets["another"] = Fleet(key="another", race="hydran", units=[CA])


def _lost(state: CutlerState) -> None:
    next(iter(state.fleets.values())).units.remove(DD)


def test_a_world_as_it_should_be_has_none() -> None:
    state = world(WORLD)
    assert set(state.units) >= {CA, DD, FF}
    assert defects(state) == []


# --- each fault by itself, and nothing beside it ---------------------------------------------------------------------
def _own_moon(state: CutlerState, **values: object) -> None:
    """A moon of the planet in 0205, with these values."""
    planet = state.planets["p0205"]
    state.systems["0205"] = StarSystem(moons=(4,))
    state.moons = moons_of(planet, state.systems["0205"])
    set_fields(state.moons["moon1_0205"], values)


def _moon_without(what: str) -> Callable[[CutlerState], None]:
    def change(state: CutlerState) -> None:
        _own_moon(state)
        if what == "system":
            del state.systems["0205"]
        elif what == "planet":
            del state.planets["p0205"]
        elif what == "number":
            state.systems["0205"] = StarSystem(gas_giant=2, giant_moons=(8,))
        else:
            state.planets["moon1_0205"] = state.planets.pop("p0205")

    return change


def _shuttles(count: int, boxes: int) -> Callable[[CutlerState], None]:
    """So many shuttles on the planet, and a ground base with so many boxes for them."""

    def change(state: CutlerState) -> None:
        _ground_base(state)
        (base,) = [unit for unit in state.units.values() if unit.kind == "ground_base"]
        base.record = base.record.model_copy(update={"shuttles": boxes})
        state.planets["p0205"].shuttles = count

    return change


def _beside(gcv: int = 0, **squads: int) -> Callable[[CutlerState], None]:
    """Twenty Lyran boarding parties that fight for the planet, with vehicles and squads."""

    beside = Landed(squads=squads, gcv=gcv)  # type: ignore[arg-type]
    return lambda state: _planet(state, landed={"lyran": 20}, landed_with={"lyran": beside})


def _due(points: int = 0, **boxes: int) -> Callable[[CutlerState], None]:
    return lambda state: state.work.repairs.update({CA: RepairsDue(points=points, boxes=boxes)})


def _presence(
    race: str = "lyran", hex_id: str = "0404", turn: int = 0, impulse: int = 0
) -> Callable[[CutlerState], None]:
    """A race in a hex since a moment, in the second impulse of the first turn."""

    def change(state: CutlerState) -> None:
        state.turn, state.impulse = 1, 2
        state.presence[hex_id] = {race: Moment(turn=turn, impulse=impulse)}

    return change


def _places(*features: str, **places: str) -> Callable[[CutlerState], None]:
    """Who is where while 0404 is fought over; fighters fly there as ``flight``."""
    here = [TerrainFeature(key=key, name=key, kind="point") for key in features]

    def change(state: CutlerState) -> None:
        ground = HexTerrain(features=here, places={key.replace("_", "-"): place for key, place in places.items()})
        state.fights["0404"] = Fight(ground=ground, flights={"flight": state.units[CA]})

    return change


def _fought(*changes: Callable[[CutlerState], None]) -> Callable[[CutlerState], None]:
    """All of these, while a hex is fought over."""

    def change(state: CutlerState) -> None:
        state.fights["0101"] = Fight()
        for one in changes:
            one(state)

    return change


def _out(**values: object) -> Callable[[CutlerState], None]:
    """Klingons out of play, who have the moon with these values."""

    def change(state: CutlerState) -> None:
        _own_moon(state, owner="klingon", **values)
        state.out = ["klingon"]

    return change


def _mines(key: str = "mines") -> Callable[[CutlerState], None]:
    """Mines stowed in cargo boxes of which there are too few: 21 fill two."""

    return _unit(CA, record=kind_of("CA", cargo=1), stowed={key: Lot(item=STANDARD[key], count=21)})


NAMED: tuple[Any, ...] = (
    _beside, _convoy, _due, _empire, _fleet, _fleet_of_freighters, _forces, _fought, _ground_base, _lost,
    _minefield, _mines, _moon, _moon_without, _out, _own_moon, _places, _planet, _presence, _second_fleet,
    _shuttles, _site, _sortie, _tows, _unit, _work, Fight, Fraction, HexTerrain, Landed, LastBattle, Lot,
    MinesToLay, Moment, RepairsDue, kind_of,
)  # fmt: skip
NOTATION: dict[str, Any] = {one.__name__.lstrip("_"): one for one in NAMED}
NOTATION |= {"CA": CA, "DD": DD, "FF": FF, "RESERVE_CAP": RESERVE_CAP, "STANDARD": STANDARD}
NOTATION["LAYS"] = MinesToLay(around="planet")
"""What changes in the tables are made of."""


@cases("change, found")
def test_a_fault_is_noticed_alone_and_what_is_none_is_not(change: str, found: list[str]) -> None:
    state = world(WORLD)
    evaluated(change, NOTATION)(state)
    assert sorted(defects(state)) == sorted(found)


@pytest.mark.parametrize("name", ["cloaked", "towing", "docked_at", "course", "missions"])
def test_a_write_to_what_lasts_by_anything_but_its_own_functions_is_noticed(name: str):
    state = world(WORLD)
    record = {"course": state.fleets["hydran/F1"], "missions": state}.get(name, state.units[CA])
    value = getattr(record, name)
    with pytest.raises(AssertionError, match=name), only_their_own_functions_write():
        setattr(record, name, value)
    with only_their_own_functions_write():
        state.units[CA].go_under_cloak()
        state.units[CA].end_tow()
        state.fleets["hydran/F1"].end_course()
        dock(state.units[DD], state.units[CA])
    setattr(record, name, value)
