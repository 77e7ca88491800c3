"""Whatever somebody in several campaigns is answered names the campaign that it is about in its first line."""

from collections.abc import Iterator
from typing import Any

from discord import app_commands
from simcord.results import InteractionResult

from bot.store.tables import BulletinRow, LetterRow, PromptRow
from tests.bot.direct.test_plain_messages import answered
from tests.bot.worlds.simulated_server import TITLE, SimulatedServer, said
from tests.message_words import words_of

OTHER = "Second Duel"
TURN = "Orders for turn 1"

ABOUT_NO_CAMPAIGN = {"campaign list", "quiet hours", "quiet cards", "quiet off"}
"""Commands that are about all of somebody's campaigns."""


SHEET = [
    ("ready", "1"),
    ("ready", "0"),
    ("ready", "7"),
    ("undo", "1"),
    ("reset", ""),
    ("reset", "00000000"),
    ("keep", ""),
    ("text", ""),
    ("sheet", ""),
    ("accept", ""),
    ("agree", "00000000"),
    ("pick", "0"),
    ("nonsense", ""),
]
CAMPAIGN = [
    ("log", "0"),
    ("why", "0"),
    ("file", "all"),
    ("forces", "0"),
    ("rewind", "1.1"),
    ("resolve", "none"),
    ("edit", "none"),
    ("give-back", "1"),
    ("brief", "rules"),
    ("brief", "whole"),
    ("desk", "more.none.1"),
    ("desk", "decide.none"),
    ("desk", "rule.none.0.none"),
    ("desk", "close"),
    ("desk", "sides"),
    ("desk", "log"),
    ("desk", "resume"),
    ("consent", "none"),
    ("object", "none"),
    ("nonsense", ""),
]
"""What buttons of a sheet and of a campaign say: what is offered, what is over, and what nobody was offered."""


async def two(here: SimulatedServer) -> str:
    """Two campaigns under way with the same people in them; gives the first."""
    campaign = await here.begin(TITLE)
    other = await here.found(OTHER)
    for who, side in ((here.ann, "red"), (here.leo, "blue"), (here.sam, "spectator")):
        await here.slash(who, "campaign join", side=side, campaign=other)
    await here.slash(here.rita, "campaign start", campaign=other)
    return campaign


def commands(tree: Any) -> Iterator[str]:
    """The names of all commands."""
    for one in tree.walk_commands():
        if not isinstance(one, app_commands.Group):
            yield one.qualified_name


def options_of(here: SimulatedServer) -> dict[str, list[dict[str, Any]]]:
    """What commands are given beside the campaign: what is carried out, and what is refused."""
    file = ("orders.txt", b"fleet: number 7")
    return {
        "campaign create": [],  # named by its founder
        "campaign join": [{"side": "red"}, {"side": "nowhere"}],
        "campaign settings": [{}, {"orders": "2h"}, {"orders": "1m"}],
        "orders show": [{"sheet": "none such"}, {}],
        "orders upload": [{"file": file, "sheet": TURN}, {"file": file}],
        "orders text": [{}],
        "ledger": [{"which": "none"}],
        "odds": [{"own": "x", "target": "y"}],
        "log": [{}, {"page": 3}],
        "forces": [{}, {"about": "ships"}, {"about": "nothing such"}],
        "map": [{}, {"area": "9999"}],
        "letter": [{"to": "blue", "text": "Good day."}, {"to": "nobody", "text": "x"}, {"to": "all"}],
        "letters": [{}, {"with": "nobody"}],
        "offer": [{"to": "blue", "terms": "Peace."}, {"to": "nobody", "terms": "x"}],
        "hand-on": [{"to": "blue", "area": "0201"}, {"to": "blue", "contact": "none"}, {"to": "blue"}],
        "rulings": [{}, {"search": "nothing such"}],
        "ships hand": [{"ships": "r1"}, {"ships": "none"}],
        "referee extend": [{"by": "1h"}, {"by": "never"}],
        "referee pause": [{}, {}],
        "referee resume": [{}, {}],
        "referee rewind": [{"to": "1"}, {"to": "99"}],
        "referee edit": [
            {"path": "points.red", "value": "3", "reason": "a slip"},
            {"path": "x", "value": "1", "reason": "y"},
        ],
        "referee ruling": [{"battle": "none", "reason": "so", "account_of": "red"}, {"battle": "x", "reason": "so"}],
        "referee substitute": [
            {"leaving": here.leo.user, "arriving": here.zoe.user},
            {"leaving": here.mia.user, "arriving": here.zoe.user},
        ],
        "referee hand-ships": [{"captain": here.ann.user}],
        "referee hand-over": [{"to": here.leo.user}],
    }


def first_lines(result: InteractionResult) -> list[str]:
    """How each answer begins; of a frame, which names it in its small print, all of it. An id that nobody was given is
    about nothing."""
    parts = [one for one in (result.response, *result.followups) if one is not None]
    lines = [one.content.split("\n")[0] or " ".join(words_of(one).split("\n")) for one in parts if words_of(one)]
    return [one for one in lines if "not something I offered" not in one]


