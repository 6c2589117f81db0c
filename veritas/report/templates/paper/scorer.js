// The scorer's arithmetic, for "what if": the formulas of veritas/papers for one setting, in the same order of
// operations, so that page and program agree (docs/scoring.md argues the rules; a test compares the two to 1e-9).
const VeritasScorer = (() => {
  const ROLE = { CONCLUSION: 2, COUNTEREVIDENCE: 4, EVIDENCE: 5, HYPOTHESIS: 6, LIMITATION: 7, METHOD: 8, RESULT: 9 };
  const ROLES = 10, METRICS = 6;
  const COMPONENTS = ["bridge_coverage", "best_path", "redundancy", "fragility", "coherence", "coverage"];
  const clip = (x) => Math.min(Math.max(x, 0), 1);
  const known = (row) => row.every((m) => m !== null);

  // A part of the graph in an order in which parents come first. `roles` and `metrics` go by node, `edges` are
  // [tail, head] by position, `alignment` goes by edge. `into[v]` holds the edges that end in v.
  function laidOut(roles, edges, alignment) {
    const n = roles.length, waiting = new Array(n).fill(0);
    const into = roles.map(() => []), from = roles.map(() => []);
    edges.forEach(([u, v], e) => { into[v].push(e); from[u].push(e); waiting[v] += 1; });
    const order = [];
    roles.forEach((_, v) => { if (!waiting[v]) order.push(v); });
    for (let i = 0; i < order.length; i += 1)
      for (const e of from[order[i]]) if (--waiting[edges[e][1]] === 0) order.push(edges[e][1]);
    const hypothesis = roles.map((r) => r === ROLE.HYPOTHESIS), conclusion = roles.map((r) => r === ROLE.CONCLUSION);
    const reached = hypothesis.slice(), leading = conclusion.slice();
    for (const v of order) if (into[v].some((e) => reached[edges[e][0]])) reached[v] = true;
    for (const v of order.slice().reverse()) if (from[v].some((e) => leading[edges[e][1]])) leading[v] = true;
    const onBridge = roles.map((_, v) => reached[v] && leading[v]);
    const bridgeEdges = edges.map((_, e) => e).filter((e) => onBridge[edges[e][0]] && onBridge[edges[e][1]]);
    return { n, roles, edges, alignment, into, from, order, hypothesis, conclusion, onBridge, bridgeEdges };
  }

  // -- formulas 2 to 6
  const weighed = (metrics, p) => metrics.map((row) => row.map((m, i) => (m === null ? 0 : clip(p.metric_weights[i] * m))));
  const mix = (shares, row) => shares.reduce((total, share, i) => total + share * row[i], 0);
  const quality = (g, own, p) => own.map((row, v) => clip(mix(p.role_shares[g.roles[v]], row)));
  const prior = (g, e, p) => p.priors[g.roles[g.edges[e][0]]][g.roles[g.edges[e][1]]];
  function features(g, e, own, q, p) {
    const [u, v] = g.edges[e], pair = g.roles[u] * ROLES + g.roles[v];
    const synergy = clip(0.5 * (mix(p.parent_shares[pair], own[u]) + mix(p.child_shares[pair], own[v])));
    return [prior(g, e, p), q[u], q[v], g.alignment[e], synergy];
  }
  const rawOf = (f, p) => clip(f.reduce((total, value, i) => total + p.edge_weights[i] * value, 0));

  // -- formula 9, and the softmin that never falls, which the rules "veritas" have in its place
  function aggregate(z, kind, p) {
    const least = Math.min(...z), mean = z.reduce((a, b) => a + b, 0) / z.length;
    if (kind === "min") return least;
    if (kind === "mean") return mean;
    const lambda = clip(p.dampmin_lambda), beta = Math.max(p.softmin_beta, 0);
    if (kind === "dampmin") return (1 - lambda) * least + lambda * mean;
    if (kind === "rising_softmin") {
      if (beta < 1e-9) return mean;
      return least - Math.log(z.reduce((t, x) => t + Math.exp(beta * (least - x)), 0) / z.length) / Math.max(beta, 1e-9);
    }
    const span = Math.max(...z) - least, scale = span <= 1e-12 ? 0 : beta / span;
    let weights = 0, total = 0;
    for (const x of z) { const w = Math.exp(scale * (least - x)); weights += w; total += w * x; }
    return total / weights;
  }
  const gate = (trust, p) => { const eta = clip(p.eta); return eta + (1 - eta) * Math.pow(trust, Math.max(p.alpha, 0)); };

  // -- the cheapest cut and the largest flow: shortest augmenting paths over `arcs` [tail, head, capacity]
  function maxFlow(n, arcs, sources, sinks, enough = Infinity) {
    const to = [], room = [], at = Array.from({ length: n }, () => []);
    for (const [u, v, c] of arcs) { at[u].push(to.length); to.push(v); room.push(c); at[v].push(to.length); to.push(u); room.push(0); }
    let total = 0;
    while (total < enough) {
      const depth = new Array(n).fill(-1), next = new Array(n).fill(0), queue = [];
      for (const s of sources) if (depth[s] < 0) { depth[s] = 0; queue.push(s); }
      for (let i = 0; i < queue.length; i += 1)
        for (const a of at[queue[i]]) if (room[a] > 1e-14 && depth[to[a]] < 0) { depth[to[a]] = depth[queue[i]] + 1; queue.push(to[a]); }
      if (!sinks.some((t) => depth[t] >= 0)) return total;
      const isSink = new Array(n).fill(false);
      for (const t of sinks) isSink[t] = true;
      for (const s of sources) {
        for (;;) {
          const path = [];
          let u = s;
          while (!isSink[u]) {
            let a = -1;
            for (; next[u] < at[u].length; next[u] += 1) {
              const arc = at[u][next[u]];
              if (room[arc] > 1e-14 && depth[to[arc]] === depth[u] + 1) { a = arc; break; }
            }
            if (a >= 0) { path.push(a); u = to[a]; continue; }
            if (!path.length) break;
            u = to[path.pop() ^ 1];
            next[u] += 1;
          }
          if (!isSink[u]) break;
          if (!path.length) break; // a source that is a sink carries nothing over any edge
          const least = Math.min(...path.map((arc) => room[arc]));
          for (const arc of path) { room[arc] -= least; room[arc ^ 1] += least; }
          total += least;
          if (total >= enough) return total;
        }
      }
    }
    return total;
  }
  const nodesWhere = (flags) => flags.map((is, v) => (is ? v : -1)).filter((v) => v >= 0);

  function disjointPaths(g, most, byNode) {
    const big = g.n * g.n + 1, arcs = [];
    const inner = (v) => byNode && !g.hypothesis[v] && !g.conclusion[v];
    for (const e of g.bridgeEdges) { const [u, v] = g.edges[e]; arcs.push([inner(u) ? u + g.n : u, v, 1]); }
    if (byNode) for (let v = 0; v < g.n; v += 1) if (g.onBridge[v] && inner(v)) arcs.push([v, v + g.n, 1]);
    const on = (flags) => nodesWhere(flags.map((is, v) => is && g.onBridge[v]));
    return Math.min(maxFlow(2 * g.n, arcs, on(g.hypothesis), on(g.conclusion), Math.min(most, big)), most);
  }
  function fixed(g, p) {
    const present = new Set(g.roles.filter((_, v) => g.onBridge[v]));
    const coherent = g.bridgeEdges.filter((e) => prior(g, e, p) >= p.coherent_from).length;
    return {
      bridge_coverage: g.onBridge.filter(Boolean).length / Math.max(g.n, 1),
      coherence: g.bridgeEdges.length ? coherent / g.bridgeEdges.length : 0,
      coverage: [ROLE.EVIDENCE, ROLE.METHOD, ROLE.RESULT].filter((r) => present.has(r)).length / 3,
    };
  }

  // -- chains from a Hypothesis: the largest sum of weights into each node; of equal sums the longer
  function chains(g, weight, start, startLinks) {
    const total = start.slice(), links = new Array(g.n).fill(startLinks), by = new Array(g.n).fill(-1);
    for (const v of g.order) for (const e of g.into[v]) {
      const u = g.edges[e][0], arriving = total[u] + weight[e];
      if (arriving > total[v] || (arriving === total[v] && arriving > -Infinity && links[u] + 1 > links[v])) { total[v] = arriving; links[v] = links[u] + 1; by[v] = u; }
    }
    return { total, links, by };
  }
  function walk(found, end) { const nodes = [end]; while (found.by[nodes[0]] >= 0) nodes.unshift(found.by[nodes[0]]); return nodes; }
  function pathByProduct(g, confidence, overall) {
    const found = chains(g, confidence.map(Math.log), g.hypothesis.map((h) => (h ? 0 : -Infinity)), 0);
    let best = null;
    for (const v of nodesWhere(g.conclusion)) {
      const mean = Math.exp(found.total[v] / Math.max(found.links[v], 1)), rank = overall ? found.total[v] : mean;
      if (!best || rank > best.rank || (rank === best.rank && mean > best.value)) best = { rank, value: mean, end: v };
    }
    if (!best || found.total[best.end] === -Infinity) return { value: 0, nodes: [] };
    return { value: best.value, nodes: walk(found, best.end) };
  }
  function pathByMean(g, confidence, root) {
    const ends = nodesWhere(g.conclusion), weight = confidence.map(Math.log);
    const begin = root.map((t, v) => (g.hypothesis[v] ? Math.log(t) : -Infinity));
    let best = -Infinity, shift = 0, nodes = [];
    if (!ends.length) return { value: 0, nodes };
    for (;;) {
      const found = chains(g, weight.map((w) => w - shift), begin.map((b) => b - shift), 1);
      const end = ends.reduce((a, b) => (found.total[b] > found.total[a] ? b : a));
      const mean = found.total[end] / found.links[end] + shift;
      if (!(mean > best + 1e-15)) return { value: Math.exp(best), nodes };
      best = mean; shift = best; nodes = walk(found, end);
    }
  }

  // -- formulas 12 to 14
  function scoreOf(parts, nodes, p) {
    const weights = p.graph_weights;
    const raw = COMPONENTS.reduce((total, name, i) => total + weights[i] * parts[name], 0);
    if (!nodes) return 0.5;
    const most = weights.reduce((t, w) => t + Math.max(w, 0), 0), least = weights.reduce((t, w) => t + Math.min(w, 0), 0);
    const unit = clip((raw - least) / Math.max(p.least_span, most - least));
    return p.margin + (1 - 2 * p.margin) * unit;
  }
  const emptied = (fragility) => Object.fromEntries(COMPONENTS.map((name) => [name, name === "fragility" ? fragility : 0]));

  // -- rules "paper" and "reference"
  function published(graph, metrics, p, rules) {
    const g = laidOut(graph.roles, graph.edges, graph.alignment);
    const own = weighed(metrics, p), q = quality(g, own, p);
    const complete = metrics.map(known);
    const ready = complete.map((is, v) => is && g.into[v].every((e) => complete[g.edges[e][0]]));
    const parts = g.edges.map((_, e) => features(g, e, own, q, p));
    const scored = g.edges.map(([, v]) => ready[v]);
    const raw = parts.map((f, e) => (scored[e] ? rawOf(f, p) : p.default_raw_conf));
    const trust = q.slice();
    if (p.enabled > 0) for (const v of g.order) {
      if (!g.into[v].length) continue;
      const z = g.into[v].map((e) => Math.pow(Math.max(trust[g.edges[e][0]], p.trust_floor), Math.max(p.alpha, 0)) * raw[e]);
      trust[v] = q[v] * aggregate(z, p.agg, p);
    }
    const confidence = g.edges.map(([u], e) => (scored[e] ? raw[e] * gate(trust[u], p) : p.unscored_confidence));
    const path = pathByProduct(g, confidence, rules !== "reference");
    let components = emptied(0);
    if (g.onBridge.some(Boolean)) {
      let fragility = 0;
      if (g.bridgeEdges.length) {
        const arcs = g.bridgeEdges.map((e) => [...g.edges[e], Math.max(p.least_capacity, 1 - confidence[e])]);
        const on = (flags) => nodesWhere(flags.map((is, v) => is && g.onBridge[v]));
        fragility = maxFlow(g.n, arcs, on(g.hypothesis), on(g.conclusion)) / g.bridgeEdges.length;
      }
      components = { ...fixed(g, p), best_path: path.value, redundancy: Math.min(disjointPaths(g, p.redundancy_full, false) / p.redundancy_full, 1), fragility };
      if (rules === "reference") for (const name of ["redundancy", "fragility"]) if (p.graph_weights[COMPONENTS.indexOf(name)] === 0) components[name] = 0;
    }
    const score = scoreOf(components, g.n, p);
    const bounds = (values, sure) => values.map((x, i) => (sure[i] ? [x, x] : null));
    return {
      qualityBounds: bounds(q, complete), trustBounds: bounds(trust, complete), rawBounds: bounds(raw, scored), confidenceBounds: bounds(confidence, scored),
      quality: q.map((x, v) => (complete[v] ? x : null)), trust: trust.map((x, v) => (complete[v] ? x : null)),
      features: parts, raw: raw.map((x, e) => (scored[e] ? x : null)), confidence: confidence.map((x, e) => (scored[e] ? x : null)),
      components, interval: [score, score], componentsInterval: Object.fromEntries(COMPONENTS.map((c) => [c, [components[c], components[c]]])),
      score, path: path.nodes,
    };
  }

  // -- rules "veritas": the support graph, and what contradicts it
  function supportGraph(graph) {
    const apart = graph.roles.map((r) => r === ROLE.COUNTEREVIDENCE || r === ROLE.LIMITATION);
    const kept = nodesWhere(apart.map((is) => !is)), number = new Map(kept.map((v, i) => [v, i]));
    const keptEdges = graph.edges.map((_, e) => e).filter((e) => !apart[graph.edges[e][0]] && !apart[graph.edges[e][1]]);
    const g = laidOut(kept.map((v) => graph.roles[v]), keptEdges.map((e) => graph.edges[e].map((v) => number.get(v))), keptEdges.map((e) => graph.alignment[e]));
    const against = [], speaks = new Set();
    for (const [u, v] of graph.edges) if (graph.roles[u] === ROLE.COUNTEREVIDENCE && !apart[v]) { against.push([u, number.get(v)]); speaks.add(u); }
    for (const [u, v] of graph.edges) if (graph.roles[v] === ROLE.COUNTEREVIDENCE && !speaks.has(v) && !apart[u]) against.push([v, number.get(u)]);
    return { kept, keptEdges, g, against };
  }
  function supported(graph, support, metrics, p) {
    const { g, kept, against } = support;
    const own = weighed(kept.map((v) => metrics[v]), p), q = quality(g, own, p);
    const parts = g.edges.map((_, e) => features(g, e, own, q, p)), raw = parts.map((f) => rawOf(f, p));
    const standing = q.map(() => 1);
    for (const [c, v] of against) {
      const strength = clip(mix(p.role_shares[ROLE.COUNTEREVIDENCE], weighed([metrics[c]], p)[0]));
      standing[v] *= 1 - p.contradiction * strength * p.priors[ROLE.COUNTEREVIDENCE][g.roles[v]];
    }
    const trust = q.map((x, v) => x * standing[v]), kind = p.agg === "softmin" ? "rising_softmin" : p.agg;
    if (p.enabled > 0) for (const v of g.order) {
      if (!g.into[v].length) continue;
      const z = g.into[v].map((e) => Math.pow(trust[g.edges[e][0]], Math.max(p.alpha, 0)));
      trust[v] = Math.min(trust[v], aggregate(z, kind, p) * standing[v]);
    }
    const confidence = raw.map((x, e) => x * gate(trust[g.edges[e][0]], p) * standing[g.edges[e][1]]);
    let components = emptied(1), path = { value: 0, nodes: [] };
    if (g.onBridge.some(Boolean)) {
      path = pathByMean(g, confidence, trust);
      const arcs = g.bridgeEdges.map((e) => [g.edges[e][0] + g.n, g.edges[e][1], confidence[e]]);
      for (let v = 0; v < g.n; v += 1) if (g.onBridge[v]) arcs.push([v, v + g.n, q[v] * standing[v]]);
      const sources = nodesWhere(g.hypothesis.map((h, v) => h && g.onBridge[v]));
      const sinks = nodesWhere(g.conclusion.map((c, v) => c && g.onBridge[v])).map((v) => v + g.n);
      const on = fixed(g, p);
      components = {
        bridge_coverage: trust.reduce((t, s, v) => t + (g.onBridge[v] ? s : 0), 0) / g.n,
        best_path: path.value,
        redundancy: Math.min(disjointPaths(g, p.redundancy_full, true) / p.redundancy_full, 1),
        fragility: 1 - Math.min(maxFlow(2 * g.n, arcs, sources, sinks, 1), 1),
        coherence: on.coherence, coverage: on.coverage,
      };
    }
    return { quality: q, trust, features: parts, raw, confidence, components, score: scoreOf(components, g.n, p), path: path.nodes };
  }
  function veritas(graph, metrics, p) {
    const support = supportGraph(graph);
    const filled = (adverse, good) => metrics.map((row, v) => row.map((m) => (m !== null ? m : graph.roles[v] === ROLE.COUNTEREVIDENCE ? adverse : good)));
    const low = supported(graph, support, filled(1, 0), p), high = metrics.every(known) ? low : supported(graph, support, filled(0, 1), p);
    const spread = (count, where, name) => { const full = new Array(count).fill(null); where.forEach((v, i) => { full[v] = low[name][i] === high[name][i] ? low[name][i] : null; }); return full; };
    const ends = (name) => { const a = low.components[name], b = high.components[name]; return [Math.min(a, b), Math.max(a, b)]; };
    const componentsInterval = Object.fromEntries(COMPONENTS.map((name) => [name, ends(name)]));
    const parts = new Array(graph.edges.length).fill(null);
    support.keptEdges.forEach((e, i) => { parts[e] = low.features[i]; });
    const bounds = (count, where, name) => { const full = new Array(count).fill(null); where.forEach((v, i) => { full[v] = [Math.min(low[name][i], high[name][i]), Math.max(low[name][i], high[name][i])]; }); return full; };
    return {
      qualityBounds: bounds(metrics.length, support.kept, "quality"), trustBounds: bounds(metrics.length, support.kept, "trust"), rawBounds: bounds(graph.edges.length, support.keptEdges, "raw"),
      confidenceBounds: bounds(graph.edges.length, support.keptEdges, "confidence"),
      quality: spread(metrics.length, support.kept, "quality"), trust: spread(metrics.length, support.kept, "trust"),
      features: parts, raw: spread(graph.edges.length, support.keptEdges, "raw"), confidence: spread(graph.edges.length, support.keptEdges, "confidence"),
      components: Object.fromEntries(COMPONENTS.map((name) => [name, (componentsInterval[name][0] + componentsInterval[name][1]) / 2])),
      componentsInterval, interval: [low.score, high.score], score: (low.score + high.score) / 2, path: low.path.map((v) => support.kept[v]),
    };
  }

  // graph: {roles, edges, alignment}; metrics: a row of six a node, null for unknown; p: parameters as the page holds them.
  const score = (graph, metrics, p, rules) => (rules === "veritas" ? veritas(graph, metrics, p) : published(graph, metrics, p, rules));

  // Digits as Python rounds: of the exact value, and where that lies halfway, to the even one. Halfway between numbers
  // of d decimals lie odd multiples of 1 / 2^(d + 1) alone, for all others are no binary fractions.
  function rounded(x, digits) {
    if (Math.abs(x * 2 ** (digits + 1)) % 2 !== 1) return Number(x.toFixed(digits));
    const below = Math.floor(x * 10 ** digits);
    return (below % 2 ? below + 1 : below) / 10 ** digits;
  }
  // A row of metrics in which those that the role does not have are the mean of those it has (docs/papers.md).
  function lent(row, applies) {
    const own = row.filter((m, i) => applies[i] && m !== null);
    const mean = own.length ? rounded(own.reduce((a, b) => a + b, 0) / own.length, 4) : null;
    return row.map((m, i) => (applies[i] ? m : mean));
  }
  // The five features of every link as the table has them: null where a metric behind one is not known.
  function linkFeatures(graph, metrics, p) {
    const own = weighed(metrics, p), q = quality(graph, own, p), sure = metrics.map(known);
    return graph.edges.map(([u, v], e) => {
      const [role, parent, child, words, synergy] = features(graph, e, own, q, p);
      return [role, sure[u] ? parent : null, sure[v] ? child : null, words, sure[u] && sure[v] ? synergy : null];
    });
  }
  return { score, lent, rounded, linkFeatures, COMPONENTS, METRICS };
})();
