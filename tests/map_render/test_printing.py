"""Maps as files that other programs read, and in words."""

import io
import re
import zlib
from collections.abc import Callable
from functools import cache

import pytest
from PIL import Image

from map_render import DEFAULT, MapImage, Theme, alt_text, describe, on_white, pages, parse_theme, render_side, words
from map_render.drawing.theme import contrast
from rules_engine.core.knowledge.glance import Figure, Header, News, Range, Stage, Tally, Track
from rules_engine.core.knowledge.views import Counter, HexNote, SideView
from tests.bench.renderings import sample_view
from tests.checkout import ROOT
from tests.map_render import boards, pictures

PAPER = parse_theme((ROOT / "config" / "themes" / "paper.toml").read_text(encoding="utf-8"))


@cache
def wide_map() -> MapImage:
    """Draw a map that is wider than high."""
    return render_side(sample_view(), theme=on_white(PAPER))


@cache
def high_map() -> MapImage:
    """Draw a map that is higher than wide."""
    return render_side(sample_view(columns=4, rows=9), theme=on_white(PAPER))


def objects(file: bytes) -> list[bytes]:
    """The numbered objects of a file, found by its table."""
    table = int(re.findall(rb"startxref\n(\d+)\n%%EOF\n$", file)[0])
    assert file[table:].startswith(b"xref\n")
    begins = [int(one) for one in re.findall(rb"^(\d{10}) 00000 n $", file[table:], re.MULTILINE)]
    found: list[bytes] = []
    for number, (begin, end) in enumerate(zip(begins, [*begins[1:], table], strict=True), start=1):
        assert file[begin:].startswith(b"%d 0 obj\n" % number)
        found.append(file[begin:end].split(b"\n", 1)[1].removesuffix(b"\nendobj\n"))
    return found


