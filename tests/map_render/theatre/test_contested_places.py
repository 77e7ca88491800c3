"""Contested hexes that are smaller than a counter: nobody may take what fights there for something in the next hex."""

from itertools import combinations
from random import Random

import pytest

from map_render import DEFAULT
from map_render.drawing.palette import index
from map_render.drawing.scene import scene_of
from map_render.theatre.picture import paint_plan
from map_render.theatre.pieces import Stand
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from map_render.theatre.placing.room import NAME, crosses
from rules_engine.core.basics.base import When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, SideView
from tests.map_render.theatre.positions import SIDES

MAPS = ((22, 17, "flat"), (22, 17, "pointy"), (30, 12, "flat"), (30, 12, "pointy"))
SEEDS = 15


def war(seed: int, columns: int, rows: int, orientation: str) -> SideView:
    """Two to four contested hexes anywhere on a large map, some with a battle, and other forces elsewhere."""
    chance = Random(seed)
    grid = Grid.model_validate({"columns": columns, "rows": rows, "orientation": orientation})
    here = chance.sample(grid.hexes(), chance.randint(2, 4) + 12)
    contested, elsewhere = here[12:], here[:12]
    counters: list[Counter] = []

    def add(at: str, owner: str) -> None:
        number, known = len(counters), {"grade": chance.randint(0, 4), "changed": chance.random() < 0.3}
        label = f"{owner.upper()}{number}"
        fields = {"id": label, "hex": at, "owner": owner, "label": label, "ships": chance.choice((None, 1, 12))}
        damaged = {"whole": chance.choice((100, 40))}
        counters.append(Counter.model_validate(fields | (damaged if owner == "a" else known)))

    for at in contested:
        for _ in range(chance.randint(1, 2)):
            add(at, "a")
        for owner in chance.sample("klg", chance.choice((1, 1, 2))):
            add(at, owner)
        if chance.random() < 0.3:
            counters.append(Counter(id=f"B{at}", hex=at, owner="", form="battle", label="Battle"))
    for number, at in enumerate(elsewhere):
        add(at, "akl"[number % 3])
    board = Board(campaign="War", rulebook="none", heading="Turn 3", when=When(turn=3), sides=SIDES[:4], grid=grid,
                  counters=tuple(counters))  # fmt: skip
    return SideView(side="a", board=board)


@pytest.fixture(scope="module", params=MAPS, ids=lambda one: f"{one[0]} {one[2]}", name="wars")
def some_wars(request: pytest.FixtureRequest) -> list[TheatrePlan]:
    return [plan_theatre(scene_of(war(seed, *request.param)), DEFAULT) for seed in range(SEEDS)]


def test_every_counter_there_has_its_middle_in_its_hex_or_stands_in_a_box_that_is_joined_to_it(
    wars: list[TheatrePlan],
) -> None:
    fights = 0
    for plan in wars:
        for placed in plan.standing:
            if not isinstance(placed.of, Stand) or not placed.of.contested:
                continue
            fights += 1
            bodies = [body for body in placed.bodies if body.part.ids]
            if not placed.boxed:
                assert all(plan.frame.holds(placed.hex, (body.x, body.y)) for body in bodies), placed.hex
                continue
            assert placed.leader is not None, placed.hex
            assert plan.frame.holds(placed.hex, placed.leader[1])
            others = [body.box for one in plan.standing if one is not placed for body in one.bodies]
            words = [taken.box for taken in plan.room.all if taken.kind == NAME]
            assert not any(crosses(*placed.leader, box) for box in (*others, *words))
    assert fights >= 2 * SEEDS


def test_nothing_there_hides_another_and_everybody_is_drawn(wars: list[TheatrePlan]) -> None:
    for plan in wars:
        bodies = [body for placed in plan.standing for body in placed.bodies if body.part.ids]
        assert not any(one.meets(other) for one, other in combinations(bodies, 2))
        drawn = sorted(name for body in bodies for name in body.part.ids)
        assert drawn == sorted(one.id for one in plan.scene.board.counters if one.form != "battle")


def test_on_hexes_higher_than_two_counters_hardly_any_needs_a_box(wars: list[TheatrePlan]) -> None:
    stands = [one for plan in wars for one in plan.standing if isinstance(one.of, Stand) and len(one.of.others) == 1]
    contested = [one.boxed for one in stands if one.of.ours]
    roomy = wars[0].frame.size > 0.67 * wars[0].frame.plate
    assert sum(contested) <= 0.25 * len(contested) if roomy else all(contested)


def test_a_dot_says_where_a_counter_belongs_that_has_no_room_there() -> None:
    grid = Grid(columns=22, rows=17, orientation="pointy")
    ours = Counter(id="A1", hex="1010", owner="a", label="A1", ships=1)
    beside = (Counter(id=at, hex=at, owner="k", label=at, grade=4) for at in ("0910", "1110"))
    counters = (ours, *beside)
    board = Board(campaign="War", rulebook="none", heading="Turn 3", when=When(turn=3), sides=SIDES[:2], grid=grid,
                  counters=counters)  # fmt: skip
    plan = plan_theatre(scene_of(SideView(side="a", board=board)), DEFAULT)
    (stray,) = (one for one in plan.standing if not one.is_in_hex(plan.frame))
    assert paint_plan(plan, DEFAULT).getpixel(plan.frame.centres[stray.hex]) == index("quiet")
