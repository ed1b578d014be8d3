const THEMES = { auto: "light dark", light: "light", dark: "dark" };

function draw() {
  at("place").textContent = `${state.step} / ${last}`;
  at("play").textContent = state.playing === null ? "▷" : "⏸";
  at("play").setAttribute("aria-label", state.playing === null ? "Play" : "Stop");
  at("eyes").value = state.eye;
  at("board").replaceChildren(made("h2", "Table", "sr"), element(seen(state.step).table));
  drawDecision();
  drawHere();
  showMove();
  document.body.dataset.step = state.step;
}

function drawAll() {
  const shown = data.result && (!state.blind || state.step === last);
  at("result").textContent = shown ? data.result.text : "";
  at("ending").textContent = state.blind ? "Show the ending" : "Hide the ending";
  at("ending").setAttribute("aria-pressed", String(!state.blind));
  drawChart();
  drawMoves();
  drawBest();
  drawWorst();
  draw();
}

function go(step) {
  const reached = limit();
  state.step = Math.max(0, Math.min(last, step));
  state.furthest = Math.max(state.furthest, state.step);
  if (limit() > reached) {
    for (let place = reached + 1; place <= limit(); place += 1) fillMove(place);
    drawChart();
    if (state.step === last && data.result) at("result").textContent = data.result.text;
  }
  try { history.replaceState(null, "", `#d${state.step}`); } catch { /* A browser may refuse it for a page from a disk. */ }
  draw();
}

function fromLink() {
  const found = /^#d(\d+)$/.exec(location.hash);
  if (!found) return;
  const step = Math.min(last, Number(found[1]));
  if (step !== state.step) go(step);
}

function round(way) {
  const here = data.steps[state.step].round;
  let step = state.step + way;
  while (step > 0 && step < last && data.steps[step].round === here) step += way;
  go(step);
}

function toNext(way, isWanted) {
  let step = state.step + way;
  while (step >= 0 && step <= last && !isWanted(step)) step += way;
  if (step >= 0 && step <= last) go(step);
}

function play() {
  if (state.playing !== null) {
    clearInterval(state.playing);
    state.playing = null;
  } else {
    state.playing = setInterval(() => { if (state.step === last) play(); else go(state.step + 1); }, 1500);
  }
  draw();
}

function find() {
  const wanted = state.wanted.toLowerCase();
  if (!wanted) return;
  for (let off = 1; off <= data.steps.length; off += 1) {
    const step = (state.step + off) % data.steps.length;
    if (texts(step).some((text) => text.toLowerCase().includes(wanted))) return go(step);
  }
}

function look(eye) {
  state.eye = (eye + data.eyes.length) % data.eyes.length;
  drawAll();
}

function ending() {
  state.blind = !state.blind;
  state.furthest = state.step;
  remembered("ending", state.blind ? "hidden" : "shown");
  drawAll();
}

function theme(name) {
  const chosen = name in THEMES ? name : "auto";
  document.documentElement.style.colorScheme = THEMES[chosen];
  at("theme").textContent = { auto: "◐ Auto", light: "☀ Light", dark: "☾ Dark" }[chosen];
  at("theme").setAttribute("aria-label", `Colours: ${chosen}`);
  at("theme").dataset.theme = chosen;
}

function nextTheme() {
  const names = Object.keys(THEMES), name = names[(names.indexOf(at("theme").dataset.theme) + 1) % names.length];
  remembered("theme", name);
  theme(name);
}

async function copyLink() {
  const link = `${location.href.split("#")[0]}#d${state.step}`;
  try {
    await navigator.clipboard.writeText(link);
    at("copy").textContent = "Copied";
    setTimeout(() => { at("copy").textContent = "Copy link"; }, 1500);
  } catch {
    at("link").value = link;
    at("link").hidden = false;
    at("link").select();
  }
}

function help() {
  if (at("help").open) at("help").close(); else at("help").showModal();
}
