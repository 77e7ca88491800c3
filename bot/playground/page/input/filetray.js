// The files that go with the next message.

import { el, icon, iconButton } from "../dom.js";
import { fileSize, LARGEST_FILE } from "../model/values.js";

const MOST = 10;

export class FileTray {
  /**
   * @param {object} told
   * @param {(words: string) => void} told.refuse a file cannot be sent
   * @param {() => void} told.taken files were added
   */
  constructor({ refuse, taken }) {
    this.refuse = refuse;
    this.taken = taken;
    /** @type {readonly File[]} */
    this.files = [];
    this.node = el("div", { class: "file-tray" });
    this.picker = el("input", { type: "file", multiple: true, hidden: true });
    this.picker.addEventListener("change", () => this.take(this.picker.files ?? []));
  }

  /** Let the person choose files. */
  choose() {
    this.picker.click();
  }

  /**
   * Add files, as far as they can be sent.
   *
   * @param {Iterable<File>} list
   */
  take(list) {
    const files = [...this.files];
    for (const file of list) {
      if (file.size > LARGEST_FILE) this.refuse(`${file.name} is ${fileSize(file.size)}; at most 10 MB can be sent.`);
      else if (files.length >= MOST) this.refuse("At most 10 files fit in a message.");
      else files.push(file);
    }
    this.picker.value = "";
    this.show(files);
    this.taken();
  }

  /**
   * Hold these files, and no others.
   *
   * @param {readonly File[]} files
   */
  show(files) {
    this.files = files;
    const without = (/** @type {File} */ file) => this.show(this.files.filter((other) => other !== file));
    this.node.replaceChildren(
      ...files.map((file) =>
        el(
          "span",
          { class: "file-chip" },
          icon("file"),
          el("span", { text: `${file.name} (${fileSize(file.size)})` }),
          iconButton("close", `Remove ${file.name}`, () => without(file)),
        ),
      ),
    );
  }
}
