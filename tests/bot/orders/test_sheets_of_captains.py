"""Which sheets wait for which captains: all that stand in one strand together, and no account of a battle."""

from types import SimpleNamespace
from typing import Any

from bot.recording.teams import side_team
from bot.records.captains import ShipsShared
from rules_engine.core.forms.forms import Form, Line
from rules_engine.core.knowledge.rosters import OwnShip
from tests.bot.worlds.simulated_server import SimulatedServer, said

ANN, ABE = 1, 2
SHARED = ShipsShared({"a": ANN, "b": ABE}, {"east": frozenset({ANN}), "west": frozenset({ABE})})


def asked(strand: str, *lines: str, is_shared: bool = False, awaited: bool = True) -> Any:
    """What is asked in a strand, with lines of these keys."""
    form = Form(tuple(Line(key, key, ()) for key in lines))
    return SimpleNamespace(strand=strand, form=form, is_shared=is_shared, awaited=awaited)


def test_captains_are_awaited_where_their_ships_are_asked_about_and_nowhere_else() -> None:
    asks = [
        asked("east", "F1", "side"),
        asked("west", "b"),
        asked("west", "a", is_shared=True),
        asked("west", "a", awaited=False),
        asked("south", "side"),
    ]
    adjudicator: Any = SimpleNamespace(
        asks_for=lambda side: asks if side == "red" else [],
        roster=lambda side: [OwnShip("a", "Anvil", "F1"), OwnShip("b", "Bellows", "F1"), OwnShip("c", "Cask", "F2")],
    )
    teams = {strand: side_team(adjudicator, "red", strand, SHARED) for strand in ("east", "west", "south")}
    assert {strand: team and team.awaited for strand, team in teams.items()} == {
        "east": {ANN, ABE},
        "west": {ABE},
        "south": set(),
    }
    assert {strand: team and team.missing for strand, team in teams.items()} == {
        "east": {ABE},
        "west": set(),
        "south": set(),
    }
    assert side_team(adjudicator, "red", "east", None) is None


async def share_out(here: SimulatedServer) -> None:
    """Ann has the fleet and what is left of it, abe the spy."""
    campaign = await here.found()
    for who, side in ((here.ann, "red"), (here.abe, "red"), (here.leo, "blue")):
        await here.slash(who, "campaign join", side=side, campaign=campaign)
    await here.slash(here.rita, "campaign start", campaign=campaign)
    assert "spy Spy is" in said(await here.slash(here.ann, "ships hand", ships="spy", to=here.abe.user))
    await here.slash(here.ann, "ships hand", ships="fleet, ships", to=here.ann.user)


async def test_what_a_captain_confirms_stands_on_every_sheet_of_the_strand(here: SimulatedServer) -> None:
    await share_out(here)
    await here.press(here.ann, "Orders for turn 1", "Ready")
    for who in (here.ann, here.abe):
        for title in ("Orders for turn 1", "Missions"):
            confirmed = f"Confirmed by <@{here.ann.user.id}>; awaited: <@{here.abe.user.id}>."
            assert confirmed in here.prompt(who, title).content, (who, title)
    assert "readied" not in await here.journal()
    await here.press(here.abe, "Missions", "Ready")
    assert (await here.journal())[-1] == "readied"


async def test_any_commander_accounts_for_a_battle(here: SimulatedServer) -> None:
    await share_out(here)
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="5")
    await here.fill(here.leo, "Orders for turn 1", "0.0", f0="5")
    await here.resolve_now()
    account = "Battle of turn 1"
    await here.fill(here.abe, account, "0.0", f0="4", f1="2")
    await here.press(here.abe, account, "Send this account")
    assert "Awaited" not in here.prompt(here.abe, account).content
    assert (await here.journal())[-1] == "answered"
