"""How things stand, in words: for everybody, and for one person."""

from collections.abc import Sequence

from bot.campaigns.permissions import Caller, SeatRole
from bot.cards.sentences import leading
from bot.cards.sheets import sheet_lines
from bot.records.campaigns import IN_PLAY, CampaignInfo, CampaignStatus
from bot.referee.awaited import Awaited
from bot.services import Services

_STATUS = {
    CampaignStatus.GATHERING: "gathering players",
    CampaignStatus.RUNNING: "under way",
    CampaignStatus.PAUSED: "paused; the clock stands still",
    CampaignStatus.HALTED: "halted until its referee has mended it",
    CampaignStatus.ENDED: "over",
}


def _stands(campaign: CampaignInfo) -> str:
    return "cancelled before it began" if campaign.never_began else _STATUS[campaign.status]


async def status_text(services: Services, campaign: CampaignInfo) -> str:
    """What everybody may know. No deadline: it would tell when only one side has something to decide."""
    seats = await services.seats.seats.by_side(campaign)
    lines = [f"**{campaign.title}** (`{campaign.id}`), {campaign.rulebook}: {_stands(campaign)}."]
    heading = await services.queries.views.heading(campaign)
    if heading:
        lines.append(heading)
    out = await services.queries.views.out_of_play(campaign)
    for key, name in campaign.side_names.items():
        people = ", ".join(f"<@{user}>" for user in seats.get(key, []))
        if key in out:
            lines.append(f"• {name}, out of play: {people or 'nobody'}")
        else:
            lines.append(f"• {name}: {people or 'nobody yet'}")
    lines.append(f"• Referee: <@{campaign.referee_id}>")
    return "\n".join(lines)


async def help_text(services: Services, user_id: int, campaign: CampaignInfo | None) -> str:
    """What the reader can do next, from where they stand."""
    if campaign is None:
        return (
            "You are in no campaign here yet.\n"
            "• `/campaign list` shows what is going on, `/campaign join` takes a seat.\n"
            "• `/campaign create` founds a campaign and makes you its referee.\n"
            "• `/rulings` shows how unclear rules are read."
        )
    _, caller = await services.campaigns.seat(campaign.id, user_id)
    lines = [f"**{campaign.title}** is {_stands(campaign)}."]
    if campaign.never_began:
        return lines[0]
    if caller.side is not None:
        lines.append(f"You command **{campaign.side_names[caller.side]}**.")
        lines += await _commander(services, campaign, user_id, caller.side)
    elif SeatRole.SPECTATOR in caller.roles:
        lines.append("You watch. `/map` shows what is public.")
    elif SeatRole.STRANGER in caller.roles:
        lines.append("You have no seat in it. `/campaign join` takes one.")
    if SeatRole.REFEREE in caller.roles:
        lines += await _referee(services, campaign, caller)
    return "\n".join(lines)


async def several_text(services: Services, user_id: int, guild_id: int | None, *, commands: bool = False) -> str:
    """What waits for the reader in each of several campaigns, and (``commands``) what they may ask for there."""
    mine = [one for one in await services.campaigns.of_user(user_id) if guild_id in (None, one.guild_id)]
    lines = ["You are in several campaigns:"]
    for campaign in [one for one in mine if one.status is not CampaignStatus.ENDED] or mine:
        lines.append(f"**{campaign.title}** is {_stands(campaign)}.")
        _, caller = await services.campaigns.seat(campaign.id, user_id)
        if caller.side is not None and campaign.status in IN_PLAY:
            prompts = await services.orders.prompts.open_prompts(campaign.id, user_id)
            is_out = caller.side in await services.queries.views.out_of_play(campaign)
            nothing = OUT_OF_PLAY if is_out else "nothing is asked of you now"
            lines += sheet_lines([prompt.listed for prompt in prompts]) or [f"• {nothing}"]
    lines.append("In a campaign's own channels commands mean that one; elsewhere name it with the `campaign` option.")
    if commands and any(one.status in IN_PLAY for one in mine):
        lines += _COMMANDS
    return "\n".join(lines)


OUT_OF_PLAY = "Your side is out of play; you may watch."


