const WORDS = { strong: "strong", quiet: "small", good: "span.right", bad: "span.over", code: "code" };
const MOST_COLUMNS = 7;
const EDGE = "▐▌";
let sceneNames = [];

function el(spec, ...parts) {
  const [tag, ...classes] = spec.split("."), found = made(tag, null, classes.join(" "));
  for (const part of parts.flat()) {
    if (part === null || part === undefined) continue;
    if (typeof part === "string" || part instanceof Node) found.append(spec === "span.sign" ? `${part}\ufe0e` : part);
    else for (const [name, value] of Object.entries(part)) {
      if (name.startsWith("--")) found.style.setProperty(name, value); else found.setAttribute(name, value);
    }
  }
  return found;
}

function read(field) {
  if (!Array.isArray(field)) return field;
  const node = data.elements[field[0]];
  if (Array.isArray(node)) return node.map(read);
  return Object.fromEntries(Object.entries(node).map(([name, of]) => [name, read(of)]));
}

/** Marks an element of the table by the name with which a choice points at it (games/core/element.py). */
function on(...name) {
  return { "data-on": name.join(" ") };
}

function element(number) {
  sceneNames = read([0]);
  return el("div.scene", read([number]).map((part) => PARTS[part.is](part)));
}

function tone(name = "") {
  return /^[a-z]+$/.test(name) && !(name in WORDS) ? `.${name}` : "";
}

function words(phrase = []) {
  return phrase.map((one, place) => {
    const begins = !place && one.is === "Who" && one.name === "you" && phrase[1]?.is === "Does";
    const said = piece(begins ? { ...one, name: "You" } : one);
    return !place && one.is === "Does" && typeof said === "string" ? said.trimStart() : said;
  });
}

function word(text, of = "") {
  if (of.startsWith("seat ")) return el(`span.mine.${seatColour(Number(of.slice(5)))}`, text);
  return el(WORDS[of] || `span${tone(of)}`, text);
}

function badge(seat) {
  return el(`b.seat.${seatColour(seat)}`, sceneNames[seat]);
}

function counter({ value, name }) {
  const discs = value > 0 ? el("span.discs", { "--n": value, "aria-hidden": "true" }) : null;
  return el("span.coins", discs, el("span.count", String(value)), el("span.sr", ` ${name}${value === 1 ? "" : "s"}`));
}

function piece(one) {
  if (typeof one === "string") return one;
  switch (one.is) {
    case "Who": {
      const name = el(`b.seat.${seatColour(one.seat)}`, one.name);
      return one.form ? el("span", name, one.rest) : name;
    }
    case "Does": return one.tone ? word(one.said, one.tone) : one.said;
    case "Word": return word(one.text || "", one.tone);
    case "Dot": {
      const said = el("span.sr", one.is_there ? `${one.name} ` : `no ${one.name} `);
      return el(`span.dot${tone(one.tone)}${one.is_there ? "" : ".gone"}`, said);
    }
    case "Counter": return counter(one);
  }
  if (one.state === "dead") return el("span.rank.dead", one.name, el("span.sr", " unplayable"));
  if (!one.tone && !one.short) return el("span.rank", one.name || "?");
  return el(`span.chip${tone(one.tone)}`, ...(one.short ? [one.short, el("span.sr", ` ${one.name}`)] : [one.name]));
}

