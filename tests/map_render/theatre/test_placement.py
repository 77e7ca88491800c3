"""Where counters and callouts find a place on a theatre's map."""

from collections import Counter as Tally
from itertools import combinations, pairwise
from math import hypot
from random import Random

import pytest

from map_render import DEFAULT
from map_render.drawing import palette, scene
from map_render.theatre import bands, callouts, picture, pieces
from map_render.theatre.numbers import number_boxes
from map_render.theatre.placing.bodies import bodies_meet
from map_render.theatre.placing.free_places import FreePlaces
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from map_render.theatre.placing.room import CALLOUT, COUNTER, NAME, PLACE, Bits, Rect, crosses
from rules_engine.core.knowledge.views import SideView
from tests.map_render import looks
from tests.map_render.theatre.positions import position

SEEDS = 240
PARTS = range(1000, 1080)
"""Seeds of positions of which only a part is planned."""
AT_A_TIME = 20
Plans = list[tuple[SideView, TheatrePlan]]
PLANS: dict[int, tuple[SideView, TheatrePlan]] = {}


def planned(seed: int) -> tuple[SideView, TheatrePlan]:
    """A random view, or below zero one of the looks, and its plan; made once."""
    if seed not in PLANS:
        view = list(looks.THEATRES.values())[-seed - 1]() if seed < 0 else position(seed)
        plan = plan_theatre(scene.scene_of(view), DEFAULT, (), area(view, seed) if seed in PARTS else ())
        shown = view.model_copy(update={"board": plan.scene.board}) if seed in PARTS else view
        PLANS[seed] = shown, plan
    return PLANS[seed]


def area(view: SideView, seed: int) -> tuple[str, str]:
    """Opposite corners of a part, around where most of it stands."""
    chance, names = Random(seed), view.board.grid.hexes()
    return chance.choice(view.board.counters).hex, chance.choice(names)


@pytest.fixture(
    params=[*range(0, SEEDS, AT_A_TIME), *PARTS[::AT_A_TIME], -1], ids=lambda first: f"from {first}", name="plans"
)
def some_plans(request: pytest.FixtureRequest) -> Plans:
    first = request.param
    return [
        planned(seed) for seed in (range(-len(looks.THEATRES), 0) if first < 0 else range(first, first + AT_A_TIME))
    ]


def bodies_of(plan: TheatrePlan):
    return [body for placed in plan.standing for body in placed.bodies]


def test_nothing_of_an_enemy_is_covered_and_no_counter_lies_on_another(plans: Plans):
    for view, plan in plans:
        for one, other in combinations(bodies_of(plan), 2):
            if one.part.ids and other.part.ids and one.meets(other):
                foe = one.part.foe or other.part.foe
                assert not foe, (view.board.grid, one.part.ids, other.part.ids)


def test_everything_on_the_board_is_drawn(plans: Plans) -> None:
    for view, plan in plans:
        drawn = Tally(name for body in bodies_of(plan) for name in body.part.ids)
        assert all(count == 1 for count in drawn.values())
        grounds = {site.hex for site in plan.pieces.places}
        for one in view.board.counters:
            if one.form != "battle" and one.id not in drawn:
                assert one.form == "base", one
                assert one.hex in grounds
        battles = {one.hex for one in view.board.counters if one.form == "battle"}
        assert battles == {placed.hex for placed in plan.standing if getattr(placed.of, "battle", False)}


def test_every_counter_and_word_is_on_the_map(plans: Plans) -> None:
    for _, plan in plans:
        for body in bodies_of(plan):
            assert body.box.within(plan.frame.field)
        for taken in plan.room.all:
            if taken.kind in (NAME, CALLOUT):
                assert taken.box.within(plan.frame.field)


def test_no_word_lies_on_a_word_or_on_a_counter(plans: Plans) -> None:
    for _, plan in plans:
        bodies = [body.box for body in bodies_of(plan)]
        words = [taken.box for taken in plan.room.all if taken.kind == NAME and taken.of != "number"]
        for one, other in combinations(words, 2):
            assert not one.meets(other)
        for word in words:
            assert not any(word.meets(body) for body in bodies)


