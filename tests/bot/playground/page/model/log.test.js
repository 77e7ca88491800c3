// The messages that are held of one channel.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Log } from "../../../../../bot/playground/page/model/log.js";
import { message, Server } from "./made.js";

/**
 * Messages with the ids `first` to `last`.
 *
 * @param {number} first
 * @param {number} last
 */
function lines(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => message(String(first + index)));
}

/** @param {Server} server */
function logOf(server) {
  const told = { times: 0 };
  return { told, log: new Log(server, "31", () => void (told.times += 1)) };
}

/** @param {Log} log */
const ids = (log) => log.messages.map(({ id }) => id);

/** @param {Log} log */
const ends = (log) => [log.messages.at(0)?.id, log.messages.at(-1)?.id, log.messages.length];

test("the newest fifty come first, older ones when asked for", async () => {
  const { log, told } = logOf(new Server({ messages: lines(1, 120) }));
  await log.loadLatest();
  assert.deepEqual(ends(log), ["71", "120", 50]);
  assert.deepEqual([log.moreBefore, log.moreAfter, log.loaded], [true, false, true]);
  await log.loadBefore();
  assert.deepEqual(ends(log), ["21", "120", 100]);
  await log.loadBefore();
  assert.deepEqual(ends(log), ["1", "120", 120]);
  assert.equal(log.moreBefore, false);
  assert.equal(told.times, 3);
});

test("what is there whole is not asked for again", async () => {
  const server = new Server({ messages: lines(1, 20) });
  const { log } = logOf(server);
  await log.loadLatest();
  await log.loadBefore();
  await log.loadAfter();
  assert.deepEqual(server.asked, ["messages"]);
});

test("asked twice at once, the newest are fetched once", async () => {
  const server = new Server({ messages: lines(1, 20) });
  const { log } = logOf(server);
  await Promise.all([log.loadLatest(), log.loadLatest()]);
  assert.deepEqual(server.asked, ["messages"]);
  await log.loadLatest();
  assert.equal(server.asked.length, 2);
});

test("never more than 300 are held: the far end is dropped, and fetched again on the way back", async () => {
  const { log } = logOf(new Server({ messages: lines(1, 400) }));
  await log.loadLatest();
  for (let times = 0; times < 6; times += 1) await log.loadBefore();
  assert.deepEqual(ends(log), ["51", "350", 300]);
  assert.deepEqual([log.moreBefore, log.moreAfter], [true, true]);
  await log.loadAfter();
  assert.deepEqual(ends(log), ["101", "400", 300]);
  assert.deepEqual([log.moreBefore, log.moreAfter], [true, false]);
});

test("a new message pushes the oldest out of a full log", async () => {
  const { log } = logOf(new Server({ messages: lines(1, 300) }));
  await log.loadLatest();
  for (let times = 0; times < 5; times += 1) await log.loadBefore();
  assert.equal(log.moreBefore, false);
  log.put(message("301"));
  assert.deepEqual(ends(log), ["2", "301", 300]);
  assert.equal(log.moreBefore, true);
});

test("a jump shows the message with those before and after it, without gaps", async () => {
  const { log } = logOf(new Server({ messages: lines(1, 400) }));
  await log.loadAround("200");
  assert.deepEqual(ids(log), lines(151, 250).map(({ id }) => id));
  assert.deepEqual([log.moreBefore, log.moreAfter], [true, true]);
});

test("a jump to near the beginning knows that nothing comes before", async () => {
  const { log } = logOf(new Server({ messages: lines(1, 400) }));
  await log.loadAround("20");
  assert.deepEqual(ends(log), ["1", "70", 70]);
  assert.deepEqual([log.moreBefore, log.moreAfter], [false, true]);
});

test("a new message is left out while newer ones than those held are missing", async () => {
  const { log } = logOf(new Server({ messages: lines(1, 400) }));
  await log.loadAround("200");
  log.put(message("401"));
  assert.equal(log.at("401"), -1);
});

test("a message is put where its id belongs, however long the ids are", async () => {
  const { log } = logOf(new Server({ messages: [message("98"), message("100")] }));
  await log.loadLatest();
  log.put(message("99"));
  assert.deepEqual(ids(log), ["98", "99", "100"]);
});

test("an edit takes a message's place, a deletion takes it away", async () => {
  const { log } = logOf(new Server({ messages: lines(1, 3) }));
  await log.loadLatest();
  log.put(message("2", { content: "edited" }));
  log.drop("3");
  log.drop("77");
  assert.deepEqual(log.messages.map(({ content }) => content), ["line 1", "edited"]);
});

test("what events say while the newest are fetched is newer than the answer", async () => {
  const server = new Server({ messages: lines(1, 3) });
  const { log } = logOf(server);
  server.hold = true;
  const run = log.loadLatest();
  log.put(message("2", { content: "edited" }));
  log.drop("3");
  log.put(message("4"));
  server.release();
  await run;
  assert.deepEqual(log.messages.map(({ content }) => content), ["line 1", "edited", "line 4"]);
});

test("an event about a message elsewhere makes no gap in a stretch that is fetched meanwhile", async () => {
  const server = new Server({ messages: lines(1, 400) });
  const { log } = logOf(server);
  server.hold = true;
  const run = log.fetch({ before: "201" }, "around");
  log.put(message("401"));
  server.release();
  await run;
  assert.deepEqual(ends(log), ["151", "200", 50]);
});

test("fetches wait for each other", async () => {
  const server = new Server({ messages: lines(1, 120) });
  const { log } = logOf(server);
  await log.loadLatest();
  server.hold = true;
  const runs = [log.loadBefore(), log.loadLatest()];
  assert.deepEqual(server.asked, ["messages", "messages before 71"]);
  server.release();
  await Promise.all(runs);
  assert.deepEqual(server.asked, ["messages", "messages before 71", "messages"]);
  assert.deepEqual(ends(log), ["71", "120", 50]);
});

test("after a fetch that failed the next one works", async () => {
  const server = new Server({ messages: lines(1, 3) });
  const { log, told } = logOf(server);
  server.broken = new Error("offline");
  await assert.rejects(log.loadLatest(), /offline/);
  assert.deepEqual([log.loaded, told.times], [false, 0]);
  server.broken = null;
  await log.loadLatest();
  assert.deepEqual([ids(log), told.times], [["1", "2", "3"], 1]);
});
