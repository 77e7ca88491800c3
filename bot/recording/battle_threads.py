"""The threads of battles that are played by hand: opened for all parties, closed when the battle is over, kept awake;
and what a battle's tracker has to say there: who wishes what, what was flown, and its picture.

What is said in a thread is read by the commanders of all its parties.
"""

from collections.abc import Sequence
from datetime import datetime

from bot.cards.forces import against_each_other
from bot.cards.tracking import MOST_SILENT, WISHES, fill_row, mark_of, show_row, wished_card
from bot.recording.prompts import fill_in_counted, how_it_closed
from bot.recording.reports_as_posts import pages
from bot.recording.transaction import Recording
from bot.records.battles import OpenBattle
from bot.records.components import Card
from bot.records.effects import Archive, BattleThread, Post, Wake
from bot.records.files import (
    BattleDetailsFile,
    BattleFile,
    FileSpec,
    FilmFile,
    OwnUnitsFile,
    TacticalMapFile,
    TextFile,
)
from bot.records.places import battle_place, side_place
from bot.store.transaction import Transaction
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.protocol.asks import AnyAsk, BattleSetup
from rules_engine.core.records.journal import Rewound
from rules_engine.core.running.tracked import TrackedDeed, is_of_tracked
from rules_engine.core.running.transitions import Transition

UNTRACKED = (
    "This battle cannot be tracked: the bot failed there. Play it by hand; the bot's host finds out why in the log."
)
FILM = "🎞️ **Turn by turn.** The battle once more, as all who were in it saw it."
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
    details = _details(thread.key, ask.setup)
    await recording.put(thread, *[_with_offer(recording, ask, one) for one in details])
    if ask.untracked and campaign.settings.tracker != "off":
        await recording.put(Post(place=battle_place(thread.key), content=f"-# {UNTRACKED}"))
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


def _with_offer(recording: Recording, ask: AnyAsk, post: Post) -> Post:
    """A post below which it stands that the battle can be tracked, where it can."""
    campaign = recording.campaign
    if campaign.settings.tracker != "optional" or recording.adjudicator.tracking(ask.id) is None:
        return post
    row = show_row(campaign.id, mark_of(ask.id), "Track this battle …")
    return post.model_copy(update={"card": Card(post.content, (row,))})


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
    await recording.put(*_films(transition))
    await recording.put(*[Archive(key=key, content=content) for key in sorted(over)])


def _films(transition: Transition) -> list[Post]:
    """The films of battles that ended here and were tracked, each before its thread is closed. Whether there was
    enough for one is seen as it is made."""
    until = transition.entry.seq
    return [
        Post(place=battle_place(ask.setup.key), content=FILM, files=(FilmFile(until=until, battle=ask.id),))
        for ask in transition.fought
        if ask.setup is not None
    ]


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


# --- battles that are tracked -----------------------------------------------------------------------------------------

_DONE: dict[str, str] = {
    "begun": "🛰️ **This battle is tracked.** Each side plots in secret; pictures and tables follow here.",
    "begun late": "🛰️ **This battle is tracked from here on.** Type in where your units are.",
    "paused": "⏸️ **The tracker's clock stands still**, until somebody lets it run or all have plotted. The time "
    "for your accounts runs on.",
    "fallen silent": f"⏸️ **Nobody has plotted for {MOST_SILENT} pieces: the tracker is paused.** Go on with *Let the "
    "clock run* in `/tracker`, with your plots, or by hand. The time for your accounts runs on.",
    "let go": "✋ **Nobody has said where the units are, so this battle is not tracked.** Go on by hand, and send your "
    "accounts as before.",
    "gone on": "▶️ **The tracker's clock runs again.**",
    "undone": "↩️ **The last piece is taken back.** It is plotted anew, and other dice fall.",
    "dropped": "✋ **This battle is no longer tracked.** Go on by hand, and send your accounts as before.",
    "lost": "✋ **This battle is no longer tracked**: the bot was changed meanwhile, and what was flown does not come "
    "out the same any more. What was told stands. Go on by hand, and send your accounts as before; or track it from "
    "where your units are now, with `/tracker`.",
}
FLOWN = "🏁 Nothing is left to fly. Send your accounts."


