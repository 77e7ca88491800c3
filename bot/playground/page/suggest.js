// The list of suggestions above the message box: commands, choices, people, channels.

import { append, el } from "./dom.js";

export class Suggestions {
  /** `host` is where the list stands; `label` names it for screen readers. */
  constructor(host) {
    this.host = host;
    this.title = el("div", { class: "suggest-title" });
    this.list = el("div", { class: "suggest-list", role: "listbox", id: "suggestions", "aria-label": "Suggestions" });
    this.box = el("div", { class: "suggest", hidden: true }, this.title, this.list);
    host.append(this.box);
    this.items = [];
    this.at = 0;
    this.input = null;
    this.onPick = null;
  }

  get open() {
    return !this.box.hidden;
  }

  /**
   * Show `items` (`{label, detail, side, node}`) for `input`; `onPick(item)` is called with the chosen one.
   * `note` is said when there is nothing to choose; `first` is the row that is marked, -1 for none.
   */
  show(input, title, items, onPick, { note = null, first = 0 } = {}) {
    if (this.input && this.input !== input) this.detach();
    Object.assign(this, { input, items, onPick });
    this.title.textContent = title;
    this.list.replaceChildren(
      ...items.map((item, index) =>
        el(
          "div",
          {
            class: "suggestion",
            role: "option",
            id: `suggestion-${index}`,
            "aria-selected": "false",
            on: {
              // The pointer must not take the focus from the input.
              pointerdown: (event) => event.preventDefault(),
              click: () => this.pick(index),
            },
          },
          item.node ? item.node() : null,
          append(el("span", { class: "suggestion-text" }), [el("span", { class: "suggestion-label", text: item.label }), item.detail ? el("span", { class: "suggestion-detail", text: item.detail }) : null]),
          item.side ? el("span", { class: "suggestion-side", text: item.side }) : null,
        ),
      ),
    );
    if (!items.length && note) this.list.append(el("div", { class: "nothing", text: note }));
    this.box.hidden = !items.length && !note;
    input.setAttribute("aria-expanded", String(this.open));
    input.setAttribute("aria-controls", "suggestions");
    this.move(first, true);
  }

  move(to, exact = false) {
    const rows = this.list.querySelectorAll(".suggestion");
    if (!rows.length) {
      this.at = -1;
      return;
    }
    this.at = exact ? to : (to + rows.length) % rows.length;
    rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === this.at)));
    if (this.at >= 0) {
      rows[this.at].scrollIntoView({ block: "nearest" });
      this.input.setAttribute("aria-activedescendant", `suggestion-${this.at}`);
    } else this.input.removeAttribute("aria-activedescendant");
  }

  pick(index) {
    const item = this.items[index];
    if (item) this.onPick(item);
  }

  hide() {
    this.box.hidden = true;
    this.items = [];
    this.detach();
  }

  detach() {
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
  }

  /** Handle a key of the input; true when it was used up. Enter is used only when a row is marked. */
  key(event) {
    if (!this.open) return false;
    switch (event.key) {
      case "ArrowDown":
        this.move(this.at + 1);
        break;
      case "ArrowUp":
        this.move(this.at < 0 ? -1 : this.at - 1);
        break;
      case "Enter":
      case "Tab":
        if (event.shiftKey || this.at < 0) return false;
        this.pick(this.at);
        break;
      case "Escape":
        this.hide();
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}
