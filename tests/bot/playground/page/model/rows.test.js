// Which rows the channel tree and a timeline have.

import assert from "node:assert/strict";
import { test } from "node:test";

import { followsOn, systemWords, timelineRows, treeRows } from "../../../../../bot/playground/page/model/rows.js";
import { Seat } from "../../../../../bot/playground/page/model/store.js";
import { BLAKE, BOT, channel, dm, guild, message, Server, state } from "./made.js";

/** @import { Message, State } from "../../../../../bot/playground/seat_api.js" */

/**
 * @param {Partial<State>} [more]
 * @param {Message[]} [messages]
 */
async function seated(more = {}, messages = []) {
  const seat = new Seat(BLAKE, new Server({ state: state(more), messages }), () => {});
  await seat.load();
  return seat;
}

const CATEGORY = channel("30", { kind: "category", name: "The Long Night" });
const BLUE = channel("31", { parent_id: "30", name: "blue-bridge" });
const THREAD = channel("32", { kind: "thread", parent_id: "31", name: "Battle of 0412" });

/**
 * The names of a tree's rows.
 *
 * @param {Seat} seat
 * @param {string[]} [folded]
 * @param {string} [open]
 */
function tree(seat, folded = [], open) {
  return treeRows(seat, new Set(folded), open).map((row) => {
    if (row.kind === "channel") return row.channel.name;
    return row.kind === "open-dm" ? `to ${row.person.display}` : row.name;
  });
}

test("a seat without a state has no rows", () => {
  assert.deepEqual(treeRows(new Seat(BLAKE, new Server(), () => {}), new Set(), undefined), []);
});

test("direct messages stand first; the bot can be written to before it wrote", async () => {
  const guilds = [guild({ channels: [CATEGORY, BLUE, THREAD] })];
  const below = ["Star Harbour", "The Long Night", "blue-bridge", "Battle of 0412"];
  assert.deepEqual(tree(await seated({ guilds })), ["Direct messages", "to Plotroom", ...below]);
  const dms = [dm("35", BOT, { name: "Plotroom" })];
  assert.deepEqual(tree(await seated({ guilds, dms })), ["Direct messages", "Plotroom", ...below]);
});

test("a folded server hides all of it", async () => {
  const seat = await seated({ guilds: [guild({ channels: [CATEGORY, BLUE] })] });
  assert.deepEqual(tree(seat, ["1"], "31"), ["Direct messages", "to Plotroom", "Star Harbour"]);
});

test("a folded category hides its channels and their threads, but not what is unread or open", async () => {
  const first = ["Direct messages", "to Plotroom", "Star Harbour", "The Long Night"];
  const quiet = await seated({ guilds: [guild({ channels: [CATEGORY, BLUE, THREAD] })] });
  assert.deepEqual(tree(quiet, ["30"]), first);
  assert.deepEqual(tree(quiet, ["30"], "32"), [...first, "Battle of 0412"]);
  const unread = await seated({ guilds: [guild({ channels: [CATEGORY, { ...BLUE, unread: 1 }, THREAD] })] });
  assert.deepEqual(tree(unread, ["30"]), [...first, "blue-bridge"]);
});

test("an archived thread is listed only while it is open", async () => {
  const seat = await seated({ guilds: [guild({ channels: [BLUE, { ...THREAD, archived: true }] })] });
  assert.equal(tree(seat).includes("Battle of 0412"), false);
  assert.equal(tree(seat, [], "32").includes("Battle of 0412"), true);
});

test("an empty category is listed for those only who could fill it", async () => {
  const MANAGE_CHANNELS = "16";
  const ADMINISTRATOR = "8";
  for (const [permissions, listed] of /** @type {const} */ ([["0", false], [MANAGE_CHANNELS, true], [ADMINISTRATOR, true]])) {
    const seat = await seated({ guilds: [guild({ permissions, channels: [CATEGORY] })] });
    assert.equal(tree(seat).includes("The Long Night"), listed, permissions);
  }
});

