// What a bot does, by oceanic.js: it says each thing that it did or was told in a line of JSON, and tests look at both.
import { once } from "node:events";
import process from "node:process";
import {
  ApplicationCommandOptionTypes, ApplicationCommandTypes, ButtonStyles, ChannelTypes, Client, ComponentTypes,
  InteractionTypes, MessageFlags, OverwriteTypes, Permissions, TextInputStyles,
} from "oceanic.js";

const [url, token, guildID, personID, picture] = process.argv.slice(2);
const say = (what, more = {}) => process.stdout.write(`${JSON.stringify({ what, ...more })}\n`);
const map = { name: "map.png", contents: Buffer.from(picture, "base64") };
const orders = { name: "orders.txt", contents: Buffer.from("A1 holds") };

const client = new Client({
  auth: `Bot ${token}`,
  rest: { baseURL: `${url}/api/v10` },
  gateway: { intents: ["GUILDS", "GUILD_MESSAGES"] },
});

function button(label) {
  const made = { type: ComponentTypes.BUTTON, style: ButtonStyles.PRIMARY, customID: "count", label };
  return { type: ComponentTypes.ACTION_ROW, components: [made] };
}

function card(words) {
  const open = { type: ComponentTypes.BUTTON, style: ButtonStyles.SUCCESS, customID: "open", label: "Open" };
  return {
    type: ComponentTypes.CONTAINER,
    components: [
      { type: ComponentTypes.TEXT_DISPLAY, content: words },
      { type: ComponentTypes.MEDIA_GALLERY, items: [{ media: { url: "attachment://map.png" }, description: "A map" }] },
      {
        type: ComponentTypes.SECTION,
        components: [{ type: ComponentTypes.TEXT_DISPLAY, content: "Orders" }],
        accessory: open,
      },
      { type: ComponentTypes.FILE, file: { url: "attachment://orders.txt" } },
    ],
  };
}

client.on("interactionCreate", async (used) => {
  if (used.type === InteractionTypes.APPLICATION_COMMAND_AUTOCOMPLETE) {
    await used.result([{ name: "Harbour", value: "harbour" }]);
  } else if (used.type === InteractionTypes.APPLICATION_COMMAND && used.data.name === "count") {
    const place = used.data.options.getString("place");
    await used.createMessage({ content: `count 0 ${place}`, components: [button("More")] });
  } else if (used.type === InteractionTypes.APPLICATION_COMMAND) {
    const words = { type: ComponentTypes.TEXT_INPUT, customID: "words", label: "Words", style: TextInputStyles.SHORT };
    const rows = [{ type: ComponentTypes.ACTION_ROW, components: [words] }];
    await used.createModal({ customID: "form", title: "Form", components: rows });
  } else if (used.type === InteractionTypes.MESSAGE_COMPONENT) {
    const number = Number(used.message.content.split(" ")[1]) + 1;
    await used.editParent({ content: `count ${number}` });
  } else if (used.type === InteractionTypes.MODAL_SUBMIT) {
    await used.defer(MessageFlags.EPHEMERAL);
    await used.editOriginal({ content: `written: ${used.data.components.getTextInput("words")}` });
    await used.createFollowup({ content: "and more", flags: MessageFlags.EPHEMERAL });
  }
});

async function commands() {
  const place = {
    name: "place", description: "Where", type: ApplicationCommandOptionTypes.STRING, autocomplete: true, required: true,
  };
  const type = ApplicationCommandTypes.CHAT_INPUT;
  const known = await client.application.bulkEditGuildCommands(guildID, [
    { type, name: "count", description: "Counts", options: [place] },
    { type, name: "form", description: "Opens a form" },
  ]);
  say("commands", { names: known.map((one) => one.name).sort() });
}

async function places() {
  const { guilds, oauth } = client.rest;
  const role = await guilds.createRole(guildID, { name: "Blue", permissions: "0" });
  await guilds.addMemberRole(guildID, personID, role.id);
  const { VIEW_CHANNEL, SEND_MESSAGES } = Permissions;
  const channel = await guilds.createChannel(guildID, ChannelTypes.GUILD_TEXT, {
    name: "blue",
    permissionOverwrites: [
      { id: guildID, type: OverwriteTypes.ROLE, deny: VIEW_CHANNEL },
      { id: role.id, type: OverwriteTypes.ROLE, allow: VIEW_CHANNEL },
      { id: client.user.id, type: OverwriteTypes.MEMBER, allow: VIEW_CHANNEL | SEND_MESSAGES },
    ],
  });
  const person = await guilds.getMember(guildID, personID);
  const found = await guilds.searchMembers(guildID, { query: person.username.slice(0, 2), limit: 5 });
  const holders = await guilds.getRoleMemberCounts(guildID);
  const own = await oauth.getCurrentGuilds();
  say("places", { found: found.map((one) => one.id), holders: holders[role.id], guilds: own.map((one) => one.name) });
  return channel.id;
}

async function messages(channel) {
  const { channels } = client.rest;
  const plain = await channels.createMessage(channel, { content: "hello", files: [map] });
  const listed = [...plain.attachments.values()].map((one) => one.filename);
  await channels.editMessage(channel, plain.id, { content: "hello again" });
  await channels.pinMessage(channel, plain.id);
  const pinned = (await channels.getPins(channel)).some((one) => one.message.id === plain.id);
  say("message", { id: plain.id, listed, pinned });
  const flags = MessageFlags.IS_COMPONENTS_V2;
  const shown = await channels.createMessage(channel, { components: [card("Turn 1")], files: [map, orders], flags });
  const frame = shown.components[0].components;
  const media = frame[1].items[0].media;
  const refused = await channels
    .createMessage(channel, { components: [card("Turn 2")], files: [orders], flags })
    .then(() => "taken", (error) => JSON.stringify(error.resBody));
  say("layout", { listed: shown.attachments.size, media: media.url, attachment: media.attachmentID, refused });
  const attachments = [{ id: media.attachmentID }, { id: frame[3].file.attachmentID }];
  const edited = await channels.editMessage(channel, shown.id, { components: [card("Turn 2")], attachments });
  say("layout edited", { keeps: true, media: edited.components[0].components[1].items[0].media.attachmentID });
  const many = [];
  for (const content of ["one", "two"]) many.push((await channels.createMessage(channel, { content })).id);
  const told = once(client, "messageDeleteBulk");
  await channels.deleteMessages(channel, many);
  const [gone] = await told;
  say("deleted at once", { ids: gone.map((one) => one.id).sort(), sent: many.sort() });
}

async function threads(channel) {
  const { channels } = client.rest;
  const type = ChannelTypes.PRIVATE_THREAD;
  const thread = await channels.startThreadWithoutMessage(channel, { name: "Battle", type, invitable: false });
  await channels.addThreadMember(thread.id, personID);
  await channels.createMessage(thread.id, { content: "Set up" });
  const page = await channels.getThreadMembers(thread.id, { withMember: true, limit: 1 });
  const closed = await channels.edit(thread.id, { archived: true });
  say("thread", { id: thread.id, page: page.map((one) => one.userID), archived: closed.threadMetadata.archived });
}

client.once("ready", async () => {
  await commands();
  const channel = await places();
  await messages(channel);
  await threads(channel);
  say("done");
});
process.stdin.resume();
process.stdin.on("end", () => {
  client.disconnect(false);
  process.exit(0);
});
await client.connect();
