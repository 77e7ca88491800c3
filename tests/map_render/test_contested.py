"""Contested hexes: whoever else stands there, and however many, every side in a hex is drawn, counted and named."""

from collections import Counter as Tally
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from map_render import DEFAULT, alt_text, describe
from map_render.drawing.palette import index
from map_render.drawing.scene import AnyView, Scene, scene_of
from map_render.theatre.callouts import callouts_of
from map_render.theatre.pieces import Stand
from map_render.theatre.placing.bodies import PlacedPart
from map_render.theatre.placing.plan import TheatrePlan, plan_theatre
from rules_engine.core.basics.base import SideLabel
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Counter, HexNote, OmniscientView, SideView
from tests.map_render.crowds import CROWDS, HEX, KINDS, POINTED, ROOMY, SEATS, SMALL, board_of, force, forces
from tests.map_render.pictures import around, drawn, pixels, seen_at_400

AREA = ("0101", "1109")
"""The corners of a part of the small map, too wide for a crop."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("grid", [ROOMY, SMALL], ids=["roomy", "small"])
@pytest.mark.parametrize("crowd", CROWDS)
def test_every_side_in_a_hex_is_seen_on_a_phone(crowd: str, grid: Grid, kind: str) -> None:
    view: AnyView = KINDS[kind](board_of(grid, CROWDS[crowd]))
    scene = scene_of(view)
    for seen in (seen_at_400(view), *([seen_at_400(view, AREA)] if grid is SMALL else [])):
        for piece in CROWDS[crowd]:
            ink = scene.look_of(piece.owner).ink
            # A thin outline of six by six pixels covers about ten; a dashed and faded one, half of that.
            assert seen.get(ink, 0.0) >= (5 if piece.live else 2), (piece.owner, ink)


def test_one_more_of_any_side_changes_the_picture() -> None:
    crowd = CROWDS["some of each"]
    before = pixels(KINDS["everything"](board_of(ROOMY, crowd))).tobytes()
    for owner in SEATS:
        more = KINDS["everything"](board_of(ROOMY, (*crowd, force(owner, 99))))
        assert pixels(more).tobytes() != before, owner


def test_the_texts_name_every_side_of_a_contested_hex_and_count_it() -> None:
    crowd = (*CROWDS["ours before six of theirs"], force("kzinti", 7, live=False, age=3), force("", 1, label="U1"))
    elsewhere = force("gorn", 1, hex="0101")
    for kind in KINDS.values():
        view = kind(board_of(SMALL, (*crowd, elsewhere)))
        said = alt_text(view)
        assert "Contested: 0505 (Alliance 4, Kzinti 6 and 1 no longer held, owner unknown 1)." in said
        assert "Contested hexes\n- 0505: Alliance A1, A2, A3, A4; Kzinti K1, K2, K3, K4, K5, K6 and K7" in describe(
            view
        )
        alone = kind(board_of(SMALL, (*forces("kzinti", 6), elsewhere)))
        assert "Contested" not in alt_text(alone) + describe(alone)


def test_contested_hexes_with_ours_come_first() -> None:
    theirs = tuple(force(owner, 1, hex="0102") for owner in ("kzinti", "lyran"))
    said = alt_text(SideView(side="alliance", board=board_of(ROOMY, (*theirs, *CROWDS["a lone enemy"]))))
    assert said.index("0505 (Alliance 9, Kzinti 1)") < said.index("0102 (Kzinti 1, Lyran 1)")


def test_a_callout_counts_every_side_of_a_crowd_for_itself() -> None:
    crowd = (*forces("alliance", 4), *forces("kzinti", 6), *forces("lyran", 1))
    scene = scene_of(SideView(side="alliance", board=board_of(SMALL, crowd)))
    (callout,) = callouts_of(scene, plan_theatre(scene, DEFAULT).pieces)
    assert [row.words for row in callout.rows] == ["+1", "K1 K2 K3 +3", "L1"]


@pytest.mark.parametrize("crowd", CROWDS)
def test_the_letter_of_a_places_owner_shows_beside_the_counters_of_others(crowd: str) -> None:
    """Whose a planet is can be told without colour, whoever stands there."""
    note = HexNote(hex=HEX, marks=("planet",), owner="tholian", name="Deep")
    board = board_of(ROOMY, CROWDS[crowd], (note,))
    other = SEATS | {"tholian": "W"}
    sides = tuple(SideLabel(key=key, name=key.title(), emblem=emblem) for key, emblem in other.items())
    one, two = SideView(side="alliance", board=board), board.model_copy(update={"sides": sides})
    assert around(one, HEX) != around(SideView(side="alliance", board=two), HEX)


# --- any counters -----------------------------------------------------------------------------------------------------

OWNERS = st.sampled_from([*SEATS, "", "traders", "pirates"])
FORMS = st.sampled_from(["force", "force", "force", "base", "minefield", "convoy", "battle", "raider"])


@st.composite
def crowds(draw: st.DrawFn, most: int = 24) -> tuple[Counter, ...]:
    """Any counters in the contested hex."""
    found: list[Counter] = []
    for number in range(draw(st.integers(1, most))):
        owner, form = draw(OWNERS), draw(FORMS)
        ours = owner == "alliance"
        grade = None if ours or form == "battle" else draw(st.integers(0, 4))
        live = ours or form == "battle" or draw(st.booleans())
        age = 0 if ours else draw(st.integers(0, 9))
        label = draw(st.sampled_from(["{0}", "E{0}", "Grimhold {0}", "Outpost at the Rim {0}"])).format(number)
        parts = {"form": form, "live": live, "age": age, "grade": grade, "level": grade, "changed": draw(st.booleans())}
        sub = "speed 2, passive, shadowing E4" if ours else ""
        found.append(force(owner, number, **parts, label=label, sub=sub))
    return tuple(found)


def scene_with(crowd: tuple[Counter, ...], grid: Grid, own: str) -> Scene:
    board = board_of(grid, crowd)
    return scene_of(SideView(side=own, board=board) if own else OmniscientView(omniscient=board))


def whose(piece: Counter) -> str:
    """The owner's key; battles are nobody's."""
    return "a battle" if piece.form == "battle" else piece.owner


def bodies_in(plan: TheatrePlan) -> list[PlacedPart]:
    """The counters drawn for the contested hex."""
    return [body for placed in plan.standing if placed.hex == HEX for body in placed.bodies if body.part.ids]


@settings(max_examples=60)
@given(crowd=crowds(), grid=st.sampled_from([ROOMY, POINTED, SMALL]), own=st.sampled_from(["", "alliance", "gorn"]))
def test_every_counter_is_drawn_in_its_own_sides_name(crowd: tuple[Counter, ...], grid: Grid, own: str) -> None:
    plan = plan_theatre(scene_with(crowd, grid, own), DEFAULT)
    owners = {one.id: one.owner for one in crowd}
    there = [one for one in crowd if one.form != "battle" and not (one.form == "base" and one.grade != 0)]
    assert Tally(name for body in bodies_in(plan) for name in body.part.ids) == Tally(one.id for one in there)
    for body in bodies_in(plan):
        assert len({owners[name] for name in body.part.ids}) == 1, "no side hides behind another's"
    for one, other in combinations(bodies_in(plan), 2):
        assert not one.meets(other)
    # What is held is never hidden behind what was lost.
    lost = {one.id for one in there if plan_is_old(plan, one)}
    for body in bodies_in(plan):
        assert set(body.part.ids) <= lost or lost.isdisjoint(body.part.ids)
    # What stands there is drawn the same way in whatever order the view lists it.
    again = plan_theatre(scene_with((*reversed(crowd),), grid, own), DEFAULT)
    assert [(body.part.ids, body.box) for body in bodies_in(again)] == [
        (body.part.ids, body.box) for body in bodies_in(plan)
    ]


def plan_is_old(plan: TheatrePlan, one: Counter) -> bool:
    """Whether a counter is drawn as a sighting that is not of this turn."""
    return any(one.id == member.id for old in plan.pieces.old for member in old.members)


@settings(max_examples=40)
@given(crowd=crowds(), own=st.sampled_from(["", "alliance"]))
def test_what_one_side_has_does_not_change_how_many_of_another_are_said(crowd: tuple[Counter, ...], own: str) -> None:
    forces_there = tuple(piece for piece in crowd if piece.form != "battle")
    rest = tuple(piece for piece in forces_there if piece.owner != "kzinti")
    said: list[list[int]] = []
    for some in (forces_there, rest):
        plan = plan_theatre(scene_with(some, ROOMY, own), DEFAULT)
        (stand,) = [one for one in plan.pieces.stands if one.hex == HEX] or [Stand(HEX, (), ())]
        owners = sorted({one.owner for one in rest})
        said.append([sum(one.owner == owner for one in stand.counters) for owner in owners])
    assert said[0] == said[1]


@settings(max_examples=25)
@given(
    crowd=crowds(most=12),
    beside=crowds(most=4),
    grid=st.sampled_from([ROOMY, POINTED, SMALL]),
    own=st.sampled_from(["", "alliance"]),
)
def test_no_word_lies_on_a_counter_and_every_side_shows(
    crowd: tuple[Counter, ...], beside: tuple[Counter, ...], grid: Grid, own: str
) -> None:
    near = grid.neighbours(HEX)
    neighbours = tuple(
        one.model_copy(update={"id": f"{one.id}b{place}", "hex": near[place % 6]}) for place, one in enumerate(beside)
    )
    board = board_of(grid, (*crowd, *neighbours))
    view: AnyView = SideView(side=own, board=board) if own else OmniscientView(omniscient=board)
    scene, plan = scene_of(view), plan_theatre(scene_of(view), DEFAULT)
    picture, _ = drawn(view)
    owners = {one.id: one.owner for one in board.counters}
    for body in bodies_in(plan):
        ink = scene.look_of(owners[body.part.ids[0]]).ink
        part = Tally(picture.crop(body.box).tobytes())
        strong = sum(count for number, count in part.items() if index(ink, 8) <= number <= index(ink))
        _, top, _, bottom = body.part.sprite.mask.getbbox() or (0, 0, 0, 0)
        r = (bottom - top) / 2
        assert strong >= 0.12 * r * r, (owners[body.part.ids[0]], r)
