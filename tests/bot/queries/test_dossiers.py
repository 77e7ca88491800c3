"""``/dossier``: what one's side knows of each other, page by page; and missions, from a plain message to a finding.

Cutler's introduction: ann commands the Klingons, leo the Hydrans, mia the Lyrans.
"""

from collections.abc import AsyncIterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bot.cards.dossiers.card import dossier_card, dossier_file
from bot.cards.dossiers.seen import ALL, SeenDossier, file_place, owner_place
from bot.cards.forces_pages import fits_a_page
from bot.client import PlotroomBot
from bot.errors import Sorry
from bot.settings import HostSettings
from bot.store.tables import PromptRow
from rules_engine.core.basics.base import When
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.grids import charts, hexes
from rules_engine.core.grids.places import MapPlaces
from rules_engine.core.knowledge.dossiers.entries import DossierEntry
from rules_engine.core.knowledge.dossiers.files import Dossier, filed
from rules_engine.core.knowledge.hearsay.items import Hearsay
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.bot.direct.test_plain_messages import answered, labels
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, modal_of, said, simulated_server
from tests.expected.kept import cases
from tests.expected.words import has_words
from tests.message_words import pressable

SEATS = {"ann": "klingon", "leo": "hydran", "mia": "lyran"}
MISSION = "location detection against the Klingon at 0708 with 20 IP"


class Spied(SimulatedServer):
    """A server on which missions always succeed."""

    def new_bot(self) -> PlotroomBot:
        settings = HostSettings(_env_file=None)  # type: ignore[call-arg]  pydantic-settings takes it
        return PlotroomBot(self.store, settings, now=self.now, clock_wait=self._clock_wait)

    async def begin(self, title: str = "Border") -> str:
        """A campaign under way."""
        campaign = await self.found(title, scenario="cutler/intro")
        for who, side in (*SEATS.items(), ("sam", "spectator")):
            await self.slash(self.people[who], "campaign join", side=side, campaign=campaign)
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=campaign))
        return campaign

    async def all_ready(self) -> None:
        """The turn's sheets close."""
        for who in SEATS:
            await self.slash(self.people[who], "orders ready")
        await self.bot.delivery.settled()
        await self.env.settle()

    async def press_at(self, who: str, custom_id: str) -> Any:
        """A press that no client would send, on a message that everybody sees."""
        return await self.forge(self.people[who], (await self.channel("public")).history()[-1], custom_id)

    async def dossier(self, who: str, side: str | None = None) -> Any:
        """Somebody's ``/dossier``."""
        return await self.slash(self.people[who], "dossier", **({} if side is None else {"side": side}))


