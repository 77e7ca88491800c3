"""Maps, forces, the log, help, rulings; standing orders, odds and tables: each from the caller's own view."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.cards import forces_pages
from bot.cards.forces_pages import WHOLE, forces_card, forces_text
from bot.interactions.forces_presses import forces_message
from bot.records.components import Card
from bot.records.signs.catalogue import SIGNS
from bot.records.signs.marks import shown, without_signs
from bot.store.tables import PromptRow
from rules_engine.core.basics.base import Outsider, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.views import Board, Counter, Panel, SideView
from tests.bot.worlds.fought import FoughtServer, fought_server
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, said
from tests.expected.words import has_words


async def to_spoils(here: SimulatedServer) -> str:
    """Red named the higher number and has the spoils to choose; a spy of blue's was told it."""
    campaign = await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.fill(here.leo, "Missions", "0.0", f0=True, f1="2")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    return campaign


async def test_the_map_is_a_picture_with_words_and_a_neutral_name(game: SimulatedServer) -> None:
    result = await game.slash(game.ann, "map")
    assert result.ephemeral
    (part,) = result.followups or [result.response]
    assert part is not None
    (file,) = part.attachments
    assert file.filename == "map.png"
    assert file.description
    assert "F1" in file.description


async def test_the_map_in_words_is_each_callers_own(game: SimulatedServer) -> None:
    red = said(await game.slash(game.ann, "map", text=True))
    blue = said(await game.slash(game.leo, "map", text=True))
    public = said(await game.slash(game.sam, "map", text=True))
    everything = said(await game.slash(game.rita, "map", text=True))
    assert "0101" in red
    assert "0101" not in blue
    assert "F1" not in public
    assert "with everything on it" in everything
    assert "with everything on it" not in red + blue + public


async def test_an_area_that_is_not_on_the_map_is_corrected(game: SimulatedServer) -> None:
    assert "“9999” is not a hex of this map." in said(await game.slash(game.ann, "map", area="9999"))
    result = await game.slash(game.ann, "map", area="0201")
    assert (result.followups or [result.response])[0] is not None


async def test_forces_list_own_things(game: SimulatedServer) -> None:
    text = said(await game.slash(game.ann, "forces"))
    has_words(text, "**F1**, hex 0101", "• ships 5")


def test_forces_name_outsiders_and_not_their_keys() -> None:
    view = SideView(side="red", board=here_be_monsters())
    assert "**E1**, Beasts of the Rim, hex 0101, ID1" in forces_text(view)
    assert "**E2**, hex 0102, ID1" in forces_text(view), "of sides the line says no more than before"
    assert "monsters" not in forces_text(view)
    assert "E1" in forces_text(view, "beasts")


def here_be_monsters() -> Board:
    """A board with an outsider's counter and one of a side."""
    return Board(
        campaign="C", rulebook="none", heading="Turn 1", when=When(turn=1),
        sides=tuple(SideLabel(key=key, name=key.title(), emblem=key[0].upper()) for key in ("red", "blue")),
        outsiders=(Outsider(key="monsters", name="Beasts of the Rim", emblem="B"),),
        grid=Grid(columns=4, rows=4),
        counters=(
            Counter(id="E1", hex="0101", owner="monsters", label="E1", level=1, level_name="ID1"),
            Counter(id="E2", hex="0102", owner="blue", label="E2", level=1, level_name="ID1"),
        ),
    )  # fmt: skip


async def test_the_log_holds_what_the_side_was_told_and_nothing_else(here: SimulatedServer) -> None:
    await to_spoils(here)
    told = await here.slash(here.leo, "log")
    blue = said(told)
    red = said(await here.slash(here.ann, "log"))
    assert blue == "__Turn 1__\n1. Our spy reports: Red Fleet named 7.\n2. Red Fleet named the higher number."
    why = said(await here.leo.click(message_of(told), label="1 Why?"))
    assert why.startswith("**Turn 1**\nOur spy reports: Red Fleet named 7.\n• bribe 2\n• Dice: spying, 1D6: ")
    assert why.endswith("• Rule: 3.1")
    has_words(red, "Red Fleet named the higher number.", never="spy reports")


