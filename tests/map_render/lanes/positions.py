"""Maps of lanes: made at random, with sixty systems, and of two galaxies."""

import re
from fractions import Fraction
from random import Random

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.charts import Chart, ChartLane, ChartSystem, GalaxyLane, LaneKind, Region, Uncharted
from rules_engine.core.knowledge.glance import Header, LaneTransit, News, Tally
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView
from tests.map_render.written import read, view_on

ARM = read("near_arm")
KINDS = tuple(LaneKind.model_validate(one) for one in ARM["kinds"])
SEATS = tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("terran", "centauri", "mizar"))
"""Three sides: ours, and two others."""


def slug(name: str) -> str:
    """The id of a system of that name."""
    return name.lower().replace(" ", "-")


def _parts(block: str) -> list[str]:
    return [part.strip() for part in re.split(r"[;\n]", block) if part.strip()]


def chart() -> Chart:
    """All that the Terrans know of systems and lanes."""
    systems: list[ChartSystem] = []
    for part in _parts(ARM["systems"]):
        name, x, y = part.rsplit(maxsplit=2)
        systems.append(ChartSystem(id=slug(name), name=name, x=Fraction(x), y=Fraction(y)))
    lanes: list[ChartLane] = []
    for part in _parts(ARM["lanes"]):
        ends, kind = part.rsplit(maxsplit=1)
        one, other = map(slug, ends.split("-"))
        crosses = "sector" if ends in ARM["crossings"] else ""
        lanes.append(ChartLane(id=f"{one}~{other}", a=one, b=other, kind=kind, crosses=crosses))
    loose = tuple(Uncharted(id=f"{slug(one)}?1", at=slug(one), note="easy") for one in ARM["loose"])
    return Chart(systems=tuple(systems), lanes=tuple(lanes), uncharted=loose, kinds=KINDS)


def near_arm() -> SideView:
    """The whole view."""
    of_the_map = ("systems", "lanes", "crossings", "loose", "kinds")
    return view_on(chart(), {key: part for key, part in read("near_arm").items() if key not in of_the_map})


# --- maps of lanes made at random: systems scattered as people scatter them, owners, groups, journeys and news --------
_STEMS = (
    "Al", "Ber", "Cor", "Den", "Er", "Fom", "Gl", "Het", "Iz", "Kru", "Lac", "Min", "Nao", "Pol", "Reg", "Suh", "Zan",
)  # fmt: skip
_ENDS = (
    "gol", "thane", "va", "ebola", "idanus", "alhaut", "iese", "ze", "ar", "ger", "aille", "kar", "s", "lux", "ulus",
)  # fmt: skip


