// The form of a tab: its fields, their values, and the parameters of the address.

import { h, fill, freshId } from "./elements.js";
import { FieldList } from "./fields.js";

const TYPING_MS = 450;
const NOTHING = { measures: [], settings: [], reading: {}, requests: [], tabs: [] };

export class Settings {
  /** `changed()` is called after a value was changed; while typing, after a short pause. */
  constructor(tab, changed) {
    this.tab = tab;
    this.changed = changed;
    this.open = new Set();
    this.define(NOTHING);
  }

  /** Take the fields from the registry of the service. */
  define(registry) {
    this.list = new FieldList(registry, this.tab);
    this.values = {};
    this.take({});
  }

  /** The selected request; undefined before the fields are known. */
  get request() {
    return this.list.request(this.values);
  }

  /** The settings in the form of the API. */
  sent() {
    return this.list.sent(this.values);
  }

  /** Whether a setting affects how files are read. */
  isOfReading(key) {
    return this.list.byKey(key)?.group === "Reading";
  }

  /** The values that differ from the defaults, as texts for the address. */
  changedValues() {
    return Object.fromEntries(
      this.list.fields
        .filter((field) => this.values[field.key] !== field.initial)
        .map((field) => [field.key, String(this.values[field.key])]),
    );
  }

  /** Set the values of an address or an example; other fields get their defaults. */
  take(texts) {
    for (const field of this.list.fields) {
      const { key, group, initial } = field;
      this.values[key] = key in texts ? field.parsed(texts[key]) : initial;
      if (group && this.values[key] !== initial) this.open.add(group);
    }
    if (this.form) this.build(this.form);
  }

  /** Set one value as if it had been typed. */
  choose(key, value) {
    this.values[key] = value;
    this.build(this.form);
    this.changed(key);
  }

  /** Set the settings of reading that answer a question about the files. */
  answer(settings) {
    for (const [name, value] of Object.entries(settings)) {
      const field = this.list.byKey(`reading.${name}`);
      const known = name === "accept" ? [this.values[field.key]] : [];
      const texts = [...known, ...(Array.isArray(value) ? value : [value])];
      this.values[field.key] = field.parsed(texts.filter((text) => text !== "").join(", "));
    }
    this.open.add("Reading");
    this.build(this.form);
  }

  /** Reset some settings to their defaults. */
  reset(keys) {
    for (const field of this.list.fields)
      if (keys.includes(field.key)) this.values[field.key] = field.initial;
    if (this.form) this.build(this.form);
  }

  /** Open a group of fields and focus its first field. */
  openGroup(name) {
    const details = this.form.querySelector(`details[data-group="${name}"]`);
    details.open = true;
    details.querySelector("input, select").focus();
  }

  /** Suggest names of annotators in the fields for the roles of a comparison. */
  suggest(names, roles) {
    const list = suggestions(names);
    this.form.append(list);
    for (const role of roles) this.form.elements[role]?.setAttribute("list", list.id);
  }

  build(form) {
    this.form = form;
    this.made = [];
    const fieldsOf = (name) =>
      h(
        "div",
        { class: "fields" },
        this.list.fields
          .filter(({ group }) => group === name)
          .map((field) => this.#element(field)),
      );
    const group = (name, title) =>
      h(
        "details",
        {
          "data-group": name,
          open: this.open.has(name),
          ontoggle: (event) => this.#toggled(name, event.target.open),
        },
        h("summary", {}, title),
        fieldsOf(name),
      );
    this.resetButton = h(
      "button",
      {
        type: "button",
        class: "quiet small",
        onclick: () => {
          this.take({});
          this.changed();
        },
      },
      "Reset",
    );
    fill(
      form,
      fieldsOf(""),
      group("More", "More settings"),
      group("Reading", "How files are read"),
      this.resetButton,
    );
    form.onsubmit = (event) => event.preventDefault();
    this.#refresh();
  }

  /** Show the fields that apply, without rebuilding the field with the focus. */
  #refresh() {
    for (const { field, element } of this.made)
      element.hidden = !this.list.applies(field, this.values);
    for (const details of this.form.querySelectorAll("details"))
      details.hidden = !details.querySelector(".field:not([hidden])");
    this.resetButton.hidden = Object.keys(this.changedValues()).length === 0;
  }

