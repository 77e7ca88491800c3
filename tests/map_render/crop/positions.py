"""Positions for crops: made up at random, and the Northern Gap in its twenty-ninth turn."""

import random

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import Header, News, Stage
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, SideView
from tests.map_render.written import written

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
def gap() -> SideView:
    """The whole of it."""
    return written("gap_crops")


GRID = gap().board.grid
