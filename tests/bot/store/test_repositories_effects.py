"""Effects in the outbox, and what the bot remembers of itself and of interactions."""

from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from typing import Annotated, Any, get_args, get_origin

import pytest
import sqlalchemy as sa

from bot.records import outbox, places
from bot.records.components import ButtonSpec, Card, Layout, MenuSpec
from bot.records.effects import (
    Admit,
    Announcement,
    Archive,
    BattleThread,
    ClosePrompt,
    Dismiss,
    Effect,
    Grant,
    Notice,
    Post,
    Provision,
    Reconcile,
    Redraw,
    Refresh,
    Rename,
    Revoke,
    Unreadable,
    Wake,
    effect_of,
    kept_of,
)
from bot.records.files import (
    AccountFile,
    BattleDetailsFile,
    BattleFile,
    CardMapFile,
    FileSpec,
    FilmFile,
    HandedMapFile,
    OwnUnitsFile,
    PublicMapFile,
    SideMapFile,
    TacticalMapFile,
    TextFile,
    UnreadableFile,
    WholeMapFile,
)
from bot.store import database, errors, tables
from bot.verification.export_file import read_export
from rules_engine import rulebooks
from rules_engine.core.knowledge.battle_outcome import BattleOutcome, UnitOutcome
from rules_engine.core.knowledge.views import OmniscientView, PartiesView
from rules_engine.core.protocol.asks import BattleSetup
from rules_engine.core.records.journal import Genesis, Revealed
from rules_engine.core.running.adjudicator import Adjudicator
from tests.bot.store.samples import NOON
from tests.expected.kept import cases
from tests.journals.record import path_of
from tests.toy_tracker import BATTLE, TRACKER

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
WORDS = 'Ünï — “é” \\ " \t\n🚀 \u2028 <@1> ' + "x" * 4_000
BIG = 2**62 + 1
"""A Discord id, and more than a float holds."""

BUTTON: ButtonSpec = {"type": "button", "id": "p|t|go|", "label": "Go", "style": "success", "disabled": True}
MENU: MenuSpec = {
    "type": "select", "id": "p|t|pick|", "placeholder": "Which?",
    "options": [{"value": "a", "label": "A", "description": "first", "default": True}], "min": 0, "max": 1,
}  # fmt: skip
FRAME = Layout(
    (
        {"type": "text", "text": WORDS},
        {"type": "picture", "name": "map.png", "alt": WORDS},
        {"type": "rule"},
        {"type": "section", "text": WORDS, "button": {**BUTTON, "id": "p|t|edit|", "sign": "pin_1"}},
        {"type": "row", "row": (BUTTON, {**BUTTON, "id": "p|t|no|"})},
        {"type": "row", "row": (MENU,)},
    ),
    0x5CB8EE,
)
CARD = Card(WORDS, ((BUTTON, {**BUTTON, "id": "p|t|no|"}), (MENU,)), FRAME, (CardMapFile(side="red", area=("0101",)),))


@cache
def seen_in_play() -> tuple[tuple[SideMapFile, ...], PublicMapFile, BattleFile]:
    """Views of both sides and of everybody, and a battle's set-up with secrets, of the campaign that was recorded."""
    entries = read_export(path_of("pq17/intro"))
    genesis, revealed = entries[0].body, entries[-1].body
    assert isinstance(genesis, Genesis)
    assert isinstance(revealed, Revealed)
    adjudicator: Adjudicator[Any] = Adjudicator(rulebooks.rulebook("pq17"), genesis, bytes.fromhex(revealed.seed))
    setup: BattleSetup | None = None
    for entry in entries:
        setups = [ask.setup for ask in adjudicator.repeat(entry).opened if ask.setup is not None]
        if setups:
            setup = setups[0]
            break
    assert setup is not None
    assert setup.panels
    assert setup.scene is not None
    views = tuple(SideMapFile(view=adjudicator.view(label.key)) for label in adjudicator.sides)
    assert any(file.view.board.counters for file in views)
    return views, PublicMapFile(view=adjudicator.public_view()), BattleFile(sheet=setup)


