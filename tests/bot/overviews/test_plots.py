"""``/plots``: all fleets by hex with menus; courses typed step by step, as a file and as a message; what was meant."""

from typing import Any

import pytest

from bot.cards.frame_sizes import fits, height
from bot.cards.frames import MOST_HEIGHT
from bot.cards.overviews.plots import A_PAGE, plots_card
from rules_engine.core.forms.forms import Form, Line
from tests.bot.direct.test_plain_messages import written
from tests.bot.overviews.conftest import SHEET, CrownsServer
from tests.bot.worlds.simulated_server import said
from tests.message_words import pressable


def menus(shown: Any) -> dict[str, dict[str, Any]]:
    """The menus of an answer, by what they are for."""
    found = pressable(shown.response._message)
    return {str(one["placeholder"]).partition(":")[0]: dict(one) for one in found if "options" in one}


async def course_of(here: CrownsServer, fleet: str, side: str = "hydran") -> tuple[Any, Any]:
    """What a side's sheet says of a fleet's next hex and course."""
    campaign = (await here.bot.services.campaigns.in_server(here.guild.id))[0]
    async with here.bot.services.runtime.loaded.use(campaign.id) as adjudicator:
        (ask,) = adjudicator.asks_for(side)
        answer = adjudicator.saved(side, ask.id)
        line = {} if answer is None else answer.model_dump(mode="json").get(fleet, {})
    return line.get("go"), line.get("course")


async def test_all_fleets_stand_by_hex_in_one_message_and_are_sent_on_by_menus(here: CrownsServer) -> None:
    await here.begin()
    shown = await here.slash(here.ann, "plots")
    text = said(shown)
    assert text.index("**0205**") < text.index("F1: Breaker, Ripple, Undertow: Holds in 0205.")
    assert text.index("F4: Yawl: Holds in 0205.") < text.index("**0303**") < text.index("F2: Maelstrom")
    assert text.count("**0205**") == 1
    assert [*menus(shown)] == ["F1", "F3", "F4", "F2"]
    before = await here.journal()
    chosen = await here.ann.select(shown.response, ["0206"], custom_id=menus(shown)["F3"]["custom_id"])
    assert await here.journal() == [*before, "answered"]
    assert (await course_of(here, "F3"))[0] == "0206"
    assert "F3: Sandbar: 0205 → 0206." in said(chosen)  # the card, in the place of the old one
    options = {one["value"]: one.get("default") for one in menus(chosen)["F3"]["options"]}
    assert [value for value, is_chosen in options.items() if is_chosen] == ["0206"]


@pytest.mark.parametrize(
    "text",
    ["F3: 0206 > 0207 > 0307", "F3: 0206>0207>0307", "F3 0206 > 0207 > 0307", "F3: course 0206 0207 0307"],
)
async def test_a_course_is_typed_step_by_step_sent_as_a_file_or_written_as_a_message(
    here: CrownsServer, text: str
) -> None:
    await here.begin()
    (echo,) = await written(here, here.ann, text)
    assert "F3 (Sandbar): 0205 → 0206 → 0207 → 0307." in echo.content
    await here.ann.user.click(echo, label="Save")
    first = await course_of(here, "F3")
    assert first[0] == "course"
    assert str(first[1]).replace("> ", "") == "0206 0207 0307"
    await here.slash(here.ann, "orders upload", file=("orders.txt", text.encode()))
    assert await course_of(here, "F3") == first
    shown = await here.slash(here.ann, "plots")
    assert "0205 → 0206 → 0207 → 0307" in said(await here.box(here.ann, shown.response, "Write them", text))


async def test_to_a_hex_is_the_shortest_way_there(here: CrownsServer) -> None:
    await here.begin()
    (echo,) = await written(here, here.ann, "F3 to 0208")
    assert "F3 (Sandbar): 0205 → 0206 → 0207 → 0208." in echo.content


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("F9: 0206 > 0207", "there is no line “F9”."),
        ("F9: 0206 > 0207", "Did you mean F4 or F3 or F2?"),
        ("F3: 0206 > 9999", "'9999' is not a hex of this map"),
        ("F3: 0206 > 0208", "⚠️ F3: 0206 and 0208 are no neighbours; it goes by 0207."),
        ("F3: to 1109 to 0101 to 1109 to 0101 to 1109", "Legal: as far as "),
        ("F3: 0206 >", "F3"),
        ("F3: > 0206 > > 0207", "F3"),
    ],
)
async def test_near_misses_are_read_back(here: CrownsServer, text: str, answer: str) -> None:
    await here.begin()
    before = await here.journal()
    (echo,) = await written(here, here.ann, text)
    assert answer in echo.content
    assert await here.journal() == before


async def test_a_hand_made_choice_is_refused(here: CrownsServer) -> None:
    await here.begin()
    shown = await here.slash(here.ann, "plots")
    token = await here.token("hydran", "turn")
    go = menus(shown)["F3"]["custom_id"]
    before = await here.journal()
    for made, value in (
        (go, "0909"),
        (f"p|{token}|go|0.0", "0206"),
        (f"p|{token}|go|9999.0", "0206"),
        (f"p|{token}|go|x", "0206"),
        (f"p|{token}|plots|-1", "0206"),
    ):
        own = here.prompt(here.ann, SHEET)
        assert "not something I offered" in said(await here.forge(here.ann.user, own, made, [value]))
    card = here.prompt(here.leo, SHEET)
    assert "not your side's sheet" in said(await here.forge(here.leo.user, card, f"p|{token}|plots|0"))
    assert "not your side's sheet" in said(await here.forge(here.leo.user, card, go, ["0206"]))
    assert await here.journal() == before


async def test_stored_courses_and_those_of_convoys_are_drawn_on_the_sides_own_map(here: CrownsServer) -> None:
    campaign = await here.begin()
    await here.bot.services.orders.filling.write(
        await here.token("hydran", "turn"), here.ann.id, "F3: course 0206 0207 0208 0209 0309 0409 0509 0609"
    )
    found = (await here.bot.services.campaigns.in_server(here.guild.id))[0]
    views = here.bot.services.queries.views
    view = await views.of_side(found.id, here.ann.id)
    assert [one.hexes[:3] for one in view.board.courses if one.counter == "F3"] == [("0205", "0206", "0207")]
    other = await views.of_side(found.id, here.leo.id)
    assert not [one for one in other.board.courses if one.counter == "F3"]
    assert campaign


async def test_pages_of_a_large_navy_fit_a_phone(here: CrownsServer) -> None:
    await here.begin()
    prompt = await here.bot.services.orders.prompts.prompt(await here.token("hydran", "turn"), here.ann.id)
    form = prompt.form
    fleets = [line for line in form.lines if line.key.startswith("F")]
    many = [
        Line(f"F{n}", f"F{n}: " + ", ".join(["Unpronounceable"] * 6), fleets[0].fields) for n in range(1, 3 * A_PAGE)
    ]
    object.__setattr__(prompt.state.ask, "form", Form(lines=tuple(many)))
    vars(prompt.state.ask).pop("made_form", None)
    for page in range(3):
        card = plots_card(prompt.state, {}, page)
        assert card is not None
        assert card.layout is not None
        assert fits(card.layout)
        assert height(card.layout) <= MOST_HEIGHT
    assert plots_card(prompt.state, {}, 99) == plots_card(prompt.state, {}, 2)
