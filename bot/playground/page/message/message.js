// One message of the timeline.

import { append, avatar, el, icon, iconButton } from "../dom.js";
import { hrefOf, namesFor } from "../model/names.js";
import { systemWords, THREAD_CREATED, THREAD_STARTER } from "../model/rows.js";
import { allows, compareIds, cssColor, MANAGE_MESSAGES, webAddress, wordsOf } from "../model/values.js";
import { renderComponents } from "./components.js";
import { imageButton, renderAttachments } from "./media.js";
import { formatTime, render, renderInline } from "./text.js";

/** @import { Answer, Channel, Embed, Message } from "../../seat_api.js" */
/** @import { Page } from "../app.js" */
/** @import { Names } from "../model/names.js" */
/** @import { Seat } from "../model/store.js" */
/** @import { Context } from "./components.js" */

/** Flag of messages that are components only; their files show where the components name them. */
const COMPONENTS_V2 = 1 << 15;

/**
 * The node of a message. `compact` leaves out its header; `failure` is said beneath it.
 *
 * @param {Message} message
 * @param {{ seat: Seat, channel: Channel, compact: boolean, failure: string | null, page: Page }} where
 */
export function messageView(message, { seat, channel, compact, failure, page }) {
  const names = namesFor(seat, channel, message);
  const name = message.author_display;
  const time = Date.parse(message.timestamp) / 1000;
  const article = el("article", {
    class: ["message", compact && "compact", message.mentions_me && "mentions-me", message.ephemeral && "ephemeral"].filter(Boolean).join(" "),
    dataset: { message: message.id, author: message.author.id },
    tabindex: "-1",
    "aria-label": `${name}, ${formatTime(time, "f")}`,
  });
  const place = { channel_id: message.channel_id, message_id: message.id };
  /** @type {Context} */
  const context = {
    seat,
    channel,
    names,
    press: (node, customId) => act(node, () => seat.api.act("press", { ...place, custom_id: customId })),
    select: (node, customId, values) => act(node, () => seat.api.act("select", { ...place, custom_id: customId, values })),
  };

  const system = systemWords(message);
  if (system !== null) {
    const about = message.type === THREAD_CREATED || message.type === THREAD_STARTER ? "thread" : "chevron";
    append(article, [
      el("p", { class: "system" }, icon(about), el("b", { text: name }), ` ${system} `, stamp(time)),
      threadLink(message, seat),
    ]);
    return article;
  }
  const content = el("div", { class: "content" });
  append(article, [
    above(message, seat, names),
    compact ? null : el("div", { class: "face" }, avatar(name, message.author_color)),
    append(content, [
      compact ? null : header(message, name, time, seat, channel),
      message.loading ? el("p", { class: "loading" }, el("span", { class: "spinner", "aria-hidden": "true" }), `${name} is thinking…`) : null,
      textOf(message, names),
      ...(message.flags & COMPONENTS_V2 ? [] : renderAttachments(message.attachments)),
      ...message.embeds.map((embed) => renderEmbed(embed, names)),
      message.components.length ? renderComponents(message.components, context) : null,
      threadLink(message, seat),
      failure ? el("p", { class: "failed", role: "alert", text: failure }) : null,
      message.ephemeral ? onlyYou(message, seat, page) : null,
    ]),
    compact ? el("span", { class: "side-time", "aria-hidden": "true", text: formatTime(time, "t") }) : null,
    tools(message, seat, channel, page),
  ]);
  return article;

  /**
   * Send a press or a choice; the message is busy until the bot's first answer came.
   *
   * @param {HTMLElement} node
   * @param {() => Promise<Answer>} send
   */
  async function act(node, send) {
    if (article.classList.contains("busy")) return;
    article.classList.add("busy");
    node.classList.add("working");
    article.setAttribute("aria-busy", "true");
    if (seat.failures.delete(message.id)) article.querySelector(".failed")?.remove();
    try {
      const answer = await send();
      if (answer.outcome === "failed") {
        seat.fail({ channelId: message.channel_id, messageId: message.id, text: answer.error ?? "This interaction failed", interactionId: answer.interaction_id });
      }
    } catch (error) {
      page.toast(wordsOf(error), "error");
    } finally {
      article.classList.remove("busy");
      node.classList.remove("working");
      article.removeAttribute("aria-busy");
    }
  }
}

/** @param {number} time in seconds */
function stamp(time) {
  return el("time", { class: "when", datetime: new Date(time * 1000).toISOString(), title: formatTime(time, "F"), text: shortTime(time) });
}

/**
 * "14:05" today, with the date before.
 *
 * @param {number} time in seconds
 */
function shortTime(time) {
  const sameDay = new Date(time * 1000).toDateString() === new Date().toDateString();
  return sameDay ? formatTime(time, "t") : `${formatTime(time, "d")} ${formatTime(time, "t")}`;
}

/**
 * @param {Message} message
 * @param {string} name
 * @param {number} time in seconds
 * @param {Seat} seat
 * @param {Channel} channel
 */
