// The seats along the top, and the tree of servers, channels and direct messages.

import { append, avatar, become, el, icon, reconcile } from "./dom.js";
import { channelIcon } from "./input/picker.js";
import { hrefOf } from "./model/names.js";
import { treeRows } from "./model/rows.js";

/** @import { Id } from "../seat_api.js" */
/** @import { Page } from "./app.js" */
/** @import { TreeRow } from "./model/rows.js" */
/** @import { Seat } from "./model/store.js" */

/**
 * @param {number} unread
 * @param {number} mentions
 */
function badge(unread, mentions) {
  if (mentions) return el("span", { class: "badge", text: mentions > 99 ? "99+" : String(mentions), "aria-hidden": "true" });
  return unread ? el("span", { class: "dot", "aria-hidden": "true" }) : null;
}

/**
 * @param {number} unread
 * @param {number} mentions
 */
function spoken(unread, mentions) {
  if (mentions) return `, ${mentions} for you`;
  return unread ? `, ${unread} unread` : "";
}

const STEPS = new Map([
  ["ArrowRight", 1],
  ["ArrowDown", 1],
  ["ArrowLeft", -1],
  ["ArrowUp", -1],
]);

/** The switcher: one button for each seat, always in sight. */
export class SeatBar {
  /**
   * @param {Page} page
   * @param {HTMLElement} box
   */
  constructor(page, box) {
    this.page = page;
    this.box = box;
    /** @type {Seat | null} */
    this.shown = null;
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

  /**
   * @param {KeyboardEvent} event
   * @param {number} index
   */
  key(event, index) {
    const step = STEPS.get(event.key);
    if (!step) return;
    event.preventDefault();
    const ids = [...this.page.seats.keys()];
    const id = ids[(index + step + ids.length) % ids.length];
    this.page.takeSeat(id);
    /** @type {HTMLElement | null} */
    const button = this.box.querySelector(`[data-seat="${id}"]`);
    button?.focus();
  }
}

/** The channels of the current seat. */
export class Tree {
  /**
   * @param {Page} page
   * @param {HTMLElement} box
   */
  constructor(page, box) {
    this.page = page;
    this.box = box;
    /** @type {Set<Id>} */
    this.folded = new Set();
  }

  /** @param {Seat} seat */
  rows(seat) {
    return treeRows(seat, this.folded, this.page.channel?.id);
  }

  paint() {
    const { seat } = this.page;
    if (!seat?.state) return;
    const current = this.page.channel?.id;
    reconcile(this.box, this.rows(seat), {
      key: (row) => row.id,
      stamp: (row) => {
        if (row.kind === "open-dm") return `${row.kind}|${seat.id}`;
        if (row.kind !== "channel") return `${row.kind}|${row.name}|${this.folded.has(row.id)}|${seat.id}`;
        const { channel, thread } = row;
        const { name, user, unread, mentions, archived, kind } = channel;
        return [name, user?.display, unread, mentions, archived, kind, thread, channel.id === current, seat.id].join("|");
      },
      create: (row, old) => become(old, this.create(seat, row, current)),
    });
  }

  /**
   * @param {Seat} seat
   * @param {TreeRow} row
   * @param {Id | undefined} current
   */
  create(seat, row, current) {
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
        return this.channelRow(seat, row, current);
    }
  }

  /**
   * @param {Seat} seat
   * @param {Extract<TreeRow, { kind: "channel" }>} row
   * @param {Id | undefined} current
   */
  channelRow(seat, { channel, thread }, current) {
    const dm = channel.kind === "dm";
    const mentions = dm ? channel.unread : channel.mentions;
    const name = dm ? channel.user?.display ?? "unknown" : channel.name;
    const classes = ["tree-row", thread && "thread", channel.unread && "unread", channel.id === current && "current", channel.archived && "archived"];
    return append(
      el("a", {
        class: classes.filter(Boolean).join(" "),
        href: hrefOf(seat.id, channel.id),
        "aria-current": channel.id === current ? "page" : null,
        "aria-label": `${dm ? "direct messages with " : thread ? "thread " : ""}${name}${spoken(channel.unread, mentions)}`,
        dataset: { channel: channel.id },
        on: { click: () => this.page.closeDrawer() },
      }),
      [
        dm ? avatar(name, channel.user?.avatar_color) : icon(channelIcon(channel)),
        el("span", { class: "tree-name", text: name }),
        channel.kind === "private_thread" ? icon("lock") : null,
        dm && channel.user?.bot ? el("span", { class: "tag", text: "APP" }) : null,
        badge(channel.unread, mentions),
      ],
    );
  }

  /** @param {Id} id */
  fold(id) {
    if (!this.folded.delete(id)) this.folded.add(id);
    this.paint();
  }

  /**
   * The channel above or below the open one, for the keyboard.
   *
   * @param {Seat} seat
   * @param {1 | -1} step
   */
  neighbour(seat, step) {
    const ids = this.rows(seat).filter((row) => row.kind === "channel").map((row) => row.id);
    const at = ids.indexOf(this.page.channel?.id ?? "");
    return ids[(at + step + ids.length) % ids.length] ?? null;
  }
}
