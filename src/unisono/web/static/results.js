// A sheet as elements: the texts of the service, and a small chart of each value.

import { copy } from "./permalink.js";
import { h, svg } from "./elements.js";

const WIDTH = 150;
const WIDE = { wide: true };

/** The elements of a sheet; the button of a document calls `chooseDocument(name)`. */
export function sheetElements(sheet, { chooseDocument, documents = [] } = {}) {
  const known = new Set(documents.map((each) => each.name));
  return [
    sheet.title && h("h3", {}, h("bdi", {}, sheet.title)),
    sheet.findings.map((words) => h("p", { class: "finding" }, words)),
    headline(sheet.headline),
    sheet.tables.map((table) => [
      table.title && h("h3", {}, table.title),
      tableElement(table, { measures: sheet.measures, chooseDocument, known }),
      table.more && h("p", { class: "note" }, table.more),
      table.reasons.map((words) => h("p", { class: "reason" }, words)),
    ]),
    facts(sheet),
    sheet.reading.length > 0 && record(sheet),
    sheet.signatures.length > 0 && signature(sheet.signatures),
  ];
}

/** The sentence that screen readers announce when results arrive. */
export function spoken({ headline: [first], findings: [sentence] }) {
  if (!first) return sentence ?? "Results are available.";
  return `${first.parts.map(([text]) => text).join("")} ${first.text}`;
}

function headline(values) {
  if (values.length === 0) return null;
  const [{ scale: common }] = values;
  const alike = values.every((each) => each.scale === common);
  const figures = values.map((each) => {
    const notes = [each.detail || each.meaning, each.interval?.text, !alike && each.scale];
    return h(
      "div",
      { class: "figure" },
      h("div", { class: "figure-name" }, nameElement(each.parts)),
      h("div", { class: `figure-value ${each.value == null ? "undefined" : ""}` }, each.text),
      h("div", {}, drawing(each.value, each.interval, each, rangeOf([each.value], each), WIDE)),
      h(
        "div",
        { class: "figure-notes" },
        notes.filter(Boolean).map((words) => h("div", {}, words)),
      ),
    );
  });
  return h(
    "div",
    { class: "headline" },
    h("div", { class: "figures" }, figures),
    alike && h("p", { class: "note" }, common),
  );
}

function tableElement(table, { measures, chooseDocument, known }) {
  const { columns, cells, values } = table;
  const place = columns.findIndex(({ name, kind }) => name === "value" && kind === "coefficient");
  const about = table.measures.map((name) => measures[name]);
  const range = place < 0 ? null : rangeOfRows(values, place, about);
  const around = columns.findIndex(({ kind }) => kind === "interval");
  const rows = cells.map((row, i) =>
    h(
      "tr",
      {},
      row.map((text, j) => {
        const value = values[i][j];
        if (j === 0) return h("th", { scope: "row", class: sideOf(columns[j]) }, subject(i));
        const lacks = columns[j].kind === "coefficient" && value == null;
        const cell = h("td", { class: `${sideOf(columns[j])} ${lacks ? "undefined" : ""}` }, text);
        if (j !== place || !range) return cell;
        const drawn = drawing(value, values[i][around], about[i], range);
        return [cell, h("td", { class: "scale-cell" }, drawn)];
      }),
    ),
  );
  function subject(i) {
    const name = values[i][0];
    const words = table.subjects.length > 0 ? nameElement(table.subjects[i]) : plain(cells[i][0]);
    if (columns[0].name !== "document" || !known.has(name)) return words;
    const onclick = () => chooseDocument(name);
    return h("button", { type: "button", class: "as-link", onclick }, words);
  }
  const body = h("tbody", {}, rows);
  const heads = columns.map(({ heading, ...column }, j) => {
    const button = h("button", { type: "button", class: "sort" }, heading);
    const shown = rows.length > 1 ? button : heading;
    const head = h("th", { scope: "col", class: sideOf(column) }, shown);
    button.addEventListener("click", () => sort(body, rows, values, head, j));
    if (j !== place || !range) return head;
    return [head, h("th", { scope: "col", class: "scale-cell" }, axis(range))];
  });
  const name = table.title || `Table by ${columns[0].heading}`;
  return h(
    "div",
    { class: "table-frame", tabindex: "0", role: "region", "aria-label": name },
    h("table", {}, h("thead", {}, h("tr", {}, heads)), body),
  );
}

