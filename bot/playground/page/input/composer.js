// The message box: plain messages, replies, edits, files, and the way into slash commands.

import { encodeFile } from "../api.js";
import { append, avatar, el, icon, iconButton } from "../dom.js";
import { matchCommands, readCommandLine } from "../model/commands.js";
import { nameOf } from "../model/names.js";
import { wordsOf } from "../model/values.js";
import { CommandLine } from "./commandline.js";
import { FileTray } from "./filetray.js";
import { channelIcon } from "./picker.js";
import { Suggestions } from "./suggest.js";

/** @import { Acts, Channel, Command, Message } from "../../seat_api.js" */
/** @import { Page } from "../app.js" */
/** @import { Seat } from "../model/store.js" */
/** @import { Suggestion } from "./suggest.js" */

const LONGEST = 2000;

/** @typedef {{ seat: Seat, channel: Channel }} Place */

/**
 * Somebody or something that can be mentioned: by its name, for which its mark is sent.
 *
 * @typedef {Suggestion & { name: string, mention: string }} Mentionable
 */

export class Composer {
  /**
   * @param {Page} page
   * @param {HTMLFormElement} form
   */
  constructor(page, form) {
    this.page = page;
    this.form = form;
    /**
     * Where is written.
     *
     * @type {Place | null}
     */
    this.place = null;
    /** @type {CommandLine | null} */
    this.command = null;
    /** @type {Message | null} */
    this.reply = null;
    /** @type {Message | null} */
    this.editing = null;
    /**
     * "@Name" and "#name" as typed → the mention that is sent.
     *
     * @type {Map<string, string>}
     */
    this.mentions = new Map();
    this.suggestions = new Suggestions(form);
    this.banner = el("div", { class: "composer-banner", hidden: true });
    this.tray = new FileTray({ refuse: (words) => page.toast(words, "error"), taken: () => this.focus() });
    this.attach = iconButton("plus", "Attach files", () => this.tray.choose());
    this.slash = iconButton("slash", "Use a command", () => this.startSlash());
    this.send = el("button", { type: "submit", class: "icon-button send", title: "Send (Enter)", "aria-label": "Send" }, icon("send"));
    this.text = el("textarea", {
      rows: "1",
      id: "message-box",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      on: {
        input: () => this.typed(),
        keydown: (event) => this.key(event),
        blur: () => void (this.suggestions.input === this.text && this.suggestions.hide()),
        paste: (event) => this.pasted(event),
      },
    });
    this.slot = el("div", { class: "composer-slot" }, this.text);
    this.count = el("span", { class: "count", "aria-live": "polite" });
    this.closed = el("p", { class: "composer-closed", hidden: true });
    this.line = el("div", { class: "composer-line" }, this.attach, this.slot, this.count, this.slash, this.send);
    append(form, [this.banner, this.tray.node, this.closed, this.line, this.tray.picker]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.command) this.sendCommand(this.command);
      else this.sendMessage();
    });
    form.addEventListener("dragover", (event) => event.preventDefault());
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      this.tray.take(event.dataTransfer?.files ?? []);
    });
  }

  /**
   * Go to a channel, or to none; what was being written in the last one is kept for the way back.
   *
   * @param {Place | null} place
   */
  show(place) {
    const before = this.place;
    this.place = place;
    if (before?.seat === place?.seat && before?.channel.id === place?.channel.id) {
      this.allow();
      return;
    }
    if (before) before.seat.drafts.set(before.channel.id, this.command ? this.command.text() : this.editing ? "" : this.text.value);
    this.clear();
    this.text.value = place?.seat.drafts.get(place.channel.id) ?? "";
    this.allow();
    if (this.text.value.startsWith("/")) this.readTyped(false);
    this.fit();
  }

  /** Say plainly when nothing can be written here. */
  allow() {
    const channel = this.place?.channel;
    const words = !channel
      ? ""
      : channel.archived
        ? "This thread is archived. Nothing can be written or commanded here."
        : channel.locked && !channel.can_send
          ? "This thread is locked."
          : !channel.can_send && !channel.can_use_commands
            ? "You may read here, but not write."
            : null;
    this.closed.hidden = words === null;
    this.closed.textContent = words ?? "";
    this.line.hidden = words !== null;
    if (!channel || words !== null) return;
    this.attach.disabled = !channel.can_send || channel.can_attach === false;
    this.text.placeholder = channel.can_send ? `Message ${nameOf(channel)}` : "Only commands work here: type /";
    this.text.setAttribute("aria-label", this.text.placeholder);
  }

  focus() {
    if (this.line.hidden) return;
    if (this.command) this.command.focus();
    else this.text.focus();
  }

  clear() {
    this.suggestions.hide();
    this.endCommand();
    this.reply = null;
    this.editing = null;
    this.mentions.clear();
    this.text.value = "";
    this.paintBanner();
    this.tray.show([]);
    this.fit();
  }

  fit() {
    this.text.style.height = "auto";
    this.text.style.height = `${Math.min(this.text.scrollHeight, innerHeight * 0.4)}px`;
    const left = LONGEST - this.text.value.length;
    this.count.textContent = left < 200 && !this.command ? String(left) : "";
    this.count.classList.toggle("wrong", left < 0);
  }

  // --- what is typed ---------------------------------------------------------------------------------------------

  typed() {
    this.fit();
    if (this.text.value.startsWith("/") && !this.editing) this.readTyped(true);
    else this.suggestMention();
  }

  startSlash() {
    if (this.command) this.leaveCommand("/");
    else {
      this.text.value = "/";
      this.text.focus();
      this.typed();
    }
  }

  /**
   * A line that begins with a slash: suggest commands, or go on with the one whose whole name was typed.
   *
   * @param {boolean} suggest
   */
  readTyped(suggest) {
    const { place } = this;
    if (!place) return;
    const commands = place.seat.commandsIn(place.channel);
    const read = readCommandLine(this.text.value, commands);
    if (read && this.text.value.length > read.command.path.length + 1) {
      const values = { ...read.values };
      const first = read.command.options[0];
      if (read.rest && first && !Object.hasOwn(values, first.name)) values[first.name] = read.rest;
      this.startCommand(place, read.command, values, suggest);
      return;
    }
    if (!suggest) return;
    const fitting = matchCommands(commands, this.text.value.slice(1)).slice(0, 30);
    const items = fitting.map((command) => ({
      command,
      label: `/${command.path}`,
      detail: command.description,
      side: command.options.filter((option) => option.required).map((option) => option.name).join(" "),
    }));
    const note = commands.length ? "No command fits. Press Enter to send it as text." : "No commands can be used here.";
    this.suggestions.show(this.text, "Commands", items, (item) => this.startCommand(place, item.command), { note });
  }

  /**
   * @param {Place} place
   * @param {Command} command
   * @param {Record<string, string>} [values]
   * @param {boolean} [focus]
   */
  startCommand({ seat, channel }, command, values = {}, focus = true) {
    this.suggestions.hide();
    this.command = new CommandLine(this, seat, channel, command, values);
    this.text.remove();
    this.slot.append(this.command.node);
    this.form.classList.add("commanding");
    this.count.textContent = "";
    if (focus) this.command.focus();
  }

  endCommand() {
    if (!this.command) return;
    this.suggestions.hide();
    this.command.node.remove();
    this.command = null;
    this.slot.append(this.text);
    this.form.classList.remove("commanding");
  }

  /**
   * Back to plain text, called by the command line.
   *
   * @param {string} text
   */
  leaveCommand(text) {
    this.endCommand();
    this.text.value = text;
    this.text.focus();
    if (text) this.typed();
    else this.fit();
  }

  /** @param {CommandLine} line */
  async sendCommand(line) {
    const { seat, channel } = line;
    const options = await line.options();
    if (options === null || line.sending) return;
    line.sending = true;
    line.node.classList.add("busy");
    line.say("Sending…");
    // The answer may take up to three seconds: the box is free for the next thing as soon as the request is on its way.
    const running = seat.api.act("command", { ...line.place(), options });
    const early = setTimeout(() => this.command === line && this.leaveCommand(""), 300);
    try {
      const answer = await running;
      if (answer.outcome === "failed") {
        seat.fail({ channelId: channel.id, text: "The application did not respond", interactionId: answer.interaction_id, command: line.command.path });
      }
      if (this.command === line) this.leaveCommand("");
      this.page.timeline.toLatest();
    } catch (error) {
      if (this.command === line) line.say(wordsOf(error), true);
      else this.page.toast(`/${line.command.path}: ${wordsOf(error)}`, "error");
    } finally {
      clearTimeout(early);
      line.sending = false;
      line.node.classList.remove("busy");
    }
  }

  // --- mentions --------------------------------------------------------------------------------------------------

  suggestMention() {
    const { place } = this;
    const before = this.text.value.slice(0, this.text.selectionStart);
    const found = /(?:^|\s)([@#])([^\s@#]*)$/u.exec(before);
    if (!found || !place) {
      this.suggestions.hide();
      return;
    }
    const [, sign, typed] = found;
    const wanted = typed.toLowerCase();
    const items = sign === "@" ? this.people(place) : this.places(place);
    const fitting = items.filter((item) => `${item.label} ${item.detail ?? ""}`.toLowerCase().includes(wanted)).slice(0, 12);
    this.suggestions.show(this.text, sign === "@" ? "People and roles" : "Channels", fitting, (item) => {
      const start = before.length - typed.length - 1;
      const written = `${sign}${item.name}`;
      this.mentions.set(written, item.mention);
      this.text.setRangeText(`${written} `, start, before.length, "end");
      this.suggestions.hide();
      this.fit();
    });
  }

  /**
   * @param {Place} place
   * @returns {Mentionable[]}
   */
  people({ seat, channel }) {
    const guild = seat.guildOf(channel);
    const people = seat.peopleIn(channel).map((person) => ({
      label: person.display,
      name: person.display,
      detail: person.name,
      mention: `<@${person.id}>`,
      node: () => avatar(person.display, person.avatar_color),
    }));
    const roles = (guild?.roles ?? []).filter((role) => role.mentionable).map((role) => ({ label: `@${role.name}`, name: role.name, detail: "role", mention: `<@&${role.id}>` }));
    return [...people, ...roles];
  }

  /**
   * @param {Place} place
   * @returns {Mentionable[]}
   */
  places({ seat, channel }) {
    const places = seat.guildOf(channel)?.channels ?? [];
    return places.filter((place) => place.kind !== "category").map((place) => ({ label: place.name, name: place.name, mention: `<#${place.id}>`, node: () => icon(channelIcon(place)) }));
  }

  /** The text with the chosen names turned into mentions. */
  content() {
    let text = this.text.value.trim();
    const written = [...this.mentions].sort(([a], [b]) => b.length - a.length);
    for (const [name, mention] of written) text = text.replaceAll(name, mention);
    return text;
  }

  // --- sending ---------------------------------------------------------------------------------------------------

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    if (this.suggestions.input === this.text && this.suggestions.key(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.sendMessage();
    } else if (event.key === "Escape" && (this.reply || this.editing)) {
      event.preventDefault();
      if (this.editing) this.clear();
      this.reply = null;
      this.paintBanner();
    } else if (event.key === "ArrowUp" && this.text.value === "" && this.place) {
      const { seat, channel } = this.place;
      const own = seat.log(channel.id).messages.findLast((message) => message.author.id === seat.id && !message.ephemeral);
      if (own) {
        event.preventDefault();
        this.edit(own);
      }
    }
  }

  async sendMessage() {
    const { place, reply, editing } = this;
    const { files } = this.tray;
    const typed = this.text.value;
    const content = this.content();
    if (!place || (!content && !files.length)) return;
    const { seat, channel } = place;
    if (!channel.can_send) {
      this.page.toast("You may not write here; commands may still work.", "error");
      return;
    }
    if (content.length > LONGEST) {
      this.page.toast(`A message has at most 2,000 characters; this one has ${content.length.toLocaleString()}.`, "error");
      return;
    }
    const mentions = new Map(this.mentions);
    this.clear();
    this.page.timeline.stuck = true;
    try {
      if (editing) await seat.api.act("edit_message", { channel_id: channel.id, message_id: editing.id, content });
      else {
        /** @type {Acts["message"][0]} */
        const body = { channel_id: channel.id, content };
        if (files.length) body.attachments = await Promise.all(files.map(encodeFile));
        if (reply) body.reply_to = reply.id;
        await seat.api.act("message", body);
      }
    } catch (error) {
      this.page.toast(wordsOf(error), "error");
      // Nothing typed is lost: it stands in the box again, unless something else does by now.
      if (this.place?.channel.id === channel.id && this.place.seat === seat && !this.text.value && !this.command) {
        this.text.value = typed;
        this.reply = reply;
        this.editing = editing;
        this.mentions = mentions;
        this.paintBanner();
        this.tray.show(files);
        this.fit();
      }
    }
  }

  /** @param {Message} message */
  replyTo(message) {
    this.endCommand();
    this.reply = message;
    this.editing = null;
    this.paintBanner();
    this.focus();
  }

  /** @param {Message} message */
  edit(message) {
    this.clear();
    this.editing = message;
    this.text.value = message.content;
    this.paintBanner();
    this.fit();
    this.focus();
  }

  paintBanner() {
    const { reply, editing } = this;
    this.banner.hidden = !reply && !editing;
    const words = reply ? `Replying to ${reply.author_display}` : "Editing your message";
    this.banner.replaceChildren(
      el("span", { text: words }),
      iconButton("close", reply ? "Do not reply" : "Do not edit", () => {
        if (this.editing) this.clear();
        this.reply = null;
        this.paintBanner();
        this.focus();
      }),
    );
  }

  /** @param {ClipboardEvent} event */
  pasted(event) {
    const files = event.clipboardData?.files;
    if (!files?.length) return;
    event.preventDefault();
    this.tray.take(files);
  }
}
