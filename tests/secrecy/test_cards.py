"""Every card with all that can be pressed on it, in every book: what the others do, and what the watcher may not know,
is behind no button, in no form, on no page and on no map of a card.

Later books are taken in by being there: what others draft and take back, how their accounts of a battle differ, and
what the referee looks at are secrets in all of them. What else a book's sides hide stands in ``HIDDEN``.
"""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.campaigns.scenarios import InstalledScenarios
from bot.errors import Sorry
from bot.interactions import prompt_presses, showing
from bot.orders import answering, find_prompt, open_prompt
from bot.recording import prompts
from bot.records import effects, places
from bot.referee.desk import RefereeDesk
from bot.settings import BUILT_IN
from rules_engine.core.protocol.asks import AnyAsk
from tests.e2e.cutler.worlds import scenario_of
from tests.expected.sections import section
from tests.secrecy import disputes, test_cutler, test_pq17, two_worlds
from tests.secrecy.curious import kind_of
from tests.secrecy.worlds import World, alike, as_filled_in

SCENARIOS = [
    ref.key for ref in InstalledScenarios(BUILT_IN).all() if InstalledScenarios(BUILT_IN).seats(ref.key) is None
]
"""Those whose sides are fixed: how many play in the others is chosen when they are founded."""
QUICK = ("pq17/intro", "cutler/intro")
"""Those that a quick run plays; a sweep plays all."""


def scenarios(*quick: str) -> list[object]:
    """Scenarios as parameters, of which a sweep alone plays all."""
    return [key if key in quick else pytest.param(key, marks=pytest.mark.slow) for key in SCENARIOS]


def sides_of(scenario: str) -> tuple[str, ...]:
    """A scenario's sides."""
    book, document = InstalledScenarios(BUILT_IN).read(scenario)
    return tuple(label.key for label in book.sides(document))


@pytest.mark.parametrize("scenario", scenarios(*QUICK))
def test_what_others_do_with_their_sheets_and_the_referee_looks_at_is_on_no_card(scenario: str) -> None:
    sides = sides_of(scenario)
    if len(sides) > len(two_worlds.SEATS):
        pytest.skip(f"{len(sides)} sides, and there are {len(two_worlds.SEATS)} people to command them")
    plain = World(scenario, sides, policies=dict.fromkeys(sides, as_filled_in), curious=True)
    other = plain.but(restless=2, mistakes=1, backwards=True, others_first=True, looks_on=True)
    alike(two_worlds.watch(plain), two_worlds.watch(other))


HIDDEN = {
    "pq17, apart": (test_pq17.APART, {"scenario.toml": test_pq17.all_of_it}),
    "pq17, in contact": (test_pq17.STEADY, {"scenario.toml": lambda text: test_pq17.hidden(test_pq17.beside(text))}),
    "cutler": (test_cutler.PLAIN, {"units.toml": test_cutler.all_of_it, "scenario.toml": test_cutler.richer}),
}


LONGEST = "pq17, in contact"
LONG = ("cutler", LONGEST)
"""Everyday runs leave them to continuous integration."""


@pytest.mark.parametrize(
    "case", [pytest.param(one, marks=pytest.mark.thorough if one in LONG else ()) for one in HIDDEN]
)
def test_what_a_side_may_not_know_is_behind_no_button(case: str) -> None:
    plain, files = HIDDEN[case]
    plain = plain.but(curious=True)
    alike(two_worlds.watch(plain), two_worlds.watch(plain.but(files=files)))


# --- accounts of battles ----------------------------------------------------------------------------------------------
def fought(scenario: str, *, fights: bool) -> World:
    """A world with a battle, whose first side watches: it ``fights`` in it, or is elsewhere."""
    found = disputes.battle_in(scenario, fights=fights)
    if found is None:
        pytest.skip(f"no such battle is soon played in {scenario}")
    return found.but(curious=True)


