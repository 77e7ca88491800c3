// Slash commands as typed text: which fit, what a typed line means, whether a value will do.

/** @import { Command, Option, OptionValue } from "../../seat_api.js" */

const TRUTH = new Map([["true", true], ["yes", true], ["false", false], ["no", false]]);

/**
 * The commands whose path fits what was typed after the slash, best first.
 *
 * @param {Command[]} commands
 * @param {string} typed
 */
export function matchCommands(commands, typed) {
  const words = typed.toLowerCase().trim().split(/\s+/).filter(Boolean);
  const wanted = words.join(" ");
  /** @param {Command} command */
  const rank = (command) => {
    if (command.path.startsWith(wanted)) return 0;
    const parts = command.path.split(/[\s-]/);
    if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 1;
    if (words.every((word) => command.path.includes(word))) return 2;
    return words.every((word) => `${command.path} ${command.description}`.toLowerCase().includes(word)) ? 3 : 4;
  };
  return commands
    .map((command) => ({ command, score: rank(command) }))
    .filter(({ score }) => score < 4)
    .sort((a, b) => a.score - b.score || (a.command.path < b.command.path ? -1 : 1))
    .map(({ command }) => command);
}

/**
 * Read a typed line such as `/campaign create name: Long Night rulebook: pq17`. Null when no command's whole path
 * was typed; else the command, the text given for each named option, and `rest`, the words that name no option.
 *
 * @param {string} text
 * @param {Command[]} commands
 */
export function readCommandLine(text, commands) {
  if (!text.startsWith("/")) return null;
  const typed = text.slice(1);
  const fitting = commands.filter(({ path }) => typed === path || typed.startsWith(`${path} `));
  const command = fitting.sort((a, b) => b.path.length - a.path.length)[0];
  if (!command) return null;
  const tail = typed.slice(command.path.length + 1);
  const names = command.options.map((option) => option.name.replace(/[^\p{L}\p{N}_-]/gu, "")).join("|");
  /** @type {Record<string, string>} */
  const values = {};
  if (!names) return { command, values, rest: tail.trim() };
  const marks = [...tail.matchAll(new RegExp(`(?:^|\\s)(${names}):`, "gu"))];
  marks.forEach((mark, index) => {
    values[mark[1]] = tail.slice(mark.index + mark[0].length, marks[index + 1]?.index).trim();
  });
  return { command, values, rest: tail.slice(0, marks[0]?.index).trim() };
}

/**
 * What an option takes, in a few words.
 *
 * @param {Option} option
 */
export function describeOption(option) {
  const { min_value: least, max_value: most, min_length: shortest, max_length: longest } = option;
  /**
   * @param {number | undefined} low
   * @param {number | undefined} high
   * @param {string} unit
   */
  const span = (low, high, unit) => {
    if (low === undefined && high === undefined) return "";
    if (low === undefined) return `, at most ${high}${unit}`;
    if (high === undefined) return `, at least ${low}${unit}`;
    return `, ${low} to ${high}${unit}`;
  };
  const words = {
    string: `text${span(shortest, longest, " characters")}`,
    integer: `a whole number${span(least, most, "")}`,
    number: `a number${span(least, most, "")}`,
    boolean: "true or false",
    user: "a person",
    channel: "a channel",
    role: "a role",
    mentionable: "a person or role",
    attachment: "a file",
  };
  return option.choices.length ? "one of the list" : words[option.kind];
}

/**
 * The value to send for what was typed or picked. `picked` is the value of a chosen row whose label is still the
 * text. Answers `{value}`, `{}` when nothing was given for an optional one, or `{error}`.
 *
 * @param {Option} option
 * @param {string} text
 * @param {OptionValue} [picked]
 * @returns {{ value?: OptionValue, error?: string }}
 */
export function readOption(option, text, picked) {
  const typed = text.trim();
  if (typed === "" && picked === undefined) return option.required ? { error: `${option.name} is needed: ${describeOption(option)}.` } : {};
  if (picked !== undefined) return { value: picked };
  if (option.choices.length) {
    const choice = option.choices.find((entry) => entry.name.toLowerCase() === typed.toLowerCase() || String(entry.value) === typed);
    return choice ? { value: choice.value } : { error: `${option.name}: choose one of the list.` };
  }
  const limits = describeOption(option);
  switch (option.kind) {
    case "string": {
      const length = [...typed].length;
      if (length < (option.min_length ?? 0) || length > (option.max_length ?? 6000)) return { error: `${option.name} must be ${limits}; this is ${length}.` };
      return { value: typed };
    }
    case "integer":
    case "number": {
      const value = Number(typed.replace(",", "."));
      const fits = Number.isFinite(value) && (option.kind === "number" || Number.isSafeInteger(value));
      if (!fits || value < (option.min_value ?? -Infinity) || value > (option.max_value ?? Infinity)) return { error: `${option.name} must be ${limits}.` };
      return { value };
    }
    case "boolean": {
      const value = TRUTH.get(typed.toLowerCase());
      return value === undefined ? { error: `${option.name} must be true or false.` } : { value };
    }
    default: {
      const id = /^(?:<(?:@[!&]?|#))?(\d{5,20})>?$/.exec(typed);
      return id ? { value: id[1] } : { error: `${option.name}: choose ${limits} from the list.` };
    }
  }
}
