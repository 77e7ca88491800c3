"""Taking and leaving seats: of a side, of a spectator, and the referee's; at once, or once those it touches agree."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from bot.campaigns.directory import seat_in
from bot.campaigns.permissions import SeatRole, require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, Stale, there_is
from bot.recording.commit import judged_again
from bot.records.campaign_settings import CampaignSettings, Setting
from bot.records.campaigns import IN_PLAY, CampaignInfo, CampaignStatus
from bot.records.effects import Post
from bot.records.places import PUBLIC_PLACE, SPECTATOR, side_place
from bot.records.proposals import (
    ABSENCE,
    AnyChange,
    Crossing,
    HandOver,
    NewRules,
    Pace,
    Proposal,
    Substitution,
    Succession,
    user_party,
)
from bot.seats.carrying_out import carry_out, check_seat_is_free, parties_to
from bot.seats.chair import check_successor, seat_referee
from bot.seats.changing import SeatChange, changing_seats
from bot.seats.consent import ask_consent, said, waits_for, whom
from bot.seats.members import give_up_seat, take_seat
from bot.seats.new_rules import turn_began_at
from bot.seats.retitling import name_campaigns_in_cards


class AboutPeople(TypedDict, total=False):
    """What :func:`changing_seats` is told of a server's people."""

    away: frozenset[int]
    owner: int | None


@dataclass(frozen=True)
class ChairOffer:
    """The referee's chair as it was offered: whose consent it waits for, and the proposal; with none, it has passed."""

    waits: str
    proposal: Proposal | None = None


SETTLED = "This is settled, or has waited too long; nothing more is asked of you."