/** Sort by a column: ascending, descending, original order; rows without a value come last. */
function sort(body, rows, values, head, j) {
  const next = { ascending: "descending", descending: null }[head.getAttribute("aria-sort")];
  const order = next === undefined ? "ascending" : next;
  for (const each of head.parentNode.children) each.removeAttribute("aria-sort");
  // Intervals are sorted by their first number.
  const keys = values.map((row) => row[j]?.low ?? (Array.isArray(row[j]) ? row[j][0] : row[j]));
  const lacks = (i) => keys[i] == null || typeof keys[i] === "object";
  const compare = (a, b) =>
    typeof keys[a] === "string" && typeof keys[b] === "string"
      ? keys[a].localeCompare(keys[b], undefined, { numeric: true })
      : keys[a] - keys[b];
  const places = rows.map((_, i) => i);
  if (order) {
    head.setAttribute("aria-sort", order);
    const way = order === "ascending" ? 1 : -1;
    places.sort((a, b) => lacks(a) - lacks(b) || (lacks(a) ? a - b : way * compare(a, b)));
  }
  body.replaceChildren(...places.map((i) => rows[i]));
}

const sideOf = ({ align }) => (align === "right" ? "number" : "");

/** Whether larger values mean more agreement. */
const grows = (measure) => measure && measure.perfect > (measure.low ?? 0);

function rangeOfRows(values, place, about) {
  const drawn = values.map((row) => row[place]).filter((_, i) => grows(about[i]));
  return drawn.some((value) => value != null) ? rangeOf(drawn, about.find(grows)) : null;
}

/** The range of a scale for all values; null if a value exceeds perfect agreement. */
function rangeOf(values, { perfect, low }) {
  const known = values.filter((value) => value != null);
  const most = Math.max(perfect, 1);
  if (known.some((value) => value > most)) return null;
  const least = Math.min(low ?? 0, 0, ...known);
  return [least < 0 ? Math.max(-1.5, Math.floor(least * 5) / 5) : 0, most];
}

/** A scale with its bounds, the value and its interval. */
function drawing(value, interval, measure, range, { wide = false } = {}) {
  if (!range || !measure || !(grows(measure) || wide)) return null;
  const [low, high] = range;
  const width = wide ? 190 : WIDTH;
  const y = wide ? 10 : 9;
  const x = (at) => 6 + ((Math.min(Math.max(at, low), high) - low) / (high - low)) * (width - 12);
  const line = (name, from, to) =>
    svg("line", { class: `scale-${name}`, x1: x(from), x2: x(to), y1: y, y2: y });
  const tick = (at) =>
    svg("line", { class: "scale-tick", x1: x(at), x2: x(at), y1: y - 5, y2: y + 5 });
  return svg(
    "svg",
    { class: "scale", viewBox: `0 0 ${width} ${2 * y}`, width, height: 2 * y, "aria-hidden": true },
    line("line", low, high),
    value != null && grows(measure) && line("part", measure.by_chance ?? measure.low ?? 0, value),
    [0, high].map(tick),
    interval?.high != null && line("interval", interval.low ?? low, interval.high),
    value != null && svg("circle", { class: "scale-dot", cx: x(value), cy: y, r: wide ? 5 : 4 }),
  );
}

function axis([low, high]) {
  const x = (at) => 6 + ((at - low) / (high - low)) * (WIDTH - 12);
  const label = (at) => {
    const anchor = at === low ? "start" : at === high ? "end" : "middle";
    return svg("text", { x: x(at), y: 12, "text-anchor": anchor }, String(at));
  };
  const words = `from ${low} to ${high}`;
  return svg(
    "svg",
    {
      class: "scale",
      viewBox: `0 0 ${WIDTH} 16`,
      width: WIDTH,
      height: 16,
      role: "img",
      "aria-label": words,
    },
    low < -0.25 && label(low),
    label(0),
    label(high),
  );
}

function facts({ facts: found, notes }) {
  const entries = [...found, ...notes.map((text) => ({ name: "note", heading: "note", text }))];
  if (entries.length === 0) return null;
  return h(
    "dl",
    { class: "facts" },
    entries.map(({ name, heading, text }) =>
      h("div", { class: name === "note" ? "is-note" : "" }, h("dt", {}, heading), h("dd", {}, text)),
    ),
  );
}

/** How the files were read: the columns or tiers of each role, and what was not used. */
function record({ reading, measures }) {
  const known = new Set();
  const title = "How the files were read";
  return h(
    "details",
    { class: "signature record" },
    h("summary", {}, title),
    reading.map((table) => [
      table.title !== title && h("h4", {}, table.title),
      tableElement(table, { measures, known }),
      table.more && h("p", { class: "note" }, table.more),
    ]),
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
        button.textContent = (await copy(words)) ? "Copied" : "Select and copy the text";
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
        ? "Signature: every setting that can change the value"
        : `${lines.length} signatures: every setting that can change a value`,
    ),
    h(
      "div",
      { class: "signature-lines" },
      lines.map((line) => h("code", {}, line)),
      button,
    ),
  );
}

const plain = (text) => h("bdi", {}, text);

/** The name of a measure with its subscripts, and a label. */
export function nameElement(parts) {
  const tags = { low: "sub", name: "bdi" };
  return h(
    "span",
    {},
    parts.map(([text, style]) => (style in tags ? h(tags[style], {}, text) : text)),
  );
}
