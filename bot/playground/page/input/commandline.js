// A slash command being filled in: the command's name, then a small field for each option.

import { encodeFile } from "../api.js";
import { el, icon } from "../dom.js";
import { describeOption, readOption } from "../model/commands.js";
import { fileSize, LARGEST_FILE, wordsOf } from "../model/values.js";
import { entities } from "./picker.js";

/** @import { Channel, Command, GivenOptions, Option, OptionKind, OptionValue } from "../../seat_api.js" */
/** @import { Seat } from "../model/store.js" */
/** @import { EntityKind } from "./picker.js" */
/** @import { Suggestions } from "./suggest.js" */

const PAUSE = 150;

/**
 * What holds a command line.
 *
 * @typedef {object} Host
 * @property {Suggestions} suggestions
 * @property {(line: CommandLine) => unknown} sendCommand
 * @property {(text: string) => unknown} leaveCommand go back to plain text
 */

/**
 * The field of one option. `picked` is the value of a chosen suggestion whose label is still the text; `chosen` shows
 * the name of a chosen file.
 *
 * @typedef {object} OptionField
 * @property {Option} option
 * @property {HTMLInputElement} input
 * @property {HTMLElement} node
 * @property {HTMLElement | null} chosen
 * @property {OptionValue | undefined} picked
 */

/**
 * @param {OptionKind} kind
 * @returns {EntityKind | null}
 */
function entityOf(kind) {
  return kind === "user" || kind === "role" || kind === "channel" || kind === "mentionable" ? kind : null;
}

export class CommandLine {
  /**
   * @param {Host} host
   * @param {Seat} seat
   * @param {Channel} channel
   * @param {Command} command
   * @param {Record<string, string>} [values] texts typed so far, by option
   */
  constructor(host, seat, channel, command, values = {}) {
    this.host = host;
    this.seat = seat;
    this.channel = channel;
    this.command = command;
    this.sending = false;
    /** @type {Map<string, OptionField>} */
    this.fields = new Map();
    this.asked = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.name = el("span", {
      class: "command-name",
      text: `/${command.path}`,
      tabindex: "-1",
      on: { keydown: (event) => this.keyOnName(event) },
    });
    this.row = el("div", { class: "options-row" }, this.name);
    this.hint = el("p", { class: "command-hint", id: "command-hint", "aria-live": "polite" });
    this.more = el("span", { class: "more-options" });
    this.node = el(
      "div",
      { class: "command-line", role: "group", "aria-label": `/${command.path}` },
      el("div", { class: "command-body" }, this.row, this.more),
      this.hint,
    );
    for (const option of command.options) {
      const typed = Object.hasOwn(values, option.name) ? values[option.name] : null;
      if (option.required || typed !== null) this.add(option, typed ?? "");
    }
    this.paintMore();
    this.say();
  }

  /**
   * @param {string | null} [words]
   * @param {boolean} [wrong]
   */
  say(words = null, wrong = false) {
    this.hint.textContent = words ?? this.command.description;
    this.hint.classList.toggle("wrong", wrong);
  }

  focus() {
    const empty = [...this.fields.values()].find((field) => field.option.required && this.isEmpty(field));
    (empty ?? [...this.fields.values()].at(-1))?.input.focus();
    if (!this.fields.size) {
      this.name.focus();
      this.say(this.command.options.length ? null : `${this.command.description} (press Enter to send)`);
    }
  }

  /** @param {OptionField} field */
  isEmpty(field) {
    if (field.input.type === "file") return !field.input.files?.length;
    return field.input.value.trim() === "" && field.picked === undefined;
  }

  /** Options not shown yet, as buttons that add them. */
  paintMore() {
    const missing = this.command.options.filter((option) => !this.fields.has(option.name));
    this.more.replaceChildren(
      ...missing.map((option) =>
        el("button", { type: "button", class: "add-option", title: option.description, text: `+ ${option.name}`, dataset: { option: option.name }, on: { click: () => this.add(option).input.focus() } }),
      ),
    );
  }

