// The page's address: which page, which example, and every setting that is not as it comes.

/** Read the fragment, such as #units?precision=0.01&seed=7. */
export function readAddress(pages) {
  const [name, query = ""] = location.hash.slice(1).split("?");
  return {
    page: pages.includes(name) ? name : pages[0],
    known: pages.includes(name) || location.hash.length <= 1,
    given: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Write it, without a new entry in the history unless the page is another one. */
export function writeAddress(page, given, { entry = false } = {}) {
  const query = new URLSearchParams(given).toString();
  const hash = `#${page}${query ? `?${query}` : ""}`;
  if (hash === location.hash) return;
  history[entry ? "pushState" : "replaceState"](
    null,
    "",
    location.pathname + location.search + hash,
  );
}

/** Copy text; where the browser forbids it, say so. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
