"""Three races, each of which reads of its own alone: dossiers, economies, letters, standing orders in time."""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from tests.expected.words import has_words
from tests.secrecy.quiet_policies import by_default, cutler_sheet
from tests.secrecy.test_cutler import GUESSES, PLAIN
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import Record, World, alike

# --- dossiers ---------------------------------------------------------------------------------------------------------
# dossiers and spies among three races: what a race reads of others, on its pages, its map and its prompts, depends on
# nothing that it was not told.
# ``/dossier`` with all that it offers is among what the watcher asks for in every test of this folder; here spies
# succeed.
SPIES = World(
    "cutler/intro", ("hydran", "lyran", "klingon"),
    policies={"hydran": by_default, "lyran": by_default, "klingon": by_default}, dice={"mission": (1,)}, turns=2,
)  # fmt: skip
"""Hydran watches; whatever is tried, succeeds."""
VICTIM = SPIES.but(sides=("klingon", "hydran", "lyran"), turns=1)
"""The Klingon watches."""


def mission(kind: str, other: str | None, ip: int = 20, against: str = "klingon") -> dict[str, Any]:
    return {"kind": kind, "against": against, "other": other, "ip": ip}


def ordering(world: World, **sheets: Mapping[str, Any]) -> World:
    """The same, where these races order this in turn 1."""
    return world.but(policies={**world.policies, **{race: cutler_sheet(lines) for race, lines in sheets.items()}})


def texts(record: Record) -> str:
    return "\n".join(line for moment in record.moments for line in moment)


@pytest.mark.parametrize(
    "missions",
    [
        pytest.param(
            {"M1": mission("location", "0708"), "M2": mission("resources", "0908")}, marks=pytest.mark.thorough
        ),
        {"M1": mission("planet", "forgefall"), "M2": mission("ship", "0708")},
    ],
    ids=["location", "planet"],
)
def test_what_spies_of_one_find_of_another_is_unseen_by_the_third(missions: dict[str, Any]) -> None:
    one, other = watch(SPIES), watch(ordering(SPIES, lyran=missions))
    alike(one, other)
    assert one.hidden != other.hidden, "the missions were ordered"


@pytest.mark.thorough
def test_who_is_spied_upon_cannot_tell_with_how_much_nor_what_was_found() -> None:
    # 6.5.1: the kind, the race and the target are announced, and never the points; the result is the spy's own.
    counters = {"counter": {"points": 10}}
    few = ordering(VICTIM, hydran={"M1": mission("location", "0708", ip=12)}, klingon=counters)
    many = ordering(VICTIM, hydran={"M1": mission("location", "0708", ip=40)}, klingon=counters)
    failed = few.but(dice={"mission": (6,)})
    seen = watch(few)
    alike(seen, watch(many))
    alike(seen, watch(failed))
    assert "A Hydran spy attempts Location Detection on hex 0708." in texts(seen)
    assert "spies" in "\n".join(line for moment in seen.moments if moment[0] == "/dossier" for line in moment)
    assert "Location Detection: " not in texts(seen)


@pytest.mark.thorough
def test_who_is_spied_upon_does_see_what_is_tried() -> None:
    """Else the test before it could not fail."""
    counters = {"counter": {"points": 10}}
    one = watch(ordering(VICTIM, hydran={"M1": mission("location", "0708")}, klingon=counters))
    assert one.first_difference(watch(ordering(VICTIM, hydran={"M1": mission("location", "0906")}, klingon=counters)))


def elsewhere(text: str) -> str:
    """Another ship where the spies did not look."""
    name = 'name = "Redmane"\ntype = "heavy_cruiser"'
    assert name in text
    return text.replace(name, name.replace("heavy_cruiser", "command_cruiser"))


def in_sight(text: str) -> str:
    """Another ship where they did."""
    name = 'name = "Spark"\ntype = "destroyer"'
    assert name in text
    return text.replace(name, name.replace("destroyer", "frigate"))


@pytest.mark.thorough
def test_a_spy_learns_what_it_looked_at_and_nothing_else() -> None:
    spying = ordering(SPIES, hydran={"M1": mission("location", "0708")})
    seen = watch(spying)
    alike(seen, watch(spying.but(files={"units.toml": elsewhere})))
    has_words(texts(seen), "**hex 0708** · Location Detection: 6 Klingon units", "spy report")
    assert seen.first_difference(watch(spying.but(files={"units.toml": in_sight})))


# --- economies, standing budgets and what reminders say of losses: each race reads of its own alone -------------------
# The watcher asks for ``/economy`` whenever it may look at everything, lets deadlines come near so that it is
# reminded, and presses all that the card offers.
LATE = PLAIN.but(late=frozenset({"hydran"}), curious=True)
STANDS = {"economy": {"reserve": 7, "pool": 11, "stands": "yes"}, "D1": {"work": "build frigate", "cpv": 9}}
WASTES = {"economy": {"reserve": 3, "pool": 0}}


def two(lyran: dict[str, dict[str, object]], klingon: dict[str, dict[str, object]]) -> World:
    """The Lyran and the Klingon with these sheets."""
    policies = {**PLAIN.policies, "lyran": cutler_sheet(lyran), "klingon": cutler_sheet(klingon)}
    return LATE.but(policies=policies)


@cache
def plain() -> Record:
    return watch(LATE, guesses=GUESSES)


def test_the_watcher_is_shown_its_own_economy_and_reminded_of_its_own_losses() -> None:
    """Else nothing would be compared."""
    told = "\n".join(line for moment in plain().moments for line in moment)
    has_words(told, "/economy", "Azure Station, bay 1", "your side's time is up", "50 repair boxes stand idle")
    assert "High Den" not in "\n".join(line for what, *lines in plain().moments if what == "/economy" for line in lines)


