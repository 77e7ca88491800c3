"""``/economy`` and ``/plots``: cards, pages, boxes and files; budgets and courses line by line."""

import json
from typing import Any

import pytest

from bot.cards import frame_sizes, frames
from bot.cards.overviews.economy import EconomyCardData, economy_card, economy_pages, economy_text
from bot.cards.overviews.plots import A_PAGE, plots_card
from rules_engine.core.forms.forms import Form, Line
from rules_engine.core.knowledge.economy.holdings import Economy, EconomyFigure, EconomyPlace, QueuedWork
from tests.bot.direct.test_plain_messages import labels, newest, written
from tests.bot.overviews.conftest import SHEET, CrownsServer
from tests.bot.worlds.simulated_server import said
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.message_words import pressable, words_of

MIXED = (
    "economy: reserve 60\nD1: work build frigate; name Sprite\nH0999: cargo 5\nF1: course 0206\nH0205: cargo 9999\n"
    "D2: cpv x"
)
"""Two good lines, and four that are not."""
WHY = (
    "line 3: you have neither a planet nor boxes in this hex (4.1.6.1). Legal: H0103, H0205, H0303, H0307.",
    "line 4, F1: this is no line of the budget.",
    "line 5, H0205, New CPV into cargo boxes: 9999 is out of range. Legal: 0 to 100.",
    "line 6, D2, CPV into it: “x” is not a whole number. Legal: 0 to 20.",
)


async def saved(here: CrownsServer, side: str = "hydran") -> dict[str, Any]:
    """What a side's sheet says of its budget, as it was journalled."""
    campaign = (await here.bot.services.campaigns.in_server(here.guild.id))[0]
    async with here.bot.services.runtime.loaded.use(campaign.id) as adjudicator:
        (ask,) = adjudicator.asks_for(side)
        answer = adjudicator.saved(side, ask.id)
        sheet = {} if answer is None else answer.model_dump(mode="json", exclude_unset=True)
    return {
        key: {name: value for name, value in line.items() if value not in (None, [], False, 0)}
        for key, line in sheet.items()
        if key in ("economy", "H0205", "D1", "D2")
    }


async def test_the_card_says_what_there_is_and_what_will_be_lost(game: CrownsServer) -> None:
    shown = await game.slash(game.ann, "economy")
    text = said(shown)
    for line in (
        "Income in turn 1: **200 CPV**",
        "Intelligence Reserve: **40 of 300 IP**",
        "⚠️ Nothing is done in D1, D2: 50 repair boxes stand idle, and starts are not saved (4.2.2).",
        "**0205** Azure Throne, Azure Station",
        "• D1 Azure Station, bay 1: free, 30 repair boxes",
    ):
        assert line in text
    assert labels(shown.response._message) == ["Write the budget", "Open the sheet", "As a file"]
    assert "economy.txt" in said(await game.ann.click(shown.response, label="As a file"))


async def test_good_lines_of_a_budget_are_kept_and_each_other_says_why(game: CrownsServer) -> None:
    before = await game.journal()
    shown = await game.slash(game.ann, "economy")
    answer = said(await game.box(game.ann, shown.response, "Write the budget", MIXED))
    for why in WHY:
        assert f"🛑 {why}" in answer
    assert "## Turn 1: saved in part" in answer
    assert "This does not count; all other lines are saved." in answer
    assert "H0999: cargo 5\nF1: course 0206\nH0205: cargo 9999\nD2: cpv x" in answer
    assert await game.journal() == [*before, "answered"]
    assert await saved(game) == {
        "economy": {"reserve": 60, "stands": "no"},
        "H0205": {},
        "D1": {"work": "build frigate", "name": "Sprite"},
    }


async def test_nothing_is_changed_where_no_line_is_good(game: CrownsServer) -> None:
    before = await game.journal()
    shown = await game.slash(game.ann, "economy")
    answer = said(await game.box(game.ann, shown.response, "Write the budget", "H0999: cargo 5\nhello there"))
    has_words(answer, "not accepted", never="saved in part")
    assert await game.journal() == before


