"""Who may do what: every command, button and form, pressed by every kind of seat.

The seats: the side's own commander (ann, red), the other side's (leo, blue), the referee (rita), a referee who also
commands (rex, in a campaign of his own), a spectator (sam), a stranger (zoe), a member of another campaign (mia).
"""

from typing import Any

import pytest
from discord import app_commands

from bot.campaigns.permissions import REFEREE_MUST_NOT_PLAY, RIGHTS, Caller, SeatRole, require
from bot.errors import Sorry
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.expected.sections import section_rows

OWN, OTHER, REFEREE, WATCHER, STRANGER, ELSEWHERE = "ann", "leo", "rita", "sam", "zoe", "mia"
SEATS = (OWN, OTHER, REFEREE, WATCHER, STRANGER, ELSEWHERE)
COMMANDERS = {OWN, OTHER}
INSIDE = {OWN, OTHER, REFEREE, WATCHER}
ALL = set(SEATS)

REFUSALS = (
    "Only ", "You command no side", "This is not your side's sheet", "You command a side in this campaign",
    "There is no campaign of that name here",
)  # fmt: skip

WHO = {
    "all": ALL, "members": INSIDE, "commanders": COMMANDERS, "referee": {REFEREE}, "watcher": {WATCHER},
    "elsewhere": {ELSEWHERE},
}  # fmt: skip
COMMANDS: dict[str, tuple[set[str], bool, dict[str, Any]]] = {
    command: (set().union(*(WHO[one] for one in who.split(", "))), named == "the campaign", options)
    for command, who, named, options in section_rows("commands")
}
"""Each command: who may give it, whether a campaign is named, and with which options."""


def leaves(tree: app_commands.CommandTree[Any]) -> set[str]:
    """Every command that can be typed."""
    return {command.qualified_name for command in tree.walk_commands() if isinstance(command, app_commands.Command)}


def refused(text: str) -> bool:
    """Whether an answer says that the caller may not do this."""
    return text.startswith(REFUSALS)


@pytest.fixture
async def full(here: SimulatedServer) -> tuple[SimulatedServer, str]:
    """A campaign under way, and another one that mia commands a side of."""
    campaign = await here.begin()
    other = await here.found("Second Duel")
    await here.slash(here.mia, "campaign join", side="red", campaign=other)
    return here, campaign


def options_for(here: SimulatedServer, command: str, campaign: str) -> dict[str, Any]:
    """What a command is called with."""
    _, is_named, given = COMMANDS[command]
    options = {"campaign": campaign, **given} if is_named else dict(given)
    if command == "referee substitute":
        options |= {"leaving": here.leo.user, "arriving": here.abe.user}
    if command == "referee hand-ships":
        options |= {"captain": here.leo.user, "to": here.leo.user}
    if command in {"referee hand-over", "campaign name-referee"}:
        options |= {"to": here.zoe.user}
    return options


async def test_the_table_names_every_command(full: tuple[SimulatedServer, str]) -> None:
    here, _ = full
    assert set(COMMANDS) == leaves(here.bot.tree)


async def test_who_may_not_is_refused_and_nothing_changes(full: tuple[SimulatedServer, str]) -> None:
    here, campaign = full
    for command, (allowed, *_) in COMMANDS.items():
        for seat in SEATS:
            if seat in allowed or command in {"quiet hours", "quiet off"}:
                continue
            before = await here.fingerprint()
            result = await here.slash(here.people[seat], command, **options_for(here, command, campaign))
            assert result.ephemeral, (command, seat)
            assert refused(said(result)), (command, seat, said(result))
            assert await here.fingerprint() == before, (command, seat)


async def test_who_may_is_not_refused(full: tuple[SimulatedServer, str]) -> None:
    here, campaign = full
    for command, (allowed, *_) in COMMANDS.items():
        for seat in sorted(allowed):
            result = await here.slash(here.people[seat], command, **options_for(here, command, campaign))
            assert result.ephemeral or result.modal is not None, (command, seat)
            assert not refused(said(result)), (command, seat)


async def test_in_direct_messages_another_campaign_is_not_even_found(full: tuple[SimulatedServer, str]) -> None:
    here, campaign = full
    for command in COMMANDS:
        options = options_for(here, command, campaign)
        if "campaign" not in options:
            continue
        for seat in (STRANGER, ELSEWHERE):
            result = await here.dm_slash(here.people[seat], command, **options)
            assert "There is no campaign of that name here" in said(result), (command, seat, said(result))


