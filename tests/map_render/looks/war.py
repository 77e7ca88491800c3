"""A crowded war in its twenty-ninth turn, for both sides."""

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import Header, News, Range, Stage, Track
from rules_engine.core.knowledge.views import Board, Counter, Course, SideView
from tests.map_render.looks.realms import around, contact, force, notes, place

WAR = Grid(columns=22, rows=17, orientation="pointy", numbering="RRCC", origin="top-right", stagger="odd")
SIDES = (SideLabel(key="a", name="Alliance", emblem="A"), SideLabel(key="c", name="Coalition", emblem="C"))
STEPS = ("PLAN", "1", "2", "3", "END")
NEBULA = ("0614", "0613", "0714", "0713", "0712", "0715", "0814", "0813")


def _war(side: str, **parts: object) -> SideView:
    board = Board(
        campaign="Northern Gap", rulebook="none", heading="Turn 29", when=When(turn=29), sides=SIDES, grid=WAR
    )
    return SideView(side=side, board=board.model_copy(update=parts))


def alliance() -> SideView:
    """The whole war as the Alliance knows it, in its twenty-ninth turn."""
    places = (
        place("0320", "a", "Alkashi"), place("0518", "a", "Downbelow"), place("0806", "a", "Murzank"),
        place("1105", "a", "Arzangel"), place("1217", "a", "Scene Flow"),
        *(
            place(at, "a", name, "settled")
            for at, name in (("0801", "Velann"), ("0901", "Tsirrak"), ("1001", "Morath"))
        ),
        *(place(at, "a", name, "settled") for at, name in (("1101", "Gemn"), ("1201", "Sharn"), ("1721", "Harrow"))),
        place("1720", "a", "Farview", "settled"), place("1510", "c", "Ostrau"), place("1715", "c", "Kiel"),
    )  # fmt: skip
    space = around(WAR, "a", 3, "0419") | around(WAR, "a", 2, "0717", "1217", "1118", "0806", "1105", "1003")
    space |= around(WAR, "a", 1, "0801", "0901", "1001", "1201", "1720", "1721", "1719")
    space |= {(name, owner) for name, owner in around(WAR, "c", 2, "1510", "1611", "1715", "1613")}
    counters = (
        force("A12", "0320", 4, docked=True), force("A2", "0518", 3, docked=True),
        force("A4", "0518", 2, docked=True), force("A1", "0818", 5, whole=60), force("A34", "1019", 2, whole=80),
        force("A6", "1217", 3), force("A3", "1217", 2, whole=60), force("A14", "1719", 2), force("A9", "0706", 3),
        force("A7", "1007", 4), force("A13", "1105", 2, docked=True), force("A11", "1002", 2),
        force("A15", "1102", 3, whole=70), force("A8", "1306", 1, whole=40),
        contact("E27", "1217", "c", 4, ships=3, details=("2 cruisers, 1 frigate",)),
        contact("E30", "1217", "c", 0, changed=True), contact("E11", "1001", "c", 4, changed=True, ships=3),
        contact("E29", "1101", "c", 3, changed=True, ships=3), contact("E21", "1719", "c", 3, ships=3),
        contact("E14", "0810", "c", 2, age=9, live=False),
        *(
            contact(f"E{n}", at, "c", 0, age=age, live=False)
            for n, at, age in ((2, "1315", 13), (3, "1314", 14), (5, "1415", 16))
        ),
        *(
            contact(f"E{n}", at, "c", 0, age=age, live=False)
            for n, at, age in (
                (6, "1617", 3 + 1),
                (7, "1617", 18),
                (8, "1517", 9),
                (9, "1518", 7),
                (15, "1617", 5),
                (16, "1517", 11),
            )
        ),
        contact("M1", "1714", "c", 4, form="minefield"),
        Counter(id="B1", hex="1719", owner="", form="battle", label="Battle"),
    )  # fmt: skip
    courses = (
        Course(
            counter="A9",
            kind="plotted",
            hexes=("0706", "0607", "0608", "0508", "0509"),
            stages=(Stage(after=2, said="T30"), Stage(after=4, said="T31")),
        ),
        Course(
            counter="A7",
            kind="plotted",
            hexes=("1007", "1106", "1207", "1307", "1408"),
            stages=(Stage(after=2, said="T30"), Stage(after=4, said="T31")),
        ),
        Course(
            counter="A8",
            kind="plotted",
            hexes=("1306", "1406", "1506"),
            stages=(Stage(after=1, said="T30"), Stage(after=2, said="T31")),
        ),
        Course(counter="A1", kind="plotted", hexes=("0818", "0717", "0618"), stages=(Stage(after=2, said="T30"),)),
        Course(counter="A34", kind="plotted", hexes=("1019", "1118", "1217"), stages=(Stage(after=2, said="T30"),)),
        Course(counter="A34", kind="moved", hexes=("0920", "0919", "1019")),
    )
    news = (
        News(
            hexes=("1217",),
            title="Scene Flow",
            fact="Scene Flow: E27 and E30 came in and search A6",
            aside="T28 impulse 3",
            note="E27: 2 cruisers, 1 frigate",
        ),
        News(
            hexes=("1001", "1002", "1101", "1102"),
            title="Morath",
            fact="Morath: E11 in your settled hex, E29 at Gemn",
            aside="new",
            note="E29 at Gemn · a raid is possible",
        ),
        News(
            hexes=("1719",),
            title="New Bergen",
            fact="New Bergen: battle with E21, now ID2, 3 ships",
            aside="thread is open",
        ),
    )
    return _war(
        "a", hexes=notes(places, space, dict.fromkeys(NEBULA, "nebula")), counters=counters, courses=courses,
        news=news,
        header=Header(
            scenario="Northern Gap",
            steps=STEPS,
            step=0,
            track=Track(label="VP", least=-9, most=9, value=3, aim=5, said="wins at +5"),
            turn="Turn 29",
            day="day 15 AM",
        ),
    )  # fmt: skip


