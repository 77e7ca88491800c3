"""Three empires with planets, borders and fleets, and seven; and what views are put together from."""

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import Figure, Header, News, Stage, Tally
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView


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


def notes(places: tuple[HexNote, ...], space: set[tuple[str, str]], terrain: dict[str, str]) -> tuple[HexNote, ...]:
    known = {note.hex: note for note in places}
    owners = dict(sorted(space))
    return tuple(
        known.get(name, HexNote(hex=name)).model_copy(
            update={"territory": owners.get(name, ""), "terrain": terrain.get(name, "space")}
        )
        for name in sorted({*known, *owners, *terrain})
    )


def place(at: str, owner: str, name: str, mark: str = "base", figure: str = "") -> HexNote:
    return HexNote(hex=at, owner=owner, name=name, marks=tuple(mark.split()), figure=figure)


# --- three empires with planets, borders and fleets, and seven --------------------------------------------------------
REALMS = Grid(columns=11, rows=9, orientation="flat")
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
        place("0103", "h", "Pale Shoal", "planet minor", "+25"),
        place("0303", "h", "Tidewater", "planet capital", "+100"),
        place("0205", "h", "Azure Station"),
        place("0307", "h", "Kelp Rock", "planet minor", "+25"),
        place("0208", "h", "Deepwell", "planet major", "+50"),
        place("0702", "l", "Ridgeclaw", "planet major"),
        place("0902", "l", "High Den", "planet capital"),
        place("0803", "l", "Cub", "planet minor"),
        place("1004", "l", "Longtail", "planet minor"),
        place("0906", "k", "Cinder", "planet minor"),
        place("1106", "k", "Slag", "planet minor"),
        place("0708", "k", "Forgefall", "planet major"),
        place("0908", "k", "Iron Hearth", "planet capital"),
    )
    counters = (
        force("F5", "0303", 4, owner="h", docked=True), force("F4", "0404", 3, owner="h"),
        force("F3", "0406", 2, owner="h"), force("F1", "0605", 6, owner="h"), force("F2", "0605", 5, owner="h"),
        contact("C1", "0605", "k", 4, ships=9), contact("C2", "0807", "k", 2, changed=True),
        contact("L2", "0704", "l", 3), contact("L1", "0602", "l", 0, age=3, live=False),
        Counter(id="B1", hex="0605", owner="", form="battle", label="Battle"),
    )  # fmt: skip
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
        campaign="Three Crowns", rulebook="none", heading="Turn 4", when=When(turn=4), sides=EMPIRES, grid=REALMS,
        hexes=notes(places, space, terrain), counters=counters, courses=courses, news=news,
        header=Header(
            scenario="Three Crowns",
            tallies=(Tally(owner="h", count=5), Tally(owner="k", count=4), Tally(owner="l", count=4)),
            tallied="planets held, as known",
            figures=(Figure(value="225", said="CPV, +200 a turn"),),
            turn="Turn 4",
            day="of 8, impulse 3",
        ),
    )  # fmt: skip
    return SideView(side="h", board=board)


def seven() -> SideView:
    """Seven empires around a ring, as the Hydran one knows them."""
    grid = Grid(columns=15, rows=12, orientation="flat")
    sides = (*EMPIRES, *MORE)
    homes = dict(
        zip((side.key for side in sides), ("0803", "1204", "1308", "1010", "0610", "0308", "0404"), strict=True)
    )
    space = {pair for key, home in homes.items() for pair in around(grid, key, 1, home)}
    places = tuple(place(home, key, f"{key.upper()} Prime", "planet capital") for key, home in homes.items())
    counters = [
        force("F1", "0806", 4, owner="h"),
        force("F2", "0803", 3, owner="h", docked=True),
        force("F3", "0705", 2, owner="h", whole=50),
    ]
    for number, side in enumerate(sides[1:], 1):
        home = homes[side.key]
        text = f"{side.emblem}1"
        counters.append(contact(text, grid.line(home, "0806")[2], side.key, number % 5, changed=number % 3 == 0))
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
        scenario="The Ring", tallies=tuple(Tally(owner=side.key, count=3) for side in sides),
        tallied="planets held, as known", turn="Turn 7", day="impulse 2",
    )  # fmt: skip
    board = Board(
        campaign="The Ring", rulebook="none", heading="Turn 7", when=When(turn=7), sides=sides, grid=grid,
        hexes=notes(places, space, {"0707": "nebula", "0907": "asteroids"}), counters=tuple(counters), news=news,
        header=header,
    )  # fmt: skip
    return SideView(side="h", board=board)
