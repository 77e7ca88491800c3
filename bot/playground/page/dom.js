// Building and updating the page without ever parsing text as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child */

/** @typedef {{ [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => unknown }} Listeners */

/**
 * What an element is made with: boolean and text attributes by name, absent where null, undefined or false, and some
 * that are no attributes. `value` is set as a property.
 *
 * @typedef {{ class?: string, text?: string, value?: string, on?: Listeners, dataset?: Record<string, string>, [attribute: string]: unknown }} Props
 */

/**
 * Make an element. Absent children are left out; strings become text nodes.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, { class: className, text, value, on = {}, dataset = {}, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  if (className !== undefined) node.className = className;
  for (const [name, set] of Object.entries(attributes)) {
    if (set !== null && set !== undefined && set !== false) node.setAttribute(name, set === true ? "" : String(set));
  }
  // After its attributes, for an input's type decides what becomes of its value.
  if (value !== undefined && "value" in node) node.value = value;
  if (text !== undefined) node.textContent = text;
  Object.assign(node.dataset, dataset);
  for (const [event, run] of Object.entries(on)) node.addEventListener(event, /** @type {EventListener} */ (run));
  append(node, children);
  return node;
}

/**
 * Append children, leaving out absent ones.
 *
 * @template {Node & ParentNode} Parent
 * @param {Parent} node
 * @param {(Child | Child[])[]} children
 */
export function append(node, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/**
 * An emoji of the application, as high as a line; where its picture is not there its name stands.
 *
 * @param {string} name
 * @param {string} id
 */
export function customEmoji(name, id) {
  return el("img", { class: "emoji", src: `/cdn/emojis/${encodeURIComponent(id)}.png`, alt: `:${name}:`, title: `:${name}:`, draggable: "false" });
}

const PATHS = {
  hash: "M9 4 7 20M17 4l-2 16M4 9h17M3 15h17",
  thread: "M5 5h14v10H10l-5 4z",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5z",
  voice: "M4 10v4h3l5 4V6L7 10zM16 9a4 4 0 0 1 0 6",
  news: "M4 10v4l12 5V5zM16 9a3 3 0 0 1 0 6M7 15v4h3",
  at: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM16 12v2a2.5 2.5 0 0 0 5 0v-2a9 9 0 1 0-4 7.5",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  people: "M12 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zM2 20c0-4 3-6 6.500-6s6.500 2 6.500 6M16 5a3.500 3.500 0 0 1 0 6.500M18 14.500c2.500.800 4 2.700 4 5.500",
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  send: "M4 12 20 4l-5 16-4-7z",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  open: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  reply: "M10 6 4 12l6 6M4 12h9c4 0 7 2 7 6",
  edit: "M4 20h4L20 8l-4-4L4 16zM14 6l4 4",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  chevron: "M8 10l4 4 4-4",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  slash: "M16 4 8 20",
};

/** @typedef {keyof typeof PATHS} IconName */

/**
 * A line icon, hidden from screen readers: whatever holds it carries the label.
 *
 * @param {IconName} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/**
 * A round avatar with the first letter of a name on the person's colour.
 *
 * @param {string} name
 * @param {string | null | undefined} color
 */
export function avatar(name, color) {
  const [letter = "?"] = name;
  const node = el("span", { class: "avatar", "aria-hidden": "true", text: letter.toUpperCase() });
  node.style.backgroundColor = color && /^#[0-9a-f]{6}$/i.test(color) ? color : "#5865f2";
  return node;
}

/**
 * A button that shows only an icon.
 *
 * @param {IconName} name
 * @param {string} label
 * @param {() => unknown} run
 */
export function iconButton(name, label, run) {
  return el("button", { type: "button", class: "icon-button", title: label, "aria-label": label, on: { click: run } }, icon(name));
}

/**
 * What `reconcile` last showed in an element: the mark and the node of each item, by the item's key.
 *
 * @type {WeakMap<Element, Map<string, { mark: unknown, node: Element }>>}
 */
const shown = new WeakMap();

/**
 * Empty an element that `reconcile` filled.
 *
 * @param {Element} parent
 */
export function clear(parent) {
  parent.replaceChildren();
  shown.delete(parent);
}

/**
 * Make the children of `parent` show `items` in order, touching only what changed. `key` names an item,
 * `stamp` tells whether its node is still right (any value, compared with ===), `create` makes the node.
 *
 * @template Item
 * @param {Element} parent
 * @param {Item[]} items
 * @param {{ key: (item: Item) => string, stamp: (item: Item) => unknown, create: (item: Item, old: Element | null) => Element }} how
 */
export function reconcile(parent, items, { key, stamp, create }) {
  const old = shown.get(parent) ?? new Map();
  /** @type {Map<string, { mark: unknown, node: Element }>} */
  const next = new Map();
  for (const item of items) {
    const name = key(item);
    const mark = stamp(item);
    const known = old.get(name);
    next.set(name, known && known.mark === mark ? known : { mark, node: create(item, known?.node ?? null) });
  }
  for (const [name, entry] of old) if (next.get(name)?.node !== entry.node) entry.node.remove();
  let place = parent.firstChild;
  for (const { node } of next.values()) {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  }
  shown.set(parent, next);
}

/**
 * Make `old` look like `fresh` and keep it, so that a press that has begun on it, and the focus, are not lost.
 * Its listeners stay: they must not depend on what changed.
 *
 * @param {Element | null} old
 * @param {Element} fresh
 */
export function become(old, fresh) {
  if (!old || old.tagName !== fresh.tagName) return fresh;
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name) ?? "";
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  old.replaceChildren(...fresh.childNodes);
  return old;
}