def coalition() -> SideView:
    """The same turn as the Coalition knows it, with the ranges of its scouts."""
    places = (
        *(
            place(at, "a", name)
            for at, name in (("0617", "Downbelow"), ("0806", "Murzank"), ("1105", "Arzangel"), ("1217", "Scene Flow"))
        ),
        *(
            place(at, "a", name, "settled")
            for at, name in (("1001", "Morath"), ("1101", ""), ("1721", "Harrow"), ("1720", "Farview"))
        ),
        place("1510", "c", "Ostrau"),
        place("1715", "c", "Kiel"),
    )
    space = around(WAR, "a", 1, "0806", "1105", "1217", "1001", "1201", "1720", "1721", "1719")
    space |= around(WAR, "c", 2, "1510", "1611", "1715", "1613")
    counters = (
        force("C2", "1217", 4), force("C4", "1316", 1), force("C8", "1513", 3), force("C5", "1510", 2, docked=True),
        force("C1", "1715", 4, docked=True), force("C6", "1719", 3), force("C9", "1004", 1), force("C7", "1001", 3),
        contact("E6", "1217", "a", 3, ships=5), contact("E14", "1719", "a", 4, ships=2),
        contact("E9", "1001", "a", 0, changed=True), contact("E12", "1102", "a", 2),
        contact("E3", "0706", "a", 2, age=9, live=False),
        *(contact(f"E{n}", at, "a", 0, age=8, live=False) for n, at in ((4, "1008"), (5, "1007"))),
        Counter(id="B1", hex="1719", owner="", form="battle", label="Battle"),
    )  # fmt: skip
    courses = (
        Course(
            counter="C9", kind="plotted", hexes=("1004", "0904", "0805", "0704"), stages=(Stage(after=3, said="T30"),)
        ),
        Course(
            counter="C8",
            kind="plotted",
            hexes=("1513", "1514", "1415", "1416"),
            stages=(Stage(after=1, said="T30"), Stage(after=3, said="T31")),
        ),
        Course(counter="C4", kind="moved", hexes=("1516", "1415", "1316")),
    )
    news = (
        News(
            hexes=("1217",),
            title="Scene Flow",
            fact="Scene Flow: C2 found E6, now ID2, 5 ships",
            aside="T28 impulse 3",
            note="you search this impulse",
        ),
        News(
            hexes=("1001", "1102"),
            title="Morath",
            fact="Morath: C7 can raid the settled hex",
            aside="new",
            note="C9 sees 2 hexes around 1004",
        ),
        News(hexes=("1719",), title="New Bergen", fact="New Bergen: battle with E14, 2 ships", aside="thread is open"),
    )
    seen = sorted({*WAR.within("1004", 2), *WAR.within("1316", 2)})
    return _war(
        "c",
        hexes=notes(places, space, dict.fromkeys(NEBULA, "nebula")),
        counters=counters, courses=courses, news=news, ranges=(Range(kind="detection", hexes=tuple(seen)),),
        header=Header(
            scenario="Northern Gap",
            steps=STEPS,
            step=1,
            track=Track(label="VP", least=-9, most=9, value=-3, aim=-5, said="lost at −5"),
            turn="Turn 29",
            day="day 15 AM",
        ),
    )  # fmt: skip
