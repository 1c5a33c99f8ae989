// Numbers in the words of the command line, with a small drawing of each value.

import { copy } from "./permalink.js";
import { h, svg } from "./elements.js";

const SCALE_WIDTH = 150;
const HEADLINES = {
  gamma: ["γ", "γcat"],
  unitizing: ["uα", "cuα"],
  items: ["Krippendorff's α"],
  compare: ["γ"],
  all: ["γ", "γcat"],
};
/** What tables of values are about, whose lines have a drawing. */
const OF_VALUES = new Set(["measure", "label", "annotators"]);
/** Measures whose sentences are what was found, not why something was not. */
const FINDINGS = new Set(["calibrate"]);
const MEANING = {
  γ: "where units are and what they are called",
  γcat: "labels alone, over units that are aligned",
  uα: "which stretches are units, and of which label",
  cuα: "labels of stretches that two have marked",
  "Krippendorff's α": "labels of given items",
};

/** Blocks of words and numbers as elements; a document's button calls `chooseDocument(name)`. */
export function resultBlocks(blocks, { measure, chooseDocument, documents = [] }) {
  const plotted = measure !== "segments";
  const made = blocks.map((block) => {
    if (block.kind === "table") return table(block, { plotted, chooseDocument, documents });
    if (block.kind === "facts") return facts(block.pairs);
    if (block.kind === "heading") return h("h3", {}, block.text);
    if (block.kind === "signature") return null;
    const kind = block.kind === "more" ? "note" : FINDINGS.has(measure) ? "finding" : "reason";
    return h("p", { class: kind }, block.text);
  });
  const subject = blocks[0]?.kind === "heading" ? made.shift() : null;
  const signatures = blocks
    .filter((block) => block.kind === "signature")
    .map((block) => block.text);
  return [
    subject,
    headline(blocks, measure),
    ...made,
    signatures.length > 0 && signature(signatures),
  ];
}

/** The value that is read out when results arrive. */
export function spoken(blocks) {
  const first = blocks.find((block) => block.kind === "table" && block.headings[1] === "value");
  if (!first) return "The results are there.";
  return `${first.rows[0][0]} ${first.rows[0][1]}`;
}

function headline(blocks, measure) {
  if (!(measure in HEADLINES)) return null;
  const found = blocks.find((block) => block.kind === "table" && block.headings[0] === "measure");
  const wanted = (found?.rows ?? []).filter((row) => HEADLINES[measure].includes(row[0]));
  const rows = wanted.length > 0 || measure !== "items" ? wanted : found.rows.slice(0, 1);
  const figures = [
    ...(measure === "compare" ? scores(blocks) : []),
    ...rows.map((row) => figureOf(row, found.headings)),
  ];
  if (figures.length === 0) return null;
  const about =
    rows.length > 0
      ? `${measure === "compare" ? "γ: " : ""}1 is perfect agreement, 0 what chance would give.`
      : null;
  return h("div", { class: "headline" }, figures, about && h("p", { class: "note" }, about));
}

function figureOf(row, headings) {
  const around = row.find((cell) => / to /.test(cell));
  return figure({
    name: measureName(row[0]),
    value: row[1],
    drawn: scale(row, [Math.min(0, Number(row[1]) || 0), 1], { wide: true }),
    notes: [MEANING[row[0]], around && `${headings[row.indexOf(around)]}: ${around}`],
  });
}

/** F1 under the two rules, and the slot error rate, which stand in no table of measures. */
function scores(blocks) {
  const matching = blocks.find(
    (block) => block.kind === "table" && block.headings[0] === "matching",
  );
  const at = matching?.headings.indexOf("F1") ?? -1;
  const rate = blocks
    .flatMap((block) => block.pairs ?? [])
    .find(([name]) => name === "slot error rate");
  const told = { exact: "same bounds and label", overlap: "same label, bounds that overlap" };
  return [
    ...(matching?.rows ?? [])
      .filter((row) => row[0] in told)
      .map((row) =>
        figure({
          name: `F1, ${row[0]}`,
          value: row[at],
          drawn: scale([row[0], row[at]], [0, 1], { wide: true }),
          notes: [told[row[0]]],
        }),
      ),
    rate &&
      figure({
        name: "Slot error rate",
        value: rate[1].startsWith("undefined") ? "undefined" : rate[1],
        notes: ["errors for each unit of the reference, 0 is best"],
      }),
  ].filter(Boolean);
}

function figure({ name, value, drawn, notes }) {
  return h(
    "div",
    { class: "figure" },
    h("div", { class: "figure-name" }, name),
    h("div", { class: `figure-value ${value === "undefined" ? "undefined" : ""}` }, value),
    drawn,
    notes.filter(Boolean).map((words) => h("div", { class: "figure-note" }, words)),
  );
}

