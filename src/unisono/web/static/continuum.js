// The zoomable continuum: a canvas with the visible part, and details of the unit at the pointer.

import { labelColours, themeColours } from "./colours.js";
import { h, fill } from "./elements.js";
import { gestures } from "./gestures.js";
import { laneScene, placeOf, unitAt } from "./lanes.js";
import { Overview } from "./overview.js";
import { CanvasPainter, SvgPainter } from "./painters.js";
import { geometry, paint, rowTop } from "./picture.js";
import { Viewport } from "./viewport.js";
import { count, decimals, position } from "./words.js";

const HELP =
  "Arrow keys move, + and − zoom, 0 shows all, N and P select the next and previous worst " +
  "group, up and down its units, Escape ends the selection.";

export class ContinuumView {
  /** `onSelect(group)` is called when another group is selected here; -1 for none. */
  constructor({ onSelect = () => {} } = {}) {
    this.onSelect = onSelect;
    this.selected = -1;
    this.hovered = -1;
    this.canvas = h("canvas", {
      class: "continuum",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "zoomable drawing",
      "aria-label": "Annotations",
    });
    this.overview = new Overview();
    this.tip = h("div", { class: "tip", hidden: true });
    this.hint = h(
      "p",
      { class: "wheel-hint", hidden: true },
      "Ctrl + wheel zooms, or click the drawing first",
    );
    this.live = h("p", { class: "sr-only", role: "status", "aria-live": "polite" });
    this.legend = h("ul", { class: "legend", "aria-label": "Labels" });
    this.stage = h("div", { class: "stage" }, this.canvas, this.tip, this.hint);
    this.element = h(
      "div",
      { class: "continuum-view" },
      this.#toolbar(),
      this.legend,
      this.stage,
      this.overview.canvas,
      h("p", { class: "note keys" }, HELP),
      this.live,
    );
    gestures(this.canvas, () => this.view, {
      place: (x) => this.#place(x),
      inner: () => this.shape.width - this.shape.gutter - this.shape.right,
      hover: (x, y) => this.#hover(x, y),
      leave: () => this.#leave(),
      choose: (x, y) => this.#choose(x, y),
      hint: () => this.#showHint(),
      step: (by) => this.step(by),
      stepUnit: (by) => this.#stepUnit(by),
      clear: () => this.select(-1),
    });
    new ResizeObserver(() => this.#resize()).observe(this.stage);
    const repaint = () => {
      this.theme = null;
      this.#dirty();
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
    addEventListener("themechange", repaint);
  }

  show(drawing) {
    this.scene = laneScene(drawing);
    this.colours = labelColours(this.scene.labels);
    this.view = new Viewport(this.scene.extent, () => this.#dirty());
    this.overview.show(this.scene, this.view);
    this.selected = -1;
    this.hovered = -1;
    this.canvas.setAttribute(
      "aria-label",
      `${this.scene.name}: ${count(this.scene.nUnits, "unit")} of ` +
        `${count(drawing.annotators.length, "annotator")}. ${HELP}`,
    );
    const grouped = Boolean(this.scene.groups);
    for (const button of this.element.querySelectorAll(".for-groups")) button.hidden = !grouped;
    this.#legend();
    this.#resize();
  }

  /** Select a group and bring it into view. */
  select(group, { glide = true } = {}) {
    this.selected = group;
    if (group >= 0 && glide) this.view.show(...placeOf(this.scene, group));
    this.unitInGroup = -1;
    this.#dirty();
    this.onSelect(group);
  }

  /** Select the next or previous group, the worst first. */
  step(by) {
    const order = this.scene?.worst ?? [];
    if (order.length === 0) return;
    const at = order.indexOf(this.selected);
    const next = at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length;
    this.select(order[next]);
    this.live.textContent = this.groupSentence(order[next]);
  }

  groupSentence(group) {
    const scene = this.scene;
    const { disorder, units, kind } = scene.groups[group];
    const members = units.map((unit, lane) =>
      unit == null ? `${scene.annotators[lane]}: none` : this.unitSentence(unit),
    );
    return `Group ${group + 1}, ${kind ?? `disorder ${decimals(disorder)}`}. ${members.join("; ")}`;
  }

  unitSentence(unit) {
    const scene = this.scene;
    const who = scene.annotators[scene.annotator[unit]];
    const place = `${position(scene.start[unit])} to ${position(scene.end[unit])}`;
    const sentence = `${who}: ${place}, ${scene.labels[scene.label[unit]]}`;
    const text = scene.texts?.[unit];
    return text ? `${said}, “${text}”` : sentence;
  }

  /** The current view, as the text of an SVG file. */
  toSvg() {
    const shape = geometry(this.scene, Math.max(700, this.shape.width));
    const painter = new SvgPainter(shape.width, shape.height, this.scene.name);
    paint(painter, this.scene, shape, this.view, {
      theme: this.#themed(),
      colours: this.colours,
      selected: this.selected,
    });
    return painter.toString();
  }

  /** The current view as a PNG, at twice the resolution of the screen. */
  toPng() {
    const shape = geometry(this.scene, Math.max(700, this.shape.width));
    const canvas = h("canvas", { width: shape.width * 2, height: shape.height * 2 });
    const pen = canvas.getContext("2d");
    pen.scale(2, 2);
    paint(new CanvasPainter(pen), this.scene, shape, this.view, {
      theme: this.#themed(),
      colours: this.colours,
      selected: this.selected,
    });
    return new Promise((resolve) => {
      canvas.toBlob(resolve, "image/png");
    });
  }

  #toolbar() {
    const button = (words, title, act, more = "") =>
      h(
        "button",
        { type: "button", class: `small ${more}`, title, "aria-label": title, onclick: act },
        words,
      );
    return h(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Drawing" },
      button("−", "Zoom out", () => this.view.zoom(1 / 1.6)),
      button("+", "Zoom in", () => this.view.zoom(1.6)),
      button("Show all", "Show the whole continuum", () => this.view.fit()),
      button("‹ Previous", "Previous group, worst first", () => this.step(-1), "for-groups"),
      button("Next worst ›", "Next group, worst first", () => this.step(1), "for-groups"),
    );
  }

  #legend() {
    const seen = new Set(this.scene.label);
    const most = 24;
    const labels = this.scene.labels.filter((_, i) => seen.has(i));
    fill(
      this.legend,
      labels
        .slice(0, most)
        .map((label) =>
          h(
            "li",
            {},
            h("i", { style: { background: this.colours.get(label) } }),
            h("bdi", {}, label),
          ),
        ),
      labels.length > most && h("li", { class: "more" }, `and ${labels.length - most} more`),
      this.scene.unmatched.includes(1) &&
        h("li", { class: "more" }, h("i", { class: "unmatched" }), "marked by one annotator only"),
    );
  }

  #themed() {
    return (this.theme ??= themeColours(this.element));
  }

