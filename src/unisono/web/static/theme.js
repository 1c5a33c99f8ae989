// Before anything is painted: the theme the reader chose last time, if any.
try {
  const chosen = localStorage.getItem("unisono-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system's theme it is.
}
