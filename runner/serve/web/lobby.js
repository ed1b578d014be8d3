const own = location.pathname.replace(/\/$/, "");
const state = { seats: ["you", "bot:steady", "bot:steady", "bot:steady"], names: [], shown: "", said: null, code: null, opened: new Set(), asked: 0, newest: 0 };
const YOU = "human", UNHEARD = "The server did not get this: press it again when it answers.";
const ALONE = "No phone reaches this address: start tabletop serve with --host 0.0.0.0, and open the lobby by the network address it prints.";
let data = null;

/** Says something beside what caused it: the form ("new"), a table or a log by its name, or the list of paused matches. */
function say(words, place = "new", isBad = true) {
  state.said = words ? { words, place, isBad } : null;
  drawSaid();
  (isBad ? at("said") : at("said")?.closest("li") || at("said"))?.scrollIntoView({ block: "nearest" });
}

function drawSaid() {
  const old = at("said"), where = state.said && document.querySelector(`[data-place="${CSS.escape(state.said.place)}"]`);
  if (old && where?.contains(old) && old.textContent === state.said.words) return;
  old?.remove();
  if (!where) return;
  const box = made("p", state.said.words, state.said.isBad ? "bad" : null);
  box.id = "said";
  box.setAttribute("role", state.said.isBad ? "alert" : "status");
  where.append(box);
}

async function ask(what, body, place) {
  let answer, found;
  try {
    const how = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
    answer = await fetch(`${own}/${what}`, how);
    found = await answer.json();
  } catch {
    at("notice").textContent = "The server does not answer: it is tried again.";
    if (body) say(UNHEARD, place);
    return null;
  }
  at("notice").textContent = body || answer.ok ? "" : found.error;
  if (!answer.ok && body) say(found.error, place);
  else if (body ? state.said?.isBad : state.said?.words === UNHEARD) say("");
  return answer.ok ? found : null;
}

function game() {
  return data.games.find(({ name }) => name === at("new").elements.game.value);
}

function choice(words, value) {
  const found = made("option", words);
  found.value = value;
  return found;
}

function players() {
  return [["you", "you, here"], ["link", "a person with a link"], ...game().bots.map((name) => [name, name]),
    ["offline", "offline: answers at random"], ...data.agents.map((name) => [name, name]), ["other", "another: a model or a SPEC …"]];
}

function drawSeats() {
  const [low, high] = game().players;
  state.seats = state.seats.map((who) => (who.startsWith("bot:") && !game().bots.includes(who) ? usualBot() : who));
  while (state.seats.length < low) state.seats.push(usualBot());
  state.seats.length = Math.min(state.seats.length, high);
  at("fewer").disabled = state.seats.length <= low;
  at("more").disabled = state.seats.length >= high;
  at("sit").replaceChildren(...state.seats.map((who, seat) => {
    const box = made("li", null, seatColour(seat)), select = made("select"), name = made("input"), known = players();
    const isOther = !known.some(([value]) => value === who) || who === "other", other = made("input");
    select.setAttribute("aria-label", `P-${seat} is`);
    select.append(...known.map(([value, words]) => choice(words, value)));
    select.value = isOther ? "other" : who;
    other.hidden = !isOther;
    other.placeholder = "openai/gpt-5-mini";
    other.value = isOther && who !== "other" ? who : "";
    other.setAttribute("aria-label", `SPEC of P-${seat}`);
    name.placeholder = "name";
    name.maxLength = 20;
    name.value = state.names[seat] || "";
    name.setAttribute("aria-label", `Name of P-${seat}`);
    select.addEventListener("change", () => { state.seats[seat] = select.value; drawSeats(); });
    other.addEventListener("input", () => { state.seats[seat] = other.value || "other"; });
    name.addEventListener("input", () => { state.names[seat] = name.value; });
    box.append(made("b", `P-${seat}`, `seat ${seatColour(seat)}`), select, other, name);
    return box;
  }));
}

