/* What the page of a review does beyond its markup and what every report does: it prints and saves its parts. */
(() => {
  const $ = (id) => document.getElementById(id);
  $("print-text").addEventListener("click", () => Page.print("text"));
  $("download").addEventListener("click", () => Page.saveJson("review.json", Page.data("data")));
})();