@pytest.mark.thorough
@pytest.mark.parametrize("worlds", [(STANDS, WASTES), (WASTES, STANDS)], ids=["lyran", "klingon"])
def test_what_others_save_spend_waste_and_let_stand_is_unseen(
    worlds: tuple[dict[str, dict[str, object]], dict[str, dict[str, object]]],
) -> None:
    # What CPV are spent on is written in secret (6.2, 6.4), and so is what stands of it for later turns (CU-N150).
    other = watch(two(*worlds), guesses=GUESSES)
    alike(plain(), other)
    assert plain().hidden != other.hidden


@pytest.mark.thorough
def test_a_standing_budget_that_is_carried_out_without_a_word_is_unseen() -> None:
    """The other's budget stands in the second turn, though its sheet says nothing there."""
    kept: list[tuple[int, str, bool]] = []

    def says(sheet: dict[str, dict[str, object]]) -> Any:
        def policy(adjudicator: Any, side: str, ask: Any, chance: Any) -> Any:
            kept.append((adjudicator.turn, side, bool(adjudicator._state.empires[side].budget)))
            chosen = cutler_sheet(sheet) if adjudicator.turn == 1 else by_default
            return chosen(adjudicator, side, ask, chance)

        return policy

    two_turns = LATE.but(turns=2, policies={**PLAIN.policies, "lyran": says({})})
    plain = watch(two_turns, guesses=GUESSES)
    assert (2, "lyran", False) in kept
    other = watch(two_turns.but(policies={**PLAIN.policies, "lyran": says(STANDS)}), guesses=GUESSES)
    assert (2, "lyran", True) in kept
    alike(plain, other)


# --- letters ----------------------------------------------------------------------------------------------------------
# letters between two of three races: the third, who watches, the referee and everybody else see the same without.
QUIET = World(
    "cutler/intro", ("hydran", "lyran", "klingon"),
    policies=dict.fromkeys(("hydran", "lyran", "klingon"), by_default), curious=True, chair=True,
)  # fmt: skip


@cache
def quiet(seed: int = 1) -> Record:
    """The world in which nobody writes."""
    return watch(QUIET.but(seed=seed))


def test_that_two_talked_agreed_and_handed_on_is_unseen_by_all_others() -> None:
    talked = watch(QUIET.but(talk=True))
    assert any("talked" in one for one in talked.hidden)
    alike(quiet(), talked)


def test_ones_own_letters_and_numbers_are_the_same_whether_the_others_talk_or_not() -> None:
    mine = QUIET.but(writes=True, curious=False)
    alike(watch(mine), watch(mine.but(talk=True)))


@pytest.mark.slow
def test_it_is_unseen_where_the_referee_looks_at_everything_too() -> None:
    looked = QUIET.but(looks_on=True, pictures=True)
    alike(watch(looked), watch(looked.but(talk=True)))


# --- orders in time ---------------------------------------------------------------------------------------------------
# standing orders in time, over messages, deadlines and all that the watcher may ask for: the watcher spies upon a
# race that answers by hand in one world, and by its standing orders in the other. Three races.
SPYING = {"M1": {"kind": "location", "against": "lyran", "other": "0702", "ip": 20}}
WAIT = {"at_once": False}
KEEPS = {"counter": {"points": 20}}
BY_ORDERS = {**KEEPS, "standing": {"orders": "counter 5; go on"}}


def by_hand(adjudicator: Any, side: str, ask: AnyAsk, chance: Random) -> Any:
    """The same said by hand."""
    if ask.kind == "counter":
        return {"counter": {"points": 5}}
    return cutler_sheet(KEEPS)(adjudicator, side, ask, chance)


def spied_upon(lyran: Any, **more: Any) -> World:
    """The Hydran watches and spies; the Lyran answers so."""
    policies = {**PLAIN.policies, "hydran": cutler_sheet(SPYING), "lyran": lyran}
    return PLAIN.but(**{"policies": policies, "settings": WAIT, **more})


def both(**more: Any) -> tuple[Record, Record]:
    """The two worlds."""
    one, other = (watch(spied_upon(policy, **more), guesses=GUESSES) for policy in (by_hand, cutler_sheet(BY_ORDERS)))
    assert one.hidden != other.hidden
    return one, other


@pytest.mark.parametrize(
    "late",
    [frozenset[str](), pytest.param(frozenset({"lyran"}), marks=pytest.mark.thorough)],
    ids=["ready", "never ready"],
)
def test_who_is_spied_upon_answers_alike_by_hand_and_by_orders(late: frozenset[str]) -> None:
    one, other = both(late=late)
    assert any("counter" in line for line in one.hidden)
    assert not any(" counter " in line for line in other.hidden)
    alike(one, other)


def test_where_orders_answer_at_once_it_can_be_told() -> None:
    """Else nothing would be compared."""
    one, other = both(late=frozenset({"lyran"}), settings={"at_once": True})
    with pytest.raises(AssertionError):
        alike(one, other)


def test_a_race_that_is_out_of_it_sees_the_same() -> None:
    """The Klingon, who has nothing to do with the mission."""
    sides = ("klingon", "hydran", "lyran")
    policies = {**PLAIN.policies, "klingon": by_default, "hydran": cutler_sheet(SPYING)}
    worlds = [
        PLAIN.but(sides=sides, late=frozenset({"lyran"}), settings=WAIT, policies={**policies, "lyran": policy})
        for policy in (by_hand, cutler_sheet(BY_ORDERS))
    ]
    alike(*(watch(world, guesses=()) for world in worlds))