async def test_an_empty_log_says_so(game: SimulatedServer) -> None:
    assert said(await game.slash(game.ann, "log")) == "Your side has been told nothing yet."


async def test_help_knows_where_one_stands(here: SimulatedServer) -> None:
    assert "You are in no campaign here yet." in said(await here.slash(here.ann, "help"))
    await here.found()
    assert "Nobody commands Red Fleet, Blue Fleet yet" in said(await here.slash(here.rita, "help"))
    await here.slash(here.ann, "campaign join", side="red")
    await here.slash(here.leo, "campaign join", side="blue")
    assert "Every seat is taken: `/campaign start` begins." in said(await here.slash(here.rita, "help"))
    assert "Play begins when the referee says so" in said(await here.slash(here.ann, "help"))
    await here.slash(here.rita, "campaign start")
    assert "• **Orders for turn 1**: nothing saved yet, closes <t:" in said(await here.slash(here.ann, "help"))
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    assert "The spoils" in said(await here.slash(here.ann, "help"))
    waiting = said(await here.slash(here.leo, "help"))
    has_words(waiting, "Nothing is asked of you now", never="<t:")
    for command in ("orders show", "orders ready"):
        looked_for = said(await here.slash(here.leo, command))
        assert looked_for == "Nothing is asked of your side now; what comes next comes by itself."


async def test_orders_show_lists_several_sheets_and_opens_one(game: SimulatedServer) -> None:
    listed = await game.slash(game.ann, "orders show")
    assert "2 sheets are open" in said(listed)
    opened = await game.ann.select(message_of(listed), [await game.token("red", "missions")])
    assert "A spy learns the other side's number." in said(opened) or "A spy learns" in said(listed)
    assert "A spy learns" in said(await game.slash(game.ann, "missions"))


async def test_rulings_are_searched(game: SimulatedServer) -> None:
    assert "toy-1" in said(await game.slash(game.ann, "rulings"))
    assert "toy-1" in said(await game.slash(game.ann, "rulings", search="1.2"))
    found = said(await game.slash(game.ann, "rulings", search="logistics"))
    assert found == "No ruling of Secret Numbers speaks of that."


SHIPS = (
    "C5 North picket in 0707", "  Estoc: fuel 16 of 16", "  Jagged Edge: fuel 12 of 16", "C51 Reserve in 1715",
    "  Axe: fuel 16 of 16",
)  # fmt: skip


async def side_view(here: SimulatedServer) -> SideView:
    campaign = await here.begin()
    view = await here.bot.services.queries.views.of_side(campaign, here.ann.user.id)
    panel = Panel(title="Task forces", rows=SHIPS)
    return view.model_copy(update={"board": view.board.model_copy(update={"panels": (panel,), "counters": ()})})


async def test_forces_about_something_tell_that_alone(here: SimulatedServer) -> None:
    view = await side_view(here)
    heading = f"**{view.board.heading}**\n__Task forces__\n"
    rows = [f"• {row}" for row in SHIPS]
    assert forces_text(view) == heading + "\n".join(rows)
    assert forces_text(view, "c5") == forces_text(view, "0707") == heading + "\n".join(rows[:3])
    assert forces_text(view, " jagged edge ") == heading + "\n".join((rows[0], rows[2]))
    assert forces_text(view, "C52") == "Nothing of yours, or known to you, has “C52” in it."
    told = said(await here.slash(here.ann, "forces", about="no such thing"))
    assert told == "Nothing of yours, or known to you, has “no such thing” in it."


def labels(card: Card) -> list[list[str]]:
    """What can be pressed below a card, with a mark at what cannot be."""
    return [
        [
            f"{one['label']}{'-' if one['disabled'] else ''}" if one["type"] == "button" else one["placeholder"]
            for one in row
        ]
        for row in card.rows
    ]