def test_callouts_cover_nothing_and_their_leaders_cross_no_counter_and_no_name(plans: Plans):
    for _, plan in plans:
        boxes = {one.callout.hex: one.box for one in plan.callouts}
        for one in plan.callouts:
            others = [box for name, box in boxes.items() if name != one.callout.hex]
            under = [taken for taken in plan.room.all if taken.of != f"callout {one.callout.hex}"]
            assert not any(taken.box.meets(one.box) for taken in under), one.callout
            for taken in under:
                if taken.kind & (COUNTER | NAME):
                    assert not crosses(one.start, one.end, taken.box), (one.callout, taken)
            assert not any(crosses(one.start, one.end, box) for box in others)
            x, y = plan.frame.centres[one.callout.hex]
            nearest = hypot(max(one.box.left - x, x - one.box.right, 0), max(one.box.top - y, y - one.box.bottom, 0))
            assert nearest <= 8.1 * 1.74 * plan.frame.size
            assert one.start[0] in range(one.box.left, one.box.right + 1)


def test_no_counter_lies_on_a_part_of_a_row_number_or_of_a_column_number(plans: Plans) -> None:
    for _, plan in plans:
        hidden = set(plan.hidden)
        assert hidden <= set(number_boxes(plan.scene.board.grid, plan.frame))
        for box in number_boxes(plan.scene.board.grid, plan.frame):
            high = box.bottom - box.top
            digits = Rect(box.left + 3, box.top + high // 7, box.right - 3, box.bottom - high // 7)
            on_it = [body for body in bodies_of(plan) if bodies_meet(body.part.shape, body.box, "plate", box)]
            fully = [body for body in on_it if bodies_meet(body.part.shape, body.box.grown(-4), "plate", digits)]
            assert box in hidden if fully else box not in hidden or on_it, box


def test_a_number_that_is_left_away_is_drawn_nowhere() -> None:
    plan = plan_theatre(scene.scene_of(looks.alliance()), DEFAULT)
    assert plan.hidden
    without = plan._replace(standing=())
    shown = picture.paint_plan(without._replace(hidden=()), DEFAULT)
    for box in plan.hidden:
        assert set(picture.paint_plan(without, DEFAULT).crop(box).tobytes()) == {palette.PAPER}
        assert set(shown.crop(box).tobytes()) > {palette.PAPER}


def test_what_finds_no_place_is_told_in_the_band(plans: Plans) -> None:
    for _, plan in plans:
        wanted = callouts.callouts_of(plan.scene, plan.pieces)
        assert len(wanted) <= 3
        assert len(plan.callouts) + len(plan.homeless) == len(wanted)
        numbers = {one.callout.number for one in plan.callouts} | {number for number, _ in plan.pins}
        for number, news in plan.scene.numbered:
            assert number in numbers or news.hexes[0] in {one.hex for one in plan.homeless}


def test_pins_and_ghosts_lie_on_no_counter_and_no_word(plans: Plans) -> None:
    for _, plan in plans:
        for taken in [taken for taken in plan.room.all if taken.of == "pin" or taken.of.startswith("ghost ")]:
            for other in plan.room.all:
                if other is not taken and other.kind & (COUNTER | NAME) and not {taken.of, other.of} <= {"pin"}:
                    assert not taken.box.grown(-4).meets(other.box), (taken, other)


def test_a_pin_near_its_hex_lies_on_no_places_sign(plans: Plans) -> None:
    for _, plan in plans:
        hexes = dict(plan.scene.numbered)
        for number, (x, y) in plan.pins:
            at = next(name for name in hexes[number].hexes if name in plan.frame.centres)
            away = hypot(x - plan.frame.centres[at][0], y - plan.frame.centres[at][1])
            half = plan.frame.px(44) - 2
            box = Rect(x - half, y - half, x + half, y + half)
            signs = [taken.box for taken in plan.room.all if taken.kind == PLACE]
            assert away > 4.9 * plan.frame.size or not any(box.meets(sign) for sign in signs), at


def test_the_ghost_of_a_counter_stands_in_the_hex_where_its_course_ends(plans: Plans) -> None:
    seen = 0
    for _, plan in plans:
        for taken in plan.room.all:
            if taken.of.startswith("ghost "):
                mine = [one for one in plan.lines if not one.trail and f"ghost {one.course.counter}" == taken.of]
                x, y = taken.box.middle
                away = [hypot(x - one.corners[-1][0], y - one.corners[-1][1]) for one in mine]
                assert min(away) < 0.86 * plan.frame.size, taken  # to the middle of a hex's side
                seen += 1
    assert seen


def test_courses_that_share_a_leg_run_apart(plans: Plans) -> None:
    for _, plan in plans:
        least = plan.frame.px(10) + plan.frame.px(12)
        legs: dict[frozenset[str], dict[str, tuple[float, float]]] = {}
        for line in plan.lines:
            hexes = [
                name
                for place, name in enumerate(line.course.hexes)
                if not place or name != line.course.hexes[place - 1]
            ]
            for place, leg in enumerate(pairwise(hexes)):
                (x, y), (to_x, to_y) = line.corners[place], line.corners[place + 1]
                middle = ((x + to_x) / 2, (y + to_y) / 2)
                legs.setdefault(frozenset(leg), {}).setdefault(line.course.counter, middle)
        for middles in legs.values():
            # Beyond seven lanes there is no room in a hex.
            for one, other in combinations(list(middles.values())[:5], 2):
                assert hypot(one[0] - other[0], one[1] - other[1]) >= 0.45 * least


def test_counters_are_large_enough_on_a_phone(plans: Plans) -> None:
    for _, plan in plans:
        scale = 400 / plan.frame.width
        assert plan.frame.plate * scale >= 13.9
        assert 2.12 * plan.frame.contact * scale >= 15
        assert plan.frame.px(bands.FACT) * scale >= 10.9
        assert plan.frame.px(bands.ASIDE) * scale >= 7.5


def test_counters_stand_in_or_beside_their_hex(plans: Plans) -> None:
    far = 0
    groups = 0
    for _, plan in plans:
        for placed in plan.standing:
            groups += 1
            far += hypot(*placed.aside) > 1.6 * plan.frame.size
    assert far <= 0.3 * groups


def test_each_counter_of_a_contested_hex_has_its_middle_there_or_stands_in_a_box_with_the_hexs_number(plans: Plans):
    for _, plan in plans:
        stands = {one.hex: one for one in plan.standing if isinstance(one.of, pieces.Stand)}
        fights = {name for name, one in stands.items() if one.of.contested or one.of.battle}
        half = max(y for _, y in plan.frame.corners)
        for name in (name for name in fights if stands[name].of.contested):
            bodies = [body for body in stands[name].bodies if body.part.ids]
            inside = all(plan.frame.holds(name, (body.x, body.y)) for body in bodies)
            assert inside != stands[name].boxed, name
            high = sum(body.box.bottom - body.box.top for body in bodies)
            if not inside and len(bodies) == 2 and high < 4 * half - 8:
                # One above the other they would have had room, if nobody else fought so near.
                assert any(plan.scene.board.grid.distance(name, other) <= 2 for other in fights - {name}), name


def test_a_box_of_counters_holds_those_of_its_hex_alone_and_is_joined_to_it(plans: Plans) -> None:
    for _, plan in plans:
        words = [taken.box for taken in plan.room.all if taken.kind == NAME and taken.of != "number"]
        for placed in plan.standing:
            if not placed.boxed:
                continue
            box, *inside = placed.bodies
            assert not box.part.ids
            stands = isinstance(placed.of, pieces.Stand) and placed.of.counters
            assert {name for body in inside for name in body.part.ids} == {one.id for one in stands or ()}
            assert all(body.box.within(box.box) for body in inside if body.part.ids)
            others = [body for one in plan.standing if one is not placed for body in one.bodies]
            assert not any(box.meets(body) for body in others)
            assert not any(word.meets(box.box) for word in words)
            if placed.leader is not None:
                assert plan.frame.holds(placed.hex, placed.leader[1])
                assert not any(crosses(*placed.leader, word) for word in words)


def test_old_sightings_are_gathered_and_hide_nothing_new(plans: Plans) -> None:
    for view, plan in plans:
        for one, other in combinations(plan.pieces.old, 2):
            apart = view.board.grid.distance(one.hex, other.hex) > 2
            assert (
                apart
                or one.owner != other.owner
                or min(one.ages[0], other.ages[0]) <= 3
                or one.members[0].form != other.members[0].form
            )
        for old in plan.pieces.old:
            assert all(member.owner == old.owner for member in old.members)


def test_boxes_meet_where_they_share_a_pixel() -> None:
    box = Rect(0, 0, 10, 10)
    assert box.meets(Rect(9, 9, 20, 20))
    assert not box.meets(Rect(10, 0, 20, 10))
    assert crosses((-5, 5), (15, 5), box)
    assert not crosses((-5, 12), (15, 12), box)
    assert PLACE not in (COUNTER, NAME)


# --- callouts: which places are free, and where their leaders end and what they cross ---------------------------------
@pytest.fixture(scope="module", name="crowded")
def callout_plans() -> list[TheatrePlan]:
    return [plan_theatre(scene.scene_of(position(seed)), DEFAULT) for seed in range(160)]


def crossing(plans: list[TheatrePlan]) -> tuple[int, int]:
    """How many leaders of callouts cross the sign of a place, and how many there are."""
    found = all_of_them = 0
    for plan in plans:
        signs = [taken.box for taken in plan.room.all if taken.kind == PLACE]
        found += sum(any(crosses(one.start, one.end, box) for box in signs) for one in plan.callouts)
        all_of_them += len(plan.callouts)
    return found, all_of_them


def test_on_the_maps_that_are_judged_no_callouts_leader_crosses_the_sign_of_a_place() -> None:
    found, all_of_them = crossing([plan_theatre(scene.scene_of(view()), DEFAULT) for view in looks.THEATRES.values()])
    assert all_of_them > 5
    assert not found


def test_hardly_a_callouts_leader_crosses_the_sign_of_a_place_where_everything_is_crowded(crowded: list[TheatrePlan]):
    found, all_of_them = crossing(crowded)
    assert all_of_them > 100
    assert found <= 0.08 * all_of_them


def test_a_callouts_leader_ends_at_its_hex_or_at_a_counter_of_which_it_tells(crowded: list[TheatrePlan]) -> None:
    elsewhere = 0
    for plan in (*crowded, plan_theatre(scene.scene_of(looks.alliance()), DEFAULT)):
        for one in plan.callouts:
            x, y = plan.frame.centres[one.callout.hex]
            told = {one.callout.hex, *(piece.hex for row in one.callout.rows for piece in row.counters)}
            bodies = [
                (placed.hex, body.box) for placed in plan.standing if placed.hex in told for body in placed.bodies
            ]
            dot = Rect(*one.end, *one.end).grown(plan.frame.px(40))
            ends = {name for name, box in bodies if dot.meets(box)}
            at_hex = hypot(one.end[0] - x, one.end[1] - y) <= 1.25 * plan.frame.size or one.callout.hex in ends
            assert at_hex or ends, one.callout
            elsewhere += not at_hex
    assert elsewhere


@pytest.mark.parametrize("seed", range(12))
def test_a_place_is_free_where_no_cell_that_the_box_touches_is_taken(seed: int) -> None:
    chance = Random(seed)
    bits = Bits(8)
    for _ in range(30):
        left, top = chance.randint(-20, 600), chance.randint(-20, 400)
        bits.take(Rect(left, top, left + chance.randint(0, 90), top + chance.randint(0, 60)))
    wide, high = chance.randint(1, 200), chance.randint(1, 150)
    lefts = [(float(n), chance.randint(0, 700)) for n in range(40)]
    tops = [(float(n), chance.randint(0, 500)) for n in range(40)]
    free = FreePlaces(bits, (wide, high), lefts, tops)

    def is_free(left: int, top: int) -> bool:
        return not bits.count(Rect(left, top, left + wide, top + high))

    found = 0
    for at in (*range(0, 60, 7), *range(200, 640, 23)):
        in_row, in_column = free.in_row(at), free.in_column(at)
        assert in_row == [(cost, left) for cost, left in lefts if is_free(left, at)]
        assert in_column == [(cost, top) for cost, top in tops if is_free(at, top)]
        found += len(in_row) + len(in_column)
    assert found
