"""Pictures are what they were, byte for byte: on every machine, whatever was drawn before, in any thread."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from tests.map_render.kept import __main__ as command
from tests.map_render.kept import positions
from tests.map_render.pictures import forget_all

HOW = "what differs shows `python -m tests.map_render.kept`; if it is meant, `--keep` keeps it"


@pytest.mark.parametrize("name", positions.DRAWN)
def test_a_picture_is_as_it_is_kept(name: str) -> None:
    assert positions.DRAWN[name]().png == positions.before(name), HOW


def test_all_at_once_from_cold_they_are_the_same() -> None:
    forget_all()
    with ThreadPoolExecutor(4) as pool:
        drawn = dict(zip(positions.DRAWN, pool.map(lambda draw: draw().png, positions.DRAWN.values()), strict=True))
    assert [name for name, png in drawn.items() if png != positions.before(name)] == []


def test_nothing_is_kept_that_is_not_drawn() -> None:
    assert {file.stem for file in positions.PICTURES.glob("*.png")} == set(positions.DRAWN)
    views = {file.stem for file in positions.VIEWS.glob("*.json")}
    assert {name for name in views if any(one.startswith(name) for one in positions.DRAWN)} == views


def test_the_command_shows_side_by_side_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "pq17-battle"
    picture = command.opened(positions.DRAWN[name]().png)
    other = picture.copy()
    other.paste((1, 2, 3), (5, 7, 8, 9))
    wider = Image.new("RGB", (picture.width + 2, picture.height))
    wider.paste(picture, (0, 0))
    assert command.changed(picture, picture).getbbox() is None
    assert command.changed(picture, other).getbbox() == (5, 7, 8, 9)
    assert command.changed(picture, wider).getbbox() == (picture.width, 0, picture.width + 2, picture.height)
    shown = command.side_by_side(picture, other)
    right = picture.width * 2 + command.GAP * 2
    assert shown.getpixel((right + 6, 8)) == command.RED
    assert shown.getpixel((picture.width + command.GAP + 6, 8)) == (1, 2, 3)

    command.main([name], tmp_path)
    assert capsys.readouterr().out == f"{name}: as it was\n"
    monkeypatch.setattr(command, "PICTURES", tmp_path / "kept")
    monkeypatch.setattr("tests.map_render.kept.positions.PICTURES", tmp_path / "kept")
    command.main([name, "--keep"], tmp_path)
    assert capsys.readouterr().out == f"{name}: is not kept yet\n"
    other.save(tmp_path / "kept" / f"{name}.png")
    other.save(tmp_path / "kept" / "gone.png")
    command.main([name], tmp_path)
    told = capsys.readouterr().out
    assert f"{name}: 6 pixels differ" in told
    assert "gone: is drawn no more\n" in told
    with Image.open(tmp_path / f"{name}.png") as written:
        assert written.size == shown.size
    command.main([name, "--keep"], tmp_path)
    assert [file.name for file in (tmp_path / "kept").iterdir()] == [f"{name}.png"]
    with pytest.raises(SystemExit):
        command.main(["no such picture"], tmp_path)
