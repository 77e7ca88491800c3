"""Two worlds: the same campaign played twice, from the same seed, with something hidden from the watcher changed.

The bot is the real one, on simcord and a SQLite file. The watcher (ann) plays by forms and commands as a person does;
the others hand their sheets in to the bot's services. Whatever the watcher, a spectator and a passer-by can see is
written down at every moment at which the watcher is asked something.
"""

import asyncio
import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest import mock

import simcord
import sqlalchemy as sa

import map_render
from bot.client import PlotroomBot
from bot.errors import Sorry
from bot.interactions.late_pictures import LatePictures
from bot.letters.corresponding import Writing
from bot.letters.handing import ToHandOn
from bot.orders.open_prompt import OpenPrompt
from bot.records.letters.letter import LetterKind
from bot.records.signs.catalogue import SIGNS
from bot.seats import found_campaign
from bot.settings import HostSettings
from bot.store.database import Store, open_store
from bot.store.tables import OutboxRow
from rules_engine.core.basics import canonical_json, dice
from rules_engine.core.forms.order_text import write_sheet
from rules_engine.core.knowledge.views import SideView
from rules_engine.core.protocol.asks import AnyAsk
from tests.bot.worlds.simulated_server import SimulatedServer
from tests.chance import unsealed
from tests.databases import SQLITE, prepared_url
from tests.message_words import pressable
from tests.secrecy import curious, disputes, worlds
from tests.secrecy.seen import Eyes

