// Drawing on screenshots, in CSS pixels of the shown picture; points come in [0, 1000].
function arrowHead(to, from, size) {
  const a = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const wing = (d) => [to[0] - size * Math.cos(a + d), to[1] - size * Math.sin(a + d)].join(",");
  return s("polygon", { class: "solid", points: [to.join(","), wing(0.45), wing(-0.45)].join(" ") });
}

function arrow(points, className) {
  const last = points.length - 1;
  const shaft = points.slice();
  if (last > 0) {
    // The line ends inside the head, so that the tip stays sharp.
    const [x, y] = points[last];
    const [dx, dy] = [points[last - 1][0] - x, points[last - 1][1] - y];
    const back = Math.min(1, 9 / (Math.hypot(dx, dy) || 1));
    shaft[last] = [x + dx * back, y + dy * back];
  }
  const list = shaft.map((p) => p.join(",")).join(" ");
  return s("g", { class: className || "" },
    s("polyline", { class: "halo", points: list }),
    s("polyline", { class: "line", points: list }),
    s("circle", { class: "solid", cx: points[0][0], cy: points[0][1], r: 4.5 }),
    last > 0 && arrowHead(points[last], points[last - 1], 16));
}

function crosshair(p, word) {
  const [x, y] = p;
  const ticks = [[-1, 0], [1, 0], [0, -1], [0, 1]].map(([dx, dy]) =>
    ["M", x + dx * 9, y + dy * 9, "L", x + dx * 20, y + dy * 20].join(" ")).join(" ");
  return s("g", {},
    s("circle", { class: "halo", cx: x, cy: y, r: 13 }),
    s("path", { class: "halo", d: ticks }),
    s("circle", { class: "line", cx: x, cy: y, r: 13 }),
    word.includes("double") && s("circle", { class: "line thin", cx: x, cy: y, r: 17.5 }),
    word.includes("triple") && s("circle", { class: "line thin", cx: x, cy: y, r: 21 }),
    s("path", { class: "line", d: ticks }),
    s("circle", { class: "solid", cx: x, cy: y, r: 2.5 }));
}

class Canvas {
  constructor(stage) {
    this.stage = stage;
    this.width = stage.clientWidth;
    this.height = stage.clientHeight;
    this.svg = s("svg", { viewBox: `0 0 ${this.width} ${this.height}`, "aria-hidden": "true" });
    this.labels = h("div", { class: "labels", "aria-hidden": "true" });
    this.chips = h("div", { class: "chips", "aria-hidden": "true" });
  }

  at(point) {
    return [point[0] / 1000 * this.width, point[1] / 1000 * this.height];
  }

  box(box, className, attributes) {
    const [l, t] = this.at(box);
    const [r, b] = this.at(box.slice(2));
    return s("rect", { class: className, x: l, y: t, width: Math.max(1, r - l), height: Math.max(1, b - t), rx: 2, ...attributes });
  }

  label(point, text, className) {
    const [x, y] = this.at(point);
    const node = h("span", { class: "label " + (className || "") }, text);
    // To the side where there is more room.
    if (x > this.width / 2) node.style.right = this.width - x + 24 + "px";
    else node.style.left = x + 24 + "px";
    node.style.top = Math.min(Math.max(y - 12, 2), Math.max(2, this.height - 28)) + "px";
    node.style.maxWidth = Math.max(60, (x > this.width / 2 ? x : this.width - x) - 30) + "px";
    this.labels.append(node);
  }

  // Which one it is in a sequence.
  turn(point, number) {
    const [x, y] = this.at(point).map((v, i) => Math.min(Math.max(v + (i ? -17 : 17), 11), (i ? this.height : this.width) - 11));
    this.svg.append(s("circle", { class: "solid", cx: x, cy: y, r: 10 }), s("text", { class: "turn", x, y }, parseInt(number, 10)));
  }

  chip(...content) {
    this.chips.append(h("span", { class: "chip" }, content));
  }

  place() {
    this.stage.append(this.svg, this.labels, this.chips);
  }
}

