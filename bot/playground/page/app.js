// The page as a whole: which seat and channel are shown, and who is told of what changed.

import { request } from "./api.js";
import { Composer } from "./composer.js";
import { el, icon } from "./dom.js";
import { refreshTimes, renderInline } from "./markdown.js";
import { ModalHost } from "./modal.js";
import { hrefOf, nameOf, namesFor, readHash } from "./names.js";
import { showPeople, showPins, Toasts } from "./panels.js";
import { channelIcon } from "./picker.js";
import { SeatBar, Tree } from "./sidebar.js";
import { Seat } from "./store.js";
import { Timeline } from "./timeline.js";

const byId = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.seats = new Map();
    this.seat = null;
    this.channel = null;
    /** The channel in which each seat was last. */
    this.last = new Map();
    this.due = new Set();
    this.toasts = new Toasts(byId("toasts"));
    this.seatBar = new SeatBar(this, byId("seats"));
    this.tree = new Tree(this, byId("tree"));
    this.timeline = new Timeline(this, byId("timeline"), byId("latest"));
    this.composer = new Composer(this, byId("composer"));
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
    byId("people").addEventListener("click", () => showPeople(this));
    byId("pins").addEventListener("click", () => this.attempt(() => showPins(this)));
    byId("dms-open").addEventListener("change", (event) => this.setDms(event.target.checked));
    setInterval(() => refreshTimes(document), 1000);
  }

  // --- starting --------------------------------------------------------------------------------------------------

  async start() {
    try {
      const profiles = await request("GET", "/seat-api/seats");
      for (const profile of profiles) this.seats.set(profile.id, new Seat(profile, (...change) => this.changed(...change)));
    } catch (error) {
      this.say(error.message);
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

  /** Have a seat's state and its stream of events. */
  async ready(seat) {
    if (seat.state) return true;
    const done = await this.attempt(() => seat.load());
    if (done) seat.connect();
    return done;
  }

  // --- going places ----------------------------------------------------------------------------------------------

  go(seatId, channelId, messageId = null) {
    const hash = hrefOf(seatId, channelId, messageId);
    if (location.hash === hash) this.follow();
    else location.hash = hash;
  }

  takeSeat(seatId) {
    const channel = this.last.get(seatId);
    this.go(seatId, channel ?? "");
  }

  /** Show what the URL names; where it names nothing that can be seen, the best place there is. */
  async follow() {
    const wanted = readHash(location.hash);
    const seat = this.seats.get(wanted.seat) ?? this.seats.values().next().value;
    if (this.seat !== seat) {
      this.seat = seat;
      this.channel = null;
      this.seatBar.paint();
    }
    if (!(await this.ready(seat)) || this.seat !== seat) return;
    const named = seat.channels.get(wanted.channel);
    const channel = named && named.kind !== "category" ? named : this.bestChannel(seat);
    if (wanted.channel && !named) this.toast(`${seat.profile.display} cannot see that channel.`, "error");
    if (channel && channel.id !== wanted.channel) history.replaceState(null, "", hrefOf(seat.id, channel.id));
    await this.open(channel, named ? wanted.message : null);
  }

  bestChannel(seat) {
    const all = [...seat.channels.values()].filter((channel) => channel.kind !== "category" && !channel.archived);
    const remembered = seat.channels.get(this.last.get(seat.id));
    return remembered ?? all.find((channel) => channel.mentions) ?? all.find((channel) => channel.kind === "dm" && channel.unread) ?? all.find((channel) => channel.kind !== "dm") ?? all[0] ?? null;
  }

  async open(channel, messageId = null) {
    const { seat } = this;
    this.channel = channel;
    if (channel) this.last.set(seat.id, channel.id);
    this.paintAll();
    this.modals.sync(seat);
    if (!channel) {
      this.timeline.show(seat, null);
      this.composer.show(seat, null);
      this.say(`${seat.profile.display} sees no channel yet.`);
      return;
    }
    this.say(null);
    this.composer.show(seat, channel);
    await this.attempt(() => this.timeline.show(seat, channel, messageId));
    if (matchMedia("(hover: hover)").matches && !messageId && !document.querySelector("dialog[open]") && document.activeElement === document.body) this.composer.focus();
  }

  async openDm(userId) {
    const { seat } = this;
    await this.attempt(async () => {
      const { channel } = await seat.api.act("open_dm", { user_id: userId });
      if (!seat.channels.has(channel.id)) await seat.load();
      this.closeDrawer();
      this.go(seat.id, channel.id);
    });
  }

  showPeople() {
    showPeople(this);
  }

  // --- what changed ----------------------------------------------------------------------------------------------

  /** A seat changed; painting waits for the next frame, so that many changes cost one. */
  changed(seat, what, detail) {
    if (what === "message") return this.notice(seat, detail);
    if (what === "error") return this.toast(detail.message, "error");
    if (what === "modal") {
      if (seat === this.seat && this.channel) this.modals.sync(seat);
      return undefined;
    }
    if (what === "log" && (seat !== this.seat || detail !== this.channel?.id)) return undefined;
    if (what === "state" && seat === this.seat) this.due.add("channel");
    this.due.add(what);
    if (this.due.size && !this.frame) {
      // A hidden window has no frames, but must not fall behind for ever.
      const run = () => {
        clearTimeout(this.fallback);
        cancelAnimationFrame(this.frame);
        this.frame = null;
        this.flush();
      };
      this.frame = requestAnimationFrame(run);
      this.fallback = setTimeout(run, 100);
    }
    return undefined;
  }

  flush() {
    const due = this.due;
    this.due = new Set();
    this.seatBar.paint();
    this.paintTitle();
    if (!this.seat?.state) return;
    if (due.has("state") || due.has("unread")) this.tree.paint();
    if (due.has("connection") || due.has("state")) this.paintMe();
    if (due.has("channel")) this.recheck();
    if (due.has("log") && this.channel) {
      this.timeline.paint();
      this.timeline.read();
    }
    if (due.has("unread")) this.timeline.read();
  }

  /** After a new state: the open channel may have changed, or have gone out of sight. */
  recheck() {
    const { seat, channel } = this;
    const now = channel && seat.channels.get(channel.id);
    if (now) {
      this.channel = now;
      this.timeline.channel = now;
      this.composer.show(seat, now);
      this.paintHead();
      this.attempt(() => this.timeline.resync());
    } else {
      if (channel) this.toast(`${seat.profile.display} no longer sees ${nameOf(channel)}.`);
      this.last.delete(seat.id);
      const best = this.bestChannel(seat);
      history.replaceState(null, "", hrefOf(seat.id, best?.id ?? ""));
      this.open(best);
    }
  }

  /** Tell of a message that is meant for the seat and not in sight. */
  notice(seat, event) {
    const { message, channel_id: channelId } = event;
    const channel = seat.channels.get(channelId);
    const shown = seat === this.seat && channelId === this.channel?.id && !document.hidden;
    if (shown || seat !== this.seat || message.author.id === seat.id) return;
    if (!message.mentions_me && channel?.kind !== "dm") return;
    const where = !channel || channel.kind === "dm" ? "" : ` in ${nameOf(channel)}`;
    const text = (message.content || message.embeds?.[0]?.title || "a message").replace(/\s+/g, " ").slice(0, 90);
    const names = namesFor(seat, channel, message);
    const plain = el("span");
    plain.append(renderInline(text, names));
    this.toasts.show(plain.textContent, "info", { title: `${message.author_display ?? message.author.username}${where}`, run: () => this.go(seat.id, channelId, message.id) });
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
    if (channel?.topic) topic.append(renderInline(channel.topic.split("\n", 1)[0], namesFor(seat, channel)));
    else if (channel?.parent_id && channel.kind.endsWith("thread")) topic.append(`in #${seat.channels.get(channel.parent_id)?.name ?? "?"}`);
    topic.title = channel?.topic ?? "";
    byId("pins").hidden = !channel;
    const join = byId("join");
    const thread = channel?.kind.endsWith("thread");
    join.hidden = !thread || channel.archived;
    join.textContent = channel?.joined ? "Leave" : "Join";
    join.onclick = () => this.attempt(() => seat.api.act(channel.joined ? "thread_leave" : "thread_join", { channel_id: channel.id }));
  }

  paintMe() {
    const { seat } = this;
    const { me, application } = seat.state;
    byId("me-name").textContent = me.display;
    byId("me-note").textContent = me.note || `@${me.name}`;
    byId("dms-open").checked = me.dms_open;
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

  say(words) {
    const notice = byId("notice");
    notice.hidden = words === null;
    notice.textContent = words ?? "";
  }

  // --- small things ----------------------------------------------------------------------------------------------

  toast(words, kind = "info") {
    this.toasts.show(words, kind);
  }

  /** Run something that may be refused; a refusal is shown. True when it went well. */
  async attempt(run) {
    try {
      await run();
      return true;
    } catch (error) {
      this.toast(error.message, "error");
      return false;
    }
  }

  async setDms(open) {
    const { seat } = this;
    const done = await this.attempt(() => seat.api.act("settings", { dms_open: open }));
    if (done) seat.state.me.dms_open = open;
    if (seat === this.seat) this.paintMe();
    if (done) this.toast(open ? "The bot can send direct messages to this seat." : "Direct messages to this seat are refused now.");
  }

  focusComposer() {
    this.composer.focus();
  }

  openDrawer() {
    document.body.classList.add("drawer");
    byId("open-drawer").setAttribute("aria-expanded", "true");
    (document.querySelector("#tree .current") ?? document.querySelector("#tree a"))?.focus();
  }

  closeDrawer() {
    if (!document.body.classList.contains("drawer")) return;
    document.body.classList.remove("drawer");
    byId("open-drawer").setAttribute("aria-expanded", "false");
    byId("open-drawer").focus();
  }

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
      const id = this.tree.neighbour(event.key === "ArrowUp" ? -1 : 1);
      if (id) this.go(this.seat.id, id);
    }
  }
}

new Page().start();
