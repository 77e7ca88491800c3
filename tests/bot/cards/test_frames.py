"""Frames fit what Discord takes, whatever they are made of, and what is important is left out last."""

from hypothesis import given
from hypothesis import strategies as st

from bot.cards.frame_sizes import MOST_BYTES, MOST_COMPONENTS, MOST_TEXT, bytes_of, components_of, height, words_of
from bot.cards.frames import SIDES, accent_of, beside, framed, heading, part, picture, rows, rule, small, spared, text
from bot.records.components import Block, ButtonSpec, MenuSpec
from map_render.drawing.theme import SIDES as DRAWN


def button(number: int, label: str = "Change") -> ButtonSpec:
    return {"type": "button", "id": f"p|t|edit|{number}", "label": label, "style": "secondary", "disabled": False}


def menu(length: int) -> MenuSpec:
    options = [{"value": str(n), "label": "é" * length, "description": "d" * 99, "default": False} for n in range(25)]
    return {"type": "select", "id": "p|t|line|0", "placeholder": "More", "options": options, "min": 1, "max": 1}  # type: ignore[typeddict-item]


words = st.text(alphabet="ab é—⚠️\n", min_size=1, max_size=900)
blocks = st.one_of(
    st.builds(text, words),
    st.builds(beside, words, words, st.builds(button, st.integers(0, 99))),
    st.builds(lambda some: small([some]), words),
    st.builds(rule),
    st.builds(lambda count: rows(*map(button, range(count)))[0], st.integers(1, 5)),
    st.builds(lambda length: rows(menu(length))[0], st.integers(1, 100)),
)
forms = st.lists(st.lists(blocks, max_size=6), min_size=1, max_size=4)


@given(st.lists(st.tuples(st.integers(0, 9), forms), min_size=1, max_size=14))
def test_every_frame_fits(parts: list[tuple[int, list[list[Block]]]]) -> None:
    made = framed([part(heading("Turn 29")), *(spared(spare, *some) for spare, some in parts)], SIDES[0], tallest=860)
    menus = sum(block["type"] == "row" and block["row"][0]["type"] == "select" for block in made.blocks)
    assert components_of(made) <= MOST_COMPONENTS
    assert sum(map(len, words_of(made))) <= MOST_TEXT
    if menus < 2:  # nobody gives more; two large ones that must both stay do not fit
        assert bytes_of(made) <= MOST_BYTES


def test_what_has_most_to_spare_goes_first_and_what_has_nothing_stays() -> None:
    rare = spared(2, [text("rare " * 100)], [text("2 more are behind **All orders**")])
    usual = spared(1, [beside("A6", "stays", button(1))], [])
    must = part(text("⚠️ Somebody will regret this."))
    said = [one.get("text", "") for one in framed([must, usual, rare], None, tallest=190).blocks]
    assert said == ["⚠️ Somebody will regret this.", "**A6**\nstays", "2 more are behind **All orders**"]
    said = [one.get("text", "") for one in framed([must, usual, rare], None, tallest=10).blocks]
    assert said == ["⚠️ Somebody will regret this.", "2 more are behind **All orders**"]


def test_lines_stand_only_between_blocks() -> None:
    made = framed([part(rule(), text("a"), rule()), spared(1, [rule(), text("b"), rule()], []), part(rule())], None)
    assert [one["type"] for one in made.blocks] == ["text", "rule", "text"]


def test_sides_have_the_colours_of_the_map_and_the_referee_has_none_of_them() -> None:
    assert [f"#{one:06x}" for one in SIDES] == [*DRAWN]
    assert accent_of(1) == 0xFF8438
    assert accent_of(None) not in SIDES


def test_a_card_like_the_targets_is_as_high_as_they_are() -> None:
    """Picture 11 of the look: 858 pixels with its telephone around it, some 600 the frame."""
    lines = [beside(f"{n} · A6 Scene Flow", "Now: stay and search E27.", button(n)) for n in range(3)]
    made = framed(
        [
            part(heading("Turn 29: three places need you"), text("The other 10 forces go on as plotted.")),
            part(picture("map.png", "a map")),
            part(*(block for line in lines for block in (rule(), line))),
            part(*rows(menu(10), button(7, "Ready"), button(8, "All orders"), button(9, "Write them"))),
            part(small(["Saved 11:08, you may still change it. Closes today 20:00 (in 9 hours). Saved orders count."])),
        ],
        SIDES[0],
    )
    assert 560 < height(made) < 680