@pytest.mark.parametrize("text", ["economy: reserve 60\nH0205: cargo 7\nD1: work build frigate; cpv 20"])
async def test_form_text_file_and_message_give_the_same_answer(game: CrownsServer, text: str) -> None:
    wanted = {
        "economy": {"reserve": 60, "stands": "no"},
        "H0205": {"cargo": 7},
        "D1": {"work": "build frigate", "cpv": 20},
    }
    shown = await game.slash(game.ann, "economy")
    await game.box(game.ann, shown.response, "Write the budget", text)
    assert await saved(game) == wanted
    token = await game.token("hydran", "turn")
    reset = game.bot.services.orders

    async def anew() -> None:
        prompt = await reset.prompts.prompt(token, game.ann.id)
        await reset.filling.reset(token, game.ann.id, prompt.mark)
        assert await saved(game) != wanted

    await anew()
    assert "Saved" in said(await game.slash(game.ann, "economy", budget=("budget.txt", text.encode())))
    assert await saved(game) == wanted
    await anew()
    (echo,) = await written(game, game.ann, text)
    await game.ann.user.click(echo, label="Save")
    assert await saved(game) == wanted
    await anew()
    for line, field, value in (("economy", "reserve", 60), ("H0205", "cargo", 7), ("D1", "cpv", 20)):
        more = {"work": "build frigate"} if line == "D1" else {}
        await reset.filling.fill(token, game.ann.id, {line: {field: value, **more}})
    assert await saved(game) == wanted


async def test_a_file_is_taken_line_by_line(game: CrownsServer) -> None:
    answer = said(await game.slash(game.ann, "economy", budget=("budget.txt", MIXED.encode())))
    for why in WHY:
        assert why in answer
    assert (await saved(game))["economy"]["reserve"] == 60


@cases("file, said_of_it", "", made="file")
async def test_files_that_are_no_budget_change_nothing(game: CrownsServer, file: tuple[str, bytes], said_of_it: str):
    before = await game.journal()
    assert said_of_it in said(await game.slash(game.ann, "economy", budget=file))
    assert await game.journal() == before


async def test_a_message_that_is_a_budget_is_saved_as_far_as_it_fits(game: CrownsServer) -> None:
    text = "economy: reserve 60\nH0205: cargo 9999\nH0999: cargo 5"
    (echo,) = await written(game, game.ann, text)
    assert "__Not accepted, and left out__" in echo.content
    assert WHY[2].replace("line 5", "line 2") in echo.content
    assert labels(echo) == ["Save what fits", "Change"]
    before = await game.journal()
    await game.ann.user.click(echo, label="Save what fits")
    assert await game.journal() == [*before, "answered"]
    assert (await saved(game))["economy"]["reserve"] == 60
    card = words_of(newest(game, game.ann, echo))
    has_words(card, "saved in part", "H0205: cargo 9999")


async def test_orders_that_are_no_budget_are_still_taken_whole_or_not_at_all(game: CrownsServer) -> None:
    (echo,) = await written(game, game.ann, "economy: reserve 60\nF1: course 9999")
    assert "Not accepted; nothing was changed" in echo.content
    assert "Save what fits" not in labels(echo)


async def test_lines_that_were_not_taken_are_given_back_in_the_box_of_the_sheet(game: CrownsServer) -> None:
    shown = await game.slash(game.ann, "economy")
    await game.box(game.ann, shown.response, "Write the budget", MIXED)
    box = await game.press(game.ann, SHEET, "Write them")
    has_words(json.dumps(box.modal), "H0999: cargo 5", never="Sprite")


async def test_a_standing_budget_is_what_a_silent_side_does(game: CrownsServer) -> None:
    shown = await game.slash(game.ann, "economy")
    await game.box(
        game.ann, shown.response, "Write the budget", "economy: reserve 60; stands yes\nD1: work build frigate"
    )
    assert "Standing budget" not in said(await game.slash(game.ann, "economy"))  # it stands once it is carried out
    await game.everybody_is_ready()
    text = said(await game.slash(game.ann, "economy"))
    assert "Standing budget: **economy: reserve 60; bay 1 of Azure Station: work build frigate**" in text
    standing = said(await game.slash(game.ann, "orders standing"))
    assert "your budget: economy: reserve 60; bay 1 of Azure Station: work build frigate" in standing
    assert "your budget" not in said(await game.slash(game.leo, "orders standing"))