def many(ships: int) -> SideView:
    """A side with so many task forces of one ship each, of which there is more to tell."""
    rows = tuple(row for number in range(ships) for row in (f"A{number} in 0101", f"  Ship {number}: {'fuel ' * 12}"))
    panels = (Panel(title="Task forces", rows=rows), Panel(title="Points", rows=("none",)))
    return SideView(side="red", board=here_be_monsters().model_copy(update={"panels": panels}))


def test_a_list_that_is_read_at_a_glance_is_told_whole_and_has_nothing_to_press() -> None:
    view = many(3)
    card = forces_card("lw0", view)
    assert (card.content, card.rows) == (forces_text(view), ())


def test_a_longer_one_comes_in_short_with_all_of_one_at_a_press() -> None:
    view = many(40)
    card = forces_card("lw0", view)
    assert len(card.content.split("\n")) == 29 + 1, "one of them is of two rows"
    assert without_signs(card.content).startswith(
        "**Turn 1**\n__Contacts__\n• **E1**, Beasts of the Rim, hex 0101, ID1\n"
    )
    has_words(card.content, "• A0 in 0101\n• A1 in 0101\n", never="fuel")
    assert card.content.endswith("\n-# page 1 of 2")
    assert forces_card("lw0", view, page=1).content.endswith("__Points__\n• none\n-# page 2 of 2")
    assert labels(card) == [["All of one …"], ["Back-", "On", "In full", "As a file"]]
    menu = card.rows[0][0]
    assert menu["type"] == "select"
    assert [(one["value"], one["label"]) for one in menu["options"]][:5] == [
        ("Contacts", "Contacts"), ("Task forces", "Task forces"), ("Points", "Points"), ("A0", "A0 in 0101"),
        ("A1", "A1 in 0101"),
    ]  # fmt: skip
    assert forces_text(view, "points") == "**Turn 1**\n__Points__\n• none", "a heading tells what stands below it"
    assert len(menu["options"]) == 25


def test_in_short_a_long_head_is_cut_and_offered_in_full() -> None:
    panels = (Panel(title="Fleets", rows=tuple(f"F{number} at 0303: {'Maelstrom, ' * 20}" for number in range(9))),)
    view = SideView(side="red", board=here_be_monsters().model_copy(update={"panels": panels}))
    card = forces_card("lw0", view)
    assert max(map(len, card.content.split("\n"))) <= 120
    menu = card.rows[0][0]
    assert menu["type"] == "select"
    assert [one["value"] for one in menu["options"]] == ["Contacts", "Fleets", *(f"F{number}" for number in range(8))]
    menu = forces_card("lw0", view, page=1).rows[0][0]
    assert menu["type"] == "select"
    assert [one["value"] for one in menu["options"]][2:] == ["F8"]


def test_in_full_it_comes_in_pages_that_begin_with_what_they_are_about() -> None:
    view = many(40)
    cards = [forces_card("lw0", view, WHOLE, page) for page in range(6)]
    found = [card.content.rpartition("\n")[2] for card in cards]
    assert found == [f"-# page {page} of 5" for page in (1, 2, 3, 4, 5, 5)]
    assert labels(cards[0]) == [["Back-", "On", "In short", "As a file"]]
    assert labels(cards[1]) == [["Back", "On", "In short", "As a file"]]
    assert labels(cards[4]) == labels(cards[5]) == [["Back", "On-", "In short", "As a file"]]
    assert cards[1].content.startswith("**Turn 1**\n__Task forces__\n• ")
    told = [line for card in cards[:5] for line in card.content.split("\n") if line.startswith("•")]
    assert told == [line for line in forces_text(view).split("\n") if line.startswith("•")], "all of it, and once"


