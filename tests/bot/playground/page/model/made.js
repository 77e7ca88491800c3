// What the tests of the page's model are made of: things as the seat API sends them, and a server of messages.

/** @import { Channel, Guild, Id, Member, Message, Modal, Profile, SeatClient, State } from "../../../../../bot/playground/seat_api.js" */

/** @type {Profile} */
export const BLAKE = { id: "11", name: "blake", display: "Blake", avatar_color: "#d55e00", note: "", dms_open: true };

/** The bot's user. */
export const BOT = "12";

/**
 * @param {Id} id
 * @param {Partial<Channel>} [more]
 * @returns {Channel}
 */
export function channel(id, more = {}) {
  return {
    id,
    kind: "text",
    type: 0,
    guild_id: "1",
    name: `channel-${id}`,
    topic: null,
    parent_id: null,
    position: 0,
    archived: false,
    locked: false,
    joined: false,
    can_send: true,
    can_attach: true,
    can_use_commands: true,
    unread: 0,
    mentions: 0,
    last_message_id: null,
    ...more,
  };
}

/**
 * A direct message with a person of that id.
 *
 * @param {Id} id
 * @param {Id} personId
 * @param {Partial<Channel>} [more]
 */
export function dm(id, personId, more = {}) {
  const user = { id: personId, name: `user-${personId}`, display: `User ${personId}`, bot: personId === BOT, avatar_color: "#000000" };
  return channel(id, { kind: "dm", type: 1, guild_id: null, user, ...more });
}

/**
 * @param {Partial<Guild>} [more]
 * @returns {Guild}
 */
export function guild(more = {}) {
  return { id: "1", name: "Star Harbour", owner_id: "10", permissions: "0", roles: [], members: [], channels: [], commands: [], ...more };
}

/**
 * @param {Id} id
 * @param {string} display
 * @param {Id[]} [roles]
 * @returns {Member}
 */
export function member(id, display, roles = []) {
  return { id, name: display.toLowerCase(), display, bot: false, avatar_color: "#000000", roles };
}

/**
 * @param {Partial<State>} [more]
 * @returns {State}
 */
export function state(more = {}) {
  return {
    me: BLAKE,
    application: { id: BOT, name: "Plotroom", user_id: BOT, online: true },
    guilds: [],
    dms: [],
    dm_commands: [],
    modals: [],
    seq: 0,
    ...more,
  };
}

/**
 * @param {Id} id
 * @param {Partial<Message>} [more]
 * @returns {Message}
 */
export function message(id, more = {}) {
  return {
    id,
    type: 0,
    channel_id: "31",
    author: { id: "10", username: "ada", global_name: "Ada" },
    content: `line ${id}`,
    words: more.content ?? `line ${id}`,
    timestamp: "2026-08-01T12:00:00.000000+00:00",
    edited_timestamp: null,
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    flags: 0,
    ephemeral: false,
    loading: false,
    author_display: "Ada",
    author_color: "#0072b2",
    command_line: null,
    command_user: null,
    mentions_me: false,
    user_names: {},
    role_names: {},
    channel_names: {},
    ...more,
  };
}

/**
 * @param {Id} id
 * @returns {Modal}
 */
export function modal(id) {
  return { interaction_id: id, channel_id: "31", guild_id: "1", custom_id: "orders", title: "Orders", fields: [] };
}

/**
 * A server with one state and one channel's messages. It answers as SEAT_API.md says; while `hold` is set, its answers
 * wait until `release` is called, and hold what was there when they were asked for.
 *
 * @implements {SeatClient}
 */
export class Server {
  /** @param {{ state?: State, messages?: Message[] }} [held] */
  constructor({ state: whole = state(), messages = [] } = {}) {
    this.whole = whole;
    this.held = messages;
    /** @type {string[]} */
    this.asked = [];
    this.hold = false;
    /** @type {Error | null} */
    this.broken = null;
    /** @type {(() => void)[]} */
    this.waiting = [];
  }

  /**
   * @template Answer
   * @param {string} question
   * @param {Answer} found
   * @returns {Promise<Answer>}
   */
  async answer(question, found) {
    this.asked.push(question);
    const { broken } = this;
    if (this.hold) {
      await new Promise((go) => {
        this.waiting.push(() => go(undefined));
      });
    }
    if (broken) throw broken;
    return found;
  }

  /** Send the answers that were held back, and hold back no more. */
  release() {
    this.hold = false;
    for (const go of this.waiting.splice(0)) go();
  }

  state() {
    return this.answer("state", structuredClone(this.whole));
  }

  /**
   * @param {Id} _channel
   * @param {{ before?: Id, after?: Id, limit?: number }} [query]
   */
  messages(_channel, { before, after, limit = 50 } = {}) {
    const fits = this.held.filter(
      ({ id }) => (!before || BigInt(id) < BigInt(before)) && (!after || BigInt(id) > BigInt(after)),
    );
    const page = after ? fits.slice(0, limit) : fits.slice(-limit);
    const bound = before ? ` before ${before}` : after ? ` after ${after}` : "";
    return this.answer(`messages${bound}`, { messages: page, more: fits.length > page.length });
  }

  /** @returns {Promise<never>} */
  pins() {
    throw new Error("the model asks for no pins");
  }

  /** @returns {Promise<never>} */
  act() {
    throw new Error("the model does nothing on the server");
  }
}
