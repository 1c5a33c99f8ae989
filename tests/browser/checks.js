// Accessibility checks of a page with plain DOM calls; returns a list of complaints.
() => {
  const complaints = [];
  const complain = (what, element) =>
    complaints.push(`${what}: ${(element.outerHTML || element.textContent || "").slice(0, 160)}`);

  const colour = (text) => {
    const found = /rgba?\(([^)]+)\)/.exec(text);
    if (!found) return null;
    const [r, g, b, a = 1] = found[1].split(/[ ,/]+/).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below, alpha) => ({
    r: top.r * alpha + below.r * (1 - alpha),
    g: top.g * alpha + below.g * (1 - alpha),
    b: top.b * alpha + below.b * (1 - alpha),
    a: 1,
  });
  const luminance = ({ r, g, b }) => {
    const part = (x) => {
      const share = x / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const own = colour(getComputedStyle(at).backgroundColor);
      if (own && own.a > 0) layers.unshift(own);
    }
    return layers.reduce((below, top) => over(top, below, top.a), { r: 255, g: 255, b: 255, a: 1 });
  };
  const opacity = (element, stop) => {
    let share = 1;
    for (let at = element; at && at !== stop; at = at.parentElement) {
      share *= Number(getComputedStyle(at).opacity);
    }
    return share;
  };
  // The colour below a text of an image: that of earlier shapes below its centre.
  const painted = (text, svg) => {
    const box = text.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    let below = ground(svg);
    for (const shape of svg.querySelectorAll("path, rect")) {
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
      if (shape.closest("clipPath, defs")) continue;
      const style = getComputedStyle(shape);
      const fill = colour(style.fill);
      if (!fill || style.fill === "none") continue;
      const own = shape.getBoundingClientRect();
      if (x < own.left || x > own.right || y < own.top || y > own.bottom) continue;
      const point = svg.createSVGPoint();
      [point.x, point.y] = [x, y];
      const matrix = shape.getScreenCTM();
      if (!matrix || !shape.isPointInFill(point.matrixTransform(matrix.inverse()))) continue;
      below = over(fill, below, fill.a * Number(style.fillOpacity) * opacity(shape, svg));
    }
    return below;
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let read = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.getClientRects().length) continue;
    if (element.closest(".skip, title, desc")) continue;
    const svg = element.closest("svg");
    const style = getComputedStyle(element);
    const ink = colour(svg ? style.fill : style.color);
    const below = svg ? painted(element, svg) : ground(element);
    const share = ink.a * (svg ? Number(style.fillOpacity) * opacity(element, svg) : 1);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const found = contrast(over(ink, below, share), below);
    if (found < (large ? 3 : 4.5)) {
      complain(`contrast ${found.toFixed(2)} of “${node.textContent.trim().slice(0, 40)}”`, element);
    }
    read += 1;
  }
  if (read < 50) complaints.push(`only ${read} texts were looked at`);

  if (!document.documentElement.lang) complaints.push("the page has no language");
  if (!document.title.trim()) complaints.push("the page has no title");
  for (const tag of ["main", "h1"]) {
    if (document.querySelectorAll(tag).length !== 1) complaints.push(`not one ${tag}`);
  }
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const own = Number(heading.tagName[1]);
    if (own > level + 1) complain(`a heading after level ${level}`, heading);
    if (!heading.textContent.trim()) complain("an empty heading", heading);
    level = own;
  }
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  for (const id of new Set(ids)) {
    if (ids.filter((each) => each === id).length > 1) complaints.push(`two elements are #${id}`);
  }
  for (const link of document.querySelectorAll("a")) {
    if (!link.textContent.trim()) complain("a link without a name", link);
    if (!document.querySelector(link.getAttribute("href"))) complain("a link to nowhere", link);
  }
  for (const picture of document.querySelectorAll("svg")) {
    if (picture.parentElement.closest("svg")) continue;
    if (picture.getAttribute("role") !== "img" || !picture.getAttribute("aria-label")) {
      complain("a picture without a name", picture);
    }
  }
  for (const table of document.querySelectorAll("table")) {
    if (!table.caption || !table.caption.textContent.trim()) complain("no caption", table);
    for (const head of table.querySelectorAll("th")) {
      if (!head.scope) complain("a heading of a table without scope", head);
    }
    for (const row of table.tBodies[0].rows) {
      if (row.cells[0].tagName !== "TH") complain("a row without a heading", row);
    }
  }
  for (const list of document.querySelectorAll("ul")) {
    if ([...list.children].some((child) => child.tagName !== "LI")) complain("no item", list);
  }
  for (const element of document.querySelectorAll("[tabindex], [role=group], nav")) {
    if (!element.getAttribute("aria-label")) complain("a part without a name", element);
  }
  for (const box of document.querySelectorAll("body *")) {
    const scrolls = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX === "auto";
    if (scrolls && box.tabIndex < 0 && !box.querySelector("svg")) complain("out of reach", box);
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) {
    complaints.push(`the page is ${document.documentElement.scrollWidth} wide`);
  }
  return complaints;
}