/** The length of a match in words, from what a person decides in it. */
function length(decisions) {
  const how = decisions < 12 ? "short" : decisions < 20 ? "medium length" : "long";
  return decisions ? `${how}, about ${decisions} decisions each` : "";
}

function card({ name, title, summary, players: [low, high], decisions }) {
  const label = made("label", null, "game"), input = made("input");
  input.type = "radio";
  input.name = "game";
  input.value = name;
  input.addEventListener("change", drawGame);
  const facts = [low === high ? `${low} players` : `${low} to ${high} players`, length(decisions)].filter(Boolean).join(" · ");
  label.append(...[gamePicture(name)].filter(Boolean), input, made("b", title), made("small", facts), made("span", summary));
  return label;
}

function usualBot() {
  return game().bots.includes("bot:steady") ? "bot:steady" : game().bots.at(-1) || "offline";
}

/** Buttons that seat everybody: one person, two people, or bots alone. */
function drawReady() {
  const [low, high] = game().players, clamped = (number) => Math.max(low, Math.min(high, number));
  const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const bots = (number) => `${words[number] || number} ${number === 1 ? "bot" : "bots"}`;
  const tables = [["You", ["you"], 4], ["You, a friend", ["you", "link"], 4], ["", [], 3]].map(([who, people, size]) => {
    const count = clamped(size) - people.length;
    const name = people.length ? [who, ...(count ? [bots(count)] : [])].join(" and ") : `${bots(count)}, to watch`;
    return button(name[0].toUpperCase() + name.slice(1), () => {
      state.seats = [...people, ...Array(count).fill(usualBot())];
      state.names = [];
      drawSeats();
      at("begin").focus();
    });
  });
  at("ready").replaceChildren(...tables);
}

function drawGame() {
  const found = game();
  at("preset").replaceChildren(...found.presets.map((name) => choice(name, name)));
  at("away").replaceChildren(at("away").options[0], ...found.bots.map((name) => choice(`played by ${name}`, name)));
  at("options").replaceChildren(...found.options.map(({ name, help, takes, default: usual }) => {
    const label = made("label", `${name} `), input = made("input");
    input.name = name;
    input.placeholder = usual;
    label.append(input, made("small", ` ${help} (${takes})`));
    return label;
  }));
  drawReady();
  drawSeats();
}

/** Whether people name themselves: where the host asks for it, and anybody is there. */
function gathers() {
  return at("gathers").checked && state.seats.some((who) => who === "you" || who === "link");
}

function described() {
  const seats = state.seats.map((who, seat) => {
    const spec = who === "you" || who === "link" ? YOU : who, name = (state.names[seat] || "").trim();
    return name ? `${name}=${spec}` : spec;
  });
  const options = {};
  for (const input of at("options").querySelectorAll("input")) if (input.value.trim()) options[input.name] = input.value.trim();
  const match = { game: game().name, seats, rules: at("preset").value, talk: at("talk").checked, options };
  if (at("budget").value.trim()) match.budget = Number(at("budget").value);
  return { match, rules: { seconds: at("seconds").value ? Number(at("seconds").value) : null, away: at("away").value, shows_all: at("shows").checked, gathers: gathers() } };
}

async function estimate() {
  say("Estimating …", "new", false);
  const found = await ask("estimate", described(), "new");
  if (found) say(found.text, "new", false);
  return found;
}

async function begin(event) {
  event.preventDefault();
  const isPaid = state.seats.some((who) => !["you", "link", "offline"].includes(who) && !who.startsWith("bot:"));
  if (isPaid && state.estimated !== JSON.stringify(described())) {
    const asked = JSON.stringify(described()), found = await estimate();
    if (!found) return;
    state.estimated = asked;
    say(`${found.text} Press Begin again to play.`, "new", false);
    return;
  }
  const found = await ask("tables", described(), "new");
  if (!found) return;
  const mine = state.seats.indexOf("you");
  if (mine >= 0 && found.seats[mine]) { location.assign(`/t/${found.seats[mine]}`); return; }
  await refresh();
  say(gathers() ? "Send each person the link of their seat." : "The match has begun. Send each person the link of their seat.", found.log, false);
}

