"""Made-up boards in the sizes and shapes that the rulebooks have, counters, and crowds in one hex."""

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, OmniscientView, PublicView, SideView

ALLIANCE = SideLabel(key="alliance", name="Alliance", emblem="A")
KZINTI = SideLabel(key="kzinti", name="Kzinti Hegemony", emblem="K")
LYRAN = SideLabel(key="lyran", name="Lyran Star Empire", emblem="L")
GORN = SideLabel(key="gorn", name="Gorn Confederation", emblem="G")
GRIMHOLD = Counter(
    id="B", hex="0505", owner="kzinti", form="base", label="Grimhold", level=4, grade=4, level_name="ID3"
)
"""An enemy base that is known."""


def board(grid: Grid, **parts: object) -> Board:
    """A board with the usual heading."""
    filled: dict[str, object] = {
        "campaign": "Convoy to Bastion", "rulebook": "pq17", "heading": "Phase 1 · Turn 4", "when": When(turn=4),
        "sides": (ALLIANCE, KZINTI), "grid": grid,
    }  # fmt: skip
    return Board.model_validate(filled | parts)


def convoy() -> SideView:
    """A 9 by 8 map of pointed tops, columns counted from the right."""
    grid = Grid(columns=9, rows=8, orientation="pointy", origin="top-right")
    nebula = ("0305", *grid.neighbours("0305"))
    notes = [HexNote(hex=name, terrain="nebula", invented=True) for name in nebula]
    notes += [
        HexNote(hex="0101", marks=("base", "planet"), owner="alliance", name="Bastion"),
        HexNote(hex="0803", marks=("settled",), owner="kzinti"),
        HexNote(hex="0708", marks=("settled",), owner="kzinti", name="Vraz"),
        HexNote(hex="0902", terrain="asteroids"),
        HexNote(hex="0802", terrain="asteroids"),
        HexNote(hex="0507", terrain="sun"),
    ]
    counters = (
        Counter(id="TF1", hex="0604", owner="alliance", label="TF1", sub="cruise 2, active"),
        Counter(id="CV", hex="0604", owner="alliance", form="convoy", label="CV", sub="slow"),
        Counter(id="TF4", hex="0403", owner="alliance", label="TF4", sub="stopped, passive", changed=True),
        Counter(id="E1", hex="0405", owner="kzinti", label="E1", level=0, grade=0, level_name="U", changed=True),
        Counter(
            id="E2",
            hex="0606",
            owner="kzinti",
            label="E2",
            level=2,
            grade=2,
            level_name="ID1",
            details=("2 of size 4",),
        ),
        Counter(id="E3", hex="0802", owner="kzinti", label="E3", level=4, grade=4, level_name="ID3", age=1),
        Counter(id="E5", hex="0307", owner="kzinti", label="E5", level=1, grade=1, level_name="ID0", age=3, live=False),
        Counter(id="M1", hex="0203", owner="kzinti", form="minefield", label="M1", level=4, grade=4, level_name="ID3"),
    )
    courses = (
        Course(counter="TF1", kind="plotted", hexes=("0604", "0504", "0503", "0402")),
        Course(counter="CV", kind="plotted", hexes=("0604", "0504")),
        Course(counter="TF4", kind="moved", hexes=("0503", "0403")),
        Course(counter="E2", kind="moved", hexes=("0707", "0607", "0606")),
    )
    return SideView(side="alliance", board=board(grid, hexes=tuple(notes), counters=counters, courses=courses))


