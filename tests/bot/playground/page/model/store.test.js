// What a seat sees, kept up to date by its events.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Seat } from "../../../../../bot/playground/page/model/store.js";
import { BLAKE, BOT, channel, dm, guild, member, message, modal, Server, state } from "./made.js";

/** @import { SeatEvent, State } from "../../../../../bot/playground/seat_api.js" */

/**
 * A seat that has its state; `told` lists the changes that it tells of afterwards, as words.
 *
 * @param {Partial<State>} [more]
 */
async function seated(more = {}) {
  const server = new Server({ state: state(more) });
  /** @type {string[]} */
  const told = [];
  const seat = new Seat(BLAKE, server, (_, change) => {
    told.push("channelId" in change ? `${change.what} ${change.channelId}` : change.what);
  });
  await seat.load();
  told.length = 0;
  return { server, seat, told };
}

const HARBOUR = () => ({ guilds: [guild({ channels: [channel("31"), channel("32")] })] });

/**
 * @param {number} seq
 * @param {string} channelId
 * @param {string} id
 * @returns {SeatEvent}
 */
function created(seq, channelId, id) {
  return { type: "message_create", seq, channel_id: channelId, guild_id: "1", message: message(id) };
}

test("a state tells of itself and of its forms", async () => {
  const server = new Server({ state: state({ modals: [modal("51")] }) });
  /** @type {string[]} */
  const told = [];
  const seat = new Seat(BLAKE, server, (_, { what }) => void told.push(what));
  await seat.load();
  assert.deepEqual(told, ["state", "modal"]);
  assert.deepEqual([...seat.modals.keys()], ["51"]);
});

test("loads asked for during a load are answered by one more", async () => {
  const { server, seat } = await seated();
  server.hold = true;
  const loads = [seat.load(), seat.load(), seat.load()];
  server.whole = state(HARBOUR());
  server.release();
  await Promise.all(loads);
  assert.deepEqual(server.asked, ["state", "state", "state"]);
  assert.deepEqual([...seat.channels.keys()], ["31", "32"]);
});

test("events up to the state's own number were in it, later ones come once", async () => {
  const { seat } = await seated({ ...HARBOUR(), seq: 7 });
  await seat.log("31").loadLatest();
  for (const event of [created(7, "31", "41"), created(8, "31", "42"), created(8, "31", "43")]) seat.apply(event);
  assert.deepEqual(seat.log("31").messages.map(({ id }) => id), ["42"]);
  assert.equal(seat.lastSeq, 8);
});

test("a greeting counts as no event", async () => {
  const { seat, told } = await seated();
  seat.apply({ type: "hello", seq: 9, me: BLAKE });
  assert.deepEqual([seat.lastSeq, told], [0, []]);
});

test("a message reaches the log of its channel alone", async () => {
  const { seat, told } = await seated(HARBOUR());
  await seat.log("31").loadLatest();
  await seat.log("32").loadLatest();
  told.length = 0;
  seat.apply(created(1, "31", "41"));
  seat.apply({ type: "message_update", seq: 2, channel_id: "31", guild_id: "1", message: message("41", { content: "edited" }) });
  assert.deepEqual(seat.log("31").messages.map(({ content }) => content), ["edited"]);
  assert.deepEqual(seat.log("32").messages, []);
  assert.deepEqual(told, ["message", "log 31", "log 31"]);
});

test("a message that is deleted takes along what failed on it", async () => {
  const { seat } = await seated(HARBOUR());
  await seat.log("31").loadLatest();
  seat.apply(created(1, "31", "41"));
  seat.fail({ channelId: "31", messageId: "41", text: "This interaction failed", interactionId: "61" });
  assert.equal(seat.failures.get("41"), "This interaction failed");
  seat.apply({ type: "message_delete", seq: 2, channel_id: "31", guild_id: "1", message_id: "41" });
  assert.deepEqual([seat.log("31").messages, seat.failures.size], [[], 0]);
});

