"""Pictures of a battle: the first and second, where its forces start, its sheets, and what became of units."""

import io
import random
from collections.abc import Iterator
from itertools import combinations
from math import hypot
from typing import Any

import pytest
from PIL import Image
from pydantic import ValidationError

from map_render import (
    DEFAULT,
    Theme,
    describe_battle,
    parse_theme,
    render_battle,
    render_battle_details,
    render_outcome,
    render_own_units,
)
from map_render.battle.outcome import MOST_GROUPS, MOST_SINGLE, outcome_rows
from map_render.battle.page import EDGE, WIDTH
from map_render.battle.placing import HIGH, PIN, Box, distance_box, feature_box, label_box, pin_point, set_out
from map_render.battle.rows import MOST_ROWS, rows_of
from map_render.battle.signs import looks_of
from rules_engine.core.knowledge.battle_outcome import BattleOutcome, Ending, UnitOutcome
from rules_engine.core.knowledge.battle_scene import BattleFigure, BattleScene, OwnUnits
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup
from tests.checkout import ROOT
from tests.map_render.battle.scenes import by_chance, duel, party, unit


def sheet_of(scene: BattleScene, **changes: Any) -> BattleSetup:
    """A set-up with a scene."""
    panels = (Panel(title="Forces", rows=("DF2: cruiser",)),)
    return BattleSetup(key="b1", title="Battle in 0505", where="Turn 3", panels=panels, scene=scene, **changes)


def both(scene: BattleScene, theme: Theme = DEFAULT) -> tuple[bytes, bytes]:
    """Both pictures of a scene."""
    details = render_battle_details(sheet_of(scene), theme=theme)
    assert details is not None
    return render_battle(sheet_of(scene), theme=theme).png, details.png


def test_the_first_picture_is_a_palette_png_a_thousand_wide_and_not_much_higher() -> None:
    found = render_battle(sheet_of(duel()))
    image = Image.open(io.BytesIO(found.png))
    assert image.size == (found.width, found.height) == (1000, image.height)
    assert image.height <= 1200
    assert (image.mode, image.info) == ("P", {})
    assert found.filename == "battle.png"
    assert len(found.png) < 80_000
    assert render_battle(sheet_of(duel())) == found


def test_a_sheet_without_a_scene_has_one_picture() -> None:
    bare = sheet_of(duel()).model_copy(update={"scene": None})
    assert render_battle(bare).filename == "sheet.png"
    assert render_battle_details(bare) is None


def test_what_one_side_alone_reads_is_in_no_picture_that_all_see() -> None:
    secret = {"s0": (Panel(title="Your units", rows=("AT1 is Hawk",)),)}
    told = sheet_of(duel(), secret=secret)
    assert render_battle(told, side="s0") == render_battle(sheet_of(duel()))
    assert render_battle_details(told) == render_battle_details(sheet_of(duel()))
    assert render_battle_details(told, side="s1") == render_battle_details(sheet_of(duel()))
    own = render_battle_details(told, side="s0")
    assert own is not None
    assert "AT1 is Hawk" in own.alt
    assert own != render_battle_details(told)


def test_a_sides_own_units_are_a_picture_for_that_side_alone() -> None:
    hawk = unit("AT1", "s0", 9, 10).model_copy(update={"kind": "Hawk"})
    told = sheet_of(duel(), own={"s0": OwnUnits(units=(hawk,), columns=("warp", "sens"))})
    own = render_own_units(told, "s0")
    assert own is not None
    assert (own.width, own.filename) == (1000, "own.png")
    assert own.alt == "Battle in 0505, only for you. Your units: AT1 Hawk, 9/10, fuel 12 (warp 9/10, sens 6,6,5)."
    assert render_own_units(told, "s1") is None
    assert render_own_units(told.common(), "s0") is None
    assert render_battle(told) == render_battle(told.common())
    assert render_battle_details(told, side="s1") == render_battle_details(told.common())
    whole = hawk.model_copy(update={"left": 10})
    assert render_own_units(sheet_of(duel(), own={"s0": OwnUnits(units=(whole,))}), "s0") != own


