// One message of the timeline.

import { append, avatar, compareIds, cssColor, el, icon, iconButton, webAddress } from "./dom.js";
import { renderComponents } from "./components.js";
import { formatTime, render, renderInline } from "./markdown.js";
import { imageButton, renderAttachments } from "./media.js";
import { hrefOf, namesFor } from "./names.js";

const MANAGE_MESSAGES = 1n << 13n;
const ADMINISTRATOR = 1n << 3n;
const THREAD_CREATED = 18;
/** Flag of messages that are components only; their files show where the components name them. */
const COMPONENTS_V2 = 1 << 15;
/** Messages that Discord writes itself, by type; the author's name goes before. */
const SYSTEM = {
  1: () => "added somebody to the group.",
  2: () => "removed somebody from the group.",
  4: (message) => `changed the channel name: ${message.content}`,
  6: () => "pinned a message to this channel.",
  7: () => "joined the server.",
  [THREAD_CREATED]: (message) => `started a thread: ${message.content}`,
  21: () => "started this thread from a message.",
};
const TOGETHER = 7 * 60 * 1000;

/** Whether a message goes under the one before it without a header of its own. */
export function followsOn(message, previous) {
  return Boolean(
    previous &&
      previous.author.id === message.author.id &&
      !message.command_line &&
      !message.referenced_message &&
      !SYSTEM[message.type] &&
      !SYSTEM[previous.type] &&
      Boolean(previous.ephemeral) === Boolean(message.ephemeral) &&
      Date.parse(message.timestamp) - Date.parse(previous.timestamp) < TOGETHER,
  );
}

/** The node of a message. `page` is the application (toasts, composing); `failure` is said beneath it. */
export function messageView(message, { seat, channel, compact, failure, page }) {
  const names = namesFor(seat, channel, message);
  const name = message.author_display ?? message.author.global_name ?? message.author.username;
  const time = Date.parse(message.timestamp) / 1000;
  const article = el("article", {
    class: ["message", compact && "compact", message.mentions_me && "mentions-me", message.ephemeral && "ephemeral"].filter(Boolean).join(" "),
    dataset: { message: message.id, author: message.author.id },
    tabindex: "-1",
    "aria-label": `${name}, ${formatTime(time, "f")}`,
  });
  const context = { seat, channel, message, names, act: (node, what, body) => act(article, node, what, body) };

  if (SYSTEM[message.type]) {
    append(article, [
      el("p", { class: "system" }, icon(message.type === THREAD_CREATED || message.type === 21 ? "thread" : "chevron"), el("b", { text: name }), ` ${SYSTEM[message.type](message)} `, stamp(time)),
      threadLink(message, seat),
    ]);
    return article;
  }
  const content = el("div", { class: "content" });
  append(article, [
    above(message, seat, channel, names),
    compact ? null : el("div", { class: "face" }, avatar(name, message.author_color)),
    append(content, [
      compact ? null : header(message, name, time, seat, channel),
      message.loading ? el("p", { class: "loading" }, el("span", { class: "spinner", "aria-hidden": "true" }), `${name} is thinking…`) : null,
      textOf(message, names),
      ...(message.flags & COMPONENTS_V2 ? [] : renderAttachments(message.attachments ?? [])),
      ...(message.embeds ?? []).map((embed) => renderEmbed(embed, names)),
      message.components?.length ? renderComponents(message.components, context) : null,
      threadLink(message, seat),
      failure ? el("p", { class: "failed", role: "alert", text: failure }) : null,
      message.ephemeral ? onlyYou(message, seat, page) : null,
    ]),
    compact ? el("span", { class: "side-time", "aria-hidden": "true", text: formatTime(time, "t") }) : null,
    tools(message, seat, channel, page),
  ]);
  return article;

  /** Send a press or a choice; the message is busy until the bot's first answer came. */
  async function act(box, node, what, body) {
    if (box.classList.contains("busy")) return;
    box.classList.add("busy");
    node.classList.add("working");
    box.setAttribute("aria-busy", "true");
    if (seat.failures.delete(message.id)) box.querySelector(".failed")?.remove();
    try {
      const answer = await seat.api.act(what, { channel_id: message.channel_id, message_id: message.id, ...body });
      if (answer.outcome === "failed") {
        seat.fail({ channelId: message.channel_id, messageId: message.id, text: answer.error ?? "This interaction failed", interactionId: answer.interaction_id });
      }
    } catch (error) {
      page.toast(error.message, "error");
    } finally {
      box.classList.remove("busy");
      node.classList.remove("working");
      box.removeAttribute("aria-busy");
    }
  }
}

function stamp(time) {
  return el("time", { class: "when", datetime: new Date(time * 1000).toISOString(), title: formatTime(time, "F"), text: shortTime(time) });
}

/** "14:05" today, with the date before. */
function shortTime(time) {
  const sameDay = new Date(time * 1000).toDateString() === new Date().toDateString();
  return sameDay ? formatTime(time, "t") : `${formatTime(time, "d")} ${formatTime(time, "t")}`;
}

function header(message, name, time, seat, channel) {
  const author = el("span", { class: "author", text: name });
  const guild = seat.guildOf(channel);
  const held = new Set(seat.member(guild?.id, message.author.id)?.roles ?? []);
  const role = guild?.roles.filter((entry) => held.has(entry.id) && entry.color).sort((a, b) => b.position - a.position || compareIds(a.id, b.id))[0];
  if (role) author.style.color = cssColor(role.color);
  return el(
    "header",
    {},
    author,
    message.author.bot ? el("span", { class: "tag", text: "BOT" }) : null,
    stamp(time),
    message.pinned ? el("span", { class: "pinned", title: "Pinned" }, icon("pin"), el("span", { class: "hidden-text", text: "pinned" })) : null,
  );
}

