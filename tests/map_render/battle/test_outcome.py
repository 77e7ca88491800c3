"""The strip on the card of a battle's account: what became of each unit."""

import io

import pytest
from PIL import Image
from pydantic import ValidationError

from map_render import parse_theme, render_outcome
from map_render.battle.outcome import MOST_GROUPS, MOST_SINGLE, outcome_rows
from rules_engine.core.knowledge.battle_outcome import BattleOutcome, Ending, UnitOutcome
from tests.checkout import ROOT
from tests.map_render.battle.scenes import party

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
        ("still there", "there"),
        ("crippled", "hurt"),
        ("left, turn 4", "left"),
        ("destroyed", "lost"),
        ("captured by the Coalition and led away", "taken"),
    )
    pictures = {render_outcome(of_the_picture(became("AT2", "s0", *ending))).png for ending in endings}
    assert len(pictures) == 5
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
    assert [(row.says, len(row.units)) for row in outcome_rows(many)] == [
        ("2 destroyed", 2),
        (f"{MOST_SINGLE} still there", MOST_SINGLE),
    ]
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
    wild = became("W" * 200, "s0", "\u202e" + "x" * 4_000 + "\n" * 50)
    found = render_outcome(of_the_picture(wild))
    assert found.width == 600
    assert len(found.alt) <= 1_024


def test_units_of_strangers_and_parties_in_two_forces_are_refused() -> None:
    with pytest.raises(ValidationError, match="its parties'"):
        of_the_picture(became("X1", "s5"))
    with pytest.raises(ValidationError, match="each once"):
        BattleOutcome(parties=(party(0), party(1)), forces=(("s0",), ("s0", "s1")))
