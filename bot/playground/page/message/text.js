// The text of a message: Markdown and times as nodes of the page.

import { customEmoji } from "../dom.js";
import { parse, parseInline } from "../model/markdown.js";

/** @import { Block, Inline, List, TimeStyle } from "../model/markdown.js" */
/** @import { Names } from "../model/names.js" */

/** @type {Record<"strong" | "em" | "underline" | "strike", keyof HTMLElementTagNameMap>} */
const TAGS = { strong: "strong", em: "em", underline: "u", strike: "s" };

/**
 * Nodes for a message's text; `names` say what mentions mean to the reader.
 *
 * @param {string} source
 * @param {Names} names
 */
export function render(source, names) {
  const box = document.createDocumentFragment();
  for (const block of parse(source)) box.append(renderBlock(block, names));
  return box;
}

/**
 * The same for one line of text, such as a field's name.
 *
 * @param {string} source
 * @param {Names} names
 */
export function renderInline(source, names) {
  const box = document.createDocumentFragment();
  box.append(...inline(parseInline(source), names));
  return box;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/**
 * @param {Inline[]} nodes
 * @param {Names} names
 */
function inline(nodes, names) {
  return nodes.map((node) => renderNode(node, names));
}

/** Headings of a message stand below the page's own, hence the shift. */
const HEADINGS = /** @type {const} */ (["h3", "h4", "h5"]);

/**
 * @param {Block} block
 * @param {Names} names
 * @returns {HTMLElement}
 */
function renderBlock(block, names) {
  switch (block.type) {
    case "quote":
      return make("blockquote", "", ...block.children.map((inner) => renderBlock(inner, names)));
    case "heading":
      return make(HEADINGS[block.level - 1], `md-h${block.level}`, ...inline(block.children, names));
    case "small":
      return make("p", "md-small", ...inline(block.children, names));
    case "codeblock": {
      const pre = make("pre", "codeblock", make("code", "", block.text));
      pre.tabIndex = 0;
      if (block.language) pre.dataset.language = block.language;
      return pre;
    }
    case "list":
      return renderList(block, names);
    default:
      return make("p", "", ...inline(block.children, names));
  }
}

/**
 * @param {List} block
 * @param {Names} names
 * @returns {HTMLElement}
 */
function renderList(block, names) {
  const rows = block.items.map((item) =>
    make("li", "", ...inline(parseInline(item.text), names), ...item.lists.map((inner) => renderList(inner, names))),
  );
  if (!block.ordered) return make("ul", "", ...rows);
  const list = make("ol", "", ...rows);
  if (block.start !== 1) list.start = block.start;
  return list;
}

/**
 * @param {Inline} node
 * @param {Names} names
 * @returns {Node}
 */
function renderNode(node, names) {
  switch (node.type) {
    case "text":
      return document.createTextNode(node.text);
    case "code":
      return make("code", "", node.text);
    case "command":
      return make("span", "mention", node.text);
    case "everyone":
      return make("span", "mention mine", node.text);
    case "link":
    case "url":
      return renderLink(node, names);
    case "user":
      return make("span", names.mine("user", node.id) ? "mention mine" : "mention", `@${names.user(node.id)}`);
    case "role": {
      const role = names.role(node.id);
      const span = make("span", names.mine("role", node.id) ? "mention mine" : "mention", `@${role.name}`);
      if (role.color) span.style.color = role.color;
      return span;
    }
    case "channel": {
      const channel = names.channel(node.id);
      if (!channel?.href) return make("span", "mention", channel ? `#${channel.name}` : "#no access");
      const link = make("a", "mention", `#${channel.name}`);
      link.href = channel.href;
      return link;
    }
    case "emoji":
      return customEmoji(node.name, node.id);
    case "time":
      return renderTime(node);
    case "spoiler":
      return renderSpoiler(inline(node.children, names));
    default:
      return make(TAGS[node.type], "", ...inline(node.children, names));
  }
}

/**
 * @param {Extract<Inline, { href: string }>} node
 * @param {Names} names
 */
function renderLink(node, names) {
  const link = make("a", "");
  const inside = names.jump(node.href);
  if (node.type === "link") link.append(...inline(node.children, names));
  else link.textContent = inside?.label ?? node.href;
  if (inside) {
    link.href = inside.href;
    if (node.type === "url") link.className = "mention";
  } else {
    link.href = node.href;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    if (node.type === "link") link.title = node.href;
  }
  return link;
}

/** @param {Node[]} content */
function renderSpoiler(content) {
  const hidden = make("span", "spoiler-text", ...content);
  const box = make("span", "spoiler", hidden);
  box.tabIndex = 0;
  /** @param {boolean} shown */
  const set = (shown) => {
    box.classList.toggle("shown", shown);
    hidden.inert = !shown;
    box.setAttribute("aria-label", shown ? "Spoiler" : "Hidden spoiler: press to show");
    box.setAttribute("role", shown ? "group" : "button");
  };
  set(false);
  box.addEventListener("click", (event) => {
    if (box.classList.contains("shown")) return;
    event.preventDefault();
    set(true);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      set(!box.classList.contains("shown"));
    }
  });
  return box;
}

// --- times -----------------------------------------------------------------------------------------------------

/** @type {Record<Exclude<TimeStyle, "R">, Intl.DateTimeFormatOptions>} */
const FORMATS = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
/** @type {[unit: Intl.RelativeTimeFormatUnit, seconds: number][]} */
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/**
 * "in 3 hours", "2 days ago"; both times in seconds.
 *
 * @param {number} seconds
 * @param {number} [now]
 */
export function relativeTime(seconds, now = Date.now() / 1000) {
  const distance = Math.round(seconds - now);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? ["second", 1];
  return relative.format(Math.round(distance / size), unit);
}

/**
 * A moment in one of Discord's styles.
 *
 * @param {number} seconds
 * @param {TimeStyle} style
 */
export function formatTime(seconds, style) {
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return "an impossible time";
  return style === "R" ? relativeTime(seconds) : moment.toLocaleString([], FORMATS[style]);
}

/** @param {Extract<Inline, { type: "time" }>} node */
function renderTime({ seconds, style }) {
  const moment = new Date(seconds * 1000);
  const node = make("time", "timestamp", formatTime(seconds, style));
  if (!Number.isNaN(moment.getTime())) {
    node.dateTime = moment.toISOString();
    node.title = formatTime(seconds, "F");
  }
  if (style === "R") node.dataset.relative = String(seconds);
  return node;
}

/**
 * Bring every relative time under `root` up to date.
 *
 * @param {ParentNode} root
 */
export function refreshTimes(root) {
  for (const node of /** @type {NodeListOf<HTMLTimeElement>} */ (root.querySelectorAll("time[data-relative]"))) {
    const words = relativeTime(Number(node.dataset.relative));
    if (node.textContent !== words) node.textContent = words;
  }
}
