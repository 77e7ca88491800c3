"""Maps of lanes: made at random, with sixty systems, and of two galaxies."""

import re
from fractions import Fraction
from random import Random

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.charts import Chart, ChartLane, ChartSystem, GalaxyLane, LaneKind, Region, Uncharted
from rules_engine.core.knowledge.glance import Figure, Header, LaneTransit, News, Tally
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView

KINDS = (
    LaneKind(key="major", line="double", said="major, cost 1/2"),
    LaneKind(key="normal", line="single", said="normal, 1"),
    LaneKind(key="minor", line="dashed", said="minor, 2"),
    LaneKind(key="restricted", line="dotted", said="restricted, 4"),
)
_SYSTEMS = """
Gienah 166 187; Kapteyn 297 164; Capella 414 191; Lacaille 552 181; Vega 96 257; Castor 234 278; Porrima 501 274
Canopus 598 307; Wolf 359 420 331; Minkar 327 382; Sol 237 408; Regulus 110 398; Cygni 553 397; Giclas 724 418
Van Maanen 834 315; Algorab 966 300; Diphda 872 402; Gliese 996 384; Indi 398 469; Denebola 204 519; Epsilon 75 527
Alphard 514 506; Kruger 611 517; Izar 724 489; Altair 841 508; Heze 938 481; Arcturus 987 552; Zosma 350 562
Teegarden 440 589; Luyten 270 618; Suhail 91 628; Chara 526 618; Stein 738 596; Kraz 849 619; Groombridge 952 681
Zaniah 222 679; Naos 469 686; Alcor 626 688; Avior 277 742; Ross 154 182 750; Pollux 68 734; Fomalhaut 380 747
Procyon 522 771; Spica 622 797; Struve 738 739; Mizar 841 782; Syrma 990 779; Tau Ceti 323 874; Achernar 426 880
Alhena 543 864; Auva 635 887; Wolf 424 726 903; Ross 128 907 884; Far Point 78 864; Deneb 200 861; Alnair 760 200
Mirach 700 260; Keid 120 330; Luhman 330 930; Tegmen 560 950
"""
_LANES = """
Gienah-Vega normal; Gienah-Castor normal; Castor-Kapteyn major; Kapteyn-Capella normal; Capella-Porrima normal
Porrima-Lacaille major; Porrima-Canopus major; Canopus-Cygni normal; Cygni-Alphard restricted; Wolf 359-Porrima major
Minkar-Wolf 359 normal; Sol-Minkar major; Sol-Castor major; Sol-Regulus major; Sol-Denebola major; Minkar-Indi normal
Indi-Alphard normal; Indi-Zosma restricted; Indi-Teegarden major; Zosma-Teegarden restricted; Zosma-Luyten normal
Denebola-Luyten normal; Denebola-Epsilon restricted; Epsilon-Suhail normal; Suhail-Pollux restricted
Luyten-Zaniah normal; Zaniah-Avior major; Zaniah-Ross 154 restricted; Ross 154-Pollux normal; Ross 154-Avior normal
Avior-Fomalhaut normal; Fomalhaut-Naos restricted; Naos-Teegarden major; Naos-Chara major; Naos-Procyon normal
Teegarden-Chara major; Teegarden-Alphard normal; Alphard-Chara normal; Chara-Kruger normal; Chara-Alcor major
Alphard-Kruger restricted; Kruger-Izar major; Izar-Giclas major; Izar-Altair major; Izar-Stein normal
Stein-Kraz major; Altair-Kraz major; Altair-Heze restricted; Altair-Diphda major; Heze-Arcturus normal
Heze-Gliese normal; Heze-Diphda normal; Diphda-Gliese normal; Gliese-Algorab normal; Diphda-Van Maanen restricted
Kraz-Groombridge major; Groombridge-Syrma normal; Struve-Mizar normal; Struve-Alcor restricted; Struve-Spica normal
Mizar-Ross 128 major; Alcor-Spica normal; Procyon-Spica major; Procyon-Alhena major; Spica-Alhena major
Spica-Auva normal; Alhena-Auva restricted; Auva-Wolf 424 normal; Alhena-Achernar restricted; Achernar-Tau Ceti normal
Canopus-Mirach minor; Mirach-Alnair minor; Regulus-Keid minor; Keid-Vega normal; Tau Ceti-Luhman minor
Alhena-Tegmen minor; Pollux-Far Point normal; Deneb-Far Point minor
"""
OURS = {"Sol": 12, "Castor": 5, "Regulus": 6, "Minkar": 6, "Wolf 359": 1, "Denebola": 1, "Luyten": 1, "Zosma": 1,
        "Indi": 6, "Teegarden": 3}  # fmt: skip
THEIRS = ("Izar", "Altair", "Heze", "Arcturus", "Stein", "Kraz", "Groombridge", "Struve", "Mizar")
LOOSE = ("Lacaille", "Canopus", "Van Maanen", "Algorab", "Gliese", "Tau Ceti", "Ross 154", "Far Point", "Deneb", "Keid")
OWN, FOE = "terran", "centauri"
SIDES = (
    SideLabel(key=OWN, name="Terran", emblem="T"),
    SideLabel(key=FOE, name="Centauri", emblem="C"),
)


