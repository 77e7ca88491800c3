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
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination
from rules_engine.rulebooks.cutler.records.parts.moons import moons_of
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Fleet, Moment
from rules_engine.rulebooks.cutler.records.tables import RESERVE_CAP
from tests.rulebooks.cutler.armed import valued
from tests.rulebooks.cutler.worlds import kind_of, world

WORLD = """
hydran F1 0404 CA+DD
lyran F1 0606 FF
lyran base 0902 Den
planet capital 0205 hydran
reserve hydran 40
"""
CA, DD, FF = "hydran-F1-CA", "hydran-F1-DD", "lyran-F1-FF"


def _set(key: str, **values: object) -> Callable[[CutlerState], None]:
    def change(state: CutlerState) -> None:
        for name, value in values.items():
            setattr(state.units[key], name, value)

    return change


def _fleet(state: CutlerState, **values: object) -> None:
    for name, value in values.items():
        setattr(state.fleets[next(iter(state.fleets))], name, value)


def _planet(state: CutlerState, **values: object) -> None:
    valued(state, next(iter(state.planets.values())), **values)


def _ground_base(state: CutlerState, **values: object) -> None:
    """A ground base on the planet, with these values."""
    before = {*state.units}
    _planet(state, ground={"A": 1})
    (key,) = {*state.units} - before
    _set(key, **values)(state)


def _empire(state: CutlerState, **values: object) -> None:
    for name, value in values.items():
        setattr(state.empires["hydran"], name, value)


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
    for name, value in values.items():
        setattr(found, name, value)


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
        _set(tower, record=kind_of(tower[-2:], tractors=1), towing=[towed])(state)


def _fleet_of_freighters(state: CutlerState) -> None:
    _convoy("hydran-waits-FL")(state)
    _fleet(state, units=[CA, DD, "hydran-waits-FL"])


def _second_fleet(state: CutlerState) -> None:
    state.fleets["another"] = Fleet(key="another", race="hydran", units=[CA])


def _lost(state: CutlerState) -> None:
    fleet = next(iter(state.fleets.values()))
    fleet.units.remove(DD)


