"""Views of the situations that maps are judged by: a crowded war for both sides, three empires, and seven.

python -m tests.map_render.looks FOLDER      draws them there, dark, on paper, in grey and 400 pixels wide
"""

import sys
from pathlib import Path

from PIL import Image

from map_render import DEFAULT, Theme, parse_theme, render_side
from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import Figure, Header, News, Range, Stage, Tally, Track
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView

PAPER = Path(__file__).resolve().parents[2] / "config" / "themes" / "paper.toml"
WAR = Grid(columns=22, rows=17, orientation="pointy", numbering="RRCC", origin="top-right", stagger="odd")
REALMS = Grid(columns=11, rows=9, orientation="flat")
SIDES = (SideLabel(key="a", name="Alliance", emblem="A"), SideLabel(key="c", name="Coalition", emblem="C"))
EMPIRES = (
    SideLabel(key="h", name="Hydran", emblem="H"),
    SideLabel(key="k", name="Klingon", emblem="K"),
    SideLabel(key="l", name="Lyran", emblem="L"),
)
MORE = (
    SideLabel(key="g", name="Gorn", emblem="G"),
    SideLabel(key="r", name="Romulan", emblem="R"),
    SideLabel(key="t", name="Tholian", emblem="T"),
    SideLabel(key="z", name="Kzinti", emblem="Z"),
)
STEPS = ("PLAN", "1", "2", "3", "END")
NEBULA = ("0614", "0613", "0714", "0713", "0712", "0715", "0814", "0813")


def force(name: str, at: str, ships: int | None = None, **parts: object) -> Counter:
    """A force of the side whose letter its label begins with."""
    fields = {"id": name, "hex": at, "owner": name[0].lower(), "label": name, "ships": ships} | parts
    return Counter.model_validate(fields)


def contact(name: str, at: str, owner: str, grade: int, **parts: object) -> Counter:
    """A contact known to a grade."""
    fields = {"id": name, "hex": at, "owner": owner, "label": name, "grade": grade, "level": grade} | parts
    return Counter.model_validate(fields)


def around(grid: Grid, owner: str, far: int, *names: str) -> set[tuple[str, str]]:
    """The hexes within so many of some as an owner's space."""
    return {(hex_id, owner) for name in names for hex_id in grid.within(name, far)}


def _notes(places: tuple[HexNote, ...], space: set[tuple[str, str]], terrain: dict[str, str]) -> tuple[HexNote, ...]:
    known = {note.hex: note for note in places}
    owners = dict(sorted(space))
    return tuple(
        known.get(name, HexNote(hex=name)).model_copy(
            update={"territory": owners.get(name, ""), "terrain": terrain.get(name, "space")}
        )
        for name in sorted({*known, *owners, *terrain})
    )


def _place(at: str, owner: str, name: str, mark: str = "base", figure: str = "") -> HexNote:
    return HexNote(hex=at, owner=owner, name=name, marks=tuple(mark.split()), figure=figure)


def _war(side: str, **parts: object) -> SideView:
    board = Board(
        campaign="Northern Gap", rulebook="none", heading="Turn 29", when=When(turn=29), sides=SIDES, grid=WAR
    )
    return SideView(side=side, board=board.model_copy(update=parts))


def alliance() -> SideView:
    """The whole war as the Alliance knows it, in its twenty-ninth turn."""
    places = (
        _place("0320", "a", "Alkashi"),
        _place("0518", "a", "Downbelow"),
        _place("0806", "a", "Murzank"),
        _place("1105", "a", "Arzangel"),
        _place("1217", "a", "Scene Flow"),
        *(
            _place(at, "a", name, "settled")
            for at, name in (("0801", "Velann"), ("0901", "Tsirrak"), ("1001", "Morath"))
        ),
        *(_place(at, "a", name, "settled") for at, name in (("1101", "Gemn"), ("1201", "Sharn"), ("1721", "Harrow"))),
        _place("1720", "a", "Farview", "settled"),
        _place("1510", "c", "Ostrau"),
        _place("1715", "c", "Kiel"),
    )
    space = around(WAR, "a", 3, "0419") | around(WAR, "a", 2, "0717", "1217", "1118", "0806", "1105", "1003")
    space |= around(WAR, "a", 1, "0801", "0901", "1001", "1201", "1720", "1721", "1719")
    space |= {(name, owner) for name, owner in around(WAR, "c", 2, "1510", "1611", "1715", "1613")}
    counters = (
        force("A12", "0320", 4, docked=True),
        force("A2", "0518", 3, docked=True),
        force("A4", "0518", 2, docked=True),
        force("A1", "0818", 5, whole=60),
        force("A34", "1019", 2, whole=80),
        force("A6", "1217", 3),
        force("A3", "1217", 2, whole=60),
        force("A14", "1719", 2),
        force("A9", "0706", 3),
        force("A7", "1007", 4),
        force("A13", "1105", 2, docked=True),
        force("A11", "1002", 2),
        force("A15", "1102", 3, whole=70),
        force("A8", "1306", 1, whole=40),
        contact("E27", "1217", "c", 4, ships=3, details=("2 cruisers, 1 frigate",)),
        contact("E30", "1217", "c", 0, changed=True),
        contact("E11", "1001", "c", 4, changed=True, ships=3),
        contact("E29", "1101", "c", 3, changed=True, ships=3),
        contact("E21", "1719", "c", 3, ships=3),
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
    )
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
        "a",
        hexes=_notes(places, space, dict.fromkeys(NEBULA, "nebula")),
        counters=counters,
        courses=courses,
        news=news,
        header=Header(
            scenario="Northern Gap",
            steps=STEPS,
            step=0,
            track=Track(label="VP", least=-9, most=9, value=3, aim=5, said="wins at +5"),
            turn="Turn 29",
            day="day 15 AM",
        ),
    )


