"""Writing down what a step of play did: journal, reports, prompts, deadline and posts, all in one transaction."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert, select, update

from bot.campaigns.settings import CampaignSettings
from bot.cards.accounts import account_mark, others_account
from bot.cards.cards import PromptState, closed_text, prompt_card
from bot.recording.drafts import problems_of, unsent
from bot.recording.reports_as_posts import digest_to, posts_to, went_by
from bot.store.connections import Change, Connection
from bot.store.outbox import card_under_way, enqueue
from bot.store.tables import (
    CampaignRow,
    DeadlineRow,
    JournalRow,
    MemberRow,
    PlaceRow,
    PromptMessageRow,
    PromptRow,
    ReportRow,
    SettingRow,
    SnapshotRow,
)
from rules_engine.core.asks import AnyAsk
from rules_engine.core.canon import digest
from rules_engine.core.referee import Referee
from rules_engine.core.reports import Report
from rules_engine.core.steps import Step

_journal = Change(insert(JournalRow.__table__))  # type: ignore[arg-type]

REFEREE_PLACE = "referee"
PUBLIC_PLACE = "public"


def side_place(side: str) -> str:
    """The key of a side's private channel."""
    return f"side:{side}"


def battle_place(sheet_key: str) -> str:
    """The key of a battle's thread."""
    return f"battle:{sheet_key}"


@dataclass(frozen=True)
class CampaignInfo:
    """A campaign's row, as the desk uses it."""

    id: str
    guild_id: int
    title: str
    rulebook: str
    status: str
    referee_id: int
    settings: CampaignSettings
    side_names: dict[str, str]

    @classmethod
    def of(cls, row: Any) -> "CampaignInfo":
        """From a row mapping."""
        return cls(
            id=row["id"],
            guild_id=row["guild_id"],
            title=row["title"],
            rulebook=row["rulebook"],
            status=row["status"],
            referee_id=row["referee_id"],
            settings=CampaignSettings.model_validate(row["settings"]),
            side_names={side["key"]: side["name"] for side in row["sides"]},
        )


