// Images, files, and the viewer in which an image opens full size.

import { el, icon, iconButton } from "../dom.js";
import { fileSize, webAddress } from "../model/values.js";

/** @import { Attachment } from "../../seat_api.js" */

/** The largest that an image is shown in a message and in an embed, in CSS pixels; elsewhere the layout decides. */
const LARGEST = new Map([
  ["", { width: 550, height: 420 }],
  ["embed-image", { width: 480, height: 360 }],
]);

/** @typedef {{ url: string, width?: number, height?: number, description?: string | null, filename?: string, spoiler?: boolean }} Image */

/**
 * The path under which a file of the playground can be shown, or null when the address lies elsewhere (the page
 * loads nothing from other hosts; such a file is offered as a link).
 *
 * @param {string} address
 */
function localPath(address) {
  try {
    const url = new URL(address, location.href);
    const loopback = ["localhost", "127.0.0.1", "[::1]", location.hostname].includes(url.hostname);
    return loopback && url.pathname.startsWith("/cdn/") ? url.pathname + url.search : null;
  } catch {
    return null;
  }
}

/**
 * An image that opens in the viewer; an image from elsewhere is a link, for the page loads nothing from other hosts.
 *
 * @param {Image} image
 * @param {string} [className]
 */
export function imageButton({ url, width, height, description, filename, spoiler = false }, className = "") {
  const path = localPath(url);
  const words = description || filename || "image";
  if (path === null) {
    const href = webAddress(url);
    return el("a", { class: "outside-image", href, target: "_blank", rel: "noopener noreferrer", text: `Image elsewhere: ${words}` });
  }
  const image = el("img", { src: path, alt: words, decoding: "async", width: width || null, height: height || null });
  const button = el(
    "button",
    {
      type: "button",
      class: `image ${className}`,
      "aria-label": `Open image: ${words}`,
      dataset: { full: path, caption: description ?? "", filename: filename ?? "" },
      on: {
        click: () => {
          if (button.classList.contains("hidden-spoiler")) button.classList.remove("hidden-spoiler");
          else openViewer(button);
        },
      },
    },
    image,
    description ? el("span", { class: "alt-mark", text: "ALT", title: description, "aria-hidden": "true" }) : null,
  );
  if (width && height) {
    // The place is reserved before the picture comes, so that nothing jumps.
    image.style.aspectRatio = `${width} / ${height}`;
    const most = LARGEST.get(className);
    if (most) button.style.width = `${Math.round(width * Math.min(1, most.width / width, most.height / height))}px`;
  }
  if (spoiler || filename?.startsWith("SPOILER_")) button.classList.add("hidden-spoiler");
  image.addEventListener("error", () => button.classList.add("broken"));
  return button;
}

/**
 * A file to download.
 *
 * @param {{ url: string, filename?: string, size?: number | null, description?: string }} file
 */
export function fileCard({ url, filename, size, description }) {
  const path = localPath(url);
  const name = filename ?? "file";
  return el(
    "a",
    { class: "file-card", href: path ?? webAddress(url), download: path ? name : null, target: path ? null : "_blank", rel: "noopener noreferrer" },
    icon("file"),
    el("span", { class: "file-text" }, el("span", { class: "file-name", text: name }), el("span", { class: "file-size", text: [size ? fileSize(size) : null, description].filter(Boolean).join(" · ") || "file" })),
    icon("download"),
  );
}

/**
 * All attachments of a message: images first, as Discord shows them, then files.
 *
 * @param {Attachment[]} attachments
 */
export function renderAttachments(attachments) {
  /** @param {Attachment} file */
  const isImage = (file) => /^image\/(png|jpeg|gif|webp|avif|bmp)$/.test((file.content_type ?? "").split(";")[0]);
  const images = attachments.filter(isImage);
  const files = attachments.filter((file) => !isImage(file));
  return [
    images.length ? el("div", { class: images.length > 1 ? "images many" : "images" }, ...images.map((file) => imageButton(file))) : null,
    ...files.map((file) => fileCard(file)),
  ];
}

// --- the viewer --------------------------------------------------------------------------------------------------

/**
 * Open the image of a button, with the other images of its channel to leaf through.
 *
 * @param {HTMLElement} button
 */
function openViewer(button) {
  const selector = "#timeline .image[data-full]:not(.hidden-spoiler), dialog .image[data-full]";
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(selector))];
  let at = all.indexOf(button);
  const image = el("img", { class: "viewer-image", on: { click: () => void stage.classList.toggle("actual") } });
  const stage = el("div", { class: "viewer-stage", on: { click: (event) => void (event.target === stage && dialog.close()) } }, image);
  const caption = el("p", { class: "viewer-caption" });
  const link = el("a", { class: "icon-button", target: "_blank", rel: "noopener noreferrer", title: "Open in a new tab", "aria-label": "Open in a new tab" }, icon("open"));
  const save = el("a", { class: "icon-button", title: "Download", "aria-label": "Download" }, icon("download"));
  const previous = iconButton("left", "Previous image", () => show(at - 1));
  const next = iconButton("right", "Next image", () => show(at + 1));
  const close = iconButton("close", "Close", () => dialog.close());
  const dialog = el(
    "dialog",
    { class: "viewer", "aria-label": "Image", on: { close: () => { dialog.remove(); button.focus(); }, keydown } },
    el("div", { class: "viewer-bar" }, previous, next, el("span", { class: "grow" }), link, save, close),
    stage,
    caption,
  );

  /** @param {number} index */
  function show(index) {
    if (index < 0 || index >= all.length) return;
    at = index;
    const { full = "", caption: words = "", filename = "" } = all[at].dataset;
    image.src = full;
    image.alt = words || filename || "image";
    link.href = full;
    save.href = full;
    save.download = filename || (full.split("/").at(-1) ?? "");
    caption.textContent = words;
    caption.hidden = !words;
    stage.classList.remove("actual");
    previous.disabled = at === 0;
    next.disabled = at === all.length - 1;
    previous.hidden = next.hidden = all.length < 2;
  }

  /** @param {KeyboardEvent} event */
  function keydown(event) {
    if (event.key === "ArrowLeft") show(at - 1);
    else if (event.key === "ArrowRight") show(at + 1);
  }

  document.body.append(dialog);
  show(at);
  dialog.showModal();
  close.focus();
}