  /**
   * @param {Option} option
   * @param {string} [text]
   */
  add(option, text = "") {
    const file = option.kind === "attachment";
    const input = el("input", {
      type: file ? "file" : "text",
      class: file ? "option-file" : "option-input",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": `${option.name}${option.required ? ", needed" : ""}: ${option.description}`,
      "aria-describedby": "command-hint",
      "aria-autocomplete": file ? null : "list",
      "aria-expanded": file ? null : "false",
      role: file ? null : "combobox",
      inputmode: option.kind === "integer" ? "numeric" : option.kind === "number" ? "decimal" : null,
      dataset: { option: option.name },
      on: {
        focus: () => this.entered(field),
        blur: () => void (this.host.suggestions.input === input && this.host.suggestions.hide()),
        input: () => this.typed(field),
        change: () => void (file && this.typed(field)),
        keydown: (event) => this.key(event, field),
      },
    });
    const chosen = file ? el("span", { text: "choose a file" }) : null;
    const shownName = chosen && el("span", { class: "file-chosen" }, icon("file"), chosen);
    const node = el("label", { class: "option-field" }, el("span", { class: "option-name", text: option.name }), shownName, input);
    /** @type {OptionField} */
    const field = { option, input, node, chosen, picked: undefined };
    this.fields.set(option.name, field);
    this.row.append(field.node);
    if (text) {
      field.input.value = text;
      this.fit(field);
    }
    this.paintMore();
    return field;
  }

  /** @param {OptionField} field */
  fit(field) {
    if (field.input.type !== "file") field.input.style.width = `${Math.min(36, Math.max(5, [...field.input.value].length + 1))}ch`;
  }

  /** @param {OptionField} field */
  entered(field) {
    field.node.classList.remove("wrong");
    const { option } = field;
    this.say(`${option.name}: ${option.description} (${describeOption(option)}${option.required ? "" : "; may be left out"})`);
    this.suggest(field, 0);
  }

  /** @param {OptionField} field */
  typed(field) {
    field.picked = undefined;
    field.node.classList.remove("wrong");
    if (field.chosen) {
      const file = field.input.files?.[0];
      field.chosen.textContent = file ? `${file.name} (${fileSize(file.size)})` : "choose a file";
      return;
    }
    this.fit(field);
    this.suggest(field, PAUSE);
  }

  /**
   * @param {OptionField} field
   * @param {number} pause how long to wait for more to be typed, in milliseconds
   */
  suggest(field, pause) {
    const { option, input } = field;
    const { seat, channel } = this;
    const { suggestions } = this.host;
    const entity = entityOf(option.kind);
    clearTimeout(this.timer);
    const asked = (this.asked += 1);
    const wanted = field.picked === undefined ? input.value.trim().toLowerCase() : "";
    /**
     * @param {{ label: string, value: OptionValue, detail?: string, node?: () => Node }[]} items
     * @param {string | null} note
     */
    const show = (items, note) => {
      // The first row is marked only where a row must be chosen; elsewhere Enter sends what was typed.
      const first = wanted || entity || option.choices.length || option.kind === "boolean" ? 0 : -1;
      suggestions.show(input, `${option.name} · ${option.description}`, items, (item) => this.pick(field, item), { note, first: field.picked === undefined ? first : -1 });
    };
    /** @param {{ label: string, detail?: string }} item */
    const fits = (item) => `${item.label} ${item.detail ?? ""}`.toLowerCase().includes(wanted);
    if (option.autocomplete) {
      this.timer = setTimeout(async () => {
        try {
          const { choices } = await seat.api.act("autocomplete", { ...this.place(), options: this.given(), focused: option.name });
          if (asked !== this.asked || document.activeElement !== input) return;
          show(choices.map((choice) => ({ label: choice.name, value: choice.value })), wanted ? "Nothing fits; you may send what you typed" : null);
        } catch (error) {
          if (asked === this.asked && document.activeElement === input) show([], `No suggestions: ${wordsOf(error)}`);
        }
      }, pause);
    } else if (option.choices.length) {
      show(option.choices.map((choice) => ({ label: choice.name, value: choice.value })).filter(fits), "Nothing in the list fits");
    } else if (option.kind === "boolean") {
      show([{ label: "True", value: true }, { label: "False", value: false }].filter(fits), "True or False");
    } else if (entity) {
      const items = entities(entity, seat, channel, option.channel_types).map((entry) => ({ ...entry, detail: entry.description }));
      show(items.filter(fits).slice(0, 25), "Nothing fits");
    } else suggestions.hide();
  }

