// Settings that several pages have. Names are the library's.

const DISTANCES = [
  ["nominal", "nominal: same or different"],
  ["ordinal", "ordinal: ranks"],
  ["interval", "interval: differences"],
  ["ratio", "ratio: proportions"],
  ["circular", "circular: around a clock"],
  ["bipolar", "bipolar: between two poles"],
  ["edit", "edit: spelling of the labels"],
  ["jaccard", "jaccard: sets"],
  ["dice", "dice: sets"],
  ["masi", "masi: sets"],
];
export const CHANCES = [
  ["shift", "shift: move each annotator's units"],
  ["corpus", "corpus: mix documents"],
  ["statistical", "statistical: a fitted model"],
  ["gamma-software", "gamma-software: as the authors' program"],
];

export const distance = (when, help = "How far apart two labels are.") => ({
  key: "distance",
  label: "Distance of labels",
  kind: "select",
  options: DISTANCES,
  value: "nominal",
  help,
  when,
});
export const circle = (when) => ({
  key: "circle",
  label: "Steps around the circle",
  kind: "number",
  min: 2,
  step: 1,
  value: null,
  hint: "12",
  when: (v) => v.distance === "circular" && when(v),
});
export const seed = (when) => ({
  key: "seed",
  label: "Seed",
  kind: "number",
  min: 0,
  step: 1,
  value: 0,
  whole: true,
  help: "The same seed gives the same numbers again.",
  when,
});
export const weight = (key, label, help, when) => ({
  key,
  label,
  kind: "number",
  min: 0,
  step: 0.5,
  value: 1,
  help,
  when,
  short: true,
});
export const reading = (key, label, more = {}) => ({
  key,
  label,
  kind: "text",
  value: "",
  group: "Reading",
  ...more,
});

export const HEADER = {
  key: "header",
  label: "First row names the columns",
  kind: "select",
  value: "",
  group: "Reading",
  options: [
    ["", "found out"],
    ["true", "yes"],
    ["false", "no"],
  ],
};

export const UNIT_READING = [
  reading("annotator", "Annotator", {
    hint: "found out",
    help: "A column, or: file, folder, layer.",
  }),
  reading("document", "Document", { hint: "found out", help: "A column, or: file, folder." }),
  reading("start", "Start", { hint: "found out", short: true }),
  reading("end", "End", { hint: "found out", short: true }),
  reading("label", "Label", { hint: "found out", help: "A column or an attribute." }),
  reading("layer", "Layer", { hint: "all", help: "A layer or tier; several parted by commas." }),
  reading("format", "Format", {
    hint: "found out",
    help: "Such as csv, brat, conll, textgrid, eaf.",
  }),
  reading("delimiter", "Delimiter", { hint: "found out", help: "A character, or tab." }),
  HEADER,
  {
    key: "no_labels",
    label: "Units have no labels",
    kind: "check",
    value: false,
    group: "Reading",
  },
  {
    key: "annotators",
    label: "Who counts",
    kind: "select",
    value: "auto",
    group: "Reading",
    options: [
      ["auto", "those the files tell of"],
      ["units", "those with units"],
      ["corpus", "everyone of the corpus"],
    ],
  },
  {
    key: "on_error",
    label: "A row that cannot be read",
    kind: "select",
    value: "raise",
    group: "Reading",
    options: [
      ["raise", "stop there"],
      ["skip", "skip and count it"],
    ],
  },
];

export const always = () => true;
