"""Seats that change hands: with whose consent, after what absence, and what those who left never see again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.store.tables import MemberRow, OutboxRow, ProposalRow
from bot.verification.export_file import VerifyError
from bot.verification.verify import verify
from rules_engine.core.records.journal import JournalEntry, Seated
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.expected.kept import cases
from tests.message_words import pressable

ASKS = "asks for your consent"
OFFERS = "asks you to be its referee"
HOUR = 3600.0


async def begin_playing(here: SimulatedServer, **options: Any) -> str:
    """A campaign whose referee, rita, commands red; leo commands blue."""
    campaign = await here.found(**options)
    await here.slash(here.rita, "campaign join", side="red", campaign=campaign)
    await here.slash(here.leo, "campaign join", side="blue", campaign=campaign)
    assert "has begun" in said(await here.slash(here.rita, "campaign start", campaign=campaign))
    return campaign


async def answer(here: SimulatedServer, who: Any, label: str = "Agree") -> str:
    """Press a button of the last question of consent that somebody was asked."""
    return said(await who.user.click(here.prompt(who, ASKS), label=label))


async def seats(here: SimulatedServer) -> dict[int, str]:
    """Who sits where."""
    users = await here.rows(MemberRow.user_id, MemberRow.user_id > 0)
    return {user: (await here.rows(MemberRow.side, MemberRow.user_id == user))[0] for user in users}


async def entries(here: SimulatedServer) -> list[JournalEntry]:
    """The journal of the only campaign."""
    (campaign,) = await here.bot.services.campaigns.in_server(here.guild.id)
    async with here.store.read() as tx:
        return await tx.journal.entries(campaign.id)


# --- substitutes ------------------------------------------------------------------------------------------------------
async def test_a_seat_changes_hands_when_who_holds_it_agrees_and_everybody_is_told(game: SimulatedServer) -> None:
    asked = said(await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.zoe.user))
    assert asked.startswith(f"It waits for the consent of <@{game.leo.user.id}>. If")
    assert "72 hours" in asked
    assert (await seats(game))[game.leo.user.id] == "blue"
    assert game.zoe.user.id not in await seats(game)
    public = await game.texts("public")
    assert f"<@{game.zoe.user.id}> is to take the seat of <@{game.leo.user.id}>." in public
    found = await answer(game, game.leo)
    assert found == (f"You agree, and it is done. <@{game.zoe.user.id}> is to take the seat of <@{game.leo.user.id}>.")
    assert (await seats(game))[game.zoe.user.id] == "blue"
    assert game.leo.user.id not in await seats(game)
    assert f"<@{game.zoe.user.id}> joins and commands Blue Fleet." in await game.texts("public")
    assert "Orders for turn 1" in game.prompt(game.zoe, "Orders for turn 1").content
    last = (await entries(game))[-1].body
    assert isinstance(last, Seated)
    assert last.commanders["blue"] == (str(game.zoe.user.id),)
    assert last.text.endswith(f"with the consent of user:{game.leo.user.id}")


async def test_a_seat_stays_with_who_does_not_agree(game: SimulatedServer) -> None:
    await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.zoe.user)
    question = game.prompt(game.leo, ASKS)
    assert await answer(game, game.leo, "Do not agree") == "You do not agree, so nothing changes."
    assert (await seats(game))[game.leo.user.id] == "blue"
    assert f"<@{game.leo.user.id}> does not agree" in await game.texts("public")
    agreeing = next(one["custom_id"] for one in pressable(question) if one.get("label") == "Agree")
    assert said(await game.forge(game.leo.user, game.dms(game.leo)[-1], agreeing)).startswith("This is settled")
    assert (await seats(game))[game.leo.user.id] == "blue"


async def test_nobody_agrees_for_another(game: SimulatedServer) -> None:
    await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.zoe.user)
    (token,) = await game.rows(ProposalRow.token, ProposalRow.campaign_id == game.campaign)
    notice = (await game.channel("public")).history()[0]
    for who in (game.rita, game.ann, game.sam, game.zoe):
        for verb in ("consent", "object"):
            result = await game.forge(who, notice, f"c|{game.campaign}|{verb}|{token}")
            assert said(result) == "You are not asked for this, or have agreed already.", who
    assert (await seats(game))[game.leo.user.id] == "blue"
    assert await game.rows(ProposalRow.token, ProposalRow.campaign_id == game.campaign) == [token]


async def test_who_is_away_for_a_stated_time_is_replaced_and_who_sends_orders_is_not_away(game: SimulatedServer):
    people: dict[str, Any] = {"leaving": game.leo.user, "arriving": game.zoe.user}
    await game.slash(game.rita, "campaign settings", campaign=game.campaign, orders="50d")
    await game.slash(game.rita, "referee extend", by="20d")
    await game.slash(game.rita, "referee substitute", **people)
    await game.later(71 * HOUR)
    assert "It waits" in said(await game.slash(game.rita, "referee substitute", **people))
    await game.fill(game.leo, "Orders for turn 1", "0.0", f0="7")
    await game.later(2 * HOUR)
    assert "It waits" in said(await game.slash(game.rita, "referee substitute", **people)), "leo has sent orders"
    assert (await seats(game))[game.leo.user.id] == "blue"
    await game.later(71 * HOUR)
    assert "It waits" in said(await game.slash(game.rita, "referee substitute", **people)), "asked anew"
    await game.later(HOUR)
    done = said(await game.slash(game.rita, "referee substitute", **people))
    assert done == f"{game.zoe.user.mention} commands Blue Fleet now, instead of {game.leo.user.mention}."
    last = (await entries(game))[-1].body
    assert isinstance(last, Seated)
    assert last.text.endswith("after 72 hours of absence")


async def test_what_was_asked_is_void_when_more_must_agree_or_another_referees(game: SimulatedServer) -> None:
    await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.zoe.user)
    await game.slash(game.zoe, "campaign join", side="spectator", campaign=game.campaign)
    await game.slash(game.zoe, "campaign leave", campaign=game.campaign)  # who watched joins only if red agrees too
    assert (await answer(game, game.leo)).startswith("Who must agree has changed")
    assert (await seats(game))[game.leo.user.id] == "blue"
    await game.hand_over(game.rita, game.mia)
    assert (await answer(game, game.leo)).startswith("This is settled")
    assert (await seats(game))[game.leo.user.id] == "blue"


async def test_asking_twice_asks_once(game: SimulatedServer) -> None:
    for _ in range(2):
        await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.zoe.user)
    assert sum(ASKS in one.content for one in game.dms(game.leo)) == 1


# --- who has seen everything ------------------------------------------------------------------------------------------
async def test_a_referee_who_could_look_takes_no_seat_however_they_try(here: SimulatedServer) -> None:
    campaign = await here.begin()
    rita = {"leaving": here.leo.user, "arriving": here.rita.user}

    async def refused(who: Any, command: str, **options: Any) -> None:
        before = await seats(here)
        text = said(await here.slash(who, command, campaign=campaign, **options))
        assert "too much" in text or "this seat is taken" in text, text
        assert await seats(here) == before

    await refused(here.rita, "referee substitute", **rita)
    await here.slash(here.rita, "referee pause")
    await refused(here.rita, "referee substitute", **rita)
    await refused(here.rita, "campaign join", side="blue")
    await here.hand_over(here.rita, here.mia)
    await refused(here.mia, "referee substitute", **rita)
    await here.slash(here.mia, "referee resume")
    await refused(here.mia, "referee substitute", **rita)
    await refused(here.rita, "campaign join", side="blue")


async def test_a_playing_referee_hands_the_chair_over_with_the_others_consent(here: SimulatedServer) -> None:
    await begin_playing(here)
    waits = said(await here.slash(here.rita, "referee hand-over", to=here.zoe.user))
    assert waits == f"It waits for the consent of Blue Fleet, <@{here.zoe.user.id}>. Until then you can take it back."
    assert said(await here.slash(here.zoe, "referee omniscient")).startswith(("Only", "You are in no campaign"))
    assert "who could then see everything" in here.prompt(here.leo, ASKS).content
    await answer(here, here.leo)
    await here.zoe.user.click(here.prompt(here.zoe, OFFERS), label="Accept")
    assert not said(await here.slash(here.zoe, "referee disputes")).startswith("Only")
    (text,) = [body.text for body in (one.body for one in await entries(here)) if isinstance(body, Seated)][1:]
    assert text.endswith(f"with the consent of side:blue, user:{here.zoe.user.id}")


async def test_a_playing_referee_who_leaves_the_side_looks_at_nothing(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.seat(campaign, rita="red", ann="red", leo="blue")
    await here.slash(here.rita, "campaign start", campaign=campaign)
    assert "You have left" in said(await here.slash(here.rita, "campaign leave"))
    for command in ("referee omniscient", "referee export", "referee disputes"):
        result = said(await here.slash(here.rita, command, campaign=campaign))
        assert result.startswith("You have commanded a side in this campaign"), (command, result)
    assert "It waits" in said(await here.slash(here.rita, "referee hand-over", to=here.zoe.user))


# --- deadlines --------------------------------------------------------------------------------------------------------
async def test_a_playing_referee_shortens_deadlines_with_the_others_consent_and_never_below_an_hour(
    here: SimulatedServer,
) -> None:
    campaign = await begin_playing(here)
    settings: Callable[[], Any] = lambda: here.bot.services.campaigns.info(campaign)  # noqa: E731

    too_short = said(await here.slash(here.rita, "campaign settings", campaign=campaign, orders="59m"))
    assert "no deadline is shorter than 1 hour" in too_short
    assert not any(ASKS in one.content for one in here.dms(here.leo))
    longer = said(await here.slash(here.rita, "campaign settings", campaign=campaign, orders="2d"))
    assert longer.startswith("From the next deadline on."), "longer deadlines harm nobody"
    shorter = said(await here.slash(here.rita, "campaign settings", campaign=campaign, orders="1h"))
    assert shorter.startswith("It waits for the consent of Blue Fleet; then, from the next deadline on.")
    assert (await settings()).settings.orders_minutes == 2 * 24 * 60
    await answer(here, here.leo)
    assert (await settings()).settings.orders_minutes == 60
    assert "From the next deadline on: Orders: 1 hour." in await here.texts("public")


async def test_a_playing_referee_cannot_turn_early_closing_on_alone(here: SimulatedServer) -> None:
    campaign = await begin_playing(here, early=False)
    result = said(await here.slash(here.rita, "campaign settings", campaign=campaign, early=True))
    assert result.startswith("It waits for the consent of Blue Fleet")


async def test_a_playing_referee_cannot_let_orders_answer_at_once_alone(here: SimulatedServer) -> None:
    campaign = await begin_playing(here, at_once=False)
    result = said(await here.slash(here.rita, "campaign settings", campaign=campaign, at_once=True))
    assert result.startswith("It waits for the consent of Blue Fleet")
    assert "Standing orders take the time of an answer." not in await here.texts("public")


@cases("options, told", "")
async def test_a_playing_referee_cannot_have_battles_tracked_otherwise_alone(
    here: SimulatedServer, options: dict[str, Any], told: str
) -> None:
    campaign = await begin_playing(here)
    result = said(await here.slash(here.rita, "campaign settings", campaign=campaign, **options))
    assert result.startswith("It waits for the consent of Blue Fleet"), "the tracker may suit one side of a battle"
    assert told in here.prompt(here.leo, ASKS).content


async def test_play_does_not_begin_at_a_playing_referees_pace_of_seconds(here: SimulatedServer) -> None:
    campaign = await here.found(orders="1m")
    await here.slash(here.rita, "campaign join", side="red", campaign=campaign)
    await here.slash(here.leo, "campaign join", side="blue", campaign=campaign)
    result = said(await here.slash(here.rita, "campaign start", campaign=campaign))
    assert result.startswith("Where the referee commands a side, no deadline is shorter than 1 hour.")
    assert await here.journal() == []


# --- crossing over ----------------------------------------------------------------------------------------------------
async def test_who_planned_with_a_side_joins_another_only_if_all_agree(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.abe, "campaign leave")
    text = said(await here.slash(here.abe, "campaign join", side="blue", campaign=campaign))
    assert "waits for the consent of Red Fleet, Blue Fleet." in text
    assert here.abe.user.id not in await seats(here)
    await answer(here, here.leo)
    assert here.abe.user.id not in await seats(here), "red has not agreed"
    await answer(here, here.ann)
    assert (await seats(here))[here.abe.user.id] == "blue"


async def test_who_sat_alone_before_play_changes_sides_freely(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.ann, "campaign join", side="red", campaign=campaign)
    await here.slash(here.ann, "campaign leave")
    await here.slash(here.ann, "campaign join", side="blue", campaign=campaign)
    assert (await seats(here))[here.ann.user.id] == "blue"


@pytest.mark.parametrize("was", ["red", "spectator"])
async def test_a_former_commander_or_spectator_is_seated_elsewhere_only_if_the_table_agrees(
    here: SimulatedServer, was: str
) -> None:
    campaign = await here.found()
    await here.seat(campaign, ann="red", leo="blue", abe=was)
    await here.slash(here.rita, "campaign start", campaign=campaign)
    await here.slash(here.abe, "campaign leave")
    await here.slash(here.rita, "referee substitute", leaving=here.leo.user, arriving=here.abe.user)
    await answer(here, here.leo)
    assert here.abe.user.id not in await seats(here)
    await answer(here, here.ann)
    assert (await seats(here))[here.abe.user.id] == "blue"


async def test_a_former_commander_comes_back_to_the_same_side_without_the_others(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.rita, "campaign start", campaign=campaign)
    await here.slash(here.abe, "campaign leave")
    text = said(await here.slash(here.rita, "referee substitute", leaving=here.ann.user, arriving=here.abe.user))
    assert text.startswith(f"It waits for the consent of <@{here.ann.user.id}>. If")


# --- channels and threads ---------------------------------------------------------------------------------------------
async def to_battle(here: SimulatedServer) -> Any:
    """Play the toy up to its battle; gives the battle's thread."""
    await here.begin()
    for who, number in ((here.ann, "7"), (here.leo, "7")):
        await here.fill(who, "Orders for turn 1", "0.0", f0=number)
    await here.resolve_now()
    (key,) = await here.rows(OutboxRow.about, OutboxRow.kind == "thread")
    return await here.channel(f"battle:{key}")


