// Charts from the service as Vega-Lite, drawn by Vega if it is installed on the service.

import { result, run } from "./api.js";
import { byId, fill, h } from "./elements.js";

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

  /** List the charts of a kind of result; each chart is requested when it is opened. */
  show({ request, kind: { charts }, service, signal }) {
    this.shown = { request, kind: { charts }, service, signal };
    this.section.hidden = !service.charts || charts.length === 0;
    fill(
      this.body,
      charts.map(({ name: kind, title }) => {
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
      // As a syntax tree, because the content security policy forbids eval.
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
      reject(new Error("charts need additional packages: pip install 'unisono[plot]'")),
    );
    document.head.append(script);
  });
  return loading;
}
