"""What Discord does with archived threads and simcord does not: it changes nothing of them but that they are opened,
lets nobody in or out (50083), and a message opens one that nobody has locked."""

from collections.abc import Mapping
from typing import Any

from simcord.backend.errors import BackendError

ARCHIVED = 50083


def be_strict(backend: Any) -> None:
    """Have this Discord be as strict as the real one."""
    add, remove, edit, prepare = (
        backend.add_thread_member, backend.remove_thread_member, backend.edit_channel, backend.prepare_message,
    )  # fmt: skip

    def refuse_if_archived(channel_id: int, metadata: Mapping[str, Any] | None = None) -> None:
        channel = backend.get_channel(channel_id)
        opens = metadata is not None and metadata.get("archived") is False
        if channel.is_thread and channel.thread_metadata.archived and not opens:
            raise BackendError(400, ARCHIVED, "Thread is archived")

    def add_thread_member(thread_id: int, user_id: int) -> Any:
        refuse_if_archived(thread_id)
        return add(thread_id, user_id)

    def remove_thread_member(thread_id: int, user_id: int) -> Any:
        refuse_if_archived(thread_id)
        return remove(thread_id, user_id)

    def edit_channel(channel_id: int, changes: Any, *, thread_metadata: Any = None, **more: Any) -> Any:
        refuse_if_archived(channel_id, thread_metadata)
        return edit(channel_id, changes, thread_metadata=thread_metadata, **more)

    def prepare_message(channel_id: int, *args: Any, **more: Any) -> Any:
        channel = backend.get_channel(channel_id)
        if channel.is_thread and channel.thread_metadata.archived:
            if channel.thread_metadata.locked:
                raise BackendError(400, ARCHIVED, "Thread is archived")
            edit(channel_id, {}, thread_metadata={"archived": False})
        return prepare(channel_id, *args, **more)

    backend.add_thread_member, backend.remove_thread_member = add_thread_member, remove_thread_member
    backend.edit_channel, backend.prepare_message = edit_channel, prepare_message
