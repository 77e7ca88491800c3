"""What may not depend on how many turns a campaign has behind it: a side's dossier, and a page of its log.

The same campaign stands in two databases. Behind it are made-up turns, each with as many reports to a side as a busy
one has; as each of them ends its dossier is kept, as the bot does. Forty turns fill what is kept of a thing.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import insert

from bot.campaigns.dossiers import known_of
from bot.cards.told import A_PAGE
from bot.services import Services
from bot.store.tables import ReaderOfReportRow, ReportRow
from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.dossiers.files import NOTHING_KEPT
from rules_engine.core.knowledge.reports import Report, Sighted
from tests.bench.figures import Counts, Figure, Tick, middle, p95
from tests.bench.growth.alone import begin, services_on
from tests.checkout import ROOT

PART = "Growth"
FEW, MANY = 40, 400
"""Turns of the two campaigns."""
REPORTS, CONTACTS = 40, 25
"""Reports to the side in each turn, and how many contacts they are of."""
MOST_GROWN = 1.3
"""The reports of one turn are looked for among ten times as many, by their number; the rest is noise."""
SIDE = "alliance"
OWN_SERVER = 10**16


async def measure_turns(counts: Counts, tick: Tick) -> list[Figure]:
    """A look at each after few turns and after many, in turns."""
    (ROOT / "var").mkdir(exist_ok=True)
    times: dict[tuple[str, int], list[float]] = {(what, turns): [] for turns in (FEW, MANY) for what in LOOKS}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=ROOT / "var", prefix="bench-")))
        campaigns: dict[int, tuple[Services, str, int]] = {}
        for turns in (FEW, MANY):
            services = await stack.enter_async_context(services_on(f"sqlite+aiosqlite:///{folder / f'{turns}.db'}"))
            campaigns[turns] = await _campaign(services, turns)
        for _ in range(counts.warm_up + counts.clicks):
            for (what, turns), taken in times.items():
                start = time.perf_counter()
                is_whole = await LOOKS[what](*campaigns[turns])
                taken.append((time.perf_counter() - start) * 1_000)
                if not is_whole:
                    raise RuntimeError(f"the {what} is not whole")
        tick()
    return [figure for what in LOOKS for figure in _figures(what, counts.warm_up, times)]


async def _read_dossier(services: Services, campaign: str, user: int) -> bool:
    seen = await services.queries.dossiers.of_side(campaign, user)
    return sum(one.is_contact for one in seen.dossier.files) >= CONTACTS


async def _read_log(services: Services, campaign: str, user: int) -> bool:
    page = await services.queries.told_again.page(campaign, user)
    return 0 < len(page.reports) <= A_PAGE and page.told >= FEW * REPORTS


LOOKS: Mapping[str, Callable[[Services, str, int], Awaitable[bool]]] = {"dossier": _read_dossier, "log": _read_log}
"""What is looked at: whether all of it is there."""


def _figures(what: str, warm_up: int, times: Mapping[tuple[str, int], Sequence[float]]) -> list[Figure]:
    few, many = (times[what, turns][warm_up:] for turns in (FEW, MANY))
    return [
        Figure(PART, f"{what} read after {FEW} turns", middle(few), "ms", p95=p95(few)),
        Figure(
            PART,
            f"{what} read after {MANY} turns",
            middle(many),
            "ms",
            middle(few),
            f"after {FEW}",
            MOST_GROWN,
            p95(many),
        ),
    ]


async def _campaign(services: Services, turns: int) -> tuple[Services, str, int]:
    """A campaign with so many turns behind it, kept as each of them ended but for the last; who commands the side."""
    made = await begin(services, OWN_SERVER)
    store, loaded = services.runtime.store, services.runtime.loaded
    kept = NOTHING_KEPT
    async with store.write() as tx, loaded.use(made) as adjudicator:
        if adjudicator.head is None:
            raise RuntimeError("the campaign has no journal")
        last = adjudicator.head.seq + turns - 1
        for turn in range(turns):
            told = [*_reports(turn)]
            seq = last - (turns - 1 - turn) if turn == turns - 1 else turn - turns
            rows = [
                {"campaign_id": made, "seq": seq, "number": one.number, "body": one.model_dump_json()} for one in told
            ]
            await tx.connection.execute(insert(ReportRow), rows)
            readers = [{"campaign_id": made, "side": SIDE, "seq": seq, "number": one.number} for one in told]
            await tx.connection.execute(insert(ReaderOfReportRow), readers)
            if turn < turns - 1:
                kept = await asyncio.to_thread(adjudicator.kept_dossier, SIDE, kept, told)
        await tx.journal.keep_dossier(made, SIDE, last - 1, kept)
        _, since = await known_of(tx, made, SIDE)
    if len(since) != REPORTS:
        raise RuntimeError("more is read than the last turn told")
    users = (await services.seats.seats.by_side(await services.campaigns.info(made)))[SIDE]
    return services, made, users[0]


def _reports(turn: int) -> Iterable[Report]:
    """What the side is told in a turn: each contact moves on."""
    for number in range(REPORTS):
        contact = number % CONTACTS
        seen = Sighted(
            track=f"E{contact + 1}",
            owner="coalition",
            hex=f"{(turn + contact) % 8 + 1:02}{(turn * 3 + number) % 8 + 1:02}",
            level=2,
            level_name="ID2",
            headline=f"{number % 5} cruisers",
        )
        yield Report(
            number=turn * REPORTS + number + 1,
            place=f"T{turn}",
            when=When(turn=1, step=0, label="Turn 1"),
            to=(SIDE,),
            kind="contact",
            text=f"{seen.track} is seen in {seen.hex}.",
            facts=(seen,),
        )