class Ledger:
    """One transaction's worth of writing for one campaign."""

    def __init__(self, conn: Connection, campaign: CampaignInfo, referee: Referee[Any], now: datetime) -> None:
        self.conn = conn
        self.campaign = campaign
        self.referee = referee
        self.now = now

    async def write(self, steps: Sequence[Step]) -> None:
        """Everything that these steps did."""
        for step in steps:
            await self._entry(step)
            if step.closed:
                await self._close_prompts(step)
            if step.reports or step.maps_for:
                await self._bulletins(step)
            if step.opened:
                await self._open(step)
            if step.ending is not None and step.closed:
                await self._end(step)

    async def post(self, payloads: Sequence[dict[str, Any]], kind: str = "post") -> None:
        """Queue posts; the lane is the destination."""
        await enqueue(
            self.conn,
            self.campaign.id,
            [(lane_of(payload), kind, payload) for payload in payloads],
            now=self.now,
        )

    async def members(self, side: str | None = None) -> list[Any]:
        """The commanders (of one side), by user id; spectators are not among them."""
        query = select(MemberRow).where(MemberRow.campaign_id == self.campaign.id).order_by(MemberRow.user_id)
        query = query.where(MemberRow.side == side) if side else query.where(MemberRow.side != "@spectator")
        return list((await self.conn.execute(query)).mappings())

    # --- the journal ---------------------------------------------------------------------------------------------

    async def _entry(self, step: Step) -> None:
        await _journal.make(
            self.conn,
            campaign_id=self.campaign.id,
            seq=step.entry.seq,
            kind=step.entry.body.kind,
            entry=step.line,
        )
        if step.reports:
            await self.conn.execute(
                insert(ReportRow),
                [
                    {
                        "campaign_id": self.campaign.id,
                        "seq": step.entry.seq,
                        "number": report.number,
                        "body": report.model_dump_json(),
                    }
                    for report in step.reports
                ],
            )
        if step.snapshots:
            newest = step.snapshots[-1]
            await self.conn.execute(
                insert(SnapshotRow).values(
                    campaign_id=self.campaign.id, seq=newest.seq, turn=newest.turn, body=newest.model_dump_json()
                )
            )

    # --- bulletins -----------------------------------------------------------------------------------------------

    async def _bulletins(self, step: Step) -> None:
        payloads: list[dict[str, Any]] = []
        public = [report for report in step.reports if report.is_public()]
        heading = f"**{self.referee.now.label}**"
        turns = went_by(step.reports)

        def posts(place: str, reports: list[Report], files: list[dict[str, Any]]) -> list[dict[str, Any]]:
            if turns:
                return digest_to(place, turns, reports, files)
            return posts_to(place, reports, files, heading=heading)

        payloads += posts(PUBLIC_PLACE, public, await self._public_map(step))
        for label in self.referee.sides:
            own = [report for report in step.reports if report.is_for(label.key) and not report.is_public()]
            files: list[dict[str, Any]] = []
            if label.key in step.maps_for:
                view = self.referee.view(label.key)
                files = [{"kind": "side_map", "view": view.model_dump(mode="json")}]
            payloads += posts(side_place(label.key), own, files)
        await self.post(payloads)

    async def _public_map(self, step: Step) -> list[dict[str, Any]]:
        """The public map, if it is due and shows anything that the one posted last did not."""
        if not step.public_map:
            return []
        view = self.referee.public_view()
        shown = digest([view.public.hexes, view.public.counters, view.public.courses])
        key = f"public-map:{self.campaign.id}"
        before = (await self.conn.execute(select(SettingRow.value).where(SettingRow.key == key))).scalar()
        if before == shown:
            return []
        if before is None:
            await self.conn.execute(insert(SettingRow).values(key=key, value=shown))
        else:
            await self.conn.execute(update(SettingRow).where(SettingRow.key == key).values(value=shown))
        return [{"kind": "public_map", "view": view.model_dump(mode="json")}]

    # --- prompts -------------------------------------------------------------------------------------------------

    async def _open(self, step: Step) -> None:
        minutes = max(self.campaign.settings.minutes(ask.pace) for ask in self.referee.open_asks())
        closes = self.now + timedelta(minutes=minutes)
        await self.set_deadline(closes, step.entry.seq)
        for ask in step.opened:
            if ask.sheet is not None:
                await self._open_battle(ask)
            for side in ask.parties:
                await self._open_prompt(ask, side, step.entry.seq, closes)

    async def set_deadline(self, falls_at: datetime | None, opened_seq: int) -> None:
        """Start the clock of the open batch."""
        await self.conn.execute(delete(DeadlineRow).where(DeadlineRow.campaign_id == self.campaign.id))
        await self.conn.execute(
            insert(DeadlineRow).values(
                campaign_id=self.campaign.id,
                opened_seq=opened_seq,
                opened_at=self.now,
                falls_at=falls_at,
                reminded=False,
            )
        )

    async def _open_prompt(self, ask: AnyAsk, side: str, seq: int, closes: datetime) -> None:
        token = secrets.token_urlsafe(9)
        await self.conn.execute(
            insert(PromptRow).values(
                token=token,
                campaign_id=self.campaign.id,
                ask_id=ask.id,
                side=side,
                title=ask.title,
                kind=ask.kind,
                status="open",
                opened_seq=seq,
                created_at=self.now,
            )
        )
        if not ask.awaited:  # open to whoever looks for it, but nobody is called
            return
        card = prompt_card(self.prompt_state(token, ask, side, closes)).as_json()
        await self.post(
            [self._prompt_post(token, side, member["user_id"], card) for member in await self.members(side)]
        )

    async def move_prompts(self, side: str, out_id: int, in_id: int) -> None:
        """Send a side's open sheets to a new commander, and take them from the one who leaves."""
        query = select(PromptRow).where(
            PromptRow.campaign_id == self.campaign.id, PromptRow.side == side, PromptRow.status == "open"
        )
        prompts = list((await self.conn.execute(query.order_by(PromptRow.created_at, PromptRow.ask_id))).mappings())
        falls_at = select(DeadlineRow.falls_at).where(DeadlineRow.campaign_id == self.campaign.id)
        closes = (await self.conn.execute(falls_at)).scalar()
        asks = {ask.id: ask for ask in self.referee.asks_for(side)}
        for prompt in prompts:
            token, ask = prompt["token"], asks.get(prompt["ask_id"])
            if ask is None:
                continue
            card = prompt_card(self.prompt_state(token, ask, side, closes)).as_json()
            await self.post([self._prompt_post(token, side, in_id, card)])
            gone = closed_text(prompt["title"], "You handed your seat over.")
            await self.post([{"token": token, "content": gone, "dm": out_id}], "close_prompt")

    @staticmethod
    def _prompt_post(token: str, side: str, user_id: int, card: dict[str, Any]) -> dict[str, Any]:
        return {
            "dm": user_id,
            "content": card["content"],
            "files": [],
            "card": card,
            "prompt": token,
            "fallback": side_place(side),
        }

    def prompt_state(
        self, token: str, ask: AnyAsk, side: str, closes: datetime | None, receipt: str = "", **more: Any
    ) -> PromptState:
        """What the card of this side's prompt is made from."""
        open_asks = self.referee.asks_for(side)
        unanswered = [other for other in open_asks if self.referee.saved(side, other.id) is None and other.id != ask.id]
        shared = len(ask.parties) > 1
        differences = self.referee.agreement(ask.id).differences if shared else ()
        theirs = others_account(self.referee, ask, side) if differences else None
        return PromptState(
            token=token,
            ask=ask,
            campaign=self.campaign.title,
            side=self.campaign.side_names[side],
            closes=closes,
            answer=self.referee.saved(side, ask.id),
            receipt=receipt,
            ready=self.referee.is_ready(side) and not shared,
            others_open=len(unanswered),
            differences=differences,
            theirs="" if theirs is None else account_mark(ask, theirs),
            **more,
        )

    async def _open_battle(self, ask: AnyAsk) -> None:
        sheet = ask.sheet
        if sheet is None:
            return
        users = [member["user_id"] for side in ask.parties for member in await self.members(side)]
        names = " and ".join(self.campaign.side_names[side] for side in ask.parties)
        shown = sheet.model_copy(update={"secret": {}})
        await enqueue(
            self.conn,
            self.campaign.id,
            [
                (
                    "battles",
                    "thread",
                    {
                        "key": sheet.key,
                        "name": sheet.title,
                        "parties": list(ask.parties),
                        "members": users,
                        "content": f"**{sheet.title}**\n{sheet.where}\n{names}: play this battle by hand, then send "
                        "your account of it with the form in your direct messages, or with `/battle` here. "
                        "Both accounts must agree.",
                        "files": [
                            {"kind": "sheet", "sheet": shown.model_dump(mode="json")},
                            {"kind": "text", "name": "battle.txt", "text": sheet_text(ask)},
                        ],
                        "mention_users": users,
                    },
                )
            ],
            now=self.now,
        )
        for side, panels in sheet.secret.items():
            secret = "\n".join(f"**{panel.title}**\n" + "\n".join(panel.rows) for panel in panels)
            await self.post([{"place": side_place(side), "content": secret, "files": []}])

    async def _close_prompts(self, step: Step) -> None:
        await self.close_prompts(list(step.closed), how_it_closed(step), step.taken)

    async def close_prompts(
        self, ask_ids: list[str] | None, how: str, taken: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        """Close the prompts of these asks (None: all) and have their messages say how."""
        query = select(PromptRow).where(PromptRow.campaign_id == self.campaign.id, PromptRow.status == "open")
        if ask_ids is not None:
            query = query.where(PromptRow.ask_id.in_(ask_ids))
        prompts = list((await self.conn.execute(query)).mappings())
        if not prompts:
            return
        tokens = [prompt["token"] for prompt in prompts]
        await self.conn.execute(update(PromptRow).where(PromptRow.token.in_(tokens)).values(status="closed"))
        # The card's own post goes first in its lane, so every lane that may hold one gets the closing behind it.
        payloads: list[dict[str, Any]] = []
        for prompt in prompts:
            content = closed_text(prompt["title"], how, (taken or {}).get(prompt["ask_id"], ()))
            payloads += [
                {"token": prompt["token"], "content": content, "dm": member["user_id"]}
                for member in await self.members(prompt["side"])
            ]
        await self.post(payloads, "close_prompt")

    async def refresh(self, prompt: Any, card: dict[str, Any], *, but_message: int | None = None) -> None:
        """Have a prompt's other messages show ``card``: those of the side's present commanders, nobody else's.

        While an older card is on its way it would come last and stay, so then ``card`` goes behind it everywhere.
        """
        token = prompt["token"]
        if await card_under_way(self.conn, self.campaign.id, token):
            targets = [{"dm": member["user_id"]} for member in await self.members(prompt["side"])]
        else:
            targets = [
                {"message": row["message_id"], "dm": row["user_id"]}
                for row in await copies_of(self.conn, prompt)
                if row["message_id"] != but_message
            ]
        await self.post([{"token": token, "card": card, **target} for target in targets], "refresh")

    async def refresh_open(self, closes: datetime | None) -> None:
        """Have all open cards say when they close now; None while the clock stands still."""
        query = select(PromptRow).where(PromptRow.campaign_id == self.campaign.id, PromptRow.status == "open")
        asks = {ask.id: ask for ask in self.referee.open_asks()}
        for prompt in (await self.conn.execute(query.order_by(PromptRow.created_at, PromptRow.token))).mappings().all():
            ask = asks.get(prompt["ask_id"])
            if ask is None:
                continue
            side = prompt["side"]
            more = {"unsent": unsent(self.referee, ask, prompt), "problems": problems_of(self.referee, ask, prompt)}
            state = self.prompt_state(prompt["token"], ask, side, closes, stuck=bool(more["problems"]), **more)
            await self.refresh(prompt, prompt_card(state).as_json())

    # --- the end -------------------------------------------------------------------------------------------------

    async def _end(self, step: Step) -> None:
        ending = step.ending
        if ending is None:
            return
        scores = ", ".join(
            f"{self.campaign.side_names.get(side, side)} {score}" for side, score in ending.scores.items()
        )
        await self.conn.execute(
            update(CampaignRow)
            .where(CampaignRow.id == self.campaign.id)
            .values(status="ended", status_note=ending.text)
        )
        await self.conn.execute(delete(DeadlineRow).where(DeadlineRow.campaign_id == self.campaign.id))
        text = f"**The campaign is over.** {ending.text}\nScores: {scores}\n-# {ending.rule}"
        await self.post([{"place": PUBLIC_PLACE, "content": text, "files": []}])

    async def place_id(self, key: str) -> int | None:
        """The Discord id of a place of this campaign."""
        found = await self.conn.execute(
            select(PlaceRow.discord_id).where(PlaceRow.campaign_id == self.campaign.id, PlaceRow.key == key)
        )
        return found.scalar()


async def copies_of(conn: Connection, prompt: Any) -> list[Any]:
    """The messages in which a prompt stands, of its side's present commanders: message_id, user_id."""
    seated = select(MemberRow.user_id).where(
        MemberRow.campaign_id == prompt["campaign_id"], MemberRow.side == prompt["side"]
    )
    rows = await conn.execute(
        select(PromptMessageRow.message_id, PromptMessageRow.user_id).where(
            PromptMessageRow.token == prompt["token"], PromptMessageRow.user_id.in_(seated)
        )
    )
    return list(rows.mappings())


def how_it_closed(step: Step) -> str:
    """What a sheet's message says of its end."""
    return {
        "deadline": "Closed at its deadline.",
        "all ready": "Closed: everybody was ready.",
        "referee": "Closed by the referee.",
    }.get(getattr(step.entry.body, "reason", ""), "Closed.")


def lane_of(payload: dict[str, Any]) -> str:
    """The lane in which a payload keeps its order: its destination."""
    if payload.get("dm") is not None:
        return f"dm:{payload['dm']}"
    return str(payload.get("place", "setup"))


def sheet_text(ask: AnyAsk) -> str:
    """A battle's sheet as plain text."""
    sheet = ask.sheet
    if sheet is None:
        return ""
    parts = [sheet.title, sheet.where]
    parts += ["\n".join(["", panel.title.upper(), *panel.rows]) for panel in sheet.panels]
    return "\n".join(parts) + "\n"
