// The fields of a form: what each kind looks like, what it holds, and what is wrong with it.

import { encodeFile } from "../api.js";
import { append, el, icon } from "../dom.js";
import { render } from "../message/text.js";
import { namesFor } from "../model/names.js";
import { fileSize, LARGEST_FILE } from "../model/values.js";
import { choicesFor, selectMenu } from "./picker.js";

/** @import { CheckboxField, EntitySelectField, Field, FieldValue, FileField, GroupField, InputField, StringSelectField, TextField } from "../../seat_api.js" */
/** @import { Seat } from "../model/store.js" */
/** @import { Place } from "./picker.js" */

let counter = 0;

/**
 * What a field needs of the form around it; `changed` is called when the person changes something.
 *
 * @typedef {{ id: string, seat: Seat, place: Place, changed: () => void }} Around
 */

/**
 * What a person fills in: `problem` says what is wrong with it, `focusable` takes the focus in place of `node`.
 *
 * @typedef {object} Input
 * @property {HTMLElement} node
 * @property {HTMLElement} [focusable]
 * @property {() => FieldValue | Promise<FieldValue>} value
 * @property {() => string | null} problem
 */

/**
 * A field of the form. `check` marks what is wrong with it; a text that asks nothing has no `input`.
 *
 * @typedef {object} FormField
 * @property {HTMLElement} node
 * @property {{ customId: string, value: Input["value"] } | null} input
 * @property {() => boolean} check
 * @property {() => void} focus
 */

/**
 * @param {InputField} field
 * @param {Around} around
 * @returns {Input}
 */
function makeInput(field, around) {
  switch (field.kind) {
    case "text":
      return textField(field, around);
    case "file_upload":
      return fileField(field, around);
    case "radio_group":
    case "checkbox_group":
      return groupField(field, around);
    case "checkbox":
      return checkboxField(field, around);
    default:
      return selectField(field, around);
  }
}

/**
 * @param {Field} field
 * @param {Seat} seat
 * @param {Place} place
 * @returns {FormField}
 */
export function makeField(field, seat, place) {
  if (field.kind === "display") {
    const node = append(el("div", { class: "markdown modal-text" }), [render(field.content, namesFor(seat, place))]);
    return { node, input: null, check: () => true, focus: () => {} };
  }
  const id = `field-${(counter += 1)}`;
  const input = makeInput(field, { id, seat, place, changed: () => mark(null) });
  const error = el("p", { class: "field-error", id: `${id}-error`, role: "alert", hidden: true });
  const grouped = field.kind === "radio_group" || field.kind === "checkbox_group";
  const label = append(el(grouped ? "legend" : "label", grouped ? {} : { for: id }), [field.label, field.required ? el("span", { class: "needed", title: "needed", "aria-label": "needed", text: " *" }) : null]);
  const node = append(el(grouped ? "fieldset" : "div", { class: `modal-field ${field.kind}`, dataset: { field: field.custom_id } }), [
    label,
    field.description ? el("p", { class: "field-description", text: field.description }) : null,
    input.node,
    error,
  ]);
  /** @param {string | null} words */
  function mark(words) {
    error.textContent = words ?? "";
    error.hidden = !words;
    node.classList.toggle("wrong", Boolean(words));
  }
  return {
    node,
    input: { customId: field.custom_id, value: input.value },
    focus: () => (input.focusable ?? input.node).focus(),
    check: () => {
      const words = input.problem();
      mark(words);
      return words === null;
    },
  };
}

/**
 * @param {TextField} field
 * @param {Around} around
 * @returns {Input}
 */
function textField(field, { id, changed }) {
  const most = field.max_length ?? 4000;
  const least = field.min_length ?? 0;
  const count = el("span", { class: "count", "aria-hidden": "true" });
  const input = el(field.style === "paragraph" ? "textarea" : "input", {
    id,
    type: field.style === "paragraph" ? null : "text",
    rows: field.style === "paragraph" ? "5" : null,
    placeholder: field.placeholder,
    autocomplete: "off",
    "aria-required": field.required ? "true" : null,
    "aria-describedby": `${id}-error`,
    value: field.value ?? "",
    on: { input: () => (paint(), changed()) },
  });
  const length = () => [...input.value].length;
  function paint() {
    const now = length();
    count.textContent = least && now < least ? `${now}/${most}, at least ${least}` : `${now}/${most}`;
    count.classList.toggle("wrong", now > most);
  }
  paint();
  return {
    node: el("div", { class: "text-field" }, input, count),
    focusable: input,
    value: () => input.value,
    problem: () => {
      const now = length();
      if (!input.value.trim()) return field.required ? "This is needed." : null;
      if (now < least) return `At least ${least} characters; this is ${now}.`;
      return now > most ? `At most ${most} characters; this is ${now}.` : null;
    },
  };
}