def empires() -> SideView:
    """An 11 by 9 map of flat tops with four empires."""
    grid = Grid(columns=11, rows=9, orientation="flat")
    notes = [HexNote(hex=name, terrain="dust") for name in ("0405", "0505", "0504", "0406")]
    notes += [HexNote(hex=name, terrain="ion storm") for name in ("0807", "0808")]
    notes += [
        HexNote(hex="0302", marks=("capital",), owner="kzinti", name="Kzintai"),
        HexNote(hex="0908", marks=("capital",), owner="lyran", name="Lyrantan"),
        HexNote(hex="1002", marks=("capital", "shipyard"), owner="alliance", name="Far Prospect"),
        HexNote(hex="0202", marks=("planet",), owner="gorn", name="Gdar"),
        HexNote(hex="0606", terrain="black hole"),
        HexNote(hex="0603", marks=("planet", "port", "gate"), name="Crossing"),
        HexNote(hex="0204", terrain="tachyon fog", invented=True),
    ]
    counters = (
        Counter(id="F1", hex="0902", owner="alliance", label="1st Fleet", sub="8 ships"),
        Counter(id="F2", hex="0803", owner="alliance", label="2nd", sub="3 ships"),
        Counter(id="F3", hex="0803", owner="alliance", label="3rd", sub="1 ship"),
        Counter(id="SB", hex="1002", owner="alliance", form="base", label="SB"),
        Counter(id="E1", hex="0704", owner="kzinti", label="E1", level=3, grade=3, level_name="ID2", changed=True),
        Counter(id="E2", hex="0302", owner="kzinti", form="base", label="E2", level=4, grade=4, level_name="ID3"),
        Counter(id="E3", hex="0806", owner="lyran", label="E3", level=2, grade=2, level_name="ID1"),
        Counter(id="E4", hex="0907", owner="lyran", label="E4", level=1, grade=1, level_name="ID0", age=2),
        Counter(id="E6", hex="0206", owner="gorn", label="E6", level=3, grade=3, level_name="ID2", age=5, live=False),
        Counter(id="E7", hex="0508", owner="", label="E7", level=0, grade=0, level_name="U"),
        Counter(id="N1", hex="0605", owner="traders", form="convoy", label="N1", level=4, grade=4, level_name="ID3"),
        Counter(id="B1", hex="0703", owner="", form="battle", label="Battle 3", changed=True),
    )
    courses = (
        Course(counter="F1", kind="plotted", hexes=("0902", "0802", "0703")),
        Course(counter="N1", kind="route", hexes=("1104", "1004", "0904", "0804", "0705", "0605", "0505", "0405")),
    )
    return SideView(
        side="alliance",
        board=board(
            grid,
            campaign="The Long War",
            heading="Year 3 · Month 7",
            sides=(ALLIANCE, KZINTI, LYRAN, GORN),
            hexes=tuple(notes),
            counters=counters,
            courses=courses,
        ),
    )


