// The continuum as it is drawn: axis, lanes, ribbons between aligned units, units.

import { inkOn } from "./colours.js";
import { firstEndingAfter } from "./lanes.js";
import { position } from "./words.js";

const AXIS = 26;
const GAP = 16;
const SHADES = 6;
const NARROW = 640;

/** The layout of lanes and rows for a width; heights shrink if there are many rows. */
export function geometry(scene, width) {
  const narrow = width < NARROW;
  const gutter = narrow ? 6 : gutterFor(scene.annotators);
  const heading = narrow ? 17 : 0;
  const rowsInAll = scene.rows.reduce((sum, rows) => sum + Math.max(1, rows.length), 0);
  const row = Math.max(7, Math.min(24, 900 / rowsInAll));
  const tops = [];
  let y = AXIS + 8;
  for (const rows of scene.rows) {
    tops.push(y + heading);
    y += heading + Math.max(1, rows.length) * row + GAP;
  }
  return { width, narrow, gutter, right: 8, row, tops, top: AXIS, height: Math.ceil(y - GAP + 10) };
}

/** Draw everything that is visible. */
export function paint(
  painter,
  scene,
  shape,
  view,
  { theme, colours, selected = -1, hovered = -1 },
) {
  const inner = shape.width - shape.gutter - shape.right;
  const scale = inner / view.span;
  const x = (place) => shape.gutter + (place - view.low) * scale;
  painter.rect(0, 0, shape.width, shape.height, { fill: theme.surface });
  lanes(painter, scene, shape, theme);
  painter.within(shape.gutter, 0, inner, shape.height, () => {
    axis(painter, shape, view, x, theme);
    ribbons(painter, scene, shape, view, x, { theme, selected, hovered });
    units(painter, scene, shape, view, x, { theme, colours, selected, hovered });
  });
  return x;
}

function gutterFor(names) {
  const longest = Math.max(...names.map((name) => Math.min(18, Array.from(name).length)), 4);
  return Math.round(Math.min(150, Math.max(56, longest * 7.2 + 18)));
}

function lanes(painter, scene, shape, theme) {
  scene.annotators.forEach((name, lane) => {
    const height = Math.max(1, scene.rows[lane].length) * shape.row;
    const top = shape.tops[lane];
    painter.rect(shape.gutter, top, shape.width - shape.gutter - shape.right, height, {
      fill: theme.sunken,
      radius: 3,
    });
    const weight = lane === scene.consensusLane ? 650 : 500;
    if (shape.narrow)
      painter.text(cut(name, 44), shape.gutter, top - 9, { fill: theme.muted, weight });
    else
      painter.text(cut(name, 18), shape.gutter - 10, top + height / 2, {
        fill: theme.ink,
        align: "end",
        weight,
        size: 12.5,
      });
  });
}

function axis(painter, shape, view, x, theme) {
  const step = niceStep(view.span / ((shape.width - shape.gutter) / 96));
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  for (let i = Math.ceil(view.low / step); i * step <= view.high; i++) {
    const at = x(i * step);
    painter.line(at, AXIS - 4, at, shape.height - 6, { stroke: theme.line, alpha: 0.7 });
    const text = position(Number((i * step).toFixed(digits)));
    // Tick labels at the edge must not extend beyond it.
    const half = text.length * 3.4;
    const middle = Math.min(Math.max(at, shape.gutter + half), shape.width - shape.right - half);
    painter.text(text, middle, AXIS / 2, { fill: theme.muted, align: "middle", size: 11 });
  }
}

function ribbons(painter, scene, shape, view, x, { theme, selected, hovered }) {
  if (!scene.groups) return;
  const shades = Array.from({ length: SHADES }, () => []);
  const chosen = [];
  for (let number = 0; number < scene.groups.length; number++) {
    const { units: members, disorder } = scene.groups[number];
    const marked = number === selected || number === hovered;
    const share = scene.mostDisorder > 0 ? (disorder ?? 0) / scene.mostDisorder : 0;
    const into = marked ? chosen : shades[Math.min(SHADES - 1, Math.floor(share * SHADES))];
    let above = -1;
    for (const unit of members) {
      if (unit == null) continue;
      if (above >= 0) between(into, scene, shape, view, x, above, unit);
      above = unit;
    }
  }
  shades.forEach((corners, i) => {
    if (corners.length === 0) return;
    const share = i / (SHADES - 1);
    const quiet = selected >= 0 ? 0.45 : 1;
    painter.shapes(corners, {
      fill: share > 0.3 ? theme.ember : theme["strong-line"],
      alpha: (0.14 + 0.26 * share) * quiet,
    });
  });
  if (chosen.length > 0) painter.shapes(chosen, { fill: theme.accent, alpha: 0.42 });
}

