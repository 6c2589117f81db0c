/* What the page of a review does beyond its markup: filters. Without it all is still there. */
(() => {
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

  const $ = (id) => document.getElementById(id);
  $("print-text").addEventListener("click", () => Page.print("text"));
  $("print-all").addEventListener("click", () => Page.print());
  $("download").addEventListener("click", () => Page.saveJson("review.json", Page.data("data")));
})();
