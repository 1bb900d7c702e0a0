// Starts one seeded episode on a MiniWoB++ page that is open, in one call.
// order: {url, seed, lifted_ms (null keeps the page's own time-out), patience_ms}
// Gives {away: true} when another page is open, {error} when it can't start, else
// {instruction, fields, published_ms}.
async (order) => {
  const here = location.href.split("#")[0];
  if (here !== order.url || typeof core === "undefined") return { away: true };

  const until = performance.now() + order.patience_ms;
  const ready = async (test) => {
    while (!test()) {
      if (performance.now() > until) return false;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return true;
  };
  if (!(await ready(() => document.readyState === "complete" && core.cover_div !== null))) {
    return { error: "it did not become ready" };
  }

  // The reward display tells how the last episode went and the canvas where clicks went:
  // both are the benchmark's own instruments, not part of the task.
  if (document.getElementById("openvenus-scaffolding") === null) {
    const style = document.createElement("style");
    style.id = "openvenus-scaffolding";
    style.textContent = "#reward-display, #click-canvas { display: none !important; }";
    document.head.appendChild(style);
  }

  // Nothing focused, and the Tab key starts at the top, as on a page just loaded.
  const top = document.createElement("span");
  top.tabIndex = -1;
  document.body.prepend(top);
  top.focus({ preventScroll: true });
  top.remove();
  if (location.hash) history.replaceState(null, "", order.url);
  Math.seedrandom(order.seed);
  core.startEpisodeReal();
  if (!(await ready(() => WOB_TASK_READY))) return { error: "its task did not become ready" };

  // core.EPISODE_MAX_TIME stays: the decayed reward is computed with it.
  if (order.lifted_ms !== null && core.EP_TIMER !== null) {
    clearTimeout(core.EP_TIMER);
    core.EP_TIMER = setTimeout(() => core.endEpisode(-1, false, "timed out"), order.lifted_ms);
  }
  const said = core.getUtterance();
  const text = typeof said === "string" ? said : said.utterance;
  return {
    instruction: text.replace(/\s+/g, " ").trim(),
    fields: typeof said === "string" ? null : said.fields,
    published_ms: core.EPISODE_MAX_TIME,
  };
}
