// Discord's dialect of Markdown, as a small tree.

/** @import { Id } from "../../seat_api.js" */

/**
 * Text within a line. Times are in seconds.
 *
 * @typedef {{ type: "text" | "code" | "command" | "everyone", text: string }
 *   | { type: "spoiler" | "strong" | "underline" | "strike" | "em", children: Inline[] }
 *   | { type: "link", href: string, children: Inline[] }
 *   | { type: "url", href: string }
 *   | { type: "user" | "role" | "channel", id: Id }
 *   | { type: "emoji", name: string, id: Id }
 *   | { type: "time", seconds: number, style: TimeStyle }} Inline
 */

/** @typedef {"t" | "T" | "d" | "D" | "f" | "F" | "R"} TimeStyle */

/** @typedef {{ type: "list", ordered: boolean, start: number, indent: number, items: { text: string, lists: List[] }[] }} List */

/**
 * @typedef {{ type: "paragraph" | "small", children: Inline[] }
 *   | { type: "heading", level: number, children: Inline[] }
 *   | { type: "quote", children: Block[] }
 *   | { type: "codeblock", language: string, text: string }
 *   | List} Block
 */

const DEEPEST = 12;
const FENCE = /```(?:([a-z0-9_+\-.#]+)\n)?\n*([^]*?)\n*```/iy;
const QUOTED = /^>( |$)/;
const LIST_ITEM = /^( *)([-*]|\d{1,9}\.) +(?=\S)/;

/**
 * Rules for text within a line, tried in order wherever one of their first characters stands. Each makes a node of
 * what it found; `inside` reads what stands between marks.
 *
 * @type {[rule: RegExp, read: (found: string[], inside: (text: string) => Inline[]) => Inline][]}
 */
