// Where an outcome goes: numbers, annotations, charts and downloads.

import { Annotations } from "./annotations.js";
import { file } from "./api.js";
import { Charts } from "./charts.js";
import { Downloads } from "./downloads.js";
import { announce, byId, fill, h } from "./elements.js";
import { pairMatrix } from "./items.js";
import { resultBlocks, spoken } from "./results.js";

export class OutcomeView {
  constructor({ problem }) {
    this.section = byId("results");
    this.annotations = new Annotations();
    this.charts = new Charts();
    this.downloads = new Downloads({ problem });
  }

  /** Nothing to show: other data, or another page. */
  blank() {
    this.withdraw();
    this.annotations.forget();
  }

  /** The numbers are no longer those of the settings; the annotations stay. */
  withdraw() {
    this.section.hidden = true;
    this.charts.hide();
    this.downloads.hide();
  }

  /** Numbers that are about to be replaced are still there to be read. */
  outdate() {
    this.section.classList.add("stale");
  }

  show({ job, result, blocks, documents }, measure) {
    this.section.hidden = false;
    this.section.classList.remove("stale");
    const chooseDocument = (name) => this.annotations.chooseDocument(name);
    fill(
      byId("results-body"),
      job.warnings.map((words) => h("p", { class: "reason" }, words)),
      resultBlocks(blocks, { measure, documents, chooseDocument }),
      measure === "items" && pairMatrix(result),
    );
    if (measure === "calibrate") this.#picture(job, "curves.svg", "γ and γcat as errors grow");
    announce(spoken(blocks));
  }

  /** Show a picture that the job has made, as nothing but a picture. */
  async #picture(job, name, words) {
    const place = h("figure", { class: "picture" });
    byId("results-body").append(place);
    try {
      const address = URL.createObjectURL(await file(job, name));
      const forget = () => URL.revokeObjectURL(address);
      fill(place, h("img", { src: address, alt: words, onload: forget, onerror: forget }));
    } catch {
      place.remove(); // it can still be downloaded, or has expired
    }
  }

  /** Say something above the numbers. */
  remark(words) {
    byId("results-body").prepend(h("p", { class: "reason" }, words));
  }

  async draw(drawn, { blocks = [], early = false, signal }) {
    const first = blocks.find((block) => block.headings?.[0] === "document")?.rows[0]?.[0];
    await this.annotations.show(drawn?.job, drawn?.documents ?? [], { first, early, signal });
  }

  offer({ job }, { request, measure, service, title, signal }) {
    if (measure === "gamma") this.charts.show({ request, service, signal });
    else this.charts.hide();
    const view = this.annotations.section.hidden ? null : this.annotations.view;
    const stem = title.replace(/\.\w+$/, "");
    this.downloads.show({ job, request, service, view, stem });
  }
}
