// The seats along the top, and the tree of servers, channels and direct messages.

import { append, avatar, become, el, icon, reconcile } from "./dom.js";
import { hrefOf } from "./names.js";
import { channelIcon } from "./picker.js";

const ADMINISTRATOR = 1n << 3n;
const MANAGE_CHANNELS = 1n << 4n;

function badge(unread, mentions) {
  if (mentions) return el("span", { class: "badge", text: mentions > 99 ? "99+" : String(mentions), "aria-hidden": "true" });
  return unread ? el("span", { class: "dot", "aria-hidden": "true" }) : null;
}

function spoken(unread, mentions) {
  if (mentions) return `, ${mentions} for you`;
  return unread ? `, ${unread} unread` : "";
}

/** The switcher: one button for each seat, always in sight. */
export class SeatBar {
  constructor(page, box) {
    this.page = page;
    this.box = box;
  }

  paint() {
    const { page } = this;
    const rows = [...page.seats.values()].map((seat, index) => ({ seat, index, totals: seat.totals(), current: seat === page.seat }));
    reconcile(this.box, rows, {
      key: ({ seat }) => seat.id,
      stamp: ({ seat, totals, current }) => `${seat.profile.display}|${seat.profile.note}|${totals.unread}|${totals.mentions}|${current}`,
      create: ({ seat, index, totals, current }, old) => {
        const node = el(
          "button",
          {
            type: "button",
            class: current ? "seat current" : "seat",
            role: "radio",
            "aria-checked": String(current),
            tabindex: current ? "0" : "-1",
            title: [seat.profile.note, index < 9 ? `Alt+${index + 1}` : null].filter(Boolean).join(" · "),
            "aria-label": `${seat.profile.display}${seat.profile.note ? `, ${seat.profile.note}` : ""}${spoken(totals.unread, totals.mentions)}`,
            dataset: { seat: seat.id, unread: String(totals.unread), mentions: String(totals.mentions) },
            on: { click: () => page.takeSeat(seat.id), keydown: (event) => this.key(event, index) },
          },
          avatar(seat.profile.display, seat.profile.avatar_color),
          el("span", { class: "seat-name", text: seat.profile.display }),
          badge(totals.unread, totals.mentions),
        );
        return become(old, node);
      },
    });
    if (this.shown !== page.seat) this.box.querySelector(".current")?.scrollIntoView({ block: "nearest", inline: "center" });
    this.shown = page.seat;
  }

  key(event, index) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const ids = [...this.page.seats.keys()];
    const id = ids[(index + step + ids.length) % ids.length];
    this.page.takeSeat(id);
    this.box.querySelector(`[data-seat="${id}"]`)?.focus();
  }
}

/** The channels of the current seat. */
export class Tree {
  constructor(page, box) {
    this.page = page;
    this.box = box;
    this.folded = new Set();
  }

  rows() {
    const { seat, channel } = this.page;
    const rows = [{ kind: "section", id: "dms", name: "Direct messages" }];
    const bot = seat.state.application;
    if (!seat.state.dms.some((dm) => dm.user?.id === bot.user_id)) rows.push({ kind: "open-dm", id: `dm ${bot.user_id}`, person: { id: bot.user_id, display: bot.name } });
    for (const dm of seat.state.dms) rows.push({ kind: "channel", id: dm.id, channel: dm });
    for (const guild of seat.state.guilds) {
      rows.push({ kind: "guild", id: guild.id, name: guild.name });
      if (this.folded.has(guild.id)) continue;
      // An empty category is shown to those only who could fill it.
      const arranges = (BigInt(guild.permissions) & (MANAGE_CHANNELS | ADMINISTRATOR)) !== 0n;
      const byId = new Map(guild.channels.map((entry) => [entry.id, entry]));
      for (const entry of guild.channels) {
        if (entry.kind === "category") {
          if (!arranges && !guild.channels.some((other) => other.parent_id === entry.id)) continue;
          rows.push({ kind: "category", id: entry.id, name: entry.name });
          continue;
        }
        const thread = entry.kind === "thread" || entry.kind === "private_thread";
        const category = byId.get(thread ? byId.get(entry.parent_id)?.parent_id : entry.parent_id)?.id;
        const current = entry.id === channel?.id;
        // What is unread or open stays in sight in a folded category; archived threads only while open.
        if (category && this.folded.has(category) && !entry.unread && !current) continue;
        if (thread && entry.archived && !current) continue;
        rows.push({ kind: "channel", id: entry.id, channel: entry, thread });
      }
    }
    return rows;
  }

  paint() {
    if (!this.page.seat?.state) return;
    const current = this.page.channel?.id;
    reconcile(this.box, this.rows(), {
      key: (row) => row.id,
      stamp: (row) => {
        const place = row.channel;
        if (!place) return `${row.kind}|${row.name}|${this.folded.has(row.id)}|${this.page.seat.id}`;
        return [place.name, place.user?.display, place.unread, place.mentions, place.archived, place.kind, row.thread, place.id === current, this.page.seat.id].join("|");
      },
      create: (row, old) => become(old, this.create(row, current)),
    });
  }

  create(row, current) {
    switch (row.kind) {
      case "section":
        return el(
          "div",
          { class: "tree-section" },
          el("span", { text: row.name }),
          el("button", { type: "button", class: "icon-button small", title: "Message somebody", "aria-label": "Message somebody", on: { click: () => this.page.showPeople() } }, icon("plus")),
        );
      case "open-dm":
        return el(
          "button",
          { type: "button", class: "tree-row", on: { click: () => this.page.openDm(row.person.id) } },
          avatar(row.person.display, null),
          el("span", { class: "tree-name", text: row.person.display }),
        );
      case "guild":
      case "category": {
        const folded = this.folded.has(row.id);
        return el(
          "button",
          { type: "button", class: `tree-${row.kind}`, "aria-expanded": String(!folded), on: { click: () => this.fold(row.id) } },
          icon("chevron"),
          el("span", { text: row.name }),
        );
      }
      default:
        return this.channelRow(row, current);
    }
  }

  channelRow({ channel, thread }, current) {
    const dm = channel.kind === "dm";
    const mentions = dm ? channel.unread : channel.mentions;
    const name = dm ? channel.user?.display ?? "unknown" : channel.name;
    const classes = ["tree-row", thread && "thread", channel.unread && "unread", channel.id === current && "current", channel.archived && "archived"];
    return append(
      el("a", {
        class: classes.filter(Boolean).join(" "),
        href: hrefOf(this.page.seat.id, channel.id),
        "aria-current": channel.id === current ? "page" : null,
        "aria-label": `${dm ? "direct messages with " : thread ? "thread " : ""}${name}${spoken(channel.unread, mentions)}`,
        dataset: { channel: channel.id },
        on: { click: () => this.page.closeDrawer() },
      }),
      [
        dm ? avatar(name, channel.user?.avatar_color) : icon(channelIcon(channel)),
        el("span", { class: "tree-name", text: name }),
        channel.kind === "private_thread" ? icon("lock") : null,
        dm && channel.user?.bot ? el("span", { class: "tag", text: "BOT" }) : null,
        badge(channel.unread, mentions),
      ],
    );
  }

  fold(id) {
    if (!this.folded.delete(id)) this.folded.add(id);
    this.paint();
  }

  /** The channel above or below the open one, for the keyboard. */
  neighbour(step) {
    const ids = this.rows().filter((row) => row.kind === "channel").map((row) => row.id);
    const at = ids.indexOf(this.page.channel?.id);
    return ids[(at + step + ids.length) % ids.length] ?? null;
  }
}