/** @param {StringSelectField | EntitySelectField} field */
function chosenAtFirst(field) {
  if (field.kind !== "string_select") return field.default_values ?? [];
  return field.options.filter((option) => option.default).map((option) => option.value);
}

/**
 * @param {StringSelectField | EntitySelectField} field
 * @param {Around} around
 * @returns {Input}
 */
function selectField(field, { id, seat, place, changed }) {
  let values = chosenAtFirst(field);
  const min = field.required ? Math.max(1, field.min_values ?? 1) : 0;
  const node = selectMenu({
    label: field.label,
    placeholder: field.placeholder,
    choices: () => choicesFor(field, seat, place),
    chosen: values,
    min,
    max: field.max_values ?? 1,
    customId: field.custom_id,
    id,
    onChange: (chosen) => {
      values = chosen;
      changed();
    },
  });
  return { node, value: () => values, problem: () => (values.length < min ? (min > 1 ? `Choose at least ${min}.` : "Choose one.") : null) };
}

/**
 * @param {FileField} field
 * @param {Around} around
 * @returns {Input}
 */
function fileField(field, { id, changed }) {
  const most = field.max_values ?? 1;
  const least = field.required ? Math.max(1, field.min_values ?? 1) : 0;
  const chosen = el("span", { text: most > 1 ? `choose up to ${most} files` : "choose a file" });
  const input = el("input", { id, type: "file", class: "option-file", multiple: most > 1 });
  const files = () => [...(input.files ?? [])];
  input.addEventListener("change", () => {
    const names = files().map((file) => `${file.name} (${fileSize(file.size)})`);
    chosen.textContent = names.join(", ") || "choose a file";
    changed();
  });
  return {
    node: el("span", { class: "file-field" }, el("span", { class: "file-chosen" }, icon("file"), chosen), input),
    focusable: input,
    value: () => Promise.all(files().map(encodeFile)),
    problem: () => {
      const count = files().length;
      const big = files().find((file) => file.size > LARGEST_FILE);
      if (big) return `${big.name} is ${fileSize(big.size)}; at most 10 MB can be sent.`;
      if (count < least) return least > 1 ? `Choose at least ${least} files.` : "Choose a file.";
      return count > most ? `At most ${most} file${most > 1 ? "s" : ""}.` : null;
    },
  };
}

/**
 * Radio buttons, or checkboxes of which several may be ticked.
 *
 * @param {GroupField} field
 * @param {Around} around
 * @returns {Input}
 */
function groupField(field, { id, changed }) {
  const many = field.kind === "checkbox_group";
  const inputs = field.options.map((option) => el("input", { type: many ? "checkbox" : "radio", name: id, value: option.value, checked: Boolean(option.default), on: { change: changed } }));
  const rows = field.options.map((option, index) =>
    el("label", { class: "tick-row" }, inputs[index], el("span", {}, el("span", { class: "option-label", text: option.label }), option.description ? el("span", { class: "option-detail", text: option.description }) : null)),
  );
  const chosen = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const least = field.required ? Math.max(1, field.min_values ?? 1) : 0;
  const most = field.max_values ?? field.options.length;
  return {
    node: el("div", { class: "tick-rows" }, ...rows),
    focusable: inputs[0],
    value: () => (many ? chosen() : chosen()[0] ?? ""),
    problem: () => {
      const count = chosen().length;
      if (count < least) return least > 1 ? `Choose at least ${least}.` : "Choose one.";
      return many && count > most ? `Choose at most ${most}.` : null;
    },
  };
}

/**
 * @param {CheckboxField} field
 * @param {Around} around
 * @returns {Input}
 */
function checkboxField(field, { id, changed }) {
  const input = el("input", { type: "checkbox", id, checked: Boolean(field.default), on: { change: changed } });
  return { node: el("span", { class: "tick-row" }, input), focusable: input, value: () => input.checked, problem: () => null };
}