CONFIG = Path(__file__).resolve().parents[2] / "config"
START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
WATCHER = "ann"
OTHERS = ("leo", "abe", "mia")
SEATS = (WATCHER, *OTHERS)
"""Who may command a side."""
ONLOOKERS = ("sam", "zoe")
WORDS = ("help", "status", "map", "next", "thanks")
"""Plain messages that are no orders."""
MOST_RESTS = 200
MOST_PRESSES = 14
"""Presses on one message and what lies behind it."""
NEVER = 10.0**9
PATIENCE = 60.0
"""Seconds after which a bot that is still busy has failed: a whole campaign opens slowly on a busy host."""
ROOM = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where databases are made: in memory if the host has such a place, since nothing needs to survive."""


class QuickEnv(simcord.Env):
    """simcord, looking every millisecond instead of every fifty whether the bot is idle."""

    async def _settle_internal(self, **options: Any) -> None:
        await super()._settle_internal(**{**options, "idle": 0.001})


class TwoWorlds(SimulatedServer):
    """A server that plays a world."""

    def __init__(self, store: Store, world: worlds.World, config: Path) -> None:
        self.world = world
        self.config = config
        self.campaign = ""
        self.record = worlds.Record()
        self._looked = 0
        self._leapt: set[int] = set()
        self._moved: set[int] = set()
        self._passed = 0.0
        self._pressed_desk = False
        self._explored: set[str] = set()
        super().__init__(store)

    def new_bot(self) -> PlotroomBot:
        """The real bot."""
        settings = HostSettings(_env_file=None, config_dir=self.config)  # type: ignore[call-arg]  pydantic-settings takes it
        bot = PlotroomBot(self.store, settings, now=self.now, clock_wait=self._clock_wait)
        bot.signs.learn({name: 10**18 + at for at, name in enumerate(SIGNS)})
        # Pictures that follow come when this play says so: how long they take is up to the host.
        bot.late = LatePictures(after=NEVER)
        bot.services.orders.pictures.after = timedelta(seconds=NEVER)
        return bot

    def now(self) -> datetime:
        """A fixed beginning, and the time that this play let pass. A look costs no time, so that looks cannot show.

        Not simcord's time: that runs on by itself when the host is so slow that a timer of the bot's libraries falls
        due, and two plays of one world would then differ by those seconds.
        """
        return START + timedelta(seconds=self._passed)

    async def later(self, seconds: float) -> None:
        """Let time pass, here and for simcord."""
        self._passed += seconds
        await super().later(seconds)

    @property
    def seated(self) -> dict[str, str]:
        """Who commands which side."""
        return dict(zip(SEATS, self.world.sides, strict=False))

    # --- the play ------------------------------------------------------------------------------------------------

    async def play(self) -> worlds.Record:
        """Play the world to its last turn."""
        world = self.world
        await self.slash(self.rita, "campaign create", title="Twin", scenario=world.scenario, **world.settings)
        for who, side in self.seated.items():
            await self.slash(self.people[who], "campaign join", side=side)
        await self.slash(self.sam, "campaign join", side="spectator")
        await self.slash(self.rita, "campaign start")
        self.campaign = next(one.id for one in await self.bot.services.campaigns.in_server(self.guild.id))
        chair = ("rita",) if world.chair else ()
        self.eyes = {name: Eyes(self, self.people[name]) for name in (WATCHER, *ONLOOKERS, *chair)}
        self.curious = curious.Curious(self, WATCHER)
        for _ in range(MOST_RESTS):
            referee = await self.referee()
            if referee.ending is not None or referee.turn > world.turns:
                break
            is_there = not world.until or any(ask.kind == world.until for ask in referee.open_asks())
            if is_there:
                for eyes in self.eyes.values() if world.until else ():
                    eyes.calls()  # what was before is not looked at
                await self._people_move(referee.turn)
                await self._rest(referee)
                await self._correct()
            else:
                await self._pass_by(referee)
            self.env.raise_errors()
            if world.until and is_there:
                break
        else:
            raise AssertionError("the campaign does not get on")
        self.look(f"the end of turn {world.turns}")
        await self.queries(whole=True)
        return self.record

    async def referee(self) -> Any:
        """The campaign in memory."""
        async with self.bot.services.runtime.loaded.use(self.campaign) as referee:
            return referee

    async def _people_move(self, turn: int) -> None:
        """Leo hands the seat over and gets it back, is away from the server and returns, where this world says so."""
        if turn not in self.world.people_move or turn in self._moved:
            return
        self._moved.add(turn)
        leo, mia = self.leo, self.mia
        for leaving, arriving in ((leo, mia), (mia, leo)):
            await self.slash(self.rita, "referee substitute", leaving=leaving.user, arriving=arriving.user)
            await leaving.user.click(self.prompt(leaving, "asks for your consent"), label="Agree")
            self.look("a seat has changed hands")
        self.guild.remove_member(leo)
        self.people["leo"] = self.guild.add_member(leo.user)
        with self.env._bot_scope():
            await self.bot.watch.look()
        await self.env.settle()
        self.look("leo is back")

    async def _correct(self) -> None:
        """The referee sets the calendar, where this world says so."""
        referee = await self.referee()
        date = self.world.leaps.get(referee.turn)
        is_planned = any(one.kind == "planning" for one in referee.open_asks())
        if date is not None and is_planned and referee.turn not in self._leapt:
            self._leapt.add(referee.turn)
            await self.correct(path="turn", value=str(date), reason="The days go by.")

    async def _rest(self, adjudicator: Any) -> None:
        """One batch of asks: everybody who is asked acts, and the batch closes."""
        mine = self.world.sides[0]
        others = [who for who in self.seated if who != WATCHER]
        others = others[::-1] if self.world.backwards else others
        seq = adjudicator.head.seq
        batch = {ask.id for ask in adjudicator.open_asks()}
        asked = bool(adjudicator.asks_for(mine))
        whole = asked and adjudicator.turn != self._looked
        if asked:
            self._looked = adjudicator.turn
            self.look(f"turn {adjudicator.turn}", whole=whole)
        for ask in [ask for ask in adjudicator.open_asks() if ask.is_shared and self.world.accounts]:
            await disputes.Dispute(self, ask).play()
        if not await self._still(batch):
            return
        if self.world.talk:
            await self._talk(others)
        early = others if self.world.others_first else []
        for who in early:
            await self._act(who, batch, press=False)
        if asked:
            await self.queries(whole=whole)
            await self._watchers_turn(adjudicator, whole=whole)
        for who in others:
            await self._act(who, batch, press=True)
        if await self._still(batch):
            seconds = ((await self.falls_at()) - self.now()).total_seconds()
            for part in (0.8, 0.21):  # the reminder, then the deadline
                if await self._still(batch):
                    await self.later(seconds * part)
        assert not await self._still(batch), "the batch does not close"
        assert (await self.referee()).head.seq > seq

    async def _pass_by(self, adjudicator: Any) -> None:
        """One batch of asks that everybody answers and nobody looks at."""
        batch = {ask.id for ask in adjudicator.open_asks()}
        for who in self.seated:
            await self._act(who, batch, press=True)
        if await self._still(batch):
            await self.later(((await self.falls_at()) - self.now()).total_seconds())
        assert not await self._still(batch), "the batch does not close"

    async def _still(self, batch: set[str]) -> bool:
        referee = await self.referee()
        return bool(batch) and {ask.id for ask in referee.open_asks()} == batch

    def _chance(self, side: str, ask: AnyAsk) -> Random:
        """The source of one answer: of the world's seed and of what is asked, and of nothing that others did."""
        return Random(f"{self.world.seed}/{side}/{ask.kind}/{ask.title}")

    def _answer(self, adjudicator: Any, side: str, ask: AnyAsk) -> Any:
        policy = self.world.policies.get(side, worlds.as_it_comes)
        if len(ask.parties) > 1:  # accounts of battles must agree
            return worlds.as_it_comes(adjudicator, ask.parties[0], ask, Random(f"{self.world.seed}/{ask.title}"))
        return policy(adjudicator, side, ask, self._chance(side, ask))

    # --- the others ----------------------------------------------------------------------------------------------

    async def _talk(self, others: Sequence[str]) -> None:
        """The others write to each other: letters, offers that are accepted and given notice of, a map handed on."""
        one, other = others[:2]
        with self.env._bot_scope():
            await self._say(one, other, Writing("Let us fall upon the third of us."))
            await self._say(other, one, Writing("Gladly.\nWhen?"))
            ((offer, _),) = await self._say(one, other, Writing("Peace between us.", LetterKind.OFFER))
            await self._say(other, one, Writing(offer.text, LetterKind.ACCEPT, about=offer.number))
            await self._say(one, other, Writing("", LetterKind.NOTICE, about=offer.number, until=offer.turn + 1))
            handing, user = self.bot.services.letters.handing, self.people[one].id
            board = (await self.referee()).view(self.seated[one]).board
            around = ToHandOn(hexes=(board.counters[0].hex,), with_own=True)
            draft, _ = await handing.prepare(self.campaign, user, [self.seated[other]], around, "As I see it.")
            await self.bot.services.letters.writing.send_prepared(draft.token, user)
        await self.people[other].user.send_dm(f"to {board.name_of(self.seated[one])}: Not sent yet.")
        await self.bot.delivery.settled()
        await self.env.settle()
        self.record.hidden.append(f"{one} and {other} talked")

    async def _say(self, who: str, to: str, writing: Writing) -> Any:
        writes = self.bot.services.letters.writing.write
        return await writes(self.campaign, self.people[who].id, [self.seated[to]], writing)

    async def _act(self, who: str, batch: set[str], *, press: bool) -> None:
        """Somebody else hands in sheets, with mistakes and changes of mind."""
        with self.env._bot_scope():  # so that simcord waits for what that sets going
            await self._hand_in(who, batch, press=press)
        await self.env.settle()

    async def _hand_in(self, who: str, batch: set[str], *, press: bool) -> None:
        side, user = self.seated[who], self.people[who].id
        orders = self.bot.services.orders
        referee = await self.referee()
        if not {ask.id for ask in referee.asks_for(side)} & batch or side in self.world.silent:
            return
        prompts = _called(await orders.prompts.open_prompts(self.campaign, user))
        for prompt in reversed(prompts) if self.world.backwards else prompts:
            shared = len(prompt.ask.parties) > 1
            document = self._answer(referee, side, prompt.ask)
            for number in range(self.world.mistakes):
                with contextlib.suppress(Sorry):
                    await orders.filling.write(prompt.token, user, f"nonsense {number}: what; of all = things")
            with contextlib.suppress(Sorry):
                for number in range(0 if shared else self.world.restless):
                    await orders.filling.fill(prompt.token, user, prompt.ask.form.prefilled())
                    await orders.readiness.say(prompt.token, user, is_ready=number % 2 == 0)
                    await orders.readiness.say(prompt.token, user, is_ready=False)
                if document is not None:
                    self.record.hidden.append(f"{side} {prompt.ask.kind} {canonical_json.digest(document)}")
                    await orders.filling.fill(prompt.token, user, _sheet(prompt.ask, document))
                if shared:
                    await orders.accounts.hand_in(prompt.token, user)
        if press and side not in self.world.late and prompts:
            with contextlib.suppress(Sorry):
                for prompt in [one for one in prompts if len(one.ask.parties) == 1][:1]:
                    await orders.readiness.say(prompt.token, user, is_ready=True)

    # --- the watcher ---------------------------------------------------------------------------------------------

    def look(self, when: str, *, whole: bool = True) -> None:
        """Write down what the bot did since the last look, and (``whole``) everything visible."""
        for name, eyes in self.eyes.items():
            seen = eyes.everything() if whole else []
            self.record.moments.append((f"{name}, {when}", *seen, *eyes.calls()))

    def note(self, what: str, lines: Sequence[str]) -> None:
        self.record.moments.append((what, *lines))

    async def _look_up(self) -> None:
        """Each of the watcher's tables, and the odds of the first thing of its own against the first thing known."""
        eyes, ann = self.eyes[WATCHER], self.ann
        tables = await ann.autocomplete(self.hall, "ledger", "which", "")
        self.note("completions", eyes.completions(tables))
        for one in tables:
            self.note("/ledger", eyes.answer(await self.slash(ann, "ledger", which=one["value"])))
        own, targets = [await ann.autocomplete(self.hall, "odds", option, "") for option in ("own", "target")]
        self.note("completions", eyes.completions([*own, *targets]))
        for mine, target in zip(own[:1], targets[:1], strict=False):
            self.note("/odds", eyes.answer(await self.slash(ann, "odds", own=mine["value"], target=target["value"])))

    async def queries(self, *, whole: bool) -> None:
        """The watcher and the onlookers ask for everything they may see, and for what they may not; else for the
        map."""
        eyes, ann = self.eyes[WATCHER], self.ann
        looks = (
            "forces", "dossier", "economy", "plots", "help", "log", "orders show", "orders standing", "missions",
            "battle",
        )  # fmt: skip
        everything = (*looks, "campaign status", "next", "brief", "letters", "diplomacy")
        self.curious.something_is_new()
        if whole and self.world.looks_on:
            await curious.referees_evening(self)
        for command in everything if whole else ():
            result = await self.slash(ann, command)
            self.note(f"/{command}", eyes.answer(result))
            if result.response is None:
                continue
            if self.world.curious:
                await self.curious.explore(result.response._message, most=MOST_PRESSES)
            elif command in {"forces", "dossier", "log"}:
                await self._press_all(WATCHER, result.response._message)
        self.note("/map text", eyes.answer(await self.slash(ann, "map", text=True)))
        if self.world.pictures:
            self.note("/map", eyes.answer(await self.slash(ann, "map")))
        await self._behind_the_bulletin(whole=whole)
        if not whole:
            return
        await self._look_up()
        self.note("completions", eyes.completions(await ann.autocomplete(self.hall, "orders show", "sheet", "")))
        await self._letters()
        for name in ONLOOKERS:
            for command in ("campaign status", "forces", "dossier", "map", "help"):
                options = {"text": True} if command == "map" else {}
                result = await self.slash(self.people[name], command, **options)
                self.note(f"{name} /{command}", self.eyes[name].answer(result))
        if self.world.curious and not self._pressed_desk:
            self._pressed_desk = True
            for who in (WATCHER, *ONLOOKERS):
                await curious.press_a_desk(self, who, (await self.channel("public")).history()[-1])

    async def _letters(self) -> None:
        """The watcher's own letters, and what the others who watch or referee are told of any."""
        for command, option in (("letter", "to"), ("letters", "with"), ("hand-on", "contact")):
            offered = await self.ann.autocomplete(self.hall, command, option, "")
            self.note(f"{command} {option}", self.eyes[WATCHER].completions(offered))
        if self.world.writes:
            for to in self.world.sides[1:]:
                wrote = await self.slash(self.ann, "letter", to=to, text="Good day to you.")
                self.note("/letter", self.eyes[WATCHER].answer(wrote))
                offered = await self.slash(self.ann, "offer", to=to, terms="Peace between us.")
                self.note("/offer", self.eyes[WATCHER].answer(offered))
        for name in (*ONLOOKERS, *(("rita",) if self.world.chair else ())):
            for command in ("letters", "diplomacy", *(("referee status", "referee late") if name == "rita" else ())):
                result = await self.slash(self.people[name], command)
                self.note(f"{name} /{command}", self.eyes[name].answer(result))

    async def _behind_the_bulletin(self, *, whole: bool) -> None:
        """The watcher presses every button of the last bulletin; and (``whole``) each why on the page that this opens,
        and an onlooker those of the last public post that has any."""
        side, public = f"side:{self.world.sides[0]}", "public"
        for who, key in ((WATCHER, side), *(((WATCHER, public), (ONLOOKERS[0], public)) if whole else ())):
            posts = self.env.backend.messages.get((await self.channel(key)).id, {}).values()
            for post in [one for one in posts if pressable(one)][-1:]:
                for page in await self._press_all(who, post):
                    if whole:
                        await self._press_all(who, page)

    async def _press_all(self, who: str, stored: Any) -> list[Any]:
        """Press every button of a message; gives the answers that have buttons themselves, but for the sheet that
        *Next* opens: whoever presses all of a sheet plays another game."""
        message = self.handle(stored)
        pages: list[Any] = []
        for pressed in [one for one in pressable(stored) if not one.get("disabled")]:
            options = pressed.get("options")
            values = None if options is None else [options[0]["value"]]
            result = await self.forge(self.people[who], message, pressed["custom_id"], values)
            self.note(f"{who} presses {pressed.get('label', values)}", self.eyes[who].answer(result))
            answers = [] if result.response is None else [result.response._message]
            pages += [one for one in answers if pressable(one) and pressed.get("label") != "Next"]
        return pages

    async def _watchers_turn(self, adjudicator: Any, *, whole: bool) -> None:
        """The watcher types nonsense, guesses at the enemy, then real orders; and is ready."""
        orders, user = self.bot.services.orders, self.ann.id
        side = self.world.sides[0]
        eyes = self.eyes[WATCHER]
        prompts = _called(await orders.prompts.open_prompts(self.campaign, user))
        for prompt in prompts[:1] if whole else ():
            await self._write(prompt, self._answer(adjudicator, side, prompt.ask))
        for prompt in prompts if self.world.curious and self._explores(prompts) else ():
            for stored in self.cards_of(prompt.token):
                await self.curious.explore(stored, most=MOST_PRESSES)
                back = await self.forge(self.ann.user, self.handle(stored), f"p|{prompt.token}|card|")
                self.note("opens it again", eyes.answer(back))
        for prompt in prompts:
            for text in illegal_orders(prompt.ask, self.guesses if whole else ()):
                self.note(f"typed {text}", eyes.answer(await self._type(prompt.token, text)))
            if whole:
                sheet = await self.forge(self.ann.user, self._card(prompt.token), f"p|{prompt.token}|sheet|")
                self.note("whole sheet", eyes.answer(sheet))
            document = self._answer(adjudicator, side, prompt.ask)
            if len(prompt.ask.parties) > 1:
                with self.env._bot_scope(), contextlib.suppress(Sorry):
                    await orders.filling.fill(prompt.token, user, _sheet(prompt.ask, document))
                    await orders.accounts.hand_in(prompt.token, user)
                await self.env.settle()
                continue
            text = write_sheet(prompt.ask.form, _sheet(prompt.ask, document), notes=False)
            self.note("orders", eyes.answer(await self._type(prompt.token, text)))
        if side not in self.world.late and any(len(one.ask.parties) == 1 for one in prompts):
            self.note("/orders ready", eyes.answer(await self.slash(self.ann, "orders ready")))

    def _explores(self, prompts: Sequence[OpenPrompt]) -> bool:
        """Whether there are sheets of a kind that the watcher has not pressed before."""
        kinds = {one.ask.kind for one in prompts}
        is_new = not kinds <= self._explored
        self._explored |= kinds
        return is_new

    async def _write(self, prompt: OpenPrompt, document: Any) -> None:
        """The watcher writes plain messages: words, nonsense, guesses, and real orders that are then not saved. What
        comes of them stands among the direct messages at the next look."""
        real = write_sheet(prompt.ask.form, _sheet(prompt.ask, document), notes=False)
        plain = [f"move {prompt.ask.form.lines[0].key} to {guess}" for guess in self.guesses]
        for text in (*WORDS, *illegal_orders(prompt.ask, self.guesses), *plain, real[:1_900]):
            await self.ann.user.send_dm(text)
        await self.bot.delivery.settled()
        await self.env.settle()

    guesses: Sequence[str] = ()

    def _card(self, token: str) -> Any:
        """The watcher's message with this sheet."""
        return self.handle(self.cards_of(token)[0])

    def cards_of(self, token: str, who: str = WATCHER) -> list[Any]:
        """The direct messages with this sheet, as they are stored."""
        stored = self.env.backend.messages[self.people[who].user.dm_channel.id].values()
        return [one for one in stored if f"p|{token}|" in json.dumps(one.components)]

    def handle(self, stored: Any) -> Any:
        """A stored message, to be pressed."""
        return SimpleNamespace(id=stored.id, channel=SimpleNamespace(id=stored.channel_id))

    def actor(self, who: str, stored: Any) -> Any:
        """Somebody as they press a stored message: a member of the server there, and a user in direct messages."""
        person = self.people[who]
        return person.user if stored.channel_id == person.user.dm_channel.id else person

    async def late_pictures(self) -> None:
        """Have everything drawn that answers did not wait for."""
        late = self.bot.late
        for message_id, timer in tuple(late._timers.items()):
            _, work = timer._args  # type: ignore[attr-defined]  asyncio's own
            timer.cancel()
            late._begin(message_id, work)
        await asyncio.gather(*late._tasks)
        async with self.store.write() as tx:
            sql = sa.update(OutboxRow).where(OutboxRow.kind == "redraw").values(not_before=self.now())
            await tx.connection.execute(sql)
        with self.env._bot_scope():
            self.bot.delivery.kick()
        await self.env.settle()

    async def _type(self, token: str, text: str) -> Any:
        """Send the form for typed orders."""
        return await self.forge_modal(self.ann.user, self._card(token), f"m|{token}|text|0", text=text)


