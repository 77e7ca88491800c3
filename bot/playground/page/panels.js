// Small windows: the people of a server, pinned messages, and short notices.

import { append, avatar, el, iconButton } from "./dom.js";
import { messageView } from "./message/message.js";
import { cssColor } from "./model/values.js";

/** @import { Channel, Guild, Member } from "../seat_api.js" */
/** @import { Page } from "./app.js" */
/** @import { Seat } from "./model/store.js" */

/**
 * Open a titled window; `close()` of the answer shuts it.
 *
 * @param {string} title
 * @param {Node[]} content
 * @param {string} [className]
 */
function openPanel(title, content, className = "") {
  const dialog = el("dialog", { class: `panel ${className}`, "aria-label": title });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  const head = el("header", { class: "modal-head" }, el("h2", { text: title }), iconButton("close", "Close", () => dialog.close()));
  append(dialog, [head, el("div", { class: "panel-body" }, content)]);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Everybody whom the seat can see, by server, with their roles; pressing one opens a direct message.
 *
 * @param {Page} page
 * @param {Seat} seat
 */
export function showPeople(page, seat) {
  const here = seat.guildOf(page.channel);
  const shared = here ? [here] : [...seat.guilds.values()];
  const title = shared.length === 1 ? `People of ${shared[0].name}` : "People";
  const dialog = openPanel(title, shared.flatMap((guild) => guild.members.map((member) => row(guild, member))));

  /**
   * @param {Guild} guild
   * @param {Member} member
   */
  function row(guild, member) {
    const roles = guild.roles.filter((role) => member.roles.includes(role.id)).sort((a, b) => b.position - a.position);
    const me = member.id === seat.id;
    return el(
      "button",
      {
        type: "button",
        class: "person",
        disabled: me,
        title: me ? "This is you" : `Message ${member.display}`,
        on: {
          click: () => {
            dialog.close();
            page.openDm(member.id);
          },
        },
      },
      avatar(member.display, member.avatar_color),
      el("span", { class: "person-name" }, member.display, member.bot ? el("span", { class: "tag", text: "APP" }) : null, me ? el("span", { class: "quiet", text: " (you)" }) : null),
      append(
        el("span", { class: "person-roles" }),
        roles.map((role) => {
          const chip = el("span", { class: "role-chip", text: role.name });
          const color = cssColor(role.color);
          if (color) chip.style.borderColor = color;
          return chip;
        }),
      ),
    );
  }
}

/**
 * The pinned messages of a channel, newest first.
 *
 * @param {Page} page
 * @param {Seat} seat
 * @param {Channel} channel
 */
export async function showPins(page, seat, channel) {
  const { messages } = await seat.api.pins(channel.id);
  const rows = messages.map((message) => {
    const view = messageView(message, { seat, channel, compact: false, failure: null, page });
    view.querySelector(".tools")?.remove();
    const jump = el("button", { type: "button", class: "button secondary small", text: "Jump", on: { click: () => (dialog.close(), page.go(seat.id, channel.id, message.id)) } });
    return el("div", { class: "pin" }, view, jump);
  });
  const dialog = openPanel("Pinned messages", rows.length ? rows : [el("p", { class: "quiet", text: "Nothing is pinned here." })], "wide");
}

/** Notices in the corner; errors stay longer. Pressing one with an action follows it. */
export class Toasts {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
  }

  /**
   * @param {string} words
   * @param {"info" | "error"} [kind]
   * @param {{ title: string, run: () => void } | null} [action]
   */
  show(words, kind = "info", action = null) {
    const node = el(action ? "button" : "div", { type: action ? "button" : null, class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" });
    append(node, [action ? el("b", { text: action.title }) : null, el("span", { text: words })]);
    const gone = () => node.remove();
    const timer = setTimeout(gone, kind === "error" ? 8000 : 5000);
    node.addEventListener("click", () => {
      clearTimeout(timer);
      gone();
      action?.run();
    });
    this.box.append(node);
    while (this.box.children.length > 4) this.box.firstChild?.remove();
  }
}
