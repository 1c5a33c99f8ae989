// Loaded before the first paint: applies the theme of the last visit, if any.
try {
  const chosen = localStorage.getItem("unisono-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage, the theme of the system applies.
}