function drawAction(canvas, step, elements) {
  if (!step.decision) return;
  const { action, target } = step.decision;
  const element = elements.find((e) => target !== undefined && e.id === target);
  if (element) canvas.svg.append(canvas.box(element.box, "target"));
  const actions = action.type === "sequence" ? action.actions : [action];
  const focus = element || elements.find((e) => e.focused);
  actions.forEach((one, i) => drawOne(canvas, one, focus, actions.length > 1 ? i + 1 + ". " : ""));
  const meant = action.point;
  const real = step.effect && step.effect.point;
  if (real && meant && Math.hypot(real[0] - meant[0], real[1] - meant[1]) > 8) {
    const [x, y] = canvas.at(real);
    canvas.svg.append(s("path", { class: "real", d: `M ${x} ${y - 8} L ${x + 8} ${y} L ${x} ${y + 8} L ${x - 8} ${y} Z` }));
    canvas.label(real, "done here");
  }
}

function middle(element) {
  if (!element) return null;
  if (element.point) return element.point;
  const [l, t, r, b] = element.box;
  return [Math.min(1000, Math.max(0, (l + r) / 2)), Math.min(1000, Math.max(0, (t + b) / 2))];
}

const KEYED = new Set(["key_down", "key_up", "hotkey", "press"]);
const POINTED = new Set(["click", "double_click", "triple_click", "right_click", "middle_click", "hover",
  "long_press", "mouse_down", "mouse_up"]);

function drawOne(canvas, action, focus, number) {
  const point = action.point || middle(focus);
  if (KEYED.has(action.type)) return drawKeys(canvas, action, number);
  if (POINTED.has(action.type)) return drawPointed(canvas, action, point, number);
  switch (action.type) {
    case "drag": case "swipe": {
      const path = [action.start, ...(action.via || []), action.end].map((p) => canvas.at(p));
      canvas.svg.append(arrow(path));
      if (number) canvas.turn(action.start, number);
      return;
    }
    case "gesture":
      for (const path of action.paths) canvas.svg.append(arrow(path.map((p) => canvas.at(p))));
      return;
    case "scroll": return drawScroll(canvas, action, number);
    case "type": case "select": {
      const text = action.type === "type"
        ? action.text + (action.submit ? " ⏎" : "") : (action.label || action.index).join(", ");
      if (!point) return canvas.chip(number + action.type + " ", quoted(short(text, 80)));
      const [x, y] = canvas.at(point);
      canvas.svg.append(s("circle", { class: "halo", cx: x, cy: y, r: 5 }), s("circle", { class: "solid", cx: x, cy: y, r: 5 }));
      return canvas.label(point, [number, quoted(short(text, 80) || "(empty)")], "typed");
    }
    default: canvas.chip(number + short(sentence(action), 120));
  }
}

function drawPointed(canvas, action, point, number) {
  const word = action.type.replaceAll("_", " ");
  if (!point) return canvas.chip(number + word + " where the pointer is");
  canvas.svg.append(crosshair(canvas.at(point), word));
  if (number) canvas.turn(point, number);
  else if (action.type !== "click") canvas.label(point, word);
}

function drawKeys(canvas, action, number) {
  const keys = action.keys || [action.key];
  const word = { key_down: "hold ", key_up: "let go " }[action.type] || "";
  canvas.chip(number + word, keys.map((k) => h("kbd", {}, k)), action.repeat > 1 && " × " + action.repeat);
}

function drawScroll(canvas, action, number) {
  const [dx, dy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[action.direction];
  const [x, y] = canvas.at(action.point || [500, 500]);
  const length = Math.min(canvas.width, canvas.height) * 0.16;
  canvas.svg.append(arrow([[x - dx * length, y - dy * length], [x + dx * length, y + dy * length]], "wide"));
  const amount = action.amount === undefined ? 0.5 : action.amount;
  canvas.label(action.point || [500, 500], number + "scroll " + action.direction + " " + Number(amount.toFixed(2)));
}
