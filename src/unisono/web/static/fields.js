// The fields of a form, made from the registry of the service.

/** The key of the field that chooses one of several requests. */
export const CHOICE = "measure";
// In a request, the settings for reading are nested in this one.
const READING = { name: "reading", needs: {}, replaced_by: "" };

// The step of the arrow keys for each kind of number.
const STEPS = { count: 1, seed: 1, cost: 0.5, share: 0.01 };
const WHOLE = ["count", "seed"];
const LISTS_OF_NUMBERS = ["shares", "range"];
const SELECTED = ["choice", "choices", "distance", "mapping", "measures"];

/** A setting as a field, with one value and its texts. */
export class Field {
  constructor(key, setting, { choices = setting.choices, group = "" } = {}) {
    Object.assign(this, { key, setting, group });
    this.control = controlOf(setting);
    this.choices = this.control === "select" ? selectable(setting, choices) : choices;
    this.initial = { check: setting.default, number: null, text: "" }[this.control];
    if (this.control === "select") this.initial = String(setting.default ?? "");
    // The places of its value in the settings of each request.
    this.places = new Map();
  }

  /** Whether the choices explain the setting, because all titles differ from the values. */
  get explained() {
    const listed = this.control === "select" && this.setting.kind !== "flag";
    return listed && this.choices.every(({ title, value }) => title !== value);
  }

  get step() {
    return STEPS[this.setting.kind];
  }

  /** The choice for a value; an argument may follow it after a colon. */
  choiceOf(value) {
    const [name] = value.split(":");
    return this.choices.find((choice) => String(choice.value) === name);
  }

  /** The value of a text in the address or in an input. */
  parsed(text) {
    if (this.control === "check") return text === "true";
    if (this.control === "select") return this.choiceOf(text) ? text : this.initial;
    if (this.control === "text") return text;
    return text.trim() === "" || !Number.isFinite(Number(text)) ? null : Number(text);
  }

  /** The error in a text of an input; empty if it can be sent. */
  errorOf(text) {
    const { kind, least, most, above, below } = this.setting;
    if (text.trim() === "" || (this.control !== "number" && !LISTS_OF_NUMBERS.includes(kind)))
      return "";
    for (const part of this.control === "number" ? [text] : listOf(text)) {
      const number = Number(part);
      if (!Number.isFinite(number)) return "Not a number.";
      if (WHOLE.includes(kind) && !Number.isInteger(number)) return "Must be a whole number.";
      if (least != null && number < least) return `Must be at least ${least}.`;
      if (most != null && number > most) return `Must be at most ${most}.`;
      if (above != null && number <= above) return `Must be above ${above}.`;
      if (below != null && number >= below) return `Must be below ${below}.`;
    }
    return "";
  }

  /** A value as it is sent. */
  sent(value) {
    const { kind } = this.setting;
    if (this.control === "select") {
      const chosen = this.choiceOf(value).value;
      const whole = typeof chosen === "string" ? value : chosen;
      return kind === "choices" || kind === "measures" ? [whole] : whole;
    }
    if (this.control !== "text") return value;
    const named = this.choices.find(({ title }) => title === value);
    if (named) return named.value;
    if (kind === "column") return columnOf(value);
    if (kind === "columns") return listOf(value).map(columnOf);
    if (kind === "names" || kind === "labels") return listOf(value);
    return LISTS_OF_NUMBERS.includes(kind) ? listOf(value).map(Number) : value;
  }
}

/** The fields of a tab: one per setting of its requests. */
export class FieldList {
  constructor(registry, tab) {
    const named = (table, name) => table.find((each) => each.name === name);
    this.measures = registry.measures;
    this.setting = (name) => named(registry.settings, name);
    this.requests = (named(registry.tabs, tab)?.requests ?? []).map((name) =>
      named(registry.requests, name),
    );
    this.fields = this.requests.length > 1 ? [choiceOfRequest(this.requests)] : [];
    for (const request of this.requests) {
      for (const name of request.settings)
        this.#add(request, [named(request.own, name) ?? this.setting(name)]);
      for (const setting of registry.reading[request.reads]) this.#add(request, [READING, setting]);
    }
  }

