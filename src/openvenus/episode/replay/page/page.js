// The page: one step is in the document at a time, so that length costs nothing.
const episode = JSON.parse(document.getElementById("episode").textContent);
const steps = episode.steps || [];
const trees = resolveTrees();
const view = { step: 0, shots: matchMedia("(min-width: 900px)").matches ? "both" : "before", elements: false, filter: "", all: false };
const ROWS = 200;
let cells = [];
let canvases = [];
let playing = null;

// A tree that equals the one before it is written as a reference to it.
function resolveTrees() {
  const found = new Map();
  let before = [];
  for (const observation of [...steps.map((step) => step.observation), episode.final]) {
    if (!observation) continue;
    const tree = observation.elements;
    if (tree !== "same") {
      if (tree !== undefined) before = Array.isArray(tree) ? tree : tree.items;
      found.set(observation, tree === undefined ? [] : before);
    } else found.set(observation, before);
  }
  return found;
}

function show(index) {
  if (!steps.length) return;
  view.step = Math.min(Math.max(index, 0), steps.length - 1);
  cells.forEach((cell, i) => {
    if (i === view.step) cell.setAttribute("aria-current", "step");
    else cell.removeAttribute("aria-current");
  });
  centre(cells[view.step]);
  history.replaceState(null, "", "#step=" + view.step);
  render();
}

function centre(cell) {
  const strip = document.getElementById("timeline");
  const to = cell.offsetLeft - strip.clientWidth / 2 + cell.offsetWidth / 2;
  strip.scrollTo({ left: to, behavior: "instant" });
}

function render() {
  const step = steps[view.step];
  const next = steps[view.step + 1];
  const following = next ? next.observation : episode.final;
  const elements = trees.get(step.observation);
  const parts = [];
  if (view.shots !== "after") parts.push({ ...shot(step.observation, "Before"), acts: true, elements });
  if (view.shots !== "before") parts.push({ ...shot(following, "After"), elements: trees.get(following) || [] });
  canvases = parts.filter((part) => part.stage);
  document.getElementById("step").replaceChildren(
    h("div", { class: "screens" }, toolbar(step),
      h("div", { class: "shots " + view.shots }, parts.map((part) => part.node))),
    h("div", { class: "reasons" }, reasons(step, elements)),
    h("div", { class: "results" }, results(step)),
    view.elements ? elementsPanel(elements) : "");
  draw();
}

function draw() {
  const step = steps[view.step];
  for (const part of canvases) {
    for (const old of part.stage.querySelectorAll("svg, .labels, .chips")) old.remove();
    const canvas = new Canvas(part.stage);
    if (view.elements) drawElements(canvas, part.elements);
    if (part.acts) drawAction(canvas, step, part.elements);
    canvas.place();
  }
}

function drawElements(canvas, elements) {
  for (const e of elements) {
    if (e.native || e.visible === false) continue;
    const kind = e.editable ? "field" : e.clickable ? "button" : "other";
    const box = canvas.box(e.box, "element " + kind, { "data-element": e.id });
    box.append(s("title", {}, label(e)));
    box.addEventListener("click", () => point(e.id, true));
    box.addEventListener("mouseenter", () => point(e.id, false));
    canvas.svg.append(box);
  }
}

// Mark an element in the list and on the screenshots.
function point(id, scroll) {
  for (const node of document.querySelectorAll("[data-element]")) {
    const same = node.dataset.element === id;
    node.classList.toggle("pointed", same);
    if (same && scroll && node.tagName === "TR") node.scrollIntoView({ block: "nearest" });
  }
}

function toolbar(step) {
  const ways = [["both", "Both"], ["before", "Before"], ["after", "After"]];
  const set = (name, value) => () => { view[name] = value; render(); };
  return h("div", { class: "toolbar" },
    h("h2", {}, `Step ${step.index}`, h("span", { class: "dim" }, ` · ${view.step + 1} of ${steps.length}`)),
    h("div", { class: "group" },
      h("button", { type: "button", title: "previous step (←)", "aria-label": "previous step", disabled: view.step === 0, onclick: () => show(view.step - 1) }, "←"),
      h("button", { type: "button", title: "play (space)", "aria-label": playing ? "pause" : "play", onclick: play }, playing ? "❚❚" : "▶"),
      h("button", { type: "button", title: "next step (→)", "aria-label": "next step", disabled: view.step === steps.length - 1, onclick: () => show(view.step + 1) }, "→")),
    h("span", { class: "grow" }),
    h("div", { class: "group" }, ways.map(([way, name]) =>
      h("button", { type: "button", "aria-pressed": String(view.shots === way), onclick: set("shots", way) }, name))),
    h("button", { type: "button", class: "single", "aria-pressed": String(view.elements), title: "E", onclick: set("elements", !view.elements) },
      `Elements ${trees.get(step.observation).length}`));
}

