// The page as a whole: which seat and channel are shown, and who is told of what changed.

import { EventStream, request, SeatApi } from "./api.js";
import { el, icon } from "./dom.js";
import { Composer } from "./input/composer.js";
import { ModalHost } from "./input/modal.js";
import { channelIcon } from "./input/picker.js";
import { refreshTimes, renderInline } from "./message/text.js";
import { hrefOf, nameOf, namesFor, readHash } from "./model/names.js";
import { Seat } from "./model/store.js";
import { wordsOf } from "./model/values.js";
import { showPeople, showPins, Toasts } from "./panels.js";
import { SeatBar, Tree } from "./sidebar.js";
import { Timeline } from "./timeline.js";

/** @import { Channel, Id, MessageEvent, Profile } from "../seat_api.js" */
/** @import { Change } from "./model/store.js" */

/**
 * An element that index.html has.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
function byId(id) {
  const node = document.getElementById(id);
  if (!node) throw new Error(`index.html has no element ${id}`);
  return node;
}

export class Page {
  constructor() {
    /** @type {Map<Id, Seat>} */
    this.seats = new Map();
    /** @type {Seat | null} */
    this.seat = null;
    /** @type {Channel | null} */
    this.channel = null;
    /**
     * The channel in which each seat was last.
     *
     * @type {Map<Id, Id>}
     */
    this.last = new Map();
    /**
     * What is to be painted in the next frame.
     *
     * @type {Set<Change["what"] | "channel">}
     */
    this.due = new Set();
    this.frame = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.fallback = undefined;
    this.dmsOpen = /** @type {HTMLInputElement} */ (byId("dms-open"));
    this.toasts = new Toasts(byId("toasts"));
    this.seatBar = new SeatBar(this, byId("seats"));
    this.tree = new Tree(this, byId("tree"));
    this.timeline = new Timeline(this, byId("timeline"), byId("latest"));
    this.composer = new Composer(this, /** @type {HTMLFormElement} */ (byId("composer")));
    this.modals = new ModalHost(this);
    this.bind();
  }

  bind() {
    addEventListener("hashchange", () => this.follow());
    document.addEventListener("visibilitychange", () => document.hidden || this.timeline.read());
    document.addEventListener("keydown", (event) => this.key(event));
    byId("skip").addEventListener("click", () => this.composer.focus());
    byId("open-drawer").addEventListener("click", () => this.openDrawer());
    byId("shade").addEventListener("click", () => this.closeDrawer());
    byId("people").addEventListener("click", () => this.showPeople());
    byId("pins").addEventListener("click", () => this.showPins());
    byId("join").addEventListener("click", () => this.joinOrLeave());
    this.dmsOpen.addEventListener("change", () => this.setDms(this.dmsOpen.checked));
    setInterval(() => refreshTimes(document), 1000);
  }

  // --- starting --------------------------------------------------------------------------------------------------

  async start() {
    try {
      /** @type {Profile[]} */
      const profiles = await request("GET", "/seat-api/seats");
      for (const profile of profiles) {
        this.seats.set(profile.id, new Seat(profile, new SeatApi(profile.id), (...change) => this.changed(...change)));
      }
    } catch (error) {
      this.say(wordsOf(error));
      setTimeout(() => this.start(), 2000);
      return;
    }
    if (!this.seats.size) {
      this.say("Nobody is here yet. Start the playground with its demo, or add people with POST /seat-api/users.");
      setTimeout(() => this.start(), 2000);
      return;
    }
    await this.follow();
    // The other seats come after the first paint: they only feed their badges.
    for (const seat of this.seats.values()) if (seat !== this.seat) await this.ready(seat);
  }

  /**
   * Have a seat's state and its stream of events.
   *
   * @param {Seat} seat
   */
  async ready(seat) {
    if (seat.state) return true;
    const done = await this.attempt(() => seat.load());
    if (done) seat.connect((subscription) => new EventStream(seat.id, subscription));
    return done;
  }

  // --- going places ----------------------------------------------------------------------------------------------

  /**
   * @param {Id} seatId
   * @param {Id} channelId
   * @param {Id | null} [messageId]
   */
  go(seatId, channelId, messageId = null) {
    const hash = hrefOf(seatId, channelId, messageId);
    if (location.hash === hash) this.follow();
    else location.hash = hash;
  }

  /** @param {Id} seatId */
  takeSeat(seatId) {
    const channel = this.last.get(seatId);
    this.go(seatId, channel ?? "");
  }

  /** Show what the URL names; where it names nothing that can be seen, the best place there is. */
  async follow() {
    const wanted = readHash(location.hash);
    const seat = this.seats.get(wanted.seat ?? "") ?? this.seats.values().next().value;
    if (!seat) return;
    if (this.seat !== seat) {
      this.seat = seat;
      this.channel = null;
      this.seatBar.paint();
    }
    if (!(await this.ready(seat)) || this.seat !== seat) return;
    const named = seat.channels.get(wanted.channel ?? "");
    const channel = named && named.kind !== "category" ? named : seat.bestChannel(this.last.get(seat.id));
    if (wanted.channel && !named) this.toast(`${seat.profile.display} cannot see that channel.`, "error");
    if (channel && channel.id !== wanted.channel) history.replaceState(null, "", hrefOf(seat.id, channel.id));
    await this.open(seat, channel, named ? wanted.message : null);
  }

  /**
   * @param {Seat} seat
   * @param {Channel | null} channel
   * @param {Id | null} [messageId]
   */
  async open(seat, channel, messageId = null) {
    this.channel = channel;
    if (channel) this.last.set(seat.id, channel.id);
    this.paintAll();
    this.modals.sync(seat);
    if (!channel) {
      this.timeline.show(seat, null);
      this.composer.show(null);
      this.say(`${seat.profile.display} sees no channel yet.`);
      return;
    }
    this.say(null);
    this.composer.show({ seat, channel });
    await this.attempt(() => this.timeline.show(seat, channel, messageId));
    if (matchMedia("(hover: hover)").matches && !messageId && !document.querySelector("dialog[open]") && document.activeElement === document.body) this.composer.focus();
  }

  /** @param {Id} userId */
  async openDm(userId) {
    const { seat } = this;
    if (!seat) return;
    await this.attempt(async () => {
      const { channel } = await seat.api.act("open_dm", { user_id: userId });
      if (!seat.channels.has(channel.id)) await seat.load();
      this.closeDrawer();
      this.go(seat.id, channel.id);
    });
  }

  showPeople() {
    if (this.seat) showPeople(this, this.seat);
  }

  showPins() {
    const { seat, channel } = this;
    if (seat && channel) this.attempt(() => showPins(this, seat, channel));
  }

  joinOrLeave() {
    const { seat, channel } = this;
    if (!seat || !channel) return;
    this.attempt(() => seat.api.act(channel.joined ? "thread_leave" : "thread_join", { channel_id: channel.id }));
  }

  // --- what changed ----------------------------------------------------------------------------------------------

  /**
   * A seat changed; painting waits for the next frame, so that many changes cost one.
   *
   * @param {Seat} seat
   * @param {Change} change
   */
  changed(seat, change) {
    switch (change.what) {
      case "message":
        this.notice(seat, change.event);
        return;
      case "error":
        this.toast(wordsOf(change.error), "error");
        return;
      case "modal":
        if (seat === this.seat && this.channel) this.modals.sync(seat);
        return;
      case "log":
        if (seat !== this.seat || change.channelId !== this.channel?.id) return;
        break;
      case "state":
        if (seat === this.seat) this.due.add("channel");
        break;
      default:
        break;
    }
    this.due.add(change.what);
    if (this.frame) return;
    // A hidden window has no frames, but must not fall behind for ever.
    const run = () => {
      clearTimeout(this.fallback);
      cancelAnimationFrame(this.frame);
      this.frame = 0;
      this.flush();
    };
    this.frame = requestAnimationFrame(run);
    this.fallback = setTimeout(run, 100);
  }

  flush() {
    const due = this.due;
    this.due = new Set();
    this.seatBar.paint();
    this.paintTitle();
    if (!this.seat?.state) return;
    if (due.has("state") || due.has("unread")) this.tree.paint();
    if (due.has("connection") || due.has("state")) this.paintMe();
    if (due.has("channel")) this.recheck(this.seat);
    if (due.has("log") && this.channel) {
      this.timeline.paint();
      this.timeline.read();
    }
    if (due.has("unread")) this.timeline.read();
  }

  /**
   * After a new state: the open channel may have changed, or have gone out of sight.
   *
   * @param {Seat} seat
   */
  recheck(seat) {
    const { channel } = this;
    const now = channel && seat.channels.get(channel.id);
    if (now) {
      this.channel = now;
      this.timeline.channel = now;
      this.composer.show({ seat, channel: now });
      this.paintHead();
      this.attempt(() => this.timeline.resync());
    } else {
      if (channel) this.toast(`${seat.profile.display} no longer sees ${nameOf(channel)}.`);
      this.last.delete(seat.id);
      const best = seat.bestChannel(undefined);
      history.replaceState(null, "", hrefOf(seat.id, best?.id ?? ""));
      this.open(seat, best);
    }
  }

  /**
   * Tell of a message that is meant for the seat and not in sight.
   *
   * @param {Seat} seat
   * @param {MessageEvent} event
   */
  notice(seat, event) {
    const { message, channel_id: channelId } = event;
    const channel = seat.channels.get(channelId);
    const shown = seat === this.seat && channelId === this.channel?.id && !document.hidden;
    if (shown || seat !== this.seat || message.author.id === seat.id) return;
    if (!message.mentions_me && channel?.kind !== "dm") return;
    const where = !channel || channel.kind === "dm" ? "" : ` in ${nameOf(channel)}`;
    const text = (message.words || message.embeds[0]?.title || "a message").replace(/\s+/g, " ").slice(0, 90);
    const names = namesFor(seat, channel, message);
    const plain = el("span");
    plain.append(renderInline(text, names));
    this.toasts.show(plain.textContent, "info", { title: `${message.author_display}${where}`, run: () => this.go(seat.id, channelId, message.id) });
  }

  // --- painting --------------------------------------------------------------------------------------------------

  paintAll() {
    this.seatBar.paint();
    this.tree.paint();
    this.paintMe();
    this.paintHead();
    this.paintTitle();
  }

  paintHead() {
    const { channel, seat } = this;
    const head = byId("channel-name");
    const dm = channel?.kind === "dm";
    head.replaceChildren(...(channel ? [icon(channelIcon(channel)), el("h1", { text: dm ? channel.user?.display ?? "Direct messages" : channel.name })] : []));
    const topic = byId("topic");
    topic.replaceChildren();
    if (seat && channel?.topic) topic.append(renderInline(channel.topic.split("\n", 1)[0], namesFor(seat, channel)));
    else if (channel?.parent_id && channel.kind.endsWith("thread")) topic.append(`in #${seat?.channels.get(channel.parent_id)?.name ?? "?"}`);
    topic.title = channel?.topic ?? "";
    byId("pins").hidden = !channel;
    const join = byId("join");
    join.hidden = !channel?.kind.endsWith("thread") || channel.archived;
    join.textContent = channel?.joined ? "Leave" : "Join";
  }

  paintMe() {
    const { seat } = this;
    if (!seat?.state) return;
    const { me, application } = seat.state;
    byId("me-name").textContent = me.display;
    byId("me-note").textContent = me.note || `@${me.name}`;
    this.dmsOpen.checked = me.dms_open;
    const status = byId("status");
    const words = seat.connected === false ? "Connection lost; trying again…" : application.online ? null : `${application.name} is offline: commands and buttons will fail.`;
    status.hidden = words === null;
    status.textContent = words ?? "";
  }

  paintTitle() {
    const sum = [...this.seats.values()].reduce((total, seat) => total + seat.totals().mentions, 0);
    const where = this.channel ? nameOf(this.channel) : "Playground";
    document.title = `${sum ? `(${sum}) ` : ""}${where} · ${this.seat?.profile.display ?? ""} · Plotroom playground`;
  }

  /** @param {string | null} words */
  say(words) {
    const notice = byId("notice");
    notice.hidden = words === null;
    notice.textContent = words ?? "";
  }

  // --- small things ----------------------------------------------------------------------------------------------

  /**
   * @param {string} words
   * @param {"info" | "error"} [kind]
   */
  toast(words, kind = "info") {
    this.toasts.show(words, kind);
  }

  /**
   * Run something that may be refused; a refusal is shown. True when it went well.
   *
   * @param {() => unknown} run
   */
  async attempt(run) {
    try {
      await run();
      return true;
    } catch (error) {
      this.toast(wordsOf(error), "error");
      return false;
    }
  }

  /** @param {boolean} open */
  async setDms(open) {
    const { seat } = this;
    if (!seat) return;
    const done = await this.attempt(() => seat.api.act("settings", { dms_open: open }));
    if (done && seat.state) seat.state.me.dms_open = open;
    if (seat === this.seat) this.paintMe();
    if (done) this.toast(open ? "The bot can send direct messages to this seat." : "Direct messages to this seat are refused now.");
  }

  focusComposer() {
    this.composer.focus();
  }

  openDrawer() {
    document.body.classList.add("drawer");
    byId("open-drawer").setAttribute("aria-expanded", "true");
    /** @type {HTMLElement | null} */
    const row = document.querySelector("#tree .current") ?? document.querySelector("#tree a");
    row?.focus();
  }

  closeDrawer() {
    if (!document.body.classList.contains("drawer")) return;
    document.body.classList.remove("drawer");
    byId("open-drawer").setAttribute("aria-expanded", "false");
    byId("open-drawer").focus();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") this.closeDrawer();
    else if (event.altKey && /^[1-9]$/.test(event.key)) {
      const id = [...this.seats.keys()][Number(event.key) - 1];
      if (id) {
        event.preventDefault();
        this.takeSeat(id);
      }
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown") && this.seat?.state) {
      event.preventDefault();
      const id = this.tree.neighbour(this.seat, event.key === "ArrowUp" ? -1 : 1);
      if (id) this.go(this.seat.id, id);
    }
  }
}

new Page().start();
