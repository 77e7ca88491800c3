// What each seat sees, kept up to date by its events. Nothing here touches the page.

import { EventStream, SeatApi } from "./api.js";
import { compareIds } from "./dom.js";

const PAGE = 50;
/** More messages than this are never held for a channel: the far end is dropped and fetched again when wanted. */
const MOST = 300;

/** A stretch of one channel's messages, oldest first, without gaps. */
export class Log {
  constructor(seat, channelId) {
    Object.assign(this, { seat, channelId });
    this.messages = [];
    this.moreBefore = true;
    this.moreAfter = false;
    this.loaded = false;
    this.busy = null;
    this.touched = null;
    this.readUpTo = null;
    this.latest = null;
  }

  at(id) {
    return this.messages.findIndex((message) => message.id === id);
  }

  /** Show the newest messages; asked twice at once, they are fetched once. */
  loadLatest() {
    this.latest ??= this.fetch({}, "latest").finally(() => (this.latest = null));
    return this.latest;
  }

  async loadBefore() {
    if (this.moreBefore && this.messages.length) await this.fetch({ before: this.messages[0].id }, "before");
  }

  async loadAfter() {
    if (this.moreAfter && this.messages.length) await this.fetch({ after: this.messages.at(-1).id }, "after");
  }

  /** Show the messages around one, so that it can be jumped to. */
  async loadAround(id) {
    // "Before" the next possible id includes the message itself.
    await this.fetch({ before: String(BigInt(id) + 1n) }, "around");
    await this.loadAfter();
  }

  /** Fetch a stretch: "latest" and "around" replace what is held, "before" and "after" extend it. */
  async fetch(query, mode) {
    while (this.busy) await this.busy;
    this.touched = new Map();
    const run = this.seat.api.messages(this.channelId, { ...query, limit: PAGE });
    this.busy = run.then(() => {}, () => {});
    try {
      const { messages, more } = await run;
      const kept = mode === "before" || mode === "after" ? this.messages : [];
      const all = new Map([...kept, ...messages].map((message) => [message.id, message]));
      // What an event said while the answer was on its way is newer than the answer.
      for (const [id, message] of this.touched) {
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
    this.seat.changed("log", this.channelId);
  }

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

  drop(id) {
    this.touched?.set(id, null);
    const at = this.at(id);
    if (at >= 0) this.messages.splice(at, 1);
  }
}

/** One person's view of the playground. `listen(seat, what, id)` is told of each change. */
export class Seat {
  constructor(profile, listen) {
    this.profile = profile;
    this.listen = listen;
    this.id = profile.id;
    this.api = new SeatApi(profile.id);
    this.state = null;
    this.channels = new Map();
    this.guilds = new Map();
    this.logs = new Map();
    this.modals = new Map();
    this.drafts = new Map();
    /** Failed interactions: message id → words under that message; commands' failures are notes in their channel. */
    this.failures = new Map();
    this.notes = new Map();
    this.connected = null;
    this.lastSeq = 0;
    this.stream = null;
    this.loading = null;
    this.again = false;
  }

  changed(what, id = null) {
    this.listen(this, what, id);
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
    })().finally(() => this.loading = null);
    return this.loading;
  }

  take(state) {
    const first = this.state === null;
    this.state = state;
    this.profile = { ...this.profile, ...state.me };
    this.guilds = new Map(state.guilds.map((guild) => [guild.id, guild]));
    this.channels = new Map([...state.dms, ...state.guilds.flatMap((guild) => guild.channels)].map((channel) => [channel.id, channel]));
    for (const id of this.logs.keys()) if (!this.channels.has(id)) this.logs.delete(id);
    this.modals = new Map(state.modals.map((modal) => [modal.interaction_id, modal]));
    if (first) this.lastSeq = state.seq;
    this.changed("state");
    this.changed("modal");
  }

