"""Signs in texts: which one is meant, how long it may become, and that nobody's text makes or breaks one."""

import re

import pytest

from bot.records.signs.catalogue import SHAPES, SIGNS, force_sign, pin_sign, side_sign
from bot.records.signs.marks import bare, shown, sign, signed
from map_render.crop import signs, stands
from map_render.drawing import contacts, scene, shapes, theme
from map_render.drawing.palette import SIDE_INKS
from rules_engine.core.basics import base, plain_text
from rules_engine.core.knowledge.views import PublicView, SideView
from tests.map_render.boards import HEX, ROOMY, SEATS, board_of, force
from tests.quick import at_most

IDS = {name: 10**18 + at for at, name in enumerate(SIGNS)}
LONGEST = dict.fromkeys(SIGNS, 2**63 - 1)
SEVEN = tuple(base.SideLabel(key=f"s{seat}", name=f"Side {seat}", emblem="ABCDEFG"[seat]) for seat in range(7))
EMOJI = re.compile(r"<a?:[A-Za-z0-9_]{2,32}:[0-9]+>")


# --- which sign -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("seats", "reader"), [(seats, one) for seats in (2, 3, 7) for one in ("", *(f"s{at}" for at in range(seats)))]
)
def test_a_force_has_the_form_in_which_its_readers_map_draws_it(seats: int, reader: str) -> None:
    sides = SEVEN[:seats]
    board = board_of(ROOMY, ()).model_copy(update={"sides": sides})
    view = SideView(side=reader, board=board) if reader else PublicView(public=board)
    for look in scene.scene_of(view).side_looks.values():
        made = SIGNS[force_sign(board, reader, look.key)]
        assert (made.form, made.seat) == ("plate" if look.shape == "plate" else "contact", SIDE_INKS.index(look.ink))
        assert look.shape in ("plate", made.shape)
    assert SHAPES == shapes.FOE_SHAPES


@pytest.mark.parametrize("grade", [None, 0, 1, 2, 3, 4])
def test_a_contact_is_filled_as_its_readers_map_fills_it(grade: int | None) -> None:
    owner = [*SEATS][1]
    board = board_of(ROOMY, (force(owner, 1, grade=grade),))
    (shape,) = stands.stands_of(scene.scene_of(SideView(side="alliance", board=board)), theme.DEFAULT)[HEX].shapes
    drawn = signs.contact_look(shape, 40, theme.DEFAULT)
    assert isinstance(drawn, contacts.ContactLook)
    made = SIGNS[force_sign(board, "alliance", owner, grade)]

    def as_full(one: int | None) -> str:
        return "wholly" if one is None or one > 3 else "not" if one <= 1 else "partly"

    assert (made.shape, as_full(made.grade)) == (drawn.shape, as_full(drawn.grade))


def test_who_is_nobody_and_who_is_no_side_have_signs_of_their_own() -> None:
    outsiders = (base.Outsider(key="monsters", name="Beasts", emblem="B"),)
    board = board_of(ROOMY, ()).model_copy(update={"sides": SEVEN, "outsiders": outsiders})
    assert force_sign(board, "s0", "") == "unidentified"
    assert force_sign(board, "s0", "monsters") == "outsider"
    assert force_sign(board, "s0", "traders") == ""
    neutral = (*SEVEN[:2], base.SideLabel(key="neutral", name="Neutrals", emblem="N"), SEVEN[2])
    with_neutral = board.model_copy(update={"sides": neutral})
    assert force_sign(with_neutral, "s0", "neutral") == "", "maps draw it in no side's form"
    assert side_sign(SEVEN, "s4") == "violet_force"
    assert side_sign(SEVEN, "nobody") == ""
    assert [pin_sign(place) for place in range(3)] == ["pin_1", "pin_2", "pin_3"]


# --- in texts ---------------------------------------------------------------------------------------------------------
def test_a_sign_leaves_as_its_emoji_or_as_what_stands_instead() -> None:
    text = f"{signed('pin_2', '**Kiel**')} and {signed('blue_force', 'A6')}"
    assert shown(text, IDS) == f"<:pin_2_pr1:{IDS['pin_2']}> **Kiel** and <:blue_force_pr1:{IDS['blue_force']}> A6"
    assert shown(text, {}) == "❷ **Kiel** and A6", "words alone, and no gap"
    assert shown(text, {"blue_force": 7}) == "❷ **Kiel** and <:blue_force_pr1:7> A6"
    assert signed("nothing", "A6") == "A6" == signed("", "A6")


