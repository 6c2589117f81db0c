/* Follows a run: its events come one after the other, from the last that the page shows already. */
const live = document.querySelector(".live");
const words = JSON.parse(document.getElementById("words").textContent);
const verdicts = new Map(words.label_keys.map((key, place) => [key, words.labels[place]]));
const byId = (id) => document.getElementById(id);
const told = new Map(JSON.parse(byId("claims-told")?.textContent ?? "[]").map((each) => [each.claim_id, each]));
let last = Number(live.dataset.last);
let stage = document.querySelector('.timeline [data-state="under-way"]');

function say(text, state) {
  if (stopping) return;
  const mark = document.createElement("span");
  mark.className = "state";
  mark.dataset.state = state;
  mark.textContent = text;
  byId("standing").replaceChildren(mark);
}

function add(id, amount, shown) {
  const place = byId(id);
  if (!place) return;
  const value = Number(place.dataset.value) + amount;
  place.dataset.value = value;
  place.textContent = shown(value);
}
const count = (value) => value.toLocaleString("en");
const dollars = (value) => value === 0 ? "$0" : `$${value.toFixed(value < 0.1 ? 4 : 2)}`;
const span = (seconds) => seconds < 1 ? "under 1 s" : seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

function row(list, template, id) {
  const known = byId(list).querySelector(`:scope > [data-id="${CSS.escape(id)}"]`);
  if (known) return known;
  const made = byId(template).content.firstElementChild.cloneNode(true);
  made.dataset.id = id;
  byId(list).append(made);
  return made;
}
const put = (item, part, text) => { item.querySelector(part).textContent = text; };

function newStage(name) {
  const made = byId("a-stage").content.firstElementChild.cloneNode(true);
  made.id = `stage-${name}`;
  put(made, ".what", words.stages[name] ?? name);
  document.querySelector(".timeline").append(made);
  byId("no-steps")?.remove();
  return made;
}

function enter(name, state, took, said = "") {
  const item = byId(`stage-${name}`) ?? newStage(name);
  byId("no-stage")?.remove();
  item.dataset.state = state;
  put(item, ".took", took);
  put(item, ".said", said);
  return item;
}

// Asked to stop: said at once, since what is under way is finished first. The page stays, and its events end it.
let stopping = Boolean(document.querySelector("[data-stops] button:disabled"));
document.querySelector("[data-stops]")?.addEventListener("submit", async (asked) => {
  asked.preventDefault();
  const form = asked.currentTarget, button = form.querySelector("button");
  if (button.disabled) return;
  say(button.dataset.stopping, "pending");
  stopping = button.disabled = true;
  const answered = await fetch(form.action, { method: "POST", headers: { Accept: "text/html" } }).catch(() => null);
  if (answered?.ok) return;
  stopping = button.disabled = false;
  say("it could not be asked to stop: try again", "failed");
});