  connect() {
    this.stream ??= new EventStream(this.id, {
      since: () => this.lastSeq,
      onEvent: (event) => this.apply(event),
      onOpen: (open) => {
        if (this.connected === open) return;
        this.connected = open;
        this.changed("connection");
      },
    });
  }

  log(channelId) {
    let log = this.logs.get(channelId);
    if (!log) this.logs.set(channelId, (log = new Log(this, channelId)));
    return log;
  }

  /** Unread messages and mentions over everything this seat sees; each message in a DM counts as a mention. */
  totals() {
    let unread = 0;
    let mentions = 0;
    for (const channel of this.channels.values()) {
      unread += channel.unread ?? 0;
      mentions += channel.kind === "dm" ? channel.unread ?? 0 : channel.mentions ?? 0;
    }
    return { unread, mentions };
  }

  guildOf(channel) {
    return this.guilds.get(channel?.guild_id) ?? null;
  }

  commandsIn(channel) {
    if (channel && channel.can_use_commands === false) return [];
    return this.guildOf(channel)?.commands ?? this.state?.dm_commands ?? [];
  }

  /** People who can be named in a channel. */
  peopleIn(channel) {
    const guild = this.guildOf(channel);
    if (guild) return guild.members;
    return [this.profile, channel?.user].filter(Boolean);
  }

  member(guildId, userId) {
    return this.guilds.get(guildId)?.members.find((member) => member.id === userId) ?? null;
  }

  apply(event) {
    if (event.type === "hello") return;
    if (event.seq !== undefined) {
      if (event.type !== "reload" && event.seq <= this.lastSeq) return;
      this.lastSeq = event.seq;
    }
    const log = this.logs.get(event.channel_id);
    switch (event.type) {
      case "message_create":
        log?.put(event.message);
        this.changed("message", event);
        this.changed("log", event.channel_id);
        break;
      case "message_update":
        log?.put(event.message);
        this.changed("log", event.channel_id);
        break;
      case "message_delete":
        log?.drop(event.message_id);
        this.failures.delete(event.message_id);
        this.changed("log", event.channel_id);
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
        this.changed("unread", event.channel_id);
        break;
      }
      case "bot_status":
        if (this.state) this.state.application.online = event.online;
        this.changed("connection");
        break;
      case "modal":
        this.modals.set(event.modal.interaction_id, event.modal);
        this.changed("modal");
        break;
      case "modal_closed":
        this.modals.delete(event.interaction_id);
        this.changed("modal");
        break;
      case "interaction_failed":
        this.fail({ channelId: event.channel_id, messageId: event.message_id, text: event.text, interactionId: event.interaction_id });
        break;
      case "reload":
        this.logs.clear();
        this.refresh();
        break;
      case "pins_update":
        this.changed("pins", event.channel_id);
        break;
      default:
        break;
    }
  }

  refresh() {
    this.load().catch((error) => this.changed("error", error));
  }

  replaceChannel(channel) {
    const known = this.channels.get(channel.id);
    // A channel that moved or was renamed may stand elsewhere in the list.
    if (!known || known.parent_id !== channel.parent_id || known.position !== channel.position) return this.refresh();
    Object.assign(known, channel);
    this.changed("state");
  }

  /**
   * An interaction that failed: said under its message, or as a note in the channel when it was a command. It is told
   * twice, by an event and by the answer to the request; only the latter knows the command's name.
   */
  fail({ channelId, messageId = null, text, interactionId, command = null }) {
    if (messageId) this.failures.set(messageId, text);
    else {
      const notes = this.notes.get(channelId) ?? [];
      const known = notes.find((note) => note.key === interactionId);
      const note = { key: interactionId, text, command: command ?? known?.command ?? null };
      this.notes.set(channelId, known ? notes.map((other) => (other === known ? note : other)) : [...notes, note]);
    }
    this.changed("log", channelId);
  }

  dropNote(channelId, key) {
    this.notes.set(channelId, (this.notes.get(channelId) ?? []).filter((note) => note.key !== key));
    this.changed("log", channelId);
  }
}