  #toggled(name, open) {
    if (open) this.open.add(name);
    else this.open.delete(name);
  }

  #element(field) {
    const { title, help } = field.setting;
    const id = freshId("field");
    const about = { id, name: field.key, "aria-describedby": help ? `${id}-help` : null };
    const label = h("label", { for: id }, title);
    const control = this.#control(field, about);
    const element = h(
      "div",
      { class: `field is-${field.control}`, title: field.explained ? help : null },
      field.control === "check" ? [control, label] : [label, control],
      help && h("small", { id: `${id}-help`, class: field.explained ? "sr-only" : null }, help),
    );
    this.made.push({ field, element });
    return element;
  }

  #control(field, about) {
    if (field.control === "select") return this.#select(field, about);
    const value = this.values[field.key];
    if (field.control === "check")
      return h("input", {
        ...about,
        type: "checkbox",
        checked: value,
        onchange: (event) => this.#change(field, event.target.checked),
      });
    const number = field.control === "number";
    const list = field.choices.length > 0 && suggestions(field.choices.map(({ title }) => title));
    const { least, most, default: usual } = field.setting;
    const input = this.#input(
      {
        ...about,
        type: number ? "number" : "text",
        value: value ?? "",
        placeholder: usual,
        min: least,
        max: most,
        step: number ? "any" : null,
        inputmode: number ? "decimal" : null,
        list: list ? list.id : null,
        onkeydown: number ? (event) => arrows(field, event) : null,
      },
      (element) => this.#type(field, element),
    );
    return list ? [input, list] : input;
  }

  /** A list of choices, with an input for the argument of those that accept one. */
  #select(field, about) {
    const value = this.values[field.key];
    const chosen = field.choiceOf(value);
    const withArgument = field.choices.filter(({ argument }) => argument);
    const change = () => {
      const { argument } = field.choiceOf(select.value);
      const text = argument ? input.value.trim() : "";
      row.hidden = !argument;
      if (argument) label.textContent = argument;
      this.#change(field, text ? `${select.value}:${text}` : select.value);
    };
    const select = h(
      "select",
      { ...about, onchange: change },
      field.choices.map((choice) =>
        h("option", { value: String(choice.value), selected: choice === chosen }, choice.title),
      ),
    );
    const id = freshId("argument");
    const label = h("label", { for: id }, chosen.argument || withArgument[0]?.argument);
    const input = this.#input({ id, type: "text", value: value.split(":")[1] ?? "" }, change);
    const row = h("div", { class: "argument", hidden: !chosen.argument }, label, input);
    return withArgument.length > 0 ? [select, row] : select;
  }

  /** An input that calls `typed(input)` on a change; while typing, after a short pause. */
  #input(about, typed) {
    // One timer per field, so that typing into the next field does not cancel this change.
    let pause = 0;
    const onEvent = (event) => {
      clearTimeout(pause);
      if (event.type === "change") typed(event.target);
      else pause = setTimeout(() => typed(event.target), TYPING_MS);
    };
    return h("input", { ...about, spellcheck: "false", oninput: onEvent, onchange: onEvent });
  }

  #type(field, input) {
    const wrong = input.validity.badInput ? "Not a number." : field.errorOf(input.value);
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
    input.setCustomValidity(wrong);
    input.parentElement.querySelector(".wrong")?.remove();
    if (wrong) input.after(h("small", { class: "wrong", role: "alert" }, wrong));
    else this.#change(field, field.parsed(input.value));
  }

  #change(field, value) {
    if (this.values[field.key] === value) return;
    this.values[field.key] = value;
    this.#refresh();
    this.changed(field.key);
  }
}

function suggestions(texts) {
  return h(
    "datalist",
    { id: freshId("suggestions") },
    texts.map((text) => h("option", { value: text })),
  );
}

/** Change a number by a step, from its default if there is none. */
function arrows(field, event) {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  event.preventDefault();
  const { default: usual, least, most } = field.setting;
  const { value } = event.target;
  const from = value === "" ? (usual ?? least ?? 0) : Number(value);
  const next = from + (event.key === "ArrowUp" ? field.step : -field.step);
  const within = Math.min(Math.max(next, least ?? -Infinity), most ?? Infinity);
  event.target.value = Number(within.toFixed(6));
  event.target.dispatchEvent(new Event("input"));
}