def illegal_orders(ask: AnyAsk, guesses: Sequence[str]) -> Iterator[str]:
    """Orders that cannot be meant: each names something that is not the watcher's own, and may be the enemy's."""
    line = ask.form.lines[0]
    yield "complete nonsense"
    for guess in guesses:
        yield f"{guess}: speed 3"
        for one in ask.form.lines:
            targets = [part for part in one.fields if part.key in {"target", "against", "other", "task_force"}]
            if targets:
                yield f"{one.key}: {targets[-1].key} {guess}"
                break
    yield f"{line.key}: {line.fields[0].key} 99999999"


def _called(prompts: Sequence[OpenPrompt]) -> list[OpenPrompt]:
    """The prompts to which somebody is called, or with which play waits: others have no message of their own."""
    return [prompt for prompt in prompts if prompt.ask.awaited or prompt.ask.holds]


def _sheet(ask: AnyAsk, document: Any) -> Any:
    """A document as the sheet that a person would have filled in."""
    return ask.sheet_of(ask.answer_from(document))


# --- running -----------------------------------------------------------------------------------------------------
def watch(world: worlds.World, *, guesses: Sequence[str] = ()) -> worlds.Record:
    """Play a world from beginning to end and give the record of what was seen."""
    return asyncio.run(_watch(world, guesses))