function table(block, { plotted, chooseDocument, documents }) {
  const { headings, rows, aligned } = block;
  const withScale = plotted && OF_VALUES.has(headings[0]) && headings[1] === "value";
  const range = withScale ? rangeOf(rows) : null;
  const side = (i) => (aligned[i] === "right" ? "number" : "");
  const ofDocuments = headings[0] === "document" && chooseDocument;
  const known = new Set(documents.map((each) => each.name));
  const cells = (row) =>
    row.map((cell, i) => {
      if (i === 0) {
        const name = headings[0] === "measure" ? measureName(cell) : h("bdi", {}, cell);
        const button = ofDocuments && known.has(cell);
        return h(
          "th",
          { scope: "row" },
          button
            ? h(
                "button",
                { type: "button", class: "as-link", onclick: () => chooseDocument(cell) },
                name,
              )
            : name,
        );
      }
      const shown = h(
        "td",
        { class: `${side(i)} ${cell === "undefined" ? "undefined" : ""}` },
        cell,
      );
      return i === 1 && range
        ? [shown, h("td", { class: "scale-cell" }, scale(row, range))]
        : shown;
    });
  const heads = headings.map((heading, i) => {
    const head = h("th", { scope: "col", class: side(i) }, heading);
    return i === 1 && range
      ? [head, h("th", { scope: "col", class: "scale-cell" }, axis(range))]
      : head;
  });
  return h(
    "div",
    {
      class: "table-frame",
      tabindex: "0",
      role: "region",
      "aria-label": `Table of ${headings[0].replace(/s?$/, "s")}`,
    },
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, heads)),
      h(
        "tbody",
        {},
        rows.map((row) => h("tr", {}, cells(row))),
      ),
    ),
  );
}

function rangeOf(rows) {
  const values = rows.map((row) => Number(row[1])).filter(Number.isFinite);
  if (values.length === 0 || values.some((value) => value > 1)) return null;
  const low = Math.min(0, ...values);
  return [low < 0 ? Math.max(-1.5, Math.floor(low * 5) / 5) : 0, 1];
}

/** A line from the least value to 1 with a mark at 0, the value on it and its interval. */
function scale(row, [low, high], { wide = false } = {}) {
  const value = Number(row[1]);
  const width = wide ? 190 : SCALE_WIDTH;
  const x = (at) => 6 + ((Math.min(Math.max(at, low), high) - low) / (high - low)) * (width - 12);
  const around = row.map((cell) => /^(-?[\d.]+) to (-?[\d.]+)/.exec(cell)).find(Boolean);
  const middle = wide ? 10 : 9;
  return svg(
    "svg",
    {
      class: "scale",
      viewBox: `0 0 ${width} ${2 * middle}`,
      width,
      height: 2 * middle,
      "aria-hidden": "true",
    },
    svg("line", { class: "scale-line", x1: x(low), x2: x(high), y1: middle, y2: middle }),
    Number.isFinite(value) &&
      svg("line", { class: "scale-part", x1: x(0), x2: x(value), y1: middle, y2: middle }),
    [0, 1].map((at) =>
      svg("line", { class: "scale-tick", x1: x(at), x2: x(at), y1: middle - 5, y2: middle + 5 }),
    ),
    around &&
      svg("line", {
        class: "scale-interval",
        x1: x(Number(around[1])),
        x2: x(Number(around[2])),
        y1: middle,
        y2: middle,
      }),
    Number.isFinite(value) &&
      svg("circle", { class: "scale-dot", cx: x(value), cy: middle, r: wide ? 5 : 4 }),
  );
}

function axis([low, high]) {
  const x = (at) => 6 + ((at - low) / (high - low)) * (SCALE_WIDTH - 12);
  const label = (at, words) =>
    svg(
      "text",
      { x: x(at), y: 12, "text-anchor": at === low ? "start" : at === high ? "end" : "middle" },
      words,
    );
  return svg(
    "svg",
    {
      class: "scale",
      viewBox: `0 0 ${SCALE_WIDTH} 16`,
      width: SCALE_WIDTH,
      height: 16,
      role: "img",
      "aria-label": `from ${low} to 1`,
    },
    low < -0.25 && label(low, String(low)),
    label(0, "0"),
    label(1, "1"),
  );
}

function facts(pairs) {
  return h(
    "dl",
    { class: "facts" },
    pairs.map(([name, fact]) =>
      h("div", { class: name === "note" ? "is-note" : "" }, h("dt", {}, name), h("dd", {}, fact)),
    ),
  );
}

function signature(lines) {
  const words = lines.join("\n");
  const button = h(
    "button",
    {
      type: "button",
      class: "quiet small",
      onclick: async () => {
        button.textContent = (await copy(words)) ? "Copied" : "Select and copy it";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1600);
      },
    },
    "Copy",
  );
  return h(
    "details",
    { class: "signature", open: lines.length === 1 },
    h(
      "summary",
      {},
      lines.length === 1
        ? "Signature: every setting that can move the value"
        : `${lines.length} signatures: every setting that can move a value`,
    ),
    h(
      "div",
      { class: "signature-lines" },
      lines.map((line) => h("code", {}, line)),
      button,
    ),
  );
}

/** γcat and γk with their letters set low, as in print; the text stays the same. */
export function measureName(name) {
  const parts = /^(γ)(cat|k)( .*)?$/.exec(name) ?? /^(\(k\)uα)()( .*)$/.exec(name);
  // A long name of a function breaks after its words.
  if (!parts)
    return h(
      "span",
      {},
      name.split(/(?<=_)/).flatMap((word, i) => (i > 0 ? [h("wbr"), word] : [word])),
    );
  return h(
    "span",
    {},
    parts[1],
    parts[2] && h("sub", {}, parts[2]),
    parts[3] && h("bdi", {}, parts[3]),
  );
}