PROMPT_BUTTONS = [
    ("line", "0", ["0.0"]), ("line", "0", ["page.1"]), ("ready", "1", None), ("accept", "", None),
    ("agree", "0" * 8, None), ("text", "", None), ("sheet", "", None), ("reset", "", None), ("pick", "0", None),
]  # fmt: skip


async def test_a_sheets_buttons_and_forms_are_for_its_own_side(full: tuple[SimulatedServer, str]) -> None:
    here, _ = full
    token = await here.token("red", "orders")
    notice = (await here.channel("public")).history()[0]
    for seat in (OTHER, REFEREE, WATCHER, STRANGER, ELSEWHERE):
        who = here.people[seat]
        before = await here.fingerprint()
        for verb, argument, values in PROMPT_BUTTONS:
            result = await here.forge(who, notice, f"p|{token}|{verb}|{argument}", values)
            assert result.ephemeral, (seat, verb)
            assert refused(said(result)), (seat, verb, said(result))
        for what, form in (("0.0", {"f0": "9"}), ("text", {"text": "fleet: number 9"})):
            result = await here.forge_modal(who, notice, f"m|{token}|{what}|aa", **form)
            assert refused(said(result)), (seat, what, said(result))
        assert await here.fingerprint() == before
    assert "Orders" not in notice.content


async def test_a_forged_press_on_a_public_message_lays_nothing_open(full: tuple[SimulatedServer, str]) -> None:
    here, campaign = full
    token = await here.token("red", "orders")
    notice = (await here.channel("public")).history()[0]
    for custom_id in (f"p|{token}|ready|1", f"c|{campaign}|log|0", "p|nosuchtoken|ready|1"):
        assert (await here.forge(here.ann, notice, custom_id)).ephemeral
    now = next(one for one in (await here.channel("public")).history() if one.id == notice.id)
    assert now.content == notice.content


async def test_a_campaigns_buttons_and_forms_follow_the_table(full: tuple[SimulatedServer, str]) -> None:
    here, campaign = full
    notice = (await here.channel("public")).history()[0]
    token = await here.token("red", "orders")
    wanted = {
        ("log", "0", None): COMMANDERS, ("open", "", (token,)): {OWN}, ("rewind", "1.0", None): {REFEREE},
        ("resolve", "999", None): {REFEREE}, ("edit", "nosuchtoken", None): {REFEREE},
    }  # fmt: skip
    for (verb, argument, values), allowed in wanted.items():
        for seat in SEATS:
            who = here.people[seat]
            result = await here.forge(who, notice, f"c|{campaign}|{verb}|{argument}", list(values) if values else None)
            assert refused(said(result)) == (seat not in allowed), (verb, seat, said(result))
    for seat in SEATS:
        if seat == REFEREE:
            continue
        before = await here.fingerprint()
        result = await here.forge_modal(here.people[seat], notice, f"n|{campaign}|rewind.1.0|aa", text="why")
        assert refused(said(result)), seat
        assert await here.fingerprint() == before


async def test_forged_ids_get_one_clear_answer_and_change_nothing(full: tuple[SimulatedServer, str]) -> None:
    here, campaign = full
    token = await here.token("red", "orders")
    mine = here.prompt(here.ann, "Orders for turn 1")
    before = await here.fingerprint()
    for custom_id, values in (
        ("nonsense", None),
        ("", None),
        ("p|||", None),
        (f"p|{token}", None),
        (f"p|{token}|explode|", None),
        (f"p|{token}|ready|2", None),
        (f"p|{token}|pick|0", None),
        (f"p|{token}|pick|-1", None),
        (f"p|{token}|line|0", ["9.0"]),
        (f"p|{token}|line|0", ["0.9"]),
        (f"p|{token}|line|0", ["٣.0"]),
        (f"p|{token}|line|0", ["page.x"]),
        (f"p|{token}|line|0", ["0.0", "0.1"]),
        (f"p|{token}|ready|1|more", None),
        (f"c|{campaign}|explode|", None),
        (f"c|{campaign}|rewind|x", None),
        ("c|nosuch|log|0", None),
        ("x|y|z|w", None),
    ):
        result = await here.forge(here.ann.user, mine, custom_id, values)
        assert result.acknowledged, custom_id
        assert "incident" not in said(result).casefold(), (custom_id, said(result))
    for custom_id in ("m|x|y", f"m|{token}|9.9|aa", f"m|{token}|text|aa", f"n|{campaign}|rewind.x.y|aa", "m|||"):
        result = await here.forge_modal(here.ann.user, mine, custom_id, f0="1")
        assert "incident" not in said(result).casefold(), (custom_id, said(result))
    assert await here.fingerprint() == before