async def _watch(world: worlds.World, guesses: Sequence[str]) -> worlds.Record:
    with tempfile.TemporaryDirectory(dir=ROOM) as folder, _sealed(world), _loaded(world), _drawn(world):
        config = Path(folder) / "config"
        _scenario(world, config)
        store = await open_store(prepared_url(Path(folder), SQLITE))
        played = TwoWorlds(store, world, config)
        played.guesses = guesses
        env = QuickEnv(played.bot, settle_timeout=PATIENCE)
        played.env = env
        try:
            await env.start()
            played.build(env)
            record = await played.play()
            await env.settle()
            await played.bot.delivery.settled()  # else what is under way outlives the database
            return record
        finally:
            await env.shutdown()
            await store.close()


def _scenario(world: worlds.World, config: Path) -> None:
    """A copy of the configuration with this world's scenario changed."""
    shutil.copytree(CONFIG, config)
    for name, change in world.files.items():
        path = config / "scenarios" / world.scenario / name
        before = path.read_text()
        after = change(before)
        assert after != before, f"nothing changed in {name}"
        path.write_text(after)


@contextlib.contextmanager
def _sealed(world: worlds.World) -> Iterator[None]:
    """The same campaign id and dice in both worlds: they are random, and not a secret of any side."""
    fixed = SimpleNamespace(choice=lambda letters: letters[0], token_bytes=lambda n: bytes([world.seed % 256]) * n)
    with mock.patch.object(found_campaign, "secrets", fixed):
        yield


