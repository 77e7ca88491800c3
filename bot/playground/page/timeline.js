// The messages of the open channel: only what changed is touched, and the place of reading is kept.

import { clear, el, iconButton, reconcile } from "./dom.js";
import { messageView } from "./message/message.js";
import { formatTime } from "./message/text.js";
import { nameOf } from "./model/names.js";
import { timelineRows } from "./model/rows.js";

/** @import { Channel, Id, Message } from "../seat_api.js" */
/** @import { Page } from "./app.js" */
/** @import { Log } from "./model/log.js" */
/** @import { TimelineRow } from "./model/rows.js" */
/** @import { Seat } from "./model/store.js" */

const NEAR = 60;

/** @typedef {{ seat: Seat, channel: Channel, log: Log }} Shown */

export class Timeline {
  /**
   * @param {Page} page
   * @param {HTMLElement} box
   * @param {HTMLElement} latestButton
   */
  constructor(page, box, latestButton) {
    this.page = page;
    this.box = box;
    this.list = el("div", { class: "timeline-list" });
    box.append(this.list);
    this.latest = latestButton;
    this.latest.addEventListener("click", () => this.toLatest());
    /** @type {Seat | null} */
    this.seat = null;
    /** @type {Channel | null} */
    this.channel = null;
    this.stuck = true;
    this.lastTop = 0;
    /** @type {Id | null} */
    this.unreadFrom = null;
    this.unreadAtOpening = 0;
    /**
     * Message → mark of how it was last drawn.
     *
     * @type {WeakMap<Message, { surroundings: string }>}
     */
    this.stamps = new WeakMap();
    box.addEventListener("scroll", () => this.scrolled(), { passive: true });
    // Images and fonts that arrive later must not push the newest message out of sight.
    new ResizeObserver(() => void (this.stuck && this.toBottom())).observe(this.list);
    new ResizeObserver(() => void (this.stuck && this.toBottom())).observe(box);
  }

  /**
   * What is shown, when anything is.
   *
   * @returns {Shown | null}
   */
  get shown() {
    const { seat, channel } = this;
    return seat && channel ? { seat, channel, log: seat.log(channel.id) } : null;
  }

  /**
   * Show a channel, or none; `messageId` is gone to. Resolves when its messages are there.
   *
   * @param {Seat} seat
   * @param {Channel | null} channel
   * @param {Id | null} [messageId]
   */
  async show(seat, channel, messageId = null) {
    const same = this.seat === seat && this.channel?.id === channel?.id;
    this.seat = seat;
    this.channel = channel;
    if (!channel) {
      clear(this.list);
      return;
    }
    if (!same) {
      clear(this.list);
      this.stuck = true;
      this.unreadFrom = null;
      this.unreadAtOpening = channel.unread;
    }
    const log = seat.log(channel.id);
    this.box.setAttribute("aria-busy", String(!log.loaded));
    if (log.loaded) this.paint();
    if (messageId && log.at(messageId) < 0) await log.loadAround(messageId);
    else if (!log.loaded || (!same && log.moreAfter && !messageId)) await log.loadLatest();
    if (this.channel !== channel || this.seat !== seat) return;
    this.box.setAttribute("aria-busy", "false");
    this.paint();
    if (messageId) this.goTo(messageId);
    this.read();
  }

  /** Fetch again what a reload of the seat threw away. Messages on their way are not replaced: they may be old ones. */
  async resync() {
    const log = this.shown?.log;
    if (log && !log.loaded && !log.busy) await log.loadLatest();
  }

  /**
   * A value that is the same as long as a row's node may stay; a message's changes with the object or its surroundings.
   *
   * @param {Seat} seat
   * @param {TimelineRow} row
   */
  stampOf(seat, row) {
    switch (row.kind) {
      case "start":
        return row.name;
      case "note":
        return row.note;
      case "message":
        return this.stampOfMessage(row.message, `${row.compact}|${row.failure}|${seat.id}`);
      default:
        return row.id;
    }
  }

  /**
   * @param {Message} message
   * @param {string} surroundings
   */
  stampOfMessage(message, surroundings) {
    const known = this.stamps.get(message);
    if (known?.surroundings === surroundings) return known;
    const stamp = { surroundings };
    this.stamps.set(message, stamp);
    return stamp;
  }

