"""Positions for crops: made up at random, and the Northern Gap in its twenty-ninth turn."""

import random

from rules_engine.core.basics.base import HexId, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import Header, News, Stage, Track
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView

# --- positions --------------------------------------------------------------------------------------------------------
# positions made up at random: crowds of up to seven sides on maps of both kinds, with courses, places and old
# sightings.
NAMES = ("Kiel", "Scene Flow", "New Bergen", "Alkashi", "Quite A Long Name Indeed", "Ünder Ägypt", "")


def position(seed: int) -> SideView:
    """The position of that seed, with one to three numbered places."""
    chance = random.Random(seed)
    grid = Grid(
        columns=chance.randint(3, 22),
        rows=chance.randint(3, 17),
        orientation=chance.choice(("flat", "pointy")),
        origin=chance.choice(("top-left", "top-right")),
    )
    sides = tuple(SideLabel(key=f"s{n}", name=f"Side {n}", emblem="ABCDEFG"[n]) for n in range(chance.randint(2, 7)))
    own = chance.choice(sides).key
    names = grid.hexes()
    hot = chance.sample(names, min(len(names), 3))
    near = [one for name in hot for one in grid.within(name, 2)]
    counters: list[Counter] = []
    for n in range(chance.randint(1, 60)):
        owner = chance.choice([*(side.key for side in sides), own, own, ""])
        at = chance.choice(hot) if chance.random() < 0.3 else chance.choice(near if chance.random() < 0.7 else names)
        counters.append(_counter(chance, n, owner, at, own=owner == own))
    if chance.random() < 0.5:
        counters.append(_battle(chance.choice(hot)))
    notes = [
        HexNote(
            hex=name,
            marks=chance.choice(((), (), ("base",), ("settled",), ("planet",))),
            name=chance.choice(NAMES),
            owner=chance.choice(sides).key,
            figure=chance.choice(("", "+25")),
            territory=chance.choice(("", *(side.key for side in sides))),
            terrain=chance.choice(("space", "space", "nebula", "dust")),
        )
        for name in names
    ]
    news = tuple(
        News(
            hexes=(name, *(one for one in grid.within(name, 2) if chance.random() < 0.1 and one != name)),
            title=f"Place {name}",
            aside="new",
            note="",
            fact="Something happened here this turn",
            choice=chance.choice(("", "You may do something about it")),
        )
        for name in hot
    )
    board = Board(
        campaign="Made up", rulebook="none", heading="Turn 3", when=When(turn=3), sides=sides, grid=grid,
        hexes=tuple(notes), counters=tuple(counters),
        courses=tuple(_courses(chance, grid, [one for one in counters if one.owner == own])),
        header=Header(turn="Turn 3", steps=("PLAN", "1"), step=1), news=news,
    )  # fmt: skip
    return SideView(side=own, board=board)


def _battle(at: str) -> Counter:
    return Counter.model_validate({"id": "B1", "hex": at, "owner": "", "form": "battle", "label": "Battle"})


def _counter(chance: random.Random, number: int, owner: str, at: str, *, own: bool) -> Counter:
    grade = None if own else chance.randint(0, 4)
    age = 0 if own else chance.choice((0, 0, 0, 1, 2, 5, 9))
    return Counter(
        id=f"{'A' if own else 'E'}{number}", hex=at, owner=owner,
        form=chance.choice(("force", "force", "force", "base", "minefield", "convoy", "raider")),
        label=f"{'A' if own else 'E'}{number}", sub=chance.choice(("", "speed 1", "stop, in port")) if own else "",
        level=grade, grade=grade, level_name="" if grade is None else f"ID{grade}", age=age, live=age == 0,
        changed=chance.random() < 0.2, ships=chance.choice((None, 1, 4, 12)),
        whole=chance.choice((None, 100, 40)) if own else None, docked=own and chance.random() < 0.2,
    )  # fmt: skip


def _courses(chance: random.Random, grid: Grid, own: list[Counter]) -> list[Course]:
    found: list[Course] = []
    for piece in own:
        if chance.random() < 0.5:
            path = [piece.hex]
            for _ in range(chance.randint(1, 6)):
                path.append(chance.choice(grid.neighbours(path[-1]) or (path[-1],)))
            kind = chance.choice(("plotted", "route", "moved"))
            found.append(Course(counter=piece.id, kind=kind, hexes=tuple(path), stages=(Stage(after=1, said="T4"),)))
    return found


# --- the Northern Gap in its twenty-ninth turn, as the Alliance knows it: three numbered places on a crowded map ------
GRID = Grid(columns=22, rows=17, orientation="pointy", numbering="RRCC", origin="top-right")
ALLIANCE = SideLabel(key="alliance", name="Alliance", emblem="A")
COALITION = SideLabel(key="coalition", name="Coalition", emblem="C")

BASES: dict[HexId, tuple[str, str]] = {
    "0419": ("Alkashi", "alliance"), "0617": ("Downbelow", "alliance"), "1217": ("Scene Flow", "alliance"),
    "0806": ("Murzank", "alliance"), "1105": ("Arzangel", "alliance"), "1510": ("Ostrau", "coalition"),
    "1715": ("Kiel", "coalition"),
}  # fmt: skip
SETTLED: dict[HexId, str] = {
    "0801": "Velann", "0901": "Tsirrak", "1001": "Morath", "1101": "Gemn", "1201": "Sharn",
    "1721": "Harrow", "1720": "Farview", "1719": "New Bergen",
}  # fmt: skip