def test_a_world_as_it_should_be_has_none() -> None:
    state = world(WORLD)
    assert set(state.units) >= {CA, DD, FF}
    assert defects(state) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            _set(CA, race="gorn"),
            "unit hydran-F1-CA belongs to nobody; fleet hydran/F1 holds hydran-F1-CA, which is not of its race",
        ),
        (_set(CA, warp_ok=31), "unit hydran-F1-CA has more or fewer engine boxes than it can have"),
        (_set(CA, warp_ok=-1), "unit hydran-F1-CA has more or fewer engine boxes than it can have"),
        (_set(CA, impulse_ok=5), "unit hydran-F1-CA has more or fewer engine boxes than it can have"),
        (_set(CA, record=kind_of("CA", cargo=3), cargo_cpv=4), "unit hydran-F1-CA stores more or less CPV than it can"),
        (
            _set(CA, record=kind_of("CA", cargo=3), cargo_lost=1, cargo_cpv=3),
            "unit hydran-F1-CA stores more or less CPV than it can",
        ),
        (
            _set(CA, cargo_lost=1),
            (
                "unit hydran-F1-CA lost more or fewer cargo boxes than it has; unit hydran-F1-CA stores "
                "more or less CPV than it can; unit hydran-F1-CA has more in its cargo boxes than they "
                "can hold"
            ),
        ),
        (_set(CA, cargo_lost=-1), "unit hydran-F1-CA lost more or fewer cargo boxes than it has"),
        (_set(CA, repair_cpv=1), "unit hydran-F1-CA has more or fewer CPV in repair boxes than it can"),
        (
            _set(CA, record=kind_of("CA", cargo=3), cargo_cpv=1, destroyed=True),
            "fleet hydran/F1 holds a destroyed unit; unit hydran-F1-CA is destroyed and still stores CPV",
        ),
        (_set(CA, cargo_cpv=-1), "unit hydran-F1-CA stores more or less CPV than it can"),
        (_work(base="ghost"), "work ghost/1 is in no docking bay"),
        (_work(bay=2), "work lyran-base-0902/2 is in no docking bay"),
        (_work(race="hydran"), "work lyran-base-0902/1 is in a bay that is not its race's"),
        (_site(key="S2"), "site lyran/S1 is nowhere or nobody's"),
        (_site(hex="9999"), "site lyran/S1 is nowhere or nobody's"),
        (_site(set_aside=0), "site lyran/S1 is paid for, or has more set aside than it costs"),
        (_site(set_aside=61), "site lyran/S1 is paid for, or has more set aside than it costs"),
        (_site(upgrades="ghost"), "site lyran/S1 upgrades no base"),
        (_work(ship="ghost"), "work lyran-base-0902/1 is on a ship that is not there"),
        (_work(paid=60), "work lyran-base-0902/1 is paid for, or costs nothing"),
        (_work(paid=-1), "work lyran-base-0902/1 is paid for, or costs nothing"),
        (_set(CA, retreat_hex="0406"), "unit hydran-F1-CA would retreat to a hex that is not next to it"),
        (_set(CA, hex="0405"), "fleet hydran/F1 is in two hexes"),
        (_set(CA, destroyed=True), "fleet hydran/F1 holds a destroyed unit"),
        (_set(CA, officers=("navigator", "navigator")), "unit hydran-F1-CA has an officer twice"),
        (_set(CA, cloaked=True), "unit hydran-F1-CA is under a cloak that it has not"),
        (_set(CA, engaged=True), "unit hydran-F1-CA is found or shows itself, and is not under cloak"),
        (_set(CA, found_by=["lyran"]), "unit hydran-F1-CA is found or shows itself, and is not under cloak"),
        (_set(CA, was_cloaked=True, hexes_moved=5), "unit hydran-F1-CA moved more hexes than a cloaked one can"),
        (
            lambda state: _fleet(state, cloak=True),
            "fleet hydran/F1 would go under cloak, and cannot, or does more than it can there",
        ),
        (_set(CA, towing=[DD]), "unit hydran-F1-CA tows what it cannot"),
        (_set(CA, record=kind_of("CA", tractors=1), towing=[FF]), "unit hydran-F1-CA tows what it cannot"),
        (_set(CA, hex="9999"), "unit hydran-F1-CA is off the map; fleet hydran/F1 is in two hexes"),
        (lambda state: _planet(state, hex="9999"), "planet p0205 is nowhere or nobody's"),
        (lambda state: _planet(state, owner="gorn"), "planet p0205 is nowhere or nobody's"),
        (
            _set(CA, boarding_parties=-1),
            (
                "unit hydran-F1-CA has more or fewer boarding parties than it can have; unit "
                "hydran-F1-CA has more or fewer squads than boarding parties"
            ),
        ),
        (
            _set(CA, record=kind_of("CA", boarding_parties=4), boarding_parties=6),
            (
                "unit hydran-F1-CA has more or fewer boarding parties than it can have; unit "
                "hydran-F1-CA carries too much: Hydran F1 Ca has room for 5 boarding parties"
            ),
        ),
        (lambda state: _planet(state, razed=Fraction(201, 2)), "planet p0205 is razed by more or less than it can be"),
        (lambda state: _planet(state, razed=Fraction(-1)), "planet p0205 is razed by more or less than it can be"),
        (lambda state: _planet(state, boarding_parties=601), "planet p0205 has more or fewer troops than it can have"),
        (lambda state: _planet(state, crew_units=601), "planet p0205 has more or fewer troops than it can have"),
        (
            lambda state: _planet(state, boarding_parties=-1),
            (
                "planet p0205 has more or fewer troops than it can have; planet p0205 has more or fewer "
                "ground combat vehicles than it can have; planet p0205 has more or fewer squads than "
                "boarding parties"
            ),
        ),
        (
            lambda state: _planet(state, boarding_parties=19, gcv=2),
            "planet p0205 has more or fewer ground combat vehicles than it can have",
        ),
        (
            lambda state: _planet(state, ground={"A": 4, "F": 5}),
            "planet p0205 has more or fewer ground bases than it can have",
        ),
        (lambda state: _ground_base(state, facing=""), "unit hydran-1 faces as a ground base does"),
        (_set(CA, facing="A"), "unit hydran-F1-CA faces as a ground base does"),
        (lambda state: _ground_base(state, race="lyran"), "ground base hydran-1 stands on nothing of its race"),
        (lambda state: _ground_base(state, orbit="moon1"), "ground base hydran-1 stands on nothing of its race"),
        (lambda state: _ground_base(state, hex="0405"), "ground base hydran-1 stands on nothing of its race"),
        (
            lambda state: _planet(state, landed={"hydran": 1}),
            "planet p0205 is attacked by nobody, by too many, or by its holder",
        ),
        (
            lambda state: _planet(state, landed={"lyran": 0}),
            "planet p0205 is attacked by nobody, by too many, or by its holder",
        ),
        (
            lambda state: _planet(state, landed={"lyran": 601}),
            "planet p0205 is attacked by nobody, by too many, or by its holder",
        ),
        (lambda state: _planet(state, captured_turn=1), "planet p0205 is captured and in its first race's hands"),
        (lambda state: state.revolts.append("p0205"), "a revolt on p0205, which is not captured"),
        (lambda state: state.revolts.append("moon"), "a revolt on moon, which is not captured"),
        (lambda state: _fleet(state, raze="moon"), "fleet hydran/F1 is sent to a planet that is none"),
        (lambda state: _fleet(state, land="moon"), "fleet hydran/F1 is sent to a planet that is none"),
        (
            lambda state: _fleet(state, units=[]),
            (
                "fleet hydran/F1 is empty; unit hydran-F1-CA moves but is in no fleet; unit hydran-F1-DD "
                "moves but is in no fleet"
            ),
        ),
        (
            lambda state: _fleet(state, units=[CA, DD, FF]),
            (
                "fleet hydran/F1 holds lyran-F1-FF, which is not of its race; fleet hydran/F1 is in two "
                "hexes; unit lyran-F1-FF is in 2 fleets"
            ),
        ),
        (lambda state: _fleet(state, units=[CA, DD, "ghost"]), "fleet hydran/F1 holds ghost, which is not of its race"),
        (lambda state: _fleet(state, course=["9999"]), "fleet hydran/F1 is sent off the map"),
        (lambda state: _fleet(state, scans=["9999"]), "fleet hydran/F1 is sent off the map"),
        (lambda state: _empire(state, station_scans={CA: ["9999"]}), "hydran would scan 9999, which is not on the map"),
        (lambda state: _empire(state, station_scans={"x": []}), "hydran has scans by x, which does not exist"),
        (_set(CA, maintained=2), "unit hydran-F1-CA was maintained in a turn to come, or missed less than nothing"),
        (_set(CA, missed=-1), "unit hydran-F1-CA was maintained in a turn to come, or missed less than nothing"),
        (_set(CA, penalties_doubled=True), "unit hydran-F1-CA has doubled penalties without a poor crew"),
        (_set(CA, held_turn=2), "unit hydran-F1-CA is held in a turn to come"),
        (lambda state: state.unsurveyed.append("9999"), "9999 is unsurveyed and not on the map"),
        (lambda state: state.unsurveyed.append("0205"), "0205 is unsurveyed, and something is known of it"),
        (lambda state: state.last_through.update({"0505": "gorn"}), "0505 was passed through last by nobody"),
        (lambda state: state.last_through.update({"9999": "lyran"}), "9999 was passed through last by nobody"),
        (_second_fleet, "unit hydran-F1-CA is in 2 fleets"),
        (_lost, "unit hydran-F1-DD moves but is in no fleet"),
        (lambda state: _empire(state, reserve=-1), "the reserve of hydran is outside 0 to 300"),
        (lambda state: _empire(state, reserve=RESERVE_CAP + 1), "the reserve of hydran is outside 0 to 300"),
        (lambda state: _empire(state, base_pool=-1), "hydran has less than nothing"),
        (lambda state: _empire(state, counter_pool=-1), "hydran has less than nothing"),
        (lambda state: state.out.append("hydran"), "hydran is out of play and has units or planets"),
        (lambda state: state.out.append("lyran"), "lyran is out of play and has units or planets"),
        (lambda state: state.out.append("gorn"), "gorn is out of play and no race"),
        (
            lambda state: state.presence.update({"0404": {"lyran": Moment(turn=9, impulse=1)}}),
            "lyran is in 0404 since a time to come, or is nobody there",
        ),
        (
            lambda state: state.fights.update({"0404": Fight(ground=HexTerrain(places={CA: "giant"}))}),
            "hydran-F1-CA is at a place of 0404 that there is not, or is nobody",
        ),
        (lambda state: state.fought_at.update({"ghost": "planet"}), "ghost has fought in this impulse and is no unit"),
        (lambda state: state.work.will_repair(CA, 5, {"warp": 1}), ""),
        (lambda state: state.work.will_repair(CA, 5, {"phaser": 1}), f"{CA} has repairs due that cannot be"),
        (_moon, ""),
        (lambda state: _moon(state, kind="minor"), "the moon moon1_0205 is nobody's, or none"),
        (lambda state: _moon(state, owner="gorn"), "the moon moon1_0205 is nobody's, or none"),
        (lambda state: _moon(state, "p0205"), "p0205 is a planet and a moon; there is no moon p0205"),
        (lambda state: _moon(state, "moon9_0205"), "there is no moon moon9_0205"),
        (
            lambda state: _planet(state, squads={"heavy": 1}),
            "planet p0205 has more or fewer squads than boarding parties",
        ),
        (
            _set(CA, record=kind_of("CA", boarding_parties=4), boarding_parties=1, squads={"heavy": 2}),
            "unit hydran-F1-CA has more or fewer squads than boarding parties",
        ),
        (
            lambda state: _planet(state, landed={"lyran": 9}, landed_with={"lyran": Landed(gcv=1)}),
            "planet p0205 is attacked by squads or vehicles that cannot be there",
        ),
        (
            lambda state: _planet(state, landed={"lyran": 1}, landed_with={"lyran": Landed(squads={"commando": 2})}),
            "planet p0205 is attacked by squads or vehicles that cannot be there",
        ),
        (lambda state: _planet(state, shuttles=1), "planet p0205 has more or fewer shuttles than it has boxes for"),
        (_minefield(), ""),
        (_minefield(hex="9999"), "minefield lyran/lyran-base-0902 is nowhere or nobody's"),
        (_minefield(race="hydran"), "minefield lyran/lyran-base-0902 is nowhere or nobody's"),
        (_minefield(places={"A5": 121}), "minefield lyran/lyran-base-0902 has more or fewer mines than it can have"),
        (_minefield(places={"A5": 120}), ""),
        (
            _minefield(places={"A26": 1}),
            "minefield lyran/lyran-base-0902 has mines more than 25 hexes from what it surrounds",
        ),
        (
            _minefield(around="moon"),
            (
                "minefield lyran/lyran-base-0902 is nowhere or nobody's; minefield lyran/lyran-base-0902 "
                "surrounds nothing"
            ),
        ),
        (_convoy("hydran-waits-FL", "hydran-waits-FS"), ""),
        (_convoy(), "convoy hydran/V1 is empty, or kept under another's name"),
        (_convoy("hydran-waits-FL", name="hydran/V2"), "convoy hydran/V2 is empty, or kept under another's name"),
        (_convoy("ghost"), "convoy hydran/V1 holds ghost, which does not exist"),
        (_convoy(CA), "convoy hydran/V1 holds hydran-F1-CA, which sails in no convoy"),
        (
            _convoy("hydran-waits-FL", race="lyran", name="lyran/V1"),
            "convoy lyran/V1 holds hydran-waits-FL, which is lost or not of its race",
        ),
        (_convoy("hydran-waits-FL", course=["0405", "0407"]), "convoy hydran/V1 has a course that cannot be sailed"),
        (_forces(["hydran"]), "the force of hydran has no partners"),
        (_forces(["hydran", "lyran"], hydran=["lyran"]), ""),
        (_forces(["hydran", "lyran"], ["hydran", "klingon"]), "hydran is in two forces"),
        (_forces(["hydran", "gorn"]), "gorn is in a force and no race"),
        (_forces(hydran=["hydran"]), "hydran would be one force with itself or with nobody"),
        (_forces(hydran=["gorn"]), "hydran would be one force with itself or with nobody"),
        (_sortie(2, 2), ""),
        (_sortie(1, 2), "a sortie of lyran has no number"),
        (
            _tows,
            (
                "unit hydran-F1-CA tows, and is towed or shares its tow; unit hydran-F1-DD tows, and is towed or "
                "shares its tow"
            ),
        ),
        (
            _set(CA, lays=MinesToLay(around="moon"), captured_from="lyran"),
            "unit hydran-F1-CA is a prize and is to lay mines",
        ),
        (_set(CA, officers=("navigator",), captured_from="lyran"), "unit hydran-F1-CA is a prize and has officers"),
        (_set(CA, passengers={"ace": Lot(item=STANDARD["ace"], count=1)}), ""),
        (
            lambda state: _ground_base(state, passengers={"ace": Lot(item=STANDARD["ace"], count=1)}),
            "unit hydran-1 transports somebody and cannot",
        ),
        (_fleet_of_freighters, "unit hydran-waits-FL sails in convoys and is in fleet hydran/F1"),
        (
            lambda state: (
                _convoy("hydran-waits-FL")(state),
                _convoy("hydran-waits-FL", name="hydran/V2", key="V2")(state),
            ),
            "unit hydran-waits-FL is in 2 convoys",
        ),
        (
            lambda state: (
                _convoy("hydran-waits-FL", "hydran-waits-FS")(state),
                _set("hydran-waits-FS", hex="0405")(state),
            ),
            "convoy hydran/V1 is in two hexes",
        ),
        (
            _set(
                CA, record=kind_of("CA", crew_units=9), passengers={"fighter": Lot(item=STANDARD["fighter"], count=1)}
            ),
            "unit hydran-F1-CA transports what is no person",
        ),
    ],
)
def test_each_fault_is_noticed(change: Callable[[CutlerState], None], said: str) -> None:
    state = world(WORLD)
    change(state)
    assert "; ".join(defects(state)) == said


