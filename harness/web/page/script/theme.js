// ---- Light and dark ----

const theme = document.getElementById("theme");
const THEMES = ["auto", "light", "dark"];
const showTheme = () => { theme.textContent = `Theme: ${document.documentElement.dataset.theme}`; };
theme.addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("robotspec-theme", next); } catch { /* The theme lasts until the page is closed. */ }
  showTheme();
});
showTheme();