function between(into, scene, shape, view, x, above, below) {
  const { start, end } = scene;
  if (
    Math.max(end[above], end[below]) < view.low ||
    Math.min(start[above], start[below]) > view.high
  )
    return;
  const top = rowTop(scene, shape, above) + shape.row - 1;
  const bottom = rowTop(scene, shape, below) + 1;
  into.push(
    x(start[above]),
    top,
    Math.max(x(end[above]), x(start[above]) + 1.5),
    top,
    Math.max(x(end[below]), x(start[below]) + 1.5),
    bottom,
    x(start[below]),
    bottom,
  );
}

function units(painter, scene, shape, view, x, { theme, colours, selected, hovered }) {
  const outlined = [];
  for (const rows of scene.rows) {
    for (const row of rows) {
      let painted = -Infinity;
      for (let i = firstEndingAfter(scene, row, view.low); i < row.length; i++) {
        const unit = row[i];
        if (scene.start[unit] > view.high) break;
        const group = scene.groupOf[unit];
        const left = x(scene.start[unit]);
        const right = Math.max(x(scene.end[unit]), left + 1.5);
        const marked = group >= 0 && (group === selected || group === hovered);
        // Of several units within one pixel, only one is drawn.
        if (right < painted + 0.7 && !marked) continue;
        painted = right;
        one(painter, scene, shape, unit, left, right, {
          theme,
          colours,
          faded: selected >= 0 && !marked,
        });
        if (marked || scene.unmatched[unit]) outlined.push([unit, left, right, marked]);
      }
    }
  }
  for (const [unit, left, right, marked] of outlined) {
    const top = rowTop(scene, shape, unit) + 1;
    const style = marked
      ? { stroke: theme.ink, line: 2 }
      : { stroke: theme.ember, line: 1.5, dash: [3, 2], alpha: selected >= 0 ? 0.5 : 1 };
    if (marked || right - left > 5)
      painter.rect(left + 0.75, top + 0.5, Math.max(1, right - left - 1.5), shape.row - 3, {
        ...style,
        radius: 3,
      });
  }
}

function one(painter, scene, shape, unit, left, right, { theme, colours, faded }) {
  const colour = colours.get(scene.labels[scene.label[unit]]) ?? theme.muted;
  const top = rowTop(scene, shape, unit) + 1;
  const width = right - left;
  const strength = scene.strength ? 0.45 + 0.55 * scene.strength[unit] : 1;
  const gap = width > 4 ? 0.5 : 0;
  painter.rect(left + gap, top, width - 2 * gap, shape.row - 2, {
    fill: colour,
    radius: 3,
    alpha: (faded ? 0.32 : 1) * strength,
  });
  if (width < 26 || shape.row < 13) return;
  // The label of a unit that starts before the view is drawn at the edge of the view.
  const from = Math.max(left, shape.gutter) + 6;
  const room = Math.min(right, shape.width - shape.right) - from - 4;
  const text = cut(scene.labels[scene.label[unit]], Math.floor(room / 6.6));
  if (text)
    painter.text(text, from, top + (shape.row - 2) / 2, {
      fill: faded ? theme.ink : inkOn(colour),
      alpha: faded ? 0.6 : 1,
    });
}

export function rowTop(scene, shape, unit) {
  return shape.tops[scene.annotator[unit]] + scene.rowOf[unit] * shape.row;
}

function cut(words, most) {
  if (words.length <= most) return words;
  if (most < 2) return "";
  return `${Array.from(words)
    .slice(0, most - 1)
    .join("")}…`;
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10) * power;
}