  /** Add the last of the settings, which is nested in the others, or the settings nested in it. */
  #add(request, settings) {
    const setting = settings.at(-1);
    for (const name of setting.settings) this.#add(request, [...settings, this.setting(name)]);
    if (setting.settings.length > 0) return;
    const path = settings.map(({ name }) => name);
    const isReading = settings[0] === READING;
    const shared = isReading ? path.join(".") : setting.name;
    // A request that defines a setting differently has a field of its own for it.
    const differs = this.byKey(shared) && !isSame(this.byKey(shared).setting, setting);
    const key = differs ? `${request.name}.${shared}` : shared;
    let field = this.byKey(key);
    if (!field) {
      const group = isReading ? "Reading" : setting.advanced ? "More" : "";
      field = new Field(key, setting, { group, choices: this.#choices(request, setting) });
      this.fields.push(field);
    }
    const places = field.places.get(request) ?? [];
    field.places.set(request, [...places, { path, settings }]);
  }

  #choices(request, setting) {
    if (setting.kind !== "measures") return setting.choices;
    const measures = this.measures.filter(({ name }) => request.measures.includes(name));
    return measures.map(({ name, title }) => ({ value: name, title }));
  }

  byKey(key) {
    return this.fields.find((field) => field.key === key);
  }

  /** The selected request. */
  request(values) {
    return this.requests.find(({ name }) => name === values[CHOICE]) ?? this.requests[0];
  }

  /** Whether a field has an effect on the request. */
  applies(field, values) {
    return field.key === CHOICE || this.#placesOf(field, values).length > 0;
  }

  /** The settings of the request: the values that differ from the defaults. */
  sent(values) {
    const settings = {};
    for (const field of this.fields) {
      const value = values[field.key];
      if (value === field.initial) continue;
      for (const { path } of this.#placesOf(field, values)) {
        let inside = settings;
        for (const name of path.slice(0, -1)) inside = inside[name] ??= {};
        inside[path.at(-1)] = field.sent(value);
      }
    }
    return settings;
  }

  #placesOf(field, values) {
    const request = this.request(values);
    return (field.places.get(request) ?? []).filter(
      ({ path, settings }) =>
        this.#isMeasured(path[0], request, values) &&
        settings.every((setting) => this.#isNeeded(setting, request, values)),
    );
  }

  /** Whether the chosen measure has a setting; true if the setting belongs to no measure. */
  #isMeasured(name, request, values) {
    const chooser = this.fields.find(({ setting }) => setting.kind === "measures");
    const chosen = chooser?.places.has(request) && values[chooser.key];
    const having = this.measures.filter(
      (measure) => request.measures.includes(measure.name) && measure.settings.includes(name),
    );
    return having.length === 0 || !chosen || having.some((measure) => measure.name === chosen);
  }

  /** Whether a setting that this one needs is set, and the one that replaces it is not. */
  #isNeeded({ needs, replaced_by: replacement }, request, values) {
    const has = (name) => this.byKey(name)?.places.has(request);
    if (has(replacement) && values[replacement] != null) return false;
    const present = Object.keys(needs).filter(has);
    return present.length === 0 || present.some((name) => this.#isSet(name, needs[name], values));
  }

  /** Whether a setting has one of the accepted values; if none are listed, any value. */
  #isSet(name, accepted, values) {
    const field = this.byKey(name);
    if (!this.applies(field, values)) return false;
    return accepted.length > 0 ? accepted.includes(values[name]) : Boolean(values[name]);
  }
}

const isSame = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

function controlOf({ kind, default: usual }) {
  if (kind === "flag") return usual == null ? "select" : "check";
  if (kind in STEPS) return "number";
  return SELECTED.includes(kind) ? "select" : "text";
}

function selectable({ kind, default: usual }, choices) {
  if (kind === "flag")
    return [
      { value: "", title: "automatic" },
      { value: true, title: "yes" },
      { value: false, title: "no" },
    ];
  if (usual != null) return choices;
  const several = kind === "choices" || kind === "measures";
  return [{ value: "", title: several ? "all" : "none" }, ...choices];
}

function choiceOfRequest(requests) {
  const choices = requests.map(({ name, title }) => ({ value: name, title }));
  const setting = { kind: "choice", title: "Measure", default: requests[0].name, choices };
  return new Field(CHOICE, setting);
}

const listOf = (text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

/** A column: its number if the text is one, otherwise its name. */
function columnOf(text) {
  const number = Number(text);
  return Number.isInteger(number) && String(number) === text ? number : text;
}
