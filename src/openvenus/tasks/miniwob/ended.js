// Whether the page has scored the running episode.
() => typeof WOB_DONE_GLOBAL !== "undefined" && WOB_DONE_GLOBAL === true