@pytest.mark.parametrize(
    "change",
    [
        _set(CA, warp_ok=0, impulse_ok=0),
        _set(CA, record=kind_of("CA", cargo=3), cargo_cpv=3),
        _set(CA, retreat_hex="0405"),
        lambda state: _empire(state, reserve=RESERVE_CAP),
        lambda state: _empire(state, reserve=0, base_pool=0, counter_pool=0),
        lambda state: state.out.append("klingon"),
        _set(CA, record=kind_of("CA", boarding_parties=4), boarding_parties=5),
        lambda state: _planet(
            state, razed=Fraction(100), boarding_parties=600, crew_units=600, gcv=60, ground=dict.fromkeys("ABCDEF", 4)
        ),
        lambda state: _planet(state, owner="lyran", captured_turn=1, landed={"hydran": 600, "klingon": 1}),
        lambda state: _fleet(state, raze="p0205", land="p0205"),
        _set(CA, maintained=1, missed=1, held_turn=1),
        _set(CA, crew_quality="poor", penalties_doubled=True),
        lambda state: _empire(state, station_scans={CA: ["0101"]}),
        lambda state: state.unsurveyed.append("0505"),
        lambda state: state.last_through.update({"0505": "lyran"}),
        _work(),
        _work(paid=59),
        _work(ship=FF),
        _site(),
        _site(set_aside=1, upgrades="lyran-base-0902"),
    ],
)
def test_what_stands_at_its_bound_is_allowed(change: Callable[[CutlerState], None]) -> None:
    state = world(WORLD)
    change(state)
    assert defects(state) == []


