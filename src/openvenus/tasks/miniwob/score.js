// What the page says of the running episode.
() => {
  if (typeof WOB_DONE_GLOBAL === "undefined") return { here: false };
  return {
    here: true,
    done: WOB_DONE_GLOBAL === true,
    raw: WOB_RAW_REWARD_GLOBAL,
    decayed: WOB_REWARD_GLOBAL,
    reason: WOB_REWARD_REASON === null || WOB_REWARD_REASON === undefined
      ? "" : String(WOB_REWARD_REASON),
  };
}
