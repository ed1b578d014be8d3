"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const state = { step: 0, eye: 0, playing: null, wanted: "", open: false };
const narrow = window.matchMedia("(max-width: 40rem)");

function made(name, text, className) {
  const element = document.createElement(name);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function drawTable(step) {
  const lines = step.seen[state.eye].tables[narrow.matches ? 1 : 0];
  at("table").replaceChildren(...lines.flatMap((number) => [
    ...data.lines[number].map(([text, style]) => made("span", text, data.styles[style])), document.createTextNode("\n"),
  ]));
}

function folded(title, text) {
  const box = made("details");
  box.append(made("summary", title));
  box.open = state.open;
  const fill = () => { if (box.open && box.children.length < 2) box.append(made("pre", text())); };
  box.addEventListener("toggle", fill);
  fill();
  return box;
}

function attempt(found) {
  const counts = found.outcome === "answer";
  const why = data.texts[found.why] || "";
  const parts = [made("h2", (counts ? "✓ " : "✗ ") + found.outcome + (found.what ? ` (${found.what})` : ""), counts ? "good" : "bad")];
  if (why) parts.push(made("p", why));
  for (const [role, ...texts] of found.messages) {
    parts.push(folded(`prompt: ${role}`, () => texts.map((number) => data.texts[number]).join("\n\n")));
  }
  if (found.thoughts !== null) parts.push(folded("thoughts", () => data.texts[found.thoughts]));
  if (found.reply !== null) parts.push(folded("reply", () => data.texts[found.reply]));
  if (found.spent) parts.push(made("p", found.spent, "spent"));
  return parts;
}

const told = {
  line: (text) => made("li", data.texts[text]),
  talk: (seat, text) => {
    const line = made("li", undefined, "talk"), [name, colour] = data.speakers[seat];
    line.append(made("b", name, colour), made("q", data.texts[text]));
    return line;
  },
  thought: (start, whole) => {
    const line = made("li", undefined, "thought");
    line.append(whole === undefined ? made("i", data.texts[start]) : folded(data.texts[start], () => data.texts[whole]));
    return line;
  },
};

function drawAsked(step) {
  const asked = step.seen[state.eye].asked;
  if (step.seat === null) return at("asked").replaceChildren();
  const who = `P-${step.seat}`;
  if (!asked) return at("asked").replaceChildren(made("p", `The question and the answers of ${who} are hidden in this view.`, "spent"));
  const parts = [];
  if (asked.question !== null) parts.push(made("h2", `${who} was asked`), made("p", data.texts[asked.question]));
  if (asked.action !== null) parts.push(made("h2", `${who} decided`), made("p", data.texts[asked.action]));
  for (const found of asked.attempts) parts.push(...attempt(found));
  at("asked").replaceChildren(...parts);
}

function draw() {
  const step = data.steps[state.step], last = data.steps.length - 1;
  const ended = state.step === last && data.result ? ` · ${data.result.text}` : "";
  at("where").textContent = `${data.roundWord} ${step.round} · ${step.phase}${ended}`;
  at("place").textContent = `${state.step} of ${last}`;
  at("slider").value = state.step;
  at("eyes").value = state.eye;
  at("play").textContent = state.playing === null ? "play" : "stop";
  at("story").replaceChildren(...step.seen[state.eye].story.map(([kind, ...facts]) => told[kind](...facts)));
  drawTable(step);
  drawAsked(step);
  drawHere();
  drawGrade();
  document.body.dataset.step = state.step;
}

function go(step) {
  state.step = Math.max(0, Math.min(data.steps.length - 1, step));
  draw();
}

function round(way) {
  const here = data.steps[state.step].round;
  let step = state.step + way;
  while (step > 0 && step < data.steps.length - 1 && data.steps[step].round === here) step += way;
  go(step);
}

function play() {
  if (state.playing !== null) {
    clearInterval(state.playing);
    state.playing = null;
  } else {
    state.playing = setInterval(() => { if (state.step === data.steps.length - 1) play(); else go(state.step + 1); }, 1500);
  }
  draw();
}

function texts(step) {
  const seen = step.seen[state.eye], numbers = seen.story.map((entry) => entry[entry.length - 1]);
  if (seen.asked) {
    numbers.push(seen.asked.question, seen.asked.action);
    for (const found of seen.asked.attempts) {
      numbers.push(found.why, found.reply, found.thoughts, ...found.messages.flatMap(([, ...parts]) => parts));
    }
  }
  return numbers.filter((number) => number !== null).map((number) => data.texts[number]);
}

function find() {
  const wanted = state.wanted.toLowerCase();
  if (!wanted) return;
  for (let off = 1; off <= data.steps.length; off += 1) {
    const step = (state.step + off) % data.steps.length;
    if (texts(data.steps[step]).some((text) => text.toLowerCase().includes(wanted))) return go(step);
  }
}

function look(way) {
  state.eye = (state.eye + way + data.eyes.length) % data.eyes.length;
  drawReview();
  draw();
}

const keys = {
  ArrowRight: () => go(state.step + 1), " ": () => go(state.step + 1), ArrowLeft: () => go(state.step - 1),
  ArrowDown: () => round(1), ArrowUp: () => round(-1), Home: () => go(0), End: () => go(data.steps.length - 1),
  v: () => look(1), V: () => look(-1), a: play, "/": () => at("search").focus(),
  n: () => { if (state.wanted) find(); else toMark(1); }, N: () => { if (!state.wanted) toMark(-1); },
  m: () => toMark(1), M: () => toMark(-1),
  t: () => { state.open = !state.open; draw(); },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === at("search")) {
    if (event.key === "Enter") { state.wanted = at("search").value; at("search").blur(); find(); }
    if (event.key === "Escape") at("search").blur();
    return;
  }
  const act = keys[event.key];
  if (act && !(event.key === " " && event.target.tagName === "SUMMARY")) { event.preventDefault(); act(); }
});

at("title").textContent = data.title;
at("about").textContent = data.about + " · " + data.names.map((name, seat) => `P-${seat} ${name}`).join(" · ");
at("slider").max = data.steps.length - 1;
at("eyes").append(...data.eyes.map((name, number) => { const one = made("option", name); one.value = number; return one; }));
at("slider").addEventListener("input", () => go(Number(at("slider").value)));
at("eyes").addEventListener("change", () => { state.eye = Number(at("eyes").value); at("eyes").blur(); look(0); });
at("chart").addEventListener("click", (event) => {
  const box = at("chart").getBoundingClientRect();
  go(Math.round((event.clientX - box.left) / box.width * (data.steps.length - 1)));
});
at("first").addEventListener("click", () => go(0));
at("back").addEventListener("click", () => go(state.step - 1));
at("next").addEventListener("click", () => go(state.step + 1));
at("last").addEventListener("click", () => go(data.steps.length - 1));
at("play").addEventListener("click", play);
narrow.addEventListener("change", draw);
drawReview();
draw();