function elementsPanel(elements) {
  const words = view.filter.toLowerCase();
  const text = (e) => [e.role, e.name, e.text, e.value, e.hint, e.id].join(" ").toLowerCase();
  const found = words ? elements.filter((e) => text(e).includes(words)) : elements;
  const rows = view.all ? found : found.slice(0, ROWS);
  const input = h("input", { type: "search", placeholder: "Filter elements", "aria-label": "filter elements", value: view.filter });
  input.addEventListener("input", () => {
    view.filter = input.value;
    panel.replaceWith(elementsPanel(elements));
    const fresh = document.querySelector(".elements input");
    fresh.focus();
    fresh.setSelectionRange(input.selectionStart, input.selectionEnd);
  });
  const panel = h("section", { class: "card elements" },
    h("div", { class: "row" }, h("h2", {}, "Elements"), h("span", { class: "dim" }, words ? `${found.length} of ${elements.length}` : elements.length), h("span", { class: "grow" }), input),
    h("div", { class: "scroller" }, h("table", {},
      h("thead", {}, h("tr", {}, ["role", "name", "text", "value", "state"].map((t) => h("th", { scope: "col" }, t)))),
      h("tbody", {}, rows.map((e) => h("tr", { "data-element": e.id, class: e.visible === false || e.native ? "hidden" : "", onmouseenter: () => point(e.id, false) },
        h("td", {}, e.role), [e.name, e.text, fieldValue(e)].map((t) => h("td", {}, quoted(short(t || "", 120)))), h("td", { class: "dim" }, states(e))))))),
    rows.length < found.length && h("button", { type: "button", class: "single", onclick: () => { view.all = true; render(); } }, `Show all ${found.length}`));
  return panel;
}

function fieldValue(e) {
  return e.kind === "password" ? "•".repeat(Math.min(e.length || 0, 40)) : e.value;
}

function states(e) {
  const words = [];
  if (e.enabled === false) words.push("disabled");
  if (e.visible === false) words.push("not visible");
  for (const name of ["focused", "checked", "selected", "expanded", "native"]) if (e[name]) words.push(name);
  if (e.covered_by) words.push("covered");
  if (e.scrolls) words.push("scrolls " + e.scrolls);
  if (e.confidence !== undefined && e.confidence < 1) words.push(percent(e.confidence));
  return words.join(", ");
}

function play() {
  if (playing) {
    clearInterval(playing);
    playing = null;
  } else {
    if (view.step === steps.length - 1) show(0);
    playing = setInterval(() => (view.step < steps.length - 1 ? show(view.step + 1) : play()), 1200);
  }
  render();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT" || !steps.length) return;
  const act = {
    ArrowLeft: () => show(view.step - 1), ArrowRight: () => show(view.step + 1),
    Home: () => show(0), End: () => show(steps.length - 1), " ": play,
    e: () => { view.elements = !view.elements; render(); },
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act || (event.key === " " && event.target.tagName === "BUTTON")) return;
  event.preventDefault();
  act();
});

fill(document.getElementById("top"), {}, header(episode, steps));
fill(document.getElementById("origin"), {}, [episode.id, " · OpenVenus ", episode.version || ""]);
if (steps.length) {
  cells = timeline(steps, show);
  fill(document.getElementById("timeline"), {}, cells);
  new ResizeObserver(() => draw()).observe(document.getElementById("step"));
  const wanted = /^#step=(\d+)$/.exec(location.hash);
  show(wanted ? Number(wanted[1]) : 0);
} else {
  fill(document.getElementById("step"), {}, [h("p", { class: "empty" }, "No step was recorded.")]);
  if (episode.final) document.getElementById("step").append(shot(episode.final, "Last screen").node);
}
