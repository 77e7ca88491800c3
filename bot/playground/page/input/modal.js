// A form that the bot opened: its fields, what is wrong with them, and sending it.

import { Refused } from "../api.js";
import { append, el, iconButton } from "../dom.js";
import { wordsOf } from "../model/values.js";
import { makeField } from "./fields.js";

/** @import { FieldValue, Modal } from "../../seat_api.js" */
/** @import { Page } from "../app.js" */
/** @import { Seat } from "../model/store.js" */

let counter = 0;

/** Shows the newest modal of the current seat, one at a time. */
export class ModalHost {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {ModalForm | null} */
    this.shown = null;
  }

  /**
   * Bring what is shown into line with what is open for the seat.
   *
   * @param {Seat} seat
   */
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
  /**
   * @param {Page} page
   * @param {Seat} seat
   * @param {Modal} modal
   */
  constructor(page, seat, modal) {
    this.page = page;
    this.seat = seat;
    this.modal = modal;
    this.held = false;
    const place = seat.channels.get(modal.channel_id) ?? { guild_id: modal.guild_id };
    this.fields = modal.fields.map((field) => makeField(field, seat, place));
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
    this.before = document.activeElement instanceof HTMLElement ? document.activeElement : null;
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
    /** @type {HTMLElement | null} */
    const first = this.dialog.querySelector(".modal-body input, .modal-body textarea, .modal-body button");
    (first ?? this.send).focus();
  }

  /**
   * Tab goes round within the form instead of out into the browser.
   *
   * @param {KeyboardEvent} event
   */
  trap(event) {
    if (event.key !== "Tab") return;
    const selector = "a[href], button:not(:disabled), input:not([hidden]), textarea";
    const all = [.../** @type {NodeListOf<HTMLElement>} */ (this.dialog.querySelectorAll(selector))];
    const stops = all.filter((node) => node.offsetParent !== null);
    const [edge, opposite] = event.shiftKey ? [stops.at(0), stops.at(-1)] : [stops.at(-1), stops.at(0)];
    if (document.activeElement === edge) {
      event.preventDefault();
      opposite?.focus();
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
    this.seat.changed({ what: "modal" });
  }

  /** @param {string | null} words */
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
      /** @type {Record<string, FieldValue>} */
      const values = {};
      for (const { input } of this.fields) if (input) values[input.customId] = await input.value();
      const answer = await this.seat.api.act("modal", { interaction_id: this.modal.interaction_id, values });
      if (answer.outcome === "failed") this.say("The bot did not answer. Try again, or copy what you wrote and open the form again.");
      else this.forget();
    } catch (error) {
      const closed = error instanceof Refused && error.code === "unknown_modal";
      this.say(closed ? "This form is no longer open. Copy what you wrote, close it and start again." : wordsOf(error));
    } finally {
      this.send.disabled = false;
      this.send.classList.remove("working");
    }
  }
}
