"use strict";
/* What every report does beyond its markup: it shows what needs a script, remembers the theme, saves, prints. */
const Page = (() => {
  const root = document.documentElement;
  const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* a file may have no storage */ } };
  const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  root.classList.add("js");
  for (const element of document.querySelectorAll(".tools, form.filter, .canvas-tools, .download")) element.hidden = false;

  // -- a hint above a table that is wider than its place
  const measured = new ResizeObserver((entries) => {
    for (const { target } of entries) target.previousElementSibling.hidden = target.scrollWidth <= target.clientWidth;
  });
  for (const hint of document.querySelectorAll(".sideways")) measured.observe(hint.nextElementSibling);

  // -- theme
  const theme = document.getElementById("theme");
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (prefersDark.matches ? "dark" : "light")) === "dark";
  const paint = () => { theme.setAttribute("aria-pressed", String(isDark())); };
  if (["dark", "light"].includes(recall("veritas-theme"))) root.dataset.theme = recall("veritas-theme");
  prefersDark.addEventListener("change", paint);
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; remember("veritas-theme", root.dataset.theme); paint(); });
  paint();

  // -- printing one part, by the style of `data-print`, or everything unfolded
  function print(part = "") {
    const opened = part ? [] : [...document.querySelectorAll("details:not([open])")];
    for (const d of opened) d.open = true;
    if (part) root.dataset.print = part;
    addEventListener("afterprint", () => { delete root.dataset.print; for (const d of opened) d.open = false; }, { once: true });
    window.print();
  }

  // -- a file of what the page holds
  function save(name, text, type) {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([text], { type }));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  }
  const saveJson = (name, value) => save(name, JSON.stringify(value, null, 2) + "\n", "application/json");
  const data = (id) => JSON.parse(document.getElementById(id).textContent);
  return { print, save, saveJson, data };
})();