async def members_of(here: SimulatedServer, thread: Any) -> set[int]:
    """Who sees a thread, beside the bot."""
    return {int(one) for one in here.env.backend.get_channel(thread.id).thread_members} & {
        who.user.id for who in here.people.values()
    }


async def test_the_battles_thread_goes_with_the_seat(here: SimulatedServer) -> None:
    thread = await to_battle(here)
    assert await members_of(here, thread) == {here.ann.user.id, here.leo.user.id}
    await here.slash(here.rita, "referee substitute", leaving=here.leo.user, arriving=here.zoe.user)
    await answer(here, here.leo)
    assert await members_of(here, thread) == {here.ann.user.id, here.zoe.user.id}


# --- the record -------------------------------------------------------------------------------------------------------
async def test_joins_leaves_hand_overs_and_substitutions_are_in_the_journal_and_verify(
    game: SimulatedServer, tmp_path: Path
) -> None:
    await game.slash(game.zoe, "campaign join", side="spectator", campaign=game.campaign)
    await game.slash(game.zoe, "campaign leave", campaign=game.campaign)
    await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.abe.user)
    await answer(game, game.leo)
    await game.fill(game.abe, "Orders for turn 1", "0.0", f0="7")
    await game.hand_over(game.rita, game.mia)
    ids = {name: who.user.id for name, who in game.people.items()}
    lines = verify(await entries(game)).seats
    assert [line.split(". Now ")[0].split(": ", 1)[1] for line in lines] == [
        "play begins",
        f"{ids['zoe']} watches",
        f"{ids['zoe']} leaves @spectator",
        f"{ids['abe']} commands blue instead of {ids['leo']}, with the consent of user:{ids['leo']}",
        f"{ids['mia']} is the referee instead of {ids['rita']}, with the consent of user:{ids['mia']}",
    ]
    assert lines[-1].endswith(f"Now blue: {ids['abe']}; red: {ids['ann']}; referee: {ids['mia']}")


