"""A position of sixty systems, as the picture to build towards has it: the Terrans' view in turn 11."""

import re
from fractions import Fraction

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.charts import Chart, ChartLane, ChartSystem, LaneKind, Region, Uncharted
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
