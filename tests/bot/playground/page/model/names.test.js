// What things are called, and where links lead.

import assert from "node:assert/strict";
import { test } from "node:test";

import { hrefOf, nameOf, namesFor, readHash } from "../../../../../bot/playground/page/model/names.js";
import { Seat } from "../../../../../bot/playground/page/model/store.js";
import { BLAKE, BOT, channel, dm, guild, member, Server, state } from "./made.js";

test("the address names seat, channel and message, as far as it does", () => {
  assert.deepEqual(readHash(hrefOf("11", "31", "41")), { seat: "11", channel: "31", message: "41" });
  assert.deepEqual(readHash(hrefOf("11", "31")), { seat: "11", channel: "31", message: null });
  assert.deepEqual(readHash("#/11/"), { seat: "11", channel: null, message: null });
  assert.deepEqual(readHash("#/11/31/x"), { seat: "11", channel: "31", message: null });
  assert.deepEqual(readHash(""), { seat: null, channel: null, message: null });
});

test("channels are spoken of by kind", () => {
  assert.equal(nameOf(channel("31", { name: "general" })), "#general");
  assert.equal(nameOf(channel("32", { name: "Battle", kind: "private_thread" })), "Battle");
  assert.equal(nameOf(dm("33", "10")), "@User 10");
});

test("mentions mean what the reader knows, then what the message says, then nothing", async () => {
  const roles = [
    { id: "1", name: "@everyone", color: 0, position: 0, mentionable: false, permissions: "0" },
    { id: "21", name: "Blue", color: 0x56b4e9, position: 1, mentionable: true, permissions: "0" },
    { id: "22", name: "Red", color: 0, position: 2, mentionable: true, permissions: "0" },
  ];
  const general = channel("31", { name: "general" });
  const members = [member("11", "Blake", ["21"]), member("10", "Ada")];
  const whole = state({ guilds: [guild({ roles, members, channels: [general] })], dms: [dm("33", BOT)] });
  const seat = new Seat(BLAKE, new Server({ state: whole }), () => {});
  await seat.load();
  const named = { user_names: { 99: "Cleo" }, role_names: { 98: "Gone" }, channel_names: { 97: "red-bridge" } };
  const names = namesFor(seat, general, named);
  assert.deepEqual(["10", "99", "55"].map(names.user), ["Ada", "Cleo", "unknown person"]);
  assert.deepEqual(names.role("21"), { name: "Blue", color: "#56b4e9" });
  assert.deepEqual(["1", "98", "55"].map((id) => names.role(id).name), ["everyone", "Gone", "unknown role"]);
  assert.deepEqual(names.channel("31"), { name: "general", href: "#/11/31" });
  assert.deepEqual(names.channel("97"), { name: "red-bridge", href: null });
  assert.equal(names.channel("55"), null);
  assert.deepEqual(["11", "10"].map((id) => names.mine("user", id)), [true, false]);
  assert.deepEqual(["21", "1", "22"].map((id) => names.mine("role", id)), [true, true, false]);
});

test("links to Discord's channels stay in the page, and hide what the reader does not see", async () => {
  const whole = state({ guilds: [guild({ channels: [channel("31", { name: "general" })] })] });
  const seat = new Seat(BLAKE, new Server({ state: whole }), () => {});
  await seat.load();
  const { jump } = namesFor(seat, null);
  assert.deepEqual(jump("https://discord.com/channels/1/31"), { href: "#/11/31", label: "#general" });
  assert.deepEqual(jump("https://ptb.discord.com/channels/1/31/41"), { href: "#/11/31/41", label: "#general › message" });
  assert.deepEqual(jump("https://discord.com/channels/@me/77"), { href: "#/11/77", label: "#no access" });
  assert.equal(jump("https://discord.com.example.org/channels/1/31"), null);
  assert.equal(jump("https://example.org/"), null);
  assert.equal(jump(undefined), null);
});