def drawn_in(one: bytes) -> Image.Image:
    """The picture in an object of a file, read as a program that shows it does."""
    about, data = one.split(b"\nstream\n", 1)

    def number(name: bytes) -> int:
        return int(re.findall(rb"/%s (\d+)" % name, about)[0])

    rows = zlib.decompress(data.removesuffix(b"\nendstream"))
    width, height = number(b"Width"), number(b"Height")
    assert number(b"Columns") == width
    assert number(b"BitsPerComponent") == 8
    assert len(data.removesuffix(b"\nendstream")) == number(b"Length")
    lines: list[bytes] = []
    above = bytes(width)
    for row in range(height):
        kind, line = rows[row * (width + 1)], bytearray(rows[row * (width + 1) + 1 : (row + 1) * (width + 1)])
        for at in range(width):
            left = line[at - 1] if at else 0
            corner = above[at - 1] if at else 0
            paeth = min((left, above[at], corner), key=lambda one: abs(left + above[at] - corner - one))
            line[at] = (line[at] + (0, left, above[at], (left + above[at]) // 2, paeth)[kind]) % 256
        above = bytes(line)
        lines.append(above)
    picture = Image.frombytes("P", (width, height), b"".join(lines))
    picture.putpalette(bytes.fromhex(re.findall(rb"DeviceRGB \d+ <([0-9a-f]+)>", about)[0].decode()))
    return picture.convert("RGB")


def boxes(file: bytes) -> list[list[float]]:
    """The size of each page."""
    return [[float(one) for one in found.split()] for found in re.findall(rb"/MediaBox \[([^]]+)\]", file)]


@pytest.mark.parametrize("drawn", [wide_map, high_map], ids=["wide", "high"])
def test_a_page_holds_the_very_picture(drawn: Callable[[], MapImage]) -> None:
    image = drawn()
    (found,) = [one for one in objects(pages([image])) if b"/Subtype /Image" in one]
    with Image.open(io.BytesIO(image.png)) as picture:
        assert drawn_in(found).tobytes() == picture.convert("RGB").tobytes()


def test_each_picture_has_a_page_of_its_shape_and_lies_within_it() -> None:
    file = pages([wide_map(), high_map(), wide_map()])
    assert wide_map().width > wide_map().height
    assert high_map().width < high_map().height
    across, upright = [0, 0, 841.89, 595.28], [0, 0, 595.28, 841.89]
    assert boxes(file) == [across, upright, across]
    for image, (*_, width, height), found in zip(
        (wide_map(), high_map(), wide_map()), boxes(file), re.findall(rb"q ([\d. ]+) cm /P Do Q", file), strict=True
    ):
        wide, _, _, high, left, below = (float(one) for one in found.split())
        assert wide / high == pytest.approx(image.width / image.height, abs=0.01)
        assert min(left, below) == pytest.approx(24, abs=0.1)
        assert left * 2 + wide == pytest.approx(width, abs=0.1)
        assert below * 2 + high == pytest.approx(height, abs=0.1)


def test_the_same_pictures_give_the_same_file_with_nothing_else_in_it() -> None:
    assert pages([wide_map(), high_map()]) == pages([wide_map(), high_map()])
    for word in (b"/Info", b"Date", b"Author", b"Producer", b"Metadata"):
        assert word not in pages([wide_map()])


def test_a_picture_without_a_palette_is_refused() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (3, 3)).save(buffer, "PNG")
    assert b"PLTE" not in pictures.chunks(buffer.getvalue())
    with pytest.raises(ValueError, match="palette"):
        pages([MapImage(buffer.getvalue(), 3, 3, "")])


def test_paper_is_printed_on_white_and_what_cannot_be_read_there_as_it_is() -> None:
    printed = on_white(PAPER)
    assert printed.paper == printed.margin == "#ffffff"
    assert printed.inks == PAPER.inks
    assert contrast(printed.inks.text, printed.paper) > contrast(PAPER.inks.text, PAPER.paper)
    assert on_white(DEFAULT) is DEFAULT
    assert isinstance(printed, Theme)


# --- maps in words: short enough for Discord, full enough to plan from ------------------------------------------------
def test_the_alt_text_says_what_a_commander_needs() -> None:
    said = alt_text(boards.convoy())
    assert said.startswith("Map of Convoy to Bastion, Phase 1 · Turn 4, as Alliance knows it.")
    for part in (
        "TF1 at 0604, cruise 2, active",
        "TF4 at 0403, stopped, passive, new or changed",
        # E1 stands two hexes under TF4 (0403 to 0405, rows downwards).
        "E1 at 0405 (Kzinti Hegemony, U, new or changed, 2 S of TF4)",
        "seen 3 turns ago, no longer held",
        "Plotted: TF1 0604-0504-0503-0402",
        "0101 Bastion, base and planet (Alliance)",
    ):
        assert part in said


def test_nearer_contacts_come_first_and_lost_ones_last() -> None:
    said = alt_text(boards.empires())
    places = [said.index(f"{name} ") for name in ("E1", "E3", "E7", "E6")]
    assert places == sorted(places)


def test_a_planet_is_named_with_its_size() -> None:
    view = boards.empires()
    marks = ("planet", "minor", "gas giant")
    hexes = (HexNote(hex="0202", marks=marks, name="Gdar"), HexNote(hex="0302", marks=("capital",)))
    said = alt_text(view.model_copy(update={"board": view.board.model_copy(update={"hexes": hexes})}))
    assert "Places: 0202 Gdar, minor planet and gas giant; 0302 capital." in said


def test_battles_are_named_as_battles() -> None:
    assert "Battles: Battle 3 at 0703" in alt_text(boards.empires())


@pytest.mark.parametrize("columns", [9, 22])
def test_the_alt_text_never_exceeds_the_limit_and_counts_what_it_leaves_out(columns: int) -> None:
    said = alt_text(boards.crowded(columns, 17))
    assert len(said) <= 1024
    assert " more" in said
    for title in ("Own: ", "Contacts: ", "Plotted: "):
        assert title in said, "no section may push another out"


def test_a_map_without_contacts_says_so() -> None:
    assert alt_text(boards.empty()).endswith("No contacts.")
    assert "Nothing is on the map." in describe(boards.empty())


def test_the_full_text_leaves_nothing_out() -> None:
    view = boards.crowded(22, 17)
    said = describe(view)
    for piece in view.board.counters:
        assert f"{piece.label} " in said
        assert piece.hex in said
    said = describe(boards.convoy())
    assert "2 of size 4" in said
    assert "- nebula: 0305," in said
    assert "- TF4 at 0403: E1 at 0405, 2 hexes south" in said
    assert "Made up, not from the book" in said


def test_public_and_omniscient_texts_go_by_side() -> None:
    view = boards.empires()
    assert "as anybody may know it" in alt_text(boards.public(view))
    said = alt_text(boards.everything(view))
    assert "with everything on it" in said
    for title in ("Alliance: ", "Kzinti Hegemony: ", "Lyran Star Empire: "):
        assert title in said


def test_the_texts_hold_only_what_the_view_holds() -> None:
    view = boards.empires()
    less = tuple(piece for piece in view.board.counters if piece.id != "E3")
    blind = SideView(side="alliance", board=view.board.model_copy(update={"counters": less}))
    assert "E3" in describe(view)
    assert "E3" not in describe(blind)
    assert "E3" not in alt_text(blind)


def test_names_cannot_turn_or_break_a_text() -> None:
    assert words.words_of("a\u202eb\nc\x07d") == "ab cd"
    assert words.words_of("שלום 😀") == "שלום 😀"
    piece = Counter(id="TF1", hex="0505", owner="alliance", label="x\ny" * 100)
    view = SideView(side="alliance", board=boards.empty().board.model_copy(update={"counters": (piece,)}))
    assert "\n" not in alt_text(view)
    assert len(describe(view).splitlines()[3]) < 120


NEWS = (
    News(
        hexes=("0405", "0406"), title="Gorge 0405", fact="Gorge: E1 meets TF4", aside="new", note="E1: U", choice="Go."
    ),
    News(hexes=("0808",), title="Battle 0808", fact="0808: battle", aside="thread is open"),
)


def with_news() -> SideView:
    """The convoy's map with two numbered places, a header, and all that its counters and hexes may tell."""
    view = boards.convoy()
    track = Track(label="VP", least=-10, most=10, value=2, aim=5, said="wins at +5", number="+2½")
    tallies = (Tally(owner="alliance", count=4), Tally(owner="kzinti", count=3))
    header = Header(track=track, tallies=tallies, tallied="planets held", figures=(Figure(value="225", said="CPV"),))
    first, *others = view.board.counters
    strong = first.model_copy(update={"ships": 3, "whole": 80, "docked": True})
    way, *ways = view.board.courses
    staged = way.model_copy(update={"stages": (Stage(after=2, said="T5"), Stage(after=3, said="T6"))})
    note, *notes = view.board.hexes
    parts = {
        "news": NEWS, "header": header, "counters": (strong, *others), "courses": (staged, *ways),
        "hexes": (note.model_copy(update={"territory": "kzinti"}), *notes),
        "ranges": (Range(kind="detection", hexes=("0101", "0102")),),
    }  # fmt: skip
    return SideView(side=view.side, board=view.board.model_copy(update=parts))


def test_both_texts_begin_with_the_numbered_places_in_their_order() -> None:
    view = with_news()
    facts = "1. Gorge: E1 meets TF4 (new). 2. 0808: battle (thread is open). Map of Convoy to Bastion"
    assert alt_text(view).startswith(facts)
    lines = describe(view).splitlines()
    assert lines[0] == "1. Gorge: E1 meets TF4 (new); in 0405 and 0406; E1: U; Go."
    assert lines[1] == "2. 0808: battle (thread is open); in 0808"
    assert lines[2].startswith("Map of Convoy to Bastion")


def test_the_header_is_read_after_the_turn() -> None:
    lines = describe(with_news()).splitlines()
    assert lines[3:6] == ["VP +2½, wins at +5", "planets held: Alliance 4, Kzinti Hegemony 3", "225 CPV"]
    assert describe(boards.convoy()).splitlines()[1] == "", "without a header nothing is said"


def test_a_track_without_a_number_of_its_own_says_its_value() -> None:
    view = with_news()
    track = Track(label="VP", least=-5, most=5, value=-3)
    board = view.board.model_copy(update={"header": Header(track=track)})
    assert "VP -3" in describe(SideView(side=view.side, board=board)).splitlines()


def test_strengths_ends_of_turns_space_and_ranges_are_said() -> None:
    said = describe(with_news())
    assert "TF1 at 0604, cruise 2, active, 3 ships, 80 % whole, in port" in said
    assert "TF1 0604-0504-0503-0402 (T5 at 0503, T6 at 0402)" in said
    assert "Whose space it is\n- Kzinti Hegemony: 0305" in said
    assert "Reached by own forces\n- detection: 0101, 0102" in said


def test_what_people_wrote_does_not_break_a_text() -> None:
    view = with_news()
    news = (NEWS[0].model_copy(update={"fact": "Gor\u202ege:\nE1 meets", "aside": "ne\x07w", "note": "a\r\nb"}),)
    header = Header(figures=(Figure(value="1\n2", said="\u2066x"),))
    said = describe(SideView(side=view.side, board=view.board.model_copy(update={"news": news, "header": header})))
    assert said.splitlines()[0] == "1. Gorge: E1 meets (new); in 0405 and 0406; a b; Go."
    assert "1 2 x" in said.splitlines()
