"""Rendering: whole maps, maps of campaigns as they are played, the README's picture, and types."""

import io
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.campaigns.scenarios import InstalledScenarios
from bot.settings import BUILT_IN
from map_render import DEFAULT, MapImage, parse_theme, render_omniscient, render_public, render_side, warm
from map_render.drawing.scene import AnyView, scene_of
from map_render.theatre.placing.plan import plan_theatre
from rules_engine.core.basics.base import SideLabel
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, OmniscientView, PublicView, SideView
from rules_engine.core.running.adjudicator import Adjudicator
from tests.expected.sections import section
from tests.map_render import boards, example
from tests.map_render.boards import with_parts
from tests.map_render.pictures import chunks, forget_all, pixels
from tests.rulebooks.players import Match

ALL = {
    "convoy": boards.convoy, "empires": boards.empires, "crowded": boards.crowded, "wide": boards.wide,
    "crowded wide": lambda: boards.crowded(22, 17), "empty": boards.empty,
}  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_an_image_is_a_palette_png_of_a_good_size(name: str) -> None:
    found = render_side(ALL[name]())
    image = Image.open(io.BytesIO(found.png))
    assert (image.size, image.mode) == ((found.width, found.height), "P")
    assert 1600 <= max(image.size) <= 2400
    assert len(found.png) < 600_000
    assert found.filename == "map.png"


def test_an_image_carries_no_metadata() -> None:
    found = render_side(boards.convoy())
    kinds = chunks(found.png)
    assert (kinds[0], kinds[-1]) == (b"IHDR", b"IEND")
    assert set(kinds) == {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    assert not Image.open(io.BytesIO(found.png)).info


@pytest.mark.parametrize("name", ALL)
def test_equal_views_give_equal_bytes_with_and_without_what_was_kept(name: str) -> None:
    first = render_side(ALL[name]())
    forget_all()
    assert render_side(ALL[name]()) == first


def test_warming_changes_nothing_but_the_time() -> None:
    forget_all()
    cold = render_side(boards.convoy())
    forget_all()
    warm(boards.convoy())
    assert render_side(boards.convoy()) == cold


def test_many_threads_draw_what_one_draws() -> None:
    makers = [boards.convoy, boards.empires, boards.crowded, boards.wide]
    alone = [render_side(maker()) for maker in makers]
    forget_all()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda maker: render_side(maker()), makers * 4))
    assert together == alone * 4


@pytest.mark.parametrize("part", ["counters", "courses", "hexes"])
def test_everything_on_the_board_shows(part: str) -> None:
    """Taking away any one counter, course or noted hex changes the picture."""
    view = boards.empires()
    whole = pixels(view).tobytes()
    things = getattr(view.board, part)
    for place in range(len(things)):
        assert pixels(with_parts(view, **{part: things[:place] + things[place + 1 :]})).tobytes() != whole, things[
            place
        ]


def test_what_is_not_drawn_does_not_change_the_picture() -> None:
    """Panels and details are for texts; the picture must not depend on them."""
    view = boards.convoy()
    plain = tuple(piece.model_copy(update={"details": ("changed",)}) for piece in view.board.counters)
    assert render_side(with_parts(view, counters=plain)).png == render_side(view).png


WEIRD = ("😀🚀", "שלום", "مرحبا", "中文", "\u202eevil\u202c", "a" * 5000, "W W " * 300, "", "\n\t", "é̂́Ž", "\x00\x07")


@pytest.mark.parametrize("name", WEIRD, ids=lambda name: ascii(name[:8]))
def test_weird_names_are_drawn_or_left_out_but_never_in_the_way(name: str) -> None:
    view = boards.convoy()
    board = view.board.model_copy(
        update={
            "campaign": name,
            "heading": name,
            "sides": tuple(SideLabel(key=one.key, name=name, emblem=name) for one in view.board.sides),
            "hexes": (HexNote(hex="0303", terrain=name, marks=(name,), name=name, owner="kzinti"),),
            "counters": (
                Counter(id="TF1", hex="0604", owner="alliance", label=name, sub=name, form=name or "force"),
                Counter(id="E1", hex="0405", owner="kzinti", label=name, level=1, grade=1, level_name=name, sub=name),
                Counter(id="E2", hex="0406", owner=name, label=name, level=1, grade=1, details=(name,)),
            ),
            "courses": (Course(counter="TF1", kind=name, hexes=("0604", "0504")),),
        }
    )
    found = render_side(SideView(side="alliance", board=board))
    assert 1600 <= max(found.width, found.height) <= 2400
    assert len(found.alt) <= 1024


def test_counters_and_courses_off_the_map_are_left_out() -> None:
    """A scenario's mistake, or a force in reserve, must not stop the map."""
    view = with_parts(
        boards.empty(),
        counters=(Counter(id="TF1", hex="", owner="alliance", label="TF1"),),
        courses=(
            Course(counter="TF1", kind="plotted", hexes=("9999", "0101")),
            Course(counter="X", kind="moved", hexes=()),
        ),
    )
    assert render_side(view).png == render_side(boards.empty()).png


def test_the_three_views_have_their_own_functions() -> None:
    view = boards.empires()
    found = [render_side(view), render_public(boards.public(view)), render_omniscient(boards.everything(view))]
    assert all(isinstance(one, MapImage) for one in found)
    assert len({one.png for one in found}) == 3
    assert {one.filename for one in found} == {"map.png"}


def test_another_theme_gives_another_picture() -> None:
    other = parse_theme('paper = "#000000"\n')
    assert render_side(boards.convoy(), theme=other).png != render_side(boards.convoy()).png


