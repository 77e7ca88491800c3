// The welcome: what this is, whose seat to take, and what to do there first. In the place of the open channel.

import { append, avatar, clear, el } from "./dom.js";

/** @import { Page } from "./app.js" */
/** @import { Seat } from "./model/store.js" */

const WHAT = [
  "Plotroom referees space campaigns in which each side sees only what it has found out; orders are given in secret, and carried out together.",
  "This is a little Discord of its own on your computer: take any seat, and play all sides yourself.",
];

/**
 * Whether something of a message can be pressed or chosen from.
 *
 * @param {readonly unknown[]} components
 * @returns {boolean}
 */
function canAnswer(components) {
  return components.some((one) => {
    const { custom_id: id, disabled, components: inner = [], accessory } = /** @type {any} */ (one);
    return (id !== undefined && !disabled) || canAnswer(accessory ? [...inner, accessory] : inner);
  });
}

export class Welcome {
  /**
   * @param {Page} page
   * @param {HTMLElement} box
   * @param {HTMLElement} opener shows it again
   */
  constructor(page, box, opener) {
    this.page = page;
    this.box = box;
    this.opener = opener;
    opener.addEventListener("click", () => (this.shown ? this.leave() : this.show()));
  }

  get shown() {
    return !this.box.hidden;
  }

  /** The seat that is offered: the first that commands, else the first of all. */
  get offered() {
    const seats = [...this.page.seats.values()];
    return seats.find((seat) => /commander/.test(seat.profile.note)) ?? seats[0];
  }

  show() {
    const seat = this.offered;
    if (!seat) return;
    clear(this.box);
    append(this.box, this.content(seat));
    this.box.hidden = false;
    document.body.classList.add("welcoming");
    this.opener.setAttribute("aria-expanded", "true");
    /** @type {HTMLElement | null} */ (this.box.querySelector(".button.primary"))?.focus();
  }

  hide() {
    if (!this.shown) return;
    this.box.hidden = true;
    document.body.classList.remove("welcoming");
    this.opener.setAttribute("aria-expanded", "false");
  }

  /** Hide it, with the focus back where it was opened. */
  leave() {
    this.hide();
    this.opener.focus();
  }

  /**
   * Take a seat where the bot writes to it, at the first card that is to be answered.
   *
   * @param {Seat} seat
   */
  async take(seat) {
    const { page } = this;
    if (!(await page.ready(seat))) return;
    const bot = seat.state?.application.id ?? "";
    await page.attempt(async () => {
      const known = [...seat.channels.values()].find((one) => one.kind === "dm" && one.user?.id === bot);
      const channel = known ?? (await seat.api.act("open_dm", { user_id: bot })).channel;
      if (!seat.channels.has(channel.id)) await seat.load();
      const log = seat.log(channel.id);
      if (!log.loaded) await log.loadLatest();
      const first = log.messages.find((message) => canAnswer(message.components));
      page.go(seat.id, channel.id, first?.id ?? null);
    });
  }

  /** @param {Seat} seat */
  content(seat) {
    const name = seat.profile.display;
    const others = [...this.page.seats.values()].filter((one) => one !== seat);
    return [
      el("h1", { id: "welcome-title", text: "Welcome to Plotroom" }),
      el("p", { id: "welcome-what", text: WHAT.join(" ") }),
      el("button", { type: "button", class: "button primary", "aria-describedby": "welcome-what welcome-first", on: { click: () => this.take(seat) } }, avatar(name, seat.profile.avatar_color), `Take ${name}’s seat`),
      el(
        "ol",
        { id: "welcome-first" },
        el("li", { text: `The bot has written to ${name}: read who you are and what is asked of you.` }),
        el("li", { text: "Press the coloured button of its card; what you choose is saved at once, and nothing is final before it closes." }),
        el("li", { text: "Then change seats at the top and answer for the others: when all are ready, play goes on." }),
      ),
      others.length ? el("p", { class: "quiet" }, "Or look around as ", ...others.flatMap((one, index) => [index ? ", " : "", this.other(one)]), ".") : null,
      el("p", { class: "quiet", text: "The ? at the top shows this again." }),
    ];
  }

  /** @param {Seat} seat */
  other(seat) {
    const { display, note, id } = seat.profile;
    return el("button", { type: "button", class: "link", title: note, text: note ? `${display} (${note})` : display, on: { click: () => this.page.takeSeat(id) } });
  }
}