async def test_others_are_refused(game: CrownsServer) -> None:
    assert "Only a commander" in said(await game.slash(game.sam, "economy"))
    assert "Only a commander" in said(await game.slash(game.rita, "economy"))
    shown = await game.slash(game.ann, "economy")
    file = next(one["custom_id"] for one in pressable(shown.response._message) if one["label"] == "As a file")
    card = game.prompt(game.leo, SHEET)
    assert "Azure" not in said(await game.forge(game.leo.user, card, file))  # leo's own economy
    budget = f"p|{await game.token('hydran', 'turn')}|budget|"
    assert "not your side's sheet" in said(await game.forge(game.leo.user, card, budget))
    for argument in ("page.x", "page.-1", "nothing.1", "page.99999999999"):
        message = game.prompt(game.ann, SHEET)
        refused = said(await game.forge(game.ann.user, message, f"c|{file.split('|')[1]}|economy|{argument}"))
        assert "not something I offered" in refused


async def test_the_reminder_says_once_what_will_be_lost_as_the_sheet_stands(game: CrownsServer) -> None:
    await game.bot.services.orders.filling.write(await game.token("hydran", "turn"), game.ann.id, "economy: pool 5")
    await game.slash(game.mia, "orders ready")
    falls_at = await game.falls_at()
    seconds = (falls_at - game.now()).total_seconds()
    await game.later(seconds * 0.8)
    lost = "⚠️ 195 CPV are allocated nowhere and will be lost (4.1.6.1)."
    idle = "⚠️ Nothing is done in D1, D2: 50 repair boxes stand idle, and starts are not saved (4.2.2)."
    reminders = {
        name: [one.content for one in game.dms(game.people[name]) if "time is up" in one.content]
        for name in ("ann", "leo", "mia")
    }
    assert [one.split("\n")[1:] for one in reminders["ann"]] == [[lost, idle]]
    assert [one.split("\n")[1:] for one in reminders["leo"]] == [[idle]]
    assert reminders["mia"] == []
    await game.later(seconds * 0.1)
    assert sum("time is up" in one.content for one in game.dms(game.ann)) == 1


# --- pages ------------------------------------------------------------------------------------------------------------
def large(places: int, queue: int, losses: int = 3) -> Economy:
    """An economy of so many places with so much queued at each."""
    return Economy(
        figures=tuple(EconomyFigure(name=f"Figure {n}", value="123 of 456") for n in range(5)),
        places=tuple(
            EconomyPlace(
                hex=f"{n:04}",
                name="A planet, a base and more " * 3,
                figures=(EconomyFigure(name="Makes", value="100"),),
                queue=tuple(
                    QueuedWork(key=f"D{n}{q}", what="A ship " * 5, done="1 of 2", ready=7) for q in range(queue)
                ),
            )
            for n in range(places)
        ),
        losses=tuple(f"Loss {n} (4.1)." for n in range(losses)),
    )


@pytest.mark.parametrize(("places", "queue", "losses"), [(0, 0, 0), (1, 0, 0), (12, 3, 3), (3, 40, 30), (60, 1, 1)])
def test_every_page_fits_a_phone_and_nothing_is_lost_between_them(places: int, queue: int, losses: int) -> None:
    economy = large(places, queue, losses)
    data = EconomyCardData("abc12", "A campaign of a name that is rather long", economy, 2, "tokentoken12")
    pages = economy_pages(economy)
    for number in range(len(pages)):
        layout = economy_card(data, number).layout
        assert layout is not None
        assert frame_sizes.fits(layout)
        assert frame_sizes.height(layout) <= frames.MOST_HEIGHT
    told = "\n".join(line for page in pages for block in page for line in block)
    for place in economy.places:
        assert told.count(f"**{place.hex}**") >= 1
        for work in place.queue:
            assert told.count(f"• {work.key} ") == 1
    text = economy_text(data)
    assert all(one in text for one in economy.losses)
    assert economy_card(data, 10_000) == economy_card(data, len(pages) - 1)


# --- plots ------------------------------------------------------------------------------------------------------------
# ``/plots``: all fleets by hex with menus; courses typed step by step, as a file and as a message; what was meant.
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


async def test_all_fleets_stand_by_hex_in_one_message_and_are_sent_on_by_menus(game: CrownsServer) -> None:
    shown = await game.slash(game.ann, "plots")
    text = said(shown)
    assert text.index("**0205**") < text.index("F1: Breaker, Ripple, Undertow: Holds in 0205.")
    assert text.index("F4: Yawl: Holds in 0205.") < text.index("**0303**") < text.index("F2: Maelstrom")
    assert text.count("**0205**") == 1
    assert [*menus(shown)] == ["F1", "F3", "F4", "F2"]
    before = await game.journal()
    chosen = await game.ann.select(shown.response, ["0206"], custom_id=menus(shown)["F3"]["custom_id"])
    assert await game.journal() == [*before, "answered"]
    assert (await course_of(game, "F3"))[0] == "0206"
    assert "F3: Sandbar: 0205 → 0206." in said(chosen)  # the card, in the place of the old one
    options = {one["value"]: one.get("default") for one in menus(chosen)["F3"]["options"]}
    assert [value for value, is_chosen in options.items() if is_chosen] == ["0206"]