class Seats:
    """Who plays what. What takes consent gives the names of those it waits for, else nothing."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def by_side(self, campaign: CampaignInfo) -> dict[str, list[int]]:
        """Who sits where, by side; spectators are not listed."""
        async with self._runtime.store.read() as tx:
            return await tx.members.by_side(campaign.id)

    # --- one's own seat ----------------------------------------------------------------------------------------------

    @judged_again
    async def join(
        self, campaign_id: str, *, user_id: int, name: str, side: str, interaction_id: int | None = None
    ) -> tuple[str, str]:
        """Take a seat; returns the side's printed name, and whose consent it waits for."""
        async with changing_seats(self._runtime, campaign_id, user_id, interaction_id) as change:
            campaign, caller = await seat_in(change.tx, campaign_id, user_id)
            key = _side_key(campaign, side)
            require(caller, "spectate" if key == SPECTATOR else "join")
            if campaign.status is CampaignStatus.ENDED:
                raise Sorry("This campaign is over.", code="ended")
            if caller.side == key or (key == SPECTATOR and SeatRole.SPECTATOR in caller.roles):
                raise Sorry("You sit there already.", code="seated")
            if key == SPECTATOR:
                if caller.side is not None:
                    raise Sorry("You command another side; leave it first with `/campaign leave`.", code="seated")
                await take_seat(change, user_id, name, key)
                change.text = f"{user_id} watches"
                return "spectators", ""
            await check_seat_is_free(change, caller, key)
            if change.under_way and SeatRole.SPECTATOR in caller.roles:
                raise Sorry("You have watched this campaign, so you cannot command a side of it.", code="watched")
            waits = await self._done_or_asked(change, Crossing(user_id=user_id, name=name, side=key), user_id)
        await self._name_cards(campaign, user_id)
        return campaign.side_names[key], waits

    @judged_again
    async def leave(self, campaign_id: str, *, user_id: int, interaction_id: int | None = None) -> None:
        """Give up a seat. Once play runs a side in play may not be left without a commander."""
        async with changing_seats(self._runtime, campaign_id, user_id, interaction_id) as change:
            _, caller = await seat_in(change.tx, campaign_id, user_id)
            require(caller, "leave")
            key = caller.side or SPECTATOR
            if key != SPECTATOR and change.under_way and not change.is_out(key):
                others = [one for one in await change.tx.members.seated(campaign_id, key) if one != user_id]
                if not others:
                    raise Sorry(
                        "Play is under way and you are your side's only commander. Ask the referee to bring in a "
                        "substitute first (`/referee substitute`).",
                        code="last-commander",
                    )
            await give_up_seat(change, user_id, key)
            change.text = f"{user_id} leaves {key}"

    # --- what the referee changes ------------------------------------------------------------------------------------

    @judged_again
    async def substitute(
        self, campaign_id: str, *, by: int, out_id: int, in_id: int, in_name: str, interaction_id: int | None = None
    ) -> tuple[str, str]:
        """Hand a commander's seat to somebody else, with rights, channels and open prompts, once who holds it agrees or
        has been away; returns the side's printed name, and whose consent it waits for."""
        async with changing_seats(self._runtime, campaign_id, by, interaction_id) as change:
            campaign, caller = await seat_in(change.tx, campaign_id, by)
            require(caller, "substitute")
            _, leaver = await seat_in(change.tx, campaign_id, out_id)
            wanted = Substitution(out_id=out_id, in_id=in_id, in_name=in_name)
            waits = await self._done_or_asked(change, wanted, by)
        await self._name_cards(campaign, in_id)
        return campaign.side_names.get(leaver.side or "", ""), waits

    @judged_again
    async def hand_over(self, campaign_id: str, *, by: int, to: int, interaction_id: int | None = None) -> ChairOffer:
        """Offer the referee's chair to somebody on the server who commands no side, and must accept it."""
        known, caller = await self._runtime.directory.seat(campaign_id, by)
        require(caller, "hand-over")
        away = await self._away(known, to)
        async with changing_seats(self._runtime, campaign_id, by, interaction_id, away=away) as change:
            _, caller = await seat_in(change.tx, campaign_id, by)
            require(caller, "hand-over")
            return await self._asked_or_done(change, HandOver(to=to), by)

    @judged_again
    async def name_referee(
        self, campaign_id: str, *, by: int, to: int, interaction_id: int | None = None
    ) -> ChairOffer:
        """Name another referee in the place of one who is gone or silent: a commander with all other sides, or the
        server's owner; whoever is named must accept it."""
        known, caller = await self._runtime.directory.seat(campaign_id, by)
        owner = None if self._runtime.people is None else self._runtime.people.owner(known.guild_id)
        if by != owner:
            require(caller, "name-referee")
        away = await self._away(known, to, known.referee_id)
        async with changing_seats(self._runtime, campaign_id, by, interaction_id, away=away, owner=owner) as change:
            _, caller = await seat_in(change.tx, campaign_id, by)
            if by != owner:
                require(caller, "name-referee")
            return await self._asked_or_done(change, Succession(to=to, of=known.referee_id), by)

    async def seat_referee(self, campaign_id: str, to: int) -> CampaignInfo:
        """Make somebody the referee at once, by the host's word; gives the campaign as it was."""
        async with changing_seats(self._runtime, campaign_id, to) as change:
            await check_successor(change, to, to)
            await seat_referee(change, to, ", by the host's word")
            return change.campaign

    @judged_again
    async def take_back(
        self, campaign_id: str, *, by: int, token: str | None = None, interaction_id: int | None = None
    ) -> str:
        """Take back the offer of the referee's chair that one has made, as long as it is not accepted. Returns what to
        tell."""
        async with changing_seats(self._runtime, campaign_id, by, interaction_id) as change:
            await seat_in(change.tx, campaign_id, by)
            offered = [
                one
                for one in await change.tx.proposals.of(campaign_id)
                if isinstance(one.change, HandOver | Succession) and one.made_by == by and token in (None, one.token)
            ]
            if not offered:
                raise Sorry("You have offered the referee's chair to nobody, or it is settled already.", code="stale")
            for one in offered:
                await change.tx.proposals.drop(one.token)
                text = f"<@{by}> takes back what was asked: {said(one.change, change.campaign)}"
                await change.tx.outbox.put(campaign_id, Post(place=PUBLIC_PLACE, content=text), now=change.now)
        return "It is taken back; the referee stays who it is."

    @judged_again
    async def change_settings(
        self, campaign_id: str, by: int, changes: Mapping[str, Setting], interaction_id: int | None = None
    ) -> tuple[CampaignSettings, str]:
        """Change how long things may take, from the next deadline on; returns what is to hold, and whose consent it
        waits for.

        Nothing is written or told where it holds already, as when somebody who got no answer asks again.
        """
        statuses = {CampaignStatus.GATHERING, *IN_PLAY}
        known = await self._runtime.directory.permitted(campaign_id, by, "settings", statuses)
        if known.settings.changed(changes) == known.settings:
            return known.settings, ""
        async with changing_seats(self._runtime, campaign_id, by, interaction_id) as change:
            settings = change.campaign.settings.changed(changes)
            return settings, await self._done_or_asked(change, Pace(settings=settings), by)

    async def ask_to_begin_anew(self, campaign_id: str) -> None:
        """Ask all sides of a campaign that was just halted whether its turn is to begin anew by the rules that there
        are now; nothing where these cannot go on from there."""
        campaign = await self._runtime.directory.info(campaign_id)
        with contextlib.suppress(Sorry):
            async with changing_seats(self._runtime, campaign_id, campaign.referee_id) as change:
                wanted = NewRules(to=await turn_began_at(change.tx, campaign_id))
                await self._done_or_asked(change, wanted, campaign.referee_id)

    # --- consent -----------------------------------------------------------------------------------------------------

    @judged_again
    async def agree(self, campaign_id: str, token: str, *, user_id: int, interaction_id: int | None = None) -> str:
        """Consent to a change that waits; it is done with the last consent. Returns what to tell."""
        about = await self._about_people(campaign_id, token)
        async with changing_seats(self._runtime, campaign_id, user_id, interaction_id, **about) as change:
            proposal, party = await self._asked(change, token, user_id)
            await change.tx.proposals.agreed(proposal, party)
            names = change.campaign.side_names
            missing = [one for one in _missing(change, proposal) if one != party]
            if missing:
                return f"You agree. It still takes the consent of {whom(missing, names)}."
            await change.tx.proposals.drop(token)
            needed = await parties_to(change, proposal.change, proposal.made_by)  # whether it can still be done
            if not set(needed) <= set(proposal.parties):
                raise Sorry("Who must agree has changed since this was asked; it has to be asked again.", code="stale")
            how = f", with the consent of {', '.join(proposal.parties)}"
            await carry_out(change, proposal.change, proposal.made_by, how=how)
        if isinstance(proposal.change, Crossing | Substitution):
            newcomer = proposal.change.user_id if isinstance(proposal.change, Crossing) else proposal.change.in_id
            await self._name_cards(change.campaign, newcomer)
        return f"You agree, and it is done. {said(proposal.change, change.campaign)}"

    @judged_again
    async def object(self, campaign_id: str, token: str, *, user_id: int, interaction_id: int | None = None) -> str:
        """Refuse a change that waits: it is void. Returns what to tell."""
        async with changing_seats(self._runtime, campaign_id, user_id, interaction_id) as change:
            proposal, _ = await self._asked(change, token, user_id, objects=True)
            await change.tx.proposals.drop(token)
            wanted = proposal.change
            if isinstance(wanted, Succession) and user_id == wanted.of:
                await change.tx.installation.heard_referee(campaign_id, change.now)
                change.text = f"{user_id}, the referee, is there"
            asked = said(proposal.change, change.campaign)
            text = f"<@{user_id}> does not agree, so everything stays as it is. What was asked: {asked}"
            await change.tx.outbox.put(campaign_id, Post(place=PUBLIC_PLACE, content=text), now=change.now)
        return "You do not agree, so nothing changes."

    async def _name_cards(self, campaign: CampaignInfo, user_id: int) -> None:
        """Have somebody's cards in another campaign name it, if they command sides in two that are under way now."""
        if campaign.status in IN_PLAY:
            await name_campaigns_in_cards(self._runtime, campaign.id, [user_id])

    async def _away(self, campaign: CampaignInfo, *users: int) -> frozenset[int]:
        """Those of these users who are not on the campaign's server. Raises Sorry when Discord does not say."""
        people = self._runtime.people
        if people is None:
            return frozenset()
        try:
            there = await people.members(campaign.guild_id, [*users])
        except TimeoutError:
            there = None
        if there is None:
            raise Sorry("Discord does not say who is on this campaign's server; try again soon.", code="no-members")
        return frozenset(user for user in users if user not in there)

    async def _about_people(self, campaign_id: str, token: str) -> AboutPeople:
        """What must be known of the server's people before a change that waits can be carried out."""
        async with self._runtime.store.read() as tx:
            proposal = await tx.proposals.find(campaign_id, token)
        wanted = None if proposal is None else proposal.change
        if not isinstance(wanted, HandOver | Succession):
            return {}
        campaign = await self._runtime.directory.info(campaign_id)
        users = (wanted.to, wanted.of) if isinstance(wanted, Succession) else (wanted.to,)
        people = self._runtime.people
        owner = None if people is None else people.owner(campaign.guild_id)
        return {"away": await self._away(campaign, *users), "owner": owner}

    async def _asked_or_done(self, change: SeatChange, wanted: AnyChange, by: int) -> ChairOffer:
        """Do it where nobody's consent is missing, else ask for it."""
        waits = await self._done_or_asked(change, wanted, by)
        open_ones = await change.tx.proposals.of(change.campaign.id)
        return ChairOffer(waits, next((one for one in open_ones if one.is_for(wanted)), None) if waits else None)

    async def _asked(
        self, change: SeatChange, token: str, user_id: int, *, objects: bool = False
    ) -> tuple[Proposal, str]:
        """A change that waits, and the party that this person answers for."""
        _, caller = await seat_in(change.tx, change.campaign.id, user_id)
        proposal = await change.tx.proposals.find(change.campaign.id, token)
        asked_by_referee = proposal is not None and not isinstance(proposal.change, Crossing | Succession)
        if (
            proposal is None
            or proposal.has_lapsed(change.now)
            or (asked_by_referee and proposal.made_by != change.campaign.referee_id)
        ):
            raise Stale(SETTLED)
        party = waits_for(proposal, user_id, caller.side)
        if objects and isinstance(proposal.change, Succession) and user_id == proposal.change.of:
            party = user_party(user_id)  # whom it would replace is heard first
        if party is None:
            raise Sorry("You are not asked for this, or have agreed already.", code="denied-consent")
        return proposal, party

    async def _done_or_asked(self, change: SeatChange, wanted: AnyChange, by: int) -> str:
        """Do it where nobody's consent is missing, else ask for it; gives whom it waits for."""
        parties = await parties_to(change, wanted, by)
        open_ones = await change.tx.proposals.of(change.campaign.id)
        asked = next((one for one in open_ones if one.is_for(wanted) and not one.has_lapsed(change.now)), None)
        how = ""
        if asked is not None and parties and set(parties) <= set(asked.agreed):  # the others are out of play by now
            parties, how = (), f", with the consent of {', '.join(asked.agreed)}"
        if asked is not None and isinstance(wanted, Substitution):
            holder = user_party(wanted.out_id)
            if holder in asked.missing and change.now - asked.made_at >= ABSENCE:
                if await change.tx.journal.has_sent_since(change.campaign.id, wanted.out_id, asked.made_at):
                    asked = None  # not away: asked once more
                elif _missing(change, asked) == [holder]:
                    parties, how = (), f", after {int(ABSENCE.total_seconds() // 3600)} hours of absence"
        names = change.campaign.side_names
        if not parties:
            if asked is not None:
                await change.tx.proposals.drop(asked.token)
            await carry_out(change, wanted, by, how=how)
            return ""
        if asked is None:
            asked = await ask_consent(change, by, wanted, parties)
        return whom(_missing(change, asked), names)


def _missing(change: SeatChange, proposal: Proposal) -> list[str]:
    """Those who must still agree: not the sides that have gone out of play since they were asked."""
    out = {side_place(side) for side in change.campaign.side_names if change.is_out(side)}
    return [party for party in proposal.missing if party not in out]


def _side_key(campaign: CampaignInfo, wanted: str) -> str:
    """The key of the side that somebody means, or :data:`SPECTATOR`. Raises Sorry when there is no such seat."""
    words = {key.casefold(): key for key in campaign.side_names}
    words |= {name.casefold(): key for key, name in campaign.side_names.items()}
    words |= {"spectator": SPECTATOR, SPECTATOR: SPECTATOR}
    key = words.get(wanted.casefold().strip())
    if key is None:
        options = [*campaign.side_names.values(), "spectator"]
        raise Sorry(f"There is no such seat. {there_is(wanted, options)}", code="unknown-side")
    return key
