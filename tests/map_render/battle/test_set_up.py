"""The first picture of a battle, and the second."""

import io
import random
from typing import Any

import pytest
from PIL import Image

from map_render import DEFAULT, Theme, describe_battle, render_battle, render_battle_details, render_own_units
from map_render.battle.rows import MOST_ROWS, rows_of
from map_render.battle.signs import looks_of
from rules_engine.core.knowledge.battle_scene import BattleFigure, BattleScene, OwnUnits
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import BattleSetup
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
    "title": {"title": "Battle in 0506"},
    "time": {"when": "Turn 4"},
    "distance": {"start": duel().start.model_copy(update={"distance": "35"})},  # type: ignore[union-attr]
    "ground": {"start": duel().start.model_copy(update={"ground": "point"})},  # type: ignore[union-attr]
    "step": {"steps": duel().steps[:2]},
    "remark": {"remark": ""},
    "unit": {"units": duel().units[:4]},
    "damage": {"units": (*duel().units[:4], unit("AT1", "s0", 9, 10))},
    "seat": {"parties": (party(0), party(1).model_copy(update={"seat": 2}))},
    "role": {"forces": tuple(reversed(duel().forces))},
}


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
    mixed = [unit(f"DF{number}", "s1", number, 30) for number in range(1, 31)]
    rows = rows_of(mixed)
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
