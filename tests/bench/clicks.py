"""From a click to the bot's answer, through the playground, click by click in turns with a bare discord.py bot.

What is timed lies between the event written to the gateway and the headers of the answer received, both stamped by the
playground. The bare bot has a playground of its own and gives answers of the same text and the same components.

What is asked is how much later than the bare bot Plotroom answers: at the median, and at the 99th percentile of each.
"""

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.playground.world.components import walk
from bot.playground.world.model import COMPONENTS_V2
from tests.bench.commits import BareCommits
from tests.bench.figures import NS_PER_MS, Counts, Figure, Tick, middle, p95, p99
from tests.bench.matches import PQ17
from tests.bench.stage import Json, Stage, Unanswered, bare_bot, find, full_bot, stage
from tests.checkout import ROOT

PART = "Click"
LOOKS = {"help": "help", "orders-show": "orders show", "forces": "forces"}
"""Commands that write nothing: by the bare bot's name, and by their real one."""

NAMES = {
    "help": "/help",
    "orders-show": "/orders show",
    "forces": "/forces",
    "form": "open a line's form",
    "saved": "form sent: orders journalled",
    "ready": "Ready pressed: journalled",
}
WRITES = {"saved", "ready"}
LIMITS = {False: (5.0, 20.0), True: (10.0, 40.0)}
"""Milliseconds that an answer may come later than the bare bot's, at the median and at the 99th percentile: one that
writes nothing, and one that is journalled. Nobody feels them on top of the network's fifty."""

READY = "You are ready"
LINE = "1.0"
"""The second line of the planning sheet, which is the first of its task forces."""


@dataclass
class Panel:
    """A message with components in somebody's hands, on one of the two stages."""

    where: Stage
    message: Json
    times: dict[str, list[float]] = field(default_factory=dict)

    def note(self, name: str, answer: Json) -> Json:
        """Keep how long the bot took; milliseconds.

        Raises:
            Unanswered: when it only said that the answer will come.
        """
        if answer["outcome"].startswith("deferred"):
            raise Unanswered(f"{name} was put off")
        took = (answer["t_callback"] - answer["t_dispatch"]) / NS_PER_MS
        self.times.setdefault(name, []).append(took)
        return answer

    async def look(self, name: str, path: str, **options: str) -> None:
        """A command that writes nothing."""
        self.note(name, await self.where.command("ann", path, **options))

    async def save(self, number: int) -> None:
        """Open the line's form and send it back with another name and speed."""
        menu = find(self.message, "line")
        opened = self.note("form", await self.where.choose("ann", self.message, menu, LINE))
        values = {one["custom_id"]: _filled(one, number) for one in opened["modal"]["fields"]}
        saved = self.note("saved", await self.where.submit("ann", opened["modal"], values))
        self.message = saved["message"]

    async def ready(self) -> None:
        """Press Ready, or Not ready."""
        pressed = await self.where.press("ann", self.message, find(self.message, "ready"))
        self.message = self.note("ready", pressed)["message"]


def _filled(one: Json, number: int) -> object:
    """What a client sends back for a field: as it was, but for the speed and the name."""
    if one["label"] == "Speed":
        return [one["options"][number % 2]["value"]]
    if one["label"].startswith("Name"):
        return f"Wing {number}"
    if "options" in one:
        return [each["value"] for each in one["options"] if each.get("default")]
    return one.get("value") or ""


def steps(counts: Counts) -> int:
    return counts.clicks + counts.warm_up


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """All clicks, in turns: Plotroom, the bare bot, a bare commit."""
    (ROOT / "var").mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(dir=ROOT / "var", prefix="bench-")))
        full = Panel(full_stage := await stack.enter_async_context(stage(folder / "full")), {})
        bot = await stack.enter_async_context(full_bot(full_stage))
        await begin_campaign(full_stage)
        full.message = await full_stage.letter("ann")
        answers = await answers_of(full)
        bare_stage = await stack.enter_async_context(stage(folder / "bare"))
        await stack.enter_async_context(bare_bot(bare_stage, answers))
        bare = Panel(bare_stage, (await bare_stage.command("ann", "panel"))["message"])
        commits = BareCommits(folder / "commits.db")
        stack.callback(commits.close)
        await bot.held()
        disk: list[float] = []
        for number in range(counts.warm_up + counts.clicks):
            if number == counts.warm_up:
                full.times.clear()
                bare.times.clear()
                disk.clear()
            await one_round(full, bare, number)
            disk.append(commits.commit() / NS_PER_MS)
            tick()
    return figures_of(full, bare, disk)


