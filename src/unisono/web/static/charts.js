// Charts that the service makes as Vega-Lite, drawn by Vega from our own origin, if it is there.

import { result, run } from "./api.js";
import { byId, fill, h } from "./elements.js";

const KINDS = [
  ["labels", "γk of each label"],
  ["draws", "Disorder of the draws"],
  ["annotators", "Annotators in pairs"],
  ["parts", "Position, label, missing"],
  ["confusion", "Labels mistaken for each other"],
];

export class Charts {
  constructor() {
    this.section = byId("charts");
    this.body = byId("charts-body");
    this.open = new Set();
    addEventListener("themechange", () => {
      if (this.shown && !this.section.hidden) this.show(this.shown);
    });
  }

  hide() {
    this.section.hidden = true;
  }

  /** Offer the charts of a γ; each is made when it is opened. */
  show({ request, service, signal }) {
    this.shown = { request, service, signal };
    this.section.hidden = !service.charts;
    if (!service.charts) return;
    fill(
      this.body,
      KINDS.map(([kind, title]) => {
        const place = h("div", { class: "chart" });
        const details = h(
          "details",
          {
            open: this.open.has(kind),
            ontoggle: () => {
              if (details.open) this.open.add(kind);
              else this.open.delete(kind);
              if (details.open && !place.firstChild)
                this.#draw(kind, title, place, request, signal);
            },
          },
          h("summary", {}, title),
          place,
        );
        return details;
      }),
    );
  }

  async #draw(kind, title, place, request, signal) {
    fill(place, h("p", { class: "note", role: "status" }, "Drawing …"));
    try {
      const settings = { ...request.settings, kind, theme: isDark() ? "dark" : "light" };
      const [job, embed] = await Promise.all([
        run("chart", { data: request.data, settings }, { signal }),
        vega(),
      ]);
      const spec = await result(job, signal);
      const target = h("div", { role: "img", "aria-label": title });
      fill(place, target);
      // As a syntax tree: the page's policy forbids code made of strings.
      await embed(target, spec, { ast: true, actions: false, renderer: "svg" });
    } catch (error) {
      if (error.name !== "AbortError") fill(place, h("p", { class: "reason" }, error.message));
    }
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

let loading;

function vega() {
  loading ??= new Promise((resolve, reject) => {
    const script = h("script", { src: "/static/vega.js" });
    script.addEventListener("load", () => resolve(window.vegaEmbed));
    script.addEventListener("error", () =>
      reject(new Error("charts need the extra plot: pip install 'unisono[plot]'")),
    );
    document.head.append(script);
  });
  return loading;
}
