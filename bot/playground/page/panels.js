// Small windows: the people of a server, pinned messages, and short notices.

import { append, avatar, cssColor, el, iconButton } from "./dom.js";
import { messageView } from "./message.js";

/** Open a titled window; `close()` of the answer shuts it. */
function openPanel(title, content, className = "") {
  const dialog = el("dialog", { class: `panel ${className}`, "aria-label": title, on: { close: () => dialog.remove(), click: (event) => event.target === dialog && dialog.close() } });
  append(dialog, [el("header", { class: "modal-head" }, el("h2", { text: title }), iconButton("close", "Close", () => dialog.close())), append(el("div", { class: "panel-body" }), [content])]);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Everybody whom the seat can see, by server, with their roles; pressing one opens a direct message. */
export function showPeople(page) {
  const { seat } = page;
  const shared = page.channel?.guild_id ? [seat.guildOf(page.channel)] : seat.state.guilds;
  const dialog = openPanel(shared.length === 1 ? `People of ${shared[0].name}` : "People", shared.flatMap((guild) => guild.members.map((member) => row(guild, member))));

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
      el("span", { class: "person-name" }, member.display, member.bot ? el("span", { class: "tag", text: "BOT" }) : null, me ? el("span", { class: "quiet", text: " (you)" }) : null),
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

/** The pinned messages of the open channel, newest first. */
export async function showPins(page) {
  const { seat, channel } = page;
  const { messages } = await seat.api.pins(channel.id);
  const rows = messages.map((message) => {
    const view = messageView(message, { seat, channel, compact: false, failure: null, page });
    view.querySelector(".tools")?.remove();
    const jump = el("button", { type: "button", class: "button secondary small", text: "Jump", on: { click: () => (dialog.close(), page.go(seat.id, channel.id, message.id)) } });
    return el("div", { class: "pin" }, view, jump);
  });
  const dialog = openPanel("Pinned messages", rows.length ? rows : el("p", { class: "quiet", text: "Nothing is pinned here." }), "wide");
}

/** Notices in the corner; errors stay longer. Pressing one with an action follows it. */
export class Toasts {
  constructor(box) {
    this.box = box;
  }

  show(words, kind = "info", action = null) {
    const node = el(action ? "button" : "div", { type: action ? "button" : null, class: `toast ${kind}`, role: kind === "error" ? "alert" : "status" });
    append(node, [action?.title ? el("b", { text: action.title }) : null, el("span", { text: words })]);
    const gone = () => node.remove();
    const timer = setTimeout(gone, kind === "error" ? 8000 : 5000);
    node.addEventListener("click", () => {
      clearTimeout(timer);
      gone();
      action?.run();
    });
    this.box.append(node);
    while (this.box.children.length > 4) this.box.firstChild.remove();
  }
}