def _own(code: str, at: HexId, ships: int, sub: str = "", **parts: object) -> Counter:
    fields = {"id": code, "hex": at, "owner": "alliance", "label": code, "ships": ships, "sub": sub}
    return Counter.model_validate(fields | parts)


def _foe(code: str, at: HexId, grade: int, ships: int | None = None, **parts: object) -> Counter:
    level = ("unknown", "ID0", "ID1", "ID2", "ID3")[grade]
    fields = {"id": code, "hex": at, "owner": "coalition", "label": code, "ships": ships}
    return Counter.model_validate(fields | {"level": grade, "level_name": level, "grade": grade} | parts)


def _other(code: str, at: HexId, owner: str, form: str, label: str) -> Counter:
    grade = 4 if owner == "coalition" else None
    fields = {"id": code, "hex": at, "owner": owner, "form": form, "label": label, "grade": grade}
    return Counter.model_validate(fields)


COUNTERS = (
    _own("A12", "0419", 4, docked=True), _own("A2", "0617", 3, docked=True), _own("A4", "0617", 2, docked=True),
    _own("A1", "0818", 5, whole=60), _own("A34", "1118", 2, "speed 1", whole=80), _own("A6", "1217", 3),
    _own("A3", "1217", 2, whole=55), _own("A9", "0707", 3), _own("A7", "1007", 4),
    _own("A13", "1105", 2, docked=True), _own("A8", "1306", 1, whole=50), _own("A11", "1002", 2, "crawl"),
    _own("A15", "1102", 3, "speed 1", whole=70), _own("A14", "1719", 2), _foe("E27", "1217", 4, 3, changed=True),
    _foe("E30", "1217", 0, changed=True), _foe("E11", "1001", 4, 3, changed=True),
    _foe("E29", "1101", 3, 3, changed=True), _foe("E21", "1719", 3, 3), _foe("E14", "0810", 2, age=9, live=False),
    *(_foe(f"E{n}", at, 0, age=age, live=False) for n, at, age in ((4, "1317", 13), (5, "1316", 16), (6, "1416", 14))),
    _other("B1", "1719", "", "battle", "Battle"), _other("M1", "1714", "coalition", "minefield", "mines"),
    *(_other(f"X{at}", at, owner, "base", name) for at, (name, owner) in BASES.items()),
)  # fmt: skip
COURSES = (
    Course(counter="A34", kind="plotted", hexes=("1118", "1217"), stages=(Stage(after=1, said="T30"),)),
    Course(counter="A9", kind="plotted", hexes=("0707", "0608", "0609", "0509"), stages=(Stage(after=1, said="T30"),)),
    Course(counter="A7", kind="plotted", hexes=("1007", "1106", "1207", "1308", "1407")),
    Course(counter="A11", kind="moved", hexes=("1004", "1003", "1002")),
)
NEWS = (
    News(
        hexes=("1217",),
        title="Scene Flow 1217",
        fact="Scene Flow: E27 searches A6 this turn",
        aside="T28 impulse 3",
        note="E27: 2 cruisers, 1 frigate",
        choice="A6 and A3 may attack or slip away",
    ),
    News(
        hexes=("1001", "1101"),
        title="Morath and Gemn",
        fact="E11 can raid Morath from impulse 1",
        aside="new",
        note="E29 at Gemn · a raid is possible",
        choice="A11 and A15 are one hex away",
    ),
    News(
        hexes=("1719",),
        title="New Bergen 1719",
        fact="New Bergen: battle with E21, now ID2, 3 ships",
        aside="thread is open",
        note="A14 holds the hex",
        choice="",
    ),
)


def _territory() -> dict[HexId, str]:
    held: dict[HexId, str] = {}
    for at, (_, owner) in BASES.items():
        held |= dict.fromkeys(GRID.within(at, 2), owner)
    for at in SETTLED:
        held |= dict.fromkeys((one for one in GRID.within(at, 1) if one not in held), "alliance")
    return held


def _notes() -> tuple[HexNote, ...]:
    held = _territory()
    nebula = {"0612", "0611", "0713", "0712", "0711", "0812", "0811"}
    notes: list[HexNote] = []
    for name in GRID.hexes():
        base, settled = BASES.get(name), SETTLED.get(name)
        fields: dict[str, object] = {
            "territory": held.get(name, ""),
            "terrain": "nebula" if name in nebula else "space",
        }
        if base:
            fields |= {"marks": ("base",), "name": base[0], "owner": base[1]}
        elif settled:
            fields |= {"marks": ("settled",), "name": settled, "owner": "alliance"}
        notes.append(HexNote.model_validate({"hex": name} | fields))
    return tuple(notes)


def gap() -> SideView:
    """The whole of it."""
    board = Board(
        campaign="Northern Gap", rulebook="pq17", heading="Turn 29 (day 15 AM), planning", when=When(turn=29),
        sides=(ALLIANCE, COALITION), grid=GRID, hexes=_notes(), counters=COUNTERS, courses=COURSES,
        header=Header(
            scenario="Northern Gap",
            steps=("PLAN", "1", "2", "3", "END"),
            step=0,
            track=Track(label="VP", least=-10, most=10, value=3, aim=5, said="wins at +5"),
            turn="Turn 29",
            day="day 15 AM",
        ),
        news=NEWS,
    )  # fmt: skip
    return SideView(side="alliance", board=board)
