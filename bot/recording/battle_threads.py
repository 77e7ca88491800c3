"""Opening a battle that is played by hand: its thread for both sides, and each side's own part for that side alone."""

from bot.recording.transaction import Recording
from bot.records.effects import BattleFile, BattleThread, Post, TextFile
from bot.records.places import side_place
from rules_engine.core.protocol.asks import AnyAsk, BattleSetup


async def open_battle(recording: Recording, ask: AnyAsk) -> None:
    """Queue the thread of a battle, and what only one side may read of its set-up. Nothing for an ask without one."""
    if ask.setup is None:
        return
    shown = ask.setup.model_copy(update={"secret": {}})
    names = " and ".join(recording.campaign.side_names[side] for side in ask.parties)
    await recording.put(
        BattleThread(
            key=shown.key,
            name=shown.title,
            sides=tuple(ask.parties),
            content=f"**{shown.title}**\n{shown.where}\n{names}: play this battle by hand, then send your account of "
            "it with the form in your direct messages, or with `/battle` here. All accounts must agree.",
            files=(BattleFile(sheet=shown), TextFile(name="battle.txt", text=battle_text(shown))),
        )
    )
    for side, panels in ask.setup.secret.items():
        secret = "\n".join(f"**{panel.title}**\n" + "\n".join(panel.rows) for panel in panels)
        await recording.put(Post(place=side_place(side), content=secret))


def battle_text(setup: BattleSetup) -> str:
    """A battle's set-up as plain text, as all its parties may read it."""
    parts = [setup.title, setup.where]
    parts += ["\n".join(["", panel.title.upper(), *panel.rows]) for panel in setup.panels]
    return "\n".join(parts) + "\n"