# --- each fault by itself, and nothing beside it ---------------------------------------------------------------------


def _moon(state: CutlerState, **values: object) -> None:
    """A moon of the planet in 0205, with these values."""
    planet = state.planets["p0205"]
    state.systems["0205"] = StarSystem(moons=(4,))
    state.moons = moons_of(planet, state.systems["0205"])
    for name, value in values.items():
        setattr(state.moons["moon1_0205"], name, value)


def _moon_without(what: str) -> Callable[[CutlerState], None]:
    def change(state: CutlerState) -> None:
        _moon(state)
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

    def change(state: CutlerState) -> None:
        _planet(state, landed={"lyran": 20}, landed_with={"lyran": Landed(squads=squads, gcv=gcv)})  # type: ignore[arg-type]

    return change


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
        _moon(state, owner="klingon", **values)
        state.out = ["klingon"]

    return change


def _mines(key: str = "mines") -> Callable[[CutlerState], None]:
    """Mines stowed in cargo boxes of which there are too few: 21 fill two."""

    def change(state: CutlerState) -> None:
        _set(CA, record=kind_of("CA", cargo=1), stowed={key: Lot(item=STANDARD[key], count=21)})(state)

    return change


LAYS = MinesToLay(around="planet")
PARTIES = f"unit {CA} has more or fewer boarding parties than it can have"
TOO_MANY_PARTIES = f"unit {CA} carries too much: Hydran F1 Ca has room for 5 boarding parties"
NO_MOON, NOBODYS_MOON = "there is no moon moon1_0205", "the moon moon1_0205 is nobody's, or none"
TROOPS = "planet p0205 has more or fewer troops than it can have"
STRANGE = "planet p0205 is attacked by squads or vehicles that cannot be there"
SOMEWHERE = "since a time to come, or is nobody there"
DUE = f"{CA} has repairs due that cannot be"


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_set(CA, impulse_ok=-1), [f"unit {CA} has more or fewer engine boxes than it can have"]),
        (_set(CA, crew_quality="poor"), []),
        (_set(CA, crew_quality="outstanding", penalties_doubled=True),
         [f"unit {CA} has doubled penalties without a poor crew"]),
        (_set(CA, record=kind_of("CA", boarding_parties=4), boarding_parties=6), [PARTIES, TOO_MANY_PARTIES]),
        (_set(CA, record=kind_of("CA", boarding_parties=4), boarding_parties=2, squads={"heavy": 2}), []),
        (_set(CA, record=kind_of("CA", boarding_parties=4), boarding_parties=2, squads={"heavy": 3}),
         [f"unit {CA} has more or fewer squads than boarding parties"]),
        (_set(CA, record=kind_of("CA", boarding_parties=4), boarding_parties=2, squads={"heavy": 0}),
         [f"unit {CA} has more or fewer squads than boarding parties"]),
        (_set("lyran-base-0902", hex="9999"), ["unit lyran-base-0902 is off the map"]),
        (_set("lyran-base-0902", hex="9999", retreat_hex="0901"), ["unit lyran-base-0902 is off the map"]),
        # While hexes are fought over, fleets may hold what is lost there, and bases what was under way in them.
        (_fought(_set(DD, destroyed=True)), []),
        (_fought(lambda state: _fleet(state, units=[CA, DD, "ghost"])), []),
        (_fought(_work(race="hydran")), []),
        (_work(race="hydran"), ["work lyran-base-0902/1 is in a bay that is not its race's"]),
        (_fought(_work(ship=FF), _set(FF, destroyed=True)), []),
        (_work(bay=0), ["work lyran-base-0902/0 is in no docking bay"]),
        (_work(paid=60), ["work lyran-base-0902/1 is paid for, or costs nothing"]),
        (_site(race="gorn"), ["site lyran/S1 is nowhere or nobody's"]),
        (_site(set_aside=60), []),
        (_shuttles(2, 2), []),
        (_shuttles(3, 2), ["planet p0205 has more or fewer shuttles than it has boxes for"]),
        (_shuttles(-1, 2), ["planet p0205 has more or fewer shuttles than it has boxes for"]),
        (lambda state: _planet(state, gcv=-1),
         ["planet p0205 has more or fewer ground combat vehicles than it can have"]),
        (lambda state: _planet(state, crew_units=-1), [TROOPS]),
        (lambda state: _planet(state, boarding_parties=2, squads={"commando": 2}), []),
        (lambda state: _planet(state, boarding_parties=2, squads={"commando": 3}),
         ["planet p0205 has more or fewer squads than boarding parties"]),
        (lambda state: (_planet(state, owner="lyran", captured_turn=1), state.revolts.append("p0205")), []),
        (_beside(gcv=2, heavy=20), []),
        (_beside(gcv=3), [STRANGE]),
        (_beside(gcv=-1), [STRANGE]),
        (_beside(heavy=21), [STRANGE]),
        (lambda state: _planet(state, landed_with={"lyran": Landed(gcv=1)}), [STRANGE]),
        (_moon, []),
        (lambda state: _moon(state, owner="lyran"), []),
        (lambda state: _moon(state, owner="gorn"), [NOBODYS_MOON]),
        (lambda state: _moon(state, kind="minor"), [NOBODYS_MOON]),
        (lambda state: _moon(state, boarding_parties=50), []),
        (lambda state: _moon(state, boarding_parties=51),
         ["planet moon1_0205 has more or fewer troops than it can have"]),
        (_moon_without("system"), [NO_MOON]),
        (_moon_without("planet"), [NO_MOON]),
        (_moon_without("number"), [NO_MOON]),
        (_moon_without("key"), ["moon1_0205 is a planet and a moon"]),
        (lambda state: (_moon(state), _fleet(state, land="moon1_0205")), []),
        (lambda state: (_moon(state), _fleet(state, raze="moon1_0205")),
         ["fleet hydran/F1 is sent to a planet that is none"]),
        (_presence(turn=1, impulse=2), []),
        (_presence(turn=1, impulse=3), [f"lyran is in 0404 {SOMEWHERE}"]),
        (_presence(turn=2, impulse=1), [f"lyran is in 0404 {SOMEWHERE}"]),
        (_presence(race="gorn"), [f"gorn is in 0404 {SOMEWHERE}"]),
        (_presence(hex_id="9999"), [f"lyran is in 9999 {SOMEWHERE}"]),
        (_places(hydran_F1_CA="approach", hydran_F1_DD="approach", flight="approach"), []),
        (_places("planet", hydran_F1_CA="planet", flight="planet"), []),
        (_places("planet", hydran_F1_CA="giant"), [f"{CA} is at a place of 0404 that there is not, or is nobody"]),
        (_places("planet", ghost="planet"), ["ghost is at a place of 0404 that there is not, or is nobody"]),
        (_due(points=0, warp=1, impulse=1, cargo=1), []),
        (_due(points=-1), [DUE]),
        (_due(points=1, hull=1), [DUE]),
        (_due(points=1, warp=0), [DUE]),
        (lambda state: state.work.repairs.update({"ghost": RepairsDue()}),
         ["ghost has fought in this impulse and is no unit"]),
        (lambda state: state.fought_at.update({"ghost": "planet"}),
         ["ghost has fought in this impulse and is no unit"]),
        (lambda state: state.work.last.update({"ghost": LastBattle(kind="main", against=())}),
         ["ghost has fought in this impulse and is no unit"]),
        (lambda state: state.fought_at.update({CA: "planet"}), []),
        (lambda state: state.out.append("klingon"), []),
        (_out(), []),
        (_out(boarding_parties=1), ["klingon is out of play and has units or planets"]),
        (_mines(), [f"unit {CA} has more in its cargo boxes than they can hold",
                    f"unit {CA} stores more or less CPV than it can"]),
        (_set(CA, lays=LAYS), []),
        (_set("lyran-base-0902", captured_from="hydran"), []),
        (_set("lyran-base-0902", captured_from="hydran", lays=LAYS),
         ["unit lyran-base-0902 is a prize and is to lay mines"]),
        (_set("lyran-base-0902", captured_from="hydran", officers=("captain",)),
         ["unit lyran-base-0902 is a prize and has officers"]),
        (lambda state: _empire(state, counter_pool=-1), ["hydran has less than nothing"]),
        (lambda state: _empire(state, base_pool=-1), ["hydran has less than nothing"]),
    ],
)  # fmt: skip
def test_a_fault_is_noticed_alone_and_what_is_none_is_not(
    change: Callable[[CutlerState], object], found: list[str]
) -> None:
    state = world(WORLD)
    change(state)
    assert sorted(defects(state)) == sorted(found)
