// What stands around every page: the link to copy, the theme, the way past the header.

import { byId } from "./elements.js";
import { copy } from "./permalink.js";

/** Make the buttons of the frame work; `address()` is called before the address is copied. */
export function frame({ address }) {
  byId("permalink").addEventListener("click", () => copyLink(address));
  byId("settings-toggle").addEventListener("click", () => openSettings());
  byId("theme").addEventListener("click", switchTheme);
  byId("skip").addEventListener("click", (event) => {
    // The fragment is the page's own address, so the link must not change it.
    event.preventDefault();
    byId("main").focus();
  });
}

/** Open or close the settings where there is little room. */
export function openSettings(open = !byId("settings").classList.contains("open")) {
  const toggle = byId("settings-toggle");
  byId("settings").classList.toggle("open", open);
  toggle.setAttribute("aria-expanded", String(open));
  toggle.textContent = open ? "Close" : "Change";
}

async function copyLink(address) {
  address();
  const button = byId("permalink");
  button.textContent = (await copy(location.href)) ? "Link copied" : "Copy the address above";
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
    // It holds for this visit then.
  }
  dispatchEvent(new Event("themechange"));
}
