// The layout of units in lanes: one per annotator, with additional rows for overlapping units.

/** Convert a drawing of the service into arrays for fast drawing and searching. */
export function laneScene(drawing) {
  const consensus = drawing.consensus ?? [];
  const annotators = [...drawing.annotators];
  const annotator = Int32Array.from(drawing.units.annotator);
  const n = annotator.length + consensus.length;
  const scene = {
    name: drawing.name,
    annotators,
    labels: drawing.labels.map((label) => label ?? "(no label)"),
    texts: drawing.texts,
    nUnits: annotator.length,
    n,
    annotator: new Int32Array(n),
    start: new Float64Array(n),
    end: new Float64Array(n),
    label: new Int32Array(n),
    strength: null,
    groups: drawing.groups,
    groupOf: new Int32Array(n).fill(-1),
    unmatched: new Uint8Array(n),
    worst: drawing.worst ?? [],
    slots: drawing.slots,
    undecided: drawing.undecided,
    proven: drawing.proven,
    gap: drawing.gap,
  };
  scene.annotator.set(annotator);
  for (const name of ["start", "end", "label"]) scene[name].set(drawing.units[name]);
  if (consensus.length > 0) addConsensus(scene, consensus);
  joinGroups(scene);
  stack(scene);
  scene.extent = extentOf(scene, drawing.extent);
  scene.mostDisorder = (scene.groups ?? []).reduce(
    (most, group) => Math.max(most, group.disorder ?? 0),
    0,
  );
  return scene;
}

/** The least start and the greatest end of the units of a group. */
export function placeOf(scene, group) {
  let low = Infinity;
  let high = -Infinity;
  for (const unit of scene.groups[group].units) {
    if (unit == null) continue;
    low = Math.min(low, scene.start[unit]);
    high = Math.max(high, scene.end[unit]);
  }
  return [low, high];
}

/** The unit at a position in a row of a lane; -1 if there is none within the tolerance. */
export function unitAt(scene, lane, row, place, tolerance) {
  const units = scene.rows[lane]?.[row];
  if (!units) return -1;
  let best = -1;
  let nearest = tolerance;
  for (
    let i = Math.max(0, firstEndingAfter(scene, units, place - tolerance));
    i < units.length;
    i++
  ) {
    const unit = units[i];
    if (scene.start[unit] > place + tolerance) break;
    const off = Math.max(scene.start[unit] - place, place - scene.end[unit], 0);
    if (off <= nearest) {
      best = unit;
      nearest = off;
      if (off === 0) break;
    }
  }
  return best;
}

/** The index of the first unit in a row that ends after a position; rows have no overlaps. */
export function firstEndingAfter(scene, units, place) {
  let low = 0;
  let high = units.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (scene.end[units[middle]] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function addConsensus(scene, consensus) {
  const lane = scene.annotators.length;
  scene.annotators.push("consensus");
  scene.consensusLane = lane;
  scene.strength = new Float64Array(scene.n).fill(1);
  consensus.forEach((unit, i) => {
    const at = scene.nUnits + i;
    scene.annotator[at] = lane;
    scene.start[at] = unit.start;
    scene.end[at] = unit.end;
    scene.label[at] = unit.label;
    scene.strength[at] = unit.support;
    scene.groupOf[at] = unit.group ?? -1;
  });
}

function joinGroups(scene) {
  if (!scene.groups && scene.slots) {
    // Matched units of reference and hypothesis are shown as groups of two.
    scene.groups = scene.slots.map((slot) => ({
      kind: slot.kind,
      disorder:
        slot.kind === "correct" ? 0 : slot.kind === "type" || slot.kind === "boundary" ? 0.5 : 1,
      units: [slot.reference, slot.hypothesis],
    }));
    scene.worst = scene.groups
      .map((_, i) => i)
      .filter((i) => scene.groups[i].disorder > 0)
      .sort((a, b) => scene.groups[b].disorder - scene.groups[a].disorder || a - b);
  }
  (scene.groups ?? []).forEach((group, number) => {
    const members = group.units.filter((unit) => unit != null);
    for (const unit of members) if (scene.groupOf[unit] < 0) scene.groupOf[unit] = number;
    // No other annotator marked it.
    if (members.length === 1) scene.unmatched[members[0]] = 1;
  });
}

function stack(scene) {
  const order = Array.from({ length: scene.n }, (_, i) => i).sort(
    (a, b) => scene.start[a] - scene.start[b] || scene.end[b] - scene.end[a] || a - b,
  );
  const lanes = scene.annotators.map(() => ({ ends: [], rows: [] }));
  scene.rowOf = new Int32Array(scene.n);
  for (const unit of order) {
    const lane = lanes[scene.annotator[unit]];
    let row = lane.ends.findIndex((end) => end <= scene.start[unit]);
    if (row < 0) {
      row = lane.ends.length;
      lane.rows.push([]);
    }
    // A point occupies its position.
    lane.ends[row] = scene.end[unit];
    lane.rows[row].push(unit);
    scene.rowOf[unit] = row;
  }
  scene.rows = lanes.map((lane) => lane.rows.map((units) => Int32Array.from(units)));
}

function extentOf(scene, extent) {
  let [low, high] = extent ?? [Infinity, -Infinity];
  for (let i = 0; i < scene.n; i++) {
    low = Math.min(low, scene.start[i]);
    high = Math.max(high, scene.end[i]);
  }
  if (!(high > low)) return Number.isFinite(low) ? [low - 1, low + 1] : [0, 1];
  return [low, high];
}
