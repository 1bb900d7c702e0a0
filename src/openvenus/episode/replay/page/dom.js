"use strict";

// Everything shown is made here: strings become text nodes, never markup.
const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "css") for (const [k, v] of Object.entries(value)) node.style.setProperty(k, v);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : String(child));
  }
  return node;
}

function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

// Text of a recorded page: its own direction, spaces kept.
function quoted(text, kind) {
  return h("span", { class: "quoted " + (kind || ""), dir: "auto" }, text);
}

function seconds(value) {
  if (value === undefined || value === null || !Number.isFinite(Number(value))) return "–";
  const v = Number(value);
  if (v > 0 && v < 0.00005) return "< 0.1 ms";
  if (v < 0.0995) return (v * 1000).toFixed(v < 0.00995 ? 1 : 0) + " ms";
  if (v < 59.95) return v.toFixed(v < 9.95 ? 2 : 1) + " s";
  const whole = Math.round(v);
  const m = Math.floor(whole / 60);
  return m < 60 ? m + " min " + (whole % 60) + " s" : Math.floor(m / 60) + " h " + (m % 60) + " min";
}

function percent(value) {
  const v = Number(value) * 100;
  return (v >= 99.95 || v < 0.05 || v >= 10 ? v.toFixed(0) : v.toFixed(1)) + " %";
}

// Data URLs are made when an image is first shown: a long episode opens at once.
const shownImages = new Map();

function imageUrl(id) {
  if (!shownImages.has(id)) {
    const block = document.getElementById(id);
    shownImages.set(id, block ? "data:" + block.dataset.type + ";base64," + block.textContent : null);
  }
  return shownImages.get(id);
}
