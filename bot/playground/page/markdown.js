// Discord's dialect of Markdown: text to a small tree (parse), and the tree to nodes of the page (render).

const DEEPEST = 12;
const FENCE = /```(?:([a-z0-9_+\-.#]+)\n)?\n*([^]*?)\n*```/iy;
const QUOTED = /^>( |$)/;
const LIST_ITEM = /^( *)([-*]|\d{1,9}\.) +(?=\S)/;

/** Rules for text within a line, tried in order wherever one of their first characters stands. */
const INLINE = [
  ["text", /\\([^0-9A-Za-z\s])/y, (m) => ({ text: m[1] })],
  ["code", /(?<!`)(`+)(?!`)([^]*?[^`])\1(?!`)/y, (m) => ({ text: m[2].replace(/^ (?=`)|(?<=`) $/g, "") })],
  ["spoiler", /\|\|([^]+?)\|\|/y, (m) => ({ inner: m[1] })],
  ["strong", /\*\*((?:\\[^]|[^\\])+?)\*\*(?!\*)/y, (m) => ({ inner: m[1] })],
  ["underline", /__((?:\\[^]|[^\\])+?)__(?!_)/y, (m) => ({ inner: m[1] })],
  ["strike", /~~((?:\\[^]|[^\\])+?)~~/y, (m) => ({ inner: m[1] })],
  [
    "em",
    /(?<![\p{L}\p{N}_])_((?:__|\\[^]|[^\\_])+?)_(?![\p{L}\p{N}_])|\*(?=\S)((?:\*\*|\\[^]|\s+(?:\\[^]|[^\s*\\]|\*\*)|[^\s*\\])+?)\*(?!\*)/uy,
    (m) => ({ inner: m[1] ?? m[2] }),
  ],
  ["link", /\[((?:[^[\]\\]|\\[^])+)\]\(<?(https?:\/\/[^\s<>)]+(?:\([^\s<>)]*\))?)>?(?:\s+"[^"]*")?\)/y, (m) => ({ inner: m[1], href: m[2] })],
  ["url", /<(https?:\/\/[^\s>]+)>/y, (m) => ({ href: m[1] })],
  ["url", /https?:\/\/[^\s<]+[^<.,:;"'\])\s|*_~]/y, (m) => ({ href: m[0] })],
  ["user", /<@!?(\d+)>/y, (m) => ({ id: m[1] })],
  ["role", /<@&(\d+)>/y, (m) => ({ id: m[1] })],
  ["channel", /<#(\d+)>/y, (m) => ({ id: m[1] })],
  ["time", /<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (m) => ({ seconds: Number(m[1]), style: m[2] ?? "f" })],
  ["command", /<\/([-_ \p{L}\p{N}]+):\d+>/uy, (m) => ({ text: `/${m[1]}` })],
  ["text", /<a?(:\w+:)\d+>/y, (m) => ({ text: m[1] })],
  ["everyone", /@(everyone|here)\b/y, (m) => ({ text: m[0] })],
];
const NEXT_SPECIAL = /[\\`|*_~[<@]|https?:/g;

/** Parse text within a paragraph into nodes `{type, text|children|…}`. */
export function parseInline(source, depth = 0) {
  const nodes = [];
  let plain = "";
  const flush = () => {
    if (plain) nodes.push({ type: "text", text: plain });
    plain = "";
  };
  let at = 0;
  scan: while (at < source.length) {
    if (depth < DEEPEST) {
      for (const [type, rule, read] of INLINE) {
        rule.lastIndex = at;
        const found = rule.exec(source);
        if (!found) continue;
        const { inner, ...rest } = read(found);
        if (type === "text") plain += rest.text;
        else {
          flush();
          nodes.push(inner === undefined ? { type, ...rest } : { type, ...rest, children: parseInline(inner, depth + 1) });
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

const isOrdered = (line) => LIST_ITEM.exec(line)[2].endsWith(".");

/** Parse a whole message: headings, quotes, lists, code blocks and paragraphs. */
export function parse(source, depth = 0) {
  const blocks = [];
  let at = 0;
  let paragraph = "";
  const flush = () => {
    const text = paragraph.replace(/\n$/, "");
    if (text) blocks.push({ type: "paragraph", children: parseInline(text) });
    paragraph = "";
  };
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
      blocks.push({ type: heading ? "heading" : "small", level: heading?.[1].length, children: parseInline(heading?.[2] ?? small[1]) });
      at = next;
      continue;
    }
    if (LIST_ITEM.test(line)) {
      flush();
      const lines = [];
      const ordered = isOrdered(line);
      while (at < source.length) {
        const entry = lineAt(at);
        const item = LIST_ITEM.exec(entry);
        // A mark of the other kind begins another list, unless it stands deeper.
        if (item ? item[1].length < 2 && isOrdered(entry) !== ordered : !(lines.length && /^ {2,}\S/.test(entry))) break;
        lines.push(entry);
        at += entry.length + 1;
      }
      blocks.push(parseList(lines));
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

/** Lines of a list, nested by how far they are indented. */
function parseList(lines) {
  const root = { type: "list", ordered: false, start: 1, items: [], indent: -1 };
  const open = [];
  for (const line of lines) {
    const found = LIST_ITEM.exec(line);
    if (!found) {
      open.at(-1).items.at(-1).text += `\n${line.trim()}`;
      continue;
    }
    const indent = found[1].length;
    while (open.length > 1 && indent < open.at(-1).indent) open.pop();
    if (!open.length || (indent > open.at(-1).indent + 1 && open.length < DEEPEST)) {
      const list = open.length ? { type: "list", items: [] } : root;
      list.indent = indent;
      list.ordered = found[2].endsWith(".");
      list.start = list.ordered ? Number.parseInt(found[2], 10) : 1;
      if (open.length) open.at(-1).items.at(-1).lists.push(list);
      open.push(list);
    }
    open.at(-1).items.push({ text: line.slice(found[0].length), lists: [] });
  }
  return root;
}

// --- to the page -----------------------------------------------------------------------------------------------

const TAGS = { strong: "strong", em: "em", underline: "u", strike: "s" };

/**
 * Nodes for a message's text. `names` answers what mentions mean to the reader:
 * `user(id)` → name, `role(id)` → {name, color}, `channel(id)` → {name, href} or null, `mine(kind, id)`, `jump(url)` → href or null.
 */
export function render(source, names) {
  const box = document.createDocumentFragment();
  for (const block of parse(String(source ?? ""))) box.append(renderBlock(block, names));
  return box;
}

/** The same for one line of text, such as a field's name. */
export function renderInline(source, names) {
  const box = document.createDocumentFragment();
  box.append(...parseInline(String(source ?? "")).map((node) => renderNode(node, names)));
  return box;
}

function make(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

function renderBlock(block, names) {
  const children = () => block.children.map((node) => (block.type === "quote" ? renderBlock(node, names) : renderNode(node, names)));
  switch (block.type) {
    case "quote":
      return make("blockquote", "", ...children());
    case "heading": {
      // Headings of a message stand below the page's own, hence the shift.
      return make(`h${block.level + 2}`, `md-h${block.level}`, ...children());
    }
    case "small":
      return make("p", "md-small", ...children());
    case "codeblock": {
      const pre = make("pre", "codeblock", make("code", "", block.text));
      pre.tabIndex = 0;
      if (block.language) pre.dataset.language = block.language;
      return pre;
    }
    case "list":
      return renderList(block, names);
    default:
      return make("p", "", ...children());
  }
}

function renderList(block, names) {
  const list = make(block.ordered ? "ol" : "ul", "");
  if (block.ordered && block.start !== 1) list.start = block.start;
  for (const item of block.items) {
    const inline = parseInline(item.text).map((node) => renderNode(node, names));
    list.append(make("li", "", ...inline, ...item.lists.map((inner) => renderList(inner, names))));
  }
  return list;
}

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
    case "time":
      return renderTime(node);
    case "spoiler":
      return renderSpoiler(node, names);
    default:
      return make(TAGS[node.type], "", ...node.children.map((child) => renderNode(child, names)));
  }
}

function renderLink(node, names) {
  const link = make("a", "");
  const inside = names.jump(node.href);
  if (node.children) link.append(...node.children.map((child) => renderNode(child, names)));
  else link.textContent = inside?.label ?? node.href;
  if (inside) {
    link.href = inside.href;
    if (!node.children) link.className = "mention";
  } else {
    link.href = node.href;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    if (node.children) link.title = node.href;
  }
  return link;
}

function renderSpoiler(node, names) {
  const hidden = make("span", "spoiler-text", ...node.children.map((child) => renderNode(child, names)));
  const box = make("span", "spoiler", hidden);
  box.tabIndex = 0;
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

const FORMATS = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};
const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** "in 3 hours", "2 days ago"; both times in seconds. */
export function relativeTime(seconds, now = Date.now() / 1000) {
  const distance = Math.round(seconds - now);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(distance) >= length) ?? UNITS.at(-1);
  return relative.format(Math.round(distance / size), unit);
}

/** A moment in one of Discord's styles. */
export function formatTime(seconds, style) {
  const moment = new Date(seconds * 1000);
  if (Number.isNaN(moment.getTime())) return "an impossible time";
  return style === "R" ? relativeTime(seconds) : moment.toLocaleString([], FORMATS[style]);
}

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

/** Bring every relative time under `root` up to date. */
export function refreshTimes(root) {
  for (const node of root.querySelectorAll("time[data-relative]")) {
    const words = relativeTime(Number(node.dataset.relative));
    if (node.textContent !== words) node.textContent = words;
  }
}
