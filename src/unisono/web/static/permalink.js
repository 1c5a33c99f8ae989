// The address of the page: the page, the example, and the settings that differ from the defaults.

/** Read the fragment, such as #units?precision=0.01&seed=7. */
export function readAddress(pages) {
  const [name, query = ""] = location.hash.slice(1).split("?");
  return {
    page: pages.includes(name) ? name : pages[0],
    known: pages.includes(name) || location.hash.length <= 1,
    parameters: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Write the fragment; `entry` adds an entry to the history, for a different page. */
export function writeAddress(page, parameters, { entry = false } = {}) {
  const query = new URLSearchParams(parameters).toString();
  const hash = `#${page}${query ? `?${query}` : ""}`;
  if (hash === location.hash) return;
  history[entry ? "pushState" : "replaceState"](
    null,
    "",
    location.pathname + location.search + hash,
  );
}

/** Copy text; return whether the browser allowed it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