def coalition() -> SideView:
    """The same turn as the Coalition knows it, with the ranges of its scouts."""
    places = (
        *(
            _place(at, "a", name)
            for at, name in (("0617", "Downbelow"), ("0806", "Murzank"), ("1105", "Arzangel"), ("1217", "Scene Flow"))
        ),
        *(
            _place(at, "a", name, "settled")
            for at, name in (("1001", "Morath"), ("1101", ""), ("1721", "Harrow"), ("1720", "Farview"))
        ),
        _place("1510", "c", "Ostrau"),
        _place("1715", "c", "Kiel"),
    )
    space = around(WAR, "a", 1, "0806", "1105", "1217", "1001", "1201", "1720", "1721", "1719")
    space |= around(WAR, "c", 2, "1510", "1611", "1715", "1613")
    counters = (
        force("C2", "1217", 4),
        force("C4", "1316", 1),
        force("C8", "1513", 3),
        force("C5", "1510", 2, docked=True),
        force("C1", "1715", 4, docked=True),
        force("C6", "1719", 3),
        force("C9", "1004", 1),
        force("C7", "1001", 3),
        contact("E6", "1217", "a", 3, ships=5),
        contact("E14", "1719", "a", 4, ships=2),
        contact("E9", "1001", "a", 0, changed=True),
        contact("E12", "1102", "a", 2),
        contact("E3", "0706", "a", 2, age=9, live=False),
        *(contact(f"E{n}", at, "a", 0, age=8, live=False) for n, at in ((4, "1008"), (5, "1007"))),
        Counter(id="B1", hex="1719", owner="", form="battle", label="Battle"),
    )
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
        hexes=_notes(places, space, dict.fromkeys(NEBULA, "nebula")),
        counters=counters,
        courses=courses,
        news=news,
        ranges=(Range(kind="detection", hexes=tuple(seen)),),
        header=Header(
            scenario="Northern Gap",
            steps=STEPS,
            step=1,
            track=Track(label="VP", least=-9, most=9, value=-3, aim=-5, said="lost at −5"),
            turn="Turn 29",
            day="day 15 AM",
        ),
    )


_HYDRAN = ("01", "02", "03")


def _realm(columns: str, rows: range) -> set[str]:
    return {f"{column}{row:02d}" for column in columns.split() for row in rows}


