"""Changes of seats and of the pace: whose consent each takes, and carrying it out."""

from collections.abc import Mapping

from bot.campaigns.directory import seat_in
from bot.campaigns.permissions import Caller, SeatRole
from bot.errors import Sorry
from bot.recording.briefings import brief, tell_of_letters
from bot.recording.prompts import move_prompts
from bot.recording.transition import write_transitions
from bot.records.campaign_settings import CampaignSettings, spoken
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.effects import Post
from bot.records.members import EVERYTHING
from bot.records.places import PUBLIC_PLACE
from bot.records.proposals import AnyChange, Crossing, HandOver, NewRules, Pace, Substitution, Succession, user_party
from bot.seats.chair import parties_to_hand_over, parties_to_succeed, seat_referee
from bot.seats.changing import SeatChange
from bot.seats.consent import parties_of_sides
from bot.seats.members import give_up_seat, take_seat
from bot.seats.new_rules import begin_turn_anew
from bot.store.transaction import Transaction

MOST_COMMANDERS = 8
SHORTEST_OF_A_PLAYER = 60
"""Minutes: no deadline of a campaign whose referee plays is shorter."""


async def parties_to(change: SeatChange, wanted: AnyChange, by: int) -> tuple[str, ...]:
    """Those who must agree before it may be done.

    Raises:
        Sorry: when it cannot be done at all.
    """
    match wanted:
        case Substitution():
            return await _to_substitute(change, wanted, by)
        case HandOver():
            return await parties_to_hand_over(change, wanted, by)
        case Succession():
            return await parties_to_succeed(change, wanted, by)
        case Crossing():
            return await _to_cross(change, wanted)
        case Pace(settings=settings):
            return await _to_pace(change, settings, by)
        case NewRules():
            return await _to_begin_anew(change)


async def carry_out(change: SeatChange, wanted: AnyChange, by: int, *, how: str) -> None:
    """Do it; ``how`` says by whose consent."""
    match wanted:
        case Substitution():
            await _substitute(change, wanted, how)
        case HandOver(to=to) | Succession(to=to):
            await seat_referee(change, to, how)
        case Crossing(user_id=user_id, name=name, side=side):
            await take_seat(change, user_id, name, side)
            change.text = f"{user_id} joins {side}{how}"
        case Pace(settings=settings):
            await _set_pace(change, settings, by)
        case NewRules(to=to):
            version = await begin_turn_anew(change.tx, change.campaign, to, now=change.now)
            change.text = f"the turn begins anew by version {version} of the rules{how}"


async def elsewhere(tx: Transaction, campaign: CampaignInfo, user_id: int, side: str) -> bool:
    """Whether somebody who would command ``side`` has sat elsewhere in the campaign, or watched it.

    Raises:
        Sorry: when they could look at everything, so that no consent helps.
    """
    past = {one.seat for one in await tx.members.past(campaign.id, user_id)}
    if EVERYTHING in past:
        raise Sorry("Who has refereed this campaign has seen too much to take a side in it.", code="seen-everything")
    return bool(past - {side})


# --- substitutes ------------------------------------------------------------------------------------------------------


async def _to_substitute(change: SeatChange, wanted: Substitution, by: int) -> tuple[str, ...]:
    if change.campaign.status is CampaignStatus.HALTED:
        raise Sorry("The campaign is halted; seats change when it goes on.", code="status-halted")
    campaign, leaver = await seat_in(change.tx, change.campaign.id, wanted.out_id)
    _, arriver = await seat_in(change.tx, campaign.id, wanted.in_id)
    if leaver.side is None:
        raise Sorry("That member commands no side here.", code="not-seated")
    if arriver.side is not None or SeatRole.SPECTATOR in arriver.roles:
        raise Sorry("That member belongs to this campaign already and may know too much.", code="seated")
    if change.under_way and wanted.in_id == campaign.referee_id:
        raise Sorry("The referee has seen too much to take a side now.", code="referee-seat")
    holder = () if wanted.out_id == by else (user_party(wanted.out_id),)
    if not await elsewhere(change.tx, campaign, wanted.in_id, leaver.side):
        return holder
    return (*holder, *parties_of_sides(await change.others_seated(leaver.side)))


async def _substitute(change: SeatChange, wanted: Substitution, how: str) -> None:
    _, leaver = await seat_in(change.tx, change.campaign.id, wanted.out_id)
    side = leaver.side
    if side is None:
        raise Sorry("That member commands no side here.", code="not-seated")
    await give_up_seat(change, wanted.out_id, side, heir=wanted.in_id)
    await take_seat(change, wanted.in_id, wanted.in_name, side)
    change.text = f"{wanted.in_id} commands {side} instead of {wanted.out_id}{how}"
    if change.recording is not None:
        await brief(change.recording, side, [wanted.in_id])
        await tell_of_letters(change.recording, side, wanted.in_id)
        await move_prompts(change.recording, side, wanted.out_id, wanted.in_id)


