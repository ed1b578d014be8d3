const guesses = { on: false, asking: false, made: {} };

function choicesOf(step) {
  const { ask } = seen(step);
  return ask && ask.choices !== null ? data.texts[ask.choices].split("\n") : [];
}

function mayAsk(step) {
  return guesses.on && step > 0 && step <= last && !(step in guesses.made) && (step > state.furthest || !state.blind) && choicesOf(step).length > 1;
}

function shownTable() {
  if (isMidway()) return beats()[state.beat][0];
  const own = data.eyes.indexOf(`P-${data.steps[state.step + guesses.asking].seat}`);
  return data.steps[state.step].seen[guesses.asking && own >= 0 ? own : state.eye][0];
}

function guessAlong() {
  guesses.on = !guesses.on;
  at("guess").setAttribute("aria-pressed", String(guesses.on));
  guesses.asking = false;
  if (guesses.on) {
    state.blind = true;
    state.furthest = state.step;
  }
  drawAll();
}

function retry(step) {
  delete guesses.made[step];
  [state.step, state.furthest, state.blind, guesses.asking] = [step - 1, step - 1, true, true];
  drawAll();
}

function guess(step, choice) {
  guesses.made[step] = choice;
  go(step);
}

function verdict(step) {
  const choices = choicesOf(step), mine = choices[guesses.made[step]], played = choices[seen(step).ask.played], grade = review().grades[step];
  const parts = mine === played ? ["You chose the same: ", made("b", mine)] : ["You: ", made("b", mine), ". ", seatName(data.steps[step].seat), ": ", made("b", played)];
  parts.push(".");
  if (grade && mine === grade.better[0]) parts.push(made("span", ` Best found, ${percent(grade.best)} of the win.`, "best"));
  else if (grade && mine === played && grade.grade !== "best") parts.push(made("span", ` Graded: ${grade.grade}.`, grade.grade));
  else if (grade) parts.push(` Best found: ${grade.better[0]}, ${percent(grade.best)} of the win.`);
  const done = Object.entries(guesses.made).filter(([place]) => seen(place).ask), same = done.filter(([place, choice]) => seen(place).ask.played === choice);
  parts.push(made("small", ` ${same.length} of ${done.length} as played`));
  return parts;
}

function drawGuess() {
  const step = state.step + 1, { asking } = guesses, isDone = !asking && state.step in guesses.made && choicesOf(state.step).length > 1;
  at("guessing").hidden = !asking && !isDone;
  for (const id of ["told", "grade", "asked"]) at(id).classList.toggle("away", asking);
  if (isDone) at("guessing").replaceChildren(...verdict(state.step));
  if (!asking) return;
  const list = made("div", null, "choices"), { ask } = seen(step);
  list.append(...choicesOf(step).map((words, number) => button(words, () => guess(step, number))));
  const title = made("h3", "What would you do as ");
  title.append(seatName(data.steps[step].seat), `? (${before(step).phase})`);
  const parts = [title, list, button("Show what was played", () => go(step), "skip")];
  if (ask.question !== null) parts.splice(1, 0, folded("Question", () => data.texts[ask.question], false));
  at("guessing").replaceChildren(...parts);
}
