"""A server on which battles of the rulebooks that are installed are played by hand: from the sheet to the account."""

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from simcord.results import InteractionResult

from bot.campaigns import runtime
from bot.client import PlotroomBot
from bot.seats import found_campaign
from bot.settings import HostSettings
from bot.store.tables import PlaceRow, PromptRow
from rules_engine.core.basics.dice import DiceStream, Die
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server
from tests.chance import NONCE, Falls
from tests.message_words import pressable

Orders = Mapping[tuple[str, str], str]
"""What is typed into a sheet, by its kind and side; other sheets are left as they stand."""
MOST_RESTS = 16


class FoughtServer(SimulatedServer):
    """The same server with what is installed, and the scenarios of a folder laid over it. Rita referees, sam watches;
    ``seats`` say who commands which side."""

    folder: Path | None = None
    seats: Mapping[str, str]

    def new_bot(self) -> PlotroomBot:
        settings = HostSettings(_env_file=None, config_dir=self.folder)  # type: ignore[call-arg]  pydantic-settings takes it
        return PlotroomBot(self.store, settings, now=self.now, clock_wait=self._clock_wait)

    def of(self, side: str) -> Any:
        """A side's commander."""
        return self.people[next(name for name, one in self.seats.items() if one == side)]

    async def to_battle(self, scenario: str, orders: Orders) -> str:
        """A campaign is founded, and all hand in their orders until a battle is to be played; gives its key."""
        campaign = await self.found("Fought", scenario=scenario)
        for name, side in {**self.seats, "sam": "spectator"}.items():
            result = said(await self.slash(self.people[name], "campaign join", side=side, campaign=campaign))
            assert "You command" in result or "You watch" in result, result
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=campaign))
        for _ in range(MOST_RESTS):
            async with self.store.read() as tx:
                found = await tx.connection.execute(sa.select(PromptRow).where(PromptRow.status == "open"))
                prompts = [(row["side"], row["kind"], row["token"]) for row in found.mappings()]
            if any(kind == "battle" for _, kind, _ in prompts):
                (thread,) = [key for key in await self.places() if key.startswith("battle:")]
                return thread
            for side, kind, token in prompts:
                user, services = self.of(side).user.id, self.bot.services.orders
                if text := orders.get((kind, side)):
                    answer = await services.filling.write(token, user, text)
                    assert not answer.state.problems, answer.state.problems
                await services.readiness.say(token, user, is_ready=True)
            await self.bot.delivery.idle()
            await self.env.settle()
        raise AssertionError(f"no battle comes: {prompts}")

    async def places(self) -> list[str]:
        """The keys of all places of the campaign."""
        return await self.rows(PlaceRow.key)

    async def report(self, who: Any, title: str, page: int = 0, **fields: Any) -> InteractionResult:
        """Fill in some fields of a page of an account's short form, by their labels (underscores for spaces)."""
        card = self.prompt(who, title)
        button = next(one for one in pressable(card) if one["custom_id"].endswith(f"|short|{page}"))
        shown = await who.user.click(card, custom_id=button["custom_id"])
        assert shown.modal is not None, said(shown)
        names = {one["label"]: one["component"]["custom_id"] for one in shown.modal["components"]}
        return await self.submit(
            who.user, shown, **{names[label.replace("_", " ")]: value for label, value in fields.items()}
        )

    async def write(self, who: Any, title: str, text: str) -> InteractionResult:
        """Type an account into the one large box."""
        return await self.submit(who.user, await self.press(who, title, "Write them"), text=text)

    async def sends(self, who: Any, title: str, text: str) -> InteractionResult:
        """Type an account and send it."""
        await self.write(who, title, text)
        return await self.press(who, title, "Send this account")


@asynccontextmanager
async def fought_server(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seats: Mapping[str, str],
    *,
    seed: bytes = bytes(32),
    falls: Falls | None = None,
    scenarios: Mapping[str, Mapping[str, str]] | None = None,
) -> AsyncIterator[FoughtServer]:
    """A server with a bot that runs, with dice of this seed, loaded where ``falls`` says so by parts of their labels.
    ``scenarios`` are those that are there besides: their files by key."""
    folder = None
    for key, texts in (scenarios or {}).items():
        folder = tmp_path / "config"
        path = folder / "scenarios" / key
        path.mkdir(parents=True)
        for name, text in texts.items():
            (path / name).write_text(text, encoding="utf-8")
    letters = random.Random(seed)
    fixed = SimpleNamespace(token_bytes=lambda size: seed[:size], choice=letters.choice)
    monkeypatch.setattr(found_campaign, "secrets", fixed)
    monkeypatch.setattr(runtime, "secrets", SimpleNamespace(token_hex=lambda _size: NONCE))
    if falls:
        fair = DiceStream.draw

        def draw(stream: DiceStream, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
            faces = next((faces for part, faces in falls.items() if part in label), ())
            return tuple(faces[:count]) if faces else fair(stream, label, ordinal, die, count)

        monkeypatch.setattr(DiceStream, "draw", draw)
    kind = type("Fought", (FoughtServer,), {"folder": folder, "seats": dict(seats)})
    async with simulated_server(tmp_path, kind) as made:
        assert isinstance(made, FoughtServer)
        yield made