def files() -> tuple[FileSpec, ...]:
    """One of each kind and more."""
    views, public, battle = seen_in_play()
    details = BattleDetailsFile(sheet=battle.sheet)
    own = OwnUnitsFile(sheet=battle.sheet.seen_by("alliance"), side="alliance")
    scene = battle.sheet.scene
    assert scene is not None
    outcome = BattleOutcome(
        parties=scene.parties,
        forces=tuple((party.label.key,) for party in scene.parties),
        units=(UnitOutcome(code="AT1", side="alliance", says=WORDS, ending="hurt"),),
    )
    maps = (
        CardMapFile(side="red"),
        CardMapFile(side="", area=("0101", "0202"), pins=("0101",)),
        CardMapFile(side=views[0].view.side, pins=(), view=views[0].view),
        CardMapFile(side="", view=public.view),
        CardMapFile(side="red", battle="T1/battle/blue+red"),
    )
    handed = HandedMapFile(view=views[0].view, area=("0101", "0202"))
    flown = TRACKER.common_board(TRACKER.begin(BATTLE, {}, late=False), BATTLE)
    own_words = TextFile(name="battle.txt", text=WORDS)
    return (
        *views, public, battle, details, own, *maps, handed, AccountFile(outcome=outcome), FilmFile(until=75),
        FilmFile(until=75, battle="T1/battle/blue+red"),
        WholeMapFile(view=OmniscientView(omniscient=public.view.public)),
        TacticalMapFile(view=PartiesView(parties=("blue", "red"), board=flown)), own_words, UnreadableFile(),
    )  # fmt: skip


def effects(attached: tuple[FileSpec, ...]) -> tuple[Effect, ...]:
    """List every kind of effect; posts and threads carry what is attached."""
    return (
        Provision(), Reconcile(users=(BIG,)),
        Grant(user_id=BIG, role="side:red"), Revoke(user_id=BIG, role="@spectator"),
        Rename(side="seat-2"), Post(place="public", content=WORDS, files=attached),
        Post(dm=BIG, content=WORDS, card=CARD, prompt="tok", fallback="side:red"),
        Post(), Refresh(token="tok", card=CARD, dm=BIG, message=BIG + 1), Refresh(token="tok", card=Card("")),
        Redraw(token="tok", card=CARD, message=BIG + 1), ClosePrompt(token="tok", content=WORDS, dm=BIG),
        ClosePrompt(token="tok", content=""),
        BattleThread(key="P1/battle/1", name=WORDS, members=(BIG, BIG + 1), content=WORDS, files=attached),
        BattleThread(key="P1/battle/2", name=WORDS, sides=("red", "blue")),
        Admit(user_id=BIG, key="P1/battle/1"), Dismiss(user_id=BIG), Archive(key="P1/battle/1", content=WORDS),
        Wake(key="P1/battle/1"), Notice(content=WORDS), Announcement(card=CARD, channel=BIG), Unreadable(was="dance"),
    )  # fmt: skip


EFFECT_KINDS = [effect.kind for effect in effects(())]


async def came_out(store: database.Store, queue: str) -> outbox.OutboxItem:
    async with store.read() as tx:
        item = await tx.outbox.first_of(outbox.OutboxQueue("c1", queue))
    assert item is not None
    return item


async def written(store: database.Store, kind: str, payload: Any) -> Effect:
    """What is read of a row that lies in the database so."""
    row = {"campaign_id": "c1", "lane": "q", "kind": kind, "payload": payload, "created_at": NOW, "about": ""}
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(tables.OutboxRow), row)
    return (await came_out(store, "q")).effect


# --- there and back ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("at", range(len(EFFECT_KINDS)), ids=EFFECT_KINDS)
async def test_an_effect_comes_out_as_it_was_put_in(store: database.Store, at: int) -> None:
    effect = effects(files())[at]
    async with store.write() as tx:
        await tx.outbox.put("c1", effect, now=NOW)
    item = await came_out(store, effect.queue)
    assert item.effect == effect
    assert type(item.effect) is type(effect)
    assert (item.queue, item.created_at) == (outbox.OutboxQueue("c1", effect.queue), NOW)
    async with store.read() as tx:
        assert await tx.outbox.latest("c1", effect.kind, effect.about) == effect
        assert await tx.outbox.since("c1", effect.queue, NOW.replace(hour=1)) == [effect]


