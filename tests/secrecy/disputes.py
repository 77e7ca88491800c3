"""Accounts of a battle in two worlds: who sends which before the watcher has sent one, and what is only filled in.

It knows no rulebook. Accounts are numbered: 0 is the one that all agree on in the end, each other one differs from it.
"""

import contextlib
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

from bot.campaigns.scenarios import InstalledScenarios
from bot.recording.drafts import complete, with_values
from bot.settings import BUILT_IN
from rules_engine.core.basics import base, canonical_json, refusals
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.seats import NamesSides
from rules_engine.core.running.adjudicator import Adjudicator
from tests.e2e.story import STORIES
from tests.message_words import pressable
from tests.rulebooks.players import random_answer
from tests.secrecy import curious, worlds

MOST_TRIES = 60
MOST_SEEDS = 60
MOST_RESTS = 14
PRESSES = 24
AT = "2026-01-01T00:00:00.000+00:00"
FORGED = ("make|0.0-00000000", "agree|00000000", "stand|00000000", "referee|00000000", "page|1", "short|0")
"""What somebody might press who was shown none of it."""


def account(adjudicator: Any, ask: AnyAsk, number: int, seed: int) -> base.Json:
    """An account of a battle, by its number.

    Raises:
        AssertionError: when none is found that differs.
    """
    side = ask.parties[0]
    agreed = random_answer(adjudicator, side, ask, Random(f"{seed}/{ask.title}"))
    assert ask.agree is not None
    other = next(force[0] for force in ask.forces if side not in force)
    found = 0
    for at in range(MOST_TRIES if number else 0):
        tried = random_answer(adjudicator, side, ask, Random(f"{seed}/{ask.title}/{at}"))
        both = {side: ask.answer_from(agreed), other: ask.answer_from(tried)}
        found += bool(ask.agree(both).differences)
        if found == number:
            return tried
    assert not number, f"no account differs from that of {ask.title}"
    return agreed


class Dispute:
    """One battle of a world, as its parties account for it. ``club`` is the server on which that is."""

    def __init__(self, club: Any, ask: AnyAsk) -> None:
        self._club = club
        self._world: worlds.World = club.world
        self._ask = ask
        self._parties = {who: side for who, side in club.seated.items() if side in ask.parties}
        self._watcher = next(iter(club.seated))

    async def play(self) -> None:
        """From the posted sheet to the agreed account."""
        parties, watcher, world = self._parties, self._watcher, self._world
        others = [who for who in parties if who != watcher]
        for who in others:
            for number in world.accounts.get(parties[who], ()):
                await self._fill(who, abs(number), send=number >= 0)
        if world.quarrel:
            for who in others:
                await self._say_beside(who)
        await self._watch("others have sent accounts", whole=True)
        speakers = {self._ask.force_of(side)[0]: who for who, side in reversed(parties.items())}
        if watcher in parties:
            mine = self._ask.force_of(parties[watcher])
            speakers[mine[0]] = watcher
            for who in [who for who in speakers.values() if who != watcher]:
                await self._fill(who, 0)
            await self._fill(watcher, 1)
            for who in others:
                if (number := world.drafts.get(parties[who])) is not None:
                    await self._fill(who, number, send=False)
            await self._watch("accounts differ")
        for who in speakers.values():
            await self._fill(who, 0)

    async def _watch(self, when: str, *, whole: bool = False) -> None:
        """The watcher looks at everything, and tries what is on no card; ``whole`` in all commands, too."""
        club = self._club
        club.look(when)
        if whole:
            await club.queries(whole=True)
        prompt = await self._prompt(self._watcher)
        if prompt is None:
            return
        for message in club.cards_of(prompt.token):
            await curious.Curious(club, self._watcher).explore(message, most=PRESSES)
            at, actor = club.handle(message), club.actor(self._watcher, message)
            for verb in FORGED:
                result = await club.forge(actor, at, f"p|{prompt.token}|{verb}")
                club.note(f"forges {verb}", club.eyes[self._watcher].answer(result))
            back = await club.forge(actor, at, f"p|{prompt.token}|card|")
            club.note("opens it again", club.eyes[self._watcher].answer(back))

    async def _prompt(self, who: str) -> Any:
        found = await self._club.bot.services.orders.prompts.open_prompts(
            self._club.campaign, self._club.people[who].id
        )
        return next((one for one in found if one.ask.id == self._ask.id), None)

    async def _fill(self, who: str, number: int, *, send: bool = True) -> None:
        club, user = self._club, self._club.people[who].id
        orders = club.bot.services.orders
        with club.env._bot_scope():
            prompt = await self._prompt(who)
            if prompt is None:
                return
            document = account(await club.referee(), prompt.ask, number, self._world.seed)
            club.record.hidden.append(f"{self._parties[who]} battle {canonical_json.digest(document)}")
            said = prompt.ask.sheet_of(prompt.ask.answer_from(document))
            sheet = {  # what it does not say is empty, whatever stood there
                line.key: {field.key: said.get(line.key, {}).get(field.key) for field in line.fields}
                for line in prompt.ask.form.lines
            }
            await orders.filling.fill(prompt.token, user, sheet)
        await club.env.settle()  # else the two changes of a card come as one or not, as the host has time
        with club.env._bot_scope():
            if send:
                await orders.accounts.hand_in(prompt.token, user)
        await club.env.settle()

    async def _say_beside(self, who: str) -> None:
        """Somebody whose account differs takes a part of another's over, stands by theirs, and asks the referee."""
        club = self._club
        prompt = await self._prompt(who)
        cards = [] if prompt is None else club.cards_of(prompt.token, who)
        for verb in ("stand", "referee", "make"):
            for stored in cards:
                ids = [one["custom_id"] for one in pressable(stored) if not one.get("disabled")]
                found = next((one for one in ids if one.split("|")[2] == verb), None)
                if found is not None:
                    club.record.hidden.append(f"{self._parties[who]} presses {verb}")
                    await club.forge(club.actor(who, stored), club.handle(stored), found)


