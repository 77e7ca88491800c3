"""Made-up boards in the sizes and shapes that the rulebooks have, counters, and crowds in one hex."""

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, OmniscientView, PublicView, SideView
from tests.map_render.written import written

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
    return written("convoy")


def empires() -> SideView:
    """An 11 by 9 map of flat tops with four empires."""
    return written("four_empires")


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