def accounted(plain: World) -> tuple[World, World]:
    """Two worlds in which the others' accounts differ while the watcher has sent none, and so do their drafts, then and
    afterwards."""
    others = plain.sides[1:]
    return (
        plain.but(accounts=dict.fromkeys(others, (1, -4)), drafts=dict.fromkeys(others, 2)),
        plain.but(accounts=dict.fromkeys(others, (2, -3)), drafts=dict.fromkeys(others, 5)),
    )


@pytest.mark.thorough
@pytest.mark.parametrize("scenario", scenarios(*QUICK))
def test_an_account_is_read_by_nobody_who_has_sent_none_and_a_draft_by_nobody(scenario: str) -> None:
    one, other = map(two_worlds.watch, accounted(fought(scenario, fights=True)))
    alike(one, other)
    assert one.hidden != other.hidden


@pytest.mark.thorough
@pytest.mark.parametrize("scenario", scenarios("cutler/intro"))
def test_who_is_elsewhere_learns_nothing_of_accounts_nor_that_they_differ(scenario: str) -> None:
    if len(sides_of(scenario)) < 3:
        pytest.skip("nobody is elsewhere")
    plain = fought(scenario, fights=False)
    agreed = plain.but(accounts={plain.sides[-1]: (0,)})
    quarrel = dict.fromkeys(plain.sides[1:], (1,)) | {plain.sides[-1]: (2, 3)}
    one, other = two_worlds.watch(agreed), two_worlds.watch(plain.but(accounts=quarrel, quarrel=True, looks_on=True))
    alike(one, other)
    assert any("stand" in line for line in other.hidden), other.hidden


# --- a force of two races ---------------------------------------------------------------------------------------------
PARTNERS = section("partners")
FORCE = {
    ("turn", "ash"): {"coordination": {"partners": ["birch"]}},
    ("plot", "birch"): {"coordination": {"partners": ["ash"]}},
    ("card", "birch"): {"force": {"card": "combat"}},
}


def as_one_force(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """Ash and Birch act as one force, and fight the Cedar."""
    sheet = as_filled_in(adjudicator, side, ask, chance)
    return {key: {**line, **FORCE.get((ask.kind, side), {}).get(key, {})} for key, line in sheet.items()}


def three_races(*sides: str) -> World:
    """Their battle, watched by the first of these."""
    files = {name: (lambda _, text=text: text) for name, text in scenario_of(PARTNERS, turns=1).items()}
    return World("cutler/intro", sides, policies=dict.fromkeys(sides, as_one_force), files=files, until="battle")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "sides", [("cedar", "ash", "birch", "dogwood"), ("birch", "cedar", "ash", "dogwood")], ids=lambda sides: sides[0]
)
def test_of_a_force_of_two_races_partners_read_what_was_sent_and_no_draft(sides: tuple[str, ...]) -> None:
    one, other = accounted(three_races(*sides).but(curious=True))
    if sides[0] == "birch":  # what its partner sends is its own account
        one = one.but(accounts={**one.accounts, "ash": (-4,)})
        other = other.but(accounts={**other.accounts, "ash": (-3,)})
    alike(two_worlds.watch(one), two_worlds.watch(other))


@pytest.mark.thorough
def test_a_fourth_race_learns_nothing_of_the_accounts_of_three() -> None:
    plain = three_races("dogwood", "ash", "birch", "cedar").but(curious=True)
    quarrel = plain.but(accounts={"ash": (1,), "birch": (2,), "cedar": (3,)}, quarrel=True)
    alike(two_worlds.watch(plain.but(accounts={"cedar": (0,)})), two_worlds.watch(quarrel))


# --- it can fail ------------------------------------------------------------------------------------------------------
def caught(one: World, other: World) -> str:
    """Play both and give the difference, which must be there."""
    with pytest.raises(AssertionError) as difference:
        alike(two_worlds.watch(one), two_worlds.watch(other))
    return str(difference.value)


APART = test_pq17.APART.but(curious=True)
OTHERWISE = APART.but(files={"scenario.toml": test_pq17.all_of_it})