@pytest.fixture
async def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Spied]:
    real = DiceStream.draw

    def draw(self: DiceStream, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        return (1,) if label.endswith("mission") else real(self, label, ordinal, die, count)

    monkeypatch.setattr(DiceStream, "draw", draw)
    async with simulated_server(tmp_path, Spied) as made:
        assert isinstance(made, Spied)
        yield made


# --- a mission, from a plain message to the dossier -------------------------------------------------------------------
async def test_a_mission_is_written_as_a_message_and_its_finding_stands_in_the_dossier_alone(club: Spied) -> None:
    await club.begin()
    echo = await answered(club, club.leo, MISSION)
    assert "• ✏️ M1: Location Detection against the Klingon, hex 0708 with 20 IP." in echo.content
    assert labels(echo) == ["Save", "Change"]
    await club.leo.user.click(echo, label="Save")
    await club.all_ready()
    told = said(await club.dossier("leo", "klingon"))
    (line,) = [one for one in told.split("\n") if "**hex 0708**" in one]
    units = "6 Klingon units (size 3: CW ×2; size 4: DD; size 4: FF ×2; size 4: police)"
    assert line == f"• **hex 0708** · Location Detection: {units}. · spy mission, certain · 1 impulse ago"
    assert "Missions …" not in labels((await club.dossier("leo")).response), "none can be ordered now"
    (contact,) = [one for one in told.split("\n") if "**C1**" in one]
    has_words(contact, "0708 · ", "spy mission, partial · 1 impulse ago")
    for who, side in (("ann", "hydran"), ("mia", "klingon"), ("mia", "hydran")):
        assert "Location" not in said(await club.dossier(who, side)) or who == "ann"
    assert "spy report" in said(await club.slash(club.leo, "map", text=True))
    for who in (club.ann, club.mia, club.sam):
        assert "spy report" not in said(await club.slash(who, "map", text=True))
    ledger = said(await club.slash(club.leo, "ledger", which="contacts"))
    assert "-# Contact · When · Hex · Level · What was seen · Source · Age · Confidence" in ledger
    assert "• C1 · Turn 1, espionage · 0708 · S1-S5 · 5 Klingon units · spy mission · 1 impulse ago · partial" in ledger


async def test_the_victim_knows_what_was_tried_and_nothing_more(club: Spied) -> None:
    await club.begin()
    echo = await answered(club, club.leo, MISSION)
    await club.leo.user.click(echo, label="Save")
    await club.all_ready()
    (line,) = [one for one in said(await club.dossier("ann", "hydran")).split("\n") if "spies" in one and "•" in one]
    assert line.startswith(
        "• **spies** 0708 · A Hydran spy attempts Location Detection on hex 0708. · intelligence, certain"
    )
    assert "20" not in line.replace("0708", "")
    assert "units" not in line


async def test_several_missions_are_written_at_once_and_take_the_next_free_lines(club: Spied) -> None:
    await club.begin()
    first = await answered(club, club.leo, "base plans against the Lyran, 10 IP")
    await club.leo.user.click(first, label="Save")
    text = "planet check, klingon, forgefall, 10 ip\nmission: resource check against lyran at High Den with 10 IP"
    second = await answered(club, club.leo, text)
    assert "M2: Planet Check against the Klingon, the planet Forgefall in 0708 with 10 IP." in second.content
    assert "M3: Resource Check against the Lyran, hex 0902 with 10 IP." in second.content
    await club.leo.user.click(second, label="Save")
    (draft,) = await club.rows(PromptRow.draft, PromptRow.side == "hydran")
    missions = {key: line["kind"] for key, line in draft.items() if key.startswith("M") and line.get("kind")}
    assert missions == {"M1": "base", "M2": "planet", "M3": "resources"}


@cases("text, told")
async def test_what_is_wrong_with_a_mission_is_said_and_nothing_is_saved(club: Spied, text: str, told: str) -> None:
    await club.begin()
    journal = await club.journal()
    echo = await answered(club, club.leo, text)
    assert "__Not accepted; nothing was changed__" in echo.content
    assert told in echo.content
    assert await club.journal() == journal


async def test_from_the_dossier_a_button_opens_the_sheet_at_its_missions_and_a_form_makes_one(club: Spied) -> None:
    await club.begin()
    shown = await club.dossier("leo")
    opened = await club.leo.click(shown.response, label="Missions …")
    assert "You make 200 CPV" in said(opened)
    (menu, *_) = pressable(opened.response)
    assert menu["options"][0]["label"] == "Mission 1"
    form = await club.leo.select(opened.response, [menu["options"][0]["value"]])
    offered = [one["label"] for one in modal_of(form)["components"][2]["component"]["options"]]
    assert "Forgefall, 0708 (Klingon)" in offered
    assert not any("Hydran" in one for one in offered)
    await club.submit(club.leo, form, f0=["planet"], f1=["klingon"], f2=["forgefall"], f4="12")
    (draft,) = await club.rows(PromptRow.draft, PromptRow.side == "hydran")
    assert draft["M1"] == {"kind": "planet", "against": "klingon", "target": "forgefall", "ip": 12}
    menu = next(one for one in pressable((await club.slash(club.leo, "missions")).response) if "options" in one)
    assert [one["label"] for one in menu["options"]][:2] == ["Mission 1", "Mission 2"]


# --- the pages --------------------------------------------------------------------------------------------------------
async def test_all_opponents_are_headed_and_a_menu_opens_one(club: Spied) -> None:
    await club.begin()
    shown = await club.dossier("leo")
    found = said(shown).removeprefix("**Border** · ")
    assert found == "**Dossiers** · Turn 1 of 4\n**Klingon**: 6 on the open map\n**Lyran**: 6 on the open map"
    (menu, *_) = pressable(shown.response)
    assert [one["label"] for one in menu["options"]] == ["Klingon", "Lyran"]
    assert all(one["value"].isalnum() and "lyran" not in one["value"] for one in menu["options"])
    opened = await club.leo.select(shown.response, [menu["options"][1]["value"]])
    assert "• **High Den in 0902** · planet, capital · open map, certain" in said(opened)
    (files, *_) = pressable(opened.response)
    high_den = next(one["value"] for one in files["options"] if one["label"] == "High Den in 0902")
    one = await club.leo.select(opened.response, [high_den])
    assert "• **now (Turn 1 of 4)**: in 0902: planet, capital\n-# open map, certain" in said(one)
    back = await club.leo.click(one.response, label="Lyran")
    assert "• **High Den in 0902**" in said(back)
    assert "**Dossiers**" in said(await club.leo.click(back.response, label="All"))


async def test_it_is_offered_and_asked_for_by_name(club: Spied) -> None:
    await club.begin()
    offered = await club.leo.autocomplete(club.hall, "dossier", "side", "")
    assert [(one["name"], one["value"]) for one in offered] == [("Klingon", "klingon"), ("Lyran", "lyran")]
    for typed in ("Lyran", " LYRAN ", "lyran"):
        assert "High Den" in said(await club.dossier("leo", typed))
    wrong = said(await club.dossier("leo", "lyra@everyone"))
    assert "There is no dossier of “lyra@everyone”. Did you mean Lyran? There is: Klingon, Lyran." in wrong
    assert "There is no dossier of “hydran”" in said(await club.dossier("leo", "hydran"))
    for who in (club.rita, club.sam, club.zoe):
        assert await who.autocomplete(club.hall, "dossier", "side", "") == []


async def test_who_commands_no_side_is_told_so(club: Spied) -> None:
    campaign = await club.begin()
    for who in (club.rita, club.sam):
        told = said(await club.slash(who, "dossier", campaign=campaign))
        assert "Only a commander of a side can do this here." in told


async def test_it_works_in_direct_messages(club: Spied) -> None:
    await club.begin()
    assert "High Den" in said(await club.dm_slash(club.leo, "dossier", side="lyran"))


async def test_all_of_it_is_given_as_a_file(club: Spied) -> None:
    await club.begin()
    shown = await club.dossier("leo", "lyran")
    got = await club.leo.click(shown.response, label="As a file")
    assert [file.filename for file in message_of(got).attachments] == ["dossier.txt"]


@cases("argument", made="argument")
async def test_a_forged_page_is_refused_in_one_line(club: Spied, argument: str) -> None:
    campaign = await club.begin()
    assert "This is not something I offered." in said(await club.press_at("leo", f"c|{campaign}|dossier|{argument}"))


async def test_what_is_there_no_more_is_the_page_of_all(club: Spied) -> None:
    campaign = await club.begin()
    for place in ("deadbeef00.0", "deadbeef00.7"):
        assert "**Dossiers**" in said(await club.press_at("leo", f"c|{campaign}|dossier|{place}"))
    last = await club.press_at("leo", f"c|{campaign}|dossier|{owner_place('lyran')}.5000")
    assert "High Den" in said(last), "a page that is too far is the last one"


async def test_a_page_of_others_is_ones_own_page(club: Spied) -> None:
    """Ids are hints: who presses gets the dossier of their own side, or nothing."""
    campaign = await club.begin()
    place = f"c|{campaign}|dossier|{owner_place('klingon')}.0"
    assert "**Klingon**" in said(await club.press_at("mia", place))
    assert "**Klingon**" not in said(await club.press_at("ann", place)), "of oneself there is none"
    for who in ("rita", "sam", "zoe"):
        before = await club.fingerprint()
        assert "Klingon" not in said(await club.press_at(who, place))
        assert await club.fingerprint() == before


async def test_what_others_handed_on_is_joined_in_and_marked(club: Spied) -> None:
    campaign = await club.begin()
    asked: list[tuple[str, str]] = []

    async def handed_on(campaign_id: str, side: str) -> Sequence[Hearsay]:
        asked.append((campaign_id, side))
        told = {"source": "lyran", "turn": 1, "live": True}
        return [
            Hearsay(about="C9", words=("4 Klingon units",), hex="0708", owner="klingon", confidence="S1-S5", **told),
            Hearsay(about="Azure Throne", hex="0205", owner="hydran", **told),
            Hearsay(about="C7", hex="0101", owner="klingon", **{**told, "turn": 2}),  # before play went back
        ]

    club.bot.services.queries.dossiers._handed_on = handed_on
    told = said(await club.dossier("leo", "klingon"))
    assert asked == [(campaign, "hydran")]
    assert "**Klingon**: 6 on the open map, 1 by hearsay" in told
    assert "C7" not in told
    assert "• **C9** 0708 · 4 Klingon units, S1-S5; handed on in turn 1 · hearsay from Lyran, unconfirmed · " in told
    text = said(await club.dossier("leo", "Your own side"))
    assert "• **Azure Throne** 0205 · seen; handed on in turn 1 · hearsay from Lyran" in text


# --- cards by themselves ----------------------------------------------------------------------------------------------
HEXES = hexes.Grid(columns=20, rows=20)
HOSTILE = "**x** @everyone [a](https://e.x) ``` \n# <@1> ||s|| |c| \u202e"


def entry(subject: str, text: str = "seen", **more: Any) -> DossierEntry:
    values = {"about": "klingon", "source": "scan", "confidence": "certain", "when": When(turn=1, label="Turn 1")}
    return DossierEntry(subject=subject, text=text, **(values | more))


def seen(*entries: DossierEntry, names: dict[str, str] | None = None, places: MapPlaces = HEXES) -> SeenDossier:
    dossier = Dossier(now=When(turn=4, step=10, label="Turn 4"), files=filed(entries))
    return SeenDossier(
        "abcde", "hydran", names or {"klingon": "Klingon", "lyran": "Lyran"}, dossier, RULEBOOK.turn_parts, places
    )


def every_page(it: SeenDossier, place: str) -> list[str]:
    texts: list[str] = []
    while len(texts) < 500:
        text = dossier_card(it, place, len(texts)).content
        if text in texts:
            return texts
        texts.append(text)
    raise AssertionError("pages without an end")


@pytest.mark.parametrize("count", [0, 1, 7, 40, 400])
def test_no_page_is_longer_than_a_phones_screen_and_all_is_on_one_of_them(count: int) -> None:
    it = seen(*(entry(f"C{number}", "a word " * (number % 60 + 1), hex="0708") for number in range(1, count + 1)))
    pages = every_page(it, owner_place("klingon"))
    assert all(fits_a_page(text) for text in pages)
    listed = "\n".join(pages)
    assert all(f"**C{number}**" in listed for number in range(1, count + 1))
    for page in range(len(pages)):
        for row in dossier_card(it, owner_place("klingon"), page).rows:
            assert len(row) <= 5
            assert all(len(part.get("options", ())) <= 25 for part in row)
            assert all(len(part["id"]) <= 100 for part in row)


def test_one_thing_with_many_entries_is_told_in_pages() -> None:
    entries = [entry("C1", f"seen for the {number}th time", when=When(turn=1, step=number)) for number in range(1, 60)]
    it = seen(*entries)
    pages = every_page(it, file_place(it.dossier.files[0]))
    assert len(pages) > 3
    assert all(fits_a_page(text) for text in pages)
    order = [int(word[:-2]) for text in pages for word in text.split() if word.endswith("th") and word[:-2].isdigit()]
    assert order == sorted(order, reverse=True), "the newest first"
    assert len(order) == 59


def test_a_row_says_what_where_from_where_how_sure_and_how_old() -> None:
    it = seen(
        entry("C1", "2 units", hex="0605", is_contact=True, when=When(turn=3, step=50), rule="8.4"),
        entry("C1", "lost from sight", ends="lost", is_contact=True, when=When(turn=4, step=0)),
        entry("C2", "5 units", hex="0606", is_contact=True, when=When(turn=2), since=When(turn=1, label="Turn 1")),
    )
    text = dossier_card(it, owner_place("klingon")).content
    assert text == (
        "**Klingon**: 1 contact held, 1 lost\n"
        "• **C1** 0605 · 2 units · scan, certain · lost 1 impulse ago\n"
        "• **C2** 0606 · 5 units · scan, certain · 2 turns ago"
    )
    all_of_them = dossier_card(it, ALL).content
    assert all_of_them == (
        "**Dossiers** · Turn 4\n"
        "**Klingon**: 1 contact held, 1 lost\n"
        "-# newest: C1 0605 · 2 units · scan, certain · lost 1 impulse ago\n"
        "**Lyran**: nothing is known"
    )
    file = dossier_card(it, file_place(it.dossier.files[1])).content
    assert file == "**C2** · Klingon\n• **2 turns ago**: in 0606: 5 units\n-# scan, certain, the same since Turn 1"


def test_what_players_have_called_things_breaks_no_page() -> None:
    it = seen(
        entry(HOSTILE, HOSTILE * 20, details=(HOSTILE,) * 50),
        entry("C1", "x", handed_on_by="lyran", confidence="unconfirmed"),
        names={"klingon": HOSTILE[:40], "lyran": "Ly**ran"},
    )
    for place in (ALL, owner_place("klingon"), *(file_place(one) for one in it.dossier.files)):
        card = dossier_card(it, place)
        assert fits_a_page(card.content)
        assert all(line.count("**") % 2 == 0 for line in card.content.split("\n") if "hearsay" in line)
        assert not any(line.startswith("#") for line in card.content.split("\n"))
        for row in card.rows:
            assert all("|" not in part["id"].split("|", 3)[3] for part in row)
        assert dossier_file(it, place)


def test_places_tell_nothing_and_are_not_mixed_up() -> None:
    places = [owner_place("klingon"), owner_place("lyran"), owner_place("")]
    it = seen(entry("C1"), entry("C1", about="lyran"), entry("C1", handed_on_by="lyran"), entry("C1", about=""))
    places += [file_place(one) for one in it.dossier.files]
    assert len({*places}) == len(places) == 7
    assert all(len(one) == 10 and one.isalnum() for one in places)


def test_an_opponent_is_found_by_name_and_none_else() -> None:
    it = seen(entry("C1"))
    assert it.place_of("KLINGON") == owner_place("klingon")
    with pytest.raises(Sorry, match="unknown-opponent"):
        it.place_of("x" * 5_000)


def test_places_of_a_map_of_lanes_are_told_by_their_names() -> None:
    places = charts.Chart(systems=(charts.ChartSystem(id="wolf-359", name="Wolf 359", x=Fraction(1), y=Fraction(1)),))
    told = [entry(subject, hex="wolf-359") for subject in ("fort in Wolf 359", "Wolf 3599")]
    it = seen(entry("C1", "2 units", hex="wolf-359"), *told, places=places)
    page = dossier_card(it, owner_place("klingon")).content
    has_words(page, "• **C1** Wolf 359 · 2 units", "• **fort in Wolf 359** · seen", "• **Wolf 3599** Wolf 359 · seen")
    assert "in Wolf 359: 2 units" in dossier_file(it, owner_place("klingon"))
