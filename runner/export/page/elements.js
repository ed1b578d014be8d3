"use strict";
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

function seatName(seat, name = data.seats[seat].name) {
  return made("b", name, `seat ${seatColour(seat)}`);
}

function percent(share) {
  return `${Math.round(share * 100)}\u00a0%`;
}

function remembered(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(`tabletop-${name}`);
    localStorage.setItem(`tabletop-${name}`, value);
  } catch { /* A browser may allow a page from a disk no storage. */ }
  return null;
}

const THEMES = { auto: "light dark", light: "light", dark: "dark" };

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
