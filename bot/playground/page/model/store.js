// What each seat sees, kept up to date by its events.

import { Log } from "./log.js";

/** @import { Channel, Command, Guild, Id, Member, MessageEvent, Modal, Person, Profile, SeatClient, SeatEvent, State } from "../../seat_api.js" */

/**
 * What a listener is told of.
 *
 * @typedef {{ what: "state" | "modal" | "connection" }
 *   | { what: "log" | "unread", channelId: Id }
 *   | { what: "message", event: MessageEvent }
 *   | { what: "error", error: unknown }} Change
 */

/**
 * What carries a seat's events: it asks for what came after `since()` and calls the others as things come.
 *
 * @typedef {{ since: () => number, onEvent: (event: SeatEvent) => void, onOpen: (open: boolean) => void }} Subscription
 */

/** @typedef {{ key: Id, text: string, command: string | null }} Note */

/** One person's view of the playground; its listener is told of each change. */
export class Seat {
  /**
   * @param {Profile} profile
   * @param {SeatClient} api
   * @param {(seat: Seat, change: Change) => void} listen
   */
  constructor(profile, api, listen) {
    this.profile = profile;
    this.listen = listen;
    this.id = profile.id;
    this.api = api;
    /** @type {State | null} */
    this.state = null;
    /** @type {Map<Id, Channel>} */
    this.channels = new Map();
    /** @type {Map<Id, Guild>} */
    this.guilds = new Map();
    /** @type {Map<Id, Log>} */
    this.logs = new Map();
    /** @type {Map<Id, Modal>} */
    this.modals = new Map();
    /** @type {Map<Id, string>} */
    this.drafts = new Map();
    /**
     * Failed interactions: message id → words under that message; commands' failures are notes in their channel.
     *
     * @type {Map<Id, string>}
     */
    this.failures = new Map();
    /** @type {Map<Id, Note[]>} */
    this.notes = new Map();
    /** @type {boolean | null} */
    this.connected = null;
    this.lastSeq = 0;
    this.subscribed = false;
    /** @type {Promise<void> | null} */
    this.loading = null;
    this.again = false;
  }

  /** @param {Change} change */
  changed(change) {
    this.listen(this, change);
  }

  /** Fetch the whole state; calls while one is under way are answered by one more fetch afterwards. */
  load() {
    if (this.loading) {
      this.again = true;
      return this.loading;
    }
    this.loading = (async () => {
      do {
        this.again = false;
        this.take(await this.api.state());
      } while (this.again);
    })().finally(() => (this.loading = null));
    return this.loading;
  }

  /** @param {State} state */
  take(state) {
    const first = this.state === null;
    this.state = state;
    this.profile = { ...this.profile, ...state.me };
    this.guilds = new Map(state.guilds.map((guild) => [guild.id, guild]));
    const channels = [...state.dms, ...state.guilds.flatMap((guild) => guild.channels)];
    this.channels = new Map(channels.map((channel) => [channel.id, channel]));
    for (const id of this.logs.keys()) if (!this.channels.has(id)) this.logs.delete(id);
    this.modals = new Map(state.modals.map((modal) => [modal.interaction_id, modal]));
    if (first) this.lastSeq = state.seq;
    this.changed({ what: "state" });
    this.changed({ what: "modal" });
  }

  /**
   * Have the seat's events, once.
   *
   * @param {(subscription: Subscription) => unknown} subscribe
   */
  connect(subscribe) {
    if (this.subscribed) return;
    this.subscribed = true;
    subscribe({
      since: () => this.lastSeq,
      onEvent: (event) => this.apply(event),
      onOpen: (open) => {
        if (this.connected === open) return;
        this.connected = open;
        this.changed({ what: "connection" });
      },
    });
  }

  /** @param {Id} channelId */
  log(channelId) {
    let log = this.logs.get(channelId);
    if (!log) {
      log = new Log(this.api, channelId, () => this.changed({ what: "log", channelId }));
      this.logs.set(channelId, log);
    }
    return log;
  }

  /** Unread messages and mentions over everything this seat sees; each message in a DM counts as a mention. */
  totals() {
    let unread = 0;
    let mentions = 0;
    for (const channel of this.channels.values()) {
      unread += channel.unread;
      mentions += channel.kind === "dm" ? channel.unread : channel.mentions;
    }
    return { unread, mentions };
  }

  /**
   * The channel to show when none is named: the one that is remembered, else one that waits for this person, else where
   * the bot writes to them.
   *
   * @param {Id | undefined} remembered
   */
  bestChannel(remembered) {
    const all = [...this.channels.values()].filter((channel) => channel.kind !== "category" && !channel.archived);
    return (
      this.channels.get(remembered ?? "") ??
      all.find((channel) => channel.mentions) ??
      all.find((channel) => channel.kind === "dm" && channel.unread) ??
      all.find((channel) => channel.kind === "dm" && channel.user?.id === this.state?.application.id) ??
      all.find((channel) => channel.kind !== "dm") ??
      all[0] ??
      null
    );
  }