async def test_pages_of_forces_are_turned_in_one_message_and_from_ones_own_view(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await here.begin()
    monkeypatch.setattr(forces_pages, "MOST_ROWS", 4)
    shown = await here.slash(here.ann, "forces")
    assert shown.ephemeral
    assert said(shown) == "**Turn 1**\n__Own counters__\n• **F1**, hex 0101\n-# page 1 of 2"
    turned = await here.ann.click(message_of(shown), label="On")
    assert said(turned) == "**Turn 1**\n__Forces__\n• ships 5\n• points 0\n-# page 2 of 2"
    assert message_of(turned).id == shown.response.id, "in its own place"
    file = await here.ann.click(turned.response, label="As a file")
    (attached,) = message_of(file).attachments
    assert (await attached.read()).decode() == "Turn 1\nOwn counters\n• F1, hex 0101\nForces\n• ships 5\n• points 0\n"
    message = (await here.channel("public")).history()[-1]
    theirs = await here.forge(here.leo, message, f"c|{campaign}|forces|heads.0")
    assert theirs.ephemeral
    has_words(said(theirs), "0402", never="0101")
    for who in (here.sam, here.zoe, here.rita):
        for verb in ("forces|heads.0", "forces|whole.0", "forces|file.0"):
            assert (
                said(await here.forge(who, message, f"c|{campaign}|{verb}")) == "You command no side of this campaign."
            )
        told = said(await here.forge(who, message, f"c|{campaign}|force|", ["F1"]))
        assert told == "You command no side of this campaign."
    for forged in ("heads", "heads.x", "heads.-1", "all.0", "heads.0.0", "file."):
        assert "not something I offered" in said(await here.forge(here.ann, message, f"c|{campaign}|forces|{forged}"))
    for chosen in (["x" * 61], [" "], ["F1", "F2"]):
        assert "not something I offered" in said(await here.forge(here.ann, message, f"c|{campaign}|force|", chosen))
    one = said(await here.forge(here.ann, message, f"c|{campaign}|force|", ["F1"]))
    assert one == "**Turn 1**\n__Own counters__\n• **F1**, hex 0101"


def test_what_speaks_of_something_and_is_too_long_comes_with_a_file() -> None:
    message = forces_message(many(40), "0101")
    assert len(message.text) < 1_500
    assert message.text.endswith("-# All of it is in `forces.txt`.")
    (file,) = message.files
    assert file.data.decode().count("Ship") == 40
    assert forces_message(many(40), "A7").files == ()


def test_contacts_have_the_form_and_places_the_pin_that_they_have_on_the_map() -> None:
    counters = (
        Counter(id="E7", hex="0202", owner="blue", label="E7", level=3, level_name="ID3", grade=4),
        Counter(id="E8", hex="0202", owner="", label="E8", level=0, level_name="unknown", grade=1),
        Counter(id="E9", hex="0303", owner="monsters", label="E9", level=1, level_name="ID1", grade=2),
    )
    news = (News(hexes=("0202",), title="Hex 0202", fact="0202: E7 is near"),)
    board = here_be_monsters().model_copy(update={"counters": counters, "news": news})
    text = forces_text(SideView(side="red", board=board))
    ids = {name: number for number, name in enumerate(SIGNS, 10)}
    told = shown(text, ids)
    pin = f"<:pin_1_pr1:{ids['pin_1']}>"
    assert f"• {pin} <:orange_diamond_pr1:{ids['orange_diamond']}> **E7**, hex 0202, ID3" in told
    assert f"• {pin} <:unidentified_pr1:{ids['unidentified']}> **E8**, hex 0202, unknown" in told
    assert f"• <:outsider_pr1:{ids['outsider']}> **E9**, Beasts of the Rim, hex 0303, ID1" in told
    assert "• ❶ **E7**, hex 0202, ID3" in shown(text, {}), "the words say the same"


def test_a_long_list_with_signs_is_cut_and_paged_as_it_is_read() -> None:
    counters = tuple(
        Counter(
            id=f"E{n}", hex="0303", owner="blue", label=f"E{n}", level=1, level_name="ID1", grade=1, details=("x" * 60,)
        )
        for n in range(60)
    )
    view = SideView(side="red", board=here_be_monsters().model_copy(update={"counters": counters}))
    card = forces_card("c", view)
    assert len(card.content) <= forces_pages.MOST_SENT + 40
    assert card.content.count("**E") > 14, "signs take little of a page"
    menu = card.rows[0][0]
    assert menu["type"] == "select"
    assert [(one["value"], one["label"][:14], one.get("sign")) for one in menu["options"][:3]] == [
        ("Contacts", "Contacts", ""),
        ("E0", "E0, hex 0303, ", "orange_diamond_unknown"),
        ("E1", "E1, hex 0303, ", "orange_diamond_unknown"),
    ]
    file = forces_message(view, "E1")
    assert "\ufff9" not in "".join(one.data.decode() for one in file.files)


# --- Cutler on Discord: standing orders typed and read back, odds and tables; each for its own race alone -------------
RACES = {"ann": "hydran", "leo": "lyran", "mia": "klingon"}
ORDERS = 'standing: orders "combat x1.5; counter 10; go on"\nF1: orders "bypass"; stop "turn 3"'


@pytest.fixture
async def cutler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FoughtServer]:
    """The introductory scenario, begun."""
    async with fought_server(tmp_path, monkeypatch, RACES) as made:
        campaign = await made.found("Crowns", scenario="cutler/intro")
        for name, side in {**RACES, "sam": "spectator"}.items():
            await made.slash(made.people[name], "campaign join", side=side, campaign=campaign)
        assert "has begun" in said(await made.slash(made.rita, "campaign start", campaign=campaign))
        yield made


