"use strict";
/* What every report does beyond its markup: it shows what needs a script, remembers the theme, filters rows, opens what a
   link points into, saves, prints. */
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

  // -- filters over rows
  function filter(form) {
    const rows = document.querySelectorAll(form.dataset.rows);
    const wanted = [...new FormData(form)].filter(([, value]) => value !== "");
    let count = 0;
    for (const row of rows) {
      const fits = wanted.every(([name, value]) => name === "text"
        ? (row.matches("details") ? row.querySelector(".text") : row).textContent.toLowerCase().includes(value.toLowerCase())
        : row.dataset[name].split(" ").includes(value));
      row.hidden = !fits;
      count += fits;
    }
    form.querySelector("output").textContent = wanted.length ? `${count.toLocaleString("en")} of ${rows.length.toLocaleString("en")}` : "";
  }
  for (const form of document.querySelectorAll("form.filter[data-rows]")) {
    const many = document.querySelectorAll(form.dataset.rows).length > 500;
    let waiting;
    form.addEventListener("input", () => {
      clearTimeout(waiting);
      // Thousands of rows take longer than a keystroke.
      if (many) waiting = setTimeout(() => filter(form), 120); else filter(form);
    });
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  // -- links into what is closed or filtered away
  const named = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
  function reveal() {
    const target = named() && document.getElementById(named());
    if (!target) return;
    const form = target.hidden && target.parentElement.closest("section").querySelector("form.filter[data-rows]");
    if (form) { form.reset(); filter(form); }
    for (let e = target; e; e = e.parentElement) { if (e.tagName === "DETAILS") e.open = true; }
    target.scrollIntoView({ block: "start" });
    (target.tagName === "DETAILS" ? target.firstElementChild : target).focus({ preventScroll: true });
  }
  addEventListener("hashchange", reveal);
  reveal();
  document.addEventListener("click", (event) => {
    // The same link followed twice changes no hash, yet what it points to may have been closed meanwhile.
    const a = event.target.closest('a[href^="#"]');
    if (a && a.hash === location.hash && !event.defaultPrevented) reveal();
  });

  // -- printing one part, by the style of `data-print`, or everything unfolded
  function print(part = "") {
    const opened = part ? [] : [...document.querySelectorAll("details:not([open])")];
    for (const d of opened) d.open = true;
    if (part) root.dataset.print = part;
    addEventListener("afterprint", () => { delete root.dataset.print; for (const d of opened) d.open = false; }, { once: true });
    window.print();
  }
  document.getElementById("print-all").addEventListener("click", () => print());

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
  return { named, print, save, saveJson, data };
})();
