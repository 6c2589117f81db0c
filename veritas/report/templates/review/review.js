"use strict";
/* What the page of a review does beyond its markup: filters, theme, printing, saving. Without it all is still there. */
(() => {
  const root = document.documentElement, $ = (id) => document.getElementById(id);
  const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* a file may have no storage */ } };
  const recall = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  for (const element of document.querySelectorAll(".tools, form.filter, .download")) element.hidden = false;

  for (const form of document.querySelectorAll("form.filter")) {
    const rows = [...document.querySelectorAll(form.dataset.rows)];
    const filter = () => {
      const wanted = [...new FormData(form)].filter(([, value]) => value !== "");
      let count = 0;
      for (const row of rows) {
        row.hidden = !wanted.every(([name, value]) => (name === "text" ? row.textContent.toLowerCase().includes(value.toLowerCase()) : row.dataset[name] === value));
        count += !row.hidden;
      }
      form.querySelector("output").textContent = wanted.length ? `${count} of ${rows.length}` : "";
    };
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    // A link into a row that a filter hides must show it.
    addEventListener("hashchange", () => { if (document.querySelector(":target")?.hidden) { form.reset(); filter(); document.querySelector(":target").scrollIntoView(); } });
  }

  const theme = $("theme"), prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme || (prefersDark.matches ? "dark" : "light")) === "dark";
  const shade = () => theme.setAttribute("aria-pressed", String(isDark()));
  if (["dark", "light"].includes(recall("veritas-theme"))) root.dataset.theme = recall("veritas-theme");
  prefersDark.addEventListener("change", shade);
  theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; remember("veritas-theme", root.dataset.theme); shade(); });
  shade();

  const print = (what) => { if (what) root.dataset.print = what; addEventListener("afterprint", () => { delete root.dataset.print; }, { once: true }); window.print(); };
  $("print-text").addEventListener("click", () => print("text"));
  $("print-all").addEventListener("click", () => print(""));
  $("download").addEventListener("click", () => {
    const text = JSON.stringify(JSON.parse($("data").textContent), null, 2) + "\n", a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    a.download = "review.json";
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  });
})();
