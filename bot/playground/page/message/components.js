// Buttons, select menus and the layout components of a message.

import { append, el, icon } from "../dom.js";
import { choicesFor, selectMenu } from "../input/picker.js";
import { cssColor, webAddress } from "../model/values.js";
import { fileCard, imageButton } from "./media.js";
import { render } from "./text.js";

/** @import { Button, Channel, Component, EntitySelect, MediaItem, StringSelect } from "../../seat_api.js" */
/** @import { Names } from "../model/names.js" */
/** @import { Seat } from "../model/store.js" */

/** The classes of buttons, by style. */
const STYLES = new Map([
  [1, "primary"],
  [2, "secondary"],
  [3, "success"],
  [4, "danger"],
]);

/**
 * What components belong to.
 *
 * @typedef {object} Context
 * @property {Seat} seat
 * @property {Channel} channel
 * @property {Names} names
 * @property {(node: HTMLElement, customId: string | undefined) => unknown} press send a press on a button
 * @property {(node: HTMLElement, customId: string, values: string[]) => unknown} select send a choice
 */

/**
 * All components of a message.
 *
 * @param {Component[]} components
 * @param {Context} context
 */
export function renderComponents(components, context) {
  const box = el("div", { class: "components" });
  append(box, components.map((component) => renderComponent(component, context)));
  return box;
}

/**
 * @param {Component} component
 * @param {Context} context
 * @returns {HTMLElement}
 */
function renderComponent(component, context) {
  /** @param {Component[]} components */
  const within = (components) => components.map((inner) => renderComponent(inner, context));
  switch (component.type) {
    case 1:
      return append(el("div", { class: "action-row" }), within(component.components));
    case 2:
      return renderButton(component, context);
    case 3:
    case 5:
    case 6:
    case 7:
    case 8:
      return renderSelect(component, context);
    case 9:
      return append(el("div", { class: "section" }, append(el("div", { class: "section-text" }), within(component.components))), [
        component.accessory && renderComponent(component.accessory, context),
      ]);
    case 10:
      return append(el("div", { class: "markdown" }), [render(component.content, context.names)]);
    case 11:
      return mediaOf(component, "thumbnail");
    case 12:
      return append(el("div", { class: "gallery" }), component.items.map((item) => mediaOf(item, "gallery-item")));
    case 13:
      return fileCard({ url: component.file.url, filename: component.name ?? "file", size: component.size });
    case 14:
      return el("hr", { class: `separator${component.divider === false ? " blank" : ""}${component.spacing === 2 ? " wide" : ""}` });
    case 17: {
      const color = cssColor(component.accent_color);
      const box = append(el("div", { class: `container${color ? " with-edge" : ""}` }), within(component.components));
      if (color) box.style.setProperty("--edge", color);
      return box;
    }
    default:
      return el("div", { class: "unknown", text: `A component of a kind that this page does not know (${/** @type {Component} */ (component).type}).` });
  }
}

/**
 * @param {MediaItem} item
 * @param {string} className
 */
function mediaOf({ media, description, spoiler }, className) {
  return imageButton({ url: media.url, width: media.width, height: media.height, description, spoiler }, className);
}

/**
 * @param {Button} component
 * @param {Context} context
 */
function renderButton(component, context) {
  const emoji = component.emoji && !component.emoji.id ? el("span", { class: "emoji", text: component.emoji.name }) : null;
  const label = component.label ? el("span", { text: component.label }) : null;
  if (component.style === 5) {
    const href = webAddress(component.url);
    const inside = context.names.jump(component.url);
    const target = inside ? { href: inside.href } : { href, target: "_blank", rel: "noopener noreferrer" };
    return el("a", { class: "button secondary", ...target, "aria-disabled": component.disabled ? "true" : null }, emoji, label, icon("open"));
  }
  const button = el(
    "button",
    {
      type: "button",
      class: `button ${STYLES.get(component.style) ?? "secondary"}`,
      disabled: Boolean(component.disabled),
      "aria-label": component.label ? null : component.emoji?.name ?? "button",
      dataset: { customId: component.custom_id ?? "" },
      on: { click: () => void context.press(button, component.custom_id) },
    },
    emoji,
    label,
  );
  return button;
}

/**
 * @param {StringSelect | EntitySelect} component
 * @param {Context} context
 */
function renderSelect(component, context) {
  const chosen =
    component.type === 3 ? component.options.filter((option) => option.default).map((option) => option.value) : (component.default_values ?? []).map((value) => value.id);
  const menu = selectMenu({
    label: component.placeholder,
    placeholder: component.placeholder,
    choices: () => choicesFor(component, context.seat, context.channel),
    chosen,
    min: component.min_values ?? 1,
    max: component.max_values ?? 1,
    disabled: Boolean(component.disabled),
    customId: component.custom_id,
    onChange: (values) => void context.select(menu, component.custom_id, values),
  });
  return menu;
}
