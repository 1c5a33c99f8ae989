// Local files: dropped, chosen individually, or chosen as folders.

import { h, freshId } from "./elements.js";

const HIDDEN = /(^|\/)(\.|__MACOSX\/|Thumbs\.db$|desktop\.ini$)/;

/** A drop zone with two buttons to choose files or a folder instead. */
export function dropZone({ title, words, onFiles, small = false }) {
  const several = h("input", {
    type: "file",
    multiple: true,
    class: "sr-only",
    id: freshId("files"),
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: () => submit(several),
  });
  const folder = h("input", {
    type: "file",
    webkitdirectory: true,
    class: "sr-only",
    id: freshId("folder"),
    tabindex: "-1",
    "aria-hidden": "true",
    onchange: () => submit(folder),
  });
  const submit = (input) => {
    const files = chosen(input.files);
    input.value = "";
    if (files.length > 0) onFiles(files);
  };
  const zone = h(
    "div",
    { class: `drop ${small ? "small" : ""}`, role: "group", "aria-label": title },
    h("p", { class: "drop-title" }, title),
    words && h("p", { class: "note" }, words),
    h(
      "div",
      { class: "row centre" },
      h(
        "button",
        { type: "button", class: small ? "" : "primary", onclick: () => several.click() },
        "Choose files",
      ),
      h("button", { type: "button", onclick: () => folder.click() }, "Choose a folder"),
    ),
    several,
    folder,
  );
  acceptDrops(zone, onFiles);
  return zone;
}

const depths = new WeakMap();

// Listen on the window, because a drop inside a nested zone sends no event to the outer one.
addEventListener(
  "drop",
  () => {
    for (const element of document.querySelectorAll(".over")) deepen(element, -Infinity);
  },
  true,
);

function deepen(element, by) {
  const depth = Math.max(0, (depths.get(element) ?? 0) + by);
  depths.set(element, depth);
  element.classList.toggle("over", depth > 0);
}

/** Receive files that are dropped on an element. */
export function acceptDrops(element, onFiles) {
  element.addEventListener("dragenter", (event) => {
    event.preventDefault();
    deepen(element, 1);
  });
  element.addEventListener("dragleave", () => deepen(element, -1));
  element.addEventListener("dragover", (event) => {
    event.preventDefault();
    event.stopPropagation();
    event.dataTransfer.dropEffect = "copy";
  });
  element.addEventListener("drop", async (event) => {
    event.preventDefault();
    event.stopPropagation();
    const files = await dropped(event.dataTransfer);
    if (files.length > 0) onFiles(files);
  });
}

function chosen(list) {
  return Array.from(list, (file) => ({ file, name: file.webkitRelativePath || file.name })).filter(
    ({ name }) => !HIDDEN.test(name),
  );
}

async function dropped(transfer) {
  // Entries must be read before the first await, after which the browser empties the list.
  const entries = Array.from(transfer.items ?? [], (item) => item.webkitGetAsEntry?.()).filter(
    Boolean,
  );
  if (entries.length === 0) return chosen(transfer.files);
  const found = [];
  for (const entry of entries) await walk(entry, "", found);
  return found.filter(({ name }) => !HIDDEN.test(name));
}

async function walk(entry, folder, found) {
  const name = folder + entry.name;
  if (entry.isFile) {
    found.push({
      file: await new Promise((resolve, reject) => {
        entry.file(resolve, reject);
      }),
      name,
    });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // The entries of a folder come in batches, the last of which is empty.
    const portion = await new Promise((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (portion.length === 0) return;
    for (const each of portion) await walk(each, `${name}/`, found);
  }
}

/** Save a blob as a file. */
export function save(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
