"""The posts of a transition: what everybody was told, what each side was told, and the maps that go with it."""

from typing import Any

from sqlalchemy import insert, select, update

from bot.campaigns.places import PUBLIC_PLACE, side_place
from bot.recording.reports_as_posts import digest_to, posts_to, went_by
from bot.recording.transaction import Recording
from bot.store.tables import SettingRow
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.running.transitions import Transition


async def post_public(recording: Recording, text: str) -> None:
    """Queue one post in the campaign's public channel."""
    await recording.queue([{"place": PUBLIC_PLACE, "content": text, "files": []}])


async def post_reports(recording: Recording, transition: Transition) -> None:
    """Queue what the transition told, to each audience in its own place."""
    payloads: list[dict[str, Any]] = []
    public = [report for report in transition.reports if report.is_public()]
    heading = f"**{recording.adjudicator.now.label}**"
    turns = went_by(transition.reports)

    def posts(place: str, reports: list[Report], files: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if turns:
            return digest_to(place, turns, reports, files)
        return posts_to(place, reports, files, heading=heading)

    payloads += posts(PUBLIC_PLACE, public, await _public_map(recording, transition))
    for label in recording.adjudicator.sides:
        own = [report for report in transition.reports if report.is_for(label.key) and not report.is_public()]
        files: list[dict[str, Any]] = []
        if label.key in transition.maps_for:
            view = recording.adjudicator.view(label.key)
            files = [{"kind": "side_map", "view": view.model_dump(mode="json")}]
        payloads += posts(side_place(label.key), own, files)
    await recording.queue(payloads)


async def _public_map(recording: Recording, transition: Transition) -> list[dict[str, Any]]:
    """The public map, if it is due and shows anything that the one posted last did not."""
    if not transition.public_map:
        return []
    conn = recording.conn
    view = recording.adjudicator.public_view()
    shown = digest([view.public.hexes, view.public.counters, view.public.courses])
    key = f"public-map:{recording.campaign.id}"
    before = (await conn.execute(select(SettingRow.value).where(SettingRow.key == key))).scalar()
    if before == shown:
        return []
    if before is None:
        await conn.execute(insert(SettingRow).values(key=key, value=shown))
    else:
        await conn.execute(update(SettingRow).where(SettingRow.key == key).values(value=shown))
    return [{"kind": "public_map", "view": view.model_dump(mode="json")}]