CHANGES: dict[str, dict[str, Any]] = {
    "title": {"title": "Battle in 0506"}, "time": {"when": "Turn 4"},
    "distance": {"start": duel().start.model_copy(update={"distance": "35"})},  # type: ignore[union-attr]
    "ground": {"start": duel().start.model_copy(update={"ground": "point"})},  # type: ignore[union-attr]
    "step": {"steps": duel().steps[:2]}, "remark": {"remark": ""}, "unit": {"units": duel().units[:4]},
    "damage": {"units": (*duel().units[:4], unit("AT1", "s0", 9, 10))},
    "seat": {"parties": (party(0), party(1).model_copy(update={"seat": 2}))},
    "role": {"forces": tuple(reversed(duel().forces))},
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_all_of_a_scene_shows_on_the_first_picture(change: str) -> None:
    assert both(duel().model_copy(update=CHANGES[change]))[0] != both(duel())[0]


def test_figures_and_notes_show_on_the_second_picture_alone() -> None:
    odd = duel().units[0].model_copy(update={"cells": (BattleFigure(says="31/32", differs=True),)})
    for changed in (
        duel().model_copy(update={"units": (odd, *duel().units[1:])}),
        duel().model_copy(update={"notes": ()}),
        duel().model_copy(update={"columns": ("warp", "imp")}),
    ):
        first, second = both(changed)
        assert first == both(duel())[0]
        assert second != both(duel())[1]


def test_what_is_not_whole_is_framed() -> None:
    cells = (BattleFigure(says="30/30", differs=False),)
    whole = duel().model_copy(update={"units": (duel().units[0].model_copy(update={"cells": cells}),)})
    framed = (cells[0].model_copy(update={"differs": True}),)
    short = duel().model_copy(update={"units": (duel().units[0].model_copy(update={"cells": framed}),)})
    assert both(whole)[1] != both(short)[1]


def test_a_side_has_its_colour_by_its_seat_and_the_first_one_the_plates() -> None:
    looks = looks_of(duel())
    assert looks["s0"].plate
    assert not looks["s1"].plate
    assert looks["s1"].shape == "diamond"
    later = duel().model_copy(update={"parties": (party(0), party(1).model_copy(update={"seat": 4}))})
    assert looks_of(later)["s1"].shape != "diamond"
    assert len({look.ink for look in looks_of(later).values()} | {looks["s1"].ink}) == 3


def test_many_units_share_rows_and_the_rest_is_counted() -> None:
    alike = [unit(f"DF{number}", "s1") for number in range(1, 15)]
    assert [row.code for row in rows_of(alike)] == ["DF1–DF14"]
    assert [row.code for row in rows_of(alike[:3])] == ["DF1", "DF2", "DF3"]
    rows = rows_of([unit(f"DF{number}", "s1", number, 30) for number in range(1, 31)])
    assert len(rows) == MOST_ROWS
    assert rows[-1].name == f"and {30 - MOST_ROWS + 1} more rows"


def test_the_words_begin_with_who_fights_how_far_apart_and_the_steps() -> None:
    alt = render_battle(sheet_of(duel())).alt
    assert alt.startswith(
        "Battle in 0505, Turn 3, impulse 3 · open space · poor conditions. Coalition defends with 3 units, Alliance "
        "attacks with 2 units. They start 50 hexes apart. Steps: 1. Coalition: one unit in the middle; 2."
    )
    assert "DF1 Cruiser, 8/10, fuel 12" in alt
    details = render_battle_details(sheet_of(duel()))
    assert details is not None
    assert "DF1 Cruiser: warp 8/10, sens 6,6,5" in details.alt
    assert "Forces" in describe_battle(sheet_of(duel()))


@pytest.mark.parametrize("seed", range(40))
def test_any_battle_makes_two_pictures_of_bounded_size(seed: int) -> None:
    sheet = sheet_of(by_chance(random.Random(seed)))
    for found in (render_battle(sheet), render_battle_details(sheet)):
        assert found is not None
        assert found.width == 1000
        assert found.height <= 4000
        assert len(found.alt) <= 1024
        assert len(found.png) < 300_000


@pytest.mark.parametrize("word", ["😀", "שלום", "x" * 900, "", "\u202e", "a" * 60 + " " + "b" * 60], ids=ascii)
def test_weird_words_in_a_battle(word: str) -> None:
    label = party(0).label.model_copy(update={"name": word, "emblem": word[:40]})
    scene = duel()
    start = scene.start
    assert start is not None
    weird = scene.model_copy(
        update={
            "title": word,
            "when": word,
            "remark": word,
            "parties": (party(0).model_copy(update={"label": label}), party(1)),
            "forces": tuple(force.model_copy(update={"does": word, "title": word}) for force in scene.forces),
            "start": start.model_copy(update={"ground": "point", "distance": word, "unit": word, "feature": word}),
            "steps": tuple(step.model_copy(update={"says": word}) for step in scene.steps),
            "units": tuple(
                one.model_copy(update={"kind": word, "aside": word, "cells": (BattleFigure(says=word),)})
                for one in scene.units
            ),
            "columns": (word, word),
        }
    )
    sheet = sheet_of(weird)
    assert render_battle(sheet).height <= 4000
    details = render_battle_details(sheet)
    assert details is not None
    assert max(len(render_battle(sheet).alt), len(details.alt)) <= 1024


def test_a_party_stands_in_one_force() -> None:
    with pytest.raises(ValueError, match="each once"):
        BattleScene.model_validate({**duel().model_dump(), "parties": [party(0).model_dump()]})
    with pytest.raises(ValueError, match="more figures"):
        BattleScene.model_validate({**duel().model_dump(), "columns": ["warp"]})


# --- where a battle's forces start: whatever is drawn there lies within, and nothing on anything else -----------------
TOUCH = 3
"""Pixels by which rings and chips may meet: their own casing parts them."""


def overlap(one: Box, other: Box) -> bool:
    return (
        min(one[2], other[2]) - max(one[0], other[0]) > TOUCH and min(one[3], other[3]) - max(one[1], other[1]) > TOUCH
    )


def drawn(scene: BattleScene) -> list[tuple[str, Box]]:
    """All that the drawing of a start has on it, each with its room."""
    assert scene.start is not None
    found: list[tuple[str, Box]] = []
    for number, place in enumerate(set_out(scene.start, looks_of(scene), 0)):
        found.append((f"ship {number}", (place.x - place.r, place.y - place.r, place.x + place.r, place.y + place.r)))
        if (box := label_box(place)) is not None:
            found.append((f"chip {number} {place.code}", box))
    if scene.start.distance:
        left, top, right, low = distance_box(scene.start)
        found.append(("distance", (left, top + HIGH / 2, right, low + HIGH / 2)))
    if (box := feature_box(scene.start, 0)) is not None:
        found.append(("feature", box))
    return found


def some_scenes(tenth: int) -> Iterator[BattleScene]:
    """A tenth of some five hundred scenes."""
    for seed in range(tenth * 50, tenth * 50 + 50):
        yield by_chance(random.Random(seed))


@pytest.mark.parametrize("tenth", range(10))
def test_nothing_covers_anything_and_all_is_within(tenth: int) -> None:
    for scene in some_scenes(tenth):
        found = drawn(scene)
        covered = [(one[0], other[0]) for one, other in combinations(found, 2) if overlap(one[1], other[1])]
        outside = [name for name, box in found if box[0] < EDGE or box[1] < 0 or box[2] > WIDTH - EDGE or box[3] > HIGH]
        assert (covered, outside) == ([], []), scene.start


@pytest.mark.parametrize("tenth", range(10))
def test_pins_cover_no_other_ship_and_no_code(tenth: int) -> None:
    for scene in some_scenes(tenth):
        assert scene.start is not None
        places = set_out(scene.start, looks_of(scene), 0)
        for place in (one for one in places if one.step):
            x, y = pin_point(place)
            near = [one for one in places if one is not place and hypot(one.x - x, one.y - y) < one.r + PIN - TOUCH]
            chips = [box for one in places if (box := label_box(one)) is not None and apart(box, x, y) < PIN - TOUCH]
            assert (near, chips) == ([], []), scene.start
            assert min(x - EDGE, y, WIDTH - EDGE - x) >= PIN - TOUCH


def apart(box: Box, x: float, y: float) -> float:
    """How far a point is from a box."""
    return hypot(max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3]))


