"""Contested hexes: whoever else stands there, and however many, every side in a hex is drawn, counted and named."""

import re
from collections import Counter as Tally
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from map_render import DEFAULT, alt_text, describe
from map_render.drawing.palette import INKS, STRENGTHS
from map_render.map.canvas import Canvas, stacks_of
from map_render.map.counters import placed_in
from map_render.map.heaps import Heap, drawn_of, members_of
from map_render.map.layout import Layout, make_layout
from map_render.map.scene import AnyView, Scene, is_battle, scene_of
from rules_engine.core.basics.base import HexId, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Board, Counter, HexNote, OmniscientView, PublicView, SideView
from tests.map_render.pictures import ink_of, legend_of, part_of

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
        campaign="Seven",
        rulebook="none",
        heading="Turn 1",
        when=When(turn=1),
        sides=sides,
        grid=grid,
        counters=counters,
        hexes=notes,
    )


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


def seen_at_400(view: AnyView, crop: tuple[HexId, ...] | None = None) -> dict[str, float]:
    """For each ink how many pixels it covers around the contested hex, on a picture shown 400 pixels wide."""
    picture = part_of(scene_of(view), crop)
    layout = make_layout(scene_of(view).board.grid, crop, DEFAULT)
    x, y = layout.centres[HEX]
    part = picture.crop((x - layout.size, y - layout.size, x + layout.size, y + layout.size))
    found: dict[str, float] = {}
    shrink = (picture.width / 400) ** 2
    for number, count in enumerate(part.histogram()):
        if 0 < number <= STRENGTHS * len(INKS):
            strength = ((number - 1) % STRENGTHS + 1) / STRENGTHS
            found[ink_of(number)] = found.get(ink_of(number), 0.0) + strength * count / shrink
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("grid", [ROOMY, SMALL], ids=["roomy", "small"])
@pytest.mark.parametrize("crowd", CROWDS)
def test_every_side_in_a_hex_is_seen_on_a_phone(crowd: str, grid: Grid, kind: str) -> None:
    view: AnyView = KINDS[kind](board_of(grid, CROWDS[crowd]))
    scene = scene_of(view)
    for seen in (seen_at_400(view), seen_at_400(view, (HEX, "0303"))):
        for piece in CROWDS[crowd]:
            ink = scene.look_of(piece.owner).ink
            # A thin outline of six by six pixels covers about ten; a dashed and faded one, half of that.
            assert seen.get(ink, 0.0) >= (5 if piece.live else 2), (piece.owner, ink)


def test_one_more_of_any_side_changes_the_picture() -> None:
    crowd = CROWDS["some of each"]
    before = part_of(scene_of(KINDS["everything"](board_of(ROOMY, crowd)))).tobytes()
    for owner in SEATS:
        more = KINDS["everything"](board_of(ROOMY, (*crowd, force(owner, 99))))
        assert part_of(scene_of(more)).tobytes() != before, owner


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


def test_the_legend_explains_counts_and_every_side() -> None:
    crowd = (*CROWDS["everybody"], *(force("kzinti", 10 + n, live=False) for n in range(3)))
    found = legend_of(SideView(side="alliance", board=board_of(ROOMY, crowd)))
    names = [words for kind, words in found if kind == "owner"]
    assert names == ["Alliance (you)", *(owner.title() for owner in SEATS if owner != "alliance"), "unknown", "traders"]
    assert ("heap", "so many of one side") in found
    assert ("heap and lost", "and so many no longer held") in found
    held = SideView(side="alliance", board=board_of(ROOMY, CROWDS["everybody"]))
    assert "heap and lost" not in [kind for kind, _ in legend_of(held)]


def test_the_letter_of_a_places_owner_shows_beside_the_counters_of_others() -> None:
    """Whose a planet is can be told without colour, whoever stands there."""
    for crowd in CROWDS.values():
        note = HexNote(hex=HEX, marks=("planet",), owner="tholian", name="Deep")
        other = SEATS | {"tholian": "W"}
        board = board_of(ROOMY, crowd, (note,))
        sides = tuple(SideLabel(key=key, name=key.title(), emblem=emblem) for key, emblem in other.items())
        one, two = SideView(side="alliance", board=board), board.model_copy(update={"sides": sides})
        box = hex_box(make_layout(ROOMY, None, DEFAULT))
        first = part_of(scene_of(one)).crop(box)
        assert first.tobytes() != part_of(scene_of(SideView(side="alliance", board=two))).crop(box).tobytes()


def hex_box(layout: Layout) -> tuple[int, int, int, int]:
    x, y = layout.centres[HEX]
    return x - layout.size, y - layout.size, x + layout.size, y + layout.size


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


def count_on(piece: Counter) -> tuple[int, int]:
    """(held, no longer held) as what is drawn says it."""
    if not isinstance(piece, Heap):
        return (1, 0) if piece.live else (0, 1)
    based = re.fullmatch(r"\+(\d+)", piece.count)
    if based:
        return (1 + int(based[1]), 0) if piece.live else (0, 1 + int(based[1]))
    said = re.fullmatch(r"x(\d+)(?:\+(\d+))?", piece.count)
    assert said is not None
    first, second = int(said[1]), int(said[2] or 0)
    return (first, second) if piece.live else (0, first)


