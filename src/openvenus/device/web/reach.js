// Where a pointer would really hit, what has the focus, what scrolls, and choosing from lists.
// Adds to what base.js keeps in a document (`venus`).
(venus) => {
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

  // A frame of another origin: its name here and how far its outermost reachable window is.
  const closed = (e) => {
    if (!e || (e.tagName !== "IFRAME" && e.tagName !== "FRAME")) return false;
    try { return !e.contentDocument; } catch { return true; }
  };
  // Where the inside of a frame begins, in sight if that can be; null when it is gone.
  venus.inside = ({ id, reveal }) => {
    const e = venus.find(id);
    if (!e) return null;
    const b = boxOf(e);
    if (reveal && (b[0] < 0 || b[1] < 0 || b[2] > innerWidth || b[3] > innerHeight)) {
      e.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
    }
    const now = boxOf(e);
    return [now[0] + e.clientLeft, now[1] + e.clientTop];
  };
  // What is hit at a point instead of an element; empty when it is the element.
  venus.instead = ({ id, x, y }) => {
    const at = venus.deepest(x, y);
    return at && at === venus.find(id) ? "" : at ? say(at) : "nothing";
  };
  // The frame of another origin at a point, if any.
  venus.closedAt = ({ x, y }) => {
    const at = venus.deepest(x, y);
    return closed(at) ? venus.id(at) : null;
  };

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
    if (e.tagName === "IFRAME") return { editable: true, what: say(e), kind: "frame", length: 0,
      frame: closed(e) ? venus.id(e) : null };
    const field = e.tagName === "TEXTAREA" || (e.tagName === "INPUT" &&
      !["checkbox", "radio", "button", "submit", "reset", "image", "file", "range", "color"]
        .includes(e.type));
    const open = field ? !e.readOnly && !e.disabled : e.isContentEditable;
    return { editable: open, what: say(e), kind: field ? e.type : e.isContentEditable ? "rich" : "",
      length: field ? e.value.length : (e.innerText || "").length,
      value: field && e.type !== "password" ? e.value : null };
  };

  // Gives a date or time its whole value; the browser refuses one that is none.
  venus.setValue = (value) => {
    const e = focused();
    const set = Object.getOwnPropertyDescriptor(
      e.ownerDocument.defaultView.HTMLInputElement.prototype, "value").set;
    set.call(e, value);
    e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    e.dispatchEvent(new Event("change", { bubbles: true }));
    return e.value;
  };

  // Gives a date or time the focus anew, so that keys go to its first part and not to the one
  // that was pressed.
  venus.firstPart = () => {
    const e = focused();
    e.blur();
    e.focus();
  };

  // Scroll offsets of everything that could move under a point, and whether the page itself
  // took a turn of the wheel there, as maps do.
  venus.offsets = ({ x, y, listen }) => {
    const at = venus.deepest(x, y) || document.body;
    if (listen) {
      venus.taken = 0;
      at.ownerDocument.defaultView.addEventListener("wheel", (event) => {
        setTimeout(() => { venus.taken = event.defaultPrevented ? 1 : 0; });
      }, { passive: true, once: true, capture: true });
    }
    const places = [];
    for (let e = at; e;) {
      places.push(e.scrollTop, e.scrollLeft);
      e = e.parentElement || e.getRootNode().host || e.ownerDocument.defaultView.frameElement;
    }
    return { at: places, taken: venus.taken || 0, frame: closed(at) ? venus.id(at) : null };
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
}
