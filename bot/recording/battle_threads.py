"""Opening a battle that is played by hand: its thread for both sides, and each side's own part for that side alone."""

from bot.campaigns.places import side_place
from bot.recording.transaction import Recording
from bot.store.outbox import enqueue
from rules_engine.core.protocol.asks import AnyAsk


async def open_battle(recording: Recording, ask: AnyAsk) -> None:
    """Queue the thread of a battle, and what only one side may read of its set-up. Nothing for an ask without one."""
    sheet = ask.setup
    if sheet is None:
        return
    users = [member["user_id"] for side in ask.parties for member in await recording.members(side)]
    names = " and ".join(recording.campaign.side_names[side] for side in ask.parties)
    shown = sheet.model_copy(update={"secret": {}})
    await enqueue(
        recording.conn,
        recording.campaign.id,
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
                    "All accounts must agree.",
                    "files": [
                        {"kind": "sheet", "sheet": shown.model_dump(mode="json")},
                        {"kind": "text", "name": "battle.txt", "text": battle_text(ask)},
                    ],
                    "mention_users": users,
                },
            )
        ],
        now=recording.now,
    )
    for side, panels in sheet.secret.items():
        secret = "\n".join(f"**{panel.title}**\n" + "\n".join(panel.rows) for panel in panels)
        await recording.queue([{"place": side_place(side), "content": secret, "files": []}])


def battle_text(ask: AnyAsk) -> str:
    """A battle's set-up as plain text, as all its parties may read it."""
    sheet = ask.setup
    if sheet is None:
        return ""
    parts = [sheet.title, sheet.where]
    parts += ["\n".join(["", panel.title.upper(), *panel.rows]) for panel in sheet.panels]
    return "\n".join(parts) + "\n"
