// Two painters for the same drawing: on a canvas for display, as SVG for download.

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

export class CanvasPainter {
  constructor(context) {
    this.context = context;
  }

  rect(x, y, width, height, { fill, stroke, line = 1, alpha = 1, radius = 0, dash } = {}) {
    const pen = this.context;
    pen.globalAlpha = alpha;
    if (radius > 0 && width > 2 * radius) {
      pen.beginPath();
      pen.roundRect(x, y, width, height, radius);
      if (fill) {
        pen.fillStyle = fill;
        pen.fill();
      }
      if (stroke) this.#outline(stroke, line, dash);
    } else {
      if (fill) {
        pen.fillStyle = fill;
        pen.fillRect(x, y, width, height);
      }
      if (stroke) {
        pen.beginPath();
        pen.rect(x, y, width, height);
        this.#outline(stroke, line, dash);
      }
    }
    pen.globalAlpha = 1;
  }

  line(x1, y1, x2, y2, { stroke, line = 1, alpha = 1 }) {
    const pen = this.context;
    pen.globalAlpha = alpha;
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    this.#outline(stroke, line);
    pen.globalAlpha = 1;
  }

  /** Quadrilaterals of one colour: corners in one flat array, eight numbers per shape. */
  shapes(corners, { fill, alpha = 1 }) {
    const pen = this.context;
    pen.globalAlpha = alpha;
    pen.fillStyle = fill;
    pen.beginPath();
    for (let i = 0; i < corners.length; i += 8) {
      pen.moveTo(corners[i], corners[i + 1]);
      pen.lineTo(corners[i + 2], corners[i + 3]);
      pen.lineTo(corners[i + 4], corners[i + 5]);
      pen.lineTo(corners[i + 6], corners[i + 7]);
      pen.closePath();
    }
    pen.fill();
    pen.globalAlpha = 1;
  }

  text(words, x, y, { fill, size = 11.5, align = "start", weight = 400, alpha = 1 }) {
    const pen = this.context;
    pen.globalAlpha = alpha;
    pen.fillStyle = fill;
    pen.font = `${weight} ${size}px ${FONT}`;
    pen.textAlign = align === "middle" ? "center" : align;
    pen.textBaseline = "middle";
    pen.fillText(words, x, y);
    pen.globalAlpha = 1;
  }

  within(x, y, width, height, paint) {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
    paint();
    this.context.restore();
  }

  #outline(stroke, line, dash) {
    this.context.strokeStyle = stroke;
    this.context.lineWidth = line;
    this.context.setLineDash(dash ?? []);
    this.context.stroke();
  }
}

export class SvgPainter {
  constructor(width, height, title) {
    this.parts = [];
    this.clips = 0;
    this.width = width;
    this.height = height;
    this.title = title;
  }

  rect(x, y, width, height, { fill, stroke, line = 1, alpha = 1, radius = 0, dash } = {}) {
    const rounded = radius > 0 && width > 2 * radius ? ` rx="${radius}"` : "";
    const edge = stroke ? ` stroke="${stroke}" stroke-width="${line}"` : "";
    const dashes = dash ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    this.parts.push(
      `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"` +
        `${rounded} fill="${fill ?? "none"}"${edge}${dashes}${see(alpha)}/>`,
    );
  }

  line(x1, y1, x2, y2, { stroke, line = 1, alpha = 1 }) {
    this.parts.push(
      `<line x1="${short(x1)}" y1="${short(y1)}" x2="${short(x2)}" y2="${short(y2)}"` +
        ` stroke="${stroke}" stroke-width="${line}"${see(alpha)}/>`,
    );
  }

  shapes(corners, { fill, alpha = 1 }) {
    let path = "";
    for (let i = 0; i < corners.length; i += 8) {
      const [a, b, c, d, e, f, g, h] = corners.slice(i, i + 8).map(short);
      path += `M${a} ${b}L${c} ${d}L${e} ${f}L${g} ${h}Z`;
    }
    if (path) this.parts.push(`<path d="${path}" fill="${fill}"${see(alpha)}/>`);
  }

  text(words, x, y, { fill, size = 11.5, align = "start", weight = 400, alpha = 1 }) {
    const heavy = weight === 400 ? "" : ` font-weight="${weight}"`;
    this.parts.push(
      `<text x="${short(x)}" y="${short(y)}" fill="${fill}" font-size="${size}"` +
        ` text-anchor="${align}"` +
        ` dominant-baseline="central"${heavy}${see(alpha)}>${escaped(words)}</text>`,
    );
  }

  within(x, y, width, height, paint) {
    const id = `clip${++this.clips}`;
    this.parts.push(
      `<clipPath id="${id}"><rect x="${short(x)}" y="${short(y)}" width="${short(width)}"` +
        ` height="${short(height)}"/></clipPath><g clip-path="url(#${id})">`,
    );
    paint();
    this.parts.push("</g>");
  }

  toString() {
    const { width, height } = this;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"` +
      ` viewBox="0 0 ${width} ${height}" role="img" font-family="${FONT}">` +
      `<title>${escaped(this.title)}</title>${this.parts.join("\n")}</svg>\n`
    );
  }
}

const short = (number) => Number(number.toFixed(2));
const see = (alpha) => (alpha === 1 ? "" : ` opacity="${short(alpha)}"`);
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
// XML does not allow control characters.
const escaped = (words) =>
  String(words)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "�")
    .replace(/[&<>"']/g, (mark) => ENTITIES[mark]);