def empires() -> SideView:
    """Three empires, as the Hydran one knows them, in the fourth turn."""
    space = {(name, "h") for name in _realm("01 02 03", range(1, 10))} | {(f"04{row:02d}", "h") for row in range(4, 9)}
    space |= {(name, "l") for name in _realm("07 08 09 10 11", range(1, 5))}
    space |= {(name, "k") for name in _realm("08 09 10 11", range(6, 10))} | {
        (f"07{row:02d}", "k") for row in range(7, 10)
    }
    places = (
        _place("0103", "h", "Pale Shoal", "planet minor", "+25"),
        _place("0303", "h", "Tidewater", "planet capital", "+100"),
        _place("0205", "h", "Azure Station"),
        _place("0307", "h", "Kelp Rock", "planet minor", "+25"),
        _place("0208", "h", "Deepwell", "planet major", "+50"),
        _place("0702", "l", "Ridgeclaw", "planet major"),
        _place("0902", "l", "High Den", "planet capital"),
        _place("0803", "l", "Cub", "planet minor"),
        _place("1004", "l", "Longtail", "planet minor"),
        _place("0906", "k", "Cinder", "planet minor"),
        _place("1106", "k", "Slag", "planet minor"),
        _place("0708", "k", "Forgefall", "planet major"),
        _place("0908", "k", "Iron Hearth", "planet capital"),
    )
    counters = (
        force("F5", "0303", 4, owner="h", docked=True),
        force("F4", "0404", 3, owner="h"),
        force("F3", "0406", 2, owner="h"),
        force("F1", "0605", 6, owner="h"),
        force("F2", "0605", 5, owner="h"),
        contact("C1", "0605", "k", 4, ships=9),
        contact("C2", "0807", "k", 2, changed=True),
        contact("L2", "0704", "l", 3),
        contact("L1", "0602", "l", 0, age=3, live=False),
        Counter(id="B1", hex="0605", owner="", form="battle", label="Battle"),
    )
    courses = (
        Course(
            counter="F4",
            kind="plotted",
            hexes=("0404", "0403", "0502", "0601"),
            stages=(Stage(after=2, said="T4"), Stage(after=3, said="T5")),
        ),
        Course(counter="F3", kind="plotted", hexes=("0406", "0505", "0605"), stages=(Stage(after=2, said="T4"),)),
    )
    news = (
        News(
            hexes=("0605",),
            title="Battle",
            fact="0605: F1 and F2 fight the Klingon C1",
            aside="thread is open",
            note="F3 joins: 2 more ships",
        ),
        News(hexes=("0807",), title="C2", fact="C2 left Forgefall, heads north", aside="new, ID1"),
        News(hexes=("0704",), title="L2", fact="Lyran L2 moved up to 0704", aside="was unknown"),
    )
    terrain = {"0503": "dust", "0504": "dust", "0606": "nebula", "0605": "nebula", "0706": "asteroids"}
    board = Board(
        campaign="Three Crowns",
        rulebook="none",
        heading="Turn 4",
        when=When(turn=4),
        sides=EMPIRES,
        grid=REALMS,
        hexes=_notes(places, space, terrain),
        counters=counters,
        courses=courses,
        news=news,
        header=Header(
            scenario="Three Crowns",
            tallies=(Tally(owner="h", count=5), Tally(owner="k", count=4), Tally(owner="l", count=4)),
            tallied="planets held, as known",
            figures=(Figure(value="225", said="CPV, +200 a turn"),),
            turn="Turn 4",
            day="of 8, impulse 3",
        ),
    )
    return SideView(side="h", board=board)


def seven() -> SideView:
    """Seven empires around a ring, as the Hydran one knows them."""
    grid = Grid(columns=15, rows=12, orientation="flat")
    sides = (*EMPIRES, *MORE)
    homes = dict(
        zip((side.key for side in sides), ("0803", "1204", "1308", "1010", "0610", "0308", "0404"), strict=True)
    )
    space = {pair for key, home in homes.items() for pair in around(grid, key, 1, home)}
    places = tuple(_place(home, key, f"{key.upper()} Prime", "planet capital") for key, home in homes.items())
    counters = [
        force("F1", "0806", 4, owner="h"),
        force("F2", "0803", 3, owner="h", docked=True),
        force("F3", "0705", 2, owner="h", whole=50),
    ]
    for number, side in enumerate(sides[1:], 1):
        home = homes[side.key]
        counters.append(
            contact(f"{side.emblem}1", grid.line(home, "0806")[2], side.key, number % 5, changed=number % 3 == 0)
        )
        counters.append(contact(f"{side.emblem}2", home, side.key, (number + 2) % 5, age=number % 3))
    counters += [contact("K9", "0806", "k", 4, ships=5), contact("Z9", "0806", "z", 2)]
    news = (
        News(
            hexes=("0806",),
            title="Nowhere",
            fact="0806: K9 and Z9 have come upon F1",
            aside="new",
            note="nobody has fired",
        ),
        News(hexes=("1109",), title="G1", fact="Gorn G1 comes near", aside="new"),
    )
    header = Header(
        scenario="The Ring",
        tallies=tuple(Tally(owner=side.key, count=3) for side in sides),
        tallied="planets held, as known",
        turn="Turn 7",
        day="impulse 2",
    )
    board = Board(
        campaign="The Ring",
        rulebook="none",
        heading="Turn 7",
        when=When(turn=7),
        sides=sides,
        grid=grid,
        hexes=_notes(places, space, {"0707": "nebula", "0907": "asteroids"}),
        counters=tuple(counters),
        news=news,
        header=header,
    )
    return SideView(side="h", board=board)


LOOKS = {"01-alliance": alliance, "02-coalition": coalition, "05-empires": empires, "07-seven": seven}


def main(folder: Path) -> None:
    """Draw every look in every way that it is judged by."""
    folder.mkdir(parents=True, exist_ok=True)
    themes: dict[str, Theme] = {"dark": DEFAULT, "paper": parse_theme(PAPER.read_text(encoding="utf-8"))}
    for name, view in LOOKS.items():
        for word, theme in themes.items():
            drawn = render_side(view(), theme=theme, ranges=("detection",))
            path = folder / f"{name}-{word}.png"
            path.write_bytes(drawn.png)
            with Image.open(path) as picture:
                small = picture.convert("RGB").resize(
                    (400, round(400 * picture.height / picture.width)), Image.Resampling.LANCZOS
                )
                small.save(folder / f"{name}-{word}-400.png")
                small.convert("L").save(folder / f"{name}-{word}-grey.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