async def sheets(here: FoughtServer) -> list[tuple[str, str]]:
    """The sides that are asked, and the tokens of their sheets."""
    async with here.store.read() as tx:
        found = await tx.connection.execute(sa.select(PromptRow).where(PromptRow.status == "open"))
        return [(row["side"], row["token"]) for row in found.mappings()]


async def test_orders_are_typed_and_read_back_to_their_own_race_alone(cutler: FoughtServer) -> None:
    services = cutler.bot.services.orders
    for side, token in await sheets(cutler):
        user = cutler.of(side).user.id
        if side == "hydran":
            refused = await services.filling.write(token, user, 'standing: orders "combt"')
            assert "combat" in str(refused.state.problems)
            answer = await services.filling.write(token, user, ORDERS)
            assert not answer.state.problems, answer.state.problems
        await services.readiness.say(token, user, is_ready=True)
    await cutler.bot.delivery.idle()
    await cutler.env.settle()
    mine = said(await cutler.slash(cutler.ann, "orders standing"))
    assert "All fleets without orders of their own: Its card is combat if we have at least 1 1/2" in mine
    assert "F1: Its card is bypass." in mine
    assert "The course of F1 ends at: turn 3." in mine
    for other in (cutler.leo, cutler.mia):
        assert "1 1/2" not in said(await cutler.slash(other, "orders standing"))


async def test_odds_and_tables_are_told(cutler: FoughtServer) -> None:
    told = said(await cutler.slash(cutler.ann, "odds", own="spies", target="20 IP"))
    has_words(told, "**67 %**, 1-4 on a die", "6.5.2")
    assert "no fleet of yours" in said(await cutler.slash(cutler.ann, "odds", own="F99", target="0404"))
    offered = [one["value"] for one in await cutler.ann.autocomplete(cutler.hall, "ledger", "which", "")]
    assert offered == ["ships", "forces", "stores", "planets", "contacts", "dice"]
    ships = await cutler.slash(cutler.ann, "ledger", which="ships")
    assert "**Ships and bases**" in said(ships)
    assert [file.filename for file in message_of(ships).attachments] == ["ships.csv"]
