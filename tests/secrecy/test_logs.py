"""Logs and errors hold ids and kinds alone, and nobody is shown what dice are keyed with."""

import logging
import re
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
import structlog

from bot import logs
from bot.campaigns import runtime
from bot.orders.fill import SheetFilling
from rules_engine.core.basics.seals import next_seal, seal_digest
from rules_engine.core.running import position
from tests.chance import KnownNonces
from tests.secrecy import quiet_policies, two_worlds, worlds

SHIPS = ("Resolve", "Halberd", "Vigil", "Steadfast", "Talon", "Whisper", "Shade", "Drudge")
"""Names that stand in orders as they are read back; none of them is a word of the log's own."""


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    """Give the process its logging back."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    structlog.reset_defaults()


APART = worlds.World(
    "pq17/intro", ("alliance", "coalition"), mistakes=1, restless=1,
    policies={"alliance": quiet_policies.keeping_to(range(1, 5)), "coalition": quiet_policies.keeping_to(range(5, 10))},
)  # fmt: skip


def words(text: str) -> list[str]:
    """What must not be in a log: names, places, and words of orders."""
    forbidden = (*SHIPS, "nonsense", "0403", "0507", "speed 3", "Slow", "Cruise", "alliance", "coalition", "queue")
    return [word for word in forbidden if re.search(rf"\b{word}\b", text)]


@pytest.mark.parametrize("level", ["DEBUG"])
def test_a_session_logs_no_orders(capsys: pytest.CaptureFixture[str], level: str) -> None:
    logs.setup(level, as_json=True)
    two_worlds.watch(APART, guesses=("Shade",))
    log = capsys.readouterr().err
    assert log.count("row.done") > 10, "the session was not logged"
    assert not words(log), words(log)


def test_an_error_over_an_order_logs_where_and_not_what(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = SheetFilling.write

    async def broken(self: SheetFilling, token: str, user_id: int, text: str, **more: object) -> object:
        if "Shade" in text:
            raise ValueError(f"cannot make anything of {text!r}")
        return await real(self, token, user_id, text, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(SheetFilling, "write", broken)
    logs.setup("DEBUG", as_json=True)
    seen = two_worlds.watch(APART, guesses=("Shade",))
    log = capsys.readouterr().err
    assert '"incident"' in log
    assert "ValueError" in log
    assert not words(log), words(log)
    told = [line for moment in seen.moments for line in moment if "Something went wrong" in line]
    assert told
    assert not [line for line in told if "cannot make anything" in line]


# --- seals ------------------------------------------------------------------------------------------------------------
# nobody is shown what dice are keyed with: neither seals nor nonces, in posts, cards, answers, receipts or logs.
LEGIBLE = 8
"""Characters of a seal or nonce that nobody would take for chance."""

MEETING = worlds.World("pq17/intro", ("alliance", "coalition"), turns=3, mistakes=1, restless=1)
APART_FROM_SEALS = worlds.World(
    "pq17/intro",
    ("alliance", "coalition"),
    policies={"alliance": quiet_policies.keeping_to(range(1, 5)), "coalition": quiet_policies.keeping_to(range(5, 10))},
)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What is kept from everybody: each nonce that is made, each seal and its digest, while the test runs."""
    found: set[str] = set()
    nonces = KnownNonces(1)

    def noting(seed: bytes, before: str, settled: dict[str, object], nonce: str) -> str:
        seal = next_seal(seed, before, settled, nonce)
        found.update((seal, seal_digest(seal), nonce))
        return seal

    monkeypatch.setattr(position, "next_seal", noting)
    monkeypatch.setattr(position, "first_seal", lambda seed, nonce: noting(seed, "", {}, nonce))
    monkeypatch.setattr(runtime, "secrets", SimpleNamespace(token_hex=lambda _size: nonces()))
    return found


def legible_in(text: str, kept: set[str]) -> list[str]:
    """What of it stands in a text, if only its beginning or its end."""
    return [one for one in kept if one[:LEGIBLE] in text or one[-LEGIBLE:] in text]


@pytest.mark.parametrize("world", [MEETING, APART_FROM_SEALS], ids=["meeting", "apart"])
def test_nobody_sees_a_seal_or_a_nonce(capsys: pytest.CaptureFixture[str], kept: set[str], world: worlds.World) -> None:
    logs.setup("DEBUG", as_json=True)
    seen = two_worlds.watch(world, guesses=("Shade",))
    log = capsys.readouterr().err
    assert log.count("row.done") > 10, "the session was not logged"
    assert len(kept) >= 6, "nothing closed"
    lines = "\n".join(line for moment in seen.moments for line in moment)
    assert "saved" in lines
    assert legible_in(lines, kept) == []
    assert legible_in(log, kept) == []


def test_a_nonce_that_is_shown_would_be_seen(kept: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The test's own control: a nonce that gets into a report is found."""
    real = position.Position._resume

    def telling(self: position.Position, strand: str, settled: dict[str, object], nonce: str | None) -> None:  # type: ignore[type-arg]
        real(self, strand, settled, nonce)
        for report in self._shared.reports[:]:
            shown = report.model_copy(update={"text": f"{report.text} {str(nonce)[:LEGIBLE]}"})
            self._shared.reports[self._shared.reports.index(report)] = shown

    monkeypatch.setattr(position.Position, "_resume", telling)
    seen = two_worlds.watch(APART_FROM_SEALS)
    assert legible_in("\n".join(line for moment in seen.moments for line in moment), kept)