/** What stands above a message: the command it answers, or the message it replies to. */
function above(message, seat, channel, names) {
  if (message.command_line) {
    const who = message.command_user?.display ?? "Somebody";
    return el("div", { class: "above" }, el("b", { text: who }), " used ", el("span", { class: "mention", text: message.command_line }));
  }
  const source = message.referenced_message;
  if (source) {
    const author = names.user(source.author.id) === "unknown person" ? source.author.global_name ?? source.author.username : names.user(source.author.id);
    const snippet = source.content.split("\n", 1)[0].slice(0, 120) || (source.components?.length ? "a message with controls" : "an attachment");
    return el("a", { class: "above", href: hrefOf(seat.id, message.channel_id, source.id) }, icon("reply"), el("b", { text: author }), " ", append(el("span", { class: "snippet" }), [renderInline(snippet, names)]));
  }
  if (message.type === 19) return el("div", { class: "above" }, icon("reply"), "The original message was deleted");
  return null;
}

function textOf(message, names) {
  if (!message.content && !message.edited_timestamp) return null;
  const body = append(el("div", { class: "markdown" }), [render(message.content, names)]);
  if (message.edited_timestamp && !message.loading) {
    const mark = el("span", { class: "edited", text: "(edited)", title: formatTime(Date.parse(message.edited_timestamp) / 1000, "F") });
    const last = body.lastElementChild;
    if (last?.tagName === "P") last.append(" ", mark);
    else body.append(mark);
  }
  return body;
}

function threadLink(message, seat) {
  const thread = seat.channels.get(message.thread?.id ?? (message.type === THREAD_CREATED ? message.message_reference?.channel_id : null));
  if (!thread) return null;
  const count = message.thread?.message_count;
  return el(
    "a",
    { class: "thread-link", href: hrefOf(seat.id, thread.id) },
    icon("thread"),
    el("b", { text: thread.name }),
    el("span", { text: thread.archived ? "archived" : count ? `${count} message${count === 1 ? "" : "s"} ›` : "open ›" }),
  );
}

function onlyYou(message, seat, page) {
  const dismiss = el("button", {
    type: "button",
    class: "link",
    text: "Dismiss message",
    on: {
      click: () =>
        page.attempt(async () => {
          await seat.api.act("dismiss", { channel_id: message.channel_id, message_id: message.id });
          seat.logs.get(message.channel_id)?.drop(message.id);
          seat.changed("log", message.channel_id);
          page.focusComposer();
        }),
    },
  });
  return el("p", { class: "only-you" }, icon("eye"), "Only you can see this · ", dismiss);
}

function renderEmbed(embed, names) {
  const title = embed.title && (embed.url && webAddress(embed.url) ? el("a", { href: names.jump(embed.url)?.href ?? embed.url, ...(names.jump(embed.url) ? {} : { target: "_blank", rel: "noopener noreferrer" }) }) : el("span"));
  if (title) title.append(renderInline(embed.title, names));
  const footer = [embed.footer?.text, embed.timestamp && formatTime(Date.parse(embed.timestamp) / 1000, "f")].filter(Boolean).join(" · ");
  const fields = (embed.fields ?? []).map((field) =>
    el(
      "div",
      { class: field.inline ? "field inline" : "field" },
      append(el("div", { class: "field-name" }), [renderInline(field.name, names)]),
      append(el("div", { class: "markdown" }), [render(field.value, names)]),
    ),
  );
  const box = el(
    "section",
    { class: embed.thumbnail ? "embed with-thumbnail" : "embed", "aria-label": embed.title ?? "embed" },
    embed.author ? el("div", { class: "embed-author", text: embed.author.name }) : null,
    title ? el("div", { class: "embed-title" }, title) : null,
    embed.description ? append(el("div", { class: "markdown" }), [render(embed.description, names)]) : null,
    fields.length ? el("div", { class: "fields" }, ...fields) : null,
    embed.image ? imageButton({ ...embed.image, description: embed.image.description ?? embed.title }, "embed-image") : null,
    embed.thumbnail ? imageButton({ ...embed.thumbnail, description: embed.thumbnail.description ?? "thumbnail" }, "embed-thumbnail") : null,
    footer ? el("div", { class: "embed-footer", text: footer }) : null,
  );
  const color = cssColor(embed.color);
  if (color) box.style.borderLeftColor = color;
  return box;
}

function tools(message, seat, channel, page) {
  if (message.ephemeral || message.loading) return null;
  const own = message.author.id === seat.id;
  const rights = BigInt(seat.guildOf(channel)?.permissions ?? "0");
  const manages = channel.guild_id && (rights & (MANAGE_MESSAGES | ADMINISTRATOR)) !== 0n;
  return append(el("div", { class: "tools" }), [
    channel.can_send ? iconButton("reply", "Reply", () => page.composer.replyTo(message)) : null,
    own ? iconButton("edit", "Edit", () => page.composer.edit(message)) : null,
    own || manages
      ? iconButton("trash", "Delete", () => page.attempt(() => seat.api.act("delete_message", { channel_id: message.channel_id, message_id: message.id })))
      : null,
  ]);
}
