// Annotators in pairs, as a matrix: whoever differs from all others is seen at once.

import { fill, h } from "./elements.js";
import { decimals } from "./words.js";

const MOST = 24;

/** A matrix for the coefficient that is chosen; α first. Nothing where there are no pairs. */
export function pairMatrix(table) {
  const names = Object.keys(table).filter((name) => table[name].by_pair?.length > 1);
  if (names.length === 0) return null;
  const first = names.includes("krippendorff_alpha") ? "krippendorff_alpha" : names[0];
  const place = h("div", {
    class: "table-frame",
    tabindex: "0",
    role: "region",
    "aria-label": "Annotators in pairs",
  });
  const draw = (name) => fill(place, matrix(table[name].by_pair));
  const choice = h(
    "select",
    { "aria-label": "Coefficient of the pairs", onchange: () => draw(choice.value) },
    names.map((name) => h("option", { value: name, selected: name === first }, name)),
  );
  draw(first);
  return h(
    "div",
    {},
    h("h3", {}, "Annotators in pairs"),
    names.length > 1 && h("div", { class: "row" }, choice),
    place,
  );
}

function matrix(pairs) {
  const annotators = [...new Set(pairs.flatMap((pair) => pair.annotators))].slice(0, MOST);
  const values = new Map(pairs.map((pair) => [pair.annotators.join("\u0000"), pair]));
  const of = (one, other) =>
    values.get(`${one}\u0000${other}`) ?? values.get(`${other}\u0000${one}`);
  const cell = (one, other) => {
    const pair = of(one, other);
    if (one === other || !pair) return h("td", { class: "number same" }, "·");
    const value = pair.value;
    const share = value == null ? 0 : Math.min(1, Math.max(0, value));
    return h(
      "td",
      {
        class: "number shaded",
        title: pair.undefined,
        style: { "--share": `${Math.round(share * 100)}%` },
      },
      pair.undefined ? "undefined" : decimals(value),
    );
  };
  return h(
    "table",
    { class: "matrix" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        annotators.map((name) => h("th", { scope: "col", class: "number" }, h("bdi", {}, name))),
      ),
    ),
    h(
      "tbody",
      {},
      annotators.map((one) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("bdi", {}, one)),
          annotators.map((other) => cell(one, other)),
        ),
      ),
    ),
  );
}
