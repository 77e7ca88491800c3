"""What each campaign is: found by id, by person, by server, by channel; founded; its status and settings changed."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Executable, RowMapping, bindparam, func, insert, select, union, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import IN_PLAY, CampaignInfo, CampaignSource, CampaignStatus, NewCampaign
from bot.records.places import SPECTATOR
from bot.store.tables import CampaignRow, JournalRow, MemberRow, PlaceRow
from rules_engine.core.basics.base import SideLabel

_HEAD = (
    select(JournalRow.hash)
    .where(JournalRow.campaign_id == CampaignRow.id)
    .order_by(JournalRow.seq.desc())
    .limit(1)
    .scalar_subquery()
)
COLUMNS = (
    CampaignRow.id,
    CampaignRow.guild_id,
    CampaignRow.title,
    CampaignRow.rulebook,
    CampaignRow.status,
    CampaignRow.referee_id,
    CampaignRow.settings,
    CampaignRow.sides,
    CampaignRow.theme,
    _HEAD.label("head"),
)
"""What a :class:`CampaignInfo` is made from."""

_SEAT_IN_PLAY, _PLAYED = aliased(MemberRow), aliased(CampaignRow)
COMMANDED_IN_PLAY = (
    select(func.count())
    .select_from(_SEAT_IN_PLAY)
    .join(_PLAYED, _PLAYED.id == _SEAT_IN_PLAY.campaign_id)
    .where(_SEAT_IN_PLAY.user_id == bindparam("user"), _SEAT_IN_PLAY.side != SPECTATOR, _PLAYED.status.in_(IN_PLAY))
    .scalar_subquery()
)
"""In how many campaigns under way a user commands a side."""

# Made once, because they are asked at every click: making a statement takes longer than carrying it out.
_FIND = select(*COLUMNS).where(CampaignRow.id == bindparam("of"))
_JOINED = select(MemberRow.campaign_id).where(MemberRow.user_id == bindparam("user"))
_REFEREED = select(CampaignRow.id).where(CampaignRow.referee_id == bindparam("user"))
_NEWEST_FIRST = select(*COLUMNS).order_by(CampaignRow.created_at.desc())
_OF_USER = _NEWEST_FIRST.where(CampaignRow.id.in_(union(_JOINED, _REFEREED)))
_IN_SERVER = _NEWEST_FIRST.where(CampaignRow.guild_id == bindparam("guild"))
_HERE = select(PlaceRow.campaign_id).where(PlaceRow.discord_id.in_(bindparam("channels", expanding=True)))
_HERE_OR_OF_USER = _NEWEST_FIRST.add_columns(CampaignRow.id.in_(_HERE).label("here")).where(
    CampaignRow.id.in_(union(_HERE, _JOINED, _REFEREED))
)
_SEAT = (
    select(*COLUMNS, MemberRow.side.label("seat"))
    .join(MemberRow, (MemberRow.campaign_id == CampaignRow.id) & (MemberRow.user_id == bindparam("user")), isouter=True)
    .where(CampaignRow.id == bindparam("of"))
)


class Campaigns:
    """All campaigns of this bot."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    # --- finding -----------------------------------------------------------------------------------------------------

    async def find(self, campaign_id: str) -> CampaignInfo | None:
        """The campaign of that id."""
        row = (await self._connection.execute(_FIND, {"of": campaign_id})).mappings().first()
        return None if row is None else campaign_of(row)

    async def find_seat(self, campaign_id: str, user_id: int) -> tuple[CampaignInfo, str | None] | None:
        """The campaign of that id, and the side of this user's seat in it, if they have one."""
        row = (await self._connection.execute(_SEAT, {"of": campaign_id, "user": user_id})).mappings().first()
        return None if row is None else (campaign_of(row), row["seat"])

    async def of_user(self, user_id: int) -> list[CampaignInfo]:
        """The campaigns that a user belongs to, newest first."""
        return await self._all(_OF_USER, {"user": user_id})

    async def in_server(self, guild_id: int) -> list[CampaignInfo]:
        """The campaigns of a server, newest first."""
        return await self._all(_IN_SERVER, {"guild": guild_id})

    async def not_over(self, guild_id: int | None = None) -> list[CampaignInfo]:
        """The campaigns (of a server) that have not ended."""
        query = _NEWEST_FIRST.where(CampaignRow.status != CampaignStatus.ENDED)
        return await self._all(query if guild_id is None else query.where(CampaignRow.guild_id == guild_id), {})

    async def rulebooks_in_use(self) -> list[str]:
        """The rulebooks of the campaigns that have not ended."""
        query = select(CampaignRow.rulebook).where(CampaignRow.status != CampaignStatus.ENDED).distinct()
        return sorted((await self._connection.execute(query)).scalars())

    async def at_or_of_user(
        self, channels: Collection[int], user_id: int
    ) -> tuple[CampaignInfo | None, list[CampaignInfo]]:
        """The campaign that one of these channels belongs to, or else those of a user, newest first."""
        values = {"channels": list(channels), "user": user_id}
        rows = (await self._connection.execute(_HERE_OR_OF_USER, values)).mappings().all()
        for row in rows:
            if row["here"]:
                return campaign_of(row), []
        return None, [campaign_of(row) for row in rows]

    async def is_title_taken(self, guild_id: int, title: str) -> bool:
        """Whether a campaign of that title goes on in the server."""
        query = select(CampaignRow.id).where(CampaignRow.guild_id == guild_id, CampaignRow.title == title)
        going_on = query.where(CampaignRow.status != CampaignStatus.ENDED).limit(1)
        return await self._connection.scalar(going_on) is not None

    async def source(self, campaign_id: str) -> CampaignSource:
        """What a campaign is played from, with its secret seed."""
        query = select(CampaignRow.rulebook, CampaignRow.scenario, CampaignRow.seed)
        row = (await self._connection.execute(query.where(CampaignRow.id == campaign_id))).one()
        return CampaignSource(row.rulebook, row.scenario, row.seed)

    async def created_at(self, campaign_id: str) -> datetime:
        """When a campaign was founded."""
        return (
            await self._connection.execute(select(CampaignRow.created_at).where(CampaignRow.id == campaign_id))
        ).scalar_one()

    async def _all(self, statement: Executable, values: dict[str, object]) -> list[CampaignInfo]:
        return [campaign_of(row) for row in (await self._connection.execute(statement, values)).mappings()]

    # --- changing ----------------------------------------------------------------------------------------------------

    async def add(self, new: NewCampaign) -> None:
        """Found a campaign."""
        info, source = new.info, new.source
        await self._connection.execute(
            insert(CampaignRow),
            {
                "id": info.id,
                "guild_id": info.guild_id,
                "title": info.title,
                "rulebook": info.rulebook,
                "version": new.version,
                "scenario": source.scenario,
                "sides": [side.model_dump(mode="json") for side in info.sides],
                "seed": source.seed,
                "status": info.status.value,
                "status_note": "",
                "referee_id": info.referee_id,
                "settings": info.settings.model_dump(mode="json"),
                "created_at": new.created_at,
                "theme": info.theme,
            },
        )

    async def begin(self, campaign_id: str, version: str) -> bool:
        """Let a campaign run with that version of its rulebook; False if it has begun already."""
        beginning = update(CampaignRow).where(CampaignRow.id == campaign_id)
        beginning = beginning.where(CampaignRow.status == CampaignStatus.GATHERING)
        changed = await self._connection.execute(beginning.values(status=CampaignStatus.RUNNING, version=version))
        return bool(changed.rowcount)

    async def set_status(self, campaign_id: str, status: CampaignStatus, note: str = "") -> bool:
        """Change a campaign's status; False if it has it already."""
        changing = update(CampaignRow).where(CampaignRow.id == campaign_id, CampaignRow.status != status)
        return bool((await self._connection.execute(changing.values(status=status, status_note=note))).rowcount)

    async def set_settings(self, campaign_id: str, settings: CampaignSettings) -> None:
        """Change how long things may take."""
        changing = update(CampaignRow).where(CampaignRow.id == campaign_id)
        await self._connection.execute(changing.values(settings=settings.model_dump(mode="json")))

    async def set_theme(self, campaign_id: str, theme: str) -> None:
        """Change how its maps look; empty: as the installation has it."""
        changing = update(CampaignRow).where(CampaignRow.id == campaign_id)
        await self._connection.execute(changing.values(theme=theme))

    async def set_sides(self, campaign_id: str, sides: Sequence[SideLabel]) -> None:
        """Change how the sides are named."""
        changing = update(CampaignRow).where(CampaignRow.id == campaign_id)
        await self._connection.execute(changing.values(sides=[side.model_dump(mode="json") for side in sides]))

    async def set_referee(self, campaign_id: str, user_id: int) -> None:
        """Make somebody the referee."""
        changing = update(CampaignRow).where(CampaignRow.id == campaign_id)
        await self._connection.execute(changing.values(referee_id=user_id))


def campaign_of(row: RowMapping) -> CampaignInfo:
    """A campaign from a row that has :data:`COLUMNS`."""
    sides: Sequence[dict[str, str]] = row["sides"]
    return CampaignInfo(
        id=row["id"],
        guild_id=row["guild_id"],
        title=row["title"],
        rulebook=row["rulebook"],
        status=CampaignStatus(row["status"]),
        referee_id=row["referee_id"],
        settings=CampaignSettings.model_validate(row["settings"]),
        sides=tuple(SideLabel.model_validate(side) for side in sides),
        theme=row["theme"],
        head=row["head"],
    )
