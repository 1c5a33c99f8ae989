// The box for errors: the message, with buttons for remedies.

import { byId, fill, freshId, h } from "./elements.js";

const MOST_LAYERS = 12;

export class ProblemBox {
  /** `openReading()` opens the settings on how files are read. */
  constructor(openReading) {
    this.place = byId("problem");
    // Errors in files stand beside the files.
    this.beside = byId("file-problem");
    this.openReading = openReading;
  }

  clear() {
    fill(this.place);
    fill(this.beside);
  }

  show(error, { canCorrect = false } = {}) {
    const sentence = String(error.message ?? error);
    const more = (error.errors ?? [])
      .map((each) => each.detail)
      .filter((detail) => detail && !sentence.includes(detail));
    const listed = more.map((detail) => h("li", {}, detail));
    this.clear();
    fill(
      canCorrect && error.kind === "reading" ? this.beside : this.place,
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

  /** A question about the files, with its readings to choose from; `answer(settings)` reads again. */
  ask({ text, readings }, answer) {
    const name = freshId("question");
    const choices = readings.map((reading, at) => {
      const id = freshId("reading");
      return h(
        "div",
        { class: "reading" },
        h("input", {
          type: "radio",
          id,
          name,
          value: String(at),
          required: true,
          disabled: !reading.settings,
        }),
        h(
          "label",
          { for: id },
          h("span", {}, reading.text),
          !reading.settings && h("small", {}, "upload these files separately"),
          reading.consequence && h("strong", {}, reading.consequence),
        ),
      );
    });
    const onsubmit = (event) => {
      event.preventDefault();
      const { value } = form.elements[name];
      if (value !== "") answer(readings[Number(value)].settings);
    };
    const form = h(
      "form",
      { class: "problem question", onsubmit },
      h("fieldset", {}, h("legend", {}, text), choices),
      h("button", { type: "submit", class: "primary" }, "Read the files this way"),
    );
    this.clear();
    fill(this.place, form);
  }

  stopped(again) {
    const words = [h("p", {}, "Stopped."), button("Compute again", again)];
    fill(this.place, h("div", { class: "problem calm" }, words));
  }

  /** Buttons to select one of several layers. */
  offerLayers(layers, choose) {
    const box = document.querySelector("#problem .problem, #file-problem .problem");
    if (!box || layers.length < 2) return;
    const buttons = layers
      .slice(0, MOST_LAYERS)
      .map((layer) => button(h("bdi", {}, layer), () => choose(layer)));
    box.append(h("div", { class: "row" }, h("span", {}, "Measure the layer"), buttons));
  }
}

const button = (words, onclick) => h("button", { type: "button", class: "small", onclick }, words);