  #resize() {
    const width = Math.floor(this.stage.clientWidth);
    if (!this.scene || width < 50) return;
    this.shape = geometry(this.scene, width);
    const ratio = devicePixelRatio || 1;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.shape.height * ratio);
    this.canvas.style.height = `${this.shape.height}px`;
    this.#draw();
  }

  #dirty() {
    if (this.waiting || !this.scene) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.#draw();
    });
  }

  #draw() {
    if (!this.shape) return;
    const began = performance.now();
    const pen = this.canvas.getContext("2d", { alpha: false });
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    const theme = this.#themed();
    paint(new CanvasPainter(pen), this.scene, this.shape, this.view, {
      theme,
      colours: this.colours,
      selected: this.selected,
      hovered: this.hovered,
    });
    this.overview.draw(this.shape.width, this.shape.gutter, this.shape.right, theme);
    this.lastDraw = performance.now() - began;
  }

  #place(x) {
    const inner = this.shape.width - this.shape.gutter - this.shape.right;
    return this.view.low + ((x - this.shape.gutter) / inner) * this.view.span;
  }

  #unitAt(x, y) {
    const { tops, row } = this.shape;
    for (let lane = 0; lane < tops.length; lane++) {
      const at = Math.floor((y - tops[lane]) / row);
      if (at >= 0 && at < this.scene.rows[lane].length) {
        return unitAt(
          this.scene,
          lane,
          at,
          this.#place(x),
          this.view.span * (3 / this.shape.width),
        );
      }
    }
    return -1;
  }

  #hover(x, y) {
    const unit = this.#unitAt(x, y);
    const group = unit >= 0 ? this.scene.groupOf[unit] : -1;
    this.canvas.style.cursor = unit >= 0 ? "pointer" : "grab";
    if (group !== this.hovered) {
      this.hovered = group;
      this.#dirty();
    }
    if (unit < 0) this.tip.hidden = true;
    else this.#showTip(unit, x, rowTop(this.scene, this.shape, unit));
  }

  #showTip(unit, x, y) {
    const { scene } = this;
    const group = scene.groupOf[unit];
    const label = scene.labels[scene.label[unit]];
    const text = scene.texts?.[unit];
    fill(
      this.tip,
      h(
        "div",
        { class: "tip-head" },
        h("i", { style: { background: this.colours.get(label) } }),
        h("bdi", {}, label),
      ),
      h(
        "div",
        {},
        h("bdi", {}, scene.annotators[scene.annotator[unit]]),
        ` · ${position(scene.start[unit])}–${position(scene.end[unit])}`,
      ),
      text && h("blockquote", { dir: "auto" }, text),
      group >= 0 &&
        h(
          "div",
          { class: "muted" },
          scene.groups[group].kind ??
            `group ${group + 1}, disorder ${decimals(scene.groups[group].disorder)}`,
        ),
    );
    this.tip.hidden = false;
    const width = this.tip.offsetWidth;
    const height = this.tip.offsetHeight;
    const left = Math.min(Math.max(4, x - width / 2), this.shape.width - width - 4);
    const above = y - height - 8;
    const top = above > -60 ? above : y + this.shape.row + 8;
    this.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }

  #leave() {
    this.tip.hidden = true;
    if (this.hovered >= 0) {
      this.hovered = -1;
      this.#dirty();
    }
  }

  #choose(x, y) {
    const unit = this.#unitAt(x, y);
    this.canvas.focus({ preventScroll: true });
    if (unit < 0) {
      this.tip.hidden = true;
      this.select(-1);
      return;
    }
    this.select(this.scene.groupOf[unit], { glide: false });
    this.#showTip(unit, x, rowTop(this.scene, this.shape, unit));
  }

  #stepUnit(by) {
    if (this.selected < 0) {
      this.step(1);
      return;
    }
    const units = this.scene.groups[this.selected].units.filter((unit) => unit != null);
    this.unitInGroup = ((this.unitInGroup ?? -1) + by + units.length) % units.length;
    const unit = units[this.unitInGroup];
    const { low, span } = this.view;
    const middle = (this.scene.start[unit] + this.scene.end[unit]) / 2;
    const inner = this.shape.width - this.shape.gutter - this.shape.right;
    this.#showTip(
      unit,
      this.shape.gutter + ((middle - low) / span) * inner,
      rowTop(this.scene, this.shape, unit),
    );
    this.live.textContent = this.unitSentence(unit);
  }

  #showHint() {
    this.hint.hidden = false;
    clearTimeout(this.hintTimer);
    this.hintTimer = setTimeout(() => {
      this.hint.hidden = true;
    }, 1400);
  }
}