def crowded(columns: int = 9, rows: int = 8) -> SideView:
    """A map where every third hex holds one to five counters of every kind."""
    grid = Grid(columns=columns, rows=rows, orientation="flat")
    names = grid.hexes()
    sides = ("alliance", "kzinti", "lyran", "gorn", "")
    forms = ("force", "base", "convoy", "minefield", "raider")
    counters: list[Counter] = []
    for place, name in enumerate(names[::3]):
        for one in range(1 + place % 5):
            owner = sides[(place + one) % 5]
            number = len(counters) + 1
            level = None if owner == "alliance" else (place + one) % 5
            counters.append(
                Counter(
                    id=f"C{number}",
                    hex=name,
                    owner=owner,
                    form=forms[(place * 3 + one) % 5] if place % 2 else "force",
                    label=f"TF{number}" if owner == "alliance" else f"E{number}",
                    sub="cruise" if owner == "alliance" else "",
                    level=level,
                    level_name="" if level is None else ("U", "ID0", "ID1", "ID2", "ID3")[level],
                    grade=level,
                    age=0 if owner == "alliance" else place % 4,
                    live=owner == "alliance" or place % 3 != 1,
                    changed=place % 6 == 0,
                )
            )
    terrains = ("space", "nebula", "asteroids", "dust", "space", "radiation", "gas giant", "space")
    notes = tuple(
        HexNote(hex=name, terrain=terrains[(place // 4) % 8], marks=("planet",) if place % 11 == 0 else ())
        for place, name in enumerate(names)
    )
    courses = tuple(
        Course(counter=piece.id, kind="plotted", hexes=grid.line(piece.hex, names[(place * 37) % len(names)])[:5])
        for place, piece in enumerate(counters)
        if piece.owner == "alliance"
    )
    return SideView(
        side="alliance",
        board=board(
            grid, sides=(ALLIANCE, KZINTI, LYRAN, GORN), hexes=notes, counters=tuple(counters), courses=courses
        ),
    )


def wide() -> SideView:
    """A sparse map of 22 by 17 hexes."""
    grid = Grid(columns=22, rows=17, orientation="flat")
    small = empires().board
    notes = (*small.hexes, HexNote(hex="2014", marks=("base",), owner="lyran", name="Outpost Nine"))
    pieces = (
        *small.counters,
        Counter(id="F9", hex="1810", owner="alliance", label="TF9", sub="scouting"),
        Counter(id="E9", hex="2012", owner="lyran", label="E9", level=2, grade=2, level_name="ID1", changed=True),
    )
    courses = (*small.courses, Course(counter="F9", kind="plotted", hexes=grid.line("1810", "2013")))
    update = {"places": grid, "hexes": notes, "counters": pieces, "courses": courses}
    return SideView(side="alliance", board=small.model_copy(update=update))


def empty() -> SideView:
    """A map with nothing on it."""
    return SideView(side="alliance", board=board(Grid(columns=9, rows=8)))


def public(view: SideView) -> PublicView:
    """The same board for everybody."""
    return PublicView(public=view.board)


def everything(view: SideView) -> OmniscientView:
    """The same board for a referee."""
    return OmniscientView(omniscient=view.board)


def view_of(*counters: Counter, hexes: tuple[HexNote, ...] = (), courses: tuple[Course, ...] = ()) -> SideView:
    """An empty map with these on it."""
    parts = {"counters": counters, "hexes": hexes, "courses": courses}
    return SideView(side="alliance", board=empty().board.model_copy(update=parts))


def with_parts(view: SideView, **parts: object) -> SideView:
    """The view with other parts on its board."""
    return SideView(side=view.side, board=view.board.model_copy(update=parts))


def own(number: int, **parts: object) -> Counter:
    """An own task force in the hex 0505."""
    fields = {"id": f"TF{number}", "hex": "0505", "owner": "alliance", "label": f"TF{number}"} | parts
    return Counter.model_validate(fields)


def foe(number: int) -> Counter:
    """A contact in the hex 0505."""
    return Counter(id=f"E{number}", hex="0505", owner="kzinti", label=f"E{number}", level=1, grade=1, level_name="ID0")


# --- crowds in one hex of a map with seven sides: ours and everybody else's, whatever they are and however many -------
SEATS = {"alliance": "A", "kzinti": "K", "lyran": "L", "gorn": "G", "hydran": "H", "romulan": "R", "tholian": "T"}
"""Seven sides and their letters."""

ROOMY = Grid(columns=9, rows=8, orientation="flat")
POINTED = Grid(columns=9, rows=8, orientation="pointy")
SMALL = Grid(columns=22, rows=17, orientation="flat")
HEX = "0505"


def force(owner: str, number: int, **parts: object) -> Counter:
    """A force in the contested hex."""
    known = {} if owner == "alliance" else {"level": 2, "grade": 2, "level_name": "ID1"}
    fields = {"id": f"{owner}{number}", "hex": HEX, "owner": owner, "label": f"{owner[:1].upper()}{number}"}
    return Counter.model_validate(fields | known | parts)


def forces(owner: str, count: int) -> tuple[Counter, ...]:
    return tuple(force(owner, number) for number in range(1, count + 1))


def board_of(grid: Grid, counters: tuple[Counter, ...], notes: tuple[HexNote, ...] = ()) -> Board:
    sides = tuple(SideLabel(key=key, name=key.title(), emblem=emblem) for key, emblem in SEATS.items())
    return Board(
        campaign="Seven", rulebook="none", heading="Turn 1", when=When(turn=1), sides=sides, grid=grid,
        counters=counters, hexes=notes,
    )  # fmt: skip


KINDS = {
    "side": lambda board: SideView(side="alliance", board=board),
    "another side": lambda board: SideView(side="gorn", board=board),
    "public": lambda board: PublicView(public=board),
    "everything": lambda board: OmniscientView(omniscient=board),
}

CROWDS = {
    "ours before six of theirs": (*forces("alliance", 4), *forces("kzinti", 6)),
    "six of theirs after three of each other's": (*forces("alliance", 3), *forces("gorn", 3), *forces("kzinti", 6)),
    "a lone enemy": (*forces("alliance", 9), *forces("kzinti", 1)),
    "one of each": tuple(force(owner, 1) for owner in SEATS),
    "some of each": tuple(piece for place, owner in enumerate(SEATS) for piece in forces(owner, 1 + place)),
    "unknowns and neutrals": (*forces("alliance", 4), *forces("kzinti", 3), *forces("", 2), *forces("traders", 2)),
    "everybody": tuple(piece for owner in (*SEATS, "", "traders") for piece in forces(owner, 2)),
    "a minefield under fleets": (
        *forces("alliance", 3),
        *forces("lyran", 2),
        force("kzinti", 1, form="minefield", label="M4"),
    ),
    "a base under fleets": (*forces("alliance", 5), force("kzinti", 1, form="base", label="Grimhold")),
    "a convoy under fleets": (*forces("alliance", 5), force("traders", 1, form="convoy")),
    "what was lost behind what is held": (*forces("alliance", 4), force("kzinti", 1, live=False, age=4)),
}