  /** @param {{ guild_id: Id | null } | null | undefined} place */
  guildOf(place) {
    return this.guilds.get(place?.guild_id ?? "") ?? null;
  }

  /**
   * @param {Channel | null} channel
   * @returns {Command[]}
   */
  commandsIn(channel) {
    if (channel && channel.can_use_commands === false) return [];
    return this.guildOf(channel)?.commands ?? this.state?.dm_commands ?? [];
  }

  /**
   * People who can be named in a channel.
   *
   * @param {{ guild_id: Id | null, user?: Person } | null | undefined} place
   * @returns {(Member | Person | Profile)[]}
   */
  peopleIn(place) {
    const guild = this.guildOf(place);
    if (guild) return guild.members;
    return place?.user ? [this.profile, place.user] : [this.profile];
  }

  /**
   * @param {Id | undefined} guildId
   * @param {Id} userId
   */
  member(guildId, userId) {
    return this.guilds.get(guildId ?? "")?.members.find((member) => member.id === userId) ?? null;
  }

  /** @param {SeatEvent} event */
  apply(event) {
    if (event.type === "hello") return;
    if (event.type !== "reload" && event.seq <= this.lastSeq) return;
    this.lastSeq = event.seq;
    switch (event.type) {
      case "message_create":
        this.logs.get(event.channel_id)?.put(event.message);
        this.changed({ what: "message", event });
        this.changed({ what: "log", channelId: event.channel_id });
        break;
      case "message_update":
        this.logs.get(event.channel_id)?.put(event.message);
        this.changed({ what: "log", channelId: event.channel_id });
        break;
      case "message_delete":
        this.logs.get(event.channel_id)?.drop(event.message_id);
        this.failures.delete(event.message_id);
        this.changed({ what: "log", channelId: event.channel_id });
        break;
      case "channel_create":
      case "channel_delete":
      case "guild_update":
      case "commands_update":
        // Where a channel stands among the others is the server's to say.
        this.refresh();
        break;
      case "channel_update":
        this.replaceChannel(event.channel);
        break;
      case "unread": {
        const channel = this.channels.get(event.channel_id);
        if (channel) Object.assign(channel, { unread: event.unread, mentions: event.mentions });
        this.changed({ what: "unread", channelId: event.channel_id });
        break;
      }
      case "bot_status":
        if (this.state) this.state.application.online = event.online;
        this.changed({ what: "connection" });
        break;
      case "modal":
        this.modals.set(event.modal.interaction_id, event.modal);
        this.changed({ what: "modal" });
        break;
      case "modal_closed":
        this.modals.delete(event.interaction_id);
        this.changed({ what: "modal" });
        break;
      case "interaction_failed":
        this.fail({
          channelId: event.channel_id,
          messageId: event.message_id,
          text: event.text,
          interactionId: event.interaction_id,
        });
        break;
      case "reload":
        this.logs.clear();
        this.refresh();
        break;
      default:
        break;
    }
  }

  refresh() {
    this.load().catch((error) => this.changed({ what: "error", error }));
  }

  /** @param {Channel} channel */
  replaceChannel(channel) {
    const known = this.channels.get(channel.id);
    // A channel that moved or was renamed may stand elsewhere in the list.
    if (!known || known.parent_id !== channel.parent_id || known.position !== channel.position) {
      this.refresh();
      return;
    }
    Object.assign(known, channel);
    this.changed({ what: "state" });
  }

  /**
   * An interaction that failed: said under its message, or as a note in the channel when it was a command. It is told
   * twice, by an event and by the answer to the request; only the latter knows the command's name.
   *
   * @param {{ channelId: Id, messageId?: Id | null, text: string, interactionId: Id, command?: string | null }} failure
   */
  fail({ channelId, messageId = null, text, interactionId, command = null }) {
    if (messageId) this.failures.set(messageId, text);
    else {
      const notes = this.notes.get(channelId) ?? [];
      const known = notes.find((note) => note.key === interactionId);
      const note = { key: interactionId, text, command: command ?? known?.command ?? null };
      this.notes.set(channelId, known ? notes.map((other) => (other === known ? note : other)) : [...notes, note]);
    }
    this.changed({ what: "log", channelId });
  }

  /**
   * @param {Id} channelId
   * @param {Id} key
   */
  dropNote(channelId, key) {
    this.notes.set(channelId, (this.notes.get(channelId) ?? []).filter((note) => note.key !== key));
    this.changed({ what: "log", channelId });
  }
}
