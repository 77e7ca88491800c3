"""Captains' ships: who of a side's commanders has which, and handing them to another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaigns.directory import seat_in
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.cards.prompts.standing import mentions
from bot.errors import Sorry, there_is
from bot.recording.commit import judged_again
from bot.recording.prompts import refresh_as_it_stands
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaigns import IN_PLAY, CampaignInfo
from bot.records.captains import ShipsShared, Team, team_of
from bot.records.effects import Post
from bot.records.places import side_place
from bot.seats.changing import SeatChange, changing_seats
from bot.store.transaction import Transaction
from rules_engine.core.knowledge.rosters import OwnShip

ALL = "all"
"""Stands for all ships that somebody may hand on."""
MOST_NAMED = 12
"""Ships and forces that a message names; of more it gives the number of ships."""


@dataclass(frozen=True)
class SharedShips:
    """A side's ships as a commander of it sees them: whose each is, and who still has to confirm what is open."""

    commanders: tuple[int, ...]
    team: Team
    missing: frozenset[int]

    def free_for(self, user_id: int) -> tuple[OwnShip, ...]:
        """The ships that somebody may hand on: their own, and those of no captain."""
        return tuple(ship for ship in self.team.roster if self.team.captains.get(ship.id) in (user_id, None))


class CaptainsShips:
    """Shows who has which ships, and hands them on."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def shared(self, campaign_id: str, user_id: int) -> SharedShips:
        """The caller's side's ships."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "ships", IN_PLAY)
        async with holding(runtime, campaign.id) as adjudicator, runtime.store.read() as tx:
            _, caller = await seat_in(tx, campaign.id, user_id)
            return await _shared(tx, campaign, adjudicator, caller.side or "")

    @judged_again
    async def hand(
        self, campaign_id: str, *, by: int, words: str, to: int | None, interaction_id: int | None = None
    ) -> str:
        """Hand ships of one's own, or of no captain, to another commander of the side, or (None) to nobody; returns
        what was done.

        Raises:
            Sorry: when there is no such ship, or it is another captain's.
        """
        async with changing_seats(self._runtime, campaign_id, by, interaction_id) as change:
            _, caller = await seat_in(change.tx, campaign_id, by)
            require(caller, "ships")
            side = caller.side or ""
            shared = await _shared_in(change, side)
            _check_receiver(shared, to)
            ships = _named(shared, by, words)
            await change.tx.captains.hand(campaign_id, side, [ship.id for ship in ships], to)
            if to is None:
                text = f"{_listed(shared, ships)} {_be(ships)} everybody's, for any commander of the side to order"
            else:
                text = f"{_listed(shared, ships)} {_be(ships)} <@{to}>'s now, by <@{by}>'s hand"
            await _changed_hands(change, side, by, text)
            change.text = f"{by} hands {', '.join(ship.id for ship in ships)} to {to or 'nobody'}"
        return text

    @judged_again
    async def hand_all(
        self, campaign_id: str, *, by: int, out_id: int, to: int | None, interaction_id: int | None = None
    ) -> str:
        """Hand all ships of a captain who is away to another commander of that side, or (None) to nobody: the
        referee's word, who is told no names."""
        async with changing_seats(self._runtime, campaign_id, by, interaction_id) as change:
            _, caller = await seat_in(change.tx, campaign_id, by)
            require(caller, "hand-ships")
            _, leaver = await seat_in(change.tx, campaign_id, out_id)
            if leaver.side is None:
                raise Sorry("That member commands no side here.", code="not-seated")
            shared = await _shared_in(change, leaver.side)
            _check_receiver(shared, to)
            if not await change.tx.captains.hand_all(campaign_id, out_id, to):
                raise Sorry(f"<@{out_id}> has no ships of their own.", code="no-ships")
            text = f"<@{out_id}>'s ships are {f'<@{to}>' if to else 'everybody'}'s now, by the referee's word"
            await _changed_hands(change, leaver.side, by, text)
            change.text = f"{by} hands all ships of {out_id} to {to or 'nobody'}"
        return text


async def pass_on(change: SeatChange, out_id: int, side: str, to: int | None) -> None:
    """Let who takes somebody's seat have their ships; with None they are everybody's again."""
    if await change.tx.captains.hand_all(change.campaign.id, out_id, to) and change.recording is not None:
        await _confirmed_anew(change.recording, side, out_id)


