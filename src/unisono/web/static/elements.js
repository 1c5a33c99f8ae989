// Elements with text content only, so that texts from files are never parsed as markup.

/** Create an element; strings among the children become text nodes. */
export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** Create an SVG element. */
export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/** Replace all children. */
export function fill(parent, ...children) {
  parent.replaceChildren(
    ...children.flat(Infinity).filter((each) => each != null && each !== false),
  );
  return parent;
}

export const byId = (id) => document.getElementById(id);

/** Announce a change to screen readers, without moving the focus. */
export function announce(sentence) {
  byId("announced").textContent = sentence;
}

let serial = 0;
export const freshId = (stem) => `${stem}-${++serial}`;

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value == null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style")
      for (const [key, each] of Object.entries(value)) element.style.setProperty(key, each);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  fill(element, ...children);
  return element;
}