  /**
   * @param {OptionField} field
   * @param {{ label: string, value: OptionValue }} item
   */
  pick(field, item) {
    field.input.value = item.label;
    field.picked = item.value;
    this.fit(field);
    this.host.suggestions.hide();
    const fields = [...this.fields.values()];
    fields.slice(fields.indexOf(field) + 1).find((other) => this.isEmpty(other))?.input.focus();
  }

  place() {
    const { channel } = this;
    return { guild_id: channel.guild_id, channel_id: channel.id, path: this.command.path };
  }

  /** The options filled in so far, those that cannot be read yet left out. The focused text goes as it is. */
  given() {
    /** @type {GivenOptions} */
    const given = {};
    for (const { option, input, picked } of this.fields.values()) {
      if (option.kind === "attachment") continue;
      if (document.activeElement === input && picked === undefined) given[option.name] = input.value;
      else {
        const { value } = readOption(option, input.value, picked);
        if (value !== undefined) given[option.name] = value;
      }
    }
    return given;
  }

  /** All options as they are to be sent, or null when one is wrong: it is marked and said. */
  async options() {
    /** @type {GivenOptions} */
    const options = {};
    /** @type {{ field: OptionField, words: string } | null} */
    let wrong = null;
    for (const field of this.fields.values()) {
      const { option, input } = field;
      /** @type {{ value?: GivenOptions[string], error?: string }} */
      let answer;
      if (option.kind === "attachment") {
        const file = input.files?.[0];
        if (!file) answer = option.required ? { error: `${option.name} is needed: choose a file.` } : {};
        else if (file.size > LARGEST_FILE) answer = { error: `${file.name} is ${fileSize(file.size)}; at most 10 MB can be sent.` };
        else answer = { value: { file: await encodeFile(file) } };
      } else answer = readOption(option, input.value, field.picked);
      field.node.classList.toggle("wrong", Boolean(answer.error));
      if (answer.error) wrong ??= { field, words: answer.error };
      else if (answer.value !== undefined) options[option.name] = answer.value;
    }
    if (!wrong) return options;
    wrong.field.input.focus();
    this.host.suggestions.hide();
    wrong.field.node.classList.add("wrong");
    this.say(wrong.words, true);
    return null;
  }

  /**
   * @param {KeyboardEvent} event
   * @param {OptionField} field
   */
  key(event, field) {
    if (this.host.suggestions.input === field.input && this.host.suggestions.key(event)) return;
    const { input } = field;
    if (event.key === "Enter") {
      event.preventDefault();
      this.host.sendCommand(this);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.host.leaveCommand("");
    } else if (event.key === "Backspace" && this.isEmpty(field)) {
      event.preventDefault();
      this.remove(field);
    } else if (event.key === "ArrowLeft" && input.selectionStart === 0 && input.selectionEnd === 0) {
      const fields = [...this.fields.values()];
      fields[fields.indexOf(field) - 1]?.input.focus();
    }
  }

  /** @param {KeyboardEvent} event */
  keyOnName(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.host.sendCommand(this);
    } else if (event.key === "Escape" || event.key === "Backspace") {
      event.preventDefault();
      this.host.leaveCommand(event.key === "Backspace" ? `/${this.command.path}` : "");
    }
  }

  /**
   * Backspace in an empty field: an optional one goes away; from the first the command becomes text again.
   *
   * @param {OptionField} field
   */
  remove(field) {
    const fields = [...this.fields.values()];
    const before = fields[fields.indexOf(field) - 1];
    if (!field.option.required) {
      this.fields.delete(field.option.name);
      field.node.remove();
      this.paintMore();
      (before?.input ?? this.name).focus();
    } else if (before) before.input.focus();
    else this.host.leaveCommand(`/${this.command.path}`);
  }

  /** The line as text, kept as the draft of a channel. */
  text() {
    const parts = [...this.fields.values()].filter((field) => field.input.type !== "file" && field.input.value.trim()).map((field) => `${field.option.name}: ${field.input.value.trim()}`);
    return [`/${this.command.path}`, ...parts].join(" ");
  }
}
