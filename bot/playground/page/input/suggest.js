// The list of suggestions above the message box: commands, choices, people, channels.

import { append, el } from "../dom.js";

/**
 * A row of the list: `node` makes the picture before it, `side` stands at its end.
 *
 * @typedef {{ label: string, detail?: string, side?: string, node?: () => Node }} Suggestion
 */

export class Suggestions {
  /** @param {HTMLElement} host where the list stands */
  constructor(host) {
    this.host = host;
    this.title = el("div", { class: "suggest-title" });
    this.list = el("div", { class: "suggest-list", role: "listbox", id: "suggestions", "aria-label": "Suggestions" });
    this.box = el("div", { class: "suggest", hidden: true }, this.title, this.list);
    host.append(this.box);
    /** @type {(() => void)[]} */
    this.picks = [];
    this.at = 0;
    /** @type {HTMLElement | null} */
    this.input = null;
  }

  get open() {
    return !this.box.hidden;
  }

  /**
   * Show `items` for `input`; `onPick` is called with the chosen one. `note` is said when there is nothing to choose;
   * `first` is the row that is marked, -1 for none.
   *
   * @template {Suggestion} Item
   * @param {HTMLElement} input
   * @param {string} title
   * @param {Item[]} items
   * @param {(item: Item) => void} onPick
   * @param {{ note?: string | null, first?: number }} [more]
   */
  show(input, title, items, onPick, { note = null, first = 0 } = {}) {
    if (this.input && this.input !== input) this.detach();
    this.input = input;
    this.picks = items.map((item) => () => onPick(item));
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

  /**
   * @param {number} to
   * @param {boolean} [exact] whether `to` is a row, or may lie beyond the end and go round
   */
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
      this.input?.setAttribute("aria-activedescendant", `suggestion-${this.at}`);
    } else this.input?.removeAttribute("aria-activedescendant");
  }

  /** @param {number} index */
  pick(index) {
    this.picks[index]?.();
  }

  hide() {
    this.box.hidden = true;
    this.picks = [];
    this.detach();
  }

  detach() {
    this.input?.setAttribute("aria-expanded", "false");
    this.input?.removeAttribute("aria-activedescendant");
  }

  /**
   * Handle a key of the input; true when it was used up. Enter is used only when a row is marked.
   *
   * @param {KeyboardEvent} event
   */
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