@contextlib.contextmanager
def _loaded(world: worlds.World) -> Iterator[None]:
    """Dice loaded as this world says, and the same in both by place, label and ordinal: a secret answer that differs is
    in the seal, and would have other dice fall."""
    real = dice.DiceStream.draw

    def draw(self: dice.DiceStream, label: str, ordinal: int, die: dice.Die, count: int) -> tuple[int, ...]:
        loaded = (faces for end, faces in world.dice.items() if label.endswith(end))
        return next(loaded, None) or real(unsealed(self), label, ordinal, die, count)

    with mock.patch.object(dice.DiceStream, "draw", draw):
        yield


_pictures: dict[tuple[str, str, str], Any] = {}
RENDERERS = ("render_side", "render_public", "render_crop", "render_card_map", "render_card_crop")
"""What draws views."""


@contextlib.contextmanager
def _drawn(world: worlds.World) -> Iterator[None]:
    """Draw each view once in all worlds, and none for sides that nobody watches: drawing is most of the time.

    A picture is made from nothing but its view; worlds with ``pictures`` draw everything again to prove it.
    """
    if world.pictures:
        yield
        return
    reals = {name: getattr(map_render, name) for name in RENDERERS}

    def drawing(real: Any) -> Any:
        def draw(view: Any, *given: Any, **options: Any) -> Any:
            mark = canonical_json.digest(view.model_dump(mode="json"))
            if isinstance(view, SideView) and view.side != world.sides[0]:
                # so that a picture in the wrong place is noticed
                return map_render.MapImage(png=mark.encode(), width=1, height=1, alt=mark)
            key = (real.__name__, mark, str((given, options)))
            if key not in _pictures:
                _pictures[key] = real(view, *given, **options)
            return _pictures[key]

        return draw

    with mock.patch.multiple(map_render, **{name: drawing(real) for name, real in reals.items()}):
        yield
