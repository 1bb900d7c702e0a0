// What actions, outcomes and states are called.
const GLYPHS = {
  click: "◎", double_click: "◎", triple_click: "◎", right_click: "◎", middle_click: "◎",
  hover: "◌", long_press: "◉", drag: "⤳", swipe: "⤳", scroll: "↕", gesture: "✥",
  mouse_down: "↧", mouse_up: "↥", key_down: "⌨", key_up: "⌨", hotkey: "⌨", press: "⌨",
  type: "T", select: "☰", upload: "⇪", download: "⇩", launch: "↗", switch: "⇄", wait: "⧗",
  note: "✎", ask_user: "?", answer: "❝", refuse: "⊘", finish: "⚑", sequence: "≡",
};

const OUTCOMES = {
  claimed_done: "claimed done", refused: "refused", asked_user: "asked the user", denied: "denied",
  stuck: "stuck", step_limit: "step limit", time_limit: "time limit",
  invalid_output: "invalid output", device_fault: "device fault", policy_fault: "policy fault",
  cancelled: "cancelled", environment_done: "environment done",
};

function actionName(step) {
  return step.decision ? step.decision.action.type : "broken answer";
}

function glyph(step) {
  return step.decision ? GLYPHS[step.decision.action.type] || "•" : "!";
}

function at(point) {
  return point ? " at " + point.map((v) => Math.round(v)).join(", ") : "";
}

function short(text, length) {
  const characters = Array.from(String(text).replace(/\s+/g, " "));
  return characters.length > length ? characters.slice(0, length - 1).join("") + "…" : characters.join("");
}

function label(element) {
  const name = element.name || element.text || element.value || element.hint || "";
  return element.role + (name ? " “" + short(name, 60) + "”" : "");
}

function sentence(action) {
  const kind = action.type.replaceAll("_", " ");
  const times = action.repeat > 1 ? " × " + action.repeat : "";
  switch (action.type) {
    case "drag": case "swipe":
      return kind + " from " + action.start.map(Math.round).join(", ") + " to " + action.end.map(Math.round).join(", ");
    case "scroll": return "scroll " + action.direction + at(action.point);
    case "gesture": return "gesture with " + action.paths.length + (action.paths.length > 1 ? " fingers" : " finger");
    case "key_down": case "key_up": case "hotkey": return kind + " " + action.keys.join("+") + times;
    case "press": return "press " + action.key + times;
    case "type": return "type “" + short(action.text, 80) + "”" + at(action.point);
    case "select": return "select " + (action.label || action.index || []).join(", ") + at(action.point);
    case "upload": case "download": return kind + " " + action.name;
    case "launch": return "launch " + action.target;
    case "switch": return "switch to " + action.device;
    case "wait": return "wait " + seconds(action.seconds === undefined ? 1 : action.seconds);
    case "note": case "answer": return kind + " “" + short(action.text, 80) + "”";
    case "ask_user": return "ask “" + short(action.question, 80) + "”";
    case "refuse": return "refuse: " + short(action.reason, 80);
    case "finish":
      return (action.status === "failure" ? "give up" : "finish") + (action.answer ? ": “" + short(action.answer, 80) + "”" : "");
    case "sequence": return action.actions.map(sentence).join(", then ");
    default: return kind + at(action.point);
  }
}

// One of: bad (failed, denied, broken), still (nothing changed), good (something changed), none.
function state(step) {
  if (step.failure) return "bad";
  if (!step.effect) return "none";
  if (step.effect.status === "not_performed") return "none";
  if (step.effect.status !== "done") return "bad";
  return step.effect.changed === false ? "still" : "good";
}

function stateWords(step) {
  if (step.failure) return "the answer was not an action";
  if (!step.effect) return "nothing was done";
  if (step.effect.status !== "done") return step.effect.status.replaceAll("_", " ");
  if (step.effect.changed === false) return "done, nothing changed";
  return step.effect.changed ? "done, the screen changed" : "done";
}
