// A form that the bot opened: its fields, what is wrong with them, and sending it.

import { encodeFile } from "./api.js";
import { append, el, fileSize, icon, iconButton } from "./dom.js";
import { render } from "./markdown.js";
import { namesFor } from "./names.js";
import { choicesFor, selectMenu } from "./picker.js";

const LARGEST_FILE = 10 * 1024 * 1024;
let counter = 0;

/** Shows the newest modal of the current seat, one at a time. */
export class ModalHost {
  constructor(page) {
    this.page = page;
    this.shown = null;
  }

  /** Bring what is shown into line with what is open for the seat. */
  sync(seat) {
    // A form on its way out, or one that nobody answered, closes itself: what was written must not vanish.
    if (this.shown?.held && this.shown.seat === seat) return;
    const wanted = [...seat.modals.values()].at(-1) ?? null;
    if (this.shown?.modal.interaction_id === wanted?.interaction_id && this.shown?.seat === (wanted && seat)) return;
    this.shown?.close();
    this.shown = wanted ? new ModalForm(this.page, seat, wanted) : null;
  }
}

class ModalForm {
  constructor(page, seat, modal) {
    Object.assign(this, { page, seat, modal });
    this.held = false;
    const channel = seat.channels.get(modal.channel_id) ?? { id: modal.channel_id, guild_id: modal.guild_id };
    this.fields = modal.fields.map((field) => makeField(field, seat, channel));
    this.problem = el("p", { class: "modal-problem", role: "alert", hidden: true });
    this.send = el("button", { type: "submit", class: "button primary", text: "Submit" });
    const title = `modal-title-${(counter += 1)}`;
    const form = el(
      "form",
      { class: "modal-form", novalidate: true, on: { submit: (event) => (event.preventDefault(), this.submit()) } },
      el("header", { class: "modal-head" }, el("h2", { id: title, text: modal.title }), iconButton("close", "Close", () => this.dismiss())),
      append(el("div", { class: "modal-body" }), this.fields.map((field) => field.node)),
      this.problem,
      el("footer", { class: "modal-foot" }, el("button", { type: "button", class: "button plain", text: "Cancel", on: { click: () => this.dismiss() } }), this.send),
    );
    this.before = document.activeElement;
    this.dialog = el(
      "dialog",
      {
        class: "modal",
        "aria-labelledby": title,
        dataset: { modal: modal.custom_id },
        on: {
          cancel: (event) => {
            event.preventDefault();
            this.dismiss();
          },
          keydown: (event) => this.trap(event),
        },
      },
      form,
    );
    document.body.append(this.dialog);
    this.dialog.showModal();
    (this.dialog.querySelector(".modal-body input, .modal-body textarea, .modal-body button") ?? this.send).focus();
  }

  /** Tab goes round within the form instead of out into the browser. */
  trap(event) {
    if (event.key !== "Tab") return;
    const stops = [...this.dialog.querySelectorAll("a[href], button:not(:disabled), input:not([hidden]), textarea")].filter((node) => node.offsetParent !== null);
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement === edge) {
      event.preventDefault();
      (event.shiftKey ? stops.at(-1) : stops[0]).focus();
    }
  }

  close() {
    this.dialog.close();
    this.dialog.remove();
    if (this.before?.isConnected && this.before !== document.body) this.before.focus();
    else this.page.focusComposer();
  }

  dismiss() {
    const open = this.seat.modals.has(this.modal.interaction_id);
    this.forget();
    if (open) this.page.attempt(() => this.seat.api.act("modal_dismiss", { interaction_id: this.modal.interaction_id }));
  }

  forget() {
    this.held = false;
    this.seat.modals.delete(this.modal.interaction_id);
    this.seat.changed("modal");
  }

  say(words) {
    this.problem.textContent = words ?? "";
    this.problem.hidden = !words;
  }

  async submit() {
    if (this.send.disabled) return;
    const wrong = this.fields.filter((field) => !field.check());
    this.say(wrong.length > 1 ? `${wrong.length} fields need another look.` : null);
    if (wrong.length) {
      wrong[0].focus();
      // The label belongs in sight as well as what it labels.
      wrong[0].node.scrollIntoView({ block: "nearest" });
      return;
    }
    this.held = true;
    this.send.disabled = true;
    this.send.classList.add("working");
    try {
      const values = {};
      for (const field of this.fields) if (field.customId) values[field.customId] = await field.value();
      const answer = await this.seat.api.act("modal", { interaction_id: this.modal.interaction_id, values });
      if (answer.outcome === "failed") this.say("The bot did not answer. Try again, or copy what you wrote and open the form again.");
      else this.forget();
    } catch (error) {
      this.say(error.code === "unknown_modal" ? "This form is no longer open. Copy what you wrote, close it and start again." : error.message);
    } finally {
      this.send.disabled = false;
      this.send.classList.remove("working");
    }
  }
}

