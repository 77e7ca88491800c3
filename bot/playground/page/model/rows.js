// What is listed where: the rows of the channel tree and of a channel's timeline.

import { allows, MANAGE_CHANNELS } from "./values.js";

/** @import { Channel, Id, Message } from "../../seat_api.js" */
/** @import { Log } from "./log.js" */
/** @import { Note, Seat } from "./store.js" */

/** Types of messages that belong to a thread. */
export const THREAD_CREATED = 18;
export const THREAD_STARTER = 21;

/** How long somebody's messages go under one header, in milliseconds. */
const TOGETHER = 7 * 60 * 1000;

/** @param {Channel} channel */
const isThread = (channel) => channel.kind === "thread" || channel.kind === "private_thread";

/**
 * A row of the tree. `open-dm` stands for a conversation that has not begun yet.
 *
 * @typedef {{ kind: "section" | "guild" | "category", id: string, name: string }
 *   | { kind: "open-dm", id: string, person: { id: Id, display: string } }
 *   | { kind: "channel", id: Id, channel: Channel, thread: boolean }} TreeRow
 */

/**
 * The tree of a seat: direct messages, then each server with its channels.
 *
 * @param {Seat} seat
 * @param {Set<Id>} folded servers and categories whose channels are hidden
 * @param {Id | undefined} open the channel that is shown
 * @returns {TreeRow[]}
 */
export function treeRows(seat, folded, open) {
  const { state } = seat;
  if (!state) return [];
  /** @type {TreeRow[]} */
  const rows = [{ kind: "section", id: "dms", name: "Direct messages" }];
  const bot = state.application;
  if (!state.dms.some((dm) => dm.user?.id === bot.user_id)) {
    rows.push({ kind: "open-dm", id: `dm ${bot.user_id}`, person: { id: bot.user_id, display: bot.name } });
  }
  for (const dm of state.dms) rows.push({ kind: "channel", id: dm.id, channel: dm, thread: false });
  for (const guild of state.guilds) {
    rows.push({ kind: "guild", id: guild.id, name: guild.name });
    if (folded.has(guild.id)) continue;
    // An empty category is shown to those only who could fill it.
    const arranges = allows(guild.permissions, MANAGE_CHANNELS);
    const byId = new Map(guild.channels.map((channel) => [channel.id, channel]));
    for (const channel of guild.channels) {
      if (channel.kind === "category") {
        if (!arranges && !guild.channels.some((other) => other.parent_id === channel.id)) continue;
        rows.push({ kind: "category", id: channel.id, name: channel.name });
        continue;
      }
      const thread = isThread(channel);
      const parent = byId.get(channel.parent_id ?? "");
      const category = thread ? byId.get(parent?.parent_id ?? "") : parent;
      // What is unread or open stays in sight in a folded category; archived threads only while open.
      if (category && folded.has(category.id) && !channel.unread && channel.id !== open) continue;
      if (thread && channel.archived && channel.id !== open) continue;
      rows.push({ kind: "channel", id: channel.id, channel, thread });
    }
  }
  return rows;
}

/**
 * Messages that Discord writes itself, by type; the author's name goes before.
 *
 * @type {{ [type: number]: ((message: Message) => string) | undefined }}
 */
const SYSTEM = {
  1: () => "added somebody to the group.",
  2: () => "removed somebody from the group.",
  4: (message) => `changed the channel name: ${message.content}`,
  6: () => "pinned a message to this channel.",
  7: () => "joined the server.",
  [THREAD_CREATED]: (message) => `started a thread: ${message.content}`,
  [THREAD_STARTER]: () => "started this thread from a message.",
};

/**
 * What a message says that Discord wrote itself; null for a person's or the bot's.
 *
 * @param {Message} message
 */
export function systemWords(message) {
  return SYSTEM[message.type]?.(message) ?? null;
}

/**
 * Whether a message goes under the one before it without a header of its own.
 *
 * @param {Message} message
 * @param {Message | null} previous
 */
export function followsOn(message, previous) {
  return Boolean(
    previous &&
      previous.author.id === message.author.id &&
      !message.command_line &&
      !message.referenced_message &&
      !SYSTEM[message.type] &&
      !SYSTEM[previous.type] &&
      previous.ephemeral === message.ephemeral &&
      Date.parse(message.timestamp) - Date.parse(previous.timestamp) < TOGETHER,
  );
}

/**
 * A row of a timeline. `when` is in seconds.
 *
 * @typedef {{ kind: "start", id: string, name: string }
 *   | { kind: "day", id: string, day: string, when: number }
 *   | { kind: "new", id: string }
 *   | { kind: "message", id: Id, message: Message, compact: boolean, failure: string | null }
 *   | { kind: "note", id: Id, note: Note }} TimelineRow
 */

/**
 * The timeline of a channel: its messages by day, and notes of commands that failed.
 *
 * @param {Seat} seat
 * @param {Channel} channel
 * @param {Log} log
 * @param {Id | null} unreadFrom the first message that was unread when the channel was opened
 * @returns {TimelineRow[]}
 */
export function timelineRows(seat, channel, log, unreadFrom) {
  /** @type {TimelineRow[]} */
  const rows = [];
  if (!log.moreBefore) rows.push({ kind: "start", id: "start", name: channel.name });
  /** @type {Message | null} */
  let previous = null;
  for (const message of log.messages) {
    const day = new Date(message.timestamp).toDateString();
    if (!previous || new Date(previous.timestamp).toDateString() !== day) {
      rows.push({ kind: "day", id: `day ${day}`, day, when: Date.parse(message.timestamp) / 1000 });
      previous = null;
    }
    if (message.id === unreadFrom) {
      rows.push({ kind: "new", id: "new" });
      previous = null;
    }
    const failure = seat.failures.get(message.id) ?? null;
    rows.push({ kind: "message", id: message.id, message, compact: followsOn(message, previous), failure });
    previous = message;
  }
  // Below messages that are not the newest, notes would stand in the wrong place.
  if (!log.moreAfter) for (const note of seat.notes.get(channel.id) ?? []) rows.push({ kind: "note", id: note.key, note });
  return rows;
}
