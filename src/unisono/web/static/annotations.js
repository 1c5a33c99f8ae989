// The annotations of one document: the drawing and the list of groups, synchronized.

import { drawing } from "./api.js";
import { ContinuumView } from "./continuum.js";
import { byId, fill, h } from "./elements.js";
import { GroupList } from "./groups.js";
import { count } from "./words.js";

export class Annotations {
  constructor() {
    this.view = new ContinuumView({
      onSelect: (group) => this.groups.mark(group, { scroll: false }),
    });
    this.groups = new GroupList((group) => {
      this.view.select(this.view.selected === group ? -1 : group);
      this.view.element.scrollIntoView({ block: "nearest" });
    });
    this.picker = h("select", {
      id: "document",
      onchange: () => this.#choose(Number(this.picker.value)),
    });
    this.about = h("p", { class: "note" });
    this.chooser = h(
      "div",
      { class: "row document-choice" },
      h("label", { for: "document" }, "Document"),
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": "Previous document",
          onclick: () => this.#step(-1),
        },
        "‹",
      ),
      this.picker,
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-label": "Next document",
          onclick: () => this.#step(1),
        },
        "›",
      ),
    );
    this.section = byId("annotations");
    fill(
      byId("annotations-body"),
      this.chooser,
      this.about,
      this.view.element,
      this.groups.element,
    );
  }

  /**
   * Show the documents of a finished job. The current one stays if it still exists, unless
   * it was `early`: shown before the first result.
   */
  async show(job, documents, { first, early = false, signal } = {}) {
    this.job = job;
    this.documents = documents;
    this.section.hidden = documents.length === 0;
    if (documents.length === 0) return;
    this.chooser.hidden = documents.length < 2;
    fill(
      this.picker,
      documents.map((each) =>
        h("option", { value: each.number }, `${each.name} (${count(each.n_units, "unit")})`),
      ),
    );
    const named = (name) => documents.find((each) => each.name === name);
    const kept = (this.settled && named(this.current)) || named(first) || documents[0];
    this.settled = !early;
    await this.#load(kept.number, signal);
  }

  hide() {
    this.section.hidden = true;
  }

  /** Remove everything, because the data have changed. */
  forget() {
    this.current = null;
    this.settled = false;
    this.hide();
  }

  chooseDocument(name) {
    const found = this.documents.find((each) => each.name === name);
    if (!found) return;
    this.#choose(found.number);
    this.section.scrollIntoView({ block: "start" });
  }

  #step(by) {
    const at = this.documents.findIndex((each) => each.number === Number(this.picker.value));
    const next = this.documents[(at + by + this.documents.length) % this.documents.length];
    this.#choose(next.number);
  }

  #choose(number) {
    this.settled = true;
    this.#load(number);
  }

  async #load(number, signal) {
    const job = this.job;
    const found = await drawing(job, number, signal).catch((error) => {
      if (error.name !== "AbortError") this.about.textContent = error.message;
      return null;
    });
    if (!found || job !== this.job) return;
    this.picker.value = String(number);
    const again =
      found.name === this.current && this.view.scene?.nUnits === found.units.start.length;
    const seen = again ? [this.view.view.low, this.view.view.high] : null;
    this.current = found.name;
    this.view.show(found);
    if (seen) this.view.view.set(...seen);
    this.groups.show(this.view.scene, this.view.colours);
    this.about.textContent = this.#words(found);
  }

  #words(found) {
    const parts = [
      count(found.annotators.length, "annotator"),
      count(found.units.start.length, "unit"),
    ];
    if (found.groups) parts.push(count(found.groups.length, "group"));
    const groups = found.groups
      ? ". Ribbons connect aligned units; the warmer the colour, the more disorder."
      : ".";
    return parts.join(", ") + groups;
  }
}
