// Choosing from a list: the select menus of messages and modals.

import { append, avatar, customEmoji, el, icon } from "../dom.js";
import { cssColor } from "../model/values.js";

/** @import { Channel, ChannelKind, EntitySelect, EntitySelectField, Id, Person, StringSelect, StringSelectField } from "../../seat_api.js" */
/** @import { IconName } from "../dom.js" */
/** @import { Seat } from "../model/store.js" */

/**
 * Something that can be chosen: `node` makes the picture before it, `mark` is an emoji in its stead.
 *
 * @typedef {{ value: string, label: string, description?: string, mark?: string | null, node?: () => Node }} Choosable
 */

/** @typedef {"user" | "role" | "mentionable" | "channel"} EntityKind */

/**
 * Where a choice is made: a channel, or as much of one as is known.
 *
 * @typedef {{ guild_id: Id | null, user?: Person }} Place
 */

/**
 * What the selects of messages and of forms may name.
 *
 * @type {Record<EntitySelect["type"] | EntitySelectField["kind"], EntityKind>}
 */
const ENTITIES = {
  5: "user",
  6: "role",
  7: "mentionable",
  8: "channel",
  user_select: "user",
  role_select: "role",
  mentionable_select: "mentionable",
  channel_select: "channel",
};

/**
 * What can be chosen in a select, of a message or of a form.
 *
 * @param {StringSelect | EntitySelect | StringSelectField | EntitySelectField} select
 * @param {Seat} seat
 * @param {Place} place
 * @returns {Choosable[]}
 */
export function choicesFor(select, seat, place) {
  if ("options" in select) {
    return select.options.map((option) => {
      const { name, id } = option.emoji ?? {};
      if (name && id) return { ...option, node: () => customEmoji(name, id) };
      return { ...option, mark: name ?? null };
    });
  }
  return entities(ENTITIES["kind" in select ? select.kind : select.type], seat, place, select.channel_types);
}

/** @type {Record<ChannelKind, IconName>} */
const CHANNEL_ICONS = {
  category: "chevron",
  text: "hash",
  voice: "voice",
  announcement: "news",
  thread: "thread",
  private_thread: "thread",
  dm: "at",
};

/**
 * The icon of a channel's kind.
 *
 * @param {Channel} channel
 */
export function channelIcon(channel) {
  return CHANNEL_ICONS[channel.kind];
}

/**
 * Users, roles and channels that can be named in a place.
 *
 * @param {EntityKind} kind
 * @param {Seat} seat
 * @param {Place} channel
 * @param {number[]} [channelTypes] only channels of these types, when there are any
 * @returns {(Choosable & { node: () => Node })[]}
 */
export function entities(kind, seat, channel, channelTypes = []) {
  const guild = seat.guildOf(channel);
  /** @type {(Choosable & { node: () => Node })[]} */
  const found = [];
  if (kind === "user" || kind === "mentionable") {
    for (const person of seat.peopleIn(channel)) {
      found.push({ value: person.id, label: person.display, description: person.name, node: () => avatar(person.display, person.avatar_color) });
    }
  }
  if ((kind === "role" || kind === "mentionable") && guild) {
    for (const role of guild.roles) {
      found.push({ value: role.id, label: `@${role.name.replace(/^@/, "")}`, description: "role", node: () => dot(cssColor(role.color)) });
    }
  }
  if (kind === "channel" && guild) {
    for (const place of guild.channels) {
      if (channelTypes.length && !channelTypes.includes(place.type)) continue;
      found.push({ value: place.id, label: place.name, description: "", node: () => icon(channelIcon(place)) });
    }
  }
  return found;
}

/** @param {string | null} color */
function dot(color) {
  const node = el("span", { class: "role-dot", "aria-hidden": "true" });
  node.style.backgroundColor = color ?? "#99aab5";
  return node;
}

let counter = 0;

/**
 * A select menu: a button that opens a list. `onChange(values)` comes once the choice is made: at once for a
 * single choice, when the list closes for several.
 *
 * @param {object} menu
 * @param {string} [menu.label]
 * @param {string} [menu.placeholder]
 * @param {() => Choosable[]} menu.choices
 * @param {string[]} [menu.chosen]
 * @param {number} [menu.min]
 * @param {number} [menu.max]
 * @param {boolean} [menu.disabled]
 * @param {string} [menu.customId]
 * @param {string} [menu.id]
 * @param {(values: string[]) => void} menu.onChange
 */
