"""Campaigns in memory, and the scenarios that are installed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.campaigns import loaded, scenarios
from bot.campaigns.lettering import unlettered
from bot.campaigns.loaded import Halted, LoadedCampaigns
from bot.errors import Sorry
from bot.settings import BUILT_IN
from bot.store.database import open_store
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import resumed
from tests.bot.worlds.beside import store_beside
from tests.bot.worlds.simulated_server import use_toy
from tests.bot.worlds.two_bots import ANN, LEO, Bot
from tests.databases import prepared_url
from tests.expected.kept import cases


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of an empty database, for campaigns of the toy rulebook."""
    use_toy(monkeypatch)
    return prepared_url(tmp_path)


@pytest.fixture
async def bot(address: str) -> AsyncIterator[Bot]:
    """A bot with room for eight campaigns in memory."""
    store = await open_store(address)
    yield Bot(store, warm=8)
    await store.close()


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One for each replay, as it is made."""
    made: list[int] = []

    def counted(*words: Any, **others: Any) -> object:
        made.append(1)
        return resumed(*words, **others)

    monkeypatch.setattr(loaded, "resumed", counted)
    return made


def held(campaigns: LoadedCampaigns) -> list[str]:
    """The campaigns of which anything is kept, in order of use."""
    return list(campaigns._slots)


async def test_an_older_snapshot_is_taken_until_it_is_known_what_everybody_was_shown(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await bot.begin()
    for _ in range(2):
        await bot.play_turn(campaign)
    taken: list[int | None] = []

    def noted(*words: Any, **others: Any) -> object:
        taken.append(None if words[3] is None else words[3].turn)
        return resumed(*words, **others)

    monkeypatch.setattr(loaded, "resumed", noted)
    monkeypatch.setattr(Adjudicator, "knows_what_was_shown", lambda _: False)
    bot.loaded.evict(campaign)
    async with bot.loaded.use(campaign):
        assert taken == [3, 2, None]


# --- as the journal has it --------------------------------------------------------------------------------------------
async def test_a_campaign_is_replayed_once_and_then_kept(bot: Bot, replays: list[int]) -> None:
    campaign = await bot.begin()
    assert replays == [], "who begins a campaign has it in memory"
    bot.loaded.evict(campaign)
    async with bot.loaded.use(campaign) as first:
        pass
    async with bot.loaded.use(campaign) as second:
        pass
    assert second is first
    assert replays == [1]


async def test_it_catches_up_when_the_journal_has_gone_on_elsewhere(bot: Bot, address: str, replays: list[int]) -> None:
    """Also for those who only look."""
    beside = Bot(await store_beside(address))
    campaign = await bot.begin()
    mine = await bot.token(campaign, ANN)
    await beside.name(await beside.token(campaign, LEO), LEO, 4)
    async with bot.loaded.use(campaign) as adjudicator:
        (ask,) = (ask for ask in adjudicator.asks_for("blue") if ask.kind == "orders")
        assert adjudicator.saved("blue", ask.id).fleet.number == 4
        assert adjudicator.head == (await bot.entries(campaign))[-1]
    await bot.name(mine, ANN, 7)
    async with beside.loaded.use(campaign) as adjudicator:
        assert adjudicator.head == (await bot.entries(campaign))[-1]
    assert replays == [1, 1, 1], "beside's first look, and one for each entry of the other's"
    await beside.store.close()


async def test_a_head_that_was_just_read_spares_a_look_and_an_older_one_misleads_nobody(
    bot: Bot, address: str, replays: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = Bot(await store_beside(address))
    campaign = await bot.begin()
    token, theirs = await bot.token(campaign, ANN), await beside.token(campaign, LEO)
    await beside.name(theirs, LEO, 4)
    after = (await bot.entries(campaign))[-1].hash
    async with bot.loaded.use(campaign, after) as adjudicator:
        assert adjudicator.head is not None
        assert adjudicator.head.hash == after, "what is held is older than what the caller read"
    await bot.name(token, ANN, 7)
    newest = (await bot.entries(campaign))[-1]
    async with bot.loaded.use(campaign, after) as adjudicator:
        assert adjudicator.head == newest, "what the caller read is older than what is held"
    with monkeypatch.context() as patched:
        patched.setattr(bot.loaded, "_store", None)
        async with bot.loaded.use(campaign, newest.hash) as adjudicator:
            assert adjudicator.head == newest
    assert replays == [1, 1], "beside's first look, and one for the other's entry"
    await beside.store.close()


async def test_a_polite_refusal_keeps_it_and_anything_else_forgets_it(bot: Bot, replays: list[int]) -> None:
    campaign = await bot.begin()

    async def stumble(error: BaseException) -> None:
        async with bot.loaded.use(campaign):
            raise error

    with pytest.raises(Sorry):
        await stumble(Sorry("Not now.", code="no"))
    async with bot.loaded.use(campaign):
        pass
    assert replays == []
    for number, error in enumerate((RuntimeError("on purpose"), asyncio.CancelledError()), start=1):
        with pytest.raises(type(error)):
            await stumble(error)
        assert bot.loaded.in_memory() == 0
        async with bot.loaded.use(campaign):
            pass
        assert len(replays) == number


async def test_one_that_has_not_begun_or_is_not_there_is_refused_and_nothing_kept_of_it(bot: Bot) -> None:
    for unknown, code in ((await bot.found(), "not-started"), ("nobody", "unknown-campaign")):
        with pytest.raises(Sorry, match=code):
            async with bot.loaded.use(unknown):
                raise AssertionError
    assert held(bot.loaded) == []


async def test_one_that_cannot_be_replayed_is_halted_and_nothing_kept_of_it(bot: Bot, monkeypatch: pytest.MonkeyPatch):
    campaign = await bot.begin()
    bot.loaded.evict(campaign)

    def broken(*_: object, **__: object) -> None:
        raise loaded.Diverged(1, "on purpose")

    with monkeypatch.context() as patched:
        patched.setattr(loaded, "resumed", broken)
        with pytest.raises(Halted, match="halted"):
            async with bot.loaded.use(campaign):
                raise AssertionError
    assert held(bot.loaded) == []
    async with bot.loaded.use(campaign) as adjudicator:
        assert adjudicator.turn == 1


# --- one at a time ----------------------------------------------------------------------------------------------------
async def test_two_who_want_one_campaign_wait_for_one_another_and_it_is_replayed_once(bot: Bot, replays: list[int]):
    campaign, other = await bot.begin(), await bot.begin("Second Duel")
    bot.loaded.evict(campaign)
    told: list[str] = []
    entered, release = asyncio.Event(), asyncio.Event()

    async def use(name: str) -> object:
        async with bot.loaded.use(campaign) as adjudicator:
            told.append(f"{name} in")
            entered.set()
            await release.wait()
            told.append(f"{name} out")
            return adjudicator

    async def hold() -> None:
        async with bot.loaded.hold(campaign):
            told.append("c in")
            told.append("c out")

    users = [asyncio.create_task(use("a"))]
    await entered.wait()
    users += [asyncio.create_task(use("b")), asyncio.create_task(hold())]
    async with bot.loaded.use(other):  # nobody waits for another campaign
        assert told == ["a in"]
    release.set()
    a, b, _ = await asyncio.gather(*users)
    assert told == ["a in", "a out", "b in", "b out", "c in", "c out"]
    assert a is b
    assert replays == [1]


async def test_who_gives_up_waiting_leaves_nothing_behind(bot: Bot) -> None:
    campaign = await bot.begin()
    bot.loaded.evict(campaign)

    async def use() -> None:
        async with bot.loaded.use(campaign):
            raise AssertionError

    async with bot.loaded.hold(campaign):
        waiting = asyncio.create_task(use())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert held(bot.loaded) == []


# --- what is kept -----------------------------------------------------------------------------------------------------
async def test_of_thirty_campaigns_eight_are_in_memory_and_of_the_others_nothing(bot: Bot) -> None:
    campaigns = [await bot.begin(f"Duel {number}") for number in range(30)]
    assert held(bot.loaded) == campaigns[-8:], "the last that were used"
    assert bot.loaded.in_memory() == 8
    for campaign in (campaigns[0], campaigns[25]):
        async with bot.loaded.use(campaign):
            pass
    kept = [*campaigns[23:25], *campaigns[26:], campaigns[0], campaigns[25]]
    assert held(bot.loaded) == kept
    async with bot.loaded.hold(campaigns[1]):  # without loading it
        assert bot.loaded.in_memory() == 8
    assert held(bot.loaded) == kept


async def test_what_is_in_use_is_kept_whatever_comes_in_between(bot: Bot) -> None:
    campaigns = [await bot.begin(f"Duel {number}") for number in range(9)]
    async with bot.loaded.use(campaigns[1]) as adjudicator:
        for campaign in (campaigns[0], *campaigns[2:]):
            async with bot.loaded.use(campaign):
                pass
        assert bot.loaded.in_memory() == 8
        assert campaigns[1] in held(bot.loaded)
    async with bot.loaded.use(campaigns[1]) as again:
        assert again is adjudicator


async def test_an_idle_campaign_is_forgotten(bot: Bot) -> None:
    campaigns = LoadedCampaigns(bot.store, idle_seconds=0)
    first, second = await bot.begin(), await bot.begin("Second Duel")
    async with campaigns.use(first):
        assert campaigns.in_memory() == 1
    async with campaigns.use(second):
        assert first not in held(campaigns)


# --- scenarios --------------------------------------------------------------------------------------------------------
# the installed scenarios: what each says of itself, without being read whole, and how one folder lies over another.
REF = scenarios.ScenarioRef("pq17", "mine")


def installed_with(folder: Path, text: str) -> scenarios.InstalledScenarios:
    own = folder / "scenarios" / REF.rulebook / REF.name
    own.mkdir(parents=True, exist_ok=True)
    (own / "scenario.toml").write_text(text, encoding="utf-8")
    return scenarios.InstalledScenarios(folder)


@cases("text, about")
def test_a_scenario_says_what_it_is(tmp_path: Path, text: str, about: str) -> None:
    assert installed_with(tmp_path, text).about(REF) == about


def test_a_changed_file_is_read_again_and_a_missing_one_says_nothing(tmp_path: Path) -> None:
    assert scenarios.InstalledScenarios(tmp_path).about(REF) == ""
    assert installed_with(tmp_path, "# Before.\n").about(REF) == "Before"
    assert installed_with(tmp_path, "# And afterwards.\n").about(REF) == "And afterwards"


def test_every_shipped_scenario_says_what_it_is_in_a_line_that_fits_a_completion() -> None:
    installed = scenarios.InstalledScenarios(BUILT_IN)
    said = {ref.key: installed.about(ref) for ref in installed.all()}
    assert {"pq17/campaign", "pq17/intro", "cutler/intro"} <= set(said)
    for key, about in said.items():
        assert about
        assert len(f"{key} - {about}") <= 100


# --- one folder over another ---------------------------------------------------------------------------------------
def put(folder: Path, key: str, **texts: str) -> None:
    """Write files of a scenario, each under its name without the ending ``.toml``."""
    place = folder / "scenarios" / key
    place.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (place / f"{name}.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def layers(tmp_path: Path) -> tuple[Path, Path]:
    """What is built in, with one scenario of three files; and an empty folder of one's own."""
    built_in, own = tmp_path / "built_in", tmp_path / "own"
    put(built_in, "pq17/mine", scenario="# Theirs.", ships="their ships", repair="their repair")
    own.mkdir()
    return built_in, own


