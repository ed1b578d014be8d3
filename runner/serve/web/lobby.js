const own = location.pathname.replace(/\/$/, "");
const state = { seats: ["you", "bot:steady", "bot:steady"], names: [], shown: "" };
const YOU = "human";
let data = null;

function say(words, isBad = true) {
  at("notice").textContent = words || "";
  at("notice").classList.toggle("bad", isBad);
}

async function ask(what, body) {
  try {
    const how = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
    const answer = await fetch(`${own}/${what}`, how), found = await answer.json();
    if (!answer.ok) say(found.error);
    return answer.ok ? found : null;
  } catch {
    say("The server does not answer: it is tried again.");
    return null;
  }
}

function game() {
  return data.games.find(({ name }) => name === at("game").value);
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
  while (state.seats.length < low) state.seats.push(game().bots.includes("bot:steady") ? "bot:steady" : game().bots[0] || "offline");
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

function drawGame() {
  const found = game();
  at("summary").textContent = `${found.summary} ${found.players[0]} to ${found.players[1]} players.`;
  at("preset").replaceChildren(...found.presets.map((name) => choice(name, name)));
  at("away").replaceChildren(at("away").options[0], ...found.bots.map((name) => choice(`played by ${name}`, name)));
  at("options").replaceChildren(...found.options.map(({ name, help, takes, default: usual }) => {
    const label = made("label", `${name} `), input = made("input");
    input.name = name;
    input.placeholder = usual;
    label.append(input, made("small", ` ${help} (${takes})`));
    return label;
  }));
  drawSeats();
}

function described() {
  const seats = state.seats.map((who, seat) => {
    const spec = who === "you" || who === "link" ? YOU : who, name = (state.names[seat] || "").trim();
    return name ? `${name}=${spec}` : spec;
  });
  const options = {};
  for (const input of at("options").querySelectorAll("input")) if (input.value.trim()) options[input.name] = input.value.trim();
  const match = { game: at("game").value, seats, rules: at("preset").value, talk: at("talk").checked, options };
  if (at("budget").value.trim()) match.budget = Number(at("budget").value);
  return { match, rules: { seconds: at("seconds").value ? Number(at("seconds").value) : null, away: at("away").value, shows_all: at("shows").checked } };
}

async function estimate() {
  say("Estimating …", false);
  const found = await ask("estimate", described());
  if (found) say(found.text, false);
}

async function begin(event) {
  event.preventDefault();
  const isPaid = state.seats.some((who) => !["you", "link", "offline"].includes(who) && !who.startsWith("bot:"));
  if (isPaid && state.estimated !== JSON.stringify(described())) {
    state.estimated = JSON.stringify(described());
    await estimate();
    at("notice").append(" Press Begin again to play.");
    return;
  }
  const found = await ask("tables", described());
  if (!found) return;
  say("The match has begun. Send each person the link of their seat.", false);
  const mine = state.seats.indexOf("you");
  if (mine >= 0 && found.seats[mine]) { location.assign(`/t/${found.seats[mine]}`); return; }
  refresh();
}

function linked(words, path) {
  const link = made("a", words), copy = button("Copy link", async () => {
    try { await navigator.clipboard.writeText(link.href); copy.textContent = "Copied"; } catch { say(link.href, false); }
  });
  link.href = path;
  const box = made("span", null, "linked");
  box.append(link, " ", copy);
  return box;
}

function withdrawal(log, seat) {
  return button("New link", async () => {
    if (confirm("The old link will lead nowhere. Send the new one to whoever may have it.") && await ask("withdraw", { log, seat })) refresh();
  });
}

function table({ log, title, seats, watch, waiting, state: how }) {
  const box = made("li", null, "panel"), list = made("ul");
  list.append(...seats.map(({ seat, who, link }, place) => {
    const line = made("li", null, seatColour(place));
    line.append(made("b", seat, `seat ${seatColour(place)}`), ` ${who}${waiting.includes(place) ? " thinks …" : ""} `, ...(link ? [linked("seat", `/t/${link}`), " ", withdrawal(log, place)] : []));
    return line;
  }));
  box.append(made("h3", `${title}: ${how === "playing" || how === "ended" ? how : "paused"}`), list, linked("Watch", `/t/${watch}`), " ", withdrawal(log, null));
  if (how === "playing") box.append(" ", button("Pause", async () => { await ask("pause", { log }); refresh(); }));
  else if (how === "ended") box.append(" ", button("Again", async () => { if (await ask("again", { log })) refresh(); }));
  else box.append(made("p", how, "bad"), button("Go on", async () => { await ask("go-on", { log }); refresh(); }));
  return box;
}

async function refresh() {
  const found = await ask("state");
  if (!found || JSON.stringify(found) === state.shown) return;
  const isFirst = data === null;
  state.shown = JSON.stringify(found);
  data = found;
  if (isFirst) {
    at("game").replaceChildren(...data.games.map(({ name, title }) => choice(title, name)));
    at("money").hidden = data.budget === null;
    drawGame();
  }
  if (data.troubles.length) say(data.troubles.join(" "));
  at("tables").replaceChildren(...(data.tables.length ? data.tables.map(table) : [made("li", "No match is being played.", "quiet")]));
  at("site").textContent = `Matches that have ended: ${data.ended}`;
  at("paused").replaceChildren(...data.paused.map(({ log, game: of, created, names }) => {
    const line = made("li");
    line.append(`${of}, ${created}: ${names} `, button("Go on here", async () => { if (await ask("go-on", { log })) refresh(); }));
    return line;
  }));
}

at("site").href = `${own}/site/index.html`;
at("standings").href = `${own}/site/standings.html`;
at("theme").addEventListener("click", nextTheme);
at("game").addEventListener("change", drawGame);
at("more").addEventListener("click", () => { state.seats.push("bot:steady"); drawSeats(); });
at("fewer").addEventListener("click", () => { state.seats.pop(); drawSeats(); });
at("estimate").addEventListener("click", estimate);
at("new").addEventListener("submit", begin);
theme(remembered("theme") || "auto");
refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 3000);