function header(message, name, time, seat, channel) {
  const author = el("span", { class: "author", text: name });
  const guild = seat.guildOf(channel);
  const held = new Set(seat.member(guild?.id, message.author.id)?.roles ?? []);
  const role = guild?.roles.filter((entry) => held.has(entry.id) && entry.color).sort((a, b) => b.position - a.position || compareIds(a.id, b.id))[0];
  author.style.color = cssColor(role?.color) ?? "";
  return el(
    "header",
    {},
    author,
    message.author.bot ? el("span", { class: "tag", text: "APP" }) : null,
    stamp(time),
    message.pinned ? el("span", { class: "pinned", title: "Pinned" }, icon("pin"), el("span", { class: "hidden-text", text: "pinned" })) : null,
  );
}

/**
 * What stands above a message: the command it answers, or the message it replies to.
 *
 * @param {Message} message
 * @param {Seat} seat
 * @param {Names} names
 */
function above(message, seat, names) {
  if (message.command_line) {
    const who = message.command_user?.display ?? "Somebody";
    return el("div", { class: "above" }, el("b", { text: who }), " used ", el("span", { class: "mention", text: message.command_line }));
  }
  const source = message.referenced_message;
  if (source) {
    const author = names.user(source.author.id) === "unknown person" ? source.author.global_name ?? source.author.username : names.user(source.author.id);
    const snippet = firstWords(source) || (source.components.length ? "a message with controls" : "an attachment");
    return el("a", { class: "above", href: hrefOf(seat.id, message.channel_id, source.id) }, icon("reply"), el("b", { text: author }), " ", append(el("span", { class: "snippet" }), [renderInline(snippet, names)]));
  }
  if (message.type === 19) return el("div", { class: "above" }, icon("reply"), "The original message was deleted");
  return null;
}

/**
 * The first line of what somebody replies to, without its marks where it is a heading.
 *
 * @param {import("../../seat_api.js").QuotedMessage} source
 */
function firstWords(source) {
  const words = source.content || firstText(source.components);
  return words.split("\n", 1)[0].replace(/^(#{1,3}|-#) /, "").slice(0, 120);
}

/**
 * The first text among blocks.
 *
 * @param {import("../../seat_api.js").Component[]} components
 * @returns {string}
 */
function firstText(components) {
  for (const component of components) {
    const text = component.type === 10 ? component.content : component.type === 17 || component.type === 9 ? firstText(component.components) : "";
    if (text) return text;
  }
  return "";
}

/**
 * @param {Message} message
 * @param {Names} names
 */
function textOf(message, names) {
  // A frame has no words of its own to which the mark of an edit could belong; it is edited as soon as it is posted.
  if (!message.content && (!message.edited_timestamp || message.flags & COMPONENTS_V2)) return null;
  const body = append(el("div", { class: "markdown" }), [render(message.content, names)]);
  if (message.edited_timestamp && !message.loading) {
    const mark = el("span", { class: "edited", text: "(edited)", title: formatTime(Date.parse(message.edited_timestamp) / 1000, "F") });
    const last = body.lastElementChild;
    if (last?.tagName === "P") last.append(" ", mark);
    else body.append(mark);
  }
  return body;
}

/**
 * @param {Message} message
 * @param {Seat} seat
 */
function threadLink(message, seat) {
  const named = message.thread?.id ?? (message.type === THREAD_CREATED ? message.message_reference?.channel_id : null);
  const thread = seat.channels.get(named ?? "");
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

/**
 * @param {Message} message
 * @param {Seat} seat
 * @param {Page} page
 */
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
          seat.changed({ what: "log", channelId: message.channel_id });
          page.focusComposer();
        }),
    },
  });
  return el("p", { class: "only-you" }, icon("eye"), "Only you can see this · ", dismiss);
}

/**
 * The title of an embed, as a link where it leads somewhere.
 *
 * @param {Embed} embed
 * @param {Names} names
 */
function embedTitle({ title, url }, names) {
  if (!title) return null;
  const words = renderInline(title, names);
  if (!url || !webAddress(url)) return el("span", {}, words);
  const inside = names.jump(url);
  const target = inside ? { href: inside.href } : { href: url, target: "_blank", rel: "noopener noreferrer" };
  return el("a", target, words);
}

/**
 * @param {Embed} embed
 * @param {Names} names
 */
function renderEmbed(embed, names) {
  const title = embedTitle(embed, names);
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

/**
 * @param {Message} message
 * @param {Seat} seat
 * @param {Channel} channel
 * @param {Page} page
 */
function tools(message, seat, channel, page) {
  if (message.ephemeral || message.loading) return null;
  const own = message.author.id === seat.id;
  const manages = allows(seat.guildOf(channel)?.permissions ?? "0", MANAGE_MESSAGES);
  return append(el("div", { class: "tools" }), [
    channel.can_send ? iconButton("reply", "Reply", () => page.composer.replyTo(message)) : null,
    own ? iconButton("edit", "Edit", () => page.composer.edit(message)) : null,
    own || manages
      ? iconButton("trash", "Delete", () => page.attempt(() => seat.api.act("delete_message", { channel_id: message.channel_id, message_id: message.id })))
      : null,
  ]);
}
