// Reads the elements of a document, through open shadow roots and same-origin frames.
// Installed once per document as walk(order) beside what base.js and reach.js provide (`venus`).
(venus) => {
  const SKIP = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "HEAD", "META", "LINK", "TITLE",
    "OPTION", "OPTGROUP", "BR", "WBR", "DATALIST", "SOURCE", "TRACK", "PARAM", "COL", "COLGROUP"]);
  const SHAPES = new Set(["circle", "ellipse", "rect", "line", "path", "polygon", "polyline",
    "text", "tspan", "image", "use"]);
  const SHAPE_ROLES = { rect: "rectangle", image: "image", tspan: "text" };
  const CONTAINERS = new Set(["LI", "TR", "FORM", "FIELDSET", "SECTION", "ARTICLE", "DIALOG", "UL",
    "OL", "TABLE", "NAV", "ASIDE", "HEADER", "FOOTER", "MAIN", "DETAILS", "P", "DIV", "svg"]);
  const TEXT_ROLES = { H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading",
    H6: "heading", TD: "cell", TH: "columnheader", LABEL: "label", P: "paragraph" };
  const BUTTON_KINDS = new Set(["button", "submit", "reset", "image"]);
  const CHOICE_KINDS = new Set(["checkbox", "radio"]);
  const CLICK_ROLES = new Set(["button", "link", "tab", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "checkbox", "radio", "switch", "treeitem", "slider", "spinbutton",
    "combobox", "gridcell"]);
  const HANDLE = /(^|[\s-])(draggable|sortable-handle|resizable-handle|slider-handle)(\s|$)/;

  // How many texts an element shows, as far as "none", "one" or "several" goes.
  function pieces(e) {
    let found = 0;
    for (const c of e.childNodes) {
      if (c.nodeType === 3) found += c.data.trim() ? 1 : 0;
      else if (c.nodeType === 1 && !SKIP.has(c.tagName)) found += pieces(c);
      if (found > 1) break;
    }
    return found;
  }

  const squash = (s) => (s || "").replace(/\s+/g, " ").trim();
  const words = (s) => (s || "").replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase()
    .match(/[\p{L}]+/gu) || [];
  const attr = (e, name) => e.getAttribute(name) || "";
  const triState = (value) => (value === "true" ? true : value === "false" ? false : null);

  const known = new Map();
  function hex(color) {
    if (!color) return "";
    let said = known.get(color);
    if (said === undefined) known.set(color, (said = readColor(color)));
    return said;
  }

  function readColor(color) {
    if (!color.startsWith("rgb")) return painted(color);
    const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(color);
    if (!m || (m[4] !== undefined && +m[4] < 0.05)) return "";
    return "#" + [1, 2, 3].map((i) => Math.round(+m[i]).toString(16).padStart(2, "0")).join("");
  }

  // Colours of newer notations are painted to be read.
  function painted(color) {
    if (!CSS.supports("color", color) || typeof OffscreenCanvas === "undefined") return "";
    const brush = new OffscreenCanvas(1, 1).getContext("2d");
    brush.fillStyle = color;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return a < 13 ? "" : "#" + [r, g, b].map((v) => v.toString(16).padStart(2, "0")).join("");
  }

  // What a label says, without the fields that it may hold.
  function saidBy(label) {
    if (!label.querySelector("select, textarea, [contenteditable]")) return label.innerText;
    const parts = [];
    const read = (n) => {
      if (n.nodeType === 3) parts.push(n.data);
      else if (n.nodeType === 1 && !SKIP.has(n.tagName) && !/^(SELECT|TEXTAREA)$/.test(n.tagName) &&
        !n.isContentEditable) n.childNodes.forEach(read);
    };
    read(label);
    return parts.join("");
  }

  // What the pictures in a control without any text are called.
  function pictured(e) {
    const inner = e.querySelector("img[alt], svg[aria-label], svg > title, [role=img][aria-label]");
    return inner ? attr(inner, "alt") || attr(inner, "aria-label") || inner.textContent : "";
  }

  function hint(e) {
    const name = typeof e.className === "string" ? e.className : attr(e, "class");
    const found = [...words(attr(e, "placeholder")), ...words(attr(e, "title")), ...words(name),
      ...words(e.id), ...words(attr(e, "name"))];
    return [...new Set(found)].slice(0, 12).join(" ");
  }

  function labelOf(e) {
    if (attr(e, "aria-label")) return attr(e, "aria-label");
    if (attr(e, "aria-labelledby")) {
      const root = e.getRootNode();
      const parts = attr(e, "aria-labelledby").split(/\s+/)
        .map((id) => root.getElementById && root.getElementById(id)).filter(Boolean);
      if (parts.length) return parts.map((p) => p.textContent).join(" ");
    }
    if (e.labels && e.labels.length) return [...e.labels].map(saidBy).join(" ");
    if (attr(e, "alt") || attr(e, "title") || attr(e, "placeholder")) {
      return attr(e, "alt") || attr(e, "title") || attr(e, "placeholder");
    }
    // An unattached label right before a field still is what a person reads as its name.
    const before = e.previousElementSibling;
    if (before && before.tagName === "LABEL" && !before.htmlFor) return saidBy(before);
    return "";
  }

  return (order) => {
    const out = [];
    const blind = [];
    let groups = 0;
    const styles = new Map();
    const styleOf = (e) => {
      let s = styles.get(e);
      if (!s) styles.set(e, (s = e.ownerDocument.defaultView.getComputedStyle(e)));
      return s;
    };
    const backgrounds = new Map();
    const backgroundOf = (e) => {
      if (!e || e.nodeType !== 1) return "";
      if (backgrounds.has(e)) return backgrounds.get(e);
      const own = hex(styleOf(e).backgroundColor);
      const value = own || backgroundOf(e.parentElement || (e.getRootNode().host ?? null));
      backgrounds.set(e, value);
      return value;
    };

    function scrollsOf(e, s) {
      if (e.tagName !== "TEXTAREA" && !/auto|scroll/.test(s.overflowY + s.overflowX)) return "";
      let sides = "";
      if (e.scrollHeight > e.clientHeight + 2 && (e.tagName === "TEXTAREA" || /auto|scroll/.test(s.overflowY))) {
        if (e.scrollTop > 1) sides += "u";
        if (e.scrollTop + e.clientHeight < e.scrollHeight - 1.5) sides += "d";
      }
      if (e.scrollWidth > e.clientWidth + 2 && /auto|scroll/.test(s.overflowX)) {
        if (Math.abs(e.scrollLeft) > 1) sides += "l";
        if (Math.abs(e.scrollLeft) + e.clientWidth < e.scrollWidth - 1.5) sides += "r";
      }
      return sides;
    }

    // One element as a flat row; the order of fields is the reader's, in `_elements.py`.
    function add(e, rect, at, more) {
      const box = [rect.left + at.dx, rect.top + at.dy, rect.right + at.dx, rect.bottom + at.dy];
      const inside = box[2] > Math.max(at.clip[0], 0) && box[3] > Math.max(at.clip[1], 0) &&
        box[0] < Math.min(at.clip[2], innerWidth) && box[1] < Math.min(at.clip[3], innerHeight);
      const aim = more.native || !inside ? null : venus.hit(more.hit || e, box);
      const s = styleOf(e);
      out.push([
        more.id || venus.id(e), more.role, box, squash(more.name).slice(0, 300),
        squash(more.text).slice(0, 1000), more.value || "", e.tagName.toLowerCase(),
        more.kind || "", more.hint === undefined ? hint(e) : more.hint,
        aim && aim.point ? aim.point : null, more.native ? true : inside,
        !!more.clickable, !!more.editable, more.enabled !== false,
        e.getRootNode().activeElement === e && e !== e.ownerDocument.body,
        more.checked ?? null, more.selected ?? null, more.expanded ?? null, !!more.native,
        aim && aim.by ? aim.by : null, more.color || hex(s.color), backgroundOf(e),
        more.length || 0, at.parent, at.group, at.depth, more.scrolls || "", at.path,
      ]);
      return out[out.length - 1][0];
    }

    function field(e, rect, at, s) {
      const area = e.tagName === "TEXTAREA";
      const kind = area ? "textarea" : e.type;
      if (kind === "hidden") return;
      const enabled = !e.matches(":disabled");
      if (BUTTON_KINDS.has(kind)) {
        const name = e.value || labelOf(e) || (kind === "submit" ? "Submit" : kind === "reset" ? "Reset" : "");
        add(e, rect, at, { role: "button", kind, name, enabled, clickable: true });
        return;
      }
      if (CHOICE_KINDS.has(kind)) {
        const label = e.labels && e.labels[0];
        const small = rect.width < 1 || rect.height < 1 || +s.opacity === 0;
        const shown = small && label ? label.getBoundingClientRect() : rect;
        let name = labelOf(e);
        if (!name && e.nextSibling && e.nextSibling.nodeType === 3) name = e.nextSibling.data;
        add(e, shown, at, { role: kind, kind, name, enabled, checked: e.checked, clickable: true,
          hit: small && label ? label : e });
        return;
      }
      const secret = kind === "password" || (s.webkitTextSecurity || "none") !== "none";
      add(e, rect, at, {
        role: kind === "range" ? "slider" : attr(e, "role") || "textbox", kind, name: labelOf(e), enabled,
        value: secret ? "" : e.value.slice(0, 1000), length: e.value.length, clickable: true,
        editable: kind !== "range" && kind !== "file" && kind !== "color" && !e.readOnly && enabled,
        expanded: triState(e.getAttribute("aria-expanded")), scrolls: area ? scrollsOf(e, s) : "",
      });
    }

    function list(e, rect, at) {
      const chosen = [...e.selectedOptions].map((o) => o.text).join(", ");
      const many = e.multiple || e.size > 1;
      const enabled = !e.matches(":disabled");
      const id = add(e, rect, at, { role: many ? "listbox" : "combobox", name: labelOf(e),
        value: chosen, length: chosen.length, enabled });
      const inner = { ...at, parent: id, depth: at.depth + 1 };
      for (const o of [...e.options].slice(0, 200)) {
        add(o, rect, inner, { role: "option", name: o.label || o.text, native: true, clickable: true,
          enabled: enabled && !o.matches(":disabled"), selected: o.selected, hint: "" });
      }
    }

    // Links have no size of their own when all that they hold floats or is placed elsewhere.
    function around(e, rect) {
      const boxes = [...e.children].map((c) => c.getBoundingClientRect())
        .filter((r) => r.width > 0 && r.height > 0);
      if (!boxes.length) return rect;
      const left = Math.min(...boxes.map((r) => r.left));
      const top = Math.min(...boxes.map((r) => r.top));
      return new DOMRect(left, top, Math.max(...boxes.map((r) => r.right)) - left,
        Math.max(...boxes.map((r) => r.bottom)) - top);
    }

    function usable(e, s, parentStyle) {
      const tag = e.tagName;
      if (tag === "BUTTON" || tag === "SUMMARY" || (tag === "A" && (e.href || e.onclick || s.cursor === "pointer"))) return true;
      if (CLICK_ROLES.has(attr(e, "role"))) return true;
      if (e.onclick || e.onmousedown || e.onmouseup || e.hasAttribute("onclick")) return true;
      if (tag === "LABEL" && e.control) return true;
      if (e.tabIndex >= 0 && e.hasAttribute("tabindex")) return true;
      if (e.draggable && tag !== "IMG" && tag !== "A") return true;
      if (typeof e.className === "string" && HANDLE.test(e.className)) return true;
      return s.cursor === "pointer" && (!parentStyle || parentStyle.cursor !== "pointer");
    }

    function shape(e, s, rect, at) {
      const tag = e.tagName.toLowerCase();
      let role = SHAPE_ROLES[tag] || tag;
      if (tag === "polygon" && e.points && e.points.numberOfItems === 3) role = "triangle";
      const color = hex(s.fill) || hex(s.stroke);
      const title = e.querySelector(":scope > title");
      add(e, rect, at, { role, color, name: attr(e, "aria-label") || (title ? title.textContent : ""),
        text: role === "text" ? e.textContent : "", clickable: role !== "text" || s.cursor === "pointer" });
    }

    function text(node, owner, at, alone) {
      const said = node.data;
      if (!said.trim()) return;
      const range = owner.ownerDocument.createRange();
      range.selectNodeContents(node);
      const rect = range.getBoundingClientRect();
      if (rect.width <= 0 || rect.height <= 0) return;
      add(owner, rect, at, { id: alone ? undefined : venus.id(node), text: said,
        role: attr(owner, "role") || TEXT_ROLES[owner.tagName] || (owner.closest("li") ? "listitem" : "text"),
        hint: alone ? undefined : "" });
    }

    function frame(e, rect, at) {
      let inner = null;
      try { inner = e.contentDocument; } catch { inner = null; }
      const box = [rect.left + at.dx + e.clientLeft, rect.top + at.dy + e.clientTop];
      const clip = [Math.max(at.clip[0], box[0]), Math.max(at.clip[1], box[1]),
        Math.min(at.clip[2], box[0] + e.clientWidth), Math.min(at.clip[3], box[1] + e.clientHeight)];
      if (!inner || !inner.body) {
        blind.push([venus.id(e), box[0], box[1], ...clip]);
        return;
      }
      venus.watch(inner);
      walk(inner.body, { ...at, dx: box[0], dy: box[1], clip, depth: at.depth + 1, parent: null,
        path: at.path + "/" + (e.name || e.id || venus.id(e)) }, null);
    }

    function children(e, at, style, named) {
      const nodes = e.shadowRoot ? e.shadowRoot.childNodes
        : e.tagName === "SLOT" && e.assignedNodes().length ? e.assignedNodes() : e.childNodes;
      if (e.shadowRoot) venus.watch(e.shadowRoot);
      for (const c of nodes) {
        if (c.nodeType === 1) walk(c, at, style, named);
        else if (c.nodeType === 3 && !named) text(c, e, at, nodes.length === 1);
      }
    }

    function walk(e, at, parentStyle, named = false) {
      if (SKIP.has(e.tagName)) return;
      const s = styleOf(e);
      if (s.display === "none") return;
      const shown = s.visibility === "visible";
      const tag = e.tagName;
      let rect = e.getBoundingClientRect();
      const svg = e.namespaceURI === "http://www.w3.org/2000/svg";
      const choice = tag === "INPUT" && CHOICE_KINDS.has(e.type);
      if (+s.opacity === 0 && !choice) return;
      if ((tag === "A" || tag === "BUTTON") && !(rect.width && rect.height)) rect = around(e, rect);
      if (CONTAINERS.has(tag)) at = { ...at, group: ++groups };
      at = { ...at, depth: at.depth + 1 };
      if (shown && (rect.width > 0 && rect.height > 0 || choice)) {
        if (tag === "INPUT" || tag === "TEXTAREA") return field(e, rect, at, s);
        if (tag === "SELECT") return list(e, rect, at);
        if (tag === "IFRAME" || tag === "FRAME") return frame(e, rect, at);
        if (svg && SHAPES.has(tag)) return shape(e, s, rect, at);
        if (tag === "IMG" || tag === "CANVAS" || tag === "VIDEO" || tag === "PROGRESS" || tag === "METER") {
          const role = { IMG: "image", CANVAS: "canvas", VIDEO: "video" }[tag] || "progressbar";
          const clickable = s.cursor === "pointer" || !!e.onclick || tag === "CANVAS";
          if (!named || clickable) {
            add(e, rect, at, { role, name: labelOf(e), clickable,
              value: e.value !== undefined ? String(e.value) : "" });
          }
          return;
        }
        const scrolls = scrollsOf(e, s);
        const editable = e.isContentEditable && !(e.parentElement && e.parentElement.isContentEditable);
        if (tag !== "BODY" && tag !== "HTML" && (editable || usable(e, s, parentStyle))) {
          // innerText costs a layout; a plain leaf says the same without.
          const plain = !e.childElementCount && s.textTransform === "none" || e.innerText === undefined;
          const inside = squash(tag === "LABEL" ? saidBy(e) : plain ? e.textContent : e.innerText);
          const short = inside.length <= 160;
          const role = attr(e, "role") || { A: "link", BUTTON: "button", SUMMARY: "button", LABEL: "label", LI: "listitem" }[tag] || (editable ? "textbox" : "generic");
          const id = add(e, rect, at, {
            role, name: editable ? labelOf(e) : attr(e, "aria-label") || (short && inside) || labelOf(e) || (inside ? "" : pictured(e)),
            value: editable ? inside.slice(0, 1000) : "", length: editable ? inside.length : 0,
            clickable: true, editable, enabled: !e.matches(":disabled") && attr(e, "aria-disabled") !== "true",
            checked: triState(e.getAttribute("aria-checked")),
            selected: triState(e.getAttribute("aria-selected")),
            expanded: tag === "SUMMARY" && e.parentElement ? !!e.parentElement.open : triState(e.getAttribute("aria-expanded")),
            scrolls,
          });
          // One text is the element's name; several are worth reading one by one.
          return children(e, { ...at, parent: id }, s, editable || (short && pieces(e) < 2));
        }
        if (scrolls && tag !== "BODY" && tag !== "HTML") {
          at = { ...at, parent: add(e, rect, at, { role: attr(e, "role") || "scrollarea", scrolls, name: attr(e, "aria-label") }) };
        } else if (svg && tag === "svg" && !e.querySelector("circle,ellipse,rect,line,path,polygon,polyline,text")) {
          return void add(e, rect, at, { role: "image", name: labelOf(e) });
        } else if (!named && rect.width <= 48 && rect.height <= 48 && !e.childNodes.length &&
            (s.backgroundImage !== "none" || attr(e, "title") || attr(e, "aria-label"))) {
          return void add(e, rect, at, { role: "image", name: labelOf(e) });
        } else if (!e.childNodes.length && !e.shadowRoot && !named && hex(s.backgroundColor) &&
            hex(s.backgroundColor) !== backgroundOf(e.parentElement)) {
          // A plain coloured area without text: a swatch, a tile, a piece of a game.
          return void add(e, rect, at, { role: attr(e, "role") || "generic", name: labelOf(e), color: hex(s.backgroundColor) });
        }
      }
      if (shown || e.childElementCount) children(e, at, s, named || !shown);
    }

    if (document.body) {
      walk(document.body, { dx: 0, dy: 0, parent: null, group: 0, depth: 0, path: "",
        clip: [0, 0, innerWidth, innerHeight] }, null);
    }
    let kept = out;
    if (out.length > order.max) {
      const rank = out.map((row, i) => [row[10] && !row[18] ? 0 : 1, row[11] || row[12] ? 0 : 1, i]);
      rank.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
      const keep = new Set(rank.slice(0, order.max).map((r) => r[2]));
      kept = out.filter((_, i) => keep.has(i));
    }
    return { elements: kept, truncated: out.length - kept.length, blind };
  };
}
