"""What the bot remembers of itself: when it was last alive, what it registered and posted last, whom it answered."""

import json
import secrets
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.corrections import PreparedCorrection
from bot.store.errors import SeenBefore
from bot.store.tables import SeenInteractionRow, SettingRow

_ALIVE = "alive"
_SILENCE = "silence"
_SECRET = "secret"
_READS_SINCE = "reads-since"


class Installation:
    """The facts of one installation."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    # --- interactions ------------------------------------------------------------------------------------------------

    async def mark_seen(self, interaction_id: int, now: datetime) -> None:
        """Remember an interaction in the transaction that carries it out.

        Raises:
            SeenBefore: when it was carried out already; the transaction is of no use then.
        """
        try:
            await self._connection.execute(insert(SeenInteractionRow), {"id": interaction_id, "at": now})
        except IntegrityError:
            raise SeenBefore from None

    async def forget_interactions(self, before: datetime) -> None:
        """Discord delivers none again after so long."""
        await self._connection.execute(delete(SeenInteractionRow).where(SeenInteractionRow.at < before))

    # --- facts -------------------------------------------------------------------------------------------------------

    async def last_alive(self) -> datetime | None:
        """When the bot gave its last sign of life; None before the first."""
        value = await self._fact(_ALIVE)
        return None if value is None else datetime.fromisoformat(value)

    async def sign_of_life(self, now: datetime) -> None:
        """The bot is alive."""
        await self._set_fact(_ALIVE, now.isoformat())

    async def silence(self) -> dict[str, Any] | None:
        """What is known of silences: when the last interaction came, and what is usual; None before the first look."""
        value = await self._fact(_SILENCE)
        return None if value is None else json.loads(value)

    async def keep_silence(self, known: dict[str, Any]) -> None:
        """Remember it."""
        await self._set_fact(_SILENCE, json.dumps(known, default=str))

    async def give_back_once(self, campaign_id: str, since: int) -> bool:
        """Note that the time since that moment is given back to a campaign; False if it was already."""
        key = f"given-back:{campaign_id}"
        if await self._fact(key) == str(since):
            return False
        await self._set_fact(key, str(since))
        return True

    async def note_absence(self, campaign_id: str, user_id: int) -> bool:
        """Note that somebody with a seat is not on the server; False if that was known."""
        if await self.is_absent(campaign_id, user_id):
            return False
        await self._set_fact(_absent(campaign_id, user_id), "away")
        return True

    async def is_absent(self, campaign_id: str, user_id: int) -> bool:
        """Whether somebody with a seat is known not to be on the server."""
        return await self._fact(_absent(campaign_id, user_id)) is not None

    async def absent_from(self, campaign_id: str) -> set[int]:
        """Everybody with a seat in a campaign who is known not to be on its server."""
        start = _absent(campaign_id, "")
        query = select(SettingRow.key).where(SettingRow.key.startswith(start, autoescape=True))
        return {int(key.removeprefix(start)) for key in (await self._connection.execute(query)).scalars()}

    async def note_presence(self, campaign_id: str, user_id: int) -> None:
        """They are there."""
        await self._forget_fact(_absent(campaign_id, user_id))

    async def heard_referee(self, campaign_id: str, now: datetime) -> None:
        """A campaign's referee took the chair, or said that they are there."""
        await self._set_fact(f"referee-heard:{campaign_id}", now.isoformat())

    async def referee_heard(self, campaign_id: str) -> datetime | None:
        """When that was last."""
        return _moment(await self._fact(f"referee-heard:{campaign_id}"))

    async def stood_still(self, campaign_id: str, now: datetime) -> None:
        """A campaign was paused or halted."""
        await self._set_fact(f"stands-still:{campaign_id}", now.isoformat())

    async def stands_still_since(self, campaign_id: str) -> datetime | None:
        """When a campaign was last paused or halted; None where it never was."""
        return _moment(await self._fact(f"stands-still:{campaign_id}"))

    async def left_server(self, guild_id: int, now: datetime) -> None:
        """The bot is not on a server any more; how long it has been so stays known."""
        if await self._fact(f"left:{guild_id}") is None:
            await self._set_fact(f"left:{guild_id}", now.isoformat())

    async def back_on_server(self, guild_id: int) -> datetime | None:
        """The bot is on a server; gives since when it was not, if that was noted and not told since."""
        since = await self._fact(f"left:{guild_id}")
        if since is None:
            return None
        await self._forget_fact(f"left:{guild_id}")
        return datetime.fromisoformat(since)

    async def prepared_correction(self, campaign_id: str) -> PreparedCorrection | None:
        """The correction that was prepared last in a campaign, if it can still be read."""
        value = await self._fact(f"correction:{campaign_id}")
        try:
            return None if value is None else PreparedCorrection.model_validate_json(value)
        except ValidationError:  # another version's
            return None

    async def keep_correction(self, campaign_id: str, prepared: PreparedCorrection) -> None:
        """Keep it, in place of the one before."""
        await self._set_fact(f"correction:{campaign_id}", prepared.model_dump_json())

    async def announcement(self, campaign_id: str) -> tuple[int, int] | None:
        """Where a campaign is announced: the channel and the message."""
        value = await self._fact(f"announced:{campaign_id}")
        if value is None:
            return None
        channel_id, message_id = map(int, value.split("/"))
        return channel_id, message_id

    async def keep_announcement(self, campaign_id: str, channel_id: int, message_id: int) -> None:
        """It stands in that message."""
        await self._set_fact(f"announced:{campaign_id}", f"{channel_id}/{message_id}")

    async def forget_announcement(self, campaign_id: str) -> None:
        """Its message is gone."""
        await self._forget_fact(f"announced:{campaign_id}")

    async def reads_since(self, now: datetime) -> datetime:
        """Since when plain messages are read that were written while the bot was away: since it is asked for first."""
        known = await self._fact(_READS_SINCE)
        if known is None:
            await self._set_fact(_READS_SINCE, now.isoformat())
        return now if known is None else datetime.fromisoformat(known)

    async def secret(self) -> str:
        """What only this installation knows, made when it is first asked for."""
        known = await self._fact(_SECRET)
        if known is None:
            known = secrets.token_hex(32)
            await self._set_fact(_SECRET, known)
        return known

    async def registered_commands(self, application_id: int | None) -> str | None:
        """The digest of the commands that Discord was given last."""
        return await self._fact(f"commands:{application_id}")

    async def set_registered_commands(self, application_id: int | None, digest: str) -> None:
        """Discord has these commands now."""
        await self._set_fact(f"commands:{application_id}", digest)

    async def is_public_map_new(self, campaign_id: str, digest: str) -> bool:
        """Whether a campaign's public map shows what the last one that was posted did not; it is the last one then."""
        return await self._is_new(f"public-map:{campaign_id}", digest)

    async def is_turn_new(self, campaign_id: str, turn: int) -> bool:
        """Whether the hash of a campaign's record was not yet posted in this turn; it is posted in it then."""
        return await self._is_new(f"hash-posted-in:{campaign_id}", str(turn))

    async def _is_new(self, key: str, value: str) -> bool:
        if await self._fact(key) == value:
            return False
        await self._set_fact(key, value)
        return True

    async def _fact(self, key: str) -> str | None:
        return await self._connection.scalar(select(SettingRow.value).where(SettingRow.key == key))

    async def _forget_fact(self, key: str) -> None:
        await self._connection.execute(delete(SettingRow).where(SettingRow.key == key))

    async def _set_fact(self, key: str, value: str) -> None:
        changed = await self._connection.execute(update(SettingRow).where(SettingRow.key == key).values(value=value))
        if not changed.rowcount:
            await self._connection.execute(insert(SettingRow), {"key": key, "value": value})


def _moment(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


def _absent(campaign_id: str, user_id: int | str) -> str:
    return f"absent:{campaign_id}:{user_id}"
