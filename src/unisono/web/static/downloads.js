// The downloads: files of the job, the drawing, a report, a consensus.

import { file, run } from "./api.js";
import { byId, fill, h } from "./elements.js";
import { save } from "./files.js";
import { sizeOf } from "./words.js";

// The files of other requests on the same data.
const FILES = {
  report: [
    ["Report", "report.html", "one HTML page for reading and printing"],
    ["Report, Markdown", "report.md", "without charts, for a repository or a wiki"],
    ["Report, LaTeX", "report.tex", "without charts, for a paper"],
  ],
  consensus: [
    ["Consensus, CSV", "consensus.csv", "one annotation, by majority of the annotators"],
    ["Undecided, CSV", "undecided.csv", "groups without a majority, to adjudicate"],
  ],
};

export class Downloads {
  constructor({ problem }) {
    this.problem = problem;
    this.section = byId("downloads");
    this.body = byId("downloads-body");
  }

  hide() {
    this.section.hidden = true;
  }

  /** `request` is the request that was sent, and `kind` its type; `view` is the drawing, if any. */
  show({ job, request, kind, registry, view, stem }) {
    this.section.hidden = false;
    this.stem = stem;
    this.jobs = {};
    const made = kind.files.map((other) => {
      const { settings } = registry.requests.find(({ name }) => name === other);
      const own = { data: request.data, settings: only(request.settings, settings) };
      return FILES[other].map(([words, name, about]) =>
        this.#work(words, about, () => this.#made(other, own, name)),
      );
    });
    fill(
      this.body,
      h(
        "ul",
        { class: "downloads" },
        made,
        job.files.map((each) => this.#file(job, each)),
        view &&
          this.#work("Drawing, SVG", "the current view, as vector graphics", async () =>
            save(new Blob([view.toSvg()], { type: "image/svg+xml" }), this.#name("drawing.svg")),
          ),
        view &&
          this.#work("Drawing, PNG", "the current view, as pixels", async () =>
            save(await view.toPng(), this.#name("drawing.png")),
          ),
      ),
    );
  }

  #file(job, { name, title, bytes }) {
    return this.#work(name, `${title}, ${sizeOf(bytes)}`, async () =>
      save(await file(job, name), this.#name(name)),
    );
  }

  #work(name, about, act) {
    const button = h(
      "button",
      {
        type: "button",
        onclick: async () => {
          button.disabled = true;
          button.setAttribute("aria-busy", "true");
          try {
            await act();
            this.problem(null);
          } catch (error) {
            this.problem(error);
          } finally {
            button.disabled = false;
            button.removeAttribute("aria-busy");
          }
        },
      },
      name,
    );
    return h("li", {}, button, h("span", { class: "note" }, about));
  }

  /** Save a file of another request on the same data; one job produces all its files. */
  async #made(other, request, name) {
    const { jobs } = this;
    jobs[other] ??= run(other, request);
    try {
      const job = await jobs[other];
      save(await file(job, name), this.#name(name));
    } catch (error) {
      // If the results have expired, the next attempt runs a new job.
      delete jobs[other];
      throw error;
    }
  }

  #name(name) {
    return `${this.stem}-${name}`.replace(/[^\p{L}\p{N}._-]+/gu, "_");
  }
}

function only(settings, names) {
  const taken = ["reading", ...names];
  return Object.fromEntries(Object.entries(settings).filter(([name]) => taken.includes(name)));
}