test("too much missed: all messages are forgotten and the state is fetched again", async () => {
  const { server, seat } = await seated({ ...HARBOUR(), seq: 7 });
  await seat.log("31").loadLatest();
  seat.apply({ type: "reload", seq: 3, reason: "too much has happened since" });
  await seat.loading;
  assert.equal(seat.log("31").loaded, false);
  assert.equal(seat.lastSeq, 3);
  assert.deepEqual(server.asked, ["state", "messages", "state"]);
});

test("a channel that is seen no longer takes its messages along", async () => {
  const { server, seat } = await seated(HARBOUR());
  await seat.log("31").loadLatest();
  await seat.log("32").loadLatest();
  server.whole = state({ guilds: [guild({ channels: [channel("31")] })] });
  seat.apply({ type: "channel_delete", seq: 1, guild_id: "1", channel_id: "32" });
  await seat.loading;
  assert.deepEqual([[...seat.channels.keys()], [...seat.logs.keys()]], [["31"], ["31"]]);
});

test("a fetch that fails after an event is told", async () => {
  const { server, seat, told } = await seated();
  server.broken = new Error("offline");
  seat.apply({ type: "commands_update", seq: 1 });
  await assert.rejects(seat.loading ?? Promise.resolve(), /offline/);
  assert.deepEqual(told, ["error"]);
});

test("a channel that changed in its place is changed there; one that moved has the state fetched", async () => {
  const { server, seat, told } = await seated(HARBOUR());
  const before = seat.channels.get("31");
  seat.apply({ type: "channel_update", seq: 1, guild_id: "1", channel: channel("31", { archived: true }) });
  assert.equal(before?.archived, true);
  assert.deepEqual([told, server.asked], [["state"], ["state"]]);
  seat.apply({ type: "channel_update", seq: 2, guild_id: "1", channel: channel("31", { position: 5 }) });
  await seat.loading;
  assert.deepEqual(server.asked, ["state", "state"]);
  seat.apply({ type: "channel_update", seq: 3, guild_id: "1", channel: channel("31", { parent_id: "30" }) });
  await seat.loading;
  assert.deepEqual(server.asked, ["state", "state", "state"]);
});

test("unread messages add up over all channels, and each in a direct message is for this person", async () => {
  const channels = [channel("31", { unread: 3, mentions: 1 }), channel("32")];
  const { seat, told } = await seated({ guilds: [guild({ channels })], dms: [dm("33", BOT, { unread: 2 })] });
  assert.deepEqual(seat.totals(), { unread: 5, mentions: 3 });
  seat.apply({ type: "unread", seq: 1, channel_id: "32", unread: 4, mentions: 4 });
  assert.deepEqual(seat.totals(), { unread: 9, mentions: 7 });
  assert.deepEqual(told, ["unread 32"]);
});

test("forms open and close", async () => {
  const { seat, told } = await seated();
  seat.apply({ type: "modal", seq: 1, modal: modal("51") });
  assert.deepEqual([...seat.modals.keys()], ["51"]);
  seat.apply({ type: "modal_closed", seq: 2, interaction_id: "51" });
  assert.deepEqual([seat.modals.size, told], [0, ["modal", "modal"]]);
});

test("the bot goes away", async () => {
  const { seat, told } = await seated();
  seat.apply({ type: "bot_status", seq: 1, online: false });
  assert.deepEqual([seat.state?.application.online, told], [false, ["connection"]]);
});

test("a command that failed is one note, with its name, whichever way it is told first", async () => {
  const { seat } = await seated(HARBOUR());
  const text = "The application did not respond";
  /** @type {SeatEvent} */
  const event = { type: "interaction_failed", seq: 1, interaction_id: "61", channel_id: "31", message_id: null, text };
  const answer = { channelId: "31", text, interactionId: "61", command: "plot submit" };
  seat.apply(event);
  seat.fail(answer);
  assert.deepEqual(seat.notes.get("31"), [{ key: "61", text, command: "plot submit" }]);
  seat.apply({ ...event, seq: 2 });
  seat.fail({ ...answer, interactionId: "62", command: "map" });
  assert.deepEqual(seat.notes.get("31")?.map(({ command }) => command), ["plot submit", "map"]);
  seat.dropNote("31", "61");
  assert.deepEqual(seat.notes.get("31")?.map(({ key }) => key), ["62"]);
});

