"""The threads of battles that are played by hand: opened for all parties, closed when the battle is over, kept awake.

What is said in a thread is read by the commanders of all its parties.
"""

from datetime import datetime

from bot.cards.forces import against_each_other
from bot.recording.prompts import how_it_closed
from bot.recording.transaction import Recording
from bot.records.battles import OpenBattle
from bot.records.effects import Archive, BattleThread, Post, Wake
from bot.records.files import BattleDetailsFile, BattleFile, FileSpec, OwnUnitsFile, TextFile
from bot.records.places import battle_place, side_place
from bot.store.transaction import Transaction
from rules_engine.core.protocol.asks import AnyAsk, BattleSetup
from rules_engine.core.records.journal import Rewound
from rules_engine.core.running.transitions import Transition

OVER = "🏁 **This battle is over**, and this thread is closed."
VOID = "⏪ **The referee went back to before this battle.** It is void, and this thread is closed."
AGAIN = "🔓 **This thread is open again.** The battle is to be fought as it is set up here:"
DETAILS = (
    "-# For later: every unit's figures, and the rules of how the battle begins and ends. The picture above is all you "
    "need to start; `battle.txt` is the whole sheet in words."
)
BACK_IN = (
    "⏪ **The referee went back into this battle.** What was sent and said since then is void. It stands as before:"
)


async def open_battle(recording: Recording, ask: AnyAsk, transition: Transition) -> None:
    """Queue the thread of a battle, and what only one side may read of its set-up. Nothing for an ask without one."""
    if ask.setup is None:
        return
    campaign, tx = recording.campaign, recording.tx
    thread = _thread(recording, ask, ask.setup.common())
    if await tx.battles.open(campaign.id, thread.key, transition.entry.seq, recording.now):
        earlier = await tx.outbox.latest(campaign.id, thread.kind, thread.key)
        if isinstance(earlier, BattleThread) and thread.is_another_than(earlier):
            await recording.put(Archive(key=thread.key, content=VOID))
        else:
            word = BACK_IN if isinstance(transition.entry.body, Rewound) else AGAIN
            thread = thread.model_copy(update={"content": f"{word}\n{thread.content}"})
    await recording.put(thread, *_details(thread.key, ask.setup))
    for side, panels in ask.setup.secret.items():
        secret = "\n".join(f"**{panel.title}**\n" + "\n".join(panel.rows) for panel in panels)
        files = (OwnUnitsFile(sheet=ask.setup.seen_by(side), side=side),) if side in ask.setup.own else ()
        await recording.put(Post(place=side_place(side), content=secret, files=files))


def _thread(recording: Recording, ask: AnyAsk, shown: BattleSetup) -> BattleThread:
    names = against_each_other(ask, recording.side_names)
    files: tuple[FileSpec, ...] = (BattleFile(sheet=shown),)
    if shown.scene is None:
        files = (*files, TextFile(name="battle.txt", text=battle_text(shown)))
    enough = "" if len(ask.forces) == len(ask.parties) else " One account of each force is enough."
    return BattleThread(
        key=shown.key,
        name=shown.title,
        sides=tuple(ask.parties),
        content=f"**{shown.title}**\n{shown.where}\n{names}: play this battle by hand, then send your account of "
        f"it with the form in your direct messages, or with `/battle` here. All accounts must agree.{enough}",
        files=files,
    )


def _details(key: str, setup: BattleSetup) -> list[Post]:
    """What stands below the first picture, in a message of its own, so that clients show each as wide as they can."""
    if setup.scene is None:
        return []
    common = setup.common()
    files = (BattleDetailsFile(sheet=common), TextFile(name="battle.txt", text=battle_text(common)))
    return [Post(place=battle_place(key), content=DETAILS, files=files)]


async def close_battles(recording: Recording, transition: Transition) -> None:
    """Queue the closing of the threads of all battles that are open no more, however that came."""
    campaign, battles = recording.campaign, recording.tx.battles
    still_open = {ask.setup.key for ask in recording.adjudicator.open_asks() if ask.setup is not None}
    over = {key for key in await battles.open_of(campaign.id) if key not in still_open}
    content = f"{OVER} {how_it_closed(transition)}"
    if isinstance(transition.entry.body, Rewound):
        over |= await battles.undo(campaign.id, after=transition.entry.body.to, but=still_open)
        content = VOID
    await battles.close(campaign.id, over)
    await recording.put(*[Archive(key=key, content=content) for key in sorted(over)])


async def keep_awake(tx: Transaction, battle: OpenBattle, now: datetime) -> bool:
    """Queue that a battle's thread is kept awake, or woken; False if that was done meanwhile, or the battle is over."""
    if not await tx.battles.stir(battle, now):
        return False
    if not await tx.outbox.has_queued(battle.campaign_id, "wake", battle.key):
        await tx.outbox.put(battle.campaign_id, Wake(key=battle.key), now=now)
    return True


def battle_text(setup: BattleSetup) -> str:
    """A battle's set-up as plain text, as all its parties may read it."""
    parts = [setup.title, setup.where]
    parts += ["\n".join(["", panel.title.upper(), *panel.rows]) for panel in setup.panels]
    return "\n".join(parts) + "\n"
