// The frame of every page: the link to copy, the theme, the skip link.

import { byId } from "./elements.js";
import { copy } from "./permalink.js";

/** Set up the buttons of the frame; `address()` is called before the address is copied. */
export function frame({ address }) {
  byId("permalink").addEventListener("click", () => copyLink(address));
  byId("settings-toggle").addEventListener("click", () => openSettings());
  byId("theme").addEventListener("click", switchTheme);
  byId("skip").addEventListener("click", (event) => {
    // The fragment identifies the page, so the skip link must not change it.
    event.preventDefault();
    byId("main").focus();
  });
}

/** Open or close the settings on narrow screens. */
export function openSettings(open = !byId("settings").classList.contains("open")) {
  const toggle = byId("settings-toggle");
  byId("settings").classList.toggle("open", open);
  toggle.setAttribute("aria-expanded", String(open));
  toggle.textContent = open ? "Close" : "Change";
}

async function copyLink(address) {
  address();
  const button = byId("permalink");
  button.textContent = (await copy(location.href)) ? "Link copied" : "Copy it from the address bar";
  setTimeout(() => {
    button.textContent = "Copy link";
  }, 1800);
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem("unisono-theme", root.dataset.theme);
  } catch {
    // Without storage, the choice applies to this visit only.
  }
  dispatchEvent(new Event("themechange"));
}
