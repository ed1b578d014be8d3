const keys = {
  ArrowRight: () => go(state.step + 1), " ": play, ArrowLeft: () => go(state.step - 1),
  ArrowDown: () => round(1), ArrowUp: () => round(-1), Home: () => go(0), End: () => go(last),
  n: () => toNext(1, isHighlight), N: () => toNext(-1, isHighlight),
  m: () => toNext(1, isFault), M: () => toNext(-1, isFault), v: () => look(state.eye + 1), V: () => look(state.eye - 1), a: play, c: copyLink, g: guessAlong,
  e: ending, "?": help, "/": () => at("search").focus(), t: () => { state.open = !state.open; draw(); },
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || (at("help").open && event.key !== "?")) return;
  const { target, key } = event;
  if (target === at("search")) {
    if (key === "Enter") { state.wanted = target.value; find(); }
    if (key === "Escape") target.blur();
    return;
  }
  if (["SELECT", "INPUT"].includes(target.tagName) && target.type !== "checkbox" && !["n", "N", "m", "M", "?"].includes(key)) return;
  if (key === " " && ["BUTTON", "SUMMARY", "INPUT"].includes(target.tagName)) return;
  if (keys[key]) {
    event.preventDefault();
    keys[key]();
  }
}

const touch = { x: 0, y: 0 };

function touched(event) {
  [touch.x, touch.y] = [event.changedTouches[0].clientX, event.changedTouches[0].clientY];
}

function swiped(event) {
  const x = event.changedTouches[0].clientX - touch.x, y = event.changedTouches[0].clientY - touch.y;
  if (Math.abs(x) > 60 && Math.abs(y) < 40 && !event.target.closest("pre, #slider, #chart")) go(state.step + (x < 0 ? 1 : -1));
}

function option(text, value) {
  const found = made("option", text);
  found.value = value;
  return found;
}

document.body.classList.toggle("embed", /[?&]embed\b/.test(location.search));
at("about").textContent = data.about;
at("slider").max = last;
at("eyes").append(...data.eyes.map((name, eye) => option(data.seats[name.slice(2)]?.name || name, eye)));
at("view").hidden = data.eyes.length < 2;
at("guess").hidden = !data.asks.some((one) => one.choices !== null);
at("of").append(option("all", ""), ...data.seats.map((seat, number) => option(seat.name, number)));
at("ending").hidden = data.result === null;
state.blind = data.result !== null && remembered("ending") !== "shown";
theme(remembered("theme") || "auto");
document.addEventListener("keydown", pressed);
document.querySelector("main").addEventListener("touchstart", touched, { passive: true });
document.querySelector("main").addEventListener("touchend", swiped, { passive: true });
window.addEventListener("hashchange", fromLink);
at("slider").addEventListener("input", () => go(Number(at("slider").value)));
at("eyes").addEventListener("change", () => look(Number(at("eyes").value)));
at("pace").addEventListener("change", () => { state.pace = Number(at("pace").value); });
window.addEventListener("resize", () => { state.height = 0; at("board").style.minHeight = ""; });
for (const id of ["of", "marked"]) at(id).addEventListener("change", drawMoves);
at("chart").addEventListener("click", (event) => {
  const box = at("chart").querySelector("svg").getBoundingClientRect();
  go(Math.round((event.clientX - box.left) / box.width * last));
});
const buttons = {
  first: () => go(0), back: () => go(state.step - 1), next: () => go(state.step + 1), last: () => go(last), play, ending,
  guess: guessAlong, sound: nextSound, theme: nextTheme, copy: copyLink, "ask-help": help, close: help,
};
for (const [id, act] of Object.entries(buttons)) at(id).addEventListener("click", () => act());
drawAll();
fromLink();