const PARTS = {
  Players: ({ rows, cards, said }) => cards ? el("div.players", rows.map((row) => panel(row, said)))
    : el("ul.scores", { "aria-label": "scores" }, rows.map(score)),
  Table: factTable,
  CardRow({ stacks = [], note, empty, title }) {
    const waits = note ? [el("li.waits", words(note))] : [];
    const isQueue = stacks.every(({ place }) => place);
    const gap = (number) => isQueue ? el("li.gap", on("gap", number), el("span.place", "here")) : null;
    const all = [gap(1), stacks.map((one, place) => [stack(one), gap(place + 2)])].flat(3);
    const found = stacks.length + waits.length ? el("ol.queue", { tabindex: 0 }, all, waits) : el("p.empty", isQueue ? on("gap", 1) : null, empty);
    return title ? el("section.trick", el("h3", words(title)), found) : found;
  },
  Grid({ rows, columns, title }) {
    const body = rows.map(([name, cells]) => el(`tr${tone(name.tone)}`, el("th", { scope: "row" }, name.text),
      cells.map((cell, place) => boardCell(cell, on("cell", name.text, columns[place])))));
    const board = el("table.board", { "--columns": columns.length }, el("caption", words(title)),
      head([el("span.sr", "Row"), ...columns]), el("tbody", body));
    return el("div.scroller", { role: "region", "aria-label": "board", tabindex: 0 }, board);
  },
  Texts({ cards = [], holder, title, foot }) {
    const isHeld = holder !== undefined, found = el("ol.situations", cards.map((card) => textCard(card, isHeld ? ".small" : "")));
    if (isHeld) return el(`details.held.${seatColour(holder)}`, el("summary", words(title)), found);
    return el("section.texts", found, foot ? el("p.points", words(foot)) : null);
  },
  Quote({ seat, text, instead, title, said }) {
    const heading = el("h3", words(title), title ? " · " : null, said.map(piece));
    return el(`section.quote.${seatColour(seat)}${title ? ".past" : ""}`, heading, el("p", text ? `“${text}”` : instead));
  },
  Steps({ steps = [], title, pile }) {
    if (!title) return el("div.tasks", steps.map(([sign, phrase]) => el("p.task", sign === "★" ? "★ " : null, words(phrase))));
    const taken = steps.map(([sign, phrase]) => el("li", el("span.step", { "aria-hidden": "true" }, sign), words(phrase)));
    const turn = el("section.turn", el("h3", words(title)), taken.length ? el("ul.steps", taken) : null);
    if (!pile) return turn;
    const lost = (pile.lost || []).map(([card, count]) => el(`span.chip${tone(card.tone)}`, `${card.name} ${count}`));
    const deck = el("p", el("span.pile", { "aria-hidden": "true" }), `${pile.name}: ${pile.size}`);
    return el("div.middle", turn, el("section.deck", deck, lost.length ? el("p.claims", el("small", "lost "), lost) : null));
  },
  Banner: (part) => el("p.banner", words(part.words)),
  Legend: ({ signs }) => el("p.legend", signs.map(([sign, phrase]) => el("span", el("b", sign), " ", words(phrase)))),
  Part: () => null,
};

function panel({ seat, state, note, counters = [], cards = [], said }, saidWord = "") {
  const now = note || (state && state !== "active" ? [state] : null);
  return el(`section.player.${seatColour(seat)}.${state || "in"}`, on("seat", seat),
    el("h3", badge(seat), now ? el("small", words(now)) : null),
    counters.map(counter),
    el("ul.hand", { "aria-label": "cards" }, cards.map((card) => handCard(card, seat))),
    said ? el("p.claims", el("small", `${saidWord.toLowerCase()} `), words(said)) : null);
}

function score({ seat, state, note, counters = [] }) {
  const said = note || (state === "wins" ? ["wins"] : null);
  const found = [el("span", badge(seat), said ? el("small", " ★ ", words(said)) : null)];
  for (const { value, of = null } of counters) {
    const share = of ? Math.round(1000 * Math.max(0, Math.min(1, value / of))) / 1000 : 0;
    found.push(el("span", el("strong", String(value)), of === null ? null : el("small", ` of ${of}`)));
    if (of !== null) found.push(el(`span.bar.${seatColour(seat)}`, { "--share": share, "aria-hidden": "true" }));
  }
  return el("li", on("seat", seat), found);
}

function signOf({ sign }) {
  return sign ? el("span.sign", { "aria-hidden": "true" }, sign) : null;
}

function handCard(card, seat) {
  if (card.name === undefined) return el("li.card.back", el("span.sr", "hidden card"));
  const lost = card.state === "lost" ? el("span.sr", " (lost)") : null;
  const edge = card.name === EDGE ? ".edge" : "";
  return el(`li.card.${card.state}${tone(card.tone)}${edge}`, lost || edge ? null : on("card", seat, card.name), signOf(card), el("span.face", card.name), lost);
}

function stack({ cards, place, is_current }) {
  const where = place ? el("span.place", place + (is_current ? " ▶" : "")) : null;
  const [{ owner, name }] = cards, here = place ? on("stack", place) : owner === undefined || name === undefined ? null : on("card", owner, name);
  return el(`li.stack${is_current ? ".current" : ""}`, here, where, cards.map((card, depth) => ownedCard(card, depth > 0)));
}