test("events are subscribed to once; a lost connection is told once", async () => {
  const { seat, told } = await seated({ seq: 7 });
  /** @type {import("../../../../../bot/playground/page/model/store.js").Subscription[]} */
  const subscriptions = [];
  for (let times = 0; times < 2; times += 1) seat.connect((subscription) => subscriptions.push(subscription));
  assert.equal(subscriptions.length, 1);
  const [{ since, onEvent, onOpen }] = subscriptions;
  assert.equal(since(), 7);
  for (const open of [true, true, false, false, true]) onOpen(open);
  assert.deepEqual([seat.connected, told], [true, ["connection", "connection", "connection"]]);
  onEvent({ type: "bot_status", seq: 8, online: true });
  assert.equal(since(), 8);
});

test("the channel to show: remembered, then mentioned in, then written to, then where the bot writes, then the first of a server", async () => {
  const channels = [channel("30", { kind: "category" }), channel("31"), channel("32", { mentions: 1 })];
  const { seat } = await seated({ guilds: [guild({ channels })], dms: [dm("33", BOT, { unread: 1 })] });
  const best = (/** @type {string} */ remembered) => seat.bestChannel(remembered)?.id;
  assert.equal(best("31"), "31");
  assert.equal(best("99"), "32");
  seat.apply({ type: "unread", seq: 1, channel_id: "32", unread: 0, mentions: 0 });
  assert.equal(best(""), "33");
  seat.apply({ type: "unread", seq: 2, channel_id: "33", unread: 0, mentions: 0 });
  assert.equal(best(""), "33");
  const { seat: alone } = await seated({ guilds: [guild({ channels })], dms: [dm("34", "13")] });
  alone.apply({ type: "unread", seq: 1, channel_id: "32", unread: 0, mentions: 0 });
  assert.equal(alone.bestChannel(""), alone.channels.get("31"), "another person's is not the bot's");
});

test("without a server's channels a direct message is shown, without any nothing", async () => {
  const { seat } = await seated({ guilds: [guild({ channels: [channel("31", { archived: true })] })], dms: [dm("33", BOT)] });
  assert.equal(seat.bestChannel(undefined)?.id, "33");
  assert.equal((await seated()).seat.bestChannel(undefined), null);
});

test("commands: a server's own, those of direct messages elsewhere, none where none may be used", async () => {
  const command = (/** @type {string} */ path) => ({ path, command_id: "71", description: "", options: [] });
  const channels = [channel("31"), channel("32", { can_use_commands: false })];
  const { seat } = await seated({
    guilds: [guild({ channels, commands: [command("plot submit")] })],
    dms: [dm("33", BOT)],
    dm_commands: [command("help")],
  });
  const paths = (/** @type {string} */ id) => seat.commandsIn(seat.channels.get(id) ?? null).map(({ path }) => path);
  assert.deepEqual([paths("31"), paths("32"), paths("33")], [["plot submit"], [], ["help"]]);
});

test("people: a server's members, both sides of a direct message", async () => {
  const members = [member("10", "Ada"), member("11", "Blake")];
  const { seat } = await seated({ guilds: [guild({ channels: [channel("31")], members })], dms: [dm("33", BOT)] });
  const people = (/** @type {string} */ id) => seat.peopleIn(seat.channels.get(id)).map((person) => person.id);
  assert.deepEqual([people("31"), people("33")], [["10", "11"], ["11", BOT]]);
  assert.equal(seat.member("1", "10")?.display, "Ada");
  assert.equal(seat.member("1", "99"), null);
});
