// The box for errors: the message, with buttons for remedies.

import { byId, fill, h } from "./elements.js";

const MOST_LAYERS = 12;

export class ProblemBox {
  /** `openReading()` opens the settings on how files are read. */
  constructor(openReading) {
    this.place = byId("problem");
    this.openReading = openReading;
  }

  clear() {
    fill(this.place);
  }

  show(error, { canCorrect = false } = {}) {
    const sentence = String(error.message ?? error);
    const more = (error.errors ?? [])
      .map((each) => each.detail)
      .filter((detail) => detail && !sentence.includes(detail));
    const listed = more.map((detail) => h("li", {}, detail));
    fill(
      this.place,
      h(
        "div",
        { class: "problem" },
        h("p", {}, sentence),
        listed.length > 0 && h("ul", {}, listed),
        canCorrect &&
          error.kind === "reading" &&
          button("Change how files are read", this.openReading),
      ),
    );
  }

  stopped(again) {
    const words = [h("p", {}, "Stopped."), button("Compute again", again)];
    fill(this.place, h("div", { class: "problem calm" }, words));
  }

  /** Buttons to select one of several layers. */
  offerLayers(layers, choose) {
    const box = this.place.querySelector(".problem");
    if (!box || layers.length < 2) return;
    const buttons = layers
      .slice(0, MOST_LAYERS)
      .map((layer) => button(h("bdi", {}, layer), () => choose(layer)));
    box.append(h("div", { class: "row" }, h("span", {}, "Measure the layer"), buttons));
  }
}

const button = (words, onclick) => h("button", { type: "button", class: "small", onclick }, words);