@given(crowd=crowds(), grid=st.sampled_from([ROOMY, POINTED, SMALL]), own=st.sampled_from(["", "alliance", "gorn"]))
def test_every_counter_is_drawn_in_its_own_sides_name(crowd: tuple[Counter, ...], grid: Grid, own: str) -> None:
    scene, layout = scene_with(crowd, grid, own), make_layout(grid, None, DEFAULT)
    drawn = stacks_of(scene, layout, DEFAULT)[HEX]
    assert sorted(one.id for piece in drawn for one in members_of(piece)) == sorted(one.id for one in crowd)
    there: Tally[tuple[str, bool]] = Tally()
    for piece in drawn:
        owners = {whose(one) for one in members_of(piece)}
        assert owners == {whose(piece)}, "no side hides behind another's"
        held, lost = count_on(piece)
        there[whose(piece), True] += held
        there[whose(piece), False] += lost
    assert +there == Tally((whose(one), one.live) for one in crowd)
    parties = {whose(one) for one in crowd}
    assert len(drawn) <= max(4, len(parties))
    # What is held is never hidden behind what was lost, nor what is new behind what is not.
    for piece in drawn:
        members = members_of(piece)
        assert piece.live == any(one.live for one in members)
        assert piece.changed == any(one.changed for one in members)
    # What stands there is drawn the same way in whatever order the view lists it.
    again = [*reversed(crowd)]
    other = stacks_of(scene_with(tuple(again), grid, own), layout, DEFAULT)[HEX]
    assert other == drawn


@given(crowd=crowds(), own=st.sampled_from(["", "alliance"]))
def test_what_one_side_has_does_not_change_how_many_of_another_are_said(crowd: tuple[Counter, ...], own: str) -> None:
    layout = make_layout(ROOMY, None, DEFAULT)
    forces_there = tuple(piece for piece in crowd if piece.form != "battle")
    said: list[Tally[str]] = []
    for some in (forces_there, tuple(piece for piece in forces_there if piece.owner != "kzinti")):
        drawn = drawn_of(list(some), scene_with(some, ROOMY, own), layout, DEFAULT)
        counts: Tally[str] = Tally()
        for piece in drawn:
            counts[piece.owner] += sum(count_on(piece)) if piece.owner != "kzinti" else 0
        said.append(+counts)
    assert said[0] == said[1]


PRESENT = {"level": 0, "grade": 0, "live": False}
SUB = "speed 2, passive, shadowing E4"


def beside_a_crowd() -> dict[str, Any]:
    """Of a counter that is alone, a label in two lines, of which the second would lie on the next hex's counters."""
    foes = ("kzinti", "lyran", "gorn", "hydran", "romulan")
    others = tuple(force(owner, n, **PRESENT) for n, owner in enumerate(foes))
    ours = tuple(force("alliance", n, sub=SUB, changed=n == 6) for n in range(5, 9))
    outpost = force("kzinti", 9, label="Outpost at the Rim 0", **PRESENT)
    return {"crowd": (*others, ours[0]), "beside": (outpost, *ours[1:]), "grid": POINTED, "own": ""}


def a_long_count() -> dict[str, Any]:
    """A heap of what is held and what is not, beside a plate."""
    lost, base = force("hydran", 0, **PRESENT), force("hydran", 1, form="base", **PRESENT)
    heap = (lost, base, force("hydran", 2, level=0, grade=0, changed=True))
    return {"crowd": (*heap, force("alliance", 3, sub=SUB)), "beside": (), "grid": ROOMY, "own": ""}


@settings(max_examples=25)
@example(**beside_a_crowd())
@example(**a_long_count())
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
    scene, layout = scene_with((*crowd, *neighbours), grid, own), make_layout(grid, None, DEFAULT)
    picture = part_of(scene)
    canvas = Canvas(Image.new("L", (1, 1)), scene, layout, DEFAULT, stacks_of(scene, layout, DEFAULT))
    for one in placed_in(canvas, HEX):
        if is_battle(DEFAULT, one.piece):
            continue
        ink = scene.look_of(one.piece.owner).ink
        # A heap's count stands at its lower right; its left half is free, and so is the upper half but for signs.
        part = picture.crop((one.x - one.r // 2, one.y - one.r // 4, one.x, one.y + one.r // 2))
        inks = Tally(ink_of(number) for number in part.tobytes())
        assert inks["text"] == 0, one.piece.label
        whole = picture.crop((one.x - one.r, one.y - one.r, one.x + one.r, one.y + one.r))
        strong = Tally(ink_of(number) for number in whole.tobytes() if number)
        assert strong[ink] >= 0.12 * one.r * one.r, (one.piece.owner, one.r)