@cases("text", "")
async def test_a_course_is_typed_step_by_step_sent_as_a_file_or_written_as_a_message(game: CrownsServer, text: str):
    (echo,) = await written(game, game.ann, text)
    assert "F3 (Sandbar): 0205 → 0206 → 0207 → 0307." in echo.content
    await game.ann.user.click(echo, label="Save")
    first = await course_of(game, "F3")
    assert first[0] == "course"
    assert str(first[1]).replace("> ", "") == "0206 0207 0307"
    await game.slash(game.ann, "orders upload", file=("orders.txt", text.encode()))
    assert await course_of(game, "F3") == first
    shown = await game.slash(game.ann, "plots")
    assert "0205 → 0206 → 0207 → 0307" in said(await game.box(game.ann, shown.response, "Write them", text))


async def test_to_a_hex_is_the_shortest_way_there(game: CrownsServer) -> None:
    (echo,) = await written(game, game.ann, "F3 to 0208")
    assert "F3 (Sandbar): 0205 → 0206 → 0207 → 0208." in echo.content


@cases("text, answer", "")
async def test_near_misses_are_read_back(game: CrownsServer, text: str, answer: str) -> None:
    before = await game.journal()
    (echo,) = await written(game, game.ann, text)
    assert answer in echo.content
    assert await game.journal() == before


async def test_a_hand_made_choice_is_refused(game: CrownsServer) -> None:
    shown = await game.slash(game.ann, "plots")
    token = await game.token("hydran", "turn")
    go = menus(shown)["F3"]["custom_id"]
    before = await game.journal()
    for made, value in (
        (go, "0909"),
        (f"p|{token}|go|0.0", "0206"),
        (f"p|{token}|go|9999.0", "0206"),
        (f"p|{token}|go|x", "0206"),
        (f"p|{token}|plots|-1", "0206"),
    ):
        own = game.prompt(game.ann, SHEET)
        assert "not something I offered" in said(await game.forge(game.ann.user, own, made, [value]))
    card = game.prompt(game.leo, SHEET)
    assert "not your side's sheet" in said(await game.forge(game.leo.user, card, f"p|{token}|plots|0"))
    assert "not your side's sheet" in said(await game.forge(game.leo.user, card, go, ["0206"]))
    assert await game.journal() == before


async def test_stored_courses_and_those_of_convoys_are_drawn_on_the_sides_own_map(game: CrownsServer) -> None:
    await game.bot.services.orders.filling.write(
        await game.token("hydran", "turn"), game.ann.id, "F3: course 0206 0207 0208 0209 0309 0409 0509 0609"
    )
    found = (await game.bot.services.campaigns.in_server(game.guild.id))[0]
    views = game.bot.services.queries.views
    view = await views.of_side(found.id, game.ann.id)
    assert [one.hexes[:3] for one in view.board.courses if one.counter == "F3"] == [("0205", "0206", "0207")]
    assert not [one for one in (await views.of_side(found.id, game.leo.id)).board.courses if one.counter == "F3"]
    assert game.campaign


async def test_pages_of_a_large_navy_fit_a_phone(game: CrownsServer) -> None:
    prompt = await game.bot.services.orders.prompts.prompt(await game.token("hydran", "turn"), game.ann.id)
    fleets = [line for line in prompt.form.lines if line.key.startswith("F")]
    many = [
        Line(f"F{n}", f"F{n}: " + ", ".join(["Unpronounceable"] * 6), fleets[0].fields) for n in range(1, 3 * A_PAGE)
    ]
    object.__setattr__(prompt.state.ask, "form", Form(lines=tuple(many)))
    vars(prompt.state.ask).pop("made_form", None)
    for page in range(3):
        card = plots_card(prompt.state, {}, page)
        assert card is not None
        assert card.layout is not None
        assert frame_sizes.fits(card.layout)
        assert frame_sizes.height(card.layout) <= frames.MOST_HEIGHT
    assert plots_card(prompt.state, {}, 99) == plots_card(prompt.state, {}, 2)
