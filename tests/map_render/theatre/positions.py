"""Random positions: maps of any kind with forces, contacts, places, courses and news at random, the same for a seed."""

from random import Random

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import Header, News, Stage
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView

NAMES = ("Scene Flow", "New Bergen", "Kiel", "Aikashi", "Downbelow", "Murzank", "Forgefall", "Iron Hearth", "Å", "")
SIDES = tuple(SideLabel(key=key, name=f"Side {key.upper()}", emblem=key.upper()) for key in "aklgrtz")


def position(seed: int) -> SideView:
    """A side's view, of two to seven sides on a small or large map."""
    chance = Random(seed)
    columns, rows = chance.choice(((22, 17), (11, 9), (9, 8), (15, 20), (30, 12)))
    grid = Grid(columns=columns, rows=rows, orientation=chance.choice(("flat", "pointy")))
    names = grid.hexes()
    sides = SIDES[: chance.randint(2, 7)]
    most = max(6, len(names) // 14)
    # Half of what there is stands near one place.
    front = grid.within(chance.choice(names), 3)

    def somewhere() -> str:
        return chance.choice(front if chance.random() < 0.5 else names)

    notes: dict[str, HexNote] = {}
    for _ in range(chance.randint(0, most)):
        at = somewhere()
        marks = chance.choice((("base",), ("settled",), ("planet", "major"), ("planet", "capital"), ()))
        notes[at] = HexNote(hex=at, marks=marks, owner=chance.choice(sides).key, name=chance.choice(NAMES),
                            figure=chance.choice(("", "+25")), territory=chance.choice(("", "a", "k")))  # fmt: skip
    ours = [_own(chance, number, somewhere()) for number in range(chance.randint(1, most))]
    theirs = [_theirs(chance, number, somewhere(), sides) for number in range(chance.randint(0, most))]
    battles = [
        Counter(id=f"B{place}", hex=one.hex, owner="", form="battle", label="Battle")
        for place, one in enumerate(theirs[:2]) if chance.random() < 0.3
    ]  # fmt: skip
    courses = tuple(_course(chance, grid, one) for one in ours if chance.random() < 0.4)
    news = tuple(
        News(hexes=(at,), title=chance.choice(NAMES) or at, fact=f"{at}: something is new there", aside="new",
             note=chance.choice(("", "E27: 2 cruisers, 1 frigate")))
        for at in dict.fromkeys(chance.choice([*ours, *theirs]).hex for _ in range(chance.randint(0, 3)))
    )  # fmt: skip
    board = Board(campaign="Random", rulebook="none", heading="Turn 3", when=When(turn=3), sides=sides, grid=grid,
                  hexes=tuple(notes.values()), counters=(*ours, *theirs, *battles), courses=courses, news=news,
                  header=Header(turn="Turn 3"))  # fmt: skip
    return SideView(side="a", board=board)


def _own(chance: Random, number: int, at: str) -> Counter:
    return Counter(id=f"A{number}", hex=at, owner="a", label=f"A{number}", ships=chance.choice((None, 1, 4, 12)),
                   whole=chance.choice((None, 100, 40)), docked=chance.random() < 0.2)  # fmt: skip


def _theirs(chance: Random, number: int, at: str, sides: tuple[SideLabel, ...]) -> Counter:
    grade, old = chance.randint(0, 4), chance.random() < 0.4
    form = chance.choice(("force", "force", "force", "force", "base", "minefield"))
    return Counter(id=f"E{number}", hex=at, owner=chance.choice((*sides[1:], sides[1])).key, label=f"E{number}",
                   form=form, grade=grade, level=grade, age=chance.randint(1, 19) if old else 0, live=not old,
                   changed=not old and chance.random() < 0.3, ships=chance.choice((None, 3)))  # fmt: skip


def _course(chance: Random, grid: Grid, one: Counter) -> Course:
    way = [one.hex]
    for _ in range(chance.randint(1, 5)):
        ahead = [name for name in grid.neighbours(way[-1]) if name not in way]
        way += [chance.choice(ahead)] if ahead else []
    kind = chance.choice(("plotted", "route", "moved"))
    hexes = tuple(reversed(way)) if kind == "moved" else tuple(way)
    stages = tuple(Stage(after=n, said=f"T{3 + n}") for n in range(1, len(way)) if n % 2) if kind == "plotted" else ()
    return Course(counter=one.id, kind=kind, hexes=hexes, stages=stages)