def test_a_text_is_counted_as_long_as_it_may_become() -> None:
    for name in SIGNS:
        mark = sign(name)
        assert len(shown(mark, LONGEST)) <= len(mark) <= len(shown(mark, LONGEST)) + 1
        assert len(SIGNS[name].made_name) <= 32
        assert re.fullmatch(r"[A-Za-z0-9_]+", SIGNS[name].made_name)


def test_nobodys_text_may_hold_what_makes_a_sign() -> None:
    mark = sign("pin_1")
    assert plain_text.unfit_character(mark) is not None
    assert shown(f"{plain_text.without_unfit(mark)} hostile", IDS) == f"{plain_text.without_unfit(mark)} hostile"
    with_one = [letter for letter in mark if plain_text.unfit_character(letter)]
    assert len(with_one) == 2, "both ends of a mark are refused at the door"


ID = IDS["pin_1"]
HOSTILE = (
    f"<:pin_1_pr1:{ID}>", f"<a:anything:{ID}>", f"<:<:ab:{ID}>:{ID}>", f"<<:ab:{ID}>ID>", f"<:a<:bc:{ID}>d:{ID}>",
    f"<:ab:0{ID}>", "\ufff9", "\ufffb", "\ufff9pin_1", "pin_1...\ufffb", "\ufff9pin_1\ufffb",
    "\ufff9\ufff9pin_1\ufffb\ufffb", "<:", ":1>", "`", "\\",
)  # fmt: skip


@pytest.mark.parametrize("before", HOSTILE)
@pytest.mark.parametrize("after", HOSTILE)
def test_people_can_neither_make_a_sign_nor_break_one(before: str, after: str) -> None:
    """People's texts come without the two characters; and where one does not, nothing of them is left."""
    cleaned = [plain_text.without_unfit(before), plain_text.without_unfit(after)]
    left = shown(f"{cleaned[0]}\n{signed('pin_2', cleaned[1])}", IDS)
    assert EMOJI.findall(left) == [f"<:pin_2_pr1:{IDS['pin_2']}>"]
    assert not re.search("[\ufff9\ufffb]", shown(f"{before}{signed('pin_2', after)}", IDS))
    for words in cleaned:
        assert "<" in words or words in left, "other texts are let alone"


def test_emojis_of_others_are_let_alone() -> None:
    assert shown("<:smile:123456789012345678> <a:dance:7>", IDS) == "<:smile:123456789012345678> <a:dance:7>"


def test_a_mark_that_was_cut_leaves_nothing_behind() -> None:
    mark = sign("pin_3")
    for at in range(1, len(mark)):
        assert "pin" not in shown(f"a {mark[:at]}", IDS) or at < 2, at
        assert shown(f"a {mark[:at]}", IDS) == "a "
    assert shown(f"{mark[-3:]} b", IDS) == " b"


@pytest.mark.parametrize("known", [{}, IDS, {"pin_1": 5}])
@pytest.mark.parametrize("later", [{}, IDS, {"blue_force": 9}])
def test_a_text_is_known_again_whichever_signs_were_known_when_it_left(known: dict[str, int], later: dict[str, int]):
    hostile = f"<:mine:{IDS['pin_1']}> <:pin_1_pr1:5> <:blue_force_pr1:{IDS['pin_1']}> <:a:1> (pin_2_pr1)"
    text = f"{signed('pin_1', 'Kiel')}\n{signed('blue_force', 'A6')}  goes, {signed('nothing', hostile)}"
    assert bare(shown(text, known)) == bare(shown(text, later)) == bare(text)
    assert bare(shown(text, known)) != bare(shown(text.replace("pin_1", "pin_2"), later))


def test_the_emoji_of_an_earlier_drawing_is_known_again() -> None:
    assert bare("<:pin_1_pr0:77> Kiel") == bare(signed("pin_1", "Kiel"))


def test_it_takes_time_in_proportion() -> None:
    with at_most(2):
        for hostile in ("<:ab:" * 40_000, "\ufff9a." * 60_000, "." * 200_000 + "\ufffb", f"<:ab:{ID}>" * 8_000):
            shown(hostile, IDS)
            bare(hostile)