def random_view(seed: int, count: int, *, turn: int = 5) -> SideView:
    """What the first of three sides knows of so many systems; of one seed the map is the same in each ``turn``."""
    chance = Random(seed)
    chart = _chart(chance, count)
    systems = [one.id for one in chart.systems]
    owners = {one: _owner(chance) for one in systems}
    owners[systems[0]] = SEATS[0].key
    moving = Random(seed * 1000 + turn)
    counters = [_counter(moving, number, chart) for number in range(max(1, count // 4))]
    transits = tuple(
        LaneTransit(
            counter=one.id, start=lane.a, end=lane.b, done=moving.choice((None, 20, 50, 90)), arrives=f"T{turn + 2}"
        )
        for one in counters
        for lane in chart.lanes
        if lane.id == one.hex
    )
    held = [one for one in counters if one.live]
    news = tuple(
        News(hexes=(one.hex,), title=chart.called(one.hex)[:40], fact=f"{one.label} is seen", aside="new")
        for one in {one.hex: one for one in held}.values()
    )[:3]
    notes = tuple(
        HexNote(hex=one, name=chart.called(one), owner=owners[one], territory=owners[one],
                figure=str(1 + len(one)) if owners[one] == SEATS[0].key else "",
                marks=("capital",) if one == systems[0] else ("colony",) if owners[one] else ())
        for one in systems
    )  # fmt: skip
    first = next((one for one in counters if one.hex in systems and one.owner == SEATS[0].key), None)
    near = chart.neighbours(first.hex) if first else ()
    courses = (Course(counter=first.id, kind="route", hexes=(first.hex, near[0])),) if first and near else ()
    board = Board(
        campaign="Random", rulebook="jump_lanes", heading=f"Turn {turn}", when=When(turn=turn), sides=SEATS, grid=chart,
        hexes=notes, counters=tuple(counters), courses=courses, transits=transits, news=news,
        header=Header(
            scenario="Random", turn=f"Turn {turn}", tallies=(Tally(owner=SEATS[0].key, count=3),), tallied="systems"
        ),
    )  # fmt: skip
    return SideView(side=SEATS[0].key, board=board)


def _owner(chance: Random) -> str:
    return chance.choice(("", "", *(seat.key for seat in SEATS)))


def _chart(chance: Random, count: int) -> Chart:
    spots: list[tuple[int, int]] = []
    side = max(2, round(9 * count**0.5))
    while len(spots) < count:
        spot = chance.randrange(side), chance.randrange(side)
        near = min(((spot[0] - x) ** 2 + (spot[1] - y) ** 2 for x, y in spots), default=99)
        if near >= chance.choice((9, 16, 25)) or (len(spots) > 3 * count // 4 and near):
            spots.append(spot)
    names = _names(chance, count)
    systems = tuple(
        ChartSystem(id=name.lower(), name=name, x=Fraction(x), y=Fraction(y))
        for name, (x, y) in zip(names, spots, strict=True)
    )
    lanes: dict[tuple[int, int], ChartLane] = {}
    for here in range(1, count):
        ranked = sorted(
            range(here), key=lambda one: (spots[one][0] - spots[here][0]) ** 2 + (spots[one][1] - spots[here][1]) ** 2
        )
        for there in ranked[: chance.choice((1, 1, 2))]:
            a, b = systems[there].id, systems[here].id
            crosses = chance.choice(("", "", "", "sector"))
            kind = chance.choice(KINDS).key
            lanes[there, here] = ChartLane(id=f"{a}~{b}", a=a, b=b, kind=kind, crosses=crosses)  # type: ignore[arg-type]
    loose = tuple(Uncharted(id=f"{one.id}?1", at=one.id) for one in systems if chance.random() < 0.15)
    half = count // 2
    regions = (
        Region(level="sector", name="Orion Reach", systems=tuple(one.id for one in systems[:half])),
        Region(level="sector", name="Far Veil", systems=tuple(one.id for one in systems[half:])),
    )
    return Chart(
        systems=systems, lanes=tuple(lanes.values()), uncharted=loose, regions=regions if half else (), kinds=KINDS
    )


def _names(chance: Random, count: int) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < count:
        name = chance.choice(_STEMS) + chance.choice(_ENDS)
        found[name if chance.random() < 0.8 else f"{name}-{chance.randrange(1, 999)}"] = None
    return list(found)


def _counter(chance: Random, number: int, chart: Chart) -> Counter:
    lanes = [one.id for one in chart.lanes]
    at = chance.choice(lanes) if lanes and chance.random() < 0.25 else chance.choice(chart.systems).id
    seat = chance.choice(SEATS)
    if seat is SEATS[0]:
        return Counter(id=f"T{number}", hex=at, owner=seat.key, label=f"T{number}", ships=chance.randrange(1, 12))
    grade = chance.choice((0, 1, 3, 4))
    age = chance.choice((0, 0, 2))
    return Counter(
        id=f"E{number}", hex=at, owner=seat.key, label=f"E{number}", level=grade, level_name="seen", grade=grade,
        age=age, live=age == 0, changed=chance.random() < 0.3,
    )  # fmt: skip


# --- a map of two galaxies, with a group under way from one to the other ----------------------------------------------
LANE = "spiral~veil"


def two_galaxies(*, veil: tuple[int, int] = (20, 40), end: str = "sector Near Veil") -> SideView:
    """Six systems of the Spiral in two rows, and three of the Veil, the first of them at ``veil``."""
    places = {f"s{n}": (20 * (n % 3), 15 * (n // 3)) for n in range(6)}
    places |= {f"v{n}": (veil[0] + 10 * n, veil[1]) for n in range(3)}
    names = [("s0", "s1"), ("s1", "s2"), ("s3", "s4"), ("s4", "s5"), ("s1", "s4"), ("v0", "v1"), ("v1", "v2")]
    chart = Chart(
        systems=tuple(
            ChartSystem(id=key, name=f"System {key}", x=Fraction(x), y=Fraction(y)) for key, (x, y) in places.items()
        ),
        lanes=tuple(ChartLane(id=f"{a}~{b}", a=a, b=b, kind="normal") for a, b in names),
        regions=(
            Region(level="galaxy", name="The Spiral", systems=tuple(f"s{n}" for n in range(6))),
            Region(level="galaxy", name="The Veil", systems=("v0", "v1", "v2")),
        ),
        kinds=(LaneKind(key="normal", line="single", said="normal, cost 1"),),
        between=(GalaxyLane(id=LANE, a="The Spiral", b="The Veil", kind="normal"),),
    )
    board = Board(
        campaign="Two galaxies", rulebook="Jump lanes", heading="Turn 3", when=When(turn=3, label="Turn 3"),
        sides=(SideLabel(key="terran", name="Terran", emblem="T"),),
        grid=chart,
        counters=(Counter(id="T6", hex=LANE, owner="terran", label="T6", ships=1),),
        transits=(LaneTransit(counter="T6", start="s4", end=end, done=50, arrives="T4"),),
    )  # fmt: skip
    return SideView(side="terran", board=board)