function linked(words, path, log) {
  const link = made("a", words), copy = button("Copy link", async () => {
    try { await navigator.clipboard.writeText(link.href); copy.textContent = "Copied"; } catch { say(link.href, log, false); }
  });
  link.href = path;
  const box = made("span", null, "linked"), shows = button("QR code", () => {
    if (isAlone()) { say(ALONE, log); return; }
    state.code = state.code === path ? null : path;
    for (const found of document.querySelectorAll(".linked")) drawCode(found);
  });
  shows.classList.add("shows");
  box.append(link, " ", copy, " ", shows);
  drawCode(box);
  return box;
}

/** Whether the lobby was opened by an address that only this machine knows. */
function isAlone() {
  return /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
}

/** Shows the code of a link whose code is wanted, and hides that of any other. */
function drawCode(box) {
  const link = box.querySelector("a"), isWanted = link.getAttribute("href") === state.code;
  box.querySelector(".shows").setAttribute("aria-expanded", isWanted);
  box.querySelector("svg")?.remove();
  if (isWanted) box.append(codePicture(link.href, `QR code of the link: ${link.textContent}`));
}

/** A button that asks the server for something about a log, and says beside it what went wrong. */
function act(words, what, log, more = {}) {
  return button(words, async ({ target }) => {
    target.disabled = true;
    const found = await ask(what, { log, ...more }, log);
    target.disabled = false;
    if (found) await refresh();
  });
}

function withdrawal(log, seat) {
  return button("New link", async () => {
    if (confirm("The old link will lead nowhere. Send the new one to whoever may have it.") && await ask("withdraw", { log, seat }, log)) refresh();
  });
}

/** A link, what it grants, and how to take it back; or how to grant it again. */
function granted(words, path, log, seat, what, title = words) {
  const change = async (renew) => { if (await ask("withdraw", { log, seat, what, renew }, log)) refresh(); };
  const allow = button("Allow", () => change(true)), revoke = button("Revoke", () => {
    if (confirm(`The link “${title}” will lead nowhere, and this is no longer allowed.`)) change(false);
  });
  allow.setAttribute("aria-label", `Allow: ${title}`);
  revoke.setAttribute("aria-label", `Revoke: ${title}`);
  const line = made("li");
  line.append(...(path ? [linked(words, `/t/${path}`, log), " ", ...(what === "play" || what === "watch" ? [withdrawal(log, seat), " "] : []), revoke] : [`${words}: revoked `, allow]));
  return line;
}

/** What the links of a person's seat grant one by one. */
function grants(log, seat, place, { again, go_on }) {
  const list = made("ul"), more = made("details"), isOpen = state.opened.has(`${log}/${place}`);
  list.append(granted("wants another match", again, log, place, "again", `${seat} wants another match`), granted("continues a paused match", go_on, log, place, "go-on", `${seat} continues a paused match`));
  more.append(made("summary", `Also grants: ${[again && "another match", go_on && "to continue"].filter(Boolean).join(", ") || "nothing"}`), list);
  more.open = isOpen;
  more.addEventListener("toggle", () => { state.opened[more.open ? "add" : "delete"](`${log}/${place}`); });
  return more;
}

function placed(log, className) {
  const box = made("li", null, className);
  box.dataset.place = log;
  return box;
}

function listed(items, draw, nothing) {
  return items.length ? items.map(draw) : [made("li", nothing, "quiet")];
}

