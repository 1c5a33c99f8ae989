// The data of a page: the drop zones, the examples, and the description of the files.

import { fill, h } from "./elements.js";
import { acceptDrops, dropZone } from "./files.js";
import { count, whole } from "./words.js";

const FORMATS =
  "CSV, brat, CoNLL, WebAnno, UIMA, INCEpTION, Label Studio, doccano, Prodigy, Glozz, TextGrid, " +
  "ELAN, RTTM, Audacity, subtitles, GATE. Folders may be one per annotator.";

export const SLOTS = {
  units: [{ name: "data", title: "Drop annotation files or folders here", words: FORMATS }],
  items: [
    {
      name: "data",
      title: "Drop a table of ratings here",
      words:
        "A table with the columns annotator, item and label, or with one row per item and one " +
        "column per annotator. Or an export of Label Studio, Prodigy or doccano.",
    },
  ],
  compare: [
    {
      name: "reference",
      title: "Drop the reference here",
      words: "The correct annotations. The files may also contain the hypothesis.",
    },
    {
      name: "hypothesis",
      title: "Drop the hypothesis here",
      words: "The annotations to score, such as the output of a system.",
    },
  ],
  chains: [
    {
      name: "data",
      title: "Drop files with chains or pyramids here",
      words:
        "Coreference as CoNLL-2012, CoNLL-U, brat, WebAnno, UIMA, INCEpTION or a table; pyramids " +
        "of summaries as a table or DUC files. Folders may be one per annotator.",
    },
  ],
  outcome: [
    {
      name: "data",
      title: "Drop a table of cases here",
      words:
        "A row for each item, document or annotator, with a column of its agreement and a column " +
        "of an outcome.",
    },
  ],
};

export const LEADS = {
  units:
    "Upload the annotation files and see how well the annotators agree, beyond chance, " +
    "on the positions and the labels of units.",
  items:
    "Upload a table of labels that several annotators assigned to the same items, " +
    "and see how well they agree beyond chance.",
  compare:
    "Upload a reference and a hypothesis, " +
    "and see which units were found, missed and confused.",
  chains:
    "Upload chains of mentions, such as coreference, or content units of summaries, " +
    "and see how well the annotators agree on what belongs together.",
  outcome:
    "Upload a table with the agreement and an independent outcome of each case, " +
    "and see whether more agreement goes with a better outcome.",
};

export const TITLES = {
  units: "Do your annotators agree?",
  items: "Do your annotators agree?",
  compare: "How close is it to the reference?",
  chains: "Do your annotators group alike?",
  outcome: "Is the agreement good enough?",
};

export class DataPanel {
  constructor(body, { onFiles, onExample, onClear }) {
    this.body = body;
    Object.assign(this, { onFiles, onExample, onClear });
  }

  /** `held` has the data of each slot; `about` is their description. */
  show(page, held, examples, about) {
    const slots = SLOTS[page];
    const empty = slots.every((slot) => !held[slot.name]);
    fill(
      this.body,
      !empty &&
        page === "compare" &&
        !held.hypothesis &&
        h(
          "p",
          { class: "note" },
          "If the hypothesis is in the same files, enter both annotators in the settings.",
        ),
      slots.map((slot) =>
        held[slot.name]
          ? this.#held(slot, held[slot.name], slots.length > 1)
          : this.#zone(page, slot, !empty),
      ),
      empty && this.#examples(examples),
      !empty && about && this.#about(about),
    );
  }

  #zone(page, slot, small) {
    return dropZone({
      title: slot.title,
      words: small ? null : slot.words,
      small,
      onFiles: (files) => this.onFiles(slot.name, files),
    });
  }

  #held(slot, data, named) {
    const card = h(
      "div",
      { class: "held" },
      named &&
        h("p", { class: "held-role" }, slot.name === "reference" ? "Reference" : "Hypothesis"),
      h("p", { class: "held-name" }, h("bdi", {}, data.title)),
      data.files && h("p", { class: "note" }, data.files),
      h(
        "button",
        { type: "button", class: "small", onclick: () => this.onClear(slot.name) },
        "Other data",
      ),
    );
    acceptDrops(card, (files) => this.onFiles(slot.name, files));
    return card;
  }

  #examples(examples) {
    return h(
      "div",
      {},
      h("h3", {}, "Or try an example"),
      h(
        "ul",
        { class: "examples" },
        examples.map((each) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: "example", onclick: () => this.onExample(each) },
              h("strong", {}, each.title),
              h("span", {}, each.about),
            ),
          ),
        ),
      ),
    );
  }

  #about(description) {
    if (description.waiting) return h("p", { class: "note" }, "Reading …");
    if (!description.by_document) return h("p", { class: "note" }, description.data.text);
    const labels = Object.entries(description.by_label);
    return h(
      "div",
      { class: "understood" },
      h("p", {}, description.data.text),
      h(
        "p",
        { class: "note" },
        `${count(description.n_units, "unit")}, ${count(labels.length, "label")}`,
      ),
      h(
        "details",
        {},
        h("summary", {}, "Annotators and labels"),
        tally(
          "annotator",
          Object.entries(description.by_annotator).map(([name, each]) => [name, each.n_units]),
        ),
        tally("label", labels),
      ),
      problemLists(description),
      h(
        "details",
        {},
        h("summary", {}, "Applicable measures"),
        h(
          "ul",
          { class: "fits" },
          description.families.map((fit) =>
            h(
              "li",
              { class: fit.fits ? "yes" : "no" },
              h("strong", {}, fit.name),
              h("span", {}, `${fit.fits ? "yes" : "no"}: ${fit.why}`),
            ),
          ),
        ),
      ),
    );
  }
}

/** The data of the slots for an example. */
export function heldExample({ title, about, data, request }) {
  if (data) return { data: { data, title, files: about } };
  return {
    reference: { data: request.reference, title: `${title}: reference` },
    hypothesis: { data: request.hypothesis, title: `${title}: hypothesis` },
  };
}

/** The settings of an example as texts of the form. */
export function formValues(example) {
  const { reading = {}, ...rest } = example.request?.settings ?? {};
  const read = Object.entries(reading).map(([name, value]) => [`reading.${name}`, value]);
  const texts = [...Object.entries(rest), ...read].map(([key, value]) => [key, String(value)]);
  return Object.fromEntries(texts);
}

function tally(what, pairs) {
  const most = 30;
  return h(
    "table",
    { class: "tally" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, what),
        h("th", { scope: "col", class: "number" }, "units"),
      ),
    ),
    h(
      "tbody",
      {},
      pairs
        .slice(0, most)
        .map(([name, number]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, h("bdi", {}, name || "(no label)")),
            h("td", { class: "number" }, whole(number)),
          ),
        ),
      pairs.length > most &&
        h(
          "tr",
          {},
          h("td", { colspan: 2, class: "note" }, `and ${whole(pairs.length - most)} more`),
        ),
    ),
  );
}

function problemLists(description) {
  const kinds = [
    ["skipped rows", description.skipped_rows],
    ["warnings", description.odd_rows],
    ["excluded", description.left_out_contents],
  ];
  return kinds
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) =>
      h(
        "details",
        {},
        h("summary", {}, `${name}: ${whole(lines.length)}`),
        h(
          "ul",
          { class: "remarks" },
          lines.slice(0, 20).map((line) => h("li", {}, line)),
        ),
      ),
    );
}