def test_each_force_stands_on_its_side_of_the_distance() -> None:
    scene = duel()
    assert scene.start is not None
    places = {place.code: place for place in set_out(scene.start, looks_of(scene), 0)}
    left, _, right, _ = distance_box(scene.start)
    assert all(places[code].x < left for code in ("DF1", "DF2", "DF3"))
    assert all(places[code].x > right for code in ("AT1", "AT2"))
    assert {code: place.step for code, place in places.items() if place.step} == {"DF2": 1, "DF1": 2, "AT1": 3}


def test_ships_that_find_no_place_are_counted() -> None:
    scene = duel()
    assert scene.start is not None
    near = scene.start.stations[1].model_copy(update={"codes": tuple(f"DF{n}" for n in range(3, 12))})
    places = set_out(scene.start.model_copy(update={"stations": (scene.start.stations[0], near)}), looks_of(scene), 0)
    assert len([place for place in places if place.code]) + sum(place.more for place in places) == 10


# --- battle sheets as cards -------------------------------------------------------------------------------------------
SHEET = BattleSetup(
    key="b3",
    title="Battle 3",
    where="Hex 0606",
    panels=(Panel(title="Alliance", rows=("CA Constellation", "DD Hawk")), Panel(title="Kzinti", rows=("2 frigates",))),
    secret={
        "alliance": (Panel(title="Hidden", rows=("cloaked scout in 0303",)),),
        "kzinti": (Panel(title="Hidden", rows=("minefield in 0404",)),),
    },
)


