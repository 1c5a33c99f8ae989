// The overview below the drawing: the disorder along the whole continuum.

import { h } from "./elements.js";
import { placeOf } from "./lanes.js";

const HEIGHT = 34;

export class Overview {
  constructor() {
    this.canvas = h("canvas", { class: "overview", "aria-hidden": "true" });
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.#move(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.#move(event);
    });
  }

  show(scene, view) {
    this.scene = scene;
    this.view = view;
    this.heat = null;
  }

  draw(width, gutter, right, theme) {
    const ratio = devicePixelRatio || 1;
    if (this.width !== width || this.ratio !== ratio) {
      [this.width, this.ratio, this.heat] = [width, ratio, null];
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(HEIGHT * ratio);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${HEIGHT}px`;
    }
    this.gutter = gutter;
    this.inner = width - gutter - right;
    this.heat ??= heatOf(this.scene, this.view, Math.max(1, Math.round(this.inner)));
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, HEIGHT);
    pen.fillStyle = theme.sunken;
    pen.fillRect(gutter, 4, this.inner, HEIGHT - 8);
    this.heat.forEach((share, i) => {
      if (share <= 0) return;
      const height = Math.max(1.5, share * (HEIGHT - 12));
      pen.globalAlpha = this.scene.groups ? 0.35 + 0.65 * share : 0.6;
      pen.fillStyle = this.scene.groups ? theme.ember : theme["strong-line"];
      pen.fillRect(gutter + i, HEIGHT - 6 - height, 1, height);
    });
    pen.globalAlpha = 1;
    const all = this.view.whole[1] - this.view.whole[0];
    const from = gutter + ((this.view.low - this.view.whole[0]) / all) * this.inner;
    const span = Math.max(4, (this.view.span / all) * this.inner);
    pen.fillStyle = theme.accent;
    // If the whole continuum is visible, the window is not marked.
    pen.globalAlpha = this.view.zoomed ? 0.16 : 0;
    pen.fillRect(from, 2, span, HEIGHT - 4);
    pen.globalAlpha = 1;
    pen.strokeStyle = this.view.zoomed ? theme.accent : theme.line;
    pen.lineWidth = 1.5;
    pen.strokeRect(from + 0.75, 2.75, span - 1.5, HEIGHT - 5.5);
  }

  #move(event) {
    const x = event.clientX - this.canvas.getBoundingClientRect().left - this.gutter;
    const [low, high] = this.view.whole;
    const middle = low + (x / this.inner) * (high - low);
    this.view.set(middle - this.view.span / 2, middle + this.view.span / 2);
  }
}

/** The greatest disorder of a group per pixel; without groups, the number of units. */
function heatOf(scene, view, bins) {
  const heat = new Float64Array(bins);
  const [low, high] = view.whole;
  const bin = (place) =>
    Math.min(bins - 1, Math.max(0, Math.floor(((place - low) / (high - low)) * bins)));
  if (scene.groups) {
    scene.groups.forEach((group, number) => {
      const share = scene.mostDisorder > 0 ? (group.disorder ?? 0) / scene.mostDisorder : 0;
      if (share <= 0) return;
      const [from, until] = placeOf(scene, number);
      for (let i = bin(from); i <= bin(until); i++) heat[i] = Math.max(heat[i], share);
    });
    return heat;
  }
  for (let unit = 0; unit < scene.n; unit++) {
    for (let i = bin(scene.start[unit]); i <= bin(scene.end[unit]); i++) heat[i] += 1;
  }
  const most = heat.reduce((a, b) => Math.max(a, b), 1);
  return heat.map((number) => number / most);
}
