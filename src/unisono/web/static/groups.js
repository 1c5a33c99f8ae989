// The list of groups of aligned units, by default in descending order of disorder.

import { fill, h } from "./elements.js";
import { placeOf } from "./lanes.js";
import { count, decimals, position, whole } from "./words.js";

const PORTION = 12;
const KINDS = {
  correct: "correct",
  type: "wrong label",
  boundary: "wrong bounds",
  both: "wrong label and bounds",
  insertion: "spurious",
  deletion: "missed",
};

export class GroupList {
  /** `onSelect(group)` is called when a group is selected here. */
  constructor(onSelect) {
    this.onSelect = onSelect;
    this.filter = "all";
    this.order = "worst";
    this.list = h("ol", { class: "groups" });
    this.title = h("h3", {});
    this.controls = h("div", { class: "row" });
    this.more = h(
      "button",
      {
        type: "button",
        class: "small",
        onclick: () => {
          this.shown += PORTION * 2;
          this.#list();
        },
      },
      "Show more",
    );
    this.element = h(
      "div",
      { class: "group-list" },
      this.title,
      this.controls,
      this.list,
      this.more,
    );
  }

  show(scene, colours) {
    Object.assign(this, { scene, colours, shown: PORTION, selected: -1 });
    this.element.hidden = !scene.groups;
    if (!scene.groups) return;
    this.slots = scene.groups.some((group) => group.kind);
    this.missing = scene.groups.map((group) => group.units.some((unit) => unit == null));
    this.differing = scene.groups.map(
      (group) =>
        new Set(group.units.filter((unit) => unit != null).map((unit) => scene.label[unit])).size >
        1,
    );
    this.#controls();
    this.#list();
  }

  /** Mark a group that was selected elsewhere, and extend the list to include it. */
  mark(group, { scroll = false } = {}) {
    this.selected = group;
    const at = this.#ordered().indexOf(group);
    if (at >= this.shown) {
      this.shown = at + 1;
      this.#list();
    }
    for (const button of this.list.querySelectorAll("button.group")) {
      const on = Number(button.dataset.group) === group;
      button.setAttribute("aria-pressed", String(on));
      if (on && scroll) button.scrollIntoView({ block: "nearest" });
    }
  }

  #ordered() {
    const { scene } = this;
    const ranked = new Set(scene.worst);
    // Groups without disorder come last, in their original order.
    const rest = scene.groups.map((_, i) => i).filter((i) => !ranked.has(i));
    const order =
      this.order === "worst" ? [...scene.worst, ...rest] : scene.groups.map((_, i) => i);
    if (this.filter === "labels") return order.filter((i) => this.differing[i]);
    if (this.filter === "missing") return order.filter((i) => this.missing[i]);
    return order;
  }

  #controls() {
    const { groups } = this.scene;
    const total = (flags) => whole(flags.filter(Boolean).length);
    const what = this.slots ? "match" : "group";
    this.title.textContent = this.slots ? "Matched units" : "Groups of aligned units";
    const choice = (name, words) =>
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-pressed": String(this.filter === name),
          onclick: () => {
            this.filter = name;
            this.shown = PORTION;
            this.#controls();
            this.#list();
          },
        },
        words,
      );
    const order = h(
      "select",
      {
        "aria-label": "Order",
        onchange: () => {
          this.order = order.value;
          this.#list();
        },
      },
      h("option", { value: "worst", selected: this.order === "worst" }, "worst first"),
      h("option", { value: "place", selected: this.order === "place" }, "by position"),
    );
    fill(
      this.controls,
      h(
        "div",
        { class: "choices", role: "group", "aria-label": "Filter of groups" },
        choice("all", `all ${count(groups.length, what).replace("matchs", "matches")}`),
        choice("labels", `labels differ: ${total(this.differing)}`),
        choice("missing", `units missing: ${total(this.missing)}`),
      ),
      order,
    );
  }

  #list() {
    const order = this.#ordered();
    fill(
      this.list,
      order.slice(0, this.shown).map((group) => this.#entry(group)),
      order.length === 0 && h("li", { class: "note" }, "None."),
    );
    this.more.hidden = order.length <= this.shown;
    this.more.textContent = `Show more of ${whole(order.length)}`;
  }

  #entry(number) {
    const { scene } = this;
    const group = scene.groups[number];
    const [low, high] = placeOf(scene, number);
    const share = scene.mostDisorder > 0 ? (group.disorder ?? 0) / scene.mostDisorder : 0;
    const undecided = scene.undecided?.find((each) => each.group === number);
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "group",
          "data-group": number,
          "aria-pressed": String(number === this.selected),
          onclick: () => this.onSelect(number),
        },
        h(
          "span",
          { class: "group-head" },
          h("span", { class: "group-place" }, `${position(low)}–${position(high)}`),
          h("span", { class: "group-disorder" }, KINDS[group.kind] ?? decimals(group.disorder)),
          h(
            "span",
            { class: "bar", "aria-hidden": "true" },
            h("i", { style: { width: `${100 * share}%` } }),
          ),
        ),
        undecided && h("span", { class: "undecided" }, `undecided: ${undecided.reason}`),
        h(
          "span",
          { class: "members" },
          group.units.map((unit, lane) => this.#member(unit, lane)),
        ),
      ),
    );
  }

  #member(unit, lane) {
    const { scene } = this;
    const name = h("bdi", { class: "who" }, scene.annotators[lane] ?? "");
    if (unit == null) return h("span", { class: "member none" }, name, h("span", {}, "none"));
    const label = scene.labels[scene.label[unit]];
    const text = scene.texts?.[unit];
    return h(
      "span",
      { class: "member" },
      h("bdi", { class: "who" }, scene.annotators[scene.annotator[unit]]),
      h(
        "span",
        {},
        h("i", { class: "dot", style: { background: this.colours.get(label) } }),
        h("bdi", {}, label),
        " ",
        h(
          "span",
          { class: "muted" },
          `${position(scene.start[unit])}–${position(scene.end[unit])}`,
        ),
        text && h("q", { dir: "auto" }, text),
      ),
    );
  }
}
