"""A table at which a small world is played: who commands which side, what they hand in, and whether what is told
reaches those whom it concerns and nobody else."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rules_engine.core.knowledge.reports import Report
from tests.chance import Falls
from tests.e2e.crowd import REFEREE, open_scenario
from tests.e2e.cutler.worlds import scenario_of
from tests.e2e.people import Json, Person, said, went_on
from tests.e2e.stage import Stage

COMMANDERS = {"ash": "ann", "birch": "leo", "cedar": "kai", "dogwood": "mia", "elm": "eve"}
SPECTATOR, OWNER = "sam", "olga"
ORDERS = "Turn {}: economy"
"""How the title of a turn's first sheets begins."""


class Table:
    """A campaign under way, with a commander for each side."""

    def __init__(self, stage: Stage, seats: Mapping[str, str], orders: str = ORDERS) -> None:
        self.stage = stage
        self.orders = orders
        """How the titles of a turn's first sheets begin."""
        self.seats = dict(seats)
        """Who commands each side."""

    def of(self, side: str) -> Person:
        """A side's commander."""
        return self.stage.people[self.seats[side]]

    @property
    def sam(self) -> Person:
        """Who watches."""
        return self.stage.people[SPECTATOR]

    def others(self) -> list[tuple[str, Person]]:
        """Everybody but the server's owner, who sees every channel."""
        return [(name, person) for name, person in self.stage.people.items() if name != OWNER]

    async def begin(self, scenario: str, **options: Any) -> None:
        """The campaign is founded, all take their seats, and it starts."""
        referee = self.stage.people[REFEREE]
        assert "is founded" in said(await referee.does("campaign create", title="Small", scenario=scenario, **options))
        for side in self.seats:
            assert "You command" in said(await self.of(side).does("campaign join", side=side))
        assert "You watch" in said(await self.sam.does("campaign join", side="spectator"))
        assert "has begun" in said(await referee.does("campaign start"))

    # --- doing -------------------------------------------------------------------------------------------------------

    async def plays(self, side: str, title: str, orders: str = "", *, press: str = "") -> Json:
        """A side is done with its sheet of that title: with orders that it types, a button that it presses, or as it
        stands. The card as it was before that."""
        who = self.of(side)
        card = await who.sheet(title)
        if press:
            card = (await who.seat.press(card, label=press))["message"]
        if orders:
            card = await who.types(card, orders)
        if press or orders:
            assert "Saved, receipt" in card["words"], card["words"]
        answer = await who.ready(card)
        assert went_on(answer) or "You are ready" in said(answer), said(answer)
        return card

    async def turn(self, number: int, **orders: str) -> None:
        """All sides hand in their sheets of that turn; those without orders as they stand."""
        for side in self.seats:
            await self.plays(side, self.orders.format(number), orders.get(side, ""))

    async def cards(self, hex_id: str, **cards: str) -> None:
        """Cards are shown there: ``ash="Combat"``."""
        for side, card in cards.items():
            await self.plays(side, f"{hex_id}: bypass or combat", press=card)

    async def ready(self, title: str, *sides: str) -> None:
        """These sides leave a sheet as it stands."""
        for side in sides:
            await self.plays(side, title)

    async def agree(self, title: str, account: str, *sides: str) -> None:
        """These sides send the same account, and with the last of them play goes on."""
        for side in sides:
            who = self.of(side)
            answer = await who.sends_account(await who.types(await who.sheet(title), account))
            assert went_on(answer) == (side == sides[-1]), said(answer)

    async def play_on(self, to: str) -> None:
        """Whoever is asked is ready with the sheets as they stand, until one of that title is open."""
        while True:
            await self.stage.settled()
            sheets = self.stage.rows("select side, title from prompt where status = 'open'")
            assert sheets, "nobody is asked, and play has not come so far"
            if any(title.startswith(to) for _, title in sheets):
                return
            for side in dict.fromkeys(side for side, _ in sheets):
                await self.of(side).does("orders ready")

    # --- looking -----------------------------------------------------------------------------------------------------

    async def hears(self, side: str, *words: str) -> None:
        """A side was told this, and reads it in its log."""
        who = self.of(side)

        async def told() -> bool | None:
            log = (await who.reads_log()).replace("\n• ", "; ")
            return all(one.strip("*") in log for one in words) or None

        await who.until(told)

    async def fought_in(self, thread: str, *sides: str) -> None:
        """A thread whose name begins so is there for these sides, and for nobody else."""
        for side in sides:
            await self.of(side).channel(thread)
        await self.stage.settled()
        who = {name for name, person in self.others() if await person.sees(thread)}
        assert who == {self.seats[side] for side in sides}

    async def secrets_kept(self) -> dict[str, str]:
        """Everybody has read all that was told them, and nobody anything that was told others alone; who commands no
        side has read what is public. What each of them sees, anywhere."""
        await self.stage.settled()
        rows = self.stage.rows("select body from report order by seq, number")
        reports = [Report.model_validate_json(body) for (body,) in rows]
        assert reports
        seen: dict[str, str] = {}
        for name, person in self.others():
            side = next((side for side, one in self.seats.items() if one == name), "")
            own = [one.text for one in reports if (one.is_for(side) if side else one.is_public())]
            others = [one.text for one in reports if one.text not in own]
            log = await person.reads_log() if side else ""
            seen[name] = await self.stage.seen(person)  # with the answer that gave the log
            if name in (*self.seats.values(), SPECTATOR):
                assert [text for text in own if text not in seen[name] + log] == [], name
            assert [text for text in others if text in seen[name] + log] == [], name
        return seen


@asynccontextmanager
async def open_table(folder: Path, world: str, *, turns: int = 1, falls: Falls | None = None) -> AsyncIterator[Table]:
    """A campaign in this world, which has begun."""
    texts = scenario_of(world, turns=turns)
    races = dict.fromkeys(line.split()[0] for line in world.splitlines() if line.strip())
    seats = {race: COMMANDERS[race] for race in races}
    names = (*seats.values(), SPECTATOR)
    async with open_scenario(folder, "small", texts, names=names, falls=falls) as stage:
        table = Table(stage, seats)
        await table.begin("cutler/small")
        yield table
