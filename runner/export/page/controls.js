function draw(isNext) {
  at("place").textContent = `${state.step} / ${last}`;
  at("play").textContent = state.playing === null ? "▷" : "⏸";
  at("play").setAttribute("aria-label", state.playing === null ? "Play" : "Stop");
  at("eyes").value = state.eye;
  drawBoard(shownTable(), isNext);
  drawDecision();
  drawGuess();
  if (state.step === last && data.result && !isMidway()) showResult(true);
  drawHere();
  showMove();
  document.body.dataset.step = state.step;
}

function showResult(isShown) {
  at("result").textContent = isShown ? data.result.text : "";
  const winners = isShown ? data.result.winners.map((seat) => data.seats[seat].name) : [];
  document.title = data.title + (winners.length ? ` – ${winners.join(" and ")} won` : "");
}

function drawAll() {
  const shown = data.result && (!state.blind || state.step === last);
  showResult(shown);
  at("ending").textContent = state.blind ? "Show the ending" : "Hide the ending";
  at("ending").setAttribute("aria-pressed", String(!state.blind));
  drawChart();
  drawMoves();
  drawBest();
  drawWorst();
  draw();
}

function go(step, isPlaying) {
  const reached = limit(), from = state.step;
  if (step === from + 1 && !guesses.asking && mayAsk(step)) {
    if (state.playing !== null) play();
    guesses.asking = true;
    return draw();
  }
  guesses.asking = false;
  state.step = Math.max(0, Math.min(last, step));
  state.beat = isPlaying ? 0 : null;
  state.furthest = Math.max(state.furthest, state.step);
  if (limit() > reached) {
    for (let place = reached + 1; place <= limit(); place += 1) fillMove(place);
    drawChart();
  }
  try { history.replaceState(null, "", `#d${state.step}`); } catch { /* A browser may refuse it for a page from a disk. */ }
  draw(state.step === from + 1);
  note(isHighlight(state.step) ? 660 : 330 + 20 * (data.steps[state.step].seat || 0));
}

function fromLink() {
  const found = /^#d(\d+)$/.exec(location.hash) || /[?&]at=(\d+)/.exec(location.search);
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
  clearTimeout(state.playing);
  state.beat = null;
  state.playing = state.playing === null && state.step < last ? setTimeout(playOn, state.pace) : null;
  draw();
}

function playOn() {
  if (isMidway()) {
    state.beat += 1;
    draw(true);
  } else go(state.step + 1, true);
  if (state.playing === null) return;
  const beat = beats()[state.beat], isOver = state.step === last && !isMidway();
  state.playing = setTimeout(isOver ? play : playOn, state.pace * (beat ? beat[2] : isHighlight(state.step) ? 2 : 1));
}

function find() {
  const wanted = state.wanted.toLowerCase();
  const hits = wanted ? data.steps.map((_, step) => step).filter((step) => texts(step).some((text) => text.toLowerCase().includes(wanted))) : [];
  const next = hits.findIndex((step) => step > state.step), place = Math.max(0, next);
  if (hits.length) go(hits[place]);
  at("hits").textContent = !wanted ? "" : hits.length ? `${place + 1} of ${hits.length}` : "not found";
}

function look(eye) {
  guesses.asking = false;
  state.beat = null;
  state.eye = (eye + data.eyes.length) % data.eyes.length;
  drawAll();
}

function ending() {
  guesses.asking = false;
  state.blind = !state.blind;
  state.furthest = state.step;
  remembered("ending", state.blind ? "hidden" : "shown");
  drawAll();
}

async function copyLink() {
  const link = `${location.href.split(/[?#]/)[0]}#d${state.step}`;
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