async def begin_campaign(where: Stage, title: str = "Bench", **deadlines: str) -> None:
    """A campaign under way, begun by commands."""
    await where.carry_out("rita", "campaign create", title=title, scenario=PQ17, **deadlines)
    await where.carry_out("ann", "campaign join", side="alliance", campaign=title)
    await where.carry_out("leo", "campaign join", side="coalition", campaign=title)
    await where.carry_out("rita", "campaign start", campaign=title)


async def answers_of(full: Panel) -> dict[str, Json]:
    """Plotroom's answers, for the bare bot to give the same ones."""
    answers: dict[str, Json] = {}
    for name, path in LOOKS.items():
        message = (await full.where.command("ann", path))["message"]
        answers[name] = as_sent(message)
    modal = (await full.where.choose("ann", full.message, find(full.message, "line"), LINE))["modal"]
    await full.where.post(f"{full.where.ids['ann']}/modal_dismiss", {"interaction_id": modal["interaction_id"]})
    await full.save(10_000)
    return {**answers, "panel": {**as_sent(full.message), "fields": modal["fields"]}}


def as_sent(message: Json) -> Json:
    """What the bare bot must send for a message like this one, with files of the same sizes."""
    for one in walk(message["components"]):
        one.pop("id", None)
        for item in one.get("items", ()):
            file = next(each for each in message["attachments"] if each["url"] == item["media"]["url"])
            item["media"] = {"url": f"attachment://{file['filename']}"}
    return {
        "content": message["content"],
        "components": message["components"],
        "is_layout": bool(message["flags"] & COMPONENTS_V2),
        "files": [{"filename": one["filename"], "size": one["size"]} for one in message["attachments"]],
    }


async def one_round(full: Panel, bare: Panel, number: int) -> None:
    """Every click once on both bots. Orders change at every click, so that each one is journalled."""
    both = (full, bare) if number % 2 else (bare, full)
    for name, path in LOOKS.items():
        for panel in both:
            await panel.look(name, path if panel is full else name)
    before = full.message["words"]
    for panel in both:
        await panel.save(number)
    must_be_journalled(before, full.message["words"])
    for is_ready in (True, False):
        for panel in both:
            await panel.ready()
        if (READY in full.message["words"]) != is_ready:
            raise RuntimeError(f"readiness did not change: {full.message['words']}")


def must_be_journalled(before: str, said: str) -> None:
    """Hold a sheet's card, before and after a form was sent, to what a journalled answer shows.

    Raises:
        RuntimeError: when the orders were not journalled.
    """
    if "receipt" not in said or said == before:
        raise RuntimeError(f"the orders were not journalled: {said}")


def figures_of(full: Panel, bare: Panel, disk: list[float]) -> list[Figure]:
    """Each kind of click beside the bare bot's, at the median and at the 99th percentile; and a commit by itself."""
    figures = [
        Figure(PART, "one fsynced SQLite commit", middle(disk), "ms", p95=p95(disk)),
        Figure(PART, "one fsynced SQLite commit, 99th percentile", p99(disk), "ms"),
    ]
    for name, shown in NAMES.items():
        ours, theirs = full.times[name], bare.times[name]
        at_median, at_p99 = LIMITS[name in WRITES]
        note = f"{len(ours)} clicks"
        figures += [
            Figure(PART, shown, middle(ours), "ms", middle(theirs), "bare bot", None, p95(ours), note, at_median),
            Figure(PART, f"{shown}, 99th percentile", p99(ours), "ms", p99(theirs), "bare bot's", limit=at_p99),
        ]
    return figures
