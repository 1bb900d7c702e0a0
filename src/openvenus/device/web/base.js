// What the device keeps in every document: names for elements, the time of the last change,
// and where a pointer would really hit. Makes nothing that a page can list.
() => {
  const KEY = Symbol.for("openvenus.device");
  if (globalThis[KEY]) return;
  const ids = new WeakMap();
  const known = new Map();
  let next = 0;
  let changed = performance.now();
  let pending = 0;
  let pendingSince = 0;

  const venus = {};
  Object.defineProperty(globalThis, KEY, { value: venus, enumerable: false, configurable: true });

  venus.id = (node) => {
    let id = ids.get(node);
    if (id === undefined) {
      id = "e" + ++next;
      ids.set(node, id);
      known.set(id, new WeakRef(node));
    }
    return id;
  };
  venus.find = (id) => {
    const node = known.get(id)?.deref();
    return node && node.isConnected ? node : null;
  };

  const observer = new MutationObserver(() => { changed = performance.now(); });
  const watched = new WeakSet();
  venus.watch = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  venus.watch(document);

  // Requests that are under way count as "not quiet" for a short while after they started.
  const began = () => { pending += 1; pendingSince = performance.now(); };
  const ended = () => { pending = Math.max(0, pending - 1); changed = performance.now(); };
  const plainFetch = globalThis.fetch;
  if (plainFetch) {
    globalThis.fetch = function fetch(...args) {
      began();
      const result = plainFetch.apply(this, args);
      result.then(ended, ended);
      return result;
    };
  }
  if (globalThis.XMLHttpRequest) {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (...args) {
      began();
      this.addEventListener("loadend", ended, { once: true });
      return send.apply(this, args);
    };
  }

  const moving = () => {
    try {
      return document.getAnimations().some((a) => a.playState === "running" &&
        a.effect && Number.isFinite(a.effect.getComputedTiming().endTime));
    } catch {
      return false;
    }
  };

  // Waits until nothing has changed for `quiet` ms, at most `bound` ms.
  // `since` "now" also waits that long after this call, for what an action is about to cause.
  venus.settle = async ({ quiet, bound, since }) => {
    const start = performance.now();
    const from = since === "now" ? start : 0;
    for (;;) {
      const now = performance.now();
      const busy = pending > 0 && now - pendingSince < 500;
      if (document.readyState === "complete" && now - Math.max(changed, from) >= quiet &&
          !busy && !moving()) return true;
      if (now - start >= bound) return false;
      const wait = Math.max(quiet - (now - Math.max(changed, from)), 4);
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 16)));
    }
  };

  const deepest = (doc, x, y) => {
    let hit = doc.elementFromPoint(x, y);
    while (hit && hit.shadowRoot) {
      const inner = hit.shadowRoot.elementFromPoint(x, y);
      if (!inner || inner === hit) break;
      hit = inner;
    }
    if (hit && (hit.tagName === "IFRAME" || hit.tagName === "FRAME")) {
      let inside = null;
      try { inside = hit.contentDocument; } catch { inside = null; }
      if (inside) {
        const r = hit.getBoundingClientRect();
        return deepest(inside, x - r.left - hit.clientLeft, y - r.top - hit.clientTop) || hit;
      }
    }
    return hit;
  };
  venus.deepest = (x, y) => deepest(document, x, y);

  const holds = (outer, inner) => {
    for (let n = inner; n; n = n.parentNode || n.host) if (n === outer) return true;
    return false;
  };
  const reaches = (target, hit) => {
    if (holds(target, hit)) return true;
    if (target.labels && [...target.labels].some((l) => holds(l, hit))) return true;
    // Text painted by its own parent, an option inside its list.
    return target.nodeType === 3 && hit === target.parentElement;
  };
  const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.2],
    [0.9, 0.8], [0.9, 0.2], [0.1, 0.8]];

  // A point inside the box where `target` is hit, or what is hit instead.
  venus.hit = (target, box) => {
    let other = null;
    for (const [a, b] of SPOTS) {
      const x = box[0] + (box[2] - box[0]) * a;
      const y = box[1] + (box[3] - box[1]) * b;
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const hit = venus.deepest(x, y);
      if (!hit) continue;
      if (reaches(target, hit)) return { point: [x, y] };
      other = other || hit;
    }
    return other ? { by: venus.id(other) } : null;
  };

  const boxOf = (node) => {
    let r;
    if (node.nodeType === 3) {
      const range = node.ownerDocument.createRange();
      range.selectNodeContents(node);
      r = range.getBoundingClientRect();
    } else {
      r = node.getBoundingClientRect();
      if ((r.width < 1 || r.height < 1) && node.labels && node.labels[0]) {
        r = node.labels[0].getBoundingClientRect();
      }
    }
    let dx = 0, dy = 0;
    for (let w = node.ownerDocument.defaultView; w && w !== window; w = w.parent) {
      const f = w.frameElement;
      if (!f) break;
      const fr = f.getBoundingClientRect();
      dx += fr.left + f.clientLeft;
      dy += fr.top + f.clientTop;
    }
    return [r.left + dx, r.top + dy, r.right + dx, r.bottom + dy];
  };
  venus.boxOf = boxOf;

  const say = (node) => {
    const e = node.nodeType === 3 ? node.parentElement : node;
    const label = (e.getAttribute("aria-label") || e.innerText || e.value || e.id || "")
      .toString().replace(/\s+/g, " ").trim().slice(0, 60);
    return `<${e.tagName.toLowerCase()}>` + (label ? ` "${label}"` : "");
  };
  venus.say = say;

  // Where to press for an element right now: the wanted point when it still hits it, else
  // another point of it, scrolled into view first when it is out of sight.
  venus.aim = ({ id, x, y, exact }) => {
    let node = venus.find(id);
    if (!node) {
      const there = venus.deepest(x, y);
      return { status: "gone", there: there ? say(there) : "nothing" };
    }
    if (node.tagName === "OPTION") node = node.closest("select") || node;
    const inView = (b) => b[2] > 0 && b[3] > 0 && b[0] < innerWidth && b[1] < innerHeight;
    let scrolled = false;
    let found = null;
    if (inView(boxOf(node))) {
      const at = venus.deepest(x, y);
      if (at && reaches(node, at)) return { status: "ok", point: [x, y], scrolled: false };
      if (exact) return { status: "covered", there: at ? say(at) : "nothing" };
      found = venus.hit(node, boxOf(node));
    }
    if (!found || !found.point) {
      const e = node.nodeType === 3 ? node.parentElement : node;
      e.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
      scrolled = true;
      found = venus.hit(node, boxOf(node));
    }
    if (found && found.point) return { status: "ok", point: found.point, scrolled };
    const by = found && found.by ? venus.find(found.by) : null;
    return { status: by ? "covered" : "hidden", there: by ? say(by) : "nothing" };
  };

  const focused = () => {
    let e = document.activeElement;
    for (;;) {
      if (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
      else if (e && e.tagName === "IFRAME") {
        let inner = null;
        try { inner = e.contentDocument; } catch { return e; }
        if (!inner || !inner.activeElement) return e;
        e = inner.activeElement;
      } else return e;
    }
  };
  venus.focused = focused;

  // What has the focus: whether text can be typed there, of what kind it is, and what it holds.
  venus.focus = () => {
    const e = focused();
    if (!e || e === document.body) return { editable: false, what: "nothing" };
    if (e.tagName === "IFRAME") return { editable: true, what: say(e), kind: "frame", length: 0 };
    const field = e.tagName === "TEXTAREA" || (e.tagName === "INPUT" &&
      !["checkbox", "radio", "button", "submit", "reset", "image", "file", "range", "color"]
        .includes(e.type));
    const open = field ? !e.readOnly && !e.disabled : e.isContentEditable;
    return { editable: open, what: say(e), kind: field ? e.type : e.isContentEditable ? "rich" : "",
      length: field ? e.value.length : (e.innerText || "").length,
      value: field && e.type !== "password" ? e.value : null };
  };

  const scroller = (node, axis) => {
    for (let e = node; e; e = e.parentElement || e.getRootNode().host) {
      if (e === document.body || e === document.documentElement) break;
      const s = getComputedStyle(e);
      const free = axis === "y" ? e.scrollHeight > e.clientHeight + 1 : e.scrollWidth > e.clientWidth + 1;
      const flow = axis === "y" ? s.overflowY : s.overflowX;
      if (free && (/auto|scroll/.test(flow) || e.tagName === "TEXTAREA")) return e;
    }
    return document.scrollingElement || document.documentElement;
  };
  // Scroll offsets of everything that could move under a point.
  venus.offsets = ({ x, y }) => {
    const at = venus.deepest(x, y) || document.body;
    const own = at.ownerDocument.scrollingElement;
    const v = scroller(at, "y");
    const h = scroller(at, "x");
    return [v.scrollTop, h.scrollLeft, own ? own.scrollTop : 0, own ? own.scrollLeft : 0,
      document.scrollingElement.scrollTop, document.scrollingElement.scrollLeft];
  };

  // Chooses options of a native list as a person would: focus, choice, input and change.
  venus.select = ({ id, x, y, index, label }) => {
    let node = id ? venus.find(id) : null;
    node = node && node.closest ? node.closest("select") : null;
    if (!node) {
      const at = venus.deepest(x, y);
      node = at && at.closest ? at.closest("select") : null;
    }
    if (!node) {
      const f = focused();
      node = f && f.tagName === "SELECT" ? f : null;
    }
    if (!node) return { status: "no list there" };
    if (node.disabled) return { status: "the list is disabled" };
    const options = [...node.options];
    let wanted = index;
    if (label) {
      wanted = label.map((l) => options.findIndex((o) => (o.label || o.text).trim() === l.trim()));
      const missing = wanted.indexOf(-1);
      if (missing >= 0) return { status: `no option "${label[missing]}"`, options: options.map((o) => o.text) };
    }
    if (wanted.some((i) => i >= options.length)) return { status: `it has ${options.length} options` };
    if (wanted.some((i) => options[i].disabled)) return { status: "that option is disabled" };
    if (!node.multiple && wanted.length > 1) return { status: "it takes one option only" };
    node.focus();
    if (node.multiple && wanted.length === 1) options[wanted[0]].selected = !options[wanted[0]].selected;
    else if (node.multiple) options.forEach((o, i) => { o.selected = wanted.includes(i); });
    else node.selectedIndex = wanted[0];
    node.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    node.dispatchEvent(new Event("change", { bubbles: true }));
    return { status: "ok" };
  };

  venus.observe = async (order) => {
    const settled = await venus.settle(order);
    const found = venus.walk(order);
    return JSON.stringify({ ...found, settled, url: location.href, title: document.title,
      width: innerWidth, height: innerHeight, ratio: devicePixelRatio,
      left: visualViewport.pageLeft, top: visualViewport.pageTop });
  };
}