async def test_every_command_names_it(here: SimulatedServer) -> None:
    campaign = await two(here)
    known = options_of(here)
    for name in sorted(set(commands(here.bot.tree)) - ABOUT_NO_CAMPAIGN, key=lambda one: one == "campaign leave"):
        for options in known.get(name, [{}]):
            for who in (here.rita, here.ann):  # whose it is, and who is refused
                result = await here.slash(who, name, campaign=campaign, **options)
                lines = first_lines(result)
                assert lines or result.modal is not None, (name, options)
                assert all(TITLE in line for line in lines), (name, options, lines)


async def test_every_press_names_it_carried_out_or_refused(here: SimulatedServer) -> None:
    """Of sheets, of the campaign, of bulletins and of what was typed; by whom it is meant for and by another side."""
    campaign = await two(here)
    await here.fill(here.ann, TURN, "0.0", f0="2", f1=["bold"])
    of_red = (PromptRow.campaign_id == campaign, PromptRow.side == "red", PromptRow.kind == "orders")
    (token,) = await here.rows(PromptRow.token, *of_red)
    sheet = [
        *[(verb, argument, None) for verb, argument in SHEET],
        *[("line", "0", [value]) for value in ("0.0", "9.9", "find", "page.0")],
    ]
    of_campaign = [
        *[(verb, argument, None) for verb, argument in CAMPAIGN],
        ("open", "", [token]),
        ("force", "", ["none"]),
        ("desk", "side", ["red"]),
        ("resolve", "", ["none"]),
    ]
    seen = 0
    for who in (here.ann, here.leo, here.rita):
        card = (await here.channel("public")).history()[-1]
        pressed = [(f"p|{token}|{verb}|{argument}", values) for verb, argument, values in sheet]
        pressed += [(f"c|{campaign}|{verb}|{argument}", values) for verb, argument, values in of_campaign]
        for custom_id, values in pressed:
            result = await here.forge(who, card, custom_id, values)
            lines = first_lines(result)
            seen += len(lines)
            assert all(TITLE in line for line in lines), (custom_id, values, lines)
        for custom_id in (f"m|{token}|text|ab", f"m|{token}|0.0|ab", f"n|{campaign}|rewind.1.1|ab"):
            result = await here.forge_modal(who, card, custom_id, text="number 3", f0="3")
            assert all(TITLE in line for line in first_lines(result)), (custom_id, first_lines(result))
    assert seen > 60
    await here.slash(here.rita, "referee resume", campaign=campaign)
    await here.slash(here.ann, "offer", to="blue", terms="Peace.", campaign=campaign)
    (letter,) = await here.rows(LetterRow.token, LetterRow.campaign_id == campaign)
    for who in (here.ann, here.leo, here.rita):
        verbs = ("read", "reply", "accept", "withdraw", "notice", "decline")
        for custom_id in (
            *(f"l|{letter}|{verb}|" for verb in verbs),
            f"l|{campaign}|page|0.",
            f"l|{campaign}|page|0.x",
        ):
            result = await here.forge(who, card, custom_id)
            assert all(TITLE in line for line in first_lines(result)), (custom_id, first_lines(result))
    await here.slash(here.rita, "referee resume", campaign=campaign)
    await here.slash(here.rita, "referee resolve-now", campaign=campaign)
    for who in (here.ann, here.leo):
        for row in await here.rows(BulletinRow.token, BulletinRow.campaign_id == campaign):
            for verb, argument in (
                ("log", "0"),
                ("why", "0"),
                ("why", "99"),
                ("fact", "0"),
                ("file", "all"),
                ("x", ""),
            ):
                result = await here.forge(who.user, here.dms(who)[-1], f"b|{row}|{verb}|{argument}")
                assert all(TITLE in line for line in first_lines(result)), (verb, argument, first_lines(result))


async def test_what_is_written_is_answered_with_the_name_whatever_it_is(here: SimulatedServer) -> None:
    campaign = await two(here)
    card = here.prompt(here.ann, TURN)  # of the second
    reference = {"channel_id": str(card.channel.id), "message_id": str(card.id)}
    for text in ("number 2; stance bold", "fleet: number 7", "fleet: nummber 3", "whatever", "1" * 1_900):
        answer = await answered(here, here.ann, text, reference=reference)
        assert OTHER in answer.content.split("\n")[0], (text, answer.content)
    await here.slash(here.rita, "referee resolve-now", campaign=campaign)
    await here.slash(here.rita, "referee pause", campaign=campaign)
    for text in ("next", "whatever"):
        lines = (await answered(here, here.ann, text)).content.split("\n")
        named = lines[-1] if lines[0].startswith("## ") else lines[0]  # a frame has it in its small print
        assert TITLE in named or OTHER in named, (text, lines)


async def test_what_is_about_several_campaigns_has_no_name_in_front(here: SimulatedServer) -> None:
    await two(here)
    assert first_lines(await here.slash(here.ann, "help")) == ["You are in several campaigns:"]
    assert first_lines(await here.slash(here.ann, "quiet off")) == ["Reminders may come at any hour."]
    assert (await answered(here, here.ann, "status")).content.startswith("You are in several campaigns:\n")


async def test_a_stranger_who_guesses_an_id_learns_no_name(here: SimulatedServer) -> None:
    campaign = await here.begin()
    token = await here.token("red", "orders")
    card = (await here.channel("public")).history()[-1]
    for custom_id in (f"p|{token}|ready|1", f"c|{campaign}|log|0", f"c|{campaign}|consent|x"):
        result = await here.forge(here.zoe, card, custom_id)
        assert said(result)
        assert TITLE not in "".join(first_lines(result)), custom_id