const INLINE = [
  [/\\([^0-9A-Za-z\s])/y, ([, text]) => ({ type: "text", text })],
  [/(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/y, ([, , text]) => ({ type: "code", text: text.replace(/^ (?=`)|(?<=`) $/g, "") })],
  [/\|\|([^]+?)\|\|/y, ([, text], inside) => ({ type: "spoiler", children: inside(text) })],
  [/\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/y, ([, text], inside) => ({ type: "strong", children: inside(text) })],
  [/__((?:\\[^]|[^\\])+?)__(?!_)/y, ([, text], inside) => ({ type: "underline", children: inside(text) })],
  [/~~((?:\\[^]|[^\\])+?)~~/y, ([, text], inside) => ({ type: "strike", children: inside(text) })],
  [
    /(?<![\p{L}\p{N}_])_((?:__|\\[^]|[^\\_])+?)_(?![\p{L}\p{N}_])|\*(?=\S)((?:\*\*|\\[^]|\s+(?:\\[^]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/uy,
    ([, scored, starred], inside) => ({ type: "em", children: inside(scored ?? starred) }),
  ],
  [
    /\[((?:[^[\]\\]|\\[^])+)\]\(<?(https?:\/\/[^\s<>)]+(?:\([^\s<>)]*\))?)>?(?:\s+"[^"]*")?\)/y,
    ([, text, href], inside) => ({ type: "link", href, children: inside(text) }),
  ],
  [/<(https?:\/\/[^\s>]+)>/y, ([, href]) => ({ type: "url", href })],
  [/https?:\/\/[^\s<]+[^<.,:;"'\])\s|*_~]/y, ([href]) => ({ type: "url", href })],
  [/<@!?(\d+)>/y, ([, id]) => ({ type: "user", id })],
  [/<@&(\d+)>/y, ([, id]) => ({ type: "role", id })],
  [/<#(\d+)>/y, ([, id]) => ({ type: "channel", id })],
  [
    /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y,
    ([, seconds, style]) => ({ type: "time", seconds: Number(seconds), style: /** @type {TimeStyle} */ (style ?? "f") }),
  ],
  [/<\/([-_ \p{L}\p{N}]+):\d+>/uy, ([, path]) => ({ type: "command", text: `/${path}` })],
  [/<a?:([A-Za-z0-9_]{2,32}):(\d+)>/y, ([, name, id]) => ({ type: "emoji", name, id })],
  [/@(everyone|here)\b/y, ([text]) => ({ type: "everyone", text })],
];
const NEXT_SPECIAL = /[\\`|*_~[<@]|https?:/g;

/**
 * Parse text within a paragraph.
 *
 * @param {string} source
 * @param {number} [depth]
 */
export function parseInline(source, depth = 0) {
  /** @type {Inline[]} */
  const nodes = [];
  /** @param {string} text */
  const inside = (text) => parseInline(text, depth + 1);
  let plain = "";
  const flush = () => {
    if (plain) nodes.push({ type: "text", text: plain });
    plain = "";
  };
  let at = 0;
  scan: while (at < source.length) {
    if (depth < DEEPEST) {
      for (const [rule, read] of INLINE) {
        rule.lastIndex = at;
        const found = rule.exec(source);
        if (!found) continue;
        const node = read(found, inside);
        if (node.type === "text") plain += node.text;
        else {
          flush();
          nodes.push(node);
        }
        at += found[0].length;
        continue scan;
      }
    }
    NEXT_SPECIAL.lastIndex = at + 1;
    const next = NEXT_SPECIAL.exec(source);
    const stop = next ? next.index : source.length;
    plain += source.slice(at, stop);
    at = stop;
  }
  flush();
  return nodes;
}

/**
 * Parse a whole message: headings, quotes, lists, code blocks and paragraphs.
 *
 * @param {string} source
 * @param {number} [depth]
 */
export function parse(source, depth = 0) {
  /** @type {Block[]} */
  const blocks = [];
  let at = 0;
  let paragraph = "";
  const flush = () => {
    const text = paragraph.replace(/\n$/, "");
    if (text) blocks.push({ type: "paragraph", children: parseInline(text) });
    paragraph = "";
  };
  /** @param {number} place */
  const lineAt = (place) => {
    const end = source.indexOf("\n", place);
    return end < 0 ? source.slice(place) : source.slice(place, end);
  };
  while (at < source.length) {
    const line = lineAt(at);
    const next = at + line.length + 1;
    const heading = /^(#{1,3}) +(.*\S)/.exec(line);
    const small = /^-# +(.*\S)/.exec(line);
    if (line.startsWith(">>> ") && depth < DEEPEST) {
      flush();
      blocks.push({ type: "quote", children: parse(source.slice(at + 4), depth + 1) });
      return blocks;
    }
    if (QUOTED.test(line) && depth < DEEPEST) {
      flush();
      const lines = [];
      while (at < source.length && QUOTED.test(lineAt(at))) {
        lines.push(lineAt(at).slice(2));
        at += lineAt(at).length + 1;
      }
      blocks.push({ type: "quote", children: parse(lines.join("\n"), depth + 1) });
      continue;
    }
    if (heading || small) {
      flush();
      if (heading) blocks.push({ type: "heading", level: heading[1].length, children: parseInline(heading[2]) });
      else if (small) blocks.push({ type: "small", children: parseInline(small[1]) });
      at = next;
      continue;
    }
    const first = LIST_ITEM.exec(line);
    if (first) {
      flush();
      const lines = [];
      const ordered = isOrdered(first);
      while (at < source.length) {
        const entry = lineAt(at);
        const item = LIST_ITEM.exec(entry);
        // A mark of the other kind begins another list, unless it stands deeper.
        if (item ? item[1].length < 2 && isOrdered(item) !== ordered : !(lines.length && /^ {2,}\S/.test(entry))) break;
        lines.push(entry);
        at += entry.length + 1;
      }
      blocks.push(parseList(first, lines));
      continue;
    }
    const fence = line.indexOf("```");
    if (fence >= 0) {
      FENCE.lastIndex = at + fence;
      const found = FENCE.exec(source);
      if (found && found[2]) {
        paragraph += line.slice(0, fence);
        flush();
        blocks.push({ type: "codeblock", language: found[1] ?? "", text: found[2] });
        at += fence + found[0].length;
        if (source[at] === "\n") at += 1;
        continue;
      }
    }
    paragraph += `${line}\n`;
    at = next;
  }
  flush();
  return blocks;
}

/**
 * Whether the mark of a list's item, found by LIST_ITEM, is a number.
 *
 * @param {string[]} item
 */
function isOrdered([, , mark]) {
  return mark.endsWith(".");
}

/**
 * The beginning of a list, from its first item.
 *
 * @param {string[]} item
 * @returns {List}
 */
function newList(item) {
  const [, spaces, mark] = item;
  const ordered = isOrdered(item);
  return { type: "list", ordered, start: ordered ? Number.parseInt(mark, 10) : 1, indent: spaces.length, items: [] };
}

/**
 * Lines of a list, nested by how far they are indented.
 *
 * @param {string[]} first the item that begins it
 * @param {string[]} lines all of its lines
 */
function parseList(first, lines) {
  const root = newList(first);
  const open = [root];
  let list = root;
  for (const line of lines) {
    const found = LIST_ITEM.exec(line);
    const above = list.items.at(-1);
    if (!found) {
      if (above) above.text += `\n${line.trim()}`;
      continue;
    }
    const indent = found[1].length;
    while (open.length > 1 && indent < list.indent) {
      open.pop();
      list = open[open.length - 1];
    }
    if (indent > list.indent + 1 && open.length < DEEPEST) {
      const nested = newList(found);
      list.items.at(-1)?.lists.push(nested);
      open.push(nested);
      list = nested;
    }
    list.items.push({ text: line.slice(found[0].length), lists: [] });
  }
  return root;
}