/** A field of the form: `node`, `customId`, `check()` (marks what is wrong), `value()`, `focus()`. */
function makeField(field, seat, channel) {
  if (field.kind === "display") {
    const node = append(el("div", { class: "markdown modal-text" }), [render(field.content, namesFor(seat, channel))]);
    return { node, customId: null, check: () => true, focus: () => {} };
  }
  const id = `field-${(counter += 1)}`;
  const input = INPUTS[field.kind](field, { id, seat, channel, changed: () => mark(null) });
  const error = el("p", { class: "field-error", id: `${id}-error`, role: "alert", hidden: true });
  const grouped = field.kind === "radio_group" || field.kind === "checkbox_group";
  const label = append(el(grouped ? "legend" : "label", grouped ? {} : { for: id }), [field.label, field.required ? el("span", { class: "needed", title: "needed", "aria-label": "needed", text: " *" }) : null]);
  const node = append(el(grouped ? "fieldset" : "div", { class: `modal-field ${field.kind}`, dataset: { field: field.custom_id } }), [
    label,
    field.description ? el("p", { class: "field-description", text: field.description }) : null,
    input.node,
    error,
  ]);
  function mark(words) {
    error.textContent = words ?? "";
    error.hidden = !words;
    node.classList.toggle("wrong", Boolean(words));
  }
  return {
    node,
    customId: field.custom_id,
    value: input.value,
    focus: () => (input.focusable ?? input.node).focus(),
    check: () => {
      const words = input.problem();
      mark(words);
      return words === null;
    },
  };
}

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

function selectField(field, { id, seat, channel, changed }) {
  let values = field.kind === "string_select" ? field.options.filter((option) => option.default).map((option) => option.value) : field.default_values ?? [];
  const min = field.required ? Math.max(1, field.min_values ?? 1) : 0;
  const node = selectMenu({
    label: field.label,
    placeholder: field.placeholder,
    choices: () => choicesFor(field, seat, channel),
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

function fileField(field, { id, changed }) {
  const most = field.max_values ?? 1;
  const least = field.required ? Math.max(1, field.min_values ?? 1) : 0;
  const list = el("span", { class: "file-chosen" }, icon("file"), el("span", { text: most > 1 ? `choose up to ${most} files` : "choose a file" }));
  const input = el("input", {
    id,
    type: "file",
    class: "option-file",
    multiple: most > 1,
    on: {
      change: () => {
        const names = [...input.files].map((file) => `${file.name} (${fileSize(file.size)})`);
        list.lastChild.textContent = names.join(", ") || "choose a file";
        changed();
      },
    },
  });
  return {
    node: el("span", { class: "file-field" }, list, input),
    focusable: input,
    value: () => Promise.all([...input.files].map(encodeFile)),
    problem: () => {
      const big = [...input.files].find((file) => file.size > LARGEST_FILE);
      if (big) return `${big.name} is ${fileSize(big.size)}; at most 10 MB can be sent.`;
      if (input.files.length < least) return least > 1 ? `Choose at least ${least} files.` : "Choose a file.";
      return input.files.length > most ? `At most ${most} file${most > 1 ? "s" : ""}.` : null;
    },
  };
}

/** Radio buttons, or checkboxes of which several may be ticked. */
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

function checkboxField(field, { id, changed }) {
  const input = el("input", { type: "checkbox", id, checked: Boolean(field.default), on: { change: changed } });
  return { node: el("span", { class: "tick-row" }, input), focusable: input, value: () => input.checked, problem: () => null };
}

const INPUTS = {
  text: textField,
  string_select: selectField,
  user_select: selectField,
  role_select: selectField,
  mentionable_select: selectField,
  channel_select: selectField,
  file_upload: fileField,
  radio_group: groupField,
  checkbox_group: groupField,
  checkbox: checkboxField,
};
