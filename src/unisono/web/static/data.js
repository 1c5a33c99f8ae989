// The data of a page: a place to drop files, the examples, and what was understood of them.

import { fill, h } from "./elements.js";
import { acceptDrops, dropZone } from "./files.js";
import { count, whole } from "./words.js";

const FORMATS =
  "CSV, brat, CoNLL, WebAnno, UIMA, INCEpTION, Label Studio, doccano, Prodigy, Glozz, TextGrid, " +
  "ELAN, RTTM, Audacity, subtitles, GATE. A folder for each annotator is understood.";

export const SLOTS = {
  units: [{ name: "data", title: "Drop annotation files or folders here", words: FORMATS }],
  items: [
    {
      name: "data",
      title: "Drop a table of ratings here",
      words:
        "CSV or the like: annotator, item, label; or a row an item, and a column an annotator. " +
        "Or an export of Label Studio, Prodigy or doccano.",
    },
  ],
  compare: [
    {
      name: "reference",
      title: "Drop the reference here",
      words: "What is taken for right; it may hold the hypothesis too.",
    },
    {
      name: "hypothesis",
      title: "Drop the hypothesis here",
      words: "What is scored, such as the output of a system.",
    },
  ],
};

export const LEADS = {
  units:
    "Drop the files your annotators made, and see how far they agree beyond chance " +
    "on where units are and what they are called.",
  items:
    "Drop a table of labels that several annotators gave to the same items, " +
    "and see how far they agree beyond chance.",
  compare:
    "Drop a reference and what is to be scored against it, " +
    "and see what was found, missed and confused.",
};

export const TITLES = {
  units: "Do your annotators agree?",
  items: "Do your annotators agree?",
  compare: "How close is it to the reference?",
};

export class DataPanel {
  constructor(body, { took, tookExample, cleared }) {
    this.body = body;
    Object.assign(this, { took, tookExample, cleared });
  }

  /** `held` has what each slot holds; `about` what was understood of it. */
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
          "If the hypothesis is in the same files, name both annotators in the settings.",
        ),
      slots.map((slot) =>
        held[slot.name]
          ? this.#held(slot, held[slot.name], slots.length > 1)
          : this.#zone(page, slot, !empty),
      ),
      empty && this.#examples(page, examples),
      !empty && about && this.#about(about),
    );
  }

  #zone(page, slot, small) {
    return dropZone({
      title: slot.title,
      words: small ? null : slot.words,
      small,
      took: (files) => this.took(slot.name, files),
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
        { type: "button", class: "small", onclick: () => this.cleared(slot.name) },
        "Other data",
      ),
    );
    acceptDrops(card, (files) => this.took(slot.name, files));
    return card;
  }

  #examples(page, examples) {
    const fitting = examples.filter((each) => pageOf(each) === page);
    const others = examples.filter((each) => pageOf(each) !== page);
    const list = (some) =>
      h(
        "ul",
        { class: "examples" },
        some.map((each) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: "example", onclick: () => this.tookExample(each) },
              h("strong", {}, each.title),
              h("span", {}, each.about),
            ),
          ),
        ),
      );
    return h(
      "div",
      {},
      h("h3", {}, "Or try an example"),
      list(page === "units" ? [...fitting, ...others] : fitting),
    );
  }

  #about(description) {
    if (description.waiting) return h("p", { class: "note" }, "Reading …");
    const labels = Object.entries(description.labels);
    const documents = Object.keys(description.documents).length;
    return h(
      "div",
      { class: "understood" },
      h(
        "p",
        {},
        [
          documents > 1 && count(documents, "document"),
          count(Object.keys(description.annotators).length, "annotator"),
          count(description.n_units, "unit"),
          count(labels.length, "label"),
        ]
          .filter(Boolean)
          .join(", "),
      ),
      h(
        "details",
        {},
        h("summary", {}, "Who and what"),
        tally(
          "annotator",
          Object.entries(description.annotators).map(([name, each]) => [name, each.units]),
        ),
        tally("label", labels),
      ),
      odd(description),
      h(
        "details",
        {},
        h("summary", {}, "Which measures fit"),
        h(
          "ul",
          { class: "fits" },
          description.measures.map((fit) =>
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

/** The page that an example is for. */
export function pageOf(example) {
  const first = example.measures[0];
  return first === "items" || first === "compare" ? first : "units";
}

/** What the slots hold when an example is shown. */
export function heldExample({ title, about, data, request }) {
  if (data) return { data: { data, title, files: about } };
  return {
    reference: { data: request.reference, title: `${title}: reference` },
    hypothesis: { data: request.hypothesis, title: `${title}: hypothesis` },
  };
}

/** Settings of an example as the form has them. */
export function formValues(example) {
  const { reading, ...rest } = example.request?.settings ?? {};
  const plain = Object.entries({ ...rest, ...reading }).filter(
    ([, value]) => value !== null && typeof value !== "object",
  );
  return Object.fromEntries(plain.map(([name, value]) => [name, String(value)]));
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

function odd(description) {
  const kinds = [
    ["could not be read", description.skipped],
    ["odd, but kept", description.odd],
    ["left out", description.left_out],
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