def test_an_empty_folder_of_ones_own_changes_nothing(layers: tuple[Path, Path]) -> None:
    installed = scenarios.InstalledScenarios(*layers)
    assert installed.all() == [REF]
    assert installed.about(REF) == "Theirs"
    found = installed.files(REF)
    assert found == {"scenario.toml": "# Theirs.", "ships.toml": "their ships", "repair.toml": "their repair"}
    assert installed.own(REF) == ""


def test_scenarios_of_ones_own_stand_among_the_others(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/race", scenario="# Ours.")
    put(layers[1], "cutler/feud", scenario="# Ours too.")
    installed = scenarios.InstalledScenarios(*layers)
    assert [ref.key for ref in installed.all()] == ["pq17/mine", "pq17/race", "cutler/feud"]
    assert installed.own(scenarios.ScenarioRef("pq17", "race")) == "added"


def test_a_whole_scenario_takes_the_place_of_one_of_its_name_with_all_its_files(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/mine", scenario="# Ours.", ships="our ships")
    installed = scenarios.InstalledScenarios(*layers)
    assert installed.all() == [REF]
    assert installed.files(REF) == {"scenario.toml": "# Ours.", "ships.toml": "our ships"}
    assert installed.about(REF) == "Ours"
    assert installed.own(REF) == "takes the place of the built-in one"


def test_single_files_are_laid_over_a_scenario_and_the_others_stay(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/mine", ships="our ships", own_ships="our figures")
    installed = scenarios.InstalledScenarios(*layers)
    assert installed.files(REF) == {
        "scenario.toml": "# Theirs.",
        "ships.toml": "our ships",
        "own_ships.toml": "our figures",
        "repair.toml": "their repair",
    }
    assert installed.about(REF) == "Theirs"
    assert installed.own(REF) == "own_ships.toml, ships.toml laid over the built-in one"


def test_single_files_over_nothing_are_a_scenario_with_a_defect(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/mien", ships="our ships")
    with pytest.raises(Sorry) as caught:
        scenarios.InstalledScenarios(*layers).read("pq17/mien")
    assert "“pq17/mien” cannot be used" in caught.value.text
    assert "scenario.toml: this file is missing" in caught.value.text


def test_a_lower_folder_does_not_reach_through_an_upper_one(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/mine", scenario="# Ours.")
    assert scenarios.InstalledScenarios(*reversed(layers)).about(REF) == "Theirs"


def test_hidden_folders_and_files_are_no_scenarios(layers: tuple[Path, Path]) -> None:
    put(layers[1], "pq17/.trash", scenario="# Thrown away.")
    put(layers[1], "pq17/mine", **{".ships": "an editor's own copy"})
    installed = scenarios.InstalledScenarios(*layers)
    assert installed.all() == [REF]
    assert installed.files(REF)["ships.toml"] == "their ships"
    assert ".ships.toml" not in installed.files(REF)


# --- names that no map could show -------------------------------------------------------------------------------------
NAMELESS = ["Ж", "Киев", "Σπάρτη", "北京", "ירושלים", "بغداد", "दिल्ली"]


@pytest.mark.parametrize("name", NAMELESS)
def test_a_scenario_is_refused_when_a_map_has_no_letters_for_a_name_in_it(tmp_path: Path, name: str) -> None:
    intro = (BUILT_IN / "scenarios" / "pq17" / "intro" / "scenario.toml").read_text(encoding="utf-8")
    for before, path in (('name = "Amberline"', "name"), ('emblem = "A"', "emblem")):
        assert before in intro
        own = tmp_path / path
        put(own, "pq17/intro", scenario=intro.replace(before, f'{path} = "{name}"', 1))
        shelf = scenarios.InstalledScenarios(BUILT_IN, own)
        told = [one for one in shelf.wrong("pq17/intro") if "maps have no letters for" in one.problem]
        assert len(told) == 1
        assert told[0].path.startswith("scenario.toml.")
        assert told[0].path.endswith(f".{path}")
        assert name[0] in told[0].problem
        with pytest.raises(Sorry) as refused:
            shelf.read("pq17/intro")
        assert "maps have no letters" in refused.value.text


def test_emblem_that_no_id_can_begin_with_is_refused_and_nothing_that_cannot_be_is_wanted(tmp_path: Path) -> None:
    shelf = scenarios.InstalledScenarios(BUILT_IN, tmp_path)
    intro = shelf.files(scenarios.ScenarioRef("pq17", "intro"))
    files = {name.removesuffix(".toml"): text for name, text in intro.items()}
    files["scenario"] = files["scenario"].replace('emblem = "A"', 'emblem = "Ж"', 1)
    put(tmp_path, "pq17/intro", **files)
    told = [str(one) for one in shelf.wrong("pq17/intro")]
    assert [one.partition(": ")[2] for one in told] == [
        "maps have no letters for Ж. Legal: Latin letters, with any accents.",
        "Ж cannot begin the ids of task forces. Legal: one or two letters from A to Z.",
    ]


@pytest.mark.parametrize("name", ["Zürich", "Đà Nẵng", "Łódź", "Ærø", "Sør-Trøndelag", "№ 1", "Saint‑Malo"])
def test_a_scenario_is_taken_when_its_names_can_be_spelt(tmp_path: Path, name: str) -> None:
    intro = (BUILT_IN / "scenarios" / "pq17" / "intro" / "scenario.toml").read_text(encoding="utf-8")
    put(tmp_path, "pq17/intro", scenario=intro.replace('"Amberline"', f'"{name}"', 1))
    told = scenarios.InstalledScenarios(BUILT_IN, tmp_path).wrong("pq17/intro")
    assert not [one for one in told if "maps have no letters" in one.problem]


def test_every_shipped_scenario_can_be_lettered() -> None:
    shelf = scenarios.InstalledScenarios(BUILT_IN)
    assert [one for ref in shelf.all() for one in unlettered(shelf.files(ref))] == []