def test_every_kind_of_effect_and_of_file_is_among_those() -> None:
    assert {type(effect) for effect in effects(())} == set(get_args(Effect))
    kinds = get_args(FileSpec)[0]
    while get_origin(kinds) is Annotated:
        kinds = get_args(kinds)[0]
    assert {type(file) for file in files()} == set(get_args(kinds))


def test_each_kind_has_a_name_of_its_own_and_keeps_its_queue() -> None:
    assert len({effect.kind for effect in effects(())}) == len(get_args(Effect))
    where = {effect.kind: (effect.queue, effect.about) for effect in effects(()) if effect != Post()}
    assert where == {
        "provision": ("setup", ""), "reconcile": ("reconcile", str(BIG)),
        "grant": ("setup", ""), "revoke": ("setup", "@spectator"),
        "rename": (places.lane_of("name:seat-2"), ""), "post": (f"dm:{BIG}", "tok"), "refresh": ("setup", "tok"),
        "redraw": (places.lane_of(f"picture:{BIG + 1}"), "tok"), "close_prompt": ("setup", "tok"),
        "thread": ("battles", "P1/battle/2"), "admit": ("battles", ""), "dismiss": ("battles", ""),
        "archive": (places.lane_of("battle:P1/battle/1"), "P1/battle/1"),
        "wake": (places.lane_of("wake:P1/battle/1"), "P1/battle/1"),
        "notice": ("trouble", ""), "announcement": ("announcement", ""), "unreadable": ("setup", ""),
    }  # fmt: skip
    assert Post(place="public", content="x").queue == "public"
    assert Refresh(token="t", card=CARD, dm=7).queue == ClosePrompt(token="t", content="", dm=7).queue == "dm:7"


# --- what another version wrote ---------------------------------------------------------------------------------------
async def test_a_post_of_an_earlier_version_is_read_without_what_is_no_longer_known(store: database.Store) -> None:
    kept = {
        "place": "public", "content": "No contact.", "files": [], "mention_users": [1, 2], "mention_role": "side:red",
    }  # fmt: skip
    assert await written(store, "post", kept) == Post(place="public", content="No contact.")


def test_a_film_of_an_earlier_version_is_of_all_and_one_of_all_is_kept_as_then() -> None:
    kept = {"place": "public", "files": [{"kind": "film", "until": 75}]}
    read = effect_of("post", kept)
    assert read == Post(place="public", files=(FilmFile(until=75),))
    assert kept_of(read)["files"] == kept["files"]


async def test_a_battles_thread_of_an_earlier_version_is_read(store: database.Store) -> None:
    _, _, battle = seen_in_play()
    kept = {
        "key": "P1/battle/1", "name": "Battle", "parties": ["alliance", "league"], "members": [BIG],
        "content": "Play it by hand.",
        "files": [
            {"kind": "sheet", "sheet": battle.sheet.model_dump(mode="json")},
            {"kind": "text", "name": "battle.txt", "text": "a", "encoding": "utf-8"},
        ],
        "mention_users": [BIG],
        "private": {"alliance": {"content": "the reserve is near"}},
    }  # fmt: skip
    assert await written(store, "thread", kept) == BattleThread(
        key="P1/battle/1", name="Battle", members=(BIG,), content="Play it by hand.",
        files=(battle, TextFile(name="battle.txt", text="a")),
    )  # fmt: skip


async def test_a_card_of_an_earlier_version_is_read(store: database.Store) -> None:
    rows = [[{**BUTTON}], [{**MENU}]]
    kept = {"dm": 7, "content": "Plot.", "card": {"content": "Plot.", "rows": rows}, "prompt": "tok", "files": []}
    effect = await written(store, "post", kept)
    assert effect == Post(dm=7, content="Plot.", card=Card("Plot.", ((BUTTON,), (MENU,))), prompt="tok")