async def _shared_in(change: SeatChange, side: str) -> SharedShips:
    if change.adjudicator is None:
        raise Sorry("Ships have captains only while the campaign is played.", code="not-in-play")
    return await _shared(change.tx, change.campaign, change.adjudicator, side)


async def _shared(tx: Transaction, campaign: CampaignInfo, adjudicator: AnyAdjudicator, side: str) -> SharedShips:
    kept = await tx.captains.of(campaign.id, side) or ShipsShared()
    asks = [ask for ask in adjudicator.asks_for(side) if ask.awaited and not ask.is_shared]
    roster = adjudicator.roster(side)
    teams = [
        team_of(kept, roster, strand, [ask.form for ask in asks if ask.strand == strand])
        for strand in {ask.strand for ask in asks}
        if not adjudicator.is_ready(side, strand)
    ]
    return SharedShips(
        commanders=tuple(await tx.members.seated(campaign.id, side)),
        team=team_of(kept, roster, "", ()),
        missing=frozenset(one for team in teams for one in team.missing),
    )


def _check_receiver(shared: SharedShips, to: int | None) -> None:
    if to is not None and to not in shared.commanders:
        raise Sorry(f"Ships stay with their side; its commanders are {mentions(shared.commanders)}.", code="not-seated")


def _named(shared: SharedShips, by: int, words: str) -> list[OwnShip]:
    """The ships that are meant, by their own ids or those of their forces."""
    free = {ship.id: ship for ship in shared.free_for(by)}
    if words.strip().casefold() == ALL and free:
        return list(free.values())
    meant: dict[str, OwnShip] = {}
    for word in filter(None, re.split(r"[,;\s]+", words)):
        key = word.casefold()
        found = [ship for ship in shared.team.roster if key in (ship.id.casefold(), ship.force.casefold())]
        if not found:
            known = dict.fromkeys([*(ship.force for ship in free.values() if ship.force), *free])
            raise Sorry(f"Your side has no ship or force “{word[:40]}”. {there_is(word, known)}", code="unknown-ship")
        taken = {shared.team.captains[ship.id] for ship in found if ship.id not in free}
        if taken:
            raise Sorry(f"{word[:40]} is {mentions(taken)}'s, who alone may hand it on.", code="not-your-ships")
        meant |= {ship.id: ship for ship in found}
    if not meant:
        raise Sorry("Say which ships, by ship or by force, such as in the completion.", code="which-ships")
    return list(meant.values())


def _listed(shared: SharedShips, ships: Sequence[OwnShip]) -> str:
    names = shared.team.called(ships)
    return f"{len(ships)} ships" if len(names) > MOST_NAMED else ", ".join(names)


def _be(ships: Sequence[OwnShip]) -> str:
    return "is" if len(ships) == 1 else "are"


async def _changed_hands(change: SeatChange, side: str, by: int, text: str) -> None:
    """Tell the side, and let its captains look once more at what is open."""
    recording = change.recording
    assert recording is not None
    await recording.put(Post(place=side_place(side), content=f"⚓ {text}. What is open is confirmed anew."))
    await _confirmed_anew(recording, side, by)


async def _confirmed_anew(recording: Recording, side: str, by: int) -> None:
    """Take back what a side's captains have confirmed: the ships on its sheets have changed hands."""
    adjudicator = recording.adjudicator
    asks = {ask.id: ask for ask in adjudicator.asks_for(side)}
    strands = sorted({ask.strand for ask in asks.values()})
    await recording.tx.captains.forget_confirmed(recording.campaign.id, [(side, strand) for strand in strands])
    at = recording.now.isoformat(timespec="milliseconds")
    taken_back = [
        adjudicator.ready(side, is_ready=False, by=str(by), at=at, strand=strand)
        for strand in strands
        if adjudicator.is_ready(side, strand)
    ]
    await write_transitions(recording, taken_back)
    for prompt in await recording.tx.prompts.open_of(recording.campaign.id, side):
        if prompt.ask_id in asks:
            await refresh_as_it_stands(recording, prompt, asks[prompt.ask_id], await recording.closes(prompt.strand))