def test_a_card_is_a_palette_png_without_metadata() -> None:
    found = render_battle(SHEET)
    image = Image.open(io.BytesIO(found.png))
    assert (image.size, image.mode) == ((found.width, found.height), "P")
    assert not image.info
    assert found.filename == "sheet.png"
    assert render_battle(SHEET) == found


def test_secret_panels_go_to_their_side_alone() -> None:
    public = SHEET.model_copy(update={"secret": {}})
    assert render_battle(SHEET) == render_battle(public)
    assert describe_battle(SHEET) == describe_battle(public)
    assert render_battle(SHEET, side="stranger") == render_battle(public)
    ours, theirs = render_battle(SHEET, side="alliance"), render_battle(SHEET, side="kzinti")
    assert ours.png != theirs.png != render_battle(SHEET).png
    assert "cloaked scout" in ours.alt
    assert "cloaked scout" not in theirs.alt + describe_battle(SHEET, "kzinti")
    only_ours = SHEET.model_copy(update={"secret": {"alliance": SHEET.secret["alliance"]}})
    assert render_battle(only_ours, side="alliance") == ours


def test_every_row_shows() -> None:
    for place, panel in enumerate(SHEET.panels):
        for row in range(len(panel.rows)):
            rows = panel.rows[:row] + panel.rows[row + 1 :]
            panels = tuple(
                one if at != place else Panel(title=panel.title, rows=rows) for at, one in enumerate(SHEET.panels)
            )
            assert render_battle(SHEET.model_copy(update={"panels": panels})).png != render_battle(SHEET).png


@pytest.mark.parametrize("rows", [0, 40, 400])
def test_long_sheets_stay_an_image_and_say_that_they_were_cut(rows: int) -> None:
    panels = tuple(
        Panel(title=f"Part {n}", rows=(f"row {n} with a good many words in it " * 3,) * rows) for n in range(3)
    )
    found = render_battle(SHEET.model_copy(update={"panels": panels}))
    assert found.width == 1200
    assert found.height <= 4000
    assert len(found.alt) <= 1024
    assert len(found.png) < 900_000


@pytest.mark.parametrize("word", ["😀", "שלום", "x" * 900, "", "\u202e"], ids=ascii)
def test_weird_words_on_a_card(word: str) -> None:
    sheet = BattleSetup(key="b", title=word, where=word, panels=(Panel(title=word, rows=(word, word)),))
    assert render_battle(sheet).width == 1200


# --- the strip on the card of a battle's account: what became of each unit --------------------------------------------
PAPER = parse_theme((ROOT / "config/themes/paper.toml").read_text(encoding="utf-8"))


def became(code: str, side: str, says: str = "still there", ending: Ending = "there") -> UnitOutcome:
    """What became of a unit."""
    return UnitOutcome(code=code, side=side, says=says, ending=ending)