@pytest.mark.thorough
def test_a_form_that_knows_an_enemys_ship_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real, known = find_prompt.FoundPrompt.opened, [""]

    def leaky(self: find_prompt.FoundPrompt, adjudicator: Any, **more: Any) -> Any:
        known[0] = next(unit.name for unit in adjudicator._state.units.values() if unit.side == "coalition")
        return real(self, adjudicator, **more)

    monkeypatch.setattr(find_prompt.FoundPrompt, "opened", leaky)
    plain = prompt_presses.line_modal
    monkeypatch.setattr(
        prompt_presses, "line_modal", lambda *given: plain(*given[:3], given[3]._replace(label=known[0]), given[4])
    )
    assert "form" in caught(APART, OTHERWISE)


@pytest.mark.thorough
def test_a_cards_map_of_another_sides_view_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = find_prompt.FoundPrompt.opened

    def leaky(self: find_prompt.FoundPrompt, adjudicator: Any, **more: Any) -> Any:
        seen = adjudicator.view("coalition").model_copy(update={"side": self.side})
        return replace(real(self, adjudicator, **more), view=seen)

    monkeypatch.setattr(find_prompt.FoundPrompt, "opened", leaky)
    assert "map" in caught(APART, OTHERWISE)


@pytest.mark.thorough
def test_a_page_of_all_orders_that_counts_others_drafts_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = showing.show_orders

    async def leaky(interaction: Any, prompt: open_prompt.OpenPrompt, page: int) -> None:
        async with interaction.client.services.runtime.loaded.use(prompt.campaign.id) as referee:
            asks = [(one.key, ask.id) for one in referee.sides for ask in referee.asks_for(one.key)]
            saved = sum(referee.saved(*one) is not None for one in asks)
        await real(interaction, replace(prompt, state=replace(prompt.state, others_open=saved)), page)

    monkeypatch.setattr(prompt_presses, "show_orders", leaky)
    assert " more sheet" in caught(APART, APART.but(others_first=True))


@pytest.mark.thorough
def test_a_desk_that_answers_a_player_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    async def leaky(self: RefereeDesk, campaign_id: str, user_id: int) -> Any:
        async with self._runtime.loaded.use(campaign_id) as referee:
            asks = [(one.key, ask.id) for one in referee.sides for ask in referee.asks_for(one.key)]
            saved = sum(referee.saved(*one) is not None for one in asks)
        raise Sorry(f"Only the referee sees that {saved} sheets are saved.", code="leak")

    monkeypatch.setattr(RefereeDesk, "desk", leaky)
    assert "Only the referee sees" in caught(APART, APART.but(others_first=True))


@pytest.mark.thorough
def test_an_account_that_is_told_before_ones_own_is_sent_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    real = answering.tell_account_sent

    async def leaky(recording: Any, ask: AnyAsk, side: str) -> None:
        await real(recording, ask, side)
        said = ask.read_back(recording.adjudicator.saved(side, ask.id))
        await recording.put(effects.Post(place=places.battle_place(ask.setup.key), content=f"Psst: {said}"))

    monkeypatch.setattr(answering, "tell_account_sent", leaky)
    assert "Psst" in caught(*accounted(fought("pq17/intro", fights=True)))


@pytest.mark.thorough
def test_a_card_that_shows_an_account_to_who_has_sent_none_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaky(adjudicator: Any, ask: AnyAsk, side: str) -> Any:
        return () if not ask.is_shared else [str(ask.read_back(one)) for one in others(adjudicator, ask, side)]

    def others(adjudicator: Any, ask: AnyAsk, side: str) -> list[Any]:
        sent = [adjudicator.saved(force[0], ask.id) for force in ask.forces if side not in force]
        return [one for one in sent if one is not None]

    monkeypatch.setattr(prompts, "differences_for", leaky)
    assert "accounts differ" in caught(*accounted(fought("pq17/intro", fights=True)))


def test_a_verb_of_which_nobody_has_said_what_it_does_fails() -> None:
    with pytest.raises(AssertionError, match="dance"):
        kind_of("p|token|dance|1")
    assert (kind_of("p|token|reset|"), kind_of("p|token|reset|1234"), kind_of("w|next||")) == ("look", "play", "look")
