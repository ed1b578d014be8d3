const own = location.pathname.replace(/\/$/, "");
const state = { hands: false, height: 0, pace: 1200, told: 0, queue: [], timer: null, path: [], on: null, late: "", number: null, passes: false, drawn: "", sent: null, answered: null, film: [], framed: 0, shown: null, from: 0, due: Infinity, seenAt: 0, reacted: -1, reactions: new Map() };
const LATE = "This question has been decided meanwhile: your choice did not count.";
const REACTIONS = { bravo: "Bravo!", laugh: "Ha ha!", wow: "Wow!", hmm: "Hmm …", ouch: "Ouch!" };
const REACTION_STAYS = 4000;
const PACE = 700, LONGEST = 6000, SOON = 2000;
let data = null, seen = null;

async function post(what, body) {
  try {
    const answer = await fetch(`${own}/${what}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body || {}), signal: AbortSignal.timeout(15000) });
    const found = await answer.json();
    if (!answer.ok) say(found.error);
    return answer.ok ? found : null;
  } catch {
    say("The connection is lost: it is tried again.");
    return null;
  }
}

function say(words, isBad = true) {
  at("notice").textContent = words || "";
  at("notice").classList.toggle("bad", isBad);
}

function storyLine([kind, ...pieces]) {
  if (kind === "round") return made("h3", pieces[0]);
  if (kind === "fault") return made("p", pieces[0], "bad");
  const words = pieces.map((piece) => typeof piece === "string" ? piece : seatName(...[piece].flat()));
  if (kind === "talk") {
    const part = made("p", null, `talk ${seatColour(pieces[0])}`);
    part.append(words[0], made("q", pieces[1]));
    return part;
  }
  const part = made("p", null, "event");
  part.append(...words, ...(kind === "secret" ? [" ", made("small", "only you", "tag")] : []));
  return part;
}

function tell(lines) {
  const box = at("told");
  box.append(...lines.map(storyLine));
  toldLast();
}

function toldLast() {
  at("told").scrollTop = at("told").scrollHeight;
}

function beat() {
  clearTimeout(state.timer);
  state.timer = null;
  if (!state.queue.length) return show();
  const now = performance.now();
  if (now >= state.due) state.queue = [{ table: null, weight: 0, lines: state.queue.flatMap(({ lines }) => lines) }];
  const frame = state.queue.shift(), left = state.queue.reduce((sum, { weight }) => sum + weight, frame.weight);
  tell(frame.lines);
  if (frame.table !== null) {
    data = frame.data;
    at("about").textContent = `${frame.round} · ${frame.phase}`;
    drawBoard(frame.table, true);
  }
  drawFilm();
  drawBeside();
  if (state.queue.length) state.timer = setTimeout(beat, frame.weight * Math.min(PACE, (state.due - now) / left)); else show();
}

function framesOf(found, from) {
  const frames = [];
  for (const [number, end, table, round, phase, weight, isMoving] of found.frames) {
    if (number < state.framed || end < from) continue;
    state.framed = number + 1;
    if (!isMoving) state.film.push({ data: found, table, round, phase, end: end - state.from });
    frames.push({ data: found, table, round, phase, weight, isMoving, lines: found.story.slice(from - found.first, end - found.first) });
    from = end;
  }
  const lines = found.story.slice(from - found.first);
  return lines.length ? [...frames, { table: null, weight: 1, lines }] : frames;
}

function hurry() {
  if (!state.queue.length) return;
  tell(state.queue.splice(0).flatMap(({ lines }) => lines));
  beat();
}

function take(found) {
  const isFirst = seen === null || found.first + found.story.length < state.told || found.first > state.told;
  seen = data = found;
  state.seenAt = performance.now();
  if (isFirst) {
    at("told").replaceChildren();
    Object.assign(state, { queue: [], film: [], framed: 0, shown: null, from: found.first });
  }
  takeReactions(isFirst);
  const plays = !isFirst || isBotsAlone(), news = framesOf(found, isFirst ? found.first : state.told), now = performance.now();
  state.told = found.first + found.story.length;
  const isAsked = found.turn && found.turn.number !== state.number;
  if (isAsked) state.shown = null;
  if (isBotsAlone()) state.due = Infinity;
  else if (isAsked) state.due = Math.min(state.queue.length ? state.due : Infinity, now + SOON);
  else if (!state.queue.length) state.due = now + LONGEST;
  if (!plays || calm.matches || document.hidden || state.shown !== null) {
    tell([...state.queue.splice(0), ...news].flatMap(({ lines }) => lines));
    return show();
  }
  state.queue.push(...news);
  if (isFirst) drawPlayers();
  if (state.timer === null || isAsked) beat();
}

function isBotsAlone() {
  return seen.own === null && seen.seats.every(({ who }) => who !== "human");
}

function drawFilm() {
  const slider = at("frame"), isLive = state.shown === null && !state.queue.length;
  slider.max = state.film.length;
  slider.value = state.shown ?? state.film.length - state.queue.filter(({ table, isMoving }) => table !== null && !isMoving).length;
  at("film").hidden = !state.film.length;
  at("skip").textContent = state.queue.length && state.shown === null ? "Skip" : "Live";
  at("skip").disabled = isLive;
}

function lookBack() {
  hurry();
  const frame = state.film[at("frame").value];
  state.shown = frame ? Number(at("frame").value) : null;
  if (!frame) return show();
  data = frame.data;
  at("about").textContent = `${frame.round} · ${frame.phase}`;
  drawBoard(frame.table, true);
  const line = at("told").children[frame.end - 1];
  if (line) at("told").scrollTop = line.offsetTop - at("told").offsetTop - at("told").clientHeight + line.offsetHeight;
  drawFilm();
  drawBeside();
}

function clock(seconds) {
  const left = Math.max(0, Math.ceil(seconds)), pad = (number) => String(number).padStart(2, "0");
  return left >= 3600 ? `${Math.floor(left / 3600)}:${pad(Math.floor(left / 60) % 60)}:${pad(left % 60)}` : `${Math.floor(left / 60)}:${pad(left % 60)}`;
}

function tick() {
  if (!seen) return;
  const passed = (performance.now() - state.seenAt) / 1000, left = new Map(seen.left.map(([seat, seconds]) => [seat, seconds - passed]));
  const said = (seat) => seen.seats[seat].label + (left.has(seat) ? ` (${clock(left.get(seat))})` : "");
  at("waits").textContent = seen.turn || !seen.waiting.length ? "" : `Waiting for ${seen.waiting.map(said).join(", ")}.`;
  const own = seen.own === null ? undefined : left.get(seen.own);
  at("clock").textContent = own === undefined ? "" : `You have ${clock(own)}.`;
  at("clock").classList.toggle("bad", own < 15);
}

function show() {
  if (state.shown === null) showTable();
  drawFilm();
  drawPlayers();
  drawTurn();
  drawNotice();
  drawBeside();
  tick();
}

function showTable() {
  data = seen;
  at("title").textContent = seen.title;
  at("about").textContent = `${seen.round} · ${seen.phase}`;
  drawBoard(seen.table, true);
}

/** Shows for a moment what others, and the person, have sent since the page was opened. */
function takeReactions(isFirst) {
  if (seen.version < state.reacted) state.reacted = -1;
  for (const [number, seat, name] of found(seen.reactions)) {
    state.reacted = number;
    if (isFirst) continue;
    const key = seat ?? seen.seats.length;
    clearTimeout(state.reactions.get(key)?.timer);
    const timer = setTimeout(() => { state.reactions.delete(key); drawReactions(); }, REACTION_STAYS);
    state.reactions.set(key, { name, timer });
    drawReactions(key);
  }

  function found(reactions) {
    return reactions.filter(([number, , name]) => number > state.reacted && Object.hasOwn(REACTIONS, name));
  }
}

/** Puts the reactions beside the names of who sent them; one that is new moves. */
function drawReactions(newest = null) {
  for (const old of at("players").querySelectorAll(".reaction")) old.remove();
  for (const [place, { name }] of state.reactions) {
    const part = made("span", REACTIONS[name], "reaction");
    at("players").children[place]?.append(part);
    if (place === newest && !calm.matches) part.animate([{ transform: "scale(.4) translateY(.6rem)" }, { transform: "scale(1.25)" }, {}], 450);
  }
}

async function react(name, { currentTarget: sender }) {
  if (sender.getAttribute("aria-disabled") === "true") return;
  sender.setAttribute("aria-disabled", "true");
  await post("react", { name });
  setTimeout(() => sender.removeAttribute("aria-disabled"), 1000);
}

function drawPlayers() {
  const watching = seen.watching ? [made("li", `${seen.watching} watching`, "quiet")] : [];
  at("players").replaceChildren(...seen.seats.map(({ label, who }, seat) => {
    const isAsked = !state.queue.length && seen.waiting.includes(seat), box = made("li", null, `${seatColour(seat)}${isAsked ? " asked" : ""}`);
    const what = state.queue.length ? "" : seen.over ? (seen.over.winners.includes(seat) ? "won" : "") : seen.away.includes(seat) ? "away: a bot plays" : isAsked ? "thinks …" : "";
    box.append(made("b", label, `seat ${seatColour(seat)}`), made("span", [who === "human" ? "" : who, what].filter(Boolean).join(" · "), "quiet"));
    return box;
  }), ...watching);
  drawReactions();
}

function drawNotice() {
  const isAway = seen.own !== null && seen.away.includes(seen.own), isTurn = Boolean(seen.turn);
  document.title = `${isTurn ? "● Your turn – " : ""}${seen.title}`;
  if (seen.over || seen.paused) return drawEnd();
  say(isAway ? "You were away: a bot plays for you." : state.late, !isAway);
  if (isAway) at("notice").append(" ", button("I am back", () => post("back")));
}

function drawEnd() {
  const { over, paused, costliest, next, wants_another } = seen;
  say(over ? "" : paused);
  at("turn").hidden = seen.own === null && !over && !seen.may.length;
  if (!isNews({ over, paused, costliest, next, wants_another, may: seen.may })) return;
  at("saying").hidden = true;
  const parts = [made("h2", seen.over ? seen.over.text : "The match is paused")];
  if (!seen.over && seen.may.includes("go-on")) parts.push(button("Go on", () => post("go-on"), "choice"));
  if (seen.over) {
    if (seen.costliest) parts.push(made("p", seen.costliest));
    const page = made("a", "Step through the match");
    page.href = `${own}/page`;
    parts.push(page);
    if (seen.next) {
      const next = made("a", "To the next match", "choice");
      next.href = `/t/${seen.next}`;
      parts.push(next);
    } else if (seen.may.includes("again")) {
      const wanting = seen.wants_another, again = button("Again: new deal, seats rotated", async () => {
        const found = await post("again");
        if (found && found.next) location.assign(`/t/${found.next}`);
      }, "choice");
      again.disabled = wanting.includes(seen.seat);
      if (wanting.length) parts.push(made("p", `Want to play again: ${wanting.map((seat) => seen.seats[seat].name).join(", ")}. It begins when everybody does.`));
      parts.push(again);
    }
  }
  ask(parts);
}

function isNews(facts) {
  const drawn = JSON.stringify(facts), isNew = drawn !== state.drawn;
  state.drawn = drawn;
  return isNew;
}

function ask(parts) {
  const box = at("ask"), had = box.contains(document.activeElement);
  box.replaceChildren(...parts);
  const heading = box.querySelector("h2");
  heading.tabIndex = -1;
  const next = had ? box.querySelector(".yes, button.choice, textarea, select") || heading : state.answered !== null && document.activeElement === document.body ? heading : null;
  next?.focus({ preventScroll: true });  // the table stays where it is
  fit();
  if (state.shown === null) toldLast();  // the panel may have taken room from the story
  if (next) for (const outer of [at("turn"), at("side")]) scrollWithin(outer, next);
  at("heard").textContent = [...box.querySelectorAll("h2, h3, .chosen li")].map((part) => part.textContent).join(" ");
}

/** Scrolls an element into view in one box alone. */
function scrollWithin(outer, part) {
  if (!outer.clientHeight) return;
  const { top, bottom } = part.getBoundingClientRect(), seenIn = outer.getBoundingClientRect();
  outer.scrollTop += Math.max(0, bottom + 8 - seenIn.bottom) + Math.min(0, top - 8 - seenIn.top);
}

function options(path = state.path) {
  const left = seen.turn.choices.map((steps, place) => ({ steps, place })).filter(({ steps }) => path.every((name, depth) => steps[depth]?.[1] === name));
  return { left, depth: path.length };
}

function pick(...names) {
  state.path.push(...names);
  let { left, depth } = options();
  while (left.length > 1 && left.every(({ steps }) => steps[depth][1] === left[0].steps[depth][1])) {
    state.path.push(left[0].steps[depth][1]);
    ({ left, depth } = options());
  }
  drawTurn();
  drawBeside(true);
}

function back() {
  const wasBeside = state.on !== null;
  Object.assign(state, { path: [], on: null });
  drawTurn();
  drawBeside();
  if (wasBeside) (at("ask").querySelector("button.choice") || at("board")).focus({ preventScroll: true });
}

/** The ways of the open question that lead over an element of the table: their steps up to it. */
function waysOver(name, path = state.path) {
  if (!isOpen() || !seen.turn.choices) return [];
  const depth = path.length, found = new Map();
  for (const { steps } of options(path).left) {
    const last = steps.findLastIndex(([, , , on], place) => place >= depth && on.includes(name));
    if (last >= 0) found.set(JSON.stringify(steps.slice(0, last + 1).map(([, step]) => step)), steps.slice(0, last + 1));
  }
  return [...found.values()];
}

function isOpen() {
  return Boolean(seen && seen.turn) && state.shown === null && !state.queue.length && !at("turn").hidden;
}

function touched({ target }) {
  const part = target.closest(".can");
  if (!part || target.closest("a, button, summary")) return;
  state.on = part.dataset.on;
  if (!waysOver(state.on).length) state.path = [];
  const ways = waysOver(state.on);
  if (ways.length === 1) pick(...namesOf(ways[0])); else drawBeside(true);
}

function namesOf(way) {
  return way.slice(state.path.length).map(([, name]) => name);
}

/** Marks what can be chosen on the table, and says beside the element that was touched what may follow. */
function drawBeside(isNew = false) {
  const box = at("beside"), canTouch = isOpen() && Boolean(seen.turn.choices), parts = [...at("board").querySelectorAll("[data-on]")];
  const ways = new Map(canTouch ? [...new Set(parts.map((part) => part.dataset.on))].map((name) => [name, waysOver(name)]) : []);
  const canBegin = (name) => Boolean(ways.get(name)?.length) || (canTouch && waysOver(name, []).length > 0);
  for (const part of parts) {
    part.classList.toggle("can", canBegin(part.dataset.on));
    part.classList.toggle("touched", canTouch && part.dataset.on === state.on);
  }
  const part = canTouch && state.on !== null ? parts.find(({ dataset, offsetWidth }) => dataset.on === state.on && offsetWidth) : null;
  const found = part ? ways.get(state.on) : [], isHidden = !part || !(found.length || options().left.length === 1 || state.path.length);
  document.body.classList.toggle("beside", !isHidden);
  if (box.hidden !== isHidden) box.hidden = isHidden;
  if (isHidden) {
    state.on = null;
    return;
  }
  const drawn = JSON.stringify([seen.turn.number, state.on, state.path]);
  if (isNew || box.dataset.drawn !== drawn) box.replaceChildren(...(found.length > 1 ? listOf(found) : menu(false)));
  box.dataset.drawn = drawn;
  place(box, part);
  if (!isNew) return;
  const parted = box.getBoundingClientRect(), touched = part.getBoundingClientRect();
  if (parted.bottom > innerHeight) scrollBy({ top: Math.min(parted.bottom - innerHeight + 8, Math.max(0, touched.top - 8)) });
  box.querySelector(".yes, .choice").focus({ preventScroll: true });
}

function listOf(ways) {
  const shown = ways.map((way) => {
    const rest = way.slice(state.path.length), found = button(null, () => pick(...namesOf(way)), "choice");
    found.append(made("b", rest.map(([, name]) => name).join(" · ")), made("span", rest[0][2], "quiet"));
    return found;
  });
  return [...shown, button("Back", back, "choice")];
}

/** Below the element, so that it stays in view. */
function place(box, part) {
  const { left, bottom } = part.getBoundingClientRect(), room = document.documentElement.clientWidth - box.offsetWidth - 8;
  box.style.left = `${Math.max(8, Math.min(left, room)) + scrollX}px`;
  box.style.top = `${bottom + scrollY + 8}px`;
}

function fit() {
  const box = at("turn"), root = document.documentElement;
  root.style.setProperty("--head", `${document.querySelector("header").offsetHeight}px`);
  box.classList.remove("brief", "terse", "strip");
  for (const name of ["brief", "terse"]) box.classList.toggle(name, box.scrollHeight > box.clientHeight || box.classList.contains(name));
  const { top, bottom } = extent([...subject(), ...among()]), isOnTable = seen?.turn?.choices?.every((steps) => steps.some(([, , , on]) => on.length));
  box.classList.toggle("strip", Boolean(isOnTable) && bottom - top > roomAbove());
  if (bottom - top > roomAbove()) box.classList.remove("strip");
  root.style.scrollPaddingBottom = isBelow() ? `${box.offsetHeight + 8}px` : "";
}

/** What the open step is about: the card that a quote is written for, the quote or the card in question, else what it chooses among. */
function subject() {
  const picked = seen?.turn?.fields?.length ? at("board").querySelector(".picked") : null;
  const named = picked || at("board").querySelector(":is(.quote, .current):not(.past, .past ~ *, .past ~ * *)");
  return named ? [named] : among();
}

/** The elements of the table among which the open step chooses; in the end, what was chosen last. */
function among() {
  if (!seen?.turn?.choices) return [];
  const { left, depth } = options(), names = new Set(left.flatMap(({ steps }) => steps[Math.min(depth, steps.length - 1)]?.[3] ?? []));
  return [...at("board").querySelectorAll("[data-on]")].filter(({ dataset, offsetWidth }) => offsetWidth && names.has(dataset.on));
}

function extent(parts) {
  const boxes = parts.map((part) => part.getBoundingClientRect());
  return boxes.length ? { top: Math.min(...boxes.map(({ top }) => top)), bottom: Math.max(...boxes.map(({ bottom }) => bottom)) } : { top: 0, bottom: 0 };
}

/** Whether the question is below the table, not beside it. */
const isBelow = () => getComputedStyle(at("turn")).position !== "static";

/** How high what is seen of the table can be beside the question, or above it. */
const roomAbove = () => innerHeight - 16 - (isBelow() ? at("turn").offsetHeight : 0);

function showSubject() {
  const all = [...subject(), ...among()], whole = extent(all), room = roomAbove();
  const parts = whole.bottom - whole.top <= room ? all : subject(), { top, bottom } = extent(parts);
  if (!parts.length || (document.activeElement.matches("input, textarea") && !at("ask").contains(document.activeElement))) return;
  parts[0].scrollIntoView({ block: bottom - top > room ? "start" : "nearest", inline: "nearest" });
  const moved = extent(parts).top - top, lacks = bottom + moved - room - 8;
  if (parts.length > 1 && bottom - top <= room && (lacks > 0 || top + moved < 8)) scrollBy(0, lacks > 0 ? lacks : top + moved - 8);
}

async function decide(answer) {
  const { number } = seen.turn;
  if (state.sent === number) return;
  Object.assign(state, { sent: number, late: "" });
  pending(true);
  const verdict = await post("answer", { number, say: at("say").value, ...answer });
  state.sent = null;
  pending(false);
  if (verdict && verdict.status === "mistake") say(verdict.why);
  else if (verdict && verdict.status === "stale") {
    say(state.late = LATE);
  } else if (verdict) {
    at("say").value = "";
    say("");
    state.answered = number;
    at("turn").hidden = seen.turn !== null && seen.turn.number === number;
    drawBeside();
  }
}

function pending(isSent) {
  for (const found of document.querySelectorAll(":is(#ask, #beside) button")) found.setAttribute("aria-disabled", isSent);
  for (const yes of document.querySelectorAll(":is(#ask, #beside) .yes")) yes.textContent = isSent ? "Sending …" : "Do it";
}

/** A step in words; of a card of words, its text is what tells it apart. */
function stepWords([, name, effect, on]) {
  return on.some((one) => one.startsWith("text ")) ? [made("span", effect, "text")] : [made("b", name), " ", made("span", effect, "quiet")];
}

function chosen(steps) {
  const list = made("ul", null, "chosen");
  for (const step of steps) {
    const line = made("li");
    line.append(...stepWords(step));
    list.append(line);
  }
  return list;
}

function menu(hasKeys = true) {
  const { left, depth } = options(), parts = [];
  if (left.length === 1) {
    parts.push(chosen(left[0].steps), button("Do it", () => decide({ choice: left[0].place }), "choice yes"), button("Back", back, "choice"));
    return parts;
  }
  const what = left[0].steps[depth][0], names = new Map();
  for (const { steps } of left) if (!names.has(steps[depth][1])) names.set(steps[depth][1], steps[depth]);
  if (state.path.length || !hasKeys) parts.push(made("h3", `Which ${what}?${state.path.length ? ` ${state.path.join(" · ")} · …` : ""}`));
  [...names].forEach(([name, step], place) => {
    const found = button(null, () => pick(name), "choice");
    found.append(...(hasKeys ? [made("kbd", place < 9 ? String(place + 1) : "")] : []), ...stepWords(step));
    parts.push(found);
  });
  if (state.path.length || !hasKeys) parts.push(button("Back", back, "choice"));
  if (hasKeys && seen.turn.passing !== null && seen.turn.passing !== undefined && !state.path.length) {
    parts.push(button("Pass until it is my turn", () => { state.passes = true; drawTurn(); }, "choice"));
  }
  return parts;
}

function form() {
  const box = made("form"), inputs = {};
  for (const [name, about, values] of seen.turn.fields) {
    const label = made("label", `${name}: ${about}`), input = made(values ? "select" : "textarea"), count = made("small");
    if (values) input.append(...values.map((value) => made("option", String(value))));
    else input.addEventListener("input", () => { count.textContent = `${[...input.value.trim()].length} characters`; });
    inputs[name] = () => values ? values[input.selectedIndex] : input.value.trim();
    label.append(input, count);
    box.append(label);
  }
  const send = made("button", "Do it", "choice yes");
  box.append(send);
  box.addEventListener("submit", (event) => {
    event.preventDefault();
    decide({ answer: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, value()])) });
  });
  return [box];
}

function drawTurn() {
  const { turn } = seen;
  if (!turn) {
    Object.assign(state, { number: null, on: null, late: state.on !== null && state.sent === null ? LATE : state.late });
    at("turn").hidden = !(seen.over || seen.paused);
    return;
  }
  const canPass = turn.choices && turn.passing !== null && turn.passing !== undefined;
  if (state.number !== turn.number) {
    if (state.on !== null && state.sent === null) state.late = LATE;
    Object.assign(state, { number: turn.number, path: [], on: null });
    if (turn.choices && !canPass) state.passes = false;
    if (!state.passes) callPerson(turn.question);
  }
  if (state.passes && canPass) {
    decide({ choice: turn.passing });
    return;
  }
  at("turn").hidden = state.answered === turn.number;
  at("saying").hidden = !seen.talk;
  if (!isNews({ turn, path: state.path })) return;
  ask([made("h2", turn.question), ...(turn.choices ? menu() : form())]);
  showSubject();
}

/** Tells a person who asked for it that it is their turn: by a sound, and where they look elsewhere by a notice. */
function callPerson(question) {
  note(660);
  if (!sound.context || !document.hidden) return;
  if (navigator.vibrate) navigator.vibrate(200);
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    const notice = new Notification(`${seen.title}: your turn`, { body: question, tag: own });
    notice.addEventListener("click", () => { window.focus(); notice.close(); });
  } catch { /* Some phones allow notices to installed pages alone. */ }
}

function askToCall() {
  if (sound.context && "Notification" in window && Notification.permission === "default") Notification.requestPermission();
}

function pressed(event) {
  const { target } = event, isFree = target === document.body || at("ask").contains(target) || at("beside").contains(target);
  if (event.ctrlKey || event.metaKey || event.altKey || !isFree || target.matches("input, textarea, select") || at("turn").hidden) return;
  if (/^[1-9]$/.test(event.key)) {
    const found = [...at("ask").querySelectorAll("button.choice:has(kbd)")][Number(event.key) - 1];
    if (found) found.click();
  } else if (event.key === "Escape" ? state.on !== null : event.key === "u" && state.path.length) back();
  else if (event.key === "Enter" && !target.matches("button, a") && at("ask").querySelector(".yes")) at("ask").querySelector(".yes").click();
}

function hurried(event) {
  if (event.key !== " " || !event.target.matches("body, #ask h2")) return;
  event.preventDefault();
  hurry();
}

at("reactions").append(...Object.entries(REACTIONS).map(([name, words]) => button(words, (event) => react(name, event))));
at("rules").href = `${own}/rules`;
at("sit-down").addEventListener("submit", sit);
at("sound").addEventListener("click", nextSound);
at("sound").addEventListener("click", askToCall);
at("theme").addEventListener("click", nextTheme);
at("told").addEventListener("click", hurry);
at("skip").addEventListener("click", () => { state.shown = null; if (state.queue.length) hurry(); else show(); });
at("frame").addEventListener("input", lookBack);
setInterval(tick, 1000);
addEventListener("resize", () => { fit(); showSubject(); });
addEventListener("resize", () => drawBeside());
at("board").addEventListener("click", touched);
at("board").addEventListener("click", hurry);
document.addEventListener("keydown", pressed);
document.addEventListener("keydown", hurried);
at("say").addEventListener("keydown", (event) => { if (event.key === "Enter") at("ask").querySelector(".yes, .choice")?.focus(); });
document.addEventListener("visibilitychange", hurry);
theme(remembered("theme") || "auto");
const HIDDEN = 300000, ENDED = 600000;
const follow = listenFrom(own.split("/").pop(), heard);
let leaving = null;

function heard(news) {
  if (news.gone && seen && seen.over) return leave();
  if (news.gone || news.lost) {
    document.body.classList.add("lost");
    at("pulse").textContent = "○ no connection";
    return say(news.gone || news.lost);
  }
  if (document.body.classList.contains("lost")) {
    document.body.classList.remove("lost");
    if (seen) drawNotice();
  }
  at("pulse").textContent = "● connected";
  if (!calm.matches) at("pulse").animate([{ transform: "scale(1.12)" }, {}], 600);
  if (news.missing) gather(news); else if (!news.beat) begun(news);
  if (seen && seen.over && leaving === null) leaveLater();
}

/** A table whose match begins when all its people sit there. */
function gather(news) {
  const { own, missing } = news, isFree = own !== null && missing.includes(own), isNew = at("sitting").hidden;
  document.body.classList.add("gathers");
  document.title = `${isFree ? "● Sit down – " : ""}${news.title}`;
  at("title").textContent = news.title;
  at("about").textContent = "";
  at("waits").textContent = `The match begins when all people sit here. Waiting for ${missing.map((seat) => news.seats[seat].label).join(", ")}.`;
  at("sitting").hidden = false;
  at("sit-down").hidden = own === null || !news.seats[own];
  at("sit-down").querySelector("button").textContent = isFree ? "Sit down" : "Change it";
  at("sitters").replaceChildren(...news.seats.map(({ label, who }, seat) => {
    const line = made("li"), is = who !== "human" ? who : missing.includes(seat) ? "not here yet" : "sits here";
    line.append(made("b", label, `seat ${seatColour(seat)}`), ` ${is}${seat === own ? " (you)" : ""}`);
    return line;
  }));
  if (!isNew || !isFree) return;
  at("called").value = news.seats[own].name || remembered("called") || "";
  at("consent").checked = remembered("consent") === "yes";
  (at("called").value ? at("sit-down").querySelector("button") : at("called")).focus();
}

async function sit(event) {
  event.preventDefault();
  const name = at("called").value.trim(), consent = at("consent").checked;
  say("");
  if (!await post("sit", { name, consent })) return;
  remembered("called", name);
  remembered("consent", consent ? "yes" : "no");
}

function begun(news) {
  const isFirst = !at("sitting").hidden;
  if (isFirst) {
    document.body.classList.remove("gathers");
    at("sitting").hidden = true;
    say("");
  }
  take(news);
  if (isFirst && at("turn").contains(document.activeElement) === false && !at("turn").hidden) at("ask").querySelector("button, textarea, select")?.focus();
}

function leaveLater() {
  clearTimeout(leaving);
  const isOver = seen !== null && seen.over !== null;
  leaving = document.hidden || isOver ? setTimeout(leave, !isOver ? HIDDEN : document.hidden ? 0 : ENDED) : null;
}

function leave() {
  at("pulse").textContent = "";
  follow(false);
}

function looked() {
  leaveLater();
  if (!document.hidden) follow(true);
}

document.addEventListener("visibilitychange", looked);
addEventListener("pagehide", leave);
addEventListener("pageshow", (event) => { if (event.persisted) looked(); });
follow(true);
