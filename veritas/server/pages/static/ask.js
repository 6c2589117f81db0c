/* What the form does beyond its markup: files are dropped, and what a run will take is shown in place. */
const form = document.getElementById("ask");

function droppable(zone) {
  const input = zone.querySelector("input[type=file]");
  const list = zone.querySelector(".dropped");
  const show = () => list.replaceChildren(...[...input.files].map((file) => {
    const item = document.createElement("li");
    item.textContent = `${file.name}, ${(file.size / 1024).toLocaleString("en", { maximumFractionDigits: 0 })} kB`;
    return item;
  }));
  input.addEventListener("change", show);
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const all = new DataTransfer();
    for (const file of [...input.files, ...event.dataTransfer.files]) all.items.add(file);
    input.files = all.files;
    show();
  });
}
for (const zone of document.querySelectorAll("[data-drop]")) droppable(zone);

/* Completes the path of a document from all names below the server's folders. What is chosen is ticked, where several
   may be. */
function completing(field) {
  const list = field.list;
  const ticked = field.dataset.known === "corpus" ? field.closest("details")?.querySelector(".choices") : null;
  let asked = 0, names = new Set([...list.options].map((each) => each.value));
  const take = () => {
    if (!ticked || !names.has(field.value)) return;
    let box = [...ticked.querySelectorAll("input")].find((each) => each.value === field.value);
    if (!box) {
      const item = document.createElement("li"), label = document.createElement("label");
      box = Object.assign(document.createElement("input"), { type: "checkbox", name: "corpus", value: field.value });
      label.append(box, ` ${field.value}`);
      item.append(label);
      ticked.prepend(item);
    }
    box.checked = true;
    box.closest("li").scrollIntoView({ block: "nearest" });
    field.value = "";
  };
  field.addEventListener("input", async (event) => {
    if (event.inputType === "insertReplacementText" || !(event instanceof InputEvent)) return take();  // an entry of the list
    const turn = ++asked, sought = field.value.trim();
    if (sought.length < 2) return;
    await new Promise((wake) => setTimeout(wake, 150));
    if (turn !== asked) return;
    const answer = await fetch(`/documents/known?kind=${field.dataset.known}&q=${encodeURIComponent(sought)}`).catch(() => null);
    if (!answer?.ok || turn !== asked) return;
    names = new Set(await answer.json());
    list.replaceChildren(...[...names].map((name) => new Option(name, name)));
  });
  field.addEventListener("change", take);
}
for (const field of document.querySelectorAll("[data-known]")) completing(field);

document.getElementById("result")?.focus();  // what was asked for, below the form that asked for it

const estimate = document.getElementById("estimate");
if (form && estimate) {
  form.addEventListener("submit", async (event) => {
    if (event.submitter !== estimate) return;
    event.preventDefault();
    const place = document.getElementById("forecast");
    estimate.disabled = true;
    place.textContent = "Reading the documents…";
    try {
      const answer = await fetch(estimate.formAction, { method: "POST", body: new FormData(form), headers: { Accept: "text/html" } });
      const other = new DOMParser().parseFromString(await answer.text(), "text/html");
      const told = other.querySelector("#forecast > *") ?? other.querySelector(".finding");
      // The files are kept now, and named: they are not sent a second time.
      const documents = other.querySelector("fieldset.corpus");
      if (documents && documents.querySelector('[value^="upload:"]')) {
        document.querySelector("fieldset.corpus").replaceWith(document.adoptNode(documents));
        droppable(documents.querySelector("[data-drop]"));
        for (const field of documents.querySelectorAll("[data-known]")) completing(field);
      }
      place.replaceChildren(told ? document.adoptNode(told) : "Nothing can be said of it now.");
    } catch {
      place.textContent = "The server does not answer now. Try again in a moment.";
    } finally {
      estimate.disabled = false;
    }
  });
}