async def test_forged_values_are_checked_again(full: tuple[SimulatedServer, str]) -> None:
    here, _ = full
    token = await here.token("red", "orders")
    mine = here.prompt(here.ann, "Orders for turn 1")
    forged = {"f0": "77", "f1": ["reckless"], "f2": ["E9"], "f4": "x" * 500, "f9": "unknown"}
    await here.forge_modal(here.ann.user, mine, f"m|{token}|0.0|aa", **forged)
    content = here.prompt(here.ann, "Orders for turn 1").content
    for problem in ("77 is out of range", "“reckless” is not one", "“E9” is not one", "has 500 characters"):
        assert problem in content
    # What was legal before still is; nothing of the forgery was saved.
    assert "reckless" not in str(await here.fingerprint())


async def test_a_referee_who_commands_a_side_sees_and_edits_nothing_more(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.rita, "campaign join", side="red", campaign=campaign)
    await here.slash(here.leo, "campaign join", side="blue", campaign=campaign)
    await here.slash(here.rita, "campaign start")
    before = await here.fingerprint()
    for command in (
        "referee omniscient",
        "referee export",
        "referee edit",
        "referee ruling",
        "referee disputes",
        "referee battle",
        "referee late",
    ):
        result = await here.slash(here.rita, command, **options_for(here, command, campaign))
        assert said(result).startswith("You command a side in this campaign"), (command, said(result))
    for command, option in (
        ("referee ruling", "battle"),
        ("referee battle", "battle"),
        ("referee edit", "path"),
        ("referee edit", "value"),
    ):
        typed = {"path": "ships.red"} if option == "value" else {}
        assert await here.rita.autocomplete(here.hall, command, option, "", **typed) == []
    assert await here.fingerprint() == before
    assert "Everything" not in said(await here.slash(here.rita, "map", text=True))


async def test_completions_offer_only_what_the_caller_holds(full: tuple[SimulatedServer, str]) -> None:
    here, campaign = full
    mine = await here.ann.autocomplete(here.hall, "orders show", "sheet", "")
    assert sorted(one["name"] for one in mine) == ["Missions", "Orders for turn 1"]
    theirs = await here.leo.autocomplete(here.hall, "orders show", "sheet", "")
    assert {one["value"] for one in mine} & {one["value"] for one in theirs} == set()
    for who in (here.zoe, here.sam, here.rita):
        assert await who.autocomplete(here.hall, "orders show", "sheet", "", campaign=campaign) == []
    assert await here.zoe.autocomplete(here.hall, "orders show", "campaign", "") == []
    own = await here.mia.autocomplete(here.hall, "orders show", "campaign", "")
    assert [one["name"] for one in own] == ["Second Duel"]
    for who in (here.ann, here.leo, here.sam, here.zoe):
        assert await who.autocomplete(here.hall, "referee ruling", "battle", "", campaign=campaign) == []
        assert await who.autocomplete(here.hall, "referee battle", "battle", "", campaign=campaign) == []
        assert await who.autocomplete(here.hall, "referee edit", "path", "", campaign=campaign) == []
        typed = {"campaign": campaign, "path": "ships.red"}
        assert await who.autocomplete(here.hall, "referee edit", "value", "", **typed) == []
    assert await here.rita.autocomplete(here.hall, "referee edit", "path", "", campaign=campaign) != []


@pytest.mark.parametrize("action", sorted(RIGHTS))
@pytest.mark.parametrize("role", list(SeatRole))
def test_the_table_itself_is_kept(action: str, role: SeatRole) -> None:
    standing = Caller(1, "c", frozenset({role}), "red" if role is SeatRole.COMMANDER else None)
    if role in RIGHTS[action]:
        require(standing, action)
    else:
        with pytest.raises(Sorry, match=f"denied-{action}"):
            require(standing, action)


@pytest.mark.parametrize("action", sorted(REFEREE_MUST_NOT_PLAY))
def test_a_playing_referee_may_not_until_the_end(action: str) -> None:
    standing = Caller(1, "c", frozenset({SeatRole.REFEREE, SeatRole.COMMANDER}), "red")
    with pytest.raises(Sorry, match=f"denied-{action}-playing"):
        require(standing, action)
    require(standing, action, ended=True)


def test_what_is_not_in_the_table_is_refused_to_everybody() -> None:
    with pytest.raises(Sorry):
        require(Caller(1, "c", frozenset(SeatRole), "red"), "unheard-of")
