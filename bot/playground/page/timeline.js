// The messages of the open channel: only what changed is touched, and the place of reading is kept.

import { el, iconButton, reconcile } from "./dom.js";
import { formatTime } from "./markdown.js";
import { followsOn, messageView } from "./message.js";
import { nameOf } from "./names.js";

const NEAR = 60;

export class Timeline {
  constructor(page, box, latestButton) {
    this.page = page;
    this.box = box;
    this.list = el("div", { class: "timeline-list" });
    box.append(this.list);
    this.latest = latestButton;
    this.latest.addEventListener("click", () => this.toLatest());
    this.seat = null;
    this.channel = null;
    this.stuck = true;
    this.lastTop = 0;
    this.unreadFrom = null;
    this.unreadAtOpening = 0;
    /** Message → mark of how it was last drawn. */
    this.stamps = new WeakMap();
    box.addEventListener("scroll", () => this.scrolled(), { passive: true });
    // Images and fonts that arrive later must not push the newest message out of sight.
    new ResizeObserver(() => this.stuck && this.toBottom()).observe(this.list);
    new ResizeObserver(() => this.stuck && this.toBottom()).observe(box);
  }

  get log() {
    return this.channel ? this.seat.log(this.channel.id) : null;
  }

  /** Show a channel; `messageId` is gone to. Resolves when its messages are there. */
  async show(seat, channel, messageId = null) {
    const same = this.seat === seat && this.channel?.id === channel?.id;
    Object.assign(this, { seat, channel });
    if (!channel) {
      this.list.replaceChildren();
      this.list.keyed = null;
      return;
    }
    if (!same) {
      this.list.replaceChildren();
      this.list.keyed = null;
      this.stuck = true;
      this.unreadFrom = null;
      this.unreadAtOpening = channel.unread ?? 0;
    }
    const log = this.log;
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

  /** Fetch again what a reload of the seat threw away. */
  async resync() {
    if (this.channel && !this.log.loaded) await this.log.loadLatest();
  }

  rows() {
    const { log, seat, channel } = this;
    if (log.loaded && this.unreadAtOpening) {
      this.unreadFrom = log.messages.at(-this.unreadAtOpening)?.id ?? null;
      this.unreadAtOpening = 0;
    }
    const rows = [];
    if (!log.moreBefore) rows.push({ kind: "start", id: "start", mark: channel.name });
    let previous = null;
    for (const message of log.messages) {
      const day = new Date(message.timestamp).toDateString();
      if (!previous || new Date(previous.timestamp).toDateString() !== day) {
        rows.push({ kind: "day", id: `day ${day}`, mark: day, when: Date.parse(message.timestamp) / 1000 });
        previous = null;
      }
      if (message.id === this.unreadFrom) {
        rows.push({ kind: "new", id: "new", mark: "new" });
        previous = null;
      }
      const compact = followsOn(message, previous);
      const failure = seat.failures.get(message.id) ?? null;
      rows.push({ kind: "message", id: message.id, message, compact, failure, mark: this.stampOf(message, compact, failure) });
      previous = message;
    }
    for (const note of log.moreAfter ? [] : seat.notes.get(channel.id) ?? []) rows.push({ kind: "note", id: note.key, mark: note, note });
    return rows;
  }

  /** A value that is the same as long as a message's node may stay: the message object, unless its surroundings changed. */
  stampOf(message, compact, failure) {
    const surroundings = `${compact}|${failure}|${this.seat.id}`;
    const known = this.stamps.get(message);
    if (known?.surroundings === surroundings) return known;
    const stamp = { surroundings };
    this.stamps.set(message, stamp);
    return stamp;
  }

  paint() {
    const { box, list, log } = this;
    if (!log.loaded) return;
    const anchor = this.stuck ? null : this.anchor();
    const focus = list.contains(document.activeElement) ? document.activeElement : null;
    const focused = focus && { message: focus.closest(".message")?.dataset.message, customId: focus.dataset.customId };
    reconcile(list, this.rows(), { key: (row) => row.id, stamp: (row) => row.mark, create: (row) => this.create(row) });
    if (anchor) {
      const node = list.querySelector(`[data-message="${anchor.id}"]`);
      if (node) box.scrollTop += node.getBoundingClientRect().top - anchor.top;
    } else this.toBottom();
    if (focus && !focus.isConnected && focused.message) {
      const again = list.querySelector(`[data-message="${focused.message}"]`);
      const same = [...(again?.querySelectorAll("[data-custom-id]") ?? [])].find((node) => node.dataset.customId === focused.customId && !node.disabled);
      (same ?? again)?.focus({ preventScroll: true });
    }
    this.latest.hidden = this.stuck && !log.moreAfter;
  }

  create(row) {
    const { seat, channel, page } = this;
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
    for (const node of this.list.querySelectorAll("[data-message]")) {
      const place = node.getBoundingClientRect();
      if (place.bottom > top) return { id: node.dataset.message, top: place.top };
    }
    return null;
  }

  toBottom() {
    this.box.scrollTop = this.box.scrollHeight;
    this.lastTop = this.box.scrollTop;
  }

  async toLatest() {
    this.stuck = true;
    if (this.log?.moreAfter) await this.log.loadLatest();
    this.paint();
    this.read();
  }

  goTo(messageId) {
    const node = this.list.querySelector(`[data-message="${messageId}"]`);
    if (!node) {
      this.page.toast("That message is no longer there.", "error");
      return;
    }
    this.stuck = false;
    node.scrollIntoView({ block: "center" });
    node.focus({ preventScroll: true });
    node.classList.add("flash");
    node.addEventListener("animationend", () => node.classList.remove("flash"), { once: true });
  }

  scrolled() {
    const { box, log } = this;
    if (!log?.loaded) return;
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
    const { seat, channel, log } = this;
    if (!channel?.unread || document.hidden || !this.stuck || !log.loaded || log.moreAfter) return;
    const last = log.messages.at(-1)?.id;
    if (!last || last === log.readUpTo) return;
    log.readUpTo = last;
    Object.assign(channel, { unread: 0, mentions: 0 });
    seat.changed("unread", channel.id);
    seat.api.act("read", { channel_id: channel.id, message_id: last }).catch(() => (log.readUpTo = null));
  }
}