  paint() {
    const { box, list, shown } = this;
    if (!shown?.log.loaded) return;
    const { seat, channel, log } = shown;
    if (this.unreadAtOpening) {
      this.unreadFrom = log.messages.at(-this.unreadAtOpening)?.id ?? null;
      this.unreadAtOpening = 0;
    }
    const anchor = this.stuck ? null : this.anchor();
    const active = document.activeElement;
    const focus = active instanceof HTMLElement && list.contains(active) ? active : null;
    /** @type {HTMLElement | null | undefined} */
    const article = focus?.closest(".message");
    reconcile(list, timelineRows(seat, channel, log, this.unreadFrom), {
      key: (row) => row.id,
      stamp: (row) => this.stampOf(seat, row),
      create: (row) => this.create(shown, row),
    });
    if (anchor) {
      const node = this.nodeOf(anchor.id);
      if (node) box.scrollTop += node.getBoundingClientRect().top - anchor.top;
    } else this.toBottom();
    if (focus && !focus.isConnected && article) {
      const again = this.nodeOf(article.dataset.message ?? "");
      /** @type {NodeListOf<HTMLButtonElement> | undefined} */
      const controls = again?.querySelectorAll("button[data-custom-id]:enabled");
      const same = [...(controls ?? [])].find((node) => node.dataset.customId === focus.dataset.customId);
      (same ?? again)?.focus({ preventScroll: true });
    }
    this.latest.hidden = this.stuck && !log.moreAfter;
  }

  /**
   * The node of a message, if it is held.
   *
   * @param {Id} id
   * @returns {HTMLElement | null}
   */
  nodeOf(id) {
    return this.list.querySelector(`[data-message="${id}"]`);
  }

  /**
   * @param {Shown} shown
   * @param {TimelineRow} row
   */
  create({ seat, channel }, row) {
    const { page } = this;
    const title = nameOf(channel);
    switch (row.kind) {
      case "start":
        return el(
          "div",
          { class: "channel-start" },
          el("h2", { text: title }),
          el("p", { text: channel.kind === "dm" ? "This is where your direct messages begin." : `This is where ${title} begins.` }),
        );
      case "day":
        return el("div", { class: "divider", role: "separator" }, el("span", { text: formatTime(row.when, "D") }));
      case "new":
        return el("div", { class: "divider new", role: "separator" }, el("span", { text: "New" }));
      case "note":
        return el("div", { class: "note", role: "alert" }, el("span", { text: row.note.command ? `/${row.note.command}: ${row.note.text}` : row.note.text }), iconButton("close", "Dismiss", () => seat.dropNote(channel.id, row.note.key)));
      default:
        return messageView(row.message, { seat, channel, compact: row.compact, failure: row.failure, page });
    }
  }

  /** The first message in sight and where it stands, to keep it there. */
  anchor() {
    const top = this.box.getBoundingClientRect().top;
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll("[data-message]"))) {
      const place = node.getBoundingClientRect();
      if (place.bottom > top) return { id: node.dataset.message ?? "", top: place.top };
    }
    return null;
  }

  toBottom() {
    this.box.scrollTop = this.box.scrollHeight;
    this.lastTop = this.box.scrollTop;
  }

  async toLatest() {
    this.stuck = true;
    const log = this.shown?.log;
    if (log?.moreAfter) await log.loadLatest();
    this.paint();
    this.read();
  }

  /** @param {Id} messageId */
  goTo(messageId) {
    const node = this.nodeOf(messageId);
    if (!node) {
      this.page.toast("That message is no longer there.", "error");
      return;
    }
    this.stuck = false;
    node.scrollIntoView({ block: node.offsetHeight > this.box.clientHeight ? "start" : "center" });
    node.focus({ preventScroll: true });
    node.classList.add("flash");
    node.addEventListener("animationend", () => node.classList.remove("flash"), { once: true });
  }

  scrolled() {
    const { box, shown } = this;
    if (!shown?.log.loaded) return;
    const { log } = shown;
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    // Growth below (a picture that arrived) is no reason to let go of the end; only going up is.
    this.stuck = !log.moreAfter && (below < NEAR || (this.stuck && box.scrollTop >= this.lastTop));
    this.lastTop = box.scrollTop;
    this.latest.hidden = this.stuck || (below < 400 && !log.moreAfter);
    if (log.busy) return;
    if (box.scrollTop < 400 && log.moreBefore) this.page.attempt(() => log.loadBefore());
    else if (below < 400 && log.moreAfter) this.page.attempt(() => log.loadAfter());
    else if (this.stuck) this.read();
  }

  /** Tell the playground that everything shown was read, when it is in sight. */
  read() {
    if (!this.shown) return;
    const { seat, channel, log } = this.shown;
    if (!channel.unread || document.hidden || !this.stuck || !log.loaded || log.moreAfter) return;
    const last = log.messages.at(-1)?.id;
    if (!last || last === log.readUpTo) return;
    log.readUpTo = last;
    Object.assign(channel, { unread: 0, mentions: 0 });
    seat.changed({ what: "unread", channelId: channel.id });
    seat.api.act("read", { channel_id: channel.id, message_id: last }).catch(() => (log.readUpTo = null));
  }
}
