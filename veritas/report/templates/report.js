/* What the page of an answer does beyond its markup and what every report does: evidence beside a sentence. Without it
   everything is still there: the work is made of <details>, and every marker is an anchor. */
(() => {
  const work = document.getElementById("work");
  const panel = document.getElementById("evidence");

  // -- the address says whether the work is open
  work.addEventListener("toggle", () => {
    const inside = document.getElementById(Page.named());
    try {
      if (work.open && !(inside && work.contains(inside))) history.replaceState(null, "", "#work");
      if (!work.open && inside && work.contains(inside)) history.replaceState(null, "", location.pathname + location.search);
    } catch { /* some viewers forbid it; the toggle works all the same */ }
  });

  // -- the evidence behind a marker
  let marker = null;
  function settle(goBack) {
    if (!marker) return;
    marker.setAttribute("aria-expanded", "false");
    marker.closest(".sentence").classList.remove("shown");
    if (goBack && (document.activeElement === document.body || panel.contains(document.activeElement))) marker.focus({ preventScroll: true });
    marker = null;
  }
  function link(id) {
    const a = document.createElement("a");
    const item = document.getElementById(id);
    a.href = "#" + id;
    const claim = item.closest(".claim");
    a.textContent = `${claim ? "claim" : "objection"} ${(claim || item).querySelector(".ordinal").textContent}`;
    return a;
  }
  function show(cite) {
    const body = panel.querySelector(".body");
    const reference = document.querySelector(cite.hash);
    document.getElementById("evidence-title").textContent = `Evidence for ${cite.textContent}`;
    body.replaceChildren();
    // Each exhibit is a claim, then those on the very same passages; or an objection, for a sentence of dissent.
    for (const [id, ...alike] of cite.dataset.evidence.split(" ").filter(Boolean).map((group) => group.split("+"))) {
      const item = document.getElementById(id);
      if (!item) continue;
      const part = document.createElement("section");
      const text = document.createElement("p");
      text.className = "text";
      const row = item.closest(".row"); // of claims alike, one is shown in full
      text.append(...row.querySelector(".text").cloneNode(true).childNodes);
      const foot = document.createElement("p");
      foot.className = "foot";
      foot.append(...[...item.querySelectorAll(".verdict")].slice(0, 1).map((v) => v.cloneNode(true)), " ", link(id), " in full");
      const named = new Set([link(id).textContent]); // members share a number
      alike.map(link).filter((a) => !named.has(a.textContent) && named.add(a.textContent))
        .forEach((a, i) => foot.append(i ? ", " : "; the same in ", a));
      part.append(text, ...[...row.querySelectorAll(".rests-on > .quotation")].map((q) => q.cloneNode(true)), foot);
      body.append(part);
    }
    if (reference) {
      const entry = document.createElement("p");
      entry.className = "entry";
      entry.append(...reference.cloneNode(true).childNodes);
      body.append(entry);
    }
    open(cite);
  }
  // The chain of a sentence, claim or source: what its "Why" holds, beside the answer.
  function explain(mark, id) {
    const item = document.getElementById(id);
    const body = panel.querySelector(".body");
    document.getElementById("evidence-title").textContent = item.querySelector("summary").textContent;
    const full = document.createElement("a");
    full.href = "#" + id;
    full.textContent = "in its place among the work";
    const foot = document.createElement("p");
    foot.className = "foot";
    foot.append(full);
    const of = item.closest(".row, tr, li");
    const about = document.createElement("p");
    about.className = "text";
    about.append(...of.querySelector(".text, cite, a").cloneNode(true).childNodes);
    const chain = item.querySelector(".chain").cloneNode(true);
    // Below a sentence the chains of its claims, so that it is read from hit to sentence in one go.
    const claims = of.matches("li") ? [...chain.querySelectorAll(".behind a[data-why]")].slice(0, 4) : [];
    for (const claim of claims) {
      const inner = document.getElementById(claim.dataset.why).querySelector(".chain").cloneNode(true);
      inner.querySelector(".because").remove();
      claim.closest("li").append(inner);
    }
    body.replaceChildren(about, ...chain.childNodes, foot);
    open(mark);
  }
  function open(cite) {
    const body = panel.querySelector(".body");
    if (marker && marker !== cite) { marker.setAttribute("aria-expanded", "false"); marker.closest(".sentence").classList.remove("shown"); }
    if (!panel.contains(document.activeElement)) cite.focus({ preventScroll: true });
    panel.showPopover({ source: cite });
    body.scrollTop = 0;
    // On a small screen the panel rises from below: keep the marker in sight above it.
    const hidden = cite.getBoundingClientRect().bottom > panel.getBoundingClientRect().top && panel.offsetWidth === innerWidth;
    if (hidden) scrollBy({ top: cite.getBoundingClientRect().bottom - innerHeight * 0.2 });
    cite.closest(".sentence").classList.add("shown");
    panel.focus();
    marker = cite;
    cite.setAttribute("aria-expanded", "true");
  }
  if (panel.showPopover) {
    for (const cite of document.querySelectorAll("a.cite, a.why-mark")) {
      cite.setAttribute("aria-haspopup", "dialog");
      cite.setAttribute("aria-expanded", "false");
      cite.setAttribute("role", "button");
    }
    document.getElementById("answer").addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      const link = event.target.closest("a");
      // A click on the words asks why as well, unless it ends a selection.
      const mark = link ? link.closest("a.cite, a.why-mark") : event.target.closest(".sentence")?.querySelector("a.why-mark");
      if (!mark || (!link && !getSelection().isCollapsed)) return;
      event.preventDefault();
      if (mark.dataset.why) explain(mark, mark.dataset.why); else show(mark);
    });
    document.getElementById("answer").addEventListener("keydown", (event) => {
      if (event.key !== " " || !event.target.matches("a.cite, a.why-mark")) return;
      event.preventDefault();
      event.target.click();
    });
    panel.addEventListener("toggle", (event) => { if (event.newState === "closed") settle(true); });
    panel.addEventListener("click", (event) => {
      const link = event.target.closest('a[href^="#"]');
      if (!link) return;
      if (link.dataset.why && marker) { event.preventDefault(); explain(marker, link.dataset.why); return; }
      settle(false);
      panel.hidePopover();
    });
  }

  // -- out of a document, to where it was opened from
  const inDocument = () => document.getElementById(Page.named())?.closest(".document");
  let hops = inDocument() ? null : 0; // null: the page was opened at the document
  addEventListener("hashchange", () => { hops = inDocument() ? hops === null ? null : hops + 1 : 0; });
  function leave(event) {
    if (!hops) { location.hash = "#answer"; return; }
    event.preventDefault();
    history.go(-hops);
  }
  for (const back of document.querySelectorAll(".document .way > a:first-child")) back.addEventListener("click", leave);
  addEventListener("keydown", (event) => { if (event.key === "Escape" && inDocument()) leave(event); });

  document.getElementById("print-answer").addEventListener("click", () => Page.print("answer"));
  document.getElementById("download").addEventListener("click", () => Page.saveJson("graph.json", Page.data("graph")));
})();