function table({ log, title, seats, grants: more, watch, waiting, gathers: isGathering, state: how }) {
  const box = placed(log, "panel"), list = made("ul"), isPlaying = how === "playing";
  list.append(...seats.map(({ seat, who, link }, place) => {
    const line = more[place] ? granted("plays", link, log, place, "play", `${seat} plays`) : made("li");
    line.classList.add(seatColour(place));
    line.prepend(made("b", seat, `seat ${seatColour(place)}`), ` ${who} `);
    if (more[place]) line.append(grants(log, seat, place, more[place]));
    return line;
  }), granted("Watch", watch, log, null, "watch"));
  const waited = made("p", waiting.length ? "Waits for " : null, "waited");
  waited.append(...waiting.flatMap((place, number) => [number ? ", " : "", made("b", seats[place].seat, `seat ${seatColour(place)}`), ` ${seats[place].who}`]));
  const ways = isGathering ? [act("Begin now", "go-on", log), " ", act("Remove the table", "pause", log)] : [isPlaying ? act("Pause", "pause", log) : act("Go on", "go-on", log)];
  box.append(made("h3", isPlaying ? title : `${title}: ${isGathering ? "people sit down" : "paused"}`), ...(waiting.length ? [waited] : []),
    ...(isPlaying || isGathering ? [] : [made("p", how, "bad")]), list, ...ways);
  return box;
}

function moment(when) {
  const time = made("time", Number.isNaN(Date.parse(when)) ? when : new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }));
  time.dateTime = when;
  return time;
}

function ended({ log, title, when, winners, names, page }) {
  const box = placed(log), link = made("a", title), line = made("p"), won = winners.flatMap(([seat, name], number) =>
    [number ? ", " : "", made("b", `P-${seat}`, `seat ${seatColour(seat)}`), ` ${name}`]);
  link.href = page;
  line.append(link, " · ", moment(when), " · ", ...(won.length ? ["won by ", ...won] : ["nobody won"]));
  box.append(line, made("p", names, "quiet"), act("Again", "again", log));
  return box;
}

function pausedLog({ log, title, when, names }) {
  const box = placed(log), line = made("p");
  line.append(`${title} · `, moment(when));
  box.append(line, made("p", names, "quiet"), act("Go on here", "go-on", log));
  return box;
}

async function refresh() {
  const number = ++state.asked, found = await ask("state");
  if (!found || number < state.newest) return;  // a newer answer came before it
  state.newest = number;
  if (JSON.stringify(found) === state.shown) return;
  const isFirst = data === null;
  state.shown = JSON.stringify(found);
  data = found;
  if (isFirst) {
    at("games").append(...data.games.map(card));
    at("games").querySelector("input").checked = true;
    at("money").hidden = data.budget === null;
    drawGame();
  }
  at("troubles").textContent = data.troubles.join(" ");
  at("tables").replaceChildren(...listed(data.tables, table, "No match is being played."));
  at("over").replaceChildren(...listed(data.over, ended, "No match has ended here yet."));
  at("all").textContent = `All matches of the folder that have ended: ${data.ended}`;
  at("paused").replaceChildren(...data.paused.map(pausedLog));
  at("goes-on").hidden = !data.paused.length;
  drawSaid();
}

at("all").href = `${own}/site/index.html`;
at("standings").href = `${own}/site/standings.html`;
at("theme").addEventListener("click", nextTheme);
at("renew").addEventListener("click", async () => {
  if (!confirm("The old address of the lobby will lead nowhere. Keep the new one, which opens now.")) return;
  const found = await ask("withdraw", {}, "new");
  if (found) location.assign(found.lobby);
});
at("more").addEventListener("click", () => { state.seats.push("bot:steady"); drawSeats(); });
at("fewer").addEventListener("click", () => { state.seats.pop(); drawSeats(); });
at("estimate").addEventListener("click", estimate);
at("new").addEventListener("submit", begin);
for (const kind of ["input", "click"]) {
  at("new").addEventListener(kind, ({ target }) => { if (state.said?.place === "new" && target.closest("fieldset, label")) say(""); });
}
document.title = "tabletop: lobby";
theme(remembered("theme") || "auto");
refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 3000);
