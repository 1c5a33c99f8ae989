// What can be taken away: files of the job, the drawing, a report, a consensus.

import { file, run } from "./api.js";
import { byId, fill, h } from "./elements.js";
import { save } from "./files.js";
import { sizeOf } from "./words.js";

const SIMPLE = new Set(["dissimilarity", "reading"]);
const OF_REPORT = new Set([
  ...SIMPLE,
  ...["chance", "precision", "draws", "rng", "distance", "overlap", "atom"],
]);
const REPORTS = [
  ["Report", "report.html", "one page to read and print, HTML"],
  ["Report, Markdown", "report.md", "the same without charts, for a repository or a wiki"],
  ["Report, LaTeX", "report.tex", "the same for a paper"],
];

export class Downloads {
  constructor({ problem }) {
    this.problem = problem;
    this.section = byId("downloads");
    this.body = byId("downloads-body");
  }

  hide() {
    this.section.hidden = true;
  }

  /** `request` made the job; `picture` is the drawing, if there is one. */
  show({ job, request, service, view, stem }) {
    this.section.hidden = false;
    this.stem = stem;
    this.jobs = {};
    const ofUnits =
      request.data && ["gamma", "all", "calibrate", "consensus"].includes(job.measure);
    fill(
      this.body,
      h(
        "ul",
        { class: "downloads" },
        ofUnits &&
          service.report &&
          REPORTS.map(([words, name, about]) =>
            this.#work(words, about, () => this.#made("report", OF_REPORT, request, name)),
          ),
        job.files.map((each) => this.#file(job, each)),
        view &&
          this.#work("Drawing, SVG", "what is seen above, to scale", async () =>
            save(new Blob([view.toSvg()], { type: "image/svg+xml" }), this.#name("drawing.svg")),
          ),
        view &&
          this.#work("Drawing, PNG", "the same as pixels", async () =>
            save(await view.toPng(), this.#name("drawing.png")),
          ),
        ofUnits &&
          job.measure !== "consensus" &&
          this.#work("Consensus, CSV", "one annotation of what most annotators share", () =>
            this.#made("consensus", SIMPLE, request, "consensus.csv"),
          ),
        ofUnits &&
          job.measure !== "consensus" &&
          this.#work("Undecided, CSV", "groups that a person has to decide", () =>
            this.#made("consensus", SIMPLE, request, "undecided.csv"),
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

  /** Save a file of another measure of the same data, which is made once for all its files. */
  async #made(measure, names, request, name) {
    const { jobs } = this;
    const { data } = request;
    jobs[measure] ??= run(measure, { data, settings: only(request.settings, names) });
    try {
      const job = await jobs[measure];
      save(await file(job, name), this.#name(name));
    } catch (error) {
      // Results expire; the next try makes them again.
      delete jobs[measure];
      throw error;
    }
  }

  #name(name) {
    return `${this.stem}-${name}`.replace(/[^\p{L}\p{N}._-]+/gu, "_");
  }
}

function only(settings, names) {
  return Object.fromEntries(Object.entries(settings ?? {}).filter(([name]) => names.has(name)));
}