function ownedCard(card, isCovered) {
  const { name, state, owner, tokens } = card, isPeeked = name !== undefined && state === "down";
  const whose = owner === undefined ? null : badge(owner), coins = tokens ? counter({ value: tokens, name: "token" }) : null;
  if (card.tone) {
    return el(`div.card.number${tone(card.tone)}`, el("span.face", name, el("small", card.sign)), whose, coins);
  }
  return el(`div.card.owned.${seatColour(owner || 0)}${name === undefined ? ".back" : isPeeked ? ".peek" : ""}${isCovered ? ".covered" : ""}${name === EDGE ? ".edge" : ""}`,
    isCovered ? null : signOf(card), el("span.face", name || "hidden"), whose, isPeeked ? el("small", "hidden") : null, coins);
}

function boardCell({ owner, mark, is_blocked }, here) {
  if (is_blocked) return el("td.blocked", el("span.sr", "blocked"));
  const kind = mark ? `.${mark.kind.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")}` : "";
  const sign = mark ? [el("span.sign", { "aria-hidden": "true" }, mark.sign), el("span.sr", ` ${mark.words}`)] : [];
  if (owner === undefined) return el(`td${kind}`, here, sign);
  const letter = el("span.letter", { "aria-hidden": "true" }, sceneNames[owner].replace(/^P-/, "").slice(0, 1).toUpperCase() || "?");
  return el(`td${kind}`, here, el(`span.token.${seatColour(owner)}`, letter, el("span.sr", sceneNames[owner])), sign);
}

function head(titles) {
  return el("thead", el("tr", titles.map((title) => el("th", { scope: "col" }, title))));
}

function factTable({ columns, rows, title }) {
  const seats = rows.map(({ seat }) => seat).filter((seat) => seat !== undefined);
  const titles = columns.map((column) => el("span", words(column.title)));
  const cells = rows.map(({ cells = [], seat }) => cells.map((phrase = [], place) => {
    const isHand = phrase.length > 1 && phrase.every(({ is }) => is === "Card");
    const said = words(phrase).map((one, number) => seat !== undefined && phrase[number].is === "Card" ? el("span", on("card", seat, phrase[number].name), one) : one);
    return el(columns[place].is_text ? "td.text" : "td", el(isHand ? "span.ranks" : "span", said));
  }));
  const found = el("table", title ? el("caption", words(title)) : null);
  if (seats.length && columns.length > MOST_COLUMNS) {
    const facts = titles.map((name, place) => el("tr", el("th.fact", { scope: "row" }, name), cells.map((of) => of[place])));
    found.append(head([el("span.sr", "Facts"), ...seats.map((seat) => el("span", on("seat", seat), badge(seat)))]), el("tbody", facts));
  } else {
    if (columns.some((column) => column.title)) found.append(head([...(seats.length ? [el("span.sr", "Seat")] : []), ...titles]));
    found.append(el("tbody", rows.map((row, place) => tableRow(row, cells[place]))));
  }
  return el("div.scroller.panel", { role: "region", "aria-label": seats.length ? "players" : "facts", tabindex: 0 }, found);
}

function tableRow({ seat, state }, cells) {
  if (seat === undefined) return el("tr", cells);
  const name = el("th", { scope: "row" }, badge(seat), state === "wins" ? " ★" : null);
  return el(`tr.${seatColour(seat)}${state === "active" ? ".active" : ""}`, on("seat", seat), name, cells);
}

function textCard({ text, name, owner, voters, note, is_marked }, small) {
  const isOwned = owner !== undefined, votes = (voters || []).flatMap((seat) => [" ", badge(seat)]);
  const by = isOwned ? el("span", "by ", badge(owner), is_marked ? " ★" : null) : null;
  const said = [by, votes.length ? el("span.votes", "✓", votes) : null, note ? el("span", note) : null];
  const marked = `${is_marked ? ".teller" : ""}${note ? ".picked" : ""}`;
  return el(`li.situation${small}${isOwned ? `.owned.${seatColour(owner)}` : ""}${marked}`, name ? on("text", name) : null,
    el("p", text), isOwned || votes.length || note ? el("p.foot", said) : null);
}
