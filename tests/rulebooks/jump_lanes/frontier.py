"""A small world of jump lanes, and units to put into it: what tests of this book play with.

Sol, Wolf 359, Barnard, Ross and Vega lie in sector Orion; Perseus, far, in sector Rim; Andromeda has two systems of
its own. Lanes are named by their ends; only Ross to Vega, L6, is unexplored.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork, trial, work_cargo
from rules_engine.rulebooks.jump_lanes.records import places
from rules_engine.rulebooks.jump_lanes.records.orders import CargoAction, CargoOrder
from rules_engine.rulebooks.jump_lanes.records.settings import LaneRules
from rules_engine.rulebooks.jump_lanes.records.state import LaneEmpire, LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit, UnitKind

TERRAN, CENTAURI, ARGO = "terran", "centauri", "argo"
SYSTEMS = {
    "sol": "Sol", "wolf": "Wolf 359", "barnard": "Barnard", "ross": "Ross", "vega": "Vega", "perseus": "Perseus",
    "mirach": "Mirach", "almach": "Almach",
}  # fmt: skip
SECTORS = {"perseus": "rim", "mirach": "halo", "almach": "halo"}
KNOWN = ["sol", "wolf", "barnard", "ross", "perseus", "mirach"]


def lane(
    key: str, a: str, b: str, lane_class: places.LaneClass | None = "normal", kind: places.LaneType = "interstellar"
) -> places.JumpLane:
    """A lane, explored if it has a class."""
    explored = lane_class is not None
    return places.JumpLane(id=key, a=a, b=b, type=kind, lane_class=lane_class, explored=explored, mark_a=1, mark_b=1)


def frontier(*, system_maps: bool = False, empires: int = 2) -> LanesState:
    """The world before the first turn, without any unit."""
    state = LanesState(title="The frontier", turns=6, turn=1, rules=LaneRules(system_maps=system_maps, experience=True))
    state.galaxies = {key: places.Galaxy(id=key, name=key.title()) for key in ("milky", "andromeda")}
    state.sectors = {
        "orion": places.Sector(id="orion", name="Orion", galaxy="milky"),
        "rim": places.Sector(id="rim", name="Rim", galaxy="milky"),
        "halo": places.Sector(id="halo", name="Halo", galaxy="andromeda"),
    }
    for number, (key, name) in enumerate(SYSTEMS.items()):
        sector = SECTORS.get(key, "orion")
        state.systems[key] = places.LaneSystem(id=key, name=name, x=Fraction(number), y=Fraction(0), sector=sector)
    for made in (
        lane("L1", "sol", "wolf", "minor"),
        lane("L2", "sol", "barnard"),
        lane("L3", "barnard", "ross"),
        lane("L4", "wolf", "ross", "major"),
        lane("L5", "sol", "perseus", "normal", "sector"),
        lane("L6", "ross", "vega", None),
        lane("L7", "mirach", "almach"),
        lane("L8", "milky", "andromeda", "minor", "intergalactic"),
    ):
        state.lanes[made.id] = made
    if system_maps:
        for planet, name, x in (("sol/earth", "Earth", 1), ("sol/mars", "Mars", 2)):
            state.systems["sol"].planets.append(planet)
            state.planets[planet] = places.LanePlanet(id=planet, name=name, x=Fraction(x), y=Fraction(1))
        state.lanes["L9"] = lane("L9", "sol", "sol/earth", "normal", "interplanetary")
        state.lanes["L10"] = lane("L10", "sol/earth", "sol/mars", "minor", "interplanetary")
    for key, home in ((TERRAN, "sol"), (CENTAURI, "ross"), (ARGO, "perseus"))[:empires]:
        state.empires[key] = LaneEmpire(
            id=key, name=key.title(), emblem=key[0].upper(), home=home, places=[*KNOWN], sights=["ross?1"]
        )
        state.colonies[home] = places.Colony(id=home, name=SYSTEMS[home], at=home, owner=key, census=9, experience=25)
    state.index()
    return state


def ship(key: str, empire: str = TERRAN, *, kind: UnitKind = "starship", **figures: object) -> Unit:
    """A unit of FTL 1 and Engines 1, unless other ``figures`` are given."""
    values: dict[str, object] = {"id": key, "empire": empire, "name": key, "kind": kind, "ftl": 1, "engines": 1}
    return Unit.from_json(values | figures)


def squadron(state: LanesState, key: str, at: str, *units: Unit, fleet: str = "") -> Squadron:
    """A squadron of these units, at a place."""
    made = Squadron(id=key, empire=units[0].empire, name=f"Squadron {key}", at=at, fleet=fleet)
    state.squadrons[key] = made
    for unit in units:
        state.put(unit, squadron=key)
    return made


def standing(state: LanesState, unit: Unit, at: str) -> Unit:
    """A unit that stands by itself at a place."""
    state.put(unit, at=at)
    return unit


# --- freight ---------------------------------------------------------------------------------------------------------
def order(action: CargoAction, what: str, amount: int | None = None, other: str = "") -> CargoOrder:
    """An order to a squadron where it stands."""
    return CargoOrder(action=action, what=what, amount=amount, other=other)


def work(state: LanesState, *wanted: tuple[str, CargoOrder]) -> list[CargoWork]:
    """Carry orders out, none of which may be refused."""
    done = work_cargo(state, wanted)
    assert [str(one) for each in done for one in each.refusals] == []
    return done


def refused(state: LanesState, *wanted: tuple[str, CargoOrder], empire: str = TERRAN) -> list[str]:
    """The rules by which orders are refused when a sheet is judged; the state stays as it is."""
    return rules(refusals(state, *wanted, empire=empire))


def refusals(state: LanesState, *wanted: tuple[str, CargoOrder], empire: str = TERRAN) -> list[Refusal]:
    """The refusals of orders, tried on a copy."""
    before = state.to_json()
    found = [one for done in work_cargo(trial(state, empire), wanted) for one in done.refusals]
    assert state.to_json() == before
    return found


def rules(found: Iterable[Refusal]) -> list[str]:
    """The first rule of each refusal, or ``malformed``; each says where, and what would be right or meant."""
    refusals = list(found)
    assert all(one.path and one.problem and (one.legal or one.kind == "malformed") for one in refusals)
    return [one.rule.split(",")[0] or one.kind for one in refusals]


class FreightDice(DiceStream):
    """Loaded dice: a roll whose label contains a key takes the next of its values. Any other is a mistake, but for the
    order in which groups that look alike get their numbers, and in which forces are set up: there the first comes
    first."""

    def __init__(self, values: Mapping[str, Sequence[int]]) -> None:
        super().__init__(b"0123456789abcdef")
        self._values = {
            key: list(given) for key, given in ({"sighting": [1] * 99, "set-up": [1] * 99} | dict(values)).items()
        }

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        """The next values of the first key that the label contains."""
        key = next(one for one in self._values if one in label)
        shown = tuple(self._values[key].pop(0) for _ in range(count))
        assert all(die.low <= one <= die.high for one in shown), (label, shown)
        return shown


def turn_of(state: LanesState, **dice: Sequence[int]) -> LanesTurn:
    """A turn's context with loaded dice."""
    sides = tuple(SideLabel(key=one.id, name=one.name, emblem=one.emblem) for one in state.empires.values())
    knowledge = {one.key: Knowledge() for one in sides}
    return TurnContext(state, SharedTurn(dice=FreightDice(dice), sides=sides, knowledge=knowledge, now=When(turn=1)))


def told(turn: LanesTurn, side: str) -> list[str]:
    """What a side was told."""
    return [one.text for one in turn.shared.reports if one.is_for(side)]