async def test_a_record_in_which_somebody_acts_for_a_side_not_theirs_does_not_hold(game: SimulatedServer) -> None:
    await game.fill(game.leo, "Orders for turn 1", "0.0", f0="7")
    told = await entries(game)
    verify(told)
    (campaign,) = await game.bot.services.campaigns.in_server(game.guild.id)
    async with game.store.read() as tx:
        source = await tx.campaigns.source(campaign.id)
    from rules_engine.core.records.journal import write_entry

    swapped = {**told[1].body.model_dump(), "commanders": {"red": (str(game.leo.user.id),), "blue": ("1",)}}
    forged, _ = write_entry(told[0], Seated.model_validate(swapped), at=told[1].at, seed=source.seed)
    after, _ = write_entry(forged, told[2].body, at=told[2].at, seed=source.seed)
    with pytest.raises(VerifyError, match=f"entry 3: {game.leo.user.id} did not command blue then"):
        verify([told[0], forged, after])


async def test_what_is_under_way_to_somebody_who_left_is_not_delivered(game: SimulatedServer) -> None:
    """A card that waits while its reader hands the seat over never reaches them."""
    before = len(game.dms(game.leo))
    await game.slash(game.rita, "referee substitute", leaving=game.leo.user, arriving=game.zoe.user)
    await answer(game, game.leo)
    (campaign,) = await game.bot.services.campaigns.in_server(game.guild.id)
    from bot.records.effects import Post

    late = Post(dm=game.leo.user.id, content="Orders, secret", fallback="side:blue")
    async with game.store.write() as tx:
        await tx.outbox.put(campaign.id, late, now=game.now())
    await game.bot.delivery.idle()
    assert not any("secret" in one.content for one in game.dms(game.leo)[before:])
    assert "secret" not in await game.texts("side:blue")