const heard = {
  queued() {
    say("waits in line", "queued");
    byId("remarks").replaceChildren();
    if (byId("again")) byId("again").hidden = true;
  },
  begun() { say("under way", "running"); },
  noted({ text, outage }) {
    if (outage && byId("again")) byId("again").hidden = false;
    const item = document.createElement("li");
    item.textContent = text;
    byId("remarks").append(item);
  },
  stage_started(event) {
    stage = enter(event.stage, "under-way", "under way");
    say(words.stages[event.stage] ?? event.stage, "running");
  },
  units_begun({ step, total }) {
    stage ??= enter(step, "under-way", "");
    Object.assign(stage.dataset, { done: 0, total });
    put(stage, ".took", `0 of ${count(total)}`);
  },
  unit_done({ calls }) {
    if (stage?.dataset.total) {
      stage.dataset.done = Number(stage.dataset.done) + 1;
      put(stage, ".took", `${count(Number(stage.dataset.done))} of ${count(Number(stage.dataset.total))}`);
    }
    const paid = calls.filter((call) => !call.from_ledger);
    add("calls", calls.filter((call) => call.model !== null).length, count);
    add("tokens", paid.reduce((sum, call) => sum + call.input_tokens + call.output_tokens, 0), count);
    add("usd", paid.reduce((sum, call) => sum + (call.cost_usd ?? 0), 0), dollars);
  },
  stage_done(event) {
    enter(event.stage, "done", event.from_store ? "from the store" : span(event.seconds), event.said);
    stage = null;
  },
  sources_found({ sources }) {
    if (!byId("sources")) return;
    for (const source of sources) {
      const item = row("sources", "a-source", source.source_id);
      item.dataset.status = item.querySelector(".status").dataset.status = source.status;
      put(item, ".text", source.title || source.url);
      put(item, ".status", words.statuses[source.status] ?? source.status);
      put(item, ".tier", source.tier === "wikipedia" ? "Wikipedia" : `tier ${source.tier}`);
      put(item, ".reason", source.reason);
      put(item, ".rule", source.rule);
    }
    byId("source-count").textContent = count(byId("sources").childElementCount);
    byId("no-sources").hidden = byId("sources").childElementCount > 0;
  },
  claims_seen({ claims }) {
    if (!byId("claims")) return;
    for (const each of claims) told.set(each.claim_id, each);
    for (const said of new Set(claims.map((each) => each.claim))) {
      // The same words of several members are one row; it shows one that still goes on.
      const alike = [...told.values()].filter((each) => each.claim === said);
      const claim = alike.find((each) => each.live) ?? alike[0];
      const item = row("claims", "a-claim", said);
      item.dataset.live = claim.live ? "yes" : "no";
      put(item, ".text", claim.claim);
      item.querySelector(".verdict").dataset.label = claim.label ?? "none";
      put(item, ".verdict", claim.label ? (verdicts.get(claim.label) ?? ["·", claim.label]).join(" ") : "· grounded");
      put(item, ".who", [...new Set(alike.map((each) => each.asserted_by))].join(", "));
      put(item, ".debate", claim.debate_status === "uncontested" ? "" : ` · ${claim.debate_status}`);
    }
    byId("claim-count").textContent = count(byId("claims").childElementCount);
    byId("no-claims").hidden = byId("claims").childElementCount > 0;
  },
  left_out({ out }) {
    if (!byId("out")) return;
    for (const each of out) {
      const item = byId("an-out").content.firstElementChild.cloneNode(true);
      const source = byId("sources").querySelector(`:scope > [data-id="${CSS.escape(each.subject_id)}"] .text`);
      const claim = told.get(each.subject_id)?.claim;
      const other = /^[a-z]+-[0-9a-f]+$/.test(each.subject_id) ? "" : each.subject_id.split("/").at(-1);
      put(item, ".about-it", claim ? `“${claim}”` : source?.textContent ?? other);
      put(item, ".text", each.reason);
      put(item, ".kind", words.kinds[each.kind] ?? each.kind);
      // Several members make one claim: the same words are left out for the same reason once.
      const alike = [...byId("out").children].some((other) => other.textContent === item.textContent);
      if (!alike) byId("out").append(item);
    }
    byId("out-count").textContent = count(byId("out").childElementCount);
    byId("out-section").hidden = !byId("out").childElementCount;
  },
  agreement({ rounds }) {
    const share = rounds.map((each) => each.agreement).filter((each) => each !== null).at(-1);
    if (share === undefined || !byId("agreement")) return;
    byId("agreement").hidden = false;
    byId("agreement").value = share;
    byId("agreement-said").textContent = `${Math.round(share * 100)}%`;
  },
  ended({ run_id }) { stream.close(); location.replace(live.dataset.then + encodeURIComponent(live.dataset.work ?? run_id)); },
  failed() { stream.close(); location.reload(); },
  stopped() { stream.close(); location.reload(); },
};

// The browser connects again by itself, and tells the number of the last event that it got.
const stream = new EventSource(`${live.dataset.follow}?after=${last}`);
for (const [kind, hear] of Object.entries(heard)) {
  stream.addEventListener(kind, (message) => {
    const event = JSON.parse(message.data);
    if (event.number <= last) return;
    last = event.number;
    live.dataset.last = last;
    hear(event);
  });
}
stream.addEventListener("error", () => {
  if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000);
});