def test_a_theme_that_differs_in_a_texture_is_not_mistaken_for_the_default() -> None:
    """Themes hash by their colours; what is kept must still go by the whole theme."""
    plain = parse_theme('[terrain]\nnebula = { label = "nebula", ink = "gas", tint = 3, texture = "plain" }\n')
    assert hash(plain) == hash(DEFAULT)
    render_side(boards.convoy())
    assert render_side(boards.convoy(), theme=plain).png != render_side(boards.convoy()).png


# --- campaigns --------------------------------------------------------------------------------------------------------
# maps of campaigns as they are played: no board, and no map of one, leaves a side out of a hex in which it stands.
ROUNDS = 15


def parties(board: Board) -> set[tuple[str, str]]:
    """(owner, hex) of all that stands on a board, but for minefields, which a side may have found gone."""
    return {(one.owner, one.hex) for one in board.counters if one.form != "minefield"}


def boards_of(adjudicator: Adjudicator[Any]) -> tuple[Board, Board, dict[str, Board]]:
    """The omniscient board, the public one and each side's, as they are now."""
    book, state = adjudicator.rulebook, adjudicator._state  # private: what was shown last may be older
    known = adjudicator._shared.knowledge
    sides = {label.key: book.side_board(state, label.key, known[label.key]) for label in adjudicator.sides}
    return book.omniscient_board(state), book.public_board(state), sides


def drawn_on(view: AnyView) -> set[tuple[str, str, str]]:
    """(owner, hex, id) of all that a map draws: by itself, under a sign that bears its owner's look, or as a place."""
    scene = scene_of(view)
    plan = plan_theatre(scene, DEFAULT)
    counters = {piece.id: piece for piece in scene.board.counters}
    found: set[tuple[str, str, str]] = set()
    for placed in plan.standing:
        for body in placed.bodies:
            under = [counters[name] for name in body.part.ids]
            assert len({piece.owner for piece in under}) <= 1
            found |= {(piece.owner, piece.hex, piece.id) for piece in under}
        found |= {
            (piece.owner, piece.hex, piece.id)
            for piece in scene.board.counters
            if piece.form == "battle" and piece.hex == placed.hex and getattr(placed.of, "battle", False)
        }
    sites = {(site.look.key if site.look else "", site.hex) for site in plan.pieces.places}
    return found | {
        (piece.owner, piece.hex, piece.id)
        for piece in scene.board.counters
        if piece.form == "base" and (piece.owner, piece.hex) in sites
    }


def most_in_a_hex(key: str, seed: int, rounds: int) -> int:
    """How many sides stood in one hex at the most in a campaign played at random; no board and no map left any out."""
    game = Match(*InstalledScenarios(BUILT_IN).read(key), seed)
    most = 0
    for _ in range(rounds):
        if game.adjudicator.ending is not None:
            break
        game.round()
        everything, public, sides = boards_of(game.adjudicator)
        for side, board in sides.items():
            ours = {(one.owner, one.hex) for one in board.counters if one.owner == side}
            assert ours <= {(one.owner, one.hex) for one in everything.counters}
            assert parties(public) <= parties(board)
        views: list[AnyView] = [OmniscientView(omniscient=everything), PublicView(public=public)]
        views += [SideView(side=side, board=board) for side, board in sides.items()]
        for view in views:
            board = scene_of(view).board
            there = {(one.owner, one.hex, one.id) for one in board.counters if one.hex in board.grid}
            assert drawn_on(view) == there
            owners = {name: {owner for owner, at, _ in there if at == name} for _, name, _ in there}
            most = max([most, *map(len, owners.values())])
    return most


@pytest.mark.parametrize("key", ["pq17/intro", "cutler/intro"])
@pytest.mark.headless
def test_no_board_and_no_map_leaves_a_side_out_of_a_hex(key: str) -> None:
    """Campaign after campaign, until sides have met in a hex."""
    assert any(most_in_a_hex(key, seed, ROUNDS) > 1 for seed in range(1, 40)), "no hex was contested"


@pytest.mark.headless
def test_no_board_and_no_map_of_the_great_campaign_leaves_a_side_out_of_a_hex() -> None:
    assert most_in_a_hex("pq17/campaign", 5, 4) >= 1


# --- the README's picture shows what a map can show -------------------------------------------------------------------
def test_the_example_shows_what_a_map_can_show() -> None:
    board = example.example_view().board
    kinds = {course.kind for course in board.courses}
    assert {"plotted", "moved", "seen"} <= kinds
    contacts = [piece for piece in board.counters if piece.owner == "coalition" and piece.form == "force"]
    assert {piece.live for piece in contacts} == {True, False}
    assert any(note.terrain == "nebula" for note in board.hexes)
    with Image.open(example.TARGET) as picture:
        assert picture.width <= 1600
    assert example.TARGET.stat().st_size < 200_000


# --- the type checker refuses the wrong view: the fence between what a side knows and everything ----------------------
WRONG = section("wrong")


def test_pyright_refuses_the_wrong_view(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    settings = {"include": ["wrong.py"], "extraPaths": [str(root)], "pythonVersion": "3.11"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "-p", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    found = json.loads(done.stdout)["generalDiagnostics"]
    first = WRONG.splitlines().index("    render_side(everything)")
    errors = [(one["rule"], one["range"]["start"]["line"]) for one in found if one["severity"] == "error"]
    assert errors == [("reportArgumentType", first + place) for place in range(5)]
