// The parts of the page, each made from the record it shows.
function badge(text, kind, title) {
  return h("span", { class: "badge " + (kind || ""), title }, text);
}

function fact(name, value) {
  return value === null || value === undefined || value === "" ? null
    : h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, value));
}

function verdictBadge(verdict) {
  if (!verdict) return badge("no verdict", "dim");
  const p = verdict.probability;
  const sure = p === undefined || p === null || p === 0 || p === 1 ? "" : " " + percent(p);
  return badge(verdict.result + sure, { success: "good", failure: "bad" }[verdict.result] || "warn", "verdict");
}

function started(time) {
  return time ? new Date(time * 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" }) : "";
}

function totals(steps) {
  const sums = {};
  for (const step of steps)
    for (const [k, v] of Object.entries(step.seconds || {})) sums[k] = (sums[k] || 0) + Number(v);
  return sums;
}

function header(episode, steps) {
  const verdict = episode.verdict;
  const outcome = episode.outcome ? OUTCOMES[episode.outcome] || episode.outcome : "broke off";
  const calm = ["claimed_done", "environment_done", "asked_user", "refused"].includes(episode.outcome);
  const duration = episode.ended && episode.started ? episode.ended - episode.started : null;
  const tokens = steps.reduce((sum, step) => {
    const usage = (step.decision || step.failure || {}).usage || {};
    return sum + (usage.input_tokens || 0) + (usage.output_tokens || 0);
  }, 0);
  return [
    h("div", { class: "titles" },
      h("h1", {}, quoted(episode.task.instruction || "(no instruction)")),
      h("div", { class: "badges" }, verdictBadge(verdict), badge(outcome, calm ? "dim" : "warn", "how the loop ended"))),
    h("dl", { class: "facts" },
      fact("steps", String(steps.length)),
      fact("duration", duration !== null ? seconds(duration) : null),
      fact("policy", quoted(episode.policy)),
      fact("device", quoted(episode.device)),
      fact("task", episode.task.id && quoted(episode.task.id)),
      fact("reward", verdict && verdict.reward !== undefined && verdict.reward !== null ? String(+Number(verdict.reward).toFixed(4)) : null),
      fact("judge", verdict && verdict.judge ? quoted(verdict.judge) : null),
      fact("tokens", tokens ? tokens.toLocaleString() : null),
      fact("started", started(episode.started))),
    h("div", { class: "saids" }, episode.reason && h("p", { class: "said" }, h("b", {}, "Ended: "), quoted(episode.reason)),
    episode.answer && h("p", { class: "said" }, h("b", {}, "Answer: "), quoted(episode.answer)),
    verdict && (verdict.evidence || []).length > 0
      && h("p", { class: "said" }, h("b", {}, "Evidence: "), quoted(verdict.evidence.join("; "))),
    (episode.notes || []).length > 0
      && h("p", { class: "said" }, h("b", {}, "Notes: "), quoted(episode.notes.join("; ")))),
    timing(totals(steps), "time by phase, all steps"),
  ];
}

const PHASES = ["observe", "propose", "review", "perform", "overhead"];

function timing(durations, title) {
  const names = [...PHASES.filter((p) => p in durations), ...Object.keys(durations).filter((p) => !PHASES.includes(p))]
    .filter((p) => Number(durations[p]) > 0);
  const sum = names.reduce((total, p) => total + Number(durations[p]), 0);
  if (!sum) return null;
  const colour = (p) => "phase-" + (PHASES.indexOf(p) + 1);
  return h("div", { class: "timing" },
    h("div", { class: "bar", role: "img", "aria-label": title }, names.map((p) =>
      h("i", { class: colour(p), css: { "flex-grow": String(Number(durations[p]) / sum) }, title: p + " " + seconds(durations[p]) }))),
    h("ul", { class: "legend" }, names.map((p) =>
      h("li", {}, h("i", { class: colour(p) }), quoted(p), " ", h("b", {}, seconds(durations[p]))))));
}

function stepSeconds(step) {
  return Object.values(step.seconds || {}).reduce((sum, v) => sum + Number(v), 0);
}

function timeline(steps, show) {
  const longest = Math.max(1e-9, ...steps.map(stepSeconds));
  return steps.map((step, i) => h("button", {
    type: "button", class: "cell " + state(step), onclick: () => show(i),
    title: `step ${step.index}: ${step.decision ? sentence(step.decision.action) : "broken answer"} (${stateWords(step)})`,
  },
  h("span", { class: "number" }, String(step.index)),
  h("span", { class: "glyph", "aria-hidden": "true" }, glyph(step)),
  h("span", { class: "name" }, actionName(step).replaceAll("_", " ")),
  h("i", { class: "took", css: { width: Math.max(4, stepSeconds(step) / longest * 100) + "%" } })));
}

function place(observation) {
  const where = observation.url || observation.app || "";
  return h("div", { class: "place" },
    observation.title && h("b", {}, quoted(observation.title)), where && quoted(where, "url"),
    (observation.tabs || []).length > 1 && h("span", { class: "dim" }, observation.tabs.length + " tabs"),
    observation.settled === false && badge("not settled", "warn", "the screen was still changing when it was captured"));
}

function shot(observation, name) {
  if (!observation) return { node: h("figure", { class: "shot" }, h("figcaption", {}, name), h("p", { class: "empty" }, "no screen was captured")) };
  const frame = observation.frame;
  const url = frame.image ? imageUrl(frame.image) : null;
  const ratio = frame.width > 0 && frame.height > 0 ? frame.width / frame.height : 1.6;
  const stage = h("div", { class: url ? "stage" : "stage bare", css: { "--ratio": String(ratio) } },
    url && h("img", { src: url, alt: name + ": screenshot", draggable: "false", decoding: "async" }));
  const node = h("figure", { class: "shot" },
    h("figcaption", {}, h("span", {}, name), h("span", { class: "dim" }, `${frame.width} × ${frame.height}` + (url ? "" : ", no image"))),
    place(observation), stage);
  return { node, stage };
}

function card(title, ...content) {
  const inside = content.flat(3).filter((c) => c !== null && c !== undefined && c !== false && c !== "");
  return inside.length ? h("section", { class: "card" }, h("h2", {}, title), inside) : null;
}

function dialogs(list) {
  return (list || []).map((d) => h("p", { class: "dialog" },
    badge(d.kind, "warn"), " ", quoted(d.message), d.default && [" [", quoted(d.default), "]"],
    h("span", { class: "dim" }, " " + (d.handled || "dismissed"))));
}

// Indented JSON with every point on one line.
function compact(value) {
  return JSON.stringify(value, null, 2).replace(/\[\s+(-?[\d.eE+-]+),\s+(-?[\d.eE+-]+)\s+\]/g, "[$1, $2]");
}

function decisionCard(step, elements) {
  const d = step.decision;
  const target = d.target !== undefined && elements.find((e) => e.id === d.target);
  const figures = [["confidence", d.confidence], ["last action", d.completes]].filter(([, v]) => v !== undefined && v !== null);
  return card("Action",
    h("p", { class: "sentence" }, h("span", { class: "glyph", "aria-hidden": "true" }, glyph(step)), quoted(sentence(d.action))),
    target && h("p", {}, h("span", { class: "dim" }, "on "), quoted(target.role), " ", quoted(label({ ...target, role: "" }).trim())),
    figures.map(([name, v]) => h("div", { class: "meter" }, h("span", { class: "dim" }, name),
      h("span", { class: "track" }, h("i", { css: { width: Math.min(100, Math.max(0, v * 100)) + "%" } })), h("b", {}, percent(v)))),
    d.masked && h("p", { class: "dim" }, "A secret was typed; it is not in the record."),
    d.conclusion && h("p", {}, quoted(d.conclusion)),
    h("details", { open: true }, h("summary", {}, "JSON"), h("pre", { dir: "auto" }, compact(d.action))));
}

function failureCard(f) {
  const raw = f.raw || "";
  const position = f.position === undefined || f.position === null ? null : f.position;
  const characters = Array.from(raw);
  return card("Broken answer", h("p", { class: "bad" }, quoted(f.reason)),
    raw && h("pre", { dir: "auto" }, position === null ? raw
      : [characters.slice(0, position).join(""), h("mark", {}, characters[position] || "⌑"), characters.slice(position + 1).join("")]));
}

function effectCard(step) {
  const e = step.effect;
  if (!e) return card("Effect", h("p", { class: "dim" }, stateWords(step)));
  return card("Effect",
    h("p", {}, badge(stateWords(step), { good: "good", bad: "bad", still: "warn" }[state(step)]),
      e.navigated && badge("navigated", "dim"), e.new_tab && badge("new tab", "dim"),
      e.settled === false && badge("not settled", "warn"),
      h("span", { class: "dim" }, " " + (e.seconds ? seconds(e.seconds) : ""))),
    e.message && h("p", {}, quoted(e.message)),
    (e.changes || []).length > 0 && h("ul", { class: "changes" }, e.changes.map((c) => h("li", {}, quoted(c)))),
    dialogs(e.dialogs));
}

// What led to the action, and the action.
function reasons(step, elements) {
  const said = step.decision || step.failure || {};
  return [
    step.feedback && card("Told the policy before", h("p", {}, quoted(step.feedback))),
    card("Dialogs", dialogs(step.observation.dialogs)),
    said.thought && card("Thought", h("p", { class: "thought" }, quoted(said.thought))),
    step.decision && decisionCard(step, elements),
    step.failure && failureCard(step.failure),
    step.decision && said.raw && h("section", { class: "card" },
      h("details", {}, h("summary", {}, "Raw answer"), h("pre", { dir: "auto" }, said.raw))),
    step.observation.clipboard && card("Clipboard", h("p", {}, quoted(short(step.observation.clipboard, 400)))),
  ];
}

// What came of it.
function results(step) {
  const usage = (step.decision || step.failure || {}).usage;
  return [
    effectCard(step),
    step.ruling && guardCard(step.ruling),
    card("Time", timing(step.seconds || {}, "time by phase"),
      usage && h("p", { class: "dim" }, `${usage.input_tokens || 0} tokens in, ${usage.output_tokens || 0} out`)),
  ];
}

function guardCard(ruling) {
  const kind = { allow: "good", confirm: "warn", deny: "bad" }[ruling.verdict];
  return card("Guard",
    h("p", {}, badge(ruling.verdict, kind), " ", quoted(ruling.rule),
      ruling.effect_class && ruling.effect_class !== "unknown" && [" · ", quoted(ruling.effect_class)]),
    ruling.reason && h("p", {}, quoted(ruling.reason)),
    ruling.approval && h("p", {}, "approval ", quoted(ruling.approval)));
}
