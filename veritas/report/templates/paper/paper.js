/* What the page of an audit does beyond its markup: a panel about a statement, "what if", filters, zoom, saving. Without
   it everything is still there: every statement of the graph is a link to its row below. */
(() => {
  const $ = (id) => document.getElementById(id);
  const data = Page.data("scorer-data");
  const canvas = document.querySelector(".canvas"), svg = $("argument"), panel = $("evidence");

  // -- what if: the metrics as they are set now, and all that follows
  const live = Boolean(data.graph && svg);
  const metrics = live ? data.metrics.map((row) => row.slice()) : [];
  const first = live ? VeritasScorer.score(data.graph, data.metrics, data.parameters, data.rules) : null;
  let now = first;
  const differs = (v) => metrics[v].some((m, i) => m !== data.metrics[v][i]);
  const changed = () => metrics.some((_, v) => differs(v));
  // A metric set by hand; those that the role does not have follow the mean of those it has.
  function set(v, i, value) {
    metrics[v][i] = value;
    const row = VeritasScorer.lent(metrics[v], data.applies[v]), same = row.every((m, at) => !data.applies[v][at] || m === data.metrics[v][at]);
    metrics[v] = same ? data.metrics[v].slice() : row;
  }
  const said = (x) => VeritasScorer.rounded(x, 2).toFixed(2);
  // Bounds, intensity and thickness as view.py and drawing.py have them.
  const spoken = (bounds) => (bounds === null ? "–" : said(bounds[0]) === said(bounds[1]) ? said(bounds[0]) : `${said(bounds[0])}–${said(bounds[1])}`);
  const open = (bounds) => bounds === null || bounds[1] - bounds[0] > 0.01;
  const nodes = new Map(), edges = new Map(), flags = new Map(), titles = new Map();
  if (svg) {
    for (const t of svg.querySelectorAll("[data-flag]")) flags.set(Number(t.dataset.flag), t);
    for (const a of svg.querySelectorAll(".node")) { nodes.set(Number(a.dataset.node), a); titles.set(Number(a.dataset.node), a.querySelector("title").textContent.toLowerCase()); }
    for (const e of svg.querySelectorAll(".edge")) edges.set(Number(e.dataset.edge), e);
  }
  const pathEdges = (path) => new Set(path.slice(1).map((v, i) => data.graph.edges.findIndex(([a, b]) => a === path[i] && b === v)));

  function bar(figure, low, high, at) {
    const range = figure.querySelector(".range"), mark = figure.querySelector(".at");
    range.setAttribute("x", 200 * low);
    range.setAttribute("width", Math.max(200 * (high - low), 1));
    mark.setAttribute("x", 200 * at - 0.45);
  }
  function paint() {
    now = VeritasScorer.score(data.graph, metrics, data.parameters, data.rules);
    const isChanged = changed(), path = new Set(now.path), links = pathEdges(now.path);
    for (const [v, a] of nodes) {
      const trust = now.trustBounds[v];
      a.querySelector(".fill").setAttribute("fill-opacity", trust === null ? 0 : 0.05 + 0.5 * trust[0]);
      a.querySelector(".hatch").setAttribute("visibility", open(trust) ? "visible" : "hidden");
      a.querySelector(".outline").setAttribute("stroke-width", path.has(v) ? 2.6 : 1.4);
      const label = a.querySelector(".trust");
      if (label) label.textContent = spoken(trust);
      for (const row of [$("node-" + v), v === chosen ? panel : null]) if (row) {
        const fate = row.querySelector(".fate b"), quality = row.querySelector(".quality");
        if (fate) fate.textContent = spoken(trust);
        if (quality) quality.textContent = spoken(now.qualityBounds[v]);
      }
    }
    const features = VeritasScorer.linkFeatures(data.graph, metrics, data.parameters);
    for (const [e, line] of edges) {
      const confidence = now.confidenceBounds[e], on = links.has(e);
      line.classList.toggle("path", on);
      line.setAttribute("stroke-width", 0.8 + 2.4 * (confidence ? confidence[0] : 0) + (on ? 1.6 : 0));
      if (open(confidence)) line.setAttribute("stroke-dasharray", "4 3"); else line.removeAttribute("stroke-dasharray");
      const row = $("edge-" + e);
      row.classList.toggle("path", on);
      features[e].forEach((value, i) => { row.cells[i + 2].textContent = value === null ? "–" : said(value); });
      row.querySelector(".raw").textContent = spoken(now.rawBounds[e]);
      row.querySelector(".gated b").textContent = spoken(confidence);
    }
    $("score").textContent = said(now.score);
    $("score-low").textContent = said(now.interval[0]);
    $("score-high").textContent = said(now.interval[1]);
    bar($("score-bar"), ...now.interval, now.score);
    document.querySelector(".verdict-block").classList.toggle("changed", isChanged);
    document.body.classList.toggle("hypothetical", isChanged);
    if (isChanged && $("reading-alone")) $("reading-alone").open = true;
    $("what-if-said").textContent = isChanged ? whatIf() : "";
    const others = data.ids.filter((_, v) => differs(v));
    $("what-if-whose").textContent = isChanged ? `Metrics of ${others.length > 6 ? `${others.length} statements` : others.join(", ")} were changed by hand in this page; no such audit is stored.` : "";
    for (const row of document.querySelectorAll("[data-component]")) {
      const name = row.dataset.component, [low, high] = now.componentsInterval[name];
      row.querySelector(".value").textContent = said(now.components[name]);
      bar(row.querySelector(".interval"), low, high, now.components[name]);
      row.classList.toggle("changed", Math.abs(now.components[name] - first.components[name]) > 1e-12);
    }
    $("reset").hidden = !isChanged;
    const outcome = panel.querySelector(".outcome");
    if (outcome) outcome.textContent = isChanged ? `Score ${first.score.toFixed(3)} → ${now.score.toFixed(3)}; trust here ${spoken(first.trustBounds[chosen])} → ${spoken(now.trustBounds[chosen])}` : "";
    filter();
  }
  const between = (interval) => (interval[1] - interval[0] > 0.005 ? ` (${said(interval[0])} to ${said(interval[1])})` : "");
  const whatIf = () => `What if: ${said(now.score)}${between(now.interval)}, stored ${said(first.score)}${between(first.interval)}.`;
  for (const button of document.querySelectorAll("#reset, [data-undo]")) button.addEventListener("click", () => {
    data.metrics.forEach((row, v) => { metrics[v] = row.slice(); });
    paint();
    if (chosen !== null) show(chosen);
  });

  // -- the panel about a statement
  let chosen = null;
  const element = (name, properties = {}, ...children) => { const e = Object.assign(document.createElement(name), properties); e.append(...children); return e; };
  function slider(v, i) {
    const name = data.metricNames[i], was = data.metrics[v][i], applies = data.applies[v][i];
    const line = element("div", { className: applies ? "slider" : "slider lent" });
    const id = `what-if-${name}`;
    const input = element("input", { type: "range", min: 0, max: 1, step: 0.01, id, value: metrics[v][i] ?? 0.5 });
    const output = element("output", {}), unknown = element("input", { type: "checkbox", checked: metrics[v][i] === null, title: "not assessable" });
    unknown.setAttribute("aria-label", `${name.replaceAll("_", " ")} not assessable`);
    const tell = () => {
      output.textContent = metrics[v][i] === null ? "?" : said(metrics[v][i]);
      line.classList.toggle("changed", metrics[v][i] !== was);
      if (!applies) input.value = metrics[v][i] ?? 0.5;
    };
    const all = () => { for (const each of line.parentElement.querySelectorAll(".slider")) each.tell(); paint(); };
    line.tell = tell;
    tell();
    if (!applies) {
      input.disabled = true;
      input.title = "this role does not have it: it counts as the mean of those it has";
      line.append(element("label", { htmlFor: id, textContent: name.replaceAll("_", " ") }), input, output, element("span", { textContent: "mean", title: input.title }));
      return line;
    }
    input.addEventListener("input", () => { unknown.checked = false; set(v, i, Number(input.value)); all(); });
    unknown.addEventListener("change", () => { set(v, i, unknown.checked ? null : Number(input.value)); all(); });
    line.append(element("label", { htmlFor: id, textContent: name.replaceAll("_", " ") }), input, output, element("label", { title: "not assessable" }, unknown, " ?"));
    return line;
  }
  function show(v) {
    const row = $("node-" + v), body = panel.querySelector(".body");
    chosen = v;
    $("evidence-title").textContent = row.querySelector(".who").textContent.trim();
    const copy = row.querySelector(".body").cloneNode(true);
    for (const e of copy.querySelectorAll("[id]")) e.removeAttribute("id");
    for (const a of copy.querySelectorAll(".to-evidence")) a.replaceWith(a.textContent);
    copy.className = "node-body";
    body.replaceChildren();
    if (live) {
      const box = element("section", { className: "what-if" }, element("h3", { textContent: "What if its metrics were others?" }));
      data.metricNames.forEach((_, i) => box.append(slider(v, i)));
      box.append(element("p", { className: "outcome" }));
      box.querySelector(".outcome").setAttribute("aria-live", "polite");
      body.append(box);
    }
    body.append(copy, element("p", { className: "foot" }, element("a", { href: "#node-" + v, textContent: "In the list of statements" })));
    panel.showPopover();
    body.scrollTop = 0;
    for (const [u, a] of nodes) a.classList.toggle("chosen", u === v);
    for (const [e, line] of edges) line.classList.toggle("near", live && data.graph.edges[e].includes(v));
    if (live) paint();
    else filter();
  }
  function close() {
    if (chosen === null) return;
    const back = nodes.get(chosen);
    chosen = null;
    for (const a of nodes.values()) a.classList.remove("chosen");
    for (const line of edges.values()) line.classList.remove("near");
    back?.focus({ preventScroll: true });
    filter();
  }
  panel.addEventListener("toggle", (event) => { if (event.newState === "closed") close(); });
  addEventListener("keydown", (event) => { if (event.key === "Escape" && panel.matches(":popover-open")) { panel.hidePopover(); close(); } });
  let dragged = false;
  if (svg && panel.showPopover) {
    svg.addEventListener("click", (event) => {
      const a = event.target.closest(".node");
      if (!a || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (!dragged) { show(Number(a.dataset.node)); panel.focus({ preventScroll: true }); }
    });
    // Arrows walk the graph: up and down along links, left and right within a layer.
    svg.addEventListener("keydown", (event) => {
      const a = event.target.closest(".node");
      if (!a || !event.key.startsWith("Arrow")) return;
      const v = Number(a.dataset.node), list = [...nodes.values()], at = list.indexOf(a);
      let next = null;
      if (event.key === "ArrowUp") next = data.graph?.edges.find((e) => e[1] === v)?.[0];
      if (event.key === "ArrowDown") next = data.graph?.edges.find((e) => e[0] === v)?.[1];
      const beside = event.key === "ArrowLeft" ? list[at - 1] : event.key === "ArrowRight" ? list[at + 1] : null;
      if (beside && beside.dataset.row === a.dataset.row) next = Number(beside.dataset.node);
      if (next === null || next === undefined) return;
      event.preventDefault();
      nodes.get(next).focus();
    });
  }

  // -- filters
  function kin(v) {
    const found = new Set([v]);
    for (const [from, to] of [[0, 1], [1, 0]]) {
      const waiting = [v];
      while (waiting.length) {
        const at = waiting.pop();
        for (const e of data.graph.edges) if (e[from] === at && !found.has(e[to])) { found.add(e[to]); waiting.push(e[to]); }
      }
    }
    return found;
  }
  const form = document.querySelector(".graph-filter");
  function filter() {
    if (!form || !live) return;
    const wanted = new FormData(form), roles = new Set(wanted.getAll("role")), most = Number(wanted.get("threshold"));
    const path = new Set(now.path), links = pathEdges(now.path), shown = new Set();
    const sought = (wanted.get("find") || "").trim().toLowerCase(), related = wanted.get("kin") && chosen !== null ? kin(chosen) : null;
    form.elements["shown-threshold"].textContent = most.toFixed(2);
    for (const [v, a] of nodes) {
      const trust = now.trustBounds[v];
      const fits = roles.has(a.dataset.role) && (most >= 1 || (trust !== null && trust[0] <= most)) && (!wanted.get("path") || path.has(v)) && (!wanted.get("flawed") || a.dataset.flawed) && (!related || related.has(v)) && (!sought || matches(v, sought));
      a.classList.toggle("sought", Boolean(sought) && fits);
      if (fits) shown.add(v);
      a.classList.toggle("dim", !fits);
      if (fits) a.removeAttribute("tabindex"); else a.setAttribute("tabindex", "-1");
    }
    for (const [e, line] of edges) line.classList.toggle("dim", !data.graph.edges[e].every((v) => shown.has(v)) || Boolean(wanted.get("path") && !links.has(e)));
    for (const [e, flag] of flags) flag.classList.toggle("dim", edges.get(e).classList.contains("dim"));
    form.elements.count.textContent = shown.size < nodes.size ? `${shown.size} of ${nodes.size} statements` : "";
  }
  const matches = (v, sought) => data.ids[v].toLowerCase() === sought || (!data.ids.some((id) => id.toLowerCase() === sought) && titles.get(v).includes(sought));
  form?.addEventListener("input", filter);
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const found = [...nodes.keys()].filter((v) => nodes.get(v).classList.contains("sought"));
    if (found.length) look(found);
  });

  // -- zoom and pan
  let look = () => {};
  document.addEventListener("click", (event) => {
    const a = event.target.closest("[data-look]");
    if (!a || !svg) return;
    event.preventDefault();
    look(a.dataset.look.split(" ").map(Number));
  });
  if (svg) {
    const whole = svg.viewBox.baseVal, full = { x: 0, y: 0, w: whole.width, h: whole.height };
    let box = { ...full };
    const hint = document.querySelector(".far-hint");
    const apply = () => { svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`); far(); };
    // Words under five pixels are no words: then flaws alone are marked. Where there is room, small statements say more.
    const far = () => {
      const scale = svg.getScreenCTM()?.a ?? 1;
      svg.classList.toggle("far", 9 * scale < 5);
      svg.classList.toggle("close", 4.2 * scale >= 7);
      hint.hidden = 9 * scale >= 5;
    };
    new ResizeObserver(far).observe(svg);
    const middle = (v) => { const m = nodes.get(v).transform.baseVal[0].matrix; return [m.e, m.f]; };
    // So near that words can be read; several statements as near as they fit. The box keeps the drawing's shape.
    look = (places) => {
      const xs = places.map((v) => middle(v)[0]), ys = places.map((v) => middle(v)[1]), size = nodes.get(places[0]).getBBox();
      const wide = Math.max(...xs) - Math.min(...xs), high = Math.max(...ys) - Math.min(...ys);
      const seen = svg.getBoundingClientRect(), place = canvas.getBoundingClientRect(), shape = full.w / full.h;
      const scale = Math.min(place.width / (wide + 4 * size.width), innerHeight * 0.8 / (high + 6 * size.height), 170 / size.width);
      const drawn = Math.min(seen.width, seen.height * shape), fonts = [...nodes.get(places[0]).querySelectorAll("text")].map((t) => Number(t.getAttribute("font-size")));
      // All of it where its words can be read so; else as much as is near, and nothing beyond the drawing's edges.
      const w = Math.min(...fonts) * drawn / full.w >= 7 ? full.w : Math.min(drawn / scale, full.w), h = w / shape;
      const within = (at, room, whole) => (room < whole ? Math.min(Math.max(at, room / 2), whole - room / 2) : whole / 2);
      const x = within((Math.max(...xs) + Math.min(...xs)) / 2, (seen.width * w) / drawn, full.w), y = within((Math.max(...ys) + Math.min(...ys)) / 2, (seen.height * w) / drawn, full.h);
      box = { x: x - w / 2, y: y - h / 2, w, h };
      apply();
      canvas.scrollIntoView({ block: "center", behavior: "instant" });
      const [px, py] = middle(places[0]), m = svg.getScreenCTM(), frame = canvas.getBoundingClientRect();
      canvas.scrollLeft += m.a * px + m.e - frame.left - frame.width / 2;
      canvas.scrollTop += m.d * py + m.f - frame.top - frame.height / 2;
      nodes.get(places[0]).focus({ preventScroll: true });
    };
    const bounded = () => { box.x = Math.min(Math.max(box.x, full.x - box.w / 2), full.w - box.w / 2); box.y = Math.min(Math.max(box.y, full.y - box.h / 2), full.h - box.h / 2); };
    function zoom(factor, px = 0.5, py = 0.5) {
      const w = Math.min(Math.max(box.w * factor, 200), full.w * 1.5), real = w / box.w;
      box = { x: box.x + box.w * px * (1 - real), y: box.y + box.h * py * (1 - real), w, h: box.h * real };
      bounded();
      apply();
    }
    for (const button of document.querySelectorAll("[data-zoom]")) button.addEventListener("click", () => {
      if (button.dataset.zoom === "fit") { box = { ...full }; apply(); } else zoom(button.dataset.zoom === "in" ? 0.7 : 1 / 0.7);
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const r = svg.getBoundingClientRect();
      zoom(Math.exp(event.deltaY * 0.002), (event.clientX - r.left) / r.width, (event.clientY - r.top) / r.height);
    }, { passive: false });
    // Where the drawing is wider than the page, it begins where the argument does.
    if (now?.path.length && canvas.scrollWidth > canvas.clientWidth) canvas.scrollLeft = svg.getScreenCTM().a * middle(now.path[0])[0] - canvas.clientWidth / 2;
    let held = null;
    canvas.addEventListener("pointerdown", (event) => { if (event.button === 0 && event.pointerType === "mouse") { held = { x: event.clientX, y: event.clientY, box: { ...box } }; dragged = false; } });
    addEventListener("pointermove", (event) => {
      if (!held) return;
      const matrix = svg.getScreenCTM(), dx = event.clientX - held.x, dy = event.clientY - held.y;
      if (Math.abs(dx) + Math.abs(dy) > 5) { dragged = true; canvas.classList.add("held"); }
      if (dragged) { box = { ...held.box, x: held.box.x - dx / matrix.a, y: held.box.y - dy / matrix.d }; bounded(); apply(); }
    });
    addEventListener("pointerup", () => { held = null; canvas.classList.remove("held"); setTimeout(() => { dragged = false; }); });
    svg.addEventListener("dragstart", (event) => event.preventDefault());
  }

  // -- saving: the graph as it is shown, the audit, the graph for other programs
  const STYLE = "text{font-family:'Liberation Sans',Arial,sans-serif;fill:#1d1c1a}.ground{fill:#fff}.edge{fill:none;stroke:#5d5a53}.edge.path{stroke:#1d1c1a}.edge.weak{stroke:#7a4e05}.unsure{fill:#7a4e05}.flag{fill:#9b1c1c}.flag,.unsure{stroke:#fff;stroke-width:2.5px;paint-order:stroke}.far-only,.close-only{display:none}.dim{opacity:.12}";
  for (const button of document.querySelectorAll("[data-save]")) button.addEventListener("click", () => {
    if (button.dataset.save === "json") {
      const audit = Page.data("audit-data");
      if (live && changed()) audit.what_if = { note: "metrics changed by hand in the report", metrics: Object.fromEntries(data.ids.map((id, v) => [id, Object.fromEntries(data.metricNames.map((m, i) => [m, metrics[v][i]]))])), score: now.score, interval: now.interval, components: now.components };
      Page.saveJson("audit.json", audit);
    } else if (button.dataset.save === "graphml") Page.save("graph.graphml", Page.data("export-data").graphml + "\n", "application/xml");
    else {
      const copy = svg.cloneNode(true);
      const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
      style.textContent = STYLE;
      copy.prepend(style);
      if (live && changed()) {
        const [x, y, wide, high] = copy.getAttribute("viewBox").split(" ").map(Number), size = wide / 60;
        const note = document.createElementNS("http://www.w3.org/2000/svg", "text");
        for (const [name, value] of Object.entries({ x: x + size, y: y - size, "font-size": size, class: "what-if" })) note.setAttribute(name, value);
        note.textContent = `${whatIf()} Metrics were changed by hand.`;
        copy.append(note);
        copy.setAttribute("viewBox", `${x} ${y - 2.5 * size} ${wide} ${high + 2.5 * size}`);
      }
      const [, , w, h] = copy.getAttribute("viewBox").split(" ");
      copy.setAttribute("width", w);
      copy.setAttribute("height", h);
      Page.save("graph.svg", new XMLSerializer().serializeToString(copy) + "\n", "image/svg+xml");
    }
  });

  filter();
})();