# --- where there is a battle ------------------------------------------------------------------------------------------
def as_told(orders: Mapping[tuple[str, str], str]) -> worlds.Policy:
    """Type these orders, by kind of sheet and side, where they are legal; say aloud what else is filled in."""

    def policy(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
        text = orders.get((ask.kind, side))
        if text is None:
            return worlds.as_filled_in(adjudicator, side, ask, chance)
        sheet = complete(ask, with_values(ask, None, read_sheet(ask.form, text)))
        adjudicator.try_answer(side, ask.id, sheet)
        return sheet

    return policy


LEADS: Mapping[str, worlds.Policy] = {story.scenario: as_told(story.orders) for story in STORIES.values()}
"""What leads into a battle soon, by scenario; in others it comes or not by what all do at random."""


@cache
def battle_in(scenario: str, *, fights: bool) -> worlds.World | None:
    """A world of a scenario in which a battle is soon played by hand; the first side ``fights`` in it, or is elsewhere.
    None where there is no such one."""
    book, document = InstalledScenarios(BUILT_IN).read(scenario)
    if isinstance(book, NamesSides) and book.seats(document) is not None:
        return None  # how many play is chosen when it is founded
    policy = LEADS.get(scenario, worlds.as_it_comes)
    for seed in range(1, MOST_SEEDS):
        adjudicator, _ = Adjudicator.open(book, title="Twin", scenario=document, seed=bytes([seed]) * 32, at=AT)
        sides = tuple(label.key for label in adjudicator.sides)
        with contextlib.suppress(refusals.Refused):  # with these dice the orders cannot be given
            battle = _first_battle(adjudicator, policy, seed)
            if battle is not None and (fights or set(battle.parties) < set(sides)):
                order = tuple(sorted(sides, key=lambda side: (side in battle.parties) != fights))
                policies = dict.fromkeys(sides, policy)
                return worlds.World(scenario, order, adjudicator.turn, seed, policies, until=battle.kind)
    return None


def _first_battle(adjudicator: Any, policy: worlds.Policy, seed: int) -> AnyAsk | None:
    for _ in range(MOST_RESTS):
        asks = adjudicator.open_asks()
        if shared := [ask for ask in asks if ask.is_shared]:
            return shared[0]
        if adjudicator.ending is not None:
            return None
        for ask in [ask for ask in asks if ask.awaited]:
            for side in ask.parties:
                answer = policy(adjudicator, side, ask, Random(f"{seed}/{side}/{ask.kind}/{ask.title}"))
                adjudicator.answer(side, ask.id, answer, by=side, at=AT)
        for strand in adjudicator.strands():
            adjudicator.close("deadline", by="clock", at=AT, strand=strand)
    return None