/** @param {string} clock such as "12:05:00" */
const at = (clock) => ({ timestamp: `2026-08-01T${clock}.000000+00:00` });

test("messages go under one header for seven minutes", () => {
  const first = message("41", at("12:00:00"));
  assert.equal(followsOn(first, null), false);
  assert.equal(followsOn(message("42", at("12:06:59")), first), true);
  assert.equal(followsOn(message("42", at("12:07:00")), first), false);
});

test("another author, a command, a reply, a message for one's eyes or one of Discord's own has a header", () => {
  const first = message("41");
  const author = { id: "10", username: "ada", global_name: "Ada" };
  assert.equal(followsOn(message("42", { author: { ...author, id: "12" } }), first), false);
  assert.equal(followsOn(message("42", { command_line: "/map" }), first), false);
  assert.equal(followsOn(message("42", { referenced_message: first }), first), false);
  assert.equal(followsOn(message("42", { ephemeral: true }), first), false);
  assert.equal(followsOn(message("42", { type: 6 }), first), false);
  assert.equal(followsOn(message("42"), message("41", { type: 6 })), false);
  assert.equal(followsOn(message("42", { ephemeral: true }), message("41", { ephemeral: true })), true);
});

test("what Discord writes itself is put in words", () => {
  assert.equal(systemWords(message("41")), null);
  assert.equal(systemWords(message("41", { type: 6 })), "pinned a message to this channel.");
  assert.equal(systemWords(message("41", { type: 18, content: "Battle of 0412" })), "started a thread: Battle of 0412");
});

/**
 * The rows of a timeline, as words.
 *
 * @param {Seat} seat
 * @param {string | null} [unreadFrom]
 */
async function timeline(seat, unreadFrom = null) {
  const log = seat.log("31");
  if (!log.loaded) await log.loadLatest();
  return timelineRows(seat, BLUE, log, unreadFrom).map((row) => {
    if (row.kind === "message") return `${row.compact ? "-" : "+"}${row.id}${row.failure ? ` ${row.failure}` : ""}`;
    return row.kind === "note" ? `note ${row.note.command}` : row.kind;
  });
}

const TWO_DAYS = () => [
  message("41"),
  message("42"),
  message("43", { timestamp: "2026-08-03T12:00:00.000000+00:00" }),
  message("44", { timestamp: "2026-08-03T12:01:00.000000+00:00" }),
];

test("a timeline begins with its channel, and each day with its name", async () => {
  const seat = await seated({}, TWO_DAYS());
  assert.deepEqual(await timeline(seat), ["start", "day", "+41", "-42", "day", "+43", "-44"]);
});

test("the beginning is not shown while older messages are missing", async () => {
  const seat = await seated({}, Array.from({ length: 60 }, (_, index) => message(String(100 + index))));
  assert.deepEqual((await timeline(seat)).slice(0, 3), ["day", "+110", "-111"]);
});

test("what is unread stands below a line, under a header", async () => {
  const seat = await seated({}, TWO_DAYS());
  assert.deepEqual(await timeline(seat, "42"), ["start", "day", "+41", "new", "+42", "day", "+43", "-44"]);
});

test("a failure is said with its message, that of a command at the end", async () => {
  const seat = await seated({}, TWO_DAYS());
  seat.fail({ channelId: "31", messageId: "42", text: "This interaction failed", interactionId: "61" });
  seat.fail({ channelId: "31", text: "The application did not respond", interactionId: "62", command: "map" });
  assert.deepEqual((await timeline(seat)).slice(3), ["-42 This interaction failed", "day", "+43", "-44", "note map"]);
});

test("notes wait until the newest messages are shown", async () => {
  const seat = await seated({}, Array.from({ length: 120 }, (_, index) => message(String(100 + index))));
  await seat.log("31").loadAround("120");
  seat.fail({ channelId: "31", text: "The application did not respond", interactionId: "62", command: "map" });
  assert.equal((await timeline(seat)).includes("note map"), false);
  await seat.log("31").loadLatest();
  assert.equal((await timeline(seat)).at(-1), "note map");
});
