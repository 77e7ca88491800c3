"""What a bot does, by hikari: it says each thing that it did or was told in a line of JSON, and tests look at both."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from typing import Any

import hikari

URL, TOKEN, GUILD, PERSON, PICTURE = sys.argv[1:]
bot = hikari.GatewayBot(
    token=TOKEN, rest_url=f"{URL}/api/v10", intents=hikari.Intents.GUILDS | hikari.Intents.GUILD_MESSAGES,
    banner=None, suppress_optimization_warning=True, logs=None,
)  # fmt: skip
guild = hikari.Snowflake(GUILD)


def say(what: str, **more: Any) -> None:
    """Write a line for the test."""
    print(json.dumps({"what": what, **more}), flush=True)


def picture() -> hikari.Bytes:
    """A picture that is sent."""
    return hikari.Bytes(base64.b64decode(PICTURE), "map.png")


def button(label: str) -> Any:
    """A row with one button."""
    return bot.rest.build_message_action_row().add_interactive_button(
        hikari.ButtonStyle.PRIMARY, "count", label=label
    )


def card(words: str, picture: Any, orders: Any) -> list[Any]:
    """Blocks that show a picture and a file."""
    build = hikari.impl
    opened = build.InteractiveButtonBuilder(style=hikari.ButtonStyle.SUCCESS, custom_id="open", label="Open")
    section = build.SectionComponentBuilder(accessory=opened)
    section.add_text_display("Orders")
    gallery = build.MediaGalleryComponentBuilder()
    gallery.add_media_gallery_item(picture, description="A map")
    frame = build.ContainerComponentBuilder(
        components=[build.TextDisplayComponentBuilder(content=words), gallery, section]
    )
    if orders is not None:
        frame.add_component(build.FileComponentBuilder(file=orders))
    return [frame]


@bot.listen()
async def on_interaction(event: hikari.InteractionCreateEvent) -> None:
    """Answer whoever uses a command, a button or a form."""
    used = event.interaction
    if isinstance(used, hikari.AutocompleteInteraction):
        await used.create_response([hikari.impl.AutocompleteChoiceBuilder(name="Harbour", value="harbour")])
    elif isinstance(used, hikari.CommandInteraction) and used.command_name == "count":
        place = used.options[0].value if used.options else ""
        await used.create_initial_response(
            hikari.ResponseType.MESSAGE_CREATE, f"count 0 {place}", component=button("More")
        )
    elif isinstance(used, hikari.CommandInteraction):
        row = bot.rest.build_modal_action_row().add_text_input("words", "Words")
        await used.create_modal_response("Form", "form", component=row)
    elif isinstance(used, hikari.ComponentInteraction):
        number = int((used.message.content or "").split()[1]) + 1
        await used.create_initial_response(hikari.ResponseType.MESSAGE_UPDATE, f"count {number}")
    elif isinstance(used, hikari.ModalInteraction):
        await used.create_initial_response(
            hikari.ResponseType.DEFERRED_MESSAGE_CREATE, flags=hikari.MessageFlag.EPHEMERAL
        )
        written = used.components[0].components[0].value
        await used.edit_initial_response(f"written: {written}")
        await used.execute("and more", flags=hikari.MessageFlag.EPHEMERAL)


async def commands() -> None:
    """Make the commands known."""
    application = await bot.rest.fetch_application()
    count = bot.rest.slash_command_builder("count", "Counts").add_option(
        hikari.CommandOption(
            type=hikari.OptionType.STRING, name="place", description="Where", is_required=True, autocomplete=True
        )
    )
    form = bot.rest.slash_command_builder("form", "Opens a form")
    known = await bot.rest.set_application_commands(application.id, [count, form], guild)
    say("commands", names=sorted(one.name for one in known))


async def places() -> hikari.GuildTextChannel:
    """Make a role and a channel of its own."""
    me = bot.get_me()
    assert me is not None
    role = await bot.rest.create_role(guild, name="Blue", permissions=0)
    await bot.rest.add_role_to_member(guild, int(PERSON), role)
    seen = hikari.Permissions.VIEW_CHANNEL
    channel = await bot.rest.create_guild_text_channel(
        guild,
        "blue",
        permission_overwrites=[
            hikari.PermissionOverwrite(id=guild, type=hikari.PermissionOverwriteType.ROLE, deny=seen),
            hikari.PermissionOverwrite(id=role.id, type=hikari.PermissionOverwriteType.ROLE, allow=seen),
            hikari.PermissionOverwrite(
                id=me.id,
                type=hikari.PermissionOverwriteType.MEMBER,
                allow=seen | hikari.Permissions.SEND_MESSAGES,
            ),
        ],
    )
    person = await bot.rest.fetch_member(guild, int(PERSON))
    found = await bot.rest.search_members(guild, person.username[:2])
    holders = await bot.rest.fetch_role_member_counts(guild)
    guilds = [one.name async for one in bot.rest.fetch_my_guilds()]
    say("places", found=[str(one.id) for one in found], holders=holders[role.id], guilds=guilds)
    return channel


async def messages(channel: hikari.GuildTextChannel) -> None:
    """Post, edit, pin, show files in blocks, and delete several messages at once."""
    plain = await channel.send("hello", attachment=picture())
    listed = [one.filename for one in plain.attachments]
    await plain.edit("hello again")
    await channel.pin_message(plain)
    pinned = [one.message.id async for one in bot.rest.fetch_pins(channel)]
    say("message", id=str(plain.id), listed=listed, pinned=plain.id in pinned)
    orders = hikari.Bytes(b"A1 holds", "orders.txt")
    shown = await channel.send(components=card("Turn 1", picture(), orders), flags=hikari.MessageFlag.IS_COMPONENTS_V2)
    frame: Any = shown.components[0]
    media = frame.components[1].items[0].media
    # It writes `attachment://` itself, and only of what it sends: it cannot name a file that is not there.
    say("layout", listed=len(shown.attachments), media=media.resource.url, attachment=media.resource.url, refused=None)
    kept = card("Turn 2", hikari.URL(media.resource.url), None)
    edited: Any = await bot.rest.edit_message(channel, shown, components=kept)
    # With a picture by its address it says that no file is kept, and the picture stays as one of elsewhere.
    say("layout edited", keeps=False, media=edited.components[0].components[1].items[0].media.resource.url)
    many = [await channel.send("one"), await channel.send("two")]
    told: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()

    async def on_gone(event: hikari.GuildBulkMessageDeleteEvent) -> None:
        told.set_result(sorted(str(one) for one in event.message_ids))

    bot.subscribe(hikari.GuildBulkMessageDeleteEvent, on_gone)
    await bot.rest.delete_messages(channel, many)
    say("deleted at once", ids=await told, sent=sorted(str(one.id) for one in many))


async def threads(channel: hikari.GuildTextChannel) -> None:
    """Open a thread for somebody, and close it."""
    thread = await bot.rest.create_thread(channel, hikari.ChannelType.GUILD_PRIVATE_THREAD, "Battle", invitable=False)
    await bot.rest.add_thread_member(thread, int(PERSON))
    await thread.send("Set up")
    page = [str(one.user_id) async for one in bot.rest.fetch_thread_members(thread).limit(1)]
    closed: Any = await bot.rest.edit_channel(thread, archived=True)
    say("thread", id=str(thread.id), page=page, archived=closed.is_archived)


async def main() -> None:
    """Do it all, then answer people until there is nothing more to read."""
    await bot.start()
    await commands()
    channel = await places()
    await messages(channel)
    await threads(channel)
    say("done")
    await asyncio.to_thread(sys.stdin.read)
    await bot.close()


asyncio.run(main())
