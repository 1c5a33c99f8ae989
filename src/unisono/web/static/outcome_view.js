// The cards of a result: numbers, annotations, charts and downloads.

import { Annotations } from "./annotations.js";
import { file } from "./api.js";
import { Charts } from "./charts.js";
import { Downloads } from "./downloads.js";
import { announce, byId, fill, h } from "./elements.js";
import { pairMatrix } from "./items.js";
import { sheetElements, spoken } from "./results.js";

export class OutcomeView {
  constructor({ problem }) {
    this.section = byId("results");
    this.annotations = new Annotations();
    this.charts = new Charts();
    this.downloads = new Downloads({ problem });
  }

  /** Remove everything, for other data or another page. */
  blank() {
    this.withdraw();
    this.annotations.forget();
  }

  /** Remove the numbers, which no longer match the settings; the annotations stay. */
  withdraw() {
    this.section.hidden = true;
    this.charts.hide();
    this.downloads.hide();
  }

  /** Mark the numbers as outdated; they stay readable until they are replaced. */
  outdate() {
    this.section.classList.add("stale");
  }

  show({ job, sheet, documents }) {
    this.section.hidden = false;
    this.section.classList.remove("stale");
    const chooseDocument = (name) => this.annotations.chooseDocument(name);
    fill(
      byId("results-body"),
      job.warnings.map((words) => h("p", { class: "reason" }, words)),
      sheetElements(sheet, { documents, chooseDocument }),
      pairMatrix(sheet),
    );
    for (const each of job.files) if (each.type === "image/svg+xml") this.#picture(job, each);
    announce(spoken(sheet));
  }

  /** Show an image of the job in an img element, which runs no scripts. */
  async #picture(job, { name, title }) {
    const place = h("figure", { class: "picture" });
    byId("results-body").append(place);
    try {
      const address = URL.createObjectURL(await file(job, name));
      const forget = () => URL.revokeObjectURL(address);
      fill(place, h("img", { src: address, alt: title, onload: forget, onerror: forget }));
    } catch {
      place.remove(); // it can still be downloaded, or has expired
    }
  }

  /** Show a note above the numbers. */
  remark(words) {
    byId("results-body").prepend(h("p", { class: "reason" }, words));
  }

  async draw(drawn, { sheet, early = false, signal }) {
    const listed = sheet?.tables.find(({ columns }) => columns[0].name === "document");
    const first = listed?.values[0]?.[0];
    await this.annotations.show(drawn?.job, drawn?.documents ?? [], { first, early, signal });
  }

  offer({ job }, { request, kind, service, registry, title, signal }) {
    this.charts.show({ request, kind, service, signal });
    const view = this.annotations.section.hidden ? null : this.annotations.view;
    const stem = title.replace(/\.\w+$/, "");
    this.downloads.show({ job, request, kind, registry, view, stem });
  }
}
