// The matrix of pairwise agreement, which reveals annotators who differ from all others.

import { fill, h } from "./elements.js";

/** The matrix of the selected measure; null if the result has no pairs. */
export function pairMatrix({ pairs, measures, headline }) {
  if (pairs.length === 0) return null;
  const leading = pairs.findIndex(({ measure }) => measure === headline[0]?.name);
  const first = Math.max(leading, 0);
  const place = h("div", {
    class: "table-frame",
    tabindex: "0",
    role: "region",
    "aria-label": "Pairwise agreement",
  });
  const more = h("p", { class: "note" });
  const draw = (at) => {
    fill(place, matrix(pairs[at], measures[pairs[at].measure]));
    fill(more, pairs[at].more);
  };
  const choice = h(
    "select",
    { "aria-label": "Coefficient of the pairs", onchange: () => draw(choice.selectedIndex) },
    pairs.map(({ title }, at) => h("option", { selected: at === first }, title)),
  );
  draw(first);
  return h(
    "div",
    {},
    h("h3", {}, "Pairwise agreement"),
    pairs.length > 1 && h("div", { class: "row" }, choice),
    place,
    more,
  );
}

function matrix({ annotators, cells }, { perfect, low }) {
  const cell = (of) => {
    if (!of) return h("td", { class: "number same" }, "·");
    const least = low ?? 0;
    const share = of.value == null ? 0 : (of.value - least) / (perfect - least);
    const style = { "--share": `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` };
    return h("td", { class: "number shaded", title: of.why, style }, of.text);
  };
  const names = annotators.map((name) => h("th", { scope: "col", class: "number" }, bdi(name)));
  return h(
    "table",
    { class: "matrix" },
    h("thead", {}, h("tr", {}, h("td", {}), names)),
    h(
      "tbody",
      {},
      cells.map((row, i) =>
        h("tr", {}, h("th", { scope: "row" }, bdi(annotators[i])), row.map(cell)),
      ),
    ),
  );
}

const bdi = (name) => h("bdi", {}, name);