_COMMANDS = (
    "• Simply write to me in direct messages what your forces shall do: I say how I understand it, **Save** keeps it.",
    "• `/orders show` opens your sheets, `/orders upload` takes one as a file, `/orders ready` says you are done.",
    "• `/map`, `/forces` and `/log` show what your side knows; `/battle` takes your account of a battle.",
    "• `/letter` writes to another side, `/hand-on` tells it what you know, `/diplomacy` shows what is agreed.",
    "• `/quiet hours` keeps reminders away while you sleep; `/quiet cards` has your cards in your side's channel.",
)
"""What a commander may ask for."""


async def _commander(services: Services, campaign: CampaignInfo, user_id: int, side: str) -> list[str]:
    if campaign.status is CampaignStatus.GATHERING:
        return ["Play begins when the referee says so; you will get a direct message."]
    if campaign.status is CampaignStatus.HALTED:
        return ["Nothing is asked of you until then. Nothing is lost: what you saved stands, and the clock waits."]
    if campaign.status not in IN_PLAY:
        return ["`/log` shows what your side was told, `/map` and `/forces` how it stands."]
    prompts = await services.orders.prompts.open_prompts(campaign.id, user_id)
    if side in await services.queries.views.out_of_play(campaign):
        return [
            f"{OUT_OF_PLAY} Nothing more is asked of you, and nobody waits for you.",
            "• `/map` and `/log` show what your side knew, and what is public since.",
            "• `/campaign leave` gives your seat up; nobody has to take it.",
        ]
    if not prompts:
        waiting = "Nothing is asked of you now; what comes next comes by itself."
    else:
        waiting = "Open now:\n" + "\n".join(sheet_lines([prompt.listed for prompt in prompts]))
    return [waiting, *_COMMANDS]


async def _referee(services: Services, campaign: CampaignInfo, caller: Caller) -> list[str]:
    lines = ["You are the referee."]
    if campaign.status is CampaignStatus.GATHERING:
        seats = await services.seats.seats.by_side(campaign)
        empty = [name for key, name in campaign.side_names.items() if not seats.get(key)]
        if empty:
            lines.append(f"• Nobody commands {', '.join(empty)} yet; they come by `/campaign join`.")
        else:
            lines.append("• Every seat is taken: `/campaign start` begins.")
        lines.append("• `/campaign settings` sets the deadlines; `/campaign cancel` gives the campaign up.")
        return lines
    if campaign.status in {CampaignStatus.PAUSED, CampaignStatus.HALTED}:
        lines.append("• `/referee resume` starts the clock again.")
    lines += [
        "• `/referee pause`, `extend` and `resolve-now` mind the clock; `/referee rewind` goes back.",
        "• `/referee substitute` brings in another commander, `/referee hand-over` another referee.",
    ]
    if caller.plays_and_referees:
        lines.append("• You also command a side, so you cannot see or change the whole record, or rule on battles.")
    else:
        lines += [
            "• `/referee late` says whom play waits for; `/referee edit` corrects the record.",
            "• `/referee disputes`, `battle` and `ruling` list, show and settle battles that wait.",
            "• `/referee omniscient` shows everything; `/referee export` gives you the verifiable record.",
        ]
    return lines


def awaited_text(awaited: Sequence[Awaited]) -> str:
    """Whom play waits for, for a referee who may know it."""
    if not awaited:
        return "Nothing is open, so nobody is awaited."
    return "\n".join(line for part in awaited for line in _awaited_lines(part))


def _awaited_lines(awaited: Awaited) -> list[str]:
    lines = [f"**{awaited.title}**"] if awaited.title else []
    if not awaited.sides:
        lines.append("Nobody is awaited: every side that is asked something is done.")
    else:
        lines.append("Awaited:")
        for side in awaited.sides:
            people = ", ".join(f"<@{user}>" for user in side.commanders) or "nobody commands it"
            lines.append(f"• **{side.name}** ({people})")
            lines += [f"-# {leading(title, missing)}" for title, missing in side.sheets]
    lines.append(f"The sheets were opened <t:{int(awaited.since.timestamp())}:R>.")
    if awaited.until is not None:
        moment = int(awaited.until.timestamp())
        reminded = "Who is late has been reminded." if awaited.reminded else "Who is late will be reminded."
        lines.append(
            f"Their deadline falls <t:{moment}:F>, <t:{moment}:R>. {reminded if awaited.sides else ''}".strip()
        )
    elif awaited.left is not None:
        lines.append(f"The clock stands still with {awaited.left.total_seconds() / 3600:.1f} hours left.")
    return lines
