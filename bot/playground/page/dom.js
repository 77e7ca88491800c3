// Building and updating the page without ever parsing text as HTML.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make an element. `props` may hold `class`, `text`, `on` (listeners), `dataset`, boolean and text attributes,
 * and `value`, which is set as a property. Absent children (null, false) are left out; strings become text nodes.
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.className = value;
    else if (name === "text") node.textContent = value;
    else if (name === "on") for (const [event, run] of Object.entries(value)) node.addEventListener(event, run);
    else if (name === "dataset") Object.assign(node.dataset, value);
    else if (name === "value") node.value = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  append(node, children);
  return node;
}

/** Append children, leaving out absent ones. */
export function append(node, children) {
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
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

/** A line icon, hidden from screen readers: whatever holds it carries the label. */
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

/** A round avatar with the first letter of a name on the person's colour. */
export function avatar(name, color) {
  const node = el("span", { class: "avatar", "aria-hidden": "true", text: [...(name || "?")][0].toUpperCase() });
  node.style.backgroundColor = /^#[0-9a-f]{6}$/i.test(color ?? "") ? color : "#5865f2";
  return node;
}

/** A button that shows only an icon. */
export function iconButton(name, label, run, extra = {}) {
  return el("button", { type: "button", class: "icon-button", title: label, "aria-label": label, on: { click: run }, ...extra }, icon(name));
}

/**
 * Make the children of `parent` show `items` in order, touching only what changed. `key` names an item,
 * `stamp` tells whether its node is still right (any value, compared with ===), `create` makes the node.
 */
export function reconcile(parent, items, { key, stamp, create }) {
  const old = parent.keyed ?? new Map();
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
  parent.keyed = next;
}

/**
 * Make `old` look like `fresh` and keep it, so that a press that has begun on it, and the focus, are not lost.
 * Its listeners stay: they must not depend on what changed.
 */
export function become(old, fresh) {
  if (!old || old.tagName !== fresh.tagName) return fresh;
  for (const name of old.getAttributeNames()) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  old.replaceChildren(...fresh.childNodes);
  return old;
}

/** "1.4 MB" */
export function fileSize(bytes) {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** Snowflakes are too long for numbers: compare by length, then by digits. */
export function compareIds(a, b) {
  if (a.length !== b.length) return a.length - b.length;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A colour of Discord (an integer) as CSS, or null for "none". */
export function cssColor(number) {
  return number ? `#${Number(number).toString(16).padStart(6, "0").slice(-6)}` : null;
}

/**
 * The path under which a file of the playground can be shown, or null when the address lies elsewhere (the page
 * loads nothing from other hosts; such a file is offered as a link).
 */
export function localPath(address) {
  try {
    const url = new URL(address, location.href);
    const loopback = ["localhost", "127.0.0.1", "[::1]", location.hostname].includes(url.hostname);
    return loopback && url.pathname.startsWith("/cdn/") ? url.pathname + url.search : null;
  } catch {
    return null;
  }
}

/** The address if it is an ordinary web address, else null. */
export function webAddress(address) {
  try {
    const url = new URL(address);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}
