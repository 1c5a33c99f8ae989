// Values of a form into settings of a request: only what differs from the library's own.

const parted = (text) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
const column = (text) => (/^\d+$/.test(text) ? Number(text) : text);
const character = (text) =>
  ({ tab: "\t", "\\t": "\t", comma: ",", semicolon: ";", space: " " })[text] ?? text;

const UNIT_COLUMNS = ["annotator", "document", "start", "end", "label"];

/** What the service calls the measure of a page. */
export const measureOf = (page, values) => (page === "units" ? values.measure : page);

/** Settings as the service takes them. */
export function settingsOf(page, values, applies) {
  const v = Object.fromEntries(Object.entries(values).filter(([key]) => applies(key)));
  const made =
    page === "units" ? unitSettings(v) : page === "items" ? itemSettings(v) : compareSettings(v);
  return without(made);
}

function unitSettings(v) {
  const measure = v.measure;
  const settings = { reading: unitReading(v) };
  if (["gamma", "all", "consensus", "calibrate"].includes(measure))
    settings.dissimilarity = dissimilarity(v);
  if (measure === "unitizing") {
    Object.assign(settings, {
      distance: distanceOf(v),
      generation: v.generation,
      overlap: v.overlap,
      order: listOf(v.order),
    });
  }
  if (measure === "segments") {
    for (const name of ["atom", "gaps", "window", "near"]) settings[name] = v[name];
  }
  if (["gamma", "all", "calibrate"].includes(measure)) {
    Object.assign(settings, {
      chance: v.chance,
      draws: v.draws,
      rng: v.seed,
      confidence: v.confidence,
      resamples: v.resamples,
      soft: v.soft || null,
    });
    settings.precision = v.draws == null ? v.precision : null;
  }
  if (measure === "all")
    Object.assign(settings, { distance: distanceOf(v), overlap: v.overlap, atom: v.atom });
  if (measure === "consensus")
    Object.assign(settings, { support: v.support, atom: v.atom, soft: v.soft || null });
  if (measure === "calibrate") settings.support = v.support;
  return settings;
}

function itemSettings(v) {
  return {
    reading: without({
      format: v.format || null,
      layer: v.layer || null,
      annotator: columnOf(v.annotator),
      item: columnOf(v.item),
      label: columnOf(v.label),
      annotators: listOf(v.annotators)?.map(column),
      wide: yesOrNo(v.wide),
      header: yesOrNo(v.header),
      delimiter: v.delimiter && character(v.delimiter),
      separator: v.separator && character(v.separator),
      missing: listOf(v.missing_texts),
    }),
    measures: v.measures ? [v.measures] : null,
    distance: distanceOf(v),
    weights: v.weights || null,
    order: listOf(v.order)?.map((label) => (Number.isNaN(Number(label)) ? label : Number(label))),
    missing: v.missing || null,
    bootstrap: v.bootstrap || null,
    permutations: v.permutations || null,
    categories: v.categories,
    confidence: v.bootstrap ? v.confidence : null,
    rng: v.bootstrap || v.permutations ? v.seed : null,
  };
}

function compareSettings(v) {
  const settings = {
    reading: unitReading(v),
    reference: listOf(v.reference),
    hypothesis: v.hypothesis || null,
    tolerance: v.tolerance,
    mapping: v.mapping || null,
    with_gamma: v.with_gamma,
  };
  if (!v.with_gamma) return settings;
  return {
    ...settings,
    dissimilarity: dissimilarity(v),
    chance: v.chance,
    chance_precision: v.chance_precision,
    rng: v.seed,
  };
}

function unitReading(v) {
  const reading = Object.fromEntries(UNIT_COLUMNS.map((name) => [name, columnOf(v[name])]));
  const layers = listOf(v.layer);
  if (v.no_labels) reading.label = false;
  return without({
    ...reading,
    header: yesOrNo(v.header),
    layer: layers?.length === 1 ? layers[0] : layers,
    format: v.format || null,
    delimiter: v.delimiter && character(v.delimiter),
    annotators: v.annotators === "auto" ? null : v.annotators,
    on_error: v.on_error === "raise" ? null : v.on_error,
  });
}

function dissimilarity(v) {
  // All as it comes: the measure's own, which differs between chance models.
  const own = v.position === 1 && v.label_weight === 1 && v.empty === 1 && (v.power ?? 2) === 2;
  if (own && v.distance === "nominal" && !v.steep) return null;
  return without({
    position: v.position,
    label: v.label_weight,
    empty: v.empty,
    distance: distanceOf(v),
    power: v.power,
    steep: v.steep || null,
  });
}

function distanceOf(v) {
  if (v.distance === "nominal" || v.distance == null) return null;
  return v.distance === "circular" && v.circle ? `circular:${v.circle}` : v.distance;
}

const yesOrNo = (text) => (text ? text === "true" : null);
const columnOf = (text) => (text ? column(text) : null);
const listOf = (text) => (text && parted(text).length > 0 ? parted(text) : null);

function without(settings) {
  const kept = Object.entries(settings).filter(([, value]) => value != null && value !== "");
  return kept.length > 0 ? Object.fromEntries(kept.filter(([, value]) => !isEmpty(value))) : null;
}

const isEmpty = (value) =>
  typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0;
