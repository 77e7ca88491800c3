"""Prepared content: limits are kept by splitting, and nothing is cut silently."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.delivery.prepared import FILES_LIMIT, TEXT_LIMIT, Attachment, Message, document, grouped, picture, split


def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert split("one\n\ntwo") == ["one\n\ntwo"]


def test_an_empty_text_gives_no_piece() -> None:
    assert split("") == []
    assert split("\n\n") == []


def test_a_text_is_split_at_line_ends() -> None:
    assert split("a" * 60 + "\n" + "b" * 60 + "\n" + "c" * 20, limit=100) == ["a" * 60, "b" * 60 + "\n" + "c" * 20]


def test_a_line_that_is_too_long_is_split_at_spaces_and_else_hard() -> None:
    assert split("x" * 50 + " " + "y" * 50, limit=100) == ["x" * 50, "y" * 50]
    assert split("z" * 250, limit=100) == ["z" * 100, "z" * 100, "z" * 50]


def test_a_code_block_that_is_cut_is_closed_and_opened_again() -> None:
    text = "```ini\n" + "\n".join(f"line {n}" for n in range(30)) + "\n```\nafter"
    pieces = split(text, limit=150)
    assert len(pieces) > 1
    assert all(piece.count("```") % 2 == 0 for piece in pieces)
    assert all(piece.startswith("```ini\n") for piece in pieces[1:-1])
    assert [line for piece in pieces for line in piece.split("\n") if line.startswith("line")] == [
        f"line {n}" for n in range(30)
    ]


@given(st.text(st.sampled_from("ab `\n"), max_size=600))
def test_no_piece_is_too_long_and_no_letter_is_lost(text: str) -> None:
    pieces = split(text, limit=120)
    assert all(0 < len(piece) <= 120 for piece in pieces)
    letters = "".join(letter for letter in text if letter in "ab")
    if "```" not in text:  # a code block's opening line is repeated
        assert "".join(letter for piece in pieces for letter in piece if letter in "ab") == letters


def test_files_ride_on_the_last_part_and_pings_on_the_first() -> None:
    message = Message("x\n" * 1500, files=(Attachment("a.txt", b"a"),), ping_users=(7,))
    parts = message.parts()
    assert [len(part.files) for part in parts] == [0, 1]
    assert [part.ping_users for part in parts] == [(7,), ()]


def test_more_files_than_a_message_takes_become_several_messages() -> None:
    files = tuple(Attachment(f"{n}.txt", b"") for n in range(FILES_LIMIT + 3))
    parts = Message("Here.", files=files).parts()
    assert [(part.text, len(part.files)) for part in parts] == [("Here.", 10), ("", 3)]


def test_files_are_grouped_by_size_too() -> None:
    files = [Attachment("a", b"x" * 60), Attachment("b", b"x" * 60), Attachment("c", b"x" * 30)]
    assert [[file.name for file in group] for group in grouped(files, limit=100)] == [["a"], ["b", "c"]]


def test_a_message_of_nothing_is_no_message() -> None:
    assert Message().parts() == []


def test_an_edit_that_is_too_long_carries_the_whole_text_as_a_file() -> None:
    text = "line of orders\n" * 200
    whole = Message(text).whole()
    assert len(whole.text) <= TEXT_LIMIT
    assert whole.text.endswith("… continued in the attached file.")
    assert [file.data.decode() for file in whole.files] == [text]


def test_pings_are_written_in_front_once() -> None:
    assert Message("Hello", ping_users=(7, 9)).pinging().text == "<@7> <@9>\nHello"
    assert Message("Hello <@7>", ping_users=(7,)).pinging().text == "Hello <@7>"


def test_only_who_is_named_may_be_pinged() -> None:
    assert Message("@everyone <@1>").allowed_mentions().to_dict() == {"parse": [], "users": [], "roles": []}
    allowed = Message("x", ping_users=(7,)).allowed_mentions().to_dict()
    assert (allowed["parse"], allowed["users"], allowed["roles"]) == ([], [7], [])


def test_a_picture_that_is_too_big_is_replaced_by_the_words_for_it() -> None:
    files, note = picture("map.png", b"x" * 200, "short", limit=100, words=lambda: "TF1 in 0412")
    assert [(file.name, file.data) for file in files] == [("map.txt", b"TF1 in 0412")]
    assert "too big for Discord" in note


def test_a_picture_keeps_its_alt_text_and_one_too_long_is_a_defect() -> None:
    files, note = picture("map.png", b"x", "TF1 in 0412")
    assert [(file.alt, note) for file in files] == [("TF1 in 0412", "")]
    with pytest.raises(ValueError, match="alt text of 1025 characters"):
        picture("map.png", b"x", "x" * 1025)


def test_a_document_that_is_too_big_comes_in_pieces_that_join_to_it() -> None:
    files, note = document("export.json", b"abcdefghij", limit=4)
    assert [file.name for file in files] == ["export.json.1of3", "export.json.2of3", "export.json.3of3"]
    assert b"".join(file.data for file in files) == b"abcdefghij"
    assert "join its 3 pieces" in note