def slug(name: str) -> str:
    """The id of a system of that name."""
    return name.lower().replace(" ", "-")


def _parts(block: str) -> list[str]:
    return [part.strip() for part in re.split(r"[;\n]", block) if part.strip()]


def lane(one: str, other: str) -> str:
    """The id of the lane between two systems."""
    return f"{slug(one)}~{slug(other)}"


def chart() -> Chart:
    """All that the Terrans know of systems and lanes."""
    systems: list[ChartSystem] = []
    for part in _parts(_SYSTEMS):
        name, x, y = part.rsplit(maxsplit=2)
        systems.append(ChartSystem(id=slug(name), name=name, x=Fraction(x), y=Fraction(y)))
    lanes: list[ChartLane] = []
    for part in _parts(_LANES):
        ends, kind = part.rsplit(maxsplit=1)
        one, other = ends.split("-")
        crosses = "sector" if (one, other) in (("Chara", "Kruger"), ("Struve", "Alcor")) else ""
        lanes.append(ChartLane(id=lane(one, other), a=slug(one), b=slug(other), kind=kind, crosses=crosses))
    loose = tuple(Uncharted(id=f"{slug(one)}?1", at=slug(one), note="easy") for one in LOOSE)
    return Chart(systems=tuple(systems), lanes=tuple(lanes), uncharted=loose, kinds=KINDS)


def near_arm() -> SideView:
    """The whole view."""
    notes = [
        HexNote(hex=slug(name), name=name, owner=OWN, figure=str(census), territory=OWN,
                marks=("capital",) if name == "Sol" else ("colony",))
        for name, census in OURS.items()
    ]  # fmt: skip
    notes += [
        HexNote(hex=slug(name), name=name, owner=FOE, territory=FOE,
                marks=("capital",) if name == "Kraz" else ("colony",))
        for name in THEIRS
    ]  # fmt: skip
    counters = (
        Counter(id="G1", hex="sol", label="G1", ships=8, owner=OWN),
        Counter(id="G2", hex="teegarden", label="G2", ships=5, whole=70, owner=OWN),
        Counter(id="G4", hex=lane("Wolf 359", "Porrima"), label="G4", ships=3, owner=OWN),
        Counter(id="X1", hex="far-point", label="X1", ships=1, owner=OWN),
        Counter(
            id="E7",
            hex=lane("Kruger", "Izar"),
            label="E7",
            grade=3,
            changed=True,
            ships=2,
            owner=FOE,
            level=2,
            level_name="seen",
        ),
        Counter(id="E2", hex="kraz", label="E2", grade=2, age=4, live=False, owner=FOE, level=2, level_name="seen"),
    )
    news = (
        News(hexes=(lane("Wolf 359", "Porrima"),), title="Wolf 359–Porrima lane",
             fact="G4 is in transit to Porrima, no orders until T12"),
        News(hexes=(lane("Kruger", "Izar"),), title="Kruger–Izar lane", fact="E7 left Izar for Kruger", aside="2 seen"),
        News(hexes=("far-point",), title="Far Point", fact="X1 reached an unexplored system", aside="explore?"),
    )  # fmt: skip
    board = Board(
        campaign="The Long Frontier", rulebook="jump_lanes", heading="Turn 11, orders", when=When(turn=11),
        sides=SIDES,
        grid=chart(), hexes=tuple(notes), counters=counters,
        courses=(Course(counter="G1", kind="route", hexes=("sol", "minkar", "wolf-359")),),
        transits=(
            LaneTransit(counter="G4", start="wolf-359", end="porrima", done=50, arrives="T12"),
            LaneTransit(counter="E7", start="izar", end="kruger", done=40, arrives="T12?"),
        ),
        header=Header(scenario="Near Arm", tallies=(Tally(owner=OWN, count=10), Tally(owner=FOE, count=9)),
                      tallied="systems: ours, theirs", figures=(Figure(value="10", said="lanes unexplored"),),
                      turn="Turn 11", day="orders"),
        news=news,
    )  # fmt: skip
    return SideView(side=OWN, board=board)


__all__ = ["KINDS", "Region", "chart", "lane", "near_arm", "slug"]


# --- maps of lanes made at random: systems scattered as people scatter them, owners, groups, journeys and news --------
_STEMS = (
    "Al", "Ber", "Cor", "Den", "Er", "Fom", "Gl", "Het", "Iz", "Kru", "Lac", "Min", "Nao", "Pol", "Reg", "Suh", "Zan",
)  # fmt: skip
_ENDS = (
    "gol", "thane", "va", "ebola", "idanus", "alhaut", "iese", "ze", "ar", "ger", "aille", "kar", "s", "lux", "ulus",
)  # fmt: skip
SEATS = (*SIDES, SideLabel(key="mizar", name="Mizar", emblem="M"))
"""Three sides: ours, and two others."""


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
