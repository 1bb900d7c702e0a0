// What the device keeps in every document: names for elements, the time of the last change, and
// what is under way. Makes nothing that a page can list.
() => {
  const KEY = Symbol.for("openvenus.device");
  if (globalThis[KEY]) return;
  const ids = new WeakMap();
  const known = new Map();
  let next = 0;
  let prefix = "e";
  let changed = performance.now();
  let leaving = -Infinity;
  let opening = 0;
  const pending = new Set();

  const venus = {};
  Object.defineProperty(globalThis, KEY, { value: venus, enumerable: false, configurable: true });

  // Every document gets a number, so that no name means something in two documents.
  venus.call = (number) => { if (number && prefix === "e") prefix = `d${number}e`; };
  venus.id = (node) => {
    let id = ids.get(node);
    if (id === undefined) {
      id = prefix + ++next;
      ids.set(node, id);
      known.set(id, new WeakRef(node));
    }
    return id;
  };
  venus.find = (id) => {
    const node = known.get(id)?.deref();
    // The documents of frames that are gone keep their nodes, but have no window.
    return node && node.isConnected && node.ownerDocument.defaultView ? node : null;
  };

  // The outermost window that may be asked from here keeps the times for all inside it.
  const root = () => {
    let w = window;
    while (w !== w.parent) {
      try { if (!w.parent.document) break; } catch { break; }
      w = w.parent;
    }
    return w;
  };
  const home = () => root()[KEY] || venus;
  venus.touch = () => { changed = performance.now(); };
  venus.opens = () => { opening += 1; };
  if (window !== window.parent) home().touch();

  const observer = new MutationObserver(() => { changed = performance.now(); });
  // What glides is not at rest yet; scrolling of inner frames and areas counts as well.
  let slid = -Infinity;
  venus.slide = () => { slid = changed = performance.now(); };
  document.addEventListener("scroll", () => home().slide(), { capture: true, passive: true });
  // Whether two pictures were painted: the next steps of what glides show in them.
  const pictures = () => Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)))),
    new Promise((resolve) => setTimeout(resolve, 250, document.hidden)),
  ]);
  const watched = new WeakSet();
  venus.watch = (root) => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
  };
  venus.watch(document);

  // Requests under way count as "not quiet" while they are young.
  venus.begin = (request) => { pending.add({ request, since: performance.now() }); };
  venus.end = (request) => {
    for (const p of pending) if (p.request === request) pending.delete(p);
    changed = performance.now();
  };
  const plainFetch = globalThis.fetch;
  if (plainFetch) {
    globalThis.fetch = function fetch(...args) {
      const result = plainFetch.apply(this, args);
      const keeper = home();
      const ended = () => keeper.end(result);
      keeper.begin(result);
      result.then(ended, ended);
      return result;
    };
  }
  if (globalThis.XMLHttpRequest) {
    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (...args) {
      const keeper = home();
      keeper.begin(this);
      this.addEventListener("loadend", () => keeper.end(this), { once: true });
      return send.apply(this, args);
    };
  }

  // What is about to replace this document, or to open a tab beside it.
  const stay = () => { leaving = -Infinity; };
  globalThis.navigation?.addEventListener("navigate", (event) => {
    if (event.destination.sameDocument || event.downloadRequest !== null ||
        !/^(https?|file|data|blob|about):/.test(event.destination.url)) return;
    leaving = performance.now();
    setTimeout(() => { if (event.defaultPrevented) stay(); });
  });
  globalThis.navigation?.addEventListener("navigatesuccess", () => { stay(); venus.touch(); });
  globalThis.navigation?.addEventListener("navigateerror", stay);
  venus.leaves = (bound) => performance.now() - leaving < bound;
  const elsewhere = (target) => target && !/^_(self|parent|top)$/i.test(target) &&
    (/^_blank$/i.test(target) || !document.querySelector(`iframe[name="${CSS.escape(target)}"]`));
  const follow = (event) => {
    const link = event.composedPath().find((n) => n.href && /^(a|area)$/i.test(n.tagName));
    if (!link) return;
    const base = document.querySelector("base[target]");
    if (event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey ||
        elsewhere(link.target || (base ? base.target : ""))) {
      setTimeout(() => { if (!event.defaultPrevented) home().opens(); });
    }
  };
  addEventListener("click", follow, true);
  addEventListener("auxclick", (event) => { if (event.button === 1) follow(event); }, true);
  addEventListener("submit", (event) => {
    if (!elsewhere((event.submitter && event.submitter.formTarget) || event.target.target)) return;
    setTimeout(() => { if (!event.defaultPrevented) home().opens(); });
  }, true);
  const plainOpen = globalThis.open;
  globalThis.open = function open(...args) {
    const made = plainOpen.apply(this, args);
    if (made && made !== window && !/^_(self|parent|top)$/i.test(args[1] || "")) home().opens();
    return made;
  };

  const moving = () => {
    try {
      return document.getAnimations().some((a) => a.playState === "running" &&
        a.effect && Number.isFinite(a.effect.getComputedTiming().endTime));
    } catch {
      return false;
    }
  };

  // Whether a window, or one inside it, is on its way to another document.
  const moves = (w, bound) => {
    try {
      if (w.document.readyState !== "complete" || w[KEY]?.leaves(bound)) return true;
    } catch {
      return false;  // A frame of another origin.
    }
    for (let i = 0; i < w.length; i++) if (moves(w[i], bound)) return true;
    return false;
  };
  const asks = (now, bound) => {
    for (const p of pending) if (now - p.since < bound) return true;
    return false;
  };

  // Fields that suggest what could be meant do so a while after the last key, on purpose.
  const SUGGESTS_WITHIN = 400;
  let typed = { at: -Infinity, field: null };
  addEventListener("input", (event) => {
    typed = { at: performance.now(), field: event.composedPath()[0] };
  }, { capture: true, passive: true });
  const suggests = (field) => field && field.getAttribute && (
    field.getAttribute("role") === "combobox" || field.getAttribute("aria-haspopup") === "listbox" ||
    /list|both/.test(field.getAttribute("aria-autocomplete") || "") ||
    (field.tagName === "INPUT" && field.getAttribute("autocomplete") === "off" &&
      field.type !== "password"));
  const mayStillSuggest = (now) => now - typed.at < SUGGESTS_WITHIN && changed < typed.at + 100 &&
    suggests(typed.field);

  // Waits until nothing has changed for `quiet` ms, at most `bound` ms.
  // `since` "now" also waits that long after this call, for what an action is about to cause.
  venus.settle = async ({ quiet, bound, since }) => {
    const start = performance.now();
    const from = since === "now" ? start : 0;
    let due = start;
    let patience = 3;
    for (;;) {
      const now = performance.now();
      // On a busy machine, what the page meant to do meanwhile is only about to come.
      const late = now - due > quiet / 2 && patience-- > 0;
      if (!late && now - Math.max(changed, from) >= quiet && !asks(now, bound) &&
          !moves(window, bound) && !moving() && !mayStillSuggest(now)) {
        if (now - slid > 1000 || await pictures() && slid <= now) return true;
      }
      if (now - start >= bound) return false;
      const wait = late ? 0 : Math.min(Math.max(quiet - (now - Math.max(changed, from)), 4), 16);
      due = now + wait;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };

  venus.observe = async (order) => {
    venus.call(order.document);
    const settled = await venus.settle(order);
    const found = venus.walk(order);
    const opened = opening;
    opening = 0;
    return JSON.stringify({ ...found, settled, opening: opened, url: location.href, title: document.title,
      width: innerWidth, height: innerHeight, ratio: devicePixelRatio,
      left: visualViewport.pageLeft, top: visualViewport.pageTop });
  };
}
