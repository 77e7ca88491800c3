"""A battle that waits for agreement, as a referee who plays no side may read it: set-up, accounts, differences."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.cards.accounts import differences_told
from bot.cards.forces import force_name
from bot.errors import Sorry
from bot.recording.battle_threads import battle_text
from bot.records.campaigns import IN_PLAY
from rules_engine.core.protocol.asks import AnyAsk, BattleSetup, Force


@dataclass(frozen=True)
class SentAccount:
    """One force's account in plain words, a line each; None if none of its sides has sent one. ``name`` is that of the
    force, ``sender`` that of the side which sent it."""

    name: str
    sender: str
    lines: tuple[str, ...] | None

    def state(self) -> str:
        """Whether it has been sent, and by whom if that does not go without saying."""
        if self.lines is None:
            return f"{self.name}: no account yet"
        return f"{self.name}: account sent{'' if self.sender == self.name else f' by {self.sender}'}"


@dataclass(frozen=True)
class WaitingBattle:
    """One battle: its key for a ruling, its title and set-up, what each force sent, and where that differs; the names
    of its sides."""

    key: str
    title: str
    setup: BattleSetup | None
    accounts: tuple[SentAccount, ...]
    differences: tuple[str, ...]
    is_ruled: bool
    names: Mapping[str, str]

    def summary(self, *, typed: bool = True) -> str:
        """It in a message: who has sent what, where they differ, and how to settle it; without what can be ``typed``
        for each account where that is a button."""
        states = [f"• {one.state()}" for one in self.accounts]
        sent = [one for one in self.accounts if one.lines is not None]
        lines = [f"**{self.title}**", *states]
        if self.differences:
            lines += ["The accounts differ:", differences_told(self.differences)]
        elif self.is_ruled:
            lines.append("You have ruled on it; it counts once play goes on.")
        elif len(sent) > 1:
            lines.append("The accounts that were sent so far agree.")
        else:
            lines.append("There is nothing to compare yet.")
        if typed:
            lines.append("To settle it, choose this battle in `/referee ruling` with a reason, and:")
            lines += [f"• `account_of:{one.sender}` lets that account stand" for one in sent]
            lines.append("• or `text:`, the result as on a sheet: `line: field value; field value`")
        else:
            lines.append("Let one of them stand, or give the result yourself with `text:` in `/referee ruling`.")
        whose = "both" if len(self.names) == 2 else "all"
        lines.append(
            f"-# The file holds the set-up sheet and each account as it was sent, secrets of {whose} sides included."
        )
        return "\n".join(lines)

    def text(self) -> str:
        """All of it as plain text: the set-up, what one side alone was told, and the accounts line by line."""
        parts: list[str] = []
        if self.setup is not None:
            parts.append(battle_text(self.setup))
            for side, panels in self.setup.secret.items():
                for panel in panels:
                    parts.append(f"TOLD TO {self.names.get(side, side).upper()} ALONE: {panel.title}")
                    parts += [*panel.rows, ""]
        for one in self.accounts:
            parts.append(f"ACCOUNT OF {one.name.upper()}")
            parts += [*(("(none sent yet)",) if one.lines is None else one.lines), ""]
        if self.differences:
            parts += ["WHERE THEY DIFFER", *self.differences, ""]
        return "\n".join(parts)


class BattleDisputes:
    """Shows the battles that wait."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def waiting(self, campaign_id: str, user_id: int, wanted: str | None = None) -> WaitingBattle:
        """The battle of that key or title, or the only one that waits.

        Raises:
            Sorry: when there is none, or more than one and none was named.
        """
        await self._runtime.directory.permitted(campaign_id, user_id, "ruling", IN_PLAY)
        async with holding(self._runtime, campaign_id) as adjudicator:
            asks = [ask for ask in adjudicator.open_asks() if ask.is_shared]
            named = [ask for ask in asks if wanted in (ask.id, ask.title)] if wanted else asks
            if not asks:
                raise Sorry("No battle waits for agreement.", code="no-dispute")
            if not named:
                raise Sorry("No battle waits under that name; the list offers those that do.", code="no-dispute")
            if len(named) > 1:
                titles = ", ".join(f"“{ask.title}”" for ask in named[:10])
                raise Sorry(
                    f"Several battles wait: {titles}. Say which with the `battle` option.", code="which-dispute"
                )
            return await asyncio.to_thread(_battle, adjudicator, named[0])


def _battle(adjudicator: AnyAdjudicator, ask: AnyAsk) -> WaitingBattle:
    names = {label.key: label.name for label in adjudicator.labels}
    agreement = adjudicator.compared(ask.id)
    return WaitingBattle(
        key=ask.id,
        title=ask.title,
        setup=ask.setup,
        accounts=tuple(_account(adjudicator, ask, force, names) for force in ask.forces),
        differences=agreement.differences,
        is_ruled=adjudicator.agreement(ask.id).settled is not None,
        names={side: names[side] for side in ask.parties},
    )


def _account(adjudicator: AnyAdjudicator, ask: AnyAsk, force: Force, names: Mapping[str, str]) -> SentAccount:
    sender, account = adjudicator.sender(force[0], ask.id), adjudicator.saved(force[0], ask.id)
    lines = None if account is None else tuple(ask.read_back(account))
    return SentAccount(force_name(force, names), names.get(sender or "", ""), lines)
