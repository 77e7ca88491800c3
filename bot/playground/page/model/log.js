// The messages of one channel as far as a seat holds them.

import { compareIds } from "./values.js";

/** @import { Id, Message, SeatClient } from "../../seat_api.js" */

const PAGE = 50;
/** More messages than this are never held for a channel: the far end is dropped and fetched again when wanted. */
const MOST = 300;

/** A stretch of one channel's messages, oldest first, without gaps. */
export class Log {
  /**
   * @param {SeatClient} api
   * @param {Id} channelId
   * @param {() => void} changed called when a fetch has brought messages
   */
  constructor(api, channelId, changed) {
    this.api = api;
    this.channelId = channelId;
    this.changed = changed;
    /** @type {Message[]} */
    this.messages = [];
    this.moreBefore = true;
    this.moreAfter = false;
    this.loaded = false;
    /** @type {Id | null} */
    this.readUpTo = null;
    /** @type {Promise<void> | null} */
    this.busy = null;
    /** @type {Promise<void> | null} */
    this.latest = null;
    /**
     * What events said while a fetch was under way: the message, or null for one that was deleted.
     *
     * @type {Map<Id, Message | null> | null}
     */
    this.touched = null;
  }

  /** @param {Id} id */
  at(id) {
    return this.messages.findIndex((message) => message.id === id);
  }

  /** Show the newest messages; asked twice at once, they are fetched once. */
  loadLatest() {
    this.latest ??= this.fetch({}, "latest").finally(() => (this.latest = null));
    return this.latest;
  }

  async loadBefore() {
    const oldest = this.messages[0];
    if (this.moreBefore && oldest) await this.fetch({ before: oldest.id }, "before");
  }

  async loadAfter() {
    const newest = this.messages.at(-1);
    if (this.moreAfter && newest) await this.fetch({ after: newest.id }, "after");
  }

  /**
   * Show the messages around one, so that it can be jumped to.
   *
   * @param {Id} id
   */
  async loadAround(id) {
    // "Before" the next possible id includes the message itself.
    await this.fetch({ before: String(BigInt(id) + 1n) }, "around");
    await this.loadAfter();
  }

  /**
   * Fetch a stretch: "latest" and "around" replace what is held, "before" and "after" extend it.
   *
   * @param {{ before?: Id, after?: Id }} query
   * @param {"latest" | "around" | "before" | "after"} mode
   */
  async fetch(query, mode) {
    while (this.busy) await this.busy;
    /** @type {Map<Id, Message | null>} */
    const touched = new Map();
    this.touched = touched;
    const run = this.api.messages(this.channelId, { ...query, limit: PAGE });
    this.busy = run.then(() => {}, () => {});
    try {
      const { messages, more } = await run;
      const kept = mode === "before" || mode === "after" ? this.messages : [];
      const all = new Map([...kept, ...messages].map((message) => [message.id, message]));
      // What an event said while the answer was on its way is newer than the answer.
      for (const [id, message] of touched) {
        if (message === null) all.delete(id);
        else if (all.has(id) || mode === "latest") all.set(id, message);
      }
      this.messages = [...all.values()].sort((a, b) => compareIds(a.id, b.id));
      if (mode !== "after") this.moreBefore = more;
      if (mode === "latest") this.moreAfter = false;
      else if (mode === "around") this.moreAfter = true;
      else if (mode === "after") this.moreAfter = more;
      this.trim(mode === "before");
      this.loaded = true;
    } finally {
      this.busy = null;
      this.touched = null;
    }
    this.changed();
  }

  /** @param {boolean} keepOldest */
  trim(keepOldest) {
    const extra = this.messages.length - MOST;
    if (extra <= 0) return;
    if (keepOldest) {
      this.messages.splice(-extra);
      this.moreAfter = true;
    } else {
      this.messages.splice(0, extra);
      this.moreBefore = true;
    }
  }

  /** @param {Message} message */
  put(message) {
    this.touched?.set(message.id, message);
    const at = this.at(message.id);
    if (at >= 0) this.messages[at] = message;
    else if (this.loaded && !this.moreAfter) {
      this.messages.push(message);
      this.messages.sort((a, b) => compareIds(a.id, b.id));
      this.trim(false);
    }
  }

  /** @param {Id} id */
  drop(id) {
    this.touched?.set(id, null);
    const at = this.at(id);
    if (at >= 0) this.messages.splice(at, 1);
  }
}