def of_the_picture(*changes: UnitOutcome) -> BattleOutcome:
    """The battle of the target picture."""
    units = {
        unit.code: unit
        for unit in (
            became("DF1", "s1", "destroyed", "lost"),
            became("DF2", "s1", "left, turn 4", "left"),
            became("DF3", "s1", "left, turn 4", "left"),
            became("AT1", "s0"),
            became("AT2", "s0"),
            *changes,
        )
    }
    return BattleOutcome(parties=(party(0), party(1)), forces=(("s1",), ("s0",)), units=tuple(units.values()))


def test_the_strip_is_a_small_palette_png_without_anything_beside_the_picture() -> None:
    found = render_outcome(of_the_picture())
    image = Image.open(io.BytesIO(found.png))
    assert image.size == (found.width, found.height) == (600, 312)
    assert (image.mode, image.info) == ("P", {})
    assert len(found.png) < 20_000
    assert found.filename == "account.png"
    assert render_outcome(of_the_picture()) == found
    assert render_outcome(of_the_picture(), theme=PAPER).png != found.png


def test_each_word_of_what_became_of_a_unit_shows() -> None:
    endings: tuple[tuple[str, Ending], ...] = (
        ("still there", "there"), ("crippled", "hurt"), ("left, turn 4", "left"), ("destroyed", "lost"),
        ("captured by the Coalition and led away", "taken"),
    )  # fmt: skip
    assert len({render_outcome(of_the_picture(became("AT2", "s0", *ending))).png for ending in endings}) == 5
    struck = render_outcome(of_the_picture(became("AT2", "s0", "still there", "lost"))).png
    assert struck != render_outcome(of_the_picture()).png, "what is no more is struck out, whatever is said of it"


def test_its_words_say_the_same_to_who_does_not_see_it() -> None:
    assert render_outcome(of_the_picture()).alt == (
        "What became of the units. Coalition: DF1 destroyed; DF2 left, turn 4; DF3 left, turn 4. "
        "Alliance: AT1 still there; AT2 still there."
    )


def test_of_many_units_those_of_which_the_same_is_said_share_a_row() -> None:
    few = [became(f"D{number}", "s1") for number in range(MOST_SINGLE)]
    assert [row.says for row in outcome_rows(few)] == ["still there"] * MOST_SINGLE
    many = [became("D9", "s1", "destroyed", "lost"), *few, became("D8", "s1", "destroyed", "lost")]
    found = [(row.says, len(row.units)) for row in outcome_rows(many)]
    assert found == [("2 destroyed", 2), (f"{MOST_SINGLE} still there", MOST_SINGLE)]
    each = [became(f"D{number}", "s1", f"left, turn {number}", "left") for number in range(9)]
    rows = outcome_rows(each)
    assert len(rows) == MOST_GROUPS
    assert rows[-1].says == "4 more"
    assert sorted(unit.code for row in rows for unit in row.units) == sorted(unit.code for unit in each)


def test_a_third_force_stands_below_the_shorter_column() -> None:
    units = (*(became(f"D{number}", "s1") for number in range(4)), became("A1", "s0"), became("L1", "s2"))
    parties = (party(0), party(1), party(2))
    three = BattleOutcome(parties=parties, forces=(("s1",), ("s0",), ("s2",)), units=units)
    assert render_outcome(three).height == 56 + 4 * 82 + 6 + 12 - 8, "the longest column alone decides"
    allied = BattleOutcome(parties=parties, forces=(("s1", "s2"), ("s0",)), units=units)
    assert render_outcome(allied).height == 56 + 5 * 82 + 6 + 12 - 8
    assert "Coalition and Hydran Kingdom" in render_outcome(allied).alt


def test_names_and_codes_of_people_break_nothing() -> None:
    found = render_outcome(of_the_picture(became("W" * 200, "s0", "\u202e" + "x" * 4_000 + "\n" * 50)))
    assert found.width == 600
    assert len(found.alt) <= 1_024


def test_units_of_strangers_and_parties_in_two_forces_are_refused() -> None:
    with pytest.raises(ValidationError, match="its parties'"):
        of_the_picture(became("X1", "s5"))
    with pytest.raises(ValidationError, match="each once"):
        BattleOutcome(parties=(party(0), party(1)), forces=(("s0",), ("s0", "s1")))
