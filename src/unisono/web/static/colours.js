// The colours of labels, safe for colour-blind readers (Okabe and Ito), and those of the theme.

const EIGHT = [
  "#56b4e9",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#f0e442",
  "#0072b2",
  "#d55e00",
  "#999999",
];
const SHADES = [0, 0.45, -0.35, 0.7, -0.6];

/** A colour per label, independent of the order of the data. */
export function labelColours(labels) {
  const sorted = [...new Set(labels)].sort();
  return new Map(sorted.map((label, i) => [label, colourAt(i)]));
}

function colourAt(i) {
  const amount = SHADES[Math.floor(i / EIGHT.length) % SHADES.length];
  const parts = rgb(EIGHT[i % EIGHT.length]);
  const towards = amount > 0 ? 255 : 0;
  const mixed = parts.map((part) => Math.round(part + (towards - part) * Math.abs(amount)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** Black or white, whichever has more contrast to a colour. */
export function inkOn(colour) {
  const light = luminance(rgb(colour));
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#12110f" : "#ffffff";
}

/** The colours of the theme as plain values, for drawing. */
export function themeColours(element) {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const found = {};
  for (const name of [
    "paper",
    "surface",
    "sunken",
    "ink",
    "muted",
    "line",
    "strong-line",
    "accent",
    "ember",
  ]) {
    probe.style.color = `var(--${name})`;
    found[name] = hex(getComputedStyle(probe).color);
  }
  probe.remove();
  return found;
}

function rgb(colour) {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

function hex(colour) {
  const numbers = colour
    .match(/[\d.]+/g)
    .slice(0, 3)
    .map(Number);
  return `#${numbers.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function luminance(parts) {
  const [red, green, blue] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