# --- crossing over ----------------------------------------------------------------------------------------------------


async def _to_cross(change: SeatChange, wanted: Crossing) -> tuple[str, ...]:
    _, caller = await seat_in(change.tx, change.campaign.id, wanted.user_id)
    await check_seat_is_free(change, caller, wanted.side)
    if not await elsewhere(change.tx, change.campaign, wanted.user_id, wanted.side):
        return ()
    return parties_of_sides(await change.others_seated(None))


async def check_seat_is_free(change: SeatChange, caller: Caller, side: str) -> None:
    """Whether a side has a seat for this person.

    Raises:
        Sorry: when it has none.
    """
    if caller.side is not None:
        raise Sorry("You command another side; leave it first with `/campaign leave`.", code="seated")
    taken = await change.tx.members.seated(change.campaign.id, side)
    if len(taken) >= MOST_COMMANDERS:
        raise Sorry(f"That side has {MOST_COMMANDERS} commanders already.", code="full")
    if not change.under_way:
        return
    if change.is_out(side):
        raise Sorry("That side is out of play, so it has no seat; you may watch as a spectator.", code="out-of-play")
    if taken:
        raise Sorry(
            "Play is under way and this seat is taken. The referee can bring you in with `/referee substitute`.",
            code="taken",
        )
    if SeatRole.REFEREE in caller.roles:
        raise Sorry("The referee has seen too much to take a side now.", code="referee-seat")


# --- new rules --------------------------------------------------------------------------------------------------------


async def _to_begin_anew(change: SeatChange) -> tuple[str, ...]:
    if change.campaign.status is not CampaignStatus.HALTED:
        raise Sorry("The campaign is not halted, so its turn goes on as it is.", code="status-running")
    return parties_of_sides(await change.others_seated(None))


# --- the pace ---------------------------------------------------------------------------------------------------------


async def _to_pace(change: SeatChange, settings: CampaignSettings, by: int) -> tuple[str, ...]:
    campaign, caller = await seat_in(change.tx, change.campaign.id, by)
    before = campaign.settings
    if settings.letters == "read" != before.letters and campaign.status is not CampaignStatus.GATHERING:
        raise Sorry(
            "Whether a referee reads the letters between sides is settled before play begins: people write them in "
            "confidence.",
            code="letters-read",
        )
    if not caller.plays_and_referees:
        return ()
    if changed := [name for name in TIMES if getattr(settings, name) != getattr(before, name)]:
        check_pace_of_a_player({name: getattr(settings, name) for name in changed})
    hurried = any(getattr(settings, name) < getattr(before, name) for name in TIMES)
    is_other_talk = settings.about_letters != before.about_letters
    tells_more = settings.early_close > before.early_close or settings.orders_at_once > before.orders_at_once
    is_tracked_otherwise = settings.about_tracker != before.about_tracker  # which may suit one in a battle to come
    if not hurried and not is_other_talk and not tells_more and not is_tracked_otherwise:
        return ()
    return parties_of_sides(await change.others_seated(caller.side))


TIMES = ("orders_minutes", "decision_minutes", "battle_minutes", "tactical_minutes", "battle_end_minutes")


def check_pace_of_a_player(minutes: Mapping[str, float]) -> None:
    """Whether deadlines are long enough for a campaign whose referee plays.

    Raises:
        Sorry: when one is not.
    """
    if any(value < SHORTEST_OF_A_PLAYER for value in minutes.values()):
        raise Sorry(
            f"Where the referee commands a side, no deadline is shorter than {spoken(SHORTEST_OF_A_PLAYER)}. Choose "
            "longer ones with `/campaign settings`, or let somebody who plays no side referee.",
            code="pace-of-a-player",
        )


async def _set_pace(change: SeatChange, settings: CampaignSettings, by: int) -> None:
    await change.tx.campaigns.set_settings(change.campaign.id, settings)
    recording = change.recording
    if recording is not None:
        remark = recording.adjudicator.remark("settings", _settings_said(settings), by=str(by), at=_stamp(change))
        await write_transitions(recording, [remark])
    before = change.campaign.settings
    told = settings.said(before)
    texts = [f"⏱️ From the next deadline on: {told}"] if told != before.said() else []
    texts += [f"✉️ {settings.letters_said()}"] if settings.about_letters != before.about_letters else []
    for text in texts:
        await change.tx.outbox.put(change.campaign.id, Post(place=PUBLIC_PLACE, content=text), now=change.now)


def _settings_said(settings: CampaignSettings) -> str:
    """The settings as the record has them; of letters only what is not usual."""
    is_usual = settings.about_letters == CampaignSettings().about_letters
    return settings.said() if is_usual else f"{settings.said()} {settings.letters_said()}"


def _stamp(change: SeatChange) -> str:
    return change.now.isoformat(timespec="milliseconds")