async def post_tracking(recording: Recording, transition: Transition) -> None:
    """Queue what trackers of battles have done and told: to all parties in the thread, to each what is its own."""
    asks = {ask.id: ask for ask in recording.adjudicator.open_asks() if ask.setup is not None}
    told = [one for one in transition.reports if is_of_tracked(one)]
    for deed in transition.deeds:
        if deed.ask in asks:
            ask, now = asks[deed.ask], recording.adjudicator.tracking(deed.ask)
            await recording.put(*_posts(recording, ask, deed, told, is_due=deed.ask in transition.pictures))
            if now is not None and now.runs and (now.is_over or deed.did == "undone"):
                await fill_in_counted(recording, ask, is_over=now.is_over)


def _posts(recording: Recording, ask: AnyAsk, deed: TrackedDeed, told: Sequence[Report], *, is_due: bool) -> list[Post]:
    assert ask.setup is not None
    place, parties = battle_place(ask.setup.key), set(ask.parties)
    posts = _deed_posts(recording, ask, deed)
    common = [one for one in told if set(one.to) == parties]
    posts += [Post(place=place, content=text) for text in pages(common)]
    for side in ask.parties:
        own = [one for one in told if one.is_for(side) and set(one.to) != parties]
        posts += [Post(place=side_place(side), content=text) for text in pages(own)]
    now = recording.adjudicator.tracking(ask.id)
    if now is not None and now.runs and (is_due or deed.did in ("begun", "undone")):
        view = recording.adjudicator.common_tactical_view(ask.id)
        text, row = f"**{view.board.heading}**", show_row(recording.campaign.id, mark_of(ask.id), "Tracker …")
        # Before anything is placed there is nothing to see.
        files = (TacticalMapFile(view=view),) if view.board.tactical is not None and view.board.tactical.units else ()
        posts.append(Post(place=place, content=text, card=Card(text, (row,)), files=files))
    if now is not None and now.is_over:
        posts.append(_flown(recording, ask, place))
    return posts


def _flown(recording: Recording, ask: AnyAsk, place: str) -> Post:
    """That the accounts are due, and come filled in with what was counted; with a button that fills them in anew."""
    if not recording.adjudicator.filled_in(ask.id):
        return Post(place=place, content=FLOWN)
    text = (
        f"{FLOWN} What became of the units is counted, and filled in where you had not begun: change what is not so. "
        "The button fills it in anew."
    )
    return Post(place=place, content=text, card=Card(text, (fill_row(recording.campaign.id, mark_of(ask.id)),)))


def _deed_posts(recording: Recording, ask: AnyAsk, deed: TrackedDeed) -> list[Post]:
    text = deed_text(recording.side_names, deed)
    if not text or ask.setup is None:
        return []
    wish = deed.wish if deed.did == "wished" else None
    card = None if wish is None else wished_card(recording.campaign.id, text, mark_of(ask.id), wish)
    return [Post(place=battle_place(ask.setup.key), content=text, card=card)]


def deed_text(names: dict[Side, str], deed: TrackedDeed) -> str:
    """What is said of a deed to all parties; nothing of a piece that was flown, which speaks for itself."""
    if deed.wish is not None and deed.did in ("wished", "unwished"):
        does = "wants to" if deed.did == "wished" else "no longer wants to"
        ways = " It is done when all sides want it." if deed.did == "wished" else ""
        return f"🛰️ {names[deed.side]} {does} {WISHES[deed.wish]}.{ways}"
    by = f" ({names[deed.side]})" if deed.side and deed.did in ("dropped", "gone on") else ""
    return f"{_DONE[deed.did]}{by}" if deed.did in _DONE else ""
