// What a bot does, by discord.js: it says each thing that it did or was told in a line of JSON, and tests look at both.
import { once } from "node:events";
import process from "node:process";
import {
  ActionRowBuilder, ApplicationCommandOptionType, AttachmentBuilder, ButtonBuilder, ButtonStyle, ChannelType, Client,
  ContainerBuilder, Events, FileBuilder, GatewayIntentBits, MediaGalleryBuilder, MessageFlags, ModalBuilder,
  PermissionFlagsBits, SectionBuilder, TextDisplayBuilder, TextInputBuilder, TextInputStyle, LabelBuilder,
} from "discord.js";

const [url, token, guildId, personId, picture] = process.argv.slice(2);
const say = (what, more = {}) => process.stdout.write(`${JSON.stringify({ what, ...more })}\n`);
const file = (name) => new AttachmentBuilder(Buffer.from(picture, "base64"), { name, description: "A map" });

const client = new Client({
  intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages],
  rest: { api: `${url}/api`, cdn: `${url}/cdn` },
});

function button(label) {
  const made = new ButtonBuilder().setCustomId("count").setLabel(label).setStyle(ButtonStyle.Primary);
  return new ActionRowBuilder().addComponents(made);
}

function card(words) {
  return new ContainerBuilder()
    .addTextDisplayComponents(new TextDisplayBuilder().setContent(words))
    .addMediaGalleryComponents(
      new MediaGalleryBuilder().addItems((item) => item.setURL("attachment://map.png").setDescription("A map")),
    )
    .addSectionComponents(
      new SectionBuilder()
        .addTextDisplayComponents(new TextDisplayBuilder().setContent("Orders"))
        .setButtonAccessory(new ButtonBuilder().setCustomId("open").setLabel("Open").setStyle(ButtonStyle.Success)),
    )
    .addFileComponents(new FileBuilder().setURL("attachment://orders.txt"));
}

client.on(Events.InteractionCreate, async (interaction) => {
  if (interaction.isAutocomplete()) {
    await interaction.respond([{ name: "Harbour", value: "harbour" }]);
  } else if (interaction.isChatInputCommand() && interaction.commandName === "count") {
    const place = interaction.options.getString("place");
    await interaction.reply({ content: `count 0 ${place}`, components: [button("More")] });
  } else if (interaction.isChatInputCommand() && interaction.commandName === "form") {
    const words = new TextInputBuilder().setCustomId("words").setStyle(TextInputStyle.Short);
    const label = new LabelBuilder().setLabel("Words").setTextInputComponent(words);
    await interaction.showModal(new ModalBuilder().setCustomId("form").setTitle("Form").addLabelComponents(label));
  } else if (interaction.isButton()) {
    const number = Number(interaction.message.content.split(" ")[1]) + 1;
    await interaction.update({ content: `count ${number}` });
  } else if (interaction.isModalSubmit()) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply({ content: `written: ${interaction.fields.getTextInputValue("words")}` });
    await interaction.followUp({ content: "and more", flags: MessageFlags.Ephemeral });
  }
});

async function commands(guild) {
  const place = { name: "place", description: "Where", type: ApplicationCommandOptionType.String, autocomplete: true };
  const known = await guild.commands.set([
    { name: "count", description: "Counts", options: [{ ...place, required: true }] },
    { name: "form", description: "Opens a form" },
  ]);
  say("commands", { names: [...known.values()].map((one) => one.name).sort() });
}

async function places(guild) {
  const role = await guild.roles.create({ name: "Blue", permissions: [] });
  const member = await guild.members.fetch(personId);
  await member.roles.add(role);
  const channel = await guild.channels.create({
    name: "blue",
    type: ChannelType.GuildText,
    permissionOverwrites: [
      { id: guild.roles.everyone, deny: [PermissionFlagsBits.ViewChannel] },
      { id: role, allow: [PermissionFlagsBits.ViewChannel] },
      { id: client.user, allow: [PermissionFlagsBits.ViewChannel, PermissionFlagsBits.SendMessages] },
    ],
  });
  const found = await guild.members.search({ query: member.user.username.slice(0, 2), limit: 5 });
  const holders = await guild.roles.fetchMemberCounts?.();
  say("places", {
    found: [...found.keys()],
    holders: holders === undefined ? null : holders.get(role.id),
    guilds: (await client.guilds.fetch()).map((one) => one.name),
  });
  return channel;
}

async function messages(channel) {
  const plain = await channel.send({ content: "hello", files: [file("map.png")] });
  const listed = [...plain.attachments.values()].map((one) => one.name);
  await plain.edit({ content: "hello again" });
  await plain.pin();
  const pinned = (await channel.messages.fetchPins()).items.map((one) => one.message.id);
  say("message", { id: plain.id, listed, pinned: pinned.includes(plain.id) });
  const orders = new AttachmentBuilder(Buffer.from("A1 holds"), { name: "orders.txt" });
  const shown = await channel.send({
    components: [card("Turn 1")], files: [file("map.png"), orders], flags: MessageFlags.IsComponentsV2,
  });
  const media = shown.components[0].components[1].items[0].media.data;
  const refused = await channel
    .send({ components: [card("Turn 2")], files: [orders], flags: MessageFlags.IsComponentsV2 })
    .then(() => "taken", (error) => JSON.stringify(error.rawError));
  say("layout", { listed: shown.attachments.size, media: media.url, attachment: media.attachment_id, refused });
  const kept = [{ id: media.attachment_id }, { id: shown.components[0].components[3].file.data.attachment_id }];
  const edited = await shown.edit({ components: [card("Turn 2")], attachments: kept });
  say("layout edited", { keeps: true, media: edited.components[0].components[1].items[0].media.data.attachment_id });
  const many = [await channel.send("one"), await channel.send("two")];
  const told = once(client, Events.MessageBulkDelete);
  await channel.bulkDelete(many);
  const [gone] = await told;
  say("deleted at once", { ids: [...gone.keys()].sort(), sent: many.map((one) => one.id).sort() });
}

async function threads(channel) {
  const thread = await channel.threads.create({ name: "Battle", type: ChannelType.PrivateThread, invitable: false });
  await thread.members.add(personId);
  await thread.send("Set up");
  const page = await thread.members.fetch({ withMember: true, limit: 1 });
  await thread.setArchived(true);
  say("thread", { id: thread.id, page: [...page.keys()], archived: thread.archived });
}

client.once(Events.ClientReady, async () => {
  const guild = await client.guilds.fetch(guildId);
  await commands(guild);
  const channel = await places(guild);
  await messages(channel);
  await threads(channel);
  say("done");
});
process.stdin.resume();
process.stdin.on("end", async () => {
  await client.destroy();
  process.exit(0);
});
await client.login(token);
