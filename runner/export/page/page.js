"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const last = data.steps.length - 1;
const state = { step: 0, eye: 0, furthest: 0, playing: null, open: false, blind: true, wanted: "", height: 0, hands: false, pace: 1500, beat: null };
const at = (id) => document.getElementById(id);

function made(name, text, className) {
  const element = document.createElement(name);
  if (text !== undefined && text !== null) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function button(text, act, className) {
  const element = made("button", text, className);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

function seatColour(seat) {
  return `s${seat % 10}`;
}

function seatName(seat) {
  return made("b", data.seats[seat].name, `seat ${seatColour(seat)}`);
}

function percent(share) {
  return `${Math.round(share * 100)}\u00a0%`;
}

function line(number) {
  return data.lines[number].map((piece) => typeof piece === "number" ? seatName(piece) : piece);
}

function plain(number) {
  return data.lines[number].map((piece) => typeof piece === "number" ? data.seats[piece].name : piece).join("");
}

function element(number) {
  const [spec, ...rest] = data.elements[number], [tag, ...classes] = spec.split(".");
  const found = made(tag, null, classes.join(" "));
  if (rest.length && typeof rest[0] === "object") {
    for (const [name, value] of Object.entries(rest.shift())) {
      if (name.startsWith("--")) found.style.setProperty(name, value); else found.setAttribute(name, value);
    }
  }
  found.append(...rest.map((part) => typeof part === "number" ? element(part) : part));
  return found;
}

function seen(step) {
  const [table, story, ask] = data.steps[step].seen[state.eye];
  return { table, story, ask: ask === null ? null : data.asks[ask] };
}

function beats() {
  return state.beat === null ? [] : (data.steps[state.step].beats || {})[state.eye] || [];
}

function isMidway() {
  return state.beat + 1 < beats().length;
}

function before(step) {
  return data.steps[Math.max(0, step - 1)];
}

function limit() {
  return state.blind ? state.furthest : last;
}

function review() {
  return data.reviews[state.eye] || { chances: [], grades: {}, seats: [], playouts: 0 };
}

function highlights(step) {
  return seen(step).story.filter(([, , , kind]) => kind).map(([, number, remark, kind]) => {
    return `${kind}: ${plain(number)}${remark === null ? "" : ` (${data.texts[remark]})`}`;
  });
}

function isFault(step) {
  const grade = review().grades[step];
  return Boolean(grade && grade.sign);
}

function isHighlight(step) {
  return highlights(step).length > 0;
}

function isMarked(step) {
  return isFault(step) || isHighlight(step);
}

function remembered(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`tabletop-${name}`);
    localStorage.setItem(`tabletop-${name}`, value);
  } catch { /* A browser may allow a page from a disk no storage. */ }
  return null;
}
