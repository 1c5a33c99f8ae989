// The form of a page: fields that apply, their values, and the part of the address they make.

import { h, fill, freshId } from "./elements.js";
import { FIELDS } from "./fields.js";

const TYPING_MS = 450;

export class Settings {
  /** `changed()` is called when a value was changed, after a short pause while typing. */
  constructor(page, changed) {
    this.page = page;
    this.fields = FIELDS[page];
    this.changed = changed;
    this.values = Object.fromEntries(
      this.fields.filter((field) => field.kind !== "note").map((field) => [field.key, field.value]),
    );
    this.open = new Set();
  }

  applies(key) {
    const field = this.fields.find((each) => each.key === key);
    return !field?.when || field.when(this.values);
  }

  /** Whether a setting changes what is read, or only what is made of it. */
  isOfReading(key) {
    return this.fields.find((each) => each.key === key)?.group === "Reading";
  }

  /** What differs from what comes, as text for the address. */
  given() {
    return Object.fromEntries(
      this.fields
        .filter((field) => field.kind !== "note" && this.values[field.key] !== field.value)
        .map((field) => [field.key, String(this.values[field.key] ?? "none")]),
    );
  }

  /** Take values out of an address or an example; what is not named is as it comes. */
  take(given) {
    for (const field of this.fields) {
      if (field.kind === "note") continue;
      this.values[field.key] = field.key in given ? parsed(field, given[field.key]) : field.value;
      if (field.group && this.values[field.key] !== field.value) this.open.add(field.group);
    }
    if (this.form) this.build(this.form);
  }

  /** Set one value as if it had been typed. */
  choose(key, value) {
    this.values[key] = value;
    this.build(this.form);
    this.changed(key);
  }

  /** Put some settings back as they come. */
  reset(keys) {
    for (const field of this.fields)
      if (keys.includes(field.key)) this.values[field.key] = field.value;
    if (this.form) this.build(this.form);
  }

  /** Open a group of fields and go to its first. */
  openGroup(name) {
    const details = this.form.querySelector(`details[data-group="${name}"]`);
    details.open = true;
    details.querySelector("input, select").focus();
  }

  /** Names of annotators to choose from where one is typed. */
  suggest(names) {
    const list = h(
      "datalist",
      { id: "annotator-names" },
      names.map((name) => h("option", { value: name })),
    );
    this.form.append(list);
    for (const name of ["reference", "hypothesis"])
      this.form.elements[name]?.setAttribute("list", list.id);
  }

  build(form) {
    this.form = form;
    this.made = [];
    const group = (name, title) => {
      const fields = this.fields.filter((field) => field.group === name);
      return h(
        "details",
        {
          "data-group": name,
          open: this.open.has(name),
          ontoggle: (event) => this.#toggled(name, event.target.open),
        },
        h("summary", {}, title),
        h(
          "div",
          { class: "fields" },
          fields.map((field) => this.#field(field)),
        ),
      );
    };
    const plain = this.fields.filter((field) => !field.group);
    this.reset = h(
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
      h(
        "div",
        { class: "fields" },
        plain.map((field) => this.#field(field)),
      ),
      group("More", "More settings"),
      group("Reading", "How files are read"),
      this.reset,
    );
    form.onsubmit = (event) => event.preventDefault();
    this.#refresh();
  }

  /** Show the fields that apply; what somebody is typing into stays as it is. */
  #refresh() {
    for (const { field, element } of this.made) element.hidden = !this.applies(field.key);
    for (const details of this.form.querySelectorAll("details")) {
      details.hidden = !details.querySelector(".field:not([hidden])");
    }
    this.reset.hidden = Object.keys(this.given()).length === 0;
  }

  #toggled(name, open) {
    if (open) this.open.add(name);
    else this.open.delete(name);
  }

  #field(field) {
    const element =
      field.kind === "note" ? h("p", { class: "note" }, field.label) : this.#labelled(field);
    this.made.push({ field, element });
    return element;
  }

  #labelled(field) {
    const id = freshId(field.key);
    const help = field.help && h("small", { id: `${id}-help` }, field.help);
    const about = { id, name: field.key, "aria-describedby": help ? `${id}-help` : null };
    const control = this.#control(field, about);
    const kind = field.kind === "check" ? "check" : field.short ? "short" : "";
    const label = h("label", { for: id }, field.label);
    return h(
      "div",
      { class: `field ${kind}` },
      field.kind === "check" ? [control, label] : [label, control],
      help,
    );
  }

  #control(field, about) {
    const value = this.values[field.key];
    if (field.kind === "select") {
      return h(
        "select",
        { ...about, onchange: (event) => this.#change(field, event.target.value) },
        field.options.map(([name, words]) =>
          h("option", { value: name, selected: name === value }, words),
        ),
      );
    }
    if (field.kind === "check") {
      return h("input", {
        ...about,
        type: "checkbox",
        checked: value,
        onchange: (event) => this.#change(field, event.target.checked),
      });
    }
    // A pause of its own for each field: typing into the next must not undo this one.
    let pause = 0;
    const typed = (event) => {
      clearTimeout(pause);
      if (event.type === "change") this.#type(field, event.target);
      else pause = setTimeout(() => this.#type(field, event.target), TYPING_MS);
    };
    return h("input", {
      ...about,
      type: field.kind === "number" ? "number" : "text",
      value: value ?? "",
      placeholder: field.hint,
      min: field.min,
      max: field.max,
      step: field.kind === "number" ? "any" : null,
      inputmode: field.kind === "number" ? "decimal" : null,
      spellcheck: "false",
      oninput: typed,
      onchange: typed,
      onkeydown: field.kind === "number" ? (event) => this.#arrows(field, event) : null,
    });
  }

  #arrows(field, event) {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    event.preventDefault();
    const step = event.key === "ArrowUp" ? field.step : -field.step;
    const from =
      event.target.value === "" ? (field.value ?? field.min ?? 0) : Number(event.target.value);
    const next = Math.min(
      Math.max(Number((from + step).toFixed(6)), field.min ?? -Infinity),
      field.max ?? Infinity,
    );
    event.target.value = next;
    event.target.dispatchEvent(new Event("input"));
  }

  #type(field, input) {
    const wrong = this.#refusal(field, input);
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
    input.setCustomValidity(wrong);
    const old = input.parentElement.querySelector(".wrong");
    old?.remove();
    if (wrong) input.after(h("small", { class: "wrong", role: "alert" }, wrong));
    else this.#change(field, parsed(field, input.value));
  }

  #refusal(field, input) {
    if (field.kind !== "number" || (input.value === "" && !input.validity.badInput)) return "";
    const number = Number(input.value);
    if (input.validity.badInput || !Number.isFinite(number)) return "This is no number.";
    if (field.whole && !Number.isInteger(number)) return "A whole number, please.";
    if (field.min != null && number < field.min) return `At least ${field.min}.`;
    if (field.max != null && number > field.max) return `At most ${field.max}.`;
    return "";
  }

  #change(field, value) {
    if (this.values[field.key] === value) return;
    this.values[field.key] = value;
    this.#refresh();
    this.changed(field.key);
  }
}

function parsed(field, text) {
  if (field.kind === "check") return text === true || text === "true";
  if (field.kind === "number") {
    // An emptied field is as it comes, or nothing where nothing comes.
    if (text === "" || text === "none") return text === "none" ? null : field.value;
    const number = Number(text);
    return Number.isFinite(number) ? number : field.value;
  }
  if (field.kind === "select")
    return field.options.some(([name]) => name === text) ? text : field.value;
  return text;
}