export function selectMenu({ label, placeholder, choices, chosen = [], min = 1, max = 1, disabled = false, customId, id, onChange }) {
  const listId = `list-${(counter += 1)}`;
  const single = max === 1;
  let values = [...chosen];
  /** @type {HTMLElement | null} */
  let popup = null;
  /** What was chosen when the list was opened. */
  let before = values;
  const shown = el("span", { class: "select-value" });
  const button = el(
    "button",
    {
      type: "button",
      class: "select",
      id,
      disabled,
      role: "combobox",
      "aria-haspopup": "listbox",
      "aria-expanded": "false",
      "aria-controls": listId,
      "aria-label": label ?? placeholder ?? "Choose",
      dataset: customId ? { customId } : {},
      on: { click: () => void (popup ? close(true) : open()), keydown: keyOnButton },
    },
    shown,
    icon("chevron"),
  );

  function paint() {
    const names = values.map((value) => choices().find((choice) => choice.value === value)?.label ?? value);
    shown.textContent = names.length ? names.join(", ") : placeholder || "Make a selection";
    shown.classList.toggle("empty", !names.length);
  }

  /** @param {KeyboardEvent} event */
  function keyOnButton(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!popup) open();
    }
  }

  function open() {
    before = [...values];
    const all = choices();
    const filter = el("input", { class: "filter", type: "text", placeholder: "Search", "aria-label": "Search", autocomplete: "off", on: { input: () => list() } });
    const listbox = el("div", { class: "options", role: "listbox", id: listId, tabindex: "-1", "aria-multiselectable": String(!single) });
    const count = el("div", { class: "select-count", "aria-live": "polite" });
    const done = el("button", { type: "button", class: "button primary small", text: "Done", on: { click: () => close(true) } });
    popup = el("div", { class: "popup select-popup", on: { keydown } });
    append(popup, [all.length > 8 && filter, listbox, !single && el("div", { class: "select-foot" }, count, done)]);
    // Inside a modal dialog only what the dialog holds can be reached.
    (button.closest("dialog") ?? document.body).append(popup);
    button.setAttribute("aria-expanded", "true");
    list();
    place();
    /** @type {HTMLElement | null} */
    const first = listbox.querySelector('[aria-selected="true"]') ?? (all.length > 8 ? filter : listbox.querySelector("*"));
    first?.focus();
    addEventListener("pointerdown", outside, true);
    addEventListener("resize", place);

    function list() {
      const wanted = filter.value.trim().toLowerCase();
      const fit = all.filter((choice) => `${choice.label} ${choice.description ?? ""}`.toLowerCase().includes(wanted));
      listbox.replaceChildren(...fit.map((choice) => row(choice)));
      if (!fit.length) listbox.append(el("div", { class: "nothing", text: "Nothing fits" }));
      tell();
    }

    /** @param {Choosable} choice */
    function row(choice) {
      const node = el(
        "div",
        { class: "option", role: "option", tabindex: "-1", dataset: { value: choice.value }, "aria-selected": String(values.includes(choice.value)), on: { click: () => void pick(choice, node) } },
        choice.node ? choice.node() : choice.mark ? el("span", { class: "option-mark", text: choice.mark }) : null,
        el("span", { class: "option-text" }, el("span", { class: "option-label", text: choice.label }), choice.description ? el("span", { class: "option-detail", text: choice.description }) : null),
        single ? null : el("span", { class: "tick", "aria-hidden": "true" }),
      );
      return node;
    }

    /**
     * @param {Choosable} choice
     * @param {HTMLElement} node
     */
    function pick(choice, node) {
      if (single) {
        values = min === 0 && values[0] === choice.value ? [] : [choice.value];
        close(true, true);
        return;
      }
      if (values.includes(choice.value)) values = values.filter((value) => value !== choice.value);
      else if (values.length < max) values = [...values, choice.value];
      node.setAttribute("aria-selected", String(values.includes(choice.value)));
      tell();
    }

    function tell() {
      count.textContent = `${values.length} chosen; ${min === max ? `choose ${max}` : `choose ${min} to ${max}`}`;
      done.disabled = values.length < min;
    }

    /** @param {KeyboardEvent} event */
    function keydown(event) {
      const rows = [.../** @type {NodeListOf<HTMLElement>} */ (listbox.querySelectorAll(".option"))];
      const at = rows.findIndex((node) => node === document.activeElement);
      /** @param {number} index */
      const go = (index) => {
        event.preventDefault();
        rows.at(Math.max(0, Math.min(index, rows.length - 1)))?.focus();
      };
      if (event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        close(false);
      } else if (event.key === "ArrowDown") go(at + 1);
      else if (event.key === "ArrowUp") go(at - 1);
      else if (event.key === "Home" && at >= 0) go(0);
      else if (event.key === "End" && at >= 0) go(rows.length - 1);
      else if ((event.key === "Enter" || event.key === " ") && at >= 0) {
        event.preventDefault();
        rows[at].click();
      } else if (event.key === "Enter" && document.activeElement === filter && rows.length) {
        event.preventDefault();
        rows[0].click();
      } else if (event.key === "Tab") close(true);
    }
  }

  function place() {
    if (!popup) return;
    const box = button.getBoundingClientRect();
    const below = innerHeight - box.bottom - 12;
    const above = box.top - 12;
    const room = Math.max(140, Math.min(360, Math.max(below, above)));
    popup.style.width = `${Math.max(box.width, Math.min(260, innerWidth - 16))}px`;
    popup.style.maxHeight = `${room}px`;
    popup.style.left = `${Math.max(8, Math.min(box.left, innerWidth - popup.offsetWidth - 8))}px`;
    const height = Math.min(popup.scrollHeight, room);
    popup.style.top = below >= height || below >= above ? `${box.bottom + 4}px` : `${box.top - height - 4}px`;
  }

  /** @param {PointerEvent} event */
  function outside({ target }) {
    if (target instanceof Node && !popup?.contains(target) && !button.contains(target)) close(true);
  }

  /**
   * @param {boolean} keep whether what is chosen now holds; else what was chosen before
   * @param {boolean} [always] tell of the choice even when it is the same as before
   */
  function close(keep, always = false) {
    if (!popup) return;
    popup.remove();
    popup = null;
    removeEventListener("pointerdown", outside, true);
    removeEventListener("resize", place);
    button.setAttribute("aria-expanded", "false");
    button.focus();
    if (!keep || values.length < min) values = before;
    paint();
    const same = before.length === values.length && before.every((value) => values.includes(value));
    if (keep && (always || !same)) onChange([...values]);
  }

  paint();
  return button;
}