@cases("kind, payload", "")
async def test_what_is_no_effect_is_known_as_unreadable_and_holds_nothing_up(
    store: database.Store, kind: str, payload: dict[str, Any]
) -> None:
    assert await written(store, kind, payload) == Unreadable(was=kind)
    async with store.write() as tx:
        await tx.outbox.put("c1", Notice(content="behind"), now=NOW, queue="q")
        await tx.outbox.failed(await came_out(store, "q"), "broken")
    assert (await came_out(store, "q")).effect == Notice(content="behind")


async def test_its_kind_is_that_of_its_column_whatever_its_payload_says(store: database.Store) -> None:
    kept = {"kind": "grant", "user_id": 7, "role": "@referee", "content": "hello", "place": "public"}
    assert await written(store, "post", kept) == Post(place="public", content="hello")


@cases("file", "")
async def test_a_file_that_is_none_does_not_keep_the_words_back(store: database.Store, file: Any) -> None:
    good = {"kind": "text", "name": "a.txt", "text": "a"}
    kept = {"place": "public", "content": "Turn 1.", "files": [good, file, good]}
    text = TextFile(name="a.txt", text="a")
    found = await written(store, "post", kept)
    assert found == Post(place="public", content="Turn 1.", files=(text, UnreadableFile(), text))


async def test_a_view_that_knows_more_than_this_version_is_no_file(store: database.Store) -> None:
    """A picture that leaves out what a newer version would draw might show what it hides."""
    views, _, _ = seen_in_play()
    view = {**views[0].view.model_dump(mode="json"), "fog": True}
    effect = await written(store, "post", {"place": "side:alliance", "files": [{"kind": "side_map", "view": view}]})
    assert effect == Post(place="side:alliance", files=(UnreadableFile(),))


# --- what the bot remembers of itself, and of the interactions that it has carried out --------------------------------
async def test_the_last_sign_of_life_is_the_one_that_counts(store: database.Store) -> None:
    async with store.write() as tx:
        assert await tx.installation.last_alive() is None
        await tx.installation.sign_of_life(NOON)
    later = (NOON + timedelta(seconds=30, microseconds=1)).astimezone(timezone(timedelta(hours=2)))
    async with store.write() as tx:
        assert await tx.installation.last_alive() == NOON
        await tx.installation.sign_of_life(later)
    async with store.read() as tx:
        assert await tx.installation.last_alive() == later


async def test_an_interaction_is_carried_out_once(store: database.Store) -> None:
    async def carry_out(interaction: int) -> None:
        async with store.write() as tx:
            await tx.installation.sign_of_life(NOON + timedelta(seconds=interaction % 100))
            await tx.installation.mark_seen(interaction, NOON)

    await carry_out(2**62)
    await carry_out(2**62 + 1)
    with pytest.raises(errors.SeenBefore):
        await carry_out(2**62)
    async with store.read() as tx:
        assert await tx.installation.last_alive() == NOON + timedelta(seconds=(2**62 + 1) % 100), "it left nothing"


async def test_interactions_are_forgotten_from_before_a_moment_and_no_others(store: database.Store) -> None:
    async with store.write() as tx:
        for number in range(3):
            await tx.installation.mark_seen(number, NOON + timedelta(hours=number))
        await tx.installation.forget_interactions(NOON + timedelta(hours=1))
        await tx.installation.mark_seen(0, NOON)
    for number in (1, 2):
        with pytest.raises(errors.SeenBefore):
            async with store.write() as tx:
                await tx.installation.mark_seen(number, NOON)


async def test_the_commands_that_were_registered_are_known_by_application(store: database.Store) -> None:
    async with store.write() as tx:
        await tx.installation.set_registered_commands(1, "a")
        await tx.installation.set_registered_commands(None, "b")
        await tx.installation.set_registered_commands(1, "c")
    async with store.read() as tx:
        assert [await tx.installation.registered_commands(of) for of in (1, None, 2)] == ["c", "b", None]


async def test_a_public_map_is_new_if_it_shows_what_the_last_one_did_not(store: database.Store) -> None:
    told: list[bool] = []
    for campaign, digest in (("c1", "a"), ("c1", "a"), ("c2", "a"), ("c1", "b"), ("c1", "a"), ("c2", "a")):
        async with store.write() as tx:
            told.append(await tx.installation.is_public_map_new(campaign, digest))
    assert told == [True, False, True, True, True, False]
